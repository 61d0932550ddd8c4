// armature.inl - inertia that moves with tendons and actuators: its part of the mass matrix, and its force. lanes: any
//
// A tendon of length l(q) with armature a has the energy a l̇²/2: M gains a Jᵀ J, the bias force a Jᵀ (J̇ q̇). M keeps the
// pattern of its tree: what would couple two dofs of which neither is above the other is left out, as in MuJoCo.
#pragma once
#include "dynamics/tendon.inl"

// what an actuator adds to its tendon or joint
FN real actuator_armature(const tx_block *b, int i) {
    real gear = PARAM(b, actuator_gear, 6 * i);
    return PARAM(b, actuator_armature, i) * gear * gear;
}

// rate of a tendon per velocity of a dof; 0 where it does not move it
FN real tendon_rate(const tx_block *b, int t, int dof) {
    const tx_model *m = b->m;
    for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++)
        if (m->tendon_dof[e] == dof) return AT(b->tendon_J, e);
    return splat(0);
}

// adds a Jᵀ J of one tendon to the mass matrix
FN void add_tendon_armature(const tx_block *b, int t, real armature) {
    const tx_model *m = b->m;
    if (!any(armature != R(0))) return;
    for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++) {
        int i = m->tendon_dof[e];
        if (tx_dof_rests(b, i)) continue;
        real *row = ARRAY(b->M) + m->dof_madr[i], weight = armature * AT(b->tendon_J, e);
        for (int s = 0, j = i; s < m->dof_mnum[i]; s++, j = m->dof_parent[j])
            row[s] = row[s] + weight * tendon_rate(b, t, j);
    }
}

// adds all of it to the mass matrix; needs the rates of the tendons
STAGE void add_armature(const tx_block *b) {
    const tx_model *m = b->m;
    real *M = ARRAY(b->M);
    for (int i = 0; i < m->nactuator && !b->shortcuts.no_geared; i++) {
        bool on_joint =
            m->actuator_trn[i] == TX_TRANSMISSION_JOINT || m->actuator_trn[i] == TX_TRANSMISSION_JOINTINPARENT;
        if (!on_joint || !any(PARAM(b, actuator_armature, i) != R(0))) continue;
        for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++) {
            int d = m->moment_dof[e];
            if (!tx_dof_rests(b, d)) M[m->dof_madr[d]] = M[m->dof_madr[d]] + actuator_armature(b, i);
        }
    }
    for (int t = 0; t < m->ntendon; t++) add_tendon_armature(b, t, PARAM(b, tendon_armature, t));
    for (int i = 0; i < m->nactuator && !b->shortcuts.no_geared; i++)
        if (m->actuator_trn[i] == TX_TRANSMISSION_TENDON)
            add_tendon_armature(b, m->actuator_trnid[i], actuator_armature(b, i));
}

// velocity, and acceleration without that of the dofs, of a point of a body; gravity accelerates the world
FN void point_motion(const tx_block *b, int body, const real *point, real *velocity, real *acceleration) {
    const real *v = &AT(b->cvel, 6 * body), *a = &AT(b->cacc, 6 * body);
    real arm[3], turn[3], swing[3];
    for (int k = 0; k < 3; k++) arm[k] = point[k] - AT(b->tree_com, 3 * b->m->body_root[body] + k);
    cross3(turn, v, arm);
    for (int k = 0; k < 3; k++) velocity[k] = v[3 + k] + turn[k];
    cross3(turn, a, arm);
    cross3(swing, v, velocity);
    for (int k = 0; k < 3; k++) acceleration[k] = a[3 + k] + turn[k] + swing[k];
}

// J̇ q̇ of a path without geoms: of a piece along the unit vector u with relative velocity v and acceleration a it is
// u·a + (v·v - (u·v)²) / length
FN real tendon_drift(const tx_block *b, int t) {
    const tx_model *m = b->m;
    real drift = splat(0), divisor = splat(1);
    for (int w = m->tendon_adr[t]; w + 1 < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        if (m->wrap_type[w] == TX_PATH_PULLEY) divisor = PARAM(b, wrap_coef, w);
        if (m->wrap_type[w] != TX_PATH_SITE || m->wrap_type[w + 1] != TX_PATH_SITE) continue;
        real v[2][3], a[2][3], along[3], velocity[3], acceleration[3];
        for (int s = 0; s < 2; s++) {
            int site = m->wrap_obj[w + s];
            point_motion(b, m->site_body[site], &AT(b->site_xpos, 3 * site), v[s], a[s]);
        }
        for (int k = 0; k < 3; k++) {
            along[k] = AT(b->site_xpos, 3 * m->wrap_obj[w + 1] + k) - AT(b->site_xpos, 3 * m->wrap_obj[w] + k);
            velocity[k] = v[1][k] - v[0][k];
            acceleration[k] = a[1][k] - a[0][k];
        }
        real length = make_unit(along, 3), rate = dot3(along, velocity);
        real turning = (dot3(velocity, velocity) - rate * rate) / sel(length < TINY, splat(1), length);
        drift = drift + (dot3(along, acceleration) + sel(length < TINY, splat(0), turning)) / divisor;
    }
    return drift;
}

// adds the force of one tendon's armature to the bias; J of a tendon of joints does not change
FN void add_tendon_bias(const tx_block *b, int t, real armature) {
    const tx_model *m = b->m;
    if (!any(armature != R(0)) || tendon_of_joints(m, t)) return;
    real force = armature * tendon_drift(b, t);
    for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++) {
        int d = m->tendon_dof[e];
        if (!tx_dof_rests(b, d)) AT(b->qfrc_bias, d) = AT(b->qfrc_bias, d) + AT(b->tendon_J, e) * force;
    }
}

// adds its force to the bias; needs velocities, and accelerations without those of the dofs
STAGE void add_armature_bias(const tx_block *b) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon; t++) add_tendon_bias(b, t, PARAM(b, tendon_armature, t));
    for (int i = 0; i < m->nactuator && !b->shortcuts.no_geared; i++)
        if (m->actuator_trn[i] == TX_TRANSMISSION_TENDON)
            add_tendon_bias(b, m->actuator_trnid[i], actuator_armature(b, i));
}
