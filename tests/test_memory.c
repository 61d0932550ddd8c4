// test_memory.c - every allocation may fail: nothing crashes, nothing leaks, what succeeds is what it would be with
// enough memory, and what says that memory was out succeeds when it is called again.
//
// A trial is a piece of work with one allocation that fails, or with all that fail from one on. CI runs a sample of all
// trials; `test_memory all` (make soak) runs every one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "load/mjcf.h"
#include "load/stash.h"
#include "load/xml.h"
#include "memory_failing.h"
#include "problem/islands.h"
#include "sanitized.h"
#include "thixis/thixis.h"

static bool every_trial; // not only a sample
static char scratch_file[256];

// ---- what is called again when memory was out
// ------------------------------------------------------------------------

typedef struct trial {
    uint64_t hash; // of everything the work gave
    const char *wrong;
} trial;

static void add(trial *t, const void *bytes, size_t size) { t->hash = tx_hash(t->hash, bytes, size); }
static void add_number(trial *t, double number) { add(t, &number, sizeof number); }

static bool check(trial *t, bool good, const char *what) {
    if (!good && !t->wrong) t->wrong = what;
    return good;
}

// whether a failed call may be made again; it may fail only where an allocation failed
static bool again(trial *t, int attempt, const char *what) {
    check(t, failing_happened(), what);
    check(t, attempt == 0, what);
    failing_heal();
    return attempt == 0 && !t->wrong;
}

static bool says_memory(const tx_diag *diag) {
    int kept = 0;
    for (int i = 0; i < diag->count; i++) {
        const tx_message *m = &diag->messages[i];
        if (m->severity == TX_SEVERITY_ERROR && (strstr(m->text, "memory") || strstr(m->hint, "memory"))) return true;
        kept += m->severity == TX_SEVERITY_ERROR;
    }
    return kept < diag->errors; // there was none for the message either
}

static tx_model *keep(trial *t, tx_model *model, tx_diag *diag) {
    if (model) {
        size_t size;
        const void *bytes = tx_model_bytes(model, &size);
        add(t, bytes, size);
        add_number(t, diag->warnings);
        check(t, diag->errors == 0, "a model with errors");
    } else {
        check(t, diag->errors > 0, "no model and no error");
        if (!says_memory(diag)) {
            static char text[300];
            snprintf(text, sizeof text, "another reason is given: %.250s", diag->messages[0].text);
            check(t, false, text);
        }
    }
    tx_diag_free(diag);
    return model;
}

static tx_model *load(trial *t, const char *path) {
    for (int attempt = 0;; attempt++) {
        tx_diag diag = {0};
        tx_model *model = keep(t, tx_load_file_with(path, &(tx_load_options){.pictures = true}, &diag), &diag);
        if (model || !again(t, attempt, "load")) return model;
    }
}

// evaluates the call, and again where it fails for lack of memory; true: it succeeded
#define DO(t, call) check(t, (call) || (again(t, 0, #call) && (call)), #call)

// ---- the work
// --------------------------------------------------------------------------------------------------------

static const char *work_path; // the file that a piece of work is about

static void work_load(trial *t) { tx_model_destroy(load(t, work_path)); }

// a file that is refused for what is not simulated says the same of it, or that memory was out
static void work_refused(trial *t) {
    for (int attempt = 0;; attempt++) {
        tx_diag diag = {0};
        check(t, !tx_load_file(work_path, &diag) && diag.errors > 0, "a model of what is not simulated");
        const bool lacks = says_memory(&diag);
        for (int i = 0; i < diag.count && !lacks; i++)
            add(t, diag.messages[i].text, strlen(diag.messages[i].text)), add_number(t, diag.messages[i].line),
                add(t, diag.messages[i].hint, strlen(diag.messages[i].hint));
        tx_diag_free(&diag);
        if (!lacks || !again(t, attempt, "load")) return;
    }
}

static void work_compiled(trial *t) {
    tx_model *model = load(t, work_path), *copy = NULL;
    if (model && DO(t, tx_model_write(model, scratch_file) == TX_OK)) {
        copy = load(t, scratch_file);
        tx_model_destroy(copy), copy = NULL;
        tx_diag diag = {0};
        bool got = DO(t, (tx_diag_free(&diag), copy = tx_model_read(scratch_file, &diag)) != NULL);
        if (got) keep(t, copy, &diag);
        tx_diag_free(&diag);
    }
    tx_model_destroy(copy), tx_model_destroy(model);
}

