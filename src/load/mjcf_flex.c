// mjcf_flex.c - <flexcomp> and <deformable>: every attribute with its range. The mesh is made and told to whoever
// looks on (tx_mjcf_survey); no model has it, for deformables are not simulated yet: that is the last error of each.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/mjcf_flex.h"
#include "load/text.h"

// ---- attributes ----------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword types[] = {{"grid", .value = TX_FLEX_GRID},
                                        {"box", .value = TX_FLEX_BOX},
                                        {"cylinder", .value = TX_FLEX_CYLINDER},
                                        {"ellipsoid", .value = TX_FLEX_ELLIPSOID},
                                        {"square", .value = TX_FLEX_SQUARE},
                                        {"disc", .value = TX_FLEX_DISC},
                                        {"circle", .value = TX_FLEX_CIRCLE},
                                        {"mesh", .value = TX_MJCF_FLEX_MESH},
                                        {"gmsh", .value = TX_MJCF_FLEX_GMSH},
                                        {"direct", .value = TX_MJCF_FLEX_DIRECT},
                                        {0}};
static const tx_mjcf_keyword dofs[] = {{"full", .value = TX_MJCF_FLEX_DOF_FULL},
                                       {"radial", .value = TX_MJCF_FLEX_DOF_RADIAL},
                                       {"trilinear", .value = TX_MJCF_FLEX_DOF_TRILINEAR},
                                       {"quadratic", .value = TX_MJCF_FLEX_DOF_QUADRATIC},
                                       {"2d", .value = TX_MJCF_FLEX_DOF_2D},
                                       {0}};
static const tx_mjcf_keyword equalities[] = {{"false", .value = 0}, {"true", .value = 1}, {"strain", .value = 2}, {0}};
static const tx_mjcf_keyword stretches[] = {
    {"none", .value = 0}, {"bend", .value = 1}, {"stretch", .value = 2}, {"both", .value = 3}, {0}};
static const tx_mjcf_keyword sections[] = {{"circle", .value = 0}, {"box", .value = 1}, {0}};
static const tx_mjcf_keyword collisions[] = {{"none", .value = 0}, {"narrow", .value = 1}, {"bvh", .value = 2},
                                             {"sap", .value = 3},  {"auto", .value = 4},   {0}};

#define REALS(member, lo, hi) TX_MJCF_REALS(tx_mjcf_flex, member, lo, hi)
#define INTS(member, lo, hi)  TX_MJCF_INTS(tx_mjcf_flex, member, lo, hi)
#define LIST(member)          .kind = TX_MJCF_LIST, TX_MJCF_AT(tx_mjcf_flex, member)
#define INTLIST(member)       .kind = TX_MJCF_INTLIST, TX_MJCF_AT(tx_mjcf_flex, member)
#define TEXT(member)          TX_MJCF_STRING(tx_mjcf_flex, member)
#define WORD(member, words)   TX_MJCF_WORD(tx_mjcf_flex, member, words)
#define YESNO(member)         TX_MJCF_YESNO(tx_mjcf_flex, member, tx_mjcf_bool)
// what both elements have
#define COMMON_ATTRS                                                                                         \
    {"name", TEXT(name)}, {"dim", INTS(dim, 1, 1)}, {"dof", WORD(dof, dofs)}, {"group", INTS(group, 1, 1)},  \
        {"radius", REALS(radius, 1, 1)}, {"material", TEXT(material)},                                       \
        {"rgba", .kind = TX_MJCF_FLOAT, TX_MJCF_AT(tx_mjcf_flex, rgba), .min = 4, .max = 4},                 \
        {"flatskin", YESNO(flatskin)}, {"cellcount", INTS(cellcount, 3, 3)}, {"texcoord", LIST(texcoord)}, { \
        "element", INTLIST(element)                                                                          \
    }

