// growth.c - what a step of a pile costs by its size: growth SETTLE STEPS MODEL... prints a CSV row per measure.
//
// SETTLE steps first, then STEPS are timed: processor time of the one thread over boxes and over contacts.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "thixis/load.h"
#include "thixis/sim.h"

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static int measure(const char *path, int settle, int steps) {
    tx_diag diag = {0};
    tx_model *model = tx_load_file(path, &diag);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    if (!sim || tx_sim_step_n(sim, settle) != TX_OK) return fprintf(stderr, "%s: cannot be run\n", path), 1;
    const int boxes = tx_model_size(model, TX_SIZE_NV) / 6;
    double contacts = 0, seconds = 0;
    for (int s = 0; s < steps; s++) {
        const double begin = processor_seconds();
        if (tx_sim_step(sim) != TX_OK) return 1;
        seconds += processor_seconds() - begin;
        int count;
        tx_sim_contacts(sim, 0, &count);
        contacts += count;
    }
    const double us = 1e6 * seconds / steps, touching = contacts / steps;
    const char *status = tx_sim_status(sim, 0) == TX_OK ? "ok" : "not ok";
    printf("a box,%d,%.4g,%.0f,%.4g,%.0f,%s\n", boxes, us / boxes, touching, us / 1000, resident_megabytes(), status);
    printf("a contact,%d,%.4g,%.0f,%.4g,%.0f,%s\n", boxes, us / (touching > 0 ? touching : 1), touching, us / 1000,
           resident_megabytes(), status);
    fflush(stdout);
    tx_sim_destroy(sim), tx_model_destroy(model), tx_diag_free(&diag);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: growth SETTLE STEPS MODEL...\n"), 2;
    printf("of,boxes,us,contacts,ms_per_step,resident_mb,status\n");
    for (int i = 3; i < argc; i++)
        if (measure(argv[i], atoi(argv[1]), atoi(argv[2])) != 0) return 1;
    return 0;
}
