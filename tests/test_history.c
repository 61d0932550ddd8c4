// test_history.c - controls and sensors that come late: what acts when, in steps that can be counted; the same bits
// everywhere. MuJoCo's own numbers of scenes/core_delays.xml are in test_reference and test_dump.
#include "near.h"
#include "simulate.h"

enum { STEPS = 40 };
static const double H = 0.001;

static tx_model *load(const char *actuators, const char *sensors, tx_diag *diag) {
    char text[2048];
    snprintf(text, sizeof text,
             "<mujoco><option timestep='0.001'/><worldbody><body><joint name='j' type='slide'/><geom size='1' "
             "mass='1'/></body></worldbody><actuator>%s</actuator><sensor>%s</sensor></mujoco>",
             actuators, sensors);
    return tx_load_string(text, strlen(text), "late", diag);
}

// the force of step k is the control of step k - delay, and zero before
static void controls_act_later(void **state) {
    (void)state;
    tx_model *model = load("<motor joint='j' nsample='7' delay='0.005'/>", "", NULL);
    assert_int_equal(tx_model_size(model, TX_SIZE_NHISTORY), 2 + 7 * 2);
    tx_sim *sim = make_sim(model, 3, 1, TX_TARGET_AUTO, 0);
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL), *delay = tx_sim_param(sim, TX_PARAM_ACTUATOR_DELAY);
    delay[0] = 0.005, delay[1] = 0, delay[2] = 0.002; // each environment has its own
    assert_int_equal(tx_sim_params_changed(sim), TX_OK);
    for (int k = 0; k < STEPS; k++) {
        for (int e = 0; e < 3; e++) ctrl[e] = 100 * e + k + 1;
        tx_sim_step(sim);
        const double *force = tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE);
        assert_near(force[0], k < 5 ? 0 : k - 4, 1e-12);
        assert_near(force[1], 100 + k + 1, 1e-12);
        assert_near(force[2], k < 2 ? 0 : 200 + k - 1, 1e-12);
    }
    // after a reset the past is forgotten, in that environment only
    const uint8_t mask[] = {1, 0, 0};
    tx_sim_reset(sim, -1, mask);
    for (int e = 0; e < 3; e++) ctrl[e] = 7;
    tx_sim_step(sim);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], 0, 0);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[2], 200 + STEPS - 1, 1e-12);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// forward() reads and does not write: the past is that of steps
static void forward_keeps_the_past(void **state) {
    (void)state;
    tx_model *model = load("<motor joint='j' nsample='3' delay='0.002'/>", "<clock nsample='3' delay='0.002'/>", NULL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    const size_t size = sizeof(double) * (size_t)tx_model_size(model, TX_SIZE_NHISTORY);
    double *past = tx_sim_array(sim, TX_ARRAY_HISTORY), *before = malloc(size);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 3;
    tx_sim_step_n(sim, 5);
    memcpy(before, past, size);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 9;
    for (int k = 0; k < 3; k++) tx_sim_forward(sim);
    assert_memory_equal(before, past, size);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], 3, 0);
    assert_near(tx_sim_array(sim, TX_ARRAY_SENSORDATA)[0], 3 * H, 1e-15);
    free(before), tx_sim_destroy(sim), tx_model_destroy(model);
}

