// check.h - the checks of a model before it is compiled.
#pragma once
#include <math.h>

#include "base/diag.h"
#include "compile/names.h"

/// Says what is wrong with a definition, where it stands; `diag` is in scope.
#define FAIL(source, hint, ...) \
    tx_diag_add(diag, TX_SEVERITY_ERROR, (source).file, (source).line, (source).column, hint, __VA_ARGS__)

static inline const char *name_or(const char *name) { return name[0] ? name : "(no name)"; }

/// Of an element: its name; its place says which one it is, else its index does.
#define NAME_OF(def, i) tx_name_of((def)->name, (def)->source.line, i, (char[40]){0})
const char *tx_name_of(const char *name, int line, int i, char text[40]);

/// Numbers of a definition, with the name of the field.
typedef struct tx_numbers {
    const char *field;
    const double *numbers;
    int count;
    double most;
} tx_numbers;
#define NUMBERS(name) \
    { #name, (const double *)&d->name, (int)(sizeof d->name / sizeof(double)), TX_LARGEST }
#define STIFF_NUMBERS(name) \
    { #name, (const double *)&d->name, (int)(sizeof d->name / sizeof(double)), TX_STIFFEST }

/// Reports the first field that has a number which is not finite or too large. @return true: there is none
bool tx_check_numbers(const char *kind, const char *name, tx_source source, const tx_numbers *fields, int count,
                      tx_diag *diag);
#define CHECK_NUMBERS(kind, name, ...)                                         \
    tx_check_numbers(kind, name, d->source, (const tx_numbers[]){__VA_ARGS__}, \
                     (int)(sizeof((const tx_numbers[]){__VA_ARGS__}) / sizeof(tx_numbers)), diag)

/// Reports a switch that is neither off, on nor auto.
void tx_check_switch(const char *kind, const char *name, const char *field, tx_switch value, tx_source source,
                     tx_diag *diag);
#define CHECK_SWITCH(kind, name, field) tx_check_switch(kind, name, #field, d->field, d->source, diag)

/// Reports wrong samples of the past.
void tx_check_history(const char *kind, const char *name, int nsample, double delay, int interp, tx_source source,
                      tx_diag *diag);

/// Whether all numbers are finite and of ordinary size.
static inline bool good(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= TX_LARGEST)) return false;
    return true;
}

static inline bool tx_is_limited(tx_switch flag, const double range[2]) {
    return flag == TX_SWITCH_AUTO ? range[0] < range[1] : flag == TX_SWITCH_ON;
}

/// Reports every problem of the definitions. @return false when there was an error
bool tx_check(const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);

bool tx_has_limits(const tx_joint_def *joint);

/// Reports a free joint of a body that is not a child of the world.
void tx_check_free(const tx_joint_def *joint, int parent, tx_diag *diag);
