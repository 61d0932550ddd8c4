// test_render.c - facts about pictures: projection, hiding, shadow, repeatability, files
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "thixis/load.h"
#include "thixis/sim_scene.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct {
    int r, g, b;
} pixel;

static pixel pixel_at(const tx_image *image, int x, int y) {
    const unsigned char *p = &image->rgb[3 * (y * image->width + x)];
    return (pixel){p[0], p[1], p[2]};
}

static int sum_at(const tx_image *image, int x, int y) {
    pixel p = pixel_at(image, x, y);
    return p.r + p.g + p.b;
}

static bool differs(const tx_image *a, const tx_image *b, int x, int y) {
    return memcmp(&a->rgb[3 * (y * a->width + x)], &b->rgb[3 * (y * b->width + x)], 3) != 0;
}

static tx_image picture(const tx_scene *scene, const tx_camera *camera, int width, int height) {
    tx_image image;
    assert_int_equal(tx_image_alloc(&image, width, height), TX_OK);
    assert_int_equal(tx_scene_render(scene, camera, &image), TX_OK);
    return image;
}

static tx_image background(const tx_camera *camera, int width, int height) {
    tx_scene *empty = tx_scene_create();
    tx_image image = picture(empty, camera, width, height);
    tx_scene_destroy(empty);
    return image;
}

static tx_draw shape(tx_draw_kind kind, double x, double y, double z, float r, float g, float b) {
    tx_draw draw = tx_default_draw(kind);
    draw.pos[0] = x, draw.pos[1] = y, draw.pos[2] = z;
    draw.rgba[0] = r, draw.rgba[1] = g, draw.rgba[2] = b;
    return draw;
}

static void add(tx_scene *scene, tx_draw draw) {
    int before = tx_scene_count(scene);
    assert_int_equal(tx_scene_add_draw(scene, &draw), TX_OK);
    assert_int_equal(tx_scene_count(scene), before + 1);
}

// a little of everything, caption included
static tx_scene *mixed_scene(void) {
    tx_scene *scene = tx_scene_create();
    for (int kind = 0; kind < TX_DRAW_COUNT; kind++) {
        tx_draw draw = tx_default_draw((tx_draw_kind)kind);
        if (kind != TX_DRAW_PLANE) {
            draw.pos[0] = 0.3 * kind - 1.2;
            draw.pos[2] = 0.15;
        }
        add(scene, draw);
    }
    add(scene, shape(TX_DRAW_SPHERE, 0, -0.4, 0.1, 0.2f, 0.4f, 0.9f));
    tx_draw glass = shape(TX_DRAW_BOX, 0.5, -0.4, 0.1, 0.2f, 0.9f, 0.4f);
    glass.rgba[3] = 0.4f;
    add(scene, glass);
    assert_int_equal(tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, "all kinds\nof shapes"), TX_OK);
    return scene;
}

// first and last pixel of a row or column that is not background
static void extent(const tx_image *image, const tx_image *empty, bool row, int at, int *first, int *last) {
    *first = -1, *last = -2;
    for (int i = 0; i < (row ? image->width : image->height); i++)
        if (row ? differs(image, empty, i, at) : differs(image, empty, at, i)) {
            *first = *first < 0 ? i : *first;
            *last = i;
        }
}

// a sphere's outline is the cone that touches it: radius f tan(asin(r / d)) pixels
static void sphere_outline_has_its_closed_form_radius(void **state) {
    (void)state;
    const double fovys[3] = {20, 45, 90}, distance = 2, radius = 0.5;
    for (int i = 0; i < 3; i++) {
        tx_camera camera = {.distance = distance, .azimuth = 30 * TX_DEGREE, .elevation = -20 * TX_DEGREE};
        camera.fovy = fovys[i] * TX_DEGREE;
        tx_scene *scene = tx_scene_create();
        tx_draw ball = tx_default_draw(TX_DRAW_SPHERE);
        ball.size[0] = radius;
        add(scene, ball);
        const int width = 640, height = 480;
        tx_image image = picture(scene, &camera, width, height), empty = background(&camera, width, height);
        double focal = 0.5 * height / tan(camera.fovy / 2);
        double expected = focal * tan(asin(radius / distance));
        int first, last;
        extent(&image, &empty, true, height / 2, &first, &last);
        if (2 * expected < width) {
            assert_true(fabs(0.5 * (last + 1 - first) - expected) <= 1);
            assert_true(abs(first + last + 1 - width) <= 1);
        }
        if (2 * expected < height) {
            extent(&image, &empty, false, width / 2, &first, &last);
            assert_true(fabs(0.5 * (last + 1 - first) - expected) <= 1);
        }
        tx_image_free(&image);
        tx_image_free(&empty);
        tx_scene_destroy(scene);
    }
}

