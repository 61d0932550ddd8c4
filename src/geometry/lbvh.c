// lbvh.c - linear bounding-volume hierarchy (Lauterbach et al. 2009): leaves along a Morton curve, split where the
// highest bit changes.
#include "geometry/lbvh.h"

#include <math.h>
#include <stdint.h>

enum { DIGIT = 8, DIGITS = 1 << DIGIT };

typedef struct coded {
    uint64_t code;
    int item;
} coded;

size_t tx_lbvh_size(int count) { return sizeof(tx_lbvh_node) * 2 * ((size_t)count + 1); }
size_t tx_lbvh_scratch(int count) { return 2 * ((size_t)count + 4) * sizeof(coded) + 3 * 64; }

// ---- building -----------------------------------------------------------------------------------------------------

// puts two zero bits behind each of the low 21 bits
static uint64_t spread_bits(uint64_t x) {
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static void unite(tx_aabb *out, const tx_aabb *a, const tx_aabb *b) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = fmin(a->low[k], b->low[k]);
        out->high[k] = fmax(a->high[k], b->high[k]);
    }
}

static double centre(const tx_aabb *box, int k) { return 0.5 * box->low[k] + 0.5 * box->high[k]; }

static void make_codes(const tx_aabb *boxes, int count, coded *list) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, scale[3];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3 && !tx_aabb_is_empty(&boxes[i]); k++)
            low[k] = fmin(low[k], centre(&boxes[i], k)), high[k] = fmax(high[k], centre(&boxes[i], k));
    for (int k = 0; k < 3; k++) scale[k] = (double)((1 << 21) - 1) / (high[k] - low[k]);
    for (int i = 0; i < count; i++) {
        uint64_t code = 0;
        for (int k = 0; k < 3 && !tx_aabb_is_empty(&boxes[i]); k++) {
            double at = (centre(&boxes[i], k) - low[k]) * scale[k];
            code |= spread_bits(at > 0 && at < 1 << 21 ? (uint64_t)at : 0) << k;
        }
        list[i] = (coded){code, i};
    }
}

// by code, equal codes by item: least digit first; returns the list that holds the result
static coded *sort_codes(coded *list, int count, coded *copy) {
    for (int shift = 0; shift < 64; shift += DIGIT) {
        int first[DIGITS + 1] = {0};
        for (int i = 0; i < count; i++) first[(list[i].code >> shift & (DIGITS - 1)) + 1]++;
        if (count == 0 || first[(list[0].code >> shift & (DIGITS - 1)) + 1] == count) continue;
        for (int d = 0; d < DIGITS; d++) first[d + 1] += first[d];
        for (int i = 0; i < count; i++) copy[first[list[i].code >> shift & (DIGITS - 1)]++] = list[i];
        coded *swap = list;
        list = copy, copy = swap;
    }
    return list;
}

// the first of list[begin, end) behind the highest bit that changes; the middle where none does
static int split(const coded *list, int begin, int end) {
    uint64_t differ = list[begin].code ^ list[end - 1].code;
    if (differ == 0) return begin + (end - begin) / 2;
    uint64_t bit = 1;
    while (differ >>= 1) bit <<= 1;
    int low = begin, high = end - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(list[middle].code & bit ? &high : &low) = middle;
    }
    return high;
}

// writes the subtree over list[begin, end) from node `at` on
static void write_nodes(tx_lbvh_node *nodes, int at, const coded *list, int begin, int end) {
    nodes[at].end = at + 2 * (end - begin) - 1;
    nodes[at].item = end - begin == 1 ? list[begin].item : -1;
    if (end - begin == 1) return;
    int middle = split(list, begin, end);
    write_nodes(nodes, at + 1, list, begin, middle);
    write_nodes(nodes, at + 2 * (middle - begin), list, middle, end);
}

// boxes of all nodes, from the leaves up
static void fit(tx_lbvh *tree, const tx_aabb *boxes) {
    tx_lbvh_node *nodes = tree->nodes;
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (nodes[i].item >= 0) nodes[i].box = boxes[nodes[i].item];
        else unite(&nodes[i].box, &nodes[i + 1].box, &nodes[nodes[i + 1].end].box);
    }
}

void tx_lbvh_build(tx_lbvh *tree, const tx_aabb *boxes, int count, void *memory, tx_arena scratch) {
    *tree = (tx_lbvh){count, count > 0 ? 2 * count - 1 : 0, memory};
    if (count <= 0) return;
    coded *list = TX_TAKE(scratch, count, coded), *copy = TX_TAKE(scratch, count, coded);
    make_codes(boxes, count, list);
    write_nodes(tree->nodes, 0, sort_codes(list, count, copy), 0, count);
    fit(tree, boxes);
}

// ---- searching ----------------------------------------------------------------------------------------------------

// the first leaf that meets the box, from node i on; node_count: none. Going on with the next node finds the next.
static int next_leaf(const tx_lbvh *tree, int i, const tx_aabb *box) {
    while (i < tree->node_count) {
        const tx_lbvh_node *node = &tree->nodes[i];
        bool meets = tx_aabb_overlap(&node->box, box);
        if (meets && node->item >= 0) break;
        i = meets ? i + 1 : node->end;
    }
    return i;
}

int tx_lbvh_find(const tx_lbvh *tree, const tx_aabb *box, int *items, int room) {
    int count = 0;
    for (int i = next_leaf(tree, 0, box); i < tree->node_count; i = next_leaf(tree, i + 1, box)) {
        if (count < room) items[count] = tree->nodes[i].item;
        count++;
    }
    return count;
}
