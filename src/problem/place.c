// place.c - scatter of contact records into lane slots.
#include "problem/place.h"

#include <string.h>

static const int DIMENSION[] = {1, 3, 4, 6};
enum { DIMENSIONS = 4 };

static int dimension_index(int dim) {
    for (int i = 0; i < DIMENSIONS; i++)
        if (DIMENSION[i] == dim) return i;
    return 1;
}

static bool acts(const tx_contact *c) { return c->dist < c->includemargin; }

// +1 for the dofs that move side 2, -1 for side 1; what moves both cancels
static void mark_chain(tx_block *b, int slot, int lane, const tx_side *side, double sign) {
    const tx_model *m = b->m;
    if (side->kind == TX_SIDE_WORLD) return;
    for (int d = m->body_lastdof[side->body]; d >= 0; d = m->dof_parent[d]) {
        int at = slot * m->nv + d;
        tx_lane_set(b, b->con_chain, at, lane, tx_lane(b, b->con_chain, at, lane) + sign);
    }
}

static void scatter(tx_block *b, void *array, int slot, int lane, const double *values, int count) {
    for (int k = 0; k < count; k++) tx_lane_set(b, array, slot * count + k, lane, values[k]);
}

static void fill_slot(tx_block *b, int slot, int lane, const tx_contact *c) {
    scatter(b, b->con_dist, slot, lane, &c->dist, 1);
    scatter(b, b->con_margin, slot, lane, &c->includemargin, 1);
    scatter(b, b->con_pos, slot, lane, c->pos, 3);
    scatter(b, b->con_frame, slot, lane, c->frame, 9);
    scatter(b, b->con_friction, slot, lane, c->friction, 5);
    scatter(b, b->con_solref, slot, lane, c->solref, 2);
    scatter(b, b->con_solimp, slot, lane, c->solimp, 5);
    double weight[2];
    for (int k = 0; k < 2; k++)
        weight[k] = tx_lane(b, b->param.body_invweight0, 2 * c->side[0].body + k, lane) +
                    tx_lane(b, b->param.body_invweight0, 2 * c->side[1].body + k, lane);
    scatter(b, b->con_weight, slot, lane, weight, 2);
    mark_chain(b, slot, lane, &c->side[1], 1);
    mark_chain(b, slot, lane, &c->side[0], -1);
}

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
    memset(b->con_weight, 0, 2 * bytes);
    memset(b->con_chain, 0, bytes * (size_t)b->m->nv);
}

bool tx_place_contacts(tx_block *b, int *slots, int *rows) {
    // how many slots of each dimension the fullest lane needs
    int most[DIMENSIONS] = {0};
    for (int e = 0; e < b->lanes; e++) {
        int count[DIMENSIONS] = {0};
        for (int i = 0; i < b->ncontact[e]; i++) {
            const tx_contact *c = &b->contacts[(size_t)e * (size_t)b->room + (size_t)i];
            if (acts(c)) count[dimension_index(c->dim)]++;
        }
        for (int k = 0; k < DIMENSIONS; k++)
            if (count[k] > most[k]) most[k] = count[k];
    }
    int start[DIMENSIONS];
    *slots = 0, *rows = tx_fixed_rows(b->m);
    for (int k = 0; k < DIMENSIONS; k++) {
        start[k] = *slots;
        *slots += most[k];
        *rows += most[k] * DIMENSION[k];
    }
    if (*slots > b->slots || *rows > b->rows) return false;

    b->nslots = *slots;
    if (b->nslots == 0) return true;
    clear_slots(b, b->nslots);
    for (int k = 0; k < DIMENSIONS; k++)
        for (int s = 0; s < most[k]; s++) b->slot_dim[start[k] + s] = DIMENSION[k];
    for (int e = 0; e < b->lanes; e++) {
        int next[DIMENSIONS];
        memcpy(next, start, sizeof next);
        for (int i = 0; i < b->ncontact[e]; i++) {
            tx_contact *c = &b->contacts[(size_t)e * (size_t)b->room + (size_t)i];
            if (!acts(c)) continue;
            c->slot = next[dimension_index(c->dim)]++;
            fill_slot(b, c->slot, e, c);
        }
    }
    return true;
}

bool tx_contact_force(const tx_block *b, int lane, const tx_contact *contact, double force[6]) {
    memset(force, 0, 6 * sizeof(double));
    if (contact->slot < 0) return false;
    const tx_constraint *c = tx_slot_constraint(b, contact->slot);
    for (int k = 0; k < c->dim; k++) force[k] = tx_lane(b, b->gamma, c->row + k, lane);
    return true;
}
