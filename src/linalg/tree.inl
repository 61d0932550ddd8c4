// tree.inl - the mass matrix of a tree: M = Lᵀ D L without fill (Featherstone 2008, section 6.5). lanes: any
//
// Row k holds (k, k), then k's ancestors upwards. The ancestors of an ancestor are the tail of the same row, so every
// inner loop runs over neighbouring numbers. A dof and its parent are eliminated together where they are neighbours:
// their common ancestors are then read and written once, and each element still takes its subtractions in the same
// order.
#pragma once
#include "lane/row.h"
#include "linalg/tree.h"

// the parent of k is k - 1
FN bool tree_paired(const tx_tree *tree, int k) { return k > 0 && tree->parent[k] == k - 1; }

// ---- trees that hang from a chain of six, or of three --------------------------------------------------------------
//
// The chain (the trunk) is a free joint, the joints of a body in a plane, or the first joints of an arm. Every other
// row of such a tree ends with the same `width` columns, and the chain's own rows are one packed triangle: most of the
// work has loops of constant length.
#define TRUNK_ROW(i) ((i) * ((i) + 1) / 2)

// row k out of the rows of its ancestors; the last columns are the trunk's
FN void eliminate_branch(const tx_tree *tree, int width, int k, real *L, real *trunk, real inv) {
    real *row = L + tree->first[k], w[TX_TRUNK];
    const int own = tree->count[k] - width;
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) w[c] = row[own + c];
    int up = tree->parent[k];
    for (int s = 1; s < own; s++, up = tree->parent[up]) {
        real *above = L + tree->first[up], t = row[s] * inv;
        row_sub(above, t, row + s, own - s);
        row_sub(above + own - s, t, w, width);
        row[s] = t;
    }
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) {
        const real t = w[c] * inv;
        row_sub(trunk + TRUNK_ROW(width - 1 - c), t, w + c, width - c);
        row[own + c] = t;
    }
}

// y -= a x inside of the trunk; of one environment number by number: they stay in registers, where a vector that spans
// two others would wait for their stores
FN void sub_few(real *y, real a, const real *x, int n) {
#if TX_LANES == 1
    UNROLL_CONSTANT
    for (int k = 0; k < n; k++) y[k] = y[k] - a * x[k];
#else
    row_sub(y, a, x, n);
#endif
}

FN void factor_trunk(int width, real *trunk, real *inv) {
    UNROLL_CONSTANT
    for (int i = width - 1; i >= 0; i--) {
        real *row = trunk + TRUNK_ROW(i);
        inv[i] = R(1) / row[0];
        UNROLL_CONSTANT
        for (int s = 1; s <= i; s++) {
            const real t = row[s] * inv[i];
            sub_few(trunk + TRUNK_ROW(i - s), t, row + s, i - s + 1);
            row[s] = t;
        }
    }
}

// rows k and k - 1, its parent, together: each number above takes both subtractions at once
FN void eliminate_branches(const tx_tree *tree, int width, int k, real *L, real *trunk, real *inv) {
    real *below = L + tree->first[k] + 1, *row = L + tree->first[k - 1], both[2 * TX_TRUNK];
    real *w = both, *v = both + width; // the trunk's columns of the parent's row, and of the other
    const int own = tree->count[k - 1] - width;
    real t0 = below[0] * inv[k];
    row_sub(row, t0, below, own);
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) {
        v[c] = below[own + c];
        w[c] = row[own + c] - t0 * v[c];
    }
    below[0] = t0;
    real i1 = inv[k], i2 = inv[k - 1] = R(1) / row[0];
    int up = tree->parent[k - 1];
    for (int s = 1; s < own; s++, up = tree->parent[up]) {
        real *above = L + tree->first[up];
        const real t[2] = {below[s] * i1, row[s] * i2};
        row_sub2(above, t, below + s, below - row, own - s);
        row_sub2(above + own - s, t, v, width, width);
        below[s] = t[0];
        row[s] = t[1];
    }
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) {
        const real t[2] = {v[c] * i1, w[c] * i2};
        row_sub2(trunk + TRUNK_ROW(width - 1 - c), t, v + c, width, width - c);
        below[own + c] = t[0];
        row[own + c] = t[1];
    }
}

