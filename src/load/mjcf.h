// mjcf.h - what the parts of the MJCF reader share. Each element has one table of attributes: reading, checking,
// defaults and the list of valid names all come from it. Sections call the builder; compile finds what is left.
#pragma once
#include "load/stash.h"
#include "load/xml.h"
#include "thixis/builder.h"

// ---- attributes --------------------------------------------------------------------------------------------------

typedef struct tx_mjcf_keyword {
    const char *name; // null ends a list
    int value;
    bool waiting;     // valid MJCF, but not supported yet
    const char *hint; // for a waiting one; may be null
} tx_mjcf_keyword;

typedef enum tx_mjcf_kind {
    TX_MJCF_REAL,    // double[max]
    TX_MJCF_FLOAT,   // float[max]
    TX_MJCF_INT,     // int[max]
    TX_MJCF_LIST,    // tx_mjcf_list: any number of doubles
    TX_MJCF_INTLIST, // tx_mjcf_intlist: any number of ints
    TX_MJCF_KEYWORD, // int: the value of one of the keywords
    TX_MJCF_BOOL,    // bool: the same
    TX_MJCF_WORDS,   // int: bits 1 << value of one or more keywords, in the order of the list
    TX_MJCF_TEXT,    // const char *
    TX_MJCF_IGNORED, // nothing that Thixis computes depends on it
    TX_MJCF_NEUTRAL, // only the values in `neutral` are supported, because they change nothing
} tx_mjcf_kind;

enum {
    TX_MJCF_REQUIRED = 1,       // the element must give it
    TX_MJCF_NOT_IN_DEFAULT = 2, // not valid inside <default>
    TX_MJCF_WARNING = 4,        // for NEUTRAL: another value is a warning, not an error
};

typedef struct tx_mjcf_attr {
    const char *name; // null ends a table
    tx_mjcf_kind kind;
    size_t offset; // of the value in the struct that is filled
    int min, max;  // how many numbers
    int flags;
    size_t given; // offset of an int that gets how many numbers (texts, keywords: 1) were given; 0: not wanted
    const tx_mjcf_keyword *keywords;
    const char *neutral; // numbers (the last one repeats) or words separated by spaces
    const char *hint;    // for a NEUTRAL attribute with another value; may be null
} tx_mjcf_attr;

typedef struct tx_mjcf_list {
    const double *values;
    int count;
} tx_mjcf_list;

typedef struct tx_mjcf_intlist {
    const int *values;
    int count;
} tx_mjcf_intlist;

extern const tx_mjcf_keyword tx_mjcf_bool[];    // false, true
extern const tx_mjcf_keyword tx_mjcf_switch[];  // false, true, auto as tx_switch
extern const tx_mjcf_keyword tx_mjcf_interps[]; // as tx_interp
extern const tx_mjcf_keyword tx_mjcf_flag[];    // disable, enable

// ---- elements ----------------------------------------------------------------------------------------------------

// An orientation as MJCF gives it, in one of five ways. A quaternion loses against the others, wherever they come from.
typedef struct tx_mjcf_orientation {
    enum { TX_MJCF_QUAT, TX_MJCF_AXISANGLE, TX_MJCF_EULER, TX_MJCF_XYAXES, TX_MJCF_ZAXIS } form;
    double quat[4], axisangle[4], euler[3], xyaxes[6], zaxis[3];
} tx_mjcf_orientation;

