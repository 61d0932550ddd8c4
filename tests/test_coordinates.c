// test_coordinates.c - joints as equalities between free bodies: rows and coordinates by central differences, the maps
// between the two kinds of state, and that both kinds of model move alike as the time step goes to zero.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geometry/quat.h"
#include "near.h"
#include "sanitized.h"
#include "simulate.h"

enum { ROWS = 64, MOST = 512 };

// ---- models --------------------------------------------------------------------------------------------------------

// a scene without armature, which has no meaning between free bodies
static tx_model *scene(const char *name, bool maximal, double dt) {
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s.xml", TX_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    size_t length = fread(text, 1, (1 << 16) - 200, file);
    fclose(file);
    assert_true(length > 0 && length < (1 << 16) - 200);
    for (char *at = text; (at = strstr(at, " armature=\"")) != NULL;) {
        char *end = strchr(at + 11, '"');
        memset(at, ' ', (size_t)(end + 1 - at));
    }
    char *end = strstr(text, "</mujoco>");
    assert_non_null(end);
    sprintf(end, "<option timestep='%.17g'/><custom><text name='thixis.coordinates' data='%s'/></custom></mujoco>", dt,
            maximal ? "maximal" : "reduced");
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), name, &diag);
    must_have(model, &diag);
    free(text);
    return model;
}

