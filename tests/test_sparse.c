// test_sparse.c - the block-sparse Cholesky against a dense one in long double on random block graphs; order and bits
// do not depend on how the graph is told. Residuals |H x - b| <= 10 n eps |H| |x| (Higham 2002, theorem 10.4).
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "sparse_target.h"

enum { MOST_BLOCKS = 60, MOST_PAIRS = 4000, MOST_UNKNOWNS = MOST_BLOCKS * TX_SPARSE_WIDTH, MEMORY = 1 << 20 };

static int below(uint64_t *seed, int n) { return (int)random_between(seed, 0, n); }

// ---- problems -------------------------------------------------------------------------------------------------------

typedef struct problem {
    tx_sparse_graph graph;
    int width[MOST_BLOCKS], group[MOST_BLOCKS], pair[2 * MOST_PAIRS];
    int first[MOST_BLOCKS], size; // where a block begins in the caller's vector; its length, with gaps
    tx_sparse s;
    double *H, *L, *inv;
    int *work;
    tx_arena memory, scratch;
} problem;

static tx_arena arena(size_t size) {
    char *p = malloc(size);
    assert_non_null(p);
    return (tx_arena){p, p + size};
}

static problem *new_problem(void) {
    problem *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->memory = arena(MEMORY);
    p->scratch = arena(tx_sparse_scratch(MOST_BLOCKS, MOST_PAIRS));
    return p;
}
static void free_numbers(problem *p) { free(p->H), free(p->L), free(p->inv), free(p->work); }
static void free_problem(problem *p) {
    free_numbers(p);
    free(p->memory.at), free(p->scratch.at), free(p);
}

static void link_blocks(problem *p, int a, int b) {
    if (a == b || p->group[a] != p->group[b]) return;
    assert_true(p->graph.pairs < MOST_PAIRS);
    p->pair[2 * p->graph.pairs] = a, p->pair[2 * p->graph.pairs + 1] = b;
    p->graph.pairs++;
}

// the kinds of graph
enum { CHAIN, GRID, STAR, ARROW, SCATTER, FULL, NO_EDGES, KINDS };

static void link_all(problem *p, int kind, uint64_t *seed) {
    const int n = p->graph.blocks;
    int side = (int)sqrt((double)n);
    for (int i = 0; i < n; i++) {
        if (kind == CHAIN && i > 0) link_blocks(p, i, i - 1);
        if (kind == GRID && i % side > 0) link_blocks(p, i - 1, i);
        if (kind == GRID && i >= side) link_blocks(p, i, i - side);
        if (kind == STAR && i > 0) link_blocks(p, 0, i);
        if (kind == ARROW && i > 0) link_blocks(p, i - 1, i), link_blocks(p, i, n / 2);
        for (int k = 0; kind == SCATTER && k < 2; k++) link_blocks(p, i, below(seed, n));
        for (int k = 0; kind == FULL && k < i; k++) link_blocks(p, k, i);
    }
}

// all widths six, all the same, or mixed; one group or several; blocks stand in the vector backwards with gaps
static void random_graph(problem *p, int n, int kind, uint64_t *seed) {
    int same = below(seed, 3), width = same == 0 ? 6 : 1 + below(seed, TX_SPARSE_WIDTH), groups = 1 + below(seed, 3);
    p->graph = (tx_sparse_graph){n, p->width, groups == 1 ? NULL : p->group, 0, p->pair};
    p->size = 0;
    for (int i = 0; i < n; i++) {
        p->width[i] = same == 2 ? 1 + below(seed, TX_SPARSE_WIDTH) : width;
        p->group[i] = groups == 1 ? 0 : (i * 7 % 5) % groups % n;
    }
    for (int i = n - 1; i >= 0; i--) p->first[i] = p->size, p->size += p->width[i] + i % 2;
    link_all(p, kind, seed);
}

static void analyse(problem *p) {
    size_t need;
    tx_sparse_result result = tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch);
    assert_int_equal(result, TX_SPARSE_NEW);
    free_numbers(p);
    p->H = calloc(p->s.h_numbers + 1, sizeof(double)), p->L = calloc(p->s.l_numbers + 1, sizeof(double));
    p->inv = calloc(p->s.unknowns + 1, sizeof(double)), p->work = calloc(tx_sparse_work(&p->s) + 1, sizeof(int));
    assert_true(p->H && p->L && p->inv && p->work);
}