static const tx_mjcf_attr flexcomp_attrs[] = {
    COMMON_ATTRS,
    {"type", WORD(type, types)},
    {"count", INTS(count, 3, 3)},
    {"spacing", REALS(spacing, 3, 3)},
    {"scale", REALS(scale, 3, 3)},
    {"origin", REALS(origin, 3, 3), TX_MJCF_GIVEN(tx_mjcf_flex, origin_given)},
    {"mass", REALS(mass, 1, 1)},
    {"inertiabox", REALS(inertiabox, 1, 1)},
    {"pos", REALS(pos, 3, 3)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_flex, orientation),
    {"file", TEXT(file)},
    {"mesh", TEXT(mesh)},
    {"point", LIST(point)},
    {"rigid", YESNO(rigid)},
    {0},
};
static const tx_mjcf_attr flex_attrs[] = {
    COMMON_ATTRS,
    {"body", TEXT(body)},
    {"node", TEXT(node)},
    {"vertex", LIST(vertex)},
    {"nodecoord", LIST(nodecoord)},
    {"elemtexcoord", INTLIST(elemtexcoord)},
    {0},
};
static const tx_mjcf_attr flexcomp_edge_attrs[] = {
    {"equality", WORD(edge.equality, equalities)}, {"solref", REALS(edge.solref, 1, 2)},
    {"solimp", REALS(edge.solimp, 1, 5)},          {"stiffness", REALS(edge.stiffness, 1, 1)},
    {"damping", REALS(edge.damping, 1, 1)},        {0},
};
static const tx_mjcf_attr flex_edge_attrs[] = {
    {"stiffness", REALS(edge.stiffness, 1, 1)},
    {"damping", REALS(edge.damping, 1, 1)},
    {0},
};
static const tx_mjcf_attr elasticity_attrs[] = {
    {"young", REALS(elasticity.young, 1, 1)},
    {"poisson", REALS(elasticity.poisson, 1, 1)},
    {"damping", REALS(elasticity.damping, 1, 1)},
    {"thickness", REALS(elasticity.thickness, 1, 1)},
    {"shear", REALS(elasticity.shear, 1, 1)},
    {"yield", REALS(elasticity.yield, 1, 2)},
    {"sectionsize", REALS(elasticity.sectionsize, 2, 2)},
    {"elastic2d", WORD(elasticity.elastic2d, stretches)},
    {"section", WORD(elasticity.section, sections)},
    {0},
};
static const tx_mjcf_attr contact_attrs[] = {
    {"contype", INTS(contact.contype, 1, 1)},
    {"conaffinity", INTS(contact.conaffinity, 1, 1)},
    {"condim", INTS(contact.condim, 1, 1)},
    {"priority", INTS(contact.priority, 1, 1)},
    {"friction", REALS(contact.friction, 1, 3)},
    {"solmix", REALS(contact.solmix, 1, 1)},
    {"solref", REALS(contact.solref, 1, 2)},
    {"solimp", REALS(contact.solimp, 1, 5)},
    {"margin", REALS(contact.margin, 1, 1)},
    {"gap", REALS(contact.gap, 1, 1)},
    {"selfcollide", WORD(contact.selfcollide, collisions)},
    {"activelayers", INTS(contact.activelayers, 1, 1)},
    {"passive", YESNO(contact.passive)},
    {0},
};

// an element lists vertices to pin: a list of each kind
typedef struct pins {
    tx_mjcf_intlist id, range, grid, gridrange;
} pins;
static const tx_mjcf_attr pin_attrs[] = {
    {"id", .kind = TX_MJCF_INTLIST, TX_MJCF_AT(pins, id)},
    {"range", .kind = TX_MJCF_INTLIST, TX_MJCF_AT(pins, range)},
    {"grid", .kind = TX_MJCF_INTLIST, TX_MJCF_AT(pins, grid)},
    {"gridrange", .kind = TX_MJCF_INTLIST, TX_MJCF_AT(pins, gridrange)},
    {0},
};

// ---- messages ------------------------------------------------------------------------------------------------------

static bool complain(tx_mjcf *m, tx_xml_element *element, const char *attribute, const char *hint, const char *what) {
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute ? tx_xml_find(element, attribute) : NULL, hint, "%s",
                    what);
    return false;
}

// ---- children ------------------------------------------------------------------------------------------------------

// what is being read
typedef struct reading {
    tx_mjcf_flex flex;
    tx_flex_mesh mesh;
    bool good;
} reading;

static void read_part(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, reading *r) {
    r->good &= tx_mjcf_read(m, element, attrs, &r->flex);
    r->good &= tx_mjcf_flex_in_range(m, element, &r->flex);
    tx_mjcf_children(m, element, NULL, 0, NULL);
}
static void read_flexcomp_edge(tx_mjcf *m, tx_xml_element *element, void *context) {
    read_part(m, element, flexcomp_edge_attrs, context);
}
static void read_flex_edge(tx_mjcf *m, tx_xml_element *element, void *context) {
    read_part(m, element, flex_edge_attrs, context);
}
static void read_elasticity(tx_mjcf *m, tx_xml_element *element, void *context) {
    reading *r = context;
    read_part(m, element, elasticity_attrs, r);
    if (r->flex.elasticity.elastic2d && !(r->flex.elasticity.thickness > 0))
        r->good = complain(m, element, "elastic2d", "m, by attribute 'thickness'",
                           "elastic2d of <elasticity> needs a positive thickness");
}
static void read_contact(tx_mjcf *m, tx_xml_element *element, void *context) {
    reading *r = context;
    read_part(m, element, contact_attrs, r);
    const int dim = r->flex.contact.condim;
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6)
        r->good = complain(m, element, "condim", "", "condim of <contact> takes 1, 3, 4 or 6");
}
static void read_plugin(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_waiting(m, element, "");
}

