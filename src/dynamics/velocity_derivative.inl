// velocity_derivative.inl - ∂(forces)/∂(velocity): damping, actuators, the medium and the Coriolis part. lanes: any
//
// The bias force of dof i is s_i · Σ f_b over the bodies b below it, f_b = I_b a_b + v_b ×* I_b v_b. A unit velocity of
// a dof j above b changes v_b by s_j and a_b by u_j - v_b × s_j, u_j = ṡ_j - s_j × v_j, where v_j is the velocity
// behind j's joint: the rates of all later axes turn with s_j. So
//   ∂f_b/∂q̇_j = I_b u_j + B_b s_j,   B_b s = v_b ×* (I_b s) - I_b (v_b × s) + s ×* (I_b v_b),
// and both I and B add up over a subtree. With composites I^c, B^c of the deeper of the two dofs:
//   ∂bias_i/∂q̇_j = s_i · (I^c u_j + B^c s_j).
// docs/integrators.md derives it; a test checks it by differences.
#pragma once
#include "dynamics/free_motion.inl"

// B_b as a dense 6 x 6 matrix, column by column
FN void bias_matrix(real *B, const real *inertia, const real *v) {
    real momentum[6];
    inertia_mul(momentum, inertia, v);
    for (int c = 0; c < 6; c++) {
        real s[6], Is[6], vs[6], Ivs[6], gyro[6], turn[6];
        for (int k = 0; k < 6; k++) s[k] = splat(k == c);
        inertia_mul(Is, inertia, s);
        cross_force(gyro, v, Is);
        cross_motion(vs, v, s);
        inertia_mul(Ivs, inertia, vs);
        cross_force(turn, s, momentum);
        for (int r = 0; r < 6; r++) B[6 * r + c] = (gyro[r] - Ivs[r]) + turn[r];
    }
}

// velocity of the body right behind joint j: that of its parent plus all joints up to j
FN void velocity_behind(const tx_block *b, int j, real *v) {
    const tx_model *m = b->m;
    int body = m->jnt_body[j], last = m->jnt_dofadr[j] + (m->jnt_type[j] == TX_JOINT_FREE   ? 6
                                                          : m->jnt_type[j] == TX_JOINT_BALL ? 3
                                                                                            : 1);
    for (int k = 0; k < 6; k++) v[k] = AT(b->cvel, 6 * m->body_parent[body] + k);
    for (int d = m->body_dofadr[body]; d < last; d++)
        for (int k = 0; k < 6; k++) v[k] = v[k] + AT(b->cdof, 6 * d + k) * AT(b->qvel, d);
}

// the bodies that the dofs [first, last) of whole trees move, and perhaps some behind them that nothing moves
FN tx_range bodies_of(const tx_model *m, int first, int last) {
    tx_range in = {m->dof_body[first], m->dof_body[first]};
    while (in.end < m->nbody && m->body_lastdof[in.end] < last) in.end++;
    return in;
}

// a 6 x 6 matrix per body becomes that of its subtree, for bodies that the dofs [first, last) move
FN void sum_over_subtrees(const tx_model *m, int first, int last, real *B) {
    const tx_range in = bodies_of(m, first, last);
    for (int i = in.end - 1; i >= in.begin; i--) {
        int parent = m->body_parent[i];
        if (m->body_lastdof[i] < first || m->body_lastdof[i] >= last || m->body_lastdof[parent] < first) continue;
        for (int k = 0; k < 36; k++) B[36 * parent + k] = B[36 * parent + k] + B[36 * i + k];
    }
}

// s·B and B s
FN void matrix_products(const real *B, const real *s, real *sB, real *Bs) {
    for (int k = 0; k < 6; k++) {
        sB[k] =
            s[0] * B[k] + s[1] * B[6 + k] + s[2] * B[12 + k] + s[3] * B[18 + k] + s[4] * B[24 + k] + s[5] * B[30 + k];
        Bs[k] = dot6(B + 6 * k, s);
    }
}

