// packs.inl - sweeps of pgs over packs (problem/colours.h): three rows of Coulomb friction between free bodies, four
// pairs of bodies at once and one point of each after the other. The formulas are those of impulses.inl, in variables
// in which the friction cone is round. lanes: any; there are packs at one lane only
#pragma once
#include "lane/eight.h"
#include "solver/impulses.inl"

// a sweep as far as packs are concerned: how far normal steps go, and what they have moved
typedef struct pack_sweep {
    num relaxation, moved;
} pack_sweep;

// how much of the last forces blind sweeps begin with (docs/laws.md, "How games step")
#define FADED R(0.95)

// the forces that packs begin with: λ, a part of those that are guessed, or none
typedef enum pack_begin { BEGIN_LAMBDA, BEGIN_GUESS, BEGIN_ZERO } pack_begin;

#if TX_LANES == 1

// a view of an island whose contacts are in packs
FN bool has_packs(const tx_problem *p) { return p->factor && p->dual->coloured > 0; }
// the same view without them
FN tx_problem without_packs(const tx_problem *p) {
    const tx_dual *d = p->dual;
    tx_problem rest = *p;
    rest.list = d->loose + d->loose_start[p->group];
    rest.listed = d->loose_start[p->group + 1] - d->loose_start[p->group];
    return rest;
}

// numbers of a point: free motion less its aim, softness, inverse diagonals of the normal and of both tangents, W of
// the tangents with the normal, μ, the force, the trace of W; then B row by row (six of the one body, six of the other)
enum {
    PACK_FREE,
    PACK_E = PACK_FREE + 3,
    PACK_NORMAL = PACK_E + 3,
    PACK_TANGENT,
    PACK_W,
    PACK_MU = PACK_W + 2,
    PACK_G,
    PACK_TRACE = PACK_G + 3,
    PACK_B,
};
// A plain pair: all its points have one frame, and turning moves no centre of mass. Then the half of B that
// belongs to translations is the frame times D^-½, with one sign and the other. It stands before the points once, and
// these have the halves of turns only, three numbers of each body in a row.
enum {
    PACK_FRAME = 0,
    PACK_HALF = 9,
    PACK_HEAD = TX_PACK_HEAD,
    PACK_PLAIN = TX_PACK_PLAIN,
    PACK_FULL = TX_PACK_NUMBERS
};
// a number of a pack, and the same of the pack beside it, which begins one four further on
typedef struct pack_cell {
    four own, beside;
} pack_cell;
#define HEAD(d, k)     ((pack_cell *)((four *)(d)->pack + (k)->at))
#define POINT(d, k, j) (HEAD(d, k) + PACK_HEAD + ((k)->plain ? PACK_PLAIN : PACK_FULL) * (j))
FN tx_pack *first_pack(const tx_problem *p) { return p->dual->packs + p->dual->pack_start[p->group]; }
FN tx_pack *end_of_packs(const tx_problem *p) { return p->dual->packs + p->dual->pack_start[p->group + 1]; }
#define EACH_PACK(p, k) for (tx_pack *k = first_pack(p), *end_ = end_of_packs(p); k < end_; k++)

// what stands for a body or a point that is not there
static const num PACK_NONE[TRUNK_ROW(TX_TRUNK)] = {0};

// six numbers of the bodies of one side from a vector of all dofs, and back: loads as wide as the stores before them
FN void pack_gather(const tx_pack *k, int side, const num *from, four *to) {
    const num *at[TX_PACK];
    for (int l = 0; l < TX_PACK; l++)
        at[l] = l < k->pairs && k->pair[l].dof[side] >= 0 ? from + k->pair[l].dof[side] : PACK_NONE;
    four_columns(at, TX_TRUNK, to);
}
FN void pack_scatter(const tx_pack *k, int side, const four *from, num *to) {
    num *at[TX_PACK], nowhere[TX_TRUNK];
    for (int l = 0; l < TX_PACK; l++)
        at[l] = l < k->pairs && k->pair[l].dof[side] >= 0 ? to + k->pair[l].dof[side] : nowhere;
    four_rows(from, TX_TRUNK, at, TX_PACK);
}

