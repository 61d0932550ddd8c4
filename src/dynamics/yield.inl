// yield.inl - springs that yield: where they rest moves along when they are stretched beyond a bound, and stays there.
// docs/actuators.md. lanes: any
#pragma once
#include "dynamics/free_motion.inl"

// what is beyond the bound, with its sign
FN real beyond(real x, real bound) { return x - clamp(x, -bound, bound); }

FN void yield_joint(const tx_block *b, int j, mask moves) {
    const int at = b->m->jnt_plastic[j], a = b->m->jnt_qposadr[j];
    real bound = PARAM(b, jnt_springyield, j), *rest = &AT(b->plastic, at), x[3];
    spring_stretch(b, j, 0, x);
    if (b->m->jnt_type[j] != TX_JOINT_BALL) {
        rest[0] = sel(moves, rest[0] + beyond(x[0], bound), rest[0]);
        return;
    }
    // the rotation from where it rests is cut to the bound: rest = q exp(-bound u)
    real q[4], back[4], to[4], angle = make_unit(x, 3);
    const mask yields = moves & (angle > bound);
    for (int k = 0; k < 4; k++) q[k] = AT(b->qpos, a + k);
    quat_normalize(q);
    quat_of_axis(back, x, -bound);
    quat_mul(to, q, back);
    quat_normalize(to);
    for (int k = 0; k < 4; k++) rest[k] = sel(yields, to[k], rest[k]);
}

// its length at the end of the step is what its rate makes of that at the start
FN void yield_tendon(const tx_block *b, int t, mask moves) {
    const tx_model *m = b->m;
    real rate = splat(0), *rest = &AT(b->plastic, m->tendon_plastic[t]), low = rest[0], high = rest[1];
    for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++)
        rate = rate + AT(b->tendon_J, e) * AT(b->qvel, m->tendon_dof[e]);
    real length = AT(b->tendon_length, t) + R(b->opt->timestep) * rate;
    real shift = beyond(length - clamp(length, low, high), PARAM(b, tendon_springyield, t));
    // a rope that is only pulled keeps its lower end at zero
    const mask slack = (low == R(0)) & (high > R(0)) & (shift > R(0));
    rest[0] = sel(moves & not_(slack), low + shift, low);
    rest[1] = sel(moves, high + shift, high);
}

// at the end of a step, where `moves`
STAGE void yield_springs(const tx_block *b, mask moves) {
    const tx_model *m = b->m;
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_plastic[j] >= 0 && !tx_dof_rests(b, m->jnt_dofadr[j])) yield_joint(b, j, moves);
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_plastic[t] >= 0 && m->tendon_dofnum[t] > 0 &&
            !tx_dof_rests(b, m->tendon_dof[m->tendon_dofadr[t]]))
            yield_tendon(b, t, moves);
}
