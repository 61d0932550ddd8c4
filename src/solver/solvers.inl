// solvers.inl - the table of solvers and the pairs law x solver that exist. lanes: any
#pragma once
#include "solver/newton.inl"
#include "solver/solve_error.inl"

typedef struct solver {
    const char *name;
    const char *laws;  // names it can solve, each followed by a blank
    void (*solve)(tx_block *b);
} solver;

static const solver solvers[] = {
    {"newton", "soft ", newton},
};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

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
