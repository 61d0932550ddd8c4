// maximal.c - thixis.coordinates = maximal: the definitions of a compiled model with every body that a joint moves made
// free, joints as equalities between sites, and their springs, dampers, limits, friction and motors on tendons that
// measure the joint's coordinate. docs/coordinates.md
#include "compile/maximal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "compile/check.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"

#define TURN 6.28318530717958647693
enum { NAME = 160 };

static bool is_scalar(int type) { return type == TX_JOINT_HINGE || type == TX_JOINT_SLIDE; }

// ---- what has no meaning ------------------------------------------------------------------------------------------

static void check_joint(const tx_builder *b, int i, tx_diag *diag) {
    const tx_joint_def *d = &b->joint.items[i].def;
    const char *name = NAME_OF(d, i);
    int others = -1;
    for (int k = 0; k < b->joint.count; k++) others += b->joint.items[k].body == b->joint.items[i].body;
    if (others > 0)
        FAIL(d->source, "give each joint a body of its own, with a mass",
             "maximal coordinates: joint '%s' is not the only one of its body", name);
    if (d->type == TX_JOINT_FREE) return;
    if (d->armature != 0)
        FAIL(d->source, "set armature=\"0\", or coordinates to reduced",
             "maximal coordinates: joint '%s' has armature, which couples the bodies it joins", name);
    if (d->springyield > 0)
        FAIL(d->source, "leave springyield out", "maximal coordinates: joint '%s' has a spring that yields", name);
    if (d->actuatorgravcomp)
        FAIL(d->source, "leave actuatorgravcomp out",
             "maximal coordinates: joint '%s' takes gravity compensation for an actuator's force", name);
    if (d->type == TX_JOINT_HINGE && tx_has_limits(d) && d->range[1] - d->range[0] > TURN)
        FAIL(d->source, "a range of one turn at most",
             "maximal coordinates: joint '%s' can turn more than once around, which two bodies do not show", name);
    if (d->type == TX_JOINT_BALL && (d->stiffnesspoly[0] != 0 || d->stiffnesspoly[1] != 0))
        FAIL(d->source, "give stiffness one number", "maximal coordinates: ball '%s' has a polynomial stiffness", name);
    if (d->type == TX_JOINT_BALL && (d->actuatorfrclimited == TX_SWITCH_ON || d->actuatorfrcrange[0] != 0))
        FAIL(d->source, "leave actuatorfrcrange out", "maximal coordinates: ball '%s' has actuatorfrcrange", name);
}

static int joint_type(const tx_builder *b, const char *name) {
    for (int i = 0; i < b->joint.count; i++)
        if (strcmp(b->joint.items[i].def.name, name) == 0) return (int)b->joint.items[i].def.type;
    return -1;
}

static void check_actuator(const tx_builder *b, int i, tx_diag *diag) {
    const tx_actuator_def *d = &b->actuator.items[i];
    const char *name = NAME_OF(d, i);
    const int type = d->joint[0] ? joint_type(b, d->joint) : -1;
    if (d->armature != 0 && type != TX_JOINT_FREE)
        FAIL(d->source, "set armature=\"0\", or coordinates to reduced",
             "maximal coordinates: actuator '%s' has armature, which couples bodies", name);
    if (type == TX_JOINT_BALL)
        FAIL(d->source, "a site on the body can be driven", "maximal coordinates: actuator '%s' drives a ball joint",
             name);
}

static void check_sensor(const tx_builder *b, int i, tx_diag *diag) {
    const tx_sensor_def *d = &b->sensor.items[i];
    const char *why = NULL;
    switch (d->type) {
    case TX_SENSOR_FORCE:
    case TX_SENSOR_TORQUE: why = "measures what a parent does to its child"; break;
    case TX_SENSOR_SUBTREECOM:
    case TX_SENSOR_SUBTREELINVEL:
    case TX_SENSOR_SUBTREEANGMOM: why = "measures all that hangs from a body"; break;
    case TX_SENSOR_BALLQUAT:
    case TX_SENSOR_BALLANGVEL: why = "measures a ball joint"; break;
    default: return;
    }
    FAIL(d->source, "in maximal coordinates there are no parents", "maximal coordinates: sensor '%s' %s", NAME_OF(d, i),
         why);
}

