// chord.h - the part of a line inside a shape with flat faces.
#pragma once
#include "collide/pairs.h"

/// The values of s for which point + s direction (in the shape's own frame) lies in the shape: range[0] to range[1].
/// @return false when there are none, or when the shape is not a box, a cylinder or a mesh (its convex hull)
bool tx_chord(const tx_shape *shape, const double point[3], const double direction[3], double range[2]);
