// test_sim.c - what a simulation does when asked: options, reset, forward, parameters, applied forces, and errors
// instead of crashes for wrong arguments.
#include <fenv.h>

#include "near.h"
#include "simulate.h"

// ---- options, reset, forward ---------------------------------------------------------------------------------------

static void wrong_options_are_refused(void **state) {
    tx_model *model = load_scene("pendulum");
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    const tx_options good = tx_sim_options(sim);
    tx_options o;
#define REFUSED(field, value, result)                      \
    o = good, o.field = value;                             \
    assert_int_equal(tx_sim_set_options(sim, &o), result); \
    o = tx_sim_options(sim);                               \
    assert_memory_equal(&o.timestep, &good.timestep, sizeof o.timestep);
    REFUSED(timestep, 0, TX_ERROR_ARGUMENT)
    REFUSED(timestep, -0.001, TX_ERROR_ARGUMENT)
    REFUSED(timestep, NAN, TX_ERROR_ARGUMENT)
    REFUSED(timestep, INFINITY, TX_ERROR_ARGUMENT)
    REFUSED(tolerance, -2, TX_ERROR_ARGUMENT)
    REFUSED(tolerance, NAN, TX_ERROR_ARGUMENT)
    REFUSED(ls_tolerance, -1, TX_ERROR_ARGUMENT)
    REFUSED(impratio, 0, TX_ERROR_ARGUMENT)
    REFUSED(impratio, NAN, TX_ERROR_ARGUMENT)
    REFUSED(iterations, -1, TX_ERROR_ARGUMENT)
    REFUSED(o_margin, NAN, TX_ERROR_ARGUMENT)
    REFUSED(o_solref[1], INFINITY, TX_ERROR_ARGUMENT)
    REFUSED(o_solimp[4], NAN, TX_ERROR_ARGUMENT)
    REFUSED(o_friction[2], -1, TX_ERROR_ARGUMENT)
    REFUSED(ls_iterations, 0, TX_ERROR_ARGUMENT)
    int laws = 0;
    while (tx_law_name(laws)) laws++;
    REFUSED(law, laws, TX_ERROR_UNSUPPORTED)
    REFUSED(law, 99, TX_ERROR_UNSUPPORTED)
    REFUSED(law, -1, TX_ERROR_UNSUPPORTED)
    REFUSED(solver, 99, TX_ERROR_UNSUPPORTED)
    REFUSED(solver, -1, TX_ERROR_UNSUPPORTED)
    assert_int_equal(tx_sim_set_options(sim, NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_set_options(NULL, &good), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_set_options(sim, &good), TX_OK);
    assert_string_equal(tx_law_name(0), "soft");
    assert_string_equal(tx_solver_name(0), "newton");
    assert_null(tx_law_name(99));
    assert_null(tx_solver_name(-1));
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// switches of <option><flag>: without gravity nothing falls, without contact all falls through, without actuation
// motors rest
static void switches_do_what_they_say(void **state) {
    tx_model *model = load_scene("resting_sphere");
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    tx_options o = tx_sim_options(sim);
    o.contact = false;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    tx_sim_step_n(sim, 100);
    // free fall by semi-implicit Euler: v = -g n h
    assert_true(fabs(tx_sim_array(sim, TX_ARRAY_QVEL)[2] + 9.81 * 100 * o.timestep) < 1e-12);
    o.gravity = false;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    tx_sim_reset(sim, -1, NULL);
    tx_sim_step_n(sim, 100);
    assert_true(tx_sim_array(sim, TX_ARRAY_QVEL)[2] == 0);
    tx_sim_destroy(sim);
    tx_model_destroy(model);

    model = load_scene("humanoid");
    sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    for (int u = 0; u < tx_model_size(model, TX_SIZE_NU); u++) tx_sim_array(sim, TX_ARRAY_CTRL)[u] = 0.5;
    tx_sim_forward(sim);
    assert_true(tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[6] != 0);
    o = tx_sim_options(sim);
    o.actuation = false;
    tx_sim_set_options(sim, &o);
    tx_sim_forward(sim);
    for (int d = 0; d < tx_model_size(model, TX_SIZE_NV); d++)
        assert_true(tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[d] == 0);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void reset_goes_to_the_keyframe(void **state) {
    tx_model *model = load_scene("humanoid");
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV),
              keys = tx_model_size(model, TX_SIZE_NKEY);
    tx_sim *sim = make_sim(model, 5, 1, TX_TARGET_AUTO, 0), *fresh = make_sim(model, 5, 1, TX_TARGET_AUTO, 0);
    const double *key_qpos = tx_model_data_array(model, TX_DATA_KEY_QPOS, NULL),
                 *qpos0 = tx_model_params(model, TX_PARAM_QPOS0, NULL);
    spread(sim);
    tx_sim_step_n(sim, 50);
    const uint8_t mask[5] = {0, 1, 0, 0, 1};
    double kept[200];
    memcpy(kept, tx_sim_array(sim, TX_ARRAY_QPOS) + 2 * nq, sizeof(double) * (size_t)nq);
    assert_int_equal(tx_sim_reset(sim, 1, mask), TX_OK);
    assert_memory_equal(tx_sim_array(sim, TX_ARRAY_QPOS) + nq, key_qpos + nq, sizeof(double) * (size_t)nq);
    assert_memory_equal(tx_sim_array(sim, TX_ARRAY_QPOS) + 4 * nq, key_qpos + nq, sizeof(double) * (size_t)nq);
    assert_memory_equal(tx_sim_array(sim, TX_ARRAY_QPOS) + 2 * nq, kept, sizeof(double) * (size_t)nq);
    for (int d = 0; d < nv; d++)
        assert_true(tx_sim_array(sim, TX_ARRAY_QVEL)[nv + d] == 0 &&
                    tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[nv + d] == 0);
    assert_true(tx_sim_array(sim, TX_ARRAY_TIME)[1] == 0 && tx_sim_array(sim, TX_ARRAY_TIME)[2] > 0);
    // all of it, back to the very start: nothing of the past is left
    assert_int_equal(tx_sim_reset(sim, -1, NULL), TX_OK);
    assert_memory_equal(tx_sim_array(sim, TX_ARRAY_QPOS), qpos0, sizeof(double) * (size_t)nq);
    tx_sim_step_n(sim, 20), tx_sim_step_n(fresh, 20);
    assert_int_equal(tx_sim_hash(sim), tx_sim_hash(fresh));
    assert_int_equal(tx_sim_reset(sim, keys, NULL), TX_ERROR_ARGUMENT);
    tx_sim_destroy(sim), tx_sim_destroy(fresh);
    tx_model_destroy(model);
}

static void forward_leaves_the_state_alone(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim *sim = make_sim(model, 10, 2, TX_TARGET_AUTO, 1), *plain = make_sim(model, 10, 2, TX_TARGET_AUTO, 0);
    spread(sim), spread(plain);
    for (int i = 0; i < 50; i++) {
        uint64_t hash = tx_sim_hash(sim);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        assert_int_equal(tx_sim_hash(sim), hash);
        tx_sim_step(sim), tx_sim_step(plain);
        assert_int_equal(tx_sim_hash(sim), tx_sim_hash(plain));
    }
    // what forward computes is what the next step uses
    const size_t bytes = sizeof(double) * 10 * (size_t)tx_model_size(model, TX_SIZE_NV);
    double *acc = malloc(bytes);
    tx_sim_forward(sim);
    memcpy(acc, tx_sim_array(sim, TX_ARRAY_QACC), bytes);
    tx_sim_step(sim);
    assert_memory_equal(acc, tx_sim_array(sim, TX_ARRAY_QACC), bytes);
    assert_memory_equal(acc, tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART), bytes);
    free(acc);
    tx_sim_destroy(sim), tx_sim_destroy(plain);
    tx_model_destroy(model);
}

static void one_call_of_n_steps_equals_n_calls(void **state) {
    tx_model *model = load_scene("balls");
    tx_sim *a = make_sim(model, 10, 2, TX_TARGET_AUTO, 0), *b = make_sim(model, 10, 1, TX_TARGET_AUTO, 0);
    spread(a), spread(b);
    tx_sim_step_n(a, 0);
    tx_sim_step_n(a, 200);
    for (int i = 0; i < 200; i++) tx_sim_step(b);
    for (int e = 0; e < 10; e++) assert_true(same_state(a, e, b, e));
    assert_int_equal(tx_sim_info(a).env_steps, 2000);
    tx_sim_info_clear(a);
    assert_int_equal(tx_sim_info(a).env_steps, 0);
    tx_sim_destroy(a), tx_sim_destroy(b);
    tx_model_destroy(model);
}

// the caller's floating-point mode changes nothing: the library sets its own and puts the old one back
static void rounding_mode_of_the_caller_does_not_matter(void **state) {
    tx_model *model = load_scene("humanoid");
    uint64_t hash[2];
    for (int up = 0; up < 2; up++) {
        tx_sim *sim = make_sim(model, 9, 2, TX_TARGET_AUTO, 0);
        spread(sim);
        double *mass = tx_sim_param(sim, TX_PARAM_BODY_MASS);
        for (int i = 0; i < 9 * tx_model_size(model, TX_SIZE_NBODY); i++) mass[i] *= 1.25;
        if (up) fesetround(FE_UPWARD);
        tx_sim_params_changed(sim);
        tx_sim_step_n(sim, 100);
        assert_int_equal(fegetround(), up ? FE_UPWARD : FE_TONEAREST);
        fesetround(FE_TONEAREST);
        hash[up] = tx_sim_hash(sim);
        tx_sim_destroy(sim);
    }
    assert_int_equal(hash[0], hash[1]);
    tx_model_destroy(model);
}

// ---- parameters per environment ------------------------------------------------------------------------------------

// asking for parameters changes nothing; derived constants stay those of the values that were announced
static void asking_for_a_parameter_changes_nothing(void **state) {
    tx_model *model = load_scene("humanoid");
    const int nbody = tx_model_size(model, TX_SIZE_NBODY);
    for (int place = 0; place < 2; place++) {
        int envs = place ? 9 : 1;
        tx_sim *plain = make_sim(model, envs, 1, TX_TARGET_AUTO, 0),
               *asked = make_sim(model, envs, 1, TX_TARGET_AUTO, 0);
        spread(plain), spread(asked);
        assert_non_null(tx_sim_param(asked, TX_PARAM_BODY_MASS));
        tx_sim_step_n(plain, 100), tx_sim_step_n(asked, 100);
        assert_int_equal(tx_sim_hash(plain), tx_sim_hash(asked));
        tx_sim_params_changed(asked);
        tx_sim_step_n(plain, 100), tx_sim_step_n(asked, 100);
        assert_int_equal(tx_sim_hash(plain), tx_sim_hash(asked));
        // now with changed masses in both; one of them looks at the friction afterwards
        for (int i = 0; i < 2; i++) {
            tx_sim *sim = i ? asked : plain;
            for (int k = 0; k < envs * nbody; k++) tx_sim_param(sim, TX_PARAM_BODY_MASS)[k] *= 1.5;
            tx_sim_params_changed(sim);
        }
        assert_non_null(tx_sim_param(asked, TX_PARAM_GEOM_FRICTION));
        tx_sim_step_n(plain, 100), tx_sim_step_n(asked, 100);
        assert_int_equal(tx_sim_hash(plain), tx_sim_hash(asked));
        tx_sim_destroy(plain), tx_sim_destroy(asked);
    }
    assert_null(tx_sim_param(NULL, TX_PARAM_BODY_MASS));
    tx_model_destroy(model);
}

// a free ball of any mass falls with its own gravity
static void gravity_can_differ(void **state) {
    tx_model *model = load_scene("resting_sphere");
    tx_sim *sim = make_sim(model, 9, 1, TX_TARGET_AUTO, 0);
    for (int e = 0; e < 9; e++) {
        tx_sim_param(sim, TX_PARAM_GRAVITY)[3 * e + 2] = -(double)e;
        tx_sim_param(sim, TX_PARAM_BODY_MASS)[2 * e + 1] *= 1 + e;
        tx_sim_array(sim, TX_ARRAY_QPOS)[7 * e + 2] = 10;
    }
    tx_sim_params_changed(sim);
    tx_sim_forward(sim);
    for (int e = 0; e < 9; e++) assert_true(fabs(tx_sim_array(sim, TX_ARRAY_QACC)[6 * e + 2] + e) < 1e-14 * (1 + e));
    assert_null(tx_sim_param(sim, TX_PARAM_MEANINERTIA));
    assert_null(tx_sim_param(sim, TX_PARAM_BODY_INVWEIGHT0));
    assert_null(tx_sim_param(sim, TX_PARAM_COUNT));
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- applied forces ------------------------------------------------------------------------------------------------

// a free body whose centre of mass is off its origin: a = f/m at the centre, I dw/dt = torque about it
static void free_body_obeys_newton(void **state) {
    tx_builder *builder = tx_builder_create();
    tx_body_def body = tx_default_body_def();
    body.has_inertial = true, body.mass = 2;
    body.ipos[0] = 0.3, body.ipos[1] = -0.2, body.ipos[2] = 0.1;
    body.inertia[0] = 0.02, body.inertia[1] = 0.03, body.inertia[2] = 0.04;
    int b = tx_builder_body(builder, 0, &body);
    tx_joint_def joint = tx_default_joint_def();
    joint.type = TX_JOINT_FREE;
    tx_builder_joint(builder, b, &joint);
    const double none[3] = {0};
    tx_builder_gravity(builder, none);
    tx_diag diag = {0};
    tx_model *model = tx_builder_compile(builder, &diag);
    assert_non_null(model);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    const double f[6] = {1, -2, 3, 0.1, 0.2, -0.3};
    memcpy(tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED) + 6, f, sizeof f);
    tx_sim_forward(sim);
    // at rest, axes parallel to the world: dw = I^-1 torque, acceleration of the origin = f/m - dw x ipos
    const double *acc = tx_sim_array(sim, TX_ARRAY_QACC), *c = body.ipos;
    double w[3], a[3];
    for (int k = 0; k < 3; k++) w[k] = f[3 + k] / body.inertia[k];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        a[k] = f[k] / body.mass - (w[i] * c[j] - w[j] * c[i]);
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(acc[k] - a[k]) < 1e-12);
        assert_true(fabs(acc[3 + k] - w[k]) < 1e-12);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    tx_builder_destroy(builder);
    tx_diag_free(&diag);
}

