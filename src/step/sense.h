// sense.h - what the sensors of one environment need from rays and contacts.
#pragma once
#include "model/block.h"

/// Writes the numbers of rangefinders and touch sensors, and the contact forces on every body (cfrc_ext). Needs the
/// poses of geoms and sites, and solved contacts.
void tx_sense(tx_block *b, int lane);
