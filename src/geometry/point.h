// point.h - signed distance of a point to a box, cylinder or ellipsoid, in closed form.
#pragma once
#include "geometry/support.h"

/// Nearest point of the surface of the core (its radius is not looked at) to x, both in the core's frame, and the unit
/// normal there, outward. @return distance, negative inside [m]. Only for boxes, cylinders and ellipsoids
double tx_point_distance(const tx_convex *core, const double x[3], double nearest[3], double normal[3]);
/// Whether tx_point_distance() knows the core.
bool tx_point_knows(tx_core core);
