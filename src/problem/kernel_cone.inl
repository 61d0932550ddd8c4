// kernel_cone.inl - the elliptic friction cone: `soft` with cone="elliptic", and `sap`. docs/problem.md. lanes: any
//
// With u = y - a, N = μ u₀, U_k = μ_k u_k, T = |U| and μ = N_CONE, the force is the point of the friction cone nearest
// to -D u in the metric 1/D, D_k = D₀ μ_k²/μ²: none where N >= μ T, -D u itself where μ N + T <= 0, and between the two
// a point of the surface, of a cost ½ D₀ / (μ² (1 + μ²)) (N - μ T)².
#pragma once
#include "problem/kernels.inl"

FN real cone_D(const real *n, int k) {
    if (k == 0) return n[N_D];
    real ratio = n[N_MU + k - 1] / n[N_CONE];
    return n[N_D] * ratio * ratio;
}

// where u is: N, T and the two borders of the surface
typedef struct cone_place {
    real U[6], N, T, over_T, mu, Dm;
    mask top, bottom;
} cone_place;

FN cone_place cone_at(const real *n, int dim, const real *u) {
    cone_place c;
    real square = splat(0);
    c.mu = n[N_CONE];
    c.N = c.mu * u[0];
    for (int k = 1; k < dim; k++) {
        c.U[k] = n[N_MU + k - 1] * u[k];
        square = square + c.U[k] * c.U[k];
    }
    c.T = vsqrt(square);
    c.over_T = R(1) / sel(c.T > R(0), c.T, splat(1));
    c.Dm = n[N_D] / (c.mu * c.mu * (R(1) + c.mu * c.mu));
    c.top = c.N >= c.mu * c.T;
    c.bottom = (c.mu * c.N + c.T <= R(0)) & not_(c.top);
    return c;
}

// force at u and, unless G is null, its negative derivative
FN void cone_force_at(int dim, const real *n, const real *u, real *f, real *G) {
    cone_place c = cone_at(n, dim, u);
    mask none = c.top, all = c.bottom;
    real surface = -(c.Dm * (c.N - c.mu * c.T) * c.mu);
    f[0] = sel(none, splat(0), sel(all, -(n[N_D] * u[0]), surface));
    for (int k = 1; k < dim; k++) {
        real side = -(surface * c.over_T * c.U[k] * n[N_MU + k - 1]);
        f[k] = sel(none, splat(0), sel(all, -(cone_D(n, k) * u[k]), side));
    }
    if (!G) return;
    real third = c.mu * c.N * c.over_T * c.over_T * c.over_T, round = c.mu * c.mu - c.mu * c.N * c.over_T;
    for (int j = 0; j < dim; j++)
        for (int k = j; k < dim; k++) {
            real sj = j ? n[N_MU + j - 1] : c.mu, sk = k ? n[N_MU + k - 1] : c.mu, h;
            if (k == 0) h = splat(1);
            else if (j == 0) h = -(c.mu * c.U[k] * c.over_T);
            else h = third * c.U[j] * c.U[k] + (j == k ? round : splat(0));
            real inside = j == k ? cone_D(n, k) : splat(0);
            G[j * dim + k] = G[k * dim + j] = sel(none, splat(0), sel(all, inside, c.Dm * sj * sk * h));
        }
}

FN void cone_force(int dim, const real *n, const real *y, real *gamma, real *G) {
    real u[6] = {y[0]};
    for (int k = 0; k < dim; k++) u[k] = y[k] - n[N_A + k];
    cone_force_at(dim, n, u, gamma, G);
}

FN real cone_cost(int dim, const real *n, const real *y) {
    real u[6] = {y[0]}, inside = splat(0);
    for (int k = 0; k < dim; k++) {
        u[k] = y[k] - n[N_A + k];
        inside = inside + R(0.5) * cone_D(n, k) * u[k] * u[k];
    }
    cone_place at = cone_at(n, dim, u);
    real gap = at.N - at.mu * at.T;
    return sel(at.top, splat(0), sel(at.bottom, inside, R(0.5) * at.Dm * gap * gap));
}

// on the surface the cost depends on g = N - μ T alone: g' = μ s₀ - μ (U·S)/T, g'' = -μ (|S|² - (U·S)²/T²)/T
FN void cone_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
    real u[6] = {y[0]}, first = splat(0), second = splat(0), along = splat(0), square = splat(0);
    for (int k = 0; k < dim; k++) {
        real Ds = cone_D(n, k) * s[k];
        u[k] = y[k] - n[N_A + k];
        first = first + u[k] * Ds;
        second = second + s[k] * Ds;
    }
    cone_place c = cone_at(n, dim, u);
    for (int k = 1; k < dim; k++) {
        real S = n[N_MU + k - 1] * s[k];
        along = along + c.U[k] * S;
        square = square + S * S;
    }
    real T1 = along * c.over_T, T2 = (square - T1 * T1) * c.over_T, gap = c.N - c.mu * c.T, g1 = c.mu * (s[0] - T1);
    real d1 = c.Dm * gap * g1, d2 = c.Dm * (g1 * g1 - gap * c.mu * T2);
    sum->first = sum->first + sel(c.top, splat(0), sel(c.bottom, first, d1));
    sum->second = sum->second + sel(c.top, splat(0), sel(c.bottom, second, d2));
}

FN void cone_duals(int dim, const real *n, const real *y, real *lambda) { cone_force(dim, n, y, lambda, NULL); }

// f - P((f - ρ u) / (1 + ρ R)) with ρ R the same for all rows, so that P, the projection in the metric R, is the force
// at -R times its argument
FN void cone_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    real at[6] = {y[0]}, projected[6], rest = n[N_REST];
    for (int k = 0; k < dim; k++) {
        real D = cone_D(n, k), u = y[k] - n[N_A + k];
        at[k] = -((lambda[k] - rest * D * u) / (R(1) + rest)) / sel(D > R(0), D, splat(1));
    }
    cone_force_at(dim, n, at, projected, NULL);
    for (int k = 0; k < dim; k++)
        add_defect(sum, lambda[k] - projected[k], rest * cone_D(n, k), y_free[k] - n[N_A + k]);
}
