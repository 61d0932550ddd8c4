// kept.c - forces of the last step: stored in the axes of the world, found again by geoms and feature, or by row.
#include "step/kept.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/vec3.h"
#include "rows/rows.h"

// ---- memory ---------------------------------------------------------------------------------------------------------

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

static size_t lay_out(tx_kept *k, size_t lanes, char *memory) {
    size_t at = 0;
    for (int i = 0; i < 2; i++) k->list[i] = take(&at, memory, lanes * k->room * sizeof *k->list[i]);
    k->now = take(&at, memory, lanes * sizeof *k->now);
    k->last = take(&at, memory, lanes * sizeof *k->last);
    k->runs = take(&at, memory, (k->room + 1) * sizeof *k->runs);
    k->table = take(&at, memory, k->places * sizeof *k->table);
    return at;
}

static tx_kept_force *forces_of(const tx_kept *k, const tx_kept_list *of, size_t lane) {
    return k->list[of->list] + lane * k->room;
}

static void copy_forces(const tx_kept *to, const tx_kept *from, const tx_kept_list *of, size_t lane) {
    memcpy(forces_of(to, of, lane), forces_of(from, of, lane), sizeof(tx_kept_force) * (size_t)of->count);
}

bool tx_kept_reserve(tx_block *b, size_t room) {
    tx_kept *old = &b->kept, next = {.room = room, .places = 16};
    if (room <= old->room) return true;
    if (room > INT_MAX / 4) return false;
    while (next.places < 2 * room) next.places *= 2;
    const size_t lanes = (size_t)b->lanes;
    next.memory = tx_alloc(lay_out(&next, lanes, NULL));
    if (!next.memory) return false;
    lay_out(&next, lanes, next.memory);
    for (size_t e = 0; e < lanes && old->memory; e++) {
        next.now[e] = old->now[e], next.last[e] = old->last[e];
        copy_forces(&next, old, &old->last[e], e);
        if (old->now[e].list != old->last[e].list) copy_forces(&next, old, &old->now[e], e);
    }
    tx_free(old->memory);
    *old = next;
    return true;
}

void tx_kept_destroy(tx_kept *k) {
    tx_free(k->memory);
    *k = (tx_kept){0};
}

// constraints that are no contacts, and the contacts of a lane
static size_t needed(const tx_block *b) {
    int most = 0;
    for (int e = 0; e < b->lanes; e++) most = b->ncontact[e] > most ? b->ncontact[e] : most;
    return (size_t)(b->problem.ncons - b->nslots) + (size_t)most;
}

bool tx_kept_fits(const tx_block *b) { return needed(b) <= b->kept.room; }
bool tx_kept_grow(tx_block *b) {
    const size_t need = needed(b), half = b->kept.room + b->kept.room / 2;
    return tx_kept_reserve(b, need > half ? need : half);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

enum { CONTACT = -1 };

// number by number: a whole one that is put together elsewhere waits until its parts have been stored
static void set_key(tx_kept_force *f, int type, int id, int other, uint64_t feature) {
    f->type = type, f->id[0] = id, f->id[1] = other, f->unused = 0;
    f->feature = feature;
}
static void contact_key(const tx_contact *c, tx_kept_force *f) {
    set_key(f, CONTACT, c->geom[0], c->geom[1], c->feature);
}
static void row_key(const tx_constraint *c, tx_kept_force *f) { set_key(f, c->type, c->id, 0, 0); }

// of the same pair of geoms, or the same row
static bool same_pair(const tx_kept_force *a, const tx_kept_force *b) {
    return a->type == b->type && a->id[0] == b->id[0] && a->id[1] == b->id[1];
}

static size_t place_of(const tx_kept *k, const tx_kept_force *f) {
    uint64_t hash = 0;
    const uint64_t of[] = {(uint64_t)(uint32_t)f->type, (uint64_t)(uint32_t)f->id[0], (uint64_t)(uint32_t)f->id[1]};
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ of[i]) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
    }
    return (size_t)hash & k->mask;
}

