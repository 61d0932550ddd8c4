// facets.h - the flat faces of a hull as polygons: triangles in one plane taken together.
#pragma once
#include "geometry/support.h"

/// Corners of a facet's polygon at most.
#define TX_FACET_CORNERS 16

/// Hulls of more triangles have no list of planes: to go through it would take longer than a search.
#define TX_FACET_PLANES 512

typedef struct tx_facet {
    double normal[3]; // unit, outward
    double fall;      // sine of the least angle between its plane and what leaves it: edges, diagonals of faces beside
    int first, count; // corners in tx_facets.corner, counter-clockwise seen from outside; none: it has no plane
} tx_facet;

struct tx_facets {
    tx_facet *facet;
    int *corner;                   // places among the hull's corners
    int *at_first, *at_count, *at; // per corner of the hull: which facets have it
    double *plane[4];              // of the triangles: outward unit normals' x, y, z, and the distances from the origin
    int planes;                    // 0: there would be too many
};

/// Of a hull with edges and its triangles, 3 corners each. Of more than TX_FACET_CORNERS those stay that span most.
/// Free with tx_free(). @return null: no memory
tx_facets *tx_facets_build(const tx_convex *hull, const int *face, int face_count);

/// Signed distance of a point inside of the hull, or where it is outside anything that is not negative, and the normal
/// of the nearest plane. The hull must have planes.
double tx_facets_depth(const tx_facets *facets, const double point[3], double normal[3]);

/// Of the facets at a corner the one that looks most along a direction; null: there is none.
const tx_facet *tx_facet_along(const tx_facets *facets, int corner, const double dir[3]);
