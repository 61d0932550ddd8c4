// law_soft.inl - MuJoCo's soft constraints, pyramidal friction: docs/laws.md, notes of MuJoCo 3.12. lanes: any
//
// A scalar row costs ½ D u², u = y - aref, while u < 0; dry friction costs the same for both signs, but pushes with its
// bound at most. A frictional contact is a bundle of such rows along the edges of a
// pyramid, u_0 ± μ_k u_k; written in the contact frame, so that J is the same for every law.
#pragma once
#include "problem/law.inl"

// law numbers: stiffness and step size of an edge, friction (or the bound of dry friction), reference acceleration in
// the contact frame
// of an equality: stiffness of rows 0-2 and 3-5, what is left of the impedance, reference accelerations
enum { SOFT_D = 0, SOFT_RHO = 1, SOFT_MU = 2, SOFT_BOUND = 2, SOFT_AREF = 7, SOFT_REST = 1, SOFT_D2 = 2 };

// impedance d(r): how much of the acceleration the constraint decides, between solimp[0] and solimp[1]
FN real soft_impedance(const real *solimp, real r) {
    real low = splat(R(1e-4)), high = splat(R(0.9999));
    real d0 = clamp(solimp[0], low, high), dw = clamp(solimp[1], low, high), mid = clamp(solimp[3], low, high);
    real width = vmax(solimp[2], splat(0)), power = vmax(solimp[4], splat(1));
    mask flat = (d0 == dw) | (width <= R(1e-15));
    real x = vabs(r) / sel(flat, splat(1), width);
    mask below = x <= mid;
    // the rising curve: y = x^p / mid^(p-1), mirrored above the midpoint
    real t = sel(below, x, R(1) - x), base = sel(below, mid, R(1) - mid);
    t = vmax(t, splat(0));
    real curve = sel(power == R(1), t, t * t / base);
    mask odd = (power != R(1)) & (power != R(2));
    if (any(odd)) curve = sel(odd, lane_pow(t, power) / lane_pow(base, power - R(1)), curve);
    real y = sel(below, curve, R(1) - curve);
    y = sel(power == R(1), x, y);
    y = sel(x >= R(1), splat(1), y);
    real d = d0 + y * (dw - d0);
    d = sel(x >= R(1), dw, d);
    return sel(flat, R(0.5) * (d0 + dw), d);
}

// stiffness and damping of the reference acceleration from solref
FN void soft_reference(const tx_block *b, const real *solref, const real *solimp, real *K, real *B) {
    real dw = clamp(solimp[1], splat(R(1e-4)), splat(R(0.9999)));
    // one number positive and the other not: the default
    mask mixed = (solref[0] > R(0)) ^ (solref[1] > R(0));
    real r0 = sel(mixed, splat(R(0.02)), solref[0]), r1 = sel(mixed, splat(1), solref[1]);
    mask standard = r0 > R(0);
    real time = r0;
    if (b->opt->refsafe) time = vmax(time, splat(R(2) * R(b->opt->timestep)));
    time = sel(standard, time, splat(1));
    real ratio = sel(standard, r1, splat(1));
    *K = sel(standard, R(1) / vmax(dw * dw * time * time * ratio * ratio, splat(R(1e-15))), -(r0 / (dw * dw)));
    *B = sel(standard, R(2) / vmax(dw * time, splat(R(1e-15))), -(r1 / dw));
}

FN real soft_equality_D(const real *n, int k) { return k < 3 ? n[SOFT_D] : n[SOFT_D2]; }

FN void soft_prepare_equality(const tx_block *b, const tx_constraint *c, real *n) {
    const real *solref = &PARAM(b, eq_solref, 2 * c->id), *solimp = &PARAM(b, eq_solimp, 5 * c->id);
    const real *pos = &AT(b->eq_pos, 6 * c->id), *vel = &AT(b->rowvel, c->row);
    const real *drift = &AT(b->eq_drift, 6 * c->id);
    mask acts = AT(b->eq_active, c->id) != R(0);
    real square = splat(0), K, B;
    for (int k = 0; k < c->dim; k++) square = square + pos[k] * pos[k];
    real d = soft_impedance(solimp, vsqrt(square));
    soft_reference(b, solref, solimp, &K, &B);
    for (int part = 0; part < (c->dim > 3 ? 2 : 1); part++) {
        real weight = equality_weight(b, c->id, 3 * part);
        n[part ? SOFT_D2 : SOFT_D] = sel(acts, R(1) / vmax((R(1) - d) / d * weight, splat(R(1e-15))), splat(0));
    }
    n[SOFT_REST] = sel(acts, R(1) - d, splat(0));
    for (int k = 0; k < c->dim; k++)
        n[SOFT_AREF + k] = sel(acts, (-(B * vel[k]) - K * d * pos[k]) - drift[k], splat(0));
}

FN bool soft_is_dry(const tx_constraint *c) { return c->kind == TX_FRICTION || c->kind == TX_TENDON_FRICTION; }

