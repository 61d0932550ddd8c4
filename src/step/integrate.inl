// integrate.inl - the next state: five integrators, positions along the exponential map. docs/integrators.md. lanes:
// any
#pragma once
#include "dynamics/free_velocity.inl"
#include "dynamics/yield.inl"

// numbers beyond this size are taken for divergence, as in MuJoCo
#define HUGE_NUMBER R(1e10)

// ---- accelerations -----------------------------------------------------------------------------------------------

// rows [begin, end) of M + h diag into `low`, all forces into `solution`
FN void implicit_system(const tx_block *b, int begin, int end, real h, const real *diagonal, real *low,
                        real *solution) {
    const tx_model *m = b->m;
    int first = m->dof_madr[begin], last = m->dof_madr[end - 1] + m->dof_mnum[end - 1];
    copy(low + first, ARRAY(b->M) + first, last - first);
    for (int d = begin; d < end; d++) {
        low[m->dof_madr[d]] = low[m->dof_madr[d]] + h * diagonal[d];
        solution[d] = AT(b->qfrc_smooth, d) + AT(b->qfrc_constraint, d);
    }
}

// (M + h B) a = force, B the joint damping: MuJoCo's Euler. Trees without damping keep a = qacc to the last bit.
// Needs the damping in scratch, behind the first nv.
FN void euler_acceleration(const tx_block *b, real *acc) {
    const tx_model *m = b->m;
    real *L = ARRAY(b->damped), *inv = ARRAY(b->dampedinv), *solution = ARRAY(b->scratch), *damping = solution + m->nv;
    EACH_IN(b->awake.dofs, k) acc[k] = AT(b->qacc, k);
    if (!b->opt->eulerdamp || !b->opt->damper) return;
    EACH_IN(b->awake.dofs, begin) {
        // tree by tree
        if (m->dof_parent[begin] >= 0) continue;
        const int end = b->tree.stop[begin];
        mask damped = damping[begin] != R(0);
        for (int d = begin + 1; d < end; d++) damped = damped | (damping[d] != R(0));
        if (!any(damped)) continue;
        if (flocks_damp(b) && b->flocks->has[begin])
            for (int d = begin; d < end; d++) solution[d] = AT(b->qfrc_smooth, d) + AT(b->qfrc_constraint, d);
        else {
            implicit_system(b, begin, end, splat(R(b->opt->timestep)), damping, L, solution);
            tree_factor(&b->tree, begin, end, L, inv);
        }
        tree_solve(&b->tree, begin, end, L, inv, solution);
        for (int d = begin; d < end; d++) acc[d] = sel(damped, solution[d], acc[d]);
    }
}

// rows [first, last) of M + h (diag + ∂bias/∂v), unsymmetric, solved for `solution`; nothing outside is coupled to them
FN void coriolis_solve(const tx_block *b, int first, int last, real h, const real *diagonal, real *solution) {
    const tx_model *m = b->m;
    real *low = ARRAY(b->damped), *up = ARRAY(b->upper), *inv = ARRAY(b->dampedinv);
    for (int d = first; d < last; d++) {
        int at = m->dof_madr[d];
        for (int s = 0; s < m->dof_mnum[d]; s++) low[at + s] = up[at + s] = AT(b->M, at + s);
        low[at] = low[at] + h * diagonal[d];
    }
    add_coupled_damping(b, first, last, h, low, up);
    add_fluid_derivative(b, first, last, h, low, up);
    add_bias_derivative(b, first, last, h, low, up);
    tree_lu_factor(&b->tree, first, last, low, up, inv);
    tree_lu_solve(&b->tree, first, last, low, up, inv, solution);
}

