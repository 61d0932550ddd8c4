// mjcf_scale_more.c - what refers to the content of resized frames: tendons, actuators, equalities, pairs, sensors.
#include <math.h>
#include <string.h>

#include "geometry/vec3.h"
#include "load/mjcf_scale.h"
#include "load/mjcf_servo.h"
#include "model/actuator.h"

static const tx_mjcf_units plain_units = {1, 1, 1};

// ---- who has which scale
// ---------------------------------------------------------------------------------------------

static const tx_mjcf_scale *scale_of(const tx_mjcf *m, tx_object kind, const char *name) {
    if (kind == TX_OBJECT_XBODY) kind = TX_OBJECT_BODY;
    return name ? tx_names_find(&m->scales[kind], name) : NULL;
}
static tx_mjcf_units units_of(const tx_mjcf *m, tx_object kind, const char *name) {
    const tx_mjcf_units *units = name ? tx_names_find(&m->units[kind], name) : NULL;
    return units ? *units : plain_units;
}

static double length_of(const tx_mjcf_scale *s) { return s ? s->length : 1; }
static double force_of(const tx_mjcf_scale *s) { return s ? s->unit_mass * s->unit_length : 1; }
static double torque_of(const tx_mjcf_scale *s) { return s ? s->unit_mass * s->unit_length * s->unit_length : 1; }
static double between(double a, double b) { return a == b ? a : sqrt(a * b); }

static tx_mjcf_units straight(const tx_mjcf_scale *s) {
    return s ? (tx_mjcf_units){s->length, s->unit_length, force_of(s)} : plain_units;
}
static tx_mjcf_units turning(const tx_mjcf_scale *s) { return (tx_mjcf_units){1, 1, torque_of(s)}; }

static void scale_pair(double pair[2], double factor) { pair[0] *= factor, pair[1] *= factor; }
static void scale_polynomial(tx_mjcf_units u, double *linear, double *square, double *cube) {
    *linear *= u.force / u.unit;
    *square *= u.force / (u.unit * u.unit);
    *cube *= u.force / (u.unit * u.unit * u.unit);
}

// ---- tendons
// -----------------------------------------------------------------------------------------------------------

static const tx_mjcf_scale *scale_of_path(const tx_mjcf *m, const tx_path_def *e) {
    return scale_of(m,
                    e->kind == TX_PATH_JOINT  ? TX_OBJECT_JOINT
                    : e->kind == TX_PATH_SITE ? TX_OBJECT_SITE
                                              : TX_OBJECT_GEOM,
                    e->name);
}

// the scale of the innermost frame that both stand in, or null
static const tx_mjcf_scale *common_scale(const tx_mjcf_scale *a, const tx_mjcf_scale *b) {
    for (; a; a = a->outer)
        for (const tx_mjcf_scale *other = b; other; other = other->outer)
            if (a->frame == other->frame) return a;
    return NULL;
}

// of all elements of a path
static const tx_mjcf_scale *scale_of_tendon(const tx_mjcf *m, const tx_tendon_def *def) {
    const tx_mjcf_scale *common = NULL;
    bool first = true;
    for (int i = 0; i < def->count; i++) {
        if (def->path[i].kind == TX_PATH_PULLEY) continue;
        const tx_mjcf_scale *s = scale_of_path(m, &def->path[i]);
        common = first ? s : common_scale(common, s);
        first = false;
    }
    return common;
}

