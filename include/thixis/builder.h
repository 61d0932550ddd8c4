// builder.h - a model described in code. Calls carry MJCF's element names; the MJCF loader uses the same calls.
// Units: m, kg, s, N, rad everywhere. Frames: a body's pose is in its parent, a geom's and a joint's in its body.
// Quaternions are (w, x, y, z); they are normalised when the model is compiled.
#ifndef THIXIS_BUILDER_H
#define THIXIS_BUILDER_H

#include "thixis/base.h"

// Every definition has two ways to its defaults: tx_default_x_def() returns them, tx_x_def_init(&def, sizeof def)
// writes them. The second answers TX_ERROR_UNSUPPORTED when the caller's headers are not those of the library.
// Definitions and all they point to stay the caller's; the builder copies what it needs.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_builder tx_builder;
typedef struct tx_model tx_model;

/// The order is part of the contact convention: a contact's normal points from the lower type to the higher.
typedef enum tx_geom_type {
    TX_GEOM_PLANE = 0,
    TX_GEOM_HFIELD = 1,
    TX_GEOM_SPHERE = 2,
    TX_GEOM_CAPSULE = 3,
    TX_GEOM_ELLIPSOID = 4,
    TX_GEOM_CYLINDER = 5,
    TX_GEOM_BOX = 6,
    TX_GEOM_MESH = 7,
    TX_GEOM_SDF = 8, ///< a mesh of any shape, by its signed distance field; TX_GEOM_MESH collides as its convex hull
    TX_GEOM_COUNT
} tx_geom_type;

typedef enum tx_joint_type {
    TX_JOINT_FREE = 0,
    TX_JOINT_BALL = 1,
    TX_JOINT_SLIDE = 2,
    TX_JOINT_HINGE = 3
} tx_joint_type;

/// Limits of joints, controls and forces: `auto` means limited iff a range was given (lo < hi).
typedef enum tx_switch { TX_SWITCH_OFF = 0, TX_SWITCH_ON = 1, TX_SWITCH_AUTO = 2 } tx_switch;

/// Where a definition stands in a file, for diagnostics; all zero when it was written in code.
typedef struct tx_source {
    const char *file; ///< copied by the builder; may be null
    int line, column;
} tx_source;

/// How a step advances the state. All but Euler work at any damping; see docs/integrators.md.
typedef enum tx_integrator {
    TX_INTEGRATOR_EULER = 0,        ///< semi-implicit Euler, joint damping implicit
    TX_INTEGRATOR_IMPLICITFAST = 1, ///< implicit in the velocity, without Coriolis derivatives, symmetric
    TX_INTEGRATOR_IMPLICIT = 2,     ///< implicit in the velocity, with Coriolis derivatives
    TX_INTEGRATOR_RK4 = 3,          ///< fourth-order Runge-Kutta
    TX_INTEGRATOR_MIDPOINT = 4,     ///< implicit midpoint rule: keeps momentum and, for a free body, energy
    TX_INTEGRATOR_DISCRETE = 5,     ///< the next velocity from one problem, implicit in damping, stiffness, constraints
    TX_INTEGRATOR_COUNT
} tx_integrator;

/// How pairs of geoms that may touch are found. Contacts and their order are the same.
typedef enum tx_broadphase {
    TX_BROADPHASE_AUTO = 0,  ///< the table for models with few pairs, else the sweep
    TX_BROADPHASE_TABLE = 1, ///< every pair of a table made when the model is compiled
    TX_BROADPHASE_SWEEP = 2, ///< sweep and prune: needs no table
    TX_BROADPHASE_COUNT
} tx_broadphase;

/// How the distance or depth of two convex shapes without a closed form is found. See docs/collision.md.
typedef enum tx_narrowphase {
    TX_NARROWPHASE_GJK = 0, ///< GJK, and EPA for what overlaps: the least depth
    TX_NARROWPHASE_MPR = 1, ///< MPR for what overlaps: faster, a depth that separates; GJK for what is only near
    TX_NARROWPHASE_COUNT
} tx_narrowphase;

/// Most points of contact that any pair can have.
#define TX_MAX_CONTACTS_PER_PAIR 8

/// Most that any number of a model may be, unless its own range says less.
#define TX_LARGEST 1e10
/// The same of the stiffness, damping and armature of joints.
#define TX_STIFFEST 1e20

/// Options of a model, each with its range: X(name, size, lowest, highest, meaning) for numbers,
/// X(name, lowest, highest, meaning) for counts and choices, X(name, meaning) for switches.
/// Files, the builder, tx_sim_set_options() and compiled models refuse what is out of range.
#define TX_OPTION_NUMBERS(X)                                                                                           \
    X(timestep, 1, 1e-12, 1e3, "[s]")                                                                                  \
    X(tolerance, 1, -1, TX_LARGEST, "stop test of the solver, unit-free; below 0: the law's own")                      \
    X(momentum_tolerance, 1, 0, 1, "primal solvers also stop at this share of the momenta; 0: they do not")            \
    X(gain_tolerance, 1, 0, TX_LARGEST, "pgs stops when a sweep gains less, unit-free; 0: by tolerance")               \
    X(ls_tolerance, 1, 0, TX_LARGEST, "stop test of the line search relative to its start slope, unit-free")           \
    X(noslip_tolerance, 1, 0, TX_LARGEST, "the pass against slip ends when a sweep gains less, unit-free")             \
    X(impratio, 1, 1e-10, TX_LARGEST, "ratio of frictional to normal impedance (elliptic cone)")                       \
    X(stiffness, 1, 0, TX_STIFFEST, "of every contact, laws sap, similar and lagged [N/m]; 0: from solref and solimp") \
    X(relaxation, 1, -1, TX_LARGEST, "time of its damping, damping / stiffness [s]; -1: from solref")                  \
    X(dissipation, 1, -1, TX_LARGEST, "Hunt & Crossley's, laws similar and lagged [s/m]; -1: from relaxation")         \
    X(beta, 1, 0, 1e3, "contacts are at most so stiff that they vibrate once in so many steps; 0: no bound")           \
    X(sigma, 1, 1e-10, 1e3, "softness of friction relative to the weight of the contact")                              \
    X(stiction, 1, 1e-12, TX_LARGEST, "speed of slip below which similar and lagged contacts stick [m/s]")             \
    X(recovery, 1, 0, TX_LARGEST, "laws hard: most speed at which what overlaps comes apart [m/s]")                    \
    X(recovery_share, 1, 0, 1, "laws hard: share of an overlap that is undone in a step")                              \
    X(restitution, 1, 0, 1, "laws hard: least share of the speed of an impact that is left after it")                  \
    X(bounce_speed, 1, 0, TX_LARGEST, "laws hard: slower impacts do not bounce [m/s]")                                 \
    X(mpr_to_gjk_overlap_ratio, 1, 0, 1e30,                                                                            \
      "MPR: a deeper overlap than this share of the smaller shape's radius is left to GJK and EPA")                    \
    X(mc_perturbation, 1, 0, 0.1,                                                                                      \
      "convex pairs: a face or edge within this angle of the contact touches as a whole, and so far the shapes "       \
      "are turned to look for more points [rad]; 0: one point")                                                        \
    X(mc_tolerance, 1, 0, 1, "convex pairs: points nearer than this share of the smaller shape's radius are one")      \
    X(sleep_tolerance, 1, -TX_LARGEST, TX_LARGEST, "a tree whose dofs are all slower stands still [m/s]")
