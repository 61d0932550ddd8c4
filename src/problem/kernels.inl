// kernels.inl - convex costs ℓ(y) of one constraint, y = J x: force γ = -∂ℓ/∂y, Hessian G = -∂γ/∂y >= 0, slope along a
// line, dual variables and their natural map. docs/problem.md, docs/residual.md. lanes: any
//
// A kernel knows its numbers n and its rows, nothing of what made them. Where it does not act D is zero.
//   quadratic  ½ D (y - a)² in every row: equalities
//   one_sided  the same while y < a: limits, contacts without friction
//   clamped    the same, but the force is at most a bound: dry friction
//   pyramid    one_sided along the edges u₀ ± μ_k u_k, u = y - a
//   cone       the point of the friction cone nearest to -D u in the metric 1/D (kernel_cone.inl)
//   similar, lagged  Hunt & Crossley's contacts with smooth friction (kernel_hunt.inl)
#pragma once
#include "lane/row.h"
#include "problem/problem.h"

enum {
    N_D = TX_NUMBER_D,
    N_REST = TX_NUMBER_REST,
    N_MU = TX_NUMBER_MU,
    N_BOUND = TX_NUMBER_BOUND,
    N_D2 = TX_NUMBER_D2,
    N_D_ROW = TX_NUMBER_D_ROW,
    N_A = TX_NUMBER_A,
    N_CONE = TX_NUMBER_CONE,
    N_SLIP = TX_NUMBER_SLIP,
    N_DISSIPATION = TX_NUMBER_DISSIPATION,
    N_LAST = TX_NUMBER_LAST
};

// what the solve error adds up: squared defects, and the scale of the motion that there is to change
typedef struct defect_sum {
    real defect, scale;
    num floor; // smallest change of y² that counts
} defect_sum;

// a dual variable's natural map f - to, weighted by 1/ρ
FN void add_defect(defect_sum *sum, real map, real rho, real u_free) {
    mask acts = rho > R(0);
    sum->defect = sum->defect + sel(acts, map * map / sel(acts, rho, splat(1)), splat(0));
    sum->scale = sum->scale + sel(acts, rho * (u_free * u_free + sum->floor), splat(0));
}
// the solve error; zero where nothing acts, no number where the free motion is none or infinite
FN real defect_ratio(const defect_sum *sum) {
    mask still = sum->scale <= R(0);
    real nothing = sum->scale - sum->scale;
    return sel(still, splat(0), vsqrt(sum->defect / sel(still, splat(1), sum->scale)) + nothing);
}

// first and second derivative of a cost along a line, to be added up
typedef struct slope_sum {
    real first, second;
} slope_sum;

// ---- quadratic ------------------------------------------------------------------------------------------------------

FN real quadratic_D(const real *n, int k) {
    real three = k < 3 ? n[N_D] : n[N_D2];
    if (k % 3 == 0) return three;
    real own = n[N_D_ROW + k - (k < 3 ? 1 : 2)];
    return sel(own > R(0), own, three);
}

FN void quadratic_force(int dim, const real *n, const real *y, real *gamma, real *G) {
    for (int k = 0; G && k < dim * dim; k++) G[k] = splat(0);
    for (int k = 0; k < dim; k++) {
        real D = quadratic_D(n, k);
        gamma[k] = D * (n[N_A + k] - y[k]);
        if (G) G[k * dim + k] = D;
    }
}

FN real quadratic_cost(int dim, const real *n, const real *y) {
    real sum = splat(0);
    for (int k = 0; k < dim; k++) {
        real u = y[k] - n[N_A + k];
        sum = sum + R(0.5) * quadratic_D(n, k) * u * u;
    }
    return sum;
}

FN void quadratic_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
    for (int k = 0; k < dim; k++) {
        real D = quadratic_D(n, k), Ds = D * s[k];
        sum->first = sum->first + (y[k] - n[N_A + k]) * Ds;
        sum->second = sum->second + s[k] * Ds;
    }
}

FN void quadratic_duals(int dim, const real *n, const real *y, real *lambda) {
    quadratic_force(dim, n, y, lambda, NULL);
}

FN void quadratic_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free,
                         defect_sum *sum) {
    for (int k = 0; k < dim; k++) {
        real D = quadratic_D(n, k), rho = D * n[N_REST], a = n[N_A + k], f = lambda[k];
        real to = (f - rho * (y[k] - a)) * D / sel(rho > R(0), D + rho, splat(1));
        add_defect(sum, f - to, rho, y_free[k] - a);
    }
}

// ---- one_sided ------------------------------------------------------------------------------------------------------

