// kinematics.inl - qpos to poses of bodies, joints and geoms; centre of mass and inertia of each tree. lanes: any
#pragma once
#include "lane/trig.h"
#include "lane/vec.h"
#include "dynamics/flock.inl"

// unit quaternion of a rotation by `angle` about a unit axis
FN void quat_of_axis(real *q, const real *axis, real angle) {
    real s, c;
    lane_sincos(angle * R(0.5), &s, &c);
    q[0] = c;
    for (int k = 0; k < 3; k++) q[1 + k] = axis[k] * s;
}

// rotation vector of a unit quaternion, the shorter way round
FN void quat_to_axis(real *o, const real *q) {
    real s = vsqrt(dot3(q + 1, q + 1));
    real angle = R(2) * lane_atan2(s, q[0]);
    angle = sel(angle > R(3.14159265358979323846), angle - R(6.28318530717958647693), angle);
    real scale = sel(s < R(1e-15), splat(0), angle / vmax(s, splat(R(1e-15))));
    for (int k = 0; k < 3; k++) o[k] = q[1 + k] * scale;
}

// rotation vector that turns `from` into `to`, in the frame of `from`
FN void quat_difference(real *o, const real *to, const real *from) {
    real inverse[4] = {from[0], -from[1], -from[2], -from[3]}, d[4];
    quat_mul(d, inverse, to);
    quat_to_axis(o, d);
}

#if TX_LANES == 1
// up to four hinges at a time
typedef struct hinge_four {
    int joint[4], count;
    trig_four half; // angle
} hinge_four;

FN void turn_four(const tx_block *b, hinge_four *h) {
    trig_four s, c;
    four_sincos(h->half, &s, &c);
    for (int k = 0; k < h->count; k++)
        AT(b->xanchor, 3 * h->joint[k]) = s[k], AT(b->xanchor, 3 * h->joint[k] + 1) = c[k];
    h->count = 0;
}

// Sine and cosine of half the angle of every hinge: one after the other in the tree they would wait, here four stand
// side by side. They are put where the anchors will be, until apply_joint() takes them.
STAGE void half_turns(const tx_block *b) {
    const tx_model *m = b->m;
    hinge_four h = {.count = 0, .half = {0}};
    EACH_IN(b->live.joints, j) {
        if (m->jnt_type[j] != TX_JOINT_HINGE) continue;
        const int a = m->jnt_qposadr[j];
        h.half[h.count] = (AT(b->qpos, a) - PARAM(b, qpos0, a)) * R(0.5), h.joint[h.count++] = j;
        if (h.count == 4) turn_four(b, &h);
    }
    if (h.count > 0) turn_four(b, &h);
}
#endif

// one joint moves the body frame (pos, quat) that the parent and the joints before it have placed
FN void apply_joint(const tx_block *b, int j, real *pos, real *quat) {
    const tx_model *m = b->m;
    const real *jnt_pos = &PARAM(b, jnt_pos, 3 * j), *jnt_axis = &PARAM(b, jnt_axis, 3 * j);
    const real *q = &AT(b->qpos, m->jnt_qposadr[j]), *q0 = &PARAM(b, qpos0, m->jnt_qposadr[j]);
    real *anchor = &AT(b->xanchor, 3 * j), *axis = &AT(b->xaxis, 3 * j);

    // anchor and axis in the world, before the joint moves; mostly the anchor is the body's origin
    const bool has_offset = !b->shortcuts.joint_centred[j];
    mask offset = not_(lane_true());
    real arm[3];
#if TX_LANES == 1
    const num half_sine = anchor[0], half_cosine = anchor[1]; // of a hinge
#endif
    copy3(anchor, pos);
    if (has_offset) {
        offset = (jnt_pos[0] != R(0)) | (jnt_pos[1] != R(0)) | (jnt_pos[2] != R(0));
        quat_rotate(arm, quat, jnt_pos);
        for (int k = 0; k < 3; k++) anchor[k] = sel(offset, pos[k] + arm[k], pos[k]);
    }
    quat_rotate(axis, quat, jnt_axis);

    if (m->jnt_type[j] == TX_JOINT_SLIDE) {
        for (int k = 0; k < 3; k++) pos[k] = pos[k] + axis[k] * (q[0] - q0[0]);
        return;
    }
    // rotate, then move so that the anchor stays where it was
    real turn[4];
    if (m->jnt_type[j] == TX_JOINT_HINGE) {
#if TX_LANES == 1
        turn[0] = half_cosine;
        for (int k = 0; k < 3; k++) turn[1 + k] = jnt_axis[k] * half_sine;
#else
        quat_of_axis(turn, jnt_axis, q[0] - q0[0]);
#endif
    } else {
        for (int k = 0; k < 4; k++) turn[k] = q[k];
        quat_normalize(turn);
    }
    quat_mul(quat, quat, turn);
    if (!has_offset) return;
    quat_rotate(arm, quat, jnt_pos);
    for (int k = 0; k < 3; k++) pos[k] = sel(offset, anchor[k] - arm[k], pos[k]);
}

