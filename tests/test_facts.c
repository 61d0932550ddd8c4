// test_facts.c - facts that single faults could break unnoticed by the tests of whole models (tools/mutate): closed
// forms of small parts, and what happens at the edges.
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collide/implicit.h"
#include "collide/mix.h"
#include "collide/mpr.h"
#include "collide/pairs.h"
#include "geometry/quat.h"
#include "load/mesh_file.h"
#include "load/text.h"
#include "model/block.h"
#include "model/sensor.h"
#include "model/validate.h"
#include "near.h"
#include "simulate.h"

static tx_model *load_text(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "text", &diag), &diag);
}

static tx_sim *sim_of(const tx_model *model) {
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
    assert_non_null(sim);
    return sim;
}

static tx_sim *forward_of(const tx_model *model) {
    tx_sim *sim = sim_of(model);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    return sim;
}

static void destroy(tx_sim *sim) {
    const tx_model *model = tx_sim_model(sim);
    tx_sim_destroy(sim);
    tx_model_destroy((tx_model *)model);
}

// ---- simulation
// ------------------------------------------------------------------------------------------------------

// a rollout is steps with these controls, state by state, in every environment
static void rollout_is_steps(void **state) {
    enum { ENVS = 5, STEPS = 12 };
    tx_model *model = load_scene("arm");
    tx_sim *a = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0), *b = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    const size_t nq = (size_t)tx_model_size(model, TX_SIZE_NQ), nv = (size_t)tx_model_size(model, TX_SIZE_NV),
                 nu = (size_t)tx_model_size(model, TX_SIZE_NU);
    assert_true(nu > 0);
    double *controls = malloc(sizeof(double) * ENVS * STEPS * nu),
           *states = malloc(sizeof(double) * ENVS * STEPS * (nq + nv));
    uint64_t seed = 3;
    for (size_t i = 0; i < ENVS * STEPS * nu; i++) controls[i] = noise(&seed);
    assert_int_equal(tx_sim_rollout(a, STEPS, controls, states), TX_OK);
    for (size_t s = 0; s < STEPS; s++) {
        for (size_t e = 0; e < ENVS; e++)
            memcpy(tx_sim_array(b, TX_ARRAY_CTRL) + e * nu, controls + (e * STEPS + s) * nu, nu * sizeof(double));
        assert_int_equal(tx_sim_step(b), TX_OK);
        for (size_t e = 0; e < ENVS; e++) {
            const double *row = states + (e * STEPS + s) * (nq + nv);
            assert_memory_equal(row, tx_sim_array(b, TX_ARRAY_QPOS) + e * nq, nq * sizeof(double));
            assert_memory_equal(row + nq, tx_sim_array(b, TX_ARRAY_QVEL) + e * nv, nv * sizeof(double));
        }
    }
    assert_true(tx_sim_hash(a) == tx_sim_hash(b));
    // without controls those of TX_ARRAY_CTRL stay
    assert_int_equal(tx_sim_rollout(a, 2, NULL, states), TX_OK);
    assert_int_equal(tx_sim_step_n(b, 2), TX_OK);
    assert_true(tx_sim_hash(a) == tx_sim_hash(b));
    assert_int_equal(tx_sim_rollout(a, 0, NULL, states), TX_OK);
    assert_true(tx_sim_hash(a) == tx_sim_hash(b));
    free(controls), free(states);
    tx_sim_destroy(a), tx_sim_destroy(b), tx_model_destroy(model);
}

// all NaNs are one number to the hash, and another than any ordinary one
static void hash_knows_one_nan(void **state) {
    tx_sim *sim = sim_of(load_scene("pendulum"));
    double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
    uint64_t plain = tx_sim_hash(sim), bits = 0x7ff8000000001234ull, others = 0xfff8000000000001ull;
    memcpy(qvel, &bits, sizeof bits);
    uint64_t first = tx_sim_hash(sim);
    memcpy(qvel, &others, sizeof others);
    assert_true(tx_sim_hash(sim) == first);
    assert_true(first != plain);
    destroy(sim);
}

// the time of a divergence is the time of the last good state
static void divergence_has_its_time(void **state) {
    tx_sim *sim = sim_of(load_scene("pendulum"));
    const double h = tx_sim_options(sim).timestep;
    assert_int_equal(tx_sim_step_n(sim, 7), TX_OK);
    tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 1e200;
    assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
    assert_int_equal(tx_sim_status(sim, 0), TX_ERROR_DIVERGED);
    char text[300], wanted[60];
    tx_sim_status_text(sim, 0, text, sizeof text);
    snprintf(wanted, sizeof wanted, "t = %g s", 7 * h);
    assert_non_null(strstr(text, wanted));
    assert_near(tx_sim_array(sim, TX_ARRAY_TIME)[0], 7 * h, 1e-12);
    destroy(sim);
}

// an environment that diverged keeps all of its state, whatever its neighbours in the lanes do
static void the_diverged_stand_still(void **state) {
    enum { ENVS = 9 };
    tx_model *model = load_scene("quadruped");
    tx_sim *sim = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0), *before;
    assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
    tx_sim_array(sim, TX_ARRAY_QVEL)[3 * tx_model_size(model, TX_SIZE_NV)] = 1e200;
    assert_int_equal(tx_sim_step(sim), TX_OK);
    assert_int_equal(tx_sim_status(sim, 3), TX_ERROR_DIVERGED);
    before = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    size_t size = tx_sim_state_size(sim);
    void *blob = malloc(size);
    assert_int_equal(tx_sim_save(sim, blob, size), TX_OK);
    assert_int_equal(tx_sim_restore(before, blob, size), TX_OK);
    assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
    assert_true(same_state(sim, 3, before, 3));
    assert_false(same_state(sim, 2, before, 2));
    free(blob);
    tx_sim_destroy(sim), tx_sim_destroy(before), tx_model_destroy(model);
}

// the answer of one law is no start for another
static void another_law_starts_anew(void **state) {
    tx_model *model = load_scene("balls");
    tx_sim *sim = sim_of(model);
    assert_int_equal(tx_sim_step_n(sim, 50), TX_OK);
    const int nv = tx_model_size(model, TX_SIZE_NV);
    double most = 0;
    for (int d = 0; d < nv; d++) most = fmax(most, fabs(tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[d]));
    assert_true(most > 0);
    tx_options o = tx_sim_options(sim);
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK); // the same law: it stays
    assert_true(tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[0] != 0 || most > 0);
    for (int law = 0; tx_law_name(law); law++) {
        if (law == o.law) continue;
        tx_options other = o;
        other.law = law;
        if (tx_sim_set_options(sim, &other) != TX_OK) continue;
        for (int d = 0; d < nv; d++) assert_near(tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[d], 0, 0);
        break;
    }
    destroy(sim);
}

