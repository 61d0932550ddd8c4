// bench_mujoco.c - our dynamics and MuJoCo's on the same file, taking turns. bench/run compiles and calls it.
//
//   bench_mujoco LIBRARY|- REPEATS STEPS CHECK OUT.csv PREFIX MODEL:FILE:VARIANT…
//
// LIBRARY is MuJoCo's shared library from the wheel (4.0.0; another version is refused); '-' runs ours alone.
// One thread, thread CPU time; every repeat starts from the same state; inside a repeat the engines take turns in
// slices of 200 steps. A ratio is formed inside a repeat, and the median of the ratios is what counts. Both engines'
// final positions are compared, so that a speed is never quoted for another motion. Two threads against one: wall time.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>

#include "measure.h"
#include "thixis/load.h"
#include "thixis/sim.h"

enum { REPEATS_MAX = 101, CONFIGS = 8, BLOCKS = 4, THREAD_BLOCKS = 64, SLICE = 200 };

// ---- MuJoCo --------------------------------------------------------------------------------------------------------

typedef struct mujoco {
    void *(*load)(const char *path, void *vfs, char *error, int size);
    void *(*make_data)(const void *model);
    void (*step)(const void *model, void *data);
    void (*reset)(const void *model, void *data);
    void (*reset_key)(const void *model, void *data, int key);
    void (*get_state)(const void *model, const void *data, double *state, unsigned signature);
    void (*delete_data)(void *data);
    void (*delete_model)(void *model);
} mujoco;

enum { STATE_QPOS = 1 << 1 }; // mjSTATE_QPOS

static bool open_functions(const char *path, mujoco *m) {
    const mujoco_symbol symbols[] = {
        {&m->load, "mj_loadXML"},           {&m->make_data, "mj_makeData"},          {&m->step, "mj_step"},
        {&m->reset, "mj_resetData"},        {&m->reset_key, "mj_resetDataKeyframe"}, {&m->get_state, "mj_getState"},
        {&m->delete_data, "mj_deleteData"}, {&m->delete_model, "mj_deleteModel"}};
    return open_mujoco(path, symbols, sizeof symbols / sizeof symbols[0]);
}

// ---- configurations ------------------------------------------------------------------------------------------------

// what must be reached, by lanes: one environment, four, eight; without constraints (the "Must show")
static double wanted_ratio(int lanes) { return lanes == 8 ? 4.5 : lanes == 4 ? 3 : 1.2; }
static const double WANTED_THREADS = 1.8;

typedef struct config {
    const char *name;
    tx_target_choice target;
    int lanes, envs, threads; // lanes 0: MuJoCo
    bool step_by_step;        // one step a call, as a controller or a learner uses it; else all in one call
    tx_sim *sim;
    double seconds[REPEATS_MAX]; // per environment step
    double ratio[REPEATS_MAX];   // of the first configuration's seconds to these
    double stage[TX_STAGE_COUNT], iterations;
} config;

typedef struct job {
    const char *name, *file, *variant, *prefix;
    FILE *csv;
    int repeats, steps, key;
    bool check;
    tx_model *model;
    const mujoco *mj;
    void *mj_model, *mj_data;
    double motion_error;
    int missed;
} job;

// keeps the order of the values
static double middle_of(const double *values, int count) {
    double sorted[REPEATS_MAX];
    memcpy(sorted, values, sizeof *values * (size_t)count);
    return median(sorted, count);
}

static void reset(const job *j, config *c) {
    if (c->lanes) {
        tx_sim_reset(c->sim, j->key, NULL);
        tx_sim_info_clear(c->sim);
    } else if (j->key >= 0) {
        j->mj->reset_key(j->mj_model, j->mj_data, j->key);
    } else {
        j->mj->reset(j->mj_model, j->mj_data);
    }
}

