// facets.c - see facets.h. A facet begins with the largest triangle that is left and takes its neighbours as long as
// their corners are in its plane; its polygon is the rim.
#include "geometry/facets.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/vec3.h"

// corners this near to a plane are on it, as a share of how far away they are: meshes have single precision
#define COPLANAR 1e-5

typedef struct triangle {
    double area; // times two
    int number;
} triangle;

// what is needed while facets are made
typedef struct maker {
    const tx_convex *hull;
    const int *face;
    int face_count;
    tx_facets *out;
    triangle *order; // the largest first
    int *owner;      // per triangle its facet, -1: none yet
    int *taken;      // the triangles of one facet
    int *member;     // per corner of the hull the last facet that took it,
    int *next;       // and the corner behind it on the rim
    int *rim;        // corners of one facet in order
    double *spans;   // twice the area that each of them adds to the polygon of the others
} maker;

static const double *corner_at(const maker *m, int i) { return tx_convex_corner(m->hull, i); }

static int after(int k) { return k < 2 ? k + 1 : 0; }

// twice the area along the normal
static void cross_of(const maker *m, int a, int b, int c, double n[3]) {
    double e[3], f[3];
    v3_sub(e, corner_at(m, b), corner_at(m, a));
    v3_sub(f, corner_at(m, c), corner_at(m, a));
    v3_cross(n, e, f);
}

// false: the triangle is too thin to have a plane
static bool set_normal(const maker *m, int which, double n[3]) {
    const int *c = m->face + 3 * which;
    double e[3], f[3];
    v3_sub(e, corner_at(m, c[1]), corner_at(m, c[0]));
    v3_sub(f, corner_at(m, c[2]), corner_at(m, c[0]));
    v3_normalise(e), v3_normalise(f);
    v3_cross(n, e, f);
    return v3_normalise(n) > 1e-12;
}

static int by_area(const void *a, const void *b) {
    const triangle *p = a, *q = b;
    if (p->area != q->area) return p->area < q->area ? 1 : -1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static void sort_triangles(maker *m) {
    for (int f = 0; f < m->face_count; f++) {
        double n[3];
        cross_of(m, m->face[3 * f], m->face[3 * f + 1], m->face[3 * f + 2], n);
        m->order[f] = (triangle){v3_length(n), f};
        m->owner[f] = -1;
    }
    qsort(m->order, (size_t)m->face_count, sizeof *m->order, by_area);
}

// the triangles at each corner, where the facets will stand
static void list_triangles(maker *m) {
    tx_facets *o = m->out;
    for (int i = 0; i < 3 * m->face_count; i++) o->at_count[m->face[i]]++;
    for (int i = 0, sum = 0; i < m->hull->point_count; i++) {
        o->at_first[i] = sum;
        sum += o->at_count[i];
        o->at_count[i] = 0;
        m->member[i] = -1;
    }
    for (int i = 0; i < 3 * m->face_count; i++) {
        const int c = m->face[i];
        o->at[o->at_first[c] + o->at_count[c]++] = i / 3;
    }
}

// the triangle that has the edge from one corner to another, -1: none
static int triangle_with(const maker *m, int from, int to) {
    const tx_facets *o = m->out;
    for (int k = o->at_first[from]; k < o->at_first[from] + o->at_count[from]; k++) {
        const int *c = m->face + 3 * o->at[k];
        for (int i = 0; i < 3; i++)
            if (c[i] == from && c[after(i)] == to) return o->at[k];
    }
    return -1;
}

static bool is_in_plane(const maker *m, int which, const double at[3], const double n[3]) {
    for (int k = 0; k < 3; k++) {
        double away[3];
        v3_sub(away, corner_at(m, m->face[3 * which + k]), at);
        const double off = v3_dot(away, n);
        if (!(off * off <= COPLANAR * COPLANAR * v3_dot(away, away))) return false;
    }
    return true;
}

// takes a triangle and what is in its plane; returns how many triangles
static int take(maker *m, int facet, int seed, const double n[3]) {
    int count = 0;
    m->taken[count++] = seed;
    for (int i = 0; i < count; i++) {
        const int *c = m->face + 3 * m->taken[i];
        for (int k = 0; k < 3; k++) {
            m->member[c[k]] = facet;
            const int beyond = triangle_with(m, c[after(k)], c[k]);
            if (beyond < 0 || m->owner[beyond] >= 0 || !is_in_plane(m, beyond, corner_at(m, m->face[3 * seed]), n))
                continue;
            m->owner[beyond] = facet;
            m->taken[count++] = beyond;
        }
    }
    return count;
}

// the corners around so many triangles; those of the first alone where the rim is not one loop
static int find_rim(maker *m, int facet, int triangles) {
    int edges = 0, start = -1, count = 0;
    for (int i = 0; i < triangles; i++) {
        const int *c = m->face + 3 * m->taken[i];
        for (int k = 0; k < 3; k++) {
            const int beyond = triangle_with(m, c[after(k)], c[k]);
            if (beyond >= 0 && m->owner[beyond] == facet) continue;
            m->next[c[k]] = c[after(k)];
            start = c[k], edges++;
        }
    }
    for (int at = start; count < edges && (count == 0 || at != start); at = m->next[at]) m->rim[count++] = at;
    if (count == edges && edges >= 3 && m->next[m->rim[count - 1]] == start) return count;
    for (int k = 0; k < 3; k++) m->rim[k] = m->face[3 * m->taken[0] + k];
    return 3;
}

static double span_of(const maker *m, int count, int i, const double n[3]) {
    double cross[3];
    cross_of(m, m->rim[i > 0 ? i - 1 : count - 1], m->rim[i], m->rim[i + 1 < count ? i + 1 : 0], cross);
    return v3_dot(cross, n);
}

// drops corners that are no corners, and of too many those that span least
static int thin(maker *m, int count, const double n[3]) {
    for (int i = 0; i < count; i++) m->spans[i] = span_of(m, count, i, n);
    while (count > 3) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if (m->spans[i] < m->spans[least]) least = i;
        if (m->spans[least] > 0 && count <= TX_FACET_CORNERS) break;
        count--;
        for (int i = least; i < count; i++) m->rim[i] = m->rim[i + 1], m->spans[i] = m->spans[i + 1];
        const int before = least > 0 ? least - 1 : count - 1, behind = least < count ? least : 0;
        m->spans[before] = span_of(m, count, before, n);
        m->spans[behind] = span_of(m, count, behind, n);
    }
    return count;
}

