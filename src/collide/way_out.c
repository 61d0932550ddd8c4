// way_out.c - local descent of h(n) = max (A - B).n on the sphere of directions. Where A - B is flat or ruled h has
// creases, and the nearest point of A - B to a point outside finds them; along them and elsewhere Newton is quick.
#include "collide/way_out.h"

#include "collide/gjk.h"
#include "geometry/vec3.h"

#define ASIDE 1  // of the sizes: how far apart shapes are held to find their nearest points
#define CREASE  1e-6  // cosine below which a direction is meant to be across an axis
#define ENOUGH  1e-15 // of the depth: a smaller gain is none
#define SWING   1e-5  // angle of the finite differences [rad]
#define PULLS   6     // projections at most
#define NEWTONS 12    // Newton steps at most
#define STRETCH 64    // a pull that helps is tried up to so many times as long

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

//-------------------------------------------------------------------------------------------------- projections

// With B moved out, and a little farther, the nearest points: these are the deepest ones when their line is the normal,
// and else that line is a better direction. Returns whether it is
static bool pull(tx_difference *d, double size, tx_way *way, double toward[3]) {
    tx_difference moved = *d;
    tx_gjk g;
    double start[3], lift = ASIDE * (fabs(way->depth) + size);
    v3_along(moved.offset, d->offset, way->normal, way->depth + lift);
    v3_scale(start, way->normal, -lift);
    if (tx_gjk_run(&g, &moved, start, INFINITY) != TX_GJK_APART) return false;
    tx_gjk_points(&g, way->on_a, way->on_b);
    v3_along(way->on_b, way->on_b, way->normal, -way->depth - lift);
    v3_scale(toward, g.v, -1 / g.dist);
    double before = way->depth;
    return try_direction(d, toward, way) && before - way->depth > ENOUGH * fabs(before);
}

// pulls, each followed as far as that helps: in a long flat valley one pull is short
static void descend(tx_difference *d, double size, tx_way *way) {
    for (int k = 0; k < PULLS; k++) {
        double from[3], toward[3], step[3], n[3];
        v3_copy(from, way->normal);
        if (!pull(d, size, way, toward)) return;
        v3_sub(step, toward, from);
        for (double longer = 2; longer <= STRETCH; longer *= 2) {
            v3_along(n, from, step, longer);
            v3_normalise(n);
            if (!try_direction(d, n, way)) break;
        }
    }
}

//-------------------------------------------------------------------------------------------------- Newton

// the axes of a shape across which its support function has a crease
static int crease_axes(const tx_convex *s) {
    return s->core == TX_CORE_BOX ? 3 : s->core == TX_CORE_SEGMENT || s->core == TX_CORE_CYLINDER ? 1 : 0;
}

// Axes the direction is across, and puts it exactly across the first. Returns how many, 2 for more
static int creases_at(const tx_difference *d, double n[3], double axis[3]) {
    int found = 0;
    for (int side = 0; side < 2; side++) {
        int axes = crease_axes(side ? d->b : d->a);
        for (int k = 3 - axes; k < 3; k++) {
            double here[3] = {k == 0, k == 1, k == 2};
            if (side) m3_column(here, d->rot, k);
            double along = v3_dot(here, n);
            if (fabs(along) > CREASE) continue;
            if (found++) return 2;
            v3_copy(axis, here);
            v3_along(n, n, here, -along);
            v3_normalise(n);
        }
    }
    return found;
}

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

static void newton(tx_difference *d, tx_way *way) {
    double n[3], axis[3];
    v3_copy(n, way->normal);
    int creases = creases_at(d, n, axis);
    if (creases == 2) return;
    if (creases == 1) try_direction(d, n, way);
    for (int k = 0; k < NEWTONS && newton_step(d, 2 - creases, creases ? axis : (void *)0, way); k++) {}
}

void tx_way_refine(tx_difference *d, tx_way *way) {
    double size = tx_way_size(d->a) + tx_way_size(d->b), toward[3];
    way->depth = INFINITY;
    double n[3];
    v3_copy(n, way->normal);
    v3_zero(way->on_a);
    v3_zero(way->on_b);
    try_direction(d, n, way);
    descend(d, size, way);
    double before = way->depth;
    newton(d, way);
    if (way->depth < before) pull(d, size, way, toward);
}
