// solvers.c - primal solvers on recorded problems, taking turns in one process: solvers PROBLEM... prints a CSV line
// for each problem and solver. Time is the thread's own processor time, the least of several rounds; bench/solvers_run
// calls it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "problem/file.h"
#include "step/alone.h"
#include "thixis/sim.h"

static const char *const NAMES[] = {"newton", "cg", "newton-pcg", "auto"};
enum { SOLVERS_TRIED = 4, ROUNDS = 5 };
static const double ENOUGH = 3; // seconds of one problem and solver

static double cpu_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int find_solver(const char *name) {
    int s = 0;
    while (tx_solver_name(s) && strcmp(tx_solver_name(s), name) != 0) s++;
    return s;
}

static double number(const void *at) { return *(const double *)at; }

// one solve as a step does it: islands and the pattern of the factor are found anew
static double solve(const char *path, int solver, tx_bare *b) {
    tx_diag diag = {0};
    const char *why;
    if (!tx_problem_read(b, path, &diag)) exit((fprintf(stderr, "%s: cannot be read\n", path), 1));
    tx_diag_free(&diag);
    b->problem.opt.iterations = 10000;
    const double start = cpu_clock();
    if (!tx_solve_alone(tx_target_single(TX_TARGET_AUTO), b, solver, NULL, &why))
        exit((fprintf(stderr, "%s: %s\n", path, why), 1));
    return cpu_clock() - start;
}

static void compare(const char *path) {
    double best[SOLVERS_TRIED], spent[SOLVERS_TRIED] = {0};
    for (int s = 0; s < SOLVERS_TRIED; s++) best[s] = 1e30;
    for (int round = 0; round < ROUNDS; round++)
        for (int s = 0; s < SOLVERS_TRIED; s++) {
            if (round > 0 && spent[s] > ENOUGH) continue;
            tx_bare b;
            const double seconds = solve(path, find_solver(NAMES[s]), &b);
            spent[s] += seconds;
            if (seconds < best[s]) best[s] = seconds;
            const bool last = round == ROUNDS - 1 || spent[s] > ENOUGH;
            if (last) {
                int most = 0;
                for (int i = 0; i < b.islands.count; i++)
                    if (tx_islands_dofs(&b.islands, i) > most) most = tx_islands_dofs(&b.islands, i);
                printf("%s,%d,%d,%d,%s,%s,%.6g,%g,%lld,%.2g,%.2g,%d\n", path, b.problem.nv / 6, b.problem.ncons, most,
                       NAMES[s], tx_solver_name((int)number(b.problem.solver_used)), 1e3 * best[s],
                       number(b.problem.iterations), b.products, number(b.problem.solve_error),
                       number(b.problem.gradient), b.problem.unsolved[0]);
                fflush(stdout);
            }
            tx_bare_destroy(&b);
        }
}

int main(int argc, char **argv) {
    printf("problem,bodies,contacts,island_dofs,solver,used,ms,iterations,products,solve_error,gradient,stop\n");
    for (int i = 1; i < argc; i++) compare(argv[i]);
    return 0;
}
