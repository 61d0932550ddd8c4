// run.c - thixis run: simulates and reports.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "drive.h"
#include "log.h"
#include "report.h"
#include "setup.h"
#include "trace.h"
#include "violations.h"

typedef struct run_args {
    sim_args sim;
    double noise;
    int seed;
    bool hash, json, quiet;
    const char *out, *problems, *trace, *log, *violations;
    FILE *trace_file, *violations_file;
    int every, env;
} run_args;

static const arg_option options[] = {
    SIM_OPTIONS(run_args, sim),
    {"noise", ARG_REAL, "X", offsetof(run_args, noise), 0, 1e6, NULL,
     "uniform control noise, X half control ranges to either side"},
    {"seed", ARG_INT, "N", offsetof(run_args, seed), 0, 2147483647, NULL, "of the noise (0)"},
    {"hash", ARG_FLAG, NULL, offsetof(run_args, hash), 0, 0, NULL,
     "print one line 'hash ...' of all states instead of the summary"},
    {"json", ARG_FLAG, NULL, offsetof(run_args, json), 0, 0, NULL, "print the report as JSON"},
    {"out", ARG_TEXT, "FILE", offsetof(run_args, out), 0, 0, NULL, "write the report there"},
    {"problems", ARG_TEXT, "DIR", offsetof(run_args, problems), 0, 0, NULL,
     "write contact problems there, for 'thixis solve'"},
    {"trace", ARG_TEXT, "FILE", offsetof(run_args, trace), 0, 0, NULL,
     "write how far the solver was before every iteration: CSV, every K-th step; each is solved once more"},
    {"log", ARG_TEXT, "FILE", offsetof(run_args, log), 0, 0, NULL,
     "write time, qpos, qvel, act and ctrl there: .csv, or .npz for NumPy"},
    {"violations", ARG_TEXT, "FILE", offsetof(run_args, violations), 0, 0, NULL,
     "write how far every environment's contacts are from rigid contact there: CSV, after every K-th step"},
    {"every", ARG_INT, "K", offsetof(run_args, every), 1, 1e9, NULL,
     "problems and traces: of every K-th step (100); states and violations of every K-th (1)"},
    {"env", ARG_INT, "E", offsetof(run_args, env), 0, 1e7, NULL, "the environment they are taken from (0)"},
    {"quiet", ARG_FLAG, NULL, offsetof(run_args, quiet), 0, 0, NULL, "no summary, no progress bar"},
};

const arg_command run_command = {
    .name = "run",
    .summary = "simulates a model and reports state, contacts, errors and speed",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "Without --steps and --time: 1000 steps. The noise depends only on seed, environment, step and control.\n"
             "Exit code 1 when an environment diverged, with --strict also when a step did not converge.\n\n"
             "examples:\n"
             "  thixis run scenes/humanoid.xml --time 4\n"
             "  thixis run scenes/humanoid.xml --envs 256 --threads 2 --noise 0.5 --hash\n"
             "  thixis run scenes/humanoid.xml --problems problems --every 50\n"
             "  thixis run scenes/humanoid.xml --time 4 --log states.csv --every 10\n"
             "  thixis run scenes/balls.xml --steps 500 --set gravity=0,0,-1.62 --set tolerance=0 --json",
};

enum { DEFAULT_STEPS = 1000 };

// all that the report needs; arrays belong to the sim and to environment 0 after a forward()
typedef struct report {
    const run_args *args;
    const char *title;
    tx_sim *sim;
    int steps;
    drive_result run;
    uint64_t hash;
    char status[512];
    state_log log;
} report;

// ---- JSON ----------------------------------------------------------------------------------------------------------

static json_t *contact_json(const tx_model *model, const tx_contact *c) {
    double force[3], torque[3];
    tx_contact_wrench(c, force, torque);
    json_t *geoms = json_array();
    for (int s = 0; s < 2; s++)
        json_array_append_new(geoms, json_name(tx_element_name(model, TX_ELEMENT_GEOM, c->geom[s]), c->geom[s]));
    char feature[17]; // hexadecimal: JSON's numbers are too short
    snprintf(feature, sizeof feature, "%016" PRIx64, c->feature);
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "geoms", geoms, "feature", feature, "dist",
                     json_number(c->dist), "pos", json_numbers(c->pos, 3), "normal", json_numbers(c->frame, 3), "frame",
                     json_numbers(c->frame, 9), "force", json_numbers(force, 3), "torque", json_numbers(torque, 3),
                     "force_contact", json_numbers(c->force, c->dim));
}

