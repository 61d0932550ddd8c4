// mjcf.c - a compiled model as MJCF: its definitions (tx_builder_from_model) by the loader's own tables, each element
// starting from the loader's own defaults. What it keeps and why: docs/convert.md.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "compile/builder.h"
#include "load/mjcf_servo.h"
#include "load/text.h"
#include "model/actuator.h"
#include "model/model.h"
#include "model/sensor.h"
#include "save/archive_out.h"
#include "save/xml_out.h"
#include "thixis/load.h"
#include "thixis/sim.h"

typedef struct writer {
    tx_xml_out out;
    const tx_builder *b;
    const tx_mjcf *start;          // what a file without settings has
    const tx_mjcf_class *plain;    // what elements start from
    int joint, geom, site, camera; // the next of each that has not been written
    tx_diag *diag;
    const char *path;
} writer;

// says once per element what cannot be written
static void report(writer *w, const char *element, const char *name) {
    if (!w->out.unwritable[0]) return;
    tx_diag_add(w->diag, TX_SEVERITY_ERROR, w->path, 0, 0, "a compiled model can hold it",
                "<%s> '%s' cannot be written: %s", element, name ? name : "", w->out.unwritable);
    w->out.unwritable[0] = 0;
}

static void element(writer *w, const char *name, const char *own, const tx_mjcf_attr *attrs, const void *values,
                    const void *plain) {
    tx_out_element(&w->out, name, attrs, values, plain);
    report(w, name, own);
}

static tx_mjcf_orientation orientation(const double quat[4]) {
    tx_mjcf_orientation o = {.form = TX_MJCF_QUAT};
    memcpy(o.quat, quat, sizeof o.quat);
    return o;
}

// ---- settings -----------------------------------------------------------------------------------------------------

// angles are radians, ranges say whether they count, masses and lengths are given
static void write_compiler(writer *w) {
    tx_out_open(&w->out, "compiler");
    tx_out_text(&w->out, "angle", "radian");
    tx_out_text(&w->out, "autolimits", "false");
    tx_out_text(&w->out, "inertiafromgeom", "false");
    tx_out_open(&w->out, "lengthrange");
    tx_out_text(&w->out, "mode", "none");
    tx_out_close(&w->out, "lengthrange");
    tx_out_close(&w->out, "compiler");
}

static tx_mjcf_options option_values(const tx_options *options, const double gravity[3], const double magnetic[3],
                                     double density, double viscosity, const double wind[3]) {
    tx_mjcf_options o = {.options = *options, .density = density, .viscosity = viscosity};
    memcpy(o.gravity, gravity, sizeof o.gravity);
    memcpy(o.magnetic, magnetic, sizeof o.magnetic);
    memcpy(o.wind, wind, sizeof o.wind);
    return o;
}

static void write_option(writer *w) {
    const tx_builder *b = w->b;
    const tx_mjcf *s = w->start;
    tx_mjcf_options plain = option_values(&s->options, s->gravity, s->magnetic, s->density, s->viscosity, s->wind);
    tx_mjcf_options o = option_values(&b->options, b->gravity, b->magnetic, b->density, b->viscosity, b->wind);
    const char *law = tx_law_name(b->options.law);
    o.cone = law && strcmp(law, "soft_elliptic") == 0;
    if (o.options.integrator == TX_INTEGRATOR_MIDPOINT)
        o.options.integrator = plain.options.integrator; // <custom> has it
    int off[31], count = 0;
    for (int g = 0; g < 31; g++)
        if (o.options.actuator_groups_off >> g & 1) off[count++] = g;
    o.groups_off = (tx_mjcf_intlist){off, count};
    tx_out_open(&w->out, "option");
    tx_out_attributes(&w->out, tx_mjcf_option_attrs, &o, &plain);
    tx_out_open(&w->out, "flag");
    tx_out_attributes(&w->out, tx_mjcf_flag_attrs, &o.options, &plain.options);
    tx_out_close_section(&w->out, "flag");
    tx_out_close_section(&w->out, "option");
    report(w, "option", "");
}

