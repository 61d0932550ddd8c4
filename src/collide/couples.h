// couples.h - the table of pairs, body by body: where two bodies are apart all pairs of their geoms are, and none of
// these need be placed.
#pragma once
#include "geometry/obb.h"
#include "model/block.h"

/// Pairs of the table that follow each other and are of the same two bodies.
typedef struct tx_couple {
    int begin, end; // pairs
    int body[2];
    int plane;    // that all of them are with, of the first body; -1: none is with a plane
    double reach; // how far apart surfaces may be to be near, at most [m]
    double gap;   // the same without margins, for options that have one for all
} tx_couple;

/// What every step looks at of a couple: little memory, because most couples are far apart.
typedef struct tx_couple_key {
    int body[2]; // the first is -1 where the couple is with a plane
    double reach;
} tx_couple_key;

typedef struct tx_couples {
    tx_couple *couple;
    tx_couple_key *key;
    int count;
    tx_bounds *box;    // per body: around those of its geoms that meet anything but planes, in the body's frame
    int *boxed, boxes; // bodies that have one
    int *first, *geom; // per body: where its geoms that meet anything begin in the list, the last ends it; the list
} tx_couples;

/// For a block of one environment. @return null: no memory
tx_couples *tx_couples_create(const tx_model *model);
void tx_couples_destroy(tx_couples *couples); // null is fine

/// Looks at the block's parameters again: after they are bound, and after they have changed.
void tx_couples_bind(tx_block *b);
