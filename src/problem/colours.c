// colours.c - colours of pairs of bodies in the order of their list, packs of four pairs, and turns of packs.
#include "problem/colours.h"

#include <limits.h>
#include <string.h>

#include "problem/kernel_list.h"

enum { LENGTHS = 16 };

// what is known of a body, in the places of its dofs: one behind its last colour, the work of the pairs that are its
// own, its part of the island, one behind its first pack and its last one, when the last turn was that moves it
enum { BODY_COLOUR, BODY_WORK, BODY_PART, BODY_FIRST, BODY_LAST, BODY_TIME };

// whether the constraint is one of three rows with friction whose spans are one or two whole free bodies
static bool is_common(const tx_dual *d, const tx_problem *p, int i) {
    const tx_constraint *c = &p->cons[i];
    const int spans = d->first[i + 1] - d->first[i];
    if (c->kernel != KERNEL_coulomb || c->dim != 3 || c->pieces < 1 || c->pieces > 2 || spans != c->pieces)
        return false;
    for (int k = 0; k < c->pieces; k++) {
        const tx_piece *e = &p->pieces[c->piece + k];
        const tx_span *s = &d->spans[d->first[i] + k];
        if (e->width != TX_TRUNK || p->tree.parent[e->dof] >= 0 || p->tree.count[e->dof + TX_TRUNK - 1] != TX_TRUNK ||
            s->width != TX_TRUNK || s->dof != e->dof)
            return false;
    }
    return true;
}

// whether what has just been said of the constraint before goes for this one too, of the same bodies
static bool is_like_the_last(const tx_dual *d, const tx_problem *p, int i) {
    const tx_constraint *c = &p->cons[i], *last = c - 1;
    if (c->kernel != last->kernel || c->dim != last->dim || c->pieces != last->pieces ||
        d->first[i + 1] - d->first[i] != c->pieces)
        return false;
    for (int k = 0; k < c->pieces; k++)
        if (p->pieces[c->piece + k].dof != p->pieces[last->piece + k].dof ||
            p->pieces[c->piece + k].width != p->pieces[last->piece + k].width)
            return false;
    return true;
}

static void begin_pair(const tx_dual *d, const tx_problem *p, int i, tx_pair *pair) {
    const tx_span *s = &d->spans[d->first[i]];
    pair->con = i, pair->count = 1, pair->part = 0;
    pair->dof[0] = s->dof, pair->dof[1] = p->cons[i].pieces > 1 ? s[1].dof : -1;
}

// a colour behind those of all pairs before it that share a body: sweeps in the order of colours are those in the
// order of the list
static int colour_of(const tx_dual *d, const tx_pair *pair) {
    int colour = 0;
    for (int k = 0; k < 2; k++)
        if (pair->dof[k] >= 0 && d->body[pair->dof[k] + BODY_COLOUR] > colour)
            colour = d->body[pair->dof[k] + BODY_COLOUR];
    for (int k = 0; k < 2; k++)
        if (pair->dof[k] >= 0) d->body[pair->dof[k] + BODY_COLOUR] = colour + 1;
    return colour;
}

// runs of neighbouring contacts of the same bodies, and all that is in none; @return how many
static int find_pairs(tx_dual *d, const tx_problem *p, tx_pair *all, const int *list, int listed) {
    int pairs = 0;
    for (int v = 0; v < listed; v++) {
        if (!(d->quick[list[v]] = is_common(d, p, list[v]))) {
            d->loose[d->nloose++] = list[v];
            continue;
        }
        tx_pair *pair = &all[pairs++];
        begin_pair(d, p, list[v], pair);
        for (; v + 1 < listed && list[v + 1] == list[v] + 1 && is_like_the_last(d, p, list[v + 1]); v++)
            d->quick[list[v + 1]] = 1, pair->count++;
        pair->key = colour_of(d, pair);
    }
    return pairs;
}

// the pairs of an island
typedef struct pair_list {
    tx_pair *at;
    int count;
} pair_list;

// pairs of one part: colour after colour, in each those with the most points first, so that packs are full; @return
// how many
static int sort_pairs(const tx_dual *d, pair_list pairs, int part) {
    int *order = d->order, *by_length = order + pairs.count, *bins = by_length + pairs.count,
        lengths[LENGTHS + 1] = {0}, count = 0;
    for (int i = 0; i <= pairs.count; i++) bins[i] = 0;
    for (int i = 0; i < pairs.count; i++) {
        const int n = pairs.at[i].count;
        if (pairs.at[i].part != part) continue;
        lengths[1 + (n < LENGTHS ? LENGTHS - 1 - n : 0)]++, bins[pairs.at[i].key + 1]++, count++;
    }
    for (int k = 0; k < LENGTHS; k++) lengths[k + 1] += lengths[k];
    for (int k = 0; k < pairs.count; k++) bins[k + 1] += bins[k];
    for (int i = 0; i < pairs.count; i++) {
        const int n = pairs.at[i].count;
        if (pairs.at[i].part == part) by_length[lengths[n < LENGTHS ? LENGTHS - 1 - n : 0]++] = i;
    }
    for (int i = 0; i < count; i++) order[bins[pairs.at[by_length[i]].key]++] = by_length[i];
    return count;
}

