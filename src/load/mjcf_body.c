// mjcf_body.c - <worldbody>, <body>, <inertial>, <joint>, <freejoint>, <geom>: the tree of bodies.
#include <string.h>

#include "load/mjcf.h"

#define PI 3.14159265358979323846

// what the readers of a body's children know
typedef struct body {
    int index; // in the builder; 0 is the world
    const tx_mjcf_class *childclass;
    tx_body_def def;
    tx_mjcf_orientation orientation;
} body;

static const tx_mjcf_orientation upright = {.form = TX_MJCF_QUAT, .quat = {1, 0, 0, 0}};

void tx_mjcf_limits(tx_mjcf *m, tx_xml_element *element, const char *range, const char *limited, const double values[2],
                    tx_switch *value) {
    if (m->autolimits || *value != TX_AUTO) return;
    *value = TX_OFF;
    if (values[0] == 0 && values[1] == 0) return;
    tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, range),
                    "with autolimits=\"false\" say whether it counts", "<%s> has '%s' but not '%s'", element->name,
                    range, limited);
}

// ---- inertial ----------------------------------------------------------------------------------------------------

typedef struct inertial {
    double mass, pos[3], diaginertia[3], fullinertia[6];
    int diaginertia_given, fullinertia_given;
    tx_mjcf_orientation orientation;
} inertial;

static const tx_mjcf_attr inertial_attrs[] = {
    {"pos", TX_MJCF_REALS(inertial, pos, 3, 3), .flags = TX_MJCF_REQUIRED},
    {"mass", TX_MJCF_REALS(inertial, mass, 1, 1), .flags = TX_MJCF_REQUIRED},
    {"diaginertia", TX_MJCF_REALS(inertial, diaginertia, 3, 3), TX_MJCF_GIVEN(inertial, diaginertia_given)},
    {"fullinertia", TX_MJCF_REALS(inertial, fullinertia, 6, 6), TX_MJCF_GIVEN(inertial, fullinertia_given)},
    TX_MJCF_ORIENTATION_ATTRS(inertial, orientation),
    {0},
};

static const char *const orientation_names[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

static void read_inertial(tx_mjcf *m, tx_xml_element *element, void *context) {
    body *b = context;
    if (b->index == 0) {
        tx_mjcf_problem(m, TX_ERROR, element, NULL, "put it in a <body>", "the world cannot have <inertial>");
        return;
    }
    inertial in = {.orientation = upright};
    tx_mjcf_read(m, element, inertial_attrs, &in);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    tx_mjcf_choose_orientation(m, element, &in.orientation);
    if (in.fullinertia_given && in.diaginertia_given) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "diaginertia"), "keep one of them",
                        "<inertial> has both 'fullinertia' and 'diaginertia'");
    }
    for (int i = 0; in.fullinertia_given && i < 5; i++) {
        const tx_xml_attribute *attribute = tx_xml_find(element, orientation_names[i]);
        if (!attribute) continue;
        tx_mjcf_problem(m, TX_ERROR, element, attribute, "fullinertia is about the body's axes",
                        "<inertial> has both 'fullinertia' and '%s'", attribute->name);
    }
    b->def.has_inertial = true;
    b->def.mass = in.mass;
    b->def.has_fullinertia = in.fullinertia_given > 0;
    memcpy(b->def.ipos, in.pos, sizeof in.pos);
    memcpy(b->def.inertia, in.diaginertia, sizeof in.diaginertia);
    memcpy(b->def.fullinertia, in.fullinertia, sizeof in.fullinertia);
    tx_mjcf_quaternion(m, element, &in.orientation, b->def.iquat);
}

