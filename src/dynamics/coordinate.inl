// coordinate.inl - where one site is relative to another: angle, displacement, rotation vector, and how the dofs change
// them. What a joint is in a tree, a tendon of such coordinates is between free bodies. docs/coordinates.md. lanes: any
#pragma once
#include "dynamics/kinematics.inl"

// a coordinate, and what it moves along: its rate is `along` times the relative angular velocity, or times the velocity
// of the one site less that of the other's body at the same place
typedef struct coordinate {
    real value, along[3];
    bool turns;
} coordinate;

// the angle of the x axis of `of` in the plane of the x and y axes of `to`: with s = y·x', c = x·x' it is atan2(s, c),
// and its rate (w' - w)·(x' × (c y - s x)) / (s² + c²)
FN void hinge_coordinate(const real *of, const real *to, coordinate *q) {
    real s = splat(0), c = splat(0), own[3], across[3];
    for (int k = 0; k < 3; k++) {
        own[k] = of[3 * k];
        c = c + to[3 * k] * own[k];
        s = s + to[3 * k + 1] * own[k];
    }
    real square = s * s + c * c, inverse = R(1) / vmax(square, splat(R(1e-30)));
    for (int k = 0; k < 3; k++) across[k] = (c * to[3 * k + 1] - s * to[3 * k]) * inverse;
    cross3(q->along, own, across);
    q->value = lane_atan2(s, c);
}

// a component of the rotation vector, and the own axis that it is about; or its length, and the axis of rotation
FN void ball_coordinate(const tx_block *b, int site, int other, int kind, coordinate *q) {
    const tx_model *m = b->m;
    real of[4], to[4], turn[3];
    quat_mul(of, &AT(b->xquat, 4 * m->site_body[site]), &PARAM(b, site_quat, 4 * site));
    quat_mul(to, &AT(b->xquat, 4 * m->site_body[other]), &PARAM(b, site_quat, 4 * other));
    quat_difference(turn, of, to);
    const real *axes = &AT(b->site_xmat, 9 * site);
    if (kind != TX_PATH_SWING) {
        q->value = turn[kind - TX_PATH_BALL_X];
        for (int k = 0; k < 3; k++) q->along[k] = axes[3 * k + kind - TX_PATH_BALL_X];
        return;
    }
    q->value = vsqrt(dot3(turn, turn));
    real inverse = R(1) / vmax(q->value, splat(R(1e-15)));
    mat_vec(q->along, axes, turn);
    for (int k = 0; k < 3; k++) q->along[k] = q->along[k] * inverse;
}

// element w of a path: the coordinate of its site relative to the site at its side
FN coordinate coordinate_of(const tx_block *b, int w) {
    const tx_model *m = b->m;
    const int kind = m->wrap_type[w], site = m->wrap_obj[w], other = m->wrap_side[w];
    coordinate q = {.turns = kind != TX_PATH_SLIDE};
    if (kind == TX_PATH_HINGE) hinge_coordinate(&AT(b->site_xmat, 9 * site), &AT(b->site_xmat, 9 * other), &q);
    else if (kind != TX_PATH_SLIDE) ball_coordinate(b, site, other, kind, &q);
    else {
        q.value = splat(0);
        for (int k = 0; k < 3; k++) {
            q.along[k] = AT(b->site_xmat, 9 * other + 3 * k + 2);
            q.value = q.value + q.along[k] * (AT(b->site_xpos, 3 * site + k) - AT(b->site_xpos, 3 * other + k));
        }
    }
    return q;
}

// length of a tendon of coordinates; adds the rates of its dofs to J
FN real coordinates_length(const tx_block *b, int t, real *J) {
    const tx_model *m = b->m;
    real length = splat(0);
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        const real coef = PARAM(b, wrap_coef, w);
        if (m->wrap_type[w] == TX_PATH_CONSTANT) {
            length = length + coef;
            continue;
        }
        const int site = m->wrap_obj[w], other = m->wrap_side[w];
        coordinate q = coordinate_of(b, w);
        length = length + coef * q.value;
        int dof[2] = {m->body_lastdof[m->site_body[other]], m->body_lastdof[m->site_body[site]]}, side = 0;
        int e = m->tendon_dofadr[t] + m->tendon_dofnum[t] - 1;
        for (int d; (d = tx_next_between(m, dof, &side)) >= 0;) {
            real moved[3];
            while (m->tendon_dof[e] != d) e--;
            if (q.turns) copy3(moved, &AT(b->cdof, 6 * d));
            else point_rate(b, d, &AT(b->site_xpos, 3 * site), moved);
            real rate = coef * dot3(q.along, moved);
            J[e] = side ? J[e] + rate : J[e] - rate;
        }
    }
    return length;
}

// adds what a tension does to the two bodies of each coordinate to what acts on them from outside
FN void push_coordinates(const tx_block *b, int t, real tension) {
    const tx_model *m = b->m;
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        if (m->wrap_type[w] == TX_PATH_CONSTANT) continue;
        const int site = m->wrap_obj[w], body[2] = {m->site_body[m->wrap_side[w]], m->site_body[site]};
        coordinate q = coordinate_of(b, w);
        for (int s = 0; s < 2; s++) {
            const real force = (s ? R(1) : R(-1)) * PARAM(b, wrap_coef, w) * tension;
            real arm[3], turn[3], *to = &AT(b->cfrc_ext, 6 * body[s]);
            for (int k = 0; k < 3; k++)
                arm[k] = AT(b->site_xpos, 3 * site + k) - AT(b->tree_com, 3 * m->body_root[body[s]] + k);
            if (q.turns) copy3(turn, q.along);
            else cross3(turn, arm, q.along);
            for (int k = 0; k < 3; k++) {
                to[k] = to[k] + force * turn[k];
                if (!q.turns) to[3 + k] = to[3 + k] + force * q.along[k];
            }
        }
    }
}
