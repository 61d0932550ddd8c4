// cameras.inl - where cameras are and which way they look. lanes: any
#pragma once
#include "dynamics/kinematics.inl"

// bodies stand depth first: a subtree ends where a parent stands before its top
FN int subtree_end(const tx_model *m, int top) {
    int end = top + 1;
    while (end < m->nbody && m->body_parent[end] >= top) end++;
    return end;
}

// centre of mass of a body and all below it; without mass its own
FN void subtree_com(const tx_block *b, int top, real *centre) {
    real mass = splat(0);
    zero3(centre);
    for (int i = top; i < subtree_end(b->m, top); i++) {
        real mi = PARAM(b, body_mass, i);
        mass = mass + mi;
        for (int k = 0; k < 3; k++) centre[k] = centre[k] + mi * AT(b->xipos, 3 * i + k);
    }
    mask has = mass >= R(1e-15);
    real inv = R(1) / sel(has, mass, splat(1));
    for (int k = 0; k < 3; k++) centre[k] = sel(has, centre[k] * inv, AT(b->xipos, 3 * top + k));
}

FN void place_camera(const tx_block *b, int i) {
    place(b, b->m->cam_body[i], &PARAM(b, cam_pos, 3 * i), &PARAM(b, cam_quat, 4 * i), &AT(b->cam_xpos, 3 * i),
          &AT(b->cam_xmat, 9 * i));
}

// a vector of length 1; (1, 0, 0) where it has none
FN void unit3(real *v) {
    real norm = vsqrt(dot3(v, v));
    mask has = norm >= R(1e-15);
    real inv = R(1) / sel(has, norm, splat(1));
    for (int k = 0; k < 3; k++) v[k] = sel(has, v[k] * inv, splat(k == 0));
}

// turned so that its z axis points away from a point and its x axis is level
FN void look_at(const real *pos, const real *target, real *mat) {
    real up[3] = {splat(0), splat(0), splat(1)}, x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) z[k] = pos[k] - target[k];
    unit3(z);
    cross3(x, up, z);
    unit3(x);
    cross3(y, z, x);
    unit3(y);
    for (int k = 0; k < 3; k++) mat[3 * k] = x[k], mat[3 * k + 1] = y[k], mat[3 * k + 2] = z[k];
}

STAGE void camera_poses(const tx_block *b) {
    const tx_model *m = b->m;
    for (int i = 0; i < m->ncam; i++) {
        real *pos = &AT(b->cam_xpos, 3 * i), *mat = &AT(b->cam_xmat, 9 * i), point[3];
        bool whole = m->cam_mode[i] == TX_CAMERA_TRACKCOM || m->cam_mode[i] == TX_CAMERA_TARGETBODYCOM;
        int body = m->cam_mode[i] >= TX_CAMERA_TARGETBODY ? m->cam_target[i] : m->cam_body[i];
        place_camera(b, i);
        if (m->cam_mode[i] == TX_CAMERA_FIXED) continue;
        if (whole) subtree_com(b, body, point);
        else copy3(point, &AT(b->xpos, 3 * body));
        if (m->cam_mode[i] >= TX_CAMERA_TARGETBODY) {
            look_at(pos, point, mat);
            continue;
        }
        const real *offset = whole ? &PARAM(b, cam_poscom0, 3 * i) : &PARAM(b, cam_pos0, 3 * i);
        for (int k = 0; k < 3; k++) pos[k] = point[k] + offset[k];
        for (int k = 0; k < 9; k++) mat[k] = PARAM(b, cam_mat0, 9 * i + k);
    }
}
