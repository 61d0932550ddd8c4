// kernels_w1.c - the kernels at 1 lane
#define TX_LANES     1
#define KERNELS_NAME kernels_w1
#include "kernels_target.inl"
