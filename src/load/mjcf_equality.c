// mjcf_equality.c - <equality>: connect, weld, joint and tendon.
#include <string.h>

#include "load/mjcf_scale.h"

#define REALS(member, lo, hi) TX_MJCF_REALS(tx_mjcf_equality, member, lo, hi)
#define TEXT(member)          TX_MJCF_STRING(tx_mjcf_equality, member)
#define SHARED                                                                                                    \
    {"active", TX_MJCF_YESNO(tx_mjcf_equality, def.active, tx_mjcf_bool)}, {"solref", REALS(def.solref, 1, 2)}, { \
        "solimp", REALS(def.solimp, 1, 5)                                                                         \
    }
#define COMMON \
    SHARED, {"name", TEXT(def.name)}, { "class", TX_MJCF_IGNORE }
#define REQUIRED .flags = TX_MJCF_REQUIRED

const tx_mjcf_attr tx_mjcf_equality_attrs[] = {SHARED, {0}};

static const tx_mjcf_attr connect_attrs[] = {
    COMMON,
    {"body1", TEXT(def.first)},
    {"body2", TEXT(def.second)},
    {"site1", TEXT(site1)},
    {"site2", TEXT(site2)},
    {"anchor", REALS(def.anchor, 3, 3)},
    {0},
};
static const tx_mjcf_attr weld_attrs[] = {
    COMMON,
    {"body1", TEXT(def.first)},
    {"body2", TEXT(def.second)},
    {"site1", TEXT(site1)},
    {"site2", TEXT(site2)},
    {"anchor", REALS(def.anchor, 3, 3)},
    {"relpose", REALS(relpose, 7, 7)},
    {"torquescale", REALS(def.torquescale, 1, 1)},
    {0},
};
static const tx_mjcf_attr joint_attrs[] = {
    COMMON,
    {"joint1", TEXT(def.first), REQUIRED},
    {"joint2", TEXT(def.second)},
    {"polycoef", REALS(def.polycoef, 1, 5)},
    {0},
};
static const tx_mjcf_attr tendon_attrs[] = {
    COMMON,
    {"tendon1", TEXT(def.first), REQUIRED},
    {"tendon2", TEXT(def.second)},
    {"polycoef", REALS(def.polycoef, 1, 5)},
    {0},
};

const tx_mjcf_form tx_mjcf_equality_forms[] = {[TX_EQUALITY_CONNECT] = {"connect", connect_attrs},
                                               [TX_EQUALITY_WELD] = {"weld", weld_attrs},
                                               [TX_EQUALITY_JOINT] = {"joint", joint_attrs},
                                               [TX_EQUALITY_TENDON] = {"tendon", tendon_attrs}};

// what connect and weld keep together: two sites, or bodies; false with a message where it is neither
static bool choose_objects(tx_mjcf *m, tx_xml_element *element, tx_mjcf_equality *e) {
    bool connect = e->def.type == TX_EQUALITY_CONNECT, sites = e->site1 && e->site2;
    bool bodies = e->def.first && (!connect || tx_xml_find(element, "anchor"));
    bool some_site = e->site1 || e->site2,
         some_body = e->def.first || e->def.second || tx_xml_find(element, "anchor") || tx_xml_find(element, "relpose");
    if ((sites && !some_body) || (bodies && !some_site)) {
        e->def.sites = sites;
        if (sites) e->def.first = e->site1, e->def.second = e->site2;
        return true;
    }
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "not a part of both",
                    connect ? "<%s> needs 'body1' and 'anchor', or 'site1' and 'site2'"
                            : "<%s> needs 'body1', or 'site1' and 'site2'",
                    element->name);
    return false;
}

static void read_equality(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_equality e = tx_mjcf_class_of(m, element, "class", m->part->main_class)->equality;
    tx_equality_def *def = &e.def;
    while (strcmp(tx_mjcf_equality_forms[def->type].name, element->name) != 0) def->type++;
    bool good = tx_mjcf_read(m, element, tx_mjcf_equality_forms[def->type].attrs, &e);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (good && def->type <= TX_EQUALITY_WELD) good = choose_objects(m, element, &e);
    memcpy(def->relpos, e.relpose, sizeof def->relpos);
    memcpy(def->relquat, e.relpose + 3, sizeof def->relquat);
    def->source = tx_mjcf_source(element);
    tx_mjcf_scale_equality(m, def);
    if (good) tx_mjcf_check_index(m, tx_builder_equality(m->builder, def));
}

static const tx_mjcf_child equality_children[] = {{"connect", .read = read_equality},
                                                  {"weld", .read = read_equality},
                                                  {"joint", .read = read_equality},
                                                  {"tendon", .read = read_equality},
                                                  {0}};

void tx_mjcf_equality_section(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, equality_children, 0, context);
}
