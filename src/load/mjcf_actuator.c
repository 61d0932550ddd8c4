// mjcf_actuator.c - <actuator>: every kind and transmission. All fill the same values and all start from the same
// default, so <position> after <velocity> in a class keeps what <velocity> set (MuJoCo's rule).
#include <string.h>

#include "load/mjcf_scale.h"
#include "load/mjcf_servo.h"
#include "model/actuator.h"

// ---- attributes --------------------------------------------------------------------------------------------------

enum { OTHERS = 16 };

// the rest are not supported yet; they are reported where an actuator uses them
static const tx_mjcf_keyword dyntypes[] = {{"none", .value = TX_DYNAMICS_NONE},
                                           {"integrator", .value = TX_DYNAMICS_INTEGRATOR},
                                           {"filter", .value = TX_DYNAMICS_FILTER},
                                           {"filterexact", .value = TX_DYNAMICS_FILTEREXACT},
                                           {"muscle", .value = TX_DYNAMICS_MUSCLE},
                                           {"dcmotor", .value = TX_DYNAMICS_DCMOTOR},
                                           {"pid", .value = TX_DYNAMICS_PID},
                                           {"user", .value = OTHERS},
                                           {0}};
static const tx_mjcf_keyword gaintypes[] = {{"fixed", .value = TX_MJCF_GAIN_FIXED},
                                            {"affine", .value = TX_MJCF_GAIN_AFFINE},
                                            {"muscle", .value = TX_MJCF_GAIN_MUSCLE},
                                            {"dcmotor", .value = TX_MJCF_GAIN_DCMOTOR},
                                            {"pid", .value = TX_MJCF_GAIN_PID},
                                            {"so3", .value = TX_MJCF_GAIN_SO3},
                                            {"user", .value = OTHERS},
                                            {0}};
static const tx_mjcf_keyword biastypes[] = {{"none", .value = TX_MJCF_BIAS_NONE},
                                            {"affine", .value = TX_MJCF_BIAS_AFFINE},
                                            {"muscle", .value = TX_MJCF_BIAS_MUSCLE},
                                            {"dcmotor", .value = TX_MJCF_BIAS_DCMOTOR},
                                            {"so3", .value = TX_MJCF_BIAS_SO3},
                                            {"user", .value = OTHERS},
                                            {0}};

#define OWN_STRING(member)     TX_MJCF_STRING(tx_mjcf_actuator, member), .flags = TX_MJCF_NOT_IN_DEFAULT
#define REALS(member, lo, hi)  TX_MJCF_REALS(tx_mjcf_actuator, member, lo, hi)
#define WORD(member, list)     TX_MJCF_WORD(tx_mjcf_actuator, member, list)
#define REAL_AND_GIVEN(member) REALS(member, 1, 1), TX_MJCF_GIVEN(tx_mjcf_actuator, member##_given)
#define PAST                                                                                             \
    {"delay", REALS(def.delay, 1, 1)}, {"nsample", TX_MJCF_INTS(tx_mjcf_actuator, def.nsample, 1, 1)}, { \
        "interp", WORD(def.interp, tx_mjcf_interps)                                                      \
    }
#define COMMON_WITHOUT_FORCE                                                                               \
    {"name", OWN_STRING(def.name)}, {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},            \
        {"joint", OWN_STRING(def.joint)}, {"jointinparent", OWN_STRING(jointinparent)},                    \
        {"tendon", OWN_STRING(def.tendon)}, {"gear", REALS(def.gear, 1, 6)},                               \
        {"ctrllimited", WORD(def.ctrllimited, tx_mjcf_switch)}, {"ctrlrange", REALS(def.ctrlrange, 2, 2)}, \
        {"armature", REALS(def.armature, 1, 1)}, {"damping", REALS(def.damping, 1, 3)}, PAST,              \
        {"cranksite", OWN_STRING(def.cranksite)}, {"slidersite", OWN_STRING(def.slidersite)},              \
        {"cranklength", REALS(def.cranklength, 1, 1)},                                                     \
        {"lengthrange", REALS(def.lengthrange, 2, 2), .flags = TX_MJCF_NOT_IN_DEFAULT},                    \
        {"group", TX_MJCF_INTS(tx_mjcf_actuator, def.group, 1, 1)}, {                                      \
        "user", TX_MJCF_IGNORE                                                                             \
    }
