// hull.h - convex hull of points by qhull: triangles and, for every corner, its neighbours.
#pragma once

typedef enum tx_hull_result {
    TX_HULL_OK,
    TX_HULL_POINT,  // all points are one
    TX_HULL_LINE,   // all points are on a line
    TX_HULL_FLAT,   // all points are in a plane
    TX_HULL_FAILED, // qhull gave up
    TX_HULL_MEMORY
} tx_hull_result;

typedef struct tx_hull {
    int vertex_count, face_count;
    int *vertex;    // which points are corners
    int *face;      // 3 places in `vertex` each, counter-clockwise seen from outside
    int *first;     // vertex_count + 1: where the neighbours of each corner begin
    int *neighbour; // 3 face_count places in `vertex`: the other ends of its edges
} tx_hull;

/// Hull of `count` points, 3 numbers each; with `most` > 0 only that many corners, those that are farthest out as it
/// grows (4 or more). On success the caller frees it with tx_hull_free(); otherwise it is empty.
tx_hull_result tx_hull_build(tx_hull *hull, const double *points, int count, int most);
void tx_hull_free(tx_hull *hull);
