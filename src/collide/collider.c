// collider.c - place boxes, find candidates by table or sweep, test them in chunks that threads may share.
#include "collide/collider.h"

#include <string.h>

#include "base/fpenv.h"
#include "base/memory.h"
#include "collide/asset.h"
#include "collide/convex.h"
#include "collide/filter.h"
#include "collide/rings.h"
#include "geometry/lbvh.h"
#include "geometry/obb.h"
#include "geometry/vec3.h"

enum {
    CHUNK = 32,          // pairs that one thread takes at a time
    CHUNKS_TO_SHARE = 4, // fewer are not worth waking threads
    WAVE = 64,           // chunks a thread, as many at a time as leave their points in the caches
    HITS = CHUNK * TX_MAX_HITS,
    MANY_STILL = 64 // geoms of the world from which on they get a tree of their own
};

typedef struct geom_list {
    int *geoms, count;
} geom_list;

// pairs of the table that follow each other and are of the same two bodies
typedef struct pair_run {
    int end;     // where the next run begins
    int body[2]; // whose boxes are looked at first; -1: not worth it
} pair_run;

struct tx_collider {
    const tx_model *m;
    int envs;
    tx_aabb *boxes;        // of the geoms that take part, grown by margin and gap
    tx_coarse_box *coarse; // the same, for the table
    // of the meshes and height fields that take part, in their own frame
    tx_bounds *own;
    bool has_sdf;   // one of them is a field of distances
    double *extent; // see tx_asset
    double *grown;  // by how much the box of each geom is
    // of the table, meshes that meet nothing but planes: a ball around each, and a box only if that is near one;
    // 0: another geom
    double *ball;

    // geoms that take part: those whose masks let them meet anything, and those of special pairs; of these the ones
    // that the table needs a box of in any case
    geom_list boxed, tabled;
    // geoms that can meet anything: planes, those of the world when there are many, and the rest, which is swept
    geom_list planes, still, swept;
    tx_aabb *swept_boxes;
    // of the swept ones those that are awake, and those that sleep, which have a tree; those whose boxes move
    geom_list awake, asleep, moving;
    int version; // of the geoms these lists and boxes belong to
    tx_lbvh asleep_tree;
    void *asleep_memory;
    tx_sweep *sweeps; // one per environment
    float *axes;      // per environment and pair of the table: 3 numbers, see tx_narrow
    int *group_start; // of the awake ones: the geoms of a tree
    int groups;       // 0: every geom by itself
    uint64_t *meet;   // of the awake ones: which geoms of their group that come after them they may collide with

    // the tree over the still ones
    tx_lbvh tree;
    void *tree_memory;
    tx_aabb *still_boxes; // that it was built over
    int *found;           // room for what it finds

    // the table as runs; the boxes of bodies
    pair_run *runs;
    int run_count; // 0: the boxes of bodies would not pay
    tx_aabb *body_boxes;

    // what grows with the pairs
    tx_broadphase broad; // how the candidates are looked for
    int room, need, count;
    int most_needed; // by any environment since room was made
    tx_box_pair *raw, *copy;
    tx_candidate *candidates;
    unsigned char *hit_count; // per candidate
    int *chunk_hits;          // points of each chunk of a wave, then of all before it
    tx_hit *hits;             // of one chunk, or of a wave when threads share them

    const tx_rings *rings; // neighbours of the corners of large hulls; null: none
    tx_pool *pool;
    void *memory, *pair_memory;
    tx_arena scratch;
};

// ---- memory -------------------------------------------------------------------------------------------------------

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

static bool can_meet(const tx_model *m, int geom) { return m->geom_contype[geom] || m->geom_conaffinity[geom]; }

// the list a geom belongs to, null: none
static geom_list *list_of(tx_collider *c, int geom, bool many_still) {
    const tx_model *m = c->m;
    if (!can_meet(m, geom)) return NULL;
    if (m->geom_type[geom] == TX_GEOM_PLANE) return &c->planes;
    return many_still && m->body_weld[m->geom_body[geom]] == 0 ? &c->still : &c->swept;
}

static void add_once(geom_list *list, bool *listed, int geom) {
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
    tx_asset mesh;
    for (int k = 0; k < c->boxed.count; k++) {
        int i = c->boxed.geoms[k];
        c->has_sdf |= c->m->geom_type[i] == TX_GEOM_SDF;
        if (c->m->geom_type[i] == TX_GEOM_HFIELD) c->own[i] = hfield_bounds(c->m, i);
        if (c->m->geom_mesh[i] < 0 || !tx_asset_of(c->m, i, &mesh)) continue;
        tx_convex shape = {0};
        tx_convex_take_asset(&shape, &mesh);
        c->own[i] = tx_bounds_of_points(shape.points, shape.vertex, shape.point_count);
        c->extent[i] = tx_convex_radius(&shape);
    }
}