// environments with and without damping beside each other go as they would alone
static void damping_differs_by_lane(void **state) {
    enum { ENVS = 8, STEPS = 30 };
    tx_model *model = load_text("<mujoco><worldbody><body><joint axis='0 1 0' damping='0.3' range='-0.2 0.2'/>"
                                "<geom size='0.1' pos='0.5 0 0'/><body pos='1 0 0'><joint axis='0 1 0' damping='0.2' "
                                "range='-0.1 0.3'/><geom size='0.1' pos='0.5 0 0'/>"
                                "</body></body></worldbody></mujoco>");
    tx_sim *all = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    double *damping = tx_sim_param(all, TX_PARAM_DOF_DAMPING);
    for (int e = 0; e < ENVS; e++)
        for (int d = 0; d < 2; d++) damping[2 * e + d] = e % 2 ? 0 : 0.1 * (e + d);
    assert_int_equal(tx_sim_params_changed(all), TX_OK);
    assert_int_equal(tx_sim_step_n(all, STEPS), TX_OK);
    for (int e = 0; e < ENVS; e++) {
        tx_sim *alone = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
        memcpy(tx_sim_param(alone, TX_PARAM_DOF_DAMPING), damping + 2 * e, 2 * sizeof(double));
        assert_int_equal(tx_sim_params_changed(alone), TX_OK);
        assert_int_equal(tx_sim_step_n(alone, STEPS), TX_OK);
        assert_true(same_state(all, e, alone, 0));
        tx_sim_destroy(alone);
    }
    tx_sim_destroy(all), tx_model_destroy(model);
}

// rows of an environment into lanes and back, for numbers of eight and of four bytes: nothing beside them is touched
static void lanes_keep_to_their_bytes(void **state) {
    enum { WIDTH = 5, MOST = 8 };
    for (int lanes = 1; lanes <= MOST; lanes *= 2)
        for (int size = 4; size <= 8; size += 4) {
            const tx_block b = {.lanes = lanes, .number_size = size};
            double rows[WIDTH * MOST + 1], back[WIDTH * MOST + 1];
            unsigned char memory[WIDTH * MOST * 8 + 16];
            const size_t bytes = (size_t)(WIDTH * lanes * size);
            memset(memory, 0xa5, sizeof memory);
            for (int i = 0; i <= WIDTH * MOST; i++) rows[i] = i + 0.1, back[i] = -1;
            assert_int_equal(tx_lane_bytes(&b, WIDTH), bytes);
            tx_lanes_put(&b, memory, WIDTH, rows);
            for (size_t i = bytes; i < sizeof memory; i++) assert_int_equal(memory[i], 0xa5);
            for (int e = 0; e < lanes; e++)
                for (int i = 0; i < WIDTH; i++) {
                    double wanted = rows[e * WIDTH + i];
                    assert_near(tx_lane(&b, memory, i, e), size == 8 ? wanted : (float)wanted, 0);
                }
            tx_lanes_get(&b, memory, WIDTH, back);
            for (int i = 0; i < WIDTH * lanes; i++) assert_near(back[i], size == 8 ? rows[i] : (float)rows[i], 0);
            assert_near(back[WIDTH * lanes], -1, 0);
        }
}

// the time of the sensors is theirs, not the solver's
static void sensors_have_their_time(void **state) {
    tx_model *model = load_text("<mujoco><worldbody><body><freejoint/><geom size='0.1'/><site name='s'/></body>"
                                "</worldbody><sensor><accelerometer site='s'/></sensor></mujoco>");
    tx_sim *sim = sim_of(model);
    tx_options o = tx_sim_options(sim);
    o.sensor = false;
    for (int on = 0; on < 2; on++, o.sensor = true) {
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        tx_sim_info_clear(sim);
        assert_int_equal(tx_sim_step_n(sim, 400), TX_OK);
        tx_info info = tx_sim_info(sim);
        assert_true(info.stage_seconds[TX_STAGE_SOLVE] > 0);
        assert_true(on ? info.stage_seconds[TX_STAGE_SENSE] > 0 : info.stage_seconds[TX_STAGE_SENSE] == 0);
    }
    destroy(sim);
}

// ---- forces
// ----------------------------------------------------------------------------------------------------------

// the spring of a free joint pulls its place and its orientation back
static void free_joints_have_springs(void **state) {
    tx_model *model = load_text("<mujoco><option gravity='0 0 0'/><worldbody><body pos='1 2 3'><joint type='free' "
                                "stiffness='7'/><geom size='0.1'/></body></worldbody></mujoco>");
    tx_sim *sim = sim_of(model);
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    const double angle = 0.4, shift[3] = {0.3, -0.2, 0.5};
    for (int k = 0; k < 3; k++) qpos[k] += shift[k];
    qpos[3] = cos(angle / 2), qpos[6] = sin(angle / 2);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *force = tx_sim_array(sim, TX_ARRAY_QFRC_PASSIVE);
    for (int k = 0; k < 3; k++) assert_near(force[k], -7 * shift[k], 1e-12);
    for (int k = 0; k < 3; k++) assert_near(force[3 + k], k == 2 ? -7 * angle : 0, 1e-12);
    double energy = 0.5 * 7 * (0.09 + 0.04 + 0.25 + angle * angle);
    assert_near(tx_sim_array(sim, TX_ARRAY_ENERGY)[0], energy, 1e-12);
    destroy(sim);
}

// gravity compensation is a passive force: it ends when springs and dampers both are off, not before
static void compensation_is_passive(void **state) {
    tx_model *model = load_text("<mujoco><worldbody><body gravcomp='1'><joint type='slide' axis='0 0 1'/>"
                                "<geom size='0.1' mass='2'/></body></worldbody></mujoco>");
    tx_sim *sim = sim_of(model);
    for (int spring = 0; spring < 2; spring++)
        for (int damper = 0; damper < 2; damper++) {
            tx_options o = tx_sim_options(sim);
            o.spring = spring, o.damper = damper;
            assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_GRAVCOMP)[0], spring || damper ? 2 * 9.81 : 0, 1e-12);
        }
    destroy(sim);
}

// all actuators on a tendon together stay in its range; each keeps its share
static void tendons_limit_their_actuators(void **state) {
    tx_model *model = load_text(
        "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='0.1'/></body></worldbody><tendon><fixed "
        "name='t' actuatorfrclimited='true' actuatorfrcrange='-4 2'><joint joint='j' coef='1'/></fixed></tendon>"
        "<actuator><motor tendon='t'/><motor tendon='t'/><motor joint='j'/></actuator></mujoco>");
    tx_sim *sim = sim_of(model);
    const double ctrl[3] = {3, 5, 1}, shares[3] = {0.75, 1.25, 1}, back[3] = {-1.5, -2.5, 1};
    memcpy(tx_sim_array(sim, TX_ARRAY_CTRL), ctrl, sizeof ctrl);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    for (int i = 0; i < 3; i++) assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[i], shares[i], 1e-14);
    assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[0], 3, 1e-14);
    for (int i = 0; i < 2; i++) tx_sim_array(sim, TX_ARRAY_CTRL)[i] = -ctrl[i];
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    for (int i = 0; i < 3; i++) assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[i], back[i], 1e-14);
    destroy(sim);
}

// a force at its limit does not depend on the velocity: implicit integrators add no damping for it
static void clamped_forces_do_not_damp(void **state) {
    static const char *const NAMES[] = {"implicitfast", "implicit"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><option integrator='%s' timestep='0.01' gravity='0 0 0'/><worldbody><body><joint name='j' "
                 "type='slide'/><geom size='0.1' mass='2'/></body></worldbody><actuator><velocity joint='j' kv='50' "
                 "forcerange='-1 1'/></actuator></mujoco>",
                 NAMES[i]);
        tx_sim *sim = sim_of(load_text(text));
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 10; // wants 500 N, gets 1
        assert_int_equal(tx_sim_step(sim), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0.01 * 1 / 2, 1e-15);
        // within its range it does: v = h kv c / (m + h kv)
        tx_sim_reset(sim, -1, NULL);
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.01;
        assert_int_equal(tx_sim_step(sim), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0.01 * 50 * 0.01 / (2 + 0.01 * 50), 1e-15);
        destroy(sim);
    }
}

