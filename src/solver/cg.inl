// cg.inl - non-linear conjugate gradients of Hager and Zhang (2006), preconditioned by A⁻¹: docs/solvers.md. lanes: any
#pragma once
#include "solver/primal.inl"

// search = -z + β search with z = A⁻¹ grad; β of Hager and Zhang in the inner product of A⁻¹, and not below the bound
// of Hager and Zhang (2013), from which global convergence follows. Where that does not descend: -z.
STAGE void cg_direction(const tx_problem *p, primal_state *s) {
    real *search = ARRAY(p->search), *grad = ARRAY(p->grad), *before = ARRAY(p->residual), *z = ARRAY(p->conjugate);
    EACH_DOF(p, d) z[d] = grad[d];
    A_solve(p, z);
    real gz = dot_dofs(p, grad, z), beta = splat(0);
    if (s->iteration > 0) {
        // with c = grad - before: cᵀz and cᵀA⁻¹c need no second solve
        real bz = dot_dofs(p, before, z), dg = dot_dofs(p, search, grad), db = dot_dofs(p, search, before);
        real dAd = dot_dofs(p, search, ARRAY(p->Asearch)), dc = dg - db, cz = gz - bz,
             cc = (gz - R(2) * bz) + s->slope_before;
        mask usable = (dc > R(0)) & (dAd > R(0));
        real over = R(1) / sel(usable, dc, splat(1));
        beta = (cz - R(2) * cc * over * dg) * over;
        beta = vmax(beta, R(0.4) * db / sel(usable, dAd, splat(1)));
        beta = sel(usable, beta, splat(0));
        // it must descend, or conjugacy is lost
        beta = sel(beta * dg - gz < R(-0.1) * gz, beta, splat(0));
    }
    EACH_DOF(p, d) {
        real old = s->iteration > 0 ? beta * search[d] : splat(0);
        search[d] = old - z[d];
        before[d] = grad[d];
    }
    s->slope_before = gz;
}

STAGE void cg(const tx_problem *p) {
    const primal_method method = {cg_direction, R(0), R(1), false, 300};
    primal_solve(p, &method);
}
