// obb.h - boxes along the axes of a shape: whether two of them are apart.
#pragma once
#include <stdbool.h>

/// A box in the frame of a shape.
typedef struct tx_bounds {
    double centre[3], half[3]; // [m]
} tx_bounds;

/// The bounds of the points `index[0 … count - 1]` (null: 0 … count - 1), 3 numbers each; count is at least 1.
tx_bounds tx_bounds_of_points(const double *points, const int *index, int count);
/// The bounds of a shape (tx_geom_type; no plane, mesh or height field).
tx_bounds tx_bounds_of_shape(int type, const double size[3]);

/// A box at its place in the world.
typedef struct tx_obb {
    double centre[3], half[3];
    const double *mat; // rotation to the world, row-major
} tx_obb;

tx_obb tx_obb_place(const tx_bounds *bounds, const double pos[3], const double mat[9]);

/// Whether two boxes are farther apart than `reach` [m] for certain: by 1e-9 of their sizes and places, more than any
/// rounding of the shapes inside. Fifteen axes (Gottschalk 1996); false where a number is not finite.
bool tx_obb_apart(const tx_obb *a, const tx_obb *b, double reach);
