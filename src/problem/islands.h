// islands.h - a large problem cut into islands that share nothing, and the pattern of its Hessian.
#pragma once
#include "problem/problem.h"

/// Room for what grows with the constraints and their graph.
typedef struct tx_island_room {
    size_t cons, pieces, pairs, pattern, scratch, h_numbers, l_numbers;
} tx_island_room;

typedef struct tx_islands {
    // fixed by the tree of dofs
    int ntrees, nblocks;
    size_t tree_pairs;   // pairs of blocks that A couples
    tx_range *tree_dofs; // per tree
    int *width, *first;  // per block
    int *tree_pair;      // 2 ints a pair

    // islands of this step: constraints and dof ranges of island i are [start[i], start[i + 1]) of the lists
    int count;
    int *con_start, *cons, *range_start;
    tx_range *ranges;
    double *result; // per island: iterations, gradient, solver; sum and scale of its defects
    uint8_t *unsolved;
    uint8_t *coupled; // the factor has the couplings between trees
    long long *products;

    // the constraints that this is the answer to: dimension and number of pieces of each, block and width of each piece
    tx_coupling seen_coupling;
    int seen_cons, seen_pieces; // -1: it is the answer to none
    int *seen_con, *seen_piece;

    // working memory of the cut
    int *parent, *island_of_tree, *next, *group, *pair;
    tx_arena pattern_memory, scratch;

    tx_factor factor;
    tx_island_room room, need;
    void *memory, *grown;
} tx_islands;

/// Memory for the islands of a problem whose blocks are known, and a first guess at the room that so many contacts
/// take. @return false: no memory; destroy it all the same
bool tx_islands_create(tx_islands *s, const tx_problem *p, int contacts);
void tx_islands_destroy(tx_islands *s);

/// Finds the islands of the problem's constraints and the pattern of its Hessian. Islands are numbered by their lowest
/// tree; each keeps its constraints in their order.
/// @return false when room is lacking: grow and call again
bool tx_islands_find(tx_islands *s, const tx_problem *p);
bool tx_islands_grow(tx_islands *s, const tx_problem *p); // false: no memory

/// Dofs of island i.
int tx_islands_dofs(const tx_islands *s, int i);

/// The problem that sees island i alone.
tx_problem tx_islands_view(const tx_islands *s, const tx_problem *p, int i);

/// `auto` factorises islands of up to so many dofs directly: docs/solvers.md has the measurement.
enum { TX_DIRECT_DOFS = 3000 };

enum { TX_ISLAND_RESULTS = 5 };
