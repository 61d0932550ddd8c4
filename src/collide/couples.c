// couples.c - see couples.h.
#include "collide/couples.h"

#include "base/memory.h"
#include "collide/asset.h"
#include "collide/collider.h"
#include "collide/convex.h"
#include "collide/pairs.h"
#include "geometry/aabb.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"

// half size of a box that holds all that can touch [m]; before parameters are known bodies have it
#define EVERYWHERE (100 * TX_LONGEST)

static int plane_of(const tx_model *m, int pair) {
    return m->geom_type[m->pair_geom1[pair]] == TX_GEOM_PLANE ? m->pair_geom1[pair] : -1;
}

static bool of_couple(const tx_model *m, const tx_couple *c, int pair) {
    const int one = m->geom_body[m->pair_geom1[pair]], two = m->geom_body[m->pair_geom2[pair]];
    const bool same = one == c->body[0] && two == c->body[1], turned = two == c->body[0] && one == c->body[1];
    return plane_of(m, pair) == c->plane && (same || (turned && c->plane < 0));
}

// couples: null to count them only
static int list_couples(const tx_model *m, tx_couple *couples) {
    int count = 0;
    for (int end = 0; end < m->npair; count++) {
        tx_couple c = {.begin = end, .plane = plane_of(m, end)};
        c.body[0] = m->geom_body[m->pair_geom1[end]], c.body[1] = m->geom_body[m->pair_geom2[end]];
        while (end < m->npair && of_couple(m, &c, end)) end++;
        c.end = end;
        if (couples) couples[count] = c;
    }
    return count;
}

// of each body the geoms that are in a pair
static void list_geoms(const tx_model *m, tx_couples *c, bool *paired) {
    int count = 0;
    for (int p = 0; p < m->npair; p++) paired[m->pair_geom1[p]] = paired[m->pair_geom2[p]] = true;
    for (int i = 0; i < m->nbody; i++) {
        c->first[i] = count;
        bool box = false;
        for (int g = m->body_geomadr[i]; g < m->body_geomadr[i] + m->body_geomnum[i]; g++) {
            if (!paired[g]) continue;
            c->geom[count++] = g;
            box = box || m->geom_type[g] != TX_GEOM_PLANE;
        }
        if (box) c->boxed[c->boxes++] = i;
        v3_set(c->box[i].half, EVERYWHERE, EVERYWHERE, EVERYWHERE);
    }
    c->first[m->nbody] = count;
}

tx_couples *tx_couples_create(const tx_model *m) {
    tx_couples *c = tx_alloc(sizeof *c);
    if (!c) return NULL;
    c->count = list_couples(m, NULL);
    c->couple = tx_alloc((size_t)c->count * sizeof *c->couple);
    c->key = tx_alloc((size_t)c->count * sizeof *c->key);
    c->box = tx_alloc((size_t)m->nbody * sizeof *c->box);
    c->boxed = tx_alloc((size_t)m->nbody * sizeof(int));
    c->first = tx_alloc((size_t)(m->nbody + 1) * sizeof(int));
    c->geom = tx_alloc((size_t)m->ngeom * sizeof(int));
    bool *paired = tx_alloc((size_t)m->ngeom);
    const bool ok = c->couple && c->key && c->box && c->boxed && c->first && c->geom && paired;
    if (ok) {
        list_couples(m, c->couple);
        list_geoms(m, c, paired);
    }
    tx_free(paired);
    if (ok) return c;
    tx_couples_destroy(c);
    return NULL;
}

void tx_couples_destroy(tx_couples *c) {
    if (!c) return;
    tx_free(c->couple), tx_free(c->key), tx_free(c->box), tx_free(c->boxed), tx_free(c->first), tx_free(c->geom);
    tx_free(c);
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static double positive(double x) { return x > 0 ? x : 0; }

// no less than what a pair reaches, with margins of its own or without
static double reach_of(const tx_block *b, int pair, bool margins) {
    const tx_model *m = b->m;
    const int g[2] = {m->pair_geom1[pair], m->pair_geom2[pair]}, special = m->pair_special[pair];
    double reach = 0;
    if (special >= 0)
        return positive((margins ? tx_lane(b, b->param.special_margin, special, 0) : 0) +
                        tx_lane(b, b->param.special_gap, special, 0));
    for (int k = 0; k < 2; k++)
        reach += positive((margins ? tx_lane(b, b->param.geom_margin, g[k], 0) : 0) +
                          tx_lane(b, b->param.geom_gap, g[k], 0));
    return reach;
}

// the box of a geom in the frame of its body
static void geom_box(const tx_block *b, int g, tx_aabb *out) {
    const tx_model *m = b->m;
    double pos[3], quat[4], mat[9], size[3];
    tx_asset asset;
    for (int k = 0; k < 3; k++) pos[k] = tx_lane(b, b->param.geom_pos, 3 * g + k, 0);
    for (int k = 0; k < 3; k++) size[k] = tx_lane(b, b->param.geom_size, 3 * g + k, 0);
    for (int k = 0; k < 4; k++) quat[k] = tx_lane(b, b->param.geom_quat, 4 * g + k, 0);
    tx_quat_to_mat(quat, mat);
    if (!tx_asset_of(m, g, &asset)) {
        tx_aabb_shape(out, m->geom_type[g], size, pos, mat, 0);
    } else if (m->geom_mesh[g] < 0) {
        tx_aabb_bounds(out, tx_collider_bounds(b->collider, g), pos, mat, 0);
    } else {
        tx_convex shape = {0};
        tx_convex_take_asset(&shape, &asset);
        v3_copy(shape.pos, pos);
        for (int k = 0; k < 9; k++) shape.mat[k] = mat[k];
        tx_aabb_convex(out, &shape, 0);
    }
}

static void body_box(const tx_block *b, int body) {
    const tx_couples *c = b->couples;
    tx_aabb all, one;
    tx_aabb_clear(&all);
    for (int k = c->first[body]; k < c->first[body + 1]; k++) {
        if (b->m->geom_type[c->geom[k]] == TX_GEOM_PLANE) continue;
        geom_box(b, c->geom[k], &one);
        tx_aabb_unite(&all, &one);
    }
    for (int k = 0; k < 3; k++) {
        c->box[body].centre[k] = 0.5 * (all.low[k] + all.high[k]);
        c->box[body].half[k] = 0.5 * (all.high[k] - all.low[k]);
    }
}

void tx_couples_bind(tx_block *b) {
    tx_couples *c = b->couples;
    if (!c) return;
    for (int k = 0; k < c->boxes; k++) body_box(b, c->boxed[k]);
    for (int k = 0; k < c->count; k++) {
        tx_couple *couple = &c->couple[k];
        couple->reach = couple->gap = 0;
        for (int p = couple->begin; p < couple->end; p++) {
            couple->reach = fmax(couple->reach, reach_of(b, p, true));
            couple->gap = fmax(couple->gap, reach_of(b, p, false));
        }
        c->key[k] = (tx_couple_key){{couple->plane < 0 ? couple->body[0] : -1, couple->body[1]}, couple->reach};
    }
}
