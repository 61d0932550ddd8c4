// apgd.inl - accelerated projected gradient descent on the dual (Mazhar et al. 2015). docs/solvers.md. lanes: any
//
// min ½ v'N v + r'v over the sets of all constraints, in units v = λ/S in which N has a diagonal near one. One product
// an iteration: that of the point where the gradient is taken follows by linearity. The step length 1/L is accepted by
// curvature, d'N d <= L d'd, which does not cancel as differences of the objective do. Under Coulomb's law r has De
// Saxcé's shift, made anew whenever the problem with the last shift is solved well enough.
#pragma once
#include "solver/gauss_seidel.inl"

// every dual variable k of every constraint c of the view
#define EACH_DUAL(p, c, k)                                                                        \
    for (int v_ = 0; v_ < (p)->listed; v_++)                                                      \
        for (const tx_constraint *c = &(p)->cons[(p)->list[v_]], *once_ = c; once_; once_ = NULL) \
            for (int k = DUALS(c), end_ = k + dual_count(c); k < end_; k++)

// out = S (W + R) S v
STAGE void scaled_product(const tx_problem *p, const real *v, real *out) {
    const tx_dual *d = p->dual;
    real *gamma = ARRAY(p->gamma), *z = ARRAY(d->z);
    count_product(p);
    for (int l = 0; l < p->listed; l++) {
        const int i = p->list[l];
        const tx_constraint *c = &p->cons[i];
        const real *S = &AT(d->scale, DUALS(c)), *at = v + DUALS(c);
        real lambda[MOST_DUALS] = {at[0]};
        for (int k = 0; k < dual_count(c); k++) lambda[k] = S[k] * at[k];
        dual_forces(c->kernel, c->dim, numbers_of(p, i), lambda, gamma + c->row);
    }
    B_mul_transposed(p, gamma, z);
    for (int l = 0; l < p->listed; l++) {
        const int i = p->list[l];
        const tx_constraint *c = &p->cons[i];
        const real *S = &AT(d->scale, DUALS(c)), *at = v + DUALS(c), *n = numbers_of(p, i);
        real y[6] = {at[0]}, u[MOST_DUALS] = {at[0]};
        for (int r = 0; r < c->dim; r++) y[r] = splat(0);
        if (p->W) W_row(p, i, gamma, y);
        else if (c->dim == 3) B_row(p, i, 3, z, y);
        else B_row(p, i, c->dim, z, y);
        dual_motions(c->kernel, c->dim, n, y, u);
        for (int k = 0; k < dual_count(c); k++)
            out[DUALS(c) + k] = S[k] * (u[k] + dual_softness(c->kernel, n, k) * S[k] * at[k]);
    }
}

// r = S E (y_free - a), and the shift on the normal
STAGE void scaled_free(const tx_problem *p, real *r) {
    const tx_dual *d = p->dual;
    for (int l = 0; l < p->listed; l++) {
        const int i = p->list[l];
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *S = &AT(d->scale, DUALS(c));
        real y[6] = {n[0]}, u[MOST_DUALS] = {n[0]};
        for (int k = 0; k < c->dim; k++) y[k] = AT(p->y_free, c->row + k) - n[N_A + k];
        dual_motions(c->kernel, c->dim, n, y, u);
        for (int k = 0; k < dual_count(c); k++) r[DUALS(c) + k] = S[k] * u[k];
    }
}

FN real shift_of(const tx_problem *p, const tx_constraint *c, int k) {
    return k == DUALS(c) ? AT(p->dual->scale, k) * AT(p->dual->shift, c->row) : splat(0);
}

// errors of v: of its law, and of the problem with the shift as it is; `shifts` becomes the shift that v would have
typedef struct gradient_error {
    real law, inner;
} gradient_error;