// passive force of a muscle: a parabola up to the middle of (1, lmax), then a line (docs/actuators.md)
static void muscles_pull_back(void **state) {
    tx_model *model = load_text("<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='0.1'/></body>"
                                "</worldbody><actuator><muscle joint='j' force='100' lengthrange='1 2' "
                                "range='0.75 1.05' lmax='1.6' fpmax='1.3'/></actuator></mujoco>");
    tx_sim *sim = sim_of(model);
    const double unit = 1 / (1.05 - 0.75), middle = 1.3, peak = 130;
    const double L[] = {0.9, 1, 1.1, 1.25, 1.3, 1.4, 1.7};
    for (int i = 0; i < 7; i++) {
        tx_sim_array(sim, TX_ARRAY_QPOS)[0] = 1 + (L[i] - 0.75) * unit;
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        double x = (L[i] - 1) / (middle - 1);
        double wanted = L[i] <= 1 ? 0 : L[i] <= middle ? -peak * x * x / 2 : -peak * (0.5 + (L[i] - middle) / 0.3);
        assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], wanted, 1e-10);
    }
    destroy(sim);
}

// between rising and falling the time of a smooth muscle goes by 6 x⁵ - 15 x⁴ + 10 x³
static void muscles_change_smoothly(void **state) {
    tx_model *model = load_text("<mujoco><option timestep='0.001'/><worldbody><body><joint name='j' type='slide'/>"
                                "<geom size='0.1'/></body></worldbody><actuator><muscle joint='j' force='100' "
                                "lengthrange='1 2' timeconst='0.01 0.04' tausmooth='0.2'/></actuator></mujoco>");
    tx_sim *sim = sim_of(model);
    for (int i = -3; i <= 3; i++) {
        const double act = 0.3, change = 0.04 * i, level = 0.5 + 1.5 * act, x = fmin(fmax(change / 0.2 + 0.5, 0), 1);
        const double share = 6 * pow(x, 5) - 15 * pow(x, 4) + 10 * pow(x, 3);
        const double time = 0.04 / level + (0.01 * level - 0.04 / level) * share;
        tx_sim_array(sim, TX_ARRAY_ACT)[0] = act, tx_sim_array(sim, TX_ARRAY_CTRL)[0] = act + change;
        assert_int_equal(tx_sim_step(sim), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_ACT)[0], act + 0.001 * change / time, 1e-14);
    }
    destroy(sim);
}

// active force of a muscle that stands still: parabolas from lmin over its rest length to lmax (docs/actuators.md)
static void muscles_pull(void **state) {
    tx_model *model = load_text("<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='0.1'/></body>"
                                "</worldbody><actuator><muscle joint='j' force='100' lengthrange='1 2' "
                                "range='0.75 1.05' lmin='0.5' lmax='1.6' fpmax='0'/></actuator></mujoco>");
    tx_sim *sim = sim_of(model);
    const double unit = 1 / (1.05 - 0.75), L[] = {0.4, 0.5, 0.6, 0.75, 0.9, 1, 1.1, 1.25, 1.3, 1.45, 1.6, 1.7};
    for (size_t i = 0; i < sizeof L / sizeof L[0]; i++) {
        tx_sim_array(sim, TX_ARRAY_QPOS)[0] = 1 + (L[i] - 0.75) * unit;
        tx_sim_array(sim, TX_ARRAY_ACT)[0] = 0.8;
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        double up = (L[i] - 0.5) / 0.25, below = (1 - L[i]) / 0.25, above = (L[i] - 1) / 0.3, down = (1.6 - L[i]) / 0.3;
        double curve = L[i] <= 0.75 ? up * up / 2 : L[i] <= 1 ? 1 - below * below / 2 : 1 - above * above / 2;
        if (L[i] > 1.3) curve = down * down / 2;
        if (L[i] < 0.5 || L[i] > 1.6) curve = 0;
        assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], -80 * curve, 1e-10);
    }
    destroy(sim);
}

// an adhesive body is pulled along the mean of the directions in which its contacts open
static void adhesion_takes_the_mean_of_contacts(void **state) {
    tx_model *model =
        load_text("<mujoco><worldbody><geom type='plane' size='9 9 1'/><body name='b' pos='0.2 0.1 0.099'>"
                  "<freejoint/><geom type='box' size='0.3 0.2 0.1'/></body></worldbody><actuator>"
                  "<adhesion body='b' gain='6' ctrlrange='0 2'/></actuator></mujoco>");
    tx_sim *sim = sim_of(model);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 1.5;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    int count;
    tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 4);
    const double *force = tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR);
    for (int d = 0; d < 6; d++) assert_near(force[d], d == 2 ? -9 : 0, 1e-12);
    // tilted, only one corner touches: it turns the body too
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    qpos[2] = 0.343, qpos[3] = cos(0.45), qpos[4] = 0.6 * sin(0.45), qpos[5] = 0.8 * sin(0.45);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const tx_contact *c = tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 1);
    double jacobian[3 * 6];
    assert_int_equal(tx_sim_jacobian(sim, 0, 1, c->pos, jacobian, NULL), TX_OK);
    force = tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR);
    for (int d = 0; d < 6; d++) assert_near(force[d], -9 * jacobian[2 * 6 + d], 1e-12);
    assert_true(fabs(force[3]) > 0.1 && fabs(force[4]) > 0.1);
    tx_sim_destroy(sim);
    // every environment has the contacts of its own: the odd ones touch nothing
    enum { ENVS = 7 };
    sim = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    for (int e = 0; e < ENVS; e++) {
        tx_sim_array(sim, TX_ARRAY_CTRL)[e] = 0.25 * e;
        if (e % 2) tx_sim_array(sim, TX_ARRAY_QPOS)[7 * e + 2] = 1;
    }
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    force = tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR);
    for (int e = 0; e < ENVS; e++) assert_near(force[6 * e + 2], e % 2 ? 0 : -1.5 * e, 1e-12);
    destroy(sim);
}

// without visual geoms: those that a tendon goes round stay
static void what_a_tendon_wraps_is_kept(void **state) {
    tx_model *model = load_text(
        "<mujoco><compiler discardvisual='true'/><worldbody><geom name='seen' size='1' contype='0' conaffinity='0'/>"
        "<geom name='round' type='cylinder' size='1 1' contype='0' conaffinity='0'/><site name='a' pos='0.5 2 0'/>"
        "<body><joint/><geom size='0.1'/><site name='b' pos='-0.5 -2 0'/></body></worldbody><tendon><spatial>"
        "<site site='a'/><geom geom='round'/><site site='b'/></spatial></tendon></mujoco>");
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 2);
    assert_true(tx_element_find(model, TX_ELEMENT_GEOM, "round") >= 0);
    assert_int_equal(tx_element_find(model, TX_ELEMENT_GEOM, "seen"), -1);
    tx_model_destroy(model);
}

// a tendon whose side site is behind a cylinder goes round it by more than half a turn
static void tendons_go_the_long_way(void **state) {
    tx_model *model =
        load_text("<mujoco><worldbody><geom name='c' type='cylinder' size='1 1' contype='0' conaffinity='0'/>"
                  "<site name='a' pos='0.5 2 0'/><site name='b' pos='-0.5 2 0'/><site name='under' pos='0 -1.5 0'/>"
                  "<body><joint/><geom size='0.1'/></body></worldbody><tendon><spatial><site site='a'/><geom geom='c' "
                  "sidesite='under'/><site site='b'/></spatial></tendon></mujoco>");
    tx_sim *sim = forward_of(model);
    const double pi = acos(-1), far = sqrt(0.25 + 4), to = atan2(2, 0.5) - acos(1 / far); // angle of a tangent point
    double wanted = 2 * sqrt(far * far - 1) + (pi + 2 * to);
    assert_near(tx_sim_array(sim, TX_ARRAY_TENDON_LENGTH)[0], wanted, 1e-12);
    destroy(sim);
}

