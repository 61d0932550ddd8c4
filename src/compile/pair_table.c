// pair_table.c - the pairs of geoms that can collide: special ones first, then body pair by body pair. Models with many
// of them have no table.
#include "compile/pair_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "collide/filter.h"
#include "collide/mix.h"
#include "collide/pairs.h"

// where a writable model array begins
#define W(field) tx_writable(m->field)

enum {
    MOST_PAIRS = 1 << 27,
    SMALL_TABLE = 2048,      // pairs: both are as fast here
    LARGE_TABLE = 16384,     // pairs: models with more are swept unless the table is asked for
    FEW_COUPLES = 2560,      // pairs of bodies: between the two there is a table where there are no more of these,
    FEW_STRANGERS = 1024,    // and no more of two trees. In a tree all boxes overlap that a sweep would compare
    MOST_LOOKED_AT = 1 << 20 // pairs that are looked at for a warning about one kind of pair in a swept model
};

// two indices in either order, and where they stood
typedef struct both {
    int low, high, index;
} both;

// pairs of bodies that have pairs of geoms, and how many of them are of two trees
typedef struct couple_count {
    int all, strangers;
} couple_count;

struct tx_pair_table {
    const tx_draft *d;
    const tx_model *m;
    int *can_have, *can_meet;                      // per body: the bits of its geoms together
    int missing[TX_GEOM_COUNT * TX_GEOM_COUNT][3]; // pairs without a function: how many, and the first two geoms
    couple_count couples;                          // special pairs left out
    bool sweeps;                                   // the model goes without a table
};

static both both_of(int a, int b, int index) { return a < b ? (both){a, b, index} : (both){b, a, index}; }

