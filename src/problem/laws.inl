// laws.inl - the table of laws: one line each. lanes: any
#pragma once
#include "problem/law_soft.inl"

static const law laws[] = {
    {"soft", KERNEL_pyramid, soft_prepare},
    {"soft_elliptic", KERNEL_cone, soft_prepare},
};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };
