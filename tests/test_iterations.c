// test_iterations.c - what solvers do on the way: where they begin, single iterations against the papers they are from,
// when they stop and what they say then. Problems are small, and their right answers are closed forms or made densely
// here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/memory.h"
#include "near.h"
#include "problem/file.h"
#include "random_problems.h"
#include "simulate.h"
#include "step/alone.h"

enum { MOST = 32 };

// ---- problems -------------------------------------------------------------------------------------------------------

// so many masses that slide, each alone
static void slides(random_world *w, int nv, uint64_t seed) {
    memset(w, 0, offsetof(random_world, con));
    w->seed = seed * 0x9e3779b97f4a7c15u + 12345;
    for (int k = 0; k < 8; k++) uniform(w, 0, 1);
    w->nv = w->nblocks = nv;
    for (int d = 0; d < nv; d++) w->parent[d] = -1, w->width[d] = 1, w->A[d * nv + d] = magnitude(w, -1, 1);
}

// a row between all of its dofs that are not zero in J
static double *add_row(random_world *w, int kernel, double D, double aim, const double *J) {
    const int c = w->ncons++;
    memset(&w->con[c], 0, sizeof w->con[c]);
    w->con[c].kernel = kernel, w->con[c].dim = 1;
    for (int d = 0; d < w->nv; d++) w->con[c].J[0][d] = J[d], w->con[c].moves[d] = J[d] != 0;
    w->con[c].n[TX_NUMBER_D] = D, w->con[c].n[TX_NUMBER_A] = aim, w->con[c].n[TX_NUMBER_REST] = 0.5;
    return w->con[c].n;
}

static void random_rows(random_world *w, int kernel, int count, double low, double high) {
    for (int i = 0; i < count; i++) {
        double J[MOST_DOFS];
        for (int d = 0; d < w->nv; d++) J[d] = uniform(w, -1, 1);
        add_row(w, kernel, magnitude(w, low, high), uniform(w, -1, 1), J);
    }
}

static void make(random_world *w, tx_bare *b) {
    const char *why;
    if (!random_problem(w, b, &why)) fail_msg("%s", why);
    b->problem.opt.tolerance = 0, b->problem.opt.warmstart = false;
}

static int solver_of(const char *name) {
    int s = 0;
    while (tx_solver_name(s) && strcmp(tx_solver_name(s), name) != 0) s++;
    assert_non_null(tx_solver_name(s));
    return s;
}

static void solve(tx_bare *b, const char *solver) {
    const char *why;
    if (!tx_solve_alone(tx_target_single(TX_TARGET_AUTO), b, solver_of(solver), NULL, &why)) fail_msg("%s", why);
}

static double number(const void *p) { return *(const double *)p; }

// ---- the cost, dense: rows that push one way, or both -------------------------------------------

static double row_of(const random_world *w, int c, const double *x) {
    double y = 0;
    for (int d = 0; d < w->nv; d++) y += w->con[c].J[0][d] * x[d];
    return y;
}

static bool pushes(const random_world *w, int c, double y) {
    return w->con[c].kernel == KERNEL_quadratic || y < w->con[c].n[TX_NUMBER_A];
}

static double cost_of(const random_world *w, const double *x, const double *star) {
    double sum = 0;
    for (int d = 0; d < w->nv; d++) sum += 0.5 * w->A[d * w->nv + d] * (x[d] - star[d]) * (x[d] - star[d]);
    for (int c = 0; c < w->ncons; c++) {
        const double y = row_of(w, c, x), u = y - w->con[c].n[TX_NUMBER_A];
        if (pushes(w, c, y)) sum += 0.5 * w->con[c].n[TX_NUMBER_D] * u * u;
    }
    return sum;
}

static void gradient_of(const random_world *w, const double *x, const double *star, double *grad) {
    for (int d = 0; d < w->nv; d++) grad[d] = w->A[d * w->nv + d] * (x[d] - star[d]);
    for (int c = 0; c < w->ncons; c++) {
        const double y = row_of(w, c, x), u = y - w->con[c].n[TX_NUMBER_A];
        for (int d = 0; d < w->nv && pushes(w, c, y); d++) grad[d] += w->con[c].n[TX_NUMBER_D] * u * w->con[c].J[0][d];
    }
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// ---- conjugate gradients ------------------------------------------------------------------------

// the part of H inside the trees, which are masses here
static void masses_and_springs(const random_world *w, const double *x, double *P) {
    for (int i = 0; i < w->nv; i++) P[i] = w->A[i * w->nv + i];
    for (int c = 0; c < w->ncons; c++)
        for (int i = 0; i < w->nv && pushes(w, c, row_of(w, c, x)); i++)
            P[i] += w->con[c].n[TX_NUMBER_D] * w->con[c].J[0][i] * w->con[c].J[0][i];
}

// one step of Newton's method along a direction, in place
static void step_along(const random_world *w, const double *d, const double *grad, double *x) {
    const int n = w->nv;
    double second = 0;
    for (int i = 0; i < n; i++) second += d[i] * w->A[i * n + i] * d[i];
    for (int k = 0; k < w->ncons; k++) {
        const double s = row_of(w, k, d);
        if (pushes(w, k, row_of(w, k, x))) second += w->con[k].n[TX_NUMBER_D] * s * s;
    }
    const double step = -dot(n, d, grad) / second;
    for (int i = 0; i < n; i++) x[i] += step * d[i];
}

// Hager and Zhang (2006, 2013) in the inner product of P⁻¹, P the part of H at the start inside the trees, one step of
// Newton's method along each direction; written with c = grad - before and P d in full, where the solver takes them
// apart. guards: how often β would not have led down, which it always does (their theorem 1: by 7/8 gradᵀz, and the
// bound is between that β and zero)
static void hager_zhang(const random_world *w, const double *star, int iterations, double *x, int *guards) {
    const int n = w->nv;
    double grad[MOST], before[MOST], d[MOST] = {0}, z[MOST], c[MOST], Zc[MOST], P[MOST];
    memcpy(x, star, sizeof(double) * (size_t)n);
    masses_and_springs(w, x, P);
    for (int it = 0; it < iterations; it++) {
        gradient_of(w, x, star, grad);
        for (int i = 0; i < n; i++) z[i] = grad[i] / P[i];
        double beta = 0;
        if (it > 0) {
            double dPd = 0, dc, cz, db;
            for (int i = 0; i < n; i++) c[i] = grad[i] - before[i], Zc[i] = c[i] / P[i], dPd += d[i] * P[i] * d[i];
            dc = dot(n, d, c), cz = dot(n, c, z), db = dot(n, d, before);
            beta = cz / dc - 2 * dot(n, c, Zc) * dot(n, d, grad) / (dc * dc);
            beta = fmax(beta, 0.4 * db / dPd);
            const double down = beta * dot(n, d, grad) - dot(n, grad, z);
            if (!(down < -0.1 * dot(n, grad, z))) beta = 0, ++*guards;
        }
        for (int i = 0; i < n; i++) d[i] = beta * d[i] - z[i], before[i] = grad[i];
        step_along(w, d, grad, x);
    }
}

static void cg_is_that_of_hager_and_zhang(void **state) {
    random_world *w = malloc(sizeof *w);
    int guards = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        tx_bare b;
        slides(w, 6, seed);
        random_rows(w, KERNEL_one_sided, 9, 0, 2);
        make(w, &b);
        b.problem.opt.ls_iterations = 1, b.problem.opt.ls_tolerance = 1e-10;
        for (int it = 1; it <= 8; it++) {
            double x[MOST];
            b.problem.opt.iterations = it;
            solve(&b, "cg");
            if (number(b.problem.iterations) < it) break; // it has arrived
            hager_zhang(w, tx_bare_x_star(&b), it, x, &guards);
            const double size = sqrt(dot(6, x, x));
            for (int d = 0; d < 6; d++) assert_near(((const double *)b.problem.x)[d], x[d], 1e-8 * size);
        }
        tx_bare_destroy(&b);
    }
    assert_int_equal(guards, 0);
    free(w);
}

