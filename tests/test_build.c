// test_build.c - a robot built in code is the robot of the same MJCF text, bit for bit; every wrong definition has a
// message.
#include "reference.h"

// ---- the same robot twice ------------------------------------------------------------------------------------------

static const char ROBOT[] =
    "<mujoco model='robot'>\n"
    "  <compiler angle='radian'/>\n"
    "  <option timestep='0.004' gravity='0.1 0 -9.7' iterations='50' tolerance='1e-9'/>\n"
    "  <worldbody>\n"
    "    <geom name='floor' type='plane' size='2 3 0.1' friction='0.7 0.005 0.0001' rgba='0.5 0.5 0.5 1'/>\n"
    "    <body name='trunk' pos='0 0 0.6' quat='0.9 0.1 0 0.2'>\n"
    "      <freejoint name='root'/>\n"
    "      <geom name='trunk' type='box' size='0.2 0.1 0.05' density='800' contype='2' conaffinity='1' rgba='0.5 0.5 "
    "0.5 1'/>\n"
    "      <geom name='bump' type='sphere' size='0.04' pos='0.2 0 0.05' mass='0.3' rgba='0.5 0.5 0.5 1'/>\n"
    "      <body name='leg' pos='0.2 0.1 0'>\n"
    "        <joint name='hip' axis='0 1 1' pos='0 0.01 0' range='-1 1.5' damping='0.5' armature='0.01' stiffness='2' "
    "springref='0.1'/>\n"
    "        <joint name='knee' type='slide' axis='0 0 -2' range='-0.05 0.1' damping='3' margin='0.01' "
    "solreflimit='0.03 0.9'/>\n"
    "        <geom name='shin' type='capsule' fromto='0 0 0 0.02 0 -0.3' size='0.03' friction='1.1 0.01 0.0002' "
    "condim='4' rgba='0.5 0.5 0.5 1'/>\n"
    "        <body name='foot' pos='0.02 0 -0.35'>\n"
    "          <joint name='ankle' type='ball' range='0 0.8' damping='0.2'/>\n"
    "          <inertial pos='0.01 0 0' quat='1 0 0.3 0' mass='0.4' diaginertia='0.001 0.0012 0.0009'/>\n"
    "          <geom name='foot' type='sphere' size='0.035' condim='6' solref='0.01 1' solimp='0.8 0.9 0.002 0.4 3' "
    "priority='1' rgba='0.5 0.5 0.5 1'/>\n"
    "        </body>\n"
    "      </body>\n"
    "    </body>\n"
    "    <body name='ball' pos='1 0 0.3'>\n"
    "      <joint type='free'/>\n"
    "      <geom name='ball' size='0.1' margin='0.01' gap='0.002' solmix='2' rgba='0.5 0.5 0.5 1'/>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "  <contact><exclude body1='ball' body2='foot'/></contact>\n"
    "  <actuator>\n"
    "    <motor name='hip' joint='hip' gear='30' ctrlrange='-1 1' ctrllimited='true'/>\n"
    "    <motor name='knee' joint='knee' gear='100' ctrlrange='-2 1' forcerange='-0.5 0.5'/>\n"
    "  </actuator>\n"
    "  <keyframe>\n"
    "    <key name='crouch' time='0.5' qpos='0 0 0.5 1 0 0 0  0.4 0.02  1 0.1 0 0  1 0 0.3 1 0 0 0' ctrl='0.3 -0.2'/>\n"
    "  </keyframe>\n"
    "</mujoco>\n";

#define SET(array, ...)                          \
    memcpy(array, ((const double[])__VA_ARGS__), \
           sizeof(const double[sizeof((const double[])__VA_ARGS__) / sizeof(double)]))

static int add_body(tx_builder *b, int parent, const char *name, double x, double y, double z) {
    tx_body_def d = tx_default_body_def();
    d.name = name;
    SET(d.pos, {x, y, z});
    return tx_builder_body(b, parent, &d);
}

