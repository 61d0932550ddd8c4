// pairs.h - one shape against another: the interface of every narrow-phase function and the table that lists them.
#pragma once
#include "collide/feature.h"
#include "collide/narrow.h"
#include "geometry/face_tree.h"
#include "geometry/heights.h"
#include "geometry/sdf.h"
#include "thixis/builder.h"

/// What a mesh or a height field is made of beside its size (of a mesh: how far it reaches along each axis), in the
/// frame of its geom. The memory belongs to the model.
typedef struct tx_asset {
    const double *vertex;           // 3 numbers each
    const int *corner;              // which of them are the corners of its convex hull
    int corner_count;               // how many
    const int *edge_first, *edge;   // per corner where its neighbours begin, and these: places in `corner`
    int edge_count;                 // where those of the last corner end
    const double *fours;            // the corners again, of a small hull (tx_fours_fill()), or null
    const double *ring;             // see tx_convex; null: not made
    const double *packed;           // the corners side by side, 3 numbers each; null: only `corner` says which they are
    const struct tx_facets *facets; // flat faces of the hull, or null: not made
    const int *start;               // corners to climb from, by direction (tx_start_fill()), or null
    const int *face;                // triangles of the hull: 3 places in `corner` each
    int face_count;
    double extent;      // tx_convex_radius() of the hull where it is known, or 0
    tx_heights heights; // of a height field
    tx_sdf sdf;         // of a mesh of type sdf
    // the whole surface of a mesh
    const int *surface; // 3 places in `vertex` per triangle
    int vertex_count, surface_count;
    tx_face_tree tree; // over these triangles
} tx_asset;

/// A shape at its place in the world.
typedef struct tx_shape {
    int type;              // tx_geom_type
    const double *size;    // see tx_geom_def
    const double *pos;     // centre, world [m]
    const double *mat;     // rotation to the world, row-major
    const tx_asset *asset; // null for primitives
} tx_shape;

/// One point of contact: distance along the normal (negative when the shapes overlap), the point midway between the
/// two surfaces, the normal from shape a to shape b, a wish for the first tangent (zero: none), and which parts of the
/// shapes made it: no two points of a pair have the same feature.
typedef struct tx_hit {
    double dist;
    double pos[3], normal[3], tangent[3];
    uint64_t feature;
} tx_hit;

#define TX_MAX_HITS TX_MAX_CONTACTS_PER_PAIR

/// Positions and sizes must be below this [m], and what a field's grid is divided by above 1 / TX_LONGEST: up to eight
/// of them are multiplied, and no product may overflow or vanish.
#define TX_LONGEST 1e30

/// Writes the points nearer than margin into hits (room for TX_MAX_HITS). Pure: no memory, no state.
/// a.type <= b.type. @return how many, 0 when apart, beyond TX_LONGEST or when a number is not finite
typedef int tx_pair_fn(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits);

/// The function for two types in either order, or null when that pair does not exist (yet).
tx_pair_fn *tx_pair_function(int type1, int type2);

/// Two boxes without the instructions that not every machine has; the same bits.
tx_pair_fn tx_pair_box_box_plain;

/// The points of one pair with the settings: the function of the table, and no more points than wanted.
int tx_pair_hits(const tx_shape *a, const tx_shape *b, double margin, const tx_narrow *how, tx_hit *hits);

/// "capsule" and so on; "?" beyond the list.
const char *tx_shape_name(int type);
