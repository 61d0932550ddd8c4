// urdf.c - a whole URDF document into a builder, with MuJoCo's conventions: roots are fixed to the world, fixed links
// are fused, visual geoms are left out unless <mujoco><compiler/></mujoco> says otherwise.
#include "load/urdf.h"

#include <string.h>

#include "base/diag.h"
#include "geometry/quat.h"

void *tx_urdf_take(tx_urdf *u, size_t size) {
    void *memory = tx_stash_take(u->m.stash, size);
    if (!memory) u->m.out_of_memory = true;
    return memory;
}

void tx_urdf_skip(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_pass_over(m, element);
}

// ---- origin --------------------------------------------------------------------------------------------------------

typedef struct origin {
    double xyz[3], rpy[3], quat[4];
    int rpy_given, quat_given;
} origin;

static const tx_mjcf_attr origin_attrs[] = {
    {"xyz", TX_MJCF_REALS(origin, xyz, 3, 3)},
    {"rpy", TX_MJCF_REALS(origin, rpy, 3, 3), TX_MJCF_GIVEN(origin, rpy_given)},
    {"quat_xyzw", TX_MJCF_REALS(origin, quat, 4, 4), TX_MJCF_GIVEN(origin, quat_given)},
    {0},
};

void tx_urdf_origin(tx_mjcf *m, tx_xml_element *element, tx_urdf_pose *pose) {
    origin o = {0};
    tx_mjcf_read(m, element, origin_attrs, &o);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (o.rpy_given && o.quat_given)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "quat_xyzw"), "keep one of them",
                        "<origin> has both 'rpy' and 'quat_xyzw'");
    // roll, pitch and yaw turn about the fixed axes x, y, z: eulerseq says so
    tx_mjcf_orientation orientation = {.form = o.quat_given ? TX_MJCF_QUAT : TX_MJCF_EULER,
                                       .quat = {o.quat[3], o.quat[0], o.quat[1], o.quat[2]},
                                       .euler = {o.rpy[0], o.rpy[1], o.rpy[2]}};
    memcpy(pose->pos, o.xyz, sizeof o.xyz);
    tx_mjcf_quaternion(m, element, &orientation, pose->quat);
    tx_quat_normalize(pose->quat);
}

// ---- materials -----------------------------------------------------------------------------------------------------

static const tx_mjcf_attr material_attrs[] = {{"name", TX_MJCF_STRING(tx_urdf_material, name)}, {0}};
static const tx_mjcf_attr color_attrs[] = {
    {"rgba", .kind = TX_MJCF_FLOAT, TX_MJCF_AT(tx_urdf_material, rgba), .min = 4, .max = 4,
     TX_MJCF_GIVEN(tx_urdf_material, rgba_given)},
    {0},
};

static void read_color(tx_mjcf *m, tx_xml_element *element, void *material) {
    tx_mjcf_read(m, element, color_attrs, material);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static const tx_mjcf_child material_children[] = {
    {"color", .read = read_color, .once = true}, {"texture", .read = tx_urdf_skip}, {0}};

const tx_urdf_material *tx_urdf_read_material(tx_urdf *u, tx_xml_element *element) {
    tx_urdf_material *material = element->extra;
    if (material) return material;
    material = element->extra = tx_urdf_take(u, sizeof *material);
    if (!material) return NULL;
    tx_mjcf_read(&u->m, element, material_attrs, material);
    tx_mjcf_children(&u->m, element, material_children, 0, material);
    // a material without content refers to another
    bool defines = material->rgba_given || element->first;
    if (material->name && defines && !tx_names_add(&u->materials, u->m.stash, material->name, material))
        u->m.out_of_memory = true;
    return material;
}

static void read_material(tx_mjcf *m, tx_xml_element *element, void *urdf) {
    (void)m;
    tx_urdf_read_material(urdf, element);
}

// a material may be used before the visual that defines it
static void read_nested_materials(tx_mjcf *m, tx_xml_element *link, void *urdf) {
    (void)m;
    for (tx_xml_element *visual = link->first; visual; visual = visual->next) {
        if (strcmp(visual->name, "visual") != 0) continue;
        for (tx_xml_element *child = visual->first; child; child = child->next)
            if (strcmp(child->name, "material") == 0) tx_urdf_read_material(urdf, child);
    }
}

// ---- MuJoCo's own part ---------------------------------------------------------------------------------------------

static const tx_mjcf_child mujoco_sections[] = {
    {"compiler", .read = tx_mjcf_compiler}, {"option", .read = tx_mjcf_option}, {"size", .read = tx_mjcf_size}, {0}};

// strict as MJCF is, apart from sections that MuJoCo does not read here either
static void read_mujoco(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    for (tx_xml_element *child = element->first; child; child = child->next) {
        const tx_mjcf_child *row = mujoco_sections;
        while (row->name && strcmp(row->name, child->name) != 0) row++;
        if (row->name) {
            m->lenient = false;
            row->read(m, child, context);
            m->lenient = true;
        } else {
            tx_mjcf_problem(m, TX_SEVERITY_WARNING, child, NULL, "<compiler>, <option> and <size> are",
                            "<%.60s> is not read in the <mujoco> of a URDF", child->name);
        }
    }
}

// ---- robot ---------------------------------------------------------------------------------------------------------

typedef struct robot {
    const char *name;
} robot;

static const tx_mjcf_attr robot_attrs[] = {{"name", TX_MJCF_STRING(robot, name)}, {"version", TX_MJCF_IGNORE}, {0}};

// what belongs to other programs is skipped
enum { PHASE_MATERIALS = 1, PHASE_LINKS, PHASE_JOINTS, PHASES };
static const tx_mjcf_child robot_children[] = {
    {"mujoco", .phase = 0, .read = read_mujoco, .once = true},
    {"material", .phase = PHASE_MATERIALS, .read = read_material},
    {"link", .phase = PHASE_MATERIALS, .read = read_nested_materials},
    {"link", .phase = PHASE_LINKS, .read = tx_urdf_link_element},
    {"joint", .phase = PHASE_JOINTS, .read = tx_urdf_joint_element},
    {"transmission", .read = tx_urdf_skip},
    {"gazebo", .read = tx_urdf_skip},
    {"ros2_control", .read = tx_urdf_skip},
    {"sensor", .read = tx_urdf_skip},
    {"plugin", .read = tx_urdf_skip},
    {0},
};

// false when the file still has to be expanded
static bool check_xacro(tx_mjcf *m, tx_xml_element *root) {
    for (tx_xml_element *child = root->first; child; child = child->next) {
        if (strncmp(child->name, "xacro:", 6) != 0) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, child, NULL, "expand it first: xacro FILE > robot.urdf",
                        "<%.60s>: this is a xacro file, not yet a URDF", child->name);
        return false;
    }
    return true;
}

