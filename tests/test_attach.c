// test_attach.c - <attach>: which names, states and options a model has that is made of others. Numbers of keyframes as
// MuJoCo 3.12 has them; where its own keyframes are shorter than the whole model it mixes up their order, we do not.
// scenes/core_attach.xml compares masses, forces and motion (test_reference).
#include <unistd.h>

#include "near.h"
#include "reference.h"

#define FOLDER TX_SOURCE_DIR "/tests/data/attach/"

static tx_model *load(const char *name) {
    char path[512];
    snprintf(path, sizeof path, FOLDER "%s", name);
    tx_diag diag = {0};
    tx_model *model = tx_load_file(path, &diag);
    for (int i = 0; i < diag.count; i++) {
        char line[1024];
        tx_diag_format(&diag, i, line, sizeof line);
        print_message("%s\n", line);
    }
    assert_non_null(model);
    assert_int_equal(diag.count, 0);
    tx_diag_free(&diag);
    return model;
}

static void expect_names(const tx_model *model, tx_element kind, tx_size size, const char *const *names) {
    int count = tx_model_size(model, size);
    for (int i = 0; i < count; i++) {
        assert_non_null(names[i]);
        assert_string_equal(tx_element_name(model, kind, i), names[i]);
    }
    assert_null(names[count]);
}
#define NAMES(...) \
    (const char *const[]) { __VA_ARGS__, NULL }

static void names_get_the_prefix(void **state) {
    (void)state;
    tx_model *model = load("parent.xml");
    expect_names(model, TX_ELEMENT_BODY, TX_SIZE_NBODY,
                 NAMES("world", "own", "k/near", "k/loose", "k/far", "k/handle", "arm", "f/far"));
    expect_names(model, TX_ELEMENT_JOINT, TX_SIZE_NJNT, NAMES("k/turn", "k/loose", "k/far", "arm", "f/far"));
    expect_names(model, TX_ELEMENT_GEOM, TX_SIZE_NGEOM, NAMES("k/near", "", "k/far", "", "", "f/far"));
    expect_names(model, TX_ELEMENT_ACTUATOR, TX_SIZE_NU, NAMES("arm", "k/turn", "k/slow", "k/far", "f/far"));
    expect_names(model, TX_ELEMENT_SENSOR, TX_SIZE_NSENSOR, NAMES("k/turn", "k/far", "k/clock", "f/far", "f/clock"));
    expect_names(model, TX_ELEMENT_KEY, TX_SIZE_NKEY, NAMES("small", "full", "k/k", "k/rest", "f/k", "f/rest"));
    assert_int_equal(tx_model_size(model, TX_SIZE_NEXCLUDE), 1);
    tx_model_destroy(model);
}

static void expect_numbers(tx_sim *sim, tx_array array, int count, const double *numbers) {
    const double *ours = tx_sim_array(sim, array);
    for (int i = 0; i < count; i++) assert_near(ours[i], numbers[i], 1e-15);
}
#define NUMBERS(array, ...) \
    expect_numbers(sim, array, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})
#define PI 3.14159265358979323846

