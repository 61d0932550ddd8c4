// test_hard.c - rigid contacts in steps: things stick, slide, stand, roll, bounce and do not tunnel as Signorini,
// Coulomb and Newton say (ACCEPTANCE B4, B5, C6, C7, D4, D5, G2).
#include "simulate.h"

#include <unistd.h>

#include "near.h"
#include "problem/file.h"
#include "sanitized.h"
#include "sliding_cube.h"
#include "step/alone.h"

static tx_model *model_of(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "test.xml", &diag), &diag);
}

static int find(const char *(*name_of)(int), const char *name) {
    int i = 0;
    while (name_of(i) && strcmp(name_of(i), name) != 0) i++;
    assert_non_null(name_of(i));
    return i;
}

static void say(const char *what, double value, const char *unit) {
    if (getenv("TX_VERBOSE")) printf("%s: %.6g %s\n", what, value, unit);
}

// what a simulation is asked for; zero: as the model says
typedef struct setup {
    const char *law, *solver;
    double timestep, tolerance, restitution;
    int iterations;
} setup;

static void set_up(tx_sim *sim, setup s) {
    tx_options o = tx_sim_options(sim);
    o.law = find(tx_law_name, s.law ? s.law : "hard");
    o.solver = s.solver ? find(tx_solver_name, s.solver) : tx_law_solver(o.law);
    o.iterations = s.iterations ? s.iterations : 2000;
    o.restitution = s.restitution;
    if (s.timestep > 0) o.timestep = s.timestep;
    o.tolerance = s.tolerance > 0 ? s.tolerance : 1e-8;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
}

static tx_sim *start(const tx_model *m, setup s) {
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    set_up(sim, s);
    return sim;
}

static void finish(tx_sim *sim, tx_model *m) {
    assert_int_equal(tx_sim_info(sim).not_converged, 0);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

static const char *const SOLVERS[] = {"pgs", "nsgs", "apgd", "bb"};

// ---- which pairs there are ------------------------------------------------------------------------------------------

static void pairs_follow_from_the_kernels(void **state) {
    const int hard = find(tx_law_name, "hard"), ccp = find(tx_law_name, "hard_ccp"),
              box = find(tx_law_name, "hard_box");
    for (int s = 0; tx_solver_name(s); s++) {
        const char *name = tx_solver_name(s);
        bool dual = false;
        for (int k = 0; k < 4; k++) dual = dual || strcmp(name, SOLVERS[k]) == 0;
        assert_int_equal(tx_solver_solves(s, hard), dual);
        assert_int_equal(tx_solver_solves(s, ccp), dual);
        // friction row by row has neither an objective nor an exact contact
        assert_int_equal(tx_solver_solves(s, box), strcmp(name, "pgs") == 0);
    }
    assert_string_equal(tx_solver_name(tx_law_solver(hard)), "nsgs");
    assert_string_equal(tx_solver_name(tx_law_solver(ccp)), "nsgs");
    assert_string_equal(tx_solver_name(tx_law_solver(box)), "pgs");
    assert_string_equal(tx_solver_name(tx_law_solver(0)), "newton");
    for (int i = 0; i < TX_INTEGRATOR_COUNT; i++)
        assert_int_equal(tx_law_integrates(hard, (tx_integrator)i),
                         i == TX_INTEGRATOR_EULER || i == TX_INTEGRATOR_IMPLICITFAST || i == TX_INTEGRATOR_DISCRETE);
}

// a file that names the law alone gets a solver that knows it, and its numbers
static void a_file_says_it(void **state) {
    tx_model *m = model_of("<mujoco><custom><text name='thixis.law' data='hard'/>"
                           "<numeric name='thixis.recovery' data='.5'/><numeric name='thixis.restitution' data='.25'/>"
                           "<numeric name='thixis.bounce_speed' data='.75'/></custom>"
                           "<worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/>"
                           "<geom size='.1'/></body></worldbody></mujoco>");
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    assert_string_equal(tx_law_name(o.law), "hard");
    assert_string_equal(tx_solver_name(o.solver), "nsgs");
    assert_near(o.recovery, 0.5, 0), assert_near(o.restitution, 0.25, 0), assert_near(o.bounce_speed, 0.75, 0);
    // a motion alone has no force
    double qacc[6] = {0}, force[6];
    assert_int_equal(tx_sim_inverse(sim, qacc, force), TX_ERROR_UNSUPPORTED);
    // what cannot be solved is refused, and nothing has changed
    o.solver = find(tx_solver_name, "newton");
    assert_int_equal(tx_sim_set_options(sim, &o), TX_ERROR_UNSUPPORTED);
    assert_string_equal(tx_solver_name(tx_sim_options(sim).solver), "nsgs");
    assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
    finish(sim, m);
}

// ---- limits of a solve ----------------------------------------------------------------------------------------------

// what a file does not say is the law's own: more iterations than Newton's method needs, and a tolerance of dual
// solvers
static void a_law_has_its_own_limits(void **state) {
    const int hard = find(tx_law_name, "hard"), soft = find(tx_law_name, "soft");
    assert_true(tx_law_iterations(soft) == 100 && tx_law_iterations(hard) == 500);
    assert_near(tx_law_tolerance(soft), 1e-8, 0), assert_near(tx_law_tolerance(hard), 1e-6, 0);
    tx_model *m = load_scene("rest_stack");
    tx_sim *sim = make_sim(m, 1, 1, TX_TARGET_AUTO, 0);
    tx_options o = tx_sim_options(sim);
    assert_int_equal(o.iterations, 0), assert_near(o.tolerance, -1, 0);
    // without a warm start sweeps of pgs carry the weight of ten boxes down too slowly: they end at the limit, and say
    // so
    o.law = hard, o.warmstart = false;
    for (int said = 0; said < 2; said++) {
        const long long before = tx_sim_info(sim).not_converged;
        o.solver = find(tx_solver_name, "pgs"), o.iterations = said ? 30 : 0;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        assert_int_equal(tx_sim_reset(sim, -1, NULL), TX_OK);
        assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
        assert_near(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0], said ? 30 : 500, 0);
        assert_true(tx_sim_info(sim).not_converged > before);
    }
    // its own tolerance is above MuJoCo's
    o.solver = find(tx_solver_name, "nsgs"), o.iterations = 0, o.warmstart = true;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    assert_int_equal(tx_sim_reset(sim, -1, NULL), TX_OK);
    assert_int_equal(tx_sim_step_n(sim, 60), TX_OK);
    const double error = tx_sim_array(sim, TX_ARRAY_SOLVE_ERROR)[0];
    say("rest_stack, solve error at the law's own tolerance", error, "");
    assert_true(error <= 1e-6 && error > 1e-8);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// a tolerance of zero asks for so many iterations, whatever their error: no more, no less, and no complaint
static void a_number_of_sweeps_can_be_asked_for(void **state) {
    tx_model *m = load_scene("rest_stack");
    for (int k = 0; k < 4; k++) {
        tx_sim *sim = start(m, (setup){.solver = SOLVERS[k], .iterations = 10});
        tx_options o = tx_sim_options(sim);
        o.tolerance = 0;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        for (int i = 0; i < 20; i++) {
            assert_int_equal(tx_sim_step(sim), TX_OK);
            assert_near(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0], 10, 0);
        }
        // it is far from an answer, and the error says how far
        say(SOLVERS[k], tx_sim_info(sim).worst_solve_error, "after 10 iterations");
        assert_true(tx_sim_info(sim).worst_solve_error > 1e-3);
        finish(sim, NULL);
    }
    tx_model_destroy(m);
}

