// urdf_joint.c - <joint>: how a link hangs on its parent, and what that makes of its body.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "load/text.h"
#include "load/urdf.h"

// ---- reading -------------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword types[] = {{"fixed", .value = TX_URDF_FIXED},
                                        {"revolute", .value = TX_URDF_REVOLUTE},
                                        {"continuous", .value = TX_URDF_CONTINUOUS},
                                        {"prismatic", .value = TX_URDF_PRISMATIC},
                                        {"floating", .value = TX_URDF_FLOATING},
                                        {"planar", .value = TX_URDF_PLANAR},
                                        {0}};

static const tx_mjcf_attr joint_attrs[] = {
    {"name", TX_MJCF_STRING(tx_urdf_joint, name), .flags = TX_MJCF_REQUIRED},
    {"type", TX_MJCF_WORD(tx_urdf_joint, type, types), .flags = TX_MJCF_REQUIRED},
    {0},
};
static const tx_mjcf_attr parent_attrs[] = {
    {"link", TX_MJCF_STRING(tx_urdf_joint, parent_name), .flags = TX_MJCF_REQUIRED}, {0}};
static const tx_mjcf_attr child_attrs[] = {
    {"link", TX_MJCF_STRING(tx_urdf_joint, child_name), .flags = TX_MJCF_REQUIRED}, {0}};
static const tx_mjcf_attr axis_attrs[] = {{"xyz", TX_MJCF_REALS(tx_urdf_joint, axis, 3, 3)}, {0}};
static const tx_mjcf_attr limit_attrs[] = {
    {"lower", TX_MJCF_REALS(tx_urdf_joint, lower, 1, 1), TX_MJCF_GIVEN(tx_urdf_joint, lower_given)},
    {"upper", TX_MJCF_REALS(tx_urdf_joint, upper, 1, 1), TX_MJCF_GIVEN(tx_urdf_joint, upper_given)},
    {"effort", TX_MJCF_REALS(tx_urdf_joint, effort, 1, 1)},
    {"velocity", TX_MJCF_REALS(tx_urdf_joint, velocity, 1, 1)},
    // of newer files; nothing enforces them
    {"acceleration", TX_MJCF_IGNORE},
    {"deceleration", TX_MJCF_IGNORE},
    {"jerk", TX_MJCF_IGNORE},
    {0},
};
static const tx_mjcf_attr dynamics_attrs[] = {{"damping", TX_MJCF_REALS(tx_urdf_joint, damping, 1, 1)},
                                              {"friction", TX_MJCF_REALS(tx_urdf_joint, friction, 1, 1)},
                                              {0}};
static const tx_mjcf_attr mimic_attrs[] = {
    {"joint", TX_MJCF_STRING(tx_urdf_joint, mimicked), .flags = TX_MJCF_REQUIRED},
    {"multiplier", TX_MJCF_REALS(tx_urdf_joint, multiplier, 1, 1)},
    {"offset", TX_MJCF_REALS(tx_urdf_joint, offset, 1, 1)},
    {0},
};

static void read_values(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, void *joint) {
    tx_mjcf_read(m, element, attrs, joint);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}
static void read_parent(tx_mjcf *m, tx_xml_element *element, void *joint) {
    read_values(m, element, parent_attrs, joint);
}
static void read_child(tx_mjcf *m, tx_xml_element *element, void *joint) {
    read_values(m, element, child_attrs, joint);
}
static void read_axis(tx_mjcf *m, tx_xml_element *element, void *joint) { read_values(m, element, axis_attrs, joint); }
static void read_limit(tx_mjcf *m, tx_xml_element *element, void *joint) {
    read_values(m, element, limit_attrs, joint);
}
static void read_dynamics(tx_mjcf *m, tx_xml_element *element, void *joint) {
    read_values(m, element, dynamics_attrs, joint);
}
static void read_mimic(tx_mjcf *m, tx_xml_element *element, void *joint) {
    ((tx_urdf_joint *)joint)->mimic = element;
    read_values(m, element, mimic_attrs, joint);
}
static void read_origin(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_urdf_joint *joint = context;
    tx_urdf_pose pose = TX_URDF_UPRIGHT;
    tx_urdf_origin(m, element, &pose);
    memcpy(joint->pos, pose.pos, sizeof pose.pos);
    memcpy(joint->quat, pose.quat, sizeof pose.quat);
}

static const tx_mjcf_child joint_children[] = {
    {"origin", .read = read_origin, .once = true},
    {"parent", .read = read_parent, .once = true},
    {"child", .read = read_child, .once = true},
    {"axis", .read = read_axis, .once = true},
    {"limit", .read = read_limit, .once = true},
    {"dynamics", .read = read_dynamics, .once = true},
    {"mimic", .read = read_mimic, .once = true},
    // of controllers and of calibration: no part of the motion
    {"safety_controller", .read = tx_urdf_skip},
    {"calibration", .read = tx_urdf_skip},
    {"hardwareInterface", .read = tx_urdf_skip},
    {"gazebo", .read = tx_urdf_skip},
    {0},
};

static bool has_child(const tx_xml_element *element, const char *name) {
    for (const tx_xml_element *child = element->first; child; child = child->next)
        if (strcmp(child->name, name) == 0) return true;
    return false;
}

// numbers that stand for "no limit"
static void mend_limits(tx_urdf *u, tx_xml_element *element, tx_urdf_joint *joint) {
    double *numbers[] = {&joint->lower, &joint->upper, &joint->effort, &joint->velocity};
    bool huge = false;
    for (int i = 0; i < 4; i++) {
        if (fabs(*numbers[i]) <= TX_LARGEST) continue;
        *numbers[i] = copysign(TX_LARGEST, *numbers[i]);
        huge = true;
    }
    if (!huge) return;
    // no effort given is none that is limited
    if (fabs(joint->effort) >= TX_LARGEST) joint->effort = 0;
    if (joint->lower <= -TX_LARGEST && joint->upper >= TX_LARGEST) joint->lower_given = joint->upper_given = 0;
    TX_URDF_MENDED(u, element, NULL, "beyond 1e10 there is no limit", "joint '%.60s' has limits beyond all bounds",
                   joint->name);
}

// limits that do not say what their author may think
static void check_limits(tx_mjcf *m, tx_xml_element *element, const tx_urdf_joint *joint) {
    if (!joint->lower_given || !joint->upper_given) return;
    if (joint->lower > joint->upper)
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, NULL, "lower must be below upper",
                        "the range %g to %g of joint '%.60s' is empty: it is not limited", joint->lower, joint->upper,
                        joint->name);
    else if (joint->type == TX_URDF_CONTINUOUS && joint->lower < joint->upper)
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, NULL, "leave lower and upper out, or make it revolute",
                        "joint '%.60s' is continuous but has a range: it is limited, as in MuJoCo", joint->name);
}

void tx_urdf_joint_element(tx_mjcf *m, tx_xml_element *element, void *urdf) {
    tx_urdf *u = urdf;
    tx_urdf_joint *joint = tx_urdf_take(u, sizeof *joint);
    if (!joint) return;
    *joint = (tx_urdf_joint){.element = element, .quat = {1}, .axis = {1}, .multiplier = 1};
    bool good = tx_mjcf_read(m, element, joint_attrs, joint);
    tx_mjcf_children(m, element, joint_children, 0, joint);
    static const char *const needed[] = {"parent", "child"};
    for (int i = 0; i < 2; i++)
        if (!has_child(element, needed[i]))
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<joint> needs <%s link=\"...\"/>", needed[i]);
    if (!good || !joint->parent_name || !joint->child_name) m->incomplete = true;
    if (joint->name) {
        mend_limits(u, element, joint);
        check_limits(m, element, joint);
    }
    *(u->last_joint ? &u->last_joint->next : &u->first_joint) = joint;
    u->last_joint = joint;
    if (joint->name && !tx_names_add(&u->joints, m->stash, joint->name, joint)) m->out_of_memory = true;
}

