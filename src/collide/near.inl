// near.inl - which pairs of the table may be near, in all environments of a block at once. lanes: any
//
// The boxes are those of collider.c (geometry/aabb.c has the closed forms and the roundings), one environment a lane.
// A pair whose boxes are apart has no points, so leaving it out changes no contact.
#pragma once
#include <float.h>

#include "collide/collider.h"
#include "lane/row.h"
#include "lane/vec.h"
#include "model/block.h"

// the fourth numbers are zero: one environment compares its boxes by vectors of four
typedef struct near_box {
    real low[4], high[4];
} near_box;

// what rounding may take from a box, relative to the numbers it is made of; twice that of aabb.c
#define NEAR_ROUNDING R(16 * DBL_EPSILON)

// half extent along the world axis whose row of the rotation this is
FN real near_extent(int type, const real *s, const real *row) {
    real x = s[0] * row[0], y = s[1] * row[1], z = s[2] * row[2];
    switch (type) {
    case TX_GEOM_SPHERE: return s[0];
    case TX_GEOM_CAPSULE: return s[0] + vabs(row[2]) * s[1];
    case TX_GEOM_CYLINDER: return s[0] * vsqrt(row[0] * row[0] + row[1] * row[1]) + vabs(row[2]) * s[1];
    case TX_GEOM_ELLIPSOID: return vsqrt(x * x + y * y + z * z);
    default: return vabs(x) + vabs(y) + vabs(z);
    }
}

// margin and gap of a geom as they grow its box
FN real near_growth(const tx_block *b, int g) {
    const real margin = b->opt->override ? splat(R(b->opt->o_margin / 2)) : PARAM(b, geom_margin, g);
    return vmax(margin + PARAM(b, geom_gap, g), splat(0));
}

// of no plane; where a number is not finite the box is empty
STAGE void place_near_box(const tx_block *b, int g, near_box *out) {
    const real *pos = &AT(b->geom_xpos, 3 * g), *mat = &AT(b->geom_xmat, 9 * g), grow = near_growth(b, g);
    const tx_bounds *own = tx_collider_bounds(b->collider, g);
    const int type = own ? TX_GEOM_BOX : b->m->geom_type[g];
    real size[3], finite = splat(0), place = vabs(pos[0]) + vabs(pos[1]) + vabs(pos[2]);
    for (int k = 0; k < 3; k++) size[k] = own ? splat(R(own->half[k])) : PARAM(b, geom_size, 3 * g + k);
    for (int k = 0; k < 3; k++) {
        const real *row = mat + 3 * k;
        real centre = pos[k];
        if (own)
            centre = centre + (row[0] * R(own->centre[0]) + row[1] * R(own->centre[1]) + row[2] * R(own->centre[2]));
        const real reach = near_extent(type, size, row) + grow;
        const real half = reach + NEAR_ROUNDING * (place + vabs(centre) + R(2) * reach);
        out->low[k] = centre - half, out->high[k] = centre + half;
        finite = finite + (R(0) * out->low[k] + R(0) * out->high[k]);
    }
    const mask empty = not_(finite == R(0));
    for (int k = 0; k < 3; k++) {
        out->low[k] = sel(empty, splat(R(INFINITY)), out->low[k]);
        out->high[k] = sel(empty, splat(-R(INFINITY)), out->high[k]);
    }
    out->low[3] = out->high[3] = splat(0);
}

FN mask boxes_overlap(const near_box *a, const near_box *b) {
#if TX_LANES == 1
    const num4 low[2] = {CAT4(a->low, 0), CAT4(b->low, 0)}, high[2] = {CAT4(a->high, 0), CAT4(b->high, 0)};
    return all_of_four((low[0] <= high[1]) & (low[1] <= high[0]));
#else
    mask near = lane_true();
    UNROLL
    for (int k = 0; k < 3; k++) near = near & (a->low[k] <= b->high[k]) & (b->low[k] <= a->high[k]);
    return near;
#endif
}

FN mask boxes_near(const near_box *a, const near_box *b, real slack) {
    near_box wide = *a;
    for (int k = 0; k < 3; k++) wide.low[k] = a->low[k] - slack, wide.high[k] = a->high[k] + slack;
    return boxes_overlap(&wide, b);
}

// how much farther than both of its boxes have grown a special pair reaches
FN real special_slack(const tx_block *b, int g1, int g2, int special) {
    const real margin = b->opt->override ? splat(R(b->opt->o_margin)) : PARAM(b, special_margin, special);
    return margin + PARAM(b, special_gap, special) - near_growth(b, g1) - near_growth(b, g2);
}

