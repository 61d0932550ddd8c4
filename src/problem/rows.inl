// rows.inl - J of the contact problem: equalities, dry friction, limits and contacts, and the verbs J x, Jᵀ g,
// H += Jᵀ G J. lanes: any
//
// A contact has `dim` rows in its frame: normal, two tangents, spin about the normal, two rolls. Which law makes forces
// of them is not known here. Equalities and contacts have dense rows. A limit has one row with up to three neighbouring
// entries, dry friction one entry of 1; a tendon's rows have the entries of its own Jacobian.
#pragma once
#include "lane/trig.h"
#include "lane/vec.h"
#include "model/block.h"
#include "problem/equality.inl"

FN int limit_width(const tx_model *m, int limit) { return m->limit_side[limit] == 0 ? 3 : 1; }
FN int limit_dof(const tx_model *m, int limit) { return m->jnt_dofadr[m->limit_jnt[limit]]; }

// dofs with dry friction in some environment; where there is none the law is zero
STAGE void friction_rows(tx_block *b) {
    for (int d = 0; d < b->m->nv && b->opt->frictionloss && b->opt->constraint; d++) {
        if (!any(PARAM(b, dof_frictionloss, d) > R(0))) continue;
        tx_constraint c = {TX_FRICTION, d, 1, b->nrows};
        b->cons[b->ncons++] = c;
        b->nrows += 1;
    }
}

STAGE void tendon_friction_rows(tx_block *b) {
    for (int t = 0; t < b->m->ntendon && b->opt->frictionloss && b->opt->constraint; t++) {
        if (!any(PARAM(b, tendon_frictionloss, t) > R(0))) continue;
        tx_constraint c = {TX_TENDON_FRICTION, t, 1, b->nrows};
        b->cons[b->ncons++] = c;
        b->nrows += 1;
    }
}

// limits that act in some environment; where one does not act its distance is the margin, so the law is zero
STAGE void tendon_limit_rows(tx_block *b) {
    const tx_model *m = b->m;
    for (int i = 0; i < 2 * m->ntendon && b->opt->limit && b->opt->constraint; i++) {
        int t = i / 2;
        if (!m->tendon_limited[t]) continue;
        real length = AT(b->tendon_length, t), bound = PARAM(b, tendon_range, i), margin = PARAM(b, tendon_margin, t);
        real dist = i % 2 == 0 ? length - bound : bound - length;
        mask acts = dist < margin;
        if (!any(acts)) continue;
        AT(b->tendon_dist, i) = sel(acts, dist, margin);
        tx_constraint c = {TX_TENDON_LIMIT, i, 1, b->nrows};
        b->cons[b->ncons++] = c;
        b->nrows += 1;
    }
}

// a row with few entries: of a tendon or of a joint limit
typedef struct short_row {
    const int *dof; // null: `first` and those behind it
    int first, count;
    const real *J;
    num sign;
} short_row;

FN short_row row_of(const tx_block *b, const tx_constraint *c) {
    const tx_model *m = b->m;
    if (c->kind == TX_LIMIT)
        return (short_row){NULL, limit_dof(m, c->id), limit_width(m, c->id), &AT(b->limit_J, 3 * c->id), 1};
    int t = c->kind == TX_TENDON_LIMIT ? c->id / 2 : c->id, at = m->tendon_dofadr[t];
    num sign = c->kind == TX_TENDON_LIMIT && c->id % 2 ? -1 : 1;
    return (short_row){m->tendon_dof + at, 0, m->tendon_dofnum[t], &AT(b->tendon_J, at), sign};
}
FN int entry_dof(const short_row *r, int k) { return r->dof ? r->dof[k] : r->first + k; }

