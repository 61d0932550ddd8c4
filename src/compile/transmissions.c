// transmissions.c - tendons and actuators of a builder: checks, sizes, and their arrays of the model.
#include "compile/transmissions.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "compile/check.h"
#include "model/actuator.h"

#define W(field) tx_writable(m->field)

// ---- checks ---------------------------------------------------------------------------------------------------------

// a range that counts must not be empty
static void check_range(const char *kind, const char *name, const char *what, tx_switch limited, const double range[2],
                        tx_source source, tx_diag *diag) {
    if (limited != TX_SWITCH_ON || range[0] < range[1]) return;
    char hint[64];
    snprintf(hint, sizeof hint, "give %s=\"lower upper\"", what);
    FAIL(source, hint, "%s '%s': limited, but %s is empty", kind, name_or(name), what);
}

static bool check_name(const tx_names *names, const char *what, const char *name, const char *owner, tx_source source,
                       tx_diag *diag) {
    if (tx_name_find(names, name) >= 0) return true;
    FAIL(source, "names are case sensitive", "%s: there is no %s '%s'", owner, what, name);
    return false;
}

// what one element of a path names
static void check_element(const tx_builder *b, const tx_catalog *c, const tx_tendon_def *d, const tx_path_def *p,
                          const char *owner, tx_diag *diag) {
    switch (p->kind) {
    case TX_PATH_JOINT: {
        if (!check_name(&c->joint, "joint", p->name, owner, d->source, diag)) return;
        tx_joint_type type = b->joint.items[tx_name_find(&c->joint, p->name)].def.type;
        if (type != TX_JOINT_HINGE && type != TX_JOINT_SLIDE)
            FAIL(d->source, "a hinge or a slide has one position", "%s: joint '%s' is no hinge and no slide", owner,
                 p->name);
        for (const tx_path_def *before = d->path; before < p; before++)
            if (strcmp(before->name, p->name) == 0)
                FAIL(d->source, "add up its coefficients", "%s: joint '%s' is named twice", owner, p->name);
        return;
    }
    case TX_PATH_SITE: check_name(&c->site, "site", p->name, owner, d->source, diag); return;
    case TX_PATH_GEOM: {
        if (p->side[0]) check_name(&c->site, "site", p->side, owner, d->source, diag);
        if (!check_name(&c->geom, "geom", p->name, owner, d->source, diag)) return;
        tx_geom_type type = b->geom.items[tx_name_find(&c->geom, p->name)].def.type;
        if (type != TX_GEOM_SPHERE && type != TX_GEOM_CYLINDER)
            FAIL(d->source, "a sphere or a cylinder", "%s cannot wrap around geom '%s'", owner, p->name);
        return;
    }
    case TX_PATH_PULLEY:
        if (!(p->number > 0)) FAIL(d->source, "", "%s: the divisor of a pulley must be positive", owner);
        return;
    case TX_PATH_CONSTANT: return;
    default:
        check_name(&c->site, "site", p->name, owner, d->source, diag);
        check_name(&c->site, "site", p->side, owner, d->source, diag);
    }
}

static bool is_site(const tx_tendon_def *d, int k) { return k >= 0 && k < d->count && d->path[k].kind == TX_PATH_SITE; }
static bool is_pulley(const tx_tendon_def *d, int k) {
    return k < 0 || k >= d->count || d->path[k].kind == TX_PATH_PULLEY;
}

