// epa.c - EPA. Depth = min over unit n of h(n) = max (A - B).n, so every support tried bounds it from above, and the
// nearest face of the polytope inside A - B bounds it from below. When the room or the numbers end, the best bound is
// the answer.
#include "collide/epa.h"

#include <math.h>
#include <stdbool.h>

#include "collide/planes.h"
#include "collide/way_out.h"
#include "geometry/vec3.h"

#define GAP      1e-11 // of the depth
#define ROUNDING 2e-14 // of the scale: what counts as above a face, and as closed gap
#define FLAT     1e-13 // of the scale: thinner bodies have no inside

// smooth shapes
#define EXACT       2e-8 // of the smaller size: the answer is known well enough
#define NEAR_ENOUGH 1e-4 // of the sizes: a face this near to the surface is a good place to descend from
#define NEAR_SHARE  0.03 // of the depth: a slight overlap may have another way out between faces that are farther off
#define SAME_VALLEY 0.99999 // cosine (a quarter of a degree): what is nearer to a known least depth leads there
#define VALLEYS     64

typedef struct polytope {
    double w[TX_EPA_CORNERS][3], on_a[TX_EPA_CORNERS][3];
    tx_face faces[TX_EPA_FACES];
    double dist[TX_EPA_FACES]; // of the plane from the origin; INFINITY: gone, or cannot grow any more
    bool alive[TX_EPA_FACES];
    short unused[TX_EPA_FACES]; // faces to use again
    int seen_in[TX_EPA_FACES],
        met_in[TX_EPA_CORNERS]; // the last search that saw the face, that had the corner on the rim
    int searches;
    int corners, faces_used, unused_count;
    double scale;
    const tx_difference *d;
} polytope;

// what a new corner sees: the faces, and the edges around them in order, from outside
typedef struct hole {
    short seen[TX_EPA_FACES], rim[TX_EPA_FACES];
    int seen_count, rim_count;
} hole;

// ---- start: a tetrahedron with volume
// --------------------------------------------------------------------------------

static void add_corner(polytope *p, const double w[3], const double on_a[3]) {
    p->met_in[p->corners] = 0;
    v3_copy(p->w[p->corners], w);
    v3_copy(p->on_a[p->corners++], on_a);
    double size = v3_length(w);
    if (size > p->scale) p->scale = size;
}

// how far w is from the point, line or plane of the first corners
static double distance_to_start(const polytope *p, const double w[3]) {
    double r[3], e[3], f[3], n[3];
    v3_sub(r, w, p->w[0]);
    if (p->corners == 1) return v3_length(r);
    v3_sub(e, p->w[1], p->w[0]);
    if (p->corners == 2) {
        v3_cross(n, r, e);
        return v3_length(n) / v3_length(e);
    }
    v3_sub(f, p->w[2], p->w[0]);
    v3_cross(n, e, f);
    return fabs(v3_dot(r, n)) / v3_length(n);
}

