// near_bodies.inl - which bodies of one environment may be near each other or a plane, and the geoms of those alone
// placed. lanes: 1
//
// Every test only leaves out what has no points, with room for rounding, so that no contact depends on it.
#pragma once
#include "collide/couples.h"
#include "collide/near.inl"
#include "dynamics/kinematics.inl"

#if TX_LANES == 1

// what rounding may do to poses of geoms and to boxes of bodies, relative to the numbers they are made of
#define BODY_ROUNDING R(1e-12)

FN void place_body_box(const tx_block *b, int body, near_box *out) {
    const tx_bounds *own = &b->couples->box[body];
    const real *pos = &AT(b->xpos, 3 * body), *mat = &AT(b->xmat, 9 * body), *c = own->centre, *h = own->half;
    const real place = vabs(pos[0]) + vabs(pos[1]) + vabs(pos[2]) + vabs(c[0]) + vabs(c[1]) + vabs(c[2]);
    const real size = h[0] + h[1] + h[2];
    UNROLL
    for (int k = 0; k < 3; k++) {
        const real *row = mat + 3 * k;
        const real centre = pos[k] + (row[0] * c[0] + row[1] * c[1] + row[2] * c[2]);
        const real half =
            vabs(row[0]) * h[0] + vabs(row[1]) * h[1] + vabs(row[2]) * h[2] + BODY_ROUNDING * (place + size);
        out->low[k] = centre - half, out->high[k] = centre + half;
    }
    out->low[3] = out->high[3] = 0;
}

STAGE const near_box *place_body_boxes(const tx_block *b, tx_arena *arena) {
    near_box *boxes = TX_TAKE(*arena, b->m->nbody, near_box);
    for (int k = 0; k < b->couples->boxes; k++) place_body_box(b, b->couples->boxed[k], &boxes[b->couples->boxed[k]]);
    return boxes;
}

// where a geom is, and where wanted its box, which planes do not have
FN void ready_geom(const tx_block *b, const near_boxes *boxes, int g, int wanted) {
    if (boxes->placed[g] >= wanted) return;
    if (boxes->placed[g] == UNPLACED && !b->geoms_placed) place_geom(b, g);
    if (wanted == BOXED && b->m->geom_type[g] != TX_GEOM_PLANE) place_near_box(b, g, &boxes->box[g]);
    boxes->placed[g] = (unsigned char)wanted;
}

// the lowest corner of a body's box above a plane
FN bool body_near_plane(const tx_block *b, int plane, const near_box *box, real reach) {
    const real *pos = &AT(b->geom_xpos, 3 * plane), *mat = &AT(b->geom_xmat, 9 * plane);
    real height = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        const real normal = mat[3 * k + 2], lowest = normal > 0 ? box->low[k] : box->high[k];
        height = height + normal * (lowest - pos[k]);
        size = size + (vabs(lowest) + vabs(pos[k]));
    }
    return height <= reach + BODY_ROUNDING * (size + reach);
}

FN bool couple_near(const tx_block *b, const near_boxes *boxes, const near_box *bodies, const tx_couple *c) {
    const real reach = b->opt->override ? vmax(b->opt->o_margin, 0) + c->gap : c->reach;
    const near_box *one = &bodies[c->body[0]], *two = &bodies[c->body[1]];
    if (c->plane >= 0) {
        ready_geom(b, boxes, c->plane, POSED);
        return body_near_plane(b, c->plane, two, reach);
    }
    const num4 low[2] = {CAT4(one->low, 0), CAT4(two->low, 0)};
    const num4 high[2] = {reach + CAT4(one->high, 0), reach + CAT4(two->high, 0)};
    return all_of_four((low[0] <= high[1]) & (low[1] <= high[0]));
}

// the first couple from k on whose bodies may be near, or that couple_near() alone knows: with a plane, or where all
// pairs have one margin
FN int skip_far_couples(const tx_block *b, const near_box *bodies, int k) {
    const tx_couples *all = b->couples;
    const tx_couple_key *key = all->key;
    if (b->opt->override) return k;
    for (; k < all->count && key[k].body[0] >= 0; k++) {
        const near_box *one = &bodies[key[k].body[0]], *two = &bodies[key[k].body[1]];
        const num4 low[2] = {CAT4(one->low, 0), CAT4(two->low, 0)};
        const num4 high[2] = {key[k].reach + CAT4(one->high, 0), key[k].reach + CAT4(two->high, 0)};
        if (all_of_four((low[0] <= high[1]) & (low[1] <= high[0]))) return k;
    }
    return k;
}

// all geoms of the two bodies, or where there are fewer those of the pairs
STAGE void place_couple(const tx_block *b, const near_boxes *boxes, const tx_couple *c) {
    const tx_couples *all = b->couples;
    const int *first = all->first, *one = c->body, *two = c->body + 1, wanted = c->plane < 0 ? BOXED : POSED;
    if (c->end - c->begin < first[*one + 1] - first[*one] + first[*two + 1] - first[*two]) {
        for (int i = c->begin; i < c->end; i++) {
            ready_geom(b, boxes, b->m->pair_geom1[i], wanted);
            ready_geom(b, boxes, b->m->pair_geom2[i], wanted);
        }
        return;
    }
    for (int side = 0; side < 2; side++)
        for (int k = first[c->body[side]]; k < first[c->body[side] + 1]; k++)
            ready_geom(b, boxes, all->geom[k], wanted);
}

// the first pair from i on whose boxes are not apart, or that has a reach of its own
FN int skip_far_pairs(const tx_model *m, const near_box *boxes, int i, int end) {
    const int *first = m->pair_geom1, *second = m->pair_geom2, *special = m->pair_special;
    while (i < end && special[i] < 0 && !boxes_overlap(&boxes[first[i]], &boxes[second[i]])) i++;
    return i;
}

#endif
