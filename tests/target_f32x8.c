// target_f32x8.c - every stage, 8 environments per vector in single precision; compiled, not run. lanes: 8
#define TX_F32
#define TX_LANES     8
#define TARGET_NAME  "f32x8"
#define TARGET_TABLE tx_target_f32x8
#include "step/target.inl"
