// mass.c - mass properties of shapes in closed form, solid and hollow, and principal axes by Jacobi rotations.
#include "geometry/mass.h"

#include <math.h>
#include <string.h>

#include "geometry/quat.h"

static const double PI = 3.14159265358979323846;

double tx_shape_volume(int type, const double s[3]) {
    switch (type) {
    case TX_GEOM_SPHERE: return 4.0 / 3 * PI * s[0] * s[0] * s[0];
    case TX_GEOM_CAPSULE: return PI * (s[0] * s[0] * 2 * s[1] + 4.0 / 3 * s[0] * s[0] * s[0]);
    case TX_GEOM_CYLINDER: return PI * s[0] * s[0] * 2 * s[1];
    case TX_GEOM_ELLIPSOID: return 4.0 / 3 * PI * s[0] * s[1] * s[2];
    case TX_GEOM_BOX: return 8 * s[0] * s[1] * s[2];
    default: return 0;
    }
}

void tx_shape_inertia(int type, const double s[3], double mass, double moments[3]) {
    double xx = s[0] * s[0], yy = s[1] * s[1], zz = s[2] * s[2];
    moments[0] = moments[1] = moments[2] = 0;
    switch (type) {
    case TX_GEOM_SPHERE: moments[0] = moments[1] = moments[2] = 2.0 / 5 * mass * xx; break;
    case TX_GEOM_CAPSULE: {
        // a cylinder and two half spheres, whose centres of mass stand 3/8 r beyond its ends
        double r = s[0], height = 2 * s[1], ball = mass * 4 * r / (4 * r + 3 * height), tube = mass - ball;
        moments[0] =
            tube * (3 * r * r + height * height) / 12 + ball * (2 * r * r / 5 + height * (3 * r + 2 * height) / 8);
        moments[1] = moments[0];
        moments[2] = tube * r * r / 2 + ball * 2 * r * r / 5;
        break;
    }
    case TX_GEOM_CYLINDER:
        moments[0] = moments[1] = mass * (3 * xx + 4 * yy) / 12;
        moments[2] = mass * xx / 2;
        break;
    case TX_GEOM_ELLIPSOID:
    case TX_GEOM_BOX: {
        double part = type == TX_GEOM_BOX ? mass / 3 : mass / 5;
        moments[0] = part * (yy + zz), moments[1] = part * (xx + zz), moments[2] = part * (xx + yy);
        break;
    }
    default: break;
    }
}

double tx_shape_area(int type, const double s[3]) {
    switch (type) {
    case TX_GEOM_SPHERE: return 4 * PI * s[0] * s[0];
    case TX_GEOM_CAPSULE: return 4 * PI * s[0] * s[0] + 4 * PI * s[0] * s[1];
    case TX_GEOM_CYLINDER: return 2 * PI * s[0] * s[0] + 4 * PI * s[0] * s[1];
    case TX_GEOM_ELLIPSOID: {
        // Thomsen's formula, off by at most 1.061 %
        const double p = 1.6075;
        return 4 * PI * pow((pow(s[0] * s[1], p) + pow(s[1] * s[2], p) + pow(s[2] * s[0], p)) / 3, 1 / p);
    }
    case TX_GEOM_BOX: return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    default: return 0;
    }
}

void tx_shell_inertia(int type, const double s[3], double mass, double moments[3]) {
    double r = s[0], half = s[1], height = 2 * s[1];
    moments[0] = moments[1] = moments[2] = 0;
    switch (type) {
    case TX_GEOM_SPHERE: moments[0] = moments[1] = moments[2] = 2.0 / 3 * mass * r * r; break;
    case TX_GEOM_CAPSULE: {
        // a tube and two half shells, whose centres of mass stand r/2 beyond its ends
        double ball = mass * 4 * PI * r * r / tx_shape_area(type, s), tube = mass - ball, beyond = half + r / 2;
        moments[0] = tube * (6 * r * r + height * height) / 12 + ball * (2 * r * r / 3 + beyond * beyond - r * r / 4);
        moments[1] = moments[0];
        moments[2] = tube * r * r + 2 * ball * r * r / 3;
        break;
    }
    case TX_GEOM_CYLINDER: {
        // a tube and two discs
        double disc = mass * PI * r * r / tx_shape_area(type, s), tube = mass - 2 * disc;
        moments[0] = tube * (6 * r * r + height * height) / 12 + 2 * disc * (r * r / 4 + half * half);
        moments[1] = moments[0];
        moments[2] = tube * r * r + disc * r * r;
        break;
    }
    case TX_GEOM_ELLIPSOID: {
        // a solid that is 1 um larger, less the solid
        const double thick = 1e-6;
        double outer[3] = {s[0] + thick, s[1] + thick, s[2] + thick}, within[3];
        double inside = tx_shape_volume(type, s), all = tx_shape_volume(type, outer), density = mass / (all - inside);
        tx_shape_inertia(type, outer, all * density, moments);
        tx_shape_inertia(type, s, inside * density, within);
        for (int k = 0; k < 3; k++) moments[k] -= within[k];
        break;
    }
    case TX_GEOM_BOX:
        // two faces across each axis
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double face = mass * s[i] * s[j] / (2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]));
            moments[k] += 2 * face * (s[i] * s[i] + s[j] * s[j]) / 3;
            moments[i] += 2 * face * (s[k] * s[k] + s[j] * s[j] / 3);
            moments[j] += 2 * face * (s[k] * s[k] + s[i] * s[i] / 3);
        }
        break;
    default: break;
    }
}