// a tree without mass has its root's place for a centre, not 0 / 0
static void massless_trees_have_a_place(void **state) {
    tx_model *model =
        load_text("<mujoco><worldbody><body name='hook' pos='1 2 3'><inertial pos='0 0 0' mass='0' diaginertia='0 0 "
                  "0'/><site name='s'/></body><body><freejoint/><geom size='0.1'/>"
                  "</body></worldbody><sensor><subtreecom body='hook'/><framelinvel objtype='site' objname='s'/>"
                  "<framelinacc objtype='site' objname='s'/></sensor></mujoco>");
    tx_sim *sim = forward_of(model);
    // what stands still is pulled up against gravity, as in MuJoCo 4.0
    const double *data = tx_sim_array(sim, TX_ARRAY_SENSORDATA), wanted[9] = {1, 2, 3, [8] = 9.81};
    for (int i = 0; i < 9; i++) assert_near(data[i], wanted[i], 1e-12);
    destroy(sim);
}

// ---- sensors
// ---------------------------------------------------------------------------------------------------------

// a touch sensor feels what presses from its side: the line from the contact out of the body meets its volume
static void touch_has_a_direction(void **state) {
    tx_model *model = load_text(
        "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
        "<geom size='0.1' mass='1'/><site name='below' pos='0 0 -0.15' size='0.02'/><site name='above' pos='0 0 -0.05' "
        "size='0.02'/></body><body pos='1 0 0.1'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
        "<body pos='1 0 0.32'><joint type='slide' axis='0 0 1'/><geom type='box' size='0.1 0.1 0.1' mass='3'/>"
        "<site name='box below' pos='0 0 -0.15' size='0.02'/><site name='box above' pos='0 0 0' size='0.02'/></body>"
        "</worldbody><sensor><touch site='below'/><touch site='above'/><touch site='box below'/><touch site='box "
        "above'/>"
        "</sensor></mujoco>");
    tx_sim *sim = sim_of(model);
    assert_int_equal(tx_sim_step_n(sim, 3000), TX_OK);
    const double *touch = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
    assert_near(touch[0], 9.81, 1e-3);
    assert_near(touch[1], 0, 0);
    assert_near(touch[2], 3 * 9.81, 1e-2);
    assert_near(touch[3], 0, 0);
    destroy(sim);
}

// inside a capsule, a cylinder, an ellipsoid, a box and a sphere, just inside and just outside of their surfaces
static void points_are_inside_sites(void **state) {
    static const struct {
        const char *type;
        double edge[3]; // a point of the surface
    } CASES[] = {{"capsule", {0.1, 0, 0.2}},  {"capsule", {0, 0, 0.3}},     {"capsule", {0.06, 0, -0.28}},
                 {"cylinder", {0.1, 0, 0.1}}, {"cylinder", {0, 0.05, 0.2}}, {"ellipsoid", {0.1, 0, 0}},
                 {"ellipsoid", {0, -0.2, 0}}, {"ellipsoid", {0, 0, 0.3}},   {"box", {0.1, 0.1, 0.1}},
                 {"box", {0.05, 0.2, 0.1}},   {"box", {0.05, 0.1, -0.3}},   {"sphere", {0.06, 0, 0.08}}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        for (int out = 0; out < 2; out++) {
            char text[600];
            const double *e = CASES[i].edge, s = out ? 1.001 : 0.999;
            snprintf(text, sizeof text,
                     "<mujoco><worldbody><site name='room' type='%s' size='0.1 0.2 0.3' pos='1 0 0' euler='0 0 90'/>"
                     "<body><joint/><geom size='0.1'/><site name='p' pos='%.9g %.9g %.9g'/></body></worldbody><sensor>"
                     "<insidesite site='room' objtype='site' objname='p'/></sensor></mujoco>",
                     CASES[i].type, 1 - s * e[1], s * e[0], s * e[2]);
            tx_sim *sim = forward_of(load_text(text));
            if (tx_sim_array(sim, TX_ARRAY_SENSORDATA)[0] != (out ? 0 : 1))
                fail_msg("%s, case %zu: a point %s", CASES[i].type, i, out ? "outside" : "inside");
            destroy(sim);
        }
}

// ---- contacts
// --------------------------------------------------------------------------------------------------------

static void surfaces_are_mixed(void **state) {
    tx_surface a = {3, 0, {1, 0.1, 0.01}, 1, {0.02, 1}, {0.9, 0.95, 0.001, 0.5, 2}}, b = a;
    double friction[5], solref[2], solimp[5];
    int dim;
    b.solref[0] = 0.04, b.solimp[0] = 0.7, b.friction[0] = 0.5, b.condim = 1;
    const double mixes[][3] = {{1, 1, 0.5}, {3, 1, 0.75}, {0, 0, 0.5}, {0, 1, 0}, {1, 0, 1}};
    for (int i = 0; i < 5; i++) {
        a.solmix = mixes[i][0], b.solmix = mixes[i][1];
        double w = mixes[i][2];
        tx_mix_surfaces(&a, &b, &dim, friction, solref, solimp);
        assert_int_equal(dim, 3);
        assert_near(friction[0], 1, 0);
        assert_near(solref[0], w * 0.02 + (1 - w) * 0.04, 1e-15);
        assert_near(solimp[0], w * 0.9 + (1 - w) * 0.7, 1e-15);
    }
    // stiffness and damping given directly: the smaller, that is the stiffer
    a.solref[0] = -100, a.solref[1] = -3, a.solmix = b.solmix = 1;
    tx_mix_surfaces(&a, &b, &dim, friction, solref, solimp);
    assert_near(solref[0], -100, 0);
    assert_near(solref[1], -3, 0);
    // the higher priority alone
    b.priority = 1;
    tx_mix_surfaces(&a, &b, &dim, friction, solref, solimp);
    assert_int_equal(dim, 1);
    assert_near(friction[0], 0.5, 0);
    assert_near(solref[0], 0.04, 0);
    a.friction[0] = b.friction[0] = 0;
    tx_mix_surfaces(&a, &b, &dim, friction, solref, solimp);
    assert_near(friction[0], TX_LEAST_FRICTION, 0);
}

// friction is never nothing, not even by override
static void override_has_least_friction(void **state) {
    tx_model *model = load_text("<mujoco><option o_friction='0 0 0 0 0'><flag override='enable'/></option><worldbody>"
                                "<geom type='plane' size='1 1 1'/><body pos='0 0 0.09'><freejoint/><geom size='0.1' "
                                "condim='6'/></body></worldbody></mujoco>");
    tx_sim *sim = forward_of(model);
    int count;
    const tx_contact *contact = tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 1);
    for (int k = 0; k < 5; k++) assert_near(contact->friction[k], TX_LEAST_FRICTION, 0);
    // and by the other search
    tx_options o = tx_sim_options(sim);
    o.broadphase = TX_BROADPHASE_SWEEP;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    contact = tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 1);
    for (int k = 0; k < 5; k++) assert_near(contact->friction[k], TX_LEAST_FRICTION, 0);
    destroy(sim);
}

