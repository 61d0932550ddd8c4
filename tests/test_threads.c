// test_threads.c - blind sweeps of pgs over one island by several threads (solver/together.inl): parts, the order in
// which their packs wait for each other, and the bits of one thread, whose sweeps go in waves (solver/waves.inl). Also
// meant for the thread sanitizer.
#include "simulate.h"

#include <unistd.h>

#include "base/task.h"
#include "problem/file.h"
#include "sanitized.h"
#include "step/alone.h"

static int find(const char *(*name_of)(int), const char *name) {
    int i = 0;
    while (name_of(i) && strcmp(name_of(i), name) != 0) i++;
    assert_non_null(name_of(i));
    return i;
}

// a wall of bricks, some of them in two parts or with the centre of mass beside the middle, and two that stand alone;
// spun: some resist spin, so that their contacts are in no pack
static tx_model *wall(int high, bool spun) {
    enum { WIDE = 8, DEEP = 4 };
    char *text = malloc((size_t)high << 14), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>"
                      "<geom type='plane' size='0 0 1' pos='-.13 0 0' euler='0 90 0'/>");
    for (int i = 0; i < WIDE * DEEP * high + 2; i++) {
        const int layer = i / (WIDE * DEEP), x = i % WIDE, y = i / WIDE % DEEP;
        const bool alone = layer == high;
        at += sprintf(at,
                      "<body pos='%.3f %.3f %.3f' euler='0 0 %d'><freejoint/><geom type='box' size='.12 .08 .05' "
                      "pos='%s' friction='%.1f' condim='%d'/>%s</body>",
                      alone ? 9 : 0.245 * x + 0.01 * (layer % 5), alone ? 9 + x : 0.17 * y - 0.01 * (layer % 3),
                      alone ? 0.05 : 0.05 + 0.1 * layer, i % 3, i % 7 == 3 ? ".01 -.01 .003" : "0 0 0",
                      0.3 + 0.1 * (i % 5), spun && i % 40 == 7 ? 4 : 3,
                      i % 11 == 5 ? "<geom type='box' size='.11 .07 .049' euler='1 0 0' mass='.5'/>" : "");
    }
    sprintf(at, "</worldbody></mujoco>");
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_string(text, strlen(text), "wall.xml", &diag), &diag);
    free(text);
    return m;
}

static tx_sim *start_wall(tx_model *m, int threads, const tx_executor *host) {
    tx_sim_def def = tx_default_sim_def();
    def.threads = threads;
    if (host) def.executor = *host;
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.law = find(tx_law_name, "hard"), o.solver = find(tx_solver_name, "pgs");
    o.iterations = 10, o.tolerance = 0, o.recovery_share = 0.05;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    for (int i = 0; i < tx_model_size(m, TX_SIZE_NV); i += 6)
        tx_sim_array(sim, TX_ARRAY_QVEL)[i] = 0.001 * (i % 90),
                          tx_sim_array(sim, TX_ARRAY_QVEL)[i + 5] = 0.01 * (i % 36);
    return sim;
}

// what a pack of an island in parts is to wait for: for every body what comes before it in the order of the list
static void check_order(const tx_dual *d, const tx_split *s, int nv) {
    int *last = malloc(2 * (size_t)nv * sizeof *last), waits = 0;
    assert_non_null(last);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < nv && round == 0; i++) last[i] = -1;
        // the order of one thread: colour after colour
        for (int colour = 0, left = s->pack[s->parts] - s->pack[0]; left > 0; colour++)
            for (int k = s->pack[0]; k < s->pack[s->parts]; k++) {
                const tx_pack *pack = &d->packs[k];
                if (pack->colour != colour) continue;
                left--;
                assert_true(k >= s->pack[pack->part] && k < s->pack[pack->part + 1]);
                for (int l = 0; l < 2 * pack->pairs; l++) {
                    const int dof = pack->pair[l / 2].dof[l % 2];
                    if (dof < 0) continue;
                    const int before = last[dof], in_last_round = round == 1 && last[nv + dof] == 0;
                    last[dof] = k, last[nv + dof] = round;
                    if (before < 0 || d->packs[before].part == pack->part) continue;
                    const int part = d->packs[before].part, first = s->pack[part];
                    const int place = before - first - (in_last_round ? s->pack[part + 1] - first : 0);
                    assert_true(pack->after[part] >= place && d->packs[before].awaited);
                    waits++;
                }
            }
    }
    assert_true(waits > 20);
    free(last);
}

