// query.c - what a user asks of a simulation after a step: contacts, rows, matrices, status, timers.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/file.h"
#include "rows/rows.h"
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

long long tx_sim_all_contacts(tx_sim *sim, long long *offsets, tx_contact *contacts, long long room) {
    if (!sim || !offsets || room < 0 || (room > 0 && !contacts)) return -1;
    long long total = 0;
    for (int e = 0; e < sim->envs; e++) {
        int count, lane;
        const tx_block *b = tx_sim_block(sim, e, &lane);
        offsets[e] = total;
        const long long left = total < room ? room - total : 0;
        if (left > 0) {
            const tx_contact *list = tx_sim_contacts(sim, e, &count);
            const long long fit = count < left ? count : left;
            if (fit > 0) memcpy(contacts + total, list, sizeof *list * (size_t)fit);
        }
        total += b->ncontact[lane];
    }
    offsets[sim->envs] = total;
    return total;
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
        double moved[3];
        tx_point_rate(b, lane, d, point, moved);
        for (int k = 0; k < 3; k++) {
            if (jacp) jacp[k * m->nv + d] = moved[k];
            if (jacr) jacr[k * m->nv + d] = tx_lane(b, b->cdof, 6 * d + k, lane);
        }
    }
    return TX_OK;
}

// brings the problem of an environment's next step into its block
static tx_result make_problem(tx_sim *sim, int env, tx_block **block, int *lane) {
    tx_block *b = *block = tx_sim_block(sim, env, lane);
    if (!b) return TX_ERROR_ARGUMENT;
    tx_result result = tx_sim_forward(sim);
    // what sleeps is held still, there is no free motion
    for (int d = 0; d < sim->m->nv; d++)
        if (tx_body_sleeps(b, sim->m->dof_body[d])) tx_lane_set(b, (void *)b->problem.x_star, d, *lane, 0);
    return result;
}

tx_result tx_sim_write_problem(tx_sim *sim, int env, const char *path) {
    tx_block *b;
    int lane;
    tx_result result = sim && path ? make_problem(sim, env, &b, &lane) : TX_ERROR_ARGUMENT;
    if (result != TX_OK) return result;
    const tx_problem_note note = {tx_law_name(sim->options.law), b->large};
    return tx_problem_write(&b->problem, lane, &note, path);
}

void *tx_sim_problem_bytes(tx_sim *sim, int env, size_t *size) {
    tx_block *b;
    int lane;
    if (make_problem(sim, env, &b, &lane) != TX_OK) return NULL;
    const tx_problem_note note = {tx_law_name(sim->options.law), b->large};
    return tx_problem_bytes(&b->problem, lane, &note, size);
}

typedef struct row_list {
    const tx_block *b;
    int lane;
    tx_row *rows;
    double *jacobian;
    int count, room;
} row_list;

static double number_of(const row_list *list, const tx_constraint *c, int k) {
    const tx_problem *p = &list->b->problem;
    return tx_lane(list->b, p->numbers, TX_KERNEL_NUMBERS * (int)(c - p->cons) + k, list->lane);
}

// adds factor * row r of a constraint to a dense row
static void add_dense(const row_list *list, const tx_constraint *c, int r, double factor, double *row) {
    const tx_problem *p = &list->b->problem;
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        for (int i = 0; i < e->width; i++)
            row[e->dof + i] += factor * tx_lane(list->b, p->J, e->at + r * e->width + i, list->lane);
    }
}

// how far row r is from the y at which it does not push, as an acceleration
static double misses_by(const row_list *list, const tx_constraint *c, int r) {
    const tx_problem *p = &list->b->problem;
    return (number_of(list, c, TX_NUMBER_A + r) - tx_lane(list->b, p->y, c->row + r, list->lane)) / p->time;
}

// the acceleration of row r at which it does not push
static double reference_of(const row_list *list, const tx_constraint *c, int r) {
    const tx_problem *p = &list->b->problem;
    double now = 0;
    for (int k = c->piece; k < c->piece + c->pieces && p->unit == TX_UNIT_VELOCITY; k++) {
        const tx_piece *e = &p->pieces[k];
        for (int i = 0; i < e->width; i++)
            now += tx_lane(list->b, p->J, e->at + r * e->width + i, list->lane) *
                   tx_lane(list->b, list->b->qvel, e->dof + i, list->lane);
    }
    return (number_of(list, c, TX_NUMBER_A + r) - now) / p->time;
}

// row r of a constraint plus mu times row k (k = 0: alone)
static void add_row(row_list *list, const tx_constraint *c, tx_row row, int r, int k, double mu) {
    const size_t nv = (size_t)list->b->m->nv;
    if (list->count < list->room) {
        list->rows[list->count] = row;
        double *dense = list->jacobian ? list->jacobian + (size_t)list->count * nv : NULL;
        if (dense) {
            memset(dense, 0, nv * sizeof *dense);
            add_dense(list, c, r, 1, dense);
            if (k > 0) add_dense(list, c, k, mu, dense);
        }
    }
    list->count++;
}

