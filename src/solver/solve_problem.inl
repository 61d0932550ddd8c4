// solve_problem.inl - a whole problem handed to a solver, in a step or alone: all at once, or island by island.
// lanes: any
#pragma once
#include "base/fpenv.h"
#include "base/task.h"
#include "problem/islands.h"
#include "solver/noslip.inl"
#include "solver/solvers.inl"

// all constraints, and all dofs but those that sleep
FN void view_all(tx_problem *p) {
    for (int i = 0; i < p->ncons; i++) p->all_cons[i] = i;
    p->all_dofs = (tx_range){0, p->nv};
    p->list = p->all_cons, p->listed = p->ncons;
    p->ranges = p->awake ? p->awake : &p->all_dofs, p->nranges = p->awake ? p->nawake : 1;
}

// without constraints the free motion is the answer
FN void take_free_motion(const tx_problem *p) {
    for (const tx_range *r = p->ranges; r < p->ranges + p->nranges; r++)
        for (int d = r->begin; d < r->end; d++) {
            AT(p->x, d) = AT(p->x_star, d);
            AT(p->force, d) = splat(0);
        }
    AT(p->iterations, 0) = AT(p->gradient, 0) = AT(p->solve_error, 0) = splat(0);
    for (int e = 0; e < p->lanes; e++) p->unsolved[e] = 0;
}

// constraints that move nothing are in no island
FN void still_constraints(const tx_problem *p) {
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        if (c->pieces > 0) continue;
        for (int r = c->row; r < c->row + c->dim; r++) AT(p->y, r) = AT(p->y_free, r) = AT(p->Jsearch, r) = splat(0);
        tx_problem alone = *p;
        alone.list = &i, alone.listed = 1;
        constraint_forces(&alone, ARRAY(p->y), ARRAY(p->gamma));
    }
}

// what the threads share
typedef struct island_job {
    const tx_problem *p;
    const tx_islands *islands;
    int solver;
    tx_pool *pool; // of an island that is in parts; null: of one that is in none
} island_job;

FN bool is_in_parts(const island_job *job, int island) {
    const tx_dual *d = tx_solver_packs(job->solver) ? job->p->dual : NULL;
    return d && d->coloured > 0 && d->split_of[island] >= 0;
}

STAGE void solve_island(void *context, int i) {
    const island_job *job = (const island_job *)context;
    if (is_in_parts(job, i) != (job->pool != NULL)) return;
    tx_fpenv env = tx_fpenv_enter();
    tx_problem view = tx_islands_view(job->islands, job->p, i);
    view.pool = job->pool;
    AT(view.solver_used, 0) = splat(R(job->solver));
    solvers[job->solver].solve(&view);
    if (!solver_is_dual(job->solver)) {
        view.products = NULL; // measuring is no work of the solver
        const defect_sum sum = solve_defects(&view);
        judge_answer(&view, sum);
        double *result = job->islands->result + TX_ISLAND_RESULTS * i;
        result[3] = (double)lane_get(sum.defect, 0), result[4] = (double)lane_get(sum.scale, 0);
    }
    tx_fpenv_leave(env);
}

// the defects of all islands, one after the other, and of the constraints that are in none
FN void sum_island_errors(const tx_problem *p, const tx_islands *s) {
    defect_sum sum = {splat(0), splat(0), R(p->y_floor)};
    for (int i = 0; i < s->count; i++) {
        const double *result = s->result + TX_ISLAND_RESULTS * i;
        sum.defect = sum.defect + splat(R(result[3])), sum.scale = sum.scale + splat(R(result[4]));
    }
    for (int i = 0; i < p->ncons; i++) {
        if (p->cons[i].pieces > 0) continue;
        tx_problem alone = *p;
        alone.list = &i, alone.listed = 1;
        constraint_defects(&alone, ARRAY(p->y), ARRAY(p->Jsearch), &sum);
    }
    set_solve_error(p, sum);
}