FN four pack_dot3(const four *a, const four *b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }
FN four pack_dot(const four *a, const four *b) {
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

// neighbouring numbers of a pack
FN void pack_take(const pack_cell *from, int count, four *to) {
    for (int i = 0; i < count; i++) to[i] = from[i].own;
}
FN void pack_put(const four *from, int count, pack_cell *to) {
    for (int i = 0; i < count; i++) to[i].own = from[i];
}

// B z of row r, and what forces or changes of them do to the bodies
FN four pack_row(const four *B, int r, const four *z, const four *w) {
    return pack_dot(B + 12 * r, z) + pack_dot(B + 12 * r + 6, w);
}
FN void pack_push(const four *B, const four *g, four *z, four *w) {
    for (int c = 0; c < TX_TRUNK; c++) {
        z[c] = z[c] + ((B[c] * g[0] + B[12 + c] * g[1]) + B[24 + c] * g[2]);
        w[c] = w[c] + ((B[6 + c] * g[0] + B[18 + c] * g[1]) + B[30 + c] * g[2]);
    }
}
// the same of a plain pack; relative: how the centres of mass move against each other
FN four plain_row(const four *head, const four *B, int r, const four *relative, const four *z, const four *w) {
    return pack_dot3(head + PACK_FRAME + 3 * r, relative) +
           (pack_dot3(B + 6 * r, z + 3) + pack_dot3(B + 6 * r + 3, w + 3));
}
FN void plain_push(const four *head, const four *B, const four *g, four *z, four *w) {
    for (int c = 0; c < 3; c++) {
        const four *frame = head + PACK_FRAME + c, push = (frame[0] * g[0] + frame[3] * g[1]) + frame[6] * g[2];
        z[c] = z[c] + head[PACK_HALF] * push;
        w[c] = w[c] - head[PACK_HALF + 1] * push;
    }
    for (int c = 0; c < 3; c++) {
        z[3 + c] = z[3 + c] + ((B[c] * g[0] + B[6 + c] * g[1]) + B[12 + c] * g[2]);
        w[3 + c] = w[3 + c] + ((B[3 + c] * g[0] + B[9 + c] * g[1]) + B[15 + c] * g[2]);
    }
}

// μ, and units of the tangents in which the cone is round
FN four pack_opening(const four *n, four *s) {
    const four mu = four_max(n[N_MU], n[N_MU + 1]);
    const four inverse = R(1) / four_sel((four_masks)(mu > R(0)), mu, four_of(1));
    s[0] = four_of(1);
    for (int r = 1; r < 3; r++)
        s[r] = four_sel((four_masks)(n[N_MU + r - 1] == mu), four_of(1), n[N_MU + r - 1] * inverse);
    return mu;
}

// point j of the pairs of a pack: numbers of the kernel, the forces it begins with, and where J is
typedef struct pack_point {
    four n[TX_KERNEL_NUMBERS], lambda[3];
    const num *J[2][TX_PACK];
} pack_point;
FN void take_point(const tx_problem *p, const tx_pack *k, int j, pack_begin begin, pack_point *at) {
    const num *n[TX_PACK], *lambda[TX_PACK];
    for (int l = 0; l < TX_PACK; l++) {
        n[l] = lambda[l] = at->J[0][l] = at->J[1][l] = PACK_NONE;
        if (l >= k->pairs || j >= k->pair[l].count) continue;
        const int i = k->pair[l].con + j;
        const tx_constraint *c = &p->cons[i];
        n[l] = numbers_of(p, i);
        if (begin == BEGIN_LAMBDA) lambda[l] = &AT(p->dual->lambda, DUALS(c));
        if (begin == BEGIN_GUESS) lambda[l] = &AT(p->guess, c->row);
        for (int s = 0; s < c->pieces; s++) at->J[s][l] = &AT(p->J, p->pieces[c->piece + s].at);
    }
    four_columns(n, TX_KERNEL_NUMBERS, at->n);
    four_columns(lambda, 3, at->lambda);
    for (int r = 0; begin == BEGIN_GUESS && r < 3; r++)
        at->lambda[r] = four_sel((four_masks)(at->n[N_D] > R(0)), FADED * at->lambda[r], four_of(0));
}

// numbers of a point but B: free motion y*, diagonal of W and how its tangents and the normal belong together are known
FN void fill_point(const pack_point *at, const four *s, const four *y, const four *own, const four *with, four *q) {
    const four_masks acts = (four_masks)(at->n[N_D] > R(0));
    four W[3];
    q[PACK_TRACE] = (own[0] + own[1]) + own[2];
    for (int r = 0; r < 3; r++) {
        q[PACK_FREE + r] = s[r] * (y[r] - at->n[N_A + r]);
        q[PACK_E + r] = s[r] * s[r] * at->n[N_E];
        q[PACK_G + r] = four_inverse(s[r]) * at->lambda[r];
        W[r] = s[r] * s[r] * own[r] + q[PACK_E + r];
    }
    for (int r = 1; r < 3; r++) q[PACK_W + r - 1] = with[r];
    q[PACK_NORMAL] = four_sel(acts, four_inverse(W[0]), four_of(0));
    q[PACK_TANGENT] = four_sel(acts, four_inverse(four_max(W[1], W[2])), four_of(0));
}

// ---- full packs -----------------------------------------------------------------------------------------------------

// L and D^-½ of the bodies of one side, and the free motion
typedef struct pack_body {
    four L[TRUNK_ROW(TX_TRUNK)], half[TX_TRUNK], free[TX_TRUNK];
} pack_body;
FN void take_bodies(const tx_problem *p, const tx_pack *k, int side, pack_body *f) {
    const num *L[TX_PACK];
    for (int l = 0; l < TX_PACK; l++) {
        const int dof = l < k->pairs ? k->pair[l].dof[side] : -1;
        L[l] = dof >= 0 ? &AT(p->L, p->tree.first[dof]) : PACK_NONE;
    }
    four_columns(L, TRUNK_ROW(TX_TRUNK), f->L);
    pack_gather(k, side, ARRAY(p->dual->half_inv), f->half);
    pack_gather(k, side, ARRAY(p->x_star), f->free);
}

// columns [first, 6) of one side of three rows of B from J, the rows `stride` apart
FN void pack_B(const pack_body *f, int first, int stride, four *B) {
    for (int r = 0; r < 3; r++, B += stride) {
        UNROLL
        for (int c = TX_TRUNK - 1; c >= first; c--) {
            UNROLL
            for (int a = 1; a <= c - first; a++)
                B[c - a - first] = B[c - a - first] - f->L[TRUNK_ROW(c) + a] * B[c - first];
            B[c - first] = B[c - first] * f->half[c];
        }
    }
}

FN void fill_full_point(const pack_point *at, const pack_body *f, four *q) {
    four *B = q + PACK_B, s[3], y[3], own[3], with[3];
    for (int side = 0; side < 2; side++) {
        four J[3 * TX_TRUNK];
        four_columns(at->J[side], 3 * TX_TRUNK, J);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < TX_TRUNK; c++) B[12 * r + 6 * side + c] = J[TX_TRUNK * r + c];
    }
    q[PACK_MU] = pack_opening(at->n, s);
    for (int r = 0; r < 3; r++) y[r] = pack_row(B, r, f[0].free, f[1].free);
    pack_B(&f[0], 0, 12, B), pack_B(&f[1], 0, 12, B + 6);
    for (int r = 0; r < 3; r++) {
        own[r] = pack_row(B, r, B + 12 * r, B + 12 * r + 6);
        for (int c = 0; r > 0 && c < 12; c++) B[12 * r + c] = s[r] * B[12 * r + c];
        with[r] = pack_row(B, r, B, B + 6);
    }
    fill_point(at, s, y, own, with, q);
}