#define TX_OPTION_COUNTS(X)                                                                                           \
    X(iterations, 0, 100000, "most iterations of the solver per step; 0: the law's own number")                       \
    X(ls_iterations, 1, 10000, "most evaluations of one line search")                                                 \
    X(noslip_iterations, 0, 100000, "most sweeps of the pass against slip after the solver")                          \
    X(integrator, 0, TX_INTEGRATOR_COUNT - 1, "tx_integrator")                                                        \
    X(law, 0, 1000, "index into the law table, see tx_law_name()")                                                    \
    X(solver, 0, 1000, "index into the solver table, see tx_solver_name()")                                           \
    X(actuator_groups_off, 0, 0x7fffffff, "bit g: actuators of group g, 0 to 30, give no force")                      \
    X(broadphase, 0, TX_BROADPHASE_COUNT - 1, "tx_broadphase; a compiled model says which of the two it is made for") \
    X(narrowphase, 0, TX_NARROWPHASE_COUNT - 1, "tx_narrowphase")                                                     \
    X(contacts_per_pair, 0, TX_MAX_CONTACTS_PER_PAIR,                                                                 \
      "most points of contact of one pair; 0: as many as its shapes are best served with")
/// Of every contact, in place of those of geoms and pairs, if `override` is on; gaps stay.
#define TX_OPTION_OVERRIDES(X)                            \
    X(o_margin, 1, -TX_LARGEST, TX_LARGEST, "margin [m]") \
    X(o_solref, 2, -TX_LARGEST, TX_LARGEST, "reference")  \
    X(o_solimp, 5, -TX_LARGEST, TX_LARGEST, "impedance")  \
    X(o_friction, 5, 0, TX_LARGEST, "friction")
#define TX_OPTION_SWITCHES(X)                                                             \
    X(override, "every contact has the numbers above")                                    \
    X(contact, "contacts are detected")                                                   \
    X(equality, "equalities act")                                                         \
    X(limit, "limits act")                                                                \
    X(frictionloss, "dry friction acts")                                                  \
    X(constraint, "any constraint acts")                                                  \
    X(gravity, "gravity acts")                                                            \
    X(damper, "dampers act")                                                              \
    X(spring, "springs act")                                                              \
    X(actuation, "actuators act")                                                         \
    X(warmstart, "a solve starts from the last step's answer")                            \
    X(filterparent, "bodies do not touch their parents; only when the model is compiled") \
    X(refsafe, "time constants of constraints are at least two steps")                    \
    X(eulerdamp, "joint damping is integrated implicitly")                                \
    X(clampctrl, "controls are clamped to their range")                                   \
    X(sensor, "sensors are measured")                                                     \
    X(diagexact, "soft constraints weigh what moves with them now, not at qpos0")         \
    X(speculative, "fast convex geoms meet what they would reach within the step")        \
    X(sleep, "islands at rest leave the step (docs/sleep.md): only if the model was compiled with it; off wakes all")

/// Global options of a model. tx_default_options() gives MuJoCo's defaults.
typedef struct tx_options {
#define X(name, size, lowest, highest, meaning) TX_OPTION_FIELD_##size(name)
#define TX_OPTION_FIELD_1(name)                 double name;
#define TX_OPTION_FIELD_2(name)                 double name[2];
#define TX_OPTION_FIELD_5(name)                 double name[5];
    TX_OPTION_NUMBERS(X)
#undef X
#define X(name, lowest, highest, meaning) int name;
    TX_OPTION_COUNTS(X)
#undef X
#define X(name, size, lowest, highest, meaning) TX_OPTION_FIELD_##size(name)
    TX_OPTION_OVERRIDES(X)
#undef X
#define X(name, meaning) bool name;
    TX_OPTION_SWITCHES(X)
#undef X
#undef TX_OPTION_FIELD_1
#undef TX_OPTION_FIELD_2
#undef TX_OPTION_FIELD_5
} tx_options;
TX_API tx_options tx_default_options(void);
TX_API tx_result tx_options_init(tx_options *options, size_t size);
/// "auto", "table" or "sweep"; null beyond the end.
TX_API const char *tx_broadphase_name(int index);
/// "gjk" or "mpr"; null beyond the end.
TX_API const char *tx_narrowphase_name(int index);

/// Of which actuators the lengths are found.
typedef enum tx_lengthrange_mode {
    TX_LENGTHRANGE_NONE = 0,
    TX_LENGTHRANGE_MUSCLE = 1,
    TX_LENGTHRANGE_ALL = 2
} tx_lengthrange_mode;

/// How the lengths are found that an actuator can have (tx_actuator_def.lengthrange): those given, or the limits of its
/// joint or tendon, or those it reaches when it pulls and pushes in a simulation without other forces or contacts.
typedef struct tx_lengthrange_def {
    tx_lengthrange_mode mode;
    bool useexisting, uselimit; ///< take what is given; take limits
    double accel, maxforce;     ///< the force accelerates by this (norm), but is at most maxforce if that is above 0
    double timeconst;           ///< of the damping [s]
    double timestep, inttotal, interval; ///< step, whole time, and time at its end in which the length counts [s]
    double tolrange;                     ///< most change in that time, relative to the range
} tx_lengthrange_def;

/// What a state is made of. docs/coordinates.md
typedef enum tx_coordinates {
    TX_COORDINATES_REDUCED = 0, ///< positions of joints; joints hold exactly
    TX_COORDINATES_MAXIMAL = 1, ///< poses of bodies, all free; joints are equalities between them
    TX_COORDINATES_COUNT
} tx_coordinates;
TX_API const char *tx_coordinates_name(int index); ///< as `thixis.coordinates` says it; null: there is none

/// How masses are made and changed when the model is compiled; MJCF's <compiler>.
typedef struct tx_compiler_def {
    tx_switch inertiafromgeom;      ///< TX_SWITCH_AUTO: only where a body has none of its own
    int inertiagrouprange[2];       ///< geom groups that have mass
    double boundmass, boundinertia; ///< least mass and moment of a moving body
    bool balanceinertia;            ///< repair moments that no body can have
    double settotalmass;            ///< > 0: scale all masses to this sum
    bool fusestatic;                ///< merge bodies without joints into their parents
    bool discardvisual;             ///< drop geoms that neither collide nor weigh
    tx_lengthrange_def lengthrange;
    tx_coordinates coordinates; ///< TX_COORDINATES_REDUCED
} tx_compiler_def;
TX_API tx_compiler_def tx_default_compiler_def(void);
TX_API tx_result tx_compiler_def_init(tx_compiler_def *def, size_t size);

/// Whether the tree under a body may sleep. TX_SLEEP_AUTO: not where actuators act on it, nor where a tendon with
/// stiffness or damping, or through more than two trees, joins it to others. TX_SLEEP_INIT: asleep from the start.
typedef enum tx_sleep_policy {
    TX_SLEEP_AUTO = 0,
    TX_SLEEP_NEVER = 1,
    TX_SLEEP_ALLOWED = 2,
    TX_SLEEP_INIT = 3
} tx_sleep_policy;

typedef struct tx_body_def {
    const char *name; ///< null or "" for none; copied
    double pos[3], quat[4];
    bool has_inertial; ///< else mass and inertia follow from the geoms
    double mass, ipos[3], iquat[4];
    double inertia[3];     ///< principal moments [kg m2] about the centre of mass, axes given by iquat
    double fullinertia[6]; ///< xx yy zz xy xz yz, in the axes of iquat; used instead of inertia when has_fullinertia
    bool has_fullinertia;
    double gravcomp; ///< part of the body's weight that is taken away: 0 none, 1 all
    bool keep;       ///< it is not fused with its parent, whatever fusestatic says
    bool mocap;      ///< moved by the user (TX_ARRAY_MOCAP_POS, TX_ARRAY_MOCAP_QUAT); child of the world, no joints
    tx_sleep_policy sleep;           ///< of the tree that begins here; a body inside a tree has none
    const tx_compiler_def *compiler; ///< how its mass is made; null: as the builder says; copied
    tx_source source;
} tx_body_def;
TX_API tx_body_def tx_default_body_def(void);
TX_API tx_result tx_body_def_init(tx_body_def *def, size_t size);