// ---- C6: a cube on an incline of 20 degrees, μ = 1, does not slip ---------------------------------------------------

static void a_cube_sticks(void **state) {
    for (int dim = 3; dim <= 6; dim += dim == 3 ? 1 : 2)
        for (int k = 0; k < 4; k++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "<mujoco><option timestep='.002' gravity='3.3552176021 0 -9.2183846244'/><worldbody>"
                     "<geom type='plane' size='0 0 1'/><body pos='0 0 .1'><freejoint/><geom type='box' "
                     "size='.1 .1 .1' mass='1' condim='%d'/></body></worldbody></mujoco>",
                     dim);
            tx_model *m = model_of(text);
            tx_sim *sim = start(m, (setup){.solver = SOLVERS[k], .tolerance = 1e-10, .iterations = 20000});
            assert_int_equal(tx_sim_step_n(sim, 500), TX_OK);
            const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
            say(SOLVERS[k], 1e6 * hypot(v[0], v[1]), "um/s of slip");
            assert_true(1e6 * hypot(v[0], v[1]) <= 1e-3);
            assert_near(tx_sim_array(sim, TX_ARRAY_QPOS)[2], 0.1, 1e-9);
            finish(sim, m);
        }
}

// ---- C7: a sliding cube -------------------------------------------------------------------------------------------

static void friction_slows_down(void **state) {
    for (int k = 0; k < SLIDING_CUBE_COUNT; k++) {
        tx_model *m = sliding_cube_model(SLIDING_CUBES[k][0]);
        tx_sim *sim = start(m, (setup){.iterations = 20000});
        cube_slides_by_coulomb(SLIDING_CUBES[k][0], SLIDING_CUBES[k][1], sim);
        // Coulomb's law need not have an answer at μ = 2: at most one step has none
        const tx_info info = tx_sim_info(sim);
        say("worst solve error", info.worst_solve_error, "");
        assert_true(info.not_converged <= (SLIDING_CUBES[k][0] > 1) && info.worst_solve_error < 1e-3);
        tx_sim_destroy(sim), tx_model_destroy(m);
    }
}

// the convex model lifts what slides until its gap is h μ v: the normal asks for u₀ >= μ|u_t| - φ/h
static void the_convex_model_glides(void **state) {
    tx_model *m = sliding_cube_model(0.25);
    tx_sim *sim = start(m, (setup){.law = "hard_ccp"});
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    v[0] = 6, q[2] += 0.005 * 0.25 * 6;
    assert_int_equal(tx_sim_step_n(sim, 40), TX_OK);
    const double before = v[0];
    assert_int_equal(tx_sim_step(sim), TX_OK);
    say("gap of ccp", q[2] - 0.05, "m"), say("  h mu v", 0.005 * 0.25 * v[0], "m");
    assert_near(q[2] - 0.05, 0.005 * 0.25 * v[0], 2e-5);
    assert_near((before - v[0]) / 0.005, 0.25 * 9.81, 0.02 * 0.25 * 9.81);
    finish(sim, m);
}

// friction row by row holds √2 μ along a diagonal: it is another model. Coulomb's slides there
static void a_box_of_friction_is_another_model(void **state) {
    // tan of the slope is 1.2 μ, downhill along (1, 1)
    static const char SLAB[] = "<mujoco><option timestep='.005' gravity='%s -9.81'/><worldbody>"
                               "<geom type='plane' size='0 0 1' friction='.5'/><body pos='0 0 .02'><freejoint/>"
                               "<geom type='box' size='.1 .1 .02' friction='.5'/></body></worldbody></mujoco>";
    char text[1024];
    snprintf(text, sizeof text, SLAB, "4.16202979 4.16202979");
    static const char *const LAWS[] = {"hard_box", "hard"};
    for (int k = 0; k < 2; k++) {
        tx_model *m = model_of(text);
        tx_sim *sim = start(m, (setup){.law = LAWS[k], .solver = "pgs", .iterations = 20000});
        assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
        const double *v = tx_sim_array(sim, TX_ARRAY_QVEL), speed = hypot(v[0], v[1]);
        say(LAWS[k], speed, "m/s along the diagonal");
        if (k == 0) assert_true(speed < 1e-6);
        else assert_near(speed, 0.5 * 9.81 * (0.6 - 0.5), 1e-3);
        finish(sim, m);
    }
}

