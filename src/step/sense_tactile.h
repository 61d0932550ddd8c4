// sense_tactile.h - sensors that feel how deep and how fast the points of a mesh slide in what its body touches.
#pragma once
#include "model/block.h"

/// Writes the numbers of a tactile sensor. Needs the contacts, the poses of geoms and the velocities of bodies.
void tx_sense_tactile(tx_block *b, int lane, int sensor);
