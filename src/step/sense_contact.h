// sense_contact.h - contact sensors.
#pragma once
#include "model/block.h"

/// Writes the numbers of a contact sensor. Needs the poses of sites, velocities, and solved contacts.
void tx_sense_contacts(tx_block *b, int lane, int sensor);