// seconds for some steps of all environments
static double run(const job *j, const config *c, int steps, clockid_t clock) {
    double start = seconds_of(clock);
    if (c->lanes && !c->step_by_step) tx_sim_step_n(c->sim, steps);
    for (int i = 0; c->lanes && c->step_by_step && i < steps; i++) tx_sim_step(c->sim);
    for (int i = 0; !c->lanes && i < steps; i++) j->mj->step(j->mj_model, j->mj_data);
    return seconds_of(clock) - start;
}

// stages have the wall clock, where another process shows as one long stage: the least of the repeats is free of that
static void note_stages(const job *j, config *c) {
    tx_info info = tx_sim_info(c->sim);
    double n = (double)j->steps * c->envs;
    for (int s = 0; s < TX_STAGE_COUNT; s++) {
        double stage = info.stage_seconds[s] / n;
        if (c->stage[s] == 0 || stage < c->stage[s]) c->stage[s] = stage;
    }
    c->iterations = (double)info.iterations / n;
}

// largest |qpos - qpos of MuJoCo| of all environments after the last repeat
static double motion_error(const job *j, config *c) {
    const int nq = tx_model_size(j->model, TX_SIZE_NQ);
    double *theirs = malloc(sizeof *theirs * (size_t)nq), worst = 0;
    const double *ours = tx_sim_array(c->sim, TX_ARRAY_QPOS);
    if (!theirs) return NAN;
    j->mj->get_state(j->mj_model, j->mj_data, theirs, STATE_QPOS);
    for (int e = 0; e < c->envs; e++)
        for (int i = 0; i < nq; i++) {
            double d = fabs(ours[e * nq + i] - theirs[i]);
            worst = d <= worst ? worst : d;
        }
    free(theirs);
    return worst;
}

// ---- one comparison ------------------------------------------------------------------------------------------------

// one repeat: all configurations from the same state, in slices of a few milliseconds that take turns, so that what
// disturbs the machine disturbs all of them
static void repeat(job *j, config *configs, int count, clockid_t clock, int slot) {
    for (int i = 0; i < count; i++) {
        reset(j, &configs[i]);
        configs[i].seconds[slot] = 0;
    }
    for (int done = 0, slice = 0; done < j->steps; slice++) {
        int steps = j->steps - done < SLICE ? j->steps - done : SLICE;
        for (int i = 0; i < count; i++) {
            config *c = &configs[slice % 2 ? count - 1 - i : i];
            c->seconds[slot] += run(j, c, steps, clock) / ((double)j->steps * c->envs);
        }
        done += steps;
    }
    for (int i = 0; i < count; i++) {
        if (configs[i].lanes) note_stages(j, &configs[i]);
        configs[i].ratio[slot] = configs[0].seconds[slot] / configs[i].seconds[slot];
    }
}

static void measure(job *j, config *configs, int count, clockid_t clock) {
    repeat(j, configs, count, clock, 0); // to warm up
    for (int r = 0; r < j->repeats; r++) repeat(j, configs, count, clock, r);
}

static void report(job *j, const config *c, double wanted, const char *clock) {
    double us = 1e6 * middle_of(c->seconds, j->repeats), ratio = middle_of(c->ratio, j->repeats);
    bool ok = wanted == 0 || ratio >= wanted;
    printf("  %-25s %9.3f us/step %10.0f steps/s  ratio %5.2f", c->name, us, 1e6 / us, ratio);
    if (wanted > 0) printf("  %s %.1f", ok ? ">=" : "BELOW", wanted);
    printf("\n");
    if (!ok) j->missed++;
    double sorted[REPEATS_MAX];
    memcpy(sorted, c->ratio, sizeof *sorted * (size_t)j->repeats);
    qsort(sorted, (size_t)j->repeats, sizeof *sorted, by_size);
    fprintf(j->csv, "%s,%s,%s,%d,%s,%d,%d,%d,%d,%d,%s,%.4f,%.4f,%.4f,%.4f", j->prefix, j->name, j->variant,
            tx_model_size(j->model, TX_SIZE_NV), c->name, c->lanes, c->envs, c->threads, j->steps, j->repeats, clock,
            us, ratio, sorted[0], sorted[j->repeats - 1]);
    for (int s = 0; s < TX_STAGE_COUNT; s++) fprintf(j->csv, ",%.4f", 1e6 * c->stage[s]);
    fprintf(j->csv, ",%.3f,%.1e\n", c->iterations, j->motion_error);
}

