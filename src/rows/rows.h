// rows.h - the constraints of a model: how much room they need, which dofs they move, contacts into slots.
#pragma once
#include "model/block.h"

/// Most constraints that are no contacts, and their rows, pieces and numbers of J.
tx_row_room tx_fixed_room(const tx_model *m);

/// Cuts the dofs of a model into blocks (m->nv at most) and says which block each dof is in. @return how many
int tx_cut_dofs(const tx_model *m, tx_dof_block *blocks, int *dof_block);

/// The dofs that move one of two bodies, or both of them where `common`, as pieces without numbers, ascending; side:
/// which body a piece moves (1 where it is both). @return how many
int tx_side_pieces(const tx_model *m, const tx_problem *p, const int body[2], bool common, tx_piece *pieces,
                   int8_t *side);

/// Whether all that a tendon or an equality joins sleeps, so that it makes no rows. An equality between two islands
/// that sleep, or with what the user moves, does not.
bool tx_tendon_sleeps(const tx_block *b, int tendon);
bool tx_equality_sleeps(const tx_block *b, int equality);

/// Adds a contact slot to the room that is needed.
void tx_room_add_slot(const tx_block *b, const tx_slot *slot, tx_row_room *need);

/// Contacts of all lanes into the slots that the rows are made from. A slot belongs to one pair of geoms and one
/// dimension: first all with one row, then three, four, six; within a dimension in the order of the pairs. So an
/// environment's rows have the same order whatever its neighbours do.
/// @return false when they do not fit; then *need tells what is needed, fixed constraints included
bool tx_place_contacts(tx_block *b, tx_row_room *need);

/// The force of a solved contact in its frame, on geom[1]'s body. @return false, and zeros, when it does not act
bool tx_contact_force(const tx_block *b, int lane, const tx_contact *contact, double force[6]);

/// The slot of a contact of the block's list, -1: it does not act.
static inline int tx_contact_slot(const tx_block *b, const tx_contact *contact) {
    return b->contact_slot[contact - b->contacts];
}

/// The constraint of a contact slot: what is no contact comes first in the list.
static inline const tx_constraint *tx_slot_constraint(const tx_block *b, int slot) {
    return &b->problem.cons[b->problem.ncons - b->nslots + slot];
}
