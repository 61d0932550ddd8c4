// tree.inl - the mass matrix of a tree: M = Lᵀ D L without fill (Featherstone 2008, section 6.5). lanes: any
//
// Row k holds (k, k), then k's ancestors upwards. The ancestors of an ancestor are the tail of the same row, so every
// inner loop runs over neighbouring numbers.
#pragma once
#include "lane/lane.h"
#include "model/block.h"

// L holds M on entry; on exit unit L off the diagonal and D on it; inv = 1 / D
STAGE void tree_factor(const tx_model *m, real *L, real *inv) {
    for (int k = m->nv - 1; k >= 0; k--) {
        real *row = L + m->dof_madr[k];
        inv[k] = R(1) / row[0];
        int ancestor = m->dof_parent[k];
        for (int s = 1; s < m->dof_mnum[k]; s++, ancestor = m->dof_parent[ancestor]) {
            real *above = L + m->dof_madr[ancestor];
            real t = row[s] * inv[k];
            for (int r = 0; r < m->dof_mnum[ancestor]; r++) above[r] = above[r] - t * row[s + r];
            row[s] = t;
        }
    }
}

// x = M⁻¹ x
STAGE void tree_solve(const tx_model *m, const real *L, const real *inv, real *x) {
    for (int k = m->nv - 1; k >= 0; k--) {
        const real *row = L + m->dof_madr[k];
        int ancestor = m->dof_parent[k];
        for (int s = 1; s < m->dof_mnum[k]; s++, ancestor = m->dof_parent[ancestor]) x[ancestor] = x[ancestor] - row[s] * x[k];
    }
    for (int k = 0; k < m->nv; k++) {
        const real *row = L + m->dof_madr[k];
        // two sums, so that one addition need not wait for the other
        real even = x[k] * inv[k], odd = splat(0);
        int ancestor = m->dof_parent[k], s = 1;
        for (; s + 1 < m->dof_mnum[k]; s += 2) {
            int next = m->dof_parent[ancestor];
            even = even - row[s] * x[ancestor];
            odd = odd - row[s + 1] * x[next];
            ancestor = m->dof_parent[next];
        }
        if (s < m->dof_mnum[k]) even = even - row[s] * x[ancestor];
        x[k] = even + odd;
    }
}

// y = M x
STAGE void tree_mul(const tx_model *m, const real *M, const real *x, real *y) {
    for (int k = 0; k < m->nv; k++) y[k] = splat(0);
    for (int k = 0; k < m->nv; k++) {
        const real *row = M + m->dof_madr[k];
        real t = row[0] * x[k];
        int ancestor = m->dof_parent[k];
        for (int s = 1; s < m->dof_mnum[k]; s++, ancestor = m->dof_parent[ancestor]) {
            t = t + row[s] * x[ancestor];
            y[ancestor] = y[ancestor] + row[s] * x[k];
        }
        y[k] = y[k] + t;
    }
}
