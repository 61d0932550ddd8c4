// vec.h - vectors, matrices, quaternions (w, x, y, z) and spatial algebra on lanes. lanes: any
#pragma once
#include <string.h>

#include "lane/lane.h"

FN void copy3(real *o, const real *a) { o[0] = a[0], o[1] = a[1], o[2] = a[2]; }
FN void zero3(real *o) { o[0] = o[1] = o[2] = splat(0); }
FN void copy(real *to, const real *from, int n) { memcpy(to, from, sizeof *to * (size_t)n); }
FN real dot3(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
FN void cross3(real *o, const real *a, const real *b) {
    real x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    o[0] = x, o[1] = y, o[2] = z;
}

// o = m v, a row-major 3 x 3 matrix
FN void mat_vec(real *o, const real *m, const real *v) {
    real x = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
    real y = m[3] * v[0] + m[4] * v[1] + m[5] * v[2];
    real z = m[6] * v[0] + m[7] * v[1] + m[8] * v[2];
    o[0] = x, o[1] = y, o[2] = z;
}

// o = mᵀ v; o may be v
FN void mat_vec_transposed(real *o, const real *m, const real *v) {
    real x = m[0] * v[0] + m[3] * v[1] + m[6] * v[2];
    real y = m[1] * v[0] + m[4] * v[1] + m[7] * v[2];
    real z = m[2] * v[0] + m[5] * v[1] + m[8] * v[2];
    o[0] = x, o[1] = y, o[2] = z;
}

FN void quat_mul(real *o, const real *a, const real *b) {
    real w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    real x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    real y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    real z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    o[0] = w, o[1] = x, o[2] = y, o[3] = z;
}

// unit length; a zero quaternion becomes the identity, NaN stays NaN
FN void quat_normalize(real *q) {
    real n = vsqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    mask zero = n < R(1e-15);
    real inv = R(1) / sel(zero, splat(1), n);
    q[0] = sel(zero, splat(1), q[0] * inv);
    for (int k = 1; k < 4; k++) q[k] = sel(zero, splat(0), q[k] * inv);
}

FN void quat_to_mat(real *m, const real *q) {
    real w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = w * w + x * x - y * y - z * z, m[1] = R(2) * (x * y - w * z), m[2] = R(2) * (x * z + w * y);
    m[3] = R(2) * (x * y + w * z), m[4] = w * w - x * x + y * y - z * z, m[5] = R(2) * (y * z - w * x);
    m[6] = R(2) * (x * z - w * y), m[7] = R(2) * (y * z + w * x), m[8] = w * w - x * x - y * y + z * z;
}

FN void quat_rotate(real *o, const real *q, const real *v) {
    real t[3], u[3];
    cross3(t, q + 1, v);
    for (int k = 0; k < 3; k++) t[k] = R(2) * t[k];
    cross3(u, q + 1, t);
    for (int k = 0; k < 3; k++) o[k] = v[k] + q[0] * t[k] + u[k];
}

// Spatial vectors are (angular, linear) at the centre of mass of the tree (Featherstone 2008, ch. 2).
// A spatial inertia is ten numbers: xx yy zz xy xz yz of the rotational inertia about that point, mass times the offset
// of the centre of mass, mass.

// f = I v
FN void inertia_mul(real *f, const real *i, const real *v) {
    f[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5];
    f[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5];
    f[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4];
    f[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];
    f[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];
    f[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];
}

// o = v x s for motions
FN void cross_motion(real *o, const real *v, const real *s) {
    real t[3];
    cross3(t, v + 3, s);
    cross3(o, v, s);
    cross3(o + 3, v, s + 3);
    for (int k = 0; k < 3; k++) o[3 + k] = o[3 + k] + t[k];
}

// o = v x* f for forces
FN void cross_force(real *o, const real *v, const real *f) {
    real t[3];
    cross3(t, v + 3, f + 3);
    cross3(o, v, f);
    cross3(o + 3, v, f + 3);
    for (int k = 0; k < 3; k++) o[k] = o[k] + t[k];
}

FN real dot6(const real *a, const real *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}
