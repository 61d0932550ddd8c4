// parts.inl - a stage done for some trees at a time by all threads: what it does for one tree touches no other.
// lanes: any
#pragma once
#include "base/fpenv.h"
#include "base/task.h"
#include "lane/lane.h"
#include "model/block.h"

typedef void stage_of_part(const tx_block *part);

typedef struct part_job {
    const tx_block *b;
    stage_of_part *stage;
} part_job;

STAGE void run_part(void *context, int i) {
    const part_job *job = (const part_job *)context;
    const tx_tree_part *of = &job->b->parts[i];
    tx_fpenv env = tx_fpenv_enter();
    tx_block part = *job->b;
#define ONE(name) {&of->name, of->name.end > of->name.begin}
    part.live = (tx_live){ONE(bodies), ONE(joints), ONE(geoms), ONE(dofs), ONE(bodies), ONE(bodies)};
    part.awake = (tx_awake){ONE(joints), ONE(dofs), ONE(qpos)};
    part.driven = (tx_driven){of->actuators, of->joints, of->dofs};
#undef ONE
    job->stage(&part);
    tx_fpenv_leave(env);
}

// lists of those that sleep are not cut
FN void by_parts(const tx_block *b, stage_of_part *stage) {
    if (b->pool && b->nparts > 1 && !b->sleep.asleep && tx_pool_threads(b->pool) > 1) {
        part_job job = {b, stage};
        tx_pool_run(b->pool, run_part, &job, b->nparts);
    } else stage(b);
}
