// query.h - rays, distances and overlaps among the geoms of one environment.
#pragma once
#include "model/block.h"
#include "thixis/query.h"

/// The nearest geom along each of `count` rays with unit directions.
void tx_query_rays(const tx_block *b, int lane, const tx_query_filter *filter, int count, const double *origins,
                   const double *directions, tx_ray_hit *hits);

/// The signed distance of two geoms; false when that pair has none (two planes, two height fields).
bool tx_query_distance(const tx_block *b, int lane, int geom1, int geom2, double max, tx_distance *out);

/// The geoms that a shape touches, up to `room` of them written. `mat` is its rotation.
/// @return how many there are
int tx_query_overlap(const tx_block *b, int lane, const tx_query_filter *filter, const tx_query_shape *shape,
                     const double mat[9], int *geoms, int room);
