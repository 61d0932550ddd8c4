// islands.c - union and find over trees that constraints join; block pairs of the Hessian; memory of its factor.
#include "problem/islands.h"

#include <string.h>

#include "base/memory.h"

// ---- memory -------------------------------------------------------------------------------------------------------

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

static size_t lay_out_fixed(tx_islands *s, char *memory) {
    const size_t trees = (size_t)s->ntrees, blocks = (size_t)s->nblocks;
    size_t at = 0;
    s->tree_dofs = take(&at, memory, trees * sizeof *s->tree_dofs);
    s->width = take(&at, memory, blocks * sizeof(int));
    s->first = take(&at, memory, blocks * sizeof(int));
    s->group = take(&at, memory, blocks * sizeof(int));
    s->tree_pair = take(&at, memory, 2 * s->tree_pairs * sizeof(int));
    s->con_start = take(&at, memory, (trees + 1) * sizeof(int));
    s->range_start = take(&at, memory, (trees + 1) * sizeof(int));
    s->ranges = take(&at, memory, trees * sizeof *s->ranges);
    s->result = take(&at, memory, TX_ISLAND_RESULTS * trees * sizeof(double));
    s->unsolved = take(&at, memory, trees);
    s->coupled = take(&at, memory, trees);
    s->products = take(&at, memory, trees * sizeof *s->products);
    s->parent = take(&at, memory, trees * sizeof(int));
    s->island_of_tree = take(&at, memory, trees * sizeof(int));
    s->next = take(&at, memory, (trees + 1) * sizeof(int));
    return at;
}

static size_t lay_out_grown(tx_islands *s, const tx_problem *p, char *memory) {
    const size_t number = (size_t)p->number_size, blocks = (size_t)s->nblocks, nv = (size_t)p->nv;
    tx_factor *f = &s->factor;
    size_t at = 0, entries = nv ? (size_t)p->tree.first[p->nv - 1] + (size_t)p->tree.count[p->nv - 1] : 0;
    s->cons = take(&at, memory, s->room.cons * sizeof(int));
    s->seen_con = take(&at, memory, s->room.cons * sizeof(int));
    s->seen_piece = take(&at, memory, s->room.pieces * sizeof(int));
    s->pair = take(&at, memory, 2 * s->room.pairs * sizeof(int));
    f->H = take(&at, memory, s->room.h_numbers * number);
    f->L = take(&at, memory, s->room.l_numbers * number);
    f->inv = take(&at, memory, nv * number);
    f->A_at = take(&at, memory, entries * sizeof(size_t));
    f->work = take(&at, memory, blocks * sizeof(int));
    f->stale = take(&at, memory, blocks * sizeof(int));
    char *pattern = take(&at, memory, s->room.pattern), *scratch = take(&at, memory, s->room.scratch);
    if (memory) {
        s->pattern_memory = (tx_arena){pattern, pattern + s->room.pattern};
        s->scratch = (tx_arena){scratch, scratch + s->room.scratch};
    }
    return at;
}

static bool allocate(tx_islands *s, const tx_problem *p) {
    tx_islands measured = *s; // the pointers of s stay as they are until there is memory
    void *memory = tx_alloc(lay_out_grown(&measured, p, NULL));
    if (!memory) return false;
    tx_free(s->grown);
    s->grown = memory;
    lay_out_grown(s, p, memory);
    // what stood in the old memory is lost
    s->factor.pattern = (tx_sparse){0};
    s->factor.first = s->first;
    s->seen_cons = -1;
    return true;
}

// blocks above a block
static size_t depth_of(const tx_problem *p, int block) {
    size_t depth = 0;
    for (int up = p->blocks[block].parent; up >= 0; up = p->blocks[up].parent) depth++;
    return depth;
}

bool tx_islands_create(tx_islands *s, const tx_problem *p, int contacts) {
    *s = (tx_islands){.nblocks = p->nblocks};
    for (int i = 0; i < p->nblocks; i++) {
        s->tree_pairs += depth_of(p, i);
        if (p->blocks[i].tree >= s->ntrees) s->ntrees = p->blocks[i].tree + 1;
    }
    s->memory = tx_alloc(lay_out_fixed(s, NULL));
    if (!s->memory) return false;
    lay_out_fixed(s, s->memory);
    size_t pair = 0;
    for (int t = 0; t < s->ntrees; t++) s->tree_dofs[t].begin = -1;
    for (int i = 0; i < p->nblocks; i++) {
        const tx_dof_block *b = &p->blocks[i];
        tx_range *dofs = &s->tree_dofs[b->tree];
        s->width[i] = b->width, s->first[i] = b->dof;
        if (dofs->begin < 0) dofs->begin = b->dof;
        dofs->end = b->dof + b->width;
        for (int up = b->parent; up >= 0; up = p->blocks[up].parent, pair++)
            s->tree_pair[2 * pair] = up, s->tree_pair[2 * pair + 1] = i;
    }
    // every contact in a pair of its own, every pair a block of the widest kind, as much again for fill
    const size_t blocks = (size_t)p->nblocks, pairs = s->tree_pairs + (size_t)contacts, block = 36;
    s->room =
        (tx_island_room){.cons = 4 * blocks + (size_t)contacts, .pairs = pairs, .pattern = 256 * (blocks + pairs)};
    s->room.pieces = 4 * s->room.cons;
    s->room.h_numbers = block * (blocks + pairs), s->room.l_numbers = 2 * s->room.h_numbers;
    s->room.scratch = tx_sparse_scratch(p->nblocks, pairs);
    s->need = s->room;
    return allocate(s, p);
}

