// collider.h - detection on plain arrays: boxes, candidates, narrow phase. It knows a model's geoms and nothing of
// steps.
#pragma once
#include "base/task.h"
#include "collide/pairs.h"
#include "collide/sweep.h"
#include "model/model.h"

/// What detection reads of one environment, contiguous: geoms, and special pairs.
typedef struct tx_geoms {
    const double *size, *pos, *mat;             // 3, 3 and 9 numbers each
    const double *margin, *gap;                 // [m]
    const double *special_margin, *special_gap; // [m]
    const double *every_margin;                 // of every pair, in place of the others; null: none
    // What closes in is found before it is near: points count as near up to `ahead` times the speed at which the two
    // surfaces approach there, along the normal. What meets within that time without turning is found for certain.
    // null: velocities do not matter
    const double *velocity; // 6 numbers each: of the geom's frame [m/s], then angular [rad/s], world
    double ahead;           // [s], not negative
    double glide;           // the same for this share of the speed at which they slide past each other there
    double slack;           // what is nearer counts as near whatever its velocity [m]
    // instead: what is not near yet is followed along its motion, turning with it, where one of the two moves so far
    // that it could pass through the other (docs/collision.md "Before they touch")
    bool follow;
    // 0: it may move, 1: asleep, 2: it cannot; pairs of two still ones are left out. null: all may
    const uint8_t *still;
    int version; // changes with `still` and when a still one has another pose; never 0
} tx_geoms;

/// Two geoms that may touch, the lower type first; special: their own parameters, -1: from the geoms.
typedef struct tx_candidate {
    int geom[2], special;
    int row;            // of the table of pairs; -1: swept
    double margin, gap; // of the pair [m]
    double closing;     // by how much the two close in within the time that is looked ahead, where they are expected to
                        // meet in it [m]; else 0
} tx_candidate;

/// Receives the points of one pair; before: how many points the pairs before it have. With a pool it is called by
/// several threads at once.
typedef void tx_take_hits(void *context, const tx_candidate *pair, const tx_hit *hits, int count, int before);

/// How far beyond its margin and gap each point of a pair counts as near: `slack`, and `ahead` times its speeds;
/// where shapes are followed, by how much they close in.
void tx_closing_reach(const tx_geoms *geoms, const tx_candidate *pair, const tx_hit *hits, int count, double *reach);

/// Memory for detection in `envs` environments, one after the other; what is kept of each makes the next call fast and
/// changes no result.
typedef struct tx_collider tx_collider;

tx_collider *tx_collider_create(const tx_model *model, int envs); // null: no memory
void tx_collider_destroy(tx_collider *collider);                  // null is fine

/// Lets the threads of a pool share the pairs of one environment, once there are many. null: one thread.
/// @return false: no memory, then it stays as it was
bool tx_collider_share(tx_collider *collider, tx_pool *pool);

/// Finds the points of all pairs of one environment, in the order of the pair table: special pairs, then by bodies,
/// then by geoms. The points are the same for any number of threads and for table and sweep.
/// @return how many points there are; -1: room for pairs was lacking and nothing was taken, grow and call again
int tx_collider_run(tx_collider *collider, int env, const tx_geoms *geoms, tx_broadphase broad, const tx_narrow *narrow,
                    tx_take_hits *take, void *context);
/// The points of one pair of the table. Only its two geoms are read; velocities and sleepers are not looked at.
int tx_collider_test_pair(const tx_collider *collider, int env, const tx_geoms *geoms, int pair,
                          const tx_narrow *narrow, tx_hit *hits);
bool tx_collider_lacks_room(const tx_collider *collider);
bool tx_collider_grow(tx_collider *collider); // false: no memory

/// The candidates of the last call.
const tx_candidate *tx_collider_candidates(const tx_collider *collider, int *count);

/// The geoms that take part: only these get a box in every call.
const int *tx_collider_boxed(const tx_collider *collider, int *count);

/// The box around a mesh or a height field in its own frame; null: another shape, whose size says it.
const tx_bounds *tx_collider_bounds(const tx_collider *collider, int geom);
/// Whether every geom that takes part has one of the two: fields of distances may touch a little outside of theirs.
bool tx_collider_has_bounds(const tx_collider *collider);