static void fill_packs(tx_dual *d, pair_list pairs, int part) {
    const int count = sort_pairs(d, pairs, part);
    tx_pack *pack = NULL;
    for (int i = 0, lane = 0; i < count; i++, lane++) {
        tx_pair *pair = &pairs.at[d->order[i]];
        if (!pack || pair->key != pack->colour || lane == TX_PACK) {
            pack = &d->packs[d->npacks++];
            *pack = (tx_pack){.at = (int)d->need.packed, .half = d->halves, .colour = pair->key, .part = part};
            d->need.packed += TX_PACK_HEAD, d->halves += TX_PACK_HEAD;
            lane = 0;
        }
        // longer ones than there are lengths are in no order
        if (pair->count > pack->points) {
            d->need.packed += TX_PACK_NUMBERS * (size_t)(pair->count - pack->points);
            d->halves += TX_PACK_PLAIN * (pair->count - pack->points);
            pack->points = pair->count;
        }
        pack->pair[lane] = *pair;
        pair->key = pack->pair[lane].key = d->npacks - 1;
        pack->pairs = lane + 1;
    }
}

// ---- waves ----------------------------------------------------------------------------------------------------------

static int packs_of_turn(const tx_dual *d, int pack, int end) {
    const tx_pack *k = &d->packs[pack];
    return pack + 1 < end && k[1].colour == k->colour ? 2 : 1;
}

// A turn of the first round has the time of its place, one of a later round that of the last turn before it that moves
// any of its bodies, which comes no earlier; @return its time, which its bodies keep
static int time_of_turn(const tx_dual *d, const tx_turn *turn) {
    int time = turn->pack;
    for (int write = 0; write < 2; write++)
        for (const tx_pack *k = d->packs + turn->pack; k < d->packs + turn->pack + turn->count; k++)
            for (int i = 0; i < 2 * k->pairs; i++) {
                const int dof = k->pair[i / 2].dof[i % 2];
                int *last = d->body + dof + BODY_TIME;
                if (dof < 0) continue;
                if (write) *last = time;
                else if (*last > time) time = *last;
            }
    return time;
}

// fours of numbers that no cache of the second level may hold from one round to the next
enum { FAR = 90000 };

// the turns of packs [begin, end) by their time; those of one time by their rounds, and in the order of the packs
static void order_turns(tx_dual *d, int begin, int end) {
    int *bins = d->order, *times = bins + (end - begin) + 1, count = 0;
    tx_turn turn, *turns = d->turns + d->nturns;
    for (int k = 0; k <= end - begin; k++) bins[k] = 0;
    for (turn.round = 0; turn.round < TX_WAVE; turn.round++)
        for (turn.pack = begin; turn.pack < end; turn.pack += turn.count, count++) {
            turn.count = packs_of_turn(d, turn.pack, end);
            times[count] = time_of_turn(d, &turn) - begin;
            bins[times[count] + 1]++;
        }
    for (int k = 0; k < end - begin; k++) bins[k + 1] += bins[k];
    count = 0;
    for (turn.round = 0; turn.round < TX_WAVE; turn.round++)
        for (turn.pack = begin; turn.pack < end; turn.pack += turn.count, count++) {
            turn.count = packs_of_turn(d, turn.pack, end);
            turns[bins[times[count]]++] = turn;
        }
    d->nturns += count;
}

// ---- parts ----------------------------------------------------------------------------------------------------------

// do something for the first dof of every body of an island of free bodies
#define EACH_BODY(s, island, dof)                                                      \
    for (int r_ = (s)->range_start[island]; r_ < (s)->range_start[(island) + 1]; r_++) \
        for (int dof = (s)->ranges[r_].begin; dof < (s)->ranges[r_].end; dof += TX_TRUNK)

// a pair belongs to its last body. In the order of the list, which ascends with the first bodies, what a pair comes
// behind then belongs to no later part, but for what the sweep before has left
static int owner_of(const tx_pair *pair) { return pair->dof[1] >= 0 ? pair->dof[1] : pair->dof[0]; }

