// weight.inl - exact weights of a constraint: norms of J A⁻¹ Jᵀ by half a solve along its branches. lanes: any
//
// With A = LᵀDL it is ZᵀD⁻¹Z, LᵀZ = Jᵀ, and Z differs from zero only at the dofs of the pieces and above them.
#pragma once
#include "dynamics/kinematics.inl"
#include "problem/verbs.inl"

enum { MOST_HEADS = 32 };

// a walk from the leaves to the root through all dofs at or above the pieces, each once
typedef struct branch_walk {
    int head[MOST_HEADS], count;
    int dof; // of the plain walk through all dofs, where there are more pieces than heads
} branch_walk;

FN branch_walk walk_branches(const tx_problem *p, const tx_constraint *c) {
    branch_walk w = {.count = c->pieces <= MOST_HEADS ? c->pieces : 0, .dof = -1};
    for (int k = 0; k < c->pieces; k++) {
        const tx_piece *e = &p->pieces[c->piece + k];
        const int last = e->dof + e->width - 1;
        if (k < w.count) w.head[k] = last;
        else w.dof = last;
    }
    return w;
}

// -1 at the end
FN int next_of_walk(const tx_problem *p, branch_walk *w) {
    if (w->dof >= 0) return w->dof--;
    int top = -1;
    for (int k = 0; k < w->count; k++) top = w->head[k] > top ? w->head[k] : top;
    for (int k = 0; k < w->count && top >= 0; k++)
        if (w->head[k] == top) w->head[k] = p->tree.parent[top];
    return top;
}

// W = Z D⁻¹ Zᵀ for up to three rows that stand in Z at the dofs of the pieces, zero at those above: its lower triangle
STAGE void solve_rows(const tx_problem *p, const tx_constraint *c, int rows, real **Z, real W[9]) {
    for (int k = 0; k < 9; k++) W[k] = splat(0);
    branch_walk walk = walk_branches(p, c);
    for (int d; (d = next_of_walk(p, &walk)) >= 0;) {
        const real *L = &AT(p->L, p->tree.first[d]), inv = AT(p->Linv, d);
        for (int r = 0; r < rows; r++) {
            const real z = Z[r][d];
            int up = p->tree.parent[d];
            for (int s = 1; s < p->tree.count[d]; s++, up = p->tree.parent[up]) Z[r][up] = Z[r][up] - L[s] * z;
            for (int q = 0; q <= r; q++) W[3 * r + q] = W[3 * r + q] + z * inv * Z[q][d];
        }
    }
}

// rows [begin, end) of c, three at most, into Z
FN void gather_rows(const tx_problem *p, const tx_constraint *c, int begin, int end, real **Z, real *scratch) {
    for (int r = 0; r < end - begin; r++) Z[r] = scratch + r * p->nv;
    branch_walk walk = walk_branches(p, c);
    for (int d; (d = next_of_walk(p, &walk)) >= 0;)
        for (int r = 0; r < end - begin; r++) Z[r][d] = splat(0);
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        for (int r = 0; r < end - begin; r++)
            for (int i = 0; i < e->width; i++) Z[r][e->dof + i] = AT(p->J, e->at + (begin + r) * e->width + i);
    }
}

// the Frobenius norm of the block of rows [begin, end) over the number of rows
FN real exact_norm(const tx_problem *p, const tx_constraint *c, int begin, int end, real *scratch) {
    const int rows = end - begin;
    real W[9], *Z[3];
    gather_rows(p, c, begin, end, Z, scratch);
    solve_rows(p, c, rows, Z, W);
    real square = splat(0);
    for (int r = 0; r < rows; r++)
        for (int q = 0; q <= r; q++) square = square + (q == r ? R(1) : R(2)) * W[3 * r + q] * W[3 * r + q];
    return vsqrt(square) / R(rows);
}

// J A⁻¹ Jᵀ of the row of the normal plus mu times the first tangent: an edge of a pyramid
FN real edge_norm(const tx_problem *p, const tx_constraint *c, real mu, real *scratch) {
    real W[9], *Z[3];
    gather_rows(p, c, 0, 2, Z, scratch);
    solve_rows(p, c, 2, Z, W);
    return W[0] + mu * (R(2) * W[3] + mu * W[4]);
}