// the lines of the attribute tables: {"name", TX_MJCF_REALS(struct, member, min, max), ...}
#define TX_MJCF_AT(type, member)            .offset = offsetof(type, member)
#define TX_MJCF_REALS(type, member, lo, hi) .kind = TX_MJCF_REAL, TX_MJCF_AT(type, member), .min = (lo), .max = (hi)
#define TX_MJCF_INTS(type, member, lo, hi)  .kind = TX_MJCF_INT, TX_MJCF_AT(type, member), .min = (lo), .max = (hi)
#define TX_MJCF_WORD(type, member, list)    .kind = TX_MJCF_KEYWORD, TX_MJCF_AT(type, member), .keywords = (list)
#define TX_MJCF_YESNO(type, member, list)   .kind = TX_MJCF_BOOL, TX_MJCF_AT(type, member), .keywords = (list)
#define TX_MJCF_BITS(type, member, list)    .kind = TX_MJCF_WORDS, TX_MJCF_AT(type, member), .keywords = (list)
#define TX_MJCF_STRING(type, member)        .kind = TX_MJCF_TEXT, TX_MJCF_AT(type, member)
#define TX_MJCF_IGNORE                      .kind = TX_MJCF_IGNORED
#define TX_MJCF_ONLY(values)                .kind = TX_MJCF_NEUTRAL, .neutral = (values)
#define TX_MJCF_GIVEN(type, member)         .given = offsetof(type, member)
#define TX_MJCF_ORIENTATION_ATTRS(type, member)                                                                     \
    {"quat", TX_MJCF_REALS(type, member.quat, 4, 4)}, {"axisangle", TX_MJCF_REALS(type, member.axisangle, 4, 4)},   \
        {"euler", TX_MJCF_REALS(type, member.euler, 3, 3)}, {"xyaxes", TX_MJCF_REALS(type, member.xyaxes, 6, 6)}, { \
        "zaxis", TX_MJCF_REALS(type, member.zaxis, 3, 3)                                                            \
    }

typedef struct tx_mjcf_joint {
    tx_joint_def def;
    double stiffness[3], damping[3];
} tx_mjcf_joint;

typedef struct tx_mjcf_geom {
    tx_geom_def def;
    tx_mjcf_orientation orientation;
    int pos_given, fromto_given, mass_given, size_given;
    const char *material;
} tx_mjcf_geom;

typedef struct tx_mjcf_site {
    tx_site_def def;
    tx_mjcf_orientation orientation;
    double fromto[6];
    int fromto_given;
    const char *mesh;
} tx_mjcf_site;

typedef struct tx_mjcf_camera {
    tx_camera_def def;
    tx_mjcf_orientation orientation;
    int mode;
} tx_mjcf_camera;

// what makes an actuator the kind that it is
typedef struct tx_mjcf_gains {
    int dyntype, gaintype, biastype;
    double gainprm[TX_ACTUATOR_NUMBERS], biasprm[TX_ACTUATOR_NUMBERS], dynprm[TX_ACTUATOR_NUMBERS], inheritrange;
    int inputs;
    bool actearly;
} tx_mjcf_gains;
enum { TX_MJCF_ACTUATOR_KINDS = 12 }; // the first is <general>

// All kinds of actuators share one set of values, as in MuJoCo: <position> and the others are ways to fill it. A class
// keeps the gains that each kind starts from: those of the nearest default written with the same kind or as <general>.
typedef struct tx_mjcf_actuator {
    tx_actuator_def def; // its curves, gain and bias are made from what follows
    const char *jointinparent;
    int dyntype, gaintype, biastype;
    double gainprm[TX_ACTUATOR_NUMBERS], biasprm[TX_ACTUATOR_NUMBERS];
    double inheritrange;
    // what the kinds say of themselves; each counts only where it is given
    double kp, kv, dampratio, timeconst[2], area, diameter, bias[3];
    double adhesion_gain, range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax, tausmooth;
    int kp_given, kv_given, dampratio_given, timeconst_given, area_given, diameter_given, bias_given;
    int range_given, force_given, scale_given, lmin_given, lmax_given, vmax_given, fpmax_given, fvmax_given,
        tausmooth_given, adhesion_gain_given;
    double ki, imax, slewmax; // of a PID controller
    int ki_given, imax_given, slewmax_given;
    // of a motor
    double resistance, motorconst[2], nominal[3], inductance[2], thermal[6], saturation[3], cogging[3], lugre[5],
        controller[6];
    int resistance_given, motorconst_given, nominal_given, inductance_given, thermal_given, saturation_given,
        cogging_given, lugre_given, controller_given;
    const char *input; // as it is written
    int inputs;        // what it says, or a class
    int actdim;        // what it says of its activations, -1: nothing
    double control;    // by a <frame scale>: of its control
    tx_mjcf_gains inherited[TX_MJCF_ACTUATOR_KINDS], outer[TX_MJCF_ACTUATOR_KINDS]; // outer: of the class around
} tx_mjcf_actuator;

typedef struct tx_mjcf_pair {
    tx_pair_def def;
} tx_mjcf_pair;

typedef struct tx_mjcf_mesh {
    tx_mesh_def def;
    const char *file, *builtin;
    tx_mjcf_list vertex, params, texcoord;
    tx_mjcf_intlist face;
    int maxhullvert;
} tx_mjcf_mesh;