// ---- plain packs ----------------------------------------------------------------------------------------------------

// whether translations and turns of a body have nothing to do with each other, and all translations one mass, but for
// rounding: an L beyond it would move the centre of mass by this share of the radius of gyration
#define PACK_ROUNDING R(1e-12)
FN bool is_plain_body(const tx_problem *p, int dof) {
    const num *L = &AT(p->L, p->tree.first[dof]), *half = &AT(p->dual->half_inv, dof);
    bool plain = true;
    for (int c = 1; c < 3; c++) plain = plain && vabs(half[c] - half[0]) <= PACK_ROUNDING * half[0];
    UNROLL
    for (int c = 1; c < TX_TRUNK; c++) {
        UNROLL
        for (int a = c < 3 ? 1 : c - 2; a <= c; a++)
            plain = plain && vabs(L[TRUNK_ROW(c) + a]) * half[0] <= PACK_ROUNDING * half[c];
    }
    return plain;
}
// whether a contact has the frame of another one, the other sign for the other body, and one friction in its plane
FN bool is_plain_contact(const tx_problem *p, int i, const num *frame) {
    const tx_constraint *c = &p->cons[i];
    const num *n = numbers_of(p, i), *J = &AT(p->J, p->pieces[c->piece].at),
              *other = c->pieces > 1 ? &AT(p->J, p->pieces[c->piece + 1].at) : NULL;
    const four_masks beside = {0, 0, 0, ~(num_bits)0}; // a number of the turns
    four_masks same = ~(four_masks){0};
    for (int a = 0; a < 3 * TX_TRUNK; a += TX_TRUNK) {
        same = same & (four_masks)(CAT4(J, a) == CAT4(frame, a));
        if (other) same = same & (four_masks)(CAT4(other, a) == -CAT4(frame, a));
    }
    return n[N_MU] == n[N_MU + 1] && all_of_four(same | beside);
}
FN const num *frame_of_pair(const tx_problem *p, const tx_pair *pair) {
    return &AT(p->J, p->pieces[p->cons[pair->con].piece].at);
}
FN bool is_plain(const tx_problem *p, const tx_pair *pair) {
    for (int side = 0; side < 2; side++)
        if (pair->dof[side] >= 0 && !is_plain_body(p, pair->dof[side])) return false;
    for (int i = pair->con; i < pair->con + pair->count; i++)
        if (!is_plain_contact(p, i, frame_of_pair(p, pair))) return false;
    return true;
}
// plain pairs first
FN void sort_plain(const tx_problem *p, tx_pack *k) {
    k->plain = 0;
    for (int l = 0; l < k->pairs; l++) {
        if (!is_plain(p, &k->pair[l])) continue;
        const tx_pair pair = k->pair[l];
        k->pair[l] = k->pair[k->plain], k->pair[k->plain++] = pair;
    }
}
// the plain pairs of a pack or the others as a pack of their own, so that no pair is swept in another way because of
// those beside it; null: there are none
FN const tx_pack *half_of(const tx_problem *p, const tx_pack *k, int plain, tx_pack *room) {
    const int count = plain ? k->plain : k->pairs - k->plain, from = plain ? 0 : k->plain;
    if (count == k->pairs) return k;
    *room = *k;
    room->pairs = count, room->plain = plain ? count : 0;
    for (int l = 0; l < count; l++) room->pair[l] = k->pair[from + l];
    if (plain) room->at = p->dual->halves + k->half;
    return count > 0 ? room : NULL;
}
// what the points of a plain pack share beside its head: its bodies, J x* of translations, their part of W
typedef struct pack_share {
    pack_body body[2];
    four y[3], own[3], with[3];
} pack_share;
FN void fill_head(const tx_problem *p, const tx_pack *k, four *head, pack_share *t) {
    const num *J[TX_PACK];
    four rows[3 * TX_TRUNK], relative[3];
    for (int l = 0; l < TX_PACK; l++) J[l] = l < k->pairs ? frame_of_pair(p, &k->pair[l]) : PACK_NONE;
    four_columns(J, 3 * TX_TRUNK, rows);
    for (int side = 0; side < 2; side++) {
        take_bodies(p, k, side, &t->body[side]);
        head[PACK_HALF + side] = t->body[side].half[0];
    }
    const four both = head[PACK_HALF] * head[PACK_HALF] + head[PACK_HALF + 1] * head[PACK_HALF + 1];
    for (int c = 0; c < 3; c++) relative[c] = t->body[0].free[c] - t->body[1].free[c];
    for (int r = 0; r < 3; r++) {
        four *frame = head + PACK_FRAME + 3 * r;
        for (int c = 0; c < 3; c++) frame[c] = rows[TX_TRUNK * r + c];
        t->y[r] = pack_dot3(frame, relative);
        t->own[r] = both * pack_dot3(frame, frame);
        t->with[r] = both * pack_dot3(head + PACK_FRAME, frame);
    }
}

