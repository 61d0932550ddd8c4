// render.h - pictures without a GPU: a list of shapes, a camera, an RGB image, a PNG file
//
// Lengths are in metres, angles in radians (90 * TX_DEGREE), colours are display (sRGB) values
// in 0..1. World z points up. Nothing here keeps hidden state: the same scene and camera give the
// same bytes on every call, and different scenes may be used from different threads.
//
//     tx_scene *scene = tx_scene_create();
//     tx_draw floor = tx_default_draw(TX_DRAW_PLANE), ball = tx_default_draw(TX_DRAW_SPHERE);
//     ball.pos[2] = ball.size[0] = 0.2;
//     tx_scene_add_draw(scene, &floor);
//     tx_scene_add_draw(scene, &ball);
//     tx_camera camera = tx_scene_camera(scene, 135 * TX_DEGREE, -20 * TX_DEGREE, 16.0 / 9.0);
//     tx_image image;
//     if (tx_image_alloc(&image, 1280, 720) == TX_OK && tx_scene_render(scene, &camera, &image) == TX_OK)
//         tx_image_write_png(&image, "ball.png", NULL);
//     tx_image_free(&image);
//     tx_scene_destroy(scene);
#ifndef THIXIS_RENDER_H
#define THIXIS_RENDER_H

#include "thixis/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One degree [rad].
#define TX_DEGREE 0.017453292519943295
/// Largest image edge in pixels.
#define TX_IMAGE_MAX 16384

/// Rows from top to bottom, three bytes (red, green, blue) per pixel, no padding.
typedef struct tx_image {
    int width, height;
    unsigned char *rgb; // width*height*3 bytes, owned by the image: tx_image_free
} tx_image;

/// A free camera in MuJoCo's convention: it looks at `lookat` from `distance` away, along the
/// direction (cos e cos a, cos e sin a, sin e). A negative elevation looks down.
typedef struct tx_camera {
    double lookat[3]; ///< [m] world
    double distance;  ///< [m] > 0
    double azimuth;   ///< [rad] about world z, from +x
    double elevation; ///< [rad] a quarter turn down to a quarter turn up
    double fovy;      ///< [rad] vertical field of view, 1 to 170 degrees
    double roll;      ///< [rad] about the direction of view: positive turns the camera's top to the left
} tx_camera;

/// Shapes. `size` follows MuJoCo: half sizes, long axis z.
typedef enum tx_draw_kind {
    TX_DRAW_PLANE = 0,     // normal +z, checkered; half sizes x, y; 0 = infinite, fades with distance
    TX_DRAW_SPHERE = 1,    // radius
    TX_DRAW_CAPSULE = 2,   // radius, half length of the cylinder part
    TX_DRAW_BOX = 3,       // half sizes x, y, z
    TX_DRAW_CYLINDER = 4,  // radius, half length
    TX_DRAW_ELLIPSOID = 5, // radii x, y, z
    TX_DRAW_ARROW = 6,     // shaft radius, unused, length along +z from pos to the tip
    TX_DRAW_DISC = 7,      // flat marker with normal z: radius
    TX_DRAW_MESH = 8,      // triangles; size is not used
    TX_DRAW_LINE = 9,      // width in pixels (0 = 2), unused, length along +z from pos
    TX_DRAW_COUNT
} tx_draw_kind;

/// Flags of one shape, or-ed.
enum {
    TX_DRAW_FLAG_NO_SHADOW = 1, // casts none
    TX_DRAW_FLAG_ON_TOP = 2     // where other shapes hide it, it still shines through faintly
};

/// One shape to draw. An arrow or disc with radius 0 is as thick on the picture wherever it is, so
/// that forces can be read in scenes of any size. Arrows, discs and lines are annotations: they never cast or receive
/// shadow.
typedef struct tx_draw {
    tx_draw_kind kind;
    double pos[3];  // m, world
    double mat[9];  // rotation, row major: world = pos + mat * local
    double size[3]; // see tx_draw_kind
    float rgba[4];  // alpha < 1 shows what lies behind; only the nearest such surface is drawn
    unsigned flags;
    // of a mesh, copied when the shape is added
    const double *vertices; // 3 numbers each, local frame
    const int *faces;       // 3 vertices each, counter-clockwise seen from outside
    int vertex_count, face_count;
    const double *texcoords; // of a mesh, copied: 2 per corner of each face, right and down; null: none
    int texture;             // of tx_scene_add_texture(), times rgba; 0: none
    double texrepeat[2];     // how often a flat one stands along x and y
    bool texuniform;         // per length, not per size; a cube is laid around the shape stretched to a unit
} tx_draw;

/// Where a caption stands.
typedef enum tx_corner {
    TX_CORNER_TOP_LEFT = 0,
    TX_CORNER_TOP_RIGHT = 1,
    TX_CORNER_BOTTOM_LEFT = 2,
    TX_CORNER_BOTTOM_RIGHT = 3
} tx_corner;

