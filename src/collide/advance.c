// advance.c - when two convex shapes that are apart will meet: conservative advancement.
//
// No point of a shape moves faster along an axis than its frame does and its ball turns. So two shapes that are `dist`
// apart along their separating axis n are apart until they have closed that distance at the rate
// n.(step_a - step_b) + |turn_a| r_a + |turn_b| r_b, and may be moved on so far at once. MuJoCo 4.0 stops a fiftieth of
// the first distance before they touch, and so do we.
#include "collide/advance.h"

#include <math.h>
#include <string.h>

#define TX_LANES 2 // for sines, the narrowest vector

#include "collide/convex.h"
#include "collide/pair_input.h"
#include "geometry/obb.h"
#include "lane/trig.h"

enum { MOST_ADVANCES = 50 };
#define LEFT_OVER 0.02 // share of the first distance that is left
#define NEARLY    0.01 // and that may be left beside it
#define SLOPE     0.1  // of a face that arrives as a whole: how much farther than the nearest point its others are

bool tx_can_advance(int type) { return type == TX_GEOM_PLANE || (type >= TX_GEOM_SPHERE && type <= TX_GEOM_MESH); }

// a ball about the origin of the frame
static double radius_of(const tx_shape *s, const tx_bounds *box) {
    double corner[3];
    switch (s->type) {
    case TX_GEOM_SPHERE: return s->size[0];
    case TX_GEOM_CAPSULE: return s->size[0] + s->size[1];
    case TX_GEOM_ELLIPSOID: return fmax(s->size[0], fmax(s->size[1], s->size[2]));
    case TX_GEOM_CYLINDER: return sqrt(s->size[0] * s->size[0] + s->size[1] * s->size[1]);
    default:
        for (int k = 0; k < 3; k++) corner[k] = fabs(box->centre[k]) + box->half[k];
        return v3_length(corner);
    }
}

tx_mover tx_mover_make(const tx_shape *shape, const double velocity[6], double ahead, const tx_bounds *bounds) {
    tx_mover m = {.shape = *shape, .narrow_half = INFINITY};
    v3_scale(m.step, velocity, ahead);
    // a ball is the same however it is turned
    if (shape->type != TX_GEOM_SPHERE) v3_scale(m.turn, velocity + 3, ahead);
    if (bounds) {
        m.radius = radius_of(shape, bounds);
        m.narrow_half = fmin(bounds->half[0], fmin(bounds->half[1], bounds->half[2]));
    }
    m.sweep = v3_length(m.step) + v3_length(m.turn) * m.radius;
    return m;
}

bool tx_movers_are_fast(const tx_mover *a, const tx_mover *b) {
    return fmax(a->sweep, b->sweep) > fmin(a->narrow_half, b->narrow_half);
}

void tx_mover_see_plane(tx_mover *plane, const tx_mover *other) {
    double apart[3];
    v3_sub(apart, other->shape.pos, plane->shape.pos);
    plane->radius = v3_length(plane->turn) > 0 ? v3_length(apart) + other->radius + other->sweep : 0;
    plane->sweep = v3_length(plane->step) + v3_length(plane->turn) * plane->radius;
}

// a mover at a moment of the time
typedef struct pose {
    double pos[3], mat[9], turned[9]; // turned: the rotation since now
} pose;

// the rotation by a vector (Rodrigues)
static void rotation(double out[9], const double turn[3]) {
    const double angle = v3_length(turn);
    real s, c;
    lane_sincos(splat(angle), &s, &c);
    const double along = angle > 1e-8 ? lane_get(s, 0) / angle : 1;
    const double square = angle > 1e-4 ? (1 - lane_get(c, 0)) / (angle * angle) : 0.5 - angle * angle / 24;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            out[3 * r + k] = square * turn[r] * turn[k] + (r == k ? 1 - square * angle * angle : 0);
    out[1] -= along * turn[2], out[2] += along * turn[1], out[5] -= along * turn[0];
    out[3] += along * turn[2], out[6] -= along * turn[1], out[7] += along * turn[0];
}

static pose pose_at(const tx_mover *m, double t) {
    pose p;
    double turn[3], column[3], turned[3];
    v3_along(p.pos, m->shape.pos, m->step, t);
    v3_scale(turn, m->turn, t);
    rotation(p.turned, turn);
    for (int k = 0; k < 3; k++) {
        m3_column(column, m->shape.mat, k);
        m3_mul(turned, p.turned, column);
        for (int r = 0; r < 3; r++) p.mat[3 * r + k] = turned[r];
    }
    return p;
}

// a point of a mover at that moment, where it is now
static void bring_back(const tx_mover *m, const pose *p, const double point[3], double out[3]) {
    double arm[3];
    v3_sub(arm, point, p->pos);
    m3_mul_transposed(out, p->turned, arm);
    v3_add(out, out, m->shape.pos);
}

// the two as convex shapes; of a plane nothing is kept but its pose
typedef struct convex_pair {
    tx_convex a, b;
    bool plane;
} convex_pair;

