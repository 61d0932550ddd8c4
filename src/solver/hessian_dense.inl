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

// A's row of a dof k of a tree that hangs from `trunk` dofs (0: any) beginning at `start`. + 0: no entry is -0
FN void copy_row(const tx_tree *tree, const real *A, int trunk, int start, int k, real *row) {
    const int own = k < start + trunk ? tree->count[k] : tree->count[k] - trunk;
    A += tree->first[k];
    for (int s = 0, up = k; s < own; s++, up = tree->parent[up]) row[up] = A[s] + R(0);
    if (k < start + trunk) return;
    UNROLL_CONSTANT
    for (int c = 0; c < trunk; c++) row[start + trunk - 1 - c] = A[own + c] + R(0);
}

// H = A, and zero where it has entries beside
FN void begin_hessian(const tx_problem *p, real *H) {
    const tx_tree *tree = &p->tree;
    for (int start = 0; start < p->nv; start = tree->stop[start])
        for (int k = start; k < tree->stop[start]; k++) {
            real *row = H + k * p->nv;
            for (uint64_t fill = p->columns[k] & ~p->A_columns[k]; fill; fill &= fill - 1)
                row[lowest_bit(fill)] = splat(0);
            if (tree->trunk[start] == 6) copy_row(tree, ARRAY(p->A), 6, start, k, row);
            else if (tree->trunk[start] == 3) copy_row(tree, ARRAY(p->A), 3, start, k, row);
            else copy_row(tree, ARRAY(p->A), 0, start, k, row);
        }
}

// H at y; trees: its part inside each tree, and every G is kept
STAGE void dense_assemble(const tx_problem *p, bool trees, arrival came) {
    real *H = ARRAY(p->H);
    begin_hessian(p, H);
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        real own[36], *G = trees ? kept_hessian(p, c) : own;
        if (constraint_hessian(p, p->list[v], came, G)) add_constraint(p, c, trees, G, H);
    }
}

// y -= t₀ x₀, then t₁ x₁ …: `size` rows, each n numbers before the last
FN void rows_sub(int size, real *y, const real *t, const real *x, ptrdiff_t n, int count) {
    if (size == 4) row_sub4(y, t, x, n, count);
    else if (size == 3) row_sub3(y, t, x, n, count);
    else if (size == 2) row_sub2(y, t, x, n, count);
    else row_sub(y, t[0], x, count);
}

// Rows that are eliminated together, and the columns before them. Most have one run of two, three or six columns, the
// dofs that their tree hangs from: sizes are constants then, so that the loops over them unroll. Nine, a free joint and
// a waist of three, are for one environment: lanes have too few registers for them.
enum { WIDE = TX_LANES == 1 };
typedef struct node {
    real *rows;  // the first of them
    ptrdiff_t n; // numbers from row to row
    int first, size;
    const tx_column_run *runs;
    int count, width; // width: of the only run, 0: any
} node;

FN int run_begin(const node *d, int r) { return d->runs[r].begin; }
FN int run_width(const node *d, int r) { return d->width ? d->width : d->runs[r].end - d->runs[r].begin; }
FN int run_count(const node *d) { return d->width ? 1 : d->count; }
// row i of the node, 0 the first
FN real *row_of(const node *d, int i) { return d->rows + i * d->n; }

FN node node_at(const tx_problem *p, int k) {
    const int size = p->rows->node[k], first = k - size + 1, from = p->rows->first[first];
    node d = {ARRAY(p->H) + (ptrdiff_t)first * p->nv, p->nv, first, size, p->rows->run + from,
              p->rows->first[first + 1] - from,       0};
    const int width = d.count == 1 ? d.runs[0].end - d.runs[0].begin : 0;
    d.width = width == 2 || width == 3 || width == 6 || (WIDE && width == 9) ? width : 0;
    return d;
}

// the same node with sizes that the compiler knows
FN node with_sizes(node d, int size, int count, int width) {
    d.size = size, d.count = count, d.width = width;
    return d;
}

// work(d, other) with the sizes of a node as constants
#define WITH_WIDTH(d, rows_, work, other)                               \
    ((d).width == 2           ? work(with_sizes(d, rows_, 1, 2), other) \
     : (d).width == 3         ? work(with_sizes(d, rows_, 1, 3), other) \
     : (d).width == 6         ? work(with_sizes(d, rows_, 1, 6), other) \
     : WIDE && (d).width == 9 ? work(with_sizes(d, rows_, 1, 9), other) \
                              : work(with_sizes(d, rows_, (d).count, 0), other))
#define WITH_SIZES(d, work, other)                   \
    ((d).size == 4   ? WITH_WIDTH(d, 4, work, other) \
     : (d).size == 3 ? WITH_WIDTH(d, 3, work, other) \
     : (d).size == 2 ? WITH_WIDTH(d, 2, work, other) \
                     : WITH_WIDTH(d, 1, work, other))