static int by_both(const void *a, const void *b) {
    const both *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int geom_named(const tx_draft *d, const char *name) {
    return d->geom[tx_name_find(&d->catalog->geom, name)].number;
}
static int body_named(const tx_draft *d, const char *name) {
    return d->body[tx_name_find(&d->catalog->body, name)].number;
}

bool tx_pair_lists_fill(const tx_draft *d, tx_model *m) {
    int most = m->nexclude > m->nspecial ? m->nexclude : m->nspecial;
    both *list = tx_alloc(sizeof(both) * (size_t)(most + 1));
    if (!list) return false;
    for (int i = 0; i < m->nexclude; i++) {
        const tx_exclude_def *def = &d->b->exclude.items[i];
        list[i] = both_of(body_named(d, def->body1), body_named(d, def->body2), i);
    }
    qsort(list, (size_t)m->nexclude, sizeof *list, by_both);
    for (int i = 0; i < m->nexclude; i++) W(exclude_body1)[i] = list[i].low, W(exclude_body2)[i] = list[i].high;
    for (int i = 0; i < m->nspecial; i++) {
        const tx_pair_def *def = &d->b->pair.items[i];
        int g1 = geom_named(d, def->geom1), g2 = geom_named(d, def->geom2);
        bool swap = m->geom_type[g1] > m->geom_type[g2];
        W(special_geom1)[i] = swap ? g2 : g1, W(special_geom2)[i] = swap ? g1 : g2;
        list[i] = both_of(g1, g2, i);
    }
    qsort(list, (size_t)m->nspecial, sizeof *list, by_both);
    for (int i = 0; i < m->nspecial; i++) W(special_sorted)[i] = list[i].index;
    tx_free(list);
    return true;
}

tx_pair_table *tx_pair_table_create(const tx_draft *d, const tx_model *m) {
    tx_pair_table *t = tx_alloc(sizeof *t);
    if (!t) return NULL;
    *t = (tx_pair_table){.d = d, .m = m, .sweeps = d->b->options.broadphase == TX_BROADPHASE_SWEEP};
    t->can_have = tx_alloc(sizeof(int) * 2 * (size_t)m->nbody);
    if (!t->can_have) {
        tx_pair_table_destroy(t);
        return NULL;
    }
    t->can_meet = t->can_have + m->nbody;
    for (int i = 0; i < m->ngeom; i++) {
        t->can_have[m->geom_body[i]] |= m->geom_contype[i];
        t->can_meet[m->geom_body[i]] |= m->geom_conaffinity[i];
    }
    return t;
}

void tx_pair_table_destroy(tx_pair_table *t) {
    if (!t) return;
    tx_free(t->can_have);
    tx_free(t);
}

typedef struct pair_lists {
    int *geom1, *geom2, *special;
} pair_lists;

static void note_missing(tx_pair_table *t, int i, int j) {
    int t1 = t->m->geom_type[i], t2 = t->m->geom_type[j];
    int *slot = t->missing[t1 > t2 ? t2 * TX_GEOM_COUNT + t1 : t1 * TX_GEOM_COUNT + t2];
    if (slot[0]++ == 0) slot[1] = i, slot[2] = j;
}

// adds one pair to the lists, the lower type first; a pair without a function is counted as missing
static int add_pair(tx_pair_table *t, const pair_lists *lists, int count, int i, int j, int special) {
    int t1 = t->m->geom_type[i], t2 = t->m->geom_type[j];
    if (!tx_pair_function(t1, t2)) {
        note_missing(t, i, j);
        return count;
    }
    bool swap = t1 > t2;
    if (lists) lists->geom1[count] = swap ? j : i, lists->geom2[count] = swap ? i : j, lists->special[count] = special;
    return count + 1;
}

static void count_couple(const tx_model *m, int b1, int b2, couple_count *count) {
    count->all++;
    count->strangers += m->body_root[b1] != m->body_root[b2];
}

// whether looking at the boxes of all pairs of bodies costs no more than a sweep
static bool is_small(int pairs, const couple_count *couples) {
    return pairs <= SMALL_TABLE ||
           (pairs <= LARGE_TABLE && couples->all <= FEW_COUPLES && couples->strangers <= FEW_STRANGERS);
}

// without lists it only counts; -1: more than `most`
static int list_pairs(tx_pair_table *t, const pair_lists *lists, int most) {
    const tx_model *m = t->m;
    int count = 0;
    memset(t->missing, 0, sizeof t->missing);
    t->couples = (couple_count){0};
    for (int i = 0; i < m->nspecial; i++)
        count = add_pair(t, lists, count, m->special_geom1[i], m->special_geom2[i], i);
    for (int b1 = 0; b1 < m->nbody; b1++) {
        if (!t->can_have[b1] && !t->can_meet[b1]) continue;
        for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
            if (!tx_masks_agree(t->can_have[b1], t->can_meet[b1], t->can_have[b2], t->can_meet[b2])) continue;
            if (!tx_bodies_collide(m, b1, b2)) continue;
            const int before = count;
            for (int i = m->body_geomadr[b1]; i < m->body_geomadr[b1] + m->body_geomnum[b1]; i++)
                for (int j = m->body_geomadr[b2]; j < m->body_geomadr[b2] + m->body_geomnum[b2]; j++) {
                    if (tx_geoms_collide(m, i, j)) count = add_pair(t, lists, count, i, j, -1);
                    if (count > most) return -1;
                }
            if (count > before) count_couple(m, b1, b2, &t->couples);
        }
    }
    return count;
}

// the first pair of two types that would collide, had it a function, if it is found soon
static void find_missing(tx_pair_table *t, int type1, int type2) {
    const tx_model *m = t->m;
    int left = MOST_LOOKED_AT;
    for (int i = 0; i < m->ngeom; i++) {
        if (m->geom_type[i] != type1) continue;
        for (int j = 0; j < m->ngeom; j++) {
            if (left-- == 0) return;
            if (m->geom_type[j] != type2 || !tx_bodies_collide(m, m->geom_body[i], m->geom_body[j])) continue;
            if (!tx_geoms_collide(m, i, j)) continue;
            note_missing(t, i, j);
            return;
        }
    }
}

static void find_all_missing(tx_pair_table *t) {
    memset(t->missing, 0, sizeof t->missing);
    for (int t1 = 0; t1 < TX_GEOM_COUNT; t1++)
        for (int t2 = t1; t2 < TX_GEOM_COUNT; t2++)
            if (!tx_pair_function(t1, t2)) find_missing(t, t1, t2);
}

