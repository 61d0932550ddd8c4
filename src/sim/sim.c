// sim.c - a simulation: blocks of environments, stepped by threads.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fpenv.h"
#include "base/memory.h"
#include "collide/collider.h"
#include "collide/rings.h"
#include "model/range.h"
#include "sim/internal.h"
#include "step/flock.h"
#include "step/history.h"
#include "step/kept.h"
#include "step/sense.h"
#include "step/sleep.h"
#include "step/still.h"

// ---- creation -----------------------------------------------------------------------------------------------------

tx_sim_def tx_default_sim_def(void) { return (tx_sim_def){.envs = 1, .threads = 1, .target = TX_TARGET_AUTO}; }

enum { MOST_ROOM = 1 << 20 }; // contacts that an environment may have room for at first

// contacts that every environment has room for at first: bodies of a large scene lie on each other, by four points and
// more
static int first_room(const tx_sim *sim) {
    if (sim->def.contact_room) return sim->def.contact_room;
    const long long guess = 8 + (tx_model_is_large(sim->m) ? 4LL : 1LL) * sim->m->ngeom;
    return guess < MOST_ROOM ? (int)guess : MOST_ROOM;
}

// working memory for each thread; a large model keeps more in it than a call, and one block alone has its own
static bool create_lent(tx_sim *sim) {
    const int threads = sim->def.executor.run ? sim->def.executor.threads : sim->def.threads;
    if (tx_model_is_large(sim->m) || sim->envs <= sim->wide->lanes) return true;
    size_t size = tx_block_lent_size(sim->wide, sim->m), single = tx_block_lent_size(sim->single, sim->m);
    if (single > size) size = single;
    sim->lent = tx_alloc(sizeof(void *) * (size_t)threads);
    sim->lent_taken = tx_alloc(sizeof *sim->lent_taken * (size_t)threads);
    while (sim->lent && sim->lent_taken && sim->lents < threads && sim->lents < sim->envs) {
        if (!(sim->lent[sim->lents] = tx_alloc(size))) return false;
        sim->lents++;
    }
    return sim->lents > 0;
}

// no more threads work than there is memory for, so one is free
static int take_lent(tx_sim *sim) {
    for (int i = 0;; i = i + 1 < sim->lents ? i + 1 : 0)
        if (!atomic_exchange_explicit(&sim->lent_taken[i], true, memory_order_acquire)) return i;
}

static void give_lent(tx_sim *sim, int i) { atomic_store_explicit(&sim->lent_taken[i], false, memory_order_release); }

// bytes that an environment has in its block, found by making one
static double block_bytes(const tx_sim *sim) {
    enum { FEW = 16 }; // that so few do not fit is found out by trying
    if (sim->envs <= FEW) return 0;
    const tx_target *t = sim->envs >= sim->wide->lanes ? sim->wide : sim->single;
    const uint64_t before = tx_alloc_bytes();
    tx_block *b = tx_block_create(t, sim->m, &sim->options, first_room(sim), sim->lents ? sim->lent[0] : NULL);
    const double bytes = (double)(tx_alloc_bytes() - before) / t->lanes;
    tx_block_destroy(b);
    return bytes;
}

// full blocks at the wide width, then one environment per block
static bool create_blocks(tx_sim *sim, int room) {
    const int threads = sim->def.executor.run ? sim->def.executor.threads : sim->def.threads;
    int wide = sim->wide->lanes > 1 ? sim->envs / sim->wide->lanes : 0;
    sim->nblocks = wide + (sim->envs - wide * sim->wide->lanes);
    if (sim->wide->lanes == 1) sim->nblocks = sim->envs;
    sim->blocks = tx_alloc(sizeof(tx_block *) * (size_t)sim->nblocks);
    sim->tallies = tx_alloc(sizeof(tx_tally) * (size_t)sim->envs);
    sim->done = tx_alloc(sizeof(tx_tally) * (size_t)sim->envs);
    sim->left = tx_alloc(sizeof(int) * (size_t)sim->nblocks);
    sim->block_params = tx_alloc(sizeof(void *) * (size_t)sim->nblocks);
    if (!sim->blocks || !sim->tallies || !sim->done || !sim->left || !sim->block_params) return false;
    for (int i = 0, env = 0; i < sim->nblocks; i++) {
        const tx_target *t = i < wide ? sim->wide : sim->single;
        tx_block *b = tx_block_create(t, sim->m, &sim->options, room, sim->lents ? sim->lent[0] : NULL);
        sim->blocks[i] = b;
        if (!b || (b->large && !tx_flocks_create(b, tx_target_wide(sim->def.target), sim->nblocks == 1 ? threads : 1)))
            return false;
        if (b->large) b->problem.abreast = tx_target_wide(sim->def.target)->abreast;
        b->first = env, b->envs = t->lanes;
        env += t->lanes;
    }
    return true;
}

