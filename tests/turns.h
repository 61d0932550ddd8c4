// turns.h - rotation matrices for tests, row-major.
#pragma once
#include <math.h>

/// About one of the axes.
static inline void turn(double mat[9], int axis, double angle) {
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    for (int i = 0; i < 9; i++) mat[i] = i % 4 == 0;
    mat[4 * j] = mat[4 * k] = cos(angle);
    mat[3 * j + k] = -sin(angle);
    mat[3 * k + j] = sin(angle);
}

static inline void multiply(double out[9], const double a[9], const double b[9]) {
    for (int i = 0; i < 9; i++)
        out[i] = a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[i % 3 + 3] + a[i / 3 * 3 + 2] * b[i % 3 + 6];
}
