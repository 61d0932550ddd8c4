// test_compile.c - the passes of the compiler: order of bodies, masses and their bounds, fusing, leaving out, big
// models, and compiled files that were made to harm.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/hash.h"
#include "geometry/quat.h"
#include "model/validate.h"
#include "sanitized.h"
#include "thixis/sim.h"

#define SET(field, ...)         memcpy(field, (double[])__VA_ARGS__, sizeof(field))
#define NUMBER(model, field, i) (tx_model_params(model, field, NULL)[i])
#define INDEX(model, field, i)  (tx_model_ints(model, field, NULL)[i])

static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g +- %g", a, b, tolerance);
}

// ---- building -----------------------------------------------------------------------------------------------------

static int add_body(tx_builder *b, int parent, const char *name, double x, double y, double z) {
    tx_body_def d = tx_default_body_def();
    d.name = name;
    SET(d.pos, {x, y, z});
    return tx_builder_body(b, parent, &d);
}
static int add_joint(tx_builder *b, int body, const char *name, tx_joint_type type) {
    tx_joint_def d = tx_default_joint_def();
    d.name = name, d.type = type;
    SET(d.axis, {0, 1, 0.5});
    return tx_builder_joint(b, body, &d);
}
static int add_ball(tx_builder *b, int body, const char *name, double radius, double x) {
    tx_geom_def d = tx_default_geom_def();
    d.name = name, d.size[0] = radius, d.pos[0] = x;
    return tx_builder_geom(b, body, &d);
}
static void with_compiler(tx_builder *b, void (*change)(tx_compiler_def *)) {
    tx_compiler_def c = tx_default_compiler_def();
    if (change) change(&c);
    tx_builder_compiler(b, &c);
}
static tx_model *compiled(tx_builder *b) {
    tx_diag diag = {0};
    tx_model *m = tx_builder_compile(b, &diag);
    if (!m) fail_msg("%s", diag.count ? diag.messages[0].text : "no message");
    tx_diag_free(&diag);
    return m;
}
static void refused(tx_builder *b, const char *words) {
    tx_diag diag = {0};
    assert_null(tx_builder_compile(b, &diag));
    if (!strstr(diag.messages[0].text, words)) fail_msg("expected \"%s\", got: %s", words, diag.messages[0].text);
    tx_diag_free(&diag);
}

// ---- order --------------------------------------------------------------------------------------------------------

// a tree of five bodies in the order of `calls`; parents come before their children in any of them
static tx_model *tree(const int *calls) {
    static const char *const NAME[] = {"world", "a", "a1", "a2", "b", "b1"};
    static const int PARENT[] = {-1, 0, 1, 1, 0, 4};
    char joint[3], geom[3];
    int index[6] = {0};
    tx_builder *b = tx_builder_create();
    for (int i = 0; i < 5; i++) {
        int n = calls[i];
        index[n] = add_body(b, index[PARENT[n]], NAME[n], 0.1 * n, 0, 0.3);
        assert_int_equal(index[n], i + 1);
    }
    for (int i = 4; i >= 0; i--) {
        int n = calls[i];
        snprintf(joint, sizeof joint, "j%d", n), snprintf(geom, sizeof geom, "g%d", n);
        add_joint(b, index[n], joint, n % 2 ? TX_JOINT_HINGE : TX_JOINT_BALL);
        add_ball(b, index[n], geom, 0.01 * n + 0.05, 0);
    }
    tx_motor_def motor = tx_default_motor_def();
    motor.name = "m", motor.joint = "j3";
    tx_builder_motor(b, &motor);
    tx_builder_exclude(b, &(tx_exclude_def){.body1 = "b1", .body2 = "a2"});
    tx_pair_def pair = tx_default_pair_def();
    pair.geom1 = "g5", pair.geom2 = "g1";
    tx_builder_pair(b, &pair);
    tx_model *m = compiled(b);
    tx_builder_destroy(b);
    return m;
}

