// test_servo.c - PID controllers and DC motors, set points on the circle, polynomial springs and dampers: closed forms,
// the same bits everywhere, what is refused. MuJoCo's own numbers of scenes/core_servos.xml, core_turns.xml and
// core_polynomials.xml are in test_reference and test_dump.
#include "near.h"
#include "simulate.h"

// a wheel of inertia I alone on its axle, driven by one actuator
static tx_model *wheel(tx_actuator_def a, double inertia, double timestep, tx_diag *diag) {
    tx_builder *b = tx_builder_create();
    tx_options o = tx_default_options();
    o.timestep = timestep;
    tx_builder_options(b, &o);
    tx_body_def body = tx_default_body_def();
    body.has_inertial = true, body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = inertia;
    int i = tx_builder_body(b, 0, &body);
    tx_joint_def joint = tx_default_joint_def();
    joint.name = "axle", joint.axis[2] = 1, joint.axis[0] = joint.axis[1] = 0;
    tx_builder_joint(b, i, &joint);
    a.name = "drive", a.joint = "axle";
    tx_builder_actuator(b, &a);
    tx_model *model = tx_builder_compile(b, diag);
    tx_builder_destroy(b);
    return model;
}

static tx_sim *turning(const tx_model *model) {
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    return sim;
}

// a controller without velocity to reach is a position servo
static void a_controller_is_a_position_servo(void **state) {
    (void)state;
    tx_model *model[2] = {wheel(tx_pid_actuator(7, 0, 0.4), 0.1, 0.002, NULL),
                          wheel(tx_position_actuator(7, 0.4), 0.1, 0.002, NULL)};
    tx_sim *sim[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tx_model_size(model[k], TX_SIZE_NU), k == 0 ? 2 : 1);
        assert_int_equal(tx_model_size(model[k], TX_SIZE_NACTUATOR), 1);
        sim[k] = turning(model[k]);
        tx_sim_array(sim[k], TX_ARRAY_CTRL)[0] = 0.8;
        tx_sim_step_n(sim[k], 300);
    }
    assert_near(tx_sim_array(sim[0], TX_ARRAY_QPOS)[0], tx_sim_array(sim[1], TX_ARRAY_QPOS)[0], 1e-14);
    // and with one it follows a ramp without lag: kp and kv both see no error
    tx_sim_reset(sim[0], -1, NULL);
    tx_sim_array(sim[0], TX_ARRAY_QVEL)[0] = 2;
    for (int s = 0; s < 200; s++) {
        double *ctrl = tx_sim_array(sim[0], TX_ARRAY_CTRL);
        ctrl[0] = 2 * 0.002 * s, ctrl[1] = 2;
        tx_sim_step(sim[0]);
        assert_near(tx_sim_array(sim[0], TX_ARRAY_ACTUATOR_FORCE)[0], 0, 1e-12);
    }
    for (int k = 0; k < 2; k++) tx_sim_destroy(sim[k]), tx_model_destroy(model[k]);
}

// the integral finds the force that a constant load needs, and stops at its limit; the set point moves at its rate
static void integral_and_slew_rate(void **state) {
    (void)state;
    tx_actuator_def pid = tx_pid_actuator(20, 40, 3);
    pid.inputs = TX_INPUT_POS | TX_INPUT_FF;
    tx_model *model = wheel(pid, 0.1, 0.002, NULL);
    tx_sim *sim = turning(model);
    tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[0] = -1.5;
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    ctrl[0] = 0.5, ctrl[1] = 0.3;
    tx_sim_step_n(sim, 10000);
    assert_near(tx_sim_array(sim, TX_ARRAY_QPOS)[0], 0.5, 1e-9);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACT)[0], (1.5 - 0.3) / 40, 1e-9);
    tx_sim_destroy(sim), tx_model_destroy(model);

    pid.dynprm[0] = 0.01, pid.dynprm[1] = 0.25, pid.inputs = TX_INPUT_POS;
    model = wheel(pid, 1e9, 0.002, NULL); // it stands still
    sim = turning(model);
    assert_int_equal(tx_model_size(model, TX_SIZE_NA), 2);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = -1;
    tx_sim_step_n(sim, 100);
    const double *act = tx_sim_array(sim, TX_ARRAY_ACT);
    assert_near(act[0], -0.25 * 0.2, 1e-12);
    // the sum of h k 0.25 h for k = 1 ... 100
    assert_near(act[1], -0.25 * 0.002 * 0.002 * 100 * 101 / 2, 1e-12);
    tx_sim_step_n(sim, 1900);
    assert_near(act[0], -1, 1e-12);
    assert_true(act[1] <= -0.01 && act[1] > -0.01 - 0.002);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// locked: current V/R (1 - e^(-t/τ)), heat R i² - T/RT; free: the speed ends at V/K