static bool share_rings(tx_sim *sim) {
    sim->rings = tx_rings_create(sim->m);
    for (int i = 0; i < sim->nblocks; i++) tx_collider_take_rings(sim->blocks[i]->collider, sim->rings);
    return sim->rings != NULL;
}

static void set_widths(tx_sim *sim) {
    const tx_model *m = sim->m;
    for (int a = 0; a < TX_ARRAY_COUNT; a++) sim->width[a] = -1; // no such array
#define X(NAME, name, count, meaning) sim->width[TX_ARRAY_##NAME] = count;
    TX_STATE(X)
    TX_OUTPUT(X)
#undef X
}

// the memory this process may have: the machine's, or less in a container [bytes]
static double machine_memory(void) {
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), limit;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file && fscanf(file, "%lf", &limit) == 1 && limit > 0 && limit < machine) machine = limit;
    if (file) fclose(file);
    return machine > 0 ? machine : INFINITY;
}

// bytes of the arrays that the user sees, per environment
static double array_bytes(const tx_sim *sim) {
    double numbers = 0;
    for (int a = 0; a < TX_ARRAY_COUNT; a++) numbers += sim->width[a] > 0 ? sim->width[a] : 0;
    return sizeof(double) * numbers + 2 * sizeof(tx_tally) + 2 * sizeof(double);
}

static bool fails(const tx_sim_def *def, const char *hint, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tx_diag_add(def->diag, TX_SEVERITY_ERROR, "", 0, 0, hint, "%s", text);
    return false;
}

static bool good_def(const tx_model *model, const tx_sim_def *def) {
    enum { MOST_THREADS = 1024 };
    if (!model) return fails(def, "load or compile one first", "the model of the simulation is null");
    if (def->envs < 1) return fails(def, "", "%d environments: there must be at least 1", def->envs);
    if (def->threads < 1 || def->threads > MOST_THREADS)
        return fails(def, "", "%d threads: 1 to %d are possible", def->threads, MOST_THREADS);
    if (def->contact_room < 0 || def->contact_room > MOST_ROOM)
        return fails(def, "", "room for %d contacts: 0 to %d are possible", def->contact_room, MOST_ROOM);
    if ((int)def->target < 0 || !tx_list_name(TX_LIST_TARGET, (int)def->target))
        return fails(def, "see tx_target_choice", "there is no target %d", (int)def->target);
    if (!tx_target_wide(def->target) || !tx_target_single(def->target))
        return fails(def, "TX_TARGET_AUTO takes the best there is", "this machine cannot run the target %s",
                     tx_list_name(TX_LIST_TARGET, (int)def->target));
    const int law = model->opt->law, solver = model->opt->solver;
    if (!tx_target_single(def->target)->pair_exists(law, solver)) {
        const char *law_name = tx_law_name(law), *solver_name = tx_solver_name(solver);
        return fails(def, "docs/laws.md has the table", "solver %s cannot solve law %s",
                     solver_name ? solver_name : "?", law_name ? law_name : "?");
    }
    if (tx_target_single(def->target)->unit_of(law, (int)model->opt->integrator) < 0)
        return fails(def, "docs/laws.md has the table", "law %s does not go with the integrator %s", tx_law_name(law),
                     tx_list_name(TX_LIST_INTEGRATOR, (int)model->opt->integrator));
    return true;
}

