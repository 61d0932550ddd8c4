// fuzz_archive.c - any bytes as a Zip archive: no crash, no leak, and content only with a right check sum.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct bytes {
    const uint8_t *data;
    size_t size;
} bytes;

static bool read_bytes(void *context, size_t offset, void *to, size_t size) {
    const bytes *b = context;
    if (offset > b->size || size > b->size - offset) return false;
    memcpy(to, b->data + offset, size);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const NAMES[] = {"model.xml", "a/b.txt", "./a/../model.xml", ""};
    bytes b = {data, size};
    tx_archive archive = {read_bytes, &b, size};
    for (int i = 0; i < 4; i++) {
        size_t length = 0;
        const char *why = NULL;
        char *content = tx_archive_read(&archive, NAMES[i], 1 << 20, &length, &why);
        if (content ? content[length] != 0 : !why) abort();
        tx_free(content);
    }
    return 0;
}