static void a_motor_in_closed_form(void **state) {
    (void)state;
    const double R = 2, K = 0.3, V = 6, tau = 0.01, h = 0.001;
    tx_actuator_def motor = tx_dcmotor_actuator(R, K);
    motor.dynprm[0] = tau, motor.dynprm[2] = 4, motor.dynprm[3] = 0.05;
    tx_model *model = wheel(motor, 1e9, h, NULL);
    tx_sim *sim = turning(model);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = V;
    tx_sim_step_n(sim, 7);
    const double *act = tx_sim_array(sim, TX_ARRAY_ACT);
    assert_near(act[1], V / R * (1 - exp(-7 * h / tau)), 1e-12);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], K * act[1], 1e-12);
    tx_sim_step_n(sim, 10000);
    assert_near(act[0], R * V / R * V / R * 4, 1e-6);
    tx_sim_destroy(sim), tx_model_destroy(model);

    motor = tx_dcmotor_actuator(R, K);
    model = wheel(motor, 0.01, h, NULL);
    sim = turning(model);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = V;
    tx_sim_step_n(sim, 10000);
    assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], V / K, 1e-9);
    tx_sim_destroy(sim), tx_model_destroy(model);

    // its controller gives the force that is asked for, as long as the voltage lasts
    motor.inputs = TX_INPUT_FF, motor.gain[7] = 8;
    model = wheel(motor, 0.01, h, NULL);
    sim = turning(model);
    tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.3;
    tx_sim_step_n(sim, 100);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], 0.3, 1e-12);
    tx_sim_step_n(sim, 10000);
    assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 8 / K, 1e-9);
    tx_sim_destroy(sim), tx_model_destroy(model);

    // shorted, with dry friction: it comes to rest, and its bristles hold less than the static force
    motor = tx_dcmotor_actuator(R, K);
    motor.inputs = TX_INPUT_NONE;
    const double lugre[] = {100, 1, 0.2, 0.3, 0.01};
    memcpy(motor.dynprm + 5, lugre, 2 * sizeof *lugre), memcpy(motor.bias + 3, lugre + 2, 3 * sizeof *lugre);
    model = wheel(motor, 0.01, h, NULL);
    assert_int_equal(tx_model_size(model, TX_SIZE_NU), 0);
    sim = turning(model);
    tx_sim_array(sim, TX_ARRAY_QVEL)[0] = 5;
    tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[0] = 0.1;
    tx_sim_step_n(sim, 5000);
    assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], 0, 1e-3);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[0], -0.1, 1e-3);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static tx_model *from_text(const char *text) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), "text.xml", &diag);
    if (!model) fail_msg("%s", diag.count ? diag.messages[0].text : "memory is out");
    tx_diag_free(&diag);
    return model;
}

// a target that winds through turns is followed through turns: without the circle it would slip back by one
static void a_servo_follows_through_turns(void **state) {
    (void)state;
    tx_model *model =
        from_text("<mujoco><option gravity='0 0 0' timestep='0.002' integrator='implicitfast'/><worldbody><body>"
                  "<joint name='j' type='ball'/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody>"
                  "<actuator><position joint='j' gear='0 0 1' kp='20' kv='0.5'/></actuator></mujoco>");
    tx_sim *sim = turning(model);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), angle = 0, before = 0;
    for (int s = 0; s < 5000; s++) {
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = 0.002 * s * 2;
        tx_sim_step(sim);
        double now = 2 * atan2(q[3], q[0]), turn = now - before;
        angle += turn - 2 * 3.14159265358979323846 * rint(turn / (2 * 3.14159265358979323846));
        before = now;
    }
    // it lags by kv v / kp = 0.05, give or take the ringing of the start
    assert_near(angle, 0.002 * 5000 * 2 - 0.05, 0.02);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a gear that only turns has its set point on the circle, one that also moves along an axis has not: 2 pi + 0.1 is 0.1
