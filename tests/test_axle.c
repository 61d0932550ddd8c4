// test_axle.c - wheels on axles through their centres of mass: MuJoCo's estimate of a row's weight is next to nothing
// there, the exact one solves them; and what did not converge is said where a person looks.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "thixis/thixis.h"

// two equal wheels that press on each other; the second is driven
static const char WHEELS[] =
    "<mujoco><option timestep='0.002' cone='%s'/><worldbody>"
    "<body pos='0 0 1'><joint axis='0 1 0'/><geom type='cylinder' size='.1 .05' euler='90 0 0'/></body>"
    "<body pos='.199 0 1'><joint name='b' axis='0 1 0'/><geom type='cylinder' size='.1 .05' euler='90 0 0'/></body>"
    "</worldbody><actuator><motor joint='b'/></actuator></mujoco>";

static tx_model *load(const char *cone) {
    char text[1024];
    tx_diag diag = {0};
    snprintf(text, sizeof text, WHEELS, cone);
    tx_model *m = tx_load_string(text, strlen(text), "wheels.xml", &diag);
    assert_non_null(m);
    tx_diag_free(&diag);
    return m;
}

// the exact weight of a contact on such a wheel is the mean of its three rows of J M⁻¹ Jᵀ, and D = d / ((1 - d) w)
static void the_weight_is_that_of_the_rows(void **state) {
    static const char TEXT[] =
        "<mujoco><option cone='elliptic'/><worldbody><geom type='plane' size='1 1 .1' solimp='.9 .9 .001 .5 2'/><body "
        "pos='0 0 .149'>"
        "<joint axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='.1 .2 .1'/>"
        "<geom size='.1' pos='0 0 -.05' condim='3' solimp='.9 .9 .001 .5 2'/></body></worldbody></mujoco>";
    tx_model *m = tx_load_string(TEXT, strlen(TEXT), "wheel.xml", NULL);
    assert_non_null(m);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    tx_row rows[3];
    double J[3];
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_int_equal(tx_sim_rows(sim, 0, rows, J, 3), 3);
    const double weight = (J[0] * J[0] + J[1] * J[1] + J[2] * J[2]) / 3 / 0.2;
    assert_true(weight > 1e-3);
    assert_near(rows[0].D * (0.1 / 0.9 * weight), 1, 1e-9);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// a torque T turns both wheels: T t / (2 I) after a time t, in opposite directions
static void wheels_roll_on_each_other(void **state) {
    static const char *const cones[] = {"pyramidal", "elliptic"};
    for (int k = 0; k < 2; k++) {
        tx_model *m = load(cones[k]);
        tx_sim_def def = tx_default_sim_def();
        def.envs = 3;
        tx_sim *sim = tx_sim_create(m, &def);
        for (int e = 0; e < 3; e++) tx_sim_array(sim, TX_ARRAY_CTRL)[e] = 0.1 * e;
        assert_int_equal(tx_sim_step_n(sim, 500), TX_OK);
        const double mass = 1000 * acos(-1) * 0.01 * 0.1, inertia = mass * 0.01 / 2;
        for (int e = 0; e < 3; e++) {
            const double *v = tx_sim_array(sim, TX_ARRAY_QVEL) + 2 * e, wanted = 0.1 * e / (2 * inertia);
            assert_near(v[1], wanted, 1e-3 * wanted + 1e-9);
            assert_near(v[0], -wanted, 1e-3 * wanted + 1e-9);
            tx_convergence c = tx_sim_convergence(sim, e);
            assert_int_equal(c.steps, 500);
            assert_int_equal(c.not_converged, 0);
            assert_true(c.worst_solve_error < 1e-7);
        }
        tx_sim_destroy(sim);
        tx_model_destroy(m);
    }
}

// one iteration from a cold start is too little: each environment knows of its own
static void each_environment_knows_its_convergence(void **state) {
    tx_diag diag = {0};
    tx_model *m = tx_load_file(TX_SOURCE_DIR "/scenes/humanoid.xml", &diag);
    assert_non_null(m);
    tx_sim_def def = tx_default_sim_def();
    def.envs = 2;
    tx_sim *sim = tx_sim_create(m, &def);
    tx_options o = tx_sim_options(sim);
    o.iterations = 1, o.tolerance = 1e-12, o.warmstart = false;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    // the second floats far above the floor
    tx_sim_array(sim, TX_ARRAY_QPOS)[tx_model_size(m, TX_SIZE_NQ) + 2] += 100;
    assert_int_equal(tx_sim_step_n(sim, 300), TX_OK);
    tx_convergence touches = tx_sim_convergence(sim, 0), floats = tx_sim_convergence(sim, 1);
    assert_true(touches.not_converged > 10 && touches.worst_solve_error > 1e-6);
    assert_true(floats.not_converged < touches.not_converged);
    assert_int_equal(tx_sim_info(sim).not_converged, touches.not_converged + floats.not_converged);
    tx_sim_info_clear(sim);
    assert_int_equal(tx_sim_convergence(sim, 0).steps, 0);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
    tx_diag_free(&diag);
}

// the command's exit code and the text of its errors
static int run(const char *options, char *errors, size_t size) {
    char line[1024];
    snprintf(line, sizeof line, TX_COMMAND " run " TX_SOURCE_DIR "/scenes/humanoid.xml --steps 60 %s 2>&1 >/dev/null",
             options);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t count = fread(errors, 1, size - 1, pipe);
    errors[count] = 0;
    return pclose(pipe) / 256;
}

static void the_command_warns(void **state) {
    char errors[4096];
    assert_int_equal(run("--strict", errors, sizeof errors), 0);
    assert_null(strstr(errors, "did not converge"));
    assert_int_equal(run("--set iterations=1 --set tolerance=1e-14", errors, sizeof errors), 0);
    assert_non_null(strstr(errors, "of 60 steps did not converge (solve error up to"));
    assert_int_equal(run("--set iterations=1 --set tolerance=1e-14 --strict", errors, sizeof errors), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_weight_is_that_of_the_rows),
        cmocka_unit_test(wheels_roll_on_each_other),
        cmocka_unit_test(each_environment_knows_its_convergence),
        cmocka_unit_test(the_command_warns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
