// check.h - the checks of a model before it is compiled.
#pragma once
#include "compile/builder.h"

/// Reports every problem of the definitions. @return false when there was an error
bool tx_check(const tx_builder *builder, tx_diag *diag);

int tx_find_body(const tx_builder *builder, const char *name);   // -1: none
int tx_find_geom(const tx_builder *builder, const char *name);   // -1: none
int tx_find_joint(const tx_builder *builder, const char *name);  // -1: none
bool tx_has_limits(const tx_joint_def *joint);
