// hessian.inl - x = H⁻¹ b with H = A + Jᵀ G J at the present y: dense for small problems, by blocks for large ones.
// lanes: any
#pragma once
#include "solver/hessian_dense.inl"
#include "solver/hessian_sparse.inl"

// what is kept from one iteration of a solve to the next
typedef struct hessian_state {
    int now;     // which H of a large problem is the present one
    bool usable; // its factor exists
} hessian_state;

FN hessian_state hessian_begin(const tx_problem *p) {
    if (!p->factor) dense_pattern(p);
    return (hessian_state){0, false};
}

// factorises H at y; returns where it is positive definite
FN mask hessian_update(const tx_problem *p, hessian_state *h) {
#if TX_LANES == 1
    if (p->factor) {
        const num *before = h->usable ? ARRAY(p->factor->H[h->now]) : NULL;
        h->now = !h->now;
        sparse_assemble(p, ARRAY(p->factor->H[h->now]));
        h->usable = sparse_update(p, before, ARRAY(p->factor->H[h->now]));
        return h->usable;
    }
#endif
    (void)h;
    dense_assemble(p);
    return dense_factor(p);
}

FN void hessian_apply(const tx_problem *p, real *x) {
#if TX_LANES == 1
    if (p->factor) {
        sparse_apply(p, x);
        return;
    }
#endif
    dense_solve(p, x);
}
