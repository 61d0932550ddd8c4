// test_dual.c - dual solvers: friction problems and stacks with their counts of sweeps and products, models of friction
// told apart, and soft problems solved as newton solves them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "near.h"
#include "problem/file.h"
#include "problem/measures.h"
#include "random_problems.h"
#include "sanitized.h"
#include "simulate.h"
#include "step/alone.h"

static double number(const void *p) { return *(const double *)p; }

static int solver_of(const char *name) {
    const tx_target *t = tx_target_single(TX_TARGET_AUTO);
    for (int s = 0; t->solver_name(s); s++)
        if (strcmp(t->solver_name(s), name) == 0) return s;
    fail_msg("no solver %s", name);
    return -1;
}

// solves from nothing; products, or INFINITY when the tolerance was not reached
static double products_to(tx_bare *b, const char *solver, int kernel, double tolerance, int most) {
    const char *why;
    tx_problem_set_kernel(&b->problem, kernel);
    b->problem.opt.tolerance = tolerance, b->problem.opt.iterations = most, b->problem.opt.warmstart = false;
    if (!tx_solve_alone(tx_target_single(TX_TARGET_AUTO), b, solver_of(solver), NULL, &why)) fail_msg("%s", why);
    if (!tx_alone_converged(b)) return INFINITY;
    assert_true(number(b->problem.solve_error) <= tolerance);
    // sweeps of pgs and nsgs have looks at the error between them
    const bool sweeps = strcmp(solver, "pgs") == 0 || strcmp(solver, "nsgs") == 0;
    return sweeps ? number(b->problem.iterations) : (double)b->products;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

// ---- D1: friction problems -----------------------------------------------------------------------------------------

#define FOLDER "../shared/reference/friction-problems/"
static const char *const FILES[] = {
    "Box_Stacks-i0122-82-5", "BoxesStack1-i100000-32", "Capsules-i100-1090",  "Capsules-i101-404",
    "Capsules-i125-1213",    "Confeti-ex03-Fc3D-SBM",  "KaplasTower-i1061-4", "LMGC_100_PR_PerioBox-i00361-60-03000",
    "OneObject-i100000-316", "Spheres-i099-356-679",
};
enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

static void open_problem(tx_bare *b, int i) {
    char path[200];
    tx_diag diag = {0};
    snprintf(path, sizeof path, FOLDER "%s.bin", FILES[i]);
    if (!tx_problem_read(b, path, &diag)) fail_msg("%s", path);
}

static void medians(const char *solver, int kernel, const double most[3]) {
    static const double TOLERANCE[3] = {1e-3, 1e-4, 1e-6};
    for (int t = 0; t < 3; t++) {
        double count[FILE_COUNT];
        for (int i = 0; i < FILE_COUNT; i++) {
            tx_bare b;
            open_problem(&b, i);
            count[i] = products_to(&b, solver, kernel, TOLERANCE[t], 20000);
            tx_bare_destroy(&b);
        }
        const double found = median(count, FILE_COUNT);
        printf("%s, kernel %d: median %g to %g\n", solver, kernel, found, TOLERANCE[t]);
        assert_true(found <= most[t]);
    }
}

static void test_friction_problems(void **state) {
    (void)state;
    if (access(FOLDER, R_OK) != 0) {
        printf("SKIPPED: " FOLDER " is not here\n");
        skip();
    }
    medians("pgs", KERNEL_coulomb, (double[]){35, 85, 300});
    medians("apgd", KERNEL_ccp, (double[]){80, 140, 400});
    medians("nsgs", KERNEL_coulomb, (double[]){35, 50, 100});
    for (int i = 0; i < FILE_COUNT && !SANITIZED; i++) {
        tx_bare b;
        open_problem(&b, i);
        assert_true(products_to(&b, "apgd", KERNEL_ccp, 1e-8, 100000) <= 1e5);
        assert_true(tx_problem_measures(&b.problem).residual_ccp <= 1.01e-8);
        tx_bare_destroy(&b);
        open_problem(&b, i);
        assert_true(products_to(&b, "nsgs", KERNEL_coulomb, 1e-8, 100000) <= 1e5);
        assert_true(tx_problem_measures(&b.problem).residual_ncp <= 1.01e-8);
        tx_bare_destroy(&b);
    }
}

// ---- D2: stacks ----------------------------------------------------------------------------------------------------

// n unit boxes on the floor, the top one of mass R, after a step of gravity; contact i is below box i
static void make_stack(tx_bare *b, int n, double top, double push) {
    const tx_bare_size size = {n * 3, n, n * 6, n, 3 * n, 2 * n - 1, 9 * (2 * n - 1)};
    const char *why;
    assert_true(tx_bare_create(b, &size));
    tx_problem *p = &b->problem;
    b->large = false;
    for (int d = 0; d < 3 * n; d++) b->parent[d] = d % 3 ? d - 1 : -1;
    for (int i = 0, at = 0; i < n; i++) {
        b->width[i] = 3;
        p->cons[i] = (tx_constraint){.kernel = KERNEL_coulomb, .dim = 3, .pieces = i ? 2 : 1};
        if (i) p->pieces[at++] = (tx_piece){.dof = 3 * i - 3, .width = 3};
        p->pieces[at++] = (tx_piece){.dof = 3 * i, .width = 3};
    }
    if (!tx_bare_link(b, &why)) fail_msg("%s", why);
    for (int i = 0; i < n; i++) {
        const double m = i == n - 1 ? top : 1, w = 1 / m + (i ? 1 : 0);
        double *A = tx_bare_A(b) + 6 * i, *k = (double *)p->numbers + TX_KERNEL_NUMBERS * (size_t)i;
        A[0] = A[1] = A[3] = m, A[2] = A[4] = A[5] = 0;
        tx_bare_x_star(b)[3 * i] = -9.81e-2, tx_bare_x_star(b)[3 * i + 1] = push;
        k[TX_NUMBER_D] = 1 / w, k[TX_NUMBER_REST] = 1;
        k[TX_NUMBER_MU] = k[TX_NUMBER_MU + 1] = 0.5;
        for (int s = 0; s < p->cons[i].pieces; s++) {
            double *J = (double *)p->J + p->pieces[p->cons[i].piece + s].at;
            for (int r = 0; r < 3; r++) J[4 * r] = p->cons[i].pieces == 2 && s == 0 ? -1 : 1;
        }
    }
    p->unit = TX_UNIT_VELOCITY, p->y_floor = 0;
    if (!tx_bare_check(b, &why)) fail_msg("%s", why);
}

static double stack_products(const char *solver, double top, int most) {
    tx_bare b;
    make_stack(&b, 10, top, 0);
    double count = products_to(&b, solver, strcmp(solver, "apgd") == 0 ? KERNEL_ccp : KERNEL_coulomb, 1e-4, most);
    // a product with W is one with J and one with Jᵀ
    if (strcmp(solver, "apgd") == 0) count = (count - 4) / 2;
    tx_bare_destroy(&b);
    return count;
}

static void test_stack_table(void **state) {
    (void)state;
    static const struct { double top, si, apgd; } TABLE[] = {{1, 330, 92}, {100, 7270, 390}, {1000, INFINITY, 691}};
    for (int i = 0; i < 3; i++) {
        const double si = stack_products("pgs", TABLE[i].top, 20000),
                     apgd = stack_products("apgd", TABLE[i].top, 20000);
        printf("stack of 10, top mass %g: pgs %g sweeps, apgd %g products, nsgs %g sweeps\n", TABLE[i].top, si, apgd,
               stack_products("nsgs", TABLE[i].top, 20000));
        assert_true(isinf(TABLE[i].si) ? isinf(si) : fabs(si - TABLE[i].si) <= 0.2 * TABLE[i].si);
        assert_true(fabs(apgd - TABLE[i].apgd) <= 0.2 * TABLE[i].apgd);
    }
}

// ---- D3: models of friction ----------------------------------------------------------------------------------------

// y of a stack that is pushed along x and slides: the disk, De Saxcé's shift and exact local solves agree
static void test_same_fixed_point(void **state) {
    (void)state;
    static const char *const SOLVERS[] = {"pgs", "nsgs", "apgd"};
    double y[3][30];
    for (int s = 0; s < 3; s++) {
        tx_bare b;
        make_stack(&b, 10, 1, 0.3);
        assert_true(isfinite(products_to(&b, SOLVERS[s], KERNEL_coulomb, 1e-12, 100000)));
        memcpy(y[s], b.problem.y, sizeof y[s]);
        // it does slide, and does not lift off
        assert_true(y[s][1] > 0.1);
        assert_near(y[s][0], 0, 1e-9);
        assert_true(tx_problem_measures(&b.problem).worst.dissipation <= 1e-9);
        tx_bare_destroy(&b);
    }
    for (int k = 0; k < 30; k++) {
        assert_near(y[1][k], y[0][k], 1e-8);
        assert_near(y[2][k], y[0][k], 1e-8);
    }
    // the convex law lifts what slides by μ|u_t|
    tx_bare b;
    make_stack(&b, 10, 1, 0.3);
    assert_true(isfinite(products_to(&b, "apgd", KERNEL_ccp, 1e-12, 100000)));
    const double *u = b.problem.y;
    assert_near(u[0], 0.5 * hypot(u[1], u[2]), 1e-9);
    tx_bare_destroy(&b);
}

// pushed along a diagonal, box friction is stronger by √2: it is no solution of Coulomb's law
static void test_box_is_another_model(void **state) {
    (void)state;
    tx_bare b;
    make_stack(&b, 1, 1, 0.3);
    tx_bare_x_star(&b)[2] = 0.3;
    assert_true(isfinite(products_to(&b, "pgs", KERNEL_box, 1e-12, 1000)));
    const double *g = b.problem.gamma;
    assert_near(hypot(g[1], g[2]), sqrt(2) * 0.5 * g[0], 1e-12);
    assert_true(tx_problem_measures(&b.problem).residual_ncp > 1e-2);
    assert_near(tx_problem_measures(&b.problem).worst.excess, (sqrt(2) - 1) * 0.5 * g[0], 1e-12);
    // and nobody else takes it
    const tx_target *t = tx_target_single(TX_TARGET_AUTO);
    assert_true(t->solver_takes(solver_of("pgs"), &b.problem));
    assert_false(t->solver_takes(solver_of("nsgs"), &b.problem));
    assert_false(t->solver_takes(solver_of("apgd"), &b.problem));
    assert_false(t->solver_takes(solver_of("newton"), &b.problem));
    tx_bare_destroy(&b);
}

// ---- soft problems -------------------------------------------------------------------------------------------------

// x of every solver against newton's, in the norm of A
static double apart(const tx_problem *p, const double *x, const double *y) {
    double sum = 0, size = 0;
    for (int d = 0; d < p->nv; d++) {
        const double a = ((const double *)p->A)[p->tree.first[d]], star = ((const double *)p->x_star)[d];
        sum += a * (x[d] - y[d]) * (x[d] - y[d]);
        size += a * (x[d] - star) * (x[d] - star);
    }
    return size > 0 ? sqrt(sum / size) : 0;
}

static void test_soft_problems(void **state) {
    (void)state;
    static const char *const SOLVERS[] = {"pgs", "apgd"};
    static random_world w;
    const int count = SANITIZED ? 40 : 200;
    int reached[2] = {0}, problems = 0;
    for (int seed = 0; seed < count; seed++) {
        tx_bare b;
        const char *why;
        double x[MOST_DOFS];
        if (seed % 500 == 7) continue;
        random_world_make(&w, (uint64_t)seed);
        if (!random_problem(&w, &b, &why)) fail_msg("problem %d: %s", seed, why);
        tx_problem *p = &b.problem;
        p->opt.tolerance = 0;
        if (!tx_solve_alone(tx_target_single(TX_TARGET_AUTO), &b, 0, NULL, &why)) fail_msg("%s", why);
        memcpy(x, p->x, sizeof(double) * (size_t)p->nv);
        problems++;
        for (int s = 0; s < 2; s++) {
            p->opt.tolerance = 1e-12, p->opt.iterations = 3000;
            if (!tx_solve_alone(tx_target_single(TX_TARGET_AUTO), &b, solver_of(SOLVERS[s]), NULL, &why))
                fail_msg("%s", why);
            if (!tx_alone_converged(&b)) continue;
            reached[s]++;
            if (apart(p, p->x, x) > 1e-6) fail_msg("problem %d, %s: %.1e apart", seed, SOLVERS[s], apart(p, p->x, x));
        }
        tx_bare_destroy(&b);
    }
    printf("%d random soft problems: pgs reached 1e-12 in %d, apgd in %d\n", problems, reached[0], reached[1]);
    // masses that differ by 10⁴ are not for them; under a sanitizer there are too few problems for a share
    assert_true(SANITIZED || (reached[0] >= problems * 6 / 10 && reached[1] >= problems * 6 / 10));
}

// ---- steps ---------------------------------------------------------------------------------------------------------

static tx_sim *dual_sim(const tx_model *m, const char *law, const char *solver, int envs, int threads,
                        tx_target_choice target) {
    tx_sim *sim = make_sim(m, envs, threads, target, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.solver = solver_of(solver), o.iterations = 40, o.tolerance = 1e-6;
    for (o.law = 0; strcmp(tx_law_name(o.law), law) != 0;) o.law++;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    spread(sim);
    return sim;
}

// any width, any place in the batch, any number of threads, saved and restored: the same bits; and no allocation
static void same_bits(const char *file, const char *law, const char *solver, int steps) {
    enum { ENVS = 9 };
    tx_diag diag = {0};
    tx_model *m = tx_load_file(file, &diag);
    assert_non_null(m);
    tx_sim *wide = dual_sim(m, law, solver, ENVS, 2, TX_TARGET_AUTO),
           *plain = dual_sim(m, law, solver, ENVS, 1, TX_TARGET_SCALAR);
    tx_sim_step_n(wide, steps);
    tx_sim_step_n(plain, steps / 2);
    const size_t size = tx_sim_state_size(plain);
    void *blob = malloc(size);
    assert_int_equal(tx_sim_save(plain, blob, size), TX_OK);
    tx_sim_step_n(plain, 3);
    assert_int_equal(tx_sim_restore(plain, blob, size), TX_OK);
    tx_sim_step_n(plain, steps - steps / 2);
    for (int e = 0; e < ENVS; e++)
        if (!same_state(wide, e, plain, e)) fail_msg("%s, %s, %s: environment %d differs", file, law, solver, e);
    // the same five steps once more, when all that grows has grown
    assert_int_equal(tx_sim_save(wide, blob, size), TX_OK);
    tx_sim_step_n(wide, 5);
    assert_int_equal(tx_sim_restore(wide, blob, size), TX_OK);
    const uint64_t before = tx_alloc_count();
    tx_sim_step_n(wide, 5);
    assert_int_equal(tx_alloc_count(), before);
    free(blob);
    tx_sim_destroy(wide), tx_sim_destroy(plain);
    tx_model_destroy(m);
    tx_diag_free(&diag);
}

static void test_same_bits(void **state) {
    (void)state;
    const int steps = SANITIZED ? 30 : 120;
    same_bits(TX_SOURCE_DIR "/scenes/humanoid.xml", "soft", "pgs", steps);
    same_bits(TX_SOURCE_DIR "/scenes/humanoid.xml", "soft", "apgd", steps);
    same_bits(TX_SOURCE_DIR "/scenes/humanoid.xml", "soft_elliptic", "nsgs", steps);
    same_bits(TX_SOURCE_DIR "/scenes/humanoid.xml", "soft_elliptic", "bb", steps);
}

// a row on dofs of two trees, one of them deep in its tree: what hangs between moves too
static void test_rows_with_gaps(void **state) {
    (void)state;
    static const char TEXT[] =
        "<mujoco><option gravity='0 0 -9.81'/><default><geom type='box' size='.02 .02 .2' pos='.1 0 .2'/></default>"
        "<worldbody><body><joint name='a' axis='0 1 0'/><geom/></body><body pos='1 0 0'><joint axis='0 1 0'/><geom/>"
        "<body pos='0 0 .4'><joint axis='0 1 0'/><geom/><body pos='0 0 .4'><joint name='b' axis='0 1 0'/><geom/></body>"
        "</body></body></worldbody><equality><joint joint1='a' joint2='b' polycoef='0 2 0 0 0'/></equality></mujoco>";
    static const char *const BY[] = {"newton", "pgs", "apgd"};
    tx_model *m = tx_load_string(TEXT, sizeof TEXT - 1, "text", NULL);
    assert_non_null(m);
    double wanted[4];
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
        tx_options o = tx_sim_options(sim);
        o.solver = solver_of(BY[k]), o.tolerance = 1e-13, o.iterations = 1000;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        const double *acc = tx_sim_array(sim, TX_ARRAY_QACC);
        if (k == 0) memcpy(wanted, acc, sizeof wanted);
        for (int d = 0; d < 4; d++) assert_near(acc[d], wanted[d], 1e-8 * (1 + fabs(wanted[d])));
        tx_sim_destroy(sim);
    }
    assert_true(fabs(wanted[0] - 2 * wanted[3]) < 0.2 * fabs(wanted[0]));
    tx_model_destroy(m);
}

// ---- files ---------------------------------------------------------------------------------------------------------

// one contact: W = I, q = (-1, 2, 0), mu = 0.5; every field damaged in its turn
static void test_friction_file(void **state) {
    (void)state;
    struct {
        int32_t head[3], start[2], col[1];
        double W[9], q[3], mu[1];
    } file = {{1, 1, 0}, {0, 1}, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 2, 0}, {0.5}};
    const size_t size = 6 * 4 + 13 * 8;
    assert_int_equal(sizeof file, size);
    tx_bare b;
    tx_diag diag = {0};
    assert_true(tx_problem_from_bytes(&b, &file, size, "one", &diag));
    assert_true(isfinite(products_to(&b, "nsgs", KERNEL_coulomb, 1e-12, 10)));
    const double *g = b.problem.gamma;
    assert_near(g[0], 1, 1e-14);
    assert_near(g[1], -0.5, 1e-14);
    tx_bare_destroy(&b);
#define DAMAGED(what, bad, said)                                            \
    do {                                                                    \
        const double kept = (double)(what);                                 \
        what = bad;                                                         \
        assert_false(tx_problem_from_bytes(&b, &file, size, "bad", &diag)); \
        assert_non_null(strstr(diag.messages[diag.count - 1].text, said));  \
        what = (__typeof__(what))kept;                                      \
    } while (0)
    // what is no friction file by its counts is taken for one of the other kind
    DAMAGED(file.head[0], 2, "the file is too short");
    DAMAGED(file.head[0], 0, "the file is too short");
    DAMAGED(file.head[1], 0, "the file is too short");
    DAMAGED(file.head[2], 7, "the file is too short");
    DAMAGED(file.start[0], 1, "its rows of blocks do not cover all blocks");
    DAMAGED(file.start[1], 0, "its rows of blocks do not cover all blocks");
    DAMAGED(file.col[0], 1, "a block has no column");
    DAMAGED(file.col[0], -1, "a block has no column");
    DAMAGED(file.W[0], -1, "a contact has a diagonal that is not positive");
    DAMAGED(file.W[4], 0, "a contact has a diagonal that is not positive");
    DAMAGED(file.W[8], -1, "a contact has a diagonal that is not positive");
    DAMAGED(file.W[1], NAN, "a number of W is not finite or too large");
    DAMAGED(file.q[0], INFINITY, "a number of q is not finite or too large");
    DAMAGED(file.mu[0], -0.1, "a constraint has negative friction");
    assert_false(tx_problem_from_bytes(&b, &file, size - 1, "short", &diag));
    tx_diag_free(&diag);
}

