// png.c - the image: its memory and its PNG file (libpng)
#include "thixis/render.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tx_image_create(tx_image *image, int width, int height) {
    if (!image) return false;
    *image = (tx_image){0};
    if (width < 1 || height < 1 || width > TX_IMAGE_MAX || height > TX_IMAGE_MAX) return false;
    image->rgb = (unsigned char *)calloc((size_t)width * (size_t)height, 3);
    if (!image->rgb) return false;
    image->width = width;
    image->height = height;
    return true;
}

void tx_image_free(tx_image *image) {
    if (!image) return;
    free(image->rgb);
    *image = (tx_image){0};
}

static int fail(char *error, size_t size, const char *path, const char *reason) {
    if (error && size) snprintf(error, size, "%s: %s", path, reason);
    return -1;
}

int tx_image_write_png(const tx_image *image, const char *path, char *error, size_t error_size) {
    if (!path) return fail(error, error_size, "", "no file is named");
    if (!image || !image->rgb || image->width < 1 || image->height < 1)
        return fail(error, error_size, path, "the image is empty");
    FILE *file = fopen(path, "wb");
    if (!file) return fail(error, error_size, path, strerror(errno));
    png_image png = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
    png.width = (png_uint_32)image->width;
    png.height = (png_uint_32)image->height;
    bool written = png_image_write_to_stdio(&png, file, 0, image->rgb, 0, NULL) != 0;
    // a full disk may show only when the last bytes leave
    bool closed = fclose(file) == 0;
    if (!written) return fail(error, error_size, path, png.message);
    return closed ? 0 : fail(error, error_size, path, strerror(errno));
}
