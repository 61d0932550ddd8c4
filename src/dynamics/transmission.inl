// transmission.inl - what actuators act through: its length, and how the dofs change it. docs/tendons.md. lanes: any
#pragma once
#include "dynamics/tendon.inl"
#include "lane/trig.h"
#include "model/actuator.h"

// a torque about three axes of a ball joint, or the force and torque of a free one: its rows of the moment, its length
FN real turning_transmission(const tx_block *b, int i, real *moment) {
    const tx_model *m = b->m;
    int joint = m->actuator_trnid[i], free = m->jnt_type[joint] == TX_JOINT_FREE, a = m->jnt_qposadr[joint] + 3 * free;
    const real *gear = &PARAM(b, actuator_gear, 6 * i);
    real q[4], axis[3], torque[3];
    for (int k = 0; k < 4; k++) q[k] = AT(b->qpos, a + k);
    quat_normalize(q);
    for (int k = 0; k < 3; k++) torque[k] = gear[3 * free + k];
    if (m->actuator_trn[i] == TX_TRANSMISSION_JOINTINPARENT) {
        real back[4] = {q[0], -q[1], -q[2], -q[3]};
        quat_rotate(torque, back, &gear[3 * free]);
    }
    for (int k = 0; k < 3; k++) moment[3 * free + k] = torque[k];
    if (free) {
        for (int k = 0; k < 3; k++) moment[k] = gear[k];
        return splat(0);
    }
    quat_to_axis(axis, q);
    return dot3(axis, torque);
}

// force and torque in the frame of a site, at its origin; against a reference site they are in that one's frame, and
// the length is the pose of the site in it
FN real site_transmission(const tx_block *b, int i, real *moment) {
    const tx_model *m = b->m;
    int site = m->actuator_trnid[i], ref = m->actuator_trnref[i], frame = ref < 0 ? site : ref;
    const real *gear = &PARAM(b, actuator_gear, 6 * i), *mat = &AT(b->site_xmat, 9 * frame);
    const real *point[2] = {&AT(b->site_xpos, 3 * frame), &AT(b->site_xpos, 3 * site)};
    real force[3], torque[3];
    mat_vec(force, mat, gear);
    mat_vec(torque, mat, gear + 3);
    int dof[2] = {ref < 0 ? -1 : m->body_lastdof[m->site_body[ref]], m->body_lastdof[m->site_body[site]]}, side = 0;
    for (int d, e = m->actuator_dofnum[i] - 1; (d = tx_next_between(m, dof, &side)) >= 0; e--) {
        real moved[3];
        point_rate(b, d, point[side], moved);
        moment[e] = dot3(force, moved) + dot3(torque, &AT(b->cdof, 6 * d));
        if (side == 0) moment[e] = -moment[e];
    }
    if (ref < 0) return splat(0);
    real offset[3], quat[2][4], turn[3];
    into_frame(offset, point[0], mat, point[1]);
    for (int s = 0; s < 2; s++) {
        int at = s == 0 ? ref : site;
        quat_mul(quat[s], &AT(b->xquat, 4 * m->site_body[at]), &PARAM(b, site_quat, 4 * at));
    }
    quat_difference(turn, quat[1], quat[0]);
    return dot3(offset, gear) + dot3(turn, gear + 3);
}

