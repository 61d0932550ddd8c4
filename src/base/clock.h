// clock.h - a monotonic clock.
#pragma once
#include <time.h>

/// seconds since some fixed moment
static inline double tx_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
