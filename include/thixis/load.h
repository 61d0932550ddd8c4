// load.h - models from files, MJCF and URDF text and compiled models, and back to MJCF.
#ifndef THIXIS_LOAD_H
#define THIXIS_LOAD_H

#include "thixis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a model is loaded; tx_default_load_options() gives what tx_load_file() uses.
typedef struct tx_load_options {
    const char *const *packages; ///< "NAME=DIR" each: where `package://NAME/` of a URDF is; the caller's memory
    int package_count;
    bool ignore_environment; ///< do not look into ROS_PACKAGE_PATH and AMENT_PREFIX_PATH (false)
    bool strict;             ///< URDF: what is repaired or left out with a warning is an error (false)
    bool collision_mass; ///< URDF: a link without `<inertial>` weighs what its collision shapes weigh at 1000 kg/m³,
                         ///< as in MuJoCo (false: it has no mass, as the format says)
    bool visuals;        ///< URDF: keep visual shapes; `discardvisual` in the file is stronger (false)
    bool pictures;       ///< MJCF: read textures, and where they lie on meshes, for pictures (false): that may take
                         ///< longer than all the rest
    bool maximal;        ///< TX_COORDINATES_MAXIMAL, whatever the file says (false); compiled models stay as they are
    bool reduced;        ///< TX_COORDINATES_REDUCED, whatever the file says (false)
} tx_load_options;
TX_API tx_load_options tx_default_load_options(void);
TX_API tx_result tx_load_options_init(tx_load_options *options, size_t size);

/// Loads a model: an MJCF or a URDF file (XML, read as MuJoCo 4.0 reads it), or a file written by tx_model_write().
/// The content decides which, not the name; a Zip archive (.mjz) holds such a file and what belongs to it. Included
/// files and meshes (OBJ, STL, MSH; DAE, PLY, glTF through assimp) are read too: sought in the folder of the file, or
/// in its `meshdir`, then beside the included file that names them; those of a URDF by the list in docs/urdf.md.
/// Release the model with tx_model_destroy().
/// @param diag gets every problem of the file with its place; may be null. Warnings do not stop the load.
/// @return null when there was an error (then diag has at least one)
TX_API tx_model *tx_load_file(const char *path, tx_diag *diag);

/// The same with options; null options are the defaults.
TX_API tx_model *tx_load_file_with(const char *path, const tx_load_options *options, tx_diag *diag);

/// Loads a model from `length` bytes of MJCF or URDF text; no terminator is needed, the text is not kept.
/// `<include>` and mesh files are refused, because a text has no folder to look in.
/// @param name stands where messages name a file; may be null
TX_API tx_model *tx_load_string(const char *text, size_t length, const char *name, tx_diag *diag);

/// Adds a mesh (OBJ, STL, MSH; DAE, PLY, glTF through assimp) or a height field (PNG, MuJoCo's binary grid) out of a
/// file to a builder. def: everything but the content of the file; its name is what geoms call it.
/// @return the index, or -1 with a message in diag, or when memory is out
TX_API int tx_builder_mesh_file(tx_builder *builder, const tx_mesh_def *def, const char *path, tx_diag *diag);
TX_API int tx_builder_hfield_file(tx_builder *builder, const tx_hfield_def *def, const char *path, tx_diag *diag);

/// Writes a model as an MJCF file that MuJoCo reads too: masses, frames and ranges as they were compiled, in radians,
/// meshes and height fields inside the file, numbers with all their digits. Loaded again it is the same model. What the
/// model does not hold (lights, textures, classes) is not in it. A path that ends in .mjz gets a Zip archive of that
/// file. Its compiled file: tx_model_write().
/// @param diag names what MJCF cannot say; then no file is written. May be null
TX_API tx_result tx_save_mjcf(const tx_model *model, const char *path, tx_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