// away, or all of it
static void what_also_moves_is_not_on_the_circle(void **state) {
    (void)state;
    tx_model *model =
        from_text("<mujoco><option gravity='0 0 0'/><worldbody><site name='r'/><body><freejoint/><geom size='.1'/>"
                  "<site name='s'/></body></worldbody><actuator>"
                  "<position site='s' refsite='r' gear='0 0 0 0 0 1' kp='3'/>"
                  "<position site='s' refsite='r' gear='1 0 0 0 0 1' kp='3'/>"
                  "<position site='s' refsite='r' gear='0 1 0 0 0 1' kp='3'/>"
                  "<position site='s' refsite='r' gear='0 0 1 0 0 1' kp='3'/></actuator></mujoco>");
    tx_sim *sim = turning(model);
    const double turn = 2 * 3.14159265358979323846;
    for (int k = 0; k < 4; k++) tx_sim_array(sim, TX_ARRAY_CTRL)[k] = turn + 0.1;
    tx_sim_forward(sim);
    for (int k = 0; k < 4; k++)
        assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[k], 3 * (k == 0 ? 0.1 : turn + 0.1), 1e-12);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// f = -(a x + b x² + c x³) - (a v + b v|v| + c v³), and gear² of it from an actuator; a spring keeps its energy
