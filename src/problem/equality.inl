// equality.inl - rows of equalities: two points stay together, two frames, two joints, two tendons. docs/laws.md.
// lanes: any
#pragma once
#include "dynamics/kinematics.inl"

// a body's frame applied to a point
FN void body_point(const tx_block *b, int body, const real *local, real *out) {
    const real *mat = &AT(b->xmat, 9 * body);
    for (int k = 0; k < 3; k++) out[k] = AT(b->xpos, 3 * body + k) + dot3(mat + 3 * k, local);
}

// adds sign * how the dofs move a point of a body to three dense rows
FN void add_point_rows(const tx_block *b, int body, const real *point, num sign, real *J) {
    const tx_model *m = b->m;
    for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d]) {
        real moved[3];
        point_rate(b, d, point, moved);
        for (int k = 0; k < 3; k++) J[k * m->nv + d] = J[k * m->nv + d] + sign * moved[k];
    }
}

// the same for the rotation of a body
FN void add_turn_rows(const tx_block *b, int body, num sign, real *J) {
    const tx_model *m = b->m;
    for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d])
        for (int k = 0; k < 3; k++) J[k * m->nv + d] = J[k * m->nv + d] + sign * AT(b->cdof, 6 * d + k);
}

// adds sign * the acceleration that a point of a body has at zero acceleration of the dofs
FN void add_point_drift(const tx_block *b, int body, const real *point, num sign, real *drift) {
    const real *v = &AT(b->cvel, 6 * body), *a = &AT(b->cacc, 6 * body);
    real arm[3], speed[3], turn[3], swing[3];
    for (int k = 0; k < 3; k++) arm[k] = point[k] - AT(b->tree_com, 3 * b->m->body_root[body] + k);
    cross3(speed, v, arm);
    for (int k = 0; k < 3; k++) speed[k] = speed[k] + v[3 + k];
    cross3(turn, a, arm);
    cross3(swing, v, speed);
    // gravity is an acceleration of the world in cacc
    for (int k = 0; k < 3; k++) drift[k] = drift[k] + sign * ((a[3 + k] - AT(b->cacc, 3 + k)) + (turn[k] + swing[k]));
}

// data: the point in the first body, the point in the second
FN void connect_rows(const tx_block *b, int e, real *pos, real *drift, real *J) {
    const tx_model *m = b->m;
    const real *data = &PARAM(b, eq_data, 11 * e);
    int body1 = m->eq_obj1[e], body2 = m->eq_obj2[e];
    real p1[3], p2[3];
    body_point(b, body1, data, p1);
    body_point(b, body2, data + 3, p2);
    for (int k = 0; k < 3; k++) pos[k] = p1[k] - p2[k];
    add_point_rows(b, body1, p1, 1, J);
    add_point_rows(b, body2, p2, -1, J);
    add_point_drift(b, body1, p1, 1, drift);
    add_point_drift(b, body2, p2, -1, drift);
}

// data: the point in the second body, the same in the first, orientation of the second in the first, weight of rotation
FN void weld_rows(const tx_block *b, int e, real *pos, real *drift, real *J) {
    const tx_model *m = b->m;
    const real *data = &PARAM(b, eq_data, 11 * e);
    int nv = m->nv, body1 = m->eq_obj1[e], body2 = m->eq_obj2[e];
    real p1[3], p2[3], weight = data[10], wanted[4], difference[4];
    body_point(b, body1, data + 3, p1);
    body_point(b, body2, data, p2);
    for (int k = 0; k < 3; k++) pos[k] = p1[k] - p2[k];
    add_point_rows(b, body1, p1, 1, J);
    add_point_rows(b, body2, p2, -1, J);
    add_point_drift(b, body1, p1, 1, drift);
    add_point_drift(b, body2, p2, -1, drift);

    // the vector part of q2⁻¹ q1 r, half the angle between the two
    const real *q2 = &AT(b->xquat, 4 * body2);
    real back[4] = {q2[0], -q2[1], -q2[2], -q2[3]};
    quat_mul(wanted, &AT(b->xquat, 4 * body1), data + 6);
    quat_mul(difference, back, wanted);
    for (int k = 0; k < 3; k++) pos[3 + k] = weight * difference[1 + k];
    add_turn_rows(b, body1, 1, J + 3 * nv);
    add_turn_rows(b, body2, -1, J + 3 * nv);
    for (int d = 0; d < nv; d++) {
        real *turn = J + 3 * nv + d, w[4] = {splat(0), turn[0], turn[nv], turn[2 * nv]}, part[4], rate[4];
        quat_mul(part, back, w);
        quat_mul(rate, part, wanted);
        for (int k = 0; k < 3; k++) turn[k * nv] = R(0.5) * weight * rate[1 + k];
    }
    // second derivative of that vector at zero acceleration of the dofs: with w = w1 - w2 and its drift,
    // ½ q2⁻¹ (drift + ½ (w w1 - w2 w)) q1 r
    const real *w1 = &AT(b->cvel, 6 * body1), *w2 = &AT(b->cvel, 6 * body2);
    const real *a1 = &AT(b->cacc, 6 * body1), *a2 = &AT(b->cacc, 6 * body2);
    real first[4] = {splat(0), w1[0], w1[1], w1[2]}, second[4] = {splat(0), w2[0], w2[1], w2[2]}, between[4], x[4],
         y[4];
    for (int k = 0; k < 4; k++) between[k] = first[k] - second[k];
    quat_mul(x, between, first);
    quat_mul(y, second, between);
    for (int k = 0; k < 4; k++) x[k] = R(0.5) * (x[k] - y[k]);
    for (int k = 0; k < 3; k++) x[1 + k] = x[1 + k] + (a1[k] - a2[k]);
    quat_mul(y, back, x);
    quat_mul(x, y, wanted);
    for (int k = 0; k < 3; k++) drift[3 + k] = R(0.5) * weight * x[1 + k];
}

