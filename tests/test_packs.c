// test_packs.c - pgs on large problems: colours of the present contacts, packs of four pairs, sweeps in their order
// (issue 13). The reference is the method of sequential impulses on dense matrices, one contact after the other.
#include "simulate.h"

#include <unistd.h>

#include "near.h"
#include "problem/file.h"
#include "problem/kernel_list.h"
#include "step/alone.h"

enum { SIDE = 3, LAYERS = 3, BOXES = SIDE * SIDE * LAYERS, NV = 6 * BOXES };

static int find(const char *(*name_of)(int), const char *name) {
    int i = 0;
    while (name_of(i) && strcmp(name_of(i), name) != 0) i++;
    assert_non_null(name_of(i));
    return i;
}

// bricks across each other, each turned by another angle, of several masses and frictions; all slide a little
static tx_model *bricks(void) {
    char text[16384], *at = text;
    at += sprintf(at, "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>");
    for (int i = 0; i < BOXES; i++) {
        const int layer = i / (SIDE * SIDE), x = i % SIDE, y = i / SIDE % SIDE;
        at += sprintf(at,
                      "<body pos='%.3f %.3f %.3f' euler='0 0 %d'><freejoint/><geom type='box' size='.12 .08 .05' "
                      "mass='%.1f' friction='%.1f'/></body>",
                      0.2 * x + 0.05 * layer, 0.2 * y - 0.03 * layer, 0.05 + 0.1 * layer, 20 * i, 1 + 0.1 * i,
                      0.3 + 0.1 * (i % 5));
    }
    sprintf(at, "</worldbody></mujoco>");
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "bricks.xml", &diag), &diag);
}

static tx_sim *start(tx_model *m, const char *solver, int threads, tx_target_choice target) {
    tx_sim *sim = make_sim(m, 1, threads, target, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.law = find(tx_law_name, "hard"), o.solver = find(tx_solver_name, solver);
    o.iterations = 10, o.tolerance = 0, o.recovery_share = 0.05;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int i = 0; i < BOXES; i++) v[6 * i] = 0.02 * i, v[6 * i + 5] = 0.1 * (i % 3);
    return sim;
}

