// manifold.c - more points of contact: a face that looks along the normal clips the other shape's face (Sutherland and
// Hodgman 1974), parallel edges overlap, and of finely cut hulls what a small turn would bring up is clipped.
#include "collide/manifold.h"

#include "collide/frame.h"
#include "collide/patch.h"
#include "collide/thin.h"
#include "geometry/vec3.h"

// the deepest point of all is one more point when it is deeper than the others by this share of that radius
#define DEEPER 1e-6
// of two faces that look along the normal the first clips unless the other's cosine is larger by this: else rounding
// would choose
#define NO_BETTER 1e-6
// Shapes that overlap by more than this share of that radius are inside of each other: of what does not lie flat on
// each other only the least way out is known
#define DEEP 0.2
// a point so near to a corner or an edge is on it, as a share of the distance below which two points are one
#define ON_EDGE 0.01
// where that is nothing: of that radius
#define LEAST_ON_EDGE 1e-9
// the deepest point is a place: no corner or edge has made it
#define DEEPEST tx_feature(tx_part_place(0), tx_part_place(0))
// an edge clipped by every side of a face gains at most one corner each
#define MAX_SPOTS (2 * TX_PATCH_CORNERS)

// features of clipped points are found at the end, for the few that are left; before all places
#define CLIPPED tx_feature(tx_part_place(0) - 1, 0)

// a contact seen in its own frame
typedef struct view {
    double frame[9], origin[3]; // rows x, y, normal; midway between the two surfaces
    tx_aspect a, b;
    double size, margin, perturbation; // radius of the smaller shape; no farther points; see tx_narrow
    double near;                       // no farther from an edge: on it
    tx_patch of_a, of_b;               // their faces, what is clipped widened
    tx_spot spots[MAX_SPOTS + 1];
    int count;
} view;

static void look(view *v, const tx_convex *a, const tx_convex *b, const tx_convex_result *r, double margin,
                 const tx_narrow *how) {
    static const double no_wish[3] = {0};
    double rows[9];
    tx_frame_make(r->normal, no_wish, rows);
    // the normal last: x, y, z is right-handed as normal, x, y was
    v3_copy(v->frame, rows + 3);
    v3_copy(v->frame + 3, rows + 6);
    v3_copy(v->frame + 6, rows);
    for (int i = 0; i < 3; i++) v->origin[i] = (r->on_a[i] + r->on_b[i]) / 2;
    v->a = tx_aspect_of(a, v->frame, v->origin, 1, how->perturbation);
    v->b = tx_aspect_of(b, v->frame, v->origin, -1, how->perturbation);
    v->size = fmin(tx_convex_radius(a), tx_convex_radius(b));
    v->margin = margin;
    v->perturbation = how->perturbation;
    v->near = fmax(ON_EDGE * how->tolerance, LEAST_ON_EDGE) * v->size;
    v->count = 0;
}

// the surfaces of a and b at one place across the normal
static void add_spot(view *v, double x, double y, double on_a, double on_b, uint64_t feature) {
    if (!(on_b - on_a < v->margin) || v->count == MAX_SPOTS) return;
    v->spots[v->count++] = (tx_spot){x, y, (on_a + on_b) / 2, on_b - on_a, feature};
}

//-------------------------------------------------------------------------------------------------- face and face

// a polygon or an edge that is clipped; each coordinate by itself, so that several corners are looked at at once
typedef struct cut {
    double x[MAX_SPOTS], y[MAX_SPOTS], z[MAX_SPOTS];
} cut;

// how far each corner is inside of the side from p to q of a counter-clockwise polygon; returns how many are
static int inside(const double p[3], const double q[3], const cut *c, int count, double *within) {
    const double x = p[0], y = p[1], dx = q[0] - x, dy = q[1] - y;
    int inner = 0;
    for (int i = 0; i < count; i++) within[i] = dx * (c->y[i] - y) - dy * (c->x[i] - x);
    for (int i = 0; i < count; i++) inner += within[i] >= 0;
    return inner;
}

// what is left of a polygon (or an edge) on the inner side of a line; within: how far inside each corner is
static int clip(const cut *in, int count, const double *within, cut *out) {
    int kept = 0, sides = count == 2 ? 1 : count;
    for (int i = 0; i < count && kept < MAX_SPOTS - 1; i++) {
        const int next = i + 1 < count ? i + 1 : 0;
        const double here = within[i], there = within[next];
        if (here >= 0) {
            out->x[kept] = in->x[i], out->y[kept] = in->y[i], out->z[kept] = in->z[i];
            kept++;
        }
        if (i >= sides || (here >= 0) == (there >= 0)) continue;
        const double share = here / (here - there);
        out->x[kept] = in->x[i] + (in->x[next] - in->x[i]) * share;
        out->y[kept] = in->y[i] + (in->y[next] - in->y[i]) * share;
        out->z[kept] = in->z[i] + (in->z[next] - in->z[i]) * share;
        kept++;
    }
    return kept;
}

