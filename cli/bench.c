// bench.c - thixis bench: how fast models step, by configuration: environments, threads, target.
//
// All configurations of a model take turns, so that a slow moment of the machine meets all of them; what is printed is
// the median of the repeats. Every repeat starts from the same state.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "drive.h"
#include "report.h"
#include "setup.h"

enum { LIST_MAX = 32, CONFIG_MAX = 512, REPEATS_MAX = 1000 };

typedef struct bench_args {
    sim_args sim;
    const char *envs, *threads, *targets;
    int repeats, per_call, seed;
    double noise;
    bool no_constraint, json, csv;
} bench_args;

static const arg_option options[] = {
    {"envs", ARG_TEXT, "N,N,...", offsetof(bench_args, envs), 0, 0, NULL, "environments that run together (1)"},
    {"threads", ARG_TEXT, "N,N,...", offsetof(bench_args, threads), 0, 0, NULL, "threads (1)"},
    {"target", ARG_TEXT, "T,T,...", offsetof(bench_args, targets), 0, 0, NULL,
     "of " TARGET_CHOICES "; one that this machine lacks is skipped aloud"},
    {"steps", ARG_INT, "N", offsetof(bench_args, sim.steps), 1, 1e9, NULL,
     "steps of a repeat; if not given: 1000, or fewer that take 0.3 s"},
    LOAD_OPTIONS(bench_args, sim.load),
    {"time", ARG_REAL, "T", offsetof(bench_args, sim.time), 0, 1e9, NULL, "simulated time instead of --steps [s]"},
    {"per-call", ARG_INT, "N", offsetof(bench_args, per_call), 0, 1e9, NULL,
     "steps between two looks at the state; if not given: all"},
    {"repeats", ARG_INT, "N", offsetof(bench_args, repeats), 1, REPEATS_MAX, NULL, "medians of so many (5)"},
    {"noise", ARG_REAL, "X", offsetof(bench_args, noise), 0, 1e6, NULL,
     "uniform control noise, X half control ranges to either side; then one step a call"},
    {"seed", ARG_INT, "N", offsetof(bench_args, seed), 0, 2147483647, NULL, "of the noise (0)"},
    {"keyframe", ARG_TEXT, "K", offsetof(bench_args, sim.keyframe), 0, 0, NULL,
     "start: index or name of a keyframe, or 'none' (keyframe 0 if there is one)"},
    {"no-constraint", ARG_FLAG, NULL, offsetof(bench_args, no_constraint), 0, 0, NULL,
     "no contacts, limits or dry friction: the dynamics alone"},
    {"set", ARG_LIST, "key=value", offsetof(bench_args, sim.set), 0, 0, NULL,
     "any option, see 'thixis help options'; may be repeated"},
    {"json", ARG_FLAG, NULL, offsetof(bench_args, json), 0, 0, NULL, "print as JSON"},
    {"csv", ARG_FLAG, NULL, offsetof(bench_args, csv), 0, 0, NULL, "print as CSV, one line a configuration"},
};

const arg_command bench_command = {
    .name = "bench",
    .summary = "steps per second, time per stage, iterations, contacts and rows",
    .operands = "MODEL...",
    .least = 1,
    .most = 1 << 20,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes =
        "Every environment count runs with every thread count and every target. One thread is timed by its own CPU\n"
        "clock, several by the wall clock. Stages have the wall clock, summed over threads; the\n"
        "least of the repeats is shown.\n\n"
        "examples:\n"
        "  thixis bench scenes/humanoid.xml\n"
        "  thixis bench scenes/humanoid.xml scenes/arm.xml --envs 1,8,64 --target scalar,avx2 --no-constraint\n"
        "  thixis bench scenes/quadruped.xml --envs 4096 --threads 1,2 --per-call 1 --csv",
};

#define COUNT(table) ((int)(sizeof table / sizeof table[0]))

// ---- measures ------------------------------------------------------------------------------------------------------

// one configuration of one model
typedef struct config {
    const char *path;
    int envs, threads, lanes;
    tx_target_choice target;
    tx_sim *sim;
    int key, steps, repeats;
    double contacts, rows; // mean of environment 0 over the steps, untimed
    // one entry a repeat
    double *seconds;                // per environment step, by the clock of the configuration
    double *stage[TX_STAGE_COUNT];  // per environment step
    double iterations, solve_error; // mean; worst
    long long not_converged;
    int diverged;
} config;

