// kernels_w8.c - the kernels at 8 lanes
#define TX_LANES     8
#define KERNELS_NAME kernels_w8
#include "kernels_target.inl"
