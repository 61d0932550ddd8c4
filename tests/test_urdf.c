// test_urdf.c - URDF: our scenes against MuJoCo 3.12's import, every rule of the import, where files are sought, and
// what is said about mistakes.
#include <dlfcn.h>
#include <unistd.h>

#include "reference.h"

// ---- against MuJoCo ------------------------------------------------------------------------------------------------

static const char *const SCENES[] = {"urdf_arm", "urdf_base", "urdf_gripper"};

// a miss is printed and counted, so that one run shows them all
static int miss(const char *scene, const char *what, double error, double bound) {
    bool ok = error <= bound;
    if (!ok || getenv("TX_VERBOSE")) printf("%s %s: %.2e %s %.0e\n", scene, what, error, ok ? "<=" : "ABOVE", bound);
    return !ok;
}

static const json_t *member(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (!value) fail_msg("the reference has no %s", name);
    return value;
}

static double int_error(const json_t *theirs, const int *ours, int count) {
    double worst = (int)json_array_size(theirs) == count ? 0 : INFINITY;
    for (int i = 0; i < count; i++) {
        const json_t *value = json_array_get(theirs, (size_t)i);
        worst = fmax(worst, fabs(ours[i] - (json_is_true(value) ? 1 : json_number_value(value))));
    }
    return worst;
}

// q and -q are the same
static double quat_error(const json_t *theirs, const double *ours, int count) {
    double worst = (int)json_array_size(theirs) == count ? 0 : INFINITY;
    for (int i = 0; i < count; i += 4) {
        double plus = 0, minus = 0;
        for (int k = i; k < i + 4; k++) {
            plus = fmax(plus, fabs(ours[k] - number_at(theirs, k)));
            minus = fmax(minus, fabs(ours[k] + number_at(theirs, k)));
        }
        worst = fmax(worst, fmin(plus, minus));
    }
    return worst;
}

static int check_names(const char *scene, const tx_model *model, const json_t *names) {
    static const struct {
        const char *name;
        tx_element kind;
        tx_size size;
    } KINDS[] = {{"body", TX_ELEMENT_BODY, TX_SIZE_NBODY},
                 {"joint", TX_ELEMENT_JOINT, TX_SIZE_NJNT},
                 {"geom", TX_ELEMENT_GEOM, TX_SIZE_NGEOM}};
    int misses = 0;
    for (int k = 0; k < 3; k++) {
        const json_t *list = member(names, KINDS[k].name);
        int count = tx_model_size(model, KINDS[k].size);
        misses += miss(scene, KINDS[k].name, abs(count - (int)json_array_size(list)), 0);
        for (int i = 0; i < count; i++)
            misses += miss(scene, KINDS[k].name,
                           strcmp(tx_element_name(model, KINDS[k].kind, i),
                                  json_string_value(json_array_get(list, (size_t)i))) != 0,
                           0);
    }
    return misses;
}