void tx_islands_destroy(tx_islands *s) {
    tx_free(s->memory);
    tx_free(s->grown);
    *s = (tx_islands){0};
}

static size_t grown(size_t have, size_t need) {
    return need <= have ? have : need > have + have / 2 ? need : have + have / 2;
}

bool tx_islands_grow(tx_islands *s, const tx_problem *p) {
    const tx_island_room before = s->room;
    s->room = (tx_island_room){grown(before.cons, s->need.cons),          grown(before.pieces, s->need.pieces),
                               grown(before.pairs, s->need.pairs),        grown(before.pattern, s->need.pattern),
                               grown(before.scratch, s->need.scratch),    grown(before.h_numbers, s->need.h_numbers),
                               grown(before.l_numbers, s->need.l_numbers)};
    size_t scratch = tx_sparse_scratch(p->nblocks, s->room.pairs);
    if (scratch > s->room.scratch) s->room.scratch = scratch;
    if (allocate(s, p)) return true;
    s->room = before;
    return false;
}

// ---- islands ------------------------------------------------------------------------------------------------------

static int root_of(int *parent, int tree) {
    while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
    return tree;
}

// the lower root wins, so that an island's root is its lowest tree
static void join(int *parent, int a, int b) {
    a = root_of(parent, a), b = root_of(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

static int tree_of(const tx_problem *p, const tx_constraint *c) { return p->blocks[p->pieces[c->piece].block].tree; }

// whether a constraint moves the same blocks as the one before it, as the contacts of two bodies do
static bool moves_the_same(const tx_problem *p, int i) {
    const tx_constraint *c = &p->cons[i];
    if (i == 0 || c->pieces != c[-1].pieces) return false;
    const tx_piece *own = p->pieces + c->piece, *before = p->pieces + c[-1].piece;
    for (int k = 0; k < c->pieces; k++)
        if (own[k].block != before[k].block) return false;
    return true;
}

// joins the trees of every constraint; island numbers ascend with their lowest tree, -1: no constraint moves it
static void join_trees(tx_islands *s, const tx_problem *p) {
    int *parent = s->parent, *of = s->island_of_tree;
    for (int t = 0; t < s->ntrees; t++) parent[t] = t, of[t] = -1;
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        if (c->pieces == 0 || moves_the_same(p, i)) continue;
        const int first = tree_of(p, c);
        for (int k = c->piece + 1; k < c->piece + c->pieces; k++) {
            int other = p->blocks[p->pieces[k].block].tree;
            if (other != first) join(parent, first, other);
        }
        // the lowest tree of an island, its root, is the first of some constraint: pieces ascend
        of[first] = 0;
    }
    s->count = 0;
    for (int t = 0; t < s->ntrees; t++) {
        int root = root_of(parent, t);
        if (root == t && of[t] == 0) of[t] = s->count++;
        else if (root != t) of[t] = of[root];
    }
}

// dof ranges, island after island: trees of one island that are neighbours have one
static void list_ranges(tx_islands *s) {
    int *next = s->next, *end = s->parent; // end: dof behind the last tree of each island; who joins whom is known
    memset(next, 0, ((size_t)s->count + 1) * sizeof *next);
    for (int k = 0; k < s->count; k++) end[k] = -1;
    for (int t = 0; t < s->ntrees; t++) {
        const int island = s->island_of_tree[t];
        if (island < 0) continue;
        next[island + 1] += end[island] != s->tree_dofs[t].begin;
        end[island] = s->tree_dofs[t].end;
    }
    for (int k = 0; k < s->count; k++) next[k + 1] += next[k], end[k] = -1;
    memcpy(s->range_start, next, ((size_t)s->count + 1) * sizeof *next);
    for (int t = 0; t < s->ntrees; t++) {
        const int island = s->island_of_tree[t];
        if (island < 0) continue;
        if (end[island] != s->tree_dofs[t].begin) s->ranges[next[island]++] = s->tree_dofs[t];
        else s->ranges[next[island] - 1].end = s->tree_dofs[t].end;
        end[island] = s->tree_dofs[t].end;
    }
}

// lists of constraints and of dof ranges, island after island
static void list_members(tx_islands *s, const tx_problem *p) {
    int *next = s->next;
    memset(next, 0, ((size_t)s->count + 1) * sizeof *next);
    for (int i = 0; i < p->ncons; i++)
        if (p->cons[i].pieces) next[s->island_of_tree[tree_of(p, &p->cons[i])] + 1]++;
    for (int k = 0; k < s->count; k++) next[k + 1] += next[k];
    memcpy(s->con_start, next, ((size_t)s->count + 1) * sizeof *next);
    for (int i = 0; i < p->ncons; i++)
        if (p->cons[i].pieces) s->cons[next[s->island_of_tree[tree_of(p, &p->cons[i])]]++] = i;

    list_ranges(s);
}

// ---- graph --------------------------------------------------------------------------------------------------------

static bool is_above(const tx_problem *p, int up, int block) {
    while (block > up) block = p->blocks[block].parent;
    return block == up;
}

// the island of a constraint; it has pieces
static int island_of(const tx_islands *s, const tx_problem *p, const tx_constraint *c) {
    return s->island_of_tree[tree_of(p, c)];
}

// pairs of blocks that constraints couple and A does not, without those of trees whose coupling is in no factor;
// returns how many pairs there are in all
static size_t list_pairs(tx_islands *s, const tx_problem *p) {
    size_t count = s->tree_pairs;
    int last[2] = {-1, -1};
    if (s->tree_pairs <= s->room.pairs) memcpy(s->pair, s->tree_pair, 2 * s->tree_pairs * sizeof(int));
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        if (c->pieces < 2 || moves_the_same(p, i)) continue;
        const bool coupled = s->coupled[island_of(s, p, c)];
        for (int b = c->piece; b < c->piece + c->pieces; b++)
            for (int a = c->piece; a < b; a++) {
                int pair[2] = {p->pieces[a].block, p->pieces[b].block};
                // the contacts of two bodies stand together
                if (pair[0] == pair[1] || (pair[0] == last[0] && pair[1] == last[1])) continue;
                last[0] = pair[0], last[1] = pair[1];
                if (!coupled && p->blocks[pair[0]].tree != p->blocks[pair[1]].tree) continue;
                if (is_above(p, pair[0], pair[1])) continue;
                if (count < s->room.pairs) s->pair[2 * count] = pair[0], s->pair[2 * count + 1] = pair[1];
                count++;
            }
    }
    return count;
}

