// duals.inl - dual variables λ of one constraint: their number, forces γ = Eᵀλ, motions u = E (y - a) + R λ, the set
// they live in and the units in which it is round. docs/solvers.md. lanes: any
//
// A pyramid has one variable an edge, u₀ ± μ_k u_k; all others have γ itself.
#pragma once
#include "problem/kernel_table.inl"
#include "problem/local_cone.inl"

FN int dual_count(const tx_constraint *c) { return c->kernel == KERNEL_pyramid ? 2 * c->dim - 2 : c->dim; }
FN bool has_cone(int kernel) { return kernel == KERNEL_cone || kernel == KERNEL_coulomb || kernel == KERNEL_ccp; }
FN mask dual_acts(const real *n) { return n[N_D] > R(0); }

// softness of variable k, zero where it does not act
FN real dual_softness(int kernel, const real *n, int k) {
    if (tx_kernel_is_hard(kernel)) return n[N_E];
    real D = kernel == KERNEL_quadratic ? quadratic_D(n, k) : kernel == KERNEL_cone ? cone_D(n, k) : n[N_D];
    mask stiff = D > R(0);
    return sel(stiff, R(1) / sel(stiff, D, splat(1)), splat(0));
}

FN void dual_forces(int kernel, int dim, const real *n, const real *lambda, real *gamma) {
    if (kernel != KERNEL_pyramid) {
        for (int k = 0; k < dim; k++) gamma[k] = lambda[k];
        return;
    }
    gamma[0] = splat(0);
    for (int k = 1; k < dim; k++) {
        gamma[0] = gamma[0] + (lambda[2 * k - 2] + lambda[2 * k - 1]);
        gamma[k] = n[N_MU + k - 1] * (lambda[2 * k - 2] - lambda[2 * k - 1]);
    }
}

// E y
FN void dual_motions(int kernel, int dim, const real *n, const real *y, real *u) {
    if (kernel != KERNEL_pyramid) {
        for (int k = 0; k < dim; k++) u[k] = y[k];
        return;
    }
    for (int k = 1; k < dim; k++) {
        real t = n[N_MU + k - 1] * y[k];
        u[2 * k - 2] = y[0] + t;
        u[2 * k - 1] = y[0] - t;
    }
}

// units: λ = S v with S scaling (W + R) to a diagonal near one, the same for all rows of a cone. W is dim x dim
FN void dual_units(int kernel, int dim, const real *n, const real *W, real *S) {
    const mask acts = dual_acts(n);
    if (has_cone(kernel)) {
        real s[6] = {n[0]}, trace = splat(0);
        cone_opening(dim, n, s);
        for (int k = 0; k < dim; k++) trace = trace + s[k] * s[k] * (W[k * dim + k] + dual_softness(kernel, n, k));
        mask moves = acts & (trace > R(0));
        real unit = vsqrt(R(dim) / sel(moves, trace, splat(1)));
        for (int k = 0; k < dim; k++) S[k] = sel(moves, s[k] * unit, splat(0));
        return;
    }
    for (int k = 0; k < (kernel == KERNEL_pyramid ? 2 * dim - 2 : dim); k++) {
        real w = W[k * dim + k];
        if (kernel == KERNEL_pyramid) {
            const int row = 1 + k / 2;
            real mu = n[N_MU + row - 1], cross = mu * (W[row] + W[row * dim]);
            w = W[0] + mu * mu * W[row * dim + row];
            w = k % 2 ? w - cross : w + cross;
        }
        w = w + dual_softness(kernel, n, k);
        mask moves = acts & (w > R(0));
        S[k] = sel(moves, R(1) / vsqrt(sel(moves, w, splat(1))), splat(0));
    }
}

// the nearest point of the set, in those units
FN void dual_project(int kernel, int dim, const real *n, const real *S, real *v) {
    if (has_cone(kernel)) {
        real s[6] = {n[0]};
        cone_near(dim, cone_opening(dim, n, s), v);
    } else if (kernel == KERNEL_clamped) {
        mask moves = S[0] > R(0);
        real bound = n[N_BOUND] / sel(moves, S[0], splat(1));
        v[0] = clamp(v[0], -bound, bound);
    } else if (kernel != KERNEL_quadratic)
        for (int k = 0; k < (kernel == KERNEL_pyramid ? 2 * dim - 2 : 1); k++) v[k] = vmax(v[k], splat(0));
}

