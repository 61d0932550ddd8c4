// sparse.c - order and structure of a block-sparse Cholesky factor: docs/sparse.md.
//
// The order is approximate minimum degree (Amestoy, Davis & Duff 1996, 2004), from SuiteSparse. The elimination tree
// and the rows of L by row subtrees are Liu's (1990); see also Davis 2006, chapter 4.
#include "linalg/sparse.h"

#include <limits.h>
#include <string.h>

#include <suitesparse/amd.h>

enum { MOST_BLOCKS = INT_MAX / 64, MOST_PAIRS = INT_MAX / 16 };

// ---- memory ---------------------------------------------------------------------------------------------------------

// a piece of memory is walked twice: without a base to find its size, with one to place the arrays
typedef struct piece {
    char *base;
    size_t size;
} piece;

static void *part(piece *p, size_t count, size_t size) {
    size_t at = (p->size + 63) / 64 * 64;
    p->size = at + count * size;
    return p->base ? p->base + at : NULL;
}
static int *ints(piece *p, size_t count) { return part(p, count, sizeof(int)); }

// working arrays of an analysis; "place": the rank of a block among all, by group and then by number
typedef struct work {
    int *start, *other;                // the canonical graph
    int *cursor;                       // [n + 1]
    int (*raw)[2];                     // pairs, by their larger block
    int *member, *place, *group_first; // block of a place, place of a block, [n + 1] first place of a group
    int *adj_start, *adj;              // neighbours of a place, both ways, ascending
    int *column, *at;                  // column of a place, place of a column
    int *parent, *mark, *rows, *height, *panel_of, *panel_column;
    int *head, *next;         // lists of children
    int *lower_start, *lower; // earlier neighbours of a column
    // amd_2 destroys its copy of the graph and wants nine arrays
    int *graph, *pe, *len, *nv, *after, *last, *heads, *elen, *degree, *w;
} work;

static size_t graph_room(int n, size_t pairs) { return 2 * pairs + pairs / 2 + (size_t)n + 1; }

static work place_work(piece *p, int n, size_t pairs) {
    size_t m = (size_t)n + 1;
    work w = {
        .start = ints(p, m), .other = ints(p, pairs), .cursor = ints(p, m), .raw = part(p, pairs, sizeof(int[2]))};
    w.member = ints(p, m), w.place = ints(p, m), w.group_first = ints(p, m + 1);
    w.adj_start = ints(p, m), w.adj = ints(p, 2 * pairs);
    w.column = ints(p, m), w.at = ints(p, m);
    w.parent = ints(p, m), w.mark = ints(p, m), w.rows = ints(p, m), w.height = ints(p, m);
    w.panel_of = ints(p, m), w.panel_column = ints(p, m + 1);
    w.head = ints(p, m), w.next = ints(p, m);
    w.graph = ints(p, graph_room(n, pairs)), w.pe = ints(p, m), w.len = ints(p, m), w.nv = ints(p, m);
    w.after = ints(p, m), w.last = ints(p, m), w.heads = ints(p, m), w.elen = ints(p, m);
    w.degree = ints(p, m), w.w = ints(p, m);
    return w;
}

size_t tx_sparse_scratch(int blocks, size_t pairs) {
    if (blocks < 0 || blocks > MOST_BLOCKS || pairs > MOST_PAIRS) return SIZE_MAX;
    piece p = {0};
    place_work(&p, blocks, pairs);
    return p.size + 64;
}

// ---- the graph ------------------------------------------------------------------------------------------------------

static bool blocks_are_good(const tx_sparse_graph *g) {
    for (int i = 0; i < g->blocks; i++)
        if (g->width[i] < 1 || g->width[i] > TX_SPARSE_WIDTH) return false;
    for (int i = 0; i < g->blocks && g->group; i++)
        if (g->group[i] < 0 || g->group[i] >= g->blocks) return false;
    return true;
}

