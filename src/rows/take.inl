// take.inl - points of contact become contact records and slots in all environments of a block. lanes: any
//
// tx_detect() and tx_place_contacts() do the same for one environment after the other. Here the numbers of a contact
// are made in all lanes by the operations of mix.c and frame.c in their order, and go into a slot as they are.
#pragma once
#include "collide/meet.inl"
#include "collide/mix.h"
#include "rows/rows.h"

// ---- parameters -----------------------------------------------------------------------------------------------------

typedef struct pair_numbers {
    int dim;
    real margin, friction[5], solref[2], solimp[5];
} pair_numbers;

// weight of the first of two surfaces
FN real mix_weight(real mix1, real mix2) {
    const mask some1 = not_(mix1 < R(1e-15)), some2 = not_(mix2 < R(1e-15));
    const real alone = sel(some1, splat(1), sel(some2, splat(0), splat(R(0.5))));
    return sel(some1 & some2, mix1 / (mix1 + mix2), alone);
}

FN void unpack_friction(const real *slide, real *friction) {
    const real unpacked[5] = {slide[0], slide[0], slide[1], slide[2], slide[2]};
    for (int k = 0; k < 5; k++) friction[k] = vmax(unpacked[k], splat(R(TX_LEAST_FRICTION)));
}

// the higher priority decides alone, equal ones are mixed
FN void mix_surfaces(const tx_block *b, int g1, int g2, pair_numbers *out) {
    const int *priority = b->m->geom_priority, *condim = b->m->geom_condim;
    const real *slide1 = &PARAM(b, geom_friction, 3 * g1), *slide2 = &PARAM(b, geom_friction, 3 * g2);
    const real *ref1 = &PARAM(b, geom_solref, 2 * g1), *ref2 = &PARAM(b, geom_solref, 2 * g2);
    const real *imp1 = &PARAM(b, geom_solimp, 5 * g1), *imp2 = &PARAM(b, geom_solimp, 5 * g2);
    if (priority[g1] != priority[g2]) {
        const bool first = priority[g1] > priority[g2];
        out->dim = condim[first ? g1 : g2];
        unpack_friction(first ? slide1 : slide2, out->friction);
        copy(out->solref, first ? ref1 : ref2, 2);
        copy(out->solimp, first ? imp1 : imp2, 5);
        return;
    }
    const real w = mix_weight(PARAM(b, geom_solmix, g1), PARAM(b, geom_solmix, g2)), rest = R(1) - w;
    const mask standard = (ref1[0] > R(0)) & (ref2[0] > R(0));
    real slide[3];
    out->dim = condim[g1] > condim[g2] ? condim[g1] : condim[g2];
    for (int k = 0; k < 3; k++) slide[k] = vmax(slide1[k], slide2[k]);
    unpack_friction(slide, out->friction);
    for (int k = 0; k < 2; k++) out->solref[k] = sel(standard, w * ref1[k] + rest * ref2[k], vmin(ref1[k], ref2[k]));
    for (int k = 0; k < 5; k++) out->solimp[k] = w * imp1[k] + rest * imp2[k];
}

FN void numbers_of_pair(const tx_block *b, int g1, int g2, int special, pair_numbers *out) {
    if (special >= 0) {
        out->dim = b->m->special_dim[special];
        copy(out->friction, &PARAM(b, special_friction, 5 * special), 5);
        copy(out->solref, &PARAM(b, special_solref, 2 * special), 2);
        copy(out->solimp, &PARAM(b, special_solimp, 5 * special), 5);
    } else mix_surfaces(b, g1, g2, out);
    out->margin = pair_margin(b, g1, g2, special) + R(0);
    if (!b->opt->override) return;
    for (int k = 0; k < 5; k++) out->friction[k] = splat(R(fmax(TX_LEAST_FRICTION, b->opt->o_friction[k])));
    for (int k = 0; k < 2; k++) out->solref[k] = splat(R(b->opt->o_solref[k]));
    for (int k = 0; k < 5; k++) out->solimp[k] = splat(R(b->opt->o_solimp[k]));
}

// ---- frame ----------------------------------------------------------------------------------------------------------

