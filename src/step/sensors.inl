// sensors.inl - the numbers of the sensors, from the poses, velocities and forces of a step. lanes: any
// Rays and contacts are looked at in plain C before (sense.c); here are the sums.
#pragma once
#include "dynamics/body_forces.inl"
#include "dynamics/cameras.inl"
#include "model/sensor.h"
#include "rows/rows.inl"
#include "step/sense.h"

// ---- frames ---------------------------------------------------------------------------------------------------------

// a frame that a sensor looks at, in the world
typedef struct seen_frame {
    const real *pos, *mat, *local; // local: its orientation in the body; null: the body's own
    int body;
} seen_frame;

FN seen_frame frame_of(const tx_block *b, int object, int i) {
    const tx_model *m = b->m;
    switch (object) {
    case TX_OBJECT_BODY: {
        seen_frame f = {&AT(b->xipos, 3 * i), &AT(b->ximat, 9 * i), &PARAM(b, body_iquat, 4 * i), i};
        return f;
    }
    case TX_OBJECT_GEOM: {
        seen_frame f = {&AT(b->geom_xpos, 3 * i), &AT(b->geom_xmat, 9 * i), &PARAM(b, geom_quat, 4 * i),
                        m->geom_body[i]};
        return f;
    }
    case TX_OBJECT_SITE: {
        seen_frame f = {&AT(b->site_xpos, 3 * i), &AT(b->site_xmat, 9 * i), &PARAM(b, site_quat, 4 * i),
                        m->site_body[i]};
        return f;
    }
    case TX_OBJECT_CAMERA: {
        seen_frame f = {&AT(b->cam_xpos, 3 * i), &AT(b->cam_xmat, 9 * i), &PARAM(b, cam_quat, 4 * i), m->cam_body[i]};
        return f;
    }
    default: {
        seen_frame f = {&AT(b->xpos, 3 * i), &AT(b->xmat, 9 * i), NULL, i};
        return f;
    }
    }
}

FN void frame_quat(const tx_block *b, const seen_frame *f, real *q) {
    for (int k = 0; k < 4; k++) q[k] = AT(b->xquat, 4 * f->body + k);
    if (f->local) quat_mul(q, q, f->local);
}

// a motion (angular, linear at the tree's centre of mass) as seen at a point of the body
FN void motion_at(const tx_block *b, int body, const real *spatial, const real *pos, real *angular, real *linear) {
    real arm[3];
    for (int k = 0; k < 3; k++) arm[k] = pos[k] - AT(b->tree_com, 3 * b->m->body_root[body] + k);
    copy3(angular, spatial);
    cross3(linear, spatial, arm);
    for (int k = 0; k < 3; k++) linear[k] = spatial[3 + k] + linear[k];
}

FN void velocity_at(const tx_block *b, const seen_frame *f, real *angular, real *linear) {
    motion_at(b, f->body, &AT(b->cvel, 6 * f->body), f->pos, angular, linear);
}

// the acceleration of the point that is there, minus gravity: the spatial one and w x v
FN void acceleration_at(const tx_block *b, const seen_frame *f, real *angular, real *linear) {
    real w[3], v[3], turn[3];
    velocity_at(b, f, w, v);
    motion_at(b, f->body, &AT(b->cacc_full, 6 * f->body), f->pos, angular, linear);
    cross3(turn, w, v);
    for (int k = 0; k < 3; k++) linear[k] = linear[k] + turn[k];
}

// ---- sensors of frames ----------------------------------------------------------------------------------------------

FN void sense_pose(const tx_block *b, int type, const seen_frame *f, const seen_frame *ref, real *out) {
    if (type == TX_SENSOR_FRAMEQUAT) {
        frame_quat(b, f, out);
        if (ref) {
            real q[4];
            frame_quat(b, ref, q);
            for (int k = 1; k < 4; k++) q[k] = -q[k];
            quat_mul(out, q, out);
        }
        return;
    }
    int column = type - TX_SENSOR_FRAMEXAXIS;
    for (int k = 0; k < 3; k++) out[k] = type == TX_SENSOR_FRAMEPOS ? f->pos[k] : f->mat[3 * k + column];
    if (!ref) return;
    for (int k = 0; k < 3 && type == TX_SENSOR_FRAMEPOS; k++) out[k] = out[k] - ref->pos[k];
    mat_vec_transposed(out, ref->mat, out);
}

