// together.inl - blind sweeps of pgs over one island by several threads. Each has a part of the island, neighbouring
// bodies with packs of their own, and goes through them sweep after sweep. Where a pack shares a body with another part
// it waits until the pack before it in the order of a single thread is done, in this sweep or in the last one, so every
// body sees its contacts in that order, and the bits are those of one thread. lanes: any; there are packs at one lane
// only
#pragma once
#include "base/fpenv.h"
#include "base/task.h"
#include "solver/packs.inl"

// longer steps carry further; the last two are plain, so that what is quick comes to rest
FN num blind_relaxation(const tx_problem *p, int sweep) { return sweep + 2 <= p->opt.iterations ? R(1.5) : R(1); }

#if TX_LANES == 1

typedef struct parts_job {
    const tx_problem *p;
    const tx_split *split;
    pack_begin begin;
} parts_job;

// a thread on its way: rounds are walks over the packs, the first one with the forces that they begin with, the last
// one for the answer
typedef struct part_turn {
    const tx_problem *p;
    const tx_split *split;
    int part;
    long long round, seen[TX_PARTS]; // how far the others were when it last looked
} part_turn;

FN int packs_of_part(const tx_split *s, int part) { return s->pack[part + 1] - s->pack[part]; }
// how far a part is when it has done so many packs of a round; at 1 its bodies are ready
FN long long part_place(const part_turn *t, int part, int packs) {
    return 1 + t->round * packs_of_part(t->split, part) + packs;
}
FN void look_after(part_turn *t, int part, long long place) {
    if (part != t->part && t->seen[part] < place) t->seen[part] = tx_pool_await(t->p->pool, part, place);
}
FN void await_turn(part_turn *t, const tx_pack *k) {
    for (int i = 0; i < t->split->parts; i++)
        if (k->after[i] != TX_NO_PACK) look_after(t, i, part_place(t, i, k->after[i] + 1));
}
FN void end_turn(const part_turn *t, const tx_pack *k) {
    const int done = (int)(k - t->p->dual->packs) - t->split->pack[t->part] + 1;
    if (k->awaited) tx_pool_pass(t->p->pool, t->part, part_place(t, t->part, done));
}
// all parts have done what comes before this round
FN void meet(part_turn *t) {
    tx_pool_pass(t->p->pool, t->part, part_place(t, t->part, 0));
    for (int i = 0; i < t->split->parts; i++) look_after(t, i, part_place(t, i, 0));
}

FN tx_pack *first_own_pack(const part_turn *t) { return t->p->dual->packs + t->split->pack[t->part]; }
FN tx_pack *end_of_own_packs(const part_turn *t) { return t->p->dual->packs + t->split->pack[t->part + 1]; }
#define EACH_OWN_PACK(t, k) for (tx_pack *k = first_own_pack(t), *end_ = end_of_own_packs(t); k < end_; k++)

// runs of dofs of a part
FN tx_range own_dofs(const part_turn *t, int range) {
    tx_range r = t->p->ranges[range];
    const int begin = t->split->dof[t->part], end = t->split->dof[t->part + 1];
    if (r.begin < begin) r.begin = begin;
    if (r.end > end) r.end = end;
    return r;
}