// azimuth 0 looks along +x: +y is on the left; azimuth 90 looks along +y: +x is on the right
static void azimuth_follows_mujoco(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        tx_scene *scene = tx_scene_create();
        add(scene, shape(TX_DRAW_SPHERE, turned ? 0.5 : 0, turned ? 0 : 0.5, 0.3, 1, 0, 0));
        tx_camera camera = {.distance = 3, .azimuth = 90 * turned * TX_DEGREE, .fovy = 45 * TX_DEGREE};
        tx_image image = picture(scene, &camera, 200, 200), empty = background(&camera, 200, 200);
        double x = 0, y = 0, count = 0;
        for (int j = 0; j < 200; j++)
            for (int i = 0; i < 200; i++)
                if (differs(&image, &empty, i, j)) x += i + 0.5, y += j + 0.5, count++;
        double focal = 100 / tan(22.5 * pi / 180);
        assert_true(fabs(x / count - (100 + (turned ? 1 : -1) * focal * 0.5 / 3)) < 1);
        assert_true(fabs(y / count - (100 - focal * 0.3 / 3)) < 1);
        tx_image_free(&image);
        tx_image_free(&empty);
        tx_scene_destroy(scene);
    }
}

static void nearer_box_hides_the_farther_in_any_order(void **state) {
    (void)state;
    tx_camera camera = {.distance = 3, .azimuth = 0 * TX_DEGREE, .elevation = -10 * TX_DEGREE, .fovy = 45 * TX_DEGREE};
    tx_draw near_box = shape(TX_DRAW_BOX, -0.5, 0.05, 0, 0.9f, 0.1f, 0.1f);
    tx_draw far_box = shape(TX_DRAW_BOX, 0.5, -0.05, 0, 0.1f, 0.9f, 0.1f);
    far_box.size[1] = 0.3;
    tx_image images[2];
    for (int order = 0; order < 2; order++) {
        tx_scene *scene = tx_scene_create();
        add(scene, order ? near_box : far_box);
        add(scene, order ? far_box : near_box);
        images[order] = picture(scene, &camera, 320, 240);
        tx_scene_destroy(scene);
    }
    pixel center = pixel_at(&images[0], 160, 120);
    assert_true(center.r > 2 * center.g);
    // the far box stands out on the right of the near one
    pixel beside = pixel_at(&images[0], 160 + 22, 120);
    assert_true(beside.g > 2 * beside.r);
    assert_memory_equal(images[0].rgb, images[1].rgb, 3 * 320 * 240);
    tx_image_free(&images[0]);
    tx_image_free(&images[1]);
}

// seen from straight above; light from (1, 0, 1): a ball at height 1 shades the floor at x = -1
static void shadow_falls_where_geometry_says(void **state) {
    (void)state;
    tx_scene *scene = tx_scene_create(), *bare = tx_scene_create();
    tx_draw floor = tx_default_draw(TX_DRAW_PLANE), ball = tx_default_draw(TX_DRAW_SPHERE);
    floor.pos[0] = floor.pos[1] = 300;
    ball.pos[2] = 1;
    ball.size[0] = 0.2;
    add(scene, floor);
    add(bare, floor);
    add(scene, ball);
    const double light[3] = {1, 0, 1};
    tx_scene_set_light(scene, light);
    tx_scene_set_light(bare, light);
    tx_scene_set_checker(scene, 1000);
    tx_scene_set_checker(bare, 1000);
    tx_camera camera = {.distance = 6, .azimuth = 90 * TX_DEGREE, .elevation = -90 * TX_DEGREE, .fovy = 40 * TX_DEGREE};
    tx_image image = picture(scene, &camera, 400, 400), open = picture(bare, &camera, 400, 400);
    double focal = 200 / tan(20 * pi / 180), per_metre = focal / 6;
    // centroid of what the ball darkens on the floor, left of the ball itself
    double x = 0, y = 0, count = 0;
    for (int j = 0; j < 400; j++)
        for (int i = 0; i < 200 - (int)(0.5 * per_metre); i++)
            if (sum_at(&image, i, j) < sum_at(&open, i, j) * 8 / 10) x += i + 0.5, y += j + 0.5, count++;
    assert_true(count > 0);
    assert_true(fabs(x / count - (200 - per_metre)) < 1.5);
    assert_true(fabs(y / count - 200) < 1.5);
    // its area is the ball's cross section over cos 45
    assert_true(fabs(count / (pi * 0.04 * sqrt(2) * per_metre * per_metre) - 1) < 0.12);
    // the mirror place is lit as if there were no ball
    int mirror = 200 + (int)per_metre;
    assert_true(abs(sum_at(&image, mirror, 200) - sum_at(&open, mirror, 200)) <= 12);
    tx_image_free(&image);
    tx_image_free(&open);
    tx_scene_destroy(scene);
    tx_scene_destroy(bare);
}

