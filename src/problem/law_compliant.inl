// law_compliant.inl - what the velocity laws share: stiffness and damping of a row, and every row that is no contact.
// docs/laws.md. lanes: any
//
// x is the next velocity and γ an impulse. A row with stiffness k and damping c pushes at the end of the step by
// h (-k (g + h y) - c y) = (v̂ - y) / R,  R = 1 / (h (h k + c)),  v̂ = -k g / (h k + c)  (Castro et al. 2022, section V).
#pragma once
#include "problem/law_soft.inl"

#define FOUR_PI_SQUARED R(39.478417604357434)

// N/m and N s/m
typedef struct compliance {
    real k, c;
} compliance;

// those of the soft law at its largest impedance
FN compliance compliance_of(const row_record *row, real weight) {
    law_options unbounded = {.refsafe = false};
    real K, B, dw = clamp(row->solimp[1], splat(R(1e-4)), splat(R(0.9999)));
    soft_reference(&unbounded, row->solref, row->solimp, &K, &B);
    real D = dw / vmax((R(1) - dw) * weight, splat(R(1e-15)));
    return (compliance){D * K * dw, D * B};
}

// of a contact: what its geoms or the options say goes first
FN compliance contact_compliance(const row_record *row) {
    compliance s = compliance_of(row, row->weight[0]);
    const mask stiff = row->stiffness > R(0), relaxes = not_(row->relaxation < R(0));
    mask springs = s.k > R(0);
    real time = sel(springs, s.c / sel(springs, s.k, splat(1)), splat(0));
    time = sel(relaxes, row->relaxation, time);
    s.k = sel(stiff, row->stiffness, s.k);
    s.c = sel((stiff | relaxes) & (springs | stiff), time * s.k, s.c);
    return s;
}

// a row may vibrate once in β steps, not faster: R is at least β²/4π² of its weight
FN real least_softness(real beta, real w) { return beta * beta / FOUR_PI_SQUARED * w; }

// the weight of rows that nothing moves along
FN real weight_of(const row_record *row, int part) { return vmax(row->exact[part], splat(R(1e-15))); }

// limits and equalities: near-rigid by a tenth of a step; where that bound decides, half the error goes in a step
FN void compliant_rows(const law_options *o, const row_record *row, int part, int begin, int end, real *D, real *n) {
    const num h = o->timestep;
    real w = weight_of(row, part), near = least_softness(splat(R(0.1)), w);
    compliance s = compliance_of(row, row->weight[part]);
    real rate = h * s.k + s.c, soft = R(1) / vmax(h * rate, splat(R(1e-30)));
    mask rigid = near > soft;
    *D = R(1) / vmax(near, soft);
    real pull = sel(rigid, splat(R(0.5) / h), s.k / vmax(rate, splat(R(1e-30))));
    for (int k = begin; k < end; k++) n[N_A + k] = sel(row->acts, -(pull * row->pos[k]), splat(0));
}

// what is no contact, the same in every velocity law
FN void compliant_prepare(const law_options *o, const row_record *row, real *n) {
    const mask acts = row->acts;
    const int dim = row->dim, first = dim < 3 ? dim : 3;
    real D;
    if (row->kernel == KERNEL_clamped) {
        D = R(1) / (o->sigma * weight_of(row, 0));
        n[N_A] = splat(0);
        n[N_BOUND] = o->timestep * vmax(row->bound, splat(0));
    } else compliant_rows(o, row, 0, 0, first, &D, n);
    n[N_D] = sel(acts, D, splat(0));
    n[N_REST] = sel(acts, vmin(R(1) / (D * weight_of(row, 0)), splat(1)), splat(0));
    if (row->kernel == KERNEL_quadratic && dim > 3) {
        compliant_rows(o, row, 1, 3, dim, &D, n);
        n[N_D2] = sel(acts, D, splat(0));
    }
}
