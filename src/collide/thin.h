// thin.h - of many points of contact of one pair the few that matter. On one plane (all have the same normal) those
// that span the largest area; in space, where normals differ and there is no area, those farthest from each other.
#pragma once
#include "collide/pairs.h"

/// A point of contact in the frame of its contact: x and y across the normal, z along it, and the distance there [m].
typedef struct tx_spot {
    double x, y, z, dist;
    uint64_t feature;
} tx_spot;

/// Merges spots that are nearer than `same` across the normal (the deeper one stays, with its own feature; where both
/// are at one place the lower feature), then keeps at most `most` (3 or more): those that span the largest area, and
/// the deepest, up to 10 % of `same`. Order is kept where nothing has to go.
/// @return how many
int tx_spread(tx_spot *spots, int count, int most, double same);

#define TX_HITS_ROOM 64

typedef struct tx_hits {
    int count;
    tx_hit item[TX_HITS_ROOM];
} tx_hits;

/// Adds a hit. Where one with nearly the same normal stands nearer than `same` [m], the deeper of the two remains, with
/// its own feature; but of two at one place (nearer than 1e-3 of `same`) the lower feature remains, else rounding would
/// choose. A full list is first thinned out.
void tx_hits_add(tx_hits *hits, const tx_hit *hit, double same);

/// Thins hits (at most TX_HITS_ROOM) out to at most `most`: the deepest first, then always the one farthest from those
/// chosen; hits that touch go before hits that are only near. Their order stays. @return how many there are now
int tx_hits_thin(tx_hit *hits, int count, int most);

/// The same for a list.
static inline void tx_hits_keep(tx_hits *hits, int most) { hits->count = tx_hits_thin(hits->item, hits->count, most); }
