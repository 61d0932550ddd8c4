// mjcf_tendon.c - <tendon>: one that exerts no force by itself changes nothing and is left out; the others wait.
#include "load/mjcf.h"

#define REALS(member, lo, hi) TX_MJCF_REALS(tx_mjcf_tendon, member, lo, hi)
const tx_mjcf_attr tx_mjcf_tendon_attrs[] = {
    {"name", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"stiffness", REALS(stiffness, 1, 3)},
    {"damping", REALS(damping, 1, 3)},
    {"frictionloss", REALS(frictionloss, 1, 1)},
    {"armature", REALS(armature, 1, 1)},
    {"limited", TX_MJCF_WORD(tx_mjcf_tendon, limited, tx_mjcf_switch)},
    {"range", REALS(range, 2, 2)},
    // these go with the forces above, with an actuator, which reports itself, or with pictures
    {"springlength", TX_MJCF_IGNORE},
    {"margin", TX_MJCF_IGNORE},
    {"solreflimit", TX_MJCF_IGNORE},
    {"solimplimit", TX_MJCF_IGNORE},
    {"solreffriction", TX_MJCF_IGNORE},
    {"solimpfriction", TX_MJCF_IGNORE},
    {"actuatorfrclimited", TX_MJCF_IGNORE},
    {"actuatorfrcrange", TX_MJCF_IGNORE},
    {"group", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {"material", TX_MJCF_IGNORE},
    {"rgba", TX_MJCF_IGNORE},
    {"width", TX_MJCF_IGNORE},
    {0},
};

static const tx_mjcf_child path_children[] = {{"joint", .read = tx_mjcf_accept},
                                              {"site", .read = tx_mjcf_accept},
                                              {"geom", .read = tx_mjcf_accept},
                                              {"pulley", .read = tx_mjcf_accept},
                                              {0}};

static bool is_inert(const tx_mjcf_tendon *t) {
    bool force = t->frictionloss != 0 || t->armature != 0;
    for (int i = 0; i < 3; i++) force = force || t->stiffness[i] != 0 || t->damping[i] != 0;
    bool limits = t->limited == TX_ON || (t->limited == TX_AUTO && (t->range[0] != 0 || t->range[1] != 0));
    return !force && !limits;
}

// context: an int that counts the tendons left out
static void read_tendon(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_tendon tendon = tx_mjcf_class_of(m, element, "class", m->main_class)->tendon;
    bool good = tx_mjcf_read(m, element, tx_mjcf_tendon_attrs, &tendon);
    tx_mjcf_children(m, element, path_children, 0, NULL);
    if (good && !is_inert(&tendon)) tx_mjcf_waiting(m, element, "so far a tendon can have no force and no limit");
    int *count = context;
    if (is_inert(&tendon)) ++*count;
}

static const tx_mjcf_child tendon_children[] = {{"fixed", .read = read_tendon}, {"spatial", .read = read_tendon}, {0}};

void tx_mjcf_tendon_section(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    int count = 0;
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, tendon_children, 0, &count);
    if (!count) return;
    tx_mjcf_problem(m, TX_WARNING, element, NULL, "the motion does not depend on such tendons",
                    "%d tendon%s without force %s left out", count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}
