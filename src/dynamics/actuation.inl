// actuation.inl - actuators: activation and force. docs/actuators.md. lanes: any
#pragma once
#include "dynamics/servo.inl"

// ---- orientation servos --------------------------------------------------------------------------------------------

// the rotation vector that its activations will be after a step, from `act` with these rates
FN void next_turn(const tx_block *b, int i, const real *act, const real *rate, real *turn) {
    real h = splat(R(b->opt->timestep));
    for (int k = 0; k < 3; k++) {
        turn[k] = act[k] + h * rate[k];
        if (b->m->actuator_actlimited[i])
            turn[k] = clamp(turn[k], PARAM(b, actuator_actrange, 2 * i), PARAM(b, actuator_actrange, 2 * i + 1));
    }
    shortest_turn(turn);
}

// rotation by a vector
FN void quat_of_turn(real *q, const real *turn) {
    real size = vsqrt(dot3(turn, turn)), half = R(0.5) * size;
    mask turns = size > R(1e-15);
    real share = sel(turns, lane_sin(half) / sel(turns, size, splat(1)), splat(0.5));
    q[0] = lane_cos(half);
    for (int k = 0; k < 3; k++) q[1 + k] = share * turn[k];
}

// the orientation that is commanded
FN void wanted_turn(const tx_block *b, int i, real *q) {
    const tx_model *m = b->m;
    const int a = m->actuator_act[i], c = m->actuator_ctrladr[i];
    real turn[3];
    if (m->actuator_inputs[i] == TX_INPUT_QUAT) {
        for (int k = 0; k < 4; k++) q[k] = control_in_range(b, c + k);
        quat_normalize(q);
        return;
    }
    for (int k = 0; k < 3; k++) turn[k] = a < 0 ? control_in_range(b, c + k) : AT(b->act, a + k);
    if (a >= 0 && m->actuator_actearly[i]) next_turn(b, i, turn, &AT(b->act_dot, a), turn);
    quat_of_turn(q, turn);
}

// its three torques, before they are limited
FN void orientation_torque(const tx_block *b, int i, real *torque) {
    const real *gain = &PARAM(b, actuator_gain, 10 * i), *bias = &PARAM(b, actuator_bias, 10 * i);
    real now[4], wanted[4],
        turn[3] = {AT(b->actuator_length, i), AT(b->actuator_length, i + 1), AT(b->actuator_length, i + 2)};
    quat_of_turn(now, turn);
    wanted_turn(b, i, wanted);
    quat_difference(turn, wanted, now);
    for (int k = 0; k < 3; k++) torque[k] = gain[0] * turn[k] + bias[0] + bias[2] * AT(b->actuator_velocity, i + k);
}

// rates of its activations and its torques, as large as they may be
FN void drive_turn(const tx_block *b, int i) {
    const tx_model *m = b->m;
    real torque[3];
    for (int k = 0; k < m->actuator_actnum[i]; k++)
        AT(b->act_dot, m->actuator_act[i] + k) = control_in_range(b, m->actuator_ctrladr[i] + k);
    orientation_torque(b, i, torque);
    for (int k = 0; k < 3; k++) AT(b->actuator_force, i + k) = torque[k];
    if (!m->actuator_forcelimited[i]) return;
    real size = vsqrt(dot3(torque, torque)), most = PARAM(b, actuator_forcerange, 2 * i + 1);
    real share = sel(size > most, most / sel(size > most, size, splat(1)), splat(1));
    for (int k = 0; k < 3; k++) AT(b->actuator_force, i + k) = torque[k] * share;
}

// ---- activation ----------------------------------------------------------------------------------------------------

// of an actuator with one command
FN real actuator_control(const tx_block *b, int i) { return control_in_range(b, b->m->actuator_ctrladr[i]); }

// from 0 to 1 between 0 and 1, with flat first and second derivatives at both ends
FN real smooth_step(real x) {
    x = clamp(x, splat(0), splat(1));
    return x * x * x * (R(3) * x * (R(2) * x - R(5)) + R(10));
}

