// texture.c - pictures on shapes: halves of halves, what a square of texels looks like, and where a picture lies
#include "render_internal.h"

#include <string.h>

#include "base/memory.h"

// ---- the picture ---------------------------------------------------------------------------------------------------

void tx_texture_free(tx_texture *t) {
    for (int k = 0; k < TEXTURE_LEVELS; k++) tx_free(t->texels[k]);
    *t = (tx_texture){0};
}

static int half(int edge, int level) { return edge >> level > 0 ? edge >> level : 1; }

// the mean of two or four texels as light: squares, a step from sRGB that is near enough
static int mean(const int texel[4]) {
    int out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        float sum = 0;
        for (int k = 0; k < 4; k++) {
            float value = (float)(texel[k] >> shift & 255);
            sum += value * value;
        }
        out |= (int)(sqrtf(sum / 4) + 0.5f) << shift;
    }
    return out;
}

static void halve(const int *from, int width, int height, int *to, int to_width, int to_height) {
    for (int y = 0; y < to_height; y++)
        for (int x = 0; x < to_width; x++) {
            int x0 = 2 * x < width ? 2 * x : width - 1, x1 = x0 + 1 < width ? x0 + 1 : x0;
            int y0 = 2 * y < height ? 2 * y : height - 1, y1 = y0 + 1 < height ? y0 + 1 : y0;
            int texel[4] = {from[y0 * width + x0], from[y0 * width + x1], from[y1 * width + x0], from[y1 * width + x1]};
            to[y * to_width + x] = mean(texel);
        }
}

// false: no memory
static bool make_levels(tx_texture *t, const int *texels) {
    for (int k = 0; k < t->levels; k++) {
        int width = half(t->width, k), height = half(t->height, k);
        size_t side = (size_t)width * (size_t)height;
        int *level = tx_alloc(sizeof(int) * side * (size_t)t->sides);
        if (!level) return false;
        t->texels[k] = level;
        if (k == 0) memcpy(level, texels, sizeof(int) * side * (size_t)t->sides);
        int wide = half(t->width, k - (k > 0)), high = half(t->height, k - (k > 0));
        for (int s = 0; k > 0 && s < t->sides; s++)
            halve(t->texels[k - 1] + (size_t)s * (size_t)wide * (size_t)high, wide, high, level + (size_t)s * side,
                  width, height);
    }
    return true;
}

int tx_scene_add_texture(tx_scene *scene, int width, int height, bool cube, const int *texels) {
    if (!scene || !texels || width < 1 || height < 1 || width > TX_IMAGE_MAX || height > TX_IMAGE_MAX ||
        (cube && width != height))
        return 0;
    void *array = scene->textures;
    bool room = tx_render_grow(&array, &scene->texture_capacity, scene->texture_count + 1, sizeof(tx_texture));
    scene->textures = (tx_texture *)array;
    if (!room) return 0;
    tx_texture made = {.width = width, .height = height, .sides = cube ? 6 : 1, .levels = 1};
    while (half(width, made.levels - 1) > 1 || half(height, made.levels - 1) > 1) made.levels++;
    if (!make_levels(&made, texels)) {
        tx_texture_free(&made);
        return 0;
    }
    scene->textures[scene->texture_count++] = made;
    return scene->texture_count;
}

// ---- its colours ---------------------------------------------------------------------------------------------------

static vec3 light_of(int texel) {
    return v3(tx_shade_linear((float)(texel >> 16 & 255) / 255), tx_shade_linear((float)(texel >> 8 & 255) / 255),
              tx_shade_linear((float)(texel & 255) / 255));
}

