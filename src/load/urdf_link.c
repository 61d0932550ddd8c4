// urdf_link.c - <link>: the geoms of its collision and visual elements.
#include <string.h>

#include "load/urdf.h"

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
    bool coloured, again;    // a <material> had a colour; a second one was there
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
    s->bad = s->count > 1;
    if (s->count == 0)
        TX_URDF_MENDED(s->u, element, NULL, "box, cylinder, sphere, capsule or mesh; it is left out",
                       "<geometry> holds no shape");
    else if (s->bad)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "box, cylinder, sphere, capsule or mesh",
                        "<geometry> holds %d shapes, not one", s->count);
}

static void read_shape_origin(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_urdf_origin(m, element, &((shape *)context)->pose);
}

// a colour of its own, or that of the material with its name
static void read_shape_material(tx_mjcf *m, tx_xml_element *element, void *context) {
    shape *s = context;
    const tx_urdf_material *material = tx_urdf_read_material(s->u, element);
    if (s->again)
        TX_URDF_MENDED(s->u, element, NULL, "the first with a colour counts", "a second <material> in <visual>");
    s->again = true;
    if (!material || !s->visual || s->coloured) return;
    if (!material->rgba_given && material->name && !element->first) {
        const char *name = material->name;
        material = tx_names_find(&s->u->materials, name);
        if (!material && name[0])
            tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, "name"), "define it with a <color>",
                            "there is no material '%.60s'", name);
    }
    s->coloured = material && material->rgba_given;
    if (s->coloured) *s->link_rgba = material->rgba;
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
    const tx_urdf_mesh *mesh = NULL;
    if (s->type == TX_GEOM_MESH) {
        mesh = tx_urdf_find_mesh(u, s->mesh, s->file, s->scale, s->visual);
        if (!mesh) return;
        def.mesh = mesh->name;
    } else {
        set_size(&def, s);
    }
    // what is only seen neither collides nor weighs, nor does what is flat
    if (s->visual || (mesh && mesh->flat)) {
        def.contype = def.conaffinity = 0;
        def.density = 0;
    }
    if (s->visual) def.group = 1;
    else if (mesh && mesh->flat)
        TX_URDF_MENDED(u, s->mesh, NULL, "it is left out of contact", "the collision mesh '%.200s' is flat", s->file);
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
    {"origin", .read = read_shape_origin, .once = true}, {"geometry", .read = read_geometry, .once = true},
    {"material", .read = read_shape_material},           {"verbose", .read = tx_urdf_skip},
    {"contact_coefficients", .read = tx_urdf_skip},      {0}};

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
    else if (!s.skipped && s.count && c->link->placed) add_geom(&s, element);
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
    {"inertial", .phase = PHASE_OWN, .read = tx_urdf_inertial_element, .once = true},
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
    *link = (tx_urdf_link){.urdf = u, .element = element, .def = tx_default_body_def()};
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
