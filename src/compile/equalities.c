// equalities.c - equalities of a builder as arrays of the model.
#include "compile/equalities.h"

#include <string.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"

#define W(field) tx_writable(m->field)

// the object of an equality in the model's numbers; -1: none. No body is the world; a site stands for its body.
static int equality_object(const tx_draft *d, const tx_equality_def *def, const char *name) {
    if (def->type >= TX_EQUALITY_HINGE) return d->site[tx_name_find(&d->catalog->site, name)].number;
    if (def->sites) return d->body[d->site[tx_name_find(&d->catalog->site, name)].body].number;
    if (def->type == TX_EQUALITY_JOINT) return name[0] ? d->joint_number[tx_name_find(&d->catalog->joint, name)] : -1;
    if (def->type == TX_EQUALITY_TENDON) return tx_name_find(&d->catalog->tendon, name);
    return name[0] ? d->body[tx_name_find(&d->catalog->body, name)].number : 0;
}

// points and relative orientation of two bodies whose sites coincide: q1 s1 = q2 s2 is q2 = q1 (s1 s2*)
static void join_sites(const tx_draft *draft, const tx_equality_def *d, double data[11]) {
    const tx_draft_site *first = &draft->site[tx_name_find(&draft->catalog->site, d->first)],
                        *second = &draft->site[tx_name_find(&draft->catalog->site, d->second)];
    bool weld = d->type == TX_EQUALITY_WELD;
    memcpy(data + 3 * weld, first->pos, sizeof first->pos);
    memcpy(data + 3 * !weld, second->pos, sizeof second->pos);
    if (!weld) return;
    const double *s = second->quat, back[4] = {s[0], -s[1], -s[2], -s[3]};
    tx_quat_mul(data + 6, first->quat, back);
}

void tx_fill_equalities(const tx_draft *draft, tx_model *m) {
    for (int i = 0; i < m->neq; i++) {
        const tx_equality_def *d = &draft->b->equality.items[i];
        W(eq_type)[i] = d->type, W(eq_active0)[i] = d->active;
        W(eq_obj1)[i] = equality_object(draft, d, d->first);
        W(eq_obj2)[i] = equality_object(draft, d, d->second);
        memcpy(W(eq_solref) + 2 * i, d->solref, sizeof d->solref);
        memcpy(W(eq_solimp) + 5 * i, d->solimp, sizeof d->solimp);
        double *data = W(eq_data) + 11 * i;
        if (d->type >= TX_EQUALITY_HINGE) continue; // its sites say all
        if (d->type == TX_EQUALITY_JOINT || d->type == TX_EQUALITY_TENDON) {
            memcpy(data, d->polycoef, sizeof d->polycoef);
            continue;
        }
        memcpy(data, d->anchor, sizeof d->anchor);
        memcpy(data + 3, d->relpos, sizeof d->relpos);
        memcpy(data + 6, d->relquat, sizeof d->relquat);
        data[10] = d->torquescale;
        if (d->sites) join_sites(draft, d, data);
    }
}

// what bodies that are kept together have at qpos0: the point of a connection in the second, the pose of a weld
void tx_pose_equalities(const tx_builder *b, tx_model *m, const tx_block *block) {
    for (int i = 0; i < m->neq; i++) {
        double *data = W(eq_data) + 11 * i, pos[2][3], quat[2][4], mat[2][9], at[3];
        if (b->equality.items[i].sites || (m->eq_type[i] != TX_EQUALITY_CONNECT && m->eq_type[i] != TX_EQUALITY_WELD))
            continue;
        for (int s = 0; s < 2; s++) {
            int body = s ? m->eq_obj2[i] : m->eq_obj1[i];
            for (int k = 0; k < 3; k++) pos[s][k] = tx_lane(block, block->xpos, 3 * body + k, 0);
            for (int k = 0; k < 4; k++) quat[s][k] = tx_lane(block, block->xquat, 4 * body + k, 0);
            for (int k = 0; k < 9; k++) mat[s][k] = tx_lane(block, block->xmat, 9 * body + k, 0);
        }
        bool weld = m->eq_type[i] == TX_EQUALITY_WELD,
             given = data[6] != 0 || data[7] != 0 || data[8] != 0 || data[9] != 0;
        if (weld && given) {
            tx_quat_normalize(data + 6);
            continue;
        }
        int from = weld, to = !weld; // the anchor is given in one body and sought in the other
        m3_mul(at, mat[from], data);
        for (int k = 0; k < 3; k++) at[k] += pos[from][k] - pos[to][k];
        m3_mul_transposed(data + 3, mat[to], at);
        if (!weld) continue;
        const double back[4] = {quat[0][0], -quat[0][1], -quat[0][2], -quat[0][3]};
        tx_quat_mul(data + 6, back, quat[1]);
    }
}
