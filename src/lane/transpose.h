// transpose.h - numbers of several rows into lanes, one row in each, and back. lanes: any
#pragma once
#include <stddef.h>

#include "lane/lane.h"

#if TX_LANES == 8
#define TRANSPOSE_BITS 3
#elif TX_LANES == 4
#define TRANSPOSE_BITS 2
#endif

#if TX_LANES > 1
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector) && defined(TRANSPOSE_BITS) && !defined(TX_F32)
#define TRANSPOSE_BY_SHUFFLES
#endif
#endif

#ifdef TRANSPOSE_BY_SHUFFLES
#if TX_LANES == 8
#define FIRST_OF(a, b, s)                                                                                       \
    __builtin_shufflevector(a, b, 0 & s ? 8 - s : 0, 1 & s ? 9 - s : 1, 2 & s ? 10 - s : 2, 3 & s ? 11 - s : 3, \
                            4 & s ? 12 - s : 4, 5 & s ? 13 - s : 5, 6 & s ? 14 - s : 6, 7 & s ? 15 - s : 7)
#define SECOND_OF(a, b, s)                                                                                      \
    __builtin_shufflevector(a, b, 0 & s ? 8 : 0 + s, 1 & s ? 9 : 1 + s, 2 & s ? 10 : 2 + s, 3 & s ? 11 : 3 + s, \
                            4 & s ? 12 : 4 + s, 5 & s ? 13 : 5 + s, 6 & s ? 14 : 6 + s, 7 & s ? 15 : 7 + s)
#else
#define FIRST_OF(a, b, s) \
    __builtin_shufflevector(a, b, 0 & s ? 4 - s : 0, 1 & s ? 5 - s : 1, 2 & s ? 6 - s : 2, 3 & s ? 7 - s : 3)
#define SECOND_OF(a, b, s) \
    __builtin_shufflevector(a, b, 0 & s ? 4 : 0 + s, 1 & s ? 5 : 1 + s, 2 & s ? 6 : 2 + s, 3 & s ? 7 : 3 + s)
#endif
// rows i and i + s exchange the quarters of their square that lie off its diagonal
#define EXCHANGE(s)                                                    \
    UNROLL                                                             \
    for (int i = 0; i < TX_LANES; i++)                                 \
        if (!(i & (s))) {                                              \
            const real a = v[i], b = v[i + (s)];                       \
            v[i] = FIRST_OF(a, b, s), v[i + (s)] = SECOND_OF(a, b, s); \
        }
FN void transpose(real *v) {
#if TX_LANES == 8
    EXCHANGE(4)
#endif
    EXCHANGE(2)
    EXCHANGE(1)
}
#undef EXCHANGE
#undef FIRST_OF
#undef SECOND_OF
#else
FN void transpose(real *v) {
    for (int i = 0; i < TX_LANES; i++)
        for (int k = 0; k < i; k++) {
            const num t = v[i][k];
            v[i][k] = v[k][i];
            v[k][i] = t;
        }
}
#endif

typedef real row_of_lanes __attribute__((aligned(sizeof(num)), may_alias));

// to[i] = number i of every row: row e has `count` numbers from rows + at[e] on
FN void rows_to_lanes(const num *rows, const size_t *at, int count, real *to) {
    int i = 0;
    for (; i + TX_LANES <= count; i += TX_LANES) {
        real v[TX_LANES];
        UNROLL
        for (int e = 0; e < TX_LANES; e++) v[e] = *(const row_of_lanes *)(rows + at[e] + i);
        transpose(v);
        UNROLL
        for (int e = 0; e < TX_LANES; e++) to[i + e] = v[e];
    }
    for (; i < count; i++)
        for (int e = 0; e < TX_LANES; e++) to[i][e] = rows[at[e] + (size_t)i];
}

// the reverse; what is left over at the end is written once more with its neighbours
FN void lanes_to_rows(const real *from, int count, num *rows, const size_t *at) {
    for (int i = 0; i < count && count >= TX_LANES;) {
        real v[TX_LANES];
        UNROLL
        for (int e = 0; e < TX_LANES; e++) v[e] = from[i + e];
        transpose(v);
        UNROLL
        for (int e = 0; e < TX_LANES; e++) *(row_of_lanes *)(rows + at[e] + i) = v[e];
        i += TX_LANES;
        if (i < count && i > count - TX_LANES) i = count - TX_LANES;
    }
    for (int i = 0; i < count && count < TX_LANES; i++)
        for (int e = 0; e < TX_LANES; e++) rows[at[e] + (size_t)i] = from[i][e];
}
#endif
