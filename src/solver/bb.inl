// bb.inl - spectral projected gradient on the dual: Barzilai and Borwein's step length from the last two gradients, and
// a line search that lets the objective rise for a while (Birgin, Martínez and Raydan 2000). docs/solvers.md. lanes:
// any
#pragma once
#include "solver/apgd.inl"

STAGE void bb(const tx_problem *p) {
    enum { MEMORY = 10 };
    const tx_dual *d = p->dual;
    real *x = ARRAY(d->before), *step = ARRAY(d->lambda), *Nx = ARRAY(d->product_before), *Nstep = ARRAY(d->product);
    real *shifts = ARRAY(p->Jsearch), past[MEMORY];
    scaled_begin(p, x);
    scaled_project(p, x);
    real goal = asks_nothing(p) ? splat(-1) : dual_goal(p), alpha = R(1) / first_curvature(p, x), best = splat(R(1e30)),
         iterations = splat(0);
    const mask shifted = has_shift(p);
    outer_loop outer = {splat(R(0.1)), splat(0)};
    scaled_product(p, x, Nx);
    real f = splat(0);
    EACH_DUAL(p, c, k) {
        AT(d->best, k) = x[k];
        f = f + x[k] * (R(0.5) * Nx[k] + AT(d->free, k));
    }
    for (int k = 0; k < MEMORY; k++) past[k] = f;
    if (p->trace) dual_trace_point(p, 0, scaled_error(p, x, Nx, shifts).law);
    mask run = lane_true();
    for (int it = 1; it <= p->opt.iterations && any(run); it++) {
        EACH_DUAL(p, c, k) step[k] = x[k] - alpha * (Nx[k] + AT(d->free, k) + shift_of(p, c, k));
        scaled_project(p, step);
        EACH_DUAL(p, c, k) step[k] = step[k] - x[k];
        scaled_product(p, step, Nstep);
        real slope = splat(0), curved = splat(0), square = splat(0), product = splat(0), highest = past[0];
        EACH_DUAL(p, c, k) {
            slope = slope + step[k] * (Nx[k] + AT(d->free, k) + shift_of(p, c, k));
            curved = curved + step[k] * Nstep[k];
            square = square + step[k] * step[k];
            product = product + Nstep[k] * Nstep[k];
        }
        for (int k = 1; k < MEMORY; k++) highest = vmax(highest, past[k]);
        // how much of it: halved until the objective is below the highest of the last ten
        real share = splat(1);
        for (int tries = 0; tries < 20; tries++) {
            real there = f + share * slope + R(0.5) * share * share * curved;
            mask high = there > highest + R(1e-4) * share * slope + R(1e-14) * vabs(highest);
            share = sel(high, R(0.5) * share, share);
        }
        f = sel(run, f + share * slope + R(0.5) * share * share * curved, f);
        for (int k = MEMORY - 1; k > 0; k--) past[k] = sel(run, past[k - 1], past[k]);
        past[0] = sel(run, f, past[0]);
        EACH_DUAL(p, c, k) {
            x[k] = sel(run, x[k] + share * step[k], x[k]);
            Nx[k] = sel(run, Nx[k] + share * Nstep[k], Nx[k]);
        }
        mask bends = curved > R(0);
        real next = it % 2 ? square / sel(bends, curved, splat(1)) : curved / sel(product > R(0), product, splat(1));
        alpha = sel(run, sel(bends, clamp(next, splat(R(1e-13)), splat(R(1e13))), splat(1)), alpha);
        iterations = sel(run, iterations + R(1), iterations);
        gradient_error e = scaled_error(p, x, Nx, shifts);
        if (p->trace) dual_trace_point(p, it, e.law);
        mask better = run & (e.law < best), lost = not_(e.law < R(1e30));
        keep_best(p, x, better);
        best = sel(better, e.law, best);
        run = run & not_(e.law <= goal) & not_(lost);
        run = run & (shifted | (square > R(0)));
        if (!any(shifted)) continue;
        // another shift is another objective
        mask renewed = renew_shift(p, &e, shifts, run & shifted, &outer);
        if (!any(renewed)) continue;
        real anew = splat(0);
        EACH_DUAL(p, c, k) anew = anew + x[k] * (R(0.5) * Nx[k] + AT(d->free, k) + shift_of(p, c, k));
        f = sel(renewed, anew, f);
        for (int k = 0; k < MEMORY; k++) past[k] = sel(renewed, anew, past[k]);
    }
    scaled_end(p, iterations);
}