static tx_model *text_model(const char *text, bool maximal) {
    tx_diag diag = {0};
    char all[4000];
    snprintf(all, sizeof all, "<mujoco><custom><text name='thixis.coordinates' data='%s'/></custom>%s</mujoco>",
             maximal ? "maximal" : "reduced", text);
    tx_model *model = tx_load_string(all, strlen(all), "text", &diag);
    must_have(model, &diag);
    return model;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

// bodies: a free one, and one on a ball on a hinge; between them a hinge, a slide, and tendons of all coordinates. A
// solref of nothing leaves the drift alone in aref
static tx_model *joined(void) {
    tx_builder *b = tx_builder_create();
    tx_diag diag = {0};
    uint64_t seed = 3;
    double none[3] = {0};
    tx_options options = tx_default_options();
    options.refsafe = false;
    tx_builder_options(b, &options), tx_builder_gravity(b, none);
    static const char *const NAMES[] = {"a", "b", "c"};
    static const tx_joint_type TYPES[] = {TX_JOINT_FREE, TX_JOINT_HINGE, TX_JOINT_BALL};
    for (int i = 0; i < 3; i++) {
        tx_body_def body = tx_default_body_def();
        body.name = NAMES[i];
        for (int k = 0; k < 3; k++) body.pos[k] = 0.3 * noise(&seed);
        int parent = tx_builder_body(b, i == 2 ? 2 : 0, &body);
        tx_joint_def joint = tx_default_joint_def();
        joint.type = TYPES[i];
        for (int k = 0; k < 3; k++) joint.pos[k] = i ? 0.1 * noise(&seed) : 0, joint.axis[k] = noise(&seed);
        assert_true(tx_builder_joint(b, parent, &joint) >= 0);
        tx_geom_def geom = tx_default_geom_def();
        geom.type = TX_GEOM_BOX, geom.size[0] = 0.1, geom.size[1] = 0.2, geom.size[2] = 0.15;
        geom.contype = geom.conaffinity = 0, geom.pos[0] = 0.05;
        assert_true(tx_builder_geom(b, parent, &geom) >= 0);
        tx_site_def site = tx_default_site_def();
        site.name = NAMES[i];
        for (int k = 0; k < 3; k++) site.pos[k] = 0.2 * noise(&seed);
        for (int k = 0; k < 4; k++) site.quat[k] = noise(&seed);
        assert_true(tx_builder_site(b, parent, &site) >= 0);
    }
    for (int type = TX_EQUALITY_HINGE; type <= TX_EQUALITY_SLIDE; type++) {
        tx_equality_def d = tx_default_equality_def();
        d.type = (tx_equality_type)type, d.first = "a", d.second = "c", d.solref[0] = d.solref[1] = 0;
        assert_true(tx_builder_equality(b, &d) >= 0);
        d.first = "c", d.second = "b";
        assert_true(tx_builder_equality(b, &d) >= 0);
    }
    for (int kind = TX_PATH_HINGE; kind <= TX_PATH_SWING; kind++) {
        tx_path_def path[3] = {{(tx_path_kind)kind, "c", "a", 1.5},
                               {TX_PATH_CONSTANT, "", "", 0.25},
                               {(tx_path_kind)kind, "b", "c", -0.5}};
        tx_tendon_def d = tx_default_tendon_def();
        d.path = path, d.count = 3;
        assert_true(tx_builder_tendon(b, &d) >= 0);
    }
    tx_model *model = tx_builder_compile(b, &diag);
    must_have(model, &diag);
    tx_builder_destroy(b);
    return model;
}

// q moved by a time t at velocity v: free, hinge, ball
static void move(const double *q, const double *v, double t, double *out) {
    static const int PLAIN[][2] = {{0, 0}, {1, 1}, {2, 2}, {7, 6}}, TURNS[][2] = {{3, 3}, {8, 7}};
    for (int i = 0; i < 4; i++) out[PLAIN[i][0]] = q[PLAIN[i][0]] + t * v[PLAIN[i][1]];
    for (int i = 0; i < 2; i++) {
        const double *w = v + TURNS[i][1], speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = t * speed / 2;
        double turn[4] = {cos(half), 0, 0, 0};
        for (int k = 0; k < 3; k++) turn[1 + k] = sin(half) * w[k] / speed;
        tx_quat_mul(out + TURNS[i][0], q + TURNS[i][0], turn);
    }
}

static void rows_and_coordinates_are_derivatives(void **state) {
    enum { NQ = 12, NV = 10 };
    tx_model *model = joined();
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
    const double step = 1e-5;
    double q[NQ], v[NV], J[3][ROWS * NV], length[3][6], rate[6];
    tx_row rows[3][ROWS];
    uint64_t seed = 5;
    assert_int_equal(tx_model_size(model, TX_SIZE_NV), NV);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < NQ; i++) q[i] = noise(&seed);
        for (int i = 0; i < NV; i++) v[i] = 2 * noise(&seed);
        tx_quat_normalize(q + 3), tx_quat_normalize(q + 8);
        for (int side = 0; side < 3; side++) {
            move(q, v, (side - 1) * step, tx_sim_array(sim, TX_ARRAY_QPOS));
            memcpy(tx_sim_array(sim, TX_ARRAY_QVEL), v, sizeof v);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            assert_int_equal(tx_sim_rows(sim, 0, rows[side], J[side], ROWS), 4 * 5);
            memcpy(length[side], tx_sim_array(sim, TX_ARRAY_TENDON_LENGTH), sizeof length[side]);
            if (side == 1) memcpy(rate, tx_sim_array(sim, TX_ARRAY_TENDON_VELOCITY), sizeof rate);
        }
        for (int r = 0; r < 4 * 5; r++) {
            double speed[3] = {0};
            for (int side = 0; side < 3; side++)
                for (int d = 0; d < NV; d++) speed[side] += J[side][r * NV + d] * v[d];
            assert_near((rows[2][r].pos - rows[0][r].pos) / (2 * step), speed[1], 1e-7);
            assert_near(-rows[1][r].aref, (speed[2] - speed[0]) / (2 * step), 1e-6);
        }
        // angle, displacement and swing have their own rates; a rotation vector has the one along its axis
        for (int t = 0; t < 6; t++) {
            if (t >= 2 && t < 5) continue;
            double moved = (length[2][t] - length[0][t]) / (2 * step);
            if (fabs(moved) < 1e3) assert_near(moved, rate[t], 1e-5 * (1 + fabs(rate[t]))); // no half turn between
        }
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- states --------------------------------------------------------------------------------------------------------

// every kind of joint, fixed bodies between, anchors off the origin, reference positions
static const char *const TREE =
    "<compiler angle='radian'/><worldbody><body name='base' pos='0.1 0 1' euler='0.2 0.1 0'><geom size='0.1'/>"
    "<body name='arm' pos='0.1 0.2 0' euler='0.3 0 0.1'><joint name='turn' axis='0.2 1 0.3' pos='0.02 0.01 -0.03' "
    "ref='0.3' range='-0.4 3.9' damping='0.02' stiffness='0.4' springref='0.2'/>"
    "<geom name='arm' type='capsule' size='0.03 0.1'/>"
    "<body name='hand' pos='0 0 0.15'><joint name='reach' type='slide' axis='0 0.3 1' ref='0.02' stiffness='30' "
    "damping='0.3' frictionloss='0.05'/><geom name='hand' type='box' size='0.05 0.04 0.06'/>"
    "<body name='finger' pos='0.05 0 0.1'><geom type='box' size='0.01 0.02 0.03'/></body>"
    "<body name='bell' pos='0 0.1 0.05' euler='0 0.4 0'><joint name='swing' type='ball' pos='0 0 -0.02' "
    "damping='0.003' "
    "stiffness='0.05'/><geom name='bell' type='box' size='0.03 0.05 0.04' pos='0 0 0.1'/>"
    "<body name='clapper' pos='0 0 0.2'><geom type='box' size='0.03 0.02 0.02'/></body></body></body>"
    "<body name='stump' pos='0 0.1 0'><geom size='0.05'/></body></body></body>"
    "<body name='loose' pos='1 0 2'><freejoint/><geom type='box' size='0.1 0.2 0.1'/>"
    "<body pos='0.1 0.2 0'><joint axis='1 0 0' damping='0.01'/><geom type='box' size='0.05 0.1 0.05' pos='0 0.1 0'/>"
    "</body></body></worldbody>"
    "<actuator><motor name='m' joint='turn' gear='2'/><position name='p' joint='reach' kp='20' kv='1'/></actuator>"
    "<sensor><jointpos joint='turn'/><jointvel joint='turn'/><jointpos joint='reach'/><jointvel joint='reach'/>"
    "<jointactuatorfrc joint='turn'/></sensor>"
    "<keyframe><key name='k' qpos='3.5 0.1  0.8 0.1 0.4 -0.2  1 2 3 0.5 0.5 -0.5 0.5  0.7' "
    "qvel='1 -0.3  0.4 0.5 -0.6  0.1 0.2 0.3 1 -2 0.5  0.8'/></keyframe>";

// name of every body, to find it in the other model
static int find_body(const tx_model *model, const char *name) { return tx_element_find(model, TX_ELEMENT_BODY, name); }

// all that pushes a free body from outside is m (a - g) of its centre of mass, and all that turns it about that I α
static void springs_push_from_outside(void **state) {
    static const char *const JOINTS[] = {"type='slide' axis='0.3 0 1' stiffness='30' springref='0.2'",
                                         "type='hinge' axis='0.3 0 1' stiffness='30' springref='20' pos='.3 .2 .1'"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<worldbody><body pos='0 0 1'><joint %s/><geom size='.1' mass='2' pos='.2 .1 -.05'/></body>"
                 "</worldbody>",
                 JOINTS[k]);
        tx_model *model = text_model(text, true);
        tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        const double *torque = tx_sim_array(sim, TX_ARRAY_CFRC_EXT) + 6, *force = torque + 3,
                     *acc = tx_sim_array(sim, TX_ARRAY_QACC), *turn = acc + 3;
        const double arm[3] = {.2, .1, -.05};
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            const double centre = acc[i] + turn[j] * arm[l] - turn[l] * arm[j];
            assert_near(force[i], 2 * (centre + (i == 2 ? 9.81 : 0)), 1e-9);
            assert_near(torque[i], 0.4 * 2 * 0.01 * turn[i], 1e-9);
        }
        tx_sim_destroy(sim), tx_model_destroy(model);
    }
}