// two contacts, and a block that couples the first to the second
typedef struct two_contacts {
    int32_t head[3], start[3], col[3], unused; // the numbers begin at a multiple of 4
    double W[27], q[6], mu[2];
} two_contacts;

static bool reads_two(tx_bare *b, const two_contacts *file, const char *wanted) {
    enum { INTS = 9 * 4, NUMBERS = 35 * 8 };
    char bytes[INTS + NUMBERS];
    memcpy(bytes, file, INTS), memcpy(bytes + INTS, file->W, NUMBERS);
    tx_diag diag = {0};
    const bool good = tx_problem_from_bytes(b, bytes, sizeof bytes, "two", &diag);
    if (wanted) assert_true(diag.count == 1 && strstr(diag.messages[0].text, wanted));
    tx_diag_free(&diag);
    return good;
}

// W = I: the step of the natural map is 1, and each contact is measured by itself
static void test_two_contacts(void **state) {
    (void)state;
    two_contacts file = {{2, 3, 0},
                         {0, 2, 3},
                         {0, 1, 1},
                         0,
                         {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                         {-1, 2, 0, -1, 0, 0},
                         {0.5, 0.5}};
    tx_bare b;
    assert_true(reads_two(&b, &file, NULL));
    // forces (2, 0, 0), where g - (u + mu |u_t|) = (0, -2, 0) is projected to (0.8, -0.4, 0), and the solution (1, 0,
    // 0)
    tx_problem *p = &b.problem;
    const double gamma[6] = {2, 0, 0, 1, 0, 0}, y[6] = {1, 2, 0, 0, 0, 0};
    memcpy(p->gamma, gamma, sizeof gamma), memcpy(p->y, y, sizeof y);
    const tx_measures m = tx_problem_measures(p);
    assert_int_equal(m.contacts, 2);
    assert_near(m.residual_ncp, sqrt((1.2 * 1.2 + 0.4 * 0.4) / (5 + 1)), 1e-14);
    assert_near(m.residual_worst, sqrt((1.2 * 1.2 + 0.4 * 0.4) / (5 + 1)), 1e-14);
    tx_bare_destroy(&b);
    file.start[1] = 1000;
    assert_false(reads_two(&b, &file, "do not ascend"));
    file.start[1] = 2, file.col[1] = 2;
    assert_false(reads_two(&b, &file, "a block has no column"));
    file.start[1] = -1, file.col[1] = 1;
    assert_false(reads_two(&b, &file, "do not ascend"));
    file.start[1] = 3;
    assert_false(reads_two(&b, &file, "a contact has no block with itself"));
    // the solution may follow, and nobody looks at it
    char solved[9 * 4 + 41 * 8] = {0};
    file.start[1] = 2, file.head[2] = 1;
    memcpy(solved, &file, 9 * 4), memcpy(solved + 9 * 4, file.W, 35 * 8);
    tx_diag diag = {0};
    assert_true(tx_problem_from_bytes(&b, solved, sizeof solved, "solved", &diag));
    assert_int_equal(b.problem.nrows, 6);
    tx_bare_destroy(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction_problems), cmocka_unit_test(test_stack_table),
        cmocka_unit_test(test_same_fixed_point),  cmocka_unit_test(test_box_is_another_model),
        cmocka_unit_test(test_soft_problems),     cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_friction_file),     cmocka_unit_test(test_two_contacts),
        cmocka_unit_test(test_rows_with_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
