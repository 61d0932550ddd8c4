// validate.c - ranges of all fields, and how the arrays refer to each other.
#include "model/validate.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "geometry/face_tree.h"
#include "geometry/support.h"
#include "model/actuator.h"
#include "model/range.h"
#include "model/sensor.h"

// ---- ranges -------------------------------------------------------------------------------------------------------

typedef enum range_kind {
    UNKNOWN,
    ANY,      // bits, priorities
    BETWEEN,  // low to high
    INDEX,    // of an element
    OPTIONAL, // or -1
    COUNT,    // 0 to all of them; also a first index where there may be none
} range_kind;

typedef struct range {
    range_kind kind;
    int low, high; // high: a tx_size for the last three
} range;

#define FLAG \
    { BETWEEN, 0, 1 }
#define INDEX_OF(SIZE) \
    { INDEX, 0, TX_SIZE_##SIZE }
#define OPTIONAL_OF(SIZE) \
    { OPTIONAL, -1, TX_SIZE_##SIZE }
#define COUNT_OF(SIZE) \
    { COUNT, 0, TX_SIZE_##SIZE }

static const range RANGES[TX_INT_COUNT] = {
    [TX_INT_BODY_PARENT] = INDEX_OF(NBODY),
    [TX_INT_BODY_ROOT] = INDEX_OF(NBODY),
    [TX_INT_BODY_WELD] = INDEX_OF(NBODY),
    [TX_INT_BODY_JNTADR] = COUNT_OF(NJNT),
    [TX_INT_BODY_JNTNUM] = COUNT_OF(NJNT),
    [TX_INT_BODY_DOFADR] = COUNT_OF(NV),
    [TX_INT_BODY_DOFNUM] = COUNT_OF(NV),
    [TX_INT_BODY_LASTDOF] = OPTIONAL_OF(NV),
    [TX_INT_BODY_SLIDERS] = FLAG,
    [TX_INT_BODY_GEOMADR] = COUNT_OF(NGEOM),
    [TX_INT_BODY_GEOMNUM] = COUNT_OF(NGEOM),
    [TX_INT_JNT_TYPE] = {BETWEEN, TX_JOINT_FREE, TX_JOINT_HINGE},
    [TX_INT_JNT_BODY] = INDEX_OF(NBODY),
    [TX_INT_JNT_QPOSADR] = INDEX_OF(NQ),
    [TX_INT_JNT_DOFADR] = INDEX_OF(NV),
    [TX_INT_JNT_LIMITED] = FLAG,
    [TX_INT_JNT_ACTFRCLIMITED] = FLAG,
    [TX_INT_JNT_ACTGRAVCOMP] = FLAG,
    [TX_INT_BODY_MOCAP] = OPTIONAL_OF(NMOCAP),
    [TX_INT_BODY_LONE] = FLAG,
    [TX_INT_BODY_TREE] = OPTIONAL_OF(NTREE),
    [TX_INT_BODY_SLEEP] = {BETWEEN, TX_SLEEP_AUTO, TX_SLEEP_INIT},
    [TX_INT_TREE_BODYADR] = INDEX_OF(NBODY),
    [TX_INT_TREE_BODYNUM] = COUNT_OF(NBODY),
    [TX_INT_TREE_DOFADR] = INDEX_OF(NV),
    [TX_INT_TREE_DOFNUM] = COUNT_OF(NV),
    [TX_INT_TREE_SLEEP] = {BETWEEN, TX_SLEEP_NEVER, TX_SLEEP_INIT},
    [TX_INT_DOF_BODY] = INDEX_OF(NBODY),
    [TX_INT_DOF_JNT] = INDEX_OF(NJNT),
    [TX_INT_DOF_PARENT] = OPTIONAL_OF(NV),
    [TX_INT_DOF_MADR] = INDEX_OF(NM),
    [TX_INT_DOF_MNUM] = COUNT_OF(NM),
    [TX_INT_GEOM_TYPE] = {BETWEEN, 0, TX_GEOM_COUNT - 1},
    [TX_INT_GEOM_BODY] = INDEX_OF(NBODY),
    [TX_INT_GEOM_CONTYPE] = {ANY, 0, 0},
    [TX_INT_GEOM_CONAFFINITY] = {ANY, 0, 0},
    [TX_INT_GEOM_CONDIM] = {BETWEEN, 1, 6},
    [TX_INT_GEOM_PRIORITY] = {ANY, 0, 0},
    [TX_INT_GEOM_GROUP] = {ANY, 0, 0},
    [TX_INT_GEOM_MESH] = OPTIONAL_OF(NMESH),
    [TX_INT_GEOM_FLUID] = FLAG,
    [TX_INT_GEOM_HFIELD] = OPTIONAL_OF(NHFIELD),
    [TX_INT_GEOM_TEXTURE] = OPTIONAL_OF(NTEX),
    [TX_INT_GEOM_TEXUNIFORM] = FLAG,
    [TX_INT_TEX_CUBE] = FLAG,
    [TX_INT_TEX_WIDTH] = {BETWEEN, 1, TX_TEXTURE_EDGE},
    [TX_INT_TEX_HEIGHT] = {BETWEEN, 1, TX_TEXTURE_EDGE},
    [TX_INT_TEX_ADR] = INDEX_OF(NTEXDATA),
    [TX_INT_TEX_DATA] = {BETWEEN, 0, 0xFFFFFF},
    [TX_INT_MESH_UVADR] = OPTIONAL_OF(NMESHUV),
    [TX_INT_HFIELD_NROW] = {BETWEEN, 2, TX_HFIELD_POINTS / 2},
    [TX_INT_HFIELD_NCOL] = {BETWEEN, 2, TX_HFIELD_POINTS / 2},
    [TX_INT_HFIELD_ADR] = INDEX_OF(NHFIELDDATA),
    [TX_INT_MESH_SDF] = OPTIONAL_OF(NSDF),
    [TX_INT_SDF_NX] = {BETWEEN, 2, 1 << 10},
    [TX_INT_SDF_NY] = {BETWEEN, 2, 1 << 10},
    [TX_INT_SDF_NZ] = {BETWEEN, 2, 1 << 10},
    [TX_INT_SDF_ADR] = INDEX_OF(NSDFDATA),
    [TX_INT_MESH_VERTADR] = COUNT_OF(NMESHVERT),
    [TX_INT_MESH_VERTNUM] = COUNT_OF(NMESHVERT),
    [TX_INT_MESH_FACEADR] = COUNT_OF(NMESHCORNER),
    [TX_INT_MESH_FACENUM] = COUNT_OF(NMESHCORNER),
    [TX_INT_MESH_HULLVERTADR] = COUNT_OF(NHULLVERT),
    [TX_INT_MESH_HULLVERTNUM] = COUNT_OF(NHULLVERT),
    [TX_INT_MESH_HULLFACEADR] = COUNT_OF(NHULLCORNER),
    [TX_INT_MESH_HULLFACENUM] = COUNT_OF(NHULLCORNER),
    [TX_INT_MESH_FOURADR] = OPTIONAL_OF(NHULLFOUR),
    [TX_INT_MESH_STARTADR] = OPTIONAL_OF(NHULLSTART),
    [TX_INT_MESH_INERTIA] = {BETWEEN, TX_MESH_INERTIA_LEGACY, TX_MESH_INERTIA_SHELL},
    [TX_INT_MESH_HULLFACED] = FLAG,
    [TX_INT_MESH_FACE] = INDEX_OF(NMESHVERT),
    [TX_INT_HULL_VERT] = INDEX_OF(NMESHVERT),
    [TX_INT_HULL_EDGEADR] = COUNT_OF(NHULLCORNER),
    [TX_INT_HULL_EDGENUM] = COUNT_OF(NHULLCORNER),
    [TX_INT_HULL_FACE] = INDEX_OF(NHULLVERT),
    [TX_INT_HULL_EDGE] = INDEX_OF(NHULLVERT),
    [TX_INT_HULL_START] = INDEX_OF(NHULLVERT),
    [TX_INT_MESH_NODEADR] = COUNT_OF(NMESHNODE),
    [TX_INT_MESH_NODENUM] = COUNT_OF(NMESHNODE),
    [TX_INT_MESH_ORDER] = INDEX_OF(NMESHFACE),
    [TX_INT_NODE_LEAF] = OPTIONAL_OF(NMESHNODE),
    [TX_INT_NODE_END] = {BETWEEN, 1, INT_MAX},
    [TX_INT_ACTUATOR_TRN] = {BETWEEN, TX_TRANSMISSION_JOINT, TX_TRANSMISSION_BODY},
    [TX_INT_ACTUATOR_TRNID] = {BETWEEN, 0, INT_MAX},
    [TX_INT_ACTUATOR_TRNREF] = OPTIONAL_OF(NSITE),
    [TX_INT_ACTUATOR_DOFADR] = COUNT_OF(NMOMENT),
    [TX_INT_ACTUATOR_DOFNUM] = COUNT_OF(NMOMENT),
    [TX_INT_MOMENT_DOF] = INDEX_OF(NV),
    [TX_INT_ACTUATOR_GROUP] = {ANY, 0, 0},
    [TX_INT_ACTUATOR_DYN] = {BETWEEN, TX_DYNAMICS_NONE, TX_DYNAMICS_TURN},
    [TX_INT_ACTUATOR_ACT] = OPTIONAL_OF(NA),
    [TX_INT_ACTUATOR_ACTEARLY] = FLAG,
    [TX_INT_ACTUATOR_NSAMPLE] = {BETWEEN, 0, TX_MOST_SAMPLES},
    [TX_INT_ACTUATOR_INTERP] = {BETWEEN, TX_INTERP_HOLD, TX_INTERP_CUBIC},
    [TX_INT_ACTUATOR_HISTORY] = OPTIONAL_OF(NHISTORY),
    [TX_INT_SENSOR_NSAMPLE] = {BETWEEN, 0, TX_MOST_SAMPLES},
    [TX_INT_SENSOR_INTERP] = {BETWEEN, TX_INTERP_HOLD, TX_INTERP_CUBIC},
    [TX_INT_SENSOR_HISTORY] = OPTIONAL_OF(NHISTORY),
    [TX_INT_JNT_PLASTIC] = OPTIONAL_OF(NPLASTIC),
    [TX_INT_TENDON_PLASTIC] = OPTIONAL_OF(NPLASTIC),
    [TX_INT_KEY_YIELDED] = FLAG,
    [TX_INT_MESH_HULLMOST] = {BETWEEN, 0, TX_MESH_POINTS},
    [TX_INT_ACTUATOR_ACTNUM] = COUNT_OF(NA),
    [TX_INT_ACTUATOR_STATES] = {BETWEEN, 0, TX_ACTUATOR_STATE_TURN},
    [TX_INT_ACTUATOR_CTRLADR] = COUNT_OF(NU),
    [TX_INT_ACTUATOR_CTRLNUM] = COUNT_OF(NU),
    [TX_INT_ACTUATOR_INPUTS] = {BETWEEN, 0, TX_INPUT_QUAT},
    [TX_INT_ACTUATOR_GAINCURVE] = {BETWEEN, TX_CURVE_AFFINE, TX_CURVE_SO3_Z},
    [TX_INT_ACTUATOR_BIASCURVE] = {BETWEEN, TX_CURVE_AFFINE, TX_CURVE_SO3_Z},
    [TX_INT_ACTUATOR_ACTLIMITED] = FLAG,
    [TX_INT_EQ_TYPE] = {BETWEEN, TX_EQUALITY_CONNECT, TX_EQUALITY_TYPES - 1},
    [TX_INT_EQ_OBJ1] = {BETWEEN, 0, INT_MAX},
    [TX_INT_EQ_OBJ2] = {BETWEEN, -1, INT_MAX},
    [TX_INT_EQ_ACTIVE0] = FLAG,
    [TX_INT_EQ_NAME] = INDEX_OF(NNAME),
    [TX_INT_TENDON_ADR] = COUNT_OF(NWRAP),
    [TX_INT_TENDON_NUM] = COUNT_OF(NWRAP),
    [TX_INT_WRAP_TYPE] = {BETWEEN, TX_PATH_JOINT, TX_PATH_CONSTANT},
    [TX_INT_WRAP_OBJ] = {BETWEEN, -1, INT_MAX}, // check_tendon()
    [TX_INT_WRAP_SIDE] = OPTIONAL_OF(NSITE),
    [TX_INT_TENDON_DOFADR] = COUNT_OF(NTENDOF),
    [TX_INT_TENDON_DOFNUM] = COUNT_OF(NTENDOF),
    [TX_INT_TENDON_DOF] = INDEX_OF(NV),
    [TX_INT_TENDON_LIMITED] = FLAG,
    [TX_INT_TENDON_ACTFRCLIMITED] = FLAG,
    [TX_INT_TENDON_NAME] = INDEX_OF(NNAME),
    [TX_INT_ACTUATOR_CTRLLIMITED] = FLAG,
    [TX_INT_ACTUATOR_FORCELIMITED] = FLAG,
    [TX_INT_SITE_BODY] = INDEX_OF(NBODY),
    [TX_INT_SITE_TYPE] = {BETWEEN, TX_GEOM_SPHERE, TX_GEOM_BOX},
    [TX_INT_SITE_GROUP] = {ANY, 0, 0},
    [TX_INT_CAM_BODY] = INDEX_OF(NBODY),
    [TX_INT_CAM_MODE] = {BETWEEN, TX_CAMERA_FIXED, TX_CAMERA_TARGETBODYCOM},
    [TX_INT_CAM_TARGET] = OPTIONAL_OF(NBODY),
    [TX_INT_CAM_ORTHOGRAPHIC] = FLAG,
    [TX_INT_CAM_WIDTH] = {BETWEEN, 0, 1 << 20},
    [TX_INT_CAM_HEIGHT] = {BETWEEN, 0, 1 << 20},
    [TX_INT_CAM_NAME] = INDEX_OF(NNAME),
    [TX_INT_SENSOR_DIM] = COUNT_OF(NSENSORDATA),
    [TX_INT_SENSOR_DATA] = {BETWEEN, 0, (1 << TX_CONTACT_DATA_COUNT) - 1},
    [TX_INT_SENSOR_REDUCE] = {BETWEEN, TX_REDUCE_NONE, TX_REDUCE_NETFORCE},
    [TX_INT_SENSOR_TYPE] = {BETWEEN, 0, TX_SENSOR_COUNT - 1},
    [TX_INT_SENSOR_ADR] = INDEX_OF(NSENSORDATA),
    [TX_INT_SENSOR_OBJTYPE] = {BETWEEN, 0, TX_OBJECT_COUNT - 1},
    [TX_INT_SENSOR_OBJ] = {ANY, 0, 0}, // check_sensors()
    [TX_INT_SENSOR_REFTYPE] = {BETWEEN, 0, TX_OBJECT_COUNT - 1},
    [TX_INT_SENSOR_REF] = {ANY, 0, 0},
    [TX_INT_LIMIT_JNT] = INDEX_OF(NJNT),
    [TX_INT_LIMIT_SIDE] = {BETWEEN, -1, 1},
    [TX_INT_PAIR_GEOM1] = INDEX_OF(NGEOM),
    [TX_INT_PAIR_GEOM2] = INDEX_OF(NGEOM),
    [TX_INT_PAIR_SPECIAL] = OPTIONAL_OF(NSPECIAL),
    [TX_INT_SPECIAL_DIM] = {BETWEEN, 1, 6},
    [TX_INT_SPECIAL_GEOM1] = INDEX_OF(NGEOM),
    [TX_INT_SPECIAL_GEOM2] = INDEX_OF(NGEOM),
    [TX_INT_SPECIAL_SORTED] = INDEX_OF(NSPECIAL),
    [TX_INT_EXCLUDE_BODY1] = INDEX_OF(NBODY),
    [TX_INT_EXCLUDE_BODY2] = INDEX_OF(NBODY),
    [TX_INT_BODY_NAME] = INDEX_OF(NNAME),
    [TX_INT_JNT_NAME] = INDEX_OF(NNAME),
    [TX_INT_GEOM_NAME] = INDEX_OF(NNAME),
    [TX_INT_SITE_NAME] = INDEX_OF(NNAME),
    [TX_INT_SENSOR_NAME] = INDEX_OF(NNAME),
    [TX_INT_ACTUATOR_NAME] = INDEX_OF(NNAME),
    [TX_INT_KEY_NAME] = INDEX_OF(NNAME),
    [TX_INT_MESH_NAME] = INDEX_OF(NNAME),
    [TX_INT_HFIELD_NAME] = INDEX_OF(NNAME),
};

static const char *const FIELD_NAMES[TX_INT_COUNT] = {
#define X(NAME, name, count, meaning) [TX_INT_##NAME] = #name,
    TX_MODEL_INTS(X)
#undef X
};

static const char *const DATA_NAMES[TX_DATA_COUNT] = {
#define X(NAME, name, count, width, meaning) [TX_DATA_##NAME] = #name,
    TX_MODEL_DATA(X)
#undef X
};

bool tx_model_validates(tx_model_int field) { return field < TX_INT_COUNT && RANGES[field].kind != UNKNOWN; }

static bool in_range(const tx_model *m, tx_model_int field) {
    int count = 0;
    const int *values = tx_model_ints(m, field, &count);
    const range r = RANGES[field];
    if (r.kind == UNKNOWN || r.kind == ANY) return true;
    int size = r.kind == BETWEEN ? 0 : tx_model_size(m, (tx_size)r.high);
    int high = r.kind == BETWEEN ? r.high : r.kind == COUNT ? size : size - 1;
    for (int i = 0; i < count; i++)
        if (values[i] < r.low || values[i] > high) return false;
    return true;
}

// ---- structure ----------------------------------------------------------------------------------------------------
// each returns the name of the first field that is wrong, or null

static const int POSITIONS[] = {7, 4, 1, 1}, VELOCITIES[] = {6, 3, 1, 1};

// parents come first; joints, dofs and geoms stand body by body
static const char *check_bodies(const tx_model *m) {
    int joint = 0, dof = 0, geom = 0, mocap = 0;
    for (int i = 0; i < m->nbody; i++) {
        int parent = m->body_parent[i], dofs = 0;
        if (i == 0 ? parent != 0 : parent >= i) return "body_parent";
        if (m->body_root[i] != (parent == 0 ? i : m->body_root[parent])) return "body_root";
        if (m->body_weld[i] != i && m->body_weld[i] != m->body_weld[parent]) return "body_weld";
        if (m->body_jntadr[i] != joint || m->body_jntnum[i] > m->njnt - joint) return "body_jntadr";
        if (m->body_dofadr[i] != dof || m->body_dofnum[i] > m->nv - dof) return "body_dofadr";
        if (m->body_geomadr[i] != geom || m->body_geomnum[i] > m->ngeom - geom) return "body_geomadr";
        for (int j = joint; j < joint + m->body_jntnum[i]; j++) {
            if (m->jnt_body[j] != i) return "jnt_body";
            dofs += VELOCITIES[m->jnt_type[j]];
        }
        if (dofs != m->body_dofnum[i]) return "body_dofnum";
        for (int g = geom; g < geom + m->body_geomnum[i]; g++)
            if (m->geom_body[g] != i) return "geom_body";
        int last = dofs > 0 ? dof + dofs - 1 : i == 0 ? -1 : m->body_lastdof[parent];
        if (m->body_lastdof[i] != last) return "body_lastdof";
        if (m->body_mocap[i] >= 0 && m->body_mocap[i] != mocap++) return "body_mocap";
        if (m->body_lone[i] && (m->body_jntnum[i] != 1 || m->jnt_type[joint] != TX_JOINT_FREE)) return "body_lone";
        if (i > 0 && m->body_lone[parent]) return "body_lone";
        joint += m->body_jntnum[i], dof += dofs, geom += m->body_geomnum[i];
    }
    if (joint != m->njnt) return "body_jntnum";
    if (dof != m->nv) return "body_dofnum";
    if (geom != m->ngeom) return "body_geomnum";
    return mocap != m->nmocap ? "body_mocap" : NULL;
}

static const char *check_joints(const tx_model *m) {
    int qpos = 0, dof = 0, entries = 0;
    for (int j = 0; j < m->njnt; j++) {
        int type = m->jnt_type[j], last = m->body_lastdof[m->body_parent[m->jnt_body[j]]];
        if (m->jnt_qposadr[j] != qpos || POSITIONS[type] > m->nq - qpos) return "jnt_qposadr";
        if (m->jnt_dofadr[j] != dof || VELOCITIES[type] > m->nv - dof) return "jnt_dofadr";
        for (int v = dof; v < dof + VELOCITIES[type]; v++) {
            int parent = v > m->body_dofadr[m->jnt_body[j]] ? v - 1 : last;
            if (m->dof_jnt[v] != j) return "dof_jnt";
            if (m->dof_body[v] != m->jnt_body[j]) return "dof_body";
            if (m->dof_parent[v] != parent) return "dof_parent";
            if (m->dof_mnum[v] != 1 + (parent >= 0 ? m->dof_mnum[parent] : 0)) return "dof_mnum";
            if (m->dof_madr[v] != entries || m->dof_mnum[v] > m->nm - entries) return "dof_madr";
            entries += m->dof_mnum[v];
        }
        qpos += POSITIONS[type], dof += VELOCITIES[type];
    }
    if (qpos != m->nq) return "jnt_qposadr";
    if (entries != m->nm) return "dof_madr";
    for (int i = 0; i < m->nlimit; i++) {
        int type = m->jnt_type[m->limit_jnt[i]];
        if (type == TX_JOINT_FREE) return "limit_jnt";
        if ((type == TX_JOINT_BALL) != (m->limit_side[i] == 0)) return "limit_side";
    }
    return NULL;
}

// a tree begins where a body moves and its parent does not, and has all that hangs from there
static const char *check_trees(const tx_model *m) {
    int trees = 0;
    for (int i = 0; i < m->nbody; i++) {
        int above = i == 0 ? -1 : m->body_tree[m->body_parent[i]], tree = above;
        if (above < 0 && m->body_dofnum[i] > 0) {
            if ((tree = trees++) >= m->ntree) return "ntree";
            if (m->tree_bodyadr[tree] != i || m->tree_dofadr[tree] != m->body_dofadr[i]) return "tree_bodyadr";
        }
        if (m->body_tree[i] != tree) return "body_tree";
        if (tree < 0) continue;
        // the last body says how many there are
        bool last = i + 1 == m->nbody || m->body_parent[i + 1] < m->tree_bodyadr[tree];
        if (last && m->tree_bodynum[tree] != i + 1 - m->tree_bodyadr[tree]) return "tree_bodynum";
        if (last && m->tree_dofnum[tree] != m->body_dofadr[i] + m->body_dofnum[i] - m->tree_dofadr[tree])
            return "tree_dofnum";
    }
    if (trees != m->ntree || m->nsleep != (m->opt->sleep ? m->ntree : 0)) return "ntree";
    for (int d = 0; d < m->nv; d++)
        if (!(m->dof_length[d] > 0) || !isfinite(m->dof_length[d])) return "dof_length";
    return NULL;
}

// whether a tendon's dofs have all that move one of two bodies only, in order
static bool has_between(const tx_model *m, int t, int body1, int body2) {
    int dof[2] = {m->body_lastdof[body1], m->body_lastdof[body2]}, side;
    int first = m->tendon_dofadr[t], e = first + m->tendon_dofnum[t] - 1;
    for (int d; (d = tx_next_between(m, dof, &side)) >= 0;) {
        while (e >= first && m->tendon_dof[e] != d) e--;
        if (e < first) return false;
    }
    return true;
}

static const char *check_fixed(const tx_model *m, int t) {
    int first = m->tendon_dofadr[t], last = first + m->tendon_dofnum[t];
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        int joint = m->wrap_obj[w], at = first;
        if (m->wrap_type[w] != TX_PATH_JOINT) return "wrap_type";
        if (joint < 0 || joint >= m->njnt) return "wrap_obj";
        if (m->jnt_type[joint] != TX_JOINT_HINGE && m->jnt_type[joint] != TX_JOINT_SLIDE) return "wrap_obj";
        while (at < last && m->tendon_dof[at] != m->jnt_dofadr[joint]) at++;
        if (at == last) return "tendon_dof";
    }
    return NULL;
}

// coordinates of sites relative to others, and constants
static const char *check_coordinates(const tx_model *m, int t) {
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        if (!tx_is_coordinate(m->wrap_type[w])) return "wrap_type";
        if (m->wrap_type[w] == TX_PATH_CONSTANT) continue;
        if (m->wrap_obj[w] < 0 || m->wrap_obj[w] >= m->nsite) return "wrap_obj";
        if (m->wrap_side[w] < 0) return "wrap_side";
        if (!has_between(m, t, m->site_body[m->wrap_obj[w]], m->site_body[m->wrap_side[w]])) return "tendon_dof";
    }
    return NULL;
}

// sites and pulleys, and geoms that stand between two sites
static const char *check_path(const tx_model *m, int t) {
    int first = m->tendon_adr[t], last = first + m->tendon_num[t] - 1;
    for (int w = first; w <= last; w++) {
        int type = m->wrap_type[w], count = type == TX_PATH_SITE ? m->nsite : type == TX_PATH_GEOM ? m->ngeom : 0;
        if (type == TX_PATH_JOINT || tx_is_coordinate(type)) return "wrap_type";
        if (m->wrap_obj[w] >= count || (count > 0 && m->wrap_obj[w] < 0)) return "wrap_obj";
        if (type != TX_PATH_GEOM) continue;
        int shape = m->geom_type[m->wrap_obj[w]];
        if (shape != TX_GEOM_SPHERE && shape != TX_GEOM_CYLINDER) return "wrap_obj";
        if (w == first || w == last) return "wrap_type";
        if (m->wrap_type[w - 1] != TX_PATH_SITE || m->wrap_type[w + 1] != TX_PATH_SITE) return "wrap_type";
    }
    for (int w = first; w < last; w++) {
        int next = w + 1 + (m->wrap_type[w + 1] == TX_PATH_GEOM);
        if (m->wrap_type[w] != TX_PATH_SITE || m->wrap_type[next] != TX_PATH_SITE) continue;
        int body[3] = {m->site_body[m->wrap_obj[w]], m->site_body[m->wrap_obj[next]], 0};
        bool good = has_between(m, t, body[0], body[1]);
        if (next > w + 1) {
            body[2] = m->geom_body[m->wrap_obj[w + 1]];
            good = good && has_between(m, t, body[0], body[2]) && has_between(m, t, body[2], body[1]);
        }
        if (!good) return "tendon_dof";
    }
    return NULL;
}

static const char *check_tendons(const tx_model *m) {
    int wrap = 0, entry = 0;
    for (int t = 0; t < m->ntendon; t++) {
        if (m->tendon_adr[t] != wrap || m->tendon_num[t] > m->nwrap - wrap) return "tendon_adr";
        if (m->tendon_num[t] < 1) return "tendon_num";
        if (m->tendon_dofadr[t] != entry || m->tendon_dofnum[t] > m->ntendof - entry) return "tendon_dofadr";
        const char *wrong = m->wrap_type[wrap] == TX_PATH_JOINT    ? check_fixed(m, t)
                            : tx_is_coordinate(m->wrap_type[wrap]) ? check_coordinates(m, t)
                                                                   : check_path(m, t);
        if (wrong) return wrong;
        wrap += m->tendon_num[t], entry += m->tendon_dofnum[t];
    }
    return NULL;
}

// how many dofs an actuator acts on; -1: what it acts through does not exist
static int transmission_dofs(const tx_model *m, int i) {
    int id = m->actuator_trnid[i], ref = m->actuator_trnref[i], count = 0, side;
    switch (m->actuator_trn[i]) {
    case TX_TRANSMISSION_TENDON: return id < m->ntendon ? m->tendon_dofnum[id] : -1;
    case TX_TRANSMISSION_BODY: return id < m->nbody ? m->nv : -1;
    case TX_TRANSMISSION_SITE:
    case TX_TRANSMISSION_CRANK: {
        if (id >= m->nsite || (m->actuator_trn[i] == TX_TRANSMISSION_CRANK && ref < 0)) return -1;
        int dof[2] = {m->body_lastdof[m->site_body[id]], ref < 0 ? -1 : m->body_lastdof[m->site_body[ref]]};
        while (tx_next_between(m, dof, &side) >= 0) count++;
        return count;
    }
    default: return id < m->njnt ? VELOCITIES[m->jnt_type[id]] : -1;
    }
}

// the three torques of an orientation servo stand one behind the other, on the same ball joint or sites
static const char *check_axis(const tx_model *m, int i, int axis) {
    const int inputs = m->actuator_inputs[i], dyn = m->actuator_dyn[i], trn = m->actuator_trn[i];
    const int first = i - axis, id = m->actuator_trnid[i];
    if (m->actuator_biascurve[i] != m->actuator_gaincurve[i]) return "actuator_biascurve";
    if (first < 0 || first + 2 >= m->nactuator) return "actuator_gaincurve";
    for (int k = 0; k < 3; k++)
        if (m->actuator_gaincurve[first + k] != TX_CURVE_SO3 + k) return "actuator_gaincurve";
    const bool ball = trn == TX_TRANSMISSION_JOINT && m->jnt_type[id] == TX_JOINT_BALL && m->actuator_trnref[i] < 0;
    if (!ball && (trn != TX_TRANSMISSION_SITE || m->actuator_trnref[i] < 0)) return "actuator_trn";
    if (trn != m->actuator_trn[first] || id != m->actuator_trnid[first]) return "actuator_trnid";
    if (m->actuator_trnref[i] != m->actuator_trnref[first]) return "actuator_trnref";
    if (axis > 0 ? dyn != TX_DYNAMICS_NONE : dyn != TX_DYNAMICS_NONE && dyn != TX_DYNAMICS_TURN) return "actuator_dyn";
    if (m->actuator_states[i] != (dyn == TX_DYNAMICS_TURN ? TX_ACTUATOR_STATE_TURN : 0)) return "actuator_states";
    const bool quat = inputs == TX_INPUT_QUAT && dyn == TX_DYNAMICS_NONE;
    if (axis > 0 ? inputs != TX_INPUT_NONE : inputs != TX_INPUT_EXPMAP && !quat) return "actuator_inputs";
    return m->actuator_group[i] != m->actuator_group[first] ? "actuator_group" : NULL;
}

// activations and inputs that go with an actuator's curves
static const char *check_servo(const tx_model *m, int i) {
    const int axis = tx_actuator_axis(m->actuator_gaincurve[i]);
    if (axis >= 0) return check_axis(m, i, axis);
    if (m->actuator_dyn[i] == TX_DYNAMICS_TURN) return "actuator_dyn";
    if (tx_actuator_axis(m->actuator_biascurve[i]) >= 0) return "actuator_biascurve";
    const int dyn = m->actuator_dyn[i], gain = m->actuator_gaincurve[i], bias = m->actuator_biascurve[i];
    const bool pid = gain == TX_CURVE_PID, motor = gain == TX_CURVE_DCMOTOR;
    if (motor != (dyn == TX_DYNAMICS_DCMOTOR) || motor != (bias == TX_CURVE_DCMOTOR)) return "actuator_gaincurve";
    if (bias == TX_CURVE_PID || (pid && bias != TX_CURVE_AFFINE)) return "actuator_biascurve";
    if (pid ? dyn != TX_DYNAMICS_NONE && dyn != TX_DYNAMICS_PID : dyn == TX_DYNAMICS_PID) return "actuator_dyn";
    const int states = tx_actuator_states(dyn, m->actuator_dynprm + 10 * i, m->actuator_gain + 10 * i);
    if (m->actuator_states[i] != states) return "actuator_states";
    const int inputs = m->actuator_inputs[i], setpoints = TX_INPUT_POS | TX_INPUT_VEL | TX_INPUT_FF;
    const int allowed = pid ? setpoints : motor ? setpoints | TX_INPUT_VOLTAGE : 0;
    const bool passive = motor && inputs == TX_INPUT_NONE;
    if (!passive && ((inputs & ~allowed) || ((pid || motor) && inputs == 0))) return "actuator_inputs";
    if ((states & TX_ACTUATOR_STATE_INTEGRAL) && !(inputs & TX_INPUT_POS)) return "actuator_inputs";
    return (states & TX_ACTUATOR_STATE_SLEW) && !(inputs & setpoints) ? "actuator_inputs" : NULL;
}

static const char *check_actuators(const tx_model *m) {
    int moment = 0, activation = 0, control = 0;
    for (int i = 0; i < m->nactuator; i++) {
        int dofs = transmission_dofs(m, i);
        if (dofs < 0) return "actuator_trnid";
        if (m->actuator_dofadr[i] != moment || dofs > m->nmoment - moment) return "actuator_dofadr";
        if (m->actuator_dofnum[i] != dofs) return "actuator_dofnum";
        const char *wrong = check_servo(m, i);
        if (wrong) return wrong;
        if (m->actuator_actnum[i] != tx_bit_count(m->actuator_states[i])) return "actuator_actnum";
        if (m->actuator_act[i] != (m->actuator_states[i] ? activation : -1)) return "actuator_act";
        if (m->actuator_ctrladr[i] != control) return "actuator_ctrladr";
        if (m->actuator_ctrlnum[i] != tx_actuator_controls(m->actuator_inputs[i])) return "actuator_ctrlnum";
        moment += dofs, activation += m->actuator_actnum[i], control += m->actuator_ctrlnum[i];
        if (control > m->nu) return "actuator_ctrlnum";
    }
    if (control != m->nu) return "actuator_ctrlnum";
    return activation != m->na ? "actuator_act" : NULL;
}

// where the past of something with `dim` numbers is; false: it is not at `*next`, or too long
static bool past_fits(const tx_model *m, int at, int nsample, int dim, int *next) {
    if (nsample == 0) return at == -1;
    long long size = 2 + (long long)nsample * (1 + dim);
    if (at != *next || size > m->nhistory - *next) return false;
    *next += (int)size;
    return true;
}

static const char *check_history(const tx_model *m) {
    int next = 0;
    for (int i = 0; i < m->nactuator; i++)
        if (!past_fits(m, m->actuator_history[i], m->actuator_nsample[i], m->actuator_ctrlnum[i], &next))
            return "actuator_history";
    for (int i = 0; i < m->nsensor; i++) {
        if (!past_fits(m, m->sensor_history[i], m->sensor_nsample[i], m->sensor_dim[i], &next)) return "sensor_history";
        if (m->sensor_interval[2 * i] < 0) return "sensor_interval";
    }
    return next != m->nhistory ? "sensor_history" : NULL;
}

// springs that yield have their numbers one behind the other
static const char *check_springs(const tx_model *m) {
    int next = 0;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_plastic[j] == -1) continue;
        if (m->jnt_plastic[j] != next || m->jnt_type[j] == TX_JOINT_FREE) return "jnt_plastic";
        next += POSITIONS[m->jnt_type[j]];
        if (next > m->nplastic) return "jnt_plastic";
    }
    for (int t = 0; t < m->ntendon; t++) {
        if (m->tendon_plastic[t] == -1) continue;
        if (m->tendon_plastic[t] != next || m->nplastic - next < 2) return "tendon_plastic";
        next += 2;
    }
    return next != m->nplastic ? "tendon_plastic" : NULL;
}

