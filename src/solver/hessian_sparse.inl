// hessian_sparse.inl - H = A + Jᵀ G J of one island of a large problem, by blocks; its factor and H⁻¹ b.
// docs/newton.md. lanes: 1
#pragma once
#include "solver/edges.inl"
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

// where the numbers of H for two pieces begin: rows of the second one, or (turned) of the first, whose block is then
// eliminated later; null: they are not coupled
typedef struct pair_place {
    num *at;
    int stride;
    bool turned;
} pair_place;

FN pair_place find_place(const tx_problem *p, const tx_piece *a, const tx_piece *b, num *H) {
    if (!p->coupled && !same_tree(p, a, b)) return (pair_place){NULL, 0, false};
    const tx_sparse_place block = tx_sparse_find(&p->factor->pattern, a->block, b->block);
    // a piece may be a part of its block
    const int *first = p->factor->first, ia = a->dof - first[a->block], ib = b->dof - first[b->block];
    const int row = block.transposed ? ib : ia, column = block.transposed ? ia : ib;
    return (pair_place){H + block.at + (size_t)row + (size_t)column * (size_t)block.stride, block.stride,
                        block.transposed};
}

// the panel of a piece has to be factorised again
FN void mark_stale(const tx_problem *p, const tx_piece *piece) {
    const tx_sparse *s = &p->factor->pattern;
    p->factor->stale[s->panel_of[s->column[piece->block]]] = 1;
}

// the places of all pairs of a constraint's pieces, in the order of sparse_add(): contacts of the same two bodies
// follow each other and share them
enum { KEPT_PIECES = 4 };
typedef struct kept_places {
    int pieces;           // 0: none are kept
    int dof[KEPT_PIECES]; // the first one of each piece, which says its block and its place in it
    pair_place pair[KEPT_PIECES * (KEPT_PIECES + 1) / 2];
} kept_places;

FN bool are_kept(const kept_places *kept, const tx_piece *pieces, int count) {
    if (kept->pieces != count) return false;
    for (int k = 0; k < count; k++)
        if (kept->dof[k] != pieces[k].dof) return false;
    return true;
}

// false: there are too many of them
FN bool keep_places(const tx_problem *p, const tx_piece *pieces, int count, num *H, kept_places *kept) {
    if (are_kept(kept, pieces, count)) return true;
    if (count > KEPT_PIECES) return false;
    kept->pieces = count;
    for (int b = 0, at = 0; b < count; b++) {
        kept->dof[b] = pieces[b].dof;
        mark_stale(p, &pieces[b]);
        for (int a = b; a < count; a++, at++) kept->pair[at] = find_place(p, &pieces[a], &pieces[b], H);
    }
    return true;
}

// H += Jaᵀ T of two pieces that are wa and wb wide; same: they are one
FN void add_blocks(int dim, int wa, int wb, bool same, const num *Ja, const num *T, const pair_place *place) {
    if (!place->at) return;
    const bool turned = place->turned;
    const num *X = turned ? T : Ja, *Y = turned ? Ja : T;
    const int wx = turned ? wb : wa, wy = turned ? wa : wb, stride = place->stride;
    num *M = place->at;
    if (dim != 3) add_product(dim, wx, wy, X, Y, M, stride);
    else if (wx == 6 && wy == 6 && stride == 6) {
        if (same) add_square_six(Ja, T, M);
        else add_product(3, 6, 6, X, Y, M, 6);
    } else if (wx == 6 && wy == 3) add_product(3, 6, 3, X, Y, M, stride);
    else if (wx == 3 && wy == 6) add_product(3, 3, 6, X, Y, M, stride);
    else if (wx == 3 && wy == 3) add_product(3, 3, 3, X, Y, M, stride);
    else add_product(3, wx, wy, X, Y, M, stride);
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
FN void sparse_add(const tx_problem *p, const tx_constraint *c, const num *G, num *H, kept_places *kept) {
    const tx_piece *pieces = p->pieces + c->piece;
    const num *J = (const num *)p->J;
    const int dim = c->dim, count = c->pieces;
    // no row pushes another: all edges of a pyramid push, or a cone sticks
    const bool straight = dim == 3 && G[1] == 0 && G[2] == 0 && G[5] == 0;
    const bool known = keep_places(p, pieces, count, H, kept);
    const pair_place *place = kept->pair;
    num T[6 * TX_BLOCK_WIDTH];
    for (int kb = 0; kb < count; kb++) {
        const tx_piece *b = &pieces[kb];
        const num *Jb = J + b->at;
        if (dim == 3 && b->width == 6) weigh_three(6, straight, G, Jb, T);
        else if (dim == 3) weigh_three(b->width, straight, G, Jb, T);
        else weigh_piece(dim, b->width, G, Jb, T);
        if (!known) mark_stale(p, b);
        for (int ka = kb; ka < count; ka++) {
            const tx_piece *a = &pieces[ka];
            pair_place found;
            if (known) found = *place++;
            else found = find_place(p, a, b, H);
            add_blocks(dim, a->width, b->width, ka == kb, J + a->at, T, &found);
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

// whether all of a change is below a hundredth of the diagonal before and after it: there is a better use of the time
FN bool is_small(int dim, const num *now, const num *G) {
    for (int j = 0; j < dim; j++)
        for (int k = j; k < dim; k++) {
            const int jj = j * dim + j, kk = k * dim + k;
            const num before = G[jj] * G[kk], after = now[jj] * now[kk], change = now[j * dim + k] - G[j * dim + k];
            if (change * change > R(1e-4) * (before < after ? before : after)) return false;
        }
    return true;
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
    const size_t *A_at = p->factor->A_at;
    for (int start = begin, stop; start < end; start = stop) {
        stop = p->tree.stop[start];
        const int block = p->dof_block[start], width = p->blocks[block].width, last = stop - 1;
        const num *A = (const num *)p->A;
        const int from = p->tree.first[start], to = p->tree.first[last] + p->tree.count[last];
        num *own = H + s->h_at[s->h_start[s->column[block]]];
        if (stop - start > width)
            for (int k = from; k < to; k++) H[A_at[k]] = A[k];
        else if (width == 6) copy_triangle(6, A + from, own);
        else copy_triangle(width, A + from, own);
    }
}

// H += w x yᵀ, x and y a part of j in two pieces; same: they are one
FN void add_rank_one(int wx, int wy, bool same, num w, const num *x, const num *y, num *M, int stride) {
    UNROLL_CONSTANT
    for (int k = 0; k < wy; k++) {
        const int from = same ? k & ~1 : 0;
        row_add(M + (size_t)k * (size_t)stride + from, w * y[k], x + from, wx - from);
    }
}

// edges of a pyramid that begin or cease to push: a square more or less each. false: there are too many pieces
FN bool add_edges(const tx_problem *p, const tx_constraint *c, const num *n, int flips, num *H, kept_places *kept) {
    const tx_piece *pieces = p->pieces + c->piece;
    if (!keep_places(p, pieces, c->pieces, H, kept)) return false;
    num j[KEPT_PIECES][TX_BLOCK_WIDTH];
    for (int e = 0; e < 4; e++) {
        if (!(flips >> e & 1)) continue;
        int row;
        const num slant = edge_slant(n, e, &row), w = c->pushing >> e & 1 ? n[N_D] : -n[N_D];
        for (int k = 0; k < c->pieces; k++) {
            const int width = pieces[k].width;
            const num *J = (const num *)p->J + pieces[k].at;
            if (width == 6) row_combine(j[k], J, slant, J + 6 * row, 6);
            else row_combine(j[k], J, slant, J + width * row, width);
        }
        const pair_place *place = kept->pair;
        for (int b = 0; b < c->pieces; b++)
            for (int a = b; a < c->pieces; a++, place++) {
                if (!place->at) continue;
                const tx_piece *later = &pieces[place->turned ? b : a], *earlier = &pieces[place->turned ? a : b];
                const num *x = j[later - pieces], *y = j[earlier - pieces];
                const bool six = later->width == 6 && earlier->width == 6;
                if (six && a == b) add_rank_one(6, 6, true, w, x, x, place->at, place->stride);
                else if (six) add_rank_one(6, 6, false, w, x, y, place->at, place->stride);
                else add_rank_one(later->width, earlier->width, false, w, x, y, place->at, place->stride);
            }
    }
    return true;
}

// the part of a pyramid of three rows in H, or how it has changed. Its G is not kept: the edges say it
FN void assemble_edges(const tx_problem *p, int i, bool anew, num *H, kept_places *kept) {
    tx_constraint *c = &p->cons[i];
    const num *n = numbers_of(p, i);
    const int before = anew ? 0 : c->in_H, flips = c->pushing ^ before, but_one = flips & (flips - 1);
    c->in_H = c->pushing;
    if (!flips) return;
    const bool few = (but_one & (but_one - 1)) == 0; // at most two
    if (few && add_edges(p, c, n, flips, H, kept)) return;
    num change[9], old[9];
    pyramid_hessian_of_three(n, c->pushing, change);
    if (before) {
        pyramid_hessian_of_three(n, before, old);
        for (int k = 0; k < 9; k++) change[k] -= old[k];
    }
    sparse_add(p, c, change, H, kept);
}

// the part of any other constraint in H, or how it has changed
FN void assemble_constraint(const tx_problem *p, int i, bool anew, arrival came, num *H, kept_places *kept) {
    const bool velocity = p->unit == TX_UNIT_VELOCITY, cautious = came.step < R(0.7) && !velocity,
               loose = came.loose && velocity;
    const tx_constraint *c = &p->cons[i];
    const int count = c->dim * c->dim;
    num now[36], change[36], *G = kept_hessian(p, c);
    const bool acts = constraint_hessian(p, i, came, now);
    if (cautious && acts && has_slip_direction(c))
        add_secant(c->dim, numbers_of(p, i), (const num *)p->y + c->row, (const num *)p->Jsearch + c->row,
                   (const num *)p->gamma + c->row, came.step, now);
    if (anew) {
        memcpy(G, now, (size_t)count * sizeof *G);
        if (acts) sparse_add(p, c, now, H, kept);
    } else if (!(loose && is_small(c->dim, now, G)) && take_change(count, now, G, change))
        sparse_add(p, c, change, H, kept);
}

// the constraints among those of list[from, to) whose part of H may have changed, without a branch for each
enum { LOOKED_AT = 64 };
FN int find_changed(const tx_problem *p, int from, int to, bool anew, int *changed) {
    const tx_constraint *cons = p->cons;
    const int *list = p->list;
    int count = 0;
    for (int v = from; v < to; v++) {
        const tx_constraint *c = &cons[list[v]];
        changed[count] = list[v];
        count += anew | !((c->kernel == KERNEL_pyramid) & (c->dim == 3) & (c->pushing == c->in_H));
    }
    return count;
}

// G of those that go side by side, and which of them H lacks something of
FN void round_hessians(const tx_problem *p, const int *changed, int count, bool anew, arrival came, uint8_t *lacks) {
    const bool loose = came.loose && p->unit == TX_UNIT_VELOCITY;
    for (int from = 0, to; from < count; from = to) {
        const tx_constraint *first = &p->cons[changed[from]];
        for (to = from + 1; to < count; to++) {
            const tx_constraint *c = &p->cons[changed[to]];
            if (c->kernel != first->kernel || c->dim != first->dim) break;
        }
        if (goes_abreast(first))
            hands_of(p)->hessians(p, changed + from, to - from, came.step, came.first, anew, loose, lacks + from);
    }
}

// H at y: A and all constraints at first, later only what has changed
STAGE void sparse_assemble(const tx_problem *p, bool anew, arrival came) {
    const sparse_span span = span_of(p);
    num *H = (num *)p->factor->H;
    if (anew) {
        memset(H + span.begin, 0, (span.end - span.begin) * sizeof *H);
        for (int r = 0; r < p->nranges; r++) copy_trees(p, p->ranges[r].begin, p->ranges[r].end, H);
    }
    kept_places kept = {.pieces = 0};
    for (int from = 0; from < p->listed; from += LOOKED_AT) {
        const int to = p->listed - from < LOOKED_AT ? p->listed : from + LOOKED_AT;
        int changed[LOOKED_AT];
        const int count = find_changed(p, from, to, anew, changed);
        uint8_t lacks[LOOKED_AT];
        round_hessians(p, changed, count, anew, came, lacks);
        for (int k = 0; k < count; k++) {
            const tx_constraint *c = &p->cons[changed[k]];
            if (!goes_abreast(c)) {
                if (has_edges(c)) assemble_edges(p, changed[k], anew, H, &kept);
                else assemble_constraint(p, changed[k], anew, came, H, &kept);
            } else if (lacks[k]) sparse_add(p, c, kept_hessian(p, c) + 9, H, &kept);
        }
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