// (M - h D) a = force, D = ∂force/∂velocity: with Coriolis terms, or (fast) without them except for lone free bodies.
// Needs the damping diagonal in scratch.
FN void implicit_acceleration(const tx_block *b, bool fast, real *acc) {
    const tx_model *m = b->m;
    real h = splat(R(b->opt->timestep)), *diagonal = ARRAY(b->scratch), *low = ARRAY(b->damped),
         *inv = ARRAY(b->dampedinv);
    for (int r = 0; r < b->awake.dofs.count; r++) {
        const int begin = b->awake.dofs.range[r].begin, end = b->awake.dofs.range[r].end;
        implicit_system(b, begin, end, h, diagonal, low, acc);
        if (!fast) {
            coriolis_solve(b, begin, end, h, diagonal, acc);
            continue;
        }
        add_coupled_damping(b, begin, end, h, low, NULL);
        add_fluid_derivative(b, begin, end, h, low, NULL);
        tree_factor(&b->tree, begin, end, low, inv);
        tree_solve(&b->tree, begin, end, low, inv, acc);
    }
    if (!fast) return;
    EACH_IN(b->live.bodies, i) {
        if (!m->body_lone[i] || tx_body_sleeps(b, i)) continue;
        int first = m->body_dofadr[i];
        for (int d = first; d < first + 6; d++) acc[d] = AT(b->qfrc_smooth, d) + AT(b->qfrc_constraint, d);
        coriolis_solve(b, first, first + 6, h, diagonal, acc);
    }
}

// ---- positions -----------------------------------------------------------------------------------------------------

// rotation by h w about its own axis: exactly, or by Cayley's map (1, h w / 2), which makes the midpoint rule keep
// momentum
FN void turn_by(real *turn, const real *w, real h, bool cayley) {
    if (cayley) {
        turn[0] = splat(1);
        for (int k = 0; k < 3; k++) turn[1 + k] = R(0.5) * h * w[k];
        quat_normalize(turn);
        return;
    }
    real speed = vsqrt(dot3(w, w)), axis[3];
    mask turns = speed >= R(1e-15);
    real inv = R(1) / sel(turns, speed, splat(1));
    for (int k = 0; k < 3; k++) axis[k] = sel(turns, w[k] * inv, splat(k == 0));
    quat_of_axis(turn, axis, h * sel(turns, speed, splat(0)));
}

// to = from (+) h vel; quaternions turn in their own frame
FN void advance_positions(const tx_block *b, const real *from, const real *vel, real h, bool cayley, real *to) {
    const tx_model *m = b->m;
    EACH_IN(b->awake.joints, j) {
        int a = m->jnt_qposadr[j], d = m->jnt_dofadr[j], type = m->jnt_type[j];
        if (type == TX_JOINT_SLIDE || type == TX_JOINT_HINGE) {
            to[a] = from[a] + h * vel[d];
            continue;
        }
        if (type == TX_JOINT_FREE)
            for (int k = 0; k < 3; k++, a++, d++) to[a] = from[a] + h * vel[d];
        real turn[4], q[4];
        for (int k = 0; k < 4; k++) q[k] = from[a + k];
        quat_normalize(q);
        turn_by(turn, vel + d, h, cayley);
        quat_mul(q, q, turn);
        for (int k = 0; k < 4; k++) to[a + k] = q[k];
    }
}

// ---- the end of a step ---------------------------------------------------------------------------------------------

FN void mark_bad(tx_block *b, mask ok, int dof) {
    for (int e = 0; e < b->lanes; e++)
        if (!mask_get(ok, e) && b->bad[e] == 0) b->bad[e] = 1 + dof;
}

// marks the first dof of each lane whose numbers are not ordinary
STAGE void mark_bad_dofs(tx_block *b, const real *vel, const real *qpos) {
    const tx_model *m = b->m;
    EACH_IN(b->awake.dofs, d)
    mark_bad(b, ordinary(AT(b->qacc, d), HUGE_NUMBER) & ordinary(vel[d], HUGE_NUMBER), d);
    EACH_IN(b->awake.joints, j) {
        int count = m->jnt_type[j] == TX_JOINT_FREE ? 7 : m->jnt_type[j] == TX_JOINT_BALL ? 4 : 1;
        for (int k = 0; k < count; k++)
            mark_bad(b, ordinary(qpos[m->jnt_qposadr[j] + k], HUGE_NUMBER), m->jnt_dofadr[j]);
    }
}