#define COMMON                                                                        \
    COMMON_WITHOUT_FORCE, {"forcelimited", WORD(def.forcelimited, tx_mjcf_switch)}, { \
        "forcerange", REALS(def.forcerange, 2, 2)                                     \
    }
#define SITES \
    {"site", OWN_STRING(def.site)}, { "refsite", OWN_STRING(def.refsite) }
#define ACTIVATION \
    {"actlimited", WORD(def.actlimited, tx_mjcf_switch)}, { "actrange", REALS(def.actrange, 2, 2) }

const tx_mjcf_attr tx_mjcf_general_attrs[] = {
    COMMON,
    SITES,
    ACTIVATION,
    {"dyntype", WORD(dyntype, dyntypes)},
    {"gaintype", WORD(gaintype, gaintypes)},
    {"biastype", WORD(biastype, biastypes)},
    {"dynprm", REALS(def.dynprm, 1, TX_ACTUATOR_NUMBERS)},
    {"gainprm", REALS(gainprm, 1, TX_ACTUATOR_NUMBERS)},
    {"biasprm", REALS(biasprm, 1, TX_ACTUATOR_NUMBERS)},
    {"actearly", TX_MJCF_YESNO(tx_mjcf_actuator, def.actearly, tx_mjcf_bool)},
    {"body", OWN_STRING(def.body)},
    {"actdim", TX_MJCF_INTS(tx_mjcf_actuator, actdim, 1, 1)},
    {"inheritrange", REALS(inheritrange, 1, 1)},
    {"input", TX_MJCF_STRING(tx_mjcf_actuator, input)},
    {"ffrange", REALS(def.ffrange, 2, 2)},
    {"velrange", REALS(def.velrange, 2, 2)},
    {0},
};
static const tx_mjcf_attr motor_attrs[] = {COMMON, SITES, {0}};
static const tx_mjcf_attr position_attrs[] = {
    COMMON,
    SITES,
    {"kp", REAL_AND_GIVEN(kp)},
    {"kv", REAL_AND_GIVEN(kv)},
    {"dampratio", REAL_AND_GIVEN(dampratio)},
    {"timeconst", REAL_AND_GIVEN(timeconst)},
    {"inheritrange", REALS(inheritrange, 1, 1)},
    {0},
};
static const tx_mjcf_attr velocity_attrs[] = {COMMON, SITES, {"kv", REAL_AND_GIVEN(kv)}, {0}};
static const tx_mjcf_attr intvelocity_attrs[] = {
    COMMON,
    SITES,
    ACTIVATION,
    {"kp", REAL_AND_GIVEN(kp)},
    {"kv", REAL_AND_GIVEN(kv)},
    {"dampratio", REAL_AND_GIVEN(dampratio)},
    {"inheritrange", REALS(inheritrange, 1, 1)},
    {0},
};
static const tx_mjcf_attr damper_attrs[] = {COMMON, SITES, {"kv", REAL_AND_GIVEN(kv)}, {0}};
static const tx_mjcf_attr cylinder_attrs[] = {
    COMMON,
    SITES,
    {"timeconst", REAL_AND_GIVEN(timeconst)},
    {"area", REAL_AND_GIVEN(area)},
    {"diameter", REAL_AND_GIVEN(diameter)},
    {"bias", REALS(bias, 1, 3), TX_MJCF_GIVEN(tx_mjcf_actuator, bias_given)},
    {0},
};
static const tx_mjcf_attr muscle_attrs[] = {
    COMMON,
    {"timeconst", REALS(timeconst, 2, 2), TX_MJCF_GIVEN(tx_mjcf_actuator, timeconst_given)},
    {"tausmooth", REAL_AND_GIVEN(tausmooth)},
    {"range", REALS(range, 2, 2), TX_MJCF_GIVEN(tx_mjcf_actuator, range_given)},
    {"force", REAL_AND_GIVEN(force)},
    {"scale", REAL_AND_GIVEN(scale)},
    {"lmin", REAL_AND_GIVEN(lmin)},
    {"lmax", REAL_AND_GIVEN(lmax)},
    {"vmax", REAL_AND_GIVEN(vmax)},
    {"fpmax", REAL_AND_GIVEN(fpmax)},
    {"fvmax", REAL_AND_GIVEN(fvmax)},
    {0},
};

