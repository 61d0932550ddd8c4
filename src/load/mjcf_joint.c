// mjcf_joint.c - <joint> and <freejoint>: how bodies move.
#include "load/mjcf_scale.h"

#define PI 3.14159265358979323846

void tx_mjcf_limits(tx_mjcf *m, tx_xml_element *element, const char *range, const char *limited, const double values[2],
                    tx_switch *value) {
    if (m->part->autolimits || *value != TX_SWITCH_AUTO) return;
    *value = TX_SWITCH_OFF;
    if (values[0] == 0 && values[1] == 0) return;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, range),
                    "with autolimits=\"false\" say whether it counts", "<%s> has '%s' but not '%s'", element->name,
                    range, limited);
}

static const tx_mjcf_keyword joint_types[] = {{"free", .value = TX_JOINT_FREE},
                                              {"ball", .value = TX_JOINT_BALL},
                                              {"slide", .value = TX_JOINT_SLIDE},
                                              {"hinge", .value = TX_JOINT_HINGE},
                                              {0}};

const tx_mjcf_attr tx_mjcf_joint_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_joint, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"type", TX_MJCF_WORD(tx_mjcf_joint, def.type, joint_types)},
    {"pos", TX_MJCF_REALS(tx_mjcf_joint, def.pos, 3, 3)},
    {"axis", TX_MJCF_REALS(tx_mjcf_joint, def.axis, 3, 3)},
    {"limited", TX_MJCF_WORD(tx_mjcf_joint, def.limited, tx_mjcf_switch)},
    {"range", TX_MJCF_REALS(tx_mjcf_joint, def.range, 2, 2)},
    {"ref", TX_MJCF_REALS(tx_mjcf_joint, def.ref, 1, 1)},
    {"springref", TX_MJCF_REALS(tx_mjcf_joint, def.springref, 1, 1)},
    {"stiffness", TX_MJCF_REALS(tx_mjcf_joint, stiffness, 1, 3)},
    {"damping", TX_MJCF_REALS(tx_mjcf_joint, damping, 1, 3)},
    {"springyield", TX_MJCF_REALS(tx_mjcf_joint, def.springyield, 1, 1)},
    {"armature", TX_MJCF_REALS(tx_mjcf_joint, def.armature, 1, 1)},
    {"margin", TX_MJCF_REALS(tx_mjcf_joint, def.margin, 1, 1)},
    {"solreflimit", TX_MJCF_REALS(tx_mjcf_joint, def.solref, 1, 2)},
    {"solimplimit", TX_MJCF_REALS(tx_mjcf_joint, def.solimp, 1, 5)},
    {"frictionloss", TX_MJCF_REALS(tx_mjcf_joint, def.frictionloss, 1, 1)},
    {"solreffriction", TX_MJCF_REALS(tx_mjcf_joint, def.solref_friction, 1, 2)},
    {"solimpfriction", TX_MJCF_REALS(tx_mjcf_joint, def.solimp_friction, 1, 5)},
    {"actuatorfrclimited", TX_MJCF_WORD(tx_mjcf_joint, def.actuatorfrclimited, tx_mjcf_switch)},
    {"actuatorfrcrange", TX_MJCF_REALS(tx_mjcf_joint, def.actuatorfrcrange, 2, 2)},
    {"actuatorgravcomp", TX_MJCF_YESNO(tx_mjcf_joint, def.actuatorgravcomp, tx_mjcf_bool)},
    {"springdamper", TX_MJCF_REALS(tx_mjcf_joint, def.springdamper, 2, 2)},
    {"group", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

void tx_mjcf_polynomial(const double numbers[3], double *linear, double more[2]) {
    *linear = numbers[0], more[0] = numbers[1], more[1] = numbers[2];
}

static bool refuse_in_world(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope) {
    if (scope->body->index != 0) return false;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "put it in a <body>", "the world cannot have joints");
    m->incomplete = true;
    return true;
}

// remembers a joint for the actuators that inherit its range; of two with one name the first counts
static void remember(tx_mjcf *m, const tx_joint_def *def) {
    if (!def->name) return;
    tx_joint_def *copy = tx_stash_take(m->stash, sizeof *copy);
    if (copy) *copy = *def;
    if (!copy || !tx_names_add(&m->joints, m->stash, def->name, copy)) m->out_of_memory = true;
}

