// tree.inl - the mass matrix of a tree: M = Lᵀ D L without fill (Featherstone 2008, section 6.5). lanes: any
//
// Row k holds (k, k), then k's ancestors upwards. The ancestors of an ancestor are the tail of the same row, so every
// inner loop runs over neighbouring numbers. A dof and its parent are eliminated together where they are neighbours:
// their common ancestors are then read and written once, and each element still takes its subtractions in the same
// order.
#pragma once
#include "lane/lane.h"
#include "linalg/tree.h"

// the parent of k is k - 1
FN bool tree_paired(const tx_tree *tree, int k) { return k > 0 && tree->parent[k] == k - 1; }

// L holds M on entry; on exit unit L off the diagonal and D on it; inv = 1 / D. For dofs [begin, end) of whole trees.
STAGE void tree_factor(const tx_tree *tree, int begin, int end, real *L, real *inv) {
    for (int k = end - 1; k >= begin; k--) {
        real *row = L + tree->first[k];
        const int n = tree->count[k];
        inv[k] = R(1) / row[0];
        if (!tree_paired(tree, k)) {
            int up = tree->parent[k];
            for (int s = 1; s < n; s++, up = tree->parent[up]) {
                real *above = L + tree->first[up];
                real t = row[s] * inv[k];
                for (int r = 0; r < n - s; r++) above[r] = above[r] - t * row[s + r];
                row[s] = t;
            }
            continue;
        }
        // k out of k - 1, then both out of all their ancestors
        real *below = row;
        row = L + tree->first[k - 1];
        real t0 = below[1] * inv[k];
        for (int r = 0; r < n - 1; r++) row[r] = row[r] - t0 * below[1 + r];
        below[1] = t0;
        inv[k - 1] = R(1) / row[0];
        int up = tree->parent[k - 1];
        for (int s = 1; s < n - 1; s++, up = tree->parent[up]) {
            real *above = L + tree->first[up];
            real t1 = below[1 + s] * inv[k], t2 = row[s] * inv[k - 1];
            for (int r = 0; r < n - 1 - s; r++) above[r] = (above[r] - t1 * below[1 + s + r]) - t2 * row[s + r];
            below[1 + s] = t1;
            row[s] = t2;
        }
        k--;
    }
}

// x = M⁻¹ x on dofs [begin, end)
STAGE void tree_solve(const tx_tree *tree, int begin, int end, const real *L, const real *inv, real *x) {
    // x = L⁻ᵀ x, leaves first
    for (int k = end - 1; k >= begin; k--) {
        const real *row = L + tree->first[k];
        const int n = tree->count[k];
        real xk = x[k];
        if (!tree_paired(tree, k)) {
            int up = tree->parent[k];
            for (int s = 1; s < n; s++, up = tree->parent[up]) x[up] = x[up] - row[s] * xk;
            continue;
        }
        const real *above = L + tree->first[k - 1];
        real xp = x[k - 1] - row[1] * xk;
        x[k - 1] = xp;
        int up = tree->parent[k - 1];
        for (int s = 1; s < n - 1; s++, up = tree->parent[up]) x[up] = (x[up] - row[1 + s] * xk) - above[s] * xp;
        k--;
    }
    // x = L⁻¹ D⁻¹ x, root first; the parent's term comes last, so that a pair shares one walk
    for (int k = begin; k < end; k++) {
        const real *row = L + tree->first[k];
        const int n = tree->count[k];
        real t = x[k] * inv[k];
        int up = tree->parent[k];
        if (k + 1 < end && tree->parent[k + 1] == k) {
            const real *below = L + tree->first[k + 1];
            real u = x[k + 1] * inv[k + 1];
            if (n > 1) {
                int first = up;
                up = tree->parent[up];
                u = u - below[2] * x[first];
                for (int s = 2; s < n; s++, up = tree->parent[up]) {
                    t = t - row[s] * x[up];
                    u = u - below[1 + s] * x[up];
                }
                t = t - row[1] * x[first];
            }
            x[k] = t;
            x[k + 1] = u - below[1] * t;
            k++;
            continue;
        }
        if (n > 1) {
            int first = up;
            up = tree->parent[up];
            for (int s = 2; s < n; s++, up = tree->parent[up]) t = t - row[s] * x[up];
            t = t - row[1] * x[first];
        }
        x[k] = t;
    }
}

// y = M x
STAGE void tree_mul(const tx_tree *tree, const real *M, const real *x, real *y) {
    for (int k = 0; k < tree->n; k++) y[k] = splat(0);
    for (int k = 0; k < tree->n; k++) {
        const real *row = M + tree->first[k];
        real t = row[0] * x[k];
        int up = tree->parent[k];
        for (int s = 1; s < tree->count[k]; s++, up = tree->parent[up]) {
            t = t + row[s] * x[up];
            y[up] = y[up] + row[s] * x[k];
        }
        y[k] = y[k] + t;
    }
}
