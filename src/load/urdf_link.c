// urdf_link.c - <link>: its inertia, and the geoms of its collision and visual elements.
#include <string.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "load/urdf.h"

// ---- inertial ----------------------------------------------------------------------------------------------------

typedef struct inertial {
    tx_urdf_pose pose;
    double mass, ixx, iyy, izz, ixy, ixz, iyz;
    bool has_mass, has_inertia;
} inertial;

#define MOMENT(name) \
    { #name, TX_MJCF_REALS(inertial, name, 1, 1), .flags = TX_MJCF_REQUIRED }
static const tx_mjcf_attr mass_attrs[] = {{"value", TX_MJCF_REALS(inertial, mass, 1, 1), .flags = TX_MJCF_REQUIRED},
                                          {0}};
static const tx_mjcf_attr inertia_attrs[] = {MOMENT(ixx), MOMENT(iyy), MOMENT(izz), MOMENT(ixy),
                                             MOMENT(ixz), MOMENT(iyz), {0}};

static void read_inertial_origin(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_urdf_origin(m, element, &((inertial *)context)->pose);
}

static void read_mass(tx_mjcf *m, tx_xml_element *element, void *context) {
    inertial *in = context;
    in->has_mass = true;
    tx_mjcf_read(m, element, mass_attrs, in);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (in->mass < 0)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "value"), "", "the mass is negative");
}

static void read_inertia(tx_mjcf *m, tx_xml_element *element, void *context) {
    inertial *in = context;
    in->has_inertia = true;
    tx_mjcf_read(m, element, inertia_attrs, in);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static const tx_mjcf_child inertial_children[] = {{"origin", .read = read_inertial_origin, .once = true},
                                                  {"mass", .read = read_mass, .once = true},
                                                  {"inertia", .read = read_inertia, .once = true},
                                                  {0}};

// from the axes of <origin> to those of the link: R I Rᵀ. MuJoCo 3.12 forgets R, later versions do not (its issue 3559)
static void turn_tensor(const inertial *in, double tensor[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double I[9] = {in->ixx, in->ixy, in->ixz, in->ixy, in->iyy, in->iyz, in->ixz, in->iyz, in->izz};
    double R[9], product[9];
    tx_quat_to_mat(in->pose.quat, R);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) product[3 * r + c] = v3_dot(R + 3 * r, I + 3 * c);
    for (int k = 0; k < 6; k++) tensor[k] = v3_dot(product + 3 * row[k], R + 3 * column[k]);
}

static void read_inertial(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_body_def *def = &((tx_urdf_link *)context)->def;
    inertial in = {.pose = TX_URDF_UPRIGHT};
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, inertial_children, 0, &in);
    if (!in.has_mass) tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<inertial> needs <mass>");
    if (!in.has_inertia) tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<inertial> needs <inertia>");
    def->has_inertial = true;
    def->mass = in.mass;
    memcpy(def->ipos, in.pose.pos, sizeof def->ipos);
    turn_tensor(&in, def->fullinertia);
    // no inertia at all is allowed where nothing moves, and for links that are fused with others
    for (int i = 0; i < 6; i++) def->has_fullinertia = def->has_fullinertia || def->fullinertia[i] != 0;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

// what is being read: a <visual> or a <collision> of a link
typedef struct shape {
    tx_urdf *u;
    tx_urdf_link *link;
    bool visual, skipped; // skipped: checked, but left out
    tx_urdf_pose pose;
    double size[3], radius, length, scale[3];
    const char *name, *file;
    tx_geom_type type;
    int count;               // of shapes in <geometry>
    bool geometry, bad;      // it was there; it had an error
    tx_xml_element *mesh;    // the element that names the file
    const float *rgba;       // of its material
    const float **link_rgba; // of the last visual: later geoms of the link have it too, as in MuJoCo
} shape;

static const tx_mjcf_attr box_attrs[] = {{"size", TX_MJCF_REALS(shape, size, 3, 3), .flags = TX_MJCF_REQUIRED}, {0}};
static const tx_mjcf_attr sphere_attrs[] = {{"radius", TX_MJCF_REALS(shape, radius, 1, 1), .flags = TX_MJCF_REQUIRED},
                                            {0}};
static const tx_mjcf_attr round_attrs[] = {
    {"radius", TX_MJCF_REALS(shape, radius, 1, 1), .flags = TX_MJCF_REQUIRED},
    {"length", TX_MJCF_REALS(shape, length, 1, 1), .flags = TX_MJCF_REQUIRED},
    {0},
};
static const tx_mjcf_attr mesh_attrs[] = {
    {"filename", TX_MJCF_STRING(shape, file), .flags = TX_MJCF_REQUIRED},
    {"scale", TX_MJCF_REALS(shape, scale, 3, 3)},
    {0},
};

static void read_shape(tx_mjcf *m, tx_xml_element *element, shape *s, tx_geom_type type, const tx_mjcf_attr *attrs) {
    s->count++;
    s->type = type;
    if (!tx_mjcf_read(m, element, attrs, s)) s->bad = true;
    tx_mjcf_children(m, element, NULL, 0, NULL);
}

static void read_box(tx_mjcf *m, tx_xml_element *element, void *s) {
    read_shape(m, element, s, TX_GEOM_BOX, box_attrs);
}
static void read_sphere(tx_mjcf *m, tx_xml_element *element, void *s) {
    read_shape(m, element, s, TX_GEOM_SPHERE, sphere_attrs);
}
static void read_cylinder(tx_mjcf *m, tx_xml_element *element, void *s) {
    read_shape(m, element, s, TX_GEOM_CYLINDER, round_attrs);
}
static void read_capsule(tx_mjcf *m, tx_xml_element *element, void *s) {
    read_shape(m, element, s, TX_GEOM_CAPSULE, round_attrs);
}
static void read_mesh(tx_mjcf *m, tx_xml_element *element, void *s) {
    ((shape *)s)->mesh = element;
    read_shape(m, element, s, TX_GEOM_MESH, mesh_attrs);
}

static const tx_mjcf_child geometry_children[] = {{"box", .read = read_box},       {"cylinder", .read = read_cylinder},
                                                  {"sphere", .read = read_sphere}, {"capsule", .read = read_capsule},
                                                  {"mesh", .read = read_mesh},     {0}};

static void read_geometry(tx_mjcf *m, tx_xml_element *element, void *context) {
    shape *s = context;
    s->geometry = true;
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, geometry_children, 0, s);
    if (s->count == 1) return;
    s->bad = true;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "box, cylinder, sphere, capsule or mesh",
                    s->count ? "<geometry> holds %d shapes, not one" : "<geometry> holds no shape", s->count);
}