// a range of a hinge far from where it begins; the limit of a ball that nothing else acts on; damping between free
// bodies is a row of the discrete problem wherever the integrator would take it implicitly
static void ranges_and_integrators_are_kept(void **state) {
    static const char TEXT[] =
        "<compiler angle='radian'/><option integrator='%s'><flag eulerdamp='%s'/></option><worldbody><body>"
        "<joint axis='0 0 1' range='3 6' damping='%s'/><geom type='box' size='.1 .2 .3'/><body pos='0 0 1'>"
        "<joint type='ball' range='0 1' limited='true'/><geom type='box' size='.1 .2 .3'/></body></body></worldbody>";
    static const struct {
        const char *integrator, *eulerdamp, *damping;
        tx_integrator wanted;
    } CASES[] = {{"Euler", "enable", "1", TX_INTEGRATOR_DISCRETE},
                 {"Euler", "disable", "1", TX_INTEGRATOR_EULER},
                 {"Euler", "enable", "0", TX_INTEGRATOR_EULER},
                 {"RK4", "enable", "1", TX_INTEGRATOR_RK4},
                 {"implicitfast", "enable", "1", TX_INTEGRATOR_DISCRETE}};
    for (int i = 0; i < 5; i++) {
        char text[1000];
        snprintf(text, sizeof text, TEXT, CASES[i].integrator, CASES[i].eulerdamp, CASES[i].damping);
        tx_model *reduced = text_model(text, false), *maximal = text_model(text, true);
        assert_int_equal(tx_model_options(maximal)->integrator, CASES[i].wanted);
        assert_int_equal(tx_model_size(maximal, TX_SIZE_NTENDON), 2);
        for (double angle = 3.1; angle < 6; angle += 0.4) {
            const double q[5] = {angle, 0.6, 0, 0.8, 0};
            double there[14], back[5];
            assert_int_equal(tx_state_to_maximal(reduced, maximal, q, NULL, there, NULL), TX_OK);
            assert_int_equal(tx_state_to_reduced(reduced, maximal, there, NULL, back, NULL), TX_OK);
            assert_near(back[0], angle, 1e-12);
            // the same rotation by the other quaternion
            for (int k = 3; k < 7; k++) there[k] = -there[k];
            assert_int_equal(tx_state_to_reduced(reduced, maximal, there, NULL, back, NULL), TX_OK);
            assert_near(back[0], angle, 1e-12);
        }
        tx_model_destroy(reduced), tx_model_destroy(maximal);
    }
}

