// packs.inl - sweeps of pgs over packs (problem/colours.h): three rows of Coulomb friction between free bodies, four
// pairs of bodies at once and one point of each after the other. The formulas are those of impulses.inl, in variables
// in which the friction cone is round. lanes: any; there are packs at one lane only
#pragma once
#include "lane/four.h"
#include "solver/impulses.inl"

// a sweep as far as packs are concerned: how far normal steps go, and what they have moved
typedef struct pack_sweep {
    num relaxation, moved;
} pack_sweep;

#if TX_LANES == 1

// a view of an island whose contacts are in packs
FN bool has_packs(const tx_problem *p) { return p->factor && p->dual->coloured > 0; }
FN bool is_packed(const tx_problem *p, int i) { return has_packs(p) && p->dual->quick[i]; }

// numbers of a point: B row by row (six of the one body, six of the other), free motion less its aim, softness, inverse
// diagonals of the normal and of both tangents, W of the tangents with the normal, μ, the force, the trace of W
enum {
    PACK_B,
    PACK_FREE = PACK_B + 36,
    PACK_E = PACK_FREE + 3,
    PACK_NORMAL = PACK_E + 3,
    PACK_TANGENT,
    PACK_W,
    PACK_MU = PACK_W + 2,
    PACK_G,
    PACK_TRACE = PACK_G + 3,
};
#define POINT(d, k, j) ((four *)(d)->pack + TX_PACK_NUMBERS * ((k)->at + (j)))
#define EACH_PACK(p, k)                                                                  \
    for (const tx_pack *k = (p)->dual->packs + (p)->dual->pack_start[(p)->group],        \
                       *end_ = (p)->dual->packs + (p)->dual->pack_start[(p)->group + 1]; \
         k < end_; k++)

// what stands for a body or a point that is not there
static const num PACK_NONE[TRUNK_ROW(TX_TRUNK)] = {0};

// six numbers of the bodies of one side from a vector of all dofs, and back
FN void pack_gather(const tx_pack *k, int side, const num *from, four *to) {
    const num *at[TX_PACK];
    for (int l = 0; l < TX_PACK; l++)
        at[l] = l < k->pairs && k->pair[l].dof[side] >= 0 ? from + k->pair[l].dof[side] : PACK_NONE;
    // number by number: they have just been stored so
    for (int c = 0; c < TX_TRUNK; c++) to[c] = four_from(at[0][c], at[1][c], at[2][c], at[3][c]);
}
FN void pack_scatter(const tx_pack *k, int side, const four *from, num *to) {
    for (int l = 0; l < k->pairs; l++)
        for (int c = 0; c < TX_TRUNK && k->pair[l].dof[side] >= 0; c++) to[k->pair[l].dof[side] + c] = from[c][l];
}

FN four pack_dot(const four *a, const four *b) {
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

// what a force or a change of it does to the bodies
FN void pack_push(const four *B, const four *g, four *z, four *w) {
    for (int c = 0; c < TX_TRUNK; c++) {
        z[c] = z[c] + ((B[c] * g[0] + B[12 + c] * g[1]) + B[24 + c] * g[2]);
        w[c] = w[c] + ((B[6 + c] * g[0] + B[18 + c] * g[1]) + B[30 + c] * g[2]);
    }
}

// L and D^-½ of the bodies of one side
typedef struct pack_factor {
    four L[TRUNK_ROW(TX_TRUNK)], half[TX_TRUNK];
} pack_factor;
FN void pack_factors(const tx_problem *p, const tx_pack *k, int side, pack_factor *f) {
    const num *L[TX_PACK];
    for (int l = 0; l < TX_PACK; l++) {
        const int dof = l < k->pairs ? k->pair[l].dof[side] : -1;
        L[l] = dof >= 0 ? &AT(p->L, p->tree.first[dof]) : PACK_NONE;
    }
    four_columns(L, TRUNK_ROW(TX_TRUNK), f->L);
    pack_gather(k, side, ARRAY(p->dual->half_inv), f->half);
}

// one side of three rows of B from J
FN void pack_B(const pack_factor *f, four *B) {
    for (int r = 0; r < 3; r++, B += 12) {
        UNROLL
        for (int c = TX_TRUNK - 1; c >= 0; c--) {
            UNROLL
            for (int a = 1; a <= c; a++) B[c - a] = B[c - a] - f->L[TRUNK_ROW(c) + a] * B[c];
            B[c] = B[c] * f->half[c];
        }
    }
}

// the numbers of the kernel, y_free and λ of point j; J goes where B will be
typedef struct pack_point {
    four n[TX_KERNEL_NUMBERS], free[3], lambda[3];
} pack_point;
FN void take_point(const tx_problem *p, const tx_pack *k, int j, four *B, pack_point *at) {
    const num *n[TX_PACK], *free[TX_PACK], *lambda[TX_PACK], *J[2][TX_PACK];
    for (int l = 0; l < TX_PACK; l++) {
        n[l] = free[l] = lambda[l] = J[0][l] = J[1][l] = PACK_NONE;
        if (l >= k->pairs || j >= k->pair[l].count) continue;
        const int i = k->pair[l].con + j;
        const tx_constraint *c = &p->cons[i];
        n[l] = numbers_of(p, i), free[l] = &AT(p->y_free, c->row), lambda[l] = &AT(p->dual->lambda, DUALS(c));
        for (int s = 0; s < c->pieces; s++) J[s][l] = &AT(p->J, p->pieces[c->piece + s].at);
    }
    four_columns(n, TX_KERNEL_NUMBERS, at->n);
    four_columns(free, 3, at->free);
    four_columns(lambda, 3, at->lambda);
    for (int s = 0; s < 2; s++) {
        four rows[3 * TX_TRUNK];
        four_columns(J[s], 3 * TX_TRUNK, rows);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < TX_TRUNK; c++) B[12 * r + 6 * s + c] = rows[TX_TRUNK * r + c];
    }
}

// its numbers
FN void fill_point(const pack_point *at, const pack_factor *f, four *q) {
    const four_masks acts = (four_masks)(at->n[N_D] > R(0));
    four *B = q + PACK_B, W[3], s[3], steepest;
    pack_B(&f[0], B);
    pack_B(&f[1], B + 6);
    // tangents in the unit in which the cone is round
    q[PACK_MU] = four_max(at->n[N_MU], at->n[N_MU + 1]);
    const four inverse = R(1) / four_sel((four_masks)(q[PACK_MU] > R(0)), q[PACK_MU], four_of(1));
    s[0] = four_of(1);
    for (int r = 1; r < 3; r++) s[r] = at->n[N_MU + r - 1] * inverse;
    q[PACK_TRACE] = four_of(0);
    for (int r = 0; r < 3; r++) {
        const four own = pack_dot(B + 12 * r, B + 12 * r) + pack_dot(B + 12 * r + 6, B + 12 * r + 6);
        q[PACK_TRACE] = q[PACK_TRACE] + own;
        for (int c = 0; r > 0 && c < 12; c++) B[12 * r + c] = s[r] * B[12 * r + c];
        q[PACK_FREE + r] = s[r] * (at->free[r] - at->n[N_A + r]);
        q[PACK_E + r] = s[r] * s[r] * at->n[N_E];
        q[PACK_G + r] = four_inverse(s[r]) * at->lambda[r];
        W[r] = s[r] * s[r] * own + q[PACK_E + r];
    }
    for (int r = 1; r < 3; r++) q[PACK_W + r - 1] = pack_dot(B, B + 12 * r) + pack_dot(B + 6, B + 12 * r + 6);
    steepest = four_max(W[1], W[2]);
    q[PACK_NORMAL] = four_sel(acts, four_inverse(W[0]), four_of(0));
    q[PACK_TANGENT] = four_sel(acts, four_inverse(steepest), four_of(0));
}

// all packs of an island from J and λ, and z with their forces added
STAGE void fill_packs(const tx_problem *p) {
    num *z = ARRAY(p->dual->z);
    EACH_PACK(p, k) {
        pack_factor f[2];
        four here[TX_TRUNK], there[TX_TRUNK];
        for (int side = 0; side < 2; side++) pack_factors(p, k, side, &f[side]);
        pack_gather(k, 0, z, here), pack_gather(k, 1, z, there);
        for (int j = 0; j < k->points; j++) {
            four *q = POINT(p->dual, k, j);
            pack_point at;
            take_point(p, k, j, q + PACK_B, &at);
            fill_point(&at, f, q);
            pack_push(q + PACK_B, q + PACK_G, here, there);
        }
        pack_scatter(k, 0, here, z), pack_scatter(k, 1, there, z);
    }
}

// the normal first, then friction by a disk of its radius
FN four visit_point(four *q, four relaxation, four *z, four *w) {
    four u[3], g[3], step[3];
    for (int r = 0; r < 3; r++)
        u[r] = ((q[PACK_FREE + r] + q[PACK_E + r] * q[PACK_G + r]) + pack_dot(q + PACK_B + 12 * r, z)) +
               pack_dot(q + PACK_B + 12 * r + 6, w);
    g[0] = four_max(q[PACK_G] - relaxation * (q[PACK_NORMAL] * u[0]), four_of(0));
    step[0] = g[0] - q[PACK_G];
    for (int r = 1; r < 3; r++) g[r] = q[PACK_G + r] - q[PACK_TANGENT] * (u[r] + q[PACK_W + r - 1] * step[0]);
    const four rim = q[PACK_MU] * g[0], square = g[1] * g[1] + g[2] * g[2];
    const four_masks slides = (four_masks)(square > rim * rim);
    if (four_any(slides)) {
        const four shrink = rim / four_sqrt(four_sel(slides, square, four_of(1)));
        for (int r = 1; r < 3; r++) g[r] = four_sel(slides, shrink * g[r], g[r]);
    }
    for (int r = 1; r < 3; r++) step[r] = g[r] - q[PACK_G + r];
    for (int r = 0; r < 3; r++) q[PACK_G + r] = g[r];
    pack_push(q + PACK_B, step, z, w);
    return q[PACK_TRACE] * ((step[0] * step[0] + step[1] * step[1]) + step[2] * step[2]);
}

STAGE void sweep_packs(const tx_problem *p, pack_sweep *sweep) {
    num *z = ARRAY(p->dual->z);
    const four relaxation = four_of(sweep->relaxation);
    four moved = {0};
    EACH_PACK(p, k) {
        four here[TX_TRUNK], there[TX_TRUNK];
        pack_gather(k, 0, z, here), pack_gather(k, 1, z, there);
        for (int j = 0; j < k->points; j++) moved = moved + visit_point(POINT(p->dual, k, j), relaxation, here, there);
        pack_scatter(k, 0, here, z), pack_scatter(k, 1, there, z);
    }
    sweep->moved = (moved[0] + moved[1]) + (moved[2] + moved[3]);
}

// λ of the contacts in packs
STAGE void read_packs(const tx_problem *p) {
    EACH_PACK(p, k)
    for (int l = 0; l < k->pairs; l++)
        for (int j = 0; j < k->pair[l].count; j++) {
            const int i = k->pair[l].con + j;
            const four *g = POINT(p->dual, k, j) + PACK_G;
            num s[6], *lambda = &AT(p->dual->lambda, DUALS(&p->cons[i]));
            cone_opening(3, numbers_of(p, i), s);
            for (int r = 0; r < 3; r++) lambda[r] = s[r] * g[r][l];
        }
}

#else

FN bool has_packs(const tx_problem *p) {
    (void)p;
    return false;
}
FN bool is_packed(const tx_problem *p, int i) {
    (void)p, (void)i;
    return false;
}
FN void fill_packs(const tx_problem *p) { (void)p; }
FN void sweep_packs(const tx_problem *p, pack_sweep *sweep) { (void)p, (void)sweep; }
FN void read_packs(const tx_problem *p) { (void)p; }

#endif
