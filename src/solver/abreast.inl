// abreast.inl - contacts of three rows with round friction, one in each lane: problem/abreast.h. The problem has one
// lane, whatever the width of this text. lanes: any
#pragma once
#include "lane/transpose.h"
#include "problem/abreast.h"
#include "solver/slip.inl"

// where the numbers and the rows of the contacts stand
typedef struct abreast_places {
    size_t number[TX_LANES], row[TX_LANES];
} abreast_places;

// lanes that are left over do the work of the last contact once more
FN abreast_places find_abreast(const tx_problem *p, const int *which, int count) {
    abreast_places at;
    for (int e = 0; e < TX_LANES; e++) {
        const int i = which[e < count ? e : count - 1];
        at.number[e] = (size_t)TX_KERNEL_NUMBERS * (size_t)i, at.row[e] = (size_t)p->cons[i].row;
    }
    return at;
}

// number k behind each place
FN real one_of_each(const num *rows, const size_t *at, int k) {
    const num *p = rows + k;
#if TX_LANES == 1
    return p[at[0]];
#elif TX_LANES == 4
    return (real){p[at[0]], p[at[1]], p[at[2]], p[at[3]]};
#else
    return (real){p[at[0]], p[at[1]], p[at[2]], p[at[3]], p[at[4]], p[at[5]], p[at[6]], p[at[7]]};
#endif
}
FN void three_of_each(const void *rows, const size_t *at, real *to) {
    for (int k = 0; k < 3; k++) to[k] = one_of_each((const num *)rows, at, k);
}
// the first `count` lanes back to their places
FN void put_lanes(void *rows, const size_t *at, int count, int width, const real *from) {
    for (int e = 0; e < TX_LANES && e < count; e++)
        for (int k = 0; k < width; k++) ((num *)rows)[at[e] + (size_t)k] = lane_get(from[k], e);
}
// `count` numbers behind each place, and back
FN void rows_of_each(const void *rows, const size_t *at, int count, real *to) {
#if TX_LANES == 1
    for (int k = 0; k < count; k++) to[k] = ((const num *)rows)[at[0] + (size_t)k];
#else
    rows_to_lanes((const num *)rows, at, count, to);
#endif
}
FN void rows_back(void *rows, const size_t *at, int count, const real *from) {
#if TX_LANES == 1
    for (int k = 0; k < count; k++) ((num *)rows)[at[0] + (size_t)k] = from[k];
#else
    lanes_to_rows(from, count, (num *)rows, at);
#endif
}
FN void kernel_numbers(const tx_problem *p, const size_t *at, real *n) {
    rows_of_each(p->numbers, at, TX_KERNEL_NUMBERS, n);
}

// does `call` for the kernel `name`
#define ROUND_CASE(name, call) \
    case KERNEL_##name: call; break;

STAGE void abreast_forces(const tx_problem *p, const int *which, int count, double step) {
    const int kernel = p->cons[which[0]].kernel;
    for (int from = 0; from < count; from += TX_LANES) {
        const int here = count - from < TX_LANES ? count - from : TX_LANES;
        const abreast_places at = find_abreast(p, which + from, here);
        real n[TX_KERNEL_NUMBERS], y[3], s[3], gamma[3] = {splat(0), splat(0), splat(0)};
        kernel_numbers(p, at.number, n);
        three_of_each(p->y, at.row, y);
        if (step != 0) {
            three_of_each(p->Jsearch, at.row, s);
            for (int k = 0; k < 3; k++) y[k] = y[k] + R(step) * s[k];
            put_lanes(p->y, at.row, here, 3, y);
        }
        switch (kernel) {
#define X(name, rows) ROUND_CASE(name, name##_force(3, n, y, gamma, NULL))
            ROUND_KERNELS(X)
#undef X
        }
        put_lanes(p->gamma, at.row, here, 3, gamma);
    }
}

// what H lacks of G into `change`; returns where it lacks anything. G that are kept follow there
FN mask take_changes(const real *G, bool anew, bool loose, real *kept, real *change) {
    mask differs = not_(lane_true()), large = differs;
    for (int k = 0; k < 9; k++) {
        change[k] = anew ? G[k] : G[k] - kept[k];
        differs = differs | (change[k] != R(0));
    }
    if (loose && !anew) {
        for (int j = 0; j < 3; j++)
            for (int k = j; k < 3; k++) {
                const real before = kept[4 * j] * kept[4 * k], after = G[4 * j] * G[4 * k], by = change[3 * j + k];
                large = large | (by * by > R(1e-4) * vmin(before, after));
            }
        differs = differs & large;
    }
    for (int k = 0; k < 9; k++) kept[k] = anew ? G[k] : sel(differs, G[k], kept[k]);
    return differs;
}

