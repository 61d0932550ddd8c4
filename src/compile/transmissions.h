// transmissions.h - tendons and actuators of a builder: checks, sizes, and their arrays of the model.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

void tx_check_transmissions(const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);

/// Sets nwrap, ntendof, nmoment, na of `sizes`. bodies: a model that has its bodies already. @return false: no memory
bool tx_count_transmissions(const tx_draft *draft, const tx_model *bodies, tx_model *sizes);
void tx_fill_transmissions(const tx_draft *draft, tx_model *model);
