// compare.c - thixis compare: the same contact problems through every solver.
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "command.h"
#include "picture.h"
#include "problem/file.h"
#include "problem/kernel_list.h"
#include "problem/measures.h"
#include "report.h"
#include "setup.h"
#include "step/alone.h"

typedef struct compare_args {
    sim_args sim;
    const char *solvers, *laws, *models, *report, *figures;
    double tol;
    int every, iterations;
    bool json;
} compare_args;

static const arg_option options[] = {
    {"solvers", ARG_TEXT, "a,b", offsetof(compare_args, solvers), 0, 0, NULL, "solvers (all)"},
    {"laws", ARG_TEXT, "a,b", offsetof(compare_args, laws), 0, 0, NULL, "laws of a model's problems (the file's)"},
    {"models", ARG_TEXT, "ncp,ccp,box", offsetof(compare_args, models), 0, 0, NULL,
     "what rigid contacts obey (ncp,ccp); each is a table of its own"},
    {"tol", ARG_REAL, "T", offsetof(compare_args, tol), 0, 1, NULL,
     "solve error, or gradient of primal solvers (1e-6)"},
    {"iterations", ARG_INT, "N", offsetof(compare_args, iterations), 1, 1e6, NULL, "at most (20000)"},
    {"every", ARG_INT, "K", offsetof(compare_args, every), 1, 1e9, NULL, "problems of steps 0, K, 2K ... (50)"},
    {"report", ARG_TEXT, "FILE", offsetof(compare_args, report), 0, 0, NULL, "writes self-contained HTML"},
    {"figures", ARG_TEXT, "FOLDER", offsetof(compare_args, figures), 0, 0, NULL,
     "each figure of the report as SVG too"},
    {"json", ARG_FLAG, NULL, offsetof(compare_args, json), 0, 0, NULL, "print the rows as JSON"},
    SIM_OPTIONS(compare_args, sim),
};

const arg_command compare_command = {
    .name = "compare",
    .summary = "the same contact problems through every solver: a table, JSON, HTML",
    .operands = "FILE...",
    .least = 1,
    .most = 64,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "A FILE is a problem (.txp of 'run --problems', .bin) or a model, which is run for --steps or --time and\n"
             "gives the problem of every K-th step. `residual` is the solve error of a row's own law: compare solvers\n"
             "inside one law and model only. Pairs that do not exist are listed and skipped.\n\n"
             "examples:\n"
             "  thixis compare scenes/humanoid.xml --time 2 --solvers newton,cg,pgs,apgd --report humanoid.html\n"
             "  thixis compare friction-problems/*.bin --models ncp,ccp --tol 1e-6",
};

enum { MOST_PROBLEMS = 1000, MOST_ROWS = 2000, MOST_SOLVERS = 32, MOST_PICTURES = 16 };

typedef struct comparison {
    const compare_args *a;
    const tx_target *target;
    int solvers[MOST_SOLVERS], solver_count;
    compare_problem problems[MOST_PROBLEMS];
    int problem_count;
    compare_row rows[MOST_ROWS];
    int row_count;
    compare_point *points;
    char folder[64], pictures[MOST_PICTURES][96];
    const char *picture_list[MOST_PICTURES + 1];
    int picture_count;
} comparison;

// ---- problems ------------------------------------------------------------------------------------------------------

static bool is_problem(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".txp") == 0 || strcmp(dot, ".bin") == 0);
}

static const char *base_name(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static compare_problem *add_problem(comparison *c, const char *scene) {
    if (c->problem_count == MOST_PROBLEMS) return NULL;
    compare_problem *p = &c->problems[c->problem_count++];
    *p = (compare_problem){.penetration = NAN};
    snprintf(p->scene, sizeof p->scene, "%s", scene);
    return p;
}

static double deepest(tx_sim *sim) {
    int count = 0;
    double depth = 0;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    for (int i = 0; contacts && i < count; i++) depth = fmax(depth, -contacts[i].dist);
    return depth;
}

// the next of the words of a list with commas, which are each named by name_of; -1: no such name, -2: the end
static int next_name(const char **list, const char *(*name_of)(int)) {
    if (!**list) return -2;
    const size_t length = strcspn(*list, ",");
    int found = -1;
    for (int i = 0; name_of(i) && found < 0; i++)
        if (strlen(name_of(i)) == length && strncmp(name_of(i), *list, length) == 0) found = i;
    *list += length + ((*list)[length] == ',');
    return found;
}

// the problem of this state under every law that is asked for
static bool take_problems(comparison *c, tx_sim *sim, const char *scene) {
    const tx_options kept = tx_sim_options(sim);
    const char *list = c->a->laws ? c->a->laws : tx_law_name(kept.law);
    bool ok = true;
    for (int law; ok && (law = next_name(&list, tx_law_name)) != -2;) {
        tx_options o = kept;
        o.law = law;
        for (o.solver = 0; tx_solver_name(o.solver) && !c->target->pair_exists(law, o.solver);) o.solver++;
        if (tx_sim_set_options(sim, &o) != TX_OK) {
            args_error(&compare_command, "law %s does not go with the integrator of this model", tx_law_name(law));
            list_pairs(stderr);
            return false;
        }
        compare_problem *p = add_problem(c, scene);
        if (!p) break;
        snprintf(p->path, sizeof p->path, "%s/%d.txp", c->folder, c->problem_count);
        snprintf(p->law, sizeof p->law, "%s", tx_law_name(law));
        ok = tx_sim_write_problem(sim, 0, p->path) == TX_OK;
        p->penetration = deepest(sim);
        if (!ok) fprintf(stderr, "thixis compare: cannot write %s\n", p->path);
    }
    tx_sim_set_options(sim, &kept);
    return ok;
}

static bool run_model(comparison *c, const char *path, int *code) {
    tx_model *model = load_model(&compare_command, path, &c->a->sim.load, code);
    tx_sim *sim = model ? make_sim(&compare_command, &c->a->sim, model, code) : NULL;
    const int steps = sim ? wanted_steps(&compare_command, &c->a->sim, sim, 500) : -1;
    bool ok = steps >= 0;
    for (int s = 0; ok && s <= steps; s += c->a->every) {
        ok = take_problems(c, sim, model_title(model, path));
        if (ok) tx_sim_step_n(sim, c->a->every);
    }
    if (ok && c->a->report && c->picture_count < MOST_PICTURES) {
        char *png = c->pictures[c->picture_count];
        snprintf(png, sizeof c->pictures[0], "%s/%d.png", c->folder, c->picture_count);
        picture_def def = {.width = 800,
                           .height = 450,
                           .azimuth = 130,
                           .elevation = -22,
                           .forces = true,
                           .title = model_title(model, path)};
        drive_result run = {.result = TX_OK};
        if (picture_write(sim, &run, &def, png)) c->picture_list[c->picture_count++] = png;
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return ok;
}

// ---- solving -------------------------------------------------------------------------------------------------------

static int kernel_of(const char *model) {
    return strcmp(model, "ncp") == 0 ? KERNEL_coulomb : strcmp(model, "ccp") == 0 ? KERNEL_ccp : KERNEL_box;
}

static double first(const void *number) { return *(const double *)number; }

// one solve from the file's start; NaN in us: the pair does not exist or the file is no good
static compare_point solve_once(const comparison *c, const compare_problem *p, const char *model, int solver,
                                int most) {
    compare_point r = {.us = NAN};
    tx_bare b;
    tx_diag diag = {0};
    const char *why;
    if (!tx_problem_read(&b, p->path, &diag)) {
        print_diagnostics(&diag);
        tx_diag_free(&diag);
        return r;
    }
    if (*model) tx_problem_set_kernel(&b.problem, kernel_of(model));
    b.problem.opt.tolerance = c->a->tol, b.problem.opt.iterations = most;
    r.exists = c->target->solver_takes(solver, &b.problem);
    const double start = tx_clock();
    if (r.exists && tx_solve_alone(c->target, &b, solver, NULL, &why)) {
        r.us = 1e6 * (tx_clock() - start);
        const tx_measures m = tx_problem_measures(&b.problem);
        const double none = m.contacts ? 1 : NAN;
        r.converged = tx_alone_converged(&b);
        r.iterations = first(b.problem.iterations), r.products = (double)b.products;
        r.residual = first(b.problem.solve_error);
        r.residual_ncp = none * m.residual_ncp, r.residual_ccp = none * m.residual_ccp;
        r.approach = none * m.worst.approach, r.excess = none * m.worst.excess;
        r.dissipation = none * m.worst.dissipation, r.slip = none * m.worst.slip;
    }
    tx_bare_destroy(&b);
    return r;
}

static compare_point solve_problem(const comparison *c, const compare_problem *p, const char *model, int solver) {
    compare_point r = solve_once(c, p, model, solver, c->a->iterations);
    for (int k = 0; k < COMPARE_CURVE; k++) r.curve[k] = r.curve_us[k] = NAN;
    if (!isfinite(r.us)) return r;
    // the fastest of three: the machine has other work too
    for (int again = 0; again < 2 && r.us < 1e5; again++)
        r.us = fmin(r.us, solve_once(c, p, model, solver, c->a->iterations).us);
    for (int k = 0; k < COMPARE_CURVE && c->a->report && (1 << k) <= c->a->iterations; k++) {
        const bool last = (1 << k) >= r.iterations;
        compare_point at = last ? r : solve_once(c, p, model, solver, 1 << k);
        r.curve[k] = at.residual, r.curve_us[k] = at.us;
        if (last) break;
    }
    return r;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define POINT_FIELDS(MEDIAN, WORST) \
    MEDIAN(iterations)              \
    MEDIAN(products)                \
    MEDIAN(us)                      \
    WORST(residual)                 \
    WORST(residual_ncp)             \
    WORST(residual_ccp)             \
    WORST(approach)                 \
    WORST(excess)                   \
    WORST(dissipation)              \
    WORST(slip)

// medians and worst values of a row's points
static void summarise(compare_row *row, const compare_point *points) {
    double *x = tx_alloc(sizeof *x * (size_t)row->count);
    if (!x) return;
#define MEDIAN(field)                                            \
    for (int i = 0; i < row->count; i++) x[i] = points[i].field; \
    qsort(x, (size_t)row->count, sizeof *x, ascending);          \
    row->middle.field = 0.5 * (x[(row->count - 1) / 2] + x[row->count / 2]);
#define WORST(field)                     \
    row->middle.field = points[0].field; \
    for (int i = 1; i < row->count; i++) row->middle.field = fmax(row->middle.field, points[i].field);
    POINT_FIELDS(MEDIAN, WORST)
#undef MEDIAN
#undef WORST
    for (int k = 0; k < COMPARE_CURVE; k++) {
        // a problem that is solved stays where it is
        for (int i = 0; i < row->count; i++) {
            int last = k;
            while (last > 0 && !isfinite(points[i].curve[last])) last--;
            x[i] = points[i].curve[last];
        }
        qsort(x, (size_t)row->count, sizeof *x, ascending);
        row->middle.curve[k] = x[row->count / 2];
        for (int i = 0; i < row->count; i++) {
            int last = k;
            while (last > 0 && !isfinite(points[i].curve[last])) last--;
            x[i] = points[i].curve_us[last];
        }
        qsort(x, (size_t)row->count, sizeof *x, ascending);
        row->middle.curve_us[k] = x[row->count / 2];
    }
    row->not_converged = 0;
    for (int i = 0; i < row->count; i++) row->not_converged += !points[i].converged;
    tx_free(x);
}

static bool has_rigid_contacts(const compare_problem *p) {
    tx_bare b;
    tx_diag diag = {0};
    bool rigid = false;
    if (tx_problem_read(&b, p->path, &diag))
        for (int i = 0; i < b.problem.ncons && !rigid; i++) rigid = tx_kernel_is_hard(b.problem.cons[i].kernel);
    tx_diag_free(&diag);
    tx_bare_destroy(&b);
    return rigid;
}

// problems of one scene and law stand together from here on
static int by_scene(const void *a, const void *b) {
    const compare_problem *x = a, *y = b;
    const int scene = strcmp(x->scene, y->scene), law = strcmp(x->law, y->law);
    return scene ? scene : law ? law : strcmp(x->path, y->path);
}

static bool add_rows(comparison *c, int begin, int end, const char *model, size_t *points) {
    for (int s = 0; s < c->solver_count; s++) {
        const int solver = c->solvers[s];
        const compare_problem *p = &c->problems[begin];
        compare_row row = {p->scene, p->law, model, tx_solver_name(solver), begin, end - begin, 0, {0}, NAN};
        compare_point *own = c->points + *points;
        for (int i = begin; i < end; i++) {
            own[i - begin] = solve_problem(c, &c->problems[i], model, solver);
            if (!own[i - begin].exists) break;
        }
        if (!own[0].exists) {
            fprintf(stderr, "skipped: %s cannot solve law %s%s%s of %s\n", row.solver, row.law, *model ? " " : "",
                    model, row.scene);
            continue;
        }
        for (int i = begin; i < end; i++) row.penetration = fmax(row.penetration, c->problems[i].penetration);
        summarise(&row, own);
        if (c->row_count == MOST_ROWS) return false;
        c->rows[c->row_count++] = row;
        *points += (size_t)(end - begin);
    }
    return true;
}

static const char *model_names(int i) {
    static const char *const NAMES[] = {"ncp", "ccp", "box"};
    return i < 3 ? NAMES[i] : NULL;
}

static bool make_rows(comparison *c) {
    size_t points = 0;
    qsort(c->problems, (size_t)c->problem_count, sizeof *c->problems, by_scene);
    c->points = tx_alloc(sizeof *c->points * (size_t)c->problem_count * 3 * (size_t)c->solver_count);
    if (!c->points) return false;
    for (int begin = 0, end; begin < c->problem_count; begin = end) {
        for (end = begin + 1; end < c->problem_count; end++)
            if (strcmp(c->problems[end].scene, c->problems[begin].scene) != 0 ||
                strcmp(c->problems[end].law, c->problems[begin].law) != 0)
                break;
        if (!has_rigid_contacts(&c->problems[begin])) {
            if (!add_rows(c, begin, end, "", &points)) return false;
            continue;
        }
        const char *list = c->a->models ? c->a->models : "ncp,ccp";
        for (int m; (m = next_name(&list, model_names)) != -2;)
            if (!add_rows(c, begin, end, model_names(m), &points)) return false;
    }
    return true;
}

// ---- output --------------------------------------------------------------------------------------------------------

static const char *model_text(const char *model) {
    return strcmp(model, "box") == 0 ? "box (a different model)" : *model ? model : "-";
}

static void write_table(const comparison *c) {
    printf("%-28s %-14s %-8s %-11s %9s %9s %10s %9s %9s %9s %s\n", "scene", "law", "model", "solver", "iter",
           "products", "us", "residual", "ncp", "ccp", "not converged");
    for (int i = 0; i < c->row_count; i++) {
        const compare_row *r = &c->rows[i];
        const compare_point *m = &r->middle;
        printf("%-28.28s %-14s %-8s %-11s %9.0f %9.0f %10.0f %9.1e %9.1e %9.1e %d of %d\n", r->scene, r->law,
               strcmp(r->model, "box") == 0 ? "box*"
               : *r->model                  ? r->model
                                            : "-",
               r->solver, m->iterations, m->products, m->us, m->residual, m->residual_ncp, m->residual_ccp,
               r->not_converged, r->count);
    }
    printf(
        "medians over the problems of a scene; residual, ncp and ccp: the worst. Compare inside one law and model.\n");
    for (int i = 0; i < c->row_count; i++)
        if (strcmp(c->rows[i].model, "box") == 0) {
            printf("* box friction is a different model: its answers are not Coulomb's\n");
            break;
        }
}

static bool write_rows_json(const comparison *c, const char *command) {
    struct utsname name = {0};
    uname(&name);
    json_t *report = json_object(), *opt = json_object(), *rows = json_array();
    json_object_set_new(
        report, "machine",
        json_pack("{s:s, s:s, s:s}", "system", name.sysname, "release", name.release, "processor", name.machine));
    json_object_set_new(opt, "command", json_string(command));
    json_object_set_new(opt, "tol", json_number(c->a->tol));
    json_object_set_new(opt, "iterations", json_integer(c->a->iterations));
    json_object_set_new(report, "options", opt);
    for (int i = 0; i < c->row_count; i++) {
        const compare_row *r = &c->rows[i];
        json_t *row = json_object();
        json_object_set_new(row, "scene", json_string(r->scene));
        json_object_set_new(row, "law", json_string(r->law));
        json_object_set_new(row, "solver", json_string(r->solver));
        json_object_set_new(row, "model", json_string(model_text(r->model)));
        json_object_set_new(row, "problems", json_integer(r->count));
#define FIELD(field) json_object_set_new(row, #field, json_number(r->middle.field));
        POINT_FIELDS(FIELD, FIELD)
#undef FIELD
        json_object_set_new(row, "not_converged", json_integer(r->not_converged));
        json_object_set_new(row, "penetration", json_number(r->penetration));
        json_array_append_new(rows, row);
    }
    json_object_set_new(report, "rows", rows);
    return write_json(report, stdout);
}

// whether each of the words of a list with commas is a name
static bool all_exist(const char *list, const char *(*name_of)(int), const char *what) {
    for (const char *word = list; list;) {
        const int found = next_name(&list, name_of);
        if (found == -2) return true;
        if (found == -1) {
            args_error(&compare_command, "there is no %s '%.*s'", what, (int)strcspn(word, ","), word);
            return false;
        }
        word = list;
    }
    return true;
}

static bool choose_solvers(comparison *c) {
    const char *list = c->a->solvers;
    for (int s = 0; !list && tx_solver_name(s) && s < MOST_SOLVERS; s++) c->solvers[c->solver_count++] = s;
    for (int s; list && (s = next_name(&list, tx_solver_name)) != -2 && c->solver_count < MOST_SOLVERS;)
        c->solvers[c->solver_count++] = s;
    return c->solver_count > 0;
}

// the command line again, for whoever wants to repeat it
static void command_line(int argc, char **argv, char *out, size_t size) {
    size_t at = (size_t)snprintf(out, size, "thixis compare");
    for (int i = 0; i < argc && at < size; i++) at += (size_t)snprintf(out + at, size - at, " %s", argv[i]);
}

static bool gather(comparison *c, int count, char **files, int *code) {
    for (int i = 0; i < count; i++) {
        if (!is_problem(files[i])) {
            if (!run_model(c, files[i], code)) return false;
            continue;
        }
        tx_bare b;
        tx_diag diag = {0};
        const bool good = tx_problem_read(&b, files[i], &diag);
        compare_problem *p = good ? add_problem(c, base_name(files[i])) : NULL;
        if (p) snprintf(p->path, sizeof p->path, "%s", files[i]), snprintf(p->law, sizeof p->law, "%s", b.law);
        print_diagnostics(&diag);
        tx_diag_free(&diag);
        tx_bare_destroy(&b);
        if (!p) return false;
    }
    return c->problem_count > 0;
}

static void clean_up(comparison *c) {
    for (int i = 0; i < c->problem_count; i++)
        if (strncmp(c->problems[i].path, c->folder, strlen(c->folder)) == 0) unlink(c->problems[i].path);
    for (int i = 0; i < c->picture_count; i++) unlink(c->pictures[i]);
    rmdir(c->folder);
    tx_free(c->points);
    tx_free(c);
}

int compare_main(int argc, char **argv) {
    compare_args a = {.sim = sim_args_default(), .tol = 1e-6, .iterations = 20000, .every = 50};
    char line[4096];
    int operands, code = EXIT_FAILED;
    command_line(argc, argv, line, sizeof line);
    arg_outcome parsed = args_parse(&compare_command, argc, argv, &a, &operands);
    if (parsed != ARGS_RUN) return parsed == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    if (a.figures && !a.report) {
        args_error(&compare_command, "--figures are those of --report");
        return EXIT_USAGE;
    }
    if (a.figures && mkdir(a.figures, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "thixis compare: cannot make the folder %s: %s\n", a.figures, strerror(errno));
        return EXIT_FAILED;
    }
    if (!all_exist(a.laws, tx_law_name, "law") || !all_exist(a.solvers, tx_solver_name, "solver")) {
        list_pairs(stderr);
        return EXIT_USAGE;
    }
    if (!all_exist(a.models, model_names, "model of rigid contact")) return EXIT_USAGE;
    comparison *c = tx_alloc(sizeof *c);
    if (!c) return EXIT_FAILED;
    c->a = &a, c->target = tx_target_single((tx_target_choice)a.sim.target);
    strcpy(c->folder, "/tmp/thixis-compare.XXXXXX");
    if (!mkdtemp(c->folder)) fprintf(stderr, "thixis compare: cannot make a folder for the problems in /tmp\n");
    else if (!c->target) fprintf(stderr, "thixis compare: this machine cannot run that target\n");
    else if (!choose_solvers(c)) code = EXIT_USAGE;
    else if (gather(c, operands, argv, &code) && make_rows(c)) {
        const compare_result result = {c->problems, c->problem_count, c->rows, c->row_count, c->points,
                                       line,        c->picture_list,  a.tol,   a.figures};
        code = EXIT_OK;
        if (a.json) code = write_rows_json(c, line) ? EXIT_OK : EXIT_FAILED;
        else write_table(c);
        if (a.report && !compare_report(&result, a.report)) code = EXIT_FAILED;
    }
    clean_up(c);
    return code;
}