// a point fixed in a body
FN void place_point(const tx_block *b, int body, const real *pos, real *xpos) {
    mat_vec(xpos, &AT(b->xmat, 9 * body), pos);
    for (int k = 0; k < 3; k++) xpos[k] = xpos[k] + AT(b->xpos, 3 * body + k);
}
// a frame fixed in a body: world place and rotation matrix
FN void place(const tx_block *b, int body, const real *pos, const real *quat, real *xpos, real *xmat) {
    real q[4];
    place_point(b, body, pos, xpos);
    quat_mul(q, &AT(b->xquat, 4 * body), quat);
    quat_to_mat(xmat, q);
}

FN void body_matrices(const tx_block *b, int i) {
    quat_to_mat(&AT(b->xmat, 9 * i), &AT(b->xquat, 4 * i));
    place(b, i, &PARAM(b, body_ipos, 3 * i), &PARAM(b, body_iquat, 4 * i), &AT(b->xipos, 3 * i), &AT(b->ximat, 9 * i));
}

FN void world_pose(const tx_block *b) {
    zero3(&AT(b->xpos, 0));
    for (int k = 0; k < 4; k++) AT(b->xquat, k) = splat(k == 0);
    body_matrices(b, 0);
    zero3(&AT(b->tree_com, 0));
    for (int k = 0; k < 10; k++) AT(b->cinert, k) = splat(0);
}

// orientation of a body before its joints turn it; where it has none of its own, that of the parent to the last bit
FN void start_orientation(const tx_block *b, int i, real *quat) {
    const real *parent = &AT(b->xquat, 4 * b->m->body_parent[i]), *own = &PARAM(b, body_quat, 4 * i);
    const uint8_t straight = b->shortcuts.body_straight[i];
    if (straight == TX_EVERYWHERE) {
        copy(quat, parent, 4);
        return;
    }
    quat_mul(quat, parent, own);
    if (straight == TX_NOWHERE) return;
    mask none = (own[0] == R(1)) & (own[1] == R(0)) & (own[2] == R(0)) & (own[3] == R(0));
    for (int k = 0; k < 4; k++) quat[k] = sel(none, parent[k], quat[k]);
}

STAGE void body_poses(const tx_block *b) {
    const tx_model *m = b->m;
#if TX_LANES == 1
    half_turns(b);
#endif
    EACH_IN(b->live.movers, i) {
        real *pos = &AT(b->xpos, 3 * i), *quat = &AT(b->xquat, 4 * i);
        int first = m->body_jntadr[i], parent = m->body_parent[i];
        if (m->body_mocap[i] >= 0) {
            copy3(pos, &AT(b->mocap_pos, 3 * m->body_mocap[i]));
            for (int k = 0; k < 4; k++) quat[k] = AT(b->mocap_quat, 4 * m->body_mocap[i] + k);
            quat_normalize(quat);
        } else if (m->body_jntnum[i] == 1 && m->jnt_type[first] == TX_JOINT_FREE) {
            // a free joint is the pose
            const real *q = &AT(b->qpos, m->jnt_qposadr[first]);
            copy3(pos, q);
            for (int k = 0; k < 4; k++) quat[k] = q[3 + k];
            quat_normalize(quat);
            copy3(&AT(b->xanchor, 3 * first), pos);
            copy3(&AT(b->xaxis, 3 * first), &PARAM(b, jnt_axis, 3 * first));
        } else {
            mat_vec(pos, &AT(b->xmat, 9 * parent), &PARAM(b, body_pos, 3 * i));
            for (int k = 0; k < 3; k++) pos[k] = pos[k] + AT(b->xpos, 3 * parent + k);
            start_orientation(b, i, quat);
            for (int j = first; j < first + m->body_jntnum[i]; j++) apply_joint(b, j, pos, quat);
        }
        // products of unit quaternions are unit to rounding: only the state's own are normalised
        body_matrices(b, i);
    }
}

