// picture.h - the picture of a simulation that record and demo write, alone or as frames of a film.
#pragma once
#include "args.h"
#include "drive.h"
#include "thixis/sim_scene.h"

typedef struct picture_def {
    int width, height;
    double azimuth, elevation; ///< [degree]
    double distance;           ///< [m], 0: everything fits
    double lookat[3];          ///< [m], used when has_lookat
    bool has_lookat, forces;
    bool plain;              ///< no caption
    unsigned groups;         ///< of geoms that are drawn, as in tx_sim_scene_def
    const tx_camera *camera; ///< null: by the fields above
    int model_camera;        ///< 1 + index of a camera of the model that is looked through instead; 0: none
    double model_distance;   ///< of what that camera looks at [m]; 0: from the scene
    const char *title;
} picture_def;

/// Adds environment 0 in its present state, with contacts, forces and a caption, to a scene.
/// @param run null: no line about the run
bool picture_scene(tx_sim *sim, const drive_result *run, const picture_def *def, tx_scene *scene);
/// The camera of a picture of this scene. @return false after a message when the model's camera cannot be drawn
bool picture_camera(tx_sim *sim, const tx_scene *scene, const picture_def *def, tx_camera *camera);
/// 1 + index of the camera that --camera names, by name or index; 0: no text; -1 after a message
int model_camera(const arg_command *command, const tx_model *model, const char *text);

/// Draws environment 0 in its present state with contacts, forces and a caption, and writes a PNG file.
/// @return false after a message on stderr
bool picture_write(tx_sim *sim, const drive_result *run, const picture_def *def, const char *path);
