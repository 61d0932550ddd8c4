// slide.c - second-order steps for GJK. The sides that take part are those the simplex has corners on: where A - B is
// flat or ruled the direction is across these creases, elsewhere Newton finds it, and the corners follow on their rims.
#include "collide/slide.h"

#include <stddef.h>

#include "geometry/vec3.h"

#define DISTINCT 1e-9  // of the scale: corners nearer than this are one
#define NEWTONS  4     // steps at most
#define SMALL    1e-12 // square of a step after which the next one would be rounding

//-------------------------------------------------------------------------------------------------- creases

static void add_crease(tx_creases *c, const double edge[3], double least) {
    double rest[3];
    v3_copy(rest, edge);
    if (c->count) v3_along(rest, rest, c->along[0], -v3_dot(edge, c->along[0]));
    double length = v3_length(rest);
    if (c->count < 2 && length > least) v3_scale(c->along[c->count++], rest, 1 / length);
}

// what two corners of a simplex tell of a shape: two corners of a polytope span an edge or a face, two heights on a
// cylinder its side; z: its axis, A's frame
static void look_at(tx_creases *c, const tx_convex *s, const double z[3], const double first[3], const double other[3],
                    double least) {
    double edge[3];
    if (s->core == TX_CORE_ELLIPSOID || s->core == TX_CORE_POINT) return;
    v3_sub(edge, other, first);
    if (s->core == TX_CORE_CYLINDER) v3_scale(edge, z, v3_dot(edge, z));
    add_crease(c, edge, least);
}

tx_creases tx_creases_of(const tx_difference *d, const tx_gjk *g) {
    static const double own_z[3] = {0, 0, 1};
    tx_creases c = {.count = 0};
    double first[3], other[3], z[3], least = DISTINCT * g->scale;
    m3_column(z, d->rot, 2);
    v3_sub(first, g->on_a[0], g->w[0]);
    for (int i = 1; i < g->count; i++) {
        look_at(&c, d->a, own_z, g->on_a[0], g->on_a[i], least);
        v3_sub(other, g->on_a[i], g->w[i]);
        look_at(&c, d->b, z, first, other, least);
    }
    return c;
}

void tx_creases_straighten(const tx_creases *c, double n[3]) {
    if (!c->count) return;
    for (int i = 0; i < c->count; i++) v3_along(n, n, c->along[i], -v3_dot(n, c->along[i]));
    v3_normalise(n);
}

//-------------------------------------------------------------------------------------------------- Newton

static void tangents(const tx_creases *c, const double n[3], double t[2][3]) {
    double other[3] = {0};
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    other[least] = 1;
    v3_cross(t[0], n, c->count ? c->along[0] : other);
    v3_normalise(t[0]);
    v3_cross(t[1], n, t[0]);
}

// adds the curvature of a rim about the axis z: its point moves by r / |d across|³ (z x d) ((z x d) . t)
static void add_rim(double radius, const double z[3], const double n[3], double t[2][3], int dims, double hess[2][2]) {
    double u[3], along[2];
    v3_cross(u, z, n);
    double square = v3_dot(u, u), rate = square > 0 ? radius / (square * sqrt(square)) : 0;
    for (int i = 0; i < dims; i++) along[i] = v3_dot(u, t[i]);
    for (int i = 0; i < dims; i++)
        for (int j = i; j < dims; j++) hess[i][j] += rate * along[i] * along[j];
}

// and of an ellipsoid, all in its own frame
static void add_ellipsoid(const tx_convex *s, const double n[3], double t[2][3], int dims, double hess[2][2]) {
    double moved[3];
    for (int i = 0; i < dims && i < 2; i++) {
        tx_ellipsoid_bend(s->size, n, t[i], moved);
        // what is taken off is a ball's share
        v3_along(moved, moved, t[i], -s->eroded);
        for (int j = i; j < dims; j++) hess[i][j] += v3_dot(moved, t[j]);
    }
}

// dw/dn of A - B along the tangents
static void add_bends(const tx_difference *d, const double n[3], double t[2][3], int dims, double hess[2][2]) {
    static const double own_z[3] = {0, 0, 1};
    double z[3], local[3], turned[2][3];
    if (d->a->core == TX_CORE_CYLINDER) add_rim(d->a->size[0], own_z, n, t, dims, hess);
    if (d->a->core == TX_CORE_ELLIPSOID) add_ellipsoid(d->a, n, t, dims, hess);
    if (d->b->core == TX_CORE_CYLINDER) {
        m3_column(z, d->rot, 2);
        add_rim(d->b->size[0], z, n, t, dims, hess);
    }
    if (d->b->core == TX_CORE_ELLIPSOID) {
        m3_mul_transposed(local, d->rot, n);
        for (int i = 0; i < dims; i++) m3_mul_transposed(turned[i], d->rot, t[i]);
        add_ellipsoid(d->b, local, turned, dims, hess);
    }
}