static void keyframes_find_their_joints(void **state) {
    (void)state;
    tx_model *model = load("parent.xml");
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);

    // one of the parent with numbers for its own joint only, the others as at the start
    tx_sim_reset(sim, 0, NULL);
    NUMBERS(TX_ARRAY_QPOS, PI / 2, 1, 2, 3, 1, 0, 0, 0, 0.5, 0.25, 0.5);
    NUMBERS(TX_ARRAY_ACT, 7, 0, 0, 0);
    NUMBERS(TX_ARRAY_MOCAP_POS, 6, 6, 6, 3, 3, 3);
    // one of the parent with numbers for all
    tx_sim_reset(sim, 1, NULL);
    NUMBERS(TX_ARRAY_QPOS, 1, 2, 3, 4, 1, 0, 0, 0, 5, 6, 7);
    // of the child, all of it attached
    tx_sim_reset(sim, 2, NULL);
    NUMBERS(TX_ARRAY_QPOS, 0.1, 4, 5, 6, 0, 1, 0, 0, 0.2, PI / 4, 0.5);
    NUMBERS(TX_ARRAY_QVEL, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0);
    NUMBERS(TX_ARRAY_ACT, 0, 11, 12, 0);
    NUMBERS(TX_ARRAY_CTRL, 0, 21, 22, 23, 0);
    NUMBERS(TX_ARRAY_MOCAP_POS, 5, 5, 5, 9, 8, 7);
    NUMBERS(TX_ARRAY_TIME, 2);
    // an empty one is the start
    tx_sim_reset(sim, 3, NULL);
    NUMBERS(TX_ARRAY_QPOS, PI / 2, 1, 2, 3, 1, 0, 0, 0, 0.5, PI / 4, 0.5);
    // of the child, one body attached: its numbers are the last of each list
    tx_sim_reset(sim, 4, NULL);
    NUMBERS(TX_ARRAY_QPOS, PI / 2, 1, 2, 3, 1, 0, 0, 0, 0.5, PI / 4, 0.2);
    NUMBERS(TX_ARRAY_QVEL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8);
    NUMBERS(TX_ARRAY_ACT, 0, 0, 0, 12);
    NUMBERS(TX_ARRAY_CTRL, 0, 0, 0, 0, 23);
    NUMBERS(TX_ARRAY_MOCAP_POS, 5, 5, 5, 3, 3, 3);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

static void nested_models_have_both_prefixes(void **state) {
    (void)state;
    tx_model *model = load_scene("core_attach");
    json_t *ref = load_reference("core_attach");
    const struct {
        const char *name;
        tx_element kind;
        tx_size size;
    } kinds[] = {{"body", TX_ELEMENT_BODY, TX_SIZE_NBODY},
                 {"joint", TX_ELEMENT_JOINT, TX_SIZE_NJNT},
                 {"geom", TX_ELEMENT_GEOM, TX_SIZE_NGEOM}};
    for (int k = 0; k < 3; k++) {
        const json_t *names = json_object_get(json_object_get(ref, "names"), kinds[k].name);
        assert_int_equal(tx_model_size(model, kinds[k].size), json_array_size(names));
        for (size_t i = 0; i < json_array_size(names); i++)
            assert_string_equal(tx_element_name(model, kinds[k].kind, (int)i),
                                json_string_value(json_array_get(names, i)));
    }
    json_decref(ref);
    tx_model_destroy(model);
}

// conflict="merge": what only the child gives, and of two values the more careful one
static void options_are_merged(void **state) {
    (void)state;
    tx_model *model = load("merge.xml");
    tx_options o = *tx_model_options(model);
    assert_near(o.timestep, 0.001, 0);                 // the smaller
    assert_near(o.tolerance, 1e-9, 0);                 // the parent's, smaller
    assert_int_equal(o.iterations, 30);                // the larger
    assert_int_equal(o.ls_iterations, 40);             // the parent's, larger
    assert_near(o.impratio, 5, 0);                     // the child's alone
    assert_int_equal(o.integrator, TX_INTEGRATOR_RK4); // the same in both
    assert_false(o.contact);                           // switched off by the child
    assert_false(o.gravity);                           // by the parent; that the child has it on changes nothing
    tx_model_destroy(model);
}

// a model between two others hands on what it took
static void options_are_merged_through_models(void **state) {
    (void)state;
    tx_model *model = load("merge_outer.xml");
    tx_options o = *tx_model_options(model);
    assert_near(o.timestep, 0.001, 0);
    assert_near(o.impratio, 5, 0);
    assert_int_equal(o.integrator, TX_INTEGRATOR_RK4);
    assert_false(o.contact);
    assert_true(o.gravity);
    // of what the models say, only what is not usual counts as said: fewer iterations than usual are taken too
    assert_int_equal(o.iterations, 30);
    tx_model_destroy(model);
}

static void write_text(const char *folder, const char *name, const char *text) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file), fclose(file);
}

