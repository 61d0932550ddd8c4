// test_model.c - a compiled model as bytes: what is written is what is read, and anything else is refused with a
// message.
#include "reference.h"

#include "base/hash.h"

#include <unistd.h>

static const char *const SCENES[] = {"pendulum",  "chain",    "joints", "balls",
                                     "quadruped", "humanoid", "arm",    "core_spatial"};
enum { SCENE_COUNT = sizeof SCENES / sizeof SCENES[0] };

// a path nobody else uses
static void temporary(char *path, size_t size, const char *name) {
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/thixis_test_model_%ld_%s.tx", folder ? folder : "/tmp", (long)getpid(), name);
}

static uint64_t simulate(const tx_model *model) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = 3;
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    tx_sim_reset(sim, tx_model_size(model, TX_SIZE_NKEY) - 1, NULL);
    assert_int_equal(tx_sim_step_n(sim, 200), TX_OK);
    uint64_t hash = tx_sim_hash(sim);
    tx_sim_destroy(sim);
    return hash;
}

static void same_bytes(const tx_model *a, const tx_model *b) {
    size_t size_a, size_b;
    const void *x = tx_model_bytes(a, &size_a), *y = tx_model_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(x, y, size_a);
}

// ---- round trips ---------------------------------------------------------------------------------------------------

static void what_is_written_is_read(void **state) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        char path[512];
        tx_diag diag = {0};
        tx_model *model = load_scene(SCENES[i]);
        temporary(path, sizeof path, SCENES[i]);
        assert_int_equal(tx_model_write(model, path), TX_OK);
        tx_model *again = tx_model_read(path, &diag), *loaded = tx_load_file(path, &diag);
        assert_non_null(again);
        assert_non_null(loaded);
        assert_int_equal(diag.count, 0);
        same_bytes(model, again);
        same_bytes(model, loaded);
        // the source can go: nothing points into it
        uint64_t hash = simulate(model);
        for (int s = 0; s < TX_SIZE_COUNT; s++)
            assert_int_equal(tx_model_size(model, (tx_size)s), tx_model_size(again, (tx_size)s));
        assert_string_equal(tx_model_name(model), tx_model_name(again));
        for (int b = 0; b < tx_model_size(model, TX_SIZE_NBODY); b++)
            assert_string_equal(tx_element_name(model, TX_ELEMENT_BODY, b), tx_element_name(again, TX_ELEMENT_BODY, b));
        assert_memory_equal(tx_model_options(model), tx_model_options(again), sizeof(tx_options));
        tx_model_destroy(model);
        assert_int_equal(simulate(again), hash);
        assert_int_equal(simulate(loaded), hash);
        tx_model_destroy(again), tx_model_destroy(loaded);
        remove(path);
    }
}

// the same file compiles to the same bytes, whatever lay in memory before
static void compiling_twice_gives_the_same_bytes(void **state) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        tx_model *a = load_scene(SCENES[i]);
        void *dirt = malloc(100000);
        memset(dirt, 0xa5, 100000);
        free(dirt);
        tx_model *b = load_scene(SCENES[i]);
        same_bytes(a, b);
        tx_model_destroy(a), tx_model_destroy(b);
    }
}