// after eight iterations cg begins anew at -P⁻¹ grad, P of here; or, where they left a tenth of the gradient, with a
// direction of Newton's method up to a tenth in the norm of P⁻¹, all of which springs let it go
static void cg_begins_anew(void **state) {
    enum { CYCLE = 8 };
    random_world *w = malloc(sizeof *w);
    int down = 0, newton = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        tx_bare b;
        slides(w, 24, seed);
        // many rows between all, or a chain that is pulled at one end: the force goes one link down it an iteration
        const bool chain = seed % 3 == 0;
        for (int i = 0; i < 23 && chain; i++) {
            double J[MOST_DOFS] = {0};
            J[i] = 1, J[i + 1] = -1;
            add_row(w, KERNEL_quadratic, 1e6 * uniform(w, 1, 2), 0, J);
        }
        if (chain) add_row(w, KERNEL_quadratic, 1, 1, (double[MOST_DOFS]){1});
        if (!chain) random_rows(w, KERNEL_one_sided, 30, -1, 1 + (double)(seed % 10));
        make(w, &b);
        for (int d = 0; d < 24 && chain; d++) tx_bare_x_star(&b)[d] = 0;
        b.large = seed % 2, b.problem.opt.ls_tolerance = 1e-10;
        const double *star = tx_bare_x_star(&b);
        double x[2][MOST], grad[3][MOST], P[MOST], d[MOST], next[MOST];
        for (int k = 0; k < 2; k++) {
            b.problem.opt.iterations = CYCLE + k, b.problem.opt.ls_iterations = 1;
            solve(&b, "cg");
            memcpy(x[k], b.problem.x, sizeof(double) * 24);
            gradient_of(w, x[k], star, grad[k]);
        }
        gradient_of(w, star, star, grad[2]);
        const bool moved = number(b.problem.iterations) == CYCLE + 1;
        const double ratio = sqrt(dot(24, grad[0], grad[0]) / dot(24, grad[2], grad[2]));
        masses_and_springs(w, x[0], P);
        double size = 0, left = 0, all = 0;
        for (int i = 0; i < 24; i++) {
            d[i] = -grad[0][i] / P[i], size += pow(x[1][i] - x[0][i], 2);
            left += grad[1][i] * grad[1][i] / P[i], all += grad[0][i] * grad[0][i] / P[i];
        }
        memcpy(next, x[0], sizeof next);
        step_along(w, d, grad[0], next);
        if (moved && ratio < 0.099 && ratio > 1e-6) {
            for (int i = 0; i < 24; i++) assert_near(x[1][i], next[i], 1e-6 * sqrt(size));
            down++;
        } else if (moved && ratio > 0.101 && chain) {
            assert_true(left <= 0.0101 * all);
            newton++;
        }
        tx_bare_destroy(&b);
    }
    printf("cg began anew down the gradient %d times, by Newton's method %d times\n", down, newton);
    assert_true(down > 5 && newton > 5);
    free(w);
}

// ---- friction in Newton's method ----------------------------------------------------------------

// a contact of `lagged` without dissipation on three slides: γ at u, with Q = √(|μu_t|² + E²)
typedef struct rub {
    double D, aim, E, push, mu[2];
} rub;

static double rub_force(const rub *c, const double *y, double *f) {
    double Q = c->E * c->E;
    for (int k = 0; k < 2; k++) Q += c->mu[k] * c->mu[k] * y[k + 1] * y[k + 1];
    Q = sqrt(Q);
    f[0] = y[0] < c->aim ? c->D * (c->aim - y[0]) : 0;
    for (int k = 0; k < 2; k++) f[k + 1] = -c->push * c->mu[k] * c->mu[k] * y[k + 1] / Q;
    return Q;
}

static void rows_of(const random_world *w, const double *x, double *y) {
    for (int r = 0; r < 3; r++) y[r] = dot(3, w->con[0].J[r], x);
}

static void rub_gradient(const random_world *w, const rub *c, const double *x, const double *star, double *grad) {
    double y[3], f[3];
    rows_of(w, x, y);
    rub_force(c, y, f);
    for (int d = 0; d < 3; d++) {
        grad[d] = w->A[4 * d] * (x[d] - star[d]);
        for (int r = 0; r < 3; r++) grad[d] -= w->con[0].J[r][d] * f[r];
    }
}

// x = H⁻¹ x by Cramer's rule
static double det3(const double *H) {
    return H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
}
static void solve3(const double *H, double *x) {
    double out[3];
    for (int k = 0; k < 3; k++) {
        double column[9];
        memcpy(column, H, sizeof column);
        for (int r = 0; r < 3; r++) column[3 * r + k] = x[r];
        out[k] = det3(column) / det3(H);
    }
    memcpy(x, out, sizeof out);
}

// Chan, Golub and Mulet (1999): Newton's method for the force balance and Q w = U together, U = μu, w made symmetric in
// its Hessian; the lowest point along each direction; w goes (1 + step) / 2 of its way and stays in the unit ball
static void chan_golub_mulet(const random_world *w, const rub *c, const double *star, int iterations, double *x) {
    double used[2] = {0, 0};
    memcpy(x, star, 3 * sizeof(double));
    for (int it = 0; it < iterations; it++) {
        double y[3], f[3], G[9] = {0}, GJ[9], H[9], s[3], ys[3], tau[2], low = 0, high = 1;
        rows_of(w, x, y);
        const double Q = rub_force(c, y, f);
        G[0] = y[0] < c->aim ? c->D : 0;
        for (int k = 0; k < 2; k++) tau[k] = c->mu[k] * y[k + 1] / Q;
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                G[3 * (j + 1) + k + 1] =
                    c->push / Q * c->mu[j] * c->mu[k] * ((j == k) - 0.5 * (used[j] * tau[k] + tau[j] * used[k]));
        for (int r = 0; r < 3; r++)
            for (int d = 0; d < 3; d++) {
                GJ[3 * r + d] = 0;
                for (int q = 0; q < 3; q++) GJ[3 * r + d] += G[3 * r + q] * w->con[0].J[q][d];
            }
        for (int i = 0; i < 3; i++)
            for (int d = 0; d < 3; d++) {
                H[3 * i + d] = w->A[3 * i + d];
                for (int r = 0; r < 3; r++) H[3 * i + d] += w->con[0].J[r][i] * GJ[3 * r + d];
            }
        rub_gradient(w, c, x, star, s);
        for (int d = 0; d < 3; d++) s[d] = -s[d];
        solve3(H, s);
        for (int k = 0; k < 200; k++) {
            double at[3], grad[3];
            const double middle = k < 20 ? high : 0.5 * (low + high);
            for (int d = 0; d < 3; d++) at[d] = x[d] + middle * s[d];
            rub_gradient(w, c, at, star, grad);
            if (dot(3, grad, s) < 0) low = middle, high = k < 20 ? 2 * high : high;
            else high = middle, k = k < 20 ? 20 : k;
        }
        rows_of(w, s, ys);
        const double along = tau[0] * c->mu[0] * ys[1] + tau[1] * c->mu[1] * ys[2];
        double size = 0;
        for (int k = 0; k < 2; k++) {
            const double to = tau[k] + (c->mu[k] * ys[k + 1] - used[k] * along) / Q;
            used[k] += 0.5 * (1 + fmin(low, 1)) * (to - used[k]), size += used[k] * used[k];
        }
        for (int k = 0; k < 2; k++) used[k] /= fmax(1, sqrt(size));
        for (int d = 0; d < 3; d++) x[d] += low * s[d];
    }
}

static void friction_is_that_of_chan_golub_and_mulet(void **state) {
    random_world *w = malloc(sizeof *w);
    for (uint64_t seed = 0; seed < 40; seed++) {
        tx_bare b;
        slides(w, 3, seed);
        w->step = 0.01, w->ncons = 1;
        memset(&w->con[0], 0, sizeof w->con[0]);
        w->con[0].kernel = KERNEL_lagged, w->con[0].dim = 3;
        for (int d = 0; d < 3; d++) {
            w->con[0].moves[d] = true;
            for (int r = 0; r < 3; r++) w->con[0].J[r][d] = uniform(w, -1, 1);
        }
        const rub c = {magnitude(w, -1, 1),
                       uniform(w, -1, 1),
                       magnitude(w, -3, -2),
                       magnitude(w, -1, 1),
                       {uniform(w, 0.2, 1), uniform(w, 0.2, 1)}};
        double *n = w->con[0].n;
        n[TX_NUMBER_D] = c.D, n[TX_NUMBER_A] = c.aim, n[TX_NUMBER_REST] = 0.5, n[TX_NUMBER_SLIP] = c.E;
        n[TX_NUMBER_MU] = c.mu[0], n[TX_NUMBER_MU + 1] = c.mu[1], n[TX_NUMBER_LAST] = c.push;
        make(w, &b);
        b.problem.opt.ls_iterations = 100, b.problem.opt.ls_tolerance = 1e-13;
        // large problems leave small changes of H out: later iterations are their own
        for (int large = 0; large < 2; large++)
            for (int it = 1; it <= (large ? 2 : 3); it++) {
                double x[3];
                b.large = large, b.problem.opt.iterations = it;
                solve(&b, "newton");
                if (number(b.problem.iterations) < it) break; // it has arrived
                chan_golub_mulet(w, &c, tx_bare_x_star(&b), it, x);
                for (int d = 0; d < 3; d++)
                    assert_near(((const double *)b.problem.x)[d], x[d], 1e-7 * (1 + fabs(x[d])));
            }
        tx_bare_destroy(&b);
    }
    free(w);
}

// what friction was on the way says nothing where cg begins anew: the ninth step is the first of a solve that begins
// there, unless eight iterations left a tenth of the gradient
static void cg_forgets_friction_where_it_begins_anew(void **state) {
    enum { CYCLE = 8, SLIDES = 12, CONTACTS = 8 };
    random_world *w = malloc(sizeof *w);
    int compared = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        tx_bare b;
        slides(w, SLIDES, seed);
        w->step = 0.01, w->ncons = CONTACTS;
        for (int c = 0; c < CONTACTS; c++) {
            memset(&w->con[c], 0, sizeof w->con[c]);
            w->con[c].kernel = KERNEL_lagged, w->con[c].dim = 3;
            for (int i = 0; i < 9; i++) {
                const int d = (i % 3 + c) % SLIDES;
                w->con[c].moves[d] = true, w->con[c].J[i / 3][d] = uniform(w, -1, 1);
            }
            double *n = w->con[c].n;
            n[TX_NUMBER_D] = magnitude(w, -1, 1), n[TX_NUMBER_A] = uniform(w, -1, 1), n[TX_NUMBER_REST] = 0.5;
            n[TX_NUMBER_SLIP] = magnitude(w, -2, -1), n[TX_NUMBER_LAST] = magnitude(w, -1, 1);
            n[TX_NUMBER_MU] = n[TX_NUMBER_MU + 1] = uniform(w, 0.2, 1);
        }
        make(w, &b);
        b.large = seed % 2, b.problem.opt.ls_iterations = 50, b.problem.opt.ls_tolerance = 1e-10;
        double x[3][SLIDES], gradient[2], size = 0;
        int done = 0;
        for (int k = 0; k < 3; k++) {
            b.problem.opt.iterations = k == 0 ? 0 : CYCLE - 1 + k;
            solve(&b, "cg");
            memcpy(x[k], b.problem.x, sizeof x[k]);
            if (k < 2) gradient[k] = number(b.problem.gradient);
            done = (int)number(b.problem.iterations);
        }
        memcpy(tx_bare_warm(&b), x[1], sizeof x[1]);
        b.problem.opt.warmstart = true, b.problem.opt.iterations = 1;
        solve(&b, "cg");
        const double *again = (const double *)b.problem.x;
        for (int d = 0; d < SLIDES; d++) size += pow(x[2][d] - x[1][d], 2);
        if (done == CYCLE + 1 && gradient[1] < 0.05 * gradient[0] && gradient[1] > 1e-8 * gradient[0]) {
            for (int d = 0; d < SLIDES; d++) assert_near(again[d], x[2][d], 1e-6 * sqrt(size));
            compared++;
        }
        tx_bare_destroy(&b);
    }
    printf("cg began anew with friction %d times\n", compared);
    assert_true(compared > 5);
    free(w);
}

// ---- inexact Newton -----------------------------------------------------------------------------

// where all rows are springs the first direction leads to the answer, as good as the tolerance asks for and no worse:
// conjugate gradients on as many numbers as there are rows end after as many products
static void newton_pcg_solves_springs_at_once(void **state) {
    random_world *w = malloc(sizeof *w);
    for (uint64_t seed = 0; seed < 20; seed++) {
        tx_bare b;
        slides(w, 24, seed);
        random_rows(w, KERNEL_quadratic, 12, 1, 3);
        make(w, &b);
        b.large = seed % 2;
        b.problem.opt.tolerance = 1e-6, b.problem.opt.iterations = 20;
        solve(&b, "newton-pcg");
        assert_true(number(b.problem.iterations) == 1);
        assert_true(number(b.problem.gradient) <= 1e-6);
        // twelve directions and what rounding adds, each with J and Jᵀ in H and in the line search
        assert_true(b.products <= 2 * 2 * 2 * 20);
        // and the gradient is what it says
        double grad[MOST], trace = 0;
        gradient_of(w, b.problem.x, tx_bare_x_star(&b), grad);
        for (int d = 0; d < w->nv; d++) trace += w->A[d * w->nv + d];
        assert_true(sqrt(dot(w->nv, grad, grad)) / trace <= 1e-6);
        tx_bare_destroy(&b);
    }
    free(w);
}

// masses m of many sizes and a row of all of them that is 1e20 times as stiff: m + D is D, and nothing is left of the
// later pivots. Down the gradient it is one step, in the norm of A: x = x* + A⁻¹ Jᵀ γ, γ = (a - J x*) / (1/D + Σ 1/m)
static void a_factor_without_a_pivot_is_no_direction(void **state) {
    static const char *const NAMES[] = {"newton", "newton-pcg", "cg"};
    random_world *w = malloc(sizeof *w);
    for (int k = 0; k < 12; k++) {
        tx_bare b;
        if (k < 6 && k % 3 == 2) continue; // a row that couples trees is not in the factor of cg
        slides(w, 4, 1);
        // apart, or in one tree: newton-pcg and cg factorise trees
        for (int d = 0; d < 4 && k >= 6; d++) w->parent[d] = d - 1, w->nblocks = 1, w->width[0] = 4;
        const double mass[] = {1e-3, 1e3, 1, 30}, J[] = {1, 1, 1, 1}, D = 1e23, aim = 3;
        double star = 0, weight = 1 / D;
        for (int d = 0; d < 4; d++) w->A[5 * d] = mass[d], weight += 1 / mass[d];
        add_row(w, KERNEL_quadratic, D, aim, J);
        make(w, &b);
        b.large = k / 3 % 2;
        for (int d = 0; d < 4; d++) star += tx_bare_x_star(&b)[d] = 0.5 - 0.25 * d;
        solve(&b, NAMES[k % 3]);
        const double *x = b.problem.x, gamma = (aim - star) / weight;
        for (int d = 0; d < 4; d++) assert_near(x[d] - tx_bare_x_star(&b)[d], gamma / mass[d], 1e-9);
        assert_true(b.problem.unsolved[0] == TX_STOP_REACHED && number(b.problem.solve_error) <= 1e-8);
        tx_bare_destroy(&b);
    }
    free(w);
}

// A row that is 1e12 times as stiff as the mass is heavy, and is left at once: Newton's direction has its stiffness,
// and the way to the other row is 1e11 times as long. min ½ x² + ½ 10 (x + 0.9)² is at -9/11
static void a_line_search_goes_as_far_as_it_must(void **state) {
    random_world *w = malloc(sizeof *w);
    tx_bare b;
    slides(w, 1, 1);
    w->A[0] = 1;
    add_row(w, KERNEL_one_sided, 1e12, -1 + 1e-13, (double[]){1});
    add_row(w, KERNEL_one_sided, 10, 0.9, (double[]){-1});
    make(w, &b);
    tx_bare_x_star(&b)[0] = 0, tx_bare_warm(&b)[0] = -1;
    b.problem.opt.warmstart = true, b.problem.opt.tolerance = 1e-6, b.problem.opt.ls_tolerance = 1e-10;
    b.problem.opt.ls_iterations = 100;
    solve(&b, "newton");
    assert_true(number(b.problem.iterations) == 1);
    assert_near(number(b.problem.x), -9.0 / 11, 1e-6);
    tx_bare_destroy(&b);
    free(w);
}

// in one tree the preconditioner is H itself: one direction is enough
static void one_tree_is_solved_by_its_preconditioner(void **state) {
    random_world *w = malloc(sizeof *w);
    for (uint64_t seed = 0; seed < 6; seed++) {
        tx_bare b;
        slides(w, 12, seed);
        w->nblocks = 4;
        for (int d = 0; d < 12; d++) w->parent[d] = d - 1, w->width[d / 3] = 3;
        random_rows(w, KERNEL_quadratic, 8, 1, 3);
        make(w, &b);
        b.large = seed % 2;
        b.problem.opt.tolerance = 1e-6, b.problem.opt.iterations = 20;
        solve(&b, "newton-pcg");
        assert_true(number(b.problem.iterations) == 1);
        assert_true(b.products <= 10);
        tx_bare_destroy(&b);
    }
    free(w);
}

// ---- where they begin ---------------------------------------------------------------------------

// without an iteration x is the start: of the free motion, the last answer and, where it is a velocity, rest, what
// costs least
static void primal_solvers_begin_where_it_costs_least(void **state) {
    random_world *w = malloc(sizeof *w);
    int taken[3] = {0};
    for (uint64_t seed = 0; seed < 80; seed++) {
        tx_bare b;
        slides(w, 5, seed);
        random_rows(w, KERNEL_one_sided, 6, -1, 2);
        if (seed % 2) w->step = 0.005;
        make(w, &b);
        b.problem.opt.warmstart = true, b.problem.opt.iterations = 0;
        const double *star = tx_bare_x_star(&b), rest[MOST] = {0};
        double *warm = tx_bare_warm(&b);
        for (int d = 0; d < 5; d++) warm[d] = star[d] + uniform(w, -1, 1) * (seed % 3 ? 0.3 : 10);
        const double *start[3] = {star, warm, rest};
        int best = 0;
        for (int k = 1; k < (seed % 2 ? 3 : 2); k++)
            if (cost_of(w, start[k], star) < cost_of(w, start[best], star)) best = k;
        solve(&b, "newton");
        assert_memory_equal(b.problem.x, start[best], 5 * sizeof(double));
        taken[best]++;
        tx_bare_destroy(&b);
    }
    assert_true(taken[0] > 3 && taken[1] > 3 && taken[2] > 3);
    free(w);
}

