// contact.inl - rows of contacts: frame · (velocity of side 2 - velocity of side 1). lanes: any
#pragma once
#include "base/fpenv.h"
#include "base/task.h"
#include "rows/make.inl"
#include "rows/material.inl"
#include "rows/rows.h"

// dim x width numbers of J: how a run of dofs moves the point, and turns, seen in the contact frame
FN void contact_piece(const tx_block *b, int dim, const tx_piece *e, const real *frame, const real *arm, num sign,
                      real *J) {
    const int joint = b->m->dof_jnt[e->dof];
    int k = 0;
    // a free joint begins with the axes of the world
    if (b->m->jnt_type[joint] == TX_JOINT_FREE && b->m->jnt_dofadr[joint] == e->dof)
        for (; k < 3; k++)
            for (int r = 0; r < dim; r++) J[r * e->width + k] = r < 3 ? sign * frame[3 * r + k] : splat(0);
    for (; k < e->width; k++) {
        const real *s = &AT(b->cdof, 6 * (e->dof + k));
        real point[3];
        cross3(point, s, arm);
        for (int i = 0; i < 3; i++) point[i] = point[i] + s[3 + i];
        for (int r = 0; r < dim; r++)
            J[r * e->width + k] = sign * (r < 3 ? dot3(frame + 3 * r, point) : dot3(frame + 3 * (r - 3), s));
    }
}

FN bool surface_moves(const real *field) {
    mask moves = field[0] != R(0);
    for (int k = 1; k < 6; k++) moves = moves | (field[k] != R(0));
    return any(moves);
}

// how fast the surface of side 2 runs past that of side 1 where the bodies themselves do not move: along the tangents,
// and about the normal
FN void add_surface_velocity(const tx_block *b, int slot, real *out) {
    const real *frame = &AT(b->con_frame, 9 * slot), *pos = &AT(b->con_pos, 3 * slot);
    for (int s = 0; s < 2; s++) {
        const int g = b->slot[slot].geom[s];
        const real *field = &PARAM(b, geom_surfacevel, 6 * g);
        const num sign = s ? R(1) : R(-1);
        if (!surface_moves(field)) continue;
        real velocity[3], spin[3], arm[3], turn[3];
        mat_vec(velocity, &AT(b->geom_xmat, 9 * g), field);
        mat_vec(spin, &AT(b->geom_xmat, 9 * g), field + 3);
        for (int k = 0; k < 3; k++) arm[k] = pos[k] - AT(b->geom_xpos, 3 * g + k);
        cross3(turn, spin, arm);
        for (int k = 0; k < 3; k++) velocity[k] = velocity[k] + turn[k];
        for (int k = 0; k < 2; k++) out[k] = out[k] + sign * dot3(frame + 3 * (k + 1), velocity);
        out[2] = out[2] + sign * dot3(frame, spin);
    }
}

// the pieces of a contact; those of the same two bodies follow each other and have the same
FN int contact_pieces(tx_block *b, const tx_slot *at, bool again, const tx_constraint *c) {
    tx_problem *p = &b->problem;
    int8_t *side = b->piece_side + c->piece;
    if (!again) return tx_side_pieces(b->m, p, at->body, false, p->pieces + c->piece, side);
    const int count = c[-1].pieces;
    for (int i = 0; i < count; i++) {
        p->pieces[c->piece + i] = p->pieces[c[-1].piece + i];
        side[i] = b->piece_side[c[-1].piece + i];
    }
    return count;
}

// its structure
FN tx_constraint *place_contact_row(tx_block *b, int slot) {
    tx_problem *p = &b->problem;
    const tx_slot *at = &b->slot[slot];
    const int kernel = at->dim == 1 ? laws[b->opt->law].normal : laws[b->opt->law].contact;
    const int type = kernel == KERNEL_pyramid ? TX_ROW_PYRAMIDAL : at->dim == 1 ? TX_ROW_FRICTIONLESS : TX_ROW_ELLIPTIC;
    const bool again = slot > 0 && at[-1].body[0] == at->body[0] && at[-1].body[1] == at->body[1];
    tx_constraint *c = begin_constraint(p, kernel, at->dim, type, slot);
    const int pieces = contact_pieces(b, at, again, c);
    for (int i = 0; i < pieces; i++) place_piece(p, c, &p->pieces[c->piece + i]);
    return c;
}

