// patch.c - faces and edges of the convex shapes as seen from a contact.
#include "collide/patch.h"

#include <string.h>

#include "geometry/facets.h"
#include "geometry/vec3.h"

// a cylinder shows its cap within 45 degrees of its axis, else its side
#define SHOWS_CAP 0.7071
// corners of the polygon that stands for a cap, inside it by 2 % of the radius at most
#define CAP_CORNERS 16
// corners of a hull this near to a plane are on it, as a share of the face's size: meshes have single precision
#define COPLANAR 1e-5

tx_aspect tx_aspect_of(const tx_convex *shape, const double frame[9], const double origin[3], double side,
                       double perturbation) {
    tx_aspect v = {.shape = shape, .side = side, .perturbation = perturbation};
    double away[3], axis[3], seen[3];
    v3_sub(away, shape->pos, origin);
    m3_mul(v.offset, frame, away);
    for (int j = 0; j < 3; j++) {
        m3_column(axis, shape->mat, j);
        m3_mul(seen, frame, axis);
        for (int i = 0; i < 3; i++) v.turn[3 * i + j] = seen[i];
    }
    return v;
}

// the direction in which the shape looks, in its own frame
static void outlook(double out[3], const tx_aspect *v) { v3_scale(out, v->turn + 6, v->side); }

static void add_corner(tx_patch *p, const tx_aspect *v, int number, const double local[3]) {
    p->number[p->count] = number;
    double *corner = p->corner[p->count++];
    m3_mul(corner, v->turn, local);
    v3_add(corner, corner, v->offset);
    corner[2] += v->side * v->shape->radius;
}

// of the face that has the corners so far
static void set_normal(tx_patch *p, const tx_aspect *v, const double local[3]) {
    m3_mul(p->normal, v->turn, local);
    p->facing = v->side * p->normal[2];
    p->level = v3_dot(p->normal, p->corner[0]);
}

//-------------------------------------------------------------------------------------------------- box, cylinder

static int largest(const double d[3]) {
    return fabs(d[0]) >= fabs(d[1]) ? (fabs(d[0]) >= fabs(d[2]) ? 0 : 2) : (fabs(d[1]) >= fabs(d[2]) ? 1 : 2);
}

// bit k: on the positive side of axis k
static int box_corner(const double local[3]) { return (local[0] > 0) | (local[1] > 0) << 1 | (local[2] > 0) << 2; }

static void box_face(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    static const double around[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double *half = v->shape->size;
    int k = largest(dir), i = (k + 1) % 3, j = (k + 2) % 3;
    double side = dir[k] >= 0 ? 1 : -1, local[3], normal[3] = {0};
    for (int c = 0; c < 4; c++) {
        local[k] = side * half[k];
        local[i] = around[c][0] * half[i];
        local[j] = around[c][1] * half[j];
        add_corner(p, v, box_corner(local), local);
    }
    p->face = 2 * k + (side > 0);
    normal[k] = side;
    set_normal(p, v, normal);
}

static void box_edge(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    double local[3];
    int along = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(dir[i]) < fabs(dir[along])) along = i;
    for (int i = 0; i < 3; i++) local[i] = dir[i] >= 0 ? v->shape->size[i] : -v->shape->size[i];
    for (int end = 0; end < (fabs(dir[along]) < v->perturbation ? 2 : 1); end++) {
        add_corner(p, v, box_corner(local), local);
        local[along] = -local[along];
    }
}

