// mjcf_tendon.c - <tendon>: fixed ones. A spatial one that exerts no force changes nothing and is left out; others
// wait.
#include "load/mjcf.h"

#define REALS(member, lo, hi) TX_MJCF_REALS(tx_mjcf_tendon, member, lo, hi)
#define WORD(member)          TX_MJCF_WORD(tx_mjcf_tendon, member, tx_mjcf_switch)
const tx_mjcf_attr tx_mjcf_tendon_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_tendon, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"stiffness", REALS(stiffness, 1, 3)},
    {"damping", REALS(damping, 1, 3)},
    {"springlength", REALS(springlength, 1, 2), TX_MJCF_GIVEN(tx_mjcf_tendon, springlength_given)},
    {"frictionloss", REALS(def.frictionloss, 1, 1)},
    {"armature", REALS(armature, 1, 1)},
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

static bool is_inert(const tx_mjcf_tendon *t) {
    bool force = t->def.frictionloss != 0 || t->armature != 0;
    for (int i = 0; i < 3; i++) force = force || t->stiffness[i] != 0 || t->damping[i] != 0;
    const double *range = t->def.range;
    bool limits = t->def.limited == TX_ON || (t->def.limited == TX_AUTO && (range[0] != 0 || range[1] != 0));
    return !force && !limits;
}

// ---- fixed ---------------------------------------------------------------------------------------------------------

typedef struct path {
    const char **joints;
    double *coefs;
    int count, room;
} path;

typedef struct joint_part {
    const char *joint;
    double coef;
} joint_part;

static const tx_mjcf_attr joint_attrs[] = {
    {"joint", TX_MJCF_STRING(joint_part, joint), .flags = TX_MJCF_REQUIRED},
    {"coef", TX_MJCF_REALS(joint_part, coef, 1, 1), .flags = TX_MJCF_REQUIRED},
    {0},
};

static void read_joint(tx_mjcf *m, tx_xml_element *element, void *context) {
    path *p = context;
    joint_part part = {0};
    if (!tx_mjcf_read(m, element, joint_attrs, &part) || p->count >= p->room) return;
    p->joints[p->count] = part.joint;
    p->coefs[p->count++] = part.coef;
}

static const tx_mjcf_child fixed_children[] = {{"joint", .read = read_joint}, {0}};

// numbers that MuJoCo takes as a polynomial; only its constant is supported so far
static double constant_of(tx_mjcf *m, tx_xml_element *element, const char *name, const double numbers[3]) {
    if (numbers[1] != 0 || numbers[2] != 0)
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, name), "give one number",
                        "a polynomial %s of <%s> is not supported yet", name, element->name);
    return numbers[0];
}

static void read_fixed(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_tendon t = tx_mjcf_class_of(m, element, "class", m->main_class)->tendon;
    bool good = tx_mjcf_read(m, element, tx_mjcf_tendon_attrs, &t);
    path p = {0};
    for (const tx_xml_element *child = element->first; child; child = child->next) p.room++;
    p.joints = tx_stash_take(m->stash, ((size_t)p.room + 1) * sizeof *p.joints);
    p.coefs = tx_stash_take(m->stash, ((size_t)p.room + 1) * sizeof *p.coefs);
    if (!p.joints || !p.coefs) {
        m->out_of_memory = true;
        return;
    }
    tx_mjcf_children(m, element, fixed_children, 0, &p);
    tx_tendon_def *def = &t.def;
    def->joints = p.joints, def->coefs = p.coefs, def->count = p.count;
    def->stiffness = constant_of(m, element, "stiffness", t.stiffness);
    def->damping = constant_of(m, element, "damping", t.damping);
    if (t.springlength_given == 1) t.springlength[1] = t.springlength[0];
    if (t.springlength_given) def->springlength[0] = t.springlength[0], def->springlength[1] = t.springlength[1];
    if (t.armature != 0)
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "armature"), "give it to the joints",
                        "armature of <%s> is not supported yet", element->name);
    tx_mjcf_limits(m, element, "range", "limited", def->range, &def->limited);
    tx_mjcf_limits(m, element, "actuatorfrcrange", "actuatorfrclimited", def->actuatorfrcrange,
                   &def->actuatorfrclimited);
    def->source = tx_mjcf_source(element);
    if (good) tx_mjcf_check_index(m, tx_builder_tendon(m->builder, def));
}

// ---- spatial -------------------------------------------------------------------------------------------------------

static const tx_mjcf_child path_children[] = {
    {"site", .read = tx_mjcf_accept}, {"geom", .read = tx_mjcf_accept}, {"pulley", .read = tx_mjcf_accept}, {0}};

// context: an int that counts the tendons left out
static void read_spatial(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_tendon tendon = tx_mjcf_class_of(m, element, "class", m->main_class)->tendon;
    bool good = tx_mjcf_read(m, element, tx_mjcf_tendon_attrs, &tendon);
    tx_mjcf_children(m, element, path_children, 0, NULL);
    if (good && !is_inert(&tendon)) tx_mjcf_waiting(m, element, "so far it can have no force and no limit");
    int *count = context;
    if (!is_inert(&tendon)) return;
    ++*count;
    // sensors of it are left out too
    const char *name = tendon.def.name;
    if (name && name[0] && !tx_names_add(&m->tendons_left_out, m->stash, name, element)) m->out_of_memory = true;
}

static const tx_mjcf_child tendon_children[] = {{"fixed", .read = read_fixed}, {"spatial", .read = read_spatial}, {0}};

void tx_mjcf_tendon_section(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    int count = 0;
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, tendon_children, 0, &count);
    if (!count) return;
    tx_mjcf_problem(m, TX_WARNING, element, NULL, "the motion does not depend on such tendons",
                    "%d spatial tendon%s without force %s left out", count, count == 1 ? "" : "s",
                    count == 1 ? "is" : "are");
}