// one number of all geoms that say it
static void write_geom_tuple(writer *w, const tx_mjcf_geom_number *n) {
    bool open = false;
    for (int i = 0; i < w->b->geom.count; i++) {
        const tx_geom_def *d = &w->b->geom.items[i].def;
        const double value = *(const double *)((const char *)d + n->offset);
        if (value < 0) continue;
        if (!open) {
            tx_out_open(&w->out, "tuple");
            tx_out_text(&w->out, "name", n->name);
        }
        open = true;
        if (!d->name[0])
            tx_diag_add(w->diag, TX_SEVERITY_ERROR, w->path, 0, 0, "give it a name",
                        "a geom without a name cannot be written with its '%s'", n->name);
        tx_out_open(&w->out, "element");
        tx_out_text(&w->out, "objtype", "geom");
        tx_out_text(&w->out, "objname", d->name);
        tx_out_reals(&w->out, "prm", &value, 1);
        tx_out_close(&w->out, "element");
    }
    if (open) tx_out_close(&w->out, "tuple");
}

// options that <option> does not have
static void write_custom(writer *w) {
    const tx_options *o = &w->b->options, *plain = &w->start->options;
    tx_out_open(&w->out, "custom");
    for (const tx_mjcf_custom_number *n = tx_mjcf_custom_numbers; n->name; n++) {
        const tx_mjcf_attr *data = &n->attrs[0];
        size_t size = data->kind == TX_MJCF_INT ? sizeof(int) : sizeof(double);
        if (memcmp((const char *)o + data->offset, (const char *)plain + data->offset, size) == 0) continue;
        tx_out_open(&w->out, "numeric");
        tx_out_text(&w->out, "name", n->name);
        tx_out_attributes(&w->out, n->attrs, o, plain);
        tx_out_close(&w->out, "numeric");
    }
    for (const tx_mjcf_custom_text *t = tx_mjcf_custom_texts; t->name; t++) {
        int value = *(const int *)((const char *)o + t->option);
        if (value < t->said) continue;
        tx_out_open(&w->out, "text");
        tx_out_text(&w->out, "name", t->name);
        tx_out_text(&w->out, "data", t->name_of(value));
        tx_out_close(&w->out, "text");
    }
    for (const tx_mjcf_geom_number *n = tx_mjcf_geom_numbers; n->name; n++) write_geom_tuple(w, n);
    tx_out_close_section(&w->out, "custom");
    report(w, "custom", "");
}

// ---- assets -------------------------------------------------------------------------------------------------------

static void write_mesh(writer *w, const tx_mesh_def *d) {
    tx_mjcf_mesh mesh = {.def = *d, .maxhullvert = d->hull_corners ? d->hull_corners : w->plain->mesh.maxhullvert};
    tx_out_open(&w->out, "mesh");
    tx_out_attributes(&w->out, tx_mjcf_mesh_attrs, &mesh, &w->plain->mesh);
    tx_out_floats(&w->out, "vertex", d->vertices, 3 * d->vertex_count);
    if (d->face_count) tx_out_ints(&w->out, "face", d->faces, 3 * d->face_count);
    tx_out_close(&w->out, "mesh");
    report(w, "mesh", d->name);
    if (d->sdf_cell > 0)
        tx_diag_add(w->diag, TX_SEVERITY_ERROR, w->path, 0, 0, "without it the cells follow from the size of the mesh",
                    "<mesh> '%s' cannot be written: MJCF cannot say sdf_cell", d->name);
}