// h has gradient w and Hessian dw/dn - h there
bool tx_newton_tangent(const tx_difference *d, const tx_creases *c, const double n[3], const double w[3],
                       double step[3]) {
    double t[2][3], slope[2] = {0}, s[2], h = v3_dot(n, w);
    double hess[2][2] = {{-h, 0}, {0, -h}};
    int dims = 2 - c->count;
    tangents(c, n, t);
    for (int i = 0; i < dims; i++) slope[i] = v3_dot(w, t[i]);
    add_bends(d, n, t, dims, hess);
    if (dims == 1) {
        if (!(hess[0][0] > 0)) return false;
        v3_scale(step, t[0], -slope[0] / hess[0][0]);
        return true;
    }
    double det = hess[0][0] * hess[1][1] - hess[0][1] * hess[0][1];
    if (!(det > 0) || !(hess[0][0] > 0)) return false;
    s[0] = (hess[0][1] * slope[1] - hess[1][1] * slope[0]) / det;
    s[1] = (hess[0][1] * slope[0] - hess[0][0] * slope[1]) / det;
    v3_scale(step, t[0], s[0]);
    v3_along(step, step, t[1], s[1]);
    return true;
}

//-------------------------------------------------------------------------------------------------- sliding

// the curved sides for one direction, A's frame; a cylinder's without its height
typedef struct sides {
    double a[3], b[3], z[3]; // z: B's axis
    bool curved[2];
} sides;

static sides sides_across(const tx_difference *d, const double n[3]) {
    sides s = {.curved = {tx_core_is_smooth(d->a->core), tx_core_is_smooth(d->b->core)}};
    if (s.curved[0]) tx_core_support(d->a, n, s.a);
    if (s.curved[1]) {
        double back[3], local[3], at[3];
        v3_scale(back, n, -1);
        m3_mul_transposed(local, d->rot, back);
        tx_core_support(d->b, local, at);
        if (d->b->core == TX_CORE_CYLINDER) at[2] = 0;
        m3_mul(s.b, d->rot, at);
        v3_add(s.b, s.b, d->offset);
        m3_column(s.z, d->rot, 2);
    }
    return s;
}

// where corner i of the simplex goes: a cylinder's stays on its cap, a polytope's where it is
static void follow(const tx_gjk *g, int i, const tx_difference *d, const sides *s, double w[3], double on_a[3]) {
    double on_b[3];
    v3_copy(on_a, s->curved[0] ? s->a : g->on_a[i]);
    if (d->a->core == TX_CORE_CYLINDER) on_a[2] = g->on_a[i][2];
    v3_sub(on_b, g->on_a[i], g->w[i]);
    if (d->b->core == TX_CORE_CYLINDER) {
        v3_sub(on_b, on_b, d->offset);
        double height = v3_dot(on_b, s->z) > 0 ? d->b->size[1] : -d->b->size[1];
        v3_along(on_b, s->b, s->z, height);
    } else if (s->curved[1]) {
        v3_copy(on_b, s->b);
    }
    v3_sub(w, on_a, on_b);
}

static bool is_new(const tx_gjk *g, const double w[3]) {
    double apart[3], least = DISTINCT * g->scale;
    for (int i = 0; i < g->count; i++) {
        v3_sub(apart, w, g->w[i]);
        if (!(v3_dot(apart, apart) > least * least)) return false;
    }
    return true;
}

void tx_slide_corners(const tx_gjk *g, const tx_difference *d, const double n[3], tx_gjk *out) {
    sides there = sides_across(d, n);
    out->count = 0;
    out->scale = g->scale;
    for (int i = 0; i < g->count; i++) {
        double w[3], on_a[3];
        follow(g, i, d, &there, w, on_a);
        if (!is_new(out, w)) continue;
        v3_copy(out->w[out->count], w);
        v3_copy(out->on_a[out->count++], on_a);
    }
}

bool tx_slide(tx_gjk *g, const tx_difference *d) {
    tx_creases c = tx_creases_of(d, g);
    double n[3], w[3], on_a[3], step[3];
    v3_scale(n, g->v, -1 / g->dist);
    tx_creases_straighten(&c, n);
    for (int k = 0; k < NEWTONS && c.count < 2; k++) {
        sides here = sides_across(d, n);
        follow(g, 0, d, &here, w, on_a);
        if (!tx_newton_tangent(d, &c, n, w, step)) return false;
        v3_add(n, n, step);
        v3_normalise(n);
        if (v3_dot(step, step) < SMALL) break;
    }
    tx_gjk slid;
    tx_slide_corners(g, d, n, &slid);
    slid.dist = g->dist;
    if (!tx_gjk_nearest(&slid)) return false;
    slid.lower = g->lower;
    slid.iterations = g->iterations;
    *g = slid;
    return true;
}
