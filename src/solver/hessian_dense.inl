// hessian_dense.inl - H = A + Jᵀ G J of a small problem, its factor and H⁻¹ b: dense storage, leaves first.
// docs/newton.md. lanes: any
//
// Row k of H holds its columns up to k. Eliminating the last dof first gives H = Lᵀ D L, and a tree without contacts
// fills nothing in. `columns` has one bit for every entry that can differ from zero in some lane; in the other lanes
// such an entry is zero, and what it adds is zero.
#pragma once
#include <string.h>

#include "solver/weigh.inl"

FN int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
FN int highest_bit(uint64_t bits) { return 63 - __builtin_clzll(bits); }
FN uint64_t bits_below(int k) { return k >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << k) - 1; }

// the runs of a set of columns, ascending; returns how many
FN int runs_of(uint64_t bits, tx_column_run *runs) {
    int count = 0;
    while (bits) {
        int begin = lowest_bit(bits);
        uint64_t gap = ~(bits >> begin);
        int end = gap ? begin + lowest_bit(gap) : 64;
        if (end > 64) end = 64;
        runs[count++] = (tx_column_run){(uint8_t)begin, (uint8_t)end};
        bits &= ~bits_below(end);
    }
    return count;
}

// the dofs of a dof's tree
FN uint64_t tree_bits(const tx_problem *p, int d) {
    const int begin = tree_root(p, p->dof_block[d]);
    return bits_below(p->tree.stop[begin]) & ~bits_below(begin);
}

// row k - 1 goes on as row k does: they are eliminated together
FN bool alike(const uint64_t *columns, int k) {
    return k > 0 && (columns[k] >> (k - 1) & 1) && ((columns[k] ^ columns[k - 1]) & bits_below(k - 1)) == 0;
}

enum { NODE = 4 }; // rows that are eliminated together, at most

// most patterns are those of the last solve
STAGE void list_rows(const tx_problem *p) {
    tx_dense_rows *rows = p->rows;
    int at = 0;
    if (memcmp(rows->columns, p->columns, sizeof *p->columns * (size_t)p->nv) == 0) return;
    memcpy(rows->columns, p->columns, sizeof *p->columns * (size_t)p->nv);
    for (int k = 0; k < p->nv; k++) {
        rows->first[k] = (uint16_t)at;
        at += runs_of(p->columns[k] & bits_below(k), rows->run + at);
    }
    rows->first[p->nv] = (uint16_t)at;
    for (int k = 0; k < p->nv; k++) {
        int size = 1;
        while (size < NODE && alike(p->columns, k - size + 1)) size++;
        rows->node[k] = (uint8_t)size;
    }
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
        // dofs above each other: A has them already
        if ((touched & ~p->A_columns[highest_bit(touched | 1)]) == 0) continue;
        for (uint64_t left = touched; left; left &= left - 1) {
            int d = lowest_bit(left);
            columns[d] |= touched & bits_below(d + 1) & (trees ? tree_bits(p, d) : ~(uint64_t)0);
        }
    }
    for (int k = p->nv - 1; k > 0; k--) {
        uint64_t above = columns[k] & bits_below(k);
        if (above) columns[highest_bit(above)] |= above;
    }
    list_rows(p);
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

// what a piece b of a constraint couples with itself and those after it, with constant sizes or any
FN void add_column(const tx_problem *p, const tx_constraint *c, int kb, int dim, int width, bool trees, const real *G,
                   real *H) {
    const int n = p->nv;
    const tx_piece *b = &p->pieces[kb];
    const real *Jb = &AT(p->J, b->at);
    real T[6 * TX_BLOCK_WIDTH];
    weigh_piece(dim, width, G, Jb, T);
    add_pair(n, dim, width, width, Jb, T, H + b->dof * n + b->dof, true);
    for (int ka = kb + 1; ka < c->piece + c->pieces; ka++) {
        const tx_piece *a = &p->pieces[ka];
        if (trees && !same_tree(p, a, b)) continue;
        const real *Ja = &AT(p->J, a->at);
        real *to = H + a->dof * n + b->dof;
        if (dim == 3 && width == 6 && a->width == 6) add_pair(n, 3, 6, 6, Ja, T, to, false);
        else add_pair(n, dim, a->width, width, Ja, T, to, false);
    }
}