// unused bytes of the options do not reach the model: equal options give equal models, and states fit
static void padding_is_not_part_of_a_model(void **state) {
    tx_model *models[2];
    for (int i = 0; i < 2; i++) {
        tx_builder *builder = tx_builder_create();
        tx_options options, good = tx_default_options();
        memset(&options, i ? 0xff : 0, sizeof options);
#define COPY(field) options.field = good.field
        COPY(timestep);
        COPY(tolerance);
        COPY(momentum_tolerance);
        COPY(gain_tolerance);
        COPY(ls_tolerance);
        COPY(impratio);
        COPY(stiffness), COPY(relaxation), COPY(dissipation), COPY(beta), COPY(sigma), COPY(stiction);
        COPY(recovery), COPY(recovery_share), COPY(restitution), COPY(bounce_speed);
        COPY(iterations);
        COPY(ls_iterations);
        COPY(noslip_iterations);
        COPY(noslip_tolerance);
        COPY(stiffness), COPY(relaxation), COPY(dissipation), COPY(beta), COPY(sigma), COPY(stiction);
        COPY(law);
        COPY(solver);
        COPY(integrator);
        COPY(contact), COPY(equality), COPY(limit), COPY(frictionloss), COPY(constraint), COPY(gravity), COPY(damper);
        COPY(spring), COPY(actuation), COPY(warmstart), COPY(filterparent), COPY(refsafe), COPY(eulerdamp);
        COPY(clampctrl), COPY(sensor), COPY(diagexact), COPY(speculative), COPY(broadphase);
        COPY(narrowphase), COPY(mpr_to_gjk_overlap_ratio), COPY(mc_perturbation), COPY(mc_tolerance);
        COPY(contacts_per_pair), COPY(actuator_groups_off), COPY(override), COPY(o_margin), COPY(sleep),
            COPY(sleep_tolerance);
        memcpy(options.o_solref, good.o_solref, sizeof good.o_solref);
        memcpy(options.o_solimp, good.o_solimp, sizeof good.o_solimp);
        memcpy(options.o_friction, good.o_friction, sizeof good.o_friction);
        tx_builder_options(builder, &options);
        tx_geom_def ball = tx_default_geom_def();
        ball.size[0] = 0.1;
        tx_builder_geom(builder, 0, &ball);
        models[i] = tx_builder_compile(builder, NULL);
        assert_non_null(models[i]);
        tx_builder_destroy(builder);
    }
    same_bytes(models[0], models[1]);
    tx_model_destroy(models[0]), tx_model_destroy(models[1]);
}

// ---- damage --------------------------------------------------------------------------------------------------------

// counts what is believed; what is refused must say why
static int believed(const void *bytes, size_t size, const char *what) {
    tx_diag diag = {0};
    tx_model *model = tx_model_from_bytes(bytes, size, &diag);
    if (model) {
        printf("accepted: %s\n", what);
        tx_model_destroy(model);
        return 1;
    }
    assert_int_equal(diag.errors, 1);
    char line[512];
    assert_true(tx_diag_format(&diag, 0, line, sizeof line) > 20);
    assert_non_null(strstr(line, "error: "));
    tx_diag_free(&diag);
    assert_null(tx_model_from_bytes(bytes, size, NULL)); // nobody needs to listen
    return 0;
}

static void refused(const void *bytes, size_t size, const char *what) {
    assert_int_equal(believed(bytes, size, what), 0);
}

static void damaged_bytes_are_refused(void **state) {
    tx_model *model = load_scene("pendulum");
    size_t size;
    const char *good = tx_model_bytes(model, &size);
    char *bytes = malloc(size + 64);
    char what[64];
    memcpy(bytes, good, size);
    refused(NULL, 0, "nothing");
    // each byte in turn, one bit of it
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (char)(1 << i % 8);
        snprintf(what, sizeof what, "byte %zu changed", i);
        refused(bytes, size, what);
        bytes[i] = good[i];
    }
    // cut anywhere, or with something behind
    for (size_t cut = 0; cut < size; cut += cut < 300 ? 1 : 61) {
        snprintf(what, sizeof what, "cut to %zu bytes", cut);
        refused(bytes, cut, what);
    }
    memset(bytes + size, 0, 64);
    refused(bytes, size + 64, "64 zeros more");
    // from an address that is not aligned
    char *odd = malloc(size + 1);
    memcpy(odd + 1, good, size);
    tx_model *copy = tx_model_from_bytes(odd + 1, size, NULL);
    assert_non_null(copy);
    same_bytes(model, copy);
    tx_model_destroy(copy), tx_model_destroy(model);
    free(odd), free(bytes);
}

