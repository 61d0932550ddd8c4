// convex.h - what bench/convex.c and its C++ peer share.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_CORNERS 60

enum { BENCH_BOX, BENCH_CAPSULE, BENCH_CYLINDER, BENCH_POLYTOPE, BENCH_KINDS };

typedef struct bench_shape {
    int kind;
    double size[3]; // box: half sizes; capsule, cylinder: radius, half length along z
    double pos[3], mat[9];
    int corners, faces;
    double corner[BENCH_CORNERS][3];
    double fours[3 * BENCH_CORNERS]; // the corners again, as tx_fours_fill() has them
    int face[2 * BENCH_CORNERS][3];  // triangles, outward
    int edge_first[BENCH_CORNERS + 1], edge[6 * BENCH_CORNERS];
} bench_shape;

typedef struct bench_pair {
    bench_shape a, b;
    void *peer[2]; // FCL's shapes
    double dist;   // by a search over all directions
} bench_pair;

/// FCL: makes its shapes, frees them, and answers one pair. solver 0: libccd's algorithms inside FCL,
/// 1: FCL's own.
void fcl_make(bench_pair *pair);
void fcl_free(bench_pair *pair);
/// Distance by distance(), negative when they overlap (solver 0 only).
double fcl_distance(const bench_pair *pair, int solver);
/// Depth (negative) of overlapping shapes as its collide() has it (by portal refinement: not the least); 0 when it
/// finds none.
double fcl_collide(const bench_pair *pair, int solver);

#ifdef __cplusplus
}
#endif