// where all numbers are ordinary
FN mask check_numbers(tx_block *b, const real *vel, const real *qpos) {
    mask good = lane_true();
    EACH_IN(b->awake.dofs, d) good = good & ordinary(AT(b->qacc, d), HUGE_NUMBER) & ordinary(vel[d], HUGE_NUMBER);
    EACH_IN(b->awake.qpos, i) good = good & ordinary(qpos[i], HUGE_NUMBER);
    if (any(not_(good))) mark_bad_dofs(b, vel, qpos);
    return good;
}

// a state: positions, velocities, activations
typedef struct motion {
    const real *qpos, *qvel, *act;
} motion;

// the new positions and velocities, and the activations by their rates, where numbers are good and nothing is frozen;
// else the state at the start of the step
FN void accept(tx_block *b, const real *qpos, const real *qvel, const real *act_dot, motion old) {
    mask moves = check_numbers(b, qvel, qpos) & not_(lane_mask(b->frozen));
    EACH_IN(b->awake.qpos, i) AT(b->qpos, i) = sel(moves, qpos[i], old.qpos[i]);
    EACH_IN(b->awake.dofs, d) {
        AT(b->qvel, d) = sel(moves, qvel[d], old.qvel[d]);
        AT(b->qacc_warmstart, d) = sel(moves, AT(b->qacc, d), AT(b->qacc_warmstart, d));
    }
    advance_activations(b, old.act, act_dot, moves);
    if (b->m->nplastic > 0 && b->opt->spring) yield_springs(b, moves);
    AT(b->time, 0) = sel(moves, AT(b->time, 0) + R(b->opt->timestep), AT(b->time, 0));
}

// integrators with one evaluation: v' = v + h a or the answer of a velocity problem, q' = q (+) h v'
STAGE void next_motion(const tx_block *b) {
    real h = splat(R(b->opt->timestep)), *acc = ARRAY(b->step_acc), *vel = ARRAY(b->step_vel);
    if (b->problem.unit == TX_UNIT_ACCELERATION) {
        if (b->opt->integrator == TX_INTEGRATOR_EULER) euler_acceleration(b, acc);
        else implicit_acceleration(b, b->opt->integrator == TX_INTEGRATOR_IMPLICITFAST, acc);
        EACH_IN(b->awake.dofs, d) vel[d] = AT(b->qvel, d) + h * acc[d];
    }
    advance_positions(b, ARRAY(b->qpos), vel, h, false, ARRAY(b->next_qpos));
}

STAGE void integrate(tx_block *b) {
    if (b->problem.unit == TX_UNIT_ACCELERATION) {
        if (has_derivatives(b)) damping_diagonal(b, ARRAY(b->scratch));
        else joint_damping(b, ARRAY(b->scratch) + b->m->nv);
    }
    by_parts(b, next_motion);
    accept(b, ARRAY(b->next_qpos), ARRAY(b->step_vel), ARRAY(b->act_dot),
           (motion){ARRAY(b->qpos), ARRAY(b->qvel), ARRAY(b->act)});
}

// ---- integrators with several evaluations --------------------------------------------------------------------------

STAGE void begin_stages(tx_block *b) {
    const tx_model *m = b->m;
    AT(b->settled, 0) = splat(0);
    for (int i = 0; i < m->nq; i++) AT(b->start_qpos, i) = AT(b->qpos, i);
    for (int d = 0; d < m->nv; d++) {
        AT(b->start_qvel, d) = AT(b->qvel, d);
        AT(b->sum_qvel, d) = AT(b->sum_qacc, d) = splat(0);
    }
    for (int a = 0; a < m->na; a++) {
        AT(b->start_act, a) = AT(b->act, a);
        AT(b->sum_act_dot, a) = splat(0);
    }
}

// back to the start: the step is done again later
STAGE void abandon_stages(tx_block *b) {
    const tx_model *m = b->m;
    for (int i = 0; i < m->nq; i++) AT(b->qpos, i) = AT(b->start_qpos, i);
    for (int d = 0; d < m->nv; d++) AT(b->qvel, d) = AT(b->start_qvel, d);
    for (int a = 0; a < m->na; a++) AT(b->act, a) = AT(b->start_act, a);
}

