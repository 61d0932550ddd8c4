// epa.c - EPA. Depth = min over unit n of h(n) = max (A - B).n, so every support tried bounds it from above, and the
// nearest face of the polytope inside A - B bounds it from below. When the room or the numbers end, the best bound is
// the answer.
#include "collide/epa.h"

#include "geometry/vec3.h"

#define GAP      1e-11 // of the depth
#define ROUNDING 2e-14 // of the scale: what counts as above a face, and as closed gap
#define ASIDE    1e-3  // of the sizes: how far apart shapes are held to find their nearest points
#define FLAT     1e-13 // of the scale: thinner bodies have no inside

typedef struct face {
    short corner[3], across[3]; // counter-clockwise seen from outside; across[i]: the face beyond edge i, i + 1
    double normal[3];
} face;

typedef struct polytope {
    double w[TX_EPA_CORNERS][3], on_a[TX_EPA_CORNERS][3];
    face faces[TX_EPA_FACES];
    double dist[TX_EPA_FACES]; // of the plane from the origin; INFINITY: gone, or cannot grow any more
    bool alive[TX_EPA_FACES];
    short unused[TX_EPA_FACES]; // faces to use again
    int corners, faces_used, unused_count;
    double scale;
    tx_difference *d;
} polytope;

// an edge of the hole a new corner sees, from `face` looking in
typedef struct rim {
    short from, to, face;
} rim;

// ---- start: a tetrahedron with volume
// --------------------------------------------------------------------------------

static void add_corner(polytope *p, const double w[3], const double on_a[3]) {
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

static void set_plane(polytope *p, int f) {
    double e[3], g[3], *n = p->faces[f].normal;
    const short *c = p->faces[f].corner;
    // the two edges at the largest angle would be best; the two shorter ones are nearly that
    double edge[3][3], square[3];
    for (int i = 0; i < 3; i++) {
        v3_sub(edge[i], p->w[c[(i + 1) % 3]], p->w[c[i]]);
        square[i] = v3_dot(edge[i], edge[i]);
    }
    int longest = square[0] >= square[1] ? (square[0] >= square[2] ? 0 : 2) : (square[1] >= square[2] ? 1 : 2);
    v3_copy(e, edge[(longest + 1) % 3]);
    v3_copy(g, edge[(longest + 2) % 3]);
    v3_cross(n, e, g);
    double area = v3_length(n);
    if (!(area > 1e-15 * square[longest])) {
        p->dist[f] = INFINITY; // a needle: no plane to grow from
        v3_zero(n);
        return;
    }
    v3_scale(n, n, 1 / area);
    // the lowest of the three corners: a bad normal must not hide the face
    double low = INFINITY;
    for (int i = 0; i < 3; i++) {
        double reach = v3_dot(n, p->w[c[i]]);
        if (reach < low) low = reach;
    }
    p->dist[f] = low;
}

// a face, or -1 when the room is used up
static int add_face(polytope *p, int a, int b, int c) {
    int f = p->unused_count ? p->unused[--p->unused_count] : p->faces_used < TX_EPA_FACES ? p->faces_used++ : -1;
    if (f < 0) return -1;
    p->faces[f] = (face){.corner = {(short)a, (short)b, (short)c}, .across = {-1, -1, -1}};
    p->alive[f] = true;
    set_plane(p, f);
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
    bool turned = v3_dot(n, e[2]) > 0;
    for (int i = 0; i < 4; i++) add_face(p, side[i][0], side[i][turned ? 2 : 1], side[i][turned ? 1 : 2]);
    // neighbours: the face with the same edge the other way
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < 3; i++)
            for (int g = 0; g < 4; g++)
                for (int j = 0; j < 3; j++)
                    if (p->faces[f].corner[i] == p->faces[g].corner[(j + 1) % 3] &&
                        p->faces[f].corner[(i + 1) % 3] == p->faces[g].corner[j])
                        p->faces[f].across[i] = (short)g;
}

static double height(const polytope *p, int f, const double w[3]) {
    double r[3];
    v3_sub(r, w, p->w[p->faces[f].corner[0]]);
    return v3_dot(p->faces[f].normal, r);
}

// All faces w is above, by flooding from one of them, and their rim. Nothing is changed. Returns the rim's length,
// 0 when it is not one loop
static int find_rim(const polytope *p, int seed, const double w[3], double above, rim *rims, short *seen,
                    int *seen_count) {
    bool visible[TX_EPA_FACES] = {false};
    int count = 0;
    *seen_count = 0;
    seen[(*seen_count)++] = (short)seed;
    visible[seed] = true;
    for (int k = 0; k < *seen_count; k++) {
        for (int i = 0; i < 3; i++) {
            int g = p->faces[seen[k]].across[i];
            if (visible[g] || !(height(p, g, w) > above)) continue;
            visible[g] = true;
            seen[(*seen_count)++] = (short)g;
        }
    }
    // edges between seen and unseen, by where they begin
    short next[TX_EPA_CORNERS];
    for (int i = 0; i < p->corners; i++) next[i] = -1;
    for (int k = 0; k < *seen_count; k++) {
        const face *f = &p->faces[seen[k]];
        for (int i = 0; i < 3; i++) {
            if (visible[f->across[i]]) continue;
            if (next[f->corner[i]] >= 0) return 0; // two rims meet
            next[f->corner[i]] = (short)count;
            rims[count++] = (rim){f->corner[i], f->corner[(i + 1) % 3], f->across[i]};
        }
    }
    if (count < 3) return 0;
    // in order around the hole
    rim sorted[TX_EPA_FACES];
    int at = 0;
    for (int k = 0; k < count; k++) {
        if (at < 0 || (k && at == 0)) return 0;
        sorted[k] = rims[at];
        at = next[rims[at].to];
    }
    if (at != 0) return 0;
    for (int k = 0; k < count; k++) rims[k] = sorted[k];
    return count;
}