static const char *check_equalities(const tx_model *m) {
    const int count[TX_EQUALITY_TYPES] = {m->nbody, m->nbody, m->njnt, m->ntendon, m->nsite, m->nsite};
    int rows = 0;
    for (int i = 0; i < m->neq; i++) {
        const int type = m->eq_type[i];
        const bool one = type == TX_EQUALITY_JOINT || type == TX_EQUALITY_TENDON; // the second may be left out
        if (m->eq_obj1[i] >= count[type]) return "eq_obj1";
        if (m->eq_obj2[i] >= count[type] || (!one && m->eq_obj2[i] < 0)) return "eq_obj2";
        rows += tx_equality_rows[type];
    }
    return rows != m->neqrow ? "eq_type" : NULL;
}

static bool contact_dim(int dim) { return dim == 1 || dim == 3 || dim == 4 || dim == 6; }

static const char *check_geoms(const tx_model *m) {
    for (int i = 0; i < m->ngeom; i++) {
        if (!contact_dim(m->geom_condim[i])) return "geom_condim";
        int type = m->geom_type[i];
        if ((type == TX_GEOM_MESH || type == TX_GEOM_SDF) != (m->geom_mesh[i] >= 0)) return "geom_mesh";
        if ((type == TX_GEOM_HFIELD) != (m->geom_hfield[i] >= 0)) return "geom_hfield";
        if (type == TX_GEOM_SDF && m->mesh_sdf[m->geom_mesh[i]] < 0) return "mesh_sdf";
    }
    for (int i = 0; i < m->npair; i++)
        if (m->geom_type[m->pair_geom1[i]] > m->geom_type[m->pair_geom2[i]]) return "pair_geom1";
    for (int i = 0; i < m->nspecial; i++) {
        if (!contact_dim(m->special_dim[i])) return "special_dim";
        if (m->geom_type[m->special_geom1[i]] > m->geom_type[m->special_geom2[i]]) return "special_geom1";
    }
    return NULL;
}

