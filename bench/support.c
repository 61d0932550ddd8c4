// support.c - the farthest corner of dense hulls, and the distance of two of them: searched through, climbed from
// corner 0 or the last one, and climbed from the direction table. Nanoseconds, medians, thread CPU time.
//   cc -O2 -ffp-contract=off -Isrc -Iinclude bench/support.c build/libthixis.a $(pkg-config --libs qhull_r) -lamd -lm
//   ./a.out [CSV]
#include <math.h>
#include <stdint.h>

#include "collide/convex.h"
#include "geometry/hull.h"
#include "geometry/vec3.h"
#include "measure.h"
#include "../tests/random.h"

enum { MOST = 10000, REPEATS = 9, QUERIES = 500 };

static uint64_t seed = 1;
static double between(double low, double high) { return random_between(&seed, low, high); }

static double thread_nanoseconds(void) { return 1e9 * seconds_of(CLOCK_THREAD_CPUTIME_ID); }

typedef enum way { SEARCH, CLIMB, TABLE, WAYS } way;
static const char *const way_names[WAYS] = {"search", "climb", "table"};

static tx_convex as(tx_convex shape, way how, const int *start) {
    shape.start = how == TABLE ? start : NULL;
    if (how == SEARCH) shape.first = NULL;
    return shape;
}

static double directions[QUERIES][3], offsets[QUERIES][3];
static volatile double sink;

static void ask_support(const tx_convex *s, double gap) {
    (void)gap;
    for (int i = 0; i < QUERIES; i++) {
        double at[3];
        tx_core_support(s, directions[i], at);
        sink = at[0];
    }
}

// two of the shape, `gap` of the size between the centres
static void ask_distance(const tx_convex *s, double gap) {
    tx_convex other = *s;
    for (int i = 0; i < QUERIES; i++) {
        tx_convex_result r;
        v3_scale(other.pos, offsets[i], gap);
        tx_convex_distance(s, &other, INFINITY, &r);
        sink = r.dist;
    }
}

static void measure(const char *what, void (*ask)(const tx_convex *s, double gap), double gap, const tx_convex *s,
                    const int *start, FILE *csv) {
    double middle[WAYS], time[REPEATS];
    for (way w = 0; w < WAYS; w++) {
        tx_convex shape = as(*s, w, start);
        for (int r = 0; r < REPEATS; r++) {
            double begin = thread_nanoseconds();
            ask(&shape, gap);
            time[r] = (thread_nanoseconds() - begin) / QUERIES;
        }
        middle[w] = median(time, REPEATS);
        if (csv) fprintf(csv, "%d,%s,%s,%.1f,%.1f\n", s->point_count, what, way_names[w], middle[w], time[0]);
    }
    printf("%6d corners  %-18s search %8.0f ns  climb %8.0f ns  table %8.0f ns\n", s->point_count, what, middle[SEARCH],
           middle[CLIMB], middle[TABLE]);
}

int main(int argc, char **argv) {
    static double points[MOST][3];
    static int start[TX_START_CELLS];
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (csv) fprintf(csv, "corners,query,way,median_ns,least_ns\n");
    for (int count = 100; count <= MOST; count *= 10) {
        tx_hull hull;
        for (int i = 0; i < count; i++) random_direction(&seed, points[i]);
        for (int i = 0; i < QUERIES; i++) random_direction(&seed, directions[i]), random_direction(&seed, offsets[i]);
        if (tx_hull_build(&hull, &points[0][0], count, 0) != TX_HULL_OK) return 1;
        tx_convex shape = {.mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        tx_convex_points(&shape, &points[0][0], hull.vertex_count, hull.vertex, hull.first, hull.neighbour);
        double begin = thread_nanoseconds();
        tx_start_fill(&shape, start);
        printf("%6d corners  the table is made in %.1f ms\n", count, 1e-6 * (thread_nanoseconds() - begin));
        measure("farthest corner", ask_support, 0, &shape, start, csv);
        measure("distance: apart", ask_distance, 2.2, &shape, start, csv);
        measure("distance: touching", ask_distance, 1.98, &shape, start, csv);
        measure("distance: deep", ask_distance, 1, &shape, start, csv);
        tx_hull_free(&hull);
    }
    if (csv) fclose(csv);
    return 0;
}
