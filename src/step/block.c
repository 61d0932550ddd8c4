// block.c - memory of a block, and the step.
#include "step/block.h"

#include "base/clock.h"
#include "base/memory.h"
#include "collide/collider.h"
#include "collide/detect.h"
#include "problem/place.h"
#include "step/adhesion.h"
#include "step/sense.h"

// ---- memory -------------------------------------------------------------------------------------------------------

static size_t rounded(size_t size) { return (size + 63u) & ~(size_t)63u; }

// walks the fixed arrays; with memory it sets the pointers
static size_t lay_out_fixed(tx_block *b, char *memory) {
    const tx_model *m = b->m;
    const size_t unit = (size_t)b->lanes * (size_t)b->number_size;
    size_t at = 0;
#define ARRAY_AT(name, count)                  \
    {                                          \
        if (memory) b->name = memory + at;     \
        at += rounded(unit * (size_t)(count)); \
    }
#define X(NAME, name, count, meaning) ARRAY_AT(name, count)
    TX_STATE(X)
    TX_OUTPUT(X)
#undef X
#define X(name, count, meaning) ARRAY_AT(name, count)
    TX_WORK(X)
#undef X
    size_t lanes = (size_t)b->lanes;
    if (memory) b->ncontact = (int *)(memory + at);
    at += rounded(lanes * sizeof(int));
    if (memory) tx_tree_scan(&b->tree, (int *)(memory + at), (bool *)(memory + at + sizeof(int) * (size_t)m->nv));
    at += rounded((sizeof(int) + sizeof(bool)) * (size_t)m->nv);
    if (memory) b->bad = (int *)(memory + at);
    at += rounded(lanes * sizeof(int));
    if (memory) b->frozen = (uint8_t *)(memory + at);
    at += rounded(lanes);
    if (memory) b->unsolved = (uint8_t *)(memory + at);
    at += rounded(lanes);
    size_t scratch = rounded(tx_detect_scratch(m));
    if (memory) b->arena = (tx_arena){memory + at, memory + at + scratch};
    return at + scratch;
}

// the arrays that grow: rows, slots and contact lists
static size_t lay_out_rows(tx_block *b, char *memory) {
    const tx_model *m = b->m;
    const size_t unit = (size_t)b->lanes * (size_t)b->number_size;
    const int slots = b->slots, rows = b->rows, cons = tx_fixed_constraints(m) + b->slots;
    size_t at = 0;
#define X(name, count, meaning) ARRAY_AT(name, (size_t)(count))
    TX_ROWS(X)
#undef X
#undef ARRAY_AT
    if (memory) b->cons = (tx_constraint *)(memory + at);
    at += rounded((size_t)cons * sizeof(tx_constraint));
    if (memory) b->slot_dim = (int *)(memory + at);
    at += rounded((size_t)slots * sizeof(int));
    if (memory) b->contacts = (tx_contact *)(memory + at);
    at += rounded((size_t)b->lanes * (size_t)b->room * sizeof(tx_contact));
    return at;
}

static bool allocate_rows(tx_block *b) {
    void *memory = tx_alloc(lay_out_rows(b, NULL));
    if (!memory) return false;
    tx_free(b->row_memory);
    b->row_memory = memory;
    lay_out_rows(b, memory);
    return true;
}

tx_block *tx_block_create(const tx_target *t, const tx_model *m, const tx_options *options, int contact_room) {
    tx_block *b = tx_alloc(sizeof *b);
    if (!b) return NULL;
    b->tree = (tx_tree){.n = m->nv, .parent = m->dof_parent, .first = m->dof_madr, .count = m->dof_mnum};
    b->m = m, b->opt = options, b->lanes = t->lanes, b->number_size = t->number_size;
    b->room = b->slots = contact_room > 0 ? contact_room : 1;
    b->rows = tx_fixed_rows(m) + 3 * b->slots;
    b->has_paths = m->nwrap > 0;
    for (int i = 0; i < m->nu; i++) {
        int trn = m->actuator_trn[i];
        b->has_paths |= trn == TX_TRN_SITE || trn == TX_TRN_CRANK || m->actuator_trnref[i] >= 0;
        b->has_adhesion |= trn == TX_TRN_BODY;
    }
    b->memory = tx_alloc(lay_out_fixed(b, NULL));
    b->collider = tx_collider_create(m, b->lanes);
    if (!b->memory || !b->collider || !allocate_rows(b)) {
        tx_block_destroy(b);
        return NULL;
    }
    lay_out_fixed(b, b->memory);
    return b;
}