static tx_source place_of_body(const tx_builder *b, const char *name) {
    for (int i = 0; i < b->body.count; i++)
        if (name[0] && strcmp(b->body.items[i].def.name, name) == 0) return b->body.items[i].def.source;
    return (tx_source){"", 0, 0};
}

// what a body is joined to must not be moved by hand: states are told without it
static void check_body(const tx_builder *b, const tx_model *m, int i, tx_diag *diag) {
    if (m->body_jntnum[i] == 0 || m->jnt_type[m->body_jntadr[i]] == TX_JOINT_FREE) return;
    const char *name = tx_element_name(m, TX_ELEMENT_BODY, i);
    for (int k = m->body_parent[i]; k > 0; k = m->body_parent[k])
        if (m->body_mocap[k] >= 0)
            FAIL(place_of_body(b, name), "weld it to the mocap body instead",
                 "maximal coordinates: body '%s' hangs from a mocap body", name_or(name));
}

bool tx_check_maximal(const tx_builder *b, const tx_model *reduced, tx_diag *diag) {
    const int before = diag->errors;
    for (int i = 0; i < b->joint.count; i++) check_joint(b, i, diag);
    for (int i = 0; i < b->tendon.count; i++) {
        const tx_tendon_def *d = &b->tendon.items[i];
        if (d->armature != 0)
            FAIL(d->source, "set armature=\"0\", or coordinates to reduced",
                 "maximal coordinates: tendon '%s' has armature, which couples bodies", NAME_OF(d, i));
    }
    for (int i = 0; i < b->actuator.count; i++) check_actuator(b, i, diag);
    for (int i = 0; i < b->sensor.count; i++) check_sensor(b, i, diag);
    for (int i = 1; i < reduced->nbody; i++) check_body(b, reduced, i, diag);
    for (int i = 0; i < b->camera.count; i++) {
        const tx_camera_def *d = &b->camera.items[i].def;
        if (d->mode == TX_CAMERA_TRACKCOM || d->mode == TX_CAMERA_TARGETBODYCOM)
            tx_diag_add(diag, TX_SEVERITY_WARNING, d->source.file, d->source.line, d->source.column,
                        "nothing hangs from a free body",
                        "maximal coordinates: camera '%s' looks at the centre of mass of one body alone",
                        NAME_OF(d, i));
    }
    return diag->errors == before;
}

// ---- names --------------------------------------------------------------------------------------------------------

// of a joint, and of what belongs to it
static void joint_title(const tx_model *m, int j, const char *part, char out[NAME]) {
    const char *name = tx_element_name(m, TX_ELEMENT_JOINT, j);
    if (name[0]) snprintf(out, NAME, "%.100s%s", name, part);
    else snprintf(out, NAME, "joint#%d%s", j, part);
}

// its tendon has the joint's own name, unless another tendon has it
static void tendon_title(const tx_model *m, int j, char out[NAME]) {
    joint_title(m, j, "", out);
    for (int t = 0; t < m->ntendon; t++)
        if (strcmp(tx_element_name(m, TX_ELEMENT_TENDON, t), out) == 0) {
            joint_title(m, j, "@joint", out);
            return;
        }
}

static const char *body_title(tx_builder *b, int i) {
    char name[NAME];
    const char **own = &b->body.items[i].def.name;
    if ((*own)[0]) return *own;
    snprintf(name, sizeof name, "body#%d", i);
    const char *kept = tx_builder_text(b, name);
    if (kept) *own = kept;
    return kept;
}

// ---- joints -------------------------------------------------------------------------------------------------------

