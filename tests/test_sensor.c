// test_sensor.c - sensors as facts of physics, models built in code, several environments, what is refused. Values
// against MuJoCo are in test_reference.c (scenes/core_sensors.xml) and test_dump.c.
#include "reference.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/vec3.h"
#include "near.h"
#include "thixis/query.h"

static tx_model *model_of(const char *xml, int warnings) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(xml, strlen(xml), "text", &diag);
    for (int i = 0; i < diag.count && !model; i++) fprintf(stderr, "%s\n", diag.messages[i].text);
    assert_int_equal(diag.warnings, warnings);
    tx_diag_free(&diag);
    assert_non_null(model);
    return model;
}

static tx_sim *sim_of(const tx_model *model, int envs) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = envs;
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    return sim;
}

static void close_to(const double *a, double x, double y, double z, double tolerance) {
    const double b[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance)) fail_msg("number %d is %.17g, not %.17g", k, a[k], b[k]);
}

// ---- facts --------------------------------------------------------------------------------------------------------

// A body of 2 kg hangs on a stand of 3 kg: the stand carries both. In free fall nothing is felt, but the spin is.
static void forces_and_accelerations(void **state) {
    tx_model *model = model_of("<mujoco><worldbody>"
                               "<body name='stand'><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
                               "<site name='stand' euler='90 0 0'/>"
                               "<body name='held' pos='1 0 0'><inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>"
                               "<joint name='weld' type='slide' range='-1e-6 1e-6' limited='true' damping='1e6'/>"
                               "<site name='held'/></body></body>"
                               "<body name='ball' pos='5 0 9'><freejoint/><site name='ball' pos='0.1 0 0'/>"
                               "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"
                               "<sensor><force site='held'/><force site='stand'/><torque site='stand'/>"
                               "<accelerometer site='held'/><accelerometer site='ball'/><gyro site='ball'/>"
                               "</sensor></mujoco>",
                               0);
    tx_sim *sim = sim_of(model, 1);
    tx_sim_array(sim, TX_ARRAY_QVEL)[6] = 2; // the ball turns about z
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    // the joint's limit is what holds the body: at the start it still falls
    const double g = 9.81, *s = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
    double fall = tx_sim_array(sim, TX_ARRAY_QACC)[0];
    close_to(s, 0, 0, 2 * (g + fall), 1e-9);
    close_to(s + 3, 0, 3 * g + 2 * (g + fall), 0, 1e-9);
    // 1 m away: the weight turns the stand about y, which is the site's -z
    close_to(s + 6, 0, 0, 1 * 2 * (g + fall), 1e-9);
    close_to(s + 9, 0, 0, g + fall, 1e-9);
    close_to(s + 12, -2 * 2 * 0.1, 0, 0, 1e-9); // towards the axis
    close_to(s + 15, 0, 0, 2, 1e-12);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a free body has no parent, so whatever a weld or a connect does to it, nothing is left for the parent to do
static void equalities_are_outer_forces(void **state) {
    tx_model *model = model_of("<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/>"
                               "<geom type='box' size='0.1 0.2 0.3'/><site name='a' pos='0.1 0.2 0'/></body>"
                               "<body name='b' pos='1 0 1'><freejoint/><geom size='0.1'/>"
                               "<site name='b' pos='0.1 0.2 0'/></body></worldbody>"
                               "<equality><weld body1='a' torquescale='0.7'/><weld body1='a' body2='b'/>"
                               "<connect body1='b' anchor='0.2 0.3 0.1'/></equality>"
                               "<sensor><force site='a'/><torque site='a'/><force site='b'/><torque site='b'/>"
                               "</sensor></mujoco>",
                               0);
    tx_sim *sim = sim_of(model, 1);
    static const double qpos[14] = {0.1, 0.05, 1.1, 0.9, 0.2, 0.3, 0.1, 1.1, -0.1, 0.9, 0.8, -0.3, 0.1, 0.4};
    memcpy(tx_sim_array(sim, TX_ARRAY_QPOS), qpos, sizeof qpos);
    for (int i = 0; i < 12; i++) tx_sim_array(sim, TX_ARRAY_QVEL)[i] = 0.3 * (i % 5) - 0.4;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *s = tx_sim_array(sim, TX_ARRAY_SENSORDATA), *pull = tx_sim_array(sim, TX_ARRAY_QFRC_CONSTRAINT);
    double most = 0;
    for (int i = 0; i < 12; i++) most = fmax(most, fabs(pull[i]));
    assert_true(most > 10);
    for (int i = 0; i < 4; i++) close_to(s + 3 * i, 0, 0, 0, 1e-9 * most);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a box at rest on a pad with a touch sensor: the whole weight where the volume reaches the floor, nothing elsewhere
static void touch_is_the_weight(void **state) {
    tx_model *model = model_of("<mujoco><worldbody><geom type='plane' size='0 0 1'/>"
                               "<body pos='0 0 0.099'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='3'/>"
                               "<site name='below' type='box' pos='0 0 -0.1' size='0.2 0.2 0.02'/>"
                               "<site name='corner' type='sphere' pos='0.1 0.1 -0.1' size='0.02'/>"
                               "<site name='above' type='box' pos='0 0 0.5' size='0.01 0.01 0.01'/></body></worldbody>"
                               "<sensor><touch site='below'/><touch site='corner'/><touch site='above'/>"
                               "<touch site='below' cutoff='5'/></sensor></mujoco>",
                               0);
    tx_sim *sim = sim_of(model, 1);
    assert_int_equal(tx_sim_step_n(sim, 4000), TX_OK);
    const double *s = tx_sim_array(sim, TX_ARRAY_SENSORDATA), weight = 3 * 9.81;
    assert_true(fabs(s[0] - weight) < 1e-3 * weight);
    assert_true(fabs(s[1] - weight / 4) < 1e-3 * weight);
    assert_true(s[2] == 0 && s[3] == 5);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// momenta of the whole: p = m v and L of a rigid pair that spins about its centre; com by hand
static void subtrees_add_up(void **state) {
    tx_model *model = model_of("<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><freejoint/>"
                               "<inertial pos='-1 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
                               "<body name='b'><inertial pos='1 0 0' mass='3' diaginertia='0.2 0.2 0.2'/></body>"
                               "</body></worldbody><sensor><subtreecom body='a'/><subtreelinvel body='a'/>"
                               "<subtreeangmom body='a'/><subtreecom body='b'/><e_kinetic/></sensor></mujoco>",
                               0);
    tx_sim *sim = sim_of(model, 1);
    double *v = tx_sim_array(sim, TX_ARRAY_QVEL);
    v[1] = 7, v[5] = 4; // turns about z at 4 rad/s; the origin moves along y
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *s = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
    close_to(s, 0.5, 0, 0, 1e-12);
    close_to(s + 3, 0, 7 + 4 * 0.5, 0, 1e-12);
    double inertia = 0.1 + 0.2 + 1 * 1.5 * 1.5 + 3 * 0.5 * 0.5;
    close_to(s + 6, 0, 0, inertia * 4, 1e-12);
    close_to(s + 9, 1, 0, 0, 1e-12);
    assert_true(fabs(s[12] - (0.5 * 4 * 9 * 9 + 0.5 * inertia * 16)) < 1e-10);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a rangefinder is a ray past its own body
static void rangefinder_is_a_ray(void **state) {
    tx_model *model = load_scene("core_sensors");
    tx_sim *sim = sim_of(model, 3);
    assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
    tx_sim_array(sim, TX_ARRAY_QPOS)[2 * tx_model_size(model, TX_SIZE_NQ) + 13] += 0.3;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const int *type = tx_model_ints(model, TX_INT_SENSOR_TYPE, NULL),
              *obj = tx_model_ints(model, TX_INT_SENSOR_OBJ, NULL),
              *adr = tx_model_ints(model, TX_INT_SENSOR_ADR, NULL),
              *body = tx_model_ints(model, TX_INT_SITE_BODY, NULL);
    int count, sites = tx_model_size(model, TX_SIZE_NSITE), rays = 0;
    const double *cutoff = tx_model_data_array(model, TX_DATA_SENSOR_CUTOFF, &count);
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < count; i++) {
            if (type[i] != TX_SENSOR_RANGEFINDER || cutoff[i] > 0) continue;
            const double *pos = tx_sim_array(sim, TX_ARRAY_SITE_XPOS) + 3 * (e * sites + obj[i]),
                         *mat = tx_sim_array(sim, TX_ARRAY_SITE_XMAT) + 9 * (e * sites + obj[i]);
            double axis[3],
                found = tx_sim_array(sim, TX_ARRAY_SENSORDATA)[e * tx_model_size(model, TX_SIZE_NSENSORDATA) + adr[i]];
            m3_column(axis, mat, 2);
            tx_query_filter filter = tx_default_query_filter();
            filter.exclude_body = body[obj[i]];
            tx_ray_hit hit;
            assert_int_equal(tx_sim_ray(sim, e, pos, axis, &filter, &hit), TX_OK);
            assert_true(fabs((hit.geom < 0 ? -1 : hit.distance) - found) < 1e-14);
            rays += hit.geom >= 0;
        }
    assert_true(rays >= 3);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- when ---------------------------------------------------------------------------------------------------------

// after a step the numbers belong to its start, with every integrator; switched off they stay
static void numbers_belong_to_the_start_of_a_step(void **state) {
    tx_model *model = load_scene("core_sensors");
    tx_sim *sim = sim_of(model, 2), *again = sim_of(model, 2);
    int width = 2 * tx_model_size(model, TX_SIZE_NSENSORDATA);
    double *before = malloc(sizeof(double) * (size_t)width);
    for (int integrator = 0; integrator < TX_INTEGRATOR_COUNT; integrator++) {
        tx_options options = tx_sim_options(sim);
        options.integrator = integrator;
        assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
        assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        memcpy(before, tx_sim_array(sim, TX_ARRAY_SENSORDATA), sizeof(double) * (size_t)width);
        assert_int_equal(tx_sim_reset(again, 0, NULL), TX_OK);
        assert_int_equal(tx_sim_set_options(again, &options), TX_OK);
        assert_int_equal(tx_sim_step(again), TX_OK);
        assert_memory_equal(before, tx_sim_array(again, TX_ARRAY_SENSORDATA), sizeof(double) * (size_t)width);
    }
    tx_options options = tx_sim_options(again);
    options.sensor = false;
    assert_int_equal(tx_sim_set_options(again, &options), TX_OK);
    assert_int_equal(tx_sim_step_n(again, 5), TX_OK);
    assert_memory_equal(before, tx_sim_array(again, TX_ARRAY_SENSORDATA), sizeof(double) * (size_t)width);
    free(before);
    tx_sim_destroy(sim), tx_sim_destroy(again);
    tx_model_destroy(model);
}

static void sensing_allocates_nothing(void **state) {
    tx_model *model = load_scene("core_sensors");
    tx_sim *sim = sim_of(model, 5);
    assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
    assert_int_equal(tx_sim_step_n(sim, 300), TX_OK);
    long long grown = tx_sim_info(sim).grown;
    uint64_t before = tx_alloc_count();
    assert_int_equal(tx_sim_step_n(sim, 100), TX_OK);
    assert_true(tx_sim_info(sim).grown == grown && tx_alloc_count() == before);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- built in code ------------------------------------------------------------------------------------------------

// sites of a fused body keep their place; a body that a sensor names is not fused; a file keeps everything
static void builder_and_files(void **state) {
    tx_builder *b = tx_builder_create();
    tx_compiler_def compiler = tx_default_compiler_def();
    compiler.fusestatic = true;
    tx_builder_compiler(b, &compiler);
    const double field[3] = {1, 2, 3};
    tx_builder_magnetic(b, field);
    tx_body_def fused = tx_default_body_def(), kept = tx_default_body_def();
    fused.pos[0] = 1, fused.quat[3] = 1; // a quarter turn about z
    kept.name = "kept", kept.pos[1] = 2;
    int one = tx_builder_body(b, 0, &fused), two = tx_builder_body(b, 0, &kept);
    tx_site_def site = tx_default_site_def();
    site.name = "s", site.pos[0] = 0.5, site.type = TX_GEOM_CAPSULE, site.size[1] = 0.2;
    assert_int_equal(tx_builder_site(b, one, &site), 0);
    assert_int_equal(tx_builder_site(b, 7, &site), -1);
    assert_true(two == 2);
    tx_sensor_def place = {.name = "place",
                           .type = TX_SENSOR_FRAMEPOS,
                           .object = TX_OBJECT_SITE,
                           .of = "s",
                           .reference = TX_OBJECT_XBODY,
                           .relative_to = "kept"};
    tx_sensor_def magnet = {.type = TX_SENSOR_MAGNETOMETER, .object = TX_OBJECT_SITE, .of = "s", .noise = 0.25};
    assert_int_equal(tx_builder_sensor(b, &place), 0);
    assert_int_equal(tx_builder_sensor(b, &magnet), 1);
    tx_model *built = tx_builder_compile(b, NULL);
    tx_builder_destroy(b);
    assert_non_null(built);
    size_t size;
    const void *bytes = tx_model_bytes(built, &size);
    tx_model *model = tx_model_from_bytes(bytes, size, NULL);
    tx_model_destroy(built);
    assert_non_null(model);
    assert_int_equal(tx_model_size(model, TX_SIZE_NBODY), 2);
    assert_int_equal(tx_element_find(model, TX_ELEMENT_SITE, "s"), 0);
    assert_int_equal(tx_element_find(model, TX_ELEMENT_SENSOR, "place"), 0);
    assert_true(tx_model_data_array(model, TX_DATA_SENSOR_NOISE, NULL)[1] == 0.25);
    tx_sim *sim = sim_of(model, 1);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    close_to(tx_sim_array(sim, TX_ARRAY_SENSORDATA), 1, 0.5 - 2, 0, 1e-15);
    close_to(tx_sim_array(sim, TX_ARRAY_SENSORDATA) + 3, 2, -1, 3, 1e-15);
    // a parameter of the environment: the place in the world, where the body went
    tx_sim_param(sim, TX_PARAM_SITE_POS)[0] = 0.25;
    tx_sim_params_changed(sim);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    close_to(tx_sim_array(sim, TX_ARRAY_SENSORDATA), 0.25, 0.5 - 2, 0, 1e-15);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- refused ------------------------------------------------------------------------------------------------------

static int errors_of(const tx_sensor_def *sensor, const tx_site_def *site) {
    tx_builder *b = tx_builder_create();
    tx_diag diag = {0};
    tx_body_def body = tx_default_body_def();
    body.name = "b", body.has_inertial = true, body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 1;
    tx_joint_def hinge = tx_default_joint_def(), ball = tx_default_joint_def();
    hinge.name = "hinge", ball.name = "ball", ball.type = TX_JOINT_BALL;
    int first = tx_builder_body(b, 0, &body);
    body.name = "c";
    tx_builder_joint(b, first, &hinge);
    tx_builder_joint(b, tx_builder_body(b, first, &body), &ball);
    tx_site_def good = tx_default_site_def();
    good.name = "s";
    tx_builder_site(b, 1, site ? site : &good);
    if (sensor) tx_builder_sensor(b, sensor);
    tx_model_destroy(tx_builder_compile(b, &diag));
    int errors = diag.errors;
    tx_diag_free(&diag);
    tx_builder_destroy(b);
    return errors;
}

static void bad_sensors_are_refused(void **state) {
    const tx_sensor_def bad[] = {
        {.type = TX_SENSOR_COUNT},
        {.type = (tx_sensor_type)-1},
        {.type = TX_SENSOR_GYRO, .object = TX_OBJECT_SITE, .of = "nobody"},
        {.type = TX_SENSOR_GYRO, .object = TX_OBJECT_SITE},
        {.type = TX_SENSOR_GYRO, .object = TX_OBJECT_BODY, .of = "b"},
        {.type = TX_SENSOR_CLOCK, .object = TX_OBJECT_BODY, .of = "b"},
        {.type = TX_SENSOR_JOINTPOS, .object = TX_OBJECT_JOINT, .of = "ball"},
        {.type = TX_SENSOR_BALLQUAT, .object = TX_OBJECT_JOINT, .of = "hinge"},
        {.type = TX_SENSOR_JOINTLIMITPOS, .object = TX_OBJECT_JOINT, .of = "hinge"},
        {.type = TX_SENSOR_FRAMEPOS, .object = TX_OBJECT_JOINT, .of = "hinge"},
        {.type = TX_SENSOR_FRAMEPOS, .object = TX_OBJECT_BODY, .of = "b", .reference = TX_OBJECT_SITE},
        {.type = TX_SENSOR_FRAMELINACC,
         .object = TX_OBJECT_BODY,
         .of = "b",
         .reference = TX_OBJECT_BODY,
         .relative_to = "c"},
        {.type = TX_SENSOR_FRAMEPOS, .object = (tx_object)77, .of = "b"},
        {.type = TX_SENSOR_CLOCK, .cutoff = -1},
        {.type = TX_SENSOR_CLOCK, .cutoff = NAN},
        {.type = TX_SENSOR_CLOCK, .noise = INFINITY},
        {.type = TX_SENSOR_FRAMEQUAT, .object = TX_OBJECT_BODY, .of = "b", .cutoff = 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (errors_of(&bad[i], NULL) != 1) fail_msg("sensor %zu has %d errors", i, errors_of(&bad[i], NULL));
    tx_site_def good = tx_default_site_def(), sites[4] = {good, good, good, good};
    sites[0].type = TX_GEOM_PLANE, sites[1].size[0] = 0, sites[2].pos[1] = NAN, sites[3].quat[0] = 0;
    for (int i = 0; i < 4; i++) assert_int_equal(errors_of(NULL, &sites[i]), 1);
    assert_int_equal(errors_of(NULL, &good), 0);
}

// what waits is left out aloud, and the others are there
// a box of 0.1 m on a plane, four corners: each carries a quarter, and the sum is the weight at the centre
static void contact_sensors_share_the_weight(void **state) {
    tx_model *model = model_of("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                               "<body name='box' pos='0.3 0.2 0.05'><freejoint/>"
                               "<geom name='box' type='box' size='0.05 0.05 0.05' mass='2'/></body></worldbody>"
                               "<sensor><contact geom1='floor' num='5' data='found force normal'/>"
                               "<contact body1='box' data='found force normal'/>"
                               "<contact subtree2='box' reduce='netforce' data='found force torque pos'/>"
                               "<contact geom1='box' body2='box'/></sensor></mujoco>",
                               0);
    tx_sim *sim = sim_of(model, 3);
    assert_int_equal(tx_sim_step_n(sim, 4000), TX_OK);
    const int width = tx_sim_array_width(sim, TX_ARRAY_SENSORDATA);
    assert_int_equal(width, 5 * 7 + 7 + 10 + 1);
    const double *data = tx_sim_array(sim, TX_ARRAY_SENSORDATA), weight = 2 * 9.81;
    for (int e = 0; e < 3; e++) {
        const double *x = data + e * width, *box = x + 35, *sum = box + 7;
        for (int i = 0; i < 4; i++) {
            assert_near(x[7 * i], 4, 0);
            assert_near(x[7 * i + 1], weight / 4, 1e-6);
            assert_near(x[7 * i + 6], 1, 1e-12);
        }
        for (int k = 28; k < 35; k++) assert_near(x[k], 0, 0);
        // from the box to the floor the normal points down; the force along it is the same
        assert_near(box[1], weight / 4, 1e-6);
        assert_near(box[6], -1, 1e-12);
        assert_near(sum[0], 4, 0);
        assert_near(sum[3], weight, 1e-6);
        assert_near(sum[7], 0.3, 1e-6);
        assert_near(sum[8], 0.2, 1e-6);
        for (int k = 4; k < 7; k++) assert_near(sum[k], 0, 1e-6);
        assert_near(sum[10], 0, 0);
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a pinhole: one metre in front, a tenth to the right and up; fovy 90 makes half the height as far as the distance
static void a_camera_projects_like_a_pinhole(void **state) {
    tx_model *model = model_of("<mujoco><worldbody><camera name='c' fovy='90' resolution='200 100' pos='0 0 3'/>"
                               "<site name='s' pos='0.1 0.1 2'/></worldbody>"
                               "<sensor><camprojection site='s' camera='c'/></sensor></mujoco>",
                               0);
    tx_sim *sim = sim_of(model, 1);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *x = tx_sim_array(sim, TX_ARRAY_SENSORDATA), *pos = tx_sim_array(sim, TX_ARRAY_CAM_XPOS);
    assert_near(x[0], 100 + 5, 1e-12);
    assert_near(x[1], 50 - 5, 1e-12);
    assert_near(pos[2], 3, 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// A plate of 2 x 1 taxels 4 cm below the middle of a pad that slides through a shape: depths are closed forms, speeds
// those of the pad beside what it touches
static void taxels_feel_depth_and_speed(void **state) {
    static const struct {
        const char *shape;
        double depth[2]; // at (-0.1, 0, 0) and (0.1, 0, 0)
    } cases[] = {{"type='plane' size='1 1 1' pos='0 0 .03'", {0.03, 0.03}},
                 {"type='sphere' size='.15' pos='-.1 0 .05'", {0.1, 0}},
                 {"type='capsule' size='.1 .2' pos='.1 .04 .1'", {0, 0.06}},
                 {"type='cylinder' size='.1 .2' pos='.1 .04 .1'", {0, 0.06}},
                 // along (0.5/0.4, 0.4/0.4, 0.2/0.2), as MuJoCo 4.0.0
                 {"type='box' size='.5 .4 .2'", {0.37749, 0.37749}},
                 {"type='ellipsoid' size='.2 .1 .1' pos='-.1 .05 .05'", {0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1400];
        snprintf(text, sizeof text,
                 "<mujoco><option gravity='0 0 0'/><asset><mesh name='m' builtin='plate' params='2 2' scale='.2 1e-5 "
                 ".04'/></asset>"
                 "<worldbody><geom %s/><body><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
                 "<geom name='g' type='box' size='.1 .1 .3' euler='0 90 0'/></body></worldbody>"
                 "<sensor><clock/><tactile geom='g' mesh='m'/></sensor></mujoco>",
                 cases[i].shape);
        tx_model *model = model_of(text, 0);
        assert_int_equal(tx_model_size(model, TX_SIZE_NSENSORDATA), 13);
        tx_sim *sim = sim_of(model, 1);
        double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
        qvel[0] = -0.3, qvel[1] = 0.7;
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        const double *x = (const double *)tx_sim_array(sim, TX_ARRAY_SENSORDATA) + 1;
        // (-1/2, 1/2, 1/2) in an ellipsoid: what MuJoCo 4.0.0 says of it
        const double slope = sqrt(0.25 / 0.01 + 0.25 / 0.01), unit = sqrt(0.5), estimate = unit * (1 - unit) / slope;
        const bool ellipsoid = i == 5;
        for (int k = 0; k < 4; k++) {
            const double depth = ellipsoid && k < 2 ? estimate : cases[i].depth[k / 2];
            assert_near(x[k], depth, 1e-4);
            assert_near(x[4 + k], depth > 0 ? 0.7 : 0, 1e-4);
            assert_near(x[8 + k], depth > 0 ? 0.3 : 0, 1e-4);
        }
        tx_sim_destroy(sim), tx_model_destroy(model);
    }
}

// A pad on a plate that is fixed to a moving body feels what all of that body touches, and of two shapes at the same
// place the sum
static void taxels_add_what_their_body_touches(void **state) {
    tx_model *model = model_of(
        "<mujoco><option gravity='0 0 0'/><asset><mesh name='m' builtin='plate' params='2 2' scale='.2 .2 "
        ".04'/></asset>"
        "<worldbody><geom type='sphere' size='.25' pos='0 0 .05'/><geom type='plane' size='1 1 1' pos='0 0 .13'/>"
        "<body><joint type='slide'/><geom type='box' size='.1 .1 .3' contype='0' conaffinity='0'/>"
        "<body><geom name='fixed' type='box' size='.1 .1 .3'/></body></body></worldbody>"
        "<sensor><tactile geom='fixed' mesh='m'/></sensor></mujoco>",
        0);
    tx_sim *sim = sim_of(model, 1);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *x = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
    const int count = tx_model_size(model, TX_SIZE_NSENSORDATA) / 3;
    const double *vertex = tx_model_data_array(model, TX_DATA_MESH_VERT, NULL);
    for (int i = 0; i < count; i++) {
        const double *v = vertex + 3 * i, out[3] = {v[0], v[1], v[2] - 0.05};
        const double plane = 0.13 - v[2], ball = 0.25 - v3_length(out);
        assert_near(x[i], fmax(plane, 0) + fmax(ball, 0), 1e-12);
        assert_true(plane > 0 && ball > 0);
    }
    assert_true(count > 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// Around the origin of a mesh it is felt along longitude and latitude; at the poles of y, where there are none, along y
// and z. A diamond inside of a ball, with each speed of its own
static void poles_feel_along_axes(void **state) {
    static const int felt[6][2] = {{2, 1}, {2, 1}, {1, 2}, {1, 2}, {0, 1}, {0, 1}}; // at -x, x, -y ...
    static const double speed[3] = {0.3, 0.7, 0.5};
    tx_model *model =
        model_of("<mujoco><option gravity='0 0 0'/><asset><mesh name='m' vertex='-.06 0 0 .06 0 0 0 -.08 0 0 .08 0 "
                 "0 0 -.1 0 0 .1'/></asset><worldbody><geom type='sphere' size='1'/>"
                 "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                 "<joint type='slide' axis='0 0 1'/><geom name='g' type='box' size='.1 .1 .1'/></body></worldbody>"
                 "<sensor><tactile geom='g' mesh='m'/></sensor></mujoco>",
                 0);
    tx_sim *sim = sim_of(model, 1);
    memcpy(tx_sim_array(sim, TX_ARRAY_QVEL), speed, sizeof speed);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *x = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
    for (int i = 0; i < 6; i++) {
        assert_near(x[i], 1 - 0.06 - 0.02 * (i / 2), 1e-7);
        for (int k = 0; k < 2; k++) assert_near(x[6 + 6 * k + i], speed[felt[i][k]], 1e-7);
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a compiled model whose tactile sensor has other numbers than three for each vertex, with a right checksum
static void forged_taxels_are_refused(void **state) {
    enum { HASH_AT = 24, SIZES_AT = 32 };
    tx_model *model = load_scene("core_tactile");
    size_t size;
    const char *good = tx_model_bytes(model, &size);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    const int *dim = tx_model_ints(model, TX_INT_SENSOR_DIM, NULL);
    for (int wrong = -3; wrong <= 3; wrong += 3) {
        const int number = dim[0] + wrong;
        memcpy(bytes, good, size);
        memcpy(bytes + ((const char *)dim - good), &number, sizeof number);
        const uint64_t hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, size - SIZES_AT);
        memcpy(bytes + HASH_AT, &hash, sizeof hash);
        tx_diag diag = {0};
        tx_model *forged = tx_model_from_bytes(bytes, size, &diag);
        assert_true((forged != NULL) == (wrong == 0));
        if (!forged && !strstr(diag.messages[0].text, "sensor_dim") &&
            !(diag.messages[0].hint && strstr(diag.messages[0].hint, "sensor_dim")))
            fail_msg("%s", diag.messages[0].text);
        tx_diag_free(&diag), tx_model_destroy(forged);
    }
    free(bytes);
    tx_model_destroy(model);
}

static void waiting_sensors_are_left_out(void **state) {
    tx_model *model = model_of("<mujoco><worldbody><camera name='c'/><site name='s'/></worldbody><sensor>"
                               "<clock/><plugin plugin='p'/><magnetometer site='s'/>"
                               "<framepos objtype='camera' objname='c'/><user dim='3'/></sensor></mujoco>",
                               1);
    assert_int_equal(tx_model_size(model, TX_SIZE_NSENSOR), 4);
    assert_int_equal(tx_model_size(model, TX_SIZE_NSENSORDATA), 10);
    tx_model_destroy(model);
}

// of a camera without pixels, of too many, and of data that no ray has
static void rays_that_cannot_be_are_refused(void **state) {
    static const struct {
        int width, height, data;
        const char *why;
    } cases[] = {{3, 2, 1 << TX_RAY_DATA_COUNT, "a ray has no such data"},
                 {3, 2, -1, "a ray has no such data"},
                 {0, 2, 1, "camera 'c' has no pixels, or too many"},
                 {400, 251, 1, "camera 'c' has no pixels, or too many"},
                 {400, 250, 1, NULL},
                 {3, 2, 0, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tx_builder *b = tx_builder_create();
        tx_camera_def camera = tx_default_camera_def();
        camera.name = "c", camera.resolution[0] = cases[i].width, camera.resolution[1] = cases[i].height;
        assert_int_equal(tx_builder_camera(b, 0, &camera), 0);
        tx_sensor_def sensor = tx_default_sensor_def();
        sensor.type = TX_SENSOR_RANGEFINDER, sensor.object = TX_OBJECT_CAMERA, sensor.of = "c";
        sensor.data = cases[i].data;
        assert_int_equal(tx_builder_sensor(b, &sensor), 0);
        tx_diag diag = {0};
        tx_model *model = tx_builder_compile(b, &diag);
        assert_int_equal(diag.errors, cases[i].why != NULL);
        if (cases[i].why) assert_non_null(strstr(diag.messages[0].text, cases[i].why));
        else assert_int_equal(tx_model_size(model, TX_SIZE_NSENSORDATA), cases[i].width * cases[i].height);
        tx_diag_free(&diag), tx_model_destroy(model), tx_builder_destroy(b);
    }
}

// the frame of a site is its own whatever mesh it looks like (MuJoCo 4.0.0: site_pos and site_quat as written)
static void sites_with_meshes_are_frames(void **state) {
    tx_model *model = model_of("<mujoco><asset><mesh name='m' vertex='0 0 0 .2 0 0 0 .1 0 0 0 .15'/></asset><worldbody>"
                               "<site name='s' type='mesh' mesh='m' size='1 1 1' pos='.1 .2 .3' quat='0 0 1 0'/>"
                               "</worldbody></mujoco>",
                               1);
    const double *pos = tx_model_params(model, TX_PARAM_SITE_POS, NULL),
                 *quat = tx_model_params(model, TX_PARAM_SITE_QUAT, NULL);
    for (int k = 0; k < 3; k++) assert_near(pos[k], 0.1 * (k + 1), 1e-16);
    for (int k = 0; k < 4; k++) assert_near(quat[k], k == 2, 0);
    assert_near(tx_model_params(model, TX_PARAM_SITE_SIZE, NULL)[0], 0.005, 0);
    tx_model_destroy(model);
}

// what is on the surface of a site's volume is outside, as in MuJoCo 4.0.0
static void surfaces_of_sites_are_outside(void **state) {
    static const char *const CASES[][3] = {
        {"box", ".25 .5 1", ".25 0 0"},     {"box", ".25 .5 1", "0 0 -1"},      {"sphere", ".25", "0 .25 0"},
        {"capsule", ".25 .5", ".25 0 .25"}, {"capsule", ".25 .5", "0 0 .75"},   {"cylinder", ".25 .5", "0 0 .5"},
        {"cylinder", ".25 .5", "0 .25 0"},  {"ellipsoid", ".25 .5 1", "0 0 1"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        for (int inside = 0; inside < 2; inside++) {
            char text[512];
            snprintf(text, sizeof text,
                     "<mujoco><worldbody><site name='zone' type='%s' size='%s'/><body pos='%s'><freejoint/><geom "
                     "size='.01'/>"
                     "<site name='p'/></body></worldbody><sensor><insidesite site='zone' objtype='site' "
                     "objname='p'/></sensor></mujoco>",
                     CASES[i][0], CASES[i][1], CASES[i][2]);
            tx_model *model = model_of(text, 0);
            tx_sim *sim = sim_of(model, 1);
            double *pos = tx_sim_array(sim, TX_ARRAY_QPOS);
            for (int k = 0; inside && k < 3; k++) pos[k] *= 1 - 1e-9;
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            assert_near(tx_sim_array(sim, TX_ARRAY_SENSORDATA)[0], inside, 0);
            tx_sim_destroy(sim), tx_model_destroy(model);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_of_sites_are_outside),
        cmocka_unit_test(forces_and_accelerations),
        cmocka_unit_test(equalities_are_outer_forces),
        cmocka_unit_test(touch_is_the_weight),
        cmocka_unit_test(subtrees_add_up),
        cmocka_unit_test(rangefinder_is_a_ray),
        cmocka_unit_test(taxels_feel_depth_and_speed),
        cmocka_unit_test(taxels_add_what_their_body_touches),
        cmocka_unit_test(poles_feel_along_axes),
        cmocka_unit_test(forged_taxels_are_refused),
        cmocka_unit_test(rays_that_cannot_be_are_refused),
        cmocka_unit_test(sites_with_meshes_are_frames),
        cmocka_unit_test(numbers_belong_to_the_start_of_a_step),
        cmocka_unit_test(sensing_allocates_nothing),
        cmocka_unit_test(builder_and_files),
        cmocka_unit_test(contact_sensors_share_the_weight),
        cmocka_unit_test(a_camera_projects_like_a_pinhole),
        cmocka_unit_test(bad_sensors_are_refused),
        cmocka_unit_test(waiting_sensors_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
