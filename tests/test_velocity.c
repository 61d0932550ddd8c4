// test_velocity.c - velocity problems and their laws: numbers of point masses and of a three-legged body in closed form
// (Castro et al. 2022 and 2023), springs that are rows, laws against each other, files, bits.
#include "simulate.h"

#include <unistd.h>

#include "near.h"
#include "problem/file.h"
#include "step/alone.h"

static tx_model *model_of(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "test.xml", &diag), &diag);
}

static int law_of(const char *name) {
    int law = 0;
    while (tx_law_name(law) && strcmp(tx_law_name(law), name) != 0) law++;
    assert_non_null(tx_law_name(law));
    return law;
}

// what differs from the defaults; 0: as the model has it
typedef struct setup {
    const char *law;
    double timestep, stiffness, relaxation, dissipation, beta, tolerance;
    int integrator;
} setup;

static tx_sim *start(const tx_model *m, setup s) {
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.law = law_of(s.law);
    if (s.timestep > 0) o.timestep = s.timestep;
    o.stiffness = s.stiffness, o.relaxation = s.relaxation, o.dissipation = s.dissipation;
    if (s.beta > 0) o.beta = s.beta;
    o.tolerance = s.tolerance, o.integrator = s.integrator;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    return sim;
}

static void pull(tx_sim *sim, double x, double y, double z) {
    double *g = tx_sim_param(sim, TX_PARAM_GRAVITY);
    g[0] = x, g[1] = y, g[2] = z;
    assert_int_equal(tx_sim_params_changed(sim), TX_OK);
}

static void finish(tx_sim *sim) {
    assert_int_equal(tx_sim_info(sim).not_converged, 0);
    tx_sim_destroy(sim);
}

static const tx_contact *only_contact(tx_sim *sim) {
    int count;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const tx_contact *c = tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 1);
    return c;
}

static double friction_of(const tx_contact *c) { return hypot(c->force[1], c->force[2]); }

// ---- a point mass: 1 kg that cannot turn, on a plane, friction 0.5 --------------------------------------------------

static const char POINT[] = "<mujoco><option timestep='0.01'/><worldbody>"
                            "<geom type='plane' size='0 0 1' friction='.5' margin='.05'/><body pos='0 0 .1'>"
                            "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                            "<joint type='slide' axis='0 0 1'/><geom size='.1' mass='1' friction='.5'/>"
                            "</body></worldbody></mujoco>";

// m g / k deep; near-rigid: β²/4π² w (1 + τ/h) g h² deep with w = 1/√3
static void a_mass_rests_at_its_depth(void **state) {
    static const char *const LAWS[] = {"sap", "similar", "lagged"};
    tx_model *m = model_of(POINT);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = start(m, (setup){LAWS[k], .stiffness = 1e4, .relaxation = 0.02, .dissipation = 10});
        assert_int_equal(tx_sim_step_n(sim, 600), TX_OK);
        assert_near(only_contact(sim)->dist, -9.81e-4, 1e-12);
        assert_near(only_contact(sim)->force[0], 9.81, 1e-8);
        finish(sim);
    }
    for (int k = 0; k < 2; k++) {
        const double h = k ? 1e-3 : 1e-2, pi = acos(-1);
        tx_sim *sim = start(m, (setup){"sap", .timestep = h, .stiffness = 1e12, .relaxation = h});
        assert_int_equal(tx_sim_step_n(sim, 600), TX_OK);
        assert_near(only_contact(sim)->dist, -2 * 9.81 * h * h / (4 * pi * pi * sqrt(3)), 1e-4 * h * h);
        assert_near(only_contact(sim)->dist, -2.8693e-5 * (k ? 1e-2 : 1), 1e-9);
        finish(sim);
    }
    // the bound of the other two is a stiffness: k <= 4π²/(β² h² w)
    tx_sim *sim = start(m, (setup){"lagged", .stiffness = 1e12, .relaxation = 0, .dissipation = 10});
    assert_int_equal(tx_sim_step_n(sim, 600), TX_OK);
    assert_near(only_contact(sim)->dist, -2.8693e-5 / 2, 1e-9);
    finish(sim);
    tx_model_destroy(m);
}

