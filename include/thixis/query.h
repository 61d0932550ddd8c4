// query.h - questions about the geoms of one environment: rays, distances, overlaps.
//
// The poses are those of the last step or forward(), as in tx_sim_array(sim, TX_ARRAY_GEOM_XPOS); before the first of
// these there are none, and every call answers TX_ERROR_ARGUMENT. A query changes nothing.
#ifndef THIXIS_QUERY_H
#define THIXIS_QUERY_H

#include "thixis/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which geoms a ray or a shape meets. tx_default_query_filter(): all that can be seen.
typedef struct tx_query_filter {
    unsigned groups;  ///< bit g: geoms of group g; groups below 0 count as 0, above 5 as 5
    int exclude_body; ///< the geoms of this body are left out; -1: none
    bool fixed;       ///< also geoms that no joint moves
    bool invisible;   ///< also geoms whose colour has alpha 0
} tx_query_filter;
TX_API tx_query_filter tx_default_query_filter(void);
TX_API tx_result tx_query_filter_init(tx_query_filter *filter, size_t size);

/// Where a ray meets a geom first.
typedef struct tx_ray_hit {
    int geom;         ///< -1: nothing is hit, and the other fields are zero
    double distance;  ///< [m] from the origin, >= 0, whatever the length of the direction
    double point[3];  ///< [m] world
    double normal[3]; ///< unit, outward, world: also where the ray comes from inside
} tx_ray_hit;

/// The nearest surface along a ray. Planes are hit from above only; a ray that starts inside another shape meets
/// its surface from within. Of equally near geoms the first is taken. A mesh is its triangles, a height field the
/// solid down to its base.
/// @param filter may be null: the default
/// @return TX_ERROR_ARGUMENT when a number is not finite or the direction is zero
TX_API tx_result tx_sim_ray(tx_sim *sim, int env, const double origin[3], const double direction[3],
                            const tx_query_filter *filter, tx_ray_hit *hit);
/// The same for `count` rays: origins and directions are count x 3, hits has room for count.
TX_API tx_result tx_sim_rays(tx_sim *sim, int env, int count, const double *origins, const double *directions,
                             const tx_query_filter *filter, tx_ray_hit *hits);

/// How near two geoms are.
typedef struct tx_distance {
    double distance;    ///< [m] negative: how deep they overlap
    double point[2][3]; ///< [m] world, the nearest points; in overlap the deepest
    double normal[3];   ///< unit, from the first to the second: point[1] = point[0] + distance normal
    bool beyond;        ///< farther apart than `max`: the distance is `max` and the other fields are zero
} tx_distance;

/// The signed distance of two geoms. Meshes count as their convex hulls, planes as half spaces; height fields and
/// meshes of type sdf answer with the deepest or nearest point of contact of the narrow phase (docs/terrain-and-sdf.md
/// says how exact that is).
/// @param max [m] no answer is needed beyond; INFINITY is fine
/// @return TX_ERROR_ARGUMENT for a wrong index or a max that is no number, TX_ERROR_UNSUPPORTED for two planes, two
/// height fields, and a plane with a height field
TX_API tx_result tx_sim_distance(tx_sim *sim, int env, int geom1, int geom2, double max, tx_distance *result);

/// A shape of the user's: sphere, capsule, ellipsoid, cylinder or box.
typedef struct tx_query_shape {
    tx_geom_type type;
    double size[3]; ///< as in tx_geom_def [m]
    double pos[3];  ///< [m] world
    double quat[4]; ///< normalised by the call
} tx_query_shape;

/// The geoms that a shape touches or overlaps, in rising order; meshes count as their convex hulls. Up to `room` of
/// them are written to `geoms`, *count tells how many there are.
/// @param filter may be null: the default
/// @return TX_ERROR_ARGUMENT for a size or pose that makes no shape, TX_ERROR_UNSUPPORTED for other types
TX_API tx_result tx_sim_overlap(tx_sim *sim, int env, const tx_query_shape *shape, const tx_query_filter *filter,
                                int *geoms, int room, int *count);

#ifdef __cplusplus
}
#endif
#endif
