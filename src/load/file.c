// file.c - a whole file as bytes.
#include "load/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"
#include "load/archive.h"

const char tx_file_no_memory[] = "out of memory";

static const char *open_problem(int error) {
    switch (error) {
    case ENOENT: return "there is no such file";
    case EACCES: return "there is no permission to read the file";
    case ENOMEM: return tx_file_no_memory;
    case EISDIR: return "this is a folder, not a file";
    default: return "the file cannot be read";
    }
}

// reads to the end, growing the buffer; a file of unknown length (a pipe) is as good as one on disk
static char *read_stream(FILE *stream, size_t limit, size_t *length, const char **why) {
    size_t capacity = (size_t)64 << 10, used = 0;
    char *bytes = tx_alloc(capacity + 1);
    *why = tx_file_no_memory;
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, stream);
        if (used < capacity) break;
        if (used > limit) break;
        // one byte beyond the limit is enough to see that there is more
        size_t wanted = capacity < limit / 4 ? 4 * capacity : limit + 1;
        char *grown = tx_grow(bytes, used, wanted + 1);
        if (!grown) {
            tx_free(bytes);
            return NULL;
        }
        bytes = grown;
        capacity = wanted;
    }
    if (!bytes) return NULL;
    bool failed = ferror(stream) != 0;
    if (failed || used > limit) {
        *why = failed ? open_problem(errno) : "the file is too large";
        tx_free(bytes);
        return NULL;
    }
    bytes[used] = 0;
    *length = used;
    return bytes;
}

char *tx_read_file(const char *path, size_t limit, size_t *length, const char **why) {
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        *why = open_problem(errno);
        // a path that goes on behind a file: that may be an archive
        return errno == ENOTDIR ? tx_archive_read_path(path, limit, length, why) : NULL;
    }
    char *bytes = read_stream(stream, limit, length, why);
    fclose(stream);
    return bytes;
}
