// mjcf_asset.c - <asset>: materials by name; of what only concerns pictures, colours and textures are kept.
#include <string.h>

#include "load/mjcf.h"

const tx_mjcf_attr tx_mjcf_material_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_material, name), .flags = TX_MJCF_REQUIRED | TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"rgba", .kind = TX_MJCF_FLOAT, TX_MJCF_AT(tx_mjcf_material, rgba), .min = 4, .max = 4},
    {"texture", TX_MJCF_STRING(tx_mjcf_material, texture)},
    {"texrepeat", TX_MJCF_REALS(tx_mjcf_material, texrepeat, 2, 2)},
    {"texuniform", TX_MJCF_YESNO(tx_mjcf_material, texuniform, tx_mjcf_bool)},
    {"emission", TX_MJCF_IGNORE},
    {"specular", TX_MJCF_IGNORE},
    {"shininess", TX_MJCF_IGNORE},
    {"reflectance", TX_MJCF_IGNORE},
    {"metallic", TX_MJCF_IGNORE},
    {"roughness", TX_MJCF_IGNORE},
    {0},
};

typedef struct layer {
    const char *texture, *role;
} layer;
static const tx_mjcf_attr layer_attrs[] = {
    {"texture", TX_MJCF_STRING(layer, texture), .flags = TX_MJCF_REQUIRED},
    {"role", TX_MJCF_STRING(layer, role), .flags = TX_MJCF_REQUIRED},
    {0},
};

// of the layers of a material its colours are drawn
static void read_layer(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_material *material = context;
    layer l = {0};
    if (tx_mjcf_read(m, element, layer_attrs, &l) && strcmp(l.role, "rgb") == 0) material->texture = l.texture;
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static const tx_mjcf_child material_children[] = {{"layer", .read = read_layer}, {0}};

static void read_material(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_material *material = tx_stash_take(m->stash, sizeof *material);
    if (!material) {
        m->out_of_memory = true;
        return;
    }
    *material = tx_mjcf_class_of(m, element, "class", m->part->main_class)->material;
    tx_mjcf_read(m, element, tx_mjcf_material_attrs, material);
    tx_mjcf_children(m, element, material_children, 0, material);
    if (!material->name) return;
    if (tx_names_find(&m->materials, material->name)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "name"), "",
                        "there are two materials '%.60s'", material->name);
    } else if (!tx_names_add(&m->materials, m->stash, material->name, material)) {
        m->out_of_memory = true;
    }
}

// looks only: the motion is the same without it
static void leave_out_skin(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_accept(m, element, context);
    tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, NULL, "the motion does not depend on it",
                    "<skin> is not drawn yet");
}

// read when the document was expanded
static const tx_mjcf_attr model_attrs[] = {
    {"name", TX_MJCF_IGNORE},
    {"file", TX_MJCF_IGNORE, .flags = TX_MJCF_REQUIRED},
    {"content_type", TX_MJCF_ONLY("text/xml")},
    {0},
};
static void read_model(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_read(m, element, model_attrs, NULL);
    tx_mjcf_children(m, element, NULL, 0, context);
}

static const tx_mjcf_child asset_children[] = {
    {"material", .read = read_material},
    {"texture", .read = tx_mjcf_texture_element},
    {"mesh", .read = tx_mjcf_mesh_element},
    {"hfield", .read = tx_mjcf_hfield_element},
    {"skin", .read = leave_out_skin},
    {"model", .read = read_model},
    {0},
};

void tx_mjcf_asset(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, asset_children, 0, context);
}
