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
/// The same tree over boxes that moved: right, and fast as long as neighbours stay near each other.
void tx_lbvh_refit(tx_lbvh *tree, const tx_aabb *boxes);

/// Items whose box has a point in common with `box`, in the order of the tree.
/// @return how many there are; at most `room` are written
int tx_lbvh_find(const tx_lbvh *tree, const tx_aabb *box, int *items, int room);
/// Every two items whose boxes have a point in common: of one tree (a < b), or a of one and b of the other.
int tx_lbvh_self_pairs(const tx_lbvh *tree, tx_box_pair *pairs, int room);
int tx_lbvh_pairs(const tx_lbvh *tree, const tx_lbvh *other, tx_box_pair *pairs, int room);

/// Tests one item against the ray; @return how far along the ray it is hit, or `nearest` when that is not nearer.
typedef double tx_lbvh_hit(void *context, int item, double nearest);
/// Calls `hit` for the items whose boxes the ray origin + t direction, 0 <= t <= limit, may meet before the nearest hit
/// so far. @return the nearest t, or limit
double tx_lbvh_ray(const tx_lbvh *tree, const double origin[3], const double direction[3], double limit,
                   tx_lbvh_hit *hit, void *context);
