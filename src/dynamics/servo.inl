// servo.inl - PID controllers and DC motors: several inputs, several activations. docs/actuators.md. lanes: any
#pragma once
#include "dynamics/transmission.inl"
#include "model/actuator.h"

// control k of the model, within its range
FN real control_in_range(const tx_block *b, int k) {
    real ctrl = b->m->nhistory > 0 ? AT(b->ctrl_now, k) : AT(b->ctrl, k);
    if (!b->m->actuator_ctrllimited[k] || !b->opt->clampctrl) return ctrl;
    return clamp(ctrl, PARAM(b, actuator_ctrlrange, 2 * k), PARAM(b, actuator_ctrlrange, 2 * k + 1));
}

FN bool is_pid(const tx_model *m, int i) { return m->actuator_gaincurve[i] == TX_CURVE_PID; }
FN bool is_motor(const tx_model *m, int i) { return m->actuator_gaincurve[i] == TX_CURVE_DCMOTOR; }

// whether its length can be an angle between minus and plus half a turn: that of a ball joint or of a site in another
FN bool may_turn(const tx_model *m, int i) {
    int kind = m->actuator_trn[i];
    if (kind == TX_TRANSMISSION_SITE) return m->actuator_trnref[i] >= 0;
    return (kind == TX_TRANSMISSION_JOINT || kind == TX_TRANSMISSION_JOINTINPARENT) &&
           m->jnt_type[m->actuator_trnid[i]] == TX_JOINT_BALL;
}

// a servo that only turns takes its set point on the circle: as the one of value, value +- a turn, ... nearest to
// `near`
FN real on_circle(const tx_block *b, int i, real value, real near) {
    const tx_model *m = b->m;
    if (!may_turn(m, i) || is_motor(m, i) || m->actuator_biascurve[i] != TX_CURVE_AFFINE) return value;
    const real *gain = &PARAM(b, actuator_gain, 10 * i), *bias = &PARAM(b, actuator_bias, 10 * i);
    const real *gear = &PARAM(b, actuator_gear, 6 * i);
    mask turns = lane_true();
    if (m->actuator_gaincurve[i] == TX_CURVE_AFFINE)
        turns = (gain[0] == -bias[1]) & (gain[0] != R(0)) & (gain[1] == R(0)) & (gain[2] == R(0));
    else if (!is_pid(m, i)) return value;
    if (m->actuator_trn[i] == TX_TRANSMISSION_SITE) {
        turns = turns & (gear[0] == R(0)) & (gear[1] == R(0)) & (gear[2] == R(0));
        gear += 3;
    }
    real turn = R(6.283185307179586476925287) * vsqrt(dot3(gear, gear));
    turns = turns & (turn > R(0));
    real past = nearest_integer((value - near) / sel(turns, turn, splat(1)));
    return sel(turns, value - turn * past, value);
}

// a rotation vector as the shortest one of the same rotation: no longer than half a turn
FN void shortest_turn(real *turn) {
    const num whole = R(6.283185307179586476925287);
    real size = vsqrt(dot3(turn, turn)), past = whole * nearest_integer(size / whole);
    mask longer = past > R(0);
    real scale = sel(longer, (size - past) / sel(longer, size, splat(1)), splat(1));
    for (int k = 0; k < 3; k++) turn[k] = turn[k] * scale;
}

// where an actuator keeps an activation, -1: it has none
FN int state_at(const tx_model *m, int i, int state) {
    int states = m->actuator_states[i];
    return states & state ? m->actuator_act[i] + tx_bit_count(states & (state - 1)) : -1;
}

typedef struct servo_input {
    real pos, vel, ff, voltage;
} servo_input;

// the first input moves no faster than the slew rate lets it
FN real slewed(const tx_block *b, int i, real value) {
    int a = state_at(b->m, i, TX_ACTUATOR_STATE_SLEW);
    if (a < 0) return value;
    real reach = PARAM(b, actuator_dynprm, 10 * i + (is_pid(b->m, i) ? 1 : 7)) * R(b->opt->timestep);
    if (b->m->actuator_inputs[i] & TX_INPUT_POS) value = on_circle(b, i, value, AT(b->act, a));
    return clamp(value, AT(b->act, a) - reach, AT(b->act, a) + reach);
}

// what is no input is zero
FN servo_input servo_inputs(const tx_block *b, int i) {
    const int inputs = b->m->actuator_inputs[i], first = b->m->actuator_ctrladr[i];
    real value[4];
    for (int k = 0; k < 4; k++) {
        int before = tx_bit_count(inputs & ((1 << k) - 1));
        value[k] = inputs >> k & 1 ? control_in_range(b, first + before) : splat(0);
        if (inputs >> k & 1 && before == 0) value[k] = slewed(b, i, value[k]);
    }
    if (inputs & TX_INPUT_POS) value[0] = on_circle(b, i, value[0], AT(b->actuator_length, i));
    return (servo_input){value[0], value[1], value[2], value[3]};
}

