// block.c - memory of a block, and the step.
#include "step/block.h"

#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "base/fpenv.h"
#include "base/memory.h"
#include "base/task.h"
#include "collide/collider.h"
#include "collide/couples.h"
#include "collide/detect.h"
#include "model/sensor.h"
#include "rows/rows.h"
#include "solver/solver_list.h"
#include "step/adhesion.h"
#include "step/flock.h"
#include "step/history.h"
#include "step/kept.h"
#include "step/sense.h"
#include "step/shortcuts.h"
#include "step/sleep.h"
#include "step/still.h"

// ---- memory -------------------------------------------------------------------------------------------------------

static size_t rounded(size_t size) { return (size + 63u) & ~(size_t)63u; }

// takes `size` bytes of the memory that is laid out; null while sizes are only added up
static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += rounded(size);
    return here;
}

// the fixed arrays; with memory it sets the pointers
static size_t lay_out_fixed(tx_block *b, char *memory) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    const size_t unit = (size_t)b->lanes * (size_t)b->number_size, nv = (size_t)m->nv, lanes = (size_t)b->lanes;
    size_t at = 0;
#define X(NAME, name, count, meaning) b->name = take(&at, memory, unit * (size_t)(count));
    TX_STATE(X)
    TX_OUTPUT(X)
#undef X
#define X(name, count, meaning) b->name = take(&at, memory, unit * (size_t)(count));
    TX_WORK(X)
#undef X
    p->A_columns = take(&at, memory, nv * sizeof(uint64_t));
    p->blocks = take(&at, memory, nv * sizeof(tx_dof_block));
    p->dof_block = take(&at, memory, nv * sizeof(int));
    b->chain_pieces = take(&at, memory, (size_t)m->nbody * sizeof(int));
    b->ncontact = take(&at, memory, lanes * sizeof(int));
    b->bad = take(&at, memory, lanes * sizeof(int));
    b->frozen = take(&at, memory, lanes);
    p->unsolved = b->unsolved = take(&at, memory, lanes);
    b->parts = take(&at, memory, b->large ? TX_MOST_PARTS * sizeof *b->parts : 0);
    b->meets = take(&at, memory, (size_t)m->ngeom);
    b->shortcuts.body_straight = take(&at, memory, (size_t)m->nbody);
    b->shortcuts.joint_centred = take(&at, memory, (size_t)m->njnt);
    b->shortcuts.geom_inertial = take(&at, memory, (size_t)m->ngeom);
    b->shortcuts.actuator_plain = take(&at, memory, (size_t)m->nactuator);
    char *sleep = take(&at, memory, tx_sleep_lay_out(b, NULL));
    if (memory) tx_sleep_lay_out(b, sleep);
    char *still = take(&at, memory, tx_still_lay_out(b, NULL));
    if (memory) tx_still_lay_out(b, still);
    int *stop = take(&at, memory, nv * sizeof(int));
    uint8_t *trunk = take(&at, memory, nv);
    if (memory) tx_tree_scan(&b->tree, stop, trunk);
    return at;
}

// what means something only while the block works
static size_t lay_out_lent(tx_block *b, char *memory) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    const size_t unit = (size_t)b->lanes * (size_t)b->number_size, nv = (size_t)m->nv;
    size_t at = 0;
    // first: it outlasts a block's work, and blocks of any width have it at the same place
    p->rows = take(&at, memory, !b->large ? sizeof *p->rows : 0);
#define X(name, count, meaning) b->name = take(&at, memory, unit * (size_t)(count));
    TX_LENT(X)
#undef X
#define X(name, count, meaning) p->name = take(&at, memory, unit * (size_t)(count));
    TX_PROBLEM_WORK(X)
#undef X
    p->L = b->L, p->Linv = b->Linv;
    p->H = take(&at, memory, b->room && !b->large ? unit * nv * nv : 0);
    p->columns = take(&at, memory, nv * sizeof(uint64_t));
    size_t scratch = rounded(tx_detect_scratch(m, b->lanes));
    char *begin = take(&at, memory, scratch);
    if (memory) b->arena = (tx_arena){begin, begin + scratch};
    return at;
}