static bool of_planes(const tx_model *m, int pair) { return m->geom_type[m->pair_geom1[pair]] == TX_GEOM_PLANE; }

// balls of the meshes that only planes are paired with; their boxes in single precision leave that test to the balls
static void measure_balls(tx_collider *c) {
    const tx_model *m = c->m;
    for (int k = 0; k < c->boxed.count; k++) {
        const int i = c->boxed.geoms[k];
        if (m->geom_type[i] == TX_GEOM_MESH) c->ball[i] = v3_length(c->own[i].centre) + v3_length(c->own[i].half);
    }
    for (int p = 0; p < m->npair; p++)
        if (!of_planes(m, p) || m->pair_special[p] >= 0) c->ball[m->pair_geom1[p]] = c->ball[m->pair_geom2[p]] = 0;
    const tx_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (int k = 0; k < c->boxed.count; k++) {
        const int i = c->boxed.geoms[k];
        if (c->ball[i] > 0) tx_coarse_box_make(&c->coarse[i], &all);
        else c->tabled.geoms[c->tabled.count++] = i;
    }
}

static bool same_run(const tx_model *m, int p, int q) {
    const int p1 = m->geom_body[m->pair_geom1[p]], p2 = m->geom_body[m->pair_geom2[p]];
    const int q1 = m->geom_body[m->pair_geom1[q]], q2 = m->geom_body[m->pair_geom2[q]];
    return ((p1 == q1 && p2 == q2) || (p1 == q2 && p2 == q1)) && of_planes(m, p) == of_planes(m, q) &&
           (m->pair_special[p] >= 0) == (m->pair_special[q] >= 0);
}

// a run is worth it where it saves looking at pairs
static bool worth_it(const tx_model *m, int begin, int end) {
    return end > begin + 1 && m->pair_special[begin] < 0 && !of_planes(m, begin);
}

static int end_of_run(const tx_model *m, int begin) {
    int end = begin + 1;
    while (end < m->npair && same_run(m, begin, end)) end++;
    return end;
}

// runs: null to count them only
static int list_runs(const tx_model *m, pair_run *runs) {
    int count = 0;
    for (int begin = 0, end; begin < m->npair; begin = end, count++) {
        end = end_of_run(m, begin);
        if (!runs) continue;
        runs[count] = (pair_run){end, {-1, -1}};
        if (!worth_it(m, begin, end)) continue;
        runs[count].body[0] = m->geom_body[m->pair_geom1[begin]];
        runs[count].body[1] = m->geom_body[m->pair_geom2[begin]];
    }
    return count;
}