// every island by itself, by all threads of the pool; the most iterations and the worst gradient of all
FN void solve_islands(const tx_problem *p, const tx_islands *s, int solver_index, tx_pool *pool) {
    island_job job = {p, s, solver_index, NULL};
    take_free_motion(p);
    still_constraints(p);
    // a trace tells one island after the other
    if (pool && s->count > 1 && !p->trace) tx_pool_run(pool, solve_island, &job, s->count);
    else
        for (int i = 0; i < s->count; i++) solve_island(&job, i);
    job.pool = pool;
    for (int i = 0; i < s->count && pool; i++) solve_island(&job, i);
    for (int i = 0, most = -1; i < s->count; i++) {
        const double *result = s->result + TX_ISLAND_RESULTS * i;
        AT(p->iterations, 0) = vmax(AT(p->iterations, 0), splat(R(result[0])));
        const real gradient = splat(R(result[1]));
        const mask worse = (gradient > AT(p->gradient, 0)) | (gradient != gradient); // what is no number stays
        AT(p->gradient, 0) = sel(worse, gradient, AT(p->gradient, 0));
        if (s->unsolved[i] > p->unsolved[0]) p->unsolved[0] = s->unsolved[i];
        const int dofs = tx_islands_dofs(s, i);
        if (dofs > most) most = dofs, AT(p->solver_used, 0) = splat(R(result[2]));
        if (p->products) *p->products += s->products[i];
    }
}

// the pass against slip, by islands
FN void stop_slip(const tx_problem *p, const tx_islands *islands) {
    real trace = splat(0);
    for (int d = 0; d < p->nv; d++) trace = trace + AT(p->A, p->tree.first[d]);
    const real scale = cost_scale(p, trace);
    if (!islands) {
        noslip(p, scale);
        return;
    }
    for (int i = 0; i < islands->count; i++) {
        tx_problem view = tx_islands_view(islands, p, i);
        noslip(&view, scale);
    }
}

// whether the answer of one island is the answer of all
FN bool is_one_island(const tx_problem *p, const tx_islands *s) {
    return s && s->count == 1 && s->con_start[1] == p->ncons;
}

// what is told of a lane in which nothing acts is what it would tell alone
FN void forget_idle_lanes(const tx_problem *p, int solver_index) {
    const mask acts = where_any_acts(p);
    AT(p->iterations, 0) = sel(acts, AT(p->iterations, 0), splat(0));
    AT(p->solver_used, 0) = sel(acts, AT(p->solver_used, 0), splat(R(solver_index)));
}

// x, γ, Jᵀγ, how it went, and the solve error. islands: found already, one lane; null: the dense path. pool: may be
// null
STAGE void solve_problem(tx_problem *p, const tx_islands *islands, int solver_index, tx_pool *pool) {
    if (p->products) *p->products = 0;
    view_all(p);
    AT(p->solver_used, 0) = splat(R(solver_index));
    AT(p->noslip_gain, 0) = splat(0);
    if (p->ncons == 0) {
        take_free_motion(p);
        return;
    }
    const bool primal = !solver_is_dual(solver_index);
    if (islands) solve_islands(p, islands, solver_index, pool);
    else solvers[solver_index].solve(p);
    // measuring is no work of the solver
    long long *products = p->products;
    p->products = NULL;
    // the stop test of a dual solver is the solve error of its island
    if (primal && islands) sum_island_errors(p, islands);
    else if (primal) {
        const defect_sum sum = solve_defects(p);
        judge_answer(p, sum);
        set_solve_error(p, sum);
    } else if (is_one_island(p, islands)) AT(p->solve_error, 0) = splat(R(islands->result[1]));
    else if (packs_left_defects(p)) packs_solve_error(p);
    else dual_solve_error(p);
    p->products = products;
    if (primal) restore_aims(p);
    if (!islands) forget_idle_lanes(p, solver_index);
    if (p->opt.noslip_iterations > 0) stop_slip(p, islands);
}

// the factor of A for a problem that comes without one; the memory is the caller's
STAGE void factor_problem(const tx_problem *p, void *L, void *Linv) {
    const int last = p->nv - 1, entries = p->nv ? p->tree.first[last] + p->tree.count[last] : 0;
    for (int k = 0; k < entries; k++) AT(L, k) = AT(p->A, k);
    tree_factor(&p->tree, 0, p->nv, ARRAY(L), ARRAY(Linv));
}
