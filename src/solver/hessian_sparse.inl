// hessian_sparse.inl - H = A + Jᵀ G J of one island of a large problem, by blocks; its factor and H⁻¹ b.
// docs/newton.md. lanes: 1
#pragma once
#include "solver/weigh.inl"
#if TX_LANES == 1
#include <string.h>

#include "linalg/sparse.inl"

// the panels of the island, and its numbers of H
typedef struct sparse_span {
    int from, to;
    size_t begin, end;
} sparse_span;

FN sparse_span span_of(const tx_problem *p) {
    const tx_sparse *s = &p->factor->pattern;
    int from = s->group_panel[p->group], to = s->group_panel[p->group + 1];
    return (sparse_span){from, to, s->h_at[s->h_start[s->panel_column[from]]],
                         s->h_at[s->h_start[s->panel_column[to]]]};
}

// M (rows of piece a, columns of piece b) += Jaᵀ T, column-major: down the rows of a
FN void add_down(int dim, int wa, int wb, const num *Ja, const num *T, num *M, int stride) {
    for (int k = 0; k < wb; k++) {
        num *column = M + (size_t)k * (size_t)stride;
        for (int r = 0; r < dim; r++) {
            num t = T[r * wb + k];
            for (int i = 0; i < wa; i++) column[i] = column[i] + Ja[r * wa + i] * t;
        }
    }
}
// the same where the rows of M are those of piece b
FN void add_across(int dim, int wa, int wb, const num *Ja, const num *T, num *M, int stride) {
    for (int i = 0; i < wa; i++) {
        num *column = M + (size_t)i * (size_t)stride;
        for (int r = 0; r < dim; r++) {
            num t = Ja[r * wa + i];
            for (int k = 0; k < wb; k++) column[k] = column[k] + T[r * wb + k] * t;
        }
    }
}

// H += Jaᵀ T of two pieces; place: of their blocks
FN void add_blocks(const tx_problem *p, int dim, const tx_piece *a, const tx_piece *b, const num *T, num *H,
                   tx_sparse_place place) {
    const num *Ja = (const num *)p->J + a->at;
    const int *first = p->factor->first, ia = a->dof - first[a->block], ib = b->dof - first[b->block];
    // a piece of six dofs may stand in a wider block
    const bool six = dim == 3 && a->width == 6 && b->width == 6 && place.stride == 6;
    if (place.transposed) {
        num *M = H + place.at + (size_t)ib + (size_t)ia * (size_t)place.stride;
        if (six) add_across(3, 6, 6, Ja, T, M, 6);
        else add_across(dim, a->width, b->width, Ja, T, M, place.stride);
    } else {
        num *M = H + place.at + (size_t)ia + (size_t)ib * (size_t)place.stride;
        if (six) add_down(3, 6, 6, Ja, T, M, 6);
        else add_down(dim, a->width, b->width, Ja, T, M, place.stride);
    }
}

// H += Jᵀ G J of one constraint; last: where the pair of blocks before it stands
FN void sparse_add(const tx_problem *p, const tx_constraint *c, const num *G, num *H) {
    const tx_sparse *s = &p->factor->pattern;
    const int dim = c->dim;
    num T[6 * TX_BLOCK_WIDTH];
    for (int kb = c->piece; kb < c->piece + c->pieces; kb++) {
        const tx_piece *b = &p->pieces[kb];
        const num *Jb = (const num *)p->J + b->at;
        if (dim == 3 && b->width == 6) weigh_piece(3, 6, G, Jb, T);
        else weigh_piece(dim, b->width, G, Jb, T);
        for (int ka = kb; ka < c->piece + c->pieces; ka++) {
            const tx_piece *a = &p->pieces[ka];
            add_blocks(p, dim, a, b, T, H, tx_sparse_find(s, a->block, b->block));
        }
    }
}

// H at y, into the numbers of this iteration
STAGE void sparse_assemble(const tx_problem *p, num *H) {
    const sparse_span span = span_of(p);
    memset(H + span.begin, 0, (span.end - span.begin) * sizeof *H);
    const num *A = ARRAY(p->A);
    for (int r = 0; r < p->nranges; r++) {
        const int last = p->ranges[r].end - 1;
        const int end = p->tree.first[last] + p->tree.count[last];
        for (int k = p->tree.first[p->ranges[r].begin]; k < end; k++) H[p->factor->A_at[k]] = A[k] + R(0);
    }
    for (int v = 0; v < p->listed; v++) {
        num G[36] = {0};
        if (constraint_hessian(p, p->list[v], G)) sparse_add(p, &p->cons[p->list[v]], G, H);
    }
}

// the factor of H; before: what L is the factor of, null: of nothing. false: not positive definite
STAGE bool sparse_update(const tx_problem *p, const num *before, const num *H) {
    const tx_factor *f = p->factor;
    const sparse_span span = span_of(p);
    int done;
    if (!before) return sparse_factor(&f->pattern, H, ARRAY(f->L), ARRAY(f->inv), span.from, span.to, f->work) < 0;
    return sparse_refactor(&f->pattern, before, H, ARRAY(f->L), ARRAY(f->inv), span.from, span.to, &done, f->work) < 0;
}

STAGE void sparse_apply(const tx_problem *p, num *x) {
    const tx_factor *f = p->factor;
    const sparse_span span = span_of(p);
    sparse_solve(&f->pattern, ARRAY(f->L), ARRAY(f->inv), f->first, x, span.from, span.to);
}
#endif
