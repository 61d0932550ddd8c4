// pair_convex.h - the pairs without a closed form.
#pragma once
#include "collide/pairs.h"

tx_pair_fn tx_pair_convex; // with default settings

/// The same with settings, which closed forms have none of.
int tx_pair_convex_hits(const tx_shape *a, const tx_shape *b, double margin, const tx_narrow *how, tx_hit *hits);
