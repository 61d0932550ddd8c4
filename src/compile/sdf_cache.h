// sdf_cache.h - baked signed distance fields on disk, found by what they were baked from.
#pragma once
#include "geometry/sdf.h"

/// tx_sdf_bake() with a cache in $XDG_CACHE_HOME/thixis, or ~/.cache/thixis. A file that does not match what is asked
/// for, or is damaged, is baked again; one that cannot be written is no error. THIXIS_CACHE=off does without.
/// @return false when memory is out or the surface is empty; sdf->value is to be freed with tx_free()
bool tx_sdf_bake_cached(tx_sdf *sdf, const double *vertex, int vertex_count, const int *face, int face_count,
                        double cell);
