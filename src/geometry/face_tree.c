// face_tree.c - faces along a Morton curve, eight of them a leaf, and a linear hierarchy over the leaves.
#include "geometry/face_tree.h"

#include <math.h>

#include "base/memory.h"
#include "geometry/lbvh.h"

#define SPARE 1e-9 // of the surface's size: a ray along an edge must not miss its box

static int leaf_count(int face_count) { return (face_count + TX_TREE_FACES - 1) / TX_TREE_FACES; }

int tx_face_tree_nodes(int face_count) { return face_count > 0 ? 2 * leaf_count(face_count) - 1 : 0; }

static tx_aabb nothing(void) { return (tx_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

static void include(tx_aabb *box, const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], low[k]);
        box->high[k] = fmax(box->high[k], high[k]);
    }
}

// the faces in the order of the leaves of a tree over them
static void write_order(const tx_lbvh *tree, int *order) {
    int count = 0;
    for (int i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].item >= 0) order[count++] = tree->nodes[i].item;
}

static void write_nodes(const tx_lbvh *tree, int *leaf, int *end, double *box) {
    double spare = 0;
    for (int k = 0; k < 3; k++) spare = fmax(spare, SPARE * (tree->nodes[0].box.high[k] - tree->nodes[0].box.low[k]));
    for (int i = 0; i < tree->node_count; i++) {
        leaf[i] = tree->nodes[i].item, end[i] = tree->nodes[i].end;
        for (int k = 0; k < 3; k++) {
            box[6 * i + k] = tree->nodes[i].box.low[k] - spare;
            box[6 * i + 3 + k] = tree->nodes[i].box.high[k] + spare;
        }
    }
}

static void box_faces(const double *vertex, const int *face, int count, tx_aabb *boxes) {
    for (int i = 0; i < count; i++) {
        boxes[i] = nothing();
        for (int k = 0; k < 3; k++) include(&boxes[i], vertex + 3 * face[3 * i + k], vertex + 3 * face[3 * i + k]);
    }
}

static void box_leaves(const tx_aabb *faces, const int *order, int count, tx_aabb *leaves) {
    for (int i = 0; i < count; i++) {
        tx_aabb *leaf = &leaves[i / TX_TREE_FACES];
        if (i % TX_TREE_FACES == 0) *leaf = nothing();
        include(leaf, faces[order[i]].low, faces[order[i]].high);
    }
}

bool tx_face_tree_fill(const double *vertex, const int *face, int face_count, int *leaf, int *end, double *box,
                       int *order) {
    int leaves = leaf_count(face_count);
    if (face_count <= 0) return true;
    size_t boxes = sizeof(tx_aabb) * (size_t)(face_count + leaves), tree_size = tx_lbvh_size(face_count);
    size_t room = boxes + tree_size + tx_lbvh_scratch(face_count) + 3 * 64;
    char *memory = tx_alloc(room);
    if (!memory) return false;
    tx_arena arena = {memory, memory + room};
    tx_aabb *face_box = TX_TAKE(arena, face_count + leaves, tx_aabb), *leaf_box = face_box + face_count;
    void *nodes = tx_arena_take(&arena, tree_size);
    tx_lbvh tree;
    box_faces(vertex, face, face_count, face_box);
    tx_lbvh_build(&tree, face_box, face_count, nodes, arena);
    write_order(&tree, order);
    box_leaves(face_box, order, face_count, leaf_box);
    tx_lbvh_build(&tree, leaf_box, leaves, nodes, arena);
    write_nodes(&tree, leaf, end, box);
    tx_free(memory);
    return true;
}
