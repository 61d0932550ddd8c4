// expect.c - the points of impacts to come: two geoms followed along their motion, if nothing stands between them.
#include "collide/advance.h"
#include "collide/asset.h"
#include "collide/collider_parts.h"
#include "collide/filter.h"
#include "collide/ray.h"
#include "geometry/vec3.h"

static tx_mover mover_of(const tx_collider *c, const tx_geoms *g, int i, const tx_shape *shape) {
    const bool plane = shape->type == TX_GEOM_PLANE;
    const tx_bounds box = plane ? (tx_bounds){0} : tx_bounds_of_geom(c, g, i);
    return tx_mover_make(shape, g->velocity + 6 * (size_t)i, g->ahead, plane ? NULL : &box);
}

// whether a geom can stand in the way of another: their masks agree, and they are not parts of one body
static bool stops(const tx_model *m, int geom, int other) {
    const int b1 = m->geom_body[geom], b2 = m->geom_body[other];
    const bool both_fixed = m->body_weld[b1] == 0 && m->body_weld[b2] == 0;
    return both_fixed || (tx_masks_agree(m->geom_contype[geom], m->geom_conaffinity[geom], m->geom_contype[other],
                                         m->geom_conaffinity[other]) &&
                          tx_bodies_collide(m, b1, b2));
}

// whether a box can have a point of the segment from p to q
static bool box_on_way(const tx_aabb *box, const double p[3], const double q[3]) {
    for (int k = 0; k < 3; k++)
        if (fmax(p[k], q[k]) < box->low[k] || fmin(p[k], q[k]) > box->high[k]) return false;
    return true;
}

// whether a third geom is met between two points
static bool is_blocked(const tx_collider *c, const tx_geoms *g, const tx_candidate *pair, const double p[3],
                       const double q[3]) {
    double way[3], normal[3];
    v3_sub(way, q, p);
    const double length = v3_normalise(way);
    for (int k = 0; k < c->boxed.count; k++) {
        const int i = c->boxed.geoms[k], type = c->m->geom_type[i];
        if (i == pair->geom[0] || i == pair->geom[1]) continue;
        if (type != TX_GEOM_PLANE && !box_on_way(&c->boxes[i], p, q)) continue;
        if (!stops(c->m, i, pair->geom[0]) || !stops(c->m, i, pair->geom[1])) continue;
        tx_asset field;
        const tx_shape shape = tx_shape_of_geom(c, g, i, &field);
        const double at = tx_ray_shape(&shape, p, way, normal);
        if (at >= 0 && at < length) return true;
    }
    return false;
}

int tx_expect(const tx_collider *c, const tx_geoms *g, const tx_narrow *how, tx_candidate *pair, const tx_shape *a,
              const tx_shape *b, tx_hit *hits) {
    double between[6 * TX_MAX_HITS];
    if (!tx_can_advance(a->type) || !tx_can_advance(b->type)) return 0;
    tx_mover first = mover_of(c, g, pair->geom[0], a), second = mover_of(c, g, pair->geom[1], b);
    if (!tx_movers_are_fast(&first, &second)) return 0;
    if (a->type == TX_GEOM_PLANE) tx_mover_see_plane(&first, &second);
    double closing;
    const int count = tx_advance(&first, &second, pair->margin, how, hits, between, &closing);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!is_blocked(c, g, pair, between + 6 * i, between + 6 * i + 3)) hits[kept++] = hits[i];
    pair->closing = kept > 0 ? closing : 0;
    return kept;
}
