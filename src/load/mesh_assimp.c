// mesh_assimp.c - meshes of many kinds (DAE, PLY, glTF) through assimp, a library that is opened when the first such
// mesh is read: a program without them neither needs it nor waits for it.
//
// Of its C interface only what does not depend on the layout of its scenes is used: a file is imported, written as STL
// into memory, and read from there. That is the same in all versions since 3.
#include "base/diag.h"
#include "load/mesh_file.h"

#ifdef TX_ASSIMP

#include <dlfcn.h>
#include <string.h>

typedef struct aiScene aiScene;
typedef struct aiPropertyStore aiPropertyStore;
typedef struct aiExportDataBlob {
    size_t size;
    void *data; // the rest is not looked at
} aiExportDataBlob;

#define CALLS(X)                                                                                \
    X(aiPropertyStore *, aiCreatePropertyStore, (void))                                         \
    X(void, aiReleasePropertyStore, (aiPropertyStore *))                                        \
    X(void, aiSetImportPropertyInteger, (aiPropertyStore *, const char *, int))                 \
    X(const aiScene *, aiImportFileFromMemoryWithProperties,                                    \
      (const char *, unsigned, unsigned, const char *, const aiPropertyStore *))                \
    X(void, aiReleaseImport, (const aiScene *))                                                 \
    X(const aiExportDataBlob *, aiExportSceneToBlob, (const aiScene *, const char *, unsigned)) \
    X(void, aiReleaseExportBlob, (const aiExportDataBlob *))                                    \
    X(const char *, aiGetErrorString, (void))

typedef struct library {
    void *handle;
#define X(result, name, arguments) result(*name) arguments;
    CALLS(X)
#undef X
} library;

// it stays in memory when it is closed, so that the next mesh finds it at once
static bool open_library(library *l) {
    static const char *const names[] = {"libassimp.so.5", "libassimp.so.6", "libassimp.so"};
    *l = (library){0};
    for (int i = 0; i < 3 && !l->handle; i++) l->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool whole = l->handle != NULL;
#define X(result, name, arguments)              \
    if (whole) {                                \
        void *found = dlsym(l->handle, #name);  \
        memcpy(&l->name, &found, sizeof found); \
        whole = found != NULL;                  \
    }
    CALLS(X)
#undef X
    if (!whole && l->handle) dlclose(l->handle);
    return whole;
}

// positions alone, in metres: equal ones joined, the poses of nodes applied. As in ROS, z stays z whatever up_axis says
static const aiScene *import(const library *l, const char *bytes, size_t length, const char *ending) {
    enum { JOIN = 0x2, TRIANGLES = 0x8, REMOVE = 0x10, APPLY_POSES = 0x100, APPLY_UNITS = 0x8000000 };
    // normals, tangents, colours, texture coordinates, bones, animations, textures, lights, cameras, materials
    enum { UNUSED = 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200 | 0x800 };
    aiPropertyStore *store = l->aiCreatePropertyStore();
    if (!store) return NULL;
    l->aiSetImportPropertyInteger(store, "PP_RVC_FLAGS", UNUSED);
    l->aiSetImportPropertyInteger(store, "IMPORT_COLLADA_IGNORE_UP_DIRECTION", 1);
    const unsigned steps = TRIANGLES | REMOVE | JOIN | APPLY_POSES | APPLY_UNITS;
    const aiScene *scene = l->aiImportFileFromMemoryWithProperties(bytes, (unsigned)length, steps, ending, store);
    l->aiReleasePropertyStore(store);
    return scene;
}

bool tx_mesh_read_assimp(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    library l;
    if (!open_library(&l)) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0,
                    "install assimp (Debian: libassimp5, Fedora: assimp), or convert it to .obj or .stl",
                    "such a mesh is read by libassimp, which is not here");
        return false;
    }
    const aiScene *scene = import(&l, bytes, length, strrchr(file, '.') + 1);
    const aiExportDataBlob *blob = scene ? l.aiExportSceneToBlob(scene, "stlb", 0) : NULL;
    bool good = blob && tx_mesh_read_stl(blob->data, blob->size, file, mesh, diag);
    if (!blob) tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, l.aiGetErrorString(), "the mesh cannot be read");
    if (blob) l.aiReleaseExportBlob(blob);
    if (scene) l.aiReleaseImport(scene);
    dlclose(l.handle);
    return good;
}

#else

bool tx_mesh_read_assimp(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    (void)bytes, (void)length, (void)mesh;
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "convert it to .obj or .stl, or build Thixis with TX_ASSIMP",
                "this build cannot read such a mesh");
    return false;
}

#endif
