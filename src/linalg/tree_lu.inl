// tree_lu.inl - LU of a matrix with the sparsity of a tree's mass matrix but without its symmetry. lanes: any
//
// Entries (k, ancestor) stand in `low`, entries (ancestor, k) in `up`, both in row k of the mass matrix's layout; the
// diagonal is low's. Leaves are eliminated first, so nothing fills in. No pivoting: M - h D is close to M.
#pragma once
#include "lane/lane.h"
#include "linalg/tree.h"

// for dofs [begin, end), which no dof outside is coupled to; up becomes the multipliers
STAGE void tree_lu_factor(const tx_tree *tree, int begin, int end, real *low, real *up, real *inv) {
    for (int k = end - 1; k >= begin; k--) {
        real *lk = low + tree->first[k], *uk = up + tree->first[k];
        const int n = tree->count[k];
        inv[k] = R(1) / lk[0];
        int i = tree->parent[k];
        for (int s = 1; s < n; s++, i = tree->parent[i]) {
            // row i -= (a_ik / a_kk) row k over the ancestors j of i; column i likewise
            real *li = low + tree->first[i], *ui = up + tree->first[i];
            real t = uk[s] * inv[k], c = lk[s] * inv[k];
            for (int r = 0; r < n - s; r++) li[r] = li[r] - t * lk[s + r];
            for (int r = 1; r < n - s; r++) ui[r] = ui[r] - c * uk[s + r];
        }
        for (int s = 1; s < n; s++) uk[s] = uk[s] * inv[k];
    }
}

// x = A⁻¹ x
STAGE void tree_lu_solve(const tx_tree *tree, int begin, int end, const real *low, const real *up, const real *inv,
                         real *x) {
    for (int k = end - 1; k >= begin; k--) {
        const real *uk = up + tree->first[k];
        int i = tree->parent[k];
        for (int s = 1; s < tree->count[k]; s++, i = tree->parent[i]) x[i] = x[i] - uk[s] * x[k];
    }
    for (int k = begin; k < end; k++) {
        const real *lk = low + tree->first[k];
        real t = x[k];
        int i = tree->parent[k];
        for (int s = 1; s < tree->count[k]; s++, i = tree->parent[i]) t = t - lk[s] * x[i];
        x[k] = t * inv[k];
    }
}
