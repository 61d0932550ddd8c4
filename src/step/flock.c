// flock.c - see flock.h.
#include "step/flock.h"

#include <string.h>

#include "base/memory.h"
#include "step/block.h"
#include "step/shortcuts.h"

// ---- trees that are built alike -------------------------------------------------------------------------------------

static int length(tx_range r) { return r.end - r.begin; }

// the child of the world that begins with body `first`, and all that hangs from it
static tx_tree_part part_of(const tx_model *m, int first) {
    int end = first + 1;
    while (end < m->nbody && m->body_parent[end] != 0) end++;
    const int joint = m->body_jntadr[first], dof = m->body_dofadr[first];
    tx_tree_part p = {.bodies = {first, end}, .joints = {joint, joint}, .dofs = {dof, dof}};
    for (int i = first; i < end; i++) p.joints.end += m->body_jntnum[i], p.dofs.end += m->body_dofnum[i];
    p.geoms = (tx_range){m->body_geomadr[first], end < m->nbody ? m->body_geomadr[end] : m->ngeom};
    if (length(p.joints) == 0) return p;
    p.qpos.begin = m->jnt_qposadr[p.joints.begin];
    p.qpos.end = p.joints.end < m->njnt ? m->jnt_qposadr[p.joints.end] : m->nq;
    return p;
}

// where the things of a tree begin
typedef struct origin {
    int none, body, joint, dof, qpos, entry;
} origin;

// in a model of one tree
static const origin ALONE = {.body = 1};

static origin origin_of(const tx_model *m, const tx_tree_part *p) {
    return (origin){0, p->bodies.begin, p->joints.begin, p->dofs.begin, p->qpos.begin, m->dof_madr[p->dofs.begin]};
}

// X(array, what its numbers count): all that the dynamics of a tree look at
#define BODY_INTS(X)      \
    X(body_parent, body)  \
    X(body_root, body)    \
    X(body_jntadr, joint) \
    X(body_jntnum, none)  \
    X(body_dofadr, dof)   \
    X(body_dofnum, none)  \
    X(body_lastdof, dof)  \
    X(body_mocap, none)
#define JOINT_INTS(X)        \
    X(jnt_type, none)        \
    X(jnt_body, body)        \
    X(jnt_qposadr, qpos)     \
    X(jnt_dofadr, dof)       \
    X(jnt_actgravcomp, none) \
    X(jnt_plastic, none)
#define DOF_INTS(X)    \
    X(dof_body, body)  \
    X(dof_jnt, joint)  \
    X(dof_parent, dof) \
    X(dof_madr, entry) \
    X(dof_mnum, none)

// an index as the tree that begins at `to` has it; the world and "none" come before every tree
static int moved(int index, int from, int to) { return index < from ? index : index - from + to; }

static bool alike(const tx_model *m, const tx_tree_part *a, const tx_tree_part *b) {
    const origin from = origin_of(m, a), to = origin_of(m, b);
    bool same = length(a->bodies) == length(b->bodies) && length(a->joints) == length(b->joints) &&
                length(a->dofs) == length(b->dofs) && length(a->qpos) == length(b->qpos);
#define X(name, kind) same = same && moved(m->name[from_at + k], from.kind, to.kind) == m->name[to_at + k];
    for (int k = 0, from_at = from.body, to_at = to.body; same && k < length(a->bodies); k++) { BODY_INTS(X) }
    for (int k = 0, from_at = from.joint, to_at = to.joint; same && k < length(a->joints); k++) { JOINT_INTS(X) }
    for (int k = 0, from_at = from.dof, to_at = to.dof; same && k < length(a->dofs); k++) { DOF_INTS(X) }
#undef X
    return same;
}

// the user moves no part of it, and no spring of it yields
static bool is_plain(const tx_model *m, const tx_tree_part *p) {
    bool plain = length(p->dofs) > 0;
    for (int i = p->bodies.begin; i < p->bodies.end; i++) plain = plain && m->body_mocap[i] < 0;
    for (int j = p->joints.begin; j < p->joints.end; j++) plain = plain && m->jnt_plastic[j] < 0;
    return plain;
}