// a keyframe of an attached model leaves what it does not know where it stands: bodies that are moved by hand too
static void keyframes_leave_the_others(void **state) {
    (void)state;
    char folder[] = "/tmp/thixis_attach_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    write_text(folder, "child.xml",
               "<mujoco><worldbody><body name='c' mocap='true' pos='7 8 9'><geom size='1'/></body></worldbody>"
               "<keyframe><key name='k' mpos='1 2 3' mquat='0 1 0 0'/></keyframe></mujoco>");
    write_text(
        folder, "parent.xml",
        "<mujoco><asset><model name='m' file='child.xml'/></asset><worldbody><body name='p' mocap='true' "
        "pos='4 5 6' quat='0.6 0 0.8 0'><geom size='1'/></body><attach model='m' prefix='m/'/></worldbody></mujoco>");
    snprintf(path, sizeof path, "%s/parent.xml", folder);
    tx_diag diag = {0};
    tx_model *model = must_have(tx_load_file(path, &diag), &diag);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
    NUMBERS(TX_ARRAY_MOCAP_POS, 4, 5, 6, 1, 2, 3);
    NUMBERS(TX_ARRAY_MOCAP_QUAT, 0.6, 0, 0.8, 0, 0, 1, 0, 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
    unlink(path), snprintf(path, sizeof path, "%s/child.xml", folder), unlink(path), rmdir(folder);
}

// numbers as MuJoCo 4.0.0 has them: keyframes are not copied, and those of an attached model are the first copy's
static void keyframes_are_those_of_the_first_copy(void **state) {
    (void)state;
    char folder[] = "/tmp/thixis_attach_XXXXXX", path[64], text[1024];
    assert_non_null(mkdtemp(folder));
    // keyframes may stand before what they have numbers for
    write_text(folder, "leg.xml",
               "<mujoco><keyframe><key name='bent' qpos='0.5 -1' ctrl='3'/></keyframe><worldbody><body name='thigh'>"
               "<joint name='hip'/><geom size='1'/><body><joint name='knee'/><geom size='1'/></body></body></worldbody>"
               "<actuator><motor name='m' joint='knee'/></actuator></mujoco>");
    static const char *const ATTACH = "<attach model='leg' body='thigh' prefix='%s'/>";
    for (int outer = 0; outer < 3; outer++) {
        char a[128], b[128];
        snprintf(a, sizeof a, ATTACH, "a_"), snprintf(b, sizeof b, ATTACH, "b_");
        snprintf(
            text, sizeof text,
            "<mujoco><asset><model name='leg' file='leg.xml'/></asset><worldbody><body><joint/><geom size='1'/></body>"
            "<replicate count='%d' offset='0 9 0'><replicate count='2' offset='3 0 0'>%s%s</replicate></replicate>"
            "</worldbody></mujoco>",
            outer, a, b);
        write_text(folder, "parent.xml", text);
        snprintf(path, sizeof path, "%s/parent.xml", folder);
        tx_diag diag = {0};
        tx_model *model = tx_load_file(path, &diag);
        assert_non_null(model);
        // without copies actuators go too, and there is nothing that the keyframes say
        assert_int_equal(tx_model_size(model, TX_SIZE_NU), 4 * outer);
        assert_int_equal(tx_model_size(model, TX_SIZE_NKEY), outer ? 2 : 0);
        assert_int_equal(diag.count, outer ? 0 : 2);
        tx_diag_free(&diag);
        tx_sim_def def = tx_default_sim_def();
        tx_sim *sim = tx_sim_create(model, &def);
        if (outer) {
            assert_int_equal(tx_sim_reset(sim, 0, NULL), TX_OK);
            NUMBERS(TX_ARRAY_QPOS, 0, 0.5, -1, 0, 0, 0, 0, 0, 0);
            NUMBERS(TX_ARRAY_CTRL, 3, 0, 0, 0);
            assert_int_equal(tx_sim_reset(sim, 1, NULL), TX_OK);
            NUMBERS(TX_ARRAY_QPOS, 0, 0, 0, 0.5, -1, 0, 0, 0, 0);
            NUMBERS(TX_ARRAY_CTRL, 0, 3, 0, 0);
        }
        tx_sim_destroy(sim), tx_model_destroy(model);
    }
    unlink(path), snprintf(path, sizeof path, "%s/leg.xml", folder), unlink(path), rmdir(folder);
}

