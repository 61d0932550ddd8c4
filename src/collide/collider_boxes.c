// collider_boxes.c - where geoms are: boxes along the world's axes, grown by margins and by what moves.
#include <string.h>

#include "base/fpenv.h"
#include "collide/asset.h"
#include "collide/collider_parts.h"
#include "collide/convex.h"
#include "geometry/vec3.h"

// a box around a shape in its own frame; not of a plane
tx_bounds tx_bounds_of_geom(const tx_collider *c, const tx_geoms *g, int i) {
    const tx_bounds *own = tx_collider_bounds(c, i);
    return own ? *own : tx_bounds_of_shape(c->m->geom_type[i], g->size + 3 * i);
}

// how far a shape reaches from the origin of its frame
static double radius_of(const tx_collider *c, const tx_geoms *g, int i) {
    const tx_bounds b = tx_bounds_of_geom(c, g, i);
    return v3_length(b.centre) + v3_length(b.half);
}

// no less than what a surface can move within the time that is looked ahead, up to `radius` from its frame
static double motion_within(const tx_geoms *g, int i, double radius) {
    const double *velocity = g->velocity + 6 * i;
    return (1 + 1e-12) * (1 + g->glide) * g->ahead * (v3_length(velocity) + v3_length(velocity + 3) * radius);
}

// of a plane, which has no end, it is asked for where the others are
static double motion_of(const tx_collider *c, const tx_geoms *g, int i) {
    return c->m->geom_type[i] != TX_GEOM_PLANE ? motion_within(g, i, radius_of(c, g, i)) : 0;
}

static bool stands(const double velocity[6]) {
    for (int k = 0; k < 6; k++)
        if (velocity[k] != 0) return false;
    return true;
}

// of a plane seen from another geom
double tx_plane_motion(const tx_collider *c, const tx_geoms *g, int plane, int other) {
    double apart[3];
    if (stands(g->velocity + 6 * (size_t)plane)) return 0;
    v3_sub(apart, g->pos + 3 * other, g->pos + 3 * plane);
    return motion_within(g, plane, v3_length(apart) + radius_of(c, g, other));
}

// what velocities add to the box of a geom that moves so far. Of two geoms one is not still, and has the slack: so
// boxes of still ones last
double tx_stretch(const tx_collider *c, const tx_geoms *g, int i) {
    return g->velocity ? c->motion[i] + (g->still && g->still[i] ? 0 : g->slack) : 0;
}

static double growth(const tx_collider *c, const tx_geoms *g, int i) {
    double reach = tx_margin_of(g, i) + g->gap[i];
    return (reach > 0 ? reach : 0) + tx_stretch(c, g, i);
}

// around the corners of a mesh: six searches. What is made of a field of distances may touch a little outside of its
// bounds, so its box must not change
static void place_sdf(tx_aabb *out, const tx_asset *mesh, const double pos[3], const double mat[9], double grow) {
    tx_convex shape = {0};
    tx_convex_take_asset(&shape, mesh);
    v3_copy(shape.pos, pos);
    memcpy(shape.mat, mat, sizeof shape.mat);
    tx_aabb_convex(out, &shape, grow);
}

static void place_box(tx_collider *c, const tx_geoms *g, int i) {
    const int type = c->m->geom_type[i];
    if (g->velocity) c->motion[i] = motion_of(c, g, i);
    const double *pos = g->pos + 3 * i, *mat = g->mat + 9 * i, grow = growth(c, g, i);
    tx_asset asset;
    c->grown[i] = grow;
    if (type == TX_GEOM_MESH) {
        tx_aabb_bounds(&c->boxes[i], &c->own[i], pos, mat, grow);
    } else if (type == TX_GEOM_HFIELD) {
        const tx_bounds bounds = tx_bounds_of_geom(c, g, i);
        tx_aabb_bounds(&c->boxes[i], &bounds, pos, mat, grow);
    } else if (type == TX_GEOM_SDF && tx_asset_of(c->m, i, &asset)) {
        place_sdf(&c->boxes[i], &asset, pos, mat, grow);
    } else {
        tx_aabb_shape(&c->boxes[i], type, g->size + 3 * i, pos, mat, grow);
    }
}

// some of a list at a time, by all threads once it is long
enum { BOXES = 64 };
typedef struct box_job {
    tx_collider *c;
    const tx_geoms *g;
    const tx_geom_list *list;
} box_job;

static void place_some(void *context, int part) {
    const box_job *j = context;
    const int begin = part * BOXES, end = begin + BOXES < j->list->count ? begin + BOXES : j->list->count;
    tx_fpenv env = tx_fpenv_enter();
    for (int k = begin; k < end; k++) place_box(j->c, j->g, j->list->geoms[k]);
    tx_fpenv_leave(env);
}

void tx_place_boxes(tx_collider *c, const tx_geoms *g, const tx_geom_list *list) {
    box_job job = {c, g, list};
    const int parts = (list->count + BOXES - 1) / BOXES;
    if (c->pool && parts > 2) tx_pool_run(c->pool, place_some, &job, parts);
    else
        for (int k = 0; k < parts; k++) place_some(&job, k);
}

bool tx_plane_near(const tx_collider *c, const tx_geoms *g, int plane, int other, double slack) {
    double normal[3];
    m3_column(normal, g->mat + 9 * plane, 2);
    const double moves = g->velocity ? tx_plane_motion(c, g, plane, other) : 0;
    return tx_aabb_below(&c->boxes[other], g->pos + 3 * plane, normal, c->grown[plane] + moves + slack);
}
