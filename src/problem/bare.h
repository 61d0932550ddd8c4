// bare.h - a problem that owns its memory: one environment, read from a file or made by a program. No model, no step.
#pragma once
#include "problem/dual.h"
#include "problem/islands.h"

/// How many of everything.
typedef struct tx_bare_size {
    int dofs, blocks, entries; // entries: numbers of A
    int cons, rows, pieces, jacobian;
} tx_bare_size;

typedef struct tx_bare {
    tx_problem problem;
    tx_bare_size size;
    tx_islands islands;
    tx_dual dual;
    tx_delassus W; // of a problem that has no A and J
    bool large;    // island by island with a sparse factor, else dense; what the step did that it comes from
    char law[32];  // who made the kernels' numbers: for reports
    int *parent;   // of each dof, -1: none
    int *width;    // of each block
    long long products;
    void *memory;
} tx_bare;

/// Memory for everything, all zero, with default options. Then fill in
///   parent, width;  kernel, dim and pieces of each of problem.cons;  dof and width of each of problem.pieces
/// and call tx_bare_link(). @return false: no memory, or a size is out of range; destroy it all the same
bool tx_bare_create(tx_bare *b, const tx_bare_size *size);
void tx_bare_destroy(tx_bare *b);

/// Checks the structure and derives what follows from it: the pattern of A, blocks, places of rows, pieces and J.
/// Numbers may be filled in afterwards. @return false, and why
bool tx_bare_link(tx_bare *b, const char **why);

/// Checks the numbers: finite, and what kernels and A need of them. @return false, and why
bool tx_bare_check(const tx_bare *b, const char **why);

/// Where the numbers stand: const in a problem because solvers only read them.
static inline double *tx_bare_A(const tx_bare *b) { return (double *)b->problem.A; }
static inline double *tx_bare_x_star(const tx_bare *b) { return (double *)b->problem.x_star; }
static inline double *tx_bare_warm(const tx_bare *b) { return (double *)b->problem.warm; }
