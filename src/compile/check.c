// check.c - what can be wrong with a definition, said where it stands.
#include "compile/check.h"

#include <stdio.h>
#include <string.h>

#include "compile/cameras.h"
#include "compile/sensors.h"
#include "compile/transmissions.h"
#include "model/actuator.h"
#include "model/range.h"
#include "step/target.h"

static const double SMALLEST = 1e-15;

// ---- numbers and names ----------------------------------------------------------------------------------------------

const char *tx_name_of(const char *name, int line, int i, char text[40]) {
    if (name[0] || line > 0) return name_or(name);
    snprintf(text, 40, "(no name, index %d)", i);
    return text;
}

bool tx_check_numbers(const char *kind, const char *name, tx_source source, const tx_numbers *fields, int count,
                      tx_diag *diag) {
    for (int f = 0; f < count; f++)
        for (int k = 0; k < fields[f].count; k++) {
            if (fabs(fields[f].numbers[k]) <= fields[f].most) continue;
            bool stiff = fields[f].most > TX_LARGEST;
            FAIL(source, stiff ? "numbers must be finite and at most 1e20" : "numbers must be finite and at most 1e10",
                 "%s '%s': %s cannot be %g", kind, name, fields[f].field, fields[f].numbers[k]);
            return false;
        }
    return true;
}

void tx_check_switch(const char *kind, const char *name, const char *field, tx_switch value, tx_source source,
                     tx_diag *diag) {
    if ((int)value < TX_SWITCH_OFF || value > TX_SWITCH_AUTO)
        FAIL(source, "TX_SWITCH_OFF, TX_SWITCH_ON or TX_SWITCH_AUTO", "%s '%s': %s cannot be %d", kind, name, field,
             (int)value);
}

static bool has_direction(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > SMALLEST;
}

bool tx_has_limits(const tx_joint_def *j) {
    if (j->limited != TX_SWITCH_AUTO) return j->limited == TX_SWITCH_ON;
    return j->range[0] != 0 || j->range[1] != 0;
}

void tx_check_free(const tx_joint_def *d, int parent, tx_diag *diag) {
    if (parent != 0)
        FAIL(d->source, "move the body to the top level", "joint '%s': only children of the world can be free",
             name_or(d->name));
}

// ---- one element each ---------------------------------------------------------------------------------------------

static bool bounds_usable(const tx_compiler_def *d) {
    return good(&d->boundmass, 1) && good(&d->boundinertia, 1) && d->boundmass >= 0 && d->boundinertia >= 0;
}

// a policy stands where a tree begins
static void check_sleep(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    const tx_body_def *d = &b->body.items[i].def;
    if ((int)d->sleep < 0 || d->sleep > TX_SLEEP_INIT)
        FAIL(d->source, "auto, never, allowed or init", "body '%s': there is no such sleep policy", name_or(d->name));
    if (d->sleep == TX_SLEEP_AUTO) return;
    bool root = c->joint_count[i] > 0;
    for (int up = b->body.items[i].parent; up > 0; up = b->body.items[up].parent)
        root = root && c->joint_count[up] == 0;
    if (!root)
        FAIL(d->source, "say it of the first body that has joints",
             "body '%s': only a tree as a whole has a sleep policy", name_or(d->name));
}

static void check_body(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    const tx_body_def *d = &b->body.items[i].def;
    const char *name = NAME_OF(d, i);
    bool usable = CHECK_NUMBERS("body", name, NUMBERS(pos), NUMBERS(quat), NUMBERS(ipos), NUMBERS(iquat), NUMBERS(mass),
                                NUMBERS(inertia), NUMBERS(fullinertia), NUMBERS(gravcomp));
    if (usable && !has_direction(d->quat))
        FAIL(d->source, "give four numbers w x y z, not all zero", "body '%s': quat is zero", name);
    else if (usable && d->has_inertial && !has_direction(d->iquat))
        FAIL(d->source, "give four numbers w x y z, not all zero", "body '%s': the quat of its inertial is zero", name);
    const tx_compiler_def *how = tx_compiler_of(b, i);
    if (d->compiler && !bounds_usable(how))
        FAIL(d->source, "0 or more", "body '%s': boundmass or boundinertia of its model is not usable", name);
    if (d->mocap && b->body.items[i].parent != 0)
        FAIL(d->source, "move it to the top level", "body '%s': a mocap body is a child of the world", name);
    if (d->mocap && c->joint_count[i] > 0)
        FAIL(d->source, "it is moved by the user", "body '%s': a mocap body has no joints", name);
    check_sleep(b, c, i, diag);
    if (!d->has_inertial) return;
    // what is too small may be lifted to the bounds
    const double *I = d->inertia;
    bool light = d->mass < 0 && !(how->boundmass > 0);
    bool thin = !d->has_fullinertia && (I[0] < 0 || I[1] < 0 || I[2] < 0) && !(how->boundinertia > 0);
    if (light || thin) FAIL(d->source, "", "body '%s': mass and inertia must not be negative", name);
}

