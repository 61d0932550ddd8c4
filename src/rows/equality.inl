// equality.inl - rows of equalities: two points stay together, two frames, two joints, two tendons. docs/laws.md;
// hinges and slides between bodies: docs/coordinates.md.
// lanes: any
#pragma once
#include "rows/make.inl"
#include "rows/rows.h"

// a body's frame applied to a point
FN void body_point(const tx_block *b, int body, const real *local, real *out) {
    const real *mat = &AT(b->xmat, 9 * body);
    for (int k = 0; k < 3; k++) out[k] = AT(b->xpos, 3 * body + k) + dot3(mat + 3 * k, local);
}

// the rows of one equality while they are made: numbers of J by dof
typedef struct eq_rows {
    const tx_block *b;
    tx_constraint *c;
    row_record *row;
} eq_rows;

// where row 0 of J has its number of a dof, and how far it is to the next row
FN real *entry_of(const eq_rows *q, int dof, int *stride) {
    const tx_problem *p = &q->b->problem;
    const tx_piece *e = &p->pieces[q->c->piece];
    while (dof >= e->dof + e->width) e++;
    *stride = e->width;
    return &AT(p->J, e->at + dof - e->dof);
}

// adds sign * how the dofs move a point of a body to rows 0-2
FN void add_point_rows(const eq_rows *q, int body, const real *point, num sign) {
    const tx_model *m = q->b->m;
    for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d]) {
        real moved[3];
        int stride;
        real *J = entry_of(q, d, &stride);
        point_rate(q->b, d, point, moved);
        for (int k = 0; k < 3; k++) J[k * stride] = J[k * stride] + sign * moved[k];
    }
}

// the same for the rotation of a body and three rows from `row` on
FN void add_turn_rows(const eq_rows *q, int body, int row, num sign) {
    const tx_model *m = q->b->m;
    for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d]) {
        int stride;
        real *J = entry_of(q, d, &stride);
        for (int k = 0; k < 3; k++) J[(row + k) * stride] = J[(row + k) * stride] + sign * AT(q->b->cdof, 6 * d + k);
    }
}

// adds sign * a direction times how the dofs turn a body, and move a point of it where there is one, to a row
FN void add_row_along(const eq_rows *q, int row, int body, const real *point, const real *along, num sign) {
    const tx_model *m = q->b->m;
    for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d]) {
        real moved[3];
        int stride;
        real *J = entry_of(q, d, &stride);
        if (point) point_rate(q->b, d, point, moved);
        else copy3(moved, &AT(q->b->cdof, 6 * d));
        J[row * stride] = J[row * stride] + sign * dot3(along, moved);
    }
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

// a point of the first body and one of the second coincide: rows 0-2
FN void add_together(const eq_rows *q, int body1, const real *local1, int body2, const real *local2) {
    const tx_block *b = q->b;
    real p1[3], p2[3];
    body_point(b, body1, local1, p1);
    body_point(b, body2, local2, p2);
    for (int k = 0; k < 3; k++) q->row->pos[k] = p1[k] - p2[k];
    add_point_rows(q, body1, p1, 1);
    add_point_rows(q, body2, p2, -1);
    add_point_drift(b, body1, p1, 1, q->row->drift);
    add_point_drift(b, body2, p2, -1, q->row->drift);
}

// data: the point in the first body, the point in the second
FN void connect_rows(const eq_rows *q, int e) {
    const tx_model *m = q->b->m;
    const real *data = &PARAM(q->b, eq_data, 11 * e);
    add_together(q, m->eq_obj1[e], data, m->eq_obj2[e], data + 3);
}

// two orientations coincide, `wanted` of the first body and the one whose inverse is `back` of the second: three rows
// from `row` on, the vector part of back wanted, half the angle between the two
FN void add_turned_together(const eq_rows *q, int row, int body1, const real *wanted, int body2, const real *back,
                            real weight) {
    const tx_block *b = q->b;
    real difference[4], *pos = q->row->pos + row, *drift = q->row->drift + row;
    quat_mul(difference, back, wanted);
    for (int k = 0; k < 3; k++) pos[k] = weight * difference[1 + k];
    add_turn_rows(q, body1, row, 1);
    add_turn_rows(q, body2, row, -1);
    for (int k = q->c->piece; k < q->c->piece + q->c->pieces; k++) {
        const tx_piece *piece = &b->problem.pieces[k];
        const int n = piece->width;
        for (int i = 0; i < n; i++) {
            real *turn = &AT(b->problem.J, piece->at + row * n + i);
            real w[4] = {splat(0), turn[0], turn[n], turn[2 * n]}, part[4], rate[4];
            quat_mul(part, back, w);
            quat_mul(rate, part, wanted);
            for (int r = 0; r < 3; r++) turn[r * n] = R(0.5) * weight * rate[1 + r];
        }
    }
    // second derivative of that vector at zero acceleration of the dofs: with w = w1 - w2 and its drift,
    // ½ back (drift + ½ (w w1 - w2 w)) wanted
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
    for (int k = 0; k < 3; k++) drift[k] = R(0.5) * weight * x[1 + k];
}

// data: the point in the second body, the same in the first, orientation of the second in the first, weight of rotation
FN void weld_rows(const eq_rows *q, int e) {
    const tx_block *b = q->b;
    const tx_model *m = b->m;
    const real *data = &PARAM(b, eq_data, 11 * e);
    int body1 = m->eq_obj1[e], body2 = m->eq_obj2[e];
    add_together(q, body1, data + 3, body2, data);
    const real *q2 = &AT(b->xquat, 4 * body2);
    real back[4] = {q2[0], -q2[1], -q2[2], -q2[3]}, wanted[4];
    quat_mul(wanted, &AT(b->xquat, 4 * body1), data + 6);
    add_turned_together(q, 3, body1, wanted, body2, back, data[10]);
}

// column k of a site's axes
FN void site_axis(const tx_block *b, int site, int k, real *axis) {
    for (int i = 0; i < 3; i++) axis[i] = AT(b->site_xmat, 9 * site + 3 * i + k);
}

// two sites are in one place, rows 0-2, and the z axis of the second is orthogonal to x and y of the first, rows 3-4:
// x·z has the rate (w1 - w2)·(x × z)
FN void hinge_rows(const eq_rows *q, int e) {
    const tx_block *b = q->b;
    const tx_model *m = b->m;
    const int s1 = m->eq_obj1[e], s2 = m->eq_obj2[e], body1 = m->site_body[s1], body2 = m->site_body[s2];
    const real *w1 = &AT(b->cvel, 6 * body1), *w2 = &AT(b->cvel, 6 * body2);
    const real *a1 = &AT(b->cacc, 6 * body1), *a2 = &AT(b->cacc, 6 * body2);
    real z[3], z_rate[3];
    place_site(b, s1), place_site(b, s2);
    add_together(q, body1, &PARAM(b, site_pos, 3 * s1), body2, &PARAM(b, site_pos, 3 * s2));
    site_axis(b, s2, 2, z);
    cross3(z_rate, w2, z);
    for (int k = 0; k < 2; k++) {
        real x[3], about[3], x_rate[3], first[3], second[3];
        site_axis(b, s1, k, x);
        cross3(about, x, z);
        q->row->pos[3 + k] = dot3(x, z);
        add_row_along(q, 3 + k, body1, NULL, about, 1);
        add_row_along(q, 3 + k, body2, NULL, about, -1);
        cross3(x_rate, w1, x);
        cross3(first, x_rate, z);
        cross3(second, x, z_rate);
        real drift = splat(0);
        for (int i = 0; i < 3; i++)
            drift = drift + ((a1[i] - a2[i]) * about[i] + (w1[i] - w2[i]) * (first[i] + second[i]));
        q->row->drift[3 + k] = drift;
    }
}

