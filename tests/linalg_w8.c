// linalg_w8.c - the factorisations at 8 lanes
#define TX_LANES    8
#define LINALG_NAME linalg_w8
#include "linalg_target.inl"