// whether the bodies have so many geoms that their boxes pay: three pairs a run, in half of the table
static bool by_bodies(const tx_model *m) {
    int runs = 0, pairs = 0;
    for (int begin = 0, end; begin < m->npair; begin = end) {
        end = end_of_run(m, begin);
        if (worth_it(m, begin, end)) runs++, pairs += end - begin;
    }
    return pairs >= 3 * runs && 2 * pairs >= m->npair;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t lay_out_fixed(tx_collider *c, char *memory) {
    const tx_model *m = c->m;
    const size_t n = (size_t)m->ngeom, still = (size_t)c->still.count;
    const int sleepers = m->nsleep > 0 ? c->swept.count : 0;
    size_t at = 0, scratch = larger(tx_sweep_scratch(c->swept.count), tx_lbvh_scratch(c->still.count));
    scratch = larger(scratch, tx_lbvh_scratch(sleepers));
    scratch = larger(scratch, tx_sweep_groups_scratch(c->swept.count / 4));
    scratch = larger(scratch, tx_order_scratch(m->nbody));
    scratch = larger(scratch, n + 64); // list_boxed
    c->boxes = take(&at, memory, n * sizeof *c->boxes);
    c->coarse = take(&at, memory, n * sizeof *c->coarse);
    c->own = take(&at, memory, n * sizeof *c->own);
    c->extent = take(&at, memory, n * sizeof *c->extent);
    c->grown = take(&at, memory, n * sizeof *c->grown);
    c->ball = take(&at, memory, n * sizeof *c->ball);
    c->tabled.geoms = take(&at, memory, n * sizeof(int));
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
    c->axes = take(&at, memory, 3 * (size_t)c->envs * (size_t)m->npair * sizeof *c->axes);
    for (int e = 0; e < c->envs; e++) {
        void *orders = take(&at, memory, tx_sweep_size(c->swept.count));
        if (memory) tx_sweep_init(&c->sweeps[e], c->swept.count, orders);
    }
    char *begin = take(&at, memory, scratch);
    if (memory) c->scratch = (tx_arena){begin, begin + scratch};
    return at;
}

// whether two geoms collide if they touch
static bool passes(const tx_model *m, int g1, int g2) {
    return tx_geoms_collide(m, g1, g2) && tx_bodies_collide(m, m->geom_body[g1], m->geom_body[g2]) &&
           tx_pair_function(m->geom_type[g1], m->geom_type[g2]);
}

// which geoms of a group collide
static void list_meetings(tx_collider *c, int begin, int end) {
    for (int i = begin; i < end; i++) {
        c->meet[i] = 0;
        for (int k = i + 1; k < end; k++)
            if (passes(c->m, c->awake.geoms[i], c->awake.geoms[k])) c->meet[i] |= (uint64_t)1 << (k - begin);
    }
}

// the awake geoms by trees; their sweeps begin anew
static void cut_groups(tx_collider *c, int env) {
    tx_arena scratch = c->scratch;
    int *tree = TX_TAKE(scratch, c->awake.count, int);
    for (int k = 0; k < c->awake.count; k++) tree[k] = c->m->body_root[c->m->geom_body[c->awake.geoms[k]]];
    c->groups = tx_group_boxes(tree, c->awake.count, c->group_start);
    for (int k = 0; k < c->groups; k++) list_meetings(c, c->group_start[k], c->group_start[k + 1]);
    tx_sweep_init(&c->sweeps[env], c->groups ? c->groups : c->awake.count, c->sweeps[env].order);
}

static int chunk_count(int pairs) { return (pairs + CHUNK - 1) / CHUNK; }

// how many chunks are tested before their points are handed over
static int wave_of(const tx_pool *pool) { return pool ? WAVE * tx_pool_threads(pool) : 1; }

static size_t lay_out_pairs(tx_collider *c, char *memory) {
    const size_t room = (size_t)c->room, wave = (size_t)wave_of(c->pool);
    size_t at = 0;
    c->raw = take(&at, memory, room * sizeof *c->raw);
    c->copy = take(&at, memory, room * sizeof *c->copy);
    c->candidates = take(&at, memory, room * sizeof *c->candidates);
    c->hit_count = take(&at, memory, room);
    c->chunk_hits = take(&at, memory, (wave + 1) * sizeof(int));
    c->hits = take(&at, memory, wave * HITS * sizeof *c->hits);
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
        geom_list *list = list_of(c, i, still >= MANY_STILL);
        if (list) list->count++;
    }
    c->run_count = by_bodies(m) ? list_runs(m, NULL) : 0;
    c->memory = tx_alloc(lay_out_fixed(c, NULL));
    int guess = 16 + 4 * m->ngeom;
    if (!c->memory || !make_room(c, m->npair > 0 && m->npair < guess ? m->npair : guess, NULL)) {
        tx_collider_destroy(c);
        return NULL;
    }
    lay_out_fixed(c, c->memory);
    c->planes.count = c->still.count = c->swept.count = 0;
    for (int i = 0; i < m->ngeom; i++) {
        geom_list *list = list_of(c, i, still >= MANY_STILL);
        if (list) list->geoms[list->count++] = i;
    }
    list_boxed(c, c->scratch);
    measure_meshes(c);
    measure_balls(c);
    if (c->run_count) list_runs(m, c->runs);
    if (m->nsleep == 0) c->awake = c->swept, c->moving = c->boxed;
    for (int e = 0; e < envs; e++) cut_groups(c, e);
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
    return wave_of(c->pool) == wave_of(pool) ? (c->pool = pool, true) : make_room(c, c->room, pool);
}

void tx_collider_take_rings(tx_collider *c, const tx_rings *rings) { c->rings = rings; }

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

// ---- boxes --------------------------------------------------------------------------------------------------------

// what a geom adds to the margin of its pairs
static double margin_of(const tx_geoms *g, int i) { return g->every_margin ? *g->every_margin / 2 : g->margin[i]; }

// a box around a shape in its own frame; not of a plane
static tx_bounds bounds_of(const tx_collider *c, const tx_geoms *g, int i) {
    const tx_bounds *own = tx_collider_bounds(c, i);
    return own ? *own : tx_bounds_of_shape(c->m->geom_type[i], g->size + 3 * i);
}

// how far a shape reaches from the origin of its frame
static double radius_of(const tx_collider *c, const tx_geoms *g, int i) {
    const tx_bounds b = bounds_of(c, g, i);
    return v3_length(b.centre) + v3_length(b.half);
}

