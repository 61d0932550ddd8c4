// test_convert.c - a model written as MJCF and read again is the same model: every array, name and option, the mass
// matrix, the forces, the contacts and the motion. TX_VERBOSE=1 prints the worst of each model.
#include "reference.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHARED TX_SOURCE_DIR "/../shared/reference/mujoco"

// rounding alone: where bodies were fused the frame of a mesh is put behind a geom in another order; all else is copied
static const double BOUND = 1e-12;
enum { STEPS = 100, MOST_DOFS = 500 }; // more are too slow to run here: only the numbers of such a model are compared

static char folder[256];

static void temporary(char *path, size_t size, const char *name) { snprintf(path, size, "%s/%s", folder, name); }

static int make_folder(void **state) {
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/thixis_test_convert_XXXXXX", where ? where : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (list) closedir(list);
    return rmdir(folder);
}

// the first error of a load or a save, for messages
static const char *first_of(const tx_diag *diag) {
    static char line[600];
    line[0] = 0;
    int i = 0;
    while (i < diag->count && diag->messages[i].severity != TX_SEVERITY_ERROR) i++;
    if (i < diag->count) tx_diag_format(diag, i, line, sizeof line);
    return line;
}

// ---- comparison ----------------------------------------------------------------------------------------------------

typedef struct worst {
    double error;
    const char *where;
} worst;

// largest difference, relative to the largest number
static void compare(worst *w, const char *where, const double *a, const double *b, int count, double natural) {
    double top = natural, error = 0;
    for (int i = 0; i < count; i++) top = fmax(top, fabs(a[i]));
    for (int i = 0; i < count; i++) {
        double e = fabs(a[i] - b[i]);
        error = e <= error ? error : e; // NaN wins
    }
    error = error == 0 ? 0 : error / top;
    if (!(error <= w->error)) *w = (worst){error, where};
}

static void compare_names(const char *name, const tx_model *a, const tx_model *b) {
    assert_string_equal(tx_model_name(a), tx_model_name(b));
    for (int kind = TX_ELEMENT_BODY; kind <= TX_ELEMENT_HFIELD; kind++)
        for (int i = 0; tx_element_name(a, (tx_element)kind, i); i++)
            if (strcmp(tx_element_name(a, (tx_element)kind, i), tx_element_name(b, (tx_element)kind, i)) != 0)
                fail_msg("%s: element %d of kind %d has another name", name, i, kind);
}

// textures: a geom comes back in its colour (docs/convert.md)
static bool stays_behind(const char *field) { return strstr(field, "tex") || strstr(field, "uv"); }

