// test_kernels.c - every kernel: force and Hessian are derivatives of the cost (central differences), the slope along
// a line is -γ·s and sᵀG s, the dual variables are a fixed point of their natural map; and lanes equal one lane to the
// last bit.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernels_target.h"
#include "near.h"
#include "random.h"

#define FLOOR 1e-6 // of kernels_target.inl
enum { LANES = 8, NUMBERS = TX_KERNEL_NUMBERS, MOST_ROWS = 6, DUALS = 10 };

typedef struct sample {
    int kernel, dim;
    double n[NUMBERS], y[MOST_ROWS], s[MOST_ROWS], y_free[MOST_ROWS];
} sample;

// numbers as laws make them; one in sixteen does not act
static sample random_sample(int kernel, int dim, uint64_t *seed) {
    sample k = {.kernel = kernel, .dim = dim};
    k.n[TX_NUMBER_D] = pow(10, random_between(seed, -2, 2));
    k.n[TX_NUMBER_REST] = random_between(seed, 1e-3, 0.9);
    for (int r = 0; r < dim; r++) {
        k.n[TX_NUMBER_A + r] = random_between(seed, -5, 5);
        k.y[r] = k.n[TX_NUMBER_A + r] + random_between(seed, -5, 5);
        k.s[r] = random_between(seed, -1, 1);
        k.y_free[r] = random_between(seed, -5, 5);
    }
    if (kernel == KERNEL_quadratic) k.n[TX_NUMBER_D2] = k.n[TX_NUMBER_D] * random_between(seed, 0.1, 2);
    for (int r = 0; r < 4 && kernel == KERNEL_quadratic; r++)
        k.n[TX_NUMBER_D_ROW + r] =
            random_between(seed, 0, 1) < 0.5 ? 0 : k.n[TX_NUMBER_D] * random_between(seed, 0.1, 2);
    if (kernel == KERNEL_clamped) k.n[TX_NUMBER_BOUND] = k.n[TX_NUMBER_D] * random_between(seed, 0, 5);
    for (int r = 0; r + 1 < dim && kernel >= KERNEL_pyramid; r++)
        k.n[TX_NUMBER_MU + r] = random_between(seed, 0, 1) < 0.1 && r > 0 ? 0 : random_between(seed, 0.05, 2);
    if (kernel == KERNEL_similar || kernel == KERNEL_lagged) {
        // friction is smooth on the scale of the differences
        k.n[TX_NUMBER_SLIP] = random_between(seed, 0.1, 1);
        k.n[TX_NUMBER_DISSIPATION] = random_between(seed, 0, 1) < 0.2 ? 0 : random_between(seed, 0.01, 1);
        if (kernel == KERNEL_lagged) k.n[TX_NUMBER_LAST] = random_between(seed, 0, 5);
        k.n[TX_NUMBER_REST] = pow(10, random_between(seed, -2, 2));
    }
    if (kernel == KERNEL_cone) k.n[TX_NUMBER_CONE] = k.n[TX_NUMBER_MU] / sqrt(random_between(seed, 1, 10));
    if (random_between(seed, 0, 1) < 0.0625) {
        k.n[TX_NUMBER_D] = 0;
        if (kernel == KERNEL_quadratic) memset(&k.n[TX_NUMBER_D2], 0, 5 * sizeof k.n[0]);
        if (kernel == KERNEL_lagged) k.n[TX_NUMBER_LAST] = 0;
    }
    return k;
}

static const int DIMS[KERNEL_COUNT][5] = {
    [KERNEL_quadratic] = {1, 3, 4, 6}, [KERNEL_one_sided] = {1},  [KERNEL_clamped] = {1},
    [KERNEL_pyramid] = {3, 4, 6},      [KERNEL_cone] = {3, 4, 6}, [KERNEL_similar] = {1, 3, 4, 6},
    [KERNEL_lagged] = {1, 3, 4, 6}};

static double cost_at(const sample *k, const double *y) {
    double cost;
    kernels_w1.kernel[k->kernel].cost(k->dim, k->n, y, &cost);
    return cost;
}

// where `y + t e` for |t| <= h stays on one smooth piece of the cost: its force is then nearly linear in t
static bool smooth_around(const sample *k, const double *e, double h) {
    double at[5][MOST_ROWS], moved[MOST_ROWS];
    for (int i = 0; i < 5; i++) {
        for (int r = 0; r < k->dim; r++) moved[r] = k->y[r] + (i - 2) * h / 2 * e[r];
        kernels_w1.kernel[k->kernel].force(k->dim, k->n, moved, at[i], NULL);
    }
    for (int r = 0; r < k->dim; r++) {
        double second = at[0][r] - 2 * at[2][r] + at[4][r], size = fabs(at[4][r] - at[0][r]);
        double inner = at[1][r] - 2 * at[2][r] + at[3][r];
        if (fabs(second) > 1e-3 * size + 1e-12 || fabs(inner) > 1e-3 * size + 1e-12) return false;
    }
    return true;
}

