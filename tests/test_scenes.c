// test_scenes.c - each scene of scenes/contact does what its comment says, held to a closed form or a fact that can be
// seen, with the law and solver of its file.
#include <math.h>
#include <stdio.h>

#include "near.h"
#include "sanitized.h"
#include "simulate.h"

static const double G = 9.81;

static tx_sim *begin(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "contact/%s", name);
    tx_model *model = load_scene(path);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    if (tx_model_size(model, TX_SIZE_NKEY) > 0) assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
    return sim;
}

static void end(tx_sim *sim) {
    tx_model *model = (tx_model *)tx_sim_model(sim);
    assert_int_equal(tx_sim_status(sim, 0), TX_OK);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static const double *state_of(tx_sim *sim, tx_array array) { return tx_sim_array(sim, array); }

// energy of the present state, without springs of contacts
static double energy(tx_sim *sim) {
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    return state_of(sim, TX_ARRAY_ENERGY)[0] + state_of(sim, TX_ARRAY_ENERGY)[1];
}

static const double *place(tx_sim *sim, const char *body) {
    const int i = tx_element_find(tx_sim_model(sim), TX_ELEMENT_BODY, body);
    assert_true(i > 0);
    return state_of(sim, TX_ARRAY_XPOS) + 3 * i;
}

static int contacts(tx_sim *sim) {
    int count = 0;
    tx_sim_contacts(sim, 0, &count);
    return count;
}

static double moved(const double *a, const double *b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// springs in series, mg/k
static void balls_lie_as_deep_as_their_materials_say(void **state) {
    static const double STIFFNESS[] = {2e3, 2e4, 1e6};
    tx_sim *sim = begin("materials");
    assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
    for (int i = 0; i < 3; i++)
        assert_near(0.1 - state_of(sim, TX_ARRAY_QPOS)[7 * i + 2], G * (1 / STIFFNESS[i] + 1e-4), 1e-8);
    end(sim);
}

// 8 m/s² along the diagonal
static void the_plate_rolls(void **state) {
    tx_sim *sim = begin("rolling");
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    const double *v = state_of(sim, TX_ARRAY_QVEL);
    assert_near(v[0], 0.8 / sqrt(2), 0.002), assert_near(v[1], 0.8 / sqrt(2), 0.002);
    end(sim);
}

// every ball comes back: half an hour of a pendulum would say the same
static void balls_bounce_without_loss(void **state) {
    tx_sim *sim = begin("bouncing");
    const double before = energy(sim);
    assert_int_equal(tx_sim_step_n(sim, SANITIZED ? 200 : 2800), TX_OK);
    assert_near(energy(sim) / before, 1, 0.01);
    end(sim);
}

static void balls_collapse(void **state) {
    const int steps = SANITIZED ? 10 : 200;
    tx_sim *sim = begin("balls_666");
    assert_int_equal(tx_sim_step_n(sim, steps), TX_OK);
    if (!SANITIZED) assert_true(contacts(sim) > 50);
    end(sim);
    sim = begin("balls_666_elastic");
    const double before = energy(sim);
    assert_int_equal(tx_sim_step_n(sim, 3 * steps), TX_OK);
    assert_near(energy(sim) / before, 1, 0.02);
    end(sim);
}

// boxes stay below the angle of friction, and slide beyond it by g (sin a - μ cos a), in all twelve directions alike
static void slopes_have_no_direction(void **state) {
    static const int TILT[] = {15, 20, 25, 28, 35};
    tx_sim *sim = begin("incline");
    double at[4][5][12][3];
    for (int round = 0; round < 4; round++) {
        if (round > 0) assert_int_equal(tx_sim_step_n(sim, round == 1 ? 50 : 25), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        for (int k = 0; k < 60; k++) {
            char name[32];
            snprintf(name, sizeof name, "box%d-%02d", TILT[k / 12], k % 12);
            memcpy(at[round][k / 12][k % 12], place(sim, name), sizeof at[0][0][0]);
        }
    }
    for (int k = 0; k < 60; k++) {
        double way[4], first = moved(at[3][k / 12][0], at[0][k / 12][0]);
        for (int round = 1; round < 4; round++) way[round] = moved(at[round][k / 12][k % 12], at[0][k / 12][k % 12]);
        const double a = TILT[k / 12] * M_PI / 180, pull = G * (sin(a) - 0.5 * cos(a)), dt = 25 * 0.002;
        if (pull < 0) assert_true(way[3] < 1e-3);
        else assert_near((way[3] - 2 * way[2] + way[1]) / (dt * dt), pull, 0.01 * G);
        assert_near(way[3], first, 1e-6);
    }
    end(sim);
}

static void the_arch_stands(void **state) {
    enum { STONES = 15 };
    tx_sim *sim = begin("arch");
    double at[3][STONES][3];
    for (int round = 0; round < 3; round++) {
        if (round > 0) assert_int_equal(tx_sim_step_n(sim, SANITIZED ? 20 : 200), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        for (int i = 0; i < STONES; i++) {
            char name[32];
            snprintf(name, sizeof name, "stone%d", i + 1);
            memcpy(at[round][i], place(sim, name), sizeof at[round][i]);
        }
    }
    // its joints give a little under the load, on both sides alike; then it stands
    for (int i = 0; i < STONES; i++) {
        assert_true(moved(at[1][i], at[0][i]) < 0.01);
        assert_near(at[2][i][2], at[2][STONES - 1 - i][2], 1e-5);
        if (!SANITIZED) assert_true(moved(at[2][i], at[1][i]) < 1e-4);
    }
    end(sim);
}

// the seams stay closed under the weight
static void the_bridge_holds(void **state) {
    enum { ROWS = 600 };
    static tx_row rows[ROWS];
    tx_sim *sim = begin("bridge");
    for (int k = 0; k < (SANITIZED ? 2 : 25); k++) {
        assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        const int count = tx_sim_rows(sim, 0, rows, NULL, ROWS);
        assert_true(count >= 126 && count <= ROWS);
        for (int r = 0; r < count; r++)
            if (rows[r].type == TX_ROW_EQUALITY) assert_true(fabs(rows[r].pos) < 1e-3);
    }
    end(sim);
}

// the last ball leaves with the speed of the first, and is as high after half a period
static void the_cradle_passes_it_on(void **state) {
    if (SANITIZED) skip();
    tx_sim *sim = begin("cradle");
    assert_int_equal(tx_sim_step_n(sim, 45000), TX_OK);
    const double *q = state_of(sim, TX_ARRAY_QPOS);
    assert_true(q[4] < -0.65);
    for (int i = 0; i < 4; i++) assert_true(fabs(q[i]) < 0.12);
    end(sim);
}

// friction alone would take 0.5 m/s of the tip in 30 ms; the impulse of the jam takes almost all 3 m/s
static void the_rod_jams(void **state) {
    tx_sim *sim = begin("painleve");
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
    const double *q = state_of(sim, TX_ARRAY_QPOS), *v = state_of(sim, TX_ARRAY_QVEL);
    const double x = 0.25 * cos(q[2]) - 0.43 * sin(q[2]), z = -0.25 * sin(q[2]) - 0.43 * cos(q[2]);
    assert_true(fabs(v[0] + v[2] * z) < 0.3);
    assert_true(q[2] > 0 && x > 0); // it tips over its tip
    end(sim);
}

static void stacks_stand(void **state) {
    tx_sim *sim = begin("stack_ratio");
    assert_int_equal(tx_sim_step_n(sim, SANITIZED ? 5 : 100), TX_OK);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_near(place(sim, "heavy10")[2], 0.3, 0.01), assert_near(place(sim, "stack10-9")[2], 1.9, 0.05);
    end(sim);
}

// 1,035 boxes, four points between each and the two below it, and at the floor
static void the_pyramid_is_one_island(void **state) {
    tx_sim *sim = begin("pyramid");
    assert_int_equal(tx_model_size(tx_sim_model(sim), TX_SIZE_NBODY), 1036);
    if (!SANITIZED) {
        assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
        assert_true(contacts(sim) >= 4 * 1980);
        assert_true(contacts(sim) <= 4 * (1980 + 45));
    }
    end(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_lie_as_deep_as_their_materials_say),
        cmocka_unit_test(the_plate_rolls),
        cmocka_unit_test(balls_bounce_without_loss),
        cmocka_unit_test(balls_collapse),
        cmocka_unit_test(slopes_have_no_direction),
        cmocka_unit_test(the_arch_stands),
        cmocka_unit_test(the_bridge_holds),
        cmocka_unit_test(the_cradle_passes_it_on),
        cmocka_unit_test(the_rod_jams),
        cmocka_unit_test(stacks_stand),
        cmocka_unit_test(the_pyramid_is_one_island),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
