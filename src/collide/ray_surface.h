// ray_surface.h - a ray against surfaces of triangles: meshes and height fields, in their own frame.
#pragma once
#include "collide/pairs.h"

/// p + t d with unit d, of which only t >= low counts.
typedef struct tx_ray {
    double p[3], d[3], low;
} tx_ray;

/// The nearest triangle of a mesh; normal: outward, any length. False: none is met.
bool tx_ray_triangles(const tx_ray *r, const tx_asset *mesh, double *t, double normal[3]);

/// The nearest point of the solid under a height field: its surface, its walls or its base.
bool tx_ray_heights(const tx_ray *r, const tx_heights *field, double *t, double normal[3]);
