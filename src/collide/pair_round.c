// pair_round.c - spheres and capsules against each other: nearest points of the axes, then two balls.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_sphere_sphere, tx_pair_sphere_capsule, tx_pair_capsule_capsule;

// the part of a capsule at a place s of its axis: an end, or the side
static uint32_t part_at(double s) { return fabs(s) < 1 ? tx_part_face(0) : tx_part_corner(s > 0); }

// a ball of each shape's radius around p1 and p2: 1 and the hit, or 0
static int two_balls(const tx_shape *a, const double p1[3], const tx_shape *b, const double p2[3], double margin,
                     uint64_t feature, tx_hit *hit) {
    double r1 = a->size[0], r2 = b->size[0], normal[3];
    v3_sub(normal, p2, p1);
    double length = v3_normalise(normal);
    double dist = length - r1 - r2;
    if (!(dist < margin)) return 0;

    // the same centre: across the two z axes, or world x when these are parallel
    if (length < V3_TINY) {
        double z1[3], z2[3];
        m3_column(z1, a->mat, 2);
        m3_column(z2, b->mat, 2);
        v3_cross(normal, z1, z2);
        v3_normalise(normal);
    }

    hit->dist = dist;
    v3_along(hit->pos, p1, normal, r1 + dist / 2);
    v3_copy(hit->normal, normal);
    v3_zero(hit->tangent);
    hit->feature = feature;
    return 1;
}

int tx_pair_sphere_sphere(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 1) || !shape_usable(b, 1) || !isfinite(margin)) return 0;
    return two_balls(a, a->pos, b, b->pos, margin, tx_feature(tx_part_face(0), tx_part_face(0)), hits);
}

int tx_pair_sphere_capsule(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 1) || !shape_usable(b, 2) || !isfinite(margin)) return 0;
    double axis[3], offset[3], nearest[3];
    m3_column(axis, b->mat, 2);
    v3_sub(offset, a->pos, b->pos);

    // nearest point of the capsule's axis
    double along = v3_clamp(v3_dot(axis, offset), -b->size[1], b->size[1]);
    v3_along(nearest, b->pos, axis, along);
    uint32_t part = part_at(b->size[1] > 0 ? along / b->size[1] : 0);
    return two_balls(a, a->pos, b, nearest, margin, tx_feature(tx_part_face(0), part), hits);
}

// Two axes as segments p1 + s e1 and p2 + t e2 with s, t in [-1, 1]; e is the half axis. With d = p1 - p2 the squared
// distance is least where  e11 s - e12 t = -e1.d  and  -e12 s + e22 t = e2.d.
typedef struct two_axes {
    const tx_shape *a, *b;
    double e1[3], e2[3];
    double e11, e12, e22, d1, d2; // d1 = -e1.d, d2 = e2.d
} two_axes;

static void half_axis(double out[3], const tx_shape *capsule) {
    m3_column(out, capsule->mat, 2);
    v3_scale(out, out, capsule->size[1]);
}

static two_axes axes_of(const tx_shape *a, const tx_shape *b) {
    two_axes x = {.a = a, .b = b};
    double d[3];
    half_axis(x.e1, a);
    half_axis(x.e2, b);
    v3_sub(d, a->pos, b->pos);
    x.e11 = v3_dot(x.e1, x.e1);
    x.e12 = v3_dot(x.e1, x.e2);
    x.e22 = v3_dot(x.e2, x.e2);
    x.d1 = -v3_dot(x.e1, d);
    x.d2 = v3_dot(x.e2, d);
    return x;
}

// the place on one axis nearest to a given place on the other line; 0 on an axis without length
static double nearest_s(const two_axes *x, double t) { return x->e11 > 0 ? (x->d1 + x->e12 * t) / x->e11 : 0; }
static double nearest_t(const two_axes *x, double s) { return x->e22 > 0 ? (x->d2 + x->e12 * s) / x->e22 : 0; }

static int balls_at(const two_axes *x, double s, double t, double margin, uint64_t feature, tx_hit *hit) {
    double p1[3], p2[3];
    v3_along(p1, x->a->pos, x->e1, s);
    v3_along(p2, x->b->pos, x->e2, t);
    return two_balls(x->a, p1, x->b, p2, margin, feature, hit);
}

// crossing axes: solve the two equations, then clamp one place after the other
static int crossing(const two_axes *x, double det, double margin, tx_hit *hit) {
    double s = (x->e22 * x->d1 + x->e12 * x->d2) / det;
    double t = (x->e11 * x->d2 + x->e12 * x->d1) / det;
    if (fabs(s) > 1) {
        s = s > 0 ? 1 : -1;
        t = nearest_t(x, s);
    }
    if (fabs(t) > 1) {
        t = t > 0 ? 1 : -1;
        s = v3_clamp(nearest_s(x, t), -1, 1);
    }
    return balls_at(x, s, t, margin, tx_feature(part_at(s), part_at(t)), hit);
}

// parallel axes: a point at each end of what they have side by side, from the first axis' lower end to its upper. Where
// one lies beyond the other's end both are the same point, as in MuJoCo; the features still tell them apart
static int parallel(const two_axes *x, double margin, tx_hit *hits) {
    double way = x->e12 < 0 ? -1 : 1; // of the second axis along the first
    int count = 0;
    for (int end = 0; end < 2; end++) {
        // an end of the second axis beside the first, or the first's own end
        double t = end == 0 ? -way : way, s = nearest_s(x, t);
        if (fabs(s) > 1) {
            s = s > 0 ? 1 : -1;
            t = v3_clamp(nearest_t(x, s), -1, 1);
        }
        count += balls_at(x, s, t, margin, tx_feature(tx_part_corner(end), tx_part_face(0)), hits + count);
    }
    return count;
}

int tx_pair_capsule_capsule(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 2) || !shape_usable(b, 2) || !isfinite(margin)) return 0;
    two_axes x = axes_of(a, b);

    // a capsule without length is a ball: its centre against the other axis
    if (!(x.e11 > 0) || !(x.e22 > 0)) {
        double s = v3_clamp(nearest_s(&x, 0), -1, 1), t = v3_clamp(nearest_t(&x, 0), -1, 1);
        return balls_at(&x, s, t, margin, tx_feature(part_at(s), part_at(t)), hits);
    }
    // sin² of the angle between the axes, without cancellation; MuJoCo's threshold (1e-4 rad)
    double across[3];
    v3_cross(across, x.e1, x.e2);
    double det = v3_dot(across, across);
    return det >= 1e-8 * (x.e11 * x.e22) ? crossing(&x, det, margin, hits) : parallel(&x, margin, hits);
}
