// test_abreast.c - contacts with round friction side by side (problem/abreast.h): the bits of one contact alone in
// every width, and what H lacks adds up to G.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "problem/abreast.h"
#include "problem/kernel_list.h"
#include "random.h"
#include "step/target.h"

enum { MOST = 21, ROWS = 3 * MOST };

static const int KERNELS_OF[] = {KERNEL_cone, KERNEL_similar, KERNEL_lagged};

// contacts in the order of `which`, their rows in another
typedef struct contacts {
    tx_problem p;
    tx_constraint cons[MOST];
    double numbers[TX_KERNEL_NUMBERS * MOST], G[6 * ROWS];
    double y[ROWS], s[ROWS], gamma[ROWS], slip[ROWS], y_free[ROWS], again[ROWS];
    int which[MOST];
} contacts;

// some stick, some slide, some are apart, some have no friction, some do not act at all
static void fill(contacts *c, int kernel, tx_unit unit, uint64_t seed) {
    *c = (contacts){.p = {.lanes = 1, .number_size = sizeof(double), .unit = unit, .y_floor = 1e-6}};
    c->p.cons = c->cons, c->p.numbers = c->numbers, c->p.G = c->G, c->p.y = c->y, c->p.Jsearch = c->s;
    c->p.gamma = c->gamma, c->p.slip = c->slip, c->p.y_free = c->y_free;
    for (int i = 0; i < MOST; i++) {
        double *n = c->numbers + TX_KERNEL_NUMBERS * i;
        c->which[i] = (8 * i) % MOST;
        c->cons[i] = (tx_constraint){.kernel = kernel, .dim = 3, .row = 3 * ((5 * i) % MOST)};
        n[TX_NUMBER_D] = i % 7 == 6 ? 0 : random_between(&seed, 1, 100);
        n[TX_NUMBER_REST] = random_between(&seed, 0.1, 1);
        n[TX_NUMBER_MU] = n[TX_NUMBER_MU + 1] = i % 5 == 4 && kernel != KERNEL_cone ? 0 : random_between(&seed, 0.1, 2);
        for (int k = 0; k < 3; k++) n[TX_NUMBER_A + k] = random_between(&seed, -0.1, 0.1);
        if (kernel == KERNEL_cone) n[TX_NUMBER_CONE] = n[TX_NUMBER_MU];
        else {
            n[TX_NUMBER_SLIP] = 1e-3, n[TX_NUMBER_DISSIPATION] = random_between(&seed, 0, 2);
            n[TX_NUMBER_LAST] = random_between(&seed, 0, 5);
        }
    }
    for (int r = 0; r < ROWS; r++) {
        c->y[r] = random_between(&seed, -1, 0.5), c->s[r] = random_between(&seed, -1, 1);
        c->y_free[r] = random_between(&seed, -1, 1), c->again[r] = c->y[r] + random_between(&seed, -0.1, 0.1);
    }
}

static void expect_same(const void *a, const void *b, size_t size, const char *what) {
    if (memcmp(a, b, size) != 0) fail_msg("%s: other bits", what);
}

// everything that the solvers ask for, in their order; out: what is no part of the problem
typedef struct answers {
    double slopes[2 * MOST], costs[MOST], defects[2 * MOST];
    uint8_t lacks[3 * MOST];
} answers;

static void ask(const tx_abreast *hands, contacts *c, int count, answers *out) {
    *out = (answers){.costs = {0}};
    hands->costs(&c->p, c->which, count, c->y_free, out->costs);
    hands->forces(&c->p, c->which, count, 0);
    hands->hessians(&c->p, c->which, count, 1, true, true, false, out->lacks);
    hands->slopes(&c->p, c->which, count, 0.7, out->slopes);
    hands->forces(&c->p, c->which, count, 0.4);
    hands->hessians(&c->p, c->which, count, 0.4, false, false, true, out->lacks + MOST);
    hands->forces(&c->p, c->which, count, 0.001);
    hands->hessians(&c->p, c->which, count, 0.001, false, false, false, out->lacks + 2 * MOST);
    hands->defects(&c->p, c->which, count, c->again, out->defects);
}