static void check_joint(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    const tx_joint_def *d = &b->joint.items[i].def;
    const char *name = NAME_OF(d, i);
    int body = b->joint.items[i].body;
    if ((int)d->type < 0 || d->type > TX_JOINT_HINGE) {
        FAIL(d->source, "free, ball, slide or hinge", "joint '%s': there is no such type", name);
        return;
    }
    if (body == 0) FAIL(d->source, "put it into a <body>", "joint '%s': the world cannot move", name);
    CHECK_SWITCH("joint", name, limited);
    CHECK_SWITCH("joint", name, actuatorfrclimited);
    if (!CHECK_NUMBERS("joint", name, NUMBERS(pos), NUMBERS(axis), NUMBERS(range), NUMBERS(ref), NUMBERS(springref),
                       STIFF_NUMBERS(stiffness), STIFF_NUMBERS(damping), STIFF_NUMBERS(armature), NUMBERS(margin),
                       NUMBERS(stiffnesspoly), NUMBERS(dampingpoly), NUMBERS(springyield), NUMBERS(solref),
                       NUMBERS(solimp), NUMBERS(frictionloss), NUMBERS(solref_friction), NUMBERS(solimp_friction),
                       NUMBERS(actuatorfrcrange)))
        return;
    if ((d->type == TX_JOINT_HINGE || d->type == TX_JOINT_SLIDE) &&
        d->axis[0] * d->axis[0] + d->axis[1] * d->axis[1] + d->axis[2] * d->axis[2] < 1e-20)
        FAIL(d->source, "give a direction such as 0 0 1", "joint '%s': axis is zero", name);
    if (d->stiffness < 0 || d->damping < 0 || d->armature < 0 || d->frictionloss < 0)
        FAIL(d->source, "", "joint '%s': stiffness, damping, armature and frictionloss must not be negative", name);
    if (d->springyield < 0 || (d->springyield > 0 && d->type == TX_JOINT_FREE))
        FAIL(d->source, "", "joint '%s': springyield must not be negative, and not of a free joint", name);
    if (d->actuatorfrclimited == TX_SWITCH_ON && !(d->actuatorfrcrange[0] < d->actuatorfrcrange[1]))
        FAIL(d->source, "give actuatorfrcrange=\"lower upper\"", "joint '%s': limited, but actuatorfrcrange is empty",
             name);
    if (d->type == TX_JOINT_FREE) {
        // bodies above it may still be fused with the world
        if (!b->compiler.fusestatic) tx_check_free(d, b->body.items[body].parent, diag);
        if (c->joint_count[body] > 1)
            FAIL(d->source, "a free joint already moves the body in all ways",
                 "joint '%s': a free body has no other joint", name);
        if (d->limited == TX_SWITCH_ON) FAIL(d->source, "", "joint '%s': a free joint has no limits", name);
    } else if (tx_has_limits(d)) {
        if (d->type == TX_JOINT_BALL && d->range[0] != 0)
            FAIL(d->source, "the second number is the largest angle",
                 "joint '%s': the range of a ball joint starts at 0", name);
        else if (!(d->range[0] < d->range[1]))
            FAIL(d->source, "give range=\"lower upper\"", "joint '%s': limited, but its range %g %g is empty", name,
                 d->range[0], d->range[1]);
    }
}

