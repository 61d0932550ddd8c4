// free_velocity.inl - A and x* of a velocity problem: the next velocity without constraints. docs/integrators.md.
// lanes: any
//
// Forces with damping D and stiffness K are taken at the end of the step, f - D (v⁺ - v) - h K v⁺, so that
//   A (x* - v) = h (f - h K v),   A = M + h D + h² K.
// The integrator says what of D and K is in it: Euler the damping of joints, implicitfast all of D, discrete D and K.
// Springs and dampers through tendons and actuators that join dofs of different branches do not fit the pattern of A:
// they are rows of the problem (rows/spring.inl), and x* is without them.
#pragma once
#include "dynamics/velocity_derivative.inl"
#include "linalg/tree_lu.inl"

// a spring and damper along J: force -stiffness J q - damping J v on its dofs
typedef struct spring_term {
    const int *dof;
    const real *J;
    int count;
    real stiffness, damping;
} spring_term;

FN bool has_derivatives(const tx_block *b) { return b->opt->integrator != TX_INTEGRATOR_EULER; }
FN bool has_stiffness(const tx_block *b) { return b->opt->integrator == TX_INTEGRATOR_DISCRETE; }

FN spring_term tendon_term(const tx_block *b, int t) {
    const tx_model *m = b->m;
    const int at = m->tendon_dofadr[t];
    spring_term s = {m->tendon_dof + at, &AT(b->tendon_J, at), m->tendon_dofnum[t], splat(0), splat(0)};
    if (s.count > 0 && tx_dof_rests(b, s.dof[0])) s.count = 0;
    if (b->opt->damper) s.damping = vmax(tendon_damping_slope(b, t), splat(0));
    // where the spring is slack it has none
    if (b->opt->spring && has_stiffness(b)) {
        real x = tendon_stretch(b, t);
        real k = poly_slope(PARAM(b, tendon_stiffness, t), &PARAM(b, tendon_stiffnesspoly, 2 * t), x);
        s.stiffness = sel(x != R(0), vmax(k, splat(0)), splat(0));
    }
    return s;
}

// only what resists; where a limit holds an actuator its force does not change
FN spring_term actuator_term(const tx_block *b, int i) {
    const tx_model *m = b->m;
    const int at = m->actuator_dofadr[i];
    spring_term s = {m->moment_dof + at, &AT(b->moment, at), m->actuator_dofnum[i], splat(0), splat(0)};
    s.damping = vmax(actuator_damping_slope(b, i), splat(0));
    if (!actuator_acts(b, i)) return s;
    force_slopes slopes = actuator_slopes(b, i);
    s.damping = s.damping + vmax(-slopes.velocity, splat(0));
    if (has_stiffness(b)) s.stiffness = vmax(-slopes.length, splat(0));
    return s;
}

FN int spring_terms(const tx_block *b) { return has_derivatives(b) ? b->m->ntendon + b->m->nactuator : 0; }
FN spring_term spring_term_of(const tx_block *b, int i) {
    return i < b->m->ntendon ? tendon_term(b, i) : actuator_term(b, i - b->m->ntendon);
}
FN mask spring_acts(const spring_term *s) { return (s->stiffness > R(0)) | (s->damping > R(0)); }

// whether its dofs stand on one branch, so that A has a place for every pair
FN bool spring_on_branch(const tx_block *b, const spring_term *s) {
    int last = -1, found = 0;
    for (int e = 0; e < s->count; e++) last = s->dof[e] > last ? s->dof[e] : last;
    for (int d = last; d >= 0; d = b->m->dof_parent[d])
        for (int e = 0; e < s->count; e++) found += s->dof[e] == d;
    return found == s->count;
}

