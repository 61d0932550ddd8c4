// flock_motion.inl - the motion of one flock: kinematics, masses and forces of its trees, into the arrays of the host.
// lanes: any
#pragma once
#include "dynamics/flock.inl"
#include "dynamics/free_velocity.inl"

#if TX_LANES > 1
// X(array, numbers of each): what a tree leaves behind
#define OF_BODIES(X) \
    X(xpos, 3)       \
    X(xquat, 4)      \
    X(xmat, 9)       \
    X(xipos, 3)      \
    X(ximat, 9)      \
    X(tree_com, 3)   \
    X(cinert, 10)    \
    X(cvel, 6)
#define OF_DOFS(X)      \
    X(cdof, 6)          \
    X(qfrc_bias, 1)     \
    X(qfrc_gravcomp, 1) \
    X(qfrc_passive, 1)
// what sensors, equalities, tendons and derivatives look at
#define SELDOM_OF_BODIES(X) \
    X(crb, 10)              \
    X(cacc, 6)              \
    X(cfrc, 6)
#define SELDOM_OF_DOFS(X) X(cdof_dot, 6)

// numbers of things of the model of one tree, from the first one of the tree on, to where each tree has its own
FN void hand_out(const void *lanes, int first, int count, int width, void *rows, const size_t *begin) {
    size_t at[TX_LANES];
    for (int e = 0; e < TX_LANES; e++) at[e] = begin[e] * (size_t)width;
    lanes_to_rows((const real *)lanes + first * width, count * width, (num *)rows, at);
}

// the factor of M, and that of M + h B
FN void flock_factors(const tx_flock *f, const tx_block *host) {
    const tx_block *b = f->view;
    const tx_model *m = b->m;
    real *L = ARRAY(b->L), *inv = ARRAY(b->Linv);
    copy(L, ARRAY(b->M), m->nm);
    tree_factor(&b->tree, 0, m->nv, L, inv);
    hand_out(L, 0, m->nm, 1, host->L, f->entry);
    hand_out(inv, 0, m->nv, 1, host->Linv, f->dof);
    if (!flocks_damp(host)) return;
    const real h = splat(R(b->opt->timestep));
    real *low = ARRAY(b->damped), *damping = ARRAY(b->scratch);
    joint_damping(b, damping);
    copy(low, ARRAY(b->M), m->nm);
    for (int d = 0; d < m->nv; d++) low[m->dof_madr[d]] = low[m->dof_madr[d]] + h * damping[d];
    tree_factor(&b->tree, 0, m->nv, low, ARRAY(b->dampedinv));
    hand_out(low, 0, m->nm, 1, host->damped, f->entry);
    hand_out(b->dampedinv, 0, m->nv, 1, host->dampedinv, f->dof);
}

STAGE void flock_motion(const tx_flock *f, const tx_block *host) {
    const tx_block *b = f->view;
    const tx_model *m = b->m;
    rows_to_lanes((const num *)host->qpos, f->qpos, m->nq, ARRAY(b->qpos));
    rows_to_lanes((const num *)host->qvel, f->dof, m->nv, ARRAY(b->qvel));
    world_pose(b);
    tree_kinematics(b);
    world_motion(b);
    tree_forces(b);
    const bool seldom = has_derivatives(host) || host->m->nsensor > 0 || host->m->neq > 0 || host->m->ntendon > 0;
#define X(name, width) hand_out(b->name, 1, m->nbody - 1, width, host->name, f->body);
    OF_BODIES(X)
    if (seldom) { SELDOM_OF_BODIES(X) }
#undef X
#define X(name, width) hand_out(b->name, 0, m->nv, width, host->name, f->dof);
    OF_DOFS(X)
    if (seldom) { SELDOM_OF_DOFS(X) }
#undef X
    hand_out(b->M, 0, m->nm, 1, host->M, f->entry);
    if (flocks_factorise(host)) flock_factors(f, host);
}
#else
// one lane has none
STAGE void flock_motion(const tx_flock *f, const tx_block *host) { (void)f, (void)host; }
#endif
