// way_out.h - a shorter way out of an overlap near a given one.
#pragma once
#include "collide/gjk.h"

/// Moving B by depth * normal separates the cores. A's frame.
typedef struct tx_way {
    double normal[3], depth;
    double w[3];             // farthest point of A - B along the normal
    double on_a[3], on_b[3]; // deepest points
} tx_way;

/// Goes from way->normal (unit) down to the next least depth, and finds the points that meet there. face: corners of
/// A - B near there (count, w, on_a, scale), which show the sides that take part. For smooth shapes: on polytopes EPA's
/// answer is exact.
void tx_way_refine(const tx_difference *d, const tx_gjk *face, tx_way *way);

/// A length of the core and its radius, for how exact answers must be [m].
double tx_way_size(const tx_convex *shape);
