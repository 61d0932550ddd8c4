// tendon.inl - tendons: length, velocity, how the dofs move them, and the force of their springs and dampers.
// lanes: any
#pragma once
#include "dynamics/kinematics.inl"

// place of a dof among the dofs of a tendon
FN int tendon_entry(const tx_model *m, int tendon, int dof) {
    int at = m->tendon_dofadr[tendon];
    while (m->tendon_dof[at] != dof) at++;
    return at;
}

// length = sum of coef * joint position
STAGE void tendons(const tx_block *b) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon; t++) {
        int first = m->tendon_dofadr[t], last = first + m->tendon_dofnum[t];
        real length = splat(0), velocity = splat(0), *J = ARRAY(b->tendon_J);
        for (int e = first; e < last; e++) J[e] = splat(0);
        for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
            int joint = m->wrap_jnt[w], e = tendon_entry(m, t, m->jnt_dofadr[joint]);
            real coef = PARAM(b, wrap_coef, w);
            length = length + coef * AT(b->qpos, m->jnt_qposadr[joint]);
            J[e] = J[e] + coef;
        }
        for (int e = first; e < last; e++) velocity = velocity + J[e] * AT(b->qvel, m->tendon_dof[e]);
        AT(b->tendon_length, t) = length;
        AT(b->tendon_velocity, t) = velocity;
    }
}

// stretch of the spring beyond the range in which it rests
FN real tendon_stretch(const tx_block *b, int t) {
    real length = AT(b->tendon_length, t);
    return length - clamp(length, PARAM(b, tendon_lengthspring, 2 * t), PARAM(b, tendon_lengthspring, 2 * t + 1));
}

STAGE void add_tendon_forces(const tx_block *b, real *force) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon; t++) {
        real pull = splat(0);
        if (b->opt->spring) pull = pull - PARAM(b, tendon_stiffness, t) * tendon_stretch(b, t);
        if (b->opt->damper) pull = pull - PARAM(b, tendon_damping, t) * AT(b->tendon_velocity, t);
        for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++)
            force[m->tendon_dof[e]] = force[m->tendon_dof[e]] + AT(b->tendon_J, e) * pull;
    }
}