// sums in front: counts become places
static void running(int *count, int n) {
    for (int i = 0, sum = 0; i <= n; i++) {
        int here = i < n ? count[i] : 0;
        count[i] = sum;
        sum += here;
    }
}

// sorts the pairs by both blocks and drops those that are there already
static bool canonicalise(const tx_sparse_graph *g, work *w) {
    const int n = g->blocks;
    memset(w->cursor, 0, sizeof(int) * ((size_t)n + 1));
    memset(w->start, 0, sizeof(int) * ((size_t)n + 1));
    // the smaller block first; the points of a contact follow each other, and one is enough
    int *list = w->graph, count = 0;
    for (size_t k = 0; k < g->pairs; k++) {
        int a = g->pair[2 * k], b = g->pair[2 * k + 1], high = a > b ? a : b, low = a > b ? b : a;
        if (low < 0 || high >= n || a == b || (g->group && g->group[a] != g->group[b])) return false;
        if (count > 0 && list[2 * count - 2] == low && list[2 * count - 1] == high) continue;
        list[2 * count] = low, list[2 * count + 1] = high;
        count++;
        w->cursor[high]++;
        w->start[low]++;
    }
    // by the larger block, then by the smaller
    running(w->cursor, n);
    for (int k = 0; k < count; k++) {
        int low = list[2 * k], high = list[2 * k + 1], *to = w->raw[w->cursor[high]++];
        to[0] = low, to[1] = high;
    }
    running(w->start, n);
    memcpy(w->cursor, w->start, sizeof(int) * ((size_t)n + 1));
    for (int k = 0; k < count; k++) {
        int low = w->raw[k][0], high = w->raw[k][1], *end = &w->cursor[low];
        if (*end == w->start[low] || w->other[*end - 1] != high) w->other[(*end)++] = high;
    }
    // close the gaps
    int to = 0;
    for (int i = 0; i < n; i++) {
        int from = w->start[i], end = w->cursor[i];
        w->start[i] = to;
        while (from < end) w->other[to++] = w->other[from++];
    }
    w->start[n] = to;
    return true;
}

static bool same_ints(const int *a, const int *b, size_t count) {
    return count == 0 || memcmp(a, b, sizeof(int) * count) == 0;
}

static bool same_graph(const tx_sparse *s, const tx_sparse_graph *g, const work *w) {
    size_t n = (size_t)g->blocks;
    if (s->blocks != g->blocks || s->edges != (size_t)w->start[n]) return false;
    if (!same_ints(s->width, g->width, n) || !same_ints(s->start, w->start, n + 1)) return false;
    for (size_t i = 0; i < n && !g->group; i++)
        if (s->group[i] != 0) return false;
    return (!g->group || same_ints(s->group, g->group, n)) && same_ints(s->other, w->other, s->edges);
}

// ---- order ----------------------------------------------------------------------------------------------------------

// blocks by group; returns the number of groups
static int sort_groups(const tx_sparse_graph *g, work *w) {
    int groups = g->blocks > 0;
    memset(w->group_first, 0, sizeof(int) * ((size_t)g->blocks + 2));
    for (int i = 0; i < g->blocks; i++) {
        int group = g->group ? g->group[i] : 0;
        w->group_first[group]++;
        if (group >= groups) groups = group + 1;
    }
    running(w->group_first, groups);
    memcpy(w->cursor, w->group_first, sizeof(int) * (size_t)groups);
    for (int i = 0; i < g->blocks; i++) {
        int to = w->cursor[g->group ? g->group[i] : 0]++;
        w->member[to] = i, w->place[i] = to;
    }
    return groups;
}

