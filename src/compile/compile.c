// compile.c - definitions to model: checks, the draft, and its numbers written into the model's arrays.
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/fpenv.h"
#include "base/memory.h"
#include "compile/cameras.h"
#include "compile/check.h"
#include "compile/draft.h"
#include "compile/equalities.h"
#include "compile/lengthrange.h"
#include "compile/maximal.h"
#include "compile/pair_table.h"
#include "compile/sensors.h"
#include "compile/transmissions.h"
#include "compile/trees.h"
#include "geometry/face_tree.h"
#include "geometry/mass.h"
#include "geometry/quat.h"
#include "geometry/support.h"
#include "geometry/vec3.h"
#include "model/actuator.h"
#include "model/model.h"
#include "model/range.h"
#include "step/block.h"

// where a writable model array begins
#define W(field) tx_writable(m->field)

static const int POSITIONS[] = {7, 4, 1, 1}, VELOCITIES[] = {6, 3, 1, 1};

// ---- sizes --------------------------------------------------------------------------------------------------------

static int limit_count(const tx_joint_def *d) {
    return d->type == TX_JOINT_FREE || !tx_has_limits(d) ? 0 : d->type == TX_JOINT_BALL ? 1 : 2;
}

static size_t name_bytes(const char *name) { return name[0] ? strlen(name) + 1 : 0; }

// adds to a size; false: it is too large
static bool grow(int *size, int more) {
    bool fits = *size <= (1 << 28) - more;
    *size = fits ? *size + more : *size;
    return fits;
}

// small hulls are searched through, four corners at a time; the others are climbed from a table
static bool is_small(int corners) { return corners < TX_CLIMB_FROM; }
static int start_count(const tx_hull *hull) { return is_small(hull->vertex_count) ? 0 : TX_START_CELLS; }
static int four_count(const tx_hull *hull) {
    return is_small(hull->vertex_count) ? tx_fours_count(hull->vertex_count) : 0;
}

// texture coordinates are kept where a picture lies by them
static bool keeps_coords(const tx_draft *d, int mesh) {
    const tx_mesh_def *def = &d->b->mesh.items[d->mesh_def[mesh]];
    if (!def->texcoords || def->face_count == 0) return false;
    for (int i = 0; i < d->ngeom; i++) {
        const int texture = d->b->geom.items[d->geom_def[i]].def.texture;
        if (d->geom[d->geom_def[i]].mesh == d->mesh_def[mesh] && texture >= 0 && !d->b->texture.items[texture].cube)
            return true;
    }
    return false;
}

static int texel_count(const tx_texture_def *t) { return t->width * t->height * (t->cube ? 6 : 1); }

// false: the model is too large
static bool count_sizes(const tx_draft *d, tx_model *n) {
    const tx_builder *b = d->b;
    *n = (tx_model){.nbody = d->nbody,
                    .njnt = d->njnt,
                    .ngeom = d->ngeom,
                    .nsite = d->nsite,
                    .ncam = d->ncam,
                    .nsensor = b->sensor.count,
                    .nsensordata = tx_sensor_numbers(b),
                    .nhistory = tx_history_numbers(b),
                    .nmesh = d->nmesh,
                    .nhfield = b->hfield.count,
                    .ntex = b->texture.count,
                    .nactuator = b->actuator.count,
                    .ntendon = b->tendon.count,
                    .neq = b->equality.count,
                    .nkey = b->key.count,
                    .nspecial = b->pair.count,
                    .nexclude = b->exclude.count};
    // offset 0 is the model's name; the byte behind it stands for "no name"
    size_t bytes = strlen(b->name) + 2;
    for (int i = 0; i < d->nbody; i++) {
        bytes += name_bytes(b->body.items[d->body_def[i]].def.name);
        n->nmocap += b->body.items[d->body_def[i]].def.mocap;
    }
    for (int i = 0; i < d->ngeom; i++) bytes += name_bytes(b->geom.items[d->geom_def[i]].def.name);
    for (int i = 0; i < b->site.count; i++) bytes += name_bytes(b->site.items[i].def.name);
    for (int i = 0; i < b->camera.count; i++) bytes += name_bytes(b->camera.items[i].def.name);
    for (int i = 0; i < b->sensor.count; i++) bytes += name_bytes(b->sensor.items[i].name);
    for (int i = 0; i < b->actuator.count; i++) bytes += name_bytes(b->actuator.items[i].name);
    for (int i = 0; i < b->key.count; i++) bytes += name_bytes(b->key.items[i].name);
    for (int i = 0; i < b->equality.count; i++) {
        bytes += name_bytes(b->equality.items[i].name);
        n->neqrow += tx_equality_rows[b->equality.items[i].type];
    }
    for (int i = 0; i < b->tendon.count; i++) {
        bytes += name_bytes(b->tendon.items[i].name);
        n->nplastic += b->tendon.items[i].springyield > 0 ? 2 : 0;
    }
    for (int i = 0; i < d->nmesh; i++) bytes += name_bytes(b->mesh.items[d->mesh_def[i]].name);
    for (int i = 0; i < b->hfield.count; i++) bytes += name_bytes(b->hfield.items[i].name);
    for (int i = 0; i < b->joint.count; i++) {
        const tx_joint_def *j = &b->joint.items[i].def;
        bytes += name_bytes(j->name);
        n->nq += POSITIONS[j->type], n->nv += VELOCITIES[j->type], n->nlimit += limit_count(j);
        n->nplastic += j->springyield > 0 ? POSITIONS[j->type] : 0;
    }
    bool fits = bytes < 1 << 28 && n->nhistory >= 0;
    for (int i = 0; fits && i < d->nmesh; i++) {
        const tx_mesh *m = &d->mesh[d->mesh_def[i]];
        fits = m->face_count < 1 << 26 && m->hull.face_count < 1 << 26 && grow(&n->nmeshvert, m->vertex_count) &&
               grow(&n->nmeshcorner, 3 * m->face_count) && grow(&n->nhullvert, m->hull.vertex_count) &&
               grow(&n->nhullcorner, 3 * m->hull.face_count) && grow(&n->nhullstart, start_count(&m->hull)) &&
               grow(&n->nhullfour, four_count(&m->hull)) && grow(&n->nmeshface, m->face_count) &&
               grow(&n->nmeshnode, tx_face_tree_nodes(m->face_count));
    }
    for (int i = 0; fits && i < d->nmesh; i++) {
        const tx_sdf *s = &d->sdf[d->mesh_def[i]];
        n->nsdf += s->value != NULL;
        fits = !s->value || grow(&n->nsdfdata, s->n[0] * s->n[1] * s->n[2]);
    }
    for (int i = 0; fits && i < b->hfield.count; i++)
        fits = grow(&n->nhfielddata, b->hfield.items[i].nrow * b->hfield.items[i].ncol) &&
               n->nhfielddata <= 4 * TX_HFIELD_POINTS;
    for (int i = 0; fits && i < d->nmesh; i++)
        fits = !keeps_coords(d, i) || grow(&n->nmeshuv, 3 * d->b->mesh.items[d->mesh_def[i]].face_count);
    for (int i = 0; fits && i < b->texture.count; i++) fits = grow(&n->ntexdata, texel_count(&b->texture.items[i]));
    n->nname = fits ? (int)bytes : 0;
    return fits;
}