static void bodies_come_depth_first(void **state) {
    static const int ORDERS[][5] = {{1, 2, 3, 4, 5}, {1, 4, 2, 5, 3}, {1, 4, 5, 2, 3}};
    tx_model *first = tree(ORDERS[0]);
    for (int i = 0; i < 6; i++)
        assert_string_equal(tx_element_name(first, TX_ELEMENT_BODY, i),
                            ((const char *[]){"world", "a", "a1", "a2", "b", "b1"})[i]);
    assert_int_equal(INDEX(first, TX_INT_MOMENT_DOF, 0),
                     INDEX(first, TX_INT_JNT_DOFADR, tx_element_find(first, TX_ELEMENT_JOINT, "j3")));
    // special g1-g5; automatic a-b, a1-a2, a1-b, a1-b1, a2-b; a2-b1 is excluded, a-a1, a-a2 and b-b1 are parents
    assert_int_equal(tx_model_size(first, TX_SIZE_NPAIR), 6);
    for (int k = 1; k < 3; k++) {
        tx_model *other = tree(ORDERS[k]);
        size_t size, size2;
        const void *bytes = tx_model_bytes(first, &size), *bytes2 = tx_model_bytes(other, &size2);
        assert_int_equal(size, size2);
        assert_memory_equal(bytes, bytes2, size);
        tx_model_destroy(other);
    }
    tx_model_destroy(first);
}

// ---- masses -------------------------------------------------------------------------------------------------------

static void total_seven(tx_compiler_def *c) { c->settotalmass = 7; }
static void bounds(tx_compiler_def *c) { c->boundmass = 0.5, c->boundinertia = 0.01; }
static void balanced(tx_compiler_def *c) { c->balanceinertia = true; }
static void from_geoms(tx_compiler_def *c) { c->inertiafromgeom = TX_SWITCH_ON; }
static void never_from_geoms(tx_compiler_def *c) { c->inertiafromgeom = TX_SWITCH_OFF; }
static void low_groups(tx_compiler_def *c) { c->inertiagrouprange[1] = 2; }

static void total_mass_scales_all(void **state) {
    tx_builder *b = tx_builder_create();
    add_joint(b, add_body(b, 0, "a", 0, 0, 0), "", TX_JOINT_HINGE), add_ball(b, 1, "", 0.1, 0);
    add_ball(b, add_body(b, 0, "still", 0, 0, 0), "", 0.2, 0); // what stands still counts
    tx_model *plain = compiled(b);
    with_compiler(b, total_seven);
    tx_model *m = compiled(b);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1) + NUMBER(m, TX_PARAM_BODY_MASS, 2), 7, 1e-14);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 2) / NUMBER(m, TX_PARAM_BODY_MASS, 1), 8, 1e-14);
    double scale = NUMBER(m, TX_PARAM_BODY_MASS, 1) / NUMBER(plain, TX_PARAM_BODY_MASS, 1);
    near(NUMBER(m, TX_PARAM_BODY_INERTIA, 4), scale * NUMBER(plain, TX_PARAM_BODY_INERTIA, 4), 1e-15);
    near(NUMBER(m, TX_PARAM_DOF_INVWEIGHT0, 0), NUMBER(plain, TX_PARAM_DOF_INVWEIGHT0, 0) / scale,
         1e-9); // derived from the new masses
    tx_model_destroy(m), tx_model_destroy(plain);
    tx_builder_destroy(b);
}

static tx_builder *one_body(double mass, double ix, double iy, double iz, bool moves) {
    tx_builder *b = tx_builder_create();
    tx_body_def d = tx_default_body_def();
    d.name = "x", d.has_inertial = true, d.mass = mass;
    SET(d.inertia, {ix, iy, iz});
    tx_builder_body(b, 0, &d);
    if (moves) add_joint(b, 1, "", TX_JOINT_HINGE);
    return b;
}

static void bounds_lift_and_balance_repairs(void **state) {
    tx_builder *b = one_body(0.1, 0.001, 0.02, 0.02, true);
    with_compiler(b, bounds);
    tx_model *m = compiled(b);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), 0.5, 0), near(NUMBER(m, TX_PARAM_BODY_INERTIA, 3), 0.01, 0),
        near(NUMBER(m, TX_PARAM_BODY_INERTIA, 4), 0.02, 0);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 0), 0, 0);
    tx_model_destroy(m), tx_builder_destroy(b);

    b = one_body(5, 1, 2, 3.1, true);
    refused(b, "no mass distribution has inertia 1 2 3.1");
    with_compiler(b, balanced);
    m = compiled(b);
    for (int k = 0; k < 3; k++) near(NUMBER(m, TX_PARAM_BODY_INERTIA, 3 + k), 6.1 / 3, 1e-15);
    tx_model_destroy(m), tx_builder_destroy(b);
    b = one_body(5, 1, 2, 3, true); // a flat body is just possible
    tx_model_destroy(compiled(b)), tx_builder_destroy(b);
}

// MuJoCo: mass and all three moments of a moving body, or of one fixed to it, are at least 1e-15
static void moving_bodies_need_mass_and_inertia(void **state) {
    tx_builder *b = one_body(1, 0, 0, 0, true);
    refused(b, "'x' moves but has no inertia");
    tx_builder_destroy(b);
    b = one_body(0, 1, 1, 1, true);
    refused(b, "'x' moves but has no mass");
    tx_builder_destroy(b);
    b = one_body(0, 0, 0, 0, false); // may weigh nothing when it stands still
    tx_model_destroy(compiled(b)), tx_builder_destroy(b);
    b = one_body(0, 0, 0, 0, true);
    int fixed = add_body(b, add_body(b, 1, "", 0, 0, 0), "", 0, 0, 0);
    add_ball(b, fixed, "", 0.1, 0);
    tx_model_destroy(compiled(b)); // a body fixed to it carries its mass
    add_joint(b, fixed, "", TX_JOINT_HINGE);
    refused(b, "'x' moves but has no mass"); // one that moves against it does not
    tx_builder_destroy(b);
}

static void groups_and_modes_choose_the_mass(void **state) {
    const double ball = 4 / 3.0 * 3.14159265358979323846 * 1000 * 0.001;
    tx_builder *b = one_body(5, 1, 1, 1, true);
    tx_geom_def g = tx_default_geom_def();
    g.size[0] = 0.1, g.pos[1] = 2;
    SET(g.quat, {0.6, 0.8, 0, 0});
    tx_builder_geom(b, 1, &g);
    g.group = 3, g.pos[1] = 5, g.size[0] = 0.2;
    tx_builder_geom(b, 1, &g);
    tx_model *m = compiled(b); // auto: what is given stays
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), 5, 0), near(NUMBER(m, TX_PARAM_BODY_IPOS, 4), 0, 0);
    tx_model_destroy(m);
    with_compiler(b, from_geoms);
    m = compiled(b);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), 9 * ball, 1e-13),
        near(NUMBER(m, TX_PARAM_BODY_IPOS, 4), (2 + 8 * 5) / 9.0, 1e-14);
    tx_model_destroy(m), tx_builder_destroy(b);

    // one geom in range lends its frame; geoms out of range and without mass do not count
    b = tx_builder_create();
    tx_body_def d = tx_default_body_def();
    SET(d.pos, {1, 2, 3});
    add_joint(b, tx_builder_body(b, 0, &d), "", TX_JOINT_HINGE);
    tx_builder_geom(b, 1, &g);
    g.group = 0, g.size[0] = 0.1, g.pos[1] = 2;
    tx_builder_geom(b, 1, &g);
    g.mass = 0;
    tx_builder_geom(b, 1, &g);
    with_compiler(b, low_groups);
    m = compiled(b);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), ball, 1e-14), near(NUMBER(m, TX_PARAM_BODY_IPOS, 4), 2, 0),
        near(NUMBER(m, TX_PARAM_BODY_IQUAT, 5), 0.8, 1e-16);
    assert_int_equal(tx_model_size(m, TX_SIZE_NGEOM), 3);
    tx_model_destroy(m);
    with_compiler(b, never_from_geoms);
    refused(b, "moves but has no mass");
    tx_builder_destroy(b);
}

// ---- fusing -------------------------------------------------------------------------------------------------------

static void fused(tx_compiler_def *c) { c->fusestatic = true; }
static void without_visual(tx_compiler_def *c) { c->discardvisual = true; }