STAGE void abreast_hessians(const tx_problem *p, const int *which, int count, double step, bool first, bool anew,
                            bool loose, uint8_t *lacks) {
    const int kernel = p->cons[which[0]].kernel;
    for (int from = 0; from < count; from += TX_LANES) {
        const int here = count - from < TX_LANES ? count - from : TX_LANES;
        const abreast_places at = find_abreast(p, which + from, here);
        real n[TX_KERNEL_NUMBERS], y[3], s[3], f[3], w[3], gamma[3], G[9], kept[18];
        size_t place[TX_LANES];
        for (int e = 0; e < TX_LANES; e++) place[e] = 6 * at.row[e];
        kernel_numbers(p, at.number, n);
        three_of_each(p->y, at.row, y);
        for (int k = 0; k < 9; k++) G[k] = splat(0);
        switch (kernel) {
#define X(name, rows) ROUND_CASE(name, name##_force(3, n, y, gamma, G))
            ROUND_KERNELS(X)
#undef X
        }
        three_of_each(p->gamma, at.row, f);
        if (!first) three_of_each(p->Jsearch, at.row, s);
        if (p->unit == TX_UNIT_VELOCITY) {
            if (!first) three_of_each(p->slip, at.row, w);
            slip_hessian(kernel, 3, n, y, s, f, first, splat(R(step)), w, G);
            put_lanes(p->slip, at.row, here, 3, w);
        } else if (!first && step < 0.7) add_secant(3, n, y, s, f, splat(R(step)), G);
        if (!anew) rows_of_each(p->G, place, 9, kept);
        const mask differs = take_changes(G, anew, loose, kept, kept + 9);
        rows_back(p->G, place, 18, kept);
        for (int e = 0; e < here; e++) lacks[from + e] = mask_get(differs, e);
    }
}

FN void put_pairs(num *to, int count, real first, real second) {
    for (int e = 0; e < count; e++) to[2 * e] = lane_get(first, e), to[2 * e + 1] = lane_get(second, e);
}

STAGE void abreast_slopes(const tx_problem *p, const int *which, int count, double alpha, void *out) {
    const int kernel = p->cons[which[0]].kernel;
    for (int from = 0; from < count; from += TX_LANES) {
        const int here = count - from < TX_LANES ? count - from : TX_LANES;
        const abreast_places at = find_abreast(p, which + from, here);
        real n[TX_KERNEL_NUMBERS], y[3], s[3], moved[3];
        slope_sum sum = {splat(0), splat(0)};
        kernel_numbers(p, at.number, n);
        three_of_each(p->y, at.row, y);
        three_of_each(p->Jsearch, at.row, s);
        move_rows(3, y, splat(R(alpha)), s, moved);
        switch (kernel) {
#define X(name, rows) ROUND_CASE(name, name##_slope(3, n, moved, s, &sum))
            ROUND_KERNELS(X)
#undef X
        }
        put_pairs((num *)out + 2 * from, here, sum.first, sum.second);
    }
}

STAGE void abreast_costs(const tx_problem *p, const int *which, int count, const void *where, void *out) {
    const int kernel = p->cons[which[0]].kernel;
    for (int from = 0; from < count; from += TX_LANES) {
        const int here = count - from < TX_LANES ? count - from : TX_LANES;
        const abreast_places at = find_abreast(p, which + from, here);
        real n[TX_KERNEL_NUMBERS], y[3], cost = splat(0);
        kernel_numbers(p, at.number, n);
        three_of_each(where, at.row, y);
        switch (kernel) {
#define X(name, rows) ROUND_CASE(name, cost = name##_cost(3, n, y))
            ROUND_KERNELS(X)
#undef X
        }
        for (int e = 0; e < here; e++) ((num *)out)[from + e] = lane_get(cost, e);
    }
}

STAGE void abreast_defects(const tx_problem *p, const int *which, int count, const void *again, void *out) {
    const int kernel = p->cons[which[0]].kernel;
    for (int from = 0; from < count; from += TX_LANES) {
        const int here = count - from < TX_LANES ? count - from : TX_LANES;
        const abreast_places at = find_abreast(p, which + from, here);
        real n[TX_KERNEL_NUMBERS], y[3], y_again[3], y_free[3], lambda[3] = {splat(0), splat(0), splat(0)};
        defect_sum sum = {splat(0), splat(0), R(p->y_floor)};
        kernel_numbers(p, at.number, n);
        three_of_each(p->y, at.row, y);
        three_of_each(again, at.row, y_again);
        three_of_each(p->y_free, at.row, y_free);
        switch (kernel) {
#define X(name, rows) \
    ROUND_CASE(name, name##_duals(3, n, y, lambda); name##_defect(3, n, lambda, y_again, y_free, &sum))
            ROUND_KERNELS(X)
#undef X
        }
        put_pairs((num *)out + 2 * from, here, sum.defect, sum.scale);
    }
}

static const tx_abreast abreast_table = {abreast_forces, abreast_hessians, abreast_slopes, abreast_costs,
                                         abreast_defects};
