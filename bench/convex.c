// convex.c - GJK and EPA: nanoseconds a pair, ours, libccd's and FCL's, on the same random pairs. See bench/convex_run.
//   convex REPEATS PAIRS CSV
#include "convex.h"

#include <math.h>
#include <stdint.h>

#include <ccd/ccd.h>

#include "collide/convex.h"
#include "collide/pairs.h"
#include "geometry/hull.h"
#include "geometry/vec3.h"
#include "measure.h"
#include "../tests/random.h"

#define MOST_REPEATS 31
#define MOST_PAIRS   100000
// [m], of shapes about 1 m large: an answer farther from the truth is wrong
#define TOLERANCE 1e-6
// times as fast as any peer whose usual answer is right
#define WANTED 2

//-------------------------------------------------------------------------------------------------- random pairs

static uint64_t seed = 1;
static double between(double lo, double hi) { return random_between(&seed, lo, hi); }

static void random_polytope(bench_shape *s) {
    tx_hull hull;
    double points[BENCH_CORNERS][3];
    s->corners = 8 + (int)between(0, 53);
    for (int k = 0; k < s->corners; k++) {
        random_direction(&seed, points[k]);
        v3_scale(points[k], points[k], between(0.8, 1));
    }
    if (tx_hull_build(&hull, &points[0][0], s->corners, 0) != TX_HULL_OK) abort();
    s->corners = hull.vertex_count, s->faces = hull.face_count;
    for (int k = 0; k < s->corners; k++) v3_copy(s->corner[k], points[hull.vertex[k]]);
    tx_fours_fill(&s->corner[0][0], NULL, s->corners, s->fours);
    memcpy(s->face, hull.face, sizeof(int) * 3 * (size_t)hull.face_count);
    memcpy(s->edge, hull.neighbour, sizeof(int) * 3 * (size_t)hull.face_count);
    memcpy(s->edge_first, hull.first, sizeof(int) * (size_t)(hull.vertex_count + 1));
    tx_hull_free(&hull);
}

static void random_shape(bench_shape *s, int kind) {
    s->kind = kind;
    for (int i = 0; i < 3; i++) s->size[i] = between(0.3, 1);
    for (int i = 0; i < 3; i++) s->pos[i] = between(-1, 1);
    random_turn(&seed, s->mat);
    if (kind == BENCH_POLYTOPE) random_polytope(s);
}

//-------------------------------------------------------------------------------------------------- ours

static int corner_numbers[BENCH_CORNERS];      // every point is a corner
static const double mesh_reach[3] = {1, 1, 1}; // random polytopes are in the unit ball

static void ours_of(const bench_shape *s, tx_convex *out) {
    *out = (tx_convex){.core = TX_CORE_BOX};
    v3_copy(out->size, s->size);
    v3_copy(out->pos, s->pos);
    memcpy(out->mat, s->mat, sizeof s->mat);
    if (s->kind == BENCH_CYLINDER) out->core = TX_CORE_CYLINDER;
    if (s->kind == BENCH_CAPSULE) {
        out->core = TX_CORE_SEGMENT;
        out->radius = s->size[0];
        out->size[0] = s->size[1];
    }
    // as a mesh of a model has them
    if (s->kind == BENCH_POLYTOPE) {
        out->core = TX_CORE_POINTS;
        out->points = &s->corner[0][0], out->point_count = s->corners;
        out->fours = s->fours;
        out->first = s->edge_first, out->neighbour = s->edge, out->edge_count = 3 * s->faces;
    }
}

static tx_convex_result ours(const bench_pair *p, double limit) {
    tx_convex a, b;
    tx_convex_result r;
    ours_of(&p->a, &a);
    ours_of(&p->b, &b);
    tx_convex_distance(&a, &b, limit, &r);
    return r;
}

// the function of the narrow phase for these two, all points of contact: its least distance. Polytopes as meshes
static void shape_of(const bench_shape *s, tx_shape *out, tx_asset *asset) {
    static const int types[BENCH_KINDS] = {TX_GEOM_BOX, TX_GEOM_CAPSULE, TX_GEOM_CYLINDER, TX_GEOM_MESH};
    *out = (tx_shape){.type = types[s->kind], .size = s->size, .pos = s->pos, .mat = s->mat};
    if (s->kind != BENCH_POLYTOPE) return;
    *asset = (tx_asset){.vertex = &s->corner[0][0], .corner = corner_numbers, .corner_count = s->corners};
    asset->fours = s->fours;
    asset->edge_first = s->edge_first, asset->edge = s->edge, asset->edge_count = 3 * s->faces;
    asset->face = &s->face[0][0], asset->face_count = s->faces;
    out->size = mesh_reach;
    out->asset = asset;
}

