// mjcf_option.c - <compiler>, <option>, <statistic>: the settings of a model.
#include <string.h>

#include "load/mjcf.h"
#include "load/text.h"
#include "thixis/sim.h"

// ---- compiler ----------------------------------------------------------------------------------------------------

typedef struct compiler {
    tx_compiler_def def;
    int radian, coordinate, inertiafromgeom;
    bool autolimits, strippath, fitaabb;
    bool alignfree;
    const char *eulerseq, *meshdir, *assetdir, *texturedir;
} compiler;

static const tx_mjcf_keyword angles[] = {{"degree", .value = 0}, {"radian", .value = 1}, {0}};
static const tx_mjcf_keyword coordinates[] = {{"local", .value = 0}, {"global", .value = 1}, {0}};

static const tx_mjcf_attr compiler_attrs[] = {
    {"angle", TX_MJCF_WORD(compiler, radian, angles)},
    {"autolimits", TX_MJCF_YESNO(compiler, autolimits, tx_mjcf_bool)},
    {"eulerseq", TX_MJCF_STRING(compiler, eulerseq)},
    {"coordinate", TX_MJCF_WORD(compiler, coordinate, coordinates)},
    {"inertiafromgeom", TX_MJCF_WORD(compiler, inertiafromgeom, tx_mjcf_switch)},
    {"inertiagrouprange", TX_MJCF_INTS(compiler, def.inertiagrouprange, 2, 2)},
    {"boundmass", TX_MJCF_REALS(compiler, def.boundmass, 1, 1)},
    {"boundinertia", TX_MJCF_REALS(compiler, def.boundinertia, 1, 1)},
    {"settotalmass", TX_MJCF_REALS(compiler, def.settotalmass, 1, 1)},
    {"balanceinertia", TX_MJCF_YESNO(compiler, def.balanceinertia, tx_mjcf_bool)},
    {"fusestatic", TX_MJCF_YESNO(compiler, def.fusestatic, tx_mjcf_bool)},
    {"discardvisual", TX_MJCF_YESNO(compiler, def.discardvisual, tx_mjcf_bool)},
    {"fitaabb", TX_MJCF_YESNO(compiler, fitaabb, tx_mjcf_bool)},
    {"meshdir", TX_MJCF_STRING(compiler, meshdir)},
    {"assetdir", TX_MJCF_STRING(compiler, assetdir)},
    {"texturedir", TX_MJCF_STRING(compiler, texturedir)},
    {"strippath", TX_MJCF_YESNO(compiler, strippath, tx_mjcf_bool)},
    {"alignfree", TX_MJCF_YESNO(compiler, alignfree, tx_mjcf_bool)},
    // these concern pictures, speed or saving
    {"usethread", TX_MJCF_IGNORE},
    {"saveinertial", TX_MJCF_IGNORE},
    {"savecanonical", TX_MJCF_IGNORE},
    {"savecompiled", TX_MJCF_IGNORE},
    {"passthrough", TX_MJCF_IGNORE},
    {"conflict", TX_MJCF_IGNORE},
    {0},
};

// actuators of a user's own do not exist here
static const tx_mjcf_keyword lengthrange_modes[] = {{"none", .value = TX_LENGTHRANGE_NONE},
                                                    {"muscle", .value = TX_LENGTHRANGE_MUSCLE},
                                                    {"muscleuser", .value = TX_LENGTHRANGE_MUSCLE},
                                                    {"all", .value = TX_LENGTHRANGE_ALL},
                                                    {0}};
typedef struct lengthrange {
    tx_lengthrange_def def;
    int mode;
} lengthrange;
#define NUMBER(member) TX_MJCF_REALS(lengthrange, def.member, 1, 1)
static const tx_mjcf_attr lengthrange_attrs[] = {
    {"mode", TX_MJCF_WORD(lengthrange, mode, lengthrange_modes)},
    {"useexisting", TX_MJCF_YESNO(lengthrange, def.useexisting, tx_mjcf_bool)},
    {"uselimit", TX_MJCF_YESNO(lengthrange, def.uselimit, tx_mjcf_bool)},
    {"accel", NUMBER(accel)},
    {"maxforce", NUMBER(maxforce)},
    {"timeconst", NUMBER(timeconst)},
    {"timestep", NUMBER(timestep)},
    {"inttotal", NUMBER(inttotal)},
    {"interval", NUMBER(interval)},
    {"tolrange", NUMBER(tolrange)},
    {0},
};
#undef NUMBER

