// query.c - what a user asks of a simulation after a step: contacts, rows, matrices, status, timers.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/place.h"
#include "sim/internal.h"

// ---- contacts and rows --------------------------------------------------------------------------------------------

const tx_contact *tx_sim_contacts(tx_sim *sim, int env, int *count) {
    int lane;
    tx_block *b = sim ? tx_sim_block(sim, env, &lane) : NULL;
    if (count) *count = 0;
    if (!b || !count) return NULL;
    tx_contact *list = b->contacts + (size_t)lane * (size_t)b->room;
    *count = b->ncontact[lane];
    for (int i = 0; i < *count; i++) tx_contact_force(b, lane, &list[i], list[i].force);
    return list;
}

tx_result tx_sim_mass_matrix(tx_sim *sim, int env, double *matrix) {
    int lane;
    tx_block *b = sim && matrix ? tx_sim_block(sim, env, &lane) : NULL;
    if (!b) return TX_ERROR_ARGUMENT;
    const tx_model *m = sim->m;
    memset(matrix, 0, sizeof(double) * (size_t)m->nv * (size_t)m->nv);
    for (int k = 0; k < m->nv; k++) {
        int up = k;
        for (int s = 0; s < m->dof_mnum[k]; s++, up = m->dof_parent[up])
            matrix[k * m->nv + up] = matrix[up * m->nv + k] = tx_lane(b, b->M, m->dof_madr[k] + s, lane);
    }
    return TX_OK;
}

tx_result tx_sim_jacobian(tx_sim *sim, int env, int body, const double point[3], double *jacp, double *jacr) {
    int lane;
    tx_block *b = sim && point ? tx_sim_block(sim, env, &lane) : NULL;
    if (!b || body < 0 || body >= sim->m->nbody) return TX_ERROR_ARGUMENT;
    const tx_model *m = sim->m;
    for (int i = 0; i < 3 * m->nv; i++) {
        if (jacp) jacp[i] = 0;
        if (jacr) jacr[i] = 0;
    }
    for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d]) {
        double s[6], arm[3];
        for (int k = 0; k < 6; k++) s[k] = tx_lane(b, b->cdof, 6 * d + k, lane);
        for (int k = 0; k < 3; k++) arm[k] = point[k] - tx_lane(b, b->tree_com, 3 * m->body_root[body] + k, lane);
        const double moved[3] = {s[1] * arm[2] - s[2] * arm[1], s[2] * arm[0] - s[0] * arm[2],
                                 s[0] * arm[1] - s[1] * arm[0]};
        for (int k = 0; k < 3; k++) {
            if (jacp) jacp[k * m->nv + d] = s[3 + k] + moved[k];
            if (jacr) jacr[k * m->nv + d] = s[k];
        }
    }
    return TX_OK;
}

// the numbers that law `soft` keeps per constraint, see problem/law_soft.inl
enum { SOFT_D = 0, SOFT_D2 = 2, SOFT_AREF = 7, ELLIPTIC_MU = 13 };

typedef struct row_list {
    tx_row *rows;
    double *jacobian;
    int count, room, nv;
} row_list;

// J of row r of a constraint, dense
static double jacobian_entry(const tx_block *b, const tx_constraint *c, int r, int dof, int lane) {
    const tx_model *m = b->m;
    if (c->kind == TX_FRICTION) return dof == c->id;
    if (c->kind == TX_CONTACT || c->kind == TX_EQUALITY) return tx_lane(b, b->J, (c->row + r) * m->nv + dof, lane);
    if (c->kind == TX_LIMIT) {
        int joint = m->limit_jnt[c->id], k = dof - m->jnt_dofadr[joint], width = m->limit_side[c->id] == 0 ? 3 : 1;
        return k >= 0 && k < width ? tx_lane(b, b->limit_J, 3 * c->id + k, lane) : 0;
    }
    int tendon = c->kind == TX_TENDON_LIMIT ? c->id / 2 : c->id,
        sign = c->kind == TX_TENDON_LIMIT && c->id % 2 ? -1 : 1;
    for (int k = m->tendon_dofadr[tendon]; k < m->tendon_dofadr[tendon] + m->tendon_dofnum[tendon]; k++)
        if (m->tendon_dof[k] == dof) return sign * tx_lane(b, b->tendon_J, k, lane);
    return 0;
}