// H += Jᵀ G J of one constraint; trees: what couples dofs of the same tree
FN void add_constraint(const tx_problem *p, const tx_constraint *c, bool trees, const real *G, real *H) {
    for (int kb = c->piece; kb < c->piece + c->pieces; kb++) {
        const int width = p->pieces[kb].width;
        if (c->dim == 3 && width == 6) add_column(p, c, kb, 3, 6, trees, G, H);
        else if (c->dim == 3 && width == 3) add_column(p, c, kb, 3, 3, trees, G, H);
        else if (c->dim == 3) add_column(p, c, kb, 3, width, trees, G, H);
        else if (c->dim == 1) add_column(p, c, kb, 1, width, trees, G, H);
        else add_column(p, c, kb, c->dim, width, trees, G, H);
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

// y -= t₀ x₀, then t₁ x₁ …: `size` rows, each n numbers before the last
FN void rows_sub(int size, real *y, const real *t, const real *x, int n, int count) {
    if (size == 4) row_sub4(y, t, x, n, count);
    else if (size == 3) row_sub3(y, t, x, n, count);
    else if (size == 2) row_sub2(y, t, x, n, count);
    else row_sub(y, t[0], x, count);
}

// pivots k … k - size + 1, and what they do to each other's rows; returns where all are positive
FN mask factor_node(const tx_problem *p, int k, int size, const tx_column_run *runs, int count) {
    const int n = p->nv, last = k - size + 1;
    real *H = ARRAY(p->H);
    mask definite = lane_true();
    for (int i = k; i >= last; i--) {
        real *row = H + i * n, pivot = row[i];
        const mask positive = pivot > R(0);
        definite = definite & positive;
        const real over = R(1) / sel(positive, pivot, splat(1));
        AT(p->Hinv, i) = over;
        for (int j = i - 1; j >= last; j--) {
            const real t = row[j] * over;
            for (int b = 0; b < count; b++)
                row_sub(H + j * n + runs[b].begin, t, row + runs[b].begin, runs[b].end - runs[b].begin);
            row_sub(H + j * n + last, t, row + last, j + 1 - last);
            row[j] = t;
        }
    }
    return definite;
}

// H = Lᵀ D L in place: unit L below the diagonal, inverse D in Hinv; returns where all pivots are positive. Every
// number takes its subtractions one at a time, later rows first, however many rows are eliminated together
FN mask factor_from(const tx_problem *p, int k, int size) {
    const int n = p->nv, last = k - size + 1, count = p->rows->first[last + 1] - p->rows->first[last];
    const tx_column_run *runs = p->rows->run + p->rows->first[last];
    real *H = ARRAY(p->H), *row = H + k * n;
    const mask definite = factor_node(p, k, size, runs, count);
    for (int a = count - 1; a >= 0; a--)
        for (int j = runs[a].end - 1; j >= runs[a].begin; j--) {
            real t[NODE], *above = H + j * n;
            for (int i = 0; i < size; i++) t[i] = row[j - i * n] * AT(p->Hinv, k - i);
            for (int b = 0; b < a; b++)
                rows_sub(size, above + runs[b].begin, t, row + runs[b].begin, n, runs[b].end - runs[b].begin);
            rows_sub(size, above + runs[a].begin, t, row + runs[a].begin, n, j + 1 - runs[a].begin);
            for (int i = 0; i < size; i++) row[j - i * n] = t[i];
        }
    return definite;
}

STAGE mask dense_factor(const tx_problem *p) {
    mask definite = lane_true();
    for (int k = p->nv - 1, size; k >= 0; k -= size) {
        size = p->rows->node[k];
        switch (size) {
        case 4: definite = definite & factor_from(p, k, 4); break;
        case 3: definite = definite & factor_from(p, k, 3); break;
        case 2: definite = definite & factor_from(p, k, 2); break;
        default: definite = definite & factor_from(p, k, 1);
        }
    }
    return definite;
}

// what rows k … k - size + 1 take from the numbers before them
FN void solve_down(const tx_problem *p, int k, int size, real *x) {
    const int n = p->nv, last = k - size + 1;
    const real *row = ARRAY(p->H) + k * n;
    real t[NODE];
    for (int i = 0; i < size; i++) {
        t[i] = x[k - i];
        for (int j = last; j < k - i; j++) x[j] = x[j] - t[i] * row[j - i * n];
    }
    for (int r = p->rows->first[last]; r < p->rows->first[last + 1]; r++) {
        const tx_column_run run = p->rows->run[r];
        rows_sub(size, x + run.begin, t, row + run.begin, n, run.end - run.begin);
    }
}

FN void solve_up(const tx_problem *p, int k, int size, real *x) {
    const int n = p->nv, last = k - size + 1;
    const real *row = ARRAY(p->H) + k * n;
    real t[NODE];
    for (int i = 0; i < size; i++) t[i] = x[k - i] * AT(p->Hinv, k - i);
    for (int r = p->rows->first[last]; r < p->rows->first[last + 1]; r++)
        for (int j = p->rows->run[r].begin; j < p->rows->run[r].end; j++)
            for (int i = 0; i < size; i++) t[i] = t[i] - row[j - i * n] * x[j];
    for (int i = size - 1; i >= 0; i--) {
        for (int j = last; j < k - i; j++) t[i] = t[i] - row[j - i * n] * x[j];
        x[k - i] = t[i];
    }
}

// x = H⁻¹ x
STAGE void dense_solve(const tx_problem *p, real *x) {
    uint8_t ends[TX_DENSE_DOFS];
    int nodes = 0;
    for (int k = p->nv - 1, size; k >= 0; k -= size) {
        size = p->rows->node[k];
        ends[nodes++] = (uint8_t)k;
        switch (size) {
        case 4: solve_down(p, k, 4, x); break;
        case 3: solve_down(p, k, 3, x); break;
        case 2: solve_down(p, k, 2, x); break;
        default: solve_down(p, k, 1, x);
        }
    }
    while (nodes-- > 0) switch (p->rows->node[ends[nodes]]) {
        case 4: solve_up(p, ends[nodes], 4, x); break;
        case 3: solve_up(p, ends[nodes], 3, x); break;
        case 2: solve_up(p, ends[nodes], 2, x); break;
        default: solve_up(p, ends[nodes], 1, x);
        }
}
