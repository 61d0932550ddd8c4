/// shortcuts.h - what a step may leave out because of the parameters that a block has.
#pragma once
#include "model/block.h"

/// Looks at the block's parameters again: after they are bound, and after they have changed.
void tx_shortcuts_find(tx_block *b);
