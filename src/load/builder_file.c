// builder_file.c - meshes and height fields of a builder out of files, by the readers that MJCF uses.
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/hfield_file.h"
#include "load/mesh_file.h"
#include "load/xml.h"
#include "thixis/load.h"

// the bytes, to be released with tx_free(), or null with a message
static char *bytes_of(const char *path, size_t most, size_t *length, tx_diag *diag) {
    const char *why = "no file is named";
    char *bytes = path ? tx_read_file(path, most, length, &why) : NULL;
    if (!bytes) tx_diag_add(diag, TX_SEVERITY_ERROR, path ? path : "", 0, 0, "", "%s", why);
    return bytes;
}

int tx_builder_mesh_file(tx_builder *builder, const tx_mesh_def *def, const char *path, tx_diag *diag) {
    tx_mesh_def mesh = def ? *def : tx_default_mesh_def();
    tx_mesh_data data = {0};
    size_t length = 0;
    int index = -1;
    char *bytes = bytes_of(path, TX_MESH_FILE_MAX, &length, diag);
    if (bytes && tx_mesh_read(bytes, length, path, &data, diag)) {
        mesh.vertices = data.vertices, mesh.vertex_count = data.vertex_count;
        mesh.faces = data.faces, mesh.face_count = data.face_count;
        mesh.source = (tx_source){path, 0, 0};
        index = tx_builder_mesh(builder, &mesh);
    }
    tx_mesh_release(&data);
    tx_free(bytes);
    return index;
}

int tx_builder_hfield_file(tx_builder *builder, const tx_hfield_def *def, const char *path, tx_diag *diag) {
    tx_hfield_def hfield = def ? *def : tx_default_hfield_def();
    tx_hfield_data data = {0};
    size_t length = 0;
    int index = -1;
    char *bytes = bytes_of(path, TX_XML_FILE_MAX, &length, diag);
    if (bytes && tx_hfield_read(bytes, length, path, &data, diag)) {
        hfield.nrow = data.nrow, hfield.ncol = data.ncol, hfield.elevation = data.height;
        hfield.source = (tx_source){path, 0, 0};
        index = tx_builder_hfield(builder, &hfield);
    }
    tx_hfield_release(&data);
    tx_free(bytes);
    return index;
}
