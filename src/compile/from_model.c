// from_model.c - a compiled model back to definitions: what compile has worked out stands in them as given numbers, so
// that compiling them again gives the same model. Derivation: docs/convert.md.
#include <string.h>

#include "base/memory.h"
#include "compile/builder.h"
#include "compile/pair_table.h"
#include "geometry/sdf.h"
#include "model/actuator.h"
#include "model/sensor.h"

#define COPY(to, field, width, i) memcpy(to, m->field + (width) * (size_t)(i), sizeof(double) * (width))

// what compile found, said so that it finds the same again
static tx_switch limits(int limited, const double range[2]) {
    if (limited) return TX_SWITCH_ON;
    return range[0] != 0 || range[1] != 0 ? TX_SWITCH_OFF : TX_SWITCH_AUTO;
}

static const char *named(const tx_model *m, tx_element kind, int i) {
    return i < 0 ? NULL : tx_element_name(m, kind, i);
}

// ---- settings -----------------------------------------------------------------------------------------------------

static bool add_settings(tx_builder *b, const tx_model *m) {
    tx_compiler_def compiler = tx_default_compiler_def();
    compiler.inertiafromgeom = TX_SWITCH_OFF;
    compiler.lengthrange.mode = TX_LENGTHRANGE_NONE;
    tx_builder_compiler(b, &compiler);
    tx_options options = *m->opt;
    if (tx_pair_table_is_small(m)) options.broadphase = TX_BROADPHASE_AUTO;
    tx_builder_options(b, &options);
    tx_builder_gravity(b, m->gravity);
    tx_builder_magnetic(b, m->magnetic);
    tx_builder_medium(b, m->density[0], m->viscosity[0], m->wind);
    return tx_builder_name(b, tx_model_name(m)) == TX_OK;
}

// ---- meshes and height fields -------------------------------------------------------------------------------------

// a reflection has turned the faces around
static int *given_faces(const tx_model *m, int i) {
    const double *scale = m->mesh_scale + 3 * i;
    const int count = m->mesh_facenum[i], *face = m->mesh_face + m->mesh_faceadr[i];
    const bool turned = scale[0] * scale[1] * scale[2] < 0;
    int *given = tx_alloc(sizeof(int) * 3 * ((size_t)count + 1));
    for (int k = 0; given && k < count; k++) {
        given[3 * k] = face[3 * k];
        given[3 * k + 1] = face[3 * k + (turned ? 2 : 1)], given[3 * k + 2] = face[3 * k + (turned ? 1 : 2)];
    }
    return given;
}

static double *given_coords(const tx_model *m, int i) {
    const double *scale = m->mesh_scale + 3 * i, *uv = m->mesh_uv + 2 * (size_t)m->mesh_uvadr[i];
    const int count = 3 * m->mesh_facenum[i];
    const bool turned = scale[0] * scale[1] * scale[2] < 0;
    double *given = tx_alloc(sizeof(double) * 2 * (size_t)count);
    for (int k = 0; given && k < count; k++)
        memcpy(given + 2 * k, uv + 2 * tx_turned_corner(k, turned), 2 * sizeof *uv);
    return given;
}

// 0 where the rule chose it
static double given_cell(const tx_model *m, int i) {
    if (m->mesh_sdf[i] < 0) return 0;
    double cell = m->sdf_cell[m->mesh_sdf[i]];
    return tx_sdf_grid(m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i], m->mesh_vertnum[i], 0).cell == cell ? 0 : cell;
}

