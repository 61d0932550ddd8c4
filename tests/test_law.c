// test_law.c - the soft law is the gradient of a convex cost, and Newton solves its problem: A(x - x*) = Jᵀγ.
// Derivatives are checked by central differences of the cost, which is piecewise quadratic, so they are exact up to
// rounding wherever no edge of the pyramid changes between pushing and not within the difference.
#include "reference.h"

#include "law_target.h"

enum { LANES = 8 };
static const int DIMS[] = {1, 3, 4, 6};

static double noise(uint64_t *seed) { // in [-1, 1)
    *seed += 0x9e3779b97f4a7c15ull;
    uint64_t x = *seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

// a contact as prepare() would describe it, and some acceleration
static void random_contact(int dim, double *n, double *y, uint64_t *seed) {
    memset(n, 0, sizeof(double) * LAW_NUMBERS);
    n[LAW_D] = pow(10, 2 * noise(seed));
    n[LAW_REST] = 0.1;
    for (int k = 0; k + 1 < dim; k++) n[LAW_MU + k] = 0.05 + 0.5 * (1 + noise(seed));
    for (int k = 0; k < dim; k++) n[LAW_AREF + k] = 10 * noise(seed), y[k] = n[LAW_AREF + k] + 10 * noise(seed);
}

// the smallest |u| over the edges of the pyramid: how far y is from the next kink
static double kink_distance(int dim, const double *n, const double *y) {
    double u0 = y[0] - n[LAW_AREF], least = fabs(u0);
    if (dim > 1) least = INFINITY;
    for (int k = 1; k < dim; k++) {
        double t = n[LAW_MU + k - 1] * (y[k] - n[LAW_AREF + k]);
        least = fmin(least, fmin(fabs(u0 + t), fabs(u0 - t)));
    }
    return least;
}

static double cost(int dim, const double *n, const double *y) {
    double c;
    law_w1.cost(dim, n, y, &c);
    return c;
}

static void force_is_minus_the_gradient(void **state) {
    uint64_t seed = 1;
    int tested = 0;
    for (int trial = 0; trial < 4000; trial++) {
        const int dim = DIMS[trial % 4];
        const double h = 1e-2;
        double n[LAW_NUMBERS], y[6], gamma[6], G[36], moved[6], up[6], down[6];
        random_contact(dim, n, y, &seed);
        if (kink_distance(dim, n, y) < 5 * h) continue;
        tested++;
        law_w1.force(dim, n, y, gamma, G);
        double scale = 1 + fabs(cost(dim, n, y));
        for (int i = 0; i < dim; i++) {
            // γ = -∂ℓ/∂y
            memcpy(moved, y, sizeof moved);
            moved[i] = y[i] + h;
            double above = cost(dim, n, moved);
            law_w1.force(dim, n, moved, up, NULL);
            moved[i] = y[i] - h;
            double below = cost(dim, n, moved);
            law_w1.force(dim, n, moved, down, NULL);
            assert_true(fabs(gamma[i] + (above - below) / (2 * h)) <= 1e-12 * scale / h);
            // G = -∂γ/∂y
            for (int j = 0; j < dim; j++)
                assert_true(fabs(G[j * dim + i] + (up[j] - down[j]) / (2 * h)) <= 1e-12 * scale / h);
        }
        // symmetric, and not negative in any direction
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) assert_true(G[i * dim + j] == G[j * dim + i]);
        for (int k = 0; k < 20; k++) {
            double d[6], curvature = 0, size = 0;
            for (int i = 0; i < dim; i++) d[i] = noise(&seed);
            for (int i = 0; i < dim; i++)
                for (int j = 0; j < dim; j++) curvature += d[i] * G[i * dim + j] * d[j], size += fabs(G[i * dim + j]);
            assert_true(curvature >= -1e-14 * size);
        }
        // the force pushes, and lies in the pyramid: Σ |γ_k| / μ_k <= γ_0
        double used = 0;
        for (int k = 1; k < dim; k++) used += fabs(gamma[k]) / n[LAW_MU + k - 1];
        assert_true(gamma[0] >= 0 && used <= gamma[0] * (1 + 1e-14));
    }
    assert_true(tested > 3000);
}

