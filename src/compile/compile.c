// compile.c - definitions to model: numbering, frames, masses, the pair table, derived constants.
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "collide/mix.h"
#include "collide/pairs.h"
#include "compile/check.h"
#include "geometry/mass.h"
#include "geometry/quat.h"
#include "model/model.h"
#include "step/block.h"

// where a writable model array begins
#define W(field) tx_writable(m->field)

static const int POSITIONS[] = {7, 4, 1, 1}, VELOCITIES[] = {6, 3, 1, 1};

// order[] lists the items body by body, in the order of the calls within a body
static void order_by_body(const int *body_of, int count, int bodies, int *order, int *first) {
    for (int i = 0; i <= bodies; i++) first[i] = 0;
    for (int i = 0; i < count; i++) first[body_of[i] + 1]++;
    for (int i = 0; i < bodies; i++) first[i + 1] += first[i];
    for (int i = 0; i < count; i++) order[first[body_of[i]]++] = i;
    for (int i = bodies; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
}

typedef struct numbering {
    int *joint, *geom;              // new index -> definition
    int *joint_first, *geom_first;  // per body
    int *joint_new, *geom_new;      // definition -> new index
} numbering;

// ---- sizes --------------------------------------------------------------------------------------------------------

static int limit_count(const tx_joint_def *d) { return d->type == TX_FREE || !tx_has_limits(d) ? 0 : d->type == TX_BALL ? 1 : 2; }

static size_t name_bytes(const char *name) { return name[0] ? strlen(name) + 1 : 0; }

static tx_model count_sizes(const tx_builder *b) {
    tx_model n = {.nbody = b->body.count, .njnt = b->joint.count, .ngeom = b->geom.count, .nu = b->actuator.count, .nkey = b->key.count, .nspecial = b->pair.count};
    // offset 0 is the model's name; the byte behind it stands for "no name"
    size_t bytes = strlen(b->name) + 2;
    for (int i = 0; i < b->body.count; i++) {
        bytes += name_bytes(b->body.items[i].def.name);
        n.nmocap += b->body.items[i].def.mocap;
    }
    for (int i = 0; i < b->geom.count; i++) bytes += name_bytes(b->geom.items[i].def.name);
    for (int i = 0; i < b->actuator.count; i++) bytes += name_bytes(b->actuator.items[i].name);
    for (int i = 0; i < b->key.count; i++) bytes += name_bytes(b->key.items[i].name);
    for (int i = 0; i < b->joint.count; i++) {
        const tx_joint_def *d = &b->joint.items[i].def;
        bytes += name_bytes(d->name);
        n.nq += POSITIONS[d->type], n.nv += VELOCITIES[d->type], n.nlimit += limit_count(d);
    }
    n.nname = (int)bytes;
    return n;
}

// entries of the mass matrix: every dof with its ancestors
static int count_entries(const tx_builder *b, int *depth) {
    long long entries = 0;
    for (int i = 0; i < b->body.count; i++) depth[i] = 0;
    for (int j = 0; j < b->joint.count; j++) depth[b->joint.items[j].body] += VELOCITIES[b->joint.items[j].def.type];
    for (int i = 1; i < b->body.count; i++) {
        int own = depth[i], above = depth[b->body.items[i].parent];
        for (int k = 0; k < own; k++) entries += above + k + 1;
        depth[i] += above;
    }
    return entries > 1 << 28 ? -1 : (int)entries;
}

// ---- bodies and joints --------------------------------------------------------------------------------------------

static bool limited(tx_switch flag, const double range[2]) { return flag == TX_AUTO ? range[0] < range[1] : flag == TX_ON; }

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

static void fill_joint(const tx_builder *b, tx_model *m, int j, const tx_joint_def *d, int body, int qposadr, int dofadr, int *limits) {
    double axis = sqrt(d->axis[0] * d->axis[0] + d->axis[1] * d->axis[1] + d->axis[2] * d->axis[2]);
    W(jnt_type)[j] = d->type, W(jnt_body)[j] = body, W(jnt_qposadr)[j] = qposadr, W(jnt_dofadr)[j] = dofadr;
    W(jnt_limited)[j] = limit_count(d) > 0;
    W(jnt_stiffness)[j] = d->stiffness, W(jnt_margin)[j] = d->margin;
    for (int k = 0; k < 3; k++) {
        bool turns = d->type == TX_HINGE || d->type == TX_BALL;
        W(jnt_pos)[3 * j + k] = turns || d->type == TX_SLIDE ? d->pos[k] : 0;
        W(jnt_axis)[3 * j + k] = d->type == TX_HINGE || d->type == TX_SLIDE ? d->axis[k] / axis : k == 2;
    }
    memcpy(W(jnt_range) + 2 * j, d->range, sizeof d->range);
    W(jnt_actfrclimited)[j] = limited(d->actuatorfrclimited, d->actuatorfrcrange);
    W(jnt_actgravcomp)[j] = d->actuatorgravcomp;
    memcpy(W(jnt_actfrcrange) + 2 * j, d->actuatorfrcrange, sizeof d->actuatorfrcrange);
    memcpy(W(jnt_solref) + 2 * j, d->solref, sizeof d->solref);
    memcpy(W(jnt_solimp) + 5 * j, d->solimp, sizeof d->solimp);
    for (int k = 0; k < VELOCITIES[d->type]; k++) {
        int v = dofadr + k;
        W(dof_body)[v] = body, W(dof_jnt)[v] = j, W(dof_armature)[v] = d->armature, W(dof_damping)[v] = d->damping;
        W(dof_frictionloss)[v] = d->frictionloss;
        memcpy(W(dof_solref) + 2 * v, d->solref_friction, sizeof d->solref_friction);
        memcpy(W(dof_solimp) + 5 * v, d->solimp_friction, sizeof d->solimp_friction);
    }
    for (int k = 0; k < limit_count(d); k++, ++*limits) {
        W(limit_jnt)[*limits] = j;
        W(limit_side)[*limits] = d->type == TX_BALL ? 0 : k == 0 ? 1 : -1;
    }
    // the initial position, and where springs rest
    double *q = W(qpos0) + qposadr, *spring = W(qpos_spring) + qposadr;
    if (d->type == TX_FREE) {
        memcpy(q, b->body.items[body].def.pos, 3 * sizeof(double));
        set_unit_quat(q + 3, b->body.items[body].def.quat);
    } else if (d->type == TX_BALL) q[0] = 1;
    else q[0] = d->ref;
    memcpy(spring, q, sizeof(double) * (size_t)POSITIONS[d->type]);
    if (d->type == TX_HINGE || d->type == TX_SLIDE) spring[0] = d->springref;
}

static void fill_bodies(const tx_builder *b, tx_model *m, const numbering *n) {
    int qpos = 0, dof = 0, limits = 0, entries = 0, mocap = 0;
    for (int i = 0; i < m->nbody; i++) {
        const tx_body_def *d = &b->body.items[i].def;
        int parent = b->body.items[i].parent, joints = n->joint_first[i + 1] - n->joint_first[i];
        W(body_parent)[i] = parent;
        W(body_gravcomp)[i] = d->gravcomp;
        W(body_mocap)[i] = d->mocap ? mocap++ : -1;
        W(body_lone)[i] = joints == 1 && b->joint.items[n->joint[n->joint_first[i]]].def.type == TX_FREE;
        if (i > 0) W(body_lone)[parent] = 0;
        W(body_root)[i] = parent == 0 ? i : m->body_root[parent];
        // bodies without joints between them are one; a mocap body moves on its own
        W(body_weld)[i] = i == 0 ? 0 : joints > 0 || d->mocap ? i : m->body_weld[parent];
        memcpy(W(body_pos) + 3 * i, d->pos, sizeof d->pos);
        set_unit_quat(W(body_quat) + 4 * i, d->quat);
        W(body_geomadr)[i] = n->geom_first[i], W(body_geomnum)[i] = n->geom_first[i + 1] - n->geom_first[i];
        W(body_jntadr)[i] = n->joint_first[i], W(body_jntnum)[i] = joints;
        W(body_dofadr)[i] = dof;
        int last = i == 0 ? -1 : m->body_lastdof[parent];
        for (int j = n->joint_first[i]; j < n->joint_first[i + 1]; j++) {
            const tx_joint_def *joint = &b->joint.items[n->joint[j]].def;
            fill_joint(b, m, j, joint, i, qpos, dof, &limits);
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

// ---- geoms and masses ---------------------------------------------------------------------------------------------

static void fill_geom(tx_model *m, int g, const tx_geom_def *d, int body) {
    W(geom_type)[g] = d->type, W(geom_body)[g] = body;
    W(geom_contype)[g] = d->contype, W(geom_conaffinity)[g] = d->conaffinity, W(geom_condim)[g] = d->condim;
    W(geom_priority)[g] = d->priority, W(geom_group)[g] = d->group;
    W(geom_margin)[g] = d->margin, W(geom_gap)[g] = d->gap, W(geom_solmix)[g] = d->solmix;
    memcpy(W(geom_friction) + 3 * g, d->friction, sizeof d->friction);
    memcpy(W(geom_solref) + 2 * g, d->solref, sizeof d->solref);
    memcpy(W(geom_solimp) + 5 * g, d->solimp, sizeof d->solimp);
    for (int k = 0; k < 4; k++) W(geom_rgba)[4 * g + k] = d->rgba[k];

    // what a type does not use is zero
    static const int USES[TX_GEOM_TYPES] = {3, 0, 1, 2, 3, 2, 3, 0};
    double *size = W(geom_size) + 3 * g, *pos = W(geom_pos) + 3 * g;
    for (int k = 0; k < 3; k++) {
        size[k] = k < USES[d->type] ? d->size[k] : 0;
        pos[k] = d->pos[k];
    }
    set_unit_quat(W(geom_quat) + 4 * g, d->quat);
    if (d->has_fromto) {
        double axis[3], square = 0;
        for (int k = 0; k < 3; k++) {
            axis[k] = d->fromto[k] - d->fromto[3 + k];
            pos[k] = 0.5 * (d->fromto[k] + d->fromto[3 + k]);
            square += axis[k] * axis[k];
        }
        tx_quat_of_z(axis, W(geom_quat) + 4 * g);
        bool round = d->type == TX_CAPSULE || d->type == TX_CYLINDER;
        size[round ? 1 : 2] = 0.5 * sqrt(square);
        if (!round) size[1] = size[0];
    }
    W(geom_rbound)[g] = tx_shape_radius(d->type, size);
}

// mass, centre and principal axes of the geoms together
static void mass_from_geoms(const tx_builder *b, tx_model *m, const numbering *n, int body) {
    double mass = 0, centre[3] = {0}, tensor[6] = {0};
    int heavy = 0, only = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (int g = n->geom_first[body]; g < n->geom_first[body + 1]; g++) {
            const tx_geom_def *d = &b->geom.items[n->geom[g]].def;
            const double *size = m->geom_size + 3 * g, *pos = m->geom_pos + 3 * g;
            double own = d->mass >= 0 ? d->mass : d->density * tx_shape_volume(d->type, size);
            if (d->type == TX_PLANE || !(own > 0)) continue;
            if (pass == 0) {
                mass += own, heavy++, only = g;
                for (int k = 0; k < 3; k++) centre[k] += own * pos[k];
                continue;
            }
            double moments[3], offset[3];
            for (int k = 0; k < 3; k++) offset[k] = pos[k] - centre[k];
            tx_shape_inertia(d->type, size, own, moments);
            if (heavy == 1) memcpy(W(body_inertia) + 3 * body, moments, sizeof moments);
            tx_add_inertia(tensor, moments, m->geom_quat + 4 * g, own, offset);
        }
        for (int k = 0; pass == 0 && k < 3; k++) centre[k] = mass > 0 ? centre[k] / mass : 0;
    }
    W(body_mass)[body] = mass;
    memcpy(W(body_ipos) + 3 * body, heavy == 1 ? m->geom_pos + 3 * only : centre, sizeof centre);
    if (heavy == 1) memcpy(W(body_iquat) + 4 * body, m->geom_quat + 4 * only, 4 * sizeof(double));
    else if (heavy > 1) tx_principal_axes(tensor, W(body_inertia) + 3 * body, W(body_iquat) + 4 * body);
    else W(body_iquat)[4 * body] = 1;
}

static void fill_masses(const tx_builder *b, tx_model *m, const numbering *n, tx_diag *diag) {
    W(body_iquat)[0] = 1;
    for (int i = 1; i < m->nbody; i++) {
        const tx_body_def *d = &b->body.items[i].def;
        if (!d->has_inertial) mass_from_geoms(b, m, n, i);
        else {
            W(body_mass)[i] = d->mass;
            memcpy(W(body_ipos) + 3 * i, d->ipos, sizeof d->ipos);
            set_unit_quat(W(body_iquat) + 4 * i, d->iquat);
            memcpy(W(body_inertia) + 3 * i, d->inertia, sizeof d->inertia);
            if (d->has_fullinertia) tx_principal_axes(d->fullinertia, W(body_inertia) + 3 * i, W(body_iquat) + 4 * i);
            if (d->has_fullinertia && !(m->body_inertia[3 * i + 2] > 0))
                tx_diag_add(diag, TX_ERROR, d->source.file, d->source.line, d->source.column, "",
                            "body '%s': fullinertia is not positive definite", d->name);
        }
    }
    // what moves must have mass somewhere below it, unless armature stands in
    for (int i = 1; i < m->nbody; i++) {
        const tx_body_def *d = &b->body.items[i].def;
        if (m->body_dofnum[i] == 0) continue;
        bool heavy = false, child = false;
        for (int k = i; k < m->nbody && !heavy; k++) {
            int up = k;
            while (up > i) up = m->body_parent[up];
            heavy = up == i && m->body_weld[k] == i && m->body_mass[k] > 1e-15 && m->body_inertia[3 * k] > 1e-15;
            child = child || (up == i && m->body_mass[k] > 1e-15);
        }
        if (!heavy && !child)
            tx_diag_add(diag, TX_ERROR, d->source.file, d->source.line, d->source.column, "add a geom with a density, or <inertial>",
                        "body '%s' moves but has no mass", d->name[0] ? d->name : "(no name)");
    }
}

// a lone body that only slides along its own axes: MuJoCo weighs such bodies by their mass alone
static void mark_sliders(tx_model *m) {
    for (int i = 1; i < m->nbody; i++) {
        int parent = m->body_parent[i];
        bool simple = m->body_dofnum[i] > 0 && (m->body_root[i] == i || (m->body_parent[parent] == 0 && m->body_dofnum[parent] == 0));
        for (int k = 0; k < 3; k++) simple = simple && fabs(m->body_ipos[3 * i + k]) < 1e-6 && fabs(m->body_iquat[4 * i + 1 + k]) < 1e-6;
        for (int k = i + 1; k < m->nbody; k++) simple = simple && m->body_parent[k] != i;
        for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++) {
            int along = 0;
            for (int k = 0; k < 3; k++) {
                along += fabs(m->jnt_axis[3 * j + k]) > 1e-14;
                simple = simple && fabs(m->jnt_pos[3 * j + k]) < 1e-6;
            }
            simple = simple && m->jnt_type[j] == TX_SLIDE && along == 1;
        }
        W(body_sliders)[i] = simple;
    }
}

// ---- pairs --------------------------------------------------------------------------------------------------------

static bool bodies_collide(const tx_builder *b, const tx_model *m, int b1, int b2) {
    int w1 = m->body_weld[b1], w2 = m->body_weld[b2];
    if (w1 == w2 || (m->body_lastdof[b1] < 0 && m->body_lastdof[b2] < 0)) return false;
    if (b->options.filterparent && w1 != 0 && w2 != 0 &&
        (w1 == m->body_weld[m->body_parent[w2]] || w2 == m->body_weld[m->body_parent[w1]]))
        return false;
    for (int i = 0; i < b->exclude.count; i++) {
        int e1 = tx_find_body(b, b->exclude.items[i].body1), e2 = tx_find_body(b, b->exclude.items[i].body2);
        if ((e1 == b1 && e2 == b2) || (e1 == b2 && e2 == b1)) return false;
    }
    return true;
}

// the special pair of two geoms (new indices), -1 when there is none
static int find_special(const tx_builder *b, const numbering *n, int g1, int g2) {
    for (int i = 0; i < b->pair.count; i++) {
        int p1 = n->geom_new[tx_find_geom(b, b->pair.items[i].geom1)], p2 = n->geom_new[tx_find_geom(b, b->pair.items[i].geom2)];
        if ((p1 == g1 && p2 == g2) || (p1 == g2 && p2 == g1)) return i;
    }
    return -1;
}

typedef struct pair_lists {
    int *geom1, *geom2, *special;
} pair_lists;

// adds one pair to the lists, the lower type first; a pair without a function is counted as missing
static int add_pair(const tx_model *m, const pair_lists *lists, int count, int i, int j, int special, int *missing) {
    int t1 = m->geom_type[i], t2 = m->geom_type[j];
    bool swap = t1 > t2;
    if (!tx_pair_function(t1, t2)) {
        int *slot = missing + (swap ? t2 * TX_GEOM_TYPES + t1 : t1 * TX_GEOM_TYPES + t2) * 3;
        if (slot[0]++ == 0) slot[1] = i, slot[2] = j;
        return count;
    }
    if (lists->geom1) lists->geom1[count] = swap ? j : i, lists->geom2[count] = swap ? i : j, lists->special[count] = special;
    return count + 1;
}

// every geom pair that can collide: special ones, then body pair by body pair; without lists it only counts
static int list_pairs(const tx_builder *b, const tx_model *m, const numbering *n, const pair_lists *lists, int *missing) {
    int count = 0;
    for (int i = 0; i < b->pair.count; i++)
        count = add_pair(m, lists, count, n->geom_new[tx_find_geom(b, b->pair.items[i].geom1)], n->geom_new[tx_find_geom(b, b->pair.items[i].geom2)], i, missing);
    for (int b1 = 0; b1 < m->nbody; b1++) {
        if (m->body_geomnum[b1] == 0) continue;
        for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
            if (m->body_geomnum[b2] == 0 || !bodies_collide(b, m, b1, b2)) continue;
            for (int i = m->body_geomadr[b1]; i < m->body_geomadr[b1] + m->body_geomnum[b1]; i++)
                for (int j = m->body_geomadr[b2]; j < m->body_geomadr[b2] + m->body_geomnum[b2]; j++) {
                    if (!(m->geom_contype[i] & m->geom_conaffinity[j]) && !(m->geom_contype[j] & m->geom_conaffinity[i])) continue;
                    if (find_special(b, n, i, j) >= 0) continue;
                    count = add_pair(m, lists, count, i, j, -1, missing);
                    if (count > 1 << 27) return -1;
                }
        }
    }
    return count;
}

static void report_missing(const tx_builder *b, const numbering *n, const int *missing, tx_diag *diag) {
    for (int t1 = 0; t1 < TX_GEOM_TYPES; t1++)
        for (int t2 = t1; t2 < TX_GEOM_TYPES; t2++) {
            const int *slot = missing + (t1 * TX_GEOM_TYPES + t2) * 3;
            if (slot[0] == 0 || (t1 == TX_PLANE && t2 == TX_PLANE)) continue;
            const tx_geom_def *g1 = &b->geom.items[n->geom[slot[1]]].def, *g2 = &b->geom.items[n->geom[slot[2]]].def;
            tx_diag_add(diag, TX_WARNING, g1->source.file, g1->source.line, g1->source.column,
                        "they pass through each other; use contype and conaffinity to say so",
                        "%s–%s contact is not supported yet: %d pair%s, the first is '%s' and '%s'", tx_shape_name(t1), tx_shape_name(t2),
                        slot[0], slot[0] == 1 ? "" : "s", g1->name[0] ? g1->name : "(no name)", g2->name[0] ? g2->name : "(no name)");
        }
}

// what a special pair does not give is mixed from its geoms
static void fill_specials(const tx_builder *b, tx_model *m, const numbering *n) {
    for (int i = 0; i < m->nspecial; i++) {
        const tx_pair_def *d = &b->pair.items[i];
        tx_surface surface[2];
        int g[2] = {n->geom_new[tx_find_geom(b, d->geom1)], n->geom_new[tx_find_geom(b, d->geom2)]}, dim;
        double friction[5], solref[2], solimp[5];
        for (int s = 0; s < 2; s++) {
            const tx_geom_def *geom = &b->geom.items[n->geom[g[s]]].def;
            surface[s] = (tx_surface){.condim = geom->condim, .priority = geom->priority, .solmix = geom->solmix};
            memcpy(surface[s].friction, geom->friction, sizeof geom->friction);
            memcpy(surface[s].solref, geom->solref, sizeof geom->solref);
            memcpy(surface[s].solimp, geom->solimp, sizeof geom->solimp);
        }
        tx_mix_surfaces(&surface[0], &surface[1], &dim, friction, solref, solimp);
        W(special_dim)[i] = d->condim ? d->condim : dim;
        memcpy(W(special_friction) + 5 * i, d->has_friction ? d->friction : friction, sizeof friction);
        memcpy(W(special_solref) + 2 * i, d->has_solref ? d->solref : solref, sizeof solref);
        memcpy(W(special_solimp) + 5 * i, d->has_solimp ? d->solimp : solimp, sizeof solimp);
        W(special_margin)[i] = d->has_margin ? d->margin : m->geom_margin[g[0]] + m->geom_margin[g[1]];
        W(special_gap)[i] = d->has_gap ? d->gap : m->geom_gap[g[0]] + m->geom_gap[g[1]];
    }
}

// ---- the rest -----------------------------------------------------------------------------------------------------

static void fill_actuators(const tx_builder *b, tx_model *m, const numbering *n) {
    for (int i = 0; i < m->nu; i++) {
        const tx_actuator_def *d = &b->actuator.items[i];
        W(actuator_dof)[i] = m->jnt_dofadr[n->joint_new[tx_find_joint(b, d->joint)]];
        W(actuator_gear)[i] = d->gear[0];
        memcpy(W(actuator_gain) + 3 * i, d->gain, sizeof d->gain);
        memcpy(W(actuator_bias) + 3 * i, d->bias, sizeof d->bias);
        W(actuator_ctrllimited)[i] = limited(d->ctrllimited, d->ctrlrange);
        W(actuator_forcelimited)[i] = limited(d->forcelimited, d->forcerange);
        memcpy(W(actuator_ctrlrange) + 2 * i, d->ctrlrange, sizeof d->ctrlrange);
        memcpy(W(actuator_forcerange) + 2 * i, d->forcerange, sizeof d->forcerange);
    }
}

static void fill_keys(const tx_builder *b, tx_model *m) {
    for (int i = 0; i < m->nkey; i++) {
        const tx_key_def *d = &b->key.items[i];
        double *qpos = W(key_qpos) + (size_t)i * (size_t)m->nq;
        W(key_time)[i] = d->time;
        memcpy(qpos, d->qpos ? d->qpos : m->qpos0, sizeof(double) * (size_t)m->nq);
        if (d->qvel) memcpy(W(key_qvel) + (size_t)i * (size_t)m->nv, d->qvel, sizeof(double) * (size_t)m->nv);
        for (int k = 0; k < m->nbody; k++) {
            if (m->body_mocap[k] < 0) continue;
            size_t at = (size_t)i * (size_t)m->nmocap + (size_t)m->body_mocap[k];
            memcpy(W(key_mpos) + 3 * at, d->mpos ? d->mpos + 3 * m->body_mocap[k] : m->body_pos + 3 * k, 3 * sizeof(double));
            set_unit_quat(W(key_mquat) + 4 * at, d->mquat ? d->mquat + 4 * m->body_mocap[k] : m->body_quat + 4 * k);
        }
        if (d->ctrl) memcpy(W(key_ctrl) + (size_t)i * (size_t)m->nu, d->ctrl, sizeof(double) * (size_t)m->nu);
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] == TX_FREE) tx_quat_normalize(qpos + m->jnt_qposadr[j] + 3);
            if (m->jnt_type[j] == TX_BALL) tx_quat_normalize(qpos + m->jnt_qposadr[j]);
        }
    }
}

