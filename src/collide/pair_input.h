// pair_input.h - the test every pair function begins with.
#pragma once
#include "collide/pairs.h"
#include "geometry/vec3.h"

// whether the pose and the first `sizes` sizes of a shape are lengths to count with
static inline bool shape_usable(const tx_shape *s, int sizes) {
    return v_below(s->pos, 3, TX_LONGEST) && v_below(s->mat, 9, TX_LONGEST) && v_below(s->size, sizes, TX_LONGEST);
}