// De Saxcé's shift μ|u_t| of a contact that has one
FN real dual_shift(int kernel, int dim, const real *n, const real *u) {
    if (kernel != KERNEL_coulomb) return splat(0);
    real s[6] = {u[0]}, round[6] = {u[0]}, mu = cone_opening(dim, n, s);
    for (int k = 0; k < dim; k++) round[k] = s[k] * u[k];
    return mu * tangent_length(dim, round);
}

// ---- one constraint after the other --------------------------------------------------------------------------------

// all rows at once, (W + R) δ = -u: a joint is solved as a block; relaxation: so much of the step is made, 0 to 2
FN void visit_quadratic(int dim, const real *n, const real *W, const real *u, num relaxation, real *lambda) {
    real K[36] = {u[0]}, step[6] = {u[0]};
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j <= i; j++) K[i * dim + j] = W[i * dim + j];
        K[i * dim + i] = K[i * dim + i] + dual_softness(KERNEL_quadratic, n, i);
        mask moves = K[i * dim + i] > R(0);
        K[i * dim + i] = sel(moves, K[i * dim + i], splat(1));
        step[i] = sel(moves, -u[i], splat(0));
    }
    tangent_factor(dim, K);
    tangent_solve(dim, K, step);
    for (int k = 0; k < dim; k++) lambda[k] = lambda[k] + relaxation * step[k];
}

FN real scalar_step(real w, real u) {
    mask moves = w > R(0);
    return sel(moves, u / sel(moves, w, splat(1)), splat(0));
}

// whether the weights of a pyramid are kept behind its W: of those that there are many of
FN bool keeps_weights(int kernel, int dim) { return kernel == KERNEL_pyramid && dim == 3; }

// of a pyramid: its softness, and what a step of each edge is per motion of the edge
FN void pyramid_weights(int dim, const real *n, const real *W, real *weights) {
    weights[0] = dual_softness(KERNEL_pyramid, n, 0);
    for (int e = 0; e < 2 * dim - 2; e++) {
        const int row = 1 + e / 2;
        real mu = e % 2 ? -n[N_MU + row - 1] : n[N_MU + row - 1];
        real w = (W[0] + mu * (W[row] + W[row * dim])) + mu * mu * W[row * dim + row];
        weights[1 + e] = scalar_step(w + weights[0], splat(1));
    }
}

// each edge in its turn; y moves along
FN void visit_pyramid(int dim, const real *n, const real *W, const real *weights, const real *y, num relaxation,
                      real *lambda) {
    real at[6] = {y[0]};
    for (int k = 0; k < dim; k++) at[k] = y[k] - n[N_A + k];
    for (int e = 0; e < 2 * dim - 2; e++) {
        const int row = 1 + e / 2;
        real mu = e % 2 ? -n[N_MU + row - 1] : n[N_MU + row - 1];
        real u = (at[0] + mu * at[row]) + weights[0] * lambda[e];
        real to = vmax(lambda[e] - relaxation * (weights[1 + e] * u), splat(0)), step = to - lambda[e];
        lambda[e] = to;
        for (int k = 0; k < dim; k++) at[k] = at[k] + (W[k * dim] + mu * W[k * dim + row]) * step;
    }
}

// sequential impulses: the normal first, then friction by a disk of its radius (one step for both tangents, so that
// what slides is not turned), or row by row
FN void visit_impulses(int dim, const real *n, const real *W, const real *u, bool box, real *lambda) {
    real at[6] = {u[0]}, s[6] = {u[0]}, before[6] = {u[0]}, steepest = splat(0);
    cone_opening(dim, n, s);
    for (int k = 0; k < dim; k++) at[k] = u[k], before[k] = lambda[k];
    lambda[0] = vmax(lambda[0] - scalar_step(W[0] + n[N_E], at[0]), splat(0));
    real step = lambda[0] - before[0];
    for (int k = 1; k < dim; k++) {
        at[k] = at[k] + W[k * dim] * step;
        steepest = vmax(steepest, s[k] * s[k] * (W[k * dim + k] + n[N_E]));
    }
    if (box) {
        for (int k = 1; k < dim; k++) {
            real bound = n[N_MU + k - 1] * lambda[0];
            real to = clamp(lambda[k] - scalar_step(W[k * dim + k] + n[N_E], at[k]), -bound, bound);
            step = to - lambda[k];
            lambda[k] = to;
            for (int j = k + 1; j < dim; j++) at[j] = at[j] + W[j * dim + k] * step;
        }
        return;
    }
    real square = splat(0), mu = cone_opening(dim, n, s), g[6] = {u[0]};
    for (int k = 1; k < dim; k++) {
        mask drops = not_(s[k] > R(0));
        g[k] = sel(drops, splat(0), lambda[k] / sel(drops, splat(1), s[k])) - scalar_step(steepest, s[k] * at[k]);
        square = square + g[k] * g[k];
    }
    real length = vsqrt(square), rim = mu * lambda[0];
    real shrink = sel(length > rim, rim / sel(length > R(0), length, splat(1)), splat(1));
    for (int k = 1; k < dim; k++) lambda[k] = s[k] * g[k] * shrink;
}

