// linalg_target.inl - one table of factorisations: set TX_LANES and LINALG_NAME, then include. lanes: any
#include "linalg/tree.inl"
#include "linalg_target.h"

#define LINALG_STRING_(x) #x
#define LINALG_STRING(x)  LINALG_STRING_(x)

static void factor_tree(const tx_tree *tree, double *L, double *inv) {
    tree_factor(tree, 0, tree->n, ARRAY(L), ARRAY(inv));
}
static void solve_tree(const tx_tree *tree, const double *L, const double *inv, double *x) {
    tree_solve(tree, 0, tree->n, (const real *)L, (const real *)inv, ARRAY(x));
}
static void mul_tree(const tx_tree *tree, const double *M, const double *x, double *y) {
    tree_mul(tree, 0, tree->n, (const real *)M, (const real *)x, ARRAY(y));
}

const linalg_target LINALG_NAME = {LINALG_STRING(LINALG_NAME), TX_LANES, factor_tree, solve_tree, mul_tree};
