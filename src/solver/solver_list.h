// solver_list.h - the solvers by name: one line each.
#pragma once
#include "problem/problem.h"

// X(name, function, needs a cost and a force of y from every kernel, couplings of H that it factorises)
#define SOLVERS(X)                                     \
    X("newton", newton, true, TX_COUPLE_ALL)           \
    X("cg", cg, true, TX_COUPLE_TREES)                 \
    X("newton-pcg", newton_pcg, true, TX_COUPLE_TREES) \
    X("auto", newton_by_size, true, TX_COUPLE_BY_SIZE)

enum {
#define X(name, function, primal, coupling) SOLVER_##function,
    SOLVERS(X)
#undef X
        SOLVER_COUNT
};

/// What the factor of a large problem is made of for a solver.
static inline tx_coupling tx_solver_coupling(int solver) {
    static const tx_coupling couplings[] = {
#define X(name, function, primal, coupling) coupling,
        SOLVERS(X)
#undef X
    };
    return couplings[solver];
}
