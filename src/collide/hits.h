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

/// Thins the list out to at most `most`: the deepest first, then always the one farthest from those chosen; hits that
/// touch go before hits that are only near. Their order stays.
void tx_hits_keep(tx_hits *hits, int most);
