// orientation.c - the ways in which MJCF gives an orientation, as quaternions. Angles in radians.
#include <math.h>
#include <string.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "thixis/builder.h"

// MuJoCo's bound below which a vector has no direction
#define TINY 1e-15
static bool direct(double v[3]) { return v3_normalise(v) >= TINY; }

static void multiply(double out[4], const double a[4], const double b[4]) {
    double q[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    };
    memcpy(out, q, sizeof q);
}

static void turn_about(double quat[4], const double unit_axis[3], double angle) {
    quat[0] = cos(angle / 2);
    v3_scale(quat + 1, unit_axis, sin(angle / 2));
}

// columns x, y, z of a rotation matrix; the largest of the four squares keeps the root away from zero
static void from_axes(double quat[4], const double x[3], const double y[3], const double z[3]) {
    double squares[4] = {1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2],
                         1 - x[0] - y[1] + z[2]};
    double products[4][4] = {
        {squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
        {y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]},
        {z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]},
        {x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]},
    };
    int best = 0;
    for (int i = 1; i < 4; i++) best = squares[i] > squares[best] ? i : best;
    double scale = 0.5 / sqrt(squares[best]);
    for (int i = 0; i < 4; i++) quat[i] = products[best][i] * scale;
}

bool tx_quat_axisangle(double quat[4], const double axis[3], double angle) {
    double unit[3];
    if (!quat || !axis) return false;
    v3_copy(unit, axis);
    if (!direct(unit)) return false;
    turn_about(quat, unit, angle);
    return true;
}

bool tx_quat_euler(double quat[4], const double angles[3], const char *sequence) {
    if (!quat || !angles || !sequence || strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) return false;
    double result[4] = {1, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        int axis = (sequence[i] | 32) - 'x';
        double unit[3] = {axis == 0, axis == 1, axis == 2}, turn[4];
        turn_about(turn, unit, angles[i]);
        if (sequence[i] >= 'a') multiply(result, result, turn);
        else multiply(result, turn, result);
    }
    memcpy(quat, result, sizeof result);
    return true;
}

// x keeps its direction, y is made orthogonal to it
bool tx_quat_xyaxes(double quat[4], const double x_axis[3], const double y_axis[3]) {
    double x[3], y[3], z[3];
    if (!quat || !x_axis || !y_axis) return false;
    v3_copy(x, x_axis);
    v3_copy(y, y_axis);
    if (!direct(x)) return false;
    v3_along(y, y, x, -v3_dot(x, y));
    if (!direct(y)) return false;
    v3_cross(z, x, y);
    if (!direct(z)) return false;
    from_axes(quat, x, y, z);
    return true;
}

bool tx_quat_zaxis(double quat[4], const double z_axis[3]) {
    double x[3], z[3];
    if (!quat || !z_axis) return false;
    v3_copy(z, z_axis);
    if (!direct(z)) return false;
    v3_set(x, -z[1], z[0], 0);
    double sine = v3_normalise(x);
    turn_about(quat, x, atan2(sine, z[2]));
    return true;
}

bool tx_fromto(tx_geom_type type, const double fromto[6], double size[3], double pos[3], double quat[4]) {
    bool round = type == TX_GEOM_CAPSULE || type == TX_GEOM_CYLINDER;
    double axis[3];
    if (!fromto || !size || !pos || !quat) return false;
    v3_sub(axis, fromto, fromto + 3);
    double length = v3_length(axis);
    if (!(length > 1e-10) || !(round || type == TX_GEOM_BOX || type == TX_GEOM_ELLIPSOID)) return false;
    for (int i = 0; i < 3; i++) pos[i] = 0.5 * (fromto[i] + fromto[3 + i]);
    tx_quat_of_z(axis, quat);
    size[round ? 1 : 2] = 0.5 * length;
    if (!round) size[1] = size[0];
    return true;
}