static void springs_and_dampers_are_polynomials(void **state) {
    (void)state;
    tx_model *model =
        from_text("<mujoco><compiler angle='radian'/><option gravity='0 0 0' timestep='0.001' integrator='RK4'><flag "
                  "contact='disable'/></option><worldbody>"
                  "<body><joint name='a' stiffness='2 3 5'/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
                  "<body><joint name='b' damping='0.2 0.3 0.5'/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
                  "<body><joint name='c'/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody>"
                  "<actuator><motor joint='c' gear='3' damping='0.2 0.3 0.5'/></actuator></mujoco>");
    tx_sim *sim = turning(model);
    tx_sim_array(sim, TX_ARRAY_QPOS)[0] = -0.7;
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    v[1] = -1.5, v[2] = -1.5;
    tx_sim_forward(sim);
    const double *f = tx_sim_array(sim, TX_ARRAY_QFRC_PASSIVE);
    assert_near(f[0], 2 * 0.7 - 3 * 0.49 + 5 * 0.343, 1e-14);
    assert_near(f[1], 0.2 * 1.5 + 0.3 * 2.25 + 0.5 * 3.375, 1e-14);
    assert_near(f[2], 9 * f[1], 1e-13);
    v[1] = v[2] = 0;
    tx_sim_forward(sim);
    const double *energy = tx_sim_array(sim, TX_ARRAY_ENERGY);
    const double start = energy[0];
    assert_near(start, 2 * 0.49 / 2 - 3 * 0.343 / 3 + 5 * 0.2401 / 4, 1e-14);
    tx_sim_step_n(sim, 50);
    tx_sim_forward(sim);
    energy = tx_sim_array(sim, TX_ARRAY_ENERGY);
    assert_true(energy[1] > 0.01);
    assert_near(energy[0] + energy[1], start, 1e-8);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// bent beyond its bound a spring gives way and stays: it rests at the bound behind the farthest bend, and a reset
// brings it back
static void a_spring_yields_and_stays(void **state) {
    (void)state;
    tx_model *model = from_text(
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0' timestep='0.001'><flag contact='disable'/></option>"
        "<worldbody><body><joint name='a' stiffness='2' damping='0.1' springref='0.1' springyield='0.3'/>"
        "<geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
        "<body><joint type='ball' stiffness='2' damping='0.1' springyield='0.3'/>"
        "<geom type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody></mujoco>");
    assert_int_equal(tx_model_size(model, TX_SIZE_NPLASTIC), 5);
    tx_sim *sim = turning(model);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *rest = tx_sim_array(sim, TX_ARRAY_PLASTIC);
    assert_near(rest[0], 0.1, 0), assert_near(rest[1], 1, 0);
    q[0] = 1, q[1] = cos(0.5), q[2] = sin(0.5);
    tx_sim_step(sim);
    assert_near(rest[0], q[0] - 0.3, 1e-15);
    assert_near(2 * atan2(rest[2], rest[1]), 2 * atan2(q[2], q[1]) - 0.3, 1e-14);
    double set[2] = {rest[0], rest[2]};
    tx_sim_step_n(sim, 5000);
    assert_near(q[0], set[0], 1e-9);
    assert_near(rest[0], set[0], 0), assert_near(rest[2], set[1], 0);
    tx_sim_reset(sim, -1, NULL);
    assert_near(rest[0], 0.1, 0), assert_near(rest[1], 1, 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// the bound of a tendon is that of its length at the end of the step; a rope that is only pulled keeps its lower end at
// zero, what is pushed moves both; switched off, springs stay as they are
static void tendons_yield_by_their_length(void **state) {
    (void)state;
    tx_model *model = from_text(
        "<mujoco><option gravity='0 0 0' timestep='0.01'><flag contact='disable'/></option><worldbody>"
        "<body><joint name='a' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body>"
        "<body><joint name='b' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body></worldbody><tendon>"
        "<fixed stiffness='1' springlength='0 0.2' springyield='0.1'><joint joint='a' coef='1'/></fixed>"
        "<fixed stiffness='1' springlength='0.1 0.2' springyield='0.1'><joint joint='b' coef='1'/></fixed></tendon>"
        "</mujoco>");
    assert_int_equal(tx_model_size(model, TX_SIZE_NPLASTIC), 4);
    tx_sim *sim = turning(model);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    const double *rest = tx_sim_array(sim, TX_ARRAY_PLASTIC);
    q[0] = q[1] = 0.5, v[0] = v[1] = 2;
    tx_sim_step(sim);
    assert_near(q[0], 0.52, 1e-3);
    assert_near(rest[0], 0, 0), assert_near(rest[1], q[0] - 0.1, 1e-15);
    assert_near(rest[2], q[1] - 0.2, 1e-15), assert_near(rest[3], q[1] - 0.1, 1e-15);
    tx_sim_forward(sim);
    assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_PASSIVE)[0], -0.1, 1e-14); // it pulls from where it rests now
    const double high = rest[1];
    q[0] = q[1] = -1, v[0] = v[1] = 0;
    tx_sim_step(sim);
    assert_near(rest[0], q[0] + 0.1, 1e-15), assert_near(rest[1] - rest[0], high, 1e-15);
    assert_near(rest[2], q[1] + 0.1, 1e-15), assert_near(rest[3] - rest[2], 0.1, 1e-15);
    tx_options o = tx_sim_options(sim);
    o.spring = false;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    const double before[4] = {rest[0], rest[1], rest[2], rest[3]};
    q[0] = q[1] = 3;
    tx_sim_step(sim);
    for (int k = 0; k < 4; k++) assert_near(rest[k], before[k], 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a reset puts every spring where its own environment has it rest
static void springs_rest_where_their_environment_says(void **state) {
    (void)state;
    tx_model *model = from_text(
        "<mujoco><worldbody><body><joint type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/>"
        "<body><joint name='b' type='slide' axis='1 0 0' stiffness='1' springyield='0.1'/><geom size='0.1' "
        "mass='1'/></body>"
        "</body></worldbody><tendon><fixed stiffness='1' springlength='0.1 0.2'><joint joint='b' coef='1'/></fixed>"
        "<fixed stiffness='1' springlength='0.1 0.2' springyield='0.1'><joint joint='b' "
        "coef='1'/></fixed></tendon></mujoco>");
    enum { ENVS = 3 };
    tx_sim *sim = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 0);
    double *at = tx_sim_param(sim, TX_PARAM_QPOS_SPRING), *length = tx_sim_param(sim, TX_PARAM_TENDON_LENGTHSPRING);
    for (int i = 0; i < 2 * ENVS; i++) at[i] = 0.01 * i;
    for (int i = 0; i < 4 * ENVS; i++) length[i] = 1 + i;
    tx_sim_reset(sim, -1, NULL);
    const double *rest = tx_sim_array(sim, TX_ARRAY_PLASTIC);
    for (int e = 0; e < ENVS; e++) {
        assert_near(rest[3 * e], 0.01 * (2 * e + 1), 0);
        assert_near(rest[3 * e + 1], 3 + 4 * e, 0), assert_near(rest[3 * e + 2], 4 + 4 * e, 0);
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a cube alone is a spring and a damper; in a parent's frame a hinge is damped alike; what is switched off has no slope
static void parts_of_polynomials_act_alone(void **state) {
    (void)state;
    tx_model *model = from_text(
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0' timestep='0.01' integrator='implicitfast'><flag "
        "contact='disable'/></option><default><geom type='box' size='0.1 0.1 0.1' mass='1'/></default><worldbody>"
        "<body><joint name='a' stiffness='0 0 5'/><geom/></body><body><joint name='b'/><geom/></body>"
        "<body><joint name='c'/><geom/></body><body><joint name='d'/><geom/></body>"
        "<body><joint name='e'/><geom/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='e' coef='1'/></fixed></tendon><actuator>"
        "<motor joint='b' damping='0 0 0.5'/><motor joint='c' damping='0.4'/><motor jointinparent='d' damping='0.4'/>"
        "<motor tendon='t' damping='0.4'/></actuator></mujoco>");
    tx_sim *sim = turning(model);
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    tx_sim_array(sim, TX_ARRAY_QPOS)[0] = 0.7;
    for (int k = 1; k < 5; k++) v[k] = 1.5;
    tx_sim_forward(sim);
    const double *f = tx_sim_array(sim, TX_ARRAY_QFRC_PASSIVE);
    assert_near(f[0], -5 * 0.343, 1e-14);
    assert_near(f[1], -0.5 * 3.375, 1e-14);
    tx_sim_step(sim);
    assert_true(v[2] < 1.4);
    assert_near(v[3], v[2], 0), assert_near(v[4], v[2], 1e-14);
    tx_options o = tx_sim_options(sim);
    o.damper = false;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
    for (int k = 1; k < 5; k++) v[k] = 1.5;
    tx_sim_array(sim, TX_ARRAY_CTRL)[3] = 1;
    tx_sim_array(sim, TX_ARRAY_CTRL)[1] = 1;
    tx_sim_step(sim);
    assert_near(v[4], 1.5 + 0.01 / (2.0 / 300), 1e-12), assert_near(v[2], v[4], 1e-14), assert_near(v[1], 1.5, 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static void the_same_bits_everywhere(void **state) {
    (void)state;
    static const char *const SCENES[] = {"core_servos", "core_turns",         "core_polynomials",
                                         "core_yield",  "core_yield_tendons", "core_orientation"};
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
        tx_model *model = load_scene(SCENES[i]);
        for (int integrator = 0; integrator < TX_INTEGRATOR_COUNT; integrator++)
            same_bits_everywhere(model, integrator, i == 0 ? 40 : 20);
        tx_model_destroy(model);
    }
}

// two of thermal resistance, capacitance and time constant say the third
static void two_thermal_numbers_say_the_third(void **state) {
    static const struct {
        const char *thermal;
        double resistance, capacitance; // 0: refused
    } cases[] = {{"2 0.3 0", 2, 0.3}, {"4 0 10", 4, 2.5}, {"0 4 10", 2.5, 4}, {"0 0 0", 0, 0},
                 {"2 0 0", 0, 1},     {"0 2 0", 0, 1},    {"0 0 3", 0, 1}};
    for (int i = 0; i < 7; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><dcmotor "
                 "joint='j' "
                 "motorconst='0.5' resistance='1' thermal='%s 0.01 20 30'/></actuator></mujoco>",
                 cases[i].thermal);
        tx_diag diag = {0};
        tx_model *model = tx_load_string(text, strlen(text), "text.xml", &diag);
        const bool refused = cases[i].resistance == 0 && cases[i].capacitance > 0;
        assert_int_equal(model == NULL, refused);
        if (refused) assert_non_null(strstr(diag.messages[0].text, "needs two of resistance, capacitance and time"));
        else {
            const double *dynprm = tx_model_params(model, TX_PARAM_ACTUATOR_DYNPRM, NULL);
            assert_near(dynprm[2], cases[i].resistance, 1e-15);
            assert_near(dynprm[3], cases[i].capacitance, 1e-15);
        }
        tx_model_destroy(model), tx_diag_free(&diag);
    }
}

// a sensor of a tendon's limit wants one
static void a_tendon_without_limits_has_no_limit(void **state) {
    static const char *const limits[] = {"range='0 1'", "range='0 1' limited='true'", "limited='false' range='0 1'",
                                         ""};
    for (int i = 0; i < 4; i++) {
        char text[500];
        snprintf(
            text, sizeof text,
            "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody><tendon><fixed "
            "name='t' %s><joint joint='j' coef='1'/></fixed></tendon><sensor><tendonlimitpos tendon='t'/></sensor>"
            "</mujoco>",
            limits[i]);
        tx_diag diag = {0};
        tx_model *model = tx_load_string(text, strlen(text), "text.xml", &diag);
        assert_int_equal(model != NULL, i < 2);
        if (i >= 2) assert_non_null(strstr(diag.messages[0].text, "needs a tendon with limits, not 't'"));
        tx_model_destroy(model), tx_diag_free(&diag);
    }
}

static void what_does_not_go_together_is_refused(void **state) {
    (void)state;
    tx_actuator_def pid = tx_pid_actuator(1, 1, 0), motor = tx_dcmotor_actuator(1, 1), d[14];
    for (int k = 0; k < 14; k++) d[k] = k < 6 ? pid : motor;
    d[0].inputs = TX_INPUT_VEL;         // an integral of nothing
    d[1].inputs = TX_INPUT_VOLTAGE;     // of motors only
    d[2].inputs = 0;                    // none
    d[3].bias_curve = TX_CURVE_MUSCLE;  // not its bias
    d[4].dynamics = TX_DYNAMICS_FILTER; // not its dynamics
    d[5].dynamics = TX_DYNAMICS_NONE;   // an integral gain without integral
    d[6].gain[0] = 0;                   // resistance
    d[7].gain[1] = 0;                   // motor constant
    d[8].actearly = false;              // the force of a motor is by its next current
    d[9].gain[4] = 1;                   // a gain without an input for it
    d[10].dynprm[2] = 1;                // heat that is stored nowhere
    d[11].dynamics = TX_DYNAMICS_NONE;  // not its dynamics
    d[12].inputs = 64;                  // no such input
    d[13].actlimited = TX_SWITCH_ON, d[13].actrange[1] = 1;
    for (int k = 0; k < 14; k++) {
        tx_diag diag = {0};
        assert_null(wheel(d[k], 1, 0.001, &diag));
        assert_true(diag.errors >= 1);
        assert_non_null(strstr(diag.messages[0].text, "actuator 'drive'"));
        tx_diag_free(&diag);
    }
}

// a ball of inertia `inertia` on a ball joint, turned by one servo
static tx_model *turner(tx_actuator_def a, double inertia, tx_diag *diag) {
    tx_builder *b = tx_builder_create();
    tx_body_def body = tx_default_body_def();
    body.has_inertial = true, body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = inertia;
    int i = tx_builder_body(b, 0, &body);
    tx_joint_def joint = tx_default_joint_def(), hinge = tx_default_joint_def();
    joint.name = "ball", joint.type = TX_JOINT_BALL;
    tx_builder_joint(b, i, &joint);
    hinge.name = "hinge";
    tx_builder_joint(b, tx_builder_body(b, i, &body), &hinge);
    tx_site_def site = tx_default_site_def();
    site.name = "here";
    tx_builder_site(b, i, &site);
    a.name = "drive";
    if (!a.joint && !a.site) a.joint = "ball";
    assert_int_equal(tx_builder_actuator(b, &a), 0);
    tx_actuator_def motor = tx_default_actuator_def();
    motor.name = "motor", motor.joint = "hinge";
    // an orientation servo stands for three
    if (a.gain_curve == TX_CURVE_SO3) assert_int_equal(tx_builder_actuator(b, &motor), 3);
    tx_model *model = tx_builder_compile(b, diag);
    tx_builder_destroy(b);
    return model;
}

// the torque of an orientation servo is kp times the rotation vector that is left, at most forcerange; a quaternion and
// any multiple of it are one orientation; a rate turns the set point through any number of turns
static void a_servo_turns_to_an_orientation(void **state) {
    (void)state;
    const double kp = 3, kv = 0.5, angle = 1.2, axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, velocity[3] = {0.3, -0.2, 0.1};
    for (int kind = 0; kind < 4; kind++) {
        tx_actuator_def a = tx_orientation_actuator(kp, kv);
        if (kind == 1) a.inputs = TX_INPUT_QUAT;
        if (kind == 2) a.dynamics = TX_DYNAMICS_TURN;
        if (kind == 3) a.forcerange[1] = 0.7;
        tx_model *model = turner(a, 0.1, NULL);
        assert_non_null(model);
        assert_int_equal(tx_model_size(model, TX_SIZE_NACTUATOR), 4);
        assert_int_equal(tx_model_size(model, TX_SIZE_NU), kind == 1 ? 5 : 4);
        assert_int_equal(tx_model_size(model, TX_SIZE_NA), kind == 2 ? 3 : 0);
        tx_sim *sim = turning(model);
        assert_near(tx_sim_array(sim, TX_ARRAY_CTRL)[0], kind == 1 ? 1 : 0, 0);
        double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
        // half of the way is done, about the same axis
        q[0] = cos(angle / 4);
        for (int k = 0; k < 3; k++) {
            q[1 + k] = sin(angle / 4) * axis[k], tx_sim_array(sim, TX_ARRAY_QVEL)[k] = velocity[k];
            if (kind == 1) ctrl[0] = -7 * cos(angle / 2), ctrl[1 + k] = -7 * sin(angle / 2) * axis[k];
            else if (kind == 2) tx_sim_array(sim, TX_ARRAY_ACT)[k] = (angle - 8 * acos(-1)) * axis[k];
            else ctrl[k] = angle * axis[k];
        }
        tx_sim_forward(sim);
        double torque[3], size = 0;
        for (int k = 0; k < 3; k++)
            torque[k] = kp * angle / 2 * axis[k] - kv * velocity[k], size += torque[k] * torque[k];
        for (int k = 0; k < 3; k++) {
            if (kind == 3) torque[k] *= 0.7 / sqrt(size);
            assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_LENGTH)[k], angle / 2 * axis[k], 1e-14);
            assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_VELOCITY)[k], velocity[k], 1e-15);
            assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_FORCE)[k], torque[k], 1e-13);
            assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[k], torque[k], 1e-13);
        }
        if (kind == 2) { // one step brings the set point within half a turn
            const double rate[3] = {1, 2, 3};
            for (int k = 0; k < 3; k++) ctrl[k] = rate[k];
            tx_sim_step(sim);
            const double *act = tx_sim_array(sim, TX_ARRAY_ACT);
            assert_true(sqrt(act[0] * act[0] + act[1] * act[1] + act[2] * act[2]) < acos(-1));
            assert_near(act[0], angle * axis[0], 0.05);
        }
        tx_sim_destroy(sim), tx_model_destroy(model);
    }
}

