// broad.c - broad and narrow phase of piles, ours and Bullet's on the same poses. bench/collide compiles it.
//
//   broad pile OUT.csv PREFIX FRAMES CHECK          1,000 and 8,000 boxes and convex meshes; broad + narrow
//   broad growth OUT.csv PREFIX FRAMES OUT.svg      1e3 to 1e5 boxes in coherent motion
//   broad threads OUT.csv PREFIX FRAMES CHECK       the piles on 1 and 2 threads, wall clock, and whether the bits
//   agree
//
// Else one thread, thread CPU time. In every frame all boxes move a little, then both detect, in turns; poses are set
// outside the time. The ratio is formed frame by frame and the median counts.
#define _GNU_SOURCE
#include "broad_peer.h"
#include "measure.h"
#include "pile.h"
#include "thixis/plot.h"

enum { FRAMES_MAX = 1000, SIZES_MAX = 16 };
static const double MARGIN = 0.02; // of a pair [m]: Bullet's default threshold, ours half on each side

// ---- one frame ------------------------------------------------------------------------------------------------------

typedef struct run {
    pile p;
    tx_collider *collider;
    peer *peer;
    tx_hit *hits;
    int room, points, pairs;
    // the broad phase alone
    tx_aabb *boxes;
    tx_sweep sweep;
    tx_box_pair *found, *copy;
    void *order, *memory;
    tx_arena scratch;
    int found_count;
    double ours[FRAMES_MAX], peers[FRAMES_MAX], ratio[FRAMES_MAX], broad[FRAMES_MAX];
} run;

