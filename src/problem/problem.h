// problem.h - the contact problem: min ½‖x - x*‖²_A + Σ ℓ_c(J_c x). Dynamics and rows write it, solvers read it.
// docs/problem.md explains it.
//
// Every `void *` is a lane array: element i is `lanes` consecutive numbers, one per environment. Structure (blocks,
// constraints, pieces) is the same for all lanes; a lane in which a constraint does not act has zeros there.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linalg/sparse.h"
#include "linalg/tree.h"

/// What x is. Forces of an acceleration problem are [N], of a velocity problem impulses [N s].
typedef enum tx_unit { TX_UNIT_ACCELERATION, TX_UNIT_VELOCITY } tx_unit;

/// A group of 1 to TX_BLOCK_WIDTH neighbouring dofs: a free body, or a stretch of a chain that does not branch.
typedef struct tx_dof_block {
    int dof, width;
    int parent; // block of the dof that its first one hangs from, -1: none
    int tree;
} tx_dof_block;
enum { TX_BLOCK_WIDTH = 8 };

/// Neighbouring dofs of one block that a constraint moves, and where its dim x width numbers of J begin (row-major).
typedef struct tx_piece {
    int block, dof, width, at;
} tx_piece;

/// A constraint: `dim` rows y = J x that one kernel turns into forces.
typedef struct tx_constraint {
    int kernel, dim;
    int row;           // its first one
    int piece, pieces; // the first, and how many; ascending by dof
    int type, id;      // who made it, for reports; nothing that solves looks at them
    // while it is solved
    bool moved;      // its aims are not where the law put them (recentre.inl)
    uint8_t pushing; // which edges of a pyramid push at y, a bit each (edges.inl)
    uint8_t in_H;    // which of them H has
} tx_constraint;

/// Numbers of a kernel, per constraint (kernels.inl). Where a constraint does not act D is zero.
#define TX_KERNEL_NUMBERS 16
enum {
    TX_NUMBER_D = 0,     // stiffness of a row (quadratic: of rows 0-2), or of an edge
    TX_NUMBER_REST = 1,  // D times this estimates the inverse of the row's entry of the Delassus matrix
    TX_NUMBER_MU = 2,    // friction of rows 1 ... (pyramid, cone)
    TX_NUMBER_BOUND = 2, // largest force (clamped)
    TX_NUMBER_D2 = 2,    // stiffness of rows 3-5 (quadratic)
    TX_NUMBER_D_ROW = 3, // stiffness of rows 1, 2, 4, 5 where it is not that of row 0 or 3; else 0 (quadratic)
    TX_NUMBER_A = 7,     // y at which the rows do not push
    TX_NUMBER_CONE = 13, // μ of the cone: D of row k is D μ_k² / μ²
    TX_NUMBER_E = 14,    // softness of every row of a hard contact; its D is 1 / an estimate of the Delassus matrix
    // Hunt & Crossley (similar, lagged): n(z) = D (a - z)₊ (1 - d z)₊
    TX_NUMBER_SLIP = 13,        // μ times the speed below which it sticks
    TX_NUMBER_DISSIPATION = 14, // d
    TX_NUMBER_LAST = 15         // normal impulse that friction has (lagged)
};

/// Dofs [begin, end) of whole trees.
typedef struct tx_range {
    int begin, end;
} tx_range;

/// X(name, numbers, meaning): vectors of a problem with nv dofs that solvers work in.
#define TX_PROBLEM_WORK(X)                                           \
    X(Adx, nv, "A (x - x*)")                                         \
    X(grad, nv, "A (x - x*) - Jᵀγ")                                  \
    X(search, nv, "search direction")                                \
    X(Asearch, nv, "A search")                                       \
    X(Hinv, nv, "inverse pivots of the factor of H")                 \
    X(weight, nv, "1 / diag(A), where momenta are looked at")        \
    X(residual, nv, "of the linear system; cg: the gradient before") \
    X(conjugate, nv, "direction in the linear system; cg: A⁻¹ gradient")

/// X(name, numbers, meaning): what grows with the constraints.
#define TX_PROBLEM_ROWS(X)                                               \
    X(numbers, TX_KERNEL_NUMBERS *cons, "of the kernel, per constraint") \
    X(J, jacobian, "numbers of the pieces")                              \
    X(y, rows, "J x")                                                    \
    X(y_free, rows, "J x*")                                              \
    X(aim, rows, "of y, as the law has it: of constraints that moved")   \
    X(Jsearch, rows, "J search")                                         \
    X(gamma, rows, "force or impulse")                                   \
    X(slip, rows, "what Newton's method knows of friction: slip.inl")    \
    X(guess, rows, "where dual solvers begin, if it is guessed")         \
    X(G, hessians, "-∂γ/∂y of each constraint as it is in H, dim x dim")

/// H = A + Jᵀ G J of a large problem, and its factor.
typedef struct tx_factor {
    tx_sparse pattern;
    void *H, *L, *inv;
    size_t *A_at;     // where each number of A stands in H, but for trees of one block
    const int *first; // dof of each block
    int *work;
    int *stale; // panels of the pattern whose numbers of H have changed since they were factorised
} tx_factor;

/// Which couplings of H a solver factorises: all, those inside trees, or as `auto` decides by the size of an island.
typedef enum tx_coupling { TX_COUPLE_ALL, TX_COUPLE_TREES, TX_COUPLE_BY_SIZE } tx_coupling;