// a surface must not shade itself: a lone block's top is evenly lit at every slope of the sun
static void lit_faces_have_no_acne(void **state) {
    (void)state;
    for (int slope = 1; slope <= 8; slope++) {
        tx_scene *scene = tx_scene_create();
        tx_draw block = shape(TX_DRAW_BOX, 0, 0, 0, 0.7f, 0.7f, 0.7f);
        block.size[0] = block.size[1] = 1;
        add(scene, block);
        const double light[3] = {1, 0.3, 0.3 * slope};
        tx_scene_set_light(scene, light);
        tx_camera camera = {.distance = 3, .elevation = -89 * TX_DEGREE, .fovy = 30 * TX_DEGREE};
        tx_image image = picture(scene, &camera, 200, 200);
        // the highlight changes smoothly across the face
        for (int j = 20; j < 180; j++)
            for (int i = 20; i < 180; i++) {
                assert_true(abs(sum_at(&image, i, j) - sum_at(&image, i + 1, j)) <= 3);
                assert_true(abs(sum_at(&image, i, j) - sum_at(&image, i, j + 1)) <= 3);
            }
        tx_image_free(&image);
        tx_scene_destroy(scene);
    }
}

// the floor melts into the sky: no step down any column near the horizon
static void horizon_is_smooth(void **state) {
    (void)state;
    tx_scene *scene = tx_scene_create();
    add(scene, tx_default_draw(TX_DRAW_PLANE));
    tx_camera camera = {.lookat = {0, 0, 0.5}, .distance = 3, .elevation = -8 * TX_DEGREE, .fovy = 45 * TX_DEGREE};
    tx_image image = picture(scene, &camera, 320, 240);
    int horizon = (int)(120 - 120 * tan(8 * pi / 180) / tan(22.5 * pi / 180));
    for (int y = horizon - 6; y < horizon + 6; y++)
        for (int x = 0; x < 320; x++) assert_true(abs(sum_at(&image, x, y) - sum_at(&image, x, y + 1)) <= 12);
    tx_image_free(&image);
    tx_scene_destroy(scene);
}

static void png_reads_back_as_written(void **state) {
    (void)state;
    tx_scene *scene = mixed_scene();
    tx_camera camera = tx_scene_camera(scene, 120 * TX_DEGREE, -20 * TX_DEGREE, 16.0 / 9.0);
    tx_image image = picture(scene, &camera, 161, 91);
    char path[] = "test_render_XXXXXX.png", line[200];
    tx_diag diag = {0};
    snprintf(path, sizeof path, "test_render_%06u.png", (unsigned)((uintptr_t)scene >> 4) % 1000000);
    assert_int_equal(tx_image_write_png(&image, path, &diag), TX_OK);
    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&png, path));
    png.format = PNG_FORMAT_RGB;
    assert_int_equal(png.width, 161);
    assert_int_equal(png.height, 91);
    unsigned char *read = malloc(PNG_IMAGE_SIZE(png));
    assert_true(png_image_finish_read(&png, NULL, read, 0, NULL));
    assert_memory_equal(read, image.rgb, 3 * 161 * 91);
    free(read);
    remove(path);
    // a place that cannot be written is an error that names it
    assert_int_equal(tx_image_write_png(&image, "no/such/folder/a.png", &diag), TX_ERROR_FILE);
    tx_diag_format(&diag, 0, line, sizeof line);
    assert_string_equal(line, "no/such/folder/a.png: error: No such file or directory");
    assert_int_equal(tx_image_write_png(&image, "no/such/folder/a.png", NULL), TX_ERROR_FILE);
    tx_image_free(&image);
    assert_int_equal(tx_image_write_png(&image, path, &diag), TX_ERROR_ARGUMENT);
    tx_diag_free(&diag);
    tx_scene_destroy(scene);
}

static void absurd_shapes_are_skipped_and_counted(void **state) {
    (void)state;
    tx_scene *scene = mixed_scene();
    tx_camera camera = tx_scene_camera(scene, 120 * TX_DEGREE, -20 * TX_DEGREE, 16.0 / 9.0);
    tx_image before = picture(scene, &camera, 160, 90);
    int count = tx_scene_count(scene), bad = 0;
    tx_draw good = tx_default_draw(TX_DRAW_BOX);
    const double poison[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 15; k++) {
            tx_draw draw = good;
            (k < 3 ? draw.pos : k < 12 ? draw.mat - 3 : draw.size - 12)[k] = poison[i];
            assert_int_equal(tx_scene_add_draw(scene, &draw), TX_OK);
            assert_int_equal(tx_scene_skipped(scene), ++bad);
        }
    tx_draw wrong[5] = {good, good, good, good, good};
    wrong[0].size[1] = 0;
    wrong[1].size[2] = -1;
    wrong[2].mat[0] = -1; // a mirror
    wrong[3].rgba[3] = NAN;
    wrong[4].kind = (tx_draw_kind)99;
    for (int i = 0; i < 5; i++) assert_int_equal(tx_scene_add_draw(scene, &wrong[i]), TX_OK);
    assert_int_equal(tx_scene_skipped(scene), bad + 5);
    assert_int_equal(tx_scene_count(scene), count);
    // forces that are no forces
    const double at[3] = {0, 0, 0}, none[3] = {0, 0, 0}, nan_force[3] = {0, NAN, 0};
    assert_int_equal(tx_scene_add_force(scene, at, none, 0.01, good.rgba), TX_OK);
    assert_int_equal(tx_scene_add_force(scene, at, nan_force, 0.01, good.rgba), TX_OK);
    assert_int_equal(tx_scene_count(scene), count);
    assert_int_equal(tx_scene_skipped(scene), bad + 6);
    tx_image after = picture(scene, &camera, 160, 90);
    assert_memory_equal(before.rgb, after.rgb, 3 * 160 * 90);
    tx_scene_clear(scene);
    assert_int_equal(tx_scene_skipped(scene), 0);
    assert_int_equal(tx_scene_count(scene), 0);
    tx_image_free(&before);
    tx_image_free(&after);
    tx_scene_destroy(scene);
}

static void same_scene_same_bytes(void **state) {
    (void)state;
    tx_scene *a = mixed_scene(), *b = mixed_scene();
    tx_camera camera = tx_scene_camera(a, 130 * TX_DEGREE, -25 * TX_DEGREE, 16.0 / 9.0);
    tx_image first = picture(a, &camera, 320, 180), again = picture(a, &camera, 320, 180);
    tx_image other = picture(b, &camera, 320, 180);
    assert_memory_equal(first.rgb, again.rgb, 3 * 320 * 180);
    assert_memory_equal(first.rgb, other.rgb, 3 * 320 * 180);
    tx_image_free(&first);
    tx_image_free(&again);
    tx_image_free(&other);
    tx_scene_destroy(a);
    tx_scene_destroy(b);
}

static void impossible_images_and_cameras_are_refused(void **state) {
    (void)state;
    tx_scene *scene = mixed_scene();
    const tx_camera good = {.distance = 3, .fovy = 45 * TX_DEGREE};
    tx_image image;
    assert_int_not_equal(tx_image_alloc(&image, 0, 10), TX_OK);
    assert_int_not_equal(tx_scene_render(scene, &good, &image), TX_OK);
    assert_int_not_equal(tx_image_alloc(&image, 10, -1), TX_OK);
    assert_int_not_equal(tx_image_alloc(&image, TX_IMAGE_MAX + 1, 1), TX_OK);
    tx_image_free(&image);
    tx_image_free(NULL);
    assert_int_equal(tx_image_alloc(&image, 1, 1), TX_OK);
    assert_int_equal(tx_scene_render(scene, &good, &image), TX_OK);
    tx_camera bad[8] = {good, good, good, good, good, good, good, good};
    bad[0].distance = 0;
    bad[1].distance = NAN;
    bad[2].fovy = 180 * TX_DEGREE;
    bad[3].fovy = 0 * TX_DEGREE;
    bad[4].lookat[1] = INFINITY;
    bad[5].azimuth = NAN * TX_DEGREE;
    bad[6].elevation = 91 * TX_DEGREE;
    bad[7].roll = NAN;
    for (int i = 0; i < 8; i++) assert_int_not_equal(tx_scene_render(scene, &bad[i], &image), TX_OK);
    tx_image_free(&image);
    tx_scene_destroy(scene);
}

