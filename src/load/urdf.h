// urdf.h - what the parts of the URDF reader share: links and joints as they stand in the file. The tables and readers
// are those of MJCF (load/mjcf.h), and so are the calls of the builder.
#pragma once
#include "load/mjcf.h"
#include "thixis/load.h"

typedef enum tx_urdf_type {
    TX_URDF_FIXED,
    TX_URDF_REVOLUTE,
    TX_URDF_CONTINUOUS,
    TX_URDF_PRISMATIC,
    TX_URDF_FLOATING,
    TX_URDF_PLANAR
} tx_urdf_type;

typedef struct tx_urdf_link tx_urdf_link;
typedef struct tx_urdf_joint tx_urdf_joint;

struct tx_urdf_link {
    struct tx_urdf *urdf;
    tx_xml_element *element;
    tx_body_def def;              // without its pose
    tx_urdf_joint *joint;         // to its parent; null: a root
    tx_urdf_joint *first, *last;  // to its children, in the order of the file
    tx_urdf_link *next, *waiting; // of the file; of those whose body comes next
    int body;                     // in the builder
    bool placed, heavy;           // heavy: has mass and inertia, or a link fixed to it has
};

struct tx_urdf_joint {
    tx_xml_element *element;
    int type;
    const char *name, *parent_name, *child_name;
    tx_urdf_link *parent, *child; // null where the file names none that exists
    double pos[3], quat[4];       // of the child in the parent
    double axis[3];
    double lower, upper, effort, velocity, damping, friction;
    int lower_given, upper_given;
    // position = multiplier * position of the joint that is mimicked + offset
    tx_xml_element *mimic;
    const char *mimicked;
    double multiplier, offset;
    tx_urdf_joint *next, *sibling; // of the file; of the same parent
};

typedef struct tx_urdf {
    tx_mjcf m;
    const tx_load_options *options;
    tx_urdf_link *first_link, *last_link;
    tx_urdf_joint *first_joint, *last_joint;
    // tx_urdf_link, tx_urdf_joint, tx_urdf_material by name; names of geoms; tx_urdf_mesh by file and scale; their
    // names
    tx_names links, joints, materials, geoms, meshes, mesh_names;
} tx_urdf;

// A problem that most files can live with: a warning, or an error for those who asked for strictness.
#define TX_URDF_MENDED(u, element, attribute, hint, ...) \
    tx_mjcf_problem(&(u)->m, tx_mjcf_mended(&(u)->m), element, attribute, hint, __VA_ARGS__)

// takes zeroed memory of the load; null: out of memory, which is noted
void *tx_urdf_take(tx_urdf *u, size_t size);

// an <origin>: the pose it means
typedef struct tx_urdf_pose {
    double pos[3], quat[4];
} tx_urdf_pose;
#define TX_URDF_UPRIGHT \
    (tx_urdf_pose) {    \
        .quat = { 1 }   \
    }
void tx_urdf_origin(tx_mjcf *m, tx_xml_element *element, tx_urdf_pose *pose);

// an element of other programs: nothing in it is looked at
void tx_urdf_skip(tx_mjcf *m, tx_xml_element *element, void *context);

// ---- materials -----------------------------------------------------------------------------------------------------

typedef struct tx_urdf_material {
    const char *name;
    float rgba[4];
    int rgba_given;
} tx_urdf_material;

// reads a <material> once and makes its name known when it has a colour; null: out of memory
const tx_urdf_material *tx_urdf_read_material(tx_urdf *u, tx_xml_element *element);

// ---- links and joints ----------------------------------------------------------------------------------------------

void tx_urdf_inertial_element(tx_mjcf *m, tx_xml_element *element, void *link);
void tx_urdf_link_element(tx_mjcf *m, tx_xml_element *element, void *urdf);
void tx_urdf_joint_element(tx_mjcf *m, tx_xml_element *element, void *urdf);

// the links of every joint; what is missing, has two parents or goes round in a circle is reported
void tx_urdf_connect(tx_urdf *u);

// into the builder: the joints of a link's body; its geoms
void tx_urdf_add_joints(tx_urdf *u, const tx_urdf_link *link);
void tx_urdf_add_geoms(tx_urdf *u, tx_urdf_link *link);
// what moves has mass: a link without gets a little
void tx_urdf_mend_masses(tx_urdf *u);
// joints that follow others; velocity limits that nothing enforces
void tx_urdf_add_mimics(tx_urdf *u);
void tx_urdf_report_velocities(tx_urdf *u);

// The mesh in a file with a scale: read when it is needed for the first time.
typedef struct tx_urdf_mesh {
    const char *name;
    bool flat; // it encloses nothing
} tx_urdf_mesh;
// null with a message: a warning for a mesh that is only seen, or has no surface
const tx_urdf_mesh *tx_urdf_find_mesh(tx_urdf *u, tx_xml_element *element, const char *file, const double scale[3],
                                      bool visual);

// ---- the whole file ------------------------------------------------------------------------------------------------

// folder: where meshes are sought, with its slash; null: there are no files
tx_mjcf_outcome tx_urdf_parse(tx_stash *stash, tx_xml_element *root, const char *folder, const tx_load_options *options,
                              tx_builder *builder, tx_diag *diag, tx_mjcf_survey *survey);