static void states_go_there_and_back(void **state) {
    tx_model *reduced = text_model(TREE, false), *maximal = text_model(TREE, true);
    tx_sim *a = make_sim(reduced, 1, 1, TX_TARGET_SCALAR, 0), *b = make_sim(maximal, 1, 1, TX_TARGET_SCALAR, 0);
    const int nq = tx_model_size(reduced, TX_SIZE_NQ), nv = tx_model_size(reduced, TX_SIZE_NV);
    double *q = tx_sim_array(a, TX_ARRAY_QPOS), *v = tx_sim_array(a, TX_ARRAY_QVEL), back_q[MOST], back_v[MOST];
    assert_int_equal(tx_model_size(maximal, TX_SIZE_NQ), 7 * 5);
    assert_int_equal(tx_model_size(maximal, TX_SIZE_NEQROW), 5 + 5 + 3 + 5);
    uint64_t seed = 8;
    for (int round = 0; round < 30; round++) {
        if (round == 0) {
            // the keyframe of the maximal model is that of the other
            assert_int_equal(tx_sim_reset(a, 0, NULL), TX_OK), assert_int_equal(tx_sim_reset(b, 0, NULL), TX_OK);
        } else {
            for (int i = 0; i < nq; i++) q[i] = 1.5 * noise(&seed);
            for (int i = 0; i < nv; i++) v[i] = noise(&seed);
            q[0] = 1.75 + 3 * noise(&seed); // within half a turn of the middle of its range
            tx_quat_normalize(q + 2), tx_quat_normalize(q + 9);
            assert_int_equal(tx_state_to_maximal(reduced, maximal, q, v, tx_sim_array(b, TX_ARRAY_QPOS),
                                                 tx_sim_array(b, TX_ARRAY_QVEL)),
                             TX_OK);
        }
        assert_int_equal(tx_sim_forward(a), TX_OK), assert_int_equal(tx_sim_forward(b), TX_OK);
        static const char *const BODIES[] = {"base", "arm", "hand", "finger", "bell", "clapper", "stump", "loose"};
        for (int i = 0; i < 8; i++) {
            const int x = find_body(reduced, BODIES[i]), y = find_body(maximal, BODIES[i]);
            for (int k = 0; k < 3; k++)
                assert_near(tx_sim_array(b, TX_ARRAY_XPOS)[3 * y + k], tx_sim_array(a, TX_ARRAY_XPOS)[3 * x + k],
                            1e-13);
            for (int k = 0; k < 9; k++)
                assert_near(tx_sim_array(b, TX_ARRAY_XMAT)[9 * y + k], tx_sim_array(a, TX_ARRAY_XMAT)[9 * x + k],
                            1e-13);
            for (int k = 0; k < 3; k++) // angular velocity
                assert_near(tx_sim_array(b, TX_ARRAY_CVEL)[6 * y + k], tx_sim_array(a, TX_ARRAY_CVEL)[6 * x + k],
                            1e-12);
        }
        // tendons measure what joints are, sensors say the same
        for (int k = 0; k < 4; k++)
            assert_near(tx_sim_array(b, TX_ARRAY_SENSORDATA)[k], tx_sim_array(a, TX_ARRAY_SENSORDATA)[k], 1e-12);
        for (int k = 0; k < 2; k++)
            assert_near(tx_sim_array(b, TX_ARRAY_ACTUATOR_LENGTH)[k], tx_sim_array(a, TX_ARRAY_ACTUATOR_LENGTH)[k],
                        1e-12);
        // no row is violated, and none moves
        tx_row rows[ROWS];
        double J[ROWS * 30];
        const int count = tx_sim_rows(b, 0, rows, J, ROWS);
        for (int r = 0; r < count && rows[r].type == TX_ROW_EQUALITY; r++) {
            double speed = 0;
            for (int d = 0; d < 30; d++) speed += J[r * 30 + d] * tx_sim_array(b, TX_ARRAY_QVEL)[d];
            assert_near(rows[r].pos, 0, 1e-13), assert_near(speed, 0, 1e-13);
        }
        assert_int_equal(tx_state_to_reduced(reduced, maximal, tx_sim_array(b, TX_ARRAY_QPOS),
                                             tx_sim_array(b, TX_ARRAY_QVEL), back_q, back_v),
                         TX_OK);
        const double sign = back_q[2] * q[2] < 0 ? -1 : 1, other = back_q[9] * q[9] < 0 ? -1 : 1;
        for (int i = 0; i < nq; i++)
            assert_near(back_q[i] * (i >= 2 && i < 6 ? sign : i >= 9 && i < 13 ? other : 1), q[i], 1e-12);
        for (int i = 0; i < nv; i++) assert_near(back_v[i], v[i], 1e-12);
    }
    // models that do not belong together
    assert_int_equal(tx_state_to_maximal(maximal, reduced, q, v, back_q, back_v), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_state_to_reduced(reduced, reduced, q, v, back_q, back_v), TX_ERROR_ARGUMENT);
    tx_sim_destroy(a), tx_sim_destroy(b);
    tx_model_destroy(reduced), tx_model_destroy(maximal);
}

// tendons and equalities of joints, a tendon with the name of a joint, limits that act, bodies without names or geoms,
// a spring at -1, which means something else for a tendon
#define NAMED_BODIES                                                                                               \
    "<compiler angle='radian'/><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 0' "                \
    "range='-0.3 0.4' ref='0.1' springref='-1' stiffness='0.2'/><geom type='capsule' size='0.03 0.1' "             \
    "pos='0 0 -0.1'/><body pos='0 0 -0.3'><joint name='b' axis='0 1 0.1' actuatorfrcrange='-1 1'/>"                \
    "<inertial pos='0 0 -0.1' mass='0.5' diaginertia='0.01 0.01 0.005'/><geom size='0.04' pos='0 0 -0.1'/>"        \
    "<body name='c' pos='0 0 -0.3'><joint name='c' type='slide' axis='0 0 1' ref='0.05'/><inertial pos='0 0 0' "   \
    "mass='0.3' diaginertia='0.01 0.02 0.01'/><site name='tip'/></body></body></body><body name='d' pos='1 0 1'>"  \
    "<joint name='d' type='ball' frictionloss='0.01'/><geom type='box' size='0.1 0.1 0.2' pos='0 0 -0.2'/></body>" \
    "<site name='top' pos='0.5 0 1.5'/></worldbody><tendon><fixed name='a' stiffness='2' springlength='0.1' "      \
    "damping='0.05'><joint joint='a' coef='0.7'/><joint joint='c' coef='-2'/></fixed><spatial name='rope' "        \
    "stiffness='1'><site site='tip'/><site site='top'/></spatial></tendon><actuator><general name='f' joint='b' "  \
    "gainprm='3' biasprm='0 -1 -0.1' biastype='affine'/><motor tendon='a'/></actuator>"
static const char *const NAMED = NAMED_BODIES
    "<option timestep='0.001' integrator='implicitfast'><flag refsafe='disable'/></option>"
    "<equality><joint joint1='b' joint2='a' polycoef='0.1 0.5 0.2 0 0'/><joint joint1='c' polycoef='0.07 0 0 0 0'/>"
    "<tendon tendon1='rope' polycoef='0.2 0 0 0 0' active='false'/></equality>"
    "<sensor><tendonpos tendon='a'/><tendonvel tendon='a'/><tendonpos tendon='rope'/><jointlimitpos joint='a'/>"
    "<jointlimitvel joint='a'/><jointpos joint='c'/><jointvel joint='b'/><framepos objtype='site' objname='tip'/>"
    "</sensor>";