// no less than what a surface can move within the time that is looked ahead, up to `radius` from its frame
static double motion_within(const tx_geoms *g, int i, double radius) {
    const double *velocity = g->velocity + 6 * i;
    return (1 + 1e-12) * (1 + g->glide) * g->ahead * (v3_length(velocity) + v3_length(velocity + 3) * radius);
}

// of a plane, which has no end, it is asked for where the others are
static double motion(const tx_collider *c, const tx_geoms *g, int i) {
    return c->m->geom_type[i] != TX_GEOM_PLANE ? motion_within(g, i, radius_of(c, g, i)) : 0;
}

// of a plane seen from another geom
static double plane_motion(const tx_collider *c, const tx_geoms *g, int plane, int other) {
    double apart[3];
    v3_sub(apart, g->pos + 3 * other, g->pos + 3 * plane);
    return motion_within(g, plane, v3_length(apart) + radius_of(c, g, other));
}

// what velocities add to the box of a geom. Of two geoms one is not still, and has the slack: so boxes of still ones
// last
static double stretch(const tx_collider *c, const tx_geoms *g, int i) {
    if (!g->velocity) return 0;
    return motion(c, g, i) + (g->still && g->still[i] ? 0 : g->slack);
}

static double growth(const tx_collider *c, const tx_geoms *g, int i) {
    double reach = margin_of(g, i) + g->gap[i];
    return (reach > 0 ? reach : 0) + stretch(c, g, i);
}

// around the corners of a mesh: six searches. What is made of a field of distances may touch a little outside of its
// bounds, so its box must not change
static void place_sdf(tx_aabb *out, const tx_asset *mesh, const double pos[3], const double mat[9], double grow) {
    tx_convex shape = {0};
    tx_convex_take_asset(&shape, mesh);
    v3_copy(shape.pos, pos);
    memcpy(shape.mat, mat, sizeof shape.mat);
    tx_aabb_convex(out, &shape, grow);
}

static void place_box(tx_collider *c, const tx_geoms *g, int i) {
    const int type = c->m->geom_type[i];
    const double *pos = g->pos + 3 * i, *mat = g->mat + 9 * i, grow = growth(c, g, i);
    tx_asset asset;
    c->grown[i] = grow;
    if (type == TX_GEOM_MESH) {
        tx_aabb_bounds(&c->boxes[i], &c->own[i], pos, mat, grow);
    } else if (type == TX_GEOM_HFIELD) {
        const tx_bounds bounds = bounds_of(c, g, i);
        tx_aabb_bounds(&c->boxes[i], &bounds, pos, mat, grow);
    } else if (type == TX_GEOM_SDF && tx_asset_of(c->m, i, &asset)) {
        place_sdf(&c->boxes[i], &asset, pos, mat, grow);
    } else {
        tx_aabb_shape(&c->boxes[i], type, g->size + 3 * i, pos, mat, grow);
    }
}

// some of a list at a time, by all threads once it is long
enum { BOXES = 64 };
typedef struct box_job {
    tx_collider *c;
    const tx_geoms *g;
    const geom_list *list;
} box_job;

static void place_some(void *context, int part) {
    const box_job *j = context;
    const int begin = part * BOXES, end = begin + BOXES < j->list->count ? begin + BOXES : j->list->count;
    tx_fpenv env = tx_fpenv_enter();
    for (int k = begin; k < end; k++) place_box(j->c, j->g, j->list->geoms[k]);
    tx_fpenv_leave(env);
}

static void place_boxes(tx_collider *c, const tx_geoms *g, const geom_list *list) {
    box_job job = {c, g, list};
    const int parts = (list->count + BOXES - 1) / BOXES;
    if (c->pool && parts > 2) tx_pool_run(c->pool, place_some, &job, parts);
    else
        for (int k = 0; k < parts; k++) place_some(&job, k);
}

// parts what moves from what does not, and places all boxes once
static void sort_out(tx_collider *c, int env, const tx_geoms *g) {
    c->version = g->version;
    c->awake.count = c->asleep.count = c->moving.count = 0;
    for (int k = 0; k < c->boxed.count; k++)
        if (!g->still[c->boxed.geoms[k]]) c->moving.geoms[c->moving.count++] = c->boxed.geoms[k];
    for (int k = 0; k < c->swept.count; k++) {
        geom_list *list = g->still[c->swept.geoms[k]] == 1 ? &c->asleep : &c->awake;
        list->geoms[list->count++] = c->swept.geoms[k];
    }
    cut_groups(c, env);
    place_boxes(c, g, &c->boxed);
    for (int k = 0; k < c->asleep.count; k++) c->swept_boxes[k] = c->boxes[c->asleep.geoms[k]];
    tx_lbvh_build(&c->asleep_tree, c->swept_boxes, c->asleep.count, c->asleep_memory, c->scratch);
}