// ---- into the builder ----------------------------------------------------------------------------------------------

static void add_joint(tx_urdf *u, const tx_urdf_link *link, tx_joint_def *def, const char *suffix) {
    const tx_urdf_joint *joint = link->joint;
    const char *name = joint->name ? joint->name : "";
    size_t size = strlen(name) + strlen(suffix) + 1;
    char *full = tx_urdf_take(u, size);
    if (!full) return;
    snprintf(full, size, "%s%s", name, suffix);
    def->name = full;
    def->damping = joint->damping;
    def->frictionloss = joint->friction;
    def->source = tx_mjcf_source(joint->element);
    tx_mjcf_check_index(&u->m, tx_builder_joint(u->m.builder, link->body, def));
}

// both ends must be given (MuJoCo); efforts are the same to both sides
static void set_limits(tx_joint_def *def, const tx_urdf_joint *joint) {
    bool limited = joint->lower_given && joint->upper_given && joint->lower < joint->upper;
    def->limited = limited ? TX_SWITCH_ON : TX_SWITCH_OFF;
    def->range[0] = joint->lower;
    def->range[1] = joint->upper;
    double effort = fabs(joint->effort);
    def->actuatorfrclimited = effort > 0 ? TX_SWITCH_ON : TX_SWITCH_OFF;
    def->actuatorfrcrange[0] = -effort;
    def->actuatorfrcrange[1] = effort;
}

// two slides in the plane and a hinge about its normal; the limits belong to the first slide (MuJoCo)
static void add_planar(tx_urdf *u, const tx_urdf_link *link) {
    static const char *const suffix[] = {"_TX", "_TY", "_RZ"};
    double quat[4], axes[9];
    if (v3_dot(link->joint->axis, link->joint->axis) < 1e-20) {
        tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, link->joint->element, NULL,
                        "give the normal of the plane, such as 0 0 1", "joint '%.60s': axis is zero",
                        link->joint->name);
        return;
    }
    tx_quat_of_z(link->joint->axis, quat);
    tx_quat_to_mat(quat, axes);
    for (int i = 0; i < 3; i++) {
        tx_joint_def def = tx_default_joint_def();
        def.type = i < 2 ? TX_JOINT_SLIDE : TX_JOINT_HINGE;
        def.limited = def.actuatorfrclimited = TX_SWITCH_OFF;
        if (i == 0) set_limits(&def, link->joint);
        for (int k = 0; k < 3; k++) def.axis[k] = axes[3 * k + i];
        add_joint(u, link, &def, suffix[i]);
    }
}

void tx_urdf_add_joints(tx_urdf *u, const tx_urdf_link *link) {
    const tx_urdf_joint *joint = link->joint;
    tx_joint_def def = tx_default_joint_def();
    switch ((tx_urdf_type)joint->type) {
    case TX_URDF_FIXED: return;
    case TX_URDF_PLANAR: add_planar(u, link); return;
    case TX_URDF_FLOATING:
        // it has no limits; MuJoCo keeps the range that it does not use
        set_limits(&def, joint);
        def.type = TX_JOINT_FREE;
        def.limited = def.actuatorfrclimited = TX_SWITCH_OFF;
        def.actuatorfrcrange[0] = def.actuatorfrcrange[1] = 0;
        break;
    case TX_URDF_REVOLUTE:
    case TX_URDF_CONTINUOUS:
    case TX_URDF_PRISMATIC:
        def.type = joint->type == TX_URDF_PRISMATIC ? TX_JOINT_SLIDE : TX_JOINT_HINGE;
        memcpy(def.axis, joint->axis, sizeof def.axis);
        set_limits(&def, joint);
        break;
    }
    add_joint(u, link, &def, "");
}

