// zoo_mujoco.c - one model file, stepped by MuJoCo and by us in turns. bench/zoo compiles and calls it.
//
//   zoo_mujoco LIBRARY FILE STEPS PAIRS NOISE SECONDS
//
// Prints one JSON object a line: {"refused":"mujoco"|"thixis","why":…}, or the model's sizes and then one object for
// each start (the default pose; keyframe 0). One environment, one thread, thread CPU time, one step a call. A pair is
// STEPS steps of both from the same start, in slices that take turns; a ratio is formed inside a pair. Short pairs are
// repeated until SECONDS have passed. Contacts, stages and the final distance come from runs of their own.
#define _GNU_SOURCE
#include <mujoco/mujoco.h>

#include "measure.h"
#include "thixis/load.h"
#include "thixis/sim.h"

enum { PAIRS_MAX = 101, SLICE = 50, STAGE_RUNS = 3 };

// ---- MuJoCo --------------------------------------------------------------------------------------------------------

typedef struct mujoco {
    mjModel *(*load)(const char *path, const void *vfs, char *error, int size);
    mjData *(*make_data)(const mjModel *m);
    void (*step)(const mjModel *m, mjData *d);
    void (*reset)(const mjModel *m, mjData *d);
    void (*reset_key)(const mjModel *m, mjData *d, int key);
    mjfTime *time; // set: MuJoCo times its stages
} mujoco;

static bool open_functions(const char *path, mujoco *m) {
    const mujoco_symbol symbols[] = {{&m->load, "mj_loadXML"}, {&m->make_data, "mj_makeData"},
                                     {&m->step, "mj_step"},    {&m->reset, "mj_resetData"},
                                     {&m->time, "mjcb_time"},  {&m->reset_key, "mj_resetDataKeyframe"}};
    return open_mujoco(path, symbols, sizeof symbols / sizeof symbols[0]);
}

static double wall_us(void) { return 1e6 * seconds_of(CLOCK_MONOTONIC); }

// ---- a pair of engines ---------------------------------------------------------------------------------------------

typedef struct pair {
    const mujoco *mj;
    mjModel *mj_model;
    mjData *mj_data;
    tx_model *model;
    tx_sim *sim;
    double *controls; // steps x nu; null: those of the start
    int steps, nu;
} pair;

static void reset(pair *p, int key) {
    if (key < 0) p->mj->reset(p->mj_model, p->mj_data);
    else p->mj->reset_key(p->mj_model, p->mj_data, key);
    tx_sim_reset(p->sim, key, NULL);
    tx_sim_info_clear(p->sim);
}

static const double *control(const pair *p, int step) {
    return p->controls ? p->controls + (size_t)step * (size_t)p->nu : NULL;
}

static void step_theirs(pair *p, int step) {
    if (p->controls) memcpy(p->mj_data->ctrl, control(p, step), sizeof(double) * (size_t)p->nu);
    p->mj->step(p->mj_model, p->mj_data);
}

static void step_ours(pair *p, int step) {
    if (p->controls) memcpy(tx_sim_array(p->sim, TX_ARRAY_CTRL), control(p, step), sizeof(double) * (size_t)p->nu);
    tx_sim_step(p->sim);
}

static double time_steps(pair *p, int from, int to, bool ours) {
    double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    if (ours) {
        for (int i = from; i < to; i++) step_ours(p, i);
    } else {
        for (int i = from; i < to; i++) step_theirs(p, i);
    }
    return seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

// seconds a step of both, {MuJoCo, ours}
static void run_pair(pair *p, int key, double seconds[2]) {
    reset(p, key);
    seconds[0] = seconds[1] = 0;
    for (int from = 0, turn = 0; from < p->steps; from += SLICE, turn++) {
        int to = from + SLICE < p->steps ? from + SLICE : p->steps;
        for (int k = 0; k < 2; k++) {
            bool ours = (turn + k) & 1;
            seconds[ours] += time_steps(p, from, to, ours) / p->steps;
        }
    }
}

// ---- what is said of a start ---------------------------------------------------------------------------------------

typedef struct observed {
    double contacts[2], detect_us[2], solve_us[2], iterations[2]; // a step; {MuJoCo, ours}
    double solve_error, distance;
    long long not_converged;
    int diverged[2];
} observed;

static void least(double *kept, double value) { *kept = *kept == 0 || value < *kept ? value : *kept; }

// MuJoCo starts again where a state is bad
static int restarts(const mjData *d) {
    return d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQVEL].number + d->warning[mjWARN_BADQACC].number;
}