// implicit integrators count the damping of a torque that is below its limit, and not that of one that the limit holds:
// from rest the velocity is h torque / (I + h kv) or h limit / I
static void a_held_torque_damps_nothing(void **state) {
    (void)state;
    static const struct {
        double limit, angle;
        bool held;
    } CASES[] = {{2, 0.5, false}, {2, 1, true}, {0.5, 0.2, true}, {0.5, 0.1, false}};
    const double kp = 3, kv = 0.5, inertia = 0.1;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tx_actuator_def a = tx_orientation_actuator(kp, kv);
        a.forcerange[1] = CASES[i].limit;
        tx_model *model = turner(a, inertia, NULL);
        tx_sim *sim = turning(model);
        tx_options o = tx_sim_options(sim);
        o.integrator = TX_INTEGRATOR_IMPLICITFAST;
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
        // about x; the second body, of the same inertia, turns with the first but for its hinge, which is another axis
        tx_sim_array(sim, TX_ARRAY_CTRL)[0] = CASES[i].angle;
        assert_int_equal(tx_sim_step(sim), TX_OK);
        const double all = 2 * inertia, h = o.timestep;
        const double expected = CASES[i].held ? h * CASES[i].limit / all : h * kp * CASES[i].angle / (all + h * kv);
        assert_near(tx_sim_array(sim, TX_ARRAY_QVEL)[0], expected, 1e-14);
        tx_sim_destroy(sim), tx_model_destroy(model);
    }
}

