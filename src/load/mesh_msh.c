// mesh_msh.c - MuJoCo's own binary meshes: four counts, then vertices, normals, texture coordinates and triangles.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/mesh_file.h"

enum { HEADER = 16, VERTICES = 0, NORMALS, TEXCOORDS, FACES };

static int32_t read_int(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double read_float(const char *bytes) {
    int32_t bits = read_int(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool wrong(const char *file, tx_diag *diag, const char *what) {
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "%s", what);
    return false;
}

static bool check_counts(const int32_t count[4], size_t length, const char *file, tx_diag *diag) {
    for (int k = 0; k < 4; k++)
        if (count[k] < 0 || count[k] > TX_MESH_MAX) return wrong(file, diag, "the file has an impossible count");
    for (int k = NORMALS; k <= TEXCOORDS; k++)
        if (count[k] && count[k] != count[VERTICES])
            return wrong(file, diag, "normals and texture coordinates must be none, or one for each vertex");
    size_t needed = HEADER + 12 * ((size_t)count[VERTICES] + (size_t)count[NORMALS] + (size_t)count[FACES]) +
                    8 * (size_t)count[TEXCOORDS];
    if (length == needed) return true;
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "the file may be cut off",
                "the file has %zu bytes, but its %d vertices and %d triangles need %zu", length, (int)count[VERTICES],
                (int)count[FACES], needed);
    return false;
}

// of each vertex; what is no number is 0. false: no memory
static bool keep_coords(tx_mesh_data *mesh, const char *bytes) {
    const size_t count = 2 * (size_t)mesh->vertex_count;
    double *coords = tx_alloc(sizeof *coords * (count + 1));
    for (size_t i = 0; coords && i < count; i++) {
        double value = read_float(bytes + 4 * i);
        coords[i] = fabs(value) <= 1e6 ? value : 0;
    }
    bool good = coords && tx_mesh_spread_coords(mesh, coords);
    tx_free(coords);
    return good;
}

bool tx_mesh_read_msh(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    int32_t count[4];
    if (length < HEADER) return wrong(file, diag, "the file is too short to be MSH");
    for (int k = 0; k < 4; k++) count[k] = read_int(bytes + 4 * k);
    if (!check_counts(count, length, file, diag)) return false;
    const char *at = bytes + HEADER;
    for (int i = 0; i < count[VERTICES]; i++, at += 12) {
        double point[3];
        for (int k = 0; k < 3; k++) {
            point[k] = read_float(at + 4 * k);
            if (isfinite(point[k])) continue;
            tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "vertex %d is not finite", i);
            return false;
        }
        tx_mesh_added added = tx_mesh_add_vertex(mesh, point);
        if (added) return wrong(file, diag, tx_mesh_why(added));
    }
    const char *coords = at + 12 * (size_t)count[NORMALS];
    at = coords + 8 * (size_t)count[TEXCOORDS];
    for (int i = 0; i < count[FACES]; i++, at += 12) {
        int32_t corner[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = read_int(at + 4 * k);
            if (corner[k] >= 0 && corner[k] < count[VERTICES]) continue;
            tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "the first vertex is 0",
                        "triangle %d has vertex %d, but there are %d vertices", i, (int)corner[k],
                        (int)count[VERTICES]);
            return false;
        }
        tx_mesh_added added = tx_mesh_add_face(mesh, corner[0], corner[1], corner[2]);
        if (added) return wrong(file, diag, tx_mesh_why(added));
    }
    return !mesh->wants_coords || !count[TEXCOORDS] || keep_coords(mesh, coords) ||
           wrong(file, diag, tx_mesh_why(TX_MESH_NO_MEMORY));
}
