// builder.c - the adders: copy a definition, remember it. Checks are made when the model is compiled.
#include "compile/builder.h"

#include <string.h>

#include "base/memory.h"
#include "collide/narrow.h"

// ---- defaults -----------------------------------------------------------------------------------------------------

#define SOLREF \
    { 0.02, 1 }
#define SOLIMP \
    { 0.9, 0.95, 0.001, 0.5, 2 }

tx_options tx_default_options(void) {
    return (tx_options){.timestep = 0.002,
                        .tolerance = -1,
                        .ls_tolerance = 0.01,
                        .impratio = 1,
                        .relaxation = -1,
                        .dissipation = -1,
                        .beta = 1,
                        .sigma = 1e-3,
                        .stiction = 1e-4,
                        .recovery = 0.1,
                        .recovery_share = 0.2,
                        .bounce_speed = 0.1,
                        .mpr_to_gjk_overlap_ratio = TX_MPR_TO_GJK_OVERLAP_RATIO,
                        .mc_perturbation = TX_MC_PERTURBATION,
                        .mc_tolerance = TX_MC_TOLERANCE,
                        .o_solref = SOLREF,
                        .o_solimp = SOLIMP,
                        .o_friction = {1, 1, 0.005, 0.0001, 0.0001},
                        .ls_iterations = 50,
                        .noslip_tolerance = 1e-6,
                        .contact = true,
                        .equality = true,
                        .limit = true,
                        .frictionloss = true,
                        .constraint = true,
                        .gravity = true,
                        .damper = true,
                        .spring = true,
                        .actuation = true,
                        .warmstart = true,
                        .filterparent = true,
                        .refsafe = true,
                        .eulerdamp = true,
                        .clampctrl = true,
                        .sensor = true,
                        .sleep_tolerance = 1e-3};
}

const char *tx_broadphase_name(int index) {
    static const char *const names[TX_BROADPHASE_COUNT] = {"auto", "table", "sweep"};
    return index >= 0 && index < TX_BROADPHASE_COUNT ? names[index] : NULL;
}

const char *tx_coordinates_name(int index) {
    static const char *const names[TX_COORDINATES_COUNT] = {"reduced", "maximal"};
    return index >= 0 && index < TX_COORDINATES_COUNT ? names[index] : NULL;
}

const char *tx_narrowphase_name(int index) {
    static const char *const names[TX_NARROWPHASE_COUNT] = {"gjk", "mpr"};
    return index >= 0 && index < TX_NARROWPHASE_COUNT ? names[index] : NULL;
}

tx_sensor_def tx_default_sensor_def(void) { return (tx_sensor_def){0}; }
tx_key_def tx_default_key_def(void) { return (tx_key_def){0}; }
tx_exclude_def tx_default_exclude_def(void) { return (tx_exclude_def){0}; }

tx_body_def tx_default_body_def(void) { return (tx_body_def){.quat = {1}, .iquat = {1}}; }

tx_joint_def tx_default_joint_def(void) {
    return (tx_joint_def){.type = TX_JOINT_HINGE,
                          .axis = {0, 0, 1},
                          .limited = TX_SWITCH_AUTO,
                          .solref = SOLREF,
                          .solimp = SOLIMP,
                          .solref_friction = SOLREF,
                          .solimp_friction = SOLIMP,
                          .actuatorfrclimited = TX_SWITCH_AUTO};
}

tx_geom_def tx_default_geom_def(void) {
    return (tx_geom_def){.type = TX_GEOM_SPHERE,
                         .sizes_given = 3,
                         .quat = {1},
                         .density = 1000,
                         .mass = -1,
                         .friction = {1, 0.005, 0.0001},
                         .condim = 3,
                         .contype = 1,
                         .conaffinity = 1,
                         .solmix = 1,
                         .solref = SOLREF,
                         .solimp = SOLIMP,
                         .stiffness = -1,
                         .relaxation = -1,
                         .dissipation = -1,
                         .beta = -1,
                         .sigma = -1,
                         .stiction = -1,
                         .restitution = -1,
                         .fitscale = 1,
                         .rgba = {0.5f, 0.5f, 0.5f, 1},
                         .texture = -1,
                         .texrepeat = {1, 1},
                         .fluidcoef = {0.5, 0.25, 1.5, 1, 1}};
}

tx_site_def tx_default_site_def(void) {
    return (tx_site_def){.type = TX_GEOM_SPHERE, .size = {0.005, 0.005, 0.005}, .quat = {1}};
}