// unit length; returns what it was. A vector without direction becomes the x axis
FN real to_unit(real *v) {
    const real length = vsqrt(dot3(v, v));
    const mask none = length < R(1e-15);
    const real scale = R(1) / length;
    for (int k = 0; k < 3; k++) v[k] = sel(none, splat(R(k == 0)), v[k] * scale);
    return length;
}

// t becomes the unit vector of its part across the unit vector n; returns how long that part was
FN real turn_across(real *t, const real *n) {
    const real along = -dot3(n, t);
    for (int k = 0; k < 3; k++) t[k] = t[k] + n[k] * along;
    return to_unit(t);
}

// see frame.c; only lanes that are on count
STAGE void make_frame(const lane_hit *hit, mask on, real *frame) {
    real *n = frame, *t = frame + 3;
    copy3(n, hit->normal);
    to_unit(n);
    copy3(t, hit->tangent);
    mask world = dot3(t, t) < R(0.25);
    if (any(on & not_(world))) {
        const mask along = turn_across(t, n) < R(1e-3);
        if (any(on & along & not_(world))) {
            real again[3];
            copy3(again, t);
            const mask still = turn_across(again, n) < R(1e-3);
            for (int k = 0; k < 3; k++) t[k] = sel(along, again[k], t[k]);
            world = world | (along & still);
        }
    }
    if (any(on & world)) {
        const mask y = vabs(n[1]) < R(0.5);
        real axis[3] = {splat(0), sel(y, splat(1), splat(0)), sel(y, splat(0), splat(1))};
        turn_across(axis, n);
        for (int k = 0; k < 3; k++) t[k] = sel(world, axis[k], t[k]);
    }
    cross3(frame + 6, n, t);
}

// ---- contacts -------------------------------------------------------------------------------------------------------

typedef struct taking {
    meeting meet;
    tx_row_room need;
    bool placed; // all contacts that act are in slots
} taking;

// lanes that do not act are zero: dist = margin there, so that they never will
FN void fill_slot(const tx_block *b, int slot, const lane_hit *hit, const real *frame, const pair_numbers *s,
                  mask acts) {
    const real zero = splat(0);
    AT(b->con_dist, slot) = sel(acts, hit->dist, zero);
    AT(b->con_margin, slot) = sel(acts, s->margin, zero);
    for (int k = 0; k < 3; k++) AT(b->con_pos, 3 * slot + k) = sel(acts, hit->pos[k], zero);
    for (int k = 0; k < 9; k++) AT(b->con_frame, 9 * slot + k) = sel(acts, frame[k], zero);
    for (int k = 0; k < 5; k++) AT(b->con_friction, 5 * slot + k) = sel(acts, s->friction[k], zero);
    for (int k = 0; k < 2; k++) AT(b->con_solref, 2 * slot + k) = sel(acts, s->solref[k], zero);
    for (int k = 0; k < 5; k++) AT(b->con_solimp, 5 * slot + k) = sel(acts, s->solimp[k], zero);
}

STAGE void write_record(tx_block *b, int lane, int pair, int slot, const lane_hit *hit, const real *frame,
                        const pair_numbers *s) {
    const tx_model *m = b->m;
    const int at = b->ncontact[lane]++;
    if (at >= b->room || b->unread) return;
    const size_t place = (size_t)lane * (size_t)b->room + (size_t)at;
    tx_contact *c = &b->contacts[place];
    c->geom[0] = m->pair_geom1[pair], c->geom[1] = m->pair_geom2[pair];
    for (int k = 0; k < 2; k++) c->side[k] = tx_side_of(m, c->geom[k]);
    c->feature = hit->feature[lane], c->dist = lane_get(hit->dist, lane);
    c->includemargin = lane_get(s->margin, lane);
    for (int k = 0; k < 3; k++) c->pos[k] = lane_get(hit->pos[k], lane);
    for (int k = 0; k < 9; k++) c->frame[k] = lane_get(frame[k], lane);
    for (int k = 0; k < 5; k++) c->friction[k] = lane_get(s->friction[k], lane);
    for (int k = 0; k < 2; k++) c->solref[k] = lane_get(s->solref[k], lane);
    for (int k = 0; k < 5; k++) c->solimp[k] = lane_get(s->solimp[k], lane);
    memset(c->force, 0, sizeof c->force);
    c->dim = s->dim, c->acts = slot >= 0;
    b->contact_special[place] = m->pair_special[pair], b->contact_slot[place] = slot;
}

