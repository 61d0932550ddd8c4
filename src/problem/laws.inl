// laws.inl - the table of laws: one line each. lanes: any
#pragma once
#include "problem/law_soft.inl"
#include "problem/law_soft_elliptic.inl"

static const law laws[] = {
    LAW_ENTRY(soft)          //
    LAW_ENTRY(soft_elliptic) //
};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };
