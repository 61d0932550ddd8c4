// target.h - what a target exports: its width and its stages. One table per width and instruction set.
#pragma once
#include "model/flock.h"

typedef struct tx_target {
    const char *name;
    int lanes, number_size;
    void (*kinematics)(const tx_block *b);
    void (*geom_poses)(const tx_block *b);
    void (*meeting_geom_poses)(const tx_block *b);
    bool (*detect)(tx_block *b); // in all lanes; false: no room for the contacts
    void (*site_poses)(const tx_block *b);
    void (*camera_poses)(const tx_block *b);
    void (*velocities)(const tx_block *b); // of bodies; free_motion makes them too
    void (*free_motion)(const tx_block *b);
    void (*assemble)(tx_block *b);
    void (*solve)(tx_block *b);
    // of a bare problem: the factor of A, and the answer (solver/solve_problem.inl)
    void (*factor_problem)(const tx_problem *p, void *L, void *Linv);
    void (*solve_problem)(tx_problem *p, const tx_islands *islands, int solver, struct tx_pool *pool);
    void (*integrate)(tx_block *b);
    void (*begin_stages)(tx_block *b);
    bool (*next_stage)(tx_block *b, int stage); // true when the step is done
    void (*abandon_stages)(tx_block *b);
    void (*inverse)(tx_block *b);
    void (*energies)(const tx_block *b);
    void (*sensors)(const tx_block *b);
    void (*external_forces)(const tx_block *b);
    void (*derive)(tx_block *b);
    const char *(*law_name)(int index);
    int (*law_iterations)(int law);
    double (*law_tolerance)(int law);
    const char *(*solver_name)(int index);
    bool (*pair_exists)(int law, int solver);
    int (*unit_of)(int law, int integrator); // tx_unit of their problems, -1: the two do not go together
    tx_ahead (*law_ahead)(int law);          // not none: rigid contacts, where no force follows from a motion alone
    bool (*solver_is_dual)(int solver);
    bool (*solver_takes)(int solver, const tx_problem *p); // every constraint of it
    void (*flock_motion)(const tx_flock *flock, const tx_block *host);
    const struct tx_abreast *abreast; // for problems of one lane
} tx_target;

/// The widest table of a choice, the one-lane table that serves what is left over, and that of large models; null when
/// this machine has it not.
const tx_target *tx_target_wide(tx_target_choice choice);
const tx_target *tx_target_single(tx_target_choice choice);
const tx_target *tx_target_large(tx_target_choice choice);

/// Contacts side by side as the widest table that goes with a one-lane table has them.
const struct tx_abreast *tx_target_abreast(const tx_target *single);
