// triangles.c - median-split tree over triangles.
#include "geometry/triangles.h"

#include <stdlib.h>

#include "base/memory.h"
#include "geometry/heights.h"
#include "geometry/vec3.h"

enum { LEAF = 2, DEEPEST = 64 };
static const double FAR = 2; // a node farther away than this many of its radii is a dipole

typedef struct node {
    double low[3], high[3];
    double centre[3], normal[3], radius; // mean place, sum of area normals, and how far its parts are from the centre
    int first, count;                    // its triangles in `order`
    int right;                           // second child; the first follows the node. 0: a leaf
} node;

struct tx_triangle_tree {
    const double *vertex;
    const int *face;
    int *order;
    node *nodes;
    int node_count;
};

typedef struct keyed {
    double key;
    int triangle;
} keyed;

static int by_key(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static const double *corner(const tx_triangle_tree *t, int triangle, int k) {
    return t->vertex + 3 * (size_t)t->face[3 * (size_t)triangle + (size_t)k];
}

// bounds and dipole of a range of triangles. returns the axis along which they are spread most
static int measure(const tx_triangle_tree *t, node *n) {
    double weight = 0, *low = n->low, *high = n->high;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY, n->centre[k] = n->normal[k] = 0;
    for (int i = n->first; i < n->first + n->count; i++) {
        const double *a = corner(t, t->order[i], 0), *b = corner(t, t->order[i], 1), *c = corner(t, t->order[i], 2);
        double ab[3], ac[3], area[3];
        v3_sub(ab, b, a);
        v3_sub(ac, c, a);
        v3_cross(area, ab, ac);
        double share = v3_length(area) / 2 + 1e-300;
        weight += share;
        for (int k = 0; k < 3; k++) {
            n->normal[k] += area[k] / 2;
            n->centre[k] += share * (a[k] + b[k] + c[k]) / 3;
            low[k] = fmin(low[k], fmin(a[k], fmin(b[k], c[k])));
            high[k] = fmax(high[k], fmax(a[k], fmax(b[k], c[k])));
        }
    }
    double reach[3];
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        n->centre[k] /= weight;
        reach[k] = fmax(high[k] - n->centre[k], n->centre[k] - low[k]);
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    }
    n->radius = v3_length(reach);
    return axis;
}

static void split(tx_triangle_tree *t, int first, int count, keyed *room) {
    node *n = &t->nodes[t->node_count++];
    n->first = first, n->count = count, n->right = 0;
    int axis = measure(t, n);
    if (count <= LEAF) return;
    for (int i = 0; i < count; i++) {
        int triangle = t->order[first + i];
        double sum = corner(t, triangle, 0)[axis] + corner(t, triangle, 1)[axis] + corner(t, triangle, 2)[axis];
        room[i] = (keyed){sum, triangle};
    }
    qsort(room, (size_t)count, sizeof *room, by_key);
    for (int i = 0; i < count; i++) t->order[first + i] = room[i].triangle;
    split(t, first, count / 2, room);
    n->right = t->node_count;
    split(t, first + count / 2, count - count / 2, room);
}

tx_triangle_tree *tx_triangle_tree_create(const double *vertex, const int *face, int count) {
    tx_triangle_tree *t = count > 0 ? tx_alloc(sizeof *t) : NULL;
    keyed *room = t ? tx_alloc(sizeof *room * (size_t)count) : NULL;
    if (room) {
        *t = (tx_triangle_tree){.vertex = vertex, .face = face};
        t->order = tx_alloc(sizeof *t->order * (size_t)count);
        t->nodes = tx_alloc(sizeof *t->nodes * 2 * (size_t)count);
    }
    bool good = room && t->order && t->nodes;
    for (int i = 0; good && i < count; i++) t->order[i] = i;
    if (good) split(t, 0, count, room);
    tx_free(room);
    if (good) return t;
    tx_triangle_tree_destroy(t);
    return NULL;
}

void tx_triangle_tree_destroy(tx_triangle_tree *t) {
    if (!t) return;
    tx_free(t->order), tx_free(t->nodes);
    tx_free(t);
}

// ---- distance ------------------------------------------------------------------------------------------------------

static double square_to_box(const node *n, const double p[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double away = fmax(fmax(n->low[k] - p[k], p[k] - n->high[k]), 0);
        sum += away * away;
    }
    return sum;
}

