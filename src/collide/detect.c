// detect.c - gather one environment's geoms, let the collider find their points, make contact records.
#include "collide/detect.h"

#include <math.h>
#include <string.h>

#include "base/task.h"
#include "collide/collider.h"
#include "collide/frame.h"
#include "collide/mix.h"
#include "geometry/vec3.h"
#include "model/slot.h"

size_t tx_detect_scratch(const tx_model *m, int lanes) {
    const size_t each = ((size_t)m->ngeom * 24 + (size_t)m->nspecial * 2) * sizeof(double) + 10 * 64;
    // boxes, and points of one pair, of all lanes
    const size_t box = 8 * (size_t)lanes * sizeof(double);
    const size_t boxes = (size_t)m->ngeom * (box + sizeof(unsigned char)) + (lanes == 1 ? (size_t)m->nbody * box : 0);
    return each + boxes + TX_MAX_HITS * (size_t)lanes * sizeof(tx_hit) + 4 * 64;
}

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    const size_t lanes = (size_t)b->lanes, at = (size_t)first * lanes + (size_t)lane;
    if (b->number_size != (int)sizeof(double))
        for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
    else
        for (size_t i = 0; i < (size_t)count; i++) out[i] = ((const double *)array)[at + i * lanes];
}

static bool is_contiguous(const tx_block *b) { return b->lanes == 1 && b->number_size == (int)sizeof(double); }

// an array of this environment: itself where environments are not interleaved, else a copy
static const double *contiguous(const tx_block *b, const void *array, int count, int lane, tx_arena *arena) {
    if (is_contiguous(b)) return array;
    double *copy = TX_TAKE(*arena, count, double);
    gather(b, array, 0, count, lane, copy);
    return copy;
}

// velocities of the geoms' frames, from those of bodies about the centre of their tree; still ones have none
static double *geom_velocities(const tx_block *b, int lane, const double *pos, tx_arena *arena) {
    const tx_model *m = b->m;
    double *all = TX_TAKE(*arena, 6 * m->ngeom, double);
    memset(all, 0, 6 * sizeof(double) * (size_t)m->ngeom);
    for (int i = 0; i < m->ngeom; i++) {
        const int body = m->geom_body[i];
        if (body == 0 || (b->sleep.geom && b->sleep.geom[i])) continue;
        double spatial[6], centre[3], arm[3], *v = all + 6 * i;
        gather(b, b->cvel, 6 * body, 6, lane, spatial);
        gather(b, b->tree_com, 3 * m->body_root[body], 3, lane, centre);
        v3_sub(arm, pos + 3 * i, centre);
        v3_cross(v, spatial, arm);
        v3_add(v, v, spatial + 3);
        v3_copy(v + 3, spatial);
    }
    return all;
}

// what closes in is found a step before; what rests may start to fall, or come apart, and is held within a step's
// worth of either
static void look_ahead(const tx_block *b, int lane, tx_geoms *g, tx_arena *arena) {
    double gravity[3] = {0};
    if (b->opt->gravity) gather(b, b->param.gravity, 0, 3, lane, gravity);
    g->velocity = geom_velocities(b, lane, g->pos, arena);
    g->ahead = b->opt->timestep;
    g->follow = b->ahead == TX_AHEAD_FOLLOWED;
    if (g->follow) return;
    // friction lifts what glides by its coefficient
    for (int i = 0; b->ahead == TX_AHEAD_GLIDING && i < b->m->ngeom; i++)
        g->glide = fmax(g->glide, tx_lane(b, b->param.geom_friction, 3 * i, lane));
    for (int i = 0; b->ahead == TX_AHEAD_GLIDING && i < 5 * b->m->nspecial; i++)
        g->glide = fmax(g->glide, tx_lane(b, b->param.special_friction, i, lane));
    g->slack = g->ahead * (b->opt->recovery + 2 * g->ahead * v3_length(gravity));
}

// without velocities, where environments are not interleaved
static tx_geoms geoms_as_they_are(const tx_block *b) {
    return (tx_geoms){.size = b->param.geom_size,
                      .pos = b->geom_xpos,
                      .mat = b->geom_xmat,
                      .margin = b->param.geom_margin,
                      .gap = b->param.geom_gap,
                      .special_margin = b->param.special_margin,
                      .special_gap = b->param.special_gap,
                      .every_margin = b->opt->override ? &b->opt->o_margin : NULL,
                      .still = b->sleep.geom,
                      .version = b->sleep.version};
}