FN real state_or_zero(const tx_block *b, int i, int state) {
    int a = state_at(b->m, i, state);
    return a < 0 ? splat(0) : AT(b->act, a);
}

// gain times input of a PID controller: all that does not depend on length and velocity, which are in its bias
FN real pid_drive(const tx_block *b, int i) {
    servo_input u = servo_inputs(b, i);
    const real *bias = &PARAM(b, actuator_bias, 10 * i);
    real integral = PARAM(b, actuator_gain, 10 * i) * state_or_zero(b, i, TX_ACTUATOR_STATE_INTEGRAL);
    return integral - bias[1] * u.pos - bias[2] * u.vel + u.ff;
}

// ---- motor ----------------------------------------------------------------------------------------------------------

// of the winding, as warm as it is
FN real motor_resistance(const tx_block *b, int i) {
    const real *gain = &PARAM(b, actuator_gain, 10 * i);
    int a = state_at(b->m, i, TX_ACTUATOR_STATE_TEMPERATURE);
    if (a < 0) return vmax(gain[0], splat(TINY));
    real warmth = AT(b->act, a) + PARAM(b, actuator_dynprm, 10 * i + 4) - gain[3];
    return vmax(gain[0] * (R(1) + gain[2] * warmth), splat(TINY));
}

// voltage at the terminals: what the controller needs for its force, as far as it goes, and the raw one; held: at the
// end of what it can give
FN real motor_voltage(const tx_block *b, int i, mask *held) {
    const real *gain = &PARAM(b, actuator_gain, 10 * i);
    servo_input u = servo_inputs(b, i);
    *held = not_(lane_true());
    if (!(b->m->actuator_inputs[i] & (TX_INPUT_POS | TX_INPUT_VEL | TX_INPUT_FF))) return u.voltage;
    real length = AT(b->actuator_length, i), velocity = AT(b->actuator_velocity, i);
    real force = gain[4] * (u.pos - length) + gain[6] * (u.vel - velocity) +
                 gain[5] * state_or_zero(b, i, TX_ACTUATOR_STATE_INTEGRAL) + u.ff;
    real voltage = gain[0] / gain[1] * force + gain[1] * velocity;
    mask bounded = gain[7] > R(0);
    *held = bounded & (vabs(voltage) >= gain[7]);
    return sel(bounded, clamp(voltage, -gain[7], gain[7]), voltage) + u.voltage;
}

// Stribeck's force at this velocity, over LuGre's stiffness: rate of relaxation of the bristles per deflection
FN real bristle_rate(const tx_block *b, int i) {
    const real *bias = &PARAM(b, actuator_bias, 10 * i);
    real velocity = AT(b->actuator_velocity, i), ratio = velocity / vmax(bias[5], splat(TINY));
    real friction = bias[3] + (bias[4] - bias[3]) * lane_exp(-ratio * ratio);
    return -PARAM(b, actuator_dynprm, 10 * i + 5) * vabs(velocity) / vmax(friction, splat(TINY));
}

FN real time_constant(const tx_block *b, int i) { return vmax(PARAM(b, actuator_dynprm, 10 * i), splat(TINY)); }

// ---- activations ----------------------------------------------------------------------------------------------------

// stops the integral where it is at its limit and would go on
FN real bounded_rate(real rate, real integral, real most) {
    real up = sel(integral >= most, vmin(rate, splat(0)), rate);
    return sel(most > R(0), sel(integral <= -most, vmax(rate, splat(0)), up), rate);
}

// rates of all activations of a controller or motor
FN void servo_rates(const tx_block *b, int i) {
    const tx_model *m = b->m;
    const real *prm = &PARAM(b, actuator_dynprm, 10 * i), *gain = &PARAM(b, actuator_gain, 10 * i);
    const int slew = state_at(m, i, TX_ACTUATOR_STATE_SLEW), integral = state_at(m, i, TX_ACTUATOR_STATE_INTEGRAL),
              warm = state_at(m, i, TX_ACTUATOR_STATE_TEMPERATURE), bristle = state_at(m, i, TX_ACTUATOR_STATE_BRISTLE),
              current = state_at(m, i, TX_ACTUATOR_STATE_CURRENT);
    servo_input u = servo_inputs(b, i);
    if (slew >= 0) {
        real first = slewed(b, i, control_in_range(b, m->actuator_ctrladr[i]));
        AT(b->act_dot, slew) = (first - AT(b->act, slew)) / R(b->opt->timestep);
    }
    if (integral >= 0)
        AT(b->act_dot, integral) =
            bounded_rate(u.pos - AT(b->actuator_length, i), AT(b->act, integral), is_pid(m, i) ? prm[0] : prm[8]);
    if (warm < 0 && bristle < 0 && current < 0) return;
    mask held;
    real velocity = AT(b->actuator_velocity, i), R_now = motor_resistance(b, i);
    real steady = (motor_voltage(b, i, &held) - gain[1] * velocity) / R_now;
    if (warm >= 0) {
        real flow = current < 0 ? steady : AT(b->act, current);
        AT(b->act_dot, warm) = (R_now * flow * flow - AT(b->act, warm) / prm[2]) / prm[3];
    }
    if (bristle >= 0) AT(b->act_dot, bristle) = bristle_rate(b, i) * AT(b->act, bristle) + velocity;
    if (current >= 0) {
        real rate = (steady - AT(b->act, current)) / time_constant(b, i);
        AT(b->act_dot, current) = sel(prm[1] > R(0), clamp(rate, -prm[1], prm[1]), rate);
    }
}

