// law_hard.inl - rigid contacts by impulses (Moreau 1988, Anitescu and Potra 1997). docs/laws.md. lanes: any
//
// The next velocity obeys u₀ >= v̂. What is apart by φ may close the gap in this step and no more, v̂ = -φ/h; what
// overlaps comes apart by a share of its overlap, at most at the speed of recovery. A contact that is hit faster than a
// threshold, and within this step, leaves at e times that speed (Newton's restitution).
#pragma once
#include "problem/law_compliant.inl"

// of the weight of a contact: the least softness, so that what nothing can move has a force all the same
#define RIGID_SOFTNESS R(1e-10)

FN void hard_prepare(const law_options *o, const row_record *row, real *n) {
    if (!row->contact) {
        compliant_prepare(o, row, n);
        return;
    }
    const mask acts = row->acts;
    const num h = o->timestep;
    real w = weight_of(row, 0), softness = RIGID_SOFTNESS * w, gap = row->pos[0];
    real aim = sel(gap < R(0), vmin(-(o->recovery_share * gap / h), splat(o->recovery)), -(gap / h));
    // a spring, if one is asked for
    const mask springs = row->stiffness > R(0);
    real stiffness = sel(springs, row->stiffness, splat(1)), rate = (h + vmax(row->relaxation, splat(0))) * stiffness;
    softness = sel(springs, softness + R(1) / (h * rate), softness);
    aim = sel(springs, -(stiffness / rate * gap), aim);
    mask bounces = (row->restitution > R(0)) & (row->vel[0] < -o->bounce_speed) & (gap + h * row->ahead <= R(0));
    aim = sel(bounces, vmax(aim, -(row->restitution * row->vel[0])), aim);
    n[N_D] = sel(acts, R(1) / (w + softness), splat(0));
    n[N_REST] = sel(acts, splat(1), splat(0));
    n[N_E] = sel(acts, softness, splat(0));
    n[N_A] = sel(acts, aim, splat(0));
    for (int k = 1; k < row->dim; k++) {
        n[N_MU + k - 1] = sel(acts, vmax(row->friction[k - 1], splat(0)), splat(0));
        n[N_A + k] = splat(0);
    }
}