// distance to one limit and its Jacobian on the joint's dofs
FN real limit_row(const tx_block *b, int limit, real *J) {
    const tx_model *m = b->m;
    int joint = m->limit_jnt[limit], side = m->limit_side[limit], a = m->jnt_qposadr[joint];
    const real *range = &PARAM(b, jnt_range, 2 * joint);
    if (side != 0) {
        J[0] = splat(R(side));
        return side > 0 ? AT(b->qpos, a) - range[0] : range[1] - AT(b->qpos, a);
    }
    // ball: the rotation angle about its axis, at most half a turn
    real q[4];
    for (int k = 0; k < 4; k++) q[k] = AT(b->qpos, a + k);
    quat_normalize(q);
    real s = vsqrt(dot3(q + 1, q + 1));
    real angle = R(2) * lane_atan2(s, q[0]);
    mask beyond = angle > R(3.14159265358979323846);
    real inv = R(1) / vmax(s, splat(R(1e-15)));
    inv = sel(beyond, -inv, inv);
    angle = sel(beyond, R(6.28318530717958647693) - angle, angle);
    for (int k = 0; k < 3; k++) J[k] = -(q[1 + k] * inv);
    return vmax(range[0], range[1]) - angle;
}

// limits that act in some environment become constraints; where one does not act its Jacobian is zero
STAGE void limit_rows(tx_block *b) {
    const tx_model *m = b->m;
    for (int l = 0; l < m->nlimit && b->opt->limit && b->opt->constraint; l++) {
        real *J = &AT(b->limit_J, 3 * l);
        real dist = limit_row(b, l, J), margin = PARAM(b, jnt_margin, m->limit_jnt[l]);
        mask acts = dist < margin;
        if (!any(acts)) continue;
        // an inactive lane keeps dist = margin: the law reads activity from the two
        AT(b->limit_dist, l) = sel(acts, dist, margin);
        for (int k = 0; k < limit_width(m, l); k++) J[k] = sel(acts, J[k], splat(0));
        tx_constraint c = {TX_LIMIT, l, 1, b->nrows};
        b->cons[b->ncons++] = c;
        b->nrows += 1;
    }
}

// rows of one contact: frame · (velocity of side 2 - velocity of side 1) per unit velocity of each dof
STAGE void contact_jacobian(const tx_block *b, const tx_constraint *c) {
    const tx_model *m = b->m;
    const real *frame = &AT(b->con_frame, 9 * c->id), *pos = &AT(b->con_pos, 3 * c->id);
    real *J = &AT(b->J, c->row * m->nv), arm[3] = {pos[0], pos[1], pos[2]};
    int arm_root = -1;
    for (int d = 0; d < m->nv; d++) {
        real side = AT(b->con_chain, c->id * m->nv + d);
        mask moves = side != R(0);
        if (!any(moves)) {
            for (int r = 0; r < c->dim; r++) J[r * m->nv + d] = splat(0);
            continue;
        }
        int root = m->body_root[m->dof_body[d]];
        if (root != arm_root) {
            for (int k = 0; k < 3; k++) arm[k] = pos[k] - AT(b->tree_com, 3 * root + k);
            arm_root = root;
        }
        const real *s = &AT(b->cdof, 6 * d);
        real point[3];
        cross3(point, s, arm);
        for (int k = 0; k < 3; k++) point[k] = point[k] + s[3 + k];
        for (int r = 0; r < c->dim; r++) {
            real entry = side * (r < 3 ? dot3(frame + 3 * r, point) : dot3(frame + 3 * (r - 3), s));
            J[r * m->nv + d] = sel(moves, entry, splat(0));
        }
    }
}

// y = J x
STAGE void rows_mul(const tx_block *b, const real *x, real *y) {
    const int nv = b->m->nv;
    for (int i = 0; i < b->ncons; i++) {
        const tx_constraint *c = &b->cons[i];
        if (c->kind == TX_FRICTION) {
            y[c->row] = x[c->id];
        } else if (c->kind != TX_CONTACT && c->kind != TX_EQUALITY) {
            short_row r = row_of(b, c);
            real t = splat(0);
            for (int k = 0; k < r.count; k++) t = t + r.J[k] * x[entry_dof(&r, k)];
            y[c->row] = r.sign * t;
        } else {
            for (int r = 0; r < c->dim; r++) {
                const real *J = &AT(b->J, (c->row + r) * nv);
                real t = splat(0);
                for (int d = 0; d < nv; d++) t = t + J[d] * x[d];
                y[c->row + r] = t;
            }
        }
    }
}

