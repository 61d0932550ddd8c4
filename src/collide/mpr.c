// mpr.c - MPR: a triangle of supports ("portal") through which the ray from inside A - B passes the origin is moved
// outwards until it is a piece of the surface.
#include "collide/mpr.h"

#include <stddef.h>

#include "geometry/vec3.h"

#define ITERATIONS 128
#define TOLERANCE  1e-10 // of the size of A - B

typedef struct support {
    double w[3], on_a[3], on_b[3];
} support;

typedef struct portal {
    tx_difference d;
    support v[4]; // [0] inside, [1..3] the portal
    double scale;
} portal;

// with the radii, so that touching is where the shapes touch
static support find(portal *p, const double dir[3]) {
    support s;
    double unit[3];
    v3_scale(unit, dir, 1 / v3_length(dir));
    tx_difference_support(&p->d, unit, s.w, s.on_a);
    v3_sub(s.on_b, s.on_a, s.w);
    v3_along(s.on_a, s.on_a, unit, p->d.a->radius);
    v3_along(s.on_b, s.on_b, unit, -p->d.b->radius);
    v3_along(s.w, s.w, unit, p->d.radius);
    double size = v3_length(s.w);
    if (size > p->scale) p->scale = size;
    return s;
}

static void swap(support *a, support *b) {
    support t = *a;
    *a = *b;
    *b = t;
}

// normal of the triangle of three supports; false when they are on a line
static bool normal_of(const support *a, const support *b, const support *c, double n[3]) {
    double e[3], f[3];
    v3_sub(e, b->w, a->w);
    v3_sub(f, c->w, a->w);
    v3_cross(n, e, f);
    double length = v3_length(n);
    if (!(length > 1e-15 * v3_length(e) * v3_length(f)) || !(length > 0)) return false;
    v3_scale(n, n, 1 / length);
    return true;
}

static double triple(const double a[3], const double b[3], const double c[3]) {
    double x[3];
    v3_cross(x, b, c);
    return v3_dot(a, x);
}

static void answer(const portal *p, const double n[3], const support *s, tx_convex_result *out) {
    double depth = v3_dot(n, s->w), mid[3], world[3];
    out->dist = -depth;
    m3_mul(out->normal, p->d.a->mat, n);
    for (int i = 0; i < 3; i++) mid[i] = (s->on_a[i] + s->on_b[i]) / 2;
    m3_mul(world, p->d.a->mat, mid);
    v3_add(world, world, p->d.a->pos);
    v3_along(out->on_a, world, out->normal, depth / 2);
    v3_along(out->on_b, world, out->normal, -depth / 2);
}

// the part of the portal the ray passes, on both sides at once: weights of the origin's ray in the triangle
static void foot(const portal *p, const double n[3], support *s) {
    double l[3], sum = 0;
    l[0] = triple(p->v[0].w, p->v[2].w, p->v[3].w);
    l[1] = triple(p->v[0].w, p->v[3].w, p->v[1].w);
    l[2] = triple(p->v[0].w, p->v[1].w, p->v[2].w);
    double sign = l[0] + l[1] + l[2] > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) {
        l[i] = l[i] * sign > 0 ? l[i] * sign : 0;
        sum += l[i];
    }
    if (!(sum > 0)) return;
    double reach = v3_dot(s->w, n);
    v3_zero(s->on_a);
    v3_zero(s->on_b);
    for (int i = 0; i < 3; i++) {
        v3_along(s->on_a, s->on_a, p->v[i + 1].on_a, l[i] / sum);
        v3_along(s->on_b, s->on_b, p->v[i + 1].on_b, l[i] / sum);
    }
    v3_scale(s->w, n, reach);
}

typedef enum verdict { APART, FOUND, ON_RAY, UNCLEAR } verdict;

// the farthest support along n falls short of the origin. APART only with a proof: by more than rounding
static verdict blocked(const portal *p, double reach, const double n[3]) {
    return reach < -1e-14 * p->scale * v3_length(n) ? APART : UNCLEAR;
}

