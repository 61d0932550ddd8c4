// test_physics.c - closed forms of mechanics: rest depth (C5), pendulum, energy, momentum, friction, limits, damping.
#include "reference.h"

static const double PI = 3.14159265358979323846;

// ---- helpers -------------------------------------------------------------------------------------------------------

static int add_body(tx_builder *b, int parent, double x, double y, double z) {
    tx_body_def d = tx_default_body_def();
    d.pos[0] = x, d.pos[1] = y, d.pos[2] = z;
    return tx_builder_body(b, parent, &d);
}

// a body with given mass and moments, centre of mass at its origin
static int add_mass(tx_builder *b, int parent, double z, double mass, double moment) {
    tx_body_def d = tx_default_body_def();
    d.pos[2] = z, d.has_inertial = true, d.mass = mass;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = moment;
    return tx_builder_body(b, parent, &d);
}

static void add_joint(tx_builder *b, int body, tx_joint_type type, double x, double y, double z) {
    tx_joint_def d = tx_default_joint_def();
    d.type = type, d.axis[0] = x, d.axis[1] = y, d.axis[2] = z;
    tx_builder_joint(b, body, &d);
}

static tx_model *compile(tx_builder *b) {
    tx_diag diag = {0};
    tx_model *m = tx_builder_compile(b, &diag);
    tx_builder_destroy(b);
    return must_have(m, &diag);
}

// one environment, solver run to rounding
static tx_sim *make_sim(const tx_model *m, double timestep) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    tx_options o = tx_sim_options(sim);
    o.tolerance = 0, o.ls_tolerance = 1e-6;
    if (timestep > 0) o.timestep = timestep;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    return sim;
}

static void say(const char *what, double value, double wanted) {
    if (getenv("TX_VERBOSE"))
        printf("%s: %.12g, closed form %.12g, relative %.2g\n", what, value, wanted, value / wanted - 1);
}

// ---- C5: rest depth of the soft law --------------------------------------------------------------------------------

// MuJoCo's default impedance at depth r: solimp (0.9, 0.95, 0.001, 0.5, 2)
static double default_impedance(double r) {
    double x = fabs(r) / 0.001;
    if (x >= 1) return 0.95;
    return 0.9 + 0.05 * (x <= 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x));
}

// r = factor * a (1 - d) / (d² K), d = d(r), K = 1 / (0.95² 0.02²); the right side falls with r, so bisection finds it
static double rest_depth(double acceleration, double factor) {
    const double K = 1 / (0.95 * 0.95 * 0.02 * 0.02);
    double low = 0, high = 1;
    for (int i = 0; i < 200; i++) {
        double r = 0.5 * (low + high), d = default_impedance(r);
        if (r < factor * acceleration * (1 - d) / (d * d * K)) low = r;
        else high = r;
    }
    return 0.5 * (low + high);
}

static double settled_depth(const char *scene) {
    tx_model *m = load_scene(scene);
    tx_sim *sim = make_sim(m, 0);
    tx_sim_step_n(sim, 3000);
    tx_sim_forward(sim);
    int count;
    const tx_contact *c = tx_sim_contacts(sim, 0, &count);
    assert_int_equal(count, 1);
    double depth = -c->dist, weight = tx_model_params(m, TX_PARAM_BODY_MASS, NULL)[1] * 9.81;
    // at rest the floor carries the weight
    assert_true(fabs(c->force[0] / weight - 1) < 1e-9);
    assert_true(fabs(tx_sim_array(sim, TX_ARRAY_QVEL)[2]) < 1e-10);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
    return depth;
}

static void sphere_rests_at_its_depth(void **state) {
    double plain = rest_depth(9.81, 1), mu = 0.6, pyramid = rest_depth(9.81, mu * mu * (1 + mu * mu) / 2);
    assert_true(fabs(plain - 3.6718e-4) < 0.5e-8); // the number of C5
    double a = settled_depth("resting_sphere"), b = settled_depth("resting_sphere_pyramidal");
    say("rest depth", a, plain), say("rest depth, pyramid", b, pyramid);
    assert_true(fabs(a / plain - 1) < 1e-9);
    assert_true(fabs(b / pyramid - 1) < 1e-9);
}

