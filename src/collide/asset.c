// asset.c - meshes and height fields of a model as the narrow phase sees them.
#include "collide/asset.h"

#include <stddef.h>

static tx_sdf sdf_of(const tx_model *m, int i) {
    tx_sdf sdf = {
        .n = {m->sdf_nx[i], m->sdf_ny[i], m->sdf_nz[i]}, .cell = m->sdf_cell[i], .value = m->sdf_data + m->sdf_adr[i]};
    for (int k = 0; k < 3; k++) sdf.low[k] = m->sdf_low[3 * i + k];
    return sdf;
}

static tx_face_tree tree_of(const tx_model *m, int mesh) {
    int first = m->mesh_nodeadr[mesh];
    return (tx_face_tree){m->mesh_nodenum[mesh], m->node_leaf + first, m->node_end + first,
                          m->node_box + 6 * (size_t)first, m->mesh_order + m->mesh_faceadr[mesh] / 3};
}

bool tx_asset_of(const tx_model *m, int geom, tx_asset *out) {
    const int mesh = m->geom_mesh[geom], field = m->geom_hfield[geom];
    if (mesh < 0 && field < 0) return false;
    *out = (tx_asset){0};
    if (field >= 0) {
        out->heights = (tx_heights){m->hfield_nrow[field], m->hfield_ncol[field], m->hfield_size + 4 * field,
                                    m->hfield_data + m->hfield_adr[field]};
    } else {
        out->vertex = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
        out->corner = m->hull_vert + m->mesh_hullvertadr[mesh];
        out->corner_count = m->mesh_hullvertnum[mesh];
        out->edge_first = m->hull_edgeadr + m->mesh_hullvertadr[mesh];
        out->edge = m->hull_edge + m->mesh_hullfaceadr[mesh];
        out->edge_count = 3 * m->mesh_hullfacenum[mesh];
        out->fours = m->mesh_fouradr[mesh] >= 0 ? m->hull_four + 12 * (size_t)m->mesh_fouradr[mesh] : NULL;
        out->start = m->mesh_startadr[mesh] >= 0 ? m->hull_start + m->mesh_startadr[mesh] : NULL;
        out->face = m->hull_face + m->mesh_hullfaceadr[mesh];
        out->face_count = m->mesh_hullfacenum[mesh];
        out->vertex_count = m->mesh_vertnum[mesh];
        out->surface = m->mesh_face + m->mesh_faceadr[mesh];
        out->surface_count = m->mesh_facenum[mesh];
        out->tree = tree_of(m, mesh);
        if (m->mesh_sdf[mesh] >= 0) out->sdf = sdf_of(m, m->mesh_sdf[mesh]);
    }
    return true;
}
