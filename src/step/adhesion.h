// adhesion.h - the moments of actuators that act on a body through what touches it.
#pragma once
#include "model/block.h"

/// Writes their moments in one environment; needs kinematics and the contacts of this step.
void tx_adhesion_moments(const tx_block *block, int lane);