static void read_lengthrange(tx_mjcf *m, tx_xml_element *element, void *context) {
    compiler *c = context;
    lengthrange l = {c->def.lengthrange, (int)c->def.lengthrange.mode};
    tx_mjcf_read(m, element, lengthrange_attrs, &l);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    c->def.lengthrange = l.def;
    c->def.lengthrange.mode = (tx_lengthrange_mode)l.mode;
}

static const tx_mjcf_child compiler_children[] = {{"lengthrange", .read = read_lengthrange, .once = true}, {0}};

void tx_mjcf_compiler(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    compiler c = {
        .def = m->part->compiler, .radian = m->part->radian, .inertiafromgeom = (int)m->part->compiler.inertiafromgeom};
    c.autolimits = m->part->autolimits;
    c.strippath = m->part->strippath;
    c.fitaabb = m->part->fitaabb;
    c.eulerseq = m->part->eulerseq;
    c.alignfree = m->part->alignfree;
    tx_mjcf_read(m, element, compiler_attrs, &c);
    tx_mjcf_children(m, element, compiler_children, 0, &c);
    if (c.coordinate) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "coordinate"),
                        "MuJoCo 2.3.3 or older can load and save the model in local coordinates",
                        "global coordinates are not supported");
    }
    if (strlen(c.eulerseq) != 3 || strspn(c.eulerseq, "xyzXYZ") != 3) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "eulerseq"), "such as \"xyz\" or \"ZYX\"",
                        "attribute 'eulerseq' of <compiler> takes three letters out of x y z X Y Z");
        c.eulerseq = m->part->eulerseq;
    }
    m->part->compiler = c.def;
    m->part->compiler.inertiafromgeom = (tx_switch)c.inertiafromgeom;
    m->part->radian = c.radian;
    m->part->autolimits = c.autolimits;
    m->part->strippath = c.strippath;
    m->part->fitaabb = c.fitaabb;
    m->part->eulerseq = c.eulerseq;
    // meshdir and texturedir win over assetdir of the same element
    if (c.assetdir) m->part->meshdir = m->part->texturedir = c.assetdir;
    if (c.texturedir) m->part->texturedir = c.texturedir;
    m->part->alignfree = c.alignfree;
    if (c.meshdir) m->part->meshdir = c.meshdir;
}

// ---- option ------------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword integrators[] = {
    {"Euler", .value = TX_INTEGRATOR_EULER},       {"RK4", .value = TX_INTEGRATOR_RK4},
    {"implicit", .value = TX_INTEGRATOR_IMPLICIT}, {"implicitfast", .value = TX_INTEGRATOR_IMPLICITFAST},
    {"discrete", .value = TX_INTEGRATOR_DISCRETE}, {0}};
static const tx_mjcf_keyword cones[] = {
    {"pyramidal", .value = 0},
    {"elliptic", .value = 1},
    {0},
};
// MuJoCo's solvers and ours of the same kind
static const tx_mjcf_keyword solvers[] = {{"Newton", .value = 0}, {"CG", .value = 1}, {"PGS", .value = 2}, {0}};
static const char *const SOLVER_NAMES[] = {"newton", "cg", "pgs"};

