// pair_ellipsoid.c - a plane against an ellipsoid: its lowest point.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_plane_ellipsoid;

int tx_pair_plane_ellipsoid(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 3) || !isfinite(margin)) return 0;
    double normal[3], down[3], lowest[3], offset[3];
    m3_column(normal, a->mat, 2);
    m3_mul_transposed(down, b->mat, normal);

    // where the unit ball, stretched by the sizes S, is lowest: -S S n / |S n| in the ellipsoid's frame
    for (int k = 0; k < 3; k++) down[k] *= -b->size[k];
    v3_normalise(down);
    for (int k = 0; k < 3; k++) down[k] *= b->size[k];
    m3_mul(lowest, b->mat, down);
    v3_add(lowest, lowest, b->pos);

    v3_sub(offset, lowest, a->pos);
    double dist = v3_dot(offset, normal);
    if (!(dist < margin)) return 0;
    hits->dist = dist;
    v3_along(hits->pos, lowest, normal, -dist / 2);
    v3_copy(hits->normal, normal);
    v3_zero(hits->tangent);
    hits->feature = tx_feature(tx_part_face(0), tx_part_face(0));
    return 1;
}
