// test_near.c - contacts of environments that are searched together are those of each alone: shapes of every kind at
// random places, special pairs, margins, gaps, priorities, dimensions, and numbers that are not finite.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "thixis/load.h"
#include "thixis/sim.h"

enum { ENVS = 24, BODIES = 10, ROUNDS = 12 };

static double unit(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}
static double within(uint64_t *state, double low, double high) { return low + (high - low) * unit(state); }

// a plane, a height field, a tilted plane on a moving body, and free bodies of all shapes
static char *write_scene(uint64_t *state, bool one_dimension) {
    static char text[16384];
    const int dims[4] = {3, 3, one_dimension ? 3 : 4, one_dimension ? 3 : 1};
    static const char *const SHAPES[] = {"type='sphere' size='.1'",       "type='capsule' size='.05 .2'",
                                         "type='cylinder' size='.08 .1'", "type='ellipsoid' size='.1 .05 .2'",
                                         "type='box' size='.1 .05 .15'",  "type='mesh' mesh='rock'",
                                         "type='capsule' size='.02 .4'",  "type='ellipsoid' size='.3 .1 .1'"};
    char *at = text;
    at += sprintf(at, "<mujoco><option gravity='0 0 0'/><asset>"
                      "<mesh name='rock' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2 .1 .1 .2'/>"
                      "<hfield name='hills' nrow='3' ncol='3' size='1 1 .2 .1' elevation='0 1 0 1 .5 1 0 1 0'/></asset>"
                      "<worldbody><geom type='plane' size='5 5 .1' zaxis='.1 0 1' margin='.01'/>"
                      "<geom type='hfield' hfield='hills' pos='1 0 .1'/>");
    for (int i = 0; i < BODIES; i++)
        at += sprintf(
            at,
            "<body name='b%d'><freejoint/><geom name='g%d' %s margin='%.3f' gap='%.3f' priority='%d' condim='%d' "
            "friction='%.3f .01 .001' solmix='%g' solref='%g %g' solimp='%.3f .95 .002 .5 2'/>"
            "<geom type='sphere' size='.04' pos='.1 0 %.2f' friction='.7 .02 .01' condim='%d'/></body>",
            i, i, SHAPES[i % 8], i % 3 == 0 ? within(state, 0, 0.05) : 0.0, i % 4 == 0 ? 0.01 : 0.0, i % 5 == 4,
            dims[i % 2 ? 1 : i % 4], within(state, 0.1, 2), i % 4 == 3 ? 0.0 : within(state, 0.1, 3),
            i % 6 == 5 ? -900.0 : 0.03, i % 6 == 5 ? -30.0 : 1.1, within(state, 0.5, 0.9), within(state, 0, 0.3),
            dims[1]);
    at += sprintf(at, "</worldbody><contact><pair geom1='g0' geom2='g1' margin='.08'/><pair geom1='g2' geom2='g5'/>"
                      "<exclude body1='b3' body2='b4'/></contact></mujoco>");
    return text;
}

static tx_model *load(uint64_t *state, bool one_dimension, tx_diag *diag) {
    const char *text = write_scene(state, one_dimension);
    tx_model *model = tx_load_string(text, strlen(text), "shapes", diag);
    assert_non_null(model);
    return model;
}

#define TILT (atan(0.1) + 1e-4) // of the plane, and a little more

