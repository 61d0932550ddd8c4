// linalg_target.h - factorisations over lane arrays, one table per width (linalg_w1.c and its siblings)
#pragma once
#include "linalg/tree.h"

typedef struct linalg_target {
    const char *name;
    int lanes;
    // arrays are lane arrays: element i of lane e at i * lanes + e
    void (*tree_factor)(const tx_tree *tree, double *L, double *inv);
    void (*tree_solve)(const tx_tree *tree, const double *L, const double *inv, double *x);
    void (*tree_mul)(const tx_tree *tree, const double *M, const double *x, double *y);
} linalg_target;

extern const linalg_target linalg_w1, linalg_w4, linalg_w8;
