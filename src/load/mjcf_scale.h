// mjcf_scale.h - <frame scale scaling massscale>: what is inside is resized about the frame's origin, and what refers
// to it from elsewhere follows (MuJoCo's rules, docs/frames.md). Without such a frame nothing here changes a number.
#pragma once
#include "load/mjcf.h"

// How the content of frames is resized. A null pointer: not at all.
typedef struct tx_mjcf_scale {
    double map[9];                 // of places, in the axes of the innermost frame or body
    double length;                 // of lengths without a direction: the geometric mean of the three factors
    double mass;                   // of masses
    double unit_length, unit_mass; // of what is measured with forces: frames with scaling="geometry" do not count
    bool even;                     // the same factor in all directions
    const tx_xml_element *frame;   // the innermost one that resizes
    const struct tx_mjcf_scale *outer;
} tx_mjcf_scale;

// The factors of a coordinate (a joint, a tendon, a transmission): of its positions, of the same as far as forces
// follow, and of the force along it. Those of an angle are 1, 1 and that of a torque.
typedef struct tx_mjcf_units {
    double length, unit, force;
} tx_mjcf_units;

// Where a point of the world stands once the frames around it are resized.
typedef struct tx_mjcf_move {
    double map[9], from[3], to[3]; // x goes to `to` + map (x - from)
} tx_mjcf_move;

// ---- the tree of bodies --------------------------------------------------------------------------------------------

extern const tx_mjcf_keyword tx_mjcf_scalings[];
// the scale inside a frame that stands in one (`outer` may be null) with an orientation, and has one of its own
const tx_mjcf_scale *tx_mjcf_frame_scale(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scale *outer,
                                         const double quat[4], const double scale[3], int scaling, double massscale);
// the scale in the axes of something that is turned by a quaternion
const tx_mjcf_scale *tx_mjcf_turned_scale(tx_mjcf *m, const tx_mjcf_scale *scale, const double quat[4]);
void tx_mjcf_scale_point(const tx_mjcf_scale *scale, double point[3]);

// each resizes a definition that was read in the scope; places are left to tx_mjcf_leave_frame()
void tx_mjcf_scale_inertial(const tx_mjcf_scale *scale, tx_body_def *def);
void tx_mjcf_scale_joint(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope, tx_joint_def *def);
// `fromto`: pose and half length come from end points that were moved
void tx_mjcf_scale_geom(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope, tx_geom_def *def, bool fromto);
void tx_mjcf_scale_site(const tx_mjcf_scope *scope, tx_site_def *def, bool fromto);

// remembers the scale of what has a name
void tx_mjcf_note_scale(tx_mjcf *m, tx_object kind, const char *name, const tx_mjcf_scale *scale);
// how a keyframe's numbers of a free joint or a mocap body in the world move; null where they do not
const tx_mjcf_move *tx_mjcf_world_move(tx_mjcf *m, const tx_mjcf_scope *scope);

// ---- what refers to it ---------------------------------------------------------------------------------------------

tx_mjcf_units tx_mjcf_joint_units(const tx_mjcf_scale *scale, tx_joint_type type, const double axis[3]);
void tx_mjcf_note_units(tx_mjcf *m, tx_object kind, const char *name, tx_mjcf_units units);
// returns the factor of its lengths
double tx_mjcf_scale_tendon(tx_mjcf *m, tx_tendon_def *def, tx_path_def *path);
// returns the factors of its transmission
tx_mjcf_units tx_mjcf_scale_actuator(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a);
void tx_mjcf_scale_equality(tx_mjcf *m, tx_equality_def *def);
void tx_mjcf_scale_pair(tx_mjcf *m, tx_pair_def *def);
void tx_mjcf_scale_sensor(tx_mjcf *m, tx_sensor_def *def);
// the controls and activations of an actuator in keyframes
void tx_mjcf_actuator_factors(const tx_mjcf_actuator *a, tx_mjcf_units units, double control[4], double activation[5]);
