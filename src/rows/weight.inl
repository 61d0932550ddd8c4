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

// a piece that is all of a free body, or another chain of six that hangs from nothing
FN bool is_root_chain(const tx_problem *p, const tx_piece *e) {
    return e->width == TX_TRUNK && p->tree.parent[e->dof] < 0 && p->tree.count[e->dof + TX_TRUNK - 1] == TX_TRUNK;
}

// what such a piece adds to W, by the same operations
FN void add_root_chain(const tx_problem *p, const tx_piece *e, int begin, int rows, real *W) {
    const real *L = &AT(p->L, p->tree.first[e->dof]), *inv = &AT(p->Linv, e->dof);
    real Z[3 * TX_TRUNK];
    for (int k = 0; k < rows * TX_TRUNK; k++) Z[k] = AT(p->J, e->at + begin * TX_TRUNK + k);
    UNROLL
    for (int d = TX_TRUNK - 1; d >= 0; d--) {
        const real *row = L + TRUNK_ROW(d);
        for (int r = 0; r < rows; r++) {
            const real z = Z[TX_TRUNK * r + d];
            UNROLL
            for (int s = 1; s <= d; s++) Z[TX_TRUNK * r + d - s] = Z[TX_TRUNK * r + d - s] - row[s] * z;
            for (int q = 0; q <= r; q++) W[3 * r + q] = W[3 * r + q] + z * inv[d] * Z[TX_TRUNK * q + d];
        }
    }
}

// whether c moves such pieces only
FN bool moves_root_chains(const tx_problem *p, const tx_constraint *c) {
    for (int k = c->piece; k < c->piece + c->pieces; k++)
        if (!is_root_chain(p, &p->pieces[k])) return false;
    return true;
}

// then what it adds, the highest dof first
FN bool add_root_chains(const tx_problem *p, const tx_constraint *c, int begin, int rows, real *W) {
    if (!moves_root_chains(p, c)) return false;
    for (int k = c->piece + c->pieces - 1; k >= c->piece; k--) {
        if (rows == 3) add_root_chain(p, &p->pieces[k], begin, 3, W);
        else add_root_chain(p, &p->pieces[k], begin, rows, W);
    }
    return true;
}

FN real norm_of_rows(const real *W, int rows) {
    real square = splat(0);
    for (int r = 0; r < rows; r++)
        for (int q = 0; q <= r; q++) square = square + (q == r ? R(1) : R(2)) * W[3 * r + q] * W[3 * r + q];
    return vsqrt(square) / R(rows);
}

// J A⁻¹ Jᵀ of rows [begin, begin + rows) of c, three at most: its lower triangle
STAGE void weigh_block(const tx_problem *p, const tx_constraint *c, int begin, int rows, real *scratch, real W[9]) {
    real *Z[3];
    for (int r = 0; r < rows; r++) Z[r] = scratch + r * p->nv;
    for (int k = 0; k < 9; k++) W[k] = splat(0);
    if (add_root_chains(p, c, begin, rows, W)) return;
    branch_walk walk = walk_branches(p, c);
    for (int d; (d = next_of_walk(p, &walk)) >= 0;)
        for (int r = 0; r < rows; r++) Z[r][d] = splat(0);
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < e->width; i++) Z[r][e->dof + i] = AT(p->J, e->at + (begin + r) * e->width + i);
    }
    walk = walk_branches(p, c);
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

// the Frobenius norm of that block over the number of rows
FN real exact_norm(const tx_problem *p, const tx_constraint *c, int begin, int end, real *scratch) {
    real W[9];
    weigh_block(p, c, begin, end - begin, scratch, W);
    return norm_of_rows(W, end - begin);
}

// J A⁻¹ Jᵀ of the row of the normal plus mu times the first tangent: an edge of a pyramid
FN real edge_norm(const tx_problem *p, const tx_constraint *c, real mu, real *scratch) {
    real W[9];
    weigh_block(p, c, 0, 2, scratch, W);
    return W[0] + mu * (R(2) * W[3] + mu * W[4]);
}