// of one edge after the pass against slip: the two of a pair have the law's sum and the difference that γ says
static double edge_force(const row_list *list, const tx_constraint *c, int k, int side) {
    const double D = number_of(list, c, TX_NUMBER_D), mu = number_of(list, c, TX_NUMBER_MU + k - 1);
    const double miss = misses_by(list, c, 0), along = mu * misses_by(list, c, k);
    const double sum = fmax(0, D * (miss + along)) + fmax(0, D * (miss - along));
    return 0.5 * (sum + side * tx_lane(list->b, list->b->problem.gamma, c->row + k, list->lane) / mu);
}

// MuJoCo has one row an edge of a pyramid
static void add_edges(row_list *list, const tx_constraint *c, tx_row row) {
    const double a0 = reference_of(list, c, 0), miss = misses_by(list, c, 0);
    for (int k = 1; k < c->dim; k++)
        for (int side = 1; side >= -1; side -= 2) {
            double mu = side * number_of(list, c, TX_NUMBER_MU + k - 1);
            row.aref = a0 + mu * reference_of(list, c, k);
            row.force = fmax(0, row.D * (miss + mu * misses_by(list, c, k)));
            if (list->b->problem.opt.noslip_iterations > 0) row.force = edge_force(list, c, k, side);
            add_row(list, c, row, 0, k, mu);
        }
}

// stiffness of row k of a constraint whose rows stand for themselves
static double stiffness_of(const row_list *list, const tx_constraint *c, int k) {
    double D = number_of(list, c, TX_NUMBER_D);
    if (c->type == TX_ROW_EQUALITY) {
        const double own = k % 3 ? number_of(list, c, TX_NUMBER_D_ROW + k - (k < 3 ? 1 : 2)) : 0;
        return own > 0 ? own : k < 3 ? D : number_of(list, c, TX_NUMBER_D2);
    }
    if (k == 0) return D;
    double ratio = number_of(list, c, TX_NUMBER_MU + k - 1) / number_of(list, c, TX_NUMBER_CONE);
    return D * ratio * ratio;
}

// the rows of a constraint, where it acts; id: what MuJoCo calls it
static void add_rows(row_list *list, const tx_constraint *c, int id) {
    const tx_problem *p = &list->b->problem;
    const int lane = list->lane;
    tx_row row = {.type = c->type, .id = id, .D = number_of(list, c, TX_NUMBER_D)};
    if (!(row.D > 0)) return;
    row.margin = tx_lane(list->b, list->b->row_margin, (int)(c - p->cons), lane);
    row.pos = tx_lane(list->b, list->b->row_gap, c->row, lane);
    if (c->type == TX_ROW_PYRAMIDAL) {
        add_edges(list, c, row);
        return;
    }
    for (int k = 0; k < c->dim; k++) {
        row.pos = tx_lane(list->b, list->b->row_gap, c->row + k, lane);
        row.D = stiffness_of(list, c, k);
        row.aref = reference_of(list, c, k);
        row.force = tx_lane(list->b, p->gamma, c->row + k, lane);
        if (k == 1) row.margin = 0; // friction rows have no distance
        add_row(list, c, row, k, 0, 0);
    }
}

// the number of what made a constraint, in MuJoCo's terms
static int source_of(const tx_model *m, const tx_constraint *c) {
    return c->type == TX_ROW_LIMIT ? m->limit_jnt[c->id] : c->type == TX_ROW_TENDON_LIMIT ? c->id / 2 : c->id;
}

int tx_sim_rows(tx_sim *sim, int env, tx_row *rows, double *jacobian, int room) {
    int lane;
    tx_block *b = sim ? tx_sim_block(sim, env, &lane) : NULL;
    if (!b || (room > 0 && !rows) || room < 0) return -1;
    const tx_problem *p = &b->problem;
    row_list list = {b, lane, rows, jacobian, 0, room};
    for (int i = 0; i < p->ncons - b->nslots; i++)
        if (p->cons[i].type >= 0) add_rows(&list, &p->cons[i], source_of(b->m, &p->cons[i]));
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *contact = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        const int slot = tx_contact_slot(b, contact);
        if (slot >= 0) add_rows(&list, tx_slot_constraint(b, slot), i);
    }
    return list.count;
}

// ---- status and timers --------------------------------------------------------------------------------------------

int tx_sim_diverged(const tx_sim *sim) {
    int count = 0;
    for (int e = 0; sim && e < sim->envs; e++) count += sim->bad[e] != 0;
    return sim ? count : -1;
}

tx_result tx_sim_status(const tx_sim *sim, int env) {
    if (!sim || env < 0 || env >= sim->envs) return TX_ERROR_ARGUMENT;
    return sim->bad[env] ? TX_ERROR_DIVERGED : TX_OK;
}