// the velocity that an observer on the reference frame sees
FN void sense_velocity(const tx_block *b, int type, const seen_frame *f, const seen_frame *ref, real *out) {
    real w[3], v[3], ref_w[3], ref_v[3], arm[3], turn[3];
    velocity_at(b, f, w, v);
    copy3(out, type == TX_SENSOR_FRAMELINVEL ? v : w);
    if (!ref) return;
    velocity_at(b, ref, ref_w, ref_v);
    for (int k = 0; k < 3; k++) arm[k] = f->pos[k] - ref->pos[k];
    cross3(turn, ref_w, arm);
    for (int k = 0; k < 3; k++) out[k] = type == TX_SENSOR_FRAMELINVEL ? (v[k] - ref_v[k]) - turn[k] : w[k] - ref_w[k];
    mat_vec_transposed(out, ref->mat, out);
}

// in the site's own axes
FN void sense_site(const tx_block *b, int type, const seen_frame *f, real *out) {
    real angular[3], linear[3], arm[3], turn[3];
    const real *force = &AT(b->cfrc_int, 6 * f->body);
    switch (type) {
    case TX_SENSOR_MAGNETOMETER: copy3(out, &PARAM(b, magnetic, 0)); break;
    case TX_SENSOR_ACCELEROMETER: acceleration_at(b, f, angular, out); break;
    case TX_SENSOR_FORCE: copy3(out, force + 3); break;
    case TX_SENSOR_TORQUE:
        for (int k = 0; k < 3; k++) arm[k] = f->pos[k] - AT(b->tree_com, 3 * b->m->body_root[f->body] + k);
        cross3(turn, arm, force + 3);
        for (int k = 0; k < 3; k++) out[k] = force[k] - turn[k];
        break;
    default: velocity_at(b, f, angular, linear); copy3(out, type == TX_SENSOR_GYRO ? angular : linear);
    }
    mat_vec_transposed(out, f->mat, out);
}

// a place in the picture of a camera, from its top left corner; what is behind the camera is in it too
FN void sense_projection(const tx_block *b, int site, int camera, real *out) {
    const tx_model *m = b->m;
    const real *eye = &AT(b->cam_xpos, 3 * camera), *at = &AT(b->site_xpos, 3 * site);
    const num pixels[2] = {R(m->cam_width[camera]), R(m->cam_height[camera])};
    real arm[3], view[3];
    for (int k = 0; k < 3; k++) arm[k] = at[k] - eye[k];
    mat_vec_transposed(view, &AT(b->cam_xmat, 9 * camera), arm);
    real depth = sel(vabs(view[2]) < R(1e-15), sel(view[2] < R(0), splat(R(-1e-15)), splat(R(1e-15))), view[2]);
    for (int k = 0; k < 2; k++) {
        real focal;
        if (m->cam_sensorsize[2 * camera] > 0) {
            // in single precision, as MuJoCo has it
            float ratio = (float)m->cam_intrinsic[4 * camera + k] / (float)m->cam_sensorsize[2 * camera + k];
            focal = splat(R(ratio * (float)pixels[k]));
        } else {
            real s, c;
            lane_sincos(PARAM(b, cam_fovy, camera) * R(3.14159265358979323846 / 360), &s, &c);
            focal = R(0.5) * c / s * pixels[1];
        }
        out[k] = (k == 0 ? -focal : focal) * view[k] / depth + R(0.5) * pixels[k];
    }
}

// ---- subtrees -------------------------------------------------------------------------------------------------------

// centre of mass and its velocity; without mass those of the top body's own centre, and zero
FN real subtree_centre(const tx_block *b, int top, real *centre, real *velocity) {
    const tx_model *m = b->m;
    real mass = splat(0), w[3], v[3];
    zero3(centre);
    zero3(velocity);
    for (int i = top; i < subtree_end(m, top); i++) {
        real mi = PARAM(b, body_mass, i);
        motion_at(b, i, &AT(b->cvel, 6 * i), &AT(b->xipos, 3 * i), w, v);
        mass = mass + mi;
        for (int k = 0; k < 3; k++) {
            centre[k] = centre[k] + mi * AT(b->xipos, 3 * i + k);
            velocity[k] = velocity[k] + mi * v[k];
        }
    }
    mask has = mass >= R(1e-15);
    real inv = R(1) / sel(has, mass, splat(1));
    for (int k = 0; k < 3; k++) {
        centre[k] = sel(has, centre[k] * inv, AT(b->xipos, 3 * top + k));
        velocity[k] = sel(has, velocity[k] * inv, splat(0));
    }
    return mass;
}