// adds J Jᵀ over the unknowns of blocks i and j, as a contact does
static void add_contact(problem *p, int i, int j, uint64_t *seed) {
    double J[2][TX_SPARSE_WIDTH];
    const int ends[2] = {i, j};
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < TX_SPARSE_WIDTH; k++) J[e][k] = random_between(seed, -1, 1);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b <= a; b++) {
            tx_sparse_place at = tx_sparse_find(&p->s, ends[a], ends[b]);
            assert_true(at.at != SIZE_MAX);
            const double *row = at.transposed ? J[b] : J[a], *column = at.transposed ? J[a] : J[b];
            int rows = p->width[at.transposed ? ends[b] : ends[a]],
                columns = p->width[at.transposed ? ends[a] : ends[b]];
            assert_int_equal(at.stride, rows);
            for (int c = 0; c < columns; c++)
                for (int r = 0; r < rows; r++) p->H[at.at + (size_t)(r + c * at.stride)] += row[r] * column[c];
        }
}

static void random_numbers(problem *p, uint64_t *seed) {
    memset(p->H, 0, sizeof(double) * p->s.h_numbers);
    for (int i = 0; i < p->graph.blocks; i++) {
        tx_sparse_place at = tx_sparse_find(&p->s, i, i);
        for (int k = 0; k < p->width[i]; k++)
            p->H[at.at + (size_t)(k * at.stride + k)] = pow(10, random_between(seed, -2, 1));
    }
    for (size_t k = 0; k < p->graph.pairs; k++) add_contact(p, p->pair[2 * k], p->pair[2 * k + 1], seed);
}

// ---- the oracle: dense, long double
// -----------------------------------------------------------------------------------

static double dense[MOST_UNKNOWNS][MOST_UNKNOWNS];
static int where[MOST_BLOCKS]; // of a block in the dense matrix

static int make_dense(const problem *p) {
    int n = 0;
    for (int i = 0; i < p->graph.blocks; i++) where[i] = n, n += p->width[i];
    for (int i = 0; i < p->graph.blocks; i++)
        for (int j = 0; j < p->graph.blocks; j++) {
            tx_sparse_place at = tx_sparse_find(&p->s, i, j);
            for (int r = 0; r < p->width[i]; r++)
                for (int c = 0; c < p->width[j]; c++) {
                    int across = at.transposed || (i == j && r < c);
                    size_t k = at.at + (size_t)(across ? c + r * at.stride : r + c * at.stride);
                    dense[where[i] + r][where[j] + c] = at.at == SIZE_MAX ? 0 : p->H[k];
                }
        }
    return n;
}

static void oracle_solve(const double *b, long double *x, int n) {
    static long double U[MOST_UNKNOWNS][MOST_UNKNOWNS];
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            long double t = dense[i][j];
            for (int k = 0; k < i; k++) t -= U[k][i] * U[k][j];
            if (i == j) assert_true(t > 0);
            U[i][j] = i == j ? sqrtl(t) : t / U[i][i];
        }
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= U[k][i] * x[k];
        x[i] /= U[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= U[i][k] * x[k];
        x[i] /= U[i][i];
    }
}

// ---- facts about the numbers
// ------------------------------------------------------------------------------------------

static void check_solution(problem *p, uint64_t *seed) {
    static double b[MOST_UNKNOWNS], x[MOST_UNKNOWNS + MOST_BLOCKS], y[MOST_UNKNOWNS];
    static long double exact[MOST_UNKNOWNS];
    int n = make_dense(p);
    for (int k = 0; k < n; k++) b[k] = random_between(seed, -1, 1);
    for (int k = 0; k < p->size; k++) x[k] = 77;
    for (int i = 0; i < p->graph.blocks; i++)
        for (int r = 0; r < p->width[i]; r++) x[p->first[i] + r] = b[where[i] + r];
    sparse_plain.solve(&p->s, p->L, p->inv, p->first, x, 0, p->s.panels);
    for (int i = 0; i < p->graph.blocks; i++) {
        for (int r = 0; r < p->width[i]; r++) y[where[i] + r] = x[p->first[i] + r];
        if (i % 2) assert_true(x[p->first[i] + p->width[i]] == 77); // gaps are left alone
    }
    oracle_solve(b, exact, n);
    long double worst = 0, norm = 0, top = 0, error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        long double r = -(long double)b[i], row = 0;
        for (int j = 0; j < n; j++) r += (long double)dense[i][j] * y[j], row += fabsl((long double)dense[i][j]);
        worst = fmaxl(worst, fabsl(r)), norm = fmaxl(norm, row), top = fmaxl(top, fabsl((long double)y[i]));
        error = fmaxl(error, fabsl(exact[i] - y[i])), size = fmaxl(size, fabsl(exact[i]));
    }
    assert_true(worst <= 10 * n * DBL_EPSILON * norm * top);
    assert_true(error <= 1e-10L * size); // condition numbers up to about 1e5
}

