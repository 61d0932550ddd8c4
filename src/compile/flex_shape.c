// flex_shape.c - meshes of soft bodies by shape, with the vertices and elements of MuJoCo's <flexcomp> in its order.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "compile/flex.h"

// ---- one by one ----------------------------------------------------------------------------------------------------

// room for one more; 0: there is none
static tx_flex_added make_room(void **items, size_t size, int count, int *room) {
    if (count >= TX_FLEX_MAX) return TX_FLEX_FULL;
    if (count < *room) return TX_FLEX_ADDED;
    const int wanted = *room ? 2 * *room : 64;
    void *grown = tx_grow(*items, size * (size_t)*room, size * (size_t)wanted);
    if (!grown) return TX_FLEX_NO_MEMORY;
    *items = grown, *room = wanted;
    return TX_FLEX_ADDED;
}

tx_flex_added tx_flex_add_vertex(tx_flex_mesh *mesh, const double point[3]) {
    void *items = mesh->vertices;
    const tx_flex_added added = make_room(&items, 3 * sizeof(double), mesh->vertex_count, &mesh->vertex_room);
    mesh->vertices = items;
    if (added == TX_FLEX_ADDED) memcpy(mesh->vertices + 3 * (size_t)mesh->vertex_count++, point, 3 * sizeof *point);
    return added;
}

