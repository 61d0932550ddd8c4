// laws.inl - the table of laws: one line each. lanes: any
#pragma once
#include "problem/law_hard.inl"
#include "problem/law_hunt.inl"
#include "problem/law_sap.inl"
#include "problem/law_soft.inl"

static const law laws[] = {
    {"soft", KERNEL_pyramid, KERNEL_one_sided, false, soft_prepare},
    {"soft_elliptic", KERNEL_cone, KERNEL_one_sided, false, soft_prepare},
    {"sap", KERNEL_cone, KERNEL_one_sided, true, sap_prepare},
    {"similar", KERNEL_similar, KERNEL_similar, true, similar_prepare},
    {"lagged", KERNEL_lagged, KERNEL_lagged, true, lagged_prepare},
    {"hard", KERNEL_coulomb, KERNEL_coulomb, true, hard_prepare},
    {"hard_ccp", KERNEL_ccp, KERNEL_ccp, true, hard_prepare},
    {"hard_box", KERNEL_box, KERNEL_box, true, hard_prepare},
};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };
