// narrow.h - settings of the narrow phase, as the functions of convex pairs get them.
#pragma once
#include "thixis/builder.h"

/// What the options of the same names say; see tx_options.
typedef struct tx_narrow {
    tx_narrowphase method;
    double mpr_to_gjk_overlap_ratio;
    double perturbation; // [rad]
    double tolerance;    // share of the smaller shape's radius
    int contacts;        // 0: as many as the pair's function likes
    float *axis;         // of one pair, in the frame of its first shape: what has separated them last, else zero. Tried
                         // before they are searched, and renewed; it changes no point. null: none is kept
} tx_narrow;

/// What tx_default_options() has.
#define TX_MPR_TO_GJK_OVERLAP_RATIO 0.25
#define TX_MC_PERTURBATION          1e-2
#define TX_MC_TOLERANCE             5e-3

static inline tx_narrow tx_default_narrow(void) {
    return (tx_narrow){.mpr_to_gjk_overlap_ratio = TX_MPR_TO_GJK_OVERLAP_RATIO,
                       .perturbation = TX_MC_PERTURBATION,
                       .tolerance = TX_MC_TOLERANCE};
}

static inline tx_narrow tx_narrow_of(const tx_options *o) {
    return (tx_narrow){(tx_narrowphase)o->narrowphase,
                       o->mpr_to_gjk_overlap_ratio,
                       o->mc_perturbation,
                       o->mc_tolerance,
                       o->contacts_per_pair,
                       NULL};
}
