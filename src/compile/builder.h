// builder.h - what a builder holds: copies of the definitions in the order of the calls.
#pragma once
#include "thixis/builder.h"

#define TX_BUILDER_LIST(type) \
    struct {                  \
        type *items;          \
        int count, capacity;  \
    }

typedef struct tx_built_body {
    tx_body_def def;
    int parent;
} tx_built_body;
typedef struct tx_built_joint {
    tx_joint_def def;
    int body;
} tx_built_joint;
typedef struct tx_built_geom {
    tx_geom_def def;
    int body;
} tx_built_geom;

typedef struct tx_built_site {
    tx_site_def def;
    int body;
} tx_built_site;

typedef struct tx_built_camera {
    tx_camera_def def;
    int body;
} tx_built_camera;

struct tx_builder {
    char *name;
    tx_options options;
    double gravity[3], magnetic[3], density, viscosity, wind[3];
    tx_compiler_def compiler;
    TX_BUILDER_LIST(tx_built_body) body; // the world is item 0
    TX_BUILDER_LIST(tx_built_joint) joint;
    TX_BUILDER_LIST(tx_built_geom) geom;
    TX_BUILDER_LIST(tx_built_site) site;
    TX_BUILDER_LIST(tx_built_camera) camera;
    TX_BUILDER_LIST(tx_sensor_def) sensor;
    TX_BUILDER_LIST(tx_actuator_def) actuator;
    TX_BUILDER_LIST(tx_tendon_def) tendon;
    TX_BUILDER_LIST(tx_equality_def) equality;
    TX_BUILDER_LIST(tx_pair_def) pair;
    TX_BUILDER_LIST(tx_mesh_def) mesh;
    TX_BUILDER_LIST(tx_hfield_def) hfield;
    TX_BUILDER_LIST(tx_texture_def) texture;
    TX_BUILDER_LIST(tx_key_def) key;
    TX_BUILDER_LIST(tx_exclude_def) exclude;
    TX_BUILDER_LIST(void *) owned; // every copied text and array
    const char *last_file;         // of the last definition, owned
};

// how the mass of a body is made
static inline const tx_compiler_def *tx_compiler_of(const tx_builder *b, int body) {
    const tx_compiler_def *own = b->body.items[body].def.compiler;
    return own ? own : &b->compiler;
}

/// Copies that the builder owns, or null.
const char *tx_builder_text(tx_builder *builder, const char *text);
const double *tx_builder_numbers(tx_builder *builder, const double *numbers, int count);
const tx_path_def *tx_builder_path(tx_builder *builder, const tx_path_def *path, int count);

/// Whether all definitions hold by themselves and name what exists, as compile asks first.
bool tx_builder_check(const tx_builder *builder, tx_diag *diag);
/// Reports names that stand twice, and nothing else.
void tx_builder_check_names(const tx_builder *builder, tx_diag *diag);
