// abreast.h - contacts of three rows with round friction, several of them side by side: what a target with wide lanes
// offers to large problems, which have one lane.
#pragma once
#include "problem/problem.h"

/// Functions of `count` constraints of a problem of one lane, all of one of the ROUND_KERNELS and with three rows. Each
/// constraint has the bits that the kernel gives it alone, whatever the width.
typedef struct tx_abreast {
    /// y moves by `step` along Jsearch (0: it stays), then γ.
    void (*forces)(const tx_problem *p, const int *which, int count, double step);
    /// Keeps G = -∂γ/∂y with what is known of the slip (solver/slip.inl), and behind its nine numbers what H lacks of
    /// it: all of G where H is made anew, else how it has changed. lacks: whether there is any. step: how much of the
    /// last direction led to y; first: there was none; loose: changes below a hundredth of the diagonal are left out.
    void (*hessians)(const tx_problem *p, const int *which, int count, double step, bool first, bool anew, bool loose,
                     uint8_t *lacks);
    /// First and second derivative of each cost at y + alpha Jsearch: two numbers each.
    void (*slopes)(const tx_problem *p, const int *which, int count, double alpha, void *out);
    /// The cost of each at y.
    void (*costs)(const tx_problem *p, const int *which, int count, const void *y, void *out);
    /// Defect and scale of each (problem/kernels.inl) where the motion that belongs to the forces is `again`.
    void (*defects)(const tx_problem *p, const int *which, int count, const void *again, void *out);
} tx_abreast;
