// slip.inl - friction in Newton's method for velocities: the share w of it that is used is kept beside the slip, as in
// the primal-dual method for sums of norms (Chan, Golub and Mulet 1999). docs/newton.md. lanes: any
//
// With U_k = μ_k u_k friction is -p μ τ, τ = U / Q: Q is |U|, or for small slips the length at which it would slip, and
// p the normal impulse it belongs to. The derivative of τ forgets that τ turns round where U does; that of Q w = U with
// a w of its own does not, and is the same at the solution, where w = τ.
#pragma once
#include "problem/kernel_table.inl"

// whether friction of a constraint has a direction
FN bool has_slip_direction(const tx_constraint *c) {
    return c->dim > 1 && (c->kernel == KERNEL_cone || c->kernel == KERNEL_similar || c->kernel == KERNEL_lagged);
}

// 1 / Q and p at y, where the forces are f; p = 0 where the kernel's own derivative is the right one: a cone that
// sticks
typedef struct slip_place {
    real over, push;
} slip_place;

FN slip_place slip_at(int kernel, int dim, const real *n, const real *y, const real *f) {
    real square = kernel == KERNEL_cone ? splat(0) : n[N_SLIP] * n[N_SLIP], Q, push;
    for (int k = 1; k < dim; k++) {
        const real U = n[N_MU + k - 1] * (y[k] - n[N_A + k]);
        square = square + U * U;
    }
    Q = vsqrt(square);
    if (kernel == KERNEL_cone) {
        const real mu = n[N_CONE], most = -(mu * mu * (y[0] - n[N_A]));
        push = sel(Q > most, f[0], splat(0));
        Q = vmax(Q, most);
    } else push = kernel == KERNEL_lagged ? n[N_LAST] : f[0];
    return (slip_place){R(1) / sel(Q > R(0), Q, splat(1)), push};
}

// w after a direction s of which `step` was taken to y: towards τ + (μs - w (τ·μs)) / Q, where the whole direction
// leads, half of the way at least, and no longer than 1. over: 1 / Q where the direction began
FN void follow_slip(int dim, const real *n, const real *y, const real *s, real step, real over, real *w) {
    real tau[6] = {step}, ahead[6] = {step}, along = splat(0), square = splat(0);
    const real share = R(0.5) + R(0.5) * vmin(step, splat(1));
    for (int k = 1; k < dim; k++) {
        const real mu = n[N_MU + k - 1];
        tau[k] = mu * ((y[k] - n[N_A + k]) - step * s[k]) * over;
        ahead[k] = mu * s[k] * over;
        along = along + tau[k] * ahead[k];
    }
    for (int k = 1; k < dim; k++) {
        w[k] = w[k] + share * ((tau[k] + (ahead[k] - w[k] * along)) - w[k]);
        square = square + w[k] * w[k];
    }
    const real fit = R(1) / vsqrt(vmax(square, splat(1)));
    for (int k = 1; k < dim; k++) w[k] = w[k] * fit;
}

// G with the derivative p (μ² - sym(w τᵀ) μμ) / Q of friction in place of p (μ² - τ τᵀ μμ) / Q
FN void add_slip(int dim, const real *n, const real *y, const real *w, slip_place at, real *G) {
    real tau[6] = {y[0]}, lack[6] = {y[0]};
    const real half = R(0.5) * at.push * at.over;
    for (int k = 1; k < dim; k++) {
        const real mu = n[N_MU + k - 1], t = mu * (y[k] - n[N_A + k]) * at.over;
        tau[k] = mu * t;
        lack[k] = half * (mu * (t - w[k]));
    }
    for (int j = 1; j < dim; j++)
        for (int k = j; k < dim; k++) {
            const real g = tau[j] * lack[k] + lack[j] * tau[k];
            G[j * dim + k] = G[j * dim + k] + g;
            if (j != k) G[k * dim + j] = G[k * dim + j] + g;
        }
}

// brings w to y, and G to w: f are the forces at y, s is where the last direction led. first: nothing is known yet, w =
// 0; w[0]: 1 / Q
FN void slip_hessian(int kernel, int dim, const real *n, const real *y, const real *s, const real *f, bool first,
                     real step, real *w, real *G) {
    if (first)
        for (int k = 1; k < dim; k++) w[k] = splat(0);
    else follow_slip(dim, n, y, s, step, w[0], w);
    const slip_place at = slip_at(kernel, dim, n, y, f);
    w[0] = at.over;
    add_slip(dim, n, y, w, at, G);
}

// Acceleration problems: friction that the last direction s would have stopped or turned round gets, along itself, the
// curvature with which it would vanish where the slip does: the true one is next to none, and the next direction would
// again go too far. `step` of s led to y, where the forces are f. docs/newton.md
FN void add_secant(int dim, const real *n, const real *y, const real *s, const real *f, real step, real *G) {
    real u[6] = {y[0]}, ahead = splat(0), square = splat(0), push = splat(0), present = splat(0);
    for (int k = 1; k < dim; k++) {
        u[k] = y[k] - n[N_A + k];
        const real before = u[k] - step * s[k];
        ahead = ahead + before * (before + s[k]), square = square + before * before;
        push = push - f[k] * u[k];
    }
    for (int j = 1; j < dim; j++)
        for (int k = 1; k < dim; k++) present = present + u[j] * G[j * dim + k] * u[k];
    const real lack = push - present;
    const mask turns = (ahead < R(0.5) * square) & (lack > R(1e-3) * push);
    if (!any(turns)) return;
    const real scale = sel(turns, lack / sel(turns, push * push, splat(1)), splat(0));
    for (int j = 1; j < dim; j++)
        for (int k = 1; k < dim; k++) G[j * dim + k] = sel(turns, G[j * dim + k] + scale * f[j] * f[k], G[j * dim + k]);
}