// whether boxes are placed for the table alone, and not for sleepers or what velocities reach
static bool only_tabled(const tx_geoms *g, tx_broadphase broad) {
    return broad != TX_BROADPHASE_SWEEP && !g->still && !g->velocity;
}

// whether the ball around a mesh is apart from a plane, with room for rounding
static bool ball_above(const tx_collider *c, const tx_geoms *g, int plane, int other, const double normal[3]) {
    double offset[3];
    v3_sub(offset, g->pos + 3 * other, g->pos + 3 * plane);
    const double reach = c->ball[other] + growth(c, g, other) + c->grown[plane];
    const double size = fabs(offset[0]) + fabs(offset[1]) + fabs(offset[2]) + c->ball[other];
    return v3_dot(offset, normal) > reach + 1e-9 * size;
}

// a plane against a box; slack: how much farther than both have grown the pair reaches
static bool plane_near(tx_collider *c, const tx_geoms *g, int plane, int other, double slack) {
    double normal[3];
    m3_column(normal, g->mat + 9 * plane, 2);
    if (c->ball[other] > 0 && only_tabled(g, c->broad)) {
        if (ball_above(c, g, plane, other, normal)) return false;
        place_box(c, g, other);
    }
    const double moves = g->velocity ? plane_motion(c, g, plane, other) : 0;
    return tx_aabb_below(&c->boxes[other], g->pos + 3 * plane, normal, c->grown[plane] + moves + slack);
}

// ---- candidates ---------------------------------------------------------------------------------------------------

static double special_margin(const tx_geoms *g, int special) {
    return g->every_margin ? *g->every_margin : g->special_margin[special];
}

static tx_candidate candidate(const tx_geoms *g, int g1, int g2, int special, int row) {
    const double margin = special >= 0 ? special_margin(g, special) : margin_of(g, g1) + margin_of(g, g2);
    const double gap = special >= 0 ? g->special_gap[special] : g->gap[g1] + g->gap[g2];
    return (tx_candidate){{g1, g2}, special, row, margin, gap};
}

static void add_candidate(tx_collider *c, const tx_geoms *g, int g1, int g2, int special, int row) {
    if (c->need < c->room) c->candidates[c->need] = candidate(g, g1, g2, special, row);
    c->need++;
}

// adds a pair if it can be near enough; special pairs have a reach of their own. row: of the table, -1: of none
static void consider(tx_collider *c, const tx_geoms *g, int g1, int g2, int special, int row) {
    if (g->still && g->still[g1] && g->still[g2]) return;
    const bool plane = c->m->geom_type[g1] == TX_GEOM_PLANE;
    double slack = 0;
    if (special >= 0) {
        slack = special_margin(g, special) + g->special_gap[special] - c->grown[g1] - c->grown[g2];
        if (g->velocity) slack += stretch(c, g, g1) + stretch(c, g, g2);
    }
    if (plane ? plane_near(c, g, g1, g2, slack) : tx_aabb_near(&c->boxes[g1], &c->boxes[g2], slack))
        add_candidate(c, g, g1, g2, special, row);
}

// around all geoms of a body that take part, planes left out
static void place_bodies(tx_collider *c) {
    const tx_model *m = c->m;
    for (int i = 0; i < m->nbody; i++) tx_aabb_clear(&c->body_boxes[i]);
    for (int k = 0; k < c->tabled.count; k++) {
        const int i = c->tabled.geoms[k];
        if (m->geom_type[i] != TX_GEOM_PLANE) tx_aabb_unite(&c->body_boxes[m->geom_body[i]], &c->boxes[i]);
    }
}

static void consult_pairs(tx_collider *c, const tx_geoms *g, int begin, int end) {
    const tx_model *m = c->m;
    for (int i = begin; i < end; i++) {
        int g1 = m->pair_geom1[i], g2 = m->pair_geom2[i], special = m->pair_special[i];
        if (special >= 0 || tx_coarse_overlap(&c->coarse[g1], &c->coarse[g2])) consider(c, g, g1, g2, special, i);
    }
}

