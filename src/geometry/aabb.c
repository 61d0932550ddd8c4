// aabb.c - tight boxes along the world's axes: closed forms, and support along the axes.
#include "geometry/aabb.h"

#include <math.h>
#include <stddef.h>

#include "geometry/vec3.h"
#include "thixis/builder.h"

// half extent of a shape along world axis k; row: row k of its rotation
static double extent(int type, const double s[3], const double row[3]) {
    switch (type) {
    case TX_GEOM_SPHERE: return s[0];
    case TX_GEOM_CAPSULE: return s[0] + fabs(row[2]) * s[1];
    case TX_GEOM_CYLINDER: return s[0] * sqrt(row[0] * row[0] + row[1] * row[1]) + fabs(row[2]) * s[1];
    case TX_GEOM_ELLIPSOID: {
        double x = s[0] * row[0], y = s[1] * row[1], z = s[2] * row[2];
        return sqrt(x * x + y * y + z * z);
    }
    default: return fabs(row[0]) * s[0] + fabs(row[1]) * s[1] + fabs(row[2]) * s[2];
    }
}

// grows the box around `pos`, which rounding has made inexact; false: it is not finite
static bool finish(tx_aabb *out, const double pos[3], double grow) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double more = grow + TX_BOX_ROUNDING * (fabs(pos[k]) + (out->high[k] - out->low[k]) + fabs(grow));
        out->low[k] -= more, out->high[k] += more;
        sum += 0 * out->low[k] + 0 * out->high[k];
    }
    return sum == 0;
}

void tx_aabb_shape(tx_aabb *out, int type, const double size[3], const double pos[3], const double mat[9],
                   double grow) {
    if (type == TX_GEOM_PLANE) {
        for (int k = 0; k < 3; k++) out->low[k] = -INFINITY, out->high[k] = INFINITY;
        return;
    }
    for (int k = 0; k < 3; k++) {
        double e = extent(type, size, mat + 3 * k);
        out->low[k] = pos[k] - e, out->high[k] = pos[k] + e;
    }
    if (!finish(out, pos, grow)) tx_aabb_clear(out);
}

void tx_aabb_bounds(tx_aabb *out, const tx_bounds *bounds, const double pos[3], const double mat[9], double grow) {
    const double *c = bounds->centre, *h = bounds->half;
    // rounding of the place counts, not only of the centre
    const double more =
        TX_BOX_ROUNDING * (fabs(pos[0]) + fabs(pos[1]) + fabs(pos[2]) + fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double *row = mat + 3 * k;
        const double centre = pos[k] + (row[0] * c[0] + row[1] * c[1] + row[2] * c[2]);
        const double e = fabs(row[0]) * h[0] + fabs(row[1]) * h[1] + fabs(row[2]) * h[2] + grow + more;
        const double slack = TX_BOX_ROUNDING * (fabs(centre) + 2 * fabs(e));
        out->low[k] = centre - e - slack, out->high[k] = centre + e + slack;
        sum += 0 * out->low[k] + 0 * out->high[k];
    }
    if (sum != 0) tx_aabb_clear(out);
}

void tx_aabb_convex(tx_aabb *out, const tx_convex *shape, double grow) {
    for (int k = 0; k < 3; k++) {
        const double *row = shape->mat + 3 * k;
        for (int side = 0; side < 2; side++) {
            double dir[3], at[3];
            v3_scale(dir, row, side ? 1 : -1);
            tx_core_support(shape, dir, at);
            *(side ? &out->high[k] : &out->low[k]) = shape->pos[k] + v3_dot(row, at);
        }
    }
    if (!finish(out, shape->pos, grow + shape->radius)) tx_aabb_clear(out);
}
