// law_sap.inl - the convex compliant cone of Castro et al. 2022 ("An unconstrained convex formulation of compliant
// contact"): k [N/m], relaxation time [s]. docs/laws.md. lanes: any
#pragma once
#include "problem/law_compliant.inl"

FN void sap_prepare(const law_options *o, const row_record *row, real *n) {
    const mask acts = row->acts;
    if (!row->contact) {
        compliant_prepare(o, row, n);
        return;
    }
    const num h = o->timestep;
    compliance s = contact_compliance(row);
    real w = weight_of(row, 0), rate = vmax(h * s.k + s.c, splat(R(1e-30)));
    real Rn = vmax(least_softness(row->beta, w), R(1) / (h * rate)), Rt = row->sigma * w;
    n[N_D] = sel(acts, R(1) / Rn, splat(0));
    n[N_REST] = sel(acts, vmin(Rn / w, splat(1)), splat(0));
    n[N_A] = sel(acts, -(s.k / rate * row->pos[0]), splat(0));
    for (int k = 1; k < row->dim; k++) {
        n[N_MU + k - 1] = sel(acts, vmax(row->friction[k - 1], splat(0)), splat(0));
        n[N_A + k] = splat(0);
    }
    // rows of friction have D = 1 / Rt where their μ is μ₁
    if (row->kernel == KERNEL_cone)
        n[N_CONE] = sel(acts, vmax(row->friction[0], splat(R(1e-5))) * vsqrt(Rt / Rn), splat(1));
}
