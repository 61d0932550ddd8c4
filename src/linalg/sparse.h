// sparse.h - block-sparse symmetric positive definite systems H x = b: the order of elimination, the structure of the
// factor and where its numbers stand. The factorisation itself is lane text (sparse.inl); docs/sparse.md derives both.
//
//   blocks   groups of 1 to TX_SPARSE_WIDTH unknowns, numbered by the caller; H has a diagonal block for each of them
//            and one block for each pair
//   columns  the blocks in their order of elimination
//   panels   neighbouring columns that are factorised together; panels and groups are the unit of ranges
//
// Nothing here allocates. The pattern lives in memory of the caller and is a pure function of the graph: neither the
// order of the pairs nor what was there before changes it, and a group's part depends on that group alone.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// the widest block, and the widest panel, in unknowns
enum { TX_SPARSE_WIDTH = 8, TX_SPARSE_PANEL = 32 };

/// What the caller knows. Pairs come in any order, either way round and as often as they like.
typedef struct tx_sparse_graph {
    int blocks;
    const int *width; // [blocks] unknowns of a block, 1 to TX_SPARSE_WIDTH
    const int *group; // [blocks] 0 to blocks - 1, such as the island; null: all are of group 0
    size_t pairs;
    const int *pair; // [2 * pairs] blocks that share a block of H; both of one group, not equal
} tx_sparse_graph;

/// The pattern. Zero it to begin; tx_sparse_analyse fills it. Everything is constant until the next analysis.
typedef struct tx_sparse {
    int blocks, panels, groups;
    size_t edges;                          // distinct pairs
    size_t h_numbers, l_numbers, unknowns; // sizes of the arrays H, L and inv that the numeric functions take

    // the graph: width and group of a block; the neighbours of a with a larger number: other[start[a]] and following
    const int *width, *group, *start, *other;

    // order: the column of a block, the block of a column; panels of group g: group_panel[g] to group_panel[g + 1]
    const int *column, *block, *group_panel;

    // H: the blocks of column c are h_start[c] to h_start[c + 1], the diagonal first, then by row (a column number);
    // the numbers of each stand by themselves, column-major, from h_at on
    const int *h_start, *h_row;
    const size_t *h_at; // [entries + 1]

    // L: panel p has the columns panel_column[p] to panel_column[p + 1], that is panel_width[p] unknowns, and is
    // panel_height[p] rows high: its own unknowns, then the blocks row_start[p] to row_start[p + 1] below each other
    const int *panel_column, *panel_of, *panel_width, *panel_height, *panel_parent; // panel_of a column; parent or -1
    const size_t *panel_at;                                                         // of its numbers in L
    const int *panel_pivot;                  // [panels + 1] of its first unknown among all, in order of elimination
    const int *row_start, *row, *row_offset; // row: a column number; offset: where its rows begin in the panel
    const int *column_offset;                // of a column: where it begins in its panel

    // earlier panels that have rows in panel p: below_start[p] to below_start[p + 1], ascending; and the first such row
    const int *below_start, *below, *below_row;

    const void *memory; // where all of this stands
} tx_sparse;

typedef enum tx_sparse_result {
    TX_SPARSE_NEW,  // the pattern was made
    TX_SPARSE_KEPT, // it is the same graph as last time: nothing was written, and old factors remain valid
    TX_SPARSE_ROOM, // memory or scratch is too small: nothing was written, and *need says how many bytes memory takes
                    // (0 where scratch is too small for that to be known)
    TX_SPARSE_BAD   // a width, group or pair out of range, a pair across groups, or more than an int can count
} tx_sparse_result;

/// Bytes of scratch that an analysis takes at most.
size_t tx_sparse_scratch(int blocks, size_t pairs);

/// Finds order and structure, unless the graph is the one that the pattern was made for. A pattern is kept only if it
/// stands in the same memory; zero the pattern when the memory's contents are lost.
tx_sparse_result tx_sparse_analyse(const tx_sparse_graph *graph, tx_sparse *s, tx_arena memory, size_t *need,
                                   tx_arena scratch);

/// Where the numbers of a block of H stand: element (r, c) at H[at + r + c * stride], r of the block that is
/// eliminated later, c of the earlier one.
typedef struct tx_sparse_place {
    size_t at; // SIZE_MAX: H has no such block
    int stride;
    bool transposed; // r belongs to j and c to i
} tx_sparse_place;

/// The block of i and j. Of a diagonal block (i = j) only r >= c is read by the factorisation; the others are
/// not looked at.
static inline tx_sparse_place tx_sparse_find(const tx_sparse *s, int i, int j) {
    int a = s->column[i], b = s->column[j], row = a > b ? a : b, column = a > b ? b : a;
    int low = s->h_start[column], end = s->h_start[column + 1], high = end;
    while (high - low > 4) {
        int middle = (low + high) / 2;
        if (s->h_row[middle] <= row) low = middle;
        else high = middle;
    }
    while (low < high && s->h_row[low] < row) low++;
    bool found = low < end && s->h_row[low] == row;
    tx_sparse_place place = {found ? s->h_at[low] : SIZE_MAX, s->width[s->block[row]], a < b};
    return place;
}

/// Ints of working memory that the numeric functions take. Threads that work on different groups may share it.
static inline size_t tx_sparse_work(const tx_sparse *s) { return (size_t)s->blocks; }

#ifdef __cplusplus
}
#endif

// Lane text, in sparse.inl at one lane; `from` and `to` are panels, 0 and s->panels for all of them:
//
//   int sparse_factor(const tx_sparse *s, const num *H, num *L, num *inv, int from, int to, int *work);
//       L = the factor of H. Returns -1, or the block whose pivot is not a positive finite number: panels before that
//       block's are done, the others are not.
//   int sparse_refactor(const tx_sparse *s, const num *H, num *L, num *inv, int from, int to, int *stale,
//                       int *panels_done, int *work);
//       The same, where L and inv hold the factor of an earlier H: only panels that are stale (not zero: their numbers
//       of H have changed), and those above them in the elimination tree, are done again; all are fresh (zero) then.
//       The range is that of whole groups. Same bits as sparse_factor.
//   void sparse_solve(const tx_sparse *s, const num *L, const num *inv, const int *first, num *x, int from, int to);
//       x = H⁻¹ x for the blocks of whole groups; block i occupies x[first[i]] and following, in any layout.
