// lengthrange.h - the shortest and the longest that an actuator can be.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

/// Fills actuator_lengthrange where the compiler's settings ask for it; everything else of the model is there.
/// @return false: no memory
bool tx_fill_lengthranges(const tx_draft *draft, tx_model *model, tx_diag *diag);
