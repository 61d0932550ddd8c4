// flex.h - the mesh of a soft body: vertices, the lines, triangles or tetrahedra between them, their edges and the
// shell around them, made from a shape or from what a file says. Nothing moves it yet (docs/mjcf.md).
#pragma once
#include <stdbool.h>

#include "thixis/base.h"

/// Most vertices, and most elements, of one mesh.
enum { TX_FLEX_MAX = 1 << 20 };

typedef struct tx_flex_mesh {
    int dim; // 1: lines, 2: triangles, 3: tetrahedra
    int vertex_count, element_count, edge_count, shell_count, vertex_room, element_room;
    double *vertices; // 3 each [m]
    double *unit;     // 3 each: the place in the box around all vertices, 0 to 1; 0.5 where it is flat
    int *elements;    // dim + 1 vertices each
    int *edges;       // 2 vertices each, the lower one first
    int *shells;      // dim vertices each: the faces that only one element has
    bool *pinned;     // of each vertex: it moves with the body that the mesh hangs from
} tx_flex_mesh;

typedef enum tx_flex_shape {
    TX_FLEX_GRID,      // count points along each of dim axes
    TX_FLEX_BOX,       // tetrahedra between the points of its surface and the centre; so are the next two
    TX_FLEX_CYLINDER,  // along z
    TX_FLEX_ELLIPSOID, //
    TX_FLEX_SQUARE,    // a grid of dim 2
    TX_FLEX_DISC,      // the same on a disc
    TX_FLEX_CIRCLE,    // count - 1 lines
    TX_FLEX_SHAPES
} tx_flex_shape;

typedef enum tx_flex_added { TX_FLEX_ADDED, TX_FLEX_FULL, TX_FLEX_NO_MEMORY } tx_flex_added;

/// Vertices and elements one by one, on an empty mesh whose dim is set. An element has vertices that are there.
tx_flex_added tx_flex_add_vertex(tx_flex_mesh *mesh, const double point[3]);
tx_flex_added tx_flex_add_element(tx_flex_mesh *mesh, const int *vertices);
/// All of a shape, into an empty mesh. Counts are at least 1.
tx_flex_added tx_flex_make(tx_flex_mesh *mesh, tx_flex_shape shape, const int count[3], const double spacing[3]);

/// The same point more than once becomes one vertex, the first.
bool tx_flex_weld(tx_flex_mesh *mesh); // false: no memory
/// When all vertices and elements are there and those that are pinned: leaves out vertices without an element, turns
/// all tetrahedra the same way round, finds edges, shell and unit places.
bool tx_flex_connect(tx_flex_mesh *mesh); // false: no memory
void tx_flex_release(tx_flex_mesh *mesh);