// turns of one thread: every pack once in every round, and for every body the packs of a round in their order, behind
// all those of the round before; some rounds begin while the one before them is on its way
static void check_turns(const tx_dual *d, int nv) {
    int *last = calloc((size_t)nv, sizeof *last), *seen = calloc((size_t)(TX_WAVE * d->npacks), sizeof *seen);
    int rounds_at_once = 0, twos = 0, furthest = 0;
    assert_true(last && seen);
    for (const tx_turn *t = d->turns; t < d->turns + d->nturns; t++) {
        twos += t->count == 2, rounds_at_once += t->round > 0 && furthest < d->npacks;
        for (int k = t->pack; k < t->pack + t->count; k++) {
            const tx_pack *pack = &d->packs[k];
            const int place = 1 + t->round * d->npacks + k;
            seen[place - 1]++;
            assert_true(pack->colour == d->packs[t->pack].colour);
            if (t->round == 0) furthest = k + 1;
            for (int l = 0; l < 2 * pack->pairs; l++) {
                const int dof = pack->pair[l / 2].dof[l % 2];
                if (dof < 0) continue;
                assert_true(last[dof] < place);
                last[dof] = place;
            }
        }
    }
    // bodies that stand alone are no large island
    for (int i = 0; i < d->coloured; i++)
        for (int k = d->pack_start[i]; k < d->pack_start[i + 1]; k++)
            for (int round = 0; round < TX_WAVE; round++)
                assert_int_equal(seen[round * d->npacks + k], d->turn_start[i + 1] > d->turn_start[i]);
    assert_true(twos > 10 && rounds_at_once > d->nturns / 10);
    free(last), free(seen);
}

static void run_backwards(void *context, void (*task)(void *task_context, int item), void *task_context, int count) {
    for (int i = count - 1; i >= 0; i--) task(task_context, i);
    ++*(int *)context;
}

// the same bits by any number of parts and threads, or where the host runs the items
static void parts_have_the_bits_of_one(void **state) {
    enum { STEPS = SANITIZED ? 5 : 25, KINDS = 5 };
    static const int THREADS[KINDS] = {1, 2, 3, 8, 2};
    static const int SAME[] = {TX_ARRAY_QPOS, TX_ARRAY_QVEL, TX_ARRAY_QACC, TX_ARRAY_QFRC_CONSTRAINT};
    int calls = 0, count = 0;
    const tx_executor host = {run_backwards, &calls, 2};
    tx_model *m = wall(9, false);
    tx_sim *one = start_wall(m, 1, NULL);
    assert_int_equal(tx_sim_step_n(one, STEPS), TX_OK);
    tx_sim_contacts(one, 0, &count);
    assert_true(count > 700);
    for (int k = 1; k < KINDS; k++) {
        tx_sim *sim = start_wall(m, THREADS[k], k == 4 ? &host : NULL);
        assert_int_equal(tx_sim_step_n(sim, STEPS), TX_OK);
        for (size_t a = 0; a < sizeof SAME / sizeof SAME[0]; a++) {
            const tx_array array = (tx_array)SAME[a];
            const size_t size = sizeof(double) * (size_t)tx_sim_array_width(one, array);
            assert_memory_equal(tx_sim_array(sim, array), tx_sim_array(one, array), size);
        }
        assert_true(tx_sim_info(sim).worst_solve_error == tx_sim_info(one).worst_solve_error);
        tx_sim_destroy(sim);
    }
    assert_true(calls > 0);
    tx_sim_destroy(one), tx_model_destroy(m);
}

// an island with contacts in no pack is swept by one thread, and by all that there is to it
static void loose_contacts_leave_it_to_one(void **state) {
    enum { STEPS = SANITIZED ? 2 : 10 };
    tx_model *m = wall(9, true);
    tx_sim *sim[2];
    for (int k = 0; k < 2; k++) {
        sim[k] = start_wall(m, 1 + k, NULL);
        assert_int_equal(tx_sim_step_n(sim[k], STEPS), TX_OK);
    }
    assert_true(same_state(sim[0], 0, sim[1], 0));
    for (int k = 0; k < 2; k++) tx_sim_destroy(sim[k]);
    tx_model_destroy(m);
}

// one problem: who waits for whom, and all that is said of the answer
static void parts_wait_for_each_other(void **state) {
    char path[64];
    tx_model *m = wall(9, false);
    tx_sim *sim = start_wall(m, 1, NULL);
    snprintf(path, sizeof path, "/tmp/test_packs.%ld.txp", (long)getpid());
    assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
    assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
    const char *why;
    tx_bare b[2];
    for (int k = 0; k < 2; k++) {
        tx_diag diag = {0};
        if (!tx_problem_read(&b[k], path, &diag)) fail_msg("the problem cannot be read");
        b[k].problem.opt.iterations = 7, b[k].problem.opt.tolerance = 0, b[k].problem.opt.warmstart = false;
    }
    const tx_target *target = tx_target_single(TX_TARGET_AUTO);
    const int pgs = find(tx_solver_name, "pgs"), nsgs = find(tx_solver_name, "nsgs");
    assert_true(tx_solve_alone(target, &b[0], pgs, NULL, &why));
    const tx_problem *p = &b[0].problem, *q = &b[1].problem;
    const size_t rows = sizeof(double) * (size_t)p->nrows, dofs = sizeof(double) * (size_t)p->nv;
    for (int threads = 2; threads <= 10; threads += 4) {
        tx_pool *pool = tx_pool_create(threads);
        assert_non_null(pool);
        assert_true(tx_solve_alone(target, &b[1], pgs, pool, &why));
        const tx_dual *d = &b[1].dual;
        assert_int_equal(d->nsplits, 1);
        assert_int_equal(d->split[0].parts, threads < TX_PARTS ? threads : TX_PARTS);
        check_order(d, &d->split[0], q->nv);
        assert_memory_equal(q->gamma, p->gamma, rows);
        assert_memory_equal(q->y, p->y, rows);
        assert_memory_equal(q->y_free, p->y_free, rows);
        assert_memory_equal(q->x, p->x, dofs);
        assert_memory_equal(q->force, p->force, dofs);
        assert_true(*(const double *)q->solve_error == *(const double *)p->solve_error);
        assert_true(*(const double *)q->iterations == 7 && b[1].products == b[0].products);
        tx_pool_destroy(pool);
    }
    // another solver by one thread, and sweeps that look at their error: no parts are left of the last call
    for (int k = 0; k < 2; k++) {
        b[1].problem.opt.tolerance = k ? 1e-3 : 0;
        assert_true(tx_solve_alone(target, &b[1], k ? pgs : nsgs, NULL, &why));
        assert_true(*(const double *)q->iterations > 0 && *(const double *)q->solve_error > 0);
        assert_int_equal(b[1].dual.nsplits, 0);
    }
    unlink(path);
    tx_bare_destroy(&b[0]), tx_bare_destroy(&b[1]);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// where trees sleep: every array has the bits of one thread, also what is reported of those that sleep
static void sleepers_have_the_bits_of_one(void **state) {
    enum { ROUNDS = SANITIZED ? 4 : 12 };
    tx_model *m = load_scene("sleep_dominoes");
    tx_sim *one = make_sim(m, 1, 1, TX_TARGET_AUTO, 0), *two = make_sim(m, 1, 2, TX_TARGET_AUTO, 0);
    int mixed = 0;
    for (int k = 0; k < ROUNDS; k++) {
        assert_int_equal(tx_sim_step_n(one, 50), TX_OK), assert_int_equal(tx_sim_step_n(two, 50), TX_OK);
        const int awake = tx_sim_awake(one, 0);
        mixed += awake > 0 && awake < tx_model_size(m, TX_SIZE_NTREE);
        assert_int_equal(tx_sim_awake(two, 0), awake);
        for (int a = 0; a < TX_ARRAY_COUNT; a++) {
            const double *values = tx_sim_array(one, (tx_array)a);
            const size_t size = sizeof(double) * (size_t)tx_sim_array_width(one, (tx_array)a);
            if (values && memcmp(tx_sim_array(two, (tx_array)a), values, size) != 0)
                fail_msg("array %d after %d steps", a, 50 * (k + 1));
        }
    }
    assert_true(mixed > 2);
    tx_sim_destroy(one), tx_sim_destroy(two), tx_model_destroy(m);
}

// a higher wall: one thread goes over it in waves, and has the bits of parts, whose rounds follow each other
static void waves_have_the_bits_of_parts(void **state) {
    char path[64];
    tx_model *m = wall(60, false);
    tx_sim *sim = start_wall(m, 1, NULL);
    snprintf(path, sizeof path, "/tmp/test_waves.%ld.txp", (long)getpid());
    assert_int_equal(tx_sim_step_n(sim, SANITIZED ? 1 : 4), TX_OK);
    assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
    const char *why;
    tx_bare b[2];
    tx_pool *pool = tx_pool_create(2);
    const tx_target *target = tx_target_single(TX_TARGET_AUTO);
    const int pgs = find(tx_solver_name, "pgs");
    for (int k = 0; k < 2; k++) {
        tx_diag diag = {0};
        if (!tx_problem_read(&b[k], path, &diag)) fail_msg("the problem cannot be read");
        b[k].problem.opt.tolerance = 0, b[k].problem.opt.warmstart = false;
    }
    const tx_problem *p = &b[0].problem, *q = &b[1].problem;
    const size_t rows = sizeof(double) * (size_t)p->nrows, dofs = sizeof(double) * (size_t)p->nv;
    // rounds that fill the last wave, and that do not
    for (int iterations = 2; iterations <= 7; iterations += 5) {
        for (int k = 0; k < 2; k++) {
            b[k].problem.opt.iterations = iterations;
            assert_true(tx_solve_alone(target, &b[k], pgs, k ? pool : NULL, &why));
        }
        const tx_dual *d = &b[0].dual;
        assert_true(b[1].dual.nsplits == 1 && b[1].dual.nturns == 0);
        assert_true(d->nturns > 0 && d->turn_start[d->coloured] == d->nturns);
        check_turns(d, p->nv);
        assert_memory_equal(q->gamma, p->gamma, rows);
        assert_memory_equal(q->y, p->y, rows);
        assert_memory_equal(q->x, p->x, dofs);
        assert_memory_equal(q->force, p->force, dofs);
        assert_true(*(const double *)q->solve_error == *(const double *)p->solve_error);
        assert_true(*(const double *)p->iterations == iterations && b[1].products == b[0].products);
    }
    // sweeps that look at their error have no turns
    b[0].problem.opt.tolerance = 1e-3;
    assert_true(tx_solve_alone(target, &b[0], pgs, NULL, &why));
    assert_int_equal(b[0].dual.nturns, 0);
    unlink(path);
    tx_pool_destroy(pool), tx_bare_destroy(&b[0]), tx_bare_destroy(&b[1]);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_the_bits_of_one), cmocka_unit_test(loose_contacts_leave_it_to_one),
        cmocka_unit_test(parts_wait_for_each_other), cmocka_unit_test(sleepers_have_the_bits_of_one),
        cmocka_unit_test(waves_have_the_bits_of_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