static bool add_mesh(tx_builder *b, const tx_model *m, int i) {
    tx_mesh_def d = tx_default_mesh_def();
    d.name = named(m, TX_ELEMENT_MESH, i);
    d.inertia = (tx_mesh_inertia)m->mesh_inertia[i];
    d.hull_corners = m->mesh_hullmost[i];
    COPY(d.scale, mesh_scale, 3, i);
    COPY(d.refpos, mesh_refpos, 3, i);
    COPY(d.refquat, mesh_refquat, 4, i);
    d.vertices = m->mesh_given + 3 * (size_t)m->mesh_vertadr[i], d.vertex_count = m->mesh_vertnum[i];
    d.sdf_cell = given_cell(m, i);
    int *faces = given_faces(m, i);
    double *coords = m->mesh_uvadr[i] < 0 ? NULL : given_coords(m, i);
    bool good = faces && (coords || m->mesh_uvadr[i] < 0);
    d.texcoords = coords;
    if (good && !m->mesh_hullfaced[i]) d.faces = faces, d.face_count = m->mesh_facenum[i];
    good = good && tx_builder_mesh(b, &d) >= 0;
    tx_free(faces), tx_free(coords);
    return good;
}

static bool add_hfield(tx_builder *b, const tx_model *m, int i) {
    tx_hfield_def d = {.name = named(m, TX_ELEMENT_HFIELD, i)};
    d.nrow = m->hfield_nrow[i], d.ncol = m->hfield_ncol[i], d.elevation = m->hfield_data + m->hfield_adr[i];
    COPY(d.size, hfield_size, 4, i);
    return tx_builder_hfield(b, &d) >= 0;
}

static bool add_texture(tx_builder *b, const tx_model *m, int i) {
    tx_texture_def d = {m->tex_cube[i] != 0, m->tex_width[i], m->tex_height[i], m->tex_data + m->tex_adr[i], {0}};
    return tx_builder_texture(b, &d) >= 0;
}

// ---- bodies -------------------------------------------------------------------------------------------------------

// moments from geoms may break A + B >= C by a rounding error, given ones must not
static void balance(double moments[3]) {
    for (int k = 0; k < 3; k++) {
        double others = moments[(k + 1) % 3] + moments[(k + 2) % 3];
        if (moments[k] > others) moments[k] = others;
    }
}

static bool add_body(tx_builder *b, const tx_model *m, int i) {
    tx_body_def d = tx_default_body_def();
    d.name = named(m, TX_ELEMENT_BODY, i);
    COPY(d.pos, body_pos, 3, i);
    COPY(d.quat, body_quat, 4, i);
    COPY(d.ipos, body_ipos, 3, i);
    COPY(d.iquat, body_iquat, 4, i);
    COPY(d.inertia, body_inertia, 3, i);
    balance(d.inertia);
    d.sleep = (tx_sleep_policy)m->body_sleep[i];
    d.mass = m->body_mass[i], d.gravcomp = m->body_gravcomp[i], d.mocap = m->body_mocap[i] >= 0;
    // a body that nothing was said about has no mass, and its own pose as inertial frame
    const double none[3] = {0};
    bool silent = d.mass == 0 && memcmp(d.inertia, none, sizeof none) == 0 &&
                  memcmp(d.ipos, d.pos, sizeof d.pos) == 0 && memcmp(d.iquat, d.quat, sizeof d.quat) == 0;
    d.has_inertial = !silent;
    return tx_builder_body(b, m->body_parent[i], &d) == i;
}

static bool add_joint(tx_builder *b, const tx_model *m, int i) {
    tx_joint_def d = tx_default_joint_def();
    const int dof = m->jnt_dofadr[i], qpos = m->jnt_qposadr[i];
    d.name = named(m, TX_ELEMENT_JOINT, i), d.type = (tx_joint_type)m->jnt_type[i];
    COPY(d.pos, jnt_pos, 3, i);
    COPY(d.axis, jnt_axis, 3, i);
    COPY(d.range, jnt_range, 2, i);
    d.springyield = m->jnt_springyield[i];
    COPY(d.stiffnesspoly, jnt_stiffnesspoly, 2, i);
    COPY(d.dampingpoly, dof_dampingpoly, 2, dof);
    COPY(d.solref, jnt_solref, 2, i);
    COPY(d.solimp, jnt_solimp, 5, i);
    COPY(d.solref_friction, dof_solref, 2, dof);
    COPY(d.solimp_friction, dof_solimp, 5, dof);
    COPY(d.actuatorfrcrange, jnt_actfrcrange, 2, i);
    d.limited = limits(m->jnt_limited[i], d.range);
    d.actuatorfrclimited = limits(m->jnt_actfrclimited[i], d.actuatorfrcrange);
    d.actuatorgravcomp = m->jnt_actgravcomp[i] != 0;
    d.stiffness = m->jnt_stiffness[i], d.margin = m->jnt_margin[i];
    d.damping = m->dof_damping[dof], d.armature = m->dof_armature[dof], d.frictionloss = m->dof_frictionloss[dof];
    if (d.type == TX_JOINT_HINGE || d.type == TX_JOINT_SLIDE)
        d.ref = m->qpos0[qpos], d.springref = m->qpos_spring[qpos];
    return tx_builder_joint(b, m->jnt_body[i], &d) >= 0;
}

static bool add_geom(tx_builder *b, const tx_model *m, int i) {
    tx_geom_def d = tx_default_geom_def();
    d.name = named(m, TX_ELEMENT_GEOM, i), d.type = (tx_geom_type)m->geom_type[i];
    d.mesh = named(m, TX_ELEMENT_MESH, m->geom_mesh[i]);
    d.hfield = named(m, TX_ELEMENT_HFIELD, m->geom_hfield[i]);
    COPY(d.pos, geom_ownpos, 3, i);
    COPY(d.quat, geom_ownquat, 4, i);
    if (!d.mesh && !d.hfield) COPY(d.size, geom_size, 3, i);
    COPY(d.friction, geom_friction, 3, i);
    COPY(d.solref, geom_solref, 2, i);
    COPY(d.solimp, geom_solimp, 5, i);
    COPY(d.fluidcoef, geom_fluidcoef, 5, i);
    COPY(d.surfacevel, geom_surfacevel, 6, i);
    d.condim = m->geom_condim[i], d.contype = m->geom_contype[i], d.conaffinity = m->geom_conaffinity[i];
    d.priority = m->geom_priority[i], d.group = m->geom_group[i], d.fluid_ellipsoid = m->geom_fluid[i] != 0;
    d.margin = m->geom_margin[i], d.gap = m->geom_gap[i], d.solmix = m->geom_solmix[i];
#define X(NAME, name, highest, meaning) d.name = m->geom_##name[i];
    TX_GEOM_MATERIALS(X)
#undef X
    for (int k = 0; k < 4; k++) d.rgba[k] = (float)m->geom_rgba[4 * i + k];
    d.texture = m->geom_texture[i], d.texuniform = m->geom_texuniform[i] != 0;
    COPY(d.texrepeat, geom_texrepeat, 2, i);
    if (m->geom_body[i] == 0) d.mass = 0; // the world has no inertia that would say it
    return tx_builder_geom(b, m->geom_body[i], &d) >= 0;
}

static bool add_site(tx_builder *b, const tx_model *m, int i) {
    tx_site_def d = tx_default_site_def();
    d.name = named(m, TX_ELEMENT_SITE, i), d.type = (tx_geom_type)m->site_type[i], d.group = m->site_group[i];
    COPY(d.size, site_size, 3, i);
    COPY(d.pos, site_pos, 3, i);
    COPY(d.quat, site_quat, 4, i);
    return tx_builder_site(b, m->site_body[i], &d) >= 0;
}

static bool add_camera(tx_builder *b, const tx_model *m, int i) {
    tx_camera_def d = tx_default_camera_def();
    d.name = named(m, TX_ELEMENT_CAMERA, i), d.mode = (tx_camera_mode)m->cam_mode[i];
    d.target = named(m, TX_ELEMENT_BODY, m->cam_target[i]), d.orthographic = m->cam_orthographic[i] != 0;
    d.resolution[0] = m->cam_width[i], d.resolution[1] = m->cam_height[i], d.ipd = m->cam_ipd[i];
    COPY(d.pos, cam_pos, 3, i);
    COPY(d.quat, cam_quat, 4, i);
    COPY(d.sensorsize, cam_sensorsize, 2, i);
    COPY(d.focal, cam_intrinsic, 2, 2 * i);
    COPY(d.principal, cam_intrinsic, 2, 2 * i + 1);
    if (!(d.sensorsize[0] > 0)) d.fovy = m->cam_fovy[i];
    return tx_builder_camera(b, m->cam_body[i], &d) >= 0;
}

// ---- tendons, actuators, sensors ----------------------------------------------------------------------------------

static tx_path_def path_element(const tx_model *m, int w) {
    static const tx_element KIND[] = {
        [TX_PATH_JOINT] = TX_ELEMENT_JOINT, [TX_PATH_SITE] = TX_ELEMENT_SITE,    [TX_PATH_GEOM] = TX_ELEMENT_GEOM,
        [TX_PATH_PULLEY] = TX_ELEMENT_SITE, [TX_PATH_HINGE] = TX_ELEMENT_SITE,   [TX_PATH_SLIDE] = TX_ELEMENT_SITE,
        [TX_PATH_BALL_X] = TX_ELEMENT_SITE, [TX_PATH_BALL_Y] = TX_ELEMENT_SITE,  [TX_PATH_BALL_Z] = TX_ELEMENT_SITE,
        [TX_PATH_SWING] = TX_ELEMENT_SITE,  [TX_PATH_CONSTANT] = TX_ELEMENT_SITE};
    return (tx_path_def){.kind = (tx_path_kind)m->wrap_type[w],
                         .name = named(m, KIND[m->wrap_type[w]], m->wrap_obj[w]),
                         .side = named(m, TX_ELEMENT_SITE, m->wrap_side[w]),
                         .number = m->wrap_coef[w]};
}

static bool add_tendon(tx_builder *b, const tx_model *m, int i) {
    tx_tendon_def d = tx_default_tendon_def();
    d.name = named(m, TX_ELEMENT_TENDON, i), d.count = m->tendon_num[i];
    d.armature = m->tendon_armature[i];
    d.stiffness = m->tendon_stiffness[i], d.damping = m->tendon_damping[i];
    d.margin = m->tendon_margin[i], d.frictionloss = m->tendon_frictionloss[i];
    COPY(d.springlength, tendon_lengthspring, 2, i);
    d.springyield = m->tendon_springyield[i];
    COPY(d.stiffnesspoly, tendon_stiffnesspoly, 2, i);
    COPY(d.dampingpoly, tendon_dampingpoly, 2, i);
    COPY(d.range, tendon_range, 2, i);
    COPY(d.solref, tendon_solref_lim, 2, i);
    COPY(d.solimp, tendon_solimp_lim, 5, i);
    COPY(d.solref_friction, tendon_solref_fri, 2, i);
    COPY(d.solimp_friction, tendon_solimp_fri, 5, i);
    COPY(d.actuatorfrcrange, tendon_actfrcrange, 2, i);
    d.limited = limits(m->tendon_limited[i], d.range);
    d.actuatorfrclimited = limits(m->tendon_actfrclimited[i], d.actuatorfrcrange);
    tx_path_def *path = tx_alloc(sizeof *path * ((size_t)d.count + 1));
    if (!path) return false;
    for (int k = 0; k < d.count; k++) path[k] = path_element(m, m->tendon_adr[i] + k);
    d.path = path;
    bool good = tx_builder_tendon(b, &d) >= 0;
    tx_free(path);
    return good;
}

