// material.inl - what two geoms say of their contact, for the laws of velocities and of impulses. lanes: any
//
// Springs stand in series, k = k₁k₂/(k₁ + k₂). The share k₂/(k₁ + k₂) of the motion is the first one's, so its damping
// counts by that share: τ and d are weighed by it. Of all else the larger number counts, as of friction. What only one
// of them says is what it says; what none says, the options do. docs/laws.md.
#pragma once
#include "model/block.h"
#include "problem/law.inl"

FN real blended(real x1, real x2, real share, real otherwise) {
    const mask said1 = not_(x1 < R(0)), said2 = not_(x2 < R(0));
    real alone = sel(said1, x1, sel(said2, x2, otherwise));
    return sel(said1 & said2, share * x1 + (R(1) - share) * x2, alone);
}

FN real larger(real x1, real x2, num otherwise) {
    real x = vmax(x1, x2);
    return sel(x < R(0), splat(otherwise), x);
}

#define OF_BOTH(name) PARAM(b, geom_##name, geom[0]), PARAM(b, geom_##name, geom[1])
FN void mix_materials(const tx_block *b, const int geom[2], row_record *row) {
    const tx_options *o = b->opt;
    real k1 = PARAM(b, geom_stiffness, geom[0]), k2 = PARAM(b, geom_stiffness, geom[1]);
    const mask spring1 = k1 > R(0), spring2 = k2 > R(0), both = spring1 & spring2;
    real share = sel(both, k2 / sel(both, k1 + k2, splat(1)), splat(R(0.5)));
    share = sel(both, share, sel(spring1, splat(1), sel(spring2, splat(0), share)));
    real alone = sel(spring1, k1, sel(spring2, k2, splat(R(o->stiffness))));
    row->stiffness = sel(both, k1 * share, alone);
    row->relaxation = blended(OF_BOTH(relaxation), share, splat(R(o->relaxation)));
    row->dissipation = blended(OF_BOTH(dissipation), share, splat(R(o->dissipation)));
    row->beta = larger(OF_BOTH(beta), R(o->beta));
    row->sigma = vmax(larger(OF_BOTH(sigma), R(o->sigma)), splat(R(1e-10)));
    row->stiction = vmax(larger(OF_BOTH(stiction), R(o->stiction)), splat(R(1e-12)));
    row->restitution = larger(OF_BOTH(restitution), R(o->restitution));
}
#undef OF_BOTH