static int check_compiled(const char *scene, const tx_model *model, const json_t *ref) {
    static const struct {
        tx_param field;
        const char *name;
        bool quat;
    } PARAMS[] = {{TX_PARAM_BODY_MASS, "body_mass", false},
                  {TX_PARAM_BODY_INERTIA, "body_inertia", false},
                  {TX_PARAM_BODY_IPOS, "body_ipos", false},
                  {TX_PARAM_BODY_IQUAT, "body_iquat", true},
                  {TX_PARAM_BODY_POS, "body_pos", false},
                  {TX_PARAM_BODY_QUAT, "body_quat", true},
                  {TX_PARAM_BODY_INVWEIGHT0, "body_invweight0", false},
                  {TX_PARAM_DOF_INVWEIGHT0, "dof_invweight0", false},
                  {TX_PARAM_DOF_DAMPING, "dof_damping", false},
                  {TX_PARAM_DOF_FRICTIONLOSS, "dof_frictionloss", false},
                  {TX_PARAM_JNT_AXIS, "jnt_axis", false},
                  {TX_PARAM_JNT_RANGE, "jnt_range", false},
                  {TX_PARAM_JNT_ACTFRCRANGE, "jnt_actfrcrange", false},
                  {TX_PARAM_GEOM_SIZE, "geom_size", false},
                  {TX_PARAM_GEOM_POS, "geom_pos", false},
                  {TX_PARAM_GEOM_QUAT, "geom_quat", true},
                  {TX_PARAM_QPOS0, "qpos0", false}};
    static const struct {
        tx_model_int field;
        const char *name;
    } INTS[] = {{TX_INT_BODY_PARENT, "body_parentid"},
                {TX_INT_JNT_TYPE, "jnt_type"},
                {TX_INT_JNT_BODY, "jnt_bodyid"},
                {TX_INT_JNT_LIMITED, "jnt_limited"},
                {TX_INT_JNT_ACTFRCLIMITED, "jnt_actfrclimited"},
                {TX_INT_GEOM_TYPE, "geom_type"},
                {TX_INT_GEOM_BODY, "geom_bodyid"},
                {TX_INT_GEOM_CONTYPE, "geom_contype"},
                {TX_INT_GEOM_CONAFFINITY, "geom_conaffinity"},
                {TX_INT_GEOM_GROUP, "geom_group"}};
    int misses = check_names(scene, model, member(ref, "names")), count;
    for (size_t i = 0; i < sizeof PARAMS / sizeof PARAMS[0]; i++) {
        const double *ours = tx_model_params(model, PARAMS[i].field, &count);
        const json_t *theirs = member(ref, PARAMS[i].name);
        double error = PARAMS[i].quat ? quat_error(theirs, ours, count) : relative_error(theirs, ours, count, 1e-3);
        misses += miss(scene, PARAMS[i].name, error, 1e-10);
    }
    for (size_t i = 0; i < sizeof INTS / sizeof INTS[0]; i++) {
        const int *ours = tx_model_ints(model, INTS[i].field, &count);
        misses += miss(scene, INTS[i].name, int_error(member(ref, INTS[i].name), ours, count), 0);
    }
    const double *rgba = tx_model_data_array(model, TX_DATA_GEOM_RGBA, &count);
    return misses + miss(scene, "geom_rgba", relative_error(member(ref, "geom_rgba"), rgba, count, 1), 1e-7);
}

// contacts are off in these numbers: they belong to the shapes, not to the file
static int check_moving(const char *scene, const tx_model *model, const json_t *moving) {
    static const struct {
        tx_array field;
        const char *name;
    } ARRAYS[] = {{TX_ARRAY_QFRC_BIAS, "qfrc_bias"},
                  {TX_ARRAY_QFRC_PASSIVE, "qfrc_passive"},
                  {TX_ARRAY_QACC_SMOOTH, "qacc_smooth"},
                  {TX_ARRAY_QACC, "qacc"}};
    static const char *const STEPS[] = {"1", "10", "100"};
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    tx_options options = tx_sim_options(sim);
    options.contact = false, options.tolerance = 0, options.ls_tolerance = 1e-6, options.iterations = 2000;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV), misses = 0;
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS), *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int i = 0; i < nq; i++) qpos[i] = number_at(member(moving, "qpos"), i);
    for (int i = 0; i < nv; i++) qvel[i] = number_at(member(moving, "qvel"), i);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    double *M = malloc(sizeof *M * (size_t)(nv * nv));
    assert_int_equal(tx_sim_mass_matrix(sim, 0, M), TX_OK);
    misses += miss(scene, "M", relative_error(member(moving, "M"), M, nv * nv, 1), 1e-10);
    free(M);
    for (size_t i = 0; i < sizeof ARRAYS / sizeof ARRAYS[0]; i++) {
        const double *ours = tx_sim_array(sim, ARRAYS[i].field);
        misses += miss(scene, ARRAYS[i].name, relative_error(member(moving, ARRAYS[i].name), ours, nv, 1), 1e-10);
    }
    for (int i = 0, done = 0; i < 3; i++) {
        for (; done < atoi(STEPS[i]); done++) assert_int_equal(tx_sim_step(sim), TX_OK);
        const json_t *state = member(member(moving, "states"), STEPS[i]);
        misses += miss(scene, "qpos", relative_error(member(state, "qpos"), qpos, nq, 1), 1e-9);
        misses += miss(scene, "qvel", relative_error(member(state, "qvel"), qvel, nv, 1), 1e-9);
    }
    tx_sim_destroy(sim);
    return misses;
}

// links without <inertial> weigh what their shapes do, as MuJoCo reads them
static tx_model *load_urdf_scene(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/urdf/%s.urdf", TX_SOURCE_DIR, name + strlen("urdf_"));
    tx_load_options options = tx_default_load_options();
    options.collision_mass = true;
    tx_diag diag = {0};
    tx_model *model = tx_load_file_with(path, &options, &diag);
    assert_non_null(model);
    tx_diag_free(&diag);
    return model;
}