tx_flex_added tx_flex_add_element(tx_flex_mesh *mesh, const int *vertices) {
    const size_t corners = (size_t)mesh->dim + 1;
    void *items = mesh->elements;
    const tx_flex_added added = make_room(&items, corners * sizeof(int), mesh->element_count, &mesh->element_room);
    mesh->elements = items;
    if (added == TX_FLEX_ADDED)
        memcpy(mesh->elements + corners * (size_t)mesh->element_count++, vertices, corners * sizeof *vertices);
    return added;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

// what is being made, and how it has gone so far
typedef struct maker {
    tx_flex_mesh *mesh;
    tx_flex_shape shape;
    int count[3];
    double spacing[3];
    tx_flex_added added;
} maker;

static void element(maker *k, int a, int b, int c, int d) {
    const int corners[4] = {a, b, c, d};
    if (k->added == TX_FLEX_ADDED) k->added = tx_flex_add_element(k->mesh, corners);
}

// p on the ball of its norm of greatest coordinates: a square becomes a disc, a cube a ball
static void make_round(int axes, double *p) {
    double greatest = 0, square = 0;
    for (int a = 0; a < axes; a++) greatest = fmax(greatest, fabs(p[a])), square += p[a] * p[a];
    for (int a = 0; a < axes && square > 0; a++) p[a] *= greatest / sqrt(square);
}

// a point of a lattice around the origin
static void vertex(maker *k, int x, int y, int z) {
    const int at[3] = {x, y, z};
    double p[3], half[3];
    for (int a = 0; a < 3; a++) {
        half[a] = 0.5 * k->spacing[a] * (k->count[a] - 1);
        p[a] = k->spacing[a] * at[a] - half[a];
    }
    const bool ball = k->shape == TX_FLEX_ELLIPSOID;
    if (ball || k->shape == TX_FLEX_CYLINDER) {
        for (int a = 0; a < 3; a++) p[a] /= half[a];
        make_round(ball ? 3 : 2, p);
        for (int a = 0; a < 3; a++) p[a] *= half[a];
    }
    // MuJoCo's disc takes lengths for shares of its radii: it is as many times larger or smaller
    if (k->shape == TX_FLEX_DISC) {
        make_round(2, p);
        for (int a = 0; a < 2; a++) p[a] *= half[a];
    }
    if (k->added == TX_FLEX_ADDED) k->added = tx_flex_add_vertex(k->mesh, p);
}

static int grid_index(const maker *k, int x, int y, int z) { return (x * k->count[1] + y) * k->count[2] + z; }

static void grid_vertices(maker *k) {
    for (int x = 0; x < k->count[0]; x++)
        for (int y = 0; y < k->count[1]; y++)
            for (int z = 0; z < k->count[2] && k->added == TX_FLEX_ADDED; z++) vertex(k, x, y, z);
}

static void grid_lines(maker *k) {
    for (int x = 0; x + 1 < k->count[0]; x++) element(k, x, x + 1, 0, 0);
}

// two triangles a cell; on a disc the diagonals run outwards
static void grid_triangles(maker *k) {
    for (int x = 0; x + 1 < k->count[0]; x++)
        for (int y = 0; y + 1 < k->count[1]; y++) {
            const int a = grid_index(k, x, y, 0), b = grid_index(k, x + 1, y, 0), c = a + 1, d = b + 1;
            const bool left = x < k->count[0] / 2, low = y < k->count[1] / 2;
            if (k->shape == TX_FLEX_DISC && left != low) element(k, a, b, c, 0), element(k, b, d, c, 0);
            else element(k, a, b, d, 0), element(k, a, d, c, 0);
        }
}

// six tetrahedra a cell, in the corners xyz of it
static void grid_tetrahedra(maker *k) {
    static const int CUT[6][4] = {{0, 2, 4, 3}, {0, 4, 1, 3}, {4, 2, 6, 3}, {4, 6, 7, 3}, {4, 5, 1, 3}, {4, 7, 5, 3}};
    for (int x = 0; x + 1 < k->count[0]; x++)
        for (int y = 0; y + 1 < k->count[1]; y++)
            for (int z = 0; z + 1 < k->count[2]; z++) {
                int corner[8];
                for (int c = 0; c < 8; c++) corner[c] = grid_index(k, x + (c >> 2), y + (c >> 1 & 1), z + (c & 1));
                for (int t = 0; t < 6; t++)
                    element(k, corner[CUT[t][0]], corner[CUT[t][1]], corner[CUT[t][2]], corner[CUT[t][3]]);
            }
}

static void circle(maker *k) {
    const int lines = k->count[0] - 1;
    const double turn = 2 * 3.14159265358979323846 / lines, radius = 0.5 * k->spacing[0] / sin(0.5 * turn);
    for (int i = 0; i < lines && k->added == TX_FLEX_ADDED; i++) {
        const double p[3] = {radius * cos(turn * i), radius * sin(turn * i), 0};
        k->added = tx_flex_add_vertex(k->mesh, p);
    }
    for (int i = 0; i < lines; i++) element(k, i, (i + 1) % lines, 0, 0);
}

// The surface of a lattice: behind the centre the faces with least and greatest z, of the others what is between them:
// those with least and greatest y, then of those with least and greatest x what is left.
static int surface_index(const maker *k, int x, int y, int z) {
    const int nx = k->count[0], ny = k->count[1], nz = k->count[2];
    if (z == 0) return 1 + x * ny + y;
    int before = 1 + nx * ny;
    if (z == nz - 1) return before + x * ny + y;
    before += nx * ny;
    if (y == 0) return before + x * (nz - 2) + z - 1;
    before += nx * (nz - 2);
    if (y == ny - 1) return before + x * (nz - 2) + z - 1;
    before += nx * (nz - 2);
    if (x == nx - 1) before += (ny - 2) * (nz - 2);
    return before + (y - 1) * (nz - 2) + z - 1;
}

static void surface_vertices(maker *k) {
    const int nx = k->count[0], ny = k->count[1], nz = k->count[2];
    const double centre[3] = {0, 0, 0};
    k->added = tx_flex_add_vertex(k->mesh, centre);
    for (int z = 0; z < nz; z += nz - 1)
        for (int x = 0; x < nx; x++)
            for (int y = 0; y < ny && k->added == TX_FLEX_ADDED; y++) vertex(k, x, y, z);
    for (int y = 0; y < ny; y += ny - 1)
        for (int x = 0; x < nx; x++)
            for (int z = 1; z < nz - 1 && k->added == TX_FLEX_ADDED; z++) vertex(k, x, y, z);
    for (int x = 0; x < nx; x += nx - 1)
        for (int y = 1; y < ny - 1; y++)
            for (int z = 1; z < nz - 1 && k->added == TX_FLEX_ADDED; z++) vertex(k, x, y, z);
}

// the centre with two triangles of each cell of the two faces across `axis`, whose cells count along u, then along v
static void surface_faces(maker *k, int axis, int u, int v) {
    for (int side = 0; side < 2; side++)
        for (int i = 0; i + 1 < k->count[u]; i++)
            for (int j = 0; j + 1 < k->count[v]; j++) {
                int corner[4];
                for (int c = 0; c < 4; c++) {
                    int at[3];
                    at[axis] = side ? k->count[axis] - 1 : 0, at[u] = i + (c & 1), at[v] = j + (c >> 1);
                    corner[c] = surface_index(k, at[0], at[1], at[2]);
                }
                // tx_flex_connect() turns them all the same way round
                element(k, 0, corner[0], corner[1], corner[3]);
                element(k, 0, corner[2], corner[0], corner[3]);
            }
}

tx_flex_added tx_flex_make(tx_flex_mesh *mesh, tx_flex_shape shape, const int count[3], const double spacing[3]) {
    maker k = {mesh, shape, {count[0], count[1], count[2]}, {spacing[0], spacing[1], spacing[2]}, TX_FLEX_ADDED};
    if (shape == TX_FLEX_SQUARE || shape == TX_FLEX_DISC) mesh->dim = 2;
    if (shape == TX_FLEX_CIRCLE) {
        mesh->dim = 1;
        circle(&k);
        return k.added;
    }
    if (shape == TX_FLEX_BOX || shape == TX_FLEX_CYLINDER || shape == TX_FLEX_ELLIPSOID) {
        mesh->dim = 3;
        surface_vertices(&k);
        surface_faces(&k, 2, 0, 1);
        surface_faces(&k, 1, 0, 2);
        surface_faces(&k, 0, 1, 2);
        return k.added;
    }
    for (int a = mesh->dim; a < 3; a++) k.count[a] = 1;
    grid_vertices(&k);
    if (mesh->dim == 1) grid_lines(&k);
    else if (mesh->dim == 2) grid_triangles(&k);
    else grid_tetrahedra(&k);
    return k.added;
}