// on a slope it creeps: sap σ w g sin h, the others ε s/√(1 - s²), s = tan/μ, with the stiction speed ε = 1e-4
static void a_mass_on_a_slope_creeps(void **state) {
    const double slope = acos(-1) / 12, s = tan(slope) / 0.5;
    const struct {
        const char *law;
        double creep;
    } CASES[] = {{"sap", 1e-3 / sqrt(3) * 9.81 * sin(slope) * 0.01},
                 {"similar", 1e-4 * s / sqrt(1 - s * s)},
                 {"lagged", 1e-4 * s / sqrt(1 - s * s)}};
    tx_model *m = model_of(POINT);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = start(m, (setup){CASES[k].law, .stiffness = 1e4, .relaxation = 0.02, .dissipation = 10});
        pull(sim, 9.81 * sin(slope), 0, -9.81 * cos(slope));
        assert_int_equal(tx_sim_step_n(sim, 600), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], CASES[k].creep, 1e-3 * CASES[k].creep);
        assert_near(friction_of(only_contact(sim)), 9.81 * sin(slope), 1e-6);
        finish(sim);
    }
    assert_near(CASES[0].creep, 1.46590e-5, 1e-9);
    assert_near(CASES[1].creep, 6.34738e-5, 1e-9);
    tx_model_destroy(m);
}

// steeper it slides: v = g t (sin - μ cos) = 2.5483 m/s after a second; the first two glide. A dense prototype of 90
// lines gives the same
static void a_mass_slides(void **state) {
    const double slope = acos(-1) * 40 / 180;
    const struct {
        const char *law;
        double speed;
    } CASES[] = {{"sap", 2.54702}, {"similar", 2.54765}, {"lagged", 2.54830}};
    tx_model *m = model_of(POINT);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim =
            start(m, (setup){CASES[k].law, .timestep = 1e-3, .stiffness = 1e4, .relaxation = 1e-3, .dissipation = 10});
        pull(sim, 9.81 * sin(slope), 0, -9.81 * cos(slope));
        tx_sim_array(sim, TX_ARRAY_QPOS)[2] = -9.81 * cos(slope) / 1e4;
        assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], CASES[k].speed, 2e-5);
        finish(sim);
    }
    tx_model_destroy(m);
}

// held above a belt that runs at 1 m/s: sap glides μ (h + τ) v - m g/k high, similar μ h v - (m g/k)/(1 + d μ v);
// lagged does not glide. The margin is how far contacts are looked at
static void only_lagged_does_not_glide(void **state) {
    static const char BELT[] =
        "<mujoco><option timestep='0.01'/><worldbody>"
        "<body><joint type='slide' axis='1 0 0'/><geom type='box' size='50 1 .1' pos='0 0 -.1' mass='1e9' "
        "friction='.5' "
        "margin='.05'/></body>"
        "<body pos='0 0 .1'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='1' friction='.5'/></body>"
        "</worldbody></mujoco>";
    const struct {
        const char *law;
        double gap;
    } CASES[] = {{"sap", 1.4019e-2}, {"similar", 4.836e-3}, {"lagged", -9.81e-4}};
    tx_model *m = model_of(BELT);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = start(m, (setup){CASES[k].law, .stiffness = 1e4, .relaxation = 0.02, .dissipation = 10});
        tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 1;
        assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
        const tx_contact *c = only_contact(sim);
        assert_near(c->dist, CASES[k].gap, 1e-6);
        assert_near(c->force[0], 9.81, 1e-5);
        assert_near(friction_of(c), 4.905, 1e-4);
        finish(sim);
    }
    tx_model_destroy(m);
}

// ---- the pizza saver: three legs 1.5 m from the centre, 3 kg, g = 10, pushed down and turned
// -------------------------

static const char SAVER[] =
    "<mujoco><option timestep='0.01' gravity='0 0 -10'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='%.17g'/><body pos='0 0 .1'>"
    "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
    "<joint name='turn' axis='0 0 1'/><inertial pos='0 0 0' mass='3' diaginertia='6.75 6.75 6.75'/>"
    "<geom size='.1' pos='1.5 0 0' friction='%.17g'/><geom size='.1' pos='-.75 1.299038105676658 0' friction='%.17g'/>"
    "<geom size='.1' pos='-.75 -1.299038105676658 0' friction='%.17g'/></body></worldbody>"
    "<actuator><motor joint='turn'/></actuator></mujoco>";