// neighbours both ways. Places of a group ascend with the block numbers, so each list comes out sorted: when i is
// reached, its smaller neighbours are there
static void make_neighbours(int n, work *w) {
    memset(w->adj_start, 0, sizeof(int) * ((size_t)n + 1));
    for (int i = 0; i < n; i++) {
        w->adj_start[w->place[i]] += w->start[i + 1] - w->start[i];
        for (int k = w->start[i]; k < w->start[i + 1]; k++) w->adj_start[w->place[w->other[k]]]++;
    }
    running(w->adj_start, n);
    memcpy(w->cursor, w->adj_start, sizeof(int) * ((size_t)n + 1));
    for (int i = 0; i < n; i++)
        for (int k = w->start[i], a = w->place[i]; k < w->start[i + 1]; k++) {
            int b = w->place[w->other[k]];
            w->adj[w->cursor[a]++] = b;
            w->adj[w->cursor[b]++] = a;
        }
}

// the places of one group in order of elimination
static void order_group(work *w, int first, int end) {
    const int n = end - first, from = w->adj_start[first], edges = w->adj_start[end] - from;
    for (int i = 0; i < n; i++) w->at[first + i] = first + i;
    if (n < 3 || edges == 0) return;
    for (int i = 0; i < n; i++) {
        w->pe[i] = w->adj_start[first + i] - from;
        w->len[i] = w->adj_start[first + i + 1] - w->adj_start[first + i];
    }
    for (int k = 0; k < edges; k++) w->graph[k] = w->adj[from + k] - first;
    double info[AMD_INFO];
    amd_2(n, w->pe, w->graph, w->len, (int)graph_room(n, (size_t)edges / 2), edges, w->nv, w->after, w->last, w->heads,
          w->elen, w->degree, w->w, NULL, info);
    for (int k = 0; k < n; k++) w->at[first + k] = first + w->last[k];
}

static void invert_order(int n, work *w) {
    for (int c = 0; c < n; c++) w->column[w->at[c]] = c;
}

// parent[c]: the first row below the diagonal of column c of L, or -1 (Liu 1990; mark: ancestors, compressed)
static void elimination_tree(int n, work *w) {
    for (int c = 0; c < n; c++) {
        w->parent[c] = w->mark[c] = -1;
        for (int k = w->adj_start[w->at[c]]; k < w->adj_start[w->at[c] + 1]; k++) {
            int i = w->column[w->adj[k]];
            while (i != -1 && i < c) {
                int up = w->mark[i];
                w->mark[i] = c;
                if (up == -1) w->parent[i] = c;
                i = up;
            }
        }
    }
}

// renumbers the columns so that every subtree is contiguous and ends with its root; groups stay where they are
static void postorder(int n, work *w) {
    int *rank = w->rows, *stack = w->height, *old = w->cursor;
    for (int c = 0; c < n; c++) w->head[c] = -1;
    for (int c = n - 1; c >= 0; c--)
        if (w->parent[c] >= 0) w->next[c] = w->head[w->parent[c]], w->head[w->parent[c]] = c;
    int done = 0;
    for (int root = 0; root < n; root++) {
        if (w->parent[root] >= 0) continue;
        int depth = 0;
        stack[depth++] = root;
        while (depth > 0) {
            int top = stack[depth - 1], child = w->head[top];
            if (child >= 0) w->head[top] = w->next[child], stack[depth++] = child;
            else rank[top] = done++, depth--;
        }
    }
    memcpy(old, w->at, sizeof(int) * (size_t)n);
    memcpy(w->mark, w->parent, sizeof(int) * (size_t)n);
    for (int c = 0; c < n; c++) {
        w->at[rank[c]] = old[c];
        w->parent[rank[c]] = w->mark[c] < 0 ? -1 : rank[w->mark[c]];
    }
    invert_order(n, w);
}

// ---- structure of L -------------------------------------------------------------------------------------------------

// the earlier neighbours of each column, in place of AMD's graph
static void make_lower(int n, work *w) {
    w->lower_start = w->pe, w->lower = w->graph;
    int count = 0;
    for (int i = 0; i < n; i++) {
        w->lower_start[i] = count;
        for (int k = w->adj_start[w->at[i]]; k < w->adj_start[w->at[i] + 1]; k++) {
            w->lower[count] = w->column[w->adj[k]];
            count += w->lower[count] < i;
        }
    }
    w->lower_start[n] = count;
}

