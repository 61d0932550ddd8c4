// sense_rays.h - rangefinders.
#pragma once
#include "model/block.h"

/// Writes the numbers of a rangefinder. Needs the poses of sites, cameras and geoms.
void tx_sense_rays(tx_block *b, int lane, int sensor);