// the two ends of entry i of a list of pairs, the lower one first, as one number
static long long pair_key(const int *first, const int *second, int i) {
    long long a = first[i], b = second[i];
    return a < b ? a << 32 | b : b << 32 | a;
}

// the lists that detection searches are sorted; a model for the sweep has no table
static const char *check_pairs(const tx_model *m) {
    const int *sorted = m->special_sorted;
    for (int i = 1; i < m->nspecial; i++)
        if (pair_key(m->special_geom1, m->special_geom2, sorted[i - 1]) >
            pair_key(m->special_geom1, m->special_geom2, sorted[i]))
            return "special_sorted";
    for (int i = 0; i < m->nexclude; i++) {
        if (m->exclude_body1[i] > m->exclude_body2[i]) return "exclude_body1";
        if (i > 0 &&
            pair_key(m->exclude_body1, m->exclude_body2, i - 1) > pair_key(m->exclude_body1, m->exclude_body2, i))
            return "exclude_body2";
    }
    return m->opt->broadphase == TX_BROADPHASE_SWEEP && m->npair > 0 ? "npair" : NULL;
}

static bool all_below(const int *values, int count, int limit) {
    for (int i = 0; i < count; i++)
        if (values[i] >= limit) return false;
    return true;
}

static const char *check_face_tree(const tx_model *m, int mesh) {
    int first = m->mesh_nodeadr[mesh], count = m->mesh_nodenum[mesh], faces = m->mesh_facenum[mesh];
    if (count != tx_face_tree_nodes(faces) || count > m->nmeshnode - first) return "mesh_nodenum";
    if (m->mesh_faceadr[mesh] / 3 > m->nmeshface - faces) return "mesh_order";
    if (!all_below(m->mesh_order + m->mesh_faceadr[mesh] / 3, faces, faces)) return "mesh_order";
    for (int i = 0; i < count; i++) {
        if (m->node_leaf[first + i] > (faces - 1) / TX_TREE_FACES) return "node_leaf";
        if (m->node_end[first + i] <= i || m->node_end[first + i] > count) return "node_end";
    }
    return NULL;
}

