// test_material.c - what geoms say of their contacts (TX_GEOM_MATERIALS), from files, by the builder and per
// environment, and what two geoms have together: docs/laws.md.
#include "simulate.h"

#include <unistd.h>

#include "near.h"

static const double G = 9.81;

static tx_model *model_of(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "test.xml", &diag), &diag);
}

// a ball of 1 kg on a box, with what <custom> says of 'ball' and 'floor'
static tx_model *ball_on(const char *custom) {
    char text[2000];
    snprintf(text, sizeof text,
             "<mujoco><option timestep='.005'/><custom>%s</custom><worldbody>"
             "<geom name='floor' type='box' size='1 1 .5' pos='0 0 -.5'/>"
             "<body pos='0 0 .1'><freejoint/><geom name='ball' size='.1' mass='1'/></body></worldbody></mujoco>",
             custom);
    return model_of(text);
}

#define TUPLE(name, geom, prm) \
    "<tuple name='thixis." name "'><element objtype='geom' objname='" geom "' prm='" prm "'/></tuple>"
#define TUPLE2(name, prm1, prm2)                                                            \
    "<tuple name='thixis." name "'><element objtype='geom' objname='ball' prm='" prm1 "'/>" \
    "<element objtype='geom' objname='floor' prm='" prm2 "'/></tuple>"

static tx_sim *start(const tx_model *m, const char *law) {
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.law = tx_list_find(TX_LIST_LAW, law), o.solver = tx_law_solver(o.law), o.tolerance = 1e-12;
    o.beta = 0, o.stiffness = 5e4, o.relaxation = 0.02, o.dissipation = 30;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    return sim;
}

// how deep the ball lies after two seconds
static double depth(const char *custom, const char *law) {
    tx_model *m = ball_on(custom);
    tx_sim *sim = start(m, law);
    assert_int_equal(tx_sim_step_n(sim, 400), TX_OK);
    const double z = tx_sim_array(sim, TX_ARRAY_QPOS)[2];
    tx_sim_destroy(sim), tx_model_destroy(m);
    return 0.1 - z;
}

// mg/k of springs in series; a geom that says nothing is rigid beside one that does; the options where none does
static void stiffness_is_in_series(void **state) {
    static const char *const LAWS[] = {"sap", "similar", "lagged", "hard"};
    for (int l = 0; l < 4; l++) {
        assert_near(depth("", LAWS[l]), G / 5e4, 1e-9);
        assert_near(depth(TUPLE("stiffness", "ball", "1e4"), LAWS[l]), G / 1e4, 1e-9);
        assert_near(depth(TUPLE("stiffness", "floor", "2e4"), LAWS[l]), G / 2e4, 1e-9);
        assert_near(depth(TUPLE2("stiffness", "1e4", "3e4"), LAWS[l]), G / 7500, 1e-9);
    }
}

// a ball that falls and slides: the state after some steps
static void fall(tx_sim *sim, double qvel[6]) {
    tx_sim_array(sim, TX_ARRAY_QPOS)[2] += 0.02;
    tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 0.5;
    assert_int_equal(tx_sim_step_n(sim, 60), TX_OK);
    memcpy(qvel, tx_sim_array(sim, TX_ARRAY_QVEL), 6 * sizeof *qvel);
}

// the motion with what geoms say is that with the same numbers as options
static void as_options(const char *custom, const tx_options *said) {
    static const char *const LAWS[] = {"sap", "similar", "lagged", "hard"};
    tx_model *m = ball_on(custom), *plain = ball_on("");
    for (int l = 0; l < 4; l++) {
        tx_sim *a = start(m, LAWS[l]), *b = start(plain, LAWS[l]);
        tx_options o = tx_sim_options(b);
        o.stiffness = said->stiffness, o.relaxation = said->relaxation, o.dissipation = said->dissipation;
        o.beta = said->beta, o.sigma = said->sigma, o.stiction = said->stiction, o.restitution = said->restitution;
        assert_int_equal(tx_sim_set_options(b, &o), TX_OK);
        double va[6], vb[6];
        fall(a, va), fall(b, vb);
        for (int k = 0; k < 6; k++) assert_near(va[k], vb[k], 1e-9);
        tx_sim_destroy(a), tx_sim_destroy(b);
    }
    tx_model_destroy(m), tx_model_destroy(plain);
}

