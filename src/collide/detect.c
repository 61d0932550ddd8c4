// detect.c - gather one environment's geoms, test the pair table, make contact records.
#include "collide/detect.h"

#include <math.h>
#include <string.h>

#include "collide/asset.h"
#include "collide/frame.h"
#include "collide/mix.h"
#include "collide/pairs.h"
#include "geometry/mass.h"

// one environment's geoms, contiguous
typedef struct geoms {
    const double *size, *pos, *mat, *margin, *gap;
    double *radius; // of the bounding sphere; infinite for planes
} geoms;

size_t tx_detect_scratch(const tx_model *m) { return (size_t)m->ngeom * 18 * sizeof(double) + 6 * 64; }

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
}

// an array of this environment: itself where environments are not interleaved, else a copy
static const double *contiguous(const tx_block *b, const void *array, int count, int lane, tx_arena *arena) {
    if (b->lanes == 1 && b->number_size == (int)sizeof(double)) return array;
    double *copy = TX_TAKE(*arena, count, double);
    gather(b, array, 0, count, lane, copy);
    return copy;
}

static geoms gather_geoms(const tx_block *b, int lane, tx_arena *arena) {
    const int n = b->m->ngeom;
    geoms g = {
        contiguous(b, b->param.geom_size, 3 * n, lane, arena), contiguous(b, b->geom_xpos, 3 * n, lane, arena),
        contiguous(b, b->geom_xmat, 9 * n, lane, arena),       contiguous(b, b->param.geom_margin, n, lane, arena),
        contiguous(b, b->param.geom_gap, n, lane, arena),      TX_TAKE(*arena, n, double)};
    for (int i = 0; i < n; i++) {
        int type = b->m->geom_type[i];
        g.radius[i] = type == TX_PLANE    ? INFINITY
                      : type == TX_HFIELD ? b->m->geom_rbound[i]
                                          : tx_shape_radius(type, g.size + 3 * i);
    }
    return g;
}

// asset: room for what the shape is made of
static tx_shape shape_of(const tx_model *m, const geoms *g, int i, tx_asset *asset) {
    return (tx_shape){m->geom_type[i], g->size + 3 * i, g->pos + 3 * i, g->mat + 9 * i,
                      tx_asset_of(m, i, asset) ? asset : NULL};
}

// bounding spheres, or a sphere against a plane: can these two be nearer than `reach`?
static bool may_touch(const tx_model *m, const geoms *g, int g1, int g2, double reach) {
    const double *p1 = g->pos + 3 * g1, *p2 = g->pos + 3 * g2;
    double d[3] = {p2[0] - p1[0], p2[1] - p1[1], p2[2] - p1[2]};
    if (m->geom_type[g1] == TX_PLANE) {
        const double *mat = g->mat + 9 * g1;
        return d[0] * mat[2] + d[1] * mat[5] + d[2] * mat[8] <= g->radius[g2] + reach;
    }
    double bound = g->radius[g1] + g->radius[g2] + reach;
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= bound * bound;
}

// parameters of a contact between two geoms as this environment has them
static void mix_geoms(const tx_block *b, int lane, int g1, int g2, tx_contact *c) {
    const tx_model *m = b->m;
    const int g[2] = {g1, g2};
    tx_surface surface[2];
    for (int s = 0; s < 2; s++) {
        surface[s].condim = m->geom_condim[g[s]], surface[s].priority = m->geom_priority[g[s]];
        gather(b, b->param.geom_friction, 3 * g[s], 3, lane, surface[s].friction);
        gather(b, b->param.geom_solref, 2 * g[s], 2, lane, surface[s].solref);
        gather(b, b->param.geom_solimp, 5 * g[s], 5, lane, surface[s].solimp);
        surface[s].solmix = tx_lane(b, b->param.geom_solmix, g[s], lane);
    }
    tx_mix_surfaces(&surface[0], &surface[1], &c->dim, c->friction, c->solref, c->solimp);
}

// parameters that the pair itself has
static void take_special(const tx_block *b, int lane, int special, tx_contact *c) {
    c->dim = b->m->special_dim[special];
    gather(b, b->param.special_friction, 5 * special, 5, lane, c->friction);
    gather(b, b->param.special_solref, 2 * special, 2, lane, c->solref);
    gather(b, b->param.special_solimp, 5 * special, 5, lane, c->solimp);
}

static tx_side side_of(const tx_model *m, int geom) {
    int body = m->geom_body[geom];
    return (tx_side){m->body_lastdof[body] < 0 ? TX_SIDE_WORLD : TX_SIDE_BODY, body};
}

void tx_detect(tx_block *b, int lane) {
    const tx_model *m = b->m;
    tx_arena arena = b->arena;
    b->ncontact[lane] = 0;
    if (!b->opt->contact || !b->opt->constraint) return;
    geoms g = gather_geoms(b, lane, &arena);
    tx_contact *list = b->contacts + (size_t)lane * (size_t)b->room;

    for (int i = 0; i < m->npair; i++) {
        int g1 = m->pair_geom1[i], g2 = m->pair_geom2[i];
        int special = m->pair_special[i];
        double margin = g.margin[g1] + g.margin[g2], gap = g.gap[g1] + g.gap[g2];
        if (special >= 0) {
            margin = tx_lane(b, b->param.special_margin, special, lane);
            gap = tx_lane(b, b->param.special_gap, special, lane);
        }
        if (!may_touch(m, &g, g1, g2, margin + gap)) continue;

        tx_hit hits[TX_MAX_HITS];
        tx_asset asset1, asset2;
        tx_shape s1 = shape_of(m, &g, g1, &asset1), s2 = shape_of(m, &g, g2, &asset2);
        tx_pair_fn *narrow = tx_pair_function(s1.type, s2.type);
        int count = narrow ? narrow(&s1, &s2, margin + gap, hits) : 0;
        for (int k = 0; k < count; k++) {
            int at = b->ncontact[lane]++;
            if (at >= b->room) continue;
            tx_contact *c = &list[at];
            *c = (tx_contact){.geom = {g1, g2}, .side = {side_of(m, g1), side_of(m, g2)}, .slot = -1};
            c->dist = hits[k].dist, c->includemargin = margin;
            memcpy(c->pos, hits[k].pos, sizeof c->pos);
            tx_frame_make(hits[k].normal, hits[k].tangent, c->frame);
            if (special >= 0) take_special(b, lane, special, c);
            else mix_geoms(b, lane, g1, g2, c);
        }
    }
}