static void read_shape_origin(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_urdf_origin(m, element, &((shape *)context)->pose);
}

// a colour of its own, or that of the material with its name
static void read_shape_material(tx_mjcf *m, tx_xml_element *element, void *context) {
    shape *s = context;
    const tx_urdf_material *material = tx_urdf_read_material(s->u, element);
    if (!material || !s->visual) return;
    if (!material->rgba_given && material->name && !element->first) {
        const char *name = material->name;
        material = tx_names_find(&s->u->materials, name);
        if (!material && name[0])
            tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, "name"), "define it with a <color>",
                            "there is no material '%.60s'", name);
    }
    if (material && material->rgba_given) *s->link_rgba = material->rgba;
}

// ---- geoms ---------------------------------------------------------------------------------------------------------

// of two geoms with one name the second has none (MuJoCo)
static const char *own_name(shape *s, tx_xml_element *element) {
    tx_urdf *u = s->u;
    if (!s->name || !s->name[0] || s->skipped) return NULL;
    if (tx_names_find(&u->geoms, s->name)) {
        tx_mjcf_problem(&u->m, TX_SEVERITY_WARNING, element, tx_xml_find(element, "name"), "this one has no name then",
                        "there are two geoms '%.60s'", s->name);
        return NULL;
    }
    if (!tx_names_add(&u->geoms, u->m.stash, s->name, element)) u->m.out_of_memory = true;
    return s->name;
}

static void set_size(tx_geom_def *def, const shape *s) {
    if (s->type == TX_GEOM_BOX) {
        for (int k = 0; k < 3; k++) def->size[k] = s->size[k] / 2;
    } else {
        def->size[0] = s->radius;
        def->size[1] = s->length / 2;
    }
}