static tx_options options_of_start(void) {
    tx_options o = tx_default_options();
    o.stiffness = 5e4, o.relaxation = 0.02, o.dissipation = 30, o.beta = 0;
    return o;
}

static void numbers_of_two_geoms_become_one(void **state) {
    tx_options o = options_of_start();
    as_options("", &o);
    // the softer one is pressed in more, so its damping counts more: shares 0.75 and 0.25
    o.stiffness = 7500, o.relaxation = 0.75 * 0.01 + 0.25 * 0.03, o.dissipation = 0.75 * 5 + 0.25 * 20;
    as_options(TUPLE2("stiffness", "1e4", "3e4") TUPLE2("relaxation", ".01", ".03") TUPLE2("dissipation", "5", "20"),
               &o);
    // a rigid one has no damping; without springs of their own both count alike
    o = options_of_start(), o.stiffness = 1e4, o.relaxation = 0.01, o.dissipation = 5;
    as_options(TUPLE("stiffness", "ball", "1e4") TUPLE2("relaxation", ".01", ".03") TUPLE2("dissipation", "5", "20"),
               &o);
    o = options_of_start(), o.relaxation = 0.02, o.dissipation = 12.5;
    as_options(TUPLE2("relaxation", ".01", ".03") TUPLE2("dissipation", "5", "20"), &o);
    // one alone
    o = options_of_start(), o.relaxation = 0, o.dissipation = 7;
    as_options(TUPLE("relaxation", "floor", "0") TUPLE("dissipation", "ball", "7"), &o);
    // of the others the larger one
    o = options_of_start(), o.beta = 3, o.sigma = 0.05, o.stiction = 0.02, o.restitution = 0.6;
    as_options(TUPLE2("beta", "3", "2") TUPLE2("sigma", ".01", ".05") TUPLE2("stiction", ".02", ".001")
                   TUPLE2("restitution", ".2", ".6"),
               &o);
    // also below what the options say
    o = options_of_start(), o.sigma = 1e-5, o.stiction = 1e-6;
    as_options(TUPLE("sigma", "ball", "1e-5") TUPLE("stiction", "floor", "1e-6"), &o);
}

// and each of them makes a difference
static void every_number_counts(void **state) {
    static const struct {
        const char *law, *custom;
    } CASES[] = {{"sap", TUPLE("stiffness", "ball", "1e3")},     {"lagged", TUPLE("stiffness", "ball", "1e3")},
                 {"sap", TUPLE("relaxation", "ball", ".1")},     {"lagged", TUPLE("dissipation", "floor", "1")},
                 {"similar", TUPLE("dissipation", "ball", "1")}, {"sap", TUPLE("beta", "ball", "9")},
                 {"lagged", TUPLE("beta", "floor", "9")},        {"sap", TUPLE("sigma", "ball", ".5")},
                 {"lagged", TUPLE("sigma", "ball", "9")},        {"similar", TUPLE("stiction", "floor", ".1")},
                 {"lagged", TUPLE("stiction", "ball", ".1")},    {"hard", TUPLE("restitution", "floor", ".5")}};
    tx_model *plain = ball_on("");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tx_model *m = ball_on(CASES[i].custom);
        tx_sim *a = start(m, CASES[i].law), *b = start(plain, CASES[i].law);
        double va[6], vb[6], apart = 0;
        fall(a, va), fall(b, vb);
        for (int k = 0; k < 6; k++) apart = fmax(apart, fabs(va[k] - vb[k]));
        if (!(apart > 1e-6)) fail_msg("%s: %s moves as without (%g)", CASES[i].law, CASES[i].custom, apart);
        tx_sim_destroy(a), tx_sim_destroy(b), tx_model_destroy(m);
    }
    tx_model_destroy(plain);
}