// how far a shape reaches from its centre along d, times the length of d
FN real reach_along(const tx_block *b, int g, const real *d, real length) {
    const real *mat = &AT(b->geom_xmat, 9 * g), *s = &PARAM(b, geom_size, 3 * g);
    real along[3];
    mat_vec_transposed(along, mat, d);
    const real x = s[0] * along[0], y = s[1] * along[1], z = s[2] * along[2];
    switch (b->m->geom_type[g]) {
    case TX_GEOM_SPHERE: return s[0] * length;
    case TX_GEOM_CAPSULE: return s[0] * length + s[1] * vabs(along[2]);
    case TX_GEOM_CYLINDER: return s[0] * vsqrt(along[0] * along[0] + along[1] * along[1]) + s[1] * vabs(along[2]);
    case TX_GEOM_ELLIPSOID: return vsqrt(x * x + y * y + z * z);
    default: return vabs(x) + vabs(y) + vabs(z);
    }
}

// boxes of long shapes overlap where the shapes are far apart: a plane across the line between their centres often
// shows it. 1e-12 is more than all roundings here and in the search for points
FN mask maybe_near(const tx_block *b, int g1, int g2, real reach) {
    real d[3];
    for (int k = 0; k < 3; k++) d[k] = AT(b->geom_xpos, 3 * g2 + k) - AT(b->geom_xpos, 3 * g1 + k);
    const real square = dot3(d, d), length = vsqrt(square);
    const real sum = reach_along(b, g1, d, length) + reach_along(b, g2, d, length) + reach * length;
    return not_(square > R(1 + 1e-12) * sum);
}

// whether a shape reaches below a plane, or is at most `reach` above it
FN mask near_plane(const tx_block *b, int plane, int g, real reach) {
    const real *pos = &AT(b->geom_xpos, 3 * plane), *mat = &AT(b->geom_xmat, 9 * plane);
    const real normal[3] = {mat[2], mat[5], mat[8]};
    const tx_bounds *own = tx_collider_bounds(b->collider, g);
    real height = splat(0), size = splat(0), half = splat(0);
    for (int k = 0; k < 3; k++) {
        const real *at = &AT(b->geom_xpos, 3 * g);
        height = height + normal[k] * (at[k] - pos[k]);
        size = size + (vabs(at[k]) + vabs(pos[k]));
    }
    if (own) {
        real along[3];
        mat_vec_transposed(along, &AT(b->geom_xmat, 9 * g), normal);
        for (int k = 0; k < 3; k++) {
            height = height + along[k] * R(own->centre[k]);
            half = half + vabs(along[k]) * R(own->half[k]);
            size = size + splat(R(fabs(own->centre[k])));
        }
    } else half = reach_along(b, g, normal, splat(1));
    // false where a number is not finite; a normal is of unit length to rounding
    return height <= R(1 + 1e-12) * half + reach + R(1e-12) * size;
}

FN bool centred(const tx_block *b, int g) { return !tx_collider_bounds(b->collider, g); }

// what was placed in this call; pairs with a plane need no box
enum { UNPLACED, POSED, BOXED };
typedef struct near_boxes {
    near_box *box;
    unsigned char *placed;
} near_boxes;

FN const near_box *near_box_of(const tx_block *b, const near_boxes *boxes, int g) {
    if (boxes->placed[g] != BOXED) {
        place_near_box(b, g, &boxes->box[g]);
        boxes->placed[g] = BOXED;
    }
    return &boxes->box[g];
}

FN mask near_pair(const tx_block *b, const near_boxes *boxes, int g1, int g2, int special) {
    const real slack = special >= 0 ? special_slack(b, g1, g2, special) : splat(0);
    if (b->m->geom_type[g1] == TX_GEOM_PLANE)
        return near_plane(b, g1, g2, near_growth(b, g1) + near_growth(b, g2) + slack);
    const near_box *box1 = near_box_of(b, boxes, g1), *box2 = near_box_of(b, boxes, g2);
    if (special >= 0) return boxes_near(box1, box2, slack);
    const mask near = boxes_overlap(box1, box2);
    if (!any(near) || !centred(b, g1) || !centred(b, g2)) return near;
    return near & maybe_near(b, g1, g2, near_growth(b, g1) + near_growth(b, g2));
}

FN near_boxes no_boxes_yet(const tx_model *m, tx_arena *arena) {
    const near_boxes boxes = {TX_TAKE(*arena, m->ngeom, near_box), TX_TAKE(*arena, m->ngeom, unsigned char)};
    memset(boxes.placed, UNPLACED, (size_t)m->ngeom);
    return boxes;
}
