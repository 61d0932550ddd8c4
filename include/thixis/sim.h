// sim.h - a simulation: n environments of one model that step together.
//
//   tx_diag diag = {0};
//   tx_model *model = tx_load_file("humanoid.xml", &diag);
//   tx_sim_def def = tx_default_sim_def();  def.envs = 4096;
//   tx_sim *sim = tx_sim_create(model, &def);
//   double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);      // envs rows of nq numbers
//   tx_sim_step_n(sim, 100);
//
// All arrays are env-major: the row of environment e starts at e * (numbers per environment).
#ifndef THIXIS_SIM_H
#define THIXIS_SIM_H

#include "thixis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_sim tx_sim;

/// X(NAME, name, numbers per environment, meaning): the state. Together these make the state blob; write them freely
/// between steps. First what a step moves, then what the user gives, then what a step leaves for the next one.
#define TX_STATE(X)     \
    TX_STATE_STEPPED(X) \
    TX_STATE_GIVEN(X)   \
    TX_STATE_ANSWER(X)
#define TX_STATE_STEPPED(X)          \
    X(TIME, time, 1, "time [s]")     \
    X(QPOS, qpos, m->nq, "position") \
    X(QVEL, qvel, m->nv, "velocity") \
    X(ACT, act, m->na, "activation of actuators")
#define TX_STATE_GIVEN(X)                                                                                         \
    X(CTRL, ctrl, m->nu, "control")                                                                               \
    X(QFRC_APPLIED, qfrc_applied, m->nv, "generalized force of the user")                                         \
    X(XFRC_APPLIED, xfrc_applied, 6 * m->nbody, "force, torque of the user at each body's centre of mass, world") \
    X(MOCAP_POS, mocap_pos, 3 * m->nmocap, "place of the bodies moved by the user [m]")                           \
    X(MOCAP_QUAT, mocap_quat, 4 * m->nmocap, "their orientation")                                                 \
    X(EQ_ACTIVE, eq_active, m->neq, "1: the equality acts, 0: it does not")
#define TX_STATE_ANSWER(X)                                                                                            \
    X(QACC_WARMSTART, qacc_warmstart, m->nv, "start of the next solve")                                               \
    X(TREE_ASLEEP, tree_asleep, m->nsleep, "below 0: awake; else asleep, the next tree of its island: docs/sleep.md") \
    X(SENSOR_KEPT, sensor_kept, m->nsleep > 0 ? m->nsensordata : 0, "what the sensors said last")                     \
    X(HISTORY, history, m->nhistory, "past of controls and sensors: docs/actuators.md")                               \
    X(PLASTIC, plastic, m->nplastic, "where springs that yield rest: docs/actuators.md")

