// body_forces.inl - what each body feels once qacc is known: its acceleration and the force of its parent (recursive
// Newton-Euler, Featherstone 2008, ch. 5). Only sensors ask for it. lanes: any
#pragma once
#include "dynamics/free_motion.inl"

// cacc_full is the acceleration minus gravity
STAGE void body_accelerations(const tx_block *b) {
    const tx_model *m = b->m;
    real *cacc = ARRAY(b->cacc_full);
    for (int k = 0; k < 6; k++) cacc[k] = k < 3 || !b->opt->gravity ? splat(0) : -PARAM(b, gravity, k - 3);
    EACH_IN(b->live.bodies, i) {
        real *a = cacc + 6 * i;
        for (int k = 0; k < 6; k++) a[k] = cacc[6 * m->body_parent[i] + k];
        for (int d = m->body_dofadr[i]; d < m->body_dofadr[i] + m->body_dofnum[i]; d++)
            for (int k = 0; k < 6; k++)
                a[k] = a[k] + (AT(b->cdof_dot, 6 * d + k) * AT(b->qvel, d) + AT(b->cdof, 6 * d + k) * AT(b->qacc, d));
    }
}

// needs those and cfrc_ext
STAGE void body_forces(const tx_block *b) {
    const tx_model *m = b->m;
    real *force = ARRAY(b->cfrc_int);
    for (int k = 0; k < 6; k++) force[k] = splat(0);
    EACH_IN(b->live.bodies, i) {
        real *f = force + 6 * i, inertia[10], momentum[6], gyro[6];
        const real *a = &AT(b->cacc_full, 6 * i), *v = &AT(b->cvel, 6 * i), *external = &AT(b->cfrc_ext, 6 * i);
        // of what cannot move, too: it hangs on its parent
        spatial_inertia(b, i, inertia);
        inertia_mul(f, inertia, a);
        inertia_mul(momentum, inertia, v);
        cross_force(gyro, v, momentum);
        for (int k = 0; k < 6; k++) f[k] = (f[k] + gyro[k]) - external[k];
    }
    for (int r = b->live.bodies.count - 1; r >= 0; r--)
        for (int i = b->live.bodies.range[r].end - 1; i >= b->live.bodies.range[r].begin; i--) {
            int parent = m->body_parent[i];
            real *to = force + 6 * parent, shifted[3];
            // from the centre of mass of a tree to that of the world, which is the origin (MuJoCo leaves the torque as
            // it is)
            cross3(shifted, &AT(b->tree_com, 3 * i), force + 6 * i + 3);
            for (int k = 0; k < 6; k++) to[k] = to[k] + force[6 * i + k];
            for (int k = 0; k < 3 && parent == 0; k++) to[k] = to[k] + shifted[k];
        }
}
