// solve.inl - the contact problem of a step handed to its solver. lanes: any
#pragma once
#include "base/fpenv.h"
#include "base/task.h"
#include "rows/rows.inl"
#include "solver/solvers.inl"

// a thousandth of gravity: accelerations below it are not what a contact is there for
#define ACCELERATION_FLOOR (1e-3 * 9.81)

// all constraints and all dofs
FN void view_all(tx_block *b) {
    tx_problem *p = &b->problem;
    for (int i = 0; i < p->ncons; i++) b->order[i] = i;
    p->list = b->order, p->listed = p->ncons;
    p->ranges = b->awake.dofs.range, p->nranges = b->awake.dofs.count;
}

FN void set_options(tx_block *b) {
    const tx_options *o = b->opt;
    b->problem.opt = (tx_solve_options){o->tolerance, o->ls_tolerance, o->iterations, o->ls_iterations, o->warmstart};
    b->problem.y_floor = ACCELERATION_FLOOR * ACCELERATION_FLOOR;
}

// without constraints the free motion is the answer
FN void take_free_motion(const tx_block *b) {
    const tx_problem *p = &b->problem;
    EACH_IN(b->awake.dofs, d) {
        AT(p->x, d) = AT(p->x_star, d);
        AT(p->force, d) = splat(0);
    }
    AT(p->iterations, 0) = AT(p->gradient, 0) = AT(p->solve_error, 0) = splat(0);
    for (int e = 0; e < p->lanes; e++) p->unsolved[e] = 0;
}

STAGE void solve_island(void *context, int i) {
    const tx_block *b = (const tx_block *)context;
    tx_fpenv env = tx_fpenv_enter();
    tx_problem view = tx_islands_view(&b->islands, &b->problem, i);
    solvers[b->opt->solver].solve(&view);
    tx_fpenv_leave(env);
}

// every island by itself, by all threads that this block has; the most iterations and the worst gradient of all
FN void solve_islands(tx_block *b) {
    const tx_problem *p = &b->problem;
    const tx_islands *s = &b->islands;
    take_free_motion(b);
    if (b->pool && s->count > 1) tx_pool_run(b->pool, solve_island, b, s->count);
    else
        for (int i = 0; i < s->count; i++) solve_island(b, i);
    for (int i = 0; i < s->count; i++) {
        const double *result = s->result + TX_ISLAND_RESULTS * i;
        AT(p->iterations, 0) = vmax(AT(p->iterations, 0), splat(R(result[0])));
        AT(p->gradient, 0) = vmax(AT(p->gradient, 0), splat(R(result[1])));
        p->unsolved[0] |= s->unsolved[i];
    }
}

STAGE void solve(tx_block *b) {
    const tx_problem *p = &b->problem;
    if (p->ncons == 0) {
        take_free_motion(b);
        return;
    }
    set_options(b);
    if (b->large) solve_islands(b);
    view_all(b);
    if (!b->large) solvers[b->opt->solver].solve(p);
    solve_error(p);
}

// the force that gives qacc: M qacc + bias - passive - Jᵀγ, γ the law's answer to y = J qacc
STAGE void inverse(tx_block *b) {
    const tx_problem *p = &b->problem;
    real *force = ARRAY(b->qfrc_inverse), *pushed = ARRAY(b->qfrc_constraint);
    view_all(b);
    J_mul(p, ARRAY(b->qacc), ARRAY(p->y));
    constraint_forces(p, ARRAY(p->y), ARRAY(p->gamma));
    J_mul_transposed(p, ARRAY(p->gamma), pushed);
    A_mul(p, ARRAY(b->qacc), force);
    for (int d = 0; d < p->nv; d++) force[d] = ((force[d] + AT(b->qfrc_bias, d)) - AT(b->qfrc_passive, d)) - pushed[d];
}