// the two frames that a joint keeps together: in the child, and where it begins in the parent
static bool add_sites(tx_builder *b, const tx_model *m, int j, double middle) {
    const int child = m->jnt_body[j];
    char name[NAME];
    tx_site_def d = tx_default_site_def();
    memcpy(d.pos, m->jnt_pos + 3 * j, sizeof d.pos);
    if (is_scalar(m->jnt_type[j])) tx_quat_of_z(m->jnt_axis + 3 * j, d.quat);
    d.group = 5;
    joint_title(m, j, "@child", name);
    d.name = name;
    if (tx_builder_site(b, child, &d) < 0) return false;
    tx_pose_in_parent(m->body_pos + 3 * child, m->body_quat + 4 * child, d.pos, d.quat);
    // the angle of a hinge is measured from the middle of its range
    const double half = 0.5 * middle, about_z[4] = {cos(half), 0, 0, sin(half)};
    if (middle != 0) tx_quat_mul(d.quat, d.quat, about_z);
    joint_title(m, j, "@parent", name);
    return tx_builder_site(b, m->body_parent[child], &d) >= 0;
}

// as stiff as the time step allows: what a tree has exactly
static bool add_equality(tx_builder *b, const tx_model *m, int j) {
    char own[NAME], child[NAME], parent[NAME];
    tx_equality_def d = tx_default_equality_def();
    joint_title(m, j, "", own), joint_title(m, j, "@child", child), joint_title(m, j, "@parent", parent);
    d.name = own, d.first = parent, d.second = child;
    d.type = m->jnt_type[j] == TX_JOINT_HINGE   ? TX_EQUALITY_HINGE
             : m->jnt_type[j] == TX_JOINT_SLIDE ? TX_EQUALITY_SLIDE
                                                : TX_EQUALITY_CONNECT;
    d.sites = d.type == TX_EQUALITY_CONNECT;
    d.solref[0] = m->opt->refsafe ? 1e-5 : 2 * m->opt->timestep;
    d.solimp[0] = d.solimp[1] = 0.9999;
    return tx_builder_equality(b, &d) >= 0;
}

// the middle of what a hinge can be at, from where it begins
static double middle_of(const tx_model *m, int j) {
    if (m->jnt_type[j] != TX_JOINT_HINGE || !m->jnt_limited[j]) return 0;
    return 0.5 * (m->jnt_range[2 * j] + m->jnt_range[2 * j + 1]) - m->qpos0[m->jnt_qposadr[j]];
}

// the elements of a path that a joint's position is; returns how many
static int joint_path(const tx_model *m, int j, double factor, char child[NAME], char parent[NAME],
                      tx_path_def path[2]) {
    const double offset = m->qpos0[m->jnt_qposadr[j]] + middle_of(m, j);
    joint_title(m, j, "@child", child), joint_title(m, j, "@parent", parent);
    path[0] = (tx_path_def){m->jnt_type[j] == TX_JOINT_HINGE ? TX_PATH_HINGE : TX_PATH_SLIDE, child, parent, factor};
    path[1] = (tx_path_def){TX_PATH_CONSTANT, "", "", factor * offset};
    return offset != 0 ? 2 : 1;
}

static tx_switch limits(int limited) { return limited ? TX_SWITCH_ON : TX_SWITCH_OFF; }

