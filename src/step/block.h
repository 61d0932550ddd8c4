// block.h - making and stepping a block.
#pragma once
#include "step/target.h"

/// A block of target->lanes environments, all at zero, parameters not yet set. null: no memory.
tx_block *tx_block_create(const tx_target *target, const tx_model *model, const tx_options *options, int contact_room);
void tx_block_destroy(tx_block *block);

/// Everything of a step except the integration, then (with `advance`) the integration. The state is written only by the
/// integration, which comes last: a step that lacks room changes nothing.
/// @return false when room was lacking; then grow and call again
bool tx_block_step(const tx_target *target, tx_block *block, bool advance);
bool tx_block_grow(tx_block *block);  // false: no memory
