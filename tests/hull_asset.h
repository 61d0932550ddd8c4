// hull_asset.h - a mesh asset of a point set, for tests of pairs.
#pragma once
#include "base/memory.h"
#include "collide/convex.h"
#include "collide/pairs.h"
#include "geometry/facets.h"
#include "geometry/hull.h"
#include "geometry/support.h"

typedef struct hull_asset {
    tx_hull hull;
    tx_asset asset;
    tx_facets *facets;
    double fours[3 * TX_FOURS_CORNERS];
    double size[3]; // how far the points reach along each axis
} hull_asset;

/// points must outlive it; false when they have no hull. Free with hull_asset_free().
static inline bool hull_asset_build(hull_asset *h, const double *points, int count) {
    if (tx_hull_build(&h->hull, points, count, 0) != TX_HULL_OK) return false;
    h->asset = (tx_asset){.vertex = points,
                          .corner = h->hull.vertex,
                          .corner_count = h->hull.vertex_count,
                          .edge_first = h->hull.first,
                          .edge = h->hull.neighbour,
                          .edge_count = 3 * h->hull.face_count};
    // as compile has it
    if (h->hull.vertex_count < TX_CLIMB_FROM) {
        tx_fours_fill(points, h->hull.vertex, h->hull.vertex_count, h->fours);
        h->asset.fours = h->fours;
    }
    tx_convex convex = {0};
    tx_convex_take_asset(&convex, &h->asset);
    h->asset.facets = h->facets = tx_facets_build(&convex, h->hull.face, h->hull.face_count);
    if (!h->facets) return false;
    for (int k = 0; k < 3; k++) h->size[k] = 0;
    for (int i = 0; i < 3 * count; i++) {
        double reach = points[i] < 0 ? -points[i] : points[i];
        if (reach > h->size[i % 3]) h->size[i % 3] = reach;
    }
    return true;
}

static inline void hull_asset_free(hull_asset *h) {
    tx_hull_free(&h->hull);
    tx_free(h->facets);
}