tx_camera_def tx_default_camera_def(void) {
    return (tx_camera_def){.quat = {1}, .fovy = 45, .ipd = 0.068, .resolution = {1, 1}};
}

tx_motor_def tx_default_motor_def(void) {
    return (tx_motor_def){.gear = {1}, .ctrllimited = TX_SWITCH_AUTO, .forcelimited = TX_SWITCH_AUTO};
}

tx_equality_def tx_default_equality_def(void) {
    return (tx_equality_def){.torquescale = 1,
                             .polycoef = {0, 1},
                             .active = true,
                             .solref = {0.02, 1},
                             .solimp = {0.9, 0.95, 0.001, 0.5, 2}};
}

tx_tendon_def tx_default_tendon_def(void) {
    return (tx_tendon_def){.springlength = {-1, -1},
                           .limited = TX_SWITCH_AUTO,
                           .actuatorfrclimited = TX_SWITCH_AUTO,
                           .solref = {0.02, 1},
                           .solimp = {0.9, 0.95, 0.001, 0.5, 2},
                           .solref_friction = {0.02, 1},
                           .solimp_friction = {0.9, 0.95, 0.001, 0.5, 2}};
}

tx_actuator_def tx_default_actuator_def(void) {
    return (tx_actuator_def){.gear = {1},
                             .dynprm = {1},
                             .gain = {1},
                             .ctrllimited = TX_SWITCH_AUTO,
                             .forcelimited = TX_SWITCH_AUTO,
                             .actlimited = TX_SWITCH_AUTO};
}

tx_pair_def tx_default_pair_def(void) {
    return (tx_pair_def){.friction = {1, 1, 0.005, 0.0001, 0.0001}, .solref = SOLREF, .solimp = SOLIMP};
}

tx_mesh_def tx_default_mesh_def(void) { return (tx_mesh_def){.scale = {1, 1, 1}, .refquat = {1}}; }

tx_texture_def tx_default_texture_def(void) { return (tx_texture_def){0}; }

tx_hfield_def tx_default_hfield_def(void) { return (tx_hfield_def){.size = {1, 1, 0.1, 0.1}}; }

tx_compiler_def tx_default_compiler_def(void) {
    return (tx_compiler_def){.inertiafromgeom = TX_SWITCH_AUTO,
                             .inertiagrouprange = {0, 5},
                             .settotalmass = -1,
                             .lengthrange = {.mode = TX_LENGTHRANGE_MUSCLE,
                                             .useexisting = true,
                                             .accel = 20,
                                             .timeconst = 1,
                                             .timestep = 0.01,
                                             .inttotal = 10,
                                             .interval = 2,
                                             .tolrange = 0.05}};
}

// ---- memory -------------------------------------------------------------------------------------------------------

// room for one more item; false: no memory
static bool make_room(void **items, int count, int *capacity, size_t size) {
    enum { MOST = 1 << 26 };
    if (count < *capacity) return true;
    if (count >= MOST) return false;
    int wanted = *capacity ? 2 * *capacity : 16;
    void *grown = tx_grow(*items, size * (size_t)count, size * (size_t)wanted);
    if (!grown) return false;
    *items = grown, *capacity = wanted;
    return true;
}
#define ROOM(list) make_room((void **)&(list).items, (list).count, &(list).capacity, sizeof *(list).items)

// a copy that the builder owns, or null
static void *own(tx_builder *b, const void *bytes, size_t size) {
    void *copy = ROOM(b->owned) ? tx_alloc(size) : NULL;
    if (!copy) return NULL;
    if (size) memcpy(copy, bytes, size);
    b->owned.items[b->owned.count++] = copy;
    return copy;
}
static bool own_text(tx_builder *b, const char **text) {
    if (!*text) *text = "";
    *text = own(b, *text, strlen(*text) + 1);
    return *text != NULL;
}
static bool own_source(tx_builder *b, tx_source *source) {
    // consecutive definitions mostly come from one file: share the last copy
    if (!b->last_file || strcmp(source->file ? source->file : "", b->last_file) != 0) {
        if (!own_text(b, &source->file)) return false;
        b->last_file = source->file;
    }
    source->file = b->last_file;
    return true;
}

const char *tx_builder_text(tx_builder *b, const char *text) { return own_text(b, &text) ? text : NULL; }
const double *tx_builder_numbers(tx_builder *b, const double *numbers, int count) {
    return own(b, numbers, sizeof *numbers * (size_t)count);
}