// trees, and entries of the mass matrix: every dof with its ancestors; false: too many, or no memory
static bool count_entries(const tx_draft *d, tx_model *n) {
    long long entries = 0;
    int *depth = tx_alloc(sizeof(int) * (size_t)d->nbody);
    if (!depth) return false;
    for (int j = 0; j < d->njnt; j++) {
        const tx_built_joint *joint = &d->b->joint.items[d->joint_def[j]];
        depth[d->body[joint->body].number] += VELOCITIES[joint->def.type];
    }
    for (int i = 1; i < d->nbody; i++) {
        long long own = depth[i], above = depth[d->body[d->b->body.items[d->body_def[i]].parent].number];
        entries += own * above + own * (own + 1) / 2;
        n->ntree += own > 0 && above == 0;
        depth[i] += (int)above;
    }
    tx_free(depth);
    n->nm = (int)(entries > 1 << 28 ? 0 : entries);
    n->nsleep = d->b->options.sleep ? n->ntree : 0;
    return entries <= 1 << 28;
}

// ---- bodies and joints --------------------------------------------------------------------------------------------

static void set_unit_quat(double *out, const double *quat) {
    memcpy(out, quat, 4 * sizeof(double));
    tx_quat_normalize(out);
}

static int add_name(const tx_model *m, int *used, const char *name) {
    if (!name[0]) return (int)strlen(m->names);
    int at = *used;
    strcpy(tx_writable(m->names) + at, name);
    *used += (int)strlen(name) + 1;
    return at;
}