FN real contact_weight(const tx_block *b, const tx_slot *at, int k) {
    return PARAM(b, body_invweight0, 2 * at->body[0] + k) + PARAM(b, body_invweight0, 2 * at->body[1] + k);
}

// its numbers
STAGE void fill_contact_row(const tx_block *b, int slot, const tx_constraint *c) {
    const tx_model *m = b->m;
    const tx_problem *p = &b->problem;
    const tx_slot *at = &b->slot[slot];
    const real *frame = &AT(b->con_frame, 9 * slot), *pos = &AT(b->con_pos, 3 * slot);
    real arm[2][3];
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) arm[s][k] = pos[k] - AT(b->tree_com, 3 * m->body_root[at->body[s]] + k);
    for (int i = c->piece; i < c->piece + c->pieces; i++) {
        const tx_piece *e = &p->pieces[i];
        const int side = b->piece_side[i];
        real *J = &AT(p->J, e->at);
        if (c->dim == 3) contact_piece(b, 3, e, frame, arm[side], side ? R(1) : R(-1), J);
        else contact_piece(b, c->dim, e, frame, arm[side], side ? R(1) : R(-1), J);
    }

    real dist = AT(b->con_dist, slot), margin = AT(b->con_margin, slot);
    row_record row;
    begin_record(&row, c, dist < margin, &AT(b->con_solref, 2 * slot), &AT(b->con_solimp, 5 * slot));
    row.contact = true;
    // numbers that the pair itself has, as long as nothing overrides them
    if (at->special >= 0 && !b->opt->override) row.solref_friction = &PARAM(b, special_solreffriction, 2 * at->special);
    row.pos[0] = violation(b, dist, margin);
    row.size = vabs(row.pos[0]);
    for (int k = 0; k < 2; k++) row.weight[k] = contact_weight(b, at, k);
    if (laws[b->opt->law].velocity) mix_materials(b, at->geom, &row);
    for (int k = 0; k < 5; k++) row.friction[k] = AT(b->con_friction, 5 * slot + k);
    if (c->dim > 1 && !b->shortcuts.no_belts) add_surface_velocity(b, slot, row.surface);
    for (int r = 0; r < c->dim; r++) AT(b->row_gap, c->row + r) = r == 0 ? dist : splat(0);
    AT(b->row_margin, c - p->cons) = margin;
    end_constraint(b, c, &row);
}

// numbers of some contacts at a time, by all threads
enum { CONTACTS_AT_ONCE = 16, CONTACTS_TO_SHARE = 64 };
typedef struct row_job {
    const tx_block *b;
    const tx_constraint *first; // of the contacts
} row_job;

STAGE void fill_some_rows(void *context, int part) {
    const row_job *job = (const row_job *)context;
    const int begin = CONTACTS_AT_ONCE * part, left = job->b->nslots - begin;
    tx_fpenv env = tx_fpenv_enter();
    for (int s = begin; s < begin + (left < CONTACTS_AT_ONCE ? left : CONTACTS_AT_ONCE); s++)
        fill_contact_row(job->b, s, job->first + s);
    tx_fpenv_leave(env);
}

// whether the numbers of no contact need the room for a solve, which there is once (weights: make.inl)
FN bool rows_are_apart(const tx_block *b) {
    if (laws[b->opt->law].velocity || b->opt->diagexact) return false;
    for (int s = 0; s < b->nslots; s++)
        if (any(contact_weight(b, &b->slot[s], 0) < AT(b->least_weight, 0))) return false;
    return true;
}

STAGE void contact_rows(tx_block *b) {
    tx_problem *p = &b->problem;
    if (b->pool && tx_pool_threads(b->pool) > 1 && b->nslots >= CONTACTS_TO_SHARE && rows_are_apart(b)) {
        row_job job = {b, p->cons + p->ncons};
        for (int s = 0; s < b->nslots; s++) place_contact_row(b, s);
        tx_pool_run(b->pool, fill_some_rows, &job, (b->nslots + CONTACTS_AT_ONCE - 1) / CONTACTS_AT_ONCE);
    } else
        for (int s = 0; s < b->nslots; s++) fill_contact_row(b, s, place_contact_row(b, s));
}
