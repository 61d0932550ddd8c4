// dampers.inl - dampers of joints and tendons, and those that actuators bring with them. lanes: any
#pragma once
#include "dynamics/tendon.inl"

// ---- dofs
// ------------------------------------------------------------------------------------------------------------

FN real dof_damper(const tx_block *b, int d) {
    real v = AT(b->qvel, d);
    if (b->shortcuts.no_bends) return PARAM(b, dof_damping, d) * v;
    return poly_factor(PARAM(b, dof_damping, d), &PARAM(b, dof_dampingpoly, 2 * d), vabs(v)) * v;
}

FN bool acts_on_joint(const tx_model *m, int i) {
    return m->actuator_trn[i] == TX_TRANSMISSION_JOINT || m->actuator_trn[i] == TX_TRANSMISSION_JOINTINPARENT;
}

// whether an actuator damps what it acts on, switched on or not
FN bool actuator_damps(const tx_block *b, int i) {
    const real *c = &PARAM(b, actuator_damping, 3 * i);
    return b->opt->damper && any((c[0] != R(0)) | poly_bends(c + 1));
}

// what its damper is multiplied with at the joint or tendon
FN real geared(const tx_block *b, int i) {
    real gear = PARAM(b, actuator_gear, 6 * i);
    return gear * gear;
}

// -∂force/∂velocity of a joint's damper
FN real dof_damping_slope(const tx_block *b, int d) {
    if (b->shortcuts.no_bends) return PARAM(b, dof_damping, d);
    return poly_slope(PARAM(b, dof_damping, d), &PARAM(b, dof_dampingpoly, 2 * d), vabs(AT(b->qvel, d)));
}
// of what an actuator adds to it
FN real geared_slope(const tx_block *b, int i, int d) {
    const real *c = &PARAM(b, actuator_damping, 3 * i);
    return geared(b, i) * poly_slope(c[0], c + 1, vabs(AT(b->qvel, d)));
}

// of all of them
STAGE void joint_damping(const tx_block *b, real *diagonal) {
    const tx_model *m = b->m;
    for (int d = 0; d < m->nv; d++) diagonal[d] = dof_damping_slope(b, d);
    for (int i = 0; i < m->nactuator && !b->shortcuts.no_geared; i++) {
        if (!acts_on_joint(m, i) || !actuator_damps(b, i)) continue;
        for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++)
            diagonal[m->moment_dof[e]] = diagonal[m->moment_dof[e]] + geared_slope(b, i, m->moment_dof[e]);
    }
}

// ---- tendons
// ---------------------------------------------------------------------------------------------------------

FN real tendon_damping_slope(const tx_block *b, int t) {
    return poly_slope(PARAM(b, tendon_damping, t), &PARAM(b, tendon_dampingpoly, 2 * t),
                      vabs(AT(b->tendon_velocity, t)));
}

// the same of an actuator's damper on a tendon, per square of its moment; 0: it has none
FN real actuator_damping_slope(const tx_block *b, int i) {
    if (b->m->actuator_trn[i] != TX_TRANSMISSION_TENDON || !actuator_damps(b, i)) return splat(0);
    const real *c = &PARAM(b, actuator_damping, 3 * i);
    return poly_slope(c[0], c + 1, vabs(AT(b->tendon_velocity, b->m->actuator_trnid[i])));
}

// the damper of an actuator along its tendon
FN real actuator_damper(const tx_block *b, int i) {
    const real *c = &PARAM(b, actuator_damping, 3 * i);
    real v = AT(b->tendon_velocity, b->m->actuator_trnid[i]);
    return geared(b, i) * poly_factor(c[0], c + 1, vabs(v)) * v;
}

// dampers that actuators bring with them
STAGE void add_actuator_damping(const tx_block *b, real *force) {
    const tx_model *m = b->m;
    for (int i = 0; i < m->nactuator && !b->shortcuts.no_geared; i++) {
        if (m->actuator_dofnum[i] == 0 || !actuator_damps(b, i)) continue;
        if (tx_dof_rests(b, m->moment_dof[m->actuator_dofadr[i]])) continue;
        const real *c = &PARAM(b, actuator_damping, 3 * i);
        const int first = m->actuator_dofadr[i], target = m->actuator_trnid[i];
        bool tendon = m->actuator_trn[i] == TX_TRANSMISSION_TENDON;
        real pull = tendon ? actuator_damper(b, i) : splat(0);
        for (int e = 0; e < m->actuator_dofnum[i]; e++) {
            int d = m->moment_dof[first + e];
            real v = AT(b->qvel, d);
            real part = tendon ? AT(b->tendon_J, m->tendon_dofadr[target] + e) * pull
                               : geared(b, i) * poly_factor(c[0], c + 1, vabs(v)) * v;
            force[d] = force[d] - part;
        }
    }
}