// the same law holds a joint at its limit: torque / inertia takes the place of gravity
static void joint_limit_holds(void **state) {
    for (int side = 0; side < 2; side++) {
        tx_builder *b = tx_builder_create();
        int body = add_mass(b, 0, 0, 2, 0.5);
        tx_joint_def hinge = tx_default_joint_def();
        hinge.range[0] = -0.3, hinge.range[1] = 0.4;
        tx_builder_joint(b, body, &hinge);
        tx_model *m = compile(b);
        tx_sim *sim = make_sim(m, 0);
        double torque = side ? 3 : -7;
        tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[0] = torque;
        tx_sim_step_n(sim, 5000);
        double beyond = side ? tx_sim_array(sim, TX_ARRAY_QPOS)[0] - 0.4 : -0.3 - tx_sim_array(sim, TX_ARRAY_QPOS)[0];
        double wanted = rest_depth(fabs(torque) / 0.5, 1);
        say("limit", beyond, wanted);
        assert_true(fabs(beyond / wanted - 1) < 1e-9);
        // released, it leaves the limit and does not stick
        tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[0] = -torque;
        tx_sim_step_n(sim, 50);
        assert_true(tx_sim_array(sim, TX_ARRAY_QVEL)[0] * torque < 0);
        tx_sim_destroy(sim);
        tx_model_destroy(m);
    }
}

// ---- A4: pendulums -------------------------------------------------------------------------------------------------