// a dual solver's is the force of the last answer's motion: D (a - J warm), where that pushes
static void dual_solvers_begin_with_the_last_force(void **state) {
    static const char *const NAMES[] = {"pgs", "nsgs", "apgd"};
    random_world *w = malloc(sizeof *w);
    for (int s = 0; s < 3; s++) {
        tx_bare b;
        int some = 0;
        slides(w, 5, 7);
        random_rows(w, KERNEL_one_sided, 6, -1, 2);
        make(w, &b);
        b.problem.opt.warmstart = true, b.problem.opt.iterations = 0, b.problem.opt.tolerance = 1e-8;
        solve(&b, NAMES[s]);
        for (int c = 0; c < 6; c++) {
            const double *n = w->con[c].n, u = row_of(w, c, tx_bare_warm(&b)) - n[TX_NUMBER_A];
            const double force = n[TX_NUMBER_D] * fmax(-u, 0);
            assert_near(((const double *)b.problem.gamma)[c], force, 1e-12 * (1 + force));
            some += force > 0;
        }
        assert_true(some > 0);
        tx_bare_destroy(&b);
    }
    free(w);
}

// ---- when they stop, and what they say ----------------------------------------------------------

static void what_is_no_number_is_no_answer(void **state) {
    static const char *const NAMES[] = {"newton", "cg", "newton-pcg", "pgs", "nsgs"};
    random_world *w = malloc(sizeof *w);
    for (int s = 0; s < 5; s++) {
        tx_bare b;
        slides(w, 3, 5);
        random_rows(w, KERNEL_quadratic, 3, 0, 1);
        make(w, &b);
        b.problem.opt.tolerance = 1e-8, b.problem.opt.iterations = 1000;
        // the free motion of a primal solver, the last answer of a dual one
        if (s < 3) tx_bare_x_star(&b)[1] = NAN;
        else tx_bare_warm(&b)[1] = NAN, b.problem.opt.warmstart = true;
        solve(&b, NAMES[s]);
        assert_int_equal(b.problem.unsolved[0], TX_STOP_FAILED);
        // it is seen the first time that somebody looks
        assert_true(number(b.problem.iterations) <= 20);
        tx_bare_destroy(&b);
    }
    // a slope that is too small for a number leaves no way down
    slides(w, 1, 5);
    w->A[0] = 1e30;
    add_row(w, KERNEL_quadratic, 1e-153, 1, (double[]){1});
    tx_bare b;
    make(w, &b);
    tx_bare_x_star(&b)[0] = 0;
    solve(&b, "cg");
    assert_int_equal(b.problem.unsolved[0], TX_STOP_FAILED);
    tx_bare_destroy(&b);
    free(w);
}

// at the limit of its iterations an answer that is above the tolerance, by little even, is none
static void what_is_above_its_tolerance_is_said(void **state) {
    static const char *const NAMES[] = {"pgs", "nsgs", "apgd", "bb"};
    random_world *w = malloc(sizeof *w);
    for (int s = 0; s < 4; s++) {
        tx_bare b;
        slides(w, 6, 11);
        random_rows(w, KERNEL_one_sided, 9, 1, 2);
        make(w, &b);
        b.problem.opt.tolerance = 1e-15, b.problem.opt.iterations = 12;
        solve(&b, NAMES[s]);
        const double error = number(b.problem.solve_error);
        assert_true(error > 1e-6);
        assert_int_equal(b.problem.unsolved[0], TX_STOP_LIMIT);
        b.problem.opt.tolerance = error / 3;
        solve(&b, NAMES[s]);
        assert_int_equal(b.problem.unsolved[0], TX_STOP_LIMIT);
        b.problem.opt.tolerance = error * 1.001;
        solve(&b, NAMES[s]);
        assert_int_equal(b.problem.unsolved[0], TX_STOP_REACHED);
        tx_bare_destroy(&b);
    }
    free(w);
}

// all masses and stiffnesses times 100: the same motion, and the same share of it is wrong
static void the_solve_error_has_no_unit(void **state) {
    random_world *w = malloc(sizeof *w);
    double error[2];
    for (int k = 0; k < 2; k++) {
        tx_bare b;
        slides(w, 6, 3);
        random_rows(w, KERNEL_one_sided, 9, 1, 2);
        for (int d = 0; d < 6 && k; d++) w->A[7 * d] *= 100;
        for (int c = 0; c < 9 && k; c++) w->con[c].n[TX_NUMBER_D] *= 100;
        make(w, &b);
        b.problem.opt.iterations = 2;
        solve(&b, "cg");
        error[k] = number(b.problem.solve_error);
        tx_bare_destroy(&b);
    }
    assert_true(error[0] > 1e-3);
    assert_near(error[1], error[0], 1e-12);
    free(w);
}

// islands: the largest gradient and the worst reason of all, whoever comes first
static void islands_say_the_worst(void **state) {
    random_world *w = malloc(sizeof *w);
    for (int first = 0; first < 2; first++) {
        tx_bare b;
        double gradient[2];
        int unsolved[2];
        for (int k = 0; k < 3; k++) { // one island, the other, both
            slides(w, 6, 3);
            for (int c = 0; c < 8; c++) {
                const bool slow = (c < 4) == (first == 0); // a row of one mass is solved in an iteration, four are not
                double J[6] = {0};
                for (int d = 0; d < (slow ? 3 : 1); d++) J[d + 3 * (c >= 4)] = uniform(w, -1, 1);
                if (!slow && c % 4 > 0) continue;
                if (k == 2 || (c >= 4) == k) add_row(w, KERNEL_one_sided, slow ? 50 : 1, slow ? 3 : 0.1, J);
            }
            make(w, &b);
            for (int d = 0; d < 6; d++) tx_bare_x_star(&b)[d] = 0;
            b.large = true, b.problem.opt.iterations = 2, b.problem.opt.tolerance = 1e-9;
            solve(&b, "cg");
            const double own = number(b.problem.gradient);
            if (k < 2) gradient[k] = own, unsolved[k] = b.problem.unsolved[0];
            else {
                assert_true(own == fmax(gradient[0], gradient[1]) && gradient[0] != gradient[1]);
                assert_int_equal(unsolved[first], TX_STOP_LIMIT);
                assert_int_equal(unsolved[1 - first], TX_STOP_REACHED);
                assert_int_equal(b.problem.unsolved[0], TX_STOP_LIMIT);
            }
            tx_bare_destroy(&b);
        }
    }
    free(w);
}

// a free motion that is no number has no answer, and all solvers say so, whatever the other islands say
static void no_number_is_no_answer(void **state) {
    random_world *w = malloc(sizeof *w);
    for (int k = 0; tx_solver_name(k); k++)
        for (int trial = 0; trial < 12; trial++) {
            tx_bare b;
            slides(w, 4, 3);
            add_row(w, KERNEL_one_sided, 10, 1, (double[]){1, 0.5, 0, 0});
            add_row(w, KERNEL_one_sided, 10, 1, (double[]){0, 0, 1, -0.5});
            make(w, &b);
            b.large = trial % 2, b.problem.opt.tolerance = trial / 6 ? 1e-6 : 0, b.problem.opt.iterations = 50;
            for (int d = 0; d < 4; d++) tx_bare_x_star(&b)[d] = 0;
            tx_bare_x_star(&b)[trial % 4] = trial / 2 % 3 == 0 ? NAN : trial / 2 % 3 == 1 ? INFINITY : -INFINITY;
            solve(&b, tx_solver_name(k));
            assert_int_equal(b.problem.unsolved[0], TX_STOP_FAILED);
            // the stop test of a dual solver is the error itself
            const bool dual = tx_target_single(TX_TARGET_AUTO)->solver_is_dual(k);
            assert_true(isnan(number(b.problem.solve_error)));
            if (dual) assert_true(isnan(number(b.problem.gradient)));
            assert_false(tx_alone_converged(&b));
            tx_bare_destroy(&b);
        }
    free(w);
}

// a constraint of any kernel between all dofs, about as stiff as the masses are heavy
static void add_any(random_world *w, int kernel, int dim) {
    const int c = w->ncons++;
    memset(&w->con[c], 0, sizeof w->con[c]);
    double *n = w->con[c].n;
    w->con[c].kernel = kernel, w->con[c].dim = dim;
    for (int d = 0; d < w->nv; d++) {
        w->con[c].moves[d] = true;
        for (int r = 0; r < dim; r++) w->con[c].J[r][d] = uniform(w, -0.5, 0.5);
    }
    n[TX_NUMBER_D] = uniform(w, 0.5, 5), n[TX_NUMBER_REST] = 0.5;
    for (int r = 0; r < dim; r++) n[TX_NUMBER_A + r] = uniform(w, r ? -1 : 1, r ? 1 : 3);
    for (int r = 1; r < dim && kernel >= KERNEL_pyramid; r++) n[TX_NUMBER_MU + r - 1] = uniform(w, 0.1, 0.3);
    if (kernel == KERNEL_quadratic) n[TX_NUMBER_D2] = uniform(w, 0.5, 5);
    if (kernel == KERNEL_clamped) n[TX_NUMBER_BOUND] = uniform(w, 0.1, 1);
    if (kernel == KERNEL_cone) n[TX_NUMBER_CONE] = n[TX_NUMBER_MU];
    if (tx_kernel_is_hunt(kernel)) n[TX_NUMBER_SLIP] = 0.1, n[TX_NUMBER_DISSIPATION] = 0.1, n[TX_NUMBER_LAST] = 0.2;
    if (kernel == KERNEL_similar) n[TX_NUMBER_LAST] = 0;
}