typedef struct config_list {
    config items[CONFIG_MAX];
    int count;
} config_list;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *values, int count, double part) {
    double sorted[REPEATS_MAX];
    memcpy(sorted, values, sizeof *values * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    double at = part * (count - 1);
    int low = (int)at;
    return low + 1 < count ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

static double median(const double *values, int count) { return quantile(values, count, 0.5); }

static drive_def drive_of(const bench_args *a, int steps) {
    return (drive_def){.steps = steps, .noise = a->noise, .seed = a->seed, .chunk = a->per_call ? a->per_call : steps};
}

// mean contacts and rows of environment 0
static bool count_rows(const bench_args *a, config *c) {
    double contacts = 0, rows = 0;
    int counted = c->steps < 1000 ? c->steps : 1000;
    drive_def one = drive_of(a, 1);
    if (tx_sim_reset(c->sim, c->key, NULL) != TX_OK) return false;
    for (int i = 0; i < counted; i++) {
        int found = 0;
        if (drive(c->sim, &one).result != TX_OK) return false;
        tx_sim_contacts(c->sim, 0, &found);
        contacts += found, rows += tx_sim_rows(c->sim, 0, NULL, NULL, 0);
    }
    c->contacts = contacts / counted, c->rows = rows / counted;
    return true;
}

// as many steps as take 0.3 s, from 10 to 1000
static int comfortable_steps(const bench_args *a, config *c) {
    double seconds = 0;
    int steps = 10;
    for (; steps < 1000; steps *= 4) {
        drive_def def = drive_of(a, steps);
        tx_sim_reset(c->sim, c->key, NULL);
        drive_result r = drive(c->sim, &def);
        seconds = r.seconds;
        if (r.result != TX_OK || seconds > 0.05) break;
    }
    double wanted = seconds > 0 ? 0.3 / seconds * steps : 1000;
    return wanted > 1000 ? 1000 : wanted < 10 ? 10 : (int)wanted;
}

static bool measure(const bench_args *a, config *c) {
    drive_def def = drive_of(a, c->steps);
    if (tx_sim_reset(c->sim, c->key, NULL) != TX_OK) return false;
    drive_result r = drive(c->sim, &def);
    if (r.result != TX_OK) return false;
    double n = (double)r.info.env_steps;
    c->seconds[c->repeats] = (c->threads == 1 ? r.cpu_seconds : r.seconds) / n;
    for (int s = 0; s < TX_STAGE_COUNT; s++) c->stage[s][c->repeats] = r.info.stage_seconds[s] / n;
    c->iterations = (double)r.info.iterations / n;
    c->solve_error = r.info.worst_solve_error, c->not_converged = r.info.not_converged, c->diverged = r.info.diverged;
    c->repeats++;
    return true;
}

// ---- configurations ------------------------------------------------------------------------------------------------

static bool allocate(config *c, int repeats) {
    size_t bytes = sizeof(double) * (size_t)repeats;
    bool ok = (c->seconds = malloc(bytes)) != NULL;
    for (int s = 0; s < TX_STAGE_COUNT; s++) ok = (c->stage[s] = malloc(bytes)) && ok;
    return ok;
}

static void release(config_list *list) {
    for (int i = 0; i < list->count; i++) {
        config *c = &list->items[i];
        tx_sim_destroy(c->sim);
        c->sim = NULL;
        free(c->seconds);
        for (int s = 0; s < TX_STAGE_COUNT; s++) free(c->stage[s]);
    }
}

typedef struct ranges {
    int envs[LIST_MAX], threads[LIST_MAX], targets[LIST_MAX];
    int env_count, thread_count, target_count;
} ranges;

static bool positive(const int *values, int count) {
    for (int i = 0; i < count; i++)
        if (values[i] < 1) return false;
    return count > 0;
}

static int read_targets(const char *text, int *out) {
    char copy[256], *rest = copy;
    int count = 0;
    if (strlen(text) >= sizeof copy) return -1;
    strcpy(copy, text);
    for (char *word; (word = strsep(&rest, ",")) && count < LIST_MAX; count++) {
        for (out[count] = TX_TARGET_AUTO; strcmp(target_name((tx_target_choice)out[count]), word) != 0;)
            if (++out[count] > TX_TARGET_AVX512) return -1;
    }
    return count;
}

static bool read_ranges(const bench_args *a, ranges *r) {
    r->env_count = args_ints(a->envs, r->envs, LIST_MAX);
    r->thread_count = args_ints(a->threads, r->threads, LIST_MAX);
    r->target_count = read_targets(a->targets, r->targets);
    if (!positive(r->envs, r->env_count))
        args_error(&bench_command, "--envs wants counts such as 1,8,64, not '%s'", a->envs);
    else if (!positive(r->threads, r->thread_count))
        args_error(&bench_command, "--threads wants counts such as 1,2, not '%s'", a->threads);
    else if (r->target_count < 1)
        args_error(&bench_command, "--target is a list of: %s; not '%s'", TARGET_CHOICES, a->targets);
    else if (r->env_count * r->thread_count * r->target_count > CONFIG_MAX)
        args_error(&bench_command, "more than %d configurations", CONFIG_MAX);
    else return true;
    return false;
}

// every combination that this machine can run
static bool make_configs(const bench_args *a, const ranges *r, const char *path, const tx_model *model,
                         config_list *list, int *code) {
    for (int t = 0; t < r->target_count; t++) {
        tx_target_choice target = (tx_target_choice)r->targets[t];
        if (!target_exists(target)) {
            fprintf(stderr, "SKIPPED: this machine has no %s\n", target_name(target));
            continue;
        }
        for (int h = 0; h < r->thread_count; h++)
            for (int e = 0; e < r->env_count; e++) {
                config *c = &list->items[list->count++];
                *c = (config){.path = path, .envs = r->envs[e], .threads = r->threads[h], .target = target};
                sim_args s = a->sim;
                s.envs = c->envs, s.threads = c->threads, s.target = (int)target;
                c->sim = make_sim(&bench_command, &s, model, code);
                if (!c->sim || !allocate(c, a->repeats)) return false;
                int wide = tx_target_lanes(target);
                c->lanes = c->envs >= wide ? wide : 1;
                c->key = start_key(&s, model);
                c->steps = wanted_steps(&bench_command, &s, c->sim, 0);
                if (c->steps < 0) return *code = EXIT_USAGE, false;
                if (c->steps == 0) c->steps = comfortable_steps(a, c);
            }
    }
    return true;
}

// ---- output --------------------------------------------------------------------------------------------------------

// stages have the wall clock, where another process shows as one long stage: the least of the repeats is free of that
static double stage_us(const config *c, int stage) { return 1e6 * quantile(c->stage[stage], c->repeats, 0); }

static double rate(const config *c) { return 1 / median(c->seconds, c->repeats); }

static json_t *config_json(const config *c) {
    json_t *o = json_object(), *stages = json_object();
    for (int s = 0; s < TX_STAGE_COUNT; s++)
        json_object_set_new(stages, tx_stage_name((tx_stage)s), json_number(stage_us(c, s)));
    json_object_set_new(o, "model", json_string(c->path));
    json_object_set_new(o, "target", json_string(tx_sim_target(c->sim)));
    json_object_set_new(o, "lanes", json_integer(c->lanes));
    json_object_set_new(o, "envs", json_integer(c->envs));
    json_object_set_new(o, "threads", json_integer(c->threads));
    json_object_set_new(o, "steps", json_integer(c->steps));
    json_object_set_new(o, "repeats", json_integer(c->repeats));
    json_object_set_new(o, "clock", json_string(c->threads == 1 ? "thread cpu" : "wall"));
    json_object_set_new(o, "steps_per_second", json_number(rate(c)));
    json_object_set_new(o, "us_per_step", json_number(1e6 * median(c->seconds, c->repeats)));
    json_object_set_new(o, "us_quartiles",
                        json_pack("[f, f]", 1e6 * quantile(c->seconds, c->repeats, 0.25),
                                  1e6 * quantile(c->seconds, c->repeats, 0.75)));
    json_object_set_new(o, "stages_us", stages);
    json_object_set_new(o, "iterations", json_number(c->iterations));
    json_object_set_new(o, "contacts", json_number(c->contacts));
    json_object_set_new(o, "rows", json_number(c->rows));
    json_object_set_new(o, "solve_error", json_number(c->solve_error));
    json_object_set_new(o, "not_converged", json_integer(c->not_converged));
    json_object_set_new(o, "diverged", json_integer(c->diverged));
    return o;
}

static void print_csv_head(void) {
    printf("model,target,lanes,envs,threads,steps,repeats,steps_per_second,us_per_step,us_q1,us_q3");
    for (int s = 0; s < TX_STAGE_COUNT; s++) printf(",us_%s", tx_stage_name((tx_stage)s));
    printf(",iterations,contacts,rows\n");
}

static void print_csv(const config *c) {
    printf("%s,%s,%d,%d,%d,%d,%d,%.0f,%.4f,%.4f,%.4f", c->path, tx_sim_target(c->sim), c->lanes, c->envs, c->threads,
           c->steps, c->repeats, rate(c), 1e6 * median(c->seconds, c->repeats),
           1e6 * quantile(c->seconds, c->repeats, 0.25), 1e6 * quantile(c->seconds, c->repeats, 0.75));
    for (int s = 0; s < TX_STAGE_COUNT; s++) printf(",%.4f", stage_us(c, s));
    printf(",%.3f,%.2f,%.2f\n", c->iterations, c->contacts, c->rows);
}

static void print_table(const config_list *list, const tx_model *model) {
    const config *first = &list->items[0];
    printf("%s: nv %d, %d bodies, %d geoms; %.1f contacts, %.1f rows; medians of %d\n", first->path,
           tx_model_size(model, TX_SIZE_NV), tx_model_size(model, TX_SIZE_NBODY), tx_model_size(model, TX_SIZE_NGEOM),
           first->contacts, first->rows, first->repeats);
    printf("  %-7s %5s %6s %7s %6s %11s %8s |", "target", "lanes", "envs", "threads", "steps", "steps/s", "us/step");
    for (int s = 0; s < TX_STAGE_COUNT; s++) printf(" %11s", tx_stage_name((tx_stage)s));
    printf(" %6s\n", "iter");
    for (int i = 0; i < list->count; i++) {
        const config *c = &list->items[i];
        printf("  %-7s %5d %6d %7d %6d %11.0f %8.3f |", tx_sim_target(c->sim), c->lanes, c->envs, c->threads, c->steps,
               rate(c), 1e6 * median(c->seconds, c->repeats));
        for (int s = 0; s < TX_STAGE_COUNT; s++) printf(" %11.3f", stage_us(c, s));
        printf(" %6.2f\n", c->iterations);
        if (c->diverged) printf("  %d of %d environments diverged: not a speed to quote\n", c->diverged, c->envs);
    }
}

static void print_configs(const bench_args *a, const config_list *list, const tx_model *model, json_t *results) {
    if (!a->json && !a->csv && list->count) print_table(list, model);
    for (int i = 0; i < list->count; i++) {
        if (a->json) json_array_append_new(results, config_json(&list->items[i]));
        if (a->csv) print_csv(&list->items[i]);
    }
}

// ---- command -------------------------------------------------------------------------------------------------------

static int bench_model(const bench_args *a, const ranges *r, const char *path, json_t *results) {
    int code = EXIT_FAILED;
    tx_model *model = load_model(&bench_command, path, &a->sim.load, &code);
    config_list *list = calloc(1, sizeof *list);
    bool ok = model && list && make_configs(a, r, path, model, list, &code);
    for (int i = 0; ok && i < list->count; i++) ok = count_rows(a, &list->items[i]);
    for (int k = 0; ok && k < a->repeats; k++)
        for (int i = 0; ok && i < list->count; i++) {
            // every second round backwards
            ok = measure(a, &list->items[k % 2 ? list->count - 1 - i : i]);
        }
    if (ok) {
        print_configs(a, list, model, results);
        code = EXIT_OK;
        for (int i = 0; i < list->count; i++)
            if (list->items[i].diverged) code = EXIT_FAILED;
    }
    if (list) release(list);
    free(list);
    tx_model_destroy(model);
    return code;
}

int bench_main(int argc, char **argv) {
    bench_args a = {.sim = sim_args_default(), .envs = "1", .threads = "1", .targets = "auto", .repeats = 5};
    ranges r;
    int operands, code = EXIT_OK;
    arg_outcome outcome = args_parse(&bench_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    if (!read_ranges(&a, &r)) return EXIT_USAGE;
    if (a.no_constraint) {
        if (a.sim.set.count == ARG_LIST_MAX) return args_error(&bench_command, "too many --set");
        a.sim.set.items[a.sim.set.count++] = "constraint=off";
    }
    json_t *results = json_array();
    if (a.json) a.csv = false;
    if (a.csv) print_csv_head();
    for (int i = 0; i < operands && code != EXIT_USAGE; i++) {
        int model_code = bench_model(&a, &r, argv[i], results);
        if (model_code != EXIT_OK) code = model_code;
    }
    if (a.json && code != EXIT_USAGE) {
        json_t *root = json_object();
        json_object_set(root, "results", results);
        if (!write_json(root, stdout)) code = EXIT_FAILED;
    }
    json_decref(results);
    return code;
}
