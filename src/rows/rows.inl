// rows.inl - the constraints of this step: equalities, dry friction, limits, contacts, in this order. lanes: any
//
// A constraint that acts in no environment is left out; where it does not act in a lane, its numbers are zero.
#pragma once
#include "rows/contact.inl"
#include "rows/equality.inl"
#include "rows/lone.inl"
#include "rows/spring.inl"

// ---- dry friction ---------------------------------------------------------------------------------------------------

// it has no distance and acts where its bound is positive
FN void dry_row(const tx_block *b, const tx_constraint *c, real bound, real weight, const real *solref,
                const real *solimp) {
    row_record row;
    begin_record(&row, c, bound > R(0), solref, solimp);
    row.bound = bound, row.weight[0] = weight;
    AT(b->row_gap, c->row) = AT(b->row_margin, c - b->problem.cons) = splat(0);
    end_constraint(b, c, &row);
}

STAGE void friction_rows(tx_block *b) {
    tx_problem *p = &b->problem;
    if (b->shortcuts.no_dry_friction || !b->opt->frictionloss) return;
    EACH_IN(b->awake.dofs, d) {
        real bound = PARAM(b, dof_frictionloss, d);
        if (!any(bound > R(0))) continue;
        tx_constraint *c = begin_constraint(p, KERNEL_clamped, 1, TX_ROW_FRICTION, d);
        *add_dofs(p, c, d, 1) = splat(1);
        dry_row(b, c, bound, PARAM(b, dof_invweight0, d), &PARAM(b, dof_solref, 2 * d), &PARAM(b, dof_solimp, 5 * d));
    }
}

// the entries of a tendon may stand in any order, pieces ascend
FN void tendon_pieces(tx_block *b, tx_constraint *c, int t, num sign) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    const int *dofs = m->tendon_dof + m->tendon_dofadr[t];
    add_dof_pieces(p, c, dofs, m->tendon_dofnum[t], NULL, 0);
    for (int k = c->piece; k < c->piece + c->pieces; k++) AT(p->J, p->pieces[k].at) = splat(0);
    eq_rows q = {b, c, NULL};
    add_tendon_row(&q, t, splat(sign));
}

STAGE void tendon_friction_rows(tx_block *b) {
    for (int t = 0; t < b->m->ntendon && b->opt->frictionloss; t++) {
        real bound = PARAM(b, tendon_frictionloss, t);
        if (!any(bound > R(0)) || tx_tendon_sleeps(b, t)) continue;
        tx_constraint *c = begin_constraint(&b->problem, KERNEL_clamped, 1, TX_ROW_TENDON_FRICTION, t);
        tendon_pieces(b, c, t, 1);
        dry_row(b, c, bound, PARAM(b, tendon_invweight0, t), &PARAM(b, tendon_solref_fri, 2 * t),
                &PARAM(b, tendon_solimp_fri, 5 * t));
    }
}

// ---- limits ---------------------------------------------------------------------------------------------------------

FN int limit_width(const tx_model *m, int limit) { return m->limit_side[limit] == 0 ? 3 : 1; }
FN int limit_dof(const tx_model *m, int limit) { return m->jnt_dofadr[m->limit_jnt[limit]]; }

// distance to one limit and its Jacobian on the joint's dofs
FN real limit_row(const tx_block *b, int limit, real *J) {
    const tx_model *m = b->m;
    int joint = m->limit_jnt[limit], side = m->limit_side[limit], a = m->jnt_qposadr[joint];
    const real *range = &PARAM(b, jnt_range, 2 * joint);
    if (side != 0) {
        J[0] = splat(R(side));
        return side > 0 ? AT(b->qpos, a) - range[0] : range[1] - AT(b->qpos, a);
    }
    // ball: the rotation angle about its axis, at most half a turn
    real q[4];
    for (int k = 0; k < 4; k++) q[k] = AT(b->qpos, a + k);
    quat_normalize(q);
    real s = vsqrt(dot3(q + 1, q + 1));
    real angle = R(2) * lane_atan2(s, q[0]);
    mask beyond = angle > R(3.14159265358979323846);
    real inv = R(1) / vmax(s, splat(R(1e-15)));
    inv = sel(beyond, -inv, inv);
    angle = sel(beyond, R(6.28318530717958647693) - angle, angle);
    for (int k = 0; k < 3; k++) J[k] = -(q[1 + k] * inv);
    return vmax(range[0], range[1]) - angle;
}

