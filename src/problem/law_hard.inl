// law_hard.inl - rigid contacts by impulses (Moreau 1988, Anitescu and Potra 1997). docs/laws.md. lanes: any
//
// The next velocity obeys u₀ >= v̂. What is apart by φ may close the gap in this step and no more, v̂ = -φ/h; what
// overlaps comes apart by a share of its overlap, at most at the speed of recovery. A contact that is hit faster than a
// threshold, and within this step, leaves at e times that speed (Newton's restitution).
#pragma once
#include "lane/four.h"
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

#if TX_LANES == 1
// what contacts of three rows between the same geoms do not share, four at most side by side
typedef struct rigid_points {
    four gap, margin;
    four weight, speed, ahead; // exact[0], vel[0] and ahead of a record; the last two only for what bounces
} rigid_points;

// their numbers by the operations of hard_prepare(), so the same bits. row: of any of them
FN void hard_points(const law_options *o, const row_record *row, const rigid_points *at, int count, num *const n[4]) {
    const num h = o->timestep;
    const four zero = four_of(0), w = four_max(at->weight, four_of(R(1e-15))), gap = at->gap;
    const four_masks acts = (four_masks)(gap < at->margin);
    const four recovery = four_of(o->recovery), apart = -(o->recovery_share * gap / h);
    four softness = RIGID_SOFTNESS * w;
    four aim =
        four_sel((four_masks)(gap < R(0)), four_sel((four_masks)(apart < recovery), apart, recovery), -(gap / h));
    if (row->stiffness > R(0)) {
        const num rate = (h + vmax(row->relaxation, R(0))) * row->stiffness;
        softness = softness + R(1) / (h * rate), aim = -(row->stiffness / rate * gap);
    }
    if (row->restitution > R(0)) {
        const four_masks bounces =
            (four_masks)(at->speed < -o->bounce_speed) & (four_masks)(gap + h * at->ahead <= R(0));
        aim = four_sel(bounces, four_max(aim, -(row->restitution * at->speed)), aim);
    }
    softness = four_sel(acts, softness, zero), aim = four_sel(acts, aim, zero);
    const four first[4] = {four_sel(acts, R(1) / (w + softness), zero), four_sel(acts, four_of(1), zero),
                           four_sel(acts, four_of(vmax(row->friction[0], R(0))), zero),
                           four_sel(acts, four_of(vmax(row->friction[1], R(0))), zero)};
    four_rows(first, 4, n, count);
    for (int l = 0; l < count; l++) {
        n[l][N_A] = aim[l], n[l][N_A + 1] = n[l][N_A + 2] = 0;
        n[l][N_E] = softness[l];
    }
}
#endif