// every solver that takes a constraint of some rows finds the one motion, dense or by islands, from nothing or from a
// guess; a problem that was written and read again gives the same bits
static void all_solvers_find_the_same(void **state) {
    const tx_target *target = tx_target_single(TX_TARGET_AUTO);
    random_world *w = malloc(sizeof *w);
    int pairs = 0;
    for (int kernel = 0; kernel < KERNEL_COUNT; kernel++)
        for (int dim = 1; dim <= 6; dim++)
            for (int variant = 0; variant < 4 && tx_kernel_takes(kernel, dim); variant++) {
                tx_bare b;
                double first[16];
                slides(w, 16, (uint64_t)(10 * kernel + dim));
                if (tx_kernel_is_hunt(kernel)) w->step = 0.01;
                for (int c = 0; c < 2; c++) add_any(w, kernel, dim);
                make(w, &b);
                for (int d = 0; d < 16; d++) tx_bare_x_star(&b)[d] = 0; // everything pushes
                b.large = variant % 2, b.problem.opt.warmstart = variant / 2;
                b.problem.opt.tolerance = 1e-9, b.problem.opt.iterations = 20000;
                int solved = 0;
                for (int s = 0; tx_solver_name(s); s++) {
                    if (!target->solver_takes(s, &b.problem)) continue;
                    solve(&b, tx_solver_name(s));
                    const double *x = b.problem.x, *star = tx_bare_x_star(&b);
                    double moved = 0;
                    for (int d = 0; d < 16; d++) moved = fmax(moved, fabs(x[d] - star[d]));
                    if (!tx_alone_converged(&b) || !(moved > 1e-3))
                        fail_msg("kernel %d, %d rows, %s: %g after %g", kernel, dim, tx_solver_name(s),
                                 number(b.problem.solve_error), number(b.problem.iterations));
                    for (int d = 0; d < 16 && solved; d++) assert_near(x[d], first[d], 1e-6 * moved);
                    if (!solved++) memcpy(first, x, sizeof first);
                    // through a file
                    tx_bare again;
                    tx_diag diag = {0};
                    size_t size;
                    void *bytes = tx_problem_bytes(&b.problem, 0, &(tx_problem_note){.large = b.large}, &size);
                    assert_non_null(bytes);
                    assert_true(tx_problem_from_bytes(&again, bytes, size, "again", &diag));
                    solve(&again, tx_solver_name(s));
                    assert_memory_equal(again.problem.x, x, sizeof first);
                    tx_bare_destroy(&again);
                    tx_free(bytes);
                    pairs++;
                }
                assert_true(solved > 0);
                tx_bare_destroy(&b);
            }
    printf("%d times a solver\n", pairs);
    free(w);
}

// dofs that sleep are not written
static void what_sleeps_is_left_alone(void **state) {
    static const char *const NAMES[] = {"newton", "cg", "newton-pcg", "pgs"};
    random_world *w = malloc(sizeof *w);
    for (int k = 0; k < 8; k++) {
        tx_bare b;
        slides(w, 4, 3);
        if (k % 2) add_row(w, KERNEL_quadratic, 10, 1, (double[]){1, 1, 0, 0});
        make(w, &b);
        const tx_range awake = {0, 2};
        b.problem.awake = &awake, b.problem.nawake = 1;
        double *x = b.problem.x;
        for (int d = 0; d < 4; d++) x[d] = 77;
        solve(&b, NAMES[k / 2]);
        assert_true(x[0] != 77 && x[1] != 77 && x[2] == 77 && x[3] == 77);
        tx_bare_destroy(&b);
    }
    free(w);
}

// a constraint that moves nothing is in no island, and pushes as its law says all the same: D (a - 0)
static void what_moves_nothing_pushes(void **state) {
    random_world *w = malloc(sizeof *w);
    for (int k = 0; k < 6; k++) {
        tx_bare b;
        slides(w, 3, 3);
        add_row(w, KERNEL_quadratic, 10, 1, (double[]){1, 1, 0});
        add_row(w, KERNEL_one_sided, 10, 3, (double[]){0, 0, 0});
        add_row(w, KERNEL_one_sided, 10, -3, (double[]){0, 0, 0});
        make(w, &b);
        b.large = k % 2;
        memset(b.problem.gamma, 0xff, 3 * sizeof(double)), memset(b.problem.y, 0xff, 3 * sizeof(double));
        solve(&b, k / 2 == 0 ? "newton" : k / 2 == 1 ? "cg" : "newton-pcg");
        const double *gamma = b.problem.gamma;
        assert_true(gamma[1] == 30 && gamma[2] == 0);
        assert_true(number(b.problem.solve_error) < 1e-8);
        tx_bare_destroy(&b);
    }
    free(w);
}

// environments beside each other count their own iterations
static void lanes_count(const char *solver) {
    static const char FORMAT[] =
        "<mujoco><option timestep='.005' solver='%s'/><worldbody><geom type='plane' size='9 9 .1'/>"
        "<body pos='0 0 5'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body pos='.05 0 9'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";
    enum { ENVS = 16 };
    tx_diag diag = {0};
    char text[sizeof FORMAT + 8];
    snprintf(text, sizeof text, FORMAT, solver);
    tx_model *model = must_have(tx_load_string(text, strlen(text), "boxes", &diag), &diag);
    tx_sim *together = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0),
           *alone = make_sim(model, ENVS, 1, TX_TARGET_SCALAR, 0);
    tx_sim *sims[] = {together, alone};
    for (int k = 0; k < 2; k++) {
        for (int e = 0; e < ENVS; e++)
            if (e % 3) tx_sim_array(sims[k], TX_ARRAY_QPOS)[14 * e + 2] = 0.0999 - 0.001 * e;
        assert_int_equal(tx_sim_step_n(sims[k], 3), TX_OK);
    }
    const double *a = tx_sim_array(together, TX_ARRAY_ITERATIONS), *b = tx_sim_array(alone, TX_ARRAY_ITERATIONS);
    int differ = 0;
    for (int e = 0; e < ENVS; e++) {
        if (a[e] != b[e]) fail_msg("%s: %g iterations, alone %g", solver, a[e], b[e]);
        differ += a[e] != a[0];
    }
    assert_true(differ > 0);
    tx_sim_destroy(together), tx_sim_destroy(alone), tx_model_destroy(model);
}
static void lanes_count_for_themselves(void **state) {
    static const char *const SOLVERS[] = {"Newton", "CG", "PGS"};
    for (int k = 0; k < 3; k++) lanes_count(SOLVERS[k]);
}

// ---- the pass against slip ----------------------------------------------------------------------

// ½ γᵀ W γ + γᵀ (J x* - a), W = J A⁻¹ Jᵀ
static double force_cost(const random_world *w, const double *star, const double *gamma) {
    double sum = 0, push[MOST] = {0};
    for (int c = 0; c < w->ncons; c++) {
        sum += gamma[c] * (row_of(w, c, star) - w->con[c].n[TX_NUMBER_A]);
        for (int d = 0; d < w->nv; d++) push[d] += w->con[c].J[0][d] * gamma[c];
    }
    for (int d = 0; d < w->nv; d++) sum += 0.5 * push[d] * push[d] / w->A[d * w->nv + d];
    return sum;
}

// what a sweep gains is what the cost of the forces falls by, the first time with the softness of all rows; one that
// gains less than the tolerance is the last
static void noslip_gains_what_it_says(void **state) {
    random_world *w = malloc(sizeof *w);
    for (uint64_t seed = 0; seed < 20; seed++) {
        tx_bare b;
        double gamma[3][MOST], trace = 0, soft = 0;
        slides(w, 5, seed);
        random_rows(w, KERNEL_clamped, 6, 0, 1);
        random_rows(w, KERNEL_one_sided, 2, 0, 1);
        for (int c = 0; c < 6; c++) w->con[c].n[TX_NUMBER_BOUND] = uniform(w, 0.1, 3);
        make(w, &b);
        for (int d = 0; d < 5; d++) trace += w->A[d * 5 + d];
        for (int sweeps = 0; sweeps < 3; sweeps++) {
            b.problem.opt.noslip_iterations = sweeps, b.problem.opt.noslip_tolerance = 0;
            solve(&b, "newton");
            memcpy(gamma[sweeps], b.problem.gamma, 8 * sizeof(double));
            if (sweeps == 0)
                for (int c = 0; c < 8; c++) soft += 0.5 * gamma[0][c] * gamma[0][c] / w->con[c].n[TX_NUMBER_D];
            if (sweeps == 0) continue;
            const double *star = tx_bare_x_star(&b);
            const double gain = force_cost(w, star, gamma[sweeps - 1]) - force_cost(w, star, gamma[sweeps]);
            assert_near(number(b.problem.noslip_gain), (gain + (sweeps == 1 ? soft : 0)) / trace, 1e-10 * (1 + soft));
        }
        b.problem.opt.noslip_iterations = 50, b.problem.opt.noslip_tolerance = 1e10;
        solve(&b, "newton");
        assert_memory_equal(b.problem.gamma, gamma[1], 8 * sizeof(double));
        tx_bare_destroy(&b);
    }
    free(w);
}

