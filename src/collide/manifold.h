// manifold.h - several points of contact of two convex shapes.
#pragma once
#include "collide/convex.h"
#include "collide/narrow.h"

/// How many points at most, unless the settings say.
#define TX_MANIFOLD_POINTS 4

/// The points where a and b, whose signed distance is r, are nearer than margin, all with the normal of r: one for
/// spheres and ellipsoids, else as many as the settings allow, but never fewer than 3. hits has room for TX_MAX_HITS.
/// @return how many
int tx_manifold(const tx_convex *a, const tx_convex *b, const tx_convex_result *r, double margin, const tx_narrow *how,
                tx_hit *hits);
