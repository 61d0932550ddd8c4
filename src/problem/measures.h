// measures.h - how far contacts are from the laws of rigid contact, whatever law made their forces: docs/residual.md.
#pragma once
#include "problem/problem.h"
#include "thixis/sim.h"

/// Of all contacts that have friction. Motions are [m/s], impulses [N s] in velocity problems.
typedef struct tx_measures {
    int contacts;
    double residual_ncp, residual_ccp; ///< natural maps with and without De Saxcé's shift, unit-free
    double residual_worst;             ///< the largest natural map with the shift of one contact
    tx_violations worst;               ///< with impulses in place of forces; the gap is not known
} tx_measures;

/// Of the answer that stands in y and gamma: one lane of doubles. Contacts are those with rigid kernels, and in
/// velocity problems those with cones and Hunt & Crossley's.
tx_measures tx_problem_measures(const tx_problem *p);

/// One contact of a step: normal, two tangents, spin, two rolls.
typedef struct tx_touch {
    int dim;
    double dist;                // [m]
    double mu[5];               // friction of rows 1 ...
    double force[6];            // [N], [N m]
    double before[6], after[6]; // relative motion of the surfaces at the step's beginning and end [m/s], [rad/s]
    double time;                // length of the step [s]
} tx_touch;
/// Adds a contact to the violations of an environment.
void tx_violations_add(tx_violations *v, const tx_touch *touch);
