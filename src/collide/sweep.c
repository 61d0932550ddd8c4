// sweep.c - sweep and prune: boxes sorted along the axis of largest spread, swept in columns across it.
//
// Sorting starts from the last order, so it costs little while things move little. One sweep along one axis would meet
// all boxes of a slice: n^(2/3) of a pile of n. Columns about two boxes wide across the axis keep that to a few. A box
// stands in all columns it reaches into; a pair counts in the first column that both reach into. Columns far apart
// share their memory, so one body that flies off does not make all columns wide. Boxes that would stand in many
// columns are swept against all others instead.
#include "collide/sweep.h"

#include <math.h>

enum {
    MOST_COLUMNS = 16, // that one box may stand in
    FEW_BOXES = 48,    // below: one column
    MOVES = 8,         // of insertion sort per box before it gives up
};

typedef struct keyed {
    double low;
    int box;
} keyed;

// a box along the axis (0) and across it (1, 2), and its first columns
typedef struct slab {
    double low[3], high[3];
    int box;
    int first[2], last[2]; // columns per direction
    bool large;            // stands in none
} slab;

// columns in one direction: `count` of them, a power of two, then the first again
typedef struct ruler {
    double per_metre;
    int count;
} ruler;

typedef struct pair_list {
    tx_box_pair *pairs;
    int count, room;
} pair_list;

size_t tx_sweep_size(int count) { return sizeof(int) * (size_t)count; }

size_t tx_sweep_scratch(int count) {
    size_t n = (size_t)count;
    return n * (2 * sizeof(keyed) + sizeof(slab) + sizeof(int) * (MOST_COLUMNS + 1)) + (4 * n + 8) * sizeof(int) +
           8 * 64;
}

void tx_sweep_init(tx_sweep *sweep, int count, void *memory) {
    *sweep = (tx_sweep){.count = count, .order = memory};
    for (int i = 0; i < count; i++) sweep->order[i] = i;
}

// ---- along the axis -------------------------------------------------------------------------------------------------

// the axis along which the centres vary most; the present one unless another is clearly better
static int choose_axis(const tx_aabb *boxes, int count, int present) {
    double sum[3] = {0}, squares[3] = {0}, spread[3];
    int used = 0, best = present;
    for (int i = 0; i < count; i++) {
        if (tx_aabb_is_empty(&boxes[i])) continue;
        used++;
        for (int k = 0; k < 3; k++) {
            double twice = boxes[i].low[k] + boxes[i].high[k];
            sum[k] += twice, squares[k] += twice * twice;
        }
    }
    for (int k = 0; k < 3; k++) spread[k] = used ? squares[k] - sum[k] * (sum[k] / used) : 0;
    for (int k = 0; k < 3; k++)
        if (spread[k] > 2 * spread[present] && spread[k] > spread[best]) best = k;
    return best;
}

static bool before(keyed x, keyed y) { return x.low < y.low || (x.low == y.low && x.box < y.box); }

// false: too far from sorted
static bool insertion_sort(keyed *list, int count) {
    long long left = (long long)MOVES * count;
    for (int i = 1; i < count; i++) {
        keyed moved = list[i];
        int k = i;
        for (; k > 0 && before(moved, list[k - 1]); k--) list[k] = list[k - 1];
        list[k] = moved;
        left -= i - k;
        if (left < 0) return false;
    }
    return true;
}

// bottom-up; the result is in one of the two lists
static keyed *merge_sort(keyed *list, int count, keyed *copy) {
    keyed *from = list, *to = copy;
    for (size_t run = 1, n = (size_t)count; run < n; run *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * run) {
            size_t middle = begin + run < n ? begin + run : n, end = begin + 2 * run < n ? begin + 2 * run : n;
            for (size_t i = begin, j = middle, k = begin; k < end; k++)
                to[k] = i == middle || (j < end && before(from[j], from[i])) ? from[j++] : from[i++];
        }
        keyed *swap = from;
        from = to, to = swap;
    }
    return from;
}