tx_sim *tx_sim_create(const tx_model *model, const tx_sim_def *def) {
    if (!def || !good_def(model, def)) return NULL;
    tx_sim *sim = tx_alloc(sizeof *sim);
    if (!sim) {
        fails(def, "", "out of memory");
        return NULL;
    }
    sim->m = model, sim->def = *def, sim->def.diag = NULL;
    sim->options = *model->opt, sim->envs = def->envs;
    sim->wide = tx_target_wide(def->target), sim->single = tx_target_single(def->target);
    // large problems have islands of their own in every environment
    if (tx_model_is_large(model)) sim->wide = sim->single = tx_target_large(def->target);
    set_widths(sim);
    const bool lent = create_lent(sim);
    const double bytes = lent ? (double)def->envs * (array_bytes(sim) + block_bytes(sim)) : 0,
                 machine = machine_memory();
    bool ok = bytes < machine;
    if (!ok) {
        fails(def, "fewer environments fit",
              "%d environments need at least %.3g GB of memory, this machine has %.3g GB", def->envs, 1e-9 * bytes,
              1e-9 * machine);
        tx_sim_destroy(sim);
        return NULL;
    }
    ok = lent && create_blocks(sim, first_room(sim)) && share_rings(sim);
    if (ok) {
        sim->pool = def->executor.run ? tx_pool_create_hosted(&def->executor) : tx_pool_create(def->threads);
        if (!sim->pool) {
            fails(def, "fewer threads may do", "%d threads could not be started", def->threads);
            tx_sim_destroy(sim);
            return NULL;
        }
    }
    // one block alone leaves the threads to its pairs
    if (ok && sim->nblocks == 1) {
        sim->blocks[0]->pool = sim->pool;
        ok = tx_collider_share(sim->blocks[0]->collider, sim->pool);
    }
    for (int a = 0; ok && a < TX_ARRAY_STATE_COUNT; a++)
        ok = (sim->arrays[a] = tx_alloc(sizeof(double) * (size_t)sim->envs * (size_t)sim->width[a])) != NULL;
    if (ok)
        ok = (sim->bad = tx_alloc(sizeof(int) * (size_t)sim->envs)) &&
             (sim->bad_time = tx_alloc(sizeof(double) * (size_t)sim->envs));
    if (ok) ok = tx_sim_bind_params(sim);
    if (!ok) {
        fails(def, "fewer environments fit", "out of memory for %d environments (about %.3g GB)", def->envs,
              1e-9 * bytes);
        tx_sim_destroy(sim);
        return NULL;
    }
    tx_sim_reset(sim, -1, NULL);
    return sim;
}

// rows of the parameters that differ, and what follows from them
static bool copy_params(const tx_sim *from, tx_sim *to) {
    bool any = false;
    for (int p = 0; p < TX_PARAM_COUNT; p++) {
        if (!from->params[p]) continue;
        double *rows = tx_sim_param(to, (tx_param)p);
        if (!rows) continue; // derived: made below
        memcpy(rows, from->params[p],
               sizeof(double) * (size_t)from->envs * (size_t)tx_param_count(from->m, (tx_param)p));
        any = true;
    }
    return !any || tx_sim_params_changed(to) == TX_OK;
}

tx_sim *tx_sim_clone(const tx_sim *sim) {
    tx_sim *copy = sim ? tx_sim_create(sim->m, &sim->def) : NULL;
    if (!copy) return NULL;
    const size_t size = tx_sim_state_size(sim);
    void *state = tx_alloc(size);
    copy->options = sim->options;
    const bool ok = state && copy_params(sim, copy) && tx_sim_save(sim, state, size) == TX_OK &&
                    tx_sim_restore(copy, state, size) == TX_OK;
    tx_free(state);
    if (ok) return copy;
    tx_sim_destroy(copy);
    return NULL;
}

void tx_sim_destroy(tx_sim *sim) {
    if (!sim) return;
    tx_pool_destroy(sim->pool);
    tx_sim_free_params(sim);
    for (int i = 0; sim->blocks && i < sim->nblocks; i++) tx_block_destroy(sim->blocks[i]);
    for (int a = 0; a < TX_ARRAY_COUNT; a++) tx_free(sim->arrays[a]);
    for (int i = 0; i < sim->lents; i++) tx_free(sim->lent[i]);
    tx_rings_destroy(sim->rings);
    tx_free(sim->lent), tx_free(sim->lent_taken);
    tx_free(sim->blocks), tx_free(sim->tallies), tx_free(sim->done), tx_free(sim->left), tx_free(sim->block_params);
    tx_free(sim->bad), tx_free(sim->bad_time);
    tx_free(sim);
}

const tx_model *tx_sim_model(const tx_sim *sim) { return sim ? sim->m : NULL; }
int tx_sim_envs(const tx_sim *sim) { return sim ? sim->envs : 0; }
const char *tx_sim_target(const tx_sim *sim) { return sim ? sim->wide->name : NULL; }
const char *tx_law_name(int index) { return tx_target_wide(TX_TARGET_SCALAR)->law_name(index); }
int tx_target_lanes(tx_target_choice target) {
    const tx_target *t = tx_list_name(TX_LIST_TARGET, (int)target) ? tx_target_wide(target) : NULL;
    return t ? t->lanes : 0;
}
bool tx_solver_solves(int solver, int law) {
    return tx_law_name(law) && tx_solver_name(solver) && tx_target_wide(TX_TARGET_SCALAR)->pair_exists(law, solver);
}
int tx_law_solver(int law) {
    static const char *const PREFERRED[] = {"newton", "nsgs", "pgs"};
    for (int k = 0; k < 3; k++)
        for (int s = 0; tx_solver_name(s); s++)
            if (strcmp(tx_solver_name(s), PREFERRED[k]) == 0 && tx_solver_solves(s, law)) return s;
    return -1;
}
int tx_law_iterations(int law) { return tx_law_name(law) ? tx_target_wide(TX_TARGET_SCALAR)->law_iterations(law) : -1; }
double tx_law_tolerance(int law) {
    return tx_law_name(law) ? tx_target_wide(TX_TARGET_SCALAR)->law_tolerance(law) : -1;
}
bool tx_law_integrates(int law, tx_integrator integrator) {
    return tx_law_name(law) && tx_list_name(TX_LIST_INTEGRATOR, (int)integrator) &&
           tx_target_wide(TX_TARGET_SCALAR)->unit_of(law, (int)integrator) >= 0;
}
int tx_options_text(const tx_options *options, char *buffer, size_t size) {
    char text[TX_RANGE_TEXT] = "wrong argument";
    if (options && !tx_options_problem(options, text)) snprintf(text, sizeof text, "ok");
    return snprintf(buffer, size, "%s", text);
}
const char *tx_solver_name(int index) { return tx_target_wide(TX_TARGET_SCALAR)->solver_name(index); }

