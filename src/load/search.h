// search.h - where the mesh files of a URDF are: a list of places, tried one after the other.
#pragma once
#include <stdbool.h>

#include "load/stash.h"
#include "thixis/load.h"

// parents of the model's folder that are looked into
#define TX_SEARCH_PARENTS 6
// bytes of a file's name
#define TX_SEARCH_NAME_MAX 4096

typedef struct tx_search {
    tx_stash *stash;
    const char *folder;  // of the model's file, with its slash; "" is the current one
    const char *meshdir; // <compiler meshdir>, below the folder or absolute; "" when there is none
    bool strippath;      // <compiler strippath>: names lose their folders
    const tx_load_options *options;
    // what came out
    char *path; // where the file was found
    struct tx_tried *first, *last;
    bool out_of_memory;
} tx_search;

// The bytes of a file (release with tx_free()), or null. Names are package://NAME/PATH, model://NAME/PATH,
// file://PATH, absolute or relative. Start with the first five members set.
char *tx_search_read(tx_search *search, const char *name, size_t limit, size_t *length);

// "tried A, B, C" after a file was not found; lives in the stash, null when memory is out
const char *tx_search_tried(tx_search *search);
