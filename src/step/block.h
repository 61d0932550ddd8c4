// block.h - making and stepping a block.
#pragma once
#include "step/target.h"

/// A block of target->lanes environments, all at zero, parameters not yet set. null: no memory.
/// Without room for contacts it has no contact problem, and no memory of the order nv²: only kinematics and free
/// motion. lent: memory of tx_block_lent_size() bytes that others may use while this block does not work, of a model
/// that is not large; null: it has its own.
tx_block *tx_block_create(const tx_target *target, const tx_model *model, const tx_options *options, int contact_room,
                          void *lent);
size_t tx_block_lent_size(const tx_target *target, const tx_model *model);
/// Has a block that was made with lent memory work in this one from now on.
void tx_block_lend(tx_block *block, void *memory);
void tx_block_destroy(tx_block *block);
/// Asks for the memory of a block that will work soon, so that it need not wait for it then. The first call is for the
/// block itself, the second, which looks into it, for its arrays; other threads may be working with it.
void tx_block_fetch_frame(const tx_block *block);
void tx_block_fetch(const tx_block *block);

/// Everything of a step except the integration, and the energies; or one step; or inverse dynamics of qacc into
/// qfrc_inverse. A call that lacks room leaves the state as it was.
/// @return false when room was lacking; then grow and call again
bool tx_block_forward(const tx_target *target, tx_block *block);
bool tx_block_step(const tx_target *target, tx_block *block);
bool tx_block_inverse(const tx_target *target, tx_block *block);
bool tx_block_grow(tx_block *block); // false: no memory
