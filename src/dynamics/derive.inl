// derive.inl - constants that follow from the parameters at qpos0: inverse weights, strengths and mean inertia. lanes:
// any
//
// As MuJoCo defines them: body_invweight0 = mean diagonals of J M⁻¹ Jᵀ at the body's centre of mass, dof_invweight0 =
// the diagonal of M⁻¹ averaged over the axes of a joint. Overwrites qpos and the outputs of the block.
#pragma once
#include "dynamics/cameras.inl"
#include "dynamics/free_motion.inl"

// j M⁻¹ jᵀ for a row j (destroyed) that is zero but at `last` and its ancestors: L⁻ᵀ j has no other entries, and with
// M⁻¹ = L⁻¹ D⁻¹ L⁻ᵀ the weight is the sum of its squares over D
FN real chain_weight(const tx_block *b, int last, real *row) {
    const tx_tree *tree = &b->tree;
    const real *inv = ARRAY(b->Linv);
    real sum = splat(0);
    for (int d = last; d >= 0; d = tree->parent[d]) {
        const real *factor = ARRAY(b->L) + tree->first[d];
        int up = tree->parent[d];
        for (int s = 1; up >= 0; s++, up = tree->parent[up]) row[up] = row[up] - factor[s] * row[d];
        sum = sum + row[d] * row[d] * inv[d];
    }
    return sum;
}

// a row that is `entry` at the given dofs and zero elsewhere, and M⁻¹ times it; only the trees of these dofs are looked
// at: [begin, end)
typedef struct wide_row {
    real *row, *solved;
    int begin, end;
} wide_row;

FN wide_row solve_wide(const tx_block *b, const int *dofs, const real *entry, int count) {
    const int *parent = b->tree.parent;
    wide_row w = {ARRAY(b->scratch), ARRAY(b->scratch) + b->m->nv, count ? b->m->nv : 0, 0};
    for (int i = 0; i < count; i++) {
        w.begin = dofs[i] < w.begin ? dofs[i] : w.begin;
        w.end = dofs[i] >= w.end ? dofs[i] + 1 : w.end;
    }
    while (count && parent[w.begin] >= 0) w.begin = parent[w.begin];
    while (w.end < b->m->nv && w.end > 0 && parent[w.end] >= 0) w.end++;
    for (int d = w.begin; d < w.end; d++) w.row[d] = splat(0);
    for (int i = 0; i < count; i++) w.row[dofs[i]] = entry[i];
    for (int d = w.begin; d < w.end; d++) w.solved[d] = w.row[d];
    tree_solve(&b->tree, w.begin, w.end, ARRAY(b->L), ARRAY(b->Linv), w.solved);
    return w;
}

FN void derive_body(const tx_block *b, int body, real *out) {
    const tx_model *m = b->m;
    real *row = ARRAY(b->scratch), mean[2] = {splat(0), splat(0)};
    if (m->body_sliders[body]) {
        out[0] = R(1) / vmax(PARAM(b, body_mass, body), splat(R(1e-15)));
        out[1] = splat(0);
        return;
    }
    for (int k = 0; k < 6; k++) {
        // row k of the Jacobian: k < 3 translation of the centre of mass, else rotation
        for (int d = m->body_lastdof[body]; d >= 0; d = m->dof_parent[d]) {
            real moved[3];
            point_rate(b, d, &AT(b->xipos, 3 * body), moved);
            row[d] = k < 3 ? moved[k] : AT(b->cdof, 6 * d + k - 3);
        }
        mean[k / 3] = mean[k / 3] + chain_weight(b, m->body_lastdof[body], row);
    }
    out[0] = mean[0] / R(3);
    out[1] = mean[1] / R(3);
}

// where a block keeps a derived parameter
#define DERIVED(b, field) ((num *)(b)->param.field)