static void fill_names(const tx_builder *b, tx_model *m, const numbering *n) {
    strcpy(tx_writable(m->names), b->name);
    int used = (int)strlen(b->name) + 2;
    for (int i = 0; i < m->nbody; i++) W(body_name)[i] = add_name(m, &used, b->body.items[i].def.name);
    for (int i = 0; i < m->njnt; i++) W(jnt_name)[i] = add_name(m, &used, b->joint.items[n->joint[i]].def.name);
    for (int i = 0; i < m->ngeom; i++) W(geom_name)[i] = add_name(m, &used, b->geom.items[n->geom[i]].def.name);
    for (int i = 0; i < m->nu; i++) W(actuator_name)[i] = add_name(m, &used, b->actuator.items[i].name);
    for (int i = 0; i < m->nkey; i++) W(key_name)[i] = add_name(m, &used, b->key.items[i].name);
}

// inverse weights and mean inertia, by the scalar target's own dynamics
static bool fill_derived(tx_model *m) {
    const tx_target *t = tx_target_single(TX_TARGET_SCALAR);
    tx_block *block = tx_block_create(t, m, m->opt, 1);
    if (!block) return false;
#define X(NAME, name, count, width, meaning) block->param.name = m->name;
    TX_MODEL_PARAMS(X)
#undef X
    t->derive(block, W(body_invweight0), W(dof_invweight0), W(meaninertia));
    tx_block_destroy(block);
    return true;
}

