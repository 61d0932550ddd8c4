// block.h - the working memory of one block: up to `lanes` environments that step together.
//
// Every array below is a lane array: element i of the block is `lanes` consecutive numbers, one per environment. Stages
// read and write them through AT(); plain C reads one environment through tx_lane(). The pointers are void because the
// number type belongs to the target.
#pragma once
#include "base/arena.h"
#include "linalg/tree.h"
#include "model/model.h"
#include "thixis/sim.h"

/// X(name, numbers, meaning): scratch of the dynamics and of the solver.
#define TX_WORK(X)                                                                     \
    X(xanchor, 3 * m->njnt, "joint anchor, world")                                     \
    X(xaxis, 3 * m->njnt, "joint axis, world")                                         \
    X(tree_com, 3 * m->nbody, "centre of mass of the tree, at its root body")          \
    X(cinert, 10 * m->nbody, "inertia about the tree's centre of mass")                \
    X(crb, 10 * m->nbody, "composite inertia")                                         \
    X(cdof, 6 * m->nv, "motion axis: angular, linear at the tree's centre of mass")    \
    X(cdof_dot, 6 * m->nv, "its rate")                                                 \
    X(cacc, 6 * m->nbody, "acceleration at zero qacc")                                 \
    X(cfrc, 6 * m->nbody, "force on the body and its descendants")                     \
    X(cacc_full, m->nsensor ? 6 * m->nbody : 0, "acceleration minus gravity")          \
    X(cfrc_ext, m->nsensor ? 6 * m->nbody : 0, "contacts and the user's forces")       \
    X(cfrc_int, m->nsensor ? 6 * m->nbody : 0, "force of the parent")                  \
    X(M, m->nm, "mass matrix, a row per dof: itself, then its ancestors upwards")      \
    X(L, m->nm, "its factor, see tree_factor")                                         \
    X(Linv, m->nv, "inverse diagonal of the factor")                                   \
    X(damped, m->nm, "factor of M + h B")                                              \
    X(dampedinv, m->nv, "its inverse diagonal")                                        \
    X(H, m->nv * m->nv, "Hessian and its Cholesky factor")                             \
    X(Hinv, m->nv, "inverse diagonal of the Cholesky factor")                          \
    X(x, m->nv, "the unknown")                                                         \
    X(Adx, m->nv, "A (x - x*)")                                                        \
    X(grad, m->nv, "gradient")                                                         \
    X(search, m->nv, "search direction")                                               \
    X(Asearch, m->nv, "A search")                                                      \
    X(qfrc_inverse, m->nv, "inverse dynamics")                                         \
    X(next_qpos, m->nq, "position after the step")                                     \
    X(scratch, 6 * m->nv, "")                                                          \
    X(bias_matrix, 36 * m->nbody, "velocity derivative of the bias force per subtree") \
    X(axis_rate, 6 * m->nv, "rate of an axis relative to what follows it")             \
    X(upper, m->nm, "entries (ancestor, dof) of an unsymmetric matrix")                \
    X(tendon_J, m->ntendof, "length per dof")                                          \
    X(moment, m->nmoment, "actuator length per dof")                                   \
    X(start_act, m->na, "activations at the start of a step of several stages")        \
    X(sum_act_dot, m->na, "their weighted rates")                                      \
    X(start_qpos, m->nq, "state at the start of a step of several stages")             \
    X(start_qvel, m->nv, "")                                                           \
    X(start_time, 1, "")                                                               \
    X(sum_qvel, m->nv, "weighted velocities of the stages")                            \
    X(sum_qacc, m->nv, "weighted accelerations of the stages")                         \
    X(eq_pos, 6 * m->neq, "defect of the equality")                                    \
    X(eq_drift, 6 * m->neq, "its second rate at zero acceleration: d(J)/dt v")         \
    X(tendon_dist, 2 * m->ntendon, "distance to its lower and upper limit")            \
    X(limit_dist, m->nlimit, "distance to the limit")                                  \
    X(limit_J, 3 * m->nlimit, "its Jacobian on the joint's dofs")