// two sites have the same axes, rows 0-2, and the second is on the z axis of the first, rows 3-4: x·(p1 - p2) has the
// rate x·(v1 - v2), both velocities at the second place; what moves in the turning frame of the first has Coriolis'
// acceleration
FN void slide_rows(const eq_rows *q, int e) {
    const tx_block *b = q->b;
    const tx_model *m = b->m;
    const int s1 = m->eq_obj1[e], s2 = m->eq_obj2[e], body1 = m->site_body[s1], body2 = m->site_body[s2];
    place_site(b, s1), place_site(b, s2);
    const real *p1 = &AT(b->site_xpos, 3 * s1), *p2 = &AT(b->site_xpos, 3 * s2);
    real wanted[4], back[4], between[3], drift[3], speed[3], coriolis[3];
    quat_mul(wanted, &AT(b->xquat, 4 * body1), &PARAM(b, site_quat, 4 * s1));
    quat_mul(back, &AT(b->xquat, 4 * body2), &PARAM(b, site_quat, 4 * s2));
    for (int k = 1; k < 4; k++) back[k] = -back[k];
    add_turned_together(q, 0, body1, wanted, body2, back, splat(1));

    zero3(drift), zero3(speed);
    add_point_drift(b, body1, p2, 1, drift);
    add_point_drift(b, body2, p2, -1, drift);
    for (int s = 0; s < 2; s++) {
        const real *v = &AT(b->cvel, 6 * (s ? body2 : body1));
        real arm[3], turn[3];
        for (int k = 0; k < 3; k++) arm[k] = p2[k] - AT(b->tree_com, 3 * m->body_root[s ? body2 : body1] + k);
        cross3(turn, v, arm);
        for (int k = 0; k < 3; k++) speed[k] = s ? speed[k] + (v[3 + k] + turn[k]) : speed[k] - (v[3 + k] + turn[k]);
    }
    cross3(coriolis, &AT(b->cvel, 6 * body1), speed);
    for (int k = 0; k < 3; k++) {
        between[k] = p1[k] - p2[k];
        drift[k] = drift[k] + R(2) * coriolis[k];
    }
    for (int k = 0; k < 2; k++) {
        real x[3];
        site_axis(b, s1, k, x);
        q->row->pos[3 + k] = dot3(x, between);
        q->row->drift[3 + k] = dot3(x, drift);
        add_row_along(q, 3 + k, body1, p2, x, 1);
        add_row_along(q, 3 + k, body2, p2, x, -1);
    }
}

// value1 - value1(0) = p(value2 - value2(0)), p a polynomial of the data; slope is dp
FN real polynomial(const real *c, real x, real *slope) {
    *slope = c[1] + x * (R(2) * c[2] + x * (R(3) * c[3] + x * R(4) * c[4]));
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

FN void joint_row(const eq_rows *q, int e) {
    const tx_block *b = q->b;
    const tx_model *m = b->m;
    int j1 = m->eq_obj1[e], j2 = m->eq_obj2[e], a1 = m->jnt_qposadr[j1], stride;
    const real *data = &PARAM(b, eq_data, 11 * e);
    real slope, x = splat(0);
    if (j2 >= 0) x = AT(b->qpos, m->jnt_qposadr[j2]) - PARAM(b, qpos0, m->jnt_qposadr[j2]);
    q->row->pos[0] = (AT(b->qpos, a1) - PARAM(b, qpos0, a1)) - polynomial(data, x, &slope);
    *entry_of(q, m->jnt_dofadr[j1], &stride) = splat(1);
    if (j2 >= 0) *entry_of(q, m->jnt_dofadr[j2], &stride) = -slope;
}

// adds factor * a tendon's Jacobian
FN void add_tendon_row(const eq_rows *q, int tendon, real factor) {
    const tx_model *m = q->b->m;
    for (int k = m->tendon_dofadr[tendon]; k < m->tendon_dofadr[tendon] + m->tendon_dofnum[tendon]; k++) {
        int stride;
        real *J = entry_of(q, m->tendon_dof[k], &stride);
        *J = *J + factor * AT(q->b->tendon_J, k);
    }
}

FN void tendon_row(const eq_rows *q, int e) {
    const tx_block *b = q->b;
    int t1 = b->m->eq_obj1[e], t2 = b->m->eq_obj2[e];
    const real *data = &PARAM(b, eq_data, 11 * e);
    real slope, x = splat(0);
    if (t2 >= 0) x = AT(b->tendon_length, t2) - PARAM(b, tendon_length0, t2);
    q->row->pos[0] = (AT(b->tendon_length, t1) - PARAM(b, tendon_length0, t1)) - polynomial(data, x, &slope);
    add_tendon_row(q, t1, splat(1));
    if (t2 >= 0) add_tendon_row(q, t2, -slope);
}

// inverse weight of rows 0-2, or of those behind them
FN real equality_weight(const tx_block *b, int e, int part) {
    const tx_model *m = b->m;
    int o1 = m->eq_obj1[e], o2 = m->eq_obj2[e], turn = m->eq_type[e] == TX_EQUALITY_SLIDE ? !part : part, body[2] = {0};
    switch (m->eq_type[e]) {
    case TX_EQUALITY_JOINT: {
        real weight = PARAM(b, dof_invweight0, m->jnt_dofadr[o1]);
        return o2 >= 0 ? weight + PARAM(b, dof_invweight0, m->jnt_dofadr[o2]) : weight;
    }
    case TX_EQUALITY_TENDON: {
        real weight = PARAM(b, tendon_invweight0, o1);
        return o2 >= 0 ? weight + PARAM(b, tendon_invweight0, o2) : weight;
    }
    default:
        tx_equality_bodies(m, e, body);
        return PARAM(b, body_invweight0, 2 * body[0] + turn) + PARAM(b, body_invweight0, 2 * body[1] + turn);
    }
}

// appends a piece for every run of dofs of a set, ascending
FN void add_dof_pieces(tx_problem *p, tx_constraint *c, const int *first, int nfirst, const int *second, int nsecond) {
    for (int last = -1;;) {
        int next = p->nv;
        for (int k = 0; k < nfirst; k++) next = first[k] > last && first[k] < next ? first[k] : next;
        for (int k = 0; k < nsecond; k++) next = second[k] > last && second[k] < next ? second[k] : next;
        if (next == p->nv) return;
        add_dofs(p, c, next, 1);
        last = next;
    }
}

// which dofs an equality moves
FN void equality_pieces(tx_block *b, tx_constraint *c, int e) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    const int o1 = m->eq_obj1[e], o2 = m->eq_obj2[e];
    int body[2];
    if (tx_equality_bodies(m, e, body)) {
        int count = tx_side_pieces(m, p, body, true, p->pieces + c->piece, b->piece_side);
        for (int k = 0; k < count; k++) place_piece(p, c, &p->pieces[c->piece + k]);
    } else if (m->eq_type[e] == TX_EQUALITY_JOINT)
        add_dof_pieces(p, c, &m->jnt_dofadr[o1], 1, o2 < 0 ? NULL : &m->jnt_dofadr[o2], o2 >= 0);
    else
        add_dof_pieces(p, c, m->tendon_dof + m->tendon_dofadr[o1], m->tendon_dofnum[o1],
                       o2 < 0 ? NULL : m->tendon_dof + m->tendon_dofadr[o2], o2 < 0 ? 0 : m->tendon_dofnum[o2]);
}

