// load_text.h - what the fuzzers of model files share: any bytes give either a model or an error.
#pragma once
#include <stdlib.h>

#include "thixis/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline int load_text(const uint8_t *data, size_t size, const char *name) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string((const char *)data, size, name, &diag);
    if ((model == NULL) != (diag.errors > 0)) abort();
    char line[256];
    for (int i = 0; i < diag.count; i++) tx_diag_format(&diag, i, line, sizeof line);
    tx_model_destroy(model);
    tx_diag_free(&diag);
    return 0;
}
