// face_tree.h - a tree of boxes over the faces of a surface, kept in plain arrays so that a model can hold it.
#pragma once
#include <stdbool.h>

/// A leaf holds up to this many faces.
#define TX_TREE_FACES 8

/// Nodes in depth-first order: a child stands right behind its parent, the other where the first one's subtree ends.
typedef struct tx_face_tree {
    int node_count;
    const int *leaf;   // of a leaf: its faces are order[TX_TREE_FACES leaf …]; -1: inner node
    const int *end;    // first node behind the subtree
    const double *box; // 6 a node: low and high corner, a little larger than its faces
    const int *order;  // all faces, neighbours together
} tx_face_tree;

/// Nodes of the tree over so many faces.
int tx_face_tree_nodes(int face_count);

/// Fills the arrays of a tree; false: no memory.
bool tx_face_tree_fill(const double *vertex, const int *face, int face_count, int *leaf, int *end, double *box,
                       int *order);
