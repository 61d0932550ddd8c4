// reference.h - reads MuJoCo's numbers of scenes/reference and compares them with ours.
#pragma once
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "thixis/load.h"
#include "thixis/sim.h"

/// The model, which must be there; prints and frees the messages.
static inline tx_model *must_have(tx_model *model, tx_diag *diag) {
    for (int i = 0; i < diag->count; i++) {
        char line[1024];
        tx_diag_format(diag, i, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    tx_diag_free(diag);
    assert_non_null(model);
    return model;
}

static inline tx_model *load_scene(const char *name) {
    char path[512];
    bool urdf = strncmp(name, "urdf_", 5) == 0;
    snprintf(path, sizeof path, urdf ? "%s/scenes/urdf/%s.urdf" : "%s/scenes/%s.xml", TX_SOURCE_DIR, name + 5 * urdf);
    tx_diag diag = {0};
    return must_have(tx_load_file(path, &diag), &diag);
}

static inline json_t *load_reference(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/reference/%s.json", TX_SOURCE_DIR, name);
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root) fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

static inline double number_at(const json_t *array, int i) {
    return json_number_value(json_array_get(array, (size_t)i));
}

/// largest |ours - theirs| relative to max(largest |theirs|, 1e-3 of the natural scale); both NaN-safe
static inline double relative_error(const json_t *theirs, const double *ours, int count, double natural) {
    double top = 0, worst = 0;
    if ((int)json_array_size(theirs) != count) return INFINITY;
    for (int i = 0; i < count; i++) top = fmax(top, fabs(number_at(theirs, i)));
    for (int i = 0; i < count; i++) {
        double e = fabs(ours[i] - number_at(theirs, i));
        worst = e <= worst ? worst : e; // NaN wins
    }
    return worst / fmax(top, 1e-3 * natural);
}