// forces that act on a joint's position
static bool add_tendon(tx_builder *b, const tx_model *m, int j) {
    char own[NAME], child[NAME], parent[NAME];
    tx_path_def path[2];
    tx_tendon_def d = tx_default_tendon_def();
    const int dof = m->jnt_dofadr[j], q = m->jnt_qposadr[j];
    tendon_title(m, j, own);
    d.name = own, d.path = path, d.count = joint_path(m, j, 1, child, parent, path);
    d.stiffness = m->jnt_stiffness[j], d.damping = m->dof_damping[dof], d.frictionloss = m->dof_frictionloss[dof];
    memcpy(d.stiffnesspoly, m->jnt_stiffnesspoly + 2 * j, sizeof d.stiffnesspoly);
    memcpy(d.dampingpoly, m->dof_dampingpoly + 2 * dof, sizeof d.dampingpoly);
    d.springlength[0] = d.springlength[1] = m->qpos_spring[q];
    if (d.springlength[0] == -1) d.springlength[1] = nextafter(-1, 0); // -1 -1 asks for the length at qpos0
    d.limited = limits(m->jnt_limited[j]), d.margin = m->jnt_margin[j];
    d.actuatorfrclimited = limits(m->jnt_actfrclimited[j]);
    memcpy(d.range, m->jnt_range + 2 * j, sizeof d.range);
    memcpy(d.solref, m->jnt_solref + 2 * j, sizeof d.solref);
    memcpy(d.solimp, m->jnt_solimp + 5 * j, sizeof d.solimp);
    memcpy(d.solref_friction, m->dof_solref + 2 * dof, sizeof d.solref_friction);
    memcpy(d.solimp_friction, m->dof_solimp + 5 * dof, sizeof d.solimp_friction);
    memcpy(d.actuatorfrcrange, m->jnt_actfrcrange + 2 * j, sizeof d.actuatorfrcrange);
    return tx_builder_tendon(b, &d) >= 0;
}

// a ball: three turns about the body's own axes where something acts on them, and the angle where it is limited
static bool add_ball_tendons(tx_builder *b, const tx_model *m, int j) {
    static const char *const PART[] = {"@x", "@y", "@z", "@swing"};
    const int dof = m->jnt_dofadr[j];
    const double *bent = m->dof_dampingpoly + 2 * dof;
    const bool forced = m->jnt_stiffness[j] != 0 || m->dof_damping[dof] != 0 || m->dof_frictionloss[dof] != 0 ||
                        bent[0] != 0 || bent[1] != 0;
    char own[NAME], child[NAME], parent[NAME];
    joint_title(m, j, "@child", child), joint_title(m, j, "@parent", parent);
    for (int k = 0; k < 4; k++) {
        if (k < 3 ? !forced : !m->jnt_limited[j]) continue;
        tx_path_def path = {(tx_path_kind)(TX_PATH_BALL_X + k), child, parent, 1};
        tx_tendon_def d = tx_default_tendon_def();
        joint_title(m, j, PART[k], own);
        d.name = own, d.path = &path, d.count = 1;
        d.springlength[0] = d.springlength[1] = 0;
        if (k < 3) {
            d.stiffness = m->jnt_stiffness[j], d.damping = m->dof_damping[dof];
            memcpy(d.dampingpoly, bent, sizeof d.dampingpoly);
            d.frictionloss = m->dof_frictionloss[dof];
            memcpy(d.solref_friction, m->dof_solref + 2 * dof, sizeof d.solref_friction);
            memcpy(d.solimp_friction, m->dof_solimp + 5 * dof, sizeof d.solimp_friction);
        } else {
            d.limited = TX_SWITCH_ON, d.margin = m->jnt_margin[j];
            d.range[0] = -TURN, d.range[1] = fmax(m->jnt_range[2 * j], m->jnt_range[2 * j + 1]);
            memcpy(d.solref, m->jnt_solref + 2 * j, sizeof d.solref);
            memcpy(d.solimp, m->jnt_solimp + 5 * j, sizeof d.solimp);
        }
        if (tx_builder_tendon(b, &d) < 0) return false;
    }
    return true;
}

// bodies do not touch what they hang from
static bool add_excludes(tx_builder *b, const tx_model *m, int child) {
    const int above = m->body_weld[m->body_parent[child]];
    if (above == 0 || !m->opt->filterparent) return true;
    for (int x = 1; x < m->nbody; x++)
        for (int y = 1; y < m->nbody; y++) {
            if (m->body_weld[x] != child || m->body_weld[y] != above) continue;
            if (m->body_geomnum[x] == 0 || m->body_geomnum[y] == 0) continue;
            tx_exclude_def d = {.body1 = body_title(b, x), .body2 = body_title(b, y)};
            if (!d.body1 || !d.body2 || tx_builder_exclude(b, &d) < 0) return false;
        }
    return true;
}

