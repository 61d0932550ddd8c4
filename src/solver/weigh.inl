// weigh.inl - G of a constraint and G J of its pieces, for whoever makes Jᵀ G J. lanes: any
#pragma once
#include "lane/row.h"
#include "problem/kernel_table.inl"
#include "problem/verbs.inl"
#include "solver/slip.inl"

// a kernel writes all dim x dim numbers, which gcc does not see
#ifndef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// how the last line search came to y
typedef struct arrival {
    bool first; // there was none
    bool loose; // far from the answer: small changes of G do not matter (large problems)
    real step;  // how much of the direction it took
} arrival;

// G of one constraint at y, in velocity problems with what is known of its friction; false: it is zero in all lanes
FN bool constraint_hessian(const tx_problem *p, int i, arrival came, real *G) {
    const tx_constraint *c = &p->cons[i];
    const real *n = numbers_of(p, i), *y = &AT(p->y, c->row);
    real gamma[6];
    switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, name##_force(dim, n, y, gamma, G))
        PRIMAL_KERNELS(X)
#undef X
    default: return false;
    }
    if (p->unit == TX_UNIT_VELOCITY && has_slip_direction(c)) {
        const real *s = &AT(p->Jsearch, c->row), *f = &AT(p->gamma, c->row);
        real *w = &AT(p->slip, c->row);
        if (c->dim == 3) slip_hessian(c->kernel, 3, n, y, s, f, came.first, came.step, w, G);
        else slip_hessian(c->kernel, c->dim, n, y, s, f, came.first, came.step, w, G);
    }
    if (c->dim == 3) return any((G[0] != R(0)) | (G[4] != R(0)) | (G[8] != R(0)));
    mask acts = G[0] != R(0);
    for (int k = 1; k < c->dim; k++) acts = acts | (G[k * c->dim + k] != R(0));
    return any(acts);
}

#ifndef __clang__
#pragma GCC diagnostic pop
#endif

// where G of a constraint is kept for later
FN real *kept_hessian(const tx_problem *p, const tx_constraint *c) { return ARRAY(p->G) + 6 * (size_t)c->row; }

// the first dof of a block's tree
FN int tree_root(const tx_problem *p, int block) {
    while (p->blocks[block].parent >= 0) block = p->blocks[block].parent;
    return p->blocks[block].dof;
}
FN bool same_tree(const tx_problem *p, const tx_piece *a, const tx_piece *b) {
    return p->blocks[a->block].tree == p->blocks[b->block].tree;
}

// T = G J of one piece
FN void weigh_piece(int dim, int width, const real *G, const real *J, real *T) {
    for (int r = 0; r < dim; r++) {
        const real *g = G + r * dim;
        real *row = T + r * width;
        if (dim == 3) {
            row_sum3(row, g[0], g[1], g[2], J, width, width);
            continue;
        }
        for (int k = 0; k < width; k++) row[k] = g[0] * J[k];
        for (int s = 1; s < dim; s++) row_add(row, g[s], J + s * width, width);
    }
}
