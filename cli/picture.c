// picture.c - scene, camera, caption, PNG.
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_caption(tx_scene *scene, tx_sim *sim, const drive_result *run, const picture_def *def,
                        const tx_sim_scene_info *info) {
    char text[512];
    double time = tx_sim_array(sim, TX_ARRAY_TIME)[0];
    snprintf(text, sizeof text, "%.120s   t = %.2f s", def->title, time);
    tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, text);
    snprintf(text, sizeof text, "%d contact%s, weight %.4g N, largest force %.3g N", info->contacts,
             info->contacts == 1 ? "" : "s", info->weight, info->largest_force);
    tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, text);
    if (!run || run->info.env_steps == 0) return;
    snprintf(text, sizeof text, "%.0f steps/s   solve error %.1e", drive_rate(run), run->info.worst_solve_error);
    tx_scene_add_text(scene, TX_CORNER_BOTTOM_LEFT, text);
}

bool picture_scene(tx_sim *sim, const drive_result *run, const picture_def *def, tx_scene *scene) {
    tx_sim_scene_def style = tx_default_sim_scene_def();
    style.contacts = style.forces = def->forces;
    style.groups = def->groups;
    tx_sim_scene_info info;
    if (tx_sim_forward(sim) != TX_OK || tx_scene_add_sim(scene, sim, 0, &style, &info) != TX_OK) return false;
    if (!def->plain) add_caption(scene, sim, run, def, &info);
    return true;
}

int model_camera(const arg_command *command, const tx_model *model, const char *text) {
    int count = tx_model_size(model, TX_SIZE_NCAM), index;
    if (!text) return 0;
    int camera = tx_element_find(model, TX_ELEMENT_CAMERA, text);
    if (camera < 0 && args_ints(text, &index, 1) == 1 && index >= 0 && index < count) camera = index;
    if (camera >= 0) return camera + 1;
    args_error(command, "no camera '%s'; the model has %d%s", text, count, count ? ":" : "");
    for (int i = 0; i < count; i++) fprintf(stderr, "  %d %s\n", i, tx_element_name(model, TX_ELEMENT_CAMERA, i));
    return -1;
}

// the same place and direction with another point looked at
static void set_distance(tx_camera *camera, double distance) {
    double more = distance - camera->distance, level = cos(camera->elevation);
    camera->distance = distance;
    camera->lookat[0] += more * level * cos(camera->azimuth);
    camera->lookat[1] += more * level * sin(camera->azimuth);
    camera->lookat[2] += more * sin(camera->elevation);
}

bool picture_camera(tx_sim *sim, const tx_scene *scene, const picture_def *def, tx_camera *camera) {
    if (def->model_camera) {
        tx_result result = tx_scene_sim_camera(scene, sim, 0, def->model_camera - 1, camera);
        if (result == TX_ERROR_UNSUPPORTED)
            fprintf(stderr, "thixis: camera %d cannot be drawn: it is orthographic, or its fovy is not 1 to 170\n",
                    def->model_camera - 1);
        if (result == TX_OK && def->model_distance > 0) set_distance(camera, def->model_distance);
        return result == TX_OK;
    }
    if (def->camera) {
        *camera = *def->camera;
        return true;
    }
    *camera = tx_scene_camera(scene, def->azimuth * TX_DEGREE, def->elevation * TX_DEGREE,
                              (double)def->width / (double)def->height);
    if (def->distance > 0) camera->distance = def->distance;
    if (def->has_lookat) memcpy(camera->lookat, def->lookat, sizeof camera->lookat);
    return true;
}

bool picture_write(tx_sim *sim, const drive_result *run, const picture_def *def, const char *path) {
    tx_scene *scene = tx_scene_create();
    tx_image image = {0};
    tx_diag diag = {0};
    bool drawn = scene && picture_scene(sim, run, def, scene);
    tx_camera camera;
    drawn = drawn && picture_camera(sim, scene, def, &camera) &&
            tx_image_alloc(&image, def->width, def->height) == TX_OK &&
            tx_scene_render(scene, &camera, &image) == TX_OK;
    bool written = drawn && tx_image_write_png(&image, path, &diag) == TX_OK;
    if (!drawn) fprintf(stderr, "thixis: the picture cannot be drawn: camera out of range or out of memory\n");
    else if (!written)
        fprintf(stderr, "thixis: %s cannot be written: %s\n", path,
                diag.count > 0 ? diag.messages[0].text : "out of memory");
    tx_diag_free(&diag);
    tx_image_free(&image);
    tx_scene_destroy(scene);
    return written;
}
