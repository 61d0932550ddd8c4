// whole_file.c - see whole_file.h.
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written, size -= (size_t)written;
    }
    return true;
}

static bool write_to(int file, const void *bytes, size_t size) {
    if (file < 0) return false;
    bool good = write_all(file, bytes, size);
    int why = errno;
    good = close(file) == 0 && good;
    if (!good && why) errno = why;
    return good;
}

tx_result tx_write_whole(const char *path, const void *bytes, size_t size) {
    struct stat there;
    // a device or a pipe stays where it is
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return write_to(open(path, O_WRONLY), bytes, size) ? TX_OK : TX_ERROR_FILE;
    size_t room = strlen(path) + 32;
    char *beside = tx_alloc(room);
    if (!beside) return TX_ERROR_MEMORY;
    snprintf(beside, room, "%s.%ld.part", path, (long)getpid());
    bool made = write_to(open(beside, O_WRONLY | O_CREAT | O_EXCL, 0666), bytes, size);
    bool good = made && rename(beside, path) == 0;
    int why = errno;
    if (!good && why != EEXIST) unlink(beside);
    errno = why;
    tx_free(beside);
    return good ? TX_OK : TX_ERROR_FILE;
}