static void cost_is_convex_and_smooth(void **state) {
    uint64_t seed = 2;
    for (int trial = 0; trial < 2000; trial++) {
        const int dim = DIMS[trial % 4];
        double n[LAW_NUMBERS], a[6], b[6], m[6], ga[6], gb[6];
        random_contact(dim, n, a, &seed);
        for (int k = 0; k < dim; k++) b[k] = n[LAW_AREF + k] + 10 * noise(&seed);
        double t = 0.5 * (1 + noise(&seed));
        for (int k = 0; k < dim; k++) m[k] = (1 - t) * a[k] + t * b[k];
        double ca = cost(dim, n, a), cb = cost(dim, n, b), scale = 1 + ca + cb;
        // Jensen, and a gradient that grows along every line; kinks included
        assert_true(ca >= 0 && cost(dim, n, m) <= (1 - t) * ca + t * cb + 1e-12 * scale);
        law_w1.force(dim, n, a, ga, NULL), law_w1.force(dim, n, b, gb, NULL);
        double monotone = 0;
        for (int k = 0; k < dim; k++) monotone += (ga[k] - gb[k]) * (b[k] - a[k]);
        assert_true(monotone >= -1e-12 * scale);
    }
}

// MuJoCo's impedance: from d0 to dmax over the width, d0 + (dmax - d0)/2 at the middle of a symmetric curve, rising
static void impedance_has_its_values(void **state) {
    const double standard[5] = {0.9, 0.95, 0.001, 0.5, 2}, steep[5] = {0.1, 0.9, 0.01, 0.3, 3.5},
                 flat[5] = {0.7, 0.7, 0.001, 0.5, 2}, none[5] = {0.2, 0.6, 0, 0.5, 2},
                 linear[5] = {0.1, 0.9, 0.01, 0.5, 1}, wild[5] = {-3, 7, 0.001, 0.5, 2};
    double d, r = 0;
#define IMPEDANCE(solimp, at) (r = at, law_w1.impedance(solimp, &r, &d), d)
    assert_true(IMPEDANCE(standard, 0) == 0.9);
    assert_true(IMPEDANCE(standard, -0.001) == 0.95 && IMPEDANCE(standard, -5) == 0.95 &&
                IMPEDANCE(standard, 0.002) == 0.95);
    assert_true(fabs(IMPEDANCE(standard, -0.0005) - 0.925) < 1e-15);
    assert_true(fabs(IMPEDANCE(standard, -0.00025) - (0.9 + 0.05 * 2 * 0.0625)) < 1e-15); // x²/mid
    assert_true(fabs(IMPEDANCE(standard, -0.00075) - (0.9 + 0.05 * (1 - 2 * 0.0625))) < 1e-15);
    assert_true(fabs(IMPEDANCE(linear, -0.0025) - 0.3) < 1e-15);
    // x^p / mid^(p-1) below the middle, mirrored above
    assert_true(fabs(IMPEDANCE(steep, -0.002) - (0.1 + 0.8 * pow(0.2, 3.5) / pow(0.3, 2.5))) < 1e-14);
    assert_true(fabs(IMPEDANCE(steep, -0.006) - (0.1 + 0.8 * (1 - pow(0.4, 3.5) / pow(0.7, 2.5)))) < 1e-14);
    assert_true(fabs(IMPEDANCE(flat, -0.0003) - 0.7) < 1e-15 && fabs(IMPEDANCE(none, -0.0003) - 0.4) < 1e-15);
    // clamped to [1e-4, 0.9999]
    assert_true(IMPEDANCE(wild, 0) == 1e-4 && IMPEDANCE(wild, 1) == 0.9999);
    double before = 0;
    for (int i = 0; i <= 1000; i++) {
        double now = IMPEDANCE(steep, -1e-5 * i);
        assert_true(now >= before);
        before = now;
    }
}