STAGE gradient_error scaled_error(const tx_problem *p, const real *v, const real *product, real *shifts) {
    const tx_dual *d = p->dual;
    defect_sum own = {splat(0), splat(0), R(p->y_floor)}, inner = own;
    for (int l = 0; l < p->listed; l++) {
        const int i = p->list[l];
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *S = &AT(d->scale, DUALS(c)), *free = &AT(p->y_free, c->row);
        const real *at = v + DUALS(c), *Nv = product + DUALS(c);
        real lambda[MOST_DUALS] = {at[0]}, u[MOST_DUALS] = {at[0]}, y[6] = {at[0]};
        for (int k = 0; k < dual_count(c); k++) {
            mask acts = S[k] > R(0);
            lambda[k] = S[k] * at[k];
            u[k] = sel(acts, Nv[k] / sel(acts, S[k], splat(1)), splat(0)) - dual_softness(c->kernel, n, k) * lambda[k];
        }
        // y of the rows: edges come in pairs about the normal
        if (c->kernel == KERNEL_pyramid) {
            y[0] = R(0.5) * (u[0] + u[1]);
            for (int k = 1; k < c->dim; k++) {
                real mu = n[N_MU + k - 1];
                y[k] = R(0.5) * (u[2 * k - 2] - u[2 * k - 1]) / sel(mu > R(0), mu, splat(1));
            }
        } else
            for (int k = 0; k < c->dim; k++) y[k] = u[k];
        for (int k = 0; k < c->dim; k++) y[k] = y[k] + free[k];
        switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, name##_defect(dim, n, lambda, y, free, &own))
            DUAL_KERNELS(X)
#undef X
        }
        if (c->kernel != KERNEL_coulomb) {
            shifts[c->row] = splat(0);
            continue;
        }
        real slip[6] = {y[0]};
        for (int k = 0; k < c->dim; k++) slip[k] = (y[k] - n[N_A + k]) + n[N_E] * lambda[k];
        shifts[c->row] = dual_shift(c->kernel, c->dim, n, slip);
        y[0] = y[0] + AT(d->shift, c->row);
        ccp_defect(c->dim, n, lambda, y, free, &inner);
    }
    return (gradient_error){defect_ratio(&own), defect_ratio(&inner)};
}

// units, and v = λ/S into `v`
STAGE void scaled_begin(const tx_problem *p, real *v) {
    const tx_dual *d = p->dual;
    dual_begin(p);
    for (int l = 0; l < p->listed; l++) {
        const int i = p->list[l];
        const tx_constraint *c = &p->cons[i];
        real *S = &AT(d->scale, DUALS(c));
        dual_units(c->kernel, c->dim, numbers_of(p, i), &AT(d->block, 6 * c->row), S);
        for (int k = 0; k < dual_count(c); k++) {
            mask acts = S[k] > R(0);
            v[DUALS(c) + k] = sel(acts, AT(d->lambda, DUALS(c) + k) / sel(acts, S[k], splat(1)), splat(0));
        }
        AT(d->shift, c->row) = splat(0);
    }
    scaled_free(p, ARRAY(d->free));
}

FN void scaled_project(const tx_problem *p, real *v) {
    for (int l = 0; l < p->listed; l++) {
        const int i = p->list[l];
        const tx_constraint *c = &p->cons[i];
        dual_project(c->kernel, c->dim, numbers_of(p, i), &AT(p->dual->scale, DUALS(c)), v + DUALS(c));
    }
}

// where a contact has De Saxcé's shift: in the lane's own problem, not in its neighbours'
FN mask has_shift(const tx_problem *p) {
    mask shifted = not_(lane_true());
    for (int l = 0; l < p->listed; l++)
        if (p->cons[p->list[l]].kernel == KERNEL_coulomb) shifted = shifted | dual_acts(numbers_of(p, p->list[l]));
    return shifted;
}

// the shift of the outer loop, per lane: when it is made anew
typedef struct outer_loop {
    real goal, count; // error at which the inner problem is good enough; iterations since the last shift
} outer_loop;

FN mask renew_shift(const tx_problem *p, const gradient_error *e, const real *shifts, mask run, outer_loop *outer) {
    mask renew = run & ((e->inner <= outer->goal) | (outer->count >= R(2000)));
    outer->count = sel(renew, splat(0), outer->count + R(1));
    outer->goal = sel(renew, vmax(splat(DUAL_ROUNDING), vmin(R(0.5) * outer->goal, R(0.1) * e->law)), outer->goal);
    for (int l = 0; l < p->listed && any(renew); l++) {
        const int row = p->cons[p->list[l]].row;
        AT(p->dual->shift, row) = sel(renew, shifts[row], AT(p->dual->shift, row));
    }
    return renew;
}