static bool add_file(trial *t, const char *path) {
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) add(t, bytes, n);
    fclose(file);
    return true;
}

static void work_save(trial *t) {
    tx_model *model = load(t, work_path);
    if (model && DO(t, tx_save_mjcf(model, scratch_file, NULL) == TX_OK)) {
        failing_heal();
        check(t, add_file(t, scratch_file), "the file is there");
    }
    tx_model_destroy(model);
}

static void work_build(trial *t) {
    tx_builder *b = NULL;
    if (!DO(t, (b = tx_builder_create()) != NULL)) return;
    static const double corners[] = {0.2, 0, 0, -0.1, 0.2, 0, -0.1, -0.2, 0, 0, 0, 0.3, 0.05, 0.1, 0.2};
    static const double heights[] = {0, 1, 2, 1, 0, 1, 0, 1, 0};
    tx_body_def body = tx_default_body_def();
    tx_joint_def joint = tx_default_joint_def();
    tx_geom_def geom = tx_default_geom_def();
    tx_site_def site = tx_default_site_def();
    tx_camera_def camera = tx_default_camera_def();
    tx_motor_def motor = tx_default_motor_def();
    tx_tendon_def tendon = tx_default_tendon_def();
    tx_equality_def equality = tx_default_equality_def();
    tx_pair_def pair = tx_default_pair_def();
    tx_mesh_def mesh = tx_default_mesh_def();
    tx_hfield_def hfield = tx_default_hfield_def();
    tx_path_def path[] = {{TX_PATH_SITE, "a", NULL, 0}, {TX_PATH_SITE, "b", NULL, 0}};
    tx_sensor_def sensor = {.name = "pull", .type = TX_SENSOR_TENDONPOS, .object = TX_OBJECT_TENDON, .of = "rope"};
    tx_exclude_def exclude = {.body1 = "arm", .body2 = "hand"};
    double qpos[9] = {0.1, 0, 0, 1, 1};
    tx_key_def key = {.name = "home", .qpos = qpos, .qpos_count = 8};
    mesh.name = "rock", mesh.vertices = corners, mesh.vertex_count = 5;
    hfield.name = "hills", hfield.nrow = hfield.ncol = 3, hfield.elevation = heights;
    DO(t, tx_builder_name(b, "built") == TX_OK);
    DO(t, tx_builder_mesh(b, &mesh) == 0);
    DO(t, tx_builder_hfield(b, &hfield) == 0);
    geom.type = TX_GEOM_HFIELD, geom.hfield = "hills", geom.name = "ground";
    DO(t, tx_builder_geom(b, 0, &geom) == 0);
    geom = tx_default_geom_def(), site.name = "a";
    DO(t, tx_builder_site(b, 0, &site) == 0);
    body.name = "arm", joint.name = "hinge";
    DO(t, tx_builder_body(b, 0, &body) == 1);
    DO(t, tx_builder_joint(b, 1, &joint) == 0);
    geom.name = "arm", geom.size[0] = 0.1;
    DO(t, tx_builder_geom(b, 1, &geom) == 1);
    body.name = "hand", body.pos[2] = 1, joint.name = "free", joint.type = TX_JOINT_FREE, site.name = "b";
    DO(t, tx_builder_body(b, 0, &body) == 2);
    DO(t, tx_builder_joint(b, 2, &joint) == 1);
    geom.type = TX_GEOM_MESH, geom.mesh = "rock", geom.name = "hand";
    DO(t, tx_builder_geom(b, 2, &geom) == 2);
    DO(t, tx_builder_site(b, 2, &site) == 1);
    camera.name = "eye", camera.mode = TX_CAMERA_TARGETBODY, camera.target = "arm";
    DO(t, tx_builder_camera(b, 2, &camera) == 0);
    motor.joint = "hinge", motor.name = "motor", tendon.name = "rope", tendon.path = path, tendon.count = 2;
    DO(t, tx_builder_motor(b, &motor) == 0);
    DO(t, tx_builder_tendon(b, &tendon) == 0);
    equality.name = "tie", equality.type = TX_EQUALITY_CONNECT, equality.first = "hand";
    DO(t, tx_builder_equality(b, &equality) == 0);
    pair.geom1 = "arm", pair.geom2 = "hand";
    DO(t, tx_builder_pair(b, &pair) == 0);
    DO(t, tx_builder_sensor(b, &sensor) == 0);
    DO(t, tx_builder_exclude(b, &exclude) == 0);
    DO(t, tx_builder_key(b, &key) == 0);
    tx_model *model = NULL;
    for (int attempt = 0; !model && !t->wrong; attempt++) {
        tx_diag diag = {0};
        model = keep(t, tx_builder_compile(b, &diag), &diag);
        if (!model && !again(t, attempt, "compile")) break;
    }
    tx_builder *other = NULL;
    if (model && DO(t, (other = tx_builder_from_model(model)) != NULL)) {
        tx_model *copy = NULL;
        DO(t, (copy = tx_builder_compile(other, NULL)) != NULL);
        check(t, copy && tx_element_find(copy, TX_ELEMENT_GEOM, "hand") == 2, "the same model");
        tx_model_destroy(copy);
    }
    tx_builder_destroy(other), tx_builder_destroy(b), tx_model_destroy(model);
}

