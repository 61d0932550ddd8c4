// hfield_file.h - heights out of files: PNG pictures and MuJoCo's binary grids. Sizes and memory are bounded.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "thixis/base.h"

// Heights row by row from the lowest y.
typedef struct tx_hfield_data {
    int nrow, ncol;
    double *height;
} tx_hfield_data;

// Reads the `length` bytes of a file: a picture when its name ends in .png, else a grid (int rows, int columns, and a
// float for each point). Start with an empty one and release it in any case.
// returns false, with a message in diag, when the file is broken
bool tx_hfield_read(const char *bytes, size_t length, const char *file, tx_hfield_data *data, tx_diag *diag);
void tx_hfield_release(tx_hfield_data *data);
