// test_degenerate.c - parameters at and beyond their ends: no friction, no stiffness, impedances out of range, no mass.
// docs/laws.md has the rules.
#include "simulate.h"

#include "near.h"

static tx_model *model_of(const char *geom, const char *mass, tx_diag *diag) {
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='0 0 1' %s/><body name='cube' "
             "pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='%s' %s/></body></worldbody></mujoco>",
             geom, mass, geom);
    return tx_load_string(text, strlen(text), "test.xml", diag);
}

static tx_sim *start(const tx_model *m, int law, double stiffness) {
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.law = law, o.stiffness = stiffness;
    for (int s = 0; !tx_solver_solves(o.solver, law) && tx_solver_name(s); s++) o.solver = s;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    return sim;
}

static bool is_compliant(int law) {
    const char *name = tx_law_name(law);
    return strcmp(name, "sap") == 0 || strcmp(name, "similar") == 0 || strcmp(name, "lagged") == 0;
}

// μ = 0: friction is 1e-5 as in MuJoCo, so that a cube at 1 m/s loses at most 1e-5 g t
static void no_friction(void **state) {
    tx_model *m = model_of("friction='0 0 0'", "1", NULL);
    for (int law = 0; tx_law_name(law); law++) {
        tx_sim *sim = start(m, law, 0);
        assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
        double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        v[0] = 1;
        assert_int_equal(tx_sim_step_n(sim, 200), TX_OK);
        assert_int_equal(tx_sim_status(sim, 0), TX_OK);
        assert_near(v[0], 1, 1.1e-5 * 9.81 * 0.4);
        // pyramids of so little friction are 1e10 times stiffer than their contact: what is not solved is said
        if (strcmp(tx_law_name(law), "soft") != 0) assert_int_equal(tx_sim_info(sim).not_converged, 0);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

// k = 0 by solref and no damping: no force; a stiffness in N/m goes first
static void no_stiffness(void **state) {
    tx_model *m = model_of("solref='0 0'", "1", NULL);
    for (int law = 0; tx_law_name(law); law++) {
        if (!is_compliant(law)) continue;
        tx_sim *falls = start(m, law, 0), *rests = start(m, law, 1e4);
        assert_int_equal(tx_sim_step_n(falls, 100), TX_OK), assert_int_equal(tx_sim_step_n(rests, 1500), TX_OK);
        assert_near(tx_sim_array(falls, TX_ARRAY_QVEL)[2], -9.81 * 0.2, 1e-9);
        assert_near(tx_sim_array(rests, TX_ARRAY_QPOS)[2], 0.1 - 9.81 / 4e4, 1e-6);
        tx_sim_destroy(falls), tx_sim_destroy(rests);
    }
    tx_model_destroy(m);
}

// solimp: impedances between 1e-4 and 0.9999, width not below zero, power not below one; solref of two signs: the
// default
static void out_of_range(void **state) {
    static const char *const GEOMS[][2] = {{"solimp='0 0 0 0 0'", "solimp='1e-4 1e-4 0 1e-4 1'"},
                                           {"solimp='1 1 0 1 1'", "solimp='.9999 .9999 0 .9999 1'"},
                                           {"solimp='7 9 -1 -2 -3'", "solimp='.9999 .9999 0 1e-4 1'"},
                                           {"solref='-100 1'", "solref='.02 1'"}};
    for (int k = 0; k < 4; k++) {
        tx_model *wild = model_of(GEOMS[k][0], "1", NULL), *tame = model_of(GEOMS[k][1], "1", NULL);
        for (int law = 0; tx_law_name(law); law++) {
            tx_sim *a = start(wild, law, 0), *b = start(tame, law, 0);
            assert_int_equal(tx_sim_step_n(a, 200), TX_OK), assert_int_equal(tx_sim_step_n(b, 200), TX_OK);
            assert_true(same_state(a, 0, b, 0));
            assert_int_equal(tx_sim_status(a, 0), TX_OK);
            tx_sim_destroy(a), tx_sim_destroy(b);
        }
        tx_model_destroy(wild), tx_model_destroy(tame);
    }
}

// what moves must have a mass, and the message names it
static void no_mass(void **state) {
    tx_diag diag = {0};
    assert_null(model_of("", "0", &diag));
    assert_true(diag.errors > 0);
    assert_non_null(strstr(diag.messages[0].text, "'cube' moves but has no mass"));
    tx_diag_free(&diag);
}

// options out of range are refused with the range
static void no_option(void **state) {
    tx_model *m = model_of("", "1", NULL);
    tx_sim *sim = start(m, 0, 0);
    const tx_options good = tx_sim_options(sim);
    char text[256];
#define REFUSES(field, value)                                                          \
    {                                                                                  \
        tx_options o = good;                                                           \
        o.field = value;                                                               \
        assert_int_equal(tx_sim_set_options(sim, &o), TX_ERROR_ARGUMENT);              \
        tx_options_text(&o, text, sizeof text);                                        \
        assert_non_null(strstr(text, #field)), assert_non_null(strstr(text, "takes")); \
    }
    REFUSES(stiffness, -1)
    REFUSES(beta, -1)
    REFUSES(sigma, 0)
    REFUSES(stiction, 0)
    REFUSES(stiffness, NAN)
#undef REFUSES
    tx_sim_destroy(sim), tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_friction), cmocka_unit_test(no_stiffness), cmocka_unit_test(out_of_range),
        cmocka_unit_test(no_mass),     cmocka_unit_test(no_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
