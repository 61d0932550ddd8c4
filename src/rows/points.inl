// points.inl - contacts of the same free bodies, up to four side by side: J, how fast they move, how heavy they are.
// The operations of contact_piece(), piece_mul() and weigh_block() in their order, so the same bits. lanes: any; only
// one environment has fours
#pragma once
#include "lane/four.h"
#include "rows/make.inl"
#include "rows/slot.inl"

#if TX_LANES == 1
// what follows from J of three rows: of the normal J v and J x*, where they are wanted, and the norm of J A⁻¹ Jᵀ
typedef struct points_motion {
    four speed, ahead, weight;
} points_motion;

FN four dot3_of_four(const four *a, const four *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// whether a contact has three rows and moves bodies with free joints and nothing else
FN bool moves_free_bodies(const tx_block *b, const tx_constraint *c) {
    const tx_problem *p = &b->problem;
    if (c->dim != 3 || c->pieces == 0 || !moves_root_chains(p, c)) return false;
    for (int k = c->piece; k < c->piece + c->pieces; k++)
        if (b->m->jnt_type[b->m->dof_jnt[p->pieces[k].dof]] != TX_JOINT_FREE) return false;
    return true;
}

// a free joint begins with the axes of the world; its turns are those of cdof
FN void body_piece(const num *cdof, const four *frame, const four *arm, num sign, four *J) {
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) J[6 * r + k] = sign * frame[3 * r + k];
    for (int k = 3; k < 6; k++) {
        const num *s = cdof + 6 * k;
        const four point[3] = {(s[1] * arm[2] - s[2] * arm[1]) + s[3], (s[2] * arm[0] - s[0] * arm[2]) + s[4],
                               (s[0] * arm[1] - s[1] * arm[0]) + s[5]};
        for (int r = 0; r < 3; r++) J[6 * r + k] = sign * dot3_of_four(frame + 3 * r, point);
    }
}

// whether the turns of a body about its centre are apart from its translations, and these from each other, in the
// factor of A: then what takes nothing off need not be taken off
FN bool turns_alone(const num *L) {
    for (int d = 1; d < TX_TRUNK; d++)
        for (int q = 0; q < d && q < 3; q++)
            if (L[TRUNK_ROW(d) + d - q] != R(0)) return false;
    return true;
}

// what a body adds to the lower triangle of J A⁻¹ Jᵀ, from J, which is lost
FN void add_body_weight(const num *L, const num *inv, bool alone, four *Z, four *W) {
    UNROLL
    for (int d = TX_TRUNK - 1; d >= 0; d--) {
        const num *row = L + TRUNK_ROW(d);
        const int least = alone ? 3 : 0;
        UNROLL
        for (int r = 0; r < 3; r++) {
            const four z = Z[TX_TRUNK * r + d];
            for (int q = d - 1; q >= least; q--) Z[TX_TRUNK * r + q] = Z[TX_TRUNK * r + q] - row[d - q] * z;
            for (int q = 0; q <= r; q++) W[3 * r + q] = W[3 * r + q] + z * inv[d] * Z[TX_TRUNK * q + d];
        }
    }
}

// of the contacts from a slot on, which follow each other; J goes into the problem
FN void make_points(const tx_block *b, int slot, const tx_constraint *c, int count, bool moving, points_motion *out) {
    const tx_problem *p = &b->problem;
    const tx_slot *at = &b->slot[slot];
    const num *frames[4], *places[4];
    four frame[9], pos[3], J[2][3 * TX_TRUNK], W[9], square = {0};
    // those that are not there are the last one again
    for (int l = 0; l < 4; l++) {
        const int s = slot + (l < count ? l : count - 1);
        frames[l] = slot_frame(b, s), places[l] = slot_pos(b, s);
    }
    four_columns(frames, 9, frame);
    four_columns(places, 3, pos);
    UNROLL
    for (int r = 0; r < 9; r++) W[r] = four_of(0);
    out->speed = out->ahead = four_of(0);
    for (int k = 0; k < c->pieces; k++) {
        const tx_piece *e = &p->pieces[c->piece + k];
        const int side = b->piece_side[c->piece + k];
        const num *com = &AT(b->tree_com, 3 * b->m->body_root[at->body[side]]), *v = &AT(b->qvel, e->dof),
                  *x = &AT(p->x_star, e->dof);
        num *to[4] = {0};
        four arm[3];
        for (int i = 0; i < 3; i++) arm[i] = pos[i] - com[i];
        body_piece(&AT(b->cdof, 6 * e->dof), frame, arm, side ? R(1) : R(-1), J[k]);
        for (int i = 0; moving && i < TX_TRUNK; i++) {
            out->speed = out->speed + J[k][i] * v[i];
            out->ahead = out->ahead + J[k][i] * x[i];
        }
        for (int l = 0; l < count; l++) to[l] = &AT(p->J, p->pieces[c[l].piece + k].at);
        four_rows(J[k], 3 * TX_TRUNK, to, count);
    }
    for (int k = c->pieces - 1; k >= 0; k--) {
        const int dof = p->pieces[c->piece + k].dof;
        const num *L = &AT(p->L, p->tree.first[dof]), *inv = &AT(p->Linv, dof);
        if (turns_alone(L)) add_body_weight(L, inv, true, J[k], W);
        else add_body_weight(L, inv, false, J[k], W);
    }
    for (int r = 0; r < 3; r++)
        for (int q = 0; q <= r; q++) square = square + (q == r ? R(1) : R(2)) * W[3 * r + q] * W[3 * r + q];
    out->weight = four_sqrt(square) / R(3);
}
#endif