tx_builder *tx_builder_create(void) {
    tx_builder *b = tx_alloc(sizeof *b);
    if (!b) return NULL;
    b->options = tx_default_options();
    b->gravity[2] = -9.81;
    b->magnetic[1] = -0.5;
    b->compiler = tx_default_compiler_def();
    b->name = tx_copy_text("");
    tx_body_def world = tx_default_body_def();
    world.name = "world";
    if (b->name && tx_builder_body(b, -1, &world) == 0) return b;
    tx_builder_destroy(b);
    return NULL;
}

void tx_builder_destroy(tx_builder *b) {
    if (!b) return;
    for (int i = 0; i < b->owned.count; i++) tx_free(b->owned.items[i]);
    tx_free(b->owned.items), tx_free(b->body.items), tx_free(b->joint.items), tx_free(b->geom.items);
    tx_free(b->actuator.items), tx_free(b->tendon.items), tx_free(b->equality.items), tx_free(b->pair.items);
    tx_free(b->mesh.items), tx_free(b->hfield.items), tx_free(b->key.items), tx_free(b->exclude.items);
    tx_free(b->texture.items);
    tx_free(b->site.items), tx_free(b->camera.items), tx_free(b->sensor.items), tx_free(b->name);
    tx_free(b);
}

// ---- adders -------------------------------------------------------------------------------------------------------

tx_result tx_builder_name(tx_builder *b, const char *name) {
    if (!b) return TX_ERROR_ARGUMENT;
    char *copy = tx_copy_text(name);
    if (!copy) return TX_ERROR_MEMORY;
    tx_free(b->name);
    b->name = copy;
    return TX_OK;
}
tx_result tx_builder_options(tx_builder *b, const tx_options *options) {
    if (!b || !options) return TX_ERROR_ARGUMENT;
    b->options = *options;
    return TX_OK;
}

static tx_result set_vector(tx_builder *b, double to[3], const double from[3]) {
    if (!b || !from) return TX_ERROR_ARGUMENT;
    memcpy(to, from, 3 * sizeof *to);
    return TX_OK;
}
tx_result tx_builder_gravity(tx_builder *b, const double gravity[3]) {
    return set_vector(b, b ? b->gravity : NULL, gravity);
}
tx_result tx_builder_magnetic(tx_builder *b, const double field[3]) {
    return set_vector(b, b ? b->magnetic : NULL, field);
}

tx_result tx_builder_medium(tx_builder *b, double density, double viscosity, const double wind[3]) {
    if (set_vector(b, b ? b->wind : NULL, wind) != TX_OK) return TX_ERROR_ARGUMENT;
    b->density = density, b->viscosity = viscosity;
    return TX_OK;
}

int tx_builder_body(tx_builder *b, int parent, const tx_body_def *def) {
    if (!b || !def) return -1;
    bool world = parent == -1 && b->body.count == 0;
    if ((!world && (parent < 0 || parent >= b->body.count)) || !ROOM(b->body)) return -1;
    tx_built_body item = {*def, world ? 0 : parent};
    if (def->compiler) item.def.compiler = own(b, def->compiler, sizeof *def->compiler);
    if (def->compiler && !item.def.compiler) return -1;
    if (!own_text(b, &item.def.name) || !own_source(b, &item.def.source)) return -1;
    b->body.items[b->body.count] = item;
    return b->body.count++;
}

int tx_builder_joint(tx_builder *b, int body, const tx_joint_def *def) {
    if (!b || !def || body < 0 || body >= b->body.count || !ROOM(b->joint)) return -1;
    tx_built_joint item = {*def, body};
    if (!own_text(b, &item.def.name) || !own_source(b, &item.def.source)) return -1;
    b->joint.items[b->joint.count] = item;
    return b->joint.count++;
}

int tx_builder_geom(tx_builder *b, int body, const tx_geom_def *def) {
    if (!b || !def || body < 0 || body >= b->body.count || !ROOM(b->geom)) return -1;
    tx_built_geom item = {*def, body};
    if (!own_text(b, &item.def.name) || !own_text(b, &item.def.mesh) || !own_text(b, &item.def.hfield) ||
        !own_source(b, &item.def.source))
        return -1;
    b->geom.items[b->geom.count] = item;
    return b->geom.count++;
}

