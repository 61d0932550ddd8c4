// mjcf_mesh.c - <mesh>: vertices and faces from a file or from the attributes.
#include "base/memory.h"
#include "load/mesh_builtin.h"
#include "load/mjcf.h"

static const tx_mjcf_keyword inertia_modes[] = {{"legacy", .value = TX_MESH_INERTIA_LEGACY},
                                                {"exact", .value = TX_MESH_INERTIA_EXACT},
                                                {"convex", .value = TX_MESH_INERTIA_CONVEX},
                                                {"shell", .value = TX_MESH_INERTIA_SHELL},
                                                {0}};

const tx_mjcf_attr tx_mjcf_mesh_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_mesh, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"file", TX_MJCF_STRING(tx_mjcf_mesh, file), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"vertex", .kind = TX_MJCF_LIST, TX_MJCF_AT(tx_mjcf_mesh, vertex), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"face", .kind = TX_MJCF_INTLIST, TX_MJCF_AT(tx_mjcf_mesh, face), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"builtin", TX_MJCF_STRING(tx_mjcf_mesh, builtin), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"params", .kind = TX_MJCF_LIST, TX_MJCF_AT(tx_mjcf_mesh, params), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"scale", TX_MJCF_REALS(tx_mjcf_mesh, def.scale, 3, 3)},
    {"refpos", TX_MJCF_REALS(tx_mjcf_mesh, def.refpos, 3, 3), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"refquat", TX_MJCF_REALS(tx_mjcf_mesh, def.refquat, 4, 4), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"inertia", TX_MJCF_WORD(tx_mjcf_mesh, def.inertia, inertia_modes)},
    {"maxhullvert", TX_MJCF_INTS(tx_mjcf_mesh, maxhullvert, 1, 1)},
    // the ending of the file says what it is
    {"content_type", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    // these concern pictures
    {"normal", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"texcoord", .kind = TX_MJCF_LIST, TX_MJCF_AT(tx_mjcf_mesh, texcoord), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"smoothnormal", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"material", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {0},
};

// ---- content -----------------------------------------------------------------------------------------------------

// returns false with a message when the file cannot be read
static bool read_mesh_file(tx_mjcf *m, tx_xml_element *element, const char *name, tx_mesh_data *data) {
    size_t length = 0;
    char *path = NULL, *bytes = tx_mjcf_read_file(m, element, "mesh", "vertex", name, &path, &length);
    bool good = bytes && tx_mesh_read(bytes, length, path, data, m->diag);
    tx_free(bytes);
    return good;
}

// builtin="..." and params="..."
static bool make_builtin(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_mesh *mesh, tx_mesh_data *data) {
    const tx_xml_attribute *builtin = tx_xml_find(element, "builtin"), *params = tx_xml_find(element, "params");
    if (mesh->file || mesh->vertex.count || mesh->face.count) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, builtin, "keep one of them",
                        "<mesh> has 'builtin' and a file or vertices");
        return false;
    }
    if (!tx_mesh_builtin_known(mesh->builtin)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, builtin,
                        "sphere, hemisphere, cone, supersphere, supertorus, wedge, plate, grid, box, cylinder, "
                        "ellipsoid, square and disc exist",
                        "'%.60s' is not a builtin mesh", mesh->builtin);
        return false;
    }
    const char *why = tx_mesh_builtin(mesh->builtin, mesh->params.values, mesh->params.count, data);
    if (why)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, params ? params : builtin, why,
                        "these are no params of a builtin %s", mesh->builtin);
    return !why;
}

// vertex="..." and face="..." of the element itself; numbers are rounded as those of files
static bool read_inline(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_mesh *mesh, tx_mesh_data *data) {
    const tx_xml_attribute *vertex = tx_xml_find(element, "vertex"), *face = tx_xml_find(element, "face");
    if (vertex && data->vertex_count) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, vertex, "keep one of them",
                        "<mesh> has vertices and a file with vertices");
        return false;
    }
    if (face && data->face_count) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, face, "keep one of them",
                        "<mesh> has faces and a file with faces");
        return false;
    }
    if (mesh->vertex.count % 3 || mesh->face.count % 3) {
        const tx_xml_attribute *wrong = mesh->vertex.count % 3 ? vertex : face;
        int count = mesh->vertex.count % 3 ? mesh->vertex.count : mesh->face.count;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, wrong, "three for each",
                        "attribute '%s' of <mesh> has %d numbers, not a multiple of 3", wrong->name, count);
        return false;
    }
    for (int i = 0; i < mesh->vertex.count; i += 3) {
        tx_mesh_added added = tx_mesh_add_vertex(data, mesh->vertex.values + i);
        if (!added) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, vertex, "", "%s", tx_mesh_why(added));
        return false;
    }
    for (int i = 0; i < mesh->face.count; i += 3) {
        const int *f = mesh->face.values + i;
        for (int k = 0; k < 3; k++) {
            if (f[k] >= 0 && f[k] < data->vertex_count) continue;
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, face, "the first vertex is 0",
                            "face %d of <mesh> has vertex %d, but there are %d vertices", i / 3, f[k],
                            data->vertex_count);
            return false;
        }
        tx_mesh_added added = tx_mesh_add_face(data, f[0], f[1], f[2]);
        if (!added) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, face, "", "%s", tx_mesh_why(added));
        return false;
    }
    return true;
}

