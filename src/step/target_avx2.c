// target_avx2.c - every stage, 4 environments per vector, compiled for avx2. lanes: 4
#define TX_LANES     4
#define TARGET_NAME  "avx2"
#define TARGET_TABLE tx_target_avx2
#ifdef __AVX2__ // tools/mutate has these lanes on the plainest instructions
#define TARGET_MASK_BITS(m)    __builtin_ia32_movmskpd256((real)(m))
#define TARGET_SELECT(m, a, b) __builtin_ia32_blendvpd256((b), (a), (real)(m))
#endif
#include "step/target.inl"