static void add_states(trial *t, tx_sim *sim) {
    uint64_t hash = tx_sim_hash(sim);
    add(t, &hash, sizeof hash);
}

static void simulate(trial *t, int threads) {
    tx_model *model = load(t, work_path);
    uint64_t before = 0;
    size_t size = 0;
    const void *bytes_of_model = model ? tx_model_bytes(model, &size) : NULL;
    if (model) before = tx_hash(TX_HASH_START, bytes_of_model, size);
    tx_sim_def def = tx_default_sim_def();
    def.envs = 5, def.contact_room = 1, def.threads = threads;
    tx_sim *sim = NULL;
    if (!model || !DO(t, (sim = tx_sim_create(model, &def)) != NULL)) {
        tx_model_destroy(model);
        return;
    }
    // parameters of their own
    double *mass = NULL, *friction = NULL;
    if (DO(t, (mass = tx_sim_param(sim, TX_PARAM_BODY_MASS)) != NULL))
        for (int i = 0, n = tx_model_size(model, TX_SIZE_NBODY); i < def.envs * n; i++) mass[i] *= 1 + 0.01 * (i / n);
    DO(t, tx_sim_params_changed(sim) == TX_OK);
    // a second one; without memory for it the first still belongs to the environments, not to the model
    if (!(friction = tx_sim_param(sim, TX_PARAM_GEOM_FRICTION))) {
        check(t, tx_sim_params_changed(sim) == TX_OK, "the parameters that vary already");
        check(t, tx_hash(TX_HASH_START, tx_model_bytes(model, NULL), size) == before, "a write into the model");
        if (again(t, 0, "a second parameter")) friction = tx_sim_param(sim, TX_PARAM_GEOM_FRICTION);
    }
    if (check(t, friction != NULL, "a second parameter again")) friction[0] *= 1.5;
    DO(t, tx_sim_params_changed(sim) == TX_OK);
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    for (int i = 0; i < def.envs * tx_model_size(model, TX_SIZE_NU); i++) ctrl[i] = 0.05 * (i % 7);

    // steps with buffers that grow, all environments or none
    for (int i = 0; i < 3; i++) {
        uint64_t hash = tx_sim_hash(sim);
        double now = tx_sim_array(sim, TX_ARRAY_TIME)[0];
        tx_result result = tx_sim_step_n(sim, 20);
        if (result != TX_OK) {
            check(t, result == TX_ERROR_MEMORY && tx_sim_hash(sim) == hash, "a failed step changes nothing");
            check(t, tx_sim_array(sim, TX_ARRAY_TIME)[0] == now, "nor the time");
            int contacts;
            for (int e = 0; e < def.envs; e++) tx_sim_contacts(sim, e, &contacts);
            if (again(t, 0, "step")) check(t, tx_sim_step_n(sim, 20) == TX_OK, "step again");
        }
        add_states(t, sim);
    }
    DO(t, tx_sim_forward(sim) == TX_OK);
    double *qacc = NULL, *xpos = NULL;
    DO(t, (qacc = tx_sim_array(sim, TX_ARRAY_QACC)) != NULL);
    if (qacc) add(t, qacc, sizeof *qacc * (size_t)(def.envs * tx_sim_array_width(sim, TX_ARRAY_QACC)));
    DO(t, (xpos = tx_sim_array(sim, TX_ARRAY_GEOM_XPOS)) != NULL);
    if (xpos) add(t, xpos, sizeof *xpos * (size_t)(def.envs * tx_sim_array_width(sim, TX_ARRAY_GEOM_XPOS)));

    // queries
    static const double from[3] = {0, 0, 5}, down[3] = {0, 0, -1};
    tx_ray_hit hit = {0};
    if (DO(t, tx_sim_ray(sim, 0, from, down, NULL, &hit) == TX_OK)) add_number(t, hit.distance);
    tx_distance distance = {0};
    if (tx_model_size(model, TX_SIZE_NGEOM) > 1) {
        tx_result result = tx_sim_distance(sim, 1, 0, 1, 10, &distance);
        check(t, result == TX_OK || result == TX_ERROR_UNSUPPORTED, "distance");
        if (result == TX_OK) add_number(t, distance.distance);
    }
    int count = 0;
    const tx_contact *contacts = tx_sim_contacts(sim, 4, &count);
    for (int i = 0; i < count; i++)
        add_number(t, contacts[i].dist), add(t, contacts[i].force, sizeof contacts[i].force);

    size_t bytes = tx_sim_state_size(sim);
    char *blob = NULL;
    if (DO(t, (blob = malloc(bytes)) != NULL)) {
        DO(t, tx_sim_save(sim, blob, bytes) == TX_OK);
        DO(t, tx_sim_restore(sim, blob, bytes) == TX_OK);
    }
    free(blob);
    add_states(t, sim);
    tx_sim_destroy(sim);
    check(t, tx_hash(TX_HASH_START, tx_model_bytes(model, NULL), size) == before, "the model is constant");
    tx_model_destroy(model);
}

