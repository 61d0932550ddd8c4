// actuator.h - how many controls and activations an actuator has.
#pragma once
#include "thixis/builder.h"
#include "thixis/model.h"

static inline int tx_bit_count(int bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/// Its activations: bits of tx_actuator_state.
static inline int tx_actuator_states(int dynamics, const double *dynprm, const double *gain) {
    switch (dynamics) {
    case TX_DYNAMICS_NONE: return 0;
    case TX_DYNAMICS_PID:
        return (dynprm[1] > 0 ? TX_ACTUATOR_STATE_SLEW : 0) | (gain[0] > 0 ? TX_ACTUATOR_STATE_INTEGRAL : 0);
    case TX_DYNAMICS_DCMOTOR:
        return (dynprm[7] > 0 ? TX_ACTUATOR_STATE_SLEW : 0) | (gain[5] > 0 ? TX_ACTUATOR_STATE_INTEGRAL : 0) |
               (dynprm[2] > 0 ? TX_ACTUATOR_STATE_TEMPERATURE : 0) | (dynprm[5] > 0 ? TX_ACTUATOR_STATE_BRISTLE : 0) |
               (dynprm[0] > 0 ? TX_ACTUATOR_STATE_CURRENT : 0);
    case TX_DYNAMICS_TURN: return TX_ACTUATOR_STATE_TURN;
    default: return TX_ACTUATOR_STATE_PLAIN;
    }
}

/// Which of the three torques of an orientation servo an actuator is; -1: it is none.
static inline int tx_actuator_axis(int curve) {
    return curve >= TX_CURVE_SO3 && curve <= TX_CURVE_SO3_Z ? curve - TX_CURVE_SO3 : -1;
}

/// How many controls its inputs are.
static inline int tx_actuator_controls(int inputs) { return inputs ? tx_bit_count(inputs & ~(int)TX_INPUT_NONE) : 1; }