FN void fill_plain_point(const pack_point *at, const pack_share *t, four *q) {
    // of one friction in its plane, a cone is as round as it is
    const four s[3] = {four_of(1), four_of(1), four_of(1)};
    four *B = q + PACK_B, y[3], own[3], with[3];
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < 3; r++) {
            four J[4];
            four_turn(at->J[side], TX_TRUNK * r + 2, J);
            for (int c = 0; c < 3; c++) B[6 * r + 3 * side + c] = J[1 + c];
        }
    q[PACK_MU] = at->n[N_MU];
    for (int r = 0; r < 3; r++)
        y[r] = t->y[r] + (pack_dot3(B + 6 * r, t->body[0].free + 3) + pack_dot3(B + 6 * r + 3, t->body[1].free + 3));
    pack_B(&t->body[0], 3, 6, B), pack_B(&t->body[1], 3, 6, B + 3);
    for (int r = 0; r < 3; r++) {
        const four *row = B + 6 * r;
        own[r] = t->own[r] + (pack_dot3(row, row) + pack_dot3(row + 3, row + 3));
        with[r] = t->with[r] + (pack_dot3(row, B) + pack_dot3(row + 3, B + 3));
    }
    fill_point(at, s, y, own, with, q);
}

// ---- all ------------------------------------------------------------------------------------------------------------