static double now(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

static void keep(void *context, const tx_candidate *pair, const tx_hit *hits, int count, int before) {
    run *r = context;
    (void)pair;
    for (int k = 0; k < count && before + k < r->room; k++) r->hits[before + k] = hits[k];
}

static double time_ours(run *r) {
    tx_geoms g = pile_geoms(&r->p);
    double start = now();
    tx_narrow narrow = tx_default_narrow();
    while ((r->points = tx_collider_run(r->collider, 0, &g, TX_BROADPHASE_SWEEP, &narrow, keep, r)) < 0)
        if (!tx_collider_grow(r->collider)) exit(1);
    double took = now() - start;
    tx_collider_candidates(r->collider, &r->pairs);
    return took;
}

static double time_peer(run *r) {
    peer_place(r->peer, r->p.pos, r->p.mat);
    double start = now();
    peer_detect(r->peer);
    return now() - start;
}

// boxes, sweep and canonical order; of boxes only
static double time_broad(run *r) {
    const pile *p = &r->p;
    const int n = p->count + 1;
    double start = now();
    for (int i = 0; i < n; i++)
        tx_aabb_shape(&r->boxes[i], TX_GEOM_BOX, p->size + 3 * i, p->pos + 3 * i, p->mat + 9 * i, p->margin[i]);
    r->found_count = tx_sweep_run(&r->sweep, r->boxes, r->found, r->room, r->scratch);
    tx_order_pairs(r->found, r->found_count, p->m->geom_body, n, r->copy, r->scratch);
    return now() - start;
}

static void *need(void *memory) {
    if (!memory) fprintf(stderr, "broad: out of memory\n"), exit(1);
    return memory;
}

// rock_margin: Bullet's margin around rocks [m]; negative: boxes
static run *run_create(int count, pile_kind kind, double rock_margin) {
    run *r = need(calloc(1, sizeof *r));
    if (!pile_create(&r->p, count, kind, 0)) need(NULL);
    bool rocks = rock_margin >= 0;
    if (rocks && !pile_make_rocks(&r->p)) need(NULL);
    const int n = count + 1;
    for (int i = 0; i < n; i++) r->p.margin[i] = MARGIN / 2;
    r->collider = need(tx_collider_create(r->p.m, 1));
    if (rocks) tx_collider_take_rings(r->collider, r->p.rings);
    r->peer = peer_create(n, r->p.size, r->p.pos, r->p.mat, MARGIN, rocks ? r->p.m->mesh_vert : NULL, PILE_ROCKS,
                          PILE_ROCK_POINTS, rock_margin);
    r->room = 100 * n;
    r->hits = need(calloc((size_t)r->room, sizeof *r->hits));
    size_t scratch = tx_sweep_scratch(n) + tx_order_scratch(n);
    r->boxes = need(calloc((size_t)n, sizeof *r->boxes));
    r->found = need(calloc((size_t)r->room, sizeof *r->found)),
    r->copy = need(calloc((size_t)r->room, sizeof *r->copy));
    r->order = need(malloc(tx_sweep_size(n))), r->memory = need(malloc(scratch));
    r->scratch = (tx_arena){r->memory, (char *)r->memory + scratch};
    tx_sweep_init(&r->sweep, n, r->order);
    return r;
}

static void run_destroy(run *r) {
    tx_collider_destroy(r->collider);
    pile_destroy(&r->p);
    free(r->hits), free(r->boxes), free(r->found), free(r->copy), free(r->order), free(r->memory);
    free(r);
}

// frames before the first are for warming up: caches, persistent orders, Bullet's tree
static void measure(run *r, int frames) {
    for (int f = -3; f < frames; f++) {
        pile_move(&r->p, f + 3);
        double ours = 0, peers = 0;
        for (int turn = 0; turn < 2; turn++) {
            if ((f + turn) & 1) ours = time_ours(r);
            else peers = time_peer(r);
        }
        double broad = r->p.m->geom_type[1] == TX_GEOM_BOX ? time_broad(r) : 0;
        if (f >= 0) r->ours[f] = ours, r->peers[f] = peers, r->ratio[f] = ours / peers, r->broad[f] = broad;
    }
}

// ---- piles ----------------------------------------------------------------------------------------------------------

static const char HEADER[] = "commit,pile,boxes,frames,peer,ms_ours,ms_broad,ms_peer,ratio,ratio_least,ratio_most,"
                             "pairs_ours,pairs_peer,points_ours,points_peer\n";

static double report(run *r, const char *name, int frames, FILE *csv, const char *prefix) {
    int pairs, points;
    peer_count(r->peer, &pairs, &points);
    double ours = median(r->ours, frames), broad = median(r->broad, frames), peers = median(r->peers, frames),
           ratio = median(r->ratio, frames);
    fprintf(csv, "%s,%s,%d,%d,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%d,%d,%d,%d\n", prefix, name, r->p.count, frames,
            peer_version(), 1e3 * ours, 1e3 * broad, 1e3 * peers, ratio, r->ratio[0], r->ratio[frames - 1], r->pairs,
            pairs, r->points, points);
    printf("%-18s %6d: ours %9.3f ms (broad %8.3f), Bullet %9.3f ms, ratio %.3f (%.3f to %.3f); pairs %d, %d; "
           "points %d, %d\n",
           name, r->p.count, 1e3 * ours, 1e3 * broad, 1e3 * peers, ratio, r->ratio[0], r->ratio[frames - 1], r->pairs,
           pairs, r->points, points);
    fflush(stdout);
    return ratio;
}

static int bench_piles(FILE *csv, const char *prefix, int frames, bool check) {
    static const int COUNTS[] = {1000, 8000};
    // rocks against Bullet's default margin, with which overlaps are mostly shallow for it, and without
    static const struct {
        const char *name;
        pile_kind kind;
        double rock_margin;
    } PILES[] = {{"settled boxes", PILE_SETTLED, -1},
                 {"falling boxes", PILE_FALLING, -1},
                 {"rocks; margin 0.04", PILE_SETTLED, 0.04},
                 {"rocks; margin 0", PILE_SETTLED, 0}};
    int missed = 0;
    fputs(HEADER, csv);
    for (size_t k = 0; k < sizeof PILES / sizeof PILES[0]; k++)
        for (int c = 0; c < 2; c++) {
            run *r = run_create(COUNTS[c], PILES[k].kind, PILES[k].rock_margin);
            measure(r, frames);
            missed += !(report(r, PILES[k].name, frames, csv, prefix) <= 1);
            run_destroy(r);
        }
    if (check) printf("%s: %d ratios above 1\n", missed ? "FAILED" : "PASSED", missed);
    return check && missed ? 3 : 0;
}

// ---- threads --------------------------------------------------------------------------------------------------------

static void detect(void *context, int item) {
    run **runs = context;
    time_ours(runs[item]);
}

// two environments with a pile each: one after the other, their pairs shared by the threads of a pool (as a
// simulation of one block has it), or one environment a thread (as one of several blocks has it)
typedef enum sharing { ALONE, PAIRS, BLOCKS, SHARINGS } sharing;
static const char *const sharing_names[SHARINGS] = {"1 thread", "2 threads, pairs shared",
                                                    "2 threads, an environment each"};

static double time_sharing(run **runs, sharing how, tx_pool *pool) {
    for (int e = 0; e < 2; e++)
        if (!tx_collider_share(runs[e]->collider, how == PAIRS ? pool : NULL)) need(NULL);
    double start = seconds_of(CLOCK_MONOTONIC);
    if (how == BLOCKS) tx_pool_run(pool, detect, runs, 2);
    for (int e = 0; e < 2 && how != BLOCKS; e++) detect(runs, e);
    return seconds_of(CLOCK_MONOTONIC) - start;
}

static bool same_points(const run *a, const tx_hit *hits, int points) {
    return a->points == points && memcmp(a->hits, hits, sizeof *hits * (size_t)points) == 0;
}

// one frame in all three ways; returns how many answers were not those of one thread
static int share_frame(run **runs, tx_pool *pool, tx_hit **alone, int frame, double took[SHARINGS]) {
    int points[2] = {0}, wrong = 0;
    for (int how = ALONE; how < SHARINGS; how++) {
        for (int e = 0; e < 2; e++) pile_move(&runs[e]->p, frame);
        took[how] = time_sharing(runs, how, pool);
        for (int e = 0; e < 2 && how == ALONE; e++) {
            points[e] = runs[e]->points;
            memcpy(alone[e], runs[e]->hits, sizeof(tx_hit) * (size_t)points[e]);
        }
        for (int e = 0; e < 2; e++) wrong += !same_points(runs[e], alone[e], points[e]);
    }
    return wrong;
}

// A frame counts when two cores were there before and after it. Returns how many answers were not those of one thread
static int bench_sharing(int count, bool rocks, FILE *csv, const char *prefix, int frames) {
    enum { WARM = 3, TRIES = 40 };
    static double took[SHARINGS][FRAMES_MAX], speed_up[SHARINGS][FRAMES_MAX];
    run *runs[2] = {run_create(count, PILE_SETTLED, rocks ? 0 : -1), run_create(count, PILE_FALLING, rocks ? 0 : -1)};
    tx_pool *pool = need(tx_pool_create(2));
    tx_hit *alone[2] = {need(malloc(sizeof(tx_hit) * (size_t)runs[0]->room)),
                        need(malloc(sizeof(tx_hit) * (size_t)runs[1]->room))};
    static double narrow[FRAMES_MAX]; // of the pairs shared, without boxes, sweep and order, which one thread does
    double one[SHARINGS], before = NAN;
    int wrong = 0, kept = 0, tries = 0;
    for (int f = 0; f < WARM; f++) wrong += share_frame(runs, pool, alone, f, one);
    for (; kept < frames && tries < TRIES * frames; tries++) {
        wrong += share_frame(runs, pool, alone, WARM + tries, one);
        double after = core_contention();
        for (int how = ALONE; how < SHARINGS; how++)
            took[how][kept] = one[how], speed_up[how][kept] = one[ALONE] / one[how];
        double broad = rocks ? NAN : time_broad(runs[0]) + time_broad(runs[1]);
        narrow[kept] = (one[ALONE] - broad) / (one[PAIRS] - broad);
        kept += before <= MOST_CONTENTION && after <= MOST_CONTENTION;
        before = after;
    }
    printf("2 x %5d %s: two cores were there in %d of %d frames; bits %s\n", count, rocks ? "rocks" : "boxes", kept,
           tries, wrong ? "DIFFER" : "agree");
    for (int how = ALONE; how < SHARINGS && kept; how++) {
        double seconds = median(took[how], kept), gain = median(speed_up[how], kept);
        printf("  %-32s %9.3f ms (least %.3f), speed-up %.2f\n", sharing_names[how], 1e3 * seconds, 1e3 * took[how][0],
               gain);
        fprintf(csv, "%s,%s,%d,%s,%.4f,%.3f,%d,%d,%d\n", prefix, rocks ? "rocks" : "boxes", count, sharing_names[how],
                1e3 * seconds, gain, wrong, kept, tries);
    }
    if (!rocks && kept) printf("  of these without boxes, sweep and order: %.2f\n", median(narrow, kept));
    fflush(stdout);
    for (int e = 0; e < 2; e++) free(alone[e]), run_destroy(runs[e]);
    tx_pool_destroy(pool);
    return wrong;
}

static int bench_threads(FILE *csv, const char *prefix, int frames) {
    int wrong = 0;
    fputs("commit,pile,bodies,how,ms,speed_up,answers_that_differ,frames,tries\n", csv);
    for (int rocks = 0; rocks < 2; rocks++)
        for (int count = 1000; count <= 8000; count *= 8) wrong += bench_sharing(count, rocks, csv, prefix, frames);
    if (wrong) printf("FAILED: %d answers differ from those of one thread\n", wrong);
    return wrong ? 3 : 0;
}

// ---- growth ---------------------------------------------------------------------------------------------------------

static int bench_growth(FILE *csv, const char *prefix, int frames, const char *svg) {
    static const int COUNTS[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000};
    enum { SIZES = sizeof COUNTS / sizeof COUNTS[0] };
    double boxes[SIZES], ours[SIZES], broad[SIZES], peers[SIZES];
    fputs(HEADER, csv);
    for (int c = 0; c < SIZES; c++) {
        run *r = run_create(COUNTS[c], PILE_SETTLED, -1);
        measure(r, frames);
        report(r, "growth", frames, csv, prefix);
        boxes[c] = COUNTS[c];
        // per box: a flat line is a cost that grows as the number of boxes
        ours[c] = 1e6 * r->ours[frames / 2] / COUNTS[c], broad[c] = 1e6 * r->broad[frames / 2] / COUNTS[c];
        peers[c] = 1e6 * r->peers[frames / 2] / COUNTS[c];
        run_destroy(r);
    }
    tx_plot_series series[] = {{"Bullet, broad + narrow", boxes, peers, SIZES},
                               {"ours, broad + narrow", boxes, ours, SIZES},
                               {"ours, broad", boxes, broad, SIZES}};
    tx_plot plot = {.title = "Collision of a settled pile, one thread",
                    .x_label = "boxes",
                    .y_label = "\xc2\xb5s per box and frame",
                    .series = series,
                    .series_count = 3,
                    .log_x = true,
                    .from_zero = true};
    return tx_plot_write_svg(&plot, svg) == TX_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    int frames = argc == 6 ? atoi(argv[4]) : 0;
    FILE *csv = frames > 0 && frames <= FRAMES_MAX ? fopen(argv[2], "a") : NULL;
    if (!csv) {
        fprintf(stderr,
                "usage: broad pile|threads OUT.csv PREFIX FRAMES CHECK | broad growth OUT.csv PREFIX FRAMES OUT.svg\n");
        return 2;
    }
    int status = strcmp(argv[1], "growth") == 0    ? bench_growth(csv, argv[3], frames, argv[5])
                 : strcmp(argv[1], "threads") == 0 ? bench_threads(csv, argv[3], frames)
                                                   : bench_piles(csv, argv[3], frames, atoi(argv[5]));
    return fclose(csv) == 0 ? status : 1;
}