// on a tree: qfrc = J^T f, by its power at random velocities v: qfrc . v = f . v_body + torque . w_body
static void applied_force_has_the_power_of_its_body(void **state) {
    tx_model *model = load_scene("humanoid");
    const int nv = tx_model_size(model, TX_SIZE_NV), nbody = tx_model_size(model, TX_SIZE_NBODY);
    const double *mass = tx_model_params(model, TX_PARAM_BODY_MASS, NULL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        spread(sim);
        double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS), *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
        for (int i = 0; i < tx_model_size(model, TX_SIZE_NQ); i++) qpos[i] += 0.5 * noise(&seed);
        for (int d = 0; d < nv; d++) qvel[d] = noise(&seed);
        tx_sim_forward(sim);
        double without[64];
        memcpy(without, tx_sim_array(sim, TX_ARRAY_QFRC_SMOOTH), sizeof(double) * (size_t)nv);
        int body = 1 + trial % (nbody - 1);
        double *f = tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED) + 6 * body;
        for (int k = 0; k < 6; k++) f[k] = 10 * noise(&seed);
        tx_sim_forward(sim);
        const double *with = tx_sim_array(sim, TX_ARRAY_QFRC_SMOOTH),
                     *cvel = tx_sim_array(sim, TX_ARRAY_CVEL) + 6 * body;
        const double *xipos = tx_sim_array(sim, TX_ARRAY_XIPOS);
        // the humanoid is one tree: its centre of mass, and the velocity of the body's own centre from the velocity
        // there
        double com[3] = {0}, total = 0, power = 0, expected = 0;
        for (int i = 1; i < nbody; i++) {
            total += mass[i];
            for (int k = 0; k < 3; k++) com[k] += mass[i] * xipos[3 * i + k];
        }
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double arm_i = xipos[3 * body + i] - com[i] / total, arm_j = xipos[3 * body + j] - com[j] / total;
            double v = cvel[3 + k] + cvel[i] * arm_j - cvel[j] * arm_i;
            expected += f[k] * v + f[3 + k] * cvel[k];
        }
        for (int d = 0; d < nv; d++) power += (with[d] - without[d]) * qvel[d];
        assert_true(fabs(power - expected) < 1e-11 * (100 + fabs(expected)));
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- wrong arguments -----------------------------------------------------------------------------------------------