FN void fill_half(const tx_problem *p, const tx_pack *k, pack_begin begin) {
    pack_share t;
    pack_point at;
    four head[PACK_HEAD];
    if (k->plain) {
        fill_head(p, k, head, &t);
        pack_put(head, PACK_HEAD, HEAD(p->dual, k));
    } else take_bodies(p, k, 0, &t.body[0]), take_bodies(p, k, 1, &t.body[1]);
    for (int j = 0; j < k->points; j++) {
        four q[PACK_FULL];
        take_point(p, k, j, begin, &at);
        if (k->plain) fill_plain_point(&at, &t, q);
        else fill_full_point(&at, t.body, q);
        pack_put(q, k->plain ? PACK_PLAIN : PACK_FULL, POINT(p->dual, k, j));
    }
}
// what a pack is filled from lies anywhere: it is fetched while the one before it is filled
FN void fetch_range(const num *from, int numbers) {
    for (int i = 0; i < numbers; i += (int)(64 / sizeof(num))) __builtin_prefetch(from + i);
}
FN void fetch_pack(const tx_problem *p, const tx_pack *k, const tx_pack *end) {
    for (int l = 0; k < end && l < k->pairs; l++) {
        const int i = k->pair[l].con, count = k->pair[l].count;
        const tx_constraint *c = &p->cons[i];
        fetch_range(numbers_of(p, i), count * TX_KERNEL_NUMBERS);
        fetch_range(&AT(p->J, p->pieces[c->piece].at), count * c->pieces * 3 * TX_TRUNK);
    }
}
// a pack from J and the forces it begins with
FN void fill_pack(const tx_problem *p, tx_pack *k, pack_begin begin) {
    tx_pack room;
    sort_plain(p, k);
    for (int plain = 0; plain < 2; plain++) {
        const tx_pack *half = half_of(p, k, plain, &room);
        if (half) fill_half(p, half, begin);
    }
}

