// law_target.h - one constraint of a law as plain functions, one table per width (law_w1.c and its siblings)
#pragma once

// numbers of the kernels (problem.h): D, rest, mu[5], aref[6], cone; every number is a lane array
typedef struct law_target {
    const char *name;
    int lanes;
    void (*impedance)(const double *solimp, const double *r, double *d); // 5, 1 -> 1
    void (*force)(int dim, const double *numbers, const double *y, double *gamma,
                  double *G);                                                    // 16, dim -> dim, dim x dim
    void (*cost)(int dim, const double *numbers, const double *y, double *cost); // 16, dim -> 1
    // the same of soft_elliptic, for dim > 1
    void (*elliptic_force)(int dim, const double *numbers, const double *y, double *gamma, double *G);
    void (*elliptic_cost)(int dim, const double *numbers, const double *y, double *cost);
} law_target;

enum { LAW_D = 0, LAW_REST = 1, LAW_MU = 2, LAW_AREF = 7, LAW_CONE_MU = 13, LAW_NUMBERS = 16 };

extern const law_target law_w1, law_w4, law_w8;