// a muscle is faster to activate than to relax (Millard et al. 2013)
FN real muscle_rate(real ctrl, real act, const real *prm) {
    real level = R(0.5) + R(1.5) * clamp(act, splat(0), splat(1));
    real rising = prm[0] * level, falling = prm[1] / level, width = prm[2];
    real change = clamp(ctrl, splat(0), splat(1)) - act;
    real hard = sel(change > R(0), rising, falling);
    real soft = falling + (rising - falling) * smooth_step(change / vmax(width, splat(TINY)) + R(0.5));
    return change / vmax(sel(width < TINY, hard, soft), splat(TINY));
}

FN real activation_rate(const tx_block *b, int i, real ctrl, real act) {
    const real *prm = &PARAM(b, actuator_dynprm, 10 * i);
    switch (b->m->actuator_dyn[i]) {
    case TX_DYNAMICS_INTEGRATOR: return ctrl;
    case TX_DYNAMICS_MUSCLE: return muscle_rate(ctrl, act, prm);
    default: return (on_circle(b, i, ctrl, act) - act) / vmax(prm[0], splat(TINY));
    }
}

// activation `a` after a step with this rate
FN real next_activation(const tx_block *b, int i, int a, real act, real rate) {
    real h = splat(R(b->opt->timestep));
    if (b->m->actuator_states[i] != TX_ACTUATOR_STATE_PLAIN) return next_servo_state(b, i, a, act, rate);
    if (b->m->actuator_dyn[i] == TX_DYNAMICS_FILTEREXACT) {
        real tau = vmax(PARAM(b, actuator_dynprm, 10 * i), splat(TINY));
        act = act + rate * tau * (R(1) - lane_exp(-h / tau));
    } else {
        act = act + h * rate;
    }
    if (b->m->actuator_actlimited[i])
        act = clamp(act, PARAM(b, actuator_actrange, 2 * i), PARAM(b, actuator_actrange, 2 * i + 1));
    return on_circle(b, i, act, AT(b->actuator_length, i));
}

// what the gain is multiplied with
FN real actuator_input(const tx_block *b, int i) {
    int a = b->m->actuator_act[i];
    real act = a < 0 ? actuator_control(b, i) : AT(b->act, a);
    if (a >= 0 && b->m->actuator_actearly[i]) return next_activation(b, i, a, act, AT(b->act_dot, a));
    return on_circle(b, i, act, AT(b->actuator_length, i));
}

// rates of its activations
FN void activation_rates(const tx_block *b, int i) {
    int a = b->m->actuator_act[i];
    if (a < 0) return;
    if (b->m->actuator_states[i] != TX_ACTUATOR_STATE_PLAIN) servo_rates(b, i);
    else AT(b->act_dot, a) = activation_rate(b, i, actuator_control(b, i), AT(b->act, a));
}

// whether what it acts on is asleep: then its activation stands still
FN bool actuator_sleeps(const tx_block *b, int i) {
    const tx_model *m = b->m;
    if (m->actuator_trn[i] == TX_TRANSMISSION_BODY) return tx_body_sleeps(b, m->actuator_trnid[i]);
    return m->actuator_dofnum[i] > 0 && tx_body_sleeps(b, m->dof_body[m->moment_dof[m->actuator_dofadr[i]]]);
}

// the activations at the end of the step, where `moves`
STAGE void advance_activations(const tx_block *b, const real *start, const real *rate, mask moves) {
    const tx_model *m = b->m;
    for (int i = 0; i < m->nactuator && m->na > 0; i++) {
        if (m->actuator_actnum[i] == 0 || actuator_sleeps(b, i)) continue;
        if (m->actuator_gaincurve[i] == TX_CURVE_SO3) {
            const int a = m->actuator_act[i];
            real turn[3];
            next_turn(b, i, start + a, rate + a, turn);
            for (int k = 0; k < 3; k++) AT(b->act, a + k) = sel(moves, turn[k], start[a + k]);
            continue;
        }
        for (int a = m->actuator_act[i]; a < m->actuator_act[i] + m->actuator_actnum[i]; a++)
            AT(b->act, a) = sel(moves, next_activation(b, i, a, start[a], rate[a]), start[a]);
    }
}

