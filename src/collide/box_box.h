// box_box.h - two boxes: the axis of least overlap among 15 (Gottschalk's separating axes), then a face clipped
// by the four sides of another (Sutherland and Hodgman 1974, up to eight points), or the crossing of two edges.
//
// target_box_box.c makes a function of it for each set of instructions: three numbers are side by side in a row of
// four, which are two registers or one. The operations are the same, and so are the bits.
#pragma once
#include "collide/pair_input.h"

#define TEXT static inline __attribute__((always_inline))

// The thresholds are MuJoCo's, so that both choose the same axis. Two differences where MuJoCo decides by rounding:
// a face also wins against an edge axis that is better by less than the noise of the sizes (there 1e-15 m), and
// points of a face without extent are merged.
#define SIZE_NOISE      1e-13 // rounding of a distance, per metre of the sizes
#define PARALLEL_SQ     1e-16 // squared sine below which two edges span no axis
#define EDGE_HANDICAP   1e-6  // relative: an edge axis must be better than the best so far by this
#define SAME_DIRECTION  0.99  // cosine above which an edge axis repeats the best face axis ...
#define FACE_PREFERENCE .05   // ... which is then taken unless the edge is better by this part of its overlap
#define UNDECIDED       1e-9  // component of a unit axis below which both sides of a box support it
#define SAME_POINT_SQ   1e-14 // squared distance of two equal points, relative to the face's half diagonal
#define ON_SIDE         3e-8  // of that diagonal: so near to a side is on it, and no two points left are at one corner

// three numbers side by side, and one that is not looked at
typedef double row __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t row_bits __attribute__((vector_size(4 * sizeof(double))));
#define ROW_OF(x)        ((row){(x)[0], (x)[1], (x)[2], (x)[2]})
#define ROW_ABS(x)       ((row)((row_bits)(x)&INT64_MAX))
#define TO_THREE(out, x) v3_set(out, (x)[0], (x)[1], (x)[2])

// how one box sees another: `there` in the frame of `here`
typedef struct view {
    const tx_shape *here, *there;
    row turn[3];      // entry j of row i: axis j of there along axis i of here
    row bare[3];      // turn without signs
    double centre[3]; // of there
} view;

TEXT void place_centre(view *v, const row axes[3], const double offset[3]) {
    const row centre = axes[0] * offset[0] + axes[1] * offset[1] + axes[2] * offset[2];
    TO_THREE(v->centre, centre);
}

// how the axes of there, whose rows are `axes`, stand along those of `here`
TEXT void place_turn(view *v, const double here[9], const row axes[3]) {
    for (int i = 0; i < 3; i++) {
        v->turn[i] = here[i] * axes[0] + here[i + 3] * axes[1] + here[i + 6] * axes[2];
        v->bare[i] = ROW_ABS(v->turn[i]);
    }
}

//-------------------------------------------------------------------------------------------------- the best axis

// an axis that might separate the boxes: face i of box `box`, or edges i of the first and j of the second
typedef struct candidate {
    enum { FACE_OF_A, FACE_OF_B, EDGES } kind;
    int i, j;
    double gap; // along it, negative when the boxes overlap
} candidate;

// along the three faces of one box; back: how the other box sees it
TEXT void face_gaps(const view *back, const double centre[3], const row *here, const row *there, double gap[3]) {
    const row gaps = (ROW_ABS(ROW_OF(centre)) - *here) -
                     ((*there)[0] * back->bare[0] + (*there)[1] * back->bare[1] + (*there)[2] * back->bare[2]);
    TO_THREE(gap, gaps);
}

TEXT void axis_of_there(const view *v, int j, double axis[3]) {
    v3_set(axis, v->turn[0][j], v->turn[1][j], v->turn[2][j]);
}

// the unit vector across edge i of here and edge j of there, in the frame of here; false when these are parallel
TEXT bool edge_axis(const view *v, int i, int j, double axis[3]) {
    double along_here[3] = {0}, along_there[3];
    along_here[i] = 1;
    axis_of_there(v, j, along_there);
    v3_cross(axis, along_here, along_there);
    if (v3_dot(axis, axis) < PARALLEL_SQ) return false;
    v3_normalise(axis);
    return true;
}

// the two other axes of a box
static const int NEXT[] = {1, 2, 0}, AFTER[] = {2, 0, 1};