static tx_geoms gather_geoms(const tx_block *b, int lane, tx_arena *arena) {
    const int n = b->m->ngeom, specials = b->m->nspecial;
    tx_geoms g = {.size = contiguous(b, b->param.geom_size, 3 * n, lane, arena),
                  .pos = contiguous(b, b->geom_xpos, 3 * n, lane, arena),
                  .mat = contiguous(b, b->geom_xmat, 9 * n, lane, arena),
                  .margin = contiguous(b, b->param.geom_margin, n, lane, arena),
                  .gap = contiguous(b, b->param.geom_gap, n, lane, arena),
                  .special_margin = contiguous(b, b->param.special_margin, specials, lane, arena),
                  .special_gap = contiguous(b, b->param.special_gap, specials, lane, arena),
                  .every_margin = b->opt->override ? &b->opt->o_margin : NULL,
                  .still = b->sleep.geom,
                  .version = b->sleep.version};
    if (b->ahead != TX_AHEAD_NONE) look_ahead(b, lane, &g, arena);
    return g;
}

int tx_detect_pair(const tx_block *b, int lane, int pair, const tx_narrow *narrow, tx_arena arena, tx_hit *hits) {
    const tx_model *m = b->m;
    if (is_contiguous(b)) {
        const tx_geoms all = geoms_as_they_are(b);
        return tx_collider_test_pair(b->collider, lane, &all, pair, narrow, hits);
    }
    const int n = m->ngeom, geom[2] = {m->pair_geom1[pair], m->pair_geom2[pair]}, special = m->pair_special[pair];
    // arrays of which only the two geoms are there
    double *size = TX_TAKE(arena, 3 * n, double), *pos = TX_TAKE(arena, 3 * n, double);
    double *mat = TX_TAKE(arena, 9 * n, double), *margin = TX_TAKE(arena, n, double), *gap = TX_TAKE(arena, n, double);
    for (int k = 0; k < 2; k++) {
        const int i = geom[k];
        gather(b, b->param.geom_size, 3 * i, 3, lane, size + 3 * i);
        gather(b, b->geom_xpos, 3 * i, 3, lane, pos + 3 * i);
        gather(b, b->geom_xmat, 9 * i, 9, lane, mat + 9 * i);
        margin[i] = tx_lane(b, b->param.geom_margin, i, lane), gap[i] = tx_lane(b, b->param.geom_gap, i, lane);
    }
    const tx_geoms g = {
        .size = size,
        .pos = pos,
        .mat = mat,
        .margin = margin,
        .gap = gap,
        .special_margin = special < 0 ? NULL : contiguous(b, b->param.special_margin, m->nspecial, lane, &arena),
        .special_gap = special < 0 ? NULL : contiguous(b, b->param.special_gap, m->nspecial, lane, &arena),
        .every_margin = b->opt->override ? &b->opt->o_margin : NULL};
    return tx_collider_test_pair(b->collider, lane, &g, pair, narrow, hits);
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

// the same for every contact, but for its dimension
static void take_override(const tx_options *o, tx_contact *c) {
    for (int k = 0; k < 5; k++) c->friction[k] = fmax(TX_LEAST_FRICTION, o->o_friction[k]);
    memcpy(c->solref, o->o_solref, sizeof c->solref);
    memcpy(c->solimp, o->o_solimp, sizeof c->solimp);
}

typedef struct contact_list {
    const tx_block *b;
    const tx_geoms *geoms;
    int lane;
    tx_contact *contacts;
    int *special, *slot;
    double *ahead;
    bool fills;  // contacts go into slots at once
    bool *mixed; // and not all of them could
} contact_list;

// points of a face have one normal
static bool same_way(const tx_hit *a, const tx_hit *b) {
    return memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
           memcmp(a->tangent, b->tangent, sizeof a->tangent) == 0;
}

// Slots are in the order of the contacts where all act and have as many rows: then each contact has the slot of its own
// number, and rows read its record itself (rows/slot.inl). Three rows are what most have
enum { COMMON_ROWS = 3 };
static void fill_slot(const contact_list *list, int i) {
    const tx_block *b = list->b;
    tx_contact *c = &list->contacts[i];
    if (c->dim != COMMON_ROWS || !tx_contact_acts(c) || (size_t)i >= b->row_room.slots) {
        __atomic_store_n(list->mixed, true, __ATOMIC_RELAXED);
        return;
    }
    c->acts = 1, list->slot[i] = i;
    b->slot[i] = (tx_slot){c->dim, {c->side[0].body, c->side[1].body}, {c->geom[0], c->geom[1]}, list->special[i]};
}

// what the contacts of a pair share
static void take_common(const tx_contact *from, tx_contact *c) {
    memcpy(c->geom, from->geom, sizeof c->geom), memcpy(c->side, from->side, sizeof c->side);
    memcpy(c->friction, from->friction, sizeof c->friction);
    memcpy(c->solref, from->solref, sizeof c->solref), memcpy(c->solimp, from->solimp, sizeof c->solimp);
    c->dim = from->dim, c->acts = 0;
    for (int k = 0; k < 6; k++) c->force[k] = 0;
}

// the points of one pair become contacts; those beyond the room are only counted
static void write_contacts(void *context, const tx_candidate *pair, const tx_hit *hits, int count, int before) {
    const contact_list *list = context;
    const tx_model *m = list->b->m;
    const int g1 = pair->geom[0], g2 = pair->geom[1];
    if (before >= list->b->room) return;
    tx_contact common = {.geom = {g1, g2}, .side = {tx_side_of(m, g1), tx_side_of(m, g2)}};
    if (pair->special >= 0) take_special(list->b, list->lane, pair->special, &common);
    else mix_geoms(list->b, list->lane, g1, g2, &common);
    if (list->b->opt->override) take_override(list->b->opt, &common);
    double reach[TX_MAX_HITS];
    tx_closing_reach(list->geoms, pair, hits, count, reach);
    for (int k = 0; k < count && before + k < list->b->room; k++) {
        tx_contact *c = &list->contacts[before + k];
        take_common(&common, c);
        list->special[before + k] = pair->special, list->slot[before + k] = -1;
        c->feature = hits[k].feature;
        c->dist = hits[k].dist;
        c->includemargin = pair->margin + reach[k];
        if (list->geoms->follow) list->ahead[before + k] = reach[k];
        memcpy(c->pos, hits[k].pos, sizeof c->pos);
        if (k > 0 && same_way(&hits[k], &hits[k - 1])) memcpy(c->frame, c[-1].frame, sizeof c->frame);
        else tx_frame_make(hits[k].normal, hits[k].tangent, c->frame);
        if (list->fills) fill_slot(list, before + k);
    }
}

static int broadphase_of(const tx_block *b) {
    return b->opt->broadphase == TX_BROADPHASE_AUTO ? b->m->opt->broadphase : b->opt->broadphase;
}

bool tx_detect_wanted(const tx_block *b) {
    return b->opt->contact && b->opt->constraint && (broadphase_of(b) == TX_BROADPHASE_SWEEP || b->m->npair > 0);
}

// velocities, sleepers and fields of distances have boxes of their own; the search is in double precision. Many pairs
// of one environment are left to its threads
bool tx_detect_in_lanes(const tx_block *b) {
    enum { FEW_PAIRS = 256 };
    const bool shared = b->pool && tx_pool_threads(b->pool) > 1 && b->m->npair > FEW_PAIRS;
    return !shared && b->number_size == (int)sizeof(double) && tx_detect_wanted(b) &&
           broadphase_of(b) != TX_BROADPHASE_SWEEP && b->ahead == TX_AHEAD_NONE && b->m->nsleep == 0 &&
           tx_collider_has_bounds(b->collider);
}

bool tx_detect(tx_block *b, int lane) {
    tx_arena arena = b->arena;
    b->ncontact[lane] = 0;
    if (!tx_detect_wanted(b)) return true;
    tx_geoms g = gather_geoms(b, lane, &arena);
    tx_narrow narrow = tx_narrow_of(b->opt);
    const size_t first = (size_t)lane * (size_t)b->room;
    bool mixed = false;
    contact_list list = {b,
                         &g,
                         lane,
                         b->contacts + first,
                         b->contact_special + first,
                         b->contact_slot + first,
                         b->contact_ahead + first,
                         is_contiguous(b),
                         &mixed};
    int count = tx_collider_run(b->collider, lane, &g, broadphase_of(b), &narrow, write_contacts, &list);
    b->ncontact[lane] = count < 0 ? 0 : count;
    b->filled = list.fills && !mixed && count >= 0 && count <= b->room;
    return count >= 0 && count <= b->room;
}
