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

// what a brick is made of: a box about its body's origin; one beside it, or by a tenth of a micrometre; two at an
// angle, whose contacts have frames of their own; some that resist spin, so that their contacts are in no pack;
// contacts that rub less along one tangent; a paddle on a hinge that leans on them; some whose rows are not those of
// the others of the pair, on the side of the first body or of the second, as no contact has them, but a problem that is
// read may
typedef enum brick { CENTRED, BESIDE, NEARLY, BENT, SPUN, BRUSHED, SWUNG, SKEWED_FIRST, SKEWED_SECOND } brick;

// bricks across each other, each turned by another angle, of several masses and frictions; all slide a little
static tx_model *bricks(brick kind) {
    char text[24576], *at = text;
    at += sprintf(at, "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>%s",
                  kind == SWUNG ? "<body pos='-.28 .2 .06'><joint type='hinge' axis='0 1 0' pos='-.15 0 0'/>"
                                  "<geom type='box' size='.17 .2 .04' mass='2'/></body>"
                                : "");
    for (int i = 0; i < BOXES; i++) {
        const int layer = i / (SIDE * SIDE), x = i % SIDE, y = i / SIDE % SIDE;
        at += sprintf(at,
                      "<body pos='%.3f %.3f %.3f' euler='0 0 %d'><freejoint/><geom type='box' size='.12 .08 .05' "
                      "pos='%s' mass='%.1f' friction='%.1f' condim='%d'/>%s</body>",
                      0.2 * x + 0.05 * layer, 0.2 * y - 0.03 * layer, 0.05 + 0.1 * layer, 20 * i,
                      kind == BESIDE   ? ".02 -.01 .003"
                      : kind == NEARLY ? "1e-7 0 0"
                                       : "0 0 0",
                      1 + 0.1 * i, 0.3 + 0.1 * (i % 5), kind == SPUN && i % 4 == 3 ? 4 : 3,
                      kind == BENT ? "<geom type='box' size='.12 .08 .05' euler='4 0 0' mass='.5'/>" : "");
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
static void record(tx_bare *b, brick kind) {
    char path[64];
    tx_model *m = bricks(kind);
    tx_sim *sim = start(m, "pgs", 1, TX_TARGET_AUTO);
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
    assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
    tx_diag diag = {0};
    if (!tx_problem_read(b, path, &diag)) fail_msg("the problem cannot be read");
    unlink(path);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

static void solve_from(tx_bare *b, const char *solver, int iterations, double tolerance, tx_target_choice target,
                       bool warm) {
    const char *why;
    b->problem.opt.iterations = iterations, b->problem.opt.tolerance = tolerance, b->problem.opt.warmstart = warm;
    if (!tx_solve_alone(tx_target_large(target), b, find(tx_solver_name, solver), NULL, &why)) fail_msg("%s", why);
}

static void solve(tx_bare *b, const char *solver, int iterations, double tolerance, tx_target_choice target) {
    solve_from(b, solver, iterations, tolerance, target, false);
}

// ---- structure ------------------------------------------------------------------------------------------------------

// every contact between free bodies is in one pack, no two pairs of a colour share a body, and a body has its pairs in
// the order of the list
static void colours_share_no_body(void **state) {
    tx_bare b;
    record(&b, CENTRED);
    solve(&b, "pgs", 1, 0, TX_TARGET_AUTO);
    const tx_dual *d = &b.dual;
    const tx_problem *p = &b.problem;
    int *seen = calloc((size_t)p->ncons, sizeof *seen), last[NV], behind[NV], packed = 0, several = 0, abreast = 0,
        end = 0;
    assert_true(seen && d->coloured >= 1 && d->npacks > 0);
    for (int i = 0; i < NV; i++) last[i] = behind[i] = -1;
    for (int i = 0; i < d->npacks; i++) {
        const tx_pack *k = &d->packs[i];
        several += k->pairs > 1;
        // a colour is one pack, or two side by side, the first one full; no number has two owners
        if (i > 0) {
            const bool beside = k->colour == k[-1].colour;
            assert_true(beside ? k->at == k[-1].at + 1 && k[-1].pairs == TX_PACK : k->colour == k[-1].colour + 1);
            assert_true(i < 2 || !beside || k[-2].colour < k->colour);
            abreast += beside;
        }
        if (k->at % 2 == 0) { assert_int_equal(k->at, end); }
        const int own = (k->at & ~1) + 2 * (TX_PACK_HEAD + k->points * TX_PACK_NUMBERS);
        end = own > end ? own : end;
        assert_int_equal(k->plain, k->pairs);
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
    assert_int_equal(packed + d->nloose, p->ncons);
    assert_true(packed > 50 && several > 3 && abreast > 0);
    free(seen);
    tx_bare_destroy(&b);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

typedef struct dense {
    double W[3][3], mu, E[3], aim[3], rho, unit[3]; // in units of the tangents in which the cone is round
    double J[3][NV], Y[3][NV];                      // Y = J A⁻¹
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
    c->mu = fmax(n[TX_NUMBER_MU], n[TX_NUMBER_MU + 1]), c->unit[0] = 1;
    for (int r = 1; r < 3; r++) c->unit[r] = n[TX_NUMBER_MU + r - 1] / c->mu;
    for (int k = con->piece; k < con->piece + con->pieces; k++)
        for (int r = 0; r < 3; r++)
            for (int j = 0; j < 6; j++)
                c->J[r][p->pieces[k].dof + j] = c->unit[r] * ((const double *)p->J)[p->pieces[k].at + 6 * r + j];
    for (int r = 0; r < 3; r++)
        for (int d = 0; d < NV; d++)
            for (int j = 0; j < 6; j++) c->Y[r][d] += inverse[36 * (d / 6) + 6 * (d % 6) + j] * c->J[r][d / 6 * 6 + j];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            for (int d = 0; d < NV; d++) c->W[r][s] += c->J[r][d] * c->Y[s][d];
    c->rho = n[TX_NUMBER_D] * n[TX_NUMBER_REST];
    for (int r = 0; r < 3; r++)
        c->aim[r] = c->unit[r] * n[TX_NUMBER_A + r], c->E[r] = c->unit[r] * c->unit[r] * n[TX_NUMBER_E];
}

// the normal by `relaxation` of its own step, then friction by one step for both tangents, back onto the disk
static void visit(const dense *c, double relaxation, double *x, double *g) {
    double u[3], to[3];
    for (int r = 0; r < 3; r++) {
        u[r] = c->E[r] * g[r] - c->aim[r];
        for (int d = 0; d < NV; d++) u[r] += c->J[r][d] * x[d];
    }
    to[0] = fmax(0, g[0] - relaxation * u[0] / (c->W[0][0] + c->E[0]));
    for (int r = 1; r < 3; r++) u[r] += c->W[r][0] * (to[0] - g[0]);
    const double steepest = fmax(c->W[1][1] + c->E[1], c->W[2][2] + c->E[2]), rim = c->mu * to[0];
    for (int r = 1; r < 3; r++) to[r] = g[r] - u[r] / steepest;
    const double length = hypot(to[1], to[2]);
    for (int r = 1; r < 3; r++) to[r] *= length > rim ? rim / length : 1;
    for (int r = 0; r < 3; r++) {
        for (int d = 0; d < NV; d++) x[d] += c->Y[r][d] * (to[r] - g[r]);
        g[r] = to[r];
    }
}

// the nearest point of the friction cone
static void project(double mu, double v[3]) {
    const double t = hypot(v[1], v[2]);
    if (t <= mu * v[0]) return;
    const double normal = fmax(0, (v[0] + mu * t) / (1 + mu * mu));
    for (int r = 1; r < 3; r++) v[r] *= mu * normal / t;
    v[0] = normal;
}

// adds λ - P(λ - ρ û) of a contact, û with De Saxcé's term, and what was at stake (docs/residual.md)
static void add_error(const dense *c, const double *x, const double *x_star, const double *g, double floor,
                      double *defect, double *scale) {
    double u[3], to[3];
    for (int r = 0; r < 3; r++) {
        double free = -c->aim[r];
        u[r] = c->E[r] * g[r] - c->aim[r];
        for (int d = 0; d < NV; d++) u[r] += c->J[r][d] * x[d], free += c->J[r][d] * x_star[d];
        *scale += c->rho * (free * free + floor);
    }
    u[0] += c->mu * hypot(u[1], u[2]);
    for (int r = 0; r < 3; r++) to[r] = g[r] - c->rho * u[r];
    project(c->mu, to);
    for (int r = 0; r < 3; r++) *defect += (g[r] - to[r]) * (g[r] - to[r]) / c->rho;
}

static double along(const dense *c, int r, const double *x) {
    double y = 0;
    for (int d = 0; d < NV; d++) y += c->J[r][d] * x[d];
    return y;
}

// 0.95 of the forces of the last step (docs/laws.md, "How games step"), and what they do
static double begin(const tx_problem *p, const dense *c, double *x, double *g) {
    double all = 0;
    for (int i = 0; i < p->ncons; i++)
        for (int r = 0; r < 3; r++) {
            const double last = ((const double *)p->guess)[p->cons[i].row + r];
            g[3 * i + r] = 0.95 * last / c[i].unit[r];
            all += fabs(last);
            for (int d = 0; d < NV; d++) x[d] += c[i].Y[r][d] * g[3 * i + r];
        }
    return all;
}

// every third contact that is not the first one of its bodies has half of its first row's translation along x more on
// one side
static void skew(const tx_problem *p, int side) {
    int skewed = 0;
    for (int i = 1; i < p->ncons; i += 3) {
        const tx_constraint *c = &p->cons[i];
        if (c->pieces <= side || c->pieces != c[-1].pieces) continue;
        bool same = true;
        for (int k = 0; k < c->pieces; k++)
            same = same && p->pieces[c->piece + k].dof == p->pieces[c[-1].piece + k].dof;
        if (same) ((double *)p->J)[p->pieces[c->piece + side].at] += 0.5, skewed++;
    }
    assert_true(skewed > 10);
}

// Jᵀγ from J
static void push_of(const tx_problem *p, double *force) {
    memset(force, 0, sizeof(double) * (size_t)p->nv);
    for (const tx_constraint *c = p->cons; c < p->cons + p->ncons; c++)
        for (const tx_piece *e = p->pieces + c->piece; e < p->pieces + c->piece + c->pieces; e++)
            for (int i = 0; i < c->dim * e->width; i++)
                force[e->dof + i % e->width] +=
                    ((const double *)p->J)[e->at + i] * ((const double *)p->gamma)[c->row + i / e->width];
}

// five blind sweeps: three of them with steps that are half longer, then two plain ones; forces, motions and the error
// are those of the method on dense matrices. warm: they begin with the forces of the last step
static void compare_sweeps(brick kind, bool warm, int least_plain, int most_plain) {
    enum { SWEEPS = 5 };
    tx_bare b;
    record(&b, kind);
    for (int i = 0; kind == BRUSHED && i < b.problem.ncons; i += 3)
        ((double *)b.problem.numbers)[TX_KERNEL_NUMBERS * i + TX_NUMBER_MU + 1] *= 0.6;
    if (kind >= SKEWED_FIRST) skew(&b.problem, kind == SKEWED_SECOND);
    solve_from(&b, "pgs", SWEEPS, 0, TX_TARGET_AUTO, warm);
    const tx_problem *p = &b.problem;
    const double *gamma = p->gamma, *y = p->y, *y_free = p->y_free;
    double *inverse = calloc(36 * BOXES, sizeof *inverse), x[NV], *g = calloc(3 * (size_t)p->ncons, sizeof *g);
    dense *c = calloc((size_t)p->ncons, sizeof *c);
    assert_true(inverse && c && g);
    invert(p, inverse);
    for (int i = 0; i < p->ncons; i++) make_dense(p, i, inverse, &c[i]);
    memcpy(x, p->x_star, sizeof x);
    if (warm) assert_true(begin(p, c, x, g) > 1);
    for (int it = 1; it <= SWEEPS; it++)
        for (int k = 0; k < b.dual.npacks; k++)
            for (int l = 0; l < b.dual.packs[k].pairs; l++)
                for (int j = 0; j < b.dual.packs[k].pair[l].count; j++) {
                    const int i = b.dual.packs[k].pair[l].con + j;
                    visit(&c[i], it <= SWEEPS - 2 ? 1.5 : 1, x, g + 3 * i);
                }
    double most = 0, off = 0, defect = 0, scale = 0;
    int plain = 0, pairs = 0;
    for (int i = 0; i < p->ncons; i++) {
        add_error(&c[i], x, p->x_star, g + 3 * i, p->y_floor, &defect, &scale);
        for (int r = 0; r < 3; r++) {
            const int row = p->cons[i].row + r;
            most = fmax(most, fabs(g[3 * i + r]));
            off = fmax(off, fabs(c[i].unit[r] * g[3 * i + r] - gamma[row]));
            assert_near(c[i].unit[r] * y[row], along(&c[i], r, x), 1e-9);
            assert_near(c[i].unit[r] * y_free[row], along(&c[i], r, p->x_star), 1e-12);
        }
    }
    for (int k = 0; k < b.dual.npacks; k++) plain += b.dual.packs[k].plain, pairs += b.dual.packs[k].pairs;
    printf("%d of %d pairs plain, error %.3e\n", plain, pairs, sqrt(defect / scale));
    for (int d = 0; d < NV; d++) assert_near(((const double *)p->x)[d], x[d], 1e-9);
    // packs make it of z, without J
    double force[NV];
    push_of(p, force);
    for (int d = 0; d < NV; d++) assert_near(((const double *)p->force)[d], force[d], 1e-10 * fmax(1, most));
    assert_true(most > 0.01 && off <= 1e-10 * most);
    assert_true(plain >= least_plain && plain <= most_plain);
    // the error of a cone that is not round is measured in its own units
    if (kind != BRUSHED)
        assert_near(*(const double *)p->solve_error, sqrt(defect / scale), 1e-8 * sqrt(defect / scale));
    free(inverse), free(g), free(c);
    tx_bare_destroy(&b);
}

static void sweeps_are_sequential_impulses(void **state) { compare_sweeps(CENTRED, false, 5, 1000); }
static void turns_that_move_the_centre(void **state) { compare_sweeps(BESIDE, false, 0, 0); }
static void turns_that_hardly_move_it(void **state) { compare_sweeps(NEARLY, false, 0, 0); }
static void friction_with_a_grain(void **state) { compare_sweeps(BRUSHED, false, 5, 80); }
static void pairs_of_many_frames(void **state) { compare_sweeps(BENT, false, 20, 45); }
static void rows_that_no_contact_has(void **state) {
    compare_sweeps(SKEWED_FIRST, false, 5, 85), compare_sweeps(SKEWED_SECOND, false, 5, 85);
}
static void sweeps_begin_with_the_last_forces(void **state) {
    compare_sweeps(CENTRED, true, 5, 1000), compare_sweeps(BESIDE, true, 0, 0), compare_sweeps(BRUSHED, true, 5, 80);
}

// what is in no pack is swept before them: many blind sweeps end where Coulomb's law holds, few do not
static void loose_contacts_are_swept_too(void **state) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        tx_bare b;
        record(&b, SPUN);
        solve(&b, "pgs", k ? 4000 : 5, 0, TX_TARGET_AUTO);
        int packed = 0;
        for (int i = 0; i < b.problem.ncons; i++) packed += b.dual.quick[i];
        assert_true(packed > 20 && b.dual.nloose > 20);
        assert_int_equal(packed + b.dual.nloose, b.problem.ncons);
        error[k] = *(const double *)b.problem.solve_error;
        tx_bare_destroy(&b);
    }
    printf("error after 5 sweeps %.1e, after 4000 %.1e\n", error[0], error[1]);
    assert_true(error[0] > 1e-2 && error[1] < 1e-3);
}

// a tree that is no free body before packs: A (x - x*) = Jᵀγ for all of them
static void trees_beside_packs(void **state) {
    tx_bare b;
    record(&b, SWUNG);
    solve(&b, "pgs", 5, 0, TX_TARGET_AUTO);
    const tx_problem *p = &b.problem;
    const double *A = p->A, *x = p->x, *x_star = p->x_star, *given = p->force;
    double force[NV + 1], moved[NV + 1] = {0};
    assert_true(p->nv == NV + 1 && b.dual.npacks > 0 && b.dual.nloose > 0);
    push_of(p, force);
    for (int k = 0; k < p->nv; k++)
        for (int a = 0, up = k; a < p->tree.count[k]; a++, up = p->tree.parent[up]) {
            const double number = A[p->tree.first[k] + a];
            moved[k] += number * (x[up] - x_star[up]);
            if (a > 0) moved[up] += number * (x[k] - x_star[k]);
        }
    for (int d = 0; d < p->nv; d++) assert_near(given[d], force[d], 1e-10), assert_near(moved[d], force[d], 1e-9);
    assert_true(fabs(force[0]) > 1e-4);
    tx_bare_destroy(&b);
}

// a row tells its contact's distance and when it acts, and no row of friction has any
static void rows_tell_their_distance(void **state) {
    enum { ROOM = 2000 };
    tx_model *m = bricks(CENTRED);
    tx_sim *sim = start(m, "pgs", 1, TX_TARGET_AUTO);
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    int count;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    tx_row *rows = calloc(ROOM, sizeof *rows);
    assert_non_null(rows);
    const int found = tx_sim_rows(sim, 0, rows, NULL, ROOM);
    assert_true(count > 50 && found == 3 * count && found <= ROOM);
    for (int r = 0; r < found; r++) {
        const tx_contact *c = &contacts[rows[r].id];
        assert_true(rows[r].pos == (r % 3 ? 0 : c->dist) && (r % 3 || rows[r].margin == c->includemargin));
    }
    free(rows);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// where the answer of one island is not that of all, the error is put together of what packs have left and what is
// measured: with one contact that moves nothing and does not act beside the island, it is the island's own. That
// contact was in a pack the time before
static double normal_force(const tx_bare *b, int i) {
    return ((const double *)b->problem.gamma)[b->problem.cons[i].row];
}
static void errors_of_islands_add_up(void **state) {
    static const brick KINDS[] = {CENTRED, BENT, SPUN};
    for (int k = 0; k < 6; k++) {
        tx_bare b;
        record(&b, KINDS[k % 3]);
        int still = 0;
        for (int times = 0; times < 2; times++) {
            solve(&b, "pgs", 40, k < 3 ? 0 : 1e-4, TX_TARGET_AUTO);
            assert_int_equal(b.islands.count, 1);
            assert_true(b.islands.con_start[1] == b.problem.ncons - times && b.dual.coloured > 0);
            for (int i = 0; i < b.problem.ncons && times == 0; i++)
                if (b.dual.quick[i] && normal_force(&b, i) > normal_force(&b, still)) still = i;
            assert_true(times > 0 || (b.dual.quick[still] && normal_force(&b, still) > 0));
            const double own = *(const double *)b.problem.gradient;
            assert_true(own > 1e-6);
            assert_near(*(const double *)b.problem.solve_error, own, 1e-10 * own);
            b.problem.cons[still].pieces = 0;
            ((double *)b.problem.numbers)[TX_KERNEL_NUMBERS * still + TX_NUMBER_D] = 0;
        }
        tx_bare_destroy(&b);
    }
}

// contacts with three rows stand before those that resist spin: the last of the ones and the first of the others may be
// of the same body, and those of three rows alone are in packs
static void dimensions_are_kept_apart(void **state) {
    enum { COUNT = 12 };
    char path[64];
    char text[4096], *at = text;
    at += sprintf(at, "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>");
    for (int i = 0; i < COUNT; i++)
        at +=
            sprintf(at, "<body pos='%d 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' pos='-.11 0 0'/>%s</body>",
                    i, i == COUNT - 1 ? "<geom type='box' size='.1 .1 .05' pos='.11 0 0' condim='4'/>" : "");
    sprintf(at, "</worldbody></mujoco>");
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_string(text, strlen(text), "pairs.xml", &diag), &diag);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    tx_options o = tx_sim_options(sim);
    o.law = find(tx_law_name, "hard"), o.solver = find(tx_solver_name, "pgs");
    o.iterations = 10, o.tolerance = 0;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
    assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
    tx_bare b;
    if (!tx_problem_read(&b, path, &diag)) fail_msg("the problem cannot be read");
    unlink(path);
    solve(&b, "pgs", 1, 0, TX_TARGET_AUTO);
    int both = 0;
    for (int i = 0; i < b.problem.ncons; i++) {
        const tx_constraint *c = &b.problem.cons[i];
        assert_int_equal(b.dual.quick[i], c->dim == 3);
        both += i > 0 && c[-1].dim == 3 && c->dim == 4 &&
                b.problem.pieces[c->piece].dof == b.problem.pieces[c[-1].piece].dof;
    }
    assert_int_equal(both, 1);
    tx_bare_destroy(&b), tx_sim_destroy(sim), tx_model_destroy(m);
}

// with a tolerance they go on until Coulomb's law holds; the error is made of the forces alone, without any pack
static void packs_find_an_answer(void **state) {
    tx_bare b;
    record(&b, CENTRED);
    solve(&b, "pgs", 20000, 1e-5, TX_TARGET_AUTO);
    printf("%g sweeps, solve error %.1e\n", *(const double *)b.problem.iterations,
           *(const double *)b.problem.solve_error);
    assert_true(tx_alone_converged(&b) && *(const double *)b.problem.solve_error <= 1e-5);
    tx_bare_destroy(&b);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static void compare_bits(brick kind) {
    static const tx_target_choice TARGET[] = {TX_TARGET_AUTO, TX_TARGET_SCALAR, TX_TARGET_AUTO};
    tx_model *m = bricks(kind);
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
static void packs_have_the_same_bits(void **state) { compare_bits(CENTRED), compare_bits(BENT); }

// fast and turning, so that the corners of a box come in at speeds of their own
static void throw_all(tx_sim *sim, double times) {
    spread(sim);
    const int nv = tx_model_size(tx_sim_model(sim), TX_SIZE_NV) * tx_sim_envs(sim);
    for (int i = 0; i < nv; i++) tx_sim_array(sim, TX_ARRAY_QVEL)[i] *= times;
}

// One environment makes the rows of a pair's contacts side by side, wide targets one after the other (rows/points.inl).
// The bodies' centres are not their origins, one has a part that is welded to it, one hangs from slides along other
// axes and a ball in place of a free joint, and one geom is priced by itself
static void points_have_the_bits_of_one(void **state) {
    enum { ENVS = 5, STEPS = 60 };
    static const char FILE_TEXT[] =
        "<mujoco><option timestep='.005'/><worldbody><geom name='floor' type='plane' size='0 0 1'/>"
        "<body pos='0 0 .1'><freejoint/><geom type='box' size='.2 .15 .1' pos='.03 -.02 0' friction='.4'/>"
        "<body pos='.4 0 0'><geom type='box' size='.1 .1 .1' mass='.3'/></body></body>"
        "<body pos='.05 .02 .27' euler='0 0 25'><freejoint/><geom name='top' type='box' size='.1 .1 .07' pos='0 .01 "
        "0'/>"
        "</body><body pos='.5 .03 .28' euler='3 0 70'><freejoint/><geom type='box' size='.12 .1 .07'/></body>"
        "<body pos='-.7 0 .1'><joint type='slide' axis='0 .6 .8'/><joint type='slide' axis='1 0 0'/>"
        "<joint type='slide' axis='0 -.8 .6'/><joint type='ball'/><geom type='box' size='.1 .12 .1' pos='.01 0 0'/>"
        "</body></worldbody><contact><pair geom1='floor' geom2='top' condim='3'/></contact></mujoco>";
    // the third time contacts have a spring, the fourth time they bounce, the fifth time they look at their speed
    static const char *const LAW[] = {"hard", "sap", "hard_ccp", "hard", "lagged"}, *const SOLVER[] = {"pgs", "newton",
                                                                                                       "apgd", "nsgs",
                                                                                                       "newton"};
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_string(FILE_TEXT, strlen(FILE_TEXT), "points.xml", &diag), &diag);
    for (int k = 0; k < 5; k++) {
        tx_sim *all = make_sim(m, ENVS, 1, TX_TARGET_AUTO, 0), *one = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
        tx_options o = tx_sim_options(all);
        o.law = find(tx_law_name, LAW[k]), o.solver = find(tx_solver_name, SOLVER[k]);
        o.stiffness = k == 2 ? 3e4 : 0, o.restitution = k == 3 ? 0.5 : 0;
        assert_int_equal(tx_sim_set_options(all, &o), TX_OK);
        assert_int_equal(tx_sim_set_options(one, &o), TX_OK);
        throw_all(all, k == 3 ? 8 : 1);
        for (int e = 0; e < ENVS; e++) {
            const int nq = tx_model_size(m, TX_SIZE_NQ), nv = tx_model_size(m, TX_SIZE_NV);
            tx_sim_reset(one, -1, NULL);
            memcpy(tx_sim_array(one, TX_ARRAY_QVEL), tx_sim_array(all, TX_ARRAY_QVEL) + e * nv, (size_t)nv * 8);
            memcpy(tx_sim_array(one, TX_ARRAY_QPOS), tx_sim_array(all, TX_ARRAY_QPOS) + e * nq, (size_t)nq * 8);
            assert_int_equal(tx_sim_step_n(one, STEPS), TX_OK);
            tx_sim *alike = make_sim(m, ENVS, 1, TX_TARGET_AUTO, 0);
            assert_int_equal(tx_sim_set_options(alike, &o), TX_OK);
            throw_all(alike, k == 3 ? 8 : 1);
            assert_int_equal(tx_sim_step_n(alike, STEPS), TX_OK);
            assert_true(same_state(alike, e, one, 0));
            int count = 0;
            assert_non_null(tx_sim_contacts(one, 0, &count));
            assert_true(k == 3 || count >= 8);
            tx_sim_destroy(alike);
        }
        tx_sim_destroy(all), tx_sim_destroy(one);
    }
    tx_model_destroy(m);
}

// The forces that a step begins with are those of the last one: a box, heavy on one side, and a ball that rest press
// with m g h in all, each corner with what it had; friction holds the box against a pull along both axes of the floor,
// and the second ball against a torque; a slide rests on its limit
static void steps_begin_with_the_last_forces(void **state) {
    static const char TEXT[] =
        "<mujoco><option timestep='.005'/><custom><text name='thixis.law' data='hard'/></custom><worldbody>"
        "<geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.2 .15 .1' mass='1.5'/>"
        "<geom size='.01' pos='.1 .05 0' mass='.5' contype='0' conaffinity='0'/></body><body pos='1 0 .1'>"
        "<freejoint/><geom size='.1' mass='3'/></body><body pos='2 0 .1'><freejoint/>"
        "<geom size='.1' mass='1' condim='4' friction='1 .1 .001'/></body><body pos='3 0 1'>"
        "<joint type='slide' axis='0 0 1' range='0 1'/><geom size='.1' mass='4'/></body></worldbody></mujoco>";
    enum { MOST = 5 * 3 + 4 + 1 };
    static const double MASS[4] = {2, 3, 1, 4};
    const double h = 0.005, g = 9.81, pull[2] = {3, -2}, torque = 0.05;
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_string(TEXT, strlen(TEXT), "rest.xml", &diag), &diag);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    tx_options o = tx_sim_options(sim);
    o.iterations = 10000, o.tolerance = 1e-12;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    double *applied = tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED);
    applied[6 * 1] = pull[0], applied[6 * 1 + 1] = pull[1], applied[6 * 3 + 5] = torque;
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    for (int round = 0; round < 2; round++) {
        tx_bare b;
        // the box is lifted away: what follows it in the list is found all the same
        if (round) tx_sim_array(sim, TX_ARRAY_QPOS)[2] = 5;
        assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
        if (!tx_problem_read(&b, path, &diag)) fail_msg("the problem cannot be read");
        unlink(path);
        const tx_problem *p = &b.problem;
        assert_true(p->ncons == (round ? 3 : 7) && p->nrows <= MOST);
        double last[MOST], push[4] = {0}, along = 0, spin = 0, most = 0, least = INFINITY;
        memcpy(last, p->guess, (size_t)p->nrows * sizeof *last);
        for (int i = 0; i < p->ncons; i++) {
            const tx_constraint *c = &p->cons[i];
            const int body = p->pieces[c->piece].dof / 6; // box, balls, slide
            push[body] += last[c->row];
            if (body == 0) most = fmax(most, last[c->row]), least = fmin(least, last[c->row]);
            if (body == 0) along += hypot(last[c->row + 1], last[c->row + 2]);
            if (c->dim == 4) spin = fabs(last[c->row + 3]);
        }
        for (int body = round; body < 4; body++) assert_near(push[body], MASS[body] * g * h, 1e-6);
        assert_near(spin, torque * h, 1e-6);
        assert_true(round || (most > 1.5 * least && along > 0.99 * h * hypot(pull[0], pull[1])));
        // nothing is left to do: no corner has the force of another one, no axis that of another one
        solve_from(&b, "nsgs", 10000, 1e-12, TX_TARGET_AUTO, true);
        for (int r = 0; r < p->nrows; r++) assert_near(((const double *)p->gamma)[r], last[r], 1e-5);
        tx_bare_destroy(&b);
    }
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// The numbers of a law are its own: a simulation that goes over to rigid contacts from another law, whose contacts aim
// at a motion along the tangents, has the problem of one that begins with them
static void another_law_has_numbers_of_its_own(void **state) {
    char path[64];
    tx_bare b[2];
    tx_model *m = bricks(CENTRED);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0), *fresh = start(m, "pgs", 1, TX_TARGET_AUTO);
    const tx_options rigid = tx_sim_options(fresh);
    tx_options o = tx_sim_options(sim);
    o.law = find(tx_law_name, "soft_elliptic"), o.solver = find(tx_solver_name, "newton");
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int i = 0; i < BOXES; i++) v[6 * i] = 0.02 * i, v[6 * i + 5] = 0.1 * (i % 3);
    assert_int_equal(tx_sim_step_n(sim, 40), TX_OK);
    assert_int_equal(tx_sim_set_options(sim, &rigid), TX_OK);
    for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
        const size_t width = (size_t)tx_sim_array_width(sim, (tx_array)a);
        memcpy(tx_sim_array(fresh, (tx_array)a), tx_sim_array(sim, (tx_array)a), width * sizeof(double));
    }
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    for (int k = 0; k < 2; k++) {
        tx_diag diag = {0};
        assert_int_equal(tx_sim_write_problem(k ? fresh : sim, 0, path), TX_OK);
        if (!tx_problem_read(&b[k], path, &diag)) fail_msg("the problem cannot be read");
        unlink(path);
    }
    const tx_problem *p = &b[0].problem, *q = &b[1].problem;
    assert_true(p->ncons > 50 && p->ncons == q->ncons && p->njacobian == q->njacobian);
    for (int i = 0; i < TX_KERNEL_NUMBERS * p->ncons; i++) {
        // which rigid contacts do not have
        if (i % TX_KERNEL_NUMBERS == TX_NUMBER_CONE) continue;
        assert_true(((const double *)p->numbers)[i] == ((const double *)q->numbers)[i]);
    }
    assert_memory_equal(p->J, q->J, sizeof(double) * (size_t)p->njacobian);
    assert_memory_equal(p->x_star, q->x_star, sizeof(double) * NV);
    // forces of the other law are forgotten
    for (int r = 0; r < p->nrows; r++) assert_true(((const double *)p->guess)[r] == 0);
    tx_bare_destroy(&b[0]), tx_bare_destroy(&b[1]);
    tx_sim_destroy(sim), tx_sim_destroy(fresh), tx_model_destroy(m);
}

