// mjcf_scale.c - resized frames: scales of frames in frames, and the bodies, joints, geoms and sites inside them.
#include "load/mjcf_scale.h"

#include <stdio.h>
#include <string.h>

#include "compile/builder.h"
#include "geometry/mass.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"

// what is stretched must lie along the axes of the stretch, by the sine of the angle between (MuJoCo's number)
#define ALIGNED 0.0349

enum { SIMILAR, GEOMETRY };
const tx_mjcf_keyword tx_mjcf_scalings[] = {{"similar", .value = SIMILAR}, {"geometry", .value = GEOMETRY}, {0}};

// ---- scales
// ----------------------------------------------------------------------------------------------------------

// out = a b; out is neither
static void multiply(double out[9], const double a[9], const double b[9]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}
static void transpose(double out[9], const double a[9]) {
    for (int i = 0; i < 9; i++) out[i] = a[i % 3 * 3 + i / 3];
}

// the same map in the axes of something turned by a quaternion: R' A R
static void turn(double map[9], const double quat[4]) {
    double r[9], back[9], half[9], q[4] = {quat[0], quat[1], quat[2], quat[3]};
    tx_quat_normalize(q);
    tx_quat_to_mat(q, r);
    transpose(back, r);
    multiply(half, map, r);
    multiply(map, back, half);
}

static double determinant(const double a[9]) {
    double cross[3];
    v3_cross(cross, a, a + 3);
    return v3_dot(cross, a + 6);
}

static tx_mjcf_scale *copy_of(tx_mjcf *m, const tx_mjcf_scale *scale) {
    static const tx_mjcf_scale none = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, 1, 1, 1, true, NULL, NULL};
    tx_mjcf_scale *copy = tx_stash_take(m->stash, sizeof *copy);
    if (copy) *copy = scale ? *scale : none;
    else m->out_of_memory = true;
    return copy;
}

const tx_mjcf_scale *tx_mjcf_turned_scale(tx_mjcf *m, const tx_mjcf_scale *scale, const double quat[4]) {
    if (!scale || scale->even) return scale;
    tx_mjcf_scale *turned = copy_of(m, scale);
    if (turned) turn(turned->map, quat);
    return turned;
}

const tx_mjcf_scale *tx_mjcf_frame_scale(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scale *outer,
                                         const double quat[4], const double scale[3], int scaling, double massscale) {
    const tx_xml_attribute *attribute = tx_xml_find(element, "scale");
    const bool even = scale[0] == scale[1] && scale[1] == scale[2];
    if (!attribute && !tx_xml_find(element, "massscale")) return tx_mjcf_turned_scale(m, outer, quat);
    if (!(scale[0] > 0 && scale[1] > 0 && scale[2] > 0 && v_finite(scale, 3))) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "", "scale of <frame> must be positive");
        return NULL;
    }
    if (!(massscale >= 0 && v_finite(&massscale, 1))) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "massscale"), "0: as the volume",
                        "massscale of <frame> is negative");
        return NULL;
    }
    if (!even && scaling == SIMILAR) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "scaling=\"geometry\": forces keep their values",
                        "<frame> has three different scales, but not scaling=\"geometry\"");
        return NULL;
    }
    tx_mjcf_scale *s = copy_of(m, outer);
    if (!s) return NULL;
    s->frame = element, s->outer = outer;
    if (!s->even) turn(s->map, quat);
    for (int i = 0; i < 9; i++) s->map[i] *= scale[i % 3];
    const double volume = scale[0] * scale[1] * scale[2], mass = massscale > 0 ? massscale : volume;
    s->even = s->even && even;
    s->length *= even ? scale[0] : cbrt(volume);
    s->mass *= mass;
    if (scaling == SIMILAR) s->unit_length *= scale[0], s->unit_mass *= mass;
    if (!(s->mass > 0 && v_finite(&s->mass, 1) && s->length > 0 && v_finite(s->map, 9) && determinant(s->map) > 0)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "",
                        "the scales of all <frame> together are too far from 1");
        return NULL;
    }
    return s;
}

