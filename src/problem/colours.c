// colours.c - pairs of bodies that can be visited at once, in the order of their list, packs of four, and turns of
// packs.
#include "problem/colours.h"

#include <limits.h>
#include <string.h>

#include "problem/kernel_list.h"

// what is known of a body, in the places of its dofs: one behind its last pair, the work of the pairs that are its
// own, its part of the island, one behind its first pack and its last one, when the last turn was that moves it
enum { BODY_PAIR, BODY_WORK, BODY_PART, BODY_FIRST, BODY_LAST, BODY_TIME };

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

// the pairs of an island, and which come behind which: those of a body have the order of the list
typedef struct pair_list {
    tx_pair *at;
    int count;
    int *next;   // of each the next pair of either of its bodies, -1: none
    int *waits;  // for so many pairs
    int *behind; // of pairs that wait for none any more: which stands behind it, -1: none
    int *order;  // those of part i in their order, behind those of the parts before it
} pair_list;

static pair_list begin_list(const tx_dual *d, tx_pair *at, int most) {
    return (pair_list){.at = at,
                       .next = d->order,
                       .waits = d->order + 2 * most,
                       .behind = d->order + 3 * most,
                       .order = d->order + 4 * most};
}

// a pair comes behind the last ones of its bodies
static void link_pair(const tx_dual *d, pair_list *pairs) {
    const int i = pairs->count++;
    pairs->waits[i] = 0;
    for (int k = 0; k < 2; k++) {
        const int dof = pairs->at[i].dof[k];
        pairs->next[2 * i + k] = -1;
        if (dof < 0) continue;
        const int last = d->body[dof + BODY_PAIR] - 1;
        if (last >= 0) pairs->next[2 * last + (pairs->at[last].dof[0] != dof)] = i, pairs->waits[i]++;
        d->body[dof + BODY_PAIR] = i + 1;
    }
}

// runs of neighbouring contacts of the same bodies, and all that is in none
static void find_pairs(tx_dual *d, const tx_problem *p, pair_list *pairs, const int *list, int listed) {
    for (int v = 0; v < listed; v++) {
        if (!(d->quick[list[v]] = is_common(d, p, list[v]))) {
            d->loose[d->nloose++] = list[v];
            continue;
        }
        tx_pair *pair = &pairs->at[pairs->count];
        begin_pair(d, p, list[v], pair);
        for (; v + 1 < listed && list[v + 1] == list[v] + 1 && is_like_the_last(d, p, list[v + 1]); v++)
            d->quick[list[v + 1]] = 1, pair->count++;
        link_pair(d, pairs);
    }
}

// ---- colours --------------------------------------------------------------------------------------------------------

enum { LENGTHS = 12, ABREAST = 2 * TX_PACK };

// pairs of one part that wait for none, first come first served: a queue for each number of points, the last one for
// that many and more. order: where those with a colour end
typedef struct part_queue {
    int first[LENGTHS], last[LENGTHS], count[LENGTHS], order;
} part_queue;

static void make_ready(const pair_list *pairs, part_queue *queue, int i) {
    part_queue *q = &queue[pairs->at[i].part];
    const int n = pairs->at[i].count < LENGTHS ? pairs->at[i].count - 1 : LENGTHS - 1;
    pairs->behind[i] = -1;
    if (q->count[n]++ == 0) q->first[n] = i;
    else pairs->behind[q->last[n]] = i;
    q->last[n] = i;
}

// As many pairs as stand side by side: of one length if there are enough, else the longest ones. What is ready shares
// no body. They get the colour; @return how many
static int take_ready(const pair_list *pairs, part_queue *q, int colour) {
    int taken = 0, n = LENGTHS - 1;
    while (n >= 0 && q->count[n] < ABREAST) n--;
    if (n < 0) n = LENGTHS - 1;
    for (; n >= 0; n--)
        for (; taken < ABREAST && q->count[n] > 0; q->count[n]--, taken++) {
            const int i = q->first[n];
            pairs->order[q->order++] = i, pairs->at[i].key = colour;
            q->first[n] = pairs->behind[i];
        }
    return taken;
}

// Colour after colour takes what the colours before it have made ready, in every part of the island: sweeps in the
// order of colours are those in the order of the list, and what parts wait for has a lower colour
static void find_colours(const pair_list *pairs, int parts) {
    part_queue queue[TX_PARTS];
    memset(queue, 0, sizeof queue);
    int taken[TX_PARTS];
    for (int i = 0; i < pairs->count; i++)
        for (int k = pairs->at[i].part + 1; k < parts; k++) queue[k].order++;
    for (int i = 0; i < pairs->count; i++)
        if (pairs->waits[i] == 0) make_ready(pairs, queue, i);
    for (int left = pairs->count, colour = 0; left > 0; colour++) {
        for (int k = 0; k < parts; k++) left -= taken[k] = take_ready(pairs, &queue[k], colour);
        for (int k = 0; k < parts; k++)
            for (int j = 0; j < 2 * taken[k]; j++) {
                const int i = pairs->order[queue[k].order - taken[k] + j / 2], next = pairs->next[2 * i + j % 2];
                if (next >= 0 && --pairs->waits[next] == 0) make_ready(pairs, queue, next);
            }
    }
}