// lengths and inverse weights of the tendons, strengths of the actuators
FN void derive_transmissions(const tx_block *b) {
    const tx_model *m = b->m;
    // nothing touches at qpos0
    for (int i = 0; i < m->nactuator; i++)
        for (int e = 0; e < m->actuator_dofnum[i]; e++) AT(b->moment, m->actuator_dofadr[i] + e) = splat(0);
    transmissions(b);
    for (int t = 0; t < m->ntendon; t++) {
        int first = m->tendon_dofadr[t];
        wide_row w = solve_wide(b, m->tendon_dof + first, &AT(b->tendon_J, first), m->tendon_dofnum[t]);
        real weight = splat(0);
        for (int d = w.begin; d < w.end; d++) weight = weight + w.row[d] * w.solved[d];
        AT(DERIVED(b, tendon_length0), t) = AT(b->tendon_length, t);
        AT(DERIVED(b, tendon_invweight0), t) = weight;
    }
    for (int i = 0; i < m->nactuator; i++) {
        int first = m->actuator_dofadr[i];
        wide_row w = solve_wide(b, m->moment_dof + first, &AT(b->moment, first), m->actuator_dofnum[i]);
        real square = splat(0);
        for (int d = w.begin; d < w.end; d++) square = square + w.solved[d] * w.solved[d];
        AT(DERIVED(b, actuator_acc0), i) = vsqrt(square);
    }
}

// the medium that moves with the ellipsoids
FN void derive_added_masses(const tx_block *b) {
    const tx_model *m = b->m;
    for (int g = 0; g < m->ngeom; g++) {
        real *out = &AT(DERIVED(b, geom_addedmass), 6 * g), axis[3];
        semi_axes(b, g, axis);
        if (m->geom_fluid[g]) added_mass(axis, out, out + 3);
        else
            for (int k = 0; k < 6; k++) out[k] = splat(0);
    }
}

// where cameras stand relative to what they follow
FN void derive_cameras(const tx_block *b) {
    const tx_model *m = b->m;
    for (int i = 0; i < m->ncam; i++) {
        const real *pos = &AT(b->cam_xpos, 3 * i), *body = &AT(b->xpos, 3 * m->cam_body[i]);
        real centre[3];
        place_camera(b, i);
        subtree_com(b, m->cam_body[i], centre);
        for (int k = 0; k < 3; k++) {
            AT(DERIVED(b, cam_pos0), 3 * i + k) = pos[k] - body[k];
            AT(DERIVED(b, cam_poscom0), 3 * i + k) = pos[k] - centre[k];
        }
        for (int k = 0; k < 9; k++) AT(DERIVED(b, cam_mat0), 9 * i + k) = AT(b->cam_xmat, 9 * i + k);
    }
}

STAGE void derive(tx_block *b) {
    const tx_model *m = b->m;
    num *body_invweight0 = DERIVED(b, body_invweight0), *dof_invweight0 = DERIVED(b, dof_invweight0);
    for (int i = 0; i < m->nq; i++) AT(b->qpos, i) = PARAM(b, qpos0, i);
    kinematics(b);
    mass_matrix(b);
    path_poses(b);
    tendons(b);
    add_armature(b);
    for (int i = 0; i < m->nm; i++) AT(b->L, i) = AT(b->M, i);
    tree_factor(&b->tree, 0, m->nv, ARRAY(b->L), ARRAY(b->Linv));

    for (int i = 0; i < m->nbody; i++) {
        real *out = &AT(body_invweight0, 2 * i);
        if (m->body_lastdof[i] >= 0) derive_body(b, i, out);
        else out[0] = out[1] = splat(0);
    }

    real *row = ARRAY(b->scratch);
    for (int j = 0; j < m->njnt; j++) {
        int first = m->jnt_dofadr[j], type = m->jnt_type[j], body = m->jnt_body[j];
        int n = type == TX_JOINT_FREE || type == TX_JOINT_BALL ? 3 : 1;
        for (int part = 0; part < (type == TX_JOINT_FREE ? 2 : 1); part++) {
            real sum = splat(0);
            for (int r = 0; r < n; r++) {
                int dof = first + 3 * part + r;
                for (int d = dof; d >= 0; d = m->dof_parent[d]) row[d] = splat(d == dof);
                sum = sum + chain_weight(b, dof, row);
            }
            real weight = sum / R(n);
            if (m->body_sliders[body]) weight = R(1) / vmax(PARAM(b, body_mass, body), splat(R(1e-15)));
            for (int r = 0; r < n; r++) AT(dof_invweight0, first + 3 * part + r) = weight;
        }
    }

    derive_transmissions(b);
    derive_added_masses(b);
    derive_cameras(b);
    real trace = splat(0);
    for (int d = 0; d < m->nv; d++) trace = trace + AT(b->M, m->dof_madr[d]);
    AT(DERIVED(b, meaninertia), 0) = vmax(trace / R(m->nv > 0 ? m->nv : 1), splat(R(1e-15)));
}
