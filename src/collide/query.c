// query.c - one environment's geoms taken out of their lanes one at a time, and asked.
#include "collide/query.h"

#include <math.h>

#include "collide/asset.h"
#include "collide/convex.h"
#include "collide/ray.h"
#include "geometry/mass.h"
#include "geometry/vec3.h"

// of the smaller radius: how near shapes that are not convex are looked for first
#define LEAST_MARGIN 0.01

// ---- geoms ----------------------------------------------------------------------------------------------------------

// a geom with its numbers
typedef struct geom {
    double size[3], pos[3], mat[9];
    tx_shape shape; // points to them
    tx_asset asset;
    double radius; // of the bounding sphere; infinite for planes
} geom;

static void take_geom(const tx_block *b, int lane, int i, geom *g) {
    const tx_model *m = b->m;
    for (int k = 0; k < 3; k++) {
        g->size[k] = tx_lane(b, b->param.geom_size, 3 * i + k, lane);
        g->pos[k] = tx_lane(b, b->geom_xpos, 3 * i + k, lane);
    }
    for (int k = 0; k < 9; k++) g->mat[k] = tx_lane(b, b->geom_xmat, 9 * i + k, lane);
    g->shape = (tx_shape){m->geom_type[i], g->size, g->pos, g->mat, tx_asset_of(m, i, &g->asset) ? &g->asset : NULL};
    g->radius = m->geom_type[i] == TX_GEOM_PLANE ? INFINITY : tx_shape_radius(m->geom_type[i], g->size);
    if (m->geom_type[i] == TX_GEOM_HFIELD) {
        const double *s = g->asset.heights.size;
        g->radius = sqrt(s[0] * s[0] + s[1] * s[1] + fmax(s[2], s[3]) * fmax(s[2], s[3]));
    }
}

// a mesh is the hull of its vertices, also one that was never meant to collide; false: the shape is not convex
static bool convex_of(const geom *g, tx_convex *out) {
    if (g->shape.type != TX_GEOM_MESH || g->asset.corner_count) return tx_convex_from_shape(out, &g->shape);
    if (!g->shape.asset) return false;
    *out = (tx_convex){0};
    v3_copy(out->pos, g->pos);
    for (int k = 0; k < 9; k++) out->mat[k] = g->mat[k];
    tx_convex_take_asset(out, &g->asset);
    return true;
}

static bool wanted(const tx_model *m, const tx_query_filter *f, int i) {
    int body = m->geom_body[i], group = m->geom_group[i] < 0 ? 0 : m->geom_group[i] > 5 ? 5 : m->geom_group[i];
    return (f->groups >> group & 1) && body != f->exclude_body && (f->fixed || m->body_weld[body] != 0) &&
           (f->invisible || m->geom_rgba[4 * i + 3] != 0);
}

// ---- rays -----------------------------------------------------------------------------------------------------------

// whether a ray comes as near to the geom's centre as its bounding sphere, with something to spare for rounding
static bool may_meet(const geom *g, const double origin[3], const double direction[3]) {
    double to[3], radius = g->radius * (1 + 1e-9);
    v3_sub(to, g->pos, origin);
    double along = v3_dot(to, direction), square = v3_dot(to, to);
    double slack = 1e-12 * square;
    if (along < 0 && square > radius * radius + slack) return false;
    v3_along(to, to, direction, -along);
    return v3_dot(to, to) <= radius * radius + slack;
}

void tx_query_rays(const tx_block *b, int lane, const tx_query_filter *filter, int count, const double *origins,
                   const double *directions, tx_ray_hit *hits) {
    for (int r = 0; r < count; r++) hits[r] = (tx_ray_hit){.geom = -1};
    for (int i = 0; i < b->m->ngeom; i++) {
        if (!wanted(b->m, filter, i)) continue;
        geom g;
        take_geom(b, lane, i, &g);
        for (int r = 0; r < count; r++) {
            const double *origin = origins + 3 * (size_t)r, *direction = directions + 3 * (size_t)r;
            if (!may_meet(&g, origin, direction)) continue;
            double normal[3], t = tx_ray_shape(&g.shape, origin, direction, normal);
            if (!(t >= 0) || (hits[r].geom >= 0 && !(t < hits[r].distance))) continue;
            hits[r].geom = i;
            hits[r].distance = t;
            v3_along(hits[r].point, origin, direction, t);
            v3_copy(hits[r].normal, normal);
        }
    }
}

// ---- distances ------------------------------------------------------------------------------------------------------

// from the plane to the shape's lowest point
static void plane_distance(const geom *plane, const tx_convex *shape, tx_distance *out) {
    double down[3], low[3], offset[3];
    m3_column(out->normal, plane->mat, 2);
    m3_mul_transposed(down, shape->mat, out->normal);
    v3_scale(down, down, -1);
    tx_core_support(shape, down, low);
    m3_mul(out->point[1], shape->mat, low);
    v3_add(out->point[1], out->point[1], shape->pos);
    v3_along(out->point[1], out->point[1], out->normal, -shape->radius);
    v3_sub(offset, out->point[1], plane->pos);
    out->distance = v3_dot(offset, out->normal);
    v3_along(out->point[0], out->point[1], out->normal, -out->distance);
}

