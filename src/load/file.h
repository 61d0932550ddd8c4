// file.h - a whole file as bytes.
#pragma once
#include <stddef.h>

// The reason when memory is out: whoever looks in several places stops there.
extern const char tx_file_no_memory[];

// Reads at most `limit` bytes. Returns the content with a terminator behind it (release with tx_free()), or null with
// the reason in *why.
char *tx_read_file(const char *path, size_t limit, size_t *length, const char **why);
