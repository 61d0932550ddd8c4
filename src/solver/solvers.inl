// solvers.inl - the table of solvers and the pairs law x solver that exist. lanes: any
#pragma once
#include "solver/newton.inl"
#include "solver/solve_error.inl"

typedef struct solver {
    const char *name;
    const char *laws; // names it can solve, each followed by a blank
    void (*solve)(tx_block *b);
} solver;

static const solver solvers[] = {
    {"newton", "soft soft_elliptic ", newton},
};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

// the force that gives qacc: M qacc + bias - passive - Jᵀγ, γ the law's answer to y = J qacc
STAGE void inverse(tx_block *b) {
    const tx_model *m = b->m;
    real *force = ARRAY(b->qfrc_inverse), *pushed = ARRAY(b->qfrc_constraint);
    for (int d = 0; d < m->nv; d++) pushed[d] = splat(0);
    rows_mul(b, ARRAY(b->qacc), ARRAY(b->y));
    laws[b->opt->law].force(b, ARRAY(b->y), ARRAY(b->gamma), NULL);
    rows_mul_transposed(b, ARRAY(b->gamma), pushed);
    tree_mul(&b->tree, ARRAY(b->M), ARRAY(b->qacc), force);
    for (int d = 0; d < m->nv; d++) force[d] = ((force[d] + AT(b->qfrc_bias, d)) - AT(b->qfrc_passive, d)) - pushed[d];
}

// without constraints the free motion is the answer
STAGE void solve(tx_block *b) {
    if (b->ncons > 0) {
        solvers[b->opt->solver].solve(b);
        solve_error(b);
        return;
    }
    for (int d = 0; d < b->m->nv; d++) {
        AT(b->qacc, d) = AT(b->qacc_smooth, d);
        AT(b->qfrc_constraint, d) = splat(0);
    }
    AT(b->iterations, 0) = AT(b->gradient, 0) = AT(b->solve_error, 0) = splat(0);
    for (int e = 0; e < b->lanes; e++) b->unsolved[e] = 0;
}