/// Orientations as MJCF gives them, in radians; false when a direction is zero or the sequence is wrong. A sequence is
/// three letters: "xyz" turns about the moving axes, "XYZ" about the fixed ones.
TX_API bool tx_quat_axisangle(double quat[4], const double axis[3], double angle);
TX_API bool tx_quat_euler(double quat[4], const double angles[3], const char *sequence);
TX_API bool tx_quat_xyaxes(double quat[4], const double x[3], const double y[3]);
TX_API bool tx_quat_zaxis(double quat[4], const double z[3]);

typedef struct tx_joint_def {
    const char *name;
    tx_joint_type type;
    double pos[3], axis[3];
    tx_switch limited;
    double range[2];                     ///< [rad] or [m]; a ball joint uses range[1] as its largest angle
    double ref, springref;               ///< position in the model's initial pose; where the spring is at rest
    double stiffness, damping, armature; ///< [N m/rad] or [N/m]; per velocity; [kg m2] or [kg]
    double stiffnesspoly[2]; ///< the spring pulls back with stiffness x + [0] x² + [1] x³; of balls x is the angle
    double dampingpoly[2];   ///< the damper with damping v + [0] v|v| + [1] v³
    double springyield;      ///< > 0: stretched further than this [rad] or [m] the spring yields; not of free joints
    double margin, solref[2], solimp[5]; ///< of its limit
    double springdamper[2]; ///< time constant [s] and damping ratio; both > 0: they set stiffness and damping
    double frictionloss;    ///< largest dry friction force [N m] or [N]
    double solref_friction[2], solimp_friction[5];
    tx_switch actuatorfrclimited;
    double actuatorfrcrange[2]; ///< of the sum of all actuators on the joint
    bool actuatorgravcomp;      ///< gravity compensation counts as an actuator force
    bool align; ///< of a free joint: its body, if it has no children, gets the frame of its inertia, and all that
                ///< stands in it stays where it is
    tx_source source;
} tx_joint_def;
TX_API tx_joint_def tx_default_joint_def(void);
TX_API tx_result tx_joint_def_init(tx_joint_def *def, size_t size);

/// What a geom may say of its contacts in place of the options of the same names: X(NAME, name, highest, meaning).
/// How the numbers of two geoms become one: docs/laws.md.
#define TX_GEOM_MATERIALS(X)                                                             \
    X(STIFFNESS, stiffness, 1e20, "stiffness of its contacts [N/m], laws of velocities") \
    X(RELAXATION, relaxation, 1e10, "their damping / stiffness [s]")                     \
    X(DISSIPATION, dissipation, 1e10, "their dissipation after Hunt and Crossley [s/m]") \
    X(BETA, beta, 1e3, "they vibrate once in so many steps, not faster")                 \
    X(SIGMA, sigma, 1e3, "softness of their friction relative to the weight")            \
    X(STICTION, stiction, 1e10, "speed of slip below which they stick [m/s]")            \
    X(RESTITUTION, restitution, 1, "share of the speed of an impact left after it")

typedef struct tx_geom_def {
    const char *name;
    tx_geom_type type;
    double size[3]; ///< sphere: radius; capsule, cylinder: radius, half length; box, ellipsoid: half sizes; plane: half
                    ///< sizes, 0 = infinite
    int sizes_given; ///< how many numbers of size were given, for diagnostics; 3 in code
    double pos[3], quat[4];
    bool has_fromto;
    double fromto[6]; ///< end points of a capsule, cylinder, box or ellipsoid axis; sets pos, quat and the half length
    double density, mass; ///< [kg/m3]; mass < 0 means "from the density"
    double friction[3];   ///< sliding [1], torsional [m], rolling [m]
    double surfacevel[6]; ///< velocity of its surface in its own frame [m/s], then angular velocity about its origin
                          ///< [rad/s]: contacts feel it, the geom stands still (conveyors, turntables)
    int condim;           ///< 1, 3, 4 or 6
    int contype, conaffinity, priority, group;
    double margin, gap, solmix, solref[2], solimp[5];
    /// Of its contacts under laws of velocities and of impulses, TX_GEOM_MATERIALS; below 0: it says nothing.
    double stiffness, relaxation, dissipation, beta, sigma, stiction, restitution;
    const char
        *mesh; ///< name of a mesh: the shape itself (TX_GEOM_MESH, TX_GEOM_SDF), or what a primitive is fitted to
    const char *hfield; ///< name of a height field (TX_GEOM_HFIELD)
    double fitscale;    ///< scale of a fitted primitive
    bool fitaabb;       ///< fit to the bounding box instead of the inertia box
    bool shell;         ///< mass on the surface instead of in the volume
    float rgba[4];
    int texture;          ///< for pictures: what tx_builder_texture() returned, times rgba; -1: none
    double texrepeat[2];  ///< how often a flat texture stands along x and y of the shape
    bool texuniform;      ///< repeated per length, not per size; a cube is laid around the shape stretched to a unit
    bool fluid_ellipsoid; ///< a medium acts on the ellipsoid of its sizes; bodies without such geoms are boxes to it
    double fluidcoef[5];  ///< of that: blunt, slender and turning drag, lift by Kutta, lift by Magnus
    tx_source source;
} tx_geom_def;
TX_API tx_geom_def tx_default_geom_def(void);
TX_API tx_result tx_geom_def_init(tx_geom_def *def, size_t size);

/// A frame fixed in a body: where sensors sit. Its shape is the volume of a touch sensor.
typedef struct tx_site_def {
    const char *name;
    tx_geom_type type; ///< sphere, capsule, ellipsoid, cylinder or box
    double size[3];    ///< as in tx_geom_def
    double pos[3], quat[4];
    int group;
    tx_source source;
} tx_site_def;
TX_API tx_site_def tx_default_site_def(void);
TX_API tx_result tx_site_def_init(tx_site_def *def, size_t size);
/// Pose and length of a capsule, cylinder, box or ellipsoid between two points, as `fromto` of a geom; false: the type
/// has no axis, or the points are the same. size[0] is given and stays.
TX_API bool tx_fromto(tx_geom_type type, const double fromto[6], double size[3], double pos[3], double quat[4]);

/// How a camera moves with its body, and which way it looks.
typedef enum tx_camera_mode {
    TX_CAMERA_FIXED = 0,        ///< fixed in the body
    TX_CAMERA_TRACK = 1,        ///< at a constant offset from the body, turned as at qpos0
    TX_CAMERA_TRACKCOM = 2,     ///< the same of the centre of mass of the body and all below it
    TX_CAMERA_TARGETBODY = 3,   ///< placed in the body, looking at another one, upright
    TX_CAMERA_TARGETBODYCOM = 4 ///< the same, at the centre of mass of that one and all below it
} tx_camera_mode;

/// A camera: it looks along its negative z axis, y is up. Pictures and sensors use it.
typedef struct tx_camera_def {
    const char *name;
    tx_camera_mode mode;
    const char *target; ///< name of the body it looks at
    double pos[3], quat[4];
    bool orthographic;
    double fovy;                            ///< vertical angle [degree]; orthographic: height of the view [m]
    double ipd;                             ///< distance of the two eyes of a viewer [m]
    int resolution[2];                      ///< pixels, width and height
    double sensorsize[2];                   ///< width and height of its sensor [m]; 0: not given, fovy counts
    double focal[2], focalpixel[2];         ///< with a sensor: focal lengths [m], or stronger [pixel]
    double principal[2], principalpixel[2]; ///< and the offset of the principal point [m] or [pixel]
    tx_source source;
} tx_camera_def;
TX_API tx_camera_def tx_default_camera_def(void);