static void consult_table(tx_collider *c, const tx_geoms *g) {
    for (int k = 0; k < c->tabled.count; k++)
        tx_coarse_box_make(&c->coarse[c->tabled.geoms[k]], &c->boxes[c->tabled.geoms[k]]);
    if (c->run_count) place_bodies(c);
    else consult_pairs(c, g, 0, c->m->npair);
    for (int r = 0, i = 0; r < c->run_count; i = c->runs[r++].end) {
        const int *body = c->runs[r].body;
        if (body[0] < 0 || tx_aabb_overlap(&c->body_boxes[body[0]], &c->body_boxes[body[1]]))
            consult_pairs(c, g, i, c->runs[r].end);
    }
}

static void consider_specials(tx_collider *c, const tx_geoms *g) {
    const tx_model *m = c->m;
    for (int i = 0; i < m->nspecial; i++) {
        int g1 = m->special_geom1[i], g2 = m->special_geom2[i];
        if (tx_pair_function(m->geom_type[g1], m->geom_type[g2])) consider(c, g, g1, g2, i, -1);
    }
}

typedef struct raw_list {
    tx_box_pair *pairs;
    int count, room;
} raw_list;

static void add_raw(raw_list *list, int g1, int g2) {
    if (list->count < list->room) list->pairs[list->count] = g1 < g2 ? (tx_box_pair){g1, g2} : (tx_box_pair){g2, g1};
    list->count++;
}

// what moves against what moves
static void sweep_boxes(tx_collider *c, int env, raw_list *list) {
    for (int k = 0; k < c->awake.count; k++) c->swept_boxes[k] = c->boxes[c->awake.geoms[k]];
    tx_sweep *sweep = &c->sweeps[env];
    list->count = c->groups ? tx_sweep_groups(sweep, c->swept_boxes, c->group_start, c->meet, list->pairs, list->room,
                                              c->copy, c->scratch)
                            : tx_sweep_run(sweep, c->swept_boxes, list->pairs, list->room, c->scratch);
    for (int i = 0; i < list->count && i < list->room; i++)
        list->pairs[i] = (tx_box_pair){c->awake.geoms[list->pairs[i].a], c->awake.geoms[list->pairs[i].b]};
}

static void search(tx_collider *c, const tx_geoms *g, const tx_lbvh *tree, const geom_list *in, raw_list *list) {
    for (int k = 0; k < c->awake.count; k++) {
        if (g->still && g->still[c->awake.geoms[k]]) continue;
        int found = tx_lbvh_find(tree, &c->boxes[c->awake.geoms[k]], c->found, in->count);
        for (int i = 0; i < found; i++) add_raw(list, c->awake.geoms[k], in->geoms[c->found[i]]);
    }
}

// what moves against what stands still; the tree is built anew when something there is not where it was
static void search_tree(tx_collider *c, const tx_geoms *g, raw_list *list) {
    bool same = c->tree.count == c->still.count;
    for (int k = 0; k < c->still.count; k++) {
        const tx_aabb *box = &c->boxes[c->still.geoms[k]];
        if (memcmp(&c->still_boxes[k], box, sizeof *box) == 0) continue;
        c->still_boxes[k] = *box, same = false;
    }
    if (!same) tx_lbvh_build(&c->tree, c->still_boxes, c->still.count, c->tree_memory, c->scratch);
    search(c, g, &c->tree, &c->still, list);
}

// the boxes are placed, so that without velocities all have the same to do
static void try_plane(tx_collider *c, const tx_geoms *g, int plane, const geom_list *others, raw_list *list) {
    double normal[3];
    m3_column(normal, g->mat + 9 * plane, 2);
    for (int k = 0; k < others->count; k++) {
        const int other = others->geoms[k];
        if (g->velocity ? plane_near(c, g, plane, other, 0)
                        : tx_aabb_below(&c->boxes[other], g->pos + 3 * plane, normal, c->grown[plane]))
            add_raw(list, plane, other);
    }
}

// all pairs of geoms whose boxes overlap, in any order, without pairs of two that stand still; returns how many
static int raw_pairs(tx_collider *c, int env, const tx_geoms *g) {
    raw_list list = {c->raw, 0, c->room};
    sweep_boxes(c, env, &list);
    if (c->still.count > 0) search_tree(c, g, &list);
    if (c->asleep.count > 0) search(c, g, &c->asleep_tree, &c->asleep, &list);
    for (int p = 0; p < c->planes.count; p++) {
        int plane = c->planes.geoms[p];
        try_plane(c, g, plane, &c->awake, &list);
        if (c->m->body_weld[c->m->geom_body[plane]] == 0) continue;
        try_plane(c, g, plane, &c->asleep, &list);
    }
    return list.count;
}