// equalities that act in some environment; where one does not act the law is zero
STAGE void equality_rows(tx_block *b) {
    const tx_model *m = b->m;
    tx_problem *p = &b->problem;
    for (int e = 0; e < m->neq && b->opt->equality; e++) {
        if (!any(AT(b->eq_active, e) != R(0)) || tx_equality_sleeps(b, e)) continue;
        const int type = m->eq_type[e];
        tx_constraint *c = begin_constraint(p, KERNEL_quadratic, tx_equality_rows[type], TX_ROW_EQUALITY, e);
        const int first = p->njacobian;
        equality_pieces(b, c, e);
        for (int k = first; k < p->njacobian; k++) AT(p->J, k) = splat(0);
        row_record row;
        begin_record(&row, c, AT(b->eq_active, e) != R(0), &PARAM(b, eq_solref, 2 * e), &PARAM(b, eq_solimp, 5 * e));
        eq_rows q = {b, c, &row};
        if (type == TX_EQUALITY_CONNECT) connect_rows(&q, e);
        else if (type == TX_EQUALITY_WELD) weld_rows(&q, e);
        else if (type == TX_EQUALITY_HINGE) hinge_rows(&q, e);
        else if (type == TX_EQUALITY_SLIDE) slide_rows(&q, e);
        else if (type == TX_EQUALITY_JOINT) joint_row(&q, e);
        else tendon_row(&q, e);
        real square = splat(0);
        for (int k = 0; k < c->dim; k++) {
            square = square + row.pos[k] * row.pos[k];
            AT(b->row_gap, c->row + k) = row.pos[k];
        }
        row.size = vsqrt(square);
        AT(b->row_margin, p->ncons - 1) = splat(0);
        for (int part = 0; part < 2; part++) row.weight[part] = equality_weight(b, e, part);
        end_constraint(b, c, &row);
    }
}
