// test_sim_promises.c - what a simulation promises whatever happens: restore (G2), divergence (G3), growing buffers
// (G4), no allocation in a step, and reports that do not depend on neighbours.
#include "base/memory.h"
#include "sanitized.h"
#include "simulate.h"

enum { LONG = SANITIZED ? 100 : 1000, ENVS = SANITIZED ? 10 : 37 };

// ---- every allocation of the program is counted --------------------------------------------------------------------
// the program's own malloc stands before the one of the C library; sanitizers bring theirs, so there it is left alone

#if defined(__GLIBC__) && !SANITIZED
#define COUNTS_MALLOC 1
#include <stdatomic.h>
static _Atomic long malloc_calls;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size) {
    malloc_calls++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    malloc_calls++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    malloc_calls++;
    return __libc_realloc(old, size);
}
void *memalign(size_t alignment, size_t size) {
    malloc_calls++;
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    malloc_calls++;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
    malloc_calls++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}
#endif

// ---- helpers -------------------------------------------------------------------------------------------------------

static const struct {
    tx_target_choice target;
    int threads;
} PLACES[] = {
    {TX_TARGET_SCALAR, 1}, {TX_TARGET_SCALAR, 3}, {TX_TARGET_AVX2, 2}, {TX_TARGET_AVX512, 4}, {TX_TARGET_AUTO, 1}};
enum { PLACE_COUNT = sizeof PLACES / sizeof PLACES[0] };

// ---- G2: save and restore ------------------------------------------------------------------------------------------

static void check_restore(const char *scene, int integrator) {
    enum { ROWS = 11 };
    const int N = integrator == TX_INTEGRATOR_EULER ? LONG / 4 : LONG / 10;
    tx_model *model = load_scene(scene);
    tx_sim *original = make_sim(model, ROWS, 1, TX_TARGET_AUTO, 0);
    assert_non_null(original);
    set_integrator(original, integrator);
    spread(original);
    // one environment is lost before the state is saved: that is part of the state, too
    tx_sim_array(original, TX_ARRAY_QVEL)[3 * tx_model_size(model, TX_SIZE_NV)] = 1e300;
    assert_int_equal(tx_sim_step_n(original, N), TX_OK);
    size_t size = tx_sim_state_size(original);
    void *blob = malloc(size), *later = malloc(size), *other = malloc(size);
    assert_int_equal(tx_sim_save(original, blob, size), TX_OK);
    assert_int_equal(tx_sim_step_n(original, N), TX_OK);
    assert_int_equal(tx_sim_save(original, later, size), TX_OK);

    // back in the same simulation, after it went somewhere else
    assert_int_equal(tx_sim_restore(original, blob, size), TX_OK);
    assert_int_equal(tx_sim_step_n(original, N), TX_OK);
    assert_int_equal(tx_sim_save(original, other, size), TX_OK);
    assert_memory_equal(later, other, size);

    // in fresh simulations on other targets and threads
    for (int i = 0; i < PLACE_COUNT; i++) {
        tx_sim *fresh = make_sim(model, ROWS, PLACES[i].threads, PLACES[i].target, 1);
        if (!fresh) {
            printf("SKIPPED: this machine lacks target %d\n", PLACES[i].target);
            continue;
        }
        set_integrator(fresh, integrator);
        assert_int_equal(tx_sim_restore(fresh, blob, size), TX_OK);
        assert_int_equal(tx_sim_status(fresh, 3), TX_ERROR_DIVERGED);
        assert_int_equal(tx_sim_step_n(fresh, N), TX_OK);
        assert_int_equal(tx_sim_save(fresh, other, size), TX_OK);
        assert_memory_equal(later, other, size);
        assert_int_equal(tx_sim_hash(fresh), tx_sim_hash(original));
        tx_sim_destroy(fresh);
    }

    // what does not fit is refused and changes nothing
    uint64_t hash = tx_sim_hash(original);
    tx_sim *smaller = make_sim(model, ROWS - 1, 1, TX_TARGET_AUTO, 0);
    assert_int_equal(tx_sim_restore(smaller, blob, size), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_restore(original, blob, size - 1), TX_ERROR_ARGUMENT);
    ((char *)blob)[0] ^= 1;
    assert_int_equal(tx_sim_restore(original, blob, size), TX_ERROR_ARGUMENT);
    ((char *)blob)[0] ^= 1, ((char *)blob)[8] ^= 1; // another model
    assert_int_equal(tx_sim_restore(original, blob, size), TX_ERROR_ARGUMENT);
    ((char *)blob)[8] ^= 1;
    // lengths that do not add up: of the first record, of the last, of the whole
    const size_t record = (size - 32) / ROWS, lengths[] = {32, size - record, 16};
    for (int i = 0; i < 3; i++) {
        for (int change = -8; change <= 8; change += 16) {
            uint64_t length, wrong;
            memcpy(&length, (char *)blob + lengths[i], sizeof length);
            assert_int_equal(length, i == 2 ? size : record);
            wrong = length + (uint64_t)change;
            memcpy((char *)blob + lengths[i], &wrong, sizeof wrong);
            assert_int_equal(tx_sim_restore(original, blob, size), TX_ERROR_ARGUMENT);
            memcpy((char *)blob + lengths[i], &length, sizeof length);
        }
    }
    assert_int_equal(tx_sim_hash(original), hash);
    assert_int_equal(tx_sim_save(original, other, size - 1), TX_ERROR_ARGUMENT);

    free(blob), free(later), free(other);
    tx_sim_destroy(original), tx_sim_destroy(smaller);
    tx_model_destroy(model);
}

