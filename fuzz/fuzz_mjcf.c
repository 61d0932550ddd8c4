// fuzz_mjcf.c - any bytes as an MJCF file: no crash, no leak, and either a model or an error.
#include "load_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return load_text(data, size, "fuzz.xml"); }
