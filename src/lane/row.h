// row.h - y += a x on neighbouring numbers. lanes: any
//
// At one lane these are vectors inside one environment: each number takes the same operations in the same order as in a
// plain loop, so the bits are the same. A compiler that unrolls short loops first would leave them scalar.
#pragma once
#include <stddef.h>

#include "lane/lane.h"

#if TX_LANES == 1
typedef num num2 __attribute__((vector_size(2 * sizeof(num)), aligned(sizeof(num)), may_alias));
typedef num num4 __attribute__((vector_size(4 * sizeof(num)), aligned(sizeof(num)), may_alias));

// in which of four a comparison holds, a bit each, and whether in all; a target file may know an instruction for it
typedef num_bits four_masks __attribute__((vector_size(4 * sizeof(num))));
FN int bits_of_four(four_masks m) {
#ifdef TARGET_FOUR_BITS
    return TARGET_FOUR_BITS(m);
#else
    return (m[0] != 0) | (m[1] != 0) << 1 | (m[2] != 0) << 2 | (m[3] != 0) << 3;
#endif
}
FN bool all_of_four(four_masks m) { return bits_of_four(m) == 15; }

// does `four` for every four numbers from k on, then `two`, then `one`
#define IN_CHUNKS(k, n, four, two, one) \
    int k = 0;                          \
    for (; k + 4 <= (n); k += 4) four;  \
    if (k + 2 <= (n)) {                 \
        two;                            \
        k += 2;                         \
    }                                   \
    if (k < (n)) one
#define AT4(p, k)  (*(num4 *)((p) + (k)))
#define AT2(p, k)  (*(num2 *)((p) + (k)))
#define CAT4(p, k) (*(const num4 *)((p) + (k)))
#define CAT2(p, k) (*(const num2 *)((p) + (k)))

// y = 0
FN void row_zero(num *y, int n) {
    const num4 zero = {0};
    IN_CHUNKS(k, n, AT4(y, k) = zero, y[k] = y[k + 1] = 0, y[k] = 0);
}
// y += x
FN void row_plus(num *y, const num *x, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = AT4(y, k) + CAT4(x, k), AT2(y, k) = AT2(y, k) + CAT2(x, k), y[k] = y[k] + x[k]);
}
// y += a x
FN void row_add(num *y, num a, const num *x, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = AT4(y, k) + a * CAT4(x, k), AT2(y, k) = AT2(y, k) + a * CAT2(x, k),
              y[k] = y[k] + a * x[k]);
}
// y = a x
FN void row_scale(num *y, num a, const num *x, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = a * CAT4(x, k), AT2(y, k) = a * CAT2(x, k), y[k] = a * x[k]);
}
// y = x + a z
FN void row_combine(num *y, const num *x, num a, const num *z, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = CAT4(x, k) + a * CAT4(z, k), AT2(y, k) = CAT2(x, k) + a * CAT2(z, k),
              y[k] = x[k] + a * z[k]);
}
// y = x - z, and y = -x
FN void row_difference(num *y, const num *x, const num *z, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = CAT4(x, k) - CAT4(z, k), AT2(y, k) = CAT2(x, k) - CAT2(z, k), y[k] = x[k] - z[k]);
}
FN void row_negate(num *y, const num *x, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = -CAT4(x, k), AT2(y, k) = -CAT2(x, k), y[k] = -x[k]);
}
// y += a x where `on`
FN void row_move(num *y, num a, const num *x, mask on, int n) {
    if (on) row_add(y, a, x, n);
}
// y -= a x
FN void row_sub(num *y, num a, const num *x, int n) {
    IN_CHUNKS(k, n, AT4(y, k) = AT4(y, k) - a * CAT4(x, k), AT2(y, k) = AT2(y, k) - a * CAT2(x, k),
              y[k] = y[k] - a * x[k]);
}
// y = (y - a₀ x) - a₁ (x `back` numbers before it), and so on
#define SUB2(A, B, k) ((A(y, k) - a[0] * B(x, k)) - a[1] * B(x - back, k))
#define SUB3(A, B, k) (SUB2(A, B, k) - a[2] * B(x - 2 * back, k))
#define SUB4(A, B, k) (SUB3(A, B, k) - a[3] * B(x - 3 * back, k))
#define AT1(p, k)     ((p)[k])
#define SUBS(name, S)                                                                                     \
    FN void name(num *y, const num *a, const num *x, ptrdiff_t back, int n) {                             \
        IN_CHUNKS(k, n, AT4(y, k) = S(AT4, CAT4, k), AT2(y, k) = S(AT2, CAT2, k), y[k] = S(AT1, AT1, k)); \
    }