FN void place_geom(const tx_block *b, int g) {
    const int body = b->m->geom_body[g];
    real *pos = &AT(b->geom_xpos, 3 * g), *mat = &AT(b->geom_xmat, 9 * g);
    if (b->shortcuts.geom_inertial[g]) {
        copy3(pos, &AT(b->xipos, 3 * body));
        copy(mat, &AT(b->ximat, 9 * body), 9);
    } else place(b, body, &PARAM(b, geom_pos, 3 * g), &PARAM(b, geom_quat, 4 * g), pos, mat);
}
FN void place_site(const tx_block *b, int s) {
    place(b, b->m->site_body[s], &PARAM(b, site_pos, 3 * s), &PARAM(b, site_quat, 4 * s), &AT(b->site_xpos, 3 * s),
          &AT(b->site_xmat, 9 * s));
}

FN void place_site_point(const tx_block *b, int s) {
    place_point(b, b->m->site_body[s], &PARAM(b, site_pos, 3 * s), &AT(b->site_xpos, 3 * s));
}

// all geoms: only pictures, queries and some sensors need them
STAGE void place_geoms(const tx_block *b) { EACH_IN(b->live.geoms, g) place_geom(b, g); }
STAGE void geom_poses(const tx_block *b) { by_parts(b, place_geoms); }

// those that contact detection looks at
STAGE void place_meeting_geoms(const tx_block *b) {
    EACH_IN(b->live.geoms, g)
    if (b->meets[g]) place_geom(b, g);
}
STAGE void meeting_geom_poses(const tx_block *b) { by_parts(b, place_meeting_geoms); }

// all sites: only sensors need them
STAGE void site_poses(const tx_block *b) {
    for (int s = 0; s < b->m->nsite; s++) place_site(b, s);
}

// those that tendons and actuators go through; paths lead from point to point
STAGE void path_poses(const tx_block *b) {
    const tx_model *m = b->m;
    for (int w = 0; w < m->nwrap; w++) {
        bool coordinate = tx_is_coordinate(m->wrap_type[w]) && m->wrap_type[w] != TX_PATH_CONSTANT;
        if (m->wrap_type[w] == TX_PATH_SITE) place_site_point(b, m->wrap_obj[w]);
        if (coordinate) place_site(b, m->wrap_obj[w]);
        if (m->wrap_type[w] == TX_PATH_GEOM) place_geom(b, m->wrap_obj[w]);
        if (m->wrap_side[w] < 0) continue;
        if (coordinate) place_site(b, m->wrap_side[w]);
        else place_site_point(b, m->wrap_side[w]);
    }
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_trn[i] == TX_TRANSMISSION_SITE || m->actuator_trn[i] == TX_TRANSMISSION_CRANK)
            place_site(b, m->actuator_trnid[i]);
        if (m->actuator_trnref[i] >= 0) place_site(b, m->actuator_trnref[i]);
    }
}

// centre of mass of each tree, stored at its root body; a massless tree keeps the root's own point
STAGE void tree_centres(const tx_block *b) {
    const tx_model *m = b->m;
    // masses stand where the composite inertia of the same body will
    real *com = ARRAY(b->tree_com), *mass = ARRAY(b->crb);
    EACH_IN(b->live.trees, i) {
        zero3(com + 3 * i);
        mass[10 * i] = splat(0);
    }
    EACH_IN(b->live.trees, i) {
        int root = m->body_root[i];
        real mi = PARAM(b, body_mass, i);
        mass[10 * root] = mass[10 * root] + mi;
        for (int k = 0; k < 3; k++) com[3 * root + k] = com[3 * root + k] + mi * AT(b->xipos, 3 * i + k);
    }
    EACH_IN(b->live.trees, i) {
        if (m->body_root[i] != i) continue;
        mask has = mass[10 * i] >= R(1e-15);
        real inv = R(1) / sel(has, mass[10 * i], splat(1));
        for (int k = 0; k < 3; k++) com[3 * i + k] = sel(has, com[3 * i + k] * inv, AT(b->xipos, 3 * i + k));
    }
}

