/// flock.h - trees of a large model that are built alike, worked on in the lanes of a wide target (model/flock.h).
#pragma once
#include "model/flock.h"
#include "step/target.h"

/// Finds them for a block of one lane. threads: how many may work at the same time. @return false: no memory; where no
/// trees are alike, or the target has one lane, the block is left as it was.
bool tx_flocks_create(tx_block *block, const tx_target *wide, int threads);
void tx_flocks_destroy(struct tx_flocks *flocks);
/// To be called when the parameters of the block are bound or have changed.
void tx_flocks_bind(tx_block *block);