// pins are read when there are vertices
static void read_pin(tx_mjcf *m, tx_xml_element *element, void *context);

static const tx_mjcf_child flexcomp_children[] = {{"edge", .read = read_flexcomp_edge, .once = true},
                                                  {"elasticity", .read = read_elasticity, .once = true},
                                                  {"contact", .read = read_contact, .once = true},
                                                  {"plugin", .read = read_plugin},
                                                  {"pin", .phase = 1, .read = read_pin},
                                                  {0}};
static const tx_mjcf_child flex_children[] = {{"edge", .read = read_flex_edge, .once = true},
                                              {"elasticity", .read = read_elasticity, .once = true},
                                              {"contact", .read = read_contact, .once = true},
                                              {0}};

// ---- pins ----------------------------------------------------------------------------------------------------------

// one list of a <pin>: groups of so many numbers, each in its range; false with a message
static bool check_pins(tx_mjcf *m, tx_xml_element *element, const char *attribute, tx_mjcf_intlist list, int group,
                       int axes, const int *count) {
    const tx_xml_attribute *at = tx_xml_find(element, attribute);
    if (list.count % group != 0) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, at, "",
                        "attribute '%s' of <pin> has %d number%s, not a multiple of %d", attribute, list.count,
                        list.count == 1 ? "" : "s", group);
        return false;
    }
    for (int i = 0; i < list.count; i++) {
        if (list.values[i] >= 0 && list.values[i] < count[i % axes]) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, at, "the first one is 0",
                        "attribute '%s' of <pin> has %d, but there are %d vertices%s", attribute, list.values[i],
                        count[i % axes], axes > 1 ? " on that axis" : "");
        return false;
    }
    return true;
}

// all points of a grid between two
static void pin_grid(const tx_mjcf_flex *flex, bool *pinned, const int *low, const int *high) {
    const int dim = flex->dim, *count = flex->count;
    const int bottom = dim > 2 ? low[2] : 0, top = dim > 2 ? high[2] : 0, layers = dim > 2 ? count[2] : 1;
    for (int x = low[0]; x <= high[0]; x++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int z = bottom; z <= top; z++) pinned[(x * count[1] + y) * layers + z] = true;
}

static void read_pin(tx_mjcf *m, tx_xml_element *element, void *context) {
    reading *r = context;
    tx_mjcf_flex *f = &r->flex;
    pins p = {0};
    const bool good = tx_mjcf_read(m, element, pin_attrs, &p);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    r->good &= good;
    // what is wrong with the vertices has been said
    if (!r->mesh.pinned) return;
    bool *pinned = r->mesh.pinned;
    if ((p.grid.count || p.gridrange.count) && (f->type != TX_FLEX_GRID || f->dim == 1)) {
        r->good = complain(m, element, p.grid.count ? "grid" : "gridrange", "vertices have numbers: id, range",
                           "only a grid of dim 2 or 3 can be pinned by its axes");
        return;
    }
    if (!check_pins(m, element, "id", p.id, 1, 1, &r->mesh.vertex_count) ||
        !check_pins(m, element, "range", p.range, 2, 1, &r->mesh.vertex_count) ||
        !check_pins(m, element, "grid", p.grid, f->dim, f->dim, f->count) ||
        !check_pins(m, element, "gridrange", p.gridrange, 2 * f->dim, f->dim, f->count)) {
        r->good = false;
        return;
    }
    for (int i = 0; i < p.id.count; i++) pinned[p.id.values[i]] = true;
    for (int i = 0; i < p.range.count; i += 2)
        for (int v = p.range.values[i]; v <= p.range.values[i + 1]; v++) pinned[v] = true;
    for (int i = 0; i < p.grid.count; i += f->dim) pin_grid(f, pinned, p.grid.values + i, p.grid.values + i);
    for (int i = 0; i < p.gridrange.count; i += 2 * f->dim)
        pin_grid(f, pinned, p.gridrange.values + i, p.gridrange.values + i + f->dim);
}

// ---- elements ------------------------------------------------------------------------------------------------------

