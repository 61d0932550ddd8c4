// pair_capsule_box.c - a capsule against a box: a ball at the place of the axis nearest to the box, and a second one
// where the axis leaves the box again when it lies along a face or an edge.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_capsule_box, tx_pair_sphere_box;

// The places, and so the contacts, are MuJoCo's: as there the second ball may be the first again (an end at a corner),
// and a capsule that pierces the box far from its edges is judged by its ends. Unlike there, contacts of very large
// capsules (radius over 2 m) and very small ones (under 0.1 mm) are not lost.
#define MUCH_NEARER 1e-15 // [m^2] an edge must be nearer by this than what was found before
#define PARALLEL    1e-15 // [m^4] determinant below which an edge is parallel to the axis

// places on the axis from here on are an end, whatever rounding did to them
#define END (1 - 1e-12)
// the part of the box under an end of the capsule: any face
#define OVER_FACE tx_part_face(0)

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

    // solve, then clamp one place after the other; an edge place that was beyond a corner once counts as that corner
    double t = (hh * ed + eh * hd) / det, s = (ee * hd + eh * ed) / det;
    int corner = t > 1 ? 1 : t < -1 ? -1 : 0;
    if (corner) {
        t = corner;
        s = (hd + eh * t) / hh;
    }
    if (fabs(s) > 1) {
        s = s > 0 ? 1 : -1;
        t = (ed + eh * s) / ee;
        if (fabs(t) > 1) t = corner = t > 0 ? 1 : -1;
    }

    v3_along(gap, d, r->half, -s);
    gap[k] += size * t;
    double square = v3_dot(gap, gap);
    if (!(square < best->square - MUCH_NEARER)) return;
    *best = (nearest){.kind = corner ? CORNER : EDGE, .square = square, .s = s, .axis = k, .sides = sides, .t = t};
    if (corner > 0) best->sides |= 1 << k;
}

static void try_edges(const rod *r, double parallel, nearest *best) {
    for (int k = 0; k < 3; k++) {
        for (int sides = 0; sides < 8; sides++) {
            if (!(sides >> k & 1)) try_edge(r, k, sides, parallel, best);
        }
    }
}

static nearest nearest_place(const rod *r) {
    nearest best = {.square = INFINITY};
    try_end(r, -1, &best);
    try_end(r, 1, &best);
    try_edges(r, PARALLEL, &best);
    if (best.kind == NOTHING) try_edges(r, 0, &best);
    return best;
}

//-------------------------------------------------------------------------------------------------- the second place

// Each says whether there is one, how far it is from the first along s (this may be 0: the same place again), and which
// part of the box ends the way; that stays as it is where the rod itself ends.

// how far s may go until the rod has crossed the box along axis k
static double across(const rod *r, int k) { return 2 * r->size[k] / fabs(r->half[k]); }

// From a corner: one way along the rod a single axis k runs into the box. When the rod lies mostly along that axis it
// follows the edge k that way, else the face across k the other way; not when all three run the same way.
static bool from_corner(const rod *r, const nearest *n, double *step, uint32_t *part) {
    int inward = r->upward ^ n->sides;
    if (inward == 0 || inward == 7) return false;
    bool single = inward == 1 || inward == 2 || inward == 4;
    int k = (single ? inward : 7 - inward) >> 1; // of the bit
    bool along_edge = r->axis[k] * r->axis[k] > 0.5;
    double way = single == along_edge ? 1 : -1, length = 1 - way * n->s;
    for (int i = 0; i < 3; i++) {
        if ((i == k) != along_edge || !(across(r, i) < length)) continue;
        length = across(r, i);
        *part = along_edge ? tx_part_corner(n->sides ^ 1 << i) : tx_part_box_edge(3 - i - k, n->sides ^ 1 << i);
    }
    *step = way * length;
    return true;
}

// From within an edge: over the face that the rod is less steep to, until it ends or leaves that face; not when the rod
// crosses the edge from face to face like the bar of a T.
static bool from_edge(const rod *r, const nearest *n, double *step, uint32_t *part) {
    int k = n->axis, inward = (r->upward ^ n->sides) & ~(1 << k);
    if (inward != 1 && inward != 2 && inward != 4) return false;
    int flat = (k + 1) % 3, over = (k + 2) % 3;
    if (fabs(r->axis[flat]) > fabs(r->axis[over])) over = flat;
    double way = inward >> over & 1 ? 1 : -1;
    double length = 1 - way * n->s;
    if (across(r, over) < length) {
        length = across(r, over);
        *part = tx_part_box_edge(k, n->sides ^ 1 << over);
    }
    bool rises = (r->upward >> k & 1) == (way > 0);
    double along = across(r, k) / 2 * (rises ? 1 - n->t : 1 + n->t);
    if (along < length) *part = tx_part_box_edge(over, (n->sides & ~(1 << k)) | rises << k);
    *step = way * fmin(length, along);
    return true;
}

// From an end over a face: until the other end, or the first side of that face
static bool from_face(const rod *r, const nearest *n, double *step, uint32_t *part) {
    if (n->axis < 0) return false;
    double way = -n->s, length = 2;
    for (int k = 0; k < 3; k++) {
        double start = r->middle[k] - way * r->half[k];
        for (int side = -1; side <= 1 && k != n->axis; side += 2) {
            double leave = (side * r->size[k] - start) / r->half[k] * way;
            if (!(leave > 0 && leave < length)) continue;
            length = leave;
            int up = r->middle[n->axis] + n->s * r->half[n->axis] > 0;
            *part = tx_part_box_edge(3 - k - n->axis, up << n->axis | (side > 0) << k);
        }
    }
    *step = way * length;
    return true;
}

static bool second_place(const rod *r, const nearest *n, double *step, uint32_t *part) {
    switch (n->kind) {
    case FACE: return from_face(r, n, step, part);
    case EDGE: return from_edge(r, n, step, part);
    case CORNER: return from_corner(r, n, step, part);
    default: return false;
    }
}

// the part of the box at the first place
static uint32_t part_of(const nearest *n) {
    switch (n->kind) {
    case EDGE: return tx_part_box_edge(n->axis, n->sides);
    case CORNER: return tx_part_corner(n->sides);
    default: return OVER_FACE;
    }
}

// the capsule's ball at place s against the box
static int ball_at(const tx_shape *a, const tx_shape *b, const rod *r, double s, double margin, uint32_t part,
                   tx_hit *hit) {
    double local[3], centre[3];
    v3_along(local, r->middle, r->half, s);
    m3_mul(centre, b->mat, local);
    v3_add(centre, centre, b->pos);
    tx_shape ball = {.type = TX_GEOM_SPHERE, .size = a->size, .pos = centre, .mat = a->mat};
    int count = tx_pair_sphere_box(&ball, b, margin, hit);
    hit->feature = tx_feature(fabs(s) < END ? tx_part_face(0) : tx_part_corner(s > 0), part);
    return count;
}

int tx_pair_capsule_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 2) || !shape_usable(b, 3) || !isfinite(margin)) return 0;
    rod r = rod_of(a, b);
    double length = v3_dot(r.half, r.half), step;
    uint32_t next = OVER_FACE;

    // a capsule without length is a ball; a box without edges is a point, nearest where the rod passes it
    if (!(length > 0)) return ball_at(a, b, &r, 0, margin, OVER_FACE, hits);
    nearest n = nearest_place(&r);
    if (n.kind == NOTHING) n.s = v3_clamp(-v3_dot(r.half, r.middle) / length, -1, 1);

    int count = ball_at(a, b, &r, n.s, margin, part_of(&n), hits);
    if (second_place(&r, &n, &step, &next)) count += ball_at(a, b, &r, n.s + step, margin, next, hits + count);
    return count;
}
