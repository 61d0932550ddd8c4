// test_integrators.c - facts about the integrators: derivatives by differences, conserved quantities, closed-form
// periods.
#include "reference.h"

#include "step/block.h"

void bias_and_derivative(tx_block *b, double *bias, double *derivative);
void fluid_and_derivative(tx_block *b, double *force, double *derivative);
typedef void derivative_fn(tx_block *b, double *force, double *derivative);

static tx_sim *make_sim(const tx_model *model, tx_integrator integrator, double timestep) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    tx_options options = tx_sim_options(sim);
    options.integrator = integrator, options.timestep = timestep;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    return sim;
}

static tx_model *parse(const char *text) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), "test", &diag);
    for (int i = 0; i < diag.count; i++) fprintf(stderr, "%s\n", diag.messages[i].text);
    tx_diag_free(&diag);
    assert_non_null(model);
    return model;
}

// largest difference between a velocity derivative and central differences of width h, and the largest entry
static void compare_with_differences(const char *scene, derivative_fn *evaluate, double h, double bound) {
    tx_model *model = load_scene(scene);
    const int nv = tx_model_size(model, TX_SIZE_NV), nq = tx_model_size(model, TX_SIZE_NQ);
    tx_block *b = tx_block_create(tx_target_single(TX_TARGET_SCALAR), model, tx_model_options(model), 1, NULL);
#define X(NAME, name, count, width, meaning) b->param.name = model->name;
    TX_MODEL_PARAMS(X)
#undef X
    double *q = b->qpos, *v = b->qvel, *plus = malloc(sizeof(double) * (size_t)nv),
           *minus = malloc(sizeof(double) * (size_t)nv);
    double *D = malloc(sizeof(double) * (size_t)(nv * nv));
    for (int i = 0; i < nq; i++) q[i] = tx_model_params(model, TX_PARAM_QPOS0, NULL)[i] + 0.3 * sin(1.7 * i);
    for (int i = 0; i < nv; i++) v[i] = cos(2.3 * i);
    evaluate(b, plus, D);
    double worst = 0, top = 0;
    for (int j = 0; j < nv; j++) {
        double before = v[j];
        v[j] = before + h, evaluate(b, plus, NULL);
        v[j] = before - h, evaluate(b, minus, NULL);
        v[j] = before;
        for (int i = 0; i < nv; i++) {
            worst = fmax(worst, fabs((plus[i] - minus[i]) / (2 * h) - D[i * nv + j]));
            top = fmax(top, fabs(D[i * nv + j]));
        }
    }
    printf("%s: %.1e of %.1e\n", scene, worst, top);
    assert_true(top > 0 && worst <= bound * top);
    free(plus), free(minus), free(D);
    tx_block_destroy(b);
    tx_model_destroy(model);
}

// the bias is quadratic in the velocity, so the differences are exact to rounding
static void bias_derivative_equals_differences(void **state) {
    (void)state;
    static const char *const SCENES[] = {"joints", "humanoid", "chain", "arm"};
    for (int s = 0; s < 4; s++) compare_with_differences(SCENES[s], bias_and_derivative, 0.5, 1e-11);
}

// drag and lift are smooth but not polynomial: truncation h² and rounding 1e-16 / h
static void fluid_derivative_equals_differences(void **state) {
    (void)state;
    compare_with_differences("core_fluid", fluid_and_derivative, 1e-5, 1e-9);
}

