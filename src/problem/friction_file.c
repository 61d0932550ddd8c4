// friction_file.c - one-step friction problems as contact-solver collections have them: u = W r + q, μ, and nothing of
// the bodies (docs/problem.md).
//
// int32 contacts, blocks, has_solution; int32 start[contacts + 1], col[blocks]; float64 W[blocks][3][3], q[3 contacts],
// mu[contacts], and the solution [3 contacts] where there is one. Little-endian, without a mark: the size must match.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "problem/file.h"
#include "problem/kernel_list.h"

typedef struct counts {
    int32_t contacts, blocks, solved;
} counts;

static size_t file_size(const counts *n) {
    const size_t contacts = (size_t)n->contacts, blocks = (size_t)n->blocks;
    return sizeof *n + 4 * (contacts + 1 + blocks) + 8 * (9 * blocks + 4 * contacts + (n->solved ? 3 * contacts : 0));
}

bool tx_friction_looks_like(const void *bytes, size_t size) {
    counts n;
    if (size < sizeof n) return false;
    memcpy(&n, bytes, sizeof n);
    return n.contacts > 0 && n.contacts < 1 << 24 && n.blocks >= n.contacts && n.blocks < 1 << 26 &&
           (n.solved == 0 || n.solved == 1) && file_size(&n) == size;
}

// rows ascend, columns exist, and every contact has a block with itself that moves
static const char *check_blocks(const tx_delassus *W, int contacts, int blocks) {
    if (W->start[0] != 0 || W->start[contacts] != blocks) return "its rows of blocks do not cover all blocks";
    for (int i = 0; i < contacts; i++) {
        W->own[i] = -1;
        if (W->start[i] > W->start[i + 1] || W->start[i + 1] > blocks) return "its rows of blocks do not ascend";
        for (int k = W->start[i]; k < W->start[i + 1]; k++) {
            if (W->col[k] < 0 || W->col[k] >= contacts) return "a block has no column";
            if (W->col[k] == i) W->own[i] = k;
        }
        if (W->own[i] < 0) return "a contact has no block with itself";
        const double *own = W->block + 9 * (size_t)W->own[i];
        if (!(own[0] > 0 && own[4] > 0 && own[8] > 0)) return "a contact has a diagonal that is not positive";
    }
    for (size_t k = 0; k < 9 * (size_t)blocks; k++)
        if (!(fabs(W->block[k]) <= 1e100)) return "a number of W is not finite or too large";
    return NULL;
}

static void fill(tx_bare *b, const double *q, const double *mu) {
    tx_problem *p = &b->problem;
    for (int i = 0; i < p->ncons; i++) {
        double *n = (double *)p->numbers + TX_KERNEL_NUMBERS * (size_t)i;
        const double *own = b->W.block + 9 * (size_t)b->W.own[i];
        p->cons[i] = (tx_constraint){.kernel = KERNEL_coulomb, .dim = 3, .id = i};
        n[TX_NUMBER_D] = 3 / (own[0] + own[4] + own[8]);
        n[TX_NUMBER_REST] = 1;
        n[TX_NUMBER_MU] = n[TX_NUMBER_MU + 1] = mu[i];
        memcpy((double *)p->y_free + 3 * (size_t)i, q + 3 * (size_t)i, 3 * sizeof *q);
    }
    p->unit = TX_UNIT_VELOCITY, p->y_floor = 0;
    p->opt.tolerance = 1e-6, p->opt.iterations = 100000, p->opt.warmstart = false;
    strcpy(b->law, "hard");
}

const char *tx_friction_read(tx_bare *b, const void *bytes, size_t size) {
    counts n;
    memcpy(&n, bytes, sizeof n);
    const tx_bare_size sizes = {.cons = n.contacts, .rows = 3 * n.contacts};
    if (!tx_bare_create(b, &sizes)) return "there is not enough memory for it";
    // integers first; the numbers behind them may begin anywhere
    const size_t contacts = (size_t)n.contacts, blocks = (size_t)n.blocks, ints = 4 * (contacts + 1 + blocks);
    const size_t numbers = size - sizeof n - ints, before = (ints + 4 * contacts + 7) & ~(size_t)7;
    char *memory = tx_alloc(before + numbers);
    if (!memory) return "there is not enough memory for it";
    memcpy(memory, (const char *)bytes + sizeof n, ints);
    memcpy(memory + before, (const char *)bytes + sizeof n + ints, numbers);
    int *start = (int *)memory;
    const double *block = (const double *)(memory + before), *q = block + 9 * blocks, *mu = q + 3 * contacts;
    b->W = (tx_delassus){start, start + contacts + 1, block, start + contacts + 1 + blocks};
    b->problem.W = &b->W;
    const char *why = check_blocks(&b->W, n.contacts, n.blocks);
    if (why) return why;
    fill(b, q, mu);
    for (size_t k = 0; k < 3 * contacts; k++)
        if (!(fabs(q[k]) <= 1e100)) return "a number of q is not finite or too large";
    if (!tx_bare_link(b, &why)) return why;
    tx_bare_check(b, &why);
    return why;
}