// adds h ∂bias/∂velocity for dofs [first, last): `low` gets the entries (dof, ancestor), `up` the entries (ancestor,
// dof), both in the layout of the mass matrix. Needs cvel, cdof, cdof_dot and the composite inertias of this state.
STAGE void add_bias_derivative(const tx_block *b, int first, int last, real h, real *low, real *up) {
    const tx_model *m = b->m;
    real *B = ARRAY(b->bias_matrix);
    const tx_range in = bodies_of(m, first, last);
    for (int i = in.begin; i < in.end; i++) {
        if (m->body_lastdof[i] < first || m->body_lastdof[i] >= last) continue;
        bias_matrix(B + 36 * i, &AT(b->cinert, 10 * i), &AT(b->cvel, 6 * i));
    }
    sum_over_subtrees(m, first, last, B);
    // u_j of every dof
    real *u = ARRAY(b->axis_rate);
    for (int d = first; d < last; d++) {
        int j = m->dof_jnt[d];
        real v[6], turned[6];
        bool translation = m->jnt_type[j] == TX_JOINT_FREE && d < m->jnt_dofadr[j] + 3;
        velocity_behind(b, j, v);
        // the three translations of a free joint are one instant, its rotations the next; its parent is the world
        if (translation)
            for (int k = 0; k < 6; k++) {
                v[k] = splat(0);
                for (int r = 0; r < 3; r++)
                    v[k] = v[k] + AT(b->cdof, 6 * (m->jnt_dofadr[j] + r) + k) * AT(b->qvel, m->jnt_dofadr[j] + r);
            }
        cross_motion(turned, &AT(b->cdof, 6 * d), v);
        for (int k = 0; k < 6; k++) u[6 * d + k] = AT(b->cdof_dot, 6 * d + k) - turned[k];
    }
    for (int i = first; i < last; i++) {
        const real *s = &AT(b->cdof, 6 * i), *Bc = B + 36 * m->dof_body[i], *Ic = &AT(b->crb, 10 * m->dof_body[i]);
        // s·B, I s for the entries towards the root; I u + B s for the entries from it
        real sB[6], Is[6], w[6], Iu[6];
        inertia_mul(Is, Ic, s);
        inertia_mul(Iu, Ic, u + 6 * i);
        matrix_products(Bc, s, sB, w);
        for (int k = 0; k < 6; k++) w[k] = Iu[k] + w[k];
        int j = i;
        for (int e = 0; e < m->dof_mnum[i]; e++, j = m->dof_parent[j]) {
            int at = m->dof_madr[i] + e;
            low[at] = low[at] + h * (dot6(Is, u + 6 * j) + dot6(sB, &AT(b->cdof, 6 * j)));
            if (e > 0) up[at] = up[at] + h * dot6(&AT(b->cdof, 6 * j), w);
        }
    }
}

// derivative of all that an actuator does along its moment: its force while it acts, its damper on a tendon always
FN real coupled_slope(const tx_block *b, int i) {
    real slope = actuator_acts(b, i) ? actuator_slope(b, i) : splat(0);
    return slope - actuator_damping_slope(b, i);
}

// -∂(passive + actuator force)/∂velocity on the diagonal: damping, and velocity terms of actuators that are not clamped
STAGE void damping_diagonal(const tx_block *b, real *diagonal) {
    const tx_model *m = b->m;
    if (b->opt->damper) joint_damping(b, diagonal);
    for (int d = 0; d < m->nv && !b->opt->damper; d++) diagonal[d] = splat(0);
    for (int t = 0; t < m->ntendon && b->opt->damper; t++)
        for (int e = m->tendon_dofadr[t]; e < m->tendon_dofadr[t] + m->tendon_dofnum[t]; e++) {
            real J = AT(b->tendon_J, e);
            diagonal[m->tendon_dof[e]] = diagonal[m->tendon_dof[e]] + J * J * tendon_damping_slope(b, t);
        }
    for (int i = 0; i < m->nactuator; i++) {
        real slope = coupled_slope(b, i);
        for (int e = m->actuator_dofadr[i]; e < m->actuator_dofadr[i] + m->actuator_dofnum[i]; e++) {
            real moment = AT(b->moment, e);
            diagonal[m->moment_dof[e]] = diagonal[m->moment_dof[e]] - moment * moment * slope;
        }
    }
}

