// spatial.c - rays, distances and overlaps: the public face. Bad input is refused here.
#include <math.h>

#include "collide/query.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "sim/internal.h"

tx_query_filter tx_default_query_filter(void) {
    return (tx_query_filter){.groups = ~0u, .exclude_body = -1, .fixed = true};
}

// the block of an environment with its geoms in place; null: a wrong index, or nothing was placed yet
static tx_block *placed_block(tx_sim *sim, int env, int *lane) {
    tx_block *b = sim ? tx_sim_block(sim, env, lane) : NULL;
    // the world's orientation is written by the first kinematics
    if (!b || tx_lane(b, b->xquat, 0, *lane) == 0) return NULL;
    if (!b->geoms_placed) tx_sim_block_target(sim, b)->geom_poses(b);
    b->geoms_placed = true;
    return b;
}

// ---- rays -----------------------------------------------------------------------------------------------------------

// the direction at unit length; false: it has none, or a number is not finite
static bool unit_direction(const double origin[3], const double direction[3], double out[3]) {
    double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
    if (!v_finite(origin, 3) || !v_finite(direction, 3) || !(largest > 0)) return false;
    // scaled first, so that the squares neither vanish nor overflow
    for (int k = 0; k < 3; k++) out[k] = direction[k] / largest;
    v3_normalise(out);
    return v_finite(out, 3);
}

tx_result tx_sim_rays(tx_sim *sim, int env, int count, const double *origins, const double *directions,
                      const tx_query_filter *filter, tx_ray_hit *hits) {
    enum { GROUP = 64 };
    int lane;
    tx_query_filter all = tx_default_query_filter();
    tx_block *b = origins && directions && hits && count >= 0 ? placed_block(sim, env, &lane) : NULL;
    if (!b) return TX_ERROR_ARGUMENT;
    double unit[3 * GROUP];
    for (int r = 0; r < count; r++)
        if (!unit_direction(origins + 3 * (size_t)r, directions + 3 * (size_t)r, unit)) return TX_ERROR_ARGUMENT;
    for (int first = 0; first < count; first += GROUP) {
        int n = count - first < GROUP ? count - first : GROUP;
        const double *from = origins + 3 * (size_t)first, *along = directions + 3 * (size_t)first;
        for (int r = 0; r < n; r++) unit_direction(from + 3 * r, along + 3 * r, unit + 3 * r);
        tx_query_rays(b, lane, filter ? filter : &all, n, from, unit, hits + first);
    }
    return TX_OK;
}

tx_result tx_sim_ray(tx_sim *sim, int env, const double origin[3], const double direction[3],
                     const tx_query_filter *filter, tx_ray_hit *hit) {
    return tx_sim_rays(sim, env, 1, origin, direction, filter, hit);
}

// ---- distances and overlaps -----------------------------------------------------------------------------------------

tx_result tx_sim_distance(tx_sim *sim, int env, int geom1, int geom2, double max, tx_distance *result) {
    int lane;
    tx_block *b = result ? placed_block(sim, env, &lane) : NULL;
    if (!b || geom1 < 0 || geom2 < 0 || geom1 >= sim->m->ngeom || geom2 >= sim->m->ngeom || geom1 == geom2 ||
        isnan(max))
        return TX_ERROR_ARGUMENT;
    return tx_query_distance(b, lane, geom1, geom2, max, result) ? TX_OK : TX_ERROR_UNSUPPORTED;
}

// how many sizes a shape of the user's has; 0: no such shape
static int size_count(tx_geom_type type) {
    switch (type) {
    case TX_GEOM_SPHERE: return 1;
    case TX_GEOM_CAPSULE:
    case TX_GEOM_CYLINDER: return 2;
    case TX_GEOM_ELLIPSOID:
    case TX_GEOM_BOX: return 3;
    default: return 0;
    }
}

tx_result tx_sim_overlap(tx_sim *sim, int env, const tx_query_shape *shape, const tx_query_filter *filter, int *geoms,
                         int room, int *count) {
    int lane;
    tx_query_filter all = tx_default_query_filter();
    bool given = shape && count && room >= 0 && (geoms || room == 0);
    tx_block *b = given ? placed_block(sim, env, &lane) : NULL;
    if (!b) return TX_ERROR_ARGUMENT;
    int sizes = size_count(shape->type);
    if (sizes == 0) return TX_ERROR_UNSUPPORTED;
    bool good = v_finite(shape->pos, 3) && v_finite(shape->quat, 4);
    for (int k = 0; k < sizes; k++) good = good && shape->size[k] > 0 && isfinite(shape->size[k]);
    double quat[4] = {shape->quat[0], shape->quat[1], shape->quat[2], shape->quat[3]}, mat[9];
    if (!good || !tx_quat_normalize(quat)) return TX_ERROR_ARGUMENT;
    tx_quat_to_mat(quat, mat);
    *count = tx_query_overlap(b, lane, filter ? filter : &all, shape, mat, geoms, room);
    return TX_OK;
}