static void check_derivatives(const sample *k, long *tested) {
    const kernel_functions *f = &kernels_w1.kernel[k->kernel];
    const double h = 1e-4;
    double gamma[MOST_ROWS], alone[MOST_ROWS], G[36] = {0}, y[MOST_ROWS], slope[2];
    f->force(k->dim, k->n, k->y, gamma, G);
    f->force(k->dim, k->n, k->y, alone, NULL);
    assert_memory_equal(gamma, alone, sizeof(double) * (size_t)k->dim);
    const double cost = cost_at(k, k->y);
    assert_true(cost >= 0);

    // the slope needs no G and says the same
    double first = 0, second = 0, size1 = 1e-12, size2 = 1e-12;
    for (int r = 0; r < k->dim; r++) {
        first -= gamma[r] * k->s[r], size1 += fabs(gamma[r] * k->s[r]);
        for (int c = 0; c < k->dim; c++) {
            assert_true(G[r * k->dim + c] == G[c * k->dim + r]);
            second += k->s[r] * G[r * k->dim + c] * k->s[c], size2 += fabs(k->s[r] * G[r * k->dim + c] * k->s[c]);
        }
    }
    f->slope(k->dim, k->n, k->y, k->s, slope);
    assert_true(fabs(slope[0] - first) <= 1e-12 * size1);
    assert_true(fabs(slope[1] - second) <= 1e-12 * size2);
    assert_true(second >= -1e-12 * size2);

    double most = 0;
    for (int r = 0; r < k->dim; r++) most = fmax(most, fabs(gamma[r]));
    for (int r = 0; r < k->dim; r++) {
        double e[MOST_ROWS] = {0};
        e[r] = 1;
        // farther than the differences reach, or an edge between their points would go unseen
        if (!smooth_around(k, e, 3 * h)) continue;
        static const double WEIGHT[] = {1, -8, 0, 8, -1}; // of f(-2h) ... f(2h), over 12 h: error h⁴ f⁽⁵⁾ / 30
        double slope_of_cost = 0, slope_of_force[MOST_ROWS] = {0};
        for (int i = 0; i < 5; i++) {
            double at[MOST_ROWS];
            memcpy(y, k->y, sizeof y);
            y[r] = k->y[r] + (i - 2) * h;
            f->force(k->dim, k->n, y, at, NULL);
            slope_of_cost += WEIGHT[i] * cost_at(k, y) / (12 * h);
            for (int c = 0; c < k->dim; c++) slope_of_force[c] += WEIGHT[i] * at[c] / (12 * h);
        }
        // γ = -∂ℓ/∂y and G = -∂γ/∂y to 1e-6; rounding of what is subtracted, over h
        assert_true(fabs(gamma[r] + slope_of_cost) <= 1e-6 * most + 1e-11 * (1 + fabs(cost)));
        for (int c = 0; c < k->dim; c++) {
            const double size = fabs(G[r * k->dim + r]) + fabs(G[c * k->dim + c]);
            assert_true(fabs(G[c * k->dim + r] + slope_of_force[c]) <= 1e-6 * size + 1e-11 * (1 + most));
        }
        ++*tested;
    }
}

static void derivatives_are_those_of_the_cost(void **state) {
    uint64_t seed = 3;
    for (int kernel = 0; kernel < KERNEL_COUNT; kernel++)
        for (int d = 0; DIMS[kernel][d]; d++) {
            assert_true(tx_kernel_takes(kernel, DIMS[kernel][d]));
            long tested = 0;
            for (int trial = 0; trial < 3000; trial++) {
                sample k = random_sample(kernel, DIMS[kernel][d], &seed);
                check_derivatives(&k, &tested);
            }
            assert_true(tested > 2500L * DIMS[kernel][d]);
        }
}

