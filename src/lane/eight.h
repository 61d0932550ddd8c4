// eight.h - two fours of numbers (four.h) as one where a target has registers for them: the same operations on each, so
// the same bits. lanes: 1
#pragma once
#include "lane/four.h"

#if TX_LANES == 1
// one four as it is, or two of them that stand `apart`, as one number of that width; and back
FN four four_join(const four *at, int apart) {
    (void)apart;
    return at[0];
}
FN void four_part(four x, four *at, int apart) {
    (void)apart;
    at[0] = x;
}
FN void four_add(four x, four *sum) { *sum = *sum + x; }
#endif

#ifdef TARGET_EIGHTS
typedef num eight __attribute__((vector_size(8 * sizeof(num)), may_alias));
typedef num_bits eight_masks __attribute__((vector_size(8 * sizeof(num))));

FN eight eight_of(num x) {
    const eight zero = {0};
    return x - zero; // keeps -0
}
FN eight eight_sel(eight_masks m, eight a, eight b) { return (eight)((m & (eight_masks)a) | (~m & (eight_masks)b)); }
FN eight eight_max(eight a, eight b) { return (eight)TARGET_EIGHT_MAX(a, b); }
FN eight eight_sqrt(eight x) { return (eight)TARGET_EIGHT_SQRT(x); }
FN bool eight_any(eight_masks m) { return TARGET_EIGHT_BITS(m) != 0; }
FN eight eight_join(const four *at, int apart) {
    return __builtin_shufflevector(at[0], at[apart], 0, 1, 2, 3, 4, 5, 6, 7);
}
FN void eight_part(eight x, four *at, int apart) {
    at[0] = __builtin_shufflevector(x, x, 0, 1, 2, 3), at[apart] = __builtin_shufflevector(x, x, 4, 5, 6, 7);
}
// one four after the other
FN void eight_add(eight x, four *sum) {
    *sum = *sum + __builtin_shufflevector(x, x, 0, 1, 2, 3);
    *sum = *sum + __builtin_shufflevector(x, x, 4, 5, 6, 7);
}
#endif
