// test_arguments.c - every public function refuses null pointers and indices out of range, says so, and nothing else
// happens. A function that is missing here fails the last test.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "thixis/thixis.h"

static const int OUTSIDE[] = {-1, -2000000000, 1000, 2147483647};
enum { OUTSIDES = sizeof OUTSIDE / sizeof OUTSIDE[0] };

static tx_model *one_ball(void) {
    static const char text[] = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='ball' pos='0 0 1'>"
                               "<freejoint/><geom name='g' size='0.1'/><site name='s'/></body></worldbody></mujoco>";
    tx_model *model = tx_load_string(text, sizeof text - 1, NULL, NULL);
    assert_non_null(model);
    return model;
}

#define REFUSED(call) assert_int_equal(call, TX_ERROR_ARGUMENT)
#define MINUS(call)   assert_int_equal(call, -1)

// ---- base
// ------------------------------------------------------------------------------------------------------------

static void release_nothing(void *context, void *memory) { (void)context, (void)memory; }
static void *allocate_nothing(void *context, size_t size, size_t alignment) {
    (void)context, (void)size, (void)alignment;
    return NULL;
}

static void base(void **state) {
    char text[8] = "xxxxxxx";
    tx_diag empty = {0};
    assert_string_equal(tx_result_text((tx_result)99), "unknown result");
    assert_string_equal(tx_result_text((tx_result)-1), "unknown result");
    // every result has words of its own
    for (int r = TX_OK; r <= TX_ERROR_DIVERGED; r++)
        for (int other = r + 1; other <= TX_ERROR_DIVERGED + 1; other++)
            assert_string_not_equal(tx_result_text((tx_result)r), tx_result_text((tx_result)other));
    assert_int_equal(tx_diag_format(NULL, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(tx_diag_format(&empty, 0, text, sizeof text), 0);
    assert_int_equal(tx_diag_format(&empty, -1, NULL, 0), 0);
    tx_diag_free(NULL);
    tx_diag_free(&empty);
    REFUSED(tx_set_allocator(&(tx_allocator){0}));
    REFUSED(tx_set_allocator(&(tx_allocator){.release = release_nothing}));
    REFUSED(tx_set_allocator(&(tx_allocator){.allocate = allocate_nothing}));
    assert_null(tx_list_name(TX_LIST_SIZE, -1)), MINUS(tx_list_find(TX_LIST_SIZE, NULL));
    for (int i = 0; i < OUTSIDES; i++) {
        assert_int_equal(tx_list_size((tx_list)OUTSIDE[i]), 0), MINUS(tx_list_find((tx_list)OUTSIDE[i], "nq"));
        assert_null(tx_list_name((tx_list)OUTSIDE[i], 0)), assert_null(tx_list_name(TX_LIST_INT, OUTSIDE[i]));
        assert_null(tx_list_meaning((tx_list)OUTSIDE[i], 0)), assert_null(tx_list_meaning(TX_LIST_LAW, OUTSIDE[i]));
    }
}

// definitions in place: a null pointer, and the size of another header's struct
#define PLACED(type)                                                               \
    {                                                                              \
        type def;                                                                  \
        REFUSED(type##_init(NULL, sizeof def));                                    \
        assert_int_equal(type##_init(&def, sizeof def + 8), TX_ERROR_UNSUPPORTED); \
        assert_int_equal(type##_init(&def, 0), TX_ERROR_UNSUPPORTED);              \
        assert_int_equal(type##_init(&def, sizeof def), TX_OK);                    \
    }
static void definitions(void **state) {
    PLACED(tx_options)
    PLACED(tx_compiler_def)
    PLACED(tx_body_def)
    PLACED(tx_joint_def)
    PLACED(tx_geom_def)
    PLACED(tx_site_def)
    PLACED(tx_sensor_def)
    PLACED(tx_motor_def)
    PLACED(tx_actuator_def)
    PLACED(tx_tendon_def)
    PLACED(tx_equality_def)
    PLACED(tx_pair_def)
    PLACED(tx_mesh_def)
    PLACED(tx_hfield_def)
    PLACED(tx_texture_def)
    PLACED(tx_key_def)
    PLACED(tx_exclude_def)
    PLACED(tx_load_options)
    PLACED(tx_sim_def)
    PLACED(tx_query_filter)
    PLACED(tx_sim_scene_def)
    tx_sim_def def;
    tx_sim_def_init(&def, sizeof def);
    assert_int_equal(def.envs, tx_default_sim_def().envs);
    tx_geom_def geom;
    tx_geom_def_init(&geom, sizeof geom);
    assert_near(geom.friction[0], 1, 0);
}

// ---- builder
// ---------------------------------------------------------------------------------------------------------

static void builder(void **state) {
    tx_options options = tx_default_options();
    tx_compiler_def compiler = tx_default_compiler_def();
    tx_body_def body = tx_default_body_def();
    tx_joint_def joint = tx_default_joint_def();
    tx_geom_def geom = tx_default_geom_def();
    tx_site_def site = tx_default_site_def();
    tx_camera_def camera = tx_default_camera_def();
    tx_motor_def motor = tx_default_motor_def();
    tx_actuator_def actuator = tx_default_actuator_def();
    tx_tendon_def tendon = tx_default_tendon_def();
    tx_equality_def equality = tx_default_equality_def();
    tx_pair_def pair = tx_default_pair_def();
    tx_mesh_def mesh = tx_default_mesh_def();
    tx_hfield_def hfield = tx_default_hfield_def();
    tx_texture_def texture = tx_default_texture_def();
    tx_sensor_def sensor = {0};
    tx_key_def key = {0};
    tx_exclude_def exclude = {0};
    const double v[3] = {0}, x[3] = {1}, y[3] = {0, 1}, line[6] = {0, 0, 0, 0, 0, 1};
    double quat[4], size[3], pos[3];
    assert_false(tx_quat_axisangle(NULL, x, 1) || tx_quat_axisangle(quat, NULL, 1) || tx_quat_axisangle(quat, v, 1));
    assert_false(tx_quat_euler(NULL, x, "xyz") || tx_quat_euler(quat, NULL, "xyz") || tx_quat_euler(quat, x, NULL));
    assert_false(tx_quat_euler(quat, x, "xy") || tx_quat_euler(quat, x, "xyq"));
    assert_false(tx_quat_xyaxes(NULL, x, y) || tx_quat_xyaxes(quat, NULL, y) || tx_quat_xyaxes(quat, x, NULL));
    assert_false(tx_quat_xyaxes(quat, x, x) || tx_quat_zaxis(NULL, x) || tx_quat_zaxis(quat, NULL));
    assert_false(tx_fromto(TX_GEOM_CAPSULE, NULL, size, pos, quat) ||
                 tx_fromto(TX_GEOM_CAPSULE, line, NULL, pos, quat));
    assert_false(tx_fromto(TX_GEOM_CAPSULE, line, size, NULL, quat) ||
                 tx_fromto(TX_GEOM_CAPSULE, line, size, pos, NULL));
    assert_false(tx_fromto(TX_GEOM_SPHERE, line, size, pos, quat) ||
                 tx_fromto((tx_geom_type)99, line, size, pos, quat));
    tx_builder *b = tx_builder_create();
    assert_non_null(b);
    REFUSED(tx_builder_name(NULL, "a"));
    REFUSED(tx_builder_options(NULL, &options)), REFUSED(tx_builder_options(b, NULL));
    REFUSED(tx_builder_gravity(NULL, v)), REFUSED(tx_builder_gravity(b, NULL));
    REFUSED(tx_builder_magnetic(NULL, v)), REFUSED(tx_builder_magnetic(b, NULL));
    REFUSED(tx_builder_medium(NULL, 0, 0, v)), REFUSED(tx_builder_medium(b, 0, 0, NULL));
    REFUSED(tx_builder_compiler(NULL, &compiler)), REFUSED(tx_builder_compiler(b, NULL));
    MINUS(tx_builder_body(NULL, 0, &body)), MINUS(tx_builder_body(b, 0, NULL));
    MINUS(tx_builder_joint(NULL, 0, &joint)), MINUS(tx_builder_joint(b, 0, NULL));
    MINUS(tx_builder_geom(NULL, 0, &geom)), MINUS(tx_builder_geom(b, 0, NULL));
    MINUS(tx_builder_site(NULL, 0, &site)), MINUS(tx_builder_site(b, 0, NULL));
    MINUS(tx_builder_camera(NULL, 0, &camera)), MINUS(tx_builder_camera(b, 0, NULL));
    for (int i = 0; i < OUTSIDES; i++) {
        MINUS(tx_builder_camera(b, OUTSIDE[i], &camera));
        MINUS(tx_builder_body(b, OUTSIDE[i], &body));
        MINUS(tx_builder_joint(b, OUTSIDE[i], &joint));
        MINUS(tx_builder_geom(b, OUTSIDE[i], &geom));
        MINUS(tx_builder_site(b, OUTSIDE[i], &site));
    }
    MINUS(tx_builder_sensor(NULL, &sensor)), MINUS(tx_builder_sensor(b, NULL));
    MINUS(tx_builder_motor(NULL, &motor)), MINUS(tx_builder_motor(b, NULL));
    MINUS(tx_builder_actuator(NULL, &actuator)), MINUS(tx_builder_actuator(b, NULL));
    MINUS(tx_builder_tendon(NULL, &tendon)), MINUS(tx_builder_tendon(b, NULL));
    tendon.count = 2; // without a path
    MINUS(tx_builder_tendon(b, &tendon));
    tendon.count = -1;
    MINUS(tx_builder_tendon(b, &tendon));
    MINUS(tx_builder_equality(NULL, &equality)), MINUS(tx_builder_equality(b, NULL));
    MINUS(tx_builder_attach(NULL, 0, b, "", NULL, NULL)), MINUS(tx_builder_attach(b, 0, NULL, "", NULL, NULL));
    MINUS(tx_builder_pair(NULL, &pair)), MINUS(tx_builder_pair(b, NULL));
    MINUS(tx_builder_mesh(NULL, &mesh)), MINUS(tx_builder_mesh(b, NULL));
    mesh.vertex_count = 4; // without vertices
    MINUS(tx_builder_mesh(b, &mesh));
    mesh.vertices = v, mesh.vertex_count = -1;
    MINUS(tx_builder_mesh(b, &mesh));
    mesh.vertex_count = TX_MESH_POINTS + 1;
    MINUS(tx_builder_mesh(b, &mesh));
    MINUS(tx_builder_hfield(NULL, &hfield)), MINUS(tx_builder_hfield(b, NULL));
    MINUS(tx_builder_texture(NULL, &texture)), MINUS(tx_builder_texture(b, NULL)),
        MINUS(tx_builder_texture(b, &texture));
    MINUS(tx_builder_key(NULL, &key)), MINUS(tx_builder_key(b, NULL));
    MINUS(tx_builder_exclude(NULL, &exclude)), MINUS(tx_builder_exclude(b, NULL));
    MINUS(tx_builder_mesh_file(b, NULL, NULL, NULL)), MINUS(tx_builder_mesh_file(NULL, NULL, "scenes/arm.xml", NULL));
    MINUS(tx_builder_hfield_file(b, NULL, NULL, NULL));
    MINUS(tx_builder_hfield_file(NULL, NULL, TX_SOURCE_DIR "/tests/data/hfield/gray.png", NULL));
    tx_diag diag = {0};
    assert_null(tx_builder_compile(NULL, &diag));
    assert_int_equal(diag.errors, 1);
    tx_diag_free(&diag);
    assert_null(tx_builder_from_model(NULL));
    assert_null(tx_broadphase_name(-1)), assert_null(tx_broadphase_name(99));
    assert_null(tx_narrowphase_name(-1)), assert_null(tx_narrowphase_name(99));
    assert_null(tx_coordinates_name(-1)), assert_null(tx_coordinates_name(99));
    // what was refused left nothing behind
    tx_model *model = tx_builder_compile(b, NULL);
    assert_int_equal(tx_model_size(model, TX_SIZE_NBODY), 1);
    double to[3];
    REFUSED(tx_state_to_maximal(NULL, model, v, v, to, to)), REFUSED(tx_state_to_maximal(model, NULL, v, v, to, to));
    REFUSED(tx_state_to_maximal(model, model, NULL, v, to, to)),
        REFUSED(tx_state_to_maximal(model, model, v, NULL, to, to));
    REFUSED(tx_state_to_maximal(model, model, v, v, NULL, to)),
        REFUSED(tx_state_to_maximal(model, model, v, v, to, NULL));
    REFUSED(tx_state_to_reduced(NULL, model, v, v, to, to)), REFUSED(tx_state_to_reduced(model, NULL, v, v, to, to));
    REFUSED(tx_state_to_reduced(model, model, NULL, v, to, to)),
        REFUSED(tx_state_to_reduced(model, model, v, NULL, to, to));
    REFUSED(tx_state_to_reduced(model, model, v, v, NULL, to)),
        REFUSED(tx_state_to_reduced(model, model, v, v, to, NULL));
    tx_model_destroy(model);
    tx_builder_destroy(b), tx_builder_destroy(NULL);
}

// ---- model and files
// -------------------------------------------------------------------------------------------------

static void model_and_files(void **state) {
    tx_model *model = one_ball();
    int count = 7;
    size_t size = 7;
    MINUS(tx_model_size(NULL, TX_SIZE_NV));
    assert_null(tx_model_ints(NULL, TX_INT_JNT_TYPE, &count)), assert_int_equal(count, 0);
    assert_null(tx_model_params(NULL, TX_PARAM_BODY_MASS, NULL)),
        assert_null(tx_model_data_array(NULL, TX_DATA_KEY_TIME, NULL));
    for (int i = 0; i < OUTSIDES; i++) {
        MINUS(tx_model_size(model, (tx_size)OUTSIDE[i]));
        count = 7;
        assert_null(tx_model_ints(model, (tx_model_int)OUTSIDE[i], &count)), assert_int_equal(count, 0);
        count = 7;
        assert_null(tx_model_params(model, (tx_param)OUTSIDE[i], &count)), assert_int_equal(count, 0);
        count = 7;
        assert_null(tx_model_data_array(model, (tx_model_data)OUTSIDE[i], &count)), assert_int_equal(count, 0);
        assert_null(tx_element_name(model, TX_ELEMENT_BODY, OUTSIDE[i]));
        assert_null(tx_element_name(model, (tx_element)OUTSIDE[i], 0));
        MINUS(tx_element_find(model, (tx_element)OUTSIDE[i], "ball"));
    }
    assert_null(tx_model_options(NULL)), assert_null(tx_model_name(NULL));
    assert_null(tx_element_name(NULL, TX_ELEMENT_BODY, 0));
    MINUS(tx_element_find(NULL, TX_ELEMENT_BODY, "ball")), MINUS(tx_element_find(model, TX_ELEMENT_BODY, NULL));
    assert_int_equal(tx_element_find(model, TX_ELEMENT_BODY, "ball"), 1);
    assert_null(tx_model_bytes(NULL, &size)), assert_int_equal(size, 0);
    assert_non_null(tx_model_bytes(model, NULL));
    tx_diag diag = {0};
    assert_null(tx_model_from_bytes(NULL, 100, &diag)), assert_null(tx_model_from_bytes("", 0, &diag));
    assert_null(tx_model_read(NULL, &diag)), assert_null(tx_load_file(NULL, &diag));
    assert_null(tx_load_file_with(NULL, NULL, &diag)), assert_null(tx_load_string(NULL, 0, NULL, &diag));
    assert_int_equal(diag.errors, 6);
    tx_diag_free(&diag);
    assert_null(tx_model_read(NULL, NULL)), assert_null(tx_load_file(NULL, NULL));
    REFUSED(tx_model_write(NULL, "a")), REFUSED(tx_model_write(model, NULL));
    assert_int_equal(tx_model_write(model, "/nowhere/a"), TX_ERROR_FILE);
    REFUSED(tx_save_mjcf(NULL, "a", NULL)), REFUSED(tx_save_mjcf(model, NULL, NULL));
    assert_int_equal(tx_save_mjcf(model, "/nowhere/a", NULL), TX_ERROR_FILE);
    tx_model_destroy(model), tx_model_destroy(NULL);
}

// ---- simulation
// ------------------------------------------------------------------------------------------------------

static void creation(void **state) {
    tx_model *model = one_ball();
    tx_sim_def good = tx_default_sim_def(), def;
    assert_null(tx_sim_create(NULL, &good)), assert_null(tx_sim_create(model, NULL));
#define BAD(field, value) (def = good, def.field = value, assert_null(tx_sim_create(model, &def)))
    BAD(envs, 0), BAD(envs, -1), BAD(threads, 0), BAD(threads, -5), BAD(threads, 100000);
    BAD(contact_room, -1), BAD(contact_room, 1 << 30), BAD(target, (tx_target_choice)99);
    BAD(target, (tx_target_choice)-1);
    // more than any machine has: refused at once, not killed later
    BAD(envs, 2000000000);
    tx_model_destroy(model);
}

static void simulation(void **state) {
    tx_model *model = one_ball();
    tx_sim_def def = tx_default_sim_def();
    def.envs = 3;
    tx_sim *sim = tx_sim_create(model, &def);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    uint64_t before = tx_sim_hash(sim);
    tx_options options = tx_sim_options(sim);
    double numbers[64] = {0}, matrix[36];
    char blob[16], text[64];
    tx_row row;
    int count = 7;

    long long offsets[4];
    assert_null(tx_sim_param_row(NULL, 0, TX_PARAM_BODY_MASS));
    assert_null(tx_sim_param_row(sim, 0, TX_PARAM_BODY_INVWEIGHT0)); // derived
    assert_near(tx_sim_param_row(sim, 2, TX_PARAM_GRAVITY)[2], -9.81, 0);
    tx_options_text(NULL, text, sizeof text), assert_string_equal(text, "wrong argument");
    tx_options_text(&options, text, sizeof text), assert_string_equal(text, "ok");
    options.iterations = -1, tx_options_text(&options, text, sizeof text), options.iterations = 100;
    assert_non_null(strstr(text, "iterations is -1"));
    tx_contact contact;
    assert_null(tx_sim_clone(NULL));
    MINUS(tx_sim_all_contacts(NULL, offsets, NULL, 0)), MINUS(tx_sim_all_contacts(sim, NULL, &contact, 1));
    MINUS(tx_sim_all_contacts(sim, offsets, NULL, 1)), MINUS(tx_sim_all_contacts(sim, offsets, &contact, -1));
    assert_null(tx_sim_model(NULL)), assert_int_equal(tx_sim_envs(NULL), 0), assert_null(tx_sim_target(NULL));
    assert_near(tx_sim_options(NULL).timestep, 0.002, 0);
    REFUSED(tx_sim_set_options(NULL, &options)), REFUSED(tx_sim_set_options(sim, NULL));
    assert_int_equal(tx_sim_convergence(NULL, 0).steps + tx_sim_convergence(sim, -1).steps, 0);
    assert_int_equal(tx_sim_convergence(sim, 1 << 20).steps, 0);
    assert_int_equal(tx_sim_violations(NULL, 0).contacts + tx_sim_violations(sim, -1).contacts, 0);
    assert_int_equal(tx_sim_violations(sim, 1 << 20).contacts, 0);
    const tx_contact none = {0};
    double wrench[6];
    REFUSED(tx_contact_wrench(NULL, wrench, wrench + 3)), REFUSED(tx_contact_wrench(&none, NULL, wrench));
    REFUSED(tx_contact_wrench(&none, wrench, NULL));
    REFUSED(tx_sim_write_problem(NULL, 0, "a")), REFUSED(tx_sim_write_problem(sim, 0, NULL));
    REFUSED(tx_sim_write_problem(sim, -1, "a")), REFUSED(tx_sim_write_problem(sim, 1 << 20, "a"));
    assert_null(tx_sim_array(NULL, TX_ARRAY_QPOS)), assert_int_equal(tx_sim_array_width(NULL, TX_ARRAY_QPOS), 0);
    assert_null(tx_sim_param(NULL, TX_PARAM_BODY_MASS)), REFUSED(tx_sim_params_changed(NULL));
    tx_sim_params_text(NULL, text, sizeof text), assert_string_equal(text, "wrong argument");
    assert_null(tx_sim_param(sim, TX_PARAM_BODY_INVWEIGHT0)); // derived
    REFUSED(tx_sim_reset(NULL, -1, NULL)), REFUSED(tx_sim_step(NULL)), REFUSED(tx_sim_step_n(NULL, 1));
    REFUSED(tx_sim_step_some(NULL, 1, NULL)), REFUSED(tx_sim_step_some(sim, -1, NULL));
    REFUSED(tx_sim_forward(NULL)), REFUSED(tx_sim_inverse(NULL, numbers, numbers));
    REFUSED(tx_sim_inverse(sim, NULL, numbers)), REFUSED(tx_sim_inverse(sim, numbers, NULL));
    REFUSED(tx_sim_rollout(NULL, 1, NULL, numbers)), REFUSED(tx_sim_rollout(sim, 1, NULL, NULL));
    REFUSED(tx_sim_rollout(sim, -1, NULL, numbers));
    REFUSED(tx_sim_step_n(sim, -1));
    REFUSED(tx_sim_jacobian(NULL, 0, 1, numbers, numbers, NULL));
    REFUSED(tx_sim_jacobian(sim, 0, 1, NULL, numbers, NULL));
    REFUSED(tx_sim_mass_matrix(NULL, 0, matrix)), REFUSED(tx_sim_mass_matrix(sim, 0, NULL));
    REFUSED(tx_sim_status(NULL, 0)), MINUS(tx_sim_awake(NULL, 0)), MINUS(tx_sim_diverged(NULL));
    assert_int_equal(tx_sim_info(NULL).env_steps, 0);
    tx_sim_info_clear(NULL);
    assert_null(tx_sim_contacts(NULL, 0, &count)), assert_int_equal(count, 0);
    assert_null(tx_sim_contacts(sim, 0, NULL));
    assert_int_equal(tx_sim_state_size(NULL), 0), assert_int_equal(tx_sim_hash(NULL), 0);
    REFUSED(tx_sim_save(NULL, blob, sizeof blob)), REFUSED(tx_sim_save(sim, NULL, 1 << 20));
    REFUSED(tx_sim_save(sim, blob, sizeof blob)); // too small
    REFUSED(tx_sim_restore(NULL, blob, sizeof blob)), REFUSED(tx_sim_restore(sim, NULL, tx_sim_state_size(sim)));
    REFUSED(tx_sim_restore(sim, blob, sizeof blob));
    MINUS(tx_sim_rows(NULL, 0, &row, NULL, 1)), MINUS(tx_sim_rows(sim, 0, NULL, NULL, 1));
    MINUS(tx_sim_rows(sim, 0, &row, NULL, -1));
    // between the state and the results there are numbers without an array
    assert_null(tx_sim_array(sim, TX_ARRAY_STATE_COUNT)), assert_null(tx_sim_array(sim, (tx_array)31));
    for (int i = 0; i < OUTSIDES; i++) {
        const int n = OUTSIDE[i];
        assert_null(tx_sim_array(sim, (tx_array)n)), assert_int_equal(tx_sim_array_width(sim, (tx_array)n), 0);
        assert_null(tx_sim_param(sim, (tx_param)n));
        assert_null(tx_sim_param_row(sim, n, TX_PARAM_BODY_MASS)), assert_null(tx_sim_param_row(sim, 0, (tx_param)n));
        assert_false(tx_solver_solves(n, 0) || tx_solver_solves(0, n)), assert_true(tx_solver_solves(0, 0));
        assert_int_equal(tx_law_solver(n), -1), assert_int_equal(tx_law_iterations(n), -1);
        assert_near(tx_law_tolerance(n), -1, 0);
        assert_false(tx_law_integrates(n, TX_INTEGRATOR_EULER) || tx_law_integrates(0, (tx_integrator)n));
        assert_int_equal(tx_target_lanes((tx_target_choice)n), 0);
        if (n >= 0) REFUSED(tx_sim_reset(sim, n, NULL));
        REFUSED(tx_sim_jacobian(sim, n, 1, numbers, numbers, NULL));
        REFUSED(tx_sim_jacobian(sim, 0, n, numbers, numbers, NULL));
        REFUSED(tx_sim_mass_matrix(sim, n, matrix)), REFUSED(tx_sim_status(sim, n)), MINUS(tx_sim_awake(sim, n));
        tx_sim_status_text(sim, n, text, sizeof text);
        assert_string_equal(text, "wrong argument");
        count = 7;
        assert_null(tx_sim_contacts(sim, n, &count)), assert_int_equal(count, 0);
        MINUS(tx_sim_rows(sim, n, &row, NULL, 1));
        assert_null(tx_stage_name((tx_stage)n)), assert_null(tx_law_name(n)), assert_null(tx_solver_name(n));
    }
    assert_true(tx_sim_hash(sim) == before);
    assert_int_equal(tx_sim_step(sim), TX_OK);
    tx_sim_destroy(sim), tx_sim_destroy(NULL), tx_model_destroy(model);
}

static void queries(void **state) {
    tx_model *model = one_ball();
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    const double from[3] = {0, 0, 5}, down[3] = {0, 0, -1}, none[3] = {0}, wild[3] = {0, NAN, 1};
    tx_ray_hit hit;
    tx_distance distance;
    tx_query_shape shape = {.type = TX_GEOM_SPHERE, .size = {0.1}, .quat = {1}};
    int count = 0, geom;
    REFUSED(tx_sim_ray(sim, 0, from, down, NULL, &hit)); // nothing was placed yet
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    REFUSED(tx_sim_ray(NULL, 0, from, down, NULL, &hit)), REFUSED(tx_sim_ray(sim, 0, NULL, down, NULL, &hit));
    REFUSED(tx_sim_ray(sim, 0, from, NULL, NULL, &hit)), REFUSED(tx_sim_ray(sim, 0, from, down, NULL, NULL));
    REFUSED(tx_sim_ray(sim, 0, from, none, NULL, &hit)), REFUSED(tx_sim_ray(sim, 0, wild, down, NULL, &hit));
    REFUSED(tx_sim_rays(NULL, 0, 1, from, down, NULL, &hit)), REFUSED(tx_sim_rays(sim, 0, -1, from, down, NULL, &hit));
    REFUSED(tx_sim_distance(NULL, 0, 0, 1, 1, &distance)), REFUSED(tx_sim_distance(sim, 0, 0, 1, 1, NULL));
    REFUSED(tx_sim_distance(sim, 0, 0, 0, 1, &distance)), REFUSED(tx_sim_distance(sim, 0, 0, 1, NAN, &distance));
    REFUSED(tx_sim_overlap(NULL, 0, &shape, NULL, &geom, 1, &count));
    REFUSED(tx_sim_overlap(sim, 0, NULL, NULL, &geom, 1, &count));
    REFUSED(tx_sim_overlap(sim, 0, &shape, NULL, NULL, 1, &count));
    REFUSED(tx_sim_overlap(sim, 0, &shape, NULL, &geom, -1, &count));
    REFUSED(tx_sim_overlap(sim, 0, &shape, NULL, &geom, 1, NULL));
    for (int i = 0; i < OUTSIDES; i++) {
        const int n = OUTSIDE[i];
        REFUSED(tx_sim_ray(sim, n, from, down, NULL, &hit)), REFUSED(tx_sim_rays(sim, n, 1, from, down, NULL, &hit));
        REFUSED(tx_sim_distance(sim, n, 0, 1, 1, &distance)), REFUSED(tx_sim_distance(sim, 0, n, 1, 1, &distance));
        REFUSED(tx_sim_distance(sim, 0, 0, n, 1, &distance));
        REFUSED(tx_sim_overlap(sim, n, &shape, NULL, &geom, 1, &count));
        shape.type = (tx_geom_type)n;
        assert_int_equal(tx_sim_overlap(sim, 0, &shape, NULL, &geom, 1, &count), TX_ERROR_UNSUPPORTED);
        shape.type = TX_GEOM_SPHERE;
    }
    shape.size[0] = -1;
    REFUSED(tx_sim_overlap(sim, 0, &shape, NULL, &geom, 1, &count));
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- pictures
// --------------------------------------------------------------------------------------------------------

static void pictures(void **state) {
    tx_model *model = one_ball();
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    tx_scene *scene = tx_scene_create();
    const double v[3] = {0, 0, 1};
    const float red[4] = {1, 0, 0, 1};
    tx_draw ball = tx_default_draw(TX_DRAW_SPHERE);
    tx_image image, empty = {0};
    tx_scene_destroy(NULL), tx_scene_clear(NULL), tx_scene_set_light(NULL, v), tx_scene_set_light(scene, NULL);
    tx_scene_set_checker(NULL, 1);
    assert_int_equal(tx_scene_skipped(NULL), 0), assert_int_equal(tx_scene_count(NULL), 0);
    assert_int_not_equal(tx_scene_add_draw(NULL, &ball), TX_OK),
        assert_int_not_equal(tx_scene_add_draw(scene, NULL), TX_OK);
    assert_int_not_equal(tx_scene_add_force(NULL, v, v, 1, red), TX_OK),
        assert_int_not_equal(tx_scene_add_force(scene, NULL, v, 1, red), TX_OK);
    assert_int_not_equal(tx_scene_add_force(scene, v, NULL, 1, red), TX_OK),
        assert_int_not_equal(tx_scene_add_force(scene, v, v, 1, NULL), TX_OK);
    assert_int_not_equal(tx_scene_add_line(NULL, v, v, 1, red), TX_OK),
        assert_int_not_equal(tx_scene_add_line(scene, NULL, v, 1, red), TX_OK);
    assert_int_not_equal(tx_scene_add_line(scene, v, NULL, 1, red), TX_OK),
        assert_int_not_equal(tx_scene_add_line(scene, v, v, 1, NULL), TX_OK);
    assert_int_equal(tx_scene_add_texture(NULL, 1, 1, false, &(int){0}), 0);
    assert_int_equal(tx_scene_add_texture(scene, 1, 1, false, NULL), 0);
    assert_int_not_equal(tx_scene_add_text(NULL, TX_CORNER_TOP_LEFT, "a"), TX_OK),
        assert_int_not_equal(tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, NULL), TX_OK);
    assert_int_equal(tx_scene_count(scene), 0);
    for (int i = 0; i < OUTSIDES; i++) {
        tx_draw odd = tx_default_draw((tx_draw_kind)OUTSIDE[i]);
        assert_int_equal(tx_scene_add_draw(scene, &odd), TX_OK);
        assert_int_equal(tx_scene_skipped(scene), i + 1);
        assert_int_not_equal(tx_scene_add_text(scene, (tx_corner)OUTSIDE[i], "a"), TX_OK);
        assert_int_not_equal(tx_image_alloc(&image, OUTSIDE[i], OUTSIDE[i] == 1000 ? 0 : 10), TX_OK);
        REFUSED(tx_scene_add_sim(scene, sim, OUTSIDE[i], NULL, NULL));
    }
    tx_camera camera = tx_scene_camera(NULL, 0, 0, 1), other = tx_scene_camera(NULL, NAN, INFINITY, -1);
    assert_true(camera.distance > 0 && other.distance > 0);
    assert_int_not_equal(tx_image_alloc(NULL, 10, 10), TX_OK);
    tx_image_free(NULL);
    assert_int_equal(tx_image_alloc(&image, 8, 8), TX_OK);
    assert_int_not_equal(tx_scene_render(NULL, &camera, &image), TX_OK),
        assert_int_not_equal(tx_scene_render(scene, NULL, &image), TX_OK);
    assert_int_not_equal(tx_scene_render(scene, &camera, NULL), TX_OK),
        assert_int_not_equal(tx_scene_render(scene, &camera, &empty), TX_OK);
    tx_diag diag = {0};
    REFUSED(tx_image_write_png(NULL, "a", NULL)), REFUSED(tx_image_write_png(&empty, "a", &diag));
    REFUSED(tx_image_write_png(&image, NULL, &diag)), REFUSED(tx_image_write_png(&image, NULL, NULL));
    assert_int_equal(diag.errors, 2);
    tx_diag_free(&diag);
    tx_draw draw;
    REFUSED(tx_draw_init(NULL, sizeof draw, TX_DRAW_BOX)), REFUSED(tx_draw_init(&draw, sizeof draw, TX_DRAW_COUNT));
    assert_int_equal(tx_draw_init(&draw, 8, TX_DRAW_BOX), TX_ERROR_UNSUPPORTED);
    REFUSED(tx_scene_add_sim(NULL, sim, 0, NULL, NULL)), REFUSED(tx_scene_add_sim(scene, NULL, 0, NULL, NULL));
    for (int i = 0; i < OUTSIDES; i++) {
        REFUSED(tx_scene_sim_camera(scene, sim, OUTSIDE[i], 0, &camera));
        REFUSED(tx_scene_sim_camera(scene, sim, 0, OUTSIDE[i], &camera));
    }
    REFUSED(tx_scene_sim_camera(scene, NULL, 0, 0, &camera)), REFUSED(tx_scene_sim_camera(scene, sim, 0, 0, NULL));
    tx_plot plot = {0};
    REFUSED(tx_plot_write_svg(NULL, "a")), REFUSED(tx_plot_write_svg(&plot, "a"));
    tx_image_free(&image), tx_scene_destroy(scene), tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- none is forgotten
// -----------------------------------------------------------------------------------------------

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

// names `tx_...(` at the start of a declaration that takes a pointer or a number
static void none_is_forgotten(void **state) {
    static const char *const HEADERS[] = {"base",  "builder", "load",      "model", "plot",
                                          "query", "render",  "sim_scene", "sim"};
    char *here = read_text(TX_SOURCE_DIR "/tests/test_arguments.c");
    int functions = 0, missing = 0;
    for (size_t h = 0; h < sizeof HEADERS / sizeof HEADERS[0]; h++) {
        char path[512];
        snprintf(path, sizeof path, "%s/include/thixis/%s.h", TX_SOURCE_DIR, HEADERS[h]);
        char *text = read_text(path), *rest = text;
        for (char *line; (line = strsep(&rest, "\n"));) {
            bool declares = strncmp(line, "TX_API ", 7) == 0;
            char *open = strchr(line, '('), *name = open;
            if (!declares || !open || strncmp(open, "(void)", 6) == 0) continue;
            while (name > line && name[-1] != ' ' && name[-1] != '*') name--;
            char call[80];
            snprintf(call, sizeof call, "%.*s(", (int)(open - name), name);
            // makes a definition out of numbers: every number is checked when the model is compiled
            if (strstr(call, "_actuator(") && !strstr(call, "tx_builder_")) continue;
            functions++;
            char placed[80]; // tx_x_init( as PLACED(tx_x)
            snprintf(placed, sizeof placed, "PLACED(%.*s)", (int)(strlen(call) - strlen("_init(")), call);
            if (strstr(here, call) || (strstr(call, "_init(") && strstr(here, placed))) continue;
            print_error("%s.h: %s is not called here\n", HEADERS[h], call);
            missing++;
        }
        free(text);
    }
    free(here);
    assert_true(functions > 90);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(base),
                                       cmocka_unit_test(definitions),
                                       cmocka_unit_test(builder),
                                       cmocka_unit_test(model_and_files),
                                       cmocka_unit_test(creation),
                                       cmocka_unit_test(simulation),
                                       cmocka_unit_test(queries),
                                       cmocka_unit_test(pictures),
                                       cmocka_unit_test(none_is_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