static void work_sim(trial *t) { simulate(t, 1); }
static void work_sim_by_two(trial *t) { simulate(t, 2); }

static void work_picture(trial *t) {
    tx_model *model = load(t, work_path);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = NULL;
    tx_scene *scene = NULL;
    tx_image image = {0};
    if (model && DO(t, (sim = tx_sim_create(model, &def)) != NULL) && DO(t, tx_sim_step_n(sim, 3) == TX_OK) &&
        DO(t, tx_sim_forward(sim) == TX_OK) && DO(t, (scene = tx_scene_create()) != NULL) &&
        DO(t, (tx_scene_clear(scene), tx_scene_add_sim(scene, sim, 0, NULL, NULL) == TX_OK)) &&
        DO(t, tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, "two\nlines") == TX_OK)) {
        const double a[3] = {0, 0, 0}, b[3] = {1, 1, 1};
        const float red[4] = {1, 0, 0, 1};
        DO(t, tx_scene_add_line(scene, a, b, 0, red) == TX_OK);
        tx_camera camera = tx_scene_camera(scene, 135 * TX_DEGREE, -20 * TX_DEGREE, 16.0 / 9.0);
        DO(t, tx_image_alloc(&image, 48, 27) == TX_OK);
        if (image.rgb && DO(t, tx_scene_render(scene, &camera, &image) == TX_OK)) add(t, image.rgb, 48 * 27 * 3);
        if (image.rgb && DO(t, tx_image_write_png(&image, scratch_file, NULL) == TX_OK)) {
            failing_heal();
            add_file(t, scratch_file);
        }
    }
    tx_image_free(&image), tx_scene_destroy(scene), tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- trials
// ----------------------------------------------------------------------------------------------------------

typedef struct piece {
    const char *name, *path;
    void (*work)(trial *t);
    int sample; // trials in CI
} piece;

