// pair_box_box.c - two boxes: the axis of least overlap among 15 (Gottschalk's separating axes), then a face clipped
// by the four sides of another (Sutherland and Hodgman 1974, up to eight points), or the crossing of two edges.
#include "collide/pair_input.h"

tx_pair_fn tx_pair_box_box;

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

// how one box sees another: `there` in the frame of `here`
typedef struct view {
    const tx_shape *here, *there;
    double turn[9];   // columns: the axes of there
    double bare[9];   // turn without signs
    double centre[3]; // of there
} view;

static view look(const tx_shape *here, const tx_shape *there) {
    view v;
    v.here = here, v.there = there;
    double offset[3];
    v3_sub(offset, there->pos, here->pos);
    m3_mul_transposed(v.centre, here->mat, offset);
    const double *a = here->mat, *b = there->mat;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            v.turn[3 * i + j] = a[i] * b[j] + a[i + 3] * b[j + 3] + a[i + 6] * b[j + 6];
            v.bare[3 * i + j] = fabs(v.turn[3 * i + j]);
        }
    return v;
}

// how the other box sees the one that looks
static view look_back(const view *from) {
    view v;
    v.here = from->there, v.there = from->here;
    // from the places themselves: where two faces are equally good, rounding twice would choose
    double offset[3];
    v3_sub(offset, v.there->pos, v.here->pos);
    m3_mul_transposed(v.centre, v.here->mat, offset);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            v.turn[3 * i + j] = from->turn[3 * j + i];
            v.bare[3 * i + j] = from->bare[3 * j + i];
        }
    return v;
}

//-------------------------------------------------------------------------------------------------- the best axis

// an axis that might separate the boxes: face i of box `box`, or edges i of the first and j of the second
typedef struct candidate {
    enum { FACE_OF_A, FACE_OF_B, EDGES } kind;
    int i, j;
    double gap; // along it, negative when the boxes overlap
} candidate;

static double face_gap(const view *v, int i) {
    return fabs(v->centre[i]) - v->here->size[i] - v3_dot(v->there->size, v->bare + 3 * i);
}

// the unit vector across edge i of here and edge j of there, in the frame of here; false when these are parallel
static bool edge_axis(const view *v, int i, int j, double axis[3]) {
    double along_here[3] = {0}, along_there[3];
    along_here[i] = 1;
    m3_column(along_there, v->turn, j);
    v3_cross(axis, along_here, along_there);
    if (v3_dot(axis, axis) < PARALLEL_SQ) return false;
    v3_normalise(axis);
    return true;
}

// the two other axes of a box
static const int NEXT[] = {1, 2, 0}, AFTER[] = {2, 0, 1};

// The gap along the axis e_i x t_j of two edges, times the length of that axis, which is also given. The axis has the
// components -t_j[i2] and t_j[i1] here; there, along t_k, it has entry (i, l) of the turn, where l is the third of j,
// k.
static double scaled_edge_gap(const view *v, int i, int j, double *length_sq) {
    const int i1 = NEXT[i], i2 = AFTER[i], j1 = NEXT[j], j2 = AFTER[j];
    const double *half1 = v->here->size, *half2 = v->there->size, *turn = v->turn, *bare = v->bare;
    double x = turn[3 * i2 + j], y = turn[3 * i1 + j];
    *length_sq = x * x + y * y;
    return fabs(y * v->centre[i2] - x * v->centre[i1]) - (half1[i1] * bare[3 * i2 + j] + half1[i2] * bare[3 * i1 + j]) -
           (half2[j1] * bare[3 * i + j2] + half2[j2] * bare[3 * i + j1]);
}

// whether an edge axis is nearly the face axis and hardly better: then the face, which gives a steadier manifold
static bool face_will_do(const view *from_a, const candidate *face, const candidate *edges, double noise) {
    double axis[3], normal[3] = {0};
    edge_axis(from_a, edges->i, edges->j, axis);
    normal[face->i] = 1;
    if (face->kind == FACE_OF_B) m3_column(normal, from_a->turn, face->i);
    return fabs(v3_dot(axis, normal)) > SAME_DIRECTION &&
           edges->gap < face->gap + FACE_PREFERENCE * fabs(face->gap) + noise;
}