void tx_mjcf_scale_point(const tx_mjcf_scale *scale, double point[3]) {
    if (!scale) return;
    if (scale->even) {
        v3_scale(point, point, scale->length);
    } else {
        const double p[3] = {point[0], point[1], point[2]};
        m3_mul(point, scale->map, p);
    }
}

static void note(tx_mjcf *m, tx_names *names, const char *name, const void *value, size_t size) {
    void *copy = tx_stash_take(m->stash, size);
    if (copy) memcpy(copy, value, size);
    if (!copy || !tx_names_add(names, m->stash, name, copy)) m->out_of_memory = true;
}

void tx_mjcf_note_scale(tx_mjcf *m, tx_object kind, const char *name, const tx_mjcf_scale *scale) {
    if (scale && name) note(m, &m->scales[kind], name, scale, sizeof *scale);
}
void tx_mjcf_note_units(tx_mjcf *m, tx_object kind, const char *name, tx_mjcf_units units) {
    if (name) note(m, &m->units[kind], name, &units, sizeof units);
}

const tx_mjcf_move *tx_mjcf_world_move(tx_mjcf *m, const tx_mjcf_scope *scope) {
    if (!scope->scale || scope->body->index != 0) return NULL;
    tx_mjcf_move *move = tx_stash_take(m->stash, sizeof *move);
    if (!move) {
        m->out_of_memory = true;
        return NULL;
    }
    const double *q = scope->quat, back[4] = {q[0], -q[1], -q[2], -q[3]};
    memcpy(move->map, scope->scale->map, sizeof move->map);
    if (!scope->scale->even) turn(move->map, back);
    v3_copy(move->from, scope->plain);
    v3_copy(move->to, scope->pos);
    return move;
}

// ---- along directions
// ------------------------------------------------------------------------------------------------

// the factor along a direction of length one, and whether what lies in it stays in it
static double along(const tx_mjcf_scale *s, const double direction[3], bool *aligned) {
    if (s->even) return s->length;
    double moved[3], aside[3];
    m3_mul(moved, s->map, direction);
    const double length = v3_length(moved);
    v3_along(aside, moved, direction, -v3_dot(moved, direction));
    if (v3_length(aside) > ALIGNED * length) *aligned = false;
    return length;
}

// the factors along the axes of a shape
static bool along_axes(const tx_mjcf_scale *s, const double quat[4], double factor[3]) {
    double r[9], q[4] = {quat[0], quat[1], quat[2], quat[3]}, axis[3];
    bool aligned = true;
    tx_quat_normalize(q);
    tx_quat_to_mat(q, r);
    for (int k = 0; k < 3; k++) {
        m3_column(axis, r, k);
        factor[k] = along(s, axis, &aligned);
    }
    return aligned;
}

// ---- inertial
// --------------------------------------------------------------------------------------------------------

void tx_mjcf_scale_inertial(const tx_mjcf_scale *s, tx_body_def *def) {
    if (!s) return;
    def->mass *= s->mass;
    if (s->even) {
        const double factor = s->mass * s->length * s->length;
        for (int k = 0; k < 3; k++) def->inertia[k] *= factor;
        for (int k = 0; k < 6; k++) def->fullinertia[k] *= factor;
        return;
    }
    // D = sum of mass x x' becomes A D A'; I = trace(D) - D
    const double *f = def->fullinertia, *i = def->inertia;
    double tensor[9] = {f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]}, half[9], back[9];
    if (!def->has_fullinertia) {
        const double diagonal[9] = {i[0], 0, 0, 0, i[1], 0, 0, 0, i[2]},
                     q[4] = {def->iquat[0], -def->iquat[1], -def->iquat[2], -def->iquat[3]};
        memcpy(tensor, diagonal, sizeof tensor);
        turn(tensor, q);
    }
    const double trace = tensor[0] + tensor[4] + tensor[8];
    for (int k = 0; k < 9; k++) tensor[k] = (k % 4 ? 0 : trace / 2) - tensor[k];
    multiply(half, s->map, tensor);
    transpose(back, s->map);
    multiply(tensor, half, back);
    const double sum = tensor[0] + tensor[4] + tensor[8];
    for (int k = 0; k < 9; k++) tensor[k] = s->mass * ((k % 4 ? 0 : sum) - tensor[k]);
    const double full[6] = {tensor[0], tensor[4], tensor[8], tensor[1], tensor[2], tensor[5]},
                 upright[4] = {1, 0, 0, 0};
    memcpy(def->fullinertia, full, sizeof full);
    memcpy(def->iquat, upright, sizeof upright);
    def->has_fullinertia = true;
}

