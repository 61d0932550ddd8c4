// lengthrange.c - the shortest and the longest that an actuator can be: given, from limits, or by simulation.
#include "compile/lengthrange.h"

#include <math.h>
#include <string.h>

#include "base/fpenv.h"
#include "compile/check.h"
#include "model/actuator.h"
#include "step/block.h"

static const double SMALLEST = 1e-15;

typedef struct search {
    const tx_target *target;
    tx_block *block;
    const tx_lengthrange_def *how;
    int actuator;
} search;

static double get(const search *s, const void *array, int i) { return tx_lane(s->block, array, i, 0); }
static void set(const search *s, void *array, int i, double value) { tx_lane_set(s->block, array, i, 0, value); }

static void reset(const search *s) {
    const tx_block *b = s->block;
    const tx_model *m = b->m;
    for (int i = 0; i < m->nq; i++) set(s, b->qpos, i, m->qpos0[i]);
    for (int i = 0; i < m->na; i++) set(s, b->act, i, 0);
    for (int i = 0; i < m->neq; i++) set(s, b->eq_active, i, m->eq_active0[i]);
    for (int i = 0; i < m->nbody; i++) {
        int mocap = m->body_mocap[i];
        for (int k = 0; k < 3 && mocap >= 0; k++) set(s, b->mocap_pos, 3 * mocap + k, m->body_pos[3 * i + k]);
        for (int k = 0; k < 4 && mocap >= 0; k++) set(s, b->mocap_quat, 4 * mocap + k, m->body_quat[4 * i + k]);
    }
    for (int d = 0; d < m->nv; d++) {
        set(s, b->qvel, d, 0);
        set(s, b->qacc_warmstart, d, 0);
    }
}

static double norm_of(const search *s, const void *array) {
    double square = 0;
    for (int d = 0; d < s->block->m->nv; d++) square += get(s, array, d) * get(s, array, d);
    return sqrt(square);
}

// the user's force becomes `scale` times the actuator's moment
static void apply_moment(const search *s, double scale) {
    const tx_block *b = s->block;
    const tx_model *m = b->m;
    int first = m->actuator_dofadr[s->actuator];
    for (int d = 0; d < m->nv; d++) set(s, b->qfrc_applied, d, 0);
    for (int e = first; e < first + m->actuator_dofnum[s->actuator]; e++)
        set(s, b->qfrc_applied, m->moment_dof[e], scale * get(s, b->moment, e));
}

// |M⁻¹ force| by the factor of the free motion (linalg/tree.inl): the acceleration by the user's force alone
static double acceleration_by_force(const search *s) {
    const tx_block *b = s->block;
    const tx_tree *tree = &b->tree;
    void *x = b->step_acc;
    for (int d = 0; d < tree->n; d++) set(s, x, d, get(s, b->qfrc_applied, d));
    for (int d = tree->n - 1; d >= 0; d--)
        for (int k = 1, up = tree->parent[d]; k < tree->count[d]; k++, up = tree->parent[up])
            set(s, x, up, get(s, x, up) - get(s, b->L, tree->first[d] + k) * get(s, x, d));
    for (int d = 0; d < tree->n; d++) {
        double value = get(s, x, d) * get(s, b->Linv, d);
        for (int k = 1, up = tree->parent[d]; k < tree->count[d]; k++, up = tree->parent[up])
            value -= get(s, b->L, tree->first[d] + k) * get(s, x, up);
        set(s, x, d, value);
    }
    return norm_of(s, x);
}

// one step with a force through the actuator that gives the wished acceleration; returns the length at its start
static double pull(const search *s, double direction) {
    tx_block *b = s->block;
    double decay = exp(-b->opt->timestep / fmax(0.01, s->how->timeconst));
    for (int d = 0; d < b->m->nv; d++) set(s, b->qvel, d, get(s, b->qvel, d) * decay);
    s->target->kinematics(b);
    s->target->free_motion(b);
    apply_moment(s, 1);
    double scale = direction * s->how->accel / fmax(SMALLEST, acceleration_by_force(s));
    double force = fabs(scale) * norm_of(s, b->qfrc_applied);
    if (s->how->maxforce > 0 && force > s->how->maxforce) scale *= s->how->maxforce / force;
    apply_moment(s, scale);
    tx_block_step(s->target, b);
    return get(s, b->actuator_length, s->actuator);
}