// replaces what w sees by a fan from w; false when that is not possible
static bool grow(polytope *p, int seed, const double w[3], const double on_a[3]) {
    rim rims[TX_EPA_FACES];
    short seen[TX_EPA_FACES];
    int seen_count, count = 0;
    // a rim in several pieces is rounding: be less, then more strict
    static const double strict[3] = {1, 16, 0};
    for (int i = 0; i < 3 && !count; i++)
        count = find_rim(p, seed, w, strict[i] * ROUNDING * p->scale, rims, seen, &seen_count);
    if (!count || p->corners == TX_EPA_CORNERS) return false;
    if (count - seen_count > p->unused_count + TX_EPA_FACES - p->faces_used) return false;

    int tip = p->corners, first = -1, last = -1;
    add_corner(p, w, on_a);
    for (int k = 0; k < seen_count; k++) drop_face(p, seen[k]);
    for (int k = 0; k < count; k++) {
        int f = add_face(p, rims[k].from, rims[k].to, tip);
        face *beyond = &p->faces[rims[k].face];
        for (int i = 0; i < 3; i++)
            if (beyond->corner[i] == rims[k].to) beyond->across[i] = (short)f;
        p->faces[f].across[0] = rims[k].face;
        if (last >= 0) {
            p->faces[f].across[2] = (short)last;
            p->faces[last].across[1] = (short)f;
        } else {
            first = f;
        }
        last = f;
    }
    p->faces[first].across[2] = (short)last;
    p->faces[last].across[1] = (short)first;
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

static int nearest_face(const polytope *p) {
    int best = -1;
    double least = INFINITY;
    for (int f = 0; f < p->faces_used; f++) {
        if (p->dist[f] < least) {
            least = p->dist[f];
            best = f;
        }
    }
    return best;
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

// one direction tried: kept when it is a shorter way out
static bool try_direction(tx_epa *out, tx_difference *d, const double n[3]) {
    double w[3], on_a[3];
    tx_difference_support(d, n, w, on_a);
    double reach = v3_dot(n, w);
    if (!(reach < out->depth)) return false;
    out->depth = reach;
    v3_copy(out->normal, n);
    v3_copy(out->on_a, on_a);
    v3_sub(out->on_b, on_a, w);
    return true;
}

// Newton on the sphere of directions, from the best so far: h has gradient w and, in the tangent plane, Hessian
// dw/dn - h. With an axis, only on the great circle across it: there a cylinder's side has a crease of h
static void polish(tx_epa *out, tx_difference *d, const double *axis) {
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double step = 1e-5;
    int dims = axis ? 1 : 2;
    for (int k = 0; k < 12; k++) {
        double t[2][3], c[3], w[3], at[3], ws[3], n[3], slope[2] = {0}, hess[2][2] = {{1, 0}, {0, 1}};
        v3_copy(c, out->normal);
        int least = fabs(c[0]) < fabs(c[1]) ? (fabs(c[0]) < fabs(c[2]) ? 0 : 2) : (fabs(c[1]) < fabs(c[2]) ? 1 : 2);
        v3_cross(t[0], c, axis ? axis : unit[least]);
        v3_normalise(t[0]);
        v3_cross(t[1], c, t[0]);
        tx_difference_support(d, c, w, at);
        for (int i = 0; i < dims; i++) {
            slope[i] = v3_dot(w, t[i]);
            v3_along(n, c, t[i], step);
            tx_difference_support(d, n, ws, at);
            v3_sub(ws, ws, w);
            for (int j = 0; j < dims; j++) hess[i][j] = v3_dot(ws, t[j]) / step;
            hess[i][i] -= out->depth;
        }
        double det = hess[0][0] * hess[1][1] - hess[0][1] * hess[1][0], s[2];
        if (det > 0 && hess[0][0] > 0) {
            s[0] = (-hess[1][1] * slope[0] + hess[0][1] * slope[1]) / det;
            s[1] = (-hess[0][0] * slope[1] + hess[1][0] * slope[0]) / det;
        } else {
            s[0] = -slope[0] / (fabs(out->depth) + v3_length(w));
            s[1] = -slope[1] / (fabs(out->depth) + v3_length(w));
        }
        // shorter until it helps
        bool better = false;
        double before = out->depth;
        for (int half = 0; half < 8 && !better; half++) {
            v3_along(n, c, t[0], s[0]);
            v3_along(n, n, t[1], s[1]);
            v3_normalise(n);
            better = try_direction(out, d, n);
            s[0] /= 4;
            s[1] /= 4;
        }
        if (!better || before - out->depth <= 1e-15 * fabs(before)) return;
    }
}

static void polish_all(tx_epa *out, tx_difference *d) {
    double axis[3] = {0, 0, 1};
    for (int side = 0; side < 2; side++) {
        if ((side ? d->b : d->a)->core != TX_CORE_CYLINDER) continue;
        if (side) m3_column(axis, d->rot, 2);
        double across = v3_dot(out->normal, axis);
        if (fabs(across) > 0.1) continue;
        // onto the crease if that is no worse
        tx_epa flat = *out;
        v3_along(flat.normal, flat.normal, axis, -across);
        v3_normalise(flat.normal);
        flat.depth = INFINITY;
        double n[3];
        v3_copy(n, flat.normal);
        try_direction(&flat, d, n);
        polish(&flat, d, axis);
        if (flat.depth < out->depth) {
            // a point of the whole side: keep the place along the axis
            v3_copy(out->normal, flat.normal);
            out->depth = flat.depth;
        }
    }
    if (d->a->core == TX_CORE_ELLIPSOID || d->b->core == TX_CORE_ELLIPSOID) polish(out, d, (void *)0);
}

// a length of the shape, for how exact the answer must be
static double size_of(const tx_convex *s) {
    double r[3] = {0, 0, 0};
    int used = s->core == TX_CORE_POINT ? 0 : s->core == TX_CORE_SEGMENT ? 1 : s->core == TX_CORE_CYLINDER ? 2 : 3;
    if (s->core == TX_CORE_POINTS) {
        v3_sub(r, tx_convex_corner(s, 0), s->centre);
        return v3_length(r) + s->radius;
    }
    for (int i = 0; i < used; i++) r[i] = s->size[i];
    return v3_length(r) + s->radius;
}

// Points for a direction found by Newton: with B moved out along it and a little farther, the nearest ones
static void nearest_points(tx_epa *out, tx_difference *d) {
    tx_difference moved = *d;
    tx_gjk g;
    double start[3], lift = ASIDE * (fabs(out->depth) + size_of(d->a) + size_of(d->b));
    v3_along(moved.offset, d->offset, out->normal, out->depth + lift);
    v3_scale(start, out->normal, -lift);
    if (tx_gjk_run(&g, &moved, start, INFINITY) != TX_GJK_APART) return;
    tx_gjk_points(&g, out->on_a, out->on_b);
    v3_along(out->on_b, out->on_b, out->normal, -out->depth - lift);
}

static bool is_smooth(const tx_convex *s) { return s->core == TX_CORE_ELLIPSOID || s->core == TX_CORE_CYLINDER; }

void tx_epa_run(tx_epa *out, tx_difference *d, const tx_gjk *g) {
    polytope p;
    p.corners = p.faces_used = p.unused_count = 0;
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

    // curved surfaces are found by Newton from a good guess, flat ones exactly
    bool smooth = is_smooth(d->a) || is_smooth(d->b);
    double gap = 0;
    if (smooth) gap = 2e-8 * fmin(size_of(d->a), size_of(d->b));
    out->depth = INFINITY;
    short best[3] = {0, 1, 2};
    while (true) {
        int f = nearest_face(&p);
        if (f < 0) break;
        double w[3], on_a[3], n[3];
        v3_copy(n, p.faces[f].normal);
        tx_difference_support(d, n, w, on_a);
        out->iterations++;
        double reach = v3_dot(n, w);
        if (reach < out->depth) {
            out->depth = reach;
            v3_copy(out->normal, n);
            for (int i = 0; i < 3; i++) best[i] = p.faces[f].corner[i];
        }
        out->lower = p.dist[f];
        if (out->depth - p.dist[f] <= gap + GAP * fabs(out->depth) + ROUNDING * p.scale) break;
        if (p.corners == TX_EPA_CORNERS) break;
        // a face that cannot grow is done; the next one may
        if (is_corner(&p, w) || !grow(&p, f, w, on_a)) p.dist[f] = INFINITY;
    }
    out->corners = p.corners;
    if (!(out->depth < INFINITY)) {
        answer_flat(&p, across, g, out);
        return;
    }
    witness(&p, best, out);
    if (smooth) {
        polish_all(out, d);
        nearest_points(out, d);
    }
}