// ---- joints
// ----------------------------------------------------------------------------------------------------------

tx_mjcf_units tx_mjcf_joint_units(const tx_mjcf_scale *s, tx_joint_type type, const double axis[3]) {
    if (!s || type == TX_JOINT_FREE) return (tx_mjcf_units){1, 1, 1};
    if (type != TX_JOINT_SLIDE) return (tx_mjcf_units){1, 1, s->unit_mass * s->unit_length * s->unit_length};
    double direction[3];
    bool aligned = true;
    v3_copy(direction, axis);
    v3_normalise(direction);
    return (tx_mjcf_units){along(s, direction, &aligned), s->unit_length, s->unit_mass * s->unit_length};
}

static void scale_pair(double pair[2], double factor) { pair[0] *= factor, pair[1] *= factor; }

// a spring or damper along a coordinate: force per length, and per its square and cube
static void scale_polynomial(tx_mjcf_units u, double *linear, double more[2]) {
    *linear *= u.force / u.unit;
    more[0] *= u.force / (u.unit * u.unit);
    more[1] *= u.force / (u.unit * u.unit * u.unit);
}

void tx_mjcf_scale_joint(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope, tx_joint_def *def) {
    const tx_mjcf_scale *s = scope->scale;
    if (!s) return;
    const bool slides = def->type == TX_JOINT_SLIDE;
    bool aligned = true;
    double direction[3];
    v3_copy(direction, def->axis);
    v3_normalise(direction);
    if (slides || def->type == TX_JOINT_HINGE) along(s, direction, &aligned);
    if (!aligned)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "axis"), "",
                        "<joint> is not along an axis of the <frame> that stretches it");
    const tx_mjcf_units u = tx_mjcf_joint_units(s, def->type, def->axis);
    if (slides) {
        def->ref *= u.length, def->springref *= u.length, def->margin *= u.length, def->springyield *= u.length;
        def->solimp[2] *= u.length, def->solimp_friction[2] *= u.length;
        scale_pair(def->range, u.length);
    }
    scale_polynomial(u, &def->stiffness, def->stiffnesspoly);
    scale_polynomial(u, &def->damping, def->dampingpoly);
    def->armature *= u.force / u.unit;
    def->frictionloss *= u.force;
    scale_pair(def->actuatorfrcrange, u.force);
    if (def->type != TX_JOINT_FREE) tx_mjcf_note_units(m, TX_OBJECT_JOINT, def->name, u);
}

// ---- geoms and sites
// ---------------------------------------------------------------------------------------------------

// A mesh or height field as geoms of one scale see it. The first of each has the name of the asset.
typedef struct instance {
    struct instance *next;
    double map[9], quat[4]; // quat: the mesh is turned by it in its geoms
    const char *name;
    tx_mesh_def mesh;     // as it was defined
    tx_hfield_def hfield; // the same
} instance;

