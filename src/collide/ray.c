// ray.c - a ray against each shape, in the shape's frame. A convex shape keeps the ray between two points: where it
// enters and where it leaves.
#include "collide/ray.h"

#include "collide/ray_surface.h"
#include "geometry/vec3.h"

// squared sine below which a ray is parallel to an axis or a plane
#define PARALLEL 1e-30

// the part of a ray inside a convex shape, with the outward normals at its two ends (any length); empty: enter > leave
typedef struct passage {
    double enter, leave;
    double in[3], out[3];
} passage;

static const passage MISSED = {.enter = INFINITY, .leave = -INFINITY};

// a t² + 2 b t + c <= 0 between two roots, a > 0; false: nowhere
static bool between_roots(double a, double b, double c, double *enter, double *leave) {
    double square = b * b - a * c;
    if (!(square >= 0)) return false;
    double root = sqrt(square);
    *enter = (-b - root) / a;
    *leave = (-b + root) / a;
    return true;
}

// ---- convex shapes --------------------------------------------------------------------------------------------------

// a ball on the z axis
static passage through_ball(const tx_ray *r, double height, double radius) {
    passage s;
    double p[3] = {r->p[0], r->p[1], r->p[2] - height};
    if (!between_roots(1, v3_dot(p, r->d), v3_dot(p, p) - radius * radius, &s.enter, &s.leave)) return MISSED;
    v3_along(s.in, p, r->d, s.enter);
    v3_along(s.out, p, r->d, s.leave);
    return s;
}

static passage through_sphere(const tx_ray *r, const double size[3]) { return through_ball(r, 0, size[0]); }

// the sphere that the ellipsoid is a stretched image of
static passage through_ellipsoid(const tx_ray *r, const double size[3]) {
    passage s;
    double p[3], d[3];
    for (int k = 0; k < 3; k++) {
        p[k] = r->p[k] / size[k];
        d[k] = r->d[k] / size[k];
    }
    if (!between_roots(v3_dot(d, d), v3_dot(p, d), v3_dot(p, p) - 1, &s.enter, &s.leave)) return MISSED;
    for (int k = 0; k < 3; k++) {
        s.in[k] = (p[k] + s.enter * d[k]) / size[k];
        s.out[k] = (p[k] + s.leave * d[k]) / size[k];
    }
    return s;
}

// a round tube without ends along z
static passage through_tube(const tx_ray *r, double radius) {
    const double *p = r->p, *d = r->d;
    double a = d[0] * d[0] + d[1] * d[1], c = p[0] * p[0] + p[1] * p[1] - radius * radius;
    passage s = {.enter = -INFINITY, .leave = INFINITY};
    if (a < PARALLEL) return c <= 0 ? s : MISSED;
    if (!between_roots(a, p[0] * d[0] + p[1] * d[1], c, &s.enter, &s.leave)) return MISSED;
    v3_set(s.in, p[0] + s.enter * d[0], p[1] + s.enter * d[1], 0);
    v3_set(s.out, p[0] + s.leave * d[0], p[1] + s.leave * d[1], 0);
    return s;
}

// the tube where it lies between the end balls, else a ball
static passage through_capsule(const tx_ray *r, const double size[3]) {
    double radius = size[0], half = size[1];
    passage s = through_tube(r, radius);
    if (!(s.enter <= s.leave)) return MISSED;
    double first = r->p[2] + s.enter * r->d[2], last = r->p[2] + s.leave * r->d[2];
    if (fabs(first) > half) {
        passage ball = through_ball(r, first > 0 ? half : -half, radius);
        s.enter = ball.enter;
        v3_copy(s.in, ball.in);
    }
    if (fabs(last) > half) {
        passage ball = through_ball(r, last > 0 ? half : -half, radius);
        s.leave = ball.leave;
        v3_copy(s.out, ball.out);
    }
    return s;
}