// a clock that is late: on a line and on a cubic it is exact between samples, held it waits for the next
static void sensors_speak_later(void **state) {
    (void)state;
    tx_model *model = load("",
                           "<clock nsample='9' delay='0.00325'/><clock nsample='9' delay='0.00325' interp='linear'/>"
                           "<clock nsample='9' delay='0.00325' interp='cubic'/><clock nsample='9'/>"
                           "<clock nsample='2' interval='0.0025'/><clock nsample='2' interval='0.004 -0.001'/>",
                           NULL);
    // the doc's example, scaled: period 2.5 steps, measured at 0, 3, 5, 8, 10, 13 ...
    static const int MEASURED[] = {0, 0, 0, 3, 3, 5, 5, 5, 8, 8, 10, 10, 10, 13};
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    for (int k = 0; k < STEPS; k++) {
        tx_sim_step(sim);
        const double *says = tx_sim_array(sim, TX_ARRAY_SENSORDATA), late = (k - 3.25) * H;
        assert_near(says[3], k * H, 1e-12);
        if (k < 14) assert_near(says[4], MEASURED[k] * H, 1e-12);
        // the last time was a step before the start: at 3, 7, 11 ...
        assert_near(says[5], k < 3 ? 0 : (k - (k - 3) % 4) * H, 1e-12);
        if (k < 9) continue;
        assert_near(says[0], (k - 4) * H, 1e-12);
        assert_near(says[1], late, 1e-12);
        assert_near(says[2], late, 1e-12);
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// before the start a sensor has measured in steps too, the first ones after its times
static void the_past_begins_in_steps(void **state) {
    (void)state;
    tx_model *model = load("", "<clock nsample='4' interval='0.0025'/>", NULL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    static const int STEP[] = {-10, -7, -5, -2};
    const double *past = tx_sim_array(sim, TX_ARRAY_HISTORY);
    for (int k = 0; k < 4; k++) assert_near(past[2 + k], STEP[k] * H, 1e-15);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static void the_same_bits_everywhere(void **state) {
    (void)state;
    tx_model *model = load_scene("core_delays");
    for (int integrator = 0; integrator < TX_INTEGRATOR_COUNT; integrator++)
        same_bits_everywhere(model, integrator, 30);
    tx_model_destroy(model);
}

// some environments step, the others stand still with their past
static void who_stands_still_keeps_its_past(void **state) {
    (void)state;
    enum { ENVS = 13 };
    tx_model *model = load_scene("core_delays");
    uint8_t mask[ENVS];
    for (int e = 0; e < ENVS; e++) mask[e] = e % 3 == 0;
    for (int integrator = 0; integrator < TX_INTEGRATOR_COUNT; integrator++) {
        tx_sim *sims[2];
        for (int k = 0; k < 2; k++) {
            sims[k] = make_sim(model, ENVS, 1, TX_TARGET_SCALAR, 0);
            set_integrator(sims[k], integrator);
            spread(sims[k]);
            tx_sim_step_n(sims[k], 60);
        }
        tx_sim_step_some(sims[1], 1, mask);
        for (int e = 0; e < ENVS; e++) assert_true(same_state(sims[0], e, sims[1], e) == !mask[e]);
        tx_sim_destroy(sims[0]), tx_sim_destroy(sims[1]);
    }
    tx_model_destroy(model);
}

// an environment whose numbers went wrong stands still: its clock does, and its past stays as it was then
static void who_went_wrong_keeps_its_past(void **state) {
    (void)state;
    enum { ENVS = 6 };
    tx_model *model = load("<motor joint='j' nsample='5' delay='0.003'/>", "<clock nsample='5' delay='0.003'/>", NULL);
    tx_sim *sim = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    const size_t count = (size_t)tx_model_size(model, TX_SIZE_NHISTORY);
    double *past = tx_sim_array(sim, TX_ARRAY_HISTORY), *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL), before[64];
    assert_true(count <= 64);
    for (int e = 0; e < ENVS; e++) ctrl[e] = 1 + e;
    tx_sim_step_n(sim, 8);
    tx_sim_array(sim, TX_ARRAY_QVEL)[2] = NAN;
    tx_sim_step(sim);
    assert_true(tx_sim_info(sim).diverged == 1);
    memcpy(before, past + 2 * count, count * sizeof(double));
    for (int e = 0; e < ENVS; e++) ctrl[e] = 50 + e;
    for (int k = 0; k < 3; k++) tx_sim_step(sim);
    assert_memory_equal(before, past + 2 * count, count * sizeof(double));
    // the others have the new controls
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[1], 2, 0);
    tx_sim_step(sim);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[1], 51, 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// what a sensor of contacts measured in the middle of a call is there when it is asked for later: a ball that bounces
static void contacts_of_a_call_are_measured(void **state) {
    (void)state;
    static const char TEXT[] =
        "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .11'>"
        "<freejoint/><geom size='.1' solref='-3000 -1'/><site name='s' size='.2'/></body></worldbody>"
        "<sensor><touch site='s'/><touch site='s' nsample='20' delay='.03'/></sensor></mujoco>";
    enum { CALLS = 20, EACH = 15 };
    tx_model *model = tx_load_string(TEXT, strlen(TEXT), "ball", NULL);
    assert_non_null(model);
    tx_sim *together = make_sim(model, 5, 1, TX_TARGET_AUTO, 0), *single = make_sim(model, 5, 1, TX_TARGET_AUTO, 0);
    double felt[CALLS * EACH];
    int touches = 0;
    for (int k = 0; k < CALLS; k++) {
        tx_sim_step_n(together, EACH);
        for (int i = 0; i < EACH; i++) {
            tx_sim_step(single);
            felt[k * EACH + i] = tx_sim_array(single, TX_ARRAY_SENSORDATA)[0];
        }
        // 15 steps late
        const double late = tx_sim_array(together, TX_ARRAY_SENSORDATA)[1];
        assert_near(late, k == 0 ? 0 : felt[k * EACH - 1], 0);
        assert_near(late, tx_sim_array(single, TX_ARRAY_SENSORDATA)[1], 0);
        for (int i = 0; i < EACH; i++) touches += felt[k * EACH + i] > 0;
        for (int e = 0; e < 5; e++) assert_true(same_state(together, e, single, e));
    }
    assert_true(touches > 5 && touches < CALLS * EACH / 2);
    tx_sim_destroy(together), tx_sim_destroy(single), tx_model_destroy(model);
}

// whatever a user writes over the past, nothing but numbers suffers
static void a_past_that_was_overwritten(void **state) {
    (void)state;
    tx_model *model = load_scene("core_delays");
    static const double WRONG[] = {1e300, -1e300, NAN, INFINITY, -1, 1e9, 0.5};
    for (int w = 0; w < 7; w++) {
        tx_sim *sim = make_sim(model, 2, 1, TX_TARGET_AUTO, 0);
        double *past = tx_sim_array(sim, TX_ARRAY_HISTORY);
        for (int i = 0; i < 2 * tx_model_size(model, TX_SIZE_NHISTORY); i += w + 1) past[i] = WRONG[w];
        tx_sim_step_n(sim, 20);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(model);
}

// a clock that is set back: a sample takes the place of its time; the oldest goes, or the one of that very time
static void samples_stand_by_their_time(void **state) {
    (void)state;
    static const struct {
        double time, wanted[4][2]; // in steps; time and value from the oldest on
    } SET[] = {{3.5, {{3, 4}, {3.5, 90}, {4, 5}, {5, 6}}},
               {4, {{3, 4}, {3.5, 90}, {4, 91}, {5, 6}}},
               {4.5, {{3.5, 90}, {4, 91}, {4.5, 92}, {5, 6}}},
               {0.5, {{0.5, 93}, {4, 91}, {4.5, 92}, {5, 6}}},
               {7, {{4, 91}, {4.5, 92}, {5, 6}, {7, 94}}}};
    tx_model *model = load("<motor joint='j' nsample='4' delay='0.001'/>", "", NULL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    for (int k = 0; k < 6; k++) ctrl[0] = k + 1, tx_sim_step(sim);
    for (int c = 0; c < 5; c++) {
        tx_sim_array(sim, TX_ARRAY_TIME)[0] = SET[c].time * H, ctrl[0] = 90 + c;
        assert_int_equal(tx_sim_step(sim), TX_OK);
        const double *past = tx_sim_array(sim, TX_ARRAY_HISTORY);
        for (int i = 0; i < 4; i++) {
            const int at = ((int)past[1] + 1 + i) % 4;
            assert_near(past[2 + at], SET[c].wanted[i][0] * H, 1e-12);
            assert_near(past[6 + at], SET[c].wanted[i][1], 0);
        }
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static void wrong_pasts_are_refused(void **state) {
    (void)state;
    static const char *const ACTUATORS[] = {"delay='0.1'", "nsample='-1'", "nsample='3' delay='-1'", "nsample='100001'",
                                            "nsample='3' interp='spline'"};
    static const char *const SENSORS[] = {"delay='0.1'", "nsample='3' interval='-1'", "nsample='3' interval='.1 .1'",
                                          "nsample='3' interval='.1 -.1'", "nsample='3' delay='x'"};
    char text[128];
    for (int k = 0; k < 10; k++) {
        tx_diag diag = {0};
        snprintf(text, sizeof text, k < 5 ? "<motor joint='j' %s/>" : "<clock %s/>",
                 k < 5 ? ACTUATORS[k] : SENSORS[k - 5]);
        tx_model *model = load(k < 5 ? text : "", k < 5 ? "" : text, &diag);
        assert_null(model);
        assert_int_equal(diag.errors, 1);
        tx_diag_free(&diag);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(controls_act_later),
                                       cmocka_unit_test(forward_keeps_the_past),
                                       cmocka_unit_test(the_past_begins_in_steps),
                                       cmocka_unit_test(sensors_speak_later),
                                       cmocka_unit_test(the_same_bits_everywhere),
                                       cmocka_unit_test(who_stands_still_keeps_its_past),
                                       cmocka_unit_test(a_past_that_was_overwritten),
                                       cmocka_unit_test(samples_stand_by_their_time),
                                       cmocka_unit_test(wrong_pasts_are_refused),
                                       cmocka_unit_test(who_went_wrong_keeps_its_past),
                                       cmocka_unit_test(contacts_of_a_call_are_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