static void what_names_joints_means_the_same(void **state) {
    tx_model *reduced = text_model(NAMED, false), *maximal = text_model(NAMED, true);
    tx_sim *a = make_sim(reduced, 1, 1, TX_TARGET_SCALAR, 0), *b = make_sim(maximal, 1, 1, TX_TARGET_SCALAR, 0);
    const int nv = tx_model_size(maximal, TX_SIZE_NV), sensors = tx_model_size(reduced, TX_SIZE_NSENSORDATA);
    double *q = tx_sim_array(a, TX_ARRAY_QPOS), *v = tx_sim_array(a, TX_ARRAY_QVEL);
    double *Q = tx_sim_array(b, TX_ARRAY_QPOS), *V = tx_sim_array(b, TX_ARRAY_QVEL), back[MOST], alone[MOST];
    uint64_t seed = 4;
    int limited = 0;
    // implicit damping is that of rows; without refsafe joints are as stiff as the step allows
    assert_int_equal(tx_model_options(maximal)->integrator, TX_INTEGRATOR_DISCRETE);
    assert_true(tx_element_find(maximal, TX_ELEMENT_TENDON, "a@joint") >= 0);
    assert_true(tx_element_find(maximal, TX_ELEMENT_BODY, "body#2") >= 0); // so that it can be excluded
    assert_int_equal(tx_model_size(maximal, TX_SIZE_NPAIR), tx_model_size(reduced, TX_SIZE_NPAIR));
    int count;
    const double *solref = tx_model_params(maximal, TX_PARAM_EQ_SOLREF, &count);
    assert_near(solref[count - 2], 2e-3, 0);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 3; i++) q[i] = 0.6 * noise(&seed);
        for (int i = 0; i < 4; i++) q[3 + i] = noise(&seed);
        for (int i = 0; i < 6; i++) v[i] = noise(&seed);
        tx_quat_normalize(q + 3);
        assert_int_equal(tx_state_to_maximal(reduced, maximal, q, v, Q, V), TX_OK);
        // positions alone
        assert_int_equal(tx_state_to_maximal(reduced, maximal, q, NULL, back, NULL), TX_OK);
        for (int i = 0; i < tx_model_size(maximal, TX_SIZE_NQ); i++) assert_near(back[i], Q[i], 0);
        assert_int_equal(tx_state_to_reduced(reduced, maximal, Q, NULL, alone, NULL), TX_OK);
        for (int i = 0; i < 3; i++) assert_near(alone[i], q[i], 1e-12);
        for (int i = 0; i < 2; i++)
            tx_sim_array(a, TX_ARRAY_CTRL)[i] = tx_sim_array(b, TX_ARRAY_CTRL)[i] = noise(&seed);
        assert_int_equal(tx_sim_forward(a), TX_OK), assert_int_equal(tx_sim_forward(b), TX_OK);
        for (int k = 0; k < sensors; k++)
            assert_near(tx_sim_array(b, TX_ARRAY_SENSORDATA)[k], tx_sim_array(a, TX_ARRAY_SENSORDATA)[k], 1e-12);
        // the limit of a joint holds what reaches it, that of a tendon the actuators themselves
        const double *force = tx_sim_array(a, TX_ARRAY_ACTUATOR_FORCE),
                     *held = tx_sim_array(b, TX_ARRAY_ACTUATOR_FORCE);
        assert_near(held[0], fmin(fmax(force[0], -1), 1), 1e-12);
        assert_near(held[1], force[1], 1e-12);
        limited += tx_sim_array(a, TX_ARRAY_SENSORDATA)[3] != 0;
        // equalities of joints come first in both: the same defect, at the same rate
        tx_row one[ROWS], two[ROWS];
        double J[2][ROWS * 30] = {{0}};
        assert_true(tx_sim_rows(a, 0, one, J[0], ROWS) >= 2);
        assert_true(tx_sim_rows(b, 0, two, J[1], ROWS) >= 2);
        for (int r = 0; r < 2; r++) {
            double speed[2] = {0};
            for (int d = 0; d < 6; d++) speed[0] += J[0][6 * r + d] * v[d];
            for (int d = 0; d < nv; d++) speed[1] += J[1][nv * r + d] * V[d];
            assert_near(two[r].pos, one[r].pos, 1e-12), assert_near(speed[1], speed[0], 1e-12);
        }
    }
    assert_true(limited > 5);
    tx_sim_destroy(a), tx_sim_destroy(b);
    tx_model_destroy(reduced), tx_model_destroy(maximal);
}

// every body of a tree sleeps as its root was told to
static void bodies_sleep_as_their_tree(void **state) {
    static const char *const TEXT =
        "<worldbody><body name='a' sleep='never'><joint/><geom size='.1'/><body name='b' pos='0 0 1'><joint/>"
        "<geom size='.1'/></body></body><body name='c' pos='3 0 0' sleep='init'><joint/><geom size='.1'/>"
        "<body name='d' pos='0 0 1'><joint type='ball'/><geom size='.1'/></body></body></worldbody>"
        "<option><flag sleep='enable'/></option>";
    static const int POLICY[] = {TX_SLEEP_NEVER, TX_SLEEP_NEVER, TX_SLEEP_INIT, TX_SLEEP_INIT};
    tx_model *maximal = text_model(TEXT, true);
    int count;
    const int *sleep = tx_model_ints(maximal, TX_INT_BODY_SLEEP, &count);
    for (int i = 0; i < 4; i++)
        assert_int_equal(sleep[find_body(maximal, (const char *[]){"a", "b", "c", "d"}[i])], POLICY[i]);
    tx_model_destroy(maximal);
}

// ---- motion --------------------------------------------------------------------------------------------------------

