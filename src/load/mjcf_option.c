// mjcf_option.c - <compiler>, <option>, <statistic>: the settings of a model.
#include <string.h>

#include "load/mjcf.h"

#define HINT_LATER "leave it out for now"

// ---- compiler ----------------------------------------------------------------------------------------------------

typedef struct compiler {
    int radian, inertia_from_geom;
    bool autolimits;
    const char *eulerseq;
    int coordinate;
} compiler;

static const tx_mjcf_keyword angles[] = {{"degree", .value = 0}, {"radian", .value = 1}, {0}};
static const tx_mjcf_keyword inertia_modes[] = {
    {"auto", .value = TX_AUTO}, {"true", .value = TX_ON}, {"false", .value = TX_OFF, .waiting = true}, {0}};
static const tx_mjcf_keyword coordinates[] = {{"local", .value = 0}, {"global", .value = 1}, {0}};

static const tx_mjcf_attr compiler_attrs[] = {
    {"angle", TX_MJCF_WORD(compiler, radian, angles)},
    {"autolimits", TX_MJCF_YESNO(compiler, autolimits, tx_mjcf_bool)},
    {"eulerseq", TX_MJCF_STRING(compiler, eulerseq)},
    {"coordinate", TX_MJCF_WORD(compiler, coordinate, coordinates)},
    {"inertiafromgeom", TX_MJCF_WORD(compiler, inertia_from_geom, inertia_modes)},
    // these change the model
    {"boundmass", TX_MJCF_ONLY("0")},
    {"boundinertia", TX_MJCF_ONLY("0")},
    {"settotalmass", TX_MJCF_ONLY("-1")},
    {"balanceinertia", TX_MJCF_ONLY("false")},
    {"inertiagrouprange", TX_MJCF_ONLY("0 5")},
    {"fusestatic", TX_MJCF_ONLY("false")},
    {"alignfree", TX_MJCF_ONLY("false")},
    {"discardvisual", TX_MJCF_ONLY("false"), .flags = TX_MJCF_WARNING, .hint = "visual geoms are kept"},
    // these concern files, speed or elements that report themselves
    {"meshdir", TX_MJCF_IGNORE},
    {"assetdir", TX_MJCF_IGNORE},
    {"texturedir", TX_MJCF_IGNORE},
    {"strippath", TX_MJCF_IGNORE},
    {"fitaabb", TX_MJCF_IGNORE},
    {"usethread", TX_MJCF_IGNORE},
    {"saveinertial", TX_MJCF_IGNORE},
    {"conflict", TX_MJCF_IGNORE},
    {0},
};

static const tx_mjcf_child compiler_children[] = {{"lengthrange", .read = tx_mjcf_accept, .once = true}, {0}};

void tx_mjcf_compiler(tx_mjcf *m, tx_xml_element *element, void *context) {
    compiler c = {m->radian, m->inertia_from_geom, m->autolimits, m->eulerseq, 0};
    tx_mjcf_read(m, element, compiler_attrs, &c);
    tx_mjcf_children(m, element, compiler_children, 0, context);
    if (c.coordinate) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "coordinate"),
                        "MuJoCo 2.3.3 or older can load and save the model in local coordinates",
                        "global coordinates are not supported");
    }
    if (strlen(c.eulerseq) != 3 || strspn(c.eulerseq, "xyzXYZ") != 3) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "eulerseq"), "such as \"xyz\" or \"ZYX\"",
                        "attribute 'eulerseq' of <compiler> takes three letters out of x y z X Y Z");
        c.eulerseq = m->eulerseq;
    }
    m->radian = c.radian;
    m->inertia_from_geom = c.inertia_from_geom;
    m->autolimits = c.autolimits;
    m->eulerseq = c.eulerseq;
}

// ---- option ------------------------------------------------------------------------------------------------------

typedef struct option {
    tx_options options;
    double gravity[3];
    int integrator, cone, solver;
} option;

enum { SOLVER_NEWTON, SOLVER_OTHER };

#define HINT_EULER "use integrator=\"Euler\" for now"
static const tx_mjcf_keyword integrators[] = {
    {"Euler", .value = 0},
    {"RK4", .value = 1, .waiting = true, .hint = HINT_EULER},
    {"implicit", .value = 2, .waiting = true, .hint = HINT_EULER},
    {"implicitfast", .value = 3, .waiting = true, .hint = HINT_EULER},
    {0},
};
static const tx_mjcf_keyword cones[] = {
    {"pyramidal", .value = 0},
    {"elliptic", .value = 1, .waiting = true, .hint = "use cone=\"pyramidal\" for now"},
    {0},
};
static const tx_mjcf_keyword solvers[] = {
    {"Newton", .value = SOLVER_NEWTON}, {"CG", .value = SOLVER_OTHER}, {"PGS", .value = SOLVER_OTHER}, {0}};

