// setup.c - model and simulation as the options ask for, with messages a person can act on.
#include "setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load/text.h"
#include "settings.h"

sim_args sim_args_default(void) { return (sim_args){.steps = -1, .time = -1, .envs = 1, .threads = 1}; }

// ---- model ---------------------------------------------------------------------------------------------------------

void print_diagnostics(const tx_diag *diag) {
    for (int i = 0; i < diag->count; i++) {
        // a list of places that were tried may be long
        char line[2048], *all = NULL;
        int size = tx_diag_format(diag, i, line, sizeof line);
        if (size >= (int)sizeof line && (all = malloc((size_t)size + 1)))
            tx_diag_format(diag, i, all, (size_t)size + 1);
        fprintf(stderr, "%s\n", all ? all : line);
        free(all);
    }
    int more = diag->errors + diag->warnings - diag->count;
    if (more > 0) fprintf(stderr, "and %d more\n", more);
}

// whether what a command loads may be drawn, now or later, or is only looked through
static bool wants_pictures(const char *command) {
    static const char *const commands[] = {"record", "demo", "check", "convert"};
    for (int i = 0; i < 4; i++)
        if (strcmp(command, commands[i]) == 0) return true;
    return false;
}

bool load_options(const arg_command *command, const load_args *args, tx_load_options *options) {
    const arg_list *packages = &args->packages;
    *options = tx_default_load_options();
    options->packages = packages->items;
    options->package_count = packages->count;
    options->strict = args->strict, options->collision_mass = args->collision_mass, options->visuals = args->visuals;
    options->pictures = wants_pictures(command->name);
    const char *coordinates = args->coordinates ? args->coordinates : "";
    options->maximal = strcmp(coordinates, tx_coordinates_name(TX_COORDINATES_MAXIMAL)) == 0;
    options->reduced = strcmp(coordinates, tx_coordinates_name(TX_COORDINATES_REDUCED)) == 0;
    if (coordinates[0] && !options->maximal && !options->reduced) {
        args_error(command, "--coordinates is reduced or maximal, not '%s'", coordinates);
        return false;
    }
    for (int i = 0; i < packages->count; i++) {
        const char *equals = strchr(packages->items[i], '=');
        if (equals && equals > packages->items[i] && equals[1]) continue;
        args_error(command, "--package wants NAME=DIR, not '%s'", packages->items[i]);
        return false;
    }
    return true;
}

tx_model *load_model(const arg_command *command, const char *path, const load_args *args, int *code) {
    tx_diag diag = {0};
    tx_load_options options;
    if (!load_options(command, args, &options)) {
        *code = EXIT_USAGE;
        return NULL;
    }
    tx_model *model = tx_load_file_with(path, &options, &diag);
    print_diagnostics(&diag);
    if (!model && diag.errors == 0) fprintf(stderr, "%s: error: out of memory\n", path);
    tx_diag_free(&diag);
    return model;
}

const char *model_title(const tx_model *model, const char *path) {
    const char *name = tx_model_name(model);
    return name && name[0] ? name : path;
}

void geom_title(const tx_model *model, int geom, char *out, size_t size) {
    const char *name = tx_element_name(model, TX_ELEMENT_GEOM, geom);
    if (name && name[0]) snprintf(out, size, "%s", name);
    else snprintf(out, size, "geom %d", geom);
}

// ---- targets -------------------------------------------------------------------------------------------------------

bool target_exists(tx_target_choice choice) { return tx_target_lanes(choice) > 0; }

const char *target_name(tx_target_choice choice) { return tx_list_name(TX_LIST_TARGET, (int)choice); }

static void no_sim(const arg_command *c, const sim_args *args, const tx_diag *diag) {
    if (target_exists((tx_target_choice)args->target)) {
        const char *why = diag->count > 0 ? diag->messages[0].text : "out of memory";
        const char *hint = diag->count > 0 ? diag->messages[0].hint : "";
        fprintf(stderr, "thixis %s: %s%s%s\n", c->name, why, hint[0] ? " — " : "", hint);
        return;
    }
    fprintf(stderr, "thixis %s: this machine cannot run target %s; it has", c->name,
            target_name((tx_target_choice)args->target));
    for (int t = TX_TARGET_SCALAR; t <= TX_TARGET_AVX512; t++)
        if (target_exists((tx_target_choice)t)) fprintf(stderr, " %s", target_name((tx_target_choice)t));
    fprintf(stderr, "\n");
}

// ---- law and solver ------------------------------------------------------------------------------------------------

static bool pair_exists(int law, int solver) { return tx_solver_solves(solver, law); }

// index of a name in the table that `name_of` reads, -1: not there
static int find_name(const char *(*name_of)(int), const char *name) {
    for (int i = 0; name_of(i); i++)
        if (strcmp(name_of(i), name) == 0) return i;
    return -1;
}