// from one motion to another the cost grows by what the force takes on the way, whatever pieces it has: the midpoint
// rule on 2,000 stretches
static void cost_is_the_work_of_the_force(void **state) {
    enum { TRIALS = 40, STRETCHES = 2000 };
    uint64_t seed = 17;
    for (int kernel = 0; kernel < KERNEL_COUNT; kernel++)
        for (int d = 0; DIMS[kernel][d]; d++)
            for (int trial = 0; trial < TRIALS; trial++) {
                const sample k = random_sample(kernel, DIMS[kernel][d], &seed);
                double end[MOST_ROWS], y[MOST_ROWS], gamma[MOST_ROWS], work = 0, size = 0;
                for (int r = 0; r < k.dim; r++) end[r] = 2 * k.n[TX_NUMBER_A + r] - k.y[r] + k.s[r];
                for (int i = 0; i < STRETCHES; i++) {
                    const double t = (i + 0.5) / STRETCHES;
                    for (int r = 0; r < k.dim; r++) y[r] = k.y[r] + t * (end[r] - k.y[r]);
                    kernels_w1.kernel[kernel].force(k.dim, k.n, y, gamma, NULL);
                    for (int r = 0; r < k.dim; r++) {
                        const double part = -gamma[r] * (end[r] - k.y[r]) / STRETCHES;
                        work += part, size += fabs(part);
                    }
                }
                assert_true(fabs(cost_at(&k, end) - cost_at(&k, k.y) - work) <= 2e-5 * size + 1e-12);
            }
}

// ---- cones against an interior-point method ------------------------------------------------------------------------

// ½ Σ R_k γ_k² + γ·u over the cone |(γ_k/μ_k)| ≤ γ₀, by Newton steps on t f(γ) - log(γ₀² - Σ (γ_k/μ_k)²) for growing t:
// knows nothing of zones or projections
typedef struct cone_problem {
    int dim;
    double R[MOST_ROWS], u[MOST_ROWS], mu[MOST_ROWS];
} cone_problem;

static double inside(const cone_problem *c, const double *g) {
    double room = g[0] * g[0];
    for (int k = 1; k < c->dim; k++) room -= g[k] * g[k] / (c->mu[k] * c->mu[k]);
    return g[0] > 0 ? room : -1;
}

static double barrier(const cone_problem *c, double t, const double *g) {
    double f = 0, room = inside(c, g);
    for (int k = 0; k < c->dim; k++) f += 0.5 * c->R[k] * g[k] * g[k] + g[k] * c->u[k];
    return room > 0 ? t * f - log(room) : INFINITY;
}

// one damped Newton step; returns half the squared decrement
static double interior_step(const cone_problem *c, double t, double *g) {
    const int n = c->dim;
    double H[36] = {0}, grad[MOST_ROWS], step[MOST_ROWS], turn[MOST_ROWS], room = inside(c, g);
    for (int k = 0; k < n; k++) turn[k] = k ? -2 * g[k] / (c->mu[k] * c->mu[k]) : 2 * g[0];
    for (int k = 0; k < n; k++) {
        grad[k] = t * (c->R[k] * g[k] + c->u[k]) - turn[k] / room;
        for (int j = 0; j < n; j++) H[k * n + j] = turn[k] * turn[j] / (room * room);
        H[k * n + k] += t * c->R[k] - (k ? -2 / (c->mu[k] * c->mu[k]) : 2) / room;
    }
    // H = L Lᵀ
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++) H[i * n + j] -= H[i * n + k] * H[j * n + k];
        const double pivot = sqrt(H[j * n + j]);
        for (int i = j; i < n; i++) H[i * n + j] /= pivot;
    }
    for (int i = 0; i < n; i++) {
        step[i] = -grad[i];
        for (int k = 0; k < i; k++) step[i] -= H[i * n + k] * step[k];
        step[i] /= H[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) step[i] -= H[k * n + i] * step[k];
        step[i] /= H[i * n + i];
    }
    double down = 0, length = 1, next[MOST_ROWS];
    for (int k = 0; k < n; k++) down -= grad[k] * step[k];
    const double now = barrier(c, t, g);
    for (int tries = 0; tries < 60; tries++, length /= 2) {
        for (int k = 0; k < n; k++) next[k] = g[k] + length * step[k];
        if (!(barrier(c, t, next) <= now - 0.1 * length * down)) continue;
        memcpy(g, next, sizeof next);
        break;
    }
    return down / 2;
}

// E3: the force of a cone is the generic solver's answer
static void cones_are_projections(void **state) {
    uint64_t seed = 21;
    double worst = 0;
    int zones[3] = {0};
    for (int trial = 0; trial < 600; trial++) {
        sample s = random_sample(KERNEL_cone, (int[]){3, 4, 6}[trial % 3], &seed);
        cone_problem c = {.dim = s.dim};
        if (s.n[TX_NUMBER_D] == 0) continue;
        // half of them are pressed together and slip little
        for (int k = 0; trial % 2 && k < s.dim; k++) {
            const double u = s.y[k] - s.n[TX_NUMBER_A + k];
            s.y[k] = s.n[TX_NUMBER_A + k] + (k ? 0.05 * u : -fabs(u));
        }
        for (int k = 0; k < s.dim; k++) {
            if (k && s.n[TX_NUMBER_MU + k - 1] == 0) s.n[TX_NUMBER_MU + k - 1] = 0.3;
            c.mu[k] = k ? s.n[TX_NUMBER_MU + k - 1] : 0;
            c.R[k] = 1 / s.n[TX_NUMBER_D] * (k ? pow(s.n[TX_NUMBER_CONE] / c.mu[k], 2) : 1);
            c.u[k] = s.y[k] - s.n[TX_NUMBER_A + k];
        }
        double force[MOST_ROWS], g[MOST_ROWS] = {1}, size = 0, apart = 0;
        kernels_w1.kernel[KERNEL_cone].force(s.dim, s.n, s.y, force, NULL);
        for (double t = 1; t < 1e16; t *= 8)
            for (int i = 0; i < 50 && interior_step(&c, t, g) > 1e-9; i++) continue;
        for (int k = 0; k < s.dim; k++) {
            size = fmax(size, fabs(c.u[k]) / c.R[k]);
            apart = fmax(apart, fabs(g[k] - force[k]));
        }
        const double edge = inside(&c, force);
        zones[force[0] == 0 ? 0 : edge > 1e-9 * force[0] * force[0] ? 1 : 2]++;
        worst = fmax(worst, apart / size);
    }
    printf("cones: %d free, %d stick, %d slide; off the interior point by %.1e\n", zones[0], zones[1], zones[2], worst);
    assert_true(zones[0] > 20 && zones[1] > 30 && zones[2] > 30);
    assert_true(worst <= 1e-7);
}

// λ = duals(y) solves its own part of the problem exactly: with y as the motion there is no defect; with another, there
// is
static void duals_are_a_fixed_point(void **state) {
    uint64_t seed = 8;
    long seen = 0;
    for (int kernel = 0; kernel < KERNEL_COUNT; kernel++)
        for (int d = 0; DIMS[kernel][d]; d++)
            for (int trial = 0; trial < 2000; trial++) {
                sample k = random_sample(kernel, DIMS[kernel][d], &seed);
                const kernel_functions *f = &kernels_w1.kernel[kernel];
                double lambda[DUALS], own[2], other[2], away[MOST_ROWS];
                f->duals(k.dim, k.n, k.y, lambda);
                f->defect(k.dim, k.n, lambda, k.y, k.y_free, own);
                // these two find their fixed point by iteration, to the rounding of λ
                double rounding = 0;
                for (int r = 0; r < k.dim && tx_kernel_is_hunt(kernel); r++)
                    rounding += 1e-22 * lambda[r] * lambda[r] / fmax(k.n[TX_NUMBER_D] * k.n[TX_NUMBER_REST], 1e-300);
                assert_true(own[0] >= 0 && own[0] <= 1e-24 * (own[1] + k.n[TX_NUMBER_D]) + rounding);
                for (int r = 0; r < k.dim; r++) away[r] = k.n[TX_NUMBER_A + r] - (r ? 0 : 3);
                f->defect(k.dim, k.n, lambda, away, k.y_free, other);
                seen += other[0] > 1e-12;
            }
    assert_true(seen > 15000);
}

// of one scalar row, docs/residual.md: F = f - clamp((f - ρ u) D / (D + ρ), low, high); F²/ρ and ρ (u_free² + floor)
static void add_scalar(double *sum, double D, double rest, double f, double u, double u_free, double low, double high) {
    const double rho = D * rest;
    if (!(rho > 0)) return;
    double F = f - fmin(fmax((f - rho * u) * D / (D + rho), low), high);
    sum[0] += F * F / rho, sum[1] += rho * (u_free * u_free + FLOOR);
}

static double stiffness_of_row(const double *n, int r) {
    static const int OWN[] = {0, TX_NUMBER_D_ROW, TX_NUMBER_D_ROW + 1, 0, TX_NUMBER_D_ROW + 2, TX_NUMBER_D_ROW + 3};
    const double own = OWN[r] ? n[OWN[r]] : 0;
    return own > 0 ? own : r < 3 ? n[TX_NUMBER_D] : n[TX_NUMBER_D2];
}