static void scenes_agree_with_mujoco(void **state) {
    int misses = 0;
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; i++) {
        tx_model *model = load_urdf_scene(SCENES[i]);
        json_t *ref = load_reference(SCENES[i]);
        misses += check_compiled(SCENES[i], model, ref) + check_moving(SCENES[i], model, member(ref, "moving"));
        json_decref(ref);
        tx_model_destroy(model);
    }
    assert_int_equal(misses, 0);
}

// ---- rules ---------------------------------------------------------------------------------------------------------

#define INERTIAL                                               \
    "<inertial><mass value='2'/><inertia ixx='0.2' iyy='0.2' " \
    "izz='0.2' ixy='0' ixz='0' iyz='0'/></inertial>"
#define LINK(name, content) "<link name='" name "'>" INERTIAL content "</link>"
#define JOINT(name, type, p, c, content) \
    "<joint name='" name "' type='" type "'><parent link='" p "'/><child link='" c "'/>" content "</joint>"
#define ROBOT(content) "<robot name='r'>" content "</robot>"

static tx_model *load_text(const char *text, int warnings) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), "text.urdf", &diag);
    char line[1024];
    for (int i = 0; !model && i < diag.count; i++) {
        tx_diag_format(&diag, i, line, sizeof line);
        printf("%s\n", line);
    }
    assert_non_null(model);
    assert_int_equal(diag.warnings, warnings);
    tx_diag_free(&diag);
    return model;
}

// the first message about a text
static void expect_message(const char *text, const char *expected) {
    tx_diag diag = {0};
    char line[1024];
    tx_model *model = tx_load_string(text, strlen(text), "text", &diag);
    assert_true(diag.count > 0);
    tx_diag_format(&diag, 0, line, sizeof line);
    assert_string_equal(line, expected);
    tx_model_destroy(model);
    tx_diag_free(&diag);
}

// both ends are needed, and efforts count without their sign: MuJoCo's rules
static void limits_need_both_ends(void **state) {
    tx_model *model = load_text(ROBOT(LINK("a", "") LINK("b", "") LINK("c", "") LINK("d", "")
                                          JOINT("j1", "revolute", "a", "b", "<limit upper='2' effort='-10'/>")
                                              JOINT("j2", "revolute", "b", "c", "<limit lower='-1' upper='2'/>")
                                                  JOINT("j3", "prismatic", "c", "d", "<limit lower='1' upper='1'/>")),
                                0);
    const int *limited = tx_model_ints(model, TX_INT_JNT_LIMITED, NULL);
    assert_int_equal(limited[0], 0);
    assert_int_equal(limited[1], 1);
    assert_int_equal(limited[2], 0);
    const double *force = tx_model_params(model, TX_PARAM_JNT_ACTFRCRANGE, NULL);
    assert_true(force[0] == -10 && force[1] == 10);
    assert_int_equal(tx_model_ints(model, TX_INT_JNT_ACTFRCLIMITED, NULL)[1], 0);
    tx_model_destroy(model);
}

// bodies are numbered depth first, children in the order of the joints
static void bodies_follow_the_joints(void **state) {
    tx_model *model =
        load_text(ROBOT(LINK("z", "") LINK("y", "") LINK("x", "") LINK("w", "") JOINT("j0", "revolute", "x", "w", "")
                            JOINT("j1", "revolute", "z", "x", "") JOINT("j2", "revolute", "z", "y", "")),
                  0);
    static const char *const bodies[] = {"world", "x", "w", "y"}, *const joints[] = {"j1", "j0", "j2"};
    assert_int_equal(tx_model_size(model, TX_SIZE_NBODY), 4);
    for (int i = 0; i < 4; i++) assert_string_equal(tx_element_name(model, TX_ELEMENT_BODY, i), bodies[i]);
    for (int i = 0; i < 3; i++) assert_string_equal(tx_element_name(model, TX_ELEMENT_JOINT, i), joints[i]);
    tx_model_destroy(model);
}

#define BALL "<geometry><sphere radius='0.1'/></geometry>"

