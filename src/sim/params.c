// params.c - parameters per environment: env-major rows for the user, lane copies for the blocks, derived constants.
#include <stdio.h>
#include <string.h>

#include "base/fpenv.h"
#include "base/memory.h"
#include "collide/couples.h"
#include "model/range.h"
#include "sim/internal.h"
#include "step/flock.h"
#include "step/shortcuts.h"
#include "step/sleep.h"

static bool derived(tx_param p) {
    switch (p) {
#define X(NAME, name, count, width, meaning) case TX_PARAM_##NAME:
        TX_MODEL_DERIVED(X)
#undef X
        return true;
    default: return false;
    }
}

static bool any_varies(const tx_sim *sim) {
    for (int p = 0; p < TX_PARAM_COUNT; p++)
        if (sim->params[p]) return true;
    return false;
}

static const void **block_param(tx_block *b, tx_param p) {
    switch (p) {
#define X(NAME, name, count, width, meaning) \
    case TX_PARAM_##NAME: return &b->param.name;
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

// the model's own values: itself where environments are not interleaved, else a lane copy that all wide blocks share
static void bind_shared(tx_sim *sim, tx_block *b) {
    bool own = b->lanes == 1 && b->number_size == (int)sizeof(double);
    const char *at = sim->shared_params;
    for (int p = 0; p < TX_PARAM_COUNT; p++) {
        *block_param(b, (tx_param)p) = own ? (const void *)tx_param_array(sim->m, (tx_param)p) : at;
        if (!own) at += lane_bytes(sim, b, (tx_param)p);
    }
}

static bool make_shared(tx_sim *sim, const tx_block *wide) {
    size_t size = 0;
    for (int p = 0; p < TX_PARAM_COUNT; p++) size += lane_bytes(sim, wide, (tx_param)p);
    char *at = sim->shared_params = tx_alloc(size);
    for (int p = 0; at && p < TX_PARAM_COUNT; p++) {
        int count = tx_param_count(sim->m, (tx_param)p);
        const double *model = tx_param_array(sim->m, (tx_param)p);
        for (int e = 0; e < wide->lanes; e++)
            for (int i = 0; i < count; i++) tx_lane_set(wide, at, i, e, model[i]);
        at += lane_bytes(sim, wide, (tx_param)p);
    }
    return sim->shared_params != NULL;
}

// memory for the fields that each block holds itself, null where there are none; false: no memory, and nothing is kept
static bool make_own(const tx_sim *sim, void **fresh) {
    for (int i = 0; any_varies(sim) && i < sim->nblocks; i++) {
        size_t size = 0;
        for (int p = 0; p < TX_PARAM_COUNT; p++)
            if (own_field(sim, (tx_param)p)) size += lane_bytes(sim, sim->blocks[i], (tx_param)p);
        if ((fresh[i] = tx_alloc(size))) continue;
        while (i-- > 0) tx_free(fresh[i]);
        return false;
    }
    return true;
}

// all memory is made before anything is bound: without it every block stays as it was
bool tx_sim_bind_params(tx_sim *sim) {
    const tx_block *first = sim->blocks[0]; // wide blocks come first
    bool lanes = first->lanes > 1 || first->number_size != (int)sizeof(double);
    void **fresh = tx_alloc(sizeof *fresh * (size_t)sim->nblocks);
    if (!fresh || (lanes && !sim->shared_params && !make_shared(sim, first)) || !make_own(sim, fresh)) {
        tx_free(fresh);
        return false;
    }
    for (int i = 0; i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        bind_shared(sim, b);
        tx_free(sim->block_params[i]);
        char *at = sim->block_params[i] = fresh[i];
        for (int p = 0; at && p < TX_PARAM_COUNT; p++) {
            if (!own_field(sim, (tx_param)p)) continue;
            fill_lanes(sim, b, (tx_param)p, at);
            *block_param(b, (tx_param)p) = at;
            at += lane_bytes(sim, b, (tx_param)p);
        }
        tx_shortcuts_find(b);
        tx_couples_bind(b);
        tx_flocks_bind(b);
    }
    tx_free(fresh);
    return true;
}

void tx_sim_free_params(tx_sim *sim) {
    for (int p = 0; p < TX_PARAM_COUNT; p++) tx_free(sim->params[p]);
    for (int i = 0; sim->block_params && i < sim->nblocks; i++) tx_free(sim->block_params[i]);
    tx_free(sim->shared_params);
}

// the first number of any environment that is out of its range
static bool find_problem(const tx_sim *sim, int *env, tx_param *field, tx_param_problem *problem) {
    for (int p = 0; p < TX_PARAM_COUNT; p++) {
        const size_t count = (size_t)tx_param_count(sim->m, (tx_param)p);
        for (int e = 0; sim->params[p] && e < sim->envs; e++)
            if (tx_param_problem_of(sim->m, (tx_param)p, sim->params[p] + (size_t)e * count, problem)) {
                *env = e, *field = (tx_param)p;
                return true;
            }
    }
    return false;
}

static bool has_problem(const tx_sim *sim) {
    return find_problem(sim, &(int){0}, &(tx_param){0}, &(tx_param_problem){0});
}

const double *tx_sim_param_row(const tx_sim *sim, int env, tx_param param) {
    if (!sim || env < 0 || env >= sim->envs || (int)param < 0 || param >= TX_PARAM_COUNT || derived(param)) return NULL;
    const double *rows = sim->params[param];
    return rows ? rows + (size_t)env * (size_t)tx_param_count(sim->m, param) : tx_param_array(sim->m, param);
}

double *tx_sim_param(tx_sim *sim, tx_param param) {
    if (!sim || (int)param < 0 || param >= TX_PARAM_COUNT || derived(param)) return NULL;
    if (sim->params[param]) return sim->params[param];
    // binding takes what stands in the rows of the others
    if (has_problem(sim)) return NULL;
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
    double *asleep = sim->arrays[TX_ARRAY_TREE_ASLEEP];
    for (size_t i = 0; i < trees * (size_t)sim->envs; i++)
        if (!(asleep[i] < 0)) asleep[i] = TX_WIDE_AWAKE;
    for (int e = 0; e < sim->envs; e++) tx_sim_adopt(sim, e);
}

int tx_sim_params_text(const tx_sim *sim, char *buffer, size_t size) {
    int env;
    tx_param field;
    tx_param_problem problem;
    if (!sim) return snprintf(buffer, size, "%s", tx_result_text(TX_ERROR_ARGUMENT));
    if (!find_problem(sim, &env, &field, &problem)) return snprintf(buffer, size, "%s", tx_result_text(TX_OK));
    return snprintf(buffer, size, "environment %d: %s[%d] is %g, it takes %s", env, tx_param_name(field), problem.index,
                    problem.value, problem.takes);
}

tx_result tx_sim_params_changed(tx_sim *sim) {
    if (!sim || has_problem(sim)) return TX_ERROR_ARGUMENT;
    if (!any_varies(sim)) return TX_OK;
    tx_fpenv env = tx_fpenv_enter();
    for (int i = 0; i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        for (int p = 0; p < TX_PARAM_COUNT; p++)
            if (sim->params[p]) fill_lanes(sim, b, (tx_param)p, (void *)*block_param(b, (tx_param)p));
        tx_shortcuts_find(b);
        tx_couples_bind(b);
        tx_flocks_bind(b);
        tx_sleep_suspend(b);
        tx_sim_block_target(sim, b)->derive(b);
    }
    tx_fpenv_leave(env);
    wake_all(sim);
    return TX_OK;
}
