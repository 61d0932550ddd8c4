// way_out.c - local descent of h(n) = max (A - B).n on the sphere of directions. Where A - B is flat or ruled h has
// creases, and the nearest point of A - B to a point outside finds them; along them and elsewhere Newton is quick.
#include "collide/way_out.h"

#include <stddef.h>

#include "collide/gjk.h"
#include "geometry/vec3.h"

#define ASIDE    1     // of the sizes: how far apart shapes are held to find their nearest points
#define DISTINCT 1e-9  // of the scale: corners nearer than this are one
#define ENOUGH   1e-11 // of depth and sizes: a smaller gain is none
#define SWING    1e-5  // angle of the finite differences [rad]
#define PULLS    6     // projections at most
#define NEWTONS  8     // Newton steps at most
#define STRETCH  64    // a pull that helps is tried up to so many times as long

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
static bool try_direction(tx_difference *d, const double n[3], tx_way *way) {
    double w[3], on_a[3];
    tx_difference_support(d, n, w, on_a);
    double reach = v3_dot(n, w);
    if (!(reach < way->depth)) return false;
    way->depth = reach;
    v3_copy(way->normal, n);
    return true;
}

//-------------------------------------------------------------------------------------------------- creases

// Flat sides and edges that take part: the direction is across each of these
typedef struct creases {
    double along[2][3]; // unit, A's frame
    int count;          // 2: only one direction is left
} creases;

static void add_crease(creases *c, const double edge[3], double least) {
    double rest[3];
    v3_copy(rest, edge);
    if (c->count) v3_along(rest, rest, c->along[0], -v3_dot(edge, c->along[0]));
    double length = v3_length(rest);
    if (c->count < 2 && length > least) v3_scale(c->along[c->count++], rest, 1 / length);
}

// what two corners of a simplex tell of a shape: two corners of a polytope span an edge or a face, two heights on a
// cylinder its side; z: its axis, A's frame
static void look_at(creases *c, const tx_convex *s, const double z[3], const double first[3], const double other[3],
                    double least) {
    double edge[3];
    v3_sub(edge, other, first);
    if (s->core == TX_CORE_ELLIPSOID) return;
    if (s->core == TX_CORE_CYLINDER) v3_scale(edge, z, v3_dot(edge, z));
    add_crease(c, edge, least);
}

static creases creases_of(const tx_difference *d, const tx_gjk *g) {
    static const double own_z[3] = {0, 0, 1};
    creases c = {.count = 0};
    double first[3], other[3], z[3], least = DISTINCT * g->scale;
    m3_column(z, d->rot, 2);
    for (int i = 1; i < g->count; i++) {
        look_at(&c, d->a, own_z, g->on_a[0], g->on_a[i], least);
        v3_sub(first, g->on_a[0], g->w[0]);
        v3_sub(other, g->on_a[i], g->w[i]);
        look_at(&c, d->b, z, first, other, least);
    }
    return c;
}

//-------------------------------------------------------------------------------------------------- projections

// With B moved out, and farther, the nearest points: these are the deepest ones when their line is the normal, and else
// that line is a better direction. Returns whether it is
static bool pull(tx_difference *d, double size, tx_way *way, creases *found) {
    tx_difference moved = *d;
    tx_gjk g;
    double from[3], step[3], n[3], lift = ASIDE * (fabs(way->depth) + size), before = way->depth;
    v3_copy(from, way->normal);
    v3_along(moved.offset, d->offset, from, way->depth + lift);
    v3_scale(n, from, -lift);
    if (tx_gjk_run(&g, &moved, n, INFINITY, TX_GJK_GAP_SMOOTH) != TX_GJK_APART) return false;
    *found = creases_of(d, &g);
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

static void tangents(const double n[3], const double *axis, double t[2][3]) {
    double other[3] = {0};
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    other[least] = 1;
    v3_cross(t[0], n, axis ? axis : other);
    v3_normalise(t[0]);
    v3_cross(t[1], n, t[0]);
}

// One Newton step in `dims` tangents (1: along a crease): h has gradient w and Hessian dw/dn - h there. Downhill where
// the Hessian is not positive; shorter until it helps
static bool newton_step(tx_difference *d, int dims, const double *axis, tx_way *way) {
    double t[2][3], w[3], at[3], moved[3], n[3], slope[2] = {0}, hess[2][2] = {{1, 0}, {0, 1}}, s[2];
    double from[3], before = way->depth;
    v3_copy(from, way->normal);
    tangents(from, axis, t);
    tx_difference_support(d, from, w, at);
    for (int i = 0; i < dims; i++) {
        slope[i] = v3_dot(w, t[i]);
        v3_along(n, from, t[i], SWING);
        tx_difference_support(d, n, moved, at);
        v3_sub(moved, moved, w);
        for (int j = 0; j < dims; j++) hess[i][j] = v3_dot(moved, t[j]) / SWING;
        hess[i][i] -= way->depth;
    }
    double det = hess[0][0] * hess[1][1] - hess[0][1] * hess[1][0];
    if (det > 0 && hess[0][0] > 0) {
        s[0] = (-hess[1][1] * slope[0] + hess[0][1] * slope[1]) / det;
        s[1] = (-hess[0][0] * slope[1] + hess[1][0] * slope[0]) / det;
    } else {
        s[0] = -slope[0] / (fabs(way->depth) + v3_length(w));
        s[1] = -slope[1] / (fabs(way->depth) + v3_length(w));
    }
    for (int half = 0; half < 8; half++) {
        v3_along(n, from, t[0], s[0]);
        v3_along(n, n, t[1], s[1]);
        v3_normalise(n);
        if (try_direction(d, n, way)) return before - way->depth > ENOUGH * fabs(before);
        s[0] /= 4;
        s[1] /= 4;
    }
    return false;
}

// the direction across all creases that is nearest to n
static void straighten(const creases *c, double n[3]) {
    for (int i = 0; i < c->count; i++) v3_along(n, n, c->along[i], -v3_dot(n, c->along[i]));
    v3_normalise(n);
}

static void newton(tx_difference *d, const creases *c, tx_way *way) {
    double n[3];
    v3_copy(n, way->normal);
    straighten(c, n);
    if (c->count) try_direction(d, n, way);
    if (c->count == 2) return;
    for (int k = 0; k < NEWTONS && newton_step(d, 2 - c->count, c->count ? c->along[0] : NULL, way); k++) {}
}

void tx_way_refine(tx_difference *d, tx_way *way) {
    double size = tx_way_size(d->a) + tx_way_size(d->b), n[3];
    creases c = {.count = 0};
    v3_copy(n, way->normal);
    v3_zero(way->on_a);
    v3_zero(way->on_b);
    way->depth = INFINITY;
    try_direction(d, n, way);
    // a pull finds creases and a better direction; the last one finds none, but the points
    for (int k = 0; k < PULLS && pull(d, size, way, &c); k++) newton(d, &c, way);
}