// a mesh is the shape itself, or what a primitive is fitted to
static void check_mesh_use(const tx_catalog *c, const tx_geom_def *d, tx_diag *diag) {
    const char *name = name_or(d->name);
    bool surface = d->type == TX_GEOM_MESH || d->type == TX_GEOM_SDF;
    if (surface && !d->mesh[0]) FAIL(d->source, "say which with mesh=\"name\"", "geom '%s': there is no mesh", name);
    if (!d->mesh[0]) return;
    if (tx_name_find(&c->mesh, d->mesh) < 0)
        FAIL(d->source, "names are case sensitive", "geom '%s': there is no mesh '%s'", name, d->mesh);
    if (d->has_fromto) FAIL(d->source, "use pos and quat", "geom '%s': fromto does not go together with a mesh", name);
    if (d->type == TX_GEOM_PLANE || d->type == TX_GEOM_HFIELD)
        FAIL(d->source, "sphere, capsule, cylinder, ellipsoid and box can",
             "geom '%s': a %s cannot be fitted to a mesh", name, d->type == TX_GEOM_PLANE ? "plane" : "height field");
    if (surface && d->shell)
        FAIL(d->source, "write inertia=\"shell\" in the mesh", "geom '%s': the mesh says where its mass is", name);
}

static void check_hfield_use(const tx_catalog *c, const tx_geom_def *d, tx_diag *diag) {
    const char *name = name_or(d->name);
    if (d->type == TX_GEOM_HFIELD && !d->hfield[0])
        FAIL(d->source, "say which with hfield=\"name\"", "geom '%s': there is no height field", name);
    if (d->type != TX_GEOM_HFIELD && d->hfield[0])
        FAIL(d->source, "use type=\"hfield\"", "geom '%s': only a geom of type hfield has one", name);
    if (d->hfield[0] && tx_name_find(&c->hfield, d->hfield) < 0)
        FAIL(d->source, "names are case sensitive", "geom '%s': there is no height field '%s'", name, d->hfield);
}

static void check_hfield(const tx_builder *b, int i, tx_diag *diag) {
    const tx_hfield_def *d = &b->hfield.items[i];
    const char *name = name_or(d->name);
    if (d->nrow < 2 || d->ncol < 2)
        FAIL(d->source, "at least 2 each", "height field '%s': %d rows and %d columns", name, d->nrow, d->ncol);
    else if (d->nrow > TX_HFIELD_POINTS / d->ncol)
        FAIL(d->source, "at most 16777216", "height field '%s': %d x %d grid points are too many", name, d->nrow,
             d->ncol);
    if (!good(d->size, 4) || !(d->size[0] > 0) || !(d->size[1] > 0) || !(d->size[2] > 0) || !(d->size[3] > 0))
        FAIL(d->source, "half x, half y, height, base", "height field '%s': its four sizes must be positive", name);
    for (int k = 0; d->elevation && k < d->nrow * d->ncol; k++)
        if (!good(d->elevation + k, 1)) {
            FAIL(d->source, "numbers must be finite and below 1e10", "height field '%s': height %d is not usable", name,
                 k);
            break;
        }
}

static void check_mesh(const tx_builder *b, int i, tx_diag *diag) {
    const tx_mesh_def *d = &b->mesh.items[i];
    if (d->hull_corners != 0 && (d->hull_corners < 4 || d->hull_corners > TX_MESH_POINTS))
        FAIL(d->source, "4 or more, 0: all", "mesh '%s': hull_corners is not usable", name_or(d->name));
    for (int k = 0; d->texcoords && k < 6 * d->face_count; k++)
        if (!good(d->texcoords + k, 1)) {
            FAIL(d->source, "numbers must be finite and below 1e10", "mesh '%s': texture coordinate %d is not usable",
                 name_or(d->name), k);
            break;
        }
    if (!good(&d->sdf_cell, 1) || d->sdf_cell < 0)
        FAIL(d->source, "meters, 0 chooses", "mesh '%s': sdf_cell is not usable", name_or(d->name));
}