double tx_shape_radius(int type, const double s[3]) {
    switch (type) {
    case TX_GEOM_SPHERE: return s[0];
    case TX_GEOM_CAPSULE: return s[0] + s[1];
    case TX_GEOM_CYLINDER: return sqrt(s[0] * s[0] + s[1] * s[1]);
    case TX_GEOM_ELLIPSOID: return fmax(s[0], fmax(s[1], s[2]));
    case TX_GEOM_BOX:
    case TX_GEOM_MESH:
    case TX_GEOM_SDF: return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    default: return 0;
    }
}

void tx_add_inertia(double t[6], const double moments[3], const double quat[4], double mass, const double o[3]) {
    static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    double mat[9], square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
    tx_quat_to_mat(quat, mat);
    for (int k = 0; k < 6; k++) {
        int r = ROW[k], c = COLUMN[k];
        for (int a = 0; a < 3; a++) t[k] += mat[3 * r + a] * moments[a] * mat[3 * c + a];
        t[k] += mass * ((r == c ? square : 0) - o[r] * o[c]);
    }
}

// entries of a 3x3 matrix d = Qᵀ t Q for the rotation of a quaternion
static void rotate_tensor(const double tensor[6], const double quat[4], double d[3][3]) {
    const double t[3][3] = {
        {tensor[0], tensor[3], tensor[4]}, {tensor[3], tensor[1], tensor[5]}, {tensor[4], tensor[5], tensor[2]}};
    double q[9], tq[3][3];
    tx_quat_to_mat(quat, q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) tq[i][j] = t[i][0] * q[j] + t[i][1] * q[3 + j] + t[i][2] * q[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) d[i][j] = q[i] * tq[0][j] + q[3 + i] * tq[1][j] + q[6 + i] * tq[2][j];
}

void tx_principal_axes(const double tensor[6], double noise, double moments[3], double quat[4]) {
    // which thresholds end the rotations and the sorting decides the axes of nearly diagonal tensors and of nearly
    // equal moments, so they are MuJoCo's (4.0: in proportion to the largest entry, so that size does not matter)
    double scale = 0;
    for (int k = 0; k < 6; k++) scale = fmax(scale, fabs(tensor[k]));
    const double apart = fmax(noise, 4e-15) * scale, same = fmax(noise, 1e-12) * scale;
    quat[0] = 1, quat[1] = quat[2] = quat[3] = 0;
    for (int sweep = 0; sweep < 500; sweep++) {
        double d[3][3];
        rotate_tensor(tensor, quat, d);
        for (int k = 0; k < 3; k++) moments[k] = d[k][k];

        // rotate away the largest off-diagonal entry, about the third axis
        int p = 1, q = 2;
        if (fabs(d[0][1]) > fabs(d[0][2]) && fabs(d[0][1]) > fabs(d[1][2])) p = 0, q = 1;
        else if (fabs(d[0][2]) > fabs(d[1][2])) p = 0, q = 2;
        if (!(fabs(d[p][q]) >= apart) || d[p][q] == 0) break;
        double theta = (d[q][q] - d[p][p]) / (2 * d[p][q]);
        double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1);
        int axis = 3 - p - q;
        double turn[4] = {0, 0, 0, 0}, cosine = sqrt(0.5 + 0.5 * c),
               sine = fabs(t) * c / (2 * cosine); // of half the angle
        turn[1 + axis] = (theta >= 0) == (axis == 1) ? sine : -sine;
        turn[0] = cosine;
        tx_quat_normalize(turn);
        tx_quat_mul(quat, quat, turn);
    }
    // largest first: two axes change places by a quarter turn about the third
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        if (!(moments[k] + same < moments[k + 1])) continue;
        double swap = moments[k], turn[4] = {1, 0, 0, 0};
        moments[k] = moments[k + 1], moments[k + 1] = swap;
        turn[1 + (k + 2) % 3] = 1;
        tx_quat_normalize(turn);
        tx_quat_mul(quat, quat, turn);
    }
}