static int iterations(const mjData *d) {
    int most = 0;
    for (int i = 0; i < (d->nisland > 0 && d->nisland < mjNISLAND ? d->nisland : 1); i++)
        most = d->solver_niter[i] > most ? d->solver_niter[i] : most;
    return most;
}

static double final_distance(const pair *p) {
    const double *ours = tx_sim_array(p->sim, TX_ARRAY_QPOS);
    double worst = 0;
    for (int i = 0; i < tx_model_size(p->model, TX_SIZE_NQ); i++)
        worst = fmax(worst, fabs(ours[i] - p->mj_data->qpos[i]));
    return worst;
}

// What our last step took and said. Stages are timed in the first step after tx_sim_info_clear() and then in every
// eighth; MuJoCo times every step. So that the first one, which finds the caches as MuJoCo has left them, does not
// stand for eight, each step is made the first
static void add_step(pair *p, tx_info *all) {
    tx_info step = tx_sim_info(p->sim);
    for (int k = 0; k < TX_STAGE_COUNT; k++) all->stage_seconds[k] += step.stage_seconds[k];
    all->iterations += step.iterations, all->not_converged += step.not_converged, all->diverged = step.diverged;
    all->worst_solve_error = fmax(all->worst_solve_error, step.worst_solve_error);
    tx_sim_info_clear(p->sim);
}

static void observe(pair *p, int key, observed *o) {
    double n = p->steps;
    reset(p, key);
    *p->mj->time = wall_us;
    memset(p->mj_data->timer, 0, sizeof p->mj_data->timer);
    o->contacts[0] = o->contacts[1] = o->iterations[0] = 0;
    for (int i = 0; i < p->steps; i++) {
        step_theirs(p, i);
        o->contacts[0] += p->mj_data->ncon / n, o->iterations[0] += iterations(p->mj_data) / n;
    }
    tx_info all = {0};
    for (int i = 0, count; i < p->steps; i++) {
        step_ours(p, i);
        add_step(p, &all);
        tx_sim_contacts(p->sim, 0, &count);
        o->contacts[1] += count / n;
    }
    *p->mj->time = NULL;
    least(&o->detect_us[0], p->mj_data->timer[mjTIMER_POS_COLLISION].duration / n);
    least(&o->solve_us[0], p->mj_data->timer[mjTIMER_CONSTRAINT].duration / n);
    least(&o->detect_us[1], 1e6 * all.stage_seconds[TX_STAGE_DETECT] / n);
    least(&o->solve_us[1], 1e6 * all.stage_seconds[TX_STAGE_SOLVE] / n);
    o->iterations[1] = (double)all.iterations / n;
    o->solve_error = all.worst_solve_error, o->not_converged = all.not_converged;
    o->diverged[0] = restarts(p->mj_data), o->diverged[1] = all.diverged;
    o->distance = final_distance(p);
}

// JSON has no infinity
static double plain(double x) { return isfinite(x) ? x : 1e300; }

static void measure_start(pair *p, int key, int pairs, double seconds) {
    double took[2], end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
    observed o = {0};
    run_pair(p, key, took);
    for (int i = 0; i < STAGE_RUNS; i++) observe(p, key, &o);
    printf("{\"start\":\"%s\",\"pairs\":[", key < 0 ? "default" : "key 0");
    for (int i = 0; i < PAIRS_MAX && (i < pairs || seconds_of(CLOCK_THREAD_CPUTIME_ID) < end); i++) {
        run_pair(p, key, took);
        printf("%s[%.9g,%.9g]", i ? "," : "", 1e6 * took[0], 1e6 * took[1]);
    }
    printf("],\"contacts\":[%.6g,%.6g],\"detect_us\":[%.6g,%.6g],\"solve_us\":[%.6g,%.6g],\"iterations\":[%.4g,%.4g],"
           "\"solve_error\":%.3g,\"not_converged\":%lld,\"diverged\":[%d,%d],\"distance\":%.3g}\n",
           o.contacts[0], o.contacts[1], o.detect_us[0], o.detect_us[1], o.solve_us[0], o.solve_us[1], o.iterations[0],
           o.iterations[1], plain(o.solve_error), o.not_converged, o.diverged[0], o.diverged[1], plain(o.distance));
    fflush(stdout);
}