static void try_triangle(const tx_triangle_tree *t, int triangle, const double p[3], double *best, int *nearest) {
    double corners[3][3], at[3], way[3];
    for (int k = 0; k < 3; k++) v3_copy(corners[k], corner(t, triangle, k));
    tx_triangle_nearest((const double(*)[3])corners, p, at);
    v3_sub(way, p, at);
    double square = v3_dot(way, way);
    if (!(square < *best)) return;
    *best = square;
    *nearest = triangle;
}

double tx_triangle_tree_distance(const tx_triangle_tree *t, const double p[3], const int guess[3], int *nearest) {
    double best = INFINITY;
    struct {
        int node;
        double square;
    } stack[DEEPEST];
    int top = 0;
    *nearest = -1;
    for (int k = 0; k < 3; k++)
        if (guess[k] >= 0 && guess[k] != *nearest) try_triangle(t, guess[k], p, &best, nearest);
    stack[top].node = 0, stack[top++].square = 0;
    while (top > 0) {
        if (stack[--top].square >= best) continue;
        int at = stack[top].node;
        const node *n = &t->nodes[at];
        if (!n->right) {
            for (int i = n->first; i < n->first + n->count; i++) try_triangle(t, t->order[i], p, &best, nearest);
            continue;
        }
        // the nearer child is looked at first
        double left = square_to_box(n + 1, p), right = square_to_box(&t->nodes[n->right], p);
        bool left_first = left <= right;
        stack[top].node = left_first ? n->right : at + 1, stack[top++].square = left_first ? right : left;
        stack[top].node = left_first ? at + 1 : n->right, stack[top++].square = left_first ? left : right;
    }
    return sqrt(best);
}

// ---- winding -------------------------------------------------------------------------------------------------------

// solid angle of a triangle, over 4 pi (Van Oosterom and Strackee 1983)
static double solid_angle(const tx_triangle_tree *t, int triangle, const double p[3]) {
    double v[3][3], cross[3];
    for (int k = 0; k < 3; k++) v3_sub(v[k], corner(t, triangle, k), p);
    double a = v3_length(v[0]), b = v3_length(v[1]), c = v3_length(v[2]);
    v3_cross(cross, v[1], v[2]);
    double volume = v3_dot(v[0], cross);
    double below = a * b * c + v3_dot(v[0], v[1]) * c + v3_dot(v[1], v[2]) * a + v3_dot(v[2], v[0]) * b;
    return volume == 0 && below == 0 ? 0 : atan2(volume, below) / 6.283185307179586;
}

double tx_triangle_tree_winding(const tx_triangle_tree *t, const double p[3]) {
    double sum = 0;
    int stack[DEEPEST], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const node *n = &t->nodes[stack[--top]];
        double way[3];
        v3_sub(way, n->centre, p);
        double distance = v3_length(way);
        if (distance > FAR * n->radius) {
            sum += v3_dot(way, n->normal) / (12.566370614359172 * distance * distance * distance);
        } else if (!n->right) {
            for (int i = n->first; i < n->first + n->count; i++) sum += solid_angle(t, t->order[i], p);
        } else {
            stack[top++] = n->right;
            stack[top++] = (int)(n - t->nodes) + 1;
        }
    }
    return sum;
}

// ---- edges ---------------------------------------------------------------------------------------------------------

typedef struct half_edge {
    int from, to;
} half_edge;

static int by_ends(const void *a, const void *b) {
    const half_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

bool tx_triangle_tree_closed(const int *face, int count) {
    half_edge *edges = tx_alloc(sizeof *edges * 3 * (size_t)count);
    if (!edges) return false;
    size_t total = 3 * (size_t)count;
    for (size_t i = 0; i < total; i++) edges[i] = (half_edge){face[i], face[i % 3 == 2 ? i - 2 : i + 1]};
    qsort(edges, total, sizeof *edges, by_ends);
    bool closed = true;
    for (size_t i = 0; i < total && closed; i++) {
        half_edge back = {edges[i].to, edges[i].from};
        closed = (i == 0 || by_ends(&edges[i], &edges[i - 1]) != 0) &&
                 bsearch(&back, edges, total, sizeof back, by_ends) != NULL;
    }
    tx_free(edges);
    return closed;
}