/// Results of the last step or forward(), read only. After a step they belong to the state before its integration, as
/// in MuJoCo; tx_sim_forward() makes them belong to the present state.
#define TX_OUTPUT(X)                                                                                      \
    X(QACC, qacc, m->nv, "acceleration")                                                                  \
    X(QACC_SMOOTH, qacc_smooth, m->nv, "acceleration without constraints")                                \
    X(QFRC_BIAS, qfrc_bias, m->nv, "Coriolis, centrifugal and gravity force")                             \
    X(QFRC_PASSIVE, qfrc_passive, m->nv, "springs and dampers")                                           \
    X(ACTUATOR_LENGTH, actuator_length, m->nactuator, "length of each actuator's transmission")           \
    X(ACTUATOR_VELOCITY, actuator_velocity, m->nactuator, "its rate")                                     \
    X(ACTUATOR_FORCE, actuator_force, m->nactuator, "force of each actuator, before its gear")            \
    X(ACT_DOT, act_dot, m->na, "rate of the activations")                                                 \
    X(TENDON_LENGTH, tendon_length, m->ntendon, "length [m]")                                             \
    X(TENDON_VELOCITY, tendon_velocity, m->ntendon, "its rate [m/s]")                                     \
    X(QFRC_GRAVCOMP, qfrc_gravcomp, m->nv, "gravity compensation, part of passive or actuator")           \
    X(QFRC_ACTUATOR, qfrc_actuator, m->nv, "actuators")                                                   \
    X(QFRC_SMOOTH, qfrc_smooth, m->nv, "all but constraints")                                             \
    X(QFRC_CONSTRAINT, qfrc_constraint, m->nv, "constraints")                                             \
    X(XPOS, xpos, 3 * m->nbody, "body place, world [m]")                                                  \
    X(XQUAT, xquat, 4 * m->nbody, "body orientation, world")                                              \
    X(XMAT, xmat, 9 * m->nbody, "body rotation matrix, row-major")                                        \
    X(XIPOS, xipos, 3 * m->nbody, "centre of mass, world [m]")                                            \
    X(XIMAT, ximat, 9 * m->nbody, "principal axes, row-major")                                            \
    X(GEOM_XPOS, geom_xpos, 3 * m->ngeom, "geom place, world [m]")                                        \
    X(GEOM_XMAT, geom_xmat, 9 * m->ngeom, "geom rotation matrix, row-major")                              \
    X(SITE_XPOS, site_xpos, 3 * m->nsite, "site place, world [m]")                                        \
    X(SITE_XMAT, site_xmat, 9 * m->nsite, "site rotation matrix, row-major")                              \
    X(CAM_XPOS, cam_xpos, 3 * m->ncam, "camera place, world [m]")                                         \
    X(CAM_XMAT, cam_xmat, 9 * m->ncam, "camera rotation matrix, row-major")                               \
    X(SENSORDATA, sensordata, m->nsensordata, "numbers of the sensors, from sensor_adr: see TX_SENSORS")  \
    X(CVEL, cvel, 6 * m->nbody, "angular, linear velocity at the tree's centre of mass")                  \
    X(CINERT, cinert, 10 * m->nbody, "inertia there: xx yy zz xy xz yz, mass times offset, mass")         \
    X(CFRC_EXT, cfrc_ext, 6 * m->nbody, "torque, force there of contacts, equalities, tendons, the user") \
    X(ENERGY, energy, 2, "potential, kinetic [J]; by forward() only")                                     \
    X(SOLVE_ERROR, solve_error, 1, "distance of (x, gamma) from a solution, unit-free: docs/residual.md") \
    X(GRADIENT, gradient, 1, "unit-free gradient norm where the primal solver stopped")                   \
    X(ITERATIONS, iterations, 1, "solver iterations")                                                     \
    X(NOSLIP_GAIN, noslip_gain, 1, "unit-free gain of the last sweep of the pass against slip")           \
    X(SOLVER_USED, solver_used, 1, "index of the solver that took the largest island: auto chooses one")

typedef enum tx_array {
    TX_ARRAY_TIME = 0,
    TX_ARRAY_QPOS = 1,
    TX_ARRAY_QVEL = 2,
    TX_ARRAY_ACT = 3,
    TX_ARRAY_CTRL = 4,
    TX_ARRAY_QFRC_APPLIED = 5,
    TX_ARRAY_XFRC_APPLIED = 6,
    TX_ARRAY_MOCAP_POS = 7,
    TX_ARRAY_MOCAP_QUAT = 8,
    TX_ARRAY_EQ_ACTIVE = 9,
    TX_ARRAY_QACC_WARMSTART = 10,
    TX_ARRAY_TREE_ASLEEP = 11,
    TX_ARRAY_SENSOR_KEPT = 12,
    TX_ARRAY_HISTORY = 13,
    TX_ARRAY_PLASTIC = 14,
    TX_ARRAY_STATE_COUNT, ///< one more than the last array of the state; results begin at 32
    TX_ARRAY_QACC = 32,
    TX_ARRAY_QACC_SMOOTH = 33,
    TX_ARRAY_QFRC_BIAS = 34,
    TX_ARRAY_QFRC_PASSIVE = 35,
    TX_ARRAY_ACTUATOR_LENGTH = 36,
    TX_ARRAY_ACTUATOR_VELOCITY = 37,
    TX_ARRAY_ACTUATOR_FORCE = 38,
    TX_ARRAY_ACT_DOT = 39,
    TX_ARRAY_TENDON_LENGTH = 40,
    TX_ARRAY_TENDON_VELOCITY = 41,
    TX_ARRAY_QFRC_GRAVCOMP = 42,
    TX_ARRAY_QFRC_ACTUATOR = 43,
    TX_ARRAY_QFRC_SMOOTH = 44,
    TX_ARRAY_QFRC_CONSTRAINT = 45,
    TX_ARRAY_XPOS = 46,
    TX_ARRAY_XQUAT = 47,
    TX_ARRAY_XMAT = 48,
    TX_ARRAY_XIPOS = 49,
    TX_ARRAY_XIMAT = 50,
    TX_ARRAY_GEOM_XPOS = 51,
    TX_ARRAY_GEOM_XMAT = 52,
    TX_ARRAY_SITE_XPOS = 53,
    TX_ARRAY_SITE_XMAT = 54,
    TX_ARRAY_SENSORDATA = 55,
    TX_ARRAY_CVEL = 56,
    TX_ARRAY_ENERGY = 57,
    TX_ARRAY_SOLVE_ERROR = 58,
    TX_ARRAY_GRADIENT = 59,
    TX_ARRAY_ITERATIONS = 60,
    TX_ARRAY_NOSLIP_GAIN = 61,
    TX_ARRAY_SOLVER_USED = 62,
    TX_ARRAY_CINERT = 63,
    TX_ARRAY_CFRC_EXT = 64,
    TX_ARRAY_CAM_XPOS = 65,
    TX_ARRAY_CAM_XMAT = 66,
    TX_ARRAY_COUNT
} tx_array;

/// One side of a contact.
typedef enum tx_side_kind { TX_SIDE_WORLD = 0, TX_SIDE_BODY = 1 } tx_side_kind;
typedef struct tx_side {
    tx_side_kind kind;
    int body;
} tx_side;

/// One contact. Forces and velocities are in the contact frame: normal, two tangents, spin, two rolls.
typedef struct tx_contact {
    int geom[2]; ///< the lower type first; the normal points from geom[0] to geom[1]
    tx_side side[2];
    uint64_t feature; ///< which parts of the geoms made it, see docs/collision.md: no two contacts of a pair share it,
                      ///< and it stays from step to step while the same parts touch
    double dist;      ///< [m] negative when the surfaces overlap
    double pos[3];    ///< [m] midway between the surfaces, world
    double frame[9];  ///< rows: normal, tangent 1, tangent 2
    double includemargin; ///< [m] the contact acts when dist < includemargin; before it touches (option speculative)
                          ///< what it would reach in the step is less than that
    double friction[5];   ///< two tangents, spin, two rolls
    double solref[2], solimp[5];
    int dim;         ///< 1, 3, 4 or 6
    int acts;        ///< 1: it is near enough to give a constraint, 0: it is only known
    double force[6]; ///< [N], [N m] on geom[1]'s body
} tx_contact;

/// X(NAME, name, meaning): where the environments run.
#define TX_TARGETS(X)                                           \
    X(AUTO, auto, "the widest of this machine")                 \
    X(SCALAR, scalar, "one environment at a time, any machine") \
    X(AVX2, avx2, "four at a time")                             \
    X(AVX512, avx512, "eight at a time")
typedef enum tx_target_choice {
    TX_TARGET_AUTO = 0,
    TX_TARGET_SCALAR = 1,
    TX_TARGET_AVX2 = 2,
    TX_TARGET_AVX512 = 3,
} tx_target_choice;

typedef struct tx_sim_def {
    int envs;                ///< >= 1
    int threads;             ///< >= 1; results do not depend on it
    tx_target_choice target; ///< results do not depend on it
    tx_executor executor;    ///< run not null: the host's threads are used instead of `threads` of our own
    int contact_room; ///< contacts per environment to make room for at first, at most 2^20; grows by itself. 0: a guess
    tx_diag *diag;    ///< gets the reason when a simulation cannot be created; may be null (default), only used then
} tx_sim_def;
TX_API tx_sim_def tx_default_sim_def(void);
TX_API tx_result tx_sim_def_init(tx_sim_def *def, size_t size);

/// The model must outlive the simulation; any number of simulations may share it.
/// @return null, and the reason in def->diag: an argument is wrong, the target does not exist on this machine, law and
/// solver do not go together, or memory is out. Environments that cannot fit into the machine's memory are refused
/// before it is taken.
TX_API tx_sim *tx_sim_create(const tx_model *model, const tx_sim_def *def);
/// A second simulation that goes on from where this one stands: same model, options, parameters and state, same
/// threads and target; its counters and timers begin at zero. @return null: memory is out, or parameters are out of
/// range (tx_sim_params_text())
TX_API tx_sim *tx_sim_clone(const tx_sim *sim);
TX_API void tx_sim_destroy(tx_sim *sim); ///< null is fine

