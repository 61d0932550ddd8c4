// free_motion.inl - mass matrix, forces without constraints; A and x* of an acceleration problem.
// lanes: any
#pragma once
#include "dynamics/actuation.inl"
#include "dynamics/armature.inl"
#include "dynamics/dampers.inl"
#include "dynamics/fluid.inl"
#include "linalg/tree.inl"

// whether a dof lies between a body and the world: what moves without is no load of a dof
FN bool has_dofs(const tx_model *m, int body) { return m->body_lastdof[body] >= 0; }

// composite-rigid-body algorithm: M_ij = s_i · I_composite s_j
STAGE void mass_matrix(const tx_block *b) {
    const tx_model *m = b->m;
    real *crb = ARRAY(b->crb), *cdof = ARRAY(b->cdof), *M = ARRAY(b->M);
    for (int r = 0; r < b->live.movers.count; r++) {
        const tx_range in = b->live.movers.range[r];
        copy(crb + 10 * in.begin, ARRAY(b->cinert) + 10 * in.begin, 10 * (in.end - in.begin));
    }
    for (int r = b->live.movers.count - 1; r >= 0; r--)
        for (int i = b->live.movers.range[r].end - 1; i >= b->live.movers.range[r].begin; i--)
            if (has_dofs(m, m->body_parent[i])) row_plus(crb + 10 * m->body_parent[i], crb + 10 * i, 10);
    int shifts = 0; // dofs at the root that only shift: their axes are those of the world
    EACH_IN(b->live.dofs, i) {
        real f[6], *row = M + m->dof_madr[i];
        const int n = m->dof_mnum[i];
        if (n == 1) shifts = m->jnt_type[m->dof_jnt[i]] == TX_JOINT_FREE ? 3 : 0;
        inertia_mul(f, crb + 10 * m->dof_body[i], cdof + 6 * i);
        int j = i, s = 0;
        for (; s < n - shifts; s++, j = m->dof_parent[j]) row[s] = dot6(cdof + 6 * j, f);
        if (s == n - 3) row[s] = f[5], row[s + 1] = f[4], row[s + 2] = f[3];
        else
            for (; s < n; s++) row[s] = f[3 + n - 1 - s];
        row[0] = row[0] + PARAM(b, dof_armature, i);
    }
}

// what all trees stand on: it rests, and gravity is taken for its acceleration
FN void world_motion(const tx_block *b) {
    for (int k = 0; k < 6; k++) {
        AT(b->cvel, k) = AT(b->cfrc, k) = splat(0);
        AT(b->cacc, k) = k < 3 || !b->opt->gravity ? splat(0) : -PARAM(b, gravity, k - 3);
    }
}

// velocity of every body and the rate of every motion axis
STAGE void velocities(const tx_block *b) {
    const tx_model *m = b->m;
    real *cvel = ARRAY(b->cvel), *cdof = ARRAY(b->cdof), *rate = ARRAY(b->cdof_dot), *qvel = ARRAY(b->qvel);
    EACH_IN(b->live.movers, i) {
        real *v = cvel + 6 * i;
        for (int k = 0; k < 6; k++) v[k] = cvel[6 * m->body_parent[i] + k];
        for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++) {
            int d = m->jnt_dofadr[j], type = m->jnt_type[j];
            if (type == TX_JOINT_FREE) {
                // translations are fixed in the world
                for (int r = 0; r < 3; r++, d++) {
                    for (int k = 0; k < 6; k++) rate[6 * d + k] = splat(0);
                    v[3 + r] = v[3 + r] + qvel[d];
                }
            }
            // the three rotations of a body share one instant: all rates first, then all velocities
            int n = type == TX_JOINT_FREE || type == TX_JOINT_BALL ? 3 : 1;
            for (int r = 0; r < n; r++) cross_motion(rate + 6 * (d + r), v, cdof + 6 * (d + r));
            for (int r = 0; r < n; r++) row_add(v, qvel[d + r], cdof + 6 * (d + r), 6);
        }
    }
}

