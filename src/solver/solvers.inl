// solvers.inl - the table of solvers, and which laws each can solve. lanes: any
#pragma once
#include "problem/laws.inl"
#include "solver/cg.inl"
#include "solver/newton.inl"
#include "solver/newton_pcg.inl"
#include "solver/solve_error.inl"
#include "solver/solver_list.h"

// auto: direct where the island is small, else matrix-free (problem/islands.c decides)
STAGE void newton_by_size(const tx_problem *p) {
    const bool direct = !p->factor || p->coupled;
    AT(p->solver_used, 0) = splat(direct ? R(SOLVER_newton) : R(SOLVER_newton_pcg));
    if (direct) newton(p);
    else newton_pcg(p);
}

typedef struct solver {
    const char *name;
    bool primal; // needs a cost and a force of y from every kernel
    void (*solve)(const tx_problem *p);
} solver;

static const solver solvers[] = {
#define X(name, function, primal, coupling) {name, primal, function},
    SOLVERS(X)
#undef X
};

FN bool kernel_is_primal(int kernel) {
    static const bool primal[] = {
#define X(name, has_cost, duals) has_cost,
        KERNELS(X)
#undef X
    };
    return primal[kernel];
}

// a law can be solved by whoever can take its contacts; the other kernels are in every law
STAGE bool pair_exists(int law_index, int solver_index) {
    if (law_index < 0 || law_index >= (int)LAW_COUNT || solver_index < 0 || solver_index >= (int)SOLVER_COUNT)
        return false;
    return !solvers[solver_index].primal || kernel_is_primal(laws[law_index].contact);
}