// where each number of A stands in H; the numbers of a tree of one block stand there in their own order
static void map_A(tx_islands *s, const tx_problem *p) {
    const tx_sparse *pattern = &s->factor.pattern;
    for (int k = 0; k < p->nv; k++) {
        size_t *at = s->factor.A_at + p->tree.first[k];
        const int own = p->dof_block[k];
        const tx_range tree = s->tree_dofs[p->blocks[own].tree];
        if (tree.end - tree.begin == s->width[own]) continue;
        tx_sparse_place place = {0};
        for (int i = 0, up = k, block = -1; i < p->tree.count[k]; i++, up = p->tree.parent[up]) {
            if (p->dof_block[up] != block) place = tx_sparse_find(pattern, own, block = p->dof_block[up]);
            size_t mine = (size_t)(k - s->first[own]), theirs = (size_t)(up - s->first[block]);
            at[i] = place.at +
                    (place.transposed ? theirs + mine * (size_t)place.stride : mine + theirs * (size_t)place.stride);
        }
    }
}

// the pattern of the pairs that are listed; false: no room
static bool analyse(tx_islands *s, const tx_problem *p, bool *anew) {
    s->need.pairs = list_pairs(s, p);
    if (s->need.pairs > s->room.pairs) return false;
    for (int i = 0; i < s->nblocks; i++) {
        int island = s->island_of_tree[p->blocks[i].tree];
        s->group[i] = island < 0 ? s->count : island;
    }
    tx_sparse_graph graph = {s->nblocks, s->width, s->group, s->need.pairs, s->pair};
    size_t need = 0;
    switch (tx_sparse_analyse(&graph, &s->factor.pattern, s->pattern_memory, &need, s->scratch)) {
    case TX_SPARSE_ROOM: s->need.pattern = need; return false;
    case TX_SPARSE_BAD: s->need.pattern = SIZE_MAX; return false;
    case TX_SPARSE_KEPT: return true;
    default: *anew = true; return true;
    }
}

