// params.c - parameters per environment: env-major rows for the user, lane copies for the blocks, derived constants.
#include <string.h>

#include "base/fpenv.h"
#include "base/memory.h"
#include "sim/internal.h"
#include "step/sleep.h"

// the derived parameters end the list
static bool derived(tx_param p) { return p >= TX_BODY_INVWEIGHT0; }

static bool any_varies(const tx_sim *sim) {
    for (int p = 0; p < TX_PARAM_COUNT; p++)
        if (sim->params[p]) return true;
    return false;
}

static const void **block_param(tx_block *b, tx_param p) {
    switch (p) {
#define X(NAME, name, count, width, meaning) \
    case TX_##NAME: return &b->param.name;
        TX_MODEL_PARAMS(X)
#undef X
    default: return NULL;
    }
}

// bytes of one lane copy of a field, a whole number of cache lines
static size_t lane_bytes(const tx_sim *sim, const tx_block *b, tx_param p) {
    size_t bytes = (size_t)tx_param_count(sim->m, p) * (size_t)b->lanes * (size_t)b->number_size;
    return (bytes + 63u) & ~(size_t)63u;
}

// which fields a block must hold itself: those that vary, and then the derived ones too
static bool own_field(const tx_sim *sim, tx_param p) { return sim->params[p] || (derived(p) && any_varies(sim)); }

static void fill_lanes(const tx_sim *sim, const tx_block *b, tx_param p, void *to) {
    int count = tx_param_count(sim->m, p);
    const double *model = tx_param_array(sim->m, p), *rows = sim->params[p];
    for (int e = 0; e < b->lanes; e++) {
        const double *row = rows ? rows + (size_t)(b->first + e) * (size_t)count : model;
        for (int i = 0; i < count; i++) tx_lane_set(b, to, i, e, row[i]);
    }
}

// the model's own values at the wide width, shared by all wide blocks
static bool bind_shared(tx_sim *sim, tx_block *b) {
    if (b->lanes == 1 && b->number_size == (int)sizeof(double)) {
        for (int p = 0; p < TX_PARAM_COUNT; p++) *block_param(b, (tx_param)p) = tx_param_array(sim->m, (tx_param)p);
        return true;
    }
    bool fresh = !sim->shared_params;
    if (fresh) {
        size_t size = 0;
        for (int p = 0; p < TX_PARAM_COUNT; p++) size += lane_bytes(sim, b, (tx_param)p);
        if (!(sim->shared_params = tx_alloc(size))) return false;
    }
    char *at = sim->shared_params;
    for (int p = 0; p < TX_PARAM_COUNT; p++) {
        if (fresh) {
            int count = tx_param_count(sim->m, (tx_param)p);
            const double *model = tx_param_array(sim->m, (tx_param)p);
            for (int e = 0; e < b->lanes; e++)
                for (int i = 0; i < count; i++) tx_lane_set(b, at, i, e, model[i]);
        }
        *block_param(b, (tx_param)p) = at;
        at += lane_bytes(sim, b, (tx_param)p);
    }
    return true;
}

bool tx_sim_bind_params(tx_sim *sim) {
    for (int i = 0; i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        if (!bind_shared(sim, b)) return false;
        if (!any_varies(sim)) continue;
        size_t size = 0;
        for (int p = 0; p < TX_PARAM_COUNT; p++)
            if (own_field(sim, (tx_param)p)) size += lane_bytes(sim, b, (tx_param)p);
        void *memory = tx_alloc(size);
        if (!memory) return false;
        tx_free(sim->block_params[i]);
        char *at = sim->block_params[i] = memory;
        for (int p = 0; p < TX_PARAM_COUNT; p++) {
            if (!own_field(sim, (tx_param)p)) continue;
            fill_lanes(sim, b, (tx_param)p, at);
            *block_param(b, (tx_param)p) = at;
            at += lane_bytes(sim, b, (tx_param)p);
        }
    }
    return true;
}

void tx_sim_free_params(tx_sim *sim) {
    for (int p = 0; p < TX_PARAM_COUNT; p++) tx_free(sim->params[p]);
    for (int i = 0; sim->block_params && i < sim->nblocks; i++) tx_free(sim->block_params[i]);
    tx_free(sim->shared_params);
}

double *tx_sim_param(tx_sim *sim, tx_param param) {
    if (!sim || (int)param < 0 || param >= TX_PARAM_COUNT || derived(param)) return NULL;
    if (sim->params[param]) return sim->params[param];
    size_t count = (size_t)tx_param_count(sim->m, param);
    double *rows = tx_alloc(sizeof(double) * count * (size_t)sim->envs);
    if (!rows) return NULL;
    for (int e = 0; e < sim->envs; e++)
        memcpy(rows + (size_t)e * count, tx_param_array(sim->m, param), sizeof(double) * count);
    sim->params[param] = rows;
    if (tx_sim_bind_params(sim)) {
        // the derived constants follow the parameters that vary already
        tx_sim_params_changed(sim);
        return rows;
    }
    sim->params[param] = NULL;
    tx_free(rows);
    return NULL;
}

// what sleeps has been placed by other parameters
static void wake_all(tx_sim *sim) {
    const size_t trees = (size_t)sim->m->nsleep;
    double *asleep = sim->arrays[TX_TREE_ASLEEP];
    for (size_t i = 0; i < trees * (size_t)sim->envs; i++)
        if (!(asleep[i] < 0)) asleep[i] = TX_WIDE_AWAKE;
    for (int e = 0; e < sim->envs; e++) tx_sim_adopt(sim, e);
}

void tx_sim_params_changed(tx_sim *sim) {
    if (!sim || !any_varies(sim)) return;
    tx_fpenv env = tx_fpenv_enter();
    for (int i = 0; i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        for (int p = 0; p < TX_PARAM_COUNT; p++)
            if (sim->params[p]) fill_lanes(sim, b, (tx_param)p, (void *)*block_param(b, (tx_param)p));
        tx_sleep_suspend(b);
        tx_sim_block_target(sim, b)->derive(b);
    }
    tx_fpenv_leave(env);
    wake_all(sim);
}