// the first row of a file is the one with the largest y
static void write_hfield(writer *w, const tx_hfield_def *d) {
    const tx_mjcf_hfield plain = {0};
    size_t row = (size_t)d->ncol, points = (size_t)d->nrow * row;
    double *heights = tx_alloc(sizeof *heights * points);
    if (!heights) {
        w->out.no_memory = true;
        return;
    }
    for (int r = 0; r < d->nrow; r++)
        memcpy(heights + (size_t)(d->nrow - 1 - r) * row, d->elevation + (size_t)r * row, sizeof *heights * row);
    tx_mjcf_hfield hfield = {.def = *d};
    tx_out_open(&w->out, "hfield");
    tx_out_attributes(&w->out, tx_mjcf_hfield_attrs, &hfield, &plain);
    tx_out_floats(&w->out, "elevation", heights, (int)points);
    tx_out_close(&w->out, "hfield");
    report(w, "hfield", d->name);
    tx_free(heights);
}

static void write_assets(writer *w) {
    tx_out_open(&w->out, "asset");
    for (int i = 0; i < w->b->mesh.count; i++) write_mesh(w, &w->b->mesh.items[i]);
    for (int i = 0; i < w->b->hfield.count; i++) write_hfield(w, &w->b->hfield.items[i]);
    tx_out_close_section(&w->out, "asset");
}

// ---- bodies -------------------------------------------------------------------------------------------------------

static void write_inertial(writer *w, const tx_body_def *d) {
    const double upright[4] = {1, 0, 0, 0};
    tx_mjcf_inertial plain = {.orientation = orientation(upright)};
    tx_mjcf_inertial in = {.mass = d->mass, .orientation = orientation(d->iquat)};
    memcpy(in.pos, d->ipos, sizeof in.pos);
    memcpy(in.diaginertia, d->inertia, sizeof in.diaginertia);
    // MuJoCo wants the moments even where they are zero
    for (int k = 0; k < 3; k++) plain.diaginertia[k] = NAN;
    element(w, "inertial", d->name, tx_mjcf_inertial_attrs, &in, &plain);
}

// a spring or damper as MJCF has it
static void set_polynomial(double numbers[3], double linear, const double more[2]) {
    numbers[0] = linear, numbers[1] = more[0], numbers[2] = more[1];
}

// joints, geoms, sites and cameras stand body by body
static void write_content(writer *w, int body) {
    const tx_builder *b = w->b;
    for (; w->joint < b->joint.count && b->joint.items[w->joint].body == body; w->joint++) {
        tx_mjcf_joint joint = {.def = b->joint.items[w->joint].def};
        set_polynomial(joint.stiffness, joint.def.stiffness, joint.def.stiffnesspoly);
        set_polynomial(joint.damping, joint.def.damping, joint.def.dampingpoly);
        element(w, "joint", joint.def.name, tx_mjcf_joint_attrs, &joint, &w->plain->joint);
    }
    for (; w->geom < b->geom.count && b->geom.items[w->geom].body == body; w->geom++) {
        tx_mjcf_geom geom = {.def = b->geom.items[w->geom].def};
        geom.orientation = orientation(geom.def.quat);
        element(w, "geom", geom.def.name, tx_mjcf_geom_attrs, &geom, &w->plain->geom);
    }
    for (; w->site < b->site.count && b->site.items[w->site].body == body; w->site++) {
        tx_mjcf_site site = {.def = b->site.items[w->site].def};
        site.orientation = orientation(site.def.quat);
        element(w, "site", site.def.name, tx_mjcf_site_attrs, &site, &w->plain->site);
    }
    for (; w->camera < b->camera.count && b->camera.items[w->camera].body == body; w->camera++) {
        tx_mjcf_camera camera = {.def = b->camera.items[w->camera].def};
        camera.orientation = orientation(camera.def.quat), camera.mode = (int)camera.def.mode;
        element(w, "camera", camera.def.name, tx_mjcf_camera_attrs, &camera, &w->plain->camera);
    }
}

