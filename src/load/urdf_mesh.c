// urdf_mesh.c - the meshes that the geometry of a URDF names by file and scale.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "geometry/vec3.h"
#include "load/mesh_file.h"
#include "load/search.h"
#include "load/urdf.h"

// one mesh for each file and scale
static char *key_of(tx_urdf *u, const char *path, const double scale[3]) {
    char text[96];
    int size = snprintf(text, sizeof text, "%.17g %.17g %.17g ", scale[0], scale[1], scale[2]);
    size_t length = strlen(path);
    char *key = tx_urdf_take(u, (size_t)size + length + 1);
    if (!key) return NULL;
    memcpy(key, text, (size_t)size);
    memcpy(key + size, path, length);
    return key;
}

// the file's name without folder and ending, with a number when there is such a mesh already
static char *name_of(tx_urdf *u, const char *path) {
    const char *start = path;
    for (const char *at = path; *at; at++) start = *at == '/' || *at == '\\' ? at + 1 : start;
    const char *dot = strrchr(start, '.');
    size_t length = dot ? (size_t)(dot - start) : strlen(start);
    char *name = tx_urdf_take(u, length + 16);
    if (!name) return NULL;
    memcpy(name, start, length);
    for (int i = 1; tx_names_find(&u->mesh_names, name); i++) snprintf(name + length, 16, "%d", i);
    return name;
}

// ---- what a surface is good for ------------------------------------------------------------------------------------

typedef enum surface { SURFACE_SOLID, SURFACE_FLAT, SURFACE_NONE } surface;

// area, and the volume of the pyramids over its triangles: as the compiler weighs a mesh
static surface judge(const tx_mesh_data *data, const double scale[3]) {
    static const double NOTHING = 1e-14; // [m2], [m3]
    double area = 0, volume = 0, centre[3] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < data->face_count; i++) {
            double p[3][3], a[3], b[3], normal[3], middle[3];
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++)
                    p[c][k] = scale[k] * data->vertices[3 * (size_t)data->faces[3 * (size_t)i + (size_t)c] + (size_t)k];
            v3_sub(a, p[1], p[0]);
            v3_sub(b, p[2], p[0]);
            v3_cross(normal, a, b);
            double size = v3_length(normal) / 2;
            for (int k = 0; k < 3; k++) middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3 - (pass ? centre[k] : 0);
            if (pass) volume += fabs(v3_dot(middle, normal)) / 6;
            for (int k = 0; !pass && k < 3; k++) centre[k] += size * middle[k];
            if (!pass) area += size;
        }
        for (int k = 0; !pass && k < 3; k++) centre[k] /= fmax(area, NOTHING);
    }
    // points alone: a hull is made of them
    if (data->face_count == 0) return SURFACE_SOLID;
    return area < NOTHING ? SURFACE_NONE : volume < NOTHING ? SURFACE_FLAT : SURFACE_SOLID;
}

static const tx_urdf_mesh *add_mesh(tx_urdf *u, tx_xml_element *element, const char *path, const tx_mesh_data *data,
                                    const double scale[3]) {
    surface kind = judge(data, scale);
    if (data->vertex_count < 4 || kind == SURFACE_NONE) {
        TX_URDF_MENDED(u, element, NULL, "the geom is left out",
                       kind == SURFACE_NONE ? "the mesh has no surface: %d vertices"
                                            : "the mesh has %d vertices; it needs at least 4",
                       data->vertex_count);
        return NULL;
    }
    tx_mesh_def def = tx_default_mesh_def();
    def.name = name_of(u, path);
    char *key = key_of(u, path, scale);
    tx_urdf_mesh *mesh = tx_urdf_take(u, sizeof *mesh);
    if (!def.name || !key || !mesh) return NULL;
    *mesh = (tx_urdf_mesh){def.name, kind == SURFACE_FLAT};
    if (mesh->flat) def.inertia = TX_MESH_INERTIA_SHELL;
    def.vertices = data->vertices;
    def.faces = data->faces;
    def.vertex_count = data->vertex_count;
    def.face_count = data->face_count;
    memcpy(def.scale, scale, sizeof def.scale);
    def.source = tx_mjcf_source(element);
    tx_mjcf_check_index(&u->m, tx_builder_mesh(u->m.builder, &def));
    if (!tx_names_add(&u->mesh_names, u->m.stash, def.name, key) || !tx_names_add(&u->meshes, u->m.stash, key, mesh))
        u->m.out_of_memory = true;
    return mesh;
}

// ---- messages ------------------------------------------------------------------------------------------------------

static void report_missing(tx_urdf *u, tx_xml_element *element, tx_search *search, const char *file, bool visual) {
    const char *tried = tx_search_tried(search), *left_out = visual ? "the geom is left out; " : "";
    bool package = strncmp(file, "package://", 10) == 0;
    size_t size = (tried ? strlen(tried) : 0) + 120;
    char *hint = tx_urdf_take(u, size);
    if (!hint) return;
    snprintf(hint, size, "%s%s%s", left_out, tried ? tried : "",
             package ? "; --package NAME=DIR says where a package is" : "");
    const tx_xml_attribute *name = tx_xml_find(element, "filename");
    if (visual) TX_URDF_MENDED(u, element, name, hint, "cannot find the mesh '%.200s'", file);
    else tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, element, name, hint, "cannot find the mesh '%.200s'", file);
}

// what is wrong with a file is a warning where it is only seen
static bool read_mesh(tx_urdf *u, const char *bytes, size_t length, const char *path, bool visual, tx_mesh_data *data) {
    tx_diag found = {0};
    bool good = tx_mesh_read(bytes, length, path, data, &found);
    for (int i = 0; i < found.count; i++) {
        const tx_message *f = &found.messages[i];
        tx_diag_add(u->m.diag, visual && !u->m.strict ? TX_SEVERITY_WARNING : f->severity, f->file, f->line, f->column,
                    f->hint, "%s", f->text);
    }
    if (!good && found.count == 0) u->m.out_of_memory = true;
    tx_diag_free(&found);
    return good;
}

const tx_urdf_mesh *tx_urdf_find_mesh(tx_urdf *u, tx_xml_element *element, const char *file, const double scale[3],
                                      bool visual) {
    tx_mjcf *m = &u->m;
    const tx_xml_attribute *attribute = tx_xml_find(element, "filename");
    if (!m->part->folder) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "load the model from a file",
                        "a mesh file can be read only for a model in a file");
        m->incomplete = true;
        return NULL;
    }
    tx_search search = {m->stash, m->part->folder, m->part->meshdir, m->part->strippath, .options = u->options};
    size_t length = 0;
    char *bytes = tx_search_read(&search, file, TX_XML_FILE_MAX, &length);
    m->out_of_memory = m->out_of_memory || search.out_of_memory;
    const tx_urdf_mesh *mesh = NULL;
    bool readable = false;
    if (bytes) {
        char *key = key_of(u, search.path, scale);
        mesh = key ? tx_names_find(&u->meshes, key) : NULL;
        tx_mesh_data data = {0};
        readable = mesh || (key && read_mesh(u, bytes, length, search.path, visual, &data));
        if (readable && !mesh) mesh = add_mesh(u, element, search.path, &data, scale);
        tx_mesh_release(&data);
        tx_free(bytes);
    } else if (!search.out_of_memory) {
        report_missing(u, element, &search, file, visual);
    }
    if (!readable && !visual) m->incomplete = true;
    return mesh;
}