static double ours_contacts(const bench_pair *p) {
    tx_shape a, b;
    tx_asset assets[2];
    tx_hit hits[TX_MAX_HITS];
    shape_of(&p->a, &a, &assets[0]);
    shape_of(&p->b, &b, &assets[1]);
    bool turned = a.type > b.type;
    int count = tx_pair_function(a.type, b.type)(turned ? &b : &a, turned ? &a : &b, 0, hits);
    double least = 0;
    for (int i = 0; i < count; i++) least = fmin(least, hits[i].dist);
    return least;
}

// distance of two capsules as the narrow phase has it
static double ours_pair_distance(const bench_pair *p) {
    tx_shape a, b;
    tx_asset none;
    tx_hit hits[TX_MAX_HITS];
    shape_of(&p->a, &a, &none);
    shape_of(&p->b, &b, &none);
    int count = tx_pair_function(a.type, b.type)(&a, &b, 10, hits);
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = fmin(least, hits[i].dist);
    return least;
}

//-------------------------------------------------------------------------------------------------- libccd

static void ccd_support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *out) {
    const bench_shape *s = object;
    double local[3], at[3] = {0}, world[3];
    m3_mul_transposed(local, s->mat, dir->v);
    if (s->kind == BENCH_BOX) {
        for (int i = 0; i < 3; i++) at[i] = local[i] >= 0 ? s->size[i] : -s->size[i];
    } else if (s->kind == BENCH_POLYTOPE) {
        // libccd leaves the search to its user: it gets ours
        v3_copy(at, s->corner[tx_fours_farthest(s->fours, s->corners, local)]);
    } else {
        at[2] = local[2] >= 0 ? s->size[1] : -s->size[1];
        double length = s->kind == BENCH_CAPSULE ? v3_length(local) : sqrt(local[0] * local[0] + local[1] * local[1]);
        for (int i = 0; i < (s->kind == BENCH_CAPSULE ? 3 : 2) && length > 0; i++)
            at[i] += s->size[0] * local[i] / length;
    }
    m3_mul(world, s->mat, at);
    v3_add(out->v, world, s->pos);
}

static ccd_t ccd_setup(double tolerance) {
    ccd_t c;
    CCD_INIT(&c);
    c.support1 = c.support2 = ccd_support;
    c.max_iterations = 5000;
    c.epa_tolerance = tolerance;
    return c;
}

static double ccd_depth(const bench_pair *p, double tolerance) {
    ccd_t c = ccd_setup(tolerance);
    ccd_real_t depth = 0;
    ccd_vec3_t dir, pos;
    return ccdGJKPenetration(&p->a, &p->b, &c, &depth, &dir, &pos) == 0 ? -depth : 0;
}

//-------------------------------------------------------------------------------------------------- the truth

#define DIRECTIONS 4000 // on a spiral around the sphere: 0.06 rad apart
#define VALLEYS    8    // best of them, from which the search goes on
#define FINEST     1e-9 // rad

// h(n) = max (A - B).n
static double reach(const bench_pair *p, const double n[3]) {
    ccd_vec3_t dir, back, on_a, on_b;
    v3_copy(dir.v, n);
    v3_scale(back.v, n, -1);
    ccd_support(&p->a, &dir, &on_a);
    ccd_support(&p->b, &back, &on_b);
    return v3_dot(on_a.v, n) - v3_dot(on_b.v, n);
}

// steps across n in eight directions, shorter where none helps
static double descend(const bench_pair *p, double n[3]) {
    double least = reach(p, n), t[2][3], axis[3] = {fabs(n[0]) < 0.6, !(fabs(n[0]) < 0.6), 0}, try[3];
    for (double step = 0.05; step > FINEST;) {
        bool better = false;
        v3_cross(t[0], n, axis);
        v3_normalise(t[0]);
        v3_cross(t[1], n, t[0]);
        for (int k = 0; k < 8 && !better; k++) {
            v3_along(try, n, t[0], step * cos(k * M_PI / 4));
            v3_along(try, try, t[1], step * sin(k * M_PI / 4));
            v3_normalise(try);
            double here = reach(p, try);
            if (!(here < least)) continue;
            least = here, better = true;
            v3_copy(n, try);
        }
        if (!better) step /= 2;
    }
    return least;
}

