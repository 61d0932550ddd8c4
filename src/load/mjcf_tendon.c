// mjcf_tendon.c - <tendon>: fixed ones, which add joint positions, and spatial ones, which go through sites.
#include "load/mjcf_scale.h"

#define REALS(member, lo, hi) TX_MJCF_REALS(tx_mjcf_tendon, member, lo, hi)
#define WORD(member)          TX_MJCF_WORD(tx_mjcf_tendon, member, tx_mjcf_switch)
const tx_mjcf_attr tx_mjcf_tendon_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_tendon, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"stiffness", REALS(stiffness, 1, 3)},
    {"damping", REALS(damping, 1, 3)},
    {"springlength", REALS(springlength, 1, 2), TX_MJCF_GIVEN(tx_mjcf_tendon, springlength_given)},
    {"springyield", REALS(def.springyield, 1, 1)},
    {"frictionloss", REALS(def.frictionloss, 1, 1)},
    {"armature", REALS(def.armature, 1, 1)},
    {"limited", WORD(def.limited)},
    {"range", REALS(def.range, 2, 2)},
    {"margin", REALS(def.margin, 1, 1)},
    {"solreflimit", REALS(def.solref, 1, 2)},
    {"solimplimit", REALS(def.solimp, 1, 5)},
    {"solreffriction", REALS(def.solref_friction, 1, 2)},
    {"solimpfriction", REALS(def.solimp_friction, 1, 5)},
    {"actuatorfrclimited", WORD(def.actuatorfrclimited)},
    {"actuatorfrcrange", REALS(def.actuatorfrcrange, 2, 2)},
    {"group", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {"material", TX_MJCF_IGNORE},
    {"rgba", TX_MJCF_IGNORE},
    {"width", TX_MJCF_IGNORE},
    {0},
};

// ---- path ----------------------------------------------------------------------------------------------------------

typedef struct path {
    tx_path_def *elements;
    int count, room;
} path;

#define TEXT(member) TX_MJCF_STRING(tx_path_def, member)
#define NUMBER       TX_MJCF_REALS(tx_path_def, number, 1, 1)
static const tx_mjcf_attr joint_attrs[] = {
    {"joint", TEXT(name), .flags = TX_MJCF_REQUIRED},
    {"coef", NUMBER, .flags = TX_MJCF_REQUIRED},
    {0},
};
static const tx_mjcf_attr site_attrs[] = {{"site", TEXT(name), .flags = TX_MJCF_REQUIRED}, {0}};
static const tx_mjcf_attr geom_attrs[] = {
    {"geom", TEXT(name), .flags = TX_MJCF_REQUIRED},
    {"sidesite", TEXT(side)},
    {0},
};
static const tx_mjcf_attr pulley_attrs[] = {{"divisor", NUMBER, .flags = TX_MJCF_REQUIRED}, {0}};

const tx_mjcf_form tx_mjcf_path_forms[] = {[TX_PATH_JOINT] = {"joint", joint_attrs},
                                           [TX_PATH_SITE] = {"site", site_attrs},
                                           [TX_PATH_GEOM] = {"geom", geom_attrs},
                                           [TX_PATH_PULLEY] = {"pulley", pulley_attrs}};

static void read_element(tx_mjcf *m, tx_xml_element *element, path *p, tx_path_kind kind) {
    tx_path_def part = {.kind = kind};
    bool good = tx_mjcf_read(m, element, tx_mjcf_path_forms[kind].attrs, &part);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (good && p->count < p->room) p->elements[p->count++] = part;
}
static void read_joint(tx_mjcf *m, tx_xml_element *element, void *context) {
    read_element(m, element, context, TX_PATH_JOINT);
}
static void read_site(tx_mjcf *m, tx_xml_element *element, void *context) {
    read_element(m, element, context, TX_PATH_SITE);
}
static void read_geom(tx_mjcf *m, tx_xml_element *element, void *context) {
    read_element(m, element, context, TX_PATH_GEOM);
}
static void read_pulley(tx_mjcf *m, tx_xml_element *element, void *context) {
    read_element(m, element, context, TX_PATH_PULLEY);
}

static const tx_mjcf_child fixed_children[] = {{"joint", .read = read_joint}, {0}};
static const tx_mjcf_child spatial_children[] = {
    {"site", .read = read_site}, {"geom", .read = read_geom}, {"pulley", .read = read_pulley}, {0}};

// ---- one tendon ----------------------------------------------------------------------------------------------------

static void read_tendon(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_child *children) {
    tx_mjcf_tendon t = tx_mjcf_class_of(m, element, "class", m->part->main_class)->tendon;
    bool good = tx_mjcf_read(m, element, tx_mjcf_tendon_attrs, &t);
    path p = {0};
    for (const tx_xml_element *child = element->first; child; child = child->next) p.room++;
    p.elements = tx_stash_take(m->stash, ((size_t)p.room + 1) * sizeof *p.elements);
    if (!p.elements) {
        m->out_of_memory = true;
        return;
    }
    tx_mjcf_children(m, element, children, 0, &p);
    tx_tendon_def *def = &t.def;
    def->path = p.elements, def->count = p.count;
    tx_mjcf_polynomial(t.stiffness, &def->stiffness, def->stiffnesspoly);
    tx_mjcf_polynomial(t.damping, &def->damping, def->dampingpoly);
    if (t.springlength_given == 1) t.springlength[1] = t.springlength[0];
    if (t.springlength_given) def->springlength[0] = t.springlength[0], def->springlength[1] = t.springlength[1];
    tx_mjcf_limits(m, element, "range", "limited", def->range, &def->limited);
    tx_mjcf_limits(m, element, "actuatorfrcrange", "actuatorfrclimited", def->actuatorfrcrange,
                   &def->actuatorfrclimited);
    def->source = tx_mjcf_source(element);
    const double length = tx_mjcf_scale_tendon(m, def, p.elements), both[2] = {length, length};
    tx_mjcf_slot *spring = def->springyield > 0 ? tx_mjcf_spring_slot(m, 2) : NULL;
    if (spring && length != 1) tx_mjcf_slot_factors(m, spring, TX_MJCF_PLASTIC, both);
    if (good) tx_mjcf_check_index(m, tx_builder_tendon(m->builder, def));
}
static void read_fixed(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    read_tendon(m, element, fixed_children);
}
static void read_spatial(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    read_tendon(m, element, spatial_children);
}

static const tx_mjcf_child tendon_children[] = {{"fixed", .read = read_fixed}, {"spatial", .read = read_spatial}, {0}};

void tx_mjcf_tendon_section(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, tendon_children, 0, context);
}