// ---- sweeps that stop by what they gain ---------------------------------------------------------

// the cost of the forces of rows with softness
static double soft_cost(const random_world *w, const double *star, const double *gamma) {
    double sum = force_cost(w, star, gamma);
    for (int c = 0; c < w->ncons; c++) sum += 0.5 * gamma[c] * gamma[c] / w->con[c].n[TX_NUMBER_D];
    return sum;
}

// The first sweep whose gain of the dual cost, over the trace of A and the square of the step, is below the tolerance
// is the last one, by the cost of dense matrices. With fewer sweeps the limit ends the solve. Steps of 1.3 lower the
// cost as well: every sweep gains
static void sweeps_stop_by_what_they_gain(void **state) {
    enum { SWEEPS = 12 };
    random_world *w = malloc(sizeof *w);
    int stopped = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        tx_bare b;
        double cost[SWEEPS + 1], trace = 0, gamma[MOST] = {0};
        slides(w, 5, seed);
        random_rows(w, KERNEL_clamped, 4, 0, 1);
        random_rows(w, KERNEL_one_sided, 4, 0, 1);
        random_rows(w, KERNEL_quadratic, 1, 0, 1);
        for (int c = 0; c < 4; c++) w->con[c].n[TX_NUMBER_BOUND] = uniform(w, 0.1, 3);
        make(w, &b);
        for (int d = 0; d < 5; d++) trace += w->A[d * 5 + d];
        if (seed % 2) b.problem.unit = TX_UNIT_VELOCITY, b.problem.time = 0.01, trace *= 1e-4;
        b.problem.opt.tolerance = 1e-300;
        for (int s = 0; s <= SWEEPS; s++) {
            b.problem.opt.iterations = s, b.problem.opt.gain_tolerance = 1e-300;
            if (s > 0) solve(&b, "pgs"), memcpy(gamma, b.problem.gamma, 9 * sizeof(double));
            cost[s] = soft_cost(w, tx_bare_x_star(&b), gamma) / trace;
            assert_true(s == 0 || cost[s] <= cost[s - 1] + 1e-12 * fabs(cost[s]));
        }
        // tolerances between the gains of neighbours
        b.problem.opt.iterations = SWEEPS;
        for (int s = 2; s <= SWEEPS; s++) {
            const double before = cost[s - 2] - cost[s - 1], now = cost[s - 1] - cost[s];
            if (!(now > 1e-9 * fabs(cost[s]) && now < 0.9 * before)) break;
            b.problem.opt.iterations = SWEEPS, b.problem.opt.gain_tolerance = sqrt(before * now);
            solve(&b, "pgs");
            assert_true(number(b.problem.iterations) == s && b.problem.unsolved[0] == TX_STOP_REACHED);
            // the error is reported all the same
            assert_true(number(b.problem.solve_error) > 0);
            b.problem.opt.iterations = s - 1;
            solve(&b, "pgs");
            assert_true(number(b.problem.iterations) == s - 1 && b.problem.unsolved[0] == TX_STOP_LIMIT);
            stopped++;
        }
        // without it the solve error decides, and without that all sweeps are made
        b.problem.opt.iterations = 20000, b.problem.opt.gain_tolerance = 0, b.problem.opt.tolerance = 1e-6;
        solve(&b, "pgs");
        assert_true(number(b.problem.solve_error) <= 1e-6 && b.problem.unsolved[0] == TX_STOP_REACHED);
        b.problem.opt.iterations = 7, b.problem.opt.gain_tolerance = 1e10, b.problem.opt.tolerance = 0;
        solve(&b, "pgs");
        assert_true(number(b.problem.iterations) == 7);
        tx_bare_destroy(&b);
    }
    assert_true(stopped > 40);
    free(w);
}

// A ball of 2 kg, 0.1 mm in a plane, without friction: MuJoCo 4.0.0's one exact sweep of PGS says an improvement of
// 15.135609444841394 (mjData.solver), and a step of 1.3 gains 1.3 (2 - 1.3) = 0.91 of that
static void sweeps_gain_as_mujoco_says(void **state) {
    static const char FORMAT[] =
        "<mujoco><option solver='PGS' iterations='9' tolerance='%.17g'><flag warmstart='disable'/></option><worldbody>"
        "<geom type='plane' size='5 5 1' condim='1'/><body pos='0 0 .0999'><freejoint/>"
        "<geom size='.1' mass='2' condim='1'/></body></worldbody></mujoco>";
    for (int k = 0; k < 2; k++) {
        tx_diag diag = {0};
        char text[sizeof FORMAT + 32];
        snprintf(text, sizeof text, FORMAT, 0.91 * 15.135609444841394 * (k ? 1 - 1e-9 : 1 + 1e-9));
        tx_model *model = must_have(tx_load_string(text, strlen(text), "ball", &diag), &diag);
        tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
        assert_int_equal(tx_sim_step_n(sim, 1), TX_OK);
        assert_true(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0] == 1 + k);
        tx_sim_destroy(sim), tx_model_destroy(model);
    }
    // the forces of rigid contacts minimise nothing: their law does not look at it
    static const char RIGID[] =
        "<mujoco><option tolerance='1e-9'/><custom><text name='thixis.law' data='hard'/>"
        "<text name='thixis.solver' data='pgs'/><numeric name='thixis.gain_tolerance' data='1e10'/></custom><worldbody>"
        "<geom type='plane' size='5 5 1'/><body pos='0 0 .1'><freejoint/><geom size='.1'/></body>"
        "<body pos='0 0 .3'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    tx_diag diag = {0};
    tx_model *model = must_have(tx_load_string(RIGID, strlen(RIGID), "balls", &diag), &diag);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    assert_int_equal(tx_sim_step_n(sim, 1), TX_OK);
    assert_true(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0] > 3);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a contact of three masses: the rows of J, and friction; cone: of the kernel
static double *add_contact(random_world *w, int kernel, double D, double mu1, double mu2) {
    const int c = w->ncons++;
    memset(&w->con[c], 0, sizeof w->con[c]);
    w->con[c].kernel = kernel, w->con[c].dim = 3;
    for (int r = 0; r < 3; r++)
        for (int d = 0; d < w->nv; d++) w->con[c].J[r][d] = uniform(w, -1, 1), w->con[c].moves[d] = true;
    double *n = w->con[c].n;
    n[TX_NUMBER_D] = D, n[TX_NUMBER_REST] = 0.5, n[TX_NUMBER_MU] = mu1, n[TX_NUMBER_MU + 1] = mu2;
    if (kernel == KERNEL_cone) n[TX_NUMBER_CONE] = mu1;
    return n;
}

// u = J x - a of the one contact, and W = J A⁻¹ Jᵀ
static void motion_of(const random_world *w, const double *x, double *u, double *W) {
    for (int r = 0; r < 3; r++) {
        u[r] = -w->con[0].n[TX_NUMBER_A + r];
        for (int d = 0; d < w->nv; d++) u[r] += w->con[0].J[r][d] * x[d];
        for (int q = 0; q < 3; q++) {
            W[3 * r + q] = 0;
            for (int d = 0; d < w->nv; d++) W[3 * r + q] += w->con[0].J[r][d] * w->con[0].J[q][d] / w->A[d * w->nv + d];
        }
    }
}

