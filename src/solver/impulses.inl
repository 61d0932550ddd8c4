// impulses.inl - the sweep of pgs over the common contact: three rows of Coulomb friction between free bodies. What
// does not change between sweeps is made once: no division by the Delassus matrix is left, and sums are short. lanes:
// any
#pragma once
#include "solver/dual.inl"

// what a sweep adds up, in the unit of the diagonal: squared step, and whether momentum points backwards; what it gains
// of the cost, if anyone asks
typedef struct sweep_sum {
    real step, back, gain;
} sweep_sum;

// numbers of such a contact: inverse diagonals of the normal and of both tangents, W of the tangents with the normal,
// softness, free motion less its aim, μ, s with λ_k = s_k g_k (kernel_hard.inl) and its inverse, the trace of W
enum {
    IMPULSE_NORMAL,
    IMPULSE_TANGENT,
    IMPULSE_W,
    IMPULSE_E = IMPULSE_W + 2,
    IMPULSE_FREE,
    IMPULSE_MU = IMPULSE_FREE + 3,
    IMPULSE_S,
    IMPULSE_INV_S = IMPULSE_S + 2,
    IMPULSE_TRACE = IMPULSE_INV_S + 2
};

FN real inverse_or_zero(real w) {
    mask moves = w > R(0);
    return sel(moves, R(1) / sel(moves, w, splat(1)), splat(0));
}

// which contacts of the view are such, and their numbers; B and the blocks are there
STAGE void prepare_impulses(const tx_problem *p) {
    const tx_dual *d = p->dual;
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        d->quick[i] = !p->W && c->kernel == KERNEL_coulomb && c->dim == 3 && c->pieces > 0 && moves_bodies(p, i);
        if (!d->quick[i]) continue;
        const real *n = numbers_of(p, i), *W = &AT(d->block, 6 * c->row), *free = &AT(p->y_free, c->row);
        real *q = &AT(d->impulse, TX_IMPULSE_NUMBERS * i), s[6] = {n[0]}, steepest = splat(0);
        const mask acts = dual_acts(n);
        q[IMPULSE_MU] = cone_opening(3, n, s);
        q[IMPULSE_E] = n[N_E];
        for (int k = 0; k < 3; k++) q[IMPULSE_FREE + k] = free[k] - n[N_A + k];
        for (int k = 1; k < 3; k++) {
            q[IMPULSE_W + k - 1] = W[3 * k];
            q[IMPULSE_S + k - 1] = s[k];
            q[IMPULSE_INV_S + k - 1] = inverse_or_zero(s[k]);
            steepest = vmax(steepest, s[k] * s[k] * (W[4 * k] + n[N_E]));
        }
        q[IMPULSE_NORMAL] = sel(acts, inverse_or_zero(W[0] + n[N_E]), splat(0));
        q[IMPULSE_TANGENT] = sel(acts, inverse_or_zero(steepest), splat(0));
        q[IMPULSE_TRACE] = (W[0] + W[4]) + W[8];
    }
}

// a dot product whose terms do not wait for each other
FN real quick_dot(const real *a, const real *b) {
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

// the normal first, then friction by a disk of its radius
FN void visit_quickly(const tx_problem *p, int i, num relaxation, mask run, sweep_sum *sum) {
    const tx_dual *d = p->dual;
    const tx_span *one = d->spans + d->first[i], *two = one + 1, *end = d->spans + d->first[i + 1];
    const real *q = &AT(d->impulse, TX_IMPULSE_NUMBERS * i), *B = &AT(d->B, one->at);
    real *lambda = &AT(d->lambda, DUALS(&p->cons[i])), *z = ARRAY(d->z), u[3], g[3], step[3];
    for (int r = 0; r < 3; r++) u[r] = q[IMPULSE_FREE + r] + q[IMPULSE_E] * lambda[r];
    for (int r = 0; r < 3; r++) u[r] = u[r] + quick_dot(B + TX_TRUNK * r, z + one->dof);
    if (two < end)
        for (int r = 0; r < 3; r++) u[r] = u[r] + quick_dot(&AT(d->B, two->at + TX_TRUNK * r), z + two->dof);
    real normal = vmax(lambda[0] - relaxation * (q[IMPULSE_NORMAL] * u[0]), splat(0)), change = normal - lambda[0],
         rim = q[IMPULSE_MU] * normal, shrink = splat(1), square = splat(0);
    for (int k = 1; k < 3; k++) {
        u[k] = u[k] + q[IMPULSE_W + k - 1] * change;
        g[k] = q[IMPULSE_INV_S + k - 1] * lambda[k] - q[IMPULSE_TANGENT] * (q[IMPULSE_S + k - 1] * u[k]);
        square = square + g[k] * g[k];
    }
    mask slides = square > rim * rim;
    if (any(slides)) shrink = sel(slides, rim / vsqrt(sel(slides, square, splat(1))), shrink);
    g[0] = normal;
    for (int k = 1; k < 3; k++) g[k] = q[IMPULSE_S + k - 1] * (g[k] * shrink);
    real moved = splat(0);
    for (int k = 0; k < 3; k++) {
        real to = sel(run, g[k], lambda[k]);
        step[k] = to - lambda[k];
        moved = moved + step[k] * step[k];
        lambda[k] = to;
    }
    sum->step = sum->step + q[IMPULSE_TRACE] * moved;
    for (const tx_span *s = one; s < end; s++) piece_mul_transposed(3, TX_TRUNK, &AT(d->B, s->at), step, z + s->dof);
}
