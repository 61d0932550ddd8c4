// flock.h - trees of a large model that are built alike: they are worked on side by side, one in each lane.
// docs/architecture.md
#pragma once
#include "model/block.h"

enum { TX_MOST_LANES = 8 };

/// Trees that fill the lanes of a wide target; where there are too few, the last stands in several.
typedef struct tx_flock {
    tx_block *view; // they are the environments of this block, whose model has one such tree
    // where each begins in the host's arrays
    size_t body[TX_MOST_LANES], joint[TX_MOST_LANES], dof[TX_MOST_LANES], qpos[TX_MOST_LANES], entry[TX_MOST_LANES];
} tx_flock;

/// All flocks of a block of one lane, its host. Those of different turns share no memory.
struct tx_flocks {
    void (*motion)(const tx_flock *flock, const tx_block *host); // poses, masses and forces of its trees
    tx_flock *flock;
    int count, turns;
    uint8_t *has;  // per dof: its tree is in one
    tx_live loose; // what is in none
};

/// The first flock of a turn. Turns have flocks that follow each other, as threads have trees that do.
static inline int tx_flocks_of_turn(const struct tx_flocks *f, int turn) { return turn * f->count / f->turns; }