// Row i of L is the union of the tree paths from its earlier neighbours in H up to i. By rows, so that each column k
// sees its rows ascending.
#define FOR_ROW_SUBTREE(w, i, k)                                                      \
    for (int edge_ = (w)->lower_start[i]; edge_ < (w)->lower_start[(i) + 1]; edge_++) \
        for (int k = (w)->lower[edge_]; (w)->mark[k] != (i); (w)->mark[k] = (i), k = (w)->parent[k])

// rows and unknowns below the diagonal block of each column
static void count_rows(const tx_sparse_graph *g, work *w) {
    const int n = g->blocks;
    for (int c = 0; c < n; c++) w->rows[c] = w->height[c] = 0, w->mark[c] = -1;
    for (int i = 0; i < n; i++) {
        int width = g->width[w->member[w->at[i]]];
        w->mark[i] = i;
        FOR_ROW_SUBTREE(w, i, k) {
            w->rows[k]++;
            w->height[k] += width;
        }
    }
}

// A column joins its predecessor's panel where that one's rows are its own and itself; returns the number of panels.
static int form_panels(const tx_sparse_graph *g, work *w) {
    int panels = 0, total = 0;
    for (int c = 0; c < g->blocks; c++) {
        int width = g->width[w->member[w->at[c]]];
        bool joins = c > 0 && w->parent[c - 1] == c && w->height[c - 1] == w->height[c] + width &&
                     total + width <= TX_SPARSE_PANEL;
        if (!joins) w->panel_column[panels++] = c, total = 0;
        total += width;
        w->panel_of[c] = panels - 1;
    }
    w->panel_column[panels] = g->blocks;
    return panels;
}

// ---- the pattern ----------------------------------------------------------------------------------------------------

// the arrays of a pattern, writable
typedef struct store {
    int *width, *group, *start, *other, *column, *block, *group_panel, *h_start, *h_row, *panel_column, *panel_of;
    int *panel_width, *panel_height, *panel_parent, *panel_pivot, *row_start, *row, *row_offset, *column_offset;
    int *below_start, *below, *below_row;
    size_t *h_at, *panel_at;
} store;

static store place_store(piece *p, int blocks, size_t edges, int panels, int groups, size_t rows) {
    size_t n = (size_t)blocks, m = (size_t)panels, entries = n + edges;
    store t = {.width = ints(p, n), .group = ints(p, n), .start = ints(p, n + 1), .other = ints(p, edges)};
    t.column = ints(p, n), t.block = ints(p, n), t.group_panel = ints(p, (size_t)groups + 1);
    t.h_start = ints(p, n + 1), t.h_row = ints(p, entries), t.h_at = part(p, entries + 1, sizeof(size_t));
    t.panel_column = ints(p, m + 1), t.panel_of = ints(p, n), t.panel_width = ints(p, m), t.panel_height = ints(p, m);
    t.panel_parent = ints(p, m), t.panel_pivot = ints(p, m + 1), t.panel_at = part(p, m + 1, sizeof(size_t));
    t.row_start = ints(p, m + 1), t.row = ints(p, rows), t.row_offset = ints(p, rows), t.column_offset = ints(p, n);
    t.below_start = ints(p, m + 1), t.below = ints(p, rows), t.below_row = ints(p, rows);
    return t;
}

static void write_graph(const tx_sparse_graph *g, const work *w, store *t, size_t edges) {
    const int n = g->blocks;
    memcpy(t->start, w->start, sizeof(int) * ((size_t)n + 1));
    memcpy(t->other, w->other, sizeof(int) * edges);
    for (int i = 0; i < n; i++) {
        t->width[i] = g->width[i];
        t->group[i] = g->group ? g->group[i] : 0;
        t->column[i] = w->column[w->place[i]];
        t->block[t->column[i]] = i;
    }
}