// writes the boxes in their order along the axis; returns how many are not empty
static int sort_boxes(tx_sweep *s, const tx_aabb *boxes, slab *sorted, tx_arena scratch) {
    const int n = s->count, axis = s->axis, from[3] = {axis, (axis + 1) % 3, (axis + 2) % 3};
    keyed *list = TX_TAKE(scratch, n, keyed), *copy = TX_TAKE(scratch, n, keyed);
    for (int i = 0; i < n; i++) list[i] = (keyed){boxes[s->order[i]].low[axis], s->order[i]};
    if (!insertion_sort(list, n)) list = merge_sort(list, n, copy);
    int used = 0;
    for (int i = 0; i < n; i++) {
        s->order[i] = list[i].box;
        const tx_aabb *box = &boxes[list[i].box];
        if (tx_aabb_is_empty(box)) continue;
        slab *to = &sorted[used++];
        to->box = list[i].box;
        for (int k = 0; k < 3; k++) to->low[k] = box->low[from[k]], to->high[k] = box->high[from[k]];
    }
    return used;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static void add_pair(pair_list *list, int a, int b) {
    if (list->count < list->room) list->pairs[list->count] = a < b ? (tx_box_pair){a, b} : (tx_box_pair){b, a};
    list->count++;
}

static bool overlap_across(const slab *a, const slab *b) {
    return (a->low[1] <= b->high[1]) & (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) &
           (b->low[2] <= a->high[2]);
}

// pairs with at least one large box: a large one meets all that begin within it, a small one the large that do
static void sweep_large(const slab *sorted, int count, const int *large, int large_count, pair_list *list) {
    for (int i = 0, next = 0; i < count && large_count > 0; i++) {
        const slab *a = &sorted[i];
        while (next < large_count && large[next] <= i) next++;
        if (a->large) {
            for (int k = i + 1; k < count && sorted[k].low[0] <= a->high[0]; k++)
                if (overlap_across(a, &sorted[k])) add_pair(list, a->box, sorted[k].box);
        } else {
            for (int k = next; k < large_count && sorted[large[k]].low[0] <= a->high[0]; k++)
                if (overlap_across(a, &sorted[large[k]])) add_pair(list, a->box, sorted[large[k]].box);
        }
    }
}

static int larger(int x, int y) { return x > y ? x : y; }

// where a column has its memory
static int column_index(const ruler rulers[2], int row, int column) {
    return (row & (rulers[0].count - 1)) * rulers[1].count + (column & (rulers[1].count - 1));
}

// pairs of the boxes of one column that no other column has
static void sweep_column(const slab *sorted, const int *members, int count, const ruler rulers[2], int index,
                         pair_list *list) {
    for (int i = 0; i < count; i++) {
        const slab *a = &sorted[members[i]];
        for (int k = i + 1; k < count; k++) {
            const slab *b = &sorted[members[k]];
            if (b->low[0] > a->high[0]) break;
            if (!overlap_across(a, b)) continue;
            int row = larger(a->first[0], b->first[0]), column = larger(a->first[1], b->first[1]);
            if (column_index(rulers, row, column) == index) add_pair(list, a->box, b->box);
        }
    }
}

// ---- columns --------------------------------------------------------------------------------------------------------

// mean size across the axis, without boxes much larger than the others
static double common_size(const slab *sorted, int count, int k) {
    double limit = INFINITY;
    for (int pass = 0, used = 0, before_pass = count; pass < 8; pass++) {
        double sum = 0;
        used = 0;
        for (int i = 0; i < count; i++) {
            double size = sorted[i].high[k] - sorted[i].low[k];
            if (size <= limit) sum += size, used++;
        }
        limit = used ? 4 * (sum / used) : 0;
        if (used == before_pass && pass > 0) break;
        before_pass = used;
    }
    return limit / 4;
}

static int power_of_two_above(double x) {
    int power = 1;
    while (power < x && power < 1 << 24) power *= 2;
    return power;
}

// columns about two boxes wide, so that most boxes stand in few; about as many of them as boxes at most
static void make_rulers(const slab *sorted, int count, ruler rulers[2]) {
    double wanted[2];
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY, width = 2 * common_size(sorted, count, k + 1);
        for (int i = 0; i < count; i++) {
            if (sorted[i].low[k + 1] < low) low = sorted[i].low[k + 1];
            if (sorted[i].high[k + 1] > high) high = sorted[i].high[k + 1];
        }
        bool useful = isfinite(1 / width) && (high - low) / width >= 2;
        rulers[k] = (ruler){useful ? 1 / width : 0, 1};
        wanted[k] = useful ? (high - low) / width : 1;
    }
    // what one direction does not need, the other may have
    rulers[0].count = power_of_two_above(fmin(wanted[0], sqrt(count)));
    rulers[1].count = power_of_two_above(fmin(wanted[1], (double)count / rulers[0].count));
    rulers[0].count = power_of_two_above(fmin(wanted[0], (double)count / rulers[1].count));
}