static void open_body(writer *w, const tx_body_def *d) {
    const double upright[4] = {1, 0, 0, 0};
    const tx_mjcf_body plain = {.def = tx_default_body_def(), .orientation = orientation(upright)};
    tx_mjcf_body body = {.def = *d, .sleep = (int)d->sleep, .orientation = orientation(d->quat)};
    tx_out_open(&w->out, "body");
    tx_out_attributes(&w->out, tx_mjcf_body_attrs, &body, &plain);
    report(w, "body", d->name);
    if (d->has_inertial) write_inertial(w, d);
}

// bodies come depth first: those that do not hold the next one are finished
static void write_bodies(writer *w) {
    int open = 0;
    tx_out_open(&w->out, "worldbody");
    write_content(w, 0);
    for (int i = 1; i < w->b->body.count; i++) {
        const tx_built_body *body = &w->b->body.items[i];
        for (; open != body->parent; open = w->b->body.items[open].parent) tx_out_close(&w->out, "body");
        open_body(w, &body->def);
        write_content(w, i);
        open = i;
        if (w->out.depth > TX_XML_DEPTH_MAX - 2) {
            tx_diag_add(w->diag, TX_SEVERITY_ERROR, w->path, 0, 0, "a compiled model can hold it",
                        "body '%s' cannot be written: it is more than %d bodies deep", body->def.name,
                        TX_XML_DEPTH_MAX - 4);
            break;
        }
    }
    for (; open != 0; open = w->b->body.items[open].parent) tx_out_close(&w->out, "body");
    tx_out_close(&w->out, "worldbody");
}

// ---- contacts, tendons, equalities --------------------------------------------------------------------------------

static void write_contacts(writer *w) {
    const tx_exclude_def plain = {0};
    tx_out_open(&w->out, "contact");
    for (int i = 0; i < w->b->pair.count; i++) {
        tx_mjcf_pair pair = {w->b->pair.items[i]};
        element(w, "pair", pair.def.geom1, tx_mjcf_pair_attrs, &pair, &w->plain->pair);
    }
    for (int i = 0; i < w->b->exclude.count; i++)
        element(w, "exclude", w->b->exclude.items[i].body1, tx_mjcf_exclude_attrs, &w->b->exclude.items[i], &plain);
    tx_out_close_section(&w->out, "contact");
}

static void cannot_say(writer *w, const char *what, const char *name) {
    tx_diag_add(w->diag, TX_SEVERITY_ERROR, w->path, 0, 0, "a compiled model can hold it",
                "%s '%s' cannot be written: MJCF has no joints between free bodies", what, name);
}

static void write_tendon(writer *w, const tx_tendon_def *d) {
    if (d->count > 0 && tx_is_coordinate((int)d->path[0].kind)) {
        cannot_say(w, "tendon", d->name);
        return;
    }
    const tx_path_def no_path = {0};
    const char *kind = d->count > 0 && d->path[0].kind == TX_PATH_JOINT ? "fixed" : "spatial";
    tx_mjcf_tendon plain = w->plain->tendon, t = {.def = *d};
    set_polynomial(t.stiffness, d->stiffness, d->stiffnesspoly);
    set_polynomial(t.damping, d->damping, d->dampingpoly);
    memcpy(t.springlength, d->springlength, sizeof t.springlength);
    plain.springlength[0] = plain.springlength[1] = NAN; // whatever it is, it is not what -1 -1 asks for
    tx_out_open(&w->out, kind);
    tx_out_attributes(&w->out, tx_mjcf_tendon_attrs, &t, &plain);
    for (int i = 0; i < d->count; i++) {
        const tx_mjcf_form *form = &tx_mjcf_path_forms[d->path[i].kind];
        element(w, form->name, d->path[i].name, form->attrs, &d->path[i], &no_path);
    }
    tx_out_close(&w->out, kind);
    report(w, kind, d->name);
}

static void write_tendons(writer *w) {
    tx_out_open(&w->out, "tendon");
    for (int i = 0; i < w->b->tendon.count; i++) write_tendon(w, &w->b->tendon.items[i]);
    tx_out_close_section(&w->out, "tendon");
}