size_t tx_block_lent_size(const tx_target *t, const tx_model *m) {
    tx_block b = {.m = m, .lanes = t->lanes, .number_size = t->number_size, .room = 1, .large = tx_model_is_large(m)};
    return lay_out_lent(&b, NULL);
}

void tx_block_lend(tx_block *b, void *memory) {
    if (!b->lent) lay_out_lent(b, memory);
}

static void fetch(const void *memory, size_t size) {
    for (size_t i = 0; i < size; i += 64) __builtin_prefetch((const char *)memory + i, 1);
}

void tx_block_fetch_frame(const tx_block *b) { fetch(b, sizeof *b); }

void tx_block_fetch(const tx_block *b) {
    enum { MOST = 48 << 10 }; // more than the first-level cache would push out the block at work
    if (b->memory_size <= MOST) fetch(b->memory, b->memory_size);
}

// the arrays that grow: rows, slots and contact lists
static size_t lay_out_rows(tx_block *b, char *memory) {
    tx_problem *p = &b->problem;
    const size_t unit = (size_t)b->lanes * (size_t)b->number_size, found = (size_t)b->lanes * (size_t)b->room;
    const size_t slots = b->row_room.slots, rows = b->row_room.rows, cons = b->row_room.cons,
                 jacobian = b->row_room.jacobian, pieces = b->row_room.pieces, hessians = 6 * rows;
    size_t at = 0;
#define X(name, count, meaning) b->name = take(&at, memory, unit * (size_t)(count));
    TX_ROWS(X)
#undef X
#define X(name, count, meaning) p->name = take(&at, memory, unit * (size_t)(count));
    TX_PROBLEM_ROWS(X)
#undef X
    p->cons = take(&at, memory, cons * sizeof *p->cons);
    p->pieces = take(&at, memory, pieces * sizeof *p->pieces);
    b->piece_side = take(&at, memory, pieces);
    p->all_cons = take(&at, memory, cons * sizeof(int));
    b->slot = take(&at, memory, slots * sizeof *b->slot);
    b->contacts = take(&at, memory, found * sizeof *b->contacts);
    b->contact_special = take(&at, memory, found * sizeof(int));
    b->contact_ahead = take(&at, memory, found * sizeof(double));
    b->contact_slot = take(&at, memory, found * sizeof(int));
    return at;
}

static bool allocate_rows(tx_block *b) {
    tx_block measured = *b; // the pointers of b stay as they are until there is memory
    void *memory = tx_alloc(lay_out_rows(&measured, NULL));
    if (!memory) return false;
    tx_free(b->row_memory);
    b->row_memory = memory;
    lay_out_rows(b, memory);
    return true;
}

// what x is, and where dynamics write the problem
static void set_unit(tx_block *b, tx_unit unit) {
    tx_problem *p = &b->problem;
    p->unit = unit;
    if (unit == TX_UNIT_VELOCITY) {
        p->A = b->A, p->x_star = b->free_vel, p->warm = b->first_vel, p->x = b->step_vel, p->force = b->impulse;
        p->time = b->opt->timestep;
    } else {
        p->A = b->M, p->x_star = b->qacc_smooth, p->warm = b->qacc_warmstart;
        p->x = b->qacc, p->force = b->qfrc_constraint, p->time = 1;
    }
}

// what never changes: blocks, the pattern of A, pieces of each body's chain
static void start_problem(tx_block *b) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    tx_dof_block *blocks = (tx_dof_block *)p->blocks;
    int *dof_block = (int *)p->dof_block;
    p->lanes = b->lanes, p->number_size = b->number_size;
    p->nv = m->nv, p->tree = b->tree;
    p->nblocks = tx_cut_dofs(m, blocks, dof_block);
    set_unit(b, TX_UNIT_ACCELERATION);
    p->iterations = b->iterations, p->gradient = b->gradient, p->solve_error = b->solve_error,
    p->solver_used = b->solver_used, p->noslip_gain = b->noslip_gain;
    for (int i = 0; i < m->nbody; i++) {
        b->chain_pieces[i] = 0;
        for (int d = m->body_lastdof[i]; d >= 0; d = m->dof_parent[blocks[dof_block[d]].dof]) b->chain_pieces[i]++;
    }
    for (int d = 0; d < m->nv && !b->large; d++)
        p->A_columns[d] = (uint64_t)1 << d | (m->dof_parent[d] < 0 ? 0 : p->A_columns[m->dof_parent[d]]);
}