// The signed distance is -min h(n), also where they are apart. From a search over all directions, which would show a
// shorter way out that all programs miss but comes to rest in creases of h; and from the normal that we have
static double by_directions(const bench_pair *p, const double normal[3]) {
    double best[VALLEYS], from[VALLEYS][3], least = reach(p, normal);
    for (int k = 0; k < VALLEYS; k++) best[k] = INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) {
        double z = 1 - (2 * i + 1.0) / DIRECTIONS, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
        double n[3] = {r * cos(turn), r * sin(turn), z}, here = reach(p, n);
        int at = VALLEYS;
        for (; at > 0 && here < best[at - 1]; at--)
            if (at < VALLEYS) best[at] = best[at - 1], v3_copy(from[at], from[at - 1]);
        if (at < VALLEYS) best[at] = here, v3_copy(from[at], n);
    }
    for (int k = 0; k < VALLEYS; k++) least = fmin(least, descend(p, from[k]));
    return -least;
}

//-------------------------------------------------------------------------------------------------- the table

typedef double answer_fn(const bench_pair *p);

static double ours_full(const bench_pair *p) { return ours(p, INFINITY).dist; }
static double ours_apart(const bench_pair *p) { return ours(p, 0).dist > 0 ? 1 : -1; }
static double ccd_apart(const bench_pair *p) {
    ccd_t c = ccd_setup(1e-6);
    return ccdGJKIntersect(&p->a, &p->b, &c) ? -1 : 1;
}
// its tolerance is that of a square: depths of curved shapes are as good as its root
static double ccd_rough(const bench_pair *p) { return ccd_depth(p, 1e-6); }
static double ccd_exact(const bench_pair *p) { return ccd_depth(p, 1e-12); }
static double fcl_collide_ccd(const bench_pair *p) { return fcl_collide(p, 0); }
static double fcl_collide_own(const bench_pair *p) { return fcl_collide(p, 1); }
static double fcl_distance_ccd(const bench_pair *p) { return fcl_distance(p, 0); }
static double fcl_distance_own(const bench_pair *p) { return fcl_distance(p, 1); }

typedef struct program {
    const char *name;
    answer_fn *answer;
} program;

typedef enum place { APART, TOUCHING, DEEP, PLACES } place;
static const char *const place_names[PLACES] = {"apart", "touching", "deep"};

// the first is ours and what the others are compared with
static const program distance_programs[] = {
    {"thixis", ours_full}, {"fcl (libccd)", fcl_distance_ccd}, {"fcl (own)", fcl_distance_own}};
static const program depth_programs[] = {
    {"thixis", ours_full}, {"libccd 1e-6", ccd_rough}, {"libccd 1e-12", ccd_exact}, {"fcl (libccd)", fcl_distance_ccd}};
// what a narrow phase does: points of contact, FCL's up to 8. Here ours is the pair function (closed forms such as
// box-box, else GJK, EPA and a manifold), as FCL has its own for boxes
static const program contact_programs[] = {
    {"thixis pair", ours_contacts}, {"fcl collide", fcl_collide_ccd}, {"fcl own", fcl_collide_own}};
// where a pair has a closed form, the distance by it: FCL's own solver has one for capsules
static const program pair_programs[] = {{"thixis pair", ours_pair_distance}, {"fcl (own)", fcl_distance_own}};
static const program verdict_programs[] = {{"thixis", ours_apart}, {"libccd", ccd_apart}};

// B moved along the normal until the distance is as wished
static void put(bench_pair *p, place where) {
    double away[3], wish = where == APART ? between(0.05, 0.5) : where == TOUCHING ? -between(1e-4, 5e-3) : 0;
    random_direction(&seed, away);
    v3_along(p->b.pos, p->a.pos, away, where == DEEP ? between(0, 0.5) : 4);
    for (int i = 0; i < 6 && where != DEEP; i++) {
        tx_convex_result r = ours(p, INFINITY);
        v3_along(p->b.pos, p->b.pos, r.normal, wish - r.dist);
    }
    p->dist = by_directions(p, ours(p, INFINITY).normal);
}

static double thread_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

// the least ratio of those that count
static struct {
    double ratio;
    char what[128];
} least = {.ratio = INFINITY};

// GJK and EPA against a peer that answers the same question as well. Not: a mere yes or no, points of contact, and two
// capsules, for which FCL's own solver has a closed form
static bool counts(const program *programs, int k, const char *shapes, double usual_error) {
    bool closed_form = programs[k].answer == fcl_distance_own && !strcmp(shapes, "capsule-capsule");
    return k > 0 && (programs == distance_programs || programs == depth_programs) && usual_error <= TOLERANCE &&
           !closed_form;
}

