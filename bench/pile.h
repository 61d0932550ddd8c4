// pile.h - boxes or convex meshes in a heap over a floor, made without a solver: for tests and benchmarks of collision
// alone.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collide/collider.h"
#include "collide/rings.h"
#include "geometry/fours.h"
#include "geometry/hull.h"
#include "geometry/quat.h"

/// Heaps: `settled` is a lattice of boxes that touch all neighbours, slightly turned; `falling` is looser and turned
/// freely.
typedef enum pile_kind { PILE_SETTLED, PILE_FALLING } pile_kind;

typedef struct pile {
    tx_model *m;
    int count; // boxes; geom 0 is the floor, a fixed box below z = 0
    pile_kind kind;
    double *size, *pos, *mat, *margin, *gap;
    double *home, *phase; // where each box stands on average, and how it moves
    tx_rings *rings;      // of rocks, for a collider to take
} pile;

static inline double pile_dice(uint64_t *state, double low, double high) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return low + (high - low) * ((double)(*state >> 11) * 0x1p-53);
}

/// Rocks: hulls of points on a ball, the same few for all.
enum { PILE_ROCKS = 8, PILE_ROCK_POINTS = 32 };

// points about as large as a box of the pile
static inline void pile_rock(int rock, double *points) {
    uint64_t dice = 1234567 + 7919 * (uint64_t)rock;
    for (int i = 0; i < PILE_ROCK_POINTS; i++) {
        double *p = points + 3 * i, square;
        do {
            for (int k = 0; k < 3; k++) p[k] = pile_dice(&dice, -1, 1);
            square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        } while (square > 1 || square < 0.01);
        for (int k = 0; k < 3; k++) p[k] = (double)(float)(0.56 * p[k] / sqrt(square));
    }
}

// writes rock i into the model's arrays; every list of the model has room for PILE_ROCK_POINTS corners per rock
static inline bool pile_add_rock(tx_model *m, int i) {
    const int corners = 3 * (2 * PILE_ROCK_POINTS - 4), first = i * PILE_ROCK_POINTS, edge = i * corners;
    double *points = tx_writable(m->mesh_vert) + 3 * first;
    tx_hull hull;
    pile_rock(i, points);
    if (tx_hull_build(&hull, points, PILE_ROCK_POINTS, 0) != TX_HULL_OK) return false;
    tx_writable(m->mesh_vertadr)[i] = tx_writable(m->mesh_hullvertadr)[i] = first;
    tx_writable(m->mesh_vertnum)[i] = PILE_ROCK_POINTS, tx_writable(m->mesh_hullvertnum)[i] = hull.vertex_count;
    tx_writable(m->mesh_hullfaceadr)[i] = edge, tx_writable(m->mesh_hullfacenum)[i] = hull.face_count;
    tx_writable(m->mesh_sdf)[i] = -1, tx_writable(m->mesh_startadr)[i] = -1;
    tx_writable(m->mesh_fouradr)[i] = i * tx_fours_count(PILE_ROCK_POINTS);
    tx_fours_fill(points, hull.vertex, hull.vertex_count, tx_writable(m->hull_four) + 12 * m->mesh_fouradr[i]);
    for (int k = 0; k < hull.vertex_count; k++) {
        tx_writable(m->hull_vert)[first + k] = hull.vertex[k];
        tx_writable(m->hull_edgeadr)[first + k] = hull.first[k];
        tx_writable(m->hull_edgenum)[first + k] = hull.first[k + 1] - hull.first[k];
    }
    memcpy(tx_writable(m->hull_face) + edge, hull.face, 3 * sizeof(int) * (size_t)hull.face_count);
    memcpy(tx_writable(m->hull_edge) + edge, hull.neighbour, 3 * sizeof(int) * (size_t)hull.face_count);
    tx_hull_free(&hull);
    return true;
}

/// Makes all boxes but the floor rocks; the model must have been made for them.
static inline bool pile_make_rocks(pile *p) {
    for (int i = 0; i < PILE_ROCKS; i++)
        if (!pile_add_rock(p->m, i)) return false;
    for (int i = 1; i <= p->count; i++) {
        tx_writable(p->m->geom_type)[i] = TX_GEOM_MESH, tx_writable(p->m->geom_mesh)[i] = i % PILE_ROCKS;
        for (int k = 0; k < 3; k++) p->size[3 * i + k] = 0.56;
    }
    p->rings = tx_rings_create(p->m);
    return p->rings != NULL;
}