// D^-½ and sums of nothing
FN void begin_bodies(const part_turn *t) {
    const tx_problem *p = t->p;
    for (int i = 0; i < p->nranges; i++) {
        const tx_range r = own_dofs(t, i);
        for (int k = r.begin; k < r.end; k++) {
            AT(p->dual->half_inv, k) = vsqrt(AT(p->Linv, k));
            AT(p->dual->z, k) = R(0);
        }
    }
}
// of a free body, with A = Lᵀ D L and z = D^-½ L⁻ᵀ Jᵀγ: Jᵀγ = Lᵀ D^½ z and x = x* + L⁻¹ D^-½ z. J is not looked at
// again
FN void end_body(const tx_problem *p, int dof) {
    const num *L = &AT(p->L, p->tree.first[dof]), *z = &AT(p->dual->z, dof), *half = &AT(p->dual->half_inv, dof);
    num x[TX_TRUNK], force[TX_TRUNK];
    UNROLL
    for (int c = 0; c < TX_TRUNK; c++) {
        x[c] = half[c] * z[c];
        const num push = L[TRUNK_ROW(c)] * x[c];
        UNROLL
        for (int a = c; a >= 1; a--) {
            x[c] = x[c] - L[TRUNK_ROW(c) + a] * x[c - a];
            force[c - a] = force[c - a] + L[TRUNK_ROW(c) + a] * push;
        }
        force[c] = push;
    }
    for (int c = 0; c < TX_TRUNK; c++) {
        AT(p->force, dof + c) = force[c];
        AT(p->x, dof + c) = AT(p->x_star, dof + c) + x[c];
    }
}
FN void end_bodies(const part_turn *t) {
    for (int i = 0; i < t->p->nranges; i++) {
        const tx_range r = own_dofs(t, i);
        for (int k = r.begin; k < r.end; k += TX_TRUNK) end_body(t->p, k);
    }
}
// the same of a whole island
FN void end_island(const tx_problem *p) {
    const tx_split whole = {.parts = 1, .dof = {0, INT_MAX}};
    const part_turn all = {.p = p, .split = &whole};
    end_bodies(&all);
}

STAGE void sweep_part(void *context, int part) {
    const parts_job *job = (const parts_job *)context;
    const tx_problem *p = job->p;
    tx_fpenv env = tx_fpenv_enter();
    part_turn t = {.p = p, .split = job->split, .part = part};
    four moved = {0};
    begin_bodies(&t);
    meet(&t);
    EACH_OWN_PACK(&t, k) fetch_pack(p, k + 1, end_), fill_pack(p, k, job->begin);
    EACH_OWN_PACK(&t, k) {
        await_turn(&t, k);
        start_pack(p, k);
        end_turn(&t, k);
    }
    for (t.round = 1; t.round <= p->opt.iterations; t.round++) {
        const num relaxation = blind_relaxation(p, (int)t.round);
        int count;
        // packs of one colour wait for none of their own colour, so two may wait before either goes
        for (const tx_pack *k = first_own_pack(&t), *end = end_of_own_packs(&t); k < end; k += count) {
            count = packs_at_once(k, end);
            for (int i = 0; i < count; i++) await_turn(&t, k + i);
            visit_packs(p, k, count, relaxation, &moved);
            for (int i = 0; i < count; i++) end_turn(&t, k + i);
        }
    }
    meet(&t);
    EACH_OWN_PACK(&t, k) fetch_answer(p, k + 1, end_), end_pack(p, k);
    end_bodies(&t);
    tx_fpenv_leave(env);
}

// how it went where all contacts are in packs
FN void packed_verdict(const tx_problem *p) {
    defect_sum sum = {R(0), R(0), R(p->y_floor)};
    sum_defects(p, &sum);
    dual_verdict(p, defect_ratio(&sum), splat(R(p->opt.iterations)));
}

// whether threads share the island
FN bool is_shared(const tx_problem *p) { return p->pool && has_packs(p) && p->dual->split_of[p->group] >= 0; }

// all sweeps, and the answer
STAGE void sweep_together(const tx_problem *p, pack_begin begin) {
    const tx_split *split = &p->dual->split[p->dual->split_of[p->group]];
    parts_job job = {p, split, begin};
    tx_pool_run(p->pool, sweep_part, &job, split->parts);
    // as many as one thread counts: two a sweep, two or three before and behind them
    if (p->products) *p->products += 2LL * p->opt.iterations + 2 + (p->opt.warmstart && !p->guessed);
    packed_verdict(p);
}

#else

FN bool is_shared(const tx_problem *p) {
    (void)p;
    return false;
}
FN void end_island(const tx_problem *p) { (void)p; }
FN void sweep_together(const tx_problem *p, pack_begin begin) { (void)p, (void)begin; }

#endif
