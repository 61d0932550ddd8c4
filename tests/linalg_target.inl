// linalg_target.inl - one table of factorisations: set TX_LANES and LINALG_NAME, then include. lanes: any
#include "linalg/dense.inl"
#include "linalg/tree.inl"
#include "linalg_target.h"

#define LINALG_STRING_(x) #x
#define LINALG_STRING(x)  LINALG_STRING_(x)

#define TREE(m) ((tx_tree){(m)->nv, (m)->dof_parent, (m)->dof_madr, (m)->dof_mnum})
static void factor_tree(const tx_model *m, double *L, double *inv) {
    tree_factor(&TREE(m), 0, m->nv, ARRAY(L), ARRAY(inv));
}
static void solve_tree(const tx_model *m, const double *L, const double *inv, double *x) {
    tree_solve(&TREE(m), 0, m->nv, (const real *)L, (const real *)inv, ARRAY(x));
}
static void mul_tree(const tx_model *m, const double *M, const double *x, double *y) {
    tree_mul(&TREE(m), (const real *)M, (const real *)x, ARRAY(y));
}
static void factor_dense(double *A, double *inv, int n) { cholesky_factor(ARRAY(A), ARRAY(inv), n); }
static void solve_dense(const double *U, const double *inv, double *x, int n) {
    cholesky_solve((const real *)U, (const real *)inv, ARRAY(x), n);
}

const linalg_target LINALG_NAME = {
    LINALG_STRING(LINALG_NAME), TX_LANES, factor_tree, solve_tree, mul_tree, factor_dense, solve_dense};
