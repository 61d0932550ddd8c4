// pair_table.c - the pairs of geoms that can collide: special ones first, then body pair by body pair.
#include "compile/pair_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "collide/mix.h"
#include "collide/pairs.h"

// where a writable model array begins
#define W(field) tx_writable(m->field)

enum { MOST_PAIRS = 1 << 27 };

// two indices in either order
typedef struct both {
    int low, high;
} both;

struct tx_pair_table {
    const tx_draft *d;
    const tx_model *m;
    both *excluded, *special; // bodies and geoms of the model, sorted
    int excluded_count, special_count;
    int *can_have, *can_meet;                      // per body: the bits of its geoms together
    int missing[TX_GEOM_TYPES * TX_GEOM_TYPES][3]; // pairs without a function: how many, and the first two geoms
};

static both both_of(int a, int b) { return a < b ? (both){a, b} : (both){b, a}; }

static int by_both(const void *a, const void *b) {
    const both *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

static bool listed(const both *list, int count, int a, int b) {
    both key = both_of(a, b);
    return count > 0 && bsearch(&key, list, (size_t)count, sizeof key, by_both) != NULL;
}

static int geom_named(const tx_draft *d, const char *name) {
    return d->geom[tx_name_find(&d->catalog->geom, name)].number;
}
static int body_named(const tx_draft *d, const char *name) {
    return d->body[tx_name_find(&d->catalog->body, name)].number;
}

tx_pair_table *tx_pair_table_create(const tx_draft *d, const tx_model *m) {
    const tx_builder *b = d->b;
    tx_pair_table *t = tx_alloc(sizeof *t);
    if (!t) return NULL;
    *t = (tx_pair_table){.d = d, .m = m, .excluded_count = b->exclude.count, .special_count = b->pair.count};
    t->excluded = tx_alloc(sizeof(both) * ((size_t)b->exclude.count + (size_t)b->pair.count + 1));
    t->can_have = tx_alloc(sizeof(int) * 2 * (size_t)m->nbody);
    if (!t->excluded || !t->can_have) {
        tx_pair_table_destroy(t);
        return NULL;
    }
    t->special = t->excluded + b->exclude.count, t->can_meet = t->can_have + m->nbody;
    for (int i = 0; i < b->exclude.count; i++)
        t->excluded[i] = both_of(body_named(d, b->exclude.items[i].body1), body_named(d, b->exclude.items[i].body2));
    for (int i = 0; i < b->pair.count; i++)
        t->special[i] = both_of(geom_named(d, b->pair.items[i].geom1), geom_named(d, b->pair.items[i].geom2));
    if (b->exclude.count) qsort(t->excluded, (size_t)b->exclude.count, sizeof(both), by_both);
    if (b->pair.count) qsort(t->special, (size_t)b->pair.count, sizeof(both), by_both);
    for (int i = 0; i < m->ngeom; i++) {
        t->can_have[m->geom_body[i]] |= m->geom_contype[i];
        t->can_meet[m->geom_body[i]] |= m->geom_conaffinity[i];
    }
    return t;
}

void tx_pair_table_destroy(tx_pair_table *t) {
    if (!t) return;
    tx_free(t->excluded), tx_free(t->can_have);
    tx_free(t);
}

static bool bodies_collide(const tx_pair_table *t, int b1, int b2) {
    const tx_model *m = t->m;
    if (!(t->can_have[b1] & t->can_meet[b2]) && !(t->can_have[b2] & t->can_meet[b1])) return false;
    int w1 = m->body_weld[b1], w2 = m->body_weld[b2];
    if (w1 == w2 || (m->body_lastdof[b1] < 0 && m->body_lastdof[b2] < 0)) return false;
    if (m->opt->filterparent && w1 != 0 && w2 != 0 &&
        (w1 == m->body_weld[m->body_parent[w2]] || w2 == m->body_weld[m->body_parent[w1]]))
        return false;
    return !listed(t->excluded, t->excluded_count, b1, b2);
}

typedef struct pair_lists {
    int *geom1, *geom2, *special;
} pair_lists;

// adds one pair to the lists, the lower type first; a pair without a function is counted as missing
static int add_pair(tx_pair_table *t, const pair_lists *lists, int count, int i, int j, int special) {
    int t1 = t->m->geom_type[i], t2 = t->m->geom_type[j];
    bool swap = t1 > t2;
    if (!tx_pair_function(t1, t2)) {
        int *slot = t->missing[swap ? t2 * TX_GEOM_TYPES + t1 : t1 * TX_GEOM_TYPES + t2];
        if (slot[0]++ == 0) slot[1] = i, slot[2] = j;
        return count;
    }
    if (lists) lists->geom1[count] = swap ? j : i, lists->geom2[count] = swap ? i : j, lists->special[count] = special;
    return count + 1;
}

// without lists it only counts
static int list_pairs(tx_pair_table *t, const pair_lists *lists) {
    const tx_model *m = t->m;
    const tx_builder *b = t->d->b;
    int count = 0;
    memset(t->missing, 0, sizeof t->missing);
    for (int i = 0; i < b->pair.count; i++)
        count = add_pair(t, lists, count, geom_named(t->d, b->pair.items[i].geom1),
                         geom_named(t->d, b->pair.items[i].geom2), i);
    for (int b1 = 0; b1 < m->nbody; b1++) {
        if (!t->can_have[b1] && !t->can_meet[b1]) continue;
        for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
            if (!bodies_collide(t, b1, b2)) continue;
            for (int i = m->body_geomadr[b1]; i < m->body_geomadr[b1] + m->body_geomnum[b1]; i++)
                for (int j = m->body_geomadr[b2]; j < m->body_geomadr[b2] + m->body_geomnum[b2]; j++) {
                    if (!(m->geom_contype[i] & m->geom_conaffinity[j]) &&
                        !(m->geom_contype[j] & m->geom_conaffinity[i]))
                        continue;
                    if (listed(t->special, t->special_count, i, j)) continue;
                    count = add_pair(t, lists, count, i, j, -1);
                    if (count > MOST_PAIRS) return -1;
                }
        }
    }
    return count;
}

