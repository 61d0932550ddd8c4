// gjk.c - GJK on signed sub-simplices: of all that hold the newest corner, the one nearest to the origin. |v| falls
// strictly or the search ends, so it never loops; the bound v.w/|v| says how good the answer is.
#include "collide/gjk.h"

#include "collide/slide.h"
#include "geometry/vec3.h"

// overlap is the matter of EPA below this share of the scale
#define TOUCH    1e-11
#define ROUNDING 4e-16
// with fewer corners the sides that take part are seldom known: Newton's steps would be for nothing
#define SLIDE_FROM 3

// the best sub-simplex so far
typedef struct nearest {
    double square, v[3], lambda[3];
    int corner[3], count;
} nearest;

static void try_vertex(const tx_gjk *g, int p, nearest *best) {
    double square = v3_dot(g->w[p], g->w[p]);
    if (!(square < best->square)) return;
    best->square = square;
    v3_copy(best->v, g->w[p]);
    best->lambda[0] = 1;
    best->corner[0] = p;
    best->count = 1;
}

static void try_edge(const tx_gjk *g, int p, int q, nearest *best) {
    double e[3], v[3];
    v3_sub(e, g->w[q], g->w[p]);
    double ee = v3_dot(e, e), t = -v3_dot(e, g->w[p]);
    if (!(t > 0) || !(t < ee)) return;
    t /= ee;
    v3_along(v, g->w[p], e, t);
    double square = v3_dot(v, v);
    if (!(square < best->square)) return;
    *best = (nearest){square, {v[0], v[1], v[2]}, {1 - t, t, 0}, {p, q, 0}, 2};
}

static void try_triangle(const tx_gjk *g, int p, int q, int r, nearest *best) {
    double e[3], f[3], n[3], x[3];
    const double *wp = g->w[p];
    v3_sub(e, g->w[q], wp);
    v3_sub(f, g->w[r], wp);
    v3_cross(n, e, f);
    double nn = v3_dot(n, n);
    if (!(nn > 1e-28 * v3_dot(e, e) * v3_dot(f, f))) return;
    // weights are the areas of the three triangles with the origin's foot
    v3_cross(x, f, wp);
    double lq = v3_dot(n, x);
    v3_cross(x, wp, e);
    double lr = v3_dot(n, x);
    if (!(lq > 0) || !(lr > 0) || !(lq + lr < nn)) return;
    // the foot along the normal: its direction is good even when it is short
    double t = v3_dot(n, wp) / nn, square = t * t * nn;
    if (!(square < best->square)) return;
    lq /= nn;
    lr /= nn;
    *best = (nearest){square, {n[0] * t, n[1] * t, n[2] * t}, {1 - lq - lr, lq, lr}, {p, q, r}, 3};
}

static double volume(const double a[3], const double b[3], const double c[3]) {
    double x[3];
    v3_cross(x, b, c);
    return v3_dot(a, x);
}

// whether the tetrahedron has the origin strictly inside; sets the weights
static bool origin_inside(tx_gjk *g) {
    double e[3][3], part[4];
    for (int i = 0; i < 3; i++) v3_sub(e[i], g->w[i], g->w[3]);
    double all = volume(e[0], e[1], e[2]);
    part[0] = volume(g->w[3], g->w[2], g->w[1]);
    part[1] = volume(g->w[3], g->w[0], g->w[2]);
    part[2] = volume(g->w[3], g->w[1], g->w[0]);
    part[3] = volume(g->w[0], g->w[1], g->w[2]);
    // all parts of one sign fill the whole: that is what inside means
    double sign = all > 0 ? 1 : -1, sum = 0;
    for (int i = 0; i < 4; i++) {
        if (!(sign * part[i] > 0)) return false;
        sum += part[i];
    }
    if (!(fabs(sum - all) <= 1e-6 * fabs(all))) return false;
    for (int i = 0; i < 4; i++) g->lambda[i] = part[i] / sum;
    return true;
}

static void keep(tx_gjk *g, const nearest *best) {
    double w[3][3], a[3][3];
    for (int i = 0; i < best->count; i++) {
        v3_copy(w[i], g->w[best->corner[i]]);
        v3_copy(a[i], g->on_a[best->corner[i]]);
    }
    for (int i = 0; i < best->count; i++) {
        v3_copy(g->w[i], w[i]);
        v3_copy(g->on_a[i], a[i]);
        g->lambda[i] = best->lambda[i];
    }
    g->count = best->count;
    v3_copy(g->v, best->v);
    g->dist = sqrt(best->square);
}