// a slot for what acts of the points with the same number of a pair, -1: none or no room
STAGE int take_slot(tx_block *b, taking *t, int pair, const lane_hit *hit, const real *frame, const pair_numbers *s,
                    mask acts) {
    const tx_model *m = b->m;
    if (!any(acts) || !t->placed) return -1;
    const int g1 = m->pair_geom1[pair], g2 = m->pair_geom2[pair], slot = b->nslots;
    const tx_slot made = {s->dim, {m->geom_body[g1], m->geom_body[g2]}, {g1, g2}, m->pair_special[pair]};
    tx_room_add_slot(b, &made, &t->need);
    // slots are sorted by dimension: where there are several tx_place_contacts() does it
    t->placed = tx_room_fits(&t->need, &b->row_room) && (slot == 0 || b->slot[0].dim == s->dim);
    if (!t->placed) return -1;
    b->slot[b->nslots++] = made;
    fill_slot(b, slot, hit, frame, s, acts);
    return slot;
}

// whether two points of one environment have the same frame; with several it is made for each
FN bool same_frame(const lane_hit *hit, const lane_hit *last) {
    return TX_LANES == 1 && memcmp(hit->normal, last->normal, sizeof hit->normal) == 0 &&
           memcmp(hit->tangent, last->tangent, sizeof hit->tangent) == 0;
}

STAGE void take_points(tx_block *b, taking *t, int pair) {
    const tx_model *m = b->m;
    pair_numbers s;
    real frame[9];
    numbers_of_pair(b, m->pair_geom1[pair], m->pair_geom2[pair], m->pair_special[pair], &s);
    for (int i = 0; i < t->meet.hits.most; i++) {
        const lane_hit *hit = &t->meet.hits.hit[i];
        uint8_t here[TX_LANES];
        for (int e = 0; e < TX_LANES; e++) here[e] = i < t->meet.hits.count[e];
        const mask on = lane_mask(here);
        if (i == 0 || !same_frame(hit, hit - 1)) make_frame(hit, on, frame);
        const mask acts = (hit->dist < s.margin) & on;
        const int slot = take_slot(b, t, pair, hit, frame, &s, acts);
        for (int e = 0; e < TX_LANES; e++)
            if (here[e]) write_record(b, e, pair, mask_get(acts, e) ? slot : -1, hit, frame, &s);
    }
}

#if TX_LANES == 1
STAGE void take_couple(tx_block *b, taking *t, const tx_couple *couple) {
    const tx_model *m = b->m;
    const near_box *boxes = t->meet.boxes.box;
    place_couple(b, &t->meet.boxes, couple);
    for (int i = couple->begin; i < couple->end; i++) {
        // most of many pairs are far apart: they go by in a short loop
        if (couple->plane < 0) i = skip_far_pairs(m, boxes, i, couple->end);
        if (i < couple->end && meet_pair(b, &t->meet, i)) take_points(b, t, i);
    }
}

// body by body
STAGE void take_pairs(tx_block *b, taking *t) {
    const tx_couples *c = b->couples;
    const near_box *bodies = place_body_boxes(b, &t->meet.arena);
    for (int k = skip_far_couples(b, bodies, 0); k < c->count; k = skip_far_couples(b, bodies, k + 1))
        if (couple_near(b, &t->meet.boxes, bodies, &c->couple[k])) take_couple(b, t, &c->couple[k]);
}
#else
STAGE void take_pairs(tx_block *b, taking *t) {
    for (int i = 0; i < b->m->npair; i++)
        if (meet_pair(b, &t->meet, i)) take_points(b, t, i);
}
#endif

STAGE bool detect(tx_block *b) {
    taking t = {begin_meeting(b), b->fixed_room, true};
    bool complete = true;
    b->nslots = 0;
    memset(b->ncontact, 0, TX_LANES * sizeof *b->ncontact);
    take_pairs(b, &t);
    for (int e = 0; e < TX_LANES; e++) complete = complete && b->ncontact[e] <= b->room;
    b->placed = t.placed;
    if (t.placed || !b->unread) return complete;
    b->unread = false; // tx_place_contacts() reads it
    return detect(b);
}
