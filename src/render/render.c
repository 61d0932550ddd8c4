// render.c - scene and camera to image: band by band, every layer's samples shaded and blended
#include "render_internal.h"

#include <string.h>

#include "base/memory.h"

enum { BAND_ROWS = 32, TABLE = 4096 };

// share of an on-top shape that shines through what hides it
static const float shine_through = 0.38f;

typedef struct {
    tx_tris tris;
    tx_shader shader;
    tx_projected *projected;
    int projected_count;
    bool used[LAYERS];
    tx_zbuffer z[LAYERS];
    unsigned char srgb[TABLE + 1];
} renderer;

// highlights roll off smoothly towards white instead of clipping
static float soft_clip(float x) {
    const float knee = 0.82f;
    return x <= knee ? x : 1 - (1 - knee) * (1 - knee) / (x - knee + (1 - knee));
}

static void fill_table(unsigned char *table) {
    for (int i = 0; i <= TABLE; i++) table[i] = (unsigned char)(tx_shade_srgb((float)i / TABLE) * 255 + 0.5f);
}

// one layer's share of a pixel: colour times opacity, and opacity
typedef struct {
    vec3 colour;
    float opacity;
} share;

// how much sample s of a layer shows, given the opaque layer
static float sample_opacity(const renderer *r, int layer, size_t i) {
    if (layer == LAYER_OPAQUE) return 1;
    bool hidden = r->used[LAYER_OPAQUE] && r->z[LAYER_OPAQUE].w[i] > r->z[layer].w[i];
    const tx_triangle *t = &r->tris.triangles[r->z[layer].triangle[i]];
    const tx_draw *draw = &r->shader.scene->draws[r->tris.surfaces[t->surface].draw];
    return draw->rgba[3] * (!hidden ? 1 : layer == LAYER_ON_TOP ? shine_through : 0);
}

// shades each surface of a pixel once, weighted by its samples
static share shade_layer(const renderer *r, int layer, int x, int y, size_t first) {
    const tx_zbuffer *z = &r->z[layer];
    int surface[SAMPLES];
    share total = {{0, 0, 0}, 0};
    for (int s = 0; s < SAMPLES; s++) {
        int triangle = z->triangle[first + (size_t)s];
        surface[s] = triangle < 0 ? -1 : r->tris.triangles[triangle].surface;
    }
    for (int s = 0; s < SAMPLES; s++) {
        if (surface[s] < 0) continue;
        // gather the samples of this surface
        float opacity = 0;
        int same = surface[s];
        for (int k = s; k < SAMPLES; k++)
            if (surface[k] == same) {
                opacity += sample_opacity(r, layer, first + (size_t)k) / SAMPLES;
                surface[k] = -1;
            }
        if (opacity <= 0) continue;
        float sx, sy;
        tx_raster_sample(s, &sx, &sy);
        vec3 ray = tx_view_ray(r->shader.view, (float)x + sx, (float)y + sy);
        size_t at = first + (size_t)s;
        vec3 colour = tx_shade_point(&r->shader, z->triangle[at], ray, 1 / z->w[at]);
        colour = v3(soft_clip(colour.x), soft_clip(colour.y), soft_clip(colour.z));
        total.colour = axpy3(opacity, colour, total.colour);
        total.opacity += opacity;
    }
    return total;
}

static void shade_pixel(const renderer *r, int x, int y, unsigned char *rgb) {
    const tx_view *view = r->shader.view;
    size_t row = (size_t)(y - r->z[LAYER_OPAQUE].row0);
    size_t first = (row * (size_t)view->width + (size_t)x) * SAMPLES;
    vec3 colour = tx_shade_sky(tx_view_ray(view, (float)x + 0.5f, (float)y + 0.5f));
    for (int layer = 0; layer < LAYERS; layer++) {
        if (!r->used[layer]) continue;
        share over = shade_layer(r, layer, x, y, first);
        colour = axpy3(1 - over.opacity, colour, over.colour);
    }
    const float c[3] = {colour.x, colour.y, colour.z};
    for (int k = 0; k < 3; k++) rgb[k] = r->srgb[(int)(clampf(c[k], 0, 1) * TABLE + 0.5f)];
}

static bool prepare(renderer *r, const tx_scene *scene, const tx_view *view) {
    if (!tx_tris_build(scene, view, &r->tris)) return false;
    if (!tx_raster_project(view, &r->tris, &r->projected, &r->projected_count)) return false;
    for (int i = 0; i < r->projected_count; i++) r->used[r->projected[i].layer] = true;
    size_t samples = (size_t)view->width * BAND_ROWS * SAMPLES;
    for (int layer = 0; layer < LAYERS; layer++) {
        if (!r->used[layer]) continue;
        r->z[layer].w = tx_alloc(samples * sizeof(float));
        r->z[layer].triangle = tx_alloc(samples * sizeof(int));
        if (!r->z[layer].w || !r->z[layer].triangle) return false;
    }
    fill_table(r->srgb);
    return tx_shade_prepare(scene, view, &r->tris, &r->shader);
}

static void draw_band(renderer *r, int row0, int rows, tx_image *image) {
    for (int layer = 0; layer < LAYERS; layer++) {
        tx_zbuffer *z = &r->z[layer];
        z->width = image->width;
        z->row0 = row0;
        z->rows = rows;
        if (r->used[layer]) tx_raster_clear(z);
    }
    for (int i = 0; i < r->projected_count; i++) {
        const tx_projected *p = &r->projected[i];
        if (p->y1 >= row0 && p->y0 < row0 + rows) tx_raster_draw(p, &r->z[p->layer]);
    }
    for (int y = row0; y < row0 + rows; y++)
        for (int x = 0; x < image->width; x++) {
            size_t pixel = (size_t)y * (size_t)image->width + (size_t)x;
            shade_pixel(r, x, y, &image->rgb[3 * pixel]);
        }
}

tx_result tx_scene_render(const tx_scene *scene, const tx_camera *camera, tx_image *image) {
    tx_view view;
    if (!scene || !camera || !image || !image->rgb || image->width < 1 || image->height < 1 ||
        image->width > TX_IMAGE_MAX || image->height > TX_IMAGE_MAX ||
        !tx_view_make(camera, image->width, image->height, &view))
        return TX_ERROR_ARGUMENT;
    renderer *r = tx_alloc(sizeof *r);
    bool ready = r && prepare(r, scene, &view);
    if (ready) {
        for (int row = 0; row < image->height; row += BAND_ROWS) {
            int left = image->height - row;
            draw_band(r, row, left < BAND_ROWS ? left : BAND_ROWS, image);
        }
        for (int corner = 0; corner < 4; corner++)
            if (scene->text[corner]) tx_font_caption(image, (tx_corner)corner, scene->text[corner]);
    }
    if (r) {
        tx_shade_free(&r->shader);
        for (int layer = 0; layer < LAYERS; layer++) {
            tx_free(r->z[layer].w);
            tx_free(r->z[layer].triangle);
        }
        tx_free(r->projected);
        tx_tris_free(&r->tris);
    }
    tx_free(r);
    return ready ? TX_OK : TX_ERROR_MEMORY;
}