static void solves_like_a_dense_one(void **state) {
    problem *p = new_problem();
    uint64_t seed = 1;
    for (int trial = 0; trial < 150; trial++) {
        random_graph(p, 1 + below(&seed, trial % 10 == 0 ? MOST_BLOCKS : 25), trial % KINDS, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        random_numbers(p, &seed);
        assert_int_equal(sparse_plain.factor(&p->s, p->H, p->L, p->inv, 0, p->s.panels, p->work), -1);
        check_solution(p, &seed);
    }
    free_problem(p);
}

static bool has_avx2(void) {
#if defined(__x86_64__) && !defined(TX_NO_X86)
    return __builtin_cpu_supports("avx2");
#else
    return true; // compiled like the plain one
#endif
}

static void same_bits_with_wider_vectors_and_by_groups(void **state) {
    problem *p = new_problem();
    uint64_t seed = 2;
    for (int trial = 0; trial < 100; trial++) {
        random_graph(p, 1 + below(&seed, MOST_BLOCKS), trial % KINDS, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        random_numbers(p, &seed);
        assert_int_equal(sparse_plain.factor(&p->s, p->H, p->L, p->inv, 0, p->s.panels, p->work), -1);
        double *L = calloc(p->s.l_numbers + 1, sizeof(double)), *inv = calloc(p->s.unknowns + 1, sizeof(double));
        double x[2][MOST_UNKNOWNS + MOST_BLOCKS];
        for (int k = 0; k < p->size; k++) x[0][k] = x[1][k] = random_between(&seed, -1, 1);
        sparse_plain.solve(&p->s, p->L, p->inv, p->first, x[0], 0, p->s.panels);
        const sparse_target *wide = has_avx2() ? &sparse_avx2 : &sparse_plain;
        // the last group first
        for (int g = p->s.groups - 1; g >= 0; g--) {
            int from = p->s.group_panel[g], to = p->s.group_panel[g + 1];
            assert_int_equal(wide->factor(&p->s, p->H, L, inv, from, to, p->work), -1);
            wide->solve(&p->s, L, inv, p->first, x[1], from, to);
        }
        assert_memory_equal(L, p->L, sizeof(double) * p->s.l_numbers);
        assert_memory_equal(inv, p->inv, sizeof(double) * p->s.unknowns);
        assert_memory_equal(x[0], x[1], sizeof(double) * (size_t)p->size);
        free(L), free(inv);
    }
    free_problem(p);
}

// marks the panels whose numbers differ between two H, then refactors
static int refactor(const problem *p, const double *before, int *done) {
    const tx_sparse *s = &p->s;
    int *stale = calloc((size_t)s->panels + 1, sizeof(int));
    for (int k = 0; k < s->panels; k++) {
        size_t at = s->h_at[s->h_start[s->panel_column[k]]], end = s->h_at[s->h_start[s->panel_column[k + 1]]];
        stale[k] = memcmp(p->H + at, before + at, sizeof(double) * (end - at)) != 0;
    }
    int bad = sparse_plain.refactor(s, p->H, p->L, p->inv, 0, s->panels, stale, done, p->work);
    for (int k = 0; k < s->panels; k++) assert_int_equal(stale[k], 0);
    free(stale);
    return bad;
}

static void refactoring_gives_the_bits_of_factoring(void **state) {
    problem *p = new_problem();
    uint64_t seed = 3;
    int saved = 0;
    for (int trial = 0; trial < 60; trial++) {
        random_graph(p, 2 + below(&seed, MOST_BLOCKS - 2), trial % KINDS, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        random_numbers(p, &seed);
        size_t h = sizeof(double) * p->s.h_numbers, l = sizeof(double) * p->s.l_numbers;
        double *before = malloc(h), *L = malloc(l + 1), *inv = calloc(p->s.unknowns, sizeof(double));
        assert_int_equal(sparse_plain.factor(&p->s, p->H, p->L, p->inv, 0, p->s.panels, p->work), -1);
        for (int change = 0; change < 6; change++) {
            memcpy(before, p->H, h);
            if (change > 0 && p->graph.pairs > 0) { // no change at first, then some contacts more
                int k = below(&seed, (int)p->graph.pairs);
                add_contact(p, p->pair[2 * k], p->pair[2 * k + 1], &seed);
            } else if (change > 0) p->H[tx_sparse_find(&p->s, 0, 0).at] += 1;
            int done = -1;
            assert_int_equal(refactor(p, before, &done), -1);
            assert_true(change == 0 ? done == 0 : done > 0 && done <= p->s.panels);
            saved += p->s.panels - done;
            assert_int_equal(sparse_plain.factor(&p->s, p->H, L, inv, 0, p->s.panels, p->work), -1);
            assert_memory_equal(L, p->L, l);
            assert_memory_equal(inv, p->inv, sizeof(double) * p->s.unknowns);
        }
        free(before), free(L), free(inv);
    }
    assert_true(saved > 1000);
    free_problem(p);
}

static void a_bad_pivot_is_reported(void **state) {
    problem *p = new_problem();
    uint64_t seed = 4;
    const double bad[] = {-1, 0, NAN, INFINITY, -INFINITY};
    for (int trial = 0; trial < 70; trial++) {
        random_graph(p, 2 + below(&seed, 30), trial % KINDS, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        random_numbers(p, &seed);
        // a block without a contribution of its own has a pivot of exactly this value, or smaller
        int block = below(&seed, p->graph.blocks), k = below(&seed, p->width[block]);
        tx_sparse_place at = tx_sparse_find(&p->s, block, block);
        p->H[at.at + (size_t)(k * at.stride + k)] = bad[trial % 5];
        int reported = sparse_plain.factor(&p->s, p->H, p->L, p->inv, 0, p->s.panels, p->work);
        assert_int_equal(reported, block);
        // so it is when only that block has changed
        double *before = malloc(sizeof(double) * p->s.h_numbers);
        memcpy(before, p->H, sizeof(double) * p->s.h_numbers);
        before[at.at + (size_t)(k * at.stride + k)] = 1e9;
        assert_int_equal(sparse_plain.factor(&p->s, before, p->L, p->inv, 0, p->s.panels, p->work), -1);
        int done;
        reported = refactor(p, before, &done);
        assert_int_equal(reported, block);
        free(before);
    }
    free_problem(p);
}

// ---- facts about the pattern
// ------------------------------------------------------------------------------------------

static void same_pattern(const tx_sparse *a, const tx_sparse *b) {
    assert_int_equal(a->panels, b->panels);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->l_numbers, b->l_numbers);
    if (a->blocks == 0) return;
    assert_memory_equal(a->column, b->column, sizeof(int) * (size_t)a->blocks);
    assert_memory_equal(a->h_row, b->h_row, sizeof(int) * ((size_t)a->blocks + a->edges));
    assert_memory_equal(a->panel_column, b->panel_column, sizeof(int) * ((size_t)a->panels + 1));
    assert_memory_equal(a->row, b->row, sizeof(int) * (size_t)a->row_start[a->panels]);
}

static void shuffle_pairs(problem *p, uint64_t *seed) {
    for (int k = (int)p->graph.pairs - 1; k >= 0; k--) {
        int j = below(seed, k + 1), turn = below(seed, 2);
        for (int e = 0; e < 2; e++) {
            int t = p->pair[2 * k + e];
            p->pair[2 * k + e] = p->pair[2 * j + (e ^ turn)], p->pair[2 * j + (e ^ turn)] = t;
        }
    }
}

static void the_order_of_pairs_does_not_matter(void **state) {
    problem *p = new_problem(), *q = new_problem();
    uint64_t seed = 5;
    for (int trial = 0; trial < 70; trial++) {
        random_graph(p, 1 + below(&seed, MOST_BLOCKS), trial % KINDS, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        memcpy(q->pair, p->pair, sizeof p->pair);
        q->graph = p->graph, q->graph.pair = q->pair;
        for (size_t k = 0, end = p->graph.pairs; k < end && q->graph.pairs < MOST_PAIRS; k += 3, q->graph.pairs++)
            memcpy(q->pair + 2 * q->graph.pairs, q->pair + 2 * k, sizeof(int[2]));
        shuffle_pairs(q, &seed);
        size_t need;
        q->s = (tx_sparse){0};
        assert_int_equal(tx_sparse_analyse(&q->graph, &q->s, q->memory, &need, q->scratch), TX_SPARSE_NEW);
        same_pattern(&p->s, &q->s);
        // told again it is the same graph; with one edge less or another width it is not
        assert_int_equal(tx_sparse_analyse(&q->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_KEPT);
        q->graph.width = q->width;
        memcpy(q->width, p->width, sizeof p->width);
        q->width[0] = q->width[0] % TX_SPARSE_WIDTH + 1;
        assert_int_equal(tx_sparse_analyse(&q->graph, &q->s, q->memory, &need, q->scratch), TX_SPARSE_NEW);
        if (p->graph.pairs == 0) continue;
        int a = p->pair[0], b = p->pair[1];
        size_t kept = 0;
        for (size_t k = 0; k < p->graph.pairs; k++) {
            int *pair = p->pair + 2 * k;
            if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) continue;
            memmove(p->pair + 2 * kept++, pair, sizeof(int[2]));
        }
        p->graph.pairs = kept;
        size_t edges = p->s.edges;
        assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_NEW);
        assert_int_equal(p->s.edges, edges - 1);
    }
    free_problem(p), free_problem(q);
}

static void groups_are_contiguous_and_stand_alone(void **state) {
    problem *p = new_problem(), *q = new_problem();
    uint64_t seed = 6;
    for (int trial = 0; trial < 70; trial++) {
        random_graph(p, 2 + below(&seed, MOST_BLOCKS - 2), trial % KINDS, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        const tx_sparse *s = &p->s;
        assert_int_equal(s->group_panel[0], 0);
        assert_int_equal(s->group_panel[s->groups], s->panels);
        for (int g = 0; g < s->groups; g++) {
            for (int c = s->panel_column[s->group_panel[g]]; c < s->panel_column[s->group_panel[g + 1]]; c++)
                assert_int_equal(s->group[s->block[c]], g);
            // alone, the group is eliminated in the same order
            int name[MOST_BLOCKS], n = 0;
            q->graph = (tx_sparse_graph){0, q->width, NULL, 0, q->pair};
            memset(q->group, 0, sizeof q->group);
            for (int i = 0; i < s->blocks; i++)
                if (s->group[i] == g) q->width[n] = s->width[i], name[i] = n++;
            q->graph.blocks = n;
            for (size_t k = 0; k < p->graph.pairs; k++)
                if (s->group[p->pair[2 * k]] == g) link_blocks(q, name[p->pair[2 * k]], name[p->pair[2 * k + 1]]);
            q->s = (tx_sparse){0};
            analyse(q);
            for (int c = 0; c < n; c++) {
                int block = s->block[s->panel_column[s->group_panel[g]] + c];
                assert_int_equal(q->s.block[c], name[block]);
            }
        }
    }
    free_problem(p), free_problem(q);
}

// a chain has no fill; of a star the middle is eliminated last
static void known_orders(void **state) {
    problem *p = new_problem();
    uint64_t seed = 7;
    for (int n = 1; n <= MOST_BLOCKS; n++) {
        random_graph(p, n, CHAIN, &seed);
        p->graph.group = NULL, p->graph.pairs = 0;
        memset(p->group, 0, sizeof p->group);
        for (int i = 0; i < n; i++) p->width[i] = 6;
        link_all(p, CHAIN, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        size_t blocks = 0; // of L below the diagonal
        for (int k = 0; k < p->s.panels; k++) {
            int columns = p->s.panel_column[k + 1] - p->s.panel_column[k],
                rows = p->s.row_start[k + 1] - p->s.row_start[k];
            blocks += (size_t)(columns * (columns - 1) / 2 + columns * rows);
        }
        assert_int_equal(blocks, n - 1);
        p->graph.pairs = 0;
        link_all(p, STAR, &seed);
        p->s = (tx_sparse){0};
        analyse(p);
        if (n > 3) assert_true(p->s.column[0] >= n - 2); // the last two may be either way round
    }
    free_problem(p);
}

static void nothing_and_one_block(void **state) {
    problem *p = new_problem();
    p->graph = (tx_sparse_graph){0, NULL, NULL, 0, NULL};
    analyse(p);
    assert_true(p->s.panels == 0 && p->s.groups == 0 && p->s.l_numbers == 0 && p->s.h_numbers == 0);
    assert_int_equal(sparse_plain.factor(&p->s, p->H, p->L, p->inv, 0, 0, p->work), -1);
    sparse_plain.solve(&p->s, p->L, p->inv, p->first, NULL, 0, 0);

    p->width[0] = 1;
    p->graph = (tx_sparse_graph){1, p->width, NULL, 0, NULL};
    analyse(p);
    p->H[tx_sparse_find(&p->s, 0, 0).at] = 4;
    double x = 6;
    assert_int_equal(sparse_plain.factor(&p->s, p->H, p->L, p->inv, 0, 1, p->work), -1);
    sparse_plain.solve(&p->s, p->L, p->inv, p->first, &x, 0, 1);
    assert_true(p->L[0] == 2 && p->inv[0] == 0.5 && x == 1.5);
    free_problem(p);
}

static void too_little_room_is_reported(void **state) {
    problem *p = new_problem();
    uint64_t seed = 8;
    random_graph(p, 40, SCATTER, &seed);
    size_t need = 1, again;
    memset(p->memory.at, 0x5a, MEMORY);
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, (tx_arena){0}, &need, p->scratch), TX_SPARSE_ROOM);
    assert_true(need > 64 && need < MEMORY);
    // in steps up to the room it takes, from a base that is not aligned
    char *base = p->memory.at + 8;
    for (size_t room = 0; room < need - 64; room += 8) {
        tx_arena small = {base, base + room};
        assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, small, &again, p->scratch), TX_SPARSE_ROOM);
        assert_int_equal(again, need);
    }
    for (size_t k = 0; k < MEMORY; k++) assert_true(p->memory.at[k] == 0x5a);
    assert_null(p->s.memory);
    // scratch too small
    tx_arena little = {p->scratch.at, p->scratch.at + 1000};
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &again, little), TX_SPARSE_ROOM);
    assert_int_equal(again, 0);
    // with just that much it works and nothing is written behind it
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, (tx_arena){base, base + need}, &again, p->scratch),
                     TX_SPARSE_NEW);
    for (size_t k = need + 8; k < MEMORY; k++) assert_true(p->memory.at[k] == 0x5a);
    free_problem(p);
}