// ---- joint -------------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword joint_types[] = {{"free", .value = TX_FREE},
                                              {"ball", .value = TX_BALL},
                                              {"slide", .value = TX_SLIDE},
                                              {"hinge", .value = TX_HINGE},
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
    {"stiffness", TX_MJCF_REALS(tx_mjcf_joint, def.stiffness, 1, 1), .later = 3},
    {"damping", TX_MJCF_REALS(tx_mjcf_joint, def.damping, 1, 1), .later = 3},
    {"armature", TX_MJCF_REALS(tx_mjcf_joint, def.armature, 1, 1)},
    {"margin", TX_MJCF_REALS(tx_mjcf_joint, def.margin, 1, 1)},
    {"solreflimit", TX_MJCF_REALS(tx_mjcf_joint, def.solref, 1, 2)},
    {"solimplimit", TX_MJCF_REALS(tx_mjcf_joint, def.solimp, 1, 5)},
    {"frictionloss", TX_MJCF_ONLY("0"), .hint = "dry friction in joints comes later"},
    {"springdamper", TX_MJCF_ONLY("0"), .hint = "give stiffness and damping"},
    {"actuatorfrcrange", TX_MJCF_ONLY("0")},
    {"actuatorfrclimited", TX_MJCF_ONLY("false auto")},
    {"actuatorgravcomp", TX_MJCF_ONLY("false")},
    {"solreffriction", TX_MJCF_IGNORE},
    {"solimpfriction", TX_MJCF_IGNORE},
    {"group", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

static bool refuse_in_world(tx_mjcf *m, tx_xml_element *element, const body *b) {
    if (b->index != 0) return false;
    tx_mjcf_problem(m, TX_ERROR, element, NULL, "put it in a <body>", "the world cannot have joints");
    m->incomplete = true;
    return true;
}

static void read_joint(tx_mjcf *m, tx_xml_element *element, void *context) {
    const body *b = context;
    if (refuse_in_world(m, element, b)) return;
    tx_mjcf_joint joint = tx_mjcf_class_of(m, element, "class", b->childclass)->joint;
    tx_joint_def *def = &joint.def;
    tx_mjcf_read(m, element, tx_mjcf_joint_attrs, &joint);
    tx_mjcf_children(m, element, NULL, 0, NULL);

    // angles are degrees unless the compiler says radian
    if (!m->radian && (def->type == TX_HINGE || def->type == TX_BALL)) {
        for (int i = 0; i < 2; i++) def->range[i] *= PI / 180;
    }
    if (!m->radian && def->type == TX_HINGE) {
        def->ref *= PI / 180;
        def->springref *= PI / 180;
    }
    // a free joint has no limits, whatever its class says
    if (def->type == TX_FREE) {
        def->limited = TX_OFF;
        def->range[0] = def->range[1] = 0;
    }
    tx_mjcf_limits(m, element, "range", "limited", def->range, &def->limited);
    def->source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_joint(m->builder, b->index, def));
}

static const tx_mjcf_attr freejoint_attrs[] = {
    {"name", TX_MJCF_STRING(tx_joint_def, name)},
    {"group", TX_MJCF_IGNORE},
    {"align", TX_MJCF_ONLY("false auto")},
    {0},
};

// a free joint without the defaults of joints
static void read_freejoint(tx_mjcf *m, tx_xml_element *element, void *context) {
    const body *b = context;
    if (refuse_in_world(m, element, b)) return;
    tx_joint_def def = tx_default_joint_def();
    tx_mjcf_read(m, element, freejoint_attrs, &def);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    def.type = TX_FREE;
    def.limited = TX_OFF;
    def.source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_joint(m->builder, b->index, &def));
}

// ---- geom --------------------------------------------------------------------------------------------------------

#define HINT_SHAPES "plane, sphere, capsule and box are"
static const tx_mjcf_keyword geom_types[] = {
    {"plane", .value = TX_PLANE},
    {"sphere", .value = TX_SPHERE},
    {"capsule", .value = TX_CAPSULE},
    {"box", .value = TX_BOX},
    {"hfield", .value = TX_HFIELD, .waiting = true, .hint = HINT_SHAPES},
    {"ellipsoid", .value = TX_ELLIPSOID, .waiting = true, .hint = HINT_SHAPES},
    {"cylinder", .value = TX_CYLINDER, .waiting = true, .hint = HINT_SHAPES},
    {"mesh", .value = TX_MESH, .waiting = true, .hint = HINT_SHAPES},
    {"sdf", .value = TX_GEOM_TYPES, .waiting = true, .hint = HINT_SHAPES},
    {0},
};

