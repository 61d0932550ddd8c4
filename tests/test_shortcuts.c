// test_shortcuts.c - what a step leaves out because of its parameters changes no bit: environments whose parameters
// allow it stand beside some whose parameters do not, and each does what it does alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "thixis/load.h"
#include "thixis/sim.h"

// every way out of a shortcut has a parameter that is zero, or none, here
static const char SCENE[] =
    "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .35'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
    "<joint axis='0 1 0' damping='.1'/><geom type='capsule' fromto='-.3 0 0 .3 0 0' size='.05'/>"
    "<body pos='-.3 0 0'><joint name='hip' axis='0 1 0' stiffness='20' damping='2' range='-60 40'/>"
    "<geom type='capsule' fromto='0 0 0 .1 0 -.2' size='.04'/>"
    "<body pos='.1 0 -.2'><joint name='knee' axis='0 1 0' damping='1'/><geom type='sphere' size='.06'/></body></body>"
    "<body pos='.3 0 0'><joint name='arm' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 -.1 0 -.2' size='.04'/>"
    "</body></body></worldbody><actuator><motor joint='hip' gear='30' ctrlrange='-1 1'/>"
    "<position joint='knee' kp='20' kv='1'/><general joint='arm' gainprm='3' biasprm='0 -2 -.1' dyntype='filter' "
    "dynprm='.02'/></actuator></mujoco>";

typedef struct change {
    tx_param param;
    int at;
    double value;
} change;

static const change CHANGES[] = {
    {TX_PARAM_BODY_QUAT, 4 * 2 + 2, 0.3},  {TX_PARAM_BODY_QUAT, 4 * 1 + 1, -0.2}, {TX_PARAM_JNT_POS, 3 * 3, 0.02},
    {TX_PARAM_JNT_POS, 3 * 4 + 2, 0.05},   {TX_PARAM_GEOM_POS, 3 * 3, 0.03},      {TX_PARAM_GEOM_QUAT, 4 * 4, 0.2},
    {TX_PARAM_BODY_IPOS, 3 * 2, 0.03},     {TX_PARAM_BODY_IQUAT, 4 * 4 + 1, 0.4}, {TX_PARAM_BODY_GRAVCOMP, 2, 0.5},
    {TX_PARAM_JNT_STIFFNESS, 4, 7},        {TX_PARAM_JNT_STIFFNESS, 3, 0},        {TX_PARAM_JNT_STIFFNESSPOLY, 6, 3},
    {TX_PARAM_DOF_DAMPINGPOLY, 2 * 4, 1},  {TX_PARAM_DOF_DAMPINGPOLY, 7, 2},      {TX_PARAM_ACTUATOR_DAMPING, 3, 1},
    {TX_PARAM_ACTUATOR_ARMATURE, 0, 0.01}, {TX_PARAM_DOF_FRICTIONLOSS, 4, 0.5},   {TX_PARAM_GEOM_SURFACEVEL, 0, 1},
};
enum { COUNT = sizeof CHANGES / sizeof CHANGES[0], ENVS = 4, STEPS = 100 };

static tx_sim *start(const tx_model *model, int envs) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = envs;
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    return sim;
}

static void apply(tx_sim *sim, const tx_model *model, int env, const change *c) {
    double *rows = tx_sim_param(sim, c->param);
    int count;
    assert_non_null(rows);
    tx_model_params(model, c->param, &count);
    rows[env * count + c->at] = c->value;
    if (c->param == TX_PARAM_BODY_QUAT || c->param == TX_PARAM_GEOM_QUAT || c->param == TX_PARAM_BODY_IQUAT) {
        double *q = rows + env * count + c->at / 4 * 4, size = 0;
        for (int k = 0; k < 4; k++) size += q[k] * q[k];
        for (int k = 0; k < 4; k++) q[k] /= sqrt(size);
    }
    assert_int_equal(tx_sim_params_changed(sim), TX_OK);
}

// environment `first` + i begins and is driven as number i of all
static void run(tx_sim *sim, const tx_model *model, int first, int envs) {
    const int nq = tx_model_size(model, TX_SIZE_NQ), nu = tx_model_size(model, TX_SIZE_NU);
    for (int e = 0; e < envs; e++) {
        for (int k = 0; k < nq; k++) tx_sim_array(sim, TX_ARRAY_QPOS)[e * nq + k] = 0.02 * (first + e) * (k + 1);
        for (int k = 0; k < nu; k++) tx_sim_array(sim, TX_ARRAY_CTRL)[e * nu + k] = 0.3 * (first + e) - 0.2 * k;
    }
    assert_int_equal(tx_sim_step_n(sim, STEPS), TX_OK);
}

static void same_bits(tx_sim *together, int env, tx_sim *alone, const tx_model *model) {
    static const struct {
        tx_array array;
        tx_size size;
    } ARRAYS[] = {{TX_ARRAY_QPOS, TX_SIZE_NQ}, {TX_ARRAY_QVEL, TX_SIZE_NV}};
    for (int i = 0; i < 2; i++) {
        const size_t n = (size_t)tx_model_size(model, ARRAYS[i].size);
        const double *a = tx_sim_array(together, ARRAYS[i].array) + (size_t)env * n;
        assert_memory_equal(a, tx_sim_array(alone, ARRAYS[i].array), n * sizeof(double));
    }
}

static void neighbours_keep_their_bits(void **state) {
    (void)state;
    tx_diag diag = {0};
    tx_model *model = tx_load_string(SCENE, strlen(SCENE), "scene", &diag);
    assert_non_null(model);
    for (int i = 0; i < COUNT; i++) {
        const int other = i % ENVS; // the one that has no shortcut
        tx_sim *together = start(model, ENVS);
        apply(together, model, other, &CHANGES[i]);
        run(together, model, 0, ENVS);
        for (int e = 0; e < ENVS; e++) {
            tx_sim *alone = start(model, 1);
            if (e == other) apply(alone, model, 0, &CHANGES[i]);
            run(alone, model, e, 1);
            same_bits(together, e, alone, model);
            if (e == other) { // and the change is one
                tx_sim *plain = start(model, 1);
                run(plain, model, e, 1);
                const size_t bytes = sizeof(double) * (size_t)tx_model_size(model, TX_SIZE_NQ);
                assert_memory_not_equal(tx_sim_array(alone, TX_ARRAY_QPOS), tx_sim_array(plain, TX_ARRAY_QPOS), bytes);
                tx_sim_destroy(plain);
            }
            tx_sim_destroy(alone);
        }
        tx_sim_destroy(together);
    }
    tx_model_destroy(model);
    tx_diag_free(&diag);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_keep_their_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