FN void soft_prepare(const tx_block *b, const tx_constraint *c, real *n) {
    const tx_model *m = b->m;
    if (c->kind == TX_EQUALITY) {
        soft_prepare_equality(b, c, n);
        return;
    }
    const real *solref, *solimp, *vel = &AT(b->rowvel, c->row);
    real dist, margin, weight;
    int joint = c->kind == TX_LIMIT ? m->limit_jnt[c->id] : 0;
    if (c->kind == TX_FRICTION) {
        // no distance: it always acts where its bound is positive
        solref = &PARAM(b, dof_solref, 2 * c->id), solimp = &PARAM(b, dof_solimp, 5 * c->id);
        real bound = PARAM(b, dof_frictionloss, c->id);
        dist = splat(0), margin = bound;
        weight = PARAM(b, dof_invweight0, c->id);
        n[SOFT_BOUND] = vmax(bound, splat(0));
    } else if (c->kind == TX_TENDON_FRICTION) {
        solref = &PARAM(b, tendon_solref_fri, 2 * c->id), solimp = &PARAM(b, tendon_solimp_fri, 5 * c->id);
        real bound = PARAM(b, tendon_frictionloss, c->id);
        dist = splat(0), margin = bound;
        weight = PARAM(b, tendon_invweight0, c->id);
        n[SOFT_BOUND] = vmax(bound, splat(0));
    } else if (c->kind == TX_TENDON_LIMIT) {
        int t = c->id / 2;
        solref = &PARAM(b, tendon_solref_lim, 2 * t), solimp = &PARAM(b, tendon_solimp_lim, 5 * t);
        dist = AT(b->tendon_dist, c->id), margin = PARAM(b, tendon_margin, t);
        weight = PARAM(b, tendon_invweight0, t);
    } else if (c->kind == TX_LIMIT) {
        solref = &PARAM(b, jnt_solref, 2 * joint), solimp = &PARAM(b, jnt_solimp, 5 * joint);
        dist = AT(b->limit_dist, c->id), margin = PARAM(b, jnt_margin, joint);
        weight = PARAM(b, dof_invweight0, m->jnt_dofadr[joint]);
    } else {
        solref = &AT(b->con_solref, 2 * c->id), solimp = &AT(b->con_solimp, 5 * c->id);
        dist = AT(b->con_dist, c->id), margin = AT(b->con_margin, c->id);
        weight = AT(b->con_weight, 2 * c->id);
    }
    mask acts = dist < margin;
    real r = soft_is_dry(c) ? splat(0) : dist - margin, d = soft_impedance(solimp, r), K, B;
    soft_reference(b, solref, solimp, &K, &B);

    // friction, and the regulariser R of an edge
    real mu1 = splat(0);
    for (int k = 0; k + 1 < c->dim; k++) {
        real mu = vmax(AT(b->con_friction, 5 * c->id + k), splat(R(1e-5)));
        n[SOFT_MU + k] = sel(acts, mu, splat(0));
        if (k == 0) mu1 = mu;
    }
    real diagonal = c->dim > 1 ? weight + mu1 * mu1 * weight : weight;
    real regular = vmax((R(1) - d) / d * diagonal, splat(R(1e-15)));
    if (c->dim > 1) {
        real mu = mu1 / vsqrt(splat(R(b->opt->impratio)));
        regular = vmax(R(2) * mu * mu * regular, splat(R(1e-15)));
    }
    real D = R(1) / regular;
    n[SOFT_D] = sel(acts, D, splat(0));
    n[SOFT_RHO] = sel(acts, D * (R(1) - d), splat(0));
    for (int k = 0; k < c->dim; k++) {
        real aref = -(B * vel[k]) - (k == 0 ? K * d * r : splat(0));
        n[SOFT_AREF + k] = sel(acts, aref, splat(0));
    }
}

// one edge of the pyramid: its force and whether it pushes
FN real soft_edge(const real *n, real u, real *stiffness) {
    mask pushes = u < R(0);
    *stiffness = sel(pushes, n[SOFT_D], splat(0));
    return sel(pushes, -(n[SOFT_D] * u), splat(0));
}

// a force that resists motion either way, up to its bound
FN real soft_friction(const real *n, real u, real *stiffness) {
    real bound = n[SOFT_BOUND], f = -(n[SOFT_D] * u);
    *stiffness = sel(vabs(f) < bound, n[SOFT_D], splat(0));
    return clamp(f, -bound, bound);
}

