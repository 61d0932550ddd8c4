// edges.inl - pyramids of three rows in large problems: which of their four edges push decides what H is, and along a
// line the edges are found once. lanes: 1
#pragma once
#include "solver/round.inl"
#if TX_LANES == 1

FN bool has_edges(const tx_constraint *c) { return c->kernel == KERNEL_pyramid && c->dim == 3; }

// y moves by `step` along Jsearch (0: it stays); then γ, and which edges push
STAGE void edge_forces(const tx_problem *p, num step) {
    const int *list = p->list, listed = p->listed;
    bool round = false;
    for (int v = 0; v < listed; v++) {
        const int i = list[v];
        tx_constraint *c = &p->cons[i];
        if (goes_abreast(c)) {
            round = true;
            continue;
        }
        num *y = &AT(p->y, c->row), *gamma = &AT(p->gamma, c->row);
        const num *along = &AT(p->Jsearch, c->row);
        if (has_edges(c)) {
            const num *n = numbers_of(p, i);
            row_move(y, step, along, step != 0, 3);
            const num4 u = pyramid_edges(n, y);
            push_of_edges(n, u, gamma);
            c->pushing = (uint8_t)pushing_edges(u);
        } else {
            row_move(y, step, along, step != 0, c->dim);
            constraint_force(p, i, y, gamma);
        }
    }
    if (round) round_forces(p, step);
}

// edge e of a pyramid is row 0 and so much of row `*row`
FN num edge_slant(const num *n, int e, int *row) {
    *row = 1 + e / 2;
    return e % 2 ? -n[N_MU + e / 2] : n[N_MU + e / 2];
}

// ---- along a line ---------------------------------------------------------------------------------------------------

// where other constraints keep their G: the edges at y, how they change along the line, and their stiffness
FN num *edges_on_line(const tx_problem *p, const tx_constraint *c) { return (num *)p->G + 6 * (size_t)c->row; }

// how many constraints of the view are of which kind
typedef struct line_kinds {
    int edges, round, others;
} line_kinds;

// from y along Jsearch
STAGE line_kinds line_begin(const tx_problem *p) {
    line_kinds kinds = {0, 0, 0};
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        if (goes_abreast(c)) kinds.round++;
        else if (has_edges(c)) kinds.edges++;
        else kinds.others++;
        if (!has_edges(c)) continue;
        num *to = edges_on_line(p, c);
        const num *n = numbers_of(p, i), *s = &AT(p->Jsearch, c->row);
        AT4(to, 0) = pyramid_edges(n, &AT(p->y, c->row));
        AT4(to, 4) = four_edges(s[0], n + N_MU, s + 1);
        to[8] = n[N_D];
    }
    return kinds;
}

// first and second derivative of the cost of all edges at α
STAGE slope_sum slope_of_edges(const tx_problem *p, num alpha) {
    num4 first = {0}, second = {0};
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        if (!has_edges(c)) continue;
        const num *edges = edges_on_line(p, c), D = edges[8];
        const num4 along = CAT4(edges, 4), u = CAT4(edges, 0) + alpha * along;
        const num4 pushed = where_negative(u, D * along);
        first = first + pushed * u;
        second = second + pushed * along;
    }
    return (slope_sum){(first[0] + first[1]) + (first[2] + first[3]),
                       (second[0] + second[1]) + (second[2] + second[3])};
}

// of constraints of other kinds; nothing that calls stands in the loop above, whose sums stay in registers
STAGE slope_sum slope_of_others(const tx_problem *p, num alpha) {
    slope_sum sum = {0, 0};
    EACH_OTHER(p, alone) {
        if (has_edges(&p->cons[*alone.list])) continue;
        const slope_sum own = constraint_slope(&alone, ARRAY(p->y), ARRAY(p->Jsearch), alpha);
        sum.first += own.first, sum.second += own.second;
    }
    return sum;
}

FN slope_sum add_slopes(slope_sum a, slope_sum b) { return (slope_sum){a.first + b.first, a.second + b.second}; }

// of all kinds
FN slope_sum slope_on_line(const tx_problem *p, line_kinds kinds, num alpha) {
    if (kinds.others == p->listed) return constraint_slope(p, ARRAY(p->y), ARRAY(p->Jsearch), alpha);
    slope_sum sum = {0, 0};
    if (kinds.edges) sum = slope_of_edges(p, alpha);
    if (kinds.round) sum = add_slopes(sum, round_slopes(p, alpha));
    if (kinds.others) sum = add_slopes(sum, slope_of_others(p, alpha));
    return sum;
}
#endif