static void set_transmission(const tx_model *m, int i, tx_actuator_def *d) {
    const int id = m->actuator_trnid[i], ref = m->actuator_trnref[i];
    switch (m->actuator_trn[i]) {
    case TX_TRANSMISSION_TENDON: d->tendon = named(m, TX_ELEMENT_TENDON, id); break;
    case TX_TRANSMISSION_BODY: d->body = named(m, TX_ELEMENT_BODY, id); break;
    case TX_TRANSMISSION_SITE:
        d->site = named(m, TX_ELEMENT_SITE, id), d->refsite = named(m, TX_ELEMENT_SITE, ref);
        break;
    case TX_TRANSMISSION_CRANK:
        d->cranksite = named(m, TX_ELEMENT_SITE, id), d->slidersite = named(m, TX_ELEMENT_SITE, ref);
        break;
    default:
        d->joint = named(m, TX_ELEMENT_JOINT, id), d->inparent = m->actuator_trn[i] == TX_TRANSMISSION_JOINTINPARENT;
    }
    d->cranklength = m->actuator_cranklength[i];
}

// its inputs and their ranges
static void set_controls(const tx_model *m, int i, tx_actuator_def *d) {
    d->inputs = m->actuator_inputs[i];
    const bool pid = m->actuator_gaincurve[i] == TX_CURVE_PID;
    int k = m->actuator_ctrladr[i];
    const int last = k + m->actuator_ctrlnum[i];
    d->ctrllimited = TX_SWITCH_OFF;
    for (int input = TX_INPUT_POS; k < last; input *= 2) {
        if (d->inputs && (!(d->inputs & input) || input == TX_INPUT_NONE)) continue;
        const double *from = m->actuator_ctrlrange + 2 * k;
        double *to = pid && input == TX_INPUT_VEL  ? d->velrange
                     : pid && input == TX_INPUT_FF ? d->ffrange
                                                   : d->ctrlrange;
        memcpy(to, from, 2 * sizeof *to);
        if (to == d->ctrlrange) d->ctrllimited = limits(m->actuator_ctrllimited[k], to);
        k++;
    }
}

static bool add_actuator(tx_builder *b, const tx_model *m, int i) {
    if (tx_actuator_axis(m->actuator_gaincurve[i]) > 0) return true; // comes with the first of its axes
    tx_actuator_def d = tx_default_actuator_def();
    d.name = named(m, TX_ELEMENT_ACTUATOR, i);
    set_transmission(m, i, &d);
    d.dynamics = (tx_dynamics)m->actuator_dyn[i];
    d.gain_curve = (tx_force_curve)m->actuator_gaincurve[i], d.bias_curve = (tx_force_curve)m->actuator_biascurve[i];
    d.armature = m->actuator_armature[i];
    d.nsample = m->actuator_nsample[i], d.delay = m->actuator_delay[i], d.interp = (tx_interp)m->actuator_interp[i];
    d.group = m->actuator_group[i], d.actearly = m->actuator_actearly[i] != 0;
    COPY(d.gear, actuator_gear, 6, i);
    COPY(d.damping, actuator_damping, 3, i);
    COPY(d.dynprm, actuator_dynprm, TX_ACTUATOR_NUMBERS, i);
    COPY(d.gain, actuator_gain, TX_ACTUATOR_NUMBERS, i);
    COPY(d.bias, actuator_bias, TX_ACTUATOR_NUMBERS, i);
    set_controls(m, i, &d);
    COPY(d.forcerange, actuator_forcerange, 2, i);
    COPY(d.actrange, actuator_actrange, 2, i);
    COPY(d.lengthrange, actuator_lengthrange, 2, i);
    d.forcelimited = limits(m->actuator_forcelimited[i], d.forcerange);
    d.actlimited = limits(m->actuator_actlimited[i], d.actrange);
    return tx_builder_actuator(b, &d) >= 0;
}

static const char *object_name(const tx_model *m, int object, int i) {
    static const tx_element KIND[TX_OBJECT_COUNT] = {
        [TX_OBJECT_BODY] = TX_ELEMENT_BODY,         [TX_OBJECT_XBODY] = TX_ELEMENT_BODY,
        [TX_OBJECT_GEOM] = TX_ELEMENT_GEOM,         [TX_OBJECT_SITE] = TX_ELEMENT_SITE,
        [TX_OBJECT_CAMERA] = TX_ELEMENT_CAMERA,     [TX_OBJECT_JOINT] = TX_ELEMENT_JOINT,
        [TX_OBJECT_ACTUATOR] = TX_ELEMENT_ACTUATOR, [TX_OBJECT_TENDON] = TX_ELEMENT_TENDON,
        [TX_OBJECT_MESH] = TX_ELEMENT_MESH};
    return object == TX_OBJECT_NONE ? NULL : named(m, KIND[object], i);
}

