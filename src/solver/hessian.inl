// hessian.inl - x = H⁻¹ b with H = A + Jᵀ G J at the present y: dense for small problems, by blocks for large ones.
// lanes: any
#pragma once
#include "solver/hessian_dense.inl"
#include "solver/hessian_sparse.inl"

// what is kept from one iteration of a solve to the next
typedef struct hessian_state {
    bool usable; // the factor of a large problem exists and can be brought up to date
} hessian_state;

FN hessian_state hessian_begin(const tx_problem *p) {
    if (!p->factor) dense_pattern(p);
    return (hessian_state){false};
}

// factorises H at y; returns where it is positive definite
FN mask hessian_update(const tx_problem *p, hessian_state *h) {
#if TX_LANES == 1
    if (p->factor) {
        const bool anew = !h->usable;
        sparse_assemble(p, anew);
        return h->usable = sparse_update(p, anew);
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