static json_t *contacts_json(tx_sim *sim) {
    int count = 0;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, contact_json(tx_sim_model(sim), &contacts[i]));
    return list;
}

static json_t *array_json(tx_sim *sim, tx_array array) {
    const double *values = tx_sim_array(sim, array);
    return json_numbers(values, values ? tx_sim_array_width(sim, array) : 0);
}

static json_t *stages_json(const tx_info *info) {
    json_t *stages = json_object();
    double steps = info->env_steps ? (double)info->env_steps : 1;
    for (int s = 0; s < TX_STAGE_COUNT; s++)
        json_object_set_new(stages, tx_stage_name((tx_stage)s), json_number(1e6 * info->stage_seconds[s] / steps));
    return stages;
}

static bool write_run_json(const report *r, FILE *out) {
    const tx_info *info = &r->run.info;
    const double *energy = tx_sim_array(r->sim, TX_ARRAY_ENERGY);
    json_t *o = json_object();
    json_object_set_new(o, "model", json_string(r->title));
    json_object_set_new(o, "steps", json_integer(r->steps));
    json_object_set_new(o, "envs", json_integer(tx_sim_envs(r->sim)));
    json_object_set_new(o, "dt", json_number(tx_sim_options(r->sim).timestep));
    json_object_set_new(o, "time", json_number(tx_sim_array(r->sim, TX_ARRAY_TIME)[0]));
    json_object_set_new(o, "qpos", array_json(r->sim, TX_ARRAY_QPOS));
    json_object_set_new(o, "qvel", array_json(r->sim, TX_ARRAY_QVEL));
    json_object_set_new(o, "energy",
                        json_pack("{s:o, s:o}", "kinetic", json_number(energy ? energy[1] : NAN), "potential",
                                  json_number(energy ? energy[0] : NAN)));
    json_object_set_new(o, "contacts", contacts_json(r->sim));
    json_object_set_new(o, "violations", violations_json(r->sim));
    json_object_set_new(o, "status", json_string(r->status));
    json_object_set_new(o, "solve_error", json_number(info->worst_solve_error));
    json_object_set_new(o, "iterations",
                        json_number(info->env_steps ? (double)info->iterations / (double)info->env_steps : 0));
    json_object_set_new(o, "not_converged", json_integer(info->not_converged));
    json_object_set_new(o, "trees", json_integer(info->trees));
    json_object_set_new(o, "trees_awake", json_integer(info->awake));
    json_object_set_new(o, "steps_per_second", json_number(drive_rate(&r->run)));
    json_object_set_new(o, "stages_us", stages_json(info));
    if (r->args->hash) {
        char text[17];
        snprintf(text, sizeof text, "%016" PRIx64, r->hash);
        json_object_set_new(o, "hash", json_string(text));
    }
    return write_json(o, out);
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void write_summary(const report *r, FILE *out) {
    const tx_info *info = &r->run.info;
    const double *energy = tx_sim_array(r->sim, TX_ARRAY_ENERGY);
    int contacts = 0;
    tx_sim_contacts(r->sim, 0, &contacts);
    tx_options o = tx_sim_options(r->sim);
    double steps = info->env_steps ? (double)info->env_steps : 1;
    const double *used = tx_sim_array(r->sim, TX_ARRAY_SOLVER_USED);
    const bool chosen = used && (int)used[0] != o.solver;
    fprintf(out, "%s: %d steps of %g s, %d environment%s, law %s, solver %s%s%s%s, target %s\n", r->title, r->steps,
            o.timestep, tx_sim_envs(r->sim), tx_sim_envs(r->sim) == 1 ? "" : "s", tx_law_name(o.law),
            tx_solver_name(o.solver), chosen ? " (last used: " : "", chosen ? tx_solver_name((int)used[0]) : "",
            chosen ? ")" : "", tx_sim_target(r->sim));
    fprintf(out, "time %.6g s, %d contacts, energy %.6g J kinetic, %.6g J potential (environment 0)\n",
            tx_sim_array(r->sim, TX_ARRAY_TIME)[0], contacts, energy ? energy[1] : NAN, energy ? energy[0] : NAN);
    const tx_violations v = violations_worst(r->sim);
    if (v.contacts > 0)
        fprintf(out,
                "contacts: penetration %.2g m, approach %.2g m/s, slip %.2g m/s, beyond the cone %.2g N, energy %.2g J "
                "(next step, all environments)\n",
                v.penetration, v.approach, v.slip, v.excess, v.energy);
    fprintf(out, "solve error %.1e (worst), %.2f iterations a step, %lld not converged, buffers grew %lld times\n",
            info->worst_solve_error, (double)info->iterations / steps, info->not_converged, info->grown);
    if (info->awake < info->trees) fprintf(out, "%lld of %lld trees awake\n", info->awake, info->trees);
    fprintf(out, "stages [us]:");
    for (int s = 0; s < TX_STAGE_COUNT; s++)
        fprintf(out, "%s %s %.2f", s ? "," : "", tx_stage_name((tx_stage)s), 1e6 * info->stage_seconds[s] / steps);
    fprintf(out, "\n%.0f steps/s, status: %s\n", drive_rate(&r->run), r->status);
}

static bool write_report(const report *r, FILE *out) {
    if (r->args->json) return write_run_json(r, out);
    if (r->args->hash) fprintf(out, "hash %016" PRIx64 "\n", r->hash);
    else if (!r->args->quiet || r->args->out) write_summary(r, out);
    return !ferror(out);
}

// to the file of --out, else to standard output
static bool deliver(const report *r) {
    FILE *out = r->args->out ? fopen(r->args->out, "w") : stdout;
    bool ok = out && write_report(r, out);
    if (out && r->args->out) ok = fclose(out) == 0 && ok;
    if (!ok) fprintf(stderr, "thixis run: %s cannot be written\n", r->args->out ? r->args->out : "standard output");
    return ok;
}

// ---- command -------------------------------------------------------------------------------------------------------

// "ok", that solves did not converge, or the words for the first environment that diverged
static void describe_status(report *r) {
    const bool off = r->run.info.not_converged > 0;
    snprintf(r->status, sizeof r->status, "%s", r->run.stopped ? "stopped" : off ? "not converged" : "ok");
    for (int e = 0; r->run.info.diverged && e < tx_sim_envs(r->sim); e++) {
        if (tx_sim_status(r->sim, e) == TX_OK) continue;
        tx_sim_status_text(r->sim, e, r->status, sizeof r->status);
        fprintf(stderr, "thixis run: %s\n", r->status);
        if (r->run.info.diverged > 1)
            fprintf(stderr, "thixis run: %d of %d environments diverged\n", r->run.info.diverged, tx_sim_envs(r->sim));
        return;
    }
}

// DIR/00000300.txp: the problem of the step that 300 others went before
static bool write_problem(void *context, tx_sim *sim, int step) {
    const run_args *a = context;
    char path[4096];
    tx_result result = TX_ERROR_ARGUMENT;
    if (snprintf(path, sizeof path, "%s/%08d.txp", a->problems, step) < (int)sizeof path)
        result = tx_sim_write_problem(sim, a->env, path);
    if (result == TX_OK) return true;
    fprintf(stderr, "thixis run: %s: %s\n", path, result == TX_ERROR_FILE ? strerror(errno) : tx_result_text(result));
    return false;
}

// problems and states have counts of their own, unless --every says one for all
static bool before_step(void *context, tx_sim *sim, int step) {
    report *r = context;
    const run_args *a = r->args;
    // first of all: what a problem is written from are results of another step
    if (a->violations && step > 0 && step % (a->every ? a->every : 1) == 0 &&
        !violations_write(a->violations_file, sim, step))
        return false;
    if (step % (a->every ? a->every : 100) == 0) {
        if (a->problems && !write_problem((void *)a, sim, step)) return false;
        if (a->trace && !trace_step(a->trace_file, sim, a->env, step)) return false;
    }
    return !a->log || step % (a->every ? a->every : 1) != 0 || log_state(&r->log, sim);
}

static bool open_trace(run_args *a) {
    if (!a->trace) return true;
    a->trace_file = fopen(a->trace, "w");
    if (a->trace_file) fprintf(a->trace_file, "step,island,iteration,gradient,solve_error,step_length\n");
    else fprintf(stderr, "thixis run: %s: %s\n", a->trace, strerror(errno));
    return a->trace_file != NULL;
}

static bool open_violations(run_args *a) {
    if (a->violations) a->violations_file = violations_open(a->violations);
    return !a->violations || a->violations_file;
}

static bool problems_wanted(const run_args *a, const tx_sim *sim, int *code) {
    *code = EXIT_USAGE;
    if (a->env >= tx_sim_envs(sim)) {
        args_error(&run_command, "--env %d: the last environment is %d", a->env, tx_sim_envs(sim) - 1);
        return false;
    }
    if (a->log && !log_named(a->log)) {
        args_error(&run_command, "--log wants a name that ends in .csv or .npz, not '%s'", a->log);
        return false;
    }
    if (!a->problems || mkdir(a->problems, 0777) == 0 || errno == EEXIST) return true;
    fprintf(stderr, "thixis run: %s: %s\n", a->problems, strerror(errno));
    *code = EXIT_FAILED;
    return false;
}

static int simulate(report *r) {
    const run_args *a = r->args;
    drive_def def = {.steps = r->steps, .noise = a->noise, .seed = a->seed, .progress = !a->quiet};
    if (a->problems || a->trace || a->log || a->violations) {
        def.every = a->every ? a->every : a->log || a->violations ? 1 : 100;
        def.before = before_step, def.context = r;
    }
    r->log = (state_log){.path = a->log, .env = a->env};
    r->run = drive(r->sim, &def);
    // the last state too; a run that ended early still leaves its log
    bool logged = true;
    if (a->violations && !r->run.ended && r->run.steps > 0)
        logged = violations_write(a->violations_file, r->sim, r->run.steps);
    if (a->log) {
        log_state(&r->log, r->sim);
        logged = log_write(&r->log, r->sim) && logged;
    }
    if (r->run.ended || !logged) return EXIT_FAILED;
    if (r->run.stopped) fprintf(stderr, "thixis run: stopped after %d of %d steps\n", r->run.steps, r->steps);
    r->steps = r->run.steps;
    r->hash = tx_sim_hash(r->sim);
    if (r->run.result == TX_OK) r->run.result = tx_sim_forward(r->sim);
    if (r->run.result != TX_OK) {
        fprintf(stderr, "thixis run: %s\n", tx_result_text(r->run.result));
        return EXIT_FAILED;
    }
    describe_status(r);
    warn_not_converged("run", r->sim, &r->run.info);
    if (!deliver(r)) return EXIT_FAILED;
    if (r->run.stopped) return EXIT_STOPPED;
    return r->run.info.diverged || (r->args->sim.load.strict && r->run.info.not_converged) ? EXIT_FAILED : EXIT_OK;
}

int run_main(int argc, char **argv) {
    run_args a = {.sim = sim_args_default()};
    int operands, code = EXIT_FAILED;
    arg_outcome outcome = args_parse(&run_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    tx_model *model = load_model(&run_command, argv[0], &a.sim.load, &code);
    stop_gently();
    tx_sim *sim = model ? make_sim(&run_command, &a.sim, model, &code) : NULL;
    if (sim) {
        report r = {.args = &a, .title = model_title(model, argv[0]), .sim = sim};
        r.steps = wanted_steps(&run_command, &a.sim, sim, DEFAULT_STEPS);
        if (r.steps < 0) code = EXIT_USAGE;
        else if (problems_wanted(&a, sim, &code))
            code = open_trace(&a) && open_violations(&a) ? simulate(&r) : EXIT_FAILED;
    }
    if (a.trace_file && fclose(a.trace_file) != 0) code = EXIT_FAILED;
    if (a.violations_file && fclose(a.violations_file) != 0) code = EXIT_FAILED;
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return code;
}
