// collider_test.c - the points of all candidates, in chunks that threads may share.
#include <string.h>

#include "base/fpenv.h"
#include "collide/asset.h"
#include "collide/collider_parts.h"
#include "geometry/vec3.h"

enum {
    CHUNKS_TO_SHARE = 4, // fewer are not worth waking threads
    HITS = TX_CHUNK * TX_MAX_HITS
};

typedef struct job {
    tx_collider *c;
    const tx_geoms *g;
    const tx_narrow *how;
    tx_take_hits *take;
    void *context;
    float *axes; // of the environment
    int first;   // chunk of the wave
} job;

tx_shape tx_shape_of_geom(const tx_collider *c, const tx_geoms *g, int i, tx_asset *field) {
    tx_shape shape = {c->m->geom_type[i], g->size + 3 * i, g->pos + 3 * i, g->mat + 9 * i, NULL};
    if (c->m->geom_mesh[i] >= 0) shape.asset = &c->assets[c->m->geom_mesh[i]];
    else if (c->m->geom_hfield[i] >= 0 && tx_asset_of(c->m, i, field)) shape.asset = field;
    return shape;
}

static int chunk_end(const tx_collider *c, int chunk) {
    return chunk + 1 < tx_chunk_count(c->count) ? (chunk + 1) * TX_CHUNK : c->count;
}

static tx_obb obb_of(const tx_collider *c, const tx_geoms *g, int i) {
    const tx_bounds shape = tx_bounds_of_geom(c, g, i);
    return tx_obb_place(&shape, g->pos + 3 * i, g->mat + 9 * i);
}

// how far apart two surfaces may be to be near, at most
static double reach_of(const tx_collider *c, const tx_geoms *g, const tx_candidate *pair) {
    const int g1 = pair->geom[0], g2 = pair->geom[1];
    const double reach = pair->margin + pair->gap;
    if (!g->velocity || g->follow) return reach;
    return reach + g->slack + c->motion[g1] + c->motion[g2] +
           (c->m->geom_type[g1] == TX_GEOM_PLANE ? tx_plane_motion(c, g, g1, g2) : 0);
}

// a geom's frame as it moves
typedef struct moving {
    double pos[3], velocity[3], spin[3];
} moving;

static moving moving_of(const tx_geoms *g, int i) {
    const double *velocity = g->velocity + 6 * (size_t)i;
    moving m;
    v3_copy(m.pos, g->pos + 3 * (size_t)i);
    v3_copy(m.velocity, velocity);
    v3_copy(m.spin, velocity + 3);
    return m;
}

static inline void velocity_at(const moving *m, const double point[3], double out[3]) {
    double arm[3];
    v3_sub(arm, point, m->pos);
    v3_cross(out, m->spin, arm);
    v3_add(out, out, m->velocity);
}

void tx_closing_reach(const tx_geoms *g, const tx_candidate *pair, const tx_hit *hits, int count, double *reach) {
    for (int i = 0; i < count && (!g->velocity || g->follow); i++) reach[i] = pair->closing;
    if (!g->velocity || g->follow) return;
    const moving m1 = moving_of(g, pair->geom[0]), m2 = moving_of(g, pair->geom[1]);
    for (int i = 0; i < count; i++) {
        const double *normal = hits[i].normal;
        double v1[3], v2[3], between[3];
        velocity_at(&m1, hits[i].pos, v1);
        velocity_at(&m2, hits[i].pos, v2);
        v3_sub(between, v1, v2);
        const double closing = v3_dot(between, normal);
        reach[i] = g->slack + g->ahead * (closing > 0 ? closing : 0);
        if (!(g->glide > 0)) continue;
        v3_along(between, between, normal, -closing);
        reach[i] += g->ahead * g->glide * v3_length(between);
    }
}

// of points that are not near yet those stay that will be, as fast as they approach; no velocity has to be known of
// what is nearer than the slack, because sums of more are no smaller when rounded
static int keep_closing(const tx_geoms *g, const tx_candidate *pair, tx_hit *hits, int count) {
    const double reach = pair->margin + pair->gap;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        double closing = g->slack;
        if (!(hits[i].dist < reach + closing)) tx_closing_reach(g, pair, &hits[i], 1, &closing);
        const bool stays = hits[i].dist < reach + closing;
        if (stays && kept < i) hits[kept] = hits[i];
        kept += stays;
    }
    return kept;
}

