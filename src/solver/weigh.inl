// weigh.inl - G of a constraint and G J of its pieces, for whoever makes Jᵀ G J. lanes: any
#pragma once
#include "problem/kernel_table.inl"
#include "problem/verbs.inl"

// G of one constraint at y; false: it is zero in all lanes
FN bool constraint_hessian(const tx_problem *p, int i, real *G) {
    const tx_constraint *c = &p->cons[i];
    const real *n = numbers_of(p, i), *y = &AT(p->y, c->row);
    real gamma[6];
    switch (c->kernel) {
#define X(name, primal, duals) KERNEL_CASE(name, name##_force(dim, n, y, gamma, G))
        KERNELS(X)
#undef X
    default: return false;
    }
    mask acts = G[0] != R(0);
    for (int k = 1; k < c->dim; k++) acts = acts | (G[k * c->dim + k] != R(0));
    return any(acts);
}

// T = G J of one piece
FN void weigh_piece(int dim, int width, const real *G, const real *J, real *T) {
    for (int r = 0; r < dim; r++)
        for (int k = 0; k < width; k++) {
            real t = G[r * dim] * J[k];
            for (int s = 1; s < dim; s++) t = t + G[r * dim + s] * J[s * width + k];
            T[r * width + k] = t;
        }
}