// boxes move little in a few steps: columns that fitted still do
static void take_rulers(tx_sweep *s, const slab *sorted, int count, ruler rulers[2]) {
    enum { LAST = 16 };
    if (s->columns_of != count || s->columns_left == 0) {
        make_rulers(sorted, count, rulers);
        for (int k = 0; k < 2; k++) s->per_metre[k] = rulers[k].per_metre, s->columns[k] = rulers[k].count;
        s->columns_of = count, s->columns_left = LAST;
    }
    s->columns_left--;
    for (int k = 0; k < 2; k++) rulers[k] = (ruler){s->per_metre[k], s->columns[k]};
}

// never falls as x grows, so boxes that overlap share a column
static int place_on(const ruler *r, double x) {
    const double most = 1 << 30;
    const double at = x * r->per_metre;
    if (!(at > -most && at < most)) return at > 0 ? (int)most : -(int)most;
    const int whole = (int)at;
    return whole - (at < whole);
}

// sets the columns of every box; returns how many boxes are large and lists them
static int choose_columns(slab *sorted, int count, const ruler rulers[2], int *large) {
    int large_count = 0;
    for (int i = 0; i < count; i++) {
        slab *s = &sorted[i];
        double columns = 1;
        bool twice = false; // in one column
        for (int k = 0; k < 2; k++) {
            s->first[k] = place_on(&rulers[k], s->low[k + 1]), s->last[k] = place_on(&rulers[k], s->high[k + 1]);
            double span = (double)s->last[k] - s->first[k] + 1;
            columns *= span, twice = twice || span > rulers[k].count;
        }
        s->large = twice || columns > MOST_COLUMNS;
        if (s->large) large[large_count++] = i;
    }
    return large_count;
}

// counts the boxes of every column, or puts them there: `first` is where the next one goes
static void fill_columns(const slab *sorted, int count, const ruler rulers[2], int *first, int *members) {
    for (int i = 0; i < count; i++) {
        const slab *s = &sorted[i];
        for (int row = s->first[0]; !s->large && row <= s->last[0]; row++)
            for (int column = s->first[1]; column <= s->last[1]; column++) {
                int index = column_index(rulers, row, column);
                if (members) members[first[index]++] = i;
                else first[index + 1]++;
            }
    }
}

static void sweep_columns(const slab *sorted, int count, const ruler rulers[2], pair_list *list, tx_arena scratch) {
    const int columns = rulers[0].count * rulers[1].count;
    int *first = TX_TAKE(scratch, columns + 1, int), *members = TX_TAKE(scratch, (size_t)count * MOST_COLUMNS, int);
    for (int c = 0; c <= columns; c++) first[c] = 0;
    fill_columns(sorted, count, rulers, first, NULL);
    for (int c = 0; c < columns; c++) first[c + 1] += first[c];
    fill_columns(sorted, count, rulers, first, members);
    // first[c] is now where column c ends
    for (int c = 0, begin = 0; c < columns; begin = first[c], c++)
        sweep_column(sorted, members + begin, first[c] - begin, rulers, c, list);
}

int tx_sweep_run(tx_sweep *s, const tx_aabb *boxes, tx_box_pair *pairs, int room, tx_arena scratch) {
    if (s->count < 2) return 0;
    slab *sorted = TX_TAKE(scratch, s->count, slab);
    int *large = TX_TAKE(scratch, s->count, int);
    const int axis = choose_axis(boxes, s->count, s->axis);
    if (axis != s->axis) s->axis = axis, s->columns_left = 0;
    int count = sort_boxes(s, boxes, sorted, scratch);
    ruler rulers[2] = {{0, 1}, {0, 1}};
    if (count >= FEW_BOXES) take_rulers(s, sorted, count, rulers);
    pair_list list = {pairs, 0, room};
    int large_count = choose_columns(sorted, count, rulers, large);
    sweep_large(sorted, count, large, large_count, &list);
    sweep_columns(sorted, count, rulers, &list, scratch);
    return list.count;
}
