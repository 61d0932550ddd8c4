// dual.h - what dual solvers keep beside a problem: B = J L⁻¹ D^-½ with A = Lᵀ D L, so that W = J A⁻¹ Jᵀ = B Bᵀ, and
// their vectors. docs/solvers.md.
//
// B of a constraint lives on the dofs of its pieces and on all that those hang from: spans of neighbouring dofs.
#pragma once
#include <limits.h>

#include "problem/problem.h"

/// Neighbouring dofs, and where their dim x width numbers of B begin (row-major).
typedef struct tx_span {
    int dof, width, at;
} tx_span;

/// X(name, numbers, meaning). A constraint's dual variables begin at twice its first row: a pyramid has more of them
/// than rows.
#define TX_DUAL_NUMBERS(X)                                                                       \
    X(B, numbers, "of the spans")                                                                \
    X(block, 6 * rows, "W of each constraint, dim x dim, and its weights: keeps_weights()")      \
    X(half_inv, dofs, "D^-½")                                                                    \
    X(z, dofs, "Bᵀγ")                                                                            \
    X(z_before, dofs, "of the last sweep")                                                       \
    X(lambda, 2 * rows, "dual variables")                                                        \
    X(before, 2 * rows, "of the last iteration")                                                 \
    X(best, 2 * rows, "those with the least error")                                              \
    X(scale, 2 * rows, "unit of each, for projected gradients")                                  \
    X(free, 2 * rows, "motion without forces, in units of 1 / scale")                            \
    X(point, 2 * rows, "where the gradient is taken")                                            \
    X(product, 2 * rows, "(W + R) lambda, in units of scale")                                    \
    X(product_before, 2 * rows, "of the last iteration")                                         \
    X(product_point, 2 * rows, "of the point")                                                   \
    X(shift, rows, "μ|u_t| of the last outer iteration, first row")                              \
    X(impulse, TX_IMPULSE_NUMBERS *cons, "of a contact for sweeps of pgs (solver/impulses.inl)") \
    X(pack, TX_PACK *packed, "numbers of packs (solver/packs.inl)")
#define TX_IMPULSE_NUMBERS 14

/// Neighbouring contacts of the same one or two free bodies.
typedef struct tx_pair {
    int con, count; // the first of them
    int dof[2];     // of the bodies, ascending; -1: there is no second
    int key;        // its colour; once it is in a pack, that
    int part;       // of its island
} tx_pair;

/// Pairs side by side that share no body (problem/colours.h). Every second four of numbers from `at` on: TX_PACK_HEAD
/// for the pack, then at most TX_PACK_NUMBERS for point j of all of them; those that a shorter pair does not have are
/// zero. The fours between them are those of a second pack of the same colour, if it has one, which begins at `at` + 1.
/// Where some pairs are plain (solver/packs.inl), at most TX_PACK_PLAIN numbers a point, and others are not, the plain
/// ones stand from `half` of the halves on, and each pair has the bits that it has in any company.
enum { TX_PACK = 4, TX_PACK_HEAD = 11, TX_PACK_NUMBERS = 51, TX_PACK_PLAIN = 33 };
/// Most parts of an island that is swept by several threads (solver/together.inl).
enum { TX_PARTS = 8 };
typedef struct tx_pack {
    int at, half, points, pairs, colour;
    int plain; // so many pairs are plain, the first ones
    // of an island in parts: it comes behind pack after[i] of part i, counted from the first one of the same sweep
    // (negative: of the sweep before; TX_NO_PACK: behind none); awaited: a pack of another part comes behind it
    bool awaited;
    int part, after[TX_PARTS];
    tx_pair pair[TX_PACK];
} tx_pack;
#define TX_NO_PACK INT_MIN

/// One or two neighbouring packs of one colour in one of TX_WAVE rounds that go over an island together
/// (solver/waves.inl).
enum { TX_WAVE = 4 };
typedef struct tx_turn {
    int pack, count, round;
} tx_turn;

/// An island in parts, each of neighbouring bodies: the packs and the dofs of part i are those from pack[i] and dof[i]
/// to the next.
typedef struct tx_split {
    int parts, pack[TX_PARTS + 1], dof[TX_PARTS + 1];
} tx_split;

/// Room, and what a problem needs.
typedef struct tx_dual_room {
    size_t dofs, cons, rows, spans, numbers, packed; // packed: fours of numbers in packs
} tx_dual_room;

typedef struct tx_dual {
    int *first; // span of each constraint, and behind the last
    tx_span *spans;
    int *mark;  // per dof: working memory
    int *quick; // per constraint: it is in `impulse`, or in a pack

    // packs of island i: [pack_start[i], pack_start[i + 1]); coloured: islands that have any, 0: no packs were made
    int coloured, npacks, nloose, nturns;
    int *pack_start, *order;
    int *split_of; // per island: its place among those in parts, -1: it is in one
    int nsplits;
    tx_split split[TX_PARTS];
    int *loose, *loose_start; // constraints of island i in no pack: loose[loose_start[i]], to the next island's
    tx_pack *packs;
    tx_turn *turns; // in their order; of island i: [turn_start[i], turn_start[i + 1]), none where rounds go one by one
    int *turn_start;
    int halves; // where halves of packs begin, behind all packs
    tx_pair *pairs;
    int *body; // per dof, six of a body: working memory (colours.c)
#define X(name, count, meaning) void *name;
    TX_DUAL_NUMBERS(X)
#undef X
    tx_dual_room room, need;
    void *memory;
} tx_dual;

/// Finds the spans of the problem's constraints, and with islands their packs, and hands the memory to the problem.
/// parts: into how many the large islands may be cut, for blind sweeps of as many threads; 1: none; 0: sweeps are not
/// blind.
/// @return false when room is lacking (none at first): grow and call again
struct tx_islands;
bool tx_dual_find(tx_dual *d, tx_problem *p, const struct tx_islands *islands, int parts);
bool tx_dual_grow(tx_dual *d, const tx_problem *p); // false: no memory
void tx_dual_destroy(tx_dual *d);
