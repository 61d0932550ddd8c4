// local_cone.inl - one contact alone, exactly: λ in the friction cone with λ ⟂ N λ + q, with or without De Saxcé's
// shift. lanes: any
//
// In round variables (kernel_hard.inl) a contact that slides has u_t = -m g_t, m > 0, and u₀ = κ μ² m g₀ with κ = 0
// under Coulomb's law and 1 without the shift. So (N + m diag(-κμ², 1, 1 ...)) g = -q, |g_t| = μ g₀: one unknown m, the
// zero of ψ(m) = μ g₀/|g_t| - 1, which is nearly straight. Newton's method inside a bracket; m = 0 sticks. Without the
// shift the pivot of the normal, N₀₀ - κμ²m less what the tangents take, turns negative at some m; the one solution
// lies on the side where g₀ > 0, and ψ rises through it before that m and falls through it beyond.
//
// Near that m the matrix is nearly singular and g runs along its null vector while m stands still to the last bit: ψ
// says how far it is from the surface then, and m cannot say better (1e-16 over the distance of the two). The surface
// itself can be walked: with g = (|w|/μ, w), e = w/|w|, p = e/μ the minimum of ½ gᵀN g + qᵀg over w alone has the
// gradient u_t + p u₀, u = N g + q, and the Hessian N_tt + p n_tᵀ + n_t pᵀ + p pᵀ N₀₀ + m (I - e eᵀ), m = u₀/(μ|w|),
// which is positive with N wherever u₀ >= 0: Newton's method on w, from where m has led (slide_home).
#pragma once
#include "problem/kernel_hard.inl"

// how far from the surface is too far, as a part of the force; a gradient that is rounding, as a part of q
#ifdef TX_F32
#define SLIDE_BESIDE   R(1e-4)
#define SLIDE_ROUNDING R(1e-6)
#else
#define SLIDE_BESIDE   R(1e-12)
#define SLIDE_ROUNDING R(1e-15)
#endif

// a symmetric matrix in its lower triangle, (dim - 1)²; pivots that are lost become huge, so that their row stays still
FN void tangent_factor(int n, real *K) {
    for (int j = 0; j < n; j++) {
        real pivot = K[j * n + j];
        for (int k = 0; k < j; k++) pivot = pivot - K[j * n + k] * K[j * n + k];
        mask good = pivot > R(1e-14) * K[j * n + j];
        real root = sel(good, vsqrt(sel(good, pivot, splat(1))), splat(R(1e30)));
        K[j * n + j] = root;
        for (int i = j + 1; i < n; i++) {
            real t = K[i * n + j];
            for (int k = 0; k < j; k++) t = t - K[i * n + k] * K[j * n + k];
            K[i * n + j] = t / root;
        }
    }
}
FN void tangent_solve(int n, const real *K, real *x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] = x[i] - K[i * n + k] * x[k];
        x[i] = x[i] / K[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] = x[i] - K[k * n + i] * x[k];
        x[i] = x[i] / K[i * n + i];
    }
}

// K⁻¹ x of two rows by their determinant; without one the second row stays still
typedef struct pair_inverse {
    real a, b, c, inv; // the matrix (a, b; b, c), the inverse of its determinant
    mask good;
} pair_inverse;

FN pair_inverse pair_factor(const real *K) {
    pair_inverse f = {K[0], K[2], K[3], K[0], K[0] > R(0)};
    real det = f.a * f.c - f.b * f.b;
    f.good = det > R(1e-14) * f.a * f.c;
    f.inv = R(1) / sel(f.good, det, f.a);
    return f;
}
FN void pair_solve(const pair_inverse *f, real *x) {
    real x0 = x[0], x1 = x[1];
    x[0] = sel(f->good, (f->c * x0 - f->b * x1) * f->inv, x0 * f->inv);
    x[1] = sel(f->good, (f->a * x1 - f->b * x0) * f->inv, splat(0));
}

// where a guess m leads: g, whether it means anything, ψ and its slope
typedef struct slide {
    real g[6], psi, slope;
    mask presses, over; // g₀ > 0 and ψ leads to its zero; m is too large
} slide;

