// rings.c - see rings.h.
#include "collide/rings.h"

#include "base/memory.h"
#include "collide/asset.h"
#include "collide/convex.h"
#include "geometry/facets.h"
#include "geometry/ring.h"
#include "geometry/vec3.h"

struct tx_rings {
    int meshes;
    // per mesh, null: none; the ring of a mesh stands in the memory of its corners, behind them
    double **corners, **ring;
    tx_facets **facets; // per mesh
};

static bool collides(const tx_model *m, int geom) { return m->geom_contype[geom] || m->geom_conaffinity[geom]; }

// numbers of so many corners, up to the end of a line of the cache
static size_t corners_size(int count) { return (3 * (size_t)count + 7) / 8 * 8; }

static bool add_hull(tx_rings *r, const tx_model *m, int geom) {
    const int mesh = m->geom_mesh[geom];
    tx_asset asset;
    if (mesh < 0 || r->corners[mesh] || m->geom_type[geom] != TX_GEOM_MESH || !tx_asset_of(m, geom, &asset))
        return true;
    tx_convex hull = {0};
    tx_convex_take_asset(&hull, &asset);
    if (!hull.first) return true;
    const bool climbed = hull.point_count > TX_FOURS_CORNERS;
    const size_t corners = corners_size(hull.point_count), ring = climbed ? 12 * (size_t)tx_ring_groups(&hull) : 0;
    double *memory = tx_alloc((corners + ring) * sizeof(double));
    r->facets[mesh] = tx_facets_build(&hull, asset.face, asset.face_count);
    r->corners[mesh] = memory;
    if (!memory || !r->facets[mesh]) return false;
    for (int i = 0; i < hull.point_count; i++) v3_copy(memory + 3 * i, tx_convex_corner(&hull, i));
    if (!climbed) return true;
    r->ring[mesh] = memory + corners;
    tx_ring_fill(&hull, r->ring[mesh]);
    return true;
}

tx_rings *tx_rings_create(const tx_model *m) {
    tx_rings *r = tx_alloc(sizeof *r);
    if (!r) return NULL;
    r->meshes = m->nmesh;
    r->corners = tx_alloc((size_t)m->nmesh * sizeof *r->corners);
    r->ring = tx_alloc((size_t)m->nmesh * sizeof *r->ring);
    r->facets = tx_alloc((size_t)m->nmesh * sizeof *r->facets);
    bool ok = r->corners && r->ring && r->facets;
    for (int g = 0; ok && g < m->ngeom; g++)
        if (collides(m, g)) ok = add_hull(r, m, g);
    for (int i = 0; ok && i < m->nspecial; i++)
        ok = add_hull(r, m, m->special_geom1[i]) && add_hull(r, m, m->special_geom2[i]);
    if (ok) return r;
    tx_rings_destroy(r);
    return NULL;
}

void tx_rings_destroy(tx_rings *r) {
    if (!r) return;
    for (int i = 0; r->corners && i < r->meshes; i++) tx_free(r->corners[i]);
    for (int i = 0; r->facets && i < r->meshes; i++) tx_free(r->facets[i]);
    tx_free(r->corners), tx_free(r->ring), tx_free(r->facets);
    tx_free(r);
}

const double *tx_rings_of(const tx_rings *r, int mesh) { return r && mesh >= 0 ? r->ring[mesh] : NULL; }

const double *tx_rings_corners(const tx_rings *r, int mesh) { return r && mesh >= 0 ? r->corners[mesh] : NULL; }

const tx_facets *tx_rings_facets(const tx_rings *r, int mesh) { return r && mesh >= 0 ? r->facets[mesh] : NULL; }
