// flock.inl - trees that are built alike, side by side: one text, one tree in each lane, the bits of one tree alone.
// lanes: any
#pragma once
#include "dynamics/parts.inl"
#include "lane/transpose.h"
#include "model/flock.h"

// trees that sleep leave the others where they are
FN bool in_flocks(const tx_block *b) { return b->flocks && !b->sleep.asleep; }

// whether M is complete with the bodies and joints of a tree, and is A: then flocks factorise it
FN bool flocks_factorise(const tx_block *b) {
    return in_flocks(b) && b->problem.unit == TX_UNIT_ACCELERATION && b->shortcuts.no_geared && b->m->ntendon == 0;
}
// and M + h B of Euler's method too
FN bool flocks_damp(const tx_block *b) {
    return flocks_factorise(b) && b->opt->integrator == TX_INTEGRATOR_EULER && b->opt->eulerdamp && b->opt->damper;
}

// the stage on what is in no flock
FN void of_the_loose(const tx_block *b, stage_of_part *stage) {
    tx_block part = *b;
    part.live = b->flocks->loose;
    stage(&part);
}

STAGE void run_turn(void *context, int i) {
    const part_job *job = (const part_job *)context;
    const struct tx_flocks *f = job->b->flocks;
    tx_fpenv env = tx_fpenv_enter();
    if (i == f->turns) of_the_loose(job->b, job->stage);
    else
        for (int k = tx_flocks_of_turn(f, i); k < tx_flocks_of_turn(f, i + 1); k++) f->motion(&f->flock[k], job->b);
    tx_fpenv_leave(env);
}

// poses, masses and forces of all flocks, and the stage on what is in none
FN void by_flocks(const tx_block *b, stage_of_part *stage) {
    part_job job = {b, stage};
    const int items = b->flocks->turns + 1;
    if (b->pool && tx_pool_threads(b->pool) > 1) tx_pool_run(b->pool, run_turn, &job, items);
    else
        for (int i = 0; i < items; i++) run_turn(&job, i);
}