// a model of this tree alone; null: no memory
static tx_model *model_of(const tx_model *m, const tx_tree_part *p) {
    const origin from = origin_of(m, p);
    const int last = p->dofs.end - 1;
    const tx_model sizes = {.nbody = 1 + length(p->bodies),
                            .njnt = length(p->joints),
                            .nv = length(p->dofs),
                            .nq = length(p->qpos),
                            .nm = m->dof_madr[last] + m->dof_mnum[last] - from.entry};
    tx_model *one = tx_model_create(&sizes, m->opt);
    if (!one) return NULL;
#define X(name, kind) tx_writable(one->name)[to_at + k] = moved(m->name[from_at + k], from.kind, ALONE.kind);
    for (int k = 0, from_at = 0, to_at = 0; k < 1; k++) { BODY_INTS(X) } // the world
    for (int k = 0, from_at = from.body, to_at = 1; k < length(p->bodies); k++) { BODY_INTS(X) }
    for (int k = 0, from_at = from.joint, to_at = 0; k < length(p->joints); k++) { JOINT_INTS(X) }
    for (int k = 0, from_at = from.dof, to_at = 0; k < length(p->dofs); k++) { DOF_INTS(X) }
#undef X
    return one;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

enum { MOST_TURNS = 4, MOST_KINDS = 64 };

// trees that are alike: their model, and a block for each turn in which one of their flocks is
typedef struct flock_kind {
    tx_tree_part part; // the first of them
    tx_model *model;
    tx_block *block[MOST_TURNS];
    int trees, flock; // how many are in flocks, and their first flock
    int placed;
} flock_kind;

typedef struct flock_store {
    struct tx_flocks all; // first: its address is the store's
    flock_kind kind[MOST_KINDS];
    int kinds;
    tx_range *loose;
    tx_block *views;
    char *params; // of all flocks
} flock_store;

void tx_flocks_destroy(struct tx_flocks *flocks) {
    flock_store *s = (flock_store *)flocks;
    if (!s) return;
    for (int k = 0; k < s->kinds; k++) {
        for (int i = 0; i < MOST_TURNS; i++) tx_block_destroy(s->kind[k].block[i]);
        tx_model_destroy(s->kind[k].model);
    }
    tx_free(s->loose), tx_free(s->views), tx_free(s->params);
    tx_free(s->all.flock), tx_free(s->all.has);
    tx_free(s);
}

// the kind of a tree; null: it is of none
static flock_kind *kind_of(flock_store *s, const tx_model *m, const tx_tree_part *p, bool add) {
    if (!is_plain(m, p)) return NULL;
    for (int k = 0; k < s->kinds; k++)
        if (alike(m, &s->kind[k].part, p)) return &s->kind[k];
    if (!add || s->kinds == MOST_KINDS) return NULL;
    s->kind[s->kinds] = (flock_kind){.part = *p};
    return &s->kind[s->kinds++];
}

// how many of so many trees are in flocks: those of whole ones, and of a last one that is at least half full
static int in_flocks(int trees, int lanes) {
    const int rest = trees % lanes;
    return 2 * rest >= lanes ? trees : trees - rest;
}

// counts the trees of each kind and the flocks of all
static void find_kinds(flock_store *s, const tx_model *m, int lanes) {
    for (int i = 1; i < m->nbody;) {
        const tx_tree_part p = part_of(m, i);
        flock_kind *kind = kind_of(s, m, &p, true);
        if (kind) kind->trees++;
        i = p.bodies.end;
    }
    for (int k = 0; k < s->kinds; k++) {
        s->kind[k].trees = in_flocks(s->kind[k].trees, lanes);
        s->kind[k].flock = s->all.count;
        s->all.count += (s->kind[k].trees + lanes - 1) / lanes;
    }
}

// bytes of a flock's parameters and shortcuts; with memory it sets the pointers
static size_t lay_out(tx_block *view, char *memory) {
    const tx_model *m = view->m;
    const size_t line = 64;
    size_t at = 0;
#define TAKE(to, size)                       to = (void *)(memory ? memory + at : NULL), at += ((size) + line - 1) / line * line
#define X(NAME, name, count, width, meaning) TAKE(view->param.name, tx_lane_bytes(view, m->count *width));
    TX_MODEL_PARAMS(X)
#undef X
    TAKE(view->shortcuts.body_straight, (size_t)m->nbody);
    TAKE(view->shortcuts.joint_centred, (size_t)m->njnt);
#undef TAKE
    return at;
}

// models, blocks and views; false: no memory
static bool create_views(flock_store *s, const tx_block *b, const tx_target *wide) {
    struct tx_flocks *all = &s->all;
    size_t size = 0;
    int turn = 0;
    for (int k = 0; k < s->kinds; k++) {
        flock_kind *kind = &s->kind[k];
        const int end = kind->flock + (kind->trees + wide->lanes - 1) / wide->lanes;
        if (kind->trees > 0 && !(kind->model = model_of(b->m, &kind->part))) return false;
        for (int i = kind->flock; i < end; i++) {
            while (tx_flocks_of_turn(all, turn + 1) <= i) turn++;
            tx_block **block = &kind->block[turn];
            if (!*block && !(*block = tx_block_create(wide, kind->model, b->opt, 0, NULL))) return false;
            s->views[i] = **block;
            all->flock[i].view = &s->views[i];
            size += lay_out(&s->views[i], NULL);
        }
    }
    if (!(s->params = tx_alloc(size))) return false;
    size = 0;
    for (int i = 0; i < all->count; i++) size += lay_out(&s->views[i], s->params + size);
    return true;
}

// into the next lane of its kind; the lanes behind it are the same until another comes
static void place(flock_store *s, const tx_model *m, const tx_tree_part *p, flock_kind *kind, int lanes) {
    tx_flock *f = &s->all.flock[kind->flock + kind->placed / lanes];
    const origin at = origin_of(m, p);
    for (int e = kind->placed++ % lanes; e < lanes; e++) {
        f->body[e] = (size_t)at.body, f->joint[e] = (size_t)at.joint, f->dof[e] = (size_t)at.dof;
        f->qpos[e] = (size_t)at.qpos, f->entry[e] = (size_t)at.entry;
    }
    memset(s->all.has + p->dofs.begin, 1, (size_t)length(p->dofs));
}

static void append(tx_ranges *list, tx_range r) {
    tx_range *at = (tx_range *)list->range;
    if (length(r) == 0) return;
    if (list->count > 0 && at[list->count - 1].end == r.begin) at[list->count - 1].end = r.end;
    else at[list->count++] = r;
}

static void place_trees(flock_store *s, const tx_model *m, int roots, int lanes) {
    tx_live *loose = &s->all.loose;
    tx_ranges *lists[] = {&loose->bodies, &loose->joints, &loose->geoms, &loose->dofs};
    for (int k = 0; k < 4; k++) *lists[k] = (tx_ranges){s->loose + k * roots, 0};
    for (int i = 1; i < m->nbody;) {
        const tx_tree_part p = part_of(m, i);
        flock_kind *kind = kind_of(s, m, &p, false);
        i = p.bodies.end;
        if (kind && kind->placed < kind->trees) place(s, m, &p, kind, lanes);
        else
            append(&loose->bodies, p.bodies), append(&loose->joints, p.joints), append(&loose->geoms, p.geoms),
                append(&loose->dofs, p.dofs);
    }
    loose->trees = loose->movers = loose->bodies;
}

bool tx_flocks_create(tx_block *b, const tx_target *wide, int threads) {
    const tx_model *m = b->m;
    const int lanes = wide->lanes;
    if (lanes < 2 || lanes > TX_MOST_LANES || b->lanes != 1 || b->number_size != wide->number_size || m->nsleep > 0)
        return true;
    int roots = 0;
    for (int i = 1; i < m->nbody; i++) roots += m->body_parent[i] == 0;
    flock_store *s = tx_alloc(sizeof *s);
    if (!s) return false;
    struct tx_flocks *all = &s->all;
    find_kinds(s, m, lanes);
    bool ok = true;
    if (all->count > 0) {
        all->motion = wide->flock_motion;
        all->turns = threads > 1 ? MOST_TURNS : 1;
        all->flock = tx_alloc(sizeof *all->flock * (size_t)all->count);
        all->has = tx_alloc((size_t)m->nv);
        s->views = tx_alloc(sizeof *s->views * (size_t)all->count);
        s->loose = tx_alloc(4 * sizeof *s->loose * (size_t)roots);
        ok = all->flock && all->has && s->views && s->loose && create_views(s, b, wide);
    }
    if (!ok || all->count == 0) {
        tx_flocks_destroy(all);
        return ok;
    }
    place_trees(s, m, roots, lanes);
    b->flocks = all;
    return true;
}

// ---- parameters -----------------------------------------------------------------------------------------------------

// element i of the model of one tree, as tree `lane` of the flock has it: where that stands in the host's arrays
typedef enum counted { by_one, by_nq, by_nbody, by_njnt, by_nv, by_other } counted;
enum {
    by_ngeom = by_other,
    by_nsite = by_other,
    by_ncam = by_other,
    by_nsensor = by_other,
    by_nspecial = by_other,
    by_nactuator = by_other,
    by_nu = by_other,
    by_neq = by_other,
    by_nwrap = by_other,
    by_ntendon = by_other
};

static size_t host_index(const tx_flock *f, int kind, int i, int lane) {
    const size_t k = (size_t)i;
    switch (kind) {
    case by_nbody: return i == 0 ? 0 : f->body[lane] + k - 1;
    case by_njnt: return f->joint[lane] + k;
    case by_nv: return f->dof[lane] + k;
    case by_nq: return f->qpos[lane] + k;
    default: return k;
    }
}

static void fill(const tx_flock *f, const void *host, const void *param, int kind, int count, int width) {
    for (int i = 0; i < count; i++)
        for (int e = 0; e < f->view->lanes; e++)
            for (int k = 0; k < width; k++)
                tx_lane_set(f->view, (void *)param, i * width + k, e,
                            ((const double *)host)[host_index(f, kind, i, e) * (size_t)width + (size_t)k]);
}

void tx_flocks_bind(tx_block *b) {
    for (int i = 0; b->flocks && i < b->flocks->count; i++) {
        const tx_flock *f = &b->flocks->flock[i];
        const tx_model *m = f->view->m;
#define X(NAME, name, count, width, meaning) \
    fill(f, b->param.name, f->view->param.name, (int)by_##count, m->count, width);
        TX_MODEL_PARAMS(X)
#undef X
        tx_shortcuts_find(f->view);
    }
}