TX_API const tx_model *tx_sim_model(const tx_sim *sim);
TX_API int tx_sim_envs(const tx_sim *sim);
/// "scalar", "avx2" or "avx512"
TX_API const char *tx_sim_target(const tx_sim *sim);

/// Options of this simulation; change them between steps.
TX_API tx_options tx_sim_options(const tx_sim *sim);
/// @return TX_ERROR_UNSUPPORTED when law and solver do not go together, or `filterparent` is not the model's;
/// TX_ERROR_ARGUMENT when a number is out of range
TX_API tx_result tx_sim_set_options(tx_sim *sim, const tx_options *options);

/// An array of all environments; null for a wrong name. State arrays stay at their address and may be written. Results
/// are gathered by this call into memory of the sim, so call again after a step.
TX_API double *tx_sim_array(tx_sim *sim, tx_array array);
/// Numbers per environment of that array.
TX_API int tx_sim_array_width(const tx_sim *sim, tx_array array);

/// Rows of a parameter, one per environment (created from the model at the first call). Write them, then call
/// tx_sim_params_changed(): derived constants are recomputed for every environment. Null: no memory, a derived field,
/// or rows of another parameter that are out of range. Each parameter has a range: docs/ranges.md.
TX_API double *tx_sim_param(tx_sim *sim, tx_param param);
/// The numbers of a parameter in one environment, to read: its row, or the model's array where there are no rows. Null:
/// wrong argument, or a derived field.
TX_API const double *tx_sim_param_row(const tx_sim *sim, int env, tx_param param);
/// @return TX_ERROR_ARGUMENT: a number is out of its range; then all parameters stay as they were taken last
TX_API tx_result tx_sim_params_changed(tx_sim *sim);
/// The first number that is out of its range, in words: environment, parameter, index, value; "ok" if none is. Always
/// terminated. @return as snprintf
TX_API int tx_sim_params_text(const tx_sim *sim, char *buffer, size_t size);

/// Back to qpos0, or to a keyframe (key >= 0); mask: one byte per environment, null for all.
TX_API tx_result tx_sim_reset(tx_sim *sim, int key, const uint8_t *mask);

/// Advances every environment by one time step, or by n of them.
/// Convergence and divergence are per environment: tx_sim_status(), tx_sim_info().
/// TX_ERROR_MEMORY (contacts needed more room than there was memory): no environment has moved, all states are those
/// before the call, and there are no results or contacts of it; the same call with memory gives the same bits.
TX_API tx_result tx_sim_step(tx_sim *sim);
TX_API tx_result tx_sim_step_n(tx_sim *sim, int n);
/// The same for some environments: mask has one byte per environment, 0: it stands still; null: all move. What stands
/// still keeps its state bit by bit, and its results belong to that state (where trees sleep: to its last step).
TX_API tx_result tx_sim_step_some(tx_sim *sim, int n, const uint8_t *mask);
/// Computes everything of a step except the integration.
TX_API tx_result tx_sim_forward(tx_sim *sim);
/// Inverse dynamics of the present state: the generalized force that gives the accelerations qacc (envs x nv),
/// constraint forces included. Written to qfrc (envs x nv); it equals applied + actuator force when qacc is that of
/// forward(). @return TX_ERROR_UNSUPPORTED under laws of rigid contact: a motion alone has no force there
TX_API tx_result tx_sim_inverse(tx_sim *sim, const double *qacc, double *qfrc);
/// Many steps with given controls: controls envs x steps x nu (null: those of TX_ARRAY_CTRL), states out envs x steps x
/// (nq + nv). TX_ERROR_MEMORY: the steps before the one that failed are done, by every environment; TX_ARRAY_TIME says
/// how many.
TX_API tx_result tx_sim_rollout(tx_sim *sim, int steps, const double *controls, double *states);
/// Writes the contact problem that the next step of an environment begins with, to be solved alone by `thixis solve`
/// (docs/problem.md). Calls forward() and changes no state. @return TX_ERROR_FILE, with the reason in errno
TX_API tx_result tx_sim_write_problem(tx_sim *sim, int env, const char *path);
/// Jacobian of a world point fixed to a body: 3 x nv rows for its velocity and for the body's angular velocity, either
/// may be null. Belongs to the last step or forward().
TX_API tx_result tx_sim_jacobian(tx_sim *sim, int env, int body, const double point[3], double *jacp, double *jacr);