double tx_mjcf_scale_tendon(tx_mjcf *m, tx_tendon_def *def, tx_path_def *path) {
    if (!m->scaled) return 1;
    const tx_mjcf_scale *s = scale_of_tendon(m, def);
    bool fixed = def->count > 0, angle = true;
    for (int i = 0; i < def->count; i++) {
        const tx_joint_def *joint =
            path[i].kind == TX_PATH_JOINT && path[i].name ? tx_names_find(&m->joints, path[i].name) : NULL;
        fixed &= path[i].kind == TX_PATH_JOINT;
        angle &= joint && joint->type == TX_JOINT_HINGE;
    }
    const tx_mjcf_units u = fixed && angle ? turning(s) : straight(s);
    // joints in a sum with lengths: what each adds has the scale of the sum
    for (int i = 0; fixed && !angle && i < def->count; i++)
        path[i].number *= u.length / units_of(m, TX_OBJECT_JOINT, path[i].name).length;
    for (int k = 0; k < 2; k++)
        if (def->springlength[k] > 0) def->springlength[k] *= u.length;
    def->springyield *= u.length, def->margin *= u.length;
    def->solimp[2] *= u.length, def->solimp_friction[2] *= u.length;
    scale_pair(def->range, u.length);
    scale_polynomial(u, &def->stiffness, &def->stiffnesspoly[0], &def->stiffnesspoly[1]);
    scale_polynomial(u, &def->damping, &def->dampingpoly[0], &def->dampingpoly[1]);
    def->armature *= u.force / u.unit;
    def->frictionloss *= u.force;
    scale_pair(def->actuatorfrcrange, u.force);
    tx_mjcf_note_units(m, TX_OBJECT_TENDON, def->name, u);
    tx_mjcf_note_scale(m, TX_OBJECT_TENDON, def->name, s);
    return u.length;
}

// ---- actuators
// ---------------------------------------------------------------------------------------------------------

// the factors of its transmission; a wrench of forces and torques is measured in forces
static tx_mjcf_units transmission(const tx_mjcf *m, tx_actuator_def *def, bool turns) {
    const tx_mjcf_scale *joint = scale_of(m, TX_OBJECT_JOINT, def->joint),
                        *site = scale_of(m, TX_OBJECT_SITE, def->site);
    if (def->tendon) return units_of(m, TX_OBJECT_TENDON, def->tendon);
    if (def->body) return straight(scale_of(m, TX_OBJECT_BODY, def->body));
    if (def->cranksite) {
        const tx_mjcf_units a = straight(scale_of(m, TX_OBJECT_SITE, def->cranksite)),
                            b = straight(scale_of(m, TX_OBJECT_SITE, def->slidersite));
        const tx_mjcf_units u = {between(a.length, b.length), between(a.unit, b.unit), between(a.force, b.force)};
        def->cranklength *= u.length;
        return u;
    }
    const tx_mjcf_units *known = def->joint ? tx_names_find(&m->units[TX_OBJECT_JOINT], def->joint) : NULL;
    if (known) return *known;
    const tx_mjcf_scale *s = def->joint ? joint : site;
    if (!s) return plain_units;
    if (turns) return turning(s);
    if (def->gear[0] == 0 && def->gear[1] == 0 && def->gear[2] == 0) return turning(s);
    for (int k = 3; k < 6; k++) def->gear[k] *= s->length;
    return straight(s);
}

enum { NUMBER, LENGTH, FORCE, PRESSURE };

// what its first control measures; a command that is none of these is a number
static int measures(const tx_xml_element *element, const tx_mjcf_actuator *a) {
    static const struct {
        const char *name;
        int what;
    } kinds[] = {{"position", LENGTH}, {"velocity", LENGTH}, {"intvelocity", LENGTH}, {"cylinder", PRESSURE}};
    if (a->gaintype == TX_MJCF_GAIN_PID || a->gaintype == TX_MJCF_GAIN_SO3 || a->gaintype == TX_MJCF_GAIN_DCMOTOR)
        return NUMBER;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, element->name) == 0) return kinds[i].what;
    if (a->inputs == TX_INPUT_POS || a->inputs == TX_INPUT_VEL) return LENGTH;
    return a->inputs && strcmp(element->name, "general") == 0 ? PRESSURE : NUMBER;
}

static void scale_motor(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a, tx_mjcf_units u) {
    if (u.force != 1 || u.unit != 1)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "use scaling=\"geometry\" of <frame>",
                        "the numbers of <%s> cannot be scaled", element->name);
    a->biasprm[1] /= u.length, a->biasprm[5] *= u.length;
    a->def.dynprm[7] *= u.length, a->def.dynprm[8] *= u.length;
    if (a->inputs & TX_INPUT_POS) scale_pair(a->def.ctrlrange, u.length);
}