// what is left of a patch within the sides of a face: room[*which]
static int clip_all(const tx_patch *face, const tx_patch *other, cut *room, int *which) {
    int count = other->count, now = 0;
    for (int i = 0; i < count; i++) {
        const double *c = other->corner[i];
        room[0].x[i] = c[0], room[0].y[i] = c[1], room[0].z[i] = c[2];
    }
    for (int side = 0; side < face->count && count; side++) {
        const double *p = face->corner[side], *q = face->corner[side + 1 < face->count ? side + 1 : 0];
        double within[MAX_SPOTS];
        const int inner = inside(p, q, &room[now], count, within);
        if (inner == count) continue;
        count = inner ? clip(&room[now], count, within, &room[!now]) : 0;
        now = !now;
    }
    *which = now;
    return count;
}

// the other shape's patch clipped by the sides of a face, and measured against its plane
static void clip_by_face(view *v, const tx_patch *face, bool face_is_a, const tx_patch *other) {
    cut room[2];
    int now, count = clip_all(face, other, room, &now);
    const double *n = face->normal, *at = face->corner[0];
    for (int i = 0; i < count; i++) {
        const double x = room[now].x[i], y = room[now].y[i], z = room[now].z[i];
        const double plane = at[2] - (n[0] * (x - at[0]) + n[1] * (y - at[1])) / n[2];
        add_spot(v, x, y, face_is_a ? plane : z, face_is_a ? z : plane, CLIPPED);
    }
}

// a face that looks along the normal clips the other shape, the better one of two
typedef enum clipper { NONE, FACE_OF_A, FACE_OF_B } clipper;

static clipper by_faces(view *v) {
    tx_patch *a = &v->of_a, *b = &v->of_b;
    if (!tx_patch_faces(a, v->perturbation) && !tx_patch_faces(b, v->perturbation)) return NONE;
    bool by_a = a->facing >= b->facing - NO_BETTER;
    tx_patch_widen(by_a ? b : a, by_a ? &v->b : &v->a);
    clip_by_face(v, by_a ? a : b, by_a, by_a ? b : a);
    return by_a ? FACE_OF_A : FACE_OF_B;
}

//-------------------------------------------------------------------------------------------------- edge and edge

// height of an edge at a place along x, y
static double height_at(const double p[3], const double q[3], const double dir[2], double place) {
    double from = p[0] * dir[0] + p[1] * dir[1], to = q[0] * dir[0] + q[1] * dir[1];
    return p[2] + (q[2] - p[2]) * v3_clamp((place - from) / (to - from), 0, 1);
}

// the part of an edge from p to q that is at a place along x, y
static uint32_t part_at(const tx_patch *edge, const double dir[2], double place, double near) {
    for (int i = 0; i < 2; i++) {
        const double *p = edge->corner[i];
        if (fabs(p[0] * dir[0] + p[1] * dir[1] - place) <= near) return tx_part_corner(edge->number[i]);
    }
    return tx_part_between(edge->number[0], edge->number[1]);
}

// where both shapes have an edge along the contact and these are parallel: the two ends of what they share
static void by_edges(view *v) {
    tx_patch a, b;
    tx_patch_edge(&a, &v->a);
    tx_patch_edge(&b, &v->b);
    if (a.count != 2 || b.count != 2) return;
    double da[3], db[3];
    v3_sub(da, a.corner[1], a.corner[0]);
    v3_sub(db, b.corner[1], b.corner[0]);
    double la = sqrt(da[0] * da[0] + da[1] * da[1]), lb = sqrt(db[0] * db[0] + db[1] * db[1]);
    if (!(la > 0) || !(lb > 0) || fabs(da[0] * db[1] - da[1] * db[0]) > v->perturbation * la * lb) return;

    // along the longer one, midway between the two lines
    const double *d = la >= lb ? da : db;
    double dir[2] = {d[0] / fmax(la, lb), d[1] / fmax(la, lb)}, low = -INFINITY, high = INFINITY, offset = 0;
    const tx_patch *both[2] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        const double *p = both[i]->corner[0], *q = both[i]->corner[1];
        double from = p[0] * dir[0] + p[1] * dir[1], to = q[0] * dir[0] + q[1] * dir[1];
        low = fmax(low, fmin(from, to));
        high = fmin(high, fmax(from, to));
        offset += (dir[0] * (p[1] + q[1]) - dir[1] * (p[0] + q[0])) / 4;
    }
    if (!(low < high)) return;
    for (int end = 0; end < 2; end++) {
        double place = end ? high : low;
        add_spot(v, place * dir[0] - offset * dir[1], place * dir[1] + offset * dir[0],
                 height_at(a.corner[0], a.corner[1], dir, place), height_at(b.corner[0], b.corner[1], dir, place),
                 tx_feature(part_at(&a, dir, place, v->near), part_at(&b, dir, place, v->near)));
    }
}

