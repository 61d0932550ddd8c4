// kept.h - forces of the last step, by what made them: where a dual solver of rigid contacts begins. Part of the state.
#pragma once
#include "model/block.h"

/// Forces that a lane has room for at least; false: no memory, then all stays as it was.
bool tx_kept_reserve(tx_block *b, size_t room);
void tx_kept_destroy(tx_kept *k);

/// Whether there is room for the forces of the problem at hand; makes it where there is none. @return false: no memory
bool tx_kept_fits(const tx_block *b);
bool tx_kept_grow(tx_block *b);

/// The first guess of the problem at hand: forces of constraints that were there in the last step, zero for the others.
void tx_kept_guess(tx_block *b);
/// Keeps the forces of a step that is done; environments that stand still keep what they have.
void tx_kept_store(tx_block *b);

// a call begins with what the last one left, and leaves its own only when it is complete
void tx_kept_begin(tx_block *b);
void tx_kept_publish(tx_block *b, int lane);
void tx_kept_clear(tx_block *b, int lane);

/// Forces that the last call left, and room for others in their place: at most as many as are reserved.
const tx_kept_force *tx_kept_last(const tx_kept *kept, int lane, uint64_t *count);
tx_kept_force *tx_kept_replace(tx_kept *kept, int lane, uint64_t count);
