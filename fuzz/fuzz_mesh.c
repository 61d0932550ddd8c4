// fuzz_mesh.c - any bytes as a mesh file: no crash, no leak, indices in range, and a model or an error.
// The first byte chooses the kind of file, and how mass is made from the mesh; 16: a GMSH file of that dim, whose mesh
// is connected.
#include <stdlib.h>

#include "load/mesh_file.h"
#include "load/mjcf_flex.h"
#include "thixis/builder.h"
#include "thixis/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// the mesh as the shape of a free body
static void compile(const tx_mesh_data *mesh, int inertia) {
    tx_builder *builder = tx_builder_create();
    if (!builder) return;
    tx_mesh_def def = tx_default_mesh_def();
    def.name = "mesh";
    def.vertices = mesh->vertices;
    def.faces = mesh->faces;
    def.vertex_count = mesh->vertex_count;
    def.face_count = mesh->face_count;
    def.inertia = (tx_mesh_inertia)inertia;
    tx_body_def body = tx_default_body_def();
    tx_joint_def joint = tx_default_joint_def();
    joint.type = TX_JOINT_FREE;
    tx_geom_def geom = tx_default_geom_def();
    geom.type = TX_GEOM_MESH;
    geom.mesh = "mesh";
    tx_builder_mesh(builder, &def);
    int index = tx_builder_body(builder, 0, &body);
    tx_builder_joint(builder, index, &joint);
    tx_builder_geom(builder, index, &geom);
    tx_diag diag = {0};
    tx_model *model = tx_builder_compile(builder, &diag);
    if ((model == NULL) != (diag.errors > 0)) abort();
    tx_model_destroy(model);
    tx_diag_free(&diag);
    tx_builder_destroy(builder);
}

static void read_soft(const uint8_t *data, size_t size) {
    tx_diag diag = {0};
    tx_flex_mesh mesh = {.dim = 1 + data[0] % 3};
    bool good = tx_flex_read_gmsh((const char *)data + 1, size - 1, "fuzz.msh", &mesh, &diag);
    if (good != (diag.errors == 0)) abort();
    for (int i = 0; good && i < (mesh.dim + 1) * mesh.element_count; i++)
        if (mesh.elements[i] < 0 || mesh.elements[i] >= mesh.vertex_count) abort();
    if (good && tx_flex_weld(&mesh) && tx_flex_connect(&mesh) && mesh.element_count > 0 && mesh.edge_count == 0)
        abort();
    tx_flex_release(&mesh);
    tx_diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    if (data[0] & 16) {
        read_soft(data, size);
        return 0;
    }
    tx_mesh_data mesh = {0};
    tx_diag diag = {0};
    const char *name = data[0] & 8 ? "fuzz.msh" : data[0] & 1 ? "fuzz.stl" : "fuzz.obj";
    bool good = tx_mesh_read((const char *)data + 1, size - 1, name, &mesh, &diag);
    if (good != (diag.errors == 0)) abort();
    for (int i = 0; good && i < 3 * mesh.face_count; i++) {
        if (mesh.faces[i] < 0 || mesh.faces[i] >= mesh.vertex_count) abort();
    }
    if (good) compile(&mesh, data[0] >> 1 & 3);
    tx_mesh_release(&mesh);
    tx_diag_free(&diag);
    return 0;
}
