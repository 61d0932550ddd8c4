// implicit.h - shapes as functions: the signed distance of a point, and which way is out.
#pragma once
#include "collide/pairs.h"

/// Signed distance from a point (in the shape's own frame) to a sphere, capsule, ellipsoid, cylinder, box, the convex
/// hull of a mesh, or a signed distance field; INFINITY for others. Exact but for ellipsoids (to first order at the
/// surface), hulls (never too large outside) and fields (docs/terrain-and-sdf.md).
/// gradient: about length one, pointing out; shorter where two ways out are as good. May be null
double tx_implicit(const tx_shape *shape, const double p[3], double gradient[3]);
