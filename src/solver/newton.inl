// newton.inl - primal Newton with an exact line search on ½‖x - x*‖²_A + Σ ℓ(J x): docs/newton.md. lanes: any
#pragma once
#include "solver/hessian.inl"

// unit-free tolerance below which rounding decides
#ifdef TX_F32
#define ROUNDING R(1e-6)
#else
#define ROUNDING R(1e-15)
#endif

// γ and the gradient A(x - x*) - Jᵀγ at y = J x
FN void newton_gradient(const tx_problem *p) {
    real *grad = ARRAY(p->grad), *force = ARRAY(p->force);
    constraint_forces(p, ARRAY(p->y), ARRAY(p->gamma));
    J_mul_transposed(p, ARRAY(p->gamma), force);
    EACH_DOF(p, d) grad[d] = AT(p->Adx, d) - force[d];
}

// the zero of φ'(α) by Newton's method inside a shrinking bracket; start: φ'(0); lanes where `run` is false get 0
FN real newton_line_search(const tx_problem *p, real start, mask run) {
    real *search = ARRAY(p->search);
    real linear = dot_dofs(p, search, ARRAY(p->Adx)), quadratic = dot_dofs(p, search, ARRAY(p->Asearch));
    real goal = vabs(start) * R(p->opt.ls_tolerance);
    real alpha = sel(run, splat(1), splat(0)), low = splat(0), high = splat(R(1e10));
    mask open = run;
    for (int it = 0; it < p->opt.ls_iterations && any(open); it++) {
        slope_sum slope = constraint_slope(p, ARRAY(p->y), ARRAY(p->Jsearch), alpha);
        real d1 = slope.first + (linear + alpha * quadratic), d2 = slope.second + quadratic;
        open = open & not_(vabs(d1) <= goal);
        low = sel(d1 < R(0), alpha, low);
        high = sel(d1 < R(0), high, alpha);
        real next = alpha - d1 / d2;
        // outside the bracket: its middle, or twice the step while there is no upper end
        real middle = sel(high < R(1e10), R(0.5) * (low + high), R(2) * alpha);
        next = sel((next > low) & (next < high), next, middle);
        open = open & (next != alpha);
        alpha = sel(open, next, alpha);
    }
    return alpha;
}

// x starts at the last answer where that costs less than x*
FN void newton_start(const tx_problem *p) {
    real *x = ARRAY(p->x), *dx = ARRAY(p->search), *Adx = ARRAY(p->Adx), *y = ARRAY(p->y);
    const real *star = ARRAY(p->x_star), *warm = ARRAY(p->warm);
    J_mul(p, star, ARRAY(p->y_free));
    EACH_DOF(p, d) {
        x[d] = star[d];
        Adx[d] = splat(0);
    }
    mask better = not_(lane_true());
    real *y_warm = ARRAY(p->Jsearch);
    if (p->opt.warmstart) {
        real cost = constraint_cost(p, ARRAY(p->y_free));
        EACH_DOF(p, d) dx[d] = warm[d] - star[d];
        A_mul(p, dx, ARRAY(p->Asearch));
        J_mul(p, warm, y_warm);
        better = constraint_cost(p, y_warm) + R(0.5) * dot_dofs(p, dx, ARRAY(p->Asearch)) < cost;
        EACH_DOF(p, d) {
            x[d] = sel(better, warm[d], x[d]);
            Adx[d] = sel(better, AT(p->Asearch, d), Adx[d]);
        }
    }
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        for (int r = c->row; r < c->row + c->dim; r++) y[r] = sel(better, y_warm[r], AT(p->y_free, r));
    }
}

// the Newton direction; where H is not positive definite in floating point, that of steepest descent in the norm of A
FN void newton_direction(const tx_problem *p, hessian_state *h) {
    real *search = ARRAY(p->search), *grad = ARRAY(p->grad);
    mask definite = hessian_update(p, h);
    EACH_DOF(p, d) search[d] = -grad[d];
    hessian_apply(p, search);
    if (any(not_(definite))) {
        real *steepest = ARRAY(p->Asearch);
        EACH_DOF(p, d) steepest[d] = -grad[d];
        A_solve(p, steepest);
        EACH_DOF(p, d) search[d] = sel(definite, search[d], steepest[d]);
    }
}

STAGE void newton(const tx_problem *p) {
    real *x = ARRAY(p->x), *grad = ARRAY(p->grad), *search = ARRAY(p->search);
    real scale = R(1) / (R(p->time) * A_trace(p)), norm = splat(0), iterations = splat(0), previous = splat(R(1e30));
    mask run = lane_true(), stuck = not_(run);

    newton_start(p);
    hessian_state hessian = hessian_begin(p);
    for (int it = 0;; it++) {
        // where are we?
        newton_gradient(p);
        norm = sel(run, scale * vsqrt(dot_dofs(p, grad, grad)), norm);
        // rounding of the terms that cancel in the gradient is the floor
        real terms =
            vsqrt(dot_dofs(p, ARRAY(p->Adx), ARRAY(p->Adx))) + vsqrt(dot_dofs(p, ARRAY(p->force), ARRAY(p->force)));
        run = run & (norm > R(p->opt.tolerance)) & (norm > ROUNDING * scale * terms);
        // two iterations without progress near the floor: rounding decides
        run = run & not_((norm > R(0.5) * previous) & (norm < R(1e5) * ROUNDING * scale * terms));
        previous = sel(run, norm, previous);
        if (!any(run) || it == p->opt.iterations) break;

        newton_direction(p, &hessian);
        A_mul(p, search, ARRAY(p->Asearch));
        J_mul(p, search, ARRAY(p->Jsearch));

        // the best point along it; finished lanes stay where they are, and those that found no way down stop
        real start = dot_dofs(p, search, grad);
        stuck = stuck | (run & not_(start < R(0)));
        run = run & (start < R(0));
        real alpha = newton_line_search(p, start, run);
        EACH_DOF(p, d) {
            x[d] = sel(run, x[d] + alpha * search[d], x[d]);
            AT(p->Adx, d) = sel(run, AT(p->Adx, d) + alpha * AT(p->Asearch, d), AT(p->Adx, d));
        }
        for (int v = 0; v < p->listed; v++) {
            const tx_constraint *c = &p->cons[p->list[v]];
            for (int r = c->row; r < c->row + c->dim; r++)
                AT(p->y, r) = sel(run, AT(p->y, r) + alpha * AT(p->Jsearch, r), AT(p->y, r));
        }
        iterations = sel(run, iterations + R(1), iterations);
    }
    AT(p->iterations, 0) = iterations;
    AT(p->gradient, 0) = norm;
    // a gradient that is no number is no success either
    run = run | stuck | not_(norm <= R(1e30));
    for (int e = 0; e < p->lanes; e++) p->unsolved[e] = mask_get(run, e);
}
