// trees.c - which bodies make a tree, how far a dof reaches, and the sleep policy of each tree (MuJoCo's rules).
#include "compile/trees.h"

#include <math.h>

#include "compile/check.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"

#define W(field) tx_writable(m->field)

// ---- trees ----------------------------------------------------------------------------------------------------------

static void cut_trees(tx_model *m) {
    int trees = 0;
    W(body_tree)[0] = -1;
    for (int i = 1; i < m->nbody; i++) {
        int tree = m->body_tree[m->body_parent[i]];
        if (tree < 0 && m->body_dofnum[i] > 0) {
            tree = trees++;
            W(tree_bodyadr)[tree] = i, W(tree_dofadr)[tree] = m->body_dofadr[i];
        }
        W(body_tree)[i] = tree;
        if (tree < 0) continue;
        W(tree_bodynum)[tree]++;
        W(tree_dofnum)[tree] += m->body_dofnum[i];
    }
}

// ---- lengths --------------------------------------------------------------------------------------------------------

static double apart(const double a[3], const double b[3]) {
    double between[3];
    v3_sub(between, a, b);
    return sqrt(v3_dot(between, between));
}

// the farthest from a point of body `from` that a joint of body `to`, which is it or its child, turns about
static double farthest_joint(const tx_model *m, int from, const double point[3], int to) {
    double far = 0, turn[9];
    tx_quat_to_mat(m->body_quat + 4 * to, turn);
    for (int j = m->body_jntadr[to]; j < m->body_jntadr[to] + m->body_jntnum[to]; j++) {
        double place[3] = {m->jnt_pos[3 * j], m->jnt_pos[3 * j + 1], m->jnt_pos[3 * j + 2]};
        for (int k = 0; k < 3 && to != from; k++)
            place[k] = m->body_pos[3 * to + k] + v3_dot(turn + 3 * k, m->jnt_pos + 3 * j);
        far = fmax(far, apart(place, point));
    }
    return far;
}

// how far a turning body reaches from its centre of mass: its geoms, its joints and those of its children. A shift
// counts as it is.
static void measure_dofs(tx_model *m) {
    static const double LEAST = 1e-5;
    for (int d = 0; d < m->nv; d++) W(dof_length)[d] = LEAST;
    for (int i = m->nbody - 1; i > 0; i--) {
        const double *centre = m->body_ipos + 3 * i;
        double reach = farthest_joint(m, i, centre, i);
        for (int g = m->body_geomadr[i]; g < m->body_geomadr[i] + m->body_geomnum[i]; g++)
            reach = fmax(reach, apart(m->geom_pos + 3 * g, centre) + m->geom_rbound[g]);
        for (int d = m->body_dofadr[i]; d < m->body_dofadr[i] + m->body_dofnum[i]; d++)
            W(dof_length)[d] = fmax(m->dof_length[d], reach);
        // the parent's dofs wait for all its children
        int parent = m->body_parent[i];
        double above = farthest_joint(m, parent, m->body_ipos + 3 * parent, i);
        for (int d = m->body_dofadr[parent]; d < m->body_dofadr[parent] + m->body_dofnum[parent]; d++)
            W(dof_length)[d] = fmax(m->dof_length[d], above);
    }
    for (int d = 0; d < m->nv; d++) {
        int type = m->jnt_type[m->dof_jnt[d]];
        if (type == TX_JOINT_SLIDE || (type == TX_JOINT_FREE && d < m->jnt_dofadr[m->dof_jnt[d]] + 3))
            W(dof_length)[d] = 1;
    }
}

// ---- policies -------------------------------------------------------------------------------------------------------

static int tree_of_dof(const tx_model *m, int dof) { return m->body_tree[m->dof_body[dof]]; }

// trees that one tendon moves with; 3: more than two
static int tree_count(const tx_model *m, int tendon) {
    int seen[2], count = 0;
    for (int k = m->tendon_dofadr[tendon]; k < m->tendon_dofadr[tendon] + m->tendon_dofnum[tendon]; k++) {
        int tree = tree_of_dof(m, m->tendon_dof[k]);
        if ((count > 0 && seen[0] == tree) || (count > 1 && seen[1] == tree)) continue;
        if (count == 2) return 3;
        seen[count++] = tree;
    }
    return count;
}

static bool pulls(const tx_model *m, int tendon) {
    const double *stiff = m->tendon_stiffnesspoly + 2 * tendon, *damp = m->tendon_dampingpoly + 2 * tendon;
    return m->tendon_stiffness[tendon] != 0 || m->tendon_damping[tendon] != 0 || stiff[0] != 0 || stiff[1] != 0 ||
           damp[0] != 0 || damp[1] != 0;
}

static void keep_awake(const tx_draft *draft, tx_model *m, int tree, int tendon, int trees, tx_diag *diag) {
    const tx_body_def *d = &draft->b->body.items[draft->body_def[m->tree_bodyadr[tree]]].def;
    if (d->sleep == TX_SLEEP_ALLOWED || d->sleep == TX_SLEEP_INIT)
        FAIL(d->source, "leave sleep out", "body '%s' cannot sleep: tendon '%s' %s", name_or(d->name),
             name_or(draft->b->tendon.items[tendon].name),
             trees > 2 ? "goes through more than two trees" : "pulls at two trees with its stiffness or damping");
    W(tree_sleep)[tree] = TX_SLEEP_NEVER;
}

static void choose_policies(const tx_draft *draft, tx_model *m, tx_diag *diag) {
    for (int t = 0; t < m->ntree; t++) W(tree_sleep)[t] = TX_SLEEP_ALLOWED;
    for (int i = 0; i < m->nactuator; i++) {
        int body = m->actuator_trnid[i];
        if (m->actuator_trn[i] == TX_TRANSMISSION_BODY) {
            if (m->body_tree[body] >= 0) W(tree_sleep)[m->body_tree[body]] = TX_SLEEP_NEVER;
            continue;
        }
        for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++)
            W(tree_sleep)[tree_of_dof(m, m->moment_dof[e])] = TX_SLEEP_NEVER;
    }
    for (int t = 0; t < m->ntree; t++) {
        int given = m->body_sleep[m->tree_bodyadr[t]];
        if (given != TX_SLEEP_AUTO) W(tree_sleep)[t] = given;
    }
    // these nobody can overrule
    for (int i = 0; i < m->ntendon; i++) {
        int trees = tree_count(m, i);
        if (trees < 2 || (trees == 2 && !pulls(m, i))) continue;
        for (int k = m->tendon_dofadr[i], last = -1; k < m->tendon_dofadr[i] + m->tendon_dofnum[i]; k++) {
            int tree = tree_of_dof(m, m->tendon_dof[k]);
            if (tree != last) keep_awake(draft, m, tree, i, trees, diag);
            last = tree;
        }
    }
}

void tx_fill_trees(const tx_draft *draft, tx_model *m, tx_diag *diag) {
    for (int i = 0; i < m->nbody; i++) W(body_sleep)[i] = (int)draft->b->body.items[draft->body_def[i]].def.sleep;
    cut_trees(m);
    measure_dofs(m);
    choose_policies(draft, m, diag);
}