// pushes where dist < margin; elsewhere the gap is reported as the margin
FN void one_sided_row(const tx_block *b, const tx_constraint *c, real dist, real margin, real weight,
                      const real *solref, const real *solimp) {
    mask acts = dist < margin;
    row_record row;
    begin_record(&row, c, acts, solref, solimp);
    AT(b->row_gap, c->row) = sel(acts, dist, margin);
    AT(b->row_margin, c - b->problem.cons) = margin;
    row.pos[0] = violation(b, AT(b->row_gap, c->row), margin);
    row.size = vabs(row.pos[0]);
    row.weight[0] = weight;
    end_constraint(b, c, &row);
}

STAGE void limit_rows(tx_block *b) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    for (int l = 0; l < m->nlimit && b->opt->limit; l++) {
        const int joint = m->limit_jnt[l], width = limit_width(m, l);
        if (tx_body_sleeps(b, m->jnt_body[joint])) continue;
        real entry[3], dist = limit_row(b, l, entry), margin = PARAM(b, jnt_margin, joint);
        if (!any(dist < margin)) continue;
        tx_constraint *c = begin_constraint(p, KERNEL_one_sided, 1, TX_ROW_LIMIT, l);
        real *J = add_dofs(p, c, limit_dof(m, l), width);
        for (int k = 0; k < width; k++) J[k] = entry[k];
        one_sided_row(b, c, dist, margin, PARAM(b, dof_invweight0, limit_dof(m, l)), &PARAM(b, jnt_solref, 2 * joint),
                      &PARAM(b, jnt_solimp, 5 * joint));
    }
}

STAGE void tendon_limit_rows(tx_block *b) {
    const tx_model *m = b->m;
    for (int i = 0; i < 2 * m->ntendon && b->opt->limit; i++) {
        const int t = i / 2;
        if (!m->tendon_limited[t] || tx_tendon_sleeps(b, t)) continue;
        real length = AT(b->tendon_length, t), bound = PARAM(b, tendon_range, i), margin = PARAM(b, tendon_margin, t);
        real dist = i % 2 == 0 ? length - bound : bound - length;
        if (!any(dist < margin)) continue;
        tx_constraint *c = begin_constraint(&b->problem, KERNEL_one_sided, 1, TX_ROW_TENDON_LIMIT, i);
        tendon_pieces(b, c, t, i % 2 ? -1 : 1);
        one_sided_row(b, c, dist, margin, PARAM(b, tendon_invweight0, t), &PARAM(b, tendon_solref_lim, 2 * t),
                      &PARAM(b, tendon_solimp_lim, 5 * t));
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

// rows lighter than this part of the lightest body get their weight by a solve: no ordinary body comes near it; and
// where no body can move along, as wheels on axles, the same against how they turn
#define LEAST_WEIGHT R(1e-10)
#define LEAST_TURN   R(1e-20)

FN void find_least_weight(const tx_block *b) {
    real moves = splat(0), turns = splat(0);
    for (int i = 1; i < b->m->nbody; i++) {
        moves = vmax(moves, PARAM(b, body_invweight0, 2 * i));
        turns = vmax(turns, PARAM(b, body_invweight0, 2 * i + 1));
    }
    AT(b->least_weight, 0) = vmax(LEAST_WEIGHT * moves, LEAST_TURN * turns);
}

// contact slots were filled by tx_place_contacts()
STAGE void assemble(tx_block *b) {
    tx_problem *p = &b->problem;
    p->ncons = p->nrows = p->npieces = p->njacobian = 0;
    if (b->still.idle && b->nslots == 0) return;
    spring_rows(b);
    if (b->opt->constraint) {
        if (!b->still.placed) find_least_weight(b); // it follows from parameters
        equality_rows(b);
        friction_rows(b);
        tendon_friction_rows(b);
        limit_rows(b);
        tendon_limit_rows(b);
        contact_rows(b);
    }
    hold_lone_bodies(b);
}
