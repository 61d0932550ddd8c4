// detect.h - the collision pipeline of one environment: poses in, contacts out.
#pragma once
#include "model/block.h"

/// Whether the options let anything collide.
bool tx_detect_wanted(const tx_block *b);

/// Whether the pairs that may be near are found in all lanes at once, by the target, before tx_detect() of each.
bool tx_detect_in_lanes(const tx_block *b);

/// Finds the contacts of environment `lane` of the block and writes them to its list, in the order of the pair table.
/// b->ncontact[lane] tells how many there are, also beyond the room of the list.
/// @return false when room was lacking, for contacts or (then ncontact is 0) for pairs in b->collider
bool tx_detect(tx_block *b, int lane);

/// Bytes of arena that tx_detect(), and the target before it, need.
size_t tx_detect_scratch(const tx_model *m, int lanes);