// the first number of the user's that is not finite, as "; its control 2 'hip' is nan"; "" if there is none
static void describe_input(const tx_sim *sim, int env, char *text, size_t size) {
    static const struct {
        tx_array array;
        const char *what;
    } INPUTS[] = {{TX_ARRAY_CTRL, "control"},
                  {TX_ARRAY_QFRC_APPLIED, "qfrc_applied"},
                  {TX_ARRAY_XFRC_APPLIED, "xfrc_applied"},
                  {TX_ARRAY_MOCAP_POS, "mocap_pos"},
                  {TX_ARRAY_MOCAP_QUAT, "mocap_quat"}};
    text[0] = 0;
    for (size_t k = 0; k < sizeof INPUTS / sizeof INPUTS[0]; k++) {
        const int width = sim->width[INPUTS[k].array];
        const double *row = sim->arrays[INPUTS[k].array] + (size_t)env * (size_t)width;
        for (int i = 0; i < width; i++) {
            if (isfinite(row[i])) continue;
            const char *name = k == 0 ? tx_element_name(sim->m, TX_ELEMENT_ACTUATOR, i) : NULL;
            snprintf(text, size, "; its %s %d%s%.40s%s is %g", INPUTS[k].what, i, name ? " '" : "", name ? name : "",
                     name ? "'" : "", row[i]);
            return;
        }
    }
}

int tx_sim_status_text(const tx_sim *sim, int env, char *buffer, size_t size) {
    tx_result status = tx_sim_status(sim, env);
    if (status != TX_ERROR_DIVERGED) return snprintf(buffer, size, "%s", tx_result_text(status));
    const tx_model *m = sim->m;
    char input[128];
    describe_input(sim, env, input, sizeof input);
    int dof = sim->bad[env] - 1, joint = m->dof_jnt[dof], body = m->dof_body[dof];
    const char *body_name = tx_element_name(m, TX_ELEMENT_BODY, body),
               *joint_name = tx_element_name(m, TX_ELEMENT_JOINT, joint);
    return snprintf(
        buffer, size,
        "environment %d diverged at t = %g s: acceleration, velocity or position of dof %d (joint %d '%s', body %d "
        "'%s') is not finite or beyond 1e10; it stands at its last good state%s",
        env, sim->bad_time[env], dof, joint, joint_name, body, body_name, input);
}

tx_convergence tx_sim_convergence(const tx_sim *sim, int env) {
    if (!sim || env < 0 || env >= sim->envs) return (tx_convergence){0};
    const tx_tally *t = &sim->tallies[env];
    return (tx_convergence){t->env_steps, t->not_converged, t->iterations, t->worst_solve_error};
}

int tx_sim_awake(const tx_sim *sim, int env) {
    if (!sim || env < 0 || env >= sim->envs) return -1;
    int awake = sim->m->ntree;
    for (int t = 0; t < sim->m->nsleep; t++)
        awake -= sim->arrays[TX_ARRAY_TREE_ASLEEP][(size_t)env * (size_t)sim->m->nsleep + (size_t)t] >= 0;
    return awake;
}

tx_info tx_sim_info(const tx_sim *sim) {
    if (!sim) return (tx_info){0};
    tx_info info = {.grown = sim->grown};
    for (int e = 0; e < sim->envs; e++) {
        const tx_tally *t = &sim->tallies[e];
        info.env_steps += t->env_steps, info.not_converged += t->not_converged, info.iterations += t->iterations;
        if (t->worst_solve_error > info.worst_solve_error) info.worst_solve_error = t->worst_solve_error;
    }
    for (int i = 0; i < sim->nblocks; i++) {
        const tx_block *b = sim->blocks[i];
        double scale = b->timed_steps > 0 ? (double)b->steps / (double)b->timed_steps : 0;
        for (int s = 0; s < TX_STAGE_COUNT; s++) info.stage_seconds[s] += scale * b->stage_seconds[s];
    }
    info.diverged = tx_sim_diverged(sim);
    for (int e = 0; e < sim->envs; e++) info.awake += tx_sim_awake(sim, e);
    info.trees = (long long)sim->envs * sim->m->ntree;
    return info;
}

void tx_sim_info_clear(tx_sim *sim) {
    if (!sim) return;
    sim->grown = 0;
    memset(sim->tallies, 0, sizeof *sim->tallies * (size_t)sim->envs);
    for (int i = 0; i < sim->nblocks; i++) {
        memset(sim->blocks[i]->stage_seconds, 0, sizeof sim->blocks[i]->stage_seconds);
        sim->blocks[i]->steps = sim->blocks[i]->timed_steps = 0;
    }
}

const char *tx_stage_name(tx_stage stage) {
    static const char *const names[] = {
#define X(NAME, name, meaning) [TX_STAGE_##NAME] = #name,
        TX_STAGES(X)
#undef X
    };
    return (int)stage >= 0 && stage < TX_STAGE_COUNT ? names[stage] : NULL;
}