static tx_mjcf_flex usual_flex(void) {
    return (tx_mjcf_flex){.dim = 2,
                          .radius = 0.005,
                          .rgba = {0.5F, 0.5F, 0.5F, 1},
                          .cellcount = {1, 1, 1},
                          .count = {10, 10, 10},
                          .spacing = {0.02, 0.02, 0.02},
                          .scale = {1, 1, 1},
                          .mass = 1,
                          .inertiabox = 0.005,
                          .orientation = {.quat = {1, 0, 0, 0}},
                          .quat = {1, 0, 0, 0},
                          .edge = {.solref = {0.02, 1}, .solimp = {0.9, 0.95, 0.001, 0.5, 2}},
                          .elasticity = {.thickness = -1},
                          .contact = {.contype = 1,
                                      .conaffinity = 1,
                                      .condim = 3,
                                      .selfcollide = 4,
                                      .activelayers = 1,
                                      .friction = {1, 0.005, 0.0001},
                                      .solmix = 1,
                                      .solref = {0.02, 1},
                                      .solimp = {0.9, 0.95, 0.001, 0.5, 2}}};
}

// each has one, its own
static bool take_name(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f) {
    if (!f->name || !f->name[0]) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<%s> needs attribute 'name'", element->name);
        return false;
    }
    if (tx_names_find(&m->flexes, f->name)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "name"), "",
                        "there are two soft bodies '%.60s'", f->name);
        return false;
    }
    if (!tx_names_add(&m->flexes, m->stash, f->name, element)) m->out_of_memory = true;
    return true;
}

// rules between the values of one soft body
static bool check_together(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f, const tx_flex_mesh *mesh) {
    const int vertices = mesh->vertex_count;
    if (f->edge.stiffness > 0 && mesh->dim != 1)
        return complain(m, element, NULL, "triangles and tetrahedra have <elasticity>",
                        "stiffness of <edge> is for dim 1");
    if (f->texcoord.count && !f->elemtexcoord.count && f->texcoord.count != 2 * vertices) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "texcoord"), "two for each vertex",
                        "attribute 'texcoord' of <%s> has %d numbers, %d vertices need %d", element->name,
                        f->texcoord.count, vertices, 2 * vertices);
        return false;
    }
    if (f->material && !tx_names_find(&m->materials, f->material)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "material"), "define it in <asset>",
                        "there is no material '%.60s' of <%s>", f->material, element->name);
        return false;
    }
    return true;
}

// the error that every soft body ends with, and what would be simulated
static void tell(tx_mjcf *m, tx_xml_element *element, const reading *r, double mass) {
    char hint[200] = "deformables are not simulated, and the others would move without them";
    if (r->good) {
        const tx_flex_mesh *mesh = &r->mesh;
        const tx_mjcf_flex_result result = {&r->flex, mesh, mass};
        int pinned = 0;
        for (int v = 0; v < mesh->vertex_count; v++) pinned += mesh->pinned[v];
        char weight[64] = "";
        if (mass > 0) snprintf(weight, sizeof weight, ", %.6g kg", mass * (mesh->vertex_count - pinned));
        snprintf(hint, sizeof hint,
                 "deformables are not simulated yet; it has %d vertices (%d pinned), %d elements, %d edges%s",
                 mesh->vertex_count, pinned, mesh->element_count, mesh->edge_count, weight);
        if (m->survey && m->survey->flex) m->survey->flex(m->survey, &result);
    }
    tx_mjcf_waiting(m, element, hint);
}

// vertices from their own frame into the body
static void place(const tx_mjcf_flex *f, tx_flex_mesh *mesh) {
    const double w = f->quat[0], x = f->quat[1], y = f->quat[2], z = f->quat[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int v = 0; v < mesh->vertex_count; v++) {
        double *p = mesh->vertices + 3 * (size_t)v;
        const double q[3] = {p[0], p[1], p[2]};
        for (int k = 0; k < 3; k++) p[k] = f->pos[k] + (R[k][0] * q[0] + R[k][1] * q[1] + R[k][2] * q[2]);
    }
}

static bool take_pins(tx_mjcf *m, reading *r) {
    r->mesh.pinned = tx_alloc((size_t)r->mesh.vertex_count + 1);
    if (!r->mesh.pinned) m->out_of_memory = true;
    return r->mesh.pinned != NULL;
}

