// alone.h - a contact problem solved without model or sim.
#pragma once
#include "problem/bare.h"
#include "step/target.h"

/// Solves it as a step would, to the same bits: dense or island by island, by all threads of the pool (null: one). The
/// answer is in b->problem. @return false, and why, when it cannot be tried; whether it converged says
/// tx_alone_converged()
bool tx_solve_alone(const tx_target *target, tx_bare *b, int solver, struct tx_pool *pool, const char **why);

/// Whether the solver reached its tolerance, or rounding, and all numbers are finite.
bool tx_alone_converged(const tx_bare *b);