// an edge that pushes while u < 0; stiffness: its derivative
FN real edge_force(const real *n, real u, real *stiffness) {
    mask pushes = u < R(0);
    *stiffness = sel(pushes, n[N_D], splat(0));
    return sel(pushes, -(n[N_D] * u), splat(0));
}
FN real edge_cost(const real *n, real u) { return sel(u < R(0), R(0.5) * n[N_D] * u * u, splat(0)); }
FN void edge_slope(const real *n, real u, real s, slope_sum *sum) {
    real stiffness, f = edge_force(n, u, &stiffness);
    sum->first = sum->first - f * s;
    sum->second = sum->second + s * s * stiffness;
}
// f - P((f - ρ u) / (1 + ρ R)), P onto the forces that push
FN void edge_defect(const real *n, real f, real u, real u_free, defect_sum *sum) {
    real D = n[N_D], rho = D * n[N_REST];
    real to = (f - rho * u) * D / sel(rho > R(0), D + rho, splat(1));
    add_defect(sum, f - vmax(to, splat(0)), rho, u_free);
}

FN void one_sided_force(int dim, const real *n, const real *y, real *gamma, real *G) {
    (void)dim;
    real stiffness;
    gamma[0] = edge_force(n, y[0] - n[N_A], &stiffness);
    if (G) G[0] = stiffness;
}
FN real one_sided_cost(int dim, const real *n, const real *y) {
    (void)dim;
    return edge_cost(n, y[0] - n[N_A]);
}
FN void one_sided_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
    (void)dim;
    edge_slope(n, y[0] - n[N_A], s[0], sum);
}
FN void one_sided_duals(int dim, const real *n, const real *y, real *lambda) {
    one_sided_force(dim, n, y, lambda, NULL);
}
FN void one_sided_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free,
                         defect_sum *sum) {
    (void)dim;
    edge_defect(n, lambda[0], y[0] - n[N_A], y_free[0] - n[N_A], sum);
}

// ---- clamped --------------------------------------------------------------------------------------------------------

// a force that resists motion either way, up to its bound
FN real clamped_edge(const real *n, real u, real *stiffness) {
    real bound = n[N_BOUND], f = -(n[N_D] * u);
    *stiffness = sel(vabs(f) < bound, n[N_D], splat(0));
    return clamp(f, -bound, bound);
}
FN void clamped_force(int dim, const real *n, const real *y, real *gamma, real *G) {
    (void)dim;
    real stiffness;
    gamma[0] = clamped_edge(n, y[0] - n[N_A], &stiffness);
    if (G) G[0] = stiffness;
}
// f = -D u inside the bound, constant beyond: ½ f (2 bound - f) / D
FN real clamped_cost(int dim, const real *n, const real *y) {
    (void)dim;
    real bound = n[N_BOUND], u = vabs(y[0] - n[N_A]), f = n[N_D] * u;
    return sel(f < bound, R(0.5) * f * u, bound * (u - R(0.5) * bound / vmax(n[N_D], splat(R(1e-30)))));
}
FN void clamped_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
    (void)dim;
    real stiffness, f = clamped_edge(n, y[0] - n[N_A], &stiffness);
    sum->first = sum->first - f * s[0];
    sum->second = sum->second + s[0] * s[0] * stiffness;
}
FN void clamped_duals(int dim, const real *n, const real *y, real *lambda) { clamped_force(dim, n, y, lambda, NULL); }
FN void clamped_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    (void)dim;
    real D = n[N_D], rho = D * n[N_REST], f = lambda[0];
    real to = (f - rho * (y[0] - n[N_A])) * D / sel(rho > R(0), D + rho, splat(1));
    add_defect(sum, f - clamp(to, -n[N_BOUND], n[N_BOUND]), rho, y_free[0] - n[N_A]);
}

// ---- pyramid --------------------------------------------------------------------------------------------------------

#if TX_LANES == 1
// a pyramid of three rows has four edges: one environment has them side by side, with the operations of the loops below
// in their order
FN num4 four_edges(num normal, const num *mu, const num *tangent) {
    const num t1 = mu[0] * tangent[0], t2 = mu[1] * tangent[1];
    return normal + (num4){t1, -t1, t2, -t2};
}
FN num4 where_negative(num4 u, num4 value) {
    const num4 zero = {0};
    return (num4)((four_masks)(u < zero) & (four_masks)value);
}
FN num4 pyramid_edges(const num *n, const num *y) {
    const num tangent[2] = {y[1] - n[N_A + 1], y[2] - n[N_A + 2]};
    return four_edges(y[0] - n[N_A], n + N_MU, tangent);
}
// which edges push, a bit each: with D and μ, which stay, they say what G is
FN int pushing_edges(num4 u) {
    const num4 zero = {0};
    return bits_of_four((four_masks)(u < zero));
}
FN num4 all_four(num x) { return (num4){x, x, x, x}; }