/// What a sensor looks at.
typedef enum tx_object {
    TX_OBJECT_NONE = 0,
    TX_OBJECT_BODY = 1,  ///< its inertial frame: centre of mass and principal axes
    TX_OBJECT_XBODY = 2, ///< its own frame
    TX_OBJECT_GEOM = 3,
    TX_OBJECT_SITE = 4,
    TX_OBJECT_JOINT = 5,
    TX_OBJECT_ACTUATOR = 6,
    TX_OBJECT_TENDON = 7,
    TX_OBJECT_CAMERA = 8,
    TX_OBJECT_MESH = 9, ///< its vertices, for tactile sensors
    TX_OBJECT_COUNT
} tx_object;

/// X(NAME, name in MJCF, numbers, object, cutoff, meaning): the sensors. object: SITE, SCALAR (a hinge or slide joint),
/// BALL (a joint), LIMIT (a joint with limits), ACTUATOR, TENDON, TENDONLIMIT (a tendon with limits), SUBTREE (the body
/// at its top), RELATIVE (any frame, and maybe a reference frame), FRAME, INSIDE (a frame, and a site as reference),
/// PAIR (a geom or all those of a body, and the same as reference), PROJECTION (a site, and a camera as reference),
/// CONTACT (nothing, a geom, a body, a body and all below it as XBODY, or a site's volume; all but the site as
/// reference too), TAXELS (a geom, and a mesh as reference), USER (nothing is measured), or NONE. cutoff: how it bounds
/// a number: BOTH sides, ABOVE, or NEVER; RANGE: nothing is found farther away. Frames without a reference are in world
/// axes, those of sites in the site's own. Where the number of numbers is 0, tx_sensor_def says how many there are.
#define TX_SENSORS(X)                                                                                                 \
    X(TOUCH, touch, 1, SITE, ABOVE, "sum of the normal forces of contacts in the site's volume [N]")                  \
    X(ACCELEROMETER, accelerometer, 3, SITE, BOTH, "acceleration minus gravity [m/s2]; 0 on fixed bodies")            \
    X(VELOCIMETER, velocimeter, 3, SITE, BOTH, "velocity [m/s]")                                                      \
    X(GYRO, gyro, 3, SITE, BOTH, "angular velocity [rad/s]")                                                          \
    X(FORCE, force, 3, SITE, BOTH, "force of the parent on the site's body [N]")                                      \
    X(TORQUE, torque, 3, SITE, BOTH, "its torque about the site [N m]")                                               \
    X(MAGNETOMETER, magnetometer, 3, SITE, BOTH, "magnetic field")                                                    \
    X(CAMPROJECTION, camprojection, 2, PROJECTION, BOTH,                                                              \
      "the site in the camera's picture [pixel], from the top left")                                                  \
    X(RANGEFINDER, rangefinder, 0, RAY, BOTH, "rays along a site's z axis, or of a camera's pixels: TX_RAY_DATA")     \
    X(JOINTPOS, jointpos, 1, SCALAR, BOTH, "position [rad, m]")                                                       \
    X(JOINTVEL, jointvel, 1, SCALAR, BOTH, "velocity [rad/s, m/s]")                                                   \
    X(TENDONPOS, tendonpos, 1, TENDON, BOTH, "length [m]")                                                            \
    X(TENDONVEL, tendonvel, 1, TENDON, BOTH, "its rate [m/s]")                                                        \
    X(TENDONACTUATORFRC, tendonactuatorfrc, 1, TENDON, BOTH, "force of all actuators on the tendon [N]")              \
    X(TENDONLIMITPOS, tendonlimitpos, 1, TENDONLIMIT, BOTH, "distance to the limit minus its margin, 0: far from it") \
    X(TENDONLIMITVEL, tendonlimitvel, 1, TENDONLIMIT, BOTH, "rate of that distance where the limit acts")             \
    X(TENDONLIMITFRC, tendonlimitfrc, 1, TENDONLIMIT, BOTH, "force of the limit [N]")                                 \
    X(ACTUATORPOS, actuatorpos, 1, ACTUATOR, BOTH, "length of its transmission")                                      \
    X(ACTUATORVEL, actuatorvel, 1, ACTUATOR, BOTH, "its rate")                                                        \
    X(ACTUATORFRC, actuatorfrc, 1, ACTUATOR, BOTH, "force, before the gear")                                          \
    X(JOINTACTUATORFRC, jointactuatorfrc, 1, SCALAR, BOTH, "force of all actuators on the joint [N m, N]")            \
    X(BALLQUAT, ballquat, 4, BALL, NEVER, "orientation")                                                              \
    X(BALLANGVEL, ballangvel, 3, BALL, BOTH, "angular velocity [rad/s], axes of the body")                            \
    X(JOINTLIMITPOS, jointlimitpos, 1, LIMIT, BOTH, "distance to the limit minus its margin, 0: far from it")         \
    X(JOINTLIMITVEL, jointlimitvel, 1, LIMIT, BOTH, "rate of that distance where the limit acts")                     \
    X(JOINTLIMITFRC, jointlimitfrc, 1, LIMIT, BOTH, "force of the limit [N m, N]")                                    \
    X(FRAMEPOS, framepos, 3, RELATIVE, BOTH, "place [m]")                                                             \
    X(FRAMEQUAT, framequat, 4, RELATIVE, NEVER, "orientation")                                                        \
    X(FRAMEXAXIS, framexaxis, 3, RELATIVE, NEVER, "x axis")                                                           \
    X(FRAMEYAXIS, frameyaxis, 3, RELATIVE, NEVER, "y axis")                                                           \
    X(FRAMEZAXIS, framezaxis, 3, RELATIVE, NEVER, "z axis")                                                           \
    X(FRAMELINVEL, framelinvel, 3, RELATIVE, BOTH, "velocity [m/s]")                                                  \
    X(FRAMEANGVEL, frameangvel, 3, RELATIVE, BOTH, "angular velocity [rad/s]")                                        \
    X(FRAMELINACC, framelinacc, 3, FRAME, BOTH, "acceleration minus gravity [m/s2]")                                  \
    X(FRAMEANGACC, frameangacc, 3, FRAME, BOTH, "angular acceleration [rad/s2]")                                      \
    X(SUBTREECOM, subtreecom, 3, SUBTREE, BOTH, "centre of mass of a body and all below it [m]")                      \
    X(SUBTREELINVEL, subtreelinvel, 3, SUBTREE, BOTH, "its velocity [m/s]")                                           \
    X(SUBTREEANGMOM, subtreeangmom, 3, SUBTREE, BOTH, "angular momentum about it [kg m2/s]")                          \
    X(INSIDESITE, insidesite, 1, INSIDE, ABOVE, "1 where the frame's origin is in the site's volume, else 0")         \
    X(DISTANCE, distance, 1, PAIR, RANGE, "signed distance [m], the cutoff where they are farther apart")             \
    X(NORMAL, normal, 3, PAIR, RANGE, "direction from the first's nearest point to the second's, 0: too far")         \
    X(FROMTO, fromto, 6, PAIR, RANGE, "nearest points of the first and of the second [m], 0: too far")                \
    X(CONTACT, contact, 0, CONTACT, NEVER, "contacts between the two: see TX_CONTACT_DATA")                           \
    X(USER, user, 0, USER, BOTH, "room for numbers of the user; they stay zero")                                      \
    X(TACTILE, tactile, 0, TAXELS, BOTH,                                                                              \
      "depth [m] of each vertex of a mesh in what is touched, then their speeds along two tangents [m/s]")            \
    X(E_POTENTIAL, e_potential, 1, NONE, BOTH, "potential energy [J]")                                                \
    X(E_KINETIC, e_kinetic, 1, NONE, BOTH, "kinetic energy [J]")                                                      \
    X(CLOCK, clock, 1, NONE, BOTH, "time [s]")