static bool convex_of(const tx_mover *a, const tx_mover *b, convex_pair *out) {
    out->plane = a->shape.type == TX_GEOM_PLANE;
    return (out->plane ? shape_usable(&a->shape, 0) : tx_convex_from_shape(&out->a, &a->shape)) &&
           tx_convex_from_shape(&out->b, &b->shape);
}

static double above_plane(const tx_convex *shape, const double point[3], const double normal[3]) {
    double down[3], way[3], core[3], place[3];
    v3_scale(down, normal, -1);
    m3_mul_transposed(way, shape->mat, down);
    tx_core_support(shape, way, core);
    m3_mul(place, shape->mat, core);
    v3_add(place, place, shape->pos);
    v3_sub(place, place, point);
    return v3_dot(place, normal) - shape->radius;
}

// distance and normal at a moment; false: farther apart than the limit, or no distance
static bool separation(convex_pair *c, const pose *a, const pose *b, double limit, double *dist, double normal[3]) {
    tx_convex_result result;
    memcpy(c->b.pos, b->pos, sizeof b->pos), memcpy(c->b.mat, b->mat, sizeof b->mat);
    if (c->plane) {
        m3_column(normal, a->mat, 2);
        *dist = above_plane(&c->b, a->pos, normal);
        return *dist <= limit;
    }
    memcpy(c->a.pos, a->pos, sizeof a->pos), memcpy(c->a.mat, a->mat, sizeof a->mat);
    if (!tx_convex_distance(&c->a, &c->b, limit, &result) || result.beyond) return false;
    *dist = result.dist;
    v3_copy(normal, result.normal);
    return true;
}

// the moment at which they are all but `margin` apart; false: they do not get there. left: how far they are apart then
static bool find_moment(const tx_mover *a, const tx_mover *b, double margin, double *moment, double *left,
                        double *closing) {
    convex_pair convex;
    if (!convex_of(a, b, &convex)) return false;
    const double turning = v3_length(a->turn) * a->radius + v3_length(b->turn) * b->radius;
    const double limit = margin + a->sweep + b->sweep;
    double t = 0, start = margin, target = margin, enough = margin;
    for (int i = 0; i < MOST_ADVANCES; i++) {
        double dist, normal[3], between[3];
        const pose at_a = pose_at(a, t), at_b = pose_at(b, t);
        if (!separation(&convex, &at_a, &at_b, i == 0 ? limit : INFINITY, &dist, normal)) return false;
        if (i == 0) {
            if (!(dist > margin)) return false;
            start = dist;
            target = margin + LEFT_OVER * (dist - margin), enough = target + NEARLY * (dist - margin);
        }
        *moment = t, *left = dist;
        if (i > 0) *closing = (start - dist) / t;
        if (i > 0 && dist <= enough) return *closing > 0;
        v3_sub(between, a->step, b->step);
        const double rate = v3_dot(between, normal) + turning;
        if (!(rate > 0)) return false;
        t += (dist - target) / rate;
        if (!(t < 1)) return false;
    }
    return *closing > 0; // hardly nearer with every step: what has been found is on the safe side
}

static int nearest_of(const tx_hit *hits, int count) {
    int nearest = 0;
    for (int i = 1; i < count; i++)
        if (hits[i].dist < hits[nearest].dist) nearest = i;
    return nearest;
}

int tx_advance(const tx_mover *a, const tx_mover *b, double margin, const tx_narrow *how, tx_hit *hits, double *between,
               double *closing) {
    double t, left;
    if (!find_moment(a, b, margin, &t, &left, closing)) return 0;
    const pose at_a = pose_at(a, t), at_b = pose_at(b, t);
    tx_shape then_a = a->shape, then_b = b->shape;
    then_a.pos = at_a.pos, then_a.mat = at_a.mat, then_b.pos = at_b.pos, then_b.mat = at_b.mat;
    const double whole = a->sweep + b->sweep, share = whole > 0 ? a->sweep / whole : 0.5;
    tx_narrow alone = *how;
    alone.axis = NULL;
    const double radius = a->shape.type == TX_GEOM_PLANE ? b->radius : fmin(a->radius, b->radius);
    const double reach = left + fmin((1 - t) * whole, 2 * SLOPE * radius);
    const int count = tx_pair_hits(&then_a, &then_b, reach, &alone, hits);
    if (count == 0) return 0;
    const tx_hit nearest = hits[nearest_of(hits, count)];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        tx_hit hit = hits[i];
        double aside[3];
        v3_sub(aside, hit.pos, nearest.pos);
        if (hit.dist - nearest.dist > SLOPE * v3_length(aside)) continue;
        double on[3], *place_a = between + 6 * kept, *place_b = place_a + 3;
        v3_along(on, hit.pos, hit.normal, -0.5 * hit.dist);
        bring_back(a, &at_a, on, place_a);
        v3_along(on, hit.pos, hit.normal, 0.5 * hit.dist);
        bring_back(b, &at_b, on, place_b);
        for (int k = 0; k < 3; k++) hit.pos[k] = share * place_a[k] + (1 - share) * place_b[k];
        hit.dist = margin + t * *closing;
        hits[kept++] = hit;
    }
    return kept;
}