static tx_model *saver(double mu) {
    char text[2048];
    snprintf(text, sizeof text, SAVER, mu, mu, mu, mu);
    return model_of(text);
}

static void three_legs_carry_and_hold(void **state) {
    const double h = 0.01;
    int count;
    // no torque: each leg carries a third, m g / 3 k deep; from there nothing is left to do
    tx_model *m = saver(1);
    tx_sim *sim = start(m, (setup){"sap", .stiffness = 1e4, .relaxation = h, .beta = 1e-9});
    assert_int_equal(tx_sim_step_n(sim, 60), TX_OK);
    const tx_contact *c = tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 3);
    for (int k = 0; k < 3; k++) assert_near(h * c[k].force[0], 0.1, 1e-6);
    assert_near(tx_sim_array(sim, TX_ARRAY_QPOS)[2], -1e-3, 1e-6);
    finish(sim);
    sim = start(m, (setup){"sap", .stiffness = 1e4, .relaxation = h, .beta = 1e-9, .tolerance = 1e-8});
    tx_sim_array(sim, TX_ARRAY_QPOS)[2] = -1e-3;
    assert_int_equal(tx_sim_step(sim), TX_OK);
    assert_near(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0], 0, 0);
    finish(sim);
    tx_model_destroy(m);

    // a torque that friction holds: γ_t = h M / 3 R, slip σ w γ_t
    m = saver(2.0 / 3);
    sim = start(m, (setup){"sap", .stiffness = 1e4, .relaxation = 2 * h});
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 20;
    assert_int_equal(tx_sim_step_n(sim, 60), TX_OK);
    c = tx_sim_contacts(sim, 0, &count);
    for (int k = 0; k < 3; k++) {
        assert_near(h * friction_of(&c[k]), 0.0444444, 1e-6);
        assert_near(h * c[k].force[0], 0.1, 1e-6);
    }
    assert_near(1.5 * tx_sim_array(sim, TX_ARRAY_QVEL)[3], 1.20963e-5, 1e-2 * 1.20963e-5);
    // and one that it does not: on the cone
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 40;
    assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
    c = tx_sim_contacts(sim, 0, &count);
    for (int k = 0; k < 3; k++) assert_near(friction_of(&c[k]), c[k].force[0] * 2 / 3, 1e-14 * c[k].force[0]);
    finish(sim);
    tx_model_destroy(m);

    // next to no friction: a pull of 1 N for 0.3 s
    m = saver(0);
    sim = start(m, (setup){"sap", .stiffness = 1e4, .relaxation = 2 * h});
    tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[0] = 1;
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
    // the least friction of MuJoCo's contacts is 1e-5
    assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0.1 - 1e-5 * 10 * 0.3, 1e-7);
    finish(sim);
    tx_model_destroy(m);
}

// ---- the free motion
// -------------------------------------------------------------------------------------------------

// without contacts the law does not matter: the same motion as soft with the same integrator
static void free_motion_is_the_integrators(void **state) {
    static const char *const SCENES[] = {"core_actuators", "core_tendons", "joints"};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 2; i++) {
            tx_model *m = load_scene(SCENES[s]);
            const int nv = tx_model_size(m, TX_SIZE_NV);
            tx_sim *sims[2];
            for (int k = 0; k < 2; k++) {
                sims[k] = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
                tx_options o = tx_sim_options(sims[k]);
                o.law = law_of(k ? "sap" : "soft"), o.constraint = false;
                o.integrator = i ? TX_INTEGRATOR_IMPLICITFAST : TX_INTEGRATOR_EULER;
                assert_int_equal(tx_sim_set_options(sims[k], &o), TX_OK);
                spread(sims[k]);
                assert_int_equal(tx_sim_step_n(sims[k], 50), TX_OK);
            }
            const double *a = tx_sim_array(sims[0], TX_ARRAY_QVEL), *b = tx_sim_array(sims[1], TX_ARRAY_QVEL);
            double most = 0, size = 1;
            for (int d = 0; d < nv; d++) most = fmax(most, fabs(a[d] - b[d])), size = fmax(size, fabs(a[d]));
            // tendons across branches are rows here and explicit off the diagonal there
            const bool same = !(i == 1 && s == 1);
            if (same && most > 1e-7 * size) fail_msg("%s: velocities differ by %g of %g", SCENES[s], most, size);
            tx_sim_destroy(sims[0]), tx_sim_destroy(sims[1]), tx_model_destroy(m);
        }
}

