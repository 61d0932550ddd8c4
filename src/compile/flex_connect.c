// flex_connect.c - what follows from the vertices and elements of a soft body: edges, the shell, places in its box.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compile/flex.h"

void tx_flex_release(tx_flex_mesh *mesh) {
    tx_free(mesh->vertices), tx_free(mesh->unit), tx_free(mesh->elements);
    tx_free(mesh->edges), tx_free(mesh->shells), tx_free(mesh->pinned);
    *mesh = (tx_flex_mesh){0};
}

// ---- vertices ------------------------------------------------------------------------------------------------------

// the elements, and what is known of the vertices, by new numbers of them: ascending where kept, -1 where left out
static void renumber(tx_flex_mesh *mesh, const int *number, int count) {
    const size_t corners = ((size_t)mesh->dim + 1) * (size_t)mesh->element_count;
    for (size_t i = 0; i < corners; i++) mesh->elements[i] = number[mesh->elements[i]];
    for (int v = 0, next = 0; v < mesh->vertex_count; v++) {
        if (number[v] != next) continue;
        memmove(mesh->vertices + 3 * (size_t)next, mesh->vertices + 3 * (size_t)v, 3 * sizeof(double));
        if (mesh->pinned) mesh->pinned[next] = mesh->pinned[v];
        next++;
    }
    mesh->vertex_count = count;
}

static int compare_points(const void *a, const void *b) {
    const double *p = *(const double *const *)a, *q = *(const double *const *)b;
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return (p > q) - (p < q);
}

bool tx_flex_weld(tx_flex_mesh *mesh) {
    const int count = mesh->vertex_count;
    const double **order = tx_alloc(sizeof *order * (size_t)(count + 1));
    int *first = tx_alloc(sizeof *first * (size_t)(count + 1));
    if (order && first) {
        for (int v = 0; v < count; v++) order[v] = mesh->vertices + 3 * (size_t)v;
        qsort(order, (size_t)count, sizeof *order, compare_points);
        // the first of all that are the same, then numbers in the order of those
        for (int i = 0, leader = 0; i < count; i++) {
            for (int k = 0; k < 3 && i > 0; k++)
                if (order[i][k] != order[leader][k]) leader = i;
            first[(order[i] - mesh->vertices) / 3] = (int)((order[leader] - mesh->vertices) / 3);
        }
        int next = 0;
        for (int v = 0; v < count; v++) first[v] = first[v] == v ? next++ : first[first[v]];
        renumber(mesh, first, next);
    }
    const bool good = order && first;
    tx_free(order), tx_free(first);
    return good;
}

static bool leave_out_unused(tx_flex_mesh *mesh) {
    int *number = tx_alloc(sizeof *number * (size_t)(mesh->vertex_count + 1));
    if (!number) return false;
    int next = 0;
    for (size_t i = 0; i < ((size_t)mesh->dim + 1) * (size_t)mesh->element_count; i++) number[mesh->elements[i]] = 1;
    for (int v = 0; v < mesh->vertex_count; v++) number[v] = number[v] ? next++ : -1;
    renumber(mesh, number, next);
    tx_free(number);
    return true;
}

static void find_units(tx_flex_mesh *mesh) {
    for (int k = 0; k < 3; k++) {
        double low = 0, high = 0;
        for (int v = 0; v < mesh->vertex_count; v++) {
            const double x = mesh->vertices[3 * v + k];
            if (v == 0 || x < low) low = x;
            if (v == 0 || x > high) high = x;
        }
        for (int v = 0; v < mesh->vertex_count; v++)
            mesh->unit[3 * v + k] = high > low ? (mesh->vertices[3 * v + k] - low) / (high - low) : 0.5;
    }
}

// ---- elements ------------------------------------------------------------------------------------------------------

// seen from the fourth corner the first three run clockwise
static void turn_tetrahedra(tx_flex_mesh *mesh) {
    for (int e = 0; e < mesh->element_count; e++) {
        int *v = mesh->elements + 4 * (size_t)e;
        double s[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                s[i][k] =
                    mesh->vertices[3 * (size_t)v[i + 1] + (size_t)k] - mesh->vertices[3 * (size_t)v[0] + (size_t)k];
        const double volume = (s[0][1] * s[1][2] - s[0][2] * s[1][1]) * s[2][0] +
                              (s[0][2] * s[1][0] - s[0][0] * s[1][2]) * s[2][1] +
                              (s[0][0] * s[1][1] - s[0][1] * s[1][0]) * s[2][2];
        if (volume <= 0) continue;
        const int other = v[1];
        v[1] = v[2], v[2] = other;
    }
}

// an edge or a face of an element: its corners as they stand, and in ascending order to compare
typedef struct part {
    int corner[3], sorted[3], at;
} part;

// by corners, then by where it stands
static int compare_parts(const void *a, const void *b) {
    const part *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->sorted[k] != q->sorted[k]) return p->sorted[k] < q->sorted[k] ? -1 : 1;
    return (p->at > q->at) - (p->at < q->at);
}
static int compare_places(const void *a, const void *b) {
    const part *p = a, *q = b;
    return (p->at > q->at) - (p->at < q->at);
}
static bool same_corners(const part *a, const part *b) { return memcmp(a->sorted, b->sorted, sizeof a->sorted) == 0; }

