// names.h - where the elements of a builder are, by name, and which bodies move.
#pragma once
#include "compile/builder.h"

typedef struct tx_named {
    const char *name;
    const tx_source *source;
    int index;
} tx_named;

typedef struct tx_names {
    tx_named *sorted; // by name, then by order of the calls
    int count;
} tx_names;

/// Lists of one builder, made once per compilation.
typedef struct tx_catalog {
    tx_names body, joint, geom, site, camera, sensor, actuator, tendon, equality, mesh, hfield, key;
    int *joint_count; // per body
    bool *moves;      // per body: it or one above it has joints
    void *memory;
} tx_catalog;

bool tx_catalog_create(tx_catalog *catalog, const tx_builder *builder); // false: no memory
void tx_catalog_free(tx_catalog *catalog);

/// Index of the first element with that name; -1: none, or the name is empty.
int tx_name_find(const tx_names *names, const char *name);