// how steeply the flattest edge leaves the facet
static double least_fall(const maker *m, int facet, int triangles, const double n[3]) {
    const tx_convex *s = m->hull;
    double least = 1;
    for (int i = 0; i < triangles; i++) {
        for (int k = 0; k < 3; k++) {
            const int c = m->face[3 * m->taken[i] + k];
            for (int e = s->first[c]; e < tx_convex_edges_end(s, c); e++) {
                if (m->member[s->neighbour[e]] == facet) continue;
                double along[3];
                v3_sub(along, corner_at(m, s->neighbour[e]), corner_at(m, c));
                least = fmin(least, -v3_dot(along, n) / v3_length(along));
            }
        }
    }
    return least;
}

static void make_facets(maker *m) {
    tx_facets *o = m->out;
    int facets = 0, corners = 0;
    for (int i = 0; i < m->face_count; i++) {
        const int seed = m->order[i].number;
        if (m->owner[seed] >= 0) continue;
        tx_facet *f = &o->facet[facets];
        *f = (tx_facet){.first = corners};
        const int facet = facets++;
        m->owner[seed] = facet;
        if (!set_normal(m, seed, f->normal)) continue;
        const int triangles = take(m, facet, seed, f->normal);
        f->count = thin(m, find_rim(m, facet, triangles), f->normal);
        f->fall = least_fall(m, facet, triangles, f->normal);
        for (int k = 0; k < f->count; k++) o->corner[corners++] = m->rim[k];
    }
}

// from triangles at each corner to facets, each once
static void list_facets(maker *m) {
    tx_facets *o = m->out;
    for (int c = 0; c < m->hull->point_count; c++) {
        int *at = o->at + o->at_first[c], count = 0;
        for (int k = 0; k < o->at_count[c]; k++) {
            const int facet = m->owner[at[k]];
            bool listed = o->facet[facet].count == 0;
            for (int i = 0; i < count; i++) listed |= at[i] == facet;
            if (!listed) at[count++] = facet;
        }
        o->at_count[c] = count;
    }
}