// a geom that only shows need not be placed in every step
static void mark_meeting(tx_block *b) {
    int count;
    const int *geoms = tx_collider_boxed(b->collider, &count);
    for (int k = 0; k < count; k++) b->meets[geoms[k]] = 1;
}

// whether an actuator drives one of these dofs and does nothing else
static bool drives(const tx_model *m, int actuator, tx_range dofs) {
    if (!tx_actuator_is_plain(m, actuator)) return false;
    const int dof = m->jnt_dofadr[m->actuator_trnid[actuator]];
    return dof >= dofs.begin && dof < dofs.end;
}

// children of the world that follow each other, until they have so many dofs that a thread is worth waking
static void cut_parts(tx_block *b) {
    enum { LEAST_DOFS = 48 };
    const tx_model *m = b->m;
    const int wanted = m->nv / TX_MOST_PARTS + 1 > LEAST_DOFS ? m->nv / TX_MOST_PARTS + 1 : LEAST_DOFS;
    tx_tree_part part = {.bodies = {1, 1}};
    for (int i = 1; i < m->nbody; i++) {
        part.bodies.end = i + 1;
        part.joints.end += m->body_jntnum[i], part.dofs.end += m->body_dofnum[i];
        if (i + 1 < m->nbody && (m->body_parent[i + 1] != 0 || part.dofs.end - part.dofs.begin < wanted)) continue;
        const bool last = i + 1 == m->nbody;
        while (part.actuators.end < m->nactuator && drives(m, part.actuators.end, part.dofs)) part.actuators.end++;
        part.geoms.end = last ? m->ngeom : m->body_geomadr[i + 1];
        part.qpos.end = part.joints.end < m->njnt ? m->jnt_qposadr[part.joints.end] : m->nq;
        b->parts[b->nparts++] = part;
        part = (tx_tree_part){{i + 1, i + 1},
                              {part.joints.end, part.joints.end},
                              {part.geoms.end, part.geoms.end},
                              {part.dofs.end, part.dofs.end},
                              {part.qpos.end, part.qpos.end},
                              {part.actuators.end, part.actuators.end}};
    }
    b->parts_drive = m->ntendon == 0 && part.actuators.end == m->nactuator;
}

// room for the fixed constraints and for contacts between bodies in the middle of the longest chains
static tx_row_room first_room(const tx_block *b, int slots) {
    const tx_model *m = b->m;
    tx_row_room room = b->fixed_room;
    size_t pieces = 1, dofs = 1;
    for (int i = 0; i < m->nbody; i++) {
        int last = m->body_lastdof[i];
        if (last >= 0 && (size_t)m->dof_mnum[last] > dofs) dofs = (size_t)m->dof_mnum[last];
        if ((size_t)b->chain_pieces[i] > pieces) pieces = (size_t)b->chain_pieces[i];
    }
    room.slots = (size_t)slots;
    room.cons += room.slots, room.rows += 3 * room.slots;
    room.pieces += room.slots * (pieces + 1), room.jacobian += 3 * room.slots * (dofs + 6);
    return room;
}

