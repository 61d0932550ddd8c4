// sparse_avx2.c - the block-sparse factorisation compiled for wider vectors, where the machine has them
#define TX_LANES 1
#include "linalg/sparse.inl"
#include "sparse_target.h"

const sparse_target sparse_avx2 = {sparse_factor, sparse_refactor, sparse_solve};
