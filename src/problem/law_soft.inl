// law_soft.inl - MuJoCo's soft constraints: stiffness and reference from solref and solimp, pyramids or cones.
// docs/laws.md. lanes: any
#pragma once
#include "problem/law_discrete.inl"

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
FN void soft_reference(const law_options *o, const real *solref, const real *solimp, real *K, real *B) {
    real dw = clamp(solimp[1], splat(R(1e-4)), splat(R(0.9999)));
    // one number positive and the other not: the default
    mask mixed = (solref[0] > R(0)) ^ (solref[1] > R(0));
    real r0 = sel(mixed, splat(R(0.02)), solref[0]), r1 = sel(mixed, splat(1), solref[1]);
    mask standard = r0 > R(0);
    real time = r0;
    if (o->refsafe) time = vmax(time, splat(R(2) * o->timestep));
    time = sel(standard, time, splat(1));
    real ratio = sel(standard, r1, splat(1));
    *K = sel(standard, R(1) / vmax(dw * dw * time * time * ratio * ratio, splat(R(1e-15))), -(r0 / (dw * dw)));
    *B = sel(standard, R(2) / vmax(dw * time, splat(R(1e-15))), -(r1 / dw));
}

// damping of the tangents of a cone: their own, where the pair has it
FN real soft_tangent(const law_options *o, const row_record *row, real B) {
    const real *own = row->solref_friction;
    if (!own || row->kernel != KERNEL_cone) return B;
    const mask given = (own[0] != R(0)) | (own[1] != R(0));
    real K, tangent;
    soft_reference(o, own, row->solimp, &K, &tangent);
    return sel(given, tangent, B);
}

// 1 / R, R the part of the weight that the impedance leaves to the constraint's own softness
FN real soft_stiffness(real d, real weight) { return R(1) / vmax((R(1) - d) / d * weight, splat(R(1e-15))); }

// A contact that will touch after a share t of the step gets the violation at which its row takes 1 - t of the closing
// speed off, so that the rest carries it to the surface: the reference acceleration solved for the distance, where the
// impedance is the largest one. Without stiffness no violation does, and it stands where the impedance is full
FN void soft_expect(const law_options *o, row_record *row) {
    const mask early = row->closing > R(0);
    const real closing = sel(early, row->closing, splat(1)), left = -(row->pos[0] / closing);
    const real d = clamp(row->solimp[1], splat(R(1e-4)), splat(R(0.9999)));
    const num h = o->timestep;
    law_options bounds = *o;
    real K, B, violation;
    if (o->discrete) bounds.refsafe = false;
    soft_reference(&bounds, row->solref, row->solimp, &K, &B);
    if (o->discrete && o->refsafe) discrete_refsafe(h, row->solref, d, &K, &B);
    const real spring = h * h * K * d, damper = h * B;
    if (o->discrete) violation = left * ((R(1) + damper + spring) + (R(1) - d) / d) - (damper + spring);
    else violation = left / d - damper;
    const mask stiff = spring > R(0);
    violation = sel(stiff, violation / sel(stiff, spring, splat(1)) * closing, row->solimp[2]);
    row->pos[0] = sel(early, -violation, row->pos[0]);
    row->size = vabs(row->pos[0]);
}

FN void soft_prepare(const law_options *o, const row_record *given, real *n) {
    row_record early;
    const row_record *row = given;
    if (o->speculative && given->contact) early = *given, soft_expect(o, &early), row = &early;
    const int dim = row->dim;
    const mask acts = row->acts;
    real d = soft_impedance(row->solimp, row->size), K, B, D, mu = splat(0);
    if (o->discrete) {
        law_options unbounded = {.refsafe = false};
        soft_reference(&unbounded, row->solref, row->solimp, &K, &B);
        discrete_prepare(o, row, d, K, B, soft_tangent(&unbounded, row, B), n);
        return;
    }
    soft_reference(o, row->solref, row->solimp, &K, &B);
    const real B_tangent = soft_tangent(o, row, B);
    const bool frictional = row->kernel == KERNEL_pyramid || row->kernel == KERNEL_cone;
    for (int k = 0; frictional && k + 1 < dim; k++) {
        real friction = vmax(row->friction[k], splat(R(1e-5)));
        n[N_MU + k] = sel(acts, friction, splat(0));
        if (k == 0) mu = friction / vsqrt(splat(o->impratio));
    }
    if (row->kernel == KERNEL_pyramid) {
        // MuJoCo's weight of an edge, made for impratio = 1
        real mu1 = vmax(row->friction[0], splat(R(1e-5)));
        real weight = row->weighed ? row->each[0] : row->weight[0] + mu1 * mu1 * row->weight[0];
        real regular = vmax((R(1) - d) / d * weight, splat(R(1e-15)));
        D = R(1) / vmax(R(2) * mu * mu * regular, splat(R(1e-15)));
    } else D = soft_stiffness(d, row->weighed ? row->each[0] : row->weight[0]);
    n[N_D] = sel(acts, D, splat(0));
    n[N_REST] = sel(acts, R(1) - d, splat(0));
    if (row->kernel == KERNEL_cone) n[N_CONE] = sel(acts, mu, splat(1));
    if (row->kernel == KERNEL_clamped) n[N_BOUND] = vmax(row->bound, splat(0));
    if (row->kernel == KERNEL_quadratic && dim > 3) n[N_D2] = sel(acts, soft_stiffness(d, row->weight[1]), splat(0));
    for (int r = 1; row->weighed && row->kernel == KERNEL_quadratic && r < dim; r++)
        n[row_number(r)] = sel(acts, soft_stiffness(d, row->each[r]), splat(0));
    for (int k = 0; k < dim; k++) {
        real damping = k > 0 && row->kernel == KERNEL_cone ? B_tangent : B;
        n[N_A + k] = sel(acts, (-(damping * row->vel[k]) - K * d * row->pos[k]) - row->drift[k], splat(0));
    }
}
