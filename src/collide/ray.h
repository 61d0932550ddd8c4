// ray.h - where a ray meets a shape.
#pragma once
#include "collide/pairs.h"

/// The least t >= 0 with origin + t direction on the surface of the shape; the direction has unit length. Planes are
/// met from above only, other shapes also from inside; of a mesh the triangles, of a height field the solid.
/// @return t and the outward normal (world), or -1: nothing is met (always so for meshes and fields without asset)
double tx_ray_shape(const tx_shape *shape, const double origin[3], const double direction[3], double normal[3]);
