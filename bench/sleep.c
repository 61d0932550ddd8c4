// sleep.c - what sleeping saves: a scene with and without it, in turns, chunk by chunk.
//
//   sleep MODEL STEPS REPEATS OUT.csv OUT.svg
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "thixis/load.h"
#include "thixis/plot.h"
#include "thixis/sim.h"

enum { CHUNK = 20, CHUNKS_MAX = 1000 };

typedef struct course {
    double us[CHUNKS_MAX]; // the least of all repeats
    int awake[CHUNKS_MAX];
} course;

// one repeat from the start
static void run(tx_sim *sim, bool sleep, int chunks, course *c) {
    tx_options o = tx_sim_options(sim);
    o.sleep = sleep;
    tx_sim_set_options(sim, &o);
    tx_sim_reset(sim, -1, NULL);
    for (int i = 0; i < chunks; i++) {
        double start = tx_clock();
        tx_sim_step_n(sim, CHUNK);
        double us = 1e6 * (tx_clock() - start) / CHUNK;
        if (c->us[i] == 0 || us < c->us[i]) c->us[i] = us;
        c->awake[i] = tx_sim_awake(sim, 0);
    }
}

static int write_csv(const char *path, const double *time, const course *with, const course *without, int chunks) {
    FILE *csv = fopen(path, "a");
    if (!csv) return 1;
    fputs("time,us_with_sleep,us_without,awake\n", csv);
    for (int i = 0; i < chunks; i++)
        fprintf(csv, "%.3f,%.2f,%.2f,%d\n", time[i], with->us[i], without->us[i], with->awake[i]);
    return fclose(csv) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    static course with, without;
    static double time[CHUNKS_MAX];
    int chunks = argc == 6 ? atoi(argv[2]) / CHUNK : 0, repeats = argc == 6 ? atoi(argv[3]) : 0;
    if (chunks < 1 || chunks > CHUNKS_MAX || repeats < 1) {
        fprintf(stderr, "usage: sleep MODEL STEPS REPEATS OUT.csv OUT.svg\n");
        return 2;
    }
    tx_diag diag = {0};
    tx_model *model = tx_load_file(argv[1], &diag);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    if (!sim) return 1;
    for (int r = 0; r < repeats; r++) {
        run(sim, true, chunks, &with);
        run(sim, false, chunks, &without);
    }
    double sum[2] = {0};
    for (int i = 0; i < chunks; i++) {
        time[i] = (i + 1) * CHUNK * tx_sim_options(sim).timestep;
        sum[0] += with.us[i], sum[1] += without.us[i];
    }
    printf("%s: %.1f us a step with sleep, %.1f without; last chunk %.1f and %.1f\n", argv[1], sum[0] / chunks,
           sum[1] / chunks, with.us[chunks - 1], without.us[chunks - 1]);
    const tx_plot_series series[] = {{"without sleep", time, without.us, chunks},
                                     {"with sleep", time, with.us, chunks}};
    const tx_plot plot = {.title = "61 dominoes: the first falls, the others sleep until they are hit",
                          .x_label = "time [s]",
                          .y_label = "\xc2\xb5s a step",
                          .series = series,
                          .series_count = 2,
                          .from_zero = true};
    int status = write_csv(argv[4], time, &with, &without, chunks);
    if (tx_plot_write_svg(&plot, argv[5]) != TX_OK) status = 1;
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    tx_diag_free(&diag);
    return status;
}