// an arm of two hinges on two brackets, with brackets between and behind
static tx_builder *arm(void) {
    tx_builder *b = tx_builder_create();
    tx_body_def d = tx_default_body_def();
    SET(d.quat, {0.9, 0.1, -0.3, 0.2});
    SET(d.pos, {0.1, 0.2, 0.3});
    const char *names[] = {"base", "post", "upper", "bracket", "lower", "hand"};
    for (int i = 0; i < 6; i++) {
        d.name = names[i];
        int body = tx_builder_body(b, i, &d);
        tx_geom_def g = tx_default_geom_def();
        g.type = TX_GEOM_BOX, g.contype = g.conaffinity = 0;
        SET(g.size, {0.05, 0.1, 0.02});
        SET(g.pos, {0.02, 0.05, -0.1});
        SET(g.quat, {0.5, 0.5, -0.1, 0.3});
        tx_builder_geom(b, body, &g);
        if (i == 2 || i == 4) add_joint(b, body, i == 2 ? "shoulder" : "elbow", TX_JOINT_HINGE);
    }
    return b;
}

// the mass matrix, and where the joints and the last geom are after half a second of falling
static void fall(const tx_model *m, double M[4], double q[2], double pos[3]) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_int_equal(tx_sim_mass_matrix(sim, 0, M), TX_OK);
    for (int i = 0; i < 250; i++) assert_int_equal(tx_sim_step(sim), TX_OK);
    memcpy(q, tx_sim_array(sim, TX_ARRAY_QPOS), 2 * sizeof(double));
    tx_sim_forward(sim);
    memcpy(pos, tx_sim_array(sim, TX_ARRAY_GEOM_XPOS) + 3 * 5, 3 * sizeof(double));
    tx_sim_destroy(sim);
}

// principal axes are found to 1.4e-6 rad, MuJoCo's tolerance: that is the difference between one body and two
static void fused_bodies_move_alike(void **state) {
    double M[2][4], q[2][2], pos[2][3];
    tx_builder *b = arm();
    tx_model *loose = compiled(b);
    with_compiler(b, fused);
    tx_model *m = compiled(b);
    assert_int_equal(tx_model_size(loose, TX_SIZE_NBODY), 7);
    assert_int_equal(tx_model_size(m, TX_SIZE_NBODY), 3);
    assert_int_equal(tx_model_size(m, TX_SIZE_NGEOM), 6);
    assert_int_equal(INDEX(m, TX_INT_GEOM_BODY, 1), 0), assert_int_equal(INDEX(m, TX_INT_GEOM_BODY, 3), 1),
        assert_int_equal(INDEX(m, TX_INT_GEOM_BODY, 5), 2);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), 2 * NUMBER(loose, TX_PARAM_BODY_MASS, 1), 1e-14);
    fall(loose, M[0], q[0], pos[0]), fall(m, M[1], q[1], pos[1]);
    for (int k = 0; k < 4; k++) near(M[0][k], M[1][k], 1e-6 * M[0][0]);
    assert_true(fabs(q[0][0]) > 0.1);
    for (int k = 0; k < 2; k++) near(q[0][k], q[1][k], 2e-6);
    for (int k = 0; k < 3; k++) near(pos[0][k], pos[1][k], 2e-6);
    tx_model_destroy(m);
    // a body that is named elsewhere stays; those around it still go
    tx_builder_exclude(b, &(tx_exclude_def){.body1 = "bracket", .body2 = "base"});
    m = compiled(b);
    assert_int_equal(tx_model_size(m, TX_SIZE_NBODY), 5);
    assert_true(tx_element_find(m, TX_ELEMENT_BODY, "bracket") > 0 && tx_element_find(m, TX_ELEMENT_BODY, "post") < 0);
    fall(m, M[1], q[1], pos[1]);
    for (int k = 0; k < 4; k++) near(M[0][k], M[1][k], 1e-6 * M[0][0]);
    for (int k = 0; k < 2; k++) near(q[0][k], q[1][k], 2e-6);
    tx_model_destroy(m), tx_model_destroy(loose), tx_builder_destroy(b);
}