const tx_mjcf_attr tx_mjcf_option_attrs[] = {
    {"timestep", TX_MJCF_REALS(tx_mjcf_options, options.timestep, 1, 1)},
    {"gravity", TX_MJCF_REALS(tx_mjcf_options, gravity, 3, 3)},
    {"magnetic", TX_MJCF_REALS(tx_mjcf_options, magnetic, 3, 3)},
    {"density", TX_MJCF_REALS(tx_mjcf_options, density, 1, 1)},
    {"viscosity", TX_MJCF_REALS(tx_mjcf_options, viscosity, 1, 1)},
    {"wind", TX_MJCF_REALS(tx_mjcf_options, wind, 3, 3)},
    {"tolerance", TX_MJCF_REALS(tx_mjcf_options, options.tolerance, 1, 1)},
    {"ls_tolerance", TX_MJCF_REALS(tx_mjcf_options, options.ls_tolerance, 1, 1)},
    {"impratio", TX_MJCF_REALS(tx_mjcf_options, options.impratio, 1, 1)},
    {"iterations", TX_MJCF_INTS(tx_mjcf_options, options.iterations, 1, 1)},
    {"ls_iterations", TX_MJCF_INTS(tx_mjcf_options, options.ls_iterations, 1, 1)},
    {"integrator", TX_MJCF_WORD(tx_mjcf_options, options.integrator, integrators)},
    {"cone", TX_MJCF_WORD(tx_mjcf_options, cone, cones)},
    {"solver", TX_MJCF_WORD(tx_mjcf_options, solver, solvers)},
    {"noslip_iterations", TX_MJCF_INTS(tx_mjcf_options, options.noslip_iterations, 1, 1)},
    {"noslip_tolerance", TX_MJCF_REALS(tx_mjcf_options, options.noslip_tolerance, 1, 1)},
    {"actuatorgroupdisable", .kind = TX_MJCF_INTLIST, TX_MJCF_AT(tx_mjcf_options, groups_off)},
    {"sleep_tolerance", TX_MJCF_REALS(tx_mjcf_options, options.sleep_tolerance, 1, 1)},
    {"o_margin", TX_MJCF_REALS(tx_mjcf_options, options.o_margin, 1, 1)},
    {"o_solref", TX_MJCF_REALS(tx_mjcf_options, options.o_solref, 1, 2)},
    {"o_solimp", TX_MJCF_REALS(tx_mjcf_options, options.o_solimp, 1, 5)},
    {"o_friction", TX_MJCF_REALS(tx_mjcf_options, options.o_friction, 1, 5)},
    // only on precision
    {"jacobian", TX_MJCF_IGNORE},
    {"ccd_iterations", TX_MJCF_IGNORE},
    {"ccd_tolerance", TX_MJCF_IGNORE},
    {"sdf_iterations", TX_MJCF_IGNORE},
    {"sdf_initpoints", TX_MJCF_IGNORE},
    {0},
};

#define FLAG(member) TX_MJCF_YESNO(tx_options, member, tx_mjcf_flag)
const tx_mjcf_attr tx_mjcf_flag_attrs[] = {
    {"contact", FLAG(contact)},
    {"equality", FLAG(equality)},
    {"limit", FLAG(limit)},
    {"constraint", FLAG(constraint)},
    {"gravity", FLAG(gravity)},
    {"damper", FLAG(damper)},
    {"spring", FLAG(spring)},
    {"actuation", FLAG(actuation)},
    {"warmstart", FLAG(warmstart)},
    {"filterparent", FLAG(filterparent)},
    {"refsafe", FLAG(refsafe)},
    {"eulerdamp", FLAG(eulerdamp)},
    {"clampctrl", FLAG(clampctrl)},
    {"sensor", FLAG(sensor)},
    {"frictionloss", FLAG(frictionloss)},
    {"override", FLAG(override)},
    {"sleep", FLAG(sleep)},
    {"diagexact", FLAG(diagexact)},
    {"speculative", FLAG(speculative)},
    // the motion is the same either way, or the element concerned reports itself
    {"energy", TX_MJCF_IGNORE},
    {"fwdinv", TX_MJCF_IGNORE},
    {"midphase", TX_MJCF_IGNORE},
    {"island", TX_MJCF_IGNORE},
    {"autoreset", TX_MJCF_IGNORE},
    // a little, or not where the motion is computed
    {"nativeccd", TX_MJCF_ONLY("enable"), .flags = TX_MJCF_WARNING, .hint = "there is one way to find contacts"},
    {"multiccd", TX_MJCF_ONLY("enable"), .flags = TX_MJCF_WARNING, .hint = "flat contacts have several points"},
    {"invdiscrete", TX_MJCF_ONLY("disable"), .flags = TX_MJCF_WARNING,
     .hint = "inverse dynamics take time as continuous"},
    {0},
};