// what lies behind the eye is invisible; what reaches through the eye's plane is cut there
static void shapes_behind_the_camera_are_clipped(void **state) {
    (void)state;
    tx_camera camera = {.distance = 2, .fovy = 60 * TX_DEGREE}; // the eye is at x = -2, looking along +x
    tx_image empty = background(&camera, 120, 90);
    for (int kind = TX_DRAW_SPHERE; kind < TX_DRAW_COUNT; kind++) {
        tx_scene *scene = tx_scene_create();
        tx_draw draw = tx_default_draw((tx_draw_kind)kind);
        draw.pos[0] = -4;
        add(scene, draw);
        tx_image image = picture(scene, &camera, 120, 90);
        assert_memory_equal(image.rgb, empty.rgb, 3 * 120 * 90);
        tx_image_free(&image);
        tx_scene_destroy(scene);
    }
    // a long slab below the eye, from far behind to far ahead, fills the bottom and not the top
    tx_scene *scene = tx_scene_create();
    tx_draw slab = shape(TX_DRAW_BOX, 0, 0, -0.5, 0.9f, 0.1f, 0.1f);
    slab.size[0] = slab.size[1] = 50;
    add(scene, slab);
    tx_image image = picture(scene, &camera, 120, 90);
    for (int x = 0; x < 120; x++) {
        pixel low = pixel_at(&image, x, 89);
        assert_true(low.r > 2 * low.g);
        assert_false(differs(&image, &empty, x, 0));
    }
    tx_image_free(&image);
    tx_image_free(&empty);
    tx_scene_destroy(scene);
}

// the fitted picture holds every shape and is filled by them: the margin is an eighth
static void fitted_camera_frames_every_shape(void **state) {
    (void)state;
    const double elevations[4] = {-90, -30, 0, 60}, sizes[3] = {0.01, 1, 100};
    for (int i = 0; i < 12; i++) {
        double scale = sizes[i % 3];
        tx_scene *scene = tx_scene_create();
        tx_draw rod = tx_default_draw(TX_DRAW_CAPSULE), box = tx_default_draw(TX_DRAW_BOX);
        rod.pos[0] = 5 * scale, rod.size[0] = 0.1 * scale, rod.size[1] = scale;
        box.size[0] = 0.2 * scale, box.size[1] = 0.7 * scale, box.size[2] = 0.3 * scale;
        add(scene, rod);
        add(scene, box);
        tx_camera camera = tx_scene_camera(scene, 35 * i * TX_DEGREE, elevations[i / 3] * TX_DEGREE, 16.0 / 9.0);
        const int width = 320, height = 180;
        tx_image image = picture(scene, &camera, width, height), empty = background(&camera, width, height);
        int x0 = width, x1 = -1, y0 = height, y1 = -1;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                if (differs(&image, &empty, x, y)) {
                    x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
                    y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
                }
        assert_true(x0 > 0 && y0 > 0 && x1 < width - 1 && y1 < height - 1);
        double across = (double)(x1 - x0 + 1) / width, down = (double)(y1 - y0 + 1) / height;
        double largest = across > down ? across : down;
        assert_true(largest > 0.83 && largest < 0.90);
        tx_image_free(&image);
        tx_image_free(&empty);
        tx_scene_destroy(scene);
    }
    // nothing to frame is no error
    tx_scene *scene = tx_scene_create();
    tx_camera camera = tx_scene_camera(scene, NAN * TX_DEGREE, 1e300 * TX_DEGREE, 16.0 / 9.0);
    tx_image image = picture(scene, &camera, 8, 8);
    tx_image_free(&image);
    tx_scene_destroy(scene);
}

// a camera that is rolled a quarter turn to the left sees at its right what is above
static void cameras_roll(void **state) {
    (void)state;
    tx_scene *scene = tx_scene_create();
    tx_draw ball = tx_default_draw(TX_DRAW_SPHERE);
    ball.pos[2] = 0.5;
    add(scene, ball);
    tx_camera camera = {.distance = 3, .fovy = 45 * TX_DEGREE};
    const int size = 80;
    for (int turned = 0; turned < 3; turned++) {
        camera.roll = 90 * TX_DEGREE * turned;
        tx_image image = picture(scene, &camera, size, size), empty = background(&camera, size, size);
        double x = 0, y = 0;
        int count = 0;
        for (int i = 0; i < size * size; i++)
            if (differs(&image, &empty, i % size, i / size)) x += i % size, y += i / size, count++;
        assert_true(count > 20);
        // 0.5 m of the 2.485 m that the picture is high at this distance
        const double away = 0.5 / (6 * tan(pi / 8)) * size, middle = (size - 1) / 2.0;
        const double expected[3][2] = {{0, -away}, {away, 0}, {0, away}};
        assert_true(fabs(x / count - middle - expected[turned][0]) < 1.5);
        assert_true(fabs(y / count - middle - expected[turned][1]) < 1.5);
        tx_image_free(&image);
        tx_image_free(&empty);
    }
    tx_scene_destroy(scene);
}