void tx_block_destroy(tx_block *b) {
    if (!b) return;
    tx_collider_destroy(b->collider);
    tx_free(b->memory);
    tx_free(b->row_memory);
    tx_free(b);
}

static int grown(int have, int need) { return need <= have ? have : need > have + have / 2 ? need : have + have / 2; }

bool tx_block_grow(tx_block *b) {
    // pairs first: before they are complete nothing is known of the contacts
    if (tx_collider_lacks_room(b->collider)) return tx_collider_grow(b->collider);
    // longer contact lists then: only when they are complete do the slots needed show
    tx_block before = *b;
    int most = 0, slots = 0, rows = 0;
    for (int e = 0; e < b->lanes; e++)
        if (b->ncontact[e] > most) most = b->ncontact[e];
    if (most > b->room) b->room = grown(b->room, most);
    else if (!tx_place_contacts(b, &slots, &rows)) {
        b->slots = grown(b->slots, slots);
        b->rows = grown(b->rows, rows);
    }
    if (allocate_rows(b)) return true;
    b->room = before.room, b->slots = before.slots, b->rows = before.rows;
    return false;
}

// ---- the step -----------------------------------------------------------------------------------------------------

static double lap(tx_block *b, tx_stage stage, double since) {
    if (!b->timed) return 0;
    double now = tx_clock();
    b->stage_seconds[stage] += now - since;
    return now;
}

// kinematics → detect → free motion → assemble; false: no room
static bool state_problem(const tx_target *t, tx_block *b, bool want_geoms, double *clock) {
    t->kinematics(b);
    *clock = lap(b, TX_STAGE_kinematics, *clock);
    int slots, rows;
    bool complete = true;
    b->geoms_placed = tx_detect_wanted(b) || want_geoms;
    if (b->geoms_placed) t->geom_poses(b);
    for (int e = 0; e < b->lanes; e++) complete = tx_detect(b, e) && complete;
    if (!complete || !tx_place_contacts(b, &slots, &rows)) return false;
    for (int e = 0; e < b->lanes && b->has_adhesion; e++) tx_adhesion_moments(b, e);
    *clock = lap(b, TX_STAGE_detect, *clock);
    t->free_motion(b);
    *clock = lap(b, TX_STAGE_free_motion, *clock);
    t->assemble(b);
    *clock = lap(b, TX_STAGE_assemble, *clock);
    return true;
}

// the numbers of the sensors
static void sense(const tx_target *t, tx_block *b) {
    if (!b->geoms_placed) t->geom_poses(b);
    b->geoms_placed = true;
    t->site_poses(b);
    for (int e = 0; e < b->lanes; e++) tx_sense(b, e);
    t->sensors(b);
}

// the same, and the answer of the contact problem; a step of several stages senses in the first, as MuJoCo does
static bool evaluate(const tx_target *t, tx_block *b, bool want_geoms, bool want_sensors, double *clock) {
    if (!state_problem(t, b, want_geoms, clock)) return false;
    t->solve(b);
    if (want_sensors && b->m->nsensor > 0 && b->opt->sensor) sense(t, b);
    *clock = lap(b, TX_STAGE_solve, *clock);
    return true;
}

bool tx_block_forward(const tx_target *t, tx_block *b) {
    double clock = 0;
    b->timed = false;
    if (!evaluate(t, b, true, true, &clock)) return false;
    t->energies(b);
    return true;
}

bool tx_block_inverse(const tx_target *t, tx_block *b) {
    double clock = 0;
    b->timed = false;
    if (!state_problem(t, b, true, &clock)) return false;
    t->inverse(b);
    return true;
}

bool tx_block_step(const tx_target *t, tx_block *b) {
    b->timed = b->steps % 8 == 0;
    double clock = b->timed ? tx_clock() : 0;
    bool staged = b->opt->integrator == TX_RK4 || b->opt->integrator == TX_MIDPOINT;
    if (staged) t->begin_stages(b);
    for (int stage = 0;; stage++) {
        if (!evaluate(t, b, false, stage == 0, &clock)) {
            if (staged) t->abandon_stages(b);
            return false;
        }
        bool done = true;
        if (staged) done = t->next_stage(b, stage);
        else t->integrate(b);
        clock = lap(b, TX_STAGE_integrate, clock);
        if (!done) continue;
        b->steps++;
        b->timed_steps += b->timed;
        return true;
    }
}
