// sleep.c - counters, cycles, waking, and the lists of what a step works on.
#include "step/sleep.h"

#include <math.h>
#include <string.h>

// ---- memory and lists -----------------------------------------------------------------------------------------------

enum { LISTS = 7 };

static void *take(size_t *at, char *memory, size_t size) {
    void *here = memory ? memory + *at : NULL;
    *at += (size + 63u) & ~(size_t)63u;
    return here;
}

// how many ranges a list can have: a child of the world or a tree each, and the world's own geoms
static size_t list_room(const tx_model *m) { return m->nsleep > 0 ? (size_t)m->nbody + 1 : 1; }

static void append(tx_range *list, int *count, int begin, int end) {
    if (begin == end) return;
    if (*count > 0 && list[*count - 1].end == begin) list[*count - 1].end = end;
    else list[(*count)++] = (tx_range){begin, end};
}

// numbers of joints, geoms or dofs of bodies [begin, end)
static void append_bodies(tx_range *list, int *count, const int *adr, const int *num, int begin, int end) {
    append(list, count, adr[begin], adr[end - 1] + num[end - 1]);
}

static int position_end(const tx_model *m, int joint) {
    static const int POSITIONS[] = {7, 4, 1, 1};
    return m->jnt_qposadr[joint] + POSITIONS[m->jnt_type[joint]];
}

static int root_end(const tx_model *m, int root) {
    int end = root + 1;
    while (end < m->nbody && m->body_parent[end] > 0) end++;
    return end;
}

// the joints of tree t
static tx_range tree_joints(const tx_model *m, int t) {
    int first = m->tree_bodyadr[t], last = first + m->tree_bodynum[t] - 1;
    return (tx_range){m->body_jntadr[first], m->body_jntadr[last] + m->body_jntnum[last]};
}

static tx_range tree_qpos(const tx_model *m, int t) {
    tx_range joints = tree_joints(m, t);
    return (tx_range){m->jnt_qposadr[joints.begin], position_end(m, joints.end - 1)};
}

static void list_all(tx_block *b) {
    const tx_model *m = b->m;
    tx_range *list = b->sleep.ranges;
    const size_t room = list_room(m);
    const tx_range all[LISTS] = {{1, m->nbody}, {0, m->njnt}, {0, m->ngeom}, {0, m->nv},
                                 {0, m->njnt},  {0, m->nv},   {0, m->nq}};
    tx_ranges *lists[LISTS] = {&b->live.bodies,  &b->live.joints, &b->live.geoms, &b->live.dofs,
                               &b->awake.joints, &b->awake.dofs,  &b->awake.qpos};
    for (int k = 0; k < LISTS; k++, list += room) {
        *list = all[k];
        *lists[k] = (tx_ranges){list, all[k].end > all[k].begin};
    }
    b->live.trees = b->live.movers = b->live.bodies;
}

// what is live: children of the world in which something is awake, or which the user moves
static void list_live(tx_block *b) {
    const tx_model *m = b->m;
    const size_t room = list_room(m);
    tx_range *bodies = b->sleep.ranges, *joints = bodies + room, *geoms = joints + room, *dofs = geoms + room;
    int nbodies = 0, njoints = 0, ngeoms = 0, ndofs = 0;
    memset(b->sleep.resting, 1, (size_t)m->nbody);
    for (int t = 0; t < m->ntree; t++)
        if (!b->sleep.asleep[t]) b->sleep.resting[m->body_root[m->tree_bodyadr[t]]] = 0;
    for (int i = 1, end; i < m->nbody; i = end) {
        end = root_end(m, i);
        if (m->body_mocap[i] >= 0) b->sleep.resting[i] = 0;
        if (b->sleep.resting[i]) continue;
        append(bodies, &nbodies, i, end);
        append_bodies(joints, &njoints, m->body_jntadr, m->body_jntnum, i, end);
        append_bodies(geoms, &ngeoms, m->body_geomadr, m->body_geomnum, i, end);
        append_bodies(dofs, &ndofs, m->body_dofadr, m->body_dofnum, i, end);
    }
    const tx_ranges live = {bodies, nbodies};
    b->live = (tx_live){live, {joints, njoints}, {geoms, ngeoms}, {dofs, ndofs}, live, live};
}

static void list_awake(tx_block *b) {
    const tx_model *m = b->m;
    const size_t room = list_room(m);
    tx_range *joints = b->sleep.ranges + 4 * room, *dofs = joints + room, *qpos = dofs + room;
    int njoints = 0, ndofs = 0, nqpos = 0;
    b->sleep.awake = 0;
    for (int t = 0; t < m->ntree; t++) {
        if (b->sleep.asleep[t]) continue;
        tx_range j = tree_joints(m, t), q = tree_qpos(m, t);
        append(joints, &njoints, j.begin, j.end);
        append(dofs, &ndofs, m->tree_dofadr[t], m->tree_dofadr[t] + m->tree_dofnum[t]);
        append(qpos, &nqpos, q.begin, q.end);
        b->sleep.awake++;
    }
    b->awake = (tx_awake){{joints, njoints}, {dofs, ndofs}, {qpos, nqpos}};
}

// after any change of who sleeps
static void list(tx_block *b) {
    const tx_model *m = b->m;
    list_all(b);
    b->sleep.version++;
    list_awake(b);
    for (int g = 0; g < m->ngeom; g++) {
        int body = m->geom_body[g], tree = m->body_tree[body];
        bool driven = m->body_mocap[m->body_weld[body]] >= 0;
        b->sleep.geom[g] = tree >= 0 ? b->sleep.asleep[tree] : driven ? 0 : 2;
    }
    // what has never been placed is, once
    if (b->sleep.stale) memset(b->sleep.resting, 0, (size_t)m->nbody);
    else list_live(b);
}

size_t tx_sleep_lay_out(tx_block *b, char *memory) {
    const tx_model *m = b->m;
    const size_t trees = (size_t)m->ntree;
    tx_sleep *s = &b->sleep;
    size_t at = 0;
    s->ranges = take(&at, memory, LISTS * list_room(m) * sizeof *s->ranges);
    s->awake = m->ntree, s->version = 1;
    if (m->nsleep > 0) {
        s->asleep = take(&at, memory, trees);
        s->touched = take(&at, memory, trees);
        s->owed = take(&at, memory, trees);
        s->resting = take(&at, memory, (size_t)m->nbody);
        s->geom = take(&at, memory, (size_t)m->ngeom);
        s->group = take(&at, memory, trees * sizeof(int));
        s->cycle = take(&at, memory, trees * sizeof(int));
        s->stale = s->fresh = true;
    }
    if (memory) list_all(b);
    return at;
}

void tx_sleep_placed(tx_block *b) {
    if (!b->sleep.stale) return;
    b->sleep.stale = false;
    list(b);
}

// ---- state ----------------------------------------------------------------------------------------------------------

static double *states(const tx_block *b) { return b->tree_asleep; }

// from the numbers of the state to flags, cycles and lists
static void read_states(tx_block *b) {
    bool changed = b->sleep.stale;
    for (int t = 0; t < b->m->nsleep; t++) {
        uint8_t asleep = states(b)[t] >= 0;
        changed |= asleep != b->sleep.asleep[t];
        b->sleep.asleep[t] = asleep;
        b->sleep.cycle[t] = -1;
    }
    for (int t = 0; t < b->m->nsleep; t++)
        for (int k = t; b->sleep.asleep[k] && b->sleep.cycle[k] < 0; k = (int)states(b)[k]) b->sleep.cycle[k] = t;
    if (changed) list(b);
}

// a tree and all that sleep with it
static void wake(const tx_block *b, int tree) {
    while (states(b)[tree] >= 0) {
        int next = (int)states(b)[tree];
        states(b)[tree] = TX_WIDE_AWAKE;
        tree = next;
    }
}

// whether the numbers are counters and cycles: those that sleep follow each other, each exactly once
static bool cycles_are_whole(const tx_block *b) {
    const int n = b->m->nsleep;
    memset(b->sleep.group, 0, (size_t)n * sizeof(int));
    for (int t = 0; t < n; t++) {
        double state = states(b)[t];
        if (!(state >= TX_WIDE_AWAKE && state < n) || state != floor(state)) return false;
        if (state < 0) continue;
        if (!(states(b)[(int)state] >= 0) || b->sleep.group[(int)state]++) return false;
    }
    return true;
}

static bool any_set(const void *array, int first, int count) {
    const double *x = (const double *)array + first;
    bool set = false;
    for (int i = 0; i < count; i++) set |= x[i] != 0;
    return set;
}

// a force of the user on a tree
static bool is_pushed(const tx_block *b, int t) {
    const tx_model *m = b->m;
    return any_set(b->qfrc_applied, m->tree_dofadr[t], m->tree_dofnum[t]) ||
           (b->pushed && any_set(b->xfrc_applied, 6 * m->tree_bodyadr[t], 6 * m->tree_bodynum[t]));
}

