// noslip.inl - MuJoCo's pass against slip, on the forces that a law has found: docs/solvers.md. lanes: any
//
// Friction without softness while all other forces are held: min ½ γᵀ W γ + γᵀ (J x* - a), W = J A⁻¹ Jᵀ, over the rows
// of dry friction and the tangential rows of contacts, by sweeps that solve one constraint at a time. With B of the
// dual solvers (problem/dual.h) W = B Bᵀ: what forces have changed since the start is carried along as z = Bᵀ Δγ, so a
// visit costs one product with B and one with Bᵀ, on the dofs that the constraint hangs from and no others.
#pragma once
#include "solver/dual.inl"
#include "solver/weigh.inl"

// ---- one constraint ------------------------------------------------------------------------------------------------

FN bool has_slip(const tx_constraint *c) {
    return c->pieces > 0 && (c->kernel == KERNEL_clamped || c->kernel == KERNEL_pyramid || c->kernel == KERNEL_cone);
}

// B and the rows of W of a constraint
FN void noslip_weigh(const tx_problem *p, int i) {
    make_B(p, i);
    make_block(p, i);
}

// ---- the tangential force that is best on its own ------------------------------------------------------------------

// what a row would need to stop, within its bound; no force where nothing can move it
FN real slide_row(real f, real u, real w, real bound) {
    mask moves = w > R(1e-15);
    return sel(moves, clamp(f - u / sel(moves, w, splat(1)), -bound, bound), splat(0));
}

// L of a symmetric n x n matrix + λ in place, inverse diagonal in inv; where it has no rank: false
FN mask small_factor(int n, real *M, real lambda, real *inv) {
    mask full = lane_true();
    for (int j = 0; j < n; j++) {
        real diagonal = M[j * n + j] + lambda, t = diagonal;
        for (int k = 0; k < j; k++) t = t - M[j * n + k] * M[j * n + k];
        mask positive = t > R(1e-12) * diagonal;
        full = full & positive;
        inv[j] = R(1) / vsqrt(sel(positive, t, splat(1)));
        for (int i = j + 1; i < n; i++) {
            real s = M[i * n + j];
            for (int k = 0; k < j; k++) s = s - M[i * n + k] * M[j * n + k];
            M[i * n + j] = s * inv[j];
        }
    }
    return full;
}
FN void small_solve(int n, const real *M, const real *inv, real *x) {
    for (int j = 0; j < n; j++) {
        real t = x[j];
        for (int k = 0; k < j; k++) t = t - M[j * n + k] * x[k];
        x[j] = t * inv[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        real t = x[j];
        for (int k = j + 1; k < n; k++) t = t - M[k * n + j] * x[k];
        x[j] = t * inv[j];
    }
}

// min ½ vᵀ Q v + bᵀ v with |v| <= radius: v = -(Q + λ)⁻¹ b, λ >= 0 by Newton's method on 1/|v|
FN void ball_minimum(int n, const real *Q, const real *b, real radius, real *v) {
    real lambda = splat(0);
    mask open = lane_true();
    for (int k = 0; k < n; k++) v[k] = splat(0);
    for (int it = 0; it < 20 && any(open); it++) {
        real M[25], inv[5], at[5], bent[5], square = splat(0), slope = splat(0);
        for (int k = 0; k < n * n; k++) M[k] = Q[k];
        mask full = small_factor(n, M, lambda, inv);
        for (int k = 0; k < n; k++) at[k] = -b[k];
        small_solve(n, M, inv, at);
        for (int k = 0; k < n; k++) bent[k] = at[k], square = square + at[k] * at[k];
        small_solve(n, M, inv, bent);
        for (int k = 0; k < n; k++) {
            slope = slope + at[k] * bent[k];
            v[k] = sel(open, sel(full, at[k], splat(0)), v[k]);
        }
        real size = vsqrt(square);
        open = open & full & (size > radius * R(1 + 1e-12));
        // 1/|v| is nearly straight in λ, and concave: from below there is no overshoot
        lambda = sel(open, lambda + (size / radius - R(1)) * square / sel(open, slope, splat(1)), lambda);
    }
    real square = splat(0);
    for (int k = 0; k < n; k++) square = square + v[k] * v[k];
    mask outside = square > radius * radius;
    real fit = radius / vsqrt(sel(outside, square, splat(1)));
    for (int k = 0; k < n; k++) v[k] = sel(outside, v[k] * fit, v[k]);
}

FN void slide_cone(int dim, const real *n, const real *W, const real *u, const real *f, real *next) {
    const int tangents = dim - 1;
    real Q[25], b[5], v[5], radius = f[0];
    mask pressed = radius > R(1e-15);
    for (int j = 0; j < tangents; j++) {
        const real mj = n[N_MU + j];
        b[j] = u[j + 1];
        for (int k = 0; k < tangents; k++) {
            Q[j * tangents + k] = W[(j + 1) * dim + k + 1] * mj * n[N_MU + k];
            b[j] = b[j] - W[(j + 1) * dim + k + 1] * f[k + 1];
        }
        b[j] = b[j] * mj;
    }
    ball_minimum(tangents, Q, b, sel(pressed, radius, splat(1)), v);
    for (int k = 0; k < tangents; k++) next[k + 1] = sel(pressed, v[k] * n[N_MU + k], splat(0));
}

// one row after the other; each pair of edges keeps its sum
FN void slide_pyramid(int dim, const real *n, const real *y, const real *W, const real *u, const real *f, real *next) {
    real edges[MOST_DUALS], now[6];
    pyramid_duals(dim, n, y, edges);
    for (int r = 0; r < dim; r++) now[r] = u[r];
    for (int k = 1; k < dim; k++) {
        next[k] = slide_row(f[k], now[k], W[k * dim + k], n[N_MU + k - 1] * (edges[2 * k - 2] + edges[2 * k - 1]));
        for (int r = 0; r < dim; r++) now[r] = now[r] + W[r * dim + k] * (next[k] - f[k]);
    }
}

// ---- sweeps --------------------------------------------------------------------------------------------------------

// better friction of one constraint of `dim` rows in the lanes of `run`; returns how much it gains
FN real noslip_rows(const tx_problem *p, int i, int dim, mask run) {
    const tx_constraint *c = &p->cons[i];
    const real *n = numbers_of(p, i), *W = &AT(p->dual->block, 6 * c->row), *y = &AT(p->y, c->row);
    real *gamma = &AT(p->gamma, c->row), *z = ARRAY(p->dual->z), u[6], next[6], change[6] = {n[0]};
    for (int k = 0; k < dim; k++) {
        u[k] = AT(p->Jsearch, c->row + k) - n[N_A + k];
        next[k] = gamma[k];
    }
    B_row(p, i, dim, z, u);
    if (c->kernel == KERNEL_clamped) next[0] = slide_row(gamma[0], u[0], W[0], n[N_BOUND]);
    else if (c->kernel == KERNEL_pyramid) slide_pyramid(dim, n, y, W, u, gamma, next);
    else slide_cone(dim, n, W, u, gamma, next);

    const mask acts = run & (n[N_D] > R(0));
    for (int k = 0; k < dim; k++) {
        change[k] = sel(acts, next[k] - gamma[k], splat(0));
        gamma[k] = sel(acts, next[k], gamma[k]);
    }
    B_push(p, i, dim, change, z);
    return sel(acts, force_gain(dim, W, u, change), splat(0));
}

// the usual sizes as constants: their short loops are then no loops
FN real noslip_constraint(const tx_problem *p, int i, mask run) {
    const int dim = p->cons[i].dim;
    if (dim == 3) return noslip_rows(p, i, 3, run);
    return dim == 1 ? noslip_rows(p, i, 1, run) : noslip_rows(p, i, dim, run);
}

// ½ fᵀ R f of all rows: what leaving the softness out changes in the cost, which MuJoCo counts in the first sweep
FN real softness_cost(const tx_problem *p) {
    real sum = splat(0);
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        const real *n = numbers_of(p, p->list[v]), *f = &AT(p->gamma, c->row);
        const mask acts = n[N_D] > R(0);
        if (c->kernel == KERNEL_pyramid) {
            real edges[MOST_DUALS];
            pyramid_duals(c->dim, n, &AT(p->y, c->row), edges);
            for (int k = 0; k < 2 * c->dim - 2; k++)
                sum = sum + sel(acts, R(0.5) * edges[k] * edges[k] / sel(acts, n[N_D], splat(1)), splat(0));
            continue;
        }
        for (int k = 0; k < c->dim; k++) {
            real D = c->kernel == KERNEL_quadratic ? quadratic_D(n, k)
                     : c->kernel == KERNEL_cone    ? cone_D(n, k)
                                                   : n[N_D];
            mask soft = acts & (D > R(0));
            sum = sum + sel(soft, R(0.5) * f[k] * f[k] / sel(soft, D, splat(1)), splat(0));
        }
    }
    return sum;
}