// inertia of a body about the centre of mass of its tree, world axes
FN void spatial_inertia(const tx_block *b, int i, real *out) {
    const real *rot = &AT(b->ximat, 9 * i), *moment = &PARAM(b, body_inertia, 3 * i);
    real mass = PARAM(b, body_mass, i), c[3], t[9];
    for (int k = 0; k < 3; k++) c[k] = AT(b->xipos, 3 * i + k) - AT(b->tree_com, 3 * b->m->body_root[i] + k);
    // R diag(moment) Rᵀ
    for (int r = 0; r < 3; r++)
        for (int s = r; s < 3; s++)
            t[3 * r + s] = rot[3 * r] * moment[0] * rot[3 * s] + rot[3 * r + 1] * moment[1] * rot[3 * s + 1] +
                           rot[3 * r + 2] * moment[2] * rot[3 * s + 2];
    // parallel axes
    out[0] = t[0] + mass * (c[1] * c[1] + c[2] * c[2]);
    out[1] = t[4] + mass * (c[0] * c[0] + c[2] * c[2]);
    out[2] = t[8] + mass * (c[0] * c[0] + c[1] * c[1]);
    out[3] = t[1] - mass * c[0] * c[1];
    out[4] = t[2] - mass * c[0] * c[2];
    out[5] = t[5] - mass * c[1] * c[2];
    for (int k = 0; k < 3; k++) out[6 + k] = mass * c[k];
    out[9] = mass;
}

// what cannot move has no part in the dynamics
STAGE void body_inertias(const tx_block *b) {
    const tx_model *m = b->m;
    EACH_IN(b->live.movers, i) {
        real *out = &AT(b->cinert, 10 * i);
        if (m->body_lastdof[i] >= 0) spatial_inertia(b, i, out);
        else
            for (int k = 0; k < 10; k++) out[k] = splat(0);
    }
}

// a rotation about `axis` through `anchor`, seen at the centre of mass
FN void rotation_axis(real *s, const real *axis, const real *anchor, const real *com) {
    real arm[3];
    for (int k = 0; k < 3; k++) arm[k] = com[k] - anchor[k];
    copy3(s, axis);
    cross3(s + 3, axis, arm);
}

// motion axis of every dof
STAGE void motion_axes(const tx_block *b) {
    const tx_model *m = b->m;
    EACH_IN(b->live.joints, j) {
        int body = m->jnt_body[j];
        const real *com = &AT(b->tree_com, 3 * m->body_root[body]), *anchor = &AT(b->xanchor, 3 * j);
        const real *axis = &AT(b->xaxis, 3 * j), *mat = &AT(b->xmat, 9 * body);
        real *s = &AT(b->cdof, 6 * m->jnt_dofadr[j]);
        if (m->jnt_type[j] == TX_JOINT_FREE) {
            for (int r = 0; r < 3; r++, s += 6)
                for (int k = 0; k < 6; k++) s[k] = splat(k == 3 + r);
        }
        if (m->jnt_type[j] == TX_JOINT_FREE || m->jnt_type[j] == TX_JOINT_BALL) {
            // the three axes of the body
            for (int r = 0; r < 3; r++, s += 6) {
                real column[3] = {mat[r], mat[3 + r], mat[6 + r]};
                rotation_axis(s, column, anchor, com);
            }
        } else if (m->jnt_type[j] == TX_JOINT_SLIDE) {
            zero3(s);
            copy3(s + 3, axis);
        } else {
            rotation_axis(s, axis, anchor, com);
        }
    }
}

// velocity of a point of a body per velocity of a dof that moves it
FN void point_rate(const tx_block *b, int dof, const real *point, real *out) {
    const real *s = &AT(b->cdof, 6 * dof), *com = &AT(b->tree_com, 3 * b->m->body_root[b->m->dof_body[dof]]);
    real arm[3];
    for (int k = 0; k < 3; k++) arm[k] = point[k] - com[k];
    cross3(out, s, arm);
    for (int k = 0; k < 3; k++) out[k] = s[3 + k] + out[k];
}

STAGE void tree_kinematics(const tx_block *b) {
    body_poses(b);
    tree_centres(b);
    body_inertias(b);
    motion_axes(b);
}

STAGE void kinematics(const tx_block *b) {
    if (!b->still.placed) world_pose(b);
    if (in_flocks(b)) by_flocks(b, tree_kinematics);
    else by_parts(b, tree_kinematics);
}
