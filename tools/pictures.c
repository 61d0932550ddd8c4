// pictures.c - the narrow phase at one instant: shapes, points of contact and their normals, and rays. tools/pictures
// compiles it.
//   pictures MODEL.xml OUT.png AZIMUTH ELEVATION [RAYS]      RAYS: so many from a point above, in a fan along x
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "thixis/sim_scene.h"
#include "thixis/thixis.h"

enum { WIDTH = 440, HEIGHT = 260 };
static const float NORMAL[4] = {0.85f, 0.10f, 0.10f, 1}, RAY[4] = {0.95f, 0.75f, 0.10f, 1};

static double deepest(const tx_contact *contacts, int count) {
    double least = 0;
    for (int i = 0; i < count; i++) least = fmin(least, contacts[i].dist);
    return -least;
}

static bool add_normals(tx_scene *scene, tx_sim *sim, double length) {
    int count;
    char text[128];
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    for (int i = 0; i < count; i++)
        if (tx_scene_add_force(scene, contacts[i].pos, contacts[i].frame, length, NORMAL) != TX_OK) return false;
    snprintf(text, sizeof text, "%d points, deepest %.1f mm", count, 1e3 * deepest(contacts, count));
    return tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, text) == TX_OK;
}

static bool add_rays(tx_scene *scene, tx_sim *sim, const double from[3], int count, double length) {
    char text[128];
    int met = 0;
    for (int i = 0; i < count; i++) {
        double angle = 0.9 * (2.0 * i / (count - 1) - 1), direction[3] = {sin(angle), 0.12, -cos(angle)}, end[3];
        tx_ray_hit hit;
        if (tx_sim_ray(sim, 0, from, direction, NULL, &hit) != TX_OK) return false;
        for (int k = 0; k < 3; k++) end[k] = hit.geom >= 0 ? hit.point[k] : from[k] + 2 * direction[k];
        if (tx_scene_add_line(scene, from, end, 1.5, RAY) != TX_OK) return false;
        if (hit.geom >= 0 && tx_scene_add_force(scene, hit.point, hit.normal, length, NORMAL) != TX_OK) return false;
        met += hit.geom >= 0;
    }
    snprintf(text, sizeof text, "%d rays, %d hit; arrows: normals", count, met);
    return tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, text) == TX_OK;
}

static bool draw(tx_sim *sim, double azimuth, double elevation, int rays, const char *path) {
    tx_scene *scene = tx_scene_create();
    tx_sim_scene_def style = {.contacts = rays == 0};
    tx_image image = {0};
    tx_diag diag = {0};
    bool good = scene && tx_sim_forward(sim) == TX_OK && tx_scene_add_sim(scene, sim, 0, &style, NULL) == TX_OK;
    if (good) {
        // an arrow is a tenth of the picture
        tx_camera camera = tx_scene_camera(scene, azimuth * TX_DEGREE, elevation * TX_DEGREE, (double)WIDTH / HEIGHT);
        double length = 0.1 * camera.distance * tan(camera.fovy / 2), from[3] = {0, -0.1, 1.35};
        good = rays ? add_rays(scene, sim, from, rays, length) : add_normals(scene, sim, 1.6 * length);
        camera = tx_scene_camera(scene, azimuth * TX_DEGREE, elevation * TX_DEGREE, (double)WIDTH / HEIGHT);
        good = good && tx_image_alloc(&image, WIDTH, HEIGHT) == TX_OK &&
               tx_scene_render(scene, &camera, &image) == TX_OK && tx_image_write_png(&image, path, &diag) == TX_OK;
    }
    if (!good) fprintf(stderr, "pictures: %s: %s\n", path, diag.count > 0 ? diag.messages[0].text : "no memory");
    tx_diag_free(&diag);
    tx_image_free(&image);
    tx_scene_destroy(scene);
    return good;
}

int main(int argc, char **argv) {
    tx_diag diag = {0};
    if (argc < 5) return 2;
    tx_model *model = tx_load_file(argv[1], &diag);
    for (int i = 0; i < diag.count; i++) {
        char line[512];
        tx_diag_format(&diag, i, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    tx_diag_free(&diag);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    bool good = sim && draw(sim, atof(argv[3]), atof(argv[4]), argc > 5 ? atoi(argv[5]) : 0, argv[2]);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return good ? 0 : 1;
}
