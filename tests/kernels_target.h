// kernels_target.h - every kernel as plain functions, one table per width (kernels_w1.c and its siblings).
#pragma once
#include "problem/kernel_list.h"
#include "problem/problem.h"

// all arrays are lane arrays; dim rows
typedef struct kernel_functions {
    const char *name;
    void (*force)(int dim, const double *n, const double *y, double *gamma, double *G); // G: dim x dim, may be null
    void (*cost)(int dim, const double *n, const double *y, double *cost);
    void (*slope)(int dim, const double *n, const double *y, const double *s, double *first_and_second);
    void (*duals)(int dim, const double *n, const double *y, double *lambda);
    // λ, y, y_free -> defect and scale
    void (*defect)(int dim, const double *n, const double *lambda, const double *y, const double *y_free, double *sum);
} kernel_functions;

typedef struct kernels_target {
    int lanes;
    kernel_functions kernel[KERNEL_COUNT];
    // one constraint alone, of any kernel (duals.inl): W is dim x dim
    void (*visit)(int kernel, int dim, const double *n, const double *W, const double *y, bool exact, double *lambda);
    void (*forces)(int kernel, int dim, const double *n, const double *lambda, double *gamma);
    void (*motions)(int kernel, int dim, const double *n, const double *y, double *u);
    void (*project)(int kernel, int dim, const double *n, const double *S, double *v);
} kernels_target;

extern const kernels_target kernels_w1, kernels_w4, kernels_w8;