static void fill_joint(tx_model *m, int j, const tx_joint_def *d, int body, int qposadr, int dofadr, int *limits) {
    double axis = sqrt(d->axis[0] * d->axis[0] + d->axis[1] * d->axis[1] + d->axis[2] * d->axis[2]);
    if (fabs(axis - 1) <= 1e-15) axis = 1; // as tx_quat_normalize()
    W(jnt_type)[j] = d->type, W(jnt_body)[j] = body, W(jnt_qposadr)[j] = qposadr, W(jnt_dofadr)[j] = dofadr;
    W(jnt_limited)[j] = limit_count(d) > 0;
    W(jnt_stiffness)[j] = d->stiffness, W(jnt_margin)[j] = d->margin;
    for (int k = 0; k < 3; k++) {
        bool turns = d->type == TX_JOINT_HINGE || d->type == TX_JOINT_BALL;
        W(jnt_pos)[3 * j + k] = turns || d->type == TX_JOINT_SLIDE ? d->pos[k] : 0;
        W(jnt_axis)[3 * j + k] = d->type == TX_JOINT_HINGE || d->type == TX_JOINT_SLIDE ? d->axis[k] / axis : k == 2;
    }
    W(jnt_springyield)[j] = d->springyield;
    memcpy(W(jnt_stiffnesspoly) + 2 * j, d->stiffnesspoly, sizeof d->stiffnesspoly);
    memcpy(W(jnt_range) + 2 * j, d->range, sizeof d->range);
    W(jnt_actfrclimited)[j] = tx_is_limited(d->actuatorfrclimited, d->actuatorfrcrange);
    W(jnt_actgravcomp)[j] = d->actuatorgravcomp;
    memcpy(W(jnt_actfrcrange) + 2 * j, d->actuatorfrcrange, sizeof d->actuatorfrcrange);
    memcpy(W(jnt_solref) + 2 * j, d->solref, sizeof d->solref);
    memcpy(W(jnt_solimp) + 5 * j, d->solimp, sizeof d->solimp);
    for (int k = 0; k < VELOCITIES[d->type]; k++) {
        int v = dofadr + k;
        W(dof_body)[v] = body, W(dof_jnt)[v] = j, W(dof_armature)[v] = d->armature, W(dof_damping)[v] = d->damping;
        W(dof_frictionloss)[v] = d->frictionloss;
        memcpy(W(dof_dampingpoly) + 2 * v, d->dampingpoly, sizeof d->dampingpoly);
        memcpy(W(dof_solref) + 2 * v, d->solref_friction, sizeof d->solref_friction);
        memcpy(W(dof_solimp) + 5 * v, d->solimp_friction, sizeof d->solimp_friction);
    }
    for (int k = 0; k < limit_count(d); k++, ++*limits) {
        W(limit_jnt)[*limits] = j;
        W(limit_side)[*limits] = d->type == TX_JOINT_BALL ? 0 : k == 0 ? 1 : -1;
    }
    // the initial position, and where springs rest
    double *q = W(qpos0) + qposadr, *spring = W(qpos_spring) + qposadr;
    if (d->type == TX_JOINT_FREE) {
        memcpy(q, m->body_pos + 3 * body, 3 * sizeof(double));
        memcpy(q + 3, m->body_quat + 4 * body, 4 * sizeof(double));
    } else if (d->type == TX_JOINT_BALL) q[0] = 1;
    else q[0] = d->ref;
    memcpy(spring, q, sizeof(double) * (size_t)POSITIONS[d->type]);
    if (d->type == TX_JOINT_HINGE || d->type == TX_JOINT_SLIDE) spring[0] = d->springref;
}

static void fill_bodies(const tx_draft *draft, tx_model *m) {
    const tx_builder *b = draft->b;
    int qpos = 0, dof = 0, limits = 0, entries = 0, mocap = 0;
    for (int i = 0; i < m->nbody; i++) {
        const tx_built_body *built = &b->body.items[draft->body_def[i]];
        const tx_body_def *d = &built->def;
        const tx_draft_body *body = &draft->body[draft->body_def[i]];
        const int *first = draft->joint_first;
        int parent = draft->body[built->parent].number, joints = first[i + 1] - first[i];
        W(body_parent)[i] = parent;
        W(body_gravcomp)[i] = d->gravcomp;
        W(body_mocap)[i] = d->mocap ? mocap++ : -1;
        W(body_lone)[i] = joints == 1 && b->joint.items[draft->joint_def[first[i]]].def.type == TX_JOINT_FREE;
        if (i > 0) W(body_lone)[parent] = 0;
        W(body_root)[i] = parent == 0 ? i : m->body_root[parent];
        // bodies without joints between them are one; a mocap body moves on its own
        W(body_weld)[i] = i == 0 ? 0 : joints > 0 || d->mocap ? i : m->body_weld[parent];
        memcpy(W(body_pos) + 3 * i, body->pos, sizeof body->pos);
        memcpy(W(body_quat) + 4 * i, body->quat, sizeof body->quat);
        memcpy(W(body_ipos) + 3 * i, body->ipos, sizeof body->ipos);
        memcpy(W(body_iquat) + 4 * i, body->iquat, sizeof body->iquat);
        memcpy(W(body_inertia) + 3 * i, body->inertia, sizeof body->inertia);
        W(body_mass)[i] = body->mass;
        W(body_geomadr)[i] = draft->geom_first[i], W(body_geomnum)[i] = draft->geom_first[i + 1] - draft->geom_first[i];
        W(body_jntadr)[i] = first[i], W(body_jntnum)[i] = joints;
        W(body_dofadr)[i] = dof;
        int last = i == 0 ? -1 : m->body_lastdof[parent];
        for (int j = first[i]; j < first[i + 1]; j++) {
            const tx_joint_def *joint = &b->joint.items[draft->joint_def[j]].def;
            fill_joint(m, j, joint, i, qpos, dof, &limits);
            for (int k = 0; k < VELOCITIES[joint->type]; k++, dof++) {
                W(dof_parent)[dof] = last;
                W(dof_madr)[dof] = entries;
                W(dof_mnum)[dof] = 1 + (last >= 0 ? m->dof_mnum[last] : 0);
                entries += m->dof_mnum[dof];
                last = dof;
            }
            qpos += POSITIONS[joint->type];
        }
        W(body_dofnum)[i] = dof - m->body_dofadr[i];
        W(body_lastdof)[i] = last;
    }
}

// ---- geoms and meshes ---------------------------------------------------------------------------------------------

