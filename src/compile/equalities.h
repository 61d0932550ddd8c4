// equalities.h - equalities of a builder as arrays of the model.
#pragma once
#include "compile/draft.h"
#include "model/block.h"

/// What the definitions say by themselves.
void tx_fill_equalities(const tx_draft *draft, tx_model *model);

/// What follows from the poses at qpos0; needs kinematics.
void tx_pose_equalities(const tx_builder *builder, tx_model *model, const tx_block *block);
