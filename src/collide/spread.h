// spread.h - of many points of contact the few that matter: the deepest, and those that span the largest area.
#pragma once

/// A point of contact in the frame of its contact: x and y across the normal, z along it, and the distance there [m].
typedef struct tx_spot {
    double x, y, z, dist;
} tx_spot;

/// Merges spots that are nearer than `same` across the normal (the deeper one stays), then keeps at most `most` (3 or
/// more): those that span the largest area, and the deepest, up to 10 % of `same`. Order is kept where nothing has to
/// go.
/// @return how many
int tx_spread(tx_spot *spots, int count, int most, double same);
