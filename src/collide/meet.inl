// meet.inl - the points of one pair of the table in all environments of a block. lanes: any
//
// A ball or a capsule above a plane has a closed form without branches: it is found in all lanes at once, by the
// operations of pair_plane.c in their order, so with the same bits. Other pairs that may be near, and numbers so large
// that they might not count, are searched one environment after the other.
#pragma once
#include "collide/detect.h"
#include "collide/feature.h"
#include "collide/near_bodies.inl"

/// tx_hit in every lane.
typedef struct lane_hit {
    real dist, pos[3], normal[3], tangent[3];
    uint64_t feature[TX_LANES];
} lane_hit;

/// Points of one pair: number k of lane e means something where k < count[e].
typedef struct lane_hits {
    lane_hit *hit; // TX_MAX_HITS
    int most;      // the largest count; what lies beyond it is not initialised
    int count[TX_LANES];
} lane_hits;

/// What is found before the first pair of a step and used for all.
typedef struct meeting {
    near_boxes boxes;
    tx_arena arena; // what is left
    lane_hits hits;
    tx_narrow narrow;
} meeting;

FN meeting begin_meeting(const tx_block *b) {
    meeting t = {.arena = b->arena, .narrow = tx_narrow_of(b->opt)};
    t.boxes = no_boxes_yet(b->m, &t.arena);
    t.hits.hit = TX_TAKE(t.arena, TX_MAX_HITS, lane_hit);
    return t;
}

// margin of a pair, and how far apart its surfaces may be to be found
FN real pair_margin(const tx_block *b, int g1, int g2, int special) {
    if (special >= 0) return b->opt->override ? splat(R(b->opt->o_margin)) : PARAM(b, special_margin, special);
    if (b->opt->override) return splat(R(b->opt->o_margin / 2 + b->opt->o_margin / 2));
    return PARAM(b, geom_margin, g1) + PARAM(b, geom_margin, g2);
}
FN real pair_reach(const tx_block *b, int g1, int g2, int special) {
    const real gap = special >= 0 ? PARAM(b, special_gap, special) : PARAM(b, geom_gap, g1) + PARAM(b, geom_gap, g2);
    return pair_margin(b, g1, g2, special) + gap;
}

// ---- one environment after the other --------------------------------------------------------------------------------

STAGE void search_lane(const tx_block *b, meeting *t, int pair, int lane) {
    tx_hit found[TX_MAX_HITS];
    lane_hits *all = &t->hits;
    const int count = tx_detect_pair(b, lane, pair, &t->narrow, t->arena, found);
    for (; all->most < count; all->most++) memset(&all->hit[all->most], 0, sizeof *all->hit);
    for (int i = 0; i < count; i++) {
        lane_hit *hit = &all->hit[i];
        hit->feature[lane] = found[i].feature;
        lane_set(&hit->dist, lane, R(found[i].dist));
        for (int k = 0; k < 3; k++) {
            lane_set(&hit->pos[k], lane, R(found[i].pos[k]));
            lane_set(&hit->normal[k], lane, R(found[i].normal[k]));
            lane_set(&hit->tangent[k], lane, R(found[i].tangent[k]));
        }
    }
    all->count[lane] = count;
}

FN void search_lanes(const tx_block *b, meeting *t, int pair, unsigned lanes) {
    for (int e = 0; lanes; e++, lanes >>= 1)
        if (lanes & 1) search_lane(b, t, pair, e);
}

// ---- a plane and what is round --------------------------------------------------------------------------------------

FN real magnitude_of(const real *v, int n) {
    real sum = splat(0);
    for (int k = 0; k < n; k++) sum = sum + vabs(v[k]);
    return sum;
}

// where the shape and the plane have numbers so small that all of them count, see shape_usable()
FN mask counts(const tx_block *b, int plane, int g, real reach) {
    const real sum = magnitude_of(&AT(b->geom_xpos, 3 * plane), 3) + magnitude_of(&AT(b->geom_xmat, 9 * plane), 9) +
                     magnitude_of(&AT(b->geom_xpos, 3 * g), 3) + magnitude_of(&AT(b->geom_xmat, 9 * g), 9) +
                     magnitude_of(&PARAM(b, geom_size, 3 * g), 2) + vabs(reach);
    return sum < R(TX_LONGEST);
}

FN real height_of(const real *origin, const real *normal, const real *centre, real radius) {
    const real offset[3] = {centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2]};
    return dot3(offset, normal) - radius;
}

// midway between the ball's lowest point and the plane
FN void touch_plane(lane_hit *hit, const real *normal, const real *centre, real radius, real dist) {
    const real down = -(radius + dist / R(2));
    for (int k = 0; k < 3; k++) hit->pos[k] = centre[k] + normal[k] * down;
    copy3(hit->normal, normal);
    hit->dist = dist;
}

