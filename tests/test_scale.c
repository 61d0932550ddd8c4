// test_scale.c - <frame scale>: what scenes/core_scale.xml cannot hold; and maxhullvert. Numbers of MuJoCo 4.0.0.
#include <stdio.h>
#include <string.h>

#include "near.h"
#include "thixis/thixis.h"

static tx_model *load(const char *text) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), "text", &diag);
    assert_non_null(model);
    assert_int_equal(diag.count, 0);
    tx_diag_free(&diag);
    return model;
}

static void expect(const double *ours, const double *theirs, int count, double tolerance) {
    for (int i = 0; i < count; i++) assert_near(ours[i], theirs[i], tolerance);
}

// a mesh that is stretched across its own axes, beside the mesh as it is, and a height field turned by a right angle
static void meshes_and_height_fields_are_stretched(void **state) {
    (void)state;
    tx_model *m =
        load("<mujoco><compiler angle='radian'/><asset><mesh name='w' vertex='0 0 0 0.1 0 0 0 0.2 0 0 0 0.15 0.1 0.1 "
             "0.1'/><hfield name='h' nrow='2' ncol='3' size='1 2 0.3 0.1'/></asset><worldbody><geom type='mesh' "
             "mesh='w'/><frame scale='2 1.2 0.7' scaling='geometry'><body><geom type='mesh' mesh='w' euler='0.4 0.3 "
             "0.2'/></body><body pos='1 1 1'><geom type='hfield' hfield='h' euler='0 0 "
             "1.5707963267948966'/></body></frame></worldbody></mujoco>");
    const double mass[] = {1.8200001126527803, 3360.0000000000005},
                 inertia[] = {0.009356945293677732, 0.00721373469086728, 0.00376422803967575},
                 place[] = {0.07805339666790696, 0.05790334656152955, 0.045646874441144555},
                 size[] = {0.06820384198926448, 0.07526261030940941, 0.1483894098136038,
                           0.05914539771050223, 0.10648741910697945, 0.21359123324940876},
                 field[] = {1.2, 4.0, 0.21, 0.07};
    assert_int_equal(tx_model_size(m, TX_SIZE_NMESH), 2);
    expect(tx_model_params(m, TX_PARAM_BODY_MASS, NULL) + 1, mass, 2, 1e-13);
    expect(tx_model_params(m, TX_PARAM_BODY_INERTIA, NULL) + 3, inertia, 3, 1e-13);
    expect(tx_model_params(m, TX_PARAM_BODY_IPOS, NULL) + 3, place, 3, 1e-14);
    // in the frame of its principal axes, which are found to 1e-7 of the largest entry
    expect(tx_model_params(m, TX_PARAM_GEOM_SIZE, NULL), size, 3, 1e-12);
    expect(tx_model_params(m, TX_PARAM_GEOM_SIZE, NULL) + 3, size + 3, 3, 1e-8);
    expect(tx_model_data_array(m, TX_DATA_HFIELD_SIZE, NULL), field, 4, 1e-15);
    tx_model_destroy(m);
}

// every number of a keyframe has the scale of what it is of, places of free bodies that of the point of the world
static void keyframes_are_scaled(void **state) {
    (void)state;
    tx_model *m = load(
        "<mujoco><compiler angle='radian'/><worldbody><frame pos='1 2 3' euler='0.1 0.2 0.3' scale='2' massscale='3'>"
        "<body name='b'><joint name='s' type='slide' stiffness='1' springyield='0.1'/><geom size='1'/></body><body "
        "pos='4 0 0'><freejoint name='f'/><geom size='1'/></body></frame></worldbody><actuator><position "
        "joint='s'/><cylinder joint='s'/><motor joint='s'/><pid joint='s' input='pos vel "
        "ff'/></actuator><keyframe><key "
        "qpos='0.5 1 2 4 1 0 0 0' qvel='1 1 2 3 4 5 6' ctrl='1 1 1 1 1 1' act='1' plastic='0.3'/></keyframe></mujoco>");
    const double qpos[] = {1, 1, 2, 5, 1, 0, 0, 0}, qvel[] = {2, 2, 4, 6, 4, 5, 6}, ctrl[] = {2, 1.5, 1, 2, 2, 6},
                 act[] = {1.5}, plastic[] = {0.6};
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
    expect(tx_sim_array(sim, TX_ARRAY_QPOS), qpos, 8, 1e-15);
    expect(tx_sim_array(sim, TX_ARRAY_QVEL), qvel, 7, 1e-15);
    expect(tx_sim_array(sim, TX_ARRAY_CTRL), ctrl, 6, 1e-15);
    expect(tx_sim_array(sim, TX_ARRAY_ACT), act, 1, 1e-15);
    expect(tx_sim_array(sim, TX_ARRAY_PLASTIC), plastic, 1, 1e-15);
    tx_sim_destroy(sim), tx_model_destroy(m);
}

#define BODY(name, inside) \
    "<body><joint name='j" name "' type='slide'/><geom size='1'/><site name='" name "' pos='1 0 0'/>" inside "</body>"
