// test_still.c - what cannot move is placed once, and again when parameters or options change: a simulation that has
// stepped before a change goes on with the bits of one that is made with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "thixis/load.h"
#include "thixis/sim.h"

// a pole that stands still, one that the user moves, and one that carries an arm; an arm that hangs on the first
static const char SCENE[] =
    "<mujoco><option timestep='.005'/><worldbody>"
    "<body name='pole' pos='.4 .1 1' quat='.8 .6 0 0'><geom size='.02' mass='1'/>"
    "<body name='shelf' pos='0 0 .2'><geom size='.03' mass='.5'/><site name='top' pos='0 .1 0'/></body></body>"
    "<body name='hand' mocap='true' pos='-.4 0 1'><geom size='.02'/></body>"
    "<body name='base' pos='0 0 1.2'><geom size='.02' mass='2'/><body name='mount' pos='.1 0 0' quat='.6 0 .8 0'>"
    "<geom size='.02' mass='1'/><body name='upper' pos='.1 0 0'><joint name='hinge' axis='0 1 0' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>"
    "<body name='grip' pos='.3 0 0'><geom size='.04' mass='.2'/></body></body></body></body>"
    "<body name='ball' pos='.1 0 .6'><freejoint/><geom size='.05'/></body></worldbody>"
    "<equality><connect body1='ball' body2='shelf' anchor='0 0 .1'/></equality>"
    "<sensor><accelerometer site='top'/><framepos objtype='body' objname='hand'/>"
    "<framepos objtype='body' objname='grip'/><subtreecom body='base'/><force site='top'/></sensor></mujoco>";
enum { BEFORE = 7, AFTER = 40 };

static tx_model *load(void) {
    tx_model *model = tx_load_string(SCENE, sizeof SCENE - 1, NULL, NULL);
    assert_non_null(model);
    return model;
}

static tx_sim *start(const tx_model *model) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    return sim;
}

static void same_bits(tx_sim *a, tx_sim *b) {
    static const tx_array ARRAYS[] = {TX_ARRAY_QPOS,   TX_ARRAY_QVEL,      TX_ARRAY_XPOS,      TX_ARRAY_XQUAT,
                                      TX_ARRAY_XIPOS,  TX_ARRAY_XIMAT,     TX_ARRAY_GEOM_XPOS, TX_ARRAY_CVEL,
                                      TX_ARRAY_CINERT, TX_ARRAY_SENSORDATA};
    for (size_t k = 0; k < sizeof ARRAYS / sizeof ARRAYS[0]; k++) {
        const int width = tx_sim_array_width(a, ARRAYS[k]);
        assert_true(width > 0);
        assert_memory_equal(tx_sim_array(a, ARRAYS[k]), tx_sim_array(b, ARRAYS[k]), (size_t)width * sizeof(double));
    }
}

static void set_param(tx_sim *sim, tx_param param, int at, double value) {
    double *row = tx_sim_param(sim, param);
    assert_non_null(row);
    row[at] = value;
    assert_int_equal(tx_sim_params_changed(sim), TX_OK);
}

static void turn_pole(tx_sim *sim) {
    double *row = tx_sim_param(sim, TX_PARAM_BODY_QUAT);
    assert_non_null(row);
    row[4] = 0.6;
    set_param(sim, TX_PARAM_BODY_QUAT, 4 * 1 + 1, 0.8);
}
static void move_pole(tx_sim *sim) { set_param(sim, TX_PARAM_BODY_POS, 3 * 1 + 1, 0.3); }
static void move_mount(tx_sim *sim) { set_param(sim, TX_PARAM_BODY_POS, 3 * 5 + 2, 0.2); }
static void move_world_centre(tx_sim *sim) { set_param(sim, TX_PARAM_BODY_IPOS, 0, 0.5); }
static void lean_gravity(tx_sim *sim) { set_param(sim, TX_PARAM_GRAVITY, 0, 3); }
static void no_gravity(tx_sim *sim) {
    tx_options o = tx_sim_options(sim);
    o.gravity = false;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
}
static void move_hand(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_MOCAP_POS)[1] = 0.7; }

static void check(void (*change)(tx_sim *sim)) {
    tx_model *model = load();
    tx_sim *early = start(model), *late = start(model);
    // one is changed before its first step, the other has stepped and begins again
    change(early);
    assert_int_equal(tx_sim_step_n(late, BEFORE), TX_OK);
    change(late);
    tx_sim_reset(early, -1, NULL), tx_sim_reset(late, -1, NULL);
    if (change == move_hand) change(early), change(late);
    for (int i = 0; i < AFTER; i++) {
        assert_int_equal(tx_sim_step(early), TX_OK);
        assert_int_equal(tx_sim_step(late), TX_OK);
        same_bits(early, late);
    }
    tx_sim_destroy(early), tx_sim_destroy(late);
    tx_model_destroy(model);
}

