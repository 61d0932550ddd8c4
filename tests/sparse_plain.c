// sparse_plain.c - the block-sparse factorisation in the compiler's own instruction set
#define TX_LANES 1
#include "linalg/sparse.inl"
#include "sparse_target.h"

const sparse_target sparse_plain = {sparse_factor, sparse_refactor, sparse_solve};
