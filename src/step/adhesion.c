// adhesion.c - the moments of actuators that act on a body through what touches it: minus the mean of the directions in
// which its contacts open, so that a positive force pulls together.
#include "step/adhesion.h"

#include "geometry/vec3.h"

// adds how each dof opens a contact along its normal
static void add_opening(const tx_block *b, int lane, const tx_contact *c, int first) {
    const tx_model *m = b->m;
    int dof[2] = {m->body_lastdof[m->geom_body[c->geom[0]]], m->body_lastdof[m->geom_body[c->geom[1]]]}, side = 0;
    for (int d; (d = tx_next_between(m, dof, &side)) >= 0;) {
        double moved[3];
        tx_point_rate(b, lane, d, c->pos, moved);
        double opening = v3_dot(c->frame, moved), sum = tx_lane(b, b->moment, first + d, lane);
        tx_lane_set(b, b->moment, first + d, lane, side ? sum + opening : sum - opening);
    }
}

void tx_adhesion_moments(const tx_block *b, int lane) {
    const tx_model *m = b->m;
    const tx_contact *list = b->contacts + (size_t)lane * (size_t)b->room;
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_trn[i] != TX_TRANSMISSION_BODY) continue;
        int first = m->actuator_dofadr[i], body = m->actuator_trnid[i], count = 0;
        for (int d = 0; d < m->nv; d++) tx_lane_set(b, b->moment, first + d, lane, 0);
        // contacts in the gap do not push, but they hold
        for (int k = 0; k < b->ncontact[lane]; k++) {
            if (m->geom_body[list[k].geom[0]] != body && m->geom_body[list[k].geom[1]] != body) continue;
            add_opening(b, lane, &list[k], first);
            count++;
        }
        for (int d = 0; d < m->nv && count > 0; d++)
            tx_lane_set(b, b->moment, first + d, lane, -tx_lane(b, b->moment, first + d, lane) / count);
    }
}
