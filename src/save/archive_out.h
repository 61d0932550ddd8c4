// archive_out.h - a Zip archive with one file: .mjz.
#pragma once
#include <stddef.h>

/// The bytes of an archive that holds one deflated file (release with tx_free()), or null: no memory, or 4 GB and more.
char *tx_archive_of(const char *name, const char *bytes, size_t size, size_t *archive_size);