static tx_builder *robot(void) {
    tx_builder *b = tx_builder_create();
    tx_builder_name(b, "robot");
    tx_options o = tx_default_options();
    o.timestep = 0.004, o.iterations = 50, o.tolerance = 1e-9;
    tx_builder_options(b, &o);
    tx_builder_gravity(b, (const double[]){0.1, 0, -9.7});

    tx_geom_def floor = tx_default_geom_def();
    floor.name = "floor", floor.type = TX_GEOM_PLANE;
    SET(floor.size, {2, 3, 0.1});
    floor.friction[0] = 0.7;
    tx_builder_geom(b, 0, &floor);

    tx_body_def d = tx_default_body_def();
    d.name = "trunk";
    SET(d.pos, {0, 0, 0.6});
    SET(d.quat, {0.9, 0.1, 0, 0.2});
    int trunk = tx_builder_body(b, 0, &d);
    tx_joint_def root = tx_default_joint_def();
    root.name = "root", root.type = TX_JOINT_FREE;
    tx_builder_joint(b, trunk, &root);
    tx_geom_def box = tx_default_geom_def();
    box.name = "trunk", box.type = TX_GEOM_BOX, box.density = 800, box.contype = 2;
    SET(box.size, {0.2, 0.1, 0.05});
    tx_builder_geom(b, trunk, &box);
    tx_geom_def bump = tx_default_geom_def();
    bump.name = "bump", bump.size[0] = 0.04, bump.mass = 0.3;
    SET(bump.pos, {0.2, 0, 0.05});
    tx_builder_geom(b, trunk, &bump);

    int leg = add_body(b, trunk, "leg", 0.2, 0.1, 0);
    tx_joint_def hip = tx_default_joint_def();
    hip.name = "hip", hip.pos[1] = 0.01, hip.damping = 0.5, hip.armature = 0.01, hip.stiffness = 2, hip.springref = 0.1;
    SET(hip.axis, {0, 1, 1});
    SET(hip.range, {-1, 1.5});
    tx_builder_joint(b, leg, &hip);
    tx_joint_def knee = tx_default_joint_def();
    knee.name = "knee", knee.type = TX_JOINT_SLIDE, knee.damping = 3, knee.margin = 0.01;
    SET(knee.axis, {0, 0, -2});
    SET(knee.range, {-0.05, 0.1});
    SET(knee.solref, {0.03, 0.9});
    tx_builder_joint(b, leg, &knee);
    tx_geom_def shin = tx_default_geom_def();
    shin.name = "shin", shin.type = TX_GEOM_CAPSULE, shin.has_fromto = true, shin.size[0] = 0.03, shin.condim = 4;
    SET(shin.fromto, {0, 0, 0, 0.02, 0, -0.3});
    SET(shin.friction, {1.1, 0.01, 0.0002});
    tx_builder_geom(b, leg, &shin);

    tx_body_def f = tx_default_body_def();
    f.name = "foot", f.has_inertial = true, f.mass = 0.4;
    SET(f.pos, {0.02, 0, -0.35});
    SET(f.ipos, {0.01, 0, 0});
    SET(f.iquat, {1, 0, 0.3, 0});
    SET(f.inertia, {0.001, 0.0012, 0.0009});
    int foot = tx_builder_body(b, leg, &f);
    tx_joint_def ankle = tx_default_joint_def();
    ankle.name = "ankle", ankle.type = TX_JOINT_BALL, ankle.range[1] = 0.8, ankle.damping = 0.2;
    tx_builder_joint(b, foot, &ankle);
    tx_geom_def sole = tx_default_geom_def();
    sole.name = "foot", sole.size[0] = 0.035, sole.condim = 6, sole.priority = 1;
    SET(sole.solref, {0.01, 1});
    SET(sole.solimp, {0.8, 0.9, 0.002, 0.4, 3});
    tx_builder_geom(b, foot, &sole);

    int ball = add_body(b, 0, "ball", 1, 0, 0.3);
    tx_joint_def loose = tx_default_joint_def();
    loose.type = TX_JOINT_FREE;
    tx_builder_joint(b, ball, &loose);
    tx_geom_def sphere = tx_default_geom_def();
    sphere.name = "ball", sphere.size[0] = 0.1, sphere.margin = 0.01, sphere.gap = 0.002, sphere.solmix = 2;
    tx_builder_geom(b, ball, &sphere);
    tx_builder_exclude(b, &(tx_exclude_def){"ball", "foot", {0}});

    tx_motor_def m1 = tx_default_motor_def(), m2 = m1;
    m1.name = m1.joint = "hip", m1.gear[0] = 30, m1.ctrllimited = TX_SWITCH_ON;
    SET(m1.ctrlrange, {-1, 1});
    m2.name = m2.joint = "knee", m2.gear[0] = 100;
    SET(m2.ctrlrange, {-2, 1});
    SET(m2.forcerange, {-0.5, 0.5});
    tx_builder_motor(b, &m1), tx_builder_motor(b, &m2);

    const double qpos[] = {0, 0, 0.5, 1, 0, 0, 0, 0.4, 0.02, 1, 0.1, 0, 0, 1, 0, 0.3, 1, 0, 0, 0}, ctrl[] = {0.3, -0.2};
    tx_builder_key(
        b, &(tx_key_def){.name = "crouch", .time = 0.5, .qpos = qpos, .qpos_count = 20, .ctrl = ctrl, .ctrl_count = 2});
    return b;
}

static void print_messages(const tx_diag *diag) {
    for (int i = 0; i < diag->count; i++) {
        char line[1024];
        tx_diag_format(diag, i, line, sizeof line);
        printf("  %s\n", line);
    }
}

