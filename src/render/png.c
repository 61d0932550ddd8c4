// png.c - the image: its memory and its PNG file (libpng)
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "thixis/render.h"

tx_result tx_image_alloc(tx_image *image, int width, int height) {
    if (!image) return TX_ERROR_ARGUMENT;
    *image = (tx_image){0};
    if (width < 1 || height < 1 || width > TX_IMAGE_MAX || height > TX_IMAGE_MAX) return TX_ERROR_ARGUMENT;
    image->rgb = tx_alloc(3 * (size_t)width * (size_t)height);
    if (!image->rgb) return TX_ERROR_MEMORY;
    image->width = width;
    image->height = height;
    return TX_OK;
}

void tx_image_free(tx_image *image) {
    if (!image) return;
    tx_free(image->rgb);
    *image = (tx_image){0};
}

static tx_result fail(tx_diag *diag, tx_result result, const char *path, const char *reason) {
    tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, "", "%s", reason);
    return result;
}

tx_result tx_image_write_png(const tx_image *image, const char *path, tx_diag *diag) {
    if (!path) return fail(diag, TX_ERROR_ARGUMENT, "", "no file is named");
    if (!image || !image->rgb || image->width < 1 || image->height < 1)
        return fail(diag, TX_ERROR_ARGUMENT, path, "the image is empty");
    FILE *file = fopen(path, "wb");
    if (!file) return fail(diag, TX_ERROR_FILE, path, strerror(errno));
    png_image png = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
    png.width = (png_uint_32)image->width;
    png.height = (png_uint_32)image->height;
    bool written = png_image_write_to_stdio(&png, file, 0, image->rgb, 0, NULL) != 0;
    // a full disk may show only when the last bytes leave
    bool closed = fclose(file) == 0;
    if (!written) return fail(diag, TX_ERROR_FILE, path, png.message);
    return closed ? TX_OK : fail(diag, TX_ERROR_FILE, path, strerror(errno));
}
