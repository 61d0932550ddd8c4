// block.h - the working memory of one block: up to `lanes` environments that step together.
//
// Every array below is a lane array: element i of the block is `lanes` consecutive numbers, one per environment. Stages
// read and write them through AT(); plain C reads one environment through tx_lane(). The pointers are void because the
// number type belongs to the target.
#pragma once
#include <string.h>

#include "base/arena.h"
#include "linalg/tree.h"
#include "model/model.h"
#include "problem/dual.h"
#include "problem/islands.h"
#include "thixis/sim.h"

/// X(name, numbers, meaning): what the dynamics and the solver leave behind for whoever asks, and for the next stage.
#define TX_WORK(X)                                                                                         \
    X(xanchor, 3 * m->njnt, "joint anchor, world")                                                         \
    X(xaxis, 3 * m->njnt, "joint axis, world")                                                             \
    X(tree_com, 3 * m->nbody, "centre of mass of the tree, at its root body")                              \
    X(cdof, 6 * m->nv, "motion axis: angular, linear at the tree's centre of mass")                        \
    X(cacc_full, m->nsensor ? 6 * m->nbody : 0, "acceleration minus gravity")                              \
    X(cfrc_int, m->nsensor ? 6 * m->nbody : 0, "force of the parent")                                      \
    X(M, m->nm, "mass matrix, a row per dof: itself, then its ancestors upwards")                          \
    X(A, m->nm, "M + h D + h² K of a velocity problem; L is then its factor")                              \
    X(free_vel, m->nv, "its x*: the next velocity without constraints")                                    \
    X(box_drag, 12 * m->nbody, "linear and quadratic drag of each body's box: it follows from parameters") \
    X(first_vel, m->nv, "its first guess")                                                                 \
    X(impulse, m->nv, "its Jᵀγ")                                                                           \
    X(qfrc_inverse, m->nv, "inverse dynamics")                                                             \
    X(tendon_J, m->ntendof, "length per dof")                                                              \
    X(moment, m->nmoment, "actuator length per dof")                                                       \
    X(ctrl_now, m->nhistory > 0 ? m->nu : 0, "controls that act now")                                      \
    X(sensor_fresh, m->nhistory > 0 ? m->nsensordata : 0, "what sensors measured")                         \
    X(past_time, m->nhistory > 0 ? 1 : 0, "time before the step")                                          \
    X(step_vel, m->nv, "velocity after the step")                                                          \
    X(least_weight, 1, "inverse weight of a row below which it is computed exactly")

/// X(name, numbers, meaning): what means something only while a block works. In a batch of a small model it is lent by
/// the thread that works (docs/architecture.md), so that it stays in that thread's caches.
#define TX_LENT(X)                                                                      \
    X(crb, 10 * m->nbody, "composite inertia")                                          \
    X(cdof_dot, 6 * m->nv, "its rate")                                                  \
    X(cacc, 6 * m->nbody, "acceleration at zero qacc")                                  \
    X(cfrc, 6 * m->nbody, "force on the body and its descendants")                      \
    X(L, m->nm, "its factor, see tree_factor")                                          \
    X(Linv, m->nv, "inverse diagonal of the factor")                                    \
    X(spring_diagonal, m->nv, "what springs that are rows would add to its diagonal")   \
    X(damped, m->nm, "factor of M + h B")                                               \
    X(dampedinv, m->nv, "its inverse diagonal")                                         \
    X(next_qpos, m->nq, "position after the step")                                      \
    X(scratch, 6 * m->nv, "")                                                           \
    X(bias_matrix, 36 * m->nbody, "velocity derivative of the bias force per subtree")  \
    X(axis_rate, 6 * m->nv, "rate of an axis relative to what follows it")              \
    X(upper, m->nm, "entries (ancestor, dof) of an unsymmetric matrix")                 \
    X(start_act, m->na, "activations at the start of a step of several stages")         \
    X(sum_act_dot, m->na, "their weighted rates")                                       \
    X(start_act_vel, m->na > 0 ? m->nactuator : 0, "velocities of the actuators there") \
    X(start_qpos, m->nq, "state at the start of a step of several stages")              \
    X(start_qvel, m->nv, "")                                                            \
    X(start_time, 1, "")                                                                \
    X(sum_qvel, m->nv, "weighted velocities of the stages")                             \
    X(sum_qacc, m->nv, "weighted accelerations of the stages")                          \
    X(settled, 1, "1: the midpoint iteration has converged")                            \
    X(step_acc, m->nv, "acceleration of the integrator")

