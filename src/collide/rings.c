// rings.c - see rings.h.
#include "collide/rings.h"

#include "base/memory.h"
#include "collide/asset.h"
#include "collide/convex.h"
#include "geometry/ring.h"

struct tx_rings {
    int meshes;
    double **of; // per mesh
};

static bool collides(const tx_model *m, int geom) { return m->geom_contype[geom] || m->geom_conaffinity[geom]; }

static bool add_ring(tx_rings *r, const tx_model *m, int geom) {
    const int mesh = m->geom_mesh[geom];
    tx_asset asset;
    if (mesh < 0 || r->of[mesh] || m->geom_type[geom] != TX_GEOM_MESH || !tx_asset_of(m, geom, &asset)) return true;
    tx_convex hull = {0};
    tx_convex_take_asset(&hull, &asset);
    if (!hull.first || hull.point_count <= TX_FOURS_CORNERS) return true;
    r->of[mesh] = tx_alloc(12 * (size_t)tx_ring_groups(&hull) * sizeof(double));
    if (r->of[mesh]) tx_ring_fill(&hull, r->of[mesh]);
    return r->of[mesh] != NULL;
}

tx_rings *tx_rings_create(const tx_model *m) {
    tx_rings *r = tx_alloc(sizeof *r);
    if (!r) return NULL;
    r->meshes = m->nmesh;
    r->of = tx_alloc((size_t)m->nmesh * sizeof *r->of);
    bool ok = r->of != NULL;
    for (int g = 0; ok && g < m->ngeom; g++)
        if (collides(m, g)) ok = add_ring(r, m, g);
    for (int i = 0; ok && i < m->nspecial; i++)
        ok = add_ring(r, m, m->special_geom1[i]) && add_ring(r, m, m->special_geom2[i]);
    if (ok) return r;
    tx_rings_destroy(r);
    return NULL;
}

void tx_rings_destroy(tx_rings *r) {
    if (!r) return;
    for (int i = 0; r->of && i < r->meshes; i++) tx_free(r->of[i]);
    tx_free(r->of);
    tx_free(r);
}

const double *tx_rings_of(const tx_rings *r, int mesh) { return r && mesh >= 0 ? r->of[mesh] : NULL; }