static void write_equalities(writer *w) {
    tx_out_open(&w->out, "equality");
    for (int i = 0; i < w->b->equality.count; i++) {
        tx_mjcf_equality e = w->plain->equality;
        e.def = w->b->equality.items[i];
        if (e.def.type >= TX_EQUALITY_HINGE) {
            cannot_say(w, "equality", e.def.name);
            continue;
        }
        tx_mjcf_equality plain = w->plain->equality;
        if (e.def.sites) {
            e.site1 = e.def.first, e.site2 = e.def.second;
            e.def.first = plain.def.first, e.def.second = plain.def.second;
            memcpy(e.def.anchor, plain.def.anchor, sizeof plain.def.anchor);
        } else if (e.def.type == TX_EQUALITY_CONNECT) {
            plain.def.anchor[0] = NAN; // always written
        }
        if (e.def.type == TX_EQUALITY_WELD) {
            memcpy(e.relpose, e.def.relpos, sizeof e.def.relpos);
            memcpy(e.relpose + 3, e.def.relquat, sizeof e.def.relquat);
        }
        const tx_mjcf_form *form = &tx_mjcf_equality_forms[e.def.type];
        element(w, form->name, e.def.name, form->attrs, &e, &plain);
    }
    tx_out_close_section(&w->out, "equality");
}

// ---- actuators, sensors, keyframes --------------------------------------------------------------------------------

static bool all_zero(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (x[i] != 0) return false;
    return true;
}

// every actuator is a general one; a gain that depends on nothing is fixed, unless a positive bias by the velocity
// would then be taken for a damping ratio
static tx_mjcf_actuator actuator_values(const tx_actuator_def *d) {
    const bool turn = d->gain_curve == TX_CURVE_SO3;
    tx_mjcf_actuator a = {.def = *d,
                          .actdim = -1,
                          .dyntype = d->dynamics == TX_DYNAMICS_TURN ? TX_DYNAMICS_INTEGRATOR : (int)d->dynamics};
    memcpy(a.gainprm, d->gain, sizeof a.gainprm);
    memcpy(a.biasprm, d->bias, sizeof a.biasprm);
    bool ratio = d->bias[2] > 0 && d->gain[0] == -d->bias[1];
    bool fixed = all_zero(d->gain + 1, TX_ACTUATOR_NUMBERS - 1) && !ratio;
    a.gaintype = d->gain_curve == TX_CURVE_MUSCLE    ? TX_MJCF_GAIN_MUSCLE
                 : d->gain_curve == TX_CURVE_PID     ? TX_MJCF_GAIN_PID
                 : d->gain_curve == TX_CURVE_DCMOTOR ? TX_MJCF_GAIN_DCMOTOR
                 : turn                              ? TX_MJCF_GAIN_SO3
                 : fixed                             ? TX_MJCF_GAIN_FIXED
                                                     : TX_MJCF_GAIN_AFFINE;
    a.input = tx_mjcf_input_text(d->inputs);
    a.biastype = d->bias_curve == TX_CURVE_MUSCLE         ? TX_MJCF_BIAS_MUSCLE
                 : d->bias_curve == TX_CURVE_DCMOTOR      ? TX_MJCF_BIAS_DCMOTOR
                 : turn                                   ? TX_MJCF_BIAS_SO3
                 : d->gain_curve == TX_CURVE_PID          ? TX_MJCF_BIAS_AFFINE
                 : all_zero(d->bias, TX_ACTUATOR_NUMBERS) ? TX_MJCF_BIAS_NONE
                                                          : TX_MJCF_BIAS_AFFINE;
    if (d->inparent) a.jointinparent = d->joint, a.def.joint = NULL;
    return a;
}

