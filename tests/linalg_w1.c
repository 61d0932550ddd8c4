// linalg_w1.c - the factorisations at 1 lane
#define TX_LANES    1
#define LINALG_NAME linalg_w1
#include "linalg_target.inl"
