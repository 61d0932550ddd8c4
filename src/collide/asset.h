// asset.h - what the shape of a geom is made of, out of the model.
#pragma once
#include "collide/pairs.h"
#include "model/model.h"

/// Points at the parts of the model that belong to a mesh or a height field; false, and nothing written, for a
/// primitive.
bool tx_asset_of(const tx_model *m, int geom, tx_asset *out);
