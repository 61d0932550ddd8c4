// violations.c - see violations.h.
#include "violations.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "report.h"

tx_violations violations_worst(const tx_sim *sim) {
    tx_violations worst = {0};
    for (int e = 0; e < tx_sim_envs(sim); e++) {
        const tx_violations v = tx_sim_violations(sim, e);
        const double energy = worst.energy + v.energy;
        worst.contacts += v.contacts;
#define X(name, unit, meaning) worst.name = fmax(worst.name, v.name);
        TX_VIOLATIONS(X)
#undef X
        worst.energy = energy;
    }
    return worst;
}

json_t *violations_json(const tx_sim *sim) {
    const tx_violations v = violations_worst(sim);
    json_t *o = json_object();
    json_object_set_new(o, "contacts", json_integer(v.contacts));
#define X(name, unit, meaning) json_object_set_new(o, #name, json_number(v.name));
    TX_VIOLATIONS(X)
#undef X
    return o;
}

FILE *violations_open(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "thixis run: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    fprintf(file, "step,env,contacts");
#define X(name, unit, meaning) fprintf(file, "," #name " [" unit "]");
    TX_VIOLATIONS(X)
#undef X
    fprintf(file, "\n");
    return file;
}

bool violations_write(FILE *file, const tx_sim *sim, int step) {
    for (int e = 0; e < tx_sim_envs(sim); e++) {
        const tx_violations v = tx_sim_violations(sim, e);
        fprintf(file, "%d,%d,%d", step, e, v.contacts);
#define X(name, unit, meaning) fprintf(file, ",%.17g", v.name);
        TX_VIOLATIONS(X)
#undef X
        fprintf(file, "\n");
    }
    if (ferror(file)) fprintf(stderr, "thixis run: the violations cannot be written\n");
    return !ferror(file);
}
