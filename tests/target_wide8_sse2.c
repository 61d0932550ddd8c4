// target_wide8_sse2.c - every stage, 8 environments per vector, on the plainest instructions. lanes: 8
#define TX_LANES     8
#define TARGET_NAME  "wide8 sse2"
#define TARGET_TABLE tx_target_wide8_sse2
#include "step/target.inl"
