// kernels_w4.c - the kernels at 4 lanes
#define TX_LANES     4
#define KERNELS_NAME kernels_w4
#include "kernels_target.inl"