static void fill_geom(tx_model *m, int i, const tx_geom_def *d, const tx_draft_geom *g, int body, int mesh) {
    W(geom_type)[i] = d->type, W(geom_body)[i] = body, W(geom_mesh)[i] = mesh;
    W(geom_hfield)[i] = g->hfield;
    W(geom_fluid)[i] = d->fluid_ellipsoid && d->type != TX_GEOM_PLANE && d->type != TX_GEOM_HFIELD; // they never move
    memcpy(W(geom_fluidcoef) + 5 * i, d->fluidcoef, sizeof d->fluidcoef);
    memcpy(W(geom_surfacevel) + 6 * i, d->surfacevel, sizeof d->surfacevel);
    W(geom_contype)[i] = d->contype, W(geom_conaffinity)[i] = d->conaffinity, W(geom_condim)[i] = d->condim;
    W(geom_priority)[i] = d->priority, W(geom_group)[i] = d->group;
    W(geom_margin)[i] = d->margin, W(geom_gap)[i] = d->gap, W(geom_solmix)[i] = d->solmix;
#define X(NAME, name, highest, meaning) W(geom_##name)[i] = d->name;
    TX_GEOM_MATERIALS(X)
#undef X
    memcpy(W(geom_friction) + 3 * i, d->friction, sizeof d->friction);
    memcpy(W(geom_solref) + 2 * i, d->solref, sizeof d->solref);
    memcpy(W(geom_solimp) + 5 * i, d->solimp, sizeof d->solimp);
    for (int k = 0; k < 4; k++) W(geom_rgba)[4 * i + k] = d->rgba[k];
    memcpy(W(geom_size) + 3 * i, g->size, sizeof g->size);
    memcpy(W(geom_ownpos) + 3 * i, g->own_pos, sizeof g->own_pos);
    memcpy(W(geom_ownquat) + 4 * i, g->own_quat, sizeof g->own_quat);
    memcpy(W(geom_pos) + 3 * i, g->pos, sizeof g->pos);
    memcpy(W(geom_quat) + 4 * i, g->quat, sizeof g->quat);
    W(geom_texture)[i] = d->texture, W(geom_texuniform)[i] = d->texuniform;
    memcpy(W(geom_texrepeat) + 2 * i, d->texrepeat, sizeof d->texrepeat);
    W(geom_rbound)[i] = tx_shape_radius(d->type, g->size);
}

static void fill_geoms(const tx_draft *d, tx_model *m) {
    for (int i = 0; i < m->ngeom; i++) {
        const tx_draft_geom *g = &d->geom[d->geom_def[i]];
        fill_geom(m, i, &d->b->geom.items[d->geom_def[i]].def, g, d->body[g->body].number,
                  g->mesh < 0 ? -1 : d->mesh_number[g->mesh]);
    }
}

// MuJoCo's bounding sphere of a height field: about its middle at height zero
static double hfield_radius(const double size[4]) {
    double height = fmax(size[2], size[3]);
    return sqrt(size[0] * size[0] + size[1] * size[1] + height * height);
}

// heights 0 to 1, in single precision as MuJoCo keeps them
static void fill_hfields(const tx_draft *d, tx_model *m) {
    for (int i = 0, at = 0; i < m->nhfield; i++) {
        const tx_hfield_def *h = &d->b->hfield.items[i];
        int points = h->nrow * h->ncol;
        W(hfield_nrow)[i] = h->nrow, W(hfield_ncol)[i] = h->ncol, W(hfield_adr)[i] = at;
        memcpy(W(hfield_size) + 4 * i, h->size, sizeof h->size);
        float low = h->elevation ? (float)h->elevation[0] : 0, high = low;
        for (int k = 0; h->elevation && k < points; k++) {
            low = (float)h->elevation[k] < low ? (float)h->elevation[k] : low;
            high = (float)h->elevation[k] > high ? (float)h->elevation[k] : high;
        }
        for (int k = 0; h->elevation && k < points; k++) {
            float height = (float)h->elevation[k] - low;
            W(hfield_data)[at + k] = (double)((double)(high - low) > 1e-14 ? height / (high - low) : height);
        }
        at += points;
    }
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_hfield[i] >= 0) W(geom_rbound)[i] = hfield_radius(m->hfield_size + 4 * m->geom_hfield[i]);
}

// index of the field, -1: the mesh has none; points: where its values begin
static int fill_sdf(const tx_sdf *sdf, tx_model *m, int *count, int *points) {
    if (!sdf->value) return -1;
    int i = (*count)++, size = sdf->n[0] * sdf->n[1] * sdf->n[2];
    W(sdf_nx)[i] = sdf->n[0], W(sdf_ny)[i] = sdf->n[1], W(sdf_nz)[i] = sdf->n[2], W(sdf_adr)[i] = *points;
    memcpy(W(sdf_low) + 3 * i, sdf->low, sizeof sdf->low);
    W(sdf_cell)[i] = sdf->cell;
    memcpy(W(sdf_data) + *points, sdf->value, sizeof(double) * (size_t)size);
    *points += size;
    return i;
}

// the corners of a small hull in fours; returns where they begin, -1: there are none
static int fill_fours(tx_model *m, int i, int *groups) {
    int first = *groups, corners = m->mesh_hullvertnum[i];
    if (corners == 0 || !is_small(corners)) return -1;
    tx_fours_fill(m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i], m->hull_vert + m->mesh_hullvertadr[i], corners,
                  W(hull_four) + 12 * (size_t)first);
    *groups += tx_fours_count(corners);
    return first;
}