// joints alone; coordinates of sites alone; or branches of two sites and more, with geoms between sites
static void check_path(const tx_builder *b, const tx_catalog *c, const tx_tendon_def *d, tx_diag *diag) {
    char owner[96];
    snprintf(owner, sizeof owner, "tendon '%.80s'", name_or(d->name));
    if (d->count == 0) FAIL(d->source, "add joints or sites to it", "%s has no path", owner);
    bool joints = d->count > 0 && d->path[0].kind == TX_PATH_JOINT,
         coordinates = d->count > 0 && tx_is_coordinate((int)d->path[0].kind);
    for (int k = 0; k < d->count; k++) {
        const tx_path_def *p = &d->path[k];
        if (!good(&p->number, 1))
            FAIL(d->source, "numbers must be finite and at most 1e10", "%s: number of element %d cannot be %g", owner,
                 k, p->number);
        if ((int)p->kind < TX_PATH_JOINT || p->kind > TX_PATH_CONSTANT || (p->kind == TX_PATH_JOINT) != joints ||
            tx_is_coordinate((int)p->kind) != coordinates) {
            FAIL(d->source, "joints alone, or sites, geoms and pulleys", "%s: its path cannot have element %d", owner,
                 k);
            continue;
        }
        check_element(b, c, d, p, owner, diag);
        if (p->kind == TX_PATH_GEOM && (!is_site(d, k - 1) || !is_site(d, k + 1)))
            FAIL(d->source, "put a site before it and one behind it", "%s: geom '%s' must stand between two sites",
                 owner, p->name);
        if (p->kind == TX_PATH_SITE && is_pulley(d, k - 1) && is_pulley(d, k + 1))
            FAIL(d->source, "", "%s: site '%s' is alone in its branch", owner, p->name);
        if (p->kind == TX_PATH_SITE && is_site(d, k + 1) && strcmp(p->name, d->path[k + 1].name) == 0)
            FAIL(d->source, "", "%s: site '%s' follows itself", owner, p->name);
        if (p->kind == TX_PATH_PULLEY && (k + 1 == d->count || is_pulley(d, k + 1)))
            FAIL(d->source, "", "%s: a branch has no sites", owner);
    }
}

// exactly one thing to act on, and it exists
static void check_transmission(const tx_catalog *c, const tx_actuator_def *d, tx_diag *diag) {
    const struct {
        const char *what, *name;
        const tx_names *names;
    } choice[] = {{"joint", d->joint, &c->joint},
                  {"tendon", d->tendon, &c->tendon},
                  {"site", d->site, &c->site},
                  {"site", d->cranksite, &c->site},
                  {"body", d->body, &c->body}};
    char owner[96];
    snprintf(owner, sizeof owner, "actuator '%.80s'", name_or(d->name));
    int count = 0;
    for (int k = 0; k < 5; k++) {
        if (!choice[k].name[0]) continue;
        count++;
        check_name(choice[k].names, choice[k].what, choice[k].name, owner, d->source, diag);
    }
    if (count != 1)
        FAIL(d->source, "a joint, a tendon, a site, a cranksite or a body", "%s needs one transmission", owner);
    if (d->refsite[0] && !d->site[0]) FAIL(d->source, "give it a site", "%s has a refsite but no site", owner);
    else if (d->refsite[0]) check_name(&c->site, "site", d->refsite, owner, d->source, diag);
    if (d->slidersite[0] && !d->cranksite[0])
        FAIL(d->source, "give it a cranksite", "%s has a slidersite but no cranksite", owner);
    if (!d->cranksite[0]) return;
    if (!d->slidersite[0]) FAIL(d->source, "", "%s has a cranksite but no slidersite", owner);
    else check_name(&c->site, "site", d->slidersite, owner, d->source, diag);
    if (!(d->cranklength > 0)) FAIL(d->source, "give cranklength", "%s: its rod has no length", owner);
}

static void check_tendon(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    const tx_tendon_def *d = &b->tendon.items[i];
    const char *name = NAME_OF(d, i);
    CHECK_SWITCH("tendon", name, limited);
    CHECK_SWITCH("tendon", name, actuatorfrclimited);
    CHECK_NUMBERS("tendon", name, NUMBERS(stiffness), NUMBERS(damping), NUMBERS(armature), NUMBERS(springlength),
                  NUMBERS(stiffnesspoly), NUMBERS(dampingpoly), NUMBERS(springyield), NUMBERS(range), NUMBERS(margin),
                  NUMBERS(solref), NUMBERS(solimp), NUMBERS(frictionloss), NUMBERS(solref_friction),
                  NUMBERS(solimp_friction), NUMBERS(actuatorfrcrange));
    check_path(b, c, d, diag);
    if (d->stiffness < 0 || d->damping < 0 || d->frictionloss < 0 || d->armature < 0)
        FAIL(d->source, "", "tendon '%s': stiffness, damping, frictionloss and armature must not be negative", name);
    for (int k = 0; k < d->count && d->armature != 0; k++)
        if (d->path[k].kind == TX_PATH_GEOM || tx_is_coordinate((int)d->path[k].kind)) {
            FAIL(d->source, "give it to the joints", "tendon '%s': with armature it cannot %s", name,
                 d->path[k].kind == TX_PATH_GEOM ? "wrap around geoms" : "be made of coordinates of sites");
            break;
        }
    if (d->springyield < 0) FAIL(d->source, "", "tendon '%s': springyield must not be negative", name);
    if (d->springlength[0] > d->springlength[1])
        FAIL(d->source, "lower upper", "tendon '%s': springlength is in the wrong order", name);
    check_range("tendon", d->name, "range", d->limited, d->range, d->source, diag);
    check_range("tendon", d->name, "actuatorfrcrange", d->actuatorfrclimited, d->actuatorfrcrange, d->source, diag);
}

