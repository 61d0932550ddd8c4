// way_out.c - local descent of h(n) = max (A - B).n on the sphere of directions. Where A - B is flat or ruled h has
// creases, and the nearest point of A - B to a point outside finds them; along them and elsewhere Newton is quick.
#include "collide/way_out.h"

#include "collide/slide.h"
#include "geometry/vec3.h"

#define ASIDE   1       // of the sizes: how far apart shapes are held to find their nearest points
#define ENOUGH  1e-11   // of depth and sizes: a smaller gain is none
#define ALONG   0.99999 // cosine: the normal of a cap
#define NEARBY  0.99    // cosine: a cap that may be a shorter way
#define TINY    1e-12   // square of an angle: a direction this near is found by one more Newton step
#define SETTLED 1e-9    // of the sizes: points nearer than this are the same
#define PULLS   6       // projections at most
#define NEWTONS 8       // Newton steps at most
#define STRETCH 64      // a pull that helps is tried up to so many times as long

double tx_way_size(const tx_convex *s) {
    double r[3] = {0, 0, 0};
    if (s->core == TX_CORE_POINTS) {
        v3_sub(r, tx_convex_corner(s, 0), s->centre);
        return v3_length(r) + s->radius;
    }
    int used = s->core == TX_CORE_POINT ? 0 : s->core == TX_CORE_SEGMENT ? 1 : s->core == TX_CORE_CYLINDER ? 2 : 3;
    for (int i = 0; i < used; i++) r[i] = s->size[i];
    return v3_length(r) + s->radius;
}

// one direction tried: kept when it is a shorter way out
static bool try_direction(const tx_difference *d, const double n[3], tx_way *way) {
    double w[3], on_a[3];
    tx_difference_support(d, n, w, on_a);
    double reach = v3_dot(n, w);
    if (!(reach < way->depth)) return false;
    way->depth = reach;
    v3_copy(way->w, w);
    v3_copy(way->normal, n);
    return true;
}

//-------------------------------------------------------------------------------------------------- projections

// With B moved out, and farther, the nearest points: these are the deepest ones when their line is the normal, and else
// that line is a better direction. Returns whether it is
static bool pull(const tx_difference *d, double size, tx_way *way, tx_creases *found) {
    tx_difference moved = *d;
    tx_gjk g;
    double from[3], step[3], n[3], lift = ASIDE * (fabs(way->depth) + size), before = way->depth;
    v3_copy(from, way->normal);
    v3_along(moved.offset, d->offset, from, way->depth + lift);
    v3_scale(n, from, -lift);
    if (tx_gjk_run(&g, &moved, n, INFINITY) != TX_GJK_APART) return false;
    *found = tx_creases_of(d, &g);
    tx_gjk_points(&g, way->on_a, way->on_b);
    v3_along(way->on_b, way->on_b, from, -way->depth - lift);

    // as far as it helps: in a long flat valley one pull is short
    v3_scale(n, g.v, -1 / g.dist);
    v3_sub(step, n, from);
    for (double longer = 2; longer <= STRETCH && try_direction(d, n, way); longer *= 2) {
        v3_along(n, from, step, longer);
        v3_normalise(n);
    }
    return before - way->depth > ENOUGH * (fabs(before) + size);
}

//-------------------------------------------------------------------------------------------------- Newton

// One step along the creases. Downhill where h is not convex there; shorter until it helps. False: there is no more to
// gain
static bool newton_step(const tx_difference *d, double size, const tx_creases *c, tx_way *way) {
    double from[3], w[3], step[3], n[3], before = way->depth, enough = ENOUGH * (fabs(before) + size);
    v3_copy(from, way->normal);
    v3_copy(w, way->w);
    int tries = 1;
    if (!tx_newton_tangent(d, c, from, w, step)) {
        // the part of w that is across neither the direction nor the crease
        v3_along(step, w, from, -before);
        if (c->count) v3_along(step, step, c->along[0], -v3_dot(step, c->along[0]));
        v3_scale(step, step, -1 / (fabs(before) + v3_length(w)));
        tries = 3;
    }
    // so near, rounding of h hides what is gained: as good is good enough
    bool last = tries == 1 && v3_dot(step, step) < TINY;
    if (last) way->depth += enough;
    double promised = -v3_dot(w, step) / 2;
    for (int k = 0; k < tries; k++) {
        v3_add(n, from, step);
        v3_normalise(n);
        if (try_direction(d, n, way)) return !last && promised > enough && before - way->depth > enough;
        v3_scale(step, step, 0.25);
    }
    way->depth = before;
    return false;
}

static void newton(const tx_difference *d, double size, const tx_creases *c, tx_way *way) {
    double n[3];
    v3_copy(n, way->normal);
    tx_creases_straighten(c, n);
    if (c->count) try_direction(d, n, way);
    if (c->count == 2) return;
    for (int k = 0; k < NEWTONS && newton_step(d, size, c, way); k++) {}
}

// Out through a cap the depth is least when the other shape's deepest point is under the cap. Taken when it is no
// longer way out, and within an angle of it (cosine `along`)
static bool take_cap(const tx_difference *d, const tx_convex *s, const double z[3], double along, tx_way *way) {
    double n[3], w[3], on_a[3], on_b[3], side = v3_dot(way->normal, z);
    if (s->core != TX_CORE_CYLINDER || !(fabs(side) > along)) return false;
    v3_scale(n, z, side > 0 ? 1 : -1);
    tx_difference_support(d, n, w, on_a);
    v3_sub(on_b, on_a, w);
    double depth = v3_dot(n, w), across[3];
    if (!(depth <= way->depth)) return false;
    // from the axis to the other shape's point
    if (s == d->a) v3_copy(across, on_b);
    else v3_sub(across, on_a, d->offset);
    v3_along(across, across, z, -v3_dot(across, z));
    if (!(v3_dot(across, across) < s->size[0] * s->size[0])) return false;
    if (s == d->a) v3_along(on_a, on_b, n, depth);
    else v3_along(on_b, on_a, n, -depth);
    way->depth = depth;
    v3_copy(way->normal, n);
    v3_copy(way->w, w);
    v3_copy(way->on_a, on_a);
    v3_copy(way->on_b, on_b);
    return true;
}

static bool take_caps(const tx_difference *d, double along, tx_way *way) {
    static const double own_z[3] = {0, 0, 1};
    double z[3];
    m3_column(z, d->rot, 2);
    bool taken = take_cap(d, d->a, own_z, along, way);
    return take_cap(d, d->b, z, along, way) || taken;
}

// The least depth may be where the sides of `face` say: then its corners, gone there, hold the origin's foot
static bool settle(const tx_difference *d, double size, const tx_gjk *face, tx_way *way) {
    tx_creases c = tx_creases_of(d, face);
    tx_gjk slid;
    double step[3] = {0}, off[3], lift = ASIDE * (fabs(way->depth) + size);
    newton(d, size, &c, way);
    // else a ridge, or not there yet
    if (c.count < 2 && (!tx_newton_tangent(d, &c, way->normal, way->w, step) || v3_dot(step, step) > TINY))
        return false;
    tx_slide_corners(face, d, way->normal, &slid);
    for (int i = 0; i < slid.count; i++) v3_along(slid.w[i], slid.w[i], way->normal, -way->depth - lift);
    slid.dist = INFINITY;
    tx_gjk_nearest(&slid);
    v3_along(off, slid.v, way->normal, lift);
    if (!(v3_length(off) < SETTLED * size)) return false;
    tx_gjk_points(&slid, way->on_a, way->on_b);
    v3_along(way->on_b, way->on_b, way->normal, -way->depth - lift);
    return true;
}

void tx_way_refine(const tx_difference *d, const tx_gjk *face, tx_way *way) {
    double size = tx_way_size(d->a) + tx_way_size(d->b), n[3];
    tx_creases c = {.count = 0};
    v3_copy(n, way->normal);
    v3_zero(way->on_a);
    v3_zero(way->on_b);
    way->depth = INFINITY;
    try_direction(d, n, way);
    if (!take_caps(d, ALONG, way) && !settle(d, size, face, way)) {
        // a pull finds creases and a better direction; the last one finds none, but the points
        for (int k = 0; k < PULLS && pull(d, size, way, &c); k++) newton(d, size, &c, way);
    }
    // caps that look nearly the same way are least depths side by side, too near for EPA to tell
    take_caps(d, NEARBY, way);
}