// ---- D5: restitution ----------------------------------------------------------------------------------------------

static const char BALL[] = "<mujoco><option timestep='.0005'/><worldbody><geom type='plane' size='0 0 1'/>"
                           "<body pos='0 0 1.1'><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>";

// dropped from H, a ball comes up to e²H
static void a_ball_bounces(void **state) {
    static const double E[] = {0, 0.5, 0.9, 1};
    for (int k = 0; k < 4; k++) {
        tx_model *m = model_of(BALL);
        tx_sim *sim = start(m, (setup){.restitution = E[k]});
        const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        double top = 0, deepest = 0;
        for (int i = 0, hit = 0; i < 2000; i++) {
            assert_int_equal(tx_sim_step(sim), TX_OK);
            hit = hit || v[2] > -1e-3;
            if (hit) top = fmax(top, q[2] - 0.1);
            if (hit && v[2] < -1e-3) break;
            deepest = fmax(deepest, 0.1 - q[2]);
        }
        say("bounce / e^2 H", E[k] > 0 ? top / (E[k] * E[k]) : top, "");
        assert_near(top, E[k] * E[k], 0.01 * E[k] * E[k] + 1e-9);
        assert_true(deepest < 1e-9);
        finish(sim, m);
    }
}

// what comes in more slowly than the threshold stays, what is faster leaves at e times its speed
static void slow_balls_do_not_bounce(void **state) {
    tx_model *m = model_of(BALL);
    tx_sim *sim = start(m, (setup){.restitution = 0.5});
    tx_options o = tx_sim_options(sim);
    o.bounce_speed = 0.1;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    static const double IN[] = {-0.05, -0.099, -0.101, -0.2};
    for (int k = 0; k < 4; k++) {
        q[2] = 0.1, v[2] = IN[k];
        assert_int_equal(tx_sim_step(sim), TX_OK);
        assert_near(v[2], k < 2 ? 0 : -0.5 * IN[k], 1e-9);
    }
    finish(sim, m);
}

// e = 1: v²/2 + g z - h g v / 2 is what this step keeps between impacts, and the impact keeps it too
static void bouncing_keeps_its_energy(void **state) {
    tx_model *m = model_of(BALL);
    tx_sim *sim = start(m, (setup){.restitution = 1});
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL), g = 9.81, h = 0.0005;
    double worst = 0;
    int impacts = 0;
    for (int i = 0; i < 10000; i++) {
        const double before = v[2];
        assert_int_equal(tx_sim_step(sim), TX_OK);
        impacts += v[2] > 0 && before < 0;
        const double energy = 0.5 * v[2] * v[2] + g * (q[2] - 0.1) - 0.5 * h * g * v[2];
        worst = fmax(worst, fabs(energy / g - 1));
    }
    say("impacts", impacts, ""), say("energy off by", worst, "");
    assert_true(impacts >= 5);
    assert_true(worst < 1e-7);
    finish(sim, m);
}

// a row of balls without gravity; the first comes in at 1 m/s
static void cradle(double gap, double speed[3]) {
    char text[2048] = "<mujoco><option timestep='.001' gravity='0 0 0'/><worldbody>";
    size_t used = strlen(text);
    for (int i = 0; i < 3; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "<body pos='%.17g 0 0'><freejoint/><geom size='.05' mass='1' condim='1'/></body>",
                                 (0.1 + gap) * i);
    snprintf(text + used, sizeof text - used, "</worldbody></mujoco>");
    tx_model *m = model_of(text);
    tx_sim *sim = start(m, (setup){.restitution = 1, .tolerance = 1e-12});
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    v[0] = 1;
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    for (int i = 0; i < 3; i++) speed[i] = v[6 * i];
    finish(sim, m);
}

// apart, one hands its speed to the next; touching, Newton's law for each contact at once gives -1/3, 2/3, 2/3
static void a_cradle_swings(void **state) {
    double v[3];
    cradle(0.003, v);
    assert_near(v[0], 0, 1e-9), assert_near(v[1], 0, 1e-9), assert_near(v[2], 1, 1e-9);
    cradle(0, v);
    assert_near(v[0], -1.0 / 3, 1e-9), assert_near(v[1], 2.0 / 3, 1e-9), assert_near(v[2], 2.0 / 3, 1e-9);
}

// ---- contacts are found before they touch ---------------------------------------------------------------------------