/// X(name, numbers, meaning): what grows with the contacts, beside the problem's own arrays.
#define TX_ROWS(X)                                                                                  \
    X(con_dist, slots, "distance")                                                                  \
    X(con_margin, slots, "distance at which it acts")                                               \
    X(con_pos, 3 * slots, "point")                                                                  \
    X(con_frame, 9 * slots, "frame")                                                                \
    X(con_friction, 5 * slots, "friction")                                                          \
    X(con_solref, 2 * slots, "reference")                                                           \
    X(con_solimp, 5 * slots, "impedance")                                                           \
    X(con_ahead, slots, "what of the margin is closed in a step; followed contacts, else not read") \
    X(row_gap, rows, "distance or defect of the row")                                               \
    X(row_margin, cons, "gap at which the constraint begins to act")

/// Room for the constraints of a step.
typedef struct tx_row_room {
    size_t slots, cons, rows, pieces, jacobian; // contact slots; constraints of any kind, their rows, pieces, numbers
} tx_row_room;

static inline bool tx_room_fits(const tx_row_room *need, const tx_row_room *room) {
    return need->slots <= room->slots && need->cons <= room->cons && need->rows <= room->rows &&
           need->pieces <= room->pieces && need->jacobian <= room->jacobian;
}

/// Contacts of one pair of bodies, one in each lane at most.
typedef struct tx_slot {
    int dim, body[2], geom[2];
    int special; // -1: none
} tx_slot;

/// Whether the problems of a model are solved island by island with a sparse factor, one environment at a time. It
/// depends on the model alone, so that an environment has the same bits in any batch.
enum { TX_SMALL_DOFS = 64 };
static inline bool tx_model_is_large(const tx_model *m) { return m->nv > TX_SMALL_DOFS || m->nsleep > 0; }