// <tuple> of thixis says numbers of geoms; those of a geom that stays behind stay behind too
static void materials_come_with_their_geoms(void **state) {
    (void)state;
    char folder[] = "/tmp/thixis_attach_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    write_text(folder, "child.xml",
               "<mujoco><custom><tuple name='thixis.stiffness'><element objtype='geom' objname='g' prm='500'/>"
               "<element objtype='geom' objname='h' prm='700'/></tuple></custom><worldbody>"
               "<body name='c'><geom name='g' size='1'/></body><body name='d'><geom name='h' size='1'/></body>"
               "</worldbody></mujoco>");
    write_text(folder, "parent.xml",
               "<mujoco><asset><model name='m' file='child.xml'/></asset><worldbody><geom name='h' size='1'/>"
               "<attach model='m' body='c' prefix='m/'/></worldbody></mujoco>");
    snprintf(path, sizeof path, "%s/parent.xml", folder);
    tx_diag diag = {0};
    tx_model *model = must_have(tx_load_file(path, &diag), &diag);
    int count;
    const double *stiffness = tx_model_params(model, TX_PARAM_GEOM_STIFFNESS, &count);
    assert_int_equal(count, 2);
    assert_true(stiffness[tx_element_find(model, TX_ELEMENT_GEOM, "m/g")] == 500);
    assert_true(stiffness[tx_element_find(model, TX_ELEMENT_GEOM, "h")] < 500);
    tx_model_destroy(model);
    unlink(path), snprintf(path, sizeof path, "%s/child.xml", folder), unlink(path), rmdir(folder);
}

