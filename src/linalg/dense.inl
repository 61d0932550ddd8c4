// dense.inl - dense Cholesky A = Uᵀ U, upper triangle, rows of n numbers. lanes: any
//
// Row i is finished from the rows above it: u_i -= Σ_k U_ki u_k. The inner loop runs along a row and every element
// takes its subtractions one at a time in the order of k, so that blocking four k changes no bit, and the one-lane
// build vectorises along the row with the bits of the plain loop.
#pragma once
#include "lane/lane.h"

// A pivot that is not positive is replaced by a tiny one, so that a lane with bad numbers stays harmless.
STAGE void cholesky_factor(real *A, real *inv, int n) {
    for (int i = 0; i < n; i++) {
        real *row = A + i * n;
        int k = 0;
        for (; k + 4 <= i; k += 4) {
            const real *r0 = A + k * n, *r1 = r0 + n, *r2 = r1 + n, *r3 = r2 + n;
            real a0 = r0[i], a1 = r1[i], a2 = r2[i], a3 = r3[i];
            for (int j = i; j < n; j++) row[j] = (((row[j] - a0 * r0[j]) - a1 * r1[j]) - a2 * r2[j]) - a3 * r3[j];
        }
        for (; k < i; k++) {
            const real *r0 = A + k * n;
            real a0 = r0[i];
            for (int j = i; j < n; j++) row[j] = row[j] - a0 * r0[j];
        }
        real pivot = vsqrt(vmax(row[i], splat(R(1e-30))));
        inv[i] = R(1) / pivot;
        row[i] = pivot;
        for (int j = i + 1; j < n; j++) row[j] = row[j] * inv[i];
    }
}

// x = A⁻¹ x
STAGE void cholesky_solve(const real *U, const real *inv, real *x, int n) {
    for (int i = 0; i < n; i++) {
        const real *row = U + i * n;
        real t = x[i] * inv[i];
        x[i] = t;
        for (int j = i + 1; j < n; j++) x[j] = x[j] - row[j] * t;
    }
    for (int i = n - 1; i >= 0; i--) {
        const real *row = U + i * n;
        real t = x[i];
        for (int j = i + 1; j < n; j++) t = t - row[j] * x[j];
        x[i] = t * inv[i];
    }
}
