// law_hunt.inl - contacts after Hunt & Crossley: `similar` and `lagged` (Castro, Han & Masterjohn 2023, "Irrotational
// contact fields"): k [N/m], d [s/m], stiction speed [m/s]. docs/laws.md. lanes: any
#pragma once
#include "problem/law_compliant.inl"

// n(z) = h (f - h k z)₊ (1 - d z)₊ = D (a - z)₊ (1 - d z)₊ with D = h² k, a = f / (h k) = -φ / h
FN void hunt_prepare(const law_options *o, const row_record *row, bool lagged, real *n) {
    const mask acts = row->acts;
    const num h = o->timestep;
    compliance s = contact_compliance(row);
    real w = weight_of(row, 0), most = FOUR_PI_SQUARED / vmax(row->beta * row->beta * h * h * w, splat(R(1e-30)));
    mask springs = s.k > R(0);
    real time = sel(springs, s.c / sel(springs, s.k, splat(1)), splat(0));
    real k = vmax(vmin(s.k, most), splat(R(1e-15))), D = h * h * k, a = -(row->pos[0] / h);
    real d = sel(row->dissipation < R(0), time / vmax(row->solimp[2], splat(R(1e-4))), row->dissipation);
    real before = D * vmax(a, splat(0)) * vmax(R(1) - d * row->vel[0], splat(0));
    real mu = vmax(row->friction[0], splat(R(1e-5)));
    real slip = vmax(row->stiction, mu * (row->sigma * w) * before);
    n[N_D] = sel(acts, D, splat(0));
    n[N_REST] = sel(acts, R(1) / (D * w), splat(0));
    n[N_A] = sel(acts, a, splat(0));
    for (int r = 1; r < row->dim; r++) {
        n[N_MU + r - 1] = sel(acts, vmax(row->friction[r - 1], splat(0)), splat(0));
        n[N_A + r] = splat(0);
    }
    n[N_SLIP] = sel(acts, mu * slip, splat(0));
    n[N_DISSIPATION] = sel(acts, d, splat(0));
    n[N_LAST] = lagged ? sel(acts, before, splat(0)) : splat(0);
}

FN void similar_prepare(const law_options *o, const row_record *row, real *n) {
    if (row->contact) hunt_prepare(o, row, false, n);
    else compliant_prepare(o, row, n);
}

FN void lagged_prepare(const law_options *o, const row_record *row, real *n) {
    if (row->contact) hunt_prepare(o, row, true, n);
    else compliant_prepare(o, row, n);
}
