// target_wide8_avx2.c - every stage, 8 environments per vector, two registers each. lanes: 8
#define TX_LANES     8
#define TARGET_NAME  "wide8 avx2"
#define TARGET_TABLE tx_target_wide8_avx2
#include "step/target.inl"
