// pair_sdf.c - meshes of any shape, by their signed distance fields. The corners and edges of one shape are held
// against the distance of the other, then the other way round; round shapes by their middle or axis. See
// docs/terrain-and-sdf.md.
#include "collide/convex.h"
#include "collide/thin.h"
#include "collide/implicit.h"
#include "collide/pair_input.h"
#include "geometry/mass.h"

tx_pair_fn tx_pair_plane_sdf, tx_pair_sphere_sdf, tx_pair_capsule_sdf, tx_pair_ellipsoid_sdf, tx_pair_cylinder_sdf,
    tx_pair_box_sdf, tx_pair_mesh_sdf, tx_pair_sdf_sdf;

enum { MOST_SAMPLES = 64, THIRDS = 6, STARTS = 14, TURNS = 12 };
// a gradient shorter than this stands between two ways out
static const double CLEAR = 0.5;
// a lowest point that still moves by less than this part of its shape is one
static const double DRIFT = 0.15;

// points of one shape held against another; everything in the world's frame
typedef struct probe {
    const tx_shape *from, *target;
    double sign; // of the normal from shape a to shape b: -1 when the points are those of a
    double margin;
    double step;              // distance of samples [m]
    double same;              // points nearer than this are one [m]
    double box[3];            // half sizes of a box around the target, in its frame
    double turn[9], shift[3]; // from the frame of the points to that of the target
    tx_hits *hits;
} probe;

// gradient may be null
static double value_at(const probe *p, const double at[3], double gradient[3]) {
    double offset[3], local[3], slope[3];
    v3_sub(offset, at, p->target->pos);
    m3_mul_transposed(local, p->target->mat, offset);
    double value = tx_implicit(p->target, local, gradient ? slope : NULL);
    if (gradient) m3_mul(gradient, p->target->mat, slope);
    return value;
}

// which points a probe has: a corner (vertex, end), what is left or lowest of an edge, or what a search has found
typedef struct label {
    uint32_t of_points, of_target;
} label;

static label corner_label(int i) { return (label){tx_part_corner(i), tx_part_face(0)}; }

// a point with a radius: a hit when it is nearer than the margin
static void add(const probe *p, const double at[3], double radius, double value, const double gradient[3], label l) {
    double out[3], dist = value - radius, length = v3_length(gradient);
    if (!(dist < p->margin) || !(length > CLEAR)) return;
    v3_scale(out, gradient, 1 / length);
    tx_hit hit = {.dist = dist,
                  .feature = p->sign < 0 ? tx_feature(l.of_points, l.of_target) : tx_feature(l.of_target, l.of_points)};
    v3_scale(hit.normal, out, p->sign);
    // midway between the two surfaces
    v3_along(hit.pos, at, out, -(radius + dist / 2));
    tx_hits_add(p->hits, &hit, p->same);
}

static void touch(const probe *p, const double at[3], double radius, label l) {
    double gradient[3];
    // most points are far away
    if (!(value_at(p, at, NULL) - radius < p->margin)) return;
    double value = value_at(p, at, gradient);
    add(p, at, radius, value, gradient, l);
}

static void to_world(const tx_shape *s, const double local[3], double out[3]) {
    m3_mul(out, s->mat, local);
    v3_add(out, out, s->pos);
}

// ---- edges ---------------------------------------------------------------------------------------------------------

static double value_along(const probe *p, const double a[3], const double way[3], double t) {
    double at[3];
    v3_along(at, a, way, t);
    return value_at(p, at, NULL);
}

// the least value between two samples, by thirds: a tenth of their distance is near enough, the depth errs by its
// square
static void touch_lowest(const probe *p, const double a[3], const double way[3], double low, double high, double radius,
                         label l) {
    for (int i = 0; i < THIRDS; i++) {
        double third = (high - low) / 3;
        bool left = value_along(p, a, way, low + third) < value_along(p, a, way, high - third);
        *(left ? &high : &low) = left ? high - third : low + third;
    }
    double at[3];
    v3_along(at, a, way, (low + high) / 2);
    touch(p, at, radius, l);
}