static tx_model *build(const tx_builder *b, const numbering *n, int *scratch, tx_diag *diag) {
    tx_model sizes = count_sizes(b);
    sizes.nm = count_entries(b, scratch);
    int missing[TX_GEOM_TYPES * TX_GEOM_TYPES * 3] = {0};

    // a first model without pairs tells which pairs there are
    tx_model *m = sizes.nm < 0 ? NULL : tx_model_create(&sizes, &b->options);
    for (int pass = 0; m && pass < 2; pass++) {
        memcpy(W(gravity), b->gravity, sizeof b->gravity);
        fill_bodies(b, m, n);
        for (int g = 0; g < m->ngeom; g++) fill_geom(m, g, &b->geom.items[n->geom[g]].def, b->geom.items[n->geom[g]].body);
        if (pass == 1) break;
        sizes.npair = list_pairs(b, m, n, &(pair_lists){0}, missing);
        tx_model_destroy(m);
        m = sizes.npair < 0 ? NULL : tx_model_create(&sizes, &b->options);
    }
    if (!m) {
        tx_diag_add(diag, TX_ERROR, "", 0, 0, "", "the model does not fit into memory");
        return NULL;
    }
    list_pairs(b, m, n, &(pair_lists){W(pair_geom1), W(pair_geom2), W(pair_special)}, missing);
    fill_specials(b, m, n);
    for (int i = 0; i < TX_GEOM_TYPES * TX_GEOM_TYPES; i++) missing[3 * i] /= 2;  // seen in both passes
    report_missing(b, n, missing, diag);
    fill_masses(b, m, n, diag);
    mark_sliders(m);
    fill_actuators(b, m, n);
    fill_keys(b, m);
    fill_names(b, m, n);
    if (diag->errors == 0 && !fill_derived(m)) tx_diag_add(diag, TX_ERROR, "", 0, 0, "", "out of memory");
    tx_model_seal(m);
    return m;
}

