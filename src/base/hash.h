// hash.h - FNV-1a, 64 bits: checks of files and hashes of states.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define TX_HASH_START 14695981039346656037ull

static inline uint64_t tx_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ p[i]) * 1099511628211ull;
    return hash;
}
