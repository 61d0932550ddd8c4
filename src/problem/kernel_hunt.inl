// kernel_hunt.inl - contacts after Hunt & Crossley with smooth friction: docs/laws.md. lanes: any
//
// n(z) = D (a - z)₊ (1 - d z)₊ is the normal impulse at the approach z, C(z) = ∫ n from z on its cost. With U_k = μ_k
// u_k, Q = √(|U|² + E²) and E = N_SLIP
//   similar  ℓ = C(u₀ - (Q - E)): friction belongs to this step's normal impulse
//   lagged   ℓ = C(u₀) + n₀ (Q - E): and here to n₀ = N_LAST, that of the step before
#pragma once
#include "problem/kernels.inl"

// ---- the normal -----------------------------------------------------------------------------------------------------

// where the impulse vanishes: the smaller of a and 1 / d
FN real hunt_end(const real *n) {
    real d = n[N_DISSIPATION];
    return vmin(n[N_A], sel(d > R(0), R(1) / sel(d > R(0), d, splat(1)), splat(R(1e30))));
}

// n(z) and -n'(z)
FN real hunt_normal(const real *n, real z, real *stiffness) {
    real d = n[N_DISSIPATION], a = n[N_A] - z, b = R(1) - d * z;
    mask pushes = (a > R(0)) & (b > R(0));
    *stiffness = sel(pushes, n[N_D] * (b + d * a), splat(0));
    return sel(pushes, n[N_D] * a * b, splat(0));
}

// C(z): with L = end - z, p = a - end, q = 1 - d end (one of the two is zero) it is D (½ (p d + q) L² + d L³ / 3)
FN real hunt_cost(const real *n, real z) {
    real d = n[N_DISSIPATION], end = hunt_end(n), L = vmax(end - z, splat(0));
    real p = n[N_A] - end, q = vmax(R(1) - d * end, splat(0));
    return n[N_D] * (L * L * (R(0.5) * (p * d + q) + d * L * R(1.0 / 3)));
}

// ---- friction -------------------------------------------------------------------------------------------------------

// U, Q, 1 / Q and τ_k = ∂Q/∂u_k
typedef struct hunt_slip {
    real U[6], tau[6], Q, over;
} hunt_slip;

FN hunt_slip hunt_slip_at(int dim, const real *n, const real *y) {
    hunt_slip s;
    real square = n[N_SLIP] * n[N_SLIP];
    for (int k = 1; k < dim; k++) {
        s.U[k] = n[N_MU + k - 1] * (y[k] - n[N_A + k]);
        square = square + s.U[k] * s.U[k];
    }
    s.Q = vsqrt(square);
    s.over = R(1) / sel(s.Q > R(0), s.Q, splat(1));
    for (int k = 1; k < dim; k++) s.tau[k] = n[N_MU + k - 1] * s.U[k] * s.over;
    return s;
}

// Q' and Q'' along s
FN void hunt_slip_slope(int dim, const real *n, const hunt_slip *at, const real *s, real *first, real *second) {
    real square = splat(0);
    *first = splat(0);
    for (int k = 1; k < dim; k++) {
        real W = n[N_MU + k - 1] * s[k];
        *first = *first + at->tau[k] * s[k];
        square = square + W * W;
    }
    *second = (square - *first * *first) * at->over;
}

// ∂τ_j/∂u_k times n: what friction of an impulse n adds to G
FN void hunt_friction_hessian(int dim, const real *n, const hunt_slip *s, real impulse, real *G) {
    for (int j = 1; j < dim; j++)
        for (int k = j; k < dim; k++) {
            real h = -(s->tau[j] * s->tau[k]);
            if (j == k) h = n[N_MU + j - 1] * n[N_MU + j - 1] + h;
            real g = impulse * h * s->over;
            G[j * dim + k] = G[j * dim + k] + g;
            if (j != k) G[k * dim + j] = G[k * dim + j] + g;
        }
}

// ---- similar --------------------------------------------------------------------------------------------------------

FN real similar_approach(const real *n, const real *y, const hunt_slip *s) { return y[0] - (s->Q - n[N_SLIP]); }

