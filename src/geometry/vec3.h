// vec3.h - vectors double[3] and row-major matrices double[9] for plain C. The result comes first and may be an input
// unless the comment says otherwise.
#pragma once
#include <math.h>
#include <stdbool.h>

// shorter vectors have no direction
#define V3_TINY 1e-15

static inline void v3_set(double out[3], double x, double y, double z) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
}
static inline void v3_copy(double out[3], const double a[3]) { v3_set(out, a[0], a[1], a[2]); }
static inline void v3_zero(double out[3]) { v3_set(out, 0, 0, 0); }

static inline void v3_add(double out[3], const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i];
}
static inline void v3_sub(double out[3], const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}
static inline void v3_scale(double out[3], const double a[3], double s) {
    for (int i = 0; i < 3; i++) out[i] = a[i] * s;
}
// a + s b: a point along a line
static inline void v3_along(double out[3], const double a[3], const double b[3], double s) {
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i] * s;
}

static inline double v3_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline double v3_length(const double a[3]) { return sqrt(v3_dot(a, a)); }

static inline void v3_cross(double out[3], const double a[3], const double b[3]) {
    v3_set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

// makes the length one and returns what it was; a vector without direction becomes the x axis
static inline double v3_normalise(double a[3]) {
    double length = v3_length(a);
    if (length < V3_TINY) {
        v3_set(a, 1, 0, 0);
    } else {
        v3_scale(a, a, 1 / length);
    }
    return length;
}

static inline double v3_clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

// m v and transpose(m) v; out must not be v
static inline void m3_mul(double out[3], const double m[9], const double v[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}
static inline void m3_mul_transposed(double out[3], const double m[9], const double v[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[i] * v[0] + m[i + 3] * v[1] + m[i + 6] * v[2];
}
static inline void m3_column(double out[3], const double m[9], int column) {
    v3_set(out, m[column], m[column + 3], m[column + 6]);
}

// whether all n numbers are finite: 0 x is 0 exactly for those
static inline bool v_finite(const double *v, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += 0 * v[i];
    return sum == 0;
}

// whether all n numbers are finite and smaller than a bound
static inline bool v_below(const double *v, int n, double bound) {
    bool good = true;
    for (int i = 0; i < n; i++) good &= fabs(v[i]) < bound;
    return good;
}