static const tx_mjcf_attr pid_attrs[] = {
    COMMON,
    SITES,
    {"kp", REAL_AND_GIVEN(kp)},
    {"kv", REAL_AND_GIVEN(kv)},
    {"dampratio", REAL_AND_GIVEN(dampratio)},
    {"ki", REAL_AND_GIVEN(ki)},
    {"imax", REAL_AND_GIVEN(imax)},
    {"slewmax", REAL_AND_GIVEN(slewmax)},
    {"input", TX_MJCF_STRING(tx_mjcf_actuator, input)},
    {"posrange", REALS(def.ctrlrange, 2, 2)},
    {"velrange", REALS(def.velrange, 2, 2)},
    {"ffrange", REALS(def.ffrange, 2, 2)},
    {"inheritrange", REALS(inheritrange, 1, 1)},
    {0},
};
#define SOME_AND_GIVEN(member, most) REALS(member, 1, most), TX_MJCF_GIVEN(tx_mjcf_actuator, member##_given)
static const tx_mjcf_attr dcmotor_attrs[] = {
    COMMON_WITHOUT_FORCE,
    SITES,
    {"resistance", REAL_AND_GIVEN(resistance)},
    {"motorconst", SOME_AND_GIVEN(motorconst, 2)},
    {"nominal", REALS(nominal, 3, 3), TX_MJCF_GIVEN(tx_mjcf_actuator, nominal_given)},
    {"inductance", SOME_AND_GIVEN(inductance, 2)},
    {"thermal", SOME_AND_GIVEN(thermal, 6)},
    {"saturation", SOME_AND_GIVEN(saturation, 3)},
    {"cogging", SOME_AND_GIVEN(cogging, 3)},
    {"lugre", SOME_AND_GIVEN(lugre, 5)},
    {"controller", SOME_AND_GIVEN(controller, 6)},
    {"input", TX_MJCF_STRING(tx_mjcf_actuator, input)},
    {0},
};

static const tx_mjcf_attr orientation_attrs[] = {
    {"name", OWN_STRING(def.name)},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"joint", OWN_STRING(def.joint)},
    SITES,
    PAST,
    {"ctrlrange", REALS(def.ctrlrange, 2, 2)},
    {"forcelimited", WORD(def.forcelimited, tx_mjcf_switch)},
    {"forcerange", REALS(def.forcerange, 2, 2)},
    {"kp", REAL_AND_GIVEN(kp)},
    {"kv", REAL_AND_GIVEN(kv)},
    {"dampratio", REAL_AND_GIVEN(dampratio)},
    {"input", TX_MJCF_STRING(tx_mjcf_actuator, input)},
    {"group", TX_MJCF_INTS(tx_mjcf_actuator, def.group, 1, 1)},
    {"user", TX_MJCF_IGNORE},
    {0},
};

static const tx_mjcf_attr adhesion_attrs[] = {
    {"name", OWN_STRING(def.name)},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"body", OWN_STRING(def.body)},
    {"ctrlrange", REALS(def.ctrlrange, 2, 2)},
    {"forcelimited", WORD(def.forcelimited, tx_mjcf_switch)},
    {"forcerange", REALS(def.forcerange, 2, 2)},
    {"gain", REAL_AND_GIVEN(adhesion_gain)},
    PAST,
    {"group", TX_MJCF_INTS(tx_mjcf_actuator, def.group, 1, 1)},
    {"user", TX_MJCF_IGNORE},
    {0},
};

// ---- kinds -------------------------------------------------------------------------------------------------------

static void set_general(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) { (void)m, (void)element, (void)a; }

