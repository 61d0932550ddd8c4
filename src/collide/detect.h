// detect.h - the collision pipeline of one environment: poses in, contacts out.
#pragma once
#include "model/block.h"

/// Finds the contacts of environment `lane` of the block and writes them to its list, in the order of the pair table.
/// b->ncontact[lane] tells how many there are, also beyond the room of the list.
void tx_detect(tx_block *b, int lane);

/// Bytes of arena that tx_detect() needs.
size_t tx_detect_scratch(const tx_model *m);