// force at edges u
FN void push_of_edges(const num *n, num4 u, num *gamma) {
    const num4 f = where_negative(u, -(n[N_D] * u));
    const num *mu = n + N_MU;
    gamma[0] = (f[0] + f[1]) + (f[2] + f[3]);
    gamma[1] = mu[0] * (f[0] - f[1]);
    gamma[2] = mu[1] * (f[2] - f[3]);
}
// G where these edges push
FN void pyramid_hessian_of_three(const num *n, int pushing, num *G) {
    static const num ON[2] = {0, 1};
    const num *mu = n + N_MU, D = n[N_D];
    num s[4];
    UNROLL
    for (int e = 0; e < 4; e++) s[e] = D * ON[pushing >> e & 1];
    G[0] = (s[0] + s[1]) + (s[2] + s[3]);
    G[1] = G[3] = mu[0] * (s[0] - s[1]);
    G[2] = G[6] = mu[1] * (s[2] - s[3]);
    G[4] = mu[0] * mu[0] * (s[0] + s[1]);
    G[8] = mu[1] * mu[1] * (s[2] + s[3]);
    G[5] = G[7] = 0;
}
FN void pyramid_force_of_three(const num *n, const num *y, num *gamma, num *G) {
    const num4 u = pyramid_edges(n, y);
    push_of_edges(n, u, gamma);
    if (G) pyramid_hessian_of_three(n, pushing_edges(u), G);
}
FN num pyramid_cost_of_three(const num *n, const num *y) {
    const num4 u = pyramid_edges(n, y), cost = where_negative(u, R(0.5) * n[N_D] * u * u);
    return (cost[0] + cost[1]) + (cost[2] + cost[3]);
}
FN void pyramid_slope_of_three(const num *n, const num *y, const num *s, slope_sum *sum) {
    const num4 u = pyramid_edges(n, y), along = four_edges(s[0], n + N_MU, s + 1);
    const num4 first = where_negative(u, -(n[N_D] * u)) * along;
    const num4 second = along * along * where_negative(u, all_four(n[N_D]));
    sum->first = (((sum->first - first[0]) - first[1]) - first[2]) - first[3];
    sum->second = (((sum->second + second[0]) + second[1]) + second[2]) + second[3];
}
#endif

FN void pyramid_force(int dim, const real *n, const real *y, real *gamma, real *G) {
#if TX_LANES == 1
    if (dim == 3) {
        pyramid_force_of_three(n, y, gamma, G);
        return;
    }
#endif
    real u0 = y[0] - n[N_A], normal = splat(0), stiff = splat(0);
    for (int k = 0; G && k < dim * dim; k++) G[k] = splat(0);
    for (int k = 1; k < dim; k++) {
        real mu = n[N_MU + k - 1], t = mu * (y[k] - n[N_A + k]), s_plus, s_minus;
        real plus = edge_force(n, u0 + t, &s_plus), minus = edge_force(n, u0 - t, &s_minus);
        normal = normal + (plus + minus);
        gamma[k] = mu * (plus - minus);
        if (!G) continue;
        stiff = stiff + (s_plus + s_minus);
        G[k] = G[k * dim] = mu * (s_plus - s_minus);
        G[k * dim + k] = mu * mu * (s_plus + s_minus);
    }
    gamma[0] = normal;
    if (G) G[0] = stiff;
}
FN real pyramid_cost(int dim, const real *n, const real *y) {
#if TX_LANES == 1
    if (dim == 3) return pyramid_cost_of_three(n, y);
#endif
    real u0 = y[0] - n[N_A], sum = splat(0);
    for (int k = 1; k < dim; k++) {
        real t = n[N_MU + k - 1] * (y[k] - n[N_A + k]);
        sum = sum + (edge_cost(n, u0 + t) + edge_cost(n, u0 - t));
    }
    return sum;
}
FN void pyramid_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
#if TX_LANES == 1
    if (dim == 3) {
        pyramid_slope_of_three(n, y, s, sum);
        return;
    }
#endif
    real u0 = y[0] - n[N_A];
    for (int k = 1; k < dim; k++) {
        real mu = n[N_MU + k - 1], t = mu * (y[k] - n[N_A + k]), along = mu * s[k];
        edge_slope(n, u0 + t, s[0] + along, sum);
        edge_slope(n, u0 - t, s[0] - along, sum);
    }
}
// one dual variable an edge
FN void pyramid_duals(int dim, const real *n, const real *y, real *lambda) {
    real u0 = y[0] - n[N_A], stiffness;
    for (int k = 1; k < dim; k++) {
        real t = n[N_MU + k - 1] * (y[k] - n[N_A + k]);
        lambda[2 * k - 2] = edge_force(n, u0 + t, &stiffness);
        lambda[2 * k - 1] = edge_force(n, u0 - t, &stiffness);
    }
}
FN void pyramid_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    real u0 = y[0] - n[N_A], w0 = y_free[0] - n[N_A];
    for (int k = 1; k < dim; k++) {
        real mu = n[N_MU + k - 1], u = mu * (y[k] - n[N_A + k]), w = mu * (y_free[k] - n[N_A + k]);
        edge_defect(n, lambda[2 * k - 2], u0 + u, w0 + w, sum);
        edge_defect(n, lambda[2 * k - 1], u0 - u, w0 - w, sum);
    }
}
