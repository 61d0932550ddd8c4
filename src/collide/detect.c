// detect.c - gather one environment's geoms, test the pair table, make contact records.
#include "collide/detect.h"

#include <math.h>
#include <string.h>

#include "collide/frame.h"
#include "collide/pairs.h"
#include "geometry/mass.h"

// one environment's geoms, contiguous
typedef struct geoms {
    double *size, *pos, *mat, *radius;
} geoms;

size_t tx_detect_scratch(const tx_model *m) { return (size_t)m->ngeom * 16 * sizeof(double) + 4 * 64; }

static void gather(const tx_block *b, const void *array, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, i, lane);
}

static geoms gather_geoms(const tx_block *b, int lane, tx_arena *arena) {
    const int n = b->m->ngeom;
    geoms g = {TX_TAKE(*arena, 3 * n, double), TX_TAKE(*arena, 3 * n, double), TX_TAKE(*arena, 9 * n, double),
               TX_TAKE(*arena, n, double)};
    gather(b, b->param.geom_size, 3 * n, lane, g.size);
    gather(b, b->geom_xpos, 3 * n, lane, g.pos);
    gather(b, b->geom_xmat, 9 * n, lane, g.mat);
    for (int i = 0; i < n; i++) g.radius[i] = tx_shape_radius(b->m->geom_type[i], g.size + 3 * i);
    return g;
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

// weight of the first geom's parameters
static double mix_weight(double mix1, double mix2) {
    const double tiny = 1e-15;
    if (mix1 >= tiny && mix2 >= tiny) return mix1 / (mix1 + mix2);
    if (mix1 < tiny && mix2 < tiny) return 0.5;
    return mix1 < tiny ? 0 : 1;
}

void tx_mix_contact(const tx_block *b, int lane, int g1, int g2, tx_contact *c) {
    const tx_model *m = b->m;
    double friction[2][3], ref[2][2], imp[2][5], mix[2];
    const int g[2] = {g1, g2};
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 3; k++) friction[s][k] = tx_lane(b, b->param.geom_friction, 3 * g[s] + k, lane);
        for (int k = 0; k < 2; k++) ref[s][k] = tx_lane(b, b->param.geom_solref, 2 * g[s] + k, lane);
        for (int k = 0; k < 5; k++) imp[s][k] = tx_lane(b, b->param.geom_solimp, 5 * g[s] + k, lane);
        mix[s] = tx_lane(b, b->param.geom_solmix, g[s], lane);
    }
    double slide[3];
    int p1 = m->geom_priority[g1], p2 = m->geom_priority[g2];
    if (p1 != p2) {
        // the higher priority decides alone
        int w = p1 > p2 ? 0 : 1;
        c->dim = m->geom_condim[g[w]];
        memcpy(slide, friction[w], sizeof slide);
        memcpy(c->solref, ref[w], sizeof c->solref);
        memcpy(c->solimp, imp[w], sizeof c->solimp);
    } else {
        double w = mix_weight(mix[0], mix[1]);
        bool standard = ref[0][0] > 0 && ref[1][0] > 0;
        c->dim = m->geom_condim[g1] > m->geom_condim[g2] ? m->geom_condim[g1] : m->geom_condim[g2];
        for (int k = 0; k < 3; k++) slide[k] = fmax(friction[0][k], friction[1][k]);
        for (int k = 0; k < 2; k++)
            c->solref[k] = standard ? w * ref[0][k] + (1 - w) * ref[1][k] : fmin(ref[0][k], ref[1][k]);
        for (int k = 0; k < 5; k++) c->solimp[k] = w * imp[0][k] + (1 - w) * imp[1][k];
    }
    const double unpacked[5] = {slide[0], slide[0], slide[1], slide[2], slide[2]};
    for (int k = 0; k < 5; k++) c->friction[k] = fmax(1e-5, unpacked[k]);
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
        double margin = tx_lane(b, b->param.geom_margin, g1, lane) + tx_lane(b, b->param.geom_margin, g2, lane);
        double gap = tx_lane(b, b->param.geom_gap, g1, lane) + tx_lane(b, b->param.geom_gap, g2, lane);
        if (!may_touch(m, &g, g1, g2, margin + gap)) continue;

        tx_hit hits[TX_MAX_HITS];
        tx_shape s1 = {m->geom_type[g1], g.size + 3 * g1, g.pos + 3 * g1, g.mat + 9 * g1};
        tx_shape s2 = {m->geom_type[g2], g.size + 3 * g2, g.pos + 3 * g2, g.mat + 9 * g2};
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
            tx_mix_contact(b, lane, g1, g2, c);
        }
    }
}
