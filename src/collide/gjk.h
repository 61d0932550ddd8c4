// gjk.h - distance of the origin to the difference of two convex cores (Gilbert, Johnson, Keerthi 1988).
#pragma once
#include "geometry/support.h"

#define TX_GJK_ITERATIONS 128
#define TX_GJK_GAP        1e-12 // of the distance: upper and lower bound agree

typedef enum tx_gjk_result {
    TX_GJK_APART,  // v is the shortest vector
    TX_GJK_BEYOND, // apart, farther than the limit along v, which is not the shortest
    TX_GJK_TOUCH,  // the simplex holds the origin up to rounding, or has it inside
} tx_gjk_result;

typedef struct tx_gjk {
    double w[4][3], on_a[4][3]; // corners of the simplex and their parts from A
    double lambda[4];           // v = sum lambda w
    int count;                  // corners, 1 … 4
    double v[3];                // nearest point of A - B to the origin, A's frame
    double dist, lower;         // |v|, and a bound no true distance is below
    double scale;               // size of the numbers met: rounding is a multiple of it
    int iterations;
} tx_gjk;

/// start: a guess of v (the last result), zero when there is none. limit: no answer is needed beyond this distance
/// (INFINITY: always).
tx_gjk_result tx_gjk_run(tx_gjk *g, const tx_difference *d, const double start[3], double limit);

/// Sets v, lambda and the corners to the nearest point of the simplex (1 … 3 corners); false, and nothing changed, when
/// it is no nearer than dist.
bool tx_gjk_nearest(tx_gjk *g);

/// The points of A and B that v joins, A's frame.
void tx_gjk_points(const tx_gjk *g, double on_a[3], double on_b[3]);
