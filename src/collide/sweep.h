// sweep.h - which of many boxes overlap: sweep and prune along one axis, in columns across it.
#pragma once
#include "base/arena.h"
#include "geometry/aabb.h"

/// What is kept between calls: the boxes in the order along the axis, and how wide the columns are. It makes a call
/// fast, never different.
typedef struct tx_sweep {
    int count; // boxes
    int axis;  // 0 x, 1 y, 2 z
    int *order;
    double per_metre[2]; // columns of the two directions across the axis
    int columns[2];
    int columns_of, columns_left; // made for so many boxes, good for so many calls more
} tx_sweep;

/// Bytes behind `order` and of scratch; the caller owns both. Memory of `order` must hold 0 … count - 1 in any order.
size_t tx_sweep_size(int count);
size_t tx_sweep_scratch(int count);
void tx_sweep_init(tx_sweep *sweep, int count, void *memory);

/// Finds every two boxes that have a point in common, each pair once, in no particular order: see tx_order_pairs().
/// Empty boxes meet nothing; every box must be finite or empty.
/// @return how many pairs there are; at most `room` are written
int tx_sweep_run(tx_sweep *sweep, const tx_aabb *boxes, tx_box_pair *pairs, int room, tx_arena scratch);

/// Most boxes of a group.
enum { TX_GROUP_BOXES = 64 };

/// Cuts boxes whose group is group[i], equal ones standing together, into groups: those of group g are
/// [start[g], start[g + 1]). start: count + 1 numbers.
/// @return how many groups there are; 0 where tx_sweep_run() is the better way: groups are too large, or below four
/// boxes
int tx_group_boxes(const int *group, int count, int *start);

/// Pairs that are found, one behind the other; those beyond the room are only counted.
typedef struct tx_pair_list {
    tx_box_pair *pairs;
    int count, room;
} tx_pair_list;

/// Boxes in groups, in two parts. Inside of the groups [from, to) those pairs count that `meet` names: bit k of meet[i]
/// stands for boxes i and start[g] + k, which comes after i. around[g]: the box around a group. Ranges of groups share
/// nothing.
void tx_sweep_inside(const tx_aabb *boxes, const int *start, const uint64_t *meet, int from, int to, tx_aabb *around,
                     tx_pair_list *list);
/// Then what groups that meet have in common, by a sweep of the boxes around them; sweep->count: groups. work: room for
/// as many pairs as the list; scratch: tx_sweep_scratch(groups)
void tx_sweep_between(tx_sweep *sweep, const tx_aabb *boxes, const int *start, const tx_aabb *around,
                      tx_pair_list *list, tx_box_pair *work, tx_arena scratch);

/// Sorts pairs by (group a, group b, a, b): an order that depends on nothing but the set. group[i] never falls with i
/// and is below `groups`; scratch: `count` pairs and tx_order_scratch().
void tx_order_pairs(tx_box_pair *pairs, int count, const int *group, int groups, tx_box_pair *copy, tx_arena scratch);
size_t tx_order_scratch(int groups);