// ---- what joints say about each other ------------------------------------------------------------------------------

static bool has_one_degree(const tx_urdf_joint *joint) {
    return joint->type == TX_URDF_REVOLUTE || joint->type == TX_URDF_CONTINUOUS || joint->type == TX_URDF_PRISMATIC;
}

static void report_unknown_joint(tx_urdf *u, tx_urdf_joint *joint) {
    tx_nearest nearest = tx_nearest_start(joint->mimicked);
    for (const tx_urdf_joint *other = u->first_joint; other; other = other->next)
        if (other->name) tx_nearest_offer(&nearest, other->name, strlen(other->name));
    char hint[80] = "";
    if (nearest.best[0]) snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best);
    TX_URDF_MENDED(u, joint->mimic, tx_xml_find(joint->mimic, "joint"), hint,
                   "there is no joint '%.60s': joint '%.60s' mimics nothing", joint->mimicked, joint->name);
}

// whether following the joints that are mimicked leads back; other circles are found from their own joints
static bool goes_round(const tx_urdf *u, const tx_urdf_joint *joint) {
    const tx_urdf_joint *at = joint;
    int most = 0;
    for (const tx_urdf_joint *each = u->first_joint; each; each = each->next) most++;
    for (; most > 0 && at && at->mimic && at->mimicked; most--) {
        at = tx_names_find(&u->joints, at->mimicked);
        if (at == joint) return true;
    }
    return false;
}

static void add_mimic(tx_urdf *u, tx_urdf_joint *joint) {
    const tx_urdf_joint *other = tx_names_find(&u->joints, joint->mimicked);
    if (!other) {
        report_unknown_joint(u, joint);
    } else if (goes_round(u, joint)) {
        tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, joint->mimic, NULL, "",
                        other == joint ? "joint '%.60s' mimics itself" : "joint '%.60s' mimics itself in the end",
                        joint->name);
    } else if (!has_one_degree(joint) || (!has_one_degree(other) && other->type != TX_URDF_FIXED)) {
        TX_URDF_MENDED(u, joint->mimic, NULL, "revolute, continuous and prismatic joints can; it is free",
                       "joint '%.60s' cannot mimic '%.60s'", joint->name, other->name);
    } else {
        tx_equality_def def = tx_default_equality_def();
        def.type = TX_EQUALITY_JOINT;
        def.first = joint->name;
        // a fixed joint stays at zero
        if (other->type != TX_URDF_FIXED) def.second = other->name;
        else
            TX_URDF_MENDED(u, joint->mimic, NULL, "it is held at the offset",
                           "joint '%.60s' mimics '%.60s', which is fixed", joint->name, other->name);
        memset(def.polycoef, 0, sizeof def.polycoef);
        def.polycoef[0] = joint->offset;
        def.polycoef[1] = joint->multiplier;
        def.source = tx_mjcf_source(joint->mimic);
        tx_mjcf_check_index(&u->m, tx_builder_equality(u->m.builder, &def));
    }
}

void tx_urdf_add_mimics(tx_urdf *u) {
    for (tx_urdf_joint *joint = u->first_joint; joint; joint = joint->next)
        if (joint->mimic && joint->mimicked && joint->name) add_mimic(u, joint);
}

void tx_urdf_report_velocities(tx_urdf *u) {
    tx_xml_element *first = NULL;
    int count = 0;
    for (const tx_urdf_joint *joint = u->first_joint; joint; joint = joint->next) {
        if (joint->velocity == 0 || joint->type == TX_URDF_FIXED) continue;
        if (!first) first = joint->element;
        count++;
    }
    if (count)
        tx_mjcf_problem(&u->m, TX_SEVERITY_WARNING, first, NULL, "the controller has to keep them",
                        "velocity limits are not enforced: %d joint%s, the first is here", count,
                        count == 1 ? " has one" : "s have one");
}