// columns of H: the diagonal, then its later neighbours; each row i is appended to the columns before it, so that rows
// ascend
static void write_h(int n, work *w, store *t) {
    for (int c = 0; c < n; c++) w->cursor[c] = 1;
    for (int k = 0; k < w->lower_start[n]; k++) w->cursor[w->lower[k]]++;
    running(w->cursor, n);
    memcpy(t->h_start, w->cursor, sizeof(int) * ((size_t)n + 1));
    for (int c = 0; c < n; c++) t->h_row[w->cursor[c]++] = c;
    for (int i = 0; i < n; i++)
        for (int k = w->lower_start[i]; k < w->lower_start[i + 1]; k++) t->h_row[w->cursor[w->lower[k]]++] = i;
    size_t at = 0;
    for (int c = 0; c < n; c++)
        for (int e = t->h_start[c]; e < t->h_start[c + 1]; e++) {
            t->h_at[e] = at;
            at += (size_t)(t->width[t->block[c]] * t->width[t->block[t->h_row[e]]]);
        }
    t->h_at[t->h_start[n]] = at;
}

// widths and rows of the panels; a panel's rows are those of its last column
static void write_panels(int n, int panels, work *w, store *t) {
    memcpy(t->panel_of, w->panel_of, sizeof(int) * (size_t)n);
    memcpy(t->panel_column, w->panel_column, sizeof(int) * ((size_t)panels + 1));
    for (int p = 0; p < panels; p++) {
        int last = w->panel_column[p + 1] - 1;
        w->cursor[p] = t->row_start[p] = p == 0 ? 0 : t->row_start[p - 1] + w->rows[w->panel_column[p] - 1];
        t->panel_parent[p] = w->parent[last] < 0 ? -1 : w->panel_of[w->parent[last]];
        t->panel_width[p] = 0;
        for (int c = w->panel_column[p]; c <= last; c++) {
            t->column_offset[c] = t->panel_width[p];
            t->panel_width[p] += t->width[t->block[c]];
        }
    }
    t->row_start[panels] = panels == 0 ? 0 : t->row_start[panels - 1] + w->rows[n - 1];
    for (int c = 0; c < n; c++) w->mark[c] = -1;
    for (int i = 0; i < n; i++) {
        w->mark[i] = i;
        FOR_ROW_SUBTREE(w, i, k) {
            int p = w->panel_of[k];
            if (k == w->panel_column[p + 1] - 1) t->row[w->cursor[p]++] = i;
        }
    }
    t->panel_at[0] = 0, t->panel_pivot[0] = 0;
    for (int p = 0; p < panels; p++) {
        int height = t->panel_width[p];
        for (int e = t->row_start[p]; e < t->row_start[p + 1]; e++) {
            t->row_offset[e] = height;
            height += t->width[t->block[t->row[e]]];
        }
        t->panel_height[p] = height;
        t->panel_at[p + 1] = t->panel_at[p] + (size_t)height * (size_t)t->panel_width[p];
        t->panel_pivot[p + 1] = t->panel_pivot[p] + t->panel_width[p];
    }
}

// for each panel the earlier ones that change it, by the first of their rows that stands in it
static void write_below(int panels, work *w, store *t) {
    for (int p = 0; p < panels; p++) w->cursor[p] = 0;
    for (int p = 0; p < panels; p++)
        for (int e = t->row_start[p], seen = -1; e < t->row_start[p + 1]; e++)
            if (w->panel_of[t->row[e]] != seen) w->cursor[seen = w->panel_of[t->row[e]]]++;
    running(w->cursor, panels);
    memcpy(t->below_start, w->cursor, sizeof(int) * ((size_t)panels + 1));
    for (int p = 0; p < panels; p++)
        for (int e = t->row_start[p], seen = -1; e < t->row_start[p + 1]; e++) {
            if (w->panel_of[t->row[e]] == seen) continue;
            int to = w->cursor[seen = w->panel_of[t->row[e]]]++;
            t->below[to] = p, t->below_row[to] = e;
        }
}