// orientation of a ball joint, or of a site in the frame of another; b->moment gets the three rows of what turns it
// about the axes of the joint's body or of the site, and the lengths are its rotation vector
FN void turn_transmission(const tx_block *b, int i) {
    const tx_model *m = b->m;
    const int id = m->actuator_trnid[i], ref = m->actuator_trnref[i], count = m->actuator_dofnum[i];
    real q[4], turn[3];
    for (int k = 0; k < 3 * count; k++) AT(b->moment, m->actuator_dofadr[i] + k) = splat(0);
    if (ref < 0) {
        for (int k = 0; k < 4; k++) q[k] = AT(b->qpos, m->jnt_qposadr[id] + k);
        quat_normalize(q);
        quat_to_axis(turn, q);
        for (int k = 0; k < 3; k++) AT(b->moment, m->actuator_dofadr[i + k] + k) = splat(1);
    } else {
        const real *mat = &AT(b->site_xmat, 9 * id);
        real back[4];
        quat_mul(q, &AT(b->xquat, 4 * m->site_body[id]), &PARAM(b, site_quat, 4 * id));
        quat_mul(back, &AT(b->xquat, 4 * m->site_body[ref]), &PARAM(b, site_quat, 4 * ref));
        quat_difference(turn, q, back);
        int dof[2] = {m->body_lastdof[m->site_body[ref]], m->body_lastdof[m->site_body[id]]}, side = 0;
        for (int d, e = count - 1; (d = tx_next_between(m, dof, &side)) >= 0; e--) {
            const real *axis = &AT(b->cdof, 6 * d);
            for (int k = 0; k < 3; k++) {
                real along = mat[k] * axis[0] + mat[3 + k] * axis[1] + mat[6 + k] * axis[2];
                AT(b->moment, m->actuator_dofadr[i + k] + e) = side == 0 ? -along : along;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        real velocity = splat(0);
        for (int e = m->actuator_dofadr[i + k]; e < m->actuator_dofadr[i + k] + count; e++)
            velocity = velocity + AT(b->moment, e) * AT(b->qvel, m->moment_dof[e]);
        AT(b->actuator_length, i + k) = turn[k];
        AT(b->actuator_velocity, i + k) = velocity;
    }
}

// a rod from a pin to a slider on the z axis a of a site: with v from that site to the pin, the slider is at
// a·v - sqrt((a·v)² + rod² - v·v), or at a·v where the rod is too short
FN real crank_transmission(const tx_block *b, int i, real *moment) {
    const tx_model *m = b->m;
    int pin = m->actuator_trnid[i], slider = m->actuator_trnref[i];
    const real *mat = &AT(b->site_xmat, 9 * slider);
    const real *point[2] = {&AT(b->site_xpos, 3 * slider), &AT(b->site_xpos, 3 * pin)};
    real gear = PARAM(b, actuator_gear, 6 * i), rod = PARAM(b, actuator_cranklength, i);
    real a[3] = {mat[2], mat[5], mat[8]}, v[3], by_v[3], by_a[3];
    for (int k = 0; k < 3; k++) v[k] = point[1][k] - point[0][k];
    real av = dot3(a, v), square = av * av + rod * rod - dot3(v, v);
    mask reaches = square > R(0);
    real root = vsqrt(sel(reaches, square, splat(1)));
    real part = sel(reaches, R(1) - av / root, splat(1)), pull = sel(reaches, R(1) / root, splat(0));
    for (int k = 0; k < 3; k++) {
        by_v[k] = a[k] * part + v[k] * pull;
        by_a[k] = v[k] * part;
    }
    int dof[2] = {m->body_lastdof[m->site_body[slider]], m->body_lastdof[m->site_body[pin]]}, side = 0;
    for (int d, e = m->actuator_dofnum[i] - 1; (d = tx_next_between(m, dof, &side)) >= 0; e--) {
        real moved[3], turned[3];
        point_rate(b, d, point[side], moved);
        cross3(turned, &AT(b->cdof, 6 * d), a);
        moment[e] = gear * (side == 0 ? dot3(by_a, turned) - dot3(by_v, moved) : dot3(by_v, moved));
    }
    return gear * sel(reaches, av - root, av);
}

// on a hinge or slide
FN real scalar_transmission(const tx_block *b, int i, real *moment) {
    moment[0] = PARAM(b, actuator_gear, 6 * i);
    return moment[0] * AT(b->qpos, b->m->jnt_qposadr[b->m->actuator_trnid[i]]);
}

FN real joint_transmission(const tx_block *b, int i, real *moment) {
    const int type = b->m->jnt_type[b->m->actuator_trnid[i]];
    if (type != TX_JOINT_HINGE && type != TX_JOINT_SLIDE) return turning_transmission(b, i, moment);
    return scalar_transmission(b, i, moment);
}

FN real tendon_transmission(const tx_block *b, int i, real *moment) {
    const tx_model *m = b->m;
    int tendon = m->actuator_trnid[i];
    real gear = PARAM(b, actuator_gear, 6 * i);
    for (int e = 0; e < m->actuator_dofnum[i]; e++) moment[e] = gear * AT(b->tendon_J, m->tendon_dofadr[tendon] + e);
    return gear * AT(b->tendon_length, tendon);
}

STAGE void transmissions(const tx_block *b) {
    const tx_model *m = b->m;
    for (int i = b->driven.actuators.begin; i < b->driven.actuators.end; i++) {
        int first = m->actuator_dofadr[i], last = first + m->actuator_dofnum[i];
        real *moment = &AT(b->moment, first), velocity = splat(0), length = splat(0);
        if (b->shortcuts.actuator_plain[i]) {
            AT(b->actuator_length, i) = scalar_transmission(b, i, moment);
            AT(b->actuator_velocity, i) = velocity + moment[0] * AT(b->qvel, m->moment_dof[first]);
            continue;
        }
        const int axis = tx_actuator_axis(m->actuator_gaincurve[i]);
        if (axis >= 0) {
            if (axis == 0) turn_transmission(b, i);
            continue;
        }
        switch (m->actuator_trn[i]) {
        case TX_TRANSMISSION_TENDON: length = tendon_transmission(b, i, moment); break;
        case TX_TRANSMISSION_SITE: length = site_transmission(b, i, moment); break;
        case TX_TRANSMISSION_CRANK: length = crank_transmission(b, i, moment); break;
        case TX_TRANSMISSION_BODY: break; // its moment comes from the contacts, see step/adhesion.c
        default: length = joint_transmission(b, i, moment);
        }
        for (int e = first; e < last; e++) velocity = velocity + AT(b->moment, e) * AT(b->qvel, m->moment_dof[e]);
        AT(b->actuator_length, i) = length;
        AT(b->actuator_velocity, i) = velocity;
    }
}