// the gap of a pair: its contacts are found from margin + gap on and act from the margin on
static void pairs_have_their_own_gap(void **state) {
    static const double HEIGHT[] = {0.1 + 0.031, 0.1 + 0.029, 0.1 + 0.011, 0.1 + 0.009};
    for (int i = 0; i < 4; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "<mujoco><worldbody><geom name='f' type='box' size='1 1 1' pos='0 0 -1'/><body pos='0 0 %.9g'><freejoint/>"
            "<geom name='g' size='0.1'/></body></worldbody><contact><pair geom1='f' geom2='g' margin='0.01' "
            "gap='0.02'/></contact></mujoco>",
            HEIGHT[i]);
        tx_sim *sim = forward_of(load_text(text));
        int count;
        const tx_contact *contact = tx_sim_contacts(sim, 0, &count);
        assert_int_equal(count, i > 0);
        if (count) assert_near(contact->includemargin, 0.01, 1e-15);
        if (count) assert_int_equal(contact->force[0] > 0, i == 3);
        destroy(sim);
    }
}

// what stands still may stand elsewhere in another environment, and after its parameters have changed
static void still_geoms_can_be_moved(void **state) {
    enum { MANY = 80, ENVS = 5 };
    static char text[MANY * 60 + 400];
    int at = snprintf(text, sizeof text,
                      "<mujoco><custom><text name='thixis.broadphase' data='sweep'/></custom><worldbody>");
    for (int i = 0; i < MANY; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "<geom type='box' size='0.2 0.2 0.1' pos='%d 0 0'/>", i);
    snprintf(text + at, sizeof text - (size_t)at,
             "<body pos='10 5 0.19'><freejoint/><geom name='ball' size='0.1'/></body></worldbody></mujoco>");
    tx_model *model = load_text(text);
    tx_sim *sim = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    int count;
    for (int round = -1; round < 3; round++) {
        // box 10 is under the ball in one environment only, and at first in none
        double *pos = tx_sim_param(sim, TX_PARAM_GEOM_POS);
        const int numbers = 3 * tx_model_size(model, TX_SIZE_NGEOM);
        for (int e = 0; e < ENVS; e++) pos[e * numbers + 3 * 10 + 1] = e == round ? 5 : 0;
        assert_int_equal(tx_sim_params_changed(sim), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        for (int e = 0; e < ENVS; e++) {
            const tx_contact *contact = tx_sim_contacts(sim, e, &count);
            assert_int_equal(count, e == round);
            if (count) assert_near(contact->dist, -0.01, 1e-12), assert_int_equal(contact->geom[1], 10);
        }
    }
    destroy(sim);
}

// signed distance and the way out, in closed form
static void shapes_are_functions(void **state) {
    static const struct {
        int type;
        double size[3], point[3], distance, way[3];
    } CASES[] = {{TX_GEOM_SPHERE, {0.5, 0, 0}, {3, 0, 4}, 4.5, {0.6, 0, 0.8}},
                 {TX_GEOM_SPHERE, {0.5, 0, 0}, {0, 0.1, 0}, -0.4, {0, 1, 0}},
                 {TX_GEOM_CAPSULE, {0.5, 1, 0}, {2, 0, 0.7}, 1.5, {1, 0, 0}},
                 {TX_GEOM_CAPSULE, {0.5, 1, 0}, {0.3, 0, 1.4}, 0, {0.6, 0, 0.8}},
                 {TX_GEOM_CAPSULE, {0.5, 1, 0}, {0, 0.3, -1.4}, 0, {0, 0.6, -0.8}},
                 {TX_GEOM_CYLINDER, {0.5, 1, 0}, {0, 2, 0.5}, 1.5, {0, 1, 0}},
                 {TX_GEOM_CYLINDER, {0.5, 1, 0}, {0.1, 0, 0.9}, -0.1, {0, 0, 1}},
                 {TX_GEOM_CYLINDER, {0.5, 1, 0}, {0.8, 0, -1.4}, 0.5, {0.6, 0, -0.8}},
                 {TX_GEOM_BOX, {1, 2, 3}, {1.3, 2.4, 0}, 0.5, {0.6, 0.8, 0}},
                 {TX_GEOM_BOX, {1, 2, 3}, {0.9, 0, 0}, -0.1, {1, 0, 0}},
                 {TX_GEOM_ELLIPSOID, {1, 2, 3}, {0, 2, 0}, 0, {0, 1, 0}},
                 {TX_GEOM_ELLIPSOID, {1, 2, 3}, {0, 0, -3}, 0, {0, 0, -1}}};
    const double origin[3] = {0}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tx_shape shape = {CASES[i].type, CASES[i].size, origin, eye, NULL};
        double way[3];
        assert_near(tx_implicit(&shape, CASES[i].point, way), CASES[i].distance, 1e-14);
        for (int k = 0; k < 3; k++) assert_near(way[k], CASES[i].way[k], 1e-14);
        assert_near(tx_implicit(&shape, CASES[i].point, NULL), CASES[i].distance, 1e-14);
    }
}

// a capsule without length is all side: a ball touches no end of it
static void short_capsules_have_no_ends(void **state) {
    const double size[2][3] = {{0.5, 0, 0}, {0.5, 0.4, 0}}, origin[3] = {0}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int side = -1; side <= 1; side += 2) {
        const double at[3] = {0.1, 0, 0.9 * side}, radius[3] = {0.5};
        const tx_shape ball = {TX_GEOM_SPHERE, radius, at, eye, NULL};
        for (int i = 0; i < 2; i++) {
            const tx_shape capsule = {TX_GEOM_CAPSULE, size[i], origin, eye, NULL};
            tx_hit hit;
            assert_int_equal(tx_pair_function(TX_GEOM_SPHERE, TX_GEOM_CAPSULE)(&ball, &capsule, 0, &hit), 1);
            uint32_t part = i == 0 ? tx_part_face(0) : tx_part_corner(side > 0);
            assert_true(hit.feature == tx_feature(tx_part_face(0), part));
        }
    }
}

// points of an overlap by portal refinement lie where the shapes touch, however small they are
static void portals_have_their_points(void **state) {
    const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (double scale = 1e-3; scale < 2e3; scale *= 10) {
        const double ball_size[3] = {0.5 * scale}, box_size[3] = {scale, scale, scale}, origin[3] = {0},
                     at[3] = {0.2 * scale, -0.3 * scale, 1.45 * scale};
        const tx_shape ball = {TX_GEOM_SPHERE, ball_size, at, eye, NULL},
                       box = {TX_GEOM_BOX, box_size, origin, eye, NULL};
        tx_convex a, b;
        tx_convex_result r;
        assert_true(tx_convex_from_shape(&a, &box) && tx_convex_from_shape(&b, &ball));
        assert_true(tx_mpr_overlap(&a, &b, &r));
        assert_near(r.dist, -0.05 * scale, 1e-6 * scale);
        for (int k = 0; k < 3; k++) {
            assert_near(r.on_a[k], k == 2 ? scale : at[k], 1e-2 * scale);
            assert_near(r.on_b[k], k == 2 ? 0.95 * scale : at[k], 1e-2 * scale);
        }
    }
}

// ---- files
// -----------------------------------------------------------------------------------------------------------

