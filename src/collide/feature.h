// feature.h - which parts of two shapes made a point of contact, as one number: 32 bits for each shape. See
// docs/collision.md, "Feature ids".
#pragma once
#include <stdint.h>

/// A part of a shape: its kind in the upper two bits, its number in the other 30.
enum { TX_PART_CORNER, TX_PART_EDGE, TX_PART_FACE, TX_PART_PLACE };

#define TX_PART(kind, number)      ((uint32_t)(kind) << 30 | ((number)&0x3fffffffu))
#define TX_PART_BETWEEN(low, high) TX_PART(TX_PART_EDGE, (low) << 15 ^ (high))
static inline uint32_t tx_part(uint32_t kind, uint32_t number) { return TX_PART(kind, number); }

/// Also the end of a segment, a point of a rim, a vertex.
static inline uint32_t tx_part_corner(int i) { return tx_part(TX_PART_CORNER, (uint32_t)i); }
/// Also a surface without corners.
static inline uint32_t tx_part_face(int i) { return tx_part(TX_PART_FACE, (uint32_t)i); }
/// What a search found: the number says which.
static inline uint32_t tx_part_place(int i) { return tx_part(TX_PART_PLACE, (uint32_t)i); }
/// An edge that has a number of its own.
static inline uint32_t tx_part_edge(int i) { return tx_part(TX_PART_EDGE, (uint32_t)i); }
/// An edge by its two corners in any order: one number for each pair of corners below 2^15, hashed beyond.
static inline uint32_t tx_part_between(int i, int j) {
    uint32_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
    return TX_PART_BETWEEN(low, high);
}

/// Face of a box across an axis. Its corners count with bit k set on the positive side of axis k.
static inline uint32_t tx_part_box_face(int axis, int positive) { return tx_part_face(2 * axis + positive); }
/// Edge of a box along an axis; bit k of sides: on the positive side of axis k.
static inline uint32_t tx_part_box_edge(int axis, int sides) {
    return tx_part_between(sides & ~(1 << axis), sides | 1 << axis);
}

static inline uint64_t tx_feature(uint32_t of_a, uint32_t of_b) { return (uint64_t)of_a << 32 | of_b; }
/// The same point after the two shapes were exchanged.
static inline uint64_t tx_feature_mirrored(uint64_t f) { return f << 32 | f >> 32; }