static void every_width_has_the_bits_of_one_contact(void **state) {
    (void)state;
    const tx_abreast *alone = tx_target_single(TX_TARGET_SCALAR)->abreast;
    contacts *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int widths = 0;
    for (int choice = TX_TARGET_SCALAR; choice <= TX_TARGET_AVX512; choice++) {
        const tx_target *wide = tx_target_wide((tx_target_choice)choice);
        if (!wide) continue;
        widths++;
        for (int kernel = 0; kernel < 3; kernel++)
            for (int count = 1; count <= MOST; count++)
                for (int unit = TX_UNIT_ACCELERATION; unit <= TX_UNIT_VELOCITY; unit++) {
                    answers one, many;
                    const uint64_t seed = (uint64_t)(100 * count + kernel);
                    fill(a, KERNELS_OF[kernel], (tx_unit)unit, seed);
                    fill(b, KERNELS_OF[kernel], (tx_unit)unit, seed);
                    ask(alone, a, count, &one), ask(wide->abreast, b, count, &many);
                    expect_same(a->y, b->y, sizeof a->y, "y");
                    expect_same(a->gamma, b->gamma, sizeof a->gamma, "forces");
                    expect_same(a->slip, b->slip, sizeof a->slip, "slip");
                    expect_same(a->G, b->G, sizeof a->G, "G");
                    expect_same(one.slopes, many.slopes, sizeof one.slopes, "slopes");
                    expect_same(one.costs, many.costs, sizeof one.costs, "costs");
                    expect_same(one.defects, many.defects, sizeof one.defects, "defects");
                    expect_same(one.lacks, many.lacks, sizeof one.lacks, "what H lacks");
                }
    }
    assert_true(widths >= 1);
    free(a), free(b);
}

// H is made of what it lacked each time: all of G at first, then changes, small ones of them later
static void what_h_lacks_adds_up_to_g(void **state) {
    (void)state;
    const tx_abreast *hands = tx_target_wide(TX_TARGET_AUTO)->abreast;
    contacts *c = malloc(sizeof *c);
    for (int kernel = 0; kernel < 3; kernel++) {
        double H[9 * MOST] = {0}, before[9];
        uint8_t lacks[MOST];
        int left_out = 0;
        fill(c, KERNELS_OF[kernel], TX_UNIT_VELOCITY, 7);
        for (int round = 0; round < 40; round++) {
            const double step = round == 0 ? 0 : round % 3 == 0 ? 1e-5 : 0.03;
            const bool loose = round % 2 == 1;
            hands->forces(&c->p, c->which, MOST, step);
            double kept[6 * ROWS];
            memcpy(kept, c->G, sizeof kept);
            hands->hessians(&c->p, c->which, MOST, step, round == 0, round == 0, loose, lacks);
            for (int k = 0; k < MOST; k++) {
                const size_t at = 6 * (size_t)c->cons[c->which[k]].row;
                const double *G = c->G + at, *change = G + 9;
                memcpy(before, kept + at, sizeof before);
                for (int i = 0; i < 9; i++) {
                    if (lacks[k]) H[9 * k + i] += change[i];
                    else if (round > 0) assert_true(G[i] == before[i]);
                    assert_near(H[9 * k + i], G[i], 1e-12 * (1 + fabs(G[i])));
                }
                // what is left out is small, and nothing is where it has to be exact
                double most = 0;
                bool large = false;
                for (int i = 0; i < 9; i++) {
                    const int a = 4 * (i / 3), b = 4 * (i % 3);
                    most = fmax(most, fabs(change[i]));
                    large |= change[i] * change[i] > 0.9999e-4 * fmin(before[a] * before[b], G[a] * G[b]);
                }
                if (lacks[k] && loose && round > 0) assert_true(large);
                if (lacks[k] || round == 0) continue;
                if (most > 0) left_out++;
                if (!loose) assert_true(most == 0);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        assert_true(change[3 * i + j] * change[3 * i + j] <= 1.0001e-4 * fabs(G[4 * i] * G[4 * j]));
            }
        }
        assert_true(left_out > 0);
    }
    free(c);
}

// slopes are derivatives of costs along the line, and forces of costs: by central differences
static void slopes_and_forces_are_derivatives_of_costs(void **state) {
    (void)state;
    const tx_abreast *hands = tx_target_wide(TX_TARGET_AUTO)->abreast;
    const double e = 1e-6;
    contacts *c = malloc(sizeof *c);
    for (int kernel = 0; kernel < 3; kernel++) {
        double slopes[2 * MOST], low[MOST], high[MOST], y[ROWS];
        fill(c, KERNELS_OF[kernel], TX_UNIT_VELOCITY, 3);
        hands->slopes(&c->p, c->which, MOST, 0.2, slopes);
        for (int r = 0; r < ROWS; r++) y[r] = c->y[r] + (0.2 - e) * c->s[r];
        hands->costs(&c->p, c->which, MOST, y, low);
        for (int r = 0; r < ROWS; r++) y[r] = c->y[r] + (0.2 + e) * c->s[r];
        hands->costs(&c->p, c->which, MOST, y, high);
        hands->forces(&c->p, c->which, MOST, 0.2);
        for (int k = 0; k < MOST; k++) {
            const int row = c->cons[c->which[k]].row;
            double work = 0;
            for (int r = row; r < row + 3; r++) work -= c->gamma[r] * c->s[r];
            assert_near(slopes[2 * k], (high[k] - low[k]) / (2 * e), 1e-6 * (1 + fabs(slopes[2 * k])));
            assert_near(slopes[2 * k], work, 1e-12 * (1 + fabs(work)));
            assert_true(slopes[2 * k + 1] >= 0);
        }
    }
    free(c);
}

// Acceleration problems: friction that the last direction turned round has along itself the curvature with which it
// vanishes where the slip does, any other one its own: by central differences of the forces
static void friction_that_turns_has_the_curvature_of_its_secant(void **state) {
    (void)state;
    const tx_abreast *hands = tx_target_wide(TX_TARGET_AUTO)->abreast;
    const double step = 0.1, e = 1e-7;
    int turned = 0, kept = 0;
    contacts *c = malloc(sizeof *c), *moved = malloc(sizeof *moved);
    for (int kernel = 0; kernel < 3; kernel++)
        for (int turns = 0; turns < 2; turns++) {
            uint8_t lacks[MOST];
            fill(c, KERNELS_OF[kernel], TX_UNIT_ACCELERATION, 11);
            hands->forces(&c->p, c->which, MOST, 0);
            hands->hessians(&c->p, c->which, MOST, 0, true, true, false, lacks);
            // where the last direction began the slip was before, and its end is beyond rest, or nearer than half way
            for (int i = 0; i < MOST; i++)
                for (int k = 1; k < 3; k++) {
                    const int row = c->cons[i].row + k;
                    const double slip = c->y[row] - c->numbers[TX_KERNEL_NUMBERS * i + TX_NUMBER_A + k],
                                 share = turns ? -2 : -0.4; // of the slip before, which is slip / (1 + step share)
                    c->s[row] = share * slip / (1 + step * share);
                }
            hands->hessians(&c->p, c->which, MOST, step, false, true, false, lacks);
            for (int i = 0; i < MOST; i++) {
                const int row = c->cons[i].row;
                const double *G = c->G + 6 * row, *f = c->gamma + row;
                double u[3] = {0}, along = 0, push = 0, own = 0;
                for (int k = 1; k < 3; k++) {
                    u[k] = c->y[row + k] - c->numbers[TX_KERNEL_NUMBERS * i + TX_NUMBER_A + k];
                    push -= f[k] * u[k];
                }
                for (int j = 1; j < 3; j++)
                    for (int k = 1; k < 3; k++) along += u[j] * G[3 * j + k] * u[k];
                for (int side = -1; side <= 1; side += 2) {
                    *moved = *c;
                    moved->p = c->p, moved->p.cons = moved->cons, moved->p.numbers = moved->numbers;
                    moved->p.y = moved->y, moved->p.gamma = moved->gamma, moved->p.Jsearch = moved->s;
                    for (int k = 1; k < 3; k++) moved->y[row + k] += side * e * u[k];
                    hands->forces(&moved->p, moved->which, MOST, 0);
                    for (int k = 1; k < 3; k++) own -= side * u[k] * moved->gamma[row + k] / (2 * e);
                }
                const bool lacking = push - own > 2e-3 * push;
                if (turns && lacking) assert_near(along, push, 1e-9 * push), turned++;
                else if (!turns) assert_near(along, own, 1e-5 * (1 + fabs(own))), kept += lacking;
            }
        }
    assert_true(turned > 10 && kept > 10);
    free(c), free(moved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_that_turns_has_the_curvature_of_its_secant),
        cmocka_unit_test(every_width_has_the_bits_of_one_contact),
        cmocka_unit_test(what_h_lacks_adds_up_to_g),
        cmocka_unit_test(slopes_and_forces_are_derivatives_of_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