static void lanes_have_the_bits_of_one(void **state) {
    static const law_target *const wide[] = {&law_w4, &law_w8};
    uint64_t seed = 3;
    for (int trial = 0; trial < 2000; trial++) {
        const int dim = DIMS[trial % 4];
        double n[LANES][LAW_NUMBERS], y[LANES][6], solimp[LANES][5], r[LANES];
        for (int e = 0; e < LANES; e++) {
            random_contact(dim, n[e], y[e], &seed);
            if (e == trial % LANES) memset(n[e], 0, sizeof n[e]), y[e][0] = NAN; // a neighbour that does not act
            r[e] = 0.002 * noise(&seed);
            const double s[5] = {0.5 + 0.6 * noise(&seed), 0.5 + 0.6 * noise(&seed), 0.001 * (1 + noise(&seed)),
                                 0.5 + 0.4 * noise(&seed), 1 + (int)(2 * (1 + noise(&seed)))};
            memcpy(solimp[e], s, sizeof s);
        }
        for (int w = 0; w < 2; w++) {
            const int lanes = wide[w]->lanes;
            _Alignas(64) double vn[LAW_NUMBERS * LANES], vy[6 * LANES], vg[6 * LANES], vG[36 * LANES], vs[5 * LANES],
                vr[LANES], vd[LANES], vc[LANES];
            for (int e = 0; e < lanes; e++) {
                for (int i = 0; i < LAW_NUMBERS; i++) vn[i * lanes + e] = n[e][i];
                for (int i = 0; i < dim; i++) vy[i * lanes + e] = y[e][i];
                for (int i = 0; i < 5; i++) vs[i * lanes + e] = solimp[e][i];
                vr[e] = r[e];
            }
            wide[w]->force(dim, vn, vy, vg, vG);
            wide[w]->cost(dim, vn, vy, vc);
            wide[w]->impedance(vs, vr, vd);
            for (int e = 0; e < lanes; e++) {
                double gamma[6], G[36], c, d;
                law_w1.force(dim, n[e], y[e], gamma, G);
                law_w1.cost(dim, n[e], y[e], &c);
                law_w1.impedance(solimp[e], &r[e], &d);
                for (int i = 0; i < dim; i++) assert_memory_equal(&gamma[i], &vg[i * lanes + e], sizeof(double));
                for (int i = 0; i < dim * dim; i++) assert_memory_equal(&G[i], &vG[i * lanes + e], sizeof(double));
                assert_memory_equal(&c, &vc[e], sizeof c);
                assert_memory_equal(&d, &vd[e], sizeof d);
            }
        }
    }
}

// ---- Newton --------------------------------------------------------------------------------------------------------

// a random humanoid near the floor: contacts, limits, speed and controls
static void random_state(tx_sim *sim, uint64_t *seed) {
    const tx_model *model = tx_sim_model(sim);
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV),
              nu = tx_model_size(model, TX_SIZE_NU);
    tx_sim_reset(sim, (int)(1.5 * (1 + noise(seed))), NULL);
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS), *qvel = tx_sim_array(sim, TX_ARRAY_QVEL),
           *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    qpos[2] = 0.25 + 0.2 * noise(seed);
    for (int i = 3; i < nq; i++) qpos[i] += 0.6 * noise(seed);
    for (int d = 0; d < nv; d++) qvel[d] = 3 * noise(seed);
    for (int u = 0; u < nu; u++) ctrl[u] = noise(seed);
}

// ‖M(a - a*) - Jᵀf‖ relative to its parts, J and f from the rows in MuJoCo's terms
static double optimality(tx_sim *sim, int *rows_seen) {
    enum { ROWS = 2000 };
    static tx_row rows[ROWS];
    static double J[ROWS * 64], M[64 * 64];
    const int nv = tx_model_size(tx_sim_model(sim), TX_SIZE_NV), n = tx_sim_rows(sim, 0, rows, J, ROWS);
    const double *acc = tx_sim_array(sim, TX_ARRAY_QACC), *smooth = tx_sim_array(sim, TX_ARRAY_QACC_SMOOTH);
    assert_true(n >= 0 && n < ROWS);
    tx_sim_mass_matrix(sim, 0, M);
    double worst = 0, top = 1;
    for (int d = 0; d < nv; d++) {
        double left = 0, right = 0;
        for (int k = 0; k < nv; k++) left += M[d * nv + k] * (acc[k] - smooth[k]);
        for (int r = 0; r < n; r++) right += J[r * nv + d] * rows[r].force;
        worst = fmax(worst, fabs(left - right)), top = fmax(top, fmax(fabs(left), fabs(right)));
        // the same force as reported
        assert_true(fabs(right - tx_sim_array(sim, TX_ARRAY_QFRC_CONSTRAINT)[d]) <= 1e-9 * (1 + fabs(right)));
    }
    // every row's force follows from its own acceleration: f = max(0, D (aref - J a))
    for (int r = 0; r < n; r++) {
        double a = 0;
        for (int d = 0; d < nv; d++) a += J[r * nv + d] * acc[d];
        assert_true(fabs(rows[r].force - fmax(0, rows[r].D * (rows[r].aref - a))) <=
                    1e-9 * (1 + fabs(rows[r].D * rows[r].aref)));
        assert_true(rows[r].force >= 0 && rows[r].D > 0);
    }
    *rows_seen += n;
    return worst / top;
}