typedef enum tx_sensor_type {
    TX_SENSOR_TOUCH = 0,
    TX_SENSOR_ACCELEROMETER = 1,
    TX_SENSOR_VELOCIMETER = 2,
    TX_SENSOR_GYRO = 3,
    TX_SENSOR_FORCE = 4,
    TX_SENSOR_TORQUE = 5,
    TX_SENSOR_MAGNETOMETER = 6,
    TX_SENSOR_RANGEFINDER = 7,
    TX_SENSOR_JOINTPOS = 8,
    TX_SENSOR_JOINTVEL = 9,
    TX_SENSOR_TENDONPOS = 10,
    TX_SENSOR_TENDONVEL = 11,
    TX_SENSOR_TENDONACTUATORFRC = 12,
    TX_SENSOR_TENDONLIMITPOS = 13,
    TX_SENSOR_TENDONLIMITVEL = 14,
    TX_SENSOR_TENDONLIMITFRC = 15,
    TX_SENSOR_ACTUATORPOS = 16,
    TX_SENSOR_ACTUATORVEL = 17,
    TX_SENSOR_ACTUATORFRC = 18,
    TX_SENSOR_JOINTACTUATORFRC = 19,
    TX_SENSOR_BALLQUAT = 20,
    TX_SENSOR_BALLANGVEL = 21,
    TX_SENSOR_JOINTLIMITPOS = 22,
    TX_SENSOR_JOINTLIMITVEL = 23,
    TX_SENSOR_JOINTLIMITFRC = 24,
    TX_SENSOR_FRAMEPOS = 25,
    TX_SENSOR_FRAMEQUAT = 26,
    TX_SENSOR_FRAMEXAXIS = 27,
    TX_SENSOR_FRAMEYAXIS = 28,
    TX_SENSOR_FRAMEZAXIS = 29,
    TX_SENSOR_FRAMELINVEL = 30,
    TX_SENSOR_FRAMEANGVEL = 31,
    TX_SENSOR_FRAMELINACC = 32,
    TX_SENSOR_FRAMEANGACC = 33,
    TX_SENSOR_SUBTREECOM = 34,
    TX_SENSOR_SUBTREELINVEL = 35,
    TX_SENSOR_SUBTREEANGMOM = 36,
    TX_SENSOR_INSIDESITE = 37,
    TX_SENSOR_DISTANCE = 38,
    TX_SENSOR_NORMAL = 39,
    TX_SENSOR_FROMTO = 40,
    TX_SENSOR_E_POTENTIAL = 41,
    TX_SENSOR_E_KINETIC = 42,
    TX_SENSOR_CLOCK = 43,
    TX_SENSOR_CAMPROJECTION = 44,
    TX_SENSOR_CONTACT = 45,
    TX_SENSOR_USER = 46,
    TX_SENSOR_TACTILE = 47,
    TX_SENSOR_COUNT
} tx_sensor_type;

/// X(NAME, name in MJCF, numbers, meaning): what a contact sensor tells of each contact, in this order. First and
/// second are the two sides of the sensor, or else of the contact; the normal points from the first to the second.
#define TX_CONTACT_DATA(X)                                                          \
    X(FOUND, found, 1, "how many contacts there are; 0: nothing in this slot")      \
    X(FORCE, force, 3, "on the second, in the contact's frame [N]")                 \
    X(TORQUE, torque, 3, "the same [N m]")                                          \
    X(DIST, dist, 1, "distance, negative when they overlap [m]")                    \
    X(POS, pos, 3, "place [m]")                                                     \
    X(NORMAL, normal, 3, "from the first to the second")                            \
    X(TANGENT, tangent, 3, "first tangent")                                         \
    X(LINVEL, linvel, 3, "velocity of the second there, seen from the first [m/s]") \
    X(ANGVEL, angvel, 3, "angular velocity of the same, both in the contact's frame")

/// X(NAME, name in MJCF, numbers, meaning): what a rangefinder tells of each ray, in this order; the pixels of a camera
/// row by row from the top left. Nothing there: -1 for distances, else zero.
#define TX_RAY_DATA(X)                                                     \
    X(DIST, dist, 1, "distance from the origin [m]")                       \
    X(DIR, dir, 3, "direction")                                            \
    X(ORIGIN, origin, 3, "where it begins [m], also where nothing is hit") \
    X(POINT, point, 3, "where it ends [m]")                                \
    X(NORMAL, normal, 3, "of the surface there, outwards")                 \
    X(DEPTH, depth, 1, "distance from the plane of the camera [m]")

typedef enum tx_ray_data {
    TX_RAY_DATA_DIST = 0,
    TX_RAY_DATA_DIR = 1,
    TX_RAY_DATA_ORIGIN = 2,
    TX_RAY_DATA_POINT = 3,
    TX_RAY_DATA_NORMAL = 4,
    TX_RAY_DATA_DEPTH = 5,
    TX_RAY_DATA_COUNT
} tx_ray_data;

typedef enum tx_contact_data {
    TX_CONTACT_DATA_FOUND = 0,
    TX_CONTACT_DATA_FORCE = 1,
    TX_CONTACT_DATA_TORQUE = 2,
    TX_CONTACT_DATA_DIST = 3,
    TX_CONTACT_DATA_POS = 4,
    TX_CONTACT_DATA_NORMAL = 5,
    TX_CONTACT_DATA_TANGENT = 6,
    TX_CONTACT_DATA_LINVEL = 7,
    TX_CONTACT_DATA_ANGVEL = 8,
    TX_CONTACT_DATA_COUNT
} tx_contact_data;

/// Which contacts a contact sensor tells about when there are more than it has slots for.
typedef enum tx_reduce {
    TX_REDUCE_NONE = 0,     ///< the first ones
    TX_REDUCE_MINDIST = 1,  ///< the deepest, deepest first
    TX_REDUCE_MAXFORCE = 2, ///< those with the largest force, largest first
    TX_REDUCE_NETFORCE = 3  ///< one for all of them: their sum in world axes, at the centre of their forces
} tx_reduce;

/// How a number between two samples of the past is found.
typedef enum tx_interp {
    TX_INTERP_HOLD = 0,   ///< that of the earlier one
    TX_INTERP_LINEAR = 1, ///< on the line between them
    TX_INTERP_CUBIC = 2   ///< on a cubic through them (Catmull and Rom)
} tx_interp;
/// Most samples of the past of an actuator or sensor.
#define TX_MOST_SAMPLES 100000

/// Numbers that a simulation measures in every step: tx_sim_array(sim, TX_ARRAY_SENSORDATA).
typedef struct tx_sensor_def {
    const char *name;
    tx_sensor_type type;
    tx_object object; ///< kind of what it looks at; only frame sensors have a choice
    const char *of;   ///< its name
    tx_object reference;
    const char *relative_to; ///< name of the frame in which a frame sensor measures (null or "": the world), or of the
                             ///< other side of a sensor that needs two
    double cutoff;           ///< > 0: larger values are cut, see TX_SENSORS
    double noise;            ///< standard deviation; kept for the user, values have none
    int data;                ///< contact: bits 1 << tx_contact_data; 0: found · rangefinder: 1 << tx_ray_data; 0: dist
    int num;                 ///< contact: slots, 0 means 1 · user: numbers
    tx_reduce reduce;        ///< contact
    int nsample;             ///< how many of its measurements are kept; delay and interval need some
    double delay;            ///< > 0: it says what it measured so long ago [s]
    double interval[2];      ///< > 0: time from one measurement to the next [s]; the time, after -interval and at most
                             ///< 0, of the last one before the start, 0: the first is at the start
    tx_interp interp;        ///< between its measurements
    tx_source source;
} tx_sensor_def;
TX_API tx_sensor_def tx_default_sensor_def(void);
TX_API tx_result tx_sensor_def_init(tx_sensor_def *def, size_t size);

