// random_problems_norm.c - see random_problems_norm.h.
#define TX_LANES 1
#include "random_problems_norm.h"

#include "problem/kernel_table.inl"
#include "problem/verbs.inl"

double h_norm_squared(const tx_problem *p, const double *dx) {
    double *Adx = p->Asearch, *Jdx = p->Jsearch;
    A_mul(p, dx, Adx);
    J_mul(p, dx, Jdx);
    return dot_dofs(p, dx, Adx) + constraint_slope(p, p->y, Jdx, 0).second;
}