// a mass m with moment I on an arm of length l: T = 2π √((I + m l²) / (m g l)) (1 + θ²/16)
static void pendulum_has_its_period(void **state) {
    const double mass = 2, moment = 0.1, length = 0.7, g = 9.81, angle = 0.01, h = 2e-4;
    tx_builder *b = tx_builder_create();
    int body = add_mass(b, 0, 3, mass, moment);
    tx_joint_def hinge = tx_default_joint_def();
    hinge.axis[1] = 1, hinge.axis[2] = 0, hinge.pos[2] = length;
    tx_builder_joint(b, body, &hinge);
    tx_model *m = compile(b);
    tx_sim *sim = make_sim(m, h);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    tx_sim_array(sim, TX_ARRAY_QPOS)[0] = angle;
    // times of the crossings from + to -, between two steps by the chord
    double first = 0, last = 0, before = angle;
    int crossings = 0;
    for (int i = 1; crossings < 6; i++) {
        tx_sim_step(sim);
        if (before > 0 && q[0] <= 0) {
            last = h * (i - 1 + before / (before - q[0]));
            if (crossings++ == 0) first = last;
        }
        before = q[0];
    }
    double period = (last - first) / 5,
           wanted = 2 * PI * sqrt((moment + mass * length * length) / (mass * g * length)) * (1 + angle * angle / 16);
    say("period", period, wanted);
    // symplectic Euler: 2 sin(ωh/2) / h is the true frequency, relative error (ωh)²/24 = 2e-8
    assert_true(fabs(period / wanted - 1) < 1e-7);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

// largest |E - E0| of the double pendulum in one second of a large swing
static double energy_drift(double h) {
    tx_model *m = load_scene("pendulum");
    tx_sim *sim = make_sim(m, h);
    tx_sim_reset(sim, 0, NULL);
    double start = 0, worst = 0;
    const int steps = (int)(1 / h + 0.5), every = steps / 200;
    for (int i = 0; i <= steps; i += every) {
        tx_sim_forward(sim);
        const double *e = tx_sim_array(sim, TX_ARRAY_ENERGY);
        if (i == 0) start = e[0] + e[1];
        worst = fmax(worst, fabs(e[0] + e[1] - start));
        tx_sim_step_n(sim, every);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(m);
    return worst;
}

static void energy_error_is_of_first_order(void **state) {
    double coarse = energy_drift(1e-3), middle = energy_drift(5e-4), fine = energy_drift(2.5e-4);
    if (getenv("TX_VERBOSE")) printf("energy drift %.3g %.3g %.3g J\n", coarse, middle, fine);
    assert_true(fabs(coarse / middle - 2) < 0.1 && fabs(middle / fine - 2) < 0.05);
    assert_true(fine < 0.01); // of some 20 J
}

// the two normal modes of the double pendulum for small swings: det(K - ω² M) = 0 in the joint angles at rest. Two bobs
// of mass 1 at l and 2 l below the shoulder, each with the moment J = 2/5 r² of a ball.
static void normal_modes_have_their_periods(void **state) {
    const double g = 9.81, l = 0.5, J = 0.4 * 0.06 * 0.06;
    const double M11 = l * l + J + 4 * l * l + J, M12 = 2 * l * l + J, M22 = l * l + J, K11 = 3 * g * l, K12 = g * l,
                 K22 = g * l;
    double a = M11 * M22 - M12 * M12, bq = -(M11 * K22 + M22 * K11 - 2 * M12 * K12), c = K11 * K22 - K12 * K12;
    double root = sqrt(bq * bq - 4 * a * c), slow = (-bq - root) / (2 * a), fast = (-bq + root) / (2 * a);
    for (int key = 1; key <= 2; key++) {
        tx_model *m = load_scene("pendulum");
        tx_sim *sim = make_sim(m, 2e-4);
        tx_sim_reset(sim, key, NULL);
        double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
        q[0] *= 0.1, q[1] *= 0.1;
        double before = q[0], first = 0, last = 0;
        int crossings = 0;
        for (int i = 1; crossings < 4; i++) {
            tx_sim_step(sim);
            if (before > 0 && q[0] <= 0) {
                last = 2e-4 * (i - 1 + before / (before - q[0]));
                if (crossings++ == 0) first = last;
            }
            before = q[0];
        }
        double period = (last - first) / 3, wanted = 2 * PI / sqrt(key == 1 ? slow : fast);
        say(key == 1 ? "slow mode" : "fast mode", period, wanted);
        // amplitudes of 0.002 rad: θ²/8 is 5e-7; Euler's (ωh)²/24 is 1e-7
        assert_true(fabs(period / wanted - 1) < 1e-6);
        tx_sim_destroy(sim);
        tx_model_destroy(m);
    }
}

// ---- momentum ------------------------------------------------------------------------------------------------------

// balls thrown at each other without gravity: linear momentum, and angular momentum about the origin. Semi-implicit
// Euler keeps both for balls whatever the forces are, as long as action equals reaction at one point.
static void collisions_keep_momentum(void **state) {
    static const int DIMS[] = {1, 3, 4, 6};
    enum { BALLS = 8 };
    tx_builder *b = tx_builder_create();
    tx_builder_gravity(b, (const double[]){0, 0, 0});
    for (int i = 0; i < BALLS; i++) {
        int body = add_body(b, 0, 0.25 * (i % 2), 0.25 * (i / 2 % 2), 0.25 * (i / 4));
        add_joint(b, body, TX_JOINT_FREE, 0, 0, 1);
        tx_geom_def ball = tx_default_geom_def();
        ball.size[0] = 0.08 + 0.01 * (i % 3), ball.condim = DIMS[i % 4], ball.density = 300 * (1 + i),
        ball.friction[1] = 0.02, ball.friction[2] = 0.01;
        tx_builder_geom(b, body, &ball);
    }
    tx_model *m = compile(b);
    tx_sim *sim = make_sim(m, 1e-3);
    const double *mass = tx_model_params(m, TX_PARAM_BODY_MASS, NULL),
                 *inertia = tx_model_params(m, TX_PARAM_BODY_INERTIA, NULL);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL), start[6] = {0}, worst = 0,
           size = 0;
    for (int i = 0; i < BALLS; i++)
        for (int k = 0; k < 3; k++) {
            v[6 * i + k] = -3 * (q[7 * i + k] - 0.125) + 0.3 * sin(3 * i + k); // towards the middle
            v[6 * i + 3 + k] = 5 * cos(2 * i + 3 * k);
        }
    long contacts = 0;
    for (int step = 0; step <= 1000; step++) {
        double now[6] = {0};
        tx_sim_forward(sim);
        const double *R = tx_sim_array(sim, TX_ARRAY_XMAT);
        for (int i = 0; i < BALLS; i++)
            for (int k = 0; k < 3; k++) {
                const double *x = q + 7 * i, *u = v + 6 * i, *w = u + 3, *r = R + 9 * (1 + i) + 3 * k;
                int s = (k + 1) % 3, t = (k + 2) % 3;
                now[k] += mass[1 + i] * u[k];
                now[3 + k] += mass[1 + i] * (x[s] * u[t] - x[t] * u[s]) +
                              inertia[3 * (1 + i)] * (r[0] * w[0] + r[1] * w[1] + r[2] * w[2]);
                if (step == 0) size += mass[1 + i] * fabs(u[k]);
            }
        if (step == 0) memcpy(start, now, sizeof now);
        for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(now[k] - start[k]));
        int count;
        tx_sim_contacts(sim, 0, &count);
        contacts += count;
        tx_sim_step(sim);
    }
    if (getenv("TX_VERBOSE")) printf("momentum: worst change %.2g of %.2g, %ld contacts\n", worst, size, contacts);
    assert_true(contacts > 50);
    assert_true(worst < 1e-10);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

// ---- friction ------------------------------------------------------------------------------------------------------

// a puck that cannot turn slides along an axis of the pyramid or between two. While it slides fast it is carried by the
// edges that lean against the motion, so friction is μN along an axis and μN/√2 along the diagonal (|f1| + |f2| <= μN).
// It hops, so N is taken from the vertical momentum: ∫N/m = gT + Δv_z.
static void sliding_is_slowed_by_friction(void **state) {
    const double mu = 0.3, g = 9.81, h = 1e-3;
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        tx_builder *b = tx_builder_create();
        tx_geom_def floor = tx_default_geom_def();
        floor.type = TX_GEOM_PLANE, floor.friction[0] = mu;
        tx_builder_geom(b, 0, &floor);
        int body = add_body(b, 0, 0, 0, 0.1);
        add_joint(b, body, TX_JOINT_SLIDE, 1, 0, 0), add_joint(b, body, TX_JOINT_SLIDE, 0, 1, 0),
            add_joint(b, body, TX_JOINT_SLIDE, 0, 0, 1);
        tx_geom_def ball = tx_default_geom_def();
        ball.size[0] = 0.1, ball.friction[0] = mu;
        tx_builder_geom(b, body, &ball);
        tx_model *m = compile(b);
        tx_sim *sim = make_sim(m, h);
        double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
        v[0] = 2, v[1] = diagonal ? 2 : 0;
        tx_sim_step_n(sim, 100);
        double before = hypot(v[0], v[1]), upwards = v[2];
        tx_sim_step_n(sim, 200);
        double load = g + (v[2] - upwards) / 0.2, deceleration = (before - hypot(v[0], v[1])) / 0.2,
               wanted = diagonal ? mu * load / sqrt(2) : mu * load;
        say(diagonal ? "sliding along the diagonal" : "sliding along an axis", deceleration, wanted);
        assert_true(fabs(load / g - 1) < 0.15);
        assert_true(fabs(deceleration / wanted - 1) < 1e-12);
        // it keeps its direction, and comes to rest for good except for the soft law's creep
        assert_true(fabs(v[1] - (diagonal ? v[0] : 0)) < 1e-9);
        tx_sim_step_n(sim, 2000);
        assert_true(hypot(v[0], v[1]) < 1e-6);
        tx_sim_destroy(sim);
        tx_model_destroy(m);
    }
}