static void scale_pid(tx_mjcf_actuator *a, tx_mjcf_units u) {
    a->gainprm[0] *= u.force / u.unit;
    a->def.dynprm[0] *= u.length, a->def.dynprm[1] *= u.length;
    scale_pair(a->def.ctrlrange, u.length);
    scale_pair(a->def.velrange, u.length);
    scale_pair(a->def.ffrange, u.force);
}

static double control_unit(int what, tx_mjcf_units u, const tx_mjcf_scale *s, bool forces) {
    if (what == LENGTH) return forces ? u.unit : u.length;
    return what == PRESSURE && s ? s->unit_mass / s->unit_length : 1;
}

// the scale that says what a pressure is
static const tx_mjcf_scale *scale_of_target(const tx_mjcf *m, const tx_actuator_def *def) {
    return def->joint    ? scale_of(m, TX_OBJECT_JOINT, def->joint)
           : def->tendon ? scale_of(m, TX_OBJECT_TENDON, def->tendon)
                         : scale_of(m, TX_OBJECT_SITE, def->site ? def->site : def->cranksite);
}

tx_mjcf_units tx_mjcf_scale_actuator(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (!m->scaled) return plain_units;
    tx_actuator_def *def = &a->def;
    const tx_mjcf_units u = transmission(m, def, a->gaintype == TX_MJCF_GAIN_SO3);
    const tx_mjcf_scale *target = scale_of_target(m, def);
    const int what = measures(element, a);
    const double control = control_unit(what, u, target, false);
    a->control = control;
    if (a->gaintype == TX_MJCF_GAIN_DCMOTOR) scale_motor(m, element, a, u);
    else if (a->gaintype == TX_MJCF_GAIN_PID) scale_pid(a, u);
    else if (a->gaintype == TX_MJCF_GAIN_SO3) a->gainprm[0] *= u.force;
    else if (a->gaintype == TX_MJCF_GAIN_MUSCLE) a->gainprm[2] *= a->gainprm[2] > 0 ? u.force : 1;
    else {
        const double unit = control_unit(what, u, target, true);
        a->gainprm[0] *= u.force / unit;
        for (int k = 1; k < 3 && a->gaintype == TX_MJCF_GAIN_AFFINE; k++) a->gainprm[k] *= u.force / (u.unit * unit);
        scale_pair(def->ctrlrange, control);
        scale_pair(def->actrange, control);
    }
    if (a->biastype == TX_MJCF_BIAS_MUSCLE) a->biasprm[2] *= a->biasprm[2] > 0 ? u.force : 1;
    if (a->biastype == TX_MJCF_BIAS_AFFINE || a->biastype == TX_MJCF_BIAS_SO3) {
        a->biasprm[0] *= u.force;
        a->biasprm[1] *= u.force / u.unit;
        // above zero it is a ratio
        if (a->biasprm[2] < 0) a->biasprm[2] *= u.force / u.unit;
    }
    scale_pair(def->forcerange, u.force);
    scale_pair(def->lengthrange, u.length);
    def->armature *= u.force / u.unit;
    scale_polynomial(u, &def->damping[0], &def->damping[1], &def->damping[2]);
    tx_mjcf_note_units(m, TX_OBJECT_ACTUATOR, def->name, u);
    return u;
}

void tx_mjcf_actuator_factors(const tx_mjcf_actuator *a, tx_mjcf_units u, double control[4], double activation[5]) {
    const tx_actuator_def *def = &a->def;
    const bool servo = a->gaintype == TX_MJCF_GAIN_PID || a->gaintype == TX_MJCF_GAIN_DCMOTOR;
    for (int k = 0; k < 4; k++) control[k] = a->control;
    for (int k = 0; k < 5; k++) activation[k] = a->control;
    if (!servo) return;
    int next = 0;
    for (int bit = TX_INPUT_POS; bit <= TX_INPUT_VOLTAGE; bit *= 2)
        if (def->inputs & bit) control[next++] = bit == TX_INPUT_FF ? u.force : bit == TX_INPUT_VOLTAGE ? 1 : u.length;
    // those of a motor stay, as in MuJoCo
    for (int k = 0; k < 5; k++) activation[k] = a->gaintype == TX_MJCF_GAIN_PID ? u.length : 1;
}

