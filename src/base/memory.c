// memory.c - aligned, zeroed and counted allocation, by the system or by the host program.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// the globals of the library: counters, which decide no result, and who gives memory
static _Atomic uint64_t alloc_count;
static _Atomic int64_t alive;
static tx_allocator host; // allocate is null: the system
static _Thread_local uint64_t alloc_bytes;

uint64_t tx_alloc_count(void) { return atomic_load_explicit(&alloc_count, memory_order_relaxed); }

uint64_t tx_alloc_bytes(void) { return alloc_bytes; }

tx_result tx_set_allocator(const tx_allocator *allocator) {
    if (allocator && (!allocator->allocate || !allocator->release)) return TX_ERROR_ARGUMENT;
    if (atomic_load(&alive) != 0) return TX_ERROR_UNSUPPORTED;
    host = allocator ? *allocator : (tx_allocator){0};
    return TX_OK;
}

void *tx_alloc(size_t size) {
    atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
    if (size > PTRDIFF_MAX - 64) return NULL;
    size_t rounded = size > 0 ? (size + 63u) & ~(size_t)63u : 64;
    alloc_bytes += rounded;
    void *memory = host.allocate ? host.allocate(host.context, rounded, 64) : aligned_alloc(64, rounded);
    if (!memory) return NULL;
    atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    return memset(memory, 0, rounded);
}

void *tx_grow(void *old, size_t old_size, size_t size) {
    void *memory = tx_alloc(size);
    if (!memory) return NULL;
    if (old) memcpy(memory, old, old_size < size ? old_size : size);
    tx_free(old);
    return memory;
}

void tx_free(void *memory) {
    if (!memory) return;
    atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
    if (host.allocate) host.release(host.context, memory);
    else free(memory);
}

char *tx_copy_text(const char *text) {
    if (!text) text = "";
    size_t size = strlen(text) + 1;
    char *copy = tx_alloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}