// rate of the rotation vector u from one orientation to another that turns with w in its own frame:
// w + u×w/2 + k u×(u×w), k = (1 - |u|/2 cot |u|/2) / |u|² (Munthe-Kaas 1999)
FN void rotation_rate(const real *from, const real *to, const real *w, real *rate) {
    real start[4], now[4], u[3], side[3], back[3];
    for (int k = 0; k < 4; k++) start[k] = from[k], now[k] = to[k];
    quat_normalize(start);
    quat_difference(u, now, start);
    real square = dot3(u, u), half = R(0.5) * vsqrt(square), sine, cosine;
    mask small = square < R(1e-3);
    lane_sincos(half, &sine, &cosine);
    real far = (R(1) - half * cosine / sel(small, splat(1), sine)) / sel(small, splat(1), square);
    real near = R(1.0 / 12) + square * (R(1.0 / 720) + square * R(1.0 / 30240)), k = sel(small, near, far);
    cross3(side, u, w);
    cross3(back, u, side);
    for (int i = 0; i < 3; i++) rate[i] = w[i] + (R(0.5) * side[i] + k * back[i]);
}

// rates of the coordinates that lead from the start to the present position: velocities, but rotation vectors for
// quaternions, so that the stages may be added up
FN void coordinate_rates(const tx_block *b, const real *start, real *rate) {
    const tx_model *m = b->m;
    for (int d = 0; d < m->nv; d++) rate[d] = AT(b->qvel, d);
    for (int j = 0; j < m->njnt; j++) {
        int skip = m->jnt_type[j] == TX_JOINT_FREE ? 3 : 0, a = m->jnt_qposadr[j] + skip, d = m->jnt_dofadr[j] + skip;
        if (m->jnt_type[j] != TX_JOINT_FREE && m->jnt_type[j] != TX_JOINT_BALL) continue;
        rotation_rate(start + a, ARRAY(b->qpos) + a, ARRAY(b->qvel) + d, rate + d);
    }
}