FN void subtree_momentum(const tx_block *b, int top, const real *centre, const real *velocity, real *out) {
    const tx_model *m = b->m;
    zero3(out);
    for (int i = top; i < subtree_end(m, top); i++) {
        const real *rot = &AT(b->ximat, 9 * i);
        real w[3], v[3], arm[3], spin[3], orbit[3], mi = PARAM(b, body_mass, i);
        motion_at(b, i, &AT(b->cvel, 6 * i), &AT(b->xipos, 3 * i), w, v);
        // R diag(moments) Rᵀ w
        mat_vec_transposed(spin, rot, w);
        for (int k = 0; k < 3; k++) {
            spin[k] = PARAM(b, body_inertia, 3 * i + k) * spin[k];
            arm[k] = AT(b->xipos, 3 * i + k) - centre[k];
            v[k] = mi * (v[k] - velocity[k]);
        }
        mat_vec(spin, rot, spin);
        cross3(orbit, arm, v);
        for (int k = 0; k < 3; k++) out[k] = out[k] + (spin[k] + orbit[k]);
    }
}

FN void sense_subtree(const tx_block *b, int type, int top, real *out) {
    real centre[3], velocity[3];
    subtree_centre(b, top, centre, velocity);
    if (type == TX_SENSOR_SUBTREEANGMOM) subtree_momentum(b, top, centre, velocity, out);
    else copy3(out, type == TX_SENSOR_SUBTREECOM ? centre : velocity);
}

// ---- joints and actuators -------------------------------------------------------------------------------------------

FN void sense_joint(const tx_block *b, int type, int joint, real *out) {
    const tx_model *m = b->m;
    int q = m->jnt_qposadr[joint], d = m->jnt_dofadr[joint];
    switch (type) {
    case TX_SENSOR_JOINTPOS: out[0] = AT(b->qpos, q); break;
    case TX_SENSOR_JOINTVEL: out[0] = AT(b->qvel, d); break;
    case TX_SENSOR_JOINTACTUATORFRC: out[0] = AT(b->qfrc_actuator, d); break;
    case TX_SENSOR_BALLANGVEL: copy3(out, &AT(b->qvel, d)); break;
    default:
        for (int k = 0; k < 4; k++) out[k] = AT(b->qpos, q + k);
        quat_normalize(out);
    }
}

// the force of a limit; zero where it is no constraint
FN real limit_force(const tx_block *b, tx_row_type type, int limit) {
    const tx_problem *p = &b->problem;
    for (int i = 0; i < p->ncons; i++)
        if (p->cons[i].type == (int)type && p->cons[i].id == limit) return AT(p->gamma, p->cons[i].row);
    return splat(0);
}

// the first limit of the joint that acts
FN void sense_limit(const tx_block *b, int type, int joint, real *out) {
    const tx_model *m = b->m;
    mask free_yet = lane_true();
    out[0] = splat(0);
    for (int l = 0; l < m->nlimit && b->opt->limit && b->opt->constraint; l++) {
        if (m->limit_jnt[l] != joint) continue;
        real J[3], margin = PARAM(b, jnt_margin, joint), dist = limit_row(b, l, J), value = splat(0);
        mask acts = free_yet & (dist < margin);
        if (type == TX_SENSOR_JOINTLIMITPOS) value = dist - margin;
        if (type == TX_SENSOR_JOINTLIMITFRC) value = limit_force(b, TX_ROW_LIMIT, l);
        for (int k = 0; k < limit_width(m, l) && type == TX_SENSOR_JOINTLIMITVEL; k++)
            value = value + J[k] * AT(b->qvel, limit_dof(m, l) + k);
        out[0] = sel(acts, value, out[0]);
        free_yet = free_yet & not_(dist < margin);
    }
}

FN void sense_actuator(const tx_block *b, int type, int i, real *out) {
    const int count = b->m->actuator_gaincurve[i] == TX_CURVE_SO3 ? 3 : 1;
    for (int k = i; k < i + count; k++)
        out[k - i] = type == TX_SENSOR_ACTUATORFRC   ? AT(b->actuator_force, k)
                     : type == TX_SENSOR_ACTUATORVEL ? AT(b->actuator_velocity, k)
                                                     : AT(b->actuator_length, k);
}