// ---- packs ----------------------------------------------------------------------------------------------------------

// @return the pairs of a part, behind those of the parts before it
static int fill_packs(tx_dual *d, const pair_list *pairs, int part, int begin) {
    tx_pack *pack = NULL;
    bool second = false;
    int longest = 0, i = begin; // points of the one or two packs that stand side by side
    for (int lane = 0; i < pairs->count && pairs->at[pairs->order[i]].part == part; i++, lane++) {
        tx_pair *pair = &pairs->at[pairs->order[i]];
        if (!pack || pair->key != pack->colour || lane == TX_PACK) {
            second = pack && pair->key == pack->colour;
            const int at = second ? pack->at + 1 : (int)d->need.packed, half = second ? pack->half + 1 : d->halves;
            pack = &d->packs[d->npacks++];
            *pack = (tx_pack){.at = at, .half = half, .colour = pair->key, .part = part};
            if (!second) d->need.packed += 2 * TX_PACK_HEAD, d->halves += 2 * TX_PACK_HEAD, longest = 0;
            lane = 0;
        }
        if (pair->count > pack->points) pack->points = pair->count;
        if (pack->points > longest) {
            d->need.packed += 2 * TX_PACK_NUMBERS * (size_t)(pack->points - longest);
            d->halves += 2 * TX_PACK_PLAIN * (pack->points - longest);
            longest = pack->points;
        }
        pack->pair[lane] = *pair;
        pair->key = pack->pair[lane].key = d->npacks - 1;
        pack->pairs = lane + 1;
    }
    return i;
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
static void cut_island(tx_dual *d, const tx_islands *s, int island, const pair_list *pairs, tx_split *split) {
    int64_t all = 0, before = 0;
    int begun = 0;
    for (int i = 0; i < pairs->count; i++) {
        const int work = 1 + pairs->at[i].count;
        d->body[owner_of(&pairs->at[i]) + BODY_WORK] += work, all += work;
    }
    EACH_BODY(s, island, dof) {
        const int work = d->body[dof + BODY_WORK];
        const int64_t part = (2 * before + work) * split->parts / (2 * all);
        d->body[dof + BODY_PART] = part < split->parts ? (int)part : split->parts - 1;
        while (begun <= d->body[dof + BODY_PART]) split->dof[begun++] = dof;
        before += work;
    }
    while (begun <= split->parts) split->dof[begun++] = INT_MAX;
    for (int i = 0; i < pairs->count; i++) pairs->at[i].part = d->body[owner_of(&pairs->at[i]) + BODY_PART];
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
static void order_parts(tx_dual *d, const tx_islands *s, int island, const pair_list *pairs, const tx_split *split) {
    for (int k = split->pack[0]; k < split->pack[split->parts]; k++)
        for (int i = 0; i < TX_PARTS; i++) d->packs[k].after[i] = TX_NO_PACK;
    for (int i = 0; i < pairs->count; i++)
        for (int k = 0; k < 2; k++) {
            if (pairs->at[i].dof[k] < 0) continue;
            int *body = d->body + pairs->at[i].dof[k];
            const int pack = pairs->at[i].key;
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

static void pack_in_parts(tx_dual *d, const tx_islands *s, int island, const pair_list *pairs, int parts) {
    tx_split *split = &d->split[d->nsplits];
    d->split_of[island] = d->nsplits++;
    split->parts = parts;
    cut_island(d, s, island, pairs, split);
    find_colours(pairs, parts);
    for (int i = 0, begin = 0; i < parts; i++) split->pack[i] = d->npacks, begin = fill_packs(d, pairs, i, begin);
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
        pair_list pairs = begin_list(d, d->pairs + found, end - begin);
        find_pairs(d, p, &pairs, islands->cons + begin, end - begin);
        found += pairs.count;
        const bool loose = d->nloose > d->loose_start[i];
        if (parts > 1 && !loose && is_large(islands, i, parts)) pack_in_parts(d, islands, i, &pairs, parts);
        else {
            find_colours(&pairs, 1);
            fill_packs(d, &pairs, 0, 0);
            if (parts > 0 && !loose && d->need.packed - packed >= FAR) order_turns(d, d->pack_start[i], d->npacks);
        }
    }
    d->turn_start[islands->count] = d->nturns;
    d->pack_start[islands->count] = d->npacks, d->loose_start[islands->count] = d->nloose;
    const size_t halves = (size_t)d->halves;
    d->halves = (int)d->need.packed, d->need.packed += halves;
    return d->need.packed <= d->room.packed;
}
