// arena.h - scratch memory that is handed down by value: what a function takes is gone when it returns.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct tx_arena {
    char *at, *end;
} tx_arena;

/// n objects of a type, 64-byte aligned and uninitialised; null when the arena is too small
#define TX_TAKE(arena, n, type) ((type *)tx_arena_take(&(arena), (size_t)(n) * sizeof(type)))

static inline void *tx_arena_take(tx_arena *arena, size_t size) {
    uintptr_t at = ((uintptr_t)arena->at + 63u) & ~(uintptr_t)63u;
    if (at > (uintptr_t)arena->end || size > (uintptr_t)arena->end - at) return NULL;
    arena->at = (char *)(at + size);
    return (void *)at;
}