FN slide slide_at(int dim, const real *M, const real *q, real mu, real kappa, real m) {
    const int n = dim - 1;
    slide at = {.psi = m};
    real K[25] = {m}, a[5] = {m}, b[5] = {m}, w[5] = {m}, ag = splat(0), bg = splat(0), wg = splat(0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) K[i * n + j] = M[(1 + i) * dim + 1 + j];
        K[i * n + i] = K[i * n + i] + m;
        a[i] = M[(1 + i) * dim], b[i] = q[1 + i];
    }
    pair_inverse pair = {.a = m};
    if (n == 2) {
        pair = pair_factor(K);
        pair_solve(&pair, a), pair_solve(&pair, b);
    } else {
        tangent_factor(n, K);
        tangent_solve(n, K, a), tangent_solve(n, K, b);
    }
    for (int i = 0; i < n; i++) {
        ag = ag + M[1 + i] * a[i];
        bg = bg + M[1 + i] * b[i];
    }
    real lift = kappa * mu * mu, pivot = (M[0] - lift * m) - ag;
    mask rises = pivot >= R(0), lost = vabs(pivot) < R(1e-15) * M[0];
    real inv = R(1) / sel(lost, splat(R(1e-15)) * M[0], pivot);
    at.g[0] = (bg - q[0]) * inv;
    at.presses = at.g[0] > R(0);
    for (int i = 0; i < n; i++) at.g[1 + i] = w[i] = -(b[i] + a[i] * at.g[0]);
    // along m: (N + m Δ) g' = -Δ g
    if (n == 2) pair_solve(&pair, w);
    else tangent_solve(n, K, w);
    for (int i = 0; i < n; i++) wg = wg + M[1 + i] * w[i];
    real g0 = (lift * at.g[0] + wg) * inv, along = splat(0), t = tangent_length(dim, at.g);
    for (int i = 0; i < n; i++) along = along - at.g[1 + i] * (w[i] + a[i] * g0);
    real over = R(1) / sel(t > R(0), t, splat(1));
    at.psi = mu * at.g[0] * over - R(1);
    at.slope = mu * over * (g0 - at.g[0] * along * over * over);
    // no pressure: towards the m where the pivot turns
    at.over = (at.presses & ((rises & (at.psi >= R(0))) | (not_(rises) & (at.psi <= R(0))))) |
              (not_(at.presses) & not_(rises));
    at.presses = at.presses & ((rises & (at.slope > R(0))) | (not_(rises) & (at.slope < R(0))));
    return at;
}

// u_t + p u₀ of w = g_t, with g₀ onto the surface; its square
FN real slide_gradient(int dim, const real *M, const real *q, real mu, real *g, real *p, real *u, real *gradient) {
    real length = tangent_length(dim, g), inv = R(1) / sel(length > R(0), length * mu, splat(1)), square = splat(0);
    g[0] = length / mu;
    for (int i = 0; i < dim; i++) {
        u[i] = q[i];
        for (int j = 0; j < dim; j++) u[i] = u[i] + M[i * dim + j] * g[j];
    }
    for (int k = 1; k < dim; k++) {
        p[k] = g[k] * inv;
        gradient[k - 1] = u[k] + p[k] * u[0];
        square = square + gradient[k - 1] * gradient[k - 1];
    }
    return square;
}

// Newton's method along the surface where m was at its end; what it does not make better stays
FN void slide_home(int dim, const real *M, const real *q, real mu, mask where, real *g) {
    enum { MOST = 20 };
    const int n = dim - 1;
    real at[6] = {mu}, p[6] = {mu}, u[6] = {mu}, step[5] = {mu}, H[25] = {mu}, width = sel(where, mu, splat(1));
    real scale = splat(0);
    for (int k = 0; k < dim; k++) at[k] = g[k], scale = scale + q[k] * q[k];
    real before = slide_gradient(dim, M, q, width, at, p, u, step), after = before;
    mask open = where;
    for (int it = 0; it < MOST && any(open); it++) {
        real curve = vmax(u[0], splat(0)) / sel(at[0] > R(0), at[0] * width * width, splat(1));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                real pp = p[1 + i] * p[1 + j], cross = p[1 + i] * M[1 + j] + p[1 + j] * M[1 + i];
                H[i * n + j] = ((M[(1 + i) * dim + 1 + j] + cross) + pp * M[0]) - curve * width * width * pp;
            }
            H[i * n + i] = H[i * n + i] + curve;
        }
        tangent_factor(n, H);
        tangent_solve(n, H, step);
        for (int k = 1; k < dim; k++) at[k] = sel(open, at[k] - step[k - 1], at[k]);
        after = slide_gradient(dim, M, q, width, at, p, u, step);
        open = open & (after > SLIDE_ROUNDING * SLIDE_ROUNDING * scale);
    }
    mask better = where & (after < before);
    for (int k = 0; k < dim; k++) g[k] = sel(better, at[k], g[k]);
}