// out += Jᵀ g. No element of out may be -0: then rows that do not act change no bit.
STAGE void rows_mul_transposed(const tx_block *b, const real *g, real *out) {
    const int nv = b->m->nv;
    for (int i = 0; i < b->ncons; i++) {
        const tx_constraint *c = &b->cons[i];
        if (c->kind == TX_FRICTION) {
            out[c->id] = out[c->id] + g[c->row];
        } else if (c->kind != TX_CONTACT && c->kind != TX_EQUALITY) {
            short_row r = row_of(b, c);
            real pull = r.sign * g[c->row];
            for (int k = 0; k < r.count; k++) {
                int d = entry_dof(&r, k);
                out[d] = out[d] + r.J[k] * pull;
            }
        } else {
            for (int r = 0; r < c->dim; r++) {
                const real *J = &AT(b->J, (c->row + r) * nv);
                real t = g[c->row + r];
                if (!any(t != R(0))) continue;
                for (int d = 0; d < nv; d++) out[d] = out[d] + J[d] * t;
            }
        }
    }
}

// H += Jᵀ G J for one contact or equality, upper triangle; same condition on -0
FN void add_dense_hessian(const tx_block *b, const tx_constraint *c, const real *G, real *H) {
    const int nv = b->m->nv, dim = c->dim;
    const real *J = &AT(b->J, c->row * nv);
    real *T = ARRAY(b->scratch);
    // T = G J
    for (int r = 0; r < dim; r++)
        for (int d = 0; d < nv; d++) {
            real t = G[r * dim] * J[d];
            for (int s = 1; s < dim; s++) t = t + G[r * dim + s] * J[s * nv + d];
            T[r * nv + d] = t;
        }
    // row by row of H, the contact's rows one after the other
    for (int i = 0; i < nv; i++) {
        real *row = H + i * nv;
        mask touches = J[i] != R(0);
        for (int r = 1; r < dim; r++) touches = touches | (J[r * nv + i] != R(0));
        if (!any(touches)) continue;
        int r = 0;
        for (; r + 3 <= dim; r += 3) {
            real a0 = J[r * nv + i], a1 = J[(r + 1) * nv + i], a2 = J[(r + 2) * nv + i];
            const real *t0 = T + r * nv, *t1 = t0 + nv, *t2 = t1 + nv;
            for (int j = i; j < nv; j++) row[j] = ((row[j] + a0 * t0[j]) + a1 * t1[j]) + a2 * t2[j];
        }
        for (; r < dim; r++) {
            real a = J[r * nv + i];
            const real *t = T + r * nv;
            for (int j = i; j < nv; j++) row[j] = row[j] + a * t[j];
        }
    }
}

// H += Jᵀ G J over all constraints
STAGE void rows_hessian(const tx_block *b, real *H) {
    const int nv = b->m->nv;
    for (int i = 0; i < b->ncons; i++) {
        const tx_constraint *c = &b->cons[i];
        const real *G = &AT(b->G, 36 * i);
        mask acts = G[0] != R(0);
        for (int k = 1; k < c->dim * c->dim; k++) acts = acts | (G[k] != R(0));
        if (!any(acts)) continue;
        if (c->kind == TX_CONTACT || c->kind == TX_EQUALITY) {
            add_dense_hessian(b, c, G, H);
            continue;
        }
        if (c->kind == TX_FRICTION) {
            H[c->id * nv + c->id] = H[c->id * nv + c->id] + G[0];
            continue;
        }
        // the entries of a tendon are in no order: each pair once, above the diagonal
        short_row r = row_of(b, c);
        for (int p = 0; p < r.count; p++)
            for (int q = p; q < r.count; q++) {
                int i1 = entry_dof(&r, p), i2 = entry_dof(&r, q);
                real *h = i1 < i2 ? H + i1 * nv + i2 : H + i2 * nv + i1;
                *h = *h + r.J[p] * G[0] * r.J[q];
            }
    }
}
