// mesh.h - a triangle mesh brought into its principal frame: mass properties, bounds, convex hull. See docs/meshes.md.
#pragma once
#include "geometry/hull.h"
#include "thixis/builder.h"

typedef struct tx_mesh {
    int vertex_count, face_count;
    double *vertex;               // about the centre of mass, along the principal axes [m]
    int *face;                    // 3 vertices each
    tx_hull hull;                 // of `vertex`; empty when it was not asked for
    double volume;                // [m3]; the surface [m2] of a shell
    double pos[3], quat[4];       // this frame in the frame of the definition, after scale, refpos and refquat
    double box[3];                // half sizes of the box with the same mass and moments
    double lowest[3], highest[3]; // bounds of the vertices
} tx_mesh;

/// What is wrong with a mesh, and what to do.
typedef struct tx_mesh_problem {
    char text[160];
    const char *hint;
} tx_mesh_problem;

/// Makes a mesh as MuJoCo does. Without faces the hull is the surface.
/// @return false: `problem` says why, the mesh is empty
bool tx_mesh_build(tx_mesh *mesh, const tx_mesh_def *def, bool with_hull, tx_mesh_problem *problem);
void tx_mesh_free(tx_mesh *mesh);

/// Corner of a face that stands at place i of all corners when a reflection has turned the faces around.
static inline int tx_turned_corner(int i, bool turned) {
    return !turned || i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1;
}

/// Principal moments of a mesh with this mass.
void tx_mesh_moments(const tx_mesh *mesh, double mass, double moments[3]);

/// Size and place (in the mesh's frame) of a sphere, capsule, cylinder, ellipsoid or box that stands for the mesh: with
/// the same inertia box, or around the bounds. @return false for other types
bool tx_mesh_fit(const tx_mesh *mesh, int type, bool bounds, double size[3], double pos[3]);