static void restore_continues_bit_for_bit(void **state) {
    check_restore("humanoid", TX_INTEGRATOR_EULER);
    check_restore("quadruped", TX_INTEGRATOR_RK4);
    check_restore("balls", TX_INTEGRATOR_IMPLICITFAST);
    check_restore("chain", TX_INTEGRATOR_IMPLICIT);
    check_restore("joints", TX_INTEGRATOR_MIDPOINT);
}

// ---- G3: numbers that go wrong -------------------------------------------------------------------------------------

typedef struct harm {
    tx_array array;
    int index;
    double value;
} harm;

static void check_harm(const tx_model *model, harm h, bool must_diverge) {
    enum { ROWS = 11, HURT = 6, N = 30 };
    tx_sim *sim = make_sim(model, ROWS, 2, TX_TARGET_AUTO, 0), *quiet = make_sim(model, ROWS, 1, TX_TARGET_AUTO, 0);
    spread(sim), spread(quiet);
    assert_int_equal(tx_sim_step_n(sim, 5), TX_OK);
    assert_int_equal(tx_sim_step_n(quiet, 5), TX_OK);
    tx_sim_array(sim, h.array)[HURT * tx_sim_array_width(sim, h.array) + h.index] = h.value;
    double before[4]; // time, first position, first velocity, last velocity
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV);
#define LOOK(x)                                                                                        \
    x[0] = tx_sim_array(sim, TX_ARRAY_TIME)[HURT], x[1] = tx_sim_array(sim, TX_ARRAY_QPOS)[HURT * nq], \
    x[2] = tx_sim_array(sim, TX_ARRAY_QVEL)[HURT * nv + 1],                                            \
    x[3] = tx_sim_array(sim, TX_ARRAY_QVEL)[HURT * nv + nv - 1]
    LOOK(before);
    assert_int_equal(tx_sim_step_n(sim, N), TX_OK);
    assert_int_equal(tx_sim_step_n(quiet, N), TX_OK);
    for (int e = 0; e < ROWS; e++) {
        if (e == HURT) continue;
        assert_int_equal(tx_sim_status(sim, e), TX_OK);
        if (!same_state(sim, e, quiet, e))
            fail_msg("array %d = %g in environment %d changed environment %d", h.array, h.value, HURT, e);
    }
    tx_result status = tx_sim_status(sim, HURT);
    if (must_diverge && status != TX_ERROR_DIVERGED)
        fail_msg("array %d[%d] = %g went unnoticed", h.array, h.index, h.value);
    if (status == TX_ERROR_DIVERGED) {
        // the text names environment, body and joint
        char text[512], wanted[64];
        int length = tx_sim_status_text(sim, HURT, text, sizeof text);
        assert_true(length > 0 && length < (int)sizeof text);
        snprintf(wanted, sizeof wanted, "environment %d ", HURT);
        assert_non_null(strstr(text, wanted));
        bool body = false, joint = false;
        for (int i = 1; i < tx_model_size(model, TX_SIZE_NBODY); i++) {
            snprintf(wanted, sizeof wanted, "'%s'", tx_element_name(model, TX_ELEMENT_BODY, i));
            body = body || strstr(text, wanted);
        }
        for (int i = 0; i < tx_model_size(model, TX_SIZE_NJNT); i++) {
            snprintf(wanted, sizeof wanted, "'%s'", tx_element_name(model, TX_ELEMENT_JOINT, i));
            joint = joint || strstr(text, wanted);
        }
        if (!body || !joint) fail_msg("names neither body nor joint: %s", text);
        assert_int_equal(tx_sim_info(sim).diverged, 1), assert_int_equal(tx_sim_diverged(sim), 1);
        // where it stood when the first step went wrong, it stands still
        if (must_diverge) {
            double after[4];
            LOOK(after);
            assert_memory_equal(before, after, sizeof before);
        }
    }
    // reset brings it back, and only it
    uint8_t mask[ROWS] = {0};
    mask[HURT] = 1;
    assert_int_equal(tx_sim_reset(sim, -1, mask), TX_OK);
    assert_int_equal(tx_sim_reset(quiet, -1, mask), TX_OK);
    assert_int_equal(tx_sim_status(sim, HURT), TX_OK);
    assert_int_equal(tx_sim_info(sim).diverged, 0), assert_int_equal(tx_sim_diverged(sim), 0);
    assert_int_equal(tx_sim_step_n(sim, N), TX_OK);
    assert_int_equal(tx_sim_step_n(quiet, N), TX_OK);
    for (int e = 0; e < ROWS; e++) assert_true(same_state(sim, e, quiet, e));
    tx_sim_destroy(sim), tx_sim_destroy(quiet);
}

