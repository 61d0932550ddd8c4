// mass.c - mass properties of shapes in closed form, and principal axes by Jacobi rotations.
#include "geometry/mass.h"

#include <math.h>
#include <string.h>

#include "geometry/quat.h"

static const double PI = 3.14159265358979323846;

double tx_shape_volume(int type, const double s[3]) {
    switch (type) {
    case TX_SPHERE: return 4.0 / 3 * PI * s[0] * s[0] * s[0];
    case TX_CAPSULE: return PI * (s[0] * s[0] * 2 * s[1] + 4.0 / 3 * s[0] * s[0] * s[0]);
    case TX_CYLINDER: return PI * s[0] * s[0] * 2 * s[1];
    case TX_ELLIPSOID: return 4.0 / 3 * PI * s[0] * s[1] * s[2];
    case TX_BOX: return 8 * s[0] * s[1] * s[2];
    default: return 0;
    }
}

void tx_shape_inertia(int type, const double s[3], double mass, double moments[3]) {
    double xx = s[0] * s[0], yy = s[1] * s[1], zz = s[2] * s[2];
    moments[0] = moments[1] = moments[2] = 0;
    switch (type) {
    case TX_SPHERE: moments[0] = moments[1] = moments[2] = 2.0 / 5 * mass * xx; break;
    case TX_CAPSULE: {
        // a cylinder and two half spheres, whose centres of mass stand 3/8 r beyond its ends
        double r = s[0], height = 2 * s[1], ball = mass * 4 * r / (4 * r + 3 * height), tube = mass - ball;
        moments[0] = tube * (3 * r * r + height * height) / 12 + ball * (2 * r * r / 5 + height * (3 * r + 2 * height) / 8);
        moments[1] = moments[0];
        moments[2] = tube * r * r / 2 + ball * 2 * r * r / 5;
        break;
    }
    case TX_CYLINDER:
        moments[0] = moments[1] = mass * (3 * xx + 4 * yy) / 12;
        moments[2] = mass * xx / 2;
        break;
    case TX_ELLIPSOID:
    case TX_BOX: {
        double part = type == TX_BOX ? mass / 3 : mass / 5;
        moments[0] = part * (yy + zz), moments[1] = part * (xx + zz), moments[2] = part * (xx + yy);
        break;
    }
    default: break;
    }
}

double tx_shape_radius(int type, const double s[3]) {
    switch (type) {
    case TX_SPHERE: return s[0];
    case TX_CAPSULE: return s[0] + s[1];
    case TX_CYLINDER: return sqrt(s[0] * s[0] + s[1] * s[1]);
    case TX_ELLIPSOID: return fmax(s[0], fmax(s[1], s[2]));
    case TX_BOX: return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
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

void tx_principal_axes(const double tensor[6], double moments[3], double quat[4]) {
    double a[3][3] = {{tensor[0], tensor[3], tensor[4]}, {tensor[3], tensor[1], tensor[5]}, {tensor[4], tensor[5], tensor[2]}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 500; sweep++) {
        // rotate away the largest off-diagonal entry
        int p = 0, q = 1;
        if (fabs(a[0][2]) > fabs(a[p][q])) p = 0, q = 2;
        if (fabs(a[1][2]) > fabs(a[p][q])) p = 1, q = 2;
        if (fabs(a[p][q]) < 1e-12) break;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        // MuJoCo leaves out rotations below 1.4e-6 rad; so do we, or compiled tensors would differ in the seventh digit
        if (c > 1 - 1e-12) break;
        for (int k = 0; k < 3; k++) {
            double x = a[k][p], y = a[k][q];
            a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
            double x = a[p][k], y = a[q][k];
            a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
            x = v[k][p], y = v[k][q];
            v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
        }
    }
    // largest first, right-handed
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[order[j]][order[j]] < a[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1], order[j + 1] = swap;
            }
    double mat[9];
    for (int c = 0; c < 3; c++) {
        moments[c] = a[order[c]][order[c]];
        for (int r = 0; r < 3; r++) mat[3 * r + c] = v[r][order[c]];
    }
    double det = mat[0] * (mat[4] * mat[8] - mat[5] * mat[7]) - mat[1] * (mat[3] * mat[8] - mat[5] * mat[6]) +
                 mat[2] * (mat[3] * mat[7] - mat[4] * mat[6]);
    for (int r = 0; det < 0 && r < 3; r++) mat[3 * r + 2] = -mat[3 * r + 2];
    tx_mat_to_quat(mat, quat);
}