tx_block *tx_sim_block(const tx_sim *sim, int env, int *lane) {
    if (env < 0 || env >= sim->envs) return NULL;
    int lanes = sim->wide->lanes, wide = sim->envs / lanes;
    int i = env < wide * lanes ? env / lanes : wide + (env - wide * lanes);
    *lane = env - sim->blocks[i]->first;
    return sim->blocks[i];
}

// ---- options and reset --------------------------------------------------------------------------------------------

tx_options tx_sim_options(const tx_sim *sim) { return sim ? sim->options : tx_default_options(); }

static void forget_forces(tx_sim *sim, int env) {
    int lane;
    tx_block *b = tx_sim_block(sim, env, &lane);
    if (b) tx_kept_clear(b, lane);
}

tx_result tx_sim_set_options(tx_sim *sim, const tx_options *o) {
    if (!sim || !o) return TX_ERROR_ARGUMENT;
    if (!sim->single->pair_exists(o->law, o->solver)) return TX_ERROR_UNSUPPORTED;
    if (tx_options_problem(o, NULL)) return TX_ERROR_ARGUMENT;
    if (sim->single->unit_of(o->law, o->integrator) < 0) return TX_ERROR_UNSUPPORTED;
    // compile has left out what it filters
    if (o->filterparent != sim->m->opt->filterparent) return TX_ERROR_UNSUPPORTED;
    // a model that was made for the sweep has no table
    if (o->broadphase == TX_BROADPHASE_TABLE && sim->m->opt->broadphase == TX_BROADPHASE_SWEEP)
        return TX_ERROR_UNSUPPORTED;
    if (o->sleep && sim->m->nsleep == 0 && sim->m->ntree > 0) return TX_ERROR_UNSUPPORTED;
    // another law's or solver's last answer is no start for this one
    const bool other = o->law != sim->options.law || o->solver != sim->options.solver;
    for (int e = 0; other && e < sim->envs; e++) forget_forces(sim, e);
    if (other) memset(sim->arrays[TX_ARRAY_QACC_WARMSTART], 0, sizeof(double) * (size_t)sim->envs * (size_t)sim->m->nv);
    sim->options = *o;
    for (int i = 0; i < sim->nblocks; i++) tx_still_forget(sim->blocks[i]);
    return TX_OK;
}

// trees that sleep from the start are ready for it, unless a keyframe has moved them
static void start_asleep(tx_sim *sim, int env, int key) {
    const tx_model *m = sim->m;
    const double *qpos = m->key_qpos + (size_t)(key < 0 ? 0 : key) * (size_t)m->nq;
    const double *qvel = m->key_qvel + (size_t)(key < 0 ? 0 : key) * (size_t)m->nv;
    for (int t = 0; t < m->nsleep; t++) {
        bool ready = m->tree_sleep[t] == TX_SLEEP_INIT;
        const int first = m->tree_dofadr[t], last = first + m->tree_dofnum[t] - 1;
        const int begin = m->jnt_qposadr[m->dof_jnt[first]], end = m->jnt_qposadr[m->dof_jnt[last]];
        for (int i = begin; i <= end && key >= 0; i++) ready = ready && qpos[i] == m->qpos0[i];
        for (int d = first; d <= last && key >= 0; d++) ready = ready && qvel[d] == 0;
        sim->arrays[TX_ARRAY_TREE_ASLEEP][(size_t)env * (size_t)m->nsleep + (size_t)t] =
            ready ? TX_READY_TO_SLEEP : TX_WIDE_AWAKE;
    }
}

