// memory.h - the only allocator calls of the library, counted so that a test can prove that a step makes none.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "thixis/base.h"

void *tx_alloc(size_t size); // zeroed, 64-byte aligned; null when memory is out or size is absurd
void *tx_grow(void *old, size_t old_size, size_t size); // larger copy, the old one is released; null leaves it alone
void tx_free(void *memory);                             // null is fine
char *tx_copy_text(const char *text);                   // null becomes ""
uint64_t tx_alloc_count(void);                          // calls of tx_alloc and tx_grow so far, all threads
uint64_t tx_alloc_bytes(void);                          // that this thread has asked for so far
