// tree.h - the sparsity of a tree's mass matrix.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Row k holds (k, k), then k's ancestors upwards: count[k] entries from first[k] on. A tree's dofs are neighbours.
typedef struct tx_tree {
    int n;
    const int *parent, *first, *count;
    const int *stop;      // of a tree that begins at k: its end
    const uint8_t *trunk; // of a tree that begins at k: all its dofs hang from a chain of 6, or of 3, dofs; 0: neither
} tx_tree;

enum { TX_TRUNK = 6 }; // the longest

/// Whether a tree's first dofs are a chain from which all others hang.
static inline bool tx_tree_hangs(const tx_tree *tree, int start, int end, int length) {
    bool chain = end - start >= length && tree->count[start + length - 1] == length;
    for (int k = start + length; k < end; k++) chain = chain && tree->parent[k] >= start + length - 1;
    return chain;
}

/// Finds the trees; stop and trunk have room for n.
static inline void tx_tree_scan(tx_tree *tree, int *stop, uint8_t *trunk) {
    for (int start = 0, end; start < tree->n; start = end) {
        for (end = start + 1; end < tree->n && tree->parent[end] >= 0;) end++;
        stop[start] = end;
        trunk[start] = tx_tree_hangs(tree, start, end, 6) ? 6 : tx_tree_hangs(tree, start, end, 3) ? 3 : 0;
    }
    tree->stop = stop, tree->trunk = trunk;
}
