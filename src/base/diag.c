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

// what the library notes while it reads a file: by whom files were included
typedef struct inclusion {
    char *file, *by;
    int line, column;
} inclusion;

struct tx_diag_notes {
    inclusion *list;
    int count, capacity;
};

static const inclusion *inclusion_of(const tx_diag *diag, const char *file) {
    for (int i = 0; diag->notes && i < diag->notes->count; i++)
        if (strcmp(diag->notes->list[i].file, file) == 0) return &diag->notes->list[i];
    return NULL;
}

void tx_diag_included(tx_diag *diag, const char *file, const char *by, int line, int column) {
    if (!diag || inclusion_of(diag, file)) return;
    if (!diag->notes) diag->notes = tx_alloc(sizeof *diag->notes);
    struct tx_diag_notes *notes = diag->notes;
    if (!notes) return;
    if (notes->count == notes->capacity) {
        int capacity = notes->capacity ? 2 * notes->capacity : 8;
        size_t size = sizeof *notes->list;
        inclusion *grown = tx_grow(notes->list, size * (size_t)notes->count, size * (size_t)capacity);
        if (!grown) return;
        notes->list = grown;
        notes->capacity = capacity;
    }
    inclusion added = {tx_copy_text(file), tx_copy_text(by), line, column};
    if (added.file && added.by) {
        notes->list[notes->count++] = added;
    } else {
        tx_free(added.file), tx_free(added.by);
    }
}

// "included from a.xml:3:5, from b.xml:1:1", cut where it gets too long
static void describe_inclusion(const tx_diag *diag, const char *file, char *text, size_t size) {
    const inclusion *from = inclusion_of(diag, file);
    text[0] = 0;
    for (size_t used = 0; from && used < size; from = inclusion_of(diag, from->by))
        used += (size_t)snprintf(text + used, size - used, "%s from %s:%d:%d", used ? "," : "included", from->by,
                                 from->line, from->column);
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

static void free_message(const tx_message *m) { tx_free(m->file), tx_free(m->text), tx_free(m->hint), tx_free(m->via); }

bool tx_diag_has(const tx_diag *diag, const char *file, int line, int column, const char *text) {
    for (int i = 0; diag && i < diag->count; i++) {
        const tx_message *m = &diag->messages[i];
        if (m->line == line && m->column == column && strcmp(m->file, file) == 0 && strcmp(m->text, text) == 0)
            return true;
    }
    return false;
}

void tx_diag_add(tx_diag *diag, tx_severity severity, const char *file, int line, int column, const char *hint,
                 const char *format, ...) {
    if (!diag) return;
    *(severity == TX_SEVERITY_ERROR ? &diag->errors : &diag->warnings) += 1;
    if (!make_room(diag)) return;

    char text[512], via[512];
    describe_inclusion(diag, file, via, sizeof via);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    tx_message message = {severity,           tx_copy_text(file), line, column, tx_copy_text(text),
                          tx_copy_text(hint), tx_copy_text(via)};
    if (!message.file || !message.text || !message.hint || !message.via) {
        free_message(&message);
        return;
    }
    diag->messages[diag->count++] = message;
}

int tx_diag_format(const tx_diag *diag, int i, char *buffer, size_t size) {
    if (!diag || i < 0 || i >= diag->count) return snprintf(buffer, size, "%s", "");
    const tx_message *m = &diag->messages[i];
    const char *kind = m->severity == TX_SEVERITY_ERROR ? "error" : "warning";
    const char *dash = m->hint[0] ? " — " : "", *open = m->via[0] ? " (" : "", *close = m->via[0] ? ")" : "";
    if (m->line > 0)
        return snprintf(buffer, size, "%s:%d:%d: %s: %s%s%s%s%s%s", m->file, m->line, m->column, kind, m->text, dash,
                        m->hint, open, m->via, close);
    const char *colon = m->file[0] ? ": " : "";
    return snprintf(buffer, size, "%s%s%s: %s%s%s", m->file, colon, kind, m->text, dash, m->hint);
}

void tx_diag_forget_inclusions(tx_diag *diag) {
    struct tx_diag_notes *notes = diag->notes;
    for (int i = 0; notes && i < notes->count; i++) tx_free(notes->list[i].file), tx_free(notes->list[i].by);
    if (notes) tx_free(notes->list);
    tx_free(notes);
    diag->notes = NULL;
}

void tx_diag_free(tx_diag *diag) {
    if (!diag) return;
    for (int i = 0; i < diag->count; i++) free_message(&diag->messages[i]);
    tx_diag_forget_inclusions(diag);
    tx_free(diag->messages);
    *diag = (tx_diag){0};
}