// ---- force ---------------------------------------------------------------------------------------------------------

// peak force and length, velocity in units of the muscle's own
typedef struct muscle {
    real force, L, V;
    real unit; // length of the muscle's own [m]
} muscle;

FN muscle muscle_state(const tx_block *b, int i, const real *prm, real length, real velocity) {
    real low = PARAM(b, actuator_lengthrange, 2 * i), high = PARAM(b, actuator_lengthrange, 2 * i + 1);
    real unit = (high - low) / vmax(prm[1] - prm[0], splat(TINY));
    real by_strength = prm[3] / vmax(PARAM(b, actuator_acc0, i), splat(TINY));
    return (muscle){.force = sel(prm[2] < R(0), by_strength, prm[2]),
                    .L = prm[0] + (length - low) / vmax(unit, splat(TINY)),
                    .V = velocity / vmax(unit * prm[6], splat(TINY)),
                    .unit = vmax(unit, splat(TINY))};
}

// active force over length: parabolas from lmin over 1 to lmax
FN real muscle_length_curve(real L, real lmin, real lmax) {
    real a = R(0.5) * (lmin + R(1)), b = R(0.5) * (R(1) + lmax);
    real up = (L - lmin) / vmax(a - lmin, splat(TINY)), near_below = (R(1) - L) / vmax(R(1) - a, splat(TINY));
    real near_above = (L - R(1)) / vmax(b - R(1), splat(TINY)), down = (lmax - L) / vmax(lmax - b, splat(TINY));
    real curve = sel(L <= a, R(0.5) * up * up,
                     sel(L <= R(1), R(1) - R(0.5) * near_below * near_below,
                         sel(L <= b, R(1) - R(0.5) * near_above * near_above, R(0.5) * down * down)));
    return sel((L >= lmin) & (L <= lmax), curve, splat(0));
}

// its slope
FN real muscle_length_slope(real L, real lmin, real lmax) {
    real a = R(0.5) * (lmin + R(1)), b = R(0.5) * (R(1) + lmax);
    real first = vmax(a - lmin, splat(TINY)), second = vmax(R(1) - a, splat(TINY)), third = vmax(b - R(1), splat(TINY)),
         fourth = vmax(lmax - b, splat(TINY));
    real slope = sel(L <= a, (L - lmin) / (first * first),
                     sel(L <= R(1), (R(1) - L) / (second * second),
                         sel(L <= b, (R(1) - L) / (third * third), (L - lmax) / (fourth * fourth))));
    return sel((L >= lmin) & (L <= lmax), slope, splat(0));
}

// force over velocity, and its slope
FN real muscle_velocity_curve(real V, real fvmax, real *slope) {
    real y = fvmax - R(1), floor_y = vmax(y, splat(TINY)), shortening = V + R(1), rest = y - V;
    *slope = sel(V <= R(-1), splat(0), sel(V <= R(0), R(2) * shortening, sel(V <= y, R(2) * rest / floor_y, splat(0))));
    return sel(V <= R(-1), splat(0),
               sel(V <= R(0), shortening * shortening, sel(V <= y, fvmax - rest * rest / floor_y, fvmax)));
}

FN real affine(const real *prm, real length, real velocity) { return prm[0] + prm[1] * length + prm[2] * velocity; }

// gain at this length and velocity; slope: its derivative by the velocity
FN real actuator_gain(const tx_block *b, int i, real length, real velocity, real *slope) {
    const real *prm = &PARAM(b, actuator_gain, 10 * i);
    if (b->m->actuator_gaincurve[i] == TX_CURVE_AFFINE) {
        *slope = prm[2];
        return affine(prm, length, velocity);
    }
    muscle s = muscle_state(b, i, prm, length, velocity);
    real by_length = -s.force * muscle_length_curve(s.L, prm[4], prm[5]), curve_slope;
    real gain = by_length * muscle_velocity_curve(s.V, prm[8], &curve_slope);
    real unit = (PARAM(b, actuator_lengthrange, 2 * i + 1) - PARAM(b, actuator_lengthrange, 2 * i)) /
                vmax(prm[1] - prm[0], splat(TINY));
    *slope = by_length * curve_slope / vmax(unit * prm[6], splat(TINY));
    return gain;
}