static const char TUMBLER[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>"
    "<geom type='box' size='0.05 0.1 0.2' mass='1' pos='0.02 0 0.01'/></body></worldbody></mujoco>";

// angular momentum about the centre of mass, world axes, and the kinetic energy
static double momentum(tx_sim *sim, double L[3]) {
    const tx_model *model = tx_sim_model(sim);
    tx_sim_forward(sim);
    const double *R = tx_sim_array(sim, TX_ARRAY_XIMAT), *v = tx_sim_array(sim, TX_ARRAY_CVEL),
                 *I = tx_model_params(model, TX_PARAM_BODY_INERTIA, NULL);
    double local[3];
    for (int k = 0; k < 3; k++) {
        local[k] = 0;
        for (int r = 0; r < 3; r++) local[k] += R[9 + 3 * r + k] * v[6 + r];
        local[k] *= I[3 + k];
    }
    for (int r = 0; r < 3; r++)
        L[r] = R[9 + 3 * r] * local[0] + R[9 + 3 * r + 1] * local[1] + R[9 + 3 * r + 2] * local[2];
    return tx_sim_array(sim, TX_ARRAY_ENERGY)[1];
}

// A4: a free body keeps |L| to 1e-10 over 10 s with the midpoint rule, and its energy
static void midpoint_keeps_momentum_and_energy(void **state) {
    (void)state;
    tx_model *model = parse(TUMBLER);
    tx_sim *sim = make_sim(model, TX_INTEGRATOR_MIDPOINT, 1e-3);
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL), L0[3], L1[3];
    v[0] = 0.3, v[3] = 0.05, v[4] = 8, v[5] = 0.02;
    double E0 = momentum(sim, L0);
    assert_int_equal(tx_sim_step_n(sim, 10000), TX_OK);
    double E1 = momentum(sim, L1), size = sqrt(L0[0] * L0[0] + L0[1] * L0[1] + L0[2] * L0[2]);
    double length = fabs(sqrt(L1[0] * L1[0] + L1[1] * L1[1] + L1[2] * L1[2]) / size - 1), turned = 0;
    for (int k = 0; k < 3; k++) turned = fmax(turned, fabs(L1[k] - L0[k]) / size);
    printf("|L| %.1e, L %.1e, energy %.1e\n", length, turned, fabs(E1 / E0 - 1));
    assert_true(length <= 1e-10 && turned <= 1e-10);
    // energy of the whole body: its reference point is not the centre of mass, so only to the order of the rule
    assert_true(fabs(E1 / E0 - 1) <= 1e-5);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// complete elliptic integral K(m) by the arithmetic-geometric mean
static double elliptic_k(double m) {
    double a = 1, b = sqrt(1 - m);
    for (int i = 0; i < 20 && fabs(a - b) > 1e-15 * a; i++) {
        double next = 0.5 * (a + b);
        b = sqrt(a * b), a = next;
    }
    return acos(-1) / (2 * a);
}

// A4: the Dzhanibekov effect. Period of the flips of a body that spins about its middle axis, from Euler's equations
// (Landau and Lifshitz, Mechanics, section 37): T = 4 K(m) sqrt(I1 I2 I3 / ((I3 - I2)(L² - 2 E I1))).
static void middle_axis_flips_at_the_right_period(void **state) {
    (void)state;
    static const char BOX[] = "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>"
                              "<geom type='box' size='0.05 0.1 0.2' mass='1'/></body></worldbody></mujoco>";
    tx_model *model = parse(BOX);
    const double *I = tx_model_params(model, TX_PARAM_BODY_INERTIA, NULL) + 3;
    // moments of the box along x, y, z: largest, middle, smallest
    double w[3] = {0.02, 6, 0.01}, E = 0, L2 = 0;
    for (int k = 0; k < 3; k++) E += 0.5 * I[k] * w[k] * w[k], L2 += I[k] * I[k] * w[k] * w[k];
    double I1 = I[2], I2 = I[1], I3 = I[0], period, m;
    if (L2 > 2 * E * I2) {
        m = (I2 - I1) * (2 * E * I3 - L2) / ((I3 - I2) * (L2 - 2 * E * I1));
        period = 4 * elliptic_k(m) * sqrt(I1 * I2 * I3 / ((I3 - I2) * (L2 - 2 * E * I1)));
    } else {
        m = (I2 - I3) * (2 * E * I1 - L2) / ((I1 - I2) * (L2 - 2 * E * I3));
        period = 4 * elliptic_k(m) * sqrt(I1 * I2 * I3 / ((I1 - I2) * (L2 - 2 * E * I3)));
    }
    tx_sim *sim = make_sim(model, TX_INTEGRATOR_MIDPOINT, 2e-4);
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL), first = 0, last = 0, before = w[1];
    memcpy(v + 3, w, sizeof w);
    int crossings = 0;
    for (int i = 1; i <= 150000 && crossings < 5; i++) {
        tx_sim_step(sim);
        if ((before > 0) != (v[4] > 0)) {
            // the moment when the spin about the middle axis changes sign
            double when = 2e-4 * (i - v[4] / (v[4] - before));
            if (crossings++ == 0) first = when;
            last = when;
        }
        before = v[4];
    }
    assert_int_equal(crossings, 5);
    double measured = (last - first) / 2;
    printf("period %.6f s, closed form %.6f s\n", measured, period);
    assert_true(fabs(measured / period - 1) <= 1e-4);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// A4: energy of the double pendulum drifts at most 1e-8 (relative to its scale) in 10 s of RK4 at 1 ms
static void runge_kutta_keeps_the_energy_of_a_double_pendulum(void **state) {
    (void)state;
    tx_model *model = load_scene("pendulum");
    tx_sim *sim = make_sim(model, TX_INTEGRATOR_RK4, 1e-3);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    q[0] = 1.2, q[1] = -0.7;
    tx_sim_forward(sim);
    const double *energy = tx_sim_array(sim, TX_ARRAY_ENERGY);
    double before = energy[0] + energy[1], kinetic = 0, worst = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
        tx_sim_forward(sim);
        energy = tx_sim_array(sim, TX_ARRAY_ENERGY);
        kinetic = fmax(kinetic, energy[1]);
        worst = fmax(worst, fabs(energy[0] + energy[1] - before));
    }
    printf("drift %.1e J of %.2f J\n", worst, kinetic);
    assert_true(worst <= 1e-8 * fmax(kinetic, 1));
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// A4: period of a pendulum with a finite angle, 4 sqrt(I / (m g l)) K(sin²(θ/2)), by RK4
static void pendulum_has_its_period(void **state) {
    (void)state;
    static const char TEXT[] = "<mujoco><worldbody><body><joint axis='0 1 0'/>"
                               "<geom type='sphere' size='0.05' pos='0 0 -0.7' mass='2'/></body></worldbody></mujoco>";
    tx_model *model = parse(TEXT);
    double angle = 1.5, inertia = 2 * (0.4 * 0.05 * 0.05 + 0.7 * 0.7),
           period = 4 * sqrt(inertia / (2 * 9.81 * 0.7)) * elliptic_k(pow(sin(angle / 2), 2));
    tx_sim *sim = make_sim(model, TX_INTEGRATOR_RK4, 1e-3);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), before = angle, first = 0, last = 0;
    q[0] = angle;
    int crossings = 0;
    for (int i = 1; crossings < 9 && i < 20000; i++) {
        tx_sim_step(sim);
        if ((before > 0) != (q[0] > 0)) {
            double when = 1e-3 * (i - q[0] / (q[0] - before));
            if (crossings++ == 0) first = when;
            last = when;
        }
        before = q[0];
    }
    printf("period %.9f s, closed form %.9f s\n", (last - first) / 4, period);
    assert_true(fabs((last - first) / 4 / period - 1) <= 1e-7);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// inverse dynamics undoes forward dynamics, contacts included: qfrc_inverse = applied + actuator force
static void inverse_undoes_forward(void **state) {
    (void)state;
    tx_model *model = load_scene("humanoid");
    const int nv = tx_model_size(model, TX_SIZE_NV), nu = tx_model_size(model, TX_SIZE_NU);
    tx_sim *sim = make_sim(model, TX_INTEGRATOR_EULER, 0.005);
    tx_options options = tx_sim_options(sim);
    options.tolerance = 0;
    tx_sim_set_options(sim, &options);
    for (int i = 0; i < nu; i++) tx_sim_array(sim, TX_ARRAY_CTRL)[i] = 0.2 * sin(i);
    for (int i = 0; i < nv; i++) tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[i] = cos(i);
    tx_sim_step_n(sim, 150);
    tx_sim_forward(sim);
    int count;
    tx_sim_contacts(sim, 0, &count);
    assert_true(count > 0);
    double *qacc = malloc(sizeof(double) * (size_t)nv), *force = malloc(sizeof(double) * (size_t)nv),
           *wanted = malloc(sizeof(double) * (size_t)nv), worst = 0, top = 0;
    memcpy(qacc, tx_sim_array(sim, TX_ARRAY_QACC), sizeof(double) * (size_t)nv);
    for (int i = 0; i < nv; i++) wanted[i] = tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[i] + cos(i);
    const double *smooth = tx_sim_array(sim, TX_ARRAY_QFRC_SMOOTH);
    for (int i = 0; i < nv; i++) top = fmax(top, fabs(smooth[i]));
    assert_int_equal(tx_sim_inverse(sim, qacc, force), TX_OK);
    for (int i = 0; i < nv; i++) worst = fmax(worst, fabs(force[i] - wanted[i]));
    printf("%.1e of %.1e\n", worst, top);
    assert_true(worst <= 1e-9 * top);
    free(qacc), free(force), free(wanted);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// the Jacobian of a point equals differences of its position
static void jacobian_equals_differences(void **state) {
    (void)state;
    tx_model *model = load_scene("humanoid");
    const int nv = tx_model_size(model, TX_SIZE_NV), body = tx_element_find(model, TX_ELEMENT_BODY, "left_foot");
    assert_true(body > 0);
    tx_sim *sim = make_sim(model, TX_INTEGRATOR_EULER, 1e-6);
    tx_sim_forward(sim);
    double point[3], *jacp = malloc(sizeof(double) * (size_t)(3 * nv));
    memcpy(point, tx_sim_array(sim, TX_ARRAY_XPOS) + 3 * body, sizeof point);
    assert_int_equal(tx_sim_jacobian(sim, 0, body, point, jacp, NULL), TX_OK);
    // a unit velocity of one dof moves the point by h times its column: one Euler step without forces
    tx_options options = tx_sim_options(sim);
    options.gravity = options.constraint = options.damper = options.spring = options.actuation = false;
    tx_sim_set_options(sim, &options);
    double worst = 0;
    for (int d = 0; d < nv; d++) {
        tx_sim_reset(sim, -1, NULL);
        tx_sim_array(sim, TX_ARRAY_QVEL)[d] = 1;
        tx_sim_step(sim);
        tx_sim_forward(sim);
        const double *now = tx_sim_array(sim, TX_ARRAY_XPOS) + 3 * body;
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs((now[k] - point[k]) / 1e-6 - jacp[k * nv + d]));
    }
    printf("%.1e\n", worst);
    assert_true(worst <= 1e-5);
    free(jacp);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bias_derivative_equals_differences),
        cmocka_unit_test(fluid_derivative_equals_differences),
        cmocka_unit_test(midpoint_keeps_momentum_and_energy),
        cmocka_unit_test(middle_axis_flips_at_the_right_period),
        cmocka_unit_test(runge_kutta_keeps_the_energy_of_a_double_pendulum),
        cmocka_unit_test(pendulum_has_its_period),
        cmocka_unit_test(inverse_undoes_forward),
        cmocka_unit_test(jacobian_equals_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