// The gaps along the axes e_i x t_j of edge i of here and all edges j of there, times the lengths of these axes, which
// are also given. The axis has the components -t_j[i2] and t_j[i1] here; there, along t_k, it has entry (i, l) of the
// turn, where l is the third of j, k.
TEXT void scaled_edge_gaps(const view *v, const double half[3], const row there[2], int i, double gap[3],
                           double length_sq[3]) {
    const int i1 = NEXT[i], i2 = AFTER[i];
    const row x = v->turn[i2], y = v->turn[i1], *bare = v->bare;
    const row after = {bare[i][2], bare[i][0], bare[i][1], bare[i][1]},
              next = {bare[i][1], bare[i][2], bare[i][0], bare[i][0]};
    const row square = x * x + y * y, apart = y * v->centre[i2] - x * v->centre[i1];
    const row gaps =
        (ROW_ABS(apart) - (half[i1] * bare[i2] + half[i2] * bare[i1])) - (there[0] * after + there[1] * next);
    TO_THREE(gap, gaps);
    TO_THREE(length_sq, square);
}

// whether an edge axis is nearly the face axis and hardly better: then the face, which gives a steadier manifold
TEXT bool face_will_do(const view *from_a, const candidate *face, const candidate *edges, double noise) {
    double axis[3], normal[3] = {0};
    edge_axis(from_a, edges->i, edges->j, axis);
    normal[face->i] = 1;
    if (face->kind == FACE_OF_B) axis_of_there(from_a, face->i, normal);
    return fabs(v3_dot(axis, normal)) > SAME_DIRECTION &&
           edges->gap < face->gap + FACE_PREFERENCE * fabs(face->gap) + noise;
}

TEXT bool take_faces(const double gap[3], int kind, double most, candidate *face) {
    for (int i = 0; i < 3; i++) {
        if (gap[i] > most) return false;
        if (gap[i] > face->gap) *face = (candidate){kind, i, 0, gap[i]};
    }
    return true;
}

// edges i of the first; false: further apart than `most`
TEXT bool take_edges(const double scaled[3], const double length_sq[3], int i, double most, double face_gap,
                     candidate *best) {
    for (int j = 0; j < 3; j++) {
        // no axis is longer than 1, so a scaled gap below both 0 and the best is no better
        if ((scaled[j] <= 0 && scaled[j] <= best->gap) || length_sq[j] < PARALLEL_SQ) continue;
        const double gap = scaled[j] / sqrt(length_sq[j]);
        if (gap > most) return false;
        if (gap > face_gap && gap - EDGE_HANDICAP * fabs(gap) > best->gap) *best = (candidate){EDGES, i, j, gap};
    }
    return true;
}

// the axis of the largest gap, faces first; false when the boxes are further apart than margin along any. What the
// faces of the first need comes first: they often decide
TEXT bool best_axis(const tx_shape *a, const tx_shape *b, const row size[2], const row axes[2][3], view sees[2],
                    double margin, candidate *best) {
    double noise = 0, offset[3], gap[3], length_sq[3];
    for (int k = 0; k < 3; k++) noise += SIZE_NOISE * (a->size[k] + b->size[k]);
    const double most = margin + noise;

    candidate face = {.gap = -INFINITY};
    sees[0].here = sees[1].there = a, sees[0].there = sees[1].here = b;
    v3_sub(offset, b->pos, a->pos);
    place_centre(&sees[0], axes[0], offset);
    place_turn(&sees[1], b->mat, axes[0]);
    face_gaps(&sees[1], sees[0].centre, &size[0], &size[1], gap);
    if (!take_faces(gap, FACE_OF_A, most, &face)) return false;

    // from the places themselves: where two faces are equally good, rounding twice would choose
    v3_sub(offset, a->pos, b->pos);
    place_centre(&sees[1], axes[1], offset);
    place_turn(&sees[0], a->mat, axes[1]);
    face_gaps(&sees[0], sees[1].centre, &size[1], &size[0], gap);
    if (!take_faces(gap, FACE_OF_B, most, &face)) return false;

    *best = face;
    const double *half = b->size;
    const row there[2] = {{half[1], half[2], half[0], half[0]}, {half[2], half[0], half[1], half[1]}};
    for (int i = 0; i < 3; i++) {
        scaled_edge_gaps(&sees[0], a->size, there, i, gap, length_sq);
        if (!take_edges(gap, length_sq, i, most, face.gap, best)) return false;
    }
    if (best->kind == EDGES && face_will_do(&sees[0], &face, best, noise)) *best = face;
    return true;
}

//-------------------------------------------------------------------------------------------------- two edges