// value1 - value1(0) = p(value2 - value2(0)), p a polynomial of the data; slope is dp
FN real polynomial(const real *c, real x, real *slope) {
    *slope = c[1] + x * (R(2) * c[2] + x * (R(3) * c[3] + x * R(4) * c[4]));
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

FN void joint_row(const tx_block *b, int e, real *pos, real *J) {
    const tx_model *m = b->m;
    int j1 = m->eq_obj1[e], j2 = m->eq_obj2[e], a1 = m->jnt_qposadr[j1];
    const real *data = &PARAM(b, eq_data, 11 * e);
    real slope, x = splat(0);
    if (j2 >= 0) x = AT(b->qpos, m->jnt_qposadr[j2]) - PARAM(b, qpos0, m->jnt_qposadr[j2]);
    pos[0] = (AT(b->qpos, a1) - PARAM(b, qpos0, a1)) - polynomial(data, x, &slope);
    J[m->jnt_dofadr[j1]] = splat(1);
    if (j2 >= 0) J[m->jnt_dofadr[j2]] = -slope;
}

FN void tendon_row(const tx_block *b, int e, real *pos, real *J) {
    const tx_model *m = b->m;
    int t1 = m->eq_obj1[e], t2 = m->eq_obj2[e];
    const real *data = &PARAM(b, eq_data, 11 * e);
    real slope, x = splat(0);
    if (t2 >= 0) x = AT(b->tendon_length, t2) - PARAM(b, tendon_length0, t2);
    pos[0] = (AT(b->tendon_length, t1) - PARAM(b, tendon_length0, t1)) - polynomial(data, x, &slope);
    for (int k = m->tendon_dofadr[t1]; k < m->tendon_dofadr[t1] + m->tendon_dofnum[t1]; k++)
        J[m->tendon_dof[k]] = AT(b->tendon_J, k);
    for (int k = t2 < 0 ? 0 : m->tendon_dofadr[t2]; t2 >= 0 && k < m->tendon_dofadr[t2] + m->tendon_dofnum[t2]; k++)
        J[m->tendon_dof[k]] = J[m->tendon_dof[k]] - slope * AT(b->tendon_J, k);
}

// equalities that act in some environment; where one does not act the law is zero
STAGE void equality_rows(tx_block *b) {
    const tx_model *m = b->m;
    for (int e = 0; e < m->neq && b->opt->equality && b->opt->constraint; e++) {
        if (!any(AT(b->eq_active, e) != R(0))) continue;
        int type = m->eq_type[e];
        tx_constraint c = {TX_EQUALITY, e, type == TX_WELD ? 6 : type == TX_CONNECT ? 3 : 1, b->nrows};
        real *J = &AT(b->J, c.row * m->nv), *pos = &AT(b->eq_pos, 6 * e);
        real *drift = &AT(b->eq_drift, 6 * e);
        for (int k = 0; k < c.dim * m->nv; k++) J[k] = splat(0);
        for (int k = 0; k < 6; k++) drift[k] = splat(0);
        if (type == TX_CONNECT) connect_rows(b, e, pos, drift, J);
        else if (type == TX_WELD) weld_rows(b, e, pos, drift, J);
        else if (type == TX_SAME_JOINT) joint_row(b, e, pos, J);
        else tendon_row(b, e, pos, J);
        b->cons[b->ncons++] = c;
        b->nrows += c.dim;
    }
}

// inverse weight of row k
FN real equality_weight(const tx_block *b, int e, int k) {
    const tx_model *m = b->m;
    int o1 = m->eq_obj1[e], o2 = m->eq_obj2[e], turn = k >= 3;
    switch (m->eq_type[e]) {
    case TX_SAME_JOINT: {
        real weight = PARAM(b, dof_invweight0, m->jnt_dofadr[o1]);
        return o2 >= 0 ? weight + PARAM(b, dof_invweight0, m->jnt_dofadr[o2]) : weight;
    }
    case TX_SAME_TENDON: {
        real weight = PARAM(b, tendon_invweight0, o1);
        return o2 >= 0 ? weight + PARAM(b, tendon_invweight0, o2) : weight;
    }
    default: return PARAM(b, body_invweight0, 2 * o1 + turn) + PARAM(b, body_invweight0, 2 * o2 + turn);
    }
}
