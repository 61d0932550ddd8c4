// solve.c - thixis solve: one contact problem from a file, solved alone.
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/task.h"
#include "command.h"
#include "problem/file.h"
#include "problem/kernel_list.h"
#include "problem/measures.h"
#include "report.h"
#include "setup.h"
#include "step/alone.h"

typedef struct solve_args {
    const char *solver;
    double tol;
    int iterations, threads, target, noslip;
    bool json, trace, ncp, ccp, box;
} solve_args;

static const arg_option options[] = {
    {"solver", ARG_TEXT, "S", offsetof(solve_args, solver), 0, 0, NULL, "solver (newton); 'thixis help solvers'"},
    {"tol", ARG_REAL, "T", offsetof(solve_args, tol), 0, 1e6, NULL, "tolerance; the file's if not given"},
    {"iterations", ARG_INT, "N", offsetof(solve_args, iterations), 0, 1e9, NULL, "at most; the file's if not given"},
    {"threads", ARG_INT, "N", offsetof(solve_args, threads), 1, 1024, NULL,
     "threads for the islands (1); results do not depend on it"},
    {"target", ARG_CHOICE, "T", offsetof(solve_args, target), 0, 0, TARGET_CHOICES,
     TARGET_CHOICES "; results do not depend on it"},
    {"ncp", ARG_FLAG, NULL, offsetof(solve_args, ncp), 0, 0, NULL, "rigid contacts obey Coulomb's law (the default)"},
    {"ccp", ARG_FLAG, NULL, offsetof(solve_args, ccp), 0, 0, NULL, "they obey the convex law: what slides lifts off"},
    {"box", ARG_FLAG, NULL, offsetof(solve_args, box), 0, 0, NULL,
     "friction is bounded row by row: another model, not isotropic"},
    {"noslip", ARG_INT, "N", offsetof(solve_args, noslip), 0, 100000, NULL,
     "sweeps of the pass against slip afterwards (0); a file holds the problem of the law alone"},
    {"trace", ARG_FLAG, NULL, offsetof(solve_args, trace), 0, 0, NULL,
     "how far it was before every iteration; the solve error of every iteration costs a solve with A"},
    {"json", ARG_FLAG, NULL, offsetof(solve_args, json), 0, 0, NULL, "print the report as JSON"},
};

const arg_command solve_command = {
    .name = "solve",
    .summary = "solves one contact problem alone",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "FILE was written by 'run --problems', or holds W, q and mu of a friction problem (docs/problem.md), "
             "which only\n"
             "pgs, nsgs, apgd and bb can solve. Neither model nor simulation is needed. Exit code 0 when the solver "
             "reached its tolerance or rounding, 1\n"
             "when it did not or the file is no good.\n\n"
             "examples:\n"
             "  thixis run scenes/humanoid.xml --problems problems --every 50\n"
             "  thixis solve problems/00000300.txp --tol 1e-12 --json\n"
             "  thixis solve KaplasTower-i1061-4.bin --solver nsgs --tol 1e-8",
};

typedef struct outcome {
    const char *file, *solver;
    double seconds;
    bool converged;
} outcome;

static double first(const void *number) { return *(const double *)number; }

// a dense problem is one island
static int island_count(const tx_bare *b) { return b->problem.ncons == 0 ? 0 : b->large ? b->islands.count : 1; }

// what rigid contacts are asked to obey
static const char *model_name(const tx_problem *p) {
    for (int i = 0; i < p->ncons; i++) {
        if (p->cons[i].kernel == KERNEL_coulomb) return "ncp";
        if (p->cons[i].kernel == KERNEL_ccp) return "ccp";
        if (p->cons[i].kernel == KERNEL_box) return "box friction (a different model)";
    }
    return NULL;
}

static void measures_json(json_t *report, const tx_problem *p) {
    const tx_measures m = tx_problem_measures(p);
    if (m.contacts == 0) return;
    if (model_name(p)) json_object_set_new(report, "model", json_string(model_name(p)));
    json_object_set_new(report, "residual_ncp", json_number(m.residual_ncp));
    json_object_set_new(report, "residual_ccp", json_number(m.residual_ccp));
    json_object_set_new(report, "residual_worst", json_number(m.residual_worst));
    json_object_set_new(report, "approach", json_number(m.worst.approach));
    json_object_set_new(report, "pull", json_number(m.worst.pull));
    json_object_set_new(report, "work", json_number(m.worst.work));
    json_object_set_new(report, "excess", json_number(m.worst.excess));
    json_object_set_new(report, "dissipation", json_number(m.worst.dissipation));
    json_object_set_new(report, "slip", json_number(m.worst.slip));
}

static void measures_text(const tx_problem *p) {
    const tx_measures m = tx_problem_measures(p);
    if (m.contacts == 0) return;
    printf("%d contacts%s%s: residual_ncp %.1e, residual_ccp %.1e\n", m.contacts, model_name(p) ? ", " : "",
           model_name(p) ? model_name(p) : "", m.residual_ncp, m.residual_ccp);
    printf("worst violations: approach %.1e, pull %.1e, work %.1e, beyond the cone %.1e, dissipation %.1e; slip %.1e\n",
           m.worst.approach, m.worst.pull, m.worst.work, m.worst.excess, m.worst.dissipation, m.worst.slip);
}

// of the largest island
static const char *solver_used(const tx_bare *b) { return tx_solver_name((int)first(b->problem.solver_used)); }

static const char *const STOPS[] = {"reached its tolerance or rounding", "rounding allows no better answer",
                                    "limit of iterations", "the gradient no longer became smaller",
                                    "no way down was found"};

static json_t *trace_json(const tx_trace *trace) {
    json_t *list = json_array();
    for (int i = 0; i < trace->count && i < trace->room; i++) {
        const tx_trace_point *at = &trace->points[i];
        json_t *point = json_object();
        json_object_set_new(point, "island", json_integer(at->island));
        json_object_set_new(point, "iteration", json_integer(at->iteration));
        json_object_set_new(point, "gradient", json_number(at->gradient));
        json_object_set_new(point, "solve_error", json_number(at->solve_error));
        json_object_set_new(point, "step", json_number(at->step));
        json_array_append_new(list, point);
    }
    return list;
}

static void write_trace_text(const tx_trace *trace) {
    printf("%8s %9s %10s %11s %10s\n", "island", "iteration", "gradient", "solve error", "step");
    for (int i = 0; i < trace->count && i < trace->room; i++) {
        const tx_trace_point *at = &trace->points[i];
        printf("%8d %9d %10.2e %11.2e %10.3g\n", at->island, at->iteration, at->gradient, at->solve_error, at->step);
    }
    if (trace->count > trace->room) printf("... and %d more\n", trace->count - trace->room);
}

static bool write_solve_json(const tx_bare *b, const outcome *o) {
    const tx_problem *p = &b->problem;
    json_t *report = json_object();
    json_object_set_new(report, "problem", json_string(o->file));
    json_object_set_new(report, "law", json_string(b->law));
    json_object_set_new(report, "solver", json_string(o->solver));
    json_object_set_new(report, "solver_used", json_string(solver_used(b)));
    json_object_set_new(report, "rows", json_integer(p->nrows));
    json_object_set_new(report, "dofs", json_integer(p->nv));
    json_object_set_new(report, "islands", json_integer(island_count(b)));
    json_object_set_new(report, "solve_error", json_number(first(p->solve_error)));
    json_object_set_new(report, "iterations", json_integer((json_int_t)first(p->iterations)));
    json_object_set_new(report, "products", json_integer(b->products));
    json_object_set_new(report, "seconds", json_number(o->seconds));
    json_object_set_new(report, "converged", json_boolean(o->converged));
    measures_json(report, p);
    if (p->trace) json_object_set_new(report, "trace", trace_json(p->trace));
    json_object_set_new(report, "stop", json_string(STOPS[p->unsolved[0]]));
    return write_json(report, stdout);
}