// one row: the normal plus `mu` times direction k of the frame (k = 0: the normal alone)
static void add_row(row_list *list, const tx_block *b, const tx_constraint *c, int lane, tx_row row, int k, double mu) {
    int index = (int)(c - b->cons);
    double y = tx_lane(b, b->y, c->row, lane);
    row.D = tx_lane(b, b->law, TX_LAW_NUMBERS * index + SOFT_D, lane);
    row.aref = tx_lane(b, b->law, TX_LAW_NUMBERS * index + SOFT_AREF, lane);
    if (k > 0) {
        row.aref += mu * tx_lane(b, b->law, TX_LAW_NUMBERS * index + SOFT_AREF + k, lane);
        y += mu * tx_lane(b, b->y, c->row + k, lane);
    }
    row.force = row.D * (row.aref - y);
    if (c->kind == TX_FRICTION || c->kind == TX_TENDON_FRICTION)
        row.force = fmax(-row.margin, fmin(row.margin, row.force)), row.margin = 0;
    else row.force = fmax(row.force, 0);
    if (list->count < list->room) {
        list->rows[list->count] = row;
        for (int d = 0; list->jacobian && d < list->nv; d++)
            list->jacobian[list->count * list->nv + d] =
                jacobian_entry(b, c, 0, d, lane) + (k > 0 ? mu * jacobian_entry(b, c, k, d, lane) : 0);
    }
    list->count++;
}

// row k of a constraint whose rows stand for themselves
static void add_plain_row(row_list *list, const tx_block *b, const tx_constraint *c, int lane, tx_row row, int k) {
    row.aref = tx_lane(b, b->law, TX_LAW_NUMBERS * (int)(c - b->cons) + SOFT_AREF + k, lane);
    row.force = tx_lane(b, b->gamma, c->row + k, lane);
    if (list->count < list->room) {
        list->rows[list->count] = row;
        for (int d = 0; list->jacobian && d < list->nv; d++)
            list->jacobian[list->count * list->nv + d] = jacobian_entry(b, c, k, d, lane);
    }
    list->count++;
}

static void add_equality_rows(row_list *list, const tx_block *b, const tx_constraint *c, int lane) {
    int index = (int)(c - b->cons);
    for (int k = 0; k < c->dim && tx_lane(b, b->eq_active, c->id, lane) != 0; k++) {
        tx_row row = {.type = TX_ROW_EQUALITY, .id = c->id, .pos = tx_lane(b, b->eq_pos, 6 * c->id + k, lane)};
        row.D = tx_lane(b, b->law, TX_LAW_NUMBERS * index + (k < 3 ? SOFT_D : SOFT_D2), lane);
        add_plain_row(list, b, c, lane, row, k);
    }
}

// the friction rows of an elliptic cone have no distance
static void add_elliptic_rows(row_list *list, const tx_block *b, const tx_constraint *c, int lane, tx_row row) {
    int index = TX_LAW_NUMBERS * (int)(c - b->cons);
    double D = tx_lane(b, b->law, index + SOFT_D, lane), mu = tx_lane(b, b->law, index + ELLIPTIC_MU, lane);
    row.type = TX_ROW_ELLIPTIC;
    for (int k = 0; k < c->dim; k++) {
        double ratio = k ? tx_lane(b, b->law, index + SOFT_D2 + k - 1, lane) / mu : 1;
        row.D = D * ratio * ratio;
        if (k == 1) row.pos = row.margin = 0;
        add_plain_row(list, b, c, lane, row, k);
    }
}

// rows of a constraint that is no contact, where it acts
static void add_fixed_rows(row_list *list, const tx_block *b, const tx_constraint *c, int lane) {
    const tx_model *m = b->m;
    tx_row row = {.id = c->id};
    switch (c->kind) {
    case TX_EQUALITY: add_equality_rows(list, b, c, lane); return;
    case TX_FRICTION:
    case TX_TENDON_FRICTION:
        // its bound travels in the margin
        row.type = c->kind == TX_FRICTION ? TX_ROW_FRICTION : TX_ROW_TENDON_FRICTION;
        row.margin =
            tx_lane(b, c->kind == TX_FRICTION ? b->param.dof_frictionloss : b->param.tendon_frictionloss, c->id, lane);
        if (row.margin > 0) add_row(list, b, c, lane, row, 0, 0);
        return;
    case TX_LIMIT:
        row.type = TX_ROW_LIMIT, row.id = m->limit_jnt[c->id];
        row.pos = tx_lane(b, b->limit_dist, c->id, lane);
        row.margin = tx_lane(b, b->param.jnt_margin, row.id, lane);
        break;
    default:
        row.type = TX_ROW_TENDON_LIMIT, row.id = c->id / 2;
        row.pos = tx_lane(b, b->tendon_dist, c->id, lane);
        row.margin = tx_lane(b, b->param.tendon_margin, row.id, lane);
    }
    if (row.pos < row.margin) add_row(list, b, c, lane, row, 0, 0);
}

