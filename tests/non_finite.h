// non_finite.h - numbers that are not finite give no hits: every convex shape against one target.
#pragma once
#include <math.h>
#include <string.h>

#include "collide/pairs.h"

/// At pos every shape of size 0.05 must touch the target; with any number of its pose, a size it uses or the margin
/// not finite it must not. mesh: what the mesh is.
static inline void check_non_finite(const tx_shape *target, const tx_asset *mesh, const double pos[3]) {
    static const struct {
        int type, sizes;
    } SHAPES[] = {{TX_GEOM_SPHERE, 1},   {TX_GEOM_CAPSULE, 2}, {TX_GEOM_ELLIPSOID, 3},
                  {TX_GEOM_CYLINDER, 2}, {TX_GEOM_BOX, 3},     {TX_GEOM_MESH, 3}};
    for (int i = 0; i < 6 * 3 * 16; i++) {
        const double bad[] = {NAN, INFINITY, -INFINITY};
        double s[16] = {0.05, 0.05, 0.05, pos[0], pos[1], pos[2], 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
        int kind = i / 48, at = i % 16;
        tx_shape shape = {SHAPES[kind].type, s, s + 3, s + 6, SHAPES[kind].type == TX_GEOM_MESH ? mesh : NULL};
        const bool first = target->type < shape.type;
        const tx_shape *a = first ? target : &shape, *b = first ? &shape : target;
        tx_pair_fn *collide = tx_pair_function(a->type, b->type);
        tx_hit hits[TX_MAX_HITS];
        if (collide(a, b, s[15], hits) <= 0) fail_msg("%s does not touch", tx_shape_name(shape.type));
        if (at < 3 && at >= SHAPES[kind].sizes) continue;
        s[at] = bad[i / 16 % 3];
        assert_int_equal(collide(a, b, s[15], hits), 0);
    }
}