// A map of vertices that are scaled first as two turns with a stretch between: map diag(scale) = U diag(d) V'. The mesh
// takes V and d, so that its vertices stay as they were read; the geoms that show it take U.
static void stretch(tx_mesh_def *def, const double map[9], double quat[4]) {
    double u[9], v[9], square[6], most[3], turned[4], full[9];
    const double upright[4] = {1, 0, 0, 0};
    bool own = true;
    memcpy(quat, upright, sizeof upright);
    for (int k = 0; k < 9; k++) own &= k % 4 == 0 || fabs(map[k]) < 1e-14 * fabs(map[0]);
    def->sdf_cell *= cbrt(determinant(map));
    for (int k = 0; k < 3 && own; k++) def->scale[k] *= map[4 * k];
    if (own) return;
    for (int k = 0; k < 9; k++) full[k] = map[k] * def->scale[k % 3];
    for (int k = 0; k < 6; k++) {
        const int i = k < 3 ? k : k == 5 ? 1 : 0, j = k < 3 ? k : k == 3 ? 1 : 2;
        square[k] = full[i] * full[j] + full[3 + i] * full[3 + j] + full[6 + i] * full[6 + j];
    }
    tx_principal_axes(square, 0, most, turned);
    tx_quat_to_mat(turned, v);
    multiply(u, full, v);
    // a reflection is one in all three directions
    const double sign = determinant(full) < 0 ? -1 : 1;
    double axis[3][3];
    for (int k = 0; k < 3; k++) {
        m3_column(axis[k], u, k);
        def->scale[k] = sign * v3_normalise(axis[k]);
        v3_scale(axis[k], axis[k], sign);
    }
    tx_quat_xyaxes(quat, axis[0], axis[1]);
    tx_quat_mul(def->refquat, def->refquat, turned);
}

static void stretch_field(tx_hfield_def *def, const double map[9]) {
    for (int k = 0; k < 4; k++) def->size[k] *= map[4 * (k < 2 ? k : 2)];
}

// places of the definitions in the builder; -1: there are none, and the reason was said
static int find_mesh(const tx_builder *b, const char *name) {
    for (int i = 0; i < b->mesh.count; i++)
        if (strcmp(b->mesh.items[i].name, name) == 0) return i;
    return -1;
}
static int find_hfield(const tx_builder *b, const char *name) {
    for (int i = 0; i < b->hfield.count; i++)
        if (strcmp(b->hfield.items[i].name, name) == 0) return i;
    return -1;
}

// a further instance, or the asset itself for the first
static bool make_instance(tx_mjcf *m, instance *made, const instance *first, const char *asset, bool mesh) {
    tx_builder *b = m->builder;
    const int at = mesh ? find_mesh(b, asset) : find_hfield(b, asset);
    if (first) made->mesh = first->mesh, made->hfield = first->hfield;
    else if (at >= 0 && mesh) made->mesh = b->mesh.items[at];
    else if (at >= 0) made->hfield = b->hfield.items[at];
    if (at < 0) return true;
    tx_mesh_def m_def = made->mesh;
    tx_hfield_def h_def = made->hfield;
    m_def.name = h_def.name = made->name;
    if (mesh) stretch(&m_def, made->map, made->quat);
    else stretch_field(&h_def, made->map);
    if (first) return (mesh ? tx_builder_mesh(b, &m_def) : tx_builder_hfield(b, &h_def)) >= 0;
    // the texts of an item are the builder's own
    if (mesh) m_def.name = b->mesh.items[at].name, b->mesh.items[at] = m_def;
    else h_def.name = b->hfield.items[at].name, b->hfield.items[at] = h_def;
    return true;
}

// the name under which a geom of a scale finds its mesh, and how that is turned then, or its height field (quat null)
static const char *instance_name(tx_mjcf *m, tx_names *uses, const char *asset, const double map[9], double quat[4]) {
    instance *first = tx_names_find(uses, asset), *last = NULL;
    int count = 0;
    for (instance *i = first; i; last = i, i = i->next, count++)
        if (memcmp(i->map, map, sizeof i->map) == 0) {
            if (quat) memcpy(quat, i->quat, sizeof i->quat);
            return i->name;
        }
    instance *made = tx_stash_take(m->stash, sizeof *made);
    char number[16];
    snprintf(number, sizeof number, "@%d", count);
    const char *name = first ? tx_stash_join(m->stash, asset, number) : asset;
    if (!made || !name) {
        m->out_of_memory = true;
        return asset;
    }
    memcpy(made->map, map, sizeof made->map);
    made->name = name;
    if (last) last->next = made;
    else if (!tx_names_add(uses, m->stash, asset, made)) m->out_of_memory = true;
    if (!make_instance(m, made, first, asset, quat != NULL)) m->out_of_memory = true;
    if (quat) memcpy(quat, made->quat, sizeof made->quat);
    return name;
}