static void whole_numbers_end_at_int_max(void **state) {
    tx_number_problem problem;
    int value;
    assert_int_equal(tx_read_ints("2147483647", &value, 1, &problem), 1);
    assert_int_equal(value, 2147483647);
    assert_int_equal(tx_read_ints("-2147483647", &value, 1, &problem), 1);
    assert_int_equal(value, -2147483647);
    static const char *const LARGE[] = {"2147483648", "4294967297", "18446744073709551617", "99999999999999999999999",
                                        "340282366920938463463374607431768211457"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(tx_read_ints(LARGE[i], &value, 1, &problem), -1);
        assert_int_equal(problem.error, TX_NUMBER_RANGE);
    }
}

// a corner far beyond every vertex is no corner, also where its digits would run over
static void corners_of_an_obj_exist(void **state) {
    static const char *const CORNERS[] = {
        "5", "0", "2147483648", "18446744073709551617", "-5", "-18446744073709551615", "36893488147419103233"};
    for (int i = 0; i < 7; i++) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 %s\n", CORNERS[i]);
        tx_mesh_data data = {0};
        tx_diag diag = {0};
        assert_false(tx_mesh_read_obj(text, strlen(text), "text", &data, &diag));
        assert_int_equal(diag.errors, 1);
        assert_non_null(strstr(diag.messages[0].text, "vertex"));
        tx_mesh_release(&data), tx_diag_free(&diag);
    }
}

// a face of four corners is cut along its shorter diagonal, in any direction
static void quads_are_cut_along_the_shorter_diagonal(void **state) {
    static const struct {
        const char *vertices;
        int cut[2]; // both triangles have these corners
    } CASES[] = {{"v 0 0 10\nv 0.5 1 -1\nv 1 0 10\nv 0.5 -1 1\n", {0, 2}},
                 {"v 0 0 0\nv 2 0 0\nv 3 0 1\nv 1 0 1\n", {1, 3}},
                 {"v 0 10 0\nv 1 -1 0.5\nv 0 10 1\nv -1 1 0.5\n", {0, 2}},
                 {"v 10 0 0\nv -1 1 0.5\nv 10 0 1\nv 1 -1 0.5\n", {0, 2}}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%sf 1 2 3 4\n", CASES[i].vertices);
        tx_mesh_data data = {0};
        assert_true(tx_mesh_read_obj(text, strlen(text), "text", &data, NULL));
        assert_int_equal(data.face_count, 2);
        for (int f = 0; f < 2; f++) {
            int found = 0;
            for (int k = 0; k < 3; k++)
                found += data.faces[3 * f + k] == CASES[i].cut[0] || data.faces[3 * f + k] == CASES[i].cut[1];
            assert_int_equal(found, 2);
        }
        tx_mesh_release(&data);
    }
}

// a square of side two with a dent
static const double OUTLINE[5][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 0.5}, {0, 2}};

// of the three triangles that it is cut into, in its own plane
static double area_of(const tx_mesh_data *data) {
    double area = 0;
    for (int f = 0; f < 3; f++) {
        const int *c = data->faces + 3 * f;
        const double *p = OUTLINE[c[0]], *q = OUTLINE[c[1]], *r = OUTLINE[c[2]];
        area += fabs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2;
    }
    return area;
}

// a face with a dent is cut inside its outline, however the face lies: the triangles add up to its area
static void dented_faces_keep_their_area(void **state) {
    static const double TILT[4] = {0, 1e-9, 0.3, 1e9};
    for (int axis = 0; axis < 3; axis++)
        for (int tilt = 0; tilt < 4; tilt++)
            for (int other = 0; other < 2; other++) {
                char text[600] = "";
                for (int i = 0; i < 5; i++) {
                    double v[3];
                    v[(axis + 1) % 3] = OUTLINE[i][0], v[(axis + 2) % 3] = OUTLINE[i][1];
                    v[axis] = TILT[tilt] * OUTLINE[i][other];
                    snprintf(text + strlen(text), 100, "v %.9g %.9g %.9g\n", v[0], v[1], v[2]);
                }
                strcat(text, "f 1 2 3 4 5\n");
                tx_mesh_data data = {0};
                assert_true(tx_mesh_read_obj(text, strlen(text), "text", &data, NULL));
                assert_int_equal(data.face_count, 3);
                assert_near(area_of(&data), 2.5, 1e-12); // the square without the dent
                tx_mesh_release(&data);
            }
}

// a face that is bent out of its plane is cut as it is seen along the axis that shows its first bend best
static void bent_faces_are_cut_as_seen(void **state) {
    static const double HEIGHT[4] = {-3, -1, 1, 3};
    for (int i = 0; i < 16; i++) {
        // the first bend is (0.5, 0, 2) x 2
        const double z[5] = {0, 0.5, 0.5, HEIGHT[i % 4], HEIGHT[i / 4]};
        char text[600] = "";
        for (int k = 0; k < 5; k++)
            snprintf(text + strlen(text), 100, "v %g %g %g\n", OUTLINE[k][0], OUTLINE[k][1], z[k]);
        strcat(text, "f 1 2 3 4 5\n");
        tx_mesh_data data = {0};
        assert_true(tx_mesh_read_obj(text, strlen(text), "text", &data, NULL));
        assert_int_equal(data.face_count, 3);
        assert_near(area_of(&data), 2.5, 1e-12);
        tx_mesh_release(&data);
    }
}

// what only shows is left out: a geom that touches by one of its two masks does not only show
static void half_masks_are_kept(void **state) {
    tx_model *model = load_text("<mujoco><compiler discardvisual='true'/><worldbody><geom size='1' conaffinity='0'/>"
                                "<geom size='1' contype='0'/><geom size='1' contype='0' conaffinity='0'/>"
                                "</worldbody></mujoco>");
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 2);
    tx_model_destroy(model);
}

// a rotation that a weld is given stays, whichever of its numbers is not zero; without one it is that of the start
static void welds_keep_their_rotation(void **state) {
    for (int k = 0; k < 5; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='a' quat='.6 0 .8 0'><freejoint/><geom size='1'/></body></worldbody>"
                 "<equality><weld body1='a' relpose='1 2 3 %d %d %d %d'/></equality></mujoco>",
                 2 * (k == 0), 2 * (k == 1), 2 * (k == 2), 2 * (k == 3));
        tx_model *model = load_text(text);
        const double start[4] = {0.6, 0, -0.8, 0};
        for (int i = 0; i < 4; i++) assert_near(model->eq_data[6 + i], k == 4 ? start[i] : i == k, 1e-15);
        tx_model_destroy(model);
    }
}

// springs that yield have their numbers one behind the other
static void plastic_numbers_follow_each_other(void **state) {
    tx_model *model = load_scene("core_yield");
    const char *why = NULL;
    int yielding = 0;
    assert_true(tx_model_validate(model, &why));
    for (int j = 0; j < model->njnt; j++) {
        int *at = (int *)model->jnt_plastic + j;
        if (*at < 0) continue;
        const int kept = *at;
        *at += kept > 0 ? -1 : 1;
        assert_false(tx_model_validate(model, &why));
        assert_non_null(strstr(why, "jnt_plastic"));
        *at = kept, yielding++;
    }
    assert_true(tx_model_validate(model, &why));
    assert_true(yielding > 1);
    tx_model_destroy(model);
}

// an equality is between bodies or between sites: half of each is an error
static void equalities_have_one_kind_of_ends(void **state) {
    static const char *const BAD[] = {"<connect body1='a' anchor='0 0 0' site1='s'/>",
                                      "<weld body1='a' site2='s'/>",
                                      "<connect site1='s' site2='t' body1='a'/>",
                                      "<connect site1='s'/>",
                                      "<connect body1='a'/>",
                                      "<weld site1='s' site2='t' relpose='0 0 0 1 0 0 0'/>"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><site name='t'/><body name='a'><freejoint/><geom size='1'/><site name='s'/></body>"
                 "</worldbody><equality>%s</equality></mujoco>",
                 BAD[i]);
        tx_diag diag = {0};
        assert_null(tx_load_string(text, strlen(text), "text", &diag));
        assert_int_equal(diag.errors, 1);
        assert_non_null(strstr(diag.messages[0].text, "or 'site1' and 'site2'"));
        tx_diag_free(&diag);
    }
}

