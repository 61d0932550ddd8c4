// round.inl - contacts of three rows with round friction in large problems: handed out by the dozen to whoever computes
// several of them side by side. lanes: 1
//
// Sums over them go one contact after the other in four partial sums, whatever the width of the hands.
#pragma once
#include "solver/abreast.inl"
#if TX_LANES == 1

FN bool goes_abreast(const tx_constraint *c) { return c->dim == 3 && has_slip_direction(c); }

FN const tx_abreast *hands_of(const tx_problem *p) { return p->abreast ? p->abreast : &abreast_table; }

// the next ones of the list, from *v on and of one kernel; returns how many
enum { MOST_ABREAST = 64 };
FN int take_abreast(const tx_problem *p, int *v, int *which) {
    int count = 0, kernel = -1;
    for (; *v < p->listed && count < MOST_ABREAST; ++*v) {
        const tx_constraint *c = &p->cons[p->list[*v]];
        if (!goes_abreast(c)) continue;
        if (kernel >= 0 && c->kernel != kernel) break;
        kernel = c->kernel;
        which[count++] = p->list[*v];
    }
    return count;
}

// for all of them in turn: `which` and how many
#define EACH_TAKEN(p, which, count) \
    for (int which[MOST_ABREAST], v_ = 0, count; (count = take_abreast(p, &v_, which)) > 0;)

// y moves by `step` along Jsearch (0: it stays); then γ
FN void round_forces(const tx_problem *p, num step) {
    EACH_TAKEN(p, which, count) hands_of(p)->forces(p, which, count, step);
}

// Σ of two numbers each
FN num2 sum_pairs(const num *pairs, int count) {
    num4 even = {0}, odd = {0};
    int k = 0;
    for (; k + 4 <= count; k += 4) even = even + CAT4(pairs, 2 * k), odd = odd + CAT4(pairs, 2 * k + 4);
    num2 rest = {0};
    for (; k < count; k++) rest = rest + CAT2(pairs, 2 * k);
    const num4 both = even + odd;
    return ((num2){both[0], both[1]} + (num2){both[2], both[3]}) + rest;
}

FN slope_sum round_slopes(const tx_problem *p, num alpha) {
    num2 sum = {0};
    EACH_TAKEN(p, which, count) {
        num pairs[2 * MOST_ABREAST];
        hands_of(p)->slopes(p, which, count, alpha, pairs);
        sum = sum + sum_pairs(pairs, count);
    }
    return (slope_sum){sum[0], sum[1]};
}

FN num round_costs(const tx_problem *p, const num *y) {
    num sum = 0;
    EACH_TAKEN(p, which, count) {
        num costs[MOST_ABREAST];
        hands_of(p)->costs(p, which, count, y, costs);
        for (int k = 0; k < count; k++) sum = sum + costs[k];
    }
    return sum;
}

FN void round_defects(const tx_problem *p, const num *again, defect_sum *sum) {
    EACH_TAKEN(p, which, count) {
        num pairs[2 * MOST_ABREAST];
        hands_of(p)->defects(p, which, count, again, pairs);
        const num2 own = sum_pairs(pairs, count);
        sum->defect = sum->defect + own[0], sum->scale = sum->scale + own[1];
    }
}

// how many of the view they are
FN int count_round(const tx_problem *p) {
    int count = 0;
    for (int v = 0; v < p->listed; v++) count += goes_abreast(&p->cons[p->list[v]]);
    return count;
}

// a view of each of the others alone
#define EACH_OTHER(p, alone)                                                                  \
    for (tx_problem alone = lone_view(p); alone.list < (p)->list + (p)->listed; alone.list++) \
        if (!goes_abreast(&(p)->cons[*alone.list]))
FN tx_problem lone_view(const tx_problem *p) {
    tx_problem alone = *p;
    alone.listed = 1;
    return alone;
}

// Σ ℓ(y) of a large problem
STAGE num cost_of_large(const tx_problem *p, const num *y) {
    const int round = count_round(p);
    if (round == 0) return constraint_cost(p, y);
    num sum = round_costs(p, y);
    if (round < p->listed) EACH_OTHER(p, alone) sum = sum + constraint_cost(&alone, y);
    return sum;
}

// its defects where the motion that belongs to the forces is `again`
STAGE void defects_of_large(const tx_problem *p, const num *again, defect_sum *sum) {
    const int round = count_round(p);
    if (round > 0) round_defects(p, again, sum);
    if (round == 0) constraint_defects(p, ARRAY(p->y), again, sum);
    else if (round < p->listed) EACH_OTHER(p, alone) constraint_defects(&alone, ARRAY(p->y), again, sum);
}
#endif
