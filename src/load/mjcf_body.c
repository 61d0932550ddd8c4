// mjcf_body.c - <worldbody>, <body>, <frame>, <replicate>, <inertial>: the tree of bodies.
#include <string.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "load/mjcf_flex.h"
#include "load/mjcf_scale.h"

static const tx_mjcf_orientation upright = {.form = TX_MJCF_QUAT, .quat = {1, 0, 0, 0}};

// ---- inertial ----------------------------------------------------------------------------------------------------

const tx_mjcf_attr tx_mjcf_inertial_attrs[] = {
    {"pos", TX_MJCF_REALS(tx_mjcf_inertial, pos, 3, 3), .flags = TX_MJCF_REQUIRED},
    {"mass", TX_MJCF_REALS(tx_mjcf_inertial, mass, 1, 1), .flags = TX_MJCF_REQUIRED},
    {"diaginertia", TX_MJCF_REALS(tx_mjcf_inertial, diaginertia, 3, 3),
     TX_MJCF_GIVEN(tx_mjcf_inertial, diaginertia_given)},
    {"fullinertia", TX_MJCF_REALS(tx_mjcf_inertial, fullinertia, 6, 6),
     TX_MJCF_GIVEN(tx_mjcf_inertial, fullinertia_given)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_inertial, orientation),
    {0},
};

static const char *const orientation_names[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

static void read_inertial(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    tx_mjcf_body *b = scope->body;
    if (b->index == 0) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "put it in a <body>", "the world cannot have <inertial>");
        return;
    }
    if (b->def.has_inertial) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<inertial> may stand only once in <body>");
        return;
    }
    tx_mjcf_inertial in = {.orientation = upright};
    tx_mjcf_read(m, element, tx_mjcf_inertial_attrs, &in);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    tx_mjcf_choose_orientation(m, element, &in.orientation);
    if (in.fullinertia_given && in.diaginertia_given) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "diaginertia"), "keep one of them",
                        "<inertial> has both 'fullinertia' and 'diaginertia'");
    }
    for (int i = 0; in.fullinertia_given && i < 5; i++) {
        const tx_xml_attribute *attribute = tx_xml_find(element, orientation_names[i]);
        if (!attribute) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "fullinertia is about the body's axes",
                        "<inertial> has both 'fullinertia' and '%s'", attribute->name);
    }
    b->def.has_inertial = true;
    b->def.mass = in.mass;
    b->def.has_fullinertia = in.fullinertia_given > 0;
    memcpy(b->def.ipos, in.pos, sizeof in.pos);
    memcpy(b->def.inertia, in.diaginertia, sizeof in.diaginertia);
    memcpy(b->def.fullinertia, in.fullinertia, sizeof in.fullinertia);
    tx_mjcf_quaternion(m, element, &in.orientation, b->def.iquat);
    tx_mjcf_scale_inertial(scope->scale, &b->def);
    tx_mjcf_leave_frame(scope, b->def.ipos, b->def.iquat, NULL);
}

// ---- frame -------------------------------------------------------------------------------------------------------

typedef struct frame {
    double pos[3], quat[4];
    tx_mjcf_orientation orientation;
    const tx_mjcf_class *childclass;
    double scale[3], massscale;
    int scaling, scale_given;
    const tx_mjcf_scale *inside;
} frame;

static const tx_mjcf_attr frame_attrs[] = {
    {"name", TX_MJCF_IGNORE},
    {"childclass", TX_MJCF_IGNORE},
    {"pos", TX_MJCF_REALS(frame, pos, 3, 3)},
    TX_MJCF_ORIENTATION_ATTRS(frame, orientation),
    {"scale", TX_MJCF_REALS(frame, scale, 1, 3), TX_MJCF_GIVEN(frame, scale_given)},
    {"scaling", TX_MJCF_WORD(frame, scaling, tx_mjcf_scalings)},
    {"massscale", TX_MJCF_REALS(frame, massscale, 1, 1)},
    {0},
};

#define AS_IN_MUJOCO TX_MJCF_ONLY(""), .flags = TX_MJCF_WARNING, .hint = "it is ignored, as in MuJoCo"
static const tx_mjcf_attr replicate_attrs[] = {
    {"name", TX_MJCF_IGNORE},
    {"childclass", TX_MJCF_IGNORE},
    {"count", TX_MJCF_IGNORE}, // these two were used when the copies were made
    {"sep", TX_MJCF_IGNORE},
    {"offset", TX_MJCF_REALS(frame, pos, 3, 3)},
    {"euler", TX_MJCF_REALS(frame, orientation.euler, 3, 3)},
    {"pos", AS_IN_MUJOCO},
    {"quat", AS_IN_MUJOCO},
    {"axisangle", AS_IN_MUJOCO},
    {"xyaxes", AS_IN_MUJOCO},
    {"zaxis", AS_IN_MUJOCO},
    {0},
};

// what it names was put inside it when the document was expanded
static const tx_mjcf_attr attach_attrs[] = {
    {"model", TX_MJCF_IGNORE},
    {"body", TX_MJCF_IGNORE},
    {"frame", TX_MJCF_IGNORE},
    {"prefix", TX_MJCF_IGNORE, .flags = TX_MJCF_REQUIRED},
    {0},
};