// the edges along axis `edge` that are furthest along `dir`: their sides (bit k: the positive side of axis k), lowest
// first; returns how many, up to four
TEXT int supporting_edges(const double dir[3], int edge, int sides[4]) {
    int count = 1;
    sides[0] = 0;
    for (int k = 0; k < 3; k++) {
        if (k == edge) continue;
        bool both = fabs(dir[k]) < UNDECIDED;
        for (int i = 0; i < count; i++) {
            if (both) sides[count + i] = sides[i] | 1 << k;
            else if (dir[k] > 0) sides[i] |= 1 << k;
        }
        if (both) count *= 2;
    }
    return count;
}

TEXT void edge_middle(double out[3], const double half[3], int edge, int sides) {
    for (int k = 0; k < 3; k++) out[k] = k == edge ? 0 : sides >> k & 1 ? half[k] : -half[k];
}

// the nearest points of an edge along axis i of here and one along axis j of there; returns their squared distance
TEXT double nearest_points(const view *v, int i, int side1, int j, int side2, double p1[3], double p2[3]) {
    double along[3], corner[3], offset[3];
    double half1 = v->here->size[i], half2 = v->there->size[j];
    axis_of_there(v, j, along);
    edge_middle(p1, v->here->size, i, side1);
    edge_middle(corner, v->there->size, j, side2);
    for (int k = 0; k < 3; k++)
        p2[k] = v->turn[k][0] * corner[0] + v->turn[k][1] * corner[1] + v->turn[k][2] * corner[2] + v->centre[k];

    // p1 + s e and p2 + t along with unit directions: s where the lines are nearest, then each place for the other
    v3_sub(offset, p2, p1);
    double cosine = along[i], o1 = offset[i], o2 = v3_dot(along, offset);
    double s = v3_clamp((o1 - cosine * o2) / (1 - cosine * cosine), -half1, half1);
    double t = v3_clamp(cosine * s - o2, -half2, half2);
    p1[i] += v3_clamp(o1 + cosine * t, -half1, half1);
    v3_along(p2, p2, along, t);
    v3_sub(offset, p2, p1);
    return v3_dot(offset, offset);
}

// one point midway between the two edges; where an axis lies in a face, the nearest of the edges that support it
TEXT int edge_hit(const view *v, int i, int j, double margin, tx_hit *hit) {
    double axis[3], back[3], p1[3], p2[3], q1[3], q2[3], offset[3], middle[3], best = INFINITY;
    int best1 = 0, best2 = 0;
    edge_axis(v, i, j, axis);
    if (v3_dot(axis, v->centre) < 0) v3_scale(axis, axis, -1);
    const row seen = v->turn[0] * axis[0] + v->turn[1] * axis[1] + v->turn[2] * axis[2];
    TO_THREE(back, seen);
    v3_scale(back, back, -1);
    int sides1[4], sides2[4], count1 = supporting_edges(axis, i, sides1), count2 = supporting_edges(back, j, sides2);
    for (int k1 = 0; k1 < count1; k1++) {
        for (int k2 = 0; k2 < count2; k2++) {
            double square = nearest_points(v, i, sides1[k1], j, sides2[k2], q1, q2);
            if (!(square < best)) continue;
            best = square;
            best1 = sides1[k1], best2 = sides2[k2];
            v3_copy(p1, q1);
            v3_copy(p2, q2);
        }
    }
    if (!(best < INFINITY)) return 0;
    v3_sub(offset, p2, p1);
    hit->dist = v3_dot(offset, axis);
    if (!(hit->dist < margin)) return 0;
    v3_along(middle, p1, offset, 0.5);
    m3_mul(hit->pos, v->here->mat, middle);
    v3_add(hit->pos, hit->pos, v->here->pos);
    m3_mul(hit->normal, v->here->mat, axis);
    v3_zero(hit->tangent);
    hit->feature = tx_feature(tx_part_box_edge(i, best1), tx_part_box_edge(j, best2));
    return 1;
}

//-------------------------------------------------------------------------------------------------- two faces

// A polygon over the face `up` of a box: two coordinates along the face, `up` above it. A side that cuts a convex
// polygon adds one corner at most, so four sides make eight of four.
typedef struct polygon {
    int count;
    row at[TX_MAX_HITS];
} polygon;

// writes the part where sign * coordinate k is at most limit; false: it is all of it, and nothing is written
TEXT bool cut(const polygon *p, int k, double sign, double limit, polygon *out) {
    double beyond[TX_MAX_HITS + 1];
    bool outside = false;
    for (int i = 0; i < p->count; i++) {
        beyond[i] = sign * p->at[i][k] - limit;
        outside |= beyond[i] > 0;
    }
    if (!outside) return false;
    beyond[p->count] = beyond[0];
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        const row *from = &p->at[i], *to = &p->at[i + 1 < p->count ? i + 1 : 0];
        const double here = beyond[i], next = beyond[i + 1];
        if (here <= 0 && count < TX_MAX_HITS) out->at[count++] = *from;
        const bool crosses = (here < 0 && next > 0) || (here > 0 && next < 0);
        if (crosses && count < TX_MAX_HITS) out->at[count++] = *from + (*to - *from) * (here / (here - next));
    }
    out->count = count;
    return true;
}

