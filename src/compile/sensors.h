// sensors.h - sites and sensors of a builder: checks, and their arrays of the model.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

void tx_check_sensors(const tx_builder *builder, const tx_catalog *catalog, tx_diag *diag);

/// How many numbers all sensors have together; wrong types count nothing.
int tx_sensor_numbers(const tx_builder *builder);
/// How many numbers the past of controls and sensors has; -1: too many.
int tx_history_numbers(const tx_builder *builder);
void tx_fill_sensors(const tx_draft *draft, tx_model *model);
