// pair_input.h - the test every pair function begins with.
#pragma once
#include "collide/pairs.h"
#include "geometry/vec3.h"

// whether the pose and the first `sizes` sizes of a shape are finite
static inline bool shape_finite(const tx_shape *s, int sizes) {
    return v_finite(s->pos, 3) && v_finite(s->mat, 9) && v_finite(s->size, sizes);
}