// a range with one end is no empty range
static void half_a_range_is_none(void **state) {
    static const struct {
        const char *limit;
        int warnings;
    } CASES[] = {{"lower='1' upper='-1'", 1}, {"lower='1'", 0}, {"upper='-1'", 0}, {"lower='-1' upper='1'", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                 "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='revolute'><parent link='a'/>"
                 "<child link='b'/><axis xyz='0 0 1'/><limit effort='1' velocity='1' %s/></joint></robot>",
                 CASES[i].limit);
        tx_diag diag = {0};
        tx_model *model = tx_load_string(text, strlen(text), "r.urdf", &diag);
        assert_non_null(model);
        int empty = 0;
        for (int k = 0; k < diag.count; k++) empty += strstr(diag.messages[k].text, "is empty") != NULL;
        assert_int_equal(empty, CASES[i].warnings);
        tx_diag_free(&diag), tx_model_destroy(model);
    }
}

// a set of sensors is asked for by its own bits
static void models_know_what_they_sense(void **state) {
    tx_model *model = load_text("<mujoco><worldbody><geom size='1'/></worldbody><sensor><clock/></sensor></mujoco>");
    for (int type = 0; type < TX_SENSOR_COUNT; type++)
        assert_int_equal(tx_model_senses(model, (uint64_t)1 << type), type == TX_SENSOR_CLOCK);
    tx_model_destroy(model);
}

// a binary STL has exactly the bytes of its triangles
static void stl_files_have_their_size(void **state) {
    char bytes[84 + 50 + 2] = {0};
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    bytes[80] = 1;
    memcpy(bytes + 84 + 12, corners, sizeof corners);
    for (int more = -1; more <= 2; more++) {
        tx_mesh_data data = {0};
        tx_diag diag = {0};
        bool good = tx_mesh_read_stl(bytes, (size_t)(84 + 50 + more), "text", &data, &diag);
        assert_int_equal(good, more == 0);
        if (good) assert_int_equal(data.face_count, 1);
        else assert_non_null(strstr(diag.messages[0].text, "134"));
        tx_mesh_release(&data), tx_diag_free(&diag);
    }
}

static void height_fields_are_checked(void **state) {
    static const double flat[4] = {0, 1, 2, 3}, wild[4] = {0, 1, 2, NAN};
    static const struct {
        int nrow, ncol;
        double size[4];
        const double *elevation;
        const char *word;
    } CASES[] = {{1, 3, {1, 1, 1, 1}, flat, "1 rows and 3 columns"},   {70000, 70000, {1, 1, 1, 1}, flat, "too many"},
                 {2, 2, {0, 1, 1, 1}, flat, "sizes must be positive"}, {2, 2, {1, 1, 1, -1}, flat, "sizes must be"},
                 {2, 2, {1, 1, NAN, 1}, flat, "sizes must be"},        {2, 2, {1, 1, 1, 1}, wild, "height 3"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tx_builder *b = tx_builder_create();
        tx_hfield_def def = {"h", CASES[i].nrow, CASES[i].ncol, {0}, CASES[i].elevation, {0}};
        memcpy(def.size, CASES[i].size, sizeof def.size);
        tx_diag diag = {0};
        assert_int_equal(tx_builder_hfield(b, &def), 0);
        assert_null(tx_builder_compile(b, &diag));
        assert_non_null(strstr(diag.messages[0].text, CASES[i].word));
        tx_diag_free(&diag), tx_builder_destroy(b);
    }
}

// options that only we have are saved whatever their digits: 0.25 and 0.5 differ in the first half of their bytes alone
static void our_options_are_saved(void **state) {
    char path[] = "/tmp/test_facts_XXXXXX.xml";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    for (double ratio = 0.125; ratio <= 1; ratio *= 2) {
        char text[300];
        snprintf(text, sizeof text,
                 "<mujoco><custom><numeric name='thixis.mpr_to_gjk_overlap_ratio' data='%g'/></custom><worldbody><geom "
                 "size='1'/></worldbody></mujoco>",
                 ratio);
        tx_model *model = load_text(text), *back;
        assert_near(tx_model_options(model)->mpr_to_gjk_overlap_ratio, ratio, 0);
        assert_int_equal(tx_save_mjcf(model, path, NULL), TX_OK);
        assert_non_null(back = tx_load_file(path, NULL));
        assert_near(tx_model_options(back)->mpr_to_gjk_overlap_ratio, ratio, 0);
        tx_model_destroy(model), tx_model_destroy(back);
    }
    unlink(path);
}

static int files_in(const char *folder) {
    int count = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    while (readdir(all)) count++;
    closedir(all);
    return count - 2; // without . and ..
}

// a file that cannot be written whole stays as it was, and nothing is left beside it
static void files_are_whole_or_as_before(void **state) {
    char folder[] = "/tmp/test_facts.XXXXXX", path[80];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model", folder);
    tx_model *model = load_scene("pendulum"), *other = load_scene("humanoid");
    assert_int_equal(tx_model_write(model, path), TX_OK);
    assert_int_equal(files_in(folder), 1);
    // a disk that is full after a thousand bytes
    struct rlimit before, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before, little.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    tx_result result = tx_model_write(other, path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(result, TX_ERROR_FILE);
    assert_int_equal(files_in(folder), 1);
    tx_model *back = tx_model_read(path, NULL);
    assert_non_null(back);
    size_t size, back_size;
    const void *bytes = tx_model_bytes(model, &size), *back_bytes = tx_model_bytes(back, &back_size);
    assert_int_equal(size, back_size);
    assert_memory_equal(bytes, back_bytes, size);
    // nothing else in the folder is touched, whatever its name
    char beside[80];
    snprintf(beside, sizeof beside, "%.*s", (int)strlen(path) - 1, path);
    assert_int_equal(tx_model_write(model, beside), TX_OK);
    assert_int_equal(tx_model_write(other, path), TX_OK);
    assert_int_equal(files_in(folder), 2);
    tx_model *kept = tx_model_read(beside, NULL);
    assert_non_null(kept);
    assert_int_equal(tx_model_size(kept, TX_SIZE_NV), tx_model_size(model, TX_SIZE_NV));
    tx_model_destroy(kept);
    unlink(beside), unlink(path), rmdir(folder);
    tx_model_destroy(model), tx_model_destroy(other), tx_model_destroy(back);
}

// environments that are left out keep every bit, also where they share lanes with others, also what the user has just
// written; those that move do as if all did
static void some_move_and_others_stay(void **state) {
    enum { ENVS = 11, STEPS = 7 };
    const char *scenes[] = {"arm", "sleep_dominoes"};
    for (int i = 0; i < 2; i++)
        for (int rk4 = 0; rk4 < 2; rk4++) {
            tx_model *model = load_scene(scenes[i]);
            tx_sim *all = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0),
                   *some = make_sim(model, ENVS, 2, TX_TARGET_AUTO, 0),
                   *start = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
            tx_sim *sims[] = {all, some, start};
            const uint8_t mask[ENVS] = {1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1};
            for (int s = 0; s < 3; s++) {
                tx_options options = tx_sim_options(sims[s]);
                if (rk4) options.integrator = TX_INTEGRATOR_RK4;
                assert_int_equal(tx_sim_set_options(sims[s], &options), TX_OK);
                spread(sims[s]);
                assert_int_equal(tx_sim_step_n(sims[s], 3), TX_OK);
                tx_sim_array(sims[s], TX_ARRAY_QVEL)[0] += 0.25, tx_sim_array(sims[s], TX_ARRAY_QVEL)[1] -= 0.25;
            }
            assert_int_equal(tx_sim_step_n(all, STEPS), TX_OK);
            assert_int_equal(tx_sim_step_some(some, STEPS, mask), TX_OK);
            for (int e = 0; e < ENVS; e++) assert_true(same_state(some, e, mask[e] ? all : start, e));
            // the ones that stayed catch up
            uint8_t rest[ENVS];
            for (int e = 0; e < ENVS; e++) rest[e] = !mask[e];
            assert_int_equal(tx_sim_step_some(some, STEPS, rest), TX_OK);
            for (int e = 0; e < ENVS; e++) assert_true(same_state(some, e, all, e));
            assert_true(tx_sim_hash(some) == tx_sim_hash(all));
            assert_int_equal(tx_sim_info(some).env_steps, tx_sim_info(all).env_steps);
            for (int s = 0; s < 3; s++) tx_sim_destroy(sims[s]);
            tx_model_destroy(model);
        }
}

// a ball that lies on the floor while the user pushes and turns it: about its own centre, which is its tree's, the
// floor gives its weight and what pushes it down; what it weighs does not depend on where it is
static void bodies_feel_what_touches_them(void **state) {
    tx_sim *sim = sim_of(load_text("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                                   "<body pos='3 2 .1'><freejoint/><geom size='.1' mass='2'/></body>"
                                   "</worldbody></mujoco>"));
    double *push = tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED) + 6;
    push[2] = -5;
    assert_int_equal(tx_sim_step_n(sim, 1500), TX_OK);
    const double *felt = tx_sim_array(sim, TX_ARRAY_CFRC_EXT);
    for (int k = 0; k < 6; k++) assert_near(felt[k], 0, 0); // the world feels nothing, as in MuJoCo
    // at rest: the floor gives 2 g + 5, the user takes 5
    assert_near(felt[6 + 5], 2 * 9.81, 1e-6);
    for (int k = 0; k < 5; k++) assert_near(felt[6 + k], 0, 1e-6);
    push[2] = 0, push[4] = 0.25;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    felt = tx_sim_array(sim, TX_ARRAY_CFRC_EXT);
    // friction turns against the user by less than mu times weight times radius
    assert_true(felt[6 + 1] < 0.25 && felt[6 + 1] > 0.25 - 2 * 9.81 * 0.1);
    const double *inertia = (const double *)tx_sim_array(sim, TX_ARRAY_CINERT) + 10;
    const double expected[10] = {0.008, 0.008, 0.008, 0, 0, 0, 0, 0, 0, 2}; // 2/5 m r2
    for (int k = 0; k < 10; k++) assert_near(inertia[k], expected[k], 1e-15);
    destroy(sim);
}