// A += (h D + h² K) JᵀJ, force -= h K JᵀJ v
FN void add_spring(const tx_block *b, const spring_term *s, num h, real *A, real *force) {
    real scale = h * s->damping + h * h * s->stiffness, rate = splat(0);
    for (int e = 0; e < s->count; e++) {
        const int at = b->m->dof_madr[s->dof[e]];
        A[at] = A[at] + scale * s->J[e] * s->J[e];
        rate = rate + s->J[e] * AT(b->qvel, s->dof[e]);
    }
    if (s->count > 1) add_outer_product(b, 0, b->m->nv, s->dof, s->J, s->count, scale, A, NULL);
    real pull = h * s->stiffness * rate;
    for (int e = 0; e < s->count; e++) force[s->dof[e]] = force[s->dof[e]] - pull * s->J[e];
}

// ∂(spring force)/∂position of a dof, as far as it resists
FN real joint_stiffness(const tx_block *b, int j, int d) {
    real k = PARAM(b, jnt_stiffness, j), x[3];
    const real *more = &PARAM(b, jnt_stiffnesspoly, 2 * j);
    if (!any(poly_bends(more))) return k;
    int n = spring_stretch(b, j, b->m->jnt_type[j] == TX_JOINT_FREE && d >= b->m->jnt_dofadr[j] + 3, x);
    return vmax(poly_slope(k, more, n == 1 ? x[0] : vsqrt(dot3(x, x))), splat(0));
}

// damping and stiffness of joints
FN void add_joint_springs(const tx_block *b, num h, real *A, real *force) {
    const tx_model *m = b->m;
    const bool damped = b->opt->damper && (has_derivatives(b) || b->opt->eulerdamp);
    EACH_IN(b->live.dofs, d) {
        const int joint = m->dof_jnt[d];
        real c = splat(0), k = splat(0);
        if (damped) c = vmax(dof_damping_slope(b, d), splat(0));
        if (has_stiffness(b) && b->opt->spring) k = joint_stiffness(b, joint, d);
        A[m->dof_madr[d]] = A[m->dof_madr[d]] + (h * c + h * h * k);
        force[d] = force[d] - h * k * AT(b->qvel, d);
    }
}

// what actuators damp their joints with
FN void add_joint_dampers(const tx_block *b, num h, real *A) {
    const tx_model *m = b->m;
    for (int i = 0; i < m->nactuator && (has_derivatives(b) || b->opt->eulerdamp); i++)
        for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++) {
            int d = m->moment_dof[e];
            if (!acts_on_joint(m, i) || !actuator_damps(b, i) || tx_dof_rests(b, d)) break;
            A[m->dof_madr[d]] = A[m->dof_madr[d]] + h * vmax(geared_slope(b, i, d), splat(0));
        }
}

// a free body alone turns as its gyroscopic torque at the end of the step says: x* is that of A + h ∂bias/∂v
FN void gyroscopic_acceleration(const tx_block *b, int body, num h, const real *force, real *acc) {
    const tx_model *m = b->m;
    const int first = m->body_dofadr[body], last = first + 6;
    real *low = ARRAY(b->damped), *up = ARRAY(b->upper), *inv = ARRAY(b->dampedinv);
    for (int d = first; d < last; d++) {
        acc[d] = force[d];
        for (int at = m->dof_madr[d]; at < m->dof_madr[d] + m->dof_mnum[d]; at++) low[at] = up[at] = AT(b->A, at);
    }
    add_bias_derivative(b, first, last, splat(h), low, up);
    tree_lu_factor(&b->tree, first, last, low, up, inv);
    tree_lu_solve(&b->tree, first, last, low, up, inv, acc);
}

// force += h ∂bias/∂v acc of such a body
FN void add_gyroscopic_force(const tx_block *b, int body, num h, const real *acc, real *force) {
    const tx_model *m = b->m;
    const int first = m->body_dofadr[body], last = first + 6;
    real *low = ARRAY(b->damped), *up = ARRAY(b->upper);
    for (int d = first; d < last; d++)
        for (int at = m->dof_madr[d]; at < m->dof_madr[d] + m->dof_mnum[d]; at++) low[at] = up[at] = splat(0);
    add_bias_derivative(b, first, last, splat(h), low, up);
    for (int d = first; d < last; d++)
        for (int s = 0, above = d; s < m->dof_mnum[d]; s++, above = m->dof_parent[above]) {
            force[d] = force[d] + low[m->dof_madr[d] + s] * acc[above];
            if (s > 0) force[above] = force[above] + up[m->dof_madr[d] + s] * acc[d];
        }
}

