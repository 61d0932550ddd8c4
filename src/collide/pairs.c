// pairs.c - the shape x shape table. A new pair is one file and one line here.
#include "collide/pairs.h"

#include "collide/thin.h"
#include "collide/pair_convex.h"

// the lower type first; the function is tx_pair_<name> in pair_*.c
#define PAIRS(PAIR)                           \
    PAIR(PLANE, SPHERE, plane_sphere)         \
    PAIR(PLANE, CAPSULE, plane_capsule)       \
    PAIR(PLANE, ELLIPSOID, plane_ellipsoid)   \
    PAIR(PLANE, CYLINDER, plane_cylinder)     \
    PAIR(PLANE, BOX, plane_box)               \
    PAIR(PLANE, MESH, plane_mesh)             \
    PAIR(PLANE, SDF, plane_sdf)               \
    PAIR(HFIELD, SPHERE, hfield_sphere)       \
    PAIR(HFIELD, CAPSULE, hfield_capsule)     \
    PAIR(HFIELD, ELLIPSOID, hfield_ellipsoid) \
    PAIR(HFIELD, CYLINDER, hfield_cylinder)   \
    PAIR(HFIELD, BOX, hfield_box)             \
    PAIR(HFIELD, MESH, hfield_mesh)           \
    PAIR(HFIELD, SDF, hfield_sdf)             \
    PAIR(SPHERE, SPHERE, sphere_sphere)       \
    PAIR(SPHERE, CAPSULE, sphere_capsule)     \
    PAIR(SPHERE, ELLIPSOID, convex)           \
    PAIR(SPHERE, CYLINDER, sphere_cylinder)   \
    PAIR(SPHERE, BOX, sphere_box)             \
    PAIR(SPHERE, MESH, convex)                \
    PAIR(SPHERE, SDF, sphere_sdf)             \
    PAIR(CAPSULE, CAPSULE, capsule_capsule)   \
    PAIR(CAPSULE, ELLIPSOID, convex)          \
    PAIR(CAPSULE, CYLINDER, convex)           \
    PAIR(CAPSULE, BOX, capsule_box)           \
    PAIR(CAPSULE, MESH, convex)               \
    PAIR(CAPSULE, SDF, capsule_sdf)           \
    PAIR(ELLIPSOID, ELLIPSOID, convex)        \
    PAIR(ELLIPSOID, CYLINDER, convex)         \
    PAIR(ELLIPSOID, BOX, convex)              \
    PAIR(ELLIPSOID, MESH, convex)             \
    PAIR(ELLIPSOID, SDF, ellipsoid_sdf)       \
    PAIR(CYLINDER, CYLINDER, convex)          \
    PAIR(CYLINDER, BOX, convex)               \
    PAIR(CYLINDER, MESH, convex)              \
    PAIR(CYLINDER, SDF, cylinder_sdf)         \
    PAIR(BOX, BOX, box_box)                   \
    PAIR(BOX, MESH, convex)                   \
    PAIR(BOX, SDF, box_sdf)                   \
    PAIR(MESH, MESH, convex)                  \
    PAIR(MESH, SDF, mesh_sdf)                 \
    PAIR(SDF, SDF, sdf_sdf)

#define DECLARE(type1, type2, name) tx_pair_fn tx_pair_##name;
PAIRS(DECLARE)

// upper triangle, null where a pair does not exist
#define ENTRY(type1, type2, name) [TX_GEOM_##type1][TX_GEOM_##type2] = tx_pair_##name,
static tx_pair_fn *const table[TX_GEOM_COUNT][TX_GEOM_COUNT] = {PAIRS(ENTRY)};

static const char *const names[TX_GEOM_COUNT] = {
    [TX_GEOM_PLANE] = "plane",     [TX_GEOM_HFIELD] = "hfield",       [TX_GEOM_SPHERE] = "sphere",
    [TX_GEOM_CAPSULE] = "capsule", [TX_GEOM_ELLIPSOID] = "ellipsoid", [TX_GEOM_CYLINDER] = "cylinder",
    [TX_GEOM_BOX] = "box",         [TX_GEOM_MESH] = "mesh",           [TX_GEOM_SDF] = "sdf",
};

static bool known(int type) { return type >= 0 && type < TX_GEOM_COUNT; }

tx_pair_fn *tx_pair_function(int type1, int type2) {
    if (!known(type1) || !known(type2)) return NULL;
    return type1 <= type2 ? table[type1][type2] : table[type2][type1];
}

int tx_pair_hits(const tx_shape *a, const tx_shape *b, double margin, const tx_narrow *how, tx_hit *hits) {
    tx_pair_fn *find = tx_pair_function(a->type, b->type);
    // a table of pairs from a file may list any
    if (!find) return 0;
    int count = find == tx_pair_convex ? tx_pair_convex_hits(a, b, margin, how, hits) : find(a, b, margin, hits);
    return how->contacts > 0 ? tx_hits_thin(hits, count, how->contacts) : count;
}

const char *tx_shape_name(int type) { return known(type) ? names[type] : "?"; }
