// load_mujoco.c - loading and compiling the same files, ours and MuJoCo's, taking turns. bench/load compiles and calls
// it.
//
//   load_mujoco LIBRARY REPEATS OUT.csv PREFIX NAME:FILE…
//
// Every load is made by a child process that does nothing else, so that neither engine finds what the load before left
// in its caches. The time is the CPU time of all threads of the child during the call. A ratio is formed inside a
// repeat; the median of a model's ratios, and of these the median over the models, is what counts.
#define _GNU_SOURCE
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "thixis/load.h"

enum { REPEATS_MAX = 101, MODELS_MAX = 500 };

typedef void *mujoco_load(const char *path, const void *vfs, char *error, int size);

static bool load_ours(const char *file) {
    tx_diag diag = {0};
    if (tx_load_file(file, &diag)) return true;
    char line[500] = "no message";
    if (diag.count) tx_diag_format(&diag, 0, line, sizeof line);
    fprintf(stderr, "%s: %s\n", file, line);
    return false;
}

static bool load_theirs(mujoco_load *load, const char *file) {
    char error[500] = "";
    if (load(file, NULL, error, sizeof error)) return true;
    fprintf(stderr, "%s: MuJoCo: %s\n", file, error);
    return false;
}

// CPU seconds of one load in a child; theirs with `load`. NaN: it failed
static double time_load(mujoco_load *load, const char *file) {
    int ends[2];
    double took = NAN;
    if (pipe(ends) != 0) return NAN;
    pid_t child = fork();
    if (child == 0) {
        double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        bool loaded = load ? load_theirs(load, file) : load_ours(file);
        took = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
        _exit(loaded && write(ends[1], &took, sizeof took) == sizeof took ? 0 : 1);
    }
    close(ends[1]);
    if (child > 0 && read(ends[0], &took, sizeof took) != sizeof took) took = NAN;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return took;
}

// the median of the ratios; NaN: a load failed
static double compare(mujoco_load *load, const char *name, const char *file, int repeats, FILE *csv,
                      const char *prefix) {
    double ours[REPEATS_MAX], theirs[REPEATS_MAX], ratio[REPEATS_MAX];
    for (int r = -1; r < repeats; r++) { // one round to warm up the disk
        int slot = r < 0 ? 0 : r;
        for (int turn = 0; turn < 2; turn++)
            if ((r + turn) & 1) ours[slot] = time_load(NULL, file);
            else theirs[slot] = time_load(load, file);
        if (isnan(ours[slot]) || isnan(theirs[slot])) return NAN;
        ratio[slot] = ours[slot] / theirs[slot];
    }
    double middle = median(ratio, repeats), ms = 1e3 * median(ours, repeats), ms_peer = 1e3 * median(theirs, repeats);
    printf("%-40s ours %9.3f ms, MuJoCo %9.3f ms, ratio %6.3f (%.3f to %.3f)\n", name, ms, ms_peer, middle, ratio[0],
           ratio[repeats - 1]);
    fprintf(csv, "%s,%s,%d,%.4f,%.4f,%.4f,%.4f,%.4f\n", prefix, name, repeats, ms, ms_peer, middle, ratio[0],
            ratio[repeats - 1]);
    fflush(stdout), fflush(csv);
    return middle;
}

int main(int argc, char **argv) {
    mujoco_load *load;
    int repeats = argc > 2 ? atoi(argv[2]) : 0, count = 0;
    if (argc < 6 || argc > 5 + MODELS_MAX || repeats < 1 || repeats > REPEATS_MAX) {
        fprintf(stderr, "usage: load_mujoco LIBRARY REPEATS OUT.csv PREFIX NAME:FILE...\n");
        return 2;
    }
    FILE *csv = fopen(argv[3], "a");
    if (!csv || !open_mujoco(argv[1], &(mujoco_symbol){&load, "mj_loadXML"}, 1)) return 1;
    fprintf(csv, "commit,model,repeats,ms_ours,ms_mujoco,ratio,ratio_least,ratio_most\n");
    double ratios[MODELS_MAX];
    int failed = 0;
    for (int i = 5; i < argc; i++) {
        char *file = argv[i], *name = strsep(&file, ":");
        double ratio = file ? compare(load, name, file, repeats, csv, argv[4]) : NAN;
        if (isnan(ratio)) failed++;
        else ratios[count++] = ratio;
    }
    fclose(csv);
    if (failed) printf("%d do not load: see above\n", failed);
    if (count == 0) return 1;
    double middle = median(ratios, count);
    int slower = 0;
    for (int i = 0; i < count; i++) slower += ratios[i] > 1;
    printf("%s: median ratio of %d models %.3f (%.3f to %.3f), %d above 1\n", middle <= 1 ? "PASSED" : "FAILED", count,
           middle, ratios[0], ratios[count - 1], slower);
    return middle > 1 ? 3 : failed ? 1 : 0;
}
