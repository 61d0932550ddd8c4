// contact.inl - rows of contacts: frame · (velocity of side 2 - velocity of side 1). lanes: any
#pragma once
#include "base/fpenv.h"
#include "base/task.h"
#include "rows/material.inl"
#include "rows/points.inl"
#include "rows/rows.h"
#include "rows/slot.inl"

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
    const real *frame = slot_frame(b, slot), *pos = slot_pos(b, slot);
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

// the structure of a contact of the same bodies and dimension as the one before it: all but places is the same. Number
// by number, as it has just been stored: whole ones would wait for their parts
FN tx_constraint *repeat_contact_row(tx_block *b, int slot) {
    tx_problem *p = &b->problem;
    tx_constraint *c = &p->cons[p->ncons++];
    c->kernel = c[-1].kernel, c->dim = c[-1].dim, c->type = c[-1].type, c->pieces = c[-1].pieces;
    c->row = p->nrows, c->piece = p->npieces, c->id = slot;
    c->moved = false, c->pushing = c->in_H = 0;
    const tx_piece *last = p->pieces + c[-1].piece;
    for (int i = 0; i < c->pieces; i++) {
        tx_piece *e = &p->pieces[c->piece + i];
        e->block = last[i].block, e->dof = last[i].dof, e->width = last[i].width, e->at = p->njacobian;
        b->piece_side[c->piece + i] = b->piece_side[c[-1].piece + i];
        p->njacobian += c->dim * e->width;
    }
    p->nrows += c->dim, p->npieces += c->pieces;
    return c;
}

// its structure
FN tx_constraint *place_contact_row(tx_block *b, int slot) {
    tx_problem *p = &b->problem;
    const tx_slot *at = &b->slot[slot];
    if (slot > 0 && at[-1].body[0] == at->body[0] && at[-1].body[1] == at->body[1] && at[-1].dim == at->dim)
        return repeat_contact_row(b, slot);
    const int kernel = at->dim == 1 ? laws[b->opt->law].normal : laws[b->opt->law].contact;
    const int type = kernel == KERNEL_pyramid ? TX_ROW_PYRAMIDAL : at->dim == 1 ? TX_ROW_FRICTIONLESS : TX_ROW_ELLIPTIC;
    tx_constraint *c = begin_constraint(p, kernel, at->dim, type, slot);
    const int pieces = tx_side_pieces(b->m, p, at->body, false, p->pieces + c->piece, b->piece_side + c->piece);
    for (int i = 0; i < pieces; i++) place_piece(p, c, &p->pieces[c->piece + i]);
    return c;
}

FN real contact_weight(const tx_block *b, const tx_slot *at, int k) {
    return PARAM(b, body_invweight0, 2 * at->body[0] + k) + PARAM(b, body_invweight0, 2 * at->body[1] + k);
}

// what is a contact's own in its record, and in the arrays of rows
FN void contact_record(const tx_block *b, int slot, const tx_constraint *c, row_record *row) {
    const real dist = *slot_dist(b, slot), margin = *slot_margin(b, slot);
    row->acts = dist < margin;
    row->solref = slot_solref(b, slot), row->solimp = slot_solimp(b, slot);
    row->pos[0] = violation(b, dist, margin);
    row->size = vabs(row->pos[0]);
    if (b->ahead == TX_AHEAD_FOLLOWED) row->closing = *slot_ahead(b, slot);
    for (int k = 0; k < 2; k++) row->weight[k] = contact_weight(b, &b->slot[slot], k);
    copy(row->friction, slot_friction(b, slot), 5);
    for (int r = 0; r < c->dim; r++) AT(b->row_gap, c->row + r) = r == 0 ? dist : splat(0);
    AT(b->row_margin, c - b->problem.cons) = margin;
}

// all of its record but what follows from J
FN void begin_contact(const tx_block *b, int slot, const tx_constraint *c, row_record *row) {
    const tx_slot *at = &b->slot[slot];
    begin_record(row, c, lane_true(), NULL, NULL);
    row->contact = true;
    // numbers that the pair itself has, as long as nothing overrides them
    if (at->special >= 0 && !b->opt->override)
        row->solref_friction = &PARAM(b, special_solreffriction, 2 * at->special);
    if (laws[b->opt->law].velocity) mix_materials(b, at->geom, row);
    contact_record(b, slot, c, row);
}

// its numbers
STAGE void fill_contact_row(const tx_block *b, int slot, const tx_constraint *c) {
    const tx_model *m = b->m;
    const tx_problem *p = &b->problem;
    const tx_slot *at = &b->slot[slot];
    const real *frame = slot_frame(b, slot), *pos = slot_pos(b, slot);
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

    row_record row;
    begin_contact(b, slot, c, &row);
    if (c->dim > 1 && !b->shortcuts.no_belts) add_surface_velocity(b, slot, row.surface);
    end_constraint(b, c, &row);
}