static void code_and_mjcf_give_the_same_robot(void **state) {
    tx_diag diag = {0};
    tx_model *text = tx_load_string(ROBOT, sizeof ROBOT - 1, "robot.xml", &diag);
    tx_builder *builder = robot();
    tx_model *code = tx_builder_compile(builder, &diag);
    if (!text || !code || diag.errors) print_messages(&diag);
    assert_non_null(text);
    assert_non_null(code);

    // field by field first, so that a difference has a name
    int a, b;
#define X(NAME, name, meaning) \
    assert_int_equal(tx_model_size(text, TX_SIZE_##NAME), tx_model_size(code, TX_SIZE_##NAME));
    TX_SIZES(X)
#undef X
    const double *p, *q;
    const int *i, *j;
#define X(NAME, name, count, meaning)                                                       \
    i = tx_model_ints(text, TX_INT_##NAME, &a), j = tx_model_ints(code, TX_INT_##NAME, &b); \
    if (a != b || memcmp(i, j, sizeof(int) * (size_t)a) != 0) fail_msg("%s differs", #name);
    TX_MODEL_INTS(X)
#undef X
#define X(NAME, name, count, width, meaning)                                                        \
    p = tx_model_params(text, TX_PARAM_##NAME, &a), q = tx_model_params(code, TX_PARAM_##NAME, &b); \
    if (a != b || memcmp(p, q, sizeof(double) * (size_t)a) != 0) fail_msg("%s differs", #name);
    TX_MODEL_PARAMS(X)
#undef X
    size_t size_a, size_b;
    const void *bytes_a = tx_model_bytes(text, &size_a), *bytes_b = tx_model_bytes(code, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);

    // and they move alike
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        tx_sim_def def = tx_default_sim_def();
        tx_sim *sim = tx_sim_create(k ? code : text, &def);
        tx_sim_reset(sim, 0, NULL);
        assert_true(tx_sim_array(sim, TX_ARRAY_TIME)[0] == 0.5 && tx_sim_array(sim, TX_ARRAY_CTRL)[1] == -0.2);
        tx_sim_step_n(sim, 500);
        assert_int_equal(tx_sim_status(sim, 0), TX_OK);
        hash[k] = tx_sim_hash(sim);
        tx_sim_destroy(sim);
    }
    assert_int_equal(hash[0], hash[1]);

    // the builder can be compiled again
    tx_model *again = tx_builder_compile(builder, NULL);
    assert_memory_equal(tx_model_bytes(again, NULL), bytes_b, size_b);
    tx_builder_destroy(builder);
    tx_model_destroy(text), tx_model_destroy(code), tx_model_destroy(again);
    tx_diag_free(&diag);
}

// masses of shapes by their formulas: density times volume; inertia of a box, sphere, capsule about the centre
static void masses_are_those_of_the_shapes(void **state) {
    tx_builder *b = tx_builder_create();
    for (int i = 0; i < 3; i++) {
        int body = add_body(b, 0, (const char *const[]){"box", "sphere", "capsule"}[i], i, 0, 0);
        tx_joint_def free_joint = tx_default_joint_def();
        free_joint.type = TX_JOINT_FREE;
        tx_builder_joint(b, body, &free_joint);
        tx_geom_def g = tx_default_geom_def();
        g.type = (const tx_geom_type[]){TX_GEOM_BOX, TX_GEOM_SPHERE, TX_GEOM_CAPSULE}[i];
        SET(g.size, {0.1, 0.2, 0.3});
        g.density = 500;
        g.contype = g.conaffinity = 0;
        tx_builder_geom(b, body, &g);
    }
    tx_model *m = tx_builder_compile(b, NULL);
    assert_non_null(m);
    const double *mass = tx_model_params(m, TX_PARAM_BODY_MASS, NULL),
                 *inertia = tx_model_params(m, TX_PARAM_BODY_INERTIA, NULL);
    const double pi = 3.14159265358979323846;
    double box = 500 * 8 * 0.1 * 0.2 * 0.3, sphere = 500 * 4 / 3.0 * pi * 1e-3;
    double rod = 500 * pi * 0.01 * 0.4, caps = sphere, h = 0.2, r = 0.1;
    const double wanted[3][4] = {
        {box, box / 3 * (0.04 + 0.09), box / 3 * (0.01 + 0.09), box / 3 * (0.01 + 0.04)},
        {sphere, 0.4 * sphere * 0.01, 0.4 * sphere * 0.01, 0.4 * sphere * 0.01},
        // cylinder plus two half balls, their centres 3r/8 beyond its ends
        {rod + caps, rod * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r),
         rod * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r),
         rod * r * r / 2 + 0.4 * caps * r * r},
    };
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(mass[1 + i] / wanted[i][0] - 1) < 1e-14);
        for (int k = 0; k < 3; k++) assert_true(fabs(inertia[3 * (1 + i) + k] / wanted[i][1 + k] - 1) < 1e-14);
    }
    tx_model_destroy(m);
    tx_builder_destroy(b);
}

// ---- wrong definitions ---------------------------------------------------------------------------------------------

// a sound model with one free ball and one hinged arm, to be spoiled
typedef struct parts {
    tx_builder *b;
    tx_body_def ball, arm, hand;
    tx_joint_def loose, hinge, wrist;
    tx_geom_def floor, sphere, stick, tip;
    tx_motor_def motor;
    tx_key_def key;
    tx_options options;
    tx_compiler_def compiler;
    tx_pair_def pair;
    tx_equality_def equality;
    tx_mesh_def mesh;
    tx_hfield_def hills;
    tx_sensor_def clock;
    double density, viscosity, wind[3], magnetic[3], gravity[3];
    bool no_motor, twin; // no motor; two of one name
} parts;

static const double CORNERS[] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};

static const double KEY_QPOS[16] = {0, 0, 1, 1};

