// place.h - contacts of all lanes into the slots that the rows are made from.
#pragma once
#include "model/block.h"

/// Slots are aligned by dimension: first all with one row, then three, four, six; within a dimension in list order. So
/// an environment's rows have the same order whatever its neighbours do.
/// @return false when slots or rows do not fit; then *slots and *rows tell what is needed (dry friction and limits
/// included in rows)
bool tx_place_contacts(tx_block *b, int *slots, int *rows);

/// The force of a solved contact in its frame, on geom[1]'s body. @return false, and zeros, when it does not act
bool tx_contact_force(const tx_block *b, int lane, const tx_contact *contact, double force[6]);

/// The constraint of a contact slot: what is no contact comes first in the list.
static inline const tx_constraint *tx_slot_constraint(const tx_block *b, int slot) {
    return &b->cons[b->ncons - b->nslots + slot];
}