static const tx_mjcf_attr option_attrs[] = {
    {"timestep", TX_MJCF_REALS(option, options.timestep, 1, 1)},
    {"gravity", TX_MJCF_REALS(option, gravity, 3, 3)},
    {"tolerance", TX_MJCF_REALS(option, options.tolerance, 1, 1)},
    {"ls_tolerance", TX_MJCF_REALS(option, options.ls_tolerance, 1, 1)},
    {"impratio", TX_MJCF_REALS(option, options.impratio, 1, 1)},
    {"iterations", TX_MJCF_INTS(option, options.iterations, 1, 1)},
    {"ls_iterations", TX_MJCF_INTS(option, options.ls_iterations, 1, 1)},
    {"integrator", TX_MJCF_WORD(option, integrator, integrators)},
    {"cone", TX_MJCF_WORD(option, cone, cones)},
    {"solver", TX_MJCF_WORD(option, solver, solvers)},
    // fluids, groups and the slip pass change the motion
    {"density", TX_MJCF_ONLY("0"), .hint = "fluid forces come later"},
    {"viscosity", TX_MJCF_ONLY("0"), .hint = "fluid forces come later"},
    {"noslip_iterations", TX_MJCF_ONLY("0"), .hint = HINT_LATER},
    // no effect without a fluid, a sensor, a convex pair, flag override or sleep, which report themselves
    {"wind", TX_MJCF_IGNORE},
    {"magnetic", TX_MJCF_IGNORE},
    {"jacobian", TX_MJCF_IGNORE},
    {"noslip_tolerance", TX_MJCF_IGNORE},
    {"ccd_iterations", TX_MJCF_IGNORE},
    {"ccd_tolerance", TX_MJCF_IGNORE},
    {"sdf_iterations", TX_MJCF_IGNORE},
    {"sdf_initpoints", TX_MJCF_IGNORE},
    {"sleep_tolerance", TX_MJCF_IGNORE},
    {"o_margin", TX_MJCF_IGNORE},
    {"o_solref", TX_MJCF_IGNORE},
    {"o_solimp", TX_MJCF_IGNORE},
    {"o_friction", TX_MJCF_IGNORE},
    {0},
};

#define FLAG(member) TX_MJCF_YESNO(tx_options, member, tx_mjcf_flag)
static const tx_mjcf_attr flag_attrs[] = {
    {"contact", FLAG(contact)},
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
    // the motion is the same either way, or the element concerned reports itself
    {"energy", TX_MJCF_IGNORE},
    {"fwdinv", TX_MJCF_IGNORE},
    {"invdiscrete", TX_MJCF_IGNORE},
    {"sensor", TX_MJCF_IGNORE},
    {"midphase", TX_MJCF_IGNORE},
    {"nativeccd", TX_MJCF_IGNORE},
    {"multiccd", TX_MJCF_IGNORE},
    {"island", TX_MJCF_IGNORE},
    {"autoreset", TX_MJCF_IGNORE},
    {"equality", TX_MJCF_IGNORE},
    {"frictionloss", TX_MJCF_IGNORE},
    {"override", TX_MJCF_ONLY("disable"), .flags = TX_MJCF_WARNING, .hint = "the geoms' own values are used"},
    {"sleep", TX_MJCF_ONLY("disable"), .flags = TX_MJCF_WARNING, .hint = "everything stays awake"},
    {"diagexact", TX_MJCF_ONLY("disable"), .flags = TX_MJCF_WARNING, .hint = "the approximate diagonal is used"},
    {0},
};

static void read_flag(tx_mjcf *m, tx_xml_element *element, void *context) {
    option *o = context;
    tx_mjcf_read(m, element, flag_attrs, &o->options);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static const tx_mjcf_child option_children[] = {{"flag", .read = read_flag, .once = true}, {0}};

void tx_mjcf_option(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    option o = {.options = m->options};
    memcpy(o.gravity, m->gravity, sizeof o.gravity);
    tx_mjcf_read(m, element, option_attrs, &o);
    tx_mjcf_children(m, element, option_children, 0, &o);
    if (o.solver == SOLVER_OTHER) {
        const tx_xml_attribute *attribute = tx_xml_find(element, "solver");
        tx_mjcf_problem(m, TX_WARNING, element, attribute, "it finds the same answer",
                        "solver '%s' is not here yet: newton is used", attribute->value);
    }
    m->options = o.options;
    memcpy(m->gravity, o.gravity, sizeof o.gravity);
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