// the numbers of a joint in keyframes, which a <frame scale> resizes; the axis is that in the innermost frame
static void place_in_keys(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope, const tx_joint_def *def,
                          const double axis[3]) {
    tx_mjcf_slot *slot = tx_mjcf_joint_slot(m, element, def->type);
    if (!slot) return;
    if (def->type == TX_JOINT_FREE) slot->move = scope->body->move;
    const double along =
        scope->scale && def->type == TX_JOINT_SLIDE ? tx_mjcf_joint_units(scope->scale, def->type, axis).length : 1;
    tx_mjcf_slot *spring = def->springyield > 0 && def->type != TX_JOINT_FREE
                               ? tx_mjcf_spring_slot(m, def->type == TX_JOINT_BALL ? 4 : 1)
                               : NULL;
    if (spring && along != 1) tx_mjcf_slot_factors(m, spring, TX_MJCF_PLASTIC, &along);
    if (def->type != TX_JOINT_SLIDE || !scope->scale) return;
    tx_mjcf_slot_factors(m, slot, TX_MJCF_QPOS, &along);
    tx_mjcf_slot_factors(m, slot, TX_MJCF_QVEL, &along);
}

void tx_mjcf_joint_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    if (refuse_in_world(m, element, scope)) return;
    tx_mjcf_joint joint = tx_mjcf_class_of(m, element, "class", scope->childclass)->joint;
    tx_joint_def *def = &joint.def;
    tx_mjcf_read(m, element, tx_mjcf_joint_attrs, &joint);
    const double axis[3] = {def->axis[0], def->axis[1], def->axis[2]};
    tx_mjcf_children(m, element, NULL, 0, NULL);
    tx_mjcf_polynomial(joint.stiffness, &def->stiffness, def->stiffnesspoly);
    tx_mjcf_polynomial(joint.damping, &def->damping, def->dampingpoly);

    if (!m->part->radian && def->type == TX_JOINT_HINGE) {
        def->ref *= PI / 180;
        def->springref *= PI / 180;
    }
    tx_mjcf_scale_joint(m, element, scope, def);
    tx_mjcf_note_scale(m, TX_OBJECT_JOINT, def->name, scope->scale);
    // a free joint has no limits, nor has it, or a ball joint, one actuator force to limit, whatever its class says
    if (def->type == TX_JOINT_FREE) def->limited = TX_SWITCH_OFF, def->align = m->part->alignfree;
    else tx_mjcf_leave_frame(scope, def->pos, NULL, def->axis);
    if (def->type == TX_JOINT_FREE || def->type == TX_JOINT_BALL) {
        def->actuatorfrclimited = TX_SWITCH_OFF;
        def->actuatorfrcrange[0] = def->actuatorfrcrange[1] = 0;
    }
    tx_mjcf_limits(m, element, "range", "limited", def->range, &def->limited);
    tx_mjcf_limits(m, element, "actuatorfrcrange", "actuatorfrclimited", def->actuatorfrcrange,
                   &def->actuatorfrclimited);
    // angles are degrees unless the compiler says radian; a range that does not count is kept as it is written
    bool turns = def->type == TX_JOINT_HINGE || def->type == TX_JOINT_BALL;
    if (!m->part->radian && turns) def->springyield *= PI / 180;
    if (!m->part->radian && turns && def->limited != TX_SWITCH_OFF)
        for (int i = 0; i < 2; i++) def->range[i] *= PI / 180;
    def->source = tx_mjcf_source(element);
    remember(m, def);
    place_in_keys(m, element, scope, def, axis);
    tx_mjcf_check_index(m, tx_builder_joint(m->builder, scope->body->index, def));
}

typedef struct freejoint {
    const char *name;
    int align;
} freejoint;
static const tx_mjcf_attr freejoint_attrs[] = {
    {"name", TX_MJCF_STRING(freejoint, name)},
    {"group", TX_MJCF_IGNORE},
    {"align", TX_MJCF_WORD(freejoint, align, tx_mjcf_switch)},
    {0},
};

// a free joint without the defaults of joints
void tx_mjcf_freejoint_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    if (refuse_in_world(m, element, scope)) return;
    tx_joint_def def = tx_default_joint_def();
    freejoint joint = {.align = TX_SWITCH_AUTO};
    tx_mjcf_read(m, element, freejoint_attrs, &joint);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    def.name = joint.name;
    def.align = joint.align == TX_SWITCH_ON || (joint.align == TX_SWITCH_AUTO && m->part->alignfree);
    def.type = TX_JOINT_FREE;
    def.limited = TX_SWITCH_OFF;
    def.source = tx_mjcf_source(element);
    tx_mjcf_note_scale(m, TX_OBJECT_JOINT, def.name, scope->scale);
    place_in_keys(m, element, scope, &def, def.axis);
    tx_mjcf_check_index(m, tx_builder_joint(m->builder, scope->body->index, &def));
}
