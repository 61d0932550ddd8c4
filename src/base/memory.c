// memory.c - aligned, zeroed and counted allocation.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// the one global of the library: a counter for tests, it decides nothing
static _Atomic uint64_t alloc_count;

uint64_t tx_alloc_count(void) { return atomic_load_explicit(&alloc_count, memory_order_relaxed); }

void *tx_alloc(size_t size) {
    atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
    if (size > PTRDIFF_MAX - 64) return NULL;
    size_t rounded = (size + 63u) & ~(size_t)63u;
    void *memory = aligned_alloc(64, rounded ? rounded : 64);
    if (memory) memset(memory, 0, rounded ? rounded : 64);
    return memory;
}

void *tx_grow(void *old, size_t old_size, size_t size) {
    void *memory = tx_alloc(size);
    if (!memory) return NULL;
    if (old) memcpy(memory, old, old_size < size ? old_size : size);
    free(old);
    return memory;
}

void tx_free(void *memory) { free(memory); }

char *tx_copy_text(const char *text) {
    if (!text) text = "";
    size_t size = strlen(text) + 1;
    char *copy = tx_alloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}
