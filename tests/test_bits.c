// test_bits.c - the same bits for every target, thread count, place in the batch and neighbour (ACCEPTANCE A5).
//
// 37 environments, each with its own masses, inertias, friction, damping, gravity, start and controls, run up to 1,000
// steps with contacts. Whole state rows are compared bit by bit; all NaNs count as one.
#include "reference.h"
#include "sanitized.h"

// A5 asks for 1,000 steps: a walker and a quadruped take them, by what users get; another compiler has the same text.
// The scenes beside them are there for what they contain
#if SANITIZED
enum { MANY = 60, SOME = 60 };
#elif defined(__clang__)
enum { MANY = 200, SOME = 200 };
#else
enum { MANY = 1000, SOME = 400 };
#endif

enum { ENVS = 37, WATCHED = 17, CHUNK = 20 };

// ---- an environment is a function of its number --------------------------------------------------------------------

static double noise(uint64_t a, uint64_t b, uint64_t c) { // in [-1, 1), SplitMix64 of the three
    uint64_t x = a * 0x9e3779b97f4a7c15ull + b * 0xbf58476d1ce4e5b9ull + c * 0x94d049bb133111ebull + 1;
    for (int i = 0; i < 2; i++) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
        x ^= x >> 31;
    }
    return (double)(int64_t)x * 0x1p-63;
}

// multiplies each of `width` consecutive numbers by one random factor between 1 - size and 1 + size
static void scale_param(tx_sim *sim, tx_param field, int width, int row, int env, double size) {
    int count;
    tx_model_params(tx_sim_model(sim), field, &count);
    double *values = tx_sim_param(sim, field) + (size_t)row * (size_t)count;
    for (int i = 0; i < count; i++) values[i] *= 1 + size * noise((uint64_t)env, 1, (uint64_t)(i / width));
}

// gives row `row` of the sim the parameters and the start of environment `env`
static void make_environment(tx_sim *sim, int row, int env) {
    const tx_model *model = tx_sim_model(sim);
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV),
              njnt = tx_model_size(model, TX_SIZE_NJNT);
    scale_param(sim, TX_PARAM_BODY_MASS, 1, row, env, 0.3);
    scale_param(sim, TX_PARAM_BODY_INERTIA, 3, row, env, 0.3); // the same factor as the mass
    scale_param(sim, TX_PARAM_GEOM_FRICTION, 3, row, env, 0.5);
    scale_param(sim, TX_PARAM_DOF_DAMPING, 1, row, env, 0.9);
    scale_param(sim, TX_PARAM_GRAVITY, 3, row, env, 0.1);
    // every fifth environment is dry
    scale_param(sim, TX_PARAM_DENSITY, 1, row, env, env % 5 ? 0.5 : 0);
    if (env % 5 == 0) tx_sim_param(sim, TX_PARAM_DENSITY)[row] = tx_sim_param(sim, TX_PARAM_VISCOSITY)[row] = 0;
    scale_param(sim, TX_PARAM_WIND, 1, row, env, 0.9);
    tx_sim_param(sim, TX_PARAM_GRAVITY)[3 * row] += 0.5 * noise((uint64_t)env, 2, 0);

    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS) + row * nq, *qvel = tx_sim_array(sim, TX_ARRAY_QVEL) + row * nv;
    const int *type = tx_model_ints(model, TX_INT_JNT_TYPE, NULL),
              *address = tx_model_ints(model, TX_INT_JNT_QPOSADR, NULL);
    for (int j = 0; j < njnt; j++) {
        int n = type[j] == TX_JOINT_FREE   ? 7
                : type[j] == TX_JOINT_BALL ? 4
                                           : 1; // quaternions need not be of unit length
        for (int k = 0; k < n; k++) qpos[address[j] + k] += 0.02 * noise((uint64_t)env, 3, (uint64_t)(address[j] + k));
    }
    for (int d = 0; d < nv; d++) qvel[d] = 0.3 * noise((uint64_t)env, 4, (uint64_t)d);
}

static void set_controls(tx_sim *sim, int row, int env, int step) {
    const int nu = tx_model_size(tx_sim_model(sim), TX_SIZE_NU),
              nbody = tx_model_size(tx_sim_model(sim), TX_SIZE_NBODY);
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL) + row * nu,
           *push = tx_sim_array(sim, TX_ARRAY_XFRC_APPLIED) + 6 * row * nbody;
    for (int u = 0; u < nu; u++) ctrl[u] = 0.4 * noise((uint64_t)env, 5 + (uint64_t)step, (uint64_t)u);
    // now and then some environments are pushed, others not
    for (int k = 0; k < 3; k++)
        push[6 + k] = (env + step) % 3 == 0 ? 2 * noise((uint64_t)env, 6 + (uint64_t)step, (uint64_t)k) : 0;
}

// ---- runs ----------------------------------------------------------------------------------------------------------

