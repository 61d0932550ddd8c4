// drive.h - runs a simulation: control noise, progress bar, clock.
#pragma once
#include "thixis/sim.h"

typedef struct drive_def {
    int steps;
    double noise; ///< amplitude in half control ranges; 0: none
    int seed;
    bool progress; ///< a bar on stderr if that is a terminal
    int chunk;     ///< steps a call; 0: chosen so that a call takes about 50 ms. Noise always takes 1
    int every;     ///< `before` is called before steps 0, every, 2 every ...; 0: never
    bool (*before)(void *context, tx_sim *sim, int step); ///< false ends the run
    void *context;
} drive_def;

typedef struct drive_result {
    tx_result result;
    bool ended;         ///< by `before`
    int steps;          ///< that were done
    bool stopped;       ///< by Ctrl-C, before all of them were done
    double seconds;     ///< inside the step calls
    double cpu_seconds; ///< of the calling thread inside the step calls: all of the work where there is one thread
    tx_info info;       ///< of the run alone
} drive_result;

drive_result drive(tx_sim *sim, const drive_def *def);

/// From now on the first Ctrl-C (or SIGTERM) ends a drive after the call at hand, so that what there is can be
/// reported; the second ends the program.
void stop_gently(void);

/// Says on stderr how many steps did not converge, and how far off the worst was; nothing where all did.
void warn_not_converged(const char *command, const tx_sim *sim, const tx_info *info);

/// Environment steps per second; 0 when nothing ran.
double drive_rate(const drive_result *r);

/// A number in [-1, 1) that depends on nothing but its arguments.
double noise_value(uint64_t seed, uint64_t env, uint64_t step, uint64_t control);