static void sweep_candidates(tx_collider *c, int env, const tx_geoms *g) {
    const tx_model *m = c->m;
    int raw = raw_pairs(c, env, g), kept = 0;
    if (raw > c->room) {
        c->need = raw;
        return;
    }
    for (int i = 0; i < raw; i++)
        if (passes(m, c->raw[i].a, c->raw[i].b)) c->raw[kept++] = c->raw[i];
    tx_order_pairs(c->raw, kept, m->geom_body, m->nbody, c->copy, c->scratch);
    consider_specials(c, g);
    for (int i = 0; i < kept; i++) {
        int g1 = c->raw[i].a, g2 = c->raw[i].b;
        bool swap = m->geom_type[g1] > m->geom_type[g2];
        consider(c, g, swap ? g2 : g1, swap ? g1 : g2, -1, -1);
    }
}

// ---- narrow phase -------------------------------------------------------------------------------------------------

typedef struct job {
    tx_collider *c;
    const tx_geoms *g;
    const tx_narrow *how;
    tx_take_hits *take;
    void *context;
    float *axes; // of the environment
    int first;   // chunk of the wave
} job;

// asset: room for what the shape is made of
static tx_shape shape_of(const tx_collider *c, const tx_geoms *g, int i, tx_asset *asset) {
    tx_shape shape = {c->m->geom_type[i], g->size + 3 * i, g->pos + 3 * i, g->mat + 9 * i, NULL};
    if (!tx_asset_of(c->m, i, asset)) return shape;
    shape.asset = asset;
    if (c->m->geom_mesh[i] < 0) return shape;
    asset->extent = c->extent[i];
    if (!asset->fours) asset->fours = tx_rings_of(c->rings, c->m->geom_mesh[i]);
    return shape;
}

static int chunk_end(const tx_collider *c, int chunk) {
    return chunk + 1 < chunk_count(c->count) ? (chunk + 1) * CHUNK : c->count;
}

static tx_obb obb_of(const tx_collider *c, const tx_geoms *g, int i) {
    const tx_bounds shape = bounds_of(c, g, i);
    return tx_obb_place(&shape, g->pos + 3 * i, g->mat + 9 * i);
}

// how far apart two surfaces may be to be near, at most
static double reach_of(const tx_collider *c, const tx_geoms *g, const tx_candidate *pair) {
    const int g1 = pair->geom[0], g2 = pair->geom[1];
    const double reach = pair->margin + pair->gap;
    if (!g->velocity) return reach;
    return reach + g->slack + motion(c, g, g1) + motion(c, g, g2) +
           (c->m->geom_type[g1] == TX_GEOM_PLANE ? plane_motion(c, g, g1, g2) : 0);
}

static void velocity_at(const tx_geoms *g, int i, const double point[3], double out[3]) {
    const double *velocity = g->velocity + 6 * i;
    double arm[3];
    v3_sub(arm, point, g->pos + 3 * i);
    v3_cross(out, velocity + 3, arm);
    v3_add(out, out, velocity);
}

double tx_closing_reach(const tx_geoms *g, const tx_candidate *pair, const tx_hit *hit) {
    if (!g->velocity) return 0;
    double v1[3], v2[3], between[3];
    velocity_at(g, pair->geom[0], hit->pos, v1);
    velocity_at(g, pair->geom[1], hit->pos, v2);
    v3_sub(between, v1, v2);
    const double closing = v3_dot(between, hit->normal), reach = g->slack + g->ahead * (closing > 0 ? closing : 0);
    if (!(g->glide > 0)) return reach;
    v3_along(between, between, hit->normal, -closing);
    return reach + g->ahead * g->glide * v3_length(between);
}

// of points that are not near yet those stay that will be, as fast as they approach
static int keep_closing(const tx_geoms *g, const tx_candidate *pair, tx_hit *hits, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (hits[i].dist < pair->margin + pair->gap + tx_closing_reach(g, pair, &hits[i])) hits[kept++] = hits[i];
    return kept;
}

static float *axes_of(const tx_collider *c, int env) { return c->axes + 3 * (size_t)env * (size_t)c->m->npair; }

// whether a search would find nothing: the boxes along the axes of a mesh and another convex shape are apart. Other
// shapes are searched as fast as their boxes are compared
static bool apart(const tx_collider *c, const tx_geoms *g, const tx_candidate *pair) {
    const int g1 = pair->geom[0], g2 = pair->geom[1], *type = c->m->geom_type;
    if (type[g1] < TX_GEOM_SPHERE || type[g2] != TX_GEOM_MESH) return false;
    const double reach = reach_of(c, g, pair);
    const tx_obb a = obb_of(c, g, g1), b = obb_of(c, g, g2);
    return tx_obb_apart(&a, &b, reach > 0 ? reach : 0);
}

