// maximal.h - a model in maximal coordinates: every body that a joint moves is free, joints are equalities.
#pragma once
#include "compile/builder.h"
#include "model/model.h"

/// Reports what has no meaning between free bodies, each with its place. @return false when there was something
bool tx_check_maximal(const tx_builder *builder, const tx_model *reduced, tx_diag *diag);

/// The definitions of a compiled model, changed to maximal coordinates. tx_check_maximal() has found nothing.
/// @return null when memory is out
tx_builder *tx_builder_maximal(const tx_model *reduced);

struct tx_pose;
/// Which body is which, and working memory.
typedef struct tx_maximal_map {
    const tx_model *reduced;
    int *body;  ///< of the maximal model, for each of the reduced one: depth first, where bodies with joints are
                ///< children of the world
    int *place; ///< the free joint of each body of the reduced model among those of the maximal one, -1: it has none
    int free_count;
    struct tx_pose *pose; ///< one for each body
} tx_maximal_map;
bool tx_maximal_map_create(tx_maximal_map *map, const tx_model *reduced); // false: no memory
void tx_maximal_map_free(tx_maximal_map *map);

/// A state from reduced to maximal coordinates; qvel and its result may be null.
void tx_maximal_state(const tx_maximal_map *map, const double *qpos, const double *qvel, double *maximal_qpos,
                      double *maximal_qvel);
