// asleep.c - constraints between things that all sleep.
#include "rows/rows.h"

// what a constraint has been found to join
typedef struct joined {
    bool awake; // something that may move
    int cycle;  // of what sleeps, -1: none yet
} joined;

static void join_body(const tx_block *b, int body, joined *j) {
    const tx_model *m = b->m;
    int tree = m->body_tree[body];
    if (tree < 0) {
        j->awake |= m->body_mocap[m->body_weld[body]] >= 0;
        return;
    }
    int cycle = b->sleep.cycle[tree];
    j->awake |= !b->sleep.asleep[tree] || (j->cycle >= 0 && j->cycle != cycle);
    j->cycle = cycle;
}

static void join_tendon(const tx_block *b, int tendon, joined *j) {
    const tx_model *m = b->m;
    for (int k = m->tendon_dofadr[tendon]; k < m->tendon_dofadr[tendon] + m->tendon_dofnum[tendon]; k++)
        join_body(b, m->dof_body[m->tendon_dof[k]], j);
}

bool tx_tendon_sleeps(const tx_block *b, int tendon) {
    const tx_model *m = b->m;
    if (!b->sleep.asleep) return false;
    bool asleep = m->tendon_dofnum[tendon] > 0;
    for (int k = m->tendon_dofadr[tendon]; k < m->tendon_dofadr[tendon] + m->tendon_dofnum[tendon]; k++)
        asleep = asleep && tx_body_sleeps(b, m->dof_body[m->tendon_dof[k]]);
    return asleep;
}

bool tx_equality_sleeps(const tx_block *b, int e) {
    const tx_model *m = b->m;
    if (!b->sleep.asleep) return false;
    const int obj[2] = {m->eq_obj1[e], m->eq_obj2[e]};
    joined j = {false, -1};
    int body[2];
    const bool bodies = tx_equality_bodies(m, e, body);
    for (int k = 0; k < 2; k++) {
        if (obj[k] < 0) continue;
        if (bodies) join_body(b, body[k], &j);
        else if (m->eq_type[e] == TX_EQUALITY_JOINT) join_body(b, m->jnt_body[obj[k]], &j);
        else join_tendon(b, obj[k], &j);
    }
    return !j.awake && j.cycle >= 0;
}