int tx_builder_site(tx_builder *b, int body, const tx_site_def *def) {
    if (!b || !def || body < 0 || body >= b->body.count || !ROOM(b->site)) return -1;
    tx_built_site item = {*def, body};
    if (!own_text(b, &item.def.name) || !own_source(b, &item.def.source)) return -1;
    b->site.items[b->site.count] = item;
    return b->site.count++;
}

int tx_builder_camera(tx_builder *b, int body, const tx_camera_def *def) {
    if (!b || !def || body < 0 || body >= b->body.count || !ROOM(b->camera)) return -1;
    tx_built_camera item = {*def, body};
    if (!own_text(b, &item.def.name) || !own_text(b, &item.def.target) || !own_source(b, &item.def.source)) return -1;
    b->camera.items[b->camera.count] = item;
    return b->camera.count++;
}

int tx_builder_sensor(tx_builder *b, const tx_sensor_def *def) {
    if (!b || !def || !ROOM(b->sensor)) return -1;
    tx_sensor_def item = *def;
    if (!own_text(b, &item.name) || !own_text(b, &item.of) || !own_text(b, &item.relative_to) ||
        !own_source(b, &item.source))
        return -1;
    b->sensor.items[b->sensor.count] = item;
    return b->sensor.count++;
}

int tx_builder_actuator(tx_builder *b, const tx_actuator_def *def) {
    if (!b || !def || !ROOM(b->actuator)) return -1;
    tx_actuator_def item = *def;
    const char **texts[] = {&item.name,    &item.joint,     &item.tendon,     &item.site,
                            &item.refsite, &item.cranksite, &item.slidersite, &item.body};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!own_text(b, texts[i])) return -1;
    if (!own_source(b, &item.source)) return -1;
    const int first = b->actuator.count;
    b->actuator.items[b->actuator.count++] = item;
    if (item.gain_curve != TX_CURVE_SO3) return first;
    // its other two torques
    item.name = "", item.inputs = TX_INPUT_NONE, item.nsample = 0, item.delay = 0;
    item.dynamics = TX_DYNAMICS_NONE, item.actlimited = TX_SWITCH_OFF;
    for (int k = 1; k < 3; k++) {
        if (!ROOM(b->actuator)) {
            b->actuator.count = first;
            return -1;
        }
        item.gain_curve = item.bias_curve = (tx_force_curve)(TX_CURVE_SO3 + k);
        b->actuator.items[b->actuator.count++] = item;
    }
    return first;
}

// a motor is an actuator with unit gain and no bias
int tx_builder_motor(tx_builder *b, const tx_motor_def *d) {
    if (!b || !d) return -1;
    tx_actuator_def item = tx_default_actuator_def();
    item.name = d->name, item.joint = d->joint, item.source = d->source;
    item.ctrllimited = d->ctrllimited, item.forcelimited = d->forcelimited;
    memcpy(item.gear, d->gear, sizeof item.gear);
    memcpy(item.ctrlrange, d->ctrlrange, sizeof item.ctrlrange);
    memcpy(item.forcerange, d->forcerange, sizeof item.forcerange);
    return tx_builder_actuator(b, &item);
}

const tx_path_def *tx_builder_path(tx_builder *b, const tx_path_def *given, int count) {
    tx_path_def *path = own(b, given, sizeof *path * (size_t)count);
    for (int i = 0; path && i < count; i++)
        if (!own_text(b, &path[i].name) || !own_text(b, &path[i].side)) return NULL;
    return path;
}

int tx_builder_tendon(tx_builder *b, const tx_tendon_def *def) {
    if (!b || !def || def->count < 0 || (def->count > 0 && !def->path) || !ROOM(b->tendon)) return -1;
    tx_tendon_def item = *def;
    item.path = tx_builder_path(b, def->path, def->count);
    if (!item.path || !own_text(b, &item.name) || !own_source(b, &item.source)) return -1;
    b->tendon.items[b->tendon.count] = item;
    return b->tendon.count++;
}

int tx_builder_equality(tx_builder *b, const tx_equality_def *def) {
    if (!b || !def || !ROOM(b->equality)) return -1;
    tx_equality_def item = *def;
    if (!own_text(b, &item.name) || !own_text(b, &item.first) || !own_text(b, &item.second) ||
        !own_source(b, &item.source))
        return -1;
    b->equality.items[b->equality.count] = item;
    return b->equality.count++;
}

int tx_builder_pair(tx_builder *b, const tx_pair_def *def) {
    if (!b || !def || !ROOM(b->pair)) return -1;
    tx_pair_def item = *def;
    if (!own_text(b, &item.geom1) || !own_text(b, &item.geom2) || !own_source(b, &item.source)) return -1;
    b->pair.items[b->pair.count] = item;
    return b->pair.count++;
}