static void write_groups(int groups, int panels, const work *w, store *t) {
    for (int g = 0; g < groups; g++) {
        int column = w->group_first[g];
        t->group_panel[g] = column < w->group_first[groups] ? w->panel_of[column] : panels;
    }
    t->group_panel[groups] = panels;
}

static tx_sparse_result refuse(tx_sparse_result why, size_t *need) {
    *need = 0;
    return why;
}

tx_sparse_result tx_sparse_analyse(const tx_sparse_graph *g, tx_sparse *s, tx_arena memory, size_t *need,
                                   tx_arena scratch) {
    const int n = g->blocks;
    size_t room = tx_sparse_scratch(n, g->pairs);
    if (room == SIZE_MAX || !blocks_are_good(g)) return refuse(TX_SPARSE_BAD, need);
    piece p = {.base = tx_arena_take(&scratch, room - 64)};
    if (!p.base) return refuse(TX_SPARSE_ROOM, need);
    work w = place_work(&p, n, g->pairs);
    if (!canonicalise(g, &w)) return refuse(TX_SPARSE_BAD, need);
    *need = 0;
    char *base = tx_arena_take(&memory, 0);
    if (s->memory && s->memory == base && same_graph(s, g, &w)) return TX_SPARSE_KEPT;

    int groups = sort_groups(g, &w);
    make_neighbours(n, &w);
    for (int k = 0; k < groups; k++) order_group(&w, w.group_first[k], w.group_first[k + 1]);
    invert_order(n, &w);
    elimination_tree(n, &w);
    postorder(n, &w);
    make_lower(n, &w);
    count_rows(g, &w);
    int panels = form_panels(g, &w);
    size_t edges = (size_t)w.start[n], rows = 0;
    for (int k = 0; k < panels; k++) rows += (size_t)w.rows[w.panel_column[k + 1] - 1];
    if (rows > INT_MAX) return TX_SPARSE_BAD;

    piece size = {0};
    place_store(&size, n, edges, panels, groups, rows);
    *need = size.size + 64;
    piece to = {.base = tx_arena_take(&memory, size.size)};
    if (!to.base) return TX_SPARSE_ROOM;
    store t = place_store(&to, n, edges, panels, groups, rows);
    write_graph(g, &w, &t, edges);
    write_h(n, &w, &t);
    write_panels(n, panels, &w, &t);
    write_below(panels, &w, &t);
    write_groups(groups, panels, &w, &t);
    *s = (tx_sparse){.blocks = n,
                     .panels = panels,
                     .groups = groups,
                     .edges = edges,
                     .h_numbers = t.h_at[t.h_start[n]],
                     .l_numbers = t.panel_at[panels],
                     .unknowns = (size_t)t.panel_pivot[panels],
                     .width = t.width,
                     .group = t.group,
                     .start = t.start,
                     .other = t.other,
                     .column = t.column,
                     .block = t.block,
                     .group_panel = t.group_panel,
                     .h_start = t.h_start,
                     .h_row = t.h_row,
                     .h_at = t.h_at,
                     .panel_column = t.panel_column,
                     .panel_of = t.panel_of,
                     .panel_width = t.panel_width,
                     .panel_height = t.panel_height,
                     .panel_parent = t.panel_parent,
                     .panel_at = t.panel_at,
                     .panel_pivot = t.panel_pivot,
                     .row_start = t.row_start,
                     .row = t.row,
                     .row_offset = t.row_offset,
                     .column_offset = t.column_offset,
                     .below_start = t.below_start,
                     .below = t.below,
                     .below_row = t.below_row,
                     .memory = to.base};
    return TX_SPARSE_NEW;
}
