// test_flock.c - trees that are built alike are worked on side by side (src/step/flock.c): every number is what it is
// without, and what they have of their own (places, masses, springs) stays their own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/internal.h"
#include "simulate.h"
#include "thixis/load.h"

enum { ARMS = 13, BALLS = 9, PAIRS = 3 };

// arms of three joints on a free base, no two with the same numbers; balls; a kind too rare for lanes; something that
// the user moves, and a wall
static tx_model *load_crowd(const char *option, const char *more) {
    static char text[40000];
    int at = snprintf(text, sizeof text,
                      "<mujoco><option timestep='.004'>%s</option><worldbody><geom type='plane' size='9 9 .1'/>"
                      "<body name='wall' pos='0 -1 0'><geom type='box' size='3 .1 .3'/></body>"
                      "<body mocap='true' pos='0 0 3'><geom type='sphere' size='.1'/></body>",
                      option);
    for (int i = 0; i < ARMS; i++) {
        at += snprintf(
            text + at, sizeof text - (size_t)at,
            "<body name='arm%d' pos='%d .%d .4' euler='0 %d 0'><freejoint/><geom type='box' size='.1 .08 .05' "
            "mass='%g'/><body pos='.1 0 0' euler='%d 0 0'><joint name='a%d' axis='0 1 0' damping='%g' "
            "stiffness='%d' armature='.01'/>"
            "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.03'/><body pos='.2 0 %s'>"
            "<joint axis='0 0 1' pos='0 .01 0' range='-40 40'/><geom type='capsule' fromto='0 0 0 .15 .05 0' "
            "size='.02'/></body></body><body pos='-.1 0 0'><joint type='ball' damping='.02'/>"
            "<geom type='sphere' pos='-.06 0 0' size='.05'/></body></body>",
            i, i, i % 10, 5 * (i % 3), 1 + 0.1 * i, i % 2 ? 10 : 0, i, 0.1 * (i % 4), i % 3, i % 5 ? "0" : ".02");
        if (i < BALLS)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "<body pos='%d 1 %g'><freejoint/><geom type='sphere' size='.1'/></body>", i, 0.1 + 0.05 * i);
        if (i < PAIRS)
            at += snprintf(
                text + at, sizeof text - (size_t)at,
                "<body pos='%d 2 1'><joint type='slide' axis='1 0 0'/><geom type='sphere' size='.1'/></body>", i);
    }
    snprintf(text + at, sizeof text - (size_t)at, "</worldbody>%s</mujoco>", more);
    tx_model *model = tx_load_string(text, strlen(text), ".", NULL);
    assert_non_null(model);
    return model;
}

static const char DRIVEN[] = "<actuator><motor joint='a0' gear='2'/><position joint='a3' kp='9' kv='1'/>"
                             "<motor joint='a7'/></actuator>";
static const char GEARED[] = "<tendon><fixed name='t' armature='.1' stiffness='3'><joint joint='a1' coef='1'/>"
                             "<joint joint='a2' coef='-.5'/></fixed></tendon><actuator><motor joint='a0' armature='.2' "
                             "damping='.3'/></actuator><equality><connect body1='arm4' body2='arm5' anchor='.5 .1 .3'/>"
                             "</equality><sensor><framelinacc objtype='body' objname='arm6'/></sensor>";

// only the tendon adds to the mass matrix
static const char BELTED[] = "<tendon><fixed name='t' armature='.1'><joint joint='a1' coef='1'/>"
                             "<joint joint='a2' coef='-.5'/></fixed></tendon>";

// all arrays, bit by bit
static void same_arrays(tx_sim *a, tx_sim *b) {
    for (int k = 0; k < TX_ARRAY_COUNT; k++) {
        const int width = tx_sim_array_width(a, (tx_array)k);
        if (width <= 0) continue;
        const size_t bytes = sizeof(double) * (size_t)width * (size_t)tx_sim_envs(a);
        if (memcmp(tx_sim_array(a, (tx_array)k), tx_sim_array(b, (tx_array)k), bytes) != 0)
            fail_msg("array %s differs", tx_list_name(TX_LIST_ARRAY, k));
    }
}

static tx_sim *start(const tx_model *model, tx_target_choice target, int envs, int threads, const tx_options *o) {
    tx_sim *sim = make_sim(model, envs, threads, target, 0);
    assert_non_null(sim);
    if (o) assert_int_equal(tx_sim_set_options(sim, o), TX_OK);
    spread(sim);
    return sim;
}

static int flocks_of(const tx_sim *sim) { return sim->blocks[0]->flocks ? sim->blocks[0]->flocks->count : 0; }

