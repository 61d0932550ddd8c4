// newton_pcg.inl - inexact Newton: H s = -grad by conjugate gradients without forming H; the preconditioner is the part
// of H inside each tree, factorised. docs/solvers.md. lanes: any
#pragma once
#include "solver/primal.inl"

enum { PCG_ITERATIONS = 500 };

// how small the residual has to become, relative to the gradient. asked: in the norm of the preconditioner, a tenth,
// less the faster Newton converges (Eisenstat and Walker 1996, choice 2); enough: in that of the stop rule, no better
// than the tolerance asks for
typedef struct pcg_goal {
    real asked, enough;
} pcg_goal;

FN real pcg_enough(const tx_problem *p, const primal_state *s) {
    return splat(R(0.5 * p->opt.tolerance)) / sel(s->norm > R(0), s->norm, splat(1));
}

FN pcg_goal pcg_goal_of(const tx_problem *p, const primal_state *s) {
    real rate = s->norm / s->norm_before, goal = R(0.9) * rate * rate;
    goal = sel(goal < R(0.1), goal, splat(R(0.1)));
    // what takes long lacks something that the residual hardly shows
    for (int k = 10; k <= s->iteration; k += 5) goal = R(0.1) * goal;
    return (pcg_goal){vmax(goal, splat(R(100) * ROUNDING)), pcg_enough(p, s)};
}

// search = -H⁻¹ grad up to `goal`: plain conjugate gradients, every lane until it is there
FN void pcg_solve(const tx_problem *p, pcg_goal goal, mask open) {
    real *search = ARRAY(p->search), *r = ARRAY(p->residual), *along = ARRAY(p->conjugate), *z = ARRAY(p->Asearch);
    const real *grad = ARRAY(p->grad);
    const real enough = goal.enough * goal.enough * dot_dofs(p, grad, grad);
    EACH_DOF(p, d) {
        search[d] = splat(0);
        r[d] = z[d] = -grad[d];
    }
    hessian_apply(p, z);
    EACH_DOF(p, d) along[d] = z[d];
    real rz = dot_dofs(p, r, z);
    const real left = goal.asked * goal.asked * rz;
    for (int k = 0; k < PCG_ITERATIONS && any(open); k++) {
        real *product = z;
        hessian_mul(p, along, product);
        real curvature = dot_dofs(p, along, product);
        open = open & (curvature > R(0));
        real alpha = rz / sel(open, curvature, splat(1));
        EACH_DOF(p, d) {
            search[d] = sel(open, search[d] + alpha * along[d], search[d]);
            r[d] = sel(open, r[d] - alpha * product[d], r[d]);
        }
        open = open & (dot_dofs(p, r, r) > enough);
        if (!any(open)) break;
        EACH_DOF(p, d) z[d] = r[d];
        hessian_apply(p, z);
        real next = dot_dofs(p, r, z), beta = next / sel(rz > R(0), rz, splat(1));
        open = open & (next > left);
        EACH_DOF(p, d) along[d] = z[d] + beta * along[d];
        rz = next;
    }
}

STAGE void newton_pcg_direction(const tx_problem *p, primal_state *s) {
    if (s->iteration == 0) s->hessian = hessian_begin(p, true);
    mask definite = hessian_update(p, &s->hessian, s->step, !any(s->near_floor));
    pcg_solve(p, pcg_goal_of(p, s), s->run & definite);
    if (any(not_(definite))) steepest_descent(p, ARRAY(p->Asearch), not_(definite));
}

STAGE void newton_pcg(const tx_problem *p) {
    const primal_method method = {newton_pcg_direction, R(1), R(10), false, 30};
    primal_solve(p, &method);
}
