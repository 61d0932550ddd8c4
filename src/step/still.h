// still.h - what cannot move is placed once: bodies without a dof between them and the world that the user does not
// move either. Their poses, inertias and velocities stand in the block until parameters or options change.
#pragma once
#include "model/block.h"

/// Bytes of the lists; with memory it sets them.
size_t tx_still_lay_out(tx_block *b, char *memory);

/// Everything has been placed by the parameters that the block has now.
void tx_still_placed(tx_block *b);
/// Parameters or options have changed: all is placed again.
void tx_still_forget(tx_block *b);
