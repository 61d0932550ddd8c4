// detect.h - the collision pipeline of one environment: poses in, contacts out.
#pragma once
#include "model/block.h"

/// Finds the contacts of environment `lane` of the block and writes them to its list, in the order of the pair table.
/// b->ncontact[lane] tells how many there are, also beyond the room of the list.
void tx_detect(tx_block *b, int lane);

/// Bytes of arena that tx_detect() needs.
size_t tx_detect_scratch(const tx_model *m);

/// Parameters of a contact between two geoms by MuJoCo's rules: priority, else mixed.
void tx_mix_contact(const tx_block *b, int lane, int geom1, int geom2, tx_contact *contact);