static tx_sim *humanoid_sim(const tx_model *model, double tolerance, int iterations) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.tolerance = tolerance, o.iterations = iterations;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    return sim;
}

static void newton_is_optimal(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim *sim = humanoid_sim(model, 0, 100);
    uint64_t seed = 4;
    int rows = 0;
    double worst = 0, worst_error = 0, most = 0;
    for (int trial = 0; trial < 200; trial++) {
        random_state(sim, &seed);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        worst = fmax(worst, optimality(sim, &rows));
        worst_error = fmax(worst_error, tx_sim_array(sim, TX_ARRAY_SOLVE_ERROR)[0]);
        most = fmax(most, tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0]);
    }
    if (getenv("TX_VERBOSE"))
        printf("newton: %d rows, optimality %.2g, solve error %.2g, at most %g iterations\n", rows, worst, worst_error,
               most);
    assert_true(rows > 200 * 10);
    assert_true(worst <= 1e-9);
    assert_true(worst_error <= 1e-9);
    assert_true(most <= 50); // MuJoCo's Newton needs a handful; 100 is the limit
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// the answer does not depend on where the solver starts
static void newton_forgets_its_start(void **state) {
    tx_model *model = load_scene("humanoid");
    const int nv = tx_model_size(model, TX_SIZE_NV);
    tx_sim *sim = humanoid_sim(model, 0, 100);
    uint64_t seed = 5;
    double worst = 0;
    for (int trial = 0; trial < 50; trial++) {
        double cold[64], top = 1;
        random_state(sim, &seed);
        tx_sim_forward(sim);
        memcpy(cold, tx_sim_array(sim, TX_ARRAY_QACC), sizeof(double) * (size_t)nv);
        for (int d = 0; d < nv; d++)
            tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[d] = cold[d] + 0.1 * noise(&seed) * fabs(cold[d]);
        tx_sim_forward(sim);
        for (int d = 0; d < nv; d++) top = fmax(top, fabs(cold[d]));
        for (int d = 0; d < nv; d++) worst = fmax(worst, fabs(tx_sim_array(sim, TX_ARRAY_QACC)[d] - cold[d]) / top);
    }
    assert_true(worst <= 1e-9);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// one iteration from a bad start is not enough: the step is counted as not converged, and the solve error says how far
// off
static void unfinished_solves_are_reported(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim *full = humanoid_sim(model, 1e-10, 100), *cut = humanoid_sim(model, 1e-10, 1);
    uint64_t seed = 6, again = 6;
    int worse = 0;
    for (int trial = 0; trial < 50; trial++) {
        random_state(full, &seed), random_state(cut, &again);
        tx_sim_forward(full), tx_sim_forward(cut);
        double good = tx_sim_array(full, TX_ARRAY_SOLVE_ERROR)[0], bad = tx_sim_array(cut, TX_ARRAY_SOLVE_ERROR)[0];
        assert_true(good <= 1e-7);
        assert_true(tx_sim_array(cut, TX_ARRAY_ITERATIONS)[0] <= 1);
        worse += bad > 1e-4 && bad > 1e3 * good;
        tx_sim_step(full), tx_sim_step(cut);
    }
    assert_true(worse >= 45);
    tx_info a = tx_sim_info(full), b = tx_sim_info(cut);
    assert_int_equal(a.env_steps, 50);
    assert_int_equal(a.not_converged, 0);
    assert_true(b.not_converged >= 45);
    assert_true(a.worst_solve_error <= 1e-7 && b.worst_solve_error > 1e-4);
    tx_sim_destroy(full), tx_sim_destroy(cut);
    tx_model_destroy(model);
}

// more iterations, smaller error: the curve goes down to rounding
static void solve_error_falls(void **state) {
    tx_model *model = load_scene("humanoid");
    uint64_t seed = 7;
    for (int trial = 0; trial < 20; trial++) {
        double last = INFINITY, first = 0;
        uint64_t start = seed;
        for (int iterations = 1; iterations <= 32; iterations *= 2) {
            tx_sim *sim = humanoid_sim(model, 0, iterations);
            seed = start;
            random_state(sim, &seed);
            tx_sim_forward(sim);
            double error = tx_sim_array(sim, TX_ARRAY_SOLVE_ERROR)[0];
            if (iterations == 1) first = error;
            last = error;
            tx_sim_destroy(sim);
        }
        assert_true(last <= 1e-9 && last <= first);
    }
    tx_model_destroy(model);
}

// ---- elliptic cones ------------------------------------------------------------------------------------------------

// force and Hessian by differences of the cost; the force is in the cone, on its surface between the two zones
static void elliptic_force_is_minus_the_gradient(void **state) {
    (void)state;
    uint64_t seed = 7;
    int zones[3] = {0}, borders = 0;
    for (int trial = 0; trial < 3000; trial++) {
        const int dim = DIMS[1 + trial % 3];
        double n[LAW_NUMBERS], y[6], gamma[6], G[36], up[6], down[6], c[2], worst = 0, worst_G = 0, top = 0, square = 0;
        random_contact(dim, n, y, &seed);
        if (trial % 2) y[0] -= 60 * fabs(noise(&seed));
        n[LAW_CONE_MU] = n[LAW_MU] / sqrt(1 + 9 * fabs(noise(&seed)));
        law_w1.elliptic_force(dim, n, y, gamma, G);
        for (int k = 0; k < dim * dim; k++) top = fmax(top, fabs(G[k]));
        for (int k = 1; k < dim; k++) square += pow(gamma[k] / n[LAW_MU + k - 1], 2);
        bool none = gamma[0] == 0, inside = !none && sqrt(square) < gamma[0] * (1 - 1e-9);
        zones[none ? 0 : inside ? 1 : 2]++;
        assert_true(gamma[0] >= 0 && sqrt(square) <= gamma[0] * (1 + 1e-9));
        for (int k = 0; k < dim; k++) {
            double h = 1e-5, moved[6];
            memcpy(moved, y, sizeof moved);
            moved[k] = y[k] + h, law_w1.elliptic_cost(dim, n, moved, &c[0]);
            law_w1.elliptic_force(dim, n, moved, up, NULL);
            moved[k] = y[k] - h, law_w1.elliptic_cost(dim, n, moved, &c[1]);
            law_w1.elliptic_force(dim, n, moved, down, NULL);
            worst = fmax(worst, fabs((c[0] - c[1]) / (2 * h) + gamma[k]));
            for (int j = 0; j < dim; j++) worst_G = fmax(worst_G, fabs((up[j] - down[j]) / (2 * h) + G[j * dim + k]));
        }
        assert_true(worst <= 1e-5 * (1 + 20 * top));
        // a difference across the border of two zones sees two Hessians
        borders += worst_G > 1e-4 * (1 + top);
    }
    assert_true(borders < 10);
    for (int z = 0; z < 3; z++) assert_true(zones[z] > 200);
}

static void elliptic_lanes_are_equal(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int trial = 0; trial < 200; trial++) {
        const int dim = DIMS[1 + trial % 3];
        static _Alignas(64) double n[LAW_NUMBERS * LANES], y[6 * LANES], wide[6 * LANES], wide_G[36 * LANES];
        double one_n[LANES][LAW_NUMBERS], one_y[LANES][6], gamma[6], G[36];
        for (int e = 0; e < LANES; e++) {
            random_contact(dim, one_n[e], one_y[e], &seed);
            one_n[e][LAW_CONE_MU] = 0.3 + 0.1 * e;
            for (int k = 0; k < LAW_NUMBERS; k++) n[k * LANES + e] = one_n[e][k];
            for (int k = 0; k < dim; k++) y[k * LANES + e] = one_y[e][k];
        }
        law_w8.elliptic_force(dim, n, y, wide, wide_G);
        for (int e = 0; e < LANES; e++) {
            law_w1.elliptic_force(dim, one_n[e], one_y[e], gamma, G);
            for (int k = 0; k < dim; k++) assert_memory_equal(&gamma[k], &wide[k * LANES + e], sizeof(double));
            for (int k = 0; k < dim * dim; k++) assert_memory_equal(&G[k], &wide_G[k * LANES + e], sizeof(double));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_minus_the_gradient),
        cmocka_unit_test(elliptic_force_is_minus_the_gradient),
        cmocka_unit_test(elliptic_lanes_are_equal),
        cmocka_unit_test(cost_is_convex_and_smooth),
        cmocka_unit_test(impedance_has_its_values),
        cmocka_unit_test(lanes_have_the_bits_of_one),
        cmocka_unit_test(newton_is_optimal),
        cmocka_unit_test(newton_forgets_its_start),
        cmocka_unit_test(unfinished_solves_are_reported),
        cmocka_unit_test(solve_error_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
