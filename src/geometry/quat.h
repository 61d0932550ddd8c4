// quat.h - quaternions (w, x, y, z) and rotation matrices on doubles, for code that runs once.
#pragma once
#include <math.h>
#include <stdbool.h>

/// false when it has no direction; then it becomes the identity
static inline bool tx_quat_normalize(double q[4]) {
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(n > 1e-15 && n < INFINITY)) {
        q[0] = 1, q[1] = q[2] = q[3] = 0;
        return false;
    }
    // what has length one but for rounding stays as it is, so that doing it twice changes nothing
    for (int k = 0; k < 4 && fabs(n - 1) > 1e-15; k++) q[k] /= n;
    return true;
}

static inline void tx_quat_to_mat(const double q[4], double m[9]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    m[0] = w * w + x * x - y * y - z * z, m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = w * w - x * x + y * y - z * z, m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = w * w - x * x - y * y + z * z;
}

/// out = a b; out may be an input
static inline void tx_quat_mul(double out[4], const double a[4], const double b[4]) {
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
           x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
           z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w, out[1] = x, out[2] = y, out[3] = z;
    tx_quat_normalize(out);
}

/// A pose given in a frame becomes a pose in that frame's parent: pos = frame_pos + R(frame_quat) pos, quat =
/// frame_quat quat.
static inline void tx_pose_in_parent(const double frame_pos[3], const double frame_quat[4], double pos[3],
                                     double quat[4]) {
    double m[9], p[3] = {pos[0], pos[1], pos[2]};
    tx_quat_to_mat(frame_quat, m);
    for (int i = 0; i < 3; i++) pos[i] = frame_pos[i] + (m[3 * i] * p[0] + m[3 * i + 1] * p[1] + m[3 * i + 2] * p[2]);
    tx_quat_mul(quat, frame_quat, quat);
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