// recursive Newton-Euler at zero acceleration: Coriolis, centrifugal and gravity force
STAGE void bias_force(const tx_block *b) {
    const tx_model *m = b->m;
    real *cacc = ARRAY(b->cacc), *cfrc = ARRAY(b->cfrc), *qvel = ARRAY(b->qvel);
    EACH_IN(b->live.movers, i) {
        real *a = cacc + 6 * i, *f = cfrc + 6 * i, momentum[6], gyro[6];
        if (!has_dofs(m, i)) {
            for (int k = 0; k < 6; k++) {
                a[k] = cacc[k];
                f[k] = splat(0);
            }
            continue;
        }
        const real *v = &AT(b->cvel, 6 * i), *inertia = &AT(b->cinert, 10 * i);
        for (int k = 0; k < 6; k++) a[k] = cacc[6 * m->body_parent[i] + k];
        for (int d = m->body_dofadr[i]; d < m->body_dofadr[i] + m->body_dofnum[i]; d++)
            row_add(a, qvel[d], &AT(b->cdof_dot, 6 * d), 6);
        inertia_mul(f, inertia, a);
        inertia_mul(momentum, inertia, v);
        cross_force(gyro, v, momentum);
        for (int k = 0; k < 6; k++) f[k] = f[k] + gyro[k];
    }
    for (int r = b->live.movers.count - 1; r >= 0; r--)
        for (int i = b->live.movers.range[r].end - 1; i >= b->live.movers.range[r].begin; i--)
            if (has_dofs(m, m->body_parent[i])) row_plus(cfrc + 6 * m->body_parent[i], cfrc + 6 * i, 6);
    EACH_IN(b->live.dofs, d) AT(b->qfrc_bias, d) = dot6(&AT(b->cdof, 6 * d), cfrc + 6 * m->dof_body[d]);
}

// a fraction of each body's weight, at its centre of mass; like all passive forces it ends with springs and dampers
STAGE void gravity_compensation(const tx_block *b) {
    const tx_model *m = b->m;
    real *force = ARRAY(b->qfrc_gravcomp);
    EACH_IN(b->live.dofs, d) force[d] = splat(0);
    if (b->shortcuts.no_lift || !b->opt->gravity || (!b->opt->spring && !b->opt->damper)) return;
    EACH_IN(b->live.bodies, i) {
        real part = PARAM(b, body_gravcomp, i);
        if (m->body_lastdof[i] < 0 || !any(part != R(0))) continue;
        real lift[3], arm[3], spatial[6];
        for (int k = 0; k < 3; k++) {
            lift[k] = -(PARAM(b, gravity, k) * PARAM(b, body_mass, i) * part);
            arm[k] = AT(b->xipos, 3 * i + k) - AT(b->tree_com, 3 * m->body_root[i] + k);
            spatial[3 + k] = lift[k];
        }
        cross3(spatial, arm, lift);
        for (int d = m->body_lastdof[i]; d >= 0; d = m->dof_parent[d])
            force[d] = sel(part != R(0), force[d] + dot6(&AT(b->cdof, 6 * d), spatial), force[d]);
    }
}

FN bool is_scalar_joint(int type) { return type == TX_JOINT_HINGE || type == TX_JOINT_SLIDE; }

// the springs of a joint: a free one has two, of its place and of its orientation
FN int spring_parts(int type) { return type == TX_JOINT_FREE ? 2 : 1; }

// how far a spring is from where it rests, as a vector; returns how many numbers it has
FN int spring_stretch(const tx_block *b, int j, int part, real x[3]) {
    const int a = b->m->jnt_qposadr[j], type = b->m->jnt_type[j], n = type == TX_JOINT_FREE && part == 0 ? 3 : 1,
              yields = b->m->jnt_plastic[j];
    const real *rest = yields < 0 ? &PARAM(b, qpos_spring, a) : &AT(b->plastic, yields);
    if (type == TX_JOINT_BALL || part == 1) {
        const int at = a + 3 * part;
        real q[4];
        for (int r = 0; r < 4; r++) q[r] = AT(b->qpos, at + r);
        quat_normalize(q);
        quat_difference(x, q, rest + 3 * part);
        return 3;
    }
    for (int r = 0; r < n; r++) x[r] = AT(b->qpos, a + r) - rest[r];
    return n;
}