// 200 m/s against a sheet of 1 mm, 2 m a step: it stops at the surface
static void nothing_tunnels(void **state) {
    tx_model *m = model_of("<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody>"
                           "<geom type='box' size='.0005 1 1' friction='0'/><body pos='-3 .2 .1'><freejoint/>"
                           "<geom type='box' size='.05 .03 .02'/></body><body pos='-3 -.2 .1'><freejoint/>"
                           "<geom size='.05'/></body></worldbody></mujoco>");
    for (int s = 0; s < 4; s++) {
        tx_sim *sim = start(m, (setup){.solver = SOLVERS[s], .iterations = 20000});
        double *v = tx_sim_array(sim, TX_ARRAY_QVEL), *q = tx_sim_array(sim, TX_ARRAY_QPOS);
        v[0] = v[6] = 200;
        assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
        for (int i = 0; i < 2; i++) {
            assert_near(q[7 * i], -0.0505, 1e-6);
            // a micrometre of overlap is recovered in a step
            assert_near(v[6 * i], 0, 1e-4);
        }
        assert_int_equal(tx_sim_info(sim).not_converged, 0);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

// what overlaps comes apart at the speed of recovery, near the surface by its share of a step, and then stays
static void overlap_recovers(void **state) {
    tx_model *m = model_of("<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='0 0 1'/>"
                           "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    tx_sim *sim = start(m, (setup){0});
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    assert_int_equal(tx_sim_step_n(sim, 40), TX_OK);
    assert_near(v[2], 0.1, 1e-9), assert_near(q[2], 0.09 + 40 * 0.002 * 0.1, 1e-9);
    // 2 mm are left: 5 more steps to where 0.2 of the overlap a step is slower than 0.1 m/s, then by that share
    assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
    const double left = 0.1 - q[2];
    assert_near(left, 1e-3, 1e-9);
    assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
    // (the first of them is faster yet than gravity slows it down)
    assert_near(0.1 - q[2], left * pow(0.8, 20), 2e-3 * left * pow(0.8, 20));
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    assert_near(q[2], 0.1, 1e-9), assert_near(v[2], 0, 1e-9);
    // one step out of 0.1 mm: exactly the share of it
    q[2] = 0.0999, v[2] = 0;
    assert_int_equal(tx_sim_step(sim), TX_OK);
    assert_near(v[2], 0.2 * 1e-4 / 0.002, 1e-9);
    finish(sim, m);
}

// a contact with a stiffness is a spring: it carries a weight by mg/k, and a step from above is
// m (v - v0 + g h) = -h (k (gap + h v) + k relaxation v)
static void a_rigid_contact_may_have_a_spring(void **state) {
    tx_model *m = model_of("<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='0 0 1'/>"
                           "<body pos='0 0 .1'><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>");
    tx_sim *sim = start(m, (setup){.tolerance = 1e-12});
    tx_options o = tx_sim_options(sim);
    const double k = o.stiffness = 1e4, h = o.timestep, gap = -1e-3, relax = o.relaxation = 0.003;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    q[2] = 0.1 + gap, v[2] = 0.05;
    assert_int_equal(tx_sim_step(sim), TX_OK);
    assert_near(v[2], (2 * (0.05 - 9.81 * h) - h * k * gap) / (2 + h * k * (h + relax)), 1e-9);
    assert_int_equal(tx_sim_step_n(sim, 2000), TX_OK);
    assert_near(q[2], 0.1 - 2 * 9.81 / k, 1e-9), assert_near(v[2], 0, 1e-9);
    finish(sim, m);
}

// ---- D4: balls roll on a plate that is pulled along a diagonal (after SimBenchmark) ---------------------------------

// the ground rubs with μ(M + 25 m)g, a ball on the plate takes 2/7 of its acceleration
static void balls_roll_along_the_diagonal(void **state) {
    enum { BALLS = 25, STEPS = 400 };
    char text[8192] = "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1' friction='.4'/>"
                      "<body pos='0 0 .1'><freejoint/><geom type='box' size='2 2 .1' mass='10' friction='.4'/></body>";
    size_t used = strlen(text);
    for (int i = 0; i < BALLS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "<body pos='%g %g .3'><freejoint/><geom size='.1' mass='1' friction='.8'/></body>",
                                 0.4 * (i % 5 - 2), 0.4 * (i / 5 - 2));
    snprintf(text + used, sizeof text - used, "</worldbody></mujoco>");
    tx_model *m = model_of(text);
    tx_sim *sim = start(m, (setup){.tolerance = 1e-9, .iterations = 20000});
    double *push = tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED) + 6;
    push[0] = push[1] = 150 / sqrt(2);
    const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    const double a = (150 - 0.4 * 9.81 * 35) / (10 + 2.0 / 7 * BALLS);
    double error = 0;
    for (int i = 1; i <= STEPS; i++) {
        assert_int_equal(tx_sim_step(sim), TX_OK);
        for (int k = 0; k <= BALLS; k++) {
            const double wanted = a * 0.001 * i * (k ? 2.0 / 7 : 1) / sqrt(2), *own = v + 6 * k;
            error += (pow(own[0] - wanted, 2) + pow(own[1] - wanted, 2) + own[2] * own[2]) / (BALLS + 1) / STEPS;
        }
    }
    say("rolling, mean squared error", error, "m2/s2");
    assert_true(error <= 1e-6);
    finish(sim, m);
}

// ---- D4: 666 and bouncing (after SimBenchmark)
// -----------------------------------------------------------------------

// n² smooth spheres of 10 kg side by side
static tx_model *spheres(int n, double height, double spacing) {
    char *text = malloc(512 + 128 * (size_t)(n * n)), *at = text;
    assert_non_null(text);
    at += sprintf(
        at, "<mujoco><option timestep='.001'/><default><geom size='.1' mass='10' condim='1'/></default><worldbody>"
            "<geom type='plane' size='0 0 1' condim='1' friction='.4 0 0'/>");
    for (int i = 0; i < n * n; i++)
        at += sprintf(at, "<body pos='%.6f %.6f %.6f'><freejoint/><geom/></body>", spacing * (i % n), spacing * (i / n),
                      height);
    sprintf(at, "</worldbody></mujoco>");
    tx_model *m = model_of(text);
    free(text);
    return m;
}

// n³ balls of SimBenchmark's 666: 0.21 m apart, each up to a millimetre off, the lowest 1.101 m high
static tx_model *balls_666(int n) {
    const size_t room = 512 + 128 * (size_t)(n * n * n);
    char *text = malloc(room), *at = text;
    uint64_t seed = 42;
    assert_non_null(text);
    at += sprintf(
        at, "<mujoco><option timestep='.001'/><default><geom size='.1' mass='10' condim='1'/></default><worldbody>"
            "<geom type='plane' size='0 0 1' condim='1' friction='.4 0 0'/>");
    for (int i = 0; i < n * n * n; i++) {
        const int place[3] = {i / (n * n), i / n % n, i % n};
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = 0.21 * place[k] + 0.0005 * (1 + noise(&seed)) + (k == 2 ? 1.101 : 0);
        at += sprintf(at, "<body pos='%.9f %.9f %.9f'><freejoint/><geom/></body>", p[0], p[1], p[2]);
    }
    sprintf(at, "</worldbody></mujoco>");
    tx_model *m = model_of(text);
    free(text);
    return m;
}

// squared overlaps of all balls with each other and with the floor
static double overlap_666(const double *q, int balls) {
    double sum = 0;
    for (int i = 0; i < balls; i++) {
        const double *a = q + 7 * i, below = fmax(0, 0.1 - a[2]);
        sum += below * below;
        for (int j = i + 1; j < balls; j++) {
            const double *b = q + 7 * j, d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]},
                         square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (square >= 0.2 * 0.2) continue;
            const double deep = 0.2 - sqrt(square);
            sum += deep * deep;
        }
    }
    return sum;
}

