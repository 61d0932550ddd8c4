// tendon.inl - tendons: length, velocity, how the dofs move them, and the force of their springs and dampers.
// lanes: any
#pragma once
#include "dynamics/coordinate.inl"
#include "dynamics/polynomial.inl"
#include "dynamics/wrap.inl"

// place of a dof among the dofs of a tendon
FN int tendon_entry(const tx_model *m, int tendon, int dof) {
    int at = m->tendon_dofadr[tendon];
    while (m->tendon_dof[at] != dof) at++;
    return at;
}

FN bool tendon_of_joints(const tx_model *m, int tendon) { return m->wrap_type[m->tendon_adr[tendon]] == TX_PATH_JOINT; }

FN bool tendon_of_coordinates(const tx_model *m, int tendon) {
    return tx_is_coordinate(m->wrap_type[m->tendon_adr[tendon]]);
}

// length = sum of coef * joint position
FN real joints_length(const tx_block *b, int t, real *J) {
    const tx_model *m = b->m;
    real length = splat(0);
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        int joint = m->wrap_obj[w], e = tendon_entry(m, t, m->jnt_dofadr[joint]);
        real coef = PARAM(b, wrap_coef, w);
        length = length + coef * AT(b->qpos, m->jnt_qposadr[joint]);
        J[e] = J[e] + coef;
    }
    return length;
}

// adds a force at a point of a body to what acts on it from outside, as sensors need it
FN void push_body(const tx_block *b, int body, const real *point, const real *along, real force) {
    real arm[3], turn[3], *to = &AT(b->cfrc_ext, 6 * body);
    for (int k = 0; k < 3; k++) arm[k] = point[k] - AT(b->tree_com, 3 * b->m->body_root[body] + k);
    cross3(turn, arm, along);
    for (int k = 0; k < 3; k++) {
        to[k] = to[k] + force * turn[k];
        to[3 + k] = to[3 + k] + force * along[k];
    }
}

// what a walk along a path is for: the rates of the dofs, or what a tension does to the bodies
typedef struct path_use {
    real *J;
    real tension;
} path_use;

// the straight piece of tendon t from a point of one body to a point of another: returns its length, and adds how the
// dofs between the two change it, divided, to J where `on`. What moves both bodies does not change it. Without J the
// tension pushes the two bodies
FN real add_piece(const tx_block *b, int t, const int body[2], const real *from, const real *to, real divisor, mask on,
                  const path_use *use) {
    const tx_model *m = b->m;
    real along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = make_unit(along, 3);
    real weight = R(1) / divisor, *J = use->J;
    if (!J) {
        real force = sel(on, use->tension * weight, splat(0));
        push_body(b, body[0], from, along, -force);
        push_body(b, body[1], to, along, force);
        return length;
    }
    int dof[2] = {m->body_lastdof[body[0]], m->body_lastdof[body[1]]}, side = 0;
    // both the dofs between and those of the tendon are in order
    int e = m->tendon_dofadr[t] + m->tendon_dofnum[t] - 1;
    for (int d; (d = tx_next_between(m, dof, &side)) >= 0;) {
        real moved[3];
        while (m->tendon_dof[e] != d) e--;
        point_rate(b, d, side ? to : from, moved);
        real rate = dot3(along, moved) * weight;
        J[e] = sel(on, side ? J[e] + rate : J[e] - rate, J[e]);
    }
    return length;
}