/// A list of shapes and captions; owns copies of all it is given.
typedef struct tx_scene tx_scene;

/// @return an empty scene, or NULL if memory is out; release with tx_scene_destroy
TX_API tx_scene *tx_scene_create(void);
TX_API void tx_scene_destroy(tx_scene *scene); ///< null is fine

/// Removes shapes, captions and the skip count; memory is kept for the next frame.
/// Light and checker stay as they were set.
TX_API void tx_scene_clear(tx_scene *scene);

/// A shape at the origin, without rotation, with a sensible size and colour.
TX_API tx_draw tx_default_draw(tx_draw_kind kind);
/// The same in place. @return TX_ERROR_UNSUPPORTED: the headers are not those of the library
TX_API tx_result tx_draw_init(tx_draw *draw, size_t size, tx_draw_kind kind);

/// Appends a copy of the shape. A shape that cannot be drawn (a number that is not finite, no
/// rotation matrix, a size that is not positive, beyond 1e6 m) is left out and counted.
/// @return TX_ERROR_MEMORY, or TX_ERROR_ARGUMENT: a null pointer
TX_API tx_result tx_scene_add_draw(tx_scene *scene, const tx_draw *draw);

/// Adds a copy of a picture that shapes may have on them: width * height texels 0xRRGGBB, row by row from the top, of a
/// cube six squares below each other: right (+x), left, up (+y), down, front (+z), back. It stays until the scene is
/// cleared. How it lies on a shape: docs/robots.md.
/// @return its number from 1 for tx_draw.texture, or 0: a null pointer, a size that is not 1 to 16384, no square side
/// of a cube, or no memory
TX_API int tx_scene_add_texture(tx_scene *scene, int width, int height, bool cube, const int *texels);

/// @return how many shapes were left out since the scene was created or cleared
TX_API int tx_scene_skipped(const tx_scene *scene);

/// @return how many shapes the scene holds
TX_API int tx_scene_count(const tx_scene *scene);

/// Adds a force as an arrow from the point: length = scale * |force|, automatic thickness, drawn
/// on top. Arrows shorter than 1e-9 m draw nothing.
/// @param point m, world   @param force N, world   @param scale m/N
/// @return TX_ERROR_MEMORY, or TX_ERROR_ARGUMENT: a null pointer
TX_API tx_result tx_scene_add_force(tx_scene *scene, const double point[3], const double force[3], double scale,
                                    const float rgba[4]);

/// Adds a straight line between two points, `width` pixels wide (0 = 2).
/// @return TX_ERROR_MEMORY, or TX_ERROR_ARGUMENT: a null pointer
TX_API tx_result tx_scene_add_line(tx_scene *scene, const double from[3], const double to[3], double width,
                                   const float rgba[4]);

/// Adds a caption (ASCII, '\n' starts a line; other bytes show as '?'); a second caption in a
/// corner goes below the first. The letters scale with the picture's height.
/// @return TX_ERROR_MEMORY, or TX_ERROR_ARGUMENT: a null pointer
TX_API tx_result tx_scene_add_text(tx_scene *scene, tx_corner corner, const char *text);

/// Direction towards the sun, world; any length. Default, and again after a zero or non-finite
/// vector: over the camera's left shoulder, 50 degrees high.
TX_API void tx_scene_set_light(tx_scene *scene, const double to_light[3]);

/// Edge of the floor's squares in m; 0 (default) picks 1, 2 or 5 times a power of ten from the
/// size of the scene. Set it for films, so that the floor never changes.
TX_API void tx_scene_set_checker(tx_scene *scene, double edge);

/// A camera that frames every shape but planes, beside the captions that the scene has by now; fovy 40 degrees, for a
/// picture with aspect = width / height.
/// @param azimuth, elevation [rad], as in tx_camera
TX_API tx_camera tx_scene_camera(const tx_scene *scene, double azimuth, double elevation, double aspect);

/// Allocates a black image; release with tx_image_free().
/// @return TX_ERROR_ARGUMENT: an edge is not in 1..TX_IMAGE_MAX, or TX_ERROR_MEMORY; the image is then empty and may
/// still be freed
TX_API tx_result tx_image_alloc(tx_image *image, int width, int height);
TX_API void tx_image_free(tx_image *image); ///< also empties it; NULL and empty are fine

/// Draws the scene over the whole image. @return TX_ERROR_ARGUMENT, with the image unchanged: it is empty or too large,
/// or the camera is not valid; TX_ERROR_MEMORY
TX_API tx_result tx_scene_render(const tx_scene *scene, const tx_camera *camera, tx_image *image);

/// Writes an 8-bit RGB PNG file.
/// @param diag gets the reason of a failure; may be null   @return TX_ERROR_FILE or TX_ERROR_ARGUMENT
TX_API tx_result tx_image_write_png(const tx_image *image, const char *path, tx_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