static void set_motor(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    (void)m, (void)element;
    a->gainprm[0] = 1;
    a->dyntype = TX_DYNAMICS_NONE;
    a->gaintype = TX_MJCF_GAIN_FIXED;
    a->biastype = TX_MJCF_BIAS_NONE;
}

// the value, or zero with a message
static double not_negative(tx_mjcf *m, tx_xml_element *element, const char *name, double value) {
    if (value >= 0) return value;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, name), "", "%s of <%s> is negative", name,
                    element->name);
    return 0;
}

// force = kp (control - length) - kv velocity; a positive biasprm[2] is a damping ratio
static void set_position(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (a->kp_given) a->gainprm[0] = a->kp;
    a->biasprm[0] = 0;
    a->biasprm[1] = -a->gainprm[0];
    if (a->kv_given && a->dampratio_given) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "dampratio"), "keep one of them",
                        "<%s> has both 'kv' and 'dampratio'", element->name);
    } else if (a->kv_given) {
        a->biasprm[2] = -not_negative(m, element, "kv", a->kv);
    } else if (a->dampratio_given) {
        a->biasprm[2] = not_negative(m, element, "dampratio", a->dampratio);
    }
    if (a->timeconst_given) {
        a->def.dynprm[0] = not_negative(m, element, "timeconst", a->timeconst[0]);
        a->dyntype = a->timeconst[0] == 0 ? TX_DYNAMICS_NONE : TX_DYNAMICS_FILTEREXACT;
    }
    a->gaintype = TX_MJCF_GAIN_FIXED;
    a->biastype = TX_MJCF_BIAS_AFFINE;
}

// force = kv (control - velocity)
static void set_velocity(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    (void)m, (void)element;
    if (a->kv_given) a->gainprm[0] = a->kv;
    memset(a->biasprm, 0, sizeof a->biasprm);
    a->biasprm[2] = -a->gainprm[0];
    a->dyntype = TX_DYNAMICS_NONE;
    a->gaintype = TX_MJCF_GAIN_FIXED;
    a->biastype = TX_MJCF_BIAS_AFFINE;
}

// a position servo whose control is the velocity of its set point
static void set_intvelocity(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    set_position(m, element, a);
    a->dyntype = TX_DYNAMICS_INTEGRATOR;
}

// force = -kv velocity control
static void set_damper(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    memset(a->gainprm, 0, sizeof a->gainprm);
    if (a->kv_given) a->gainprm[2] = -not_negative(m, element, "kv", a->kv);
    a->def.ctrllimited = TX_SWITCH_ON;
    a->dyntype = TX_DYNAMICS_NONE;
    a->gaintype = TX_MJCF_GAIN_AFFINE;
    a->biastype = TX_MJCF_BIAS_NONE;
    if (a->def.ctrlrange[0] < 0 || a->def.ctrlrange[1] < 0)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "ctrlrange"), "",
                        "ctrlrange of <%s> is negative", element->name);
}

// a pneumatic or hydraulic cylinder: pressure follows the control, force is area times pressure
static void set_cylinder(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    (void)m, (void)element;
    if (a->timeconst_given) a->def.dynprm[0] = a->timeconst[0];
    for (int k = 0; k < a->bias_given; k++) a->biasprm[k] = a->bias[k];
    if (a->area_given) a->gainprm[0] = a->area;
    if (a->diameter_given && a->diameter >= 0) a->gainprm[0] = 3.14159265358979323846 / 4 * a->diameter * a->diameter;
    a->dyntype = TX_DYNAMICS_FILTER;
    a->gaintype = TX_MJCF_GAIN_FIXED;
    a->biastype = TX_MJCF_BIAS_AFFINE;
}