// x from the forces alone
FN void motion_of_forces(const tx_problem *p) {
    real *x = ARRAY(p->x);
    J_mul_transposed(p, ARRAY(p->gamma), ARRAY(p->force));
    EACH_DOF(p, d) x[d] = AT(p->force, d);
    A_solve(p, x);
    EACH_DOF(p, d) x[d] = x[d] + AT(p->x_star, d);
}

// scale: of the cost of the whole problem, whatever the view sees
STAGE void noslip(const tx_problem *p, real scale) {
    real gain = softness_cost(p), last = splat(0);
    mask run = lane_true();
    motion_of_forces(p);
    J_mul(p, ARRAY(p->x), ARRAY(p->Jsearch));
    EACH_DOF(p, d) AT(p->dual->z, d) = splat(0), AT(p->dual->half_inv, d) = vsqrt(AT(p->Linv, d));
    for (int v = 0; v < p->listed; v++)
        if (has_slip(&p->cons[p->list[v]])) noslip_weigh(p, p->list[v]);
    for (int it = 0; it < p->opt.noslip_iterations && any(run); it++) {
        for (int v = 0; v < p->listed; v++)
            if (has_slip(&p->cons[p->list[v]])) gain = gain + noslip_constraint(p, p->list[v], run);
        last = sel(run, gain * scale, last);
        run = run & gains_enough(gain, scale, p->opt.noslip_tolerance);
        gain = splat(0);
    }
    motion_of_forces(p);
    AT(p->noslip_gain, 0) = vmax(AT(p->noslip_gain, 0), last);
}