#if TX_LANES == 1
// numbers of rigid contacts, from their record but for what is each one's own
FN void rigid_numbers(const tx_block *b, int slot, const tx_constraint *c, int count, const row_record *row,
                      const points_motion *at) {
    const tx_problem *p = &b->problem;
    const law_options options = law_options_of(b->opt);
    const int first = (int)(c - p->cons);
    rigid_points points = {.weight = at->weight, .speed = at->speed, .ahead = at->ahead};
    const num *dist[4], *margin[4];
    num *numbers[4];
    for (int l = 0; l < 4; l++) {
        const int k = l < count ? l : count - 1;
        numbers[l] = &AT(p->numbers, TX_KERNEL_NUMBERS * (first + k));
        dist[l] = slot_dist(b, slot + k), margin[l] = slot_margin(b, slot + k);
    }
    points.gap = four_from(*dist[0], *dist[1], *dist[2], *dist[3]);
    points.margin = four_from(*margin[0], *margin[1], *margin[2], *margin[3]);
    for (int l = 0; l < count; l++) {
        num *gap = &AT(b->row_gap, c[l].row);
        gap[0] = *dist[l], gap[1] = gap[2] = 0;
        AT(b->row_margin, first + l) = *margin[l];
    }
    hard_points(&options, row, &points, count, numbers);
}

// those of `count` contacts of the same geoms, four at most, by the same operations side by side
STAGE void fill_points(const tx_block *b, int slot, const tx_constraint *c, int count) {
    const law_options options = law_options_of(b->opt);
    points_motion at;
    row_record row;
    begin_contact(b, slot, c, &row);
    const bool rigid = tx_kernel_is_hard(c->kernel);
    make_points(b, slot, c, count, !rigid || row.restitution > R(0), &at);
    if (rigid) {
        rigid_numbers(b, slot, c, count, &row, &at);
        return;
    }
    // of velocities these laws look at that of the normal alone
    for (int r = 1; r < 6; r++) row.vel[r] = R(0);
    for (int l = 0; l < count; l++) {
        if (l > 0) contact_record(b, slot + l, c + l, &row);
        row.vel[0] = at.speed[l], row.exact[0] = at.weight[l];
        mend_weight(b, c + l, &row);
        law_numbers(b, c + l, &options, &row);
    }
}

// how many contacts from one on are made so; 0: that one is not
FN int points_alike(const tx_block *b, const tx_constraint *first, int slot, int end) {
    const tx_slot *at = &b->slot[slot];
    if (!laws[b->opt->law].velocity || !b->shortcuts.no_belts || !moves_free_bodies(b, first + slot)) return 0;
    int count = 1;
    while (count < 4 && slot + count < end && at[count].dim == 3 && at[count].geom[0] == at->geom[0] &&
           at[count].geom[1] == at->geom[1] && at[count].special == at->special)
        count++;
    return count;
}

// numbers of contacts [begin, end)
STAGE void fill_contact_rows(const tx_block *b, const tx_constraint *first, int begin, int end) {
    for (int s = begin, count; s < end; s += count) {
        count = points_alike(b, first, s, end);
        if (count > 0) fill_points(b, s, first + s, count);
        else fill_contact_row(b, s, first + s), count = 1;
    }
}
#else
FN void fill_contact_rows(const tx_block *b, const tx_constraint *first, int begin, int end) {
    for (int s = begin; s < end; s++) fill_contact_row(b, s, first + s);
}
#endif

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
    fill_contact_rows(job->b, job->first, begin, begin + (left < CONTACTS_AT_ONCE ? left : CONTACTS_AT_ONCE));
    tx_fpenv_leave(env);
}

// whether the numbers of no contact need the room for a solve, which there is once (weights: make.inl)
FN bool rows_are_apart(const tx_block *b, const tx_constraint *first) {
    const bool velocity = laws[b->opt->law].velocity;
    if (!velocity && b->opt->diagexact) return false;
    for (int s = 0; s < b->nslots; s++) {
        if (velocity && !moves_root_chains(&b->problem, first + s)) return false;
        if (any(contact_weight(b, &b->slot[s], 0) < AT(b->least_weight, 0))) return false;
    }
    return true;
}

STAGE void contact_rows(tx_block *b) {
    tx_problem *p = &b->problem;
    row_job job = {b, p->cons + p->ncons};
    for (int s = 0; s < b->nslots; s++) place_contact_row(b, s);
    if (b->pool && tx_pool_threads(b->pool) > 1 && b->nslots >= CONTACTS_TO_SHARE && rows_are_apart(b, job.first))
        tx_pool_run(b->pool, fill_some_rows, &job, (b->nslots + CONTACTS_AT_ONCE - 1) / CONTACTS_AT_ONCE);
    else fill_contact_rows(b, job.first, 0, b->nslots);
}