// largest distance between the places of bodies after a time, in the same model in both coordinates
static double apart_after(tx_model *reduced, tx_model *maximal, double dt, double time, double ctrl) {
    tx_sim *a = make_sim(reduced, 1, 1, TX_TARGET_SCALAR, 0), *b = make_sim(maximal, 1, 1, TX_TARGET_SCALAR, 0);
    const int nbody = tx_model_size(reduced, TX_SIZE_NBODY), nu = tx_model_size(reduced, TX_SIZE_NU);
    tx_options options = tx_sim_options(a);
    options.timestep = dt, options.contact = options.limit = false;
    assert_int_equal(tx_sim_set_options(a, &options), TX_OK);
    options = tx_sim_options(b), options.timestep = dt, options.contact = options.limit = false;
    assert_int_equal(tx_sim_set_options(b, &options), TX_OK);
    const int key = tx_model_size(reduced, TX_SIZE_NKEY) > 0 ? 0 : -1;
    tx_sim_reset(a, key, NULL), tx_sim_reset(b, key, NULL);
    for (int i = 0; i < nu; i++) {
        tx_sim_array(a, TX_ARRAY_CTRL)[i] = ctrl * (i % 2 ? -1 : 1);
        tx_sim_array(b, TX_ARRAY_CTRL)[i] = ctrl * (i % 2 ? -1 : 1);
    }
    const int steps = (int)lround(time / dt);
    assert_int_equal(tx_sim_step_n(a, steps), TX_OK), assert_int_equal(tx_sim_step_n(b, steps), TX_OK);
    assert_int_equal(tx_sim_status(a, 0), TX_OK), assert_int_equal(tx_sim_status(b, 0), TX_OK);
    tx_sim_forward(a), tx_sim_forward(b);
    double worst = 0;
    for (int i = 1; i < nbody; i++) {
        const char *name = tx_element_name(reduced, TX_ELEMENT_BODY, i);
        if (!name[0]) continue;
        const double *p = tx_sim_array(a, TX_ARRAY_XPOS) + 3 * i,
                     *q = tx_sim_array(b, TX_ARRAY_XPOS) + 3 * find_body(maximal, name);
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(p[k] - q[k]));
    }
    tx_sim_destroy(a), tx_sim_destroy(b);
    return worst;
}

// both are first order in the step, and so is their difference: halving it halves the distance
static void expect_first_order(tx_model *reduced, tx_model *maximal, double dt, double time, double ctrl, double most) {
    double distance[3];
    for (int k = 0; k < 3; k++) distance[k] = apart_after(reduced, maximal, dt / (1 << k), time, ctrl);
    for (int k = 0; k < 2; k++) {
        if (getenv("TX_SHOW"))
            printf("dt %g: %g m, ratio %g\n", dt / (1 << k), distance[k], distance[k] / distance[k + 1]);
        assert_in_range((int)(1000 * distance[k] / distance[k + 1]), 1700, 2300);
    }
    assert_true(distance[2] < most);
    tx_model_destroy(reduced), tx_model_destroy(maximal);
}

static void both_converge_to_one_motion(void **state) {
    expect_first_order(scene("pendulum", false, 1e-3), scene("pendulum", true, 1e-3), 1e-3, 0.5, 0, 1e-3);
    expect_first_order(scene("chain", false, 1e-3), scene("chain", true, 1e-3), 5e-4, 0.15, 0, 1e-3);
    expect_first_order(scene("arm_alone", false, 1e-3), scene("arm_alone", true, 1e-3), 5e-4, 0.2, 0.05, 1e-3);
    expect_first_order(text_model(TREE, false), text_model(TREE, true), 5e-4, 0.2, 0.3, 1e-3);
    expect_first_order(text_model(NAMED_BODIES, false), text_model(NAMED_BODIES, true), 5e-4, 0.2, 0.3, 1e-3);
}

// a hinge, a slide and a ball fall to their limits and stay there
static void limits_hold(void **state) {
    static const char *const TEXT =
        "<compiler angle='radian'/><default><joint damping='0.5' solreflimit='0.01 1'/></default><worldbody>"
        "<body name='h'><joint name='h' axis='0 1 0' range='-1 0.5'/><geom size='0.1' pos='0.3 0 0'/></body>"
        "<body name='s' pos='1 0 0'><joint name='s' type='slide' range='-0.2 1' damping='20'/><geom size='0.1'/></body>"
        "<body name='b' pos='2 0 0'><joint name='b' type='ball' range='0 0.6'/><geom size='0.1' pos='0.3 0 0'/></body>"
        "</worldbody>";
    tx_model *model[2] = {text_model(TEXT, false), text_model(TEXT, true)};
    double q[2][16], v[16];
    for (int k = 0; k < 2; k++) {
        tx_sim *sim = make_sim(model[k], 1, 1, TX_TARGET_SCALAR, 0);
        assert_int_equal(tx_sim_step_n(sim, 2000), TX_OK);
        const double *at = tx_sim_array(sim, TX_ARRAY_QPOS);
        if (k)
            assert_int_equal(tx_state_to_reduced(model[0], model[1], at, tx_sim_array(sim, TX_ARRAY_QVEL), q[k], v), 0);
        else memcpy(q[k], at, 6 * sizeof(double));
        tx_sim_destroy(sim);
        assert_near(q[k][0], 0.5, 0.01), assert_near(q[k][1], -0.2, 0.005);
        assert_near(2 * acos(fabs(q[k][2])), 0.6, 0.01);
    }
    tx_model_destroy(model[0]), tx_model_destroy(model[1]);
}

