// kernel_table.inl - the kernels by number, and the loops over the constraints of a problem. lanes: any
#pragma once
#include "problem/kernel_cone.inl"
#include "problem/kernel_hard.inl"
#include "problem/kernel_hunt.inl"
#include "problem/kernel_list.h"
#include "problem/kernels.inl"

enum { MOST_DUALS = 10 };

// does `call` for the kernel `name`; most constraints have three rows, and loops of constant length are fast
#define KERNEL_CASE(name, call)                       \
    case KERNEL_##name:                               \
        if (KERNEL_ROWS_##name >= 3 && c->dim == 3) { \
            const int dim = 3;                        \
            call;                                     \
        } else {                                      \
            const int dim = c->dim;                   \
            call;                                     \
        }                                             \
        break;

FN const real *numbers_of(const tx_problem *p, int i) { return &AT(p->numbers, TX_KERNEL_NUMBERS * i); }

// γ of one constraint, y and γ its own
FN void constraint_force(const tx_problem *p, int i, const real *y, real *gamma) {
    const tx_constraint *c = &p->cons[i];
    const real *n = numbers_of(p, i);
    switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, name##_force(dim, n, y, gamma, NULL))
        KERNELS(X)
#undef X
    }
}
// γ of all constraints at y
STAGE void constraint_forces(const tx_problem *p, const real *y, real *gamma) {
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v], row = p->cons[i].row;
        constraint_force(p, i, y + row, gamma + row);
    }
}

// Σ ℓ(y)
STAGE real constraint_cost(const tx_problem *p, const real *y) {
    real sum = splat(0);
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *at = y + c->row;
        switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, sum = sum + name##_cost(dim, n, at))
            PRIMAL_KERNELS(X)
#undef X
        }
    }
    return sum;
}

FN void move_rows(int dim, const real *y, real alpha, const real *s, real *moved) {
    for (int r = 0; r < dim; r++) moved[r] = y[r] + alpha * s[r];
}

// first and second derivative of Σ ℓ(y + α s)
STAGE slope_sum constraint_slope(const tx_problem *p, const real *y, const real *s, real alpha) {
    slope_sum sum = {splat(0), splat(0)};
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *at = y + c->row, *along = s + c->row;
        real moved[6] = {alpha};
        switch (c->kernel) {
#define X(name, rows) \
    KERNEL_CASE(name, move_rows(dim, at, alpha, along, moved); name##_slope(dim, n, moved, along, &sum))
            PRIMAL_KERNELS(X)
#undef X
        }
    }
    return sum;
}

// how far the dual variables at y are from a fixed point of their natural map at y_again
STAGE void constraint_defects(const tx_problem *p, const real *y, const real *y_again, defect_sum *sum) {
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *at = y + c->row, *again = y_again + c->row, *free = &AT(p->y_free, c->row);
        real lambda[MOST_DUALS] = {at[0]};
        switch (c->kernel) {
#define X(name, rows) \
    KERNEL_CASE(name, name##_duals(dim, n, at, lambda); name##_defect(dim, n, lambda, again, free, sum))
            PRIMAL_KERNELS(X)
#undef X
        }
    }
}

// the same of dual variables that a solver has found: those of a constraint begin at twice its first row
STAGE void dual_defects(const tx_problem *p, const real *lambda, const real *y, defect_sum *sum) {
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *own = lambda + 2 * c->row, *at = y + c->row, *free = &AT(p->y_free, c->row);
        switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, name##_defect(dim, n, own, at, free, sum))
            DUAL_KERNELS(X)
#undef X
        }
    }
}