static bool make_sim(job *j, config *c) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = c->envs, def.threads = c->threads, def.target = c->target;
    c->sim = tx_sim_create(j->model, &def);
    if (!c->sim) printf("  %-25s SKIPPED: this machine has no such instruction set\n", c->name);
    return c->sim != NULL;
}

static void compare_engines(job *j) {
    // wide registers last: some cores run slower for a while after them
    static const config all[] = {
        {.name = "mujoco", .envs = 1, .threads = 1},
        {.name = "one (scalar)", .target = TX_TARGET_SCALAR, .lanes = 1, .envs = 1, .threads = 1},
        {.name = "one (best)", .target = TX_TARGET_AUTO, .lanes = 1, .envs = 1, .threads = 1},
        {.name = "one (best); step()",
         .target = TX_TARGET_AUTO,
         .lanes = 1,
         .envs = 1,
         .threads = 1,
         .step_by_step = true},
        {.name = "4 lanes (avx2)", .target = TX_TARGET_AVX2, .lanes = 4, .envs = 4 * BLOCKS, .threads = 1},
        {.name = "8 lanes (avx512)", .target = TX_TARGET_AVX512, .lanes = 8, .envs = 8 * BLOCKS, .threads = 1},
        {.name = "8 lanes (avx512); step()",
         .target = TX_TARGET_AVX512,
         .lanes = 8,
         .envs = 8 * BLOCKS,
         .threads = 1,
         .step_by_step = true},
    };
    static config used[CONFIGS];
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        used[count] = all[i];
        if (!all[i].lanes ? j->mj_model != NULL : make_sim(j, &used[count])) count++;
    }
    measure(j, used, count, CLOCK_THREAD_CPUTIME_ID);
    j->motion_error = NAN;
    for (int i = 0; i < count && j->mj_model; i++)
        if (used[i].lanes) {
            double e = motion_error(j, &used[i]);
            j->motion_error = j->motion_error >= e ? j->motion_error : e;
        }
    printf("%s, %s: nv %d, %d steps, medians of %d", j->name, j->variant, tx_model_size(j->model, TX_SIZE_NV), j->steps,
           j->repeats);
    if (j->mj_model) printf("; final |qpos - MuJoCo's| %.0e\n", j->motion_error);
    else printf("; ratios to ours (scalar)\n");
    bool bound = strcmp(j->variant, "dynamics") == 0 && j->mj_model;
    for (int i = 0; i < count; i++) {
        // of the two builds for one environment the one counts that a user gets if he does not choose
        bool counts = bound && used[i].lanes && used[i].target != TX_TARGET_SCALAR && !used[i].step_by_step;
        report(j, &used[i], counts ? wanted_ratio(used[i].lanes) : 0, "thread cpu");
    }
    for (int i = 0; i < count; i++) tx_sim_destroy(used[i].sim);
}

// ---- two threads
// -----------------------------------------------------------------------------------------------------

