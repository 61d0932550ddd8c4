// solvers.inl - the table of solvers, and which laws each can solve. lanes: any
#pragma once
#include "problem/laws.inl"
#include "solver/apgd.inl"
#include "solver/bb.inl"
#include "solver/cg.inl"
#include "solver/gauss_seidel.inl"
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
    tx_solver_need need;
    void (*solve)(const tx_problem *p);
} solver;

static const solver solvers[] = {
#define X(name, function, need, coupling) {name, need, function},
    SOLVERS(X)
#undef X
};

FN bool kernel_has(int kernel, tx_solver_need need) {
    switch (need) {
    case NEEDS_COST: return !tx_kernel_is_hard(kernel);
    case NEEDS_LOCAL: return tx_kernel_is_local(kernel);
    case NEEDS_CONVEX: return tx_kernel_is_convex(kernel);
    default: return tx_kernel_is_dual(kernel);
    }
}

// whether it works with forces, in the memory of dual.h
STAGE bool solver_is_dual(int index) { return solvers[index].need != NEEDS_COST; }

// a problem can be solved by whoever can take all its constraints
STAGE bool solver_takes(int index, const tx_problem *p) {
    for (int i = 0; i < p->ncons; i++)
        if (!kernel_has(p->cons[i].kernel, solvers[index].need)) return false;
    return !p->W || solver_is_dual(index);
}

// a law can be solved by whoever can take its contacts; the other kernels are in every law
STAGE bool pair_exists(int law_index, int solver_index) {
    if (law_index < 0 || law_index >= (int)LAW_COUNT || solver_index < 0 || solver_index >= (int)SOLVER_COUNT)
        return false;
    return kernel_has(laws[law_index].contact, solvers[solver_index].need);
}
