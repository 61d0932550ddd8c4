// kernel_hard.inl - rigid contacts: a set of forces and a condition between force and motion, no cost of the motion.
// docs/solvers.md, docs/residual.md. lanes: any
//
// With u = y - a + E λ, K = {|(λ_k/μ_k)| <= λ₀} the friction cone and K* its dual:
//   coulomb  K ∋ λ ⟂ û ∈ K*, û₀ = u₀ + |(μ_k u_k)|: Signorini and Coulomb (De Saxcé's form), no minimum of anything
//   ccp      K ∋ λ ⟂ u ∈ K*: the convex problem of Anitescu and Tasora; what slides also lifts off
//   box      λ₀ >= 0 and |λ_k| <= μ_k λ₀ row by row: another model, not isotropic
// Lengths of friction are taken in g₀ = λ₀, g_k = λ_k μ/μ_k, with μ the largest of the μ_k: there the cone is round.
#pragma once
#include "problem/kernel_list.h"
#include "problem/kernels.inl"

enum { N_E = TX_NUMBER_E };

// opening of the round cone, and s with λ_k = s_k g_k
FN real cone_opening(int dim, const real *n, real *s) {
    real mu = splat(0);
    for (int k = 1; k < dim; k++) mu = vmax(mu, n[N_MU + k - 1]);
    real inv = R(1) / sel(mu > R(0), mu, splat(1));
    s[0] = splat(1);
    for (int k = 1; k < dim; k++) s[k] = n[N_MU + k - 1] * inv;
    return mu;
}

FN real tangent_length(int dim, const real *v) {
    real square = splat(0);
    for (int k = 1; k < dim; k++) square = square + v[k] * v[k];
    return vsqrt(square);
}

// the point of the round cone nearest to v
FN void cone_near(int dim, real mu, real *v) {
    real t = tangent_length(dim, v);
    mask inside = (v[0] >= R(0)) & (t <= mu * v[0]), none = not_(inside) & (mu * t <= -v[0]);
    real onto = (v[0] + mu * t) / (R(1) + mu * mu);
    real normal = sel(inside, v[0], sel(none, splat(0), onto));
    real shrink = sel(inside, splat(1), sel(none, splat(0), mu * onto / sel(t > R(0), t, splat(1))));
    v[0] = normal;
    for (int k = 1; k < dim; k++) v[k] = v[k] * shrink;
}

// λ - P(λ - ρ û) in round variables; shifted: û has De Saxcé's term, else it is u
FN void hard_cone_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, bool shifted,
                         defect_sum *sum) {
    real s[6] = {y[0]}, g[6] = {y[0]}, u[6] = {y[0]}, to[6] = {y[0]}, rho = n[N_D] * n[N_REST],
         mu = cone_opening(dim, n, s);
    for (int k = 0; k < dim; k++) {
        mask drops = not_(s[k] > R(0));
        g[k] = sel(drops, splat(0), lambda[k] / sel(drops, splat(1), s[k]));
        u[k] = s[k] * ((y[k] - n[N_A + k]) + n[N_E] * lambda[k]);
    }
    if (shifted) u[0] = u[0] + mu * tangent_length(dim, u);
    for (int k = 0; k < dim; k++) to[k] = g[k] - rho * u[k];
    cone_near(dim, mu, to);
    for (int k = 0; k < dim; k++) add_defect(sum, g[k] - to[k], rho, s[k] * (y_free[k] - n[N_A + k]));
}

FN void coulomb_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    hard_cone_defect(dim, n, lambda, y, y_free, true, sum);
}
FN void ccp_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    hard_cone_defect(dim, n, lambda, y, y_free, false, sum);
}
FN void box_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    real rho = n[N_D] * n[N_REST];
    for (int k = 0; k < dim; k++) {
        real to = lambda[k] - rho * ((y[k] - n[N_A + k]) + n[N_E] * lambda[k]);
        real bound = k ? n[N_MU + k - 1] * vmax(lambda[0], splat(0)) : splat(0);
        to = k ? clamp(to, -bound, bound) : vmax(to, splat(0));
        add_defect(sum, lambda[k] - to, rho, y_free[k] - n[N_A + k]);
    }
}

// a motion alone has no force here: only solvers that seek the force can take these kernels
#define X(name, rows)                                                                   \
    FN void name##_force(int dim, const real *n, const real *y, real *gamma, real *G) { \
        (void)n, (void)y, (void)G;                                                      \
        for (int k = 0; k < dim; k++) gamma[k] = splat(0);                              \
    }                                                                                   \
    FN void name##_duals(int dim, const real *n, const real *y, real *lambda) { name##_force(dim, n, y, lambda, NULL); }
HARD_KERNELS(X)
#undef X