// finds three supports around the ray from the inside through the origin. ON_RAY: the ray meets the surface in
// support v[1] itself
static verdict discover(portal *p) {
    double n[3];
    support *v = p->v;
    v3_scale(n, v[0].w, -1);
    v[1] = find(p, n);
    if (!(v3_dot(v[1].w, n) > 0)) return blocked(p, v3_dot(v[1].w, n), n);
    v3_cross(n, v[1].w, v[0].w);
    if (!(v3_length(n) > 1e-14 * v3_length(v[1].w) * v3_length(v[0].w))) return ON_RAY;
    v[2] = find(p, n);
    if (!(v3_dot(v[2].w, n) > 0)) return blocked(p, v3_dot(v[2].w, n), n);
    if (!normal_of(&v[0], &v[1], &v[2], n)) return UNCLEAR;
    if (v3_dot(n, v[0].w) > 0) {
        swap(&v[1], &v[2]);
        v3_scale(n, n, -1);
    }
    for (int k = 0; k < ITERATIONS; k++) {
        v[3] = find(p, n);
        if (!(v3_dot(v[3].w, n) > 0)) return blocked(p, v3_dot(v[3].w, n), n);
        // is the origin outside of a side plane? move that side
        if (triple(v[1].w, v[3].w, v[0].w) < 0) {
            v[2] = v[3];
        } else if (triple(v[3].w, v[2].w, v[0].w) < 0) {
            v[1] = v[3];
        } else {
            return FOUND;
        }
        if (!normal_of(&v[0], &v[1], &v[2], n)) return UNCLEAR;
    }
    return UNCLEAR;
}

// moves the portal out; the smallest separating step met is the answer
static verdict refine(portal *p, tx_convex_result *out) {
    bool hit = false;
    double n[3], least = INFINITY;
    support *v = p->v;
    for (int k = 0; k < ITERATIONS; k++) {
        if (!normal_of(&v[1], &v[2], &v[3], n)) break;
        if (v3_dot(n, v[1].w) >= 0) hit = true;
        support s = find(p, n);
        double reach = v3_dot(s.w, n);
        if (reach < 0) return blocked(p, reach, n);
        if (reach < least) {
            least = reach;
            support at = s;
            foot(p, n, &at);
            answer(p, n, &at, out);
        }
        double grown = reach - v3_dot(v[3].w, n);
        if (grown <= TOLERANCE * p->scale) break;
        // which third of the portal s makes has the ray?
        double x[3];
        v3_cross(x, s.w, v[0].w);
        if (v3_dot(v[1].w, x) > 0) {
            v[v3_dot(v[2].w, x) > 0 ? 1 : 3] = s;
        } else {
            v[v3_dot(v[3].w, x) > 0 ? 2 : 1] = s;
        }
    }
    return hit ? FOUND : UNCLEAR;
}

bool tx_mpr_overlap(const tx_convex *a, const tx_convex *b, tx_convex_result *out) {
    *out = (tx_convex_result){0};
    if (!tx_convex_usable(a) || !tx_convex_usable(b)) return false;
    portal p = {.d = tx_difference_of(a, b)};
    double centre[3];
    m3_mul(centre, p.d.rot, b->centre);
    v3_add(centre, centre, p.d.offset);
    v3_sub(p.v[0].w, a->centre, centre);
    v3_copy(p.v[0].on_a, a->centre);
    v3_copy(p.v[0].on_b, centre);
    // centres that coincide: any point inside will do, so one on the way to a support
    const double x[3] = {1, 0, 0};
    support s = find(&p, x);
    if (!(v3_length(p.v[0].w) > 1e-10 * p.scale)) v3_along(p.v[0].w, p.v[0].w, s.w, 1e-5);
    // where squares of lengths vanish there is no direction to go
    verdict found = p.scale > 1 / TX_LONGEST ? discover(&p) : UNCLEAR;
    if (found == ON_RAY) {
        double n[3];
        v3_scale(n, p.v[0].w, -1 / v3_length(p.v[0].w));
        answer(&p, n, &p.v[1], out);
    } else if (found == FOUND) {
        found = refine(&p, out);
    }
    if (found != APART && !v_finite(out->normal, 3)) found = UNCLEAR;
    // touching, or a ray along an edge: GJK decides
    if (found == UNCLEAR) return tx_convex_distance(a, b, 0, out) && out->dist < 0;
    if (found == APART) *out = (tx_convex_result){0};
    return found != APART && v_finite(&out->dist, 1) && v_finite(out->on_a, 3) && v_finite(out->on_b, 3);
}
