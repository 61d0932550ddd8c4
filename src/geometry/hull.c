// hull.c - convex hull by qhull's reentrant library. Its errors arrive by longjmp and become results; its texts are
// dropped.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "geometry/hull.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <libqhull_r/qhull_ra.h>

#include "base/memory.h"
#include "geometry/vec3.h"

void tx_hull_free(tx_hull *h) {
    tx_free(h->vertex), tx_free(h->face), tx_free(h->first), tx_free(h->neighbour);
    *h = (tx_hull){0};
}

// how far points reach: from the first one, from a line, from a plane. Says why there is no hull.
static tx_hull_result why_no_hull(const double *points, int count) {
    double along[3] = {0}, normal[3] = {0}, reach = 0, off_line = 0, off_plane = 0;
    for (int i = 1; i < count; i++) {
        double d[3];
        v3_sub(d, points + 3 * i, points);
        if (v3_length(d) > reach) reach = v3_length(d), v3_copy(along, d);
    }
    if (!(reach > 1e-12)) return TX_HULL_POINT;
    v3_normalise(along);
    for (int i = 1; i < count; i++) {
        double d[3], n[3];
        v3_sub(d, points + 3 * i, points);
        v3_cross(n, along, d);
        if (v3_length(n) > off_line) off_line = v3_length(n), v3_copy(normal, n);
    }
    if (!(off_line > 1e-7 * reach)) return TX_HULL_LINE;
    v3_normalise(normal);
    for (int i = 1; i < count; i++) {
        double d[3];
        v3_sub(d, points + 3 * i, points);
        off_plane = fmax(off_plane, fabs(v3_dot(d, normal)));
    }
    return off_plane > 1e-7 * reach ? TX_HULL_FAILED : TX_HULL_FLAT;
}

// copies corners and triangles out of qhull; `place` has room for one number per point
static bool copy_out(qhT *qh, tx_hull *h, int *place, int count) {
    vertexT *vertex, **vertexp;
    facetT *facet;
    int at = 0;
    FORALLvertices {
        int id = qh_pointid(qh, vertex->point);
        if (id < 0 || id >= count || at == h->vertex_count) return false;
        place[id] = at, h->vertex[at++] = id;
    }
    if (at != h->vertex_count) return false;
    at = 0;
    FORALLfacets {
        int corner[3], corners = 0;
        FOREACHvertex_(facet->vertices) {
            if (corners == 3) return false;
            corner[corners++] = place[qh_pointid(qh, vertex->point)];
        }
        if (corners != 3 || at == h->face_count) return false;
        // qhull's order is outward or inward, it says which
        h->face[3 * at] = corner[facet->toporient ? 1 : 0];
        h->face[3 * at + 1] = corner[facet->toporient ? 0 : 1];
        h->face[3 * at++ + 2] = corner[2];
    }
    return at == h->face_count;
}

// on a closed surface every edge is a half edge of two triangles, once each way
static bool link_neighbours(tx_hull *h) {
    for (int i = 0; i < 3 * h->face_count; i++) h->first[h->face[i] + 1]++;
    for (int i = 0; i < h->vertex_count; i++) h->first[i + 1] += h->first[i];
    int *used = tx_alloc(sizeof(int) * (size_t)h->vertex_count);
    if (!used) return false;
    for (int f = 0; f < h->face_count; f++)
        for (int k = 0; k < 3; k++) {
            int from = h->face[3 * f + k], to = h->face[3 * f + (k + 1) % 3];
            h->neighbour[h->first[from] + used[from]++] = to;
        }
    tx_free(used);
    return true;
}

static tx_hull_result run(qhT *qh, tx_hull *hull, const double *points, int count, int most, FILE *sink,
                          int *volatile place) {
    qh_init_A(qh, NULL, sink, sink, 0, NULL);
    int error = setjmp(qh->errexit);
    if (error != 0) {
        qh->NOerrexit = True;
        return error == qh_ERRmem ? TX_HULL_MEMORY : TX_HULL_FAILED;
    }
    char options[48] = "qhull Qt";
    // TA counts the points after the first four, Q9 takes the farthest of all (MuJoCo's options)
    if (most > 0) snprintf(options, sizeof options, "qhull Qt Q9 TA%d", most - 4);
    qh->NOerrexit = False;
    qh_initflags(qh, options);
    qh_init_B(qh, (coordT *)points, count, 3, False); // qhull only reads them without option Qz, QR or QJ
    qh_qhull(qh);
    qh_triangulate(qh);
    tx_hull h = {.vertex_count = qh->num_vertices, .face_count = qh->num_facets};
    bool fits = h.vertex_count >= 4 && h.face_count >= 4;
    if (fits) {
        size_t vertices = (size_t)h.vertex_count, faces = (size_t)h.face_count;
        h.vertex = tx_alloc(sizeof(int) * vertices), h.face = tx_alloc(sizeof(int) * 3 * faces);
        h.first = tx_alloc(sizeof(int) * (vertices + 1)), h.neighbour = tx_alloc(sizeof(int) * 3 * faces);
        if (!h.vertex || !h.face || !h.first || !h.neighbour) {
            tx_hull_free(&h);
            return TX_HULL_MEMORY;
        }
        *hull = h; // from here on an error of qhull finds it there
        fits = copy_out(qh, hull, place, count);
    }
    if (!fits) return TX_HULL_FAILED;
    return link_neighbours(hull) ? TX_HULL_OK : TX_HULL_MEMORY;
}

tx_hull_result tx_hull_build(tx_hull *hull, const double *points, int count, int most) {
    *hull = (tx_hull){0};
    if (count < 4) return TX_HULL_FLAT;
    char *text = NULL;
    size_t length = 0;
    FILE *sink = open_memstream(&text, &length);
    qhT *qh = tx_alloc(sizeof *qh);
    int *place = tx_alloc(sizeof(int) * (size_t)count);
    tx_hull_result result = TX_HULL_MEMORY;
    if (sink && qh && place) {
        int left = 0, bytes = 0;
        qh_zero(qh, sink);
        result = run(qh, hull, points, count, most, sink, place);
        qh->NOerrexit = True;
        qh_freeqhull(qh, !qh_ALL);
        // qhull forgets these tables where memory ran out before it had set them up
        if (qh->qhmem.LASTsize == 0) free(qh->qhmem.sizetable), free(qh->qhmem.freelists);
        qh_memfreeshort(qh, &left, &bytes);
    }
    if (result != TX_HULL_OK) tx_hull_free(hull);
    if (result == TX_HULL_FAILED) result = why_no_hull(points, count);
    if (sink) fclose(sink);
    free(text); // allocated by open_memstream
    tx_free(qh), tx_free(place);
    return result;
}
