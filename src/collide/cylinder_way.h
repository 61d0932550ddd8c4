// cylinder_way.h - least way out of a cylinder and a box that overlap, or a segment, without a search through faces.
#pragma once
#include "collide/epa.h"

/// For cores that overlap. false: not these shapes, or rounding leaves no pair of points.
bool tx_cylinder_way_find(tx_epa *out, const tx_difference *d);