FN void similar_force(int dim, const real *n, const real *y, real *gamma, real *G) {
    hunt_slip s = hunt_slip_at(dim, n, y);
    real stiffness, push = hunt_normal(n, similar_approach(n, y, &s), &stiffness);
    gamma[0] = push;
    for (int k = 1; k < dim; k++) gamma[k] = -(push * s.tau[k]);
    if (!G) return;
    for (int j = 0; j < dim; j++)
        for (int k = j; k < dim; k++) {
            real rj = j ? -s.tau[j] : splat(1), rk = k ? -s.tau[k] : splat(1);
            G[j * dim + k] = G[k * dim + j] = stiffness * rj * rk;
        }
    hunt_friction_hessian(dim, n, &s, push, G);
}

FN real similar_cost(int dim, const real *n, const real *y) {
    hunt_slip s = hunt_slip_at(dim, n, y);
    return hunt_cost(n, similar_approach(n, y, &s));
}

FN void similar_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
    hunt_slip at = hunt_slip_at(dim, n, y);
    real stiffness, push = hunt_normal(n, similar_approach(n, y, &at), &stiffness), Q1, Q2;
    hunt_slip_slope(dim, n, &at, s, &Q1, &Q2);
    real z1 = s[0] - Q1;
    sum->first = sum->first - push * z1;
    sum->second = sum->second + (stiffness * z1 * z1 + push * Q2);
}

FN void similar_duals(int dim, const real *n, const real *y, real *lambda) { similar_force(dim, n, y, lambda, NULL); }

// ---- lagged ---------------------------------------------------------------------------------------------------------

FN void lagged_force(int dim, const real *n, const real *y, real *gamma, real *G) {
    hunt_slip s = hunt_slip_at(dim, n, y);
    real stiffness;
    gamma[0] = hunt_normal(n, y[0], &stiffness);
    for (int k = 1; k < dim; k++) gamma[k] = -(n[N_LAST] * s.tau[k]);
    if (!G) return;
    for (int k = 0; k < dim * dim; k++) G[k] = splat(0);
    G[0] = stiffness;
    hunt_friction_hessian(dim, n, &s, n[N_LAST], G);
}

FN real lagged_cost(int dim, const real *n, const real *y) {
    hunt_slip s = hunt_slip_at(dim, n, y);
    return hunt_cost(n, y[0]) + n[N_LAST] * (s.Q - n[N_SLIP]);
}

FN void lagged_slope(int dim, const real *n, const real *y, const real *s, slope_sum *sum) {
    hunt_slip at = hunt_slip_at(dim, n, y);
    real stiffness, push = hunt_normal(n, y[0], &stiffness), Q1, Q2;
    hunt_slip_slope(dim, n, &at, s, &Q1, &Q2);
    sum->first = sum->first + (n[N_LAST] * Q1 - push * s[0]);
    sum->second = sum->second + (stiffness * s[0] * s[0] + n[N_LAST] * Q2);
}

FN void lagged_duals(int dim, const real *n, const real *y, real *lambda) { lagged_force(dim, n, y, lambda, NULL); }

// ---- natural maps: docs/residual.md ---------------------------------------------------------------------------------
// prox of the conjugate at λ - ρ y is -∇ℓ(u) where ∇ℓ(u) + ρ u = ρ y - λ = r. ρ_k = ρ (μ_k / m)², so that the rows of
// friction have one common length.

enum { HUNT_ROUNDS = 40 };

// the length S of U where  push S / √(S² + E²) + g S = t: rising and concave, so Newton from the left never overshoots
FN real hunt_length(real push, real E, real g, real t) {
    real at_rest = push / sel(E > R(0), E, splat(1));
    real S = vmax(t / (at_rest + g), (t - push) / g);
    mask open = t > R(0);
    for (int i = 0; i < HUNT_ROUNDS && any(open); i++) {
        real square = S * S + E * E, over = R(1) / vsqrt(sel(square > R(0), square, splat(1)));
        real value = S * (push * over + g), slope = push * E * E * over * over * over + g;
        real next = S + (t - value) / slope;
        open = open & (next > S);
        S = sel(open, next, S);
    }
    return sel(t > R(0), S, splat(0));
}

