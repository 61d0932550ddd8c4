// wrap.inl - how a tendon wraps around a sphere or an endless cylinder, in the ways MuJoCo distinguishes.
// docs/tendons.md. lanes: any
#pragma once
#include "lane/trig.h"
#include "lane/vec.h"

#define TINY R(1e-15)

// unit length, or the first axis where there is none; returns the length
FN real make_unit(real *v, int n) {
    real square = splat(0);
    for (int k = 0; k < n; k++) square = square + v[k] * v[k];
    real length = vsqrt(square);
    mask none = length < TINY;
    real inv = R(1) / sel(none, splat(1), length);
    for (int k = 0; k < n; k++) v[k] = sel(none, splat(k == 0), v[k] * inv);
    return length;
}

FN real dot2(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1]; }
FN real cross2(const real *a, const real *b) { return a[0] * b[1] - a[1] * b[0]; }

// a path around a circle about the origin: where it touches and leaves, and its length between the two
typedef struct bend {
    mask on; // else the path is straight
    real length, point[4];
} bend;

// point of the segment end[0..1] end[2..3] that is nearest to the origin; where: its place on the segment, not clamped
FN void nearest_on_segment(const real *end, real *out, real *where) {
    real along[2] = {end[2] - end[0], end[3] - end[1]};
    *where = -(dot2(along, end) / vmax(dot2(along, along), splat(TINY)));
    real at = clamp(*where, splat(0), splat(1));
    for (int k = 0; k < 2; k++) out[k] = end[k] + at * along[k];
}

// angle from a to b as seen from the origin, -π … π
FN real angle_between(const real *a, const real *b) { return lane_atan2(cross2(a, b), dot2(a, b)); }

// outside: two tangents and an arc. The path goes round the circle as the segments from the first end to `side` and on
// to the second do, by more than half a turn if they do; null: as the straight one does, the shorter way
FN bend bend_around(const real *end, const real *side, real radius) {
    real along[2] = {end[2] - end[0], end[3] - end[1]}, r2 = radius * radius, square[2], tangent[2];
    real turn = side ? angle_between(end, side) + angle_between(side, end + 2) : angle_between(end, end + 2);
    bend out = {.on = (radius >= TINY) & (dot2(along, along) >= TINY), .length = vabs(turn)};
    for (int s = 0; s < 2; s++) {
        square[s] = dot2(end + 2 * s, end + 2 * s);
        out.on = out.on & (square[s] >= r2);
        square[s] = vmax(square[s], splat(TINY));
        tangent[s] = vsqrt(vmax(square[s] - r2, splat(0)));
        out.length = out.length - lane_atan2(tangent[s], radius);
    }
    // what the tangents leave of the turn is the arc; nothing: the straight path is free
    out.on = out.on & (out.length > R(0));
    out.length = radius * sel(out.on, out.length, splat(0));
    real way = sel(turn < R(0), -radius, radius);
    for (int s = 0; s < 2; s++) {
        const real *e = end + 2 * s;
        real swing = (s == 0 ? way : -way) * tangent[s];
        out.point[2 * s] = (e[0] * r2 - swing * e[1]) / square[s];
        out.point[2 * s + 1] = (e[1] * r2 + swing * e[0]) / square[s];
    }
    return out;
}

// f = asin(a z) + asin(b z) - 2 asin(z) + angle
FN real inside_defect(real a, real b, real z, real angle) {
    return lane_asin(a * z) + lane_asin(b * z) - R(2) * lane_asin(z) + angle;
}
FN real asin_slope(real a, real z) { return a / vmax(vsqrt(vmax(R(1) - z * z * a * a, splat(0))), splat(TINY)); }

// inside: the path touches the circle in one point, where it is shortest; z is the sine of the angle between the path
// and the radius there. Newton's method with MuJoCo's start; where it fails, the point between the ends.
FN bend bend_inside(const real *end, real radius) {
    enum { MOST = 20 };
    const num START = R(1 - 1e-7), STOP = R(1e-12);
    real length[2] = {vsqrt(dot2(end, end)), vsqrt(dot2(end + 2, end + 2))}, nearest[2], where;
    real along[2] = {end[2] - end[0], end[3] - end[1]}, span = dot2(along, along);
    nearest_on_segment(end, nearest, &where);
    mask through = (span > TINY) & (where > R(0)) & (where < R(1)) & (vsqrt(dot2(nearest, nearest)) <= radius);
    bend out = {.on = (length[0] > radius) & (length[1] > radius) & (radius >= TINY) & not_(through),
                .length = splat(0),
                .point = {splat(0), splat(0), splat(0), splat(0)}};
    for (int s = 0; s < 2; s++) length[s] = vmax(length[s], splat(TINY));
    real a = radius / length[0], b = radius / length[1];
    real cosine = (length[0] * length[0] + length[1] * length[1] - span) / (R(2) * length[0] * length[1]);
    out.on = out.on & not_(cosine < R(-1 + 1e-15));
    if (!any(out.on)) return out;

    real angle = lane_acos(clamp(cosine, splat(-1), splat(1))), z = splat(START), f = inside_defect(a, b, z, angle);
    mask found = out.on & (cosine <= R(1 - 1e-15)) & (f <= R(0)), live = found;
    for (int i = 0; i < MOST; i++) {
        live = live & (vabs(f) > STOP);
        if (!any(live)) break;
        real slope = asin_slope(a, z) + asin_slope(b, z) - R(2) * asin_slope(splat(1), z);
        mask falls = slope <= -TINY;
        real next = z - f / sel(falls, slope, splat(-1));
        mask good = falls & (next <= z);
        z = sel(live & good, next, z);
        f = sel(live & good, inside_defect(a, b, z, angle), f);
        good = good & (f <= STOP);
        found = found & (good | not_(live));
        live = live & good;
    }
    found = found & not_(live);

    // turned from one of the ends, so that the turn is counter-clockwise
    mask forward = cross2(end, end + 2) > R(0);
    real turn = lane_asin(z) - lane_asin(sel(forward, a, b) * z), s, c;
    real from[2] = {sel(forward, end[0], end[2]), sel(forward, end[1], end[3])};
    real middle[2] = {R(0.5) * (end[0] + end[2]), R(0.5) * (end[1] + end[3])};
    lane_sincos(turn, &s, &c);
    make_unit(from, 2);
    make_unit(middle, 2);
    out.point[0] = out.point[2] = radius * sel(found, c * from[0] - s * from[1], middle[0]);
    out.point[1] = out.point[3] = radius * sel(found, s * from[0] + c * from[1], middle[1]);
    return out;
}

