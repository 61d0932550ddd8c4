// test_violations.c - how far contacts are from rigid contact: tx_sim_violations() against closed forms.
#include "simulate.h"

#include "near.h"

static tx_model *model_of(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "test.xml", &diag), &diag);
}

static tx_sim *start(const tx_model *m, int envs, const char *law) {
    tx_sim *sim = make_sim(m, envs, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    for (o.law = 0; strcmp(tx_law_name(o.law), law) != 0; o.law++) assert_non_null(tx_law_name(o.law + 1));
    o.tolerance = 1e-12;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    return sim;
}

static double kinetic(tx_sim *sim) {
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    return tx_sim_array(sim, TX_ARRAY_ENERGY)[1];
}

// a sphere at rest: as deep as the law says, no slip, no power; a tap upwards ends the contact's force, not the measure
static void a_sphere_at_rest(void **state) {
    tx_model *m = load_scene("resting_sphere");
    tx_sim *sim = start(m, 1, "soft");
    assert_int_equal(tx_sim_step_n(sim, 3000), TX_OK);
    const tx_violations v = tx_sim_violations(sim, 0);
    assert_int_equal(v.contacts, 1);
    assert_near(v.penetration, 3.6718e-4, 1e-8);
    assert_near(v.approach, 0, 1e-9), assert_near(v.slip, 0, 1e-12), assert_near(v.energy, 0, 1e-9);
    assert_true(v.pull == 0 && v.excess == 0);
    tx_sim_array(sim, TX_ARRAY_QVEL)[2] = -0.25;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    // forward() tells of the step to come: what it ends with is v + h qacc
    const double end = -0.25 + tx_sim_options(sim).timestep * tx_sim_array(sim, TX_ARRAY_QACC)[2];
    assert_near(tx_sim_violations(sim, 0).approach, -end, 1e-14);
    assert_true(end < -0.1);
    assert_int_equal(tx_sim_step(sim), TX_OK);
    assert_near(tx_sim_violations(sim, 0).approach, -end, 1e-14);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

static const char BOX[] = "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='0 0 1' friction='.5'/>"
                          "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2' friction='.5'/>"
                          "</body></worldbody></mujoco>";

// a box that slides: friction takes all the power it can, and what the contacts take is what the box loses
static void a_box_slides(void **state) {
    static const char *const LAWS[] = {"lagged", "soft_elliptic", "sap", "similar"};
    tx_model *m = model_of(BOX);
    for (int k = 0; k < 4; k++) {
        tx_sim *sim = start(m, 1, LAWS[k]);
        assert_int_equal(tx_sim_step_n(sim, 500), TX_OK);
        double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        v[0] = 3;
        for (int i = 0; i < 200; i++) {
            const double lively = kinetic(sim), speed = v[0];
            assert_int_equal(tx_sim_step(sim), TX_OK);
            const tx_violations w = tx_sim_violations(sim, 0);
            // gravity acts on the mean velocity of a symplectic step, half of each end
            const double sinking = 0.5 * (v[2] + (v[2] - 0.002 * tx_sim_array(sim, TX_ARRAY_QACC)[2]));
            const double pulled = -2 * 9.81 * 0.002 * sinking, gained = kinetic(sim) - lively;
            assert_near(w.energy + pulled, gained, 1e-9);
            // the others lift it when it begins to slide; here it only pitches a little, and then slides like Coulomb's
            if (k > 0 || i < 150) continue;
            assert_near(w.slip, v[0], 1e-6);
            assert_near(w.energy, -0.5 * 2 * 9.81 * 0.002 * 0.5 * (speed + v[0]), 1e-6);
            assert_near(w.excess, 0, 1e-6), assert_near(w.dissipation, 0, 1e-6);
        }
        tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

// what a belt carries does not slip
static void a_belt_carries(void **state) {
    static const char BELT[] =
        "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='0 0 1' surfacevel='.3 0 0 0 0 0'/>"
        "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body></worldbody></mujoco>";
    tx_model *m = model_of(BELT);
    tx_sim *sim = start(m, 1, "lagged");
    // it falls for a step; then friction 1 changes 0.02 m/s a step
    assert_int_equal(tx_sim_step_n(sim, 3), TX_OK);
    assert_near(tx_sim_violations(sim, 0).slip, 0.3 - tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0.02);
    assert_true(tx_sim_violations(sim, 0).slip > 0.2);
    assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
    assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0.3, 1e-4);
    assert_near(tx_sim_violations(sim, 0).slip, 0, 1e-4);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// on a turntable with a belt, 0.3 along x and 2 rad/s: past a ball at y = 0.5 it runs at 0.3 - 2 · 0.5, and turns under
// it. One friction for all rows, so that metres and radians count alike, and next to none, so that nothing moves
static void a_turntable_turns(void **state) {
    static const char TEXT[] =
        "<mujoco><option timestep='.002'/><default><geom friction='.001 .001 .001' condim='4'/></default><worldbody>"
        "<geom type='plane' size='0 0 1' surfacevel='.3 0 0 0 0 2'/><body pos='0 .5 .0999'><freejoint/><inertial "
        "pos='0 "
        "0 0' mass='2' diaginertia='1 1 1'/><geom size='.1' margin='0'/></body></worldbody></mujoco>";
    tx_model *m = model_of(TEXT);
    tx_sim *sim = start(m, 1, "lagged");
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_int_equal(tx_sim_violations(sim, 0).contacts, 1);
    assert_near(tx_sim_violations(sim, 0).slip, sqrt(0.7 * 0.7 + 2 * 2), 1e-3);
    // what flies off is not pressed: no slip
    tx_sim_array(sim, TX_ARRAY_QVEL)[2] = 10;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_int_equal(tx_sim_violations(sim, 0).contacts, 1);
    assert_near(tx_sim_violations(sim, 0).slip, 0, 0);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// contacts that are only told of have no force, and break no law
static void contacts_in_the_gap_do_not_count(void **state) {
    static const char TEXT[] =
        "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 .12'><freejoint/><geom size='.1' "
        "gap='.05'/></body></worldbody></mujoco>";
    tx_model *m = model_of(TEXT);
    tx_sim *sim = start(m, 1, "soft");
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    int count;
    tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(tx_sim_violations(sim, 0).contacts, 0);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// the rows of a frame are its axes in the world
static void wrenches_turn_with_the_frame(void **state) {
    const tx_contact c = {.frame = {0, 1, 0, 0, 0, 1, 1, 0, 0}, .force = {1, 2, 3, 4, 5, 6}};
    double force[3], torque[3];
    assert_int_equal(tx_contact_wrench(&c, force, torque), TX_OK);
    const double wanted[] = {3, 1, 2, 6, 4, 5};
    for (int k = 0; k < 3; k++) assert_near(force[k], wanted[k], 0), assert_near(torque[k], wanted[3 + k], 0);
}

// the same numbers in any place of a batch, and for an environment that stands still while others move
static void any_place(void **state) {
    tx_model *m = load_scene("humanoid");
    enum { ENVS = 9 };
    tx_sim *batch = start(m, ENVS, "soft"), *alone = start(m, 1, "soft");
    spread(batch);
    assert_int_equal(tx_sim_step_n(batch, 60), TX_OK);
    int touching = 0;
    for (int e = 0; e < ENVS; e++) {
        spread(batch);
        for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
            const size_t width = (size_t)tx_sim_array_width(batch, (tx_array)a);
            memcpy(tx_sim_array(alone, (tx_array)a), tx_sim_array(batch, (tx_array)a) + (size_t)e * width,
                   width * sizeof(double));
        }
        assert_int_equal(tx_sim_step_n(batch, 60), TX_OK), assert_int_equal(tx_sim_step_n(alone, 60), TX_OK);
        const tx_violations a = tx_sim_violations(batch, e), b = tx_sim_violations(alone, 0);
        assert_memory_equal(&a, &b, sizeof a);
        touching += a.contacts > 0 && a.slip > 0;
    }
    assert_true(touching > 0);
    uint8_t mask[ENVS] = {0};
    mask[1] = 1;
    assert_int_equal(tx_sim_forward(batch), TX_OK);
    const tx_violations before = tx_sim_violations(batch, 0);
    assert_int_equal(tx_sim_step_some(batch, 1, mask), TX_OK);
    const tx_violations after = tx_sim_violations(batch, 0);
    assert_memory_equal(&before, &after, sizeof before);
    tx_sim_destroy(batch), tx_sim_destroy(alone), tx_model_destroy(m);
}

// forces in world axes: on an incline the contacts carry the weight and hold the pull
static void world_axes(void **state) {
    tx_model *m = load_scene("incline");
    tx_sim *sim = start(m, 1, "lagged");
    assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
    int count;
    const tx_contact *c = tx_sim_contacts(sim, 0, &count);
    double sum[3] = {0}, turn[3] = {0};
    for (int i = 0; i < count; i++) {
        double force[3], torque[3];
        assert_int_equal(tx_contact_wrench(&c[i], force, torque), TX_OK);
        for (int k = 0; k < 3; k++) sum[k] += force[k], turn[k] += fabs(torque[k]);
    }
    assert_near(sum[0], -3.3552176021, 1e-6), assert_near(sum[1], 0, 1e-6), assert_near(sum[2], 9.2183846244, 1e-6);
    assert_near(turn[0] + turn[1] + turn[2], 0, 1e-12);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_at_rest),
        cmocka_unit_test(a_box_slides),
        cmocka_unit_test(a_belt_carries),
        cmocka_unit_test(any_place),
        cmocka_unit_test(world_axes),
        cmocka_unit_test(a_turntable_turns),
        cmocka_unit_test(contacts_in_the_gap_do_not_count),
        cmocka_unit_test(wrenches_turn_with_the_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