/// A force or torque on one joint: gear * clamp(control).
typedef struct tx_motor_def {
    const char *name;
    const char *joint; ///< name of a hinge or slide joint
    double gear[6];    ///< the first number acts on hinge and slide joints
    tx_switch ctrllimited, forcelimited;
    double ctrlrange[2], forcerange[2];
    tx_source source;
} tx_motor_def;
TX_API tx_motor_def tx_default_motor_def(void);
TX_API tx_result tx_motor_def_init(tx_motor_def *def, size_t size);

/// How an actuator's activation follows its control; the parameters are in tx_actuator_def.dynprm.
typedef enum tx_dynamics {
    TX_DYNAMICS_NONE = 0,        ///< no activation: the control itself drives the force
    TX_DYNAMICS_INTEGRATOR = 1,  ///< rate = control
    TX_DYNAMICS_FILTER = 2,      ///< rate = (control - activation) / dynprm[0]
    TX_DYNAMICS_FILTEREXACT = 3, ///< the same, integrated exactly
    TX_DYNAMICS_MUSCLE =
        4, ///< dynprm: time constants of activation and deactivation [s], width of the switch between them
    TX_DYNAMICS_PID = 5,     ///< with TX_CURVE_PID. dynprm: most integral, most rate of the set point; 0: no limit
    TX_DYNAMICS_DCMOTOR = 6, ///< with TX_CURVE_DCMOTOR: see tx_dcmotor_actuator()
    TX_DYNAMICS_TURN = 7     ///< with TX_CURVE_SO3: the set point is a rotation vector, its rate the controls
} tx_dynamics;

/// How gain and bias follow from length and velocity.
typedef enum tx_force_curve {
    TX_CURVE_AFFINE = 0,  ///< p0 + p1 length + p2 velocity
    TX_CURVE_MUSCLE = 1,  ///< MuJoCo's muscle: range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax
    TX_CURVE_PID = 2,     ///< gain only, the bias is affine: see tx_pid_actuator()
    TX_CURVE_DCMOTOR = 3, ///< gain and bias: see tx_dcmotor_actuator()
    TX_CURVE_SO3 = 4,     ///< gain and bias: see tx_orientation_actuator(); of its three torques that about x
    TX_CURVE_SO3_Y = 5,   ///< the one about y; tx_builder_actuator() adds it and the next
    TX_CURVE_SO3_Z = 6
} tx_force_curve;

/// What the controls of a controller or motor are, in this order.
typedef enum tx_input {
    TX_INPUT_POS = 1,                   ///< set point of the length
    TX_INPUT_VEL = 2,                   ///< set point of the velocity
    TX_INPUT_FF = 4,                    ///< force that is added
    TX_INPUT_VOLTAGE = 8,               ///< of a motor's terminals [V], added to what its controller gives
    TX_INPUT_NONE = 16,                 ///< a motor without any: its terminals are shorted
    TX_INPUT_EXPMAP = 32 + 64 + 128,    ///< of an orientation servo: a rotation vector [rad], three controls
    TX_INPUT_QUAT = 256 + 32 + 64 + 128 ///< of an orientation servo: a quaternion w x y z of any length, four controls
} tx_input;

enum { TX_ACTUATOR_NUMBERS = 10 };

/// A force through a transmission: gain(length, velocity) * (control or activation) + bias(length, velocity), clamped,
/// times the moment. Exactly one of joint, tendon, site, cranksite, body is given.
typedef struct tx_actuator_def {
    const char *name;
    const char *joint;      ///< name of a joint
    bool inparent;          ///< torques on ball and free joints are given in the parent's frame
    const char *tendon;     ///< name of a tendon
    const char *site;       ///< name of a site: force and torque in its frame
    const char *refsite;    ///< with a site: they are in this site's frame, and act against it; null: the world
    const char *cranksite;  ///< a pin that a rod joins to a slider
    const char *slidersite; ///< where the slider is at length zero; it moves along this site's z axis
    double cranklength;     ///< of the rod [m]
    const char *body;       ///< name of a body: pulls it to whatever touches it
    double gear[6]; ///< hinge, slide, tendon and crank: the first number; ball: a torque; free and site: force, torque
    tx_dynamics dynamics;
    tx_force_curve gain_curve, bias_curve;
    double dynprm[TX_ACTUATOR_NUMBERS], gain[TX_ACTUATOR_NUMBERS], bias[TX_ACTUATOR_NUMBERS];
    double armature; ///< of joints and tendons: inertia added to them, times the square of the gear
    double
        damping[3]; ///< the same of a damper: [0] v + [1] v|v| + [2] v³, of the joint or tendon, whatever is commanded
    double dampratio; ///< > 0: bias[2] becomes -2 dampratio sqrt(gain[0] m), m the transmission's inertia at qpos0
    int group;        ///< see tx_options.actuator_groups_off
    int nsample;      ///< how many of its past controls are kept; a delay needs some, delay / timestep are enough
    double delay;     ///< > 0: the controls act so much later [s], at least one step
    tx_interp interp; ///< between past controls
    bool actearly;    ///< the force uses the activation at the end of the step
    int inputs; ///< TX_CURVE_PID, TX_CURVE_DCMOTOR, TX_CURVE_SO3: bits of tx_input, one control each; others: 0, one
                ///< command
    tx_switch ctrllimited, forcelimited, actlimited;
    double ctrlrange[2];            ///< of the control; of a PID controller its pos, of a motor each of its controls
    double velrange[2], ffrange[2]; ///< of the other inputs of a PID controller; they count where lower < upper
    double forcerange[2], actrange[2];
    double lengthrange[2]; ///< of a muscle: the lengths it can have; equal: not given
    tx_source source;
} tx_actuator_def;
TX_API tx_actuator_def tx_default_actuator_def(void);
TX_API tx_result tx_actuator_def_init(tx_actuator_def *def, size_t size);
/// The actuators of MJCF: each is a default one with its own gain, bias and dynamics; name what it acts on, and the
/// ranges where it says so. A motor is the default itself.
TX_API tx_actuator_def tx_position_actuator(double kp, double kv); ///< kp (control - length) - kv velocity
TX_API tx_actuator_def tx_velocity_actuator(double kv);            ///< kv (control - velocity)
TX_API tx_actuator_def tx_intvelocity_actuator(double kp,
                                               double kv); ///< its set point moves with the control; actrange