static worst compare_models(const char *name, const tx_model *a, const tx_model *b) {
    worst w = {0, ""};
#define X(NAME, field, meaning)                                                                        \
    if (tx_model_size(a, TX_SIZE_##NAME) != tx_model_size(b, TX_SIZE_##NAME) && !stays_behind(#field)) \
        fail_msg("%s: " #field " %d became %d", name, tx_model_size(a, TX_SIZE_##NAME),                \
                 tx_model_size(b, TX_SIZE_##NAME));
    TX_SIZES(X)
#undef X
    int count;
#define X(NAME, field, n, meaning)                                                                            \
    {                                                                                                         \
        const int *x = tx_model_ints(a, TX_INT_##NAME, &count), *y = tx_model_ints(b, TX_INT_##NAME, &count); \
        if (!stays_behind(#field) && memcmp(x, y, sizeof(int) * (size_t)count) != 0)                          \
            fail_msg("%s: " #field " differs", name);                                                         \
    }
    TX_MODEL_INTS(X)
#undef X
#define X(NAME, field, n, width, meaning)                                            \
    {                                                                                \
        const double *x = tx_model_params(a, TX_PARAM_##NAME, &count);               \
        compare(&w, #field, x, tx_model_params(b, TX_PARAM_##NAME, NULL), count, 0); \
    }
    TX_MODEL_PARAMS(X)
#undef X
#define X(NAME, field, n, width, meaning)                                                                          \
    {                                                                                                              \
        const double *x = tx_model_data_array(a, TX_DATA_##NAME, &count);                                          \
        if (!stays_behind(#field)) compare(&w, #field, x, tx_model_data_array(b, TX_DATA_##NAME, NULL), count, 0); \
    }
    TX_MODEL_DATA(X)
#undef X
    assert_memory_equal(tx_model_options(a), tx_model_options(b), sizeof(tx_options));
    compare_names(name, a, b);
    return w;
}

static void compare_contacts(worst *w, const char *name, tx_sim *a, tx_sim *b) {
    int count, other;
    const tx_contact *x = tx_sim_contacts(a, 0, &count), *y = tx_sim_contacts(b, 0, &other);
    if (count != other) fail_msg("%s: %d contacts became %d", name, count, other);
    for (int i = 0; i < count; i++) {
        assert_memory_equal(x[i].geom, y[i].geom, sizeof x[i].geom);
        assert_int_equal(x[i].dim, y[i].dim);
        compare(w, "contact.dist", &x[i].dist, &y[i].dist, 1, 1);
        compare(w, "contact.pos", x[i].pos, y[i].pos, 3, 1);
        compare(w, "contact.frame", x[i].frame, y[i].frame, 9, 1);
        compare(w, "contact.friction", x[i].friction, y[i].friction, 5, 1);
    }
}

static void compare_forward(worst *w, const char *name, tx_sim *a, tx_sim *b) {
    assert_int_equal(tx_sim_forward(a), TX_OK);
    assert_int_equal(tx_sim_forward(b), TX_OK);
    int nv = tx_model_size(tx_sim_model(a), TX_SIZE_NV);
    double *M = calloc((size_t)nv * (size_t)nv + 1, sizeof *M), *N = calloc((size_t)nv * (size_t)nv + 1, sizeof *N);
    tx_sim_mass_matrix(a, 0, M), tx_sim_mass_matrix(b, 0, N);
    compare(w, "M", M, N, nv * nv, 0);
    free(M), free(N);
    compare(w, "qfrc_bias", tx_sim_array(a, TX_ARRAY_QFRC_BIAS), tx_sim_array(b, TX_ARRAY_QFRC_BIAS), nv, 1);
    compare(w, "qacc_smooth", tx_sim_array(a, TX_ARRAY_QACC_SMOOTH), tx_sim_array(b, TX_ARRAY_QACC_SMOOTH), nv, 1);
    compare_contacts(w, name, a, b);
}

static tx_sim *make_sim(const tx_model *model) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    assert_int_equal(tx_sim_reset(sim, tx_model_size(model, TX_SIZE_NKEY) > 0 ? 0 : -1, NULL), TX_OK);
    return sim;
}

static worst compare_motion(const char *name, const tx_model *a, const tx_model *b) {
    worst w = {0, ""};
    if (tx_model_size(a, TX_SIZE_NV) > MOST_DOFS) {
        printf("%s: %d dofs are too many to run here\n", name, tx_model_size(a, TX_SIZE_NV));
        return w;
    }
    tx_sim *x = make_sim(a), *y = make_sim(b);
    compare_forward(&w, name, x, y);
    assert_int_equal(tx_sim_step_n(x, STEPS), TX_OK);
    assert_int_equal(tx_sim_step_n(y, STEPS), TX_OK);
    compare(&w, "qpos", tx_sim_array(x, TX_ARRAY_QPOS), tx_sim_array(y, TX_ARRAY_QPOS), tx_model_size(a, TX_SIZE_NQ),
            1);
    compare(&w, "qvel", tx_sim_array(x, TX_ARRAY_QVEL), tx_sim_array(y, TX_ARRAY_QVEL), tx_model_size(a, TX_SIZE_NV),
            1);
    compare(&w, "act", tx_sim_array(x, TX_ARRAY_ACT), tx_sim_array(y, TX_ARRAY_ACT), tx_model_size(a, TX_SIZE_NA), 1);
    int numbers = tx_model_size(a, TX_SIZE_NSENSORDATA);
    compare(&w, "sensordata", tx_sim_array(x, TX_ARRAY_SENSORDATA), tx_sim_array(y, TX_ARRAY_SENSORDATA), numbers, 1);
    tx_sim_destroy(x), tx_sim_destroy(y);
    return w;
}

// ---- round trips ---------------------------------------------------------------------------------------------------

static tx_model *load(const char *path) {
    tx_diag diag = {0};
    tx_model *model = tx_load_file(path, &diag);
    if (!model) fail_msg("%s", first_of(&diag));
    tx_diag_free(&diag);
    return model;
}

// model -> compiled file -> MJCF -> model
static tx_model *around(const char *name, const tx_model *model) {
    char compiled[400], mjcf[400];
    tx_diag diag = {0};
    temporary(compiled, sizeof compiled, "around.txm"), temporary(mjcf, sizeof mjcf, "around.xml");
    assert_int_equal(tx_model_write(model, compiled), TX_OK);
    tx_model *read = load(compiled);
    size_t size, same;
    const void *bytes = tx_model_bytes(model, &size), *back = tx_model_bytes(read, &same);
    assert_int_equal(size, same);
    assert_memory_equal(bytes, back, size);
    if (tx_save_mjcf(read, mjcf, &diag) != TX_OK) fail_msg("%s: %s", name, first_of(&diag));
    tx_model_destroy(read);
    return load(mjcf);
}

static int check(const char *name, const tx_model *model) {
    tx_model *again = around(name, model);
    worst numbers = compare_models(name, model, again), motion = compare_motion(name, model, again);
    bool good = numbers.error <= BOUND && motion.error <= BOUND;
    if (!good || getenv("TX_VERBOSE"))
        printf("%-30s %-5s model %.1e %s, dynamics %.1e %s\n", name, good ? "same" : "MISS", numbers.error,
               numbers.where, motion.error, motion.where);
    tx_model_destroy(again);
    return !good;
}

static int check_folder(const char *where, const char *ending, int *count) {
    int misses = 0;
    DIR *list = opendir(where);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[800];
        if (!dot || strcmp(dot, ending) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", where, entry->d_name);
        tx_model *model = load(path);
        misses += check(entry->d_name, model);
        ++*count;
        tx_model_destroy(model);
    }
    closedir(list);
    return misses;
}

static void every_scene_comes_back(void **state) {
    int count = 0, misses = check_folder(TX_SOURCE_DIR "/scenes", ".xml", &count) +
                            check_folder(TX_SOURCE_DIR "/scenes/urdf", ".urdf", &count) +
                            check_folder(TX_SOURCE_DIR "/tests/data/convert", ".xml", &count);
    assert_true(count >= 33);
    assert_int_equal(misses, 0);
}

static void every_rigid_reference_model_comes_back(void **state) {
    json_error_t problem;
    if (access(SHARED "/index.json", R_OK) != 0) {
        printf("SKIPPED: %s is absent\n", SHARED);
        skip();
    }
    json_t *index = json_load_file(SHARED "/index.json", 0, &problem), *entry;
    if (!index) fail_msg("index.json:%d: %s", problem.line, problem.text);
    int misses = 0, count = 0;
    size_t i;
    json_array_foreach(index, i, entry) {
        char path[600];
        tx_diag diag = {0};
        snprintf(path, sizeof path, "%s/%s", SHARED, json_string_value(json_object_get(entry, "model")));
        tx_model *model = tx_load_file(path, &diag);
        if (!model) printf("  waits for: %s\n", first_of(&diag));
        else misses += check(json_string_value(json_object_get(entry, "name")), model), count++;
        tx_diag_free(&diag);
        tx_model_destroy(model);
    }
    printf("  %d of %zu models\n", count, json_array_size(index));
    json_decref(index);
    assert_true(count >= 24);
    assert_int_equal(misses, 0);
}

// a builder made from a model compiles to it
static void definitions_come_back(void **state) {
    static const char *const SCENES[] = {"humanoid", "core_mesh", "core_spatial", "core_pairs", "terrain"};
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
        tx_diag diag = {0};
        tx_model *model = load_scene(SCENES[i]);
        tx_builder *builder = tx_builder_from_model(model);
        assert_non_null(builder);
        tx_model *again = tx_builder_compile(builder, &diag);
        if (!again) fail_msg("%s: %s", SCENES[i], first_of(&diag));
        assert_true(compare_models(SCENES[i], model, again).error <= BOUND);
        tx_diag_free(&diag);
        tx_builder_destroy(builder);
        tx_model_destroy(model), tx_model_destroy(again);
    }
}

// a model can be changed: the same humanoid with a heavier head and a hat
static void a_model_can_be_changed(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_builder *builder = tx_builder_from_model(model);
    tx_body_def hat = tx_default_body_def();
    hat.name = "hat", hat.pos[2] = 0.1, hat.has_inertial = true, hat.mass = 0.25;
    hat.inertia[0] = hat.inertia[1] = hat.inertia[2] = 1e-4;
    assert_true(tx_builder_body(builder, tx_element_find(model, TX_ELEMENT_BODY, "head"), &hat) > 0);
    tx_model *changed = tx_builder_compile(builder, NULL);
    assert_non_null(changed);
    int bodies = tx_model_size(model, TX_SIZE_NBODY), now = tx_element_find(changed, TX_ELEMENT_BODY, "hat");
    assert_int_equal(tx_model_size(changed, TX_SIZE_NBODY), bodies + 1);
    assert_true(tx_model_params(changed, TX_PARAM_BODY_MASS, NULL)[now] == 0.25);
    tx_builder_destroy(builder);
    tx_model_destroy(model), tx_model_destroy(changed);
}

// ---- what cannot be written ----------------------------------------------------------------------------------------

// a builder with one free mesh of type sdf
static tx_builder *build_sdf(const char *name, double cell) {
    static const double vertices[] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    tx_builder *b = tx_builder_create();
    tx_mesh_def mesh = tx_default_mesh_def();
    mesh.name = name, mesh.vertices = vertices, mesh.faces = faces, mesh.vertex_count = 4, mesh.face_count = 4;
    mesh.sdf_cell = cell;
    tx_builder_mesh(b, &mesh);
    tx_body_def body = tx_default_body_def();
    int index = tx_builder_body(b, 0, &body);
    tx_joint_def joint = tx_default_joint_def();
    joint.type = TX_JOINT_FREE;
    tx_builder_joint(b, index, &joint);
    tx_geom_def geom = tx_default_geom_def();
    geom.type = TX_GEOM_SDF, geom.mesh = name;
    tx_builder_geom(b, index, &geom);
    return b;
}

static void expect_refusal(tx_builder *builder, const char *words) {
    char path[400];
    tx_diag diag = {0};
    temporary(path, sizeof path, "refused.xml");
    tx_model *model = tx_builder_compile(builder, &diag);
    assert_non_null(model);
    assert_int_equal(tx_save_mjcf(model, path, &diag), TX_ERROR_MODEL);
    assert_true(diag.errors > 0);
    if (!strstr(first_of(&diag), words)) fail_msg("'%s' does not say '%s'", first_of(&diag), words);
    assert_int_not_equal(access(path, F_OK), 0);
    tx_diag_free(&diag);
    tx_model_destroy(model);
    tx_builder_destroy(builder);
}

static void what_cannot_be_written_is_named(void **state) {
    expect_refusal(build_sdf("fine", 0.02), "<mesh> 'fine' cannot be written: MJCF cannot say sdf_cell");
    expect_refusal(build_sdf("be\all", 0), "cannot be written: name: a control character");
    tx_builder *plain = build_sdf("chosen", 0);
    tx_model *model = tx_builder_compile(plain, NULL);
    assert_int_equal(check("sdf", model), 0);
    tx_model_destroy(model);
    tx_builder_destroy(plain);
}

// bodies inside each other
static tx_builder *build_chain(int length) {
    tx_builder *b = tx_builder_create();
    for (int i = 0; i < length; i++) {
        tx_body_def body = tx_default_body_def();
        body.pos[2] = 1;
        tx_builder_body(b, i, &body);
    }
    return b;
}

// as deep as the reader goes
static void depth_has_a_limit(void **state) {
    tx_builder *deepest = build_chain(496);
    tx_model *model = tx_builder_compile(deepest, NULL), *again = around("chain", model);
    assert_true(compare_models("chain", model, again).error == 0);
    tx_model_destroy(model), tx_model_destroy(again);
    tx_builder_destroy(deepest);
    expect_refusal(build_chain(497), "it is more than 496 bodies deep");
}

// ---- the command ---------------------------------------------------------------------------------------------------

static int run(const char *arguments, char *said, size_t size) {
    char command[1200], err[400];
    temporary(err, sizeof err, "stderr");
    snprintf(command, sizeof command, "cd '%s' && '%s' convert %s >/dev/null 2>'%s'", folder, TX_COMMAND, arguments,
             err);
    int code = system(command);
    FILE *file = fopen(err, "r");
    assert_non_null(file);
    said[fread(said, 1, size - 1, file)] = 0;
    fclose(file);
    return WEXITSTATUS(code);
}

static int files_named(const char *part) {
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; (entry = readdir(list));) count += strstr(entry->d_name, part) != NULL;
    closedir(list);
    return count;
}

static void the_command_keeps_what_is_there(void **state) {
    char said[1000];
    const char *scene = TX_SOURCE_DIR "/scenes/pendulum.xml";
    char first[900], again[900], ending[900], missing[900];
    snprintf(first, sizeof first, "'%s' out.txm", scene);
    snprintf(again, sizeof again, "'%s' out.txm --force", scene);
    snprintf(ending, sizeof ending, "'%s' out.mjb", scene);
    snprintf(missing, sizeof missing, "'%s' nowhere/out.xml", scene);
    assert_int_equal(run(first, said, sizeof said), 0);
    assert_string_equal(said, "");
    assert_int_equal(run(first, said, sizeof said), 1);
    assert_non_null(strstr(said, "out.txm: error: the file is there already — --force replaces it"));
    assert_int_equal(run(again, said, sizeof said), 0);
    assert_int_equal(run("out.txm out.xml", said, sizeof said), 0);
    assert_int_equal(run("out.xml again.txm", said, sizeof said), 0);
    assert_int_equal(run(ending, said, sizeof said), 2);
    assert_non_null(strstr(said, "ends neither in .txm nor in .xml or .mjz"));
    assert_int_equal(run(missing, said, sizeof said), 1);
    assert_non_null(strstr(said, "nowhere/out.xml: error: the file cannot be written — No such file or directory"));
    assert_int_equal(run("absent.xml other.txm", said, sizeof said), 1);
    assert_int_equal(run("--help", said, sizeof said), 0);
    assert_int_equal(run("out.txm", said, sizeof said), 2);
    assert_int_equal(files_named(".part"), 0);
    assert_int_equal(files_named("other"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_comes_back),          cmocka_unit_test(every_rigid_reference_model_comes_back),
        cmocka_unit_test(definitions_come_back),           cmocka_unit_test(a_model_can_be_changed),
        cmocka_unit_test(what_cannot_be_written_is_named), cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(the_command_keeps_what_is_there),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