static void report_missing(const tx_pair_table *t, tx_diag *diag) {
    for (int t1 = 0; t1 < TX_GEOM_TYPES; t1++)
        for (int t2 = t1; t2 < TX_GEOM_TYPES; t2++) {
            const int *slot = t->missing[t1 * TX_GEOM_TYPES + t2];
            if (slot[0] == 0 || (t1 == TX_PLANE && t2 == TX_PLANE)) continue;
            const tx_geom_def *g1 = &t->d->b->geom.items[t->d->geom_def[slot[1]]].def,
                              *g2 = &t->d->b->geom.items[t->d->geom_def[slot[2]]].def;
            tx_diag_add(diag, TX_WARNING, g1->source.file, g1->source.line, g1->source.column,
                        "they pass through each other; use contype and conaffinity to say so",
                        "%s–%s contact is not supported yet: %d pair%s, the first is '%s' and '%s'", tx_shape_name(t1),
                        tx_shape_name(t2), slot[0], slot[0] == 1 ? "" : "s", g1->name[0] ? g1->name : "(no name)",
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
        memcpy(W(special_solimp) + 5 * i, def->has_solimp ? def->solimp : solimp, sizeof solimp);
        W(special_margin)[i] = def->has_margin ? def->margin : m->geom_margin[g[0]] + m->geom_margin[g[1]];
        W(special_gap)[i] = def->has_gap ? def->gap : m->geom_gap[g[0]] + m->geom_gap[g[1]];
    }
}

int tx_pair_table_count(tx_pair_table *t) { return list_pairs(t, NULL); }

void tx_pair_table_fill(tx_pair_table *t, tx_model *m, tx_diag *diag) {
    t->m = m;
    list_pairs(t, &(pair_lists){W(pair_geom1), W(pair_geom2), W(pair_special)});
    report_missing(t, diag);
    fill_specials(t->d, m);
}