// a colour holds for the rest of the link; visuals come only when they are asked for
static void colours_and_visuals(void **state) {
#define SEEN                                                                                            \
    LINK("a", "<visual name='v'>" BALL "<material name='m'><color rgba='1 0 0 1'/></material></visual>" \
              "<collision name='v'>" BALL "</collision>")                                               \
    LINK("b", "<collision name='c'>" BALL "</collision><visual>" BALL "<material name='m'/></visual>")  \
    JOINT("j", "revolute", "a", "b", "")
    tx_model *model = load_text(ROBOT(SEEN), 0);
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 2);
    const double *rgba = tx_model_data_array(model, TX_DATA_GEOM_RGBA, NULL);
    assert_true(rgba[0] == 1 && rgba[1] == 0 && rgba[4] == 0.5);
    tx_model_destroy(model);
    model = load_text(ROBOT("<mujoco><compiler discardvisual='false'/></mujoco>" SEEN), 1);
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 4);
    assert_string_equal(tx_element_name(model, TX_ELEMENT_GEOM, 0), "v");
    assert_string_equal(tx_element_name(model, TX_ELEMENT_GEOM, 1), ""); // of two with one name
    rgba = tx_model_data_array(model, TX_DATA_GEOM_RGBA, NULL);
    assert_true(rgba[4 * 3] == 1 && rgba[4 * 3 + 1] == 0);
    assert_int_equal(tx_model_ints(model, TX_INT_GEOM_CONTYPE, NULL)[0], 0);
    assert_int_equal(tx_model_ints(model, TX_INT_GEOM_GROUP, NULL)[0], 1);
    tx_model_destroy(model);
}

// angles are radians whatever the compiler says, and roll, pitch, yaw turn about fixed axes
static void angles_are_radians(void **state) {
    tx_model *model =
        load_text(ROBOT("<mujoco><compiler angle='degree' eulerseq='zyx'/></mujoco>" LINK("a", "") LINK("b", "") JOINT(
                      "j", "revolute", "a", "b", "<origin rpy='0.1 0.2 0.3'/><limit lower='-3' upper='3'/>")),
                  0);
    // cos and sin of the half angles, multiplied out: yaw * pitch * roll
    const double expected[4] = {0.98334744, 0.03427080, 0.10602051, 0.14357218};
    const double *quat = tx_model_params(model, TX_PARAM_BODY_QUAT, NULL) + 4;
    for (int k = 0; k < 4; k++) assert_true(fabs(quat[k] - expected[k]) < 1e-8);
    assert_true(tx_model_params(model, TX_PARAM_JNT_RANGE, NULL)[1] == 3);
    tx_model_destroy(model);
}

// a root without a floating joint is fixed; what a fixed root carries may float
static void floating_links(void **state) {
    tx_model *model = load_text(ROBOT("<link name='w'/>" LINK("r", "") LINK("a", "") JOINT("f", "fixed", "w", "r", "")
                                          JOINT("j", "floating", "r", "a", "<origin xyz='1 2 3'/>")),
                                0);
    assert_int_equal(tx_model_size(model, TX_SIZE_NBODY), 2);
    assert_int_equal(tx_model_ints(model, TX_INT_JNT_TYPE, NULL)[0], TX_JOINT_FREE);
    assert_true(tx_model_params(model, TX_PARAM_QPOS0, NULL)[2] == 3);
    tx_model_destroy(model);
    expect_message(
        ROBOT("<mujoco><compiler fusestatic='false'/></mujoco>" LINK("r", "") LINK("a", "")
                  JOINT("j", "floating", "r", "a", "")),
        "text:1:312: error: joint 'j': only children of the world can be free — move the body to the top level");
}

// links without inertia are fine where nothing depends on it
static void zero_inertia_of_fused_links(void **state) {
    tx_model *model = load_text(
        ROBOT(
            LINK("r", "") "<link name='a'><inertial><mass value='1'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' "
                          "iyz='0'/></inertial></link>" LINK("b", "") JOINT("f", "fixed", "a", "b", "")
                              JOINT("j", "revolute", "r", "a", "")),
        0);
    assert_true(tx_model_params(model, TX_PARAM_BODY_MASS, NULL)[1] == 3);
    assert_true(fabs(tx_model_params(model, TX_PARAM_BODY_INERTIA, NULL)[3] - 0.2) < 1e-15);
    tx_model_destroy(model);
}

static void foreign_elements_are_ignored(void **state) {
    tx_model *model =
        load_text("<?xml version='1.0'?><robot name='r' xmlns:xacro='x' xmlns='y' version='1.0'>" LINK(
                      "r", "<contact><mu/></contact>") LINK("a", "")
                      JOINT("j", "revolute", "r", "a",
                            "<safety_controller k='1'/><calibration/>") "<transmission "
                                                                        "name='t'><anything/></transmission><gazebo><b "
                                                                        "c='d'/></gazebo><ros2_control/></robot>",
                  0);
    tx_model_destroy(model);
    expect_message(ROBOT(LINK("a", "") "<jiont/>"),
                   "text:1:141: warning: unknown element <jiont> in <robot> — did you mean <joint>?");
}