// One sweep from nothing, of one constraint: 1.3 of the step that would end it, edge after edge of a pyramid
static void steps_of_such_sweeps_go_further(void **state) {
    static const int KERNELS[] = {KERNEL_quadratic, KERNEL_clamped, KERNEL_one_sided, KERNEL_pyramid};
    random_world *w = malloc(sizeof *w);
    for (uint64_t seed = 0; seed < 40; seed++) {
        tx_bare b;
        const int kernel = KERNELS[seed % 4];
        double gamma[3] = {0}, u[3], W[9];
        slides(w, 3, seed);
        if (kernel == KERNEL_pyramid) {
            double *n = add_contact(w, kernel, 3, uniform(w, 0.1, 1), uniform(w, 0.1, 1));
            for (int k = 0; k < 3; k++) n[TX_NUMBER_A + k] = k ? uniform(w, -2, 2) : 20;
        } else {
            add_row(w, kernel, 3, 20, (double[]){1, -2, 0.5})[TX_NUMBER_BOUND] = 1e6;
        }
        make(w, &b);
        for (int d = 0; d < 3; d++) tx_bare_x_star(&b)[d] = uniform(w, -3, 3);
        b.problem.opt.iterations = 1, b.problem.opt.tolerance = b.problem.opt.gain_tolerance = 1e-300;
        solve(&b, "pgs");
        motion_of(w, tx_bare_x_star(&b), u, W);
        const double *mu = w->con[0].n + TX_NUMBER_MU, R = 1.0 / 3;
        if (kernel != KERNEL_pyramid) gamma[0] = -1.3 * u[0] / (W[0] + R);
        for (int e = 0; kernel == KERNEL_pyramid && e < 4; e++) {
            const int row = 1 + e / 2;
            const double m = e % 2 ? -mu[row - 1] : mu[row - 1];
            const double weight = W[0] + 2 * m * W[row] + m * m * W[4 * row] + R;
            const double push = fmax(0, -1.3 * (u[0] + m * u[row]) / weight);
            for (int k = 0; k < 3; k++) u[k] += (W[3 * k] + m * W[3 * k + row]) * push;
            gamma[0] += push, gamma[row] += m * push;
        }
        assert_true(gamma[0] > 0);
        for (int k = 0; k < w->con[0].dim; k++)
            assert_near(((const double *)b.problem.gamma)[k], gamma[k], 1e-12 * gamma[0]);
        tx_bare_destroy(&b);
    }
    free(w);
}

// One contact, one sweep. A cone: the best friction that its normal force allows, so that what still slips does so
// against it. A pyramid: one row after the other, each within what its two edges have together
static void noslip_solves_one_contact(void **state) {
    random_world *w = malloc(sizeof *w);
    int slips = 0, sticks = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        tx_bare b;
        const bool cone = seed % 2;
        double soft[3], u[3], W[9], y[3];
        slides(w, 3, seed);
        double *n = add_contact(w, cone ? KERNEL_cone : KERNEL_pyramid, magnitude(w, -1, 1), uniform(w, 0.1, 1),
                                uniform(w, 0.1, 1));
        for (int k = 0; k < 3; k++) n[TX_NUMBER_A + k] = k ? uniform(w, -2, 2) : 20;
        make(w, &b);
        for (int d = 0; d < 3; d++) tx_bare_x_star(&b)[d] = uniform(w, -3, 3);
        solve(&b, "newton");
        const double *gamma = b.problem.gamma, *mu = n + TX_NUMBER_MU;
        memcpy(soft, gamma, sizeof soft), memcpy(y, b.problem.y, sizeof y);
        b.problem.opt.noslip_iterations = 1;
        solve(&b, "newton");
        assert_near(gamma[0], soft[0], 1e-9 * soft[0]);
        motion_of(w, b.problem.x, u, W);
        if (cone) {
            // in v = γ / μ the cone is round
            const double v[2] = {gamma[1] / mu[0], gamma[2] / mu[1]}, g[2] = {u[1] * mu[0], u[2] * mu[1]};
            const double size = hypot(v[0], v[1]), slip = hypot(g[0], g[1]);
            assert_true(size <= gamma[0] * (1 + 1e-9));
            const bool inside = size < gamma[0] * (1 - 1e-9);
            for (int k = 0; k < 2; k++) assert_near(g[k], inside ? 0 : -slip * v[k] / size, 1e-8 * (1 + slip));
            slips += !inside, sticks += inside;
            tx_bare_destroy(&b);
            continue;
        }
        double was[3], now[3];
        memcpy(was, soft, sizeof was);
        // the motion of the soft answer, made from its forces
        for (int r = 0; r < 3; r++) {
            now[r] = -n[TX_NUMBER_A + r];
            for (int d = 0; d < 3; d++) now[r] += w->con[0].J[r][d] * tx_bare_x_star(&b)[d];
            for (int q = 0; q < 3; q++) now[r] += W[3 * r + q] * was[q];
        }
        for (int k = 1; k < 3; k++) {
            double edges = 0;
            for (int side = -1; side < 2; side += 2)
                edges +=
                    n[TX_NUMBER_D] * fmax(0, -(y[0] - n[TX_NUMBER_A] + side * mu[k - 1] * (y[k] - n[TX_NUMBER_A + k])));
            const double most = mu[k - 1] * edges, to = fmin(fmax(was[k] - now[k] / W[4 * k], -most), most);
            assert_near(gamma[k], to, 1e-8 * (1 + most));
            for (int r = 0; r < 3; r++) now[r] += W[3 * r + k] * (to - was[k]);
            slips += fabs(to) == most, sticks += fabs(to) < most;
        }
        tx_bare_destroy(&b);
    }
    assert_true(slips > 10 && sticks > 10);
    free(w);
}

// One contact of four, five or six rows, one sweep: what spins and rolls belongs to the same cone, so that all that
// still slips does so against the friction that its normal force allows
static void noslip_solves_contacts_that_roll(void **state) {
    random_world *w = malloc(sizeof *w);
    int slips = 0, sticks = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        tx_bare b;
        const int dim = 4 + (int)(seed % 3);
        slides(w, 7, seed);
        add_any(w, KERNEL_cone, dim);
        double *n = w->con[0].n, *mu = n + TX_NUMBER_MU;
        for (int k = 0; k < 5 && seed % 2; k++) mu[k] *= 10;
        n[TX_NUMBER_CONE] = mu[0];
        make(w, &b);
        for (int d = 0; d < 7; d++) tx_bare_x_star(&b)[d] = uniform(w, -1, 1);
        solve(&b, "newton");
        const double *gamma = b.problem.gamma, *x = b.problem.x, normal = gamma[0];
        b.problem.opt.noslip_iterations = 1;
        solve(&b, "newton");
        if (!(normal > 0.1)) {
            tx_bare_destroy(&b);
            continue;
        }
        assert_near(gamma[0], normal, 1e-9 * normal);
        // in v = γ / μ the cone is round
        double v[5], g[5], size = 0, slip = 0;
        for (int k = 0; k < dim - 1; k++) {
            g[k] = -n[TX_NUMBER_A + k + 1];
            for (int d = 0; d < 7; d++) g[k] += w->con[0].J[k + 1][d] * x[d];
            g[k] *= mu[k], v[k] = gamma[k + 1] / mu[k];
            size += v[k] * v[k], slip += g[k] * g[k];
        }
        size = sqrt(size), slip = sqrt(slip);
        const bool inside = size < normal * (1 - 1e-9);
        assert_true(size <= normal * (1 + 1e-9));
        for (int k = 0; k < dim - 1; k++) assert_near(g[k], inside ? 0 : -slip * v[k] / size, 1e-8 * (1 + slip));
        slips += !inside, sticks += inside;
        tx_bare_destroy(&b);
    }
    printf("%d slip, %d stick\n", slips, sticks);
    assert_true(slips > 10 && sticks > 5);
    free(w);
}

// ---- rigid contacts -----------------------------------------------------------------------------

// two free bodies, and contacts of Coulomb's law between them and with the world; in blocks of six, or of three
static void rigid(random_world *w, uint64_t seed, int contacts, int width, double softness) {
    memset(w, 0, offsetof(random_world, con));
    w->seed = seed * 0x9e3779b97f4a7c15u + 12345, w->step = 0.005;
    for (int k = 0; k < 8; k++) uniform(w, 0, 1);
    for (int i = 0; i < 2; i++) {
        random_body *body = &w->body[w->nbodies++];
        *body = (random_body){.dof = 6 * i, .width = 6, .parent = -1, .end = true};
        for (int k = 0; k < 3; k++) body->place[k] = uniform(w, -0.2, 0.2);
        body->mass = magnitude(w, -0.5, 0.5), body->radius = uniform(w, 0.3, 1);
        for (int k = 0; k < 6; k++) w->parent[6 * i + k] = k ? 6 * i + k - 1 : -1;
        random_axes(w, body, true);
        w->nv += 6;
    }
    for (int k = 0; k < 12 / width; k++) w->width[w->nblocks++] = width;
    random_inertia(w);
    for (int c = 0; c < contacts; c++) {
        double point[3], frame[9];
        const int first = c % 2, second = c % 3 ? 1 - first : -1;
        memset(&w->con[c], 0, sizeof w->con[c]);
        w->con[c].kernel = KERNEL_coulomb, w->con[c].dim = 3, w->ncons++;
        for (int k = 0; k < 3; k++) point[k] = uniform(w, -0.5, 0.5);
        random_turn(&w->seed, frame);
        for (int r = 0; r < 3; r++) {
            add_motion(w, first, point, frame + 3 * r, false, 1, w->con[c].J[r]);
            add_motion(w, second, point, frame + 3 * r, false, -1, w->con[c].J[r]);
        }
        for (int d = 0; d < 12; d++) w->con[c].moves[d] = d / 6 == first || (second >= 0 && d / 6 == second);
        const double weight = exact_weight(w, c);
        double *n = w->con[c].n;
        n[TX_NUMBER_D] = 1 / weight, n[TX_NUMBER_REST] = 1, n[TX_NUMBER_E] = softness * weight;
        n[TX_NUMBER_MU] = uniform(w, 0.2, 1), n[TX_NUMBER_MU + 1] = uniform(w, 0.2, 1);
        n[TX_NUMBER_A] = uniform(w, -0.1, 0.3);
    }
}

