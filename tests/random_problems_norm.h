// random_problems_norm.h - what the test of random problems measures with the problem's own verbs.
#pragma once
#include "problem/problem.h"

/// ‖dx‖²_H at the answer, H = A + Jᵀ G J.
double h_norm_squared(const tx_problem *p, const double *dx);
