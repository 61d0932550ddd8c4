// four.h - four numbers of one environment side by side: what a pack of contacts is made of. lanes: 1
//
// The same operations on each, so the same bits whatever registers a target has.
#pragma once
#include "lane/row.h"

#if TX_LANES == 1
typedef num four __attribute__((vector_size(4 * sizeof(num)), may_alias));

FN four four_of(num x) {
    const four zero = {0};
    return x - zero; // keeps -0
}
FN four four_from(num a, num b, num c, num d) {
    const four all = {a, b, c, d};
    return all;
}
FN four four_sel(four_masks m, four a, four b) { return (four)((m & (four_masks)a) | (~m & (four_masks)b)); }
FN four four_max(four a, four b) {
#ifdef TARGET_FOUR_MAX
    return TARGET_FOUR_MAX(a, b);
#else
    return four_sel((four_masks)(a > b), a, b);
#endif
}
FN bool four_any(four_masks m) {
#ifdef TARGET_FOUR_BITS
    return TARGET_FOUR_BITS(m) != 0;
#else
    return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}
FN four four_sqrt(four x) {
#ifdef TARGET_FOUR_SQRT
    return TARGET_FOUR_SQRT(x);
#else
    for (int i = 0; i < 4; i++) x[i] = vsqrt(x[i]);
    return x;
#endif
}
// four rows of four neighbouring numbers into columns
FN void four_turn(const num *const row[4], int at, four *to) {
#if defined __clang__ || __GNUC__ >= 12
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
    const num4 a = CAT4(row[0], at), b = CAT4(row[1], at), c = CAT4(row[2], at), d = CAT4(row[3], at);
    const num4 even = PICK(a, b, 0, 4, 2, 6), odd = PICK(a, b, 1, 5, 3, 7), even2 = PICK(c, d, 0, 4, 2, 6),
               odd2 = PICK(c, d, 1, 5, 3, 7);
    to[0] = PICK(even, even2, 0, 1, 4, 5), to[1] = PICK(odd, odd2, 0, 1, 4, 5);
    to[2] = PICK(even, even2, 2, 3, 6, 7), to[3] = PICK(odd, odd2, 2, 3, 6, 7);
#undef PICK
#else
    for (int k = 0; k < 4; k++) to[k] = four_from(row[0][at + k], row[1][at + k], row[2][at + k], row[3][at + k]);
#endif
}
// n numbers of each of four rows
FN void four_columns(const num *const row[4], int n, four *to) {
    int k = 0;
    for (; k + 4 <= n; k += 4) four_turn(row, k, to + k);
    for (; k < n; k++) to[k] = four_from(row[0][k], row[1][k], row[2][k], row[3][k]);
}
// the other way round: n fours of numbers into the rows of the first `rows` lanes
FN void four_rows(const four *from, int n, num *const row[4], int rows) {
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        const num *const column[4] = {(const num *)(from + k), (const num *)(from + k + 1), (const num *)(from + k + 2),
                                      (const num *)(from + k + 3)};
        four turned[4];
        four_turn(column, 0, turned);
        for (int l = 0; l < rows; l++) AT4(row[l], k) = (num4)turned[l];
    }
    for (; k < n; k++)
        for (int l = 0; l < rows; l++) row[l][k] = from[k][l];
}
// 1 / x where x is positive, else 0
FN four four_inverse(four x) {
    const four_masks moves = (four_masks)(x > R(0));
    return four_sel(moves, R(1) / four_sel(moves, x, four_of(1)), four_of(0));
}
#endif
