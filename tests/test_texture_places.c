// test_texture_places.c - where textures lie and what a square of texels looks like, as closed forms of the functions
// (render/texture.c), and two pictures. What pictures show of every shape: test_texture.c.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "render/render_internal.h"

enum { BLACK = 0, WHITE = 0xFFFFFF, RED = 0xFF0000, BLUE = 0x0000FF, EDGE = 120 };

static int gray(int value) { return value << 16 | value << 8 | value; }
static double light(int value) { return (double)tx_shade_linear((float)value / 255); }

static tx_texture *only(tx_scene *scene, int width, int height, bool cube, const int *texels) {
    assert_int_equal(tx_scene_add_texture(scene, width, height, cube, texels), 1);
    return &scene->textures[0];
}

// bytes are near to the square roots of light: the mean of squares, rounded; between levels and texels what is linear
static void squares_of_texels_are_their_mean(void **state) {
    const int texels[4] = {gray(100), gray(101), gray(101), gray(101)}; // sqrt(10150.75) = 100.75
    const int stripes[4] = {BLACK, WHITE, BLACK, WHITE};                // sqrt(255² / 2) = 180.3
    tx_scene *scene = tx_scene_create();
    const tx_texture *t = only(scene, 2, 2, false, texels);
    assert_int_equal(t->levels, 2);
    assert_near(tx_texture_at(t, 0, 0.5, 0.5, 2).x, light(101), 1e-7);
    tx_scene_clear(scene);
    t = only(scene, 2, 2, false, stripes);
    const double whole = light(180), parts = 0.5;
    assert_near(tx_texture_at(t, 0, 0.5, 0.5, 1).y, parts, 1e-6);
    assert_near(tx_texture_at(t, 0, 0.5, 0.5, sqrt(2)).y, 0.5 * (parts + whole), 1e-6);
    assert_near(tx_texture_at(t, 0, 0.5, 0.5, 1000).y, whole, 1e-6);
    // a quarter of the way from the middle of one texel to that of the other
    assert_near(tx_texture_at(t, 0, 0.375, 0.5, 1).y, 0.25, 1e-6);
    tx_scene_destroy(scene);
}

// a flat picture goes on beyond its edges, the side of a cube ends there
static void flat_pictures_repeat(void **state) {
    int texels[6 * 4];
    for (int i = 0; i < 24; i++) texels[i] = i % 2 ? BLUE : RED;
    for (int cube = 0; cube < 2; cube++) {
        tx_scene *scene = tx_scene_create();
        const tx_texture *t = only(scene, 2, 2, cube, texels);
        const vec3 left = tx_texture_at(t, 0, 0, 0.5, 1), right = tx_texture_at(t, 0, 0.9999999, 0.5, 1);
        assert_near(left.x, cube ? 1 : 0.5, 1e-6), assert_near(left.z, cube ? 0 : 0.5, 1e-6);
        assert_near(right.x, cube ? 0 : 0.5, 1e-5), assert_near(right.z, cube ? 1 : 0.5, 1e-5);
        tx_scene_destroy(scene);
    }
}

// texuniform: as often as the half size of the shape along each axis says, and a cube around the shape as a unit
static void uniform_textures_know_the_size(void **state) {
    const tx_texture flat = {.width = 1, .height = 1, .sides = 1, .levels = 1},
                     cube = {.width = 1, .height = 1, .sides = 6, .levels = 1};
    const double up[3] = {0, 0, 1}, at[3] = {0.4, -0.9, 0}, corner[3] = {1, 0.5, 2};
    tx_draw d = tx_default_draw(TX_DRAW_PLANE);
    d.size[0] = 2, d.size[1] = 3, d.texrepeat[0] = 5, d.texrepeat[1] = 7;
    tx_texture_place p = tx_texture_find(&d, &flat, at, up, -1);
    assert_near(p.u, 0.6 * 5, 1e-14), assert_near(p.v, 0.65 * 7, 1e-14);
    d.texuniform = true;
    p = tx_texture_find(&d, &flat, at, up, -1);
    assert_near(p.u, 0.6 * 5 * 2, 1e-14), assert_near(p.v, 0.65 * 7 * 3, 1e-14);
    // without a size in metres from its middle, and half a picture beside it
    d.size[0] = d.size[1] = 0, d.texuniform = false;
    p = tx_texture_find(&d, &flat, at, up, -1);
    assert_near(p.u, 0.2 * 5 - 0.5, 1e-14), assert_near(p.v, 0.45 * 7 - 0.5, 1e-14);
    d = tx_default_draw(TX_DRAW_BOX);
    d.size[0] = d.size[1] = 1, d.size[2] = 3;
    p = tx_texture_find(&d, &cube, corner, up, -1);
    assert_int_equal(p.side, 4);
    assert_near(p.u, 0.5 + 0.5 * 0.5, 1e-14), assert_near(p.v, 0.5 - 0.5 * 0.25, 1e-14);
    d.texuniform = true;
    p = tx_texture_find(&d, &cube, corner, up, -1);
    assert_int_equal(p.side, 0);
    assert_near(p.u, 0.5 - 0.5 * 2 / 3, 1e-14), assert_near(p.v, 0.5 - 0.5 * 0.5, 1e-14);
}