static bool acts_now(const tx_block *b) {
    int integrator = b->opt->integrator;
    return b->opt->sleep && integrator != TX_INTEGRATOR_RK4 && integrator != TX_INTEGRATOR_MIDPOINT;
}

void tx_sleep_begin(tx_block *b) {
    const tx_model *m = b->m;
    tx_sleep *s = &b->sleep;
    if (m->nsleep == 0) return;
    if (s->fresh) s->stale = true;
    s->on = acts_now(b);
    if (!s->on || !cycles_are_whole(b)) {
        for (int t = 0; t < m->nsleep; t++) states(b)[t] = TX_WIDE_AWAKE;
    }
    for (int t = 0; t < m->nsleep; t++) {
        if (states(b)[t] < 0) continue;
        bool moved = any_set(b->qvel, m->tree_dofadr[t], m->tree_dofnum[t]);
        if (moved || is_pushed(b, t) || (!s->fresh && s->touched[t])) wake(b, t);
    }
    s->fresh = false;
    read_states(b);
}

// ---- what the user changed ------------------------------------------------------------------------------------------

static bool differs(const void *mine, const double *theirs, int first, int count) {
    return count > 0 && memcmp((const double *)mine + first, theirs + first, sizeof(double) * (size_t)count) != 0;
}

static void touch_body(tx_block *b, int body) {
    if (b->m->body_tree[body] >= 0) b->sleep.touched[b->m->body_tree[body]] = 1;
}

static void touch_tendon(tx_block *b, int tendon) {
    const tx_model *m = b->m;
    for (int k = m->tendon_dofadr[tendon]; k < m->tendon_dofadr[tendon] + m->tendon_dofnum[tendon]; k++)
        touch_body(b, m->dof_body[m->tendon_dof[k]]);
}

static void touch_actuator(tx_block *b, int i) {
    const tx_model *m = b->m;
    if (m->actuator_trn[i] == TX_TRANSMISSION_BODY) {
        touch_body(b, m->actuator_trnid[i]);
        return;
    }
    for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++)
        touch_body(b, m->dof_body[m->moment_dof[e]]);
}

static void touch_equality(tx_block *b, int e) {
    const tx_model *m = b->m;
    const int obj[2] = {m->eq_obj1[e], m->eq_obj2[e]};
    int body[2];
    const bool bodies = tx_equality_bodies(m, e, body);
    for (int k = 0; k < 2; k++) {
        if (obj[k] < 0) continue;
        if (m->eq_type[e] == TX_EQUALITY_TENDON) touch_tendon(b, obj[k]);
        else touch_body(b, bodies ? body[k] : m->jnt_body[obj[k]]);
    }
}

void tx_sleep_compare(tx_block *b, const double *const rows[TX_ARRAY_STATE_COUNT]) {
    const tx_model *m = b->m;
    if (m->nsleep == 0) return;
    memset(b->sleep.touched, 0, (size_t)m->ntree);
    if (b->sleep.fresh) return;
    for (int t = 0; t < m->ntree; t++) {
        tx_range q = tree_qpos(m, t);
        bool moved = b->sleep.asleep[t] && differs(b->qpos, rows[TX_ARRAY_QPOS], q.begin, q.end - q.begin);
        b->sleep.touched[t] = moved || b->sleep.owed[t];
    }
    for (int i = 0; i < m->nactuator; i++)
        if (differs(b->ctrl, rows[TX_ARRAY_CTRL], m->actuator_ctrladr[i], m->actuator_ctrlnum[i])) touch_actuator(b, i);
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_actnum[i] > 0 && differs(b->act, rows[TX_ARRAY_ACT], m->actuator_act[i], m->actuator_actnum[i]))
            touch_actuator(b, i);
    for (int e = 0; e < m->neq; e++)
        if (differs(b->eq_active, rows[TX_ARRAY_EQ_ACTIVE], e, 1)) touch_equality(b, e);
    for (int i = 1; i < m->nbody && m->nmocap > 0; i++) {
        int k = m->body_mocap[m->body_root[i]];
        if (k >= 0 && (differs(b->mocap_pos, rows[TX_ARRAY_MOCAP_POS], 3 * k, 3) ||
                       differs(b->mocap_quat, rows[TX_ARRAY_MOCAP_QUAT], 4 * k, 4)))
            touch_body(b, i);
    }
}

void tx_sleep_owe(tx_block *b, bool keep) {
    for (int t = 0; t < b->m->nsleep; t++) b->sleep.owed[t] = keep && b->sleep.touched[t];
}