// an orientation servo: a ball joint, or a site with a refsite
static void check_turn(const tx_builder *b, const tx_catalog *c, const tx_actuator_def *d, const char *name,
                       tx_diag *diag) {
    const int joint = d->joint[0] ? tx_name_find(&c->joint, d->joint) : -1;
    if (d->gain_curve > TX_CURVE_SO3) {
        const int i = (int)(d - b->actuator.items) - (int)d->gain_curve + TX_CURVE_SO3;
        if (i < 0 || b->actuator.items[i].gain_curve != TX_CURVE_SO3)
            FAIL(d->source, "TX_CURVE_SO3: the others follow by themselves", "actuator '%s': it cannot have this curve",
                 name);
        return;
    }
    if (d->bias_curve != TX_CURVE_SO3 || (d->dynamics != TX_DYNAMICS_NONE && d->dynamics != TX_DYNAMICS_TURN))
        FAIL(d->source, "see tx_orientation_actuator()",
             "actuator '%s': its dynamics, gain and bias do not go together", name);
    if (d->inputs != TX_INPUT_EXPMAP && (d->inputs != TX_INPUT_QUAT || d->dynamics == TX_DYNAMICS_TURN))
        FAIL(d->source, d->inputs == TX_INPUT_QUAT ? "with dynamics: expmap" : "expmap or quat",
             "actuator '%s': it cannot have these inputs", name);
    if (d->gain[0] != -d->bias[1])
        FAIL(d->source, "gainprm=\"kp\" biasprm=\"0 -kp -kv\"",
             "actuator '%s': gain and bias of an orientation servo differ", name);
    if (joint >= 0 && (b->joint.items[joint].def.type != TX_JOINT_BALL || d->inparent))
        FAIL(d->source, "", "actuator '%s': an orientation servo turns a ball joint, in the frame of its body", name);
    if (d->site[0] && !d->refsite[0])
        FAIL(d->source, "give it a refsite", "actuator '%s': an orientation servo turns a site against another", name);
    if (!d->joint[0] && !d->site[0])
        FAIL(d->source, "a joint, or a site and a refsite",
             "actuator '%s': an orientation servo turns a ball joint or a site", name);
    if (d->armature != 0 || d->damping[0] != 0 || d->damping[1] != 0 || d->damping[2] != 0)
        FAIL(d->source, "give it to the joint", "actuator '%s': an orientation servo has no armature and no damper",
             name);
    if (d->forcelimited != TX_SWITCH_OFF && d->forcerange[0] != 0)
        FAIL(d->source, "forcerange=\"0 most\"",
             "actuator '%s': forcerange of an orientation servo bounds the size of its torque", name);
}

// parts of a controller or motor go together, and have the inputs that they need
static void check_servo(const tx_actuator_def *d, const char *name, tx_diag *diag) {
    const bool pid = d->gain_curve == TX_CURVE_PID, motor = d->gain_curve == TX_CURVE_DCMOTOR;
    const int setpoints = TX_INPUT_POS | TX_INPUT_VEL | TX_INPUT_FF,
              states = tx_actuator_states((int)d->dynamics, d->dynprm, d->gain);
    const int allowed = pid ? setpoints : motor ? setpoints | TX_INPUT_VOLTAGE : 0;
    bool whole = motor == (d->dynamics == TX_DYNAMICS_DCMOTOR) && motor == (d->bias_curve == TX_CURVE_DCMOTOR) &&
                 (pid || d->dynamics != TX_DYNAMICS_PID) && d->bias_curve != TX_CURVE_PID &&
                 d->dynamics != TX_DYNAMICS_TURN && tx_actuator_axis((int)d->bias_curve) < 0;
    if (pid)
        whole = d->bias_curve == TX_CURVE_AFFINE && (d->dynamics == TX_DYNAMICS_NONE || d->dynamics == TX_DYNAMICS_PID);
    if (!whole) {
        FAIL(d->source, "see tx_pid_actuator() and tx_dcmotor_actuator()",
             "actuator '%s': its dynamics, gain and bias do not go together", name);
        return;
    }
    bool passive = motor && d->inputs == TX_INPUT_NONE;
    if (!passive && ((d->inputs & ~allowed) || ((pid || motor) && d->inputs == 0)))
        FAIL(d->source, pid ? "pos, vel, ff" : "pos, vel, ff, voltage, or none",
             "actuator '%s': it cannot have these inputs", name);
    if ((states & TX_ACTUATOR_STATE_INTEGRAL) && !(d->inputs & TX_INPUT_POS))
        FAIL(d->source, "give it the input pos", "actuator '%s': an integral needs a position to reach", name);
    if (pid && (states & TX_ACTUATOR_STATE_SLEW) && !(d->inputs & TX_INPUT_POS))
        FAIL(d->source, "give it the input pos", "actuator '%s': its set point has a rate, but it has none", name);
    if (pid && d->dynamics == TX_DYNAMICS_NONE && d->gain[0] != 0)
        FAIL(d->source, "set the dynamics to pid", "actuator '%s': an integral gain needs an activation", name);
    if (d->dynamics == TX_DYNAMICS_PID && states == 0)
        FAIL(d->source, "ki or slewmax above 0", "actuator '%s': it has no activation", name);
    if (!motor) return;
    if (!d->actearly)
        FAIL(d->source, "set actearly", "actuator '%s': the force of a motor is by the current at the end of the step",
             name);
    if (!(d->gain[0] > 0)) FAIL(d->source, "in Ohm", "actuator '%s': a motor needs a resistance above 0", name);
    if (d->gain[1] < 0 || (d->gain[1] == 0 && !passive))
        FAIL(d->source, "in N m/A", "actuator '%s': its motor constant must be above 0", name);
    bool controlled = d->gain[4] != 0 || d->gain[5] != 0 || d->gain[6] != 0;
    if (controlled && !(d->inputs & setpoints))
        FAIL(d->source, "pos, vel or ff", "actuator '%s': the gains of its controller need an input for it", name);
    if ((states & TX_ACTUATOR_STATE_SLEW) && !(d->inputs & setpoints))
        FAIL(d->source, "pos, vel or ff", "actuator '%s': a slew rate needs an input of its controller", name);
    if ((states & TX_ACTUATOR_STATE_TEMPERATURE) && !(d->dynprm[3] > 0))
        FAIL(d->source, "in J/K", "actuator '%s': a motor that warms up needs a thermal capacitance above 0", name);
}

