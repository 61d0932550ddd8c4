// solve.inl - the contact problem of a step handed to its solver. lanes: any
#pragma once
#include "rows/rows.inl"
#include "solver/solve_problem.inl"

// a thousandth of gravity: accelerations below it are not what a contact is there for
#define ACCELERATION_FLOOR (1e-3 * 9.81)

FN void set_options(tx_block *b) {
    const tx_options *o = b->opt;
    b->problem.opt = (tx_solve_options){o->tolerance, o->ls_tolerance,      o->iterations,      o->ls_iterations,
                                        o->warmstart, o->noslip_iterations, o->noslip_tolerance};
    b->problem.y_floor = ACCELERATION_FLOOR * ACCELERATION_FLOOR;
}

// trees that sleep are not in the problem
FN void take_awake(tx_block *b) { b->problem.awake = b->awake.dofs.range, b->problem.nawake = b->awake.dofs.count; }

STAGE void solve(tx_block *b) {
    take_awake(b);
    set_options(b);
    solve_problem(&b->problem, b->large ? &b->islands : NULL, b->opt->solver, b->pool);
}

// the force that gives qacc: M qacc + bias - passive - Jᵀγ, γ the law's answer to y = J qacc
STAGE void inverse(tx_block *b) {
    tx_problem *p = &b->problem;
    real *force = ARRAY(b->qfrc_inverse), *pushed = ARRAY(b->qfrc_constraint);
    take_awake(b);
    view_all(p);
    J_mul(p, ARRAY(b->qacc), ARRAY(p->y));
    constraint_forces(p, ARRAY(p->y), ARRAY(p->gamma));
    J_mul_transposed(p, ARRAY(p->gamma), pushed);
    A_mul(p, ARRAY(b->qacc), force);
    for (int d = 0; d < p->nv; d++) force[d] = ((force[d] + AT(b->qfrc_bias, d)) - AT(b->qfrc_passive, d)) - pushed[d];
}
