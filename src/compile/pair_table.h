// pair_table.h - which geoms can collide, and the pairs with parameters of their own.
#pragma once
#include "compile/draft.h"
#include "model/model.h"

typedef struct tx_pair_table tx_pair_table;

/// Writes which bodies are excluded and which geoms are special pairs. Bodies and geoms are filled. false: no memory
bool tx_pair_lists_fill(const tx_draft *draft, tx_model *model);

/// Prepares the lookups for a model whose bodies, geoms and pair lists are filled; null: no memory.
tx_pair_table *tx_pair_table_create(const tx_draft *draft, const tx_model *model);
void tx_pair_table_destroy(tx_pair_table *table);

/// How many pairs the table has: 0 for a model that is swept; -1: too many.
int tx_pair_table_count(tx_pair_table *table);
/// Whether a model has the table that is chosen for it when nothing else is asked for.
bool tx_pair_table_is_small(const tx_model *model);
/// Writes them and the broad phase that was chosen, warns about shapes that have no pair function, and fills the
/// special pairs.
void tx_pair_table_fill(tx_pair_table *table, tx_model *model, tx_diag *diag);
