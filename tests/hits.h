// hits.h - shapes at their places, their hits, and whether these are sound, for tests of pairs.
#pragma once
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide/frame.h"
#include "collide/pairs.h"
#include "geometry/vec3.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static inline tx_shape shape(int type, const double *size, const double *pos, const double *mat) {
    return (tx_shape){.type = type, .size = size, .pos = pos, .mat = mat};
}

static inline int collide(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return tx_pair_function(a->type, b->type)(a, b, margin, hits);
}

static inline double difference(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// how far the rows are from a right-handed orthonormal frame
static inline double frame_defect(const double f[9]) {
    double cross[3];
    v3_cross(cross, f, f + 3);
    double defect = difference(cross, f + 6, 3);
    for (int i = 0; i < 3; i++) {
        defect = fmax(defect, fabs(v3_dot(f + 3 * i, f + 3 * i) - 1));
        defect = fmax(defect, fabs(v3_dot(f + 3 * i, f + (3 * i + 3) % 9)));
    }
    return defect;
}

static inline void assert_sound(const tx_hit *hits, int count) {
    assert_in_range(count, 0, TX_MAX_HITS);
    for (int i = 0; i < count; i++) {
        assert_true(isfinite(hits[i].dist) && v_finite(hits[i].pos, 3) && v_finite(hits[i].tangent, 3));
        assert_true(fabs(v3_length(hits[i].normal) - 1) < 1e-12);
        double frame[9];
        tx_frame_make(hits[i].normal, hits[i].tangent, frame);
        assert_true(frame_defect(frame) < 1e-12);
    }
}