// pivots of a node from its last row on, and what they do to each other's rows; returns where all are positive
FN mask factor_pivots(const node *d, real *Hinv) {
    mask definite = lane_true();
    UNROLL_CONSTANT
    for (int i = d->size - 1; i >= 0; i--) {
        real *row = row_of(d, i), *own = row + d->first;
        const mask positive = own[i] > R(0);
        definite = definite & positive;
        const real over = R(1) / sel(positive, own[i], splat(1));
        Hinv[d->first + i] = over;
        UNROLL_CONSTANT
        for (int j = i - 1; j >= 0; j--) {
            const real t = own[j] * over;
            real *above = row_of(d, j);
            for (int r = 0; r < run_count(d); r++)
                row_sub(above + run_begin(d, r), t, row + run_begin(d, r), run_width(d, r));
            row_sub(above + d->first, t, own, j + 1);
            own[j] = t;
        }
    }
    return definite;
}

// H = Lᵀ D L in place: unit L below the diagonal, inverse D in Hinv; returns where all pivots are positive. Every
// number takes its subtractions one at a time, later rows first, however many rows are eliminated together
FN mask factor_node(const node it, real *Hinv) {
    const node *d = &it;
    const mask definite = factor_pivots(d, Hinv);
    real *last = row_of(d, d->size - 1);
    for (int a = run_count(d) - 1; a >= 0; a--) {
        UNROLL_CONSTANT
        for (int j = run_width(d, a) - 1; j >= 0; j--) {
            const int column = run_begin(d, a) + j;
            real t[NODE], *above = d->rows + (column - d->first) * d->n;
            UNROLL_CONSTANT
            for (int i = 0; i < d->size; i++) t[i] = last[column - i * d->n] * Hinv[d->first + d->size - 1 - i];
            for (int b = 0; b < a; b++)
                rows_sub(d->size, above + run_begin(d, b), t, last + run_begin(d, b), d->n, run_width(d, b));
            rows_sub(d->size, above + run_begin(d, a), t, last + run_begin(d, a), d->n, j + 1);
            UNROLL_CONSTANT
            for (int i = 0; i < d->size; i++) last[column - i * d->n] = t[i];
        }
    }
    return definite;
}

STAGE mask dense_factor(const tx_problem *p) {
    mask definite = lane_true();
    for (int k = p->nv - 1; k >= 0;) {
        const node d = node_at(p, k);
        definite = definite & WITH_SIZES(d, factor_node, ARRAY(p->Hinv));
        k -= d.size;
    }
    return definite;
}

// what the rows of a node take from the numbers before them
FN void solve_down(const node it, real *x) {
    const node *d = &it;
    real *own = x + d->first, t[NODE];
    UNROLL_CONSTANT
    for (int i = d->size - 1; i >= 0; i--) {
        t[d->size - 1 - i] = own[i];
        UNROLL_CONSTANT
        for (int j = 0; j < i; j++) own[j] = own[j] - own[i] * row_of(d, i)[d->first + j];
    }
    for (int r = 0; r < run_count(d); r++)
        rows_sub(d->size, x + run_begin(d, r), t, row_of(d, d->size - 1) + run_begin(d, r), d->n, run_width(d, r));
}

// and the other way, after D
FN void solve_up(const node it, real *x) {
    const node *d = &it;
    real *own = x + d->first, t[NODE];
    UNROLL_CONSTANT
    for (int i = 0; i < d->size; i++) t[i] = own[i];
    for (int r = 0; r < run_count(d); r++) {
        const real *row = d->rows + run_begin(d, r), *from = x + run_begin(d, r);
        UNROLL_CONSTANT
        for (int c = 0; c < run_width(d, r); c++) {
            UNROLL_CONSTANT
            for (int i = 0; i < d->size; i++) t[i] = t[i] - row[i * d->n + c] * from[c];
        }
    }
    UNROLL_CONSTANT
    for (int i = 0; i < d->size; i++) {
        UNROLL_CONSTANT
        for (int j = 0; j < i; j++) t[i] = t[i] - row_of(d, i)[d->first + j] * t[j];
        own[i] = t[i];
    }
}

// x = H⁻¹ x
STAGE void dense_solve(const tx_problem *p, real *x) {
    uint8_t ends[TX_DENSE_DOFS];
    int nodes = 0;
    for (int k = p->nv - 1; k >= 0; k -= p->rows->node[k]) {
        const node d = node_at(p, k);
        ends[nodes++] = (uint8_t)k;
        WITH_SIZES(d, solve_down, x);
    }
    for (int k = 0; k < p->nv; k++) x[k] = x[k] * AT(p->Hinv, k);
    while (nodes-- > 0) {
        const node d = node_at(p, ends[nodes]);
        WITH_SIZES(d, solve_up, x);
    }
}
