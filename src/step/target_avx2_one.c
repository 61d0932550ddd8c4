// target_avx2_one.c - every stage, one environment, in the instructions of avx2. lanes: 1
#define TX_LANES              1
#define TARGET_NAME           "avx2, one"
#define TARGET_TABLE          tx_target_avx2_one
#define TARGET_FOUR_BITS(m)   __builtin_ia32_movmskpd256((num4)(m))
#define TARGET_FOUR_SQRT(x)   __builtin_ia32_sqrtpd256(x)
#define TARGET_FOUR_MAX(a, b) __builtin_ia32_maxpd256(a, b)
#include "step/target.inl"