tx_result tx_builder_compiler(tx_builder *b, const tx_compiler_def *def) {
    if (!b || !def) return TX_ERROR_ARGUMENT;
    b->compiler = *def;
    return TX_OK;
}

static bool own_numbers(tx_builder *b, const double **numbers, int count) {
    if (!*numbers) return true;
    *numbers = own(b, *numbers, sizeof(double) * (size_t)(count > 0 ? count : 0));
    return *numbers != NULL;
}

int tx_builder_mesh(tx_builder *b, const tx_mesh_def *def) {
    if (!b || !def || (def->vertex_count && !def->vertices) || (def->face_count && !def->faces)) return -1;
    if (def->vertex_count < 0 || def->vertex_count > TX_MESH_POINTS || def->face_count < 0 ||
        def->face_count > TX_MESH_POINTS || !ROOM(b->mesh))
        return -1;
    tx_mesh_def item = *def;
    item.vertices = own(b, def->vertices, sizeof(double) * 3 * (size_t)def->vertex_count);
    item.faces = own(b, def->faces, sizeof(int) * 3 * (size_t)def->face_count);
    if (!own_text(b, &item.name) || !own_source(b, &item.source) || !item.vertices || !item.faces) return -1;
    if (!own_numbers(b, &item.texcoords, 6 * def->face_count)) return -1;
    b->mesh.items[b->mesh.count] = item;
    return b->mesh.count++;
}

int tx_builder_key(tx_builder *b, const tx_key_def *def) {
    if (!b || !def || !ROOM(b->key)) return -1;
    tx_key_def k = *def;
    bool masked = k.qpos && k.qpos_given;
    k.qpos_given = masked ? own(b, k.qpos_given, sizeof(bool) * (size_t)(k.qpos_count > 0 ? k.qpos_count : 0)) : NULL;
    if (masked && !k.qpos_given) return -1;
    if (!own_text(b, &k.name) || !own_source(b, &k.source) || !own_numbers(b, &k.qpos, k.qpos_count) ||
        !own_numbers(b, &k.qvel, k.qvel_count) || !own_numbers(b, &k.act, k.act_count) ||
        !own_numbers(b, &k.ctrl, k.ctrl_count) || !own_numbers(b, &k.mpos, k.mpos_count) ||
        !own_numbers(b, &k.mquat, k.mquat_count) || !own_numbers(b, &k.plastic, k.plastic_count))
        return -1;
    b->key.items[b->key.count] = k;
    return b->key.count++;
}

int tx_builder_hfield(tx_builder *b, const tx_hfield_def *def) {
    if (!b || !def || !ROOM(b->hfield)) return -1;
    tx_hfield_def item = *def;
    // a wrong size is found when the model is compiled
    bool sound = def->nrow > 0 && def->ncol > 0 && def->nrow <= TX_HFIELD_POINTS / def->ncol;
    if (!sound) item.elevation = NULL;
    if (!own_text(b, &item.name) || !own_source(b, &item.source) ||
        !own_numbers(b, &item.elevation, sound ? def->nrow * def->ncol : 0))
        return -1;
    b->hfield.items[b->hfield.count] = item;
    return b->hfield.count++;
}

int tx_builder_texture(tx_builder *b, const tx_texture_def *def) {
    if (!b || !def || !def->texels || !ROOM(b->texture)) return -1;
    if (def->width < 1 || def->width > TX_TEXTURE_EDGE || def->height < 1 || def->height > TX_TEXTURE_EDGE) return -1;
    if (def->cube && def->width != def->height) return -1;
    tx_texture_def item = *def;
    const size_t texels = (size_t)def->width * (size_t)def->height * (def->cube ? 6 : 1);
    item.texels = own(b, def->texels, sizeof(int) * texels);
    if (!own_source(b, &item.source) || !item.texels) return -1;
    b->texture.items[b->texture.count] = item;
    return b->texture.count++;
}

int tx_builder_exclude(tx_builder *b, const tx_exclude_def *def) {
    if (!b || !def || !ROOM(b->exclude)) return -1;
    tx_exclude_def item = *def;
    if (!own_text(b, &item.body1) || !own_text(b, &item.body2) || !own_source(b, &item.source)) return -1;
    b->exclude.items[b->exclude.count] = item;
    return b->exclude.count++;
}
