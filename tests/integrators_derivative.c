// integrators_derivative.c - the scalar text of the bias derivative, for a check by differences. lanes: 1
#define TX_LANES 1
#include "step/integrate.inl"

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
    for (int i = 0; i < m->nv * m->nv; i++) derivative[i] = 0;
    for (int k = 0; k < m->nv; k++) {
        int j = k;
        for (int s = 0; s < m->dof_mnum[k]; s++, j = m->dof_parent[j]) {
            derivative[k * m->nv + j] = low[m->dof_madr[k] + s];
            if (s > 0) derivative[j * m->nv + k] = up[m->dof_madr[k] + s];
        }
    }
}