static void set_muscle(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    // what still has the value of an actuator that says nothing gets that of a muscle
    const tx_actuator_def general = tx_default_actuator_def(), muscle = tx_muscle_actuator();
    for (int k = 0; k < 9; k++)
        if (a->gainprm[k] == general.gain[k]) a->gainprm[k] = muscle.gain[k];
    for (int k = 0; k < 2; k++)
        if (a->def.dynprm[k] == general.dynprm[k]) a->def.dynprm[k] = muscle.dynprm[k];
    if (a->tausmooth_given) a->def.dynprm[2] = not_negative(m, element, "tausmooth", a->tausmooth);
    for (int k = 0; k < 2; k++) {
        if (a->timeconst_given && a->timeconst[k] >= 0) a->def.dynprm[k] = a->timeconst[k];
        if (a->range_given && a->range[k] >= 0) a->gainprm[k] = a->range[k];
    }
    const double value[] = {a->force, a->scale, a->lmin, a->lmax, a->vmax, a->fpmax, a->fvmax};
    const int given[] = {a->force_given, a->scale_given, a->lmin_given, a->lmax_given,
                         a->vmax_given,  a->fpmax_given, a->fvmax_given};
    for (int k = 0; k < 7; k++)
        if (given[k] && value[k] >= 0) a->gainprm[2 + k] = value[k];
    memcpy(a->biasprm, a->gainprm, sizeof a->biasprm);
    a->dyntype = TX_DYNAMICS_MUSCLE;
    a->gaintype = TX_MJCF_GAIN_MUSCLE;
    a->biastype = TX_MJCF_BIAS_MUSCLE;
}

// a force that pulls a body to what touches it
static void set_adhesion(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (a->adhesion_gain_given) a->gainprm[0] = not_negative(m, element, "gain", a->adhesion_gain);
    a->def.ctrllimited = TX_SWITCH_ON;
    a->gaintype = TX_MJCF_GAIN_FIXED;
    a->biastype = TX_MJCF_BIAS_NONE;
    if (a->def.ctrlrange[0] < 0 || a->def.ctrlrange[1] < 0)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "ctrlrange"), "",
                        "ctrlrange of <%s> is negative", element->name);
}

