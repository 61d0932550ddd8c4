// slot.inl - numbers of a contact as rows read them: in its slot, or still in its record where every contact of the
// only environment has the slot of its own number (collide/detect.c), so that nothing is copied. lanes: any
#pragma once
#include "lane/lane.h"
#include "model/block.h"

#define SLOT_NUMBERS(b, array, member, count, slot)                                         \
    (TX_LANES == 1 && (b)->filled ? (const real *)(const void *)&(b)->contacts[slot].member \
                                  : (const real *)&AT((b)->array, (count) * (slot)))

FN const real *slot_dist(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_dist, dist, 1, slot); }
FN const real *slot_margin(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_margin, includemargin, 1, slot); }
FN const real *slot_pos(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_pos, pos, 3, slot); }
FN const real *slot_frame(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_frame, frame, 9, slot); }
FN const real *slot_friction(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_friction, friction, 5, slot); }
FN const real *slot_solref(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_solref, solref, 2, slot); }
FN const real *slot_solimp(const tx_block *b, int slot) { return SLOT_NUMBERS(b, con_solimp, solimp, 5, slot); }
// what of the margin the two surfaces close in a step
FN const real *slot_ahead(const tx_block *b, int slot) {
    return TX_LANES == 1 && b->filled ? (const real *)(const void *)&b->contact_ahead[slot]
                                      : (const real *)&AT(b->con_ahead, slot);
}
#undef SLOT_NUMBERS