static void check_actuator(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    const tx_actuator_def *d = &b->actuator.items[i];
    const char *name = NAME_OF(d, i);
    CHECK_SWITCH("actuator", name, ctrllimited);
    CHECK_SWITCH("actuator", name, forcelimited);
    CHECK_SWITCH("actuator", name, actlimited);
    CHECK_NUMBERS("actuator", name, NUMBERS(gear), NUMBERS(dynprm), NUMBERS(gain), NUMBERS(bias), NUMBERS(ctrlrange),
                  NUMBERS(delay), NUMBERS(velrange), NUMBERS(ffrange), NUMBERS(armature), NUMBERS(damping),
                  NUMBERS(forcerange), NUMBERS(actrange), NUMBERS(lengthrange), NUMBERS(cranklength),
                  NUMBERS(dampratio));
    if ((int)d->dynamics < TX_DYNAMICS_NONE || d->dynamics > TX_DYNAMICS_TURN)
        FAIL(d->source, "see tx_dynamics", "actuator '%s': there is no dynamics %d", name, (int)d->dynamics);
    if ((int)d->gain_curve < TX_CURVE_AFFINE || d->gain_curve > TX_CURVE_SO3_Z ||
        (int)d->bias_curve < TX_CURVE_AFFINE || d->bias_curve > TX_CURVE_SO3_Z)
        FAIL(d->source, "see tx_force_curve", "actuator '%s': there is no such curve", name);
    if (tx_actuator_axis((int)d->gain_curve) >= 0) check_turn(b, c, d, name, diag);
    else check_servo(d, name, diag);
    tx_check_history("actuator", name, d->nsample, d->delay, (int)d->interp, d->source, diag);
    check_transmission(c, d, diag);
    if (d->armature < 0) FAIL(d->source, "", "actuator '%s': armature must not be negative", name);
    if (d->armature != 0 && !d->joint[0] && !d->tendon[0])
        FAIL(d->source, "", "actuator '%s': armature is for joints and tendons", name);
    if (d->damping[0] < 0) FAIL(d->source, "", "actuator '%s': damping must not be negative", name);
    if ((d->damping[0] != 0 || d->damping[1] != 0 || d->damping[2] != 0) && !d->joint[0] && !d->tendon[0])
        FAIL(d->source, "", "actuator '%s': damping is for joints and tendons", name);
    int tendon = d->armature != 0 && d->tendon[0] ? tx_name_find(&c->tendon, d->tendon) : -1;
    for (int k = 0; tendon >= 0 && k < b->tendon.items[tendon].count; k++)
        if (b->tendon.items[tendon].path[k].kind == TX_PATH_GEOM ||
            tx_is_coordinate((int)b->tendon.items[tendon].path[k].kind)) {
            FAIL(d->source, "", "actuator '%s': with armature its tendon cannot %s", name,
                 b->tendon.items[tendon].path[k].kind == TX_PATH_GEOM ? "wrap around geoms"
                                                                      : "be made of coordinates of sites");
            break;
        }
    bool muscle = d->gain_curve == TX_CURVE_MUSCLE || d->bias_curve == TX_CURVE_MUSCLE;
    if (muscle && b->compiler.lengthrange.mode == TX_LENGTHRANGE_NONE && !(d->lengthrange[0] < d->lengthrange[1]))
        FAIL(d->source, "give lengthrange=\"shortest longest\"",
             "actuator '%s': a muscle needs the lengths it can have", name);
    check_range("actuator", d->name, "ctrlrange", d->ctrllimited, d->ctrlrange, d->source, diag);
    check_range("actuator", d->name, "forcerange", d->forcelimited, d->forcerange, d->source, diag);
    check_range("actuator", d->name, "actrange", d->actlimited, d->actrange, d->source, diag);
    if (d->dynamics == TX_DYNAMICS_NONE && d->actlimited == TX_SWITCH_ON)
        FAIL(d->source, "give it a dyntype", "actuator '%s': actlimited, but it has no activation", name);
    if ((d->dynamics == TX_DYNAMICS_PID || d->dynamics == TX_DYNAMICS_DCMOTOR) && d->actlimited == TX_SWITCH_ON)
        FAIL(d->source, "", "actuator '%s': controllers and motors have no actrange", name);
}

void tx_check_transmissions(const tx_builder *b, const tx_catalog *c, tx_diag *diag) {
    for (int i = 0; i < b->tendon.count; i++) check_tendon(b, c, i, diag);
    for (int i = 0; i < b->actuator.count; i++) check_actuator(b, c, i, diag);
}

// ---- what is named, in the model's numbers --------------------------------------------------------------------------

// -1: no name
static int site_number(const tx_draft *d, const char *name) {
    int i = tx_name_find(&d->catalog->site, name);
    return i < 0 ? -1 : d->site[i].number;
}

// the world where there is no name
static int site_body(const tx_draft *d, const char *name) {
    int i = tx_name_find(&d->catalog->site, name);
    return i < 0 ? 0 : d->body[d->site[i].body].number;
}

static int path_object(const tx_draft *d, const tx_path_def *p) {
    switch (p->kind) {
    case TX_PATH_JOINT: return d->joint_number[tx_name_find(&d->catalog->joint, p->name)];
    case TX_PATH_SITE: return site_number(d, p->name);
    case TX_PATH_GEOM: return d->geom[tx_name_find(&d->catalog->geom, p->name)].number;
    case TX_PATH_PULLEY:
    case TX_PATH_CONSTANT: return -1;
    default: return site_number(d, p->name);
    }
}