static void scatter(tx_sim *sim, uint64_t state, double size, bool bad) {
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    for (int i = 0; i < ENVS * BODIES; i++) {
        double *q = qpos + 7 * i;
        for (int k = 0; k < 3; k++) q[k] = within(&state, -size, size) + (k == 2 ? size / 2 : 0);
        for (int k = 3; k < 7; k++) q[k] = within(&state, -1, 1);
        // upright, or lying along an axis: the wish for a tangent is then along the normal, or none
        if (i % 11 == 0) q[3] = 1, q[4] = q[5] = q[6] = 0;
        if (i % 13 == 0) q[3] = q[4] = 1, q[5] = q[6] = 0;
        // about to touch the plane, some nearly along its normal: their first tangent is a small difference
        if (i % 3 == 0) q[2] = -0.1 * q[0] + within(&state, -0.2, 0.2);
        if (i % 5 == 0) q[4] = 1, q[3] = q[5] = q[6] = 0; // upside down: a mesh has its box above its middle then
        if (i % 7 == 0) q[3] = cos(TILT / 2), q[5] = sin(TILT / 2), q[4] = q[6] = 0;
        if (bad && i % 37 == 0) q[i % 3] = i % 74 ? NAN : i % 2 ? INFINITY : -1e35;
    }
}

static tx_sim *new_sim(const tx_model *model, int envs, tx_target_choice target) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = envs, def.target = target;
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    return sim;
}

// @return how many contacts there are
static int compare_all(tx_sim *sim, tx_sim *alone) {
    int total = 0;
    for (int e = 0; e < ENVS; e++) {
        int count, again;
        const tx_contact *a = tx_sim_contacts(sim, e, &count), *b = tx_sim_contacts(alone, e, &again);
        assert_int_equal(count, again);
        for (int i = 0; i < count; i++) {
            assert_memory_equal(a[i].geom, b[i].geom, sizeof a[i].geom);
            assert_memory_equal(&a[i].dist, &b[i].dist, sizeof a[i].dist);
            assert_memory_equal(a[i].pos, b[i].pos, sizeof a[i].pos);
            assert_memory_equal(a[i].frame, b[i].frame, sizeof a[i].frame);
            assert_memory_equal(a[i].friction, b[i].friction, sizeof a[i].friction);
            assert_memory_equal(a[i].solref, b[i].solref, sizeof a[i].solref);
            assert_memory_equal(a[i].solimp, b[i].solimp, sizeof a[i].solimp);
            assert_memory_equal(a[i].force, b[i].force, sizeof a[i].force);
            assert_memory_equal(a[i].side, b[i].side, sizeof a[i].side);
            assert_true(a[i].includemargin == b[i].includemargin);
            assert_true(a[i].feature == b[i].feature && a[i].dim == b[i].dim && a[i].acts == b[i].acts);
        }
        total += count;
    }
    return total;
}

static void lanes_find_what_one_finds(void **unused) {
    (void)unused;
    uint64_t state = 7;
    int total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        tx_diag diag = {0};
        tx_model *model = load(&state, round % 2, &diag);
        // in lanes, one at a time, and by boxes that are swept, which is plain C
        tx_sim *sim = new_sim(model, ENVS, TX_TARGET_AUTO), *alone = new_sim(model, ENVS, TX_TARGET_SCALAR);
        tx_sim *swept = new_sim(model, ENVS, TX_TARGET_SCALAR);
        tx_options options = tx_sim_options(sim);
        options.override = round % 5 == 4, options.o_margin = 0.03;
        assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
        assert_int_equal(tx_sim_set_options(alone, &options), TX_OK);
        options.broadphase = TX_BROADPHASE_SWEEP;
        assert_int_equal(tx_sim_set_options(swept, &options), TX_OK);
        const double size = within(&state, 0.2, 1.5);
        tx_sim *all[3] = {sim, alone, swept};
        for (int k = 0; k < 3; k++) {
            scatter(all[k], state, size, round % 3 == 2);
            assert_int_equal(tx_sim_forward(all[k]), TX_OK);
        }
        total += compare_all(sim, alone);
        compare_all(swept, alone);
        for (int k = 0; k < 3; k++) tx_sim_destroy(all[k]);
        tx_model_destroy(model), tx_diag_free(&diag);
    }
    assert_true(total > 1000);
}

