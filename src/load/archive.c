// archive.c - files in a Zip archive: its directory at the end, entries stored or deflated. APPNOTE.TXT 6.3 of PKWARE.
#include "load/archive.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "load/file.h"

enum {
    LOCAL = 0x04034b50,     // signature of an entry
    DIRECTORY = 0x02014b50, // of its line in the directory
    END = 0x06054b50,       // of what stands behind the directory
    LOCAL_SIZE = 30,
    DIRECTORY_SIZE = 46,
    END_SIZE = 22,
    COMMENT_MAX = 65535,
    ENCRYPTED = 1,
    STORED = 0,
    DEFLATED = 8,
    NAME_MAX_BYTES = 4096
};

static uint32_t two(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t four(const unsigned char *p) { return two(p) | two(p + 2) << 16; }

// ---- directory ------------------------------------------------------------------------------------------------------

typedef struct entry {
    size_t offset, packed, size;
    uint32_t method, flags, check;
} entry;

// where the directory is and how many lines it has
static bool find_directory(const tx_archive *a, size_t *at, size_t *lines) {
    unsigned char tail[END_SIZE + 1024];
    // a comment may stand behind its end: look further and further back
    for (size_t back = END_SIZE; back <= a->length && back <= END_SIZE + COMMENT_MAX; back += sizeof tail - END_SIZE) {
        const size_t more = sizeof tail - END_SIZE, most = back + more <= a->length ? more : a->length - back;
        const size_t start = a->length - back - most, size = most + END_SIZE;
        if (!a->read(a->context, start, tail, size)) return false;
        for (size_t i = most + 1; i-- > 0;) {
            if (four(tail + i) != END) continue;
            *at = four(tail + i + 16), *lines = two(tail + i + 10);
            return *at <= start + i && two(tail + i + 4) == 0;
        }
        if (most < more) return false;
    }
    return false;
}

// removes "." and "name/.." of a path; false: it leaves the archive
static bool normalise(const char *name, char *out) {
    size_t used = 0;
    while (*name) {
        const size_t part = strcspn(name, "/\\");
        if (part == 2 && name[0] == '.' && name[1] == '.') {
            if (used == 0) return false;
            used--; // the slash
            while (used > 0 && out[used - 1] != '/') used--;
        } else if (part > 0 && !(part == 1 && name[0] == '.')) {
            if (used + part + 2 > NAME_MAX_BYTES) return false;
            memcpy(out + used, name, part);
            used += part;
            out[used++] = '/';
        }
        name += part + (name[part] != 0);
    }
    if (used == 0) return false;
    out[used - 1] = 0;
    return true;
}

// the line of a name; false with a reason
static bool find_entry(const tx_archive *a, const char *name, entry *found, const char **why) {
    char wanted[NAME_MAX_BYTES], given[NAME_MAX_BYTES], plain[NAME_MAX_BYTES];
    size_t at, lines;
    *why = "the archive is damaged";
    if (!find_directory(a, &at, &lines)) return false;
    *why = "there is no such file in the archive";
    if (strlen(name) >= sizeof wanted || !normalise(name, wanted)) return false;
    for (size_t i = 0; i < lines; i++) {
        unsigned char line[DIRECTORY_SIZE];
        bool good = a->read(a->context, at, line, sizeof line) && four(line) == DIRECTORY;
        const size_t length = good ? two(line + 28) : 0;
        if (good && length < sizeof given) {
            good = a->read(a->context, at + sizeof line, given, length);
            given[length] = 0;
        }
        if (!good) {
            *why = "the archive is damaged";
            return false;
        }
        at += sizeof line + length + two(line + 30) + two(line + 32);
        if (length >= sizeof given || !normalise(given, plain) || strcmp(plain, wanted) != 0) continue;
        *found = (entry){.offset = four(line + 42),
                         .packed = four(line + 20),
                         .size = four(line + 24),
                         .method = two(line + 10),
                         .flags = two(line + 8),
                         .check = four(line + 16)};
        return true;
    }
    return false;
}

// ---- content --------------------------------------------------------------------------------------------------------

// all of `to` from all of `from`
static bool inflate_all(char *from, size_t packed, char *to, size_t size) {
    z_stream s = {.next_in = (unsigned char *)from,
                  .avail_in = (unsigned)packed,
                  .next_out = (unsigned char *)to,
                  .avail_out = (unsigned)size};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK) return false;
    unsigned char beyond;
    int state = inflate(&s, Z_FINISH);
    // a full buffer: what follows must be the end alone
    if (state == Z_BUF_ERROR && s.avail_out == 0) {
        s.next_out = &beyond, s.avail_out = 1;
        state = inflate(&s, Z_FINISH);
    }
    const bool whole = state == Z_STREAM_END && s.total_out == size;
    inflateEnd(&s);
    return whole;
}