FN void start_half(const tx_problem *p, const tx_pack *k) {
    num *z = ARRAY(p->dual->z);
    four here[TX_TRUNK], there[TX_TRUNK], head[PACK_HEAD], g[3], B[PACK_FULL - PACK_B];
    pack_gather(k, 0, z, here), pack_gather(k, 1, z, there);
    if (k->plain) pack_take(HEAD(p->dual, k), PACK_HEAD, head);
    for (int j = 0; j < k->points; j++) {
        const pack_cell *q = POINT(p->dual, k, j);
        pack_take(q + PACK_G, 3, g);
        pack_take(q + PACK_B, (k->plain ? PACK_PLAIN : PACK_FULL) - PACK_B, B);
        if (k->plain) plain_push(head, B, g, here, there);
        else pack_push(B, g, here, there);
    }
    pack_scatter(k, 0, here, z), pack_scatter(k, 1, there, z);
}
// z with these forces added
FN void start_pack(const tx_problem *p, const tx_pack *k) {
    tx_pack room;
    for (int plain = 0; plain < 2; plain++) {
        const tx_pack *half = half_of(p, k, plain, &room);
        if (half) start_half(p, half);
    }
}
// all packs of an island
STAGE void fill_packs(const tx_problem *p, pack_begin begin) {
    EACH_PACK(p, k) {
        fetch_pack(p, k + 1, end_);
        fill_pack(p, k, begin), start_pack(p, k);
    }
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

#define FOUR_STRIDE 2
#define FOURS       1
#define wide        four
#define STRIDE      FOUR_STRIDE
#define WIDE(name)  four_##name
#include "solver/visit.inl"
#ifdef TARGET_EIGHTS
#define FOURS      2
#define wide       eight
#define STRIDE     1
#define WIDE(name) eight_##name
#include "solver/visit.inl"
#endif

FN void visit_full(const tx_problem *p, const tx_pack *k, num relaxation, four *moved) {
    num *z = ARRAY(p->dual->z);
    four here[TX_TRUNK], there[TX_TRUNK], was[3], u[3], g[3], step[3];
    pack_gather(k, 0, z, here), pack_gather(k, 1, z, there);
    for (int j = 0; j < k->points; j++) {
        pack_cell *q = POINT(p->dual, k, j);
        four B[PACK_FULL - PACK_B];
        pack_take(q + PACK_B, PACK_FULL - PACK_B, B), pack_take(q + PACK_G, 3, was);
        for (int r = 0; r < 3; r++) u[r] = pack_row(B, r, here, there);
        four_add(four_push_point(&q->own, relaxation, was, u, g, step), moved);
        pack_put(g, 3, q + PACK_G);
        pack_push(B, step, here, there);
    }
    pack_scatter(k, 0, here, z), pack_scatter(k, 1, there, z);
}
// a plain pack from one of its points on
FN void visit_plain(const tx_problem *p, const tx_pack *k, int from, num relaxation, four *moved) {
    four_visit v;
    if (from == k->points) return;
    four_begin_visit(p, k, &v);
    v.q += FOUR_STRIDE * PACK_PLAIN * from;
    for (int j = from; j < k->points; j++) four_visit_next(&v, relaxation, moved);
    four_end_visit(p, k, &v);
}
FN void visit_pack(const tx_problem *p, const tx_pack *k, num relaxation, four *moved) {
    tx_pack room;
    for (int plain = 0; plain < 2; plain++) {
        const tx_pack *half = half_of(p, k, plain, &room);
        if (!half) continue;
        if (plain) visit_plain(p, half, 0, relaxation, moved);
        else visit_full(p, half, relaxation, moved);
    }
}

// Packs of one colour share no body, so two of them go side by side, as one where registers are as wide: while a point
// of the one waits, the other one works. Only plain pairs
FN int packs_at_once(const tx_pack *k, const tx_pack *end) {
    const tx_pack *next = k + 1;
    return next < end && next->at == k->at + 1 && k->plain == k->pairs && next->plain == next->pairs ? 2 : 1;
}
FN void visit_two_packs(const tx_problem *p, const tx_pack *k, num relaxation, four *moved) {
    const int both = k[0].points < k[1].points ? k[0].points : k[1].points;
#ifdef TARGET_EIGHTS
    eight_visit v;
    eight_begin_visit(p, k, &v);
    for (int j = 0; j < both; j++) eight_visit_next(&v, relaxation, moved);
    eight_end_visit(p, k, &v);
#else
    four_visit v[2];
    for (int i = 0; i < 2; i++) four_begin_visit(p, k + i, &v[i]);
    for (int j = 0; j < both; j++)
        for (int i = 0; i < 2; i++) four_visit_next(&v[i], relaxation, moved);
    for (int i = 0; i < 2; i++) four_end_visit(p, k + i, &v[i]);
#endif
    for (int i = 0; i < 2; i++) visit_plain(p, k + i, both, relaxation, moved);
}
FN void visit_packs(const tx_problem *p, const tx_pack *k, int count, num relaxation, four *moved) {
    if (count == 2) visit_two_packs(p, k, relaxation, moved);
    else visit_pack(p, k, relaxation, moved);
}

STAGE void sweep_packs(const tx_problem *p, pack_sweep *sweep) {
    four moved = {0};
    int count;
    for (const tx_pack *k = first_pack(p), *end = end_of_packs(p); k < end; k += count)
        visit_packs(p, k, count = packs_at_once(k, end), sweep->relaxation, &moved);
    sweep->moved = (moved[0] + moved[1]) + (moved[2] + moved[3]);
}

// ---- what comes of it -----------------------------------------------------------------------------------------------

// μ and the units of the pairs of a pack at point j
FN void pack_units(const tx_problem *p, const tx_pack *k, int j, four *s) {
    const num *n[TX_PACK];
    four numbers[N_MU + 2];
    for (int l = 0; l < TX_PACK; l++)
        n[l] = l < k->pairs && j < k->pair[l].count ? numbers_of(p, k->pair[l].con + j) : PACK_NONE;
    for (int r = N_MU; r < N_MU + 2; r++) numbers[r] = four_from(n[0][r], n[1][r], n[2][r], n[3][r]);
    pack_opening(numbers, s);
}

FN void read_half(const tx_problem *p, const tx_pack *k) {
    for (int j = 0; j < k->points; j++) {
        const pack_cell *q = POINT(p->dual, k, j);
        four s[3];
        pack_units(p, k, j, s);
        for (int l = 0; l < k->pairs; l++) {
            if (j >= k->pair[l].count) continue;
            num *lambda = &AT(p->dual->lambda, DUALS(&p->cons[k->pair[l].con + j]));
            for (int r = 0; r < 3; r++) lambda[r] = s[r][l] * q[PACK_G + r].own[l];
        }
    }
}
// λ of the contacts in packs
STAGE void read_packs(const tx_problem *p) {
    EACH_PACK(p, k)
    for (int plain = 0; plain < 2; plain++) {
        tx_pack room;
        const tx_pack *half = half_of(p, k, plain, &room);
        if (half) read_half(p, half);
    }
}

// what the map of hard_cone_defect() leaves of a force g whose motion is u, both in round units
FN void near_cone(four mu, four *v) {
    const four t = four_sqrt(v[1] * v[1] + v[2] * v[2]);
    const four_masks inside = (four_masks)(v[0] >= R(0)) & (four_masks)(t <= mu * v[0]);
    const four_masks none = ~inside & (four_masks)(mu * t <= -v[0]);
    const four onto = (v[0] + mu * t) / (R(1) + mu * mu);
    const four shrink = mu * onto / four_sel((four_masks)(t > R(0)), t, four_of(1));
    v[0] = four_sel(inside, v[0], four_sel(none, four_of(0), onto));
    for (int r = 1; r < 3; r++) v[r] = four_sel(inside, v[r], four_sel(none, four_of(0), shrink * v[r]));
}

// what is left of Coulomb's law in a contact, and what it is measured by, until all are added up in their order
FN num *defects_of(const tx_problem *p, int i) { return &AT(p->dual->product, 2 * i); }

// of a plain pack γ, y and y_free, and the defects, as dual_defects() has them: nobody asks for λ
FN void end_plain(const tx_problem *p, const tx_pack *k, const four *z, const four *w) {
    four head[PACK_HEAD], q[PACK_PLAIN], relative[3];
    pack_take(HEAD(p->dual, k), PACK_HEAD, head);
    for (int c = 0; c < 3; c++) relative[c] = head[PACK_HALF] * z[c] - head[PACK_HALF + 1] * w[c];
    for (int j = 0; j < k->points; j++) {
        const num *n[TX_PACK];
        pack_take(POINT(p->dual, k, j), PACK_PLAIN, q);
        four stiff[4], aim[4], u[3], to[3], y[3], defect = {0}, scale = {0};
        for (int l = 0; l < TX_PACK; l++)
            n[l] = l < k->pairs && j < k->pair[l].count ? numbers_of(p, k->pair[l].con + j) : PACK_NONE;
        four_turn(n, N_D, stiff), four_turn(n, N_A, aim);
        for (int r = 0; r < 3; r++) {
            y[r] = q[PACK_FREE + r] + plain_row(head, q + PACK_B, r, relative, z, w);
            u[r] = y[r] + q[PACK_E + r] * q[PACK_G + r];
        }
        const four rho = stiff[0] * stiff[1], safe = four_sel((four_masks)(rho > R(0)), rho, four_of(1));
        u[0] = u[0] + q[PACK_MU] * four_sqrt(u[1] * u[1] + u[2] * u[2]);
        for (int r = 0; r < 3; r++) to[r] = q[PACK_G + r] - rho * u[r];
        near_cone(q[PACK_MU], to);
        for (int r = 0; r < 3; r++) {
            const four map = q[PACK_G + r] - to[r];
            defect = defect + four_sel((four_masks)(rho > R(0)), map * map / safe, four_of(0));
            const four stake = rho * (q[PACK_FREE + r] * q[PACK_FREE + r] + R(p->y_floor));
            scale = scale + four_sel((four_masks)(rho > R(0)), stake, four_of(0));
        }
        for (int l = 0; l < k->pairs; l++) {
            if (j >= k->pair[l].count) continue;
            const int i = k->pair[l].con + j, row = p->cons[i].row;
            num *left = defects_of(p, i);
            for (int r = 0; r < 3; r++) {
                AT(p->gamma, row + r) = q[PACK_G + r][l];
                AT(p->y, row + r) = y[r][l] + aim[r][l], AT(p->y_free, row + r) = q[PACK_FREE + r][l] + aim[r][l];
            }
            left[0] = defect[l], left[1] = scale[l];
        }
    }
}

// the same of another one, contact by contact
FN void end_full(const tx_problem *p, const tx_pack *k, const four *z, const four *w) {
    for (int j = 0; j < k->points; j++) {
        four q[PACK_FULL], s[3], y[3];
        pack_take(POINT(p->dual, k, j), PACK_FULL, q);
        pack_units(p, k, j, s);
        for (int r = 0; r < 3; r++) y[r] = pack_row(q + PACK_B, r, z, w);
        for (int l = 0; l < k->pairs; l++) {
            if (j >= k->pair[l].count) continue;
            const int i = k->pair[l].con + j, row = p->cons[i].row;
            const num *n = numbers_of(p, i);
            num *gamma = &AT(p->gamma, row), *left = defects_of(p, i);
            defect_sum sum = {R(0), R(0), R(p->y_floor)};
            for (int r = 0; r < 3; r++) {
                // of what has no friction along a tangent nothing is known, and nothing is asked
                const num inverse = s[r][l] > R(0) ? R(1) / s[r][l] : R(0);
                gamma[r] = s[r][l] * q[PACK_G + r][l];
                AT(p->y_free, row + r) = inverse * q[PACK_FREE + r][l] + n[N_A + r];
                AT(p->y, row + r) = AT(p->y_free, row + r) + inverse * y[r][l];
            }
            coulomb_defect(3, n, gamma, &AT(p->y, row), &AT(p->y_free, row), &sum);
            left[0] = sum.defect, left[1] = sum.scale;
        }
    }
}

// after blind sweeps: γ, y and y_free of the contacts of a pack, and their defects
FN void end_pack(const tx_problem *p, const tx_pack *k) {
    const num *z = ARRAY(p->dual->z);
    four here[TX_TRUNK], there[TX_TRUNK];
    for (int plain = 0; plain < 2; plain++) {
        tx_pack room;
        const tx_pack *half = half_of(p, k, plain, &room);
        if (!half) continue;
        pack_gather(half, 0, z, here), pack_gather(half, 1, z, there);
        if (plain) end_plain(p, half, here, there);
        else end_full(p, half, here, there);
    }
}
// and so does its answer
FN void fetch_answer(const tx_problem *p, const tx_pack *k, const tx_pack *end) {
    for (int l = 0; k < end && l < k->pairs; l++) {
        const int i = k->pair[l].con, count = k->pair[l].count, row = p->cons[i].row;
        fetch_range(numbers_of(p, i), count * TX_KERNEL_NUMBERS);
        fetch_range(defects_of(p, i), 2 * count), fetch_range(&AT(p->gamma, row), 3 * count);
        fetch_range(&AT(p->y, row), 3 * count), fetch_range(&AT(p->y_free, row), 3 * count);
    }
}
STAGE void end_packs(const tx_problem *p) {
    EACH_PACK(p, k) {
        fetch_answer(p, k + 1, end_);
        end_pack(p, k);
    }
}

// the defects of all contacts in packs, in the order of the list: who has made them does not matter
STAGE void sum_defects(const tx_problem *p, defect_sum *sum) {
    for (int v = 0; v < p->listed; v++) {
        const num *left = defects_of(p, p->list[v]);
        if (!p->dual->quick[p->list[v]]) continue;
        sum->defect = sum->defect + left[0], sum->scale = sum->scale + left[1];
    }
}

// whether the packs of the whole problem have left their defects: blind sweeps do
FN bool packs_left_defects(const tx_problem *p) { return p->dual->coloured > 0 && asks_nothing(p); }
// the solve error of all islands then, in the order of the list: only what is in no pack is measured
STAGE void packs_solve_error(const tx_problem *p) {
    tx_problem alone = *p;
    defect_sum sum = {R(0), R(0), R(p->y_floor)};
    dual_still(p);
    alone.listed = 1;
    for (int i = 0; i < p->ncons; i++) {
        const num *left = defects_of(p, i);
        alone.list = &i;
        if (p->cons[i].pieces > 0 && p->dual->quick[i])
            sum.defect = sum.defect + left[0], sum.scale = sum.scale + left[1];
        else dual_defects(&alone, ARRAY(p->dual->lambda), ARRAY(p->y), &sum);
    }
    AT(p->solve_error, 0) = defect_ratio(&sum);
}

#else

FN bool has_packs(const tx_problem *p) {
    (void)p;
    return false;
}
FN tx_problem without_packs(const tx_problem *p) { return *p; }
FN void fill_packs(const tx_problem *p, pack_begin begin) { (void)p, (void)begin; }
FN void sweep_packs(const tx_problem *p, pack_sweep *sweep) { (void)p, (void)sweep; }
FN void read_packs(const tx_problem *p) { (void)p; }
FN void end_packs(const tx_problem *p) { (void)p; }
FN void sum_defects(const tx_problem *p, defect_sum *sum) { (void)p, (void)sum; }
FN bool packs_left_defects(const tx_problem *p) {
    (void)p;
    return false;
}
FN void packs_solve_error(const tx_problem *p) { (void)p; }

#endif