// ---- the model -----------------------------------------------------------------------------------------------------

static void refuse(const char *who, const char *why) {
    printf("{\"refused\":\"%s\",\"why\":\"", who);
    for (const char *c = why; *c; c++)
        if (*c == '"' || *c == '\\') printf("\\%c", *c);
        else putchar((unsigned char)*c < ' ' ? ' ' : *c);
    printf("\"}\n");
}

static tx_model *load_ours(const char *file) {
    char line[1000] = "no message";
    tx_diag diag = {0};
    tx_model *model = tx_load_file(file, &diag);
    for (int i = diag.count - 1; i >= 0 && !model; i--)
        if (diag.messages[i].severity == TX_SEVERITY_ERROR) tx_diag_format(&diag, i, line, sizeof line);
    if (!model) refuse("thixis", line);
    tx_diag_free(&diag);
    return model;
}

// uniform in -1 .. 1; the same for all machines
static double random_number(unsigned long long *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

// a control each step, anywhere in the middle `noise` of its range (-1 .. 1 where it has none)
static bool make_controls(pair *p, double noise) {
    const double *range = tx_model_params(p->model, TX_PARAM_ACTUATOR_CTRLRANGE, NULL);
    const int *limited = tx_model_ints(p->model, TX_INT_ACTUATOR_CTRLLIMITED, NULL);
    unsigned long long state = 1;
    if (noise == 0 || p->nu == 0) return true;
    p->controls = malloc(sizeof(double) * (size_t)p->nu * (size_t)p->steps);
    for (int i = 0; p->controls && i < p->steps * p->nu; i++) {
        int k = i % p->nu;
        double low = limited[k] ? range[2 * k] : -1, high = limited[k] ? range[2 * k + 1] : 1;
        p->controls[i] = (low + high) / 2 + noise * (high - low) / 2 * random_number(&state);
    }
    return p->controls != NULL;
}

int main(int argc, char **argv) {
    mujoco mj;
    pair p = {.mj = &mj, .steps = argc == 7 ? atoi(argv[3]) : 0};
    int pairs = argc == 7 ? atoi(argv[4]) : 0;
    if (p.steps < 1 || pairs < 1 || pairs > PAIRS_MAX) {
        fprintf(stderr, "usage: zoo_mujoco LIBRARY FILE STEPS PAIRS NOISE SECONDS\n");
        return 2;
    }
    if (!open_functions(argv[1], &mj)) return 1;
    char error[1000] = "";
    p.mj_model = mj.load(argv[2], NULL, error, sizeof error);
    if (!p.mj_model) {
        refuse("mujoco", error);
        return 0;
    }
    p.model = load_ours(argv[2]);
    if (!p.model) return 0;
    p.nu = tx_model_size(p.model, TX_SIZE_NU);
    if (p.nu != p.mj_model->nu || tx_model_size(p.model, TX_SIZE_NV) != p.mj_model->nv) {
        refuse("thixis", "other sizes than MuJoCo's");
        return 0;
    }
    tx_sim_def def = tx_default_sim_def();
    p.sim = tx_sim_create(p.model, &def);
    p.mj_data = mj.make_data(p.mj_model);
    if (!p.sim || !p.mj_data || !make_controls(&p, atof(argv[5]))) {
        refuse(p.sim ? "mujoco" : "thixis", "the simulation cannot be made");
        return 0;
    }
    printf("{\"nv\":%d,\"nbody\":%d,\"ngeom\":%d,\"nmesh\":%d}\n", (int)p.mj_model->nv, (int)p.mj_model->nbody,
           (int)p.mj_model->ngeom, (int)p.mj_model->nmesh);
    measure_start(&p, -1, pairs, atof(argv[6]));
    if (tx_model_size(p.model, TX_SIZE_NKEY) > 0) measure_start(&p, 0, pairs, atof(argv[6]));
    return 0;
}
