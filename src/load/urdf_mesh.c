// urdf_mesh.c - the meshes that the geometry of a URDF names by file and scale.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
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

static const char *add_mesh(tx_urdf *u, tx_xml_element *element, const char *path, const tx_mesh_data *data,
                            const double scale[3]) {
    if (data->vertex_count < 4) {
        tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, element, NULL, "", "the mesh has %d vert%s; it needs at least 4",
                        data->vertex_count, data->vertex_count == 1 ? "ex" : "ices");
        return NULL;
    }
    tx_mesh_def def = tx_default_mesh_def();
    def.name = name_of(u, path);
    char *key = key_of(u, path, scale);
    if (!def.name || !key) return NULL;
    def.vertices = data->vertices;
    def.faces = data->faces;
    def.vertex_count = data->vertex_count;
    def.face_count = data->face_count;
    memcpy(def.scale, scale, sizeof def.scale);
    def.source = tx_mjcf_source(element);
    tx_mjcf_check_index(&u->m, tx_builder_mesh(u->m.builder, &def));
    if (!tx_names_add(&u->mesh_names, u->m.stash, def.name, key) ||
        !tx_names_add(&u->meshes, u->m.stash, key, (void *)def.name))
        u->m.out_of_memory = true;
    return def.name;
}

static void report_missing(tx_urdf *u, tx_xml_element *element, tx_search *search, const char *file) {
    const char *tried = tx_search_tried(search);
    bool package = strncmp(file, "package://", 10) == 0;
    char *hint = tx_urdf_take(u, (tried ? strlen(tried) : 0) + 80);
    if (!hint) return;
    snprintf(hint, (tried ? strlen(tried) : 0) + 80, "%s%s", tried ? tried : "",
             package ? "; --package NAME=DIR says where a package is" : "");
    tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "filename"), hint,
                    "cannot find the mesh '%.200s'", file);
}

const char *tx_urdf_mesh(tx_urdf *u, tx_xml_element *element, const char *file, const double scale[3]) {
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
    const char *name = NULL;
    if (bytes) {
        char *key = key_of(u, search.path, scale);
        name = key ? tx_names_find(&u->meshes, key) : NULL;
        tx_mesh_data data = {0};
        if (key && !name && tx_mesh_read(bytes, length, search.path, &data, m->diag))
            name = add_mesh(u, element, search.path, &data, scale);
        tx_mesh_release(&data);
        tx_free(bytes);
    } else if (!search.out_of_memory) {
        report_missing(u, element, &search, file);
    }
    if (!name) m->incomplete = true;
    return name;
}
