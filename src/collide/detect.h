// detect.h - the collision pipeline of one environment: poses in, contacts out.
#pragma once
#include "collide/pairs.h"
#include "model/block.h"

/// Whether the options let anything collide.
bool tx_detect_wanted(const tx_block *b);

/// Whether the target finds the contacts of all lanes at once, in place of tx_detect() of each.
bool tx_detect_in_lanes(const tx_block *b);

/// Finds the contacts of environment `lane` of the block and writes them to its list, in the order of the pair table.
/// b->ncontact[lane] tells how many there are, also beyond the room of the list.
/// @return false when room was lacking, for contacts or (then ncontact is 0) for pairs in b->collider
bool tx_detect(tx_block *b, int lane);

/// The points of one pair of the table in one environment, without velocities. hits: room for TX_MAX_HITS
int tx_detect_pair(const tx_block *b, int lane, int pair, const tx_narrow *narrow, tx_arena arena, tx_hit *hits);

/// What a contact on a geom acts on.
static inline tx_side tx_side_of(const tx_model *m, int geom) {
    const int body = m->geom_body[geom];
    return (tx_side){m->body_lastdof[body] < 0 ? TX_SIDE_WORLD : TX_SIDE_BODY, body};
}

/// Bytes of arena that these need, and the target in place of them.
size_t tx_detect_scratch(const tx_model *m, int lanes);