// with a checksum that fits: whoever wrote such a file did so on purpose or had other code; it must not be believed
static void wrong_content_with_a_right_checksum_is_refused(void **state) {
    enum { HASH_AT = 24, SIZES_AT = 32 }; // magic 8, version 4, order 4, size 8, hash 8, sizes
    tx_model *model = load_scene("humanoid");
    size_t size;
    const char *good = tx_model_bytes(model, &size);
    char *bytes = malloc(size);
    uint64_t hash;
    int misses = 0;
    memcpy(bytes, good, size);
    memcpy(&hash, good + HASH_AT, sizeof hash);
    assert_int_equal(hash, tx_hash(TX_HASH_START, good + SIZES_AT, size - SIZES_AT));
#define WRONG(address, type, value)                                           \
    {                                                                         \
        type wrong = value;                                                   \
        memcpy(bytes + ((const char *)(address)-good), &wrong, sizeof wrong); \
        hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, size - SIZES_AT);     \
        memcpy(bytes + HASH_AT, &hash, sizeof hash);                          \
        misses += believed(bytes, size, #address " = " #value);               \
        memcpy(bytes, good, size);                                            \
    }
#define X(NAME, name, meaning)                                    \
    WRONG(good + SIZES_AT + 4 * TX_SIZE_##NAME, int32_t, -1)      \
    WRONG(good + SIZES_AT + 4 * TX_SIZE_##NAME, int32_t, 1 << 27) \
    WRONG(good + SIZES_AT + 4 * TX_SIZE_##NAME, int32_t, INT32_MAX)
    TX_SIZES(X)
#undef X
    WRONG(&tx_model_options(model)->integrator, int, 99)
    WRONG(&tx_model_options(model)->timestep, double, 0)
    WRONG(&tx_model_options(model)->contact, char, 7)
    WRONG(tx_model_ints(model, TX_INT_BODY_PARENT, NULL) + 3, int, 1000)
    WRONG(tx_model_ints(model, TX_INT_BODY_PARENT, NULL) + 3, int, 5)
    WRONG(tx_model_ints(model, TX_INT_DOF_PARENT, NULL) + 5, int, 5)
    WRONG(tx_model_ints(model, TX_INT_DOF_MADR, NULL) + 5, int, 1 << 20)
    WRONG(tx_model_ints(model, TX_INT_DOF_MNUM, NULL) + 5, int, -4)
    WRONG(tx_model_ints(model, TX_INT_JNT_TYPE, NULL) + 1, int, 17)
    WRONG(tx_model_ints(model, TX_INT_JNT_QPOSADR, NULL) + 1, int, -5)
    WRONG(tx_model_ints(model, TX_INT_GEOM_TYPE, NULL) + 1, int, 99)
    WRONG(tx_model_ints(model, TX_INT_GEOM_BODY, NULL) + 1, int, 99999)
    WRONG(tx_model_ints(model, TX_INT_PAIR_GEOM1, NULL), int, -7)
    WRONG(tx_model_ints(model, TX_INT_MOMENT_DOF, NULL), int, 1 << 25)
    WRONG(tx_model_ints(model, TX_INT_LIMIT_JNT, NULL), int, 1 << 25)
    WRONG(tx_model_ints(model, TX_INT_BODY_NAME, NULL) + 1, int, 1 << 25)
    WRONG(tx_model_ints(model, TX_INT_GEOM_CONDIM, NULL) + 1, int, 5)
    // laws and solvers go by their names, which stand behind the options; a number of another build is not believed
    const tx_options *options = tx_model_options(model);
    const char *const names = (const char *)(options + 1);
    assert_string_equal(names, tx_law_name(options->law));
    assert_string_equal(names + 32, tx_solver_name(options->solver));
    for (int i = 0; i < 4; i++) {
        const bool law = i % 2 == 0, by_name = i / 2;
        const int other = 99;
        if (by_name) memcpy(bytes + (names + (law ? 0 : 32) - good), "nothing", 8);
        else memcpy(bytes + ((const char *)(law ? &options->law : &options->solver) - good), &other, sizeof other);
        hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, size - SIZES_AT);
        memcpy(bytes + HASH_AT, &hash, sizeof hash);
        tx_diag diag = {0};
        tx_model *odd = tx_model_from_bytes(bytes, size, &diag);
        if (by_name) {
            assert_null(odd);
            assert_non_null(strstr(diag.messages[0].text, law ? "no law 'nothing'" : "no solver 'nothing'"));
        } else {
            assert_non_null(odd);
            same_bytes(model, odd);
        }
        tx_diag_free(&diag), tx_model_destroy(odd);
        memcpy(bytes, good, size);
    }
    free(bytes);
    tx_model_destroy(model);
    assert_int_equal(misses, 0);
}

// tendons that measure where bodies are to each other
static tx_model *in_maximal_coordinates(void) {
    static const char TEXT[] =
        "<mujoco><custom><text name='thixis.coordinates' data='maximal'/></custom><worldbody><body><joint damping='1' "
        "range='-10 20'/><geom size='0.1'/><body pos='0 0 1'><joint type='ball' damping='1' range='0 30'/>"
        "<geom size='0.1'/></body></body></worldbody></mujoco>";
    tx_diag diag = {0};
    return must_have(tx_load_string(TEXT, strlen(TEXT), "text", &diag), &diag);
}

// bits, groups and priorities may be any number
static bool may_be_anything(tx_model_int field) {
    return field == TX_INT_GEOM_CONTYPE || field == TX_INT_GEOM_CONAFFINITY || field == TX_INT_GEOM_GROUP ||
           field == TX_INT_GEOM_PRIORITY || field == TX_INT_SITE_GROUP || field == TX_INT_ACTUATOR_GROUP;
}

// every integer of models with everything in them: a number that fits nowhere is refused, and the numbers beside it are
// refused or do no harm
static void no_integer_leads_out_of_its_array(void **state) {
    static const char *const NAME[] = {
#define X(NAME, name, count, meaning) [TX_INT_##NAME] = #name,
        TX_MODEL_INTS(X)
#undef X
    };
    static const char *const MODELS[] = {
        "core_sensors", "core_tendons", "core_spatial",        "core_actuators",   "core_servos",
        "core_delays",  "core_pairs",   "core_mesh",           "core_cameras",     "core_rays",
        "core_tactile", "core_mocap",   "contact/chain_heavy", "sleep_dominoes",   "core_sites",
        "terrain",      "core_yield",   "core_yield_tendons",  "core_orientation", "maximal"};
    enum { HASH_AT = 24, SIZES_AT = 32, MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };
    int misses = 0;
    for (int i = 0; i < MODEL_COUNT; i++) {
        tx_model *model = i < MODEL_COUNT - 1 ? load_scene(MODELS[i]) : in_maximal_coordinates();
        size_t size;
        const char *good = tx_model_bytes(model, &size);
        char *bytes = malloc(size);
        memcpy(bytes, good, size);
        for (int f = 0; f < TX_INT_COUNT; f++) {
            int count;
            const int *field = tx_model_ints(model, (tx_model_int)f, &count);
            for (int t = 0; count > 0 && t < 18; t++) {
                const int *at = field + (t / 6 == 0 ? 0 : t / 6 == 1 ? count / 2 : count - 1);
                const int values[] = {1 << 29, -1000, *at + 1, *at - 1, 0, -1};
                if (values[t % 6] == *at) continue;
                memcpy(bytes + ((const char *)at - good), &values[t % 6], sizeof(int));
                uint64_t hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, size - SIZES_AT);
                memcpy(bytes + HASH_AT, &hash, sizeof hash);
                tx_diag diag = {0};
                tx_model *forged = tx_model_from_bytes(bytes, size, &diag);
                assert_int_equal(diag.errors, !forged);
                if (forged && t % 6 < 2 && !may_be_anything((tx_model_int)f)) {
                    print_error("%s: %s[%d] = %d is believed\n", MODELS[i], NAME[f], (int)(at - field), values[t % 6]);
                    misses++;
                }
                tx_sim_def def = tx_default_sim_def();
                tx_sim *sim = forged && t % 6 >= 2 ? tx_sim_create(forged, &def) : NULL;
                if (sim) tx_sim_step(sim);
                tx_sim_destroy(sim), tx_model_destroy(forged), tx_diag_free(&diag);
                memcpy(bytes + ((const char *)at - good), at, sizeof(int));
            }
        }
        free(bytes);
        tx_model_destroy(model);
    }
    assert_int_equal(misses, 0);
}

static void wrong_files_are_refused(void **state) {
    char path[512], line[1024];
    tx_diag diag = {0};
    assert_null(tx_model_read("/nowhere/at/all.tx", &diag));
    assert_null(tx_model_read(NULL, &diag));
    assert_null(tx_model_read("/tmp", &diag));
    assert_null(tx_load_file(NULL, &diag));
    assert_int_equal(diag.errors, 4);
    tx_diag_format(&diag, 0, line, sizeof line);
    assert_non_null(strstr(line, "/nowhere/at/all.tx"));
    tx_diag_free(&diag);

    // half a file: the message names it
    tx_model *model = load_scene("pendulum");
    size_t size;
    const void *bytes = tx_model_bytes(model, &size);
    temporary(path, sizeof path, "half");
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size / 2, file), size / 2);
    fclose(file);
    assert_null(tx_model_read(path, &diag));
    assert_null(tx_load_file(path, &diag));
    assert_int_equal(diag.errors, 2);
    for (int i = 0; i < 2; i++) {
        tx_diag_format(&diag, i, line, sizeof line);
        if (!strstr(line, path)) fail_msg("does not name the file: %s", line);
    }
    // empty
    fclose(fopen(path, "wb"));
    assert_null(tx_model_read(path, NULL));
    remove(path);
    tx_diag_free(&diag);
    assert_int_equal(tx_model_write(model, "/nowhere/at/all.tx"), TX_ERROR_FILE);
    assert_int_not_equal(tx_model_write(model, NULL), TX_OK);
    assert_int_not_equal(tx_model_write(NULL, path), TX_OK);
    tx_model_destroy(model), tx_model_destroy(NULL);
}