// only the last step of a call writes its contacts out: they are those of steps one by one, with one dimension and with
// several, which are sorted from the list
static void a_call_ends_with_the_contacts_of_its_last_step(void **unused) {
    (void)unused;
    enum { STEPS = 5 };
    uint64_t state = 11;
    int total = 0;
    for (int round = 0; round < 2; round++) {
        tx_diag diag = {0};
        tx_model *model = load(&state, round, &diag);
        tx_sim *together = new_sim(model, ENVS, TX_TARGET_AUTO), *single = new_sim(model, ENVS, TX_TARGET_AUTO);
        scatter(together, state, 0.4, false), scatter(single, state, 0.4, false);
        assert_int_equal(tx_sim_step_n(together, STEPS), TX_OK);
        for (int i = 0; i < STEPS; i++) assert_int_equal(tx_sim_step(single), TX_OK);
        total += compare_all(together, single);
        tx_sim_destroy(together), tx_sim_destroy(single);
        tx_model_destroy(model), tx_diag_free(&diag);
    }
    assert_true(total > 100);
}

// one environment that steps places only geoms of bodies that are near something: its contacts and its motion are those
// of boxes that are swept, also with geoms that are elsewhere, larger or have another margin than in the model
static void bodies_that_are_apart_hide_no_points(void **unused) {
    (void)unused;
    enum { PLACES = 40, STEPS = 3 };
    uint64_t state = 13;
    int total = 0;
    for (int round = 0; round < PLACES; round++) {
        tx_diag diag = {0};
        tx_model *model = load(&state, round % 2, &diag);
        tx_sim *sims[2] = {new_sim(model, ENVS, TX_TARGET_SCALAR), new_sim(model, ENVS, TX_TARGET_SCALAR)};
        const double size = within(&state, 0.2, 1.5);
        for (int k = 0; k < 2; k++) {
            tx_options options = tx_sim_options(sims[k]);
            options.override = round % 5 == 4, options.o_margin = 0.03;
            if (k == 1) options.broadphase = TX_BROADPHASE_SWEEP;
            assert_int_equal(tx_sim_set_options(sims[k], &options), TX_OK);
            scatter(sims[k], state, size, false);
            uint64_t numbers = state;
            const int ngeom = tx_model_size(model, TX_SIZE_NGEOM);
            double *pos = round % 2 ? tx_sim_param(sims[k], TX_PARAM_GEOM_POS) : NULL;
            double *sizes = round % 2 ? tx_sim_param(sims[k], TX_PARAM_GEOM_SIZE) : NULL;
            double *margin = round % 2 ? tx_sim_param(sims[k], TX_PARAM_GEOM_MARGIN) : NULL;
            for (int i = 0; pos && i < ENVS * ngeom; i++) {
                if (i % ngeom < 2) continue; // the plane and the field
                for (int axis = 0; axis < 3; axis++) pos[3 * i + axis] += within(&numbers, -0.3, 0.3);
                for (int axis = 0; axis < 3; axis++) sizes[3 * i + axis] *= within(&numbers, 1, 1.5);
                margin[i] += within(&numbers, 0, 0.05);
            }
            if (pos) assert_int_equal(tx_sim_params_changed(sims[k]), TX_OK);
            assert_int_equal(tx_sim_step_n(sims[k], STEPS), TX_OK);
        }
        total += compare_all(sims[0], sims[1]);
        assert_memory_equal(tx_sim_array(sims[0], TX_ARRAY_QPOS), tx_sim_array(sims[1], TX_ARRAY_QPOS),
                            sizeof(double) * ENVS * 7 * BODIES);
        for (int k = 0; k < 2; k++) tx_sim_destroy(sims[k]);
        tx_model_destroy(model), tx_diag_free(&diag);
    }
    assert_true(total > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_find_what_one_finds),
                                       cmocka_unit_test(bodies_that_are_apart_hide_no_points),
                                       cmocka_unit_test(a_call_ends_with_the_contacts_of_its_last_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
