// validate.h - whether every index of a model stays inside its arrays.
#pragma once
#include "model/model.h"

/// Checks a model whose bytes come from outside. @return false: `why` names the field that is wrong
bool tx_model_validate(const tx_model *model, const char **why);

/// Whether the field's range is known, for a test that no field was forgotten.
bool tx_model_validates(tx_model_int field);