// away from the solution too the defect is that of the definition, row by row and edge by edge
static void defects_have_their_closed_form(void **state) {
    uint64_t seed = 17;
    for (int kernel = 0; kernel <= KERNEL_pyramid; kernel++)
        for (int d = 0; DIMS[kernel][d]; d++)
            for (int trial = 0; trial < 500; trial++) {
                sample k = random_sample(kernel, DIMS[kernel][d], &seed);
                const double *n = k.n, *a = n + TX_NUMBER_A, D = n[TX_NUMBER_D], rest = n[TX_NUMBER_REST];
                double lambda[DUALS], own[2], wanted[2] = {0};
                for (int i = 0; i < DUALS; i++) lambda[i] = random_between(&seed, -3, 10) * D;
                if (trial % 10 == 0) memcpy(k.y_free, a, sizeof(double) * (size_t)k.dim); // only the floor is left
                for (int r = 0; r < k.dim && kernel == KERNEL_quadratic; r++)
                    add_scalar(wanted, stiffness_of_row(n, r), rest, lambda[r], k.y[r] - a[r], k.y_free[r] - a[r],
                               -INFINITY, INFINITY);
                if (kernel == KERNEL_one_sided || kernel == KERNEL_clamped) {
                    double bound = kernel == KERNEL_clamped ? n[TX_NUMBER_BOUND] : INFINITY;
                    add_scalar(wanted, D, rest, lambda[0], k.y[0] - a[0], k.y_free[0] - a[0],
                               kernel == KERNEL_clamped ? -bound : 0, bound);
                }
                for (int r = 1; r < k.dim && kernel == KERNEL_pyramid; r++)
                    for (int side = 0; side < 2; side++) {
                        double mu = (side ? -1 : 1) * n[TX_NUMBER_MU + r - 1];
                        add_scalar(wanted, D, rest, lambda[2 * r - 2 + side], k.y[0] - a[0] + mu * (k.y[r] - a[r]),
                                   k.y_free[0] - a[0] + mu * (k.y_free[r] - a[r]), 0, INFINITY);
                    }
                kernels_w1.kernel[kernel].defect(k.dim, n, lambda, k.y, k.y_free, own);
                for (int i = 0; i < 2; i++) assert_true(fabs(own[i] - wanted[i]) <= 1e-11 * wanted[i]);
            }
}

// each lane of a wide kernel against one lane, with and without G; neighbours may be anything
static void lanes_equal_one_lane(void **state) {
    const kernels_target *wide[] = {&kernels_w4, &kernels_w8};
    uint64_t seed = 21;
    for (int t = 0; t < 2; t++)
        for (int kernel = 0; kernel < KERNEL_COUNT; kernel++)
            for (int d = 0; DIMS[kernel][d]; d++)
                for (int trial = 0; trial < 300; trial++) {
                    const int lanes = wide[t]->lanes, dim = DIMS[kernel][d];
                    const kernel_functions *f = &wide[t]->kernel[kernel], *one = &kernels_w1.kernel[kernel];
                    sample k[LANES];
                    _Alignas(64) double n[NUMBERS * LANES], y[MOST_ROWS * LANES], s[MOST_ROWS * LANES],
                        free[MOST_ROWS * LANES], gamma[MOST_ROWS * LANES], G[36 * LANES], cost[LANES], slope[2 * LANES],
                        lambda[DUALS * LANES], defect[2 * LANES];
                    memset(G, 0, sizeof G), memset(lambda, 0, sizeof lambda);
                    for (int e = 0; e < lanes; e++) {
                        k[e] = random_sample(kernel, dim, &seed);
                        for (int i = 0; i < NUMBERS; i++) n[i * lanes + e] = k[e].n[i];
                        for (int i = 0; i < MOST_ROWS; i++)
                            y[i * lanes + e] = k[e].y[i], s[i * lanes + e] = k[e].s[i],
                                          free[i * lanes + e] = k[e].y_free[i];
                    }
                    f->force(dim, n, y, gamma, G), f->cost(dim, n, y, cost), f->slope(dim, n, y, s, slope);
                    f->duals(dim, n, y, lambda), f->defect(dim, n, lambda, y, free, defect);
                    for (int e = 0; e < lanes; e++) {
                        double g1[MOST_ROWS], G1[36] = {0}, c1, s1[2], l1[DUALS] = {0}, d1[2];
                        one->force(dim, k[e].n, k[e].y, g1, G1), one->cost(dim, k[e].n, k[e].y, &c1);
                        one->slope(dim, k[e].n, k[e].y, k[e].s, s1), one->duals(dim, k[e].n, k[e].y, l1);
                        one->defect(dim, k[e].n, l1, k[e].y, k[e].y_free, d1);
#define SAME(a, b) assert_memory_equal(&(a), &(b), sizeof(double))
                        for (int r = 0; r < dim; r++) SAME(gamma[r * lanes + e], g1[r]);
                        for (int r = 0; r < dim * dim; r++) SAME(G[r * lanes + e], G1[r]);
                        for (int r = 0; r < 2; r++) {
                            SAME(slope[r * lanes + e], s1[r]);
                            SAME(defect[r * lanes + e], d1[r]);
                        }
                        SAME(cost[e], c1);
                    }
                }
}