void tx_mjcf_leave_frame(const tx_mjcf_scope *scope, double pos[3], double quat[4], double direction[3]) {
    if (pos) tx_mjcf_scale_point(scope->scale, pos);
    if (!scope->framed) return;
    double matrix[9], moved[3];
    tx_quat_to_mat(scope->quat, matrix);
    if (pos) {
        for (int i = 0; i < 3; i++) moved[i] = scope->pos[i] + v3_dot(matrix + 3 * i, pos);
        v3_copy(pos, moved);
    }
    if (direction) {
        for (int i = 0; i < 3; i++) moved[i] = v3_dot(matrix + 3 * i, direction);
        v3_copy(direction, moved);
    }
    if (quat) {
        const double *a = scope->quat, b[4] = {quat[0], quat[1], quat[2], quat[3]};
        quat[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
        quat[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
        quat[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
        quat[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    }
}

enum { PHASE_INERTIAL, PHASE_OWN, PHASE_BODIES };
static void read_phase(tx_mjcf *m, tx_xml_element *element, int phase, tx_mjcf_scope *scope);

// the pose after `times` such steps, each seen from the one before; by squaring, so that many copies cost little
static void repeat_frame(frame *f, int times) {
    tx_mjcf_scope sum = {.framed = true, .quat = {1, 0, 0, 0}}, step = {.framed = true};
    v3_copy(step.pos, f->pos);
    memcpy(step.quat, f->quat, sizeof step.quat);
    for (; times > 0; times /= 2) {
        // steps of one kind may be taken in any order
        if (times % 2) tx_mjcf_leave_frame(&step, sum.pos, sum.quat, NULL);
        tx_mjcf_scope once = step;
        tx_mjcf_leave_frame(&once, step.pos, step.quat, NULL);
        tx_quat_normalize(step.quat);
    }
    v3_copy(f->pos, sum.pos);
    memcpy(f->quat, sum.quat, sizeof f->quat);
}

// the frame's attributes are read, and complained about, once: the first phase leaves them at the element
static void read_frame(tx_mjcf *m, tx_xml_element *element, int phase, const tx_mjcf_scope *outer) {
    frame *f = element->extra;
    if (!f) {
        element->extra = f = tx_stash_take(m->stash, sizeof *f);
        if (!f) {
            m->out_of_memory = true;
            return;
        }
        f->orientation = upright;
        f->scale[0] = 1;
        bool copies = strcmp(element->name, "replicate") == 0, attached = strcmp(element->name, "attach") == 0;
        tx_mjcf_read(m, element, copies ? replicate_attrs : attached ? attach_attrs : frame_attrs, f);
        if (copies) f->orientation.form = tx_xml_find(element, "euler") ? TX_MJCF_EULER : TX_MJCF_QUAT;
        else tx_mjcf_choose_orientation(m, element, &f->orientation);
        tx_mjcf_quaternion(m, element, &f->orientation, f->quat);
        tx_quat_normalize(f->quat);
        if (copies) repeat_frame(f, element->copy);
        if (f->scale_given == 2)
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "scale"), "one for all axes, or three",
                            "scale of <frame> has 2 numbers");
        if (f->scale_given < 2) f->scale[1] = f->scale[2] = f->scale[0];
        f->inside = tx_mjcf_frame_scale(m, element, outer->scale, f->quat, f->scale, f->scaling, f->massscale);
        if (f->inside) m->scaled = true;
        f->childclass = tx_mjcf_class_of(m, element, "childclass", outer->childclass);
    }
    tx_mjcf_scope inner = {.body = outer->body, .childclass = f->childclass, .framed = true, .scale = f->inside};
    tx_mjcf_scope plain = *outer;
    v3_copy(plain.pos, outer->plain);
    plain.scale = NULL;
    v3_copy(inner.pos, f->pos);
    v3_copy(inner.plain, f->pos);
    memcpy(inner.quat, f->quat, sizeof inner.quat);
    tx_mjcf_leave_frame(outer, inner.pos, inner.quat, NULL);
    tx_mjcf_leave_frame(&plain, inner.plain, NULL, NULL);
    tx_quat_normalize(inner.quat);
    read_phase(m, element, phase, &inner);
}

static void read_frame_inertial(tx_mjcf *m, tx_xml_element *element, void *scope) {
    read_frame(m, element, PHASE_INERTIAL, scope);
}
static void read_frame_own(tx_mjcf *m, tx_xml_element *element, void *scope) {
    read_frame(m, element, PHASE_OWN, scope);
}
static void read_frame_bodies(tx_mjcf *m, tx_xml_element *element, void *scope) {
    read_frame(m, element, PHASE_BODIES, scope);
}

// ---- body --------------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword sleep_policies[] = {{"auto", .value = TX_SLEEP_AUTO},
                                                 {"never", .value = TX_SLEEP_NEVER},
                                                 {"allowed", .value = TX_SLEEP_ALLOWED},
                                                 {"init", .value = TX_SLEEP_INIT},
                                                 {0}};

static const tx_mjcf_keyword fusing[] = {{"auto", .value = 0}, {"false", .value = 1}, {0}};
const tx_mjcf_attr tx_mjcf_body_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_body, def.name)},
    {"childclass", TX_MJCF_IGNORE},
    {"pos", TX_MJCF_REALS(tx_mjcf_body, def.pos, 3, 3)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_body, orientation),
    {"mocap", TX_MJCF_YESNO(tx_mjcf_body, def.mocap, tx_mjcf_bool)},
    {"gravcomp", TX_MJCF_REALS(tx_mjcf_body, def.gravcomp, 1, 1)},
    {"sleep", TX_MJCF_WORD(tx_mjcf_body, sleep, sleep_policies)},
    {"fuse", TX_MJCF_YESNO(tx_mjcf_body, def.keep, fusing)},
    {"simple", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

static void read_body(tx_mjcf *m, tx_xml_element *element, void *context);

static const tx_mjcf_child body_children[] = {
    {"inertial", .phase = PHASE_INERTIAL, .read = read_inertial, .once = true},
    {"joint", .phase = PHASE_OWN, .read = tx_mjcf_joint_element},
    {"freejoint", .phase = PHASE_OWN, .read = tx_mjcf_freejoint_element},
    {"geom", .phase = PHASE_OWN, .read = tx_mjcf_geom_element},
    {"site", .phase = PHASE_OWN, .read = tx_mjcf_site_element},
    {"camera", .phase = PHASE_OWN, .read = tx_mjcf_camera_element},
    // nothing refers to these yet
    {"light", .phase = PHASE_OWN, .read = tx_mjcf_accept},
    {"flexcomp", .phase = PHASE_OWN, .read = tx_mjcf_flexcomp_element},
    {"body", .phase = PHASE_BODIES, .read = read_body},
    {"frame", .phase = PHASE_INERTIAL, .read = read_frame_inertial},
    {"frame", .phase = PHASE_OWN, .read = read_frame_own},
    {"frame", .phase = PHASE_BODIES, .read = read_frame_bodies},
    {"replicate", .phase = PHASE_INERTIAL, .read = read_frame_inertial},
    {"replicate", .phase = PHASE_OWN, .read = read_frame_own},
    {"replicate", .phase = PHASE_BODIES, .read = read_frame_bodies},
    {"attach", .phase = PHASE_INERTIAL, .read = read_frame_inertial},
    {"attach", .phase = PHASE_OWN, .read = read_frame_own},
    {"attach", .phase = PHASE_BODIES, .read = read_frame_bodies},
    {0},
};

static void read_phase(tx_mjcf *m, tx_xml_element *element, int phase, tx_mjcf_scope *scope) {
    tx_mjcf_children(m, element, body_children, phase, scope);
}

static void read_body(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *outer = context;
    tx_mjcf_body b = {.index = -1, .def = tx_default_body_def(), .orientation = upright};
    tx_mjcf_read(m, element, tx_mjcf_body_attrs, &b);
    b.def.sleep = (tx_sleep_policy)b.sleep;
    tx_mjcf_choose_orientation(m, element, &b.orientation);
    tx_mjcf_quaternion(m, element, &b.orientation, b.def.quat);
    tx_mjcf_scope scope = {.body = &b, .scale = tx_mjcf_turned_scale(m, outer->scale, b.def.quat)};
    b.move = tx_mjcf_world_move(m, outer);
    tx_mjcf_note_scale(m, TX_OBJECT_BODY, b.def.name, scope.scale);
    tx_mjcf_leave_frame(outer, b.def.pos, b.def.quat, NULL);
    scope.childclass = tx_mjcf_class_of(m, element, "childclass", outer->childclass);

    read_phase(m, element, PHASE_INERTIAL, &scope);
    b.def.source = tx_mjcf_source(element);
    if (m->part != &m->main) b.def.compiler = &m->part->compiler;
    tx_mjcf_slot *mocap = b.def.mocap ? tx_mjcf_mocap_slot(m, element, b.def.pos, b.def.quat) : NULL;
    if (mocap) mocap->move = b.move;
    b.index = tx_builder_body(m->builder, outer->body->index, &b.def);
    tx_mjcf_check_index(m, b.index);
    if (b.index < 0) return;
    read_phase(m, element, PHASE_OWN, &scope);
    read_phase(m, element, PHASE_BODIES, &scope);
}

void tx_mjcf_world_content(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_body world = {.index = 0};
    tx_mjcf_scope scope = {.body = &world, .childclass = m->part->main_class};
    tx_mjcf_no_attributes(m, element);
    read_phase(m, element, PHASE_INERTIAL, &scope);
    read_phase(m, element, PHASE_OWN, &scope);
}

void tx_mjcf_world_bodies(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_body world = {.index = 0};
    tx_mjcf_scope scope = {.body = &world, .childclass = m->part->main_class};
    read_phase(m, element, PHASE_BODIES, &scope);
}