// 666 collapses without friction; the measure is its own, the mean over 10 s of 1 ms. Other engines: 1.35e-4 (RaiSim),
// 1.57e-4 (ODE), 2.8e-4 (DART), 0.095 (MuJoCo), 0.38 (Bullet).
static void spheres_do_not_overlap(void **state) {
    enum { N = 6, BALLS = N * N * N };
    const int steps = SANITIZED ? 20 : 10000;
    tx_model *m = balls_666(N);
    tx_sim *sim = start(m, (setup){.tolerance = 1e-7});
    double sum = 0;
    int most = 0;
    for (int i = 0; i < steps; i++) {
        int count;
        sum += overlap_666(tx_sim_array(sim, TX_ARRAY_QPOS), BALLS) / steps;
        assert_int_equal(tx_sim_step(sim), TX_OK);
        tx_sim_contacts(sim, 0, &count);
        most = count > most ? count : most;
    }
    const tx_info info = tx_sim_info(sim);
    say("666: penetration measure", sum, "m2"), say("  contacts at most", most, "");
    say("  not converged", (double)info.not_converged, ""), say("  worst", info.worst_solve_error, "");
    assert_true(SANITIZED || most > BALLS / 2);
    assert_true(sum <= 1.6e-4);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// the same with e = 1, at any speed: of the energy that the step keeps in flight (docs/laws.md) 0.13 % is lost where
// many balls meet at once, none later
static void spheres_keep_their_energy(void **state) {
    enum { N = 6, BALLS = N * N * N };
    const int steps = SANITIZED ? 20 : 10000;
    tx_model *m = balls_666(N);
    tx_sim *sim = start(m, (setup){.tolerance = 1e-7, .restitution = 1});
    tx_options o = tx_sim_options(sim);
    o.bounce_speed = 0;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    double energy[2] = {0};
    for (int round = 0; round < 2; round++) {
        if (round > 0) assert_int_equal(tx_sim_step_n(sim, steps), TX_OK);
        for (int i = 0; i < BALLS; i++) {
            const double *own = v + 6 * i;
            energy[round] += 0.5 * (own[0] * own[0] + own[1] * own[1] + own[2] * own[2]) + 9.81 * q[7 * i + 2] -
                             0.5 * 0.001 * 9.81 * own[2];
        }
    }
    say("elastic 666: energy / before", energy[1] / energy[0], "");
    assert_near(energy[1] / energy[0], 1, 0.01);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// 49 balls from 5 m, e = 1: together they keep their energy (that which the step keeps in flight)
static void many_balls_keep_their_energy(void **state) {
    enum { N = 7 };
    const int steps = getenv("TX_SOAK") ? 20000 : 2500;
    tx_model *m = spheres(N, 5.1, 0.4);
    tx_sim *sim = start(m, (setup){.restitution = 1});
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    assert_int_equal(tx_sim_step_n(sim, steps), TX_OK);
    double energy = 0;
    for (int i = 0; i < N * N; i++) {
        const double *own = v + 6 * i;
        energy +=
            (0.5 * own[2] * own[2] + 9.81 * (q[7 * i + 2] - 0.1) - 0.5 * 0.001 * 9.81 * own[2]) / (9.81 * 5 * N * N);
    }
    say("bouncing: energy off by", energy - 1, "");
    assert_near(energy, 1, 1e-7);
    finish(sim, m);
}

// ---- B4, B5: what should stand --------------------------------------------------------------------------------------

static double moved(tx_sim *sim, int nq, double *before) {
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    double top = 0;
    for (int i = 0; i < nq; i += 7)
        top = fmax(top, hypot(hypot(q[i] - before[i], q[i + 1] - before[i + 1]), q[i + 2] - before[i + 2]));
    memcpy(before, q, sizeof(double) * (size_t)nq);
    return top;
}

static void things_stand(void **state) {
    static const struct {
        const char *scene, *solver;
        int settle, steps;
        double drift, speed;
    } SCENES[] = {{"rest_edge", "nsgs", 100, 100, 1e-4, 1e-2},     {"rest_stack", "nsgs", 100, 900, 1e-3, 1e-3},
                  {"rest_stack", "apgd", 100, 900, 1e-3, 1e-3},    {"rest_cards", "nsgs", 100, 900, 1e-3, 1e-3},
                  {"rest_two_boxes", "nsgs", 110, 10, 1e-3, 1e-2}, {"rest_round", "nsgs", 600, 1, 1e-3, 0.02}};
    for (int k = 0; k < 6; k++) {
        tx_model *m = load_scene(SCENES[k].scene);
        const int nq = tx_model_size(m, TX_SIZE_NQ), nv = tx_model_size(m, TX_SIZE_NV);
        tx_sim *sim = start(m, (setup){.solver = SCENES[k].solver, .iterations = 500});
        double before[512] = {0}, fast = 0;
        assert_true(nq <= 512);
        assert_int_equal(tx_sim_step_n(sim, SCENES[k].settle), TX_OK);
        moved(sim, nq, before);
        assert_int_equal(tx_sim_step_n(sim, SANITIZED ? 1 + SCENES[k].steps / 9 : SCENES[k].steps), TX_OK);
        const double drift = moved(sim, nq, before);
        for (int i = 0; i < nv; i++) fast = fmax(fast, fabs(tx_sim_array(sim, TX_ARRAY_QVEL)[i]));
        const tx_info info = tx_sim_info(sim);
        say(SCENES[k].scene, drift, "m of drift"), say("  speed", fast, "m/s or rad/s");
        say("  iterations a step", (double)info.iterations / (double)info.env_steps, "");
        say("  steps not converged", (double)info.not_converged, ""), say("  worst", info.worst_solve_error, "");
        assert_true(drift <= SCENES[k].drift);
        assert_true(fast <= SCENES[k].speed);
        tx_sim_destroy(sim), tx_model_destroy(m);
    }
}

// forty-five rows are too much for momentum: nsgs drops it where the error rises, and does not end above where it began
static void momentum_that_leads_astray_is_dropped(void **state) {
    tx_model *m = load_scene("contact/pyramid");
    tx_sim *sim = start(m, (setup){.iterations = 50});
    assert_int_equal(tx_sim_step_n(sim, 2), TX_OK);
    say("pyramid, worst solve error of 50 sweeps", tx_sim_info(sim).worst_solve_error, "");
    assert_true(tx_sim_info(sim).worst_solve_error < 0.9);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// ---- forces of the last step ----------------------------------------------------------------------------------------

// a stack at rest needs a fraction of the iterations
static void a_solve_begins_with_the_last_forces(void **state) {
    static const char *const BY[] = {"nsgs", "apgd", "bb"};
    for (int k = 0; k < 3; k++) {
        long long count[2];
        for (int warm = 0; warm < 2; warm++) {
            tx_model *m = load_scene("rest_stack");
            tx_sim *sim = start(m, (setup){.solver = BY[k], .iterations = 5000});
            tx_options o = tx_sim_options(sim);
            o.warmstart = warm;
            assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
            // a call begins where the last one ended
            for (int i = 0; i < (SANITIZED ? 12 : 30); i++) assert_int_equal(tx_sim_step(sim), TX_OK);
            count[warm] = tx_sim_info(sim).iterations;
            finish(sim, m);
        }
        say(BY[k], (double)count[1] / (double)count[0], "of the iterations of cold starts");
        assert_true(3 * count[1] < count[0]);
    }
}

// so do rows that are no contacts: a chain that hangs at rest has its forces already
static void forces_of_rows_are_kept(void **state) {
    enum { LINKS = 8 };
    char text[4096] = "<mujoco><option timestep='.002'/><worldbody>", joints[1024] = "";
    for (int i = 0; i < LINKS; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<body name='b%d' pos='0 0 %g'><freejoint/><geom size='.02' mass='1' contype='0'/></body>", i,
                 -0.1 * i);
        if (i == 0) strcat(joints, "<connect body1='b0' anchor='0 0 .05'/>");
        else snprintf(joints + strlen(joints), 100, "<connect body1='b%d' body2='b%d' anchor='0 0 .05'/>", i, i - 1);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "</worldbody><equality>%s</equality></mujoco>", joints);
    tx_model *m = model_of(text);
    tx_sim *sim = start(m, (setup){.iterations = 5000});
    assert_int_equal(tx_sim_step_n(sim, 300), TX_OK);
    say("a chain at rest", tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0], "iterations");
    assert_true(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0] <= 20);
    finish(sim, m);
}

