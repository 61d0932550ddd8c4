// laws.inl - the table of laws: one line each. lanes: any
#pragma once
#include "problem/law_hard.inl"
#include "problem/law_hunt.inl"
#include "problem/law_sap.inl"
#include "problem/law_soft.inl"

// of primal solvers what MuJoCo has; of rigid contacts what dual ones need (docs/laws.md)
#define PRIMAL_LIMITS 100, 1e-8
#define DUAL_LIMITS   500, 1e-6

static const law laws[] = {
    {"soft", KERNEL_pyramid, KERNEL_one_sided, false, PRIMAL_LIMITS, soft_prepare},
    {"soft_elliptic", KERNEL_cone, KERNEL_one_sided, false, PRIMAL_LIMITS, soft_prepare},
    {"sap", KERNEL_cone, KERNEL_one_sided, true, PRIMAL_LIMITS, sap_prepare},
    {"similar", KERNEL_similar, KERNEL_similar, true, PRIMAL_LIMITS, similar_prepare},
    {"lagged", KERNEL_lagged, KERNEL_lagged, true, PRIMAL_LIMITS, lagged_prepare},
    {"hard", KERNEL_coulomb, KERNEL_coulomb, true, DUAL_LIMITS, hard_prepare},
    {"hard_ccp", KERNEL_ccp, KERNEL_ccp, true, DUAL_LIMITS, hard_prepare},
    {"hard_box", KERNEL_box, KERNEL_box, true, DUAL_LIMITS, hard_prepare},
};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };
