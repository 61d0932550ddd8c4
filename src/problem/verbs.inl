// verbs.inl - what a solver does with a problem: A x, A⁻¹ b, J x, Jᵀ g, and sums over its dofs. lanes: any
//
// All of them see what the view sees: one island, or everything. Sums run in a fixed order, one row at a time.
#pragma once
#include "lane/row.h"
#include "linalg/tree.inl"
#include "problem/problem.h"

// ---- dofs -----------------------------------------------------------------------------------------------------------

// do something for every dof d of the view
#define EACH_DOF(p, d)                                 \
    for (int d##_r = 0; d##_r < (p)->nranges; d##_r++) \
        for (int d = (p)->ranges[d##_r].begin; d < (p)->ranges[d##_r].end; d++)

// the same for every run of dofs, beginning at d and n long
#define EACH_RUN(p, d, n)                              \
    for (int d##_r = 0; d##_r < (p)->nranges; d##_r++) \
        for (int d = (p)->ranges[d##_r].begin, n = (p)->ranges[d##_r].end - d; n > 0; n = 0)

FN real dot_dofs(const tx_problem *p, const real *a, const real *b) {
    real t = splat(0);
    EACH_DOF(p, d) t = t + a[d] * b[d];
    return t;
}

// ---- A --------------------------------------------------------------------------------------------------------------

// y = A x
FN void A_mul(const tx_problem *p, const real *x, real *y) {
    for (int r = 0; r < p->nranges; r++) tree_mul(&p->tree, p->ranges[r].begin, p->ranges[r].end, ARRAY(p->A), x, y);
}
// x = A⁻¹ x
FN void A_solve(const tx_problem *p, real *x) {
    for (int r = 0; r < p->nranges; r++)
        tree_solve(&p->tree, p->ranges[r].begin, p->ranges[r].end, ARRAY(p->L), ARRAY(p->Linv), x);
}
FN real A_trace(const tx_problem *p) {
    real t = splat(0);
    EACH_DOF(p, d) t = t + AT(p->A, p->tree.first[d]);
    return t;
}

// ---- J --------------------------------------------------------------------------------------------------------------

// y += J x of a piece with constant sizes, or any
FN void piece_mul(int dim, int width, const real *J, const real *x, real *y) {
    if (dim == 3) { // one walk over x
        real t[3] = {y[0], y[1], y[2]};
        for (int k = 0; k < width; k++)
            for (int r = 0; r < 3; r++) t[r] = t[r] + J[r * width + k] * x[k];
        for (int r = 0; r < 3; r++) y[r] = t[r];
        return;
    }
    for (int r = 0; r < dim; r++) {
        real t = y[r];
        for (int k = 0; k < width; k++) t = t + J[r * width + k] * x[k];
        y[r] = t;
    }
}
FN void piece_mul_transposed(int dim, int width, const real *J, const real *g, real *out) {
    if (dim == 3) row_add3(out, g[0], g[1], g[2], J, width, width);
    else
        for (int r = 0; r < dim; r++) row_add(out, g[r], J + r * width, width);
}

// the rows of one constraint; most have three
FN void mul_rows(const tx_piece *pieces, const real *J, const tx_constraint *c, int dim, const real *x, real *y) {
    real t[6] = {splat(0), splat(0), splat(0), splat(0), splat(0), splat(0)};
    const tx_piece *end = pieces + c->piece + c->pieces;
    for (const tx_piece *e = pieces + c->piece; e < end; e++) {
        if (e->width == 6) piece_mul(dim, 6, J + e->at, x + e->dof, t);
        else piece_mul(dim, e->width, J + e->at, x + e->dof, t);
    }
    for (int r = 0; r < dim; r++) y[r] = t[r];
}

#if TX_LANES == 1
FN void add_three_rows(row_sums *t, const num *J, const num *x, int width) {
    UNROLL
    for (int r = 0; r < 3; r++) row_add_products(&t[r], J + r * width, x, width);
}
// the rows of one constraint of a large problem: where there are three, each has a few sums side by side
FN void mul_rows_large(const tx_piece *pieces, const num *J, const tx_constraint *c, const num *x, num *y) {
    if (c->dim != 3) {
        if (c->dim == 1) mul_rows(pieces, J, c, 1, x, y);
        else mul_rows(pieces, J, c, c->dim, x, y);
        return;
    }
    row_sums t[3] = {0};
    const tx_piece *end = pieces + c->piece + c->pieces;
    for (const tx_piece *e = pieces + c->piece; e < end; e++) {
        if (e->width == 6) add_three_rows(t, J + e->at, x + e->dof, 6);
        else add_three_rows(t, J + e->at, x + e->dof, e->width);
    }
    row_sum_of_three(y, t);
}
#endif

// y = J x
STAGE void J_mul(const tx_problem *p, const real *x, real *y) {
    if (p->products) ++*p->products;
#if TX_LANES == 1
    if (p->factor) {
        for (int v = 0; v < p->listed; v++) {
            const tx_constraint *c = &p->cons[p->list[v]];
            mul_rows_large(p->pieces, ARRAY(p->J), c, x, y + c->row);
        }
        return;
    }
#endif
    const tx_piece *pieces = p->pieces;
    const tx_constraint *cons = p->cons;
    const real *J = ARRAY(p->J);
    const int *list = p->list, listed = p->listed;
    for (int v = 0; v < listed; v++) {
        const tx_constraint *c = &cons[list[v]];
        if (c->dim == 3) mul_rows(pieces, J, c, 3, x, y + c->row);
        else if (c->dim == 1) mul_rows(pieces, J, c, 1, x, y + c->row);
        else mul_rows(pieces, J, c, c->dim, x, y + c->row);
    }
}

// out += Jᵀ f of one constraint
FN void add_transposed(const tx_piece *pieces, const real *J, const tx_constraint *c, int dim, const real *f,
                       real *out) {
    mask acts = f[0] != R(0);
    for (int r = 1; r < dim; r++) acts = acts | (f[r] != R(0));
    if (!any(acts)) return;
    const tx_piece *end = pieces + c->piece + c->pieces;
    for (const tx_piece *e = pieces + c->piece; e < end; e++) {
        if (e->width == 6) piece_mul_transposed(dim, 6, J + e->at, f, out + e->dof);
        else piece_mul_transposed(dim, e->width, J + e->at, f, out + e->dof);
    }
}

// out = Jᵀ g. No element becomes -0, so constraints that do not act change no bit.
STAGE void J_mul_transposed(const tx_problem *p, const real *g, real *out) {
    if (p->products) ++*p->products;
    const tx_piece *pieces = p->pieces;
    const tx_constraint *cons = p->cons;
    const real *J = ARRAY(p->J);
    const int *list = p->list, listed = p->listed;
    EACH_RUN(p, d, n) row_zero(out + d, n);
    for (int v = 0; v < listed; v++) {
        const tx_constraint *c = &cons[list[v]];
        if (c->dim == 3) add_transposed(pieces, J, c, 3, g + c->row, out);
        else add_transposed(pieces, J, c, c->dim, g + c->row, out);
    }
}