// the axis of the largest gap, faces first; false when the boxes are further apart than margin along any. The second
// box looks back only when the faces of the first have not decided
static bool best_axis(view sees[2], double margin, candidate *best) {
    double noise = 0;
    for (int k = 0; k < 3; k++) noise += SIZE_NOISE * (sees[0].here->size[k] + sees[0].there->size[k]);

    candidate face = {.gap = -INFINITY};
    for (int box = 0; box < 2; box++) {
        if (box) sees[1] = look_back(&sees[0]);
        for (int i = 0; i < 3; i++) {
            double gap = face_gap(&sees[box], i);
            if (gap > margin + noise) return false;
            if (gap > face.gap) face = (candidate){box ? FACE_OF_B : FACE_OF_A, i, 0, gap};
        }
    }

    *best = face;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            // no axis is longer than 1, so a scaled gap below both 0 and the best is no better
            double length_sq, scaled = scaled_edge_gap(&sees[0], i, j, &length_sq);
            if ((scaled <= 0 && scaled <= best->gap) || length_sq < PARALLEL_SQ) continue;
            double gap = scaled / sqrt(length_sq);
            if (gap > margin + noise) return false;
            if (gap > face.gap && gap - EDGE_HANDICAP * fabs(gap) > best->gap) *best = (candidate){EDGES, i, j, gap};
        }
    }
    if (best->kind == EDGES && face_will_do(&sees[0], &face, best, noise)) *best = face;
    return true;
}

//-------------------------------------------------------------------------------------------------- two edges