TX_API tx_actuator_def tx_damper_actuator(double kv);      ///< -kv velocity control; ctrlrange, not negative
TX_API tx_actuator_def tx_cylinder_actuator(double area, double timeconst); ///< pressure times area; bias for more
TX_API tx_actuator_def tx_muscle_actuator(void);          ///< MuJoCo's; gain and bias are the same numbers
TX_API tx_actuator_def tx_adhesion_actuator(double gain); ///< of a body; ctrlrange, not negative
/// kp (pos - length) + kv (vel - velocity) + ki (integral of pos - length) + ff, of the inputs pos and vel; change
/// `inputs` for others, an absent one is zero. gain: ki. bias: 0, -kp, -kv. dynprm: bounds of the integral and of the
/// rate of the set point, 0: none; with the second, set dynamics to TX_DYNAMICS_PID.
TX_API tx_actuator_def tx_pid_actuator(double kp, double ki, double kv);
/// A DC motor driven by its voltage: resistance R [Ohm], motor constant K [N m/A, V s/rad]. Force K i, current
/// i = (V - K velocity) / R. gain: R, K, temperature coefficient of R [1/K], temperature of R [C], kp, ki, kd of its
/// controller [N m/rad ...], most voltage of that. dynprm: time constant of the current [s], most rate of it [A/s],
/// thermal resistance [K/W] and capacitance [J/K], temperature around [C], LuGre's stiffness and damping, most rate of
/// the first input, most integral. bias: amplitude, poles and phase of the cogging force; LuGre's Coulomb and static
/// force, Stribeck's velocity. What is zero is not there. docs/actuators.md
TX_API tx_actuator_def tx_dcmotor_actuator(double resistance, double motor_constant);
/// Turns a ball joint, or a site in the frame of its refsite, to an orientation: torque kp log(q^-1 target) - kv
/// (angular velocity), in the frame of the joint's body or of the site, its size at most forcerange[1]. The controls
/// are a rotation vector; inputs = TX_INPUT_QUAT: a quaternion; dynamics = TX_DYNAMICS_TURN: the rate of the vector.
/// gain: kp. bias: a torque about each axis, -kp, -kv. It stands for three actuators of the model, one per axis: the
/// first has the name, the controls and the activations.
TX_API tx_actuator_def tx_orientation_actuator(double kp, double kv);

/// What the path of a tendon goes through.
typedef enum tx_path_kind {
    TX_PATH_JOINT = 0, ///< the length has `number` times the joint's position; all elements are joints then
    TX_PATH_SITE = 1,  ///< the path goes through the site, straight from the last one
    TX_PATH_GEOM =
        2, ///< between two sites: it wraps around a sphere or an endless cylinder where it would pass through
    TX_PATH_PULLEY = 3, ///< a new branch begins; its length is divided by `number`
    // coordinates of one site (`name`) relative to another (`side`), `number` times each; all elements are such then.
    // docs/coordinates.md
    TX_PATH_HINGE = 4,    ///< the angle about the z axis of `side`, -π to π
    TX_PATH_SLIDE = 5,    ///< how far it is along the z axis of `side` [m]
    TX_PATH_BALL_X = 6,   ///< x of the rotation vector; it moves as the angular velocity about the own x axis does
    TX_PATH_BALL_Y = 7,   ///< y
    TX_PATH_BALL_Z = 8,   ///< z
    TX_PATH_SWING = 9,    ///< length of the rotation vector, 0 to π
    TX_PATH_CONSTANT = 10 ///< `number` itself
} tx_path_kind;

typedef struct tx_path_def {
    tx_path_kind kind;
    const char *name; ///< of the hinge or slide joint, site or geom
    const char *side; ///< geom: name of a site on the side where the path passes; inside the geom: the path stays
                      ///< inside. Coordinate: name of the site that it is relative to
    double number;
} tx_path_def;

/// A length that forces can act on: a sum of joint positions, or the length of a path through sites.
typedef struct tx_tendon_def {
    const char *name;
    const tx_path_def *path; ///< `count` elements
    int count;
    double stiffness, damping; ///< [N/m], [N s/m]
    double stiffnesspoly[2];   ///< the spring pulls back with stiffness x + [0] x² + [1] x³
    double dampingpoly[2];     ///< the damper with damping v + [0] v|v| + [1] v³
    double springyield;        ///< > 0: stretched further than this [m] the spring yields
    double armature;           ///< inertia of its length [kg]; not where it wraps around geoms
    double springlength[2];    ///< the spring is at rest between these; -1 -1: the length where joint springs rest
    tx_switch limited, actuatorfrclimited;
    double range[2], margin, solref[2], solimp[5]; ///< of its limits
    double frictionloss, solref_friction[2], solimp_friction[5];
    double actuatorfrcrange[2]; ///< of the sum of all actuators on the tendon
    tx_source source;
} tx_tendon_def;
TX_API tx_tendon_def tx_default_tendon_def(void);
TX_API tx_result tx_tendon_def_init(tx_tendon_def *def, size_t size);

/// What an equality keeps together.
typedef enum tx_equality_type {
    TX_EQUALITY_CONNECT = 0, ///< a point of body 1 and a point of body 2 (null: the world)
    TX_EQUALITY_WELD = 1,    ///< two bodies, place and orientation
    TX_EQUALITY_JOINT = 2,  ///< position of joint 1 = polynomial of that of joint 2 (null: a constant), both from qpos0
    TX_EQUALITY_TENDON = 3, ///< the same of tendon lengths
    TX_EQUALITY_HINGE = 4,  ///< two sites: their places and their z axes coincide (5 rows)
    TX_EQUALITY_SLIDE = 5   ///< two sites: their axes coincide, the second stays on the z axis of the first (5 rows)
} tx_equality_type;

typedef struct tx_equality_def {
    const char *name;
    tx_equality_type type;
    const char *first, *second; ///< names of bodies, joints or tendons
    bool sites; ///< connect, weld: `first` and `second` name sites that are to coincide; the three below do not count.
                ///< hinge and slide always name sites
    double anchor[3];   ///< connect: the point in body 1 · weld: in body 2 [m]
    double relpos[3];   ///< weld: place of the second in the first [m]
    double relquat[4];  ///< and orientation; all zero: both as they are at qpos0
    double torquescale; ///< weld: weight of the rotation [m]
    double polycoef[5]; ///< of joints and tendons
    bool active;        ///< acts at the start; see TX_ARRAY_EQ_ACTIVE
    double solref[2], solimp[5];
    tx_source source;
} tx_equality_def;
TX_API tx_equality_def tx_default_equality_def(void);
TX_API tx_result tx_equality_def_init(tx_equality_def *def, size_t size);

/// A pair of geoms with contact parameters of its own; it replaces the automatic pair. What is not given is mixed from
/// the geoms.
typedef struct tx_pair_def {
    const char *geom1, *geom2;
    int condim; ///< 0: from the geoms
    bool has_friction, has_solref, has_solimp, has_margin, has_gap;
    double friction[5], solref[2], solimp[5], margin, gap;
    double solref_friction[2]; ///< of the tangents of elliptic cones; 0 0: as solref
    tx_source source;
} tx_pair_def;
TX_API tx_pair_def tx_default_pair_def(void);
TX_API tx_result tx_pair_def_init(tx_pair_def *def, size_t size);

/// How mass follows from a mesh.
typedef enum tx_mesh_inertia {
    TX_MESH_INERTIA_LEGACY = 0,
    TX_MESH_INERTIA_EXACT = 1,
    TX_MESH_INERTIA_CONVEX = 2,
    TX_MESH_INERTIA_SHELL = 3
} tx_mesh_inertia;

/// A triangle mesh. Vertices are copied; faces may be absent (then the convex hull is the surface).
typedef struct tx_mesh_def {
    const char *name;
    const double *vertices;  ///< 3 numbers each [m]
    const int *faces;        ///< 3 vertex indices each, counter-clockwise seen from outside
    const double *texcoords; ///< where a flat texture lies: 2 per corner of each face, right and down, 1 is its whole
                             ///< width and height; null: none; copied
    int vertex_count, face_count;
    double scale[3], refpos[3], refquat[4];
    tx_mesh_inertia inertia;
    int hull_corners; ///< at most so many corners of its convex hull are found, the farthest out first; 0: all
    double sdf_cell;  ///< distance of the grid points of its signed distance field (TX_GEOM_SDF) [m]; 0: from its size
    tx_source source;
} tx_mesh_def;
TX_API tx_mesh_def tx_default_mesh_def(void);
TX_API tx_result tx_mesh_def_init(tx_mesh_def *def, size_t size);