static const row UNIT[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

// the face of there that looks most against the direction sign * up of here; returns its axis. back: how there sees
// here
TEXT int facing(const view *v, const view *back, int up, double sign, polygon *p) {
    const double *half = v->there->size;
    const double along[3] = {v->bare[up][0], v->bare[up][1], v->bare[up][2]};
    int face = along[1] > along[0] ? 1 : 0;
    if (along[2] > along[face]) face = 2;
    const double side = sign * v->turn[up][face] > 0 ? -1 : 1;
    const int u = NEXT[face], w = AFTER[face];

    const row centre = ROW_OF(v->centre) + side * half[face] * back->turn[face];
    const row across = half[u] * back->turn[u], far = half[w] * back->turn[w];
    const row signs = 1 + UNIT[up] * (sign - 1), height = UNIT[up] * v->here->size[up];
    // counter-clockwise from ++
    p->count = 4;
    p->at[0] = signs * ((centre + across) + far) - height, p->at[1] = signs * ((centre - across) + far) - height;
    p->at[2] = signs * ((centre - across) - far) - height, p->at[3] = signs * ((centre + across) - far) - height;
    return face;
}

TEXT bool repeated(const polygon *p, int count, const row *point, int x, int y, double square) {
    for (int i = 0; i < count; i++) {
        const double dx = p->at[i][x] - (*point)[x], dy = p->at[i][y] - (*point)[y];
        if (dx * dx + dy * dy <= square) return true;
    }
    return false;
}

// The parts of a face of a box by the place of a point along its two axes: on the negative side, on none, on the
// positive one. What is left of a clipped face has corners of either face and crossings of their edges: the parts of
// both faces tell which.
#define PARTS(base, x, y, face)                                                                                    \
    {                                                                                                              \
        TX_PART(TX_PART_CORNER, base), TX_PART_BETWEEN(base, (base) | (x)), TX_PART(TX_PART_CORNER, (base) | (x)), \
            TX_PART_BETWEEN(base, (base) | (y)), TX_PART(TX_PART_FACE, face),                                      \
            TX_PART_BETWEEN((base) | (x), (base) | (x) | (y)), TX_PART(TX_PART_CORNER, (base) | (y)),              \
            TX_PART_BETWEEN((base) | (y), (base) | (y) | (x)), TX_PART(TX_PART_CORNER, (base) | (x) | (y))         \
    }
static const uint32_t BOX_PARTS[6][9] = {PARTS(0u, 2u, 4u, 0u), PARTS(1u, 2u, 4u, 1u), PARTS(0u, 4u, 1u, 2u),
                                         PARTS(2u, 4u, 1u, 3u), PARTS(0u, 1u, 2u, 4u), PARTS(4u, 1u, 2u, 5u)};

typedef struct plate {
    double limit[2]; // beyond these it is a side; negative without extent, then all is on the positive side
    const uint32_t *parts;
} plate;

TEXT plate plate_of(const double half[3], int axis, bool positive, double near) {
    return (plate){{half[NEXT[axis]] - near, half[AFTER[axis]] - near}, BOX_PARTS[2 * axis + positive]};
}

TEXT int side_of(double x, double limit) { return x > limit ? 2 : !(x < -limit); }
TEXT uint32_t part_of(const plate *p, double x, double y) {
    return p->parts[side_of(x, p->limit[0]) + 3 * side_of(y, p->limit[1])];
}

// the two faces of a manifold; a point of the polygon is at shift + Σ rows[k] point[k] in the frame of there
typedef struct two_plates {
    plate here, there;
    row rows[3], shift;
    int up, on[2], facing[2]; // axes: across and along here, along there
} two_plates;

TEXT void place_plates(const view *v, int up, double sign, int facing_up, double near, two_plates *t) {
    const int x = NEXT[up], y = AFTER[up];
    const row none = {0};
    t->here = plate_of(v->here->size, up, sign > 0, near);
    t->there = plate_of(v->there->size, facing_up, !(sign * v->turn[up][facing_up] > 0), near);
    t->up = up, t->on[0] = x, t->on[1] = y, t->facing[0] = NEXT[facing_up], t->facing[1] = AFTER[facing_up];
    t->shift = none - v->centre[x] * v->turn[x] - v->centre[y] * v->turn[y] - v->centre[up] * v->turn[up];
    t->rows[0] = v->turn[x], t->rows[1] = v->turn[y], t->rows[2] = v->turn[up] * sign;
    t->shift = t->shift + v->here->size[up] * t->rows[2];
}

TEXT uint64_t face_feature(const two_plates *t, const row *point, bool reversed) {
    const double x = (*point)[t->on[0]], y = (*point)[t->on[1]], z = (*point)[t->up];
    const row place = t->shift + (t->rows[0] * x + t->rows[1] * y + t->rows[2] * z);
    const uint32_t of_here = part_of(&t->here, x, y),
                   of_there = part_of(&t->there, place[t->facing[0]], place[t->facing[1]]);
    return reversed ? tx_feature(of_there, of_here) : tx_feature(of_here, of_there);
}

// the facing face of there, cut to the sides of face `up` of here: the corners nearer than margin
TEXT int face_hits(const view *v, const view *back, int up, double margin, bool reversed, tx_hit *hits) {
    const double *half = v->here->size, *mat = v->here->mat;
    const int x = NEXT[up], y = AFTER[up];
    const double sign = v->centre[up] >= 0 ? 1 : -1;
    polygon cuts[2], *now = &cuts[0], *rest = &cuts[1];
    const int facing_up = facing(v, back, up, sign, now);
    for (int k = 0; k < 4; k++) {
        if (!cut(now, k < 2 ? x : y, k % 2 ? -1 : 1, half[k < 2 ? x : y], rest)) continue;
        polygon *other = now;
        now = rest, rest = other;
    }

    const double square = half[x] * half[x] + half[y] * half[y], same = SAME_POINT_SQ * square,
                 near = ON_SIDE * sqrt(square);
    two_plates plates;
    place_plates(v, up, sign, facing_up, near, &plates);
    const row axes[3] = {
        {mat[0], mat[3], mat[6], mat[6]}, {mat[1], mat[4], mat[7], mat[7]}, {mat[2], mat[5], mat[8], mat[8]}};
    const row normal = axes[up] * (reversed ? -sign : sign), pos = ROW_OF(v->here->pos);
    int count = 0;
    for (int i = 0; i < now->count; i++) {
        const row at = now->at[i];
        const double dist = at[up];
        if (!(dist < margin) || repeated(now, count, &at, x, y, same)) continue;
        now->at[count] = at;
        tx_hit *hit = &hits[count++];
        row local = at;
        local[up] = sign * (half[up] + dist / 2);
        const row place = axes[0] * local[0] + axes[1] * local[1] + axes[2] * local[2] + pos;
        hit->dist = dist;
        TO_THREE(hit->pos, place);
        TO_THREE(hit->normal, normal);
        v3_zero(hit->tangent);
        hit->feature = face_feature(&plates, &at, reversed);
    }
    return count;
}

// whether all numbers of a shape are lengths to count with
TEXT bool box_usable(const row *pos, const row *half, const row axes[3]) {
    const row most = {TX_LONGEST, TX_LONGEST, TX_LONGEST, TX_LONGEST};
    const row_bits good = (row_bits)(ROW_ABS(*pos) < most) & (row_bits)(ROW_ABS(*half) < most) &
                          (row_bits)(ROW_ABS(axes[0]) < most) & (row_bits)(ROW_ABS(axes[1]) < most) &
                          (row_bits)(ROW_ABS(axes[2]) < most);
    return (good[0] & good[1] & good[2]) != 0;
}

TEXT int box_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    const row size[2] = {ROW_OF(a->size), ROW_OF(b->size)}, pos[2] = {ROW_OF(a->pos), ROW_OF(b->pos)};
    const row axes[2][3] = {{ROW_OF(a->mat), ROW_OF(a->mat + 3), ROW_OF(a->mat + 6)},
                            {ROW_OF(b->mat), ROW_OF(b->mat + 3), ROW_OF(b->mat + 6)}};
    if (!box_usable(&pos[0], &size[0], axes[0]) || !box_usable(&pos[1], &size[1], axes[1]) || !isfinite(margin))
        return 0;
    view sees[2];
    candidate best;
    if (!best_axis(a, b, size, axes, sees, margin, &best)) return 0;
    if (best.kind == EDGES) return edge_hit(&sees[0], best.i, best.j, margin, hits);
    const int box = best.kind == FACE_OF_B;
    return face_hits(&sees[box], &sees[!box], best.i, margin, box, hits);
}

#undef TEXT