// contacts that come or go do not keep the others from their forces: of boxes at rest one is taken away and one is put
// upon another, and all that nobody touched stand still after a single sweep
static void forces_are_found_when_contacts_come_and_go(void **state) {
    enum { BOXES = 40, GONE = 7, CARRIES = 20, RIDES = 31 };
    char text[8192] = "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>";
    for (int i = 0; i < BOXES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<body pos='%g 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>", 0.5 * i);
    strcat(text, "</worldbody></mujoco>");
    tx_model *m = model_of(text);
    tx_sim *sim = start(m, (setup){.solver = "nsgs", .iterations = 500});
    assert_int_equal(tx_sim_step_n(sim, 40), TX_OK);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    q[7 * GONE + 2] = 5;
    for (int k = 0; k < 3; k++) q[7 * RIDES + k] = q[7 * CARRIES + k] + (k == 2 ? 0.2 : 0);
    tx_options o = tx_sim_options(sim);
    o.iterations = 1, o.tolerance = 0;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    assert_int_equal(tx_sim_step(sim), TX_OK);
    double most = 0;
    for (int i = 0; i < BOXES; i++)
        for (int k = 0; i != GONE && i != CARRIES && i != RIDES && k < 6; k++) most = fmax(most, fabs(v[6 * i + k]));
    say("boxes at rest after one sweep", most, "m/s or rad/s");
    assert_true(most < 1e-6);
    assert_near(v[6 * GONE + 2], -9.81 * 0.005, 1e-6);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// boxes of other weights have other forces, and each finds its own when every second one is taken away
static void each_contact_finds_its_own_force(void **state) {
    enum { BOXES = 40 };
    char text[8192] = "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>";
    for (int i = 0; i < BOXES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<body pos='%g 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='%g'/></body>", 0.5 * i,
                 1 + 0.1 * i);
    strcat(text, "</worldbody></mujoco>");
    tx_model *m = model_of(text);
    tx_sim *sim = start(m, (setup){.solver = "nsgs", .iterations = 500});
    assert_int_equal(tx_sim_step_n(sim, 40), TX_OK);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), most = 0;
    const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int i = 1; i < BOXES; i += 2) q[7 * i + 2] = 5;
    tx_options o = tx_sim_options(sim);
    o.iterations = 1, o.tolerance = 0;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    assert_int_equal(tx_sim_step(sim), TX_OK);
    for (int i = 0; i < BOXES; i += 2)
        for (int k = 0; k < 6; k++) most = fmax(most, fabs(v[6 * i + k]));
    say("boxes of other weights after one sweep", most, "m/s or rad/s");
    assert_true(most < 1e-6);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

// a body on two balls, one of which has no friction: what it carries does not brake (mu g/2), whichever comes first
static void contacts_of_a_body_keep_their_rows(void **state) {
    for (int smooth = 0; smooth < 2; smooth++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1' condim='1' friction='.4 0 0'/>"
            "<body pos='0 0 .1'><freejoint/><inertial pos='0 0 -.1' mass='1' diaginertia='1 1 1'/>"
            "<geom size='.1' pos='0 -.5 0' condim='%d' friction='.4 0 0'/>"
            "<geom size='.1' pos='0 .5 0' condim='%d' friction='.4 0 0'/></body></worldbody></mujoco>",
            smooth ? 1 : 3, smooth ? 3 : 1);
        tx_model *m = model_of(text);
        tx_sim *sim = start(m, (setup){.solver = "nsgs"});
        double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        v[0] = 1;
        assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
        assert_near(v[0], 1 - 0.01 * 0.4 * 9.81 / 2, 1e-4);
        // it turns towards the one that brakes: torque mu m g/2 at half a metre, inertia 1
        assert_near(fabs(v[5]), 0.01 * 0.4 * 9.81 / 2 * 0.5, 1e-4);
        finish(sim, m);
    }
}

