// check.h - the checks of a model before it is compiled.
#pragma once
#include "compile/names.h"

/// Reports every problem of the definitions. @return false when there was an error
bool tx_check(const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);

bool tx_has_limits(const tx_joint_def *joint);

/// Reports a free joint of a body that is not a child of the world.
void tx_check_free(const tx_joint_def *joint, int parent, tx_diag *diag);