// two slides joined by a tendon with a spring and a damper are one oscillator: implicit Euler's closed form
static void a_spring_across_branches_is_implicit(void **state) {
    static const char TWO[] =
        "<mujoco><option timestep='0.01' gravity='0 0 0' integrator='discrete'/><worldbody>"
        "<body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
        "<body pos='0 1 0'><joint name='b' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body></worldbody>"
        "<tendon><fixed name='t' stiffness='1e6' damping='30'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/>"
        "</fixed></tendon></mujoco>";
    tx_model *m = model_of(TWO);
    tx_sim *sim = start(m, (setup){"sap", .integrator = TX_INTEGRATOR_DISCRETE});
    double x = 0.1, v = 0.3, h = 0.01, k = 1e6, c = 30;
    tx_sim_array(sim, TX_ARRAY_QPOS)[0] = x, tx_sim_array(sim, TX_ARRAY_QVEL)[0] = v;
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *u = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int i = 0; i < 20; i++) {
        // of the difference: mass 1/2
        v = (0.5 * v - h * k * x) / (0.5 + h * c + h * h * k), x += h * v;
        assert_int_equal(tx_sim_step(sim), TX_OK);
        assert_near(u[0] - u[1], v, 1e-9), assert_near(q[0] - q[1], x, 1e-10);
        assert_near(u[0] + u[1], 0.3, 1e-9);
        // it is no constraint to the user
        assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_CONSTRAINT)[0], 0, 1e-9);
        assert_int_equal(tx_sim_rows(sim, 0, NULL, NULL, 0), 0);
    }
    finish(sim);
    tx_model_destroy(m);
}

// ---- the step and its problem
// ----------------------------------------------------------------------------------------

// inverse dynamics of what the step does give the forces that act
static void inverse_gives_the_forces_back(void **state) {
    static const char *const LAWS[] = {"sap", "similar", "lagged", "soft_elliptic"};
    static const int INTEGRATORS[] = {TX_INTEGRATOR_EULER, TX_INTEGRATOR_IMPLICITFAST, TX_INTEGRATOR_DISCRETE};
    tx_model *m = load_scene("humanoid");
    const int nv = tx_model_size(m, TX_SIZE_NV);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            tx_sim *sim = start(m, (setup){LAWS[k], .relaxation = -1, .dissipation = -1, .integrator = INTEGRATORS[i]});
            spread(sim);
            assert_int_equal(tx_sim_step_n(sim, 120), TX_OK);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            double qacc[64], force[64], wanted[64];
            memcpy(qacc, tx_sim_array(sim, TX_ARRAY_QACC), sizeof(double) * (size_t)nv);
            const double *actuator = tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR),
                         *user = tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED);
            for (int d = 0; d < nv; d++) wanted[d] = actuator[d] + user[d];
            assert_int_equal(tx_sim_inverse(sim, qacc, force), TX_OK);
            double size = 1;
            const double *pushed = tx_sim_array(sim, TX_ARRAY_QFRC_CONSTRAINT);
            for (int d = 0; d < nv; d++) size = fmax(size, fabs(pushed[d]));
            for (int d = 0; d < nv; d++) assert_near(force[d], wanted[d], 1e-6 * size);
            tx_sim_destroy(sim);
        }
    tx_model_destroy(m);
}

// a file of a velocity problem, solved alone, has the bits of its step; any width has the bits of one lane
static void files_and_lanes_have_the_same_bits(void **state) {
    static const char *const LAWS[] = {"sap", "similar", "lagged"};
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_velocity.%ld.txp", (long)getpid());
    for (int k = 0; k < 3; k++) {
        tx_model *m = load_scene(k == 1 ? "balls_elliptic" : "humanoid");
        const int nv = tx_model_size(m, TX_SIZE_NV);
        tx_sim *sims[2] = {make_sim(m, 11, 1, TX_TARGET_AUTO, 0), make_sim(m, 11, 2, TX_TARGET_SCALAR, 0)};
        for (int s = 0; s < 2; s++) {
            tx_options o = tx_sim_options(sims[s]);
            o.law = law_of(LAWS[k]), o.integrator = k ? TX_INTEGRATOR_IMPLICITFAST : TX_INTEGRATOR_EULER;
            assert_int_equal(tx_sim_set_options(sims[s], &o), TX_OK);
            spread(sims[s]);
            assert_int_equal(tx_sim_step_n(sims[s], 150), TX_OK);
        }
        for (int e = 0; e < 11; e++) assert_true(same_state(sims[0], e, sims[1], e));
        assert_int_equal(tx_sim_write_problem(sims[0], 3, path), TX_OK);
        tx_bare b;
        tx_diag diag = {0};
        const char *why;
        assert_true(tx_problem_read(&b, path, &diag));
        assert_int_equal(b.problem.unit, TX_UNIT_VELOCITY);
        assert_true(b.problem.ncons > 0);
        assert_true(tx_solve_alone(tx_target_single(TX_TARGET_AUTO), &b, 0, NULL, &why));
        assert_true(tx_alone_converged(&b));
        const double *v = tx_sim_array(sims[0], TX_ARRAY_QVEL) + 3 * nv, h = tx_sim_options(sims[0]).timestep;
        double qacc[128];
        assert_true(nv <= 128);
        for (int d = 0; d < nv; d++) qacc[d] = (((const double *)b.problem.x)[d] - v[d]) / h;
        assert_memory_equal(qacc, tx_sim_array(sims[0], TX_ARRAY_QACC) + 3 * nv, sizeof(double) * (size_t)nv);
        tx_bare_destroy(&b);
        unlink(path);
        tx_sim_destroy(sims[0]), tx_sim_destroy(sims[1]), tx_model_destroy(m);
    }
}

// laws of velocities have no stages, and not Coriolis' unsymmetric matrix
static void pairs_that_do_not_go_together(void **state) {
    tx_model *m = model_of(POINT);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    for (int law = 0; tx_law_name(law); law++)
        for (int i = 0; i < TX_INTEGRATOR_COUNT; i++) {
            tx_options o = tx_sim_options(sim);
            const bool soft = strncmp(tx_law_name(law), "soft", 4) == 0;
            const bool velocity =
                i == TX_INTEGRATOR_EULER || i == TX_INTEGRATOR_IMPLICITFAST || i == TX_INTEGRATOR_DISCRETE;
            o.law = law, o.solver = tx_law_solver(law), o.integrator = i;
            assert_int_equal(tx_sim_set_options(sim, &o), soft || velocity ? TX_OK : TX_ERROR_UNSUPPORTED);
        }
    tx_sim_destroy(sim), tx_model_destroy(m);
    static const char RK4[] = "<mujoco><option integrator='RK4'/><custom><text name='thixis.law' data='sap'/></custom>"
                              "<worldbody/></mujoco>";
    tx_diag diag = {0};
    assert_null(tx_load_string(RK4, strlen(RK4), "test.xml", &diag));
    assert_true(diag.errors > 0);
    tx_diag_free(&diag);
}

// wheels on axles through their centres of mass: the weight of the rows is exact in every velocity law
static void wheels_roll_in_every_law(void **state) {
    static const char WHEELS[] =
        "<mujoco><option timestep='0.002'/><worldbody>"
        "<body pos='0 0 1'><joint axis='0 1 0'/><geom type='cylinder' size='.1 .05' euler='90 0 0'/></body>"
        "<body pos='.199 0 1'><joint name='b' axis='0 1 0'/><geom type='cylinder' size='.1 .05' euler='90 0 0'/></body>"
        "</worldbody><actuator><motor joint='b'/></actuator></mujoco>";
    static const char *const LAWS[] = {"sap", "similar", "lagged"};
    tx_model *m = model_of(WHEELS);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = start(m, (setup){LAWS[k], .relaxation = -1, .dissipation = -1, .tolerance = 1e-8});
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.1;
        assert_int_equal(tx_sim_step_n(sim, 500), TX_OK);
        const double mass = 1000 * acos(-1) * 0.01 * 0.1, wanted = 0.1 / (mass * 0.01);
        const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        assert_near(v[1], wanted, 1e-2 * wanted), assert_near(v[0], -wanted, 1e-2 * wanted);
        finish(sim);
    }
    tx_model_destroy(m);
}

