// test_sleep.c - islands that stand still leave the step and come back when something touches them (B8, GE R9), by
// MuJoCo's rule: what MuJoCo 4.0.0 (the wheel) said stands beside what it is compared with.
#include <unistd.h>

#include "base/clock.h"
#include "sanitized.h"
#include "simulate.h"

// ---- scenes ---------------------------------------------------------------------------------------------------------

#define SCENE(options, world, rest)                                                                                 \
    "<mujoco><option" options "><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>" world \
    "</worldbody>" rest "</mujoco>"
#define BOX(name, pos, more)                                                           \
    "<body name='" name "' pos='" pos "' " more "><freejoint/><site name='" name "'/>" \
    "<geom type='box' size='.1 .1 .1'/></body>"
#define TWO_BOXES BOX("a", "0 0 .1", "") BOX("b", "1 0 .1", "")

static tx_model *load(const char *text) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), "text", &diag);
    char line[512] = "";
    if (!model && diag.count) tx_diag_format(&diag, 0, line, sizeof line);
    if (!model) fail_msg("%s", line);
    tx_diag_free(&diag);
    return model;
}

// a simulation that has stepped so often
static tx_sim *settled(const tx_model *model, int steps) {
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    assert_int_equal(tx_sim_step_n(sim, steps), TX_OK);
    return sim;
}

static double *asleep(tx_sim *sim) { return tx_sim_array(sim, TX_ARRAY_TREE_ASLEEP); }

static void expect_asleep(tx_sim *sim, int count, const double *states) {
    for (int t = 0; t < count; t++)
        if (asleep(sim)[t] != states[t]) fail_msg("tree %d: %g, not %g", t, asleep(sim)[t], states[t]);
}
#define EXPECT_ASLEEP(sim, ...) \
    expect_asleep(sim, (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)), (double[]){__VA_ARGS__})

// ---- the rule -------------------------------------------------------------------------------------------------------