// the first of its two limits that acts
FN void sense_tendon_limit(const tx_block *b, int type, int t, real *out) {
    mask free_yet = lane_true();
    out[0] = splat(0);
    for (int i = 2 * t; i < 2 * t + 2 && b->opt->limit && b->opt->constraint; i++) {
        num side = i % 2 ? R(-1) : R(1);
        real margin = PARAM(b, tendon_margin, t), value = side * AT(b->tendon_velocity, t);
        real dist = side * (AT(b->tendon_length, t) - PARAM(b, tendon_range, i));
        mask acts = free_yet & (dist < margin);
        if (type == TX_SENSOR_TENDONLIMITPOS) value = dist - margin;
        if (type == TX_SENSOR_TENDONLIMITFRC) value = limit_force(b, TX_ROW_TENDON_LIMIT, i);
        out[0] = sel(acts, value, out[0]);
        free_yet = free_yet & not_(dist < margin);
    }
}

FN void sense_tendon(const tx_block *b, int type, int t, real *out) {
    const tx_model *m = b->m;
    if (type == TX_SENSOR_TENDONPOS) out[0] = AT(b->tendon_length, t);
    if (type == TX_SENSOR_TENDONVEL) out[0] = AT(b->tendon_velocity, t);
    if (type != TX_SENSOR_TENDONACTUATORFRC) return;
    out[0] = splat(0);
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_trn[i] == TX_TRANSMISSION_TENDON && m->actuator_trnid[i] == t)
            out[0] = out[0] + AT(b->actuator_force, i);
}

// ---- forces of equalities on bodies ---------------------------------------------------------------------------------

// adds sign * (torque, force at a point) to what acts on a body
FN void add_external(const tx_block *b, int body, const real *point, const real *torque, const real *force, num sign) {
    real arm[3], moment[3], *to = &AT(b->cfrc_ext, 6 * body);
    for (int k = 0; k < 3; k++) arm[k] = point[k] - AT(b->tree_com, 3 * b->m->body_root[body] + k);
    cross3(moment, arm, force);
    for (int k = 0; k < 3; k++) {
        to[k] = to[k] + sign * (moment[k] + torque[k]);
        to[3 + k] = to[3 + k] + sign * force[k];
    }
}

// the torque that the forces of a weld's last three rows are: how the rows follow the turning, transposed
FN void turning_torque(const real *back, const real *wanted, real weight, const real *gamma, real *torque) {
    for (int i = 0; i < 3; i++) {
        real turn[4] = {splat(0), splat(i == 0), splat(i == 1), splat(i == 2)}, part[4], rate[4];
        quat_mul(part, back, turn);
        quat_mul(rate, part, wanted);
        torque[i] = R(0.5) * weight * dot3(rate + 1, gamma);
    }
}

FN void weld_torque(const tx_block *b, int e, const real *gamma, real *torque) {
    const real *data = &PARAM(b, eq_data, 11 * e), *q2 = &AT(b->xquat, 4 * b->m->eq_obj2[e]);
    real back[4] = {q2[0], -q2[1], -q2[2], -q2[3]}, wanted[4];
    quat_mul(wanted, &AT(b->xquat, 4 * b->m->eq_obj1[e]), data + 6);
    turning_torque(back, wanted, data[10], gamma, torque);
}

// hinges push at the places of their two sites, slides at that of the second
FN void add_site_forces(const tx_block *b, int e, const real *gamma) {
    const tx_model *m = b->m;
    const int s1 = m->eq_obj1[e], s2 = m->eq_obj2[e], body1 = m->site_body[s1], body2 = m->site_body[s2];
    const real *p1 = &AT(b->site_xpos, 3 * s1), *p2 = &AT(b->site_xpos, 3 * s2);
    real force[3], torque[3], axis[2][3], z[3];
    for (int k = 0; k < 2; k++) site_axis(b, s1, k, axis[k]);
    if (m->eq_type[e] == TX_EQUALITY_HINGE) {
        site_axis(b, s2, 2, z);
        zero3(torque);
        for (int k = 0; k < 2; k++) {
            real about[3];
            cross3(about, axis[k], z);
            for (int i = 0; i < 3; i++) torque[i] = torque[i] + gamma[3 + k] * about[i];
        }
        copy3(force, gamma);
    } else {
        real wanted[4], back[4];
        quat_mul(wanted, &AT(b->xquat, 4 * body1), &PARAM(b, site_quat, 4 * s1));
        quat_mul(back, &AT(b->xquat, 4 * body2), &PARAM(b, site_quat, 4 * s2));
        for (int k = 1; k < 4; k++) back[k] = -back[k];
        turning_torque(back, wanted, splat(1), gamma, torque);
        for (int i = 0; i < 3; i++) force[i] = gamma[3] * axis[0][i] + gamma[4] * axis[1][i];
        p1 = p2;
    }
    add_external(b, body1, p1, torque, force, 1);
    add_external(b, body2, p2, torque, force, -1);
}