// springs and dampers of joints and the gravity compensation that no actuator provides
STAGE void joint_forces(const tx_block *b) {
    const tx_model *m = b->m;
    real *force = ARRAY(b->qfrc_passive);
    EACH_IN(b->live.dofs, d) {
        real lift = m->jnt_actgravcomp[m->dof_jnt[d]] ? splat(0) : AT(b->qfrc_gravcomp, d);
        force[d] = b->opt->damper ? lift - dof_damper(b, d) : lift;
    }
    if (b->shortcuts.no_springs) return;
    EACH_IN(b->live.joints, j) {
        real k = PARAM(b, jnt_stiffness, j);
        const real *more = &PARAM(b, jnt_stiffnesspoly, 2 * j);
        const mask bends = b->shortcuts.no_bends ? not_(lane_true()) : poly_bends(more), acts = (k != R(0)) | bends;
        if (!b->opt->spring || !any(acts)) continue;
        int d = m->jnt_dofadr[j], type = m->jnt_type[j];
        real x[3];
        if (b->shortcuts.no_bends && is_scalar_joint(type)) {
            spring_stretch(b, j, 0, x);
            force[d] = sel(acts, force[d] - k * x[0], force[d]);
            continue;
        }
        // the force points along the stretch, its size is a function of that of the stretch
        for (int part = 0; part < spring_parts(type); part++) {
            int n = spring_stretch(b, j, part, x);
            real size = n == 1 ? x[0] : any(bends) ? vsqrt(dot3(x, x)) : splat(0), factor = poly_factor(k, more, size);
            for (int r = 0; r < n; r++, d++) force[d] = sel(acts, force[d] - factor * x[r], force[d]);
        }
    }
}

// a force and torque at a body's centre of mass as a spatial force (torque, force) at the tree's centre of mass
FN void wrench_at_tree(const tx_block *b, int body, const real *force, const real *torque, real *spatial) {
    real arm[3];
    for (int k = 0; k < 3; k++) arm[k] = AT(b->xipos, 3 * body + k) - AT(b->tree_com, 3 * b->m->body_root[body] + k);
    cross3(spatial, arm, force);
    for (int k = 0; k < 3; k++) {
        spatial[k] = spatial[k] + torque[k];
        spatial[3 + k] = force[k];
    }
}

// adds the user's forces: generalized ones, and a force and torque at each body's centre of mass
STAGE void applied_force(const tx_block *b, real *force) {
    const tx_model *m = b->m;
    EACH_IN(b->live.dofs, d) force[d] = force[d] + AT(b->qfrc_applied, d);
    if (!b->pushed) return;
    EACH_IN(b->live.bodies, i) {
        const real *f = &AT(b->xfrc_applied, 6 * i);
        mask acts = f[0] != R(0);
        for (int k = 1; k < 6; k++) acts = acts | (f[k] != R(0));
        if (!any(acts)) continue;
        real spatial[6];
        wrench_at_tree(b, i, f, f + 3, spatial);
        for (int d = m->body_lastdof[i]; d >= 0; d = m->dof_parent[d])
            force[d] = sel(acts, force[d] + dot6(&AT(b->cdof, 6 * d), spatial), force[d]);
    }
}

// the mass matrix and the forces of each tree by itself
STAGE void tree_forces(const tx_block *b) {
    mass_matrix(b);
    velocities(b);
    bias_force(b);
    gravity_compensation(b);
    joint_forces(b);
}

// whether no actuator joins trees: then each part drives its own
FN bool drives_by_parts(const tx_block *b) { return b->parts_drive && b->shortcuts.no_geared; }

