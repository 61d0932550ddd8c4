// target.inl - the whole text of a target: every stage, and the table that exports them. lanes: any
// A target file sets TX_LANES, TARGET_NAME and TARGET_TABLE, then includes this.
#include "dynamics/derive.inl"
#include "step/integrate.inl"
#include "step/sensors.inl"
#include "step/solve.inl"
#include "step/target.h"

STAGE const char *law_name(int i) { return i >= 0 && i < (int)LAW_COUNT ? laws[i].name : NULL; }
STAGE const char *solver_name(int i) { return i >= 0 && i < (int)SOLVER_COUNT ? solvers[i].name : NULL; }

#ifdef __cplusplus
extern "C"
#endif
    const tx_target TARGET_TABLE;
const tx_target TARGET_TABLE = {
    TARGET_NAME, TX_LANES, (int)sizeof(num), kinematics,    geom_poses, meeting_geom_poses, site_poses, free_motion,
    assemble,    solve,    factor_problem,   solve_problem, integrate,  begin_stages,       next_stage, abandon_stages,
    inverse,     energies, sensors,          derive,        law_name,   solver_name,        pair_exists};