// two gears of twelve teeth on axles through their centres of mass: teeth push teeth, one turns as far as the other but
// for the play between them
static void gears_turn_in_every_law(void **state) {
    static const char *const LAWS[] = {"sap", "similar", "lagged"};
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "<mujoco><option timestep='0.002'/><worldbody>");
    for (int g = 0; g < 2; g++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "<body pos='%g 0 1'><joint name='j%d' axis='0 1 0' damping='.02'/><geom type='cylinder' "
                             "size='.07 .02' euler='90 0 0' contype='0' conaffinity='0'/>",
                             0.2 * g, g);
        for (int i = 0; i < 12; i++) {
            const double a = (i + 0.5 * g) * acos(-1) / 6;
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "<geom type='box' size='.02 .02 .006' pos='%.9f 0 %.9f' euler='0 %.9f 0'/>",
                                     0.09 * cos(a), 0.09 * sin(a), -a * 180 / acos(-1));
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "</body>");
    }
    snprintf(text + used, sizeof text - used, "</worldbody><actuator><motor joint='j1'/></actuator></mujoco>");
    tx_model *m = model_of(text);
    for (int k = 0; k < 3; k++) {
        tx_sim *sim = start(m, (setup){LAWS[k], .relaxation = -1, .dissipation = -1, .tolerance = 1e-8});
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.1;
        assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
        const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
        if (getenv("TX_VERBOSE")) printf("gears, %s: %.4f and %.4f rad\n", LAWS[k], q[0], q[1]);
        assert_true(q[1] > 2);
        assert_near(q[0], -q[1], 0.3);
        finish(sim);
    }
    tx_model_destroy(m);
}

// ---- integrator discrete
// ---------------------------------------------------------------------------------------------