// numbers of the laws before leave nothing behind: bits as of a simulation that has never had another one
static void a_law_leaves_nothing_behind(void **state) {
    tx_model *m = model_of("<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1'/>"
                           "<body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                           "<body pos='.05 0 .298'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                           "</worldbody></mujoco>");
    const setup rigid = {.solver = "pgs", .iterations = 50};
    tx_sim *one = start(m, (setup){.law = "soft_elliptic", .solver = "newton"}), *other = start(m, rigid);
    double *v = tx_sim_array(one, TX_ARRAY_QVEL);
    v[0] = 0.5, v[7] = -0.3;
    assert_int_equal(tx_sim_step_n(one, 5), TX_OK);
    set_up(one, rigid);
    assert_int_equal(tx_sim_reset(one, -1, NULL), TX_OK);
    v[0] = 0.5, v[7] = -0.3;
    double *w = tx_sim_array(other, TX_ARRAY_QVEL);
    w[0] = 0.5, w[7] = -0.3;
    assert_int_equal(tx_sim_step_n(one, 20), TX_OK), assert_int_equal(tx_sim_step_n(other, 20), TX_OK);
    assert_memory_equal(v, w, 12 * sizeof(double));
    tx_sim_destroy(one), tx_sim_destroy(other), tx_model_destroy(m);
}

// a reset forgets the forces, and what has diverged keeps them as they were
static void forces_belong_to_their_state(void **state) {
    tx_model *m = load_scene("rest_stack");
    tx_sim *sim = start(m, (setup){0}), *fresh = start(m, (setup){0});
    const size_t room = 1 << 20;
    char *blob[2] = {malloc(room), malloc(room)};
    assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
    assert_int_equal(tx_sim_reset(sim, -1, NULL), TX_OK);
    assert_int_equal(tx_sim_step(sim), TX_OK), assert_int_equal(tx_sim_step(fresh), TX_OK);
    assert_true(same_state(sim, 0, fresh, 0));
    assert_near(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0], tx_sim_array(fresh, TX_ARRAY_ITERATIONS)[0], 0);
    tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 1e300;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tx_sim_step_n(sim, 3), TX_OK);
        assert_true(tx_sim_state_size(sim) <= room);
        assert_int_equal(tx_sim_save(sim, blob[k], room), TX_OK);
    }
    assert_int_equal(tx_sim_info(sim).diverged, 1);
    assert_memory_equal(blob[0], blob[1], tx_sim_state_size(sim));
    free(blob[0]), free(blob[1]);
    tx_sim_destroy(fresh), tx_sim_destroy(sim), tx_model_destroy(m);
}

// the problem of a step, written and solved alone, has the next velocities to the last bit: it holds the forces to
// begin with
static void a_file_gives_the_bits_of_its_step(void **state) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_hard.%ld.txp", (long)getpid());
    tx_model *m = load_scene("rest_stack");
    for (int k = 0; k < 4; k++) {
        tx_sim *sim = start(m, (setup){.solver = SOLVERS[k], .iterations = 30});
        const double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
        assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
        assert_int_equal(tx_sim_step(sim), TX_OK);
        tx_bare b;
        tx_diag diag = {0};
        const char *why;
        const int solver = find(tx_solver_name, SOLVERS[k]);
        assert_true(tx_problem_read(&b, path, &diag));
        assert_true(tx_solve_alone(tx_target_single(TX_TARGET_SCALAR), &b, solver, NULL, &why));
        assert_memory_equal(b.problem.x, v, sizeof(double) * (size_t)tx_model_size(m, TX_SIZE_NV));
        tx_bare_destroy(&b);
        unlink(path);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(m);
}