// the direction table of the hull of mesh i; returns where it begins, -1: it has none
static int fill_start(tx_model *m, int i, int *entries) {
    tx_convex hull = {.core = TX_CORE_POINTS,
                      .points = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i],
                      .vertex = m->hull_vert + m->mesh_hullvertadr[i],
                      .point_count = m->mesh_hullvertnum[i]};
    int first = *entries;
    if (is_small(hull.point_count)) return -1;
    tx_start_fill(&hull, W(hull_start) + first);
    *entries += TX_START_CELLS;
    return first;
}

// what the mesh was made from, so that a model can be written as it was described
static void fill_mesh_given(tx_model *m, int i, const tx_mesh_def *def) {
    W(mesh_inertia)[i] = (int)def->inertia, W(mesh_hullfaced)[i] = def->face_count == 0;
    W(mesh_hullmost)[i] = def->hull_corners;
    memcpy(W(mesh_refpos) + 3 * i, def->refpos, sizeof def->refpos);
    memcpy(W(mesh_refquat) + 4 * i, def->refquat, sizeof def->refquat);
    memcpy(W(mesh_scale) + 3 * i, def->scale, sizeof def->scale);
    double *given = W(mesh_given) + 3 * (size_t)m->mesh_vertadr[i];
    for (int k = 0; k < 3 * def->vertex_count; k++) given[k] = (double)(float)def->vertices[k];
}

// where textures lie on mesh i; returns the first corner, -1: none do
static int fill_coords(const tx_draft *d, tx_model *m, int i, int *corners) {
    const tx_mesh_def *def = &d->b->mesh.items[d->mesh_def[i]];
    if (!keeps_coords(d, i)) return -1;
    const bool turned = def->scale[0] * def->scale[1] * def->scale[2] < 0;
    const int first = *corners, count = 3 * def->face_count;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 2; c++)
            W(mesh_uv)[2 * (first + k) + c] = def->texcoords[2 * tx_turned_corner(k, turned) + c];
    *corners += count;
    return first;
}

static void fill_textures(const tx_builder *b, tx_model *m) {
    for (int i = 0, at = 0; i < m->ntex; i++) {
        const tx_texture_def *t = &b->texture.items[i];
        W(tex_cube)[i] = t->cube, W(tex_width)[i] = t->width, W(tex_height)[i] = t->height, W(tex_adr)[i] = at;
        for (int k = 0; k < texel_count(t); k++) W(tex_data)[at + k] = t->texels[k] & 0xFFFFFF;
        at += texel_count(t);
    }
}

// the tree over the faces of mesh i; false: no memory
static bool fill_tree(tx_model *m, int i, int *nodes) {
    int first = *nodes;
    W(mesh_nodeadr)[i] = first;
    W(mesh_nodenum)[i] = tx_face_tree_nodes(m->mesh_facenum[i]);
    *nodes += m->mesh_nodenum[i];
    return tx_face_tree_fill(m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i], m->mesh_face + m->mesh_faceadr[i],
                             m->mesh_facenum[i], W(node_leaf) + first, W(node_end) + first,
                             W(node_box) + 6 * (size_t)first, W(mesh_order) + m->mesh_faceadr[i] / 3);
}

// false: no memory
static bool fill_meshes(const tx_draft *d, tx_model *m) {
    bool good = true;
    int vertices = 0, corners = 0, hull_vertices = 0, hull_corners = 0, fours = 0, starts = 0, nodes = 0, fields = 0,
        field_points = 0, coords = 0;
    for (int i = 0; i < m->nmesh; i++) {
        const tx_mesh *mesh = &d->mesh[d->mesh_def[i]];
        const tx_hull *hull = &mesh->hull;
        W(mesh_vertadr)[i] = vertices, W(mesh_vertnum)[i] = mesh->vertex_count;
        W(mesh_faceadr)[i] = corners, W(mesh_facenum)[i] = mesh->face_count;
        W(mesh_hullvertadr)[i] = hull_vertices, W(mesh_hullvertnum)[i] = hull->vertex_count;
        W(mesh_hullfaceadr)[i] = hull_corners, W(mesh_hullfacenum)[i] = hull->face_count;
        W(mesh_sdf)[i] = fill_sdf(&d->sdf[d->mesh_def[i]], m, &fields, &field_points);
        fill_mesh_given(m, i, &d->b->mesh.items[d->mesh_def[i]]);
        memcpy(W(mesh_pos) + 3 * i, mesh->pos, sizeof mesh->pos);
        memcpy(W(mesh_quat) + 4 * i, mesh->quat, sizeof mesh->quat);
        for (int k = 0; k < 3 * mesh->vertex_count; k++)
            W(mesh_vert)[3 * (size_t)vertices + (size_t)k] = (double)(float)mesh->vertex[k];
        for (int k = 0; k < 3 * mesh->face_count; k++) W(mesh_face)[corners + k] = mesh->face[k];
        for (int k = 0; k < hull->vertex_count; k++) {
            W(hull_vert)[hull_vertices + k] = hull->vertex[k];
            W(hull_edgeadr)[hull_vertices + k] = hull->first[k];
            W(hull_edgenum)[hull_vertices + k] = hull->first[k + 1] - hull->first[k];
        }
        for (int k = 0; k < 3 * hull->face_count; k++) {
            W(hull_face)[hull_corners + k] = hull->face[k];
            W(hull_edge)[hull_corners + k] = hull->neighbour[k];
        }
        W(mesh_uvadr)[i] = fill_coords(d, m, i, &coords);
        W(mesh_fouradr)[i] = fill_fours(m, i, &fours);
        W(mesh_startadr)[i] = fill_start(m, i, &starts);
        good = fill_tree(m, i, &nodes) && good;
        vertices += mesh->vertex_count, corners += 3 * mesh->face_count;
        hull_vertices += hull->vertex_count, hull_corners += 3 * hull->face_count;
    }
    return good;
}