const tx_mjcf_attr tx_mjcf_geom_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_geom, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"type", TX_MJCF_WORD(tx_mjcf_geom, def.type, geom_types)},
    {"size", TX_MJCF_REALS(tx_mjcf_geom, def.size, 1, 3), TX_MJCF_GIVEN(tx_mjcf_geom, size_given)},
    {"fromto", TX_MJCF_REALS(tx_mjcf_geom, def.fromto, 6, 6), TX_MJCF_GIVEN(tx_mjcf_geom, fromto_given)},
    {"pos", TX_MJCF_REALS(tx_mjcf_geom, def.pos, 3, 3), TX_MJCF_GIVEN(tx_mjcf_geom, pos_given)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_geom, orientation),
    {"density", TX_MJCF_REALS(tx_mjcf_geom, def.density, 1, 1)},
    {"mass", TX_MJCF_REALS(tx_mjcf_geom, def.mass, 1, 1), TX_MJCF_GIVEN(tx_mjcf_geom, mass_given)},
    {"friction", TX_MJCF_REALS(tx_mjcf_geom, def.friction, 1, 3)},
    {"condim", TX_MJCF_INTS(tx_mjcf_geom, def.condim, 1, 1)},
    {"contype", TX_MJCF_INTS(tx_mjcf_geom, def.contype, 1, 1)},
    {"conaffinity", TX_MJCF_INTS(tx_mjcf_geom, def.conaffinity, 1, 1)},
    {"priority", TX_MJCF_INTS(tx_mjcf_geom, def.priority, 1, 1)},
    {"group", TX_MJCF_INTS(tx_mjcf_geom, def.group, 1, 1)},
    {"margin", TX_MJCF_REALS(tx_mjcf_geom, def.margin, 1, 1)},
    {"gap", TX_MJCF_REALS(tx_mjcf_geom, def.gap, 1, 1)},
    {"solmix", TX_MJCF_REALS(tx_mjcf_geom, def.solmix, 1, 1)},
    {"solref", TX_MJCF_REALS(tx_mjcf_geom, def.solref, 1, 2)},
    {"solimp", TX_MJCF_REALS(tx_mjcf_geom, def.solimp, 1, 5)},
    {"rgba", .kind = TX_MJCF_FLOAT, TX_MJCF_AT(tx_mjcf_geom, def.rgba), .min = 4, .max = 4},
    {"material", TX_MJCF_STRING(tx_mjcf_geom, material)},
    {"fluidshape", TX_MJCF_ONLY("none"), .hint = "fluid forces come later"},
    {"shellinertia", TX_MJCF_ONLY("false")},
    {"adhesion", TX_MJCF_ONLY("0")},
    {"surfacevel", TX_MJCF_ONLY("0")},
    {"fluidcoef", TX_MJCF_IGNORE},
    {"fitscale", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

// the material's colour shows where the geom's own is the default (MuJoCo's rule)
static void apply_material(tx_mjcf *m, tx_xml_element *element, tx_mjcf_geom *geom) {
    if (!geom->material) return;
    const tx_mjcf_material *material = tx_names_find(&m->materials, geom->material);
    if (!material) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "material"), "define it in <asset>",
                        "there is no material '%.60s'", geom->material);
        return;
    }
    tx_geom_def plain = tx_default_geom_def();
    if (memcmp(geom->def.rgba, plain.rgba, sizeof plain.rgba) == 0) {
        memcpy(geom->def.rgba, material->rgba, sizeof plain.rgba);
    }
}

static bool is_waiting(tx_geom_type type) {
    for (const tx_mjcf_keyword *k = geom_types; k->name; k++) {
        if (k->value == (int)type) return k->waiting;
    }
    return true;
}

