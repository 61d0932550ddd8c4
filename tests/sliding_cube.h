// sliding_cube.h - ACCEPTANCE C7: a cube of 10 cm on a plane settles for 40 steps of 5 ms, then slides for 40.
#pragma once
#include "near.h"
#include "simulate.h"

static inline tx_model *sliding_cube_model(double mu) {
    char text[1024];
    tx_diag diag = {0};
    snprintf(text, sizeof text,
             "<mujoco><option timestep='.005'/><worldbody><geom type='plane' size='0 0 1' friction='%g'/>"
             "<body pos='0 0 .05'><freejoint/><geom type='box' size='.05 .05 .05' mass='1' friction='%g'/></body>"
             "</worldbody></mujoco>",
             mu, mu);
    return must_have(tx_load_string(text, strlen(text), "cube.xml", &diag), &diag);
}

// up to μ = 1 the height stays and the deceleration is μ g; above, the cube tips over
static inline void cube_slides_by_coulomb(double mu, double speed, tx_sim *sim) {
    assert_int_equal(tx_sim_step_n(sim, 40), TX_OK);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS), *v = tx_sim_array(sim, TX_ARRAY_QVEL), z = q[2], most = 0;
    const bool verbose = getenv("TX_VERBOSE") != NULL;
    v[0] = speed;
    if (mu > 1) {
        assert_int_equal(tx_sim_step_n(sim, 200), TX_OK);
        // the axis that was up lies down
        const double up = 1 - 2 * (q[4] * q[4] + q[5] * q[5]);
        if (verbose) printf("tipping, cosine: %.6g\n", up);
        assert_true(up < 0.75);
        return;
    }
    for (int i = 0; i < 40; i++) {
        assert_int_equal(tx_sim_step(sim), TX_OK);
        most = fmax(most, fabs(q[2] - z));
    }
    const double slowed = (speed - v[0]) / 0.2;
    if (verbose) printf("height change %.6g m, deceleration / mu g %.6g\n", most, slowed / (mu * 9.81));
    assert_near(slowed, mu * 9.81, 0.01 * mu * 9.81);
    assert_true(most <= 5e-7);
}

// friction and speed [m/s]
static const double SLIDING_CUBES[][2] = {{.01, 6}, {.25, 6}, {.5, 2}, {.5, 6}, {.5, 20}, {.9, 6}, {1.2, 6}, {2, 6}};
enum { SLIDING_CUBE_COUNT = sizeof SLIDING_CUBES / sizeof SLIDING_CUBES[0] };
