// epa.h - penetration depth of two convex cores by an expanding polytope (van den Bergen 2001).
#pragma once
#include "collide/gjk.h"

#define TX_EPA_CORNERS 256
#define TX_EPA_FACES   (2 * TX_EPA_CORNERS)

typedef struct tx_epa {
    double normal[3];        // unit, A's frame: moving B by depth * normal separates the cores
    double depth;            // support of A - B along the normal: never below the true depth
    double lower;            // distance to the nearest face left: the true depth is above it, up to rounding
    double on_a[3], on_b[3]; // deepest points, A's frame
    int iterations, corners;
} tx_epa;

/// From the simplex with which GJK ended. Depth is zero (or a rounding below) when the cores only touch.
void tx_epa_run(tx_epa *out, const tx_difference *d, const tx_gjk *g);