FN bend choose_bend(mask which, const bend *a, const bend *b) {
    bend out = {.on = (which & a->on) | (not_(which) & b->on), .length = sel(which, a->length, b->length)};
    for (int k = 0; k < 4; k++) out.point[k] = sel(which, a->point[k], b->point[k]);
    return out;
}

// two axes of the plane through the centre of a sphere and two points; any plane where the three are in line
FN void plane_of(const real *p, const real *q, real axis[2][3]) {
    real normal[3], other[3], largest[3];
    copy3(axis[0], p);
    make_unit(axis[0], 3);
    for (int k = 0; k < 3; k++) largest[k] = vabs(axis[0][k]);
    mask y = (largest[1] > largest[0]) & (largest[1] > largest[2]);
    mask z = (largest[2] > largest[0]) & (largest[2] > largest[1]);
    other[0] = sel(y | z, splat(1), splat(0));
    other[1] = sel(y, splat(0), splat(1));
    other[2] = sel(z, splat(0), splat(1));
    cross3(other, axis[0], other);
    cross3(normal, p, q);
    mask in_line = make_unit(normal, 3) < TINY;
    make_unit(other, 3);
    for (int k = 0; k < 3; k++) normal[k] = sel(in_line, other[k], normal[k]);
    cross3(axis[1], normal, axis[0]);
    make_unit(axis[1], 3);
}

// a tendon between two points and what it wraps around: a sphere, or the z axis of a cylinder
typedef struct wrap {
    mask on; // else the path is straight
    real length, first[3], last[3];
} wrap;

FN void into_frame(real *out, const real *pos, const real *mat, const real *point) {
    real offset[3];
    for (int k = 0; k < 3; k++) offset[k] = point[k] - pos[k];
    mat_vec_transposed(out, mat, offset);
}

// side may be null. All points in the world
STAGE void wrap_around(const real *from, const real *to, const real *side, const real *pos, const real *mat,
                       real radius, bool sphere, wrap *out) {
    real p[2][3], axis[2][3], end[4], point[6];
    into_frame(p[0], pos, mat, from);
    into_frame(p[1], pos, mat, to);
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 3; k++) axis[a][k] = splat(k == a);
    if (sphere) plane_of(p[0], p[1], axis);
    for (int s = 0; s < 2; s++)
        for (int a = 0; a < 2; a++) end[2 * s + a] = dot3(p[s], axis[a]);

    bend path = {.on = not_(lane_true())};
    if (side) {
        real s[3], near[2];
        into_frame(s, pos, mat, side);
        for (int a = 0; a < 2; a++) near[a] = dot3(s, axis[a]);
        make_unit(near, 2);
        for (int a = 0; a < 2; a++) near[a] = near[a] * radius;
        mask inside = vsqrt(dot3(s, s)) < radius;
        if (any(inside)) path = bend_inside(end, radius);
        if (any(not_(inside))) {
            // both ways are there only where lanes differ
            const bend around = bend_around(end, near, radius);
            path = any(inside) ? choose_bend(inside, &path, &around) : around;
        }
    } else {
        path = bend_around(end, NULL, radius);
    }
    out->on = path.on & (dot3(p[0], p[0]) >= TINY * TINY) & (dot3(p[1], p[1]) >= TINY * TINY);
    out->length = path.length;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++)
            point[3 * s + k] = axis[0][k] * path.point[2 * s] + axis[1][k] * path.point[2 * s + 1];

    // along a cylinder the path climbs evenly
    if (!sphere) {
        real straight[2], rise = p[1][2] - p[0][2];
        for (int s = 0; s < 2; s++) {
            real d[2] = {p[s][0] - point[3 * s], p[s][1] - point[3 * s + 1]};
            straight[s] = vsqrt(dot2(d, d));
        }
        real whole = vmax(straight[0] + path.length + straight[1], splat(TINY));
        point[2] = p[0][2] + rise * straight[0] / whole;
        point[5] = p[0][2] + rise * (straight[0] + path.length) / whole;
        real height = point[5] - point[2];
        out->length = vsqrt(path.length * path.length + height * height);
    }
    mat_vec(out->first, mat, point);
    mat_vec(out->last, mat, point + 3);
    for (int k = 0; k < 3; k++) {
        out->first[k] = out->first[k] + pos[k];
        out->last[k] = out->last[k] + pos[k];
    }
}