// captions cover nothing of what is fitted: with text in the picture the shape stands between, as large as it can be
static void captions_cover_nothing(void **state) {
    (void)state;
    const int width = 320, height = 180;
    tx_scene *scene = tx_scene_create(), *bare = tx_scene_create();
    tx_draw rod = tx_default_draw(TX_DRAW_CAPSULE);
    rod.size[0] = 0.2, rod.size[1] = 1;
    add(scene, rod), add(bare, rod);
    assert_int_equal(tx_scene_add_text(scene, TX_CORNER_TOP_LEFT, "one\ntwo\nthree"), TX_OK);
    assert_int_equal(tx_scene_add_text(scene, TX_CORNER_BOTTOM_RIGHT, "four"), TX_OK);
    tx_camera camera = tx_scene_camera(scene, 40 * TX_DEGREE, -10 * TX_DEGREE, 16.0 / 9.0);
    // the same view without the text: rows of the shape
    tx_image image = picture(bare, &camera, width, height), empty = background(&camera, width, height);
    int y0 = height, y1 = -1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (differs(&image, &empty, x, y)) y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
    // panels of three lines and of one, in 330ths of the height (font.c): 2 * 12 + 7 + 15 and 7 + 15
    double top = 46.0 / 330 * height, bottom = 22.0 / 330 * height;
    assert_true(y0 >= top - 1 && y0 < top + 4);
    assert_true(y1 <= height - bottom + 1 && y1 > height - bottom - 5);
    tx_image_free(&image);
    tx_image_free(&empty);
    tx_scene_destroy(scene);
    tx_scene_destroy(bare);
}