// ---- masses -------------------------------------------------------------------------------------------------------

static void set_total_mass(tx_model *m, double wanted) {
    double total = 0;
    for (int i = 1; i < m->nbody; i++) total += m->body_mass[i];
    double scale = fmax(1e-15, wanted / fmax(1e-15, total));
    for (int i = 1; i < m->nbody; i++) {
        W(body_mass)[i] *= scale;
        for (int k = 0; k < 3; k++) W(body_inertia)[3 * i + k] *= scale;
    }
}

// a lone body that only slides along its own axes: MuJoCo weighs such bodies by their mass alone
static void mark_sliders(tx_model *m) {
    // until the end, -1 marks a body with children
    for (int i = 1; i < m->nbody; i++) W(body_sliders)[m->body_parent[i]] = -1;
    for (int i = 1; i < m->nbody; i++) {
        int parent = m->body_parent[i];
        bool simple = m->body_sliders[i] == 0 && m->body_dofnum[i] > 0 &&
                      (m->body_root[i] == i || (m->body_parent[parent] == 0 && m->body_dofnum[parent] == 0));
        for (int k = 0; k < 3; k++)
            simple = simple && fabs(m->body_ipos[3 * i + k]) < 1e-6 && fabs(m->body_iquat[4 * i + 1 + k]) < 1e-6;
        for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++) {
            int along = 0;
            for (int k = 0; k < 3; k++) {
                along += fabs(m->jnt_axis[3 * j + k]) > 1e-14;
                simple = simple && fabs(m->jnt_pos[3 * j + k]) < 1e-6;
            }
            simple = simple && m->jnt_type[j] == TX_JOINT_SLIDE && along == 1;
        }
        W(body_sliders)[i] = simple;
    }
    W(body_sliders)[0] = 0;
}

// ---- the rest -----------------------------------------------------------------------------------------------------

static void fill_keys(const tx_builder *b, tx_model *m) {
    for (int i = 0; i < m->nkey; i++) {
        const tx_key_def *d = &b->key.items[i];
        double *qpos = W(key_qpos) + (size_t)i * (size_t)m->nq;
        W(key_time)[i] = d->time;
        memcpy(qpos, d->qpos ? d->qpos : m->qpos0, sizeof(double) * (size_t)m->nq);
        for (int k = 0; d->qpos_given && k < m->nq; k++) qpos[k] = d->qpos_given[k] ? d->qpos[k] : m->qpos0[k];
        if (d->qvel) memcpy(W(key_qvel) + (size_t)i * (size_t)m->nv, d->qvel, sizeof(double) * (size_t)m->nv);
        for (int k = 0; k < m->nbody; k++) {
            if (m->body_mocap[k] < 0) continue;
            size_t at = (size_t)i * (size_t)m->nmocap + (size_t)m->body_mocap[k];
            memcpy(W(key_mpos) + 3 * at, d->mpos ? d->mpos + 3 * m->body_mocap[k] : m->body_pos + 3 * k,
                   3 * sizeof(double));
            set_unit_quat(W(key_mquat) + 4 * at, d->mquat ? d->mquat + 4 * m->body_mocap[k] : m->body_quat + 4 * k);
        }
        if (d->act) memcpy(W(key_act) + (size_t)i * (size_t)m->na, d->act, sizeof(double) * (size_t)m->na);
        W(key_yielded)[i] = d->plastic != NULL;
        if (d->plastic)
            memcpy(W(key_plastic) + (size_t)i * (size_t)m->nplastic, d->plastic, sizeof(double) * (size_t)m->nplastic);
        if (d->ctrl) memcpy(W(key_ctrl) + (size_t)i * (size_t)m->nu, d->ctrl, sizeof(double) * (size_t)m->nu);
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] == TX_JOINT_FREE) tx_quat_normalize(qpos + m->jnt_qposadr[j] + 3);
            if (m->jnt_type[j] == TX_JOINT_BALL) tx_quat_normalize(qpos + m->jnt_qposadr[j]);
        }
    }
}