tx_block *tx_block_create(const tx_target *t, const tx_model *m, const tx_options *options, int contact_room,
                          void *lent) {
    tx_block *b = tx_alloc(sizeof *b);
    if (!b) return NULL;
    b->tree = (tx_tree){.n = m->nv, .parent = m->dof_parent, .first = m->dof_madr, .count = m->dof_mnum};
    b->m = m, b->opt = options, b->lanes = t->lanes, b->number_size = t->number_size;
    const bool solves = contact_room > 0;
    b->room = contact_room;
    b->large = tx_model_is_large(m);
    b->has_paths = m->nwrap > 0;
    for (int i = 0; i < m->nactuator; i++) {
        int trn = m->actuator_trn[i];
        b->has_paths |= trn == TX_TRANSMISSION_SITE || trn == TX_TRANSMISSION_CRANK || m->actuator_trnref[i] >= 0;
        b->has_adhesion |= trn == TX_TRANSMISSION_BODY;
    }
    b->senses_geoms = tx_model_senses_geoms(m), b->senses_cameras = tx_model_senses_cameras(m);
    b->senses_forces = tx_model_senses(m, TX_SENSOR_BIT(FORCE) | TX_SENSOR_BIT(TORQUE));
    b->senses_accelerations =
        b->senses_forces ||
        tx_model_senses(m, TX_SENSOR_BIT(ACCELEROMETER) | TX_SENSOR_BIT(FRAMELINACC) | TX_SENSOR_BIT(FRAMEANGACC));
    b->memory_size = lay_out_fixed(b, NULL);
    b->memory = tx_alloc(b->memory_size);
    b->collider = solves ? tx_collider_create(m, b->lanes) : NULL;
    b->lent = lent ? NULL : tx_alloc(lay_out_lent(b, NULL));
    b->couples = solves && b->lanes == 1 ? tx_couples_create(m) : NULL;
    bool ok = b->memory && (lent || b->lent) && (!solves || (b->collider && (b->lanes > 1 || b->couples)));
    if (ok) {
        lay_out_fixed(b, b->memory);
        lay_out_lent(b, lent ? lent : b->lent);
        start_problem(b);
        b->driven = (tx_driven){{0, m->nactuator}, {0, m->njnt}, {0, m->nv}};
        if (b->large) cut_parts(b);
        if (solves) mark_meeting(b);
        if (solves) b->fixed_room = tx_fixed_room(m), b->row_room = first_room(b, contact_room);
        ok = allocate_rows(b) && (!solves || !b->large || tx_islands_create(&b->islands, &b->problem, contact_room));
    }
    if (ok) return b;
    tx_block_destroy(b);
    return NULL;
}

void tx_block_destroy(tx_block *b) {
    if (!b) return;
    tx_collider_destroy(b->collider);
    tx_couples_destroy(b->couples);
    tx_islands_destroy(&b->islands);
    tx_dual_destroy(&b->dual);
    tx_kept_destroy(&b->kept);
    tx_flocks_destroy(b->flocks);
    tx_free(b->memory);
    tx_free(b->lent);
    tx_free(b->row_memory);
    tx_free(b);
}

static size_t grown(size_t have, size_t need) {
    return need <= have ? have : need > have + have / 2 ? need : have + have / 2;
}

static tx_row_room grown_room(const tx_row_room *have, const tx_row_room *need) {
    return (tx_row_room){grown(have->slots, need->slots), grown(have->cons, need->cons), grown(have->rows, need->rows),
                         grown(have->pieces, need->pieces), grown(have->jacobian, need->jacobian)};
}

bool tx_block_grow(tx_block *b) {
    // pairs first: before they are complete nothing is known of the contacts
    if (tx_collider_lacks_room(b->collider)) return tx_collider_grow(b->collider);
    // longer contact lists then: only when they are complete do the slots needed show
    const int room = b->room;
    const tx_row_room row_room = b->row_room;
    tx_row_room need;
    size_t most = 0;
    for (int e = 0; e < b->lanes; e++)
        if ((size_t)b->ncontact[e] > most) most = (size_t)b->ncontact[e];
    if (most > (size_t)b->room) {
        size_t wanted = grown((size_t)b->room, most);
        b->room = wanted < INT_MAX ? (int)wanted : (int)most;
    } else if (!b->placed && !tx_place_contacts(b, &need)) b->row_room = grown_room(&b->row_room, &need);
    else if (b->lacks_dual) return tx_dual_grow(&b->dual, &b->problem);
    else if (b->lacks_kept) return tx_kept_grow(b);
    else return tx_islands_grow(&b->islands, &b->problem);
    // offsets into J are ints
    if (b->row_room.jacobian < INT_MAX && allocate_rows(b)) return true;
    b->room = room, b->row_room = row_room;
    return false;
}

// ---- the step -----------------------------------------------------------------------------------------------------

enum { TIMED_OFTEN = 64 }; // so many steps are timed one in eight, later ones one in so many: a power of two

static double lap(tx_block *b, tx_stage stage, double since) {
    if (!b->timed) return 0;
    double now = tx_clock();
    b->stage_seconds[stage] += now - since;
    return now;
}

