// law_target.inl - one table of the soft law's functions: set TX_LANES and LAW_NAME, then include. lanes: any
#include "problem/law_soft_elliptic.inl"
#include "law_target.h"

#define LAW_STRING_(x) #x
#define LAW_STRING(x)  LAW_STRING_(x)

_Static_assert((int)LAW_D == (int)SOFT_D && (int)LAW_RHO == (int)SOFT_RHO && (int)LAW_MU == (int)SOFT_MU &&
                   (int)LAW_AREF == (int)SOFT_AREF && (int)LAW_NUMBERS == TX_LAW_NUMBERS,
               "the test writes these numbers");

static void impedance_of(const double *solimp, const double *r, double *d) {
    AT(d, 0) = soft_impedance((const real *)solimp, AT(r, 0));
}
static void force_of(int dim, const double *numbers, const double *y, double *gamma, double *G) {
    tx_constraint c = {TX_CONTACT, 0, dim, 0};
    soft_force(&c, (const real *)numbers, (const real *)y, ARRAY(gamma), ARRAY(G));
}
static void cost_of(int dim, const double *numbers, const double *y, double *cost) {
    tx_constraint c = {TX_CONTACT, 0, dim, 0};
    AT(cost, 0) = soft_cost(&c, (const real *)numbers, (const real *)y);
}

static void elliptic_force_of(int dim, const double *numbers, const double *y, double *gamma, double *G) {
    tx_constraint c = {TX_CONTACT, 0, dim, 0};
    soft_elliptic_force(&c, (const real *)numbers, (const real *)y, ARRAY(gamma), ARRAY(G));
}
static void elliptic_cost_of(int dim, const double *numbers, const double *y, double *cost) {
    tx_constraint c = {TX_CONTACT, 0, dim, 0};
    AT(cost, 0) = soft_elliptic_cost(&c, (const real *)numbers, (const real *)y);
}

_Static_assert((int)LAW_CONE_MU == (int)ELLIPTIC_MU && (int)LAW_CONE_REST == (int)ELLIPTIC_REST, "as above");

const law_target LAW_NAME = {LAW_STRING(LAW_NAME), TX_LANES,        impedance_of, force_of, cost_of,
                             elliptic_force_of,    elliptic_cost_of};