// Where forces are looked for. Those of a pair follow each other, as a run, and what is looked for comes in the order
// of the step before unless something has come or gone: then a table tells where the run is
typedef struct search {
    tx_kept *k;
    const tx_kept_force *forces;
    int runs;
    int next;     // the run that is looked at first
    bool indexed; // the table is there
} search;

static search begin_search(tx_kept *k, const tx_kept_force *forces, int count) {
    search s = {.k = k, .forces = forces};
    for (int i = 0; i < count; i++)
        if (i == 0 || !same_pair(&forces[i], &forces[i - 1])) k->runs[s.runs++] = i;
    k->runs[s.runs] = count;
    return s;
}

// as few places as the runs need, because all are written
static void index_runs(search *s) {
    tx_kept *k = s->k;
    size_t places = 16;
    while (places < 2 * (size_t)s->runs) places *= 2;
    k->mask = places - 1;
    for (size_t i = 0; i < places; i++) k->table[i] = -1;
    for (int r = 0; r < s->runs; r++) {
        size_t at = place_of(k, &s->forces[k->runs[r]]);
        while (k->table[at] >= 0) at = (at + 1) & k->mask;
        k->table[at] = r;
    }
    s->indexed = true;
}

// the run of a key, s->runs: none; where it is there, the one behind it is looked at first the next time
static int find_run(search *s, const tx_kept_force *key) {
    const tx_kept *k = s->k;
    int run = s->next;
    if (run == s->runs || !same_pair(&s->forces[k->runs[run]], key)) {
        if (!s->indexed) index_runs(s);
        size_t at = place_of(k, key);
        while (k->table[at] >= 0 && !same_pair(&s->forces[k->runs[k->table[at]]], key)) at = (at + 1) & k->mask;
        if (k->table[at] < 0) return s->runs;
        run = k->table[at];
    }
    s->next = run + 1;
    return run;
}

