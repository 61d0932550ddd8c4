// archive_out.c - a Zip archive with one file: its entry, its line in the directory, the end. APPNOTE.TXT 6.3 of
// PKWARE.
#include "save/archive_out.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

enum { LOCAL_SIZE = 30, DIRECTORY_SIZE = 46, END_SIZE = 22, VERSION = 20, DEFLATED = 8, DAY = 1 << 5 | 1 };

typedef struct writer {
    unsigned char *at;
} writer;

static void two(writer *w, uint32_t x) { *w->at++ = (unsigned char)x, *w->at++ = (unsigned char)(x >> 8); }
static void four(writer *w, uint32_t x) { two(w, x & 0xffff), two(w, x >> 16); }
static void text(writer *w, const char *name) {
    memcpy(w->at, name, strlen(name));
    w->at += strlen(name);
}

// what an entry and its line in the directory have in common; the day is the first of 1980, so that equal models give
// equal files
static void describe(writer *w, uint32_t check, uint32_t packed, uint32_t size, const char *name) {
    two(w, VERSION), two(w, 0), two(w, DEFLATED), two(w, 0), two(w, DAY);
    four(w, check), four(w, packed), four(w, size);
    two(w, (uint32_t)strlen(name)), two(w, 0);
}

static size_t deflate_to(unsigned char *to, size_t room, const char *bytes, size_t size) {
    z_stream s = {
        .next_in = (unsigned char *)bytes, .avail_in = (unsigned)size, .next_out = to, .avail_out = (unsigned)room};
    if (deflateInit2(&s, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    const int state = deflate(&s, Z_FINISH);
    const size_t used = s.total_out;
    deflateEnd(&s);
    return state == Z_STREAM_END ? used : 0;
}

char *tx_archive_of(const char *name, const char *bytes, size_t size, size_t *archive_size) {
    const size_t around = LOCAL_SIZE + DIRECTORY_SIZE + END_SIZE + 2 * strlen(name);
    if (size > INT32_MAX) return NULL;
    const size_t room = compressBound((uLong)size) + 64;
    unsigned char *archive = tx_alloc(around + room);
    const size_t entry = LOCAL_SIZE + strlen(name),
                 packed = archive ? deflate_to(archive + entry, room, bytes, size) : 0;
    if (packed == 0) {
        tx_free(archive);
        return NULL;
    }
    const uint32_t check = (uint32_t)crc32(0, (const unsigned char *)bytes, (unsigned)size);
    writer w = {archive};
    four(&w, 0x04034b50);
    describe(&w, check, (uint32_t)packed, (uint32_t)size, name);
    text(&w, name);
    w.at += packed;
    four(&w, 0x02014b50), two(&w, VERSION);
    describe(&w, check, (uint32_t)packed, (uint32_t)size, name);
    two(&w, 0), two(&w, 0), two(&w, 0), four(&w, 0), four(&w, 0); // comment, disk, attributes, where the entry is
    text(&w, name);
    four(&w, 0x06054b50), two(&w, 0), two(&w, 0), two(&w, 1), two(&w, 1);
    four(&w, (uint32_t)(DIRECTORY_SIZE + strlen(name))), four(&w, (uint32_t)(entry + packed)), two(&w, 0);
    *archive_size = (size_t)(w.at - archive);
    return (char *)archive;
}