// rows and accelerations of the wheel mujoco 4.0.0, solver converged: joint equality, dry friction, a limit, two
// pyramids; a damper and spring in a joint and a servo are in A
static void discrete_rows_are_mujocos(void **state) {
    static const char SCENE[] =
        "<mujoco><option timestep='0.01' integrator='discrete' tolerance='0' iterations='2000'/><worldbody>"
        "<geom name='floor' type='plane' size='0 0 1'/>"
        "<body pos='0 0 0.0995'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>"
        "<body pos='0 1 0.3' euler='0 20 0'><joint name='h' axis='0 1 0' damping='0.5' stiffness='30' range='-5 5' "
        "limited='true' frictionloss='.1'/><geom type='capsule' size='.05 .2' pos='.2 0 -.1'/></body>"
        "<body pos='2 1 0.3'><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05 .1' pos='.2 0 .1'/></body>"
        "</worldbody><equality><joint joint1='h' joint2='j' polycoef='0.1 1 0 0 0'/></equality>"
        "<actuator><position joint='j' kp='400' kv='2'/></actuator><keyframe>"
        "<key qpos='0 0 0.0995 1 0 0 0 0.3 0.1' qvel='0.2 0 -0.1 0 1 0 0.5 -0.3'/></keyframe></mujoco>";
    static const double R[] = {0.21445218741,  0.207792358128, 0.087242963759, 0.140469203457,
                               0.140469203457, 0.140469203457, 0.140469203457, 0.005816197584,
                               0.005816197584, 0.005816197584, 0.005816197584};
    static const double AREF[] = {-159.090909090909, -25.641025641026, 270.151747045777, 6.22375524895,
                                  6.22375524895,     11.906793641272,  0.540716856629,   134.325677598971,
                                  114.158543172442,  124.242110385707, 124.242110385707};
    static const double QACC[] = {-1.597368570066, 0, 5.679795442086,   0,
                                  39.834378716025, 0, -45.238816487478, 102.647962672705};
    tx_model *m = model_of(SCENE);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    tx_sim_reset(sim, 0, NULL);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    tx_row rows[16];
    assert_int_equal(tx_sim_rows(sim, 0, rows, NULL, 16), 11);
    for (int r = 0; r < 11; r++) {
        assert_near(1 / rows[r].D, R[r], 1e-8 * R[r]);
        assert_near(rows[r].aref, AREF[r], 1e-8 * 270);
    }
    for (int d = 0; d < 8; d++) assert_near(tx_sim_array(sim, TX_ARRAY_QACC)[d], QACC[d], 1e-8 * 102);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// the same of a box that spins on the floor, whose rows take its gyroscopic term away; of an equality, whose rows have
// a softness each; and of a muscle, which has stiffness
static void discrete_motion_is_mujocos(void **state) {
    static const char SCENE[] =
        "<mujoco><option timestep='0.01' integrator='discrete' tolerance='0' iterations='2000'/><worldbody>"
        "<geom type='plane' size='0 0 1'/><body pos='0 0 .049'><freejoint/><geom type='box' size='.1 .07 .05' "
        "mass='1'/>"
        "</body><body pos='0 1 1'><joint name='a' axis='0 1 0' damping='2'/><geom type='capsule' size='.03' "
        "fromto='0 0 0 .4 0 .1'/><body name='tip' pos='.4 0 .1'><joint name='b' axis='1 0 .3' damping='.1'/>"
        "<geom type='capsule' size='.03' fromto='0 0 0 .2 .2 0'/></body></body></worldbody>"
        "<equality><connect body1='tip' anchor='.2 .2 0'/></equality>"
        "<actuator><muscle joint='a' lengthrange='-1 2' force='30'/></actuator><keyframe>"
        "<key qpos='0 0 .049 1 0 0 0 .1 -.2' qvel='.1 .2 -.3 2 -3 4 .5 -.7' act='.6' ctrl='.3'/></keyframe></mujoco>";
    static const double R[] = {0.00717132524454, 0.00717135802157, 0.0070675954203};
    static const double QACC[] = {-5.60255965779, -11.0868168516, 18.1080055022,  -114.464969904,
                                  169.561319529,  -225.393183555, -145.112796758, 257.101067884};
    tx_model *m = model_of(SCENE);
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    tx_sim_reset(sim, 0, NULL);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    tx_row rows[32];
    assert_int_equal(tx_sim_rows(sim, 0, rows, NULL, 32), 19);
    for (int r = 0; r < 3; r++) assert_near(1 / rows[r].D, R[r], 1e-10 * R[r]);
    double qacc[8], force[8];
    memcpy(qacc, tx_sim_array(sim, TX_ARRAY_QACC), sizeof qacc);
    for (int d = 0; d < 8; d++) assert_near(qacc[d], QACC[d], 1e-8 * 257);
    // and the forces that make it: the muscle's alone
    assert_int_equal(tx_sim_inverse(sim, qacc, force), TX_OK);
    const double *pulled = tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR);
    for (int d = 0; d < 8; d++) assert_near(force[d], pulled[d], 1e-8 * 30);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// a servo whose frequency times the step is 20 goes to its target, and stays
static void a_stiff_servo_is_stable(void **state) {
    static const char SERVO[] = "<mujoco><option timestep='0.01' gravity='0 0 0' integrator='discrete'/><worldbody>"
                                "<body><joint name='j' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>"
                                "</worldbody><actuator><position joint='j' kp='4e6'/></actuator></mujoco>";
    tx_model *m = model_of(SERVO);
    for (int law = 0; tx_law_name(law); law++) {
        tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
        tx_options o = tx_sim_options(sim);
        o.law = law, o.solver = tx_law_solver(law);
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.3;
        assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_QPOS)[0], 0.3, 1e-9);
        assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0, 1e-9);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_rests_at_its_depth),
        cmocka_unit_test(a_mass_on_a_slope_creeps),
        cmocka_unit_test(a_mass_slides),
        cmocka_unit_test(only_lagged_does_not_glide),
        cmocka_unit_test(three_legs_carry_and_hold),
        cmocka_unit_test(free_motion_is_the_integrators),
        cmocka_unit_test(a_spring_across_branches_is_implicit),
        cmocka_unit_test(inverse_gives_the_forces_back),
        cmocka_unit_test(files_and_lanes_have_the_same_bits),
        cmocka_unit_test(pairs_that_do_not_go_together),
        cmocka_unit_test(wheels_roll_in_every_law),
        cmocka_unit_test(gears_turn_in_every_law),
        cmocka_unit_test(discrete_rows_are_mujocos),
        cmocka_unit_test(discrete_motion_is_mujocos),
        cmocka_unit_test(a_stiff_servo_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
