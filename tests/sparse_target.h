// sparse_target.h - the block-sparse factorisation, one table per instruction set (sparse_plain.c and its sibling)
#pragma once
#include "linalg/sparse.h"

typedef struct sparse_target {
    int (*factor)(const tx_sparse *s, const double *H, double *L, double *inv, int from, int to, int *work);
    int (*refactor)(const tx_sparse *s, const double *H, double *L, double *inv, int from, int to, int *stale,
                    int *panels_done, int *work);
    void (*solve)(const tx_sparse *s, const double *L, const double *inv, const int *first, double *x, int from,
                  int to);
} sparse_target;

extern const sparse_target sparse_plain, sparse_avx2;
