// target.inl - the whole text of a target: every stage, and the table that exports them. lanes: any
// A target file sets TX_LANES, TARGET_NAME and TARGET_TABLE, then includes this.
#include "dynamics/derive.inl"
#include "dynamics/flock_motion.inl"
#include "rows/take.inl"
#include "step/integrate.inl"
#include "step/sensors.inl"
#include "step/solve.inl"
#include "step/target.h"

STAGE const char *law_name(int i) { return i >= 0 && i < (int)LAW_COUNT ? laws[i].name : NULL; }
STAGE int law_iterations(int i) { return laws[i].iterations; }
STAGE double law_tolerance(int i) { return laws[i].tolerance; }
STAGE const char *solver_name(int i) { return i >= 0 && i < (int)SOLVER_COUNT ? solvers[i].name : NULL; }

// laws of velocities go with integrators of one evaluation that solve with a symmetric matrix
STAGE int unit_of(int law_index, int integrator) {
    if (law_index < 0 || law_index >= (int)LAW_COUNT || integrator < 0 || integrator >= TX_INTEGRATOR_COUNT) return -1;
    if (integrator == TX_INTEGRATOR_DISCRETE) return TX_UNIT_VELOCITY;
    if (!laws[law_index].velocity) return TX_UNIT_ACCELERATION;
    return integrator == TX_INTEGRATOR_EULER || integrator == TX_INTEGRATOR_IMPLICITFAST ? TX_UNIT_VELOCITY : -1;
}

// what slides in the convex model of rigid contact keeps a gap
STAGE tx_ahead law_ahead(int index) {
    if (index < 0 || index >= (int)LAW_COUNT || !tx_kernel_is_hard(laws[index].contact)) return TX_AHEAD_NONE;
    return laws[index].contact == KERNEL_ccp ? TX_AHEAD_GLIDING : TX_AHEAD_CLOSING;
}

#ifdef __cplusplus
extern "C"
#endif
    const tx_target TARGET_TABLE;
const tx_target TARGET_TABLE = {
    TARGET_NAME,    TX_LANES,       (int)sizeof(num), kinematics,   geom_poses,      meeting_geom_poses,
    detect,         site_poses,     camera_poses,     velocities,   free_motion,     assemble,
    solve,          factor_problem, solve_problem,    integrate,    begin_stages,    next_stage,
    abandon_stages, inverse,        energies,         sensors,      external_forces, derive,
    law_name,       law_iterations, law_tolerance,    solver_name,  pair_exists,     unit_of,
    law_ahead,      solver_is_dual, solver_takes,     flock_motion, &abreast_table};
