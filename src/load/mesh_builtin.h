// mesh_builtin.h - MuJoCo's builtin meshes: surfaces from a few parameters.
#pragma once
#include "load/mesh_file.h"

bool tx_mesh_builtin_known(const char *name);

/// Whether these parameters make a surface without volume.
bool tx_mesh_builtin_flat(const char *name, const double *params, int count);

/// Makes one. @return null, or what it takes, or why there is no room
const char *tx_mesh_builtin(const char *name, const double *params, int count, tx_mesh_data *mesh);
