// sense.h - what the sensors of one environment need from rays, contacts and shapes.
#pragma once
#include "model/block.h"

/// Whether all that a sensor looks at sleeps: it says what it said last.
bool tx_sensor_sleeps(const tx_block *b, int sensor);

/// Writes the contact forces on every body (cfrc_ext). Needs solved contacts.
void tx_contact_wrenches(tx_block *b, int lane);

/// Writes the numbers of sensors that look at those, and the contact forces on every body (cfrc_ext). Needs the
/// poses of geoms and sites, and solved contacts.
void tx_sense(tx_block *b, int lane);