static tx_image look(const tx_scene *scene, double azimuth, double elevation) {
    const double degree = 3.14159265358979323846 / 180;
    const tx_camera camera = {
        .distance = 6, .azimuth = azimuth * degree, .elevation = elevation * degree, .fovy = 25 * degree};
    tx_image image;
    assert_int_equal(tx_image_alloc(&image, EDGE, EDGE), TX_OK);
    assert_int_equal(tx_scene_render(scene, &camera, &image), TX_OK);
    return image;
}

static int green(const tx_image *image, int x, int y) { return image->rgb[3 * (y * EDGE + x) + 1]; }

// 64 texels over 2 m are 1.4 pixels each, seen from 6 m with 25 degrees over 120 pixels: nothing is averaged, and near
// the middle of a texel a pixel is nearly its colour
static void coarse_pictures_stay_sharp(void **state) {
    enum { FINE = 64 };
    static int checker[FINE * FINE];
    for (int i = 0; i < FINE * FINE; i++) checker[i] = (i + i / FINE) % 2 ? WHITE : BLACK;
    tx_scene *scene = tx_scene_create();
    tx_draw plane = tx_default_draw(TX_DRAW_PLANE);
    plane.size[0] = plane.size[1] = 1;
    for (int c = 0; c < 4; c++) plane.rgba[c] = 1;
    plane.texture = tx_scene_add_texture(scene, FINE, FINE, false, checker);
    assert_int_equal(tx_scene_add_draw(scene, &plane), TX_OK);
    tx_image image = look(scene, 90, -89.9);
    int low = 255, high = 0;
    for (int i = 0; i < 32 * 32; i++) {
        const int v = green(&image, EDGE / 2 - 16 + i % 32, EDGE / 2 - 16 + i / 32);
        low = v < low ? v : low, high = v > high ? v : high;
    }
    assert_true(low < 60 && high > 200);
    tx_image_free(&image), tx_scene_destroy(scene);
}

// where a round shape begins again, nothing lies between the last texel and the first
static void seams_are_as_sharp_as_the_rest(void **state) {
    enum { WIDE = 64 };
    int texels[WIDE];
    for (int i = 0; i < WIDE; i++) texels[i] = i < WIDE / 4 || i >= WIDE - WIDE / 4 ? RED : BLUE;
    tx_scene *scene = tx_scene_create();
    tx_draw can = tx_default_draw(TX_DRAW_CYLINDER);
    can.size[0] = 1, can.size[1] = 1;
    for (int c = 0; c < 4; c++) can.rgba[c] = 1;
    can.texture = tx_scene_add_texture(scene, WIDE, 1, false, texels);
    assert_int_equal(tx_scene_add_draw(scene, &can), TX_OK);
    tx_image image = look(scene, 180, 0);
    for (int x = EDGE / 2 - EDGE / 5; x < EDGE / 2 + EDGE / 5; x++) {
        const unsigned char *p = image.rgb + 3 * (EDGE / 2 * EDGE + x);
        assert_true(p[0] > 4 * p[2]);
    }
    tx_image_free(&image), tx_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_of_texels_are_their_mean), cmocka_unit_test(flat_pictures_repeat),
        cmocka_unit_test(uniform_textures_know_the_size),   cmocka_unit_test(coarse_pictures_stay_sharp),
        cmocka_unit_test(seams_are_as_sharp_as_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