bool tx_sleep_is_touched(const tx_block *b, int tree) {
    if (!b->sleep.asleep[tree]) return false;
    int t = tree;
    do {
        if (b->sleep.touched[t]) return true;
        t = (int)states(b)[t];
    } while (t != tree);
    return false;
}

// ---- waking ---------------------------------------------------------------------------------------------------------

// a pair of two that sleep or cannot move is not tested, so any contact of something asleep wakes it
bool tx_sleep_wake_touching(tx_block *b) {
    if (!b->sleep.on || b->sleep.awake == b->m->nsleep) return false;
    bool woke = false;
    for (int i = 0; i < b->ncontact[0] && i < b->room; i++)
        for (int k = 0; k < 2; k++) {
            int body = b->m->geom_body[b->contacts[i].geom[k]];
            if (!tx_body_sleeps(b, body)) continue;
            wake(b, b->m->body_tree[body]);
            woke = true;
        }
    if (woke) read_states(b);
    return woke;
}

// whether a tendon has a spring or a damper
static bool tendon_pulls(const tx_block *b, int t) {
    const double *stiff = (const double *)b->param.tendon_stiffnesspoly + 2 * t,
                 *damp = (const double *)b->param.tendon_dampingpoly + 2 * t;
    return ((const double *)b->param.tendon_stiffness)[t] != 0 || ((const double *)b->param.tendon_damping)[t] != 0 ||
           stiff[0] != 0 || stiff[1] != 0 || damp[0] != 0 || damp[1] != 0;
}

// wakes all trees of a list of dofs when some but not all of them sleep
static bool wake_mixed(tx_block *b, const int *dofs, int count) {
    const tx_model *m = b->m;
    bool awake = false, woke = false;
    for (int k = 0; k < count; k++) awake |= !tx_body_sleeps(b, m->dof_body[dofs[k]]);
    for (int k = 0; k < count && awake; k++)
        if (tx_body_sleeps(b, m->dof_body[dofs[k]])) wake(b, m->body_tree[m->dof_body[dofs[k]]]), woke = true;
    return woke;
}

bool tx_sleep_wake_coupled(tx_block *b) {
    const tx_model *m = b->m;
    const tx_problem *p = &b->problem;
    if (!b->sleep.on || b->sleep.awake == m->nsleep) return false;
    bool woke = false;
    // rows are made only where something is awake
    for (int i = 0; i < p->ncons; i++)
        for (int k = p->cons[i].piece; k < p->cons[i].piece + p->cons[i].pieces; k++) {
            int tree = p->blocks[p->pieces[k].block].tree;
            if (b->sleep.asleep[tree]) wake(b, tree), woke = true;
        }
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_trn[i] != TX_TRANSMISSION_BODY)
            woke |= wake_mixed(b, m->moment_dof + m->actuator_dofadr[i], m->actuator_dofnum[i]);
    for (int t = 0; t < m->ntendon; t++)
        if (tendon_pulls(b, t)) woke |= wake_mixed(b, m->tendon_dof + m->tendon_dofadr[t], m->tendon_dofnum[t]);
    if (woke) read_states(b);
    return woke;
}

void tx_sleep_suspend(tx_block *b) {
    if (b->m->nsleep == 0) return;
    memset(b->sleep.asleep, 0, (size_t)b->m->nsleep);
    list(b);
    b->sleep.on = false;
}

void tx_sleep_resume(tx_block *b) {
    if (b->m->nsleep == 0) return;
    b->sleep.on = acts_now(b);
    read_states(b);
}

// ---- falling asleep -------------------------------------------------------------------------------------------------

static bool stands_still(const tx_block *b, int t) {
    const tx_model *m = b->m;
    const double *v = (const double *)b->qvel, *length = m->dof_length;
    double most = b->opt->sleep_tolerance;
    bool still = m->tree_sleep[t] != TX_SLEEP_NEVER && most > 0;
    for (int d = m->tree_dofadr[t]; d < m->tree_dofadr[t] + m->tree_dofnum[t] && still; d++)
        still = length[d] * fabs(v[d]) < most;
    return still && !is_pushed(b, t);
}

static int root_of(int *group, int t) {
    while (group[t] != t) t = group[t] = group[group[t]];
    return t;
}

// the lowest tree stands for its group
static void unite(int *group, int a, int b) {
    a = root_of(group, a), b = root_of(group, b);
    if (a < b) group[b] = a;
    else group[a] = b;
}

static void unite_dofs(const tx_block *b, const int *dofs, int count) {
    const tx_model *m = b->m;
    for (int k = 1; k < count; k++)
        unite(b->sleep.group, m->body_tree[m->dof_body[dofs[0]]], m->body_tree[m->dof_body[dofs[k]]]);
}