// all that acts along a tendon: spring, damper, actuators, limit, friction, equality
FN real tendon_tension(const tx_block *b, int t) {
    const tx_model *m = b->m;
    real force = passive_tension(b, t);
    for (int i = 0; i < m->nactuator; i++)
        if (pulls_tendon(m, i, t)) {
            force = force + PARAM(b, actuator_gear, 6 * i) * AT(b->actuator_force, i);
            if (actuator_damps(b, i)) force = force - actuator_damper(b, i);
        }
    const tx_problem *p = &b->problem;
    for (int i = 0; i < p->ncons; i++) {
        const int id = p->cons[i].id, type = p->cons[i].type;
        real gamma = AT(p->gamma, p->cons[i].row);
        if (type == TX_ROW_TENDON_FRICTION && id == t) force = force + gamma;
        if (type == TX_ROW_TENDON_LIMIT && id / 2 == t) force = id % 2 ? force - gamma : force + gamma;
        if (type != TX_ROW_EQUALITY || m->eq_type[id] != TX_EQUALITY_TENDON) continue;
        const real *c = &PARAM(b, eq_data, 11 * id);
        if (m->eq_obj1[id] == t) force = force + gamma;
        if (m->eq_obj2[id] != t) continue;
        real x = AT(b->tendon_length, t) - PARAM(b, tendon_length0, t);
        force = force - gamma * (c[1] + x * (R(2) * c[2] + x * (R(3) * c[3] + x * R(4) * c[4])));
    }
    return force;
}

// tendons of joints act inside; paths push the bodies that they touch
STAGE void add_tension_forces(const tx_block *b) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon; t++) {
        if (tendon_of_joints(m, t)) continue;
        if (tendon_of_coordinates(m, t)) {
            push_coordinates(b, t, tendon_tension(b, t));
            continue;
        }
        path_use push = {.J = NULL, .tension = tendon_tension(b, t)};
        path_length(b, t, &push);
    }
}

// connects, welds, hinges and slides pull at their two bodies
STAGE void add_equality_forces(const tx_block *b) {
    const tx_model *m = b->m;
    const tx_problem *p = &b->problem;
    for (int i = 0; i < p->ncons; i++) {
        int e = p->cons[i].id;
        if (p->cons[i].type != TX_ROW_EQUALITY) continue;
        if (m->eq_type[e] >= TX_EQUALITY_HINGE) add_site_forces(b, e, &AT(p->gamma, p->cons[i].row));
        if (m->eq_type[e] != TX_EQUALITY_CONNECT && m->eq_type[e] != TX_EQUALITY_WELD) continue;
        bool weld = m->eq_type[e] == TX_EQUALITY_WELD;
        const real *data = &PARAM(b, eq_data, 11 * e), *gamma = &AT(p->gamma, p->cons[i].row);
        real p1[3], p2[3], torque[3];
        body_point(b, m->eq_obj1[e], weld ? data + 3 : data, p1);
        body_point(b, m->eq_obj2[e], weld ? data : data + 3, p2);
        zero3(torque);
        if (weld) weld_torque(b, e, gamma + 3, torque);
        add_external(b, m->eq_obj1[e], p1, torque, gamma, 1);
        add_external(b, m->eq_obj2[e], p2, torque, gamma, -1);
    }
}

