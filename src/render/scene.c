// scene.c - the draw list: what is drawn, checked when it is added
#include "render_internal.h"

#include <string.h>

#include "base/memory.h"

// nothing beyond this is drawn, m
static const double reach = 1e6;

bool tx_render_grow(void **array, int *capacity, int need, size_t element) {
    if (need <= *capacity) return true;
    if (need > 1 << 28) return false;
    int wanted = *capacity < 64 ? 64 : *capacity * 2;
    if (wanted < need) wanted = need;
    void *grown = tx_grow(*array, (size_t)*capacity * element, (size_t)wanted * element);
    if (!grown) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

tx_scene *tx_scene_create(void) { return tx_alloc(sizeof(tx_scene)); }

void tx_scene_clear(tx_scene *scene) {
    if (!scene) return;
    for (int i = 0; i < scene->count; i++) {
        tx_free((void *)scene->draws[i].vertices);
        tx_free((void *)scene->draws[i].faces);
        tx_free((void *)scene->draws[i].texcoords);
    }
    for (int i = 0; i < scene->texture_count; i++) tx_texture_free(&scene->textures[i]);
    scene->count = scene->skipped = scene->texture_count = 0;
    for (int i = 0; i < 4; i++) {
        tx_free(scene->text[i]);
        scene->text[i] = NULL;
    }
}

void tx_scene_destroy(tx_scene *scene) {
    if (!scene) return;
    tx_scene_clear(scene);
    tx_free(scene->draws);
    tx_free(scene->textures);
    tx_free(scene);
}

int tx_scene_skipped(const tx_scene *scene) { return scene ? scene->skipped : 0; }

int tx_scene_count(const tx_scene *scene) { return scene ? scene->count : 0; }

// what a mesh is until it gets its own vertices
static const double TETRAHEDRON[12] = {0.1, 0.1, 0.1, -0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, -0.1};
static const int TETRAHEDRON_FACES[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

tx_draw tx_default_draw(tx_draw_kind kind) {
    static const struct {
        double size[3];
        float rgba[4];
    } defaults[TX_DRAW_COUNT] = {
        [TX_DRAW_PLANE] = {{0, 0, 0}, {0.80f, 0.83f, 0.87f, 1}},
        [TX_DRAW_SPHERE] = {{0.1, 0, 0}, {0.85f, 0.45f, 0.30f, 1}},
        [TX_DRAW_CAPSULE] = {{0.05, 0.1, 0}, {0.85f, 0.62f, 0.42f, 1}},
        [TX_DRAW_BOX] = {{0.1, 0.1, 0.1}, {0.32f, 0.52f, 0.76f, 1}},
        [TX_DRAW_CYLINDER] = {{0.1, 0.1, 0}, {0.45f, 0.62f, 0.45f, 1}},
        [TX_DRAW_ELLIPSOID] = {{0.15, 0.1, 0.07}, {0.68f, 0.50f, 0.72f, 1}},
        [TX_DRAW_ARROW] = {{0, 0, 0.3}, {1.0f, 0.50f, 0.08f, 1}},
        [TX_DRAW_DISC] = {{0, 0, 0}, {0.95f, 0.25f, 0.15f, 1}},
        [TX_DRAW_MESH] = {{0, 0, 0}, {0.62f, 0.62f, 0.58f, 1}},
        [TX_DRAW_LINE] = {{0, 0, 1}, {0.15f, 0.20f, 0.28f, 1}},
    };
    tx_draw draw = {.kind = kind, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .texrepeat = {1, 1}};
    if ((unsigned)kind < TX_DRAW_COUNT) {
        memcpy(draw.size, defaults[kind].size, sizeof draw.size);
        memcpy(draw.rgba, defaults[kind].rgba, sizeof draw.rgba);
    }
    if (kind == TX_DRAW_MESH) {
        draw.vertices = TETRAHEDRON, draw.faces = TETRAHEDRON_FACES;
        draw.vertex_count = draw.face_count = 4;
    }
    if (kind == TX_DRAW_ARROW || kind == TX_DRAW_DISC) draw.flags = TX_DRAW_FLAG_ON_TOP;
    return draw;
}

// rows orthonormal to 1 %, right-handed
static bool is_rotation(const double m[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double d = m[3 * i] * m[3 * j] + m[3 * i + 1] * m[3 * j + 1] + m[3 * i + 2] * m[3 * j + 2];
            if (!(fabs(d - (i == j)) < 0.01)) return false;
        }
    double det =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return det > 0;
}

// vertices within reach, faces of vertices that exist
static bool is_mesh(const tx_draw *draw) {
    if (!draw->vertices || !draw->faces || draw->vertex_count < 3 || draw->face_count < 1) return false;
    if (draw->vertex_count > 1 << 24 || draw->face_count > 1 << 24) return false;
    for (int i = 0; i < 3 * draw->vertex_count; i++)
        if (!(fabs(draw->vertices[i]) <= reach)) return false;
    for (int i = 0; i < 3 * draw->face_count; i++)
        if (draw->faces[i] < 0 || draw->faces[i] >= draw->vertex_count) return false;
    for (int i = 0; draw->texcoords && i < 6 * draw->face_count; i++)
        if (!(fabs(draw->texcoords[i]) <= reach)) return false;
    return true;
}

static bool is_drawable(const tx_draw *draw) {
    // which of the three sizes must be positive; the others are ignored or may be zero
    static const bool positive[TX_DRAW_COUNT][3] = {
        [TX_DRAW_PLANE] = {0, 0, 0}, [TX_DRAW_SPHERE] = {1, 0, 0},   [TX_DRAW_CAPSULE] = {1, 0, 0},
        [TX_DRAW_BOX] = {1, 1, 1},   [TX_DRAW_CYLINDER] = {1, 1, 0}, [TX_DRAW_ELLIPSOID] = {1, 1, 1},
        [TX_DRAW_MESH] = {0, 0, 0},  [TX_DRAW_ARROW] = {0, 0, 1},    [TX_DRAW_DISC] = {0, 0, 0},
        [TX_DRAW_LINE] = {0, 0, 1},
    };
    if ((unsigned)draw->kind >= TX_DRAW_COUNT || !is_rotation(draw->mat)) return false;
    for (int i = 0; i < 3; i++) {
        double size = draw->size[i];
        if (!(fabs(draw->pos[i]) <= reach) || !(size >= 0 && size <= reach)) return false;
        if (positive[draw->kind][i] && !(size > 1e-9)) return false;
    }
    for (int i = 0; i < 4; i++)
        if (!isfinite(draw->rgba[i])) return false;
    for (int i = 0; i < 2; i++)
        if (!(fabs(draw->texrepeat[i]) <= reach)) return false;
    return draw->kind != TX_DRAW_MESH || is_mesh(draw);
}

// the scene's own vertices and faces; false: no memory
static bool copy_mesh(tx_draw *copy, const tx_draw *draw) {
    size_t vertices = sizeof(double) * 3 * (size_t)draw->vertex_count,
           faces = sizeof(int) * 3 * (size_t)draw->face_count,
           coords = draw->texcoords ? sizeof(double) * 6 * (size_t)draw->face_count : 0;
    double *own_vertices = tx_alloc(vertices), *own_coords = coords ? tx_alloc(coords) : NULL;
    int *own_faces = tx_alloc(faces);
    if (!own_vertices || !own_faces || (coords && !own_coords)) {
        tx_free(own_vertices);
        tx_free(own_faces);
        tx_free(own_coords);
        return false;
    }
    copy->vertices = memcpy(own_vertices, draw->vertices, vertices);
    copy->faces = memcpy(own_faces, draw->faces, faces);
    copy->texcoords = coords ? memcpy(own_coords, draw->texcoords, coords) : NULL;
    return true;
}

tx_result tx_draw_init(tx_draw *draw, size_t size, tx_draw_kind kind) {
    if (!draw || (int)kind < 0 || kind >= TX_DRAW_COUNT) return TX_ERROR_ARGUMENT;
    if (size != sizeof *draw) return TX_ERROR_UNSUPPORTED;
    *draw = tx_default_draw(kind);
    return TX_OK;
}

tx_result tx_scene_add_draw(tx_scene *scene, const tx_draw *draw) {
    if (!scene || !draw) return TX_ERROR_ARGUMENT;
    if (!is_drawable(draw)) {
        scene->skipped++;
        return TX_OK;
    }
    void *array = scene->draws;
    bool room = tx_render_grow(&array, &scene->capacity, scene->count + 1, sizeof *draw);
    scene->draws = (tx_draw *)array;
    if (!room) return TX_ERROR_MEMORY;
    tx_draw *added = &scene->draws[scene->count], copy = *draw;
    copy.vertices = NULL, copy.faces = NULL, copy.texcoords = NULL;
    if (copy.texture < 0 || copy.texture > scene->texture_count) copy.texture = 0;
    if (draw->kind == TX_DRAW_MESH && !copy_mesh(&copy, draw)) return TX_ERROR_MEMORY;
    *added = copy;
    scene->count++;
    for (int i = 0; i < 4; i++) added->rgba[i] = clampf(added->rgba[i], 0, 1);
    return TX_OK;
}

// a rotation whose z axis is the unit vector z; branch-free basis of Duff et al. 2017
static void rotation_to(const double z[3], double mat[9]) {
    double sign = copysign(1, z[2]), a = -1 / (sign + z[2]), b = z[0] * z[1] * a;
    double x[3] = {1 + sign * z[0] * z[0] * a, sign * b, -sign * z[0]};
    double y[3] = {b, sign + z[1] * z[1] * a, -z[1]};
    for (int i = 0; i < 3; i++) {
        mat[3 * i] = x[i];
        mat[3 * i + 1] = y[i];
        mat[3 * i + 2] = z[i];
    }
}

// adds a shape that starts at `from` and runs `length` along `direction`
static tx_result add_along(tx_scene *scene, tx_draw draw, const double from[3], const double direction[3], double scale,
                           const float rgba[4]) {
    double norm = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    double length = norm * scale;
    if (length < 1e-9) return TX_OK;
    double z[3] = {direction[0] / norm, direction[1] / norm, direction[2] / norm};
    rotation_to(z, draw.mat);
    memcpy(draw.pos, from, sizeof draw.pos);
    memcpy(draw.rgba, rgba, sizeof draw.rgba);
    draw.size[2] = length;
    return tx_scene_add_draw(scene, &draw);
}

tx_result tx_scene_add_force(tx_scene *scene, const double point[3], const double force[3], double scale,
                             const float rgba[4]) {
    if (!scene || !point || !force || !rgba) return TX_ERROR_ARGUMENT;
    tx_draw draw = tx_default_draw(TX_DRAW_ARROW);
    return add_along(scene, draw, point, force, scale, rgba);
}

tx_result tx_scene_add_line(tx_scene *scene, const double from[3], const double to[3], double width,
                            const float rgba[4]) {
    if (!scene || !from || !to || !rgba) return TX_ERROR_ARGUMENT;
    tx_draw draw = tx_default_draw(TX_DRAW_LINE);
    draw.size[0] = width;
    double direction[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    return add_along(scene, draw, from, direction, 1, rgba);
}

tx_result tx_scene_add_text(tx_scene *scene, tx_corner corner, const char *text) {
    if (!scene || !text || (unsigned)corner > TX_CORNER_BOTTOM_RIGHT) return TX_ERROR_ARGUMENT;
    char **slot = &scene->text[corner];
    size_t old = *slot ? strlen(*slot) + 1 : 0, more = strlen(text);
    char *joined = tx_grow(*slot, old, old + more + 1);
    if (!joined) return TX_ERROR_MEMORY;
    // a second caption goes below the first
    if (old) joined[old - 1] = '\n';
    memcpy(joined + old, text, more + 1);
    *slot = joined;
    return TX_OK;
}

void tx_scene_set_light(tx_scene *scene, const double to_light[3]) {
    if (!scene || !to_light) return;
    double squared = 0;
    for (int i = 0; i < 3; i++) {
        scene->light[i] = to_light[i];
        squared += to_light[i] * to_light[i];
    }
    scene->light_set = squared > 0 && isfinite(squared);
    if (scene->light_set)
        for (int i = 0; i < 3; i++) scene->light[i] /= sqrt(squared);
}

void tx_scene_set_checker(tx_scene *scene, double edge) {
    if (scene) scene->checker = edge > 0 && isfinite(edge) ? edge : 0;
}