// springs that yield rest where the keyframe or the model says
static void start_springs(tx_sim *sim, int env, int key) {
    static const int NUMBERS[] = {[TX_JOINT_FREE] = 0, [TX_JOINT_BALL] = 4, [TX_JOINT_SLIDE] = 1, [TX_JOINT_HINGE] = 1};
    const tx_model *m = sim->m;
    double *rest = sim->arrays[TX_ARRAY_PLASTIC] + (size_t)env * (size_t)m->nplastic;
    const double *own = sim->params[TX_PARAM_QPOS_SPRING], *lengths = sim->params[TX_PARAM_TENDON_LENGTHSPRING];
    const double *qpos = own ? own + (size_t)env * (size_t)m->nq : m->qpos_spring;
    const double *length = lengths ? lengths + 2 * (size_t)env * (size_t)m->ntendon : m->tendon_lengthspring;
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_plastic[j] >= 0)
            memcpy(rest + m->jnt_plastic[j], qpos + m->jnt_qposadr[j],
                   (size_t)NUMBERS[m->jnt_type[j]] * sizeof(double));
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_plastic[t] >= 0) memcpy(rest + m->tendon_plastic[t], length + 2 * t, 2 * sizeof(double));
    if (key >= 0 && m->key_yielded[key])
        memcpy(rest, m->key_plastic + (size_t)key * (size_t)m->nplastic, (size_t)m->nplastic * sizeof(double));
}

tx_result tx_sim_reset(tx_sim *sim, int key, const uint8_t *mask) {
    if (!sim || key >= sim->m->nkey) return TX_ERROR_ARGUMENT;
    const tx_model *m = sim->m;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, nu = (size_t)m->nu, na = (size_t)m->na;
    for (int e = 0; e < sim->envs; e++) {
        if (mask && !mask[e]) continue;
        for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
            size_t width = (size_t)sim->width[a];
            memset(sim->arrays[a] + (size_t)e * width, 0, width * sizeof(double));
        }
        const double *qpos0 = sim->params[TX_PARAM_QPOS0] ? sim->params[TX_PARAM_QPOS0] + (size_t)e * nq : m->qpos0;
        double *qpos = sim->arrays[TX_ARRAY_QPOS] + (size_t)e * nq;
        memcpy(qpos, key < 0 ? qpos0 : m->key_qpos + (size_t)key * nq, nq * sizeof(double));
        // orientations that are commanded by a quaternion
        for (int i = 0; i < m->nactuator; i++)
            if (m->actuator_inputs[i] == TX_INPUT_QUAT)
                sim->arrays[TX_ARRAY_CTRL][(size_t)e * nu + (size_t)m->actuator_ctrladr[i]] = 1;
        if (key >= 0) {
            sim->arrays[TX_ARRAY_TIME][e] = m->key_time[key];
            memcpy(sim->arrays[TX_ARRAY_QVEL] + (size_t)e * nv, m->key_qvel + (size_t)key * nv, nv * sizeof(double));
            memcpy(sim->arrays[TX_ARRAY_ACT] + (size_t)e * na, m->key_act + (size_t)key * na, na * sizeof(double));
            memcpy(sim->arrays[TX_ARRAY_CTRL] + (size_t)e * nu, m->key_ctrl + (size_t)key * nu, nu * sizeof(double));
        }
        for (int i = 0; i < m->neq; i++)
            sim->arrays[TX_ARRAY_EQ_ACTIVE][(size_t)e * (size_t)m->neq + (size_t)i] = m->eq_active0[i];
        for (int i = 0; i < m->nbody; i++) {
            int k = m->body_mocap[i];
            if (k < 0) continue;
            double *pos = sim->arrays[TX_ARRAY_MOCAP_POS] + 3 * ((size_t)e * (size_t)m->nmocap + (size_t)k);
            double *quat = sim->arrays[TX_ARRAY_MOCAP_QUAT] + 4 * ((size_t)e * (size_t)m->nmocap + (size_t)k);
            memcpy(pos, key < 0 ? m->body_pos + 3 * i : m->key_mpos + 3 * (key * m->nmocap + k), 3 * sizeof(double));
            memcpy(quat, key < 0 ? m->body_quat + 4 * i : m->key_mquat + 4 * (key * m->nmocap + k), 4 * sizeof(double));
        }
        if (m->nhistory > 0)
            tx_history_start(m, sim->options.timestep, sim->arrays[TX_ARRAY_HISTORY] + (size_t)e * (size_t)m->nhistory);
        start_springs(sim, e, key);
        start_asleep(sim, e, key);
        sim->bad[e] = 0;
        forget_forces(sim, e);
        tx_sim_adopt(sim, e);
    }
    return TX_OK;
}

// ---- arrays -------------------------------------------------------------------------------------------------------