typedef struct tx_mjcf_tendon {
    tx_tendon_def def;
    double stiffness[3], damping[3], springlength[2];
    int springlength_given;
} tx_mjcf_tendon;

typedef struct tx_mjcf_equality {
    tx_equality_def def;
    const char *site1, *site2;
    double relpose[7];
} tx_mjcf_equality;

enum {
    TX_MJCF_GAIN_FIXED,
    TX_MJCF_GAIN_AFFINE,
    TX_MJCF_GAIN_MUSCLE,
    TX_MJCF_GAIN_PID,
    TX_MJCF_GAIN_DCMOTOR,
    TX_MJCF_GAIN_SO3,
    TX_MJCF_BIAS_NONE = 0,
    TX_MJCF_BIAS_AFFINE,
    TX_MJCF_BIAS_MUSCLE,
    TX_MJCF_BIAS_DCMOTOR,
    TX_MJCF_BIAS_SO3
};

typedef struct tx_mjcf_inertial {
    double mass, pos[3], diaginertia[3], fullinertia[6];
    int diaginertia_given, fullinertia_given;
    tx_mjcf_orientation orientation;
} tx_mjcf_inertial;

typedef struct tx_mjcf_hfield {
    tx_hfield_def def;
    const char *file;
    tx_mjcf_list elevation;
} tx_mjcf_hfield;

typedef struct tx_mjcf_sensor_values {
    const char *name, *site, *joint, *actuator, *tendon, *body, *objname, *refname;
    const char *geom1, *geom2, *body1, *body2, *subtree1, *subtree2, *camera, *mesh;
    int objtype, reftype, data, num, reduce, dim, nsample, interp;
    double cutoff, noise, delay, interval[2];
} tx_mjcf_sensor_values;

typedef struct tx_mjcf_options {
    tx_options options;
    double gravity[3], magnetic[3], density, viscosity, wind[3];
    int cone, solver;
    tx_mjcf_intlist groups_off;
} tx_mjcf_options;

enum { TX_MJCF_TEXTURE_2D, TX_MJCF_TEXTURE_CUBE, TX_MJCF_TEXTURE_SKYBOX };
typedef struct tx_mjcf_texture {
    const char *name, *file, *side_file[6], *gridlayout;
    int type, builtin, mark, gridsize[2], width, height, nchannel;
    double rgb1[3], rgb2[3], markrgb[3], random;
    bool hflip, vflip;
    tx_xml_element *element;
    int index; // in the builder; -1: it has none, -2: nobody has asked
} tx_mjcf_texture;

typedef struct tx_mjcf_material {
    const char *name, *texture;
    float rgba[4];
    double texrepeat[2];
    bool texuniform;
} tx_mjcf_material;

// Options that MJCF cannot say, by their names in <custom>. The first `said` values of a text are those that <option>
// says too.
typedef struct tx_mjcf_custom_number {
    const char *name; // null ends the table
    tx_mjcf_attr attrs[4];
} tx_mjcf_custom_number;
typedef struct tx_mjcf_custom_text {
    const char *name, *what;
    const char *(*name_of)(int index);
    size_t offset, option; // of the value in tx_mjcf and in tx_options
    int said;
} tx_mjcf_custom_text;
// What geoms say of their contacts, by the names of tuples.
typedef struct tx_mjcf_geom_number {
    const char *name; // null ends the table
    size_t offset;    // in tx_geom_def
    double most;
    const char *takes;
} tx_mjcf_geom_number;
typedef struct tx_mjcf_note tx_mjcf_note;
extern const tx_mjcf_geom_number tx_mjcf_geom_numbers[];
extern const tx_mjcf_custom_number tx_mjcf_custom_numbers[];
extern const tx_mjcf_custom_text tx_mjcf_custom_texts[];

// A default class: what each element starts from. A nested class starts as a copy of its parent, as in MuJoCo.
typedef struct tx_mjcf_class {
    const char *name;
    tx_mjcf_joint joint;
    tx_mjcf_geom geom;
    tx_mjcf_site site;
    tx_mjcf_camera camera;
    tx_mjcf_mesh mesh;
    tx_mjcf_pair pair;
    tx_mjcf_actuator actuator;
    tx_mjcf_tendon tendon;
    tx_mjcf_equality equality;
    tx_mjcf_material material;
    tx_mjcf_texture texture;
} tx_mjcf_class;