// all parts of all elements, sorted by their corners; each has `size` corners out of a table of `kinds` lines
static part *find_parts(const tx_flex_mesh *mesh, const int (*table)[3], int kinds, int size) {
    const size_t count = (size_t)mesh->element_count * (size_t)kinds;
    part *parts = tx_alloc(sizeof *parts * (count + 1));
    if (!parts) return NULL;
    for (size_t i = 0; i < count; i++) {
        const int *v = mesh->elements + i / (size_t)kinds * ((size_t)mesh->dim + 1);
        part *p = &parts[i];
        p->at = (int)i;
        for (int k = 0; k < size; k++) p->corner[k] = v[table[i % (size_t)kinds][k]];
        for (int k = 0; k < size; k++) {
            int at = k;
            for (; at > 0 && p->sorted[at - 1] > p->corner[k]; at--) p->sorted[at] = p->sorted[at - 1];
            p->sorted[at] = p->corner[k];
        }
    }
    qsort(parts, count, sizeof *parts, compare_parts);
    return parts;
}

// every edge once, where the first element has it
static bool find_edges(tx_flex_mesh *mesh) {
    static const int LINE[][3] = {{0, 1}}, TRIANGLE[][3] = {{1, 2}, {2, 0}, {0, 1}},
                     TETRAHEDRON[][3] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};
    const int kinds = mesh->dim == 1 ? 1 : mesh->dim == 2 ? 3 : 6, all = kinds * mesh->element_count;
    part *parts = find_parts(mesh, mesh->dim == 1 ? LINE : mesh->dim == 2 ? TRIANGLE : TETRAHEDRON, kinds, 2);
    int count = 0;
    for (int i = 0; parts && i < all; i++)
        if (count == 0 || !same_corners(&parts[count - 1], &parts[i])) parts[count++] = parts[i];
    if (parts) qsort(parts, (size_t)count, sizeof *parts, compare_places);
    mesh->edges = parts ? tx_alloc(sizeof(int) * 2 * (size_t)(count + 1)) : NULL;
    for (int i = 0; mesh->edges && i < count; i++)
        memcpy(mesh->edges + 2 * (size_t)i, parts[i].sorted, 2 * sizeof(int));
    mesh->edge_count = count;
    tx_free(parts);
    return mesh->edges != NULL;
}

// faces of one element alone, in the order of their corners
static bool find_shells(tx_flex_mesh *mesh) {
    static const int LINE[][3] = {{0}, {1}}, TRIANGLE[][3] = {{0, 1}, {1, 2}, {2, 0}},
                     TETRAHEDRON[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const int dim = mesh->dim, all = (dim + 1) * mesh->element_count;
    part *parts = find_parts(mesh, dim == 1 ? LINE : dim == 2 ? TRIANGLE : TETRAHEDRON, dim + 1, dim);
    mesh->shells = parts ? tx_alloc(sizeof(int) * (size_t)dim * (size_t)(all + 1)) : NULL;
    mesh->shell_count = 0;
    for (int i = 0, end; mesh->shells && i < all; i = end) {
        for (end = i + 1; end < all && same_corners(&parts[i], &parts[end]);) end++;
        if (end > i + 1) continue;
        memcpy(mesh->shells + (size_t)dim * (size_t)mesh->shell_count++, parts[i].corner, sizeof(int) * (size_t)dim);
    }
    tx_free(parts);
    return mesh->shells != NULL;
}

bool tx_flex_connect(tx_flex_mesh *mesh) {
    if (!leave_out_unused(mesh)) return false;
    mesh->unit = tx_alloc(3 * sizeof(double) * (size_t)(mesh->vertex_count + 1));
    if (!mesh->unit) return false;
    find_units(mesh);
    if (mesh->dim == 3) turn_tetrahedra(mesh);
    return find_edges(mesh) && find_shells(mesh);
}