static void *block_array(const tx_block *b, tx_array a) {
    switch (a) {
#define X(NAME, name, count, meaning) \
    case TX_ARRAY_##NAME: return b->name;
        TX_STATE(X)
        TX_OUTPUT(X)
#undef X
    default: return NULL;
    }
}

// any force or torque of the user on a body, NaN too
static bool pushed(const double *xfrc, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        memcpy(&number, &xfrc[i], sizeof number);
        bits |= number << 1; // -0 is no force
    }
    return bits != 0;
}

// the user's rows of an array, from the first environment of a block on
static inline const double *given(const tx_sim *sim, const tx_block *b, int array) {
    return sim->arrays[array] + (size_t)b->first * (size_t)sim->width[array];
}

static void scatter_state(tx_sim *sim, tx_block *b) {
    if (sim->m->nsleep > 0) {
        const double *all[TX_ARRAY_STATE_COUNT];
        for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) all[a] = given(sim, b, a);
        tx_sleep_compare(b, all);
    }
    const size_t forces = (size_t)sim->width[TX_ARRAY_XFRC_APPLIED];
    const bool was_pushed = b->pushed;
    b->pushed = pushed(given(sim, b, TX_ARRAY_XFRC_APPLIED), forces * (size_t)b->lanes);
    const bool rest = !b->pushed && !was_pushed; // it is zero there already
