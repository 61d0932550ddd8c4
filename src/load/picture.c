// picture.c - PNG files by libpng.
#include "load/picture.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

typedef struct reader {
    const unsigned char *at, *end;
    tx_picture *picture;
    const char *(*accept)(void *context, int width, int height);
    void *context;
    int most_edge;
    png_structp png;
    png_infop info;
    unsigned char **rows;
} reader;

void tx_picture_release(tx_picture *picture) {
    tx_free(picture->pixels);
    picture->pixels = NULL;
}

static void keep_reason(tx_picture *p, const char *text) { snprintf(p->why, sizeof p->why, "%s", text); }

static void give_up(png_structp png, png_const_charp text) {
    keep_reason(png_get_error_ptr(png), text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static png_voidp take(png_structp png, png_alloc_size_t size) {
    void *memory = tx_alloc(size);
    tx_picture *picture = png_get_mem_ptr(png);
    picture->no_memory = picture->no_memory || !memory;
    return memory;
}

static void give_back(png_structp png, png_voidp memory) {
    (void)png;
    tx_free(memory);
}

static void read_bytes(png_structp png, png_bytep out, size_t count) {
    reader *r = png_get_io_ptr(png);
    if ((size_t)(r->end - r->at) < count) png_error(png, "the file is cut");
    memcpy(out, r->at, count);
    r->at += count;
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
static bool decode(reader *r) {
    tx_picture *p = r->picture;
    if (setjmp(png_jmpbuf(r->png))) return false;
    png_set_read_fn(r->png, r, read_bytes);
    png_set_user_limits(r->png, (png_uint_32)r->most_edge, (png_uint_32)r->most_edge);
    png_set_chunk_malloc_max(r->png, (png_alloc_size_t)1 << 20);
    png_set_chunk_cache_max(r->png, 64);
    png_read_info(r->png, r->info);
    p->width = (int)png_get_image_width(r->png, r->info), p->height = (int)png_get_image_height(r->png, r->info);
    const char *why = r->accept(r->context, p->width, p->height);
    if (why) {
        keep_reason(p, why);
        return false;
    }
    ask_for_bytes(r->png, r->info);
    const size_t height = (size_t)p->height, row = png_get_rowbytes(r->png, r->info);
    p->channels = png_get_channels(r->png, r->info);
    p->pixels = tx_alloc(height * row);
    r->rows = tx_alloc(height * sizeof *r->rows);
    if (!p->pixels || !r->rows) {
        keep_reason(p, "out of memory");
        p->no_memory = true;
        return false;
    }
    for (size_t k = 0; k < height; k++) r->rows[k] = p->pixels + k * row;
    png_read_image(r->png, r->rows);
    png_read_end(r->png, NULL);
    return true;
}

bool tx_picture_read(const char *bytes, size_t length, int most_edge,
                     const char *(*accept)(void *context, int width, int height), void *context, tx_picture *picture) {
    const unsigned char *first = (const unsigned char *)bytes;
    reader r = {first, first + length, picture, accept, context, most_edge, NULL, NULL, NULL};
    *picture = (tx_picture){0};
    keep_reason(picture, "out of memory");
    r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, picture, give_up, ignore_warning, picture, take, give_back);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    picture->no_memory = picture->no_memory || !r.info;
    bool good = r.info && decode(&r);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    tx_free(r.rows);
    if (!good) tx_picture_release(picture);
    return good;
}
