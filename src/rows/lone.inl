// lone.inl - free bodies alone turn with the gyroscopic torque of the step's end; with soft rows at the end of the step
// those that a row moves do not, as in MuJoCo 4.0. lanes: any
#pragma once
#include "dynamics/free_velocity.inl"
#include "rows/make.inl"

// 1 at the dofs that a row moves: constraints, and springs across branches
FN void mark_moved(const tx_block *b, real *moved) {
    const tx_problem *p = &b->problem;
    EACH_IN(b->live.dofs, d) moved[d] = splat(0);
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        mask acts = AT(p->numbers, TX_KERNEL_NUMBERS * i + N_D) > R(0);
        for (int k = c->piece; k < c->piece + c->pieces; k++)
            for (int e = 0; e < p->pieces[k].width; e++) {
                real *at = &moved[p->pieces[k].dof + e];
                *at = sel(acts, splat(1), *at);
            }
    }
}

FN mask is_moved(const tx_block *b, int body, const real *moved) {
    const int first = b->m->body_dofadr[body];
    mask any_dof = moved[first] > R(0);
    for (int d = first + 1; d < first + 6; d++) any_dof = any_dof | (moved[d] > R(0));
    return any_dof;
}

FN bool rows_hold_lone_bodies(const tx_block *b) { return has_stiffness(b) && !laws[b->opt->law].velocity; }

// x* of the bodies that rows move: A a = force in place of (A + h ∂bias/∂v) a = force
STAGE void hold_lone_bodies(const tx_block *b) {
    const tx_model *m = b->m;
    const num h = R(b->opt->timestep);
    real *moved = ARRAY(b->scratch), *more = moved + m->nv, *acc = ARRAY(b->qacc_smooth);
    if (!rows_hold_lone_bodies(b) || b->problem.ncons == 0) return;
    mark_moved(b, moved);
    EACH_IN(b->live.bodies, i) {
        if (!m->body_lone[i]) continue;
        const int first = m->body_dofadr[i], last = first + 6;
        mask held = is_moved(b, i, moved);
        if (!any(held)) continue;
        for (int d = first; d < last; d++) more[d] = splat(0);
        add_gyroscopic_force(b, i, h, acc, more);
        tree_solve(&b->tree, first, last, ARRAY(b->L), ARRAY(b->Linv), more);
        for (int d = first; d < last; d++) {
            acc[d] = sel(held, acc[d] + more[d], acc[d]);
            AT(b->free_vel, d) = AT(b->qvel, d) + h * acc[d];
        }
    }
}