// what is left of a passage between the two planes at +-half of an axis
static void clip_to_slab(const tx_ray *r, int axis, double half, passage *s) {
    double p = r->p[axis], d = r->d[axis];
    if (d * d < PARALLEL) {
        if (fabs(p) > half) *s = MISSED;
        return;
    }
    double side = d > 0 ? 1 : -1, enter = (-side * half - p) / d, leave = (side * half - p) / d;
    if (enter > s->enter) {
        s->enter = enter;
        v3_zero(s->in);
        s->in[axis] = -side;
    }
    if (leave < s->leave) {
        s->leave = leave;
        v3_zero(s->out);
        s->out[axis] = side;
    }
}

static passage through_cylinder(const tx_ray *r, const double size[3]) {
    passage s = through_tube(r, size[0]);
    clip_to_slab(r, 2, size[1], &s);
    return s;
}

static passage through_box(const tx_ray *r, const double size[3]) {
    passage s = {.enter = -INFINITY, .leave = INFINITY};
    for (int k = 0; k < 3; k++) clip_to_slab(r, k, size[k], &s);
    return s;
}

typedef passage through(const tx_ray *r, const double size[3]);
static through *const CONVEX[TX_GEOM_COUNT] = {
    [TX_GEOM_SPHERE] = through_sphere,     [TX_GEOM_CAPSULE] = through_capsule, [TX_GEOM_ELLIPSOID] = through_ellipsoid,
    [TX_GEOM_CYLINDER] = through_cylinder, [TX_GEOM_BOX] = through_box,
};

static bool meet_convex(through *shape, const tx_ray *r, const double size[3], double *t, double normal[3]) {
    passage s = shape(r, size);
    if (!(s.enter <= s.leave) || !(s.leave >= r->low)) return false;
    bool outside = s.enter >= r->low;
    *t = outside ? s.enter : s.leave;
    v3_copy(normal, outside ? s.in : s.out);
    if (!isfinite(*t)) return false;

    // once more from there: what the first answer lost to large numbers
    tx_ray near = *r;
    v3_along(near.p, r->p, r->d, *t);
    s = shape(&near, size);
    double rest = outside ? s.enter : s.leave;
    if (s.enter <= s.leave && fabs(rest) <= 1e-6 * fabs(*t)) {
        *t += rest;
        v3_copy(normal, outside ? s.in : s.out);
    }
    return true;
}

// ---- planes ---------------------------------------------------------------------------------------------------------

// a rectangle, or endless where a size is not positive
static bool meet_plane(const tx_ray *r, const double size[3], double *t, double normal[3]) {
    if (!(r->d[2] < 0) || r->d[2] * r->d[2] < PARALLEL) return false;
    *t = -r->p[2] / r->d[2];
    v3_set(normal, 0, 0, 1);
    for (int k = 0; k < 2; k++)
        if (size[k] > 0 && !(fabs(r->p[k] + *t * r->d[k]) <= size[k])) return false;
    return *t >= r->low;
}

// ---- all shapes -----------------------------------------------------------------------------------------------------

static bool meet(const tx_shape *shape, const tx_ray *r, double *t, double normal[3]) {
    if (CONVEX[shape->type]) return meet_convex(CONVEX[shape->type], r, shape->size, t, normal);
    if (!shape->asset) return false;
    return shape->type == TX_GEOM_HFIELD ? tx_ray_heights(r, &shape->asset->heights, t, normal)
                                         : tx_ray_triangles(r, shape->asset, t, normal);
}

double tx_ray_shape(const tx_shape *shape, const double origin[3], const double direction[3], double normal[3]) {
    tx_ray r = {.low = 0};
    double offset[3], local[3], t = 0;
    v3_sub(offset, origin, shape->pos);
    m3_mul_transposed(r.p, shape->mat, offset);
    m3_mul_transposed(r.d, shape->mat, direction);

    bool met = false;
    if (shape->type == TX_GEOM_PLANE) {
        met = meet_plane(&r, shape->size, &t, local);
    } else {
        // start where the ray is nearest to the centre: the numbers are as small as the shape, however far it is
        double nearest = -v3_dot(r.p, r.d);
        v3_along(r.p, r.p, r.d, nearest);
        r.low = -nearest;
        met = meet(shape, &r, &t, local);
        if (met) t += nearest;
    }
    if (!met) return -1;
    m3_mul(normal, shape->mat, local);
    v3_normalise(normal);
    return t > 0 ? t : 0;
}