typedef struct tx_solve_options {
    double tolerance, ls_tolerance;
    double momentum_tolerance; // of the gradient against A x and Jᵀγ in the norm of diag(A)⁻¹; 0: not looked at
    // pgs, in place of `tolerance`: the least that a sweep gains of the cost, times 1 / trace A; 0: none, as with rigid
    // contacts, which have no cost; not in problem files
    double gain_tolerance;
    int iterations, ls_iterations;
    bool warmstart;
    int noslip_iterations; // of the pass against slip, 0: none; not in problem files
    double noslip_tolerance;
} tx_solve_options;

/// The Delassus matrix W = J A⁻¹ Jᵀ itself, where A and J are not known: 3 x 3 blocks by rows of constraints, each of
/// three rows. One lane of doubles; `y_free` of the problem is given with it.
typedef struct tx_delassus {
    const int *start, *col; // blocks [start[i], start[i + 1]) of constraint i, and the other constraint of each
    const double *block;    // 9 numbers each, row-major
    int *own;               // the block of constraint i with itself
} tx_delassus;

/// Why a solver stopped; greater is worse.
typedef enum tx_stop {
    TX_STOP_REACHED,   // its tolerance, or rounding with a solve error of at most 1e-8
    TX_STOP_ROUNDED,   // rounding allows no better answer
    TX_STOP_LIMIT,     // of iterations
    TX_STOP_STAGNATED, // the gradient does not become smaller
    TX_STOP_FAILED     // no way down, or a number that is none
} tx_stop;

/// How far a solver was before each iteration, island after island; count goes on beyond the room. One lane only.
typedef struct tx_trace_point {
    int island, iteration;
    double gradient, solve_error, step; // step: length of the line search that led here
} tx_trace_point;
typedef struct tx_trace {
    tx_trace_point *points;
    int count, room;
} tx_trace;

/// Most dofs of a dense problem.
enum { TX_DENSE_DOFS = 64 };

/// Rows of a dense factor, as runs of neighbouring columns before the diagonal, ascending.
typedef struct tx_column_run {
    uint8_t begin, end;
} tx_column_run;
typedef struct tx_dense_rows {
    uint64_t columns[TX_DENSE_DOFS];   // that it was made from; zero: none yet
    uint16_t first[TX_DENSE_DOFS + 1]; // per row: its first run
    uint8_t node[TX_DENSE_DOFS];       // per row k: so many from k down, at most 4, are alike
    tx_column_run run[TX_DENSE_DOFS * (TX_DENSE_DOFS / 2 + 1) / 2]; // row k has at most (k + 1) / 2
} tx_dense_rows;

typedef struct tx_problem {
    int lanes, number_size; // environments side by side; bytes of a number
    tx_unit unit;
    tx_solve_options opt;

    // A on trees: row k holds (k, k), then its ancestors upwards
    int nv, nblocks;
    tx_tree tree;
    const tx_dof_block *blocks;
    const int *dof_block;     // of each dof
    const void *A, *L, *Linv; // its numbers, its factor (linalg/tree.inl) and the inverse diagonal of that

    const void *x_star, *warm; // the free motion; a first guess
    double time;               // step [s] of a velocity problem, else 1: stop tests are in accelerations
    double y_floor;            // change of y² below which nothing is at stake: the scale of the solve error has it
    void *x, *force;           // the answer, and Jᵀγ

    // constraints
    int ncons, nrows, npieces, njacobian;
    tx_constraint *cons;
    tx_piece *pieces;

#define X(name, count, meaning) void *name;
    TX_PROBLEM_WORK(X)
    TX_PROBLEM_ROWS(X)
#undef X

    // what a view of the problem sees: all of it, or one island
    const int *list; // constraints
    int listed;
    const tx_range *ranges; // dofs
    int nranges;
    int *all_cons; // memory of the view that sees all constraints
    tx_range all_dofs;
    const tx_range *awake; // dofs of that view; null: all
    int nawake;

    // factor of H = A + Jᵀ G J: sparse, in the columns of one group of its pattern, or (null) dense
    const tx_factor *factor;
    const struct tx_abreast *abreast; // of a wider target (abreast.h); null: one contact after the other
    int group;
    tx_coupling coupling; // what the solver wants the factor of
    bool coupled;         // of this island: the factor has the couplings between trees
    void *H;              // nv x nv, lower triangle: rows of a tree, with fill
    uint64_t *columns;    // per dof: columns of its row that are not zero
    tx_dense_rows *rows;  // the same as runs
    uint64_t *A_columns;  // the same of A

    bool guessed;               // forces to begin with are known
    struct tx_pool *pool;       // threads that sweep over one island together; null: one
    const struct tx_dual *dual; // memory of dual solvers and noslip (dual.h); null for the others
    const tx_delassus *W;       // in place of A and J; null: there are those

    // per lane
    void *iterations, *gradient, *solve_error;
    void *noslip_gain;   // of the last sweep of the pass against slip
    void *solver_used;   // index of the solver of the largest island
    uint8_t *unsolved;   // tx_stop: not zero when the solver stopped above its tolerance
    tx_trace *trace;     // null: none
    long long *products; // multiplications by J or Jᵀ of the solve; null: not counted
} tx_problem;
