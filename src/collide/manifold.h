// manifold.h - several points of contact of two convex shapes.
#pragma once
#include "collide/convex.h"

#define TX_MANIFOLD_POINTS 5

/// The points where a and b, whose signed distance is r, are nearer than margin: up to TX_MANIFOLD_POINTS, all with the
/// normal of r. Spheres and ellipsoids touch in one. hits has room for TX_MANIFOLD_POINTS. @return how many
int tx_manifold(const tx_convex *a, const tx_convex *b, const tx_convex_result *r, double margin, tx_hit *hits);
