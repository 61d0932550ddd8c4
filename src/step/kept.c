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
    k->now = take(&at, memory, lanes * k->room * sizeof *k->now);
    k->last = take(&at, memory, lanes * k->room * sizeof *k->last);
    k->count = take(&at, memory, lanes * sizeof *k->count);
    k->last_count = take(&at, memory, lanes * sizeof *k->last_count);
    k->table = take(&at, memory, k->places * sizeof *k->table);
    return at;
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
    for (size_t e = 0; e < lanes; e++) {
        next.count[e] = old->memory ? old->count[e] : 0, next.last_count[e] = old->memory ? old->last_count[e] : 0;
        if (!old->memory) continue;
        memcpy(next.now + e * room, old->now + e * old->room, sizeof *next.now * (size_t)next.count[e]);
        memcpy(next.last + e * room, old->last + e * old->room, sizeof *next.last * (size_t)next.last_count[e]);
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

static tx_kept_force contact_key(const tx_contact *c) {
    return (tx_kept_force){.type = CONTACT, .id = {c->geom[0], c->geom[1]}, .feature = c->feature};
}
static tx_kept_force row_key(const tx_constraint *c) { return (tx_kept_force){.type = c->type, .id = {c->id, 0}}; }

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

static bool begins_run(const tx_kept_force *forces, int i) { return i == 0 || !same_pair(&forces[i], &forces[i - 1]); }

// Forces of a pair follow each other: where each run of them begins. As few places as they need, because all are
// written in every step
static void index_forces(tx_kept *k, const tx_kept_force *forces, int count) {
    size_t runs = 0, places = 16;
    for (int i = 0; i < count; i++) runs += begins_run(forces, i);
    while (places < 2 * runs) places *= 2;
    k->mask = places - 1;
    for (size_t i = 0; i < places; i++) k->table[i] = -1;
    for (int i = 0; i < count; i++) {
        if (!begins_run(forces, i)) continue;
        size_t at = place_of(k, &forces[i]);
        while (k->table[at] >= 0) at = (at + 1) & k->mask;
        k->table[at] = i;
    }
}

// the first force with the key; runs of one pair stand in their order
static const tx_kept_force *find(const tx_kept *k, const tx_kept_force *forces, int count, const tx_kept_force *key) {
    for (size_t at = place_of(k, key); k->table[at] >= 0; at = (at + 1) & k->mask)
        for (int i = k->table[at]; i < count && same_pair(&forces[i], key); i++)
            if (forces[i].feature == key->feature) return &forces[i];
    return NULL;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// the frame has turned, and its dimension may have changed: friction is projected on the new tangents
static void guess_contact(const tx_block *b, int lane, const tx_contact *c, const tx_kept_force *f) {
    const tx_constraint *con = tx_slot_constraint(b, tx_contact_slot(b, c));
    const double h = b->problem.time;
    for (int k = 0; k < con->dim; k++) {
        double along = h * v3_dot(c->frame + 3 * (k % 3), f->force + 3 * (k / 3));
        tx_lane_set(b, b->problem.guess, con->row + k, lane, k == 0 ? fmax(along, 0) : along);
    }
}

void tx_kept_guess(tx_block *b) {
    const tx_problem *p = &b->problem;
    tx_kept *k = &b->kept;
    memset(p->guess, 0, tx_lane_bytes(b, p->nrows));
    for (int e = 0; k->memory && e < b->lanes; e++) {
        const tx_kept_force *forces = k->now + (size_t)e * k->room;
        if (k->count[e] == 0) continue;
        index_forces(k, forces, k->count[e]);
        for (int i = 0; i < p->ncons - b->nslots; i++) {
            const tx_constraint *c = &p->cons[i];
            const tx_kept_force key = row_key(c), *f = find(k, forces, k->count[e], &key);
            for (int r = 0; f && r < c->dim; r++) tx_lane_set(b, p->guess, c->row + r, e, p->time * f->force[r]);
        }
        for (int i = 0; i < b->ncontact[e]; i++) {
            const tx_contact *c = &b->contacts[(size_t)e * (size_t)b->room + (size_t)i];
            if (tx_contact_slot(b, c) < 0) continue;
            const tx_kept_force key = contact_key(c), *f = find(k, forces, k->count[e], &key);
            if (f) guess_contact(b, e, c, f);
        }
    }
}

static bool pushes(const tx_kept_force *f) {
    for (int i = 0; i < 6; i++)
        if (f->force[i] != 0) return true;
    return false;
}

void tx_kept_store(tx_block *b) {
    const tx_problem *p = &b->problem;
    tx_kept *k = &b->kept;
    for (int e = 0; k->memory && e < b->lanes; e++) {
        tx_kept_force *forces = k->now + (size_t)e * k->room;
        if (b->frozen[e] || b->bad[e]) continue;
        int count = 0;
        for (int i = 0; i < p->ncons - b->nslots; i++) {
            const tx_constraint *c = &p->cons[i];
            tx_kept_force f = row_key(c);
            for (int r = 0; r < c->dim; r++) f.force[r] = tx_lane(b, p->gamma, c->row + r, e);
            if (pushes(&f)) forces[count++] = f;
        }
        for (int i = 0; i < b->ncontact[e]; i++) {
            const tx_contact *c = &b->contacts[(size_t)e * (size_t)b->room + (size_t)i];
            tx_kept_force *f = &forces[count];
            if (tx_contact_slot(b, c) < 0) continue;
            const tx_constraint *con = tx_slot_constraint(b, tx_contact_slot(b, c));
            *f = contact_key(c);
            for (int r = 0; r < con->dim; r++)
                v3_along(f->force + 3 * (r / 3), f->force + 3 * (r / 3), c->frame + 3 * (r % 3),
                         tx_lane(b, p->gamma, con->row + r, e));
            count += pushes(f);
        }
        k->count[e] = count;
    }
}

// ---- a call ---------------------------------------------------------------------------------------------------------

void tx_kept_begin(tx_block *b) {
    tx_kept *k = &b->kept;
    for (size_t e = 0; k->memory && e < (size_t)b->lanes; e++) {
        k->count[e] = k->last_count[e];
        memcpy(k->now + e * k->room, k->last + e * k->room, sizeof *k->now * (size_t)k->count[e]);
    }
}

void tx_kept_publish(tx_block *b, int lane) {
    tx_kept *k = &b->kept;
    const size_t at = (size_t)lane * k->room;
    if (!k->memory) return;
    k->last_count[lane] = k->count[lane];
    memcpy(k->last + at, k->now + at, sizeof *k->last * (size_t)k->count[lane]);
}

void tx_kept_clear(tx_block *b, int lane) {
    if (b->kept.memory) b->kept.last_count[lane] = b->kept.count[lane] = 0;
}