#define X(NAME, name, count, meaning)                                                           \
    if (sim->width[TX_ARRAY_##NAME] > 0 && !(rest && TX_ARRAY_##NAME == TX_ARRAY_XFRC_APPLIED)) \
        tx_lanes_put(b, b->name, sim->width[TX_ARRAY_##NAME], given(sim, b, TX_ARRAY_##NAME));
    TX_STATE(X)
#undef X
    for (int e = 0; e < b->envs; e++) {
        b->bad[e] = sim->bad[b->first + e];
        b->frozen[e] = b->bad[e] != 0 || !tx_sim_moves(sim, b->first + e);
    }
    tx_kept_begin(b);
    if (sim->m->nsleep > 0) tx_sleep_begin(b);
    if (sim->width[TX_ARRAY_SENSOR_KEPT] > 0)
        memcpy(b->sensordata, b->sensor_kept, tx_lane_bytes(b, sim->width[TX_ARRAY_SENSOR_KEPT]));
}

void tx_sim_adopt(tx_sim *sim, int env) {
    int lane;
    tx_block *b = sim->m->nsleep > 0 ? tx_sim_block(sim, env, &lane) : NULL;
    if (!b) return;
    b->sleep.fresh = true;
    tx_sleep_owe(b, false);
    scatter_state(sim, b);
}

// of the environments that move in the call at hand
static inline void gather_array(tx_sim *sim, const tx_block *b, tx_array a, const void *from) {
    const int width = sim->width[a];
    double *rows = sim->arrays[a] + (size_t)b->first * (size_t)width;
    bool all = true;
    if (width == 0) return;
    for (int e = 0; sim->chosen && e < b->lanes; e++) all = all && tx_sim_moves(sim, b->first + e);
    if (all) tx_lanes_get(b, from, width, rows);
    for (int e = 0; !all && e < b->lanes; e++) {
        if (!tx_sim_moves(sim, b->first + e)) continue;
        for (int i = 0; i < width; i++) rows[(size_t)e * (size_t)width + (size_t)i] = tx_lane(b, from, i, e);
    }
}

double *tx_sim_array(tx_sim *sim, tx_array array) {
    if (!sim || (int)array < 0 || array >= TX_ARRAY_COUNT || sim->width[array] < 0) return NULL;
    if (array < TX_ARRAY_STATE_COUNT) return sim->arrays[array];
    if (!sim->arrays[array])
        sim->arrays[array] = tx_alloc(sizeof(double) * (size_t)sim->envs * (size_t)sim->width[array]);
    for (int i = 0; sim->arrays[array] && i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        // a step without collision leaves the geoms behind
        if ((array == TX_ARRAY_GEOM_XPOS || array == TX_ARRAY_GEOM_XMAT) && !b->geoms_placed)
            tx_sim_block_target(sim, b)->geom_poses(b);
        if (array == TX_ARRAY_SITE_XPOS || array == TX_ARRAY_SITE_XMAT) tx_sim_block_target(sim, b)->site_poses(b);
        if (array == TX_ARRAY_CFRC_EXT) {
            for (int e = 0; e < b->lanes; e++) tx_contact_wrenches(b, e);
            tx_sim_block_target(sim, b)->external_forces(b);
        }
        if (array == TX_ARRAY_CAM_XPOS || array == TX_ARRAY_CAM_XMAT) tx_sim_block_target(sim, b)->camera_poses(b);
        gather_array(sim, b, array, block_array(b, array));
    }
    return sim->arrays[array];
}

int tx_sim_array_width(const tx_sim *sim, tx_array array) {
    return sim && (int)array >= 0 && array < TX_ARRAY_COUNT && sim->width[array] > 0 ? sim->width[array] : 0;
}

// ---- stepping -----------------------------------------------------------------------------------------------------

// adds up what one step of a block did, and freezes environments whose numbers went wrong
static void account(const tx_sim *sim, const tx_block *b) {
    for (int e = 0; e < b->envs; e++) {
        if (!tx_sim_moves(sim, b->first + e)) continue;
        tx_tally *tally = &sim->done[b->first + e];
        double error = tx_lane(b, b->solve_error, 0, e);
        tally->env_steps++;
        tally->iterations += (long long)tx_lane(b, b->iterations, 0, e);
        tally->not_converged += b->unsolved[e] != 0;
        if (error > tally->worst_solve_error) tally->worst_solve_error = error;
        if (b->bad[e]) b->frozen[e] = 1;
    }
}

typedef struct job {
    tx_sim *sim;
    bool (*work)(const tx_target *t, tx_block *b); // step, forward or inverse
    bool first;
} job;

// whether the contacts of a step that is not the last of a call are read: by sensors, or by what holds on to them
static bool reads_contacts(const tx_block *b) { return (b->m->nsensor > 0 && b->opt->sensor) || b->has_adhesion; }

// runs a block until its steps are done or room is lacking
static void run_block(void *context, int i) {
    job *j = context;
    tx_sim *sim = j->sim;
    tx_block *b = sim->blocks[i];
    const tx_target *t = tx_sim_block_target(sim, b);
    if (sim->left[i] == 0) return;
    // a policy has had the cache since the last call: what comes next is fetched while this one works
    if (sim->nblocks > 1) {
        const int after = i + tx_pool_threads(sim->pool), later = after + tx_pool_threads(sim->pool);
        if (later < sim->nblocks) tx_block_fetch_frame(sim->blocks[later]);
        if (after < sim->nblocks) tx_block_fetch(sim->blocks[after]);
    }
    tx_fpenv env = tx_fpenv_enter();
    const int lent = sim->lents > 0 ? take_lent(sim) : -1;
    if (lent >= 0) tx_block_lend(b, sim->lent[lent]);
    if (j->first) {
        scatter_state(sim, b);
        tx_sleep_owe(b, true);
    }
    bool advance = j->work == tx_block_step;
    while (sim->left[i] > 0) {
        b->unread = advance && sim->left[i] > 1 && !reads_contacts(b);
        if (!j->work(t, b)) break;
        sim->left[i]--;
        if (advance) account(sim, b);
    }
    if (lent >= 0) give_lent(sim, lent);
    tx_fpenv_leave(env);
}

// makes the state of a block that has done its steps the user's; an environment that stands still has its last time
static void publish_block(void *context, int i) {
    tx_sim *sim = context;
    tx_block *b = sim->blocks[i];
#define X(NAME, name, count, meaning) gather_array(sim, b, TX_ARRAY_##NAME, b->name);
    TX_STATE_STEPPED(X)
    TX_STATE_ANSWER(X)
#undef X
    for (int e = b->first; e < b->first + b->envs; e++) {
        tx_tally *all = &sim->tallies[e];
        const tx_tally *done = &sim->done[e];
        all->env_steps += done->env_steps, all->not_converged += done->not_converged;
        all->iterations += done->iterations;
        if (done->worst_solve_error > all->worst_solve_error) all->worst_solve_error = done->worst_solve_error;
    }
    for (int e = 0; e < b->envs; e++) {
        if (tx_sim_moves(sim, b->first + e)) tx_kept_publish(b, e);
        if (!b->bad[e] || sim->bad[b->first + e] || !tx_sim_moves(sim, b->first + e)) continue;
        sim->bad[b->first + e] = b->bad[e];
        sim->bad_time[b->first + e] = tx_lane(b, b->time, 0, e);
    }
}

// after a call that lacked memory: no contacts, and the state is still that before the call
static tx_result give_up(tx_sim *sim) {
    for (int i = 0; i < sim->nblocks; i++)
        for (int e = 0; e < sim->blocks[i]->lanes; e++) sim->blocks[i]->ncontact[e] = 0;
    // what the user changes from now on is compared with the state that stands, not with where a block has got to
    for (int i = 0; i < sim->nblocks && sim->m->nsleep > 0; i++) {
        sim->blocks[i]->sleep.fresh = true;
        scatter_state(sim, sim->blocks[i]);
    }
    return TX_ERROR_MEMORY;
}

// an environment that stands still is left alone where trees sleep: what its block holds tells what the user has
// changed
static bool takes_part(const tx_sim *sim, int block) {
    return sim->m->nsleep == 0 || tx_sim_moves(sim, sim->blocks[block]->first);
}

static tx_result run(tx_sim *sim, int steps, bool (*work)(const tx_target *t, tx_block *b)) {
    for (int i = 0; i < sim->nblocks; i++) sim->left[i] = takes_part(sim, i) ? steps : 0;
    memset(sim->done, 0, sizeof *sim->done * (size_t)sim->envs);
    job j = {sim, work, true};
    for (;;) {
        tx_pool_run(sim->pool, run_block, &j, sim->nblocks);
        // blocks that lacked room stand before the step that needs it; their numbers are still in the lanes
        bool again = false;
        for (int i = 0; i < sim->nblocks; i++) {
            if (sim->left[i] == 0) continue;
            if (!tx_block_grow(sim->blocks[i])) return give_up(sim);
            sim->grown++;
            again = true;
        }
        if (!again) break;
        j.first = false;
    }
    // only when every block has arrived is there a new state; what has woken is awake whatever was asked for
    if (work == tx_block_step) tx_pool_run(sim->pool, publish_block, sim, sim->nblocks);
    else
        for (int i = 0; i < sim->nblocks; i++)
            gather_array(sim, sim->blocks[i], TX_ARRAY_TREE_ASLEEP, sim->blocks[i]->tree_asleep);
    for (int i = 0; i < sim->nblocks; i++)
        if (takes_part(sim, i)) tx_sleep_owe(sim->blocks[i], false);
    return TX_OK;
}

tx_result tx_sim_step_n(tx_sim *sim, int n) {
    if (!sim || n < 0) return TX_ERROR_ARGUMENT;
    return n == 0 ? TX_OK : run(sim, n, tx_block_step);
}
tx_result tx_sim_step_some(tx_sim *sim, int n, const uint8_t *mask) {
    if (!sim) return TX_ERROR_ARGUMENT;
    sim->chosen = mask;
    tx_result result = tx_sim_step_n(sim, n);
    sim->chosen = NULL;
    return result;
}
tx_result tx_sim_step(tx_sim *sim) { return tx_sim_step_n(sim, 1); }
tx_result tx_sim_forward(tx_sim *sim) { return sim ? run(sim, 1, tx_block_forward) : TX_ERROR_ARGUMENT; }

tx_result tx_sim_inverse(tx_sim *sim, const double *qacc, double *qfrc) {
    if (!sim || !qacc || !qfrc) return TX_ERROR_ARGUMENT;
    // the force of a rigid contact does not follow from the motion
    if (sim->single->law_ahead(sim->options.law) != TX_AHEAD_NONE) return TX_ERROR_UNSUPPORTED;
    const int nv = sim->m->nv;
    for (int i = 0; i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        for (int e = 0; e < b->envs; e++)
            for (int d = 0; d < nv; d++)
                tx_lane_set(b, b->qacc, d, e, qacc[(size_t)(b->first + e) * (size_t)nv + (size_t)d]);
    }
    tx_result result = run(sim, 1, tx_block_inverse);
    for (int i = 0; result == TX_OK && i < sim->nblocks; i++) {
        tx_block *b = sim->blocks[i];
        for (int e = 0; e < b->envs; e++)
            for (int d = 0; d < nv; d++)
                qfrc[(size_t)(b->first + e) * (size_t)nv + (size_t)d] = tx_lane(b, b->qfrc_inverse, d, e);
    }
    return result;
}

tx_result tx_sim_rollout(tx_sim *sim, int steps, const double *controls, double *states) {
    if (!sim || steps < 0 || !states) return TX_ERROR_ARGUMENT;
    const size_t nq = (size_t)sim->m->nq, nv = (size_t)sim->m->nv, nu = (size_t)sim->m->nu, count = (size_t)steps;
    for (size_t s = 0; s < count; s++) {
        for (size_t e = 0; controls && e < (size_t)sim->envs; e++)
            memcpy(sim->arrays[TX_ARRAY_CTRL] + e * nu, controls + (e * count + s) * nu, nu * sizeof(double));
        tx_result result = tx_sim_step(sim);
        if (result != TX_OK) return result;
        for (size_t e = 0; e < (size_t)sim->envs; e++) {
            double *row = states + (e * count + s) * (nq + nv);
            memcpy(row, sim->arrays[TX_ARRAY_QPOS] + e * nq, nq * sizeof(double));
            memcpy(row + nq, sim->arrays[TX_ARRAY_QVEL] + e * nv, nv * sizeof(double));
        }
    }
    return TX_OK;
}