// ---- damping and springs -------------------------------------------------------------------------------------------

// v' = v / (1 + h b / m), at any step size
static void damping_is_implicit(void **state) {
    const double mass = 0.8, damping[] = {0.1, 5, 1e4};
    for (int i = 0; i < 3; i++) {
        tx_builder *b = tx_builder_create();
        tx_builder_gravity(b, (const double[]){0, 0, 0});
        int body = add_mass(b, 0, 0, mass, 0.01);
        tx_joint_def slide = tx_default_joint_def();
        slide.type = TX_JOINT_SLIDE, slide.damping = damping[i];
        tx_builder_joint(b, body, &slide);
        tx_model *m = compile(b);
        tx_sim *sim = make_sim(m, 0.01);
        double *v = tx_sim_array(sim, TX_ARRAY_QVEL), wanted = 1, place = 0;
        v[0] = 1;
        for (int k = 0; k < 100; k++) {
            tx_sim_step(sim);
            wanted /= 1 + 0.01 * damping[i] / mass;
            place += 0.01 * wanted;
            assert_true(fabs(v[0] - wanted) <= 1e-13 * (1 + k) * wanted + 1e-300);
        }
        assert_true(fabs(tx_sim_array(sim, TX_ARRAY_QPOS)[0] / place - 1) < 1e-13);
        tx_sim_destroy(sim);
        tx_model_destroy(m);
    }
}