tx_model *tx_builder_compile(const tx_builder *b, tx_diag *diag) {
    tx_diag own = {0}, *d = diag ? diag : &own;
    tx_model *m = NULL;
    if (!b) tx_diag_add(d, TX_ERROR, "", 0, 0, "", "there is no builder");
    else if (tx_check(b, d) && d->errors == 0) {
        size_t joints = (size_t)b->joint.count, geoms = (size_t)b->geom.count, bodies = (size_t)b->body.count;
        int *memory = tx_alloc(sizeof(int) * (3 * joints + 3 * geoms + 3 * bodies + 8));
        int *body_of = memory, *at = memory + (joints > geoms ? joints : geoms);
        if (memory) {
            numbering n = {.joint = at, .geom = at + joints, .joint_first = at + joints + geoms};
            n.geom_first = n.joint_first + bodies + 1;
            n.joint_new = n.geom_first + bodies + 1;
            n.geom_new = n.joint_new + joints;
            for (int i = 0; i < b->joint.count; i++) body_of[i] = b->joint.items[i].body;
            order_by_body(body_of, b->joint.count, b->body.count, n.joint, n.joint_first);
            for (int i = 0; i < b->geom.count; i++) body_of[i] = b->geom.items[i].body;
            order_by_body(body_of, b->geom.count, b->body.count, n.geom, n.geom_first);
            for (int i = 0; i < b->joint.count; i++) n.joint_new[n.joint[i]] = i;
            for (int i = 0; i < b->geom.count; i++) n.geom_new[n.geom[i]] = i;
            m = build(b, &n, n.geom_new + geoms, d);
            tx_free(memory);
        } else tx_diag_add(d, TX_ERROR, "", 0, 0, "", "out of memory");
    }
    if (d->errors > 0) {
        tx_model_destroy(m);
        m = NULL;
    }
    tx_diag_free(&own);
    return m;
}
