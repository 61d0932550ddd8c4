// collider.c - memory of detection, and detection itself: boxes, candidates by table or sweep, points.
#include "collide/collider.h"

#include "base/memory.h"
#include "collide/asset.h"
#include "collide/collider_parts.h"
#include "collide/convex.h"

enum {
    MANY_STILL = 64,     // geoms of the world from which on they get a tree of their own
    MOST_AXES = 1 << 23, // pairs of all environments: of more none keeps what separated it (96 MiB)
};

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

static bool can_meet(const tx_model *m, int geom) { return m->geom_contype[geom] || m->geom_conaffinity[geom]; }

// the list a geom belongs to, null: none
static tx_geom_list *list_of(tx_collider *c, int geom, bool many_still) {
    const tx_model *m = c->m;
    if (!can_meet(m, geom)) return NULL;
    if (m->geom_type[geom] == TX_GEOM_PLANE) return &c->planes;
    return many_still && m->body_weld[m->geom_body[geom]] == 0 ? &c->still : &c->swept;
}

static void add_once(tx_geom_list *list, bool *listed, int geom) {
    if (!*listed) list->geoms[list->count++] = geom;
    *listed = true;
}

// a geom that only shows, such as a visual mesh, takes no part and needs no box
static void list_boxed(tx_collider *c, tx_arena scratch) {
    const tx_model *m = c->m;
    bool *listed = TX_TAKE(scratch, m->ngeom, bool);
    memset(listed, 0, (size_t)m->ngeom * sizeof *listed);
    for (int i = 0; i < m->ngeom; i++)
        if (can_meet(m, i)) add_once(&c->boxed, &listed[i], i);
    for (int i = 0; i < m->nspecial; i++) {
        add_once(&c->boxed, &listed[m->special_geom1[i]], m->special_geom1[i]);
        add_once(&c->boxed, &listed[m->special_geom2[i]], m->special_geom2[i]);
    }
}

static tx_bounds hfield_bounds(const tx_model *m, int geom) {
    const double *s = m->hfield_size + 4 * (size_t)m->geom_hfield[geom];
    return (tx_bounds){{0, 0, 0.5 * (s[2] - s[3])}, {s[0], s[1], 0.5 * (s[2] + s[3])}};
}

