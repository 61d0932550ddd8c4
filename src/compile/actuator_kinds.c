// actuator_kinds.c - MJCF's kinds of actuators as gains, biases and dynamics.
#include <string.h>

#include "thixis/builder.h"

tx_actuator_def tx_position_actuator(double kp, double kv) {
    tx_actuator_def d = tx_default_actuator_def();
    d.gain[0] = kp, d.bias[1] = -kp, d.bias[2] = -kv;
    return d;
}

tx_actuator_def tx_velocity_actuator(double kv) {
    tx_actuator_def d = tx_default_actuator_def();
    d.gain[0] = kv, d.bias[2] = -kv;
    return d;
}

tx_actuator_def tx_intvelocity_actuator(double kp, double kv) {
    tx_actuator_def d = tx_position_actuator(kp, kv);
    d.dynamics = TX_DYNAMICS_INTEGRATOR, d.actlimited = TX_SWITCH_ON;
    return d;
}

tx_actuator_def tx_damper_actuator(double kv) {
    tx_actuator_def d = tx_default_actuator_def();
    d.gain[0] = 0, d.gain[2] = -kv, d.ctrllimited = TX_SWITCH_ON;
    return d;
}

tx_actuator_def tx_cylinder_actuator(double area, double timeconst) {
    tx_actuator_def d = tx_default_actuator_def();
    d.dynamics = TX_DYNAMICS_FILTER, d.dynprm[0] = timeconst, d.gain[0] = area;
    return d;
}

// range of lengths (of the optimum), force (< 0: from the scale), scale, lmin, lmax, vmax, fpmax, fvmax
tx_actuator_def tx_muscle_actuator(void) {
    static const double numbers[TX_ACTUATOR_NUMBERS] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    tx_actuator_def d = tx_default_actuator_def();
    d.dynamics = TX_DYNAMICS_MUSCLE, d.dynprm[0] = 0.01, d.dynprm[1] = 0.04;
    d.gain_curve = d.bias_curve = TX_CURVE_MUSCLE;
    memcpy(d.gain, numbers, sizeof numbers);
    memcpy(d.bias, numbers, sizeof numbers);
    return d;
}

tx_actuator_def tx_adhesion_actuator(double gain) {
    tx_actuator_def d = tx_default_actuator_def();
    d.gain[0] = gain, d.ctrllimited = TX_SWITCH_ON;
    return d;
}

tx_actuator_def tx_pid_actuator(double kp, double ki, double kv) {
    tx_actuator_def d = tx_default_actuator_def();
    memset(d.dynprm, 0, sizeof d.dynprm);
    d.gain_curve = TX_CURVE_PID, d.inputs = TX_INPUT_POS | TX_INPUT_VEL;
    d.gain[0] = ki, d.bias[1] = -kp, d.bias[2] = -kv;
    if (ki > 0) d.dynamics = TX_DYNAMICS_PID;
    return d;
}

tx_actuator_def tx_dcmotor_actuator(double resistance, double motor_constant) {
    tx_actuator_def d = tx_default_actuator_def();
    memset(d.dynprm, 0, sizeof d.dynprm);
    d.dynamics = TX_DYNAMICS_DCMOTOR, d.gain_curve = d.bias_curve = TX_CURVE_DCMOTOR;
    d.inputs = TX_INPUT_VOLTAGE, d.actearly = true;
    d.gain[0] = resistance, d.gain[1] = motor_constant;
    return d;
}

tx_actuator_def tx_orientation_actuator(double kp, double kv) {
    tx_actuator_def d = tx_position_actuator(kp, kv);
    d.gain_curve = d.bias_curve = TX_CURVE_SO3, d.inputs = TX_INPUT_EXPMAP;
    return d;
}