static void read_flag(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_options *o = context;
    tx_mjcf_read(m, element, tx_mjcf_flag_attrs, &o->options);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static const tx_mjcf_child option_children[] = {{"flag", .read = read_flag, .once = true}, {0}};

static int law_of(const char *name) {
    int law = 0;
    while (tx_law_name(law) && strcmp(tx_law_name(law), name) != 0) law++;
    return law;
}

static void switch_groups_off(tx_mjcf *m, tx_xml_element *element, tx_mjcf_options *o) {
    const tx_xml_attribute *attribute = tx_xml_find(element, "actuatorgroupdisable");
    if (!attribute) return;
    o->options.actuator_groups_off = 0;
    for (int i = 0; i < o->groups_off.count; i++) {
        int group = o->groups_off.values[i];
        if (group >= 0 && group <= 30) o->options.actuator_groups_off |= 1 << group;
        else
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "groups 0 to 30 can be switched off",
                            "there is no group %d to switch off", group);
    }
}

static void choose_solver(tx_mjcf *m, tx_xml_element *element, tx_mjcf_options *o) {
    const tx_xml_attribute *attribute = tx_xml_find(element, "solver");
    if (!attribute) return;
    int solver = 0;
    while (tx_solver_name(solver) && strcmp(tx_solver_name(solver), SOLVER_NAMES[o->solver]) != 0) solver++;
    o->options.solver = tx_solver_name(solver) ? solver : 0;
    if (!tx_solver_name(solver))
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, attribute, "it finds the same answer",
                        "solver '%s' is not here yet: newton is used", attribute->value);
}

// solver="PGS": `tolerance` is what MuJoCo's sweeps compare with, unless <custom> says another number
void tx_mjcf_stop_by_gain(tx_options *o) {
    const char *solver = tx_solver_name(o->solver);
    if (!solver || strcmp(solver, "pgs") != 0 || o->gain_tolerance > 0) return;
    o->gain_tolerance = o->tolerance >= 0 ? o->tolerance : tx_law_tolerance(o->law);
}

// whether the text is one number below `limit`; what is no number has been reported
static bool is_below(const tx_xml_attribute *attribute, double limit) {
    double value;
    tx_number_problem problem;
    return attribute && tx_read_reals(attribute->value, &value, 1, &problem) == 1 && value < limit;
}

// the marks of "not said" are no values of a file
static void refuse_marks(tx_mjcf *m, tx_xml_element *element, const tx_options *o) {
    const tx_xml_attribute *iterations = tx_xml_find(element, "iterations"),
                           *tolerance = tx_xml_find(element, "tolerance");
    if (o->iterations == 0 && is_below(iterations, 1))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, iterations, "leave it out for the law's own number",
                        "iterations is 0, it takes 1 to 100000");
    if (is_below(tolerance, 0))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tolerance, "leave it out for the law's own",
                        "tolerance is %g, it takes 0 to 1e+10", o->tolerance);
}

void tx_mjcf_option(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_options o = {.options = m->options, .cone = m->options.law == law_of("soft_elliptic")};
    memcpy(o.gravity, m->gravity, sizeof o.gravity);
    memcpy(o.magnetic, m->magnetic, sizeof o.magnetic);
    o.density = m->density, o.viscosity = m->viscosity;
    memcpy(o.wind, m->wind, sizeof o.wind);
    tx_mjcf_read(m, element, tx_mjcf_option_attrs, &o);
    tx_mjcf_children(m, element, option_children, 0, &o);
    refuse_marks(m, element, &o.options);
    switch_groups_off(m, element, &o);
    o.options.law = law_of(o.cone ? "soft_elliptic" : "soft");
    choose_solver(m, element, &o);
    m->options = o.options;
    memcpy(m->gravity, o.gravity, sizeof o.gravity);
    memcpy(m->magnetic, o.magnetic, sizeof o.magnetic);
    m->density = o.density, m->viscosity = o.viscosity;
    memcpy(m->wind, o.wind, sizeof o.wind);
}

// ---- statistic ---------------------------------------------------------------------------------------------------

static const tx_mjcf_attr statistic_attrs[] = {
    {"meaninertia", TX_MJCF_ONLY("0"), .flags = TX_MJCF_WARNING, .hint = "the stop test uses the computed value"},
    {"meanmass", TX_MJCF_IGNORE},
    {"meansize", TX_MJCF_IGNORE},
    {"extent", TX_MJCF_IGNORE},
    {"center", TX_MJCF_IGNORE},
    {0},
};

void tx_mjcf_statistic(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_read(m, element, statistic_attrs, NULL);
    tx_mjcf_children(m, element, NULL, 0, context);
}