// activation `a` of a controller or motor after a step with this rate; bristles and current exactly
FN real next_servo_state(const tx_block *b, int i, int a, real act, real rate) {
    const tx_model *m = b->m;
    const real *prm = &PARAM(b, actuator_dynprm, 10 * i);
    real h = splat(R(b->opt->timestep));
    if (a == state_at(m, i, TX_ACTUATOR_STATE_CURRENT)) {
        real tau = time_constant(b, i);
        return act + rate * tau * (R(1) - lane_exp(-h / tau));
    }
    if (a == state_at(m, i, TX_ACTUATOR_STATE_BRISTLE)) {
        real relax = bristle_rate(b, i), decay = lane_exp(relax * h);
        mask still = vabs(relax) <= R(TINY);
        real moved = sel(still, h, (decay - R(1)) / sel(still, splat(1), relax));
        return decay * act + moved * AT(b->actuator_velocity, i);
    }
    act = act + h * rate;
    // a motor's integral ends at its limit, that of a controller stops when it is beyond (MuJoCo)
    if (is_pid(m, i) || a != state_at(m, i, TX_ACTUATOR_STATE_INTEGRAL)) return act;
    return sel(prm[8] > R(0), clamp(act, -prm[8], prm[8]), act);
}

// ---- force ----------------------------------------------------------------------------------------------------------

// of the current
FN real electric_force(const tx_block *b, int i) {
    const real K = PARAM(b, actuator_gain, 10 * i + 1);
    int a = state_at(b->m, i, TX_ACTUATOR_STATE_CURRENT);
    mask held;
    if (a < 0) {
        real gain = K / motor_resistance(b, i);
        return gain * motor_voltage(b, i, &held) - gain * K * AT(b->actuator_velocity, i);
    }
    real current = AT(b->act, a);
    if (b->m->actuator_actearly[i]) current = next_servo_state(b, i, a, current, AT(b->act_dot, a));
    return K * current;
}

// cogging and friction: no limit of the current holds them
FN real mechanical_force(const tx_block *b, int i) {
    const real *bias = &PARAM(b, actuator_bias, 10 * i), *prm = &PARAM(b, actuator_dynprm, 10 * i);
    real force = bias[0] * lane_sin(bias[1] * AT(b->actuator_length, i) + bias[2]);
    int a = state_at(b->m, i, TX_ACTUATOR_STATE_BRISTLE);
    return a < 0 ? force : force - (prm[5] * AT(b->act, a) + prm[6] * AT(b->act_dot, a));
}

typedef struct motor_slopes {
    real velocity, length;  // of the current's force
    real friction, cogging; // of the mechanical one, by velocity and length
} motor_slopes;

// derivatives of its force; those of the rate of relaxation are left out, as in MuJoCo
FN motor_slopes motor_slope(const tx_block *b, int i) {
    const tx_model *m = b->m;
    const real *gain = &PARAM(b, actuator_gain, 10 * i), *prm = &PARAM(b, actuator_dynprm, 10 * i),
               *bias = &PARAM(b, actuator_bias, 10 * i);
    mask held;
    motor_voltage(b, i, &held);
    real K = gain[1], by_length = splat(0), by_velocity = splat(0), share = K / motor_resistance(b, i);
    if (m->actuator_inputs[i] & (TX_INPUT_POS | TX_INPUT_VEL | TX_INPUT_FF)) {
        by_length = sel(held, splat(0), -gain[4] * gain[0] / K);
        by_velocity = sel(held, splat(0), K - gain[6] * gain[0] / K);
    }
    int a = state_at(m, i, TX_ACTUATOR_STATE_CURRENT);
    if (a >= 0) {
        // only as far as the step's own current follows
        real reached = R(1) - lane_exp(-splat(R(b->opt->timestep)) / time_constant(b, i));
        mask bound = (prm[1] > R(0)) & (vabs(AT(b->act_dot, a)) >= prm[1]);
        share = m->actuator_actearly[i] ? sel(bound, splat(0), share * reached) : splat(0);
    }
    motor_slopes s = {share * (by_velocity - K), share * by_length, splat(0), splat(0)};
    if (m->actuator_states[i] & TX_ACTUATOR_STATE_BRISTLE) s.friction = -prm[6];
    s.cogging = bias[0] * bias[1] * lane_cos(bias[1] * AT(b->actuator_length, i) + bias[2]);
    return s;
}