static void a_string_has_no_mesh_files(void **state) {
    expect_message(
        ROBOT(LINK("a", "<collision><geometry><mesh filename='/tmp/x.stl'/></geometry></collision>")),
        "text:1:161: error: a mesh file can be read only for a model in a file — load the model from a file");
}

// a chain as long as this one must not use the stack
static void long_chains(void **state) {
    enum { LENGTH = 20000, ROOM = 400 };
    char *text = malloc((size_t)LENGTH * ROOM), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<robot>");
    for (int i = 0; i < LENGTH; i++) {
        at += sprintf(at, "<link name='%d'/>", i);
        if (i)
            at +=
                sprintf(at, "<joint name='%d' type='fixed'><parent link='%d'/><child link='%d'/></joint>", i, i - 1, i);
    }
    sprintf(at, "</robot>");
    tx_model *model = load_text(text, 0);
    assert_int_equal(tx_model_size(model, TX_SIZE_NBODY), 1);
    tx_model_destroy(model);
    free(text);
}

// ---- files ---------------------------------------------------------------------------------------------------------

#define FOLDER TX_SOURCE_DIR "/tests/data/urdf/"

static tx_model *load_package(const char *file, const tx_load_options *options, char *line, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s%s", FOLDER, file);
    tx_diag diag = {0};
    tx_model *model = tx_load_file_with(path, options, &diag);
    line[0] = 0;
    int said = 0; // the first error, or the first warning where there is none
    while (said < diag.count && diag.messages[said].severity != TX_SEVERITY_ERROR) said++;
    if (diag.count) tx_diag_format(&diag, said < diag.count ? said : 0, line, size);
    tx_diag_free(&diag);
    return model;
}

// the file's own folder is no package, so nothing but the list can find it
static void packages_are_found_by_option_and_environment(void **state) {
    char line[8192];
    unsetenv("ROS_PACKAGE_PATH");
    unsetenv("AMENT_PREFIX_PATH");
    assert_null(load_package("robot/package.urdf", NULL, line, sizeof line));
    assert_non_null(
        strstr(line, "package.urdf:5:15: error: cannot find the mesh 'package://parts/meshes/part.obj' — tried "));
    assert_non_null(strstr(line, "/tests/data/urdf/robot/parts/meshes/part.obj, "));
    assert_non_null(strstr(line, "/tests/data/urdf/robot/../../meshes/part.obj, "));
    assert_non_null(strstr(line, "; --package NAME=DIR says where a package is"));

    const char *const packages[] = {"other=" FOLDER, "parts=" FOLDER "robot/store/parts_v2"};
    tx_load_options options = tx_default_load_options();
    options.packages = packages, options.package_count = 2;
    tx_model *model = load_package("robot/package.urdf", &options, line, sizeof line);
    assert_string_equal(line, "");
    assert_non_null(model);
    tx_model_destroy(model);
    options.package_count = 1;
    assert_null(load_package("robot/package.urdf", &options, line, sizeof line));

    setenv("ROS_PACKAGE_PATH", "/nowhere:" FOLDER "shelf/parts", 1);
    model = load_package("robot/package.urdf", NULL, line, sizeof line);
    assert_non_null(model);
    tx_model_destroy(model);
    options.ignore_environment = true;
    assert_null(load_package("robot/package.urdf", &options, line, sizeof line));
    assert_null(strstr(line, "/nowhere"));
    setenv("ROS_PACKAGE_PATH", FOLDER "shelf", 1);
    model = load_package("robot/package.urdf", NULL, line, sizeof line);
    assert_non_null(model);
    tx_model_destroy(model);
    unsetenv("ROS_PACKAGE_PATH");
    setenv("AMENT_PREFIX_PATH", FOLDER "prefix::/nowhere", 1);
    model = load_package("robot/package.urdf", NULL, line, sizeof line);
    assert_non_null(model);
    tx_model_destroy(model);
    unsetenv("AMENT_PREFIX_PATH");
}

// one mesh for a file and a scale, whatever way it is named; beside the file, in meshdir, in a parent, by file://
static void meshes_are_shared(void **state) {
    char line[8192];
    tx_model *model = load_package("robot/paths.urdf", NULL, line, sizeof line);
    assert_string_equal(line, "");
    assert_non_null(model);
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 4);
    assert_int_equal(tx_model_size(model, TX_SIZE_NMESH), 3);
    tx_model_destroy(model);
    model = load_package("robot/stripped.urdf", NULL, line, sizeof line);
    assert_string_equal(line, "");
    assert_non_null(model);
    tx_model_destroy(model);
}