// passive force of a muscle beyond its rest length; affine in length and velocity otherwise
FN real actuator_bias(const tx_block *b, int i, real length, real velocity, real *slope) {
    const real *prm = &PARAM(b, actuator_bias, 10 * i);
    if (b->m->actuator_biascurve[i] == TX_CURVE_AFFINE) {
        *slope = prm[2];
        return affine(prm, length, velocity);
    }
    muscle s = muscle_state(b, i, prm, length, velocity);
    real middle = R(0.5) * (R(1) + prm[5]), half = vmax(middle - R(1), splat(TINY));
    real x = (s.L - R(1)) / half, beyond = (s.L - middle) / half, peak = s.force * prm[7];
    *slope = splat(0);
    return sel(s.L <= R(1), splat(0), sel(s.L <= middle, -peak * R(0.5) * x * x, -peak * (R(0.5) + beyond)));
}

// gain * input + bias, before anything is limited; of a motor that of its current
FN real unlimited_force(const tx_block *b, int i) {
    real slope, length = AT(b->actuator_length, i), velocity = AT(b->actuator_velocity, i);
    if (is_motor(b->m, i)) return electric_force(b, i);
    if (is_pid(b->m, i)) return pid_drive(b, i) + actuator_bias(b, i, length, velocity, &slope);
    return actuator_gain(b, i, length, velocity, &slope) * actuator_input(b, i) +
           actuator_bias(b, i, length, velocity, &slope);
}

// the same of one on a single dof, without activation (tx_shortcuts)
FN real plain_force(const tx_block *b, int i) {
    real length = AT(b->actuator_length, i), velocity = AT(b->actuator_velocity, i);
    return affine(&PARAM(b, actuator_gain, 10 * i), length, velocity) * actuator_control(b, i) +
           affine(&PARAM(b, actuator_bias, 10 * i), length, velocity);
}

// rates of its activations and its force, of any other; apart, so that the plain ones stay quick
__attribute__((noinline)) STAGE void drive_actuator(const tx_block *b, int i) {
    const int axis = tx_actuator_axis(b->m->actuator_gaincurve[i]);
    if (axis >= 0) {
        if (axis == 0) drive_turn(b, i);
        return;
    }
    activation_rates(b, i);
    AT(b->actuator_force, i) = unlimited_force(b, i);
}

FN bool pulls_tendon(const tx_model *m, int actuator, int tendon) {
    return m->actuator_trn[actuator] == TX_TRANSMISSION_TENDON && m->actuator_trnid[actuator] == tendon;
}

// the sum of all actuators on a tendon stays in its range: all are scaled down together
FN void limit_tendon_actuators(const tx_block *b, int tendon) {
    const tx_model *m = b->m;
    real total = splat(0);
    for (int i = 0; i < m->nactuator; i++)
        if (pulls_tendon(m, i, tendon)) total = total + AT(b->actuator_force, i);
    real allowed = clamp(total, PARAM(b, tendon_actfrcrange, 2 * tendon), PARAM(b, tendon_actfrcrange, 2 * tendon + 1));
    mask beyond = allowed != total;
    real scale = allowed / sel(beyond, total, splat(1));
    for (int i = 0; i < m->nactuator; i++)
        if (pulls_tendon(m, i, tendon))
            AT(b->actuator_force, i) = sel(beyond, AT(b->actuator_force, i) * scale, AT(b->actuator_force, i));
}