// ---- G3
// --------------------------------------------------------------------------------------------------------------

// a force that is no number: its environment stops where it was and says so, the others do not notice
static void numbers_that_go_wrong_stay_alone(void **state) {
    enum { ENVS = 5, BAD = 2 };
    tx_model *m = load_scene("humanoid");
    const size_t nq = (size_t)tx_model_size(m, TX_SIZE_NQ), forces = 6 * (size_t)tx_model_size(m, TX_SIZE_NBODY);
    for (int k = 0; k < 4; k++) {
        tx_sim *sim = make_sim(m, ENVS, 1, TX_TARGET_AUTO, 0), *good = make_sim(m, ENVS, 1, TX_TARGET_AUTO, 0);
        const setup s = {.solver = SOLVERS[k], .iterations = 30};
        set_up(sim, s), set_up(good, s);
        spread(sim), spread(good);
        assert_int_equal(tx_sim_step_n(sim, 100), TX_OK), assert_int_equal(tx_sim_step_n(good, 100), TX_OK);
        double before[64], *q = tx_sim_array(sim, TX_ARRAY_QPOS) + BAD * nq;
        memcpy(before, q, sizeof(double) * nq);
        tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED)[BAD * forces + 8] = NAN;
        assert_int_equal(tx_sim_step_n(sim, 20), TX_OK), assert_int_equal(tx_sim_step_n(good, 20), TX_OK);
        assert_memory_equal(before, q, sizeof(double) * nq);
        for (int e = 0; e < ENVS; e++) {
            assert_int_equal(tx_sim_status(sim, e) == TX_OK, e != BAD);
            if (e != BAD) assert_true(same_state(sim, e, good, e));
        }
        tx_sim_destroy(sim), tx_sim_destroy(good);
    }
    tx_model_destroy(m);
}

// ---- the same bits ------------------------------------------------------------------------------------------------

// any width, any number of threads, any place in a batch; and after saving and restoring (G2)
static void bits_are_the_same(void **state) {
    enum { ENVS = 11, STEPS = SANITIZED ? 12 : 60 };
    static const char *const LAWS[] = {"hard", "hard", "hard", "hard", "hard_ccp", "hard_box"};
    static const char *const BY[] = {"pgs", "nsgs", "apgd", "bb", "apgd", "pgs"};
    tx_model *m = load_scene("humanoid");
    for (int k = 0; k < 6; k++) {
        const setup s = {.law = LAWS[k], .solver = BY[k], .iterations = 40, .restitution = 0.5};
        tx_sim *wide = make_sim(m, ENVS, 2, TX_TARGET_AUTO, 0), *one = make_sim(m, ENVS, 1, TX_TARGET_SCALAR, 0);
        set_up(wide, s), set_up(one, s);
        spread(wide), spread(one);
        assert_int_equal(tx_sim_step_n(wide, STEPS), TX_OK);
        assert_int_equal(tx_sim_step_n(one, STEPS), TX_OK);
        for (int e = 0; e < ENVS; e++) assert_true(same_state(wide, e, one, e));
        // on from here, and on from a copy of here
        const size_t size = tx_sim_state_size(wide);
        void *blob = malloc(size);
        assert_non_null(blob);
        assert_int_equal(tx_sim_save(wide, blob, size), TX_OK);
        assert_int_equal(tx_sim_step_n(wide, STEPS), TX_OK);
        tx_sim *again = make_sim(m, ENVS, 1, TX_TARGET_SCALAR, 0);
        set_up(again, s);
        assert_int_equal(tx_sim_restore(again, blob, size), TX_OK);
        assert_int_equal(tx_sim_step_n(again, STEPS), TX_OK);
        for (int e = 0; e < ENVS; e++) assert_true(same_state(wide, e, again, e));
        free(blob);
        tx_sim_destroy(wide), tx_sim_destroy(one), tx_sim_destroy(again);
    }
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_follow_from_the_kernels),
        cmocka_unit_test(a_file_says_it),
        cmocka_unit_test(a_law_has_its_own_limits),
        cmocka_unit_test(a_number_of_sweeps_can_be_asked_for),
        cmocka_unit_test(a_cube_sticks),
        cmocka_unit_test(friction_slows_down),
        cmocka_unit_test(the_convex_model_glides),
        cmocka_unit_test(a_box_of_friction_is_another_model),
        cmocka_unit_test(a_ball_bounces),
        cmocka_unit_test(bouncing_keeps_its_energy),
        cmocka_unit_test(a_cradle_swings),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(slow_balls_do_not_bounce),
        cmocka_unit_test(overlap_recovers),
        cmocka_unit_test(a_rigid_contact_may_have_a_spring),
        cmocka_unit_test(numbers_that_go_wrong_stay_alone),
        cmocka_unit_test(momentum_that_leads_astray_is_dropped),
        cmocka_unit_test(a_solve_begins_with_the_last_forces),
        cmocka_unit_test(forces_of_rows_are_kept),
        cmocka_unit_test(forces_are_found_when_contacts_come_and_go),
        cmocka_unit_test(each_contact_finds_its_own_force),
        cmocka_unit_test(contacts_of_a_body_keep_their_rows),
        cmocka_unit_test(a_law_leaves_nothing_behind),
        cmocka_unit_test(forces_belong_to_their_state),
        cmocka_unit_test(a_file_gives_the_bits_of_its_step),
        cmocka_unit_test(bits_are_the_same),
        // long ones last: what others notice is known sooner
        cmocka_unit_test(balls_roll_along_the_diagonal),
        cmocka_unit_test(spheres_do_not_overlap),
        cmocka_unit_test(spheres_keep_their_energy),
        cmocka_unit_test(many_balls_keep_their_energy),
        cmocka_unit_test(things_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
