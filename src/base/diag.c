// diag.c - collected problems with file, line and column.
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

const char *tx_result_text(tx_result result) {
    switch (result) {
    case TX_OK: return "ok";
    case TX_ERROR_ARGUMENT: return "wrong argument";
    case TX_ERROR_MEMORY: return "out of memory";
    case TX_ERROR_FILE: return "the file cannot be read or written";
    case TX_ERROR_MODEL: return "the model has errors";
    case TX_ERROR_UNSUPPORTED: return "not supported";
    case TX_ERROR_DIVERGED: return "numbers went wrong";
    }
    return "unknown result";
}

// room for one more message, or false when the diag is full or memory is out
static bool make_room(tx_diag *diag) {
    if (diag->count >= TX_DIAG_MAX) return false;
    if (diag->count < diag->capacity) return true;
    int capacity = diag->capacity ? 2 * diag->capacity : 8;
    tx_message *grown =
        tx_grow(diag->messages, sizeof(tx_message) * (size_t)diag->count, sizeof(tx_message) * (size_t)capacity);
    if (!grown) return false;
    diag->messages = grown;
    diag->capacity = capacity;
    return true;
}

void tx_diag_add(tx_diag *diag, tx_severity severity, const char *file, int line, int column, const char *hint,
                 const char *format, ...) {
    if (!diag) return;
    *(severity == TX_ERROR ? &diag->errors : &diag->warnings) += 1;
    if (!make_room(diag)) return;

    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    tx_message message = {severity, tx_copy_text(file), line, column, tx_copy_text(text), tx_copy_text(hint)};
    if (!message.file || !message.text || !message.hint) {
        tx_free(message.file), tx_free(message.text), tx_free(message.hint);
        return;
    }
    diag->messages[diag->count++] = message;
}

int tx_diag_format(const tx_diag *diag, int i, char *buffer, size_t size) {
    if (!diag || i < 0 || i >= diag->count) return snprintf(buffer, size, "%s", "");
    const tx_message *m = &diag->messages[i];
    const char *kind = m->severity == TX_ERROR ? "error" : "warning";
    const char *dash = m->hint[0] ? " — " : "";
    if (m->line > 0)
        return snprintf(buffer, size, "%s:%d:%d: %s: %s%s%s", m->file, m->line, m->column, kind, m->text, dash,
                        m->hint);
    const char *colon = m->file[0] ? ": " : "";
    return snprintf(buffer, size, "%s%s%s: %s%s%s", m->file, colon, kind, m->text, dash, m->hint);
}

void tx_diag_free(tx_diag *diag) {
    if (!diag) return;
    for (int i = 0; i < diag->count; i++) {
        tx_free(diag->messages[i].file), tx_free(diag->messages[i].text), tx_free(diag->messages[i].hint);
    }
    tx_free(diag->messages);
    *diag = (tx_diag){0};
}