static void cylinder_cap(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    // eighths of a right angle: cosines of 0, 22.5, 45, 67.5 and 90 degrees
    static const double quarter[5] = {1, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977, 0};
    double radius = v->shape->size[0], side = dir[2] >= 0 ? 1 : -1;
    for (int c = 0; c < CAP_CORNERS; c++) {
        int part = c % 4, turn = c / 4;
        double x = quarter[part], y = quarter[4 - part];
        double around[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
        add_corner(p, v, c + CAP_CORNERS * (side > 0),
                   (double[3]){radius * around[turn][0], radius * around[turn][1], side * v->shape->size[1]});
    }
    p->face = side > 0;
    set_normal(p, v, (double[3]){0, 0, side});
}

// the line of the side that looks most along dir
static void cylinder_side(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    double across = sqrt(dir[0] * dir[0] + dir[1] * dir[1]), radius = v->shape->size[0], half = v->shape->size[1];
    if (!(across > 0)) return;
    double x = radius * dir[0] / across, y = radius * dir[1] / across;
    // numbered after the corners of the caps
    add_corner(p, v, 2 * CAP_CORNERS + 1, (double[3]){x, y, half});
    add_corner(p, v, 2 * CAP_CORNERS, (double[3]){x, y, -half});
}

static void segment(tx_patch *p, const tx_aspect *v) {
    add_corner(p, v, 1, (double[3]){0, 0, v->shape->size[0]});
    add_corner(p, v, 0, (double[3]){0, 0, -v->shape->size[0]});
}

//-------------------------------------------------------------------------------------------------- hulls

static bool has_edges(const tx_convex *s) { return s->core == TX_CORE_POINTS && s->first && s->neighbour; }

static void support_corner(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    if (v->shape->core == TX_CORE_POINTS) {
        int corner = tx_convex_farthest(v->shape, dir);
        add_corner(p, v, corner, tx_convex_corner(v->shape, corner));
        return;
    }
    double local[3];
    tx_core_support(v->shape, dir, local);
    add_corner(p, v, 0, local);
}

// the neighbour of a corner towards which the hull falls least, -1 when there is none; its slope
static int flattest_edge(const tx_convex *s, int corner, const double dir[3], double *slope) {
    int best = -1;
    *slope = -INFINITY;
    for (int k = s->first[corner]; k < tx_convex_edges_end(s, corner); k++) {
        double along[3];
        v3_sub(along, tx_convex_corner(s, s->neighbour[k]), tx_convex_corner(s, corner));
        double rise = v3_dot(along, dir) / v3_length(along);
        if (rise > *slope) *slope = rise, best = s->neighbour[k];
    }
    return best;
}

// a corner by its place along x
typedef struct seen {
    double x;
    int at;
} seen;

// whether corner a is left of corner b, or below it
static bool is_before(const tx_patch *p, const seen *a, const seen *b) {
    return a->x < b->x || (a->x == b->x && p->corner[a->at][1] < p->corner[b->at][1]);
}

static bool turns_left(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}

// counter-clockwise convex outline in x, y (Andrew's monotone chain)
static void outline(tx_patch *p) {
    seen sorted[TX_PATCH_CORNERS];
    const double *chain[2 * TX_PATCH_CORNERS];
    int n = p->count, count = 0;
    for (int i = 0; i < n; i++) {
        const seen next = {p->corner[i][0], i};
        int at = i;
        for (; at > 0 && is_before(p, &next, &sorted[at - 1]); at--) sorted[at] = sorted[at - 1];
        sorted[at] = next;
    }
    for (int half = 0, floor = 2; half < 2; half++, floor = count + 1) {
        for (int i = half ? n - 2 : 0; half ? i >= 0 : i < n; i += half ? -1 : 1) {
            const double *corner = p->corner[sorted[i].at];
            while (count >= floor && !turns_left(chain[count - 2], chain[count - 1], corner)) count--;
            chain[count++] = corner;
        }
    }
    p->count = count > 1 ? count - 1 : count;
    double corner[TX_PATCH_CORNERS][3];
    int number[TX_PATCH_CORNERS];
    for (int i = 0; i < p->count; i++) {
        v3_copy(corner[i], chain[i]);
        number[i] = p->number[(chain[i] - p->corner[0]) / 3];
    }
    memcpy(p->corner, corner, sizeof corner[0] * (size_t)p->count);
    memcpy(p->number, number, sizeof number[0] * (size_t)p->count);
}

static void hull_face(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    const tx_convex *s = v->shape;
    p->farthest = tx_convex_farthest(s, dir);
    const tx_facet *f = s->facets ? tx_facet_along(s->facets, p->farthest, dir) : NULL;
    if (!f) {
        add_corner(p, v, p->farthest, tx_convex_corner(s, p->farthest));
        return;
    }
    for (int i = 0; i < f->count; i++) {
        const int corner = s->facets->corner[f->first + i];
        add_corner(p, v, corner, tx_convex_corner(s, corner));
    }
    set_normal(p, v, f->normal);
    // beyond the rim all is lower along any direction within the perturbation: sin (a + b) <= sin a + sin b
    p->sharp = f->fall > sqrt(fmax(1 - p->facing * p->facing, 0)) + v->perturbation;
}

static void hull_edge(tx_patch *p, const tx_aspect *v, const double dir[3]) {
    const tx_convex *s = v->shape;
    int corner = tx_convex_farthest(s, dir);
    double slope;
    int other = flattest_edge(s, corner, dir, &slope);
    add_corner(p, v, corner, tx_convex_corner(s, corner));
    if (other >= 0 && slope > -v->perturbation) add_corner(p, v, other, tx_convex_corner(s, other));
}

//-------------------------------------------------------------------------------------------------- any shape

static void begin(tx_patch *p) {
    p->count = p->face = 0;
    p->curved = p->sharp = false;
    p->facing = -1;
    v3_zero(p->normal);
}

static int after(const tx_patch *p, int i) { return i + 1 < p->count ? i + 1 : 0; }

// counter-clockwise in x, y
static void turn_around(tx_patch *p) {
    double area = 0;
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[after(p, i)];
        area += a[0] * b[1] - a[1] * b[0];
    }
    for (int i = 0, j = p->count - 1; area < 0 && i < j; i++, j--) {
        double kept[3];
        int number = p->number[i];
        v3_copy(kept, p->corner[i]);
        v3_copy(p->corner[i], p->corner[j]);
        v3_copy(p->corner[j], kept);
        p->number[i] = p->number[j], p->number[j] = number;
    }
}