static void write_actuators(writer *w) {
    tx_out_open(&w->out, "actuator");
    for (int i = 0; i < w->b->actuator.count; i++) {
        if (tx_actuator_axis((int)w->b->actuator.items[i].gain_curve) > 0) continue; // said by the first of its axes
        tx_mjcf_actuator a = actuator_values(&w->b->actuator.items[i]);
        element(w, "general", a.def.name, tx_mjcf_general_attrs, &a, &w->plain->actuator);
    }
    tx_out_close_section(&w->out, "actuator");
}

// the attribute of one side of a contact sensor; nothing is no text anywhere
static const char **contact_side(tx_object object, const char **geom, const char **body, const char **subtree,
                                 const char **other) {
    return object == TX_OBJECT_GEOM    ? geom
           : object == TX_OBJECT_BODY  ? body
           : object == TX_OBJECT_XBODY ? subtree
                                       : other;
}

// the attributes that say what a sensor looks at
static tx_mjcf_sensor_values sensor_values(const tx_sensor_def *d, tx_sensed sensed) {
    tx_mjcf_sensor_values s = {.name = d->name, .cutoff = d->cutoff, .noise = d->noise};
    s.nsample = d->nsample, s.delay = d->delay, s.interp = (int)d->interp;
    memcpy(s.interval, d->interval, sizeof s.interval);
    switch (sensed) {
    case TX_SENSES_NONE: break;
    case TX_SENSES_SITE: s.site = d->of; break;
    case TX_SENSES_SCALAR:
    case TX_SENSES_BALL:
    case TX_SENSES_LIMIT: s.joint = d->of; break;
    case TX_SENSES_ACTUATOR: s.actuator = d->of; break;
    case TX_SENSES_TENDON:
    case TX_SENSES_TENDONLIMIT: s.tendon = d->of; break;
    case TX_SENSES_SUBTREE: s.body = d->of; break;
    case TX_SENSES_RELATIVE:
    case TX_SENSES_FRAME:
    case TX_SENSES_INSIDE: s.objtype = (int)d->object, s.objname = d->of; break;
    case TX_SENSES_PAIR:
        *(d->object == TX_OBJECT_GEOM ? &s.geom1 : &s.body1) = d->of;
        *(d->reference == TX_OBJECT_GEOM ? &s.geom2 : &s.body2) = d->relative_to;
        break;
    case TX_SENSES_PROJECTION: s.site = d->of, s.camera = d->relative_to; break;
    case TX_SENSES_CONTACT:
        *contact_side(d->object, &s.geom1, &s.body1, &s.subtree1, &s.site) = d->of;
        *contact_side(d->reference, &s.geom2, &s.body2, &s.subtree2, &s.site) = d->relative_to;
        if (d->object == TX_OBJECT_SITE) s.site = d->of;
        s.data = d->data, s.num = d->num, s.reduce = (int)d->reduce;
        break;
    case TX_SENSES_USER: s.dim = d->num; break;
    case TX_SENSES_RAY:
        *(d->object == TX_OBJECT_CAMERA ? &s.camera : &s.site) = d->of;
        s.data = d->data ? d->data : 1;
        break;
    case TX_SENSES_TAXELS: s.geom1 = d->of, s.mesh = d->relative_to; break;
    }
    if (sensed == TX_SENSES_INSIDE) s.site = d->relative_to;
    if (sensed == TX_SENSES_RELATIVE) s.reftype = (int)d->reference, s.refname = d->relative_to;
    return s;
}

static void write_sensors(writer *w) {
    const tx_mjcf_sensor_values plain = {.data = 1 << TX_CONTACT_DATA_FOUND, .num = 1};
    tx_out_open(&w->out, "sensor");
    for (int i = 0; i < w->b->sensor.count; i++) {
        const tx_sensor_def *d = &w->b->sensor.items[i];
        const tx_sensor_kind *kind = &tx_sensor_kinds[d->type];
        tx_mjcf_sensor_values s = sensor_values(d, kind->object);
        element(w, kind->name, d->name, tx_mjcf_sensor_attrs[kind->object], &s, &plain);
    }
    tx_out_close_section(&w->out, "sensor");
}