// the second seen from the first
static void turn_round(tx_distance *d) {
    double first[3];
    v3_copy(first, d->point[0]);
    v3_copy(d->point[0], d->point[1]);
    v3_copy(d->point[1], first);
    v3_scale(d->normal, d->normal, -1);
}

static bool convex_distance(const tx_convex *a, const tx_convex *b, double max, tx_distance *out) {
    tx_convex_result found;
    if (!tx_convex_distance(a, b, max, &found)) return false;
    out->distance = found.dist;
    out->beyond = found.beyond;
    v3_copy(out->point[0], found.on_a);
    v3_copy(out->point[1], found.on_b);
    v3_copy(out->normal, found.normal);
    return true;
}

// Shapes that are not convex: the deepest point of contact of the narrow phase, whose margin grows until there is one
static bool contact_distance(const geom *a, const geom *b, double max, tx_distance *out) {
    bool turned = a->shape.type > b->shape.type;
    tx_pair_fn *pair = tx_pair_function(a->shape.type, b->shape.type);
    if (!pair) return false;
    const tx_shape *first = turned ? &b->shape : &a->shape, *second = turned ? &a->shape : &b->shape;
    double apart[3];
    v3_sub(apart, a->pos, b->pos);
    // no two points of them are farther apart than that
    double most = fmin(max, v3_length(apart) + a->radius + b->radius);
    double margin = fmin(most, fmax(LEAST_MARGIN * fmin(a->radius, b->radius), 1e-9));
    out->beyond = true;
    for (bool more = true; more && out->beyond; margin = fmin(4 * margin, most)) {
        tx_hit hits[TX_MAX_HITS];
        int count = pair(first, second, nextafter(margin, INFINITY), hits);
        more = margin < most;
        for (int i = 0; i < count; i++) {
            if (!out->beyond && !(hits[i].dist < out->distance)) continue;
            out->beyond = false;
            out->distance = hits[i].dist;
            v3_copy(out->normal, hits[i].normal);
            v3_along(out->point[0], hits[i].pos, hits[i].normal, -hits[i].dist / 2);
            v3_along(out->point[1], hits[i].pos, hits[i].normal, hits[i].dist / 2);
        }
    }
    if (turned) turn_round(out);
    return true;
}

bool tx_query_distance(const tx_block *b, int lane, int geom1, int geom2, double max, tx_distance *out) {
    geom g[2];
    tx_convex convex[2];
    take_geom(b, lane, geom1, &g[0]);
    take_geom(b, lane, geom2, &g[1]);
    bool is_convex[2] = {convex_of(&g[0], &convex[0]), convex_of(&g[1], &convex[1])};
    *out = (tx_distance){0};
    if (is_convex[0] && is_convex[1]) {
        if (!convex_distance(&convex[0], &convex[1], max, out)) return false;
    } else if (g[0].shape.type == TX_GEOM_PLANE && is_convex[1]) {
        plane_distance(&g[0], &convex[1], out);
    } else if (g[1].shape.type == TX_GEOM_PLANE && is_convex[0]) {
        plane_distance(&g[1], &convex[0], out);
        turn_round(out);
    } else if (!contact_distance(&g[0], &g[1], max, out)) {
        return false;
    }
    if (out->beyond || out->distance > max) *out = (tx_distance){.distance = max, .beyond = true};
    return true;
}

// ---- overlaps -------------------------------------------------------------------------------------------------------

static bool touches(const geom *g, const geom *own, const tx_convex *shape) {
    tx_distance d = {0};
    tx_convex other;
    if (g->shape.type == TX_GEOM_PLANE) {
        plane_distance(g, shape, &d);
        return d.distance <= 0;
    }
    double apart[3], reach = (g->radius + own->radius) * (1 + 1e-9);
    v3_sub(apart, g->pos, shape->pos);
    if (v3_dot(apart, apart) > reach * reach) return false;
    bool known = convex_of(g, &other) ? convex_distance(shape, &other, 0, &d) : contact_distance(own, g, 0, &d);
    return known && !d.beyond && d.distance <= 0;
}

int tx_query_overlap(const tx_block *b, int lane, const tx_query_filter *filter, const tx_query_shape *shape,
                     const double mat[9], int *geoms, int room) {
    geom own = {.radius = tx_shape_radius(shape->type, shape->size)};
    own.shape = (tx_shape){.type = shape->type, .size = shape->size, .pos = shape->pos, .mat = mat};
    v3_copy(own.pos, shape->pos);
    tx_convex convex;
    int count = 0;
    if (!tx_convex_from_shape(&convex, &own.shape)) return 0;
    for (int i = 0; i < b->m->ngeom; i++) {
        geom g;
        if (!wanted(b->m, filter, i)) continue;
        take_geom(b, lane, i, &g);
        if (!touches(&g, &own, &convex)) continue;
        if (count < room) geoms[count] = i;
        count++;
    }
    return count;
}
