// stash.h - the memory of one load: taken piece by piece, released all at once, bounded.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct tx_stash {
    struct tx_stash_chunk *chunks; // the newest first
    size_t limit, taken;           // bytes that may be and that have been allocated
    bool out_of_memory;            // the system had no more; the limit is another matter
    bool refused;                  // a piece was not given, for either reason
} tx_stash;

// zeroed, 16-byte aligned; null when memory is out or the limit is reached
void *tx_stash_take(tx_stash *stash, size_t size);
char *tx_stash_text(tx_stash *stash, const char *text, size_t length); // terminated copy
char *tx_stash_join(tx_stash *stash, const char *a, const char *b);    // one text behind the other
void tx_stash_free(tx_stash *stash);

// A set of names, each with a value.
typedef struct tx_names {
    struct tx_name **slots; // chains by hash
    size_t slot_count, count;
} tx_names;

// false when memory is out; the name is not copied; a name that is there already keeps its first value
bool tx_names_add(tx_names *names, tx_stash *stash, const char *name, void *value);
void *tx_names_find(const tx_names *names, const char *name); // null when it is not there