static parts sound(void) {
    parts p = {.ball = tx_default_body_def(),
               .arm = tx_default_body_def(),
               .hand = tx_default_body_def(),
               .loose = tx_default_joint_def(),
               .hinge = tx_default_joint_def(),
               .wrist = tx_default_joint_def(),
               .floor = tx_default_geom_def(),
               .sphere = tx_default_geom_def(),
               .stick = tx_default_geom_def(),
               .tip = tx_default_geom_def(),
               .motor = tx_default_motor_def(),
               .options = tx_default_options(),
               .compiler = tx_default_compiler_def(),
               .pair = tx_default_pair_def(),
               .equality = tx_default_equality_def(),
               .mesh = tx_default_mesh_def(),
               .hills = tx_default_hfield_def(),
               .clock = {.name = "clock", .type = TX_SENSOR_CLOCK},
               .gravity = {0, 0, -9.81}};
    p.pair.geom1 = "tip", p.pair.geom2 = "sphere";
    p.equality.name = "tie", p.equality.first = "hand", p.equality.second = "ball";
    p.mesh.name = "rock", p.mesh.vertices = CORNERS, p.mesh.vertex_count = 4;
    p.hills.name = "hills", p.hills.nrow = p.hills.ncol = 3;
    p.ball.name = "ball", p.arm.name = "arm", p.hand.name = "hand";
    p.ball.pos[2] = 1, p.arm.pos[0] = 1;
    p.loose.type = TX_JOINT_FREE, p.loose.name = "loose", p.hinge.name = "hinge", p.wrist.name = "wrist";
    p.floor.type = TX_GEOM_PLANE, p.floor.name = "floor";
    p.sphere.size[0] = p.stick.size[0] = p.tip.size[0] = 0.1;
    p.sphere.name = "sphere", p.stick.name = "stick", p.tip.name = "tip";
    p.motor.name = "motor", p.motor.joint = "hinge";
    p.key = (tx_key_def){.name = "key", .qpos = KEY_QPOS, .qpos_count = 9};
    return p;
}

static tx_model *assemble(const parts *p, tx_diag *diag) {
    tx_builder *b = tx_builder_create();
    tx_builder_options(b, &p->options), tx_builder_compiler(b, &p->compiler);
    tx_builder_medium(b, p->density, p->viscosity, p->wind), tx_builder_magnetic(b, p->magnetic);
    tx_builder_gravity(b, p->gravity), tx_builder_mesh(b, &p->mesh), tx_builder_hfield(b, &p->hills);
    tx_builder_pair(b, &p->pair), tx_builder_equality(b, &p->equality), tx_builder_sensor(b, &p->clock);
    int ball = tx_builder_body(b, 0, &p->ball), arm = tx_builder_body(b, 0, &p->arm),
        hand = tx_builder_body(b, arm, &p->hand);
    tx_builder_joint(b, ball, &p->loose), tx_builder_joint(b, arm, &p->hinge), tx_builder_joint(b, hand, &p->wrist);
    tx_builder_geom(b, 0, &p->floor), tx_builder_geom(b, ball, &p->sphere), tx_builder_geom(b, arm, &p->stick),
        tx_builder_geom(b, hand, &p->tip);
    if (!p->no_motor) tx_builder_motor(b, &p->motor);
    if (p->twin) tx_builder_motor(b, &p->motor);
    tx_builder_key(b, &p->key);
    tx_model *m = tx_builder_compile(b, diag);
    tx_builder_destroy(b);
    return m;
}

// the model is refused and some message has the wanted words; two errors at most, so that nobody drowns
static int spoiled(const parts *p, const char *what, const char *words) {
    tx_diag diag = {0};
    tx_model *m = assemble(p, &diag);
    bool found = false;
    for (int i = 0; i < diag.count; i++)
        found = found || (diag.messages[i].severity == TX_SEVERITY_ERROR && strstr(diag.messages[i].text, words));
    bool good = !m && found && diag.errors >= 1 && diag.errors <= 2;
    if (!good) {
        printf("%s: %s, expected an error with \"%s\", got:\n", what, m ? "accepted" : "refused", words);
        print_messages(&diag);
    }
    tx_model_destroy(m);
    m = assemble(p, NULL);
    assert_true(!m == good || !good);
    tx_model_destroy(m);
    tx_diag_free(&diag);
    return !good;
}