static int test_pair(const tx_collider *c, const tx_geoms *g, const tx_narrow *how, const tx_candidate *pair,
                     float *axes, tx_hit *hits) {
    if (apart(c, g, pair)) return 0;
    tx_asset asset1, asset2;
    tx_shape a = shape_of(c, g, pair->geom[0], &asset1), b = shape_of(c, g, pair->geom[1], &asset2);
    tx_narrow own = *how;
    own.axis = pair->row >= 0 ? axes + 3 * (size_t)pair->row : NULL;
    int count = tx_pair_hits(&a, &b, reach_of(c, g, pair), &own, hits);
    return g->velocity ? keep_closing(g, pair, hits, count) : count;
}

// the points of all pairs of a chunk, one behind the other; returns how many
static int test_chunk(const job *j, int chunk, tx_hit *hits) {
    tx_collider *c = j->c;
    int total = 0;
    for (int i = chunk * CHUNK; i < chunk_end(c, chunk); i++) {
        int count = test_pair(c, j->g, j->how, &c->candidates[i], j->axes, hits + total);
        c->hit_count[i] = (unsigned char)count;
        total += count;
    }
    return total;
}

static void hand_over_chunk(const job *j, int chunk, const tx_hit *hits, int before) {
    const tx_collider *c = j->c;
    for (int i = chunk * CHUNK; i < chunk_end(c, chunk); i++) {
        if (c->hit_count[i] > 0) j->take(j->context, &c->candidates[i], hits, c->hit_count[i], before);
        hits += c->hit_count[i], before += c->hit_count[i];
    }
}

static void test_shared_chunk(void *context, int k) {
    const job *j = context;
    tx_fpenv env = tx_fpenv_enter();
    j->c->chunk_hits[k + 1] = test_chunk(j, j->first + k, j->c->hits + (size_t)k * HITS);
    tx_fpenv_leave(env);
}

static void hand_over_shared_chunk(void *context, int k) {
    const job *j = context;
    tx_fpenv env = tx_fpenv_enter();
    hand_over_chunk(j, j->first + k, j->c->hits + (size_t)k * HITS, j->c->chunk_hits[k]);
    tx_fpenv_leave(env);
}

// every chunk writes into memory of its own; sums over the chunks before it then say where its points belong
static int test_shared(job *j, int chunks) {
    tx_collider *c = j->c;
    int total = 0, wave = wave_of(c->pool);
    for (j->first = 0; j->first < chunks; j->first += wave) {
        int count = chunks - j->first < wave ? chunks - j->first : wave;
        tx_pool_run(c->pool, test_shared_chunk, j, count);
        c->chunk_hits[0] = total;
        for (int k = 0; k < count; k++) c->chunk_hits[k + 1] += c->chunk_hits[k];
        tx_pool_run(c->pool, hand_over_shared_chunk, j, count);
        total = c->chunk_hits[count];
    }
    return total;
}

static int test_pairs(job *j) {
    int chunks = chunk_count(j->c->count), total = 0;
    if (j->c->pool && chunks >= CHUNKS_TO_SHARE) return test_shared(j, chunks);
    for (int k = 0; k < chunks; k++) {
        int count = test_chunk(j, k, j->c->hits);
        hand_over_chunk(j, k, j->c->hits, total);
        total += count;
    }
    return total;
}

// -1: there was no room for all of them
static int test_candidates(job *j) {
    tx_collider *c = j->c;
    if (c->need > c->most_needed) c->most_needed = c->need;
    c->count = c->need <= c->room ? c->need : 0;
    return c->need <= c->room ? test_pairs(j) : -1;
}

int tx_collider_run(tx_collider *c, int env, const tx_geoms *g, tx_broadphase broad, const tx_narrow *narrow,
                    tx_take_hits *hand_over, void *context) {
    c->need = 0, c->broad = broad;
    if (g->still && c->version != g->version) sort_out(c, env, g);
    else place_boxes(c, g, only_tabled(g, broad) ? &c->tabled : &c->moving);
    if (g->still && c->moving.count == 0) c->count = 0;
    else if (broad == TX_BROADPHASE_SWEEP) sweep_candidates(c, env, g);
    else consult_table(c, g);
    return test_candidates(&(job){c, g, narrow, hand_over, context, axes_of(c, env), 0});
}

int tx_collider_test_pair(const tx_collider *c, int env, const tx_geoms *g, int pair, const tx_narrow *narrow,
                          tx_hit *hits) {
    const tx_model *m = c->m;
    const tx_candidate two = candidate(g, m->pair_geom1[pair], m->pair_geom2[pair], m->pair_special[pair], pair);
    return test_pair(c, g, narrow, &two, axes_of(c, env), hits);
}
