// picture.h - the picture of a simulation that record and demo write.
#pragma once
#include "drive.h"

typedef struct picture_def {
    int width, height;
    double azimuth, elevation; ///< [degree]
    double distance;           ///< [m], 0: everything fits
    double lookat[3];          ///< [m], used when has_lookat
    bool has_lookat, forces;
    const char *title;
} picture_def;

/// Draws environment 0 in its present state with contacts, forces and a caption, and writes a PNG file.
/// @return false after a message on stderr
bool picture_write(tx_sim *sim, const drive_result *run, const picture_def *def, const char *path);