/// A height field: a grid of heights over a rectangle, solid down to its base. Between the grid points stand two
/// triangles a cell, cut from (row + 1, column) to (row, column + 1).
typedef struct tx_hfield_def {
    const char *name;
    int nrow, ncol; ///< grid points along y and x, at least 2 each
    double size[4]; ///< half size in x, half size in y, height of the highest point over the lowest, base below it [m]
    const double *elevation; ///< nrow * ncol in any unit, row by row from the lowest y; brought to 0 … 1; null: flat
    tx_source source;
} tx_hfield_def;
TX_API tx_hfield_def tx_default_hfield_def(void);
TX_API tx_result tx_hfield_def_init(tx_hfield_def *def, size_t size);

/// A picture that lies on geoms: for tx_scene_add_sim() alone.
typedef struct tx_texture_def {
    bool cube;         ///< six square sides around a shape: +x, -x, +y, -y, +z, -z of the geom, below each other
    int width, height; ///< texels, of one side; 1 to TX_TEXTURE_EDGE
    const int *texels; ///< 0xRRGGBB, row by row from the top; copied
    tx_source source;
} tx_texture_def;
TX_API tx_texture_def tx_default_texture_def(void);
TX_API tx_result tx_texture_def_init(tx_texture_def *def, size_t size);
/// Most texels of a row or a column of a texture.
#define TX_TEXTURE_EDGE 4096
/// Most vertices, and most triangles, of a mesh.
#define TX_MESH_POINTS (1 << 22)
/// Most grid points of a height field.
#define TX_HFIELD_POINTS (1 << 24)

/// A stored state. Null pointers mean the model's initial values; a wrong count is an error.
typedef struct tx_key_def {
    const char *name;
    double time;
    const double *qpos, *qvel, *act, *ctrl, *mpos, *mquat; ///< copied
    const bool *qpos_given; ///< where false, the initial value stands; null: true everywhere; copied
    int qpos_count, qvel_count, act_count, ctrl_count, mpos_count, mquat_count;
    const double *plastic; ///< where springs that yield rest: joints, then tendons; copied
    int plastic_count;
    tx_source source;
} tx_key_def;
TX_API tx_key_def tx_default_key_def(void);
TX_API tx_result tx_key_def_init(tx_key_def *def, size_t size);

/// Bodies that shall not collide, by name.
typedef struct tx_exclude_def {
    const char *body1, *body2;
    tx_source source;
} tx_exclude_def;
TX_API tx_exclude_def tx_default_exclude_def(void);
TX_API tx_result tx_exclude_def_init(tx_exclude_def *def, size_t size);

TX_API tx_builder *tx_builder_create(void); ///< null when out of memory
TX_API void tx_builder_destroy(tx_builder *builder);
/// Settings. @return TX_ERROR_ARGUMENT: a null pointer
/// The name of the model; null: "". @return TX_ERROR_MEMORY: it keeps the name it had
TX_API tx_result tx_builder_name(tx_builder *builder, const char *model_name);
TX_API tx_result tx_builder_options(tx_builder *builder, const tx_options *options);
TX_API tx_result tx_builder_gravity(tx_builder *builder, const double gravity[3]); ///< [m/s2], default (0, 0, -9.81)
TX_API tx_result tx_builder_magnetic(tx_builder *builder,
                                     const double field[3]); ///< of magnetometers, default (0, -0.5, 0)
/// The medium that everything moves in: density [kg/m3], viscosity [Pa s], velocity [m/s]; default none. docs/fluid.md
TX_API tx_result tx_builder_medium(tx_builder *builder, double density, double viscosity, const double wind[3]);

/// Adds a body below `parent` (0 is the world). Children must follow their parent; MJCF's order is depth first.
/// All the adders return the new element's index, or -1 when memory is out, a pointer is null, or an index or a count
/// is out of range. Wrong values are found by tx_builder_compile(), all of them together.
TX_API int tx_builder_body(tx_builder *builder, int parent, const tx_body_def *def);
TX_API int tx_builder_joint(tx_builder *builder, int body, const tx_joint_def *def);
TX_API int tx_builder_geom(tx_builder *builder, int body, const tx_geom_def *def);
TX_API int tx_builder_site(tx_builder *builder, int body, const tx_site_def *def);
TX_API int tx_builder_camera(tx_builder *builder, int body, const tx_camera_def *def);
TX_API int tx_builder_sensor(tx_builder *builder, const tx_sensor_def *def);
TX_API int tx_builder_motor(tx_builder *builder, const tx_motor_def *def);
TX_API int tx_builder_actuator(tx_builder *builder, const tx_actuator_def *def);
TX_API int tx_builder_tendon(tx_builder *builder, const tx_tendon_def *def); ///< the path is copied
TX_API int tx_builder_equality(tx_builder *builder, const tx_equality_def *def);
TX_API int tx_builder_pair(tx_builder *builder, const tx_pair_def *def);
TX_API int tx_builder_mesh(tx_builder *builder, const tx_mesh_def *def);
TX_API int tx_builder_hfield(tx_builder *builder, const tx_hfield_def *def);
TX_API int tx_builder_texture(tx_builder *builder, const tx_texture_def *def); ///< -1 also for sizes beyond the bounds
TX_API tx_result tx_builder_compiler(tx_builder *builder, const tx_compiler_def *def);
TX_API int tx_builder_key(tx_builder *builder, const tx_key_def *def);
TX_API int tx_builder_exclude(tx_builder *builder, const tx_exclude_def *def);

/// Adds all of another builder below `parent`: what stands in its world stands in the frame (pos, quat) of that body
/// (null: its own), its names get the prefix (null: none), "world" stays the world, and its bodies keep its settings of
/// masses. Options, medium and keyframes stay behind. Both may be the same builder. docs/attach.md
/// @return index of the first body that came, `parent` where none did, or -1: then nothing was added
TX_API int tx_builder_attach(tx_builder *builder, int parent, const tx_builder *part, const char *prefix,
                             const double pos[3], const double quat[4]);

/// Makes the model. The builder stays valid and can be changed and compiled again.
/// @return null when there were errors (then diag has at least one)
TX_API tx_model *tx_builder_compile(const tx_builder *builder, tx_diag *diag);

/// A builder that holds what a compiled model has: change it, add to it, compile it again. Masses, frames and ranges
/// that compile worked out stand in it as given numbers. Unchanged it compiles to the same model.
/// @return null when memory is out
TX_API tx_builder *tx_builder_from_model(const tx_model *model);

/// A state of a model in the coordinates of the other of two models that were compiled from the same definitions, the
/// one reduced, the other maximal: nq and nv numbers of each. Velocities may be null, both of them. From maximal to
/// reduced a hinge is at most half a turn from the middle of its range, or from where it begins if it has none; what
/// the joint does not have is left out.
/// @return TX_ERROR_ARGUMENT: a null pointer, or the models do not belong together; TX_ERROR_MEMORY
TX_API tx_result tx_state_to_maximal(const tx_model *reduced, const tx_model *maximal, const double *qpos,
                                     const double *qvel, double *maximal_qpos, double *maximal_qvel);
TX_API tx_result tx_state_to_reduced(const tx_model *reduced, const tx_model *maximal, const double *maximal_qpos,
                                     const double *maximal_qvel, double *qpos, double *qvel);

#ifdef __cplusplus
}
#endif
#endif
