// friction_siconos.c - friction problems solved by Thixis and by Siconos, and each answer measured by both.
//   friction_siconos FILE...   a row of a Markdown table for each; bench/friction --siconos builds and runs it
// Both iterate contact by contact with exact local solves (`nsgs`), cold, to 1e-8 of their own error: ours is the
// unit-free natural map of docs/residual.md, theirs the natural map with ρ = 1 over the norm of q. CPU time of one
// thread.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <siconos/numerics/fc3d_Solvers.h>
#include <siconos/numerics/fc3d_compute_error.h>

#include "problem/file.h"
#include "problem/measures.h"
#include "step/alone.h"

enum { SWEEPS = 100000 };
static const double TOLERANCE = 1e-8;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int solver_index(const char *name) {
    int i = 0;
    while (tx_solver_name(i) && strcmp(tx_solver_name(i), name) != 0) i++;
    return i;
}

// y = W r + q
static void velocities(const tx_bare *b, const double *r, double *y) {
    const tx_problem *p = &b->problem;
    memcpy(y, p->y_free, sizeof *y * 3 * (size_t)p->ncons);
    for (int i = 0; i < p->ncons; i++)
        for (int k = b->W.start[i]; k < b->W.start[i + 1]; k++)
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++)
                    y[3 * i + row] += b->W.block[9 * k + 3 * row + column] * r[3 * b->W.col[k] + column];
}

// our measure of forces
static double our_error(tx_bare *b, const double *r) {
    tx_problem *p = &b->problem;
    if (r != p->gamma) memcpy(p->gamma, r, sizeof *r * 3 * (size_t)p->ncons);
    velocities(b, p->gamma, p->y);
    return tx_problem_measures(p).residual_ncp;
}

// the same problem for Siconos: the blocks of W by columns
static FrictionContactProblem *their_problem(const tx_bare *b, double *mu) {
    const int contacts = b->problem.ncons, blocks = b->W.start[contacts];
    const size_t room = (size_t)contacts;
    double *q = malloc(3 * room * sizeof *q), *numbers = malloc(9 * (size_t)blocks * sizeof *numbers);
    SparseBlockStructuredMatrix *W = calloc(1, sizeof *W);
    *W = (SparseBlockStructuredMatrix){
        .nbblocks = (unsigned)blocks, .blocknumber0 = (unsigned)contacts, .blocknumber1 = (unsigned)contacts};
    W->filled1 = room + 1, W->filled2 = (size_t)blocks;
    W->block = malloc((size_t)blocks * sizeof *W->block);
    W->blocksize0 = malloc(room * sizeof *W->blocksize0), W->blocksize1 = malloc(room * sizeof *W->blocksize1);
    W->index1_data = malloc((room + 1) * sizeof *W->index1_data),
    W->index2_data = malloc((size_t)blocks * sizeof *W->index2_data);
    for (int i = 0; i <= contacts; i++) W->index1_data[i] = (size_t)b->W.start[i];
    for (int i = 0; i < contacts; i++) {
        W->blocksize0[i] = W->blocksize1[i] = 3 * (unsigned)(i + 1);
        mu[i] = ((const double *)b->problem.numbers)[TX_KERNEL_NUMBERS * i + TX_NUMBER_MU];
    }
    for (int k = 0; k < blocks; k++) {
        W->block[k] = numbers + 9 * k, W->index2_data[k] = (size_t)b->W.col[k];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) W->block[k][3 * c + r] = b->W.block[9 * k + 3 * r + c];
    }
    memcpy(q, b->problem.y_free, 3 * room * sizeof *q);
    NumericsMatrix *M = NM_new();
    M->storageType = NM_SPARSE_BLOCK, M->size0 = M->size1 = 3 * contacts, M->matrix1 = W;
    return frictionContactProblem_new_with_data(3, contacts, M, q, mu);
}

static int row(const char *path) {
    tx_bare b;
    tx_diag diag = {0};
    if (!tx_problem_read(&b, path, &diag)) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 1;
    }
    const char *why, *name = strrchr(path, '/');
    const int n = 3 * b.problem.ncons;
    const size_t bytes = sizeof(double) * (size_t)n;
    double *ours = malloc(bytes), *r = calloc((size_t)n, sizeof *r), *u = calloc((size_t)n, sizeof *u),
           *w = calloc((size_t)n, sizeof *w), *mu = malloc(bytes);
    b.problem.opt.tolerance = TOLERANCE, b.problem.opt.iterations = SWEEPS;

    double start = seconds();
    if (!tx_solve_alone(tx_target_single(TX_TARGET_AUTO), &b, solver_index("nsgs"), NULL, &why)) {
        fprintf(stderr, "%s: %s\n", path, why);
        return 1;
    }
    const double our_time = seconds() - start, sweeps = *(const double *)b.problem.iterations;
    memcpy(ours, b.problem.gamma, bytes);

    FrictionContactProblem *problem = their_problem(&b, mu);
    SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = TOLERANCE, options->iparam[SICONOS_IPARAM_MAX_ITER] = SWEEPS;
    start = seconds();
    fc3d_driver(problem, r, u, options);
    const double their_time = seconds() - start;

    // each answer in both measures
    double square = 0, own = 0, crossed = 0, apart = 0, largest = 0;
    for (int i = 0; i < n; i++) square += problem->q[i] * problem->q[i];
    fc3d_compute_error(problem, r, w, TOLERANCE, options, sqrt(square), &own);
    memcpy(w, ours, bytes);
    double *y = calloc((size_t)n, sizeof *y);
    fc3d_compute_error(problem, ours, y, TOLERANCE, options, sqrt(square), &crossed);
    const double ours_by_us = our_error(&b, ours);
    memcpy(y, b.problem.y, bytes);
    const double theirs_by_us = our_error(&b, r);
    for (int i = 0; i < n; i++) {
        apart = fmax(apart, fabs(y[i] - ((const double *)b.problem.y)[i]));
        largest = fmax(largest, fabs(problem->q[i]));
    }
    printf("| %s | %d | %.0f | %.3g | %.0e | %.0e | %d | %.3g | %.0e | %.0e | %.0e |\n", name ? name + 1 : path, n / 3,
           sweeps, 1e3 * our_time, ours_by_us, crossed, options->iparam[SICONOS_IPARAM_ITER_DONE], 1e3 * their_time,
           theirs_by_us, own, apart / largest);
    fflush(stdout);
    free(ours), free(r), free(u), free(w), free(y);
    tx_bare_destroy(&b);
    return 0;
}

int main(int argc, char **argv) {
    int failed = 0;
    printf("| problem | contacts | sweeps | ms | our error | Siconos' error of ours | Siconos: sweeps | ms | our error "
           "of it | its error | velocities "
           "apart, of the largest in q |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 1; i < argc; i++) failed |= row(argv[i]);
    return failed;
}
