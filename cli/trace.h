// trace.h - how the solver came to the answer of a step.
#pragma once
#include <stdio.h>

#include "thixis/sim.h"

/// Writes the lines "step,island,iteration,gradient,solve_error,step_length" of the step that the environment is about
/// to take: its problem solved once more, alone, which has the same bits. @return false: memory is out, or the file is
/// full
bool trace_step(FILE *out, tx_sim *sim, int env, int step);
