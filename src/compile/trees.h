// trees.h - the trees of a model, how long their dofs reach, and which of them may sleep. docs/sleep.md.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

/// Needs bodies, joints, geoms, tendons and actuators; says where a policy cannot be kept.
void tx_fill_trees(const tx_draft *draft, tx_model *model, tx_diag *diag);
