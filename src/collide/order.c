// order.c - pairs of boxes into their canonical order: counting sort by the first group, then each group by itself.
#include "collide/sweep.h"

size_t tx_order_scratch(int groups) { return ((size_t)groups + 1) * sizeof(int) + 64; }

static bool before(const int *group, tx_box_pair x, tx_box_pair y) {
    if (x.b == y.b) return x.a < y.a;
    int gx = group[x.b], gy = group[y.b];
    if (gx != gy) return gx < gy;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

static void insertion_sort(const int *group, tx_box_pair *list, int count) {
    for (int i = 1; i < count; i++) {
        tx_box_pair pair = list[i];
        int k = i;
        for (; k > 0 && before(group, pair, list[k - 1]); k--) list[k] = list[k - 1];
        list[k] = pair;
    }
}

// merges from[0, middle) and from[middle, count)
static void merge(const int *group, const tx_box_pair *from, int middle, int count, tx_box_pair *to) {
    int i = 0, j = middle;
    for (int k = 0; k < count; k++) {
        bool second = i == middle || (j < count && before(group, from[j], from[i]));
        to[k] = second ? from[j++] : from[i++];
    }
}

// sorts runs of 16, then merges; the result is in `list`
static void sort_group(const int *group, tx_box_pair *list, int count, tx_box_pair *copy) {
    enum { RUN = 16 };
    for (int i = 0; i < count; i += RUN) insertion_sort(group, list + i, count - i < RUN ? count - i : RUN);
    tx_box_pair *from = list, *to = copy;
    for (int run = RUN; run<count; run = run> count / 2 ? count : 2 * run) {
        for (int i = 0; i < count; i += 2 * run) {
            int size = count - i < 2 * run ? count - i : 2 * run;
            merge(group, from + i, size < run ? size : run, size, to + i);
        }
        tx_box_pair *swap = from;
        from = to, to = swap;
    }
    for (int i = 0; from != list && i < count; i++) list[i] = from[i];
}

void tx_order_pairs(tx_box_pair *pairs, int count, const int *group, int groups, tx_box_pair *copy, tx_arena scratch) {
    int *first = TX_TAKE(scratch, groups + 1, int);
    for (int g = 0; g <= groups; g++) first[g] = 0;
    for (int i = 0; i < count; i++) first[group[pairs[i].a] + 1]++;
    for (int g = 0; g < groups; g++) first[g + 1] += first[g];
    for (int i = 0; i < count; i++) copy[first[group[pairs[i].a]]++] = pairs[i];
    // first[g] is now where group g ends
    for (int g = 0, begin = 0; g < groups; begin = first[g], g++)
        if (first[g] > begin + 1) sort_group(group, copy + begin, first[g] - begin, pairs + begin);
    for (int i = 0; i < count; i++) pairs[i] = copy[i];
}
