// history.h - what controls and sensors were a while ago: buffers of one environment. docs/actuators.md
#pragma once
#include "model/block.h"

/// The controls that act `ahead` of the present time, late by their delays, into ctrl_now.
void tx_history_controls(tx_block *b, int lane, double ahead);
/// What the sensors say now, late by their delays and as often as they measure; what they measured stays in
/// sensor_fresh.
void tx_history_sensors(tx_block *b, int lane);
/// Remembers the time; after the step, if it has moved on, the samples of that time are kept.
void tx_history_begin(tx_block *b, int lane);
void tx_history_end(tx_block *b, int lane);

/// Buffers at the start: zeros at times before it. row: nhistory numbers
void tx_history_start(const tx_model *m, double timestep, double *row);