// whether the corners in fours are those of the hull
static bool fours_agree(const tx_model *m, int mesh) {
    int first = m->mesh_fouradr[mesh], corners = m->mesh_hullvertnum[mesh];
    if (first < 0) return true;
    if (corners < 1 || corners > TX_FOURS_CORNERS || first > m->nhullfour - tx_fours_count(corners)) return false;
    double fours[3 * TX_FOURS_CORNERS];
    tx_fours_fill(m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh], m->hull_vert + m->mesh_hullvertadr[mesh], corners,
                  fours);
    return !memcmp(fours, m->hull_four + 12 * (size_t)first, sizeof(double) * 12 * (size_t)tx_fours_count(corners));
}

static const char *check_meshes(const tx_model *m) {
    for (int i = 0; i < m->nmesh; i++) {
        int vertices = m->mesh_vertnum[i], hull = m->mesh_hullvertnum[i];
        if (vertices > m->nmeshvert - m->mesh_vertadr[i]) return "mesh_vertnum";
        if (m->mesh_facenum[i] > (m->nmeshcorner - m->mesh_faceadr[i]) / 3) return "mesh_facenum";
        if (m->mesh_uvadr[i] >= 0 && m->mesh_facenum[i] > (m->nmeshuv - m->mesh_uvadr[i]) / 3) return "mesh_uvadr";
        if (hull > m->nhullvert - m->mesh_hullvertadr[i]) return "mesh_hullvertnum";
        if (m->mesh_hullfacenum[i] > (m->nhullcorner - m->mesh_hullfaceadr[i]) / 3) return "mesh_hullfacenum";
        int corners = 3 * m->mesh_hullfacenum[i];
        if (!all_below(m->mesh_face + m->mesh_faceadr[i], 3 * m->mesh_facenum[i], vertices)) return "mesh_face";
        if (!all_below(m->hull_vert + m->mesh_hullvertadr[i], hull, vertices)) return "hull_vert";
        if (!all_below(m->hull_face + m->mesh_hullfaceadr[i], corners, hull)) return "hull_face";
        if (!all_below(m->hull_edge + m->mesh_hullfaceadr[i], corners, hull)) return "hull_edge";
        int start = m->mesh_startadr[i];
        if (start >= 0 && start > m->nhullstart - TX_START_CELLS) return "mesh_startadr";
        if (start >= 0 && !all_below(m->hull_start + start, TX_START_CELLS, hull)) return "hull_start";
        if (!fours_agree(m, i)) return "hull_four";
        for (int k = m->mesh_hullvertadr[i]; k < m->mesh_hullvertadr[i] + hull; k++)
            if (m->hull_edgenum[k] > corners - m->hull_edgeadr[k]) return "hull_edgenum";
        const char *wrong = check_face_tree(m, i);
        if (wrong) return wrong;
    }
    return NULL;
}

