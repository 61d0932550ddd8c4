// lane.h - the number type: what `real`, `mask` and AT mean at the width the target file chose. lanes: any
//
//   TX_LANES 1      one environment, real = num (double, or float with TX_F32)
//   TX_LANES 4, 8   one environment per vector lane; element i of an array is TX_LANES consecutive numbers
//
// `real` and `mask` differ per environment; `int` indices and sizes are the same for all of them, so loops and
// branches on integers are shared. A branch on a real does not compile at more than one lane: select instead.
// Rules that keep every lane's bits independent of its neighbours are in DESIGN section 4 and CONTRIBUTING.md.
#pragma once
#ifndef TX_LANES
#error "a target file defines TX_LANES before it includes lane text"
#endif
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef TX_F32
typedef float num;
typedef int32_t num_bits;
#else
typedef double num;
typedef int64_t num_bits;
#endif

// a constant of the lane precision: vectors of float refuse doubles that do not fit
#define R(x) ((num)(x))
#ifdef TX_LANE_CALLS // as the compiler likes: coverage counts one copy, and sanitizers take a fraction of the time
#define FN static inline __attribute__((unused))
#else
#define FN static inline __attribute__((always_inline, unused))
#endif
#define STAGE static __attribute__((unused))
// before a short loop of constant length whose indices should vanish
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
// the same where the length is a constant in some of the places that the loop is inlined into; clang finds out by
// itself, and would complain about the others
#ifdef __clang__
#define UNROLL_CONSTANT
#else
#define UNROLL_CONSTANT UNROLL
#endif

#if TX_LANES > 1

typedef num real __attribute__((vector_size(sizeof(num) * TX_LANES)));
typedef num_bits mask __attribute__((vector_size(sizeof(num) * TX_LANES)));

FN real splat(num x) {
    real zero = {0};
    return x - zero; // keeps -0
}
// a where m is on, else b; a target file may know an instruction for it
FN real sel(mask m, real a, real b) {
#ifdef TARGET_SELECT
    return TARGET_SELECT(m, a, b);
#else
    return (real)((m & (mask)a) | (~m & (mask)b));
#endif
}
FN mask not_(mask m) { return ~m; }
FN mask lane_true(void) {
    mask zero = {0};
    return ~zero;
}
// bit i: lane i; a target file may know an instruction for it
FN unsigned mask_bits(mask m) {
#ifdef TARGET_MASK_BITS
    return (unsigned)TARGET_MASK_BITS(m);
#else
    unsigned bits = 0;
    for (int i = 0; i < TX_LANES; i++) bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}
FN bool any(mask m) {
#ifdef TARGET_MASK_BITS
    return mask_bits(m) != 0;
#else
    num_bits r = 0;
    for (int i = 0; i < TX_LANES; i++) r |= m[i];
    return r != 0;
#endif
}
FN real vsqrt(real x) {
    for (int i = 0; i < TX_LANES; i++) {
#ifdef TX_F32
        x[i] = sqrtf(x[i]);
#else
        x[i] = sqrt(x[i]);
#endif
    }
    return x;
}
FN real vabs(real x) {
    mask sign = (mask)splat(R(-0.0));
    return (real)((mask)x & ~sign);
}
// the magnitude of a with the sign of b
FN real copysign_of(real a, real b) {
    mask sign = (mask)splat(R(-0.0));
    return (real)(((mask)a & ~sign) | ((mask)b & sign));
}
// lane access for the few places that look at one environment
FN num lane_get(real x, int lane) { return x[lane]; }
FN void lane_set(real *x, int lane, num value) { (*x)[lane] = value; }
FN mask lane_mask(const uint8_t *on) {
    mask m = {0};
    for (int i = 0; i < TX_LANES; i++) m[i] = on[i] ? -1 : 0;
    return m;
}
FN bool mask_get(mask m, int lane) { return m[lane] != 0; }

#else

typedef num real;
typedef int mask;

FN real splat(num x) { return x; }
FN real sel(mask m, real a, real b) { return m ? a : b; }
FN mask not_(mask m) { return !m; }
FN mask lane_true(void) { return 1; }
FN unsigned mask_bits(mask m) { return m != 0; }
FN bool any(mask m) { return m != 0; }
#ifdef TX_F32
FN real vsqrt(real x) { return sqrtf(x); }
FN real vabs(real x) { return fabsf(x); }
FN real copysign_of(real a, real b) { return copysignf(a, b); }
#else
FN real vsqrt(real x) { return sqrt(x); }
FN real vabs(real x) { return fabs(x); }
FN real copysign_of(real a, real b) { return copysign(a, b); }
#endif
FN num lane_get(real x, int lane) {
    (void)lane;
    return x;
}
FN void lane_set(real *x, int lane, num value) {
    (void)lane;
    *x = value;
}
FN mask lane_mask(const uint8_t *on) { return on[0] != 0; }
FN bool mask_get(mask m, int lane) {
    (void)lane;
    return m != 0;
}

#endif

// element i of a lane array; arrays are declared as pointers to num in structs that every width shares
#define AT(p, i) (((real *)(p))[i])
#define ARRAY(p) ((real *)(p))
// model parameter i as this block's environments have it: equal in all of them, or different in each
#define PARAM(b, field, i) (((const real *)(b)->param.field)[i])

FN real vmin(real a, real b) { return sel(a < b, a, b); }
FN real vmax(real a, real b) { return sel(a > b, a, b); }
// NaN stays NaN, so that it is noticed
FN real clamp(real x, real lo, real hi) {
    x = sel(x < lo, lo, x);
    return sel(x > hi, hi, x);
}
// true where x is a number of ordinary size: false for NaN, infinities and anything beyond the limit
FN mask ordinary(real x, num limit) { return vabs(x) <= limit; }