static void choose_instance(tx_mjcf *m, const tx_mjcf_scale *s, tx_geom_def *def, const double factor[3]) {
    double map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, quat[4];
    if (def->mesh) {
        if (s) memcpy(map, s->map, sizeof map);
        if (s && !s->even) turn(map, def->quat);
        def->mesh = instance_name(m, &m->mesh_uses, def->mesh, map, quat);
        if (s && !s->even) tx_quat_mul(def->quat, def->quat, quat);
    } else if (def->hfield) {
        for (int k = 0; k < 3; k++) map[4 * k] = factor[k];
        def->hfield = instance_name(m, &m->hfield_uses, def->hfield, map, NULL);
    }
}

// the sizes of a shape by the factors along its axes; a half length from end points is right already
static void scale_size(const tx_mjcf_scale *s, tx_geom_type type, const double f[3], bool fromto, double size[3]) {
    const double last = type == TX_GEOM_PLANE ? s->length : fromto ? 1 : f[2];
    if (type == TX_GEOM_SPHERE) {
        size[0] *= s->length;
    } else if (type == TX_GEOM_CAPSULE || type == TX_GEOM_CYLINDER) {
        size[0] *= s->even ? f[0] : sqrt(f[0] * f[1]), size[1] *= last;
    } else {
        size[0] *= f[0], size[1] *= f[1], size[2] *= last;
    }
}

// what keeps a shape from being stretched, or null
static const char *cannot(const tx_geom_def *def, const double f[3], bool aligned) {
    const bool round = def->type == TX_GEOM_CAPSULE || def->type == TX_GEOM_CYLINDER;
    if (def->mesh) return NULL;
    if (def->type == TX_GEOM_SPHERE) return "a sphere cannot be stretched";
    if (!aligned) return "<geom> is not along the axes of the <frame> that stretches it";
    if (round && fabs(f[0] - f[1]) > ALIGNED * fmax(f[0], f[1]))
        return "<geom> is not stretched equally across its axis";
    return NULL;
}

static bool is_shell(const tx_mjcf *m, const tx_geom_def *def) {
    const bool surface = def->type == TX_GEOM_MESH || def->type == TX_GEOM_SDF;
    const int mesh = surface && def->mesh ? find_mesh(m->builder, def->mesh) : -1;
    return surface ? mesh >= 0 && m->builder->mesh.items[mesh].inertia == TX_MESH_INERTIA_SHELL : def->shell;
}

void tx_mjcf_scale_geom(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope, tx_geom_def *def,
                        bool fromto) {
    const tx_mjcf_scale *s = scope->scale;
    double f[3] = {1, 1, 1};
    if (!s) {
        choose_instance(m, s, def, f);
        return;
    }
    const bool aligned = along_axes(s, def->quat, f);
    const char *why = s->even ? NULL : cannot(def, f, aligned);
    if (why)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL,
                        def->type == TX_GEOM_SPHERE ? "make it an ellipsoid" : "a mesh can be stretched any way", "%s",
                        why);
    choose_instance(m, s, def, f);
    scale_size(s, def->type, f, fromto, def->size);
    if (def->mass >= 0) def->mass *= s->mass;
    // a shell's is per area
    def->density *= s->mass / (s->length * s->length * (is_shell(m, def) ? 1 : s->length));
    for (int k = 1; k < 3; k++) def->friction[k] *= s->length;
    def->margin *= s->length, def->gap *= s->length, def->solimp[2] *= s->length;
    const double local[4] = {def->quat[0], def->quat[1], def->quat[2], def->quat[3]};
    tx_mjcf_scale own = *s;
    if (!s->even) turn(own.map, local);
    tx_mjcf_scale_point(&own, def->surfacevel);
    tx_mjcf_note_scale(m, TX_OBJECT_GEOM, def->name, s);
}

void tx_mjcf_scale_site(const tx_mjcf_scope *scope, tx_site_def *def, bool fromto) {
    const tx_mjcf_scale *s = scope->scale;
    if (!s) return;
    double f[3];
    along_axes(s, def->quat, f);
    scale_size(s, def->type, f, fromto, def->size);
}