// body of an element of a path
static int path_body(const tx_draft *d, const tx_path_def *p) {
    if (p->kind == TX_PATH_SITE) return site_body(d, p->name);
    return d->body[d->geom[tx_name_find(&d->catalog->geom, p->name)].body].number;
}

// ---- the dofs that move a length ------------------------------------------------------------------------------------

// adds those that move only one of two bodies to a list in order; returns how many it has then
static int add_between(const tx_model *m, int body1, int body2, int *list, int count) {
    int chain[2] = {m->body_lastdof[body1], m->body_lastdof[body2]}, side;
    for (int d; (d = tx_next_between(m, chain, &side)) >= 0;) {
        int at = count;
        while (at > 0 && list[at - 1] > d) at--;
        if (at > 0 && list[at - 1] == d) continue;
        memmove(list + at + 1, list + at, sizeof *list * (size_t)(count++ - at));
        list[at] = d;
    }
    return count;
}

// every one once: in the order of the joints, or of the dofs
static int path_dofs(const tx_draft *d, const tx_model *m, const tx_tendon_def *t, int *list) {
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        const tx_path_def *p = &t->path[i];
        if (p->kind == TX_PATH_JOINT) {
            int dof = m->jnt_dofadr[path_object(d, p)], known = 0;
            while (known < count && list[known] != dof) known++;
            if (known == count) list[count++] = dof;
            continue;
        }
        if (tx_is_coordinate((int)p->kind)) {
            if (p->kind != TX_PATH_CONSTANT)
                count = add_between(m, site_body(d, p->name), site_body(d, p->side), list, count);
            continue;
        }
        // a piece goes to what follows; past a geom it may also go straight on
        if (p->kind == TX_PATH_PULLEY || is_pulley(t, i + 1)) continue;
        count = add_between(m, path_body(d, p), path_body(d, p + 1), list, count);
        if (p[1].kind == TX_PATH_GEOM) count = add_between(m, path_body(d, p), path_body(d, p + 2), list, count);
    }
    return count;
}

static int actuator_dofs(const tx_draft *d, const tx_model *m, const tx_actuator_def *a, int *list) {
    const tx_catalog *c = d->catalog;
    if (a->tendon[0]) return path_dofs(d, m, &d->b->tendon.items[tx_name_find(&c->tendon, a->tendon)], list);
    if (a->site[0]) return add_between(m, site_body(d, a->site), site_body(d, a->refsite), list, 0);
    if (a->cranksite[0]) return add_between(m, site_body(d, a->cranksite), site_body(d, a->slidersite), list, 0);
    int first = 0, count = m->nv;
    if (a->joint[0]) {
        static const int VELOCITIES[] = {6, 3, 1, 1};
        int joint = d->joint_number[tx_name_find(&c->joint, a->joint)];
        first = m->jnt_dofadr[joint], count = VELOCITIES[m->jnt_type[joint]];
    }
    for (int k = 0; k < count; k++) list[k] = first + k;
    return count;
}