// the elements of one kind, by its values: tx_equality_type, tx_path_kind
typedef struct tx_mjcf_form {
    const char *name;
    const tx_mjcf_attr *attrs;
} tx_mjcf_form;

extern const tx_mjcf_attr tx_mjcf_joint_attrs[], tx_mjcf_geom_attrs[], tx_mjcf_site_attrs[], tx_mjcf_camera_attrs[],
    tx_mjcf_mesh_attrs[], tx_mjcf_pair_attrs[], tx_mjcf_tendon_attrs[], tx_mjcf_equality_attrs[],
    tx_mjcf_material_attrs[], tx_mjcf_texture_attrs[], tx_mjcf_option_attrs[], tx_mjcf_flag_attrs[],
    tx_mjcf_inertial_attrs[], tx_mjcf_body_attrs[], tx_mjcf_key_attrs[], tx_mjcf_exclude_attrs[],
    tx_mjcf_hfield_attrs[], tx_mjcf_general_attrs[];
extern const tx_mjcf_attr *const tx_mjcf_sensor_attrs[]; // by tx_sensed
extern const tx_mjcf_form tx_mjcf_equality_forms[], tx_mjcf_path_forms[];

// ---- survey ------------------------------------------------------------------------------------------------------

// Who wants to know how each element is treated while a file is read: by a table, passed over, or reported as waiting.
typedef enum tx_mjcf_treatment {
    TX_MJCF_UNSEEN,
    TX_MJCF_BY_TABLE,
    TX_MJCF_PASSED_OVER,
    TX_MJCF_WAITS
} tx_mjcf_treatment;
struct tx_mjcf_flex_result;
typedef struct tx_mjcf_survey {
    void (*seen)(struct tx_mjcf_survey *survey, const tx_xml_element *element, tx_mjcf_treatment how,
                 const tx_mjcf_attr *attrs);
    void (*flex)(struct tx_mjcf_survey *survey, const struct tx_mjcf_flex_result *flex); // a soft body; may be null
} tx_mjcf_survey;

// ---- the reader --------------------------------------------------------------------------------------------------

typedef struct tx_mjcf_place {
    struct tx_mjcf_place *next;
    const tx_xml_element *element;
} tx_mjcf_place;

// What belongs to one model of those that <attach> joined: where it comes from, its settings and its defaults.
typedef struct tx_mjcf_part {
    struct tx_mjcf_part *next, *instance; // instance: its copy in the <attach> that is being made
    const char *prefix;                   // of its names
    const char *folder;                   // of its file, with its slash; null: no files can be read
    const char *file;
    // <compiler>
    tx_compiler_def compiler;
    int radian;
    bool autolimits, strippath, fitaabb;
    bool alignfree;
    const char *eulerseq, *meshdir, *texturedir;
    tx_mjcf_class *main_class;
} tx_mjcf_part;

// What a keyframe has numbers for.
typedef enum tx_mjcf_state {
    TX_MJCF_QPOS,
    TX_MJCF_QVEL,
    TX_MJCF_ACT,
    TX_MJCF_CTRL,
    TX_MJCF_MPOS,
    TX_MJCF_MQUAT,
    TX_MJCF_PLASTIC,
    TX_MJCF_STATES
} tx_mjcf_state;

typedef struct tx_mjcf_key {
    const char *name;
    double time;
    tx_mjcf_list numbers[TX_MJCF_STATES];
    const bool *qpos_given;
} tx_mjcf_key;

// The numbers of one joint, actuator or mocap body in a keyframe.
typedef struct tx_mjcf_slot {
    struct tx_mjcf_slot *next;
    int at[TX_MJCF_STATES], count[TX_MJCF_STATES];
    double pose[7]; // of a mocap body at the start
    // in resized frames: factors of the numbers of a kind, or what happens to a place in the world; null: nothing
    const double *factors[TX_MJCF_STATES];
    const struct tx_mjcf_move *move;
} tx_mjcf_slot;

typedef struct tx_mjcf {
    tx_stash *stash;
    tx_diag *diag;
    tx_builder *builder;
    tx_mjcf_survey *survey; // null: nobody

    tx_mjcf_part main, *part; // part: that of the element that is being read
    // <option> and, stronger, <custom>: -1 where the file says nothing
    tx_options options;
    double gravity[3], magnetic[3], density, viscosity, wind[3];
    int integrator, law, solver;

    // by name: tx_mjcf_class, tx_mjcf_material, the elements of meshes, height fields and soft bodies, tx_joint_def
    tx_names classes, materials, textures, meshes, hfields, joints, flexes;
    tx_names geom_notes; // by geom: what tuples say of its contacts
    tx_mjcf_note *notes;
    tx_mjcf_slot *slots; // of all that a keyframe has numbers for
    // resized frames: whether there are any, tx_mjcf_scale and tx_mjcf_units by name, what geoms made of assets
    bool scaled;
    tx_names scales[TX_OBJECT_COUNT], units[TX_OBJECT_COUNT], mesh_uses, hfield_uses;
    int sizes[TX_MJCF_STATES];
    int flat_pictures; // whether any <texture> is a flat one from a file: 0 nobody has looked, 1 no, 2 yes
    int nkey;          // <size>: keyframes as at the start follow until there are so many
    bool pictures;     // textures are wanted
    int texels;        // of all textures so far

    bool lenient;    // URDF: the tables have all names, others are warned about, and so is what can be lived with
    bool strict;     // URDF: what can be lived with is an error all the same
    bool incomplete; // an element was left out, so the builder has only a part of the model
    bool out_of_memory;
    tx_mjcf_place *faulty; // elements with errors in them; compile's complaints about those are not repeated
} tx_mjcf;

// One kind of child that an element may have. The children are read in phases, because MJCF's order of meaning is not
// the order of the file: all <default> before all <worldbody>, a body's own geoms before its child bodies.
typedef struct tx_mjcf_child {
    const char *name; // null ends a table
    int phase;
    void (*read)(tx_mjcf *m, tx_xml_element *element, void *context);
    bool once;
} tx_mjcf_child;

// reads the children of one phase; phase 0 also reports those that are in no line of the table
void tx_mjcf_children(tx_mjcf *m, tx_xml_element *parent, const tx_mjcf_child *table, int phase, void *context);

// Reads an element's attributes into a struct and reports every problem; values that were not given stay as they are.
// returns false when there was an error
bool tx_mjcf_read(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, void *target);
bool tx_mjcf_read_default(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, void *target);

// checks that an element and all below it have only names that MJCF knows; nothing is read
void tx_mjcf_accept(tx_mjcf *m, tx_xml_element *element, void *context);
// reports every attribute of an element that has none of its own
void tx_mjcf_no_attributes(tx_mjcf *m, tx_xml_element *element);
// notes that an element and all below it are not looked at
void tx_mjcf_pass_over(tx_mjcf *m, const tx_xml_element *element);
// says that an element is not supported yet; the model is then incomplete
void tx_mjcf_waiting(tx_mjcf *m, tx_xml_element *element, const char *hint);

// problems at an element or an attribute; the element is marked as faulty by an error
void tx_mjcf_problem(tx_mjcf *m, tx_severity severity, tx_xml_element *element, const tx_xml_attribute *attribute,
                     const char *hint, const char *format, ...) __attribute__((format(printf, 6, 7)));

// how bad it is where a file can be lived with: a warning in lenient files, unless strictness was asked for
static inline tx_severity tx_mjcf_mended(const tx_mjcf *m) {
    return m->lenient && !m->strict ? TX_SEVERITY_WARNING : TX_SEVERITY_ERROR;
}

tx_source tx_mjcf_source(const tx_xml_element *element);
void tx_mjcf_check_index(tx_mjcf *m, int index); // a builder call that failed means that memory is out

// ---- the tree of bodies --------------------------------------------------------------------------------------------

typedef struct tx_mjcf_body {
    int index; // in the builder; 0 is the world
    tx_body_def def;
    int sleep; // tx_sleep_policy
    tx_mjcf_orientation orientation;
    const struct tx_mjcf_move *move; // of keyframes, for a body in the world; null: none
} tx_mjcf_body;

// Where a body's children stand: in the body itself, or in frames inside it.
typedef struct tx_mjcf_scope {
    tx_mjcf_body *body;
    const tx_mjcf_class *childclass;
    bool framed;
    double pos[3], quat[4];            // of the innermost frame, in the body
    double plain[3];                   // its place if nothing were resized
    const struct tx_mjcf_scale *scale; // of what stands in it; null: 1
} tx_mjcf_scope;

