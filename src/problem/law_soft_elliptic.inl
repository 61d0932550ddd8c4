// law_soft_elliptic.inl - MuJoCo's soft constraints with elliptic cones; what is no frictional contact is `soft`.
// docs/laws.md. lanes: any
//
// With x = y - aref, N = μ x₀, U_k = μ_k x_k, T = |U| and μ = μ₁ / √impratio, the force is the point of the friction
// cone nearest to -D x in the metric 1/D, D_k = D₀ μ_k²/μ²: none where N >= μ T, -D x itself where μ N + T <= 0, and
// between the two a point of the surface, of a cost ½ D₀ / (μ² (1 + μ²)) (N - μ T)².
#pragma once
#include "problem/law_soft.inl"

// law numbers behind those of `soft`: the cone's coefficient and what is left of the impedance
enum { ELLIPTIC_MU = 13, ELLIPTIC_REST = 14 };

FN bool is_frictional(const tx_constraint *c) { return c->kind == TX_CONTACT && c->dim > 1; }

FN void soft_elliptic_prepare(const tx_block *b, const tx_constraint *c, real *n) {
    if (!is_frictional(c)) {
        soft_prepare(b, c, n);
        return;
    }
    const real *solref = &AT(b->con_solref, 2 * c->id), *solimp = &AT(b->con_solimp, 5 * c->id);
    const real *vel = &AT(b->rowvel, c->row);
    real dist = AT(b->con_dist, c->id), margin = AT(b->con_margin, c->id), r = dist - margin, K, B;
    mask acts = dist < margin;
    real d = soft_impedance(solimp, r);
    soft_reference(b, solref, solimp, &K, &B);
    for (int k = 0; k + 1 < c->dim; k++)
        n[SOFT_MU + k] = sel(acts, vmax(AT(b->con_friction, 5 * c->id + k), splat(R(1e-5))), splat(0));
    real regular = vmax((R(1) - d) / d * AT(b->con_weight, 2 * c->id), splat(R(1e-15)));
    n[SOFT_D] = sel(acts, R(1) / regular, splat(0));
    n[ELLIPTIC_MU] = sel(acts, n[SOFT_MU] / vsqrt(splat(R(b->opt->impratio))), splat(1));
    n[ELLIPTIC_REST] = sel(acts, R(1) - d, splat(0));
    for (int k = 0; k < c->dim; k++) {
        real aref = -(B * vel[k]) - (k == 0 ? K * d * r : splat(0));
        n[SOFT_AREF + k] = sel(acts, aref, splat(0));
    }
}

FN real elliptic_D(const real *n, int k) {
    if (k == 0) return n[SOFT_D];
    real ratio = n[SOFT_MU + k - 1] / n[ELLIPTIC_MU];
    return n[SOFT_D] * ratio * ratio;
}

// where x is: N, T and the two borders of the surface
typedef struct cone {
    real U[6], N, T, over_T, mu, Dm;
    mask top, bottom;
} cone;

FN cone cone_at(const real *n, int dim, const real *x) {
    cone c;
    real square = splat(0);
    c.mu = n[ELLIPTIC_MU];
    c.N = c.mu * x[0];
    for (int k = 1; k < dim; k++) {
        c.U[k] = n[SOFT_MU + k - 1] * x[k];
        square = square + c.U[k] * c.U[k];
    }
    c.T = vsqrt(square);
    c.over_T = R(1) / sel(c.T > R(0), c.T, splat(1));
    c.Dm = n[SOFT_D] / (c.mu * c.mu * (R(1) + c.mu * c.mu));
    c.top = c.N >= c.mu * c.T;
    c.bottom = (c.mu * c.N + c.T <= R(0)) & not_(c.top);
    return c;
}

