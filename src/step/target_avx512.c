// target_avx512.c - every stage, 8 environments per vector, compiled for avx512. lanes: 8
#define TX_LANES     8
#define TARGET_NAME  "avx512"
#define TARGET_TABLE tx_target_avx512
#include "step/target.inl"