// groups that are switched off give no force and keep their activations
FN bool actuator_acts(const tx_block *b, int i) {
    int group = b->m->actuator_group[i];
    bool off = group >= 0 && group <= 30 && (b->opt->actuator_groups_off >> group & 1);
    return b->opt->actuation && !off;
}

// gain * input + bias through the moment; then what tendons, actuators and joints allow
STAGE void actuator_forces(const tx_block *b) {
    const tx_model *m = b->m;
    const tx_range own = b->driven.actuators, joints = b->driven.joints;
    real *joint_force = ARRAY(b->qfrc_actuator);
    for (int d = b->driven.dofs.begin; d < b->driven.dofs.end; d++) joint_force[d] = splat(0);
    for (int i = own.begin; i < own.end; i++) AT(b->actuator_force, i) = splat(0);
    for (int i = 0; i < m->na; i++) AT(b->act_dot, i) = splat(0);
    for (int i = own.begin; i < own.end; i++) {
        if (!actuator_acts(b, i)) continue;
        if (b->shortcuts.actuator_plain[i]) AT(b->actuator_force, i) = plain_force(b, i);
        else drive_actuator(b, i);
    }
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_actfrclimited[t]) limit_tendon_actuators(b, t);
    for (int i = own.begin; i < own.end; i++) {
        if (!actuator_acts(b, i)) continue;
        real force = AT(b->actuator_force, i);
        if (m->actuator_forcelimited[i] && tx_actuator_axis(m->actuator_gaincurve[i]) < 0)
            force = clamp(force, PARAM(b, actuator_forcerange, 2 * i), PARAM(b, actuator_forcerange, 2 * i + 1));
        AT(b->actuator_force, i) = force;
        if (b->shortcuts.actuator_plain[i]) {
            const int e = m->actuator_dofadr[i], d = m->moment_dof[e];
            joint_force[d] = joint_force[d] + AT(b->moment, e) * force;
            continue;
        }
        if (is_motor(m, i)) AT(b->actuator_force, i) = force = force + mechanical_force(b, i);
        for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++)
            joint_force[m->moment_dof[e]] = joint_force[m->moment_dof[e]] + AT(b->moment, e) * force;
    }
    // gravity compensation by actuators needs actuators (MuJoCo)
    for (int j = joints.begin; j < joints.end && m->nactuator > 0 && b->opt->actuation; j++) {
        int d = m->jnt_dofadr[j];
        if (m->jnt_actgravcomp[j]) joint_force[d] = joint_force[d] + AT(b->qfrc_gravcomp, d);
        if (m->jnt_actfrclimited[j])
            joint_force[d] =
                clamp(joint_force[d], PARAM(b, jnt_actfrcrange, 2 * j), PARAM(b, jnt_actfrcrange, 2 * j + 1));
    }
}

FN mask at_limit(real force, const real *range) { return (force <= range[0]) | (force >= range[1]); }

// whether its joint's range of actuator forces holds it (MuJoCo: other joints of its tendon do not)
FN mask joint_holds(const tx_block *b, int i) {
    const tx_model *m = b->m;
    int joint = m->actuator_trnid[i];
    bool on_joint = m->actuator_trn[i] == TX_TRANSMISSION_JOINT || m->actuator_trn[i] == TX_TRANSMISSION_JOINTINPARENT;
    if (!on_joint || !m->jnt_actfrclimited[joint]) return not_(lane_true());
    return at_limit(AT(b->qfrc_actuator, m->jnt_dofadr[joint]), &PARAM(b, jnt_actfrcrange, 2 * joint));
}