// one step of the projected gradient on the cone alone
FN void visit_cone_step(int kernel, int dim, const real *n, const real *W, const real *u, real *lambda) {
    real S[6] = {u[0]}, v[6] = {u[0]};
    dual_units(kernel, dim, n, W, S);
    for (int k = 0; k < dim; k++) {
        mask drops = not_(S[k] > R(0));
        v[k] = sel(drops, splat(0), lambda[k] / sel(drops, splat(1), S[k])) - S[k] * u[k];
    }
    dual_project(kernel, dim, n, S, v);
    for (int k = 0; k < dim; k++) lambda[k] = S[k] * v[k];
}

// λ of one constraint from the motion y that it has with all forces as they are. exact: cones by local_cone();
// relaxation: of what has no cone. weights: of a pyramid, null where they are not kept
FN void dual_visit(int kernel, int dim, const real *n, const real *W, const real *weights, const real *y, bool exact,
                   num relaxation, real *lambda) {
    const mask acts = dual_acts(n);
    real u[6] = {y[0]}, was[MOST_DUALS] = {y[0]};
    const int count = kernel == KERNEL_pyramid ? 2 * dim - 2 : dim;
    for (int k = 0; k < count; k++) was[k] = lambda[k];
    if (kernel == KERNEL_pyramid) {
        real own[1 + MOST_DUALS] = {y[0]};
        if (!weights) pyramid_weights(dim, n, W, own);
        visit_pyramid(dim, n, W, weights ? weights : own, y, relaxation, lambda);
    } else
        for (int k = 0; k < dim; k++) u[k] = (y[k] - n[N_A + k]) + dual_softness(kernel, n, k) * lambda[k];
    if (kernel == KERNEL_quadratic) visit_quadratic(dim, n, W, u, relaxation, lambda);
    if (kernel == KERNEL_one_sided)
        lambda[0] = vmax(lambda[0] - relaxation * scalar_step(W[0] + dual_softness(kernel, n, 0), u[0]), splat(0));
    if (kernel == KERNEL_clamped)
        lambda[0] = clamp(lambda[0] - relaxation * scalar_step(W[0] + dual_softness(kernel, n, 0), u[0]), -n[N_BOUND],
                          n[N_BOUND]);
    if (kernel == KERNEL_box) visit_impulses(dim, n, W, u, true, lambda);
    if (kernel == KERNEL_coulomb && !exact) visit_impulses(dim, n, W, u, false, lambda);
    if (kernel == KERNEL_ccp && !exact) visit_cone_step(kernel, dim, n, W, u, lambda);
    if (kernel == KERNEL_cone || (exact && has_cone(kernel))) {
        real N[36] = {y[0]}, q[6] = {y[0]};
        for (int i = 0; i < dim; i++) {
            q[i] = u[i];
            for (int j = 0; j < dim; j++) N[i * dim + j] = R(0.5) * (W[i * dim + j] + W[j * dim + i]);
            N[i * dim + i] = N[i * dim + i] + dual_softness(kernel, n, i);
            for (int j = 0; j < dim; j++) q[i] = q[i] - N[i * dim + j] * was[j];
        }
        local_cone(dim, n, N, q, kernel == KERNEL_coulomb, acts, lambda);
    }
    for (int k = 0; k < count; k++) lambda[k] = sel(acts, lambda[k], splat(0));
}
