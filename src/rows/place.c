// place.c - scatter of contact records into lane slots.
#include <string.h>

#include "model/slot.h"
#include "rows/rows.h"

static const int DIMENSION[] = {1, 3, 4, 6};
enum { DIMENSIONS = 4, MOST_LANES = 64 };

static tx_contact *contact_of(const tx_block *b, int lane, int i) {
    return &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
}
static int special_of(const tx_block *b, int lane, int i) {
    return b->contact_special[(size_t)lane * (size_t)b->room + (size_t)i];
}

// ---- order ----------------------------------------------------------------------------------------------------------

// a contact's place among the pairs: special ones first, then by bodies, then by geoms (collide/order.c)
typedef struct pair_key {
    int special, body[2], geom[2];
} pair_key;

static pair_key key_of(const tx_block *b, int lane, int i) {
    const tx_contact *c = contact_of(b, lane, i);
    int special = special_of(b, lane, i), low = c->geom[0] < c->geom[1] ? 0 : 1;
    pair_key key = {special < 0 ? b->m->nspecial : special, {0}, {c->geom[low], c->geom[!low]}};
    for (int k = 0; k < 2; k++) key.body[k] = b->m->geom_body[key.geom[k]];
    return key;
}

static int compare(const pair_key *x, const pair_key *y) {
    if (x->special != y->special) return x->special < y->special ? -1 : 1;
    if (x->special < 0) return 0;
    for (int k = 0; k < 2; k++)
        if (x->body[k] != y->body[k]) return x->body[k] < y->body[k] ? -1 : 1;
    for (int k = 0; k < 2; k++)
        if (x->geom[k] != y->geom[k]) return x->geom[k] < y->geom[k] ? -1 : 1;
    return 0;
}

// ---- slots ----------------------------------------------------------------------------------------------------------

// where each lane stands in its list
typedef struct merger {
    tx_block *b;
    int dim, next[MOST_LANES];
    tx_row_room *need;
    int slots;
} merger;

// the next contact of a lane that acts and has the right dimension; -1: none is left
static int advance(merger *g, int lane) {
    const tx_block *b = g->b;
    for (int *i = &g->next[lane]; *i < b->ncontact[lane]; ++*i) {
        const tx_contact *c = contact_of(b, lane, *i);
        if (c->dim == g->dim && tx_contact_acts(c)) return *i;
    }
    return -1;
}

// some of the same bodies and dimension
static void add_slots(const tx_block *b, const tx_slot *slot, int count, tx_row_room *need) {
    const tx_model *m = b->m;
    const size_t slots = (size_t)count, rows = slots * (size_t)slot->dim;
    for (int s = 0; s < 2; s++) {
        const int last = m->body_lastdof[slot->body[s]];
        if (last < 0) continue;
        need->pieces += slots * (size_t)b->chain_pieces[slot->body[s]];
        need->jacobian += rows * (size_t)m->dof_mnum[last];
    }
    need->slots += slots, need->cons += slots, need->rows += rows;
}

void tx_room_add_slot(const tx_block *b, const tx_slot *slot, tx_row_room *need) { add_slots(b, slot, 1, need); }

// a new slot for the pair of a contact; what does not fit is only counted
static void add_slot(merger *g, const tx_contact *c, int special) {
    const tx_slot slot = {c->dim, {c->side[0].body, c->side[1].body}, {c->geom[0], c->geom[1]}, special};
    tx_room_add_slot(g->b, &slot, g->need);
    if ((size_t)g->slots < g->b->row_room.slots) g->b->slot[g->slots] = slot;
    g->slots++;
}

static void take_slot(merger *g, int lane, int i) {
    g->b->contact_slot[(size_t)lane * (size_t)g->b->room + (size_t)i] = g->slots;
    contact_of(g->b, lane, i)->acts = 1;
}

// one lane: its own order
static void list_alone(merger *g) {
    for (int i; (i = advance(g, 0)) >= 0; g->next[0]++) {
        take_slot(g, 0, i);
        add_slot(g, contact_of(g->b, 0, i), special_of(g->b, 0, i));
    }
}