static int object_count(const tx_model *m, int object) {
    switch (object) {
    case TX_OBJECT_BODY:
    case TX_OBJECT_XBODY: return m->nbody;
    case TX_OBJECT_GEOM: return m->ngeom;
    case TX_OBJECT_SITE: return m->nsite;
    case TX_OBJECT_CAMERA: return m->ncam;
    case TX_OBJECT_JOINT: return m->njnt;
    case TX_OBJECT_ACTUATOR: return m->nactuator;
    case TX_OBJECT_TENDON: return m->ntendon;
    case TX_OBJECT_MESH: return m->nmesh;
    default: return 0;
    }
}

static const char *check_cameras(const tx_model *m) {
    for (int i = 0; i < m->ncam; i++)
        if ((m->cam_mode[i] >= TX_CAMERA_TARGETBODY) != (m->cam_target[i] >= 0)) return "cam_target";
    return NULL;
}

static const char *check_sensors(const tx_model *m) {
    int at = 0;
    for (int i = 0; i < m->nsensor; i++) {
        const tx_sensor_kind *kind = &tx_sensor_kinds[m->sensor_type[i]];
        int object = m->sensor_objtype[i], reference = m->sensor_reftype[i], obj = m->sensor_obj[i], joint = -1;
        int dim = m->sensor_dim[i], size = tx_contact_data_size(m->sensor_data[i]);
        if (m->sensor_adr[i] != at || dim > m->nsensordata - at) return "sensor_adr";
        bool contact = m->sensor_type[i] == TX_SENSOR_CONTACT;
        const bool ray = m->sensor_type[i] == TX_SENSOR_RANGEFINDER;
        if (contact ? size < 1 || dim % size : (!ray && m->sensor_data[i]) || m->sensor_reduce[i]) return "sensor_data";
        if (ray && (m->sensor_data[i] < 1 || m->sensor_data[i] >> TX_RAY_DATA_COUNT)) return "sensor_data";
        at += dim;
        if (!tx_sensor_takes(kind->object, object)) return "sensor_objtype";
        bool has = object != TX_OBJECT_NONE;
        if (has ? obj < 0 || obj >= object_count(m, object) : obj != -1) return "sensor_obj";
        const bool camera = object == TX_OBJECT_CAMERA;
        const long long rays = camera ? (long long)m->cam_width[obj] * m->cam_height[obj] : 1;
        if (ray && dim != rays * tx_ray_data_size(m->sensor_data[i])) return "sensor_dim";
        const bool axes = object == TX_OBJECT_ACTUATOR && m->actuator_gaincurve[obj] == TX_CURVE_SO3;
        if (dim < 1 || (kind->numbers && dim != (axes ? 3 : kind->numbers))) return "sensor_dim";
        if (object == TX_OBJECT_JOINT) joint = m->jnt_type[obj];
        if (kind->object == TX_SENSES_SCALAR && joint != TX_JOINT_HINGE && joint != TX_JOINT_SLIDE) return "sensor_obj";
        if (kind->object == TX_SENSES_BALL && joint != TX_JOINT_BALL) return "sensor_obj";
        if (!tx_sensor_takes_reference(kind->object, reference)) return "sensor_reftype";
        bool relative = reference != TX_OBJECT_NONE;
        if (relative ? m->sensor_ref[i] < 0 || m->sensor_ref[i] >= object_count(m, reference) : m->sensor_ref[i] != -1)
            return "sensor_ref";
        if (kind->object == TX_SENSES_TAXELS && dim != 3ll * m->mesh_vertnum[m->sensor_ref[i]]) return "sensor_dim";
    }
    return at != m->nsensordata ? "sensor_adr" : NULL;
}