static int start_directions(const polytope *p, double dirs[12][3]) {
    static const double axes[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    double e[3], f[3], n[3], m[3];
    if (p->corners == 1) {
        for (int i = 0; i < 6; i++) v3_copy(dirs[i], axes[i]);
        return 6;
    }
    v3_sub(e, p->w[1], p->w[0]);
    if (p->corners == 2) {
        // around the edge
        int least = 0;
        for (int i = 1; i < 3; i++)
            if (fabs(e[i]) < fabs(e[least])) least = i;
        v3_cross(n, e, axes[2 * least]);
        v3_normalise(n);
        v3_cross(m, e, n);
        v3_normalise(m);
        for (int i = 0; i < 3; i++) {
            dirs[0][i] = n[i];
            dirs[1][i] = -n[i];
            dirs[2][i] = m[i];
            dirs[3][i] = -m[i];
        }
        return 4;
    }
    v3_sub(f, p->w[2], p->w[0]);
    v3_cross(n, e, f);
    v3_normalise(n);
    v3_copy(dirs[0], n);
    v3_scale(dirs[1], n, -1);
    return 2;
}

// adds the farthest of several supports; false when A - B is flat there, and then a direction across it
static bool widen(polytope *p, double across[3]) {
    double dirs[12][3], w[3], on_a[3], best = 0, best_w[3] = {0}, best_a[3] = {0};
    int count = start_directions(p, dirs);
    v3_copy(across, dirs[0]);
    for (int i = 0; i < count; i++) {
        tx_difference_support(p->d, dirs[i], w, on_a);
        double away = distance_to_start(p, w);
        if (away > best) {
            best = away;
            v3_copy(best_w, w);
            v3_copy(best_a, on_a);
        }
    }
    double size = v3_length(best_w);
    if (!(best > FLAT * (size > p->scale ? size : p->scale))) return false;
    add_corner(p, best_w, best_a);
    return true;
}

// ---- faces
// -----------------------------------------------------------------------------------------------------------

// the index after this one in a triangle
static const int after[3] = {1, 2, 0};

static int next_edge(int edge) { return (edge & ~3) + after[edge & 3]; }
static int from_of(const polytope *p, int edge) { return p->faces[edge >> 2].corner[edge & 3]; }
static int to_of(const polytope *p, int edge) { return p->faces[edge >> 2].corner[after[edge & 3]]; }
static int twin_of(const polytope *p, int edge) { return p->faces[edge >> 2].twin[edge & 3]; }

static void join(polytope *p, int edge, int other) {
    p->faces[edge >> 2].twin[edge & 3] = (short)other;
    p->faces[other >> 2].twin[other & 3] = (short)edge;
}

static void set_planes(polytope *p, const short *which, int count) {
    tx_planes_set((const double(*)[3])p->w, p->faces, p->dist, which, count);
}

// a face, its plane still to be set; there must be room
static int add_face(polytope *p, int a, int b, int c) {
    int f = p->unused_count ? p->unused[--p->unused_count] : p->faces_used++;
    tx_face *made = &p->faces[f];
    made->corner[0] = (short)a, made->corner[1] = (short)b, made->corner[2] = (short)c;
    p->alive[f] = true;
    p->seen_in[f] = 0;
    return f;
}

static void drop_face(polytope *p, int f) {
    p->alive[f] = false;
    p->dist[f] = INFINITY;
    p->unused[p->unused_count++] = (short)f;
}

static void first_faces(polytope *p) {
    static const short side[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    double e[3][3], n[3];
    for (int i = 0; i < 3; i++) v3_sub(e[i], p->w[i + 1], p->w[0]);
    v3_cross(n, e[0], e[1]);
    // seen from inside: each triangle the other way round
    bool turned = v3_dot(n, e[2]) > 0;
    for (int f = 0; f < 4; f++) add_face(p, side[f][0], side[f][turned ? 2 : 1], side[f][turned ? 1 : 2]);
    set_planes(p, (short[]){0, 1, 2, 3}, 4);
    // the six edges as they are numbered when not turned; turned, side i is side 2 - i
    static const short pair[6][2] = {{0, 10}, {1, 14}, {2, 4}, {5, 13}, {6, 8}, {9, 12}};
    for (int k = 0; k < 6; k++) {
        int one = pair[k][0], other = pair[k][1];
        if (turned) one = (one & ~3) + 2 - (one & 3), other = (other & ~3) + 2 - (other & 3);
        join(p, one, other);
    }
}

static double height(const polytope *p, int f, const double w[3]) {
    double r[3];
    v3_sub(r, w, p->w[p->faces[f].corner[0]]);
    return v3_dot(p->faces[f].normal, r);
}

// All faces w is above, by walking from one of them across edges, and the rim around them; false when it is not one
// loop
static bool find_hole(polytope *p, int seed, const double w[3], double above, hole *h) {
    short stack[2 * TX_EPA_FACES + 3];
    int top = 0, search = ++p->searches;
    for (int i = 2; i >= 0; i--) stack[top++] = p->faces[seed].twin[i];
    h->seen[0] = (short)seed;
    h->seen_count = 1, h->rim_count = 0;
    p->seen_in[seed] = search;
    while (top > 0) {
        int edge = stack[--top], f = edge >> 2;
        if (p->seen_in[f] == search) continue;
        if (!(height(p, f, w) > above)) {
            h->rim[h->rim_count++] = (short)edge;
            continue;
        }
        p->seen_in[f] = search;
        h->seen[h->seen_count++] = (short)f;
        int second = next_edge(edge);
        stack[top++] = (short)twin_of(p, next_edge(second));
        stack[top++] = (short)twin_of(p, second);
    }
    // seen from outside each edge ends where the one before began; a corner met twice: two loops that touch
    for (int k = 0, last = h->rim_count - 1; k < h->rim_count; last = k++) {
        int from = from_of(p, h->rim[k]);
        if (to_of(p, h->rim[k]) != from_of(p, h->rim[last]) || p->met_in[from] == search) return false;
        p->met_in[from] = search;
    }
    return h->rim_count >= 3;
}

// replaces what w sees by a fan from w; false when that is not possible
static bool grow(polytope *p, int seed, const double w[3], const double on_a[3]) {
    hole h;
    // a rim in several pieces is rounding: be less, then more strict
    static const double strict[3] = {1, 16, 0};
    bool found = false;
    for (int i = 0; i < 3 && !found; i++) found = find_hole(p, seed, w, strict[i] * ROUNDING * p->scale, &h);
    if (!found || p->corners == TX_EPA_CORNERS) return false;
    if (h.rim_count - h.seen_count > p->unused_count + TX_EPA_FACES - p->faces_used) return false;

    short made[TX_EPA_FACES];
    int tip = p->corners;
    add_corner(p, w, on_a);
    for (int k = 0; k < h.seen_count; k++) drop_face(p, h.seen[k]);
    for (int k = 0; k < h.rim_count; k++) {
        int f = add_face(p, to_of(p, h.rim[k]), from_of(p, h.rim[k]), tip);
        join(p, 4 * f, h.rim[k]);
        if (k > 0) join(p, 4 * f + 2, 4 * made[k - 1] + 1);
        made[k] = (short)f;
    }
    join(p, 4 * made[0] + 2, 4 * made[h.rim_count - 1] + 1);
    set_planes(p, made, h.rim_count);
    return true;
}

// ---- the answer
// ------------------------------------------------------------------------------------------------------

// weights of a triangle's corners at the origin's foot along n; returns the least, negative when the foot is outside
static double weights_at_foot(const polytope *p, const short corner[3], const double n[3], double weight[3]) {
    double foot[3], x[3], sum = 0;
    v3_scale(foot, n, v3_dot(n, p->w[corner[0]]));
    for (int i = 0; i < 3; i++) {
        double e[3], f[3];
        v3_sub(e, p->w[corner[(i + 1) % 3]], foot);
        v3_sub(f, p->w[corner[(i + 2) % 3]], foot);
        v3_cross(x, e, f);
        weight[i] = v3_dot(n, x);
        sum += weight[i];
    }
    for (int i = 0; i < 3; i++) weight[i] = sum > 0 ? weight[i] / sum : 1.0 / 3;
    return fmin(weight[0], fmin(weight[1], weight[2]));
}

static bool on_plane(const polytope *p, const short corner[3], const double n[3], double level) {
    for (int i = 0; i < 3; i++)
        if (v3_dot(n, p->w[corner[i]]) < level) return false;
    return true;
}

// points of A and B that meet at the origin's foot on the plane across n: on the triangle given, or, where a flat side
// has several, on the one that has the foot inside
static void witness(const polytope *p, const short given[3], tx_epa *out) {
    double weight[3], other[3];
    const short *corner = given;
    double inside = weights_at_foot(p, given, out->normal, weight);
    double level = out->depth - 16 * ROUNDING * p->scale - 1e-12 * out->depth;
    for (int f = 0; f < p->faces_used && inside < 0; f++) {
        if (!p->alive[f] || !on_plane(p, p->faces[f].corner, out->normal, level)) continue;
        double here = weights_at_foot(p, p->faces[f].corner, out->normal, other);
        if (!(here > inside)) continue;
        inside = here;
        corner = p->faces[f].corner;
        v3_copy(weight, other);
    }
    // outside by rounding, or for want of room: pushed in
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += weight[i] = fmax(weight[i], 0);
    v3_zero(out->on_a);
    v3_zero(out->on_b);
    for (int i = 0; i < 3; i++) {
        v3_along(out->on_a, out->on_a, p->on_a[corner[i]], weight[i] / sum);
        v3_along(out->on_b, out->on_b, p->on_a[corner[i]], weight[i] / sum);
        v3_along(out->on_b, out->on_b, p->w[corner[i]], -weight[i] / sum);
    }
}

// the first of those that are nearest, -1: none
static int nearest_face(const polytope *p) {
    enum { ABREAST = 4 };
    double least[ABREAST] = {INFINITY, INFINITY, INFINITY, INFINITY};
    // no branch: whether a face is the nearest so far cannot be guessed; several at a time, which wait for each other
    int f = 0;
    for (; f + ABREAST <= p->faces_used; f += ABREAST)
        for (int k = 0; k < ABREAST; k++) least[k] = p->dist[f + k] < least[k] ? p->dist[f + k] : least[k];
    for (; f < p->faces_used; f++) least[0] = p->dist[f] < least[0] ? p->dist[f] : least[0];
    for (int k = 1; k < ABREAST; k++) least[0] = least[k] < least[0] ? least[k] : least[0];
    if (!(least[0] < INFINITY)) return -1;
    for (f = 0; p->dist[f] != least[0];) f++;
    return f;
}

static bool is_corner(const polytope *p, const double w[3]) {
    for (int i = 0; i < p->corners; i++)
        if (w[0] == p->w[i][0] && w[1] == p->w[i][1] && w[2] == p->w[i][2]) return true;
    return false;
}

// no volume: the cores touch in a point, along a line or in a plane; a direction across it separates them
static void answer_flat(polytope *p, const double across[3], const tx_gjk *g, tx_epa *out) {
    double w[3], on_a[3];
    v3_copy(out->normal, across);
    v3_normalise(out->normal);
    tx_difference_support(p->d, out->normal, w, on_a);
    out->depth = v3_dot(w, out->normal);
    out->lower = 0;
    tx_gjk_points(g, out->on_a, out->on_b);
}

// ---- smooth shapes
// ---------------------------------------------------------------------------------------------------

// least depths found so far by descent from faces
typedef struct valleys {
    double normal[VALLEYS][3];
    int count;
    tx_way best;
} valleys;

static bool is_known(const valleys *v, const double n[3]) {
    for (int i = 0; i < v->count; i++)
        if (v3_dot(v->normal[i], n) > SAME_VALLEY) return true;
    return false;
}

static void descend_from(valleys *v, const polytope *p, int f) {
    const double *n = p->faces[f].normal;
    tx_way way;
    tx_gjk triangle;
    triangle.count = 3;
    triangle.scale = p->scale;
    for (int i = 0; i < 3; i++) {
        v3_copy(triangle.w[i], p->w[p->faces[f].corner[i]]);
        v3_copy(triangle.on_a[i], p->on_a[p->faces[f].corner[i]]);
    }
    v3_copy(way.normal, n);
    tx_way_refine(p->d, &triangle, &way);
    if (way.depth < v->best.depth) v->best = way;
    // where it began is known now as well as where it ended
    if (v->count < VALLEYS) v3_copy(v->normal[v->count++], way.normal);
    if (v->count < VALLEYS && v3_dot(n, way.normal) < SAME_VALLEY) v3_copy(v->normal[v->count++], n);
}

// A face that is near enough to the surface is left to descent; the polytope only has to show where to begin. Ends when
// no face is nearer than the least depth found
static void expand_smooth(polytope *p, const tx_difference *d, tx_epa *out) {
    double size[2] = {tx_way_size(d->a), tx_way_size(d->b)};
    double near = NEAR_ENOUGH * (size[0] + size[1]), enough = EXACT * fmin(size[0], size[1]);
    valleys v;
    v.count = 0;
    v.best.depth = INFINITY;
    for (int f = nearest_face(p); f >= 0; f = nearest_face(p)) {
        out->lower = p->dist[f];
        if (v.best.depth - p->dist[f] <= enough + ROUNDING * p->scale) break;
        double w[3], on_a[3], n[3];
        // of the face itself, as loads that are wider than the stores of a fresh copy would wait for them
        tx_difference_support(d, p->faces[f].normal, w, on_a);
        v3_copy(n, p->faces[f].normal);
        out->iterations++;
        double reach = v3_dot(n, w), close = fmin(near, fmax(NEAR_SHARE * reach, 16 * enough));
        bool done = reach - p->dist[f] <= close || p->corners == TX_EPA_CORNERS;
        done = done || is_corner(p, w) || !grow(p, f, w, on_a);
        if (!done) continue;
        if (!is_known(&v, n)) {
            if (v.count == VALLEYS) break;
            descend_from(&v, p, f);
        }
        p->dist[f] = INFINITY;
    }
    out->depth = v.best.depth;
    v3_copy(out->normal, v.best.normal);
    v3_copy(out->on_a, v.best.on_a);
    v3_copy(out->on_b, v.best.on_b);
}

// ---- polytopes
// ---------------------------------------------------------------------------------------------------

static void expand_flat(polytope *p, const tx_difference *d, tx_epa *out) {
    short best[3] = {0, 1, 2};
    out->depth = INFINITY;
    for (int f = nearest_face(p); f >= 0; f = nearest_face(p)) {
        double w[3], on_a[3];
        const double *n = p->faces[f].normal;
        tx_difference_support(d, n, w, on_a);
        out->iterations++;
        double reach = v3_dot(n, w);
        if (reach < out->depth) {
            out->depth = reach;
            v3_copy(out->normal, n);
            for (int i = 0; i < 3; i++) best[i] = p->faces[f].corner[i];
        }
        out->lower = p->dist[f];
        if (out->depth - p->dist[f] <= GAP * fabs(out->depth) + ROUNDING * p->scale) break;
        if (p->corners == TX_EPA_CORNERS) break;
        // a face that cannot grow is done; the next one may
        if (is_corner(p, w) || !grow(p, f, w, on_a)) p->dist[f] = INFINITY;
    }
    if (out->depth < INFINITY) witness(p, best, out);
}

void tx_epa_run(tx_epa *out, const tx_difference *d, const tx_gjk *g) {
    polytope p;
    p.corners = p.faces_used = p.unused_count = p.searches = 0;
    p.scale = g->scale;
    p.d = d;
    double across[3] = {1, 0, 0};
    *out = (tx_epa){0};

    // the corners of GJK that span something, then more until there is a volume
    for (int i = 0; i < g->count; i++)
        if (!p.corners || distance_to_start(&p, g->w[i]) > 1e-9 * p.scale) add_corner(&p, g->w[i], g->on_a[i]);
    while (p.corners < 4) {
        if (!widen(&p, across)) {
            answer_flat(&p, across, g, out);
            return;
        }
    }
    first_faces(&p);
    if (tx_core_is_smooth(d->a->core) || tx_core_is_smooth(d->b->core)) expand_smooth(&p, d, out);
    else expand_flat(&p, d, out);
    out->corners = p.corners;
    if (!(out->depth < INFINITY)) answer_flat(&p, across, g, out);
}
