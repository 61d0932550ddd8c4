// sdf.h - a signed distance field on a grid: negative inside a surface, its gradient points outwards.
// Error bounds and the rule of the cell size: docs/terrain-and-sdf.md.
#pragma once
#include <stdbool.h>

typedef struct tx_sdf {
    int n[3];            // grid points along x, y, z, at least 2
    double low[3], cell; // first grid point, distance of grid points [m]
    const double *value; // n[0] n[1] n[2] distances, x fastest [m]
} tx_sdf;

/// Most grid points of a field; the cells become larger where the rule asks for more.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define TX_SDF_POINTS (1 << 13)
#else
#define TX_SDF_POINTS (1 << 22)
#endif

/// Cell size for a surface with these bounds [m]: 5 mm, but at least 1/127 of the longest and at most 1/31 of the
/// shortest side.
double tx_sdf_cell(const double low[3], const double high[3]);

/// Bakes the field of a surface: exact distances to its triangles at the grid points, the sign from the winding number.
/// cell: wanted size of a cell, 0: by the rule. On success sdf->value is to be freed with tx_free().
/// @return false when memory is out or the surface is empty
bool tx_sdf_bake(tx_sdf *sdf, const double *vertex, int vertex_count, const int *face, int face_count, double cell);

/// Grid that tx_sdf_bake() chooses: everything but the values.
tx_sdf tx_sdf_grid(const double *vertex, int vertex_count, double cell);

/// Distance at a point by trilinear interpolation, and its gradient (may be null), which has length one only where the
/// field is smooth. Beyond the grid: the value at its border plus the way there, which is never too small.
double tx_sdf_value(const tx_sdf *sdf, const double p[3], double gradient[3]);