static void add_geom(shape *s, tx_xml_element *element) {
    tx_urdf *u = s->u;
    tx_geom_def def = tx_default_geom_def();
    def.name = own_name(s, element);
    def.type = s->type;
    if (s->type == TX_GEOM_MESH && !(def.mesh = tx_urdf_mesh(u, s->mesh, s->file, s->scale))) return;
    if (s->type != TX_GEOM_MESH) set_size(&def, s);
    // what is only seen neither collides nor weighs
    if (s->visual) {
        def.contype = def.conaffinity = 0;
        def.group = 1;
        def.density = 0;
    }
    memcpy(def.pos, s->pose.pos, sizeof def.pos);
    memcpy(def.quat, s->pose.quat, sizeof def.quat);
    if (*s->link_rgba) memcpy(def.rgba, *s->link_rgba, sizeof def.rgba);
    def.fitaabb = u->m.part->fitaabb;
    def.source = tx_mjcf_source(element);
    tx_mjcf_check_index(&u->m, tx_builder_geom(u->m.builder, s->link->body, &def));
}

static const tx_mjcf_attr shape_attrs[] = {
    {"name", TX_MJCF_STRING(shape, name)}, {"group", TX_MJCF_IGNORE}, {"concave", TX_MJCF_IGNORE}, {0}};

static const tx_mjcf_child shape_children[] = {
    {"origin", .read = read_shape_origin, .once = true},     {"geometry", .read = read_geometry, .once = true},
    {"material", .read = read_shape_material, .once = true}, {"verbose", .read = tx_urdf_skip},
    {"contact_coefficients", .read = tx_urdf_skip},          {0}};

// the geoms of a link, in the order of the file
typedef struct content {
    tx_urdf *u;
    tx_urdf_link *link;
    const float *rgba;
} content;

static void read_element(tx_xml_element *element, content *c, bool visual) {
    tx_mjcf *m = &c->u->m;
    bool skipped = visual && m->part->compiler.discardvisual;
    shape s = {.u = c->u, .link = c->link, .visual = visual, .skipped = skipped, .pose = TX_URDF_UPRIGHT};
    for (int k = 0; k < 3; k++) s.scale[k] = 1;
    s.link_rgba = &c->rgba;
    tx_mjcf_read(m, element, shape_attrs, &s);
    tx_mjcf_children(m, element, shape_children, 0, &s);
    if (!s.geometry) tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<%s> needs <geometry>", element->name);
    if (!s.geometry || s.bad) m->incomplete = true;
    else if (!s.skipped && c->link->placed) add_geom(&s, element);
}

static void read_visual(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)m;
    read_element(element, context, true);
}
static void read_collision(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)m;
    read_element(element, context, false);
}

// ---- link ----------------------------------------------------------------------------------------------------------

enum { PHASE_OWN, PHASE_GEOMS };
static const tx_mjcf_child link_children[] = {
    {"inertial", .phase = PHASE_OWN, .read = read_inertial, .once = true},
    {"visual", .phase = PHASE_GEOMS, .read = read_visual},
    {"collision", .phase = PHASE_GEOMS, .read = read_collision},
    // other programs' contact parameters and sensors
    {"contact", .read = tx_urdf_skip},
    {"sensor", .read = tx_urdf_skip},
    {"self_collision_checking", .read = tx_urdf_skip},
    {"gazebo", .read = tx_urdf_skip},
    {0},
};

static const tx_mjcf_attr link_attrs[] = {
    {"name", TX_MJCF_STRING(tx_urdf_link, def.name), .flags = TX_MJCF_REQUIRED}, {"type", TX_MJCF_IGNORE}, {0}};

void tx_urdf_link_element(tx_mjcf *m, tx_xml_element *element, void *urdf) {
    tx_urdf *u = urdf;
    tx_urdf_link *link = tx_urdf_take(u, sizeof *link);
    if (!link) return;
    *link = (tx_urdf_link){.element = element, .def = tx_default_body_def()};
    tx_mjcf_read(m, element, link_attrs, link);
    tx_mjcf_children(m, element, link_children, PHASE_OWN, link);
    *(u->last_link ? &u->last_link->next : &u->first_link) = link;
    u->last_link = link;
    if (!link->def.name) {
        m->incomplete = true;
        return;
    }
    const tx_urdf_link *other = tx_names_find(&u->links, link->def.name);
    if (other) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "name"), "",
                        "there are two links '%.60s'; the first is in line %d", link->def.name, other->element->line);
        m->incomplete = true;
    } else if (!tx_names_add(&u->links, m->stash, link->def.name, link)) {
        m->out_of_memory = true;
    }
}

void tx_urdf_add_geoms(tx_urdf *u, tx_urdf_link *link) {
    content c = {.u = u, .link = link};
    tx_mjcf_children(&u->m, link->element, link_children, PHASE_GEOMS, &c);
}
