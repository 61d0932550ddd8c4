// sense.h - what the sensors of one environment need from rays, contacts and shapes.
#pragma once
#include "model/block.h"

/// Writes the numbers of sensors that look at those, and the contact forces on every body (cfrc_ext). Needs the
/// poses of geoms and sites, and solved contacts.
void tx_sense(tx_block *b, int lane);