// a flat picture goes on beyond its edges, the side of a cube ends there
static int texel_index(int i, int size, bool repeats) {
    if (repeats) return (i % size + size) % size;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static vec3 blend_level(const tx_texture *t, int level, int side, double u, double v) {
    int width = half(t->width, level), height = half(t->height, level);
    const int *texels = t->texels[level] + (size_t)side * (size_t)width * (size_t)height;
    double x = u * width - 0.5, y = v * height - 0.5, left = floor(x), top = floor(y);
    bool repeats = t->sides == 1;
    vec3 corner[4];
    for (int k = 0; k < 4; k++) {
        int column = texel_index((int)left + (k & 1), width, repeats);
        int row = texel_index((int)top + (k >> 1), height, repeats);
        corner[k] = light_of(texels[(size_t)row * (size_t)width + (size_t)column]);
    }
    float across = (float)(x - left), down = (float)(y - top);
    return mix3(mix3(corner[0], corner[1], across), mix3(corner[2], corner[3], across), down);
}

vec3 tx_texture_at(const tx_texture *t, int side, double u, double v, double spread) {
    if (t->sides == 1) u -= floor(u), v -= floor(v);
    float level = spread > 1 ? log2f((float)spread) : 0;
    level = clampf(level, 0, (float)(t->levels - 1));
    int low = (int)level, high = low + 1 < t->levels ? low + 1 : low;
    return mix3(blend_level(t, low, side, u, v), blend_level(t, high, side, u, v), level - (float)low);
}

// ---- where it lies -------------------------------------------------------------------------------------------------

static double unit_of(double size) { return size > 1e-6 ? size : 1; }

// the side of a cube that a ray from its middle meets, right, left, up, down, front, back, seen from outside as OpenGL
// has it; a side that is given is kept
static tx_texture_place on_cube(const double d[3], int side) {
    static const int RIGHT[6][2] = {{2, -1}, {2, 1}, {0, 1}, {0, 1}, {0, 1}, {0, -1}}; // axis, sign
    static const int DOWN[6][2] = {{1, -1}, {1, -1}, {2, 1}, {2, -1}, {1, -1}, {1, -1}};
    if (side < 0) {
        int axis = fabs(d[0]) >= fabs(d[1]) ? 0 : 1;
        if (fabs(d[2]) > fabs(d[axis])) axis = 2;
        side = 2 * axis + (d[axis] < 0);
    }
    double far = fmax(fabs(d[side / 2]), 1e-12);
    double u = RIGHT[side][1] * d[RIGHT[side][0]] / far, v = DOWN[side][1] * d[DOWN[side][0]] / far;
    return (tx_texture_place){side, 0.5 + 0.5 * u, 0.5 + 0.5 * v};
}

// each side of a box upright: on the four around z, up is +z
static void on_box(const double at[3], const double size[3], const double n[3], double *u, double *v) {
    double x = at[0] / size[0], y = at[1] / size[1], z = at[2] / size[2];
    double ax = fabs(n[0]), ay = fabs(n[1]), az = fabs(n[2]);
    if (az >= ax && az >= ay) *u = x, *v = n[2] > 0 ? -y : y;
    else if (ax >= ay) *u = n[0] > 0 ? y : -y, *v = -z;
    else *u = n[1] < 0 ? x : -x, *v = -z;
    *u = 0.5 + 0.5 * *u, *v = 0.5 + 0.5 * *v;
}

static double turn_of(const double at[3]) {
    double turn = atan2(at[1], at[0]) / 6.283185307179586;
    return turn < 0 ? turn + 1 : turn;
}

// a round side is unrolled from +x, its ends are seen along z
static void on_cylinder(const double at[3], double radius, double half_length, const double n[3], double *u,
                        double *v) {
    if (fabs(n[2]) > 0.7071) *u = 0.5 + 0.5 * at[0] / radius, *v = 0.5 + 0.5 * at[1] / radius;
    else *u = turn_of(at), *v = 0.5 - 0.5 * at[2] / half_length;
}

// each cap of a capsule has the picture once more
static void on_capsule(const double at[3], double radius, double half_length, double *u, double *v) {
    double beyond = clampf((float)((fabs(at[2]) - half_length) / radius), 0, 1);
    *u = turn_of(at);
    if (fabs(at[2]) <= half_length) *v = 0.5 - 0.5 * at[2] / half_length;
    else *v = at[2] > 0 ? 1 - asin(beyond) / 1.5707963267948966 : asin(beyond) / 1.5707963267948966;
}

static void on_ball(const double at[3], const double radii[3], double *u, double *v) {
    double d[3] = {at[0] / radii[0], at[1] / radii[1], at[2] / radii[2]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    *u = turn_of(d);
    *v = 0.5 - asin(clampf((float)(d[2] / fmax(length, 1e-12)), -1, 1)) / 3.141592653589793;
}

tx_texture_place tx_texture_find(const tx_draw *draw, const tx_texture *texture, const double at[3],
                                 const double normal[3], int side) {
    const bool ball = draw->kind == TX_DRAW_SPHERE,
               tube = draw->kind == TX_DRAW_CAPSULE || draw->kind == TX_DRAW_CYLINDER;
    double size[3];
    for (int k = 0; k < 3; k++) size[k] = unit_of(draw->size[ball ? 0 : tube ? (k == 2 ? 1 : 0) : k]);
    if (texture->sides == 6) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = draw->texuniform ? at[k] / size[k] : at[k];
        return on_cube(d, side);
    }
    tx_texture_place p = {0};
    double lengths[2] = {size[0], tube ? size[0] : size[1]}, shift = 0;
    switch (draw->kind) {
    case TX_DRAW_SPHERE:
    case TX_DRAW_ELLIPSOID: on_ball(at, size, &p.u, &p.v); break;
    case TX_DRAW_CYLINDER: on_cylinder(at, size[0], size[2], normal, &p.u, &p.v); break;
    case TX_DRAW_CAPSULE: on_capsule(at, size[0], size[2], &p.u, &p.v); break;
    case TX_DRAW_BOX: on_box(at, size, normal, &p.u, &p.v); break;
    default:
        // seen along z; what has no size is measured in metres from its middle
        shift = draw->kind == TX_DRAW_PLANE && (!(draw->size[0] > 0) || !(draw->size[1] > 0)) ? -0.5 : 0;
        p.u = 0.5 * at[0] / size[0] + (shift == 0 ? 0.5 : 0), p.v = -0.5 * at[1] / size[1] + (shift == 0 ? 0.5 : 0);
    }
    p.u = p.u * draw->texrepeat[0] * (draw->texuniform ? lengths[0] : 1) + shift;
    p.v = p.v * draw->texrepeat[1] * (draw->texuniform ? lengths[1] : 1) + shift;
    return p;
}
