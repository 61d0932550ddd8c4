// mpr.h - Minkowski portal refinement (Snethen 2008): overlap, and a direction that separates.
#pragma once
#include "collide/convex.h"

/// Whether a and b overlap. When they do, out has a normal (a to b) and a depth by which moving b along it separates:
/// never below the true depth, equal to it where the shapes are shallow and smooth. @return overlap
bool tx_mpr_overlap(const tx_convex *a, const tx_convex *b, tx_convex_result *out);
