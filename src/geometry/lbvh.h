// lbvh.h - a linear bounding-volume hierarchy over boxes: sorted by Morton codes, nodes in depth-first order.
#pragma once
#include "base/arena.h"
#include "geometry/aabb.h"

/// The first child of an inner node stands right behind it, the second one where the first one's subtree ends.
typedef struct tx_lbvh_node {
    tx_aabb box;
    int item; // of a leaf; -1: inner node
    int end;  // first node behind this one's subtree
} tx_lbvh_node;

typedef struct tx_lbvh {
    int count, node_count; // boxes; nodes: 2 count - 1
    tx_lbvh_node *nodes;
} tx_lbvh;

/// Bytes behind the nodes and of scratch; the caller owns both.
size_t tx_lbvh_size(int count);
size_t tx_lbvh_scratch(int count);

/// Builds the tree over count >= 0 boxes; empty ones are found by nothing.
void tx_lbvh_build(tx_lbvh *tree, const tx_aabb *boxes, int count, void *memory, tx_arena scratch);

/// Items whose box has a point in common with `box`, in the order of the tree.
/// @return how many there are; at most `room` are written
int tx_lbvh_find(const tx_lbvh *tree, const tx_aabb *box, int *items, int room);