// servos as stiff as those of robots, at a step of theirs: both come to rest in one pose
static void stiff_servos_settle(void **state) {
    static const char *const TEXT =
        "<compiler angle='radian'/><option timestep='0.002' integrator='implicitfast'/><worldbody>"
        "<body name='a'><joint name='a' axis='0 1 0'/><geom type='capsule' size='0.05 0.2' pos='0 0 0.2'/>"
        "<body name='b' pos='0 0 0.5'><joint name='b' axis='0 1 0'/><geom type='capsule' size='0.04 0.15' pos='0 0 "
        "0.2'/>"
        "<body name='c' pos='0 0 0.4'><joint name='c'/><geom type='box' size='0.05 0.03 0.1' pos='0.1 0 "
        "0'/></body></body>"
        "</body></worldbody><actuator><position joint='a' kp='2000' kv='200'/><position joint='b' kp='2000' kv='200'/>"
        "<position joint='c' kp='500' kv='50'/></actuator>";
    tx_model *model[2] = {text_model(TEXT, false), text_model(TEXT, true)};
    double place[2][3];
    for (int k = 0; k < 2; k++) {
        tx_sim *sim = make_sim(model[k], 1, 1, TX_TARGET_SCALAR, 0);
        for (int i = 0; i < 3; i++) tx_sim_array(sim, TX_ARRAY_CTRL)[i] = 0.4;
        assert_int_equal(tx_sim_step_n(sim, 1000), TX_OK);
        assert_int_equal(tx_sim_status(sim, 0), TX_OK);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        memcpy(place[k], tx_sim_array(sim, TX_ARRAY_XPOS) + 3 * find_body(model[k], "c"), sizeof place[k]);
        tx_sim_destroy(sim);
    }
    for (int k = 0; k < 3; k++) assert_near(place[1][k], place[0][k], 1e-5);
    tx_model_destroy(model[0]), tx_model_destroy(model[1]);
}

// how far the joints of a model in maximal coordinates are open
static double opening(tx_sim *sim) {
    tx_row rows[ROWS];
    double worst = 0;
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const int count = tx_sim_rows(sim, 0, rows, NULL, ROWS);
    for (int r = 0; r < count; r++)
        if (rows[r].type == TX_ROW_EQUALITY) worst = fmax(worst, fabs(rows[r].pos));
    return worst;
}

// twenty links and a thousand times the mass of one at the end: ACCEPTANCE D6. Ten seconds with TX_SOAK
static void joints_of_a_heavy_chain_stay_closed(void **state) {
    static const char *const PAIRS[][2] = {{"soft", "newton"}, {"lagged", "newton"}, {"sap", "nsgs"}, {"hard", "nsgs"}};
    const double time = getenv("TX_SOAK") ? 10 : SANITIZED ? 0.05 : 0.5;
    tx_model *model = load_scene("contact/chain_heavy");
    for (int p = 0; p < 4; p++) {
        tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
        tx_options options = tx_sim_options(sim);
        for (options.law = 0; strcmp(tx_law_name(options.law), PAIRS[p][0]) != 0;) options.law++;
        for (options.solver = 0; strcmp(tx_solver_name(options.solver), PAIRS[p][1]) != 0;) options.solver++;
        assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
        double worst = 0;
        for (int k = 0; k < (int)(time / 0.01); k++) {
            assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
            worst = fmax(worst, opening(sim));
        }
        assert_int_equal(tx_sim_status(sim, 0), TX_OK);
        if (getenv("TX_SHOW")) printf("%s %s: %g m open in %g s\n", PAIRS[p][0], PAIRS[p][1], worst, time);
        assert_true(worst <= 1e-3);
        tx_sim_destroy(sim);
    }
    tx_model_destroy(model);
}

// ---- the model -----------------------------------------------------------------------------------------------------

// what has no meaning is refused where it stands
static void what_has_no_meaning_is_refused(void **state) {
    static const char *const TEXT =
        "<mujoco><custom><text name='thixis.coordinates' data='maximal'/></custom>\n<worldbody>"
        "<body name='m' mocap='true'><geom size='0.1'/></body>\n"
        "<body name='a'><joint name='x' armature='1'/><geom size='0.1'/>\n"
        "<body name='b'><joint name='y'/><joint name='z' axis='1 0 0'/><geom size='0.1'/><site name='s'/>\n"
        "<body name='c'><joint name='ball' type='ball'/><geom size='0.1'/></body></body></body>\n"
        "<body name='d'><joint name='turns' range='-190 190' actuatorgravcomp='true'/><geom size='0.1'/></body>\n"
        "</worldbody><actuator><motor name='p' joint='ball'/>\n<motor name='r' joint='turns' armature='1'/></actuator>"
        "<tendon><fixed name='t' armature='1'><joint joint='x' coef='1'/></fixed></tendon>\n"
        "<sensor><force name='f' site='s'/><subtreecom name='g' body='a'/><ballquat name='h' joint='ball'/></sensor>"
        "</mujoco>";
    static const struct {
        int line;
        const char *what;
    } WANTED[] = {{3, "joint 'x' has armature"},      {4, "joint 'y' is not the only one"},
                  {4, "joint 'z' is not the only"},   {6, "joint 'turns' takes gravity compensation"},
                  {6, "joint 'turns' can turn more"}, {7, "actuator 'p' drives a ball"},
                  {8, "actuator 'r' has armature"},   {8, "tendon 't' has armature"},
                  {9, "sensor 'f' measures"},         {9, "sensor 'g' measures"},
                  {9, "sensor 'h' measures"}};
    tx_diag diag = {0};
    assert_null(tx_load_string(TEXT, strlen(TEXT), "text", &diag));
    assert_int_equal(diag.errors, 11);
    for (int i = 0; i < 11; i++) {
        assert_non_null(strstr(diag.messages[i].text, WANTED[i].what));
        assert_int_equal(diag.messages[i].line, WANTED[i].line);
    }
    tx_diag_free(&diag);
    static const char *const HANGS =
        "<mujoco><custom><text name='thixis.coordinates' data='maximal'/></custom><worldbody><body mocap='true'><geom "
        "size='0.1'/><body name='a'><joint/><geom size='0.1'/></body></body></worldbody></mujoco>";
    assert_null(tx_load_string(HANGS, strlen(HANGS), "text", &diag));
    assert_int_equal(diag.errors, 1);
    assert_non_null(strstr(diag.messages[0].text, "'a' hangs from a mocap body"));
    tx_diag_free(&diag);
    // a ball whose motors have a limit, which files cannot say
    for (int k = 0; k < 2; k++) {
        tx_builder *b = tx_builder_create();
        tx_compiler_def compiler = tx_default_compiler_def();
        compiler.coordinates = TX_COORDINATES_MAXIMAL;
        tx_builder_compiler(b, &compiler);
        tx_body_def body = tx_default_body_def();
        tx_joint_def joint = tx_default_joint_def();
        tx_geom_def geom = tx_default_geom_def();
        joint.type = TX_JOINT_BALL, joint.name = "b", geom.size[0] = 0.1;
        joint.actuatorfrclimited = k ? TX_SWITCH_ON : TX_SWITCH_AUTO;
        joint.actuatorfrcrange[0] = k ? 0 : -1, joint.actuatorfrcrange[1] = 1;
        tx_builder_joint(b, tx_builder_body(b, 0, &body), &joint), tx_builder_geom(b, 1, &geom);
        assert_null(tx_builder_compile(b, &diag));
        assert_int_equal(diag.errors, 1);
        assert_non_null(strstr(diag.messages[0].text, "ball 'b' has actuatorfrcrange"));
        tx_diag_free(&diag), tx_builder_destroy(b);
    }
    static const char *const WRONG =
        "<mujoco><custom><text name='thixis.coordinates' data='cartesian'/></custom></mujoco>";
    assert_null(tx_load_string(WRONG, strlen(WRONG), "text", &diag));
    assert_non_null(strstr(diag.messages[0].hint, "'reduced' 'maximal'"));
    tx_diag_free(&diag);
}