static const piece PIECES[] = {
    {"load balls", "scenes/balls.xml", work_load, 100},
    {"load attached parts", "scenes/core_attach.xml", work_load, 120},
    {"load replicas", "scenes/core_replicate.xml", work_load, 100},
    {"load tendons", "scenes/core_tendons.xml", work_load, 100},
    {"load actuators", "scenes/core_actuators.xml", work_load, 100},
    {"load sensors", "scenes/core_sensors.xml", work_load, 100},
    {"load meshes", "scenes/core_mesh.xml", work_load, 200},
    {"load mesh files", "tests/data/mesh/main.xml", work_load, 120},
    {"load fused bodies", "scenes/core_fuse.xml", work_load, 60},
    {"load height fields", "scenes/terrain.xml", work_load, 120},
    {"load textures", "tests/data/texture/textures.xml", work_load, 150},
    {"load soft bodies", "tests/data/flex/all.xml", work_refused, 200},
    {"draw textures", "tests/data/texture/textures.xml", work_picture, 60},
    {"load a round mesh", "scenes/rest_round.xml", work_load, 100},
    {"load a distance field", "scenes/bowl.xml", work_load, 60},
    {"load free bodies for joints", "scenes/contact/chain_heavy.xml", work_load, 100},
    {"load a URDF", "scenes/urdf/arm.urdf", work_load, 120},
    {"load a URDF with a mimic joint", "scenes/urdf/gripper.urdf", work_load, 100},
    {"compile and read back", "scenes/core_pairs.xml", work_compiled, 80},
    {"save a humanoid", "scenes/humanoid.xml", work_save, 100},
    {"save meshes", "scenes/core_mesh.xml", work_save, 80},
    {"build", "", work_build, 200},
    {"step balls", "scenes/balls.xml", work_sim, 100},
    {"step terrain", "scenes/terrain.xml", work_sim, 80},
    {"step a quadruped", "scenes/quadruped.xml", work_sim, 60},
    {"step what sleeps", "scenes/sleep_dominoes.xml", work_sim, 60},
    {"step by two threads", "scenes/chain.xml", work_sim_by_two, 60},
    {"draw a humanoid", "scenes/humanoid.xml", work_picture, 60},
    {"draw terrain", "scenes/terrain.xml", work_picture, 60},
};
enum { PIECE_COUNT = sizeof PIECES / sizeof PIECES[0] };

// quarters of the samples: the sanitizer is slow, and another compiler has the same allocations
#if SANITIZED
enum { SHARE = 3 };
#elif defined(__clang__)
enum { SHARE = 1 };
#else
enum { SHARE = 4 };
#endif

static trial run(const piece *p, long fails_at, bool onwards, long *allocations) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TX_SOURCE_DIR, p->path);
    trial t = {.hash = TX_HASH_START};
    work_path = path;
    size_t before = failing_living();
    failing_start(fails_at, onwards);
    p->work(&t);
    *allocations = failing_stop();
    if (failing_living() != before) check(&t, false, "memory leaks");
    return t;
}

// @return how many trials were made
static int try_piece(const piece *p, int *faults) {
    long allocations, unused;
    run(p, 0, false, &allocations); // what libraries keep for good
    trial good = run(p, 0, false, &allocations);
    if (good.wrong) fail_msg("%s, with memory: %s", p->name, good.wrong);
    int trials = 0;
    long step = every_trial ? 1 : 2 * allocations / (p->sample * SHARE / 4);
    if (step < 1) step = 1;
    // parameters and buffers that grow come last in a simulation: none of these is left out
    long dense = p->work == work_sim || p->work == work_sim_by_two ? allocations - 40 : allocations;
    for (long at = 1; at <= allocations; at += at < dense && at + step <= dense ? step : at < dense ? dense - at : 1)
        for (int onwards = 0; onwards < 2; onwards++, trials++) {
            trial t = run(p, at, onwards, &unused);
            if (!t.wrong && t.hash != good.hash) t.wrong = "another result";
            if (!t.wrong) continue;
            ++*faults;
            print_error("%s, allocation %ld of %ld fails%s: %s\n", p->name, at, allocations,
                        onwards ? " and all after it" : "", t.wrong);
        }
    return trials;
}

static void test_every_allocation_may_fail(void **state) {
    int faults = 0, trials = 0;
    const char *only = getenv("TX_PIECE");
    for (int i = 0; i < PIECE_COUNT; i++) {
        if (only && !strstr(PIECES[i].name, only)) continue;
        // the sanitizer itself needs memory for a thread
        if (SANITIZED && PIECES[i].work == work_sim_by_two) continue;
        int made = try_piece(&PIECES[i], &faults);
        print_message("%-34s %5d trials\n", PIECES[i].name, made);
        trials += made;
    }
    print_message("%d trials\n", trials);
    assert_int_equal(faults, 0);
    if (!only && SHARE >= 3) assert_true(trials >= 2000);
}