// an edge with a radius: of every part below the margin its two ends and its lowest point, each named by its sample
static void touch_edge(const probe *p, const double a[3], const double b[3], double radius, uint32_t edge) {
    double way[3], value[MOST_SAMPLES + 1];
    v3_sub(way, b, a);
    double length = v3_length(way), near = p->margin + radius;
    int count = 1 + (int)fmin(length / p->step, MOST_SAMPLES - 1);
    if (count < 2) count = 2;
    for (int i = 0; i <= count; i++) value[i] = value_along(p, a, way, (double)i / count);

    for (int i = 0; i <= count; i++) {
        double at[3], t = (double)i / count;
        bool before = i > 0 && value[i - 1] < near, after = i < count && value[i + 1] < near;
        if (value[i] < near && !(before && after)) {
            v3_along(at, a, way, t);
            touch(p, at, radius, (label){edge, tx_part_place(2 * i)});
        }
        // a valley may hide between samples that are both above the margin
        bool valley = i > 0 && i < count && value[i] <= value[i - 1] && value[i] < value[i + 1];
        if (valley && value[i] < near + length / count)
            touch_lowest(p, a, way, t - 1.0 / count, t + 1.0 / count, radius, (label){edge, tx_part_place(2 * i + 1)});
    }
}

// ---- corners and edges of a shape ----------------------------------------------------------------------------------

// A point of the shape's own frame in the frame of the target; false when it, with all around it as far as `more`, is
// beyond the margin.
static bool bring_near(const probe *p, const double local[3], double more, double out[3]) {
    double room = p->margin + more;
    m3_mul(out, p->turn, local);
    v3_add(out, out, p->shift);
    return fabs(out[0]) < p->box[0] + room && fabs(out[1]) < p->box[1] + room && fabs(out[2]) < p->box[2] + room;
}

static void touch_corner(const probe *p, int number, const double local[3]) {
    double near[3], at[3];
    if (!bring_near(p, local, 0, near) || !(tx_implicit(p->target, near, NULL) < p->margin)) return;
    to_world(p->from, local, at);
    touch(p, at, 0, corner_label(number));
}

static void touch_local_edge(const probe *p, uint32_t edge, const double a[3], const double b[3]) {
    double way[3], middle[3], near[3], from[3], to[3];
    v3_sub(way, b, a);
    double length = v3_length(way);
    v3_along(middle, a, way, 0.5);
    // short edges are as good as their corners
    if (!(length > p->step) || !bring_near(p, middle, length / 2, near)) return;
    // distances change by no more than the way, and a little by interpolation
    if (tx_implicit(p->target, near, NULL) > p->margin + length / 2 + p->step / 4) return;
    to_world(p->from, a, from);
    to_world(p->from, b, to);
    touch_edge(p, from, to, 0, edge);
}

static void box_corner(const double half[3], int i, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = i >> k & 1 ? half[k] : -half[k];
}

static void touch_box(const probe *p) {
    double a[3], b[3];
    for (int i = 0; i < 8; i++) {
        box_corner(p->from->size, i, a);
        touch_corner(p, i, a);
        for (int k = 0; k < 3; k++) {
            if (i >> k & 1) continue;
            box_corner(p->from->size, i | 1 << k, b);
            touch_local_edge(p, tx_part_box_edge(k, i), a, b);
        }
    }
}

// eight points of each rim
static void touch_rims(const probe *p) {
    static const double C[8] = {1,  0.7071067811865476,  0, -0.7071067811865476,
                                -1, -0.7071067811865476, 0, 0.7071067811865476};
    const double radius = p->from->size[0];
    for (int i = 0; i < 16; i++) {
        double point[3] = {radius * C[i % 8], radius * C[(i + 6) % 8], i < 8 ? p->from->size[1] : -p->from->size[1]};
        touch_corner(p, i, point);
    }
}

// triangles given by three places each; `corner` (may be null) says which vertex a place is
static void touch_triangles(const probe *p, const double *vertex, const int *corner, const int *face, int faces) {
    for (int i = 0; i < faces; i++)
        for (int k = 0; k < 3; k++) {
            int a = face[3 * i + k], b = face[3 * i + (k + 1) % 3];
            // every edge has a triangle on each side: one of them is enough
            if (a < b)
                touch_local_edge(p, tx_part_edge(3 * i + k), vertex + 3 * (corner ? corner[a] : a),
                                 vertex + 3 * (corner ? corner[b] : b));
        }
}