static bool loosen(tx_builder *b, const tx_model *m, int j) {
    const int type = m->jnt_type[j], body = m->jnt_body[j];
    if (type == TX_JOINT_FREE) return true;
    tx_joint_def freed = tx_default_joint_def();
    freed.type = TX_JOINT_FREE, freed.name = freed.source.file = "";
    b->joint.items[j].def = freed;
    // a tree's policy of sleep is that of each of its bodies
    b->body.items[body].def.sleep = (tx_sleep_policy)m->body_sleep[m->body_root[body]];
    return add_sites(b, m, j, middle_of(m, j)) && add_equality(b, m, j) && add_excludes(b, m, body) &&
           (is_scalar(type) ? add_tendon(b, m, j) : add_ball_tendons(b, m, j));
}

// where bodies stand at qpos0; the parent comes first
static void place_bodies(tx_builder *b, const tx_model *m, double *pose) {
    for (int i = 1; i < m->nbody; i++) {
        const double *above = pose + 7 * m->body_parent[i];
        double *own = pose + 7 * i;
        memcpy(own, m->body_pos + 3 * i, 3 * sizeof *own);
        memcpy(own + 3, m->body_quat + 4 * i, 4 * sizeof *own);
        tx_pose_in_parent(above, above + 3, own, own + 3);
        if (m->body_jntnum[i] == 0 || m->body_parent[i] == 0) continue;
        tx_built_body *body = &b->body.items[i];
        body->parent = 0;
        memcpy(body->def.pos, own, sizeof body->def.pos);
        memcpy(body->def.quat, own + 3, sizeof body->def.quat);
    }
}

// ---- what names joints --------------------------------------------------------------------------------------------

// tendons of joints become tendons of their coordinates
static bool change_tendon(tx_builder *b, const tx_model *m, int t) {
    const int first = m->tendon_adr[t], count = m->tendon_num[t];
    if (m->wrap_type[first] != TX_PATH_JOINT) return true;
    tx_tendon_def *d = &b->tendon.items[t];
    char(*name)[NAME] = tx_alloc(sizeof *name * 2 * (size_t)count);
    tx_path_def *path = tx_alloc(sizeof *path * 2 * (size_t)count);
    int used = 0;
    for (int k = 0; name && path && k < count; k++)
        used +=
            joint_path(m, m->wrap_obj[first + k], m->wrap_coef[first + k], name[2 * k], name[2 * k + 1], path + used);
    d->path = name && path ? tx_builder_path(b, path, used) : NULL, d->count = used;
    tx_free(name), tx_free(path);
    return d->path != NULL;
}

static bool change_text(tx_builder *b, const tx_model *m, int j, const char **text) {
    char name[NAME];
    tendon_title(m, j, name);
    *text = tx_builder_text(b, name);
    return *text != NULL;
}

static bool change_actuator(tx_builder *b, const tx_model *m, int i) {
    const int joint = m->actuator_trnid[i];
    tx_actuator_def *d = &b->actuator.items[i];
    if (!d->joint[0] || !is_scalar(m->jnt_type[joint])) return true;
    d->joint = "";
    return change_text(b, m, joint, &d->tendon);
}

static bool change_equality(tx_builder *b, const tx_model *m, int e) {
    tx_equality_def *d = &b->equality.items[e];
    if (m->eq_type[e] != TX_EQUALITY_JOINT) return true;
    d->type = TX_EQUALITY_TENDON;
    return change_text(b, m, m->eq_obj1[e], &d->first) &&
           (m->eq_obj2[e] < 0 || change_text(b, m, m->eq_obj2[e], &d->second));
}