enum { CHUNK = 64 << 10 };

// small pieces until a new chunk has been opened, then all of it but what is left
static void leave(tx_stash *stash, size_t left) {
    const size_t before = stash->taken;
    do assert_non_null(tx_stash_take(stash, 16));
    while (stash->taken == before);
    for (size_t used = 16; used + left < CHUNK; used += 16) assert_non_null(tx_stash_take(stash, 16));
}

// Reads a file whose stash has `left` bytes beside the elements before it asks for chunks, of which the n-th fails.
// @return whether it was not needed
static bool reads_without_a_chunk(const char *text, size_t length, const char *folder, size_t left, int n) {
    tx_stash stash = {.limit = 1 << 24};
    tx_diag diag = {0};
    tx_xml_element *root = tx_xml_parse(&stash, text, length, "name", 1, &diag);
    assert_non_null(root);
    tx_mjcf_part *parts = NULL;
    assert_true(tx_mjcf_expand(&stash, root, folder, &parts, &diag));
    leave(&stash, left);
    tx_builder *builder = tx_builder_create();
    failing_only(CHUNK);
    failing_start(n, false);
    const bool good = tx_mjcf_parse(&stash, root, folder, parts, true, builder, &diag, NULL).good;
    failing_stop();
    failing_only(0);
    assert_true(diag.errors == 0 || says_memory(&diag));
    if (diag.errors == 0 && stash.refused)
        fail_msg("chunk %d behind %zu bytes is missing, and nothing is said", n, left);
    tx_builder_destroy(builder);
    tx_diag_free(&diag);
    tx_stash_free(&stash);
    return good && !failing_happened();
}

// the list of a keyframe's parts was the first piece of a chunk that could not be had: a keyframe less, and no word
static void test_every_piece_may_be_refused(void **state) {
    static const char text[] =
        "<mujoco><asset><model name='leg' file='core_assets/leg.xml'/></asset><worldbody><body name='post'>"
        "<joint name='post'/><geom size='.1'/><attach model='leg' body='thigh' "
        "prefix='a_'/></body></worldbody></mujoco>";
    bool enough = false;
    for (int chunk = 1; !enough; chunk++)
        for (size_t left = 0; left < CHUNK && !enough; left += SANITIZED ? 208 : 16)
            enough = reads_without_a_chunk(text, sizeof text - 1, TX_SOURCE_DIR "/scenes/", left, chunk);
}

// an option that is merged into a model takes two pieces of memory: a chunk that cannot be had for the first is no
// reason to have the second
static void test_options_that_cannot_be_merged(void **state) {
    static const char text[] =
        "<mujoco><compiler conflict='merge'/><asset><model name='kid' file='merge_child.xml'/></asset>"
        "<worldbody><attach model='kid' prefix=''/></worldbody></mujoco>";
    int failed = 0;
    // the file that is read is a piece of that size too
    for (int n = 2; n <= 3; n++)
        for (size_t left = 0; left < 12000; left += SANITIZED ? 208 : 16) {
            tx_stash stash = {.limit = 1 << 24};
            tx_diag diag = {0};
            tx_mjcf_part *parts = NULL;
            tx_xml_element *root = tx_xml_parse(&stash, text, sizeof text - 1, "name", 1, &diag);
            assert_non_null(root);
            leave(&stash, left);
            failing_only(CHUNK);
            failing_start(n, false);
            const bool good = tx_mjcf_expand(&stash, root, TX_SOURCE_DIR "/tests/data/attach/", &parts, &diag);
            failing_stop();
            failing_only(0);
            // what goes on without a piece is found by `refused` in the end
            assert_true(good || says_memory(&diag));
            failed += !good;
            tx_diag_free(&diag);
            tx_stash_free(&stash);
        }
    assert_true(failed > 0);
}