// the common contact has a sweep of its own, which does what that of all others does: a body cut in two blocks takes
// the long way
static void the_quick_sweep_is_the_sweep(void **state) {
    random_world *w = malloc(sizeof *w);
    int slid = 0;
    for (uint64_t seed = 0; seed < 30; seed++)
        for (int sweeps = 1; sweeps <= 400; sweeps *= 20) {
            double gamma[2][MOST], iterations[2];
            long long products[2];
            for (int k = 0; k < 2; k++) {
                tx_bare b;
                rigid(w, seed, 5, k ? 3 : 6, seed % 2 ? 0.1 : 0);
                make(w, &b);
                b.problem.opt.iterations = sweeps, b.problem.opt.tolerance = 1e-6;
                solve(&b, "pgs");
                memcpy(gamma[k], b.problem.gamma, 15 * sizeof(double));
                iterations[k] = number(b.problem.iterations), products[k] = b.products;
                tx_bare_destroy(&b);
            }
            double size = sqrt(dot(15, gamma[0], gamma[0]));
            for (int i = 0; i < 15; i++) assert_near(gamma[0][i], gamma[1][i], 1e-9 * (1 + size));
            assert_true(iterations[0] == iterations[1]);
            assert_true(products[0] == products[1]);
            slid += size > 0.1;
        }
    assert_true(slid > 20);
    free(w);
}

// Two rows that halve their error in a sweep. To look at the error costs a product: that is for sweeps that move
// little, or after twenty
static void looks_are_few(void **state) {
    random_world *w = malloc(sizeof *w);
    tx_bare b;
    slides(w, 2, 1);
    w->A[0] = w->A[3] = 1;
    const double c = sqrt(0.5), angle = acos(c); // W = J Jᵀ has c beside ones: Gauss and Seidel's factor is c²
    add_row(w, KERNEL_quadratic, 1e9, 1, (double[]){1, 0}),
        add_row(w, KERNEL_quadratic, 1e9, 2, (double[]){cos(angle), sin(angle)});
    make(w, &b);
    for (double goal = 1e-3; goal > 1e-9; goal /= 10) {
        b.problem.opt.tolerance = goal, b.problem.opt.iterations = 1000;
        tx_bare_x_star(&b)[0] = 0.3, tx_bare_x_star(&b)[1] = -0.4;
        solve(&b, "pgs");
        // from ten times the goal on it is four sweeps, a look costs two products like a sweep; some more for start and
        // end, and where the error is a few times the step
        assert_true((double)b.products <= 2 * number(b.problem.iterations) + 22);
        assert_true(tx_alone_converged(&b));
    }
    tx_bare_destroy(&b);
    free(w);
}

// Forces to begin with are begun with: from those of the answer one sweep stays there, from nothing it is mostly far
// from it
static void forces_to_begin_with_are_taken(void **state) {
    static const char *const NAMES[] = {"pgs", "nsgs"};
    random_world *w = malloc(sizeof *w);
    int pushed = 0, far = 0;
    for (int s = 0; s < 4; s++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            tx_bare b;
            double error[2], push = 0;
            rigid(w, seed, 3, 6, 0.01);
            make(w, &b);
            b.large = s % 2;
            b.problem.opt.iterations = 20000, b.problem.opt.tolerance = 1e-13;
            solve(&b, "nsgs");
            assert_true(tx_alone_converged(&b));
            memcpy(b.problem.guess, b.problem.gamma, 9 * sizeof(double));
            for (int i = 0; i < 9; i++) push = fmax(push, fabs(((const double *)b.problem.guess)[i]));
            b.problem.opt.iterations = 1, b.problem.opt.tolerance = 1e-9, b.problem.opt.warmstart = true;
            for (int k = 0; k < 2; k++) {
                b.problem.guessed = k;
                solve(&b, NAMES[s / 2]);
                error[k] = number(b.problem.solve_error);
            }
            assert_true(error[1] < 1e-12);
            pushed += push > 0.01, far += error[0] > 1e-3;
            tx_bare_destroy(&b);
        }
    assert_true(pushed > 25 && far > 15);
    free(w);
}

// What is reported is the best sweep that was looked at. nsgs looks at the 10th, and its momentum makes later ones
// worse now and then: a limit beyond never ends with more than that
static void the_best_sweep_is_the_answer(void **state) {
    enum { LOOK = 10, SEEDS = 60 };
    random_world *w = malloc(sizeof *w);
    int better = 0, same = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tx_bare b;
        double first = 0;
        rigid(w, seed, 6, 6, 1e-9);
        make(w, &b);
        b.problem.opt.tolerance = 1e-15, b.problem.opt.warmstart = false;
        for (int limit = LOOK; limit < LOOK + 8; limit++) {
            b.problem.opt.iterations = limit;
            solve(&b, "nsgs");
            const double error = number(b.problem.solve_error);
            if (limit == LOOK) first = error;
            if (!(error <= first * (1 + 1e-9)))
                fail_msg("seed %d: %g after 10, %g after %d", (int)seed, first, error, limit);
            better += error<first, same += limit> LOOK && error == first;
        }
        tx_bare_destroy(&b);
    }
    printf("%d times better than the first look, %d times that\n", better, same);
    assert_true(better > 100 && same > 5);
    free(w);
}

// gradients find Coulomb's force by a shift that is made anew as soon as the problem with the last one is solved well
// enough: a few contacts take some hundred iterations, not thousands for each shift
static void shifts_are_made_anew_in_time(void **state) {
    static const char *const NAMES[] = {"apgd", "bb"};
    random_world *w = malloc(sizeof *w);
    for (int s = 0; s < 2; s++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            tx_bare b;
            double gamma[MOST];
            rigid(w, seed, 2, 6, 0.01);
            make(w, &b);
            b.problem.opt.iterations = 20000, b.problem.opt.tolerance = 1e-12;
            solve(&b, "nsgs");
            assert_true(tx_alone_converged(&b));
            memcpy(gamma, b.problem.gamma, 6 * sizeof(double));
            b.problem.opt.tolerance = 1e-9;
            solve(&b, NAMES[s]);
            assert_true(tx_alone_converged(&b));
            assert_true(number(b.problem.iterations) < 400);
            for (int i = 0; i < 6; i++)
                assert_near(((const double *)b.problem.gamma)[i], gamma[i], 1e-5 * (1 + fabs(gamma[i])));
            tx_bare_destroy(&b);
        }
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cg_is_that_of_hager_and_zhang),
                                       cmocka_unit_test(cg_begins_anew),
                                       cmocka_unit_test(cg_forgets_friction_where_it_begins_anew),
                                       cmocka_unit_test(friction_is_that_of_chan_golub_and_mulet),
                                       cmocka_unit_test(newton_pcg_solves_springs_at_once),
                                       cmocka_unit_test(a_factor_without_a_pivot_is_no_direction),
                                       cmocka_unit_test(a_line_search_goes_as_far_as_it_must),
                                       cmocka_unit_test(one_tree_is_solved_by_its_preconditioner),
                                       cmocka_unit_test(primal_solvers_begin_where_it_costs_least),
                                       cmocka_unit_test(dual_solvers_begin_with_the_last_force),
                                       cmocka_unit_test(what_is_no_number_is_no_answer),
                                       cmocka_unit_test(what_is_above_its_tolerance_is_said),
                                       cmocka_unit_test(the_solve_error_has_no_unit),
                                       cmocka_unit_test(islands_say_the_worst),
                                       cmocka_unit_test(no_number_is_no_answer),
                                       cmocka_unit_test(all_solvers_find_the_same),
                                       cmocka_unit_test(what_sleeps_is_left_alone),
                                       cmocka_unit_test(what_moves_nothing_pushes),
                                       cmocka_unit_test(lanes_count_for_themselves),
                                       cmocka_unit_test(noslip_gains_what_it_says),
                                       cmocka_unit_test(sweeps_stop_by_what_they_gain),
                                       cmocka_unit_test(sweeps_gain_as_mujoco_says),
                                       cmocka_unit_test(steps_of_such_sweeps_go_further),
                                       cmocka_unit_test(noslip_solves_one_contact),
                                       cmocka_unit_test(noslip_solves_contacts_that_roll),
                                       cmocka_unit_test(the_quick_sweep_is_the_sweep),
                                       cmocka_unit_test(looks_are_few),
                                       cmocka_unit_test(forces_to_begin_with_are_taken),
                                       cmocka_unit_test(the_best_sweep_is_the_answer),
                                       cmocka_unit_test(shifts_are_made_anew_in_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
