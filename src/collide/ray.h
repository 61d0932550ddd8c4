// ray.h - where a ray meets a shape.
#pragma once
#include "collide/pairs.h"

/// The triangles of a mesh, in the frame of its geom.
typedef struct tx_triangles {
    const double *vertex; // 3 numbers each
    const int *corner;    // 3 vertices a triangle, counter-clockwise seen from outside
    int count;
} tx_triangles;

/// The least t >= 0 with origin + t direction on the surface of the shape; the direction has unit length. Planes are
/// met from above only, other shapes also from inside. triangles: of a mesh, else null.
/// @return t and the outward normal (world), or -1: nothing is met (always so for shapes without a surface)
double tx_ray_shape(const tx_shape *shape, const tx_triangles *triangles, const double origin[3],
                    const double direction[3], double normal[3]);