static bool known(const tx_gjk *g, const double w[3]) {
    for (int i = 0; i < g->count; i++)
        if (w[0] == g->w[i][0] && w[1] == g->w[i][1] && w[2] == g->w[i][2]) return true;
    return false;
}

// the sub-simplices whose last corner is p
static void try_all(const tx_gjk *g, int p, nearest *best) {
    try_vertex(g, p, best);
    for (int i = 0; i < p; i++) try_edge(g, p, i, best);
    for (int i = 0; i < p; i++)
        for (int j = i + 1; j < p; j++) try_triangle(g, p, i, j, best);
}

// the nearest sub-simplex that has the newest corner; false when it is no better than before
static bool reduce(tx_gjk *g) {
    nearest best = {.square = INFINITY};
    try_all(g, g->count - 1, &best);
    if (!(best.square < g->dist * g->dist)) return false;
    keep(g, &best);
    return true;
}

bool tx_gjk_nearest(tx_gjk *g) {
    nearest best = {.square = INFINITY};
    for (int p = 0; p < g->count; p++) try_all(g, p, &best);
    if (!(best.square < g->dist * g->dist)) return false;
    keep(g, &best);
    return true;
}

tx_gjk_result tx_gjk_run(tx_gjk *g, const tx_difference *d, const double start[3], double limit) {
    double dir[3], w[3], on_a[3];
    // towards the origin, from a guess or from the line of centres
    v3_scale(dir, start, -1);
    if (!(v3_dot(dir, dir) > 0)) v3_copy(dir, d->offset);
    if (!(v3_dot(dir, dir) > 0)) v3_set(dir, 1, 0, 0);
    tx_difference_support(d, dir, g->w[0], g->on_a[0]);
    g->count = 1;
    g->lambda[0] = 1;
    v3_copy(g->v, g->w[0]);
    g->dist = v3_length(g->v);
    g->scale = g->dist;
    // all of A - B is on this side of its farthest point
    double aside = -v3_dot(dir, g->w[0]) / v3_length(dir);
    g->lower = aside > 0 ? aside : 0;
    g->iterations = 1;
    if (g->lower > limit) {
        v3_scale(g->v, dir, -1);
        return TX_GJK_BEYOND;
    }

    bool smooth = tx_core_is_smooth(d->a->core) || tx_core_is_smooth(d->b->core);
    int slide_at = SLIDE_FROM, wait = 1;
    for (; g->iterations < TX_GJK_ITERATIONS; g->iterations++) {
        if (!(g->dist > TOUCH * g->scale)) return TX_GJK_TOUCH;
        if (smooth && g->lower > 0 && g->iterations >= slide_at && !tx_slide(g, d)) {
            slide_at = g->iterations + wait;
            wait *= 2;
        }
        v3_scale(dir, g->v, -1);
        tx_difference_support(d, dir, w, on_a);
        double size = v3_length(w);
        if (size > g->scale) g->scale = size;

        // every point of A - B is at least this far along v
        double bound = v3_dot(g->v, w) / g->dist;
        if (bound > g->lower) g->lower = bound;
        if (bound > limit) return TX_GJK_BEYOND;
        if (g->dist - bound <= TX_GJK_GAP * g->dist + ROUNDING * g->scale || known(g, w)) break;

        v3_copy(g->w[g->count], w);
        v3_copy(g->on_a[g->count++], on_a);
        if (g->count == 4 && origin_inside(g)) {
            v3_zero(g->v);
            g->dist = 0;
            return TX_GJK_TOUCH;
        }
        if (!reduce(g)) {
            g->count--;
            break;
        }
    }
    return g->dist > TOUCH * g->scale ? TX_GJK_APART : TX_GJK_TOUCH;
}

void tx_gjk_points(const tx_gjk *g, double on_a[3], double on_b[3]) {
    v3_zero(on_a);
    v3_zero(on_b);
    for (int i = 0; i < g->count; i++) {
        v3_along(on_a, on_a, g->on_a[i], g->lambda[i]);
        v3_along(on_b, on_b, g->on_a[i], g->lambda[i]);
        v3_along(on_b, on_b, g->w[i], -g->lambda[i]);
    }
}
