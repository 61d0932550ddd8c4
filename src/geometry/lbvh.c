// lbvh.c - linear bounding-volume hierarchy (Lauterbach et al. 2009): leaves along a Morton curve, split where the
// highest bit changes.
#include "geometry/lbvh.h"

#include <math.h>
#include <stdint.h>

#include "geometry/vec3.h"

// nodes on the way to a leaf: the bits of a code, then halves of equal codes
enum { DEEPEST = 63 + 32, DIGIT = 8, DIGITS = 1 << DIGIT };

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

void tx_lbvh_build(tx_lbvh *tree, const tx_aabb *boxes, int count, void *memory, tx_arena scratch) {
    *tree = (tx_lbvh){count, count > 0 ? 2 * count - 1 : 0, memory};
    if (count <= 0) return;
    coded *list = TX_TAKE(scratch, count, coded), *copy = TX_TAKE(scratch, count, coded);
    make_codes(boxes, count, list);
    write_nodes(tree->nodes, 0, sort_codes(list, count, copy), 0, count);
    tx_lbvh_refit(tree, boxes);
}

void tx_lbvh_refit(tx_lbvh *tree, const tx_aabb *boxes) {
    tx_lbvh_node *nodes = tree->nodes;
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (nodes[i].item >= 0) nodes[i].box = boxes[nodes[i].item];
        else unite(&nodes[i].box, &nodes[i + 1].box, &nodes[nodes[i + 1].end].box);
    }
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

int tx_lbvh_self_pairs(const tx_lbvh *tree, tx_box_pair *pairs, int room) {
    int count = 0;
    for (int leaf = 0; leaf < tree->node_count; leaf++) {
        const tx_lbvh_node *node = &tree->nodes[leaf];
        if (node->item < 0) continue;
        // each leaf meets those behind it
        for (int i = next_leaf(tree, leaf + 1, &node->box); i < tree->node_count;
             i = next_leaf(tree, i + 1, &node->box)) {
            int a = node->item, b = tree->nodes[i].item;
            if (count < room) pairs[count] = a < b ? (tx_box_pair){a, b} : (tx_box_pair){b, a};
            count++;
        }
    }
    return count;
}

int tx_lbvh_pairs(const tx_lbvh *tree, const tx_lbvh *other, tx_box_pair *pairs, int room) {
    int count = 0;
    for (int leaf = 0; leaf < tree->node_count; leaf++) {
        const tx_lbvh_node *node = &tree->nodes[leaf];
        if (node->item < 0) continue;
        for (int i = next_leaf(other, 0, &node->box); i < other->node_count; i = next_leaf(other, i + 1, &node->box)) {
            if (count < room) pairs[count] = (tx_box_pair){node->item, other->nodes[i].item};
            count++;
        }
    }
    return count;
}

// where the ray enters the box, at least 0; infinite when it misses
static double enter(const tx_aabb *box, const double origin[3], const double direction[3], double limit) {
    double from = 0, to = limit;
    for (int k = 0; k < 3; k++) {
        if (direction[k] == 0) {
            if (!(box->low[k] <= origin[k] && origin[k] <= box->high[k])) return INFINITY;
            continue;
        }
        double t1 = (box->low[k] - origin[k]) / direction[k], t2 = (box->high[k] - origin[k]) / direction[k];
        from = fmax(from, fmin(t1, t2)), to = fmin(to, fmax(t1, t2));
    }
    // a flat box is entered and left at once: rounding must not lose it
    return from <= to + 1e-12 * fabs(to) ? from : INFINITY;
}

double tx_lbvh_ray(const tx_lbvh *tree, const double origin[3], const double direction[3], double limit,
                   tx_lbvh_hit *hit, void *context) {
    int stack[DEEPEST + 1], depth = 0;
    double nearest = limit;
    if (!v_finite(origin, 3) || !v_finite(direction, 3)) return limit;
    if (tree->node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        int i = stack[--depth];
        const tx_lbvh_node *node = &tree->nodes[i];
        // a hit found since it was put there may be nearer
        if (!isfinite(enter(&node->box, origin, direction, nearest))) continue;
        if (node->item >= 0) {
            nearest = hit(context, node->item, nearest);
            continue;
        }
        int first = i + 1, second = tree->nodes[i + 1].end;
        double t1 = enter(&tree->nodes[first].box, origin, direction, nearest),
               t2 = enter(&tree->nodes[second].box, origin, direction, nearest);
        // the nearer child comes off the stack first
        bool swap = t2 < t1;
        if (isfinite(swap ? t1 : t2)) stack[depth++] = swap ? first : second;
        if (isfinite(swap ? t2 : t1)) stack[depth++] = swap ? second : first;
    }
    return nearest;
}