// mass on a spring: symplectic Euler turns by Ω with 2 sin(Ωh/2) = ωh and keeps v² + ω² x² - h ω² x v exactly
static void spring_keeps_its_invariant(void **state) {
    const double mass = 0.5, stiffness = 80, h = 0.005, rest = 0.2;
    tx_builder *b = tx_builder_create();
    tx_builder_gravity(b, (const double[]){0, 0, 0});
    int body = add_mass(b, 0, 0, mass, 0.01);
    tx_joint_def slide = tx_default_joint_def();
    slide.type = TX_JOINT_SLIDE, slide.stiffness = stiffness, slide.springref = rest;
    tx_builder_joint(b, body, &slide);
    tx_model *m = compile(b);
    tx_sim *sim = make_sim(m, h);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL), w2 = stiffness / mass;
    double start = 0;
    for (int i = 0; i < 2000; i++) {
        double x = q[0] - rest, now = v[0] * v[0] + w2 * x * x - h * w2 * x * v[0];
        if (i == 0) start = now;
        assert_true(fabs(now / start - 1) < 1e-12);
        tx_sim_step(sim);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

// a free body: straight flight, and falling by g n(n+1)/2 h² in n steps of semi-implicit Euler
static void free_fall(void **state) {
    tx_builder *b = tx_builder_create();
    int body = add_mass(b, 0, 10, 3, 0.2);
    add_joint(b, body, TX_JOINT_FREE, 0, 0, 1);
    tx_model *m = compile(b);
    tx_sim *sim = make_sim(m, 0.001);
    tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 4;
    tx_sim_step_n(sim, 500);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    assert_true(fabs(q[0] - 2) < 1e-12);
    assert_true(fabs(q[2] - (10 - 9.81 * 1e-6 * 500 * 501 / 2)) < 1e-12);
    assert_true(q[3] == 1 && q[4] == 0);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_rests_at_its_depth),       cmocka_unit_test(joint_limit_holds),
        cmocka_unit_test(pendulum_has_its_period),         cmocka_unit_test(energy_error_is_of_first_order),
        cmocka_unit_test(normal_modes_have_their_periods), cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(sliding_is_slowed_by_friction),   cmocka_unit_test(damping_is_implicit),
        cmocka_unit_test(spring_keeps_its_invariant),      cmocka_unit_test(free_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