// a row a law, a column a solver: its name where the pair exists
void list_pairs(FILE *out) {
    fprintf(out, "the pairs that exist:\n  %-15s--solver\n", "--law");
    for (int l = 0; tx_law_name(l); l++) {
        int gap = fprintf(out, "  %s", tx_law_name(l)), column = 17;
        for (int s = 0; tx_solver_name(s); column += (int)strlen(tx_solver_name(s++)) + 2)
            if (pair_exists(l, s)) gap += fprintf(out, "%*s%s", column - gap, "", tx_solver_name(s));
        fprintf(out, "\n");
    }
    fprintf(out, "the integrators that go with each law:\n  %-15s--set integrator=\n", "--law");
    for (int l = 0; tx_law_name(l); l++) {
        fprintf(out, "  %-15s", tx_law_name(l));
        for (int i = 0, some = 0; i < TX_INTEGRATOR_COUNT; i++)
            if (tx_law_integrates(l, (tx_integrator)i)) fprintf(out, "%s%s", some++ ? "  " : "", integrator_name(i));
        fprintf(out, "\n");
    }
}

// a law alone takes the file's solver if that can solve it, else its own
static bool choose_pair(const arg_command *c, const sim_args *args, tx_options *o) {
    int law = args->law ? find_name(tx_law_name, args->law) : o->law;
    int solver = args->solver ? find_name(tx_solver_name, args->solver) : o->solver;
    if (law >= 0 && !args->solver && !pair_exists(law, solver)) solver = tx_law_solver(law);
    if (law < 0) args_error(c, "unknown law '%s'", args->law);
    else if (solver < 0) args_error(c, "unknown solver '%s'", args->solver);
    else if (!pair_exists(law, solver))
        args_error(c, "solver %s cannot solve law %s", tx_solver_name(solver), tx_law_name(law));
    else if (!tx_law_integrates(law, (tx_integrator)o->integrator))
        args_error(c, "law %s does not go with integrator %s", tx_law_name(law), integrator_name(o->integrator));
    else {
        o->law = law, o->solver = solver;
        return true;
    }
    list_pairs(stderr);
    return false;
}

// ---- options and start ---------------------------------------------------------------------------------------------

static bool set_options(const arg_command *c, const sim_args *args, tx_sim *sim) {
    settings s = {.options = tx_sim_options(sim)};
    char why[512];
    for (int i = 0; i < args->set.count; i++)
        if (!settings_apply(&s, args->set.items[i], why, sizeof why)) {
            args_error(c, "%s", why);
            return false;
        }
    if (args->dt > 0) s.options.timestep = args->dt;
    if (!choose_pair(c, args, &s.options)) return false;
    tx_result result = tx_sim_set_options(sim, &s.options);
    if (result != TX_OK) {
        bool table = result == TX_ERROR_UNSUPPORTED && s.options.broadphase == TX_BROADPHASE_TABLE;
        char text[256];
        tx_options_text(&s.options, text, sizeof text);
        if (table)
            args_error(c, "the model has too many pairs for a table and was made for the sweep — leave broadphase out");
        else args_error(c, "--set: %s", text);
        return false;
    }
    double *gravity = s.has_gravity ? tx_sim_param(sim, TX_PARAM_GRAVITY) : NULL;
    for (int e = 0; gravity && e < tx_sim_envs(sim); e++) memcpy(gravity + 3 * e, s.gravity, sizeof s.gravity);
    if (gravity) tx_sim_params_changed(sim);
    return true;
}

int start_key(const sim_args *args, const tx_model *model) {
    int keys = tx_model_size(model, TX_SIZE_NKEY), index;
    if (!args->keyframe) return keys > 0 ? 0 : -1;
    int key = tx_element_find(model, TX_ELEMENT_KEY, args->keyframe);
    tx_number_problem problem;
    if (key >= 0) return key;
    if (strcmp(args->keyframe, "none") == 0) return -1;
    bool is_index = tx_read_ints(args->keyframe, &index, 1, &problem) == 1 && index >= 0 && index < keys;
    return is_index ? index : -2;
}

static bool set_start(const arg_command *c, const sim_args *args, tx_sim *sim) {
    const tx_model *model = tx_sim_model(sim);
    int keys = tx_model_size(model, TX_SIZE_NKEY), key = start_key(args, model);
    if (key == -2) {
        args_error(c, "no keyframe '%s'; the model has %d%s", args->keyframe, keys, keys ? ":" : "");
        for (int k = 0; k < keys; k++) fprintf(stderr, "  %d %s\n", k, tx_element_name(model, TX_ELEMENT_KEY, k));
        return false;
    }
    return tx_sim_reset(sim, key, NULL) == TX_OK;
}

tx_sim *make_sim(const arg_command *c, const sim_args *args, const tx_model *model, int *code) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = args->envs, def.threads = args->threads, def.target = (tx_target_choice)args->target;
    tx_diag diag = {0};
    def.diag = &diag;
    tx_sim *sim = tx_sim_create(model, &def);
    if (!sim) {
        no_sim(c, args, &diag);
        tx_diag_free(&diag);
        *code = EXIT_FAILED;
        return NULL;
    }
    if (set_options(c, args, sim) && set_start(c, args, sim)) return sim;
    *code = EXIT_USAGE;
    tx_sim_destroy(sim);
    return NULL;
}

int wanted_steps(const arg_command *c, const sim_args *args, const tx_sim *sim, int default_steps) {
    if (args->steps >= 0 && args->time >= 0) {
        args_error(c, "--steps and --time exclude each other");
        return -1;
    }
    if (args->time < 0) return args->steps >= 0 ? args->steps : default_steps;
    double steps = round(args->time / tx_sim_options(sim).timestep);
    if (steps <= 1e9) return (int)steps;
    args_error(c, "--time %g is more than 1e9 steps of %g s", args->time, tx_sim_options(sim).timestep);
    return -1;
}