// z where ρ z - n(z) = r: beyond the end r / ρ, else the smaller root of  D d z² - (ρ + D (1 + d a)) z + (D a + r) = 0
FN real hunt_approach(const real *n, real rho, real r) {
    real D = n[N_D], d = n[N_DISSIPATION], a = D * d, b = rho + D * (R(1) + d * n[N_A]), c = D * n[N_A] + r;
    real beyond = r / rho, root = vsqrt(vmax(b * b - R(4) * a * c, splat(0)));
    mask above = b >= R(0), curved = a > R(0);
    real sum = sel(above, b + root, splat(1));
    real low = (b - root) / sel(curved, R(2) * a, splat(1)), z = sel(above, R(2) * c / sum, low);
    return sel(beyond >= hunt_end(n), beyond, z);
}

// the impulse of `similar` at r: the zero of n - n(z(n)), which rises; Newton inside its bracket
FN real similar_impulse(const real *n, real rho, real g, real r0, real t) {
    real E = n[N_SLIP], stiffness, low = splat(0), S = hunt_length(low, E, g, t);
    real high = hunt_normal(n, r0 / rho - (vsqrt(S * S + E * E) - E), &stiffness), push = high;
    mask open = high > R(0);
    for (int i = 0; i < HUNT_ROUNDS && any(open); i++) {
        S = hunt_length(push, E, g, t);
        real square = S * S + E * E, Q = vsqrt(square), over = R(1) / sel(Q > R(0), Q, splat(1)), tau = S * over;
        real z1 = R(1) / rho + tau * tau / (push * E * E * over * over * over + g);
        real value = push - hunt_normal(n, (r0 + push) / rho - (Q - E), &stiffness);
        low = sel(open & (value < R(0)), push, low);
        high = sel(open & not_(value < R(0)), push, high);
        real next = push - value / (R(1) + stiffness * z1);
        next = sel((next >= low) & (next <= high), next, R(0.5) * (low + high));
        open = open & (vabs(next - push) > R(1e-16) * push);
        push = sel(open, next, push);
    }
    return push;
}

FN void hunt_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, bool lagged,
                    defect_sum *sum) {
    const mask acts = n[N_D] * n[N_REST] > R(0);
    real rho = sel(acts, n[N_D] * n[N_REST], splat(1)), m = vmax(n[N_MU], splat(R(1e-5))), g = rho / (m * m);
    if (dim == 1) g = splat(1);
    real T[6] = {rho}, t = splat(0), r0 = rho * y[0] - lambda[0];
    for (int k = 1; k < dim; k++) {
        real mu = n[N_MU + k - 1];
        mask rubs = mu > R(0);
        T[k] = sel(rubs, g * mu * (y[k] - n[N_A + k]) - lambda[k] / sel(rubs, mu, splat(1)), splat(0));
        t = t + T[k] * T[k];
    }
    t = vsqrt(t);
    real push, hold, stiffness;
    if (lagged) push = hunt_normal(n, hunt_approach(n, rho, r0), &stiffness), hold = n[N_LAST];
    else push = hold = similar_impulse(n, rho, g, r0, t);
    add_defect(sum, lambda[0] - push, sel(acts, rho, splat(0)), y_free[0] - n[N_A]);
    real S = hunt_length(hold, n[N_SLIP], g, t), Q = vsqrt(S * S + n[N_SLIP] * n[N_SLIP]);
    real along = S / sel(t > R(0), t, splat(1)) / sel(Q > R(0), Q, splat(1));
    for (int k = 1; k < dim; k++) {
        real mu = n[N_MU + k - 1];
        add_defect(sum, lambda[k] + hold * mu * T[k] * along, sel(acts, g * mu * mu, splat(0)), y_free[k] - n[N_A + k]);
    }
}

FN void similar_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    hunt_defect(dim, n, lambda, y, y_free, false, sum);
}
FN void lagged_defect(int dim, const real *n, const real *lambda, const real *y, const real *y_free, defect_sum *sum) {
    hunt_defect(dim, n, lambda, y, y_free, true, sum);
}