static void fill_names(const tx_draft *d, tx_model *m) {
    const tx_builder *b = d->b;
    strcpy(tx_writable(m->names), b->name);
    int used = (int)strlen(b->name) + 2;
    for (int i = 0; i < m->nbody; i++) W(body_name)[i] = add_name(m, &used, b->body.items[d->body_def[i]].def.name);
    for (int i = 0; i < m->njnt; i++) W(jnt_name)[i] = add_name(m, &used, b->joint.items[d->joint_def[i]].def.name);
    for (int i = 0; i < m->ngeom; i++) W(geom_name)[i] = add_name(m, &used, b->geom.items[d->geom_def[i]].def.name);
    for (int i = 0; i < m->nsite; i++) W(site_name)[i] = add_name(m, &used, b->site.items[d->site_def[i]].def.name);
    for (int i = 0; i < m->ncam; i++) W(cam_name)[i] = add_name(m, &used, b->camera.items[d->camera_def[i]].def.name);
    for (int i = 0; i < m->nsensor; i++) W(sensor_name)[i] = add_name(m, &used, b->sensor.items[i].name);
    for (int i = 0; i < m->nactuator; i++) W(actuator_name)[i] = add_name(m, &used, b->actuator.items[i].name);
    for (int i = 0; i < m->neq; i++) W(eq_name)[i] = add_name(m, &used, b->equality.items[i].name);
    for (int i = 0; i < m->ntendon; i++) W(tendon_name)[i] = add_name(m, &used, b->tendon.items[i].name);
    for (int i = 0; i < m->nkey; i++) W(key_name)[i] = add_name(m, &used, b->key.items[i].name);
    for (int i = 0; i < m->nmesh; i++) W(mesh_name)[i] = add_name(m, &used, b->mesh.items[d->mesh_def[i]].name);
    for (int i = 0; i < m->nhfield; i++) W(hfield_name)[i] = add_name(m, &used, b->hfield.items[i].name);
}

// inertia that an actuator feels at qpos0: 1 / (j M⁻¹ jᵀ), by the factor of M that derive() left in the block
static double transmission_inertia(const tx_model *m, const tx_block *block, int i, double *row) {
    const tx_tree *tree = &block->tree;
    double weight = 0;
    for (int d = 0; d < m->nv; d++) row[d] = 0;
    for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++)
        row[m->moment_dof[e]] = tx_lane(block, block->moment, e, 0);
    // L⁻ᵀ j, from the leaves to the roots
    for (int d = m->nv - 1; d >= 0; d--) {
        if (row[d] == 0) continue;
        for (int s = 1, up = tree->parent[d]; up >= 0; s++, up = tree->parent[up])
            row[up] -= tx_lane(block, block->L, tree->first[d] + s, 0) * row[d];
        weight += row[d] * row[d] * tx_lane(block, block->Linv, d, 0);
    }
    return weight > 1e-15 ? 1 / weight : 0;
}

// gains that are given relative to the inertia at qpos0: springs and dampers by the inverse weight of their joint,
// position servos by the inertia that they feel
static bool tune_to_inertia(const tx_draft *d, tx_model *m, const tx_block *block) {
    for (int j = 0; j < m->njnt; j++) {
        const double *given = d->b->joint.items[d->joint_def[j]].def.springdamper;
        if (!(given[0] > 0 && given[1] > 0)) continue;
        int first = m->jnt_dofadr[j], count = VELOCITIES[m->jnt_type[j]];
        double inertia = 0;
        for (int k = first; k < first + count; k++) inertia += 1 / fmax(m->dof_invweight0[k], 1e-15) / count;
        W(jnt_stiffness)[j] = inertia / fmax(given[0] * given[0] * given[1] * given[1], 1e-15);
        for (int k = first; k < first + count; k++) W(dof_damping)[k] = 2 * inertia / fmax(given[0], 1e-15);
    }
    double *row = tx_alloc(sizeof(double) * (size_t)m->nv);
    if (!row) return false;
    for (int i = 0; i < m->nactuator; i++) {
        const tx_actuator_def *def = &d->b->actuator.items[i];
        if (!(def->dampratio > 0)) continue;
        // of an orientation servo that of the mean over its axes
        const int axis = tx_actuator_axis((int)def->gain_curve);
        double inertia = transmission_inertia(m, block, i, row);
        if (axis >= 0) {
            double weight = 0;
            for (int k = 0; k < 3; k++) {
                const double own = transmission_inertia(m, block, i - axis + k, row);
                weight += own > 0 ? 1 / own : 0;
            }
            inertia = weight > 1e-15 ? 3 / weight : 0;
        }
        double kp = def->gain_curve == TX_CURVE_PID ? -def->bias[1] : def->gain[0];
        W(actuator_bias)[10 * i + 2] = -2 * def->dampratio * sqrt(fmax(kp * inertia, 0));
    }
    tx_free(row);
    return true;
}

// springs of tendons rest at the length they have where those of the joints rest
static void rest_tendons(tx_model *m, const tx_target *t, tx_block *block) {
    for (int i = 0; i < m->nq; i++) tx_lane_set(block, block->qpos, i, 0, m->qpos_spring[i]);
    t->kinematics(block);
    t->free_motion(block);
    for (int i = 0; i < m->ntendon; i++) {
        double *rest = W(tendon_lengthspring) + 2 * i;
        if (rest[0] == -1 && rest[1] == -1) rest[0] = rest[1] = tx_lane(block, block->tendon_length, i, 0);
    }
}

// inverse weights and mean inertia, by the scalar target's own dynamics
static bool fill_derived(const tx_draft *d, tx_model *m) {
    const tx_target *t = tx_target_single(TX_TARGET_SCALAR);
    tx_block *block = tx_block_create(t, m, m->opt, 0, NULL);
    if (!block) return false;
#define X(NAME, name, count, width, meaning) block->param.name = m->name;
    TX_MODEL_PARAMS(X)
#undef X
    tx_fpenv env = tx_fpenv_enter();
    t->derive(block);
    bool tuned = tune_to_inertia(d, m, block);
    tx_pose_equalities(d->b, m, block);
    rest_tendons(m, t, block);
    tx_fpenv_leave(env);
    tx_block_destroy(block);
    return tuned;
}

