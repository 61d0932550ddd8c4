// tree.h - the sparsity of a tree's mass matrix.
#pragma once
#include <stdbool.h>

/// Row k holds (k, k), then k's ancestors upwards: count[k] entries from first[k] on. A tree's dofs are neighbours.
typedef struct tx_tree {
    int n;
    const int *parent, *first, *count;
    const int *stop;   // of a tree that begins at k: its end
    const bool *trunk; // of a tree that begins at k: all its dofs hang from a chain of TX_TRUNK
} tx_tree;

enum { TX_TRUNK = 6 };

/// Finds the trees; stop and trunk have room for n.
static inline void tx_tree_scan(tx_tree *tree, int *stop, bool *trunk) {
    for (int start = 0, end; start < tree->n; start = end) {
        for (end = start + 1; end < tree->n && tree->parent[end] >= 0;) end++;
        bool chain = end - start >= TX_TRUNK && tree->count[start + TX_TRUNK - 1] == TX_TRUNK;
        for (int k = start + TX_TRUNK; k < end; k++) chain = chain && tree->parent[k] >= start + TX_TRUNK - 1;
        stop[start] = end;
        trunk[start] = chain;
    }
    tree->stop = stop, tree->trunk = trunk;
}
