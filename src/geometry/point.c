// point.c - a point against a box, a cylinder or an ellipsoid.
#include "geometry/point.h"

#include "geometry/vec3.h"

bool tx_point_knows(tx_core core) {
    return core == TX_CORE_BOX || core == TX_CORE_CYLINDER || core == TX_CORE_ELLIPSOID;
}

// from outside along the way to the nearest point
static double from_outside(const double x[3], const double nearest[3], double normal[3]) {
    v3_sub(normal, x, nearest);
    return v3_normalise(normal);
}

static double box_distance(const double half[3], const double x[3], double nearest[3], double normal[3]) {
    int face = 0;
    for (int i = 0; i < 3; i++) {
        nearest[i] = v3_clamp(x[i], -half[i], half[i]);
        if (half[i] - fabs(x[i]) < half[face] - fabs(x[face])) face = i;
    }
    double depth = half[face] - fabs(x[face]);
    if (depth < 0) return from_outside(x, nearest, normal);
    double side = x[face] >= 0 ? 1 : -1;
    v3_zero(normal);
    normal[face] = side;
    nearest[face] = side * half[face];
    return -depth;
}

static double cylinder_distance(const double size[3], const double x[3], double nearest[3], double normal[3]) {
    double across = sqrt(x[0] * x[0] + x[1] * x[1]), side = x[2] >= 0 ? 1 : -1;
    double out[2] = {across > 0 ? x[0] / across : 1, across > 0 ? x[1] / across : 0};
    double beyond = across - size[0], above = fabs(x[2]) - size[1];
    if (beyond > 0 || above > 0) {
        double r = fmin(across, size[0]);
        v3_set(nearest, r * out[0], r * out[1], v3_clamp(x[2], -size[1], size[1]));
        return from_outside(x, nearest, normal);
    }
    if (above > beyond) {
        v3_set(normal, 0, 0, side);
        v3_set(nearest, x[0], x[1], side * size[1]);
        return above;
    }
    v3_set(normal, out[0], out[1], 0);
    v3_set(nearest, size[0] * out[0], size[0] * out[1], x[2]);
    return beyond;
}

// sum (s x / d)^2 - 1 with d = s^2 - least^2 + u, and its derivative by u
static double off_surface(const double s[3], const double x[3], const double d[3], double *slope) {
    double sum = -1;
    *slope = 0;
    for (int i = 0; i < 3; i++) {
        if (x[i] == 0) continue;
        double term = s[i] * x[i] / d[i];
        sum += term * term;
        *slope -= 2 * term * term / d[i];
    }
    return sum;
}

// The nearest point is y = s^2 x / (s^2 + t) where t makes it lie on the surface (Eberly 2013). With u = t + least^2 >
// 0 that condition is convex and falls, and it is not negative where one term alone is 1: Newton goes up from there
static double ellipsoid_distance(const double s[3], const double x[3], double nearest[3], double normal[3]) {
    int k = s[0] < s[1] ? (s[0] < s[2] ? 0 : 2) : (s[1] < s[2] ? 1 : 2);
    double above[3], d[3], u = 0, slope;
    for (int i = 0; i < 3; i++) {
        above[i] = (s[i] - s[k]) * (s[i] + s[k]);
        u = fmax(u, s[i] * fabs(x[i]) - above[i]);
    }
    for (int step = 0; step < 64 && u > 0; step++) {
        for (int i = 0; i < 3; i++) d[i] = above[i] + u;
        double f = off_surface(s, x, d, &slope);
        double next = u - f / slope;
        if (!(next > u)) break;
        u = next;
    }
    // in the middle plane of the shortest axis: y has any sign along that
    double left = 1;
    for (int i = 0; i < 3; i++) {
        d[i] = above[i] + u;
        nearest[i] = x[i] == 0 ? 0 : s[i] * s[i] * x[i] / d[i];
        if (i != k) left -= nearest[i] * nearest[i] / (s[i] * s[i]);
    }
    if (x[k] == 0 && left > 0 && !(u > 0)) nearest[k] = s[k] * sqrt(left);
    for (int i = 0; i < 3; i++) normal[i] = nearest[i] / (s[i] * s[i]);
    double length = v3_normalise(normal);
    // x - y = t y / s^2
    return (u - s[k] * s[k]) * length;
}

double tx_point_distance(const tx_convex *core, const double x[3], double nearest[3], double normal[3]) {
    if (core->core == TX_CORE_BOX) return box_distance(core->size, x, nearest, normal);
    if (core->core == TX_CORE_CYLINDER) return cylinder_distance(core->size, x, nearest, normal);
    return ellipsoid_distance(core->size, x, nearest, normal);
}