static bool change_sensor(tx_builder *b, const tx_model *m, int i) {
    static const struct {
        int of_joint, of_tendon;
    } CHANGE[] = {{TX_SENSOR_JOINTPOS, TX_SENSOR_TENDONPOS},
                  {TX_SENSOR_JOINTVEL, TX_SENSOR_TENDONVEL},
                  {TX_SENSOR_JOINTACTUATORFRC, TX_SENSOR_TENDONACTUATORFRC},
                  {TX_SENSOR_JOINTLIMITPOS, TX_SENSOR_TENDONLIMITPOS},
                  {TX_SENSOR_JOINTLIMITVEL, TX_SENSOR_TENDONLIMITVEL},
                  {TX_SENSOR_JOINTLIMITFRC, TX_SENSOR_TENDONLIMITFRC}};
    tx_sensor_def *d = &b->sensor.items[i];
    for (size_t k = 0; k < sizeof CHANGE / sizeof *CHANGE; k++) {
        if ((int)d->type != CHANGE[k].of_joint) continue;
        d->type = (tx_sensor_type)CHANGE[k].of_tendon, d->object = TX_OBJECT_TENDON;
        return change_text(b, m, m->sensor_obj[i], &d->of);
    }
    return true;
}

static bool change_keys(tx_builder *b, const tx_model *m) {
    tx_maximal_map map;
    if (m->nkey == 0) return true;
    if (!tx_maximal_map_create(&map, m)) return false;
    const int nq = 7 * map.free_count, nv = 6 * map.free_count;
    double *state = tx_alloc(sizeof *state * ((size_t)nq + (size_t)nv + 1));
    bool good = state != NULL;
    for (int i = 0; good && i < m->nkey; i++) {
        tx_key_def *key = &b->key.items[i];
        tx_maximal_state(&map, m->key_qpos + (size_t)i * (size_t)m->nq, m->key_qvel + (size_t)i * (size_t)m->nv, state,
                         state + nq);
        key->qpos = tx_builder_numbers(b, state, nq), key->qpos_count = nq;
        key->qvel = tx_builder_numbers(b, state + nq, nv), key->qvel_count = nv;
        good = key->qpos && key->qvel;
    }
    tx_free(state);
    tx_maximal_map_free(&map);
    return good;
}

// ---- all ----------------------------------------------------------------------------------------------------------

// whether a joint is damped, or driven by what it does
static bool resists(const tx_model *m) {
    for (int d = 0; d < m->nv; d++)
        if (m->dof_damping[d] > 0 && m->jnt_type[m->dof_jnt[d]] != TX_JOINT_FREE) return true;
    for (int i = 0; i < m->nactuator; i++) {
        const double *bias = m->actuator_bias + TX_ACTUATOR_NUMBERS * (size_t)i;
        if (bias[1] != 0 || bias[2] != 0) return true;
    }
    return false;
}

// integrators that take damping implicitly, but only inside a tree: between trees it is a row of the discrete problem
static bool steps_by_tree(const tx_options *o) {
    return (o->integrator == TX_INTEGRATOR_EULER && o->eulerdamp) || o->integrator == TX_INTEGRATOR_IMPLICITFAST;
}

tx_builder *tx_builder_maximal(const tx_model *m) {
    tx_builder *b = tx_builder_from_model(m);
    double *pose = tx_alloc(sizeof *pose * 7 * (size_t)m->nbody);
    bool good = b && pose;
    if (good) {
        pose[3] = 1;
        place_bodies(b, m, pose);
    }
    for (int t = 0; good && t < m->ntendon; t++) good = change_tendon(b, m, t);
    for (int i = 0; good && i < m->nactuator; i++) good = change_actuator(b, m, i);
    for (int e = 0; good && e < m->neq; e++) good = change_equality(b, m, e);
    for (int i = 0; good && i < m->nsensor; i++) good = change_sensor(b, m, i);
    good = good && change_keys(b, m);
    if (good && resists(m) && steps_by_tree(&b->options)) b->options.integrator = TX_INTEGRATOR_DISCRETE;
    for (int j = 0; good && j < m->njnt; j++) good = loosen(b, m, j);
    tx_free(pose);
    if (good) return b;
    tx_builder_destroy(b);
    return NULL;
}