// grids inside their arrays, with a size
static const char *check_fields(const tx_model *m) {
    for (int i = 0; i < m->nhfield; i++) {
        long long points = (long long)m->hfield_nrow[i] * m->hfield_ncol[i];
        if (points > m->nhfielddata - m->hfield_adr[i]) return "hfield_adr";
        for (int k = 0; k < 4; k++)
            if (!(m->hfield_size[4 * i + k] > 0) || !isfinite(m->hfield_size[4 * i + k])) return "hfield_size";
    }
    for (int i = 0; i < m->ntex; i++) {
        long long texels = (long long)m->tex_width[i] * m->tex_height[i] * (m->tex_cube[i] ? 6 : 1);
        if (texels > m->ntexdata - m->tex_adr[i]) return "tex_adr";
        if (m->tex_cube[i] && m->tex_width[i] != m->tex_height[i]) return "tex_width";
    }
    for (int i = 0; i < m->nsdf; i++) {
        long long points = (long long)m->sdf_nx[i] * m->sdf_ny[i] * m->sdf_nz[i];
        if (points > m->nsdfdata - m->sdf_adr[i]) return "sdf_adr";
        if (!(m->sdf_cell[i] > 0)) return "sdf_cell";
    }
    return NULL;
}

static const char *check_options(const tx_model *m) {
    const char *wrong = tx_options_problem(m->opt, NULL);
    // compile has chosen
    return !wrong && m->opt->broadphase == TX_BROADPHASE_AUTO ? "broadphase" : wrong;
}

