// quat.h - quaternions (w, x, y, z) and rotation matrices on doubles, for code that runs once.
#pragma once
#include <math.h>
#include <stdbool.h>

/// false when it has no direction; then it becomes the identity
static inline bool tx_quat_normalize(double q[4]) {
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(n > 1e-15)) {
        q[0] = 1, q[1] = q[2] = q[3] = 0;
        return false;
    }
    for (int k = 0; k < 4; k++) q[k] /= n;
    return true;
}

static inline void tx_quat_to_mat(const double q[4], double m[9]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = w * w + x * x - y * y - z * z, m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = w * w - x * x + y * y - z * z, m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = w * w - x * x - y * y + z * z;
}

/// from the largest of the four possible pivots
static inline void tx_mat_to_quat(const double m[9], double q[4]) {
    double t[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4]};
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (t[k] > t[best]) best = k;
    double s = 0.5 * sqrt(1 + t[best]), f = 0.25 / s;
    double xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7], wx = m[7] - m[5], wy = m[2] - m[6], wz = m[3] - m[1];
    switch (best) {
    case 0: q[0] = s, q[1] = wx * f, q[2] = wy * f, q[3] = wz * f; break;
    case 1: q[0] = wx * f, q[1] = s, q[2] = xy * f, q[3] = xz * f; break;
    case 2: q[0] = wy * f, q[1] = xy * f, q[2] = s, q[3] = yz * f; break;
    default: q[0] = wz * f, q[1] = xz * f, q[2] = yz * f, q[3] = s; break;
    }
    tx_quat_normalize(q);
}

/// the shortest rotation that takes the z axis to a direction
static inline void tx_quat_of_z(const double direction[3], double q[4]) {
    double n = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    double x = direction[0] / n, y = direction[1] / n, z = direction[2] / n, s = sqrt(x * x + y * y);
    double half = 0.5 * atan2(s, z);
    q[0] = cos(half);
    q[1] = s < 1e-10 ? sin(half) : -y / s * sin(half);
    q[2] = s < 1e-10 ? 0 : x / s * sin(half);
    q[3] = 0;
}