typedef struct run {
    tx_target_choice target;
    int steps;
    int threads, envs; // threads 0: blocks are run backwards by the host
    int first;         // number of the environment in row 0
    bool troubled;     // the neighbours of the watched environment go wrong
    long contacts;     // out: contacts seen between the chunks
    tx_sim *sim;       // out
} run;

static void backwards(void *context, void (*task)(void *task_context, int item), void *task_context, int count) {
    (void)context;
    for (int i = count - 1; i >= 0; i--) task(task_context, i);
}

static tx_sim *start(const tx_model *model, run *r) {
    tx_sim_def def = {.envs = r->envs, .threads = r->threads, .target = r->target};
    if (r->threads == 0) def.threads = 1, def.executor = (tx_executor){.run = backwards, .threads = 1};
    tx_sim *sim = tx_sim_create(model, &def);
    if (!sim) return NULL;
    assert_int_equal(tx_sim_reset(sim, tx_model_size(model, TX_SIZE_NKEY) > 0 ? 0 : -1, NULL), TX_OK);
    for (int e = 0; e < r->envs; e++) make_environment(sim, e, r->first + e);
    tx_sim_params_changed(sim);
    return sim;
}

// false when this machine has no such target
static bool simulate(const tx_model *model, run *r) {
    const int nv = tx_model_size(model, TX_SIZE_NV);
    tx_sim *sim = r->sim = start(model, r);
    if (!sim) return false;
    for (int step = 0; step < r->steps; step += CHUNK) {
        for (int e = 0; e < r->envs; e++) set_controls(sim, e, r->first + e, step);
        if (r->troubled && step == 0) tx_sim_array(sim, TX_ARRAY_QVEL)[(WATCHED - 1) * nv] = NAN;
        if (r->troubled && step == CHUNK) {
            tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[(WATCHED + 1) * nv + nv - 1] = 1e300;
            tx_sim_array(sim, TX_ARRAY_QFRC_APPLIED)[(WATCHED + 2) * nv] = INFINITY;
            tx_sim_array(sim, TX_ARRAY_QVEL)[(WATCHED - 2) * nv] = 1e9;
        }
        assert_int_equal(tx_sim_step_n(sim, CHUNK), TX_OK);
        for (int e = 0; e < r->envs; e++) {
            int count;
            tx_sim_contacts(sim, e, &count);
            r->contacts += count;
        }
    }
    return true;
}

// ---- comparison ----------------------------------------------------------------------------------------------------

static bool same_bits(double a, double b) {
    uint64_t x, y;
    memcpy(&x, &a, sizeof x), memcpy(&y, &b, sizeof y);
    return x == y || (a != a && b != b);
}

// state and results of one row against one row; energy belongs to forward() alone
static int compare_rows(const char *scene, const char *what, run *a, int row_a, run *b, int row_b) {
    for (int array = 0; array < TX_ARRAY_COUNT; array++) {
        if (array == TX_ARRAY_ENERGY || !tx_list_name(TX_LIST_ARRAY, array)) continue;
        const int width = tx_sim_array_width(a->sim, (tx_array)array);
        const double *x = tx_sim_array(a->sim, (tx_array)array) + (size_t)row_a * (size_t)width;
        const double *y = tx_sim_array(b->sim, (tx_array)array) + (size_t)row_b * (size_t)width;
        for (int i = 0; i < width; i++) {
            if (same_bits(x[i], y[i])) continue;
            printf("%s, %s: environment %d, %s[%d] is %.17g and %.17g\n", scene, what, a->first + row_a,
                   tx_list_name(TX_LIST_ARRAY, array), i, x[i], y[i]);
            return 1;
        }
    }
    return 0;
}

static int compare_all(const char *scene, const char *what, run *a, run *b) {
    int misses = 0;
    for (int e = 0; e < ENVS && misses == 0; e++) misses += compare_rows(scene, what, a, e, b, e);
    return misses;
}

// ---- facts ---------------------------------------------------------------------------------------------------------

static const struct {
    tx_target_choice target;
    const char *name;
} TARGETS[] = {{TX_TARGET_SCALAR, "scalar"}, {TX_TARGET_AVX2, "avx2"}, {TX_TARGET_AVX512, "avx512"}};

// every thread count on every target, or one thread count each
static int check_targets(const char *scene, const tx_model *model, run *base, bool all_threads) {
    static const int LONE[] = {2, 4, 2};
    char what[128];
    int misses = 0;
    for (int t = 0; t < 3; t++) {
        for (int threads = 1; threads <= 4; threads *= 2) {
            if (t == 0 && threads == 1) continue; // that is the base
            if (!all_threads && (t == 0 || threads != LONE[t])) continue;
            run batch = {.target = TARGETS[t].target, .steps = base->steps, .threads = threads, .envs = ENVS};
            if (!simulate(model, &batch)) {
                printf("SKIPPED: this machine has no %s\n", TARGETS[t].name);
                break;
            }
            snprintf(what, sizeof what, "scalar on 1 thread against %s on %d", TARGETS[t].name, threads);
            misses += compare_all(scene, what, base, &batch);
            tx_sim_destroy(batch.sim);
        }
    }
    return misses;
}