static void write_solve_text(const tx_bare *b, const outcome *o) {
    const tx_problem *p = &b->problem;
    printf("%s: law %s, %d rows in %d constraints, %d dofs, %d island%s%s\n", o->file, b->law, p->nrows, p->ncons,
           p->nv, island_count(b), island_count(b) == 1 ? "" : "s", b->large ? "" : " (dense)");
    const char *used = solver_used(b);
    const bool chosen = strcmp(used, o->solver) != 0;
    printf("%s%s%s%s: solve error %.1e, gradient %.1e (tolerance %g), %g iterations, %lld products, %.3g s\n",
           o->solver, chosen ? " (" : "", chosen ? used : "", chosen ? ")" : "", first(p->solve_error),
           first(p->gradient), p->opt.tolerance, first(p->iterations), b->products, o->seconds);
    measures_text(p);
    if (p->trace) write_trace_text(p->trace);
    if (o->converged) printf("converged\n");
    else printf("not converged: %s\n", STOPS[p->unsolved[0]]);
}

static int find_solver(const char *name) {
    for (int s = 0; tx_solver_name(s); s++)
        if (strcmp(tx_solver_name(s), name) == 0) return s;
    return -1;
}

static int solve_file(tx_bare *b, const solve_args *a, const tx_target *target, int solver, const char *file) {
    outcome o = {.file = file, .solver = tx_solver_name(solver)};
    const char *why;
    if (a->tol >= 0) b->problem.opt.tolerance = a->tol;
    if (a->iterations >= 0) b->problem.opt.iterations = a->iterations;
    if (a->ncp || a->ccp || a->box) {
        const int kernel = a->ncp ? KERNEL_coulomb : a->ccp ? KERNEL_ccp : KERNEL_box;
        if (tx_problem_set_kernel(&b->problem, kernel) == 0)
            fprintf(stderr, "%s: warning: it has no rigid contacts: --ncp, --ccp and --box change nothing\n", file);
    }
    enum { TRACE_ROOM = 100000 };
    tx_trace trace = {.points = a->trace ? tx_alloc(TRACE_ROOM * sizeof *trace.points) : NULL};
    if (trace.points) trace.room = TRACE_ROOM, b->problem.trace = &trace;
    b->problem.opt.noslip_iterations = a->noslip, b->problem.opt.noslip_tolerance = 1e-6;
    tx_pool *pool = a->threads > 1 ? tx_pool_create(a->threads) : NULL;
    double start = tx_clock();
    bool tried = tx_solve_alone(target, b, solver, pool, &why);
    o.seconds = tx_clock() - start;
    tx_pool_destroy(pool);
    if (!tried) {
        fprintf(stderr, "%s: error: problem file: %s\n", file, why);
        if (!target->solver_takes(solver, &b->problem)) {
            fprintf(stderr, "these can:\n");
            for (int s = 0; tx_solver_name(s); s++)
                if (target->solver_takes(s, &b->problem)) fprintf(stderr, "  --solver %s\n", tx_solver_name(s));
        }
        tx_free(trace.points);
        return EXIT_FAILED;
    }
    o.converged = tx_alone_converged(b);
    bool written = true;
    if (!a->json) write_solve_text(b, &o);
    else written = write_solve_json(b, &o);
    tx_free(trace.points);
    return o.converged && written ? EXIT_OK : EXIT_FAILED;
}

int solve_main(int argc, char **argv) {
    solve_args a = {.tol = -1, .iterations = -1, .threads = 1};
    int operands;
    arg_outcome parsed = args_parse(&solve_command, argc, argv, &a, &operands);
    if (parsed != ARGS_RUN) return parsed == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    const int solver = a.solver ? find_solver(a.solver) : 0;
    if (solver < 0) {
        args_error(&solve_command, "unknown solver '%s'; there is:", a.solver);
        for (int s = 0; tx_solver_name(s); s++) fprintf(stderr, "  --solver %s\n", tx_solver_name(s));
        return EXIT_USAGE;
    }
    if (a.ncp + a.ccp + a.box > 1) {
        args_error(&solve_command, "--ncp, --ccp and --box exclude each other");
        return EXIT_USAGE;
    }
    const tx_target *target = tx_target_single((tx_target_choice)a.target);
    if (!target) {
        fprintf(stderr, "thixis solve: this machine cannot run target %s\n", target_name((tx_target_choice)a.target));
        return EXIT_FAILED;
    }
    tx_bare b;
    tx_diag diag = {0};
    int code = EXIT_FAILED;
    if (tx_problem_read(&b, argv[0], &diag)) code = solve_file(&b, &a, target, solver, argv[0]);
    print_diagnostics(&diag);
    tx_diag_free(&diag);
    tx_bare_destroy(&b);
    return code;
}