int tx_sim_rows(tx_sim *sim, int env, tx_row *rows, double *jacobian, int room) {
    int lane;
    tx_block *b = sim ? tx_sim_block(sim, env, &lane) : NULL;
    if (!b || (room > 0 && !rows) || room < 0) return -1;
    const tx_model *m = sim->m;
    row_list list = {rows, jacobian, 0, room, m->nv};
    bool elliptic = strcmp(tx_law_name(sim->options.law), "soft_elliptic") == 0;
    for (int i = 0; i < b->ncons - b->nslots; i++) add_fixed_rows(&list, b, &b->cons[i], lane);
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *contact = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        if (contact->slot < 0) continue;
        const tx_constraint *c = tx_slot_constraint(b, contact->slot);
        tx_row row = {.type = c->dim == 1 ? TX_ROW_FRICTIONLESS : TX_ROW_PYRAMIDAL,
                      .id = i,
                      .pos = contact->dist,
                      .margin = contact->includemargin};
        if (c->dim == 1) add_row(&list, b, c, lane, row, 0, 0);
        if (c->dim > 1 && elliptic) add_elliptic_rows(&list, b, c, lane, row);
        for (int k = 1; k < c->dim && !elliptic; k++) {
            add_row(&list, b, c, lane, row, k, contact->friction[k - 1]);
            add_row(&list, b, c, lane, row, k, -contact->friction[k - 1]);
        }
    }
    return list.count;
}

// ---- status and timers --------------------------------------------------------------------------------------------

tx_result tx_sim_status(const tx_sim *sim, int env) {
    if (!sim || env < 0 || env >= sim->envs) return TX_ERROR_ARGUMENT;
    return sim->bad[env] ? TX_ERROR_DIVERGED : TX_OK;
}

int tx_sim_status_text(const tx_sim *sim, int env, char *buffer, size_t size) {
    tx_result status = tx_sim_status(sim, env);
    if (status != TX_ERROR_DIVERGED) return snprintf(buffer, size, "%s", tx_result_text(status));
    const tx_model *m = sim->m;
    int dof = sim->bad[env] - 1, joint = m->dof_jnt[dof], body = m->dof_body[dof];
    const char *body_name = tx_element_name(m, TX_ELEMENT_BODY, body),
               *joint_name = tx_element_name(m, TX_ELEMENT_JOINT, joint);
    return snprintf(
        buffer, size,
        "environment %d diverged at t = %g s: acceleration, velocity or position of dof %d (joint %d '%s', body %d "
        "'%s') is not finite or beyond 1e10; it stands at its last good state",
        env, sim->bad_time[env], dof, joint, joint_name, body, body_name);
}

tx_info tx_sim_info(const tx_sim *sim) {
    if (!sim) return (tx_info){0};
    tx_info info = {.grown = sim->grown};
    for (int i = 0; i < sim->nblocks; i++) {
        const tx_tally *t = &sim->tallies[i];
        info.env_steps += t->env_steps, info.not_converged += t->not_converged, info.iterations += t->iterations;
        if (t->worst_solve_error > info.worst_solve_error) info.worst_solve_error = t->worst_solve_error;
        const tx_block *b = sim->blocks[i];
        double scale = b->timed_steps > 0 ? (double)b->steps / (double)b->timed_steps : 0;
        for (int s = 0; s < TX_STAGE_COUNT; s++) info.stage_seconds[s] += scale * b->stage_seconds[s];
    }
    for (int e = 0; e < sim->envs; e++) info.diverged += sim->bad[e] != 0;
    return info;
}

void tx_sim_info_clear(tx_sim *sim) {
    if (!sim) return;
    sim->grown = 0;
    for (int i = 0; i < sim->nblocks; i++) {
        sim->tallies[i] = (tx_tally){0};
        memset(sim->blocks[i]->stage_seconds, 0, sizeof sim->blocks[i]->stage_seconds);
        sim->blocks[i]->steps = sim->blocks[i]->timed_steps = 0;
    }
}

const char *tx_stage_name(tx_stage stage) {
    static const char *const names[] = {
#define X(name, meaning) #name,
        TX_STAGES(X)
#undef X
    };
    return (int)stage >= 0 && stage < TX_STAGE_COUNT ? names[stage] : NULL;
}