// ACCEPTANCE D5, ball by ball: e² of the height
static void balls_bounce_each_by_its_own(void **state) {
    static const double E[] = {0.5, 0.9, 1};
    tx_model *m = model_of("<mujoco><option timestep='.001'/><custom><text name='thixis.law' data='hard'/>"
                           "<tuple name='thixis.restitution'><element objtype='geom' objname='a' prm='.5'/>"
                           "<element objtype='geom' objname='b' prm='.9'/><element objtype='geom' objname='c' "
                           "prm='1'/></tuple></custom><worldbody><geom type='plane' size='0 0 1'/>"
                           "<body pos='0 0 1.1'><freejoint/><geom name='a' size='.1'/></body>"
                           "<body pos='1 0 1.1'><freejoint/><geom name='b' size='.1'/></body>"
                           "<body pos='2 0 1.1'><freejoint/><geom name='c' size='.1'/></body>"
                           "</worldbody></mujoco>");
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    double top[3] = {0};
    assert_int_equal(tx_sim_step_n(sim, 460), TX_OK); // the fall takes 0.4515 s
    for (int k = 0; k < 440; k++) {
        assert_int_equal(tx_sim_step(sim), TX_OK);
        for (int i = 0; i < 3; i++) top[i] = fmax(top[i], tx_sim_array(sim, TX_ARRAY_QPOS)[7 * i + 2] - 0.1);
    }
    for (int i = 0; i < 3; i++) assert_near(top[i], E[i] * E[i], 0.01 * E[i] * E[i]);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// environments have numbers of their own, in every place of a block, and the bits of each alone
static void environments_differ(void **state) {
    enum { ENVS = 11 };
    tx_model *m = ball_on(TUPLE("stiffness", "floor", "3e4"));
    tx_sim *all = make_sim(m, ENVS, 1, TX_TARGET_AUTO, 0), *one = make_sim(m, 1, 1, TX_TARGET_SCALAR, 0);
    tx_sim *const sims[] = {all, one};
    for (int i = 0; i < 2; i++) {
        tx_options o = tx_sim_options(sims[i]);
        o.law = tx_list_find(TX_LIST_LAW, "lagged"), o.solver = tx_law_solver(o.law), o.beta = 0;
        assert_int_equal(tx_sim_set_options(sims[i], &o), TX_OK);
    }
    const int geoms = tx_model_size(m, TX_SIZE_NGEOM), ball = tx_element_find(m, TX_ELEMENT_GEOM, "ball");
    double *k = tx_sim_param(all, TX_PARAM_GEOM_STIFFNESS);
    for (int e = 0; e < ENVS; e++) k[geoms * e + ball] = e == 5 ? -1 : 1e4 * (1 + e);
    assert_int_equal(tx_sim_params_changed(all), TX_OK);
    assert_int_equal(tx_sim_step_n(all, 400), TX_OK);
    for (int e = 0; e < ENVS; e++) {
        const double own = 1e4 * (1 + e), both = e == 5 ? 3e4 : own * 3e4 / (own + 3e4);
        assert_near(0.1 - tx_sim_array(all, TX_ARRAY_QPOS)[7 * e + 2], G / both, 1e-8);
        tx_sim_reset(one, -1, NULL);
        tx_sim_param(one, TX_PARAM_GEOM_STIFFNESS)[ball] = e == 5 ? -1 : own;
        assert_int_equal(tx_sim_params_changed(one), TX_OK);
        assert_int_equal(tx_sim_step_n(one, 400), TX_OK);
        assert_true(same_state(all, e, one, 0));
    }
    tx_sim_destroy(all), tx_sim_destroy(one), tx_model_destroy(m);
}

// MJCF, compiled models and the builder keep them
static void files_keep_them(void **state) {
    tx_model *m = load_scene("contact/materials"), *again;
    char path[] = "/tmp/thixis_test_material_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    tx_diag diag = {0};
    assert_int_equal(tx_save_mjcf(m, path, &diag), TX_OK);
    again = must_have(tx_load_file(path, &diag), &diag);
    unlink(path);
    int said = 0;
#define X(NAME, name, highest, meaning)                                        \
    {                                                                          \
        int count, same;                                                       \
        const double *a = tx_model_params(m, TX_PARAM_GEOM_##NAME, &count);    \
        const double *b = tx_model_params(again, TX_PARAM_GEOM_##NAME, &same); \
        assert_int_equal(count, same);                                         \
        assert_memory_equal(a, b, sizeof *a *(size_t)count);                   \
        for (int i = 0; i < count; i++) said += a[i] >= 0;                     \
    }
    TX_GEOM_MATERIALS(X)
#undef X
    assert_true(said >= 7);
    tx_model_destroy(m), tx_model_destroy(again);
}

// those of an attached model come with its geoms, under their new names; of geoms left behind nothing is said
static void attached_models_bring_theirs(void **state) {
    char folder[] = "/tmp/thixis_test_material_XXXXXX", part[64], whole[64];
    assert_non_null(mkdtemp(folder));
    snprintf(part, sizeof part, "%s/part.xml", folder), snprintf(whole, sizeof whole, "%s/whole.xml", folder);
    FILE *f = fopen(part, "w");
    fputs("<mujoco model='part'><custom><numeric name='thixis.stiffness' data='7'/><tuple name='thixis.stiffness'>"
          "<element objtype='geom' objname='pad' prm='123'/><element objtype='geom' objname='left' prm='5'/></tuple>"
          "</custom><worldbody><geom name='left' size='1'/><body name='hand'><geom name='pad' size='1'/></body>"
          "</worldbody></mujoco>",
          f);
    fclose(f), f = fopen(whole, "w");
    fputs("<mujoco><asset><model name='part' file='part.xml'/></asset><worldbody><geom name='left' size='1'/>"
          "<attach model='part' body='hand' prefix='a_'/></worldbody></mujoco>",
          f);
    fclose(f);
    tx_diag diag = {0};
    tx_model *m = must_have(tx_load_file(whole, &diag), &diag);
    const double *k = tx_model_params(m, TX_PARAM_GEOM_STIFFNESS, NULL);
    assert_true(k[tx_element_find(m, TX_ELEMENT_GEOM, "a_pad")] == 123);
    assert_true(k[tx_element_find(m, TX_ELEMENT_GEOM, "left")] == -1);
    tx_model_destroy(m);
    unlink(part), unlink(whole), rmdir(folder);
}

// MuJoCo takes such a file as it is
static void mujoco_reads_the_file(void **state) {
    static const char PYTHON[] = TX_SOURCE_DIR "/.venv-peers/bin/python";
    if (access(PYTHON, X_OK) != 0) {
        printf("SKIPPED: there is no .venv-peers (tools/peers)\n");
        skip();
    }
    char command[1000];
    snprintf(command, sizeof command,
             "%s -c \"import mujoco; m = mujoco.MjModel.from_xml_path('%s/scenes/contact/materials.xml'); "
             "assert m.ntuple == 7 and m.tuple('thixis.stiffness').objprm[3] == 1e6\"",
             PYTHON, TX_SOURCE_DIR);
    assert_int_equal(system(command), 0);
}

// all of them for one geom, in any order of the file
static void a_geom_has_all_its_numbers(void **state) {
    static const struct {
        const char *tuple;
        tx_param param;
        double value;
    } ALL[] = {{TUPLE("beta", "ball", "7"), TX_PARAM_GEOM_BETA, 7},
               {TUPLE("stiffness", "ball", "1e4"), TX_PARAM_GEOM_STIFFNESS, 1e4},
               {TUPLE("restitution", "ball", ".5"), TX_PARAM_GEOM_RESTITUTION, 0.5},
               {TUPLE("sigma", "ball", ".25"), TX_PARAM_GEOM_SIGMA, 0.25},
               {TUPLE("relaxation", "ball", ".125"), TX_PARAM_GEOM_RELAXATION, 0.125}};
    enum { COUNT = sizeof ALL / sizeof *ALL };
    char custom[1500] = "";
    for (int i = 0; i < COUNT; i++) strcat(custom, ALL[i].tuple);
    tx_model *m = ball_on(custom);
    const int ball = tx_element_find(m, TX_ELEMENT_GEOM, "ball");
    int count;
    for (int i = 0; i < COUNT; i++) assert_true(tx_model_params(m, ALL[i].param, &count)[ball] == ALL[i].value);
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_is_in_series),       cmocka_unit_test(numbers_of_two_geoms_become_one),
        cmocka_unit_test(every_number_counts),          cmocka_unit_test(balls_bounce_each_by_its_own),
        cmocka_unit_test(environments_differ),          cmocka_unit_test(files_keep_them),
        cmocka_unit_test(attached_models_bring_theirs), cmocka_unit_test(mujoco_reads_the_file),
        cmocka_unit_test(a_geom_has_all_its_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
