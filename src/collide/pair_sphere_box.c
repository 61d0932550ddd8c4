// pair_sphere_box.c - a sphere against a box: the nearest point of the box, or the nearest face from inside.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_sphere_box;

// the face nearest to a point of the box (-x, +x, -y … +z, the first of equals): its inward normal and its distance
static double nearest_face(const double point[3], const double half[3], double inward[3], uint32_t *part) {
    double best = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            double depth = fabs(side * half[axis] - point[axis]);
            if (!(depth < best)) continue;
            best = depth;
            v3_zero(inward);
            inward[axis] = -side;
            *part = tx_part_box_face(axis, side > 0);
        }
    }
    return best;
}

// the part of the box that is nearest to a point outside
static uint32_t nearest_part(const double point[3], const double half[3]) {
    int sides = 0, beyond = 0, axis = 0, free = 0;
    for (int k = 0; k < 3; k++) {
        sides |= (point[k] > 0) << k;
        bool over = fabs(point[k]) > half[k];
        beyond += over;
        *(over ? &axis : &free) = k;
    }
    return beyond == 3   ? tx_part_corner(sides)
           : beyond == 2 ? tx_part_box_edge(free, sides)
                         : tx_part_box_face(axis, sides >> axis & 1);
}

int tx_pair_sphere_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 1) || !shape_usable(b, 3) || !isfinite(margin)) return 0;
    double offset[3], centre[3], nearest[3], normal[3];
    double radius = a->size[0];

    // the sphere's centre in the box's frame and the point of the box nearest to it
    v3_sub(offset, a->pos, b->pos);
    m3_mul_transposed(centre, b->mat, offset);
    for (int k = 0; k < 3; k++) nearest[k] = v3_clamp(centre[k], -b->size[k], b->size[k]);
    v3_sub(normal, nearest, centre);
    double reach = v3_normalise(normal);
    if (!(reach - radius < margin)) return 0;

    // inside: out through the nearest face
    uint32_t part = 0;
    if (reach <= V3_TINY) reach = -nearest_face(centre, b->size, normal, &part);
    else part = nearest_part(centre, b->size);

    // midway between the sphere's deepest point and the box's surface
    double local[3];
    v3_along(local, centre, normal, (radius + reach) / 2);
    hits->dist = reach - radius;
    m3_mul(hits->pos, b->mat, local);
    v3_add(hits->pos, hits->pos, b->pos);
    m3_mul(hits->normal, b->mat, normal);
    v3_zero(hits->tangent);
    hits->feature = tx_feature(tx_part_face(0), part);
    return 1;
}
