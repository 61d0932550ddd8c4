// face_way.h - signed distance through a flat face of a box or a cylinder, where that is proved to be the nearest way.
#pragma once
#include "geometry/support.h"

/// What was found on the cores, in A's frame.
typedef struct tx_face_way {
    double gap;                         // distance of the cores, negative: their depth
    double normal[3], on_a[3], on_b[3]; // unit, from A to B; not the points where beyond
    bool beyond;                        // apart by more than the limit: gap is a lower bound along the normal
} tx_face_way;

/// ball: by which the cores may overlap without a proof, see tx_ellipsoid_ball(). false: no face is proved to be it
bool tx_face_way_find(const tx_difference *d, double ball, double limit, tx_face_way *out);