// kinematics → detect → free motion → assemble; false: no room. woke: something that slept has to be in it
static bool state_once(const tx_target *t, tx_block *b, bool want_geoms, double *clock, bool *woke) {
    const bool sleeps = b->m->nsleep > 0;
    set_unit(b, (tx_unit)t->unit_of(b->opt->law, b->opt->integrator));
    t->kinematics(b);
    *clock = lap(b, TX_STAGE_KINEMATICS, *clock);
    tx_row_room need;
    bool complete = true;
    b->ahead = t->law_ahead(b->opt->law);
    // rigid contacts are found ahead anyway
    if (b->ahead == TX_AHEAD_NONE && b->opt->speculative) b->ahead = TX_AHEAD_FOLLOWED;
    b->geoms_placed = want_geoms || b->m->nsleep > 0 || (b->senses_geoms && b->opt->sensor);
    const bool wanted = tx_detect_wanted(b), in_lanes = wanted && tx_detect_in_lanes(b);
    // one environment places geoms once their bodies are near something
    if (b->geoms_placed) t->geom_poses(b);
    else if (wanted && !(b->lanes == 1 && in_lanes)) t->meeting_geom_poses(b);
    if (b->ahead != TX_AHEAD_NONE && wanted) t->velocities(b);
    b->placed = b->filled = false;
    if (in_lanes) complete = t->detect(b);
    else if (!wanted) memset(b->ncontact, 0, sizeof *b->ncontact * (size_t)b->lanes);
    else
        for (int e = 0; e < b->lanes; e++) complete = tx_detect(b, e) && complete;
    if (!complete) return false;
    if ((*woke = sleeps && tx_sleep_wake_touching(b))) return true;
    if (!b->placed && !tx_place_contacts(b, &need)) return false;
    for (int e = 0; e < b->lanes && b->has_adhesion; e++) tx_adhesion_moments(b, e);
    for (int e = 0; e < b->lanes && b->m->nhistory > 0; e++) tx_history_controls(b, e, b->stage_time);
    *clock = lap(b, TX_STAGE_DETECT, *clock);
    t->free_motion(b);
    *clock = lap(b, TX_STAGE_FREE_MOTION, *clock);
    t->assemble(b);
    *woke = sleeps && tx_sleep_wake_coupled(b);
    *clock = lap(b, TX_STAGE_ASSEMBLE, *clock);
    return true;
}

static bool state_problem(const tx_target *t, tx_block *b, bool want_geoms, double *clock) {
    bool woke = true;
    b->stepped = false;
    while (woke)
        if (!state_once(t, b, want_geoms, clock, &woke)) return false;
    tx_sleep_placed(b);
    tx_still_placed(b);
    return true;
}

// the numbers of the sensors
static void sense(const tx_target *t, tx_block *b) {
    if (b->senses_geoms && !b->geoms_placed) {
        t->geom_poses(b);
        b->geoms_placed = true;
    }
    t->site_poses(b);
    if (b->senses_cameras) t->camera_poses(b);
    for (int e = 0; e < b->lanes; e++) tx_sense(b, e);
    t->sensors(b);
    for (int e = 0; e < b->lanes && b->m->nhistory > 0; e++) tx_history_sensors(b, e);
}

// what a solver has to know of the constraints' structure; false: no room
static bool find_structure(const tx_target *t, tx_block *b) {
    tx_problem *p = &b->problem;
    const tx_options *o = b->opt;
    if (p->ncons == 0) return true;
    if (b->large && !tx_islands_find(&b->islands, p)) return false;
    if (!t->solver_is_dual(o->solver) && o->noslip_iterations == 0) return true;
    const tx_islands *coloured = b->large && tx_solver_packs(o->solver) ? &b->islands : NULL;
    const double tolerance = o->tolerance >= 0 ? o->tolerance : t->law_tolerance(o->law);
    const int parts = tx_solver_parts(o->solver, tolerance, p->trace, tx_pool_together(b->pool));
    b->lacks_dual = !tx_dual_find(&b->dual, p, coloured, parts);
    return !b->lacks_dual;
}

typedef struct before_solving {
    const tx_target *t;
    tx_block *b;
    bool found;
} before_solving;

// that, and the last forces: neither needs the other
static void prepare(void *context, int item) {
    before_solving *j = context;
    tx_block *b = j->b;
    if (item == 0) {
        j->found = find_structure(j->t, b);
        return;
    }
    tx_fpenv env = tx_fpenv_enter();
    b->lacks_kept = b->problem.guessed && !tx_kept_fits(b);
    if (b->problem.guessed && !b->lacks_kept) tx_kept_guess(b);
    tx_fpenv_leave(env);
}