// a first guess at the largest eigenvalue
FN real first_curvature(const tx_problem *p, const real *v) {
    real *ones = ARRAY(p->dual->point), *N = ARRAY(p->dual->product_point), above = splat(0), below = splat(0);
    // what does not act in a lane is not there for it
    EACH_DUAL(p, c, k) ones[k] = sel(AT(p->dual->scale, k) > R(0), v[k] - R(1), splat(0));
    scaled_product(p, ones, N);
    EACH_DUAL(p, c, k) {
        above = above + N[k] * N[k];
        below = below + ones[k] * ones[k];
    }
    mask good = (above > R(0)) & (below > R(0));
    return sel(good, vsqrt(above / sel(good, below, splat(1))), splat(1));
}

// λ = S v of the best iterate
FN void scaled_end(const tx_problem *p, real iterations) {
    const tx_dual *d = p->dual;
    EACH_DUAL(p, c, k) AT(d->lambda, k) = AT(d->scale, k) * AT(d->best, k);
    dual_end(p, ARRAY(d->lambda), iterations);
}

STAGE void apgd(const tx_problem *p) {
    const tx_dual *d = p->dual;
    real *x = ARRAY(d->before), *next = ARRAY(d->lambda), *y = ARRAY(d->point), *Nx = ARRAY(d->product_before),
         *Nnext = ARRAY(d->product), *Ny = ARRAY(d->product_point), *shifts = ARRAY(p->Jsearch);
    scaled_begin(p, x);
    real goal = asks_nothing(p) ? splat(-1) : dual_goal(p), L = first_curvature(p, x), theta = splat(1),
         best = splat(R(1e30)), iterations = splat(0);
    const mask shifted = has_shift(p);
    outer_loop outer = {splat(R(0.1)), splat(0)};
    scaled_project(p, x);
    scaled_product(p, x, Nx);
    EACH_DUAL(p, c, k) {
        y[k] = AT(d->best, k) = x[k];
        Ny[k] = Nx[k];
    }
    if (p->trace) dual_trace_point(p, 0, scaled_error(p, x, Nx, shifts).law);
    mask run = lane_true();
    for (int it = 1; it <= p->opt.iterations && any(run); it++) {
        // a projected step from y; shorter until its curvature fits
        mask trying = run;
        for (int tries = 0; tries < 60 && any(trying); tries++) {
            EACH_DUAL(p, c, k) next[k] = y[k] - (Ny[k] + AT(d->free, k) + shift_of(p, c, k)) / L;
            scaled_project(p, next);
            scaled_product(p, next, Nnext);
            real curved = splat(0), square = splat(0);
            EACH_DUAL(p, c, k) {
                real step = next[k] - y[k];
                curved = curved + step * (Nnext[k] - Ny[k]);
                square = square + step * step;
            }
            trying = trying & not_(curved <= L * square * (R(1) + R(1e-12))) & (square > R(0));
            L = sel(trying, R(2) * L, L);
        }
        iterations = sel(run, iterations + R(1), iterations);
        // momentum, or none where it points uphill
        real theta2 = theta * theta, ahead = R(0.5) * (theta * vsqrt(theta2 + R(4)) - theta2), uphill = splat(0);
        real beta = theta * (R(1) - theta) / (theta2 + ahead);
        EACH_DUAL(p, c, k)
        uphill = uphill + (Ny[k] + AT(d->free, k) + shift_of(p, c, k)) * (next[k] - x[k]);
        mask restart = uphill > R(0);
        // how good is it?
        gradient_error e = scaled_error(p, next, Nnext, shifts);
        if (p->trace) dual_trace_point(p, it, e.law);
        mask better = run & (e.law < best);
        keep_best(p, next, better);
        best = sel(better, e.law, best);
        mask lost = not_(e.law < R(1e30));
        if (any(shifted)) restart = restart | renew_shift(p, &e, shifts, run & shifted, &outer);
        beta = sel(restart, splat(0), beta);
        theta = sel(run, sel(restart, splat(1), ahead), theta);
        EACH_DUAL(p, c, k) {
            y[k] = sel(run, next[k] + beta * (next[k] - x[k]), y[k]);
            Ny[k] = sel(run, Nnext[k] + beta * (Nnext[k] - Nx[k]), Ny[k]);
            x[k] = sel(run, next[k], x[k]);
            Nx[k] = sel(run, Nnext[k], Nx[k]);
        }
        L = sel(run, R(0.9) * L, L);
        run = run & not_(e.law <= goal) & not_(lost);
    }
    scaled_end(p, iterations);
}
