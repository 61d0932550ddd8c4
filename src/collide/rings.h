// rings.h - what is made of the hulls that collide for one simulation: their flat faces as polygons, copies of their
// corners side by side, and of large hulls the neighbours of every corner, four at a time, to climb by.
#pragma once
#include "collide/collider.h"

typedef struct tx_rings tx_rings;

/// Of all hulls that take part in collisions, for all blocks of a simulation to share; the model must outlive it.
/// @return null: no memory
tx_rings *tx_rings_create(const tx_model *model);
void tx_rings_destroy(tx_rings *rings); // null is fine

/// The groups of a mesh; null: its hull has none.
const double *tx_rings_of(const tx_rings *rings, int mesh);
/// The corners of its hull, 3 numbers each; null: it has none, or does not collide.
const double *tx_rings_corners(const tx_rings *rings, int mesh);

/// The flat faces of its hull; null: it does not collide.
const tx_facets *tx_rings_facets(const tx_rings *rings, int mesh);

/// Lets a collider use them; null: it climbs by single neighbours, looks corners up, and knows no faces of hulls, which
/// then touch in fewer points. No point depends on the copies.
void tx_collider_take_rings(tx_collider *collider, const tx_rings *rings);