// Wall time is what counts, so a second core must be there: a repeat before or after which a loop without memory does
// not run on two cores as fast as on one says nothing of ours, and is made again. Repeats are short, so that little
// happens between. CPU time of all threads tells, on a busy machine too, what the second thread costs the first.
static void compare_threads(job *j) {
    enum { REPEATS = 51, FEWEST = 5, TRIES = 4000, STEPS = 25 };
    static config used[2];
    for (int t = 0; t < 2; t++) {
        used[t] =
            (config){.name = t ? "2 threads" : "1 thread", .lanes = 8, .envs = 8 * THREAD_BLOCKS, .threads = t + 1};
        if (!make_sim(j, &used[t])) return;
    }
    job brief = *j;
    brief.steps = STEPS, brief.repeats = 0;
    repeat(&brief, used, 2, CLOCK_MONOTONIC, 0);
    int tries = 0;
    double before = core_contention();
    while (brief.repeats < REPEATS && tries++ < TRIES) {
        repeat(&brief, used, 2, CLOCK_MONOTONIC, brief.repeats);
        double after = core_contention();
        if (before <= MOST_CONTENTION && after <= MOST_CONTENTION) brief.repeats++;
        before = after;
    }
    printf("  two cores were there in %d of %d repeats\n", brief.repeats, tries);
    if (brief.repeats < FEWEST) {
        printf("  2 threads                 NOT SHOWN: at least %d repeats are needed\n", FEWEST);
        j->missed++;
        for (int t = 0; t < 2; t++) tx_sim_destroy(used[t].sim);
        return;
    }
    for (int t = 0; t < 2; t++) report(&brief, &used[t], t ? WANTED_THREADS : 0, "wall");
    j->missed = brief.missed;
    measure(j, used, 2, CLOCK_PROCESS_CPUTIME_ID);
    used[1].name = "2 threads; CPU of both";
    report(j, &used[1], 0, "process cpu");
    for (int t = 0; t < 2; t++) tx_sim_destroy(used[t].sim);
}

static bool load(job *j) {
    char error[1000] = "";
    tx_diag diag = {0};
    j->model = tx_load_file(j->file, &diag);
    for (int i = 0; i < diag.count; i++) {
        tx_diag_format(&diag, i, error, sizeof error);
        fprintf(stderr, "%s\n", error);
    }
    tx_diag_free(&diag);
    if (!j->model) return false;
    j->key = tx_model_size(j->model, TX_SIZE_NKEY) > 0 ? 0 : -1;
    if (!j->mj) return true;
    j->mj_model = j->mj->load(j->file, NULL, error, sizeof error);
    if (!j->mj_model) fprintf(stderr, "%s\n", error);
    j->mj_data = j->mj_model ? j->mj->make_data(j->mj_model) : NULL;
    return j->mj_data != NULL;
}

static bool run_job(job *j) {
    bool ok = load(j);
    if (ok) {
        compare_engines(j);
        if (strcmp(j->variant, "dynamics") == 0) compare_threads(j);
        fflush(stdout);
    }
    if (j->mj_data) j->mj->delete_data(j->mj_data);
    if (j->mj_model) j->mj->delete_model(j->mj_model);
    tx_model_destroy(j->model);
    return ok;
}

int main(int argc, char **argv) {
    if (argc < 8) {
        fprintf(stderr, "usage: bench_mujoco LIBRARY|- REPEATS STEPS CHECK OUT.csv PREFIX MODEL:FILE:VARIANT...\n");
        return 2;
    }
    mujoco mj;
    bool peer = strcmp(argv[1], "-") != 0;
    if (peer && !open_functions(argv[1], &mj)) return 1;
    job common = {.mj = peer ? &mj : NULL, .repeats = atoi(argv[2]), .steps = atoi(argv[3]), .prefix = argv[6]};
    if (common.repeats < 1 || common.repeats > REPEATS_MAX || common.steps < 1) return 2;
    bool check = atoi(argv[4]) != 0;
    common.csv = fopen(argv[5], "a");
    if (!common.csv) {
        fprintf(stderr, "%s cannot be written\n", argv[5]);
        return 1;
    }
    int missed = 0;
    for (int i = 7; i < argc; i++) {
        job j = common;
        char *rest = argv[i];
        j.name = strsep(&rest, ":"), j.file = strsep(&rest, ":"), j.variant = rest ? rest : "full";
        if (!j.file || !run_job(&j)) return 1;
        missed += j.missed;
    }
    fclose(common.csv);
    if (check)
        printf("%s: %d ratio%s below what must be shown\n", missed ? "FAILED" : "PASSED", missed,
               missed == 1 ? "" : "s");
    return check && missed ? 3 : 0;
}