// length of a path through sites, around geoms, with pulleys
FN real path_length(const tx_block *b, int t, const path_use *use) {
    const tx_model *m = b->m;
    const int last = m->tendon_adr[t] + m->tendon_num[t] - 1;
    real length = splat(0), divisor = splat(1);
    for (int w = m->tendon_adr[t]; w < last;) {
        if (m->wrap_type[w] == TX_PATH_PULLEY) divisor = PARAM(b, wrap_coef, w);
        if (m->wrap_type[w] == TX_PATH_PULLEY || m->wrap_type[w + 1] == TX_PATH_PULLEY) {
            w++;
            continue;
        }
        bool around = m->wrap_type[w + 1] == TX_PATH_GEOM;
        int site[2] = {m->wrap_obj[w], m->wrap_obj[w + 1 + around]};
        int body[2] = {m->site_body[site[0]], m->site_body[site[1]]};
        const real *from = &AT(b->site_xpos, 3 * site[0]), *to = &AT(b->site_xpos, 3 * site[1]);
        wrap bow = {.on = not_(lane_true()), .length = splat(0)};
        if (around) {
            int geom = m->wrap_obj[w + 1], side = m->wrap_side[w + 1];
            wrap_around(from, to, side < 0 ? NULL : &AT(b->site_xpos, 3 * side), &AT(b->geom_xpos, 3 * geom),
                        &AT(b->geom_xmat, 9 * geom), PARAM(b, geom_size, 3 * geom),
                        m->geom_type[geom] == TX_GEOM_SPHERE, &bow);
        }
        const mask straight = not_(bow.on);
        real piece = splat(0);
        if (any(straight)) piece = add_piece(b, t, body, from, to, divisor, straight, use);
        if (any(bow.on)) {
            int there[2] = {body[0], m->geom_body[m->wrap_obj[w + 1]]}, back[2] = {there[1], body[1]};
            real parts = add_piece(b, t, there, from, bow.first, divisor, bow.on, use) + bow.length;
            parts = parts + add_piece(b, t, back, bow.last, to, divisor, bow.on, use);
            piece = sel(bow.on, parts, piece);
        }
        length = length + piece / divisor;
        w += 1 + around;
    }
    return length;
}

STAGE void tendons(const tx_block *b) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon; t++) {
        int first = m->tendon_dofadr[t], last = first + m->tendon_dofnum[t];
        real velocity = splat(0), *J = ARRAY(b->tendon_J);
        for (int e = first; e < last; e++) J[e] = splat(0);
        path_use rates = {.J = J, .tension = splat(0)};
        if (tendon_of_joints(m, t)) AT(b->tendon_length, t) = joints_length(b, t, J);
        else if (tendon_of_coordinates(m, t)) AT(b->tendon_length, t) = coordinates_length(b, t, J);
        else AT(b->tendon_length, t) = path_length(b, t, &rates);
        for (int e = first; e < last; e++) velocity = velocity + J[e] * AT(b->qvel, m->tendon_dof[e]);
        AT(b->tendon_velocity, t) = velocity;
    }
}

// stretch of the spring beyond the range in which it rests
FN real tendon_stretch(const tx_block *b, int t) {
    const int yields = b->m->tendon_plastic[t];
    const real *rest = yields < 0 ? &PARAM(b, tendon_lengthspring, 2 * t) : &AT(b->plastic, yields);
    real length = AT(b->tendon_length, t);
    return length - clamp(length, rest[0], rest[1]);
}

// force of its spring and damper along the tendon; positive ones lengthen it
FN real passive_tension(const tx_block *b, int t) {
    real force = splat(0), x = tendon_stretch(b, t), v = AT(b->tendon_velocity, t);
    if (b->opt->spring)
        force = force - poly_factor(PARAM(b, tendon_stiffness, t), &PARAM(b, tendon_stiffnesspoly, 2 * t), x) * x;
    if (b->opt->damper)
        force = force - poly_factor(PARAM(b, tendon_damping, t), &PARAM(b, tendon_dampingpoly, 2 * t), vabs(v)) * v;
    return force;
}

STAGE void add_tendon_forces(const tx_block *b, real *force) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon; t++) {
        // one that pulls does not join what rests to what does not
        if (m->tendon_dofnum[t] > 0 && tx_dof_rests(b, m->tendon_dof[m->tendon_dofadr[t]])) continue;
        real pull = passive_tension(b, t);
        for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++)
            force[m->tendon_dof[e]] = force[m->tendon_dof[e]] + AT(b->tendon_J, e) * pull;
    }
}