#define FRAME(scale, inside) "<frame scale='" scale "'>" inside "</frame>"

// a tendon has the scale of the innermost frame in which all of its path stands
static void tendons_have_the_scale_of_a_common_frame(void **state) {
    (void)state;
    static const struct {
        const char *world;
        double stiffness, length, coef[2];
    } CASES[] = {{FRAME("2", BODY("s", "") BODY("t", "")), 40, 2, {1, 2}},
                 {FRAME("2", FRAME("2", BODY("s", "")) BODY("t", "")), 40, 2, {0.5, 2}},
                 {FRAME("2", BODY("s", "")) FRAME("2", BODY("t", "")), 5, 1, {0.5, 1}},
                 {FRAME("2", BODY("s", FRAME("4", BODY("t", "")))), 40, 2, {1, 0.5}},
                 {FRAME("3", FRAME("2", BODY("s", "")) FRAME("2", BODY("t", ""))), 135, 3, {0.5, 1}},
                 {FRAME("2", BODY("s", "")) BODY("t", ""), 5, 1, {0.5, 2}}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody>%s</worldbody><tendon><spatial stiffness='5' springlength='1'><site site='s'/>"
                 "<site site='t'/></spatial><fixed stiffness='5' springlength='1'><joint joint='js' coef='1'/><joint "
                 "joint='jt' coef='2'/></fixed></tendon></mujoco>",
                 CASES[i].world);
        tx_model *m = load(text);
        for (int t = 0; t < 2; t++) {
            assert_near(tx_model_params(m, TX_PARAM_TENDON_STIFFNESS, NULL)[t], CASES[i].stiffness, 1e-12);
            assert_near(tx_model_params(m, TX_PARAM_TENDON_LENGTHSPRING, NULL)[2 * t], CASES[i].length, 1e-15);
        }
        expect(tx_model_params(m, TX_PARAM_WRAP_COEF, NULL) + 2, CASES[i].coef, 2, 1e-15);
        tx_model_destroy(m);
    }
}

// maxhullvert: the corners that qhull adds first, and the mass of that hull. Numbers of MuJoCo 4.0.0
static void hulls_have_few_corners(void **state) {
    (void)state;
    static const int CORNERS[] = {0, 48, 61, 64, 67, 70, 96, 133};
    const char *text = "<mujoco><asset><mesh name='m' maxhullvert='8' inertia='convex' builtin='supersphere' "
                       "params='12 0.6 0.7'/></asset><worldbody><body><geom type='mesh' mesh='m'/></body></worldbody>"
                       "</mujoco>";
    tx_model *model = tx_load_string(text, strlen(text), "text", NULL);
    assert_non_null(model);
    assert_int_equal(tx_model_ints(model, TX_INT_MESH_HULLVERTNUM, NULL)[0], 8);
    assert_int_equal(tx_model_ints(model, TX_INT_MESH_HULLFACENUM, NULL)[0], 12);
    assert_int_equal(tx_model_ints(model, TX_INT_MESH_HULLMOST, NULL)[0], 8);
    const int *hull = tx_model_ints(model, TX_INT_HULL_VERT, NULL);
    for (int i = 0; i < 8; i++) {
        bool found = false;
        for (int k = 0; k < 8; k++) found |= hull[k] == CORNERS[i];
        assert_true(found);
    }
    assert_near(tx_model_params(model, TX_PARAM_BODY_MASS, NULL)[1], 1767.9397871512595, 1e-9);
    // a builder of it knows the bound
    tx_builder *again = tx_builder_from_model(model);
    tx_model *same = tx_builder_compile(again, NULL);
    assert_int_equal(tx_model_ints(same, TX_INT_MESH_HULLVERTNUM, NULL)[0], 8);
    tx_builder_destroy(again), tx_model_destroy(same), tx_model_destroy(model);
}

// <size nkey>: keyframes as at the start follow until there are so many; fewer change nothing
static void keyframes_are_filled_up(void **state) {
    (void)state;
    for (int n = -1; n < 5; n++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<mujoco><size nkey='%d'/><compiler angle='radian'/><worldbody><body><joint ref='0.5'/><geom "
                 "size='1'/></body></worldbody><keyframe><key name='a' qpos='1'/><key qvel='2'/></keyframe></mujoco>",
                 n);
        tx_model *m = load(text);
        const int count = tx_model_size(m, TX_SIZE_NKEY);
        assert_int_equal(count, n > 2 ? n : 2);
        for (int i = 0; i < count; i++) assert_near(tx_model_data_array(m, TX_DATA_KEY_QPOS, NULL)[i], i ? 0.5 : 1, 0);
        tx_model_destroy(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_and_height_fields_are_stretched), cmocka_unit_test(keyframes_are_scaled),
        cmocka_unit_test(tendons_have_the_scale_of_a_common_frame), cmocka_unit_test(hulls_have_few_corners),
        cmocka_unit_test(keyframes_are_filled_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