// several lanes: the first pair of all lists makes a slot, which every lane that has that pair next takes
static void merge_lanes(merger *g) {
    const tx_block *b = g->b;
    for (;;) {
        pair_key key[MOST_LANES], first = {0};
        int at[MOST_LANES], from = -1;
        for (int e = 0; e < b->lanes; e++) {
            at[e] = advance(g, e);
            if (at[e] < 0) continue;
            key[e] = key_of(b, e, at[e]);
            if (from < 0 || compare(&key[e], &first) < 0) first = key[e], from = e;
        }
        if (from < 0) return;
        for (int e = 0; e < b->lanes; e++) {
            if (at[e] < 0 || compare(&key[e], &first) != 0) continue;
            take_slot(g, e, at[e]);
            g->next[e]++;
        }
        add_slot(g, contact_of(b, from, at[from]), special_of(b, from, at[from]));
    }
}

// ---- numbers --------------------------------------------------------------------------------------------------------

// zero in all lanes: a slot that a lane does not use has dist = margin = 0, so it does not act
static void clear_slots(tx_block *b, int slots) {
    const size_t bytes = (size_t)b->lanes * (size_t)b->number_size * (size_t)slots;
    memset(b->con_dist, 0, bytes);
    memset(b->con_margin, 0, bytes);
    memset(b->con_pos, 0, 3 * bytes);
    memset(b->con_frame, 0, 9 * bytes);
    memset(b->con_friction, 0, 5 * bytes);
    memset(b->con_solref, 0, 2 * bytes);
    memset(b->con_solimp, 0, 5 * bytes);
    memset(b->con_ahead, 0, bytes);
}

// a bit for each dimension that a contact has which acts
static unsigned dimensions(const tx_block *b) {
    unsigned found = 0;
    for (int e = 0; e < b->lanes; e++)
        for (int i = 0; i < b->ncontact[e]; i++) {
            const tx_contact *c = contact_of(b, e, i);
            if (tx_contact_acts(c)) found |= 1u << c->dim;
        }
    return found;
}

// room for slots that are filled already, one for each contact of the only lane
static bool count_filled(tx_block *b, tx_row_room *need) {
    b->nslots = b->ncontact[0];
    for (int s = 0, run = 0; s < b->nslots; s += run) {
        const tx_slot *at = &b->slot[s];
        for (run = 1; s + run < b->nslots && at[run].body[0] == at->body[0] && at[run].body[1] == at->body[1];) run++;
        add_slots(b, at, run, need);
    }
    return tx_room_fits(need, &b->row_room);
}

static bool found_any(const tx_block *b) {
    int found = 0;
    for (int e = 0; e < b->lanes; e++) found |= b->ncontact[e];
    return found != 0;
}

bool tx_place_contacts(tx_block *b, tx_row_room *need) {
    *need = b->fixed_room;
    if (b->filled) return count_filled(b, need);
    if (!found_any(b)) {
        b->nslots = 0;
        return tx_room_fits(need, &b->row_room);
    }
    merger g = {.b = b, .need = need};
    const unsigned found = dimensions(b);
    for (int k = 0; k < DIMENSIONS; k++) {
        g.dim = DIMENSION[k];
        if (!(found >> g.dim & 1)) continue;
        memset(g.next, 0, sizeof g.next);
        if (b->lanes == 1) list_alone(&g);
        else merge_lanes(&g);
    }
    if (!tx_room_fits(need, &b->row_room)) return false;
    b->nslots = g.slots;
    if (b->lanes > 1 && g.slots > 0) clear_slots(b, g.slots);
    for (int e = 0; e < b->lanes; e++)
        for (int i = 0; i < b->ncontact[e]; i++) {
            const tx_contact *c = contact_of(b, e, i);
            if (tx_contact_acts(c)) tx_slot_fill(b, tx_contact_slot(b, c), e, c);
        }
    return true;
}

bool tx_contact_force(const tx_block *b, int lane, const tx_contact *contact, double force[6]) {
    memset(force, 0, 6 * sizeof(double));
    const int slot = tx_contact_slot(b, contact);
    if (slot < 0) return false;
    const tx_constraint *c = tx_slot_constraint(b, slot);
    for (int k = 0; k < c->dim; k++) force[k] = tx_lane(b, b->problem.gamma, c->row + k, lane);
    return true;
}