/// Numbers [begin, end) one range after the other, ascending; EACH_IN walks through all of them.
typedef struct tx_ranges {
    const tx_range *range;
    int count;
} tx_ranges;
#define EACH_IN(list, i)                                                                        \
    for (const tx_range *in_##i = (list).range; in_##i < (list).range + (list).count; in_##i++) \
        for (int i = in_##i->begin; i < in_##i->end; i++)

/// What a step works on. Without sleeping: everything but the world itself.
typedef struct tx_live {
    tx_ranges bodies, joints, geoms, dofs; // whole children of the world: what moves in them, or has not been placed
    tx_ranges trees, movers; // of these: whole ones in which a body moves; bodies that move (step/still.h)
} tx_live;
typedef struct tx_awake {
    tx_ranges joints, dofs, qpos; // of trees that are awake
} tx_awake;

/// What cannot move (step/still.h).
typedef struct tx_still {
    bool placed;      // by the parameters of the block
    bool idle;        // and nothing else is there: no dof, no actuator, no tendon, no equality
    tx_range *ranges; // of the lists without it
} tx_still;

/// What actuators are computed for, and what they drive: all, or those of a part.
typedef struct tx_driven {
    tx_range actuators, joints, dofs;
} tx_driven;

/// Some children of the world, whole: what one thread works on at a time.
typedef struct tx_tree_part {
    tx_range bodies, joints, geoms, dofs, qpos, actuators;
} tx_tree_part;
enum { TX_MOST_PARTS = 32 };

/// Which trees sleep (step/sleep.h). The arrays are null in models that do not sleep.
typedef struct tx_sleep {
    bool on;          // sleeping acts now
    bool fresh;       // what stands in the block does not come before what the user hands over
    bool stale;       // nothing has been placed yet
    int awake;        // trees
    int version;      // of the set of those that sleep, and of where they are
    uint8_t *asleep;  // per tree
    uint8_t *touched; // per tree: the user has changed something, or it falls asleep
    uint8_t *owed;    // per tree: it was touched before a call that came to nothing
    uint8_t *resting; // per body: a child of the world that is not live
    uint8_t *geom;    // per geom: 1 asleep, 2 it cannot move
    int *group;       // per tree: working memory
    int *cycle;       // per tree that sleeps: the lowest of those that sleep with it
    tx_range *ranges; // working memory of the lists
} tx_sleep;

/// The force of a constraint [N], by what made it: a contact (type -1, its geoms and feature; force and torque in the
/// axes of the world) or a row (its type and id).
typedef struct tx_kept_force {
    int32_t type, id[2], unused;
    uint64_t feature;
    double force[6];
} tx_kept_force;

/// The forces of a lane: which of two lists has them.
typedef struct tx_kept_list {
    int list, count;
} tx_kept_list;

/// Forces of the last step (step/kept.h); a list is lane-major: lane * room.
typedef struct tx_kept {
    tx_kept_force *list[2];
    tx_kept_list *now, *last;  // per lane: of the call at hand, and as the last call left them
    int *runs;                 // where the forces of one pair begin, of the lane at hand
    int *table;                // places of runs, by their pairs
    size_t room, places, mask; // mask: places in use, less one
    void *memory;
} tx_kept;

/// Whether contacts are found before they touch, by the velocities of bodies: not at all; those of rigid laws where
/// surfaces close in, or also where they glide past each other; those of others where fast shapes are followed to
/// where they meet (option speculative).
typedef enum tx_ahead { TX_AHEAD_NONE, TX_AHEAD_CLOSING, TX_AHEAD_GLIDING, TX_AHEAD_FOLLOWED } tx_ahead;
static inline bool tx_ahead_is_rigid(tx_ahead ahead) { return ahead == TX_AHEAD_CLOSING || ahead == TX_AHEAD_GLIDING; }

/// In which environments of a block something holds.
typedef enum tx_extent { TX_NOWHERE, TX_SOMEWHERE, TX_EVERYWHERE } tx_extent;

/// What a step may leave out because of the parameters that a block has; no bit of a result depends on it.
typedef struct tx_shortcuts {
    uint8_t *body_straight;             // per body: where its orientation in the parent is none (tx_extent)
    uint8_t *joint_centred;             // per joint: its anchor is the body's origin
    uint8_t *geom_inertial;             // per geom: its frame is that of its body's inertia
    uint8_t *actuator_plain;            // per actuator: on one dof, affine, without activation
    bool no_lift, no_springs, no_bends; // no gravity compensation; no joint has a spring; none has a polynomial
    bool no_geared;                     // no actuator brings a damper or armature
    bool no_dry_friction, no_belts;     // of dofs; no surface moves by itself
} tx_shortcuts;

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
    TX_LENT(X)
    TX_ROWS(X)
#undef X

    // the problem of this step, and what its rows are made from
    tx_problem problem;
    bool large; // solved island by island with a sparse factor
    tx_live live;
    tx_awake awake;
    tx_sleep sleep;
    tx_still still;
    tx_tree_part *parts; // of a large model
    int nparts;
    tx_driven driven;
    bool parts_drive;         // each part has its own actuators, which follow each other and are plain
    struct tx_flocks *flocks; // its trees that are built alike (model/flock.h); null: none
    tx_islands islands;       // of a large problem
    tx_dual dual;             // memory of a dual solver
    bool lacks_dual;          // and it was too small
    tx_kept kept;             // forces of the last step
    bool lacks_kept;          // and there was no room for them
    tx_slot *slot;
    int nslots;
    int8_t *piece_side; // per piece of one contact: which body it moves
    tx_row_room row_room, fixed_room;
    int *chain_pieces; // per body: pieces from the root to it

    // contacts of each environment, lane-major: contacts + lane * room
    tx_contact *contacts;
    int *contact_special;  // the special pair that made it, -1: none
    int *contact_slot;     // its slot, -1: it does not act
    double *contact_ahead; // what of its margin the two surfaces close in a step, only where contacts are followed
    int *ncontact;         // found, may exceed the room: then the step is repeated with more
    int room;

    bool placed; // contacts are in slots already
    bool filled; // or in their records: each contact of the only lane has the slot of its own number
    bool unread; // nobody reads the list of contacts of this step: where they are in slots it may be left as it was

    tx_ahead ahead;               // how contacts are found before they touch
    struct tx_collider *collider; // memory of detection
    struct tx_couples *couples;   // the table of pairs by bodies; null in blocks of several environments
    struct tx_pool *pool;         // threads that this block may use alone; null: none

    bool stepped;      // state is that after the step whose results stand here; else before it
    bool geoms_placed; // geom poses belong to the body poses
    uint8_t *meets;    // per geom: contact detection looks at it
    tx_shortcuts shortcuts;
    bool senses_geoms, senses_cameras; // sensors look at any of them
    bool senses_accelerations;         // or at those of bodies
    bool senses_forces;                // or at what a body's parent does to it
    bool has_paths;                    // tendons or actuators go through sites
    bool has_adhesion;                 // actuators act through contacts
    double stage_time;                 // of the stage of a step, from its start [s]
    bool pushed;                       // xfrc_applied is not all zero

    // per lane
    uint8_t *frozen;   // stands still
    int *bad;          // 0: all numbers are ordinary; else 1 + index of the first dof where they are not
    uint8_t *unsolved; // the solver stopped at its limit above the tolerance

    // stages are timed in few steps: reading the clock would cost as much as a small stage
    double stage_seconds[TX_STAGE_COUNT];
    long long steps, timed_steps;
    bool timed;
    void *memory, *row_memory;
    size_t memory_size;
    void *lent;     // own memory of TX_LENT and the like; null: a thread's
    tx_arena arena; // scratch of plain C inside a step
} tx_block;

static inline bool tx_body_sleeps(const tx_block *b, int body) {
    return b->sleep.asleep && b->m->body_tree[body] >= 0 && b->sleep.asleep[b->m->body_tree[body]];
}
/// Whether a dof is left out of the dynamics.
static inline bool tx_dof_rests(const tx_block *b, int dof) {
    return b->sleep.resting && b->sleep.resting[b->m->body_root[b->m->dof_body[dof]]];
}

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
/// Bytes of `count` numbers of all environments.
static inline size_t tx_lane_bytes(const tx_block *b, int count) {
    return (size_t)count * (size_t)b->lanes * (size_t)b->number_size;
}
/// Rows of `width` numbers, one row per environment, into a lane array and out of it.
static inline void tx_lanes_put(const tx_block *b, void *array, int width, const double *rows) {
    const size_t lanes = (size_t)b->lanes, count = (size_t)width;
    if (b->number_size != (int)sizeof(double)) {
        for (size_t i = 0; i < count; i++)
            for (size_t e = 0; e < lanes; e++) ((float *)array)[i * lanes + e] = (float)rows[e * count + i];
    } else if (lanes > 1) {
        for (size_t i = 0; i < count; i++)
            for (size_t e = 0; e < lanes; e++) ((double *)array)[i * lanes + e] = rows[e * count + i];
    } else memcpy(array, rows, sizeof(double) * count);
}
static inline void tx_lanes_get(const tx_block *b, const void *array, int width, double *rows) {
    const size_t lanes = (size_t)b->lanes, count = (size_t)width;
    if (b->number_size != (int)sizeof(double)) {
        for (size_t e = 0; e < lanes; e++)
            for (size_t i = 0; i < count; i++) rows[e * count + i] = (double)((const float *)array)[i * lanes + e];
    } else if (lanes > 1) {
        for (size_t e = 0; e < lanes; e++)
            for (size_t i = 0; i < count; i++) rows[e * count + i] = ((const double *)array)[i * lanes + e];
    } else memcpy(rows, array, sizeof(double) * count);
}

/// Velocity of a point of a body per velocity of a dof that moves it: point_rate() of one environment.
static inline void tx_point_rate(const tx_block *b, int lane, int dof, const double point[3], double out[3]) {
    double spin[3], arm[3];
    for (int k = 0; k < 3; k++) {
        spin[k] = tx_lane(b, b->cdof, 6 * dof + k, lane);
        arm[k] = point[k] - tx_lane(b, b->tree_com, 3 * b->m->body_root[b->m->dof_body[dof]] + k, lane);
    }
    for (int k = 0; k < 3; k++) {
        int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        out[k] = tx_lane(b, b->cdof, 6 * dof + 3 + k, lane) + (spin[k1] * arm[k2] - spin[k2] * arm[k1]);
    }
}
