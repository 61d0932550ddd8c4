// sparse.c - the block-sparse factorisation beside CHOLMOD's simplicial one, on graphs like those of settled scenes
//
//   gcc -std=gnu17 -O3 -mavx2 -mno-fma -mprefer-vector-width=128 -ffp-contract=off -fno-math-errno
//       -fno-tree-slp-vectorize -Isrc -Iinclude bench/sparse.c src/linalg/sparse.c -lcholmod -lamd -lm -o
//       build/bench_sparse
//
// Prints the best of many repeats, in turns, in one thread: ms, and GFlop/s of the Σ column² that a scalar code needs.
#define TX_LANES 1
#include "linalg/sparse.inl"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <suitesparse/cholmod.h>

enum { REPEATS = 300 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

typedef struct link {
    double length;
    int a, b;
} link;
static int by_length(const void *a, const void *b) {
    double x = ((const link *)a)->length, y = ((const link *)b)->length;
    return (x > y) - (x < y);
}

// bodies on a disturbed lattice of square layers; the `edges` nearest pairs touch, each with `points` raw pairs
static int *heap(int n, int edges, int points, int side) {
    uint64_t seed = 7;
    double(*x)[3] = malloc(sizeof *x * (size_t)n);
    link *links = malloc(sizeof(link) * (size_t)n * (size_t)n / 2);
    int count = 0;
    for (int i = 0, size = 1; i < n; i++, size = 1)
        for (int k = 0; k < 3; k++, size *= side)
            x[i][k] = (k == 2 ? i / size : i / size % side) + 0.5 * uniform(&seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double d = 0;
            for (int k = 0; k < 3; k++) d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
            links[count++] = (link){d, i, j};
        }
    qsort(links, (size_t)count, sizeof(link), by_length);
    int *pair = malloc(sizeof(int) * 2 * (size_t)(edges * points));
    for (int e = 0; e < edges * points; e++) pair[2 * e] = links[e / points].a, pair[2 * e + 1] = links[e / points].b;
    free(x), free(links);
    return pair;
}

static tx_arena arena(size_t size) {
    char *p = malloc(size);
    return (tx_arena){p, p + size};
}

// H of the pattern as CHOLMOD wants it: the lower triangle, in the order of elimination
static cholmod_sparse *lower(const tx_sparse *s, const double *H, cholmod_common *c) {
    int n = (int)s->unknowns;
    int *at = malloc(sizeof(int) * (size_t)s->blocks);
    for (int k = 0, sum = 0; k < s->blocks; k++) at[k] = sum, sum += s->width[s->block[k]];
    cholmod_triplet *t = cholmod_allocate_triplet((size_t)n, (size_t)n, s->h_numbers, -1, CHOLMOD_REAL, c);
    for (int col = 0; col < s->blocks; col++)
        for (int e = s->h_start[col]; e < s->h_start[col + 1]; e++) {
            int row = s->h_row[e], w = s->width[s->block[row]];
            for (int j = 0; j < s->width[s->block[col]]; j++)
                for (int i = row == col ? j : 0; i < w; i++, t->nnz++) {
                    ((int *)t->i)[t->nnz] = at[row] + i, ((int *)t->j)[t->nnz] = at[col] + j;
                    ((double *)t->x)[t->nnz] = H[s->h_at[e] + (size_t)(i + j * w)];
                }
        }
    cholmod_sparse *A = cholmod_triplet_to_sparse(t, 0, c);
    cholmod_free_triplet(&t, c);
    free(at);
    return A;
}

static void least(double *best, double time) {
    if (time < *best) *best = time;
}

static void measure(const char *name, int n, int edges, int points, int side) {
    int *pair = heap(n, edges, points, side), *width = malloc(sizeof(int) * (size_t)n);
    int *first = malloc(sizeof(int) * (size_t)n);
    for (int i = 0; i < n; i++) width[i] = 6, first[i] = 6 * i;
    tx_sparse_graph graph = {n, width, NULL, (size_t)(edges * points), pair};
    tx_arena scratch = arena(tx_sparse_scratch(n, graph.pairs)), memory = arena((size_t)64 << 20);
    tx_sparse s = {0};
    size_t need;
    tx_sparse_analyse(&graph, &s, memory, &need, scratch);

    double *H = calloc(s.h_numbers, sizeof(double)), *other = malloc(s.h_numbers * sizeof(double));
    double *L = malloc(s.l_numbers * sizeof(double)), *inv = malloc(s.unknowns * sizeof(double)),
           *x = calloc(s.unknowns, 8);
    int *work = malloc(sizeof(int) * tx_sparse_work(&s)), *stale = malloc(sizeof(int) * (size_t)n), done, bad = 0;
    uint64_t seed = 3;
    for (int c = 0; c < n; c++)
        for (int e = s.h_start[c]; e < s.h_start[c + 1]; e++)
            for (int k = 0; k < 36; k++)
                H[s.h_at[e] + (size_t)k] = uniform(&seed) - 0.5 + (s.h_row[e] == c && k % 7 == 0 ? 40 : 0);

    cholmod_common c;
    cholmod_start(&c);
    c.supernodal = CHOLMOD_SIMPLICIAL, c.final_ll = 1, c.nmethods = 1, c.method[0].ordering = CHOLMOD_AMD;
    cholmod_sparse *A = lower(&s, H, &c);
    double best[7];
    for (int k = 0; k < 7; k++) best[k] = 1e30;
    double flops = 0, entries = 0;
    for (int r = 0; r < REPEATS; r++) {
        double t0 = now();
        s.memory = NULL;
        tx_sparse_analyse(&graph, &s, memory, &need, scratch);
        double t1 = now();
        tx_sparse_analyse(&graph, &s, memory, &need, scratch);
        double t2 = now();
        bad |= sparse_factor(&s, H, L, inv, 0, s.panels, work) >= 0;
        double t3 = now();
        sparse_solve(&s, L, inv, first, x, 0, s.panels);
        double t4 = now();
        // one body in a hundred moves
        memcpy(other, H, s.h_numbers * sizeof(double));
        memset(stale, 0, (size_t)n * sizeof *stale);
        for (int i = r % 100; i < n; i += 100) {
            other[tx_sparse_find(&s, i, i).at] += 1;
            stale[s.panel_of[s.column[i]]] = 1;
        }
        double t5 = now();
        bad |= sparse_refactor(&s, other, L, inv, 0, s.panels, stale, &done, work) >= 0;
        double t6 = now();
        least(&best[0], t1 - t0), least(&best[1], t2 - t1), least(&best[2], t3 - t2), least(&best[3], t4 - t3);
        least(&best[4], t6 - t5);
        if (r < REPEATS / 5) {
            double t7 = now();
            cholmod_factor *f = cholmod_analyze(A, &c);
            double t8 = now();
            cholmod_factorize(A, f, &c);
            double t9 = now();
            least(&best[5], t8 - t7), least(&best[6], t9 - t8);
            flops = c.fl, entries = c.lnz;
            cholmod_free_factor(&f, &c);
        }
    }
    printf("%-12s %5d %5zu %5d panels  nnz(L) %4.0f k stored %4zu k %5.2f MFlop | analyse %.3f kept %.4f factor %.3f "
           "(%.2f GFlop/s) refactor 1%% %.3f solve %.3f | CHOLMOD analyse %.3f factor %.3f: x%.1f%s\n",
           name, n, s.edges, s.panels, entries / 1e3, s.l_numbers / 1000, flops / 1e6, best[0], best[1], best[2],
           flops / best[2] / 1e6, best[4], best[3], best[5], best[6], best[6] / best[2], bad ? " FAILED" : "");
    cholmod_free_sparse(&A, &c);
    cholmod_finish(&c);
    free(pair), free(width), free(first), free(H), free(other), free(L), free(inv), free(x), free(work), free(stale);
    free(scratch.at), free(memory.at);
}

int main(void) {
    measure("clutter 40", 40, 58, 3, 4);
    measure("cards", 100, 220, 4, 5);
    measure("clutter 200", 200, 450, 2, 8);
    measure("pile 343", 343, 414, 4, 7);
    measure("pile 1000", 1000, 1155, 4, 10);
    measure("dense pile", 1000, 2200, 4, 10);
    return 0;
}
