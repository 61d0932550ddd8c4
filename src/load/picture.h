// picture.h - PNG files by libpng: 8 bits a channel, sizes and memory bounded.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct tx_picture {
    int width, height, channels;
    unsigned char *pixels; // row by row from the top, `channels` bytes each
    char why[120];         // it could not be read
    bool no_memory;        // that is why
} tx_picture;

// Reads the bytes of a file. `accept` sees the size before memory is taken for it: what is wrong with it, or null.
// Palettes become colours, 16 bits lose their lower half.
// returns false with `why`; then there is nothing to release
bool tx_picture_read(const char *bytes, size_t length, int most_edge,
                     const char *(*accept)(void *context, int width, int height), void *context, tx_picture *picture);
void tx_picture_release(tx_picture *picture);