// the same with flocks and without, with threads and in a batch
static void compare(const tx_model *model, const tx_options *o, int steps) {
    tx_sim *without = start(model, TX_TARGET_SCALAR, 1, 1, o), *with = start(model, TX_TARGET_AUTO, 1, 1, o),
           *threads = start(model, TX_TARGET_AUTO, 1, 3, o);
    assert_int_equal(flocks_of(without), 0);
    // 13 arms, 9 balls and 3 slides: whole flocks, and a last one that is at least half full
    const int lanes = tx_target_lanes(TX_TARGET_AUTO);
    if (lanes == 4) assert_int_equal(flocks_of(with), 3 + 2 + 1);
    if (lanes == 8) assert_int_equal(flocks_of(with), 2 + 1 + 0);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = k == 0 ? without : k == 1 ? with : threads;
        assert_int_equal(tx_sim_step_n(sim, steps), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        if (k > 0) same_arrays(without, sim);
    }
    tx_sim_destroy(without), tx_sim_destroy(with), tx_sim_destroy(threads);
}

static void integrators_and_laws(void **state) {
    (void)state;
    tx_model *model = load_crowd("", DRIVEN);
    static const tx_integrator INTEGRATORS[] = {TX_INTEGRATOR_EULER, TX_INTEGRATOR_IMPLICIT, TX_INTEGRATOR_IMPLICITFAST,
                                                TX_INTEGRATOR_RK4,   TX_INTEGRATOR_MIDPOINT, TX_INTEGRATOR_DISCRETE};
    tx_sim *any = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    tx_options o = tx_sim_options(any);
    tx_sim_destroy(any);
    for (size_t i = 0; i < sizeof INTEGRATORS / sizeof INTEGRATORS[0]; i++) {
        o.integrator = INTEGRATORS[i];
        compare(model, &o, 40);
    }
    o.integrator = TX_INTEGRATOR_EULER, o.eulerdamp = false;
    compare(model, &o, 20);
    for (int law = 0; tx_law_name(law); law++) {
        if (strcmp(tx_law_name(law), "lagged") != 0 && strcmp(tx_law_name(law), "hard") != 0) continue;
        o.law = law, o.solver = tx_law_solver(law), o.eulerdamp = true;
        compare(model, &o, 20);
    }
    tx_model_destroy(model);
}

// where tendons and actuators add to the mass matrix it is factorised later; sensors and equalities look at everything
static void what_joins_trees(void **state) {
    (void)state;
    static const char *const JOINED[] = {GEARED, BELTED};
    for (int k = 0; k < 2; k++) {
        tx_model *model = load_crowd("", JOINED[k]);
        compare(model, NULL, 40);
        tx_model_destroy(model);
    }
}

// two that drive one joint, those of several trees in any order, and one whose joint limits all of them
static void actuators_in_any_order(void **state) {
    (void)state;
    static const char *ORDERS[] = {
        "<actuator><motor joint='a1'/><motor joint='a1' gear='3'/><motor joint='a12' forcerange='-.2 .2'/></actuator>",
        "<actuator><motor joint='a12'/><position joint='a2' kp='3'/><motor joint='a12' gear='-2'/></actuator>",
        "<actuator><motor joint='a1'/><intvelocity joint='a2' kp='3' actrange='-1 1'/><motor joint='a9'/></actuator>"};
    for (size_t i = 0; i < sizeof ORDERS / sizeof ORDERS[0]; i++) {
        tx_model *model = load_crowd("", ORDERS[i]);
        compare(model, NULL, 30);
        tx_model_destroy(model);
    }
}

// parameters of one environment reach its trees, in any place
static void parameters(void **state) {
    (void)state;
    enum { ENVS = 3 };
    tx_model *model = load_crowd("", DRIVEN);
    tx_sim *with = start(model, TX_TARGET_AUTO, ENVS, 1, NULL),
           *without = start(model, TX_TARGET_SCALAR, ENVS, 1, NULL);
    static const struct {
        tx_param param;
        double factor;
    } CHANGES[] = {{TX_PARAM_BODY_MASS, 0.02},
                   {TX_PARAM_DOF_DAMPING, 0.3},
                   {TX_PARAM_JNT_STIFFNESS, 0.1},
                   {TX_PARAM_GRAVITY, 0.05},
                   {TX_PARAM_BODY_INERTIA, 0.03}};
    for (size_t c = 0; c < sizeof CHANGES / sizeof CHANGES[0]; c++) {
        for (int k = 0; k < 2; k++) {
            tx_sim *sim = k ? with : without;
            int count;
            tx_model_params(model, CHANGES[c].param, &count);
            double *rows = tx_sim_param(sim, CHANGES[c].param);
            assert_non_null(rows);
            for (int i = 0; i < ENVS * count; i++) rows[i] *= 1 + CHANGES[c].factor * (i % 7);
            assert_int_equal(tx_sim_params_changed(sim), TX_OK);
            assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
        }
        same_arrays(with, without);
    }
    tx_sim_destroy(with), tx_sim_destroy(without);
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrators_and_laws),
        cmocka_unit_test(what_joins_trees),
        cmocka_unit_test(actuators_in_any_order),
        cmocka_unit_test(parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