// completes cfrc_ext, which holds the forces of contacts. The world has none, as in MuJoCo
STAGE void external_forces(const tx_block *b) {
    add_equality_forces(b);
    add_tension_forces(b);
    for (int k = 0; k < 6; k++) AT(b->cfrc_ext, k) = splat(0);
    EACH_IN(b->live.bodies, i) {
        const real *user = &AT(b->xfrc_applied, 6 * i);
        real applied[6];
        wrench_at_tree(b, i, user, user + 3, applied);
        for (int k = 0; k < 6; k++) AT(b->cfrc_ext, 6 * i + k) = AT(b->cfrc_ext, 6 * i + k) + applied[k];
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

FN void cut_off(const tx_model *m, int i, const tx_sensor_kind *kind, real *out) {
    if (!(m->sensor_cutoff[i] > 0)) return;
    real most = splat(R(m->sensor_cutoff[i]));
    for (int k = 0; k < m->sensor_dim[i]; k++) {
        if (kind->cutoff == TX_CUT_BOTH) out[k] = clamp(out[k], -most, most);
        if (kind->cutoff == TX_CUT_ABOVE) out[k] = sel(out[k] > most, most, out[k]);
    }
}

FN void sense_energy(const tx_block *b, int type, real *out) {
    if (type == TX_SENSOR_CLOCK) out[0] = AT(b->time, 0);
    else out[0] = AT(b->energy, type == TX_SENSOR_E_KINETIC);
}

// needs the poses of sites and of geoms that are looked at; those of sense.c already hold their numbers
STAGE void sensors(const tx_block *b) {
    const tx_model *m = b->m;
    if (b->senses_accelerations) body_accelerations(b);
    if (b->senses_forces) {
        external_forces(b);
        body_forces(b);
    }
    if (tx_model_senses(m, TX_SENSOR_BIT(E_POTENTIAL) | TX_SENSOR_BIT(E_KINETIC))) energies(b);
    for (int i = 0; i < m->nsensor; i++) {
        int type = m->sensor_type[i], object = m->sensor_objtype[i], obj = m->sensor_obj[i];
        const tx_sensor_kind *kind = &tx_sensor_kinds[type];
        real *out = &AT(b->sensordata, m->sensor_adr[i]), unused[3];
        seen_frame f, ref;
        if (b->sleep.asleep && tx_sensor_sleeps(b, i)) continue;
        bool relative = m->sensor_ref[i] >= 0;
        if ((object >= TX_OBJECT_BODY && object <= TX_OBJECT_SITE) || object == TX_OBJECT_CAMERA)
            f = frame_of(b, object, obj);
        if (relative && kind->object == TX_SENSES_RELATIVE) ref = frame_of(b, m->sensor_reftype[i], m->sensor_ref[i]);
        switch (kind->object) {
        case TX_SENSES_NONE: sense_energy(b, type, out); break;
        case TX_SENSES_SITE:
            if (type != TX_SENSOR_TOUCH) sense_site(b, type, &f, out);
            break;
        case TX_SENSES_SCALAR:
        case TX_SENSES_BALL: sense_joint(b, type, obj, out); break;
        case TX_SENSES_LIMIT: sense_limit(b, type, obj, out); break;
        case TX_SENSES_ACTUATOR: sense_actuator(b, type, obj, out); break;
        case TX_SENSES_TENDON: sense_tendon(b, type, obj, out); break;
        case TX_SENSES_TENDONLIMIT: sense_tendon_limit(b, type, obj, out); break;
        case TX_SENSES_SUBTREE: sense_subtree(b, type, obj, out); break;
        case TX_SENSES_RELATIVE:
            if (type == TX_SENSOR_FRAMELINVEL || type == TX_SENSOR_FRAMEANGVEL)
                sense_velocity(b, type, &f, relative ? &ref : NULL, out);
            else sense_pose(b, type, &f, relative ? &ref : NULL, out);
            break;
        case TX_SENSES_PROJECTION: sense_projection(b, obj, m->sensor_ref[i], out); break;
        case TX_SENSES_USER: break;
        case TX_SENSES_INSIDE:
        case TX_SENSES_CONTACT:
        case TX_SENSES_RAY:
        case TX_SENSES_TAXELS:
        case TX_SENSES_PAIR: break; // sense.c
        case TX_SENSES_FRAME:
            if (type == TX_SENSOR_FRAMELINACC) acceleration_at(b, &f, unused, out);
            else acceleration_at(b, &f, out, unused);
            break;
        }
        cut_off(m, i, kind, out);
    }
}
