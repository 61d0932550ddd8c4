// linalg_w4.c - the factorisations at 4 lanes
#define TX_LANES    4
#define LINALG_NAME linalg_w4
#include "linalg_target.inl"
