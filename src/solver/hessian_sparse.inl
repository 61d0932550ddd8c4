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

// M += Xᵀ Y, column-major: down the columns of X; wx x wy numbers
FN void add_product(int dim, int wx, int wy, const num *X, const num *Y, num *M, int stride) {
    for (int k = 0; k < wy; k++) {
        num *column = M + (size_t)k * (size_t)stride;
        if (dim == 3) row_add3(column, Y[k], Y[wy + k], Y[2 * wy + k], X, wx, wx);
        else
            for (int r = 0; r < dim; r++) row_add(column, Y[r * wy + k], X + r * wx, wx);
    }
}

// the same of six dofs of a block on the diagonal, of which only the part below it is read
FN void add_square_six(const num *X, const num *T, num *M) {
    UNROLL
    for (int k = 0; k < 6; k++) {
        const int from = k & ~1;
        row_add3(M + 6 * k + from, T[k], T[6 + k], T[12 + k], X + from, 6, 6 - from);
    }
}

// H += Jaᵀ T of two pieces; place: of their blocks
FN void add_blocks(const tx_problem *p, int dim, const tx_piece *a, const tx_piece *b, const num *T, num *H,
                   tx_sparse_place place) {
    const num *Ja = (const num *)p->J + a->at;
    const int *first = p->factor->first, ia = a->dof - first[a->block], ib = b->dof - first[b->block];
    // rows are of the block that is eliminated later; a piece may be a part of its block
    const bool turned = place.transposed;
    const num *X = turned ? T : Ja, *Y = turned ? Ja : T;
    const int wx = turned ? b->width : a->width, wy = turned ? a->width : b->width, stride = place.stride;
    num *M = H + place.at + (size_t)(turned ? ib : ia) + (size_t)(turned ? ia : ib) * (size_t)stride;
    if (dim != 3) add_product(dim, wx, wy, X, Y, M, stride);
    else if (wx == 6 && wy == 6 && stride == 6) {
        if (a == b) add_square_six(Ja, T, M);
        else add_product(3, 6, 6, X, Y, M, 6);
    } else if (wx == 6 && wy == 3) add_product(3, 6, 3, X, Y, M, stride);
    else if (wx == 3 && wy == 6) add_product(3, 3, 6, X, Y, M, stride);
    else if (wx == 3 && wy == 3) add_product(3, 3, 3, X, Y, M, stride);
    else add_product(3, wx, wy, X, Y, M, stride);
}

// where the numbers of H for two blocks stand: contacts of two bodies follow each other and share them
typedef struct place_cache {
    int a, b;
    tx_sparse_place place;
} place_cache;

FN tx_sparse_place find_place(const tx_sparse *s, int a, int b, place_cache *cache) {
    if (cache->a != a || cache->b != b) *cache = (place_cache){a, b, tx_sparse_find(s, a, b)};
    return cache->place;
}

// T = G J of three rows where G is diagonal
FN void scale_rows(int width, const num *G, const num *J, num *T) {
    for (int r = 0; r < 3; r++) row_scale(T + r * width, G[4 * r], J + r * width, width);
}

// T = G J of three rows; straight: G is diagonal
FN void weigh_three(int width, bool straight, const num *G, const num *J, num *T) {
    if (straight) scale_rows(width, G, J, T);
    else weigh_piece(3, width, G, J, T);
}

// H += Jᵀ G J of one constraint; the panels it changes become stale
FN void sparse_add(const tx_problem *p, const tx_constraint *c, const num *G, num *H, place_cache cache[3]) {
    const tx_sparse *s = &p->factor->pattern;
    const int dim = c->dim;
    // no row pushes another: all edges of a pyramid push, or a cone sticks
    const bool straight = dim == 3 && G[1] == 0 && G[2] == 0 && G[5] == 0;
    num T[6 * TX_BLOCK_WIDTH];
    for (int kb = c->piece; kb < c->piece + c->pieces; kb++) {
        const tx_piece *b = &p->pieces[kb];
        const num *Jb = (const num *)p->J + b->at;
        if (dim == 3 && b->width == 6) weigh_three(6, straight, G, Jb, T);
        else if (dim == 3) weigh_three(b->width, straight, G, Jb, T);
        else weigh_piece(dim, b->width, G, Jb, T);
        p->factor->stale[s->panel_of[s->column[b->block]]] = 1;
        for (int ka = kb; ka < c->piece + c->pieces; ka++) {
            const tx_piece *a = &p->pieces[ka];
            if (!p->coupled && !same_tree(p, a, b)) continue;
            // of two pieces: a with itself, b with itself, one with the other
            place_cache *near = &cache[ka == kb ? kb == c->piece : 2];
            add_blocks(p, dim, a, b, T, H, find_place(s, a->block, b->block, near));
        }
    }
}

// G of a constraint into G, its change into `change`; false: there is none
FN bool take_change(int count, const num *now, num *G, num *change) {
    bool changed = false;
    for (int k = 0; k < count; k++) {
        change[k] = now[k] - G[k];
        changed |= change[k] != 0;
        G[k] = now[k];
    }
    return changed;
}

// Friction that the last direction would have stopped or turned round gets, along itself, the curvature with which it
// would vanish where the slip does: the true one is next to none, and the next direction would again go too far.
// `step`: how much of the last direction was taken. docs/newton.md
FN void add_secant(const tx_problem *p, const tx_constraint *c, const num *n, num step, num *G) {
    const num *y = (const num *)p->y + c->row, *s = (const num *)p->Jsearch + c->row,
              *f = (const num *)p->gamma + c->row;
    num u[6], ahead = 0, square = 0, push = 0, present = 0;
    for (int k = 1; k < c->dim; k++) {
        u[k] = y[k] - n[N_A + k];
        const num before = u[k] - step * s[k];
        ahead += before * (before + s[k]), square += before * before;
        push -= f[k] * u[k];
    }
    if (ahead >= R(0.5) * square) return;
    for (int j = 1; j < c->dim; j++)
        for (int k = 1; k < c->dim; k++) present += u[j] * G[j * c->dim + k] * u[k];
    const num lack = push - present;
    if (!(lack > R(1e-3) * push)) return;
    const num scale = lack / (push * push);
    for (int j = 1; j < c->dim; j++)
        for (int k = 1; k < c->dim; k++) G[j * c->dim + k] += scale * f[j] * f[k];
}

// kernels whose friction has a direction
FN bool has_secant(const tx_constraint *c) {
    return c->dim > 1 && (c->kernel == KERNEL_cone || c->kernel == KERNEL_similar || c->kernel == KERNEL_lagged);
}

// A of a tree of one block, by rows from the diagonal back: the lower triangle of a block of H
FN void copy_triangle(int width, const num *A, num *H) {
    UNROLL_CONSTANT
    for (int k = 0; k < width; k++) {
        UNROLL_CONSTANT
        for (int s = 0; s <= k; s++) H[k + (k - s) * width] = A[k * (k + 1) / 2 + s];
    }
}

// A of the trees in [begin, end)
FN void copy_trees(const tx_problem *p, int begin, int end, num *H) {
    const tx_sparse *s = &p->factor->pattern;
    for (int start = begin, stop; start < end; start = stop) {
        stop = p->tree.stop[start];
        const int block = p->dof_block[start], width = p->blocks[block].width, last = stop - 1;
        const num *A = (const num *)p->A;
        const int from = p->tree.first[start], to = p->tree.first[last] + p->tree.count[last];
        num *own = H + s->h_at[s->h_start[s->column[block]]];
        if (stop - start > width)
            for (int k = from; k < to; k++) H[p->factor->A_at[k]] = A[k];
        else if (width == 6) copy_triangle(6, A + from, own);
        else copy_triangle(width, A + from, own);
    }
}

// H at y: A and all constraints at first, later only what has changed; step: of the last line search
STAGE void sparse_assemble(const tx_problem *p, bool anew, num step) {
    const bool cautious = step < R(0.7);
    const sparse_span span = span_of(p);
    num *H = (num *)p->factor->H, *all_G = (num *)p->G;
    if (anew) {
        memset(H + span.begin, 0, (span.end - span.begin) * sizeof *H);
        for (int r = 0; r < p->nranges; r++) copy_trees(p, p->ranges[r].begin, p->ranges[r].end, H);
    }
    place_cache cache[3] = {{.a = -1}, {.a = -1}, {.a = -1}};
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        const int count = c->dim * c->dim;
        num now[36], change[36], *G = all_G + 6 * (size_t)c->row;
        bool acts = constraint_hessian(p, p->list[v], now);
        if (cautious && acts && has_secant(c)) add_secant(p, c, numbers_of(p, p->list[v]), step, now);
        if (anew) {
            memcpy(G, now, (size_t)count * sizeof *G);
            if (acts) sparse_add(p, c, now, H, cache);
        } else if (count == 9 ? take_change(9, now, G, change) : take_change(count, now, G, change))
            sparse_add(p, c, change, H, cache);
    }
}

// the factor of H, all of it or what is stale; false: not positive definite
STAGE bool sparse_update(const tx_problem *p, bool anew) {
    const tx_factor *f = p->factor;
    const sparse_span span = span_of(p);
    num *L = (num *)f->L, *inv = (num *)f->inv;
    const num *H = (const num *)f->H;
    int done;
    if (!anew) return sparse_refactor(&f->pattern, H, L, inv, span.from, span.to, f->stale, &done, f->work) < 0;
    for (int k = span.from; k < span.to; k++) f->stale[k] = 0;
    return sparse_factor(&f->pattern, H, L, inv, span.from, span.to, f->work) < 0;
}

STAGE void sparse_apply(const tx_problem *p, num *x) {
    const tx_factor *f = p->factor;
    const sparse_span span = span_of(p);
    sparse_solve(&f->pattern, (const num *)f->L, (const num *)f->inv, f->first, x, span.from, span.to);
}
#endif