static float *axes_of(const tx_collider *c, int env) {
    return c->axes ? c->axes + 3 * (size_t)env * (size_t)c->m->npair : NULL;
}

// whether a search would find nothing: the boxes along the axes of a mesh and another convex shape are apart. Other
// shapes are searched as fast as their boxes are compared
static bool apart(const tx_collider *c, const tx_geoms *g, const tx_candidate *pair) {
    const int g1 = pair->geom[0], g2 = pair->geom[1], *type = c->m->geom_type;
    if (type[g1] < TX_GEOM_SPHERE || type[g2] != TX_GEOM_MESH) return false;
    const double reach = reach_of(c, g, pair);
    const tx_obb a = obb_of(c, g, g1), b = obb_of(c, g, g2);
    return tx_obb_apart(&a, &b, reach > 0 ? reach : 0);
}

// whether some of the points are nearer than the margin
static bool some_near(const tx_hit *hits, int count, double margin) {
    for (int i = 0; i < count; i++)
        if (hits[i].dist < margin) return true;
    return false;
}

// what does not touch yet, followed; what is only known stays so if nothing comes of it
static int follow(const tx_collider *c, const tx_geoms *g, const tx_narrow *how, tx_candidate *pair, const tx_shape *a,
                  const tx_shape *b, tx_hit *hits, int count) {
    tx_hit expected[TX_MAX_HITS];
    if (some_near(hits, count, pair->margin)) return count;
    const int more = tx_expect(c, g, how, pair, a, b, expected);
    if (more == 0) return count;
    memcpy(hits, expected, (size_t)more * sizeof *hits);
    return more;
}

static int test_pair(const tx_collider *c, const tx_geoms *g, const tx_narrow *how, tx_candidate *pair, float *axes,
                     tx_hit *hits) {
    const bool near = !apart(c, g, pair);
    if (!near && !g->follow) return 0;
    tx_asset asset1, asset2;
    const tx_shape a = tx_shape_of_geom(c, g, pair->geom[0], &asset1);
    const tx_shape b = tx_shape_of_geom(c, g, pair->geom[1], &asset2);
    tx_narrow own = *how;
    own.axis = axes && pair->row >= 0 ? axes + 3 * (size_t)pair->row : NULL;
    int count = near ? tx_pair_hits(&a, &b, reach_of(c, g, pair), &own, hits) : 0;
    if (g->follow) return follow(c, g, how, pair, &a, &b, hits, count);
    return g->velocity ? keep_closing(g, pair, hits, count) : count;
}

// the points of all pairs of a chunk, one behind the other; returns how many
static int test_chunk(const job *j, int chunk, tx_hit *hits) {
    tx_collider *c = j->c;
    int total = 0;
    for (int i = chunk * TX_CHUNK; i < chunk_end(c, chunk); i++) {
        int count = test_pair(c, j->g, j->how, &c->candidates[i], j->axes, hits + total);
        c->hit_count[i] = (unsigned char)count;
        total += count;
    }
    return total;
}

static void hand_over_chunk(const job *j, int chunk, const tx_hit *hits, int before) {
    const tx_collider *c = j->c;
    for (int i = chunk * TX_CHUNK; i < chunk_end(c, chunk); i++) {
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
    int total = 0, wave = tx_wave_of(c->pool);
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
    int chunks = tx_chunk_count(j->c->count), total = 0;
    if (j->c->pool && chunks >= CHUNKS_TO_SHARE) return test_shared(j, chunks);
    for (int k = 0; k < chunks; k++) {
        int count = test_chunk(j, k, j->c->hits);
        hand_over_chunk(j, k, j->c->hits, total);
        total += count;
    }
    return total;
}

int tx_test_candidates(tx_collider *c, int env, const tx_geoms *g, const tx_narrow *how, tx_take_hits *hand_over,
                       void *context) {
    job j = {c, g, how, hand_over, context, axes_of(c, env), 0};
    if (c->need > c->most_needed) c->most_needed = c->need;
    c->count = c->need <= c->room ? c->need : 0;
    return c->need <= c->room ? test_pairs(&j) : -1;
}

int tx_collider_test_pair(const tx_collider *c, int env, const tx_geoms *g, int pair, const tx_narrow *narrow,
                          tx_hit *hits) {
    const tx_model *m = c->m;
    tx_candidate two = tx_candidate_of(g, m->pair_geom1[pair], m->pair_geom2[pair], m->pair_special[pair], pair);
    return test_pair(c, g, narrow, &two, axes_of(c, env), hits);
}
