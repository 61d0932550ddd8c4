// draft.h - a model between its definitions and its arrays: meshes made, frames and masses found, bodies fused and
// numbered.
//
// The passes run in MuJoCo's order: meshes, geoms (frames, sizes, masses), body masses with their bounds, fusing of
// static bodies, leaving out of visual geoms, the check of moving masses, numbering. The total mass is set on the
// finished model.
#pragma once
#include "compile/names.h"
#include "geometry/mesh.h"
#include "geometry/sdf.h"

/// A body; the index is that of its definition.
typedef struct tx_draft_body {
    double pos[3], quat[4];   // in the parent that remains
    double ipos[3], iquat[4]; // centre of mass and principal axes
    double mass, inertia[3];
    int place;  // depth first, before fusing
    int owner;  // itself, or the body it was fused into
    int number; // index in the model; of its owner when it was fused
} tx_draft_body;

/// A geom; the index is that of its definition.
typedef struct tx_draft_geom {
    double size[3], pos[3], quat[4];
    double own_pos[3], own_quat[4]; // before the frame of a mesh is put behind it
    double mass, moments[3];        // 0 where it adds nothing to its body
    int body;                       // that remains
    int mesh;                       // what it looks like; -1: a primitive
    int hfield;                     // its height field; -1: none
    bool dropped;
    int number;
} tx_draft_geom;

/// A site or a camera; the index is that of its definition.
typedef struct tx_draft_site {
    double pos[3], quat[4];
    int body; // that remains
    int number;
} tx_draft_site;

typedef struct tx_draft {
    const tx_builder *b;
    const tx_catalog *catalog;
    tx_draft_body *body;
    tx_draft_geom *geom;
    tx_draft_site *site, *camera;
    tx_mesh *mesh;
    tx_sdf *sdf;      // per mesh; without values where no geom asks for it
    int *mesh_number; // -1: dropped
    int *order;       // bodies depth first, children in the order of the calls

    // what the model has: definition of each body, joint, geom, site, camera, mesh in the model's order
    int nbody, njnt, ngeom, nsite, ncam, nmesh;
    int *body_def, *joint_def, *geom_def, *site_def, *camera_def, *mesh_def;
    int *joint_first, *geom_first; // per body of the model, and one behind the last
    int *joint_number;             // definition -> model
    void *memory;
} tx_draft;

/// Runs all passes. @return false when there was an error; free it in any case
bool tx_draft_create(tx_draft *draft, const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);
void tx_draft_free(tx_draft *draft);

// the passes, in their own files
bool tx_draft_meshes(tx_draft *draft, tx_diag *diag);
bool tx_draft_geoms(tx_draft *draft, tx_diag *diag);
bool tx_draft_masses(tx_draft *draft, tx_diag *diag);
bool tx_draft_check_masses(const tx_draft *draft, tx_diag *diag);
void tx_draft_merge(tx_draft_body *into, const tx_draft_body *body,
                    bool *good); // adds mass and inertia of a fused body
