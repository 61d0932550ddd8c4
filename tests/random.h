// random.h - random numbers, directions and rotations for tests and benchmarks: the same in every run.
#pragma once
#include <stdint.h>

#include "geometry/vec3.h"

/// A 64-bit congruential generator (Knuth's MMIX); its upper 53 bits.
static inline double random_between(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static inline void random_direction(uint64_t *seed, double v[3]) {
    do {
        for (int i = 0; i < 3; i++) v[i] = random_between(seed, -1, 1);
    } while (v3_dot(v, v) > 1 || v3_dot(v, v) < 1e-4);
    v3_normalise(v);
}

static inline void random_turn(uint64_t *seed, double m[9]) {
    double x[3], y[3], z[3];
    random_direction(seed, z);
    do {
        random_direction(seed, y);
        v3_cross(x, y, z);
    } while (v3_length(x) < 0.1);
    v3_normalise(x);
    v3_cross(y, z, x);
    for (int i = 0; i < 3; i++) m[3 * i] = x[i], m[3 * i + 1] = y[i], m[3 * i + 2] = z[i];
}