FN void factor_with_trunk(const tx_tree *tree, int width, int start, int stop, real *L, real *inv) {
    real trunk[TRUNK_ROW(TX_TRUNK)], *kept = L + tree->first[start];
    for (int i = 0; i < TRUNK_ROW(width); i++) trunk[i] = kept[i];
    for (int k = stop - 1; k >= start + width; k--) {
        inv[k] = R(1) / L[tree->first[k]];
        if (k > start + width && tree->parent[k] == k - 1) eliminate_branches(tree, width, k--, L, trunk, inv);
        else eliminate_branch(tree, width, k, L, trunk, inv[k]);
    }
    factor_trunk(width, trunk, inv + start);
    for (int i = 0; i < TRUNK_ROW(width); i++) kept[i] = trunk[i];
}

FN void solve_with_trunk(const tx_tree *tree, int width, int start, int stop, const real *L, const real *inv, real *x) {
    const real *trunk = L + tree->first[start];
    real y[TX_TRUNK]; // from the last of the trunk up, as rows have them
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) y[c] = x[start + width - 1 - c];
    for (int k = stop - 1; k >= start + width; k--) {
        const real *row = L + tree->first[k], xk = x[k];
        const int own = tree->count[k] - width;
        if (k > start + width && tree->parent[k] == k - 1) { // with its parent
            const real *above = L + tree->first[k - 1], xp = x[k - 1] - row[1] * xk, both[2] = {xk, xp};
            x[k - 1] = xp;
            int up = tree->parent[k - 1];
            for (int s = 1; s < own - 1; s++, up = tree->parent[up]) x[up] = (x[up] - row[1 + s] * xk) - above[s] * xp;
            row_sub2(y, both, row + own, row + 1 - above, width);
            k--;
            continue;
        }
        int up = tree->parent[k];
        for (int s = 1; s < own; s++, up = tree->parent[up]) x[up] = x[up] - row[s] * xk;
        row_sub(y, xk, row + own, width);
    }
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) {
        const int above = width - 1 - c;
        sub_few(y + c + 1, y[c], trunk + TRUNK_ROW(above) + 1, above);
    }
    UNROLL_CONSTANT
    for (int c = width - 1; c >= 0; c--) {
        const int above = width - 1 - c;
        real t = y[c] * inv[start + above];
        UNROLL_CONSTANT
        for (int s = above; s > 0; s--) t = t - trunk[TRUNK_ROW(above) + s] * y[c + s];
        x[start + above] = y[c] = t;
    }
    for (int k = start + width; k < stop; k++) {
        const real *row = L + tree->first[k];
        const int own = tree->count[k] - width;
        real t = x[k] * inv[k];
        UNROLL_CONSTANT
        for (int c = width - 1; c >= 0; c--) t = t - row[own + c] * y[c];
        int up = tree->parent[k];
        for (int s = 1; s < own; s++, up = tree->parent[up]) t = t - row[s] * x[up];
        x[k] = t;
    }
}

// ---- all others -----------------------------------------------------------------------------------------------------

STAGE void factor_branches(const tx_tree *tree, int begin, int end, real *L, real *inv) {
    for (int k = end - 1; k >= begin; k--) {
        real *row = L + tree->first[k];
        const int n = tree->count[k];
        inv[k] = R(1) / row[0];
        if (!tree_paired(tree, k)) {
            int up = tree->parent[k];
            for (int s = 1; s < n; s++, up = tree->parent[up]) {
                const real t = row[s] * inv[k];
                row_sub(L + tree->first[up], t, row + s, n - s);
                row[s] = t;
            }
            continue;
        }
        // k out of k - 1, then both out of all their ancestors
        real *below = row;
        row = L + tree->first[k - 1];
        real t0 = below[1] * inv[k];
        row_sub(row, t0, below + 1, n - 1);
        below[1] = t0;
        inv[k - 1] = R(1) / row[0];
        int up = tree->parent[k - 1];
        for (int s = 1; s < n - 1; s++, up = tree->parent[up]) {
            const real t[2] = {below[1 + s] * inv[k], row[s] * inv[k - 1]};
            row_sub2(L + tree->first[up], t, below + 1 + s, below + 1 - row, n - 1 - s);
            below[1 + s] = t[0];
            row[s] = t[1];
        }
        k--;
    }
}