// the edges along axis `edge` that are furthest along `dir`: their sides (bit k: the positive side of axis k), lowest
// first; returns how many, up to four
static int supporting_edges(const double dir[3], int edge, int sides[4]) {
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

static void edge_middle(double out[3], const double half[3], int edge, int sides) {
    for (int k = 0; k < 3; k++) out[k] = k == edge ? 0 : sides >> k & 1 ? half[k] : -half[k];
}

// the nearest points of an edge along axis i of here and one along axis j of there; returns their squared distance
static double nearest_points(const view *v, int i, int side1, int j, int side2, double p1[3], double p2[3]) {
    double along[3], corner[3], offset[3];
    double half1 = v->here->size[i], half2 = v->there->size[j];
    m3_column(along, v->turn, j);
    edge_middle(p1, v->here->size, i, side1);
    edge_middle(corner, v->there->size, j, side2);
    m3_mul(p2, v->turn, corner);
    v3_add(p2, p2, v->centre);

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
static int edge_hit(const view *v, int i, int j, double margin, tx_hit *hit) {
    double axis[3], back[3], p1[3], p2[3], q1[3], q2[3], offset[3], middle[3], best = INFINITY;
    int best1 = 0, best2 = 0;
    edge_axis(v, i, j, axis);
    if (v3_dot(axis, v->centre) < 0) v3_scale(axis, axis, -1);
    m3_mul_transposed(back, v->turn, axis);
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

// A polygon over the face `up` of a box: x and y along the face, z above it. A side that cuts a convex polygon adds
// one corner at most, so four sides make eight of four.
typedef struct polygon {
    int count;
    double at[TX_MAX_HITS][3];
} polygon;

// writes the part where sign * coordinate k is at most limit
static void cut(const polygon *p, int k, double sign, double limit, polygon *out) {
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        const double *from = p->at[i], *to = p->at[i + 1 < p->count ? i + 1 : 0];
        double beyond = sign * from[k] - limit, next = sign * to[k] - limit;
        if (beyond <= 0 && count < TX_MAX_HITS) v3_copy(out->at[count++], from);
        bool crosses = (beyond < 0 && next > 0) || (beyond > 0 && next < 0);
        if (!crosses || count == TX_MAX_HITS) continue;
        double edge[3];
        v3_sub(edge, to, from);
        v3_along(out->at[count++], from, edge, beyond / (beyond - next));
    }
    out->count = count;
}

// the face of there that looks most against the direction sign * up of here; returns its axis
static int facing(const view *v, int up, double sign, polygon *p) {
    const double *row = v->turn + 3 * up, *half = v->there->size;
    int face = fabs(row[1]) > fabs(row[0]) ? 1 : 0;
    if (fabs(row[2]) > fabs(row[face])) face = 2;
    double side = sign * row[face] > 0 ? -1 : 1;
    int u = (face + 1) % 3, w = (face + 2) % 3;

    p->count = 4;
    for (int i = 0; i < 4; i++) {
        // counter-clockwise from ++
        double su = i == 0 || i == 3 ? 1 : -1, sw = i < 2 ? 1 : -1;
        for (int k = 0; k < 3; k++) {
            const double *axes = v->turn + 3 * ((up + 1 + k) % 3);
            double centre = v->centre[(up + 1 + k) % 3] + side * half[face] * axes[face];
            p->at[i][k] = centre + su * half[u] * axes[u] + sw * half[w] * axes[w];
        }
        p->at[i][2] = sign * p->at[i][2] - v->here->size[up];
    }
    return face;
}

static bool repeated(const polygon *p, int count, const double point[3], double square) {
    for (int i = 0; i < count; i++) {
        double x = p->at[i][0] - point[0], y = p->at[i][1] - point[1];
        if (x * x + y * y <= square) return true;
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

static plate plate_of(const double half[3], int axis, bool positive, double near) {
    return (plate){{half[NEXT[axis]] - near, half[AFTER[axis]] - near}, BOX_PARTS[2 * axis + positive]};
}

static int side_of(double x, double limit) { return x > limit ? 2 : !(x < -limit); }
static uint32_t part_of(const plate *p, double x, double y) {
    return p->parts[side_of(x, p->limit[0]) + 3 * side_of(y, p->limit[1])];
}

// the two faces of a manifold; a point (x, y, z) of the polygon is at shift + rows (x, y, z) on the face of there
typedef struct two_plates {
    plate here, there;
    double rows[2][3], shift[2];
} two_plates;

static two_plates plates_of(const view *v, int up, double sign, int facing_up, double near) {
    const int from[3] = {NEXT[up], AFTER[up], up}, to[2] = {NEXT[facing_up], AFTER[facing_up]};
    two_plates t = {.here = plate_of(v->here->size, up, sign > 0, near),
                    .there = plate_of(v->there->size, facing_up, !(sign * v->turn[3 * up + facing_up] > 0), near)};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            t.rows[i][k] = v->turn[3 * from[k] + to[i]];
            t.shift[i] -= v->centre[from[k]] * t.rows[i][k];
        }
        t.rows[i][2] *= sign;
        t.shift[i] += v->here->size[up] * t.rows[i][2];
    }
    return t;
}

static uint64_t face_feature(const two_plates *t, const double at[3], bool reversed) {
    double x = t->shift[0] + v3_dot(t->rows[0], at), y = t->shift[1] + v3_dot(t->rows[1], at);
    uint32_t of_here = part_of(&t->here, at[0], at[1]), of_there = part_of(&t->there, x, y);
    return reversed ? tx_feature(of_there, of_here) : tx_feature(of_here, of_there);
}

// the facing face of there, cut to the sides of face `up` of here: the corners nearer than margin
static int face_hits(const view *v, int up, double margin, bool reversed, tx_hit *hits) {
    const double *half = v->here->size;
    int x = (up + 1) % 3, y = (up + 2) % 3;
    double sign = v->centre[up] >= 0 ? 1 : -1;
    polygon p, rest;
    int facing_up = facing(v, up, sign, &p);
    for (int k = 0; k < 2; k++) {
        cut(&p, k, 1, half[k ? y : x], &rest);
        cut(&rest, k, -1, half[k ? y : x], &p);
    }

    double square = half[x] * half[x] + half[y] * half[y], same = SAME_POINT_SQ * square, near = ON_SIDE * sqrt(square);
    two_plates plates = plates_of(v, up, sign, facing_up, near);
    int count = 0;
    for (int i = 0; i < p.count; i++) {
        if (!(p.at[i][2] < margin) || repeated(&p, count, p.at[i], same)) continue;
        v3_copy(p.at[count], p.at[i]);
        tx_hit *hit = &hits[count];
        double local[3];
        local[x] = p.at[count][0];
        local[y] = p.at[count][1];
        local[up] = sign * (half[up] + p.at[count][2] / 2);
        hit->dist = p.at[count][2];
        m3_mul(hit->pos, v->here->mat, local);
        v3_add(hit->pos, hit->pos, v->here->pos);
        m3_column(hit->normal, v->here->mat, up);
        v3_scale(hit->normal, hit->normal, reversed ? -sign : sign);
        v3_zero(hit->tangent);
        hit->feature = face_feature(&plates, p.at[count], reversed);
        count++;
    }
    return count;
}

int tx_pair_box_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    if (!shape_usable(a, 3) || !shape_usable(b, 3) || !isfinite(margin)) return 0;
    view sees[2];
    sees[0] = look(a, b);
    candidate best;
    if (!best_axis(sees, margin, &best)) return 0;
    if (best.kind == EDGES) return edge_hit(&sees[0], best.i, best.j, margin, hits);
    return face_hits(&sees[best.kind == FACE_OF_B], best.i, margin, best.kind == FACE_OF_B, hits);
}