// the same corner in four kinds of files: centimetres, a moved node and another up axis in the DAE
static void meshes_of_other_kinds(void **state) {
    static const char *const KINDS[] = {"dae", "ply", "gltf"};
    char line[8192], file[64];
    tx_load_options options = tx_default_load_options();
    options.collision_mass = true;
    tx_model *obj = load_package("kinds/obj.urdf", &options, line, sizeof line);
    assert_non_null(obj);
    bool installed = false;
    static const char *const LIBRARIES[] = {"libassimp.so.5", "libassimp.so.6", "libassimp.so"};
    for (int i = 0; i < 3; i++) installed = installed || dlopen(LIBRARIES[i], RTLD_NOW | RTLD_NODELETE);
    if (!installed) printf("SKIPPED: libassimp is not here\n");
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "kinds/%s.urdf", KINDS[i]);
        tx_model *model = load_package(file, &options, line, sizeof line);
        if (!installed) {
            assert_null(model);
            assert_non_null(strstr(line, "install assimp (Debian: libassimp5, Fedora: assimp)"));
            continue;
        }
        assert_non_null(model);
        assert_int_equal(tx_model_size(model, TX_SIZE_NMESHVERT), 4);
        const double *expected = tx_model_params(obj, TX_PARAM_BODY_INERTIA, NULL) + 3,
                     *centre = tx_model_params(obj, TX_PARAM_BODY_IPOS, NULL) + 3;
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(tx_model_params(model, TX_PARAM_BODY_INERTIA, NULL)[3 + k] / expected[k] - 1) < 2e-6);
            assert_true(fabs(tx_model_params(model, TX_PARAM_BODY_IPOS, NULL)[3 + k] - centre[k]) < 1e-7);
        }
        tx_model_destroy(model);
    }
    tx_model_destroy(obj);
    assert_null(load_package("kinds/broken.urdf", NULL, line, sizeof line));
    assert_non_null(strstr(line, "kinds/broken.dae: error: "));
}

// ---- files in the wild ---------------------------------------------------------------------------------------------

static const char *const WILD[] = {
    (":7:5: warning: link 'stretched': no body has inertia 3 1 1 — the nearest that one has is taken, see "
     "docs/urdf.md"),
    ":11:7: warning: a second <material> in <visual> — the first with a colour counts",
    ":13:29: warning: cannot find the mesh 'nowhere.dae' — the geom is left out; tried ",
    ":14:26: warning: the collision mesh 'sheet.obj' is flat — it is left out of contact",
    ":16:3: warning: link 'dummy' moves but has no mass — it gets 1e-6 kg and 1e-9 kg m²",
    ":18:5: warning: link 'weightless': no body has inertia without mass — its inertia is set to zero",
    ":23:3: warning: joint 'huge' has limits beyond all bounds — beyond 1e10 there is no limit",
    ":29:84: warning: joint 'held' mimics 'stiff', which is fixed — it is held at the offset",
};
enum { WILD_COUNT = sizeof WILD / sizeof WILD[0] };