// bodies and geoms, which tell the pairs
static tx_model *begin(const tx_draft *d, const tx_model *sizes) {
    tx_model *m = tx_model_create(sizes, &d->b->options);
    if (!m) return NULL;
    memcpy(W(gravity), d->b->gravity, sizeof d->b->gravity);
    W(density)[0] = d->b->density, W(viscosity)[0] = d->b->viscosity;
    memcpy(W(wind), d->b->wind, sizeof d->b->wind);
    memcpy(W(magnetic), d->b->magnetic, sizeof d->b->magnetic);
    fill_bodies(d, m);
    fill_geoms(d, m);
    if (tx_pair_lists_fill(d, m)) return m;
    tx_model_destroy(m);
    return NULL;
}

// numbers that are each in range may become too large together: a heavy geom far from the next, a frame far out in a
// frame
static void check_made(const tx_draft *d, const tx_model *m, tx_diag *diag) {
    tx_param_problem problem;
    const char *field = tx_model_numbers_problem(m, &problem);
    if (!field) return;
    if (strncmp(field, "body_", 5) != 0) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "places or sizes are too large together",
                    "%s becomes %g; it takes %s", field, problem.value, problem.takes);
        return;
    }
    const int body = problem.index / (problem.count / m->nbody);
    const tx_body_def *def = &d->b->body.items[d->body_def[body]].def;
    tx_diag_add(diag, TX_SEVERITY_ERROR, def->source.file, def->source.line, def->source.column,
                "its masses, sizes or places are too large together", "body '%s': %s becomes %g; it takes %s",
                NAME_OF(def, body), field + 5, problem.value, problem.takes);
}

static tx_model *build(const tx_draft *d, tx_diag *diag) {
    tx_model sizes, *m = NULL;
    // a first model without pairs and meshes tells which pairs there are, and which dofs move the tendons
    if (count_sizes(d, &sizes) && count_entries(d, &sizes)) {
        tx_model small = sizes;
        small.nmesh = small.nmeshvert = small.nmeshcorner = small.nhullvert = small.nhullcorner = small.nhullstart = 0;
        small.nhullfour = 0;
        small.nmeshface = small.nmeshnode = 0;
        small.nhfield = small.nhfielddata = small.nsdf = small.nsdfdata = 0;
        small.ntex = small.ntexdata = small.nmeshuv = 0;
        tx_model *first = begin(d, &small);
        tx_pair_table *pairs = first ? tx_pair_table_create(d, first) : NULL;
        sizes.npair = pairs ? tx_pair_table_count(pairs) : -1;
        if (sizes.npair >= 0 && tx_count_transmissions(d, first, &sizes)) m = begin(d, &sizes);
        if (m) tx_pair_table_fill(pairs, m, diag);
        tx_pair_table_destroy(pairs);
        tx_model_destroy(first);
    }
    if (!m) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "the model does not fit into memory");
        return NULL;
    }
    bool filled = fill_meshes(d, m);
    fill_hfields(d, m);
    fill_textures(d->b, m);
    if (d->b->compiler.settotalmass > 0) set_total_mass(m, d->b->compiler.settotalmass);
    mark_sliders(m);
    tx_fill_transmissions(d, m);
    tx_fill_trees(d, m, diag);
    tx_fill_equalities(d, m);
    tx_fill_cameras(d, m);
    tx_fill_sensors(d, m);
    fill_keys(d->b, m);
    fill_names(d, m);
    if (!filled || !fill_derived(d, m) || !tx_fill_lengthranges(d, m, diag))
        tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
    else check_made(d, m, diag);
    tx_model_seal(m);
    return m;
}

// the model as it is defined
static tx_model *compile(const tx_builder *b, tx_diag *diag) {
    int before = diag->errors;
    tx_model *m = NULL;
    tx_catalog catalog;
    if (!tx_catalog_create(&catalog, b)) tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
    else {
        if (tx_check(b, &catalog, diag)) {
            tx_draft draft;
            if (tx_draft_create(&draft, b, &catalog, diag)) m = build(&draft, diag);
            tx_draft_free(&draft);
        }
        tx_catalog_free(&catalog);
    }
    if (diag->errors == before) return m;
    tx_model_destroy(m);
    return NULL;
}

// the same with free bodies and equalities instead of joints
static tx_model *compile_maximal(const tx_model *reduced, tx_diag *diag) {
    tx_builder *b = tx_builder_maximal(reduced);
    tx_model *m = b ? compile(b, diag) : NULL;
    if (!b) tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
    tx_builder_destroy(b);
    return m;
}

tx_model *tx_builder_compile(const tx_builder *b, tx_diag *diag) {
    tx_diag own = {0}, *d = diag ? diag : &own;
    tx_model *m = b ? compile(b, d) : NULL;
    if (!b) tx_diag_add(d, TX_SEVERITY_ERROR, "", 0, 0, "", "there is no builder");
    if (m && b->compiler.coordinates == TX_COORDINATES_MAXIMAL) {
        tx_model *reduced = m;
        m = tx_check_maximal(b, reduced, d) ? compile_maximal(reduced, d) : NULL;
        tx_model_destroy(reduced);
    }
    tx_diag_free(&own);
    return m;
}