const char *tx_model_numbers_problem(const tx_model *m, tx_param_problem *problem) {
    for (int f = 0; f < TX_PARAM_COUNT; f++)
        if (tx_param_problem_of(m, (tx_param)f, tx_param_array(m, (tx_param)f), problem))
            return tx_param_name((tx_param)f);
    for (int f = 0; f < TX_DATA_COUNT; f++) {
        int count;
        const double *numbers = tx_model_data_array(m, (tx_model_data)f, &count);
        for (int i = 0; i < count; i++) {
            if (fabs(numbers[i]) <= TX_LARGEST) continue;
            *problem = (tx_param_problem){i, count, numbers[i], "a number from -1e10 to 1e10"};
            return DATA_NAMES[f];
        }
    }
    return NULL;
}

bool tx_model_validate(const tx_model *m, const char **why) {
    const char *wrong = m->nbody < 1 ? "nbody" : m->nname < 2 || m->names[m->nname - 1] != 0 ? "nname" : NULL;
    for (int f = 0; !wrong && f < TX_INT_COUNT; f++)
        if (!in_range(m, (tx_model_int)f)) wrong = FIELD_NAMES[f];
    if (!wrong) wrong = check_options(m);
    if (!wrong) wrong = check_bodies(m);
    if (!wrong) wrong = check_joints(m);
    if (!wrong) wrong = check_trees(m);
    if (!wrong) wrong = check_tendons(m);
    if (!wrong) wrong = check_actuators(m);
    if (!wrong) wrong = check_equalities(m);
    if (!wrong) wrong = check_geoms(m);
    if (!wrong) wrong = check_pairs(m);
    if (!wrong) wrong = check_meshes(m);
    if (!wrong) wrong = check_cameras(m);
    if (!wrong) wrong = check_sensors(m);
    if (!wrong) wrong = check_history(m);
    if (!wrong) wrong = check_springs(m);
    if (!wrong) wrong = check_fields(m);
    tx_param_problem unused;
    if (!wrong) wrong = tx_model_numbers_problem(m, &unused);
    if (why) *why = wrong ? wrong : "";
    return !wrong;
}
