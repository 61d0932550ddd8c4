// spring.inl - rows of springs and dampers that join dofs of different branches, in velocity problems. lanes: any
//
// A spring k and damper c along J would add D JᵀJ, D = h c + h² k, to A, where that has no place. As a row with
// γ = -D (J x - a), a = J v c / (c + h k), it gives the same x: A (x - v) = h (f - h k JᵀJ v) - D JᵀJ (x - v). The
// force of the present state is in f, as without it.
#pragma once
#include "dynamics/free_velocity.inl"
#include "rows/make.inl"

// what this row is to reports: no constraint
enum { ROW_SPRING = -1 };

FN void spring_row(tx_block *b, const spring_term *s, int id) {
    tx_problem *p = &b->problem;
    const num h = R(b->opt->timestep);
    tx_constraint *c = begin_constraint(p, KERNEL_quadratic, 1, ROW_SPRING, id);
    real rate = splat(0), *n = &AT(p->numbers, TX_KERNEL_NUMBERS * (p->ncons - 1));
    add_dof_pieces(p, c, s->dof, s->count, NULL, 0);
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        AT(p->J, p->pieces[k].at) = splat(0);
        for (int e = 0; e < s->count; e++)
            if (s->dof[e] == p->pieces[k].dof) AT(p->J, p->pieces[k].at) = AT(p->J, p->pieces[k].at) + s->J[e];
    }
    for (int e = 0; e < s->count; e++) rate = rate + s->J[e] * AT(b->qvel, s->dof[e]);
    const mask acts = spring_acts(s);
    real D = h * (s->damping + h * s->stiffness), w = vmax(exact_norm(p, c, 0, 1, ARRAY(b->scratch)), splat(R(1e-15)));
    n[N_D] = sel(acts, D, splat(0));
    n[N_REST] = sel(acts, vmin(R(1) / (sel(acts, D, splat(1)) * w), splat(1)), splat(0));
    n[N_A] = sel(acts, rate * s->damping / sel(acts, s->damping + h * s->stiffness, splat(1)), splat(0));
    AT(b->row_gap, c->row) = AT(b->row_margin, p->ncons - 1) = splat(0);
}

STAGE void spring_rows(tx_block *b) {
    if (b->problem.unit != TX_UNIT_VELOCITY) return;
    for (int i = 0; i < spring_terms(b); i++) {
        spring_term s = spring_term_of(b, i);
        if (s.count > 0 && any(spring_acts(&s)) && !spring_on_branch(b, &s)) spring_row(b, &s, i);
    }
}