// each of these files but the last names the next one twice: that would be read 2048 times
static void few_files_that_mean_many_are_refused(void **state) {
    (void)state;
    char folder[] = "/tmp/thixis_attach_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 12; i++) {
        snprintf(path, sizeof path, "%s/%d.xml", folder, i);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "<mujoco><asset>");
        for (int twice = 0; i < 11 && twice < 2; twice++)
            fprintf(file, "<model name='%d' file='%d.xml'/>", twice, i + 1);
        fprintf(file, "</asset></mujoco>");
        fclose(file);
    }
    tx_diag diag = {0};
    snprintf(path, sizeof path, "%s/0.xml", folder);
    assert_null(tx_load_file(path, &diag));
    bool said = false;
    for (int i = 0; i < diag.count; i++) said |= strstr(diag.messages[i].text, "too many models") != NULL;
    assert_true(said);
    tx_diag_free(&diag);
    for (int i = 0; i < 12; i++) {
        snprintf(path, sizeof path, "%s/%d.xml", folder, i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

// a finger of two parts with everything that has a name, as its own model or inside another; % is the prefix
#define FINGER_ASSETS "<mesh name='%wedge' vertex='0 0 0 .1 0 0 0 .1 0 0 0 .1'/>"
#define FINGER_BODIES                                                                                                  \
    "<geom name='%base' type='capsule' size='.02' fromto='0 0 0 .1 0 .05' mass='0'/><site name='%root' pos='0 0 "      \
    ".02'/>"                                                                                                           \
    "<camera name='%eye' pos='0 1 0' mode='targetbody' target='%tip'/>"                                                \
    "<body name='%first' pos='.1 0 0' quat='1 .2 0 0'><joint name='%bend' axis='0 1 0' damping='.01' range='-50 60'/>" \
    "<geom name='%link' type='box' size='.05 .02 .02' pos='.05 0 0'/><site name='%knuckle' pos='.1 .02 0'/>"           \
    "<body name='%tip' pos='.1 0 0'><joint name='%ball' type='ball' stiffness='.1'/>"                                  \
    "<geom name='%end' type='mesh' mesh='%wedge'/></body></body>"
#define FINGER_REST                                                                                               \
    "<contact><exclude body1='%first' body2='%tip'/><pair geom1='%base' geom2='%end' condim='1'/></contact>"      \
    "<tendon><spatial name='%wire' stiffness='20'><site site='%root'/><site site='%knuckle'/></spatial></tendon>" \
    "<equality><connect name='%hold' body1='%tip' body2='%first' anchor='0 0 .05' active='false'/></equality>"    \
    "<actuator><motor name='%pull' tendon='%wire'/><orientation name='%turn' joint='%ball' kp='.3'/></actuator>"  \
    "<sensor><actuatorfrc name='%felt' actuator='%turn'/>"                                                        \
    "<framepos name='%seen' objtype='site' objname='%knuckle' reftype='site' refname='%root'/></sensor>"

// every % of a text becomes the prefix
static void write_part(char *to, size_t size, const char *text, const char *prefix) {
    size_t used = strlen(to);
    for (; *text && used + strlen(prefix) + 2 < size; text++) {
        const char one[2] = {*text, 0}, *piece = *text == '%' ? prefix : one;
        memcpy(to + used, piece, strlen(piece) + 1);
        used += strlen(piece);
    }
}

// two fingers attached by the builder are the model that is written out by hand
static void a_builder_inside_another(void **state) {
    static char part[8192], whole[16384];
    const char *const PREFIX[] = {"left_", "right_"};
    const double pos[3] = {0.2, -0.1, 0.3}, quat[4] = {1.8, 0.2, -0.4, 0.6};
    part[0] = whole[0] = 0;
    write_part(
        part, sizeof part,
        "<mujoco><asset>" FINGER_ASSETS "</asset><worldbody>" FINGER_BODIES "</worldbody>" FINGER_REST "</mujoco>", "");
    write_part(whole, sizeof whole, "<mujoco><asset>", "");
    for (int i = 0; i < 2; i++) write_part(whole, sizeof whole, FINGER_ASSETS, PREFIX[i]);
    write_part(whole, sizeof whole,
               "</asset><worldbody><body name='palm'><joint name='wrist'/><geom type='box' size='.1 .1 .1'/>"
               "<frame pos='.2 -.1 .3' quat='1.8 .2 -.4 .6'>",
               "");
    write_part(whole, sizeof whole, FINGER_BODIES, PREFIX[0]);
    write_part(whole, sizeof whole, "</frame>" FINGER_BODIES "</body></worldbody>", PREFIX[1]);
    for (int i = 0; i < 2; i++) write_part(whole, sizeof whole, FINGER_REST, PREFIX[i]);
    write_part(whole, sizeof whole, "</mujoco>", "");

    tx_model *finger = tx_load_string(part, strlen(part), "part", NULL), *model[2];
    assert_non_null(finger);
    tx_builder *piece = tx_builder_from_model(finger), *b = tx_builder_create();
    tx_body_def palm = tx_default_body_def();
    palm.name = "palm";
    int body = tx_builder_body(b, 0, &palm);
    tx_joint_def wrist = tx_default_joint_def();
    wrist.name = "wrist";
    tx_builder_joint(b, body, &wrist);
    tx_geom_def box = tx_default_geom_def();
    box.type = TX_GEOM_BOX, box.size[0] = box.size[1] = box.size[2] = 0.1, box.sizes_given = 3;
    tx_builder_geom(b, body, &box);
    assert_int_equal(tx_builder_attach(b, body, piece, PREFIX[0], pos, quat), 2);
    assert_int_equal(tx_builder_attach(b, body, piece, PREFIX[1], NULL, NULL), 4);
    assert_int_equal(tx_builder_attach(b, 9, piece, "", NULL, NULL), -1);
    assert_int_equal(tx_builder_attach(b, body, piece, "", NULL, (const double[4]){0}), -1);
    tx_diag diag = {0};
    model[0] = tx_builder_compile(b, &diag);
    if (!model[0]) fail_msg("%s", diag.messages[0].text);
    model[1] = tx_load_string(whole, strlen(whole), "whole", &diag);
    if (!model[1]) fail_msg("%s", diag.messages[0].text);
    static const struct {
        tx_element kind;
        tx_size size;
    } KINDS[] = {{TX_ELEMENT_BODY, TX_SIZE_NBODY},     {TX_ELEMENT_JOINT, TX_SIZE_NJNT},
                 {TX_ELEMENT_GEOM, TX_SIZE_NGEOM},     {TX_ELEMENT_SITE, TX_SIZE_NSITE},
                 {TX_ELEMENT_CAMERA, TX_SIZE_NCAM},    {TX_ELEMENT_TENDON, TX_SIZE_NTENDON},
                 {TX_ELEMENT_EQUALITY, TX_SIZE_NEQ},   {TX_ELEMENT_ACTUATOR, TX_SIZE_NACTUATOR},
                 {TX_ELEMENT_SENSOR, TX_SIZE_NSENSOR}, {TX_ELEMENT_MESH, TX_SIZE_NMESH}};
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        assert_int_equal(tx_model_size(model[0], KINDS[k].size), tx_model_size(model[1], KINDS[k].size));
        for (int i = 0; i < tx_model_size(model[0], KINDS[k].size); i++)
            assert_string_equal(tx_element_name(model[0], KINDS[k].kind, i),
                                tx_element_name(model[1], KINDS[k].kind, i));
    }
    tx_sim *sim[2];
    for (int k = 0; k < 2; k++) {
        tx_sim_def def = tx_default_sim_def();
        sim[k] = tx_sim_create(model[k], &def);
        for (int i = 0; i < tx_model_size(model[k], TX_SIZE_NU); i++) tx_sim_array(sim[k], TX_ARRAY_CTRL)[i] = 0.1 * i;
        tx_sim_step_n(sim[k], 50);
    }
    for (int i = 0; i < tx_model_size(model[0], TX_SIZE_NQ); i++)
        assert_near(tx_sim_array(sim[0], TX_ARRAY_QPOS)[i], tx_sim_array(sim[1], TX_ARRAY_QPOS)[i], 1e-11);
    for (int i = 0; i < tx_model_size(model[0], TX_SIZE_NSENSORDATA); i++)
        assert_near(tx_sim_array(sim[0], TX_ARRAY_SENSORDATA)[i], tx_sim_array(sim[1], TX_ARRAY_SENSORDATA)[i], 1e-11);
    // a builder may come into itself
    const int bodies = tx_model_size(model[0], TX_SIZE_NBODY);
    assert_int_equal(tx_builder_attach(b, 0, b, "again_", pos, NULL), bodies);
    tx_model *twice = tx_builder_compile(b, &diag);
    assert_non_null(twice);
    assert_int_equal(tx_model_size(twice, TX_SIZE_NBODY), 2 * bodies - 1);
    assert_int_equal(tx_model_size(twice, TX_SIZE_NACTUATOR), 2 * tx_model_size(model[0], TX_SIZE_NACTUATOR));
    for (int k = 0; k < 2; k++) tx_sim_destroy(sim[k]), tx_model_destroy(model[k]);
    tx_model_destroy(twice), tx_model_destroy(finger), tx_builder_destroy(piece), tx_builder_destroy(b);
    tx_diag_free(&diag);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_builder_inside_another),
                                       cmocka_unit_test(names_get_the_prefix),
                                       cmocka_unit_test(keyframes_find_their_joints),
                                       cmocka_unit_test(nested_models_have_both_prefixes),
                                       cmocka_unit_test(options_are_merged),
                                       cmocka_unit_test(options_are_merged_through_models),
                                       cmocka_unit_test(keyframes_leave_the_others),
                                       cmocka_unit_test(keyframes_are_those_of_the_first_copy),
                                       cmocka_unit_test(materials_come_with_their_geoms),
                                       cmocka_unit_test(few_files_that_mean_many_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
