// advance.h - when two convex shapes that are apart will meet, as they move now: conservative advancement.
// docs/collision.md "Before they touch"
#pragma once
#include "collide/narrow.h"
#include "collide/pairs.h"
#include "geometry/obb.h"

/// A shape and its motion within the time that is looked ahead.
typedef struct tx_mover {
    tx_shape shape;     // where it is now
    double step[3];     // how far its frame moves, world [m]
    double turn[3];     // by what it turns, world [rad]
    double radius;      // of a ball around the origin of its frame that holds it; 0 of a plane
    double sweep;       // no point of it moves farther [m]
    double narrow_half; // least half extent of its box [m]; INFINITY: it cannot pass through anything
} tx_mover;

/// A shape that moves by `velocity` for the time `ahead`; bounds: its box in its own frame, null for a plane.
tx_mover tx_mover_make(const tx_shape *shape, const double velocity[6], double ahead, const tx_bounds *bounds);

/// Whether either moves so far that one could pass through the other, as MuJoCo 4.0 judges it.
bool tx_movers_are_fast(const tx_mover *a, const tx_mover *b);

/// Whether shapes of this type can be advanced: planes and what is convex.
bool tx_can_advance(int type);

/// A plane has no end: how far it moves is asked where the other is.
void tx_mover_see_plane(tx_mover *plane, const tx_mover *other);

/// Where two movers farther apart than `margin` meet within the time. Points of contact at the moment of the impact,
/// brought back to where they are on the shapes now; of each: dist = margin + the share of the time until it is met x
/// `closing`, by which the two close in within the whole time; between[6 i]: its places on a and b.
/// @return how many, 0: they do not meet
int tx_advance(const tx_mover *a, const tx_mover *b, double margin, const tx_narrow *how, tx_hit *hits, double *between,
               double *closing);