// classical Runge-Kutta: takes the derivatives of stage s, prepares the next or ends the step (true)
FN bool runge_kutta_stage(tx_block *b, int s) {
    static const double WEIGHT[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, AHEAD[3] = {0.5, 0.5, 1};
    const tx_model *m = b->m;
    real h = splat(R(b->opt->timestep)), weight = splat(R(WEIGHT[s]));
    real *sum_v = ARRAY(b->sum_qvel), *sum_a = ARRAY(b->sum_qacc), *start_q = ARRAY(b->start_qpos),
         *start_v = ARRAY(b->start_qvel);
    real *rate = ARRAY(b->step_acc);
    coordinate_rates(b, start_q, rate);
    for (int d = 0; d < m->nv; d++) {
        sum_v[d] = sum_v[d] + weight * rate[d];
        sum_a[d] = sum_a[d] + weight * AT(b->qacc, d);
    }
    real *sum_act = ARRAY(b->sum_act_dot), *start_act = ARRAY(b->start_act);
    for (int a = 0; a < m->na; a++) sum_act[a] = sum_act[a] + weight * AT(b->act_dot, a);
    for (int i = 0; i < m->nactuator && m->na > 0 && s == 0; i++) AT(b->start_act_vel, i) = AT(b->actuator_velocity, i);
    if (s < 3) {
        real ahead = h * R(AHEAD[s]);
        for (int a = 0; a < m->na; a++) AT(b->act, a) = start_act[a] + ahead * AT(b->act_dot, a);
        advance_positions(b, start_q, rate, ahead, false, ARRAY(b->qpos));
        for (int d = 0; d < m->nv; d++) AT(b->qvel, d) = start_v[d] + ahead * AT(b->qacc, d);
        return false;
    }
    real *vel = ARRAY(b->step_vel), *qpos = ARRAY(b->next_qpos);
    for (int d = 0; d < m->nv; d++) vel[d] = start_v[d] + h * sum_a[d];
    advance_positions(b, start_q, sum_v, h, false, qpos);
    // bristles of a motor follow the velocity at the start (MuJoCo)
    for (int i = 0; i < m->nactuator && m->na > 0; i++)
        if (m->actuator_states[i] & TX_ACTUATOR_STATE_BRISTLE) AT(b->actuator_velocity, i) = AT(b->start_act_vel, i);
    accept(b, qpos, vel, sum_act, (motion){start_q, start_v, start_act});
    return true;
}

// implicit midpoint rule: v_mid = v + h/2 a(q_mid, v_mid), by Newton steps with the damping's part of the derivative.
// sum_qvel holds v_mid, `settled` is 1 where it has converged. An environment that has converged is evaluated again
// at the same state while its neighbours go on, so that what it reports does not depend on them.
FN bool midpoint_stage(tx_block *b, int s) {
    enum { MOST = 50 };
    const tx_model *m = b->m;
    real h = splat(R(b->opt->timestep)), half = splat(R(0.5) * R(b->opt->timestep));
    real *mid = ARRAY(b->sum_qvel), *start_q = ARRAY(b->start_qpos), *start_v = ARRAY(b->start_qvel);
    if (s == 0) {
        // the first evaluation stands at the start; it only gives the first guess
        for (int d = 0; d < m->nv; d++) mid[d] = start_v[d];
    }
    // defect of v_mid, corrected by (M + h/2 B)⁻¹ M
    real *defect = ARRAY(b->step_vel), *step = ARRAY(b->step_acc), *L = ARRAY(b->damped), *inv = ARRAY(b->dampedinv);
    real *diagonal = ARRAY(b->scratch), size = splat(0), change = splat(0), total = splat(0);
    for (int d = 0; d < m->nv; d++) defect[d] = (start_v[d] + half * AT(b->qacc, d)) - mid[d];
    tree_mul(&b->tree, 0, m->nv, ARRAY(b->M), defect, step);
    damping_diagonal(b, diagonal);
    for (int i = 0; i < m->nm; i++) L[i] = AT(b->M, i);
    for (int d = 0; d < m->nv; d++) L[m->dof_madr[d]] = L[m->dof_madr[d]] + half * diagonal[d];
    tree_factor(&b->tree, 0, m->nv, L, inv);
    tree_solve(&b->tree, 0, m->nv, L, inv, step);
    mask done = AT(b->settled, 0) > R(0);
    for (int d = 0; d < m->nv; d++) {
        change = vmax(change, vabs(step[d]));
        total = total + vabs(step[d]);
        size = vmax(size, vabs(mid[d]) + vabs(half * AT(b->qacc, d)));
        mid[d] = sel(done, mid[d], mid[d] + step[d]);
    }
#ifdef TX_F32
    done = done | (change <= R(1e-6) * size);
#else
    done = done | (change <= R(4e-16) * size);
#endif
    // environments that stand still or have lost their numbers do not keep the others waiting
    done = done | lane_mask(b->frozen) | not_(ordinary(total, HUGE_NUMBER));
    bool last = s > 0 && (!any(not_(done)) || s == MOST);
    real *vel = ARRAY(b->step_vel), *qpos = ARRAY(b->next_qpos);
    if (!last) {
        // no environment is finished by the guess alone
        if (s == 0) done = not_(lane_true());
        AT(b->settled, 0) = sel(done, splat(1), splat(0));
        advance_positions(b, start_q, mid, half, true, qpos);
        for (int i = 0; i < m->nq; i++) AT(b->qpos, i) = sel(done, AT(b->qpos, i), qpos[i]);
        for (int d = 0; d < m->nv; d++) AT(b->qvel, d) = sel(done, AT(b->qvel, d), mid[d]);
        return false;
    }
    for (int d = 0; d < m->nv; d++) vel[d] = R(2) * mid[d] - start_v[d];
    advance_positions(b, start_q, mid, h, true, qpos);
    accept(b, qpos, vel, ARRAY(b->act_dot), (motion){start_q, start_v, ARRAY(b->start_act)});
    return true;
}

STAGE bool next_stage(tx_block *b, int s) {
    return b->opt->integrator == TX_INTEGRATOR_RK4 ? runge_kutta_stage(b, s) : midpoint_stage(b, s);
}
