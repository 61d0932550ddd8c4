// colours.c - colours of pairs of bodies in the order of their list, and packs of four pairs.
#include "problem/colours.h"

#include <string.h>

#include "problem/kernel_list.h"

enum { LENGTHS = 16 };

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

static tx_pair pair_of(const tx_dual *d, const tx_problem *p, int i) {
    const tx_span *s = &d->spans[d->first[i]];
    return (tx_pair){.con = i, .count = 1, .dof = {s->dof, p->cons[i].pieces > 1 ? s[1].dof : -1}};
}

// a colour behind those of all pairs before it that share a body: sweeps in the order of colours are those in the
// order of the list
static int colour_of(const tx_dual *d, const tx_pair *pair) {
    int colour = 0;
    for (int k = 0; k < 2; k++)
        if (pair->dof[k] >= 0 && d->colour[pair->dof[k]] > colour) colour = d->colour[pair->dof[k]];
    for (int k = 0; k < 2; k++)
        if (pair->dof[k] >= 0) d->colour[pair->dof[k]] = colour + 1;
    return colour;
}

// runs of neighbouring contacts of the same bodies, and all that is in none; @return how many
static int find_pairs(tx_dual *d, const tx_problem *p, const int *list, int listed) {
    int pairs = 0;
    for (int v = 0; v < listed; v++) {
        if (!(d->quick[list[v]] = is_common(d, p, list[v]))) {
            d->loose[d->nloose++] = list[v];
            continue;
        }
        tx_pair *pair = &d->pairs[pairs++];
        *pair = pair_of(d, p, list[v]);
        for (; v + 1 < listed && list[v + 1] == list[v] + 1 && is_like_the_last(d, p, list[v + 1]); v++)
            d->quick[list[v + 1]] = 1, pair->count++;
        pair->key = colour_of(d, pair);
    }
    return pairs;
}

// colour after colour, in each the pairs with the most points first, so that packs are full
static void sort_pairs(const tx_dual *d, int pairs) {
    int *order = d->order, *by_length = order + pairs, *bins = by_length + pairs, lengths[LENGTHS + 1] = {0};
    for (int i = 0; i <= pairs; i++) bins[i] = 0;
    for (int i = 0; i < pairs; i++) {
        const int n = d->pairs[i].count;
        lengths[1 + (n < LENGTHS ? LENGTHS - 1 - n : 0)]++, bins[d->pairs[i].key + 1]++;
    }
    for (int k = 0; k < LENGTHS; k++) lengths[k + 1] += lengths[k];
    for (int k = 0; k < pairs; k++) bins[k + 1] += bins[k];
    for (int i = 0; i < pairs; i++) {
        const int n = d->pairs[i].count;
        by_length[lengths[n < LENGTHS ? LENGTHS - 1 - n : 0]++] = i;
    }
    for (int i = 0; i < pairs; i++) order[bins[d->pairs[by_length[i]].key]++] = by_length[i];
}

static void fill_packs(tx_dual *d, int pairs) {
    tx_pack *pack = NULL;
    sort_pairs(d, pairs);
    for (int i = 0, lane = 0; i < pairs; i++, lane++) {
        const tx_pair *pair = &d->pairs[d->order[i]];
        if (!pack || pair->key != pack->colour || lane == TX_PACK) {
            pack = &d->packs[d->npacks++];
            *pack = (tx_pack){.at = (int)d->need.packed, .colour = pair->key};
            d->need.packed += TX_PACK_HEAD;
            lane = 0;
        }
        // longer ones than there are lengths are in no order
        if (pair->count > pack->points) {
            d->need.packed += TX_PACK_NUMBERS * (size_t)(pair->count - pack->points);
            pack->points = pair->count;
        }
        pack->pair[lane] = *pair;
        pack->pairs = lane + 1;
    }
}

bool tx_colours_find(tx_dual *d, const tx_problem *p, const tx_islands *islands) {
    d->npacks = d->nloose = 0, d->need.packed = 0;
    d->coloured = islands->count;
    memset(d->colour, 0, d->room.dofs * sizeof *d->colour);
    for (int i = 0; i < islands->count; i++) {
        const int begin = islands->con_start[i], end = islands->con_start[i + 1];
        d->pack_start[i] = d->npacks, d->loose_start[i] = d->nloose;
        fill_packs(d, find_pairs(d, p, islands->cons + begin, end - begin));
    }
    d->pack_start[islands->count] = d->npacks, d->loose_start[islands->count] = d->nloose;
    return d->need.packed <= d->room.packed;
}