// Of slivers there is no good normal, and what they cut off the hull is nothing: those beside them do
#define SLIVER 1e-7

// the planes of all triangles
static void make_planes(const maker *m) {
    tx_facets *o = m->out;
    for (int f = 0; f < m->face_count && m->face_count <= TX_FACET_PLANES; f++) {
        const int *c = m->face + 3 * f;
        double edge[3][3], n[3], most = 0;
        for (int k = 0; k < 3; k++) {
            v3_sub(edge[k], corner_at(m, c[after(k)]), corner_at(m, c[k]));
            most = fmax(most, v3_dot(edge[k], edge[k]));
        }
        // as a share of the longest edge, so that a small hull has the planes of a large one
        for (int k = 0; k < 2; k++) v3_scale(edge[k], edge[k], 1 / sqrt(most));
        v3_cross(n, edge[0], edge[1]);
        if (!(v3_normalise(n) > SLIVER)) continue;
        for (int k = 0; k < 3; k++) o->plane[k][o->planes] = n[k];
        o->plane[3][o->planes++] = v3_dot(n, corner_at(m, c[0]));
    }
}

double tx_facets_depth(const tx_facets *o, const double point[3], double normal[3]) {
    const double *x = o->plane[0], *y = o->plane[1], *z = o->plane[2], *level = o->plane[3];
    double height[TX_FACET_PLANES], strand[4], most = -INFINITY;
    int best = 0, i = 0;
    for (int k = 0; k < o->planes; k++) height[k] = x[k] * point[0] + y[k] * point[1] + z[k] * point[2] - level[k];
    // four strands, so that one comparison does not wait for the other
    for (int k = 0; k < 4; k++) strand[k] = -INFINITY;
    for (; i + 4 <= o->planes; i += 4)
        for (int k = 0; k < 4; k++) strand[k] = height[i + k] > strand[k] ? height[i + k] : strand[k];
    for (; i < o->planes; i++) strand[0] = height[i] > strand[0] ? height[i] : strand[0];
    for (int k = 0; k < 4; k++) most = strand[k] > most ? strand[k] : most;
    while (best + 1 < o->planes && height[best] != most) best++;
    for (int k = 0; k < 3; k++) normal[k] = o->plane[k][best];
    return most;
}

tx_facets *tx_facets_build(const tx_convex *hull, const int *face, int face_count) {
    const size_t corners = (size_t)hull->point_count, faces = (size_t)face_count;
    const size_t planes = faces <= TX_FACET_PLANES ? faces : 0;
    tx_facets *o = tx_alloc(sizeof *o + faces * sizeof *o->facet + 4 * planes * sizeof(double) +
                            (2 * 3 * faces + 2 * corners) * sizeof(int));
    maker m = {.hull = hull, .face = face, .face_count = face_count, .out = o};
    m.order = tx_alloc(faces * sizeof *m.order + corners * sizeof *m.spans + (2 * faces + 3 * corners) * sizeof(int));
    if (!o || !m.order) {
        tx_free(o), tx_free(m.order);
        return NULL;
    }
    o->facet = (tx_facet *)(o + 1);
    for (size_t k = 0; k < 4; k++) o->plane[k] = (double *)(o->facet + faces) + k * planes;
    o->planes = 0;
    o->corner = (int *)(o->plane[3] + planes), o->at = o->corner + 3 * faces;
    o->at_first = o->at + 3 * faces, o->at_count = o->at_first + corners;
    m.spans = (double *)(m.order + faces);
    m.owner = (int *)(m.spans + corners), m.taken = m.owner + faces;
    m.member = m.taken + faces, m.next = m.member + corners, m.rim = m.next + corners;
    sort_triangles(&m);
    list_triangles(&m);
    make_facets(&m);
    list_facets(&m);
    make_planes(&m);
    tx_free(m.order);
    return o;
}

const tx_facet *tx_facet_along(const tx_facets *facets, int corner, const double dir[3]) {
    const tx_facet *best = NULL;
    double most = -INFINITY;
    const int *at = facets->at + facets->at_first[corner];
    for (int k = 0; k < facets->at_count[corner]; k++) {
        const tx_facet *f = &facets->facet[at[k]];
        const double along = v3_dot(f->normal, dir);
        if (along > most) most = along, best = f;
    }
    return best;
}
