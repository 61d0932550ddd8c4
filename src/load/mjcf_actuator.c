// mjcf_actuator.c - <actuator>: general, motor, position and velocity on joints. All fill the same values and all start
// from the same default, so <position> after <velocity> in a class keeps what <velocity> set (MuJoCo's rule).
#include <string.h>

#include "load/mjcf.h"

// ---- attributes --------------------------------------------------------------------------------------------------

enum { DYN_NONE, GAIN_FIXED = 0, GAIN_AFFINE, BIAS_NONE = 0, BIAS_AFFINE, OTHERS };

// the rest are not supported yet; they are reported where an actuator uses them
static const tx_mjcf_keyword dyntypes[] = {
    {"none", .value = DYN_NONE},          {"integrator", .value = OTHERS}, {"filter", .value = OTHERS + 1},
    {"filterexact", .value = OTHERS + 2}, {"muscle", .value = OTHERS + 3}, {"dcmotor", .value = OTHERS + 4},
    {"pid", .value = OTHERS + 5},         {"user", .value = OTHERS + 6},   {0}};
static const tx_mjcf_keyword gaintypes[] = {{"fixed", .value = GAIN_FIXED}, {"affine", .value = GAIN_AFFINE},
                                            {"muscle", .value = OTHERS},    {"dcmotor", .value = OTHERS + 1},
                                            {"so3", .value = OTHERS + 2},   {"pid", .value = OTHERS + 3},
                                            {"user", .value = OTHERS + 4},  {0}};
static const tx_mjcf_keyword biastypes[] = {{"none", .value = BIAS_NONE},
                                            {"affine", .value = BIAS_AFFINE},
                                            {"muscle", .value = OTHERS},
                                            {"dcmotor", .value = OTHERS + 1},
                                            {"so3", .value = OTHERS + 2},
                                            {"user", .value = OTHERS + 3},
                                            {0}};

#define OWN_STRING(member)     TX_MJCF_STRING(tx_mjcf_actuator, member), .flags = TX_MJCF_NOT_IN_DEFAULT
#define REALS(member, lo, hi)  TX_MJCF_REALS(tx_mjcf_actuator, member, lo, hi)
#define WORD(member, list)     TX_MJCF_WORD(tx_mjcf_actuator, member, list)
#define REAL_AND_GIVEN(member) REALS(member, 1, 1), TX_MJCF_GIVEN(tx_mjcf_actuator, member##_given)
#define COMMON                                                                                                        \
    {"name", OWN_STRING(def.name)}, {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},                       \
        {"joint", OWN_STRING(def.joint)}, {"jointinparent", OWN_STRING(jointinparent)},                               \
        {"gear", REALS(def.gear, 1, 6)}, {"ctrllimited", WORD(def.ctrllimited, tx_mjcf_switch)},                      \
        {"ctrlrange", REALS(def.ctrlrange, 2, 2)}, {"forcelimited", WORD(def.forcelimited, tx_mjcf_switch)},          \
        {"forcerange", REALS(def.forcerange, 2, 2)}, {"armature", TX_MJCF_ONLY("0"), .hint = "give it to the joint"}, \
        {"damping", TX_MJCF_ONLY("0"), .hint = "give it to the joint"}, {"delay", TX_MJCF_ONLY("0")},                 \
        {"nsample",                                                                                                   \
         TX_MJCF_ONLY("0")}, /* no effect without a delay, a slider-crank or a muscle: those report themselves */     \
        {"interp", TX_MJCF_IGNORE}, {"cranklength", TX_MJCF_IGNORE},                                                  \
        {"lengthrange", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT}, {"group", TX_MJCF_IGNORE}, {                \
        "user", TX_MJCF_IGNORE                                                                                        \
    }