SUBS(row_sub2, SUB2)
SUBS(row_sub3, SUB3)
SUBS(row_sub4, SUB4)
// y = ((y + a x₀) + b x₁) + c x₂, the x `stride` numbers apart
FN void row_add3(num *y, num a, num b, num c, const num *x, int stride, int n) {
    const num *p = x + stride, *q = p + stride;
    IN_CHUNKS(k, n, AT4(y, k) = ((AT4(y, k) + a * CAT4(x, k)) + b * CAT4(p, k)) + c * CAT4(q, k),
              AT2(y, k) = ((AT2(y, k) + a * CAT2(x, k)) + b * CAT2(p, k)) + c * CAT2(q, k),
              y[k] = ((y[k] + a * x[k]) + b * p[k]) + c * q[k]);
}
// y = (a x₀ + b x₁) + c x₂
FN void row_sum3(num *y, num a, num b, num c, const num *x, int stride, int n) {
    const num *p = x + stride, *q = p + stride;
    IN_CHUNKS(k, n, AT4(y, k) = (a * CAT4(x, k) + b * CAT4(p, k)) + c * CAT4(q, k),
              AT2(y, k) = (a * CAT2(x, k) + b * CAT2(p, k)) + c * CAT2(q, k), y[k] = (a * x[k] + b * p[k]) + c * q[k]);
}
// Σ a b of long rows: six sums side by side, that wait for nothing but themselves
typedef struct row_sums {
    num4 four;
    num2 two;
} row_sums;
FN void row_add_products(row_sums *s, const num *a, const num *b, int n) {
    IN_CHUNKS(k, n, s->four = s->four + CAT4(a, k) * CAT4(b, k), s->two = s->two + CAT2(a, k) * CAT2(b, k),
              s->two[0] = s->two[0] + a[k] * b[k]);
}
// Σ w a²
FN void row_add_weighed_squares(row_sums *s, const num *w, const num *a, int n) {
    IN_CHUNKS(k, n, s->four = s->four + CAT4(w, k) * CAT4(a, k) * CAT4(a, k),
              s->two = s->two + CAT2(w, k) * CAT2(a, k) * CAT2(a, k), s->two[0] = s->two[0] + w[k] * a[k] * a[k]);
}
FN num2 row_halves(const row_sums *s) {
    const num2 low = {s->four[0], s->four[1]}, high = {s->four[2], s->four[3]};
    return (low + high) + s->two;
}
FN num row_sum(const row_sums *s) {
    const num2 halves = row_halves(s);
    return halves[0] + halves[1];
}
FN void row_sum_of_three(num *y, const row_sums *s) {
    const num2 a = row_halves(s), b = row_halves(s + 1), c = row_halves(s + 2);
    AT2(y, 0) = (num2){a[0], b[0]} + (num2){a[1], b[1]};
    y[2] = c[0] + c[1];
}
#else
#define SUBS(name, count)                                                        \
    FN void name(real *y, const real *a, const real *x, ptrdiff_t back, int n) { \
        for (int k = 0; k < n; k++) {                                            \
            real t = y[k];                                                       \
            for (int i = 0; i < (count); i++) t = t - a[i] * x[k - i * back];    \
            y[k] = t;                                                            \
        }                                                                        \
    }
SUBS(row_sub2, 2)
SUBS(row_sub3, 3)
SUBS(row_sub4, 4)
FN void row_zero(real *y, int n) {
    for (int k = 0; k < n; k++) y[k] = splat(0);
}
FN void row_plus(real *y, const real *x, int n) {
    for (int k = 0; k < n; k++) y[k] = y[k] + x[k];
}
FN void row_add(real *y, real a, const real *x, int n) {
    for (int k = 0; k < n; k++) y[k] = y[k] + a * x[k];
}
FN void row_difference(real *y, const real *x, const real *z, int n) {
    for (int k = 0; k < n; k++) y[k] = x[k] - z[k];
}
FN void row_negate(real *y, const real *x, int n) {
    for (int k = 0; k < n; k++) y[k] = -x[k];
}
FN void row_move(real *y, real a, const real *x, mask on, int n) {
    for (int k = 0; k < n; k++) y[k] = sel(on, y[k] + a * x[k], y[k]);
}
FN void row_sub(real *y, real a, const real *x, int n) {
    for (int k = 0; k < n; k++) y[k] = y[k] - a * x[k];
}
FN void row_add3(real *y, real a, real b, real c, const real *x, int stride, int n) {
    for (int k = 0; k < n; k++) y[k] = ((y[k] + a * x[k]) + b * x[stride + k]) + c * x[2 * stride + k];
}
FN void row_sum3(real *y, real a, real b, real c, const real *x, int stride, int n) {
    for (int k = 0; k < n; k++) y[k] = (a * x[k] + b * x[stride + k]) + c * x[2 * stride + k];
}
#endif
