// measures.h - how far contacts are from the laws of rigid contact, whatever law made their forces: docs/residual.md.
#pragma once
#include "problem/problem.h"

/// Of all contacts that have friction. Motions are [m/s], impulses [N s] in velocity problems.
typedef struct tx_measures {
    int contacts;
    double residual_ncp, residual_ccp; ///< natural maps with and without De Saxcé's shift, unit-free
    double residual_worst;             ///< the largest natural map with the shift of one contact
    double approach;                   ///< Signorini: largest normal motion into the other body
    double pull;                       ///< Signorini: largest normal force that pulls
    double work;                       ///< Signorini: largest product of normal force and motion
    double excess;                     ///< Coulomb: most that friction is beyond its cone
    double dissipation;                ///< maximum dissipation: most power that friction could have taken and did not
    double slip;                       ///< largest tangential motion of a contact that presses
} tx_measures;

/// Of the answer that stands in y and gamma: one lane of doubles. Contacts are those with rigid kernels, and in
/// velocity problems those with cones.
tx_measures tx_problem_measures(const tx_problem *p);