// returns the lanes that are to be searched instead
FN unsigned meet_plane_ball(const tx_block *b, lane_hits *all, int plane, int g, real reach) {
    const real *mat = &AT(b->geom_xmat, 9 * plane), *centre = &AT(b->geom_xpos, 3 * g);
    const real normal[3] = {mat[2], mat[5], mat[8]}, radius = PARAM(b, geom_size, 3 * g);
    const real dist = height_of(&AT(b->geom_xpos, 3 * plane), normal, centre, radius);
    const mask close = dist < reach;
    if (!any(close)) return 0;
    const mask on = counts(b, plane, g, reach);
    const unsigned near = mask_bits(close & on);
    all->most = 1;
    touch_plane(&all->hit[0], normal, centre, radius, dist);
    zero3(all->hit[0].tangent);
    for (int e = 0; e < TX_LANES; e++) {
        all->count[e] = near >> e & 1;
        all->hit[0].feature[e] = tx_feature(tx_part_face(0), tx_part_face(0));
    }
    return mask_bits(close & not_(on));
}

// the two end balls, upper end first; the friction pyramid is aligned with the capsule's axis
FN unsigned meet_plane_capsule(const tx_block *b, lane_hits *all, int plane, int g, real reach) {
    const real *mat = &AT(b->geom_xmat, 9 * plane), *turn = &AT(b->geom_xmat, 9 * g), *pos = &AT(b->geom_xpos, 3 * g);
    const real normal[3] = {mat[2], mat[5], mat[8]}, axis[3] = {turn[2], turn[5], turn[8]};
    const real radius = PARAM(b, geom_size, 3 * g), half = PARAM(b, geom_size, 3 * g + 1);
    real upper[3], lower[3];
    for (int k = 0; k < 3; k++) upper[k] = pos[k] + axis[k] * half, lower[k] = pos[k] + axis[k] * -half;
    const real high = height_of(&AT(b->geom_xpos, 3 * plane), normal, upper, radius);
    const real low = height_of(&AT(b->geom_xpos, 3 * plane), normal, lower, radius);
    const mask close = (high < reach) | (low < reach);
    if (!any(close)) return 0;
    const mask on = counts(b, plane, g, reach), first = (high < reach) & on, second = (low < reach) & on;
    const unsigned ends = mask_bits(first), others = mask_bits(second);

    // the first point is the upper end's where that is near, else the lower end's
    real centre[3];
    for (int k = 0; k < 3; k++) centre[k] = sel(first, upper[k], lower[k]);
    touch_plane(&all->hit[0], normal, centre, radius, sel(first, high, low));
    all->most = ends & others ? 2 : 1;
    if (all->most == 2) touch_plane(&all->hit[1], normal, lower, radius, low);
    for (int i = 0; i < all->most; i++) {
        copy3(all->hit[i].tangent, axis);
        for (int e = 0; e < TX_LANES; e++)
            all->hit[i].feature[e] = tx_feature(tx_part_face(0), tx_part_corner(i == 0 && ends >> e & 1));
    }
    for (int e = 0; e < TX_LANES; e++) all->count[e] = (int)(ends >> e & 1) + (int)(others >> e & 1);
    return mask_bits(close & not_(on));
}

// ---- all pairs ------------------------------------------------------------------------------------------------------

// where a pair has a closed form
FN bool is_plane_and_round(const tx_model *m, int g1, int g2) {
    return m->geom_type[g1] == TX_GEOM_PLANE &&
           (m->geom_type[g2] == TX_GEOM_SPHERE || m->geom_type[g2] == TX_GEOM_CAPSULE);
}

/// The points of a pair, in t->hits; false: it has none.
FN bool meet_pair(const tx_block *b, meeting *t, int pair) {
    const tx_model *m = b->m;
    const int g1 = m->pair_geom1[pair], g2 = m->pair_geom2[pair], special = m->pair_special[pair];
    unsigned search;
    t->hits.most = 0;
    if (is_plane_and_round(m, g1, g2) && t->narrow.contacts == 0) {
        const real reach = pair_reach(b, g1, g2, special);
        search = m->geom_type[g2] == TX_GEOM_SPHERE ? meet_plane_ball(b, &t->hits, g1, g2, reach)
                                                    : meet_plane_capsule(b, &t->hits, g1, g2, reach);
    } else {
        search = mask_bits(near_pair(b, &t->boxes, g1, g2, special));
        if (search) memset(t->hits.count, 0, sizeof t->hits.count);
    }
    search_lanes(b, t, pair, search);
    return t->hits.most > 0;
}
