// mesh_assimp.c - meshes of many kinds (DAE, PLY, glTF) through assimp, in builds that have it.
#include "base/diag.h"
#include "load/mesh_file.h"

#ifdef TX_ASSIMP

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <string.h>

static bool report(tx_diag *diag, const char *file, const char *hint, const char *text) {
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, hint, "%s", text);
    return false;
}

// positions alone, in metres: equal ones joined, the poses of nodes applied. As in ROS, z stays z whatever up_axis says
static const struct aiScene *import(const char *bytes, size_t length, const char *ending) {
    const unsigned steps = aiProcess_Triangulate | aiProcess_RemoveComponent | aiProcess_JoinIdenticalVertices |
                           aiProcess_PreTransformVertices | aiProcess_GlobalScale;
    const int unused = aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                       aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS | aiComponent_TEXTURES |
                       aiComponent_LIGHTS | aiComponent_CAMERAS | aiComponent_MATERIALS;
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (!store) return NULL;
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS, unused);
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene = aiImportFileFromMemoryWithProperties(bytes, (unsigned)length, steps, ending, store);
    aiReleasePropertyStore(store);
    return scene;
}

static tx_mesh_added add_part(const struct aiMesh *part, tx_mesh_data *mesh) {
    int first = mesh->vertex_count;
    tx_mesh_added added = TX_MESH_ADDED;
    for (unsigned i = 0; !added && i < part->mNumVertices; i++) {
        const struct aiVector3D *v = &part->mVertices[i];
        added = tx_mesh_add_vertex(mesh, (const double[3]){(double)v->x, (double)v->y, (double)v->z});
    }
    for (unsigned i = 0; !added && i < part->mNumFaces; i++) {
        const struct aiFace *face = &part->mFaces[i];
        // points and lines have no surface
        if (face->mNumIndices != 3) continue;
        const unsigned *corner = face->mIndices, count = part->mNumVertices;
        if (corner[0] >= count || corner[1] >= count || corner[2] >= count) continue;
        added = tx_mesh_add_face(mesh, first + (int)corner[0], first + (int)corner[1], first + (int)corner[2]);
    }
    return added;
}

bool tx_mesh_read_assimp(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    const struct aiScene *scene = import(bytes, length, strrchr(file, '.') + 1);
    if (!scene) return report(diag, file, aiGetErrorString(), "the mesh cannot be read");
    tx_mesh_added added = TX_MESH_ADDED;
    for (unsigned i = 0; !added && i < scene->mNumMeshes; i++) added = add_part(scene->mMeshes[i], mesh);
    aiReleaseImport(scene);
    if (added) return report(diag, file, "", tx_mesh_why(added));
    return true;
}

#else

bool tx_mesh_read_assimp(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    (void)bytes, (void)length, (void)mesh;
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0,
                "convert it to .obj or .stl, or build Thixis where assimp is installed",
                "this build cannot read such a mesh");
    return false;
}

#endif
