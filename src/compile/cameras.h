// cameras.h - cameras of a builder: checks, and their arrays of the model.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

void tx_check_cameras(const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);
void tx_fill_cameras(const tx_draft *draft, tx_model *model);