static const struct {
    const char *name;
    const tx_mjcf_attr *attrs;
    void (*set)(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a);
} kinds[] = {
    {"general", tx_mjcf_general_attrs, set_general},     {"motor", motor_attrs, set_motor},
    {"position", position_attrs, set_position},          {"velocity", velocity_attrs, set_velocity},
    {"intvelocity", intvelocity_attrs, set_intvelocity}, {"damper", damper_attrs, set_damper},
    {"cylinder", cylinder_attrs, set_cylinder},          {"muscle", muscle_attrs, set_muscle},
    {"adhesion", adhesion_attrs, set_adhesion},          {"pid", pid_attrs, tx_mjcf_set_pid},
    {"dcmotor", dcmotor_attrs, tx_mjcf_set_dcmotor},     {"orientation", orientation_attrs, tx_mjcf_set_orientation}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
_Static_assert((int)KINDS == TX_MJCF_ACTUATOR_KINDS, "a class keeps gains for every kind");

static tx_mjcf_gains gains_of(const tx_mjcf_actuator *a) {
    tx_mjcf_gains g = {a->dyntype,          a->gaintype,
                       a->biastype,         .inheritrange = a->inheritrange,
                       .inputs = a->inputs, .actearly = a->def.actearly};
    memcpy(g.gainprm, a->gainprm, sizeof g.gainprm);
    memcpy(g.biasprm, a->biasprm, sizeof g.biasprm);
    memcpy(g.dynprm, a->def.dynprm, sizeof g.dynprm);
    return g;
}

static void take_gains(tx_mjcf_actuator *a, const tx_mjcf_gains *g) {
    a->dyntype = g->dyntype, a->gaintype = g->gaintype, a->biastype = g->biastype, a->inheritrange = g->inheritrange;
    a->inputs = g->inputs, a->def.actearly = g->actearly;
    memcpy(a->gainprm, g->gainprm, sizeof g->gainprm);
    memcpy(a->biasprm, g->biasprm, sizeof g->biasprm);
    memcpy(a->def.dynprm, g->dynprm, sizeof g->dynprm);
}

void tx_mjcf_plain_actuator(tx_mjcf_actuator *a) {
    a->def = tx_default_actuator_def();
    a->gainprm[0] = 1;
    a->actdim = -1;
    for (int i = 0; i < KINDS; i++) a->inherited[i] = a->outer[i] = gains_of(a);
}

// what an element says of a controller or motor is its own alone
static void forget_servo(tx_mjcf_actuator *a) {
    static const tx_mjcf_actuator nothing;
    a->ki_given = a->imax_given = a->slewmax_given = a->resistance_given = a->motorconst_given = 0;
    a->nominal_given = a->inductance_given = a->thermal_given = a->saturation_given = 0;
    a->cogging_given = a->lugre_given = a->controller_given = 0, a->input = NULL;
    memcpy(a->motorconst, nothing.motorconst, sizeof a->motorconst);
    memcpy(a->inductance, nothing.inductance, sizeof a->inductance);
    memcpy(a->thermal, nothing.thermal, sizeof a->thermal);
    memcpy(a->saturation, nothing.saturation, sizeof a->saturation);
    memcpy(a->cogging, nothing.cogging, sizeof a->cogging);
    memcpy(a->lugre, nothing.lugre, sizeof a->lugre);
    memcpy(a->controller, nothing.controller, sizeof a->controller);
}

bool tx_mjcf_read_actuator(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a, bool in_default) {
    int kind = 0;
    while (kind < KINDS - 1 && strcmp(kinds[kind].name, element->name) != 0) kind++;
    take_gains(a, &a->inherited[kind]);
    a->kp_given = a->kv_given = a->dampratio_given = a->timeconst_given = a->area_given = a->diameter_given = 0;
    a->bias_given = a->range_given = a->force_given = a->scale_given = a->lmin_given = a->lmax_given = 0;
    a->vmax_given = a->fpmax_given = a->fvmax_given = a->tausmooth_given = a->adhesion_gain_given = 0;
    forget_servo(a);
    const int inherited = a->gaintype;
    bool good = in_default ? tx_mjcf_read_default(m, element, kinds[kind].attrs, a)
                           : tx_mjcf_read(m, element, kinds[kind].attrs, a);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (a->input) a->inputs = tx_mjcf_read_inputs(m, element, a->input);
    if (good) kinds[kind].set(m, element, a);
    // another gain has other inputs
    if (a->gaintype != inherited && !a->input) a->inputs = 0;
    // a range, given or inherited, goes before what the defaults above it say
    double *range = a->dyntype == TX_DYNAMICS_INTEGRATOR ? a->def.actrange : a->def.ctrlrange;
    bool own = tx_xml_find(element, range == a->def.actrange ? "actrange" : "ctrlrange") != NULL;
    bool inherits = tx_xml_find(element, "inheritrange") != NULL;
    if (own && !inherits) a->inheritrange = 0;
    if (inherits && !own) range[0] = range[1] = 0;
    // what a default says is for its own kind, and the last one of a class counts; <general> speaks for all, and hears
    // all
    for (int i = 0; i < KINDS && in_default; i++)
        a->inherited[i] = i == kind || i == 0 || kind == 0 ? gains_of(a) : a->outer[i];
    return good;
}

// ---- one actuator ------------------------------------------------------------------------------------------------

// reports a value that waits; it may come from a class, so the message names the value
static void check_word(tx_mjcf *m, tx_xml_element *element, const char *name, const tx_mjcf_keyword *words, int value) {
    if (value < OTHERS) return;
    const tx_mjcf_keyword *k = words;
    while (k->value != value) k++;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, name), "",
                    "%s '%s' of <%s> is not supported yet", name, k->name, element->name);
}

static void check_supported(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_actuator *a) {
    if (a->gaintype == TX_MJCF_GAIN_PID && a->biastype != TX_MJCF_BIAS_AFFINE)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "biastype"), "biastype=\"affine\"",
                        "gaintype 'pid' of <%s> needs an affine bias", element->name);
    if ((a->gaintype == TX_MJCF_GAIN_SO3) != (a->biastype == TX_MJCF_BIAS_SO3))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "gaintype"), "both, or neither",
                        "gaintype and biastype of <%s> are not both 'so3'", element->name);
    check_word(m, element, "dyntype", dyntypes, a->dyntype);
}

