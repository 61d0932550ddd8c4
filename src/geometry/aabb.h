// aabb.h - boxes along the world's axes, as tight as the shape allows.
#pragma once
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "geometry/obb.h"
#include "geometry/support.h"

typedef struct tx_aabb {
    double low[3], high[3]; // [m]; low > high: empty
} tx_aabb;

/// Two boxes by index; of one list: a < b.
typedef struct tx_box_pair {
    int a, b;
} tx_box_pair;

/// The smallest box around a shape (tx_geom_type; no mesh), grown by `grow` [m] and by a few roundings. A plane's box
/// is the whole space, a box that would not be finite is empty.
void tx_aabb_shape(tx_aabb *out, int type, const double size[3], const double pos[3], const double mat[9], double grow);

/// The same around a box in a frame of its own, as that of a height field or around a mesh.
void tx_aabb_bounds(tx_aabb *out, const tx_bounds *bounds, const double pos[3], const double mat[9], double grow);

/// The same around a convex shape.
void tx_aabb_convex(tx_aabb *out, const tx_convex *shape, double grow);

static inline void tx_aabb_clear(tx_aabb *a) {
    for (int k = 0; k < 3; k++) a->low[k] = INFINITY, a->high[k] = -INFINITY;
}

/// Makes a box hold another one too.
static inline void tx_aabb_unite(tx_aabb *a, const tx_aabb *b) {
    for (int k = 0; k < 3; k++) {
        a->low[k] = b->low[k] < a->low[k] ? b->low[k] : a->low[k];
        a->high[k] = b->high[k] > a->high[k] ? b->high[k] : a->high[k];
    }
}

static inline bool tx_aabb_is_empty(const tx_aabb *a) { return !(a->low[0] <= a->high[0]); }

/// Whether two boxes have a point in common; `slack` [m] moves all faces apart (negative: an overlap that deep).
static inline bool tx_aabb_near(const tx_aabb *a, const tx_aabb *b, double slack) {
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] + slack && b->low[k] <= a->high[k] + slack)) return false;
    return true;
}

/// Whether two boxes have a point in common: without branches, for long lists.
static inline bool tx_aabb_overlap(const tx_aabb *a, const tx_aabb *b) {
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

/// A box in single precision, no smaller than the one it was made from: half the numbers to load, for long lists.
typedef struct tx_coarse_box {
    float low[4], high[4]; // the fourth numbers are zero
} tx_coarse_box;

static inline void tx_coarse_box_make(tx_coarse_box *out, const tx_aabb *a) {
    const double rounding = 0x1p-23; // twice that of the conversion; the least numbers have an absolute one
    for (int k = 0; k < 3; k++) {
        out->low[k] = (float)(a->low[k] - rounding * fabs(a->low[k]) - 0x1p-126);
        out->high[k] = (float)(a->high[k] + rounding * fabs(a->high[k]) + 0x1p-126);
    }
    out->low[3] = out->high[3] = 0;
}

/// Whether two of them may have a point in common; false for empty ones. Four numbers at a time, without branches.
static inline bool tx_coarse_overlap(const tx_coarse_box *a, const tx_coarse_box *b) {
    typedef float four __attribute__((vector_size(16)));
    typedef int64_t two __attribute__((vector_size(16)));
    four low_a, high_a, low_b, high_b;
    memcpy(&low_a, a->low, sizeof low_a), memcpy(&high_a, a->high, sizeof high_a);
    memcpy(&low_b, b->low, sizeof low_b), memcpy(&high_b, b->high, sizeof high_b);
    const two both = (two)(low_a <= high_b) & (two)(low_b <= high_a);
    return (both[0] & both[1]) == -1;
}

/// What rounding may take from a box, relative to the numbers it is made of.
#define TX_BOX_ROUNDING (8 * DBL_EPSILON)

/// Whether a box reaches below the plane through `point` with unit normal `normal`, or is at most `reach` above it.
static inline bool tx_aabb_below(const tx_aabb *a, const double point[3], const double normal[3], double reach) {
    double height = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        double nearest = normal[k] > 0 ? a->low[k] : a->high[k];
        height += normal[k] * (nearest - point[k]);
        size += fabs(nearest) + fabs(point[k]);
    }
    return height <= reach + TX_BOX_ROUNDING * size;
}
