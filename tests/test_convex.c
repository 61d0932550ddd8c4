// test_convex.c - convex pairs (B2, R17): GJK, EPA and MPR against every face of the Minkowski difference and against
// closed forms; manifolds. TX_SOAK=1 in the environment runs 1e5 pairs instead of 1,000.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "collide/convex.h"
#include "collide/cylinder_way.h"
#include "collide/manifold.h"
#include "collide/mpr.h"
#include "collide/planes.h"
#include "collide/slide.h"
#include "geometry/hull.h"
#include "geometry/vec3.h"

typedef long double num;

// ---- numbers
// ---------------------------------------------------------------------------------------------------------

static uint64_t seed = 1;
static double uniform(void) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t x = seed ^ seed >> 29;
    return (double)(x * 0x9E3779B97F4A7C15ull >> 11) / 9007199254740992.0;
}
static double between(double lo, double hi) { return lo + (hi - lo) * uniform(); }
static int below(int n) { return (int)(uniform() * n); }
static double power(double lo, double hi) { return pow(10, between(lo, hi)); }

static void random_unit(double v[3]) {
    do {
        for (int i = 0; i < 3; i++) v[i] = between(-1, 1);
    } while (v3_dot(v, v) > 1 || v3_dot(v, v) < 1e-4);
    v3_normalise(v);
}

static void random_rotation(double m[9]) {
    double x[3], y[3], z[3];
    random_unit(z);
    random_unit(y);
    v3_cross(x, y, z);
    if (v3_length(x) < 1e-3) v3_set(x, -z[1], z[0], 0);
    if (v3_length(x) < 1e-3) v3_set(x, 1, 0, 0);
    v3_normalise(x);
    v3_cross(y, z, x);
    for (int i = 0; i < 3; i++) {
        m[3 * i] = x[i];
        m[3 * i + 1] = y[i];
        m[3 * i + 2] = z[i];
    }
}

// seconds of this thread
static double cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int pair_count(void) { return getenv("TX_SOAK") ? 100000 : 1000; }

typedef struct errors {
    double worst, sum;
    int count, bad;
} errors;
static void note(errors *e, double error, double allowed) {
    if (!(error <= e->worst)) e->worst = error;
    e->sum += error;
    e->count++;
    if (!(error <= allowed)) e->bad++;
}
static void report(const char *what, const errors *e) {
    print_message("  %-34s %7d pairs, relative error: worst %.1e, mean %.1e, failures %d\n", what, e->count, e->worst,
                  e->count ? e->sum / e->count : 0, e->bad);
}

// ---- polytopes and their oracle
// --------------------------------------------------------------------------------------

#define MAX_POINTS 48
typedef struct polytope {
    double points[MAX_POINTS][3];
    num world[MAX_POINTS][3]; // corners of the hull
    int count, corners, face_count, edge_count;
    int face[2 * MAX_POINTS][3], edge[3 * MAX_POINTS][2];
    int first[MAX_POINTS + 1], neighbour[6 * MAX_POINTS], vertex[MAX_POINTS];
    double size; // largest distance from the centre
    tx_convex shape;
} polytope;