// everything that can be lived with is one warning each, and an error for those who ask
static void wild_files_load_with_warnings(void **state) {
    tx_load_options options = tx_default_load_options();
    options.visuals = true;
    tx_diag diag = {0};
    char line[4096];
    tx_model *model = tx_load_file_with(FOLDER "wild/wild.urdf", &options, &diag);
    for (int i = 0; i < diag.count; i++) {
        tx_diag_format(&diag, i, line, sizeof line);
        if (i >= WILD_COUNT || !strstr(line, WILD[i])) fail_msg("message %d is %s", i, line);
    }
    assert_int_equal(diag.count, WILD_COUNT);
    tx_diag_free(&diag);
    assert_non_null(model);

    // I = diag(3, 1, 1) has second moments -1/2, 3/2, 3/2; without the negative one (it becomes 1e-6 of the largest)
    // the moments are 3, 3/2 and 3/2
    assert_string_equal(tx_element_name(model, TX_ELEMENT_BODY, 1), "stretched");
    const double *inertia = tx_model_params(model, TX_PARAM_BODY_INERTIA, NULL) + 3;
    for (int k = 0; k < 3; k++) assert_true(fabs(inertia[k] - (k == 0 ? 3 : 1.5 + 1.5e-6)) < 1e-12);
    assert_true(tx_model_params(model, TX_PARAM_BODY_MASS, NULL)[2] == 1e-6);
    assert_int_equal(tx_model_ints(model, TX_INT_JNT_LIMITED, NULL)[0], 0);
    assert_int_equal(tx_model_ints(model, TX_INT_JNT_ACTFRCLIMITED, NULL)[0], 0);
    // the sphere in its colour and the sheet, which touches nothing
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 2);
    const double *rgba = tx_model_data_array(model, TX_DATA_GEOM_RGBA, NULL);
    assert_true(rgba[0] == 1 && rgba[1] == 0 && rgba[2] == 0);
    assert_int_equal(tx_model_ints(model, TX_INT_GEOM_CONTYPE, NULL)[1], 0);

    // the follower is drawn to the offset
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    assert_int_equal(tx_sim_step_n(sim, 2000), TX_OK);
    assert_int_equal(tx_sim_status(sim, 0), TX_OK);
    int held = tx_element_find(model, TX_ELEMENT_JOINT, "held");
    assert_true(fabs(tx_sim_array(sim, TX_ARRAY_QPOS)[held] - 0.3) < 5e-3);
    tx_sim_destroy(sim);
    tx_model_destroy(model);

    options.strict = true;
    assert_null(tx_load_file_with(FOLDER "wild/wild.urdf", &options, &diag));
    assert_int_equal(diag.errors, WILD_COUNT);
    tx_diag_free(&diag);
}

// blank lines before the declaration, products that are missing, a shape that is no URDF, a number and an element too
// many
static void loose_files_load_with_warnings(void **state) {
    static const char *const EXPECTED[] = {
        "loose.urdf:7:32: warning: <inertia> has no 'ixy' — it counts as 0",
        "loose.urdf:7:32: warning: <inertia> has no 'ixz' — it counts as 0",
        "loose.urdf:7:32: warning: <inertia> has no 'iyz' — it counts as 0",
        "loose.urdf:8:16: warning: <geometry> holds no shape — box, cylinder, sphere, capsule or mesh; it is left out",
        "loose.urdf:8:26: warning: unknown element <plane> in <geometry>",
        "loose.urdf:9:31: warning: attribute 'size' of <box> has 4 numbers; it takes 3 — the first ones count",
        "loose.urdf:11:92: warning: <axis> may stand only once in <joint> — the first one counts",
    };
    enum { COUNT = sizeof EXPECTED / sizeof EXPECTED[0] };
    tx_diag diag = {0};
    char line[1024];
    tx_model *model = tx_load_file(FOLDER "wild/loose.urdf", &diag);
    for (int i = 0; i < diag.count; i++) {
        tx_diag_format(&diag, i, line, sizeof line);
        if (i >= COUNT || !strstr(line, EXPECTED[i])) fail_msg("message %d is %s", i, line);
    }
    assert_int_equal(diag.count, COUNT);
    assert_non_null(model);
    assert_int_equal(tx_model_size(model, TX_SIZE_NGEOM), 1);
    assert_true(tx_model_params(model, TX_PARAM_GEOM_SIZE, NULL)[2] == 0.05);
    assert_true(tx_model_params(model, TX_PARAM_JNT_AXIS, NULL)[2] == 1);
    tx_model_destroy(model);
    tx_diag_free(&diag);

    tx_load_options options = tx_default_load_options();
    options.strict = true;
    assert_null(tx_load_file_with(FOLDER "wild/loose.urdf", &options, &diag));
    assert_int_equal(diag.errors, COUNT - 1);
    tx_diag_free(&diag);
}

// in URDF a link without <inertial> has no mass; by option it has that of its shapes, as in MuJoCo
static void links_without_inertial(void **state) {
#define BOX "<collision><geometry><box size='0.1 0.2 0.3'/></geometry></collision>"
    static const char TEXT[] = ROBOT(LINK("r", "") LINK("a", "") "<link name='b'>" BOX "</link>" JOINT(
        "j", "revolute", "r", "a", "") JOINT("f", "fixed", "a", "b", ""));
    tx_model *model = load_text(TEXT, 0);
    assert_true(tx_model_params(model, TX_PARAM_BODY_MASS, NULL)[1] == 2);
    tx_model_destroy(model);
    // the file itself can ask for it
    model = load_text(ROBOT("<mujoco><compiler inertiafromgeom='auto'/></mujoco>" LINK("r", "")
                                LINK("a", "") "<link name='b'>" BOX "</link>" JOINT("j", "revolute", "r", "a", "")
                                    JOINT("f", "fixed", "a", "b", "")),
                      1);
    assert_true(fabs(tx_model_params(model, TX_PARAM_BODY_MASS, NULL)[1] - 8) < 1e-12);
    tx_model_destroy(model);
}

