// fuzz_urdf.c - any bytes as the content of a URDF: no crash, no leak, and either a model or an error.
#include <string.h>

#include "load_text.h"

// the root element is given, so that every input reaches the reader of URDF and none that of MJCF
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char start[] = "<robot name='r'>", end[] = "</robot>";
    const size_t before = sizeof start - 1, after = sizeof end - 1;
    // a whole file, as the seeds are
    if (size > 6 && (memcmp(data, "<?xml", 5) == 0 || memcmp(data, "<robot", 6) == 0))
        return load_text(data, size, "fuzz.urdf");
    uint8_t *text = malloc(before + size + after);
    if (!text) return 0;
    memcpy(text, start, before);
    if (size) memcpy(text + before, data, size);
    memcpy(text + before + size, end, after);
    load_text(text, before + size + after, "fuzz.urdf");
    free(text);
    return 0;
}