// texcoord="..." of the element: two numbers a vertex
static bool read_coords(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_mesh *mesh, tx_mesh_data *data) {
    const int given = mesh->texcoord.count;
    if (!given || data->face_count == 0) return true;
    if (given != 2 * data->vertex_count) {
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, "texcoord"),
                        "two for each vertex; pictures are drawn without them",
                        "attribute 'texcoord' of <mesh> has %d numbers, %d vertices need %d", given, data->vertex_count,
                        2 * data->vertex_count);
        return true;
    }
    if (tx_mesh_spread_coords(data, mesh->texcoord.values)) return true;
    m->out_of_memory = true;
    return false;
}

static bool check_content(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_mesh *mesh, const tx_mesh_data *data) {
    if (data->vertex_count < 4) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<mesh> has %d vert%s; it needs at least 4",
                        data->vertex_count, data->vertex_count == 1 ? "ex" : "ices");
        return false;
    }
    if (mesh->maxhullvert != -1 && mesh->maxhullvert < 4)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "maxhullvert"), "-1: no bound",
                        "maxhullvert of <mesh> must be at least 4");
    return true;
}

// ---- element -----------------------------------------------------------------------------------------------------

// makes the name known even when the mesh is broken, so that geoms do not complain again
static void remember(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_mesh *mesh) {
    const char *name = mesh->def.name;
    if (tx_names_find(&m->meshes, name)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "name"), "", "there are two meshes '%.60s'",
                        name);
    } else if (!tx_names_add(&m->meshes, m->stash, name, element)) {
        m->out_of_memory = true;
    }
}

void tx_mjcf_mesh_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_mesh mesh = tx_mjcf_class_of(m, element, "class", m->part->main_class)->mesh;
    bool good = tx_mjcf_read(m, element, tx_mjcf_mesh_attrs, &mesh);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (!mesh.def.name && mesh.file) mesh.def.name = tx_mjcf_name_of_file(m, mesh.file);
    if (!mesh.def.name || !mesh.def.name[0]) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<mesh> needs attribute 'name'");
        m->incomplete = true;
        return;
    }
    remember(m, element, &mesh);

    tx_mesh_data data = {.wants_coords = tx_mjcf_has_flat_pictures(m, element)};
    good = good && (!mesh.builtin || make_builtin(m, element, &mesh, &data));
    good = good && (!mesh.file || read_mesh_file(m, element, mesh.file, &data));
    good = good && read_inline(m, element, &mesh, &data) && check_content(m, element, &mesh, &data);
    good = good && read_coords(m, element, &mesh, &data);
    if (good) {
        tx_mesh_def *def = &mesh.def;
        // surfaces have no volume (MuJoCo: even where the element says legacy)
        if (mesh.builtin && def->inertia == TX_MESH_INERTIA_LEGACY &&
            tx_mesh_builtin_flat(mesh.builtin, mesh.params.values, mesh.params.count))
            def->inertia = TX_MESH_INERTIA_SHELL;
        // the points that there are may be fewer
        if (mesh.maxhullvert >= 4 && mesh.maxhullvert < data.vertex_count) def->hull_corners = mesh.maxhullvert;
        def->vertices = data.vertices;
        def->faces = data.faces;
        def->texcoords = data.coords;
        def->vertex_count = data.vertex_count;
        def->face_count = data.face_count;
        def->source = tx_mjcf_source(element);
        tx_mjcf_check_index(m, tx_builder_mesh(m->builder, def));
    } else {
        m->incomplete = true;
    }
    tx_mesh_release(&data);
}