// gains and biases of the user's own: without a callback MuJoCo takes 1 and 0
static void leave_out_own(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    const bool gain = a->gaintype == OTHERS, bias = a->biastype == OTHERS;
    if (gain) a->gaintype = TX_MJCF_GAIN_FIXED, a->gainprm[0] = 1;
    if (bias) a->biastype = TX_MJCF_BIAS_NONE;
    if (gain || bias)
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, gain ? "gaintype" : "biastype"),
                        "there are no callbacks; MuJoCo does the same without one", "the %s of <%s> is %d",
                        gain ? "gain" : "bias", element->name, gain);
}

// a number of activations can only be said again
static void check_actdim(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_actuator *a, int activations) {
    if (a->actdim < 0 || a->actdim == activations) return;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "actdim"), "leave it away, or -1",
                    "actdim of <%s> is %d, but its activations are %d", element->name, a->actdim, activations);
}

// the range of the control (or of the activation that integrates it) is that of the joint, scaled about its middle
static void inherit_range(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    const tx_joint_def *joint = a->def.joint ? tx_names_find(&m->joints, a->def.joint) : NULL;
    if (!(a->inheritrange > 0) || !joint) return;
    double *range = a->dyntype == TX_DYNAMICS_INTEGRATOR ? a->def.actrange : a->def.ctrlrange;
    if (range[0] != 0 || range[1] != 0) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "inheritrange"), "keep one of them",
                        "<%s> has both '%s' and 'inheritrange'", element->name,
                        range == a->def.actrange ? "actrange" : "ctrlrange");
        return;
    }
    if (joint->range[0] == joint->range[1]) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "inheritrange"), "give it a range",
                        "<%s> inherits the range of joint '%.60s', which has none", element->name, a->def.joint);
        return;
    }
    double middle = 0.5 * (joint->range[1] + joint->range[0]);
    double half = 0.5 * (joint->range[1] - joint->range[0]) * a->inheritrange;
    range[0] = middle - half;
    range[1] = middle + half;
}

static tx_force_curve gain_curve(int type) {
    return type == TX_MJCF_GAIN_MUSCLE    ? TX_CURVE_MUSCLE
           : type == TX_MJCF_GAIN_PID     ? TX_CURVE_PID
           : type == TX_MJCF_GAIN_DCMOTOR ? TX_CURVE_DCMOTOR
           : type == TX_MJCF_GAIN_SO3     ? TX_CURVE_SO3
                                          : TX_CURVE_AFFINE;
}
static tx_force_curve bias_curve(int type) {
    return type == TX_MJCF_BIAS_MUSCLE    ? TX_CURVE_MUSCLE
           : type == TX_MJCF_BIAS_DCMOTOR ? TX_CURVE_DCMOTOR
           : type == TX_MJCF_BIAS_SO3     ? TX_CURVE_SO3
                                          : TX_CURVE_AFFINE;
}

// what an orientation servo has no use for, as in MuJoCo
static void make_turn(tx_mjcf *m, tx_xml_element *element, tx_actuator_def *def) {
    static const char *const unused[] = {"gear", "armature", "damping"};
    const tx_actuator_def plain = tx_default_actuator_def();
    for (int i = 0; i < 3; i++)
        if (tx_xml_find(element, unused[i]))
            tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, unused[i]), "take it away",
                            "%s of an orientation servo does nothing", unused[i]);
    memcpy(def->gear, plain.gear, sizeof def->gear);
    memcpy(def->damping, plain.damping, sizeof def->damping);
    def->armature = 0;
}

// dynamics, gain, bias and inputs of the definition, from the values
static void make_curves(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    tx_actuator_def *def = &a->def;
    def->dynamics = a->dyntype < OTHERS ? (tx_dynamics)a->dyntype : TX_DYNAMICS_NONE;
    def->gain_curve = gain_curve(a->gaintype), def->bias_curve = bias_curve(a->biastype);
    for (int i = 0; i < TX_ACTUATOR_NUMBERS; i++) {
        def->gain[i] = i == 0 || a->gaintype != TX_MJCF_GAIN_FIXED ? a->gainprm[i] : 0;
        def->bias[i] = a->biastype != TX_MJCF_BIAS_NONE ? a->biasprm[i] : 0;
    }
    // MuJoCo's convention: a positive velocity bias of a position servo is a damping ratio
    bool servo =
        a->gaintype == TX_MJCF_GAIN_PID || (a->gaintype == TX_MJCF_GAIN_FIXED && def->gain[0] == -def->bias[1]);
    const bool turn = a->gaintype == TX_MJCF_GAIN_SO3;
    if (((servo && a->biastype == TX_MJCF_BIAS_AFFINE) || turn) && def->bias[2] > 0)
        def->dampratio = def->bias[2], def->bias[2] = 0;
    if (turn && def->dynamics == TX_DYNAMICS_INTEGRATOR) def->dynamics = TX_DYNAMICS_TURN;
    if (turn) make_turn(m, element, def);
    def->inputs = tx_mjcf_inputs(m, element, a);
}

static int activations(const tx_actuator_def *d) {
    return tx_bit_count(tx_actuator_states((int)d->dynamics, d->dynprm, d->gain));
}

static void read_actuator(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_actuator a = tx_mjcf_class_of(m, element, "class", m->part->main_class)->actuator;
    bool good = tx_mjcf_read_actuator(m, element, &a, false);
    tx_actuator_def *def = &a.def;
    if (a.jointinparent) def->joint = a.jointinparent, def->inparent = true;
    if (!def->joint && !def->tendon && !def->site && !def->cranksite && !def->body && good) {
        bool adhesion = strcmp(element->name, "adhesion") == 0, turn = strcmp(element->name, "orientation") == 0;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL,
                        adhesion ? ""
                        : turn   ? "or 'site' and 'refsite'"
                                 : "or 'tendon', 'site', 'cranksite'",
                        "<%s> needs attribute '%s'", element->name, adhesion ? "body" : "joint");
    }
    check_supported(m, element, &a);
    leave_out_own(m, element, &a);
    a.control = 1;
    const tx_mjcf_units units = tx_mjcf_scale_actuator(m, element, &a);
    inherit_range(m, element, &a);
    tx_mjcf_limits(m, element, "ctrlrange", "ctrllimited", def->ctrlrange, &def->ctrllimited);
    tx_mjcf_limits(m, element, "forcerange", "forcelimited", def->forcerange, &def->forcelimited);
    tx_mjcf_limits(m, element, "actrange", "actlimited", def->actrange, &def->actlimited);
    make_curves(m, element, &a);
    check_actdim(m, element, &a, activations(def));
    def->source = tx_mjcf_source(element);
    tx_mjcf_slot *slot = tx_mjcf_actuator_slot(m, element, tx_actuator_controls(def->inputs), activations(def));
    if (slot && m->scaled) {
        double control[4], activation[5];
        tx_mjcf_actuator_factors(&a, units, control, activation);
        tx_mjcf_slot_factors(m, slot, TX_MJCF_CTRL, control);
        tx_mjcf_slot_factors(m, slot, TX_MJCF_ACT, activation);
    }
    tx_mjcf_check_index(m, tx_builder_actuator(m->builder, def));
}

void tx_mjcf_measure_actuator(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_class *inherited, int *controls,
                              int *activation_count) {
    tx_mjcf_actuator a = inherited->actuator;
    tx_mjcf_read_actuator(m, element, &a, false);
    make_curves(m, element, &a);
    *controls = tx_actuator_controls(a.def.inputs), *activation_count = activations(&a.def);
}

static const tx_mjcf_child actuator_children[] = {{"general", .read = read_actuator},
                                                  {"motor", .read = read_actuator},
                                                  {"position", .read = read_actuator},
                                                  {"velocity", .read = read_actuator},
                                                  {"intvelocity", .read = read_actuator},
                                                  {"damper", .read = read_actuator},
                                                  {"cylinder", .read = read_actuator},
                                                  {"muscle", .read = read_actuator},
                                                  {"adhesion", .read = read_actuator},
                                                  {"pid", .read = read_actuator},
                                                  {"dcmotor", .read = read_actuator},
                                                  {"orientation", .read = read_actuator},
                                                  {0}};

void tx_mjcf_actuator_section(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, actuator_children, 0, context);
}
