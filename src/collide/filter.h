// filter.h - which geoms may collide at all: MuJoCo's rules, evaluated for one pair.
#pragma once
#include "model/model.h"

/// Whether two bodies' geoms may collide: not of one welded group, not both fixed, not parent and child (where the
/// option says so), not excluded.
bool tx_bodies_collide(const tx_model *m, int body1, int body2);

/// Whether two geoms of such bodies collide: their masks agree, and they are no special pair (those stand apart).
bool tx_geoms_collide(const tx_model *m, int geom1, int geom2);

/// Whether either reacts to the other's bits.
static inline bool tx_masks_agree(int contype1, int conaffinity1, int contype2, int conaffinity2) {
    return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}
