// pair_capsule_box.c - a capsule against a box: a ball at the place of the axis nearest to the box, and a second one
// where the axis leaves the box again when it lies along a face or an edge.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_capsule_box, tx_pair_sphere_box;

// The places, and so the contacts, are MuJoCo's: as there the second ball may be the first again (an end at a corner),
// and a capsule that pierces the box far from its edges is judged by its ends. Unlike there, contacts of very large
// capsules (radius over 2 m) and very small ones (under 0.1 mm) are not lost.
#define MUCH_NEARER 1e-15 // [m^2] an edge must be nearer by this than what was found before
#define PARALLEL 1e-15    // [m^4] determinant below which an edge is parallel to the axis

// the capsule's axis in the box's frame: middle + s half with s in [-1, 1]
typedef struct rod {
    const double *size; // of the box
    double middle[3], half[3];
    double axis[3]; // unit vector
    int upward;     // bit k: the axis rises along k
} rod;

// what of the box is nearest to the rod. A side is a bit per axis, set on the positive one
typedef struct nearest {
    enum { NOTHING, FACE, EDGE, CORNER } kind;
    double square; // of the distance
    double s;      // place on the rod
    int axis;      // of the face (-1: the end is inside) or of the edge
    int sides;     // of the edge or corner
    double t;      // place on the edge, -1 to 1
} nearest;

static rod rod_of(const tx_shape *capsule, const tx_shape *box) {
    rod r = {.size = box->size};
    double offset[3], axis[3];
    v3_sub(offset, capsule->pos, box->pos);
    m3_mul_transposed(r.middle, box->mat, offset);
    m3_column(axis, capsule->mat, 2);
    m3_mul_transposed(r.axis, box->mat, axis);
    v3_scale(r.half, r.axis, capsule->size[1]);
    for (int k = 0; k < 3; k++) r.upward |= (r.half[k] > 0) << k;
    return r;
}

// an end of the rod over a face or inside; ends over edges and corners are left to the edges
static void try_end(const rod *r, int end, nearest *best) {
    double square = 0;
    int outside = 0, axis = -1;
    for (int k = 0; k < 3; k++) {
        double x = r->middle[k] + end * r->half[k], over = x - v3_clamp(x, -r->size[k], r->size[k]);
        if (over == 0) continue;
        square += over * over;
        axis = k;
        outside++;
    }
    if (outside > 1 || !(square < best->square)) return;
    *best = (nearest){.kind = FACE, .square = square, .s = end, .axis = axis};
}

// The edge along axis k on the given sides: points t e_k size_k of the edge and s half of the rod, nearest where
//   ee t - eh s = -e.d   and   -eh t + hh s = h.d   with d from the rod's middle to the edge's.
static void try_edge(const rod *r, int k, int sides, double parallel, nearest *best) {
    double d[3], gap[3], size = r->size[k];
    for (int i = 0; i < 3; i++) d[i] = (i == k ? 0 : sides >> i & 1 ? r->size[i] : -r->size[i]) - r->middle[i];
    double ee = size * size, eh = size * r->half[k], hh = v3_dot(r->half, r->half);
    double ed = -size * d[k], hd = v3_dot(r->half, d);
    double det = ee * hh - eh * eh;
    if (!(fabs(det) >= parallel) || det == 0) return;

    // solve, then clamp one place after the other
    double t = (hh * ed + eh * hd) / det, s = (ee * hd + eh * ed) / det;
    if (fabs(t) > 1) {
        t = t > 0 ? 1 : -1;
        s = (hd + eh * t) / hh;
    }
    bool at_corner = fabs(t) == 1;
    if (fabs(s) > 1) {
        s = s > 0 ? 1 : -1;
        t = (ed + eh * s) / ee;
        at_corner = at_corner || fabs(t) > 1;
        t = v3_clamp(t, -1, 1);
    }

    v3_along(gap, d, r->half, -s);
    gap[k] += size * t;
    double square = v3_dot(gap, gap);
    if (!(square < best->square - MUCH_NEARER) && !(best->kind == NOTHING && square < best->square)) return;
    *best = (nearest){.kind = at_corner ? CORNER : EDGE, .square = square, .s = s, .axis = k, .sides = sides, .t = t};
    if (at_corner && t > 0) best->sides |= 1 << k;
}