// two balls without weight pressed together by forces; then each stands where the other one stood, so that the force of
// the last step would be a pull: they begin without
static void no_force_begins_as_a_pull(void **state) {
    static const char TEXT[] =
        "<mujoco><option timestep='.005' gravity='0 0 0'/><custom><text name='thixis.law' data='hard'/></custom>"
        "<worldbody><body><freejoint/><geom size='.1'/></body><body pos='.2 0 0'><freejoint/><geom size='.1'/></body>"
        "</worldbody></mujoco>";
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_string(TEXT, strlen(TEXT), "balls.xml", &diag), &diag);
    for (int swapped = 0; swapped < 2; swapped++) {
        tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
        double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *force = tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED);
        force[6 * 1] = 7, force[6 * 2] = -7;
        assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
        if (swapped) {
            const double x = q[0];
            q[0] = q[7], q[7] = x;
        }
        tx_bare b;
        assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
        if (!tx_problem_read(&b, path, &diag)) fail_msg("the problem cannot be read");
        unlink(path);
        assert_int_equal(b.problem.ncons, 1);
        assert_near(((const double *)b.problem.guess)[0], swapped ? 0 : 7 * 0.005, 1e-6 * 7 * 0.005);
        tx_bare_destroy(&b), tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_share_no_body),
        cmocka_unit_test(sweeps_are_sequential_impulses),
        cmocka_unit_test(turns_that_move_the_centre),
        cmocka_unit_test(turns_that_hardly_move_it),
        cmocka_unit_test(friction_with_a_grain),
        cmocka_unit_test(pairs_of_many_frames),
        cmocka_unit_test(loose_contacts_are_swept_too),
        cmocka_unit_test(trees_beside_packs),
        cmocka_unit_test(rows_tell_their_distance),
        cmocka_unit_test(errors_of_islands_add_up),
        cmocka_unit_test(dimensions_are_kept_apart),
        cmocka_unit_test(packs_find_an_answer),
        cmocka_unit_test(packs_have_the_same_bits),
        cmocka_unit_test(points_have_the_bits_of_one),
        cmocka_unit_test(sweeps_begin_with_the_last_forces),
        cmocka_unit_test(steps_begin_with_the_last_forces),
        cmocka_unit_test(no_force_begins_as_a_pull),
        cmocka_unit_test(rows_that_no_contact_has),
        cmocka_unit_test(another_law_has_numbers_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