static void run(const program *programs, int count, const bench_pair *pairs, int pair_count, int repeats,
                const char *shapes, const char *where, FILE *csv) {
    static double error[MOST_PAIRS];
    double time[8][MOST_REPEATS], ratio[8], sum = 0;
    bool verdict = programs == verdict_programs;
    // alternating, so that the machine's moods meet all
    for (int r = 0; r < repeats; r++)
        for (int k = 0; k < count; k++) {
            // twice, and the second counts: else each would pay for the caches that the one before filled
            for (int pass = 0; pass < 2; pass++) {
                double begin = thread_seconds();
                for (int i = 0; i < pair_count; i++) sum += programs[k].answer(&pairs[i]);
                time[k][r] = 1e9 * (thread_seconds() - begin) / pair_count;
            }
        }
    // of each round, before the medians sort the times
    for (int k = 0; k < count; k++) {
        double rounds[MOST_REPEATS];
        for (int r = 0; r < repeats; r++) rounds[r] = time[k][r] / time[0][r];
        ratio[k] = median(rounds, repeats);
    }
    for (int k = 0; k < count; k++) {
        double middle = median(time[k], repeats);
        int wrong = 0;
        for (int i = 0; i < pair_count; i++) {
            double answer = programs[k].answer(&pairs[i]);
            error[i] = verdict ? (answer > 0) != (pairs[i].dist > 0) : fabs(answer - pairs[i].dist);
            wrong += error[i] > TOLERANCE;
        }
        qsort(error, (size_t)pair_count, sizeof(double), by_size);
        double usual = error[pair_count / 2], worst = error[pair_count - 1];
        printf("%-18s %-18s %-13s %7.0f ns %6.2f x  error %7.1e (worst %7.1e), %d of %d wrong\n", shapes, where,
               programs[k].name, middle, ratio[k], usual, worst, wrong, pair_count);
        if (counts(programs, k, shapes, usual) && ratio[k] < least.ratio) {
            least.ratio = ratio[k];
            snprintf(least.what, sizeof least.what, "%s %s, %s", shapes, where, programs[k].name);
        }
        if (csv)
            fprintf(csv, "%s,%s,%s,%.1f,%.1f,%.1f,%.3f,%.3e,%.3e,%d,%d\n", shapes, where, programs[k].name, middle,
                    time[k][0], time[k][repeats - 1], ratio[k], usual, worst, wrong, pair_count);
    }
    if (!(sum == sum)) printf("a program answered NaN\n");
}

int main(int argc, char **argv) {
    static const char *const kinds[BENCH_KINDS] = {"box", "capsule", "cylinder", "polytope"};
    int repeats = argc > 1 ? atoi(argv[1]) : 15, count = argc > 2 ? atoi(argv[2]) : 300;
    FILE *csv = argc > 3 ? fopen(argv[3], "a") : NULL;
    if (repeats < 1 || repeats > MOST_REPEATS || count < 1 || count > MOST_PAIRS) return 2;
    bench_pair *pairs = calloc((size_t)count, sizeof *pairs);
    if (!pairs) return 1;
    for (int i = 0; i < BENCH_CORNERS; i++) corner_numbers[i] = i;
    if (csv)
        fprintf(csv,
                "shapes,place,program,median_ns,least_ns,most_ns,times_ours,median_error,worst_error,wrong,pairs\n");
    for (int a = 0; a < BENCH_KINDS; a++)
        for (int b = a; b < BENCH_KINDS; b++)
            for (int where = 0; where < PLACES; where++) {
                char shapes[64];
                snprintf(shapes, sizeof shapes, "%s-%s", kinds[a], kinds[b]);
                for (int i = 0; i < count; i++) {
                    random_shape(&pairs[i].a, a);
                    random_shape(&pairs[i].b, b);
                    put(&pairs[i], (place)where);
                    fcl_make(&pairs[i]);
                }
                if (where == APART) {
                    run(distance_programs, 3, pairs, count, repeats, shapes, "apart: distance", csv);
                    run(verdict_programs, 2, pairs, count, repeats, shapes, "apart: yes or no", csv);
                    if (a == BENCH_CAPSULE && b == BENCH_CAPSULE)
                        run(pair_programs, 2, pairs, count, repeats, shapes, "apart: closed form", csv);
                } else {
                    char contacts[64];
                    snprintf(contacts, sizeof contacts, "%s: contacts", place_names[where]);
                    run(depth_programs, 4, pairs, count, repeats, shapes, place_names[where], csv);
                    run(contact_programs, 3, pairs, count, repeats, shapes, contacts, csv);
                }
                for (int i = 0; i < count; i++) fcl_free(&pairs[i]);
            }
    free(pairs);
    if (csv) fclose(csv);
    bool good = least.ratio >= WANTED;
    printf("at equal accuracy at least %.2f x (%s): %s\n", least.ratio, least.what, good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