// what cannot grow has the room that it had, and grows when there is memory again
static void test_islands_that_cannot_grow(void **state) {
    const tx_dof_block blocks[2] = {{.dof = 0, .width = 1, .parent = -1, .tree = 0},
                                    {.dof = 1, .width = 1, .parent = -1, .tree = 1}};
    const int first[2] = {0, 1}, one[2] = {1, 1};
    const tx_problem p = {
        .nblocks = 2, .blocks = blocks, .nv = 2, .number_size = sizeof(double), .tree = {.first = first, .count = one}};
    tx_islands s;
    const size_t before = failing_living();
    assert_true(tx_islands_create(&s, &p, 1));
    const tx_island_room room = s.room;
    s.need.l_numbers = 10 * room.l_numbers;
    failing_start(1, false);
    assert_false(tx_islands_grow(&s, &p));
    failing_stop();
    assert_memory_equal(&s.room, &room, sizeof room);
    assert_true(tx_islands_grow(&s, &p));
    assert_true(s.room.l_numbers >= 10 * room.l_numbers);
    tx_islands_destroy(&s);
    assert_int_equal(failing_living(), before);
}

// every allocation that makes shapes of a height field: refused, or all of it
static void test_shapes_of_a_field(void **state) {
    tx_model *model = tx_load_file(TX_SOURCE_DIR "/scenes/terrain.xml", NULL);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_true(model && sim && tx_sim_forward(sim) == TX_OK);
    bool failed = true;
    for (int n = 1; failed; n++) {
        tx_scene *scene = tx_scene_create();
        assert_true(scene && n < 1000);
        failing_start(n, false);
        const tx_result result = tx_scene_add_sim(scene, sim, 0, NULL, NULL);
        failed = failing_happened();
        failing_stop();
        assert_int_equal(result, failed ? TX_ERROR_MEMORY : TX_OK);
        tx_scene_destroy(scene);
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static void take_parameters_without_memory(const char *path) {
    enum { ENVS = 9 };
    tx_model *model = tx_load_file(path, NULL);
    tx_sim_def def = tx_default_sim_def();
    def.envs = ENVS;
    tx_sim *sim[2] = {tx_sim_create(model, &def), tx_sim_create(model, &def)};
    assert_true(model && sim[0] && sim[1]);
    for (int k = 0; k < 2; k++) {
        double *mass = tx_sim_param(sim[k], TX_PARAM_BODY_MASS);
        const int bodies = tx_model_size(model, TX_SIZE_NBODY);
        for (int i = 0; i < ENVS * bodies; i++) mass[i] *= 1 + 0.1 * (i % 7);
        // masses are not seen while all falls, gravity is from the first step on
        double *gravity = tx_sim_param(sim[k], TX_PARAM_GRAVITY);
        assert_non_null(gravity);
        for (int i = 0; i < 3 * ENVS; i++) gravity[i] *= 1 + 0.1 * (i % 7);
        assert_int_equal(tx_sim_params_changed(sim[k]), TX_OK);
    }
    bool failed = true;
    int failures = 0;
    for (int n = 1; failed; n++, failures += failed) {
        failing_start(n, false);
        const double *friction = tx_sim_param(sim[0], TX_PARAM_GEOM_FRICTION);
        failed = failing_happened();
        failing_stop();
        assert_int_equal(friction == NULL, failed);
        assert_true(tx_sim_step(sim[0]) == TX_OK && tx_sim_step(sim[1]) == TX_OK);
        assert_true(tx_sim_hash(sim[0]) == tx_sim_hash(sim[1]));
    }
    assert_true(failures > 1);
    tx_sim_destroy(sim[0]), tx_sim_destroy(sim[1]), tx_model_destroy(model);
}

// parameters that there is no memory for leave those that were: in trees side by side, which have copies, and in lanes
static void test_parameters_that_cannot_be_taken(void **state) {
    take_parameters_without_memory(TX_SOURCE_DIR "/scenes/balls.xml");
    take_parameters_without_memory(TX_SOURCE_DIR "/scenes/quadruped.xml");
}

int main(int count, char **arguments) {
    every_trial = count > 1 && strcmp(arguments[1], "all") == 0;
    snprintf(scratch_file, sizeof scratch_file, "/tmp/test_memory_%ld", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_may_be_refused),      cmocka_unit_test(test_options_that_cannot_be_merged),
        cmocka_unit_test(test_islands_that_cannot_grow),        cmocka_unit_test(test_shapes_of_a_field),
        cmocka_unit_test(test_parameters_that_cannot_be_taken), cmocka_unit_test(test_every_allocation_may_fail)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(scratch_file);
    return failed;
}