static const tx_mjcf_attr general_attrs[] = {
    COMMON,
    {"dyntype", WORD(dyntype, dyntypes)},
    {"gaintype", WORD(gaintype, gaintypes)},
    {"biastype", WORD(biastype, biastypes)},
    {"gainprm", REALS(gainprm, 1, TX_MJCF_PRM)},
    {"biasprm", REALS(biasprm, 1, TX_MJCF_PRM)},
    {"actlimited", TX_MJCF_ONLY("false auto")},
    {"actrange", TX_MJCF_ONLY("0")},
    {"actdim", TX_MJCF_ONLY("-1")},
    // no effect on an actuator without activation
    {"dynprm", TX_MJCF_IGNORE},
    {"actearly", TX_MJCF_IGNORE},
    {"ffrange", TX_MJCF_IGNORE},
    {"velrange", TX_MJCF_IGNORE},
    {0},
};
static const tx_mjcf_attr motor_attrs[] = {COMMON, {0}};
static const tx_mjcf_attr position_attrs[] = {
    COMMON,
    {"kp", REAL_AND_GIVEN(kp)},
    {"kv", REAL_AND_GIVEN(kv)},
    {"dampratio", REAL_AND_GIVEN(dampratio)},
    {"timeconst", REAL_AND_GIVEN(timeconst)},
    {"inheritrange", REALS(inheritrange, 1, 1)},
    {0},
};
static const tx_mjcf_attr velocity_attrs[] = {COMMON, {"kv", REAL_AND_GIVEN(kv)}, {0}};

// ---- kinds -------------------------------------------------------------------------------------------------------

static void set_general(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) { (void)m, (void)element, (void)a; }

static void set_motor(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    (void)m, (void)element;
    a->gainprm[0] = 1;
    a->dyntype = DYN_NONE;
    a->gaintype = GAIN_FIXED;
    a->biastype = BIAS_NONE;
}

// the value, or zero with a message
static double not_negative(tx_mjcf *m, tx_xml_element *element, const char *name, double value) {
    if (value >= 0) return value;
    tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, name), "", "%s of <%s> is negative", name,
                    element->name);
    return 0;
}

// force = kp (control - length) - kv velocity; a positive biasprm[2] is a damping ratio
static void set_position(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (a->kp_given) a->gainprm[0] = a->kp;
    a->biasprm[1] = -a->gainprm[0];
    if (a->kv_given && a->dampratio_given) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "dampratio"), "keep one of them",
                        "<%s> has both 'kv' and 'dampratio'", element->name);
    } else if (a->kv_given) {
        a->biasprm[2] = -not_negative(m, element, "kv", a->kv);
    } else if (a->dampratio_given) {
        a->biasprm[2] = not_negative(m, element, "dampratio", a->dampratio);
    }
    if (a->timeconst_given) a->dyntype = a->timeconst == 0 ? DYN_NONE : OTHERS + 2;
    a->gaintype = GAIN_FIXED;
    a->biastype = BIAS_AFFINE;
    const double *range = a->def.ctrlrange;
    if (a->inheritrange > 0 && (range[0] != 0 || range[1] != 0)) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "inheritrange"), "keep one of them",
                        "<%s> has both 'ctrlrange' and 'inheritrange'", element->name);
        a->inheritrange = 0;
    }
}

// force = kv (control - velocity)
static void set_velocity(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    (void)m, (void)element;
    if (a->kv_given) a->gainprm[0] = a->kv;
    memset(a->biasprm, 0, sizeof a->biasprm);
    a->biasprm[2] = -a->gainprm[0];
    a->dyntype = DYN_NONE;
    a->gaintype = GAIN_FIXED;
    a->biastype = BIAS_AFFINE;
}

static const struct {
    const char *name;
    const tx_mjcf_attr *attrs;
    void (*set)(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a);
} kinds[] = {{"general", general_attrs, set_general},
             {"motor", motor_attrs, set_motor},
             {"position", position_attrs, set_position},
             {"velocity", velocity_attrs, set_velocity}};