static void divergence_stays_in_its_environment(void **state) {
    tx_model *model = load_scene("humanoid");
    const int nv = tx_model_size(model, TX_SIZE_NV);
    const harm harms[] = {{TX_ARRAY_QFRC_APPLIED, 7, NAN},
                          {TX_ARRAY_QFRC_APPLIED, nv - 1, INFINITY},
                          {TX_ARRAY_QFRC_APPLIED, 0, 1e300},
                          {TX_ARRAY_XFRC_APPLIED, 6, NAN},
                          {TX_ARRAY_XFRC_APPLIED, 11, -1e200},
                          {TX_ARRAY_QVEL, nv - 1, NAN},
                          {TX_ARRAY_QVEL, 3, INFINITY},
                          {TX_ARRAY_QVEL, 8, 1e200},
                          {TX_ARRAY_QPOS, 2, NAN},
                          {TX_ARRAY_QPOS, 9, INFINITY},
                          {TX_ARRAY_QPOS, 3, NAN},
                          {TX_ARRAY_CTRL, 4, NAN}};
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++) check_harm(model, harms[i], true);
    // large, but perhaps not beyond help
    const harm mild[] = {{TX_ARRAY_QVEL, 8, 1e4},           {TX_ARRAY_QVEL, 0, 1e8},
                         {TX_ARRAY_CTRL, 4, 1e300},         {TX_ARRAY_CTRL, 0, INFINITY},
                         {TX_ARRAY_QACC_WARMSTART, 3, NAN}, {TX_ARRAY_QACC_WARMSTART, 3, 1e300}};
    for (size_t i = 0; i < sizeof mild / sizeof mild[0]; i++) check_harm(model, mild[i], false);
    tx_model_destroy(model);
}

// a bad start of the solver is no reason to give up: the cost decides, and NaN is no cost
static void bad_warmstart_is_not_used(void **state) {
    tx_model *model = load_scene("humanoid");
    const double bad[] = {NAN, INFINITY, 1e300, -1e150};
    for (int i = 0; i < 4; i++) {
        tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0), *cold = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
        spread(sim), spread(cold);
        tx_options options = tx_sim_options(cold);
        options.warmstart = false;
        tx_sim_set_options(cold, &options);
        for (int d = 0; d < tx_model_size(model, TX_SIZE_NV); d++)
            tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART)[d] = bad[i];
        tx_sim_step(sim), tx_sim_step(cold);
        assert_int_equal(tx_sim_status(sim, 0), TX_OK);
        assert_memory_equal(tx_sim_array(sim, TX_ARRAY_QVEL), tx_sim_array(cold, TX_ARRAY_QVEL),
                            sizeof(double) * (size_t)tx_model_size(model, TX_SIZE_NV));
        tx_sim_destroy(sim), tx_sim_destroy(cold);
    }
    tx_model_destroy(model);
}

// ---- G4 and memory -------------------------------------------------------------------------------------------------

static long contacts_of(tx_sim *sim) {
    long sum = 0;
    for (int e = 0; e < tx_sim_envs(sim); e++) {
        int count;
        const tx_contact *list = tx_sim_contacts(sim, e, &count);
        for (int i = 0; i < count; i++) sum += list[i].acts;
    }
    return sum;
}

static void check_growth(const char *scene, int integrator) {
    const int steps = integrator == TX_INTEGRATOR_EULER ? 150 : integrator == TX_INTEGRATOR_RK4 ? 60 : 30;
    tx_model *model = load_scene(scene);
    tx_sim *roomy = make_sim(model, ENVS, 1, TX_TARGET_AUTO, 1000);
    set_integrator(roomy, integrator);
    spread(roomy);
    assert_int_equal(tx_sim_step_n(roomy, steps), TX_OK);
    assert_int_equal(tx_sim_info(roomy).grown, 0);
    long wanted = contacts_of(roomy);
    assert_true(wanted > ENVS);
    for (int i = 0; i < PLACE_COUNT; i++) {
        tx_sim *tight = make_sim(model, ENVS, PLACES[i].threads, PLACES[i].target, 1);
        if (!tight) continue;
        set_integrator(tight, integrator);
        spread(tight);
        assert_int_equal(tx_sim_step_n(tight, steps), TX_OK);
        assert_true(tx_sim_info(tight).grown > 0);
        assert_int_equal(tx_sim_info(tight).env_steps, tx_sim_info(roomy).env_steps);
        assert_int_equal(tx_sim_info(tight).iterations, tx_sim_info(roomy).iterations);
        assert_int_equal(contacts_of(tight), wanted);
        for (int e = 0; e < ENVS; e++)
            if (!same_state(tight, e, roomy, e)) fail_msg("%s: environment %d depends on the room", scene, e);
        tx_sim_destroy(tight);
    }
    tx_sim_destroy(roomy);
    tx_model_destroy(model);
}

