// kernels_target.inl - one table of all kernels: set TX_LANES and KERNELS_NAME, then include. lanes: any
#include "kernels_target.h"
#include "problem/duals.inl"

// what all kernels have; what those with a cost have
#define X(name, rows)                                                                                                 \
    static void name##_force_of(int dim, const double *n, const double *y, double *gamma, double *G) {                \
        name##_force(dim, (const real *)n, (const real *)y, ARRAY(gamma), ARRAY(G));                                  \
    }                                                                                                                 \
    static void name##_duals_of(int dim, const double *n, const double *y, double *lambda) {                          \
        name##_duals(dim, (const real *)n, (const real *)y, ARRAY(lambda));                                           \
    }                                                                                                                 \
    static void name##_defect_of(int dim, const double *n, const double *lambda, const double *y, const double *free, \
                                 double *both) {                                                                      \
        defect_sum sum = {splat(0), splat(0), R(1e-6)};                                                               \
        name##_defect(dim, (const real *)n, (const real *)lambda, (const real *)y, (const real *)free, &sum);         \
        AT(both, 0) = sum.defect, AT(both, 1) = sum.scale;                                                            \
    }
KERNELS(X)
#undef X
#define X(name, rows)                                                                                       \
    static void name##_cost_of(int dim, const double *n, const double *y, double *cost) {                   \
        AT(cost, 0) = name##_cost(dim, (const real *)n, (const real *)y);                                   \
    }                                                                                                       \
    static void name##_slope_of(int dim, const double *n, const double *y, const double *s, double *both) { \
        slope_sum sum = {splat(0), splat(0)};                                                               \
        name##_slope(dim, (const real *)n, (const real *)y, (const real *)s, &sum);                         \
        AT(both, 0) = sum.first, AT(both, 1) = sum.second;                                                  \
    }
PRIMAL_KERNELS(X)
#undef X

static void visit_of(int kernel, int dim, const double *n, const double *W, const double *y, bool exact,
                     double *lambda) {
    dual_visit(kernel, dim, (const real *)n, (const real *)W, NULL, (const real *)y, exact, R(1), ARRAY(lambda));
}
static void forces_of(int kernel, int dim, const double *n, const double *lambda, double *gamma) {
    dual_forces(kernel, dim, (const real *)n, (const real *)lambda, ARRAY(gamma));
}
static void motions_of(int kernel, int dim, const double *n, const double *y, double *u) {
    dual_motions(kernel, dim, (const real *)n, (const real *)y, ARRAY(u));
}
static void project_of(int kernel, int dim, const double *n, const double *S, double *v) {
    dual_project(kernel, dim, (const real *)n, (const real *)S, ARRAY(v));
}

const kernels_target KERNELS_NAME = {TX_LANES,
                                     {
#define X(name, rows) {#name, name##_force_of, name##_cost_of, name##_slope_of, name##_duals_of, name##_defect_of},
                                         PRIMAL_KERNELS(X)
#undef X
#define X(name, rows) {#name, name##_force_of, NULL, NULL, name##_duals_of, name##_defect_of},
                                             HARD_KERNELS(X)
#undef X
                                     },
                                     visit_of,
                                     forces_of,
                                     motions_of,
                                     project_of};