// whether its own force range or its tendon's holds an actuator; of a motor the force of its current
FN mask range_holds(const tx_block *b, int i) {
    const tx_model *m = b->m;
    mask held = not_(lane_true());
    int target = m->actuator_trnid[i];
    const int axis = tx_actuator_axis(m->actuator_gaincurve[i]);
    if (axis >= 0) {
        real torque[3], most = PARAM(b, actuator_forcerange, 2 * (i - axis) + 1);
        if (!m->actuator_forcelimited[i - axis]) return held;
        orientation_torque(b, i - axis, torque);
        return dot3(torque, torque) >= most * most;
    }
    if (m->actuator_forcelimited[i]) {
        real force = is_motor(m, i) ? electric_force(b, i) : AT(b->actuator_force, i);
        held = held | at_limit(force, &PARAM(b, actuator_forcerange, 2 * i));
    }
    if (m->actuator_trn[i] == TX_TRANSMISSION_TENDON && m->tendon_actfrclimited[target]) {
        real total = splat(0);
        for (int k = 0; k < m->nactuator; k++)
            if (pulls_tendon(m, k, target) && actuator_acts(b, k)) total = total + unlimited_force(b, k);
        held = held | at_limit(total, &PARAM(b, tendon_actfrcrange, 2 * target));
    }
    return held;
}

// derivatives of gain and bias by the length
FN real gain_stiffness(const tx_block *b, int i) {
    const real *prm = &PARAM(b, actuator_gain, 10 * i);
    if (b->m->actuator_gaincurve[i] == TX_CURVE_AFFINE) return prm[1];
    muscle s = muscle_state(b, i, prm, AT(b->actuator_length, i), AT(b->actuator_velocity, i));
    real slope;
    return -s.force * muscle_length_slope(s.L, prm[4], prm[5]) * muscle_velocity_curve(s.V, prm[8], &slope) / s.unit;
}
FN real bias_stiffness(const tx_block *b, int i) {
    const real *prm = &PARAM(b, actuator_bias, 10 * i);
    if (b->m->actuator_biascurve[i] == TX_CURVE_AFFINE) return prm[1];
    muscle s = muscle_state(b, i, prm, AT(b->actuator_length, i), AT(b->actuator_velocity, i));
    real middle = R(0.5) * (R(1) + prm[5]), half = vmax(middle - R(1), splat(TINY)), peak = s.force * prm[7];
    real x = vmin((s.L - R(1)) / half, splat(1));
    return sel(s.L <= R(1), splat(0), -(peak * x / half / s.unit));
}

typedef struct force_slopes {
    real velocity, length;
} force_slopes;

// derivatives of an actuator's force by its velocity and, where the integrator asks for it, length; zero where it is
// held
FN force_slopes actuator_slopes(const tx_block *b, int i) {
    const tx_model *m = b->m;
    force_slopes s = {splat(0), splat(0)};
    real gain_slope, bias_slope;
    mask held = range_holds(b, i), stopped = joint_holds(b, i);
    const int axis = tx_actuator_axis(m->actuator_gaincurve[i]);
    if (axis >= 0) {
        const real *bias = &PARAM(b, actuator_bias, 10 * (i - axis));
        s.velocity = sel(held, splat(0), bias[2]), s.length = sel(held, splat(0), bias[1]);
        return s;
    }
    if (is_motor(m, i)) {
        motor_slopes motor = motor_slope(b, i);
        s.velocity = sel(held, splat(0), motor.velocity) + motor.friction;
        s.length = sel(held, splat(0), motor.length) + motor.cogging;
        held = stopped;
    } else {
        const bool lengths = b->opt->integrator == TX_INTEGRATOR_DISCRETE;
        actuator_bias(b, i, AT(b->actuator_length, i), AT(b->actuator_velocity, i), &bias_slope);
        s.velocity = bias_slope;
        if (is_pid(m, i)) s.length = PARAM(b, actuator_bias, 10 * i + 1);
        else {
            real input = actuator_input(b, i);
            actuator_gain(b, i, AT(b->actuator_length, i), AT(b->actuator_velocity, i), &gain_slope);
            s.velocity = gain_slope * input + bias_slope;
            if (lengths) s.length = gain_stiffness(b, i) * input + bias_stiffness(b, i);
        }
        held = held | stopped;
    }
    s.velocity = sel(held, splat(0), s.velocity), s.length = sel(held, splat(0), s.length);
    return s;
}

FN real actuator_slope(const tx_block *b, int i) { return actuator_slopes(b, i).velocity; }
