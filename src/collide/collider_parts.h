// collider_parts.h - what the files of the collider share: its memory, and what one asks of another.
#pragma once
#include "collide/collider.h"
#include "collide/rings.h"
#include "geometry/lbvh.h"
#include "geometry/obb.h"

enum {
    TX_CHUNK = 32, // pairs that one thread takes at a time
    TX_WAVE = 64,  // chunks a thread, as many at a time as leave their points in the caches
    TX_SWEEP_PARTS = 8
};

typedef struct tx_geom_list {
    int *geoms, count;
} tx_geom_list;

// pairs of the table that follow each other and are of the same two bodies
typedef struct tx_pair_run {
    int end;     // where the next run begins
    int body[2]; // whose boxes are looked at first; -1: not worth it
} tx_pair_run;

struct tx_collider {
    const tx_model *m;
    int envs;
    tx_aabb *boxes;        // of the geoms that take part, grown by margin and gap
    tx_coarse_box *coarse; // the same, for the table
    // of the meshes and height fields that take part, in their own frame
    tx_bounds *own;
    bool has_sdf;     // one of them is a field of distances
    tx_asset *assets; // per mesh, of those that geoms with boxes are made of
    double *grown;    // by how much the box of each geom is
    double *motion;   // where velocities matter: no less than what its surface can move within the time that is looked
                      // ahead; 0 of a plane
    // geoms that take part: those whose masks let them meet anything, and those of special pairs
    tx_geom_list boxed;
    // geoms that can meet anything: planes, those of the world when there are many, and the rest, which is swept
    tx_geom_list planes, still, swept;
    tx_aabb *swept_boxes;
    // of the swept ones those that are awake, and those that sleep, which have a tree; those whose boxes move
    tx_geom_list awake, asleep, moving;
    int version; // of the geoms these lists and boxes belong to
    tx_lbvh asleep_tree;
    void *asleep_memory;
    tx_sweep *sweeps; // one per environment
    float *axes;      // per environment and pair of the table: 3 numbers, see tx_narrow; null: too many
    int *group_start; // of the awake ones: the geoms of a tree
    int groups;       // 0: every geom by itself
    uint64_t *meet;   // of the awake ones: which geoms of their group that come after them they may collide with

    // the tree over the still ones
    tx_lbvh tree;
    void *tree_memory;
    tx_aabb *still_boxes; // that it was built over
    int *found;           // room for what it finds

    // the table as runs; the boxes of bodies
    tx_pair_run *runs;
    int run_count; // 0: the boxes of bodies would not pay
    tx_aabb *body_boxes;

    // what grows with the pairs
    int room, need, count;
    int most_needed; // by any environment since room was made
    tx_box_pair *raw, *copy;
    tx_candidate *candidates;
    unsigned char *hit_count; // per candidate
    int *chunk_hits;          // points of each chunk of a wave, then of all before it
    tx_hit *hits;             // of one chunk, or of a wave when threads share them

    tx_pool *pool;
    void *memory, *pair_memory;
    tx_arena scratch;
};

/// How many chunks so many pairs are, and how many are tested before their points are handed over.
static inline int tx_chunk_count(int pairs) { return (pairs + TX_CHUNK - 1) / TX_CHUNK; }
static inline int tx_wave_of(const tx_pool *pool) { return pool ? TX_WAVE * tx_pool_threads(pool) : 1; }

/// Into how many parts the trees are cut for the sweep; each has room for all raw pairs.
static inline int tx_sweep_parts(const tx_pool *pool) { return pool ? TX_SWEEP_PARTS : 1; }

// ---- collider_boxes.c: where geoms are ------------------------------------------------------------------------------

/// What a geom adds to the margin of its pairs.
static inline double tx_margin_of(const tx_geoms *g, int i) {
    return g->every_margin ? *g->every_margin / 2 : g->margin[i];
}

/// A box around a shape in its own frame; not of a plane.
tx_bounds tx_bounds_of_geom(const tx_collider *c, const tx_geoms *g, int i);

/// The motion of a plane as it is seen from another geom; what velocities add to the box of a geom that is placed.
double tx_plane_motion(const tx_collider *c, const tx_geoms *g, int plane, int other);
double tx_stretch(const tx_collider *c, const tx_geoms *g, int i);

void tx_place_boxes(tx_collider *c, const tx_geoms *g, const tx_geom_list *list);
/// Whether a plane and a box are near; slack: how much farther than both have grown the pair reaches.
bool tx_plane_near(const tx_collider *c, const tx_geoms *g, int plane, int other, double slack);

// ---- collider_pairs.c: candidates -----------------------------------------------------------------------------------

/// Runs of the table; null to count them only. Whether bodies have so many geoms that their boxes pay.
int tx_list_runs(const tx_model *m, tx_pair_run *runs);
bool tx_runs_pay(const tx_model *m);

/// The awake geoms by trees; their sweeps begin anew.
void tx_cut_groups(tx_collider *c, int env);

tx_candidate tx_candidate_of(const tx_geoms *g, int g1, int g2, int special, int row);
/// Fill c->candidates as far as there is room, and count them all in c->need.
void tx_consult_table(tx_collider *c, const tx_geoms *g);
void tx_sweep_candidates(tx_collider *c, int env, const tx_geoms *g);

// ---- expect.c: points of impacts ------------------------------------------------------------------------------------

/// Points at which two shapes that do not touch will meet within the time that is looked ahead with nothing between
/// them, and pair->closing; 0: none, or neither is fast.
int tx_expect(const tx_collider *c, const tx_geoms *g, const tx_narrow *how, tx_candidate *pair, const tx_shape *a,
              const tx_shape *b, tx_hit *hits);

// ---- collider_test.c: points ----------------------------------------------------------------------------------------

/// A geom at its place; field: room for what a height field is made of.
tx_shape tx_shape_of_geom(const tx_collider *c, const tx_geoms *g, int i, tx_asset *field);

/// Tests all candidates. @return how many points there are; -1: there was no room for all candidates
int tx_test_candidates(tx_collider *c, int env, const tx_geoms *g, const tx_narrow *how, tx_take_hits *take,
                       void *context);
