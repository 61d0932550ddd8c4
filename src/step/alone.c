// alone.c - see alone.h.
#include "step/alone.h"

#include <math.h>

#include "base/fpenv.h"
#include "base/task.h"
#include "solver/solver_list.h"

// the factor of A; a pivot that is not positive has a reciprocal that is not either
static bool factor(const tx_target *t, const tx_problem *p) {
    t->factor_problem(p, (void *)p->L, (void *)p->Linv);
    for (int d = 0; d < p->nv; d++) {
        const double inverse = ((const double *)p->Linv)[d];
        if (!(inverse > 0 && isfinite(inverse))) return false;
    }
    return true;
}

static bool find_islands(tx_bare *b) {
    const tx_problem *p = &b->problem;
    if (!b->islands.memory && !tx_islands_create(&b->islands, p, p->ncons)) return false;
    while (!tx_islands_find(&b->islands, p))
        if (!tx_islands_grow(&b->islands, p)) return false;
    return true;
}

static bool find_dual(tx_bare *b, int solver, const struct tx_pool *pool) {
    const tx_problem *p = &b->problem;
    const int parts = tx_solver_parts(solver, p->opt.tolerance, p->trace, tx_pool_together(pool));
    const tx_islands *coloured = b->large && tx_solver_packs(solver) ? &b->islands : NULL;
    while (!tx_dual_find(&b->dual, &b->problem, coloured, parts))
        if (!tx_dual_grow(&b->dual, &b->problem)) return false;
    return true;
}

bool tx_solve_alone(const tx_target *t, tx_bare *b, int solver, struct tx_pool *pool, const char **why) {
    tx_problem *p = &b->problem;
    *why = NULL;
    if (t->lanes != 1 || t->number_size != p->number_size) *why = "the target is not one lane of doubles";
    else if (!t->solver_name(solver)) *why = "there is no such solver";
    else if (!t->solver_takes(solver, p)) *why = "the solver cannot take its constraints";
    if (!*why) p->coupling = tx_solver_coupling(solver), p->abreast = tx_target_abreast(t);
    tx_fpenv env = tx_fpenv_enter();
    if (!*why && !factor(t, p)) *why = "A is not positive definite";
    if (!*why && b->large && p->ncons > 0 && !find_islands(b)) *why = "there is not enough memory for its factor";
    const bool dual = !*why && (t->solver_is_dual(solver) || p->opt.noslip_iterations > 0);
    if (dual && p->ncons > 0 && !find_dual(b, solver, pool)) *why = "there is not enough memory for its factor";
    if (!*why) t->solve_problem(p, b->large ? &b->islands : NULL, solver, pool);
    tx_fpenv_leave(env);
    return !*why;
}

bool tx_alone_converged(const tx_bare *b) {
    const tx_problem *p = &b->problem;
    if (p->unsolved[0] || !isfinite(*(const double *)p->solve_error) || !isfinite(*(const double *)p->gradient))
        return false;
    for (int d = 0; d < p->nv; d++)
        if (!isfinite(((const double *)p->x)[d])) return false;
    return true;
}