/// X(name, numbers, meaning): what grows with the contacts. slots: contact slots; cons: constraints; rows: their rows.
#define TX_ROWS(X)                                                                    \
    X(con_dist, slots, "distance")                                                    \
    X(con_margin, slots, "distance at which it acts")                                 \
    X(con_pos, 3 * slots, "point")                                                    \
    X(con_frame, 9 * slots, "frame")                                                  \
    X(con_friction, 5 * slots, "friction")                                            \
    X(con_solref, 2 * slots, "reference")                                             \
    X(con_solimp, 5 * slots, "impedance")                                             \
    X(con_weight, 2 * slots, "inverse weights of the two sides, summed: tran, rot")   \
    X(con_chain, slots * m->nv, "+1 the dof moves side 2, -1 side 1, 0 none or both") \
    X(law, TX_LAW_NUMBERS *cons, "numbers of the law, per constraint")                \
    X(J, rows * m->nv, "Jacobian of the contact rows")                                \
    X(rowvel, rows, "J v")                                                            \
    X(y, rows, "J x")                                                                 \
    X(Jsearch, rows, "J search")                                                      \
    X(rowfree, rows, "J x*")                                                          \
    X(gamma, rows, "force or impulse")                                                \
    X(G, 36 * cons, "Hessian of the law per constraint")

#define TX_LAW_NUMBERS 16

/// A constraint: an equality, dry friction of one dof or tendon, one limit of a joint or tendon, or one contact slot.
/// The list is the same for all lanes of the block; lanes where it does not act have zero Jacobian and zero stiffness.
typedef enum tx_constraint_kind {
    TX_EQUALITY,
    TX_FRICTION,
    TX_TENDON_FRICTION,
    TX_LIMIT,
    TX_TENDON_LIMIT,
    TX_CONTACT
} tx_constraint_kind;
typedef struct tx_constraint {
    tx_constraint_kind kind;
    int id;  // equality, dof, tendon, limit, 2 tendon + (0 lower, 1 upper), or contact slot
    int dim; // rows
    int row; // first row
} tx_constraint;

/// Most constraints and rows that are no contacts.
static inline int tx_fixed_constraints(const tx_model *m) { return m->neq + m->nv + m->nlimit + 3 * m->ntendon; }
static inline int tx_fixed_rows(const tx_model *m) { return m->neqrow + m->nv + m->nlimit + 3 * m->ntendon; }

typedef struct tx_block {
    const tx_model *m;
    const tx_options *opt;
    tx_tree tree;    // the sparsity of the mass matrix
    int lanes;       // width
    int number_size; // bytes of one number
    int first, envs; // environments [first, first + envs); envs <= lanes

    // parameters: lane arrays too; PARAM(b, field, i)
    struct {
#define X(NAME, name, count, width, meaning) const void *name;
        TX_MODEL_PARAMS(X)
#undef X
    } param;

#define X(NAME, name, count, meaning) void *name;
    TX_STATE(X)
    TX_OUTPUT(X)
#undef X
#define X(name, count, meaning) void *name;
    TX_WORK(X)
    TX_ROWS(X)
#undef X

    // the problem: constraints of this step
    tx_constraint *cons;
    int ncons, nrows, nslots;
    int slots, rows; // room for contact slots and for rows of any kind
    int *slot_dim;   // rows of each contact slot

    // contacts of each environment, lane-major: contacts + lane * room
    tx_contact *contacts;
    int *ncontact; // found, may exceed the room: then the step is repeated with more
    int room;

    struct tx_collider *collider; // memory of detection

    bool geoms_placed; // geom poses belong to the body poses
    bool has_paths;    // tendons or actuators go through sites
    bool has_adhesion; // actuators act through contacts
    bool pushed;       // xfrc_applied is not all zero

    // per lane
    uint8_t *frozen;   // stands still
    int *bad;          // 0: all numbers are ordinary; else 1 + index of the first dof where they are not
    uint8_t *unsolved; // the solver stopped at its limit above the tolerance

    // stages are timed in one step of eight: reading the clock would cost as much as a small stage
    double stage_seconds[TX_STAGE_COUNT];
    long long steps, timed_steps;
    bool timed;
    void *memory, *row_memory;
    tx_arena arena; // scratch of plain C inside a step
} tx_block;

/// Number i of environment `lane`.
static inline double tx_lane(const tx_block *b, const void *array, int i, int lane) {
    size_t at = (size_t)i * (size_t)b->lanes + (size_t)lane;
    return b->number_size == 8 ? ((const double *)array)[at] : (double)((const float *)array)[at];
}
static inline void tx_lane_set(const tx_block *b, void *array, int i, int lane, double value) {
    size_t at = (size_t)i * (size_t)b->lanes + (size_t)lane;
    if (b->number_size == 8) ((double *)array)[at] = value;
    else ((float *)array)[at] = (float)value;
}
