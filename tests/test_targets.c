// test_targets.c - the eight-lane text on SSE2 and AVX2 has the bits of the scalar target, so A5 is tested on any
// machine.
//
// Blocks are stepped directly: eight environments with their own parameters and states at eight lanes, and each of them
// alone at one lane. The state is compared to the last bit after every step.
#include "reference.h"

#include "base/fpenv.h"
#include "base/memory.h"
#include "sanitized.h"
#include "step/block.h"

extern const tx_target tx_target_wide8_sse2;
#ifndef TX_NO_X86
extern const tx_target tx_target_wide8_avx2;
#endif

enum { STEPS = SANITIZED ? 60 : 300 };
enum { LANES = 8, ENOUGH = 300 }; // steps until every scene has contacts

static double noise(uint64_t *seed) { // in [-1, 1)
    *seed += 0x9e3779b97f4a7c15ull;
    uint64_t x = *seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// binds every parameter to a lane array of its own; lane e is environment first + e
static void bind_params(const tx_target *t, tx_block *b, int first) {
    const tx_model *m = b->m;
#define X(NAME, name, n, width, meaning)                                                                     \
    {                                                                                                        \
        int count = tx_param_count(m, TX_PARAM_##NAME);                                                      \
        void *lanes = tx_alloc(sizeof(double) * (size_t)count * (size_t)b->lanes);                           \
        assert_non_null(lanes);                                                                              \
        for (int e = 0; e < b->lanes; e++) {                                                                 \
            uint64_t seed = 1000 * (uint64_t)(first + e) + TX_PARAM_##NAME;                                  \
            bool mass = TX_PARAM_##NAME == TX_PARAM_BODY_MASS || TX_PARAM_##NAME == TX_PARAM_BODY_INERTIA;   \
            bool varies = mass || TX_PARAM_##NAME == TX_PARAM_GEOM_FRICTION ||                               \
                          TX_PARAM_##NAME == TX_PARAM_DOF_DAMPING || TX_PARAM_##NAME == TX_PARAM_GRAVITY ||  \
                          TX_PARAM_##NAME == TX_PARAM_GEOM_SOLREF;                                           \
            double factor = 1 + 0.3 * noise(&seed);                                                          \
            if (mass) factor = 1 + 0.05 * (first + e);                                                       \
            for (int i = 0; i < count; i++) tx_lane_set(b, lanes, i, e, m->name[i] * (varies ? factor : 1)); \
        }                                                                                                    \
        b->param.name = lanes;                                                                               \
    }
    TX_MODEL_PARAMS(X)
#undef X
    t->derive(b);
}

static void free_params(tx_block *b) {
#define X(NAME, name, n, width, meaning) tx_free((void *)b->param.name);
    TX_MODEL_PARAMS(X)
#undef X
}

static tx_block *make_block(const tx_target *t, const tx_model *m, const tx_options *options, int first) {
    tx_block *b = tx_block_create(t, m, options, 1, NULL);
    assert_non_null(b);
    b->first = first, b->envs = t->lanes;
    bind_params(t, b, first);
    for (int e = 0; e < b->lanes; e++) {
        uint64_t seed = 77 * (uint64_t)(first + e) + 5;
        const double *q = m->nkey > 0 ? m->key_qpos : m->qpos0;
        for (int i = 0; i < m->nq; i++) tx_lane_set(b, b->qpos, i, e, q[i] + 0.02 * noise(&seed));
        for (int i = 0; i < m->nv; i++) tx_lane_set(b, b->qvel, i, e, 0.3 * noise(&seed));
        for (int i = 0; i < m->nu; i++) tx_lane_set(b, b->ctrl, i, e, 0.4 * noise(&seed));
        for (int i = 0; i < 6 * m->nbody; i++)
            tx_lane_set(b, b->xfrc_applied, i, e, (first + e) % 2 ? 0 : 0.3 * noise(&seed));
        tx_lane_set(b, b->time, 0, e, 0);
        for (int i = 0; i < m->nv; i++) tx_lane_set(b, b->qacc_warmstart, i, e, 0);
    }
    return b;
}

static void step(const tx_target *t, tx_block *b) {
    tx_fpenv env = tx_fpenv_enter();
    while (!tx_block_step(t, b)) assert_true(tx_block_grow(b));
    tx_fpenv_leave(env);
}

// ---- comparison ----------------------------------------------------------------------------------------------------

static int compare_lane(const tx_block *wide, int lane, const tx_block *one) {
    const tx_model *m = wide->m;
#define X(NAME, name, count, meaning)                                                                                 \
    for (int i = 0; TX_ARRAY_##NAME != TX_ARRAY_ENERGY && i < (count); i++) {                                         \
        double x = tx_lane(wide, wide->name, i, lane), y = tx_lane(one, one->name, i, 0);                             \
        if (memcmp(&x, &y, sizeof x) == 0) continue;                                                                  \
        printf("lane %d at t = %g: %s[%d] is %.17g, alone %.17g\n", lane, tx_lane(one, one->time, 0, 0), #name, i, x, \
               y);                                                                                                    \
        return 1;                                                                                                     \
    }
    TX_STATE(X)
    TX_OUTPUT(X)
#undef X
    return 0;
}

static void check(const tx_target *t, const char *scene, int integrator, int steps) {
    tx_model *m = load_scene(scene);
    const tx_target *scalar = tx_target_single(TX_TARGET_SCALAR);
    assert_int_equal(t->lanes, LANES);
    tx_options options = *tx_model_options(m);
    options.integrator = integrator;
    tx_block *wide = make_block(t, m, &options, 0), *one[LANES];
    for (int e = 0; e < LANES; e++) one[e] = make_block(scalar, m, &options, e);
    int misses = 0;
    long contacts = 0;
    for (int i = 0; i < steps && misses == 0; i++) {
        step(t, wide);
        for (int e = 0; e < LANES; e++) {
            step(scalar, one[e]);
            misses += compare_lane(wide, e, one[e]);
            misses += wide->ncontact[e] != one[e]->ncontact[0];
            contacts += wide->ncontact[e];
        }
    }
    if (misses) fail_msg("%s on %s differs from scalar, integrator %d", scene, t->name, integrator);
    if (contacts == 0 && steps >= ENOUGH) fail_msg("%s: no contact was seen", scene);
    for (int e = 0; e < LANES; e++) free_params(one[e]), tx_block_destroy(one[e]);
    free_params(wide), tx_block_destroy(wide);
    tx_model_destroy(m);
}

static const char *const SCENES[] = {"humanoid", "quadruped", "rest_stack", "chain", "arm", "joints"};

static void check_all(const tx_target *t) {
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; i++) check(t, SCENES[i], TX_INTEGRATOR_EULER, STEPS);
    for (int integrator = TX_INTEGRATOR_EULER + 1; integrator < TX_INTEGRATOR_COUNT; integrator++) {
        check(t, "quadruped", integrator, STEPS / 6);
        check(t, "joints", integrator, STEPS / 6);
        check(t, "chain", integrator, STEPS / 6);
    }
}

static void sse2_equals_scalar(void **state) { check_all(&tx_target_wide8_sse2); }

static void avx2_equals_scalar(void **state) {
#ifndef TX_NO_X86
    if (tx_target_wide(TX_TARGET_AVX2)) {
        check_all(&tx_target_wide8_avx2);
        return;
    }
#endif
    printf("SKIPPED: this machine has no AVX2\n");
    skip();
}

// the tables say the same about laws and solvers
static void tables_agree(void **state) {
    const tx_target *scalar = tx_target_single(TX_TARGET_SCALAR);
    for (int law = -1; law < 8; law++)
        for (int solver = -1; solver < 8; solver++)
            assert_int_equal(scalar->pair_exists(law, solver), tx_target_wide8_sse2.pair_exists(law, solver));
    assert_string_equal(tx_target_wide8_sse2.law_name(0), "soft");
    assert_string_equal(tx_target_wide8_sse2.solver_name(0), "newton");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sse2_equals_scalar), cmocka_unit_test(avx2_equals_scalar),
                                       cmocka_unit_test(tables_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