// ---- one constraint alone -------------------------------------------------------------------------------------------

// a contact of a hard kernel, its W, and a force that it has already
typedef struct lone_contact {
    int kernel, dim;
    double n[NUMBERS], W[36], lambda[MOST_ROWS], y[MOST_ROWS];
} lone_contact;

// coupled: all rows with all; else the diagonal of W outweighs the others
static lone_contact random_contact(int kernel, int dim, bool coupled, uint64_t *seed) {
    lone_contact c = {.kernel = kernel, .dim = dim};
    double B[36];
    for (int i = 0; i < dim * dim; i++) B[i] = random_between(seed, -1, 1);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            c.W[i * dim + j] = i == j ? (coupled ? 0.05 : 1 + 4 * i) : 0;
            for (int k = 0; k < dim; k++) c.W[i * dim + j] += B[i * dim + k] * B[j * dim + k];
        }
    c.n[TX_NUMBER_D] = c.n[TX_NUMBER_REST] = 1;
    c.n[TX_NUMBER_E] = random_between(seed, 0, 1) < 0.5 ? 0 : 0.01;
    for (int r = 1; r < dim; r++) c.n[TX_NUMBER_MU + r - 1] = random_between(seed, 0.05, 1.5);
    if (dim > 3 && random_between(seed, 0, 1) < 0.3) c.n[TX_NUMBER_MU + dim - 2] = 0; // no friction in the last row
    for (int r = 0; r < dim; r++) {
        c.n[TX_NUMBER_A + r] = random_between(seed, -1, 1);
        c.y[r] = random_between(seed, -3, 3);
        c.lambda[r] = r ? 0.1 * random_between(seed, -1, 1) : random_between(seed, 0, 1);
    }
    return c;
}

// moves the force, and the motion with it
static void visit(lone_contact *c, bool exact) {
    double before[MOST_ROWS];
    memcpy(before, c->lambda, sizeof before);
    kernels_w1.visit(c->kernel, c->dim, c->n, c->W, c->y, exact, c->lambda);
    for (int i = 0; i < c->dim; i++)
        for (int j = 0; j < c->dim; j++) c->y[i] += c->W[i * c->dim + j] * (c->lambda[j] - before[j]);
}

// K ∋ λ ⟂ û ∈ K*, by the definition; and the kernel's own measure sees no defect
static void obeys_its_cone(const lone_contact *c, double tolerance) {
    const double *mu = c->n + TX_NUMBER_MU, *f = c->lambda;
    double u[MOST_ROWS] = {0}, friction = 0, slip = 0, power = 0, sum[2];
    for (int r = 0; r < c->dim; r++) u[r] = c->y[r] - c->n[TX_NUMBER_A + r] + c->n[TX_NUMBER_E] * f[r];
    for (int r = 1; r < c->dim; r++) {
        if (mu[r - 1] == 0) assert_true(f[r] == 0);
        if (mu[r - 1] == 0) continue;
        friction += f[r] / mu[r - 1] * (f[r] / mu[r - 1]), slip += mu[r - 1] * u[r] * (mu[r - 1] * u[r]);
        power += f[r] * u[r];
    }
    friction = sqrt(friction), slip = sqrt(slip);
    const double up = u[0] + (c->kernel == KERNEL_coulomb ? slip : 0);
    assert_true(f[0] >= 0 && friction <= f[0] + tolerance);
    assert_true(up >= slip - tolerance);
    assert_true(fabs(f[0] * up + power) <= tolerance * (1 + f[0]));
    kernels_w1.kernel[c->kernel].defect(c->dim, c->n, f, c->y, c->y, sum);
    assert_true(sqrt(sum[0]) <= tolerance * (1 + f[0]));
}

static void a_contact_alone_is_solved(void **state) {
    static const int SIZES[] = {3, 4, 6};
    uint64_t seed = 29;
    int pushing = 0, sliding = 0;
    for (int trial = 0; trial < 3000; trial++) {
        lone_contact c = random_contact(trial % 2 ? KERNEL_coulomb : KERNEL_ccp, SIZES[trial / 2 % 3], true, &seed);
        double alone = c.y[0] - c.n[TX_NUMBER_A]; // of the normal without this force
        for (int k = 0; k < c.dim; k++) alone -= c.W[k] * c.lambda[k];
        visit(&c, true);
        obeys_its_cone(&c, 1e-9);
        // what lifts off by itself is left alone, although under Coulomb's law it might also be held by its friction
        if (c.kernel == KERNEL_coulomb && alone >= 0) assert_true(c.lambda[0] == 0);
        pushing += c.lambda[0] > 0, sliding += fabs(c.y[1] - c.n[TX_NUMBER_A + 1]) > 0.1 && c.lambda[0] > 0;
    }
    assert_true(pushing > 1000 && sliding > 300);
    // without friction there is the normal alone
    lone_contact c = random_contact(KERNEL_coulomb, 3, true, &seed);
    c.n[TX_NUMBER_MU] = c.n[TX_NUMBER_MU + 1] = c.n[TX_NUMBER_E] = 0;
    c.lambda[0] = c.lambda[1] = c.lambda[2] = 0, c.y[0] = c.n[TX_NUMBER_A] - 2;
    visit(&c, true);
    assert_true(fabs(c.lambda[0] - 2 / c.W[0]) < 1e-12 && c.lambda[1] == 0 && c.lambda[2] == 0);
}

