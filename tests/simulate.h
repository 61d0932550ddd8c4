// simulate.h - simulations with random beginnings, and their states compared, for the tests of tx_sim.
#pragma once
#include "reference.h"

static inline double noise(uint64_t *seed) { // in [-1, 1)
    *seed += 0x9e3779b97f4a7c15ull;
    uint64_t x = *seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

static inline tx_sim *make_sim(const tx_model *model, int envs, int threads, tx_target_choice target, int room) {
    tx_sim_def def = {.envs = envs, .threads = threads, .target = target, .contact_room = room};
    return tx_sim_create(model, &def);
}

// every environment starts at the first keyframe with its own velocities and controls
static inline void spread(tx_sim *sim) {
    const tx_model *model = tx_sim_model(sim);
    uint64_t seed = 11;
    tx_sim_reset(sim, tx_model_size(model, TX_SIZE_NKEY) > 0 ? 0 : -1, NULL);
    double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL), *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    for (int i = 0; i < tx_sim_envs(sim) * tx_model_size(model, TX_SIZE_NV); i++) qvel[i] += 0.5 * noise(&seed);
    for (int i = 0; i < tx_sim_envs(sim) * tx_model_size(model, TX_SIZE_NU); i++) ctrl[i] = 0.3 * noise(&seed);
}

// state rows of one environment, bit by bit
static inline bool same_state(tx_sim *a, int row_a, tx_sim *b, int row_b) {
    for (int array = 0; array < TX_ARRAY_STATE_COUNT; array++) {
        size_t width = (size_t)tx_sim_array_width(a, (tx_array)array);
        if (memcmp(tx_sim_array(a, (tx_array)array) + (size_t)row_a * width,
                   tx_sim_array(b, (tx_array)array) + (size_t)row_b * width, width * sizeof(double)) != 0)
            return false;
    }
    return true;
}

static inline void set_integrator(tx_sim *sim, int integrator) {
    tx_options o = tx_sim_options(sim);
    o.integrator = integrator;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_OK);
}

// every target and place in the batch; saved after `steps`, restored elsewhere
static inline void same_bits_everywhere(const tx_model *model, int integrator, int steps) {
    enum { ENVS = 13 };
    tx_sim *all = make_sim(model, ENVS, 2, TX_TARGET_AUTO, 0), *one = make_sim(model, ENVS, 1, TX_TARGET_SCALAR, 0);
    set_integrator(all, integrator), set_integrator(one, integrator);
    spread(all), spread(one);
    tx_sim_step_n(all, steps);
    size_t size = tx_sim_state_size(all);
    void *blob = malloc(size);
    assert_int_equal(tx_sim_save(all, blob, size), TX_OK);
    tx_sim_step_n(all, steps), tx_sim_step_n(one, 2 * steps);
    for (int e = 0; e < ENVS; e++) assert_true(same_state(all, e, one, e));
    assert_int_equal(tx_sim_restore(one, blob, size), TX_OK);
    tx_sim_step_n(one, steps);
    for (int e = 0; e < ENVS; e++) assert_true(same_state(all, e, one, e));
    free(blob);
    tx_sim_destroy(all), tx_sim_destroy(one);
}