void tx_patch_face(tx_patch *out, const tx_aspect *from) {
    double dir[3];
    outlook(dir, from);
    begin(out);
    switch (from->shape->core) {
    case TX_CORE_SEGMENT: segment(out, from); break;
    case TX_CORE_BOX: box_face(out, from, dir); break;
    case TX_CORE_CYLINDER:
        if (fabs(dir[2]) > SHOWS_CAP) cylinder_cap(out, from, dir);
        else cylinder_side(out, from, dir);
        break;
    case TX_CORE_POINTS:
        if (has_edges(from->shape)) hull_face(out, from, dir);
        else support_corner(out, from, dir);
        break;
    default: support_corner(out, from, dir);
    }
    turn_around(out);
}

// how far the normal is turned along x and y
static const double WAYS[TX_PATCH_WAYS][2] = {{1, 0},  {.7, .7},   {0, 1},  {-.7, .7},
                                              {-1, 0}, {-.7, -.7}, {0, -1}, {.7, -.7}};

// beginning at the farthest corner along the normal itself
static void add_perturbed(tx_patch *p, const tx_aspect *v, int corner) {
    const int before = p->count;
    for (int i = 0; i < TX_PATCH_WAYS && p->count < TX_PATCH_CORNERS; i++) {
        double dir[3];
        outlook(dir, v);
        for (int k = 0; k < 2; k++) v3_along(dir, dir, v->turn + 3 * k, v->perturbation * WAYS[i][k]);
        corner = tx_convex_farthest_from(v->shape, dir, corner);
        int at = 0;
        while (at < p->count && p->number[at] != corner) at++;
        if (at == p->count) add_corner(p, v, corner, tx_convex_corner(v->shape, corner));
        v3_copy(p->tip[i], p->corner[at]);
    }
    // what there was is an outline already
    if (p->count > before) outline(p);
}