// a compiled model holds it all and compiles again to the same; MJCF cannot say it
static void models_are_kept(void **state) {
    tx_model *model = text_model(TREE, true);
    tx_builder *b = tx_builder_from_model(model);
    tx_diag diag = {0};
    tx_model *again = tx_builder_compile(b, &diag);
    must_have(again, &diag);
    assert_int_equal(tx_model_size(again, TX_SIZE_NEQROW), tx_model_size(model, TX_SIZE_NEQROW));
    tx_sim *one = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0), *two = make_sim(again, 1, 1, TX_TARGET_SCALAR, 0);
    tx_sim_reset(one, 0, NULL), tx_sim_reset(two, 0, NULL);
    assert_int_equal(tx_sim_step_n(one, 50), TX_OK), assert_int_equal(tx_sim_step_n(two, 50), TX_OK);
    assert_true(same_state(one, 0, two, 0));
    tx_sim_destroy(one), tx_sim_destroy(two);
    assert_int_not_equal(tx_save_mjcf(model, "/nowhere/at/all.xml", &diag), TX_OK);
    assert_true(diag.errors > 0 && strstr(diag.messages[0].text, "cannot be written"));
    tx_diag_free(&diag);
    tx_builder_destroy(b);
    tx_model_destroy(again), tx_model_destroy(model);
}

// the same bits for any target, batch and number of threads
static void bits_do_not_depend_on_the_batch(void **state) {
    tx_model *model = text_model(TREE, true);
    tx_sim *wide = make_sim(model, 9, 2, TX_TARGET_AUTO, 0), *one = make_sim(model, 9, 1, TX_TARGET_SCALAR, 0);
    spread(wide), spread(one);
    assert_int_equal(tx_sim_step_n(wide, 60), TX_OK), assert_int_equal(tx_sim_step_n(one, 60), TX_OK);
    for (int e = 0; e < 9; e++) assert_true(same_state(wide, e, one, e));
    tx_sim_destroy(wide), tx_sim_destroy(one);
    tx_model_destroy(model);
}

// the same geoms meet: parents and children do not
static void the_same_geoms_meet(void **state) {
    tx_model *model[2] = {text_model(TREE, false), text_model(TREE, true)};
    int count[2];
    for (int k = 0; k < 2; k++) {
        tx_sim *sim = make_sim(model[k], 1, 1, TX_TARGET_SCALAR, 0);
        assert_int_equal(tx_sim_forward(sim), TX_OK);
        count[k] = tx_model_size(model[k], TX_SIZE_NPAIR);
        tx_sim_destroy(sim);
    }
    assert_true(count[0] > 0);
    assert_int_equal(count[1], count[0]);
    tx_model_destroy(model[0]), tx_model_destroy(model[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_coordinates_are_derivatives),
        cmocka_unit_test(ranges_and_integrators_are_kept),
        cmocka_unit_test(springs_push_from_outside),
        cmocka_unit_test(states_go_there_and_back),
        cmocka_unit_test(what_names_joints_means_the_same),
        cmocka_unit_test(bodies_sleep_as_their_tree),
        cmocka_unit_test(both_converge_to_one_motion),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(stiff_servos_settle),
        cmocka_unit_test(joints_of_a_heavy_chain_stay_closed),
        cmocka_unit_test(what_has_no_meaning_is_refused),
        cmocka_unit_test(models_are_kept),
        cmocka_unit_test(bits_do_not_depend_on_the_batch),
        cmocka_unit_test(the_same_geoms_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