//-------------------------------------------------------------------------------------------------- curves

// What a turn by the perturbation would bring up of both shapes, as two polygons: the corners of what they share
static void by_outlines(view *v, double dist) {
    bool by_a = v->of_a.count > 2;
    cut room[2];
    int which, count = clip_all(by_a ? &v->of_a : &v->of_b, by_a ? &v->of_b : &v->of_a, room, &which);
    v->count = 0;
    for (int i = 0; i < count; i++) {
        const double x = room[which].x[i], y = room[which].y[i];
        add_spot(v, x, y, tx_patch_height(&v->of_a, &v->a, -dist / 2, x, y),
                 tx_patch_height(&v->of_b, &v->b, dist / 2, x, y), CLIPPED);
    }
}

//-------------------------------------------------------------------------------------------------- all

static bool touches_in_a_point(const tx_convex *s) { return s->core == TX_CORE_POINT || s->core == TX_CORE_ELLIPSOID; }

// whether a face or a line is across the normal; an edge between faces says nothing, most directions have one
static bool lies(const tx_patch *p, double perturbation) {
    if (p->count != 2) return tx_patch_faces(p, perturbation);
    double along[3];
    v3_sub(along, p->corner[1], p->corner[0]);
    return fabs(along[2]) <= perturbation * v3_length(along);
}

static void find_spots(view *v, double dist) {
    tx_patch_face(&v->of_a, &v->a);
    tx_patch_face(&v->of_b, &v->b);
    if (-dist > DEEP * v->size && !(lies(&v->of_a, v->perturbation) && lies(&v->of_b, v->perturbation))) return;
    clipper by = by_faces(v);
    if (by == NONE) by_edges(v);
    // a face that is only a piece of a curve says little
    tx_patch a, b;
    bool curved_a = by != FACE_OF_B && tx_patch_curve(&a, &v->of_a, &v->a);
    bool curved_b = by != FACE_OF_A && tx_patch_curve(&b, &v->of_b, &v->b);
    if (curved_a) v->of_a = a;
    if (curved_b) v->of_b = b;
    if (curved_a || curved_b) by_outlines(v, dist);
}

static void write_hit(const view *v, const tx_convex_result *r, const tx_spot *spot, tx_hit *hit) {
    double local[3] = {spot->x, spot->y, spot->z};
    m3_mul_transposed(hit->pos, v->frame, local);
    v3_add(hit->pos, hit->pos, v->origin);
    hit->dist = spot->dist;
    v3_copy(hit->normal, r->normal);
    v3_zero(hit->tangent);
    hit->feature = spot->feature != CLIPPED ? spot->feature
                                            : tx_feature(tx_patch_part(&v->of_a, spot->x, spot->y, v->near),
                                                         tx_patch_part(&v->of_b, spot->x, spot->y, v->near));
}

int tx_manifold(const tx_convex *a, const tx_convex *b, const tx_convex_result *r, double margin, const tx_narrow *how,
                tx_hit *hits) {
    if (r->beyond || !(r->dist < margin)) return 0;
    view v;
    look(&v, a, b, r, margin, how);
    bool single = touches_in_a_point(a) || touches_in_a_point(b) || !(how->perturbation > 0);
    if (!single) find_spots(&v, r->dist);

    // the deepest point itself, unless a corner is as deep
    double deepest = INFINITY;
    for (int i = 0; i < v.count; i++) deepest = fmin(deepest, v.spots[i].dist);
    if (!(deepest <= r->dist + DEEPER * v.size)) v.spots[v.count++] = (tx_spot){.dist = r->dist, .feature = DEEPEST};

    int most = how->contacts == 0 ? TX_MANIFOLD_POINTS : how->contacts < 3 ? 3 : how->contacts;
    int count = tx_spread(v.spots, v.count, most, how->tolerance * v.size);
    for (int i = 0; i < count; i++) write_hit(&v, r, &v.spots[i], &hits[i]);
    return count;
}
