// film.h - a simulation as a row of pictures: PNG files, or an MP4 file by ffmpeg.
#pragma once
#include "picture.h"

typedef struct film_def {
    picture_def picture; ///< of every frame; where it has no camera, one that fits the whole film is found first
    int steps;
    double rate, speed; ///< pictures a second, and simulated seconds a second, of the film
    const char *folder; ///< null: no PNG files
    const char *mp4;    ///< null: no film
} film_def;

/// Simulates and draws; picture 0 is the start. @return false after a message on stderr
bool film_write(tx_sim *sim, const film_def *def, drive_result *run);
