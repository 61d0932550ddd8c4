// solver_list.h - the solvers by name: one line each.
#pragma once
#include "problem/problem.h"

// what a solver asks of every kernel: a cost and a force of y; a force alone; that of one constraint exactly; one that
// minimises something
typedef enum tx_solver_need { NEEDS_COST, NEEDS_FORCE, NEEDS_LOCAL, NEEDS_CONVEX } tx_solver_need;

// X(name, function, need, couplings of H that it factorises)
#define SOLVERS(X)                                           \
    X("newton", newton, NEEDS_COST, TX_COUPLE_ALL)           \
    X("cg", cg, NEEDS_COST, TX_COUPLE_TREES)                 \
    X("newton-pcg", newton_pcg, NEEDS_COST, TX_COUPLE_TREES) \
    X("auto", newton_by_size, NEEDS_COST, TX_COUPLE_BY_SIZE) \
    X("pgs", pgs, NEEDS_FORCE, TX_COUPLE_TREES)              \
    X("nsgs", nsgs, NEEDS_LOCAL, TX_COUPLE_TREES)            \
    X("apgd", apgd, NEEDS_CONVEX, TX_COUPLE_TREES)           \
    X("bb", bb, NEEDS_CONVEX, TX_COUPLE_TREES)

enum {
#define X(name, function, need, coupling) SOLVER_##function,
    SOLVERS(X)
#undef X
        SOLVER_COUNT
};

/// What the factor of a large problem is made of for a solver.
static inline tx_coupling tx_solver_coupling(int solver) {
    static const tx_coupling couplings[] = {
#define X(name, function, need, coupling) coupling,
        SOLVERS(X)
#undef X
    };
    return couplings[solver];
}

/// Whether a solver sweeps over packs of contacts (problem/colours.h) where a problem is cut into islands.
static inline bool tx_solver_packs(int solver) { return solver == SOLVER_pgs; }

/// Into how many parts an island may be cut for so many threads (problem/dual.h): only blind sweeps are shared; 0: they
/// are not blind.
static inline int tx_solver_parts(int solver, double tolerance, const tx_trace *trace, int threads) {
    return tx_solver_packs(solver) && !(tolerance > 0) && !trace ? threads : 0;
}
