// stash.c - chunked memory of one load, and a hash of names that lives in it.
#include "load/stash.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define CHUNK_SIZE ((size_t)64 << 10)

struct tx_stash_chunk {
    struct tx_stash_chunk *next;
    size_t size, used;
    _Alignas(16) char bytes[];
};

struct tx_name {
    struct tx_name *next;
    const char *name;
    void *value;
};

// memory for at least `room` bytes, before or behind the chunk that is open
static struct tx_stash_chunk *open_chunk(tx_stash *stash, size_t room, bool full) {
    if (room > stash->limit - stash->taken) return NULL;
    struct tx_stash_chunk *chunk = tx_alloc(sizeof *chunk + room);
    if (!chunk) stash->out_of_memory = true;
    if (!chunk) return NULL;
    stash->taken += room;
    chunk->size = room;
    if (full && stash->chunks) {
        chunk->next = stash->chunks->next; // keep filling the chunk that was open
        stash->chunks->next = chunk;
    } else {
        chunk->next = stash->chunks;
        stash->chunks = chunk;
    }
    return chunk;
}

void *tx_stash_take(tx_stash *stash, size_t size) {
    struct tx_stash_chunk *chunk = NULL;
    if (size <= stash->limit) {
        size = (size + 15u) & ~(size_t)15u;
        chunk = stash->chunks;
        // a large piece gets a chunk of its own
        if (!chunk || size > chunk->size - chunk->used)
            chunk = size > CHUNK_SIZE / 4 ? open_chunk(stash, size, true) : open_chunk(stash, CHUNK_SIZE, false);
    }
    if (!chunk) {
        stash->refused = true;
        return NULL;
    }
    void *piece = chunk->bytes + chunk->used;
    chunk->used += size;
    return piece;
}

char *tx_stash_text(tx_stash *stash, const char *text, size_t length) {
    char *copy = tx_stash_take(stash, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *tx_stash_join(tx_stash *stash, const char *a, const char *b) {
    size_t first = strlen(a), second = strlen(b);
    char *joined = tx_stash_take(stash, first + second + 1);
    if (!joined) return NULL;
    memcpy(joined, a, first);
    memcpy(joined + first, b, second);
    return joined;
}

void tx_stash_free(tx_stash *stash) {
    while (stash->chunks) {
        struct tx_stash_chunk *next = stash->chunks->next;
        tx_free(stash->chunks);
        stash->chunks = next;
    }
    stash->taken = 0;
}

static struct tx_name **slot_of(const tx_names *names, const char *name) {
    return &names->slots[tx_hash(TX_HASH_START, name, strlen(name)) & (names->slot_count - 1)];
}

// doubles the number of chains; the old ones stay in the stash
static bool grow_slots(tx_names *names, tx_stash *stash) {
    tx_names grown = {NULL, names->slot_count ? 2 * names->slot_count : 64, names->count};
    grown.slots = tx_stash_take(stash, grown.slot_count * sizeof *grown.slots);
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

bool tx_names_add(tx_names *names, tx_stash *stash, const char *name, void *value) {
    if (tx_names_find(names, name)) return true;
    if (names->count >= names->slot_count && !grow_slots(names, stash)) return false;
    struct tx_name *entry = tx_stash_take(stash, sizeof *entry);
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
