// tree.h - the sparsity of a tree's mass matrix.
#pragma once

/// Row k holds (k, k), then k's ancestors upwards: count[k] entries from first[k] on. A tree's dofs are neighbours.
typedef struct tx_tree {
    int n;
    const int *parent, *first, *count;
} tx_tree;