// the solution, and what the sensors feel of it; false: no room
static bool answer(const tx_target *t, tx_block *b, bool want_sensors, double *clock) {
    before_solving j = {.t = t, .b = b};
    b->lacks_dual = b->lacks_kept = false;
    b->problem.coupling = tx_solver_coupling(b->opt->solver);
    // rigid contacts begin with their last forces
    b->problem.guessed = tx_ahead_is_rigid(b->ahead) && b->opt->warmstart;
    if (b->problem.ncons == 0 && !b->problem.guessed) j.found = true;
    else if (b->pool && b->problem.guessed) tx_pool_run(b->pool, prepare, &j, 2);
    else prepare(&j, 0), prepare(&j, 1);
    if (!j.found || b->lacks_kept) return false;
    t->solve(b);
    *clock = lap(b, TX_STAGE_SOLVE, *clock);
    if (!want_sensors || b->m->nsensor == 0 || !b->opt->sensor) return true;
    sense(t, b);
    *clock = lap(b, TX_STAGE_SENSE, *clock);
    return true;
}

// the same, and the answer of the contact problem; a step of several stages senses in the first, as MuJoCo does
static bool evaluate(const tx_target *t, tx_block *b, bool want_geoms, bool want_sensors, double *clock) {
    return state_problem(t, b, want_geoms, clock) && answer(t, b, want_sensors, clock);
}

// islands that stand still stop, and what they then feel is what they keep; false: no room
static bool fall_asleep(const tx_target *t, tx_block *b, double *clock) {
    if (b->m->nsleep == 0 || !tx_sleep_settle(b)) return true;
    t->free_motion(b);
    t->assemble(b);
    if (!answer(t, b, true, clock)) return false;
    tx_sleep_commit(b);
    return true;
}

bool tx_block_forward(const tx_target *t, tx_block *b) {
    double clock = 0;
    b->timed = false, b->stage_time = 0;
    if (!evaluate(t, b, true, true, &clock)) return false;
    t->energies(b);
    return true;
}

bool tx_block_inverse(const tx_target *t, tx_block *b) {
    double clock = 0;
    b->timed = false, b->stage_time = 0;
    tx_sleep_suspend(b);
    bool stated = state_problem(t, b, true, &clock);
    if (stated) t->inverse(b);
    tx_sleep_resume(b);
    return stated;
}

bool tx_block_step(const tx_target *t, tx_block *b) {
    b->timed = (b->steps & (b->steps < TIMED_OFTEN ? 7 : TIMED_OFTEN - 1)) == 0;
    double clock = b->timed ? tx_clock() : 0;
    bool staged = b->opt->integrator == TX_INTEGRATOR_RK4 || b->opt->integrator == TX_INTEGRATOR_MIDPOINT;
    if (staged) t->begin_stages(b);
    for (int e = 0; e < b->lanes && b->m->nhistory > 0; e++) tx_history_begin(b, e);
    for (int stage = 0;; stage++) {
        static const double AHEAD[] = {0, 0.5, 0.5, 1};
        b->stage_time = b->opt->integrator == TX_INTEGRATOR_RK4 ? AHEAD[stage] * b->opt->timestep : 0;
        if (!evaluate(t, b, false, stage == 0, &clock)) {
            if (staged) t->abandon_stages(b);
            return false;
        }
        if (!fall_asleep(t, b, &clock)) return false;
        bool done = true;
        if (staged) done = t->next_stage(b, stage);
        else t->integrate(b);
        clock = lap(b, TX_STAGE_INTEGRATE, clock);
        if (!done) continue;
        for (int e = 0; e < b->lanes && b->m->nhistory > 0; e++) tx_history_end(b, e);
        if (b->problem.guessed) tx_kept_store(b);
        b->steps++;
        b->stepped = true;
        b->timed_steps += b->timed;
        if (b->m->nsleep > 0 && b->m->nsensordata > 0)
            memcpy(b->sensor_kept, b->sensordata, tx_lane_bytes(b, b->m->nsensordata));
        return true;
    }
}