void tx_mjcf_flexcomp_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    reading r = {.flex = usual_flex()};
    tx_mjcf_flex *f = &r.flex;
    r.good = tx_mjcf_read(m, element, flexcomp_attrs, f);
    r.good &= tx_mjcf_flex_in_range(m, element, f);
    r.good &= tx_mjcf_choose_orientation(m, element, &f->orientation);
    r.good &= tx_mjcf_quaternion(m, element, &f->orientation, f->quat);
    r.good &= take_name(m, element, f);
    tx_mjcf_children(m, element, flexcomp_children, 0, &r);
    r.good = r.good && tx_mjcf_flex_make(m, element, f, &r.mesh) && take_pins(m, &r);
    if (r.good) f->dim = r.mesh.dim;
    tx_mjcf_children(m, element, flexcomp_children, 1, &r);
    r.good = r.good && check_together(m, element, f, &r.mesh);
    const double mass = r.good ? f->mass / r.mesh.vertex_count : 0;
    if (r.good) {
        tx_mjcf_leave_frame(scope, f->pos, f->quat, NULL);
        place(f, &r.mesh);
        for (int v = 0; f->rigid && v < r.mesh.vertex_count; v++) r.mesh.pinned[v] = true;
        if (!tx_flex_connect(&r.mesh)) m->out_of_memory = true, r.good = false;
    }
    // vertices that no element has are left out, and share no mass
    tell(m, element, &r, r.good && r.mesh.vertex_count ? f->mass / r.mesh.vertex_count : mass);
    tx_flex_release(&r.mesh);
}

// ---- <deformable> --------------------------------------------------------------------------------------------------

static int count_words(const char *text) {
    int words = 0;
    for (const char *at = text; at && *at;) {
        at += strspn(at, " \t\r\n");
        if (*at) words++;
        at += strcspn(at, " \t\r\n");
    }
    return words;
}

// vertices of a <flex>: as many as it has bodies, in the one body that it has, or the bodies themselves
static bool make_flex(tx_mjcf *m, tx_xml_element *element, reading *r) {
    const tx_mjcf_flex *f = &r->flex;
    const int bodies = count_words(f->body), nodes = count_words(f->node), corners = f->dim + 1;
    if (bodies + nodes == 0)
        return complain(m, element, NULL, "names of bodies", "<flex> needs attribute 'body' or 'node'");
    if (f->vertex.count % 3) return complain(m, element, "vertex", "", "numbers of vertices are not a multiple of 3");
    const int vertices = f->vertex.count ? f->vertex.count / 3 : bodies;
    if (bodies > 1 && vertices != bodies) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "vertex"),
                        "one for each, or one body for all", "<flex> has %d vertices and %d bodies", vertices, bodies);
        return false;
    }
    if (vertices > TX_FLEX_MAX) return tx_mjcf_flex_added(m, element, "vertex", TX_FLEX_FULL);
    if (!f->element.count || f->element.count % corners)
        return complain(m, element, f->element.count ? "element" : NULL, "dim + 1 vertices each",
                        "<flex> needs attribute 'element' with a multiple of dim + 1 numbers");
    r->mesh.dim = f->dim;
    tx_flex_added added = TX_FLEX_ADDED;
    for (int v = 0; v < vertices && added == TX_FLEX_ADDED; v++)
        added = tx_flex_add_vertex(&r->mesh, f->vertex.count ? f->vertex.values + 3 * (size_t)v : (double[3]){0});
    for (int i = 0; i < f->element.count && added == TX_FLEX_ADDED; i++) {
        if (f->element.values[i] < 0 || f->element.values[i] >= vertices) {
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "element"), "the first one is 0",
                            "an element of <flex> has vertex %d, but there are %d", f->element.values[i], vertices);
            return false;
        }
        if (i % corners == f->dim) added = tx_flex_add_element(&r->mesh, f->element.values + i - f->dim);
    }
    return tx_mjcf_flex_added(m, element, "element", added);
}

static void read_flex(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    reading r = {.flex = usual_flex()};
    r.good = tx_mjcf_read(m, element, flex_attrs, &r.flex);
    r.good &= tx_mjcf_flex_in_range(m, element, &r.flex);
    r.good &= take_name(m, element, &r.flex);
    tx_mjcf_children(m, element, flex_children, 0, &r);
    r.good = r.good && make_flex(m, element, &r) && take_pins(m, &r) && check_together(m, element, &r.flex, &r.mesh);
    if (r.good && !tx_flex_connect(&r.mesh)) m->out_of_memory = true, r.good = false;
    tell(m, element, &r, 0);
    tx_flex_release(&r.mesh);
}

static const tx_mjcf_child deformable_children[] = {{"flex", .read = read_flex}, {0}};

void tx_mjcf_deformable(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, deformable_children, 0, context);
}