// A and the force with what joints add to them
STAGE void begin_free_velocity(const tx_block *b) {
    const tx_model *m = b->m;
    real *A = ARRAY(b->A), *force = ARRAY(b->scratch);
    sum_forces(b);
    for (int r = 0; r < b->live.dofs.count; r++) {
        const tx_range in = b->live.dofs.range[r];
        const int first = m->dof_madr[in.begin], last = m->dof_madr[in.end - 1] + m->dof_mnum[in.end - 1];
        copy(A + first, ARRAY(b->M) + first, last - first);
        copy(force + in.begin, ARRAY(b->qfrc_smooth) + in.begin, in.end - in.begin);
    }
    EACH_IN(b->live.dofs, d) AT(b->spring_diagonal, d) = splat(0);
    add_joint_springs(b, R(b->opt->timestep), A, force);
}

// tendons and actuators: into A, or onto the diagonal that rows beside it will add
FN void add_springs(const tx_block *b) {
    const num h = R(b->opt->timestep);
    real *aside = ARRAY(b->spring_diagonal);
    add_joint_dampers(b, h, ARRAY(b->A));
    for (int i = 0; i < spring_terms(b); i++) {
        spring_term s = spring_term_of(b, i);
        if (s.count == 0 || !any(spring_acts(&s))) continue;
        if (spring_on_branch(b, &s)) add_spring(b, &s, h, ARRAY(b->A), ARRAY(b->scratch));
        else
            for (int e = 0; e < s.count; e++)
                aside[s.dof[e]] = aside[s.dof[e]] + (h * s.damping + h * h * s.stiffness) * s.J[e] * s.J[e];
    }
}

// qacc_smooth becomes (x* - v) / h
STAGE void end_free_velocity(const tx_block *b) {
    const tx_model *m = b->m;
    const num h = R(b->opt->timestep);
    real *A = ARRAY(b->A), *L = ARRAY(b->L), *force = ARRAY(b->scratch), *acc = ARRAY(b->qacc_smooth);
    for (int r = 0; r < b->live.dofs.count; r++) {
        const tx_range in = b->live.dofs.range[r];
        const int first = m->dof_madr[in.begin], last = m->dof_madr[in.end - 1] + m->dof_mnum[in.end - 1];
        if (has_derivatives(b)) add_fluid_derivative(b, in.begin, in.end, splat(h), A, NULL);
        copy(L + first, A + first, last - first);
        copy(acc + in.begin, force + in.begin, in.end - in.begin);
        tree_factor(&b->tree, in.begin, in.end, L, ARRAY(b->Linv));
        tree_solve(&b->tree, in.begin, in.end, L, ARRAY(b->Linv), acc);
    }
    EACH_IN(b->live.bodies, i)
    if (has_derivatives(b) && m->body_lone[i]) gyroscopic_acceleration(b, i, h, force, acc);
    EACH_IN(b->live.dofs, d) {
        AT(b->free_vel, d) = AT(b->qvel, d) + h * acc[d];
        AT(b->first_vel, d) = AT(b->qvel, d) + h * AT(b->qacc_warmstart, d);
    }
}

// A and x* of the problem in its own unit
STAGE void free_motion(const tx_block *b) {
    if (b->still.idle) return;
    world_motion(b);
    // flocks have done so with their kinematics
    if (in_flocks(b)) of_the_loose(b, tree_forces);
    else by_parts(b, tree_forces);
    joining_forces(b);
    if (b->problem.unit == TX_UNIT_VELOCITY) {
        by_parts(b, begin_free_velocity);
        add_springs(b);
        by_parts(b, end_free_velocity);
    } else {
        if (flocks_factorise(b)) of_the_loose(b, factorise);
        by_parts(b, free_acceleration);
    }
}