int tx_islands_dofs(const tx_islands *s, int i) {
    int dofs = 0;
    for (int r = s->range_start[i]; r < s->range_start[i + 1]; r++) dofs += s->ranges[r].end - s->ranges[r].begin;
    return dofs;
}

static void couple_all(tx_islands *s, const tx_problem *p) {
    for (int i = 0; i < s->count; i++) s->coupled[i] = p->coupling != TX_COUPLE_TREES;
}

static double numbers_of_J(const tx_islands *s, const tx_problem *p, int island) {
    double numbers = 0;
    for (int v = s->con_start[island]; v < s->con_start[island + 1]; v++) {
        const tx_constraint *c = &p->cons[s->cons[v]];
        for (int k = c->piece; k < c->piece + c->pieces; k++) numbers += c->dim * p->pieces[k].width;
    }
    return numbers;
}

// multiplications of the factor of one island
static double factor_work(const tx_sparse *pattern, int island) {
    double work = 0;
    for (int k = pattern->group_panel[island]; k < pattern->group_panel[island + 1]; k++)
        work += (double)pattern->panel_width[k] * pattern->panel_height[k] * pattern->panel_height[k];
    return work;
}

// large islands whose factor costs more than the products of an iterative solution lose their couplings between trees;
// a function of the present graph alone. DIRECT_WORK is measured: docs/solvers.md
static bool drop_couplings(tx_islands *s, const tx_problem *p) {
    enum { DIRECT_WORK = 390 };
    bool dropped = false;
    for (int i = 0; i < s->count; i++) {
        if (tx_islands_dofs(s, i) <= TX_DIRECT_DOFS) continue;
        s->coupled[i] = factor_work(&s->factor.pattern, i) <= DIRECT_WORK * numbers_of_J(s, p, i);
        dropped |= !s->coupled[i];
    }
    return dropped;
}

static int code_of_con(const tx_constraint *c) { return c->pieces * 8 + c->dim; }
static int code_of_piece(const tx_piece *e) { return e->block * (TX_BLOCK_WIDTH + 1) + e->width; }

// whether the constraints move what those of the last call moved: then all is as it was
static bool was_seen(const tx_islands *s, const tx_problem *p) {
    if (s->seen_cons != p->ncons || s->seen_pieces != p->npieces || s->seen_coupling != p->coupling) return false;
    for (int i = 0; i < p->ncons; i++)
        if (s->seen_con[i] != code_of_con(&p->cons[i])) return false;
    for (int i = 0; i < p->npieces; i++)
        if (s->seen_piece[i] != code_of_piece(&p->pieces[i])) return false;
    return true;
}

static void remember(tx_islands *s, const tx_problem *p) {
    s->seen_cons = p->ncons, s->seen_pieces = p->npieces, s->seen_coupling = p->coupling;
    for (int i = 0; i < p->ncons; i++) s->seen_con[i] = code_of_con(&p->cons[i]);
    for (int i = 0; i < p->npieces; i++) s->seen_piece[i] = code_of_piece(&p->pieces[i]);
}

bool tx_islands_find(tx_islands *s, const tx_problem *p) {
    bool anew = false;
    s->need = s->room;
    s->need.cons = (size_t)p->ncons, s->need.pieces = (size_t)p->npieces;
    if (s->need.cons > s->room.cons || s->need.pieces > s->room.pieces) return false;
    if (was_seen(s, p)) return true;
    s->seen_cons = -1;
    join_trees(s, p);
    list_members(s, p);
    couple_all(s, p);
    if (!analyse(s, p, &anew)) return false;
    if (p->coupling == TX_COUPLE_BY_SIZE && drop_couplings(s, p) && !analyse(s, p, &anew)) return false;
    const tx_sparse *pattern = &s->factor.pattern;
    s->need.h_numbers = pattern->h_numbers, s->need.l_numbers = pattern->l_numbers;
    if (s->need.h_numbers > s->room.h_numbers || s->need.l_numbers > s->room.l_numbers) return false;
    if (anew) map_A(s, p);
    remember(s, p);
    return true;
}

tx_problem tx_islands_view(const tx_islands *s, const tx_problem *p, int i) {
    tx_problem view = *p;
    view.list = s->cons + s->con_start[i], view.listed = s->con_start[i + 1] - s->con_start[i];
    view.ranges = s->ranges + s->range_start[i], view.nranges = s->range_start[i + 1] - s->range_start[i];
    view.factor = &s->factor, view.group = i, view.coupled = s->coupled[i];
    double *result = s->result + TX_ISLAND_RESULTS * i;
    view.iterations = result, view.gradient = result + 1, view.solver_used = result + 2;
    view.unsolved = s->unsolved + i;
    if (p->products) view.products = s->products + i, *view.products = 0;
    return view;
}
