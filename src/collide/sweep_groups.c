// sweep_groups.c - boxes that stand in groups, as the geoms of a robot do: the boxes around the groups are swept, and
// only boxes of one group, or of two groups that meet, are compared.
#include "collide/sweep.h"

typedef struct pair_list {
    tx_box_pair *pairs;
    int count, room;
} pair_list;

// a < b
static void compare(const tx_aabb *boxes, int a, int b, pair_list *list) {
    if (!tx_aabb_overlap(&boxes[a], &boxes[b])) return;
    if (list->count < list->room) list->pairs[list->count] = (tx_box_pair){a, b};
    list->count++;
}

// the boxes [begin, end) that reach into another one
static int list_near(const tx_aabb *boxes, int begin, int end, const tx_aabb *other, int *near) {
    int count = 0;
    for (int i = begin; i < end; i++)
        if (tx_aabb_overlap(&boxes[i], other)) near[count++] = i;
    return count;
}

int tx_group_boxes(const int *group, int count, int *start) {
    int groups = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || group[i] != group[i - 1]) start[groups++] = i;
        if (i - start[groups - 1] >= TX_GROUP_BOXES) return 0;
    }
    start[groups] = count;
    return count >= 4 * groups && groups > 1 ? groups : 0;
}

size_t tx_sweep_groups_scratch(int groups) { return tx_sweep_scratch(groups) + (size_t)groups * sizeof(tx_aabb) + 128; }

int tx_sweep_groups(tx_sweep *sweep, const tx_aabb *boxes, const int *start, tx_box_pair *pairs, int room,
                    tx_box_pair *work, tx_arena scratch) {
    const int groups = sweep->count;
    tx_aabb *around = TX_TAKE(scratch, groups, tx_aabb);
    pair_list list = {pairs, 0, room};
    for (int g = 0; g < groups; g++) {
        tx_coarse_box coarse[TX_GROUP_BOXES];
        tx_aabb_clear(&around[g]);
        for (int i = start[g]; i < start[g + 1]; i++) {
            tx_aabb_unite(&around[g], &boxes[i]);
            tx_coarse_box_make(&coarse[i - start[g]], &boxes[i]);
        }
        for (int i = start[g]; i < start[g + 1]; i++)
            for (int k = i + 1; k < start[g + 1]; k++)
                if (tx_coarse_overlap(&coarse[i - start[g]], &coarse[k - start[g]])) compare(boxes, i, k, &list);
    }
    const int meet = tx_sweep_run(sweep, around, work, room, scratch);
    for (int p = 0; p < meet && p < room; p++) {
        const int a = work[p].a, b = work[p].b;
        int first[TX_GROUP_BOXES], second[TX_GROUP_BOXES];
        const int firsts = list_near(boxes, start[a], start[a + 1], &around[b], first);
        const int seconds = list_near(boxes, start[b], start[b + 1], &around[a], second);
        for (int i = 0; i < firsts; i++)
            for (int k = 0; k < seconds; k++) compare(boxes, first[i], second[k], &list);
    }
    return meet > room && list.count <= room ? meet : list.count;
}