static void test_turned_pole(void **state) { (void)state, check(turn_pole); }
static void test_moved_pole(void **state) { (void)state, check(move_pole); }
static void test_moved_mount(void **state) { (void)state, check(move_mount); }
static void test_world_centre(void **state) { (void)state, check(move_world_centre); }
static void test_leaning_gravity(void **state) { (void)state, check(lean_gravity); }
static void test_no_gravity(void **state) { (void)state, check(no_gravity); }
static void test_moved_hand(void **state) { (void)state, check(move_hand); }

// environments of a batch share memory that one alone keeps for itself
static void test_batch(void **state) {
    (void)state;
    tx_model *model = load();
    tx_sim_def def = tx_default_sim_def();
    def.envs = 19;
    tx_sim *alone = start(model), *batch = tx_sim_create(model, &def);
    assert_non_null(batch);
    for (int i = 0; i < AFTER; i++) assert_true(tx_sim_step(alone) == TX_OK && tx_sim_step(batch) == TX_OK);
    const int nq = tx_model_size(model, TX_SIZE_NQ), width = tx_sim_array_width(alone, TX_ARRAY_SENSORDATA);
    for (int e = 0; e < def.envs; e++) {
        assert_memory_equal(tx_sim_array(batch, TX_ARRAY_QPOS) + e * nq, tx_sim_array(alone, TX_ARRAY_QPOS),
                            (size_t)nq * sizeof(double));
        assert_memory_equal(tx_sim_array(batch, TX_ARRAY_SENSORDATA) + e * width,
                            tx_sim_array(alone, TX_ARRAY_SENSORDATA), (size_t)width * sizeof(double));
    }
    tx_sim_destroy(alone), tx_sim_destroy(batch);
    tx_model_destroy(model);
}

// what sleeps while a medium is switched on has its drag when it wakes
static void test_drag_of_what_slept(void **state) {
    (void)state;
    static const char POND[] =
        "<mujoco><option timestep='.005' density='500'><flag sleep='enable' gravity='disable' spring='disable' "
        "damper='disable'/></option><worldbody><body name='log' sleep='init'><freejoint/>"
        "<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>";
    tx_model *model = tx_load_string(POND, sizeof POND - 1, NULL, NULL);
    assert_non_null(model);
    tx_sim *late = start(model), *fresh = start(model);
    double speed[2];
    assert_int_equal(tx_sim_step_n(late, 30), TX_OK);
    assert_true(tx_sim_array(late, TX_ARRAY_TREE_ASLEEP)[0] >= 0);
    tx_options o = tx_sim_options(late);
    o.spring = o.damper = true;
    assert_true(tx_sim_set_options(late, &o) == TX_OK && tx_sim_set_options(fresh, &o) == TX_OK);
    assert_int_equal(tx_sim_step_n(late, 3), TX_OK);
    tx_sim *const both[2] = {late, fresh};
    for (int k = 0; k < 2; k++) {
        tx_sim_array(both[k], TX_ARRAY_QVEL)[0] = 1;
        assert_int_equal(tx_sim_step_n(both[k], AFTER), TX_OK);
        speed[k] = tx_sim_array(both[k], TX_ARRAY_QVEL)[0];
    }
    assert_true(speed[1] < 0.999);
    assert_true(speed[0] == speed[1]);
    tx_sim_destroy(late), tx_sim_destroy(fresh);
    tx_model_destroy(model);
}

// nothing has a dof: a hand that the user moves pushes on what stands still, and a sensor there says how hard
static void test_idle(void **state) {
    (void)state;
    static const char IDLE[] =
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 .1'/><body name='hand' mocap='true' pos='0 0 .5'>"
        "<geom name='ball' size='.1'/><site name='at'/></body></worldbody>"
        "<contact><pair geom1='floor' geom2='ball'/></contact>"
        "<sensor><framepos objtype='site' objname='at'/></sensor></mujoco>";
    tx_model *model = tx_load_string(IDLE, sizeof IDLE - 1, NULL, NULL);
    assert_non_null(model);
    tx_sim *sim = start(model);
    static const double HEIGHT[] = {0.5, 0.5, 0.05, 0.05, 0.3};
    for (int i = 0; i < 5; i++) {
        int count;
        tx_sim_array(sim, TX_ARRAY_MOCAP_POS)[2] = HEIGHT[i];
        assert_int_equal(tx_sim_step(sim), TX_OK);
        tx_sim_contacts(sim, 0, &count);
        assert_int_equal(count, HEIGHT[i] < 0.1);
        assert_true(tx_sim_array(sim, TX_ARRAY_SENSORDATA)[2] == HEIGHT[i]);
        assert_true(tx_sim_array(sim, TX_ARRAY_TIME)[0] > 0.002 * i);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_pole),        cmocka_unit_test(test_moved_pole),
        cmocka_unit_test(test_moved_mount),        cmocka_unit_test(test_world_centre),
        cmocka_unit_test(test_no_gravity),         cmocka_unit_test(test_moved_hand),
        cmocka_unit_test(test_leaning_gravity),    cmocka_unit_test(test_batch),
        cmocka_unit_test(test_drag_of_what_slept), cmocka_unit_test(test_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
