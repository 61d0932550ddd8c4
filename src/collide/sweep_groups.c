// sweep_groups.c - boxes that stand in groups, as the geoms of a robot do: the boxes around the groups are swept, and
// only boxes of one group, or of two groups that meet, are compared.
#include "collide/sweep.h"

// the boxes of one group in single precision, no smaller than they are, four at a time; what is left of the last four
// is empty
typedef float four __attribute__((vector_size(16)));
typedef uint32_t four_bits __attribute__((vector_size(16)));
typedef uint64_t two_bits __attribute__((vector_size(16)));
typedef struct coarse_group {
    four low[3][TX_GROUP_BOXES / 4], high[3][TX_GROUP_BOXES / 4];
    int fours;
} coarse_group;

// a < b
static void compare(const tx_aabb *boxes, int a, int b, tx_pair_list *list) {
    if (!tx_aabb_overlap(&boxes[a], &boxes[b])) return;
    if (list->count < list->room) list->pairs[list->count] = (tx_box_pair){a, b};
    list->count++;
}

// the boxes [begin, end), and the box around them
static tx_aabb gather_group(const tx_aabb *boxes, int begin, int end, coarse_group *out) {
    tx_aabb around;
    tx_aabb_clear(&around);
    out->fours = (end - begin + 3) / 4;
    for (int k = 0; k < 3; k++)
        out->low[k][out->fours - 1] = (four){0} + INFINITY, out->high[k][out->fours - 1] = (four){0} - INFINITY;
    for (int i = begin; i < end; i++) {
        tx_coarse_box box;
        tx_aabb_unite(&around, &boxes[i]);
        tx_coarse_box_make(&box, &boxes[i]);
        for (int k = 0; k < 3; k++) {
            ((float *)out->low[k])[i - begin] = box.low[k];
            ((float *)out->high[k])[i - begin] = box.high[k];
        }
    }
    return around;
}

// bit k: box k of the group, which comes after box i, may have a point in common with it. Boxes up to i: anything
static uint64_t overlapping(const coarse_group *group, int i) {
    four low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = (four){0} + ((const float *)group->low[k])[i];
        high[k] = (four){0} + ((const float *)group->high[k])[i];
    }
    uint64_t found = 0;
    for (int first = (i + 1) / 4; first < group->fours; first += 8) {
        // eight fours at a time: bit 4 j + l of element l is box l of the j-th
        four_bits all = {0}, bit = {1, 2, 4, 8};
        for (int f = first; f < group->fours && f < first + 8; f++, bit <<= 4) {
            const four_bits x = (four_bits)(group->low[0][f] <= high[0]) & (four_bits)(low[0] <= group->high[0][f]);
            const four_bits y = (four_bits)(group->low[1][f] <= high[1]) & (four_bits)(low[1] <= group->high[1][f]);
            const four_bits z = (four_bits)(group->low[2][f] <= high[2]) & (four_bits)(low[2] <= group->high[2][f]);
            all |= x & y & z & bit;
        }
        const two_bits both = (two_bits)all;
        const uint64_t folded = both[0] | both[1];
        found |= ((folded | folded >> 32) & 0xffffffff) << (4 * first);
    }
    return found;
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

void tx_sweep_inside(const tx_aabb *boxes, const int *start, const uint64_t *meet, int from, int to, tx_aabb *around,
                     tx_pair_list *list) {
    for (int g = from; g < to; g++) {
        coarse_group group;
        around[g] = gather_group(boxes, start[g], start[g + 1], &group);
        for (int i = start[g]; i < start[g + 1]; i++)
            for (uint64_t left = overlapping(&group, i - start[g]) & meet[i]; left; left &= left - 1)
                compare(boxes, i, start[g] + __builtin_ctzll(left), list);
    }
}

void tx_sweep_between(tx_sweep *sweep, const tx_aabb *boxes, const int *start, const tx_aabb *around,
                      tx_pair_list *list, tx_box_pair *work, tx_arena scratch) {
    const int room = list->room, near = tx_sweep_run(sweep, around, work, room, scratch);
    for (int p = 0; p < near && p < room; p++) {
        const int a = work[p].a, b = work[p].b;
        int first[TX_GROUP_BOXES], second[TX_GROUP_BOXES];
        const int firsts = list_near(boxes, start[a], start[a + 1], &around[b], first);
        const int seconds = list_near(boxes, start[b], start[b + 1], &around[a], second);
        for (int i = 0; i < firsts; i++)
            for (int k = 0; k < seconds; k++) compare(boxes, first[i], second[k], list);
    }
    if (near > room && list->count <= room) list->count = near;
}
