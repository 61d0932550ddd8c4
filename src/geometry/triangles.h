// triangles.h - a tree of boxes over the triangles of a surface: the nearest one, and how often the surface winds
// around a point.
#pragma once
#include <stdbool.h>

typedef struct tx_triangle_tree tx_triangle_tree;

/// A tree over `count` triangles, three places in `vertex` (3 numbers each) per triangle. The arrays must outlive it.
/// Released by tx_triangle_tree_destroy(). @return null when memory is out or there are no triangles
tx_triangle_tree *tx_triangle_tree_create(const double *vertex, const int *face, int count);
void tx_triangle_tree_destroy(tx_triangle_tree *tree);

/// Distance from p to the nearest triangle, which comes out in *nearest. The triangles in `guess` (3 of them, -1:
/// none), such as those nearest to points nearby, are tried first.
double tx_triangle_tree_distance(const tx_triangle_tree *tree, const double p[3], const int guess[3], int *nearest);

/// Generalised winding number (Jacobson et al. 2013): the solid angle of all triangles seen from p, over 4 pi. About 1
/// inside a closed surface, 0 outside; in between where the surface has holes. Far parts are taken as dipoles (Barill
/// et al. 2018); the error is below 0.02 for ordinary meshes.
double tx_triangle_tree_winding(const tx_triangle_tree *tree, const double p[3]);

/// Whether every edge has exactly one triangle on each side, run through in opposite ways.
bool tx_triangle_tree_closed(const int *face, int count);
