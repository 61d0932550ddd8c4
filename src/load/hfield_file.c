// hfield_file.c - heights out of files: the first channel of pictures, grids byte by byte.
#include "load/hfield_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/picture.h"
#include "load/text.h"
#include "thixis/builder.h"

void tx_hfield_release(tx_hfield_data *data) {
    tx_free(data->height);
    *data = (tx_hfield_data){0};
}

// says what is wrong with a file; returns false
static bool fail(tx_diag *diag, const char *file, const char *hint, const char *text) {
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, hint, "%s", text);
    return false;
}

// makes room for the grid; returns what is wrong with its size, or null
static const char *make_room(tx_hfield_data *data, uint32_t nrow, uint32_t ncol) {
    if (nrow < 2 || ncol < 2) return "a height field has at least 2 rows and 2 columns";
    if (nrow > TX_HFIELD_POINTS / ncol) return "a height field may have 16777216 points";
    data->nrow = (int)nrow;
    data->ncol = (int)ncol;
    data->height = tx_alloc(sizeof(double) * nrow * ncol);
    return data->height ? NULL : "out of memory";
}

// ---- pictures ----------------------------------------------------------------------------------------------------

static const char *make_grid(void *data, int width, int height) {
    return make_room(data, (uint32_t)height, (uint32_t)width);
}

// the first channel is the height; the top of the picture is the largest y
static bool read_png(const char *bytes, size_t length, const char *file, tx_hfield_data *data, tx_diag *diag) {
    tx_picture picture;
    char text[160];
    if (!tx_picture_read(bytes, length, TX_HFIELD_POINTS / 2, make_grid, data, &picture)) {
        snprintf(text, sizeof text, "this picture cannot be read: %s", picture.why);
        return fail(diag, file, "a PNG picture, its first channel is the height", text);
    }
    for (int r = 0; r < data->nrow; r++)
        for (int c = 0; c < data->ncol; c++)
            data->height[(data->nrow - 1 - r) * data->ncol + c] =
                picture.pixels[((size_t)r * (size_t)data->ncol + (size_t)c) * (size_t)picture.channels];
    tx_picture_release(&picture);
    return true;
}

// ---- grids -------------------------------------------------------------------------------------------------------

static uint32_t little_endian(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool read_grid(const char *bytes, size_t length, const char *file, tx_hfield_data *data, tx_diag *diag) {
    static const char hint[] = "int rows, int columns, then a float for each point";
    const unsigned char *at = (const unsigned char *)bytes;
    if (length < 8) return fail(diag, file, hint, "the file is too short for a grid of heights");
    uint32_t nrow = little_endian(at), ncol = little_endian(at + 4);
    // the size of the file is checked before memory is taken
    if (nrow < 2 || ncol < 2 || nrow > TX_HFIELD_POINTS / ncol || length != 8 + 4 * (size_t)nrow * ncol) {
        char text[160];
        snprintf(text, sizeof text, "%zu bytes are no grid of %u x %u heights", length, nrow, ncol);
        return fail(diag, file, hint, text);
    }
    const char *why = make_room(data, nrow, ncol);
    if (why) return fail(diag, file, hint, why);
    for (size_t i = 0; i < (size_t)nrow * ncol; i++) {
        uint32_t bits = little_endian(at + 8 + 4 * i);
        float height;
        memcpy(&height, &bits, sizeof height);
        if (!isfinite(height)) return fail(diag, file, "", "a height is not finite");
        data->height[i] = (double)height;
    }
    return true;
}

bool tx_hfield_read(const char *bytes, size_t length, const char *file, tx_hfield_data *data, tx_diag *diag) {
    return (tx_ends_with(file, ".png") ? read_png : read_grid)(bytes, length, file, data, diag);
}