static bool add_sensor(tx_builder *b, const tx_model *m, int i) {
    tx_sensor_def d = {.name = named(m, TX_ELEMENT_SENSOR, i),
                       .type = (tx_sensor_type)m->sensor_type[i],
                       .object = (tx_object)m->sensor_objtype[i],
                       .of = object_name(m, m->sensor_objtype[i], m->sensor_obj[i]),
                       .reference = (tx_object)m->sensor_reftype[i],
                       .relative_to = object_name(m, m->sensor_reftype[i], m->sensor_ref[i]),
                       .cutoff = m->sensor_cutoff[i],
                       .noise = m->sensor_noise[i],
                       .data = m->sensor_data[i],
                       .reduce = (tx_reduce)m->sensor_reduce[i],
                       .nsample = m->sensor_nsample[i],
                       .delay = m->sensor_delay[i],
                       .interp = (tx_interp)m->sensor_interp[i]};
    COPY(d.interval, sensor_interval, 2, i);
    if (d.type == TX_SENSOR_USER) d.num = m->sensor_dim[i];
    if (d.type == TX_SENSOR_CONTACT) d.num = m->sensor_dim[i] / tx_contact_data_size(d.data);
    return tx_builder_sensor(b, &d) >= 0;
}

// ---- the rest -----------------------------------------------------------------------------------------------------

// the site of a body that stands exactly there and has a name; -1: none
static int site_at(const tx_model *m, int body, const double pos[3]) {
    for (int i = 0; i < m->nsite; i++)
        if (m->site_body[i] == body && named(m, TX_ELEMENT_SITE, i)[0] &&
            memcmp(m->site_pos + 3 * (size_t)i, pos, 3 * sizeof *pos) == 0)
            return i;
    return -1;
}

static bool add_equality(tx_builder *b, const tx_model *m, int i) {
    static const tx_element KIND[] = {[TX_EQUALITY_CONNECT] = TX_ELEMENT_BODY, [TX_EQUALITY_WELD] = TX_ELEMENT_BODY,
                                      [TX_EQUALITY_JOINT] = TX_ELEMENT_JOINT,  [TX_EQUALITY_TENDON] = TX_ELEMENT_TENDON,
                                      [TX_EQUALITY_HINGE] = TX_ELEMENT_SITE,   [TX_EQUALITY_SLIDE] = TX_ELEMENT_SITE};
    tx_equality_def d = tx_default_equality_def();
    const double *data = m->eq_data + 11 * (size_t)i;
    d.name = named(m, TX_ELEMENT_EQUALITY, i), d.type = (tx_equality_type)m->eq_type[i];
    d.first = named(m, KIND[d.type], m->eq_obj1[i]), d.second = named(m, KIND[d.type], m->eq_obj2[i]);
    d.active = m->eq_active0[i] != 0;
    COPY(d.solref, eq_solref, 2, i);
    COPY(d.solimp, eq_solimp, 5, i);
    if (d.type == TX_EQUALITY_JOINT || d.type == TX_EQUALITY_TENDON) {
        memcpy(d.polycoef, data, sizeof d.polycoef);
        return tx_builder_equality(b, &d) >= 0;
    }
    if (d.type >= TX_EQUALITY_HINGE) return tx_builder_equality(b, &d) >= 0;
    memcpy(d.anchor, data, sizeof d.anchor);
    d.torquescale = data[10];
    if (d.type == TX_EQUALITY_WELD) {
        memcpy(d.relpos, data + 3, sizeof d.relpos);
        memcpy(d.relquat, data + 6, sizeof d.relquat);
    } else {
        // the point of a connection in the second body follows from the first, unless both are given by sites
        int first = site_at(m, m->eq_obj1[i], data), second = site_at(m, m->eq_obj2[i], data + 3);
        d.sites = first >= 0 && second >= 0;
        if (d.sites) d.first = named(m, TX_ELEMENT_SITE, first), d.second = named(m, TX_ELEMENT_SITE, second);
    }
    return tx_builder_equality(b, &d) >= 0;
}