// a servo between two bodies that turn about one axis: it measures how they turn against each other, and its torque on
// one is the opposite of that on the other
static void a_servo_turns_two_bodies_apart(void **state) {
    (void)state;
    const double kp = 3, kv = 0.5, angle[2] = {0.3, -0.4}, speed[2] = {0.2, 0.9};
    tx_builder *b = tx_builder_create();
    tx_body_def body = tx_default_body_def();
    body.has_inertial = true, body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.1;
    tx_joint_def joint = tx_default_joint_def();
    joint.axis[0] = joint.axis[1] = 0, joint.axis[2] = 1;
    tx_site_def site = tx_default_site_def();
    for (int k = 0; k < 2; k++) {
        const int i = tx_builder_body(b, 0, &body);
        tx_builder_joint(b, i, &joint);
        site.name = k ? "moved" : "reference";
        tx_builder_site(b, i, &site);
    }
    tx_actuator_def a = tx_orientation_actuator(kp, kv);
    a.site = "moved", a.refsite = "reference";
    tx_builder_actuator(b, &a);
    tx_model *model = tx_builder_compile(b, NULL);
    tx_builder_destroy(b);
    assert_non_null(model);
    tx_sim *sim = turning(model);
    for (int k = 0; k < 2; k++)
        tx_sim_array(sim, TX_ARRAY_QPOS)[k] = angle[k], tx_sim_array(sim, TX_ARRAY_QVEL)[k] = speed[k];
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double turn = angle[1] - angle[0], rate = speed[1] - speed[0], torque = -kp * turn - kv * rate;
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_LENGTH)[2], turn, 1e-14);
    assert_near(tx_sim_array(sim, TX_ARRAY_ACTUATOR_VELOCITY)[2], rate, 1e-14);
    assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[0], -torque, 1e-13);
    assert_near(tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR)[1], torque, 1e-13);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static void orientation_servos_are_checked(void **state) {
    (void)state;
    tx_actuator_def d[13];
    for (int k = 0; k < 13; k++) d[k] = tx_orientation_actuator(1, 0);
    d[0].inputs = TX_INPUT_POS; // no orientation
    d[1].inputs = TX_INPUT_QUAT, d[1].dynamics = TX_DYNAMICS_TURN;
    d[2].bias_curve = TX_CURVE_AFFINE;  // not its bias
    d[3].dynamics = TX_DYNAMICS_FILTER; // not its dynamics
    d[4].gain[0] = 2;                   // another gain than bias
    d[5].joint = "hinge";
    d[6].inparent = true;
    d[7].site = "here"; // against what
    d[8].forcerange[0] = -1, d[8].forcerange[1] = 1;
    d[9].gain_curve = d[9].bias_curve = TX_CURVE_SO3_Y; // a part alone
    d[10] = tx_default_actuator_def(), d[10].dynamics = TX_DYNAMICS_TURN;
    d[11].armature = 0.1;
    d[12].damping[1] = 0.1;
    for (int k = 0; k < 13; k++) {
        tx_diag diag = {0};
        assert_null(turner(d[k], 1, &diag));
        assert_true(diag.errors >= 1);
        assert_non_null(strstr(diag.messages[0].text, "actuator 'drive'"));
        tx_diag_free(&diag);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_servo_turns_to_an_orientation),
                                       cmocka_unit_test(a_held_torque_damps_nothing),
                                       cmocka_unit_test(a_servo_turns_two_bodies_apart),
                                       cmocka_unit_test(orientation_servos_are_checked),
                                       cmocka_unit_test(a_controller_is_a_position_servo),
                                       cmocka_unit_test(integral_and_slew_rate),
                                       cmocka_unit_test(a_motor_in_closed_form),
                                       cmocka_unit_test(the_same_bits_everywhere),
                                       cmocka_unit_test(a_servo_follows_through_turns),
                                       cmocka_unit_test(what_also_moves_is_not_on_the_circle),
                                       cmocka_unit_test(springs_and_dampers_are_polynomials),
                                       cmocka_unit_test(a_spring_yields_and_stays),
                                       cmocka_unit_test(tendons_yield_by_their_length),
                                       cmocka_unit_test(parts_of_polynomials_act_alone),
                                       cmocka_unit_test(springs_rest_where_their_environment_says),
                                       cmocka_unit_test(two_thermal_numbers_say_the_third),
                                       cmocka_unit_test(a_tendon_without_limits_has_no_limit),
                                       cmocka_unit_test(what_does_not_go_together_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
