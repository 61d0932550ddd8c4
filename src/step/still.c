// still.c - see still.h.
#include "step/still.h"

enum { LISTS = 2 };

static size_t list_room(const tx_model *m) { return (size_t)m->nbody + 1; }

size_t tx_still_lay_out(tx_block *b, char *memory) {
    b->still.ranges = (tx_range *)memory;
    return LISTS * list_room(b->m) * sizeof(tx_range);
}

static bool moves(const tx_model *m, int body) {
    return m->body_lastdof[body] >= 0 || m->body_mocap[m->body_weld[body]] >= 0;
}

static void append(tx_ranges *to, tx_range *list, int body) {
    if (to->count > 0 && list[to->count - 1].end == body) list[to->count - 1].end++;
    else list[to->count++] = (tx_range){body, body + 1};
}

// Part of what stands still is in memory that a batch lends to the block at work; large models have lists of their own:
// those of parts, of flocks and of what sleeps.
static bool keeps_lists(const tx_block *b) { return b->lent && !b->large; }

void tx_still_placed(tx_block *b) {
    const tx_model *m = b->m;
    if (b->still.placed) return;
    b->still.placed = true;
    if (!keeps_lists(b)) return;
    b->still.idle = m->nv == 0 && m->nactuator == 0 && m->ntendon == 0 && m->neq == 0;
    tx_range *trees = b->still.ranges, *movers = trees + list_room(m);
    b->live.trees = (tx_ranges){.range = trees}, b->live.movers = (tx_ranges){.range = movers};
    for (int i = 1, end; i < m->nbody; i = end) {
        bool any = false;
        for (end = i; end < m->nbody && m->body_root[end] == i; end++) any |= moves(m, end);
        for (int k = i; k < end; k++) {
            if (any) append(&b->live.trees, trees, k);
            if (moves(m, k)) append(&b->live.movers, movers, k);
        }
    }
}

void tx_still_forget(tx_block *b) {
    b->still.placed = b->still.idle = false;
    b->live.trees = b->live.movers = b->live.bodies;
}
