// slot.h - the numbers of a contact in its slot, from which the rows of a step are made.
#pragma once
#include "model/block.h"

/// Whether a contact gives a constraint.
static inline bool tx_contact_acts(const tx_contact *c) { return c->dist < c->includemargin; }

/// `count` numbers of a slot; alone: the block is one environment in doubles.
static inline void tx_slot_put(const tx_block *b, bool alone, void *array, int slot, int lane, const double *values,
                               int count) {
    if (alone) memcpy((double *)array + (size_t)count * (size_t)slot, values, sizeof(double) * (size_t)count);
    else
        for (int k = 0; k < count; k++) tx_lane_set(b, array, slot * count + k, lane, values[k]);
}

/// Writes what a contact of one environment has into a slot.
static inline void tx_slot_fill(const tx_block *b, int slot, int lane, const tx_contact *c) {
    const bool alone = b->lanes == 1 && b->number_size == (int)sizeof(double);
    tx_slot_put(b, alone, b->con_dist, slot, lane, &c->dist, 1);
    tx_slot_put(b, alone, b->con_margin, slot, lane, &c->includemargin, 1);
    tx_slot_put(b, alone, b->con_pos, slot, lane, c->pos, 3);
    tx_slot_put(b, alone, b->con_frame, slot, lane, c->frame, 9);
    tx_slot_put(b, alone, b->con_friction, slot, lane, c->friction, 5);
    tx_slot_put(b, alone, b->con_solref, slot, lane, c->solref, 2);
    tx_slot_put(b, alone, b->con_solimp, slot, lane, c->solimp, 5);
    if (b->ahead == TX_AHEAD_FOLLOWED)
        tx_slot_put(b, alone, b->con_ahead, slot, lane, &b->contact_ahead[c - b->contacts], 1);
}
