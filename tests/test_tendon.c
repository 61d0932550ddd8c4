// test_tendon.c - spatial tendons and transmissions: lengths in closed form, moments by differences, adhesion, the
// lengths of muscles.
#include "near.h"
#include "reference.h"

static tx_model *load_text(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "text", &diag), &diag);
}

static tx_sim *one_sim(const tx_model *model) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    return sim;
}

// ---- lengths -------------------------------------------------------------------------------------------------------

// length of a tendon from `from` over a geom at the origin to `to`
static double length_around(const char *geom, const char *from, const char *to, const char *side) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "<mujoco><worldbody><geom name='g' %s contype='0' conaffinity='0'/><site name='a' pos='%s'/><site name='b' "
        "pos='%s'/><site name='s' pos='%s'/><body><joint/><geom size='1' contype='0' conaffinity='0'/></body>"
        "</worldbody><tendon><spatial><site site='a'/><geom geom='g' %s/><site site='b'/></spatial></tendon>"
        "</mujoco>",
        geom, from, to, side ? side : "0 0 0", side ? "sidesite='s'" : "");
    tx_model *model = load_text(text);
    double length = tx_model_params(model, TX_PARAM_TENDON_LENGTH0, NULL)[0];
    tx_model_destroy(model);
    return length;
}

#define SPHERE   "type='sphere' size='1'"
#define CYLINDER "type='cylinder' size='1 5'"

// two tangents and the arc between them, from (-2, 0) to (3, 0) over the unit circle
static void paths_around_a_circle_have_their_closed_form(void **state) {
    const double pi = 3.14159265358979323846, arc = pi - acos(1.0 / 2) - acos(1.0 / 3);
    const double shortest = sqrt(3.0) + sqrt(8.0) + arc;
    assert_true(fabs(length_around(SPHERE, "-2 0 0", "3 0 0", NULL) - shortest) < 1e-14);
    assert_true(fabs(length_around(CYLINDER, "-2 0 0", "3 0 0", NULL) - shortest) < 1e-14);
    assert_true(fabs(length_around(SPHERE, "-2 0 0", "3 0 0", "0 0 4") - shortest) < 1e-14);
    // on a cylinder the path climbs evenly
    assert_true(fabs(length_around(CYLINDER, "-2 0 1", "3 0 2.5", "0 4 0") - sqrt(shortest * shortest + 2.25)) < 1e-14);
    // past the geom it is straight; a side site on the other side pulls it around
    double past = length_around(SPHERE, "-2 1.2 0", "3 1.2 0", NULL);
    assert_true(fabs(past - 5) < 1e-14);
    assert_true(fabs(length_around(SPHERE, "-2 1.2 0", "3 1.2 0", "0 4 0") - 5) < 1e-14);
    assert_true(length_around(SPHERE, "-2 1.2 0", "3 1.2 0", "0 -4 0") > 6.5);
    // an end inside: nothing to wrap around
    assert_true(fabs(length_around(SPHERE, "0.5 0 0", "3 0 0", NULL) - 2.5) < 1e-14);
}

// the path turns as the one over the side site does, here by 320 degrees, of which the tangents take 60 each; with the
// side site between the ends it is straight
static void side_sites_choose_the_way_round(void **state) {
    const double pi = 3.14159265358979323846;
    char from[64], to[64];
    snprintf(from, sizeof from, "%.17g %.17g 0", 2 * cos(pi / 9), 2 * sin(pi / 9));
    snprintf(to, sizeof to, "%.17g %.17g 0", 2 * cos(pi / 9), -2 * sin(pi / 9));
    const double around = 2 * sqrt(3.0) + 200 * pi / 180;
    assert_true(fabs(length_around(CYLINDER, from, to, "-2 0 0") - around) < 1e-14);
    assert_true(fabs(length_around(SPHERE, from, to, "-2 0 0") - around) < 1e-14);
    assert_true(fabs(length_around(CYLINDER, from, to, "4 0 0") - 4 * sin(pi / 9)) < 1e-14);
}