// geoms of groups 0 to 2 are drawn, as in MuJoCo, or those that are asked for
static void groups_are_drawn_as_in_mujoco(void **state) {
    (void)state;
    static const char text[] =
        "<mujoco><worldbody><geom size='1' group='-3'/><geom size='1' group='1'/><geom size='1' group='2'/>"
        "<geom size='1' group='3'/><geom size='1' group='3'/><geom size='1' group='9'/></worldbody></mujoco>";
    tx_model *model = tx_load_string(text, strlen(text), "groups", NULL);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    static const unsigned GROUPS[] = {0, TX_DRAWN_GROUPS, 8, 32, 1, 63};
    static const int COUNT[] = {3, 3, 2, 1, 1, 6};
    tx_scene *scene = tx_scene_create();
    for (int i = 0; i < 6; i++) {
        tx_sim_scene_def how = tx_default_sim_scene_def();
        how.groups = GROUPS[i];
        tx_scene_clear(scene);
        assert_int_equal(tx_scene_add_sim(scene, sim, 0, &how, NULL), TX_OK);
        assert_int_equal(tx_scene_count(scene), COUNT[i]);
    }
    tx_scene_destroy(scene);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// what lies on the axis of a camera is in the middle of its picture, its x axis points right and its y axis up, and
// what stands at half its angle is at the edge; straight down too
static void cameras_of_the_model_are_looked_through(void **state) {
    (void)state;
    static const char text[] =
        "<mujoco><worldbody>"
        "<body name='b' pos='1 2 3' euler='20 -35 70'><freejoint/><geom size='.05' mass='1' rgba='1 1 1 1'/>"
        "<camera name='on' fovy='60' pos='.3 .1 -.2' euler='10 75 -160'/></body>"
        "<camera name='down' fovy='80' pos='1 2 7'/><camera name='up' pos='1 2 -7' euler='180 0 30'/>"
        "<camera name='at' mode='targetbody' target='b' pos='-4 1 5'/>"
        "<camera name='flat' projection='orthographic' fovy='3'/><camera name='narrow' fovy='.5'/>"
        "</worldbody></mujoco>";
    tx_model *model = tx_load_string(text, strlen(text), "cameras", NULL);
    tx_sim_def def = tx_default_sim_def();
    def.envs = 2;
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    for (int k = 0; k < 3; k++) q[7 + k] += 0.5 * (k + 1); // the second environment's body stands elsewhere
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *pos = tx_sim_array(sim, TX_ARRAY_CAM_XPOS), *mat = tx_sim_array(sim, TX_ARRAY_CAM_XMAT);
    const int ncam = tx_model_size(model, TX_SIZE_NCAM);
    assert_int_equal(ncam, 6);
    for (int i = 0; i < 2 * ncam; i++) {
        const char *name = tx_element_name(model, TX_ELEMENT_CAMERA, i % ncam);
        tx_camera camera = {.distance = -1};
        tx_result result = tx_scene_sim_camera(NULL, sim, i / ncam, i % ncam, &camera);
        if (strcmp(name, "flat") == 0 || strcmp(name, "narrow") == 0) {
            assert_int_equal(result, TX_ERROR_UNSUPPORTED);
            assert_true(camera.distance == -1);
            continue;
        }
        assert_int_equal(result, TX_OK);
        // balls 2 m ahead: in the middle, right of it, and above it at nearly half the angle
        const int size = 101;
        const double reach = 0.9 * 2 * tan(camera.fovy / 2);
        const double place[3][2] = {{0, 0}, {reach, 0}, {0, reach}};
        const int x[3] = {50, 95, 50}, y[3] = {50, 50, 5};
        for (int k = 0; k < 3; k++) {
            tx_scene *scene = tx_scene_create();
            tx_draw ball = tx_default_draw(TX_DRAW_SPHERE);
            ball.size[0] = 0.02;
            for (int c = 0; c < 3; c++)
                ball.pos[c] = pos[3 * i + c] + place[k][0] * mat[9 * i + 3 * c] + place[k][1] * mat[9 * i + 3 * c + 1] -
                              2 * mat[9 * i + 3 * c + 2];
            tx_image empty = picture(scene, &camera, size, size);
            add(scene, ball);
            tx_image image = picture(scene, &camera, size, size);
            assert_true(differs(&image, &empty, x[k], y[k]));
            int count = 0;
            for (int p = 0; p < size * size; p++) count += differs(&image, &empty, p % size, p / size);
            assert_true(count < 40); // a small ball: nothing else
            tx_image_free(&image), tx_image_free(&empty), tx_scene_destroy(scene);
        }
        // with a scene the eye and the direction stay, only the point looked at moves
        tx_scene *scene = tx_scene_create();
        assert_int_equal(tx_scene_add_sim(scene, sim, i / ncam, NULL, NULL), TX_OK);
        tx_camera other;
        assert_int_equal(tx_scene_sim_camera(scene, sim, i / ncam, i % ncam, &other), TX_OK);
        assert_true(other.azimuth == camera.azimuth && other.roll == camera.roll && other.fovy == camera.fovy);
        assert_true(other.distance > 0);
        for (int c = 0; c < 3; c++) {
            double eye = other.lookat[c] + other.distance * mat[9 * i + 3 * c + 2];
            assert_true(fabs(eye - pos[3 * i + c]) < 1e-12);
        }
        if (strcmp(name, "at") == 0) { // the body it looks at is in the middle
            tx_image image = picture(scene, &other, size, size);
            tx_scene_clear(scene);
            tx_image empty = picture(scene, &other, size, size);
            assert_true(differs(&image, &empty, 50, 50) && !differs(&image, &empty, 50, 60));
            tx_image_free(&image), tx_image_free(&empty);
        }
        tx_scene_destroy(scene);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// a force inside a body shines through; without the flag it is hidden
static void forces_shine_through_bodies(void **state) {
    (void)state;
    tx_camera camera = {.distance = 3, .fovy = 40 * TX_DEGREE};
    tx_image images[3];
    for (int i = 0; i < 3; i++) {
        tx_scene *scene = tx_scene_create();
        tx_draw ball = shape(TX_DRAW_SPHERE, 0, 0, 0, 0.5f, 0.5f, 0.5f);
        ball.size[0] = 0.5;
        add(scene, ball);
        tx_draw arrow = shape(TX_DRAW_ARROW, 0, 0, -0.15, 0, 1, 0);
        arrow.size[0] = 0.03;
        arrow.flags = i == 2 ? TX_DRAW_FLAG_ON_TOP : 0;
        if (i > 0) add(scene, arrow);
        images[i] = picture(scene, &camera, 100, 100);
        tx_scene_destroy(scene);
    }
    assert_memory_equal(images[0].rgb, images[1].rgb, 3 * 100 * 100);
    pixel plain = pixel_at(&images[0], 50, 50), shining = pixel_at(&images[2], 50, 50);
    assert_true(shining.g > plain.g + 15 && shining.r < plain.r - 15);
    assert_true(shining.r > 40); // faintly: the ball is still seen
    for (int i = 0; i < 3; i++) tx_image_free(&images[i]);
}

// a line goes from one point to the other, as wide as it is told, whatever its direction
static void lines_join_their_points(void **state) {
    (void)state;
    enum { SIZE = 401 };
    const tx_camera camera = {.distance = 2, .azimuth = 90 * TX_DEGREE, .fovy = 40 * TX_DEGREE}; // x to the right, z up
    const double focal = 0.5 * SIZE / tan(20 * pi / 180),
                 ends[2][2][3] = {{{-0.3, 0, 0}, {0.4, 0, 0}}, {{0, 0, 0.5}, {0, 0, -0.2}}};
    const float red[4] = {1, 0, 0, 1};
    tx_image empty = background(&camera, SIZE, SIZE);
    for (int i = 0; i < 2; i++)
        for (int width = 0; width <= 6; width += 3) {
            tx_scene *scene = tx_scene_create();
            assert_int_equal(tx_scene_add_line(scene, ends[i][0], ends[i][1], width, red), TX_OK);
            tx_image image = picture(scene, &camera, SIZE, SIZE);
            double from = i == 0 ? ends[0][0][0] : -ends[1][0][2], to = i == 0 ? ends[0][1][0] : -ends[1][1][2];
            int first, last;
            extent(&image, &empty, i == 0, SIZE / 2, &first, &last);
            assert_true(fabs(first - (0.5 * SIZE + focal * from / 2)) <= 2);
            assert_true(fabs(last - (0.5 * SIZE + focal * to / 2)) <= 2);
            pixel middle = pixel_at(&image, SIZE / 2, SIZE / 2);
            assert_true(middle.r > middle.g + 60 && middle.r > middle.b + 60);
            // across it
            extent(&image, &empty, i != 0, SIZE / 2, &first, &last);
            assert_true(abs(last - first + 1 - (width ? width : 2)) <= 1);
            tx_image_free(&image), tx_scene_destroy(scene);
        }
    tx_image_free(&empty);
}

static void captions_stay_in_their_corner(void **state) {
    (void)state;
    tx_camera camera = {.distance = 3, .fovy = 40 * TX_DEGREE};
    tx_image empty = background(&camera, 400, 300);
    for (int corner = 0; corner < 4; corner++) {
        tx_scene *scene = tx_scene_create();
        assert_int_equal(tx_scene_add_text(scene, (tx_corner)corner, "Thixis {1.5 N}\n~!"), TX_OK);
        assert_int_equal(tx_scene_add_text(scene, (tx_corner)corner, "\x01\xff"), TX_OK);
        tx_image image = picture(scene, &camera, 400, 300);
        int changed = 0;
        for (int y = 0; y < 300; y++)
            for (int x = 0; x < 400; x++)
                if (differs(&image, &empty, x, y)) {
                    assert_true((x >= 200) == (corner & 1) && (y >= 150) == corner / 2);
                    changed++;
                }
        assert_true(changed > 100);
        tx_image_free(&image);
        tx_scene_destroy(scene);
    }
    // a caption far too long, and one for a single pixel, do no harm
    tx_scene *scene = tx_scene_create();
    char longest[5000];
    memset(longest, 'W', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(tx_scene_add_text(scene, TX_CORNER_BOTTOM_RIGHT, longest), TX_OK);
    tx_image image = picture(scene, &camera, 40, 30), dot = picture(scene, &camera, 1, 1);
    tx_image_free(&image);
    tx_image_free(&dot);
    tx_image_free(&empty);
    tx_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_outline_has_its_closed_form_radius),
        cmocka_unit_test(azimuth_follows_mujoco),
        cmocka_unit_test(nearer_box_hides_the_farther_in_any_order),
        cmocka_unit_test(shadow_falls_where_geometry_says),
        cmocka_unit_test(lit_faces_have_no_acne),
        cmocka_unit_test(horizon_is_smooth),
        cmocka_unit_test(png_reads_back_as_written),
        cmocka_unit_test(absurd_shapes_are_skipped_and_counted),
        cmocka_unit_test(same_scene_same_bytes),
        cmocka_unit_test(impossible_images_and_cameras_are_refused),
        cmocka_unit_test(shapes_behind_the_camera_are_clipped),
        cmocka_unit_test(fitted_camera_frames_every_shape),
        cmocka_unit_test(cameras_roll),
        cmocka_unit_test(captions_cover_nothing),
        cmocka_unit_test(groups_are_drawn_as_in_mujoco),
        cmocka_unit_test(cameras_of_the_model_are_looked_through),
        cmocka_unit_test(forces_shine_through_bodies),
        cmocka_unit_test(lines_join_their_points),
        cmocka_unit_test(captions_stay_in_their_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