// the problem of a step among the contacts
static void record(tx_bare *b) {
    char path[64];
    tx_model *m = bricks();
    tx_sim *sim = start(m, "pgs", 1, TX_TARGET_AUTO);
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
    assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
    tx_diag diag = {0};
    if (!tx_problem_read(b, path, &diag)) fail_msg("the problem cannot be read");
    unlink(path);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

static void solve(tx_bare *b, const char *solver, int iterations, double tolerance, tx_target_choice target) {
    const char *why;
    b->problem.opt.iterations = iterations, b->problem.opt.tolerance = tolerance, b->problem.opt.warmstart = false;
    if (!tx_solve_alone(tx_target_single(target), b, find(tx_solver_name, solver), NULL, &why)) fail_msg("%s", why);
}

// ---- structure ------------------------------------------------------------------------------------------------------

// every contact between free bodies is in one pack, no two pairs of a colour share a body, and a body has its pairs in
// the order of the list
static void colours_share_no_body(void **state) {
    tx_bare b;
    record(&b);
    solve(&b, "pgs", 1, 0, TX_TARGET_AUTO);
    const tx_dual *d = &b.dual;
    const tx_problem *p = &b.problem;
    int *seen = calloc((size_t)p->ncons, sizeof *seen), last[NV], behind[NV], packed = 0, several = 0;
    assert_true(seen && d->coloured >= 1 && d->npacks > 0);
    for (int i = 0; i < NV; i++) last[i] = behind[i] = -1;
    for (int i = 0; i < d->npacks; i++) {
        const tx_pack *k = &d->packs[i];
        several += k->pairs > 1;
        assert_true(k->pairs >= 1 && k->pairs <= TX_PACK);
        for (int l = 0; l < k->pairs; l++) {
            assert_true(k->pair[l].count <= k->points);
            for (int j = 0; j < k->pair[l].count; j++) seen[k->pair[l].con + j]++, packed++;
            for (int s = 0; s < 2; s++) {
                if (k->pair[l].dof[s] < 0) continue;
                assert_true(last[k->pair[l].dof[s]] < k->colour && behind[k->pair[l].dof[s]] < k->pair[l].con);
                last[k->pair[l].dof[s]] = k->colour, behind[k->pair[l].dof[s]] = k->pair[l].con;
            }
        }
    }
    for (int i = 0; i < p->ncons; i++) assert_int_equal(seen[i], p->cons[i].kernel == KERNEL_coulomb);
    assert_true(packed > 50 && several > 3);
    free(seen);
    tx_bare_destroy(&b);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

typedef struct dense {
    double W[3][3], mu[2], E, aim[3];
    double J[3][NV], Y[3][NV]; // Y = J A⁻¹
} dense;

// A⁻¹ of free bodies, by elimination with pivots of one
static void invert(const tx_problem *p, double *inverse) {
    const double *A = p->A;
    for (int body = 0; body < BOXES; body++) {
        double M[6][12] = {{0}};
        for (int i = 0; i < 6; i++) {
            M[i][6 + i] = 1;
            for (int j = 0; j <= i; j++) M[i][j] = M[j][i] = A[p->tree.first[6 * body + i] + i - j];
        }
        for (int i = 0; i < 6; i++)
            for (int r = 0; r < 6; r++) {
                if (r == i) continue;
                const double f = M[r][i] / M[i][i];
                for (int c = 0; c < 12; c++) M[r][c] -= f * M[i][c];
            }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) inverse[36 * body + 6 * i + j] = M[i][6 + j] / M[i][i];
    }
}

static void make_dense(const tx_problem *p, int i, const double *inverse, dense *c) {
    const tx_constraint *con = &p->cons[i];
    const double *n = (const double *)p->numbers + TX_KERNEL_NUMBERS * (size_t)i;
    memset(c, 0, sizeof *c);
    for (int k = con->piece; k < con->piece + con->pieces; k++)
        for (int r = 0; r < 3; r++)
            for (int j = 0; j < 6; j++)
                c->J[r][p->pieces[k].dof + j] = ((const double *)p->J)[p->pieces[k].at + 6 * r + j];
    for (int r = 0; r < 3; r++)
        for (int d = 0; d < NV; d++)
            for (int j = 0; j < 6; j++) c->Y[r][d] += inverse[36 * (d / 6) + 6 * (d % 6) + j] * c->J[r][d / 6 * 6 + j];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            for (int d = 0; d < NV; d++) c->W[r][s] += c->J[r][d] * c->Y[s][d];
    c->E = n[TX_NUMBER_E];
    for (int r = 0; r < 3; r++) c->aim[r] = n[TX_NUMBER_A + r];
    for (int r = 0; r < 2; r++) c->mu[r] = n[TX_NUMBER_MU + r];
}

// the normal by `relaxation` of its own step, then friction by one step for both tangents, back onto the disk
static void visit(const dense *c, double relaxation, double *x, double *g) {
    double u[3], to[3];
    for (int r = 0; r < 3; r++) {
        u[r] = c->E * g[r] - c->aim[r];
        for (int d = 0; d < NV; d++) u[r] += c->J[r][d] * x[d];
    }
    to[0] = fmax(0, g[0] - relaxation * u[0] / (c->W[0][0] + c->E));
    for (int r = 1; r < 3; r++) u[r] += c->W[r][0] * (to[0] - g[0]);
    const double steepest = fmax(c->W[1][1], c->W[2][2]) + c->E, rim = c->mu[0] * to[0];
    assert_near(c->mu[0], c->mu[1], 1e-15);
    for (int r = 1; r < 3; r++) to[r] = g[r] - u[r] / steepest;
    const double length = hypot(to[1], to[2]);
    for (int r = 1; r < 3; r++) to[r] *= length > rim ? rim / length : 1;
    for (int r = 0; r < 3; r++) {
        for (int d = 0; d < NV; d++) x[d] += c->Y[r][d] * (to[r] - g[r]);
        g[r] = to[r];
    }
}

// five blind sweeps: three of them with steps that are half longer, then two plain ones
static void sweeps_are_sequential_impulses(void **state) {
    enum { SWEEPS = 5 };
    tx_bare b;
    record(&b);
    solve(&b, "pgs", SWEEPS, 0, TX_TARGET_AUTO);
    const tx_problem *p = &b.problem;
    double *inverse = calloc(36 * BOXES, sizeof *inverse), x[NV], *g = calloc(3 * (size_t)p->ncons, sizeof *g);
    dense *c = calloc((size_t)p->ncons, sizeof *c);
    assert_true(inverse && c && g);
    invert(p, inverse);
    for (int i = 0; i < p->ncons; i++) make_dense(p, i, inverse, &c[i]);
    memcpy(x, p->x_star, sizeof x);
    for (int it = 1; it <= SWEEPS; it++)
        for (int k = 0; k < b.dual.npacks; k++)
            for (int l = 0; l < b.dual.packs[k].pairs; l++)
                for (int j = 0; j < b.dual.packs[k].pair[l].count; j++) {
                    const int i = b.dual.packs[k].pair[l].con + j;
                    visit(&c[i], it <= SWEEPS - 2 ? 1.5 : 1, x, g + 3 * i);
                }
    double most = 0, off = 0;
    for (int i = 0; i < p->ncons; i++)
        for (int r = 0; r < 3; r++) {
            most = fmax(most, fabs(g[3 * i + r]));
            off = fmax(off, fabs(g[3 * i + r] - ((const double *)p->gamma)[p->cons[i].row + r]));
        }
    for (int d = 0; d < NV; d++) assert_near(((const double *)p->x)[d], x[d], 1e-9);
    assert_true(most > 0.01 && off <= 1e-10 * most);
    free(inverse), free(g), free(c);
    tx_bare_destroy(&b);
}

// with a tolerance they go on until Coulomb's law holds; the error is made of the forces alone, without any pack
static void packs_find_an_answer(void **state) {
    tx_bare b;
    record(&b);
    solve(&b, "pgs", 20000, 1e-5, TX_TARGET_AUTO);
    printf("%g sweeps, solve error %.1e\n", *(const double *)b.problem.iterations,
           *(const double *)b.problem.solve_error);
    assert_true(tx_alone_converged(&b) && *(const double *)b.problem.solve_error <= 1e-5);
    tx_bare_destroy(&b);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static void packs_have_the_same_bits(void **state) {
    static const tx_target_choice TARGET[] = {TX_TARGET_AUTO, TX_TARGET_SCALAR, TX_TARGET_AUTO};
    tx_model *m = bricks();
    double first[7 * BOXES];
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = start(m, "pgs", k == 2 ? 2 : 1, TARGET[k]);
        assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
        const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
        if (k == 0) memcpy(first, q, sizeof first);
        else assert_memory_equal(q, first, sizeof first);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_share_no_body),
        cmocka_unit_test(sweeps_are_sequential_impulses),
        cmocka_unit_test(packs_find_an_answer),
        cmocka_unit_test(packs_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
