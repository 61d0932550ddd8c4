// fours.h - the farthest of a few corners, four at a time.
#pragma once
#include <stdint.h>

/// As many corners as one search looks at.
#define TX_FOURS_CORNERS 64

/// How many groups of four hold so many corners.
static inline int tx_fours_count(int corners) { return (corners + 3) / 4; }

/// Copies corners into groups of four: their x, their y, their z; the last corner fills the last group.
/// @param vertex  which points are corners, or null: the first `count`
/// @param fours   12 numbers a group
void tx_fours_fill(const double *points, const int *vertex, int count, double *fours);

/// The first of the farthest corners in a direction; `count` from 1 to TX_FOURS_CORNERS, all numbers finite. The same
/// on every machine.
int tx_fours_farthest(const double *fours, int count, const double dir[3]);
int tx_fours_farthest_plain(const double *fours, int count, const double dir[3]); // without vectors

/// A bit for every corner p with height + normal.p < margin; `count` as above.
uint64_t tx_fours_below(const double *fours, int count, const double normal[3], double height, double margin);
uint64_t tx_fours_below_plain(const double *fours, int count, const double normal[3], double height, double margin);
