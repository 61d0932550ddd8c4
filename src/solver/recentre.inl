// recentre.inl - all digits for stiff rows: y and its aim a are moved together until y is zero. lanes: any
//
// The force D (a - y) of a stiff row is a small difference of two numbers, and y is known to its own rounding only: the
// force comes in jumps of D times that. A row knows y - a alone, so both may be counted from where y is now. From there
// on y is as small as the difference, and so is its rounding. Between a/2 and 2a the difference is exact (Sterbenz
// 1974).
#pragma once
#include "problem/kernel_table.inl"
#include "problem/verbs.inl"

// what the aims of a constraint are, before any of them is moved
FN void remember_aims(const tx_problem *p, int i) {
    tx_constraint *c = &p->cons[i];
    for (int k = 0; k < c->dim && !c->moved; k++)
        AT(p->aim, c->row + k) = AT(p->numbers, TX_KERNEL_NUMBERS * i + N_A + k);
    c->moved = true;
}

// lanes in which the force of a row has lost two digits or more. Contacts after Hunt & Crossley know y itself, and are
// not that stiff
FN mask has_lost_digits(const tx_problem *p) {
    mask lost = not_(lane_true());
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        const real *aims = &AT(p->numbers, TX_KERNEL_NUMBERS * p->list[v] + N_A);
        for (int k = 0; k < c->dim && !tx_kernel_is_hunt(c->kernel); k++)
            lost = lost | (vabs(aims[k] - AT(p->y, c->row + k)) < R(1e-2) * vabs(aims[k]));
    }
    return lost;
}

// in lanes of `where` that gain by it; returns those
FN mask recentre(const tx_problem *p, mask where) {
    where = where & has_lost_digits(p);
    for (int v = 0; v < p->listed && any(where); v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        real *aims = &AT(p->numbers, TX_KERNEL_NUMBERS * p->list[v] + N_A);
        remember_aims(p, p->list[v]);
        for (int k = 0; k < c->dim && !tx_kernel_is_hunt(c->kernel); k++) {
            real *y = &AT(p->y, c->row + k), *y_free = &AT(p->y_free, c->row + k), a = aims[k];
            mask near = where & (vabs(a - *y) < R(0.5) * vabs(a));
            *y_free = sel(near, *y_free - *y, *y_free);
            aims[k] = sel(near, a - *y, a);
            *y = sel(near, splat(0), *y);
        }
    }
    return where;
}

// by how much row k of constraint i is moved
FN real moved_by(const tx_problem *p, int i, int k) {
    return AT(p->aim, p->cons[i].row + k) - AT(p->numbers, TX_KERNEL_NUMBERS * i + N_A + k);
}

// y of the view, counted from where the aims are
FN void follow_aims(const tx_problem *p, real *y) {
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        for (int k = 0; k < c->dim && c->moved; k++) {
            real shift = moved_by(p, p->list[v], k), *at = &y[c->row + k];
            *at = sel(shift != R(0), *at - shift, *at);
        }
    }
}

// everything as it was
FN void restore_aims(const tx_problem *p) {
    for (int i = 0; i < p->ncons; i++) {
        tx_constraint *c = &p->cons[i];
        for (int k = 0; k < c->dim && c->moved; k++) {
            const int row = c->row + k;
            const real shift = moved_by(p, i, k);
            const mask moved = shift != R(0);
            AT(p->y, row) = sel(moved, AT(p->y, row) + shift, AT(p->y, row));
            AT(p->y_free, row) = sel(moved, AT(p->y_free, row) + shift, AT(p->y_free, row));
            AT(p->numbers, TX_KERNEL_NUMBERS * i + N_A + k) = AT(p->aim, row);
        }
        c->moved = false;
    }
}