static void a_joint_stands_once_in_a_tendon(void **state) {
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><tendon><fixed>"
        "<joint joint='j' coef='1'/><joint joint='j' coef='2'/></fixed></tendon></mujoco>";
    tx_diag diag = {0};
    char line[300];
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_int_equal(diag.errors, 1);
    tx_diag_format(&diag, 0, line, sizeof line);
    assert_non_null(strstr(line, "joint 'j' is named twice"));
    tx_diag_free(&diag);
}

// a path that must touch the inside of a circle does so on the bisector when its ends are symmetric
static void paths_inside_a_circle_touch_it(void **state) {
    const double angle = 0.8, end = 2;
    char from[64], to[64];
    snprintf(from, sizeof from, "%.17g %.17g 0.3", end * cos(angle), end * sin(angle));
    snprintf(to, sizeof to, "%.17g %.17g 0.3", end * cos(angle), -end * sin(angle));
    double half = sqrt(end * end + 1 - 2 * end * cos(angle)), length = length_around(CYLINDER, from, to, "0.1 0 0.3");
    assert_true(fabs(length - 2 * half) < 1e-11);
    // through the circle it is straight
    assert_true(fabs(length_around(CYLINDER, "-2 0 0", "3 0.1 0", "0.1 0 0") - sqrt(25.01)) < 1e-14);
}

// ---- moments -------------------------------------------------------------------------------------------------------

