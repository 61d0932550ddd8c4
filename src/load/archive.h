// archive.h - files in a Zip archive: .mjz. docs/mjcf.md
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Where the bytes of an archive are: the next `size` from `offset` on go to `to`; false: they are not there.
typedef struct tx_archive {
    bool (*read)(void *context, size_t offset, void *to, size_t size);
    void *context;
    size_t length;
} tx_archive;

// Whether a file begins like an archive.
bool tx_archive_is(const char *path);

// A file of an archive, at most `limit` bytes, with a terminator behind it (release with tx_free()), or null with the
// reason in *why.
char *tx_archive_read(const tx_archive *archive, const char *name, size_t limit, size_t *length, const char **why);

// The same for a path that goes on behind the name of an archive, as in "robot.mjz/meshes/arm.obj".
char *tx_archive_read_path(const char *path, size_t limit, size_t *length, const char **why);
