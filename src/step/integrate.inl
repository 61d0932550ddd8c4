// integrate.inl - the next state: Euler with implicit damping, positions along the exponential map. lanes: any
#pragma once
#include "dynamics/kinematics.inl"
#include "linalg/tree.inl"

// numbers beyond this size are taken for divergence, as in MuJoCo
#define HUGE_NUMBER R(1e10)

// (M + h B) a = force, B the damping: MuJoCo's Euler. Environments without damping keep a = qacc to the last bit.
FN void damped_acceleration(const tx_block *b, real *acc) {
    const tx_model *m = b->m;
    real h = splat(R(b->opt->timestep));
    mask damped = not_(lane_true());
    for (int d = 0; d < m->nv; d++) {
        acc[d] = AT(b->qacc, d);
        damped = damped | (PARAM(b, dof_damping, d) > R(0));
    }
    if (!b->opt->eulerdamp || !b->opt->damper || !any(damped)) return;
    real *L = ARRAY(b->damped), *inv = ARRAY(b->dampedinv), *solution = ARRAY(b->scratch);
    for (int i = 0; i < m->nm; i++) L[i] = AT(b->M, i);
    for (int d = 0; d < m->nv; d++) {
        L[m->dof_madr[d]] = L[m->dof_madr[d]] + h * PARAM(b, dof_damping, d);
        solution[d] = AT(b->qfrc_smooth, d) + AT(b->qfrc_constraint, d);
    }
    tree_factor(m, L, inv);
    tree_solve(m, L, inv, solution);
    for (int d = 0; d < m->nv; d++) acc[d] = sel(damped, solution[d], acc[d]);
}

// q (+)= h v: quaternions turn by the rotation vector h w in their own frame
FN void advance_positions(const tx_block *b, const real *vel, real *qpos) {
    const tx_model *m = b->m;
    real h = splat(R(b->opt->timestep));
    for (int j = 0; j < m->njnt; j++) {
        int a = m->jnt_qposadr[j], d = m->jnt_dofadr[j], type = m->jnt_type[j];
        if (type == TX_SLIDE || type == TX_HINGE) {
            qpos[a] = AT(b->qpos, a) + h * vel[d];
            continue;
        }
        if (type == TX_FREE)
            for (int k = 0; k < 3; k++, a++, d++) qpos[a] = AT(b->qpos, a) + h * vel[d];
        real speed = vsqrt(dot3(vel + d, vel + d)), axis[3], turn[4], q[4];
        mask turns = speed >= R(1e-15);
        real inv = R(1) / sel(turns, speed, splat(1));
        for (int k = 0; k < 3; k++) axis[k] = sel(turns, vel[d + k] * inv, splat(k == 0));
        quat_of_axis(turn, axis, h * sel(turns, speed, splat(0)));
        for (int k = 0; k < 4; k++) q[k] = AT(b->qpos, a + k);
        quat_normalize(q);
        quat_mul(q, q, turn);
        for (int k = 0; k < 4; k++) qpos[a + k] = q[k];
    }
}

// marks the first dof of each lane whose numbers are not ordinary; returns where all are
FN mask check_numbers(tx_block *b, const real *vel, const real *qpos) {
    const tx_model *m = b->m;
    mask good = lane_true();
    for (int d = 0; d < m->nv; d++) {
        mask ok = ordinary(AT(b->qacc, d), HUGE_NUMBER) & ordinary(vel[d], HUGE_NUMBER);
        if (any(not_(ok)))
            for (int e = 0; e < b->lanes; e++)
                if (!mask_get(ok, e) && b->bad[e] == 0) b->bad[e] = 1 + d;
        good = good & ok;
    }
    for (int j = 0; j < m->njnt; j++) {
        int count = m->jnt_type[j] == TX_FREE ? 7 : m->jnt_type[j] == TX_BALL ? 4 : 1;
        for (int k = 0; k < count; k++) {
            mask ok = ordinary(qpos[m->jnt_qposadr[j] + k], HUGE_NUMBER);
            if (any(not_(ok)))
                for (int e = 0; e < b->lanes; e++)
                    if (!mask_get(ok, e) && b->bad[e] == 0) b->bad[e] = 1 + m->jnt_dofadr[j];
            good = good & ok;
        }
    }
    return good;
}

// advances the environments whose numbers are good and that are not frozen; the others keep their state
STAGE void integrate(tx_block *b) {
    const tx_model *m = b->m;
    real *acc = ARRAY(b->search), *vel = ARRAY(b->grad), *qpos = ARRAY(b->next_qpos);
    damped_acceleration(b, acc);
    for (int d = 0; d < m->nv; d++) vel[d] = AT(b->qvel, d) + R(b->opt->timestep) * acc[d];
    advance_positions(b, vel, qpos);
    mask moves = check_numbers(b, vel, qpos) & not_(lane_mask(b->frozen));
    for (int i = 0; i < m->nq; i++) AT(b->qpos, i) = sel(moves, qpos[i], AT(b->qpos, i));
    for (int d = 0; d < m->nv; d++) {
        AT(b->qvel, d) = sel(moves, vel[d], AT(b->qvel, d));
        AT(b->qacc_warmstart, d) = sel(moves, AT(b->qacc, d), AT(b->qacc_warmstart, d));
    }
    AT(b->time, 0) = sel(moves, AT(b->time, 0) + R(b->opt->timestep), AT(b->time, 0));
}
