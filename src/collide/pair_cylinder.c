// pair_cylinder.c - a cylinder (radius, half length along z) against a plane and a sphere.
#include "collide/pair_input.h"

// sine of the angle to the plane's normal below which a cylinder stands and has no lowest point
#define STANDING 1e-12

// number of the side among the faces of a cylinder, after the lower and the upper cap
#define SIDE 2

tx_pair_fn tx_pair_plane_cylinder, tx_pair_sphere_cylinder, tx_pair_sphere_sphere;

// the point centre + offset of the cylinder, which is `height` above the plane: 1 and the hit, or 0
static int rim_point(const double centre[3], const double offset[3], double height, const double normal[3],
                     double margin, int number, tx_hit *hit) {
    if (!(height < margin)) return 0;
    hit->dist = height;
    v3_add(hit->pos, centre, offset);
    v3_along(hit->pos, hit->pos, normal, -height / 2);
    v3_copy(hit->normal, normal);
    v3_zero(hit->tangent);
    hit->feature = tx_feature(tx_part_face(0), tx_part_corner(number));
    return 1;
}

// At most four points: the lowest of either rim, and on the lower rim two more that make an equilateral triangle with
// its lowest. Where the cylinder stands, the one along its x axis is taken as the lowest.
int tx_pair_plane_cylinder(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 0) || !shape_usable(b, 2) || !isfinite(margin)) return 0;
    double normal[3], axis[3], out[3], side[3], offset[3], radius = b->size[0], half = b->size[1];
    m3_column(normal, a->mat, 2);
    v3_sub(offset, b->pos, a->pos);
    double height = v3_dot(offset, normal);

    // the unit vectors down the axis and, across it, towards the plane
    m3_column(axis, b->mat, 2);
    bool upside_down = v3_dot(axis, normal) > 0;
    if (upside_down) v3_scale(axis, axis, -1);
    double axis_rise = v3_dot(axis, normal);
    v3_scale(out, axis, axis_rise);
    v3_sub(out, out, normal);
    if (v3_normalise(out) < STANDING) m3_column(out, b->mat, 0);

    // nearly standing, this has rounding noise along the axis, which would lift the rim by up to the radius (MuJoCo
    // lets it): take that out
    v3_along(out, out, axis, -v3_dot(out, axis));
    v3_normalise(out);
    double out_rise = v3_dot(out, normal);

    int count = 0;
    for (int end = 1; end >= -1; end -= 2) {
        v3_scale(offset, out, radius);
        v3_along(offset, offset, axis, end * half);
        count += rim_point(b->pos, offset, height + end * half * axis_rise + radius * out_rise, normal, margin,
                           (end > 0) != upside_down, hits + count);
        if (count == 0) return 0; // the lowest of all
    }
    v3_cross(side, out, axis);
    v3_normalise(side);
    for (int way = 1; way >= -1; way -= 2) {
        v3_scale(offset, axis, half);
        v3_along(offset, offset, out, -radius / 2);
        v3_along(offset, offset, side, way * radius * sqrt(0.75));
        count += rim_point(b->pos, offset, height + half * axis_rise - radius / 2 * out_rise, normal, margin,
                           2 + 2 * !upside_down + (way > 0), hits + count);
    }
    return count;
}

// a ball against the cylinder's cap that looks along `outward`, as if that were a plane: 1 and the hit, or 0
static int ball_on_cap(const tx_shape *ball, const double outward[3], double height, double margin, int cap,
                       tx_hit *hit) {
    double radius = ball->size[0], dist = height - radius;
    if (!(dist < margin)) return 0;
    hit->dist = dist;
    v3_along(hit->pos, ball->pos, outward, -(radius + dist / 2));
    v3_scale(hit->normal, outward, -1);
    v3_zero(hit->tangent);
    hit->feature = tx_feature(tx_part_face(0), tx_part_face(cap));
    return 1;
}

// the nearest point is on the side, a cap or a rim; from inside the nearer of side and cap
int tx_pair_sphere_cylinder(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 1) || !shape_usable(b, 2) || !isfinite(margin)) return 0;
    double axis[3], offset[3], out[3], at[3], radius = b->size[0], half = b->size[1];
    m3_column(axis, b->mat, 2);
    v3_sub(offset, a->pos, b->pos);
    double along = v3_dot(axis, offset), over = fabs(along) - half;
    v3_along(out, offset, axis, -along);
    double square = v3_dot(out, out), beyond = sqrt(square) - radius;
    bool beside = over < 0, above = square < radius * radius;
    if (beside && above) {
        above = over > beyond;
        beside = !above;
    }

    if (above) {
        if (along <= 0) v3_scale(axis, axis, -1);
        return ball_on_cap(a, axis, over, margin, along > 0, hits);
    }
    // a ball of the cylinder's radius on the axis, or a point on the rim
    double point = 0;
    tx_shape part = {.type = TX_GEOM_SPHERE, .size = beside ? b->size : &point, .pos = at, .mat = b->mat};
    v3_along(at, b->pos, axis, beside ? along : along > 0 ? half : -half);
    if (!beside && square > 0) v3_along(at, at, out, radius / sqrt(square));
    int count = tx_pair_sphere_sphere(a, &part, margin, hits);
    hits->feature = tx_feature(tx_part_face(0), beside ? tx_part_face(SIDE) : tx_part_edge(along > 0));
    return count;
}
