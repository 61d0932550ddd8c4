// ring.h - from corner to corner of a hull by groups of four neighbours.
#pragma once
#include "geometry/support.h"

/// Groups of all corners. Those of corner i begin at tx_ring_begin(): no corner needs more than a quarter of its
/// neighbours and one, so the place follows from the edges.
static inline int tx_ring_groups(const tx_convex *hull) { return hull->edge_count / 4 + hull->point_count; }
static inline int tx_ring_begin(const tx_convex *hull, int i) { return hull->first[i] / 4 + i; }

/// Copies the neighbours of every corner into groups of four: their x, their y, their z; the last neighbour fills the
/// last group. 12 numbers a group.
void tx_ring_fill(const tx_convex *hull, double *ring);

/// Goes from corner to its best neighbour until none is farther; `most`: how far the first corner is.
int tx_ring_climb(const tx_convex *hull, const double dir[3], int from, double most);
int tx_ring_climb_plain(const tx_convex *hull, const double dir[3], int from, double most); // without vectors
