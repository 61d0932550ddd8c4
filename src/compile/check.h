// check.h - the checks of a model before it is compiled.
#pragma once
#include <math.h>

#include "base/diag.h"
#include "compile/names.h"

/// Says what is wrong with a definition, where it stands; `diag` is in scope.
#define FAIL(source, hint, ...) \
    tx_diag_add(diag, TX_ERROR, (source).file, (source).line, (source).column, hint, __VA_ARGS__)

static inline const char *name_or(const char *name) { return name[0] ? name : "(no name)"; }

/// Whether all numbers are finite and of ordinary size.
static inline bool good(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= 1e10)) return false;
    return true;
}

static inline bool tx_is_limited(tx_switch flag, const double range[2]) {
    return flag == TX_AUTO ? range[0] < range[1] : flag == TX_ON;
}

/// Reports every problem of the definitions. @return false when there was an error
bool tx_check(const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);

bool tx_has_limits(const tx_joint_def *joint);

/// Reports a free joint of a body that is not a child of the world.
void tx_check_free(const tx_joint_def *joint, int parent, tx_diag *diag);