// every box on a free body of its own, the floor on the world; arrays that collision does not read stay zero
static inline tx_model *pile_model(int count) {
    tx_options options = tx_default_options();
    options.broadphase = TX_BROADPHASE_SWEEP;
    tx_model sizes = {.nbody = count + 1, .ngeom = count + 1, .nname = 2, .nmesh = PILE_ROCKS};
    sizes.nmeshvert = sizes.nhullvert = PILE_ROCKS * PILE_ROCK_POINTS;
    sizes.nhullfour = PILE_ROCKS * tx_fours_count(PILE_ROCK_POINTS);
    sizes.nhullcorner = PILE_ROCKS * 3 * (2 * PILE_ROCK_POINTS - 4);
    tx_model *m = tx_model_create(&sizes, &options);
    for (int i = 0; m && i <= count; i++) {
        tx_writable(m->body_weld)[i] = i;
        tx_writable(m->body_lastdof)[i] = 6 * i - 1;
        tx_writable(m->body_geomadr)[i] = i, tx_writable(m->body_geomnum)[i] = 1;
        tx_writable(m->geom_type)[i] = TX_GEOM_BOX;
        tx_writable(m->geom_body)[i] = i, tx_writable(m->geom_mesh)[i] = -1;
        tx_writable(m->geom_hfield)[i] = -1;
        tx_writable(m->geom_contype)[i] = tx_writable(m->geom_conaffinity)[i] = 1;
    }
    return m;
}

static inline void pile_destroy(pile *p) {
    tx_rings_destroy(p->rings);
    tx_model_destroy(p->m);
    free(p->size), free(p->pos), free(p->mat), free(p->margin), free(p->gap), free(p->home), free(p->phase);
}

/// Poses at frame `time` (any number): every box swings about its home by a few millimetres, some also turn.
static inline void pile_move(pile *p, double time) {
    for (int i = 1; i <= p->count; i++) {
        const double *home = p->home + 7 * i, *phase = p->phase + 4 * i;
        double quat[4];
        // a triangle wave: no library function, the same bits everywhere
        double at = time * phase[3] / 20, wave = 2 * (at - (double)(long long)at);
        wave = wave < 1 ? 2 * wave - 1 : 3 - 2 * wave;
        for (int k = 0; k < 3; k++) p->pos[3 * i + k] = home[k] + 0.005 * wave * phase[k];
        for (int k = 0; k < 4; k++) quat[k] = home[3 + k] + (k > 0 ? 0.005 * wave * phase[k - 1] : 0);
        tx_quat_normalize(quat);
        tx_quat_to_mat(quat, p->mat + 9 * i);
    }
}

/// false: no memory. `layers` of boxes on top of each other, 0: as high as wide. Boxes are about 1 m wide.
static inline bool pile_create(pile *p, int count, pile_kind kind, int layers) {
    const size_t n = (size_t)count + 1;
    *p = (pile){.m = pile_model(count), .count = count, .kind = kind};
    p->size = calloc(3 * n, sizeof(double)), p->pos = calloc(3 * n, sizeof(double));
    p->mat = calloc(9 * n, sizeof(double)), p->home = calloc(7 * n, sizeof(double));
    p->phase = calloc(4 * n, sizeof(double));
    p->margin = calloc(n, sizeof(double)), p->gap = calloc(n, sizeof(double));
    if (!p->m || !p->size || !p->pos || !p->mat || !p->home || !p->phase || !p->margin || !p->gap) {
        pile_destroy(p);
        return false;
    }
    int side = 1;
    while (side * side * (layers ? layers : side) < count) side++;
    uint64_t dice = 88172645463325252u;
    double pitch = kind == PILE_SETTLED ? 1 : 1.25, turn = kind == PILE_SETTLED ? 0.02 : 1;
    for (int k = 0; k < 3; k++) p->mat[4 * k] = 1, p->size[k] = k < 2 ? 1000 : 1;
    p->pos[2] = -1;
    for (int i = 1; i <= count; i++) {
        int at = i - 1, x = at % side, y = at / side % side, z = at / side / side;
        double *home = p->home + 7 * i, place[3] = {x + 0.5 * (z % 2), y + 0.5 * (z % 2), z + 0.5};
        for (int k = 0; k < 3; k++) {
            p->size[3 * i + k] = pile_dice(&dice, 0.49, 0.51);
            home[k] = pitch * place[k] + 0.002 * pile_dice(&dice, -1, 1);
            home[4 + k] = turn * pile_dice(&dice, -1, 1);
        }
        home[3] = 1;
        for (int k = 0; k < 4; k++) p->phase[4 * i + k] = pile_dice(&dice, k < 3 ? -1 : 0.5, 1);
    }
    pile_move(p, 0);
    return true;
}

static inline tx_geoms pile_geoms(const pile *p) {
    return (tx_geoms){.size = p->size, .pos = p->pos, .mat = p->mat, .margin = p->margin, .gap = p->gap};
}