// a belt carries at its own speed, a turntable at its angular velocity times the distance from its axis
static void belts_carry(void **state) {
    static const char *const LAWS[] = {"soft", "soft_elliptic", "sap", "similar", "lagged"};
    static const int DIMS[] = {3, 4, 6};
    for (int k = 0; k < 15; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><default><geom condim='%d'/></default><worldbody>"
                 "<geom type='plane' size='9 9 1' surfacevel='0.5 -0.2 3 0 0 0'/>"
                 "<body pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
                 "<geom type='cylinder' size='2 0.1' pos='20 0 0' surfacevel='0 0 0 0 0 0.5'/>"
                 "<body pos='21 0 0.2'><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
                 "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>",
                 DIMS[k / 5]);
        tx_sim *sim = sim_of(load_text(text));
        tx_options o = tx_sim_options(sim);
        for (o.law = 0; strcmp(tx_law_name(o.law), LAWS[k % 5]) != 0; o.law++) assert_non_null(tx_law_name(o.law + 1));
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        assert_int_equal(tx_sim_step_n(sim, 1500), TX_OK);
        const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        assert_near(v[0], 0.5, 1e-6);
        assert_near(v[1], -0.2, 1e-6);
        assert_near(v[2], 0, 1e-6);
        // it is carried away from where it began, along y, where the speed across the axis is still w x = 0.5
        assert_near(v[6], 0.5, 1e-6);
        destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rollout_is_steps),
                                       cmocka_unit_test(hash_knows_one_nan),
                                       cmocka_unit_test(divergence_has_its_time),
                                       cmocka_unit_test(the_diverged_stand_still),
                                       cmocka_unit_test(another_law_starts_anew),
                                       cmocka_unit_test(damping_differs_by_lane),
                                       cmocka_unit_test(lanes_keep_to_their_bytes),
                                       cmocka_unit_test(sensors_have_their_time),
                                       cmocka_unit_test(free_joints_have_springs),
                                       cmocka_unit_test(compensation_is_passive),
                                       cmocka_unit_test(tendons_limit_their_actuators),
                                       cmocka_unit_test(clamped_forces_do_not_damp),
                                       cmocka_unit_test(muscles_pull_back),
                                       cmocka_unit_test(some_move_and_others_stay),
                                       cmocka_unit_test(bodies_feel_what_touches_them),
                                       cmocka_unit_test(muscles_pull),
                                       cmocka_unit_test(muscles_change_smoothly),
                                       cmocka_unit_test(adhesion_takes_the_mean_of_contacts),
                                       cmocka_unit_test(what_a_tendon_wraps_is_kept),
                                       cmocka_unit_test(tendons_go_the_long_way),
                                       cmocka_unit_test(massless_trees_have_a_place),
                                       cmocka_unit_test(touch_has_a_direction),
                                       cmocka_unit_test(points_are_inside_sites),
                                       cmocka_unit_test(surfaces_are_mixed),
                                       cmocka_unit_test(belts_carry),
                                       cmocka_unit_test(override_has_least_friction),
                                       cmocka_unit_test(pairs_have_their_own_gap),
                                       cmocka_unit_test(still_geoms_can_be_moved),
                                       cmocka_unit_test(shapes_are_functions),
                                       cmocka_unit_test(whole_numbers_end_at_int_max),
                                       cmocka_unit_test(corners_of_an_obj_exist),
                                       cmocka_unit_test(quads_are_cut_along_the_shorter_diagonal),
                                       cmocka_unit_test(dented_faces_keep_their_area),
                                       cmocka_unit_test(bent_faces_are_cut_as_seen),
                                       cmocka_unit_test(half_masks_are_kept),
                                       cmocka_unit_test(plastic_numbers_follow_each_other),
                                       cmocka_unit_test(welds_keep_their_rotation),
                                       cmocka_unit_test(half_a_range_is_none),
                                       cmocka_unit_test(models_know_what_they_sense),
                                       cmocka_unit_test(short_capsules_have_no_ends),
                                       cmocka_unit_test(portals_have_their_points),
                                       cmocka_unit_test(equalities_have_one_kind_of_ends),
                                       cmocka_unit_test(stl_files_have_their_size),
                                       cmocka_unit_test(height_fields_are_checked),
                                       cmocka_unit_test(our_options_are_saved),
                                       cmocka_unit_test(files_are_whole_or_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
