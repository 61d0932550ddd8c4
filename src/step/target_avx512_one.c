// target_avx512_one.c - every stage, one environment, compiled for avx512. lanes: 1
#define TX_LANES 1
#define TARGET_NAME "avx512"
#define TARGET_TABLE tx_target_avx512_one
#include "step/target.inl"