// what is left of the normal's diagonal of W + m diag(-μ², 1, 1 ...) when the tangents are eliminated
static double normal_pivot(const lone_contact *c, double m) {
    const int dim = c->dim;
    const double mu = c->n[TX_NUMBER_MU];
    double K[36];
    memcpy(K, c->W, sizeof K);
    for (int i = 0; i < dim; i++) K[i * dim + i] += i ? m : -mu * mu * m;
    for (int k = dim - 1; k > 0; k--)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++) K[i * dim + j] -= K[i * dim + k] * K[k * dim + j] / K[k * dim + k];
    return K[0];
}

// Sliding without the shift: u = m (μ² λ₀, -λ_t), so any λ on the cone and any m make a problem whose one answer it is,
// W being positive definite. Where W + m diag(-μ², 1, 1 ...) is singular λ does not follow from m
static lone_contact singular_contact(int dim, double aside, uint64_t *seed, double *answer) {
    lone_contact c = random_contact(KERNEL_ccp, dim, true, seed);
    const double mu = random_between(seed, 0.05, 1.5);
    double low = 0, high = 1, length = 0;
    c.n[TX_NUMBER_E] = 0;
    for (int k = 1; k < dim; k++) c.n[TX_NUMBER_MU + k - 1] = mu;
    while (normal_pivot(&c, high) > 0) high *= 2;
    for (int i = 0; i < 100; i++) *(normal_pivot(&c, (low + high) / 2) > 0 ? &low : &high) = (low + high) / 2;
    const double m = low * (1 + aside);
    for (int k = 0; k < dim; k++) answer[k] = random_between(seed, k ? -1 : 0.1, 1);
    for (int k = 1; k < dim; k++) length += answer[k] * answer[k];
    for (int k = 1; k < dim; k++) answer[k] *= mu * answer[0] / sqrt(length);
    for (int i = 0; i < dim; i++) {
        c.lambda[i] = 0;
        c.y[i] = c.n[TX_NUMBER_A + i] + (i ? -m : mu * mu * m) * answer[i];
        for (int j = 0; j < dim; j++) c.y[i] -= c.W[i * dim + j] * answer[j];
    }
    return c;
}

static void a_contact_between_two_branches_is_solved(void **state) {
    static const int SIZES[] = {3, 4, 6};
    static const double ASIDE[] = {0, 1e-13, -1e-11, 1e-8, -1e-5, 1e-3, -0.1};
    uint64_t seed = 41;
    for (int trial = 0; trial < 2100; trial++) {
        const int dim = SIZES[trial % 3];
        lone_contact c[4];
        double answer[4][MOST_ROWS];
        _Alignas(64) double n[NUMBERS * 4], W[36 * 4] = {0}, y[MOST_ROWS * 4] = {0}, lambda[MOST_ROWS * 4] = {0};
        for (int e = 0; e < 4; e++) {
            c[e] = singular_contact(dim, ASIDE[(trial / 3 + 3 * e) % 7], &seed, answer[e]);
            for (int k = 0; k < NUMBERS; k++) n[4 * k + e] = c[e].n[k];
            for (int k = 0; k < dim * dim; k++) W[4 * k + e] = c[e].W[k];
            for (int k = 0; k < dim; k++) y[4 * k + e] = c[e].y[k];
        }
        kernels_w4.visit(KERNEL_ccp, dim, n, W, y, true, lambda);
        for (int e = 0; e < 4; e++) {
            visit(&c[e], true);
            for (int k = 0; k < dim; k++) {
                assert_near(c[e].lambda[k], answer[e][k], 1e-9);
                assert_memory_equal(&lambda[4 * k + e], &c[e].lambda[k], sizeof(double));
            }
        }
    }
}