// rates that the Jacobians give against central differences of the lengths along the motion
static void rates_are_the_derivatives_of_lengths(void **state) {
    tx_model *model = load_scene("core_spatial");
    tx_sim *sim = one_sim(model), *ahead = one_sim(model);
    const int nv = tx_model_size(model, TX_SIZE_NV), nq = tx_model_size(model, TX_SIZE_NQ),
              nu = tx_model_size(model, TX_SIZE_NU);
    const int tendons = tx_model_size(model, TX_SIZE_NTENDON);
    tx_options options = tx_sim_options(ahead);
    const double h = 1e-6;
    assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
    for (int round = 0; round < 40; round++) {
        assert_int_equal(tx_sim_step_n(sim, 7), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        double length[2][64], actuator[2][64];
        // a step of a motion without forces goes along the velocity
        for (int s = 0; s < 2; s++) {
            options.timestep = h;
            options.gravity = options.spring = options.damper = options.actuation = options.constraint = false;
            options.integrator = TX_INTEGRATOR_EULER;
            assert_int_equal(tx_sim_set_options(ahead, &options), TX_OK);
            memcpy(tx_sim_array(ahead, TX_ARRAY_QPOS), tx_sim_array(sim, TX_ARRAY_QPOS), sizeof(double) * (size_t)nq);
            for (int d = 0; d < nv; d++)
                tx_sim_array(ahead, TX_ARRAY_QVEL)[d] = (s ? 1 : -1) * tx_sim_array(sim, TX_ARRAY_QVEL)[d];
            assert_int_equal(tx_sim_step(ahead), TX_OK);
            assert_int_equal(tx_sim_forward(ahead), TX_OK);
            memcpy(length[s], tx_sim_array(ahead, TX_ARRAY_TENDON_LENGTH), sizeof(double) * (size_t)tendons);
            memcpy(actuator[s], tx_sim_array(ahead, TX_ARRAY_ACTUATOR_LENGTH), sizeof(double) * (size_t)nu);
        }
        for (int t = 0; t < tendons; t++) {
            double rate = (length[1][t] - length[0][t]) / (2 * h);
            // the bias adds h times an acceleration, the difference of two lengths 1e-16 / h
            if (!(fabs(rate - tx_sim_array(sim, TX_ARRAY_TENDON_VELOCITY)[t]) < 2e-6))
                fail_msg("round %d, tendon %s: %.10g against %.10g", round,
                         tx_element_name(model, TX_ELEMENT_TENDON, t), tx_sim_array(sim, TX_ARRAY_TENDON_VELOCITY)[t],
                         rate);
        }
        static const char *const EXACT[] = {"reach", "piston", "short"};
        for (int k = 0; k < 3; k++) {
            int i = tx_element_find(model, TX_ELEMENT_ACTUATOR, EXACT[k]);
            double rate = (actuator[1][i] - actuator[0][i]) / (2 * h);
            assert_true(fabs(rate - tx_sim_array(sim, TX_ARRAY_ACTUATOR_VELOCITY)[i]) < 1e-5);
        }
    }
    tx_sim_destroy(sim), tx_sim_destroy(ahead);
    tx_model_destroy(model);
}

// ---- adhesion ------------------------------------------------------------------------------------------------------

// a ball under a ceiling: held by twice its weight, not by half of it
static void adhesion_holds_a_ball_under_a_ceiling(void **state) {
    tx_model *model = load_text("<mujoco><worldbody><geom type='box' size='1 1 0.1' pos='0 0 1.1'/>"
                                "<body name='ball' pos='0 0 0.9'><freejoint/><geom size='0.1' mass='1'/></body>"
                                "</worldbody><actuator><adhesion body='ball' gain='9.81' ctrlrange='0 3'/></actuator>"
                                "</mujoco>");
    for (int strong = 0; strong < 2; strong++) {
        tx_sim *sim = one_sim(model);
        tx_sim_array(sim, TX_ARRAY_QPOS)[2] = 0.9 + 1e-4;
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = strong ? 2 : 0.5;
        assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
        double height = tx_sim_array(sim, TX_ARRAY_QPOS)[2];
        if (strong) assert_true(fabs(height - 0.9) < 1e-3);
        else assert_true(height < -1);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(model);
}

// ---- lengths of muscles ---------------------------------------------------------------------------------------------

static void muscle_range(const char *settings, double range[2]) {
    char text[512];
    snprintf(
        text, sizeof text,
        "<mujoco><compiler angle='radian'><lengthrange %s/></compiler><worldbody><body><joint name='j' axis='0 1 0' "
        "range='-1 0.5'/><geom size='0.1' pos='0.3 0 0'/></body></worldbody><actuator><muscle joint='j'/>"
        "</actuator></mujoco>",
        settings);
    tx_model *model = load_text(text);
    memcpy(range, tx_model_params(model, TX_PARAM_ACTUATOR_LENGTHRANGE, NULL), 2 * sizeof *range);
    tx_model_destroy(model);
}

// MuJoCo 3.12 finds the same two numbers by the same simulation
static void lengths_of_a_muscle_are_found(void **state) {
    double range[2];
    muscle_range("uselimit='true'", range);
    assert_true(range[0] == -1 && range[1] == 0.5);
    muscle_range("", range);
    const double theirs[2] = {-1.0005699383533706, 0.5005699383533693};
    for (int k = 0; k < 2; k++) assert_true(fabs(range[k] - theirs[k]) < 1e-9);
}

// a sum of joint positions with armature a is as heavy as joints with a coef² each, and couples them; gears square
static void armature_is_inertia_of_the_length(void **state) {
    static const char xml[] =
        "<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/>"
        "<body><joint name='y' type='slide' axis='0 1 0'/><geom size='0.1' mass='2'/></body></body></worldbody>"
        "<tendon><fixed name='t' armature='0.5'><joint joint='x' coef='2'/><joint joint='y' "
        "coef='-3'/></fixed></tendon>"
        "<actuator><motor joint='y' gear='3' armature='0.1'/><motor tendon='t' gear='2' armature='0.25'/></actuator>"
        "</mujoco>";
    tx_model *model = load_text(xml);
    tx_sim *sim = one_sim(model);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    // 0.5 + 4 * 0.25 along the tendon, 9 * 0.1 at y
    const double M[4] = {3 + 1.5 * 4, -1.5 * 6, -1.5 * 6, 2 + 1.5 * 9 + 0.9};
    double ours[4];
    assert_int_equal(tx_sim_mass_matrix(sim, 0, ours), TX_OK);
    for (int k = 0; k < 4; k++) assert_near(ours[k], M[k], 1e-13);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_around_a_circle_have_their_closed_form),
        cmocka_unit_test(side_sites_choose_the_way_round),
        cmocka_unit_test(a_joint_stands_once_in_a_tendon),
        cmocka_unit_test(paths_inside_a_circle_touch_it),
        cmocka_unit_test(rates_are_the_derivatives_of_lengths),
        cmocka_unit_test(adhesion_holds_a_ball_under_a_ceiling),
        cmocka_unit_test(lengths_of_a_muscle_are_found),
        cmocka_unit_test(armature_is_inertia_of_the_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
