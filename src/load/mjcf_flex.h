// mjcf_flex.h - soft bodies as MJCF says them: <flexcomp> and <deformable><flex>, read and checked. docs/mjcf.md.
#pragma once
#include "compile/flex.h"
#include "load/mjcf.h"

// how a <flexcomp> gets its vertices: by shape (the first ones are tx_flex_shape), or as the file says
typedef enum tx_mjcf_flex_type {
    TX_MJCF_FLEX_MESH = TX_FLEX_SHAPES,
    TX_MJCF_FLEX_GMSH,
    TX_MJCF_FLEX_DIRECT
} tx_mjcf_flex_type;
enum {
    TX_MJCF_FLEX_DOF_FULL,
    TX_MJCF_FLEX_DOF_RADIAL,
    TX_MJCF_FLEX_DOF_TRILINEAR,
    TX_MJCF_FLEX_DOF_QUADRATIC,
    TX_MJCF_FLEX_DOF_2D
};

typedef struct tx_mjcf_flex {
    const char *name, *material;
    int dim, dof, group;
    double radius; // of vertices [m]
    float rgba[4];
    bool flatskin;
    int cellcount[3];
    tx_mjcf_list texcoord;   // two a vertex
    tx_mjcf_intlist element; // dim + 1 vertices each

    // <flexcomp>
    int type, count[3];
    double spacing[3], scale[3], origin[3], mass, inertiabox; // [m], 1, [m], [kg], [m]
    int origin_given;
    double pos[3];
    tx_mjcf_orientation orientation;
    double quat[4]; // that and the frames around it
    const char *file, *mesh;
    tx_mjcf_list point;
    bool rigid;

    // <flex>
    const char *body, *node; // names
    tx_mjcf_list vertex, nodecoord;
    tx_mjcf_intlist elemtexcoord;

    struct tx_mjcf_flex_edge {
        int equality; // 0: none, 1: of each edge, 2: of strains
        double solref[2], solimp[5], stiffness, damping;
    } edge;
    struct tx_mjcf_flex_elasticity {
        double young, poisson, damping, thickness, shear; // [Pa], 1, [s], [m], [Pa]
        double yield[2], sectionsize[2];
        int elastic2d; // 0: none, 1: bends, 2: stretches, 3: both
        int section;   // of a line; 0: circle, 1: box
    } elasticity;
    struct tx_mjcf_flex_contact {
        int contype, conaffinity, condim, priority, selfcollide, activelayers;
        double friction[3], solmix, solref[2], solimp[5], margin, gap;
        bool passive;
    } contact;
} tx_mjcf_flex;

// its vertices in the body that it hangs from; of a <flex> as they are written, each in its own body
typedef struct tx_mjcf_flex_result {
    const tx_mjcf_flex *values;
    const tx_flex_mesh *mesh;
    double vertex_mass; // of each vertex of a <flexcomp> that is not pinned [kg]
} tx_mjcf_flex_result;

void tx_mjcf_flexcomp_element(tx_mjcf *m, tx_xml_element *element, void *scope);
void tx_mjcf_deformable(tx_mjcf *m, tx_xml_element *element, void *context);

// whether what an element, or a child of it, says itself is in range; a message for each number that is not
bool tx_mjcf_flex_in_range(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *flex);
// vertices and elements of a <flexcomp>; false, with messages, when there are none
bool tx_mjcf_flex_make(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *flex, tx_flex_mesh *mesh);
// a message where something does not fit; returns whether all is well
bool tx_mjcf_flex_added(tx_mjcf *m, tx_xml_element *element, const char *attribute, tx_flex_added added);
// GMSH 2.2 or 4.1, as text; false, with messages in diag, when the file is broken or has other elements than mesh->dim
bool tx_flex_read_gmsh(const char *bytes, size_t length, const char *file, tx_flex_mesh *mesh, tx_diag *diag);