static void touch_mesh(const probe *p) {
    const tx_asset *m = p->from->asset;
    bool hull = p->from->type == TX_GEOM_MESH;
    int count = hull ? m->corner_count : m->vertex_count;
    for (int i = 0; i < count; i++) touch_corner(p, i, m->vertex + 3 * (hull ? m->corner[i] : i));
    if (hull) touch_triangles(p, m->vertex, m->corner, m->face, m->face_count);
    else touch_triangles(p, m->vertex, NULL, m->surface, m->surface_count);
}

// ---- round shapes --------------------------------------------------------------------------------------------------

// A point of a convex shape that is lowest in the target's distance is the farthest one against the gradient there:
// the iteration x = support(-gradient(x)) from several sides finds those points. Where the two surfaces are nearly
// parallel it may drift along them for ever: any place is good then. size: of the shape; apart: least angle (cosine) to
// the normals of the hits before; first: number of the first start
static void touch_supports(const probe *p, const tx_convex *shape, double size, double apart, int first) {
    const int known = p->hits->count;
    for (int i = 0; i < STARTS; i++) {
        double direction[3] = {0}, x[3] = {0}, gradient[3] = {0}, value = INFINITY, move = INFINITY;
        if (i < 6) direction[i / 2] = i % 2 ? 1 : -1;
        else
            for (int k = 0; k < 3; k++) direction[k] = (i - 6) >> k & 1 ? 1 : -1;
        double share = 1; // of the new direction: less where the steps do not become shorter
        for (int turn = 0; turn < TURNS && move > 1e-6 * p->step; turn++) {
            double local[3], point[3], next[3], way[3];
            v3_normalise(direction);
            m3_mul_transposed(local, shape->mat, direction);
            tx_core_support(shape, local, point);
            m3_mul(next, shape->mat, point);
            v3_add(next, next, shape->pos);
            v3_along(next, next, direction, shape->radius);
            v3_sub(way, next, x);
            double length = v3_length(way);
            if (turn > 1 && length > 0.7 * move) share /= 2;
            if (turn > 0) move = length;
            v3_copy(x, next);
            value = value_at(p, x, gradient);
            if (!(v3_length(gradient) > CLEAR)) break;
            for (int k = 0; k < 3; k++) direction[k] -= share * (direction[k] + gradient[k]);
        }
        bool fresh = move < DRIFT * size && value < p->margin;
        for (int k = 0; k < known && fresh; k++)
            fresh = p->sign * v3_dot(gradient, p->hits->item[k].normal) < apart * v3_length(gradient);
        if (fresh) add(p, x, 0, value, gradient, (label){tx_part_place(first + i), tx_part_face(0)});
    }
}

// the ball at its middle, and other places where it touches; number: which ball of its shape it is
static void touch_ball(const probe *p, int number, const double centre[3], double radius) {
    touch(p, centre, radius, corner_label(number));
    tx_convex ball = {.core = TX_CORE_POINT, .radius = radius, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    v3_copy(ball.pos, centre);
    touch_supports(p, &ball, radius, 0.9, STARTS * number);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

static bool has_field(const tx_shape *s) {
    return s->asset && s->asset->sdf.value && s->asset->sdf.cell > 1 / TX_LONGEST;
}

static bool usable(const tx_shape *a, int sizes, const tx_shape *b, double margin) {
    return shape_usable(a, sizes) && shape_usable(b, 3) && isfinite(margin) && has_field(b);
}

// points of a (or, backwards, of b) against the other one
static probe start(const tx_shape *a, const tx_shape *b, bool backwards, double margin, tx_hits *hits) {
    const tx_shape *from = backwards ? b : a, *target = backwards ? a : b;
    double cell = b->asset->sdf.cell;
    if (has_field(target)) cell = fmin(cell, target->asset->sdf.cell);
    probe p = {.from = from,
               .target = target,
               .sign = backwards ? 1 : -1,
               .margin = margin,
               .step = 2 * cell,
               .same = cell / 2,
               .hits = hits};
    // a cylinder's sizes are radius and half length
    bool round = target->type == TX_GEOM_CYLINDER;
    v3_set(p.box, target->size[0], round ? target->size[0] : target->size[1], target->size[round ? 1 : 2]);
    double offset[3];
    v3_sub(offset, from->pos, target->pos);
    m3_mul_transposed(p.shift, target->mat, offset);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p.turn[3 * i + j] = target->mat[i] * from->mat[j] + target->mat[3 + i] * from->mat[3 + j] +
                                target->mat[6 + i] * from->mat[6 + j];
    return p;
}

static int finish(tx_hits *list, tx_hit *hits) {
    tx_hits_keep(list, TX_MAX_HITS);
    for (int i = 0; i < list->count; i++) hits[i] = list->item[i];
    return list->count;
}

// all vertices against the plane
int tx_pair_plane_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!usable(a, 0, b, margin)) return 0;
    tx_hits list;
    list.count = 0;
    double normal[3], offset[3], local[3];
    m3_column(normal, a->mat, 2);
    v3_sub(offset, b->pos, a->pos);
    m3_mul_transposed(local, b->mat, normal);
    double height = v3_dot(offset, normal);
    for (int i = 0; i < b->asset->vertex_count; i++) {
        const double *v = b->asset->vertex + 3 * i;
        double dist = height + v3_dot(v, local), at[3];
        if (!(dist < margin)) continue;
        tx_hit hit = {.dist = dist, .feature = tx_feature(tx_part_face(0), tx_part_corner(i))};
        to_world(b, v, at);
        v3_along(hit.pos, at, normal, -dist / 2);
        v3_copy(hit.normal, normal);
        tx_hits_add(&list, &hit, b->asset->sdf.cell / 2);
    }
    return finish(&list, hits);
}

