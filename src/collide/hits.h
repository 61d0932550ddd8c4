// hits.h - candidates of one pair: collected without duplicates, then the few that say most are kept.
#pragma once
#include "collide/pairs.h"

#define TX_HITS_ROOM 64

typedef struct tx_hits {
    int count;
    tx_hit item[TX_HITS_ROOM];
} tx_hits;

/// Adds a hit. Where one with nearly the same normal stands nearer than `same` [m], the deeper of the two remains. A
/// full list is first thinned out.
void tx_hits_add(tx_hits *hits, const tx_hit *hit, double same);

/// Thins hits (at most TX_HITS_ROOM) out to at most `most`: the deepest first, then always the one farthest from those
/// chosen; hits that touch go before hits that are only near. Their order stays. @return how many there are now
int tx_hits_thin(tx_hit *hits, int count, int most);

/// The same for a list.
static inline void tx_hits_keep(tx_hits *hits, int most) { hits->count = tx_hits_thin(hits->item, hits->count, most); }