static void wrong_arguments_are_errors(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim_def def = tx_default_sim_def();
    assert_int_equal(def.envs, 1);
    assert_null(tx_sim_create(NULL, &def));
    assert_null(tx_sim_create(model, NULL));
#define NO_SIM(field, value)    \
    def = tx_default_sim_def(); \
    def.field = value;          \
    assert_null(tx_sim_create(model, &def));
    NO_SIM(envs, 0)
    NO_SIM(envs, -3)
    NO_SIM(threads, 0)
    NO_SIM(threads, -1)
    NO_SIM(contact_room, -1)
    NO_SIM(target, (tx_target_choice)99)

    def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    int count = 0;
    double number;
    tx_row row;
    char text[8];
    assert_int_equal(tx_sim_step(NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_step_n(sim, -1), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_forward(NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_reset(NULL, -1, NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_reset(sim, 1000, NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_status(sim, -1), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_status(sim, 1), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_status(NULL, 0), TX_ERROR_ARGUMENT);
    assert_true(tx_sim_status_text(sim, 7, text, sizeof text) > 0 && strlen(text) < sizeof text);
    assert_int_equal(tx_sim_save(sim, NULL, 0), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_restore(sim, NULL, 0), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_mass_matrix(sim, 0, NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_mass_matrix(sim, 1, &number), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_mass_matrix(NULL, 0, &number), TX_ERROR_ARGUMENT);
    assert_null(tx_sim_array(NULL, TX_ARRAY_QPOS));
    assert_null(tx_sim_array(sim, TX_ARRAY_COUNT));
    assert_null(tx_sim_array(sim, (tx_array)-1));
    assert_int_equal(tx_sim_array_width(sim, TX_ARRAY_COUNT), 0);
    assert_null(tx_sim_contacts(NULL, 0, &count));
    assert_null(tx_sim_contacts(sim, 1, &count));
    assert_null(tx_sim_contacts(sim, 0, NULL));
    assert_int_equal(tx_sim_rows(sim, -1, &row, NULL, 1), -1);
    assert_int_equal(tx_sim_rows(sim, 0, NULL, NULL, 1), -1);
    assert_int_equal(tx_sim_rows(sim, 0, NULL, NULL, -1), -1);
    assert_int_equal(tx_sim_rows(sim, 0, NULL, NULL, 0), 0); // before the first step there is none
    assert_null(tx_stage_name(TX_STAGE_COUNT));
    assert_string_equal(tx_stage_name(TX_STAGE_SOLVE), "solve");
    tx_sim_params_changed(NULL);
    tx_sim_destroy(NULL);
    // asked for fewer rows than there are: the count says how many
    tx_sim_reset(sim, 0, NULL);
    tx_sim_step_n(sim, 200);
    int all = tx_sim_rows(sim, 0, NULL, NULL, 0);
    assert_true(all > 1);
    assert_int_equal(tx_sim_rows(sim, 0, &row, NULL, 1), all);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a model without anything that moves is a model
static void nothing_moves(void **state) {
    static const char text[] =
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom size='.1'/></worldbody></mujoco>";
    tx_model *model = tx_load_string(text, sizeof text - 1, "still", NULL);
    assert_non_null(model);
    tx_sim *sim = make_sim(model, 5, 2, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
    assert_int_equal(tx_sim_status(sim, 4), TX_OK);
    assert_true(fabs(tx_sim_array(sim, TX_ARRAY_TIME)[4] - 0.02) < 1e-15);
    // by every integrator: arrays of no numbers have no room for anything else
    for (int i = 0; i < TX_INTEGRATOR_COUNT; i++) {
        tx_options options = tx_sim_options(sim);
        options.integrator = i;
        assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
        assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_TIME)[4], 0.02 * (i + 2), 1e-14);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- one large environment
// -------------------------------------------------------------------------------------------

// so many boxes and arms that threads share one environment
static tx_model *crowd(bool sleep) {
    enum { ROOM = 1 << 15 };
    char *text = malloc(ROOM), *at = text;
    at += sprintf(at,
                  "<mujoco><option timestep='.004'><flag sleep='%s'/></option><worldbody>"
                  "<geom type='plane' size='50 50 .1'/>",
                  sleep ? "enable" : "disable");
    for (int i = 0; i < 36; i++)
        at +=
            sprintf(at,
                    i % 3 == 2 ? "<body pos='%d 0 1'><joint axis='0 1 .1' damping='.1'/><geom size='.1' pos='.3 0 0'/>"
                                 "<body pos='.6 0 0'><joint axis='1 1 0'/><geom size='.1' pos='.2 0 0'/></body></body>"
                               : "<body pos='%d 0 .1'><freejoint/><geom type='box' size='.1 .2 .1'/></body>",
                    3 * i);
    sprintf(at, "</worldbody></mujoco>");
    assert_true(strlen(text) < ROOM);
    tx_diag diag = {0};
    tx_model *model = must_have(tx_load_string(text, strlen(text), "crowd", &diag), &diag);
    free(text);
    return model;
}

// three threads make the bits of one, of the state and of what follows from it; with a law of velocities too, and where
// most of it sleeps
static void threads_share_an_environment(void **state) {
    static const tx_array SHOWN[] = {TX_ARRAY_XPOS, TX_ARRAY_GEOM_XPOS, TX_ARRAY_QACC, TX_ARRAY_QFRC_BIAS};
    for (int round = 0; round < 3; round++) {
        tx_model *model = crowd(round == 2);
        tx_sim *sims[2];
        for (int k = 0; k < 2; k++) {
            sims[k] = make_sim(model, 1, k ? 3 : 1, TX_TARGET_AUTO, 0);
            tx_options o = tx_sim_options(sims[k]);
            if (round == 1) o.law = tx_list_find(TX_LIST_LAW, "sap");
            assert_int_equal(tx_sim_set_options(sims[k], &o), TX_OK);
            double *v = tx_sim_array(sims[k], TX_ARRAY_QVEL);
            for (int i = 0; i < tx_model_size(model, TX_SIZE_NV) && round < 2; i++) v[i] = sin(i);
        }
        for (int s = 0; s < (round == 2 ? 400 : 20); s++)
            for (int k = 0; k < 2; k++) {
                const int last = tx_model_size(model, TX_SIZE_NV) - 8;
                if (s == 300) tx_sim_array(sims[k], TX_ARRAY_QVEL)[0] = tx_sim_array(sims[k], TX_ARRAY_QVEL)[last] = 1;
                assert_int_equal(tx_sim_step(sims[k]), TX_OK);
            }
        assert_true(same_state(sims[0], 0, sims[1], 0));
        for (size_t a = 0; a < sizeof SHOWN / sizeof *SHOWN; a++)
            assert_memory_equal(tx_sim_array(sims[0], SHOWN[a]), tx_sim_array(sims[1], SHOWN[a]),
                                sizeof(double) * (size_t)tx_sim_array_width(sims[0], SHOWN[a]));
        if (round == 2) assert_true(tx_sim_info(sims[1]).awake > 0 && tx_sim_info(sims[1]).awake < 30);
        tx_sim_destroy(sims[0]), tx_sim_destroy(sims[1]), tx_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_an_environment),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(switches_do_what_they_say),
        cmocka_unit_test(reset_goes_to_the_keyframe),
        cmocka_unit_test(forward_leaves_the_state_alone),
        cmocka_unit_test(one_call_of_n_steps_equals_n_calls),
        cmocka_unit_test(rounding_mode_of_the_caller_does_not_matter),
        cmocka_unit_test(asking_for_a_parameter_changes_nothing),
        cmocka_unit_test(gravity_can_differ),
        cmocka_unit_test(free_body_obeys_newton),
        cmocka_unit_test(applied_force_has_the_power_of_its_body),
        cmocka_unit_test(wrong_arguments_are_errors),
        cmocka_unit_test(nothing_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