// ---- equalities, pairs, sensors
// ------------------------------------------------------------------------------------------

void tx_mjcf_scale_equality(tx_mjcf *m, tx_equality_def *def) {
    if (!m->scaled) return;
    if (def->type == TX_EQUALITY_JOINT || def->type == TX_EQUALITY_TENDON) {
        const tx_object kind = def->type == TX_EQUALITY_JOINT ? TX_OBJECT_JOINT : TX_OBJECT_TENDON;
        const double first = units_of(m, kind, def->first).length, second = units_of(m, kind, def->second).length;
        double factor = first;
        for (int k = 0; k < 5; k++, factor /= second) def->polycoef[k] *= factor;
        def->solimp[2] *= first;
        return;
    }
    const tx_object kind = def->sites ? TX_OBJECT_SITE : TX_OBJECT_BODY;
    const tx_mjcf_scale *first = scale_of(m, kind, def->first), *second = scale_of(m, kind, def->second);
    if (def->type == TX_EQUALITY_CONNECT) {
        tx_mjcf_scale_point(first, def->anchor);
        def->solimp[2] *= length_of(first);
        return;
    }
    const double length = between(length_of(first), length_of(second));
    tx_mjcf_scale_point(second, def->anchor);
    tx_mjcf_scale_point(first, def->relpos);
    def->torquescale *= length;
    def->solimp[2] *= length;
}

void tx_mjcf_scale_pair(tx_mjcf *m, tx_pair_def *def) {
    if (!m->scaled) return;
    const tx_mjcf_scale *a = scale_of(m, TX_OBJECT_GEOM, def->geom1), *b = scale_of(m, TX_OBJECT_GEOM, def->geom2);
    const double length = between(length_of(a), length_of(b));
    def->margin *= length, def->gap *= length, def->solimp[2] *= length;
    for (int k = 2; k < 5; k++) def->friction[k] *= length;
}

void tx_mjcf_scale_sensor(tx_mjcf *m, tx_sensor_def *def) {
    if (!m->scaled) return;
    const tx_mjcf_scale *s = scale_of(m, def->object, def->of), *other = scale_of(m, def->reference, def->relative_to);
    const tx_mjcf_units u = units_of(m, def->object, def->of);
    double factor = 1;
    switch (def->type) {
    case TX_SENSOR_TOUCH:
    case TX_SENSOR_FORCE: factor = force_of(s); break;
    case TX_SENSOR_TORQUE:
    case TX_SENSOR_SUBTREEANGMOM: factor = torque_of(s); break;
    case TX_SENSOR_ACCELEROMETER:
    case TX_SENSOR_VELOCIMETER:
    case TX_SENSOR_RANGEFINDER:
    case TX_SENSOR_FRAMEPOS:
    case TX_SENSOR_FRAMELINVEL:
    case TX_SENSOR_FRAMELINACC:
    case TX_SENSOR_SUBTREECOM:
    case TX_SENSOR_SUBTREELINVEL: factor = length_of(s); break;
    case TX_SENSOR_DISTANCE:
    case TX_SENSOR_FROMTO: factor = between(length_of(s), length_of(other)); break;
    case TX_SENSOR_JOINTPOS:
    case TX_SENSOR_JOINTVEL:
    case TX_SENSOR_JOINTLIMITPOS:
    case TX_SENSOR_JOINTLIMITVEL:
    case TX_SENSOR_TENDONPOS:
    case TX_SENSOR_TENDONVEL:
    case TX_SENSOR_TENDONLIMITPOS:
    case TX_SENSOR_TENDONLIMITVEL:
    case TX_SENSOR_ACTUATORPOS:
    case TX_SENSOR_ACTUATORVEL: factor = u.length; break;
    case TX_SENSOR_JOINTACTUATORFRC:
    case TX_SENSOR_JOINTLIMITFRC:
    case TX_SENSOR_TENDONACTUATORFRC:
    case TX_SENSOR_TENDONLIMITFRC:
    case TX_SENSOR_ACTUATORFRC: factor = u.force; break;
    default: break;
    }
    def->cutoff *= factor;
    def->noise *= factor;
}