// neighbouring bodies into parts of about the same work
static void cut_island(tx_dual *d, const tx_islands *s, int island, pair_list pairs, tx_split *split) {
    int64_t all = 0, before = 0;
    int begun = 0;
    for (int i = 0; i < pairs.count; i++) {
        const int work = 1 + pairs.at[i].count;
        d->body[owner_of(&pairs.at[i]) + BODY_WORK] += work, all += work;
    }
    EACH_BODY(s, island, dof) {
        const int work = d->body[dof + BODY_WORK];
        const int64_t part = (2 * before + work) * split->parts / (2 * all);
        d->body[dof + BODY_PART] = part < split->parts ? (int)part : split->parts - 1;
        while (begun <= d->body[dof + BODY_PART]) split->dof[begun++] = dof;
        before += work;
    }
    while (begun <= split->parts) split->dof[begun++] = INT_MAX;
    for (int i = 0; i < pairs.count; i++) pairs.at[i].part = d->body[owner_of(&pairs.at[i]) + BODY_PART];
}

// a pack comes behind another one of the same sweep, or of the sweep before
static void order_packs(tx_dual *d, const tx_split *split, int pack, int behind, bool same_sweep) {
    const int part = d->packs[behind].part, first = split->pack[part];
    if (part == d->packs[pack].part) return;
    const int place = behind - first - (same_sweep ? 0 : split->pack[part + 1] - first);
    if (place > d->packs[pack].after[part]) d->packs[pack].after[part] = place;
    d->packs[behind].awaited = true;
}

// what each pack of an island in parts waits for: bodies have their pairs in the order of the list, sweep after sweep
static void order_parts(tx_dual *d, const tx_islands *s, int island, pair_list pairs, const tx_split *split) {
    for (int k = split->pack[0]; k < split->pack[split->parts]; k++)
        for (int i = 0; i < TX_PARTS; i++) d->packs[k].after[i] = TX_NO_PACK;
    for (int i = 0; i < pairs.count; i++)
        for (int k = 0; k < 2; k++) {
            if (pairs.at[i].dof[k] < 0) continue;
            int *body = d->body + pairs.at[i].dof[k];
            const int pack = pairs.at[i].key;
            if (body[BODY_LAST] > 0) order_packs(d, split, pack, body[BODY_LAST] - 1, true);
            else body[BODY_FIRST] = pack + 1;
            body[BODY_LAST] = pack + 1;
        }
    EACH_BODY(s, island, dof)
    order_packs(d, split, d->body[dof + BODY_FIRST] - 1, d->body[dof + BODY_LAST] - 1, false);
}

// whether threads that have an island each would wait for this one
static bool is_large(const tx_islands *s, int island, int parts) {
    enum { LEAST = 500 }; // contacts that are worth it
    const int all = s->con_start[s->count], own = s->con_start[island + 1] - s->con_start[island];
    return own >= LEAST && (int64_t)own * parts > all;
}

static void pack_in_parts(tx_dual *d, const tx_islands *s, int island, pair_list pairs, int parts) {
    tx_split *split = &d->split[d->nsplits];
    d->split_of[island] = d->nsplits++;
    split->parts = parts;
    split->pair[0] = (int)(pairs.at - d->pairs), split->pair[1] = split->pair[0] + pairs.count;
    cut_island(d, s, island, pairs, split);
    for (int i = 0; i < parts; i++) split->pack[i] = d->npacks, fill_packs(d, pairs, i);
    split->pack[parts] = d->npacks;
    order_parts(d, s, island, pairs, split);
}

bool tx_colours_find(tx_dual *d, const tx_problem *p, const tx_islands *islands, int parts) {
    d->npacks = d->nloose = d->nsplits = d->nturns = d->halves = 0, d->need.packed = 0;
    d->coloured = islands->count;
    int found = 0;
    if (parts > TX_PARTS) parts = TX_PARTS;
    memset(d->body, 0, d->room.dofs * sizeof *d->body);
    for (int i = 0; i < islands->count; i++) {
        const int begin = islands->con_start[i], end = islands->con_start[i + 1];
        const size_t packed = d->need.packed;
        d->pack_start[i] = d->npacks, d->loose_start[i] = d->nloose, d->split_of[i] = -1, d->turn_start[i] = d->nturns;
        const pair_list pairs = {d->pairs + found,
                                 find_pairs(d, p, d->pairs + found, islands->cons + begin, end - begin)};
        found += pairs.count;
        const bool loose = d->nloose > d->loose_start[i];
        if (parts > 1 && !loose && is_large(islands, i, parts)) pack_in_parts(d, islands, i, pairs, parts);
        else {
            fill_packs(d, pairs, 0);
            if (parts > 0 && !loose && d->need.packed - packed >= FAR) order_turns(d, d->pack_start[i], d->npacks);
        }
    }
    d->turn_start[islands->count] = d->nturns;
    d->pack_start[islands->count] = d->npacks, d->loose_start[islands->count] = d->nloose;
    const size_t halves = (size_t)d->halves;
    d->halves = (int)d->need.packed, d->need.packed += halves;
    return d->need.packed <= d->room.packed;
}