// around the corners of a mesh's hull, or all its vertices when it has none
static void measure_meshes(tx_collider *c) {
    for (int k = 0; k < c->boxed.count; k++) {
        int i = c->boxed.geoms[k];
        c->has_sdf |= c->m->geom_type[i] == TX_GEOM_SDF;
        if (c->m->geom_type[i] == TX_GEOM_HFIELD) c->own[i] = hfield_bounds(c->m, i);
        if (c->m->geom_mesh[i] < 0) continue;
        tx_asset *mesh = &c->assets[c->m->geom_mesh[i]];
        tx_convex shape = {0};
        tx_asset_of(c->m, i, mesh);
        tx_convex_take_asset(&shape, mesh);
        c->own[i] = tx_bounds_of_points(shape.points, shape.vertex, shape.point_count);
        mesh->extent = tx_convex_radius(&shape);
    }
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t lay_out_fixed(tx_collider *c, char *memory) {
    const tx_model *m = c->m;
    const size_t n = (size_t)m->ngeom, still = (size_t)c->still.count;
    const int sleepers = m->nsleep > 0 ? c->swept.count : 0;
    size_t at = 0, scratch = larger(tx_sweep_scratch(c->swept.count), tx_lbvh_scratch(c->still.count));
    scratch = larger(scratch, tx_lbvh_scratch(sleepers));
    const size_t groups = (size_t)c->swept.count / 4;
    scratch = larger(scratch, tx_sweep_scratch((int)groups) + groups * sizeof(tx_aabb) + 128);
    scratch = larger(scratch, tx_order_scratch(m->nbody));
    scratch = larger(scratch, n + 64); // list_boxed
    c->boxes = take(&at, memory, n * sizeof *c->boxes);
    c->coarse = take(&at, memory, n * sizeof *c->coarse);
    c->own = take(&at, memory, n * sizeof *c->own);
    c->assets = take(&at, memory, (size_t)m->nmesh * sizeof *c->assets);
    c->grown = take(&at, memory, n * sizeof *c->grown);
    c->motion = take(&at, memory, n * sizeof *c->motion);
    c->boxed.geoms = take(&at, memory, n * sizeof(int));
    c->planes.geoms = take(&at, memory, n * sizeof(int));
    c->still.geoms = take(&at, memory, n * sizeof(int));
    c->swept.geoms = take(&at, memory, n * sizeof(int));
    c->swept_boxes = take(&at, memory, n * sizeof *c->swept_boxes);
    c->still_boxes = take(&at, memory, still * sizeof *c->still_boxes);
    c->tree_memory = take(&at, memory, tx_lbvh_size(c->still.count));
    c->found = take(&at, memory, larger(still, (size_t)sleepers) * sizeof(int));
    c->awake.geoms = take(&at, memory, (size_t)sleepers * sizeof(int));
    c->asleep.geoms = take(&at, memory, (size_t)sleepers * sizeof(int));
    c->moving.geoms = take(&at, memory, sleepers > 0 ? n * sizeof(int) : 0);
    c->asleep_memory = take(&at, memory, tx_lbvh_size(sleepers));
    c->runs = take(&at, memory, (size_t)c->run_count * sizeof *c->runs);
    c->body_boxes = take(&at, memory, c->run_count ? (size_t)m->nbody * sizeof *c->body_boxes : 0);
    c->group_start = take(&at, memory, (n + 1) * sizeof(int));
    c->meet = take(&at, memory, n * sizeof *c->meet);
    c->sweeps = take(&at, memory, (size_t)c->envs * sizeof *c->sweeps);
    const size_t axes = (size_t)c->envs * (size_t)m->npair;
    c->axes = axes <= MOST_AXES ? take(&at, memory, 3 * axes * sizeof *c->axes) : NULL;
    for (int e = 0; e < c->envs; e++) {
        void *orders = take(&at, memory, tx_sweep_size(c->swept.count));
        if (memory) tx_sweep_init(&c->sweeps[e], c->swept.count, orders);
    }
    char *begin = take(&at, memory, scratch);
    if (memory) c->scratch = (tx_arena){begin, begin + scratch};
    return at;
}

static size_t lay_out_pairs(tx_collider *c, char *memory) {
    const size_t room = (size_t)c->room, wave = (size_t)tx_wave_of(c->pool);
    size_t at = 0;
    c->raw = take(&at, memory, (size_t)tx_sweep_parts(c->pool) * room * sizeof *c->raw);
    c->copy = take(&at, memory, room * sizeof *c->copy);
    c->candidates = take(&at, memory, room * sizeof *c->candidates);
    c->hit_count = take(&at, memory, room);
    c->chunk_hits = take(&at, memory, (wave + 1) * sizeof(int));
    c->hits = take(&at, memory, wave * TX_CHUNK * TX_MAX_HITS * sizeof *c->hits);
    return at;
}

// makes the arrays of pairs anew, for `room` pairs; false: no memory, all stays as it was
static bool make_room(tx_collider *c, int room, tx_pool *pool) {
    tx_collider old = *c;
    c->room = room, c->pool = pool;
    void *memory = tx_alloc(lay_out_pairs(c, NULL));
    if (!memory) {
        *c = old;
        return false;
    }
    tx_free(c->pair_memory);
    c->pair_memory = memory, c->count = c->need = c->most_needed = 0;
    lay_out_pairs(c, memory);
    return true;
}

tx_collider *tx_collider_create(const tx_model *m, int envs) {
    tx_collider *c = tx_alloc(sizeof *c);
    if (!c) return NULL;
    c->m = m, c->envs = envs;
    int still = 0;
    for (int i = 0; i < m->ngeom; i++) still += can_meet(m, i) && m->body_weld[m->geom_body[i]] == 0;
    for (int i = 0; i < m->ngeom; i++) {
        tx_geom_list *list = list_of(c, i, still >= MANY_STILL);
        if (list) list->count++;
    }
    c->run_count = tx_runs_pay(m) ? tx_list_runs(m, NULL) : 0;
    c->memory = tx_alloc(lay_out_fixed(c, NULL));
    int guess = 16 + 4 * m->ngeom;
    if (!c->memory || !make_room(c, m->npair > 0 && m->npair < guess ? m->npair : guess, NULL)) {
        tx_collider_destroy(c);
        return NULL;
    }
    lay_out_fixed(c, c->memory);
    c->planes.count = c->still.count = c->swept.count = 0;
    for (int i = 0; i < m->ngeom; i++) {
        tx_geom_list *list = list_of(c, i, still >= MANY_STILL);
        if (list) list->geoms[list->count++] = i;
    }
    list_boxed(c, c->scratch);
    measure_meshes(c);
    if (c->run_count) tx_list_runs(m, c->runs);
    if (m->nsleep == 0) c->awake = c->swept, c->moving = c->boxed;
    for (int e = 0; e < envs; e++) tx_cut_groups(c, e);
    return c;
}

void tx_collider_destroy(tx_collider *c) {
    if (!c) return;
    tx_free(c->memory);
    tx_free(c->pair_memory);
    tx_free(c);
}

bool tx_collider_share(tx_collider *c, tx_pool *pool) {
    if (pool && tx_pool_threads(pool) < 2) pool = NULL;
    return tx_wave_of(c->pool) == tx_wave_of(pool) ? (c->pool = pool, true) : make_room(c, c->room, pool);
}

void tx_collider_take_rings(tx_collider *c, const tx_rings *rings) {
    for (int i = 0; i < c->m->nmesh; i++)
        c->assets[i].facets = tx_rings_facets(rings, i), c->assets[i].ring = tx_rings_of(rings, i),
        c->assets[i].packed = tx_rings_corners(rings, i);
}

bool tx_collider_lacks_room(const tx_collider *c) { return c->most_needed > c->room; }

bool tx_collider_grow(tx_collider *c) {
    int more = c->room + c->room / 2;
    return c->most_needed <= c->room || make_room(c, c->most_needed > more ? c->most_needed : more, c->pool);
}

const tx_candidate *tx_collider_candidates(const tx_collider *c, int *count) {
    *count = c->count;
    return c->candidates;
}

const int *tx_collider_boxed(const tx_collider *c, int *count) {
    *count = c->boxed.count;
    return c->boxed.geoms;
}

const tx_bounds *tx_collider_bounds(const tx_collider *c, int i) {
    return c->m->geom_mesh[i] >= 0 || c->m->geom_type[i] == TX_GEOM_HFIELD ? &c->own[i] : NULL;
}

bool tx_collider_has_bounds(const tx_collider *c) { return !c->has_sdf; }

// parts what moves from what does not, and places all boxes once
static void sort_out(tx_collider *c, int env, const tx_geoms *g) {
    c->version = g->version;
    c->awake.count = c->asleep.count = c->moving.count = 0;
    for (int k = 0; k < c->boxed.count; k++)
        if (!g->still[c->boxed.geoms[k]]) c->moving.geoms[c->moving.count++] = c->boxed.geoms[k];
    for (int k = 0; k < c->swept.count; k++) {
        tx_geom_list *list = g->still[c->swept.geoms[k]] == 1 ? &c->asleep : &c->awake;
        list->geoms[list->count++] = c->swept.geoms[k];
    }
    tx_cut_groups(c, env);
    tx_place_boxes(c, g, &c->boxed);
    for (int k = 0; k < c->asleep.count; k++) c->swept_boxes[k] = c->boxes[c->asleep.geoms[k]];
    tx_lbvh_build(&c->asleep_tree, c->swept_boxes, c->asleep.count, c->asleep_memory, c->scratch);
}

int tx_collider_run(tx_collider *c, int env, const tx_geoms *g, tx_broadphase broad, const tx_narrow *narrow,
                    tx_take_hits *hand_over, void *context) {
    c->need = 0;
    if (g->still && c->version != g->version) sort_out(c, env, g);
    else tx_place_boxes(c, g, &c->moving);
    if (g->still && c->moving.count == 0) c->count = 0;
    else if (broad == TX_BROADPHASE_SWEEP) tx_sweep_candidates(c, env, g);
    else tx_consult_table(c, g);
    return tx_test_candidates(c, env, g, narrow, hand_over, context);
}