// least and largest length at the end of a simulation; false: it went wrong
static bool extremes(const search *s, double direction, double length[2]) {
    const double step = s->block->opt->timestep;
    bool updated = false;
    reset(s);
    s->block->bad[0] = 0;
    for (double time = 0; time < s->how->inttotal;) {
        double now = pull(s, direction);
        time += step;
        if (s->block->bad[0] || !isfinite(now)) return false;
        if (time <= s->how->inttotal - s->how->interval) continue;
        length[0] = updated ? fmin(length[0], now) : now;
        length[1] = updated ? fmax(length[1], now) : now;
        updated = true;
    }
    return updated;
}

static bool simulated(const search *s, double range[2]) {
    double low[2], high[2];
    if (!extremes(s, -1, low) || !extremes(s, 1, high)) return false;
    range[0] = low[0], range[1] = high[1];
    double most = s->how->tolrange * (range[1] - range[0]);
    return range[1] > range[0] && low[1] - low[0] <= most && high[1] - high[0] <= most;
}

// the limits of what it acts on, or null
static const double *limits_of(const tx_model *m, int i) {
    int id = m->actuator_trnid[i], kind = m->actuator_trn[i];
    bool joint = kind == TX_TRANSMISSION_JOINT || kind == TX_TRANSMISSION_JOINTINPARENT;
    if (joint && m->jnt_limited[id]) return m->jnt_range + 2 * id;
    if (kind == TX_TRANSMISSION_TENDON && m->tendon_limited[id]) return m->tendon_range + 2 * id;
    return NULL;
}

static bool wanted(const tx_model *m, int i, const tx_lengthrange_def *how) {
    bool muscle = m->actuator_gaincurve[i] == TX_CURVE_MUSCLE || m->actuator_biascurve[i] == TX_CURVE_MUSCLE;
    if (tx_actuator_axis(m->actuator_gaincurve[i]) >= 0) return false; // a rotation vector has no range of lengths
    if (how->mode == TX_LENGTHRANGE_NONE || (how->mode == TX_LENGTHRANGE_MUSCLE && !muscle)) return false;
    return !(how->useexisting && m->actuator_lengthrange[2 * i] < m->actuator_lengthrange[2 * i + 1]);
}

bool tx_fill_lengthranges(const tx_draft *draft, tx_model *m, tx_diag *diag) {
    const tx_lengthrange_def *how = &draft->b->compiler.lengthrange;
    // only the force of the actuator and what holds the joints: limits and equalities
    tx_options options = *m->opt;
    options.timestep = how->timestep;
    options.frictionloss = options.contact = options.spring = options.damper = options.gravity = options.actuation =
        options.sensor = false;
    options.equality = options.limit = options.constraint = options.warmstart = options.filterparent =
        options.clampctrl = options.refsafe = options.eulerdamp = true;
    options.law = 0;
    if (options.integrator >= TX_INTEGRATOR_RK4) options.integrator = TX_INTEGRATOR_EULER;
    search s = {.target = tx_target_single(TX_TARGET_SCALAR), .how = how};
    for (int i = 0; i < m->nactuator; i++) {
        if (!wanted(m, i, how)) continue;
        const double *limits = how->uselimit ? limits_of(m, i) : NULL;
        double *range = tx_writable(m->actuator_lengthrange) + 2 * i;
        if (limits) {
            memcpy(range, limits, 2 * sizeof *range);
            continue;
        }
        if (!s.block && !(s.block = tx_block_create(s.target, m, &options, 1, NULL))) return false;
#define X(NAME, name, count, width, meaning) s.block->param.name = m->name;
        TX_MODEL_PARAMS(X)
#undef X
        s.actuator = i;
        tx_fpenv env = tx_fpenv_enter();
        bool found = simulated(&s, range);
        tx_fpenv_leave(env);
        const tx_actuator_def *d = &draft->b->actuator.items[i];
        if (!found)
            FAIL(d->source, "give lengthrange=\"shortest longest\"",
                 "actuator '%s': the lengths it can have are not found", name_or(d->name));
    }
    tx_block_destroy(s.block);
    return true;
}