static char *read_entry(const tx_archive *a, const entry *e, const char **why) {
    unsigned char head[LOCAL_SIZE];
    *why = "the archive is damaged";
    if (!a->read(a->context, e->offset, head, sizeof head) || four(head) != LOCAL) return NULL;
    const size_t at = e->offset + sizeof head + two(head + 26) + two(head + 28);
    if (e->packed > a->length || at > a->length - e->packed) return NULL;
    const bool stored = e->method == STORED;
    if (stored && e->packed != e->size) return NULL;
    char *packed = tx_alloc(e->packed + 1), *bytes = stored ? packed : tx_alloc(e->size + 1);
    bool good = packed && bytes;
    if (!good) *why = tx_file_no_memory;
    good = good && a->read(a->context, at, packed, e->packed);
    good = good && (stored || inflate_all(packed, e->packed, bytes, e->size));
    good = good && (uint32_t)crc32(0, (const unsigned char *)bytes, (unsigned)e->size) == e->check;
    if (!stored) tx_free(packed);
    if (!good) {
        tx_free(bytes);
        return NULL;
    }
    bytes[e->size] = 0;
    return bytes;
}

char *tx_archive_read(const tx_archive *a, const char *name, size_t limit, size_t *length, const char **why) {
    entry e;
    if (!find_entry(a, name, &e, why)) return NULL;
    *why = "the file is too large";
    if (e.size > limit || e.packed == UINT32_MAX) return NULL;
    *why = "the file is encrypted";
    if (e.flags & ENCRYPTED) return NULL;
    *why = "the file is packed in a way that is not known; stored and deflated files can be read";
    if (e.method != STORED && e.method != DEFLATED) return NULL;
    char *bytes = read_entry(a, &e, why);
    if (bytes) *length = e.size;
    return bytes;
}

// ---- on disk --------------------------------------------------------------------------------------------------------

static bool read_stream(void *context, size_t offset, void *to, size_t size) {
    FILE *stream = context;
    return offset <= INT32_MAX && fseek(stream, (long)offset, SEEK_SET) == 0 && fread(to, 1, size, stream) == size;
}

bool tx_archive_is(const char *path) {
    unsigned char start[4];
    FILE *stream = fopen(path, "rb");
    bool is = stream && fread(start, 1, sizeof start, stream) == sizeof start && four(start) == LOCAL;
    if (stream) fclose(stream);
    return is;
}

char *tx_archive_read_path(const char *path, size_t limit, size_t *length, const char **why) {
    // the first part of the path that is a file
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        if (slash == path) continue;
        char *own = tx_copy_text(path);
        if (!own) {
            *why = tx_file_no_memory;
            return NULL;
        }
        own[slash - path] = 0;
        if (!tx_archive_is(own)) {
            tx_free(own);
            continue;
        }
        FILE *stream = fopen(own, "rb");
        tx_free(own);
        char *bytes = NULL;
        *why = "the archive cannot be read";
        if (stream && fseek(stream, 0, SEEK_END) == 0) {
            const long end = ftell(stream);
            const tx_archive a = {read_stream, stream, end > 0 ? (size_t)end : 0};
            bytes = tx_archive_read(&a, slash + 1, limit, length, why);
        }
        if (stream) fclose(stream);
        return bytes;
    }
    return NULL;
}