static void wrong_definitions_have_messages(void **state) {
    int misses = 0;
    parts p = sound();
    tx_diag diag = {0};
    tx_model *m = assemble(&p, &diag);
    if (!m) print_messages(&diag);
    assert_non_null(m); // the sound one is sound
    assert_int_equal(diag.count, 0);
    tx_model_destroy(m);
#define SPOIL(words, ...) \
    p = sound();          \
    __VA_ARGS__;          \
    misses += spoiled(&p, #__VA_ARGS__, words)
    // bodies
    SPOIL("body 'arm'", p.arm.pos[1] = NAN);
    SPOIL("body 'arm'", p.arm.pos[1] = 1e12);
    SPOIL("body 'arm'", SET(p.arm.quat, {0, 0, 0, 0}));
    SPOIL("body 'arm'", SET(p.arm.quat, {1, INFINITY, 0, 0}));
    SPOIL("body 'arm'", p.arm.has_inertial = true; p.arm.mass = NAN);
    SPOIL("body 'arm'", p.arm.has_inertial = true; p.arm.mass = -1; SET(p.arm.inertia, {1, 1, 1}));
    SPOIL("body 'arm'", p.arm.has_inertial = true; p.arm.mass = 1; SET(p.arm.inertia, {1, 1, -1}));
    SPOIL("body 'arm'", p.arm.has_inertial = true; p.arm.mass = 1; SET(p.arm.inertia, {1, 1, 3}));
    SPOIL("body 'arm'", p.arm.has_inertial = p.arm.has_fullinertia = true; p.arm.mass = 1;
          SET(p.arm.fullinertia, {1, 1, 1, 2, 0, 0}));
    SPOIL("body 'arm'", p.arm.has_inertial = true; p.arm.mass = 1; SET(p.arm.inertia, {1, 1, 1});
          SET(p.arm.iquat, {0, 0, 0, 0}));
    SPOIL("'arm' exists already", p.ball.name = "arm");
    SPOIL("'world' exists already", p.ball.name = "world");
    SPOIL("child of the world", p.hand.mocap = true);
    SPOIL("mocap body has no joints", p.arm.mocap = true);
    SPOIL("gravcomp", p.arm.gravcomp = NAN);
    SPOIL("no mass", p.sphere.density = 0);
    SPOIL("no mass", p.sphere.mass = 0);
    SPOIL("no mass", p.ball.has_inertial = true; p.ball.mass = 0);
    SPOIL("no mass", p.tip.density = 0);
    // a free body without mass that carries a hinged mass: seven dofs for one rigid body, M is singular
    SPOIL("no mass", p.stick.density = 0; p.hinge.type = TX_JOINT_FREE; p.no_motor = true; p.key.qpos_count = 15);
    // joints
    SPOIL("axis is zero", SET(p.hinge.axis, {0, 0, 0}));
    SPOIL("joint 'hinge'", SET(p.hinge.axis, {0, NAN, 1}));
    SPOIL("range", p.hinge.limited = TX_SWITCH_ON);
    SPOIL("range", SET(p.hinge.range, {1, -1}));
    SPOIL("range", p.hinge.limited = TX_SWITCH_ON; SET(p.hinge.range, {0.5, 0.5}));
    SPOIL("joint 'hinge'", SET(p.hinge.range, {-1, INFINITY}));
    SPOIL("range of a ball", p.wrist.type = TX_JOINT_BALL; SET(p.wrist.range, {-1, 1}); p.key.qpos_count = 12);
    SPOIL("joint 'hinge'", p.hinge.damping = -1);
    SPOIL("joint 'hinge'", p.hinge.armature = -1);
    SPOIL("joint 'hinge'", p.hinge.stiffness = -1);
    SPOIL("joint 'hinge'", p.hinge.damping = NAN);
    SPOIL("joint 'hinge'", p.hinge.frictionloss = -1);
    SPOIL("actuatorfrcrange", p.hinge.actuatorfrclimited = TX_SWITCH_ON);
    SPOIL("joint 'hinge'", p.hinge.solref[0] = NAN);
    SPOIL("children of the world", p.wrist.type = TX_JOINT_FREE; p.key.qpos_count = 15);
    SPOIL("no limits", p.loose.limited = TX_SWITCH_ON; SET(p.loose.range, {-1, 1}));
    SPOIL("no such type", p.wrist.type = (tx_joint_type)9; p.key.qpos_count = 8);
    SPOIL("'hinge' exists already", p.wrist.name = "hinge");
    // geoms
    SPOIL("a plane cannot move", p.stick.type = TX_GEOM_PLANE; p.arm.has_inertial = true; p.arm.mass = 1;
          SET(p.arm.inertia, {1, 1, 1}));
    SPOIL("geom 'sphere'", p.sphere.size[0] = 0);
    SPOIL("geom 'sphere'", p.sphere.size[0] = -1);
    SPOIL("geom 'sphere'", p.sphere.size[0] = NAN);
    SPOIL("geom 'sphere'", p.sphere.type = TX_GEOM_CAPSULE);
    SPOIL("geom 'sphere'", p.sphere.type = TX_GEOM_BOX);
    SPOIL("geom 'sphere'", p.sphere.sizes_given = 0);
    SPOIL("geom 'sphere'", p.sphere.type = TX_GEOM_MESH);
    SPOIL("geom 'sphere'", p.sphere.type = (tx_geom_type)77);
    SPOIL("condim", p.sphere.condim = 2);
    SPOIL("condim", p.sphere.condim = 0);
    SPOIL("friction", p.sphere.friction[1] = -1);
    SPOIL("density", p.sphere.density = -1);
    SPOIL("geom 'sphere'", p.sphere.mass = NAN);
    SPOIL("geom 'sphere'", SET(p.sphere.quat, {0, 0, 0, 0}));
    SPOIL("fromto", p.sphere.has_fromto = true; SET(p.sphere.fromto, {0, 0, 0, 0, 0, 1}));
    SPOIL("fromto", p.stick.type = TX_GEOM_CAPSULE; p.stick.has_fromto = true; SET(p.stick.fromto, {0, 0, 1, 0, 0, 1}));
    SPOIL("'tip' exists already", p.stick.name = "tip");
    // motors
    SPOIL("there is no joint 'elbow'", p.motor.joint = "elbow");
    SPOIL("needs one transmission", p.motor.joint = NULL);
    SPOIL("ctrlrange", p.motor.ctrllimited = TX_SWITCH_ON);
    SPOIL("forcerange", p.motor.forcelimited = TX_SWITCH_ON; SET(p.motor.forcerange, {2, 1}));
    SPOIL("actuator 'motor'", p.motor.gear[0] = NAN);
    SPOIL("'motor' exists already", p.twin = true);
    // keys
    SPOIL("qpos has 8 numbers, the model needs 9", p.key.qpos_count = 8);
    SPOIL("qvel has 3 numbers, the model needs 8", p.key.qvel = KEY_QPOS; p.key.qvel_count = 3);
    SPOIL("ctrl has 4 numbers, the model needs 1", p.key.ctrl = KEY_QPOS; p.key.ctrl_count = 4);
    SPOIL("key 'key'", p.key.qvel = ((const double[8]){0, NAN}); p.key.qvel_count = 8);
    SPOIL("key 'key'", p.key.time = NAN);
    // options
    SPOIL("timestep", p.options.timestep = 0);
    SPOIL("timestep", p.options.timestep = NAN);
    SPOIL("tolerance", p.options.tolerance = -2);
    SPOIL("impratio", p.options.impratio = 0);
    SPOIL("iterations", p.options.iterations = -1);
    SPOIL("law", p.options.law = 99);
    SPOIL("solver", p.options.solver = -1);
    SPOIL("integrator", p.options.integrator = 99);
    SPOIL("does not go with this integrator", p.options.integrator = TX_INTEGRATOR_RK4;
          while (strcmp(tx_law_name(p.options.law), "sap") != 0) p.options.law++);
    SPOIL("magnetic", p.magnetic[1] = INFINITY);
    SPOIL("gravity", p.gravity[2] = NAN);
    SPOIL("density or viscosity", p.density = -1);
    SPOIL("density or viscosity", p.density = INFINITY);
    SPOIL("density or viscosity", p.viscosity = NAN);
    SPOIL("density or viscosity", p.viscosity = -1);
    SPOIL("wind", p.wind[2] = NAN);
    // masses
    SPOIL("boundmass", p.compiler.boundmass = -1);
    SPOIL("boundmass", p.compiler.boundmass = NAN);
    SPOIL("boundinertia", p.compiler.boundinertia = -1);
    SPOIL("boundinertia", p.compiler.boundinertia = INFINITY);
    SPOIL("settotalmass", p.compiler.settotalmass = NAN);
    SPOIL("inertiafromgeom cannot be 7", p.compiler.inertiafromgeom = (tx_switch)7);
    SPOIL("inertiafromgeom cannot be -3", p.compiler.inertiafromgeom = (tx_switch)-3);
    SPOIL("coordinates cannot be 2", p.compiler.coordinates = TX_COORDINATES_COUNT);
    SPOIL("coordinates cannot be -1", p.compiler.coordinates = (tx_coordinates)-1);
    SPOIL("lengthrange", p.compiler.lengthrange.accel = 0);
    SPOIL("lengthrange", p.compiler.lengthrange.timestep = 0);
    SPOIL("lengthrange", p.compiler.lengthrange.tolrange = NAN);
    SPOIL("lengthrange", p.compiler.lengthrange.inttotal = 1e5);
    // policies, types and switches below the first, not only above the last
    SPOIL("no such sleep policy", p.arm.sleep = (tx_sleep_policy)9);
    SPOIL("only a tree as a whole has a sleep policy", p.hand.sleep = TX_SLEEP_NEVER);
    SPOIL("no such type", p.wrist.type = (tx_joint_type)-1; p.key.qpos_count = 8);
    SPOIL("limited cannot be -1", p.hinge.limited = (tx_switch)-1);
    SPOIL("its type is unknown", p.equality.type = (tx_equality_type)-1);
    SPOIL("rgba", p.stick.rgba[2] = NAN);
    SPOIL("solmix", p.stick.solmix = -1);
    SPOIL("friction", p.stick.friction[0] = -1);
    SPOIL("friction", p.stick.friction[2] = -1);
    for (int k = 0; k < 3; k++) {
        SPOIL("body 'arm'", p.arm.has_inertial = true; p.arm.mass = 1; SET(p.arm.inertia, {1, 1, 1});
              p.arm.inertia[k] = -1);
    }
    // meshes and height fields
    SPOIL("sdf_cell", p.mesh.sdf_cell = -1);
    SPOIL("sdf_cell", p.mesh.sdf_cell = NAN);
    SPOIL("a plane cannot be fitted", p.floor.mesh = "rock");
    SPOIL("a height field cannot be fitted", p.floor.type = TX_GEOM_HFIELD; p.floor.mesh = "rock";
          p.floor.hfield = "hills");
    SPOIL("only a geom of type hfield", p.floor.hfield = "hills");
    SPOIL("there is no height field 'dunes'", p.floor.type = TX_GEOM_HFIELD; p.floor.hfield = "dunes");
    SPOIL("there is no height field", p.floor.type = TX_GEOM_HFIELD);
    SPOIL("there is no mesh 'stone'", p.stick.mesh = "stone");
    SPOIL("1 rows", p.hills.nrow = 1);
    SPOIL("1 columns", p.hills.ncol = 1);
    for (int k = 0; k < 4; k++) {
        SPOIL("four sizes must be positive", p.hills.size[k] = 0);
        SPOIL("four sizes must be positive", p.hills.size[k] = NAN);
    }
    SPOIL("height 4 is not usable", p.hills.elevation = ((const double[9]){0, 1, 2, 3, NAN}));
    // pairs, equalities, sensors
    SPOIL("there is no geom 'nose'", p.pair.geom1 = "nose");
    SPOIL("there is no geom 'nose'", p.pair.geom2 = "nose");
    SPOIL("cannot touch itself", p.pair.geom2 = "tip");
    SPOIL("there is no body 'nose'", p.equality.second = "nose");
    SPOIL("there is no site 'nose'", p.equality.sites = true; p.equality.first = "nose");
    SPOIL("cannot keep these sites", p.equality.sites = true; p.equality.second = "");
    SPOIL("cannot keep these sites", p.equality.sites = true; p.equality.first = "");
    SPOIL("cannot keep these sites", p.equality.sites = true; p.equality.type = TX_EQUALITY_JOINT);
    SPOIL("no hinge and no slide", p.equality.type = TX_EQUALITY_JOINT; p.equality.first = "loose";
          p.equality.second = "");
    SPOIL("keeps 'hand' with itself", p.equality.second = "hand");
    SPOIL("torquescale", p.equality.torquescale = -1);
    SPOIL("no interp 9", p.clock.interp = (tx_interp)9);
    SPOIL("no interp -1", p.clock.interp = (tx_interp)-1);
    SPOIL("nsample cannot be -1", p.clock.nsample = -1);
    SPOIL("needs samples", p.clock.delay = 0.1);
    SPOIL("delay is negative", p.clock.delay = -0.1);
    assert_int_equal(misses, 0);
}

static void wrong_calls_are_refused(void **state) {
    tx_builder *b = tx_builder_create();
    tx_body_def body = tx_default_body_def();
    tx_joint_def joint = tx_default_joint_def();
    tx_geom_def geom = tx_default_geom_def();
    assert_int_equal(tx_builder_body(b, 1, &body), -1);
    assert_int_equal(tx_builder_body(b, -1, &body), -1);
    assert_int_equal(tx_builder_body(b, 0, NULL), -1);
    assert_int_equal(tx_builder_joint(b, 1, &joint), -1);
    assert_int_equal(tx_builder_joint(b, 0, NULL), -1);
    assert_int_equal(tx_builder_geom(b, -1, &geom), -1);
    assert_int_equal(tx_builder_geom(b, 0, NULL), -1);
    assert_int_equal(tx_builder_motor(b, NULL), -1);
    assert_int_equal(tx_builder_key(b, NULL), -1);
    assert_int_equal(tx_builder_exclude(b, NULL), -1);
    // a joint of the world, and names that are missing
    tx_builder_joint(b, 0, &joint);
    tx_builder_exclude(b, &(tx_exclude_def){"nobody", NULL, {0}});
    tx_builder_gravity(b, (const double[]){0, NAN, 0});
    tx_diag diag = {0};
    assert_null(tx_builder_compile(b, &diag));
    assert_int_equal(diag.errors, 3); // all of them together
    tx_diag_free(&diag);
    assert_null(tx_builder_compile(NULL, &diag));
    assert_int_equal(diag.errors, 1);
    tx_diag_free(&diag);
    tx_builder_destroy(b), tx_builder_destroy(NULL);
}

// an old error in the diag does not stop a good model
static void diags_can_be_shared(void **state) {
    tx_diag diag = {0};
    assert_null(tx_load_string("<mujoco", 7, "broken.xml", &diag));
    int errors = diag.errors;
    assert_true(errors > 0);
    parts p = sound();
    tx_model *m = assemble(&p, &diag);
    assert_non_null(m);
    assert_int_equal(diag.errors, errors);
    tx_model_destroy(m);
    tx_diag_free(&diag);
}

// ---- as much as MJCF can say ---------------------------------------------------------------------------------------

// every kind of actuator and of orientation, by the functions of the builder and by the words of MJCF
static const char KINDS[] =
    "<mujoco model='kinds'><compiler angle='radian' eulerseq='xZy'/><worldbody>"
    "<body name='b' euler='0.1 0.2 0.3'><joint name='j' type='slide'/><geom size='0.1'/>"
    "<site name='axisangle' axisangle='1 2 3 0.7'/><site name='xyaxes' xyaxes='1 0.1 0 0.2 1 0'/>"
    "<site name='zaxis' zaxis='1 -1 0.5'/><site name='fromto' type='capsule' size='0.01' fromto='0 0 0 0.1 0.2 0.3'/>"
    "</body></worldbody><actuator>"
    "<motor joint='j'/><position joint='j' kp='3' kv='0.5'/><velocity joint='j' kv='2'/>"
    "<intvelocity joint='j' kp='4' kv='0.1' actrange='-1 1'/><damper joint='j' kv='5' ctrlrange='0 1'/>"
    "<cylinder joint='j' area='0.2' timeconst='0.3'/><muscle joint='j' lengthrange='0 1'/>"
    "<adhesion body='b' gain='6' ctrlrange='0 2'/></actuator></mujoco>";

static void add_named_site(tx_builder *b, const char *name, const tx_site_def *def) {
    tx_site_def site = *def;
    site.name = name;
    assert_true(tx_builder_site(b, 1, &site) >= 0);
}

static void add_sites(tx_builder *b) {
    const double axis[3] = {1, 2, 3}, x[3] = {1, 0.1, 0}, y[3] = {0.2, 1, 0}, z[3] = {1, -1, 0.5};
    const double fromto[6] = {0, 0, 0, 0.1, 0.2, 0.3}, none[3] = {0};
    tx_site_def site = tx_default_site_def();
    assert_true(tx_quat_axisangle(site.quat, axis, 0.7));
    add_named_site(b, "axisangle", &site);
    assert_true(tx_quat_xyaxes(site.quat, x, y));
    add_named_site(b, "xyaxes", &site);
    assert_true(tx_quat_zaxis(site.quat, z));
    add_named_site(b, "zaxis", &site);
    site.type = TX_GEOM_CAPSULE, site.size[0] = 0.01;
    assert_true(tx_fromto(TX_GEOM_CAPSULE, fromto, site.size, site.pos, site.quat));
    add_named_site(b, "fromto", &site);
    // what has no direction is refused
    assert_false(tx_quat_axisangle(site.quat, none, 1));
    assert_false(tx_quat_xyaxes(site.quat, x, x));
    assert_false(tx_quat_zaxis(site.quat, none));
    assert_false(tx_quat_euler(site.quat, axis, "xyw"));
    assert_false(tx_fromto(TX_GEOM_SPHERE, fromto, site.size, site.pos, site.quat));
}

static void add_range(double range[2], double low, double high) { range[0] = low, range[1] = high; }

static void add_actuators(tx_builder *b) {
    tx_actuator_def kinds[] = {tx_default_actuator_def(), tx_position_actuator(3, 0.5),
                               tx_velocity_actuator(2),   tx_intvelocity_actuator(4, 0.1),
                               tx_damper_actuator(5),     tx_cylinder_actuator(0.2, 0.3),
                               tx_muscle_actuator(),      tx_adhesion_actuator(6)};
    add_range(kinds[3].actrange, -1, 1), add_range(kinds[4].ctrlrange, 0, 1);
    add_range(kinds[6].lengthrange, 0, 1), add_range(kinds[7].ctrlrange, 0, 2);
    for (int i = 0; i < 8; i++) {
        *(i == 7 ? &kinds[i].body : &kinds[i].joint) = i == 7 ? "b" : "j";
        assert_int_equal(tx_builder_actuator(b, &kinds[i]), i);
    }
}

static void same_bytes(const tx_model *a, const tx_model *b) {
    size_t size_a, size_b;
    const void *x = tx_model_bytes(a, &size_a), *y = tx_model_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(x, y, size_a);
}

static void code_has_the_kinds_of_mjcf(void **state) {
    const double angles[3] = {0.1, 0.2, 0.3};
    tx_builder *b = tx_builder_create();
    tx_builder_name(b, "kinds");
    tx_body_def body = tx_default_body_def();
    body.name = "b";
    assert_true(tx_quat_euler(body.quat, angles, "xZy"));
    tx_builder_body(b, 0, &body);
    tx_joint_def joint = tx_default_joint_def();
    joint.name = "j", joint.type = TX_JOINT_SLIDE;
    tx_builder_joint(b, 1, &joint);
    tx_geom_def geom = tx_default_geom_def();
    geom.size[0] = 0.1;
    tx_builder_geom(b, 1, &geom);
    add_sites(b);
    add_actuators(b);
    tx_model *code = tx_builder_compile(b, NULL), *text = tx_load_string(KINDS, strlen(KINDS), "kinds", NULL);
    assert_non_null(code);
    assert_non_null(text);
    same_bytes(code, text);
    tx_model_destroy(code), tx_model_destroy(text);
    tx_builder_destroy(b);
}

// meshes and height fields out of files are those that MJCF reads
static void code_reads_the_files_of_mjcf(void **state) {
    tx_diag diag = {0};
    tx_builder *b = tx_builder_create();
    tx_mesh_def mesh = tx_default_mesh_def();
    tx_hfield_def hills = tx_default_hfield_def();
    mesh.name = "blob", hills.name = "hills";
    assert_int_equal(tx_builder_mesh_file(b, &mesh, TX_SOURCE_DIR "/scenes/core_assets/blob.stl", &diag), 0);
    assert_int_equal(tx_builder_hfield_file(b, &hills, TX_SOURCE_DIR "/scenes/terrain_assets/hills.png", &diag), 0);
    assert_int_equal(diag.count, 0);
    tx_model *code = tx_builder_compile(b, &diag), *meshes = load_scene("core_mesh"), *terrain = load_scene("terrain");
    int blob = tx_element_find(meshes, TX_ELEMENT_MESH, "blob"),
        there = tx_element_find(terrain, TX_ELEMENT_HFIELD, "hills");
    assert_non_null(code);
    assert_true(blob >= 0 && there == 0);
    int first = tx_model_ints(meshes, TX_INT_MESH_VERTADR, NULL)[blob], count;
    const double *ours = tx_model_data_array(code, TX_DATA_MESH_VERT, &count);
    assert_int_equal(count, 3 * tx_model_ints(meshes, TX_INT_MESH_VERTNUM, NULL)[blob]);
    assert_memory_equal(ours, tx_model_data_array(meshes, TX_DATA_MESH_VERT, NULL) + 3 * first,
                        sizeof(double) * (size_t)count);
    ours = tx_model_data_array(code, TX_DATA_HFIELD_DATA, &count);
    assert_true(count > 4);
    assert_memory_equal(ours, tx_model_data_array(terrain, TX_DATA_HFIELD_DATA, NULL), sizeof(double) * (size_t)count);
    // a file that is not there is named
    assert_int_equal(tx_builder_mesh_file(b, &mesh, "nowhere.stl", &diag), -1);
    assert_int_equal(diag.errors, 1);
    assert_string_equal(diag.messages[0].file, "nowhere.stl");
    tx_diag_free(&diag);
    tx_model_destroy(code), tx_model_destroy(meshes), tx_model_destroy(terrain);
    tx_builder_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_has_the_kinds_of_mjcf),
                                       cmocka_unit_test(code_reads_the_files_of_mjcf),
                                       cmocka_unit_test(code_and_mjcf_give_the_same_robot),
                                       cmocka_unit_test(masses_are_those_of_the_shapes),
                                       cmocka_unit_test(wrong_definitions_have_messages),
                                       cmocka_unit_test(wrong_calls_are_refused),
                                       cmocka_unit_test(diags_can_be_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