static void write_keys(writer *w) {
    const tx_mjcf_key plain = {0};
    tx_out_open(&w->out, "keyframe");
    for (int i = 0; i < w->b->key.count; i++) {
        const tx_key_def *d = &w->b->key.items[i];
        tx_mjcf_key key = {.name = d->name,
                           .time = d->time,
                           .numbers = {[TX_MJCF_QPOS] = {d->qpos, d->qpos_count},
                                       [TX_MJCF_QVEL] = {d->qvel, d->qvel_count},
                                       [TX_MJCF_ACT] = {d->act, d->act_count},
                                       [TX_MJCF_CTRL] = {d->ctrl, d->ctrl_count},
                                       [TX_MJCF_MPOS] = {d->mpos, d->mpos_count},
                                       [TX_MJCF_MQUAT] = {d->mquat, d->mquat_count},
                                       [TX_MJCF_PLASTIC] = {d->plastic, d->plastic_count}}};
        element(w, "key", d->name, tx_mjcf_key_attrs, &key, &plain);
    }
    tx_out_close_section(&w->out, "keyframe");
}

// ---- the whole file -----------------------------------------------------------------------------------------------

static void write_document(writer *w) {
    tx_out_open(&w->out, "mujoco");
    tx_out_text(&w->out, "model", w->b->name);
    report(w, "mujoco", w->b->name);
    write_compiler(w);
    write_option(w);
    write_custom(w);
    write_assets(w);
    write_bodies(w);
    write_contacts(w);
    write_tendons(w);
    write_equalities(w);
    write_actuators(w);
    write_sensors(w);
    write_keys(w);
    tx_out_close(&w->out, "mujoco");
}

// the text itself, or in an archive
static tx_result write_text(const char *path, const tx_xml_out *out) {
    if (!tx_ends_with(path, ".mjz")) return tx_write_whole(path, out->bytes, out->used);
    size_t size = 0;
    char *archive = tx_archive_of("model.xml", out->bytes, out->used, &size);
    const tx_result result = archive ? tx_write_whole(path, archive, size) : TX_ERROR_MEMORY;
    tx_free(archive);
    return result;
}

static tx_result write_builder(const tx_builder *b, const char *path, tx_diag *diag) {
    tx_stash stash = {.limit = TX_XML_MEMORY_MAX};
    const tx_xml_element root = {.file = path};
    int errors = diag->errors;
    tx_mjcf start;
    tx_mjcf_start(&start, &stash, &root, NULL, NULL, diag);
    writer w = {.b = b, .start = &start, .diag = diag, .path = path};
    bool room = tx_mjcf_create_main_class(&start, &start.main);
    w.plain = start.main.main_class;
    // a file that cannot be read again is no use
    if (room && tx_builder_check(b, diag)) write_document(&w);
    room = room && !w.out.no_memory;
    tx_result result = !room ? TX_ERROR_MEMORY : diag->errors > errors ? TX_ERROR_MODEL : TX_OK;
    if (result == TX_OK) result = write_text(path, &w.out);
    if (result == TX_ERROR_FILE)
        tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, strerror(errno), "the file cannot be written");
    if (result == TX_ERROR_MEMORY) tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, "", "out of memory");
    tx_out_free(&w.out);
    tx_stash_free(&stash);
    return result;
}

tx_result tx_save_mjcf(const tx_model *model, const char *path, tx_diag *diag) {
    tx_diag own = {0}, *d = diag ? diag : &own;
    if (!model || !path) return TX_ERROR_ARGUMENT;
    tx_builder *b = tx_builder_from_model(model);
    tx_result result = b ? write_builder(b, path, d) : TX_ERROR_MEMORY;
    if (!b) tx_diag_add(d, TX_SEVERITY_ERROR, path, 0, 0, "", "out of memory");
    tx_builder_destroy(b);
    tx_diag_free(&own);
    return result;
}
