// internal.h - what a simulation holds.
#pragma once
#include <stdatomic.h>

#include "base/task.h"
#include "step/block.h"

// what one environment did since it was asked
typedef struct tx_tally {
    long long env_steps, not_converged, iterations;
    double worst_solve_error;
} tx_tally;

struct tx_sim {
    const tx_model *m;
    tx_sim_def def; // as it was given, without its diag
    tx_options options;
    int envs, nblocks;
    const tx_target *wide, *single;
    tx_pool *pool;
    tx_block **blocks;
    // working memory that blocks of a small model share, for each thread; none where they have their own
    void **lent;
    atomic_bool *lent_taken;
    int lents;
    struct tx_rings *rings; // of the hulls, for all blocks
    tx_tally *tallies;      // per environment
    tx_tally *done;         // per environment, of the call at hand
    int *left;              // steps a block still has to do
    const uint8_t *chosen;  // of the call at hand: which environments move; null: all

    // env-major arrays; results are allocated when they are first asked for
    double *arrays[TX_ARRAY_COUNT];
    int width[TX_ARRAY_COUNT];

    // parameters that vary: env-major rows; lane copies of all fields that are not the model's own arrays
    double *params[TX_PARAM_COUNT];
    void *shared_params; // one lane copy of the model's values, for all wide blocks
    void **block_params; // per block: lane copies of its own values

    int *bad;         // per environment: 0, or 1 + dof where numbers went wrong
    double *bad_time; // when
    long long grown;
};

static inline bool tx_sim_moves(const tx_sim *sim, int env) { return !sim->chosen || sim->chosen[env]; }
static inline const tx_target *tx_sim_block_target(const tx_sim *sim, const tx_block *b) {
    return b->lanes == sim->wide->lanes ? sim->wide : sim->single;
}
/// The block of an environment and its lane there; null for a wrong index.
tx_block *tx_sim_block(const tx_sim *sim, int env, int *lane);
/// The file of tx_sim_write_problem() in memory, the caller's; null: no memory, or no such environment.
void *tx_sim_problem_bytes(tx_sim *sim, int env, size_t *size);

/// Hands the state of an environment of a model that sleeps to its block as a new start: nothing counts as changed.
void tx_sim_adopt(tx_sim *sim, int env);

/// Lane copies of the parameters for every block. @return false: no memory
bool tx_sim_bind_params(tx_sim *sim);
void tx_sim_free_params(tx_sim *sim);
