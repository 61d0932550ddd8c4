// log.h - the states of one environment along a run, as a table in a CSV file or as NumPy arrays in an .npz file.
#pragma once
#include "thixis/sim.h"

typedef struct state_log {
    const char *path;
    int env;
    double *rows; ///< time, then the arrays of LOGGED, one row a state
    int count, room;
    bool failed; ///< memory is out
} state_log;

/// Whether the name of the file says what it is to be: .csv or .npz.
bool log_named(const char *path);
/// Appends the present state. @return false when memory is out
bool log_state(state_log *log, tx_sim *sim);
/// Writes the file and releases the rows. @return false after a message on stderr
bool log_write(state_log *log, tx_sim *sim);
