// fuzz_problem.c - problem files with wrong numbers and a right checksum: refused with one reason, or solved by both
// paths without a crash, and finite wherever it says converged.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "problem/file.h"
#include "step/alone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_AT = 16, HASH_AT = 24, HASHED_FROM = 32 };

// makes size and checksum right where there is room for them
static void repair(char *bytes, size_t size) {
    if (size < HASHED_FROM) return;
    const uint64_t length = size, hash = tx_hash(TX_HASH_START, bytes + HASHED_FROM, size - HASHED_FROM);
    memcpy(bytes + SIZE_AT, &length, sizeof length);
    memcpy(bytes + HASH_AT, &hash, sizeof hash);
}

static void solve(tx_bare *b) {
    const char *why;
    b->problem.opt.iterations = b->problem.opt.iterations % 50;
    b->problem.opt.ls_iterations = b->problem.opt.ls_iterations % 50 + 1;
    for (int large = b->problem.nv > TX_DENSE_DOFS; large < 2; large++) {
        b->large = large;
        if (!tx_solve_alone(tx_target_single(TX_TARGET_SCALAR), b, 0, NULL, &why)) {
            if (!why) abort();
            continue;
        }
        const double error = *(const double *)b->problem.solve_error;
        if (tx_alone_converged(b) && !(isfinite(error) && error >= 0)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = tx_alloc(size);
    if (!bytes) return 0;
    if (size) memcpy(bytes, data, size);
    repair(bytes, size);
    tx_bare b;
    tx_diag diag = {0};
    bool good = tx_problem_from_bytes(&b, bytes, size, "fuzz.txp", &diag);
    if (good != (diag.errors == 0)) abort();
    if (good) solve(&b);
    tx_bare_destroy(&b);
    tx_diag_free(&diag);
    tx_free(bytes);
    return 0;
}
