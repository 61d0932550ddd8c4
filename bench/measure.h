// measure.h - what the benchmarks share: clocks, medians, whether two cores are there, and MuJoCo's shared library.
#pragma once
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Sorts the values.
static inline double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/// A repeat counts where it is less before and after.
#define MOST_CONTENTION 1.03

static inline void *spin(void *unused) {
    volatile double x = 1;
    for (int i = 0; i < 2000000; i++) x = x * 1.0000001;
    return unused;
}

/// How much longer two threads take that share nothing than one alone: 1 where the machine has two cores to give.
static inline double core_contention(void) {
    double start = seconds_of(CLOCK_MONOTONIC);
    spin(NULL);
    double alone = seconds_of(CLOCK_MONOTONIC) - start;
    start = seconds_of(CLOCK_MONOTONIC);
    pthread_t other;
    if (pthread_create(&other, NULL, spin, NULL) != 0) return NAN;
    spin(NULL);
    pthread_join(other, NULL);
    return (seconds_of(CLOCK_MONOTONIC) - start) / alone;
}

typedef struct mujoco_symbol {
    void *to; // where the function pointer is kept
    const char *name;
} mujoco_symbol;

/// Opens the wheel's library and finds the functions; a version other than 4.0.0 is refused. Says what is wrong.
static inline bool open_mujoco(const char *path, const mujoco_symbol *symbols, int count) {
    const char *(*version)(void);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol = library ? dlsym(library, "mj_versionString") : NULL;
    if (!symbol) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    memcpy(&version, &symbol, sizeof symbol);
    if (strcmp(version(), "4.0.0") != 0) {
        fprintf(stderr, "%s is MuJoCo %s, not 4.0.0\n", path, version());
        return false;
    }
    for (int i = 0; i < count; i++) {
        symbol = dlsym(library, symbols[i].name);
        if (!symbol) {
            fprintf(stderr, "%s has no %s\n", path, symbols[i].name);
            return false;
        }
        memcpy(symbols[i].to, &symbol, sizeof symbol);
    }
    return true;
}