// λ for a motion q without it; N is dim x dim, symmetric, with the softness. Where `acts` is false λ is zero
FN void local_cone_of(int dim, const real *n, const real *N, const real *q, bool shifted, mask acts, real *lambda) {
    enum { MOST = 60 };
    real s[6] = {q[0]}, M[36] = {q[0]}, r[6] = {q[0]}, mu = cone_opening(dim, n, s), kappa = splat(shifted ? 0 : 1);
    for (int i = 0; i < dim; i++) {
        mask drops = not_(s[i] > R(0));
        r[i] = s[i] * q[i];
        for (int j = 0; j < dim; j++) M[i * dim + j] = s[i] * s[j] * N[i * dim + j];
        M[i * dim + i] = sel(drops, splat(1), M[i * dim + i]);
    }
    mask solid = M[0] > R(0);
    M[0] = sel(solid, M[0], splat(1));
    acts = acts & solid;
    // it lifts off, or there is no friction
    real t = tangent_length(dim, r);
    mask lifts = r[0] >= (R(1) - R(shifted)) * mu * t, smooth = not_(mu > R(0));
    mask open = acts & not_(lifts) & not_(smooth);
    slide at = slide_at(dim, M, r, mu, kappa, splat(0));
    real m = splat(0), low = splat(0), high = splat(R(1e30)), trace = splat(0), g[6];
    mask sticks = (at.g[0] > R(0)) & (tangent_length(dim, at.g) <= mu * at.g[0]);
    for (int k = 0; k < dim; k++) {
        g[k] = at.g[k];
        trace = trace + M[k * dim + k];
    }
    open = open & not_(sticks);
    const mask slides = open;
    for (int it = 0; it < MOST && any(open); it++) {
        low = sel(at.over, low, m);
        high = sel(at.over, m, high);
        real newton = m - at.psi / sel(at.presses, at.slope, splat(1));
        mask usable = at.presses & (newton > low) & (newton < high);
        real middle = sel(high < R(1e30), R(0.5) * (low + high), R(4) * m + R(0.1) * trace);
        real next = sel(usable, newton, middle);
        // the bracket has closed, or the last step changed nothing
        mask settled = (next == m) | not_(next > low) | not_(next < high) | (usable & (vabs(at.psi) <= R(4e-16))) |
                       (usable & (vabs(next - m) <= R(2e-16) * next));
        open = open & not_(settled);
        if (!any(open)) break;
        // a step this short ends at rounding
        mask last = usable & (vabs(next - m) <= R(1e-8) * next);
        m = sel(open, next, m);
        slide there = slide_at(dim, M, r, mu, kappa, m);
        for (int k = 0; k < dim; k++) g[k] = sel(open, there.g[k], g[k]);
        at.psi = sel(open, there.psi, at.psi), at.slope = sel(open, there.slope, at.slope);
        at.presses = (open & there.presses) | (not_(open) & at.presses);
        at.over = (open & there.over) | (not_(open) & at.over);
        open = open & not_(last);
    }
    mask beside = slides & (vabs(at.psi) > SLIDE_BESIDE);
    if (!shifted && any(beside)) slide_home(dim, M, r, mu, beside, g);
    // onto the surface to the last bit
    real length = tangent_length(dim, g), normal = vmax(g[0], splat(0));
    real shrink = sel(length > mu * normal, mu * normal / sel(length > R(0), length, splat(1)), splat(1));
    normal = sel(smooth, vmax(-(r[0] / M[0]), splat(0)), normal);
    mask zero = not_(acts) | lifts;
    lambda[0] = sel(zero, splat(0), normal);
    for (int k = 1; k < dim; k++) lambda[k] = sel(zero | smooth, splat(0), g[k] * shrink * s[k]);
}

// most contacts have three rows
STAGE void local_cone(int dim, const real *n, const real *N, const real *q, bool shifted, mask acts, real *lambda) {
    if (dim == 3) local_cone_of(3, n, N, q, shifted, acts, lambda);
    else local_cone_of(dim, n, N, q, shifted, acts, lambda);
}
