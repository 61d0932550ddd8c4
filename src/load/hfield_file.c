// hfield_file.c - heights out of files: PNG by libpng, grids byte by byte.
#include "load/hfield_file.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
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

typedef struct picture {
    const unsigned char *at, *end;
    tx_hfield_data *data;
    png_structp png;
    png_infop info;
    unsigned char *pixels, **rows;
    char why[120];
} picture;

static void keep_reason(picture *p, const char *text) { snprintf(p->why, sizeof p->why, "%s", text); }

static void give_up(png_structp png, png_const_charp text) {
    keep_reason(png_get_error_ptr(png), text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void read_bytes(png_structp png, png_bytep out, size_t count) {
    picture *p = png_get_io_ptr(png);
    if ((size_t)(p->end - p->at) < count) png_error(png, "the file is cut");
    memcpy(out, p->at, count);
    p->at += count;
}

// 8 bits of each channel: 16 lose their lower half, palettes become colours, as MuJoCo has it
static void ask_for_bytes(png_structp png, png_infop info) {
    png_set_strip_16(png);
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
    else png_set_expand_gray_1_2_4_to_8(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

// false: give_up() was called somewhere below, or there is no room
static bool decode(picture *p) {
    if (setjmp(png_jmpbuf(p->png))) return false;
    png_set_read_fn(p->png, p, read_bytes);
    png_set_user_limits(p->png, TX_HFIELD_POINTS / 2, TX_HFIELD_POINTS / 2);
    png_set_chunk_malloc_max(p->png, (png_alloc_size_t)1 << 20);
    png_set_chunk_cache_max(p->png, 64);
    png_read_info(p->png, p->info);
    const char *why = make_room(p->data, png_get_image_height(p->png, p->info), png_get_image_width(p->png, p->info));
    if (why) {
        keep_reason(p, why);
        return false;
    }
    ask_for_bytes(p->png, p->info);
    const size_t nrow = (size_t)p->data->nrow, row = png_get_rowbytes(p->png, p->info);
    p->pixels = tx_alloc(nrow * row);
    p->rows = tx_alloc(nrow * sizeof *p->rows);
    if (!p->pixels || !p->rows) {
        keep_reason(p, "out of memory");
        return false;
    }
    for (size_t r = 0; r < nrow; r++) p->rows[r] = p->pixels + r * row;
    png_read_image(p->png, p->rows);
    png_read_end(p->png, NULL);
    return true;
}

// the first channel is the height; the top of the picture is the largest y
static void take_heights(const picture *p) {
    const int channels = png_get_channels(p->png, p->info);
    for (int r = 0; r < p->data->nrow; r++)
        for (int c = 0; c < p->data->ncol; c++)
            p->data->height[(p->data->nrow - 1 - r) * p->data->ncol + c] = p->rows[r][c * channels];
}

static bool read_png(const char *bytes, size_t length, const char *file, tx_hfield_data *data, tx_diag *diag) {
    picture p = {.at = (const unsigned char *)bytes, .end = (const unsigned char *)bytes + length, .data = data};
    keep_reason(&p, "out of memory");
    p.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &p, give_up, ignore_warning);
    p.info = p.png ? png_create_info_struct(p.png) : NULL;
    bool good = p.info && decode(&p);
    if (good) take_heights(&p);
    png_destroy_read_struct(&p.png, &p.info, NULL);
    tx_free(p.pixels);
    tx_free(p.rows);
    char text[160];
    snprintf(text, sizeof text, "this picture cannot be read: %s", p.why);
    return good || fail(diag, file, "a PNG picture, its first channel is the height", text);
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
