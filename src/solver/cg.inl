// cg.inl - non-linear conjugate gradients of Hager and Zhang (2006) in cycles; the preconditioner is the part of H
// inside each tree, factorised at the beginning of a cycle. docs/solvers.md. lanes: any
#pragma once
#include "solver/newton_pcg.inl"

// iterations with one preconditioner
enum { CG_CYCLE = 8 };

// out = P⁻¹ grad: P is the part of H inside the trees, or A where that is not positive definite
FN void cg_precondition(const tx_problem *p, mask definite, real *out, real *room) {
    const real *grad = ARRAY(p->grad);
    EACH_DOF(p, d) out[d] = grad[d];
    hessian_apply(p, out);
    if (!any(not_(definite))) return;
    EACH_DOF(p, d) room[d] = grad[d];
    A_solve(p, room);
    EACH_DOF(p, d) out[d] = sel(definite, out[d], room[d]);
}

// a new preconditioner. Where the last cycle has left a tenth of the gradient or more, conjugacy is lost faster than it
// is found: the cycle begins with an inexact Newton direction. Returns those lanes, with the direction in `search`
FN mask cg_begin_cycle(const tx_problem *p, primal_state *s) {
    if (s->iteration == 0) s->hessian = hessian_begin(p, true);
    // friction is as it is here, wherever the last direction came from
    s->hessian.begun = false;
    s->definite = hessian_update(p, &s->hessian, splat(1), false);
    const mask slow = s->run & s->definite & (s->norm > R(0.1) * s->norm_cycle);
    s->norm_cycle = s->norm;
    if (any(slow)) pcg_solve(p, (pcg_goal){splat(R(0.1)), pcg_enough(p, s)}, slow);
    return slow;
}

// search = -z + β search with z = P⁻¹ grad; β of Hager and Zhang in the inner product of P⁻¹, and not below the bound
// of Hager and Zhang (2013), from which global convergence follows. Where that does not descend: -z.
STAGE void cg_direction(const tx_problem *p, primal_state *s) {
    real *search = ARRAY(p->search), *grad = ARRAY(p->grad), *before = ARRAY(p->residual), *z = ARRAY(p->conjugate);
    const bool begins = s->iteration % CG_CYCLE == 0;
    mask newton = not_(lane_true());
    if (begins) newton = cg_begin_cycle(p, s);
    cg_precondition(p, s->definite, z, ARRAY(p->Asearch));
    real gz = dot_dofs(p, grad, z), dg = splat(0), beta = splat(0);
    if (!begins) {
        // with c = grad - before: cᵀz and cᵀP⁻¹c need no second solve
        real bz = dot_dofs(p, before, z), db = dot_dofs(p, search, before);
        dg = dot_dofs(p, search, grad);
        real dc = dg - db, cz = gz - bz, cc = (gz - R(2) * bz) + s->slope_before;
        mask usable = dc > R(0);
        real over = R(1) / sel(usable, dc, splat(1));
        beta = (cz - R(2) * cc * over * dg) * over;
        beta = vmax(beta, R(0.4) * db / s->length);
        beta = sel(usable, beta, splat(0));
        // it must descend, or conjugacy is lost
        beta = sel(beta * dg - gz < R(-0.1) * gz, beta, splat(0));
    }
    EACH_DOF(p, d) {
        real old = begins ? splat(0) : beta * search[d];
        search[d] = sel(newton, search[d], old - z[d]);
        before[d] = grad[d];
    }
    s->slope_before = gz;
    // searchᵀ P search of -z + β search; an unknown one of a Newton direction makes the bound zero
    const real length = (gz - R(2) * beta * dg) + beta * beta * s->length;
    s->length = sel(newton, splat(R(1e30)), sel(length > R(0), length, splat(1)));
}

STAGE void cg(const tx_problem *p) {
    const primal_method method = {cg_direction, R(0), R(1), false, 300};
    primal_solve(p, &method);
}