static num dotl(const num a[3], const num b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void subl(num out[3], const num a[3], const num b[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}
static void crossl(num out[3], const num a[3], const num b[3]) {
    num x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

// the corners where the double pose puts them, in long double
static void place(polytope *p) {
    for (int k = 0; k < p->corners; k++) {
        const double *x = p->points[p->vertex[k]];
        for (int i = 0; i < 3; i++) {
            p->world[k][i] = p->shape.pos[i];
            for (int j = 0; j < 3; j++) p->world[k][i] += (num)p->shape.mat[3 * i + j] * x[j];
        }
    }
}

// points in a ball or the corners of a box; thin: a sliver. Some points twice
static bool random_polytope(polytope *p, double size, double thin, bool box, int count) {
    double stretch[3] = {1, 1, 1};
    stretch[below(3)] = thin;
    if (thin < 1 && below(3) == 0) stretch[below(3)] = thin;
    if (box) count = 8;
    p->count = count;
    for (int k = 0; k < count; k++) {
        random_unit(p->points[k]);
        double r = below(2) ? 1 : cbrt(uniform());
        for (int i = 0; i < 3; i++) {
            if (box) p->points[k][i] = k >> i & 1 ? 1 : -1;
            p->points[k][i] *= size * stretch[i] * (box ? 0.6 : r);
        }
    }
    if (!box && below(4) == 0)
        for (int k = count / 2; k < count && k >= 4; k += 2) v3_copy(p->points[k], p->points[k - 4]);
    tx_hull hull;
    if (tx_hull_build(&hull, &p->points[0][0], count, 0) != TX_HULL_OK) return false;
    p->corners = hull.vertex_count;
    p->face_count = hull.face_count;
    memcpy(p->vertex, hull.vertex, sizeof(int) * (size_t)hull.vertex_count);
    memcpy(p->face, hull.face, sizeof(int) * 3 * (size_t)hull.face_count);
    memcpy(p->first, hull.first, sizeof(int) * (size_t)(hull.vertex_count + 1));
    memcpy(p->neighbour, hull.neighbour, sizeof(int) * 3 * (size_t)hull.face_count);
    p->edge_count = 0;
    for (int f = 0; f < p->face_count; f++)
        for (int i = 0; i < 3; i++) {
            int a = p->face[f][i], b = p->face[f][(i + 1) % 3];
            if (a < b) {
                p->edge[p->edge_count][0] = a;
                p->edge[p->edge_count++][1] = b;
            }
        }
    tx_hull_free(&hull);
    p->size = 0;
    for (int k = 0; k < count; k++) p->size = fmax(p->size, v3_length(p->points[k]));
    memset(&p->shape, 0, sizeof p->shape);
    // with edges, without edges, or all points as they came
    int form = below(3);
    if (form == 0) tx_convex_points(&p->shape, &p->points[0][0], p->count, NULL, NULL, NULL);
    if (form == 1) tx_convex_points(&p->shape, &p->points[0][0], p->corners, p->vertex, NULL, NULL);
    if (form == 2) tx_convex_points(&p->shape, &p->points[0][0], p->corners, p->vertex, p->first, p->neighbour);
    random_rotation(p->shape.mat);
    return true;
}

// h(n) = max over A - B of n, for a vector of any length; the least is kept with its direction
static void try_direction(const polytope *a, const polytope *b, const num n[3], num *least, num at[3]) {
    num square = dotl(n, n);
    if (!(square > 0)) return;
    num length = sqrtl(square), most = -INFINITY, low = INFINITY;
    for (int k = 0; k < a->corners; k++) most = fmaxl(most, dotl(a->world[k], n));
    for (int k = 0; k < b->corners; k++) low = fminl(low, dotl(b->world[k], n));
    if (!((most - low) / length < *least)) return;
    *least = (most - low) / length;
    for (int i = 0; i < 3; i++) at[i] = n[i] / length;
}

static void face_directions(const polytope *of, num sign, const polytope *a, const polytope *b, num *least, num at[3]) {
    for (int f = 0; f < of->face_count; f++) {
        num e[3], g[3], n[3];
        subl(e, of->world[of->face[f][1]], of->world[of->face[f][0]]);
        subl(g, of->world[of->face[f][2]], of->world[of->face[f][0]]);
        crossl(n, e, g);
        for (int i = 0; i < 3; i++) n[i] *= sign;
        try_direction(a, b, n, least, at);
    }
}

static num segment_distance(const num p1[3], const num q1[3], const num p2[3], const num q2[3], num out[3]) {
    num d1[3], d2[3], r[3];
    subl(d1, q1, p1);
    subl(d2, q2, p2);
    subl(r, p1, p2);
    num a = dotl(d1, d1), e = dotl(d2, d2), f = dotl(d2, r), c = dotl(d1, r), b = dotl(d1, d2);
    num det = a * e - b * b, s = det > 0 ? (b * f - c * e) / det : 0;
    s = fminl(1, fmaxl(0, s));
    num t = e > 0 ? (b * s + f) / e : 0;
    if (t < 0 || t > 1) {
        t = t < 0 ? 0 : 1;
        s = a > 0 ? fminl(1, fmaxl(0, (b * t - c) / a)) : 0;
    }
    for (int i = 0; i < 3; i++) out[i] = p2[i] + t * d2[i] - p1[i] - s * d1[i];
    return sqrtl(dotl(out, out));
}

// the foot of a point on a triangle when it is inside; edges are looked at elsewhere
static num inner_distance(const num x[3], const polytope *p, int f, num out[3]) {
    const num *v[3] = {p->world[p->face[f][0]], p->world[p->face[f][1]], p->world[p->face[f][2]]};
    num e[3], g[3], n[3], r[3], c[3];
    subl(e, v[1], v[0]);
    subl(g, v[2], v[0]);
    crossl(n, e, g);
    for (int i = 0; i < 3; i++) {
        subl(e, v[(i + 1) % 3], v[i]);
        subl(r, x, v[i]);
        crossl(c, e, r);
        if (dotl(c, n) < 0) return INFINITY;
    }
    subl(r, x, v[0]);
    num t = dotl(r, n) / dotl(n, n);
    for (int i = 0; i < 3; i++) out[i] = t * n[i];
    return fabsl(t) * sqrtl(dotl(n, n));
}

// signed distance and normal from a to b, by every face and every pair of edges
static num oracle(const polytope *a, const polytope *b, num normal[3]) {
    num least = INFINITY, v[3], best[3] = {0};
    face_directions(a, 1, a, b, &least, normal);
    face_directions(b, -1, a, b, &least, normal);
    for (int i = 0; i < a->edge_count; i++)
        for (int j = 0; j < b->edge_count; j++) {
            num e[3], g[3], n[3];
            subl(e, a->world[a->edge[i][1]], a->world[a->edge[i][0]]);
            subl(g, b->world[b->edge[j][1]], b->world[b->edge[j][0]]);
            crossl(n, e, g);
            try_direction(a, b, n, &least, normal);
            for (int k = 0; k < 3; k++) n[k] = -n[k];
            try_direction(a, b, n, &least, normal);
        }
    if (least >= 0) return -least;

    // apart: the nearest features
    num dist = INFINITY;
    for (int k = 0; k < a->corners; k++)
        for (int f = 0; f < b->face_count; f++) {
            num d = inner_distance(a->world[k], b, f, v);
            if (d < dist) {
                dist = d;
                for (int i = 0; i < 3; i++) best[i] = -v[i];
            }
        }
    for (int k = 0; k < b->corners; k++)
        for (int f = 0; f < a->face_count; f++) {
            num d = inner_distance(b->world[k], a, f, v);
            if (d < dist) {
                dist = d;
                for (int i = 0; i < 3; i++) best[i] = v[i];
            }
        }
    for (int i = 0; i < a->edge_count; i++)
        for (int j = 0; j < b->edge_count; j++) {
            num d = segment_distance(a->world[a->edge[i][0]], a->world[a->edge[i][1]], b->world[b->edge[j][0]],
                                     b->world[b->edge[j][1]], v);
            if (d < dist) {
                dist = d;
                for (int k = 0; k < 3; k++) best[k] = v[k];
            }
        }
    for (int i = 0; i < 3; i++) normal[i] = dist > 0 ? best[i] / dist : normal[i];
    return dist;
}

// ---- B2: polytopes
// ---------------------------------------------------------------------------------------------------

static void check_mpr(const tx_convex *a, const tx_convex *b, double dist, double size, errors *verdict,
                      errors *separates) {
    tx_convex_result mpr, after;
    bool hit = tx_mpr_overlap(a, b, &mpr);
    if (fabs(dist) > 1e-6 * size) note(verdict, hit != (dist < 0), 0.5);
    if (!hit || !(dist < 0)) return;
    tx_convex moved = *b;
    v3_along(moved.pos, moved.pos, mpr.normal, -mpr.dist);
    assert_true(tx_convex_distance(a, &moved, INFINITY, &after));
    note(separates, fmax(fmax(0, -after.dist), fmax(0, mpr.dist - dist)) / size, 1e-6);
}

static void random_pair(polytope *a, polytope *b, int kind) {
    double size_a = kind == 2 ? power(-2, 2) : 1, size_b = kind == 2 ? size_a * power(-4, 4) : power(-0.5, 0.5);
    if (kind == 2) size_b = fmin(fmax(size_b, 1e-4 * size_a), 1e4 * size_a);
    while (!random_polytope(a, size_a, kind == 1 ? power(-6, 0) : 1, below(4) == 0, 4 + below(11))) {}
    while (!random_polytope(b, size_b, kind == 1 && below(2) ? power(-6, 0) : 1, below(4) == 0, 4 + below(11))) {}
    // the same box twice, axes parallel: every face and edge degenerate
    if (kind == 3) {
        while (!random_polytope(a, 1, 1, true, 8)) {}
        *b = *a;
        b->shape.points = &b->points[0][0];
        if (b->shape.vertex) b->shape.vertex = b->vertex;
        if (b->shape.first) {
            b->shape.first = b->first;
            b->shape.neighbour = b->neighbour;
        }
    }
    double away[3];
    random_unit(away);
    if (kind == 3 && below(2)) v3_set(away, a->shape.mat[0], a->shape.mat[3], a->shape.mat[6]);
    for (int i = 0; i < 3; i++) a->shape.pos[i] = between(-1, 1) * size_a;
    double reach = below(3) ? between(0, 1.2) : below(4) ? between(0, 0.2) : 0;
    v3_along(b->shape.pos, a->shape.pos, away, reach * (a->size + b->size));
    place(a);
    place(b);
}

static void polytopes(void **state) {
    static const char *kinds[4] = {"round", "slivers", "size ratio 1e-4..1e4", "equal boxes"};
    errors apart[4] = {{0}}, deep[4] = {{0}}, touching = {0}, normals = {0}, verdict = {0}, separates = {0};
    static polytope a, b;
    double gjk_ns = 0, epa_ns = 0;
    int gjk_count = 0, epa_count = 0;
    for (int k = 0; k < pair_count(); k++) {
        seed = 1000 + (uint64_t)k;
        int kind = k % 4;
        random_pair(&a, &b, kind);
        num normal[3];
        num truth = oracle(&a, &b, normal);
        bool touch = below(4) == 0;
        if (touch) {
            for (int i = 0; i < 3; i++) b.shape.pos[i] -= (double)(truth * normal[i]);
            place(&b);
            truth = oracle(&a, &b, normal);
        }
        double size = fmin(a.size, b.size);
        tx_convex_result r;
        double begin = cpu_time();
        assert_true(tx_convex_distance(&a.shape, &b.shape, INFINITY, &r));
        double took = 1e9 * (cpu_time() - begin);
        *(r.epa ? &epa_ns : &gjk_ns) += took;
        ++*(r.epa ? &epa_count : &gjk_count);
        double error = (double)fabsl(r.dist - truth) / size;
        if (!(error <= 1e-6))
            print_message("pair %d (%s): %.9g, should be %.9Lg, size %g, gap %g, gjk %d, epa %d\n", k, kinds[kind],
                          r.dist, truth, size, r.gap, r.gjk, r.epa);
        note(touch ? &touching : truth < 0 ? &deep[kind] : &apart[kind], error, 1e-6);
        // apart the normal is unique
        if (truth > 1e-3 * size) {
            num dot = 0;
            for (int i = 0; i < 3; i++) dot += r.normal[i] * normal[i];
            note(&normals, (double)(1 - dot), 1e-8);
        }
        check_mpr(&a.shape, &b.shape, (double)truth, size, &verdict, &separates);
    }
    for (int i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s, apart", kinds[i]);
        report(line, &apart[i]);
        snprintf(line, sizeof line, "%s, deep", kinds[i]);
        report(line, &deep[i]);
    }
    report("touching", &touching);
    report("normal (1 - cos)", &normals);
    report("MPR verdict", &verdict);
    report("MPR separates", &separates);
    print_message("  GJK %.0f ns, GJK + EPA %.0f ns a pair\n", gjk_ns / gjk_count, epa_ns / epa_count);
    int bad = touching.bad + normals.bad + verdict.bad + separates.bad;
    for (int i = 0; i < 4; i++) bad += apart[i].bad + deep[i].bad;
    assert_int_equal(bad, 0);
}

// ---- B2 and R17: smooth shapes in closed form
// ------------------------------------------------------------------------

// distance of a point to the surface of an ellipsoid, negative inside: the nearest point is s^2 x / (s^2 + t), and t
// the largest root of sum (s x / (s^2 + t))^2 = 1
static double ellipsoid_distance(const double s[3], const double x[3]) {
    int least = s[0] < s[1] ? (s[0] < s[2] ? 0 : 2) : (s[1] < s[2] ? 1 : 2);
    if (v3_length(x) < 1e-12 * s[least]) return -s[least]; // the centre
    num lo = -(num)s[least] * s[least] + (num)s[least] * fabs(x[least]), hi = 0;
    for (int i = 0; i < 3; i++) hi += (num)s[i] * s[i] * x[i] * x[i];
    hi = sqrtl(hi);
    for (int k = 0; k < 200; k++) {
        num t = (lo + hi) / 2, g = 0;
        for (int i = 0; i < 3; i++) g += powl(s[i] * x[i] / ((num)s[i] * s[i] + t), 2);
        *(g > 1 ? &lo : &hi) = t;
    }
    num square = 0, inside = 0;
    for (int i = 0; i < 3; i++) {
        num y = (num)s[i] * s[i] * x[i] / ((num)s[i] * s[i] + hi);
        square += (y - x[i]) * (y - x[i]);
        inside += powl(x[i] / (num)s[i], 2);
    }
    return (double)(inside < 1 ? -sqrtl(square) : sqrtl(square));
}

// a point against the other core, in its frame
static double point_distance(const tx_convex *s, const double x[3]) {
    double q[3];
    if (s->core == TX_CORE_ELLIPSOID) return ellipsoid_distance(s->size, x);
    if (s->core == TX_CORE_CYLINDER) {
        double across = hypot(x[0], x[1]) - s->size[0], along = fabs(x[2]) - s->size[1];
        return across > 0 && along > 0 ? hypot(across, along) : fmax(across, along);
    }
    if (s->core == TX_CORE_SEGMENT) {
        v3_set(q, x[0], x[1], x[2] - v3_clamp(x[2], -s->size[0], s->size[0]));
        return v3_length(q);
    }
    if (s->core == TX_CORE_POINT) return v3_length(x);
    double inside = -INFINITY;
    for (int i = 0; i < 3; i++) {
        inside = fmax(inside, fabs(x[i]) - s->size[i]);
        q[i] = fmax(0, fabs(x[i]) - s->size[i]);
    }
    return inside > 0 ? v3_length(q) : inside;
}

static tx_convex random_smooth(tx_core core, double size) {
    tx_convex s = {.core = core};
    for (int i = 0; i < 3; i++) s.size[i] = size * between(0.2, 1);
    if (core == TX_CORE_POINT || core == TX_CORE_SEGMENT) s.radius = size * between(0.1, 1);
    for (int i = 0; i < 3; i++) s.pos[i] = size * between(-1, 1);
    random_rotation(s.mat);
    return s;
}

static void balls_in_closed_form(void **state) {
    errors all[5] = {{0}}, verdict = {0}, separates = {0};
    static const char *names[5] = {"ball - ball", "ball - capsule", "ball - box", "ball - cylinder",
                                   "ball - ellipsoid"};
    double ns[5] = {0};
    for (int k = 0; k < pair_count(); k++) {
        seed = 5000000 + (uint64_t)k;
        int kind = k % 5;
        double ratio = below(2) ? 1 : power(-4, 4);
        tx_convex ball = random_smooth(TX_CORE_POINT, ratio), other = random_smooth((tx_core)kind, 1);
        double away[3], offset[3], local[3];
        random_unit(away);
        double reach = below(2) ? between(0, 1) : below(5) ? between(1, 3) : 0;
        v3_along(ball.pos, other.pos, away, reach * (below(3) ? 1 : 1 + ball.radius));
        v3_sub(offset, ball.pos, other.pos);
        m3_mul_transposed(local, other.mat, offset);
        double truth = point_distance(&other, local) - ball.radius - other.radius;
        bool swap = below(2);
        tx_convex_result r;
        double begin = cpu_time();
        assert_true(tx_convex_distance(swap ? &other : &ball, swap ? &ball : &other, INFINITY, &r));
        ns[kind] += 1e9 * (cpu_time() - begin);
        double size = fmin(ratio, 1) * 0.1;
        double error = fabs(r.dist - truth) / size;
        if (!(error <= 1e-6))
            print_message("pair %d (%s): %.12g, should be %.12g, size %g, gap %g, gjk %d, epa %d\n", k, names[kind],
                          r.dist, truth, size, r.gap, r.gjk, r.epa);
        note(&all[kind], error, 1e-6);
        check_mpr(swap ? &other : &ball, swap ? &ball : &other, truth, size, &verdict, &separates);
    }
    int bad = verdict.bad + separates.bad;
    for (int i = 0; i < 5; i++) {
        report(names[i], &all[i]);
        print_message("    %.0f ns\n", ns[i] / all[i].count);
        bad += all[i].bad;
    }
    report("MPR verdict", &verdict);
    report("MPR separates", &separates);
    assert_int_equal(bad, 0);
}

// R17: the closed forms of the narrow phase and GJK agree on spheres and capsules
static void capsules_analytic(void **state) {
    errors all = {0};
    for (int k = 0; k < pair_count(); k++) {
        seed = 9000000 + (uint64_t)k;
        double size[2][3], pos[2][3], mat[2][9];
        tx_shape shape[2];
        for (int i = 0; i < 2; i++) {
            size[i][0] = between(0.05, 0.5);
            size[i][1] = between(0.05, 1);
            for (int j = 0; j < 3; j++) pos[i][j] = between(-1, 1);
            random_rotation(mat[i]);
            shape[i] = (tx_shape){i < k % 3 ? TX_GEOM_CAPSULE : TX_GEOM_SPHERE, size[i], pos[i], mat[i], NULL};
        }
        if (shape[0].type > shape[1].type) {
            tx_shape t = shape[0];
            shape[0] = shape[1];
            shape[1] = t;
        }
        tx_hit hits[TX_MAX_HITS];
        tx_convex a, b;
        tx_convex_result r;
        assert_int_equal(tx_pair_function(shape[0].type, shape[1].type)(&shape[0], &shape[1], 100, hits), 1);
        assert_true(tx_convex_from_shape(&a, &shape[0]) && tx_convex_from_shape(&b, &shape[1]));
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        double mid[3], error = fabs(r.dist - hits[0].dist);
        for (int i = 0; i < 3; i++) {
            mid[i] = (r.on_a[i] + r.on_b[i]) / 2;
            // place and normal follow the distance's square root
            error = fmax(error, 1e-3 * fabs(mid[i] - hits[0].pos[i]));
            error = fmax(error, 1e-3 * fabs(r.normal[i] - hits[0].normal[i]));
        }
        note(&all, error, 1e-9);
    }
    report("R17 capsule, sphere", &all);
    assert_int_equal(all.bad, 0);
}

// ---- any smooth pair: what the answer claims, proved by the supports
// ------------------------------------------------------

static double reach_along(const tx_convex *a, const tx_convex *b, const double n[3]) {
    double local[3], x[3], back[3];
    m3_mul_transposed(local, a->mat, n);
    tx_core_support(a, local, x);
    double most = v3_dot(x, local) + v3_dot(a->pos, n) + a->radius;
    v3_scale(back, n, -1);
    m3_mul_transposed(local, b->mat, back);
    tx_core_support(b, local, x);
    return most + v3_dot(x, local) - v3_dot(b->pos, n) + b->radius;
}

// the shortest way out of many: near a direction and far from it
static double least_around(const tx_convex *a, const tx_convex *b, const double normal[3]) {
    double least = INFINITY;
    for (int i = 0; i < 300; i++) {
        double n[3], other[3];
        random_unit(other);
        v3_along(n, normal, other, i < 100 ? 10 : power(-6, 0));
        v3_normalise(n);
        least = fmin(least, reach_along(a, b, n));
    }
    return least;
}

// Two cylinders that stand in each other nearly upright: both caps are least depths, side by side
static void caps_side_by_side(void **state) {
    errors deep = {0};
    for (int k = 0; k < pair_count(); k++) {
        seed = 17000000 + (uint64_t)k;
        tx_convex a = random_smooth(TX_CORE_CYLINDER, 1), b = random_smooth(TX_CORE_CYLINDER, 1);
        double x[3], y[3], z[3], za[3], tilt[3], away[3], size = 0.1;
        m3_column(za, a.mat, 2);
        random_unit(tilt);
        v3_along(z, za, tilt, power(-5, -1));
        v3_normalise(z);
        v3_cross(x, z, tilt);
        v3_normalise(x);
        v3_cross(y, z, x);
        for (int i = 0; i < 3; i++) b.mat[3 * i] = x[i], b.mat[3 * i + 1] = y[i], b.mat[3 * i + 2] = z[i];
        random_unit(away);
        v3_along(b.pos, a.pos, za, (a.size[1] + b.size[1]) * between(0.5, 1));
        v3_along(b.pos, b.pos, away, between(0, 0.5));
        tx_convex_result r;
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        if (!(r.dist < 0)) continue;
        double least = fmin(least_around(&a, &b, r.normal), fmin(reach_along(&a, &b, z), reach_along(&a, &b, za)));
        note(&deep, fmax(0, -r.dist - least) / size, 1e-6);
    }
    report("caps: no shorter way out", &deep);
    assert_int_equal(deep.bad, 0);
}

// Apart: the plane across the normal proves the distance from below, the witness points from above.
// Overlapping: no direction near or far has a shorter way out.
static void smooth_pairs(void **state) {
    errors below_bound = {0}, above = {0}, deep = {0}, verdict = {0}, separates = {0};
    double ns = 0;
    for (int k = 0; k < pair_count(); k++) {
        seed = 13000000 + (uint64_t)k;
        double ratio = below(2) ? 1 : power(-2, 2);
        tx_convex a = random_smooth((tx_core)(1 + below(4)), 1), b = random_smooth((tx_core)(1 + below(4)), ratio);
        double away[3], size = 0.1 * fmin(1, ratio);
        random_unit(away);
        v3_along(b.pos, a.pos, away, between(0, 2) * (below(2) ? 1 : 1 + ratio));
        tx_convex_result r;
        double begin = cpu_time();
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        ns += 1e9 * (cpu_time() - begin);
        note(&below_bound, fabs(-reach_along(&a, &b, r.normal) - r.dist) / size, 1e-6);
        if (r.dist > 0) {
            double local[3], offset[3];
            v3_sub(offset, r.on_a, a.pos);
            m3_mul_transposed(local, a.mat, offset);
            note(&above, fmax(0, point_distance(&a, local) - a.radius) / size, 1e-6);
            v3_sub(offset, r.on_b, b.pos);
            m3_mul_transposed(local, b.mat, offset);
            note(&above, fmax(0, point_distance(&b, local) - b.radius) / size, 1e-6);
        } else {
            double least = least_around(&a, &b, r.normal);
            note(&deep, fmax(0, -r.dist - least) / size, 1e-6);
            if (-r.dist - least > 1e-6 * size)
                print_message("pair %d (cores %d, %d): %.9g, shorter %.9g, size %g, gjk %d, epa %d\n", k, a.core,
                              b.core, r.dist, -least, size, r.gjk, r.epa);
        }
        check_mpr(&a, &b, r.dist, size, &verdict, &separates);
    }
    report("smooth: plane across the normal", &below_bound);
    report("smooth: witness points inside", &above);
    report("smooth: no shorter way out", &deep);
    report("MPR verdict", &verdict);
    report("MPR separates", &separates);
    print_message("    %.0f ns\n", ns / pair_count());
    assert_int_equal(below_bound.bad + above.bad + deep.bad + verdict.bad + separates.bad, 0);
}

// Boxes and cylinders that overlap by a millionth to a hundredth of their sizes: there the ways out through
// neighbouring sides are nearly as short as the least one
static void slight_overlaps(void **state) {
    errors deep = {0};
    for (int k = 0; k < 4000; k++) {
        seed = 17000000 + (uint64_t)k;
        tx_convex a = random_smooth(TX_CORE_BOX, 1), b = random_smooth(TX_CORE_CYLINDER, 1);
        double away[3], wish = power(-6, -2);
        tx_convex_result r;
        random_unit(away);
        v3_along(b.pos, a.pos, away, 10);
        for (int i = 0; i < 6; i++) {
            assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
            v3_along(b.pos, b.pos, r.normal, -wish - r.dist);
        }
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        note(&deep, fmax(0, -r.dist - least_around(&a, &b, r.normal)) / 0.1, 1e-7);
    }
    report("slight: no shorter way out", &deep);
    assert_int_equal(deep.bad, 0);
}

// a core along z on the face of another across z, nearly parallel, anywhere on it and beside it
static void put_on_face(const tx_convex *a, tx_convex *b, double depth) {
    double z[3], x[3], y[3], tilt[3], at[3];
    m3_column(z, a->mat, 2);
    const double top = a->size[a->core == TX_CORE_CYLINDER ? 1 : 2];
    v3_along(at, a->pos, z, top);
    for (int k = 0; k < 2; k++) {
        m3_column(x, a->mat, k);
        v3_along(at, at, x, between(-1.2, 1.2) * a->size[a->core == TX_CORE_CYLINDER ? 0 : k]);
    }
    random_unit(tilt);
    v3_along(x, z, tilt, below(4) ? power(-8, -1) : 0);
    v3_normalise(x);
    v3_copy(z, x);
    v3_cross(x, z, tilt);
    v3_normalise(x);
    v3_cross(y, z, x);
    const double sign = below(2) ? 1 : -1;
    for (int i = 0; i < 3; i++) b->mat[3 * i] = x[i], b->mat[3 * i + 1] = sign * y[i], b->mat[3 * i + 2] = sign * z[i];
    v3_along(b->pos, at, z, b->size[b->core == TX_CORE_CYLINDER ? 1 : b->core == TX_CORE_SEGMENT ? 0 : 2] - depth);
}

// Things that stand or lie on a face of a box or a cylinder: the least way out is proved to be through that face, or
// searched for; no direction has a shorter one, also not near the normals of all faces
static void through_faces(void **state) {
    errors deep = {0}, bound = {0}, above = {0};
    int proved = 0, all = 4 * pair_count();
    for (int k = 0; k < all; k++) {
        seed = 29000000 + (uint64_t)k;
        tx_convex a = random_smooth(below(2) ? TX_CORE_BOX : TX_CORE_CYLINDER, 1);
        tx_convex b = random_smooth((tx_core)(1 + below(4)), power(-1, 1));
        const double size = fmin(tx_convex_radius(&a), tx_convex_radius(&b));
        put_on_face(&a, &b, (below(4) ? power(-6, 0) : -power(-6, 0)) * size);
        const bool turned = below(2);
        const tx_convex *first = turned ? &b : &a, *second = turned ? &a : &b;
        tx_convex_result r;
        assert_true(tx_convex_distance(first, second, INFINITY, &r));
        proved += r.gjk == 0 && r.epa == 0;
        note(&bound, fabs(-reach_along(first, second, r.normal) - r.dist) / size, 1e-6);
        if (r.dist > 0) {
            const double *on[2] = {r.on_a, r.on_b};
            for (int i = 0; i < 2; i++) {
                const tx_convex *s = i ? second : first;
                double local[3], offset[3];
                v3_sub(offset, on[i], s->pos);
                m3_mul_transposed(local, s->mat, offset);
                note(&above, fmax(0, point_distance(s, local) - s->radius) / size, 1e-6);
            }
            continue;
        }
        double least = least_around(first, second, r.normal);
        for (int i = 0; i < 6; i++) {
            double n[3], back[3];
            m3_column(n, i < 3 ? a.mat : b.mat, i % 3);
            v3_scale(back, n, -1);
            least = fmin(least, fmin(reach_along(first, second, n), reach_along(first, second, back)));
            least = fmin(least, fmin(least_around(first, second, n), least_around(first, second, back)));
        }
        note(&deep, fmax(0, -r.dist - least) / size, 1e-6);
    }
    report("faces: plane across the normal", &bound);
    report("faces: witness points inside", &above);
    report("faces: no shorter way out", &deep);
    print_message("    %d of %d proved\n", proved, all);
    assert_int_equal(deep.bad + bound.bad + above.bad, 0);
    assert_true(3 * proved > all);
}

// how far a point in the frame of A is outside of one of two shapes
static double beyond(const tx_difference *d, bool of_b, const double p[3]) {
    double x[3], local[3];
    if (!of_b) return point_distance(d->a, p);
    v3_sub(x, p, d->offset);
    m3_mul_transposed(local, d->rot, x);
    return point_distance(d->b, local);
}

// at right angles to another, or nearly, or turned about an axis only
static void nearly_aligned(const double of[9], double m[9]) {
    double z[3], x[3], y[3], tilt[3];
    const int axis = below(3);
    m3_column(z, of, axis);
    m3_column(x, of, (axis + 1) % 3);
    random_unit(tilt);
    v3_along(z, z, tilt, below(2) ? 0 : power(-12, -1));
    v3_normalise(z);
    if (below(2)) v3_copy(x, tilt);
    v3_cross(y, z, x);
    v3_normalise(y);
    v3_cross(x, y, z);
    for (int i = 0; i < 3; i++) m[3 * i] = x[i], m[3 * i + 1] = y[i], m[3 * i + 2] = z[i];
}

// A cylinder and a box, or a segment, deep or slightly in each other, slender ones too: the sides, corners and edges
// that are tried have the least way out that EPA finds, but for a few that are left to EPA; the two points meet there
static void cylinders_and_boxes(void **state) {
    errors longer = {0}, reach = {0}, points = {0};
    int found = 0, all = 0, asked = 0;
    for (int k = 0; k < 8 * pair_count(); k++) {
        seed = 37000000 + (uint64_t)k;
        const double slender = below(3) ? -0.5 : -2;
        tx_convex c = random_smooth(TX_CORE_CYLINDER, 1),
                  b = random_smooth(below(4) ? TX_CORE_BOX : TX_CORE_SEGMENT, 1);
        for (int i = 0; i < 3; i++) c.size[i] = power(slender, 0), b.size[i] = power(slender, 0);
        b.radius = 0;
        if (below(3)) nearly_aligned(c.mat, b.mat);
        // middle in middle, or axis by axis
        const bool aside = below(8) > 0;
        v3_copy(b.pos, c.pos);
        for (int i = 0; i < 3; i++) {
            double axis[3];
            m3_column(axis, c.mat, i);
            if (aside && below(6)) v3_along(b.pos, b.pos, axis, between(-1, 1) * (c.size[i == 2] + b.size[0]));
        }
        const bool turned = below(2);
        const tx_difference d = tx_difference_of(turned ? &b : &c, turned ? &c : &b);
        const double least = fmin(fmin(c.size[0], c.size[1]), fmin(b.size[0], fmin(b.size[1], b.size[2])));
        tx_gjk g;
        tx_epa e, way;
        tx_convex_result r;
        if (tx_gjk_run(&g, &d, (double[3]){0}, INFINITY) != TX_GJK_TOUCH) continue;
        tx_epa_run(&e, &d, &g);
        assert_true(tx_convex_distance(d.a, d.b, INFINITY, &r));
        asked += r.epa > 0;
        all++;
        if (!tx_cylinder_way_find(&way, &d)) continue;
        found++;
        note(&longer, fmax(0, way.depth - e.depth) / least, 1e-8);
        double w[3], on_a[3], apart[3];
        tx_difference_support(&d, way.normal, w, on_a);
        note(&reach, fabs(v3_dot(w, way.normal) - way.depth), 1e-14);
        v3_sub(apart, way.on_a, way.on_b);
        v3_along(apart, apart, way.normal, -way.depth);
        note(&points, v3_length(apart), 1e-14);
        note(&points, fmax(beyond(&d, false, way.on_a), beyond(&d, true, way.on_b)), 1e-6);
    }
    report("cylinder, box: longer than EPA's", &longer);
    report("cylinder, box: reach", &reach);
    report("cylinder, box: points", &points);
    print_message("    %d of %d found, %d left to EPA\n", found, all, asked);
    assert_int_equal(longer.bad + reach.bad + points.bad, 0);
    assert_true(50 * (all - found) < all && asked <= all - found && all > pair_count());
}

// An ellipsoid that overlaps by less than the ball that rolls inside of it: EPA is not asked, and no way out is shorter
static void ellipsoids_overlap_slightly(void **state) {
    errors deep = {0}, bound = {0};
    for (int k = 0; k < 2 * pair_count(); k++) {
        seed = 31000000 + (uint64_t)k;
        tx_convex a = random_smooth(TX_CORE_ELLIPSOID, 1), b = random_smooth((tx_core)(1 + below(4)), power(-1, 1));
        double away[3], wish = power(-4, -0.1) * tx_ellipsoid_ball(a.size);
        tx_convex_result r;
        random_unit(away);
        v3_along(b.pos, a.pos, away, 30);
        wish += a.radius + b.radius;
        for (int i = 0; i < 3; i++) {
            assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
            v3_along(b.pos, b.pos, r.normal, -r.dist - (i == 2 ? wish : 0));
        }
        const double size = fmin(tx_convex_radius(&a), tx_convex_radius(&b));
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        assert_int_equal(r.epa, 0);
        note(&bound, fabs(r.dist + wish) / size, 1e-6);
        note(&deep, fmax(0, -r.dist - least_around(&a, &b, r.normal)) / size, 1e-6);
    }
    report("ellipsoids: as deep as they were moved", &bound);
    report("ellipsoids: no shorter way out", &deep);
    assert_int_equal(deep.bad + bound.bad, 0);
}

// the part of the farthest point across n, which is the slope of h there
static double slope_at(const tx_difference *d, const double n[3], double w[3]) {
    double on_a[3], across[3];
    tx_difference_support(d, n, w, on_a);
    v3_along(across, w, n, -v3_dot(n, w));
    return v3_length(across);
}

// Newton's steps of h(n) = max (A - B).n converge by squares where h is convex, and are none where it is not: a corner
// against a corner
static void newton_converges_by_squares(void **state) {
    int tried = 0;
    for (int k = 0; k < 200; k++) {
        seed = 23000000 + (uint64_t)k;
        tx_convex a = random_smooth(TX_CORE_ELLIPSOID, 1), b = random_smooth(TX_CORE_ELLIPSOID, 1);
        const tx_creases none = {.count = 0};
        tx_convex_result r;
        double n[3], w[3], step[3];
        v3_along(b.pos, a.pos, (const double[3]){0.3, 0.5, 0.8}, 3);
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        const tx_difference d = tx_difference_of(&a, &b);
        // the least of h is minus the distance, along the normal from A to B turned round; begin beside it
        m3_mul_transposed(n, a.mat, r.normal);
        v3_scale(n, n, -1);
        if (slope_at(&d, n, w) > 1e-6) v3_scale(n, n, -1);
        assert_true(slope_at(&d, n, w) < 1e-6);
        n[k % 3] += 1e-3;
        v3_normalise(n);
        const double before = slope_at(&d, n, w);
        if (!tx_newton_tangent(&d, &none, n, w, step)) continue;
        assert_true(fabs(v3_dot(step, n)) < 1e-12 && v3_length(step) < 1e-2);
        v3_add(n, n, step);
        v3_normalise(n);
        assert_true(slope_at(&d, n, w) < 0.05 * before);
        tried++;
    }
    assert_true(tried > 50);
    // no curvature, and the farthest point is along n
    tx_convex box[2] = {{.core = TX_CORE_BOX, .size = {1, 1, 1}, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    box[1] = box[0];
    const tx_difference d = tx_difference_of(&box[0], &box[1]);
    const tx_creases one = {.along = {{1, 0, 0}}, .count = 1};
    double n[3] = {0, 0.6, 0.8}, w[3], step[3] = {0};
    slope_at(&d, n, w);
    assert_false(tx_newton_tangent(&d, &one, n, w, step));
}

// planes of faces: the same bits for any registers and any company, unit normals across both edges, the distance of the
// lowest corner; a needle has none
static void planes_of_faces(void **state) {
    enum { CORNERS = 12, FACES = 9 };
    int needles = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double w[CORNERS][3], dist[3][FACES];
        tx_face faces[3][FACES];
        short which[FACES];
        const double size = power(-6, 6);
        const int count = 1 + below(FACES);
        memset(faces, 0, sizeof faces);
        for (int i = 0; i < CORNERS; i++)
            for (int k = 0; k < 3; k++) w[i][k] = size * between(-1, 1);
        for (int k = 0; k < 3; k++)
            w[1][k] = w[0][k], w[2][k] = 0.5 * (w[3][k] + w[4][k]) + 1e-14 * size * between(-1, 1);
        for (int f = 0; f < count; f++) {
            which[f] = (short)f;
            for (int i = 0; i < 3; i++) faces[0][f].corner[i] = (short)below(CORNERS);
        }
        memcpy(faces[1], faces[0], sizeof faces[0]), memcpy(faces[2], faces[0], sizeof faces[0]);
        tx_planes_set((const double(*)[3])w, faces[0], dist[0], which, count);
        tx_planes_set_plain((const double(*)[3])w, faces[1], dist[1], which, count);
        for (short f = 0; f < count; f++) tx_planes_set((const double(*)[3])w, faces[2], dist[2], &f, 1);
        for (int k = 1; k < 3; k++) {
            assert_memory_equal(faces[k], faces[0], (size_t)count * sizeof faces[0][0]);
            assert_memory_equal(dist[k], dist[0], (size_t)count * sizeof dist[0][0]);
        }
        for (int f = 0; f < count; f++) {
            const short *c = faces[0][f].corner;
            const double *n = faces[0][f].normal;
            double edge[2][3], x[3];
            for (int i = 0; i < 2; i++) v3_sub(edge[i], w[c[i + 1]], w[c[0]]);
            v3_cross(x, edge[0], edge[1]);
            const double low = fmin(v3_dot(n, w[c[0]]), fmin(v3_dot(n, w[c[1]]), v3_dot(n, w[c[2]])));
            const bool needle = !(v3_length(x) > 1e-12 * size * size);
            needles += needle;
            if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) assert_true(dist[0][f] == INFINITY);
            if (dist[0][f] == INFINITY) {
                assert_true(needle && v3_length(n) == 0);
                continue;
            }
            // also where the normal is mostly rounding
            assert_true(fabs(v3_length(n) - 1) < 1e-14 && fabs(dist[0][f] - low) < 1e-14 * size);
            assert_true(needle || v3_dot(n, x) > 0.99 * v3_length(x));
        }
    }
    assert_true(needles > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_of_faces),
        cmocka_unit_test(polytopes),
        cmocka_unit_test(balls_in_closed_form),
        cmocka_unit_test(capsules_analytic),
        cmocka_unit_test(smooth_pairs),
        cmocka_unit_test(caps_side_by_side),
        cmocka_unit_test(slight_overlaps),
        cmocka_unit_test(through_faces),
        cmocka_unit_test(cylinders_and_boxes),
        cmocka_unit_test(ellipsoids_overlap_slightly),
        cmocka_unit_test(newton_converges_by_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
