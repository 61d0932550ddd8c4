// laws.inl - the table of laws: one line each. lanes: any
#pragma once
#include "problem/law_soft.inl"

static const law laws[] = {LAW_ENTRY(soft)};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };
