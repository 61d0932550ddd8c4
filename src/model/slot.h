// slot.h - the numbers of a contact in its slot, from which the rows of a step are made.
#pragma once
#include "model/block.h"

/// Whether a contact gives a constraint.
static inline bool tx_contact_acts(const tx_contact *c) { return c->dist < c->includemargin; }

static inline void tx_slot_scatter(const tx_block *b, void *array, int slot, int lane, const double *values,
                                   int count) {
    for (int k = 0; k < count; k++) tx_lane_set(b, array, slot * count + k, lane, values[k]);
}

/// Writes what a contact of one environment has into a slot.
static inline void tx_slot_fill(const tx_block *b, int slot, int lane, const tx_contact *c) {
#define EACH_FIELD(X)                                                                                           \
    X(con_dist, &c->dist, 1)                                                                                    \
    X(con_margin, &c->includemargin, 1)                                                                         \
    X(con_pos, c->pos, 3) X(con_frame, c->frame, 9) X(con_friction, c->friction, 5) X(con_solref, c->solref, 2) \
        X(con_solimp, c->solimp, 5)
#define COPY(name, values, count) \
    memcpy((double *)b->name + (size_t)(count) * (size_t)slot, values, (count) * sizeof(double));
#define SCATTER(name, values, count) tx_slot_scatter(b, b->name, slot, lane, values, count);
    if (b->lanes == 1 && b->number_size == (int)sizeof(double)) {
        EACH_FIELD(COPY)
    } else {
        EACH_FIELD(SCATTER)
    }
#undef EACH_FIELD
#undef COPY
#undef SCATTER
}