void tx_mjcf_joint_element(tx_mjcf *m, tx_xml_element *element, void *scope);
void tx_mjcf_freejoint_element(tx_mjcf *m, tx_xml_element *element, void *scope);
void tx_mjcf_geom_element(tx_mjcf *m, tx_xml_element *element, void *scope);
void tx_mjcf_camera_element(tx_mjcf *m, tx_xml_element *element, void *scope);
void tx_mjcf_site_element(tx_mjcf *m, tx_xml_element *element, void *scope);
// moves a pose, or a point, or a direction (each may be null) from the innermost frame into the body
void tx_mjcf_leave_frame(const tx_mjcf_scope *scope, double pos[3], double quat[4], double direction[3]);

// ---- sections ------------------------------------------------------------------------------------------------------

#define TX_MJCF_PHASES 8
extern const tx_mjcf_child tx_mjcf_sections[];
void tx_mjcf_compiler(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_option(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_stop_by_gain(tx_options *o);
void tx_mjcf_statistic(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_default(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_asset(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_custom(tx_mjcf *m, tx_xml_element *element, void *context);
// numbers of geoms: false, the tuple is of another kind; a geom takes its own; those whose geom was not there
bool tx_mjcf_geom_tuple(tx_mjcf *m, tx_xml_element *element, const char *name);
void tx_mjcf_geom_says(tx_mjcf *m, tx_geom_def *def);
void tx_mjcf_check_notes(tx_mjcf *m);
void tx_mjcf_world_content(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_world_bodies(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_equality_section(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_actuator_section(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_tendon_section(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_contact(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_keyframe(tx_mjcf *m, tx_xml_element *element, void *context);
#define TX_MJCF_KEYS_MAX 100000
void tx_mjcf_size(tx_mjcf *m, tx_xml_element *element, void *context);
void tx_mjcf_sensor(tx_mjcf *m, tx_xml_element *element, void *context);

// keyframes: remember that an element has numbers in them; bodies are mocap bodies
tx_mjcf_slot *tx_mjcf_joint_slot(tx_mjcf *m, tx_xml_element *element, tx_joint_type type);
tx_mjcf_slot *tx_mjcf_actuator_slot(tx_mjcf *m, tx_xml_element *element, int controls, int activations);
// numbers of springs that yield, joints before tendons
tx_mjcf_slot *tx_mjcf_spring_slot(tx_mjcf *m, int numbers);
tx_mjcf_slot *tx_mjcf_mocap_slot(tx_mjcf *m, tx_xml_element *element, const double pos[3], const double quat[4]);
// factors of its numbers of a kind; copied
void tx_mjcf_slot_factors(tx_mjcf *m, tx_mjcf_slot *slot, tx_mjcf_state state, const double *factors);
// how many controls and activations an actuator has that is not in the model
void tx_mjcf_measure_actuator(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_class *inherited, int *controls,
                              int *activations);

// actuators: reads an element of any kind into the shared values; false when there was an error
/// MJCF's own defaults.
void tx_mjcf_plain_actuator(tx_mjcf_actuator *a);
bool tx_mjcf_read_actuator(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *actuator, bool in_default);
void tx_mjcf_mesh_element(tx_mjcf *m, tx_xml_element *element, void *context);

void tx_mjcf_hfield_element(tx_mjcf *m, tx_xml_element *element, void *context);

// files of assets: the bytes of one (release with tx_free()), sought as MuJoCo does, or null with a message that names
// the kind of asset and the attribute that could be given instead; and the name that a file gives to its asset
char *tx_mjcf_read_file(tx_mjcf *m, tx_xml_element *element, const char *what, const char *instead, const char *name,
                        char **path, size_t *length);
const char *tx_mjcf_name_of_file(tx_mjcf *m, const char *file);
// the bytes of one in `dir` of its part, without a message; `why` says what is wrong
char *tx_mjcf_find_file(tx_mjcf *m, const tx_xml_element *element, const char *dir, const char *name, char **path,
                        size_t *length, const char **why);

// textures: the element; its index in the builder when a geom uses it, -1: none; whether meshes need coordinates
void tx_mjcf_texture_element(tx_mjcf *m, tx_xml_element *element, void *context);
int tx_mjcf_use_texture(tx_mjcf *m, const char *name);
bool tx_mjcf_has_flat_pictures(tx_mjcf *m, const tx_xml_element *element);

// defaults: the main class, the class an element names (or the one it inherits), the class of a name
bool tx_mjcf_create_main_class(tx_mjcf *m, tx_mjcf_part *part);
const tx_mjcf_class *tx_mjcf_class_of(tx_mjcf *m, tx_xml_element *element, const char *attribute,
                                      const tx_mjcf_class *inherited);

// orientations: which form an element chose (an error when it is more than one), and the quaternion that it means
bool tx_mjcf_choose_orientation(tx_mjcf *m, tx_xml_element *element, tx_mjcf_orientation *orientation);
bool tx_mjcf_quaternion(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_orientation *orientation, double quat[4]);

// stiffness or damping: the first number is the linear one
void tx_mjcf_polynomial(const double numbers[3], double *linear, double more[2]);

// limits under <compiler autolimits="false">: a range without its switch is an error, else auto means off
void tx_mjcf_limits(tx_mjcf *m, tx_xml_element *element, const char *range, const char *limited, const double values[2],
                    tx_switch *value);

// ---- the names of MJCF -------------------------------------------------------------------------------------------

// Known MJCF (MuJoCo 4.0): which elements exist below which, with all their attributes.
typedef struct tx_mjcf_known {
    const char *parent, *name, *attributes;
} tx_mjcf_known;
const tx_mjcf_known *tx_mjcf_known_find(const tx_xml_element *element); // null: MJCF has no such element there
const tx_mjcf_known *tx_mjcf_known_row(int index);                      // null beyond the end
const char *tx_mjcf_known_parent(const char *name);                     // a place where the element may stand, or null
bool tx_mjcf_known_attribute(const tx_mjcf_known *known, const char *name);
void tx_mjcf_nearest_element(const tx_xml_element *element, char best[48]); // "" when none is near

// ---- the whole file ----------------------------------------------------------------------------------------------

// Replaces every <include> below root by the content of its file: sought in `folder`, that of the main file (with its
// slash), then beside the file that includes it. A null folder refuses includes.
// returns false, with messages in diag, when something could not be included
bool tx_mjcf_include(tx_stash *stash, tx_xml_element *root, const char *folder, tx_diag *diag);

// Replaces every <include>, <replicate> and <attach> below root by what they stand for. `parts` gets the parts of
// attached models. returns false, with messages in diag, when that could not be done
bool tx_mjcf_expand(tx_stash *stash, tx_xml_element *root, const char *folder, tx_mjcf_part **parts, tx_diag *diag);
#define TX_MJCF_SUFFIX_MAX 100 // bytes of the separator of <replicate>

// Whose numbers an attached keyframe has, in their order: joints, actuators and mocap bodies.
typedef struct tx_mjcf_holder {
    tx_xml_element *element;
    const char *left_out; // null: it is in the model; else it is not, and its classes have this prefix
    bool own;             // of the model that has the keyframe, not attached to that
} tx_mjcf_holder;
typedef struct tx_mjcf_holders {
    tx_mjcf_holder *items;
    int count;
} tx_mjcf_holders;

// How reading went: without errors or not; whether the builder still has a whole model, so that compile may look for
// more; and where errors were, because what compile says about those places follows from them.
typedef struct tx_mjcf_outcome {
    bool good, whole;
    const tx_mjcf_place *faulty;
} tx_mjcf_outcome;
// What the reader of a file starts from, and how it ends: the settings go to the builder. URDF does the same.
void tx_mjcf_start(tx_mjcf *m, tx_stash *stash, const tx_xml_element *root, const char *folder, tx_builder *builder,
                   tx_diag *diag);
tx_mjcf_outcome tx_mjcf_finish(tx_mjcf *m, const tx_xml_element *root, int errors_before);

// folder: as for tx_mjcf_include(); parts: of the attached models; pictures: textures are wanted
tx_mjcf_outcome tx_mjcf_parse(tx_stash *stash, tx_xml_element *root, const char *folder, tx_mjcf_part *parts,
                              bool pictures, tx_builder *builder, tx_diag *diag, tx_mjcf_survey *survey);
