// target_scalar.c - every stage, one environment, compiled for scalar. lanes: 1
#define TX_LANES     1
#define TARGET_NAME  "scalar"
#define TARGET_TABLE tx_target_scalar
#include "step/target.inl"
