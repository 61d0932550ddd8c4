// support.h - convex shapes as support maps: the farthest point in a direction. A rounded shape is a core plus a
// radius.
#pragma once
#include <stdbool.h>

#include "geometry/fours.h"

typedef enum tx_core {
    TX_CORE_POINT,
    TX_CORE_SEGMENT,
    TX_CORE_BOX,
    TX_CORE_CYLINDER,
    TX_CORE_ELLIPSOID,
    TX_CORE_POINTS
} tx_core;

/// Whether a core has curved sides.
static inline bool tx_core_is_smooth(tx_core core) { return core == TX_CORE_CYLINDER || core == TX_CORE_ELLIPSOID; }

typedef struct tx_facets tx_facets; // facets.h

/// A convex shape at its place. The memory of the points belongs to the caller.
typedef struct tx_convex {
    tx_core core;
    double size[3]; // segment: half length, along z · cylinder: radius, half height · box, ellipsoid: half sizes [m]
    double radius;  // added all around the core [m]
    double eroded;  // ellipsoid: a ball of this radius is taken off all around, see tx_ellipsoid_ball() [m]
    double pos[3];  // world [m]
    double mat[9];  // rotation to the world, row-major
    double centre[3];             // a point inside the core, in its own frame (MPR starts there)
    const double *points;         // TX_CORE_POINTS: 3 numbers each, in the shape's frame
    int point_count;              // how many corners
    const int *vertex;            // which points are corners, or null: all (tx_hull.vertex)
    const int *first, *neighbour; // edges of the hull as in tx_hull, or null: every point is looked at
    int edge_count;               // how many neighbours there are in all: where those of the last corner end
    const double *fours;     // the corners again, for sets no larger than TX_FOURS_CORNERS (tx_fours_fill()), or null
    const double *ring;      // the neighbours of every corner side by side (ring.h), or null
    const int *start;        // TX_START_CELLS corners to climb from, by direction (tx_start_fill()), or null
    const tx_facets *facets; // the flat faces of the hull (facets.h), or null
    double extent;           // tx_convex_radius() of the points where it is known, or 0
} tx_convex;

/// Point sets smaller than this are searched through even when their edges are known.
#define TX_CLIMB_FROM TX_FOURS_CORNERS

/// Directions fall into the cells of a cube, so many along each side of its faces.
#define TX_START_GRID  16
#define TX_START_CELLS (6 * TX_START_GRID * TX_START_GRID)

/// Fills the table of a point set: the farthest corner along the middle of each cell.
void tx_start_fill(const tx_convex *shape, int *start);

/// Farthest point of the core in a direction (any length but zero), shape's frame.
void tx_core_support(const tx_convex *shape, const double dir[3], double out[3]);
/// Which corner of a point set that is.
int tx_convex_farthest(const tx_convex *shape, const double dir[3]);
/// The same where a corner is known that is far along a direction near to this one.
int tx_convex_farthest_from(const tx_convex *shape, const double dir[3], int corner);

/// Half the diagonal of a box around the shape: how large it is, up to a factor.
double tx_convex_radius(const tx_convex *shape);

/// The largest ball that rolls all around inside of an ellipsoid, a little less: its least radius of curvature. The
/// ellipsoid is what is left without it, and the ball added again (Blaschke's rolling theorem). 0 of a flat one.
double tx_ellipsoid_ball(const double size[3]);

/// How the farthest point of an ellipsoid moves when a unit direction d (or -d) moves along `tangent` t:
/// S (t' - u (u.t')) / |S d| with S = diag(size), t' = S t, u = S d / |S d|.
void tx_ellipsoid_bend(const double size[3], const double dir[3], const double tangent[3], double out[3]);

/// Corner `i` of a point set.
static inline const double *tx_convex_corner(const tx_convex *shape, int i) {
    return shape->points + 3 * (shape->vertex ? shape->vertex[i] : i);
}

/// Where the neighbours of corner `i` end.
static inline int tx_convex_edges_end(const tx_convex *shape, int i) {
    return i + 1 < shape->point_count ? shape->first[i + 1] : shape->edge_count;
}

/// Sets the mean of the points as centre and the fields of a point set; first (count + 1 numbers) and neighbour may be
/// null.
void tx_convex_points(tx_convex *shape, const double *points, int count, const int *vertex, const int *first,
                      const int *neighbour);

/// The cores' difference A - B as one shape, in the frame of A.
typedef struct tx_difference {
    const tx_convex *a, *b;
    double rot[9], offset[3]; // pose of b seen from a
    double radius;            // of both together
} tx_difference;

tx_difference tx_difference_of(const tx_convex *a, const tx_convex *b);
/// w = farthest point of A - B in a direction, on_a = its part from A (that from B is on_a - w).
void tx_difference_support(const tx_difference *d, const double dir[3], double w[3], double on_a[3]);