// ---- accessors -----------------------------------------------------------------------------------------------------

static void names_are_found(void **state) {
    tx_model *model = load_scene("humanoid");
    static const struct {
        tx_element kind;
        tx_size size;
    } KINDS[] = {{TX_ELEMENT_BODY, TX_SIZE_NBODY},
                 {TX_ELEMENT_JOINT, TX_SIZE_NJNT},
                 {TX_ELEMENT_GEOM, TX_SIZE_NGEOM},
                 {TX_ELEMENT_ACTUATOR, TX_SIZE_NU},
                 {TX_ELEMENT_KEY, TX_SIZE_NKEY}};
    for (int k = 0; k < 5; k++) {
        int count = tx_model_size(model, KINDS[k].size);
        assert_true(count > 0);
        for (int i = 0; i < count; i++) {
            const char *name = tx_element_name(model, KINDS[k].kind, i);
            assert_non_null(name);
            if (name[0]) assert_int_equal(tx_element_find(model, KINDS[k].kind, name), i);
        }
        assert_null(tx_element_name(model, KINDS[k].kind, count));
        assert_null(tx_element_name(model, KINDS[k].kind, -1));
        assert_int_equal(tx_element_find(model, KINDS[k].kind, "no such name"), -1);
        assert_int_equal(tx_element_find(model, KINDS[k].kind, ""), -1);
        assert_int_equal(tx_element_find(model, KINDS[k].kind, NULL), -1);
    }
    assert_int_equal(tx_model_size(model, TX_SIZE_COUNT), -1);
    assert_null(tx_model_ints(model, TX_INT_COUNT, NULL));
    assert_null(tx_model_params(model, TX_PARAM_COUNT, NULL));
    assert_null(tx_model_data_array(model, TX_DATA_COUNT, NULL));
    int count;
    tx_model_data_array(model, TX_DATA_KEY_QPOS, &count);
    assert_int_equal(count, tx_model_size(model, TX_SIZE_NKEY) * tx_model_size(model, TX_SIZE_NQ));
    tx_model_params(model, TX_PARAM_GRAVITY, &count);
    assert_int_equal(count, 3);
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(compiling_twice_gives_the_same_bytes),
        cmocka_unit_test(padding_is_not_part_of_a_model),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(wrong_content_with_a_right_checksum_is_refused),
        cmocka_unit_test(no_integer_leads_out_of_its_array),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