// MuJoCo 4.0: MjModel.from_xml_string('<mujoco><compiler fusestatic="true"/><worldbody><body
// name="a"><freejoint/><geom size=".1"/>'
// '<body name="b" pos="0 2 0" quat="0.5 0.1 0.7 -0.2"><inertial mass="1" pos="0 0 1" quat="0.6 0.8 0 0" diaginertia=".1
// .2 .3"/>'
// '</body></body></worldbody></mujoco>'), body_mass, body_ipos, body_inertia, body_iquat
static void fused_inertia_is_mujocos(void **state) {
    const double ipos[] = {0.1610092150582674, 0.29274402737866806, -0.05123020479126688},
                 inertia[] = {2.706920612526355, 2.601416775107445, 0.3082135181172468};
    const double iquat[] = {0.698143616189594, 0.6515995607654856, -0.06676426031593918, -0.2890606115132434};
    tx_builder *b = tx_builder_create();
    add_joint(b, add_body(b, 0, "a", 0, 0, 0), "", TX_JOINT_FREE), add_ball(b, 1, "", 0.1, 0);
    tx_body_def d = tx_default_body_def();
    d.has_inertial = true, d.mass = 1, d.pos[1] = 2, d.ipos[2] = 1;
    SET(d.quat, {0.5, 0.1, 0.7, -0.2});
    SET(d.iquat, {0.6, 0.8, 0, 0});
    SET(d.inertia, {.1, .2, .3});
    tx_builder_body(b, 1, &d);
    with_compiler(b, fused);
    tx_model *m = compiled(b);
    assert_int_equal(tx_model_size(m, TX_SIZE_NBODY), 2);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), 5.188790204786391, 1e-14);
    for (int k = 0; k < 3; k++)
        near(NUMBER(m, TX_PARAM_BODY_IPOS, 3 + k), ipos[k], 1e-14),
            near(NUMBER(m, TX_PARAM_BODY_INERTIA, 3 + k), inertia[k], 1e-13);
    for (int k = 0; k < 4; k++) near(NUMBER(m, TX_PARAM_BODY_IQUAT, 4 + k), iquat[k], 1e-12);
    tx_model_destroy(m), tx_builder_destroy(b);
}

// a flat inertia is lifted to the bound, a negative one refused: MuJoCo 4.0, <inertial fullinertia=".01 .01 X 0 0 0"/>
// with boundinertia="0.001": X = 0 and -1e-16 load with moments .01 .01 .001, X = -1e-9 does not
static void flat_inertia_is_lifted(void **state) {
    const double least[] = {0, -1e-16, -1e-9};
    for (int i = 0; i < 3; i++) {
        tx_builder *b = tx_builder_create();
        tx_body_def d = tx_default_body_def();
        d.has_inertial = d.has_fullinertia = true, d.mass = 1;
        d.fullinertia[0] = d.fullinertia[1] = 0.01, d.fullinertia[2] = least[i];
        add_joint(b, tx_builder_body(b, 0, &d), "", TX_JOINT_FREE);
        tx_compiler_def c = tx_default_compiler_def();
        c.boundinertia = 0.001;
        tx_builder_compiler(b, &c);
        tx_diag diag = {0};
        tx_model *m = tx_builder_compile(b, &diag);
        assert_int_equal(m != NULL, i < 2);
        if (m) near(NUMBER(m, TX_PARAM_BODY_INERTIA, 5), 0.001, 1e-18);
        tx_model_destroy(m), tx_builder_destroy(b), tx_diag_free(&diag);
    }
}

// ---- leaving out --------------------------------------------------------------------------------------------------

