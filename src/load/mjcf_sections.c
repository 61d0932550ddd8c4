// mjcf_sections.c - <contact>, <size>, and the list of all sections of a file.
#include <stddef.h>

#include "load/mjcf_flex.h"
#include "load/mjcf_scale.h"

// ---- contact -----------------------------------------------------------------------------------------------------

const tx_mjcf_attr tx_mjcf_exclude_attrs[] = {
    {"body1", TX_MJCF_STRING(tx_exclude_def, body1), .flags = TX_MJCF_REQUIRED},
    {"body2", TX_MJCF_STRING(tx_exclude_def, body2), .flags = TX_MJCF_REQUIRED},
    {"name", TX_MJCF_IGNORE},
    {0},
};

static void read_exclude(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_exclude_def def = {.source = tx_mjcf_source(element)};
    bool good = tx_mjcf_read(m, element, tx_mjcf_exclude_attrs, &def);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (good) tx_mjcf_check_index(m, tx_builder_exclude(m->builder, &def));
}

const tx_mjcf_attr tx_mjcf_pair_attrs[] = {
    {"name", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"geom1", TX_MJCF_STRING(tx_mjcf_pair, def.geom1), .flags = TX_MJCF_REQUIRED | TX_MJCF_NOT_IN_DEFAULT},
    {"geom2", TX_MJCF_STRING(tx_mjcf_pair, def.geom2), .flags = TX_MJCF_REQUIRED | TX_MJCF_NOT_IN_DEFAULT},
    {"condim", TX_MJCF_INTS(tx_mjcf_pair, def.condim, 1, 1)},
    {"friction", TX_MJCF_REALS(tx_mjcf_pair, def.friction, 1, 5)},
    {"solref", TX_MJCF_REALS(tx_mjcf_pair, def.solref, 1, 2)},
    {"solimp", TX_MJCF_REALS(tx_mjcf_pair, def.solimp, 1, 5)},
    {"margin", TX_MJCF_REALS(tx_mjcf_pair, def.margin, 1, 1)},
    {"gap", TX_MJCF_REALS(tx_mjcf_pair, def.gap, 1, 1)},
    {"solreffriction", TX_MJCF_REALS(tx_mjcf_pair, def.solref_friction, 1, 2)},
    {"adhesion", TX_MJCF_ONLY("0")},
    {0},
};

static void read_pair(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_pair pair = tx_mjcf_class_of(m, element, "class", m->part->main_class)->pair;
    bool good = tx_mjcf_read(m, element, tx_mjcf_pair_attrs, &pair);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    pair.def.source = tx_mjcf_source(element);
    tx_mjcf_scale_pair(m, &pair.def);
    if (good) tx_mjcf_check_index(m, tx_builder_pair(m->builder, &pair.def));
}

static const tx_mjcf_child contact_children[] = {{"pair", .read = read_pair}, {"exclude", .read = read_exclude}, {0}};

void tx_mjcf_contact(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, contact_children, 0, context);
}

// ---- size --------------------------------------------------------------------------------------------------------

// room grows by itself here, and nothing is kept for the user
static const tx_mjcf_attr size_attrs[] = {
    {"nkey", TX_MJCF_INTS(tx_mjcf, nkey, 1, 1)},
    {"memory", TX_MJCF_IGNORE},
    {"njmax", TX_MJCF_IGNORE},
    {"nconmax", TX_MJCF_IGNORE},
    {"nstack", TX_MJCF_IGNORE},
    {"nuserdata", TX_MJCF_IGNORE},
    {"nuser_body", TX_MJCF_IGNORE},
    {"nuser_jnt", TX_MJCF_IGNORE},
    {"nuser_geom", TX_MJCF_IGNORE},
    {"nuser_site", TX_MJCF_IGNORE},
    {"nuser_cam", TX_MJCF_IGNORE},
    {"nuser_tendon", TX_MJCF_IGNORE},
    {"nuser_actuator", TX_MJCF_IGNORE},
    {"nuser_sensor", TX_MJCF_IGNORE},
    {0},
};

void tx_mjcf_size(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_read(m, element, size_attrs, m);
    if (m->nkey > TX_MJCF_KEYS_MAX) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "nkey"), "at most 100000",
                        "nkey of <size> is too large");
        m->nkey = 0;
    }
    tx_mjcf_children(m, element, NULL, 0, context);
}

// ---- all sections ------------------------------------------------------------------------------------------------

// a section may stand anywhere and more than once; the phases give MuJoCo's order
const tx_mjcf_child tx_mjcf_sections[] = {
    {"compiler", .phase = 0, .read = tx_mjcf_compiler},
    {"option", .phase = 0, .read = tx_mjcf_option},
    {"statistic", .phase = 0, .read = tx_mjcf_statistic},
    {"size", .phase = 0, .read = tx_mjcf_size},
    {"visual", .phase = 0, .read = tx_mjcf_accept},
    {"custom", .phase = 0, .read = tx_mjcf_custom},
    {"default", .phase = 1, .read = tx_mjcf_default},
    {"asset", .phase = 2, .read = tx_mjcf_asset},
    {"worldbody", .phase = 3, .read = tx_mjcf_world_content},
    {"worldbody", .phase = 4, .read = tx_mjcf_world_bodies},
    {"deformable", .phase = 5, .read = tx_mjcf_deformable},
    {"tendon", .phase = 5, .read = tx_mjcf_tendon_section},
    {"actuator", .phase = 6, .read = tx_mjcf_actuator_section},
    {"equality", .phase = 6, .read = tx_mjcf_equality_section},
    {"contact", .phase = 6, .read = tx_mjcf_contact},
    {"keyframe", .phase = 7, .read = tx_mjcf_keyframe},
    {"sensor", .phase = 7, .read = tx_mjcf_sensor},
    {0},
};
