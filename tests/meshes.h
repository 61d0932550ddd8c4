// meshes.h - a tetrahedron, and what makes meshes and models of a definition, for the tests of meshes.
#pragma once
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/mesh.h"
#include "thixis/builder.h"

static const double TET[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int TET_FACES[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define MESH(points, triangles)                        \
    ((tx_mesh_def){.name = "m",                        \
                   .vertices = points,                 \
                   .faces = triangles,                 \
                   .vertex_count = COUNT(points) / 3,  \
                   .face_count = COUNT(triangles) / 3, \
                   .scale = {1, 1, 1},                 \
                   .refquat = {1}})

static inline tx_mesh built(const tx_mesh_def *def, bool hull) {
    tx_mesh mesh;
    tx_mesh_problem problem = {0};
    if (!tx_mesh_build(&mesh, def, hull, &problem)) fail_msg("%s", problem.text);
    return mesh;
}

static inline void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g +- %g", a, b, tolerance);
}

// a free body with one geom that is, or was fitted to, a mesh
static inline tx_model *body_with(const tx_mesh_def *mesh, const tx_geom_def *geom, tx_diag *diag) {
    tx_builder *b = tx_builder_create();
    tx_body_def body = tx_default_body_def();
    tx_joint_def joint = tx_default_joint_def();
    joint.type = TX_JOINT_FREE;
    tx_builder_joint(b, tx_builder_body(b, 0, &body), &joint);
    assert_int_equal(tx_builder_mesh(b, mesh), 0);
    tx_builder_geom(b, 1, geom);
    tx_model *m = tx_builder_compile(b, diag);
    tx_builder_destroy(b);
    return m;
}