// ---- the tree of bodies --------------------------------------------------------------------------------------------

// a link's body; a root called world is the world itself
static void add_body(tx_urdf *u, tx_urdf_link *link) {
    const tx_urdf_joint *joint = link->joint;
    tx_body_def def = link->def;
    bool world = !joint && def.name && strcmp(def.name, "world") == 0;
    if (joint) {
        memcpy(def.pos, joint->pos, sizeof def.pos);
        memcpy(def.quat, joint->quat, sizeof def.quat);
    }
    def.source = tx_mjcf_source(link->element);
    link->body = world ? 0 : tx_builder_body(u->m.builder, joint && joint->parent ? joint->parent->body : 0, &def);
    link->placed = true;
    tx_mjcf_check_index(&u->m, link->body);
    if (link->body < 0) return;
    if (joint && !world) tx_urdf_add_joints(u, link);
    tx_urdf_add_geoms(u, link);
}

// roots in the order of the file, then their children by generation: the compiler makes it depth first, with children
// in the order of their joints. No recursion: a chain may be as long as the file
static void add_bodies(tx_urdf *u) {
    tx_urdf_link *first = NULL, *last = NULL;
    for (tx_urdf_link *link = u->first_link; link; link = link->next) {
        if (link->joint) continue;
        *(last ? &last->waiting : &first) = link;
        last = link;
    }
    for (; first && !u->m.out_of_memory; first = first->waiting) {
        add_body(u, first);
        for (tx_urdf_joint *joint = first->first; joint; joint = joint->sibling) {
            last->waiting = joint->child;
            last = joint->child;
        }
    }
    // what hangs in a circle was reported; its geoms may have problems too
    for (tx_urdf_link *link = u->first_link; link && !u->m.out_of_memory; link = link->next)
        if (!link->placed) tx_urdf_add_geoms(u, link);
}

static void report_roots(tx_urdf *u) {
    const tx_urdf_link *root = NULL;
    for (tx_urdf_link *link = u->first_link; link; link = link->next) {
        if (link->joint) continue;
        if (root && !u->m.incomplete)
            tx_mjcf_problem(&u->m, TX_SEVERITY_WARNING, link->element, NULL, "a joint should have it as child",
                            "link '%.60s' hangs on no joint, nor does '%.60s': both are fixed to the world",
                            link->def.name, root->def.name);
        if (!root) root = link;
    }
}

tx_mjcf_outcome tx_urdf_parse(tx_stash *stash, tx_xml_element *root, const char *folder, const tx_load_options *options,
                              tx_builder *builder, tx_diag *diag, tx_mjcf_survey *survey) {
    int errors = diag->errors;
    tx_urdf u = {.options = options};
    tx_mjcf *m = &u.m;
    tx_mjcf_start(m, stash, root, folder, builder, diag);
    m->survey = survey;
    m->lenient = true;
    m->strict = options && options->strict;
    m->part->compiler.fusestatic = true;
    m->part->compiler.discardvisual = !(options && options->visuals);
    m->part->compiler.inertiafromgeom = options && options->collision_mass ? TX_SWITCH_AUTO : TX_SWITCH_OFF;

    robot r = {"MuJoCo Model"};
    tx_mjcf_read(m, root, robot_attrs, &r);
    if (check_xacro(m, root)) {
        for (int phase = 0; phase < PHASES; phase++) {
            tx_mjcf_children(m, root, robot_children, phase, &u);
            // angles of a URDF are radians, whatever the compiler says
            m->part->radian = 1;
            m->part->eulerseq = "XYZ";
        }
        tx_urdf_connect(&u);
        report_roots(&u);
        tx_urdf_mend_masses(&u);
        add_bodies(&u);
        tx_urdf_add_mimics(&u);
        tx_urdf_report_velocities(&u);
    } else {
        m->incomplete = true;
    }
    if (tx_builder_name(builder, r.name) != TX_OK) m->out_of_memory = true;
    return tx_mjcf_finish(m, root, errors);
}