void tx_patch_widen(tx_patch *face, const tx_aspect *from) {
    if (has_edges(from->shape) && !face->sharp) add_perturbed(face, from, face->farthest);
}

// whether a corner of the polygon is below the plane of a face
static bool leaves(const tx_patch *polygon, const tx_patch *face) {
    for (int i = 0; i < polygon->count; i++) {
        double away[3];
        v3_sub(away, polygon->corner[i], face->corner[0]);
        if (v3_dot(away, face->normal) < -COPLANAR * v3_length(away)) return true;
    }
    return false;
}

bool tx_patch_curve(tx_patch *around, const tx_patch *face, const tx_aspect *from) {
    bool flat = tx_patch_faces(face, from->perturbation);
    if (!has_edges(from->shape) || (flat && face->sharp && !leaves(face, face))) return false;
    begin(around);
    if (flat) *around = *face;
    add_perturbed(around, from, face->farthest);
    around->curved = true;
    return flat ? leaves(around, face) : around->count > 2;
}

// at the place of an edge that is nearest to (x, y)
static double edge_height(const tx_patch *p, double x, double y) {
    const double *a = p->corner[0];
    double side[3];
    v3_sub(side, p->corner[p->count - 1], a);
    double square = side[0] * side[0] + side[1] * side[1], along = side[0] * (x - a[0]) + side[1] * (y - a[1]);
    return a[2] + side[2] * (square > 0 ? v3_clamp(along / square, 0, 1) : 0);
}

double tx_patch_height(const tx_patch *p, const tx_aspect *from, double middle, double x, double y) {
    const double *n = p->normal, side = from->side;
    double height = side * middle;
    if (p->count < 3) height = fmin(height, side * edge_height(p, x, y));
    if (p->facing > 0) height = fmin(height, side * (p->level - n[0] * x - n[1] * y) / n[2]);
    for (int i = 0; p->curved && i < TX_PATCH_WAYS; i++) {
        const double *tip = p->tip[i];
        double rise = WAYS[i][0] * (tip[0] - x) + WAYS[i][1] * (tip[1] - y);
        height = fmin(height, side * tip[2] + from->perturbation * rise);
    }
    return side * height;
}

void tx_patch_edge(tx_patch *out, const tx_aspect *from) {
    double dir[3];
    outlook(dir, from);
    begin(out);
    switch (from->shape->core) {
    case TX_CORE_SEGMENT:
        if (fabs(dir[2]) < from->perturbation) segment(out, from);
        break;
    case TX_CORE_BOX: box_edge(out, from, dir); break;
    case TX_CORE_CYLINDER:
        if (fabs(dir[2]) < from->perturbation) cylinder_side(out, from, dir);
        break;
    case TX_CORE_POINTS:
        if (has_edges(from->shape)) hull_edge(out, from, dir);
        break;
    default: break;
    }
    if (!out->count) support_corner(out, from, dir);
}

uint32_t tx_patch_part(const tx_patch *p, double x, double y, double near) {
    double nearest = near * near;
    uint32_t part = tx_part_face(p->face);
    for (int i = 0; i < p->count; i++) {
        const double from[2] = {x - p->corner[i][0], y - p->corner[i][1]};
        if (from[0] * from[0] + from[1] * from[1] <= nearest) return tx_part_corner(p->number[i]);
    }
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[after(p, i)];
        const double from[2] = {x - a[0], y - a[1]}, side[2] = {b[0] - a[0], b[1] - a[1]};
        const double across = side[0] * from[1] - side[1] * from[0], length = side[0] * side[0] + side[1] * side[1];
        if (!(across * across <= nearest * length) || !(length > 0)) continue;
        nearest = across * across / length;
        part = tx_part_between(p->number[i], p->number[after(p, i)]);
    }
    return part;
}