static const tx_kept_force *find_in_run(const search *s, int run, uint64_t feature) {
    if (run == s->runs) return NULL;
    for (int i = s->k->runs[run]; i < s->k->runs[run + 1]; i++)
        if (s->forces[i].feature == feature) return &s->forces[i];
    return NULL;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// the frame has turned, and its dimension may have changed: friction is projected on the new tangents
static void guess_contact(const tx_block *b, int lane, const tx_contact *c, const tx_kept_force *f) {
    const tx_constraint *con = tx_slot_constraint(b, tx_contact_slot(b, c));
    const double h = b->problem.time;
    double along[6] = {0};
    for (int k = 0; k < (con->dim > 3 ? 2 : 1); k++)
        for (int r = 0; r < 3; r++) along[3 * k + r] = h * v3_dot(c->frame + 3 * r, f->force + 3 * k);
    if (!(along[0] > 0)) along[0] = 0;
    for (int r = 0; r < con->dim; r++) tx_lane_set(b, b->problem.guess, con->row + r, lane, along[r]);
}

static void guess_lane(const tx_block *b, int lane, search *s) {
    const tx_problem *p = &b->problem;
    const tx_contact *contacts = b->contacts + (size_t)lane * (size_t)b->room;
    for (int i = 0; i < p->ncons - b->nslots; i++) {
        const tx_constraint *c = &p->cons[i];
        tx_kept_force key;
        row_key(c, &key);
        const tx_kept_force *f = find_in_run(s, find_run(s, &key), 0);
        for (int r = 0; f && r < c->dim; r++) tx_lane_set(b, p->guess, c->row + r, lane, p->time * f->force[r]);
    }
    for (int i = 0, run = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *c = &contacts[i];
        if (i == 0 || c->geom[0] != c[-1].geom[0] || c->geom[1] != c[-1].geom[1]) {
            tx_kept_force key;
            contact_key(c, &key);
            run = find_run(s, &key);
        }
        const tx_kept_force *f = tx_contact_slot(b, c) < 0 ? NULL : find_in_run(s, run, c->feature);
        if (f) guess_contact(b, lane, c, f);
    }
}

void tx_kept_guess(tx_block *b) {
    tx_kept *k = &b->kept;
    memset(b->problem.guess, 0, tx_lane_bytes(b, b->problem.nrows));
    for (int e = 0; k->memory && e < b->lanes; e++) {
        if (k->now[e].count == 0) continue;
        search s = begin_search(k, forces_of(k, &k->now[e], (size_t)e), k->now[e].count);
        guess_lane(b, e, &s);
    }
}

// force and torque in the axes of the world; those that a contact does not have are zero
static void force_of_contact(const tx_block *b, int lane, const tx_contact *c, double force[6]) {
    const tx_constraint *con = tx_slot_constraint(b, tx_contact_slot(b, c));
    const double *n = c->frame, *t1 = n + 3, *t2 = n + 6;
    double gamma[6] = {0};
    for (int r = 0; r < con->dim; r++) gamma[r] = tx_lane(b, b->problem.gamma, con->row + r, lane);
    for (int i = 3; i < 6; i++) force[i] = 0;
    for (int k = 0; k < (con->dim > 3 ? 2 : 1); k++)
        for (int i = 0; i < 3; i++)
            force[3 * k + i] = 0 + n[i] * gamma[3 * k] + t1[i] * gamma[3 * k + 1] + t2[i] * gamma[3 * k + 2];
}

static bool pushes(const tx_kept_force *f) {
    // without branches: which contacts push changes from step to step
    int found = 0;
    for (int i = 0; i < 6; i++) found |= f->force[i] != 0;
    return found;
}

void tx_kept_store(tx_block *b) {
    const tx_problem *p = &b->problem;
    tx_kept *k = &b->kept;
    for (int e = 0; k->memory && e < b->lanes; e++) {
        if (b->frozen[e] || b->bad[e]) continue;
        // beside those that the last call left: it may come to nothing
        k->now[e].list = !k->last[e].list;
        tx_kept_force *forces = forces_of(k, &k->now[e], (size_t)e);
        int count = 0;
        for (int i = 0; i < p->ncons - b->nslots; i++) {
            const tx_constraint *c = &p->cons[i];
            tx_kept_force *f = &forces[count];
            row_key(c, f);
            for (int r = 0; r < 6; r++) f->force[r] = r < c->dim ? tx_lane(b, p->gamma, c->row + r, e) : 0;
            count += pushes(f);
        }
        for (int i = 0; i < b->ncontact[e]; i++) {
            const tx_contact *c = &b->contacts[(size_t)e * (size_t)b->room + (size_t)i];
            tx_kept_force *f = &forces[count];
            if (tx_contact_slot(b, c) < 0) continue;
            contact_key(c, f);
            force_of_contact(b, e, c, f->force);
            count += pushes(f);
        }
        k->now[e].count = count;
    }
}

// ---- a call ---------------------------------------------------------------------------------------------------------

void tx_kept_begin(tx_block *b) {
    for (int e = 0; b->kept.memory && e < b->lanes; e++) b->kept.now[e] = b->kept.last[e];
}

void tx_kept_publish(tx_block *b, int lane) {
    if (b->kept.memory) b->kept.last[lane] = b->kept.now[lane];
}

void tx_kept_clear(tx_block *b, int lane) {
    if (b->kept.memory) b->kept.last[lane].count = b->kept.now[lane].count = 0;
}

const tx_kept_force *tx_kept_last(const tx_kept *k, int lane, uint64_t *count) {
    *count = k->memory ? (uint64_t)k->last[lane].count : 0;
    return k->memory ? forces_of(k, &k->last[lane], (size_t)lane) : NULL;
}

tx_kept_force *tx_kept_replace(tx_kept *k, int lane, uint64_t count) {
    k->last[lane].count = (int)count;
    return forces_of(k, &k->last[lane], (size_t)lane);
}
