/// shortcuts.h - what a step may leave out because of the parameters that a block has.
#pragma once
#include "model/block.h"

/// Looks at the block's parameters again: after they are bound, and after they have changed.
void tx_shortcuts_find(tx_block *b);

/// Whether an actuator drives a hinge or a slide by the command itself, no more than affine in length and velocity.
bool tx_actuator_is_plain(const tx_model *m, int i);
