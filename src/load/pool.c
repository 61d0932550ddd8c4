// pool.c - chunked memory of one load, and a hash of names that lives in it.
#include "load/pool.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define CHUNK_SIZE ((size_t)64 << 10)

struct tx_pool_chunk {
    struct tx_pool_chunk *next;
    size_t size, used;
    _Alignas(16) char bytes[];
};

struct tx_name {
    struct tx_name *next;
    const char *name;
    void *value;
};

void *tx_pool_take(tx_pool *pool, size_t size) {
    if (size > pool->limit) return NULL;
    size = (size + 15u) & ~(size_t)15u;
    struct tx_pool_chunk *chunk = pool->chunks;
    if (!chunk || size > chunk->size - chunk->used) {
        // a large piece gets a chunk of its own
        size_t room = size > CHUNK_SIZE / 4 ? size : CHUNK_SIZE;
        if (room > pool->limit - pool->taken) return NULL;
        chunk = tx_alloc(sizeof *chunk + room);
        if (!chunk) return NULL;
        pool->taken += room;
        chunk->size = room;
        if (room == size && pool->chunks) {
            chunk->next = pool->chunks->next; // keep filling the chunk that was open
            pool->chunks->next = chunk;
        } else {
            chunk->next = pool->chunks;
            pool->chunks = chunk;
        }
    }
    void *piece = chunk->bytes + chunk->used;
    chunk->used += size;
    return piece;
}

char *tx_pool_text(tx_pool *pool, const char *text, size_t length) {
    char *copy = tx_pool_take(pool, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void tx_pool_free(tx_pool *pool) {
    while (pool->chunks) {
        struct tx_pool_chunk *next = pool->chunks->next;
        tx_free(pool->chunks);
        pool->chunks = next;
    }
    pool->taken = 0;
}

static struct tx_name **slot_of(const tx_names *names, const char *name) {
    return &names->slots[tx_hash(TX_HASH_START, name, strlen(name)) & (names->slot_count - 1)];
}

// doubles the number of chains; the old ones stay in the pool
static bool grow_slots(tx_names *names, tx_pool *pool) {
    tx_names grown = {NULL, names->slot_count ? 2 * names->slot_count : 64, names->count};
    grown.slots = tx_pool_take(pool, grown.slot_count * sizeof *grown.slots);
    if (!grown.slots) return false;
    for (size_t i = 0; i < names->slot_count; i++) {
        for (struct tx_name *entry = names->slots[i], *next; entry; entry = next) {
            next = entry->next;
            struct tx_name **slot = slot_of(&grown, entry->name);
            entry->next = *slot;
            *slot = entry;
        }
    }
    *names = grown;
    return true;
}

bool tx_names_add(tx_names *names, tx_pool *pool, const char *name, void *value) {
    if (tx_names_find(names, name)) return true;
    if (names->count >= names->slot_count && !grow_slots(names, pool)) return false;
    struct tx_name *entry = tx_pool_take(pool, sizeof *entry);
    if (!entry) return false;
    struct tx_name **slot = slot_of(names, name);
    *entry = (struct tx_name){*slot, name, value};
    *slot = entry;
    names->count++;
    return true;
}

void *tx_names_find(const tx_names *names, const char *name) {
    if (!names->slot_count) return NULL;
    struct tx_name *entry = *slot_of(names, name);
    while (entry && strcmp(entry->name, name) != 0) entry = entry->next;
    return entry ? entry->value : NULL;
}
