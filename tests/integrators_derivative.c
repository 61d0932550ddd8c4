// integrators_derivative.c - the scalar text of the velocity derivatives, for a check by differences. lanes: 1
#define TX_LANES 1
#include "step/integrate.inl"

// entries (dof, ancestor) and (ancestor, dof) as a dense matrix
static void spread(const tx_model *m, const double *low, const double *up, double *derivative) {
    for (int i = 0; i < m->nv * m->nv; i++) derivative[i] = 0;
    for (int k = 0; k < m->nv; k++) {
        int j = k;
        for (int s = 0; s < m->dof_mnum[k]; s++, j = m->dof_parent[j]) {
            derivative[k * m->nv + j] = low[m->dof_madr[k] + s];
            if (s > 0) derivative[j * m->nv + k] = up[m->dof_madr[k] + s];
        }
    }
}

// bias force and its velocity derivative (dense, nv x nv) of the state that stands in the block
void bias_and_derivative(tx_block *b, double *bias, double *derivative) {
    const tx_model *m = b->m;
    kinematics(b);
    free_motion(b);
    for (int d = 0; d < m->nv; d++) bias[d] = AT(b->qfrc_bias, d);
    if (!derivative) return;
    real *low = ARRAY(b->damped), *up = ARRAY(b->upper);
    for (int i = 0; i < m->nm; i++) low[i] = up[i] = 0;
    add_bias_derivative(b, 0, m->nv, 1, low, up);
    spread(m, low, up, derivative);
}

// the same of the forces of the medium
void fluid_and_derivative(tx_block *b, double *force, double *derivative) {
    const tx_model *m = b->m;
    kinematics(b);
    free_motion(b);
    for (int d = 0; d < m->nv; d++) force[d] = 0;
    add_fluid_forces(b, force);
    if (!derivative) return;
    real *low = ARRAY(b->damped), *up = ARRAY(b->upper);
    for (int i = 0; i < m->nm; i++) low[i] = up[i] = 0;
    add_fluid_derivative(b, 0, m->nv, -1, low, up);
    spread(m, low, up, derivative);
}