static void check_geom(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    // how many sizes each type needs
    static const int NEEDS[TX_GEOM_COUNT] = {0, 0, 1, 2, 3, 2, 3, 0, 0};
    const tx_geom_def *d = &b->geom.items[i].def;
    const char *name = NAME_OF(d, i);
    if (!CHECK_NUMBERS("geom", name, NUMBERS(size), NUMBERS(pos), NUMBERS(quat), NUMBERS(fromto), NUMBERS(density),
                       NUMBERS(mass), NUMBERS(friction), NUMBERS(margin), NUMBERS(gap), NUMBERS(solmix),
                       NUMBERS(solref), NUMBERS(solimp), NUMBERS(fitscale), NUMBERS(fluidcoef), NUMBERS(surfacevel),
                       NUMBERS(texrepeat)))
        return;
#define X(NAME, name_of, highest, meaning)              \
    if (!(d->name_of >= -1 && d->name_of <= (highest))) \
        FAIL(d->source, "0 to " #highest "; -1: not said", "geom '%s': " #name_of " cannot be %g", name, d->name_of);
    TX_GEOM_MATERIALS(X)
#undef X
    for (int k = 0; k < 4; k++)
        if (!(fabs((double)d->rgba[k]) <= TX_LARGEST))
            FAIL(d->source, "0 to 1", "geom '%s': rgba cannot be %g", name, (double)d->rgba[k]);
    if (d->texture < -1 || d->texture >= b->texture.count)
        FAIL(d->source, "-1: none", "geom '%s': there is no texture %d", name, d->texture);
    if (d->type < 0 || d->type >= TX_GEOM_COUNT) {
        FAIL(d->source, "plane, hfield, sphere, capsule, box, cylinder, ellipsoid, mesh and sdf exist",
             "geom '%s': there is no such type", name);
        return;
    }
    check_mesh_use(c, d, diag);
    check_hfield_use(c, d, diag);
    int needs = d->mesh[0] ? 0 : NEEDS[d->type];
    bool along = d->type == TX_GEOM_CAPSULE || d->type == TX_GEOM_CYLINDER || d->type == TX_GEOM_BOX ||
                 d->type == TX_GEOM_ELLIPSOID;
    if (d->has_fromto) {
        double length = 0;
        for (int k = 0; k < 3; k++) length += (d->fromto[3 + k] - d->fromto[k]) * (d->fromto[3 + k] - d->fromto[k]);
        if (!along)
            FAIL(d->source, "use it with capsules, cylinders, boxes and ellipsoids",
                 "geom '%s': fromto does not fit its type", name);
        else if (!(length > 1e-20)) FAIL(d->source, "", "geom '%s': the two points of fromto are the same", name);
        needs = 1;
    }
    for (int k = 0; k < needs; k++)
        if (k >= d->sizes_given || !(d->size[k] > 0)) {
            FAIL(d->source, "sphere: radius; capsule: radius and half length; box: three half sizes",
                 "geom '%s': needs %d positive size%s", name, needs, needs == 1 ? "" : "s");
            break;
        }
    if (d->condim != 1 && d->condim != 3 && d->condim != 4 && d->condim != 6)
        FAIL(d->source, "1 no friction, 3 sliding, 4 and torsion, 6 and rolling", "geom '%s': condim is %d", name,
             d->condim);
    if (d->friction[0] < 0 || d->friction[1] < 0 || d->friction[2] < 0)
        FAIL(d->source, "", "geom '%s': friction must not be negative", name);
    if (!d->has_fromto && !has_direction(d->quat))
        FAIL(d->source, "give four numbers w x y z, not all zero", "geom '%s': quat is zero", name);
    if (d->solmix < 0) FAIL(d->source, "0 or more", "geom '%s': solmix must not be negative", name);
    if (d->density < 0) FAIL(d->source, "", "geom '%s': density must not be negative", name);
    if (d->type == TX_GEOM_PLANE && c->moves[b->geom.items[i].body])
        FAIL(d->source, "use a thin box", "geom '%s': a plane cannot move", name);
}

static void check_equality(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    static const char *const KINDS[] = {"body", "body", "joint", "tendon", "site", "site"};
    const tx_equality_def *d = &b->equality.items[i];
    const char *name = NAME_OF(d, i);
    const bool between_sites = d->type == TX_EQUALITY_HINGE || d->type == TX_EQUALITY_SLIDE;
    if ((int)d->type < 0 || (int)d->type >= TX_EQUALITY_TYPES) {
        FAIL(d->source, "connect, weld, joint, tendon, hinge or slide", "equality '%s': its type is unknown", name);
        return;
    }
    CHECK_NUMBERS("equality", name, NUMBERS(anchor), NUMBERS(relpos), NUMBERS(relquat), NUMBERS(torquescale),
                  NUMBERS(polycoef), NUMBERS(solref), NUMBERS(solimp));
    if (d->torquescale < 0) FAIL(d->source, "", "equality '%s': torquescale must not be negative", name);
    const bool of_sites = d->sites || between_sites;
    if (of_sites && ((d->type > TX_EQUALITY_WELD && !between_sites) || !d->first[0] || !d->second[0])) {
        FAIL(d->source, "connect, weld, hinge and slide take two sites",
             "equality '%s': it cannot keep these sites together", name);
        return;
    }
    const tx_names *names = of_sites                        ? &c->site
                            : d->type == TX_EQUALITY_JOINT  ? &c->joint
                            : d->type == TX_EQUALITY_TENDON ? &c->tendon
                                                            : &c->body;
    for (int s = 0; s < 2; s++) {
        const char *object = s ? d->second : d->first;
        int index = tx_name_find(names, object);
        if (s == 1 && !object[0]) continue;
        if (index < 0)
            FAIL(d->source, "names are case sensitive", "equality '%s': there is no %s '%s'", name,
                 d->sites ? "site" : KINDS[d->type], object);
        else if (d->type == TX_EQUALITY_JOINT && b->joint.items[index].def.type != TX_JOINT_HINGE &&
                 b->joint.items[index].def.type != TX_JOINT_SLIDE)
            FAIL(d->source, "a hinge or a slide has one position", "equality '%s': joint '%s' is no hinge and no slide",
                 name, object);
    }
    if (d->second[0] && strcmp(d->first, d->second) == 0)
        FAIL(d->source, "name two", "equality '%s' keeps '%s' with itself", name, d->first);
}

void tx_check_history(const char *kind, const char *name, int nsample, double delay, int interp, tx_source source,
                      tx_diag *diag) {
    if (nsample < 0 || nsample > TX_MOST_SAMPLES)
        FAIL(source, "0 to 100000", "%s '%s': nsample cannot be %d", kind, name, nsample);
    if (delay > 0 && nsample == 0)
        FAIL(source, "nsample: at least delay / timestep", "%s '%s': a delay needs samples of the past", kind, name);
    if (delay < 0) FAIL(source, "", "%s '%s': delay is negative", kind, name);
    if (interp < TX_INTERP_HOLD || interp > TX_INTERP_CUBIC)
        FAIL(source, "see tx_interp", "%s '%s': there is no interp %d", kind, name, interp);
}

static void check_key(const tx_builder *b, int i, int nq, int nv, int mocap, tx_diag *diag) {
    const tx_key_def *k = &b->key.items[i];
    int na = 0, nu = 0;
    int plastic = 0;
    for (int j = 0; j < b->joint.count; j++) {
        const tx_joint_def *d = &b->joint.items[j].def;
        if (d->springyield > 0) plastic += d->type == TX_JOINT_BALL ? 4 : d->type == TX_JOINT_FREE ? 7 : 1;
    }
    for (int t = 0; t < b->tendon.count; t++) plastic += b->tendon.items[t].springyield > 0 ? 2 : 0;
    for (int a = 0; a < b->actuator.count; a++) {
        const tx_actuator_def *d = &b->actuator.items[a];
        na += tx_bit_count(tx_actuator_states((int)d->dynamics, d->dynprm, d->gain));
        nu += tx_actuator_controls(d->inputs);
    }
    struct {
        const char *what;
        const double *numbers;
        int count, wanted;
    } part[] = {{"qpos", k->qpos, k->qpos_count, nq},
                {"qvel", k->qvel, k->qvel_count, nv},
                {"act", k->act, k->act_count, na},
                {"ctrl", k->ctrl, k->ctrl_count, nu},
                {"mpos", k->mpos, k->mpos_count, 3 * mocap},
                {"mquat", k->mquat, k->mquat_count, 4 * mocap},
                {"plastic", k->plastic, k->plastic_count, plastic}};
    if (!good(&k->time, 1)) FAIL(k->source, "seconds", "key '%s': time is not usable", name_or(k->name));
    for (int p = 0; p < 7; p++) {
        if (!part[p].numbers) continue;
        if (part[p].count != part[p].wanted)
            FAIL(k->source, "", "key '%s': %s has %d numbers, the model needs %d", name_or(k->name), part[p].what,
                 part[p].count, part[p].wanted);
        else if (!good(part[p].numbers, part[p].count))
            FAIL(k->source, "numbers must be finite and below 1e10", "key '%s': a number of %s is not usable",
                 name_or(k->name), part[p].what);
    }
}

static void check_pair(const tx_builder *b, const tx_catalog *c, int i, tx_diag *diag) {
    const tx_pair_def *d = &b->pair.items[i];
    const char *missing = tx_name_find(&c->geom, d->geom1) < 0   ? d->geom1
                          : tx_name_find(&c->geom, d->geom2) < 0 ? d->geom2
                                                                 : NULL;
    if (missing) FAIL(d->source, "names are case sensitive", "pair: there is no geom '%s'", missing);
    else if (strcmp(d->geom1, d->geom2) == 0) FAIL(d->source, "", "pair: a geom cannot touch itself");
    CHECK_NUMBERS("pair", d->geom1, NUMBERS(friction), NUMBERS(solref), NUMBERS(solref_friction), NUMBERS(solimp),
                  NUMBERS(margin), NUMBERS(gap));
    for (int k = 0; k < 5; k++)
        if (d->friction[k] < 0) FAIL(d->source, "", "pair: friction must not be negative");
    if (d->condim != 0 && d->condim != 1 && d->condim != 3 && d->condim != 4 && d->condim != 6)
        FAIL(d->source, "1 no friction, 3 sliding, 4 and torsion, 6 and rolling", "pair: condim is %d", d->condim);
}

static void check_compiler(const tx_compiler_def *d, tx_diag *diag) {
    tx_source here = {"", 0, 0};
    if (!bounds_usable(d)) FAIL(here, "0 or more", "compiler: boundmass or boundinertia is not usable");
    const tx_lengthrange_def *l = &d->lengthrange;
    const double numbers[] = {l->accel, l->maxforce, l->timeconst, l->timestep, l->inttotal, l->interval, l->tolrange};
    if (!good(numbers, 7) || !(l->accel > 0) || !(l->timestep > 0) || !(l->inttotal <= 1e4 * l->timestep))
        FAIL(here, "accel and timestep above 0, at most 10000 steps", "compiler: lengthrange is not usable");
    if ((int)d->inertiafromgeom < TX_SWITCH_OFF || d->inertiafromgeom > TX_SWITCH_AUTO)
        FAIL(here, "TX_SWITCH_OFF, TX_SWITCH_ON or TX_SWITCH_AUTO", "compiler: inertiafromgeom cannot be %d",
             (int)d->inertiafromgeom);
    if ((int)d->coordinates < 0 || (int)d->coordinates >= TX_COORDINATES_COUNT)
        FAIL(here, "see tx_coordinates", "compiler: coordinates cannot be %d", (int)d->coordinates);
    if (!good(&d->settotalmass, 1)) FAIL(here, "kilograms", "compiler: settotalmass is not usable");
}

static void check_options(const tx_builder *b, tx_diag *diag) {
    const tx_options *o = &b->options;
    tx_source here = {"", 0, 0};
    char text[TX_RANGE_TEXT];
    if (tx_options_problem(o, text)) FAIL(here, "see tx_options", "option: %s", text);
    const tx_target *target = tx_target_single(TX_TARGET_SCALAR);
    if (!target->law_name(o->law)) FAIL(here, "see tx_law_name()", "option: there is no law %d", o->law);
    if (!target->solver_name(o->solver)) FAIL(here, "see tx_solver_name()", "option: there is no solver %d", o->solver);
    else if (target->law_name(o->law) && target->unit_of(o->law, o->integrator) < 0)
        FAIL(here, "laws of velocities (sap, similar, lagged, hard) go with Euler, implicitfast and discrete",
             "option: law %s does not go with this integrator", target->law_name(o->law));
    if (o->sleep && (o->integrator == TX_INTEGRATOR_RK4 || o->integrator == TX_INTEGRATOR_MIDPOINT))
        tx_diag_add(diag, TX_SEVERITY_WARNING, "", 0, 0, "Euler, implicit and implicitfast can",
                    "option: nothing sleeps with the integrators RK4 and midpoint");
    if (!good(b->magnetic, 3)) FAIL(here, "three numbers", "option: magnetic is not usable");
    if (!good(&b->density, 1) || !good(&b->viscosity, 1) || b->density < 0 || b->viscosity < 0)
        FAIL(here, "0 or more, in kg/m3 and Pa s", "option: density or viscosity is not usable");
    if (!good(b->wind, 3)) FAIL(here, "m/s", "option: wind is not usable");
    if (!good(b->gravity, 3)) FAIL(here, "m/s2, for example 0 0 -9.81", "option: gravity is not usable");
}

// ---- all ----------------------------------------------------------------------------------------------------------

static void check_names(const tx_names *names, const char *kind, tx_diag *diag) {
    for (int i = 1; i < names->count; i++) {
        const tx_named *n = &names->sorted[i];
        if (n->name[0] && strcmp(n->name, n[-1].name) == 0)
            FAIL(*n->source, "names of one kind must differ", "%s '%s' exists already", kind, n->name);
    }
}

static void check_all_names(const tx_catalog *c, tx_diag *diag) {
    check_names(&c->body, "body", diag);
    check_names(&c->joint, "joint", diag);
    check_names(&c->geom, "geom", diag);
    check_names(&c->site, "site", diag);
    check_names(&c->camera, "camera", diag);
    check_names(&c->sensor, "sensor", diag);
    check_names(&c->actuator, "actuator", diag);
    check_names(&c->tendon, "tendon", diag);
    check_names(&c->equality, "equality", diag);
    check_names(&c->mesh, "mesh", diag);
    check_names(&c->hfield, "height field", diag);
    check_names(&c->key, "key", diag);
}

bool tx_check(const tx_builder *b, const tx_catalog *c, tx_diag *diag) {
    int before = diag->errors, nq = 0, nv = 0, mocap = 0;
    check_options(b, diag);
    check_compiler(&b->compiler, diag);
    for (int i = 0; i < b->body.count; i++) {
        check_body(b, c, i, diag);
        mocap += b->body.items[i].def.mocap;
    }
    for (int i = 0; i < b->joint.count; i++) {
        static const int POSITIONS[] = {7, 4, 1, 1}, VELOCITIES[] = {6, 3, 1, 1};
        check_joint(b, c, i, diag);
        int type = (int)b->joint.items[i].def.type;
        if (type >= 0 && type <= TX_JOINT_HINGE) nq += POSITIONS[type], nv += VELOCITIES[type];
    }
    for (int i = 0; i < b->mesh.count; i++) check_mesh(b, i, diag);
    for (int i = 0; i < b->hfield.count; i++) check_hfield(b, i, diag);
    for (int i = 0; i < b->geom.count; i++) check_geom(b, c, i, diag);
    tx_check_transmissions(b, c, diag);
    for (int i = 0; i < b->equality.count; i++) check_equality(b, c, i, diag);
    tx_check_cameras(b, c, diag);
    tx_check_sensors(b, c, diag);
    for (int i = 0; i < b->key.count; i++) check_key(b, i, nq, nv, mocap, diag);
    for (int i = 0; i < b->exclude.count; i++) {
        const tx_exclude_def *e = &b->exclude.items[i];
        const char *missing = tx_name_find(&c->body, e->body1) < 0   ? e->body1
                              : tx_name_find(&c->body, e->body2) < 0 ? e->body2
                                                                     : NULL;
        if (missing) FAIL(e->source, "names are case sensitive", "exclude: there is no body '%s'", missing);
    }
    for (int i = 0; i < b->pair.count; i++) check_pair(b, c, i, diag);
    check_all_names(c, diag);
    return diag->errors == before;
}

bool tx_builder_check(const tx_builder *b, tx_diag *diag) {
    tx_catalog catalog;
    if (!tx_catalog_create(&catalog, b)) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
        return false;
    }
    bool good = tx_check(b, &catalog, diag);
    tx_catalog_free(&catalog);
    return good;
}

void tx_builder_check_names(const tx_builder *b, tx_diag *diag) {
    tx_catalog catalog;
    if (!tx_catalog_create(&catalog, b)) return; // compile will say so
    check_all_names(&catalog, diag);
    tx_catalog_free(&catalog);
}