static void visual_geoms_go_but_keep_their_mass(void **state) {
    static const double TET[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    tx_builder *b = tx_builder_create();
    tx_mesh_def mesh = tx_default_mesh_def();
    mesh.vertices = TET, mesh.vertex_count = 4, mesh.name = "seen";
    tx_builder_mesh(b, &mesh);
    mesh.name = "felt";
    tx_builder_mesh(b, &mesh);
    tx_geom_def g = tx_default_geom_def();
    add_joint(b, add_body(b, 0, "a", 0, 0, 0), "", TX_JOINT_FREE);
    g.type = TX_GEOM_MESH, g.mesh = "felt", g.name = "felt";
    tx_builder_geom(b, 1, &g);
    g.contype = g.conaffinity = 0, g.mesh = "seen", g.name = "seen";
    tx_builder_geom(b, 1, &g);
    g.type = TX_GEOM_SPHERE, g.mesh = NULL, g.size[0] = 0.2, g.name = "ball";
    tx_builder_geom(b, 1, &g);
    g.name = "mark";
    tx_builder_geom(b, 0, &g);
    tx_model *all = compiled(b);
    with_compiler(b, without_visual);
    tx_model *m = compiled(b);
    assert_int_equal(tx_model_size(all, TX_SIZE_NGEOM), 4), assert_int_equal(tx_model_size(all, TX_SIZE_NMESH), 2);
    assert_int_equal(tx_model_size(m, TX_SIZE_NGEOM), 1), assert_int_equal(tx_model_size(m, TX_SIZE_NMESH), 1);
    assert_string_equal(tx_element_name(m, TX_ELEMENT_GEOM, 0), "felt");
    assert_int_equal(INDEX(m, TX_INT_GEOM_MESH, 0), 0);
    for (int k = 0; k < 3; k++)
        near(NUMBER(m, TX_PARAM_BODY_INERTIA, 3 + k), NUMBER(all, TX_PARAM_BODY_INERTIA, 3 + k), 0);
    near(NUMBER(m, TX_PARAM_BODY_MASS, 1), NUMBER(all, TX_PARAM_BODY_MASS, 1), 0);
    tx_model_destroy(m);
    // a pair needs its geoms
    tx_pair_def pair = tx_default_pair_def();
    pair.geom1 = "mark", pair.geom2 = "ball";
    tx_builder_pair(b, &pair);
    m = compiled(b);
    assert_int_equal(tx_model_size(m, TX_SIZE_NGEOM), 3), assert_int_equal(tx_model_size(m, TX_SIZE_NSPECIAL), 1);
    tx_model_destroy(m), tx_model_destroy(all), tx_builder_destroy(b);
}

// ---- size ---------------------------------------------------------------------------------------------------------

// 48,000 dofs: a dense matrix of them would take 18 GB. A free ball weighs 1/m and 1/I, which is 2.5 / (m r²).
static void free_bodies_need_no_dense_matrix(void **state) {
    enum { BODIES = 8000 };
    const double radius = 0.1;
    tx_builder *b = tx_builder_create();
    for (int i = 0; i < BODIES; i++) {
        int body = add_body(b, 0, "", i, 0, 0);
        add_joint(b, body, "", TX_JOINT_FREE);
        add_ball(b, body, "", radius, 0);
    }
    tx_model *m = compiled(b);
    assert_int_equal(tx_model_size(m, TX_SIZE_NV), 6 * BODIES);
    for (int i = 1; i <= BODIES; i++) {
        double mass = NUMBER(m, TX_PARAM_BODY_MASS, i), turn = 2.5 / (mass * radius * radius);
        near(NUMBER(m, TX_PARAM_BODY_INVWEIGHT0, 2 * i), 1 / mass, 1e-14 / mass);
        near(NUMBER(m, TX_PARAM_BODY_INVWEIGHT0, 2 * i + 1), turn, 1e-13 * turn);
        near(NUMBER(m, TX_PARAM_DOF_INVWEIGHT0, 6 * i - 6), 1 / mass, 1e-14 / mass);
        near(NUMBER(m, TX_PARAM_DOF_INVWEIGHT0, 6 * i - 1), turn, 1e-13 * turn);
    }
    tx_model_destroy(m), tx_builder_destroy(b);
}

// ten thousand bodies, thousands of names that refer to each other
static void ten_thousand_bodies_take_less_than_a_second(void **state) {
    enum { BODIES = 10000, CHAIN = 10 };
    tx_builder *b = tx_builder_create();
    char name[32], other[32];
    for (int i = 0, above = 0; i < BODIES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        above = add_body(b, i % CHAIN ? above : 0, name, 0, 0, 0.1);
        tx_geom_def g = tx_default_geom_def();
        g.name = name, g.size[0] = 0.05;
        g.contype = g.conaffinity = i % 1000 == 0;
        tx_builder_geom(b, above, &g);
        if (i % 50 == 0) {
            add_joint(b, above, name, TX_JOINT_HINGE);
            tx_motor_def motor = tx_default_motor_def();
            motor.name = motor.joint = name;
            tx_builder_motor(b, &motor);
        }
        snprintf(other, sizeof other, "b%d", i / 2);
        if (i % 2) tx_builder_exclude(b, &(tx_exclude_def){.body1 = name, .body2 = other});
        tx_pair_def pair = tx_default_pair_def();
        pair.geom1 = name, pair.geom2 = other;
        if (i % 5 == 1) tx_builder_pair(b, &pair);
    }
    clock_t start = clock();
    tx_model *m = compiled(b);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%d bodies: %.2f s\n", BODIES, seconds);
    assert_true(seconds < (SANITIZED ? 10 : 1));
    assert_int_equal(tx_model_size(m, TX_SIZE_NBODY), BODIES + 1);
    assert_int_equal(tx_model_size(m, TX_SIZE_NPAIR),
                     2000 + 45); // the special ones, and the ten that collide with each other
    tx_model_destroy(m), tx_builder_destroy(b);
}

// ---- files --------------------------------------------------------------------------------------------------------

enum { HASH_AT = 24, SIZES_AT = 32 };

static void every_index_has_a_range(void **state) {
    static const char *const NAME[] = {
#define X(NAME, name, count, meaning) [TX_INT_##NAME] = #name,
        TX_MODEL_INTS(X)
#undef X
    };
    for (int f = 0; f < TX_INT_COUNT; f++)
        if (!tx_model_validates((tx_model_int)f)) fail_msg("src/model/validate.c does not know %s", NAME[f]);
}

// a file with wrong numbers and a right checksum is refused, or it runs
static void forged_files_do_no_harm(void **state) {
    static const double TET[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    tx_builder *b = arm();
    tx_mesh_def mesh = tx_default_mesh_def();
    mesh.vertices = TET, mesh.vertex_count = 4, mesh.name = "m";
    tx_builder_mesh(b, &mesh);
    tx_geom_def g = tx_default_geom_def();
    g.type = TX_GEOM_MESH, g.mesh = "m";
    tx_builder_geom(b, 6, &g);
    add_joint(b, add_body(b, 0, "free", 0, 0, 1), "", TX_JOINT_FREE);
    add_ball(b, 7, "ball", 0.1, 0), add_ball(b, 3, "other", 0.3, 0);
    tx_key_def key = {.name = "k"};
    tx_builder_key(b, &key);
    tx_motor_def motor = tx_default_motor_def();
    motor.joint = "elbow";
    tx_builder_motor(b, &motor);
    tx_model *m = compiled(b);
    size_t size;
    const char *good = tx_model_bytes(m, &size);
    char *bytes = malloc(size);
    uint64_t random = 1;
    int refusals = 0, tries = 0;
    for (int f = 0; f < TX_INT_COUNT; f++) {
        int count;
        const int *field = tx_model_ints(m, (tx_model_int)f, &count);
        for (int t = 0; count > 0 && t < 40; t++, tries++) {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            const int *at = field + (random >> 33) % (uint64_t)count;
            const int values[] = {-2, -1, 0, 1, 2, 7, 100, 1 << 20, INT32_MAX, INT32_MIN};
            int value = t % 4 ? values[(random >> 40) % 10] : *at + (t % 8 ? 1 : -1);
            memcpy(bytes, good, size);
            memcpy(bytes + ((const char *)at - good), &value, sizeof value);
            uint64_t hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, size - SIZES_AT);
            memcpy(bytes + HASH_AT, &hash, sizeof hash);
            tx_diag diag = {0};
            tx_model *forged = tx_model_from_bytes(bytes, size, &diag);
            refusals += !forged;
            assert_int_equal(diag.errors, !forged);
            tx_sim_def def = tx_default_sim_def();
            tx_sim *sim = forged ? tx_sim_create(forged, &def) : NULL;
            for (int s = 0; sim && s < 3; s++) tx_sim_step(sim);
            tx_sim_destroy(sim), tx_model_destroy(forged), tx_diag_free(&diag);
        }
    }
    printf("%d of %d forged files refused\n", refusals, tries);
    assert_true(refusals > tries / 2);
    free(bytes);
    tx_model_destroy(m), tx_builder_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_come_depth_first),
        cmocka_unit_test(total_mass_scales_all),
        cmocka_unit_test(bounds_lift_and_balance_repairs),
        cmocka_unit_test(moving_bodies_need_mass_and_inertia),
        cmocka_unit_test(groups_and_modes_choose_the_mass),
        cmocka_unit_test(fused_bodies_move_alike),
        cmocka_unit_test(fused_inertia_is_mujocos),
        cmocka_unit_test(flat_inertia_is_lifted),
        cmocka_unit_test(visual_geoms_go_but_keep_their_mass),
        cmocka_unit_test(free_bodies_need_no_dense_matrix),
        cmocka_unit_test(ten_thousand_bodies_take_less_than_a_second),
        cmocka_unit_test(every_index_has_a_range),
        cmocka_unit_test(forged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