// adds scale * Jᵀ J off the diagonal, where one of the two dofs is above the other; dofs [first, last). up may be null
FN void add_outer_product(const tx_block *b, int first, int last, const int *dof, const real *J, int count, real scale,
                          real *low, real *up) {
    const tx_model *m = b->m;
    for (int e = 0; e < count; e++) {
        int above = dof[e];
        if (above < first || above >= last) continue;
        for (int s = 0; s < m->dof_mnum[dof[e]]; s++, above = m->dof_parent[above])
            for (int o = 0; s > 0 && o < count; o++) {
                if (dof[o] != above) continue;
                int at = m->dof_madr[dof[e]] + s;
                low[at] = low[at] + scale * J[e] * J[o];
                if (up) up[at] = up[at] + scale * J[e] * J[o];
            }
    }
}

// adds h * -∂force/∂velocity off the diagonal: tendons and actuators that act on several dofs
STAGE void add_coupled_damping(const tx_block *b, int first, int last, real h, real *low, real *up) {
    const tx_model *m = b->m;
    for (int t = 0; t < m->ntendon && b->opt->damper; t++) {
        int at = m->tendon_dofadr[t];
        add_outer_product(b, first, last, m->tendon_dof + at, &AT(b->tendon_J, at), m->tendon_dofnum[t],
                          h * tendon_damping_slope(b, t), low, up);
    }
    for (int i = 0; i < m->nactuator; i++) {
        int at = m->actuator_dofadr[i];
        if (m->actuator_dofnum[i] < 2) continue;
        add_outer_product(b, first, last, m->moment_dof + at, &AT(b->moment, at), m->actuator_dofnum[i],
                          -h * coupled_slope(b, i), low, up);
    }
}

// adds h * -∂force/∂velocity of the medium. Like the bias force it is one matrix per body, and these add up over a
// subtree: ∂force_i/∂q̇_j = s_i · D^c s_j with the composite D^c of the deeper of the two dofs. up may be null
// a lone free body whose own axes are those of its inertia: MuJoCo's mass matrix is diagonal there, so its drag is too
FN bool has_diagonal_drag(const tx_block *b, int body) {
    const tx_model *m = b->m;
    bool simple = b->opt->integrator == TX_INTEGRATOR_DISCRETE && m->body_lone[body];
    for (int k = 0; k < 3 && simple; k++)
        simple = fabs(m->body_ipos[3 * body + k]) < 1e-6 && fabs(m->body_iquat[4 * body + 1 + k]) < 1e-6;
    return simple;
}

STAGE void add_fluid_derivative(const tx_block *b, int first, int last, real h, real *low, real *up) {
    const tx_model *m = b->m;
    medium fluid = medium_of(b);
    if (!has_medium(b, fluid)) return;
    real *D = ARRAY(b->bias_matrix);
    const tx_range in = bodies_of(m, first, last);
    for (int i = in.begin; i < in.end; i++) {
        if (m->body_lastdof[i] < first || m->body_lastdof[i] >= last) continue;
        mask wet = is_wet(b, fluid, i);
        fluid_on_body(b, fluid, i, NULL, D + 36 * i);
        for (int k = 0; k < 36; k++) D[36 * i + k] = sel(wet, D[36 * i + k], splat(0));
    }
    sum_over_subtrees(m, first, last, D);
    for (int i = first; i < last; i++) {
        const real *s = &AT(b->cdof, 6 * i), *Dc = D + 36 * m->dof_body[i];
        real sD[6], Ds[6];
        matrix_products(Dc, s, sD, Ds);
        int j = i;
        const int entries = has_diagonal_drag(b, m->dof_body[i]) ? 1 : m->dof_mnum[i];
        for (int e = 0; e < entries; e++, j = m->dof_parent[j]) {
            int at = m->dof_madr[i] + e;
            low[at] = low[at] - h * dot6(sD, &AT(b->cdof, 6 * j));
            if (up && e > 0) up[at] = up[at] - h * dot6(&AT(b->cdof, 6 * j), Ds);
        }
    }
}