/// TX_OK, or TX_ERROR_DIVERGED: the environment stands still at its last good state until it is reset.
TX_API tx_result tx_sim_status(const tx_sim *sim, int env);
/// The same in words: which body and joint, why and when. Always terminated. @return as snprintf
TX_API int tx_sim_status_text(const tx_sim *sim, int env, char *buffer, size_t size);
/// How many environments have diverged and stand still. @return -1: no simulation
TX_API int tx_sim_diverged(const tx_sim *sim);

/// X(NAME, name, what it covers): stages that are timed.
#define TX_STAGES(X)                                                      \
    X(KINEMATICS, kinematics, "poses and inertias")                       \
    X(FREE_MOTION, free_motion, "mass matrix, bias, smooth acceleration") \
    X(DETECT, detect, "contacts")                                         \
    X(ASSEMBLE, assemble, "rows")                                         \
    X(SOLVE, solve, "solver")                                             \
    X(SENSE, sense, "sensors")                                            \
    X(INTEGRATE, integrate, "next state")

typedef enum tx_stage {
    TX_STAGE_KINEMATICS = 0,
    TX_STAGE_FREE_MOTION = 1,
    TX_STAGE_DETECT = 2,
    TX_STAGE_ASSEMBLE = 3,
    TX_STAGE_SOLVE = 4,
    TX_STAGE_INTEGRATE = 5,
    TX_STAGE_SENSE = 6,
    TX_STAGE_COUNT
} tx_stage;

/// What happened since creation or tx_sim_info_clear().
typedef struct tx_info {
    long long env_steps;                  ///< steps times environments
    long long not_converged;              ///< of these, solves that stopped at the iteration limit above the tolerance
    long long iterations;                 ///< solver iterations, all environments
    double worst_solve_error;             ///< largest of all steps and environments
    long long grown;                      ///< times buffers grew and a step was repeated
    int diverged;                         ///< environments that stand still now
    long long trees, awake;               ///< of all environments, and how many of them are awake now
    double stage_seconds[TX_STAGE_COUNT]; ///< summed over threads; one step in 64 is timed and stands for the others
                                          ///< (of the first 64 one in 8)
} tx_info;
TX_API tx_info tx_sim_info(const tx_sim *sim);

/// The solves of one environment since creation or tx_sim_info_clear(); all zero for a wrong index.
typedef struct tx_convergence {
    long long steps, not_converged, iterations; ///< not_converged: steps whose solve stopped above its tolerance
    double worst_solve_error;                   ///< largest of all its steps, unit-free: docs/residual.md
} tx_convergence;
TX_API tx_convergence tx_sim_convergence(const tx_sim *sim, int env);
/// Trees of one environment that are awake; -1 for a wrong index.
TX_API int tx_sim_awake(const tx_sim *sim, int env);
TX_API void tx_sim_info_clear(tx_sim *sim);
TX_API const char *tx_stage_name(tx_stage stage);

/// Contacts of one environment after the last step or forward(); memory of the sim, valid until the next call.
TX_API const tx_contact *tx_sim_contacts(tx_sim *sim, int env, int *count);
/// Contacts of all environments into the caller's memory, one environment after the other: those of environment e are
/// offsets[e] to offsets[e + 1] - 1. offsets has room for envs + 1 numbers; at most `room` contacts are written, and
/// with room 0 `contacts` may be null. @return how many there are; -1: wrong argument
TX_API long long tx_sim_all_contacts(tx_sim *sim, long long *offsets, tx_contact *contacts, long long room);

/// A contact's force and torque on geom[1]'s body at the contact's point, in world axes [N], [N m].
/// @return TX_ERROR_ARGUMENT: a null pointer
TX_API tx_result tx_contact_wrench(const tx_contact *contact, double force[3], double torque[3]);

