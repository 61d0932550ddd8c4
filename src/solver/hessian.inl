// hessian.inl - x = H⁻¹ b with H = A + Jᵀ G J at the present y, all of H or its part inside each tree: dense for small
// problems, by blocks for large ones; and H b without H. lanes: any
#pragma once
#include "solver/hessian_dense.inl"
#include "solver/hessian_sparse.inl"

// what is kept from one iteration of a solve to the next
typedef struct hessian_state {
    bool trees;  // only what couples dofs of the same tree
    bool usable; // the factor of a large problem exists and can be brought up to date
    bool begun;  // there was an update
} hessian_state;

FN hessian_state hessian_begin(const tx_problem *p, bool trees) {
    if (!p->factor) dense_pattern(p, trees);
    return (hessian_state){trees, false, false};
}

// factorises H at y, to which the last line search went by `step`; loose: nearly. Returns where it is positive definite
FN mask hessian_update(const tx_problem *p, hessian_state *h, real step, bool loose) {
    const arrival came = {!h->begun, loose, step};
    h->begun = true;
#if TX_LANES == 1
    if (p->factor) {
        const bool anew = !h->usable;
        sparse_assemble(p, anew, came);
        return h->usable = sparse_update(p, anew);
    }
#endif
    dense_assemble(p, h->trees, came);
    return dense_factor(p);
}

// x = (factor)⁻¹ x
FN void hessian_apply(const tx_problem *p, real *x) {
#if TX_LANES == 1
    if (p->factor) {
        sparse_apply(p, x);
        return;
    }
#endif
    dense_solve(p, x);
}

// out += Jᵀ G J b of one constraint
FN void constraint_product(const tx_problem *p, const tx_constraint *c, int dim, const real *G, const real *b,
                           real *out) {
    mask acts = G[0] != R(0);
    for (int r = 1; r < dim; r++) acts = acts | (G[r * dim + r] != R(0));
    if (!any(acts)) return;
    real t[6] = {splat(0), splat(0), splat(0), splat(0), splat(0), splat(0)}, f[6];
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        const real *J = &AT(p->J, e->at);
        if (dim == 3 && e->width == 6) piece_mul(3, 6, J, b + e->dof, t);
        else piece_mul(dim, e->width, J, b + e->dof, t);
    }
    for (int r = 0; r < dim; r++) {
        f[r] = G[r * dim] * t[0];
        for (int q = 1; q < dim; q++) f[r] = f[r] + G[r * dim + q] * t[q];
    }
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        const real *J = &AT(p->J, e->at);
        if (dim == 3 && e->width == 6) piece_mul_transposed(3, 6, J, f, out + e->dof);
        else piece_mul_transposed(dim, e->width, J, f, out + e->dof);
    }
}

// out = H b, b some dofs: one walk over J with the G of the last update (of the part inside the trees)
STAGE void hessian_mul(const tx_problem *p, const real *b, real *out) {
    if (p->products) *p->products += 2;
    A_mul(p, b, out);
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        const real *G = kept_hessian(p, c);
#if TX_LANES == 1
        num of_edges[9];
        if (p->factor && has_edges(c)) {
            pyramid_hessian_of_three(numbers_of(p, p->list[v]), c->in_H, of_edges);
            G = of_edges;
        }
#endif
        if (c->dim == 3) constraint_product(p, c, 3, G, b, out);
        else constraint_product(p, c, c->dim, G, b, out);
    }
}