// sequential impulses: from nothing the normal by its own entry, then friction by the steeper tangent with what the
// normal has moved; again and again they end in the same law
static void impulses_come_one_after_the_other(void **state) {
    uint64_t seed = 31;
    for (int trial = 0; trial < 200; trial++) {
        lone_contact c = random_contact(KERNEL_coulomb, 3, false, &seed), start;
        memset(c.lambda, 0, sizeof c.lambda);
        c.y[0] = c.n[TX_NUMBER_A] - 1, start = c;
        c.n[TX_NUMBER_MU] = c.n[TX_NUMBER_MU + 1] = 1e6; // nothing slides
        visit(&c, false);
        const double E = c.n[TX_NUMBER_E], normal = 1 / (c.W[0] + E), steepest = fmax(c.W[4], c.W[8]) + E;
        assert_true(fabs(c.lambda[0] - normal) < 1e-12 * normal);
        for (int k = 1; k < 3; k++) {
            const double u = start.y[k] - c.n[TX_NUMBER_A + k] + c.W[3 * k] * normal;
            assert_true(fabs(c.lambda[k] + u / steepest) < 1e-9 * (1 + fabs(u / steepest)));
        }
        c = start;
        for (int i = 0; i < 3000; i++) visit(&c, false);
        obeys_its_cone(&c, 1e-6);
    }
}

// a box: row by row within its bound
static void boxes_are_bounded_row_by_row(void **state) {
    uint64_t seed = 37;
    for (int trial = 0; trial < 200; trial++) {
        lone_contact c = random_contact(KERNEL_box, 3, false, &seed);
        double sum[2];
        for (int i = 0; i < 3000; i++) visit(&c, false);
        for (int k = 0; k < 3; k++) {
            const double u = c.y[k] - c.n[TX_NUMBER_A + k] + c.n[TX_NUMBER_E] * c.lambda[k];
            const double bound = k ? c.n[TX_NUMBER_MU + k - 1] * c.lambda[0] : 0;
            if (k == 0) assert_true(c.lambda[0] >= 0 && u >= -1e-6 && fabs(u * c.lambda[0]) < 1e-6);
            else {
                assert_true(fabs(c.lambda[k]) <= bound + 1e-12);
                assert_true(fabs(u * bound + fabs(u) * c.lambda[k]) < 1e-6 * (1 + bound)); // at the bound against u
            }
        }
        kernels_w1.kernel[KERNEL_box].defect(3, c.n, c.lambda, c.y, c.y, sum);
        assert_true(sqrt(sum[0]) < 1e-6);
    }
}

// edges of a pyramid: forces, motions, and one after the other
static void edges_come_one_after_the_other(void **state) {
    double n[NUMBERS] = {0}, lambda[DUALS] = {1, 2, 3, 4}, gamma[3], u[4], v[1] = {-7};
    const double y[3] = {1, 2, 3}, down[3] = {-1, 0, 0}, W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, S[1] = {2};
    n[TX_NUMBER_MU] = 0.5, n[TX_NUMBER_MU + 1] = 0.25;
    kernels_w1.forces(KERNEL_pyramid, 3, n, lambda, gamma);
    assert_true(gamma[0] == 10 && gamma[1] == -0.5 && gamma[2] == -0.25);
    kernels_w1.motions(KERNEL_pyramid, 3, n, y, u);
    assert_true(u[0] == 2 && u[1] == 0 && u[2] == 1.75 && u[3] == 0.25);
    // the first two edges of four take all of the weight
    n[TX_NUMBER_MU] = n[TX_NUMBER_MU + 1] = 1, n[TX_NUMBER_D] = 1e15, n[TX_NUMBER_REST] = 1;
    memset(lambda, 0, sizeof lambda);
    kernels_w1.visit(KERNEL_pyramid, 3, n, W, down, false, lambda);
    for (int e = 0; e < 4; e++) assert_true(fabs(lambda[e] - (e < 2 ? 0.5 : 0)) < 1e-12);
    // the bound of dry friction in units of 2
    n[TX_NUMBER_BOUND] = 3;
    kernels_w1.project(KERNEL_clamped, 1, n, S, v);
    assert_true(v[0] == -1.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_cost),
        cmocka_unit_test(cost_is_the_work_of_the_force),
        cmocka_unit_test(cones_are_projections),
        cmocka_unit_test(duals_are_a_fixed_point),
        cmocka_unit_test(defects_have_their_closed_form),
        cmocka_unit_test(lanes_equal_one_lane),
        cmocka_unit_test(a_contact_alone_is_solved),
        cmocka_unit_test(a_contact_between_two_branches_is_solved),
        cmocka_unit_test(impulses_come_one_after_the_other),
        cmocka_unit_test(boxes_are_bounded_row_by_row),
        cmocka_unit_test(edges_come_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
