// pair_plane.c - a plane against a sphere, a capsule and a box. The plane is infinite whatever its size says; its
// normal is its z axis and everything below it is inside.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_plane_sphere, tx_pair_plane_capsule, tx_pair_plane_box;

// a ball against the plane through `origin`: 1 and the hit, or 0
static int plane_ball(const double origin[3], const double normal[3], const double centre[3], double radius,
                      double margin, uint32_t part, tx_hit *hit) {
    double offset[3];
    v3_sub(offset, centre, origin);
    double dist = v3_dot(offset, normal) - radius;
    if (!(dist < margin)) return 0;

    // midway between the ball's lowest point and the plane
    hit->dist = dist;
    v3_along(hit->pos, centre, normal, -(radius + dist / 2));
    v3_copy(hit->normal, normal);
    v3_zero(hit->tangent);
    hit->feature = tx_feature(tx_part_face(0), part);
    return 1;
}

int tx_pair_plane_sphere(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 1) || !isfinite(margin)) return 0;
    double normal[3];
    m3_column(normal, a->mat, 2);
    return plane_ball(a->pos, normal, b->pos, b->size[0], margin, tx_part_face(0), hits);
}

// the two end balls, upper end first; the friction pyramid is aligned with the capsule's axis
int tx_pair_plane_capsule(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 2) || !isfinite(margin)) return 0;
    double normal[3], axis[3];
    m3_column(normal, a->mat, 2);
    m3_column(axis, b->mat, 2);

    int count = 0;
    for (int end = 1; end >= -1; end -= 2) {
        double centre[3];
        v3_along(centre, b->pos, axis, end * b->size[1]);
        count += plane_ball(a->pos, normal, centre, b->size[0], margin, tx_part_corner(end > 0), hits + count);
    }
    for (int i = 0; i < count; i++) v3_copy(hits[i].tangent, axis);
    return count;
}

// the corners of the box's lower half, at most four, counted with x fastest and z slowest from the lowest signs
int tx_pair_plane_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 3) || !isfinite(margin)) return 0;
    double normal[3], offset[3];
    m3_column(normal, a->mat, 2);
    v3_sub(offset, b->pos, a->pos);
    double height = v3_dot(offset, normal);

    int count = 0;
    for (int i = 0; i < 8 && count < 4; i++) {
        double local[3], corner[3];
        for (int k = 0; k < 3; k++) local[k] = i >> k & 1 ? b->size[k] : -b->size[k];
        m3_mul(corner, b->mat, local);

        // skip corners above the centre and those too far from the plane
        double rise = v3_dot(normal, corner);
        if (rise > 0 || !(height + rise < margin)) continue;

        tx_hit *hit = &hits[count++];
        hit->dist = height + rise;
        v3_add(corner, corner, b->pos);
        v3_along(hit->pos, corner, normal, -hit->dist / 2);
        v3_copy(hit->normal, normal);
        v3_zero(hit->tangent);
        hit->feature = tx_feature(tx_part_face(0), tx_part_corner(i));
    }
    return count;
}