STAGE void solve_branches(const tx_tree *tree, int begin, int end, const real *L, const real *inv, real *x) {
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

// ---- any of them ----------------------------------------------------------------------------------------------------

// L holds M on entry; on exit unit L off the diagonal and D on it; inv = 1 / D. For dofs [begin, end) of whole trees.
STAGE void tree_factor(const tx_tree *tree, int begin, int end, real *L, real *inv) {
    for (int start = begin, stop; start < end; start = stop) {
        stop = tree->stop[start];
        if (tree->trunk[start] == 6) factor_with_trunk(tree, 6, start, stop, L, inv);
        else if (tree->trunk[start] == 3) factor_with_trunk(tree, 3, start, stop, L, inv);
        else factor_branches(tree, start, stop, L, inv);
    }
}

// x = M⁻¹ x on dofs [begin, end)
STAGE void tree_solve(const tx_tree *tree, int begin, int end, const real *L, const real *inv, real *x) {
    for (int start = begin, stop; start < end; start = stop) {
        stop = tree->stop[start];
        if (tree->trunk[start] == 6) solve_with_trunk(tree, 6, start, stop, L, inv, x);
        else if (tree->trunk[start] == 3) solve_with_trunk(tree, 3, start, stop, L, inv, x);
        else solve_branches(tree, start, stop, L, inv, x);
    }
}

// rows [begin, end) of y = M x, and what they add to those of their ancestors
FN void mul_branches(const tx_tree *tree, int begin, int end, const real *M, const real *x, real *y) {
    for (int k = begin; k < end; k++) {
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

FN void mul_with_trunk(const tx_tree *tree, int width, int start, int stop, const real *M, const real *x, real *y) {
    const real *trunk = M + tree->first[start];
    real below[TX_TRUNK], sum[TX_TRUNK]; // from the last of the trunk up
    UNROLL_CONSTANT
    for (int c = 0; c < width; c++) below[c] = x[start + width - 1 - c], sum[c] = splat(0);
    UNROLL_CONSTANT
    for (int c = width - 1; c >= 0; c--, trunk += width - 1 - c) {
        real t = trunk[0] * below[c];
        UNROLL_CONSTANT
        for (int s = 1; s < width - c; s++) {
            t = t + trunk[s] * below[c + s];
            sum[c + s] = sum[c + s] + trunk[s] * below[c];
        }
        sum[c] = sum[c] + t;
    }
    for (int k = start + width; k < stop; k++) {
        const real *row = M + tree->first[k], xk = x[k];
        const int own = tree->count[k] - width;
        real t = row[0] * xk;
        int up = tree->parent[k];
        for (int s = 1; s < own; s++, up = tree->parent[up]) {
            t = t + row[s] * x[up];
            y[up] = y[up] + row[s] * xk;
        }
        UNROLL_CONSTANT
        for (int c = 0; c < width; c++) {
            t = t + row[own + c] * below[c];
            sum[c] = sum[c] + row[own + c] * xk;
        }
        y[k] = y[k] + t;
    }
    for (int c = 0; c < width; c++) y[start + width - 1 - c] = sum[c];
}

// y = M x on dofs [begin, end)
STAGE void tree_mul(const tx_tree *tree, int begin, int end, const real *M, const real *x, real *y) {
    row_zero(y + begin, end - begin);
    for (int start = begin, stop; start < end; start = stop) {
        stop = tree->stop[start];
        if (tree->trunk[start] == 6) mul_with_trunk(tree, 6, start, stop, M, x, y);
        else if (tree->trunk[start] == 3) mul_with_trunk(tree, 3, start, stop, M, x, y);
        else mul_branches(tree, start, stop, M, x, y);
    }
}