static void read_geom(tx_mjcf *m, tx_xml_element *element, void *context) {
    const body *b = context;
    tx_mjcf_geom geom = tx_mjcf_class_of(m, element, "class", b->childclass)->geom;
    tx_geom_def *def = &geom.def;
    tx_mjcf_read(m, element, tx_mjcf_geom_attrs, &geom);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    tx_mjcf_choose_orientation(m, element, &geom.orientation);
    apply_material(m, element, &geom);
    if (is_waiting(def->type)) {
        m->incomplete = true; // the type was reported where it stands
        return;
    }

    if (geom.mass_given && def->mass < 0) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "mass"), "", "mass of <geom> is negative");
    }
    if (geom.fromto_given && geom.pos_given) {
        tx_mjcf_problem(m, TX_ERROR, element, tx_xml_find(element, "pos"), "fromto gives the position too",
                        "<geom> has both 'fromto' and 'pos'");
    }
    def->has_fromto = geom.fromto_given > 0;
    def->sizes_given = geom.size_given;
    tx_mjcf_quaternion(m, element, &geom.orientation, def->quat);
    def->source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_geom(m->builder, b->index, def));
}

// ---- body --------------------------------------------------------------------------------------------------------

static const tx_mjcf_attr body_attrs[] = {
    {"name", TX_MJCF_STRING(body, def.name)},
    {"childclass", TX_MJCF_IGNORE},
    {"pos", TX_MJCF_REALS(body, def.pos, 3, 3)},
    TX_MJCF_ORIENTATION_ATTRS(body, orientation),
    {"mocap", TX_MJCF_ONLY("false")},
    {"gravcomp", TX_MJCF_ONLY("0")},
    {"sleep", TX_MJCF_IGNORE},
    {"simple", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

enum { PHASE_INERTIAL, PHASE_OWN, PHASE_BODIES };

static void read_body(tx_mjcf *m, tx_xml_element *element, void *context);

static const tx_mjcf_child body_children[] = {
    {"inertial", .phase = PHASE_INERTIAL, .read = read_inertial, .once = true},
    {"joint", .phase = PHASE_OWN, .read = read_joint},
    {"freejoint", .phase = PHASE_OWN, .read = read_freejoint},
    {"geom", .phase = PHASE_OWN, .read = read_geom},
    // nothing refers to these yet
    {"site", .phase = PHASE_OWN, .read = tx_mjcf_accept},
    {"camera", .phase = PHASE_OWN, .read = tx_mjcf_accept},
    {"light", .phase = PHASE_OWN, .read = tx_mjcf_accept},
    {"body", .phase = PHASE_BODIES, .read = read_body},
    {0},
};

static void read_body(tx_mjcf *m, tx_xml_element *element, void *context) {
    const body *parent = context;
    body b = {.index = -1, .def = tx_default_body_def(), .orientation = upright};
    tx_mjcf_read(m, element, body_attrs, &b);
    tx_mjcf_choose_orientation(m, element, &b.orientation);
    tx_mjcf_quaternion(m, element, &b.orientation, b.def.quat);
    b.childclass = tx_mjcf_class_of(m, element, "childclass", parent->childclass);

    tx_mjcf_children(m, element, body_children, PHASE_INERTIAL, &b);
    // inertiafromgeom="true": geoms, where there are any, win over <inertial>
    for (const tx_xml_element *child = element->first; child && m->inertia_from_geom == TX_ON; child = child->next) {
        if (strcmp(child->name, "geom") == 0) b.def.has_inertial = false;
    }
    b.def.source = tx_mjcf_source(element);
    b.index = tx_builder_body(m->builder, parent->index, &b.def);
    tx_mjcf_check_index(m, b.index);
    if (b.index < 0) return;

    tx_mjcf_children(m, element, body_children, PHASE_OWN, &b);
    tx_mjcf_children(m, element, body_children, PHASE_BODIES, &b);
}

void tx_mjcf_world_content(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    body world = {.childclass = m->main_class};
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, body_children, PHASE_INERTIAL, &world);
    tx_mjcf_children(m, element, body_children, PHASE_OWN, &world);
}

void tx_mjcf_world_bodies(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    body world = {.childclass = m->main_class};
    tx_mjcf_children(m, element, body_children, PHASE_BODIES, &world);
}
