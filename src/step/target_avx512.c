// target_avx512.c - every stage, 8 environments per vector, compiled for avx512. lanes: 8
#define TX_LANES     8
#define TARGET_NAME  "avx512"
#define TARGET_TABLE tx_target_avx512
#ifdef __AVX512DQ__
typedef long long eight_masks __attribute__((vector_size(64)));
#define TARGET_MASK_BITS(m) __builtin_ia32_cvtq2mask512((eight_masks)(m))
#endif
#include "step/target.inl"
