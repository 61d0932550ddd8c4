// pair_table.h - which geoms can collide, and the pairs with parameters of their own.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

typedef struct tx_pair_table tx_pair_table;

/// Prepares the lookups for a model whose bodies and geoms are filled; null: no memory.
tx_pair_table *tx_pair_table_create(const tx_draft *draft, const tx_model *model);
void tx_pair_table_destroy(tx_pair_table *table);

/// How many pairs there are; -1: too many.
int tx_pair_table_count(tx_pair_table *table);
/// Writes them, warns about shapes that have no pair function, and fills the special pairs.
void tx_pair_table_fill(tx_pair_table *table, tx_model *model, tx_diag *diag);