// the whole course of three boxes, two of them stacked, as MuJoCo 4.0.0 counts
static void counters_are_those_of_mujoco(void **state) {
    static const struct {
        int step;
        double states[3];
    } CHANGES[] = {{0, {-10, -10, -10}}, {1, {-11, -11, -11}}, {12, {-11, -11, -10}}, {13, {-11, -11, -9}},
                   {14, {-11, -11, -8}}, {15, {-11, -11, -7}}, {16, {-10, -11, -6}},  {17, {-9, -11, -5}},
                   {18, {-8, -11, -11}}, {19, {-7, -11, -11}}, {20, {-6, -11, -11}},  {21, {-5, -11, -11}},
                   {22, {-4, -11, -11}}, {23, {-3, -11, -11}}, {24, {-2, -11, -11}},  {25, {-1, -11, -11}},
                   {31, {-1, -11, -10}}, {32, {-1, -10, -9}},  {33, {-1, -9, -8}},    {34, {-1, -8, -7}},
                   {35, {-1, -7, -6}},   {36, {-1, -6, -5}},   {37, {-1, -5, -4}},    {38, {-1, -4, -3}},
                   {39, {-1, -3, -2}},   {40, {-1, -2, 2}},    {41, {1, 0, 2}}};
    enum { COUNT = sizeof CHANGES / sizeof CHANGES[0] };
    tx_model *model = load(SCENE("", BOX("a", "0 0 .1", "") BOX("b", "0 0 .3", "") BOX("c", "1 0 .1", ""), ""));
    tx_sim *sim = settled(model, 0);
    int next = 0, contacts;
    for (int step = 0; step < 60; step++) {
        double before[21];
        memcpy(before, tx_sim_array(sim, TX_ARRAY_QPOS), sizeof before);
        tx_sim_step(sim);
        if (next < COUNT && CHANGES[next].step == step) next++;
        expect_asleep(sim, 3, CHANGES[next - 1].states);
        // it stops where it is when it falls asleep
        if (step == 40) assert_memory_equal(before + 14, tx_sim_array(sim, TX_ARRAY_QPOS) + 14, 7 * sizeof(double));
    }
    tx_sim_contacts(sim, 0, &contacts);
    assert_int_equal(contacts, 0);
    assert_int_equal(tx_sim_awake(sim, 0), 0);
    assert_int_equal(tx_sim_awake(sim, 1), -1);
    tx_info info = tx_sim_info(sim);
    assert_true(info.trees == 3 && info.awake == 0);
    for (int d = 0; d < 18; d++)
        assert_true(tx_sim_array(sim, TX_ARRAY_QVEL)[d] == 0 && tx_sim_array(sim, TX_ARRAY_QACC)[d] == 0 &&
                    tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[d] == 0);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// bricks that wake one another: how many MuJoCo 4.0.0 has awake after every 50 steps
static void dominoes_wake_and_sleep_as_in_mujoco(void **state) {
    static const int AWAKE[] = {2,  2,  4,  6,  8,  11, 14, 17, 20, 23, 25, 28, 31, 34,
                                37, 40, 43, 45, 48, 51, 54, 57, 60, 61, 61, 61, 0,  0};
    tx_model *model = load_scene("sleep_dominoes");
    tx_sim *sim = settled(model, 0);
    for (size_t i = 0; i < sizeof AWAKE / sizeof AWAKE[0]; i++) {
        assert_int_equal(tx_sim_step_n(sim, 50), TX_OK);
        int awake = tx_sim_awake(sim, 0);
        if (abs(awake - AWAKE[i]) > 1) fail_msg("after %d steps %d are awake", 50 * (int)i + 50, awake);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// the policies that MuJoCo 4.0.0 resolves (3 never, 4 allowed there), and the errors it raises
static void policies_are_those_of_mujoco(void **state) {
    enum { N = TX_SLEEP_NEVER, A = TX_SLEEP_ALLOWED, I = TX_SLEEP_INIT };
#define JOINT(name, more) \
    "<body name='" name "' " more "><joint name='" name "'/><site name='" name "'/><geom size='1'/></body>"
    static const struct {
        const char *text;
        int trees, policy[3];
    } CASES[] = {
        {SCENE("", TWO_BOXES, ""), 2, {A, A}},
        {SCENE("", JOINT("a", ""), "<actuator><motor joint='a'/></actuator>"), 1, {N}},
        {SCENE("", JOINT("a", "sleep='never'"), "<actuator><motor joint='a'/></actuator>"), 1, {N}},
        {SCENE("", JOINT("a", "sleep='allowed'"), "<actuator><motor joint='a'/></actuator>"), 1, {A}},
        {SCENE("", JOINT("a", "sleep='init'"), "<actuator><motor joint='a'/></actuator>"), 1, {I}},
        {SCENE("", TWO_BOXES, "<actuator><motor site='a' refsite='b'/></actuator>"), 2, {N, N}},
        {SCENE("", TWO_BOXES, "<actuator><adhesion body='a' ctrlrange='0 1'/></actuator>"), 2, {N, A}},
        {SCENE("", TWO_BOXES, "<tendon><spatial stiffness='1'><site site='a'/><site site='b'/></spatial></tendon>"),
         2,
         {N, N}},
        {SCENE("", TWO_BOXES, "<tendon><spatial damping='1'><site site='a'/><site site='b'/></spatial></tendon>"),
         2,
         {N, N}},
        {SCENE("", TWO_BOXES, "<tendon><spatial frictionloss='1'><site site='a'/><site site='b'/></spatial></tendon>"),
         2,
         {A, A}},
        {SCENE("", TWO_BOXES,
               "<tendon><spatial limited='true' range='0 2'><site site='a'/><site site='b'/></spatial></tendon>"),
         2,
         {A, A}},
        {SCENE("", TWO_BOXES BOX("c", "2 0 .1", ""),
               "<tendon><spatial><site site='a'/><site site='b'/><site site='c'/></spatial></tendon>"),
         3,
         {N, N, N}},
        {SCENE("", JOINT("a", ""),
               "<tendon><fixed stiffness='1' damping='1'><joint joint='a' coef='1'/></fixed></tendon>"),
         1,
         {A}},
        {SCENE("", "<site name='w'/>" JOINT("a", "pos='0 0 3'"),
               "<tendon><spatial stiffness='1'><site site='w'/><site site='a'/></spatial></tendon>"),
         1,
         {A}},
        {SCENE("", "<body>" JOINT("a", "sleep='never'") JOINT("b", "sleep='init'") "</body>", ""), 2, {N, I}},
        {SCENE("", "<body sleep='auto'><geom size='1'/></body>", ""), 0, {0}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tx_model *model = load(CASES[i].text);
        int count;
        const int *policy = tx_model_ints(model, TX_INT_TREE_SLEEP, &count);
        assert_int_equal(count, CASES[i].trees);
        for (int t = 0; t < count; t++)
            if (policy[t] != CASES[i].policy[t]) fail_msg("case %d, tree %d: %d", (int)i, t, policy[t]);
        tx_model_destroy(model);
    }
}

// mjModel.dof_length of MuJoCo 4.0.0
static void dofs_are_as_long_as_in_mujoco(void **state) {
#define HINGE "<joint axis='0 1 0'/>"
    static const struct {
        const char *body;
        int count;
        double length[6];
    } CASES[] = {
        {"<body>" HINGE "<geom size='.07'/></body>", 1, {0.07}},
        {"<body>" HINGE "<geom size='.07' pos='1 0 0'/></body>", 1, {1}},
        {"<body>" HINGE "<geom type='capsule' size='.02 .1'/></body>", 1, {0.12}},
        {"<body><freejoint/><geom type='box' size='.1 .2 .3'/></body>",
         6,
         {1, 1, 1, 0.37416574, 0.37416574, 0.37416574}},
        {"<body>" HINGE "<geom size='.07'/><geom type='box' size='.1 .2 .3' pos='1 0 0'/></body>", 1, {1.04093751}},
        {"<body>" HINGE "<geom size='.1'/><geom size='.1' pos='1 0 0'/></body>", 1, {0.6}},
        {"<body>" HINGE "<inertial pos='1 0 0' mass='2' diaginertia='1 2 2'/></body>", 1, {1}},
        {"<body>" HINGE "<inertial pos='0 0 0' mass='2' diaginertia='1 2 2'/></body>", 1, {1e-5}},
        {"<body>" HINGE "<joint pos='1 0 0'/><geom size='.1'/></body>", 2, {1, 1}},
        {"<body><joint type='slide'/>" HINGE "<geom size='.1'/></body>", 2, {1, 0.1}},
        {"<body>" HINGE "<geom size='.1'/><body pos='1 0 0'><joint pos='.5 0 0'/><geom size='.2'/></body></body>",
         2,
         {1.5, 0.5}},
        {"<body>" HINGE "<geom size='.1'/><body pos='1 0 0'><geom size='.2'/><body pos='1 0 0'>" HINGE
         "<geom size='.2'/></body></body></body>",
         2,
         {0.1, 0.2}},
        {"<body>" HINGE "<geom size='.1' pos='.3 0 0'/><body pos='1 0 0'>" HINGE
         "<geom size='.2' pos='5 0 0'/></body></body>",
         2,
         {0.7, 5}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<mujoco><worldbody>%s</worldbody></mujoco>", CASES[i].body);
        tx_model *model = load(text);
        int count;
        const double *length = tx_model_data_array(model, TX_DATA_DOF_LENGTH, &count);
        assert_int_equal(count, CASES[i].count);
        for (int d = 0; d < count; d++)
            if (fabs(length[d] - CASES[i].length[d]) > 1e-8) fail_msg("case %d, dof %d: %.9g", (int)i, d, length[d]);
        tx_model_destroy(model);
    }
}

// what MJCF says of sleep is read, written and read again
static void sleep_survives_the_file(void **state) {
    tx_model *model = load(
        SCENE(" sleep_tolerance='2e-3'", BOX("a", "0 0 .1", "sleep='init'") BOX("b", "1 0 .1", "sleep='never'"), ""));
    char path[] = "/tmp/test_sleep_XXXXXX.xml";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    tx_diag diag = {0};
    assert_int_equal(tx_save_mjcf(model, path, &diag), TX_OK);
    tx_model *again = tx_load_file(path, &diag);
    unlink(path);
    assert_non_null(again);
    assert_true(tx_model_options(again)->sleep);
    assert_true(tx_model_options(again)->sleep_tolerance == 2e-3);
    const int *policy = tx_model_ints(again, TX_INT_BODY_SLEEP, NULL);
    assert_true(policy[1] == TX_SLEEP_INIT && policy[2] == TX_SLEEP_NEVER);
    tx_diag_free(&diag);
    tx_model_destroy(again);
    tx_model_destroy(model);
}

// trees that sleep from the start hang in the air; one that leans on something awake does not sleep
static void some_sleep_from_the_start(void **state) {
    tx_model *model =
        load(SCENE("",
                   BOX("a", "0 0 1", "sleep='init'") BOX("b", "0 2 .1", "") BOX("c", "1 0 .1", "sleep='init'")
                       BOX("d", "1 0 .3", ""),
                   "<keyframe><key/><key qvel='1 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0'/></keyframe>"));
    tx_sim *sim = settled(model, 1);
    assert_true(asleep(sim)[0] == 0 && asleep(sim)[1] < 0 && asleep(sim)[2] < 0 && asleep(sim)[3] < 0);
    tx_sim_step_n(sim, 99);
    EXPECT_ASLEEP(sim, 0, 1, 3, 2);
    assert_true(tx_sim_array(sim, TX_ARRAY_QPOS)[2] == 1);
    // a keyframe that leaves it where it was, and one that does not
    tx_sim_reset(sim, 0, NULL);
    tx_sim_step(sim);
    assert_true(asleep(sim)[0] == 0);
    tx_sim_reset(sim, 1, NULL);
    tx_sim_step(sim);
    assert_true(asleep(sim)[0] < 0);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void what_never_sleeps_keeps_its_island_awake(void **state) {
    tx_model *model =
        load(SCENE("", BOX("a", "0 0 .1", "sleep='never'") BOX("b", "0 0 .3", "") BOX("c", "2 0 .1", ""), ""));
    tx_sim *sim = settled(model, 400);
    EXPECT_ASLEEP(sim, -11, -1, 2);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void switched_off_or_in_stages_all_is_awake(void **state) {
    tx_model *model = load(SCENE("", TWO_BOXES, ""));
    tx_sim *sim = settled(model, 100);
    EXPECT_ASLEEP(sim, 0, 1);
    tx_options o = tx_sim_options(sim), changed = o;
    changed.sleep = false;
    tx_sim_set_options(sim, &changed);
    tx_sim_step_n(sim, 100);
    EXPECT_ASLEEP(sim, -11, -11);
    tx_sim_set_options(sim, &o);
    tx_sim_step_n(sim, 100);
    EXPECT_ASLEEP(sim, 0, 1);
    changed = o, changed.integrator = TX_INTEGRATOR_RK4;
    tx_sim_set_options(sim, &changed);
    tx_sim_step(sim);
    EXPECT_ASLEEP(sim, -11, -11);
    // a file that asks for both is told so
    const char *text = SCENE(" integrator='RK4'", TWO_BOXES, "");
    tx_diag diag = {0};
    tx_model_destroy(tx_load_string(text, strlen(text), "text", &diag));
    assert_true(diag.errors == 0 && diag.warnings == 1);
    tx_diag_free(&diag);
    // a model that was not made for it cannot begin
    tx_model *other = load("<mujoco><worldbody>" TWO_BOXES "</worldbody></mujoco>");
    tx_sim *awake = settled(other, 1);
    assert_int_equal(tx_sim_array_width(awake, TX_ARRAY_TREE_ASLEEP), 0);
    changed = tx_sim_options(awake), changed.sleep = true;
    assert_int_equal(tx_sim_set_options(awake, &changed), TX_ERROR_UNSUPPORTED);
    tx_sim_destroy(awake);
    tx_model_destroy(other);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- waking ---------------------------------------------------------------------------------------------------------

typedef void touch(tx_sim *sim);

// two boxes that sleep apart; what is done to the first wakes it, and the second only if `both`
static void expect_wakes(const char *text, touch *what, bool both) {
    tx_model *model = load(text);
    tx_sim *sim = settled(model, 500);
    assert_true(asleep(sim)[0] >= 0 && asleep(sim)[1] >= 0);
    tx_sim_step_n(sim, 10);
    assert_int_equal(tx_sim_awake(sim, 0), 0);
    what(sim);
    tx_sim_step(sim);
    assert_true(asleep(sim)[0] < 0);
    assert_true(both == (asleep(sim)[1] < 0));
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void push(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED)[6 + 2] = 1e-9; }
static void push_joint(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[5] = -1e-9; }
static void shift(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_QPOS)[0] += 1e-12; }
static void speed_up(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_QVEL)[3] = 1e-9; }
static void move_driven(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_MOCAP_POS)[2] = 0.24; }
static void activate(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_EQ_ACTIVE)[0] = 1; }
static void control(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.1; }
static void fling(tx_sim *sim) { tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 3; }

static void touched_boxes_wake(void **state) {
    const char *apart = SCENE("", TWO_BOXES, "");
    expect_wakes(apart, push, false);
    expect_wakes(apart, push_joint, false);
    expect_wakes(apart, shift, false);
    expect_wakes(apart, speed_up, false);
    // stacked boxes are one island
    expect_wakes(SCENE("", BOX("a", "0 0 .1", "") BOX("b", "0 0 .3", ""), ""), push, true);
}

static void what_the_user_moves_wakes(void **state) {
    const char *driven = "<body mocap='true' pos='0 0 .8'><geom size='.05'/></body>";
    char text[2048];
    snprintf(text, sizeof text, SCENE("", TWO_BOXES "%s", ""), driven);
    expect_wakes(text, move_driven, false);
    // a tree that hangs from it
    expect_wakes(SCENE("",
                       "<body mocap='true' pos='0 0 2'><body><joint axis='0 1 0' damping='1'/>"
                       "<geom type='capsule' size='.02 .1' pos='0 0 -.2'/></body></body>" BOX("b", "1 0 .1", ""),
                       ""),
                 move_driven, false);
    // nothing sleeps on it
    tx_model *model = load(SCENE(
        "", "<body mocap='true' pos='0 0 .5'><geom type='box' size='.5 .5 .05'/></body>" BOX("a", "0 0 .65", ""), ""));
    tx_sim *sim = settled(model, 300);
    EXPECT_ASLEEP(sim, -11);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void couplings_wake(void **state) {
    expect_wakes(SCENE("", TWO_BOXES, "<equality><weld body1='a' body2='b'/></equality>"), push, true);
    // MuJoCo refuses those of tendons
    expect_wakes(SCENE("", TWO_BOXES,
                       "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon>"
                       "<equality><tendon tendon1='t'/></equality>"),
                 push, true);
    // one that begins to act between two that sleep, and one to the world
    expect_wakes(SCENE("", TWO_BOXES, "<equality><weld body1='a' body2='b' active='false'/></equality>"), activate,
                 true);
    expect_wakes(SCENE("", TWO_BOXES, "<equality><weld body1='a' active='false'/></equality>"), activate, false);
    expect_wakes(SCENE("", "<body name='t' mocap='true' pos='0 0 3'/>" TWO_BOXES,
                       "<equality><connect body1='a' body2='t' anchor='0 0 0' active='false'/></equality>"),
                 activate, false);
    // a tendon that is slack does not, one with dry friction does
    expect_wakes(
        SCENE("", TWO_BOXES,
              "<tendon><spatial limited='true' range='0 2'><site site='a'/><site site='b'/></spatial></tendon>"),
        push, false);
    expect_wakes(
        SCENE("", TWO_BOXES, "<tendon><spatial frictionloss='.1'><site site='a'/><site site='b'/></spatial></tendon>"),
        push, true);
}

// equalities that are switched on again join what went to sleep without them
static void switched_on_again_couplings_wake(void **state) {
    static const char *const COUPLINGS[] = {
        SCENE("", TWO_BOXES, "<equality><weld body1='a' body2='b'/></equality>"),
        SCENE("", TWO_BOXES,
              "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon>"
              "<equality><tendon tendon1='t'/></equality>")};
    for (int k = 0; k < 2; k++) {
        tx_model *model = load(COUPLINGS[k]);
        tx_sim *sim = settled(model, 0);
        tx_options o = tx_sim_options(sim);
        o.equality = false;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        assert_int_equal(tx_sim_step_n(sim, 400), TX_OK);
        EXPECT_ASLEEP(sim, 0, 1);
        o.equality = true;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        assert_int_equal(tx_sim_step(sim), TX_OK);
        EXPECT_ASLEEP(sim, -10, -10);
        tx_sim_destroy(sim);
        tx_model_destroy(model);
    }
}

// a tendon that moves no dof does not sleep with the others: its end may be driven
static void a_driven_tendon_has_its_length(void **state) {
    tx_model *model =
        load(SCENE("", "<site name='w'/><body mocap='true' pos='1 0 0'><site name='t'/></body>" BOX("a", "0 3 .1", ""),
                   "<tendon><spatial name='x'><site site='w'/><site site='t'/></spatial></tendon>"
                   "<sensor><tendonpos tendon='x'/></sensor>"));
    tx_sim *sim = settled(model, 400);
    EXPECT_ASLEEP(sim, 0);
    assert_true(tx_sim_array(sim, TX_ARRAY_SENSORDATA)[0] == 1);
    tx_sim_array(sim, TX_ARRAY_MOCAP_POS)[0] = 2;
    assert_int_equal(tx_sim_step_n(sim, 2), TX_OK);
    EXPECT_ASLEEP(sim, 0);
    assert_true(tx_sim_array(sim, TX_ARRAY_SENSORDATA)[0] == 2);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a tendon that becomes taut
static void a_taut_tendon_wakes(void **state) {
    tx_model *model = load(
        SCENE("", TWO_BOXES,
              "<tendon><spatial limited='true' range='0 1.02'><site site='a'/><site site='b'/></spatial></tendon>"));
    tx_sim *sim = settled(model, 300);
    EXPECT_ASLEEP(sim, 0, 1);
    int woke = 0;
    tx_sim_array(sim, TX_ARRAY_QVEL)[0] = -1;
    for (; asleep(sim)[1] >= 0 && woke < 200; woke++) tx_sim_step(sim);
    assert_true(woke < 200);
    // not before: 2 cm at less than 1 m/s
    assert_true(woke > 10 && tx_sim_array(sim, TX_ARRAY_TENDON_LENGTH)[0] >= 1.02);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// MuJoCo leaves it asleep; here a control that changes wakes what it acts on
static void controls_wake(void **state) {
    const char *hanging = SCENE("",
                                "<body name='a' pos='0 0 2' sleep='allowed'><joint name='a' axis='0 1 0' damping='1'/>"
                                "<geom type='capsule' size='.02 .1' pos='0 0 -.2'/></body>" BOX("b", "1 0 .1", ""),
                                "<actuator><position joint='a' kp='1' timeconst='.1'/></actuator>");
    expect_wakes(hanging, control, false);
    tx_model *model = load(hanging);
    tx_sim *sim = settled(model, 500);
    // the same control again is no change
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0;
    tx_sim_step_n(sim, 3);
    assert_int_equal(tx_sim_awake(sim, 0), 0);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// GE R9: two boxes sleep as two islands; one thrown at the other wakes it, then they sleep again
static void contact_wakes(void **state) {
    tx_model *model = load(SCENE("", BOX("a", "0 0 .1", "") BOX("b", ".5 0 .1", "") BOX("c", "0 2 .1", ""), ""));
    tx_sim *sim = settled(model, 200);
    EXPECT_ASLEEP(sim, 0, 1, 2);
    fling(sim);
    int hit = 0, contacts;
    for (; asleep(sim)[1] >= 0 && hit < 300; hit++) tx_sim_step(sim);
    // .3 m between them
    assert_true(hit > 40 && hit < 300);
    // they touch each other, and the one that woke stands on the floor
    const tx_contact *list = tx_sim_contacts(sim, 0, &contacts);
    int between = 0, below = 0;
    for (int i = 0; i < contacts; i++) {
        between += list[i].geom[0] == 1 && list[i].geom[1] == 2;
        below += list[i].geom[0] == 0 && list[i].geom[1] == 2;
    }
    assert_true(between > 0 && below == 4 && asleep(sim)[2] == 2);
    tx_sim_step_n(sim, 1500);
    assert_int_equal(tx_sim_awake(sim, 0), 0);
    // put on top of each other they are one island
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    memcpy(qpos, qpos + 7, 7 * sizeof(double));
    qpos[2] += 0.2;
    tx_sim_step_n(sim, 200);
    EXPECT_ASLEEP(sim, 1, 0, 2);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- motion ---------------------------------------------------------------------------------------------------------

// a scene in which nothing comes to rest moves by the same bits as without sleep; both solve island by island
static void the_awake_move_as_without_sleep(void **state) {
    tx_model *model = load_scene("rest_pile");
    tx_sim *sleeping = settled(model, 0), *awake = settled(model, 0);
    tx_options o = tx_sim_options(awake);
    o.sleep = false;
    tx_sim_set_options(awake, &o);
    double *v[2] = {tx_sim_array(sleeping, TX_ARRAY_QVEL), tx_sim_array(awake, TX_ARRAY_QVEL)};
    for (int d = 0; d < 6000; d++) v[0][d] = v[1][d] = 0.3 * ((d * 7919) % 13 - 6) / 6;
    tx_sim_step_n(sleeping, 8), tx_sim_step_n(awake, 8);
    assert_int_equal(tx_sim_awake(sleeping, 0), 1000);
    assert_memory_equal(tx_sim_array(sleeping, TX_ARRAY_QPOS), tx_sim_array(awake, TX_ARRAY_QPOS),
                        7000 * sizeof(double));
    assert_memory_equal(v[0], v[1], 6000 * sizeof(double));
    tx_sim_destroy(sleeping);
    tx_sim_destroy(awake);
    tx_model_destroy(model);
}

// inverse dynamics see all that is there, and change nothing of who sleeps
static void inverse_leaves_the_sleep(void **state) {
    tx_model *model = load(SCENE("", TWO_BOXES, ""));
    tx_sim *sim = settled(model, 100);
    tx_sim *awake = settled(model, 0);
    double qacc[12] = {0}, force[12], force_awake[12];
    EXPECT_ASLEEP(sim, 0, 1);
    memcpy(tx_sim_array(awake, TX_ARRAY_QPOS), tx_sim_array(sim, TX_ARRAY_QPOS), 14 * sizeof(double));
    assert_int_equal(tx_sim_inverse(sim, qacc, force), TX_OK);
    assert_int_equal(tx_sim_inverse(awake, qacc, force_awake), TX_OK);
    assert_memory_equal(force, force_awake, sizeof force);
    assert_true(force[2] != 0);
    tx_sim_destroy(awake);
    EXPECT_ASLEEP(sim, 0, 1);
    assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
    EXPECT_ASLEEP(sim, 0, 1);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void sensors_keep_what_they_said(void **state) {
    tx_model *model = load(SCENE("",
                                 "<body name='a' pos='0 0 .1'><freejoint/><site name='a' size='.2'/><geom type='box' "
                                 "size='.1 .1 .1'/></body>" BOX("b", "1 0 .1", ""),
                                 "<sensor><velocimeter site='a'/><accelerometer site='a'/><touch site='a'/><framepos "
                                 "objtype='body' objname='a'/>"
                                 "<framepos objtype='body' objname='b' reftype='body' refname='a'/><clock/></sensor>"));
    enum { VELOCITY = 0, ACCELERATION = 3, TOUCH = 6, PLACE = 7, RELATIVE = 10, CLOCK = 13, NUMBERS };
    tx_sim *sim = settled(model, 60);
    double kept[NUMBERS];
    memcpy(kept, tx_sim_array(sim, TX_ARRAY_SENSORDATA), sizeof kept);
    EXPECT_ASLEEP(sim, 0, 1);
    // MuJoCo 4.0.0 says so too: it stands, and feels its weight
    for (int k = 0; k < 3; k++) assert_true(kept[VELOCITY + k] == 0);
    assert_true(fabs(kept[ACCELERATION + 2] - 9.85191249) < 1e-5 && fabs(kept[TOUCH] - 78.8153) < 1e-3);
    assert_memory_equal(kept + PLACE, tx_sim_array(sim, TX_ARRAY_QPOS), 3 * sizeof(double));
    tx_sim_step_n(sim, 10);
    assert_memory_equal(kept, tx_sim_array(sim, TX_ARRAY_SENSORDATA), CLOCK * sizeof(double));
    assert_true(fabs(tx_sim_array(sim, TX_ARRAY_SENSORDATA)[CLOCK] - 69 * 0.002) < 1e-12);
    // a saved state has them
    size_t size = tx_sim_state_size(sim);
    void *blob = malloc(size);
    assert_int_equal(tx_sim_save(sim, blob, size), TX_OK);
    tx_sim *other = settled(model, 3);
    assert_int_equal(tx_sim_restore(other, blob, size), TX_OK);
    tx_sim_step(other);
    assert_memory_equal(kept, tx_sim_array(other, TX_ARRAY_SENSORDATA), CLOCK * sizeof(double));
    // relative ones wake with either
    tx_sim_array(other, TX_ARRAY_QPOS)[7] += 0.5;
    tx_sim_step(other);
    assert_memory_equal(kept, tx_sim_array(other, TX_ARRAY_SENSORDATA), RELATIVE * sizeof(double));
    assert_true(fabs(tx_sim_array(other, TX_ARRAY_SENSORDATA)[RELATIVE] - kept[RELATIVE] - 0.5) < 1e-6);
    free(blob);
    tx_sim_destroy(other);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- promises -------------------------------------------------------------------------------------------------------

// twelve boxes in four stacks, one of which falls; two arms on one post, one of them never at rest: 74 dofs
static const char *const STACKS = SCENE(
    " timestep='0.005'",
    "<replicate count='3' offset='0 .5 0'><replicate count='3' offset='0 0 .2'>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></replicate></replicate>"
    "<body pos='0 -.6 .1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='low'/></body>"
    "<body pos='.02 -.6 .35'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.13 -.62 .62'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='1 0 .5'><geom size='.02'/>"
    "<body sleep='allowed'><joint name='arm' axis='0 1 0' damping='.5'/>"
    "<geom type='capsule' size='.03 .15' pos='0 0 -.2'/><site name='tip' pos='0 0 -.35'/></body>"
    "<body pos='0 .3 0' sleep='never'><joint axis='0 1 0'/><geom type='capsule' size='.03 .15' pos='.1 0 -.2'/></body>"
    "</body>",
    "<actuator><position joint='arm' kp='5' timeconst='.05'/></actuator>"
    "<sensor><framepos objtype='site' objname='tip'/><accelerometer site='low'/></sensor>");

// what happens to environment e in step s, so that things fall asleep and wake
static void disturb(tx_sim *sim, int row, int env, int step) {
    const tx_model *model = tx_sim_model(sim);
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV);
    if (step == 120 + env) tx_sim_array(sim, TX_ARRAY_QVEL)[row * nv + 6 * (env % 9)] = 1 + 0.1 * env;
    if (step == 300) tx_sim_array(sim, TX_ARRAY_CTRL)[row] = 0.01 * env;
    if (step == 350 + env % 7) tx_sim_array(sim, TX_ARRAY_QPOS)[row * nq + 7 * (env % 12) + 2] += 0.01;
}

static void run_disturbed(tx_sim *sim, int first_env, int from, int to) {
    for (int s = from; s < to; s++) {
        for (int e = 0; e < tx_sim_envs(sim); e++) disturb(sim, e, first_env + e, s);
        assert_int_equal(tx_sim_step(sim), TX_OK);
    }
}

// A5: threads, target, place in the batch; G4: buffers that begin too small
static void sleep_has_the_same_bits_everywhere(void **state) {
    enum { ENVS = 37, WATCHED = 17, STEPS = SANITIZED ? 150 : 500 };
    tx_model *model = load(STACKS);
    tx_sim *batch = make_sim(model, ENVS, 3, TX_TARGET_AUTO, 0),
           *scalar = make_sim(model, ENVS, 1, TX_TARGET_SCALAR, 1), *alone = make_sim(model, 1, 2, TX_TARGET_AUTO, 1);
    run_disturbed(batch, 0, 0, STEPS);
    run_disturbed(scalar, 0, 0, STEPS);
    run_disturbed(alone, WATCHED, 0, STEPS);
    assert_true(tx_sim_info(alone).grown > 0);
    for (int e = 0; e < ENVS; e++) assert_true(same_state(batch, e, scalar, e));
    assert_true(same_state(batch, WATCHED, alone, 0));
    // something sleeps, something does not
    tx_info info = tx_sim_info(batch);
    assert_true(info.awake > 0 && info.awake < info.trees);
    tx_sim_destroy(batch);
    tx_sim_destroy(scalar);
    tx_sim_destroy(alone);
    tx_model_destroy(model);
}

// G2: from any step on, also with a change that is not yet stepped
static void a_saved_sleep_goes_on_by_the_same_bits(void **state) {
    enum { STEPS = SANITIZED ? 200 : 600 };
    tx_model *model = load(STACKS);
    tx_sim *sim = make_sim(model, 2, 1, TX_TARGET_AUTO, 0);
    size_t size = tx_sim_state_size(sim);
    void *blob = malloc(size), *same = malloc(size);
    int some_slept = 0;
    for (int at = 40; at < STEPS; at += 70) {
        tx_sim_reset(sim, -1, NULL);
        run_disturbed(sim, 5, 0, at);
        some_slept += tx_sim_awake(sim, 0) < tx_model_size(model, TX_SIZE_NTREE);
        if (at % 4 == 0) tx_sim_array(sim, TX_ARRAY_QPOS)[0] += 1e-3;
        assert_int_equal(tx_sim_save(sim, blob, size), TX_OK);
        tx_sim *other = make_sim(model, 2, 2, TX_TARGET_SCALAR, 3);
        run_disturbed(other, 8, 0, 150); // it has slept otherwise
        assert_int_equal(tx_sim_restore(other, blob, size), TX_OK);
        assert_int_equal(tx_sim_save(other, same, size), TX_OK);
        assert_memory_equal(blob, same, size);
        run_disturbed(sim, 5, at, STEPS);
        run_disturbed(other, 5, at, STEPS);
        assert_true(same_state(sim, 0, other, 0) && same_state(sim, 1, other, 1));
        tx_sim_destroy(other);
    }
    assert_true(some_slept > 0);
    free(blob);
    free(same);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a change after a restore is seen; numbers that are no cycles wake all
static void changes_after_a_restore_wake(void **state) {
    tx_model *model = load(SCENE("", TWO_BOXES, ""));
    tx_sim *sim = settled(model, 100), *other = settled(model, 1);
    size_t size = tx_sim_state_size(sim);
    void *blob = malloc(size);
    tx_sim_save(sim, blob, size);
    assert_int_equal(tx_sim_restore(other, blob, size), TX_OK);
    shift(other);
    tx_sim_step(other);
    assert_true(asleep(other)[0] < 0 && asleep(other)[1] == 1);
    static const double WRONG[][2] = {{1, 1}, {1, -11}, {2, 1}, {0.5, 1}, {NAN, 1}, {-12, 1}, {1e300, 0}};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        tx_sim_restore(other, blob, size);
        memcpy(asleep(other), WRONG[i], sizeof WRONG[i]);
        assert_int_equal(tx_sim_step(other), TX_OK);
        assert_true(asleep(other)[0] < 0 && asleep(other)[1] < 0);
    }
    // one that is whole may be written: both sleep together
    tx_sim_restore(other, blob, size);
    memcpy(asleep(other), (double[]){1, 0}, 2 * sizeof(double));
    tx_sim_step(other);
    EXPECT_ASLEEP(other, 1, 0);
    push(other);
    tx_sim_forward(other);
    assert_true(asleep(other)[0] < 0 && asleep(other)[1] < 0);
    free(blob);
    tx_sim_destroy(sim);
    tx_sim_destroy(other);
    tx_model_destroy(model);
}

// parameters that change wake all, and are in the poses
static void changed_parameters_wake(void **state) {
    tx_model *model = load(SCENE("", TWO_BOXES, ""));
    tx_sim *sim = settled(model, 100);
    tx_sim_param(sim, TX_PARAM_GRAVITY)[2] = 1;
    tx_sim_params_changed(sim);
    assert_int_equal(tx_sim_awake(sim, 0), 2);
    tx_sim_step_n(sim, 50);
    assert_true(tx_sim_array(sim, TX_ARRAY_QVEL)[2] > 0.05);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- B8 -------------------------------------------------------------------------------------------------------------

// the least time of a step, called one by one and many at once [s]
static void measure(tx_sim *sim, double best[2]) {
    best[0] = best[1] = 1;
    for (int i = 0; i < 40; i++) {
        double start = tx_clock();
        tx_sim_step(sim);
        double one = tx_clock() - start;
        start = tx_clock();
        tx_sim_step_n(sim, 10);
        double many = (tx_clock() - start) / 10;
        best[0] = fmin(best[0], one), best[1] = fmin(best[1], many);
    }
}

static void a_pile_of_a_thousand_costs_little_asleep(void **state) {
    tx_model *model = load_scene("rest_pile");
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    int steps = 0;
    for (; tx_sim_awake(sim, 0) > 0 && steps < 400; steps += 20) assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
    assert_int_equal(tx_sim_awake(sim, 0), 0);
    double best[2];
    measure(sim, best);
    print_message("asleep: %.1f us a step called one by one, %.1f us ten at a time\n", 1e6 * best[0], 1e6 * best[1]);
#ifdef __OPTIMIZE__ // coverage builds are not
    if (!SANITIZED) assert_true(best[0] <= 150e-6 && best[1] <= 150e-6);
#endif
    // a box at the bottom wakes what stands on it, and nothing else
    tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED)[6 * 1] = 0.01;
    tx_sim_step(sim);
    int awake = tx_sim_awake(sim, 0);
    assert_int_equal(awake, 10);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_those_of_mujoco),
        cmocka_unit_test(dominoes_wake_and_sleep_as_in_mujoco),
        cmocka_unit_test(policies_are_those_of_mujoco),
        cmocka_unit_test(dofs_are_as_long_as_in_mujoco),
        cmocka_unit_test(sleep_survives_the_file),
        cmocka_unit_test(some_sleep_from_the_start),
        cmocka_unit_test(what_never_sleeps_keeps_its_island_awake),
        cmocka_unit_test(switched_off_or_in_stages_all_is_awake),
        cmocka_unit_test(touched_boxes_wake),
        cmocka_unit_test(what_the_user_moves_wakes),
        cmocka_unit_test(couplings_wake),
        cmocka_unit_test(switched_on_again_couplings_wake),
        cmocka_unit_test(a_driven_tendon_has_its_length),
        cmocka_unit_test(a_taut_tendon_wakes),
        cmocka_unit_test(controls_wake),
        cmocka_unit_test(contact_wakes),
        cmocka_unit_test(the_awake_move_as_without_sleep),
        cmocka_unit_test(inverse_leaves_the_sleep),
        cmocka_unit_test(sensors_keep_what_they_said),
        cmocka_unit_test(sleep_has_the_same_bits_everywhere),
        cmocka_unit_test(a_saved_sleep_goes_on_by_the_same_bits),
        cmocka_unit_test(changes_after_a_restore_wake),
        cmocka_unit_test(changed_parameters_wake),
        cmocka_unit_test(a_pile_of_a_thousand_costs_little_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
