// hessian_dense.inl - H = A + Jᵀ G J of a small problem, its factor and H⁻¹ b: dense storage, leaves first.
// docs/newton.md. lanes: any
//
// Row k of H holds its columns up to k. Eliminating the last dof first gives H = Lᵀ D L, and a tree without contacts
// fills nothing in. `columns` has one bit for every entry that can differ from zero in some lane; in the other lanes
// such an entry is zero, and what it adds is zero.
#pragma once
#include "solver/weigh.inl"

enum { SMALL_DOFS = 64 };

// neighbouring columns of a row
typedef struct column_run {
    int begin, end;
} column_run;

FN int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
FN int highest_bit(uint64_t bits) { return 63 - __builtin_clzll(bits); }
FN uint64_t bits_below(int k) { return k >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << k) - 1; }

// the runs of a set of columns, ascending; returns how many
FN int runs_of(uint64_t bits, column_run *runs) {
    int count = 0;
    while (bits) {
        int begin = lowest_bit(bits);
        uint64_t gap = ~(bits >> begin);
        int end = gap ? begin + lowest_bit(gap) : 64;
        if (end > 64) end = 64;
        runs[count++] = (column_run){begin, end};
        bits &= ~bits_below(end);
    }
    return count;
}

// the dofs of a dof's tree
FN uint64_t tree_bits(const tx_problem *p, int d) {
    const int begin = tree_root(p, p->dof_block[d]);
    return bits_below(p->tree.stop[begin]) & ~bits_below(begin);
}

// the pattern of the factor: A, a clique for every constraint (trees: for the dofs of each tree), and what elimination
// fills in
STAGE void dense_pattern(const tx_problem *p, bool trees) {
    uint64_t *columns = p->columns;
    for (int d = 0; d < p->nv; d++) columns[d] = p->A_columns[d];
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        uint64_t touched = 0;
        for (int k = c->piece; k < c->piece + c->pieces; k++)
            touched |= bits_below(p->pieces[k].width) << p->pieces[k].dof;
        for (uint64_t left = touched; left; left &= left - 1) {
            int d = lowest_bit(left);
            columns[d] |= touched & bits_below(d + 1) & (trees ? tree_bits(p, d) : ~(uint64_t)0);
        }
    }
    for (int k = p->nv - 1; k > 0; k--) {
        uint64_t above = columns[k] & bits_below(k);
        if (above) columns[highest_bit(above)] |= above;
    }
}

// H (rows of piece a, columns of piece b) += Jaᵀ T, T = G Jb; of a piece with itself the lower triangle
FN void add_pair(int n, int dim, int wa, int wb, const real *Ja, const real *T, real *H, bool same) {
    for (int i = 0; i < wa; i++) {
        real *row = H + i * n;
        const int end = same ? i + 1 : wb;
        if (dim == 3) row_add3(row, Ja[i], Ja[wa + i], Ja[2 * wa + i], T, wb, end);
        else
            for (int r = 0; r < dim; r++) row_add(row, Ja[r * wa + i], T + r * wb, end);
    }
}

// H += Jᵀ G J of one constraint; trees: what couples dofs of the same tree
FN void add_constraint(const tx_problem *p, const tx_constraint *c, bool trees, const real *G, real *H) {
    const int n = p->nv, dim = c->dim;
    real T[6 * TX_BLOCK_WIDTH];
    for (int kb = c->piece; kb < c->piece + c->pieces; kb++) {
        const tx_piece *b = &p->pieces[kb];
        const real *Jb = &AT(p->J, b->at);
        const bool regular = dim == 3 && b->width == 6;
        if (regular) weigh_piece(3, 6, G, Jb, T);
        else weigh_piece(dim, b->width, G, Jb, T);
        for (int ka = kb; ka < c->piece + c->pieces; ka++) {
            const tx_piece *a = &p->pieces[ka];
            if (trees && !same_tree(p, a, b)) continue;
            const real *Ja = &AT(p->J, a->at);
            real *to = H + (size_t)a->dof * (size_t)n + b->dof;
            if (regular && a->width == 6) add_pair(n, 3, 6, 6, Ja, T, to, ka == kb);
            else add_pair(n, dim, a->width, b->width, Ja, T, to, ka == kb);
        }
    }
}

// H at y; trees: its part inside each tree, and every G is kept
STAGE void dense_assemble(const tx_problem *p, bool trees) {
    const int n = p->nv;
    real *H = ARRAY(p->H);
    for (int k = 0; k < n; k++) {
        real *row = H + k * n;
        for (int j = lowest_bit(p->columns[k]); j <= k; j++) row[j] = splat(0);
        // + 0: no entry is -0
        const real *A = &AT(p->A, p->tree.first[k]);
        for (int s = 0, up = k; s < p->tree.count[k]; s++, up = p->tree.parent[up]) row[up] = A[s] + R(0);
    }
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        real own[36], *G = trees ? kept_hessian(p, c) : own;
        if (constraint_hessian(p, p->list[v], G)) add_constraint(p, c, trees, G, H);
    }
}

// H = Lᵀ D L in place: unit L below the diagonal, inverse D in Hinv; returns where all pivots are positive
STAGE mask dense_factor(const tx_problem *p) {
    const int n = p->nv;
    real *H = ARRAY(p->H), *inv = ARRAY(p->Hinv);
    mask definite = lane_true();
    for (int k = n - 1; k >= 0; k--) {
        real *row = H + k * n, pivot = row[k];
        mask positive = pivot > R(0);
        definite = definite & positive;
        real over = R(1) / sel(positive, pivot, splat(1));
        inv[k] = over;
        column_run runs[SMALL_DOFS / 2 + 1];
        const int count = runs_of(p->columns[k] & bits_below(k), runs);
        for (int a = count - 1; a >= 0; a--)
            for (int j = runs[a].end - 1; j >= runs[a].begin; j--) {
                real t = row[j] * over, *above = H + j * n;
                for (int b = 0; b < a; b++)
                    row_sub(above + runs[b].begin, t, row + runs[b].begin, runs[b].end - runs[b].begin);
                row_sub(above + runs[a].begin, t, row + runs[a].begin, j + 1 - runs[a].begin);
                row[j] = t;
            }
    }
    return definite;
}

// x = H⁻¹ x
STAGE void dense_solve(const tx_problem *p, real *x) {
    const int n = p->nv;
    const real *H = ARRAY(p->H), *inv = ARRAY(p->Hinv);
    column_run runs[SMALL_DOFS / 2 + 1];
    for (int k = n - 1; k >= 0; k--) {
        const real *row = H + k * n, t = x[k];
        const int count = runs_of(p->columns[k] & bits_below(k), runs);
        for (int a = 0; a < count; a++) row_sub(x + runs[a].begin, t, row + runs[a].begin, runs[a].end - runs[a].begin);
    }
    for (int k = 0; k < n; k++) {
        const real *row = H + k * n;
        real t = x[k] * inv[k];
        const int count = runs_of(p->columns[k] & bits_below(k), runs);
        for (int a = 0; a < count; a++)
            for (int j = runs[a].begin; j < runs[a].end; j++) t = t - row[j] * x[j];
        x[k] = t;
    }
}
