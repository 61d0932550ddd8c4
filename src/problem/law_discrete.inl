// law_discrete.inl - rows of the soft law at the end of the step, as MuJoCo 4.0 has them with integrator="discrete".
// docs/laws.md. lanes: any
//
// Implicit in the row's own spring and damper: with F = 1 + h b + h² k d its softness is R / F and its reference
// -(k d r + (b + h k d) v) / F.
#pragma once
#include "problem/law.inl"

// stiffness and damping that a step can follow: at most one step of time constant, and not so damped that F is beyond
// what the largest impedance allows
FN void discrete_refsafe(num h, const real *solref, real d, real *k, real *b) {
    real e = h * h * *k * d, most = R(0.9999) * (R(1) - d) / (R(1e-4) * d);
    mask fast = (solref[0] > R(0)) & (e > R(1));
    real root = vsqrt(sel(fast, e, splat(1)));
    *b = sel(fast, vmin(*b / root, vmax(most - R(2), splat(0)) / h), *b);
    *k = sel(fast, R(1) / (h * h * d), *k);
}

// R of the row with F and the largest impedance; weight: W̃ of the row
FN real discrete_softness(real d, real F, real weight, real ratio) {
    real R0 = vmax((R(1) - d) / d * weight, splat(R(1e-15)));
    return vmax(R0 / F, R(1e-4 / 0.9999) * weight) * ratio;
}

// where the softness of row r > 0 of an equality stands
FN int row_number(int r) { return r == 3 ? N_D2 : N_D_ROW + r - (r < 3 ? 1 : 2); }

FN void discrete_prepare(const law_options *o, const row_record *row, real d, real k, real b, real b_tangent, real *n) {
    const mask acts = row->acts;
    const num h = o->timestep;
    const int dim = row->dim;
    if (o->refsafe && (row->contact || row->kernel == KERNEL_one_sided)) discrete_refsafe(h, row->solref, d, &k, &b);
    if (row->kernel == KERNEL_clamped) k = splat(0);
    real F = R(1) + h * b + h * h * k * d, weight = row->weighed ? row->each[0] : row->weight[0], soft, mu = splat(1);
    for (int r = 0; (row->kernel == KERNEL_pyramid || row->kernel == KERNEL_cone) && r + 1 < dim; r++) {
        real friction = vmax(row->friction[r], splat(R(1e-5)));
        n[N_MU + r] = sel(acts, friction, splat(0));
        if (r == 0) mu = friction;
    }
    real opening = mu / vsqrt(splat(o->impratio));
    soft = discrete_softness(d, F, weight, row->tree_ratio[0]);
    if (row->kernel == KERNEL_pyramid)
        soft = R(2) * opening * opening *
               discrete_softness(d, F, row->weighed ? weight : weight + mu * mu * weight, row->tree_ratio[0]);
    n[N_D] = sel(acts, R(1) / vmax(soft, splat(R(1e-15))), splat(0));
    n[N_REST] = sel(acts, R(1) - d, splat(0));
    if (row->kernel == KERNEL_cone) n[N_CONE] = sel(acts, opening, splat(1));
    if (row->kernel == KERNEL_clamped) n[N_BOUND] = h * vmax(row->bound, splat(0));
    for (int r = 1; row->kernel == KERNEL_quadratic && r < dim; r++) {
        const real own = row->weighed ? row->each[r] : row->weight[r / 3];
        n[row_number(r)] = sel(acts, R(1) / discrete_softness(d, F, own, row->tree_ratio[r]), splat(0));
    }
    for (int r = 0; r < dim; r++) {
        real v = row->vel[r], a = (k * d * row->pos[r] + (b + h * k * d) * v + row->drift[r]) / F;
        if (row->kernel == KERNEL_cone && r > 0) a = b_tangent * v / (R(1) + h * b_tangent);
        n[N_A + r] = sel(acts, v - h * a, splat(0));
    }
}
