// test_linalg.c - tree LDLᵀ against a plain long double oracle on random problems, and the same bits
// at every width. Tolerances are relative residuals |A x - b| <= c n eps |A| |x| (Higham 2002, theorem 10.4), c = 10.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linalg_target.h"

enum { LANES = 8, MOST = 60, TRIALS = 200 };

static double noise(uint64_t *seed) { // in [-1, 1)
    *seed += 0x9e3779b97f4a7c15ull;
    uint64_t x = *seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

// ---- the oracle: dense, long double --------------------------------------------------------------------------------

// x = A⁻¹ b by Gaussian elimination with pivoting
static void oracle_solve(const double *A, const double *b, long double *x, int n) {
    static long double T[MOST][MOST + 1];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) T[i][j] = A[i * n + j];
        T[i][n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(T[i][k]) > fabsl(T[best][k])) best = i;
        for (int j = k; j <= n; j++) {
            long double t = T[k][j];
            T[k][j] = T[best][j], T[best][j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            long double f = T[i][k] / T[k][k];
            for (int j = k; j <= n; j++) T[i][j] -= f * T[k][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = T[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= T[i][j] * x[j];
        x[i] /= T[i][i];
    }
}

// largest |A x - b| relative to |A| |x| in the row-sum norm
static double residual(const double *A, const double *x, const double *b, int n) {
    long double worst = 0, norm_A = 0, norm_x = 0;
    for (int i = 0; i < n; i++) {
        long double r = -(long double)b[i], row = 0;
        for (int j = 0; j < n; j++) r += (long double)A[i * n + j] * x[j], row += fabsl((long double)A[i * n + j]);
        worst = fmaxl(worst, fabsl(r)), norm_A = fmaxl(norm_A, row), norm_x = fmaxl(norm_x, fabsl((long double)x[i]));
    }
    return (double)(worst / (norm_A * norm_x));
}

static double bound(int n) { return 10 * n * DBL_EPSILON; }

// ---- the same problem in every lane ---------------------------------------------------------------------------------

static double *lanes(size_t count) {
    double *p = aligned_alloc(64, (count * LANES * sizeof(double) + 63) / 64 * 64);
    assert_non_null(p);
    return p;
}

// from LANES problems, problem-major, to the lanes of a target: its groups follow each other
static void to_lanes(const linalg_target *t, const double *from, double *to, int count) {
    for (int g = 0; g < LANES / t->lanes; g++)
        for (int i = 0; i < count; i++)
            for (int e = 0; e < t->lanes; e++)
                to[(size_t)(g * count + i) * (size_t)t->lanes + (size_t)e] = from[(g * t->lanes + e) * count + i];
}
static void from_lanes(const linalg_target *t, const double *from, double *to, int count) {
    for (int g = 0; g < LANES / t->lanes; g++)
        for (int i = 0; i < count; i++)
            for (int e = 0; e < t->lanes; e++)
                to[(g * t->lanes + e) * count + i] = from[(size_t)(g * count + i) * (size_t)t->lanes + (size_t)e];
}

static const linalg_target *const WIDTHS[] = {&linalg_w1, &linalg_w4, &linalg_w8};

// ---- trees ---------------------------------------------------------------------------------------------------------

typedef struct tree {
    tx_tree of;
    int parent[MOST], address[MOST], count[MOST], stop[MOST], entries;
    uint8_t trunk[MOST];
} tree;

// the parent of dof k in the tree that begins at `start`: chains, bushes, forests, what lies between, and bushes on
// trunks
static int random_parent(int trial, int k, int start, uint64_t *seed) {
    double r = 0.5 * (noise(seed) + 1), another = 0.5 * (noise(seed) + 1);
    switch (trial % 5) {
    case 0: return k - 1;
    case 1: return k == 0 ? -1 : 0;
    case 2: return another < 0.05 || k == 0 ? -1 : start + (int)(r * (k - start));
    case 3: return r < 0.3 ? -1 : k - 1;
    default:
        if (another < 0.05) return -1;
        return k - start <= TX_TRUNK ? k - 1 : start + TX_TRUNK - 1 + (int)(r * (k - start - TX_TRUNK + 1));
    }
}

static void random_tree(tree *t, int nv, int trial, uint64_t *seed) {
    t->entries = 0;
    for (int k = 0, start = 0; k < nv; k++) {
        t->parent[k] = random_parent(trial, k, start, seed);
        if (t->parent[k] < 0) start = k;
        t->count[k] = 1 + (t->parent[k] < 0 ? 0 : t->count[t->parent[k]]);
        t->address[k] = t->entries;
        t->entries += t->count[k];
    }
    t->of = (tx_tree){.n = nv, .parent = t->parent, .first = t->address, .count = t->count};
    tx_tree_scan(&t->of, t->stop, t->trunk);
}

// M with the tree's pattern, positive definite: M = Σ over dofs of a random vector on its chain, squared
static void random_tree_matrix(const tree *t, double *M, double *dense, uint64_t *seed) {
    const int n = t->of.n;
    memset(dense, 0, sizeof(double) * (size_t)(n * n));
    for (int k = 0; k < n; k++) {
        int chain[MOST], length = 0;
        double s[MOST], mass = pow(10, 1.5 * noise(seed));
        for (int d = k; d >= 0; d = t->parent[d]) chain[length] = d, s[length++] = noise(seed);
        for (int i = 0; i < length; i++)
            for (int j = 0; j < length; j++) dense[chain[i] * n + chain[j]] += mass * s[i] * s[j];
        dense[k * n + k] += 0.05 * mass;
    }
    // exact symmetry, and the rows of the tree
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) dense[j * n + i] = dense[i * n + j];
    for (int k = 0; k < n; k++)
        for (int d = k, s = 0; d >= 0; d = t->parent[d], s++) M[t->address[k] + s] = dense[k * n + d];
}

static void tree_ldl(void **state) {
    enum { ENTRIES = MOST * (MOST + 1) / 2 };
    static double M[LANES * ENTRIES], dense[LANES][MOST * MOST], b[LANES * MOST], x[3][LANES * MOST],
        y[3][LANES * MOST];
    double *lane_M = lanes(ENTRIES), *lane_inv = lanes(MOST), *lane_x = lanes(MOST), *lane_y = lanes(MOST);
    uint64_t seed = 9;
    double worst = 0, worst_answer = 0;
    int trunks = 0, short_trunks = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        static tree t;
        const int n = 1 + trial * 7 % MOST;
        random_tree(&t, n, trial, &seed);
        for (int k = 0; k < n; k = t.stop[k]) trunks += t.trunk[k] == TX_TRUNK, short_trunks += t.trunk[k] == 3;
        const int nm = t.entries;
        for (int e = 0; e < LANES; e++) {
            random_tree_matrix(&t, M + e * nm, dense[e], &seed);
            for (int i = 0; i < n; i++) b[e * n + i] = noise(&seed);
        }
        for (int w = 0; w < 3; w++) {
            const linalg_target *target = WIDTHS[w];
            to_lanes(target, M, lane_M, nm);
            to_lanes(target, b, lane_x, n);
            for (int g = 0; g < LANES / target->lanes; g++) {
                double *group_M = lane_M + g * nm * target->lanes, *group_x = lane_x + g * n * target->lanes,
                       *group_y = lane_y + g * n * target->lanes;
                target->tree_mul(&t.of, group_M, group_x, group_y);
                target->tree_factor(&t.of, group_M, lane_inv);
                target->tree_solve(&t.of, group_M, lane_inv, group_x);
            }
            from_lanes(target, lane_x, x[w], n);
            from_lanes(target, lane_y, y[w], n);
            assert_memory_equal(x[w], x[0], sizeof(double) * (size_t)(LANES * n));
            assert_memory_equal(y[w], y[0], sizeof(double) * (size_t)(LANES * n));
        }
        for (int e = 0; e < LANES; e++) {
            worst = fmax(worst, residual(dense[e], x[0] + e * n, b + e * n, n) / bound(n));
            // M b
            for (int i = 0; i < n; i++) {
                long double sum = 0, top = 0;
                for (int j = 0; j < n; j++)
                    sum += (long double)dense[e][i * n + j] * b[e * n + j],
                        top += fabsl((long double)dense[e][i * n + j] * b[e * n + j]);
                assert_true(fabsl(sum - y[0][e * n + i]) <= n * DBL_EPSILON * top);
            }
            static long double exact[MOST];
            oracle_solve(dense[e], b + e * n, exact, n);
            long double top = 0, error = 0;
            for (int i = 0; i < n; i++)
                top = fmaxl(top, fabsl(exact[i])), error = fmaxl(error, fabsl(exact[i] - x[0][e * n + i]));
            worst_answer = fmax(worst_answer, (double)(error / top));
        }
    }
    if (getenv("TX_VERBOSE")) printf("tree: residual %.2g of its bound, answer %.2g\n", worst, worst_answer);
    assert_true(trunks > TRIALS / 5 && short_trunks > TRIALS / 20);
    assert_true(worst <= 1);
    assert_true(worst_answer <= 1e-9); // condition numbers up to 1e6
    free(lane_M), free(lane_inv), free(lane_x), free(lane_y);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tree_ldl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