/// X(name, unit, meaning): how far contacts are from the laws of rigid contact, whatever law made their forces
/// (docs/residual.md). Each is the worst of an environment's contacts, but energy is their sum.
#define TX_VIOLATIONS(X)                                                                              \
    X(penetration, "m", "deepest overlap")                                                            \
    X(approach, "m/s", "Signorini: fastest motion into the other body that the step ends with")       \
    X(pull, "N", "Signorini: strongest normal force that pulls")                                      \
    X(work, "W", "Signorini: largest product of normal force and motion")                             \
    X(excess, "N", "Coulomb: most that friction is beyond its cone")                                  \
    X(dissipation, "W", "maximum dissipation: most power that friction could have taken and did not") \
    X(slip, "m/s", "fastest tangential motion of a contact that presses")                             \
    X(energy, "J", "work of all contact forces in the step, below zero: taken from the motion")
typedef struct tx_violations {
    int contacts; ///< that act
#define X(name, unit, meaning) double name;
    TX_VIOLATIONS(X)
#undef X
} tx_violations;
/// Of one environment's contacts in the last step, or in the step that forward() has computed; all zero for a wrong
/// index. Nothing is computed before it is asked for.
TX_API tx_violations tx_sim_violations(const tx_sim *sim, int env);

/// Dense mass matrix of one environment, nv x nv row-major, into the caller's memory.
TX_API tx_result tx_sim_mass_matrix(tx_sim *sim, int env, double *matrix);

/// The whole state as one env-major blob in the caller's memory, independent of target and threads. Restoring it into
/// any simulation of the same model with as many environments, and going on, gives the same bits as going on from the
/// original. Options and parameters are not part of it.
/// Bytes that tx_sim_save() needs: of this simulation at this moment, it may be more after another step.
TX_API size_t tx_sim_state_size(const tx_sim *sim);
/// @return TX_ERROR_ARGUMENT: a null pointer, or size is below tx_sim_state_size()
TX_API tx_result tx_sim_save(const tx_sim *sim, void *blob, size_t size);
/// A blob says its own length and version, so size may be more. @return TX_ERROR_ARGUMENT: it is not a whole blob of
/// this model, number of environments and version; then nothing has changed
TX_API tx_result tx_sim_restore(tx_sim *sim, const void *blob, size_t size);
/// One number for all environments' states: equal states give equal hashes.
TX_API uint64_t tx_sim_hash(const tx_sim *sim);

/// One constraint row in MuJoCo's terms, for comparisons.
typedef enum tx_row_type {
    TX_ROW_EQUALITY = 0,
    TX_ROW_FRICTION = 1,
    TX_ROW_TENDON_FRICTION = 2,
    TX_ROW_LIMIT = 3,
    TX_ROW_TENDON_LIMIT = 4,
    TX_ROW_FRICTIONLESS = 5,
    TX_ROW_PYRAMIDAL = 6,
    TX_ROW_ELLIPTIC = 7
} tx_row_type;
typedef struct tx_row {
    int type, id; ///< id: equality, dof, joint, tendon or contact
    double pos, margin, D, aref, force;
} tx_row;
/// Writes up to room rows and their Jacobian (room x nv, may be null). @return how many rows there are, -1: wrong
/// argument
TX_API int tx_sim_rows(tx_sim *sim, int env, tx_row *rows, double *jacobian, int room);

/// The tables of laws and solvers by index; null beyond the end. Indices belong to one build: store names.
TX_API const char *tx_law_name(int index);
TX_API const char *tx_solver_name(int index);
/// Whether a solver can solve a law's problems; false for a wrong index.
TX_API bool tx_solver_solves(int solver, int law);
/// The solver a law has when none is named: the first that can solve it of newton, nsgs and pgs; -1 for a wrong index.
TX_API int tx_law_solver(int law);
/// The most iterations, and the tolerance, of a law's solver where the options do not say them; -1 for a wrong index.
TX_API int tx_law_iterations(int law);
TX_API double tx_law_tolerance(int law);
/// Whether an integrator takes what a law gives; false for a wrong index.
TX_API bool tx_law_integrates(int law, tx_integrator integrator);
/// How many environments a target steps at once; 0: this machine cannot run it, or there is no such target.
TX_API int tx_target_lanes(tx_target_choice target);
/// The first option that is out of its range, in words: name, value, range; "ok" if none is. Always terminated.
/// @return as snprintf
TX_API int tx_options_text(const tx_options *options, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
