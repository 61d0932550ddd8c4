// law_target.inl - one table of the soft law's functions: set TX_LANES and LAW_NAME, then include. lanes: any
#include "problem/law_soft.inl"
#include "law_target.h"

#define LAW_STRING_(x) #x
#define LAW_STRING(x)  LAW_STRING_(x)

_Static_assert((int)LAW_D == (int)N_D && (int)LAW_REST == (int)N_REST && (int)LAW_MU == (int)N_MU &&
                   (int)LAW_AREF == (int)N_A && (int)LAW_CONE_MU == (int)N_CONE &&
                   (int)LAW_NUMBERS == TX_KERNEL_NUMBERS,
               "the test writes these numbers");

static void impedance_of(const double *solimp, const double *r, double *d) {
    AT(d, 0) = soft_impedance((const real *)solimp, AT(r, 0));
}
static void force_of(int dim, const double *numbers, const double *y, double *gamma, double *G) {
    if (dim == 1) one_sided_force(dim, (const real *)numbers, (const real *)y, ARRAY(gamma), ARRAY(G));
    else pyramid_force(dim, (const real *)numbers, (const real *)y, ARRAY(gamma), ARRAY(G));
}
static void cost_of(int dim, const double *numbers, const double *y, double *cost) {
    AT(cost, 0) = dim == 1 ? one_sided_cost(dim, (const real *)numbers, (const real *)y)
                           : pyramid_cost(dim, (const real *)numbers, (const real *)y);
}
static void elliptic_force_of(int dim, const double *numbers, const double *y, double *gamma, double *G) {
    cone_force(dim, (const real *)numbers, (const real *)y, ARRAY(gamma), ARRAY(G));
}
static void elliptic_cost_of(int dim, const double *numbers, const double *y, double *cost) {
    AT(cost, 0) = cone_cost(dim, (const real *)numbers, (const real *)y);
}

const law_target LAW_NAME = {LAW_STRING(LAW_NAME), TX_LANES,        impedance_of, force_of, cost_of,
                             elliptic_force_of,    elliptic_cost_of};