static void buffers_grow_without_a_trace(void **state) {
    check_growth("humanoid", TX_INTEGRATOR_EULER);
    check_growth("balls", TX_INTEGRATOR_EULER);
    check_growth("quadruped", TX_INTEGRATOR_RK4);
    check_growth("quadruped", TX_INTEGRATOR_MIDPOINT);
}

static void steps_do_not_allocate(void **state) {
    static const char *const scenes[] = {"humanoid", "balls", "arm"};
    for (int i = 0; i < 3; i++) {
        tx_model *model = load_scene(scenes[i]);
        for (int threads = 1; threads <= 2; threads++) {
            tx_sim *sim = make_sim(model, 9, threads, TX_TARGET_AUTO, 1);
            size_t size = tx_sim_state_size(sim);
            void *blob = malloc(size);
            spread(sim);
            tx_sim_save(sim, blob, size);
            // grown once; the same way again needs nothing more
            assert_int_equal(tx_sim_step_n(sim, LONG), TX_OK);
            assert_int_equal(tx_sim_restore(sim, blob, size), TX_OK);
            long long grown = tx_sim_info(sim).grown;
            assert_true(grown > 0);
            uint64_t ours = tx_alloc_count();
#ifdef COUNTS_MALLOC
            long all = malloc_calls;
#endif
            for (int k = 0; k < LONG; k++) tx_sim_step(sim);
#ifdef COUNTS_MALLOC
            assert_int_equal(malloc_calls - all, 0);
#endif
            assert_int_equal(tx_alloc_count() - ours, 0);
            assert_int_equal(tx_sim_info(sim).grown, grown);
            free(blob);
            tx_sim_destroy(sim);
        }
        tx_model_destroy(model);
    }
#ifdef COUNTS_MALLOC
    long all = malloc_calls;
    void *volatile some = malloc(10);
    free(some);
    assert_int_equal(malloc_calls - all, 1); // the counter itself works
#else
    printf("SKIPPED: malloc is not counted in this build\n");
#endif
}

// what an environment tells of its solve is what it would tell alone, also where only a neighbour has a row
static void reports_do_not_depend_on_neighbours(void **state) {
    (void)state;
    static const char SLIDE[] = "<mujoco><worldbody><body><joint type='slide' limited='true' range='-1 1'/>"
                                "<geom size='.1'/></body></worldbody></mujoco>";
    tx_diag diag = {0};
    tx_model *model = must_have(tx_load_string(SLIDE, strlen(SLIDE), NULL, &diag), &diag);
    for (int law = 0; tx_law_name(law); law++)
        for (int solver = 0; tx_solver_name(solver); solver++) {
            double told[2][2];
            tx_sim_def def = tx_default_sim_def();
            for (int k = 0; k < 2 && tx_solver_solves(solver, law); k++) {
                def.envs = k ? 8 : 1;
                tx_sim *sim = tx_sim_create(model, &def);
                tx_options o = tx_sim_options(sim);
                o.law = law, o.solver = solver;
                if (!tx_law_integrates(law, o.integrator)) o.integrator = TX_INTEGRATOR_IMPLICITFAST;
                assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
                if (k) tx_sim_array(sim, TX_ARRAY_QPOS)[1] = 1.1;
                assert_int_equal(tx_sim_step(sim), TX_OK);
                if (k) assert_true(tx_sim_array(sim, TX_ARRAY_ITERATIONS)[1] > 0);
                told[k][0] = tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0];
                told[k][1] = tx_sim_array(sim, TX_ARRAY_SOLVER_USED)[0];
                tx_sim_destroy(sim);
            }
            if (tx_solver_solves(solver, law)) assert_memory_equal(told[0], told[1], sizeof told[0]);
        }
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restore_continues_bit_for_bit), cmocka_unit_test(divergence_stays_in_its_environment),
        cmocka_unit_test(bad_warmstart_is_not_used),     cmocka_unit_test(buffers_grow_without_a_trace),
        cmocka_unit_test(steps_do_not_allocate),         cmocka_unit_test(reports_do_not_depend_on_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