int tx_pair_sphere_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!usable(a, 1, b, margin)) return 0;
    tx_hits list;
    list.count = 0;
    probe p = start(a, b, false, margin, &list);
    // interpolation may change distances a little
    if (value_at(&p, a->pos, NULL) > a->size[0] + margin + p.step) return 0;
    touch_ball(&p, 0, a->pos, a->size[0]);
    return finish(&list, hits);
}

// the axis with its radius, then balls at its ends
int tx_pair_capsule_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!usable(a, 2, b, margin)) return 0;
    tx_hits list;
    list.count = 0;
    probe p = start(a, b, false, margin, &list);
    double axis[3], ends[2][3];
    m3_column(axis, a->mat, 2);
    for (int i = 0; i < 2; i++) v3_along(ends[i], a->pos, axis, i ? a->size[1] : -a->size[1]);
    if (value_at(&p, a->pos, NULL) > a->size[0] + a->size[1] + margin + p.step) return 0;
    touch_edge(&p, ends[0], ends[1], a->size[0], tx_part_between(0, 1));
    for (int i = 0; i < 2; i++) touch_ball(&p, i, ends[i], a->size[0]);
    return finish(&list, hits);
}

// a shape with a support map: its own lowest points, its corners and edges, then those of the field's surface
static int convex_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    tx_hits list;
    list.count = 0;
    probe p = start(a, b, false, margin, &list), back = start(a, b, true, margin, &list);
    if (value_at(&p, a->pos, NULL) > tx_shape_radius(a->type, a->size) + margin + p.step) return 0;
    tx_convex shape;
    if (!tx_convex_from_shape(&shape, a)) return 0;
    if (a->type == TX_GEOM_BOX) touch_box(&p);
    else if (a->type == TX_GEOM_MESH) touch_mesh(&p);
    else touch_supports(&p, &shape, tx_shape_radius(a->type, a->size), 2, 0);
    if (a->type == TX_GEOM_CYLINDER) touch_rims(&p);
    touch_mesh(&back);
    return finish(&list, hits);
}

int tx_pair_ellipsoid_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return usable(a, 3, b, margin) ? convex_sdf(a, b, margin, hits) : 0;
}
int tx_pair_cylinder_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return usable(a, 2, b, margin) ? convex_sdf(a, b, margin, hits) : 0;
}
int tx_pair_box_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return usable(a, 3, b, margin) ? convex_sdf(a, b, margin, hits) : 0;
}
int tx_pair_mesh_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return usable(a, 3, b, margin) && a->asset ? convex_sdf(a, b, margin, hits) : 0;
}

int tx_pair_sdf_sdf(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!usable(a, 3, b, margin) || !has_field(a)) return 0;
    tx_hits list;
    list.count = 0;
    probe p = start(a, b, false, margin, &list), back = start(a, b, true, margin, &list);
    touch_mesh(&p);
    touch_mesh(&back);
    return finish(&list, hits);
}