// what may join trees: tendons and actuators
FN void joining_forces(const tx_block *b) {
    if (b->has_paths) path_poses(b);
    tendons(b);
    add_armature(b);
    if (drives_by_parts(b)) return;
    transmissions(b);
    add_armature_bias(b);
    add_tendon_forces(b, ARRAY(b->qfrc_passive));
    add_actuator_damping(b, ARRAY(b->qfrc_passive));
    actuator_forces(b);
}

// all forces but those of constraints
FN void sum_forces(const tx_block *b) {
    real *force = ARRAY(b->qfrc_smooth);
    if (drives_by_parts(b)) {
        transmissions(b);
        actuator_forces(b);
    }
    add_fluid_forces(b, ARRAY(b->qfrc_passive));
    EACH_IN(b->live.dofs, d) force[d] = (AT(b->qfrc_passive, d) - AT(b->qfrc_bias, d)) + AT(b->qfrc_actuator, d);
    applied_force(b, force);
}

// the factor of M
STAGE void factorise(const tx_block *b) {
    const tx_model *m = b->m;
    for (int r = 0; r < b->live.dofs.count; r++) {
        const tx_range in = b->live.dofs.range[r];
        const int first = m->dof_madr[in.begin], last = m->dof_madr[in.end - 1] + m->dof_mnum[in.end - 1];
        copy(ARRAY(b->L) + first, ARRAY(b->M) + first, last - first);
        tree_factor(&b->tree, in.begin, in.end, ARRAY(b->L), ARRAY(b->Linv));
    }
}

// A and x* of an acceleration problem
STAGE void free_acceleration(const tx_block *b) {
    real *force = ARRAY(b->qfrc_smooth), *acc = ARRAY(b->qacc_smooth);
    sum_forces(b);
    if (!flocks_factorise(b)) factorise(b);
    for (int r = 0; r < b->live.dofs.count; r++) {
        const tx_range in = b->live.dofs.range[r];
        copy(acc + in.begin, force + in.begin, in.end - in.begin);
        tree_solve(&b->tree, in.begin, in.end, ARRAY(b->L), ARRAY(b->Linv), acc);
    }
}

// potential and kinetic energy of the present state; needs kinematics and the mass matrix
STAGE void energies(const tx_block *b) {
    const tx_model *m = b->m;
    real potential = splat(0), kinetic = splat(0), *Mv = ARRAY(b->scratch);
    for (int i = 1; i < m->nbody && b->opt->gravity; i++)
        potential = potential - PARAM(b, body_mass, i) * dot3(&PARAM(b, gravity, 0), &AT(b->xipos, 3 * i));
    for (int j = 0; j < m->njnt && b->opt->spring; j++) {
        real k = PARAM(b, jnt_stiffness, j), square = splat(0), x[3];
        const real *more = &PARAM(b, jnt_stiffnesspoly, 2 * j);
        for (int part = 0; part < spring_parts(m->jnt_type[j]); part++) {
            int n = spring_stretch(b, j, part, x);
            real own = n == 1 ? x[0] * x[0] : dot3(x, x);
            square = square + own;
            potential = potential + poly_energy(more, n == 1 ? x[0] : vsqrt(own));
        }
        potential = potential + R(0.5) * k * square;
    }
    for (int t = 0; t < m->ntendon && b->opt->spring; t++) {
        real stretch = tendon_stretch(b, t);
        potential = potential + R(0.5) * PARAM(b, tendon_stiffness, t) * stretch * stretch;
        potential = potential + poly_energy(&PARAM(b, tendon_stiffnesspoly, 2 * t), stretch);
    }
    tree_mul(&b->tree, 0, m->nv, ARRAY(b->M), ARRAY(b->qvel), Mv);
    for (int d = 0; d < m->nv; d++) kinetic = kinetic + R(0.5) * AT(b->qvel, d) * Mv[d];
    AT(b->energy, 0) = potential;
    AT(b->energy, 1) = kinetic;
}
