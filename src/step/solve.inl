// solve.inl - the contact problem of a step handed to its solver. lanes: any
#pragma once
#include "rows/rows.inl"
#include "solver/solve_problem.inl"

// a thousandth of gravity: accelerations below it are not what a contact is there for
#define ACCELERATION_FLOOR (1e-3 * 9.81)

FN void set_options(tx_block *b) {
    const tx_options *o = b->opt;
    b->problem.opt =
        (tx_solve_options){.tolerance = o->tolerance >= 0 ? o->tolerance : laws[o->law].tolerance,
                           .ls_tolerance = o->ls_tolerance,
                           .momentum_tolerance = o->momentum_tolerance,
                           .gain_tolerance = tx_kernel_is_hard(laws[o->law].contact) ? 0 : o->gain_tolerance,
                           .iterations = o->iterations > 0 ? o->iterations : laws[o->law].iterations,
                           .ls_iterations = o->ls_iterations,
                           .warmstart = o->warmstart,
                           .noslip_iterations = o->noslip_iterations,
                           .noslip_tolerance = o->noslip_tolerance};
    const double floor = b->problem.time * ACCELERATION_FLOOR;
    b->problem.y_floor = floor * floor;
}

// trees that sleep are not in the problem
FN void take_awake(tx_block *b) { b->problem.awake = b->awake.dofs.range, b->problem.nawake = b->awake.dofs.count; }

// Jᵀγ of the springs and dampers that are rows: they are no constraints to the user
FN void take_springs_out(const tx_block *b) {
    const tx_problem *p = &b->problem;
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        if (c->type != ROW_SPRING) continue;
        for (int k = c->piece; k < c->piece + c->pieces; k++)
            for (int e = 0; e < p->pieces[k].width; e++)
                AT(b->qfrc_constraint, p->pieces[k].dof + e) =
                    AT(b->qfrc_constraint, p->pieces[k].dof + e) - AT(p->gamma, c->row) * AT(p->J, p->pieces[k].at + e);
    }
}

// of a velocity problem: accelerations, and forces in place of impulses
FN void velocities_to_accelerations(const tx_block *b) {
    const tx_problem *p = &b->problem;
    const num h = R(p->time);
    EACH_IN(b->awake.dofs, d) {
        AT(b->qacc, d) = (AT(p->x, d) - AT(b->qvel, d)) / h;
        AT(b->qfrc_constraint, d) = AT(p->force, d) / h;
    }
    for (int r = 0; r < p->nrows; r++) AT(p->gamma, r) = AT(p->gamma, r) / h;
    take_springs_out(b);
}

STAGE void solve(tx_block *b) {
    take_awake(b);
    set_options(b);
    solve_problem(&b->problem, b->large ? &b->islands : NULL, b->opt->solver, b->pool);
    if (b->problem.unit == TX_UNIT_VELOCITY) velocities_to_accelerations(b);
}

// the same of a velocity problem: what makes x* = x - A⁻¹Jᵀγ the free motion, x = v + h qacc
FN void inverse_velocity(tx_block *b) {
    tx_problem *p = &b->problem;
    const num h = R(p->time);
    real *force = ARRAY(b->qfrc_inverse), *more = ARRAY(b->first_vel), *x = ARRAY(p->x);
    EACH_DOF(p, d) x[d] = AT(b->qvel, d) + h * AT(b->qacc, d);
    J_mul(p, x, ARRAY(p->y));
    constraint_forces(p, ARRAY(p->y), ARRAY(p->gamma));
    J_mul_transposed(p, ARRAY(p->gamma), ARRAY(p->force));
    // how much the free acceleration must differ from the present one, and the force that does it
    EACH_DOF(p, d) more[d] = AT(p->force, d) / h;
    A_solve(p, more);
    EACH_DOF(p, d) more[d] = (AT(b->qacc, d) - more[d]) - AT(b->qacc_smooth, d);
    A_mul(p, more, force);
    real *moved = ARRAY(b->scratch), kept[6];
    if (rows_hold_lone_bodies(b)) mark_moved(b, moved);
    EACH_IN(b->live.bodies, i) {
        if (!has_derivatives(b) || !b->m->body_lone[i]) continue;
        real *own = force + b->m->body_dofadr[i];
        for (int k = 0; k < 6; k++) kept[k] = own[k];
        add_gyroscopic_force(b, i, h, more, force);
        if (!rows_hold_lone_bodies(b)) continue;
        mask held = is_moved(b, i, moved);
        for (int k = 0; k < 6; k++) own[k] = sel(held, kept[k], own[k]);
    }
    EACH_DOF(p, d) {
        force[d] = force[d] + (AT(b->qfrc_smooth, d) - (AT(b->qfrc_passive, d) - AT(b->qfrc_bias, d)));
        AT(b->qfrc_constraint, d) = AT(p->force, d) / h;
    }
    for (int r = 0; r < p->nrows; r++) AT(p->gamma, r) = AT(p->gamma, r) / h;
    take_springs_out(b);
}

// the force that gives qacc: M qacc + bias - passive - Jᵀγ, γ the law's answer to y = J qacc
STAGE void inverse(tx_block *b) {
    tx_problem *p = &b->problem;
    real *force = ARRAY(b->qfrc_inverse), *pushed = ARRAY(b->qfrc_constraint);
    take_awake(b);
    view_all(p);
    if (p->unit == TX_UNIT_VELOCITY) {
        inverse_velocity(b);
        return;
    }
    J_mul(p, ARRAY(b->qacc), ARRAY(p->y));
    constraint_forces(p, ARRAY(p->y), ARRAY(p->gamma));
    J_mul_transposed(p, ARRAY(p->gamma), pushed);
    A_mul(p, ARRAY(b->qacc), force);
    for (int d = 0; d < p->nv; d++) force[d] = ((force[d] + AT(b->qfrc_bias, d)) - AT(b->qfrc_passive, d)) - pushed[d];
}