bool tx_mjcf_read_actuator(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a, bool in_default) {
    int kind = 0;
    while (kind < 3 && strcmp(kinds[kind].name, element->name) != 0) kind++;
    a->kp_given = a->kv_given = a->dampratio_given = a->timeconst_given = 0;
    bool good = in_default ? tx_mjcf_read_default(m, element, kinds[kind].attrs, a)
                           : tx_mjcf_read(m, element, kinds[kind].attrs, a);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (good) kinds[kind].set(m, element, a);
    return good;
}

// ---- one actuator ------------------------------------------------------------------------------------------------

// reports a value that waits; it may come from a class, so the message names the value
static void check_word(tx_mjcf *m, tx_xml_element *element, const char *name, const tx_mjcf_keyword *words, int value) {
    if (value < OTHERS) return;
    const tx_mjcf_keyword *k = words;
    while (k->value != value) k++;
    tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, name), "", "%s '%s' of <%s> is not supported yet", name,
                    k->name, element->name);
}

static void check_supported(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_actuator *a) {
    if (a->waiting) {
        tx_mjcf_problem(m, TX_ERROR, element, NULL, "give the actuator another class",
                        "<%s> in the defaults of <%s> is not supported yet", a->waiting, element->name);
        return;
    }
    if (a->timeconst_given && a->timeconst != 0) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "timeconst"), "actuators have no activation so far",
                        "attribute 'timeconst' of <%s> is not supported yet", element->name);
        return;
    }
    check_word(m, element, "dyntype", dyntypes, a->dyntype);
    check_word(m, element, "gaintype", gaintypes, a->gaintype);
    check_word(m, element, "biastype", biastypes, a->biastype);
}

// the control's range is that of the joint, scaled about its middle
static void inherit_range(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    const tx_joint_def *joint = a->def.joint ? tx_names_find(&m->joints, a->def.joint) : NULL;
    if (!(a->inheritrange > 0) || !joint) return;
    if (joint->range[0] == joint->range[1]) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "inheritrange"), "give it a range",
                        "<%s> inherits the range of joint '%.60s', which has none", element->name, a->def.joint);
        return;
    }
    double middle = 0.5 * (joint->range[1] + joint->range[0]);
    double half = 0.5 * (joint->range[1] - joint->range[0]) * a->inheritrange;
    a->def.ctrlrange[0] = middle - half;
    a->def.ctrlrange[1] = middle + half;
}

static void read_actuator(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_actuator a = tx_mjcf_class_of(m, element, "class", m->main_class)->actuator;
    bool good = tx_mjcf_read_actuator(m, element, &a, false);
    tx_actuator_def *def = &a.def;
    // on a hinge or a slide, the only joints that can be driven so far, both mean the same
    if (a.jointinparent) def->joint = a.jointinparent;
    // other transmissions have been reported by their attribute
    if (!def->joint && good) {
        tx_mjcf_problem(m, TX_ERROR, element, NULL, "", "<%s> needs attribute 'joint'", element->name);
    }
    check_supported(m, element, &a);
    inherit_range(m, element, &a);
    tx_mjcf_limits(m, element, "ctrlrange", "ctrllimited", def->ctrlrange, &def->ctrllimited);
    tx_mjcf_limits(m, element, "forcerange", "forcelimited", def->forcerange, &def->forcelimited);
    for (int i = 0; i < 3; i++) {
        def->gain[i] = i == 0 || a.gaintype == GAIN_AFFINE ? a.gainprm[i] : 0;
        def->bias[i] = a.biastype == BIAS_AFFINE ? a.biasprm[i] : 0;
    }
    // MuJoCo's convention: a positive velocity bias of a position servo is a damping ratio
    if (def->bias[2] > 0 && def->gain[0] == -def->bias[1]) def->dampratio = def->bias[2], def->bias[2] = 0;
    def->source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_actuator(m->builder, def));
}

static const tx_mjcf_child actuator_children[] = {{"general", .read = read_actuator},
                                                  {"motor", .read = read_actuator},
                                                  {"position", .read = read_actuator},
                                                  {"velocity", .read = read_actuator},
                                                  {0}};

void tx_mjcf_actuator_section(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, actuator_children, 0, context);
}
