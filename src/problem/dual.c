// dual.c - memory of dual solvers, and the dofs on which B of each constraint lives.
#include "problem/dual.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "problem/colours.h"

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

static size_t lay_out(tx_dual *d, size_t unit, char *memory) {
    const size_t dofs = d->room.dofs, cons = d->room.cons, rows = d->room.rows, numbers = d->room.numbers,
                 packed = d->room.packed;
    size_t at = 0;
    d->first = take(&at, memory, (cons + 1) * sizeof *d->first);
    d->spans = take(&at, memory, d->room.spans * sizeof *d->spans);
    d->mark = take(&at, memory, dofs * sizeof *d->mark);
    d->quick = take(&at, memory, cons * sizeof *d->quick);
    d->pack_start = take(&at, memory, (dofs + 2) * sizeof *d->pack_start);
    d->loose = take(&at, memory, cons * sizeof *d->loose);
    d->loose_start = take(&at, memory, (dofs + 2) * sizeof *d->loose_start);
    d->order = take(&at, memory, ((TX_WAVE + 1) * cons + 1) * sizeof *d->order);
    d->turns = take(&at, memory, TX_WAVE * cons * sizeof *d->turns);
    d->turn_start = take(&at, memory, (dofs + 2) * sizeof *d->turn_start);
    d->packs = take(&at, memory, cons * sizeof *d->packs);
    d->pairs = take(&at, memory, cons * sizeof *d->pairs);
    d->body = take(&at, memory, dofs * sizeof *d->body);
    d->split_of = take(&at, memory, (dofs + 1) * sizeof *d->split_of);
#define X(name, count, meaning) d->name = take(&at, memory, unit * (size_t)(count));
    TX_DUAL_NUMBERS(X)
#undef X
    return at;
}

static bool fits(const tx_dual_room *need, const tx_dual_room *room) {
    return need->dofs <= room->dofs && need->cons <= room->cons && need->rows <= room->rows &&
           need->spans <= room->spans && need->numbers <= room->numbers && need->packed <= room->packed;
}

static size_t grown(size_t have, size_t need) {
    return need <= have ? have : need > have + have / 2 ? need : have + have / 2;
}

bool tx_dual_grow(tx_dual *d, const tx_problem *p) {
    tx_dual next = {.need = d->need};
    next.room = (tx_dual_room){d->need.dofs,
                               grown(d->room.cons, d->need.cons),
                               grown(d->room.rows, d->need.rows),
                               grown(d->room.spans, d->need.spans),
                               grown(d->room.numbers, d->need.numbers),
                               grown(d->room.packed, d->need.packed)};
    const size_t unit = (size_t)p->lanes * (size_t)p->number_size;
    // places in B and in packs are ints
    if (next.room.numbers >= INT_MAX || next.room.packed >= INT_MAX) return false;
    next.memory = tx_alloc(lay_out(&next, unit, NULL));
    if (!next.memory) return false;
    lay_out(&next, unit, next.memory);
    tx_free(d->memory);
    *d = next;
    return true;
}

void tx_dual_destroy(tx_dual *d) {
    tx_free(d->memory);
    *d = (tx_dual){0};
}

// a span while there is room; places count on without
static void add_span(tx_dual *d, int dim, int dof, int width) {
    if (d->need.spans < d->room.spans)
        d->spans[d->need.spans] = (tx_span){dof, width, d->need.numbers < INT_MAX ? (int)d->need.numbers : 0};
    d->need.spans++;
    d->need.numbers += (size_t)dim * (size_t)width;
}

// whether all that the pieces hang from is in them too; a piece is a stretch of a chain
static bool pieces_are_closed(const tx_problem *p, const tx_constraint *c) {
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const int up = p->tree.parent[p->pieces[k].dof];
        bool inside = up < 0;
        for (int j = c->piece; j < k && !inside; j++)
            inside = up >= p->pieces[j].dof && up < p->pieces[j].dof + p->pieces[j].width;
        if (!inside) return false;
    }
    return true;
}

// the dofs of the pieces and all above them, ascending
static void close_upwards(tx_dual *d, const tx_problem *p, const tx_constraint *c, int stamp) {
    int low = INT_MAX, high = -1;
    for (int k = c->piece; k < c->piece + c->pieces; k++)
        for (int i = 0; i < p->pieces[k].width; i++)
            for (int dof = p->pieces[k].dof + i; dof >= 0 && d->mark[dof] != stamp; dof = p->tree.parent[dof]) {
                d->mark[dof] = stamp;
                if (dof < low) low = dof;
                if (dof > high) high = dof;
            }
    for (int dof = low; dof <= high; dof++) {
        if (d->mark[dof] != stamp) continue;
        int end = dof + 1;
        while (end <= high && d->mark[end] == stamp) end++;
        add_span(d, c->dim, dof, end - dof);
        dof = end;
    }
}

bool tx_dual_find(tx_dual *d, tx_problem *p, const struct tx_islands *islands, int parts) {
    d->need = (tx_dual_room){(size_t)p->nv, (size_t)p->ncons, (size_t)p->nrows, 0, 0, 0};
    d->coloured = d->nsplits = 0;
    const bool listed = d->need.cons <= d->room.cons && d->need.dofs <= d->room.dofs && d->memory;
    // without marks there is no closure: more than there can be
    for (int i = 0; i < p->ncons && !p->W; i++) {
        const tx_constraint *c = &p->cons[i];
        if (listed) d->first[i] = (int)d->need.spans;
        if (pieces_are_closed(p, c))
            for (int k = c->piece; k < c->piece + c->pieces; k++)
                add_span(d, c->dim, p->pieces[k].dof, p->pieces[k].width);
        else if (listed) close_upwards(d, p, c, i + 1);
        else
            for (int k = c->piece; k < c->piece + c->pieces; k++) {
                const int last = p->pieces[k].dof + p->pieces[k].width - 1;
                d->need.spans += (size_t)p->tree.count[last];
                d->need.numbers += (size_t)c->dim * (size_t)p->tree.count[last];
            }
    }
    if (!listed || !fits(&d->need, &d->room)) return false;
    d->first[p->ncons] = (int)d->need.spans;
    memset(d->mark, 0, d->room.dofs * sizeof *d->mark);
    if (islands && !p->W && !tx_colours_find(d, p, islands, parts)) return false;
    p->dual = d;
    return true;
}