// M and the non-linear effects of Pinocchio at random states (tools/compare_urdf --fixture)
static void dynamics_agree_with_pinocchio(void **state) {
    json_t *root = json_load_file(FOLDER "oracle/pinocchio.json", 0, NULL), *states;
    const char *file;
    char path[64], line[1024];
    int misses = 0, files = 0;
    assert_non_null(root);
    json_object_foreach(json_object_get(root, "states"), file, states) {
        snprintf(path, sizeof path, "oracle/%s", file);
        tx_model *model = load_package(path, NULL, line, sizeof line);
        assert_non_null(model);
        tx_sim_def def = tx_default_sim_def();
        tx_sim *sim = tx_sim_create(model, &def);
        int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV);
        double *M = malloc(sizeof *M * (size_t)(nv * nv));
        assert_true(sim && M && json_array_size(states) >= 3);
        for (size_t s = 0; s < json_array_size(states); s++) {
            const json_t *at = json_array_get(states, s);
            for (int i = 0; i < nq; i++) tx_sim_array(sim, TX_ARRAY_QPOS)[i] = number_at(member(at, "qpos"), i);
            for (int i = 0; i < nv; i++) tx_sim_array(sim, TX_ARRAY_QVEL)[i] = number_at(member(at, "qvel"), i);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            assert_int_equal(tx_sim_mass_matrix(sim, 0, M), TX_OK);
            misses += miss(file, "M", relative_error(member(at, "M"), M, nv * nv, 1e-3), 1e-12);
            misses +=
                miss(file, "bias",
                     relative_error(member(at, "qfrc_bias"), tx_sim_array(sim, TX_ARRAY_QFRC_BIAS), nv, 1e-3), 1e-12);
        }
        free(M);
        tx_sim_destroy(sim);
        tx_model_destroy(model);
        files++;
    }
    json_decref(root);
    assert_int_equal(files, 2);
    assert_int_equal(misses, 0);
}

// numbers beyond all bounds are no matter of repair
static void endless_inertias_are_refused(void **state) {
    expect_message(
        ROBOT("<link name='r'/><link name='a'><inertial><mass value='1'/><inertia ixx='1e300' iyy='1' izz='1' "
              "ixy='1e300' ixz='0' iyz='0'/></inertial></link>" JOINT("j", "revolute", "r", "a", "")),
        "text:1:33: error: body 'a': fullinertia cannot be 1e+300 — numbers must be finite and at most 1e10");
}

static void mimic_circles(void **state) {
    expect_message(ROBOT(LINK("a", "") LINK("b", "") LINK("c", "")
                             JOINT("j1", "revolute", "a", "b", "<mimic joint='j2'/>")
                                 JOINT("j2", "revolute", "b", "c", "<mimic joint='j1'/>")),
                   "text:1:457: error: joint 'j1' mimics itself in the end");
    expect_message(ROBOT(LINK("a", "") LINK("b", "") JOINT("j1", "revolute", "a", "b", "<mimic joint='j3'/>")),
                   "text:1:340: warning: there is no joint 'j3': joint 'j1' mimics nothing — did you mean 'j1'?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_agree_with_mujoco),
        cmocka_unit_test(limits_need_both_ends),
        cmocka_unit_test(bodies_follow_the_joints),
        cmocka_unit_test(colours_and_visuals),
        cmocka_unit_test(angles_are_radians),
        cmocka_unit_test(floating_links),
        cmocka_unit_test(zero_inertia_of_fused_links),
        cmocka_unit_test(foreign_elements_are_ignored),
        cmocka_unit_test(a_string_has_no_mesh_files),
        cmocka_unit_test(long_chains),
        cmocka_unit_test(packages_are_found_by_option_and_environment),
        cmocka_unit_test(meshes_are_shared),
        cmocka_unit_test(meshes_of_other_kinds),
        cmocka_unit_test(wild_files_load_with_warnings),
        cmocka_unit_test(loose_files_load_with_warnings),
        cmocka_unit_test(links_without_inertial),
        cmocka_unit_test(dynamics_agree_with_pinocchio),
        cmocka_unit_test(endless_inertias_are_refused),
        cmocka_unit_test(mimic_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
