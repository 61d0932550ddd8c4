// file.h - problem files: one contact problem with everything a solver needs, docs/problem.md.
#pragma once
#include "problem/bare.h"
#include "thixis/base.h"

/// What a file holds beside the problem itself.
typedef struct tx_problem_note {
    const char *law; // who made the kernels' numbers
    bool large;      // the step solves it island by island
} tx_problem_note;

/// Bytes of a file with the problem of one lane; constraints that act only in other lanes are left out. The caller
/// releases them by tx_free(). @return null: no memory
void *tx_problem_bytes(const tx_problem *p, int lane, const tx_problem_note *note, size_t *size);
tx_result tx_problem_write(const tx_problem *p, int lane, const tx_problem_note *note, const char *path);

/// Reads a problem from bytes that begin at a multiple of 8; whatever the bytes are, a reason is added to `diag` when
/// they are no good.
/// @return false: the problem is empty
bool tx_problem_from_bytes(tx_bare *b, const void *bytes, size_t size, const char *file, tx_diag *diag);
bool tx_problem_read(tx_bare *b, const char *path, tx_diag *diag);

/// A friction problem without bodies (friction_file.c): whether bytes have its size, and what is wrong with them (null:
/// nothing). Contacts obey Coulomb's law; tx_problem_set_kernel() makes them another.
bool tx_friction_looks_like(const void *bytes, size_t size);
const char *tx_friction_read(tx_bare *b, const void *bytes, size_t size);
/// Every rigid contact gets the kernel. @return how many there are
int tx_problem_set_kernel(tx_problem *p, int kernel);