static void report_missing(const tx_pair_table *t, tx_diag *diag) {
    for (int t1 = 0; t1 < TX_GEOM_COUNT; t1++)
        for (int t2 = t1; t2 < TX_GEOM_COUNT; t2++) {
            const int *slot = t->missing[t1 * TX_GEOM_COUNT + t2];
            if (slot[0] == 0 || (t1 == TX_GEOM_PLANE && t2 == TX_GEOM_PLANE)) continue;
            const tx_geom_def *g1 = &t->d->b->geom.items[t->d->geom_def[slot[1]]].def,
                              *g2 = &t->d->b->geom.items[t->d->geom_def[slot[2]]].def;
            tx_diag_add(diag, TX_SEVERITY_WARNING, g1->source.file, g1->source.line, g1->source.column,
                        "they pass through each other; use contype and conaffinity to say so",
                        "%s–%s contact is not supported yet: %s%d pair%s, the first is '%s' and '%s'",
                        tx_shape_name(t1), tx_shape_name(t2), t->sweeps ? "at least " : "", slot[0],
                        slot[0] == 1 ? "" : "s", g1->name[0] ? g1->name : "(no name)",
                        g2->name[0] ? g2->name : "(no name)");
        }
}

// what a special pair does not give is mixed from its geoms
static void fill_specials(const tx_draft *d, tx_model *m) {
    for (int i = 0; i < m->nspecial; i++) {
        const tx_pair_def *def = &d->b->pair.items[i];
        tx_surface surface[2];
        int g[2] = {geom_named(d, def->geom1), geom_named(d, def->geom2)}, dim;
        double friction[5], solref[2], solimp[5];
        for (int s = 0; s < 2; s++) {
            const tx_geom_def *geom = &d->b->geom.items[d->geom_def[g[s]]].def;
            surface[s] = (tx_surface){.condim = geom->condim, .priority = geom->priority, .solmix = geom->solmix};
            memcpy(surface[s].friction, geom->friction, sizeof geom->friction);
            memcpy(surface[s].solref, geom->solref, sizeof geom->solref);
            memcpy(surface[s].solimp, geom->solimp, sizeof geom->solimp);
        }
        tx_mix_surfaces(&surface[0], &surface[1], &dim, friction, solref, solimp);
        W(special_dim)[i] = def->condim ? def->condim : dim;
        memcpy(W(special_friction) + 5 * i, def->has_friction ? def->friction : friction, sizeof friction);
        memcpy(W(special_solref) + 2 * i, def->has_solref ? def->solref : solref, sizeof solref);
        memcpy(W(special_solreffriction) + 2 * i, def->solref_friction, sizeof def->solref_friction);
        memcpy(W(special_solimp) + 5 * i, def->has_solimp ? def->solimp : solimp, sizeof solimp);
        W(special_margin)[i] = def->has_margin ? def->margin : m->geom_margin[g[0]] + m->geom_margin[g[1]];
        W(special_gap)[i] = def->has_gap ? def->gap : m->geom_gap[g[0]] + m->geom_gap[g[1]];
    }
}

bool tx_pair_table_is_small(const tx_model *m) {
    couple_count couples = {0};
    for (int p = 0, last[2] = {-1, -1}; p < m->npair; p++) {
        const int g1 = m->geom_body[m->pair_geom1[p]], g2 = m->geom_body[m->pair_geom2[p]];
        const int body[2] = {g1 < g2 ? g1 : g2, g1 < g2 ? g2 : g1};
        if (m->pair_special[p] >= 0 || (body[0] == last[0] && body[1] == last[1])) continue;
        count_couple(m, body[0], body[1], &couples);
        memcpy(last, body, sizeof last);
    }
    return m->opt->broadphase == TX_BROADPHASE_TABLE && is_small(m->npair - m->nspecial, &couples);
}

int tx_pair_table_count(tx_pair_table *t) {
    bool asked_for = t->d->b->options.broadphase == TX_BROADPHASE_TABLE;
    // special pairs are looked at one by one either way
    int count = t->sweeps ? -1 : list_pairs(t, NULL, asked_for ? MOST_PAIRS : LARGE_TABLE + t->m->nspecial);
    if (count < 0 && asked_for) return -1;
    if (!asked_for && count >= 0 && !is_small(count - t->m->nspecial, &t->couples)) count = -1;
    t->sweeps = count < 0;
    return count < 0 ? 0 : count;
}

void tx_pair_table_fill(tx_pair_table *t, tx_model *m, tx_diag *diag) {
    t->m = m;
    tx_writable(m->opt)->broadphase = t->sweeps ? TX_BROADPHASE_SWEEP : TX_BROADPHASE_TABLE;
    if (t->sweeps) find_all_missing(t);
    else list_pairs(t, &(pair_lists){W(pair_geom1), W(pair_geom2), W(pair_special)}, MOST_PAIRS);
    report_missing(t, diag);
    fill_specials(t->d, m);
}
