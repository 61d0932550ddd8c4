// mjcf_default.c - <default>: classes of values that elements start from. A class is a set of filled structs; a nested
// one starts as a copy of its parent as it stands, and elements start as a copy of their class (MuJoCo's rule).
#include <string.h>

#include "load/mjcf.h"

bool tx_mjcf_create_main_class(tx_mjcf *m, tx_mjcf_part *part) {
    tx_mjcf_class *c = tx_stash_take(m->stash, sizeof *c);
    char *name = tx_stash_join(m->stash, part->prefix, "main");
    if (!c || !name) return false;
    static const tx_mjcf_orientation upright = {.form = TX_MJCF_QUAT, .quat = {1, 0, 0, 0}};
    c->name = name;
    c->joint.def = tx_default_joint_def();
    c->geom.def = tx_default_geom_def();
    c->geom.orientation = upright;
    c->site.def = tx_default_site_def();
    c->site.orientation = upright;
    c->camera.def = tx_default_camera_def();
    c->camera.orientation = upright;
    c->mesh.def = tx_default_mesh_def();
    c->mesh.maxhullvert = -1;
    c->tendon.def = tx_default_tendon_def();
    c->equality.def = tx_default_equality_def();
    c->equality.relpose[1] = 1;
    tx_mjcf_plain_actuator(&c->actuator);
    // a pair takes nothing from its geoms: what is not given is the default (MuJoCo's rule)
    tx_pair_def *pair = &c->pair.def;
    *pair = tx_default_pair_def();
    pair->condim = 3;
    pair->has_friction = pair->has_solref = pair->has_solimp = pair->has_margin = pair->has_gap = true;
    for (int i = 0; i < 4; i++) c->material.rgba[i] = 1;
    c->material.texrepeat[0] = c->material.texrepeat[1] = 1;
    tx_mjcf_texture *texture = &c->texture;
    texture->type = TX_MJCF_TEXTURE_CUBE, texture->gridsize[0] = texture->gridsize[1] = 1, texture->random = 0.01;
    for (int i = 0; i < 3; i++) texture->rgb1[i] = 0.8, texture->rgb2[i] = 0.5;
    texture->gridlayout = "............", texture->nchannel = 3;
    part->main_class = c;
    return tx_names_add(&m->classes, m->stash, c->name, c);
}

const tx_mjcf_class *tx_mjcf_class_of(tx_mjcf *m, tx_xml_element *element, const char *attribute_name,
                                      const tx_mjcf_class *inherited) {
    const tx_xml_attribute *attribute = tx_xml_find(element, attribute_name);
    if (!attribute) return inherited;
    if (strcmp(attribute->value, m->part->main_class->name) == 0) return m->part->main_class;
    const tx_mjcf_class *c = tx_names_find(&m->classes, attribute->value);
    if (c) return c;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "define it by <default class=...>",
                    "there is no default class '%.60s'", attribute->value);
    return inherited;
}

// ---- the elements of a class -------------------------------------------------------------------------------------

static void default_joint(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_joint_attrs, &c->joint);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_geom(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_geom_attrs, &c->geom);
    tx_mjcf_choose_orientation(m, element, &c->geom.orientation);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_site(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_site_attrs, &c->site);
    tx_mjcf_choose_orientation(m, element, &c->site.orientation);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_camera(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_camera_attrs, &c->camera);
    tx_mjcf_choose_orientation(m, element, &c->camera.orientation);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_mesh(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_mesh_attrs, &c->mesh);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_pair(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_pair_attrs, &c->pair);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_equality(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_equality_attrs, &c->equality);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_tendon(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_tendon_attrs, &c->tendon);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_actuator(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_actuator(m, element, &c->actuator, true);
}

static void default_texture(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_texture_attrs, &c->texture);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void default_material(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_class *c = context;
    tx_mjcf_read_default(m, element, tx_mjcf_material_attrs, &c->material);
}

static void nested_default(tx_mjcf *m, tx_xml_element *element, void *context);

// what waits here changes nothing until an element uses it, and that one is reported
static const tx_mjcf_child children[] = {
    {"joint", .read = default_joint, .once = true},
    {"geom", .read = default_geom, .once = true},
    {"mesh", .read = default_mesh, .once = true},
    {"pair", .read = default_pair, .once = true},
    {"general", .read = default_actuator, .once = true},
    {"motor", .read = default_actuator, .once = true},
    {"position", .read = default_actuator, .once = true},
    {"velocity", .read = default_actuator, .once = true},
    {"intvelocity", .read = default_actuator, .once = true},
    {"orientation", .read = default_actuator, .once = true},
    {"pid", .read = default_actuator, .once = true},
    {"damper", .read = default_actuator, .once = true},
    {"cylinder", .read = default_actuator, .once = true},
    {"muscle", .read = default_actuator, .once = true},
    {"adhesion", .read = default_actuator, .once = true},
    {"dcmotor", .read = default_actuator, .once = true},
    {"material", .read = default_material, .once = true},
    {"site", .read = default_site, .once = true},
    {"camera", .read = default_camera, .once = true},
    {"light", .read = tx_mjcf_accept, .once = true},
    {"texture", .read = default_texture, .once = true},
    {"equality", .read = default_equality, .once = true},
    {"tendon", .read = default_tendon, .once = true},
    {"default", .phase = 1, .read = nested_default},
    {0},
};

static void read_class(tx_mjcf *m, tx_xml_element *element, tx_mjcf_class *c) {
    tx_mjcf_children(m, element, children, 0, c);
    tx_mjcf_children(m, element, children, 1, c); // nested classes copy what stands here, wherever it stands
}

static const tx_mjcf_attr class_attrs[] = {{"class", TX_MJCF_STRING(tx_mjcf_class, name)}, {0}};

static void nested_default(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_class *parent = context;
    tx_mjcf_class *c = tx_stash_take(m->stash, sizeof *c);
    if (!c) {
        m->out_of_memory = true;
        return;
    }
    *c = *parent;
    memcpy(c->actuator.outer, parent->actuator.inherited, sizeof c->actuator.outer);
    c->name = "";
    tx_mjcf_read(m, element, class_attrs, c);
    if (!c->name[0]) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "<default class=\"...\">",
                        "a nested <default> needs attribute 'class'");
    } else if (tx_names_find(&m->classes, c->name)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "class"), "",
                        "there are two default classes '%.60s'", c->name);
    } else if (!tx_names_add(&m->classes, m->stash, c->name, c)) {
        m->out_of_memory = true;
    }
    read_class(m, element, c);
}

void tx_mjcf_default(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_class top = {.name = m->part->main_class->name};
    tx_mjcf_read(m, element, class_attrs, &top);
    if (strcmp(top.name, m->part->main_class->name) != 0) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "class"), "put it inside another <default>",
                        "the outermost <default> is class 'main', not '%.60s'", top.name);
    }
    read_class(m, element, m->part->main_class);
}