// trees joined by constraints, actuators or tendons that pull
static void find_groups(tx_block *b) {
    const tx_model *m = b->m;
    const tx_problem *p = &b->problem;
    int *group = b->sleep.group;
    for (int t = 0; t < m->ntree; t++) group[t] = t;
    for (int i = 0; i < p->ncons; i++)
        for (int k = p->cons[i].piece + 1; k < p->cons[i].piece + p->cons[i].pieces; k++)
            unite(group, p->blocks[p->pieces[k - 1].block].tree, p->blocks[p->pieces[k].block].tree);
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_trn[i] != TX_TRANSMISSION_BODY)
            unite_dofs(b, m->moment_dof + m->actuator_dofadr[i], m->actuator_dofnum[i]);
    for (int t = 0; t < m->ntendon; t++)
        if (tendon_pulls(b, t)) unite_dofs(b, m->tendon_dof + m->tendon_dofadr[t], m->tendon_dofnum[t]);
}

static bool is_driven(const tx_model *m, int body) { return m->body_mocap[m->body_weld[body]] >= 0; }

static void keep_up(tx_block *b, int body) {
    int tree = b->m->body_tree[body];
    if (tree >= 0 && states(b)[tree] < 0) states(b)[tree] = TX_WIDE_AWAKE;
}

// what the user moves can move at any time: what leans on it or hangs from it stays awake
static void keep_driven_awake(tx_block *b) {
    const tx_model *m = b->m;
    for (int i = 0; i < b->ncontact[0] && m->nmocap > 0; i++) {
        int body[2] = {m->geom_body[b->contacts[i].geom[0]], m->geom_body[b->contacts[i].geom[1]]};
        for (int k = 0; k < 2; k++)
            if (is_driven(m, body[k])) keep_up(b, body[!k]);
    }
    for (int e = 0; e < m->neq && m->nmocap > 0; e++) {
        int body[2];
        if (!tx_equality_bodies(m, e, body) || ((const double *)b->eq_active)[e] == 0) continue;
        for (int k = 0; k < 2; k++)
            if (is_driven(m, body[k])) keep_up(b, body[!k]);
    }
}

bool tx_sleep_settle(tx_block *b) {
    const tx_model *m = b->m;
    tx_sleep *s = &b->sleep;
    if (!s->on || s->awake == 0 || b->frozen[0]) return false;
    for (int t = 0; t < m->ntree; t++) {
        double *state = &states(b)[t];
        s->touched[t] = 0;
        if (*state >= 0) continue;
        if (!stands_still(b, t)) *state = TX_WIDE_AWAKE;
        else if (*state < TX_READY_TO_SLEEP) *state += 1;
    }
    keep_driven_awake(b);
    bool ready = false;
    for (int t = 0; t < m->ntree; t++) ready |= states(b)[t] == TX_READY_TO_SLEEP;
    if (!ready) return false;

    // a group falls asleep as a whole
    find_groups(b);
    for (int t = 0; t < m->ntree; t++) s->touched[t] = states(b)[t] == TX_READY_TO_SLEEP;
    for (int t = 0; t < m->ntree; t++)
        if (states(b)[t] < TX_READY_TO_SLEEP) s->touched[root_of(s->group, t)] = 0;
    ready = false;
    for (int t = 0; t < m->ntree; t++) {
        s->touched[t] = s->touched[root_of(s->group, t)] && states(b)[t] < 0;
        if (!s->touched[t]) continue;
        ready = true;
        memset((double *)b->qvel + m->tree_dofadr[t], 0, sizeof(double) * (size_t)m->tree_dofnum[t]);
    }
    return ready;
}

void tx_sleep_commit(tx_block *b) {
    const tx_model *m = b->m;
    tx_sleep *s = &b->sleep;
    // the highest tree of a cycle leads back to the lowest
    for (int t = 0; t < m->ntree; t++) s->cycle[t] = -1;
    for (int t = 0; t < m->ntree; t++) {
        if (!s->touched[t]) continue;
        int first = root_of(s->group, t);
        if (s->cycle[first] >= 0) states(b)[s->cycle[first]] = t;
        s->cycle[first] = t;
        states(b)[t] = first;
        const int d = m->tree_dofadr[t];
        const size_t bytes = sizeof(double) * (size_t)m->tree_dofnum[t];
        memset((double *)b->qacc + d, 0, bytes);
        memset((double *)b->qacc_warmstart + d, 0, bytes);
        memset((double *)b->qfrc_constraint + d, 0, bytes);
    }
    read_states(b);
}
