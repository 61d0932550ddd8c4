// place.h - contacts of all lanes into the slots that the rows are made from.
#pragma once
#include "model/block.h"

/// Slots are aligned by dimension: first all with one row, then three, four, six; within a dimension in list order. So
/// an environment's rows have the same order whatever its neighbours do.
/// @return false when slots or rows do not fit; then *slots and *rows tell what is needed (dry friction and limits
/// included in rows)
bool tx_place_contacts(tx_block *b, int *slots, int *rows);