bool tx_count_transmissions(const tx_draft *d, const tx_model *bodies, tx_model *sizes) {
    const tx_builder *b = d->b;
    int *list = tx_alloc(sizeof(int) * ((size_t)bodies->nv + 1));
    if (!list) return false;
    for (int i = 0; i < b->tendon.count; i++) {
        sizes->nwrap += b->tendon.items[i].count;
        sizes->ntendof += path_dofs(d, bodies, &b->tendon.items[i], list);
    }
    for (int i = 0; i < b->actuator.count; i++) {
        const tx_actuator_def *a = &b->actuator.items[i];
        sizes->na += tx_bit_count(tx_actuator_states((int)a->dynamics, a->dynprm, a->gain));
        sizes->nu += tx_actuator_controls(a->inputs);
        sizes->nmoment += actuator_dofs(d, bodies, &b->actuator.items[i], list);
    }
    tx_free(list);
    return true;
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

static void fill_tendons(const tx_draft *draft, tx_model *m) {
    int wrap = 0, entry = 0;
    for (int t = 0; t < m->ntendon; t++) {
        const tx_tendon_def *d = &draft->b->tendon.items[t];
        W(tendon_adr)[t] = wrap, W(tendon_num)[t] = d->count, W(tendon_dofadr)[t] = entry;
        for (int i = 0; i < d->count; i++, wrap++) {
            W(wrap_type)[wrap] = (int)d->path[i].kind, W(wrap_coef)[wrap] = d->path[i].number;
            W(wrap_obj)[wrap] = path_object(draft, &d->path[i]);
            bool sided = d->path[i].kind == TX_PATH_GEOM || tx_is_coordinate((int)d->path[i].kind);
            W(wrap_side)[wrap] = sided ? site_number(draft, d->path[i].side) : -1;
        }
        entry += path_dofs(draft, m, d, W(tendon_dof) + entry);
        W(tendon_dofnum)[t] = entry - m->tendon_dofadr[t];
        W(tendon_limited)[t] = tx_is_limited(d->limited, d->range);
        W(tendon_actfrclimited)[t] = tx_is_limited(d->actuatorfrclimited, d->actuatorfrcrange);
        W(tendon_armature)[t] = d->armature;
        W(tendon_springyield)[t] = d->springyield;
        memcpy(W(tendon_stiffnesspoly) + 2 * t, d->stiffnesspoly, sizeof d->stiffnesspoly);
        memcpy(W(tendon_dampingpoly) + 2 * t, d->dampingpoly, sizeof d->dampingpoly);
        W(tendon_stiffness)[t] = d->stiffness, W(tendon_damping)[t] = d->damping;
        W(tendon_margin)[t] = d->margin, W(tendon_frictionloss)[t] = d->frictionloss;
        memcpy(W(tendon_lengthspring) + 2 * t, d->springlength, sizeof d->springlength);
        memcpy(W(tendon_range) + 2 * t, d->range, sizeof d->range);
        memcpy(W(tendon_solref_lim) + 2 * t, d->solref, sizeof d->solref);
        memcpy(W(tendon_solimp_lim) + 5 * t, d->solimp, sizeof d->solimp);
        memcpy(W(tendon_solref_fri) + 2 * t, d->solref_friction, sizeof d->solref_friction);
        memcpy(W(tendon_solimp_fri) + 5 * t, d->solimp_friction, sizeof d->solimp_friction);
        memcpy(W(tendon_actfrcrange) + 2 * t, d->actuatorfrcrange, sizeof d->actuatorfrcrange);
    }
}

// what actuator i acts through
static void fill_transmission(const tx_draft *draft, tx_model *m, int i) {
    const tx_actuator_def *d = &draft->b->actuator.items[i];
    const tx_catalog *c = draft->catalog;
    W(actuator_trnref)[i] = -1;
    if (d->tendon[0]) {
        W(actuator_trn)[i] = TX_TRANSMISSION_TENDON, W(actuator_trnid)[i] = tx_name_find(&c->tendon, d->tendon);
    } else if (d->site[0]) {
        W(actuator_trn)[i] = TX_TRANSMISSION_SITE, W(actuator_trnid)[i] = site_number(draft, d->site);
        W(actuator_trnref)[i] = site_number(draft, d->refsite);
    } else if (d->cranksite[0]) {
        W(actuator_trn)[i] = TX_TRANSMISSION_CRANK, W(actuator_trnid)[i] = site_number(draft, d->cranksite);
        W(actuator_trnref)[i] = site_number(draft, d->slidersite);
    } else if (d->body[0]) {
        W(actuator_trn)[i] = TX_TRANSMISSION_BODY;
        W(actuator_trnid)[i] = draft->body[tx_name_find(&c->body, d->body)].number;
    } else {
        W(actuator_trn)[i] = d->inparent ? TX_TRANSMISSION_JOINTINPARENT : TX_TRANSMISSION_JOINT;
        W(actuator_trnid)[i] = draft->joint_number[tx_name_find(&c->joint, d->joint)];
    }
    W(actuator_cranklength)[i] = d->cranklength;
}

// the controls of actuator i, from `first`, with their ranges
static void fill_controls(const tx_actuator_def *d, tx_model *m, int i, int first) {
    const bool pid = d->gain_curve == TX_CURVE_PID;
    int k = first;
    for (int input = TX_INPUT_POS; input < TX_INPUT_QUAT; input *= 2) {
        if (input == TX_INPUT_NONE) continue;
        if (d->inputs ? !(d->inputs & input) : k > first) continue;
        const double *range = pid && input == TX_INPUT_VEL  ? d->velrange
                              : pid && input == TX_INPUT_FF ? d->ffrange
                                                            : d->ctrlrange;
        tx_switch limited = range == d->ctrlrange ? d->ctrllimited : TX_SWITCH_AUTO;
        W(actuator_ctrllimited)[k] = tx_is_limited(limited, range);
        memcpy(W(actuator_ctrlrange) + 2 * k, range, sizeof d->ctrlrange);
        k++;
    }
    W(actuator_ctrladr)[i] = first, W(actuator_ctrlnum)[i] = k - first, W(actuator_inputs)[i] = d->inputs;
}

static void fill_actuators(const tx_draft *draft, tx_model *m) {
    int entry = 0, activation = 0, control = 0;
    for (int i = 0; i < m->nactuator; i++) {
        const tx_actuator_def *d = &draft->b->actuator.items[i];
        fill_transmission(draft, m, i);
        W(actuator_dofadr)[i] = entry;
        entry += actuator_dofs(draft, m, d, W(moment_dof) + entry);
        W(actuator_dofnum)[i] = entry - m->actuator_dofadr[i];
        W(actuator_nsample)[i] = d->nsample, W(actuator_interp)[i] = (int)d->interp;
        W(actuator_delay)[i] = d->delay, W(actuator_history)[i] = -1;
        memcpy(W(actuator_damping) + 3 * i, d->damping, sizeof d->damping);
        W(actuator_group)[i] = d->group, W(actuator_armature)[i] = d->armature;
        W(actuator_dyn)[i] = d->dynamics, W(actuator_actearly)[i] = d->actearly;
        int states = tx_actuator_states((int)d->dynamics, d->dynprm, d->gain);
        W(actuator_states)[i] = states, W(actuator_actnum)[i] = tx_bit_count(states);
        W(actuator_act)[i] = states ? activation : -1;
        activation += m->actuator_actnum[i];
        fill_controls(d, m, i, control);
        control += m->actuator_ctrlnum[i];
        W(actuator_gaincurve)[i] = d->gain_curve, W(actuator_biascurve)[i] = d->bias_curve;
        memcpy(W(actuator_gear) + 6 * i, d->gear, sizeof d->gear);
        memcpy(W(actuator_dynprm) + 10 * i, d->dynprm, sizeof d->dynprm);
        memcpy(W(actuator_gain) + 10 * i, d->gain, sizeof d->gain);
        memcpy(W(actuator_bias) + 10 * i, d->bias, sizeof d->bias);
        W(actuator_forcelimited)[i] = tx_is_limited(d->forcelimited, d->forcerange);
        W(actuator_actlimited)
        [i] = (states == TX_ACTUATOR_STATE_PLAIN || states == TX_ACTUATOR_STATE_TURN) &&
              tx_is_limited(d->actlimited, d->actrange);
        memcpy(W(actuator_forcerange) + 2 * i, d->forcerange, sizeof d->forcerange);
        memcpy(W(actuator_actrange) + 2 * i, d->actrange, sizeof d->actrange);
        memcpy(W(actuator_lengthrange) + 2 * i, d->lengthrange, sizeof d->lengthrange);
    }
}

// where springs that yield keep where they rest: joints, then tendons
static void fill_plastic(tx_model *m) {
    static const int POSITIONS[] = {7, 4, 1, 1};
    int next = 0;
    for (int j = 0; j < m->njnt; j++) {
        bool yields = m->jnt_springyield[j] > 0;
        W(jnt_plastic)[j] = yields ? next : -1;
        next += yields ? POSITIONS[m->jnt_type[j]] : 0;
    }
    for (int t = 0; t < m->ntendon; t++) {
        bool yields = m->tendon_springyield[t] > 0;
        W(tendon_plastic)[t] = yields ? next : -1;
        next += yields ? 2 : 0;
    }
}

void tx_fill_transmissions(const tx_draft *d, tx_model *m) {
    fill_tendons(d, m);
    fill_plastic(m);
    fill_actuators(d, m);
}