static void a_bad_graph_is_refused(void **state) {
    problem *p = new_problem();
    size_t need;
    const int bad_pairs[][2] = {{0, 0}, {-1, 0}, {0, 3}, {0, 2}}; // the last: across groups
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) p->width[i] = 6, p->group[i] = i / 2;
        p->graph = (tx_sparse_graph){3, p->width, p->group, 1, bad_pairs[k]};
        assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_BAD);
    }
    p->graph.pairs = 0;
    p->width[1] = TX_SPARSE_WIDTH + 1;
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_BAD);
    p->width[1] = 0;
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_BAD);
    p->width[1] = 1, p->group[2] = 3;
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_BAD);
    p->graph.blocks = -1;
    assert_int_equal(tx_sparse_analyse(&p->graph, &p->s, p->memory, &need, p->scratch), TX_SPARSE_BAD);
    assert_null(p->s.memory);
    free_problem(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_like_a_dense_one),
                                       cmocka_unit_test(same_bits_with_wider_vectors_and_by_groups),
                                       cmocka_unit_test(refactoring_gives_the_bits_of_factoring),
                                       cmocka_unit_test(a_bad_pivot_is_reported),
                                       cmocka_unit_test(the_order_of_pairs_does_not_matter),
                                       cmocka_unit_test(groups_are_contiguous_and_stand_alone),
                                       cmocka_unit_test(known_orders),
                                       cmocka_unit_test(nothing_and_one_block),
                                       cmocka_unit_test(too_little_room_is_reported),
                                       cmocka_unit_test(a_bad_graph_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
