// newton.inl - primal Newton with a direct factor of H = A + Jᵀ G J: docs/newton.md. lanes: any
#pragma once
#include "solver/primal.inl"

// the Newton direction; where H is not positive definite in floating point, that of steepest descent in the norm of A
STAGE void newton_direction(const tx_problem *p, primal_state *s) {
    real *search = ARRAY(p->search), *grad = ARRAY(p->grad);
    if (s->iteration == 0) s->hessian = hessian_begin(p, false);
    mask definite = hessian_update(p, &s->hessian, s->step, !any(s->near_floor));
    EACH_RUN(p, d, n) row_negate(search + d, grad + d, n);
    hessian_apply(p, search);
    if (any(not_(definite))) steepest_descent(p, ARRAY(p->Asearch), not_(definite));
}

STAGE void newton(const tx_problem *p) {
    const primal_method method = {newton_direction, R(1), R(10), true, 30};
    primal_solve(p, &method);
}
