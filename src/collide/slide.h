// slide.h - GJK's simplex on curved sides: its corners slide along them to where Newton's method sends the direction.
#pragma once
#include "collide/gjk.h"

/// Flat sides and edges that take part in a simplex: the shortest way is across each of these.
typedef struct tx_creases {
    double along[2][3]; // unit and across each other, A's frame
    int count;          // 2: only one direction is left
} tx_creases;

tx_creases tx_creases_of(const tx_difference *d, const tx_gjk *g);

/// The direction across all creases that is nearest to n.
void tx_creases_straighten(const tx_creases *c, double n[3]);

/// Newton's step of h(n) = max (A - B).n on the sphere, from a unit direction n with farthest point w: the tangent to
/// be added, across all creases (fewer than 2). False where h is not convex.
bool tx_newton_tangent(const tx_difference *d, const tx_creases *c, const double n[3], const double w[3],
                       double step[3]);

/// The corners of a simplex where they are for direction n: on the same sides. Those that meet are one; v is not set.
void tx_slide_corners(const tx_gjk *g, const tx_difference *d, const double n[3], tx_gjk *out);

/// Apart only. Brings the simplex nearer to the origin; false, and nothing changed, when that does not work: near flat
/// sides, and while the simplex is not yet on the sides that count.
bool tx_slide(tx_gjk *g, const tx_difference *d);
