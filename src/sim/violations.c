// violations.c - how far an environment's contacts are from the laws of rigid contact.
#include "geometry/vec3.h"
#include "problem/measures.h"
#include "rows/rows.h"
#include "sim/internal.h"

tx_result tx_contact_wrench(const tx_contact *contact, double force[3], double torque[3]) {
    if (!contact || !force || !torque) return TX_ERROR_ARGUMENT;
    m3_mul_transposed(force, contact->frame, contact->force);
    m3_mul_transposed(torque, contact->frame, contact->force + 3);
    return TX_OK;
}

// how fast surfaces that move by themselves run past each other: two tangents, spin
static void add_surfaces(const tx_sim *sim, const tx_block *b, int lane, const tx_contact *c, double *motion) {
    const double *fields = tx_sim_param_row(sim, b->first + lane, TX_PARAM_GEOM_SURFACEVEL);
    for (int s = 0; s < 2; s++) {
        const double *field = fields + 6 * (size_t)c->geom[s], sign = s ? 1 : -1;
        double mat[9], arm[3], velocity[3], spin[3], turn[3];
        for (int k = 0; k < 9; k++) mat[k] = tx_lane(b, b->geom_xmat, 9 * c->geom[s] + k, lane);
        for (int k = 0; k < 3; k++) arm[k] = c->pos[k] - tx_lane(b, b->geom_xpos, 3 * c->geom[s] + k, lane);
        m3_mul(velocity, mat, field);
        m3_mul(spin, mat, field + 3);
        v3_cross(turn, spin, arm);
        v3_add(velocity, velocity, turn);
        for (int r = 1; r < c->dim && r < 3; r++) motion[r] += sign * v3_dot(c->frame + 3 * r, velocity);
        if (c->dim > 3) motion[3] += sign * v3_dot(c->frame, spin);
    }
}

// J of a contact times the velocities at the step's beginning and end
static void find_motion(const tx_block *b, int lane, const tx_constraint *c, double *before, double *after) {
    const tx_problem *p = &b->problem;
    const double h = b->opt->timestep;
    const bool moved = b->stepped && !b->frozen[lane];
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        for (int i = 0; i < e->width; i++) {
            const double v = tx_lane(b, b->qvel, e->dof + i, lane), gain = h * tx_lane(b, b->qacc, e->dof + i, lane);
            for (int r = 0; r < c->dim; r++) {
                const double J = tx_lane(b, p->J, e->at + r * e->width + i, lane);
                before[r] += J * (moved ? v - gain : v);
                after[r] += J * (moved ? v : v + gain);
            }
        }
    }
}

tx_violations tx_sim_violations(const tx_sim *sim, int env) {
    int lane;
    const tx_block *b = sim ? tx_sim_block(sim, env, &lane) : NULL;
    tx_violations v = {0};
    for (int i = 0; b && i < b->ncontact[lane]; i++) {
        const tx_contact *contact = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        tx_touch touch = {.dim = contact->dim, .dist = contact->dist, .time = b->opt->timestep};
        if (!tx_contact_force(b, lane, contact, touch.force)) continue;
        find_motion(b, lane, tx_slot_constraint(b, tx_contact_slot(b, contact)), touch.before, touch.after);
        if (contact->dim > 1) {
            add_surfaces(sim, b, lane, contact, touch.before);
            add_surfaces(sim, b, lane, contact, touch.after);
        }
        memcpy(touch.mu, contact->friction, sizeof touch.mu);
        tx_violations_add(&v, &touch);
    }
    return v;
}