FN void soft_force(const tx_constraint *c, const real *n, const real *y, real *gamma, real *G) {
    const int dim = c->dim;
    if (c->kind == TX_EQUALITY) {
        for (int k = 0; G && k < dim * dim; k++) G[k] = splat(0);
        for (int k = 0; k < dim; k++) {
            real D = soft_equality_D(n, k);
            gamma[k] = D * (n[SOFT_AREF + k] - y[k]);
            if (G) G[k * dim + k] = D;
        }
        return;
    }
    real u0 = y[0] - n[SOFT_AREF];
    if (soft_is_dry(c)) {
        real stiffness;
        gamma[0] = soft_friction(n, u0, &stiffness);
        if (G) G[0] = stiffness;
        return;
    }
    if (dim == 1) {
        real stiffness;
        gamma[0] = soft_edge(n, u0, &stiffness);
        if (G) G[0] = stiffness;
        return;
    }
    real normal = splat(0), stiff = splat(0);
    for (int k = 0; G && k < dim * dim; k++) G[k] = splat(0);
    for (int k = 1; k < dim; k++) {
        real mu = n[SOFT_MU + k - 1], t = mu * (y[k] - n[SOFT_AREF + k]), s_plus, s_minus;
        real plus = soft_edge(n, u0 + t, &s_plus), minus = soft_edge(n, u0 - t, &s_minus);
        normal = normal + (plus + minus);
        gamma[k] = mu * (plus - minus);
        if (G) {
            stiff = stiff + (s_plus + s_minus);
            G[k] = G[k * dim] = mu * (s_plus - s_minus);
            G[k * dim + k] = mu * mu * (s_plus + s_minus);
        }
    }
    gamma[0] = normal;
    if (G) G[0] = stiff;
}

FN real soft_edge_cost(const real *n, real u) { return sel(u < R(0), R(0.5) * n[SOFT_D] * u * u, splat(0)); }

FN real soft_cost(const tx_constraint *c, const real *n, const real *y) {
    if (c->kind == TX_EQUALITY) {
        real sum = splat(0);
        for (int k = 0; k < c->dim; k++) {
            real u = y[k] - n[SOFT_AREF + k];
            sum = sum + R(0.5) * soft_equality_D(n, k) * u * u;
        }
        return sum;
    }
    real u0 = y[0] - n[SOFT_AREF];
    if (soft_is_dry(c)) {
        // f = -D u inside the bound, constant beyond: ½ f (2 bound - f) / D
        real bound = n[SOFT_BOUND], f = n[SOFT_D] * vabs(u0);
        return sel(f < bound, R(0.5) * f * vabs(u0),
                   bound * (vabs(u0) - R(0.5) * bound / vmax(n[SOFT_D], splat(R(1e-30)))));
    }
    if (c->dim == 1) return soft_edge_cost(n, u0);
    real sum = splat(0);
    for (int k = 1; k < c->dim; k++) {
        real t = n[SOFT_MU + k - 1] * (y[k] - n[SOFT_AREF + k]);
        sum = sum + (soft_edge_cost(n, u0 + t) + soft_edge_cost(n, u0 - t));
    }
    return sum;
}

// natural map of an edge: f - P((f - ρ u) / (1 + ρ R)), u at the point that the forces alone give; P clamps to the
// forces that are allowed
FN void soft_edge_defect(const tx_constraint *c, const real *n, real u, real u_again, real u_free, real *defect,
                         real *scale) {
    real stiffness, rho = n[SOFT_RHO], D = n[SOFT_D];
    mask acts = rho > R(0);
    bool dry = soft_is_dry(c);
    real f = dry ? soft_friction(n, u, &stiffness) : soft_edge(n, u, &stiffness);
    real to = (f - rho * u_again) * D / sel(acts, D + rho, splat(1));
    real map = f - (dry ? clamp(to, -n[SOFT_BOUND], n[SOFT_BOUND]) : vmax(to, splat(0)));
    *defect = *defect + sel(acts, map * map / sel(acts, rho, splat(1)), splat(0));
    // at least a thousandth of gravity, so that a row that nothing loads has a scale too
    *scale = *scale + rho * (u_free * u_free + R(1e-6 * 9.81 * 9.81));
}

FN void soft_defect(const tx_constraint *c, const real *n, const real *y, const real *y_again, const real *y_free,
                    real *defect, real *scale) {
    for (int k = 0; c->kind == TX_EQUALITY && k < c->dim; k++) {
        // as below with every force allowed
        real D = soft_equality_D(n, k), rho = D * n[SOFT_REST], a = n[SOFT_AREF + k], f = D * (a - y[k]);
        mask acts = rho > R(0);
        real map = f - (f - rho * (y_again[k] - a)) * D / sel(acts, D + rho, splat(1)), free = y_free[k] - a;
        *defect = *defect + sel(acts, map * map / sel(acts, rho, splat(1)), splat(0));
        *scale = *scale + rho * (free * free + R(1e-6 * 9.81 * 9.81));
    }
    if (c->kind == TX_EQUALITY) return;
    real a0 = n[SOFT_AREF], u0 = y[0] - a0, v0 = y_again[0] - a0, w0 = y_free[0] - a0;
    if (c->dim == 1) {
        soft_edge_defect(c, n, u0, v0, w0, defect, scale);
        return;
    }
    for (int k = 1; k < c->dim; k++) {
        real mu = n[SOFT_MU + k - 1], ak = n[SOFT_AREF + k];
        real u = mu * (y[k] - ak), v = mu * (y_again[k] - ak), w = mu * (y_free[k] - ak);
        soft_edge_defect(c, n, u0 + u, v0 + v, w0 + w, defect, scale);
        soft_edge_defect(c, n, u0 - u, v0 - v, w0 - w, defect, scale);
    }
}

LAW(soft)
