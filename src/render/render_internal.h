// render_internal.h - what the files of src/render share: small vectors, the view, the triangles
#ifndef THIXIS_RENDER_INTERNAL_H
#define THIXIS_RENDER_INTERNAL_H

#include "thixis/render.h"

#include <math.h>

typedef struct {
    float x, y, z;
} vec3;

static inline vec3 v3(float x, float y, float z) { return (vec3){x, y, z}; }
static inline vec3 add3(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 sub3(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec3 scale3(vec3 a, float s) { return v3(a.x * s, a.y * s, a.z * s); }
static inline vec3 mul3(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline vec3 axpy3(float s, vec3 a, vec3 b) { return v3(s * a.x + b.x, s * a.y + b.y, s * a.z + b.z); }
static inline float dot3(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 cross3(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float length3(vec3 a) { return sqrtf(dot3(a, a)); }
static inline vec3 unit3(vec3 a) {
    float length = length3(a);
    return length > 0 ? scale3(a, 1 / length) : v3(0, 0, 1);
}
static inline vec3 mix3(vec3 a, vec3 b, float t) { return axpy3(t, sub3(b, a), a); }
// plain comparisons: the library's fminf is a call, for the sake of NaN
static inline float minf(float a, float b) { return a < b ? a : b; }
static inline float maxf(float a, float b) { return a > b ? a : b; }
static inline float clampf(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static inline float smoothstep(float low, float high, float x) {
    float t = clampf((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

// ---- texture.c

enum { TEXTURE_LEVELS = 15 };

// a picture and its halves, quarters ...: level k has the sides of level 0, each half as wide and high k times
typedef struct {
    int width, height, sides, levels;
    int *texels[TEXTURE_LEVELS]; // owned
} tx_texture;

void tx_texture_free(tx_texture *texture);
// linear colour at (u, v) of a side, 0..1 over it and repeated if it has one side only, averaged over a square of
// `spread` texels
vec3 tx_texture_at(const tx_texture *texture, int side, double u, double v, double spread);
// where a texture lies: side and place, 1 is its width and height, for a point and a normal in the frame of the shape
typedef struct {
    int side;
    double u, v;
} tx_texture_place;
tx_texture_place tx_texture_find(const tx_draw *draw, const tx_texture *texture, const double local[3],
                                 const double normal[3], int side);

struct tx_scene {
    tx_draw *draws;
    int count, capacity, skipped;
    tx_texture *textures;
    int texture_count, texture_capacity;
    char *text[4]; // per corner, owned
    double light[3];
    bool light_set;
    double checker;
};

// makes room for `need` elements; the array stays valid if memory is out
bool tx_render_grow(void **array, int *capacity, int need, size_t element);

// --- camera.c

// the camera in render space: world minus lookat, so that floats are exact near the action
typedef struct {
    double origin[3];
    vec3 eye, right, up, forward;
    float near_depth;
    float pixel;    // size of a pixel at depth 1
    float distance; // eye to lookat
    int width, height;
} tx_view;

bool tx_view_make(const tx_camera *camera, int width, int height, tx_view *view);
// places the camera at the eye, turned as the row-major matrix says (x right, y up, looking along -z); keeps distance
void tx_camera_look(tx_camera *camera, const double eye[3], const double mat[9]);
// from the eye to the middle of all shapes but planes, at least a quarter of their size; 1 if there are none
double tx_scene_distance(const tx_scene *scene, const double eye[3]);
// the ray through image point (x, y) in pixels, with depth 1 along forward
static inline vec3 tx_view_ray(const tx_view *v, float x, float y) {
    float right = (x - 0.5f * (float)v->width) * v->pixel;
    float up = (0.5f * (float)v->height - y) * v->pixel;
    return axpy3(right, v->right, axpy3(up, v->up, v->forward));
}
// largest dot(direction, p) over the shape's points p
double tx_draw_support(const tx_draw *draw, const double direction[3]);

// --- tessellate.c

enum { LAYER_OPAQUE, LAYER_TRANSPARENT, LAYER_ON_TOP, LAYERS };

typedef struct {
    vec3 pos, normal; // render space
} tx_vertex;

typedef struct {
    int vertex[3]; // counter-clockwise from outside
    int surface;
} tx_triangle;

// a smooth patch of a shape: one face of a box, the whole of a sphere
typedef struct {
    int draw;
    int layer;
    int first; // triangle
    bool casts, marker;
} tx_surface;

typedef struct {
    tx_vertex *vertices;
    tx_triangle *triangles;
    tx_surface *surfaces;
    int vertex_count, vertex_capacity;
    int triangle_count, triangle_capacity;
    int surface_count, surface_capacity;
} tx_tris;

bool tx_tris_build(const tx_scene *scene, const tx_view *view, tx_tris *tris);
void tx_tris_free(tx_tris *tris);

// --- raster.c

enum { SAMPLES = 8 };

// a triangle on the image: pixels, y down; w = 1 / depth
typedef struct {
    double x[3], y[3], w[3];
    int triangle, layer;
    int x0, x1, y0, y1; // pixels it may touch, inclusive
} tx_projected;

// the nearest surface at every sample of a band of image rows; triangle < 0: nothing
typedef struct {
    int width, row0, rows;
    float *w;
    int *triangle;
} tx_zbuffer;

bool tx_raster_project(const tx_view *view, const tx_tris *tris, tx_projected **out, int *count);
void tx_raster_clear(tx_zbuffer *z);
void tx_raster_draw(const tx_projected *p, tx_zbuffer *z);
// where sample s lies in its pixel, 0..1
void tx_raster_sample(int s, float *x, float *y);

// --- lightmap.c

// depth of the nearest caster seen along a direction, on a square grid
typedef struct {
    vec3 right, up, to_light;
    vec3 to_u, to_v;      // right and up per texel
    float u0, v0, depth0; // of the render-space origin
    float texel;          // m
    float top_depth;      // no caster is nearer to the light
    int size;
    float *depth;       // m along -to_light
    int shift, blocks;  // the map in blocks x blocks squares of 2^shift x 2^shift texels
    float *block_depth; // least depth in a square and its eight neighbours
} tx_lightmap;

bool tx_lightmap_make(const tx_tris *tris, vec3 center, float radius, vec3 to_light, int size, tx_lightmap *map);
void tx_lightmap_free(tx_lightmap *map);
// 1 = lit, 0 = in shadow; hard edges softened over one texel. A point 1.5 texels above a surface
// never meets that surface, whatever its slope: sqrt(2) tan(a) < 1.5 / cos(a)
float tx_lightmap_visible(const tx_lightmap *map, vec3 p);
// the same for a light with an angular size (tangent of its radius): soft with distance
float tx_lightmap_soft(const tx_lightmap *map, vec3 p, vec3 normal, float light_size);

// --- shade.c

enum { SKY_LIGHTS = 32 };

typedef struct {
    const tx_scene *scene;
    const tx_view *view;
    const tx_tris *tris;
    vec3 to_sun;
    bool shadows; // false: nothing casts, the maps are empty
    tx_lightmap sun, sky[SKY_LIGHTS];
    vec3 sky_dir[SKY_LIGHTS];
    float sky_norm; // brings an open, level floor to 1
    vec3 cast_center;
    float cast_radius;
    float checker;
} tx_shader;

bool tx_shade_prepare(const tx_scene *scene, const tx_view *view, const tx_tris *tris, tx_shader *shader);
void tx_shade_free(tx_shader *shader);
// linear colour of the background along a ray
vec3 tx_shade_sky(vec3 ray);
// linear colour of a triangle where the ray of depth 1 reaches it
vec3 tx_shade_point(const tx_shader *shader, int triangle, vec3 ray, float depth);
// sRGB to linear and back
float tx_shade_linear(float srgb);
float tx_shade_srgb(float linear);

// --- font.c

// the share of the picture's height, from its edge, that a caption covers at most; null: 0
double tx_font_share(const char *text);
void tx_font_caption(tx_image *image, tx_corner corner, const char *text);

#endif
