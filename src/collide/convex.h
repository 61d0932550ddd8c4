// convex.h - signed distance of two convex shapes: GJK apart, EPA overlapping, radii added to both.
#pragma once
#include "collide/pairs.h"
#include "geometry/support.h"

typedef struct tx_convex_result {
    double dist;             // negative: depth of the overlap [m]
    double normal[3];        // unit, from a to b, world
    double on_a[3], on_b[3]; // nearest or deepest points; on_b - on_a = dist normal
    bool beyond;             // farther apart than the limit: dist is a lower bound along the normal, the points unknown
    int gjk, epa;            // iterations
    double gap;              // dist is known to within this, up to rounding [m]
} tx_convex_result;

/// Signed distance of a and b. limit: stop when they are farther apart (INFINITY: never).
/// @return false when a shape is not usable (the result is zero then)
bool tx_convex_distance(const tx_convex *a, const tx_convex *b, double limit, tx_convex_result *out);

/// The corners of a mesh's hull, or all its vertices when it has none. out: zero but for its pose.
void tx_convex_take_asset(tx_convex *out, const tx_asset *mesh);

/// A sphere, capsule, ellipsoid, cylinder, box or mesh (its hull) as a convex shape; false for other types and for
/// meshes without hull or beyond TX_LONGEST.
bool tx_convex_from_shape(tx_convex *out, const tx_shape *shape);

/// Whether pose, sizes and radius are below TX_LONGEST, and a point set has points.
bool tx_convex_usable(const tx_convex *shape);