// force and, unless G is null, its negative derivative by x
FN void cone_force(const real *n, int dim, const real *x, real *f, real *G) {
    cone c = cone_at(n, dim, x);
    mask none = c.top, all = c.bottom;
    real surface = -(c.Dm * (c.N - c.mu * c.T) * c.mu);
    f[0] = sel(none, splat(0), sel(all, -(n[SOFT_D] * x[0]), surface));
    for (int k = 1; k < dim; k++) {
        real side = -(surface * c.over_T * c.U[k] * n[SOFT_MU + k - 1]);
        f[k] = sel(none, splat(0), sel(all, -(elliptic_D(n, k) * x[k]), side));
    }
    if (!G) return;
    real third = c.mu * c.N * c.over_T * c.over_T * c.over_T, round = c.mu * c.mu - c.mu * c.N * c.over_T;
    for (int j = 0; j < dim; j++)
        for (int k = j; k < dim; k++) {
            real sj = j ? n[SOFT_MU + j - 1] : c.mu, sk = k ? n[SOFT_MU + k - 1] : c.mu, h;
            if (k == 0) h = splat(1);
            else if (j == 0) h = -(c.mu * c.U[k] * c.over_T);
            else h = third * c.U[j] * c.U[k] + (j == k ? round : splat(0));
            real inside = j == k ? elliptic_D(n, k) : splat(0);
            G[j * dim + k] = G[k * dim + j] = sel(none, splat(0), sel(all, inside, c.Dm * sj * sk * h));
        }
}

FN void soft_elliptic_force(const tx_constraint *c, const real *n, const real *y, real *gamma, real *G) {
    if (!is_frictional(c)) {
        soft_force(c, n, y, gamma, G);
        return;
    }
    real x[6] = {y[0]};
    for (int k = 0; k < c->dim; k++) x[k] = y[k] - n[SOFT_AREF + k];
    cone_force(n, c->dim, x, gamma, G);
}

FN real soft_elliptic_cost(const tx_constraint *c, const real *n, const real *y) {
    if (!is_frictional(c)) return soft_cost(c, n, y);
    real x[6] = {y[0]}, inside = splat(0);
    for (int k = 0; k < c->dim; k++) {
        x[k] = y[k] - n[SOFT_AREF + k];
        inside = inside + R(0.5) * elliptic_D(n, k) * x[k] * x[k];
    }
    cone at = cone_at(n, c->dim, x);
    real gap = at.N - at.mu * at.T;
    return sel(at.top, splat(0), sel(at.bottom, inside, R(0.5) * at.Dm * gap * gap));
}

// natural map: f - P((f - ρ x) / (1 + ρ R)) with ρ R the same for all rows, so that P, the projection in the metric R,
// is the force at -R times its argument
FN void soft_elliptic_defect(const tx_constraint *c, const real *n, const real *y, const real *y_again,
                             const real *y_free, real *defect, real *scale) {
    if (!is_frictional(c)) {
        soft_defect(c, n, y, y_again, y_free, defect, scale);
        return;
    }
    real x[6] = {y[0]}, f[6], again[6] = {y[0]}, projected[6], rest = n[ELLIPTIC_REST];
    mask acts = rest > R(0);
    for (int k = 0; k < c->dim; k++) x[k] = y[k] - n[SOFT_AREF + k];
    cone_force(n, c->dim, x, f, NULL);
    for (int k = 0; k < c->dim; k++) {
        real D = elliptic_D(n, k), u = y_again[k] - n[SOFT_AREF + k];
        again[k] = -((f[k] - rest * D * u) / (R(1) + rest)) / sel(D > R(0), D, splat(1));
    }
    cone_force(n, c->dim, again, projected, NULL);
    for (int k = 0; k < c->dim; k++) {
        real rho = rest * elliptic_D(n, k), map = f[k] - projected[k], free = y_free[k] - n[SOFT_AREF + k];
        *defect = *defect + sel(acts, map * map / sel(acts, rho, splat(1)), splat(0));
        *scale = *scale + rho * (free * free + R(1e-6 * 9.81 * 9.81));
    }
}

LAW(soft_elliptic)
