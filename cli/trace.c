// trace.c - the iterations of one step, seen by solving its problem alone.
#include "trace.h"

#include "base/memory.h"
#include "problem/file.h"
#include "sim/internal.h"
#include "step/alone.h"

bool trace_step(FILE *out, tx_sim *sim, int env, int step) {
    enum { TRACE_ROOM = 20000 };
    size_t size = 0;
    tx_bare b = {0};
    tx_diag diag = {0};
    const char *why;
    void *bytes = tx_sim_problem_bytes(sim, env, &size);
    tx_trace trace = {.points = tx_alloc(TRACE_ROOM * sizeof *trace.points), .room = TRACE_ROOM};
    bool ok = bytes && trace.points && tx_problem_from_bytes(&b, bytes, size, "trace", &diag);
    if (ok) {
        b.problem.trace = &trace;
        ok = tx_solve_alone(tx_target_single(TX_TARGET_AUTO), &b, tx_sim_options(sim).solver, NULL, &why);
    }
    for (int i = 0; ok && i < trace.count && i < trace.room; i++) {
        const tx_trace_point *at = &trace.points[i];
        fprintf(out, "%d,%d,%d,%.17g,%.17g,%.17g\n", step, at->island, at->iteration, at->gradient, at->solve_error,
                at->step);
    }
    if (!ok) fprintf(stderr, "thixis run: there is not enough memory for the trace of step %d\n", step);
    tx_bare_destroy(&b), tx_diag_free(&diag);
    tx_free(trace.points), tx_free(bytes);
    return ok && !ferror(out);
}
