// waves.inl - blind sweeps of pgs over a large island by one thread, several of them on their way at once: a pack is
// visited again as soon as its bodies have been everywhere in the sweep before, while it is still in the cache. Every
// body sees its contacts in the order of the sweeps, so the bits are those of one sweep after the other. lanes: any;
// there are packs at one lane only
#pragma once
#include "solver/together.inl"

#if TX_LANES == 1

FN bool goes_in_waves(const tx_problem *p) {
    return has_packs(p) && !p->trace && p->dual->turn_start[p->group + 1] > p->dual->turn_start[p->group];
}

// the first round has the forces that all begin with, the one behind the sweeps is for the answer
FN void take_turn(const tx_problem *p, const tx_turn *turn, int round, pack_begin begin) {
    tx_pack *k = p->dual->packs + turn->pack, *end = k + turn->count;
    four moved = {0};
    int count = 1;
    if (round == 0)
        for (; k < end; k++) fetch_pack(p, k + 1, end_of_packs(p)), fill_pack(p, k, begin), start_pack(p, k);
    else if (round > p->opt.iterations)
        for (; k < end; k++) fetch_answer(p, k + 1, end_of_packs(p)), end_pack(p, k);
    else
        for (; k < end; k += count)
            visit_packs(p, k, count = packs_at_once(k, end), blind_relaxation(p, round), &moved);
}

STAGE void sweep_in_waves(const tx_problem *p, pack_begin begin) {
    const tx_dual *d = p->dual;
    const tx_turn *first = d->turns + d->turn_start[p->group], *end = d->turns + d->turn_start[p->group + 1];
    const tx_split whole = {.parts = 1, .dof = {0, INT_MAX}};
    const part_turn all = {.p = p, .split = &whole};
    begin_bodies(&all);
    for (int round = 0; round < p->opt.iterations + 2; round += TX_WAVE)
        for (const tx_turn *turn = first; turn < end; turn++)
            if (round + turn->round < p->opt.iterations + 2) take_turn(p, turn, round + turn->round, begin);
    // as many as one round after the other: two a sweep, two or three before and behind them
    if (p->products) *p->products += 2LL * p->opt.iterations + 2 + (p->opt.warmstart && !p->guessed);
    end_island(p);
    packed_verdict(p);
}

#else

FN bool goes_in_waves(const tx_problem *p) {
    (void)p;
    return false;
}
FN void sweep_in_waves(const tx_problem *p, pack_begin begin) { (void)p, (void)begin; }

#endif
