// obb.c - bounds in the frame of a shape, and their separating axes.
#include "geometry/obb.h"

#include <stddef.h>

#include "geometry/vec3.h"
#include "thixis/builder.h"

// of the sizes and places: what GJK calls touching (1e-11), and rounding, is far below it
#define SLACK 1e-9

tx_bounds tx_bounds_of_points(const double *points, const int *index, int count) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        const double *p = points + 3 * (size_t)(index ? index[i] : i);
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], p[k]), high[k] = fmax(high[k], p[k]);
    }
    tx_bounds b;
    for (int k = 0; k < 3; k++) b.centre[k] = 0.5 * (low[k] + high[k]), b.half[k] = 0.5 * (high[k] - low[k]);
    return b;
}

tx_bounds tx_bounds_of_shape(int type, const double s[3]) {
    switch (type) {
    case TX_GEOM_SPHERE: return (tx_bounds){.half = {s[0], s[0], s[0]}};
    case TX_GEOM_CAPSULE: return (tx_bounds){.half = {s[0], s[0], s[0] + s[1]}};
    case TX_GEOM_CYLINDER: return (tx_bounds){.half = {s[0], s[0], s[1]}};
    default: return (tx_bounds){.half = {s[0], s[1], s[2]}};
    }
}

tx_obb tx_obb_place(const tx_bounds *bounds, const double pos[3], const double mat[9]) {
    tx_obb out = {.mat = mat};
    m3_mul(out.centre, mat, bounds->centre);
    v3_add(out.centre, out.centre, pos);
    v3_copy(out.half, bounds->half);
    return out;
}

static double sum_of(const double v[3]) { return fabs(v[0]) + fabs(v[1]) + fabs(v[2]); }

bool tx_obb_apart(const tx_obb *a, const tx_obb *b, double reach) {
    const double *ha = a->half, *hb = b->half;
    double way[3], t[3], r[9], size[9];
    v3_sub(way, b->centre, a->centre);
    reach += SLACK * (sum_of(a->centre) + sum_of(b->centre) + sum_of(ha) + sum_of(hb));

    // axes of a; r: the axes of b seen from a
    m3_mul_transposed(t, a->mat, way);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r[3 * i + j] = a->mat[i] * b->mat[j] + a->mat[3 + i] * b->mat[3 + j] + a->mat[6 + i] * b->mat[6 + j];
            size[3 * i + j] = fabs(r[3 * i + j]);
        }
        if (fabs(t[i]) > ha[i] + v3_dot(size + 3 * i, hb) + reach) return true;
    }
    // axes of b
    for (int j = 0; j < 3; j++) {
        double along = t[0] * r[j] + t[1] * r[3 + j] + t[2] * r[6 + j];
        if (fabs(along) > hb[j] + size[j] * ha[0] + size[3 + j] * ha[1] + size[6 + j] * ha[2] + reach) return true;
    }
    // across an axis of each; no longer than 1, so the reach is no shorter than it should be
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double along = t[i2] * r[3 * i1 + j] - t[i1] * r[3 * i2 + j];
            double of_a = ha[i1] * size[3 * i2 + j] + ha[i2] * size[3 * i1 + j];
            double of_b = hb[j1] * size[3 * i + j2] + hb[j2] * size[3 * i + j1];
            if (fabs(along) > of_a + of_b + reach) return true;
        }
    }
    return false;
}
