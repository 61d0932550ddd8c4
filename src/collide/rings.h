// rings.h - the neighbours of every corner of the large hulls that collide, four at a time, to climb by.
#pragma once
#include "collide/collider.h"

typedef struct tx_rings tx_rings;

/// Of all hulls that are climbed and take part in collisions, for all simulations' blocks to share; the model must
/// outlive it. @return null: no memory
tx_rings *tx_rings_create(const tx_model *model);
void tx_rings_destroy(tx_rings *rings); // null is fine

/// The groups of a mesh; null: its hull has none.
const double *tx_rings_of(const tx_rings *rings, int mesh);

/// Lets a collider climb by them; null: by single neighbours. No point depends on it.
void tx_collider_take_rings(tx_collider *collider, const tx_rings *rings);