static bool add_pair(tx_builder *b, const tx_model *m, int i) {
    tx_pair_def d = {.geom1 = named(m, TX_ELEMENT_GEOM, m->special_geom1[i]),
                     .geom2 = named(m, TX_ELEMENT_GEOM, m->special_geom2[i]),
                     .condim = m->special_dim[i],
                     .margin = m->special_margin[i],
                     .gap = m->special_gap[i]};
    d.has_friction = d.has_solref = d.has_solimp = d.has_margin = d.has_gap = true;
    COPY(d.friction, special_friction, 5, i);
    COPY(d.solref, special_solref, 2, i);
    COPY(d.solref_friction, special_solreffriction, 2, i);
    COPY(d.solimp, special_solimp, 5, i);
    return tx_builder_pair(b, &d) >= 0;
}

static bool add_exclude(tx_builder *b, const tx_model *m, int i) {
    tx_exclude_def d = {.body1 = named(m, TX_ELEMENT_BODY, m->exclude_body1[i]),
                        .body2 = named(m, TX_ELEMENT_BODY, m->exclude_body2[i])};
    return tx_builder_exclude(b, &d) >= 0;
}

static bool add_key(tx_builder *b, const tx_model *m, int i) {
    const size_t k = (size_t)i, nq = (size_t)m->nq, nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu,
                 mocap = (size_t)m->nmocap;
    tx_key_def d = {.name = named(m, TX_ELEMENT_KEY, i), .time = m->key_time[i]};
    d.qpos = m->key_qpos + k * nq, d.qpos_count = m->nq;
    d.qvel = m->key_qvel + k * nv, d.qvel_count = m->nv;
    d.act = m->key_act + k * na, d.act_count = m->na;
    d.ctrl = m->key_ctrl + k * nu, d.ctrl_count = m->nu;
    d.mpos = m->key_mpos + k * 3 * mocap, d.mpos_count = 3 * m->nmocap;
    d.mquat = m->key_mquat + k * 4 * mocap, d.mquat_count = 4 * m->nmocap;
    if (m->key_yielded[i]) d.plastic = m->key_plastic + k * (size_t)m->nplastic, d.plastic_count = m->nplastic;
    return tx_builder_key(b, &d) >= 0;
}

// every element of a list; false: no memory
#define ADD_ALL(adder, count) \
    for (int i = 0; good && i < (count); i++) good = adder(b, m, i)

tx_builder *tx_builder_from_model(const tx_model *m) {
    tx_builder *b = m ? tx_builder_create() : NULL;
    if (!b) return NULL;
    bool good = add_settings(b, m);
    ADD_ALL(add_mesh, m->nmesh);
    ADD_ALL(add_hfield, m->nhfield);
    ADD_ALL(add_texture, m->ntex);
    for (int i = 1; good && i < m->nbody; i++) good = add_body(b, m, i);
    ADD_ALL(add_joint, m->njnt);
    ADD_ALL(add_geom, m->ngeom);
    ADD_ALL(add_site, m->nsite);
    ADD_ALL(add_camera, m->ncam);
    ADD_ALL(add_tendon, m->ntendon);
    ADD_ALL(add_actuator, m->nactuator);
    ADD_ALL(add_sensor, m->nsensor);
    ADD_ALL(add_equality, m->neq);
    ADD_ALL(add_pair, m->nspecial);
    ADD_ALL(add_exclude, m->nexclude);
    ADD_ALL(add_key, m->nkey);
    if (good) return b;
    tx_builder_destroy(b);
    return NULL;
}