// one environment alone, and a part of the batch at another place where the last lanes are not filled
static int check_places(const char *scene, const tx_model *model, run *base) {
    enum { SHIFT = 5, PART = 13 };
    char what[128];
    int misses = 0;
    for (int t = 0; t < 3; t++) {
        run alone = {.target = TARGETS[t].target, .steps = base->steps, .threads = 1, .envs = 1, .first = WATCHED};
        if (!simulate(model, &alone)) continue;
        snprintf(what, sizeof what, "batch of %d against alone on %s", ENVS, TARGETS[t].name);
        misses += compare_rows(scene, what, base, WATCHED, &alone, 0);
        tx_sim_destroy(alone.sim);
    }
    run part = {.target = TX_TARGET_AUTO, .steps = base->steps, .threads = 0, .envs = PART, .first = WATCHED - SHIFT};
    assert_true(simulate(model, &part));
    for (int e = 0; e < PART; e++)
        misses += compare_rows(scene, "place 17 of 37 against place 5 of 13", base, WATCHED - SHIFT + e, &part, e);
    tx_sim_destroy(part.sim);
    return misses;
}

// neighbours that go wrong stop, and the others do not notice; what the stopped ones hold is the same everywhere, too
static int check_trouble(const char *scene, const tx_model *model, run *base) {
    char what[128];
    int misses = 0;
    run first = {.target = TX_TARGET_SCALAR, .steps = base->steps, .threads = 1, .envs = ENVS, .troubled = true};
    assert_true(simulate(model, &first));
    for (int t = 1; t < 3; t++) {
        run r = {.target = TARGETS[t].target, .steps = base->steps, .threads = 2, .envs = ENVS, .troubled = true};
        if (!simulate(model, &r)) continue;
        snprintf(what, sizeof what, "quiet against troubled neighbours on %s", TARGETS[t].name);
        for (int e = 0; e < ENVS; e++)
            if (e < WATCHED - 2 || e == WATCHED || e > WATCHED + 2) misses += compare_rows(scene, what, base, e, &r, e);
        assert_int_equal(tx_sim_status(r.sim, WATCHED), TX_OK);
        assert_int_equal(tx_sim_status(r.sim, WATCHED - 1), TX_ERROR_DIVERGED);
        assert_int_equal(tx_sim_status(r.sim, WATCHED + 1), TX_ERROR_DIVERGED);
        assert_int_equal(tx_sim_status(r.sim, WATCHED + 2), TX_ERROR_DIVERGED);
        misses += compare_all(scene, "troubled scalar against troubled lanes", &first, &r);
        tx_sim_destroy(r.sim);
    }
    tx_sim_destroy(first.sim);
    return misses;
}

static void check_scene(const char *scene, int steps, bool all_threads, bool trouble) {
    tx_model *model = load_scene(scene);
    run base = {.target = TX_TARGET_SCALAR, .steps = steps, .threads = 1, .envs = ENVS};
    assert_true(simulate(model, &base));
    bool touches = tx_model_size(model, TX_SIZE_NPAIR) > 0;
    if (touches && MANY > SOME && base.contacts < steps / CHUNK)
        fail_msg("%s: only %ld contacts were seen", scene, base.contacts);
    int misses = check_targets(scene, model, &base, all_threads) + check_places(scene, model, &base);
    if (trouble) misses += check_trouble(scene, model, &base);
    tx_sim_destroy(base.sim);
    tx_model_destroy(model);
    assert_int_equal(misses, 0);
}

static void humanoid(void **state) { check_scene("humanoid", MANY, false, false); }
static void quadruped(void **state) { check_scene("quadruped", MANY, true, true); }
static void balls(void **state) { check_scene("balls", SOME, false, true); }
static void chain(void **state) { check_scene("chain", SOME, false, false); }
static void arm(void **state) { check_scene("arm", SOME, false, false); }
static void tendons(void **state) { check_scene("core_tendons", SOME, false, false); }
static void elliptic(void **state) { check_scene("balls_elliptic", SOME, false, false); }
static void stack(void **state) { check_scene("rest_stack", SOME, false, true); }
static void fluid(void **state) { check_scene("core_fluid", SOME, false, false); }
static void sensors(void **state) { check_scene("core_sensors", SOME, false, true); }
static void pulls(void **state) { check_scene("core_pull", SOME, false, true); }
static void inheritance(void **state) { check_scene("core_inherit", SOME, false, true); }
static void spatial(void **state) { check_scene("core_spatial", SOME, false, true); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(humanoid), cmocka_unit_test(quadruped),   cmocka_unit_test(balls),
        cmocka_unit_test(chain),    cmocka_unit_test(arm),         cmocka_unit_test(tendons),
        cmocka_unit_test(elliptic), cmocka_unit_test(sensors),     cmocka_unit_test(pulls),
        cmocka_unit_test(stack),    cmocka_unit_test(inheritance), cmocka_unit_test(fluid),
        cmocka_unit_test(spatial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
