// test_rest.c - what should stand still does: boxes on boxes (B3 R2), over an edge (B3 R4), a stack and a house of
// cards (B4, law soft_elliptic), an ellipsoid and a pebble (B5).
#include "reference.h"

static tx_sim *start(const tx_model *m, int envs) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = envs;
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    return sim;
}

// largest |velocity| of one environment
static double speed(tx_sim *sim, int env, int nv) {
    const double *v = tx_sim_array(sim, TX_ARRAY_QVEL) + (size_t)env * (size_t)nv;
    double top = 0;
    for (int i = 0; i < nv; i++) top = fmax(top, fabs(v[i]));
    return top;
}

static void say(const char *what, double value, const char *unit) {
    if (getenv("TX_VERBOSE")) printf("%s: %.3g %s\n", what, value, unit);
}

// free bodies: how far the farthest moved from `before`; fills `before` again
static double moved(tx_sim *sim, int nq, double *before) {
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    double top = 0;
    for (int i = 0; i < nq; i += 7)
        top = fmax(top, hypot(hypot(q[i] - before[i], q[i + 1] - before[i + 1]), q[i + 2] - before[i + 2]));
    memcpy(before, q, sizeof *q * (size_t)nq);
    return top;
}

// the upper box dropped with a tilt of at most 0.15 rad about any axis
static void box_rests_on_box(const char *law) {
    enum { TRIALS = 20, NQ = 14, NV = 12 };
    tx_model *m = load_scene("rest_two_boxes");
    tx_sim *sim = start(m, TRIALS);
    tx_options o = tx_sim_options(sim);
    for (o.law = 0; strcmp(tx_law_name(o.law), law) != 0; o.law++) assert_non_null(tx_law_name(o.law + 1));
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    uint64_t seed = 2;
    double fastest = 0, worst_height = 0;
    for (int e = 0; e < TRIALS; e++) {
        double r[3], *quat = tx_sim_array(sim, TX_ARRAY_QPOS) + e * NQ + 10;
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            r[k] = 2 * (double)(seed >> 11) * 0x1p-53 - 1;
        }
        double angle = 0.15 * fabs(r[2]), length = hypot(r[0], r[1]);
        quat[0] = cos(angle / 2);
        quat[1] = sin(angle / 2) * r[0] / length, quat[2] = sin(angle / 2) * r[1] / length, quat[3] = 0;
    }
    assert_int_equal(tx_sim_step_n(sim, 110), TX_OK);
    for (int e = 0; e < TRIALS; e++) {
        fastest = fmax(fastest, speed(sim, e, NV));
        worst_height = fmax(worst_height, fabs(tx_sim_array(sim, TX_ARRAY_QPOS)[e * NQ + 9] - 0.6));
    }
    say(law, fastest, "m/s or rad/s, box on box"), say("height off by", worst_height, "m");
    assert_true(fastest <= 1e-2);
    assert_true(worst_height <= 2e-3);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}
static void box_on_box(void **state) {
    box_rests_on_box("soft");
    box_rests_on_box("soft_elliptic");
    box_rests_on_box("lagged");
}

// 200 steps; the drift counts from where it has landed
static void thin_box_over_an_edge(void **state) {
    tx_model *m = load_scene("rest_edge");
    tx_sim *sim = start(m, 1);
    double before[7] = {0};
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    moved(sim, 7, before);
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    double fast = speed(sim, 0, 6), drift = moved(sim, 7, before);
    say("over an edge, speed", fast, "m/s or rad/s"), say("drift", drift, "m");
    assert_true(fast <= 1e-2);
    assert_true(drift <= 1e-4);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

// 10 s; the drift counts from the first second on
static void stands(const char *scene) {
    tx_model *m = load_scene(scene);
    tx_sim *sim = start(m, 1);
    const int nq = tx_model_size(m, TX_SIZE_NQ);
    double *before = calloc((size_t)nq, sizeof *before);
    assert_non_null(before);
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    moved(sim, nq, before);
    assert_int_equal(tx_sim_step_n(sim, 900), TX_OK);
    double drift = moved(sim, nq, before);
    say(scene, drift, "m of drift in 9 s");
    assert_true(drift <= 1e-3);
    free(before);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}
static void stack_of_ten(void **state) { stands("rest_stack"); }
static void house_of_cards(void **state) { stands("rest_cards"); }

// B5: an ellipsoid, and a hull of 400 corners that rests on one of its small faces
static void round_things_come_to_rest(void **state) {
    static const struct {
        const char *what;
        double most;
    } THINGS[] = {{"ellipsoid, speed after 3 s", 1e-4}, {"pebble, speed after 3 s", 0.02}};
    tx_model *m = load_scene("rest_round");
    tx_sim *sim = start(m, 1);
    assert_int_equal(tx_sim_step_n(sim, 600), TX_OK);
    for (int k = 0; k < 2; k++) {
        double fast = 0;
        for (int i = 6 * k; i < 6 * k + 6; i++) fast = fmax(fast, fabs(tx_sim_array(sim, TX_ARRAY_QVEL)[i]));
        say(THINGS[k].what, fast, "m/s or rad/s");
        assert_true(fast <= THINGS[k].most);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_box),     cmocka_unit_test(thin_box_over_an_edge),     cmocka_unit_test(stack_of_ten),
        cmocka_unit_test(house_of_cards), cmocka_unit_test(round_things_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
